/// JSON-RPC: reading the members of a message, and sending answers, notifications and requests.
#include <string.h>

#include "server/session/session.h"

const cJSON *rlx_json_get(const cJSON *object, const char *key) {
  return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
}

const char *rlx_json_string(const cJSON *object, const char *key) {
  const cJSON *value = rlx_json_get(object, key);
  return cJSON_IsString(value) ? value->valuestring : NULL;
}

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

void rlx_server_answer(RlxServer *server, const char *id, RlxRpcCode code, const RlxBuf *result) {
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
