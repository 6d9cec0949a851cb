/// Code lenses above functions: where they are used, run, normal form, PrimFuncs. They name the
/// client's commands; nothing is run by the server. Uses are counted when a lens is seen (resolve).
#include <string.h>

#include "server/methods/methods.h"
#include "server/session/notebooks.h"

enum { ELEMENTS_MAX = 1 << 22 }; ///< of inputs that are made up

/// A lens above a function, and the command that it runs.
typedef struct Lens {
  const char *title, *command;
  const char *name;   ///< what the command calls the function
  const char *inputs; ///< one more argument of the command; NULL: none
} Lens;

static void write_lens(RlxServer *server, RlxOpenFile *file, const RlxFunctionView *view, Lens lens,
                       RlxJson *json) {
  rlx_json_begin(json, '{');
  rlx_json_key(json, "range");
  rlx_write_range(server, file->file, rlx_stmt_absolute(view->stmt, view->stmt->name_span), json);
  rlx_json_key(json, "command");
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "title", lens.title);
  rlx_json_key_text(json, "command", lens.command);
  rlx_json_key(json, "arguments");
  rlx_json_begin(json, '[');
  rlx_json_text(json, file->uri);
  rlx_json_text(json, lens.name);
  if (lens.inputs) rlx_json_text(json, lens.inputs);
  rlx_json_end(json, ']');
  rlx_json_end(json, '}');
  rlx_json_end(json, '}');
}

/// A lens without command: codeLens/resolve puts "3 references" there.
static void write_uses_lens(RlxServer *server, RlxOpenFile *file, const RlxFunctionView *view,
                            RlxJson *json) {
  RlxSpan name = rlx_stmt_absolute(view->stmt, view->stmt->name_span);
  rlx_json_begin(json, '{');
  rlx_json_key(json, "range");
  rlx_write_range(server, file->file, name, json);
  rlx_json_key(json, "data");
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "uri", file->uri);
  rlx_json_key_text(json, "function",
                    rlx_store_text(rlx_analyzer_store(server->analyzer), view->name));
  rlx_json_key_int(json, "at", name.start);
  rlx_json_end(json, '}');
  rlx_json_end(json, '}');
}

/// `x=2x3:float32:random(1)`; false when the tensor's size is not known or large.
static bool made_up(const RlxSInfo *sinfo, uint32_t seed, RlxBuf *out) {
  char dtype[RLX_DTYPE_TEXT_MAX];
  if (!sinfo || sinfo->kind != RLX_SINFO_TENSOR || !rlx_dtype_known(sinfo->dtype) ||
      sinfo->ndim < 0 || (sinfo->ndim && !sinfo->dims))
    return false;
  int64_t count = 1;
  for (int i = 0; i < sinfo->ndim; i++) {
    int64_t size;
    if (!rlx_prim_is_const(sinfo->dims[i], &size) || size < 0 || size > ELEMENTS_MAX ||
        (count *= size) > ELEMENTS_MAX)
      return false;
    rlx_buf_printf(out, i ? "x%lld" : "%lld", (long long)size);
  }
  rlx_buf_printf(out, "%s:%s:random(%u)", sinfo->ndim ? "" : "scalar",
                 rlx_dtype_text(sinfo->dtype, dtype), seed);
  return true;
}

/// Arguments of `rlx run` for a function whose parameters are all tensors of known size.
static bool made_up_inputs(const RlxStore *store, const RlxFunctionView *view, RlxBuf *out) {
  const RlxFunction *fn = view->function;
  if (view->kind != RLX_ISLAND_RELAX || !fn) return false;
  for (uint32_t i = 0; i < fn->param_count; i++) {
    rlx_buf_printf(out, "%s%s=", i ? " " : "", rlx_store_text(store, fn->params[i]->name));
    if (!made_up(fn->params[i]->sinfo, i + 1, out)) return false;
  }
  return true;
}

/// Whether `rlx run` can be given the document: it reads scripts from the disk, and no notebooks.
static bool can_run(const RlxServer *server, const RlxOpenFile *file) {
  static const char scheme[] = "file:";
  return !strncmp(file->uri, scheme, sizeof scheme - 1) && !rlx_notebook_find(server, file->uri);
}

RlxRpcCode rlx_lsp_code_lens(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file = rlx_server_file(server, params);
  if (!file) return RLX_RPC_INVALID_PARAMS;
  if (!rlx_file_analyze(file->file, rlx_transport_stale(server->transport)))
    return RLX_RPC_CONTENT_MODIFIED;
  const RlxStore *store = rlx_analyzer_store(server->analyzer);
  const bool runs = can_run(server, file);
  RlxFunctionViews views = {0};
  RlxMap named = {0};
  rlx_file_functions(file->file, &views);
  rlx_function_views_named(&views, &named);
  rlx_json_begin(result, '[');
  for (uint32_t i = 0; i < views.count; i++) {
    const RlxFunctionView *view = &views.at[i];
    bool is_relax = view->kind == RLX_ISLAND_RELAX;
    if ((!is_relax && view->kind != RLX_ISLAND_PRIM_FUNC) || !view->name) continue;
    write_uses_lens(server, file, view, result);
    RlxBuf inputs = {0}, name = {0};
    rlx_function_view_name(store, &views, &named, i, &name);
    const char *called = rlx_buf_text(&name);
    if (runs && made_up_inputs(store, view, &inputs))
      write_lens(server, file, view,
                 (Lens){"evaluate", "rlx.runFunction", called, rlx_buf_text(&inputs)}, result);
    if (runs && (!is_relax || !view->function || view->function->param_count))
      write_lens(server, file, view, (Lens){"run with inputs…", "rlx.runFunction", called, NULL},
                 result);
    if (is_relax)
      write_lens(server, file, view, (Lens){"normal form", "rlx.showNormalForm", called, NULL},
                 result);
    if (!is_relax)
      write_lens(server, file, view, (Lens){"Schedule…", "rlx.schedule.open", called, NULL},
                 result);
    write_lens(server, file, view, (Lens){"TIR", "rlx.showTir", called, NULL}, result);
    rlx_buf_free(&name);
    rlx_buf_free(&inputs);
  }
  rlx_json_end(result, ']');
  rlx_map_free(&named);
  rlx_vec_free(&views);
  return RLX_RPC_OK;
}

/// The function that a lens stands above: where it stood, or (the text has changed since) the nearest
/// one with its name. NULL: it is gone.
static const RlxStmt *lens_function(RlxServer *server, RlxOpenFile *file, const cJSON *data) {
  const RlxStore *store = rlx_analyzer_store(server->analyzer);
  const char *name = rlx_json_string(data, "function");
  const cJSON *at = rlx_json_get(data, "at");
  double wanted = cJSON_IsNumber(at) ? at->valuedouble : 0, best_distance = 0;
  const RlxStmt *best = NULL;
  RlxFunctionViews views = {0};
  rlx_file_functions(file->file, &views);
  for (uint32_t i = 0; name && i < views.count; i++) {
    const RlxStmt *stmt = views.at[i].stmt;
    double start = rlx_stmt_absolute(stmt, stmt->name_span).start,
           distance = start > wanted ? start - wanted : wanted - start;
    if (strcmp(rlx_store_text(store, views.at[i].name), name) != 0) continue;
    if (!best || distance < best_distance) best = stmt;
    if (best == stmt) best_distance = distance;
  }
  rlx_vec_free(&views);
  return best;
}

static void write_uses(RlxServer *server, RlxOpenFile *file, RlxSpan name, RlxJson *json) {
  RlxSpans uses = {0};
  RlxBuf title = {0};
  uint32_t count = 0;
  rlx_file_references(file->file, name.start, &uses);
  for (uint32_t i = 0; i < uses.count; i++) count += uses.at[i].start != name.start;
  rlx_buf_printf(&title, count == 1 ? "%u reference" : "%u references", count);
  rlx_json_key_text(json, "title", rlx_buf_text(&title));
  rlx_json_key_text(json, "command", "rlx.showReferences");
  rlx_json_key(json, "arguments");
  rlx_json_begin(json, '[');
  rlx_json_text(json, file->uri);
  rlx_write_position(server, file->file, name.start, json);
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < uses.count; i++) {
    if (uses.at[i].start == name.start) continue;
    rlx_json_begin(json, '{');
    rlx_json_key_text(json, "uri", file->uri);
    rlx_json_key(json, "range");
    rlx_write_range(server, file->file, uses.at[i], json);
    rlx_json_end(json, '}');
  }
  rlx_json_end(json, ']');
  rlx_json_end(json, ']');
  rlx_buf_free(&title);
  rlx_vec_free(&uses);
}

RlxRpcCode rlx_lsp_code_lens_resolve(RlxServer *server, const cJSON *params, RlxJson *result) {
  const cJSON *data = rlx_json_get(params, "data");
  if (!cJSON_IsObject(params)) return RLX_RPC_INVALID_PARAMS;
  if (rlx_json_get(params, "command")) { // whole already
    char *text = cJSON_PrintUnformatted(params);
    if (!text) return RLX_RPC_INTERNAL_ERROR;
    rlx_json_raw(result, text, strlen(text));
    cJSON_free(text);
    return RLX_RPC_OK;
  }
  RlxOpenFile *file = rlx_server_find(server, rlx_json_string(data, "uri"));
  if (!file) return RLX_RPC_INVALID_PARAMS;
  if (!rlx_file_analyze(file->file, rlx_transport_stale(server->transport)))
    return RLX_RPC_CONTENT_MODIFIED;
  const RlxStmt *stmt = lens_function(server, file, data);
  if (!stmt) return RLX_RPC_CONTENT_MODIFIED;
  RlxSpan name = rlx_stmt_absolute(stmt, stmt->name_span);
  rlx_json_begin(result, '{');
  rlx_json_key(result, "range");
  rlx_write_range(server, file->file, name, result);
  rlx_json_key(result, "command");
  rlx_json_begin(result, '{');
  write_uses(server, file, name, result);
  rlx_json_end(result, '}');
  rlx_json_end(result, '}');
  return RLX_RPC_OK;
}
