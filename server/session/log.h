/// What the server tells of itself: a file, window/logMessage, and $/logTrace.
#ifndef RLX_SERVER_LOG_H
#define RLX_SERVER_LOG_H

#include <stdio.h>

#include "server/session/session.h"

/// As window/logMessage numbers them.
typedef enum RlxLogLevel {
  RLX_LOG_NONE,
  RLX_LOG_ERROR,
  RLX_LOG_WARNING,
  RLX_LOG_INFO,
  RLX_LOG_DEBUG,
} RlxLogLevel;

/// What $/setTrace asks for.
typedef enum RlxTrace { RLX_TRACE_OFF, RLX_TRACE_MESSAGES, RLX_TRACE_VERBOSE } RlxTrace;

/// Says a line, to the file and to an initialized client, to each when its level is asked for there.
void rlx_server_log(RlxServer *server, RlxLogLevel level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/// Takes "off", "messages" or "verbose"; anything else changes nothing.
void rlx_server_set_trace(RlxServer *server, const char *value);
/// Monotonic milliseconds when somebody wants to know how long a message takes; else 0.
double rlx_server_log_begin(const RlxServer *server);
/// A message was handled that began at `begin`: `id` is NULL for notifications; `code` what it was
/// answered with.
void rlx_server_log_message(RlxServer *server, const char *method, const char *id, RlxRpcCode code,
                            size_t result_bytes, double begin);

#endif
