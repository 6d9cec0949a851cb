/// The code action "source.fixAll.rlx": all safe fixes of a document at once, as `rlx check --fix`
/// applies them. Always true: unsafe fixes are no part of it, and nothing is left that was not there.
#include "analyzer/edit/fix_all.h"

#include "server/methods/methods.h"

/// Errors and warnings are fixed, as they are without options on the command line; hints may come
/// and go.
static RlxFixWish wish(const RlxFileDiag *d, const char *text, void *data) {
  (void)text;
  const RlxOpenFile *file = data;
  const int severity = rlx_policy_severity(&file->policy, d->diag->id, d->diag->severity);
  return severity && severity <= RLX_WARNING ? RLX_FIX_WANTED : RLX_FIX_IGNORED;
}

/// Whether there is anything to apply.
static bool has_safe_fix(RlxOpenFile *file) {
  RlxFileDiags diags = {0};
  bool found = false;
  rlx_file_diags_mended(file->file, rlx_span(0, UINT32_MAX), &diags);
  for (uint32_t i = 0; i < diags.count && !found; i++)
    for (uint32_t k = 0; k < diags.at[i].diag->fix_count && !found; k++)
      found =
          diags.at[i].diag->fixes[k].is_safe && wish(&diags.at[i], NULL, file) == RLX_FIX_WANTED;
  rlx_vec_free(&diags);
  return found;
}

void rlx_server_fix_all_action(RlxActions *a) {
  static const char title[] = "fix all (safe fixes of rlx)", kind[] = "source.fixAll.rlx";
  RlxOpenFile *file = a->file;
  RlxFixed fixed = {0};
  RlxModuleReader reader = {0};
  RlxFixing how = {.settings = &file->settings, .wish = wish, .data = file};
  uint32_t size = 0;
  const char *text = rlx_document_text(rlx_file_document(file->file), &size);
  if (!has_safe_fix(file)) return;
  if (!rlx_actions_wants_edits(a)) { // made when it is chosen
    if (rlx_actions_begin(a, title, kind, NULL)) rlx_actions_end(a);
    return;
  }
  if (file->project) {
    reader = rlx_project_reader(file->project);
    how.reader = &reader;
  }
  rlx_fix_all(text, size, &how, &fixed);
  if (fixed.applied && rlx_actions_begin(a, title, kind, NULL)) {
    rlx_actions_text(a, &fixed.text);
    rlx_actions_end(a);
  }
  rlx_fixed_free(&fixed);
}
