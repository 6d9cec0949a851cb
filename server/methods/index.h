/// The scripts of the workspace's folders on disk: their symbols and diagnostics, for questions about
/// all of them. They are read and analysed in a process of its own (session/jobs.h); what is kept
/// here is plain data.
///
/// Always true: a file is read again only when its size or time changed, or when it looked at
/// modules; what is kept of a file whose document is open is not used.
#ifndef RLX_SERVER_INDEX_H
#define RLX_SERVER_INDEX_H

#include "server/session/session.h"

/// A module or function, with the place of its name in the client's units.
typedef struct RlxIndexSymbol {
  char *name, *container; ///< owned; container NULL: outside of any module
  int kind;               ///< LSP's SymbolKind
  uint32_t line, from, to;
} RlxIndexSymbol;
typedef Vec(RlxIndexSymbol) RlxIndexSymbols;

/// A file, or a folder that was walked.
typedef struct RlxIndexFile {
  char *path;
  char *uri;          ///< NULL: it holds no TVMScript
  int64_t size, time; ///< as on disk when it was read; time in nanoseconds, 0: read it again
  bool asks_modules;  ///< other files decide about its diagnostics, too
  char *diagnostics;  ///< JSON array
  RlxIndexSymbols symbols;
} RlxIndexFile;

struct RlxIndex {
  Vec(RlxIndexFile) files; ///< by path
  Vec(char *) roots;       ///< the workspace's folders, as paths
  bool is_fresh;           ///< nothing is known to have changed since the folders were read
  uint32_t changes;        ///< counts what made it stale
  uint32_t config_changes; ///< of the server, when it was read: settings decide about findings
};
typedef struct RlxIndex RlxIndex;

/// Takes the folders of `initialize`.
void rlx_index_begin(RlxServer *server, const cJSON *params);
/// Takes the folders of didChangeWorkspaceFolders.
void rlx_index_change_folders(RlxServer *server, const cJSON *event);
/// Something on disk changed, came or went.
void rlx_index_stale(RlxServer *server);
void rlx_index_free(RlxServer *server);
/// Reads what is not known without having been asked; nothing happens when no process can be started.
void rlx_index_refresh(RlxServer *server);

/// Writes the answer to a request with `params` from what is known.
typedef void RlxIndexAnswer(RlxServer *server, const cJSON *params, RlxJson *result);
/// Answers the request that is being handled with `write`: now, or after the folders were read.
RlxRpcCode rlx_index_ask(RlxServer *server, const cJSON *params, const char *title,
                         RlxIndexAnswer *write, RlxJson *result);
/// The file with TVMScript at this URI; NULL: none is known.
const RlxIndexFile *rlx_index_find(const RlxServer *server, const char *uri);
/// Calls `see` for each file with TVMScript whose document is not open, by path.
void rlx_index_each(RlxServer *server, void (*see)(void *data, const RlxIndexFile *file),
                    void *data);

/// Appends the modules and functions of a document that is awake.
void rlx_index_symbols(RlxServer *server, RlxOpenFile *file, RlxIndexSymbols *out);
void rlx_index_free_symbols(RlxIndexSymbols *symbols);

#endif
