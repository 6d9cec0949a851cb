/// The parts that make up the answer to a request for inlay hints.
#ifndef RLX_SERVER_HINTS_H
#define RLX_SERVER_HINTS_H

#include "server/methods/methods.h"

/// Choices of the setting `argument-hints`.
typedef enum RlxArgumentHints {
  RLX_ARGUMENT_HINTS_OFF,
  RLX_ARGUMENT_HINTS_LITERALS,
  RLX_ARGUMENT_HINTS_ALL
} RlxArgumentHints;

/// Appends the names of the parameters that positional arguments of the calls in `stmt` are given
/// to, as far as the setting wants them.
void rlx_server_argument_hints(RlxServer *server, RlxOpenFile *file, const RlxStmt *stmt,
                               RlxJson *json);
/// Writes "data" of a hint: what `inlayHint/resolve` needs.
void rlx_write_hint_data(const RlxOpenFile *file, RlxJson *json);

#endif
