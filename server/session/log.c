/// What the server tells of itself. Lines of the file begin with the time (UTC) and the level; nothing
/// of a document's text is in them.
#include "server/session/log.h"

#include <stdarg.h>
#include <string.h>
#include <time.h>

static const char *const level_names[] = {"", "error", "warning", "info", "debug"};

static void to_file(FILE *file, RlxLogLevel level, const char *text) {
  struct timespec now;
  struct tm parts;
  char day[32];
  clock_gettime(CLOCK_REALTIME, &now);
  gmtime_r(&now.tv_sec, &parts);
  strftime(day, sizeof day, "%Y-%m-%dT%H:%M:%S", &parts);
  fprintf(file, "%s.%03ldZ %s: %s\n", day, now.tv_nsec / 1000000, level_names[level], text);
  fflush(file);
}

static void to_client(RlxServer *server, RlxLogLevel level, const char *text) {
  RlxBuf params = {0};
  RlxJson json = {.out = &params};
  rlx_json_begin(&json, '{');
  rlx_json_key_int(&json, "type",
                   level == RLX_LOG_DEBUG ? 4 : (int)level); // 3.17 has no number for debug
  rlx_json_key_text(&json, "message", text);
  rlx_json_end(&json, '}');
  rlx_server_notify(server, "window/logMessage", &params);
  rlx_buf_free(&params);
}

void rlx_server_log(RlxServer *server, RlxLogLevel level, const char *format, ...) {
  bool says_file = server->log && (int)level <= server->log_level,
       says_client = server->is_initialized && (int)level <= server->client_log_level;
  if (!says_file && !says_client) return;
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (says_file) to_file(server->log, level, text);
  if (says_client) to_client(server, level, text);
}

void rlx_server_set_trace(RlxServer *server, const char *value) {
  static const char *const names[] = {"off", "messages", "verbose"};
  for (int i = 0; value && i < 3; i++)
    if (!strcmp(value, names[i])) server->trace = i;
}

double rlx_server_log_begin(const RlxServer *server) {
  bool is_wanted = server->trace || (server->log && server->log_level >= RLX_LOG_WARNING) ||
                   server->client_log_level >= RLX_LOG_WARNING;
  struct timespec now;
  if (!is_wanted) return 0;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static void send_trace(RlxServer *server, const char *message, const char *verbose) {
  RlxBuf params = {0};
  RlxJson json = {.out = &params};
  rlx_json_begin(&json, '{');
  rlx_json_key_text(&json, "message", message);
  if (server->trace == RLX_TRACE_VERBOSE) rlx_json_key_text(&json, "verbose", verbose);
  rlx_json_end(&json, '}');
  rlx_server_notify(server, "$/logTrace", &params);
  rlx_buf_free(&params);
}

void rlx_server_log_message(RlxServer *server, const char *method, const char *id, RlxRpcCode code,
                            size_t result_bytes, double begin) {
  if (begin <= 0) return;
  bool failed = id && code < 0 && code != RLX_RPC_CANCELLED && code != RLX_RPC_CONTENT_MODIFIED &&
                code != RLX_RPC_SERVER_CANCELLED;
  double took = rlx_server_log_begin(server) - begin;
  char message[256], verbose[512];
  snprintf(message, sizeof message, "%.120s%s%.40s%s", method, id ? " (" : "", id ? id : "",
           id ? ")" : "");
  if (code == RLX_RPC_LATER)
    snprintf(verbose, sizeof verbose, "handed on after %.3f ms", took);
  else if (code < 0)
    snprintf(verbose, sizeof verbose, "error %d after %.3f ms%s%.200s", code, took,
             server->error ? ": " : "", server->error ? server->error : "");
  else
    snprintf(verbose, sizeof verbose, "%.3f ms, %zu bytes", took, result_bytes);
  rlx_server_log(server, failed ? RLX_LOG_WARNING : RLX_LOG_DEBUG, "%s: %s", message, verbose);
  if (server->trace && server->is_initialized) send_trace(server, message, verbose);
}
