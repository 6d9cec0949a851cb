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

#endif
