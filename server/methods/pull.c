/// Diagnostics that the client asks for: of a document, and of the whole workspace. An answer that
/// would be the one that the client has is `unchanged`.
///
/// Always true: a result's id is a hash of its items, so equal items have equal ids in every session.
#include <stdio.h>
#include <string.h>

#include "server/methods/index.h"
#include "server/methods/methods.h"

enum { ID_MAX = 24 };

static void result_id(const char *items, size_t size, char out[ID_MAX]) {
  uint64_t hash = 14695981039346656037u;
  for (size_t i = 0; i < size; i++) hash = (hash ^ (unsigned char)items[i]) * 1099511628211u;
  snprintf(out, ID_MAX, "%016llx", (unsigned long long)hash);
}

/// The members of a report: `items` is a JSON array; `previous` the id of what the client has, or
/// NULL.
static void write_report(const char *items, size_t size, const char *previous, RlxJson *json) {
  char id[ID_MAX];
  result_id(items, size, id);
  bool is_same = previous && !strcmp(previous, id);
  rlx_json_key_text(json, "kind", is_same ? "unchanged" : "full");
  rlx_json_key_text(json, "resultId", id);
  if (is_same) return;
  rlx_json_key(json, "items");
  rlx_json_raw(json, items, size);
}

RlxRpcCode rlx_lsp_diagnostic(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file = rlx_server_file(server, params);
  const char *previous = rlx_json_string(params, "previousResultId");
  const RlxIndexFile *known =
      rlx_index_find(server, rlx_json_string(rlx_json_get(params, "textDocument"), "uri"));
  if (!file && !known) return RLX_RPC_INVALID_PARAMS;
  if (file && !rlx_file_analyze(file->file, rlx_transport_stale(server->transport)))
    return RLX_RPC_CONTENT_MODIFIED;
  RlxBuf items = {0};
  RlxJson json = {.out = &items};
  if (file)
    rlx_server_write_diags(server, file, &json);
  else
    rlx_buf_puts(&items, known->diagnostics);
  rlx_json_begin(result, '{');
  write_report(rlx_buf_text(&items), items.size, previous, result);
  rlx_json_end(result, '}');
  rlx_buf_free(&items);
  return RLX_RPC_OK;
}

// ---- the workspace

typedef struct Reports {
  RlxStrMap previous; ///< URI to the place of its id in `ids`, from 1
  Vec(const char *) ids;
  RlxJson *json;
} Reports;

/// The id that the client has for a URI; NULL: none. It is taken off the list.
static const char *take_previous(Reports *r, const char *uri) {
  uint64_t place = 0;
  if (!rlx_strmap_get(&r->previous, uri, strlen(uri), &place)) return NULL;
  rlx_strmap_remove(&r->previous, uri, strlen(uri));
  return r->ids.at[place];
}

static void write_one(Reports *r, const char *uri, const RlxOpenFile *open, const char *items,
                      size_t size) {
  const char *previous = take_previous(r, uri);
  rlx_json_begin(r->json, '{');
  rlx_json_key_text(r->json, "uri", uri);
  rlx_json_key(r->json, "version");
  if (open && open->has_version)
    rlx_json_int(r->json, open->version);
  else
    rlx_json_null(r->json);
  write_report(items, size, previous, r->json);
  rlx_json_end(r->json, '}');
}

static void write_known(void *data, const RlxIndexFile *file) {
  write_one(data, file->uri, NULL, file->diagnostics, strlen(file->diagnostics));
}

static void write_open(RlxServer *server, Reports *r, RlxOpenFile *file) {
  RlxBuf items = {0};
  RlxJson json = {.out = &items};
  bool was_awake = file->file != NULL;
  rlx_server_wake(server, file);
  if (rlx_file_analyze(file->file, rlx_transport_stale(server->transport))) {
    rlx_server_write_diags(server, file, &json);
    write_one(r, file->uri, file, rlx_buf_text(&items), items.size);
  } else {
    take_previous(r, file->uri); // a newer edit waits
  }
  if (!was_awake) rlx_server_sleep(server, file);
  rlx_buf_free(&items);
}

static void write_workspace(RlxServer *server, const cJSON *params, RlxJson *result) {
  Reports r = {.json = result};
  const cJSON *one, *before = rlx_json_get(params, "previousResultIds");
  cJSON_ArrayForEach(one, before) {
    const char *uri = rlx_json_string(one, "uri"), *id = rlx_json_string(one, "value");
    if (!uri || !id) continue;
    rlx_strmap_put(&r.previous, uri, strlen(uri), r.ids.count);
    rlx_vec_push(&r.ids, id);
  }
  rlx_json_begin(result, '{');
  rlx_json_key(result, "items");
  rlx_json_begin(result, '[');
  for (uint32_t i = 0; i < server->files.count; i++) write_open(server, &r, &server->files.at[i]);
  rlx_index_each(server, write_known, &r);
  cJSON_ArrayForEach(one, before) { // gone since: nothing is wrong there any more
    const char *uri = rlx_json_string(one, "uri");
    if (uri && rlx_json_string(one, "value") && take_previous(&r, uri))
      write_one(&r, uri, NULL, "[]", 2);
  }
  rlx_json_end(result, ']');
  rlx_json_end(result, '}');
  rlx_strmap_free(&r.previous);
  rlx_vec_free(&r.ids);
}

RlxRpcCode rlx_lsp_workspace_diagnostic(RlxServer *server, const cJSON *params, RlxJson *result) {
  return rlx_index_ask(server, params, "checking the workspace", write_workspace, result);
}
