/// The code action "source.fixAll.rlx": all safe fixes of a document at once, as `rlx check --fix`
/// applies them. Always true: unsafe fixes are no part of it, and nothing is left that was not there.
#include "analyzer/edit/fix_all.h"

#include "server/methods/methods.h"

void rlx_server_write_text_action(RlxServer *server, RlxOpenFile *file, const char *title,
                                  const char *kind, const RlxBuf *text, RlxJson *json) {
  uint32_t size = 0, start = 0, end = 0;
  const char *old = rlx_document_text(rlx_file_document(file->file), &size),
             *now = rlx_buf_text(text);
  while (start < size && start < text->size && old[start] == now[start]) start++;
  while (end < size - start && end < text->size - start &&
         old[size - 1 - end] == now[text->size - 1 - end])
    end++;
  while (start > 0 && ((unsigned char)old[start] & 0xc0) == 0x80) start--; // whole characters
  while (end > 0 && ((unsigned char)old[size - end] & 0xc0) == 0x80) end--;
  rlx_json_begin(json, '{');
  rlx_json_key(json, "title");
  rlx_json_text(json, title);
  rlx_json_key(json, "kind");
  rlx_json_text(json, kind);
  rlx_json_key(json, "edit");
  rlx_begin_changes(file, json);
  rlx_write_text_edit(server, file->file, rlx_span(start, size - end), now + start,
                      text->size - end - start, json);
  rlx_end_changes(json);
  rlx_json_end(json, '}');
}

/// Errors and warnings are fixed, as they are without options on the command line; hints may come
/// and go.
static RlxFixWish wish(const RlxFileDiag *d, const char *text, void *data) {
  (void)text;
  const RlxOpenFile *file = data;
  const int severity = rlx_policy_severity(&file->policy, d->diag->id, d->diag->severity);
  return severity && severity <= RLX_WARNING ? RLX_FIX_WANTED : RLX_FIX_IGNORED;
}

void rlx_server_fix_all_action(RlxServer *server, RlxOpenFile *file, RlxJson *json) {
  RlxFixed fixed = {0};
  RlxModuleReader reader = {0};
  RlxFixing how = {.settings = &file->settings, .wish = wish, .data = file};
  uint32_t size = 0;
  const char *text = rlx_document_text(rlx_file_document(file->file), &size);
  if (file->project) {
    reader = rlx_project_reader(file->project);
    how.reader = &reader;
  }
  rlx_fix_all(text, size, &how, &fixed);
  if (fixed.applied)
    rlx_server_write_text_action(server, file, "fix all (safe fixes of rlx)", "source.fixAll.rlx",
                                 &fixed.text, json);
  rlx_fixed_free(&fixed);
}
