/// Schedules in the editor: steps offered at a loop or block as code actions, their edits made when
/// one is chosen, and the loop tree of a PrimFunc.
///
/// Always true: an action is listed as legal only when its step was tried and its edit made, or when
/// that took too long; what codeAction/resolve gives is checked in any case, and only for the text
/// that was listed.
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "analyzer/diag/file_diag.h"
#include "analyzer/edit/schedule_text.h"
#include "analyzer/schedule/offers.h"
#include "analyzer/script/script.h"
#include "analyzer/syntax/stmt_text.h"
#include "analyzer/tir/findings.h"
#include "server/methods/methods.h"

enum {
  TRIAL_NS = 8 * 1000 * 1000, ///< for trying the steps at one place
  EDIT_NS = 6 * 1000 * 1000,  ///< for making their edits, after that
  SMALL = 4096,           ///< bytes of a function whose steps take little, so that all are tried
  SMALL_FILE = 16 * 1024, ///< of a file that is analysed again for an edit in no time
  SMALL_NS = 200 * 1000 * 1000, ///< for each of the two there
  NODES_MAX = 4,                ///< loops of one line
  FINDINGS_EFFORT = 50 * 1000,  ///< of isl for the findings of what a step makes
};

/// The PrimFunc around `offset`; NULL: there is none.
static const RlxStmt *def_at(RlxOpenFile *file, uint32_t offset) {
  RlxFunctionViews views = {0};
  const RlxStmt *found = NULL;
  rlx_file_functions(file->file, &views);
  for (uint32_t i = 0; i < views.count; i++) {
    const RlxStmt *stmt = views.at[i].stmt;
    if (views.at[i].kind == RLX_ISLAND_PRIM_FUNC && stmt->start <= offset &&
        offset < stmt->start + stmt->size)
      found = stmt;
  }
  rlx_vec_free(&views);
  return found;
}

static uint64_t hash_of(RlxOpenFile *file, const RlxStmt *def) {
  static const uint64_t basis = 14695981039346656037u, prime = 1099511628211u; // FNV-1a
  uint32_t size = 0;
  const char *text = rlx_document_text(rlx_file_document(file->file), &size);
  uint64_t hash = basis;
  for (uint32_t i = def->start; i < def->start + def->size && i < size; i++)
    hash = (hash ^ (unsigned char)text[i]) * prime;
  return hash;
}

/// Whether an error is reported in the PrimFunc.
static bool has_errors(RlxOpenFile *file, const RlxStmt *def) {
  RlxFileDiags diags = {0};
  bool found = false;
  rlx_file_diags_mended(file->file, RLX_NO_WINDOW, &diags);
  for (uint32_t i = 0; i < diags.count; i++) {
    const RlxFileDiag *d = &diags.at[i];
    found |= d->diag->severity == RLX_ERROR && d->span.start >= def->start &&
             d->span.start < def->start + def->size;
  }
  rlx_vec_free(&diags);
  return found;
}

static int64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); // what others do on the machine does not count
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

// ------------------------------------------------------------------ what a line holds

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Where the loop's variable stands in its statement's head, else the head.
static RlxSpan span_of(RlxServer *server, RlxOpenFile *file, const RlxStmt *def,
                       const RlxTirStmt *s) {
  uint32_t size = 0;
  const char *text = rlx_document_text(rlx_file_document(file->file), &size);
  RlxSpan head = rlx_span(def->start + s->span.start, def->start + s->span.end);
  if (s->kind != RLX_TIR_FOR || head.end > size) return head;
  const char *name = rlx_store_text(rlx_analyzer_store(server->analyzer), s->var->name);
  uint32_t n = (uint32_t)strlen(name);
  for (uint32_t at = head.start; at + n < head.end; at++)
    if (!memcmp(text + at, name, n) && (at == 0 || !is_word(text[at - 1])) &&
        !is_word(text[at + n]))
      return rlx_span(at, at + n);
  return head;
}

/// The nodes of the line that `offset` is on: of several loops the one whose name is there.
static uint32_t nodes_at(RlxServer *server, RlxOpenFile *file, const RlxStmt *def,
                         const RlxSchedule *s, uint32_t offset, RlxScheduleNode out[NODES_MAX]) {
  uint32_t count = 0, size = 0;
  const char *text = rlx_document_text(rlx_file_document(file->file), &size);
  const uint32_t line = rlx_line_start(text, offset);
  RlxScheduleNodes nodes = {0};
  rlx_schedule_nodes(s, 0, &nodes);
  for (uint32_t i = 0; i < nodes.count; i++) {
    const RlxScheduleNode *node = &nodes.at[i];
    if (!node->stmt->span.end) continue;
    uint32_t start = def->start + node->stmt->span.start, end = def->start + node->stmt->span.end;
    if (start < line && offset >= end) continue;
    if (start > offset && rlx_line_start(text, start) > offset) continue;
    RlxSpan name = span_of(server, file, def, node->stmt);
    bool is_named = node->is_loop && name.end - name.start < end - start && name.start <= offset &&
                    offset <= name.end;
    if (is_named) {
      out[0] = *node;
      count = 1;
      break;
    }
    if (count < NODES_MAX) out[count++] = *node;
  }
  rlx_vec_free(&nodes);
  return count;
}

// ------------------------------------------------------------------ code actions

typedef struct Listing {
  RlxServer *server;
  RlxOpenFile *file;
  const RlxStmt *def;
  RlxScheduleMemory *memory;
  const char *broken; ///< why no step is legal, or NULL
  int64_t until;      ///< when trying ends
  int64_t edits_until;
  uint64_t hash;
  RlxJson *json;
} Listing;

/// Why the step is not legal; NULL: it is, or there was no time to try.
static const char *refusal(Listing *l, const RlxScheduleStep *step) {
  if (now_ns() > l->until) return NULL;
  l->memory->trials++;
  RlxScheduleAnswer answer = rlx_schedule_try(l->memory->schedule, step);
  if (answer.ok) return NULL;
  return answer.refusal ? answer.refusal->message : "the step is refused";
}

static void write_data(const Listing *l, const RlxScheduleNode *node, uint32_t offer) {
  char hash[24];
  snprintf(hash, sizeof hash, "%016llx", (unsigned long long)l->hash);
  RlxJson *json = l->json;
  rlx_json_key(json, "data");
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "uri", l->file->uri);
  if (l->file->has_version) rlx_json_key_int(json, "version", l->file->version);
  rlx_json_key_int(json, "start", l->def->start);
  rlx_json_key_text(json, "text", hash);
  rlx_json_key_int(json, node->is_loop ? "loop" : "block", node->index);
  rlx_json_key_int(json, "offer", offer);
  rlx_json_end(json, '}');
}

static void write_disabled(const char *reason, RlxJson *json) {
  rlx_json_key(json, "disabled");
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "reason", reason);
  rlx_json_end(json, '}');
}

static RlxRpcCode apply(RlxServer *server, RlxOpenFile *file, const RlxStmt *def, const cJSON *data,
                        RlxJson *json);

/// Makes the edit of an action that was tried: the member "edit", or nothing when there is no time. What
/// comes back is why it cannot be made; NULL: it can, or there was no time to see. Valid until the
/// next call.
static const char *make_edit(Listing *l, const RlxScheduleNode *node, uint32_t offer, RlxBuf *out) {
  if (now_ns() > l->edits_until) return NULL;
  RlxJson json = {.out = out};
  cJSON *data = cJSON_CreateObject();
  cJSON_AddNumberToObject(data, node->is_loop ? "loop" : "block", node->index);
  cJSON_AddNumberToObject(data, "offer", offer);
  rlx_json_begin(&json, '{');
  RlxRpcCode code = apply(l->server, l->file, l->def, data, &json);
  cJSON_Delete(data);
  const char *why = code == RLX_RPC_OK ? NULL : l->server->error;
  l->server->error = NULL;
  if (code == RLX_RPC_OK)
    rlx_buf_splice(out, 0, 1, "", 0); // a member, no object
  else
    rlx_buf_free(out);
  return why;
}

static void write_action(Listing *l, const RlxScheduleNode *node, uint32_t offer, const char *title,
                         const char *reason) {
  RlxBuf edit = {0};
  if (!reason) reason = make_edit(l, node, offer, &edit);
  const bool is_whole = !l->server->can_resolve_edits && edit.size;
  if (reason ? l->server->can_disabled : l->server->can_resolve_edits || is_whole) {
    rlx_json_begin(l->json, '{');
    rlx_json_key_text(l->json, "title", title);
    rlx_json_key_text(l->json, "kind", "refactor.rewrite.schedule");
    if (reason) write_disabled(reason, l->json);
    if (is_whole)
      rlx_json_raw(l->json, rlx_buf_text(&edit), edit.size);
    else
      write_data(l, node, offer);
    rlx_json_end(l->json, '}');
  }
  rlx_buf_free(&edit);
}

static void write_offers(Listing *l, const RlxScheduleNode *node) {
  RlxArena *arena = rlx_arena_new();
  RlxScheduleOffers offers = {0};
  rlx_schedule_offers(l->memory->schedule, 0, node->is_loop, node->index, arena, &offers);
  const char **reasons = rlx_arena_array(arena, const char *, offers.count + 1);
  for (uint32_t i = 0; i < offers.count; i++) { // all are tried before an edit is made
    const char *reason = l->broken ? l->broken : refusal(l, &offers.at[i].step);
    reasons[i] = reason ? rlx_arena_strdup(arena, reason) : NULL;
  }
  for (uint32_t i = 0; i < offers.count; i++)
    write_action(l, node, i, offers.at[i].title, reasons[i]);
  rlx_vec_free(&offers);
  rlx_arena_free(arena);
}

/// Begins to list steps of the PrimFunc `def`: `l` has the server, the file and where to write.
static void start_listing(Listing *l, const RlxStmt *def) {
  l->def = def;
  l->memory = rlx_server_schedule(l->server, l->file, def);
  l->hash = hash_of(l->file, def);
  l->broken = has_errors(l->file, def) ? "the function has errors: mend them first" : NULL;
  const bool is_small = def->size <= SMALL;
  uint32_t size = 0;
  rlx_document_text(rlx_file_document(l->file->file), &size);
  l->until = now_ns() + (is_small ? SMALL_NS : TRIAL_NS);
  if (l->server->can_resolve_edits && size > SMALL_FILE)
    l->edits_until = 0; // the file is analysed again for each: the one that is picked is made
  else
    l->edits_until = l->until + (is_small ? SMALL_NS : EDIT_NS);
}

void rlx_server_schedule_actions(RlxServer *server, RlxOpenFile *file, uint32_t offset,
                                 RlxJson *json) {
  const RlxStmt *def = def_at(file, offset);
  if (!def || offset < def->start + def->head_size) return;
  Listing l = {.server = server, .file = file, .json = json};
  start_listing(&l, def);
  if (rlx_schedule_function(l.memory->schedule, 0)->has_holes) return;
  RlxScheduleNode nodes[NODES_MAX];
  uint32_t count = nodes_at(server, file, def, l.memory->schedule, offset, nodes);
  for (uint32_t i = 0; i < count; i++) write_offers(&l, &nodes[i]);
}

// ------------------------------------------------------------------ the edit of an action

static void write_difference(const RlxServer *server, const RlxOpenFile *file, const RlxBuf *after,
                             RlxJson *json) {
  RlxBuf old_lines = {0}, new_lines = {0};
  uint32_t size = 0;
  const char *text = rlx_document_text(rlx_file_document(file->file), &size);
  rlx_put_same_size(&old_lines, text, size);
  rlx_put_same_size(&new_lines, rlx_buf_text(after), after->size);
  RlxDiffRuns runs = {0};
  rlx_diff_runs(&old_lines, &new_lines, &runs);
  rlx_json_key(json, "edit");
  rlx_begin_edits(server, file, json);
  for (uint32_t i = 0; i < runs.count; i++) {
    const RlxDiffRun *run = &runs.at[i];
    rlx_write_text_edit(server, file->file,
                        rlx_span((uint32_t)run->old_start, (uint32_t)run->old_end),
                        rlx_buf_text(after) + run->new_start, run->new_end - run->new_start, json);
  }
  rlx_end_edits(server, file, json);
  rlx_vec_free(&runs);
  rlx_buf_free(&old_lines);
  rlx_buf_free(&new_lines);
}

static RlxRpcCode fail(RlxServer *server, RlxRpcCode code, const char *why) {
  rlx_error_set(&server->problem, "%s", why);
  server->error = server->problem.text;
  return code;
}

/// Findings of `f`, whose script is `def`, that are warnings or worse.
static void graver_findings(RlxServer *server, const RlxPrimFunc *f, const RlxStmt *def,
                            RlxSink *sink) {
  RlxSetWork work = {.left = FINDINGS_EFFORT};
  uint32_t kept = 0;
  RlxTirAnalysis *a = rlx_tir_analyze(rlx_analyzer_store(server->analyzer), f, sink->arena, NULL);
  a->work = &work;
  RlxTirAccesses accesses = rlx_tir_accesses(a);
  rlx_tir_findings_of(a, &accesses, def, RLX_TIR_BRIEF, sink);
  for (uint32_t i = 0; i < sink->diags.count; i++)
    if (sink->diags.at[i]->severity <= RLX_WARNING) sink->diags.at[kept++] = sink->diags.at[i];
  sink->diags.count = kept;
}

static uint32_t count_of(const RlxSink *sink, const RlxDiag *like) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < sink->diags.count; i++) count += sink->diags.at[i]->id == like->id;
  return count;
}

/// Appends what is found of the function after a step and was not before; false: nothing is.
static bool adds_finding(RlxServer *server, const RlxScheduleText *what, RlxArena *arena,
                         RlxBuf *out) {
  RlxSink after = {.arena = arena}, before = {.arena = arena};
  const RlxDiag *added = NULL;
  graver_findings(server, what->after, what->def, &after);
  if (after.diags.count) graver_findings(server, what->before, what->def, &before);
  for (uint32_t i = 0; i < after.diags.count && !added; i++)
    if (count_of(&after, after.diags.at[i]) > count_of(&before, after.diags.at[i]))
      added = after.diags.at[i];
  if (added)
    rlx_buf_printf(out, "there would be a new finding afterwards, %s: %s",
                   rlx_diag_row(added->id)->code, added->message);
  rlx_vec_free(&after.diags);
  rlx_vec_free(&before.diags);
  return added;
}

/// Applies the step and writes what changes; `def` is the PrimFunc that the step was listed for.
static RlxRpcCode apply(RlxServer *server, RlxOpenFile *file, const RlxStmt *def, const cJSON *data,
                        RlxJson *json) {
  const cJSON *loop = rlx_json_get(data, "loop"), *block = rlx_json_get(data, "block");
  const cJSON *offer = rlx_json_get(data, "offer"), *index = loop ? loop : block;
  if (!cJSON_IsNumber(index) || !cJSON_IsNumber(offer)) return RLX_RPC_INVALID_PARAMS;
  RlxSchedule *s = rlx_server_new_schedule(server, file, def);
  RlxArena *arena = rlx_arena_new();
  RlxScheduleOffers offers = {0};
  RlxBuf text = {0}, added = {0};
  RlxScheduleText what = {server->analyzer, file->file, def, rlx_schedule_function(s, 0), NULL};
  rlx_schedule_offers(s, 0, loop != NULL, index->valueint, arena, &offers);
  RlxRpcCode code = RLX_RPC_OK;
  if (offer->valueint < 0 || (uint32_t)offer->valueint >= offers.count)
    code = fail(server, RLX_RPC_INVALID_PARAMS, "params.data.offer names no step");
  if (code == RLX_RPC_OK) {
    RlxScheduleAnswer answer = rlx_schedule_apply(s, &offers.at[offer->valueint].step);
    what.after = rlx_schedule_function(s, 0);
    if (!answer.ok)
      code = fail(server, RLX_RPC_REQUEST_FAILED, answer.refusal->message);
    else if (adds_finding(server, &what, arena, &added))
      code = fail(server, RLX_RPC_REQUEST_FAILED, rlx_buf_text(&added));
    else if (!rlx_scheduled_text(&what, &text))
      code =
          fail(server, RLX_RPC_REQUEST_FAILED,
               "the scheduled function cannot be written into this text; `rlx schedule` prints it");
    else
      write_difference(server, file, &text, json);
  }
  rlx_buf_free(&text);
  rlx_buf_free(&added);
  rlx_vec_free(&offers);
  rlx_arena_free(arena);
  rlx_schedule_free(s);
  return code;
}

RlxRpcCode rlx_server_resolve_schedule(RlxServer *server, const cJSON *data, RlxJson *json) {
  RlxOpenFile *file = rlx_server_find(server, rlx_json_string(data, "uri"));
  if (!file) return fail(server, RLX_RPC_INVALID_PARAMS, "params.data.uri names no open document");
  if (!rlx_file_analyze(file->file, rlx_transport_stale(server->transport)))
    return RLX_RPC_CONTENT_MODIFIED;
  const cJSON *start = rlx_json_get(data, "start"), *version = rlx_json_get(data, "version");
  const char *listed = rlx_json_string(data, "text");
  if (!cJSON_IsNumber(start) || !(start->valuedouble >= 0) || !listed)
    return RLX_RPC_INVALID_PARAMS;
  const RlxStmt *def =
      start->valuedouble < (double)UINT32_MAX ? def_at(file, (uint32_t)start->valuedouble) : NULL;
  char hash[24] = "";
  if (def) snprintf(hash, sizeof hash, "%016llx", (unsigned long long)hash_of(file, def));
  bool is_stale = !def || strcmp(hash, listed) != 0 ||
                  (file->has_version && cJSON_IsNumber(version) &&
                   (double)file->version != version->valuedouble);
  if (is_stale)
    return fail(server, RLX_RPC_CONTENT_MODIFIED, "the document changed since the step was listed");
  return apply(server, file, def, data, json);
}

// ------------------------------------------------------------------ the loop tree

static void write_node(Listing *l, const RlxScheduleNode *node) {
  RlxJson *json = l->json;
  RlxBuf text = {0};
  rlx_schedule_node_text(l->memory->schedule, node->stmt, &text);
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "kind", node->is_loop ? "loop" : "block");
  rlx_json_key_int(json, "index", node->index);
  rlx_json_key_int(json, "parent", node->parent);
  rlx_json_key_text(json, "label", rlx_buf_text(&text));
  rlx_json_key(json, "range");
  if (node->stmt->span.end)
    rlx_write_range(l->server, l->file->file, span_of(l->server, l->file, l->def, node->stmt),
                    json);
  else
    rlx_json_null(json);
  rlx_json_key(json, "actions");
  rlx_json_begin(json, '[');
  write_offers(l, node);
  rlx_json_end(json, ']');
  rlx_json_end(json, '}');
  rlx_buf_free(&text);
}

/// The loop tree of the PrimFunc that `function` names, or that is around `position`: its nodes in
/// the order of the text, each with the number of the node around it and the code actions there.
RlxRpcCode rlx_lsp_schedule_tree(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file = rlx_server_file(server, params);
  if (!file) return RLX_RPC_INVALID_PARAMS;
  if (!rlx_file_analyze(file->file, rlx_transport_stale(server->transport)))
    return RLX_RPC_CONTENT_MODIFIED;
  const char *name = rlx_json_string(params, "function");
  const RlxStore *store = rlx_analyzer_store(server->analyzer);
  const RlxStmt *def = NULL;
  uint32_t offset;
  RlxFunctionViews views = {0};
  rlx_file_functions(file->file, &views);
  const RlxFunctionView *named = name ? rlx_function_view(store, &views, name) : NULL;
  if (named && named->kind == RLX_ISLAND_PRIM_FUNC) def = named->stmt;
  rlx_vec_free(&views);
  if (!name && rlx_position_offset(server, file->file, rlx_json_get(params, "position"), &offset))
    def = def_at(file, offset);
  if (!def) {
    if (!name) return RLX_RPC_OK; // null: no PrimFunc is there
    return fail(server, RLX_RPC_INVALID_PARAMS,
                "params.function names no PrimFunc of the document");
  }
  Listing l = {.server = server, .file = file, .json = result};
  start_listing(&l, def);
  RlxScheduleNodes nodes = {0};
  rlx_schedule_nodes(l.memory->schedule, 0, &nodes);
  rlx_json_begin(result, '{');
  rlx_json_key_text(result, "function",
                    rlx_store_text(store, rlx_schedule_function(l.memory->schedule, 0)->name));
  rlx_json_key(result, "range");
  rlx_write_range(server, file->file, rlx_span(def->start, def->start + def->size), result);
  rlx_json_key(result, "nodes");
  rlx_json_begin(result, '[');
  for (uint32_t i = 0; i < nodes.count; i++) write_node(&l, &nodes.at[i]);
  rlx_json_end(result, ']');
  rlx_json_end(result, '}');
  rlx_vec_free(&nodes);
  return RLX_RPC_OK;
}
