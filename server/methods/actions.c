/// Code actions: fixes, refactorings, conversions, steps of schedules.
///
/// Always true: an action whose edit was left out of the listing gets it from codeAction/resolve, or
/// an error that says that the document changed; what is refused is listed with its reason, for
/// clients that know of that.
#include <stdio.h>
#include <string.h>

#include "analyzer/edit/refactor.h"
#include "server/methods/methods.h"
#include "server/session/jobs.h"

// ---- fixes

static bool touches(const RlxFileDiag *d, RlxSpan range) {
  return d->span.start <= range.end && d->span.end >= range.start;
}

/// At a cursor, of fixes with the same title (calls nested in calls) the innermost alone is
/// offered.
static bool is_innermost(const RlxFileDiags *diags, uint32_t at, RlxSpan range) {
  const RlxFileDiag *d = &diags->at[at];
  for (uint32_t i = 0; i < diags->count && range.start == range.end; i++) {
    const RlxFileDiag *other = &diags->at[i];
    bool inside = other->span.start >= d->span.start && other->span.end <= d->span.end &&
                  other->span.end - other->span.start < d->span.end - d->span.start;
    if (inside && touches(other, range) && other->diag->id == d->diag->id && other->diag->fix_count)
      return false;
  }
  return true;
}

static bool fix_is_offered(const RlxFileDiags *diags, RlxSpan range, const char *title) {
  for (uint32_t i = 0; i < diags->count; i++)
    for (uint32_t k = 0; touches(&diags->at[i], range) && k < diags->at[i].diag->fix_count; k++)
      if (!strcmp(diags->at[i].diag->fixes[k].title, title)) return true;
  return false;
}

static void write_fix(RlxActions *a, const RlxFileDiag *d, const RlxFix *fix, bool is_preferred) {
  char from[64]; // two of the same title may stand in one line
  snprintf(from, sizeof from, "%s@%u", rlx_diag_row(d->diag->id)->code, (unsigned)d->span.start);
  if (!rlx_actions_begin(a, fix->title, "quickfix", from)) return;
  if (!a->wanted) {
    rlx_json_key(a->json, "diagnostics");
    rlx_json_begin(a->json, '[');
    rlx_server_write_diag(a->server, a->file, d, a->json);
    rlx_json_end(a->json, ']');
    if (is_preferred) rlx_json_key_bool(a->json, "isPreferred", true);
  }
  if (rlx_actions_wants_edits(a)) {
    rlx_actions_begin_edits(a);
    for (uint32_t i = 0; i < fix->edit_count; i++) {
      const char *text = fix->edits[i].text;
      rlx_write_text_edit(a->server, a->file->file, rlx_file_diag_edit(d, fix, i), text,
                          strlen(text), a->json);
    }
    rlx_actions_end_edits(a);
  }
  rlx_actions_end(a);
}

static void write_fixes(RlxActions *a, const RlxFileDiags *diags) {
  for (uint32_t i = 0; i < diags->count; i++) {
    const RlxFileDiag *d = &diags->at[i];
    if (!touches(d, a->range) || !rlx_server_severity(a->file, d) ||
        !is_innermost(diags, i, a->range))
      continue;
    bool has_preferred = false;
    for (uint32_t k = 0; k < d->diag->fix_count; k++) {
      const RlxFix *fix = &d->diag->fixes[k];
      write_fix(a, d, fix, fix->is_safe && !has_preferred);
      has_preferred |= fix->is_safe;
    }
  }
}

// ---- refactorings

static const char *const refactor_kinds[] = {[RLX_REFACTOR_REWRITE] = "refactor.rewrite",
                                             [RLX_REFACTOR_INLINE] = "refactor.inline",
                                             [RLX_REFACTOR_EXTRACT] = "refactor.extract"};

static void write_refactoring(RlxActions *a, const RlxRefactoring *one) {
  if (!rlx_actions_begin(a, one->title, refactor_kinds[one->kind], NULL)) return;
  if (one->disabled && a->wanted) {
    rlx_error_set(&a->server->problem, "it cannot be done: %s", one->disabled);
    a->is_refused = true;
  } else if (one->disabled) {
    rlx_json_key(a->json, "disabled");
    rlx_json_begin(a->json, '{');
    rlx_json_key_text(a->json, "reason", one->disabled);
    rlx_json_end(a->json, '}');
  } else if (rlx_actions_wants_edits(a) && one->edit_count) {
    rlx_actions_begin_edits(a);
    for (uint32_t k = 0; k < one->edit_count; k++) {
      const char *text = one->edits[k].text;
      rlx_write_text_edit(a->server, a->file->file, one->edits[k].span, text, strlen(text),
                          a->json);
    }
    rlx_actions_end_edits(a);
  }
  rlx_actions_end(a);
}

/// `fixes`: diagnostics whose fixes are offered already.
static void write_refactorings(RlxActions *a, const RlxFileDiags *fixes) {
  RlxRefactorings all = {0};
  RlxArena *arena = rlx_arena_new();
  const RlxRefactorAsk ask = {.backward = a->file->backward,
                              .is_lazy = a->server->can_resolve_edits,
                              .is_disabled =
                                  a->wanted || (a->server->can_disabled && !a->is_automatic),
                              .only = rlx_json_string(a->wanted, "title")};
  rlx_file_refactor(a->file->file, a->range, &ask, arena, &all);
  for (uint32_t i = 0; i < all.count; i++) {
    const RlxRefactoring *one = &all.at[i];
    if (rlx_actions_ask_for(a, refactor_kinds[one->kind]) &&
        !fix_is_offered(fixes, a->range, one->title))
      write_refactoring(a, one);
  }
  rlx_vec_free(&all);
  rlx_arena_free(arena);
}

// ---- all

static void write_actions(RlxActions *a) {
  RlxFileDiags diags = {0};
  if (rlx_actions_ask_for(a, "quickfix")) {
    rlx_file_diags_mended(a->file->file, a->range, &diags);
    write_fixes(a, &diags);
  }
  if (rlx_actions_ask_for(a, "refactor") || rlx_actions_ask_for(a, "refactor.rewrite") ||
      rlx_actions_ask_for(a, "refactor.inline") || rlx_actions_ask_for(a, "refactor.extract"))
    write_refactorings(a, &diags);
  if (rlx_actions_ask_for(a, "refactor.rewrite")) rlx_server_dialect_actions(a);
  if (!a->wanted && rlx_actions_ask_for(a, "refactor.rewrite.schedule"))
    rlx_server_schedule_actions(a->server, a->file, a->range.start, a->json);
  if (a->only && rlx_actions_ask_for(a, "source.fixAll.rlx")) // it concerns the whole file
    rlx_server_fix_all_action(a);
  rlx_vec_free(&diags);
}

/// Whether edits are made beside the loop: a refactoring may have to analyse all of the document once more.
static bool is_for_beside(const RlxServer *server, const RlxOpenFile *file) {
  enum { BYTES_MOST = 64 * 1024 };
  uint32_t size = 0;
  rlx_document_text(rlx_file_document(file->file), &size);
  return !server->is_beside && size > BYTES_MOST;
}

RlxRpcCode rlx_lsp_code_action(RlxServer *server, const cJSON *params, RlxJson *result) {
  const cJSON *context = rlx_json_get(params, "context"),
              *trigger = rlx_json_get(context, "triggerKind");
  RlxActions a = {.server = server, .file = rlx_server_file(server, params), .json = result};
  if (!a.file || !rlx_range_offsets(server, a.file->file, rlx_json_get(params, "range"), &a.range))
    return RLX_RPC_INVALID_PARAMS;
  if (!rlx_file_analyze(a.file->file, rlx_transport_stale(server->transport)))
    return RLX_RPC_CONTENT_MODIFIED;
  if (!server->can_resolve_edits && is_for_beside(server, a.file))
    return rlx_server_handle_beside(server, a.file, "code actions", rlx_lsp_code_action, params);
  a.only = rlx_json_get(context, "only");
  if (!cJSON_IsArray(a.only)) a.only = NULL;
  a.is_automatic = cJSON_IsNumber(trigger) && trigger->valueint == 2;
  rlx_json_begin(result, '[');
  write_actions(&a);
  rlx_json_end(result, ']');
  return RLX_RPC_OK;
}

static RlxRpcCode fail(RlxServer *server, RlxRpcCode code, const char *why) {
  server->error = why;
  return code;
}

/// Whether the edit that `data` describes is made beside the loop.
static bool is_resolved_beside(RlxServer *server, const cJSON *data, RlxOpenFile **file) {
  *file = rlx_server_find(server, rlx_json_string(data, "uri"));
  return *file && is_for_beside(server, *file) &&
         rlx_file_analyze((*file)->file, rlx_transport_stale(server->transport));
}

/// Writes the edit of the action that `data` describes.
static RlxRpcCode resolve(RlxServer *server, const cJSON *data, RlxJson *result) {
  const cJSON *start = rlx_json_get(data, "start"), *end = rlx_json_get(data, "end"),
              *version = rlx_json_get(data, "version");
  const char *kind = rlx_json_string(data, "kind");
  RlxActions a = {.server = server, .wanted = data, .json = result};
  a.file = rlx_server_find(server, rlx_json_string(data, "uri"));
  if (!a.file)
    return fail(server, RLX_RPC_INVALID_PARAMS, "params.data.uri names no open document");
  if (!cJSON_IsNumber(start) || !cJSON_IsNumber(end) || !(start->valuedouble >= 0) ||
      !(end->valuedouble >= start->valuedouble) || end->valuedouble >= (double)UINT32_MAX ||
      !kind || !rlx_json_string(data, "title"))
    return fail(server, RLX_RPC_INVALID_PARAMS, "params.data is not what the listing gave");
  if (!rlx_file_analyze(a.file->file, rlx_transport_stale(server->transport)))
    return RLX_RPC_CONTENT_MODIFIED;
  a.range = rlx_span((uint32_t)start->valuedouble, (uint32_t)end->valuedouble);
  cJSON *only = cJSON_CreateArray();
  cJSON_AddItemToArray(only, cJSON_CreateString(kind));
  a.only = only;
  bool is_stale = a.file->has_version && cJSON_IsNumber(version) &&
                  (double)a.file->version != version->valuedouble;
  if (!is_stale) write_actions(&a);
  cJSON_Delete(only);
  if (a.is_refused) return fail(server, RLX_RPC_REQUEST_FAILED, server->problem.text);
  return a.is_found ? RLX_RPC_OK
                    : fail(server, RLX_RPC_CONTENT_MODIFIED,
                           is_stale ? "the document changed since the action was listed"
                                    : "the action is no longer possible");
}

/// An action whose edit was left out comes back with it; one that is whole, or that cannot be done,
/// comes back as it is.
RlxRpcCode rlx_lsp_code_action_resolve(RlxServer *server, const cJSON *params, RlxJson *result) {
  if (!cJSON_IsObject(params)) return RLX_RPC_INVALID_PARAMS;
  const cJSON *member, *data = rlx_json_get(params, "data");
  bool lacks_edit = !rlx_json_get(params, "edit") && data;
  RlxOpenFile *file;
  if (lacks_edit && is_resolved_beside(server, data, &file))
    return rlx_server_handle_beside(server, file, "code action", rlx_lsp_code_action_resolve,
                                    params);
  rlx_json_begin(result, '{');
  cJSON_ArrayForEach(member, params) {
    char *text = cJSON_PrintUnformatted(member);
    if (!text) return RLX_RPC_INTERNAL_ERROR;
    rlx_json_key(result, member->string);
    rlx_json_raw(result, text, strlen(text));
    cJSON_free(text);
  }
  RlxRpcCode code = RLX_RPC_OK;
  if (lacks_edit && rlx_json_get(data, "offer"))
    code = rlx_server_resolve_schedule(server, data, result);
  else if (lacks_edit && rlx_json_get(data, "title") && !rlx_json_get(params, "disabled"))
    code = resolve(server, data, result);
  rlx_json_end(result, '}');
  return code;
}
