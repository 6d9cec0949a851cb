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
/// Whose names the words of a label are.
typedef struct RlxHintWords {
  RlxServer *server;
  RlxOpenFile *file;
  const RlxStmt *stmt;   ///< where the label stands
  const RlxSInfo *sinfo; ///< what it prints; NULL: its words are names that `stmt` can read
  bool is_in_part; ///< `sinfo` is too large to be printed whole: no variables are looked for in it
} RlxHintWords;
/// Writes "label" of a hint: as parts where it names variables, which lead to where they are bound.
/// Clients that resolve them get the places from inlayHint/resolve. A long label is cut; true then.
bool rlx_write_hint_label(const RlxHintWords *words, const RlxBuf *label, RlxJson *json);
/// Adds the places and commands to the parts of a label, a JSON array. `at`: where the variable is
/// that the hint is about.
void rlx_resolve_hint_label(const RlxHintWords *words, uint32_t at, cJSON *parts);
/// Writes "data" of a hint: what `inlayHint/resolve` needs.
void rlx_write_hint_data(const RlxOpenFile *file, RlxJson *json);

#endif
