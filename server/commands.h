/// Commands of workspace/executeCommand, and work that is done in a process of its own.
#ifndef RLX_SERVER_COMMANDS_H
#define RLX_SERVER_COMMANDS_H

#include "server/server.h"

/// What a command is about: an analysed document, and a function of it where one is named (else
/// NULL: the whole document).
typedef struct RlxCommandCall {
  RlxOpenFile *file;
  const RlxFunctionView *function;
  const RlxFunctionViews *functions; ///< all of the document
  const cJSON *argument;
} RlxCommandCall;

/// Appends the answer to `text`. RLX_RPC_OK, or what to answer; `server->error` may say more.
typedef RlxRpcCode RlxCommandFn(RlxServer *server, const RlxCommandCall *call, RlxBuf *text);

#define RLX_COMMAND(id, name) RlxCommandFn rlx_command_##id;
#include "server/commands.def"
#undef RLX_COMMAND

/// Writes ExecuteCommandOptions.
void rlx_write_commands(RlxJson *json);

/// Work for a child process: appends its result to `out`; false and `err`.
typedef bool RlxChildFn(void *data, RlxBuf *out, RlxError *err);

/// Does `work` in a forked process with limits of time and memory, so that neither a crash nor an
/// endless loop in it takes the server down; what it changes in memory is lost. Appends its text to
/// `text`. Ends it when an edit makes the answer stale or the client cancels the request.
/// RLX_RPC_OK, or what to answer.
RlxRpcCode rlx_server_in_child(RlxServer *server, RlxChildFn *work, void *data, RlxBuf *text);

#endif
