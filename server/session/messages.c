/// JSON-RPC: reading the members of a message, and sending answers, notifications and requests.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
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
  rlx_json_key_text(&m->json, "jsonrpc", "2.0");
}

/// Sends the message with `last`, the JSON text of its last member, whose key stands there already.
static void send_message(RlxServer *server, Message *m, const RlxBuf *last) {
  rlx_transport_send(server->transport, &m->out, last ? last : &(RlxBuf){0}, "}");
  rlx_buf_free(&m->out);
}

static void send_call(RlxServer *server, Message *m, const char *method, const RlxBuf *params) {
  rlx_json_key_text(&m->json, "method", method);
  if (params) rlx_json_key(&m->json, "params");
  send_message(server, m, params);
}

void rlx_server_notify(RlxServer *server, const char *method, const RlxBuf *params) {
  Message m;
  begin_message(&m);
  send_call(server, &m, method, params);
}

void rlx_server_ask(RlxServer *server, const char *method, const RlxBuf *params) {
  Message m;
  begin_message(&m);
  rlx_json_key_int(&m.json, "id", ++server->asked);
  send_call(server, &m, method, params);
}

static const char *code_text(RlxRpcCode code) {
  switch (code) {
  case RLX_RPC_OK:
  case RLX_RPC_LATER: return "";
  case RLX_RPC_PARSE_ERROR: return "this is not JSON";
  case RLX_RPC_INVALID_REQUEST: return "this is not a request";
  case RLX_RPC_METHOD_NOT_FOUND: return "the server has no such method";
  case RLX_RPC_INVALID_PARAMS: return "the parameters do not fit the method";
  case RLX_RPC_INTERNAL_ERROR: return "internal error";
  case RLX_RPC_NOT_INITIALIZED: return "the first request has to be `initialize`";
  case RLX_RPC_REQUEST_FAILED: return "the request failed";
  case RLX_RPC_SERVER_CANCELLED: return "the server has ended it";
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
  const bool has_result = code == RLX_RPC_OK && result && result->size;
  if (code == RLX_RPC_OK) {
    rlx_json_key(&m.json, "result");
    if (!has_result) rlx_json_null(&m.json);
  } else {
    rlx_json_key(&m.json, "error");
    rlx_json_begin(&m.json, '{');
    rlx_json_key_int(&m.json, "code", code);
    rlx_json_key_text(&m.json, "message", server->error ? server->error : code_text(code));
    rlx_json_end(&m.json, '}');
  }
  if (!server->batch) {
    send_message(server, &m, has_result ? result : NULL);
    return;
  }
  if (has_result) rlx_json_raw(&m.json, rlx_buf_text(result), result->size);
  rlx_json_end(&m.json, '}');
  RlxBuf *answers = &server->batch->answers;
  if (answers->size) rlx_buf_putc(answers, ',');
  rlx_buf_putn(answers, rlx_buf_text(&m.out), m.out.size);
  rlx_buf_free(&m.out);
}

void rlx_server_batch_less(RlxServer *server, RlxBatch *batch) {
  if (--batch->open) return;
  RlxBuf whole = {0};
  rlx_buf_printf(&whole, "[%s]", rlx_buf_text(&batch->answers));
  if (batch->answers.size) rlx_transport_send(server->transport, &whole, &(RlxBuf){0}, "");
  rlx_buf_free(&whole);
  rlx_buf_free(&batch->answers);
  free(batch);
}

void rlx_write_text_answer(const RlxBuf *text, RlxJson *result) {
  rlx_json_begin(result, '{');
  rlx_json_key(result, "text");
  rlx_json_textn(result, rlx_buf_text(text), text->size);
  rlx_json_end(result, '}');
}

// ------------------------------------------------------------------ partial results

enum { PART = 256 }; ///< items of a partial result

/// The end of the JSON value that begins at `at`.
static size_t value_end(const char *text, size_t size, size_t at) {
  int depth = 0;
  bool in_string = false;
  for (; at < size; at++) {
    char c = text[at];
    if (in_string) {
      if (c == '\\')
        at++;
      else if (c == '"')
        in_string = false;
      continue;
    }
    if (c == '"') in_string = true;
    if (c == '[' || c == '{') depth++;
    if ((c == ']' || c == '}' || c == ',') && !depth) return at;
    if (c == ']' || c == '}') depth--;
  }
  return at;
}

/// What stands around the items of a result that can come in parts: an array, or an object of nothing but `items`.
typedef struct Around {
  const char *head, *tail;
} Around;

static void send_part(RlxServer *server, const char *token, Around around, const char *items,
                      size_t size) {
  RlxBuf params = {0};
  RlxJson json = {.out = &params};
  rlx_json_begin(&json, '{');
  rlx_json_key(&json, "token");
  rlx_json_raw(&json, token, strlen(token));
  rlx_json_key(&json, "value");
  rlx_buf_printf(&params, "%s%.*s%s", around.head, (int)size, items, around.tail);
  rlx_json_end(&json, '}');
  rlx_server_notify(server, "$/progress", &params);
  rlx_buf_free(&params);
}

char *rlx_json_token(const cJSON *params, const char *key) {
  const cJSON *token = rlx_json_get(params, key);
  if (!cJSON_IsString(token) && !cJSON_IsNumber(token)) return NULL;
  char *printed = cJSON_PrintUnformatted(token);
  char *text = printed ? rlx_mem_strdup(printed) : NULL;
  cJSON_free(printed);
  return text;
}

void rlx_server_send_parts(RlxServer *server, const char *token, RlxBuf *result) {
  static const Around kinds[] = {{"[", "]"}, {"{\"items\":[", "]}"}};
  const char *text = rlx_buf_text(result);
  for (size_t k = 0; token && k < sizeof kinds / sizeof *kinds; k++) {
    const size_t head = strlen(kinds[k].head), tail = strlen(kinds[k].tail);
    if (result->size <= head + tail || strncmp(text, kinds[k].head, head) != 0) continue;
    if (value_end(text, result->size, head - 1) != result->size - tail + 1)
      return; // more than `items`
    size_t from = head, last = value_end(text, result->size, head);
    for (size_t items = 1; last < result->size && text[last] == ','; items++) {
      if (items % PART == 0) {
        send_part(server, token, kinds[k], text + from, last - from);
        from = last + 1;
      }
      last = value_end(text, result->size, last + 1);
    }
    send_part(server, token, kinds[k], text + from, last - from);
    rlx_buf_clear(result);
    rlx_buf_printf(result, "%s%s", kinds[k].head, kinds[k].tail);
    return;
  }
}
