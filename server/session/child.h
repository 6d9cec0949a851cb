/// Work that is done in a process of its own.
#ifndef RLX_SERVER_CHILD_H
#define RLX_SERVER_CHILD_H

#include "server/session/session.h"

/// Work for a child process: appends its result to `out`; false and `err`.
typedef bool RlxChildFn(void *data, RlxBuf *out, RlxError *err);

/// Does `work` in a forked process with limits of time and memory, so that neither a crash nor an
/// endless loop in it takes the server down; what it changes in memory is lost. Appends its text to
/// `text`. Ends it when an edit makes the answer stale or the client cancels the request.
/// RLX_RPC_OK, or what to answer.
RlxRpcCode rlx_server_in_child(RlxServer *server, RlxChildFn *work, void *data, RlxBuf *text);

#endif
