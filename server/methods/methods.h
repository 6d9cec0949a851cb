/// The handlers of all methods, a row of methods.def each, and what they give each other.
#ifndef RLX_SERVER_METHODS_H
#define RLX_SERVER_METHODS_H

#include "server/session/session.h"

#define RLX_METHOD(id, method, kind, capability) RlxMethodFn rlx_lsp_##id;
#include "server/methods/methods.def"
#undef RLX_METHOD

/// Writes the diagnostics of `file` as a JSON array.
void rlx_server_write_diags(RlxServer *server, RlxOpenFile *file, RlxJson *json);
/// Appends a code action that makes the document `text`; its one edit spans what differs.
void rlx_server_write_text_action(RlxServer *server, RlxOpenFile *file, const char *title,
                                  const char *kind, const RlxBuf *text, RlxJson *json);
/// Appends the code action that applies all safe fixes of errors and warnings; none when there are
/// none.
void rlx_server_fix_all_action(RlxServer *server, RlxOpenFile *file, RlxJson *json);
/// Appends a code action for each dialect that the island whose head is at `offset` can be
/// converted to.
void rlx_server_dialect_actions(RlxServer *server, RlxOpenFile *file, uint32_t offset,
                                RlxJson *json);

/// Appends code actions for the loop or block of a PrimFunc whose line holds `offset`: steps of a
/// schedule, whose edits codeAction/resolve makes.
void rlx_server_schedule_actions(RlxServer *server, RlxOpenFile *file, uint32_t offset,
                                 RlxJson *json);
/// Adds the edit to an action of those (`data` is its member): RLX_RPC_OK, or what to answer.
RlxRpcCode rlx_server_resolve_schedule(RlxServer *server, const cJSON *data, RlxJson *json);

#endif
