/// The handlers of all methods, a row of methods.def each, and what they give each other.
#ifndef RLX_SERVER_METHODS_H
#define RLX_SERVER_METHODS_H

#include "analyzer/diag/file_diag.h"
#include "server/session/session.h"

#define RLX_METHOD(id, method, kind, capability) RlxMethodFn rlx_lsp_##id;
#include "server/methods/methods.def"
#undef RLX_METHOD

/// Writes the diagnostics of `file` as a JSON array.
void rlx_server_write_diags(RlxServer *server, RlxOpenFile *file, RlxJson *json);
/// Writes one of them.
void rlx_server_write_diag(const RlxServer *server, const RlxOpenFile *file, const RlxFileDiag *d,
                           RlxJson *json);
/// Appends the URI of the page that explains a diagnostic; false: there is none to open.
bool rlx_server_page(const RlxServer *server, const RlxDiagRow *row, RlxBuf *out);
/// As the file's configuration has it; 0: not to be shown.
int rlx_server_severity(const RlxOpenFile *file, const RlxFileDiag *d);

/// Code actions of one request. In a listing an action has its edit, or (the client resolves edits)
/// what codeAction/resolve needs to make it; resolving goes the same way and writes the one edit.
typedef struct RlxActions {
  RlxServer *server;
  RlxOpenFile *file;
  RlxSpan range;
  const cJSON *only;   ///< kinds that are asked for; NULL: all
  bool is_automatic;   ///< nobody asked: what takes time, or cannot be done, is left out
  const cJSON *wanted; ///< `data` of the action that is resolved; NULL: a listing
  bool is_found;       ///< the edit that is wanted is written
  bool is_refused;     ///< it cannot be done: the server's error says why
  RlxJson *json;
} RlxActions;
/// Is `kind` one that the client asks for: equal to an entry of `only`, or below it?
bool rlx_actions_ask_for(const RlxActions *a, const char *kind);
/// Begins an action. `from` says what it is from where that tells it apart ("RLX0304"), or is NULL.
/// In a listing true: rlx_actions_end has to follow. When resolving, true for the one that is wanted.
bool rlx_actions_begin(RlxActions *a, const char *title, const char *kind, const char *from);
/// Whether its edit is wanted now: between rlx_actions_begin_edits and rlx_actions_end_edits stand
/// TextEdits.
bool rlx_actions_wants_edits(const RlxActions *a);
void rlx_actions_begin_edits(RlxActions *a);
void rlx_actions_end_edits(RlxActions *a);
void rlx_actions_end(RlxActions *a);
/// The edit that makes the document `text`: one, that spans what differs.
void rlx_actions_text(RlxActions *a, const RlxBuf *text);
/// The code action that applies all safe fixes of errors and warnings; none when there are none.
void rlx_server_fix_all_action(RlxActions *a);
/// A code action for each dialect that the island whose head is at the range can be converted to.
void rlx_server_dialect_actions(RlxActions *a);

/// Appends code actions for the loop or block of a PrimFunc whose line holds `offset`: steps of a
/// schedule, whose edits codeAction/resolve makes.
void rlx_server_schedule_actions(RlxServer *server, RlxOpenFile *file, uint32_t offset,
                                 RlxJson *json);
/// Adds the edit to an action of those (`data` is its member): RLX_RPC_OK, or what to answer.
RlxRpcCode rlx_server_resolve_schedule(RlxServer *server, const cJSON *data, RlxJson *json);

#endif
