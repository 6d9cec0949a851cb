/// Diagnostics pushed and pulled, and the fixes they carry as code actions.
#include <stdio.h>
#include <string.h>

#include "analyzer/edit/refactor.h"
#include "server/methods/methods.h"

static void write_related(const RlxServer *server, const RlxOpenFile *file, const RlxFileDiag *d,
                          RlxJson *json) {
  rlx_json_key(json, "relatedInformation");
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < d->diag->related_count; i++) {
    const RlxRelated *r = &d->diag->related[i];
    rlx_json_begin(json, '{');
    rlx_json_key(json, "location");
    rlx_json_begin(json, '{');
    rlx_json_key(json, "uri");
    rlx_json_text(json, file->uri);
    rlx_json_key(json, "range");
    rlx_write_range(server, file->file, rlx_file_diag_related(d, i), json);
    rlx_json_end(json, '}');
    rlx_json_key(json, "message");
    rlx_json_text(json, r->message);
    rlx_json_end(json, '}');
  }
  rlx_json_end(json, ']');
}

/// As the file's configuration has it; 0: not to be shown.
static int severity_of(const RlxOpenFile *file, const RlxFileDiag *d) {
  return rlx_policy_severity(&file->policy, d->diag->id, d->diag->severity);
}

static void write_diag(const RlxServer *server, const RlxOpenFile *file, const RlxFileDiag *d,
                       RlxJson *json) {
  const RlxDiagRow *row = rlx_diag_row(d->diag->id);
  rlx_json_begin(json, '{');
  rlx_json_key(json, "range");
  rlx_write_range(server, file->file, d->span, json);
  rlx_json_key(json, "severity");
  rlx_json_int(json, severity_of(file, d));
  rlx_json_key(json, "code");
  rlx_json_text(json, row->code);
  rlx_json_key(json, "source");
  rlx_json_text(json, "rlx");
  rlx_json_key(json, "message");
  rlx_json_text(json, d->diag->message);
  if (server->can_code_description) {
    char href[64];
    snprintf(href, sizeof href, "rlx:explain/%s", row->code);
    rlx_json_key(json, "codeDescription");
    rlx_json_begin(json, '{');
    rlx_json_key(json, "href");
    rlx_json_text(json, href);
    rlx_json_end(json, '}');
  }
  if (server->can_tags && strstr(row->name, "unused") && severity_of(file, d) > RLX_ERROR)
    rlx_json_raw(json, "\"tags\":[1]", 10); // LSP: Unnecessary
  if (server->can_related && d->diag->related_count) write_related(server, file, d, json);
  rlx_json_end(json, '}');
}

void rlx_server_write_diags(RlxServer *server, RlxOpenFile *file, RlxJson *json) {
  RlxFileDiags diags = {0};
  rlx_file_diags_mended(file->file, RLX_NO_WINDOW, &diags);
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < diags.count; i++)
    if (severity_of(file, &diags.at[i])) write_diag(server, file, &diags.at[i], json);
  rlx_json_end(json, ']');
  rlx_vec_free(&diags);
}

// ------------------------------------------------------------------ code actions

static void write_edits(const RlxServer *server, RlxOpenFile *file, const RlxFileDiag *d,
                        const RlxFix *fix, RlxJson *json) {
  rlx_begin_changes(file, json);
  for (uint32_t i = 0; i < fix->edit_count; i++) {
    const char *text = fix->edits[i].text;
    rlx_write_text_edit(server, file->file, rlx_file_diag_edit(d, fix, i), text, strlen(text),
                        json);
  }
  rlx_end_changes(json);
}

static const char *const refactor_kinds[] = {[RLX_REFACTOR_REWRITE] = "refactor.rewrite",
                                             [RLX_REFACTOR_INLINE] = "refactor.inline",
                                             [RLX_REFACTOR_EXTRACT] = "refactor.extract"};

/// Is `kind` one that the client asks for: equal to an entry of `only`, or below it?
static bool asks_for(const cJSON *only, const char *kind) {
  const cJSON *one;
  if (!only) return true;
  cJSON_ArrayForEach(one, only) {
    size_t n = cJSON_IsString(one) ? strlen(one->valuestring) : SIZE_MAX;
    if (n != SIZE_MAX &&
        (!n || (!strncmp(kind, one->valuestring, n) && (!kind[n] || kind[n] == '.'))))
      return true;
  }
  return false;
}

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

/// `fixes`: diagnostics whose fixes are offered already.
static void write_refactorings(RlxServer *server, RlxOpenFile *file, RlxSpan range,
                               const cJSON *only, const RlxFileDiags *fixes, RlxJson *json) {
  RlxRefactorings all = {0};
  RlxArena *arena = rlx_arena_new();
  rlx_file_refactorings(file->file, range, file->backward, arena, &all);
  for (uint32_t i = 0; i < all.count; i++) {
    const RlxRefactoring *one = &all.at[i];
    if (!asks_for(only, refactor_kinds[one->kind]) || fix_is_offered(fixes, range, one->title))
      continue;
    rlx_json_begin(json, '{');
    rlx_json_key(json, "title");
    rlx_json_text(json, one->title);
    rlx_json_key(json, "kind");
    rlx_json_text(json, refactor_kinds[one->kind]);
    rlx_json_key(json, "edit");
    rlx_begin_changes(file, json);
    for (uint32_t k = 0; k < one->edit_count; k++) {
      const char *text = one->edits[k].text;
      rlx_write_text_edit(server, file->file, one->edits[k].span, text, strlen(text), json);
    }
    rlx_end_changes(json);
    rlx_json_end(json, '}');
  }
  rlx_vec_free(&all);
  rlx_arena_free(arena);
}

RlxRpcCode rlx_lsp_code_action(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file = rlx_server_file(server, params);
  RlxSpan range;
  if (!file || !rlx_range_offsets(server, file->file, rlx_json_get(params, "range"), &range))
    return RLX_RPC_INVALID_PARAMS;
  if (!rlx_file_analyze(file->file, rlx_transport_stale(server->transport)))
    return RLX_RPC_CONTENT_MODIFIED;
  const cJSON *only = rlx_json_get(rlx_json_get(params, "context"), "only");
  bool wanted = asks_for(only, "quickfix");
  RlxFileDiags diags = {0};
  if (wanted) rlx_file_diags_mended(file->file, range, &diags);
  rlx_json_begin(result, '[');
  for (uint32_t i = 0; i < diags.count; i++) {
    const RlxFileDiag *d = &diags.at[i];
    if (!touches(d, range) || !severity_of(file, d) || !is_innermost(&diags, i, range)) continue;
    bool has_preferred = false;
    for (uint32_t k = 0; k < d->diag->fix_count; k++) {
      rlx_json_begin(result, '{');
      rlx_json_key(result, "title");
      rlx_json_text(result, d->diag->fixes[k].title);
      rlx_json_key(result, "kind");
      rlx_json_text(result, "quickfix");
      rlx_json_key(result, "diagnostics");
      rlx_json_begin(result, '[');
      write_diag(server, file, d, result);
      rlx_json_end(result, ']');
      if (d->diag->fixes[k].is_safe && !has_preferred) {
        has_preferred = true;
        rlx_json_key(result, "isPreferred");
        rlx_json_bool(result, true);
      }
      rlx_json_key(result, "edit");
      write_edits(server, file, d, &d->diag->fixes[k], result);
      rlx_json_end(result, '}');
    }
  }
  if (asks_for(only, "refactor") || asks_for(only, "refactor.rewrite") ||
      asks_for(only, "refactor.inline") || asks_for(only, "refactor.extract"))
    write_refactorings(server, file, range, only, &diags, result);
  if (asks_for(only, "refactor.rewrite"))
    rlx_server_dialect_actions(server, file, range.start, result);
  if (asks_for(only, "refactor.rewrite.schedule"))
    rlx_server_schedule_actions(server, file, range.start, result);
  if (only && asks_for(only, "source.fixAll.rlx")) // it analyses the whole file: for those who ask
    rlx_server_fix_all_action(server, file, result);
  rlx_json_end(result, ']');
  rlx_vec_free(&diags);
  return RLX_RPC_OK;
}

/// An action whose edit was left out comes back with it; one that is whole comes back as it is.
RlxRpcCode rlx_lsp_code_action_resolve(RlxServer *server, const cJSON *params, RlxJson *result) {
  if (!cJSON_IsObject(params)) return RLX_RPC_INVALID_PARAMS;
  const cJSON *member, *data = rlx_json_get(params, "data");
  bool lacks_edit = !rlx_json_get(params, "edit") && rlx_json_get(data, "offer");
  rlx_json_begin(result, '{');
  cJSON_ArrayForEach(member, params) {
    char *text = cJSON_PrintUnformatted(member);
    if (!text) return RLX_RPC_INTERNAL_ERROR;
    rlx_json_key(result, member->string);
    rlx_json_raw(result, text, strlen(text));
    cJSON_free(text);
  }
  RlxRpcCode code = lacks_edit ? rlx_server_resolve_schedule(server, data, result) : RLX_RPC_OK;
  rlx_json_end(result, '}');
  return code;
}
