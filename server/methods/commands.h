/// Commands of workspace/executeCommand.
#ifndef RLX_SERVER_COMMANDS_H
#define RLX_SERVER_COMMANDS_H

#include "server/methods/methods.h"

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

/// Appends the text of a view; `data` is the command's.
typedef void RlxViewWriter(const RlxCommandCall *call, const void *data, RlxBuf *text);
/// Answers with what `write` appends: beside the loop when the document is so large that it takes
/// longer than a keystroke. `title` is for the client's progress.
RlxRpcCode rlx_server_write_view(RlxServer *server, const RlxCommandCall *call, const char *title,
                                 RlxViewWriter *write, const void *data, RlxBuf *text);

#define RLX_COMMAND(id, name) RlxCommandFn rlx_command_##id;
#include "server/methods/commands.def"
#undef RLX_COMMAND

/// Writes ExecuteCommandOptions.
void rlx_write_commands(RlxJson *json);

#endif
