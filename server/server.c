/// The loop: take a message, find its row, call the handler, answer. Malformed messages get the
/// protocol's error codes and the loop goes on.
#include "server/server.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "server/methods/index.h"
#include "server/methods/methods.h"
#include "server/session/jobs.h"
#include "server/session/log.h"
#include "server/session/notebooks.h"
#include "server/session/priority.h"

enum {
  KEPT_BYTES = 8 << 20,  ///< of memory that is free, for the next question
  MANY_BYTES = 64 << 10, ///< of diagnostics: not sent again when they are the same
};

typedef struct MethodRow {
  const char *method;
  bool is_request;
  RlxMethodFn *handler;
} MethodRow;

static const MethodRow rows[] = {
#define REQUEST                                  true
#define NOTIFICATION                             false
#define RLX_METHOD(id, method, kind, capability) {method, kind, rlx_lsp_##id},
#include "server/methods/methods.def"
#undef RLX_METHOD
#undef REQUEST
#undef NOTIFICATION
};

static const MethodRow *find_row(const char *method) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    if (!strcmp(rows[i].method, method)) return &rows[i];
  }
  return NULL;
}

/// What to answer before the method is looked at.
static RlxRpcCode admit(RlxServer *server, const char *method, const MethodRow *row) {
  bool is_initialize = !strcmp(method, "initialize");
  if (server->is_shut_down || (server->is_initialized && is_initialize)) {
    server->error = server->is_shut_down ? "the server was shut down; only `exit` may follow"
                                         : "`initialize` was answered already";
    return RLX_RPC_INVALID_REQUEST;
  }
  if (!server->is_initialized && !is_initialize) return RLX_RPC_NOT_INITIALIZED;
  return row ? RLX_RPC_OK : RLX_RPC_METHOD_NOT_FOUND;
}

/// The text of an id that can be sent back as it came: no number of more than 15 digits, which are all that cJSON
/// prints, no string with one of the characters that keep_places writes for others. NULL: it is none; else the
/// caller frees it.
static char *id_text_of(const cJSON *id) {
  const double most = 1e15;
  if (cJSON_IsNumber(id) && !(id->valuedouble > -most && id->valuedouble < most)) return NULL;
  if (cJSON_IsString(id) && strpbrk(id->valuestring, "\x01")) return NULL;
  if (cJSON_IsString(id) && strstr(id->valuestring, "\xEF\xBF\xBD")) return NULL;
  return cJSON_IsNumber(id) || cJSON_IsString(id) ? cJSON_PrintUnformatted(id) : NULL;
}

/// Is it an answer to a request of ours?
static bool is_response(const cJSON *message) {
  return rlx_json_get(message, "result") || rlx_json_get(message, "error");
}

static void answer_request(RlxServer *server, const char *method, const char *id,
                           const MethodRow *row, const cJSON *params, RlxRpcCode code) {
  double begin = rlx_server_log_begin(server);
  RlxBuf result = {0};
  RlxJson json = {.out = &result};
  if (code == RLX_RPC_OK && rlx_transport_cancelled(server->transport, id))
    code = RLX_RPC_CANCELLED;
  server->request = id;
  if (code == RLX_RPC_OK && !row->is_request) {
    rlx_error_set(&server->problem, "`%s` is a notification: a message without an id", row->method);
    server->error = server->problem.text;
    code = RLX_RPC_METHOD_NOT_FOUND;
  }
  if (code == RLX_RPC_OK) code = rlx_cells_call(server, row->handler, row->method, params, &json);
  char *parts = code == RLX_RPC_OK ? rlx_json_token(params, "partialResultToken") : NULL;
  rlx_server_send_parts(server, parts, &result);
  free(parts);
  if (code != RLX_RPC_LATER)
    rlx_server_answer(server, id, code, code == RLX_RPC_OK ? &result : NULL);
  rlx_server_log_message(server, method, id, code, result.size, begin);
  rlx_buf_free(&result);
  server->request = "";
}

static void take_notification(RlxServer *server, const MethodRow *row, const cJSON *params) {
  double begin = rlx_server_log_begin(server);
  RlxBuf nothing = {0};
  RlxRpcCode code =
      rlx_cells_call(server, row->handler, row->method, params, &(RlxJson){.out = &nothing});
  rlx_server_log_message(server, row->method, NULL, code, 0, begin);
  rlx_buf_free(&nothing);
}

static void handle_object(RlxServer *server, const cJSON *message) {
  const char *method = rlx_json_string(message, "method");
  const cJSON *id = rlx_json_get(message, "id"), *params = rlx_json_get(message, "params");
  char *id_text = id_text_of(id);
  bool has_id = id_text != NULL;
  cJSON *no_params = params ? NULL : cJSON_CreateNull();
  const MethodRow *row = method ? find_row(method) : NULL;
  server->error = NULL;
  server->message = message;
  if (!method || (id && !has_id)) {
    if (method || !has_id || !is_response(message))
      rlx_server_answer(server, id_text ? id_text : "null", RLX_RPC_INVALID_REQUEST, NULL);
    else
      rlx_server_take_answer(server, message);
  } else {
    RlxRpcCode code = admit(server, method, row);
    if (!params) params = no_params;
    if (id_text)
      answer_request(server, method, id_text, row, params, code);
    else if (code == RLX_RPC_OK && !row->is_request)
      take_notification(server, row, params);
  }
  server->message = NULL;
  cJSON_free(id_text);
  cJSON_Delete(no_params);
}

static void handle_again(RlxServer *server, const char *text) {
  cJSON *message = cJSON_Parse(text);
  if (message) handle_object(server, message);
  cJSON_Delete(message);
}

/// Messages that came as an array are handled in their order; what is to be answered comes back in
/// one array, when the last of them is.
static bool handle_batch(RlxServer *server, const cJSON *messages) {
  const cJSON *message;
  bool goes_on = true;
  RlxBatch *batch = rlx_mem_zeroed(1, sizeof *batch);
  batch->open = 1;
  cJSON_ArrayForEach(message, messages) {
    const char *method = rlx_json_string(message, "method");
    server->batch = batch;
    goes_on = !method || strcmp(method, "exit") != 0;
    if (!goes_on) break;
    if (cJSON_IsObject(message))
      handle_object(server, message);
    else
      rlx_server_answer(server, "null", RLX_RPC_INVALID_REQUEST, NULL);
  }
  server->batch = NULL;
  rlx_server_batch_less(server, batch);
  return goes_on;
}

/// Escapes for what no text of ours can hold, a NUL and half a pair of surrogates, become others that are as long
/// in a document: without them its end would be lost, or an edit, and all later ones would go astray.
static void keep_places(char *text, size_t size) {
  const char *end = text + size;
  for (char *at = text; (at = memchr(at, '\\', (size_t)(end - at)));) {
    int32_t unit = rlx_text_escaped_unit(at, end);
    bool is_high = unit >= 0xD800 && unit < 0xDC00, is_low = unit >= 0xDC00 && unit < 0xE000;
    int32_t next = is_high ? rlx_text_escaped_unit(at + 6, end) : -1;
    bool is_pair = next >= 0xDC00 && next < 0xE000;
    if (unit == 0) memcpy(at, "\\u0001", 6);
    if (is_low || (is_high && !is_pair)) memcpy(at, "\\ufffd", 6);
    ptrdiff_t step = unit < 0 ? 2 : is_pair ? 12 : 6;
    if (end - at <= step) return;
    at += step;
  }
}

/// The message of a frame, and nothing behind it; NULL: it is not JSON.
static cJSON *parse(const RlxFrame *frame) {
  if (memchr(frame->text, '\0', frame->size)) return NULL;
  keep_places(frame->text, frame->size);
  const char *end = frame->text;
  cJSON *message = cJSON_ParseWithLengthOpts(frame->text, frame->size, &end, false);
  const char *last = frame->text + frame->size;
  while (end < last && strchr(" \t\r\n", *end)) end++;
  if (end == last) return message;
  cJSON_Delete(message);
  return NULL;
}

/// False when the client says exit.
static bool handle(RlxServer *server, const RlxFrame *frame) {
  server->error = NULL;
  if (frame->event) {
    rlx_server_job_event(server, frame->event);
    return true;
  }
  if (!frame->text) {
    server->error = frame->problem;
    rlx_server_answer(server, "null", RLX_RPC_PARSE_ERROR, NULL);
    return true;
  }
  if (!rlx_utf8_is_valid(frame->text, frame->size, NULL)) { // nothing of it may come back
    server->error = "the message is not UTF-8";
    rlx_server_answer(server, "null", RLX_RPC_PARSE_ERROR, NULL);
    return true;
  }
  cJSON *message = parse(frame);
  if (!message) {
    rlx_server_answer(server, "null", RLX_RPC_PARSE_ERROR, NULL);
    return true;
  }
  const char *method = rlx_json_string(message, "method");
  bool goes_on = !method || strcmp(method, "exit") != 0;
  if (goes_on && cJSON_IsObject(message))
    handle_object(server, message);
  else if (goes_on && cJSON_IsArray(message) && message->child)
    goes_on = handle_batch(server, message);
  else if (goes_on)
    rlx_server_answer(server, "null", RLX_RPC_INVALID_REQUEST, NULL);
  cJSON_Delete(message);
  return goes_on;
}

/// Does the client have these diagnostics already? Asked only when they are many: few ones are sent
/// again, which tells the client that this version has been looked at.
static bool has_them(RlxOpenFile *file, const char *diagnostics, size_t size) {
  uint64_t hash = size < MANY_BYTES ? 0 : rlx_hash_bytes(diagnostics, size, size) | 1;
  bool is_same = hash && hash == file->published;
  file->published = hash;
  return is_same;
}

/// Publishes the diagnostics of documents that changed, unless a newer edit waits.
static void publish(RlxServer *server) {
  if (server->pulls_diagnostics) return;
  for (uint32_t i = 0; i < server->files.count; i++) {
    RlxOpenFile *file = &server->files.at[i];
    if (!file->is_dirty) continue;
    bool was_awake = file->file != NULL;
    rlx_server_wake(server, file);
    if (!rlx_file_analyze(file->file, rlx_transport_stale(server->transport)))
      return; // a newer edit waits
    RlxBuf params = {0};
    RlxJson json = {.out = &params};
    RlxNotebook *notebook = rlx_notebook_find(server, file->uri);
    if (notebook) {
      rlx_server_write_diags(server, file, &json);
      rlx_cells_publish(server, notebook, &params);
      file->is_dirty = false;
      rlx_buf_free(&params);
      continue;
    }
    rlx_json_begin(&json, '{');
    rlx_json_key_text(&json, "uri", file->uri);
    if (file->has_version && server->can_versions)
      rlx_json_key_int(&json, "version", file->version);
    rlx_json_key(&json, "diagnostics");
    size_t head = params.size;
    rlx_server_write_diags(server, file, &json);
    bool is_known = has_them(file, params.at + head, params.size - head);
    rlx_json_end(&json, '}');
    file->is_dirty = false;
    if (!is_known) rlx_server_notify(server, "textDocument/publishDiagnostics", &params);
    rlx_buf_free(&params);
    if (!was_awake) rlx_server_sleep(server, file);
  }
}

/// What one question took is left to the next one: a hover on a PrimFunc of 100 blocks spends most of
/// its time on pages from the system otherwise. Closed documents give theirs back (rlx_server_tidy).
static void keep_memory(void) {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, KEPT_BYTES);
  mallopt(M_MMAP_THRESHOLD, KEPT_BYTES / 4);
#endif
}

int rlx_server_run(const RlxServerOptions *options) {
  keep_memory();
  rlx_priority_prompt();
  RlxColumns column = {0};
  RlxServer server = {.transport = rlx_transport_new(options->in, options->out),
                      .encoding = RLX_UTF16,
                      .column = &column,
                      .again = handle_again};
  server.log = options->log ? fopen(options->log, "a") : NULL;
  if (options->log && !server.log)
    fprintf(stderr, "rlx lsp: %s: %s\n", options->log, strerror(errno));
  server.log_level = options->level;
  server.client_log_level = options->client_level;
  server.analyzer = rlx_analyzer_new(NULL);
  rlx_server_configure(&server, NULL);
  RlxFrame frame;
  bool goes_on = true;
  while (goes_on && rlx_transport_next(server.transport, &frame)) {
    column.line = NULL;
    goes_on = handle(&server, &frame);
    column.line = NULL;
    free(frame.text);
    if (goes_on && !rlx_transport_pending(server.transport)) {
      rlx_server_show_config_problems(&server);
      publish(&server);
    }
    if (goes_on) rlx_server_tidy(&server, !rlx_transport_pending(server.transport));
  }
  rlx_server_drop_jobs(&server);
  rlx_server_forget_views(&server);
  rlx_server_forget_schedule(&server);
  rlx_server_close_all(&server);
  rlx_notebooks_free(&server);
  rlx_index_free(&server);
  rlx_vec_free(&column.steps);
  rlx_server_drop_configuration(&server);
  rlx_analyzer_free(server.analyzer);
  rlx_transport_free(server.transport);
  if (server.log) fclose(server.log);
  return server.is_shut_down ? 0 : 1;
}
