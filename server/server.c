/// The loop: take a message, find its row, call the handler, answer. Malformed messages get the
/// protocol's error codes and the loop goes on.
#include "server/server.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

typedef struct MethodRow {
  const char *method;
  bool is_request;
  RlxMethodFn *handler;
} MethodRow;

static const MethodRow rows[] = {
#define REQUEST                                  true
#define NOTIFICATION                             false
#define RLX_METHOD(id, method, kind, capability) {method, kind, rlx_lsp_##id},
#include "server/methods.def"
#undef RLX_METHOD
#undef REQUEST
#undef NOTIFICATION
};

const cJSON *rlx_json_get(const cJSON *object, const char *key) {
  return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
}

const char *rlx_json_string(const cJSON *object, const char *key) {
  const cJSON *value = rlx_json_get(object, key);
  return cJSON_IsString(value) ? value->valuestring : NULL;
}

RlxOpenFile *rlx_server_find(RlxServer *server, const char *uri) {
  for (uint32_t i = 0; uri && i < server->files.count; i++) {
    if (!strcmp(server->files.at[i].uri, uri)) return &server->files.at[i];
  }
  return NULL;
}

void rlx_open_file_drop(RlxOpenFile *file) {
  rlx_file_close(file->file);
  rlx_vec_free(&file->tokens);
  free(file->uri);
}

RlxOpenFile *rlx_server_file(RlxServer *server, const cJSON *params) {
  return rlx_server_find(server, rlx_json_string(rlx_json_get(params, "textDocument"), "uri"));
}

RlxRpcCode rlx_server_at(RlxServer *server, const cJSON *params, RlxOpenFile **out_file,
                         uint32_t *out_offset) {
  *out_file = rlx_server_file(server, params);
  if (!*out_file) {
    server->error = "params.textDocument.uri names no open document";
    return RLX_RPC_INVALID_PARAMS;
  }
  if (!rlx_position_offset(server, (*out_file)->file, rlx_json_get(params, "position"),
                           out_offset)) {
    server->error = "params.position is no position";
    return RLX_RPC_INVALID_PARAMS;
  }
  if (!rlx_file_analyze((*out_file)->file, rlx_transport_stale(server->transport)))
    return RLX_RPC_CONTENT_MODIFIED;
  return RLX_RPC_OK;
}

RlxRpcCode rlx_server_place(RlxServer *server, const cJSON *params, RlxPlace *out) {
  memset(out, 0, sizeof *out);
  RlxRpcCode code = rlx_server_at(server, params, &out->file, &out->offset);
  if (code == RLX_RPC_OK)
    out->found = rlx_file_symbol_at(out->file->file, out->offset, &out->symbol);
  return code;
}

// ------------------------------------------------------------------ answers

typedef struct Message { // JSON-RPC, in the making
  RlxBuf out;
  RlxJson json;
} Message;

static void begin_message(Message *m) {
  *m = (Message){0};
  m->json.out = &m->out;
  rlx_json_begin(&m->json, '{');
  rlx_json_key(&m->json, "jsonrpc");
  rlx_json_text(&m->json, "2.0");
}

static void put_call(Message *m, const char *method, const RlxBuf *params) {
  rlx_json_key(&m->json, "method");
  rlx_json_text(&m->json, method);
  if (!params) return;
  rlx_json_key(&m->json, "params");
  rlx_json_raw(&m->json, rlx_buf_text(params), params->size);
}

static void send_message(RlxServer *server, Message *m) {
  rlx_json_end(&m->json, '}');
  rlx_transport_send(server->transport, rlx_buf_text(&m->out), m->out.size);
  rlx_buf_free(&m->out);
}

void rlx_server_notify(RlxServer *server, const char *method, const RlxBuf *params) {
  Message m;
  begin_message(&m);
  put_call(&m, method, params);
  send_message(server, &m);
}

void rlx_server_ask(RlxServer *server, const char *method, const RlxBuf *params) {
  Message m;
  begin_message(&m);
  rlx_json_key(&m.json, "id");
  rlx_json_int(&m.json, ++server->asked);
  put_call(&m, method, params);
  send_message(server, &m);
}

static const char *code_text(RlxRpcCode code) {
  switch (code) {
  case RLX_RPC_OK: return "";
  case RLX_RPC_PARSE_ERROR: return "this is not JSON";
  case RLX_RPC_INVALID_REQUEST: return "this is not a request";
  case RLX_RPC_METHOD_NOT_FOUND: return "the server has no such method";
  case RLX_RPC_INVALID_PARAMS: return "the parameters do not fit the method";
  case RLX_RPC_INTERNAL_ERROR: return "internal error";
  case RLX_RPC_NOT_INITIALIZED: return "the first request has to be `initialize`";
  case RLX_RPC_REQUEST_FAILED: return "the request failed";
  case RLX_RPC_CONTENT_MODIFIED: return "the document has changed";
  case RLX_RPC_CANCELLED: return "cancelled";
  }
  return "";
}

/// `id` as it came (JSON text), "null" when it is not known. `result` is NULL for an error.
static void answer(RlxServer *server, const char *id, RlxRpcCode code, const RlxBuf *result) {
  Message m;
  begin_message(&m);
  rlx_json_key(&m.json, "id");
  rlx_json_raw(&m.json, id, strlen(id));
  if (code == RLX_RPC_OK) {
    rlx_json_key(&m.json, "result");
    if (result && result->size)
      rlx_json_raw(&m.json, rlx_buf_text(result), result->size);
    else
      rlx_json_null(&m.json);
  } else {
    rlx_json_key(&m.json, "error");
    rlx_json_begin(&m.json, '{');
    rlx_json_key(&m.json, "code");
    rlx_json_int(&m.json, code);
    rlx_json_key(&m.json, "message");
    rlx_json_text(&m.json, server->error ? server->error : code_text(code));
    rlx_json_end(&m.json, '}');
  }
  send_message(server, &m);
}

// ------------------------------------------------------------------ dispatch

static const MethodRow *find_row(const char *method) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!strcmp(rows[i].method, method)) return &rows[i];
  }
  return NULL;
}

/// What to answer before the method is looked at.
static RlxRpcCode admit(const RlxServer *server, const char *method, const MethodRow *row) {
  if (server->is_shut_down) return RLX_RPC_INVALID_REQUEST;
  if (!server->is_initialized && strcmp(method, "initialize") != 0) return RLX_RPC_NOT_INITIALIZED;
  if (server->is_initialized && !strcmp(method, "initialize")) return RLX_RPC_INVALID_REQUEST;
  return row ? RLX_RPC_OK : RLX_RPC_METHOD_NOT_FOUND;
}

static void handle_object(RlxServer *server, const cJSON *message) {
  const char *method = rlx_json_string(message, "method");
  const cJSON *id = rlx_json_get(message, "id"), *params = rlx_json_get(message, "params");
  bool has_id = cJSON_IsString(id) || cJSON_IsNumber(id);
  if (!method) {
    bool is_response =
        has_id && (rlx_json_get(message, "result") || rlx_json_get(message, "error"));
    if (!is_response) answer(server, "null", RLX_RPC_INVALID_REQUEST, NULL);
    return;
  }
  cJSON *no_params = params ? NULL : cJSON_CreateNull();
  char *id_text = has_id ? cJSON_PrintUnformatted(id) : NULL;
  const MethodRow *row = find_row(method);
  RlxRpcCode code = admit(server, method, row);
  server->error = NULL;
  RlxBuf result = {0};
  RlxJson json = {.out = &result};
  if (id_text && code == RLX_RPC_OK && rlx_transport_cancelled(server->transport, id_text))
    code = RLX_RPC_CANCELLED;
  server->request = id_text ? id_text : "";
  if (code == RLX_RPC_OK && row->is_request == has_id)
    code = row->handler(server, params ? params : no_params, &json);
  if (id_text) answer(server, id_text, code, code == RLX_RPC_OK ? &result : NULL);
  rlx_buf_free(&result);
  server->request = "";
  cJSON_free(id_text);
  cJSON_Delete(no_params);
}

/// False when the client says exit.
static bool handle(RlxServer *server, const RlxFrame *frame) {
  server->error = NULL;
  if (!frame->text) {
    server->error = frame->problem;
    answer(server, "null", RLX_RPC_PARSE_ERROR, NULL);
    return true;
  }
  cJSON *message = cJSON_ParseWithLength(frame->text, frame->size);
  if (!message) {
    answer(server, "null", RLX_RPC_PARSE_ERROR, NULL);
    return true;
  }
  const char *method = rlx_json_string(message, "method");
  bool goes_on = !method || strcmp(method, "exit") != 0;
  if (goes_on && cJSON_IsObject(message))
    handle_object(server, message);
  else if (goes_on)
    answer(server, "null", RLX_RPC_INVALID_REQUEST, NULL);
  cJSON_Delete(message);
  return goes_on;
}

void rlx_server_publish(RlxServer *server) {
  if (server->pulls_diagnostics) return;
  for (uint32_t i = 0; i < server->files.count; i++) {
    RlxOpenFile *file = &server->files.at[i];
    if (!file->is_dirty) continue;
    if (!rlx_file_analyze(file->file, rlx_transport_stale(server->transport)))
      return; // a newer edit waits
    RlxBuf params = {0};
    RlxJson json = {.out = &params};
    rlx_json_begin(&json, '{');
    rlx_json_key(&json, "uri");
    rlx_json_text(&json, file->uri);
    if (file->has_version && server->can_versions) {
      rlx_json_key(&json, "version");
      rlx_json_int(&json, file->version);
    }
    rlx_json_key(&json, "diagnostics");
    rlx_server_write_diags(server, file, &json);
    rlx_json_end(&json, '}');
    file->is_dirty = false;
    rlx_server_notify(server, "textDocument/publishDiagnostics", &params);
    rlx_buf_free(&params);
  }
}

int rlx_server_run(int in, int out) {
  RlxServer server = {.transport = rlx_transport_new(in, out), .encoding = RLX_UTF16};
  server.analyzer = rlx_analyzer_new(NULL);
  rlx_server_configure(&server, NULL);
  RlxFrame frame;
  bool goes_on = true;
  while (goes_on && rlx_transport_next(server.transport, &frame)) {
    goes_on = handle(&server, &frame);
    free(frame.text);
    if (goes_on && !rlx_transport_pending(server.transport)) {
      rlx_server_show_config_problems(&server);
      rlx_server_publish(&server);
    }
  }
  for (uint32_t i = 0; i < server.files.count; i++) {
    rlx_open_file_drop(&server.files.at[i]);
  }
  rlx_vec_free(&server.files);
  rlx_server_drop_configuration(&server);
  rlx_analyzer_free(server.analyzer);
  rlx_transport_free(server.transport);
  return server.is_shut_down ? 0 : 1;
}
