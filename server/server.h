/// The language server: the face for other folders.
#ifndef RLX_SERVER_SERVER_H
#define RLX_SERVER_SERVER_H

typedef struct RlxServerOptions {
  int in, out;
  const char *log;  ///< a file to append lines about the server to; NULL: none
  int level;        ///< of lines: 0 none, 1 errors, 2 warnings, 3 information, 4 each message
  int client_level; ///< the same for window/logMessage
} RlxServerOptions;

/// Serves until the client says exit or is gone; the process's exit code (0 after shutdown, else
/// 1). A log that cannot be written is said on standard error, and there is none.
int rlx_server_run(const RlxServerOptions *options);

#endif
