/// The part of a rename that lies in other files: where modules of the project import the name.
#ifndef RLX_SERVER_RENAME_PROJECT_H
#define RLX_SERVER_RENAME_PROJECT_H

#include "server/session/session.h"

typedef struct RlxProjectEdit {
  RlxPosition start, end;
} RlxProjectEdit;
/// The edits of one file; the new name goes in at all of them.
typedef struct RlxProjectEdits {
  char *uri; ///< owned
  bool is_open, has_version;
  int64_t version;
  Vec(RlxProjectEdit) at;
} RlxProjectEdits;
typedef Vec(RlxProjectEdits) RlxProjectRename;

/// What is to be edited in other files of the project, open or on disk, when `symbol`, a name of
/// Python at the top of `file`, is called `name`: imports of it, what these bind, and `module.NAME`.
/// False: in one of them `name` is taken; `why` says where, for a person. Files that the project's
/// root does not hold, hidden folders, and what is larger than a module may be are left out.
bool rlx_server_rename_elsewhere(RlxServer *server, RlxOpenFile *file, const RlxSymbol *symbol,
                                 const char *name, RlxProjectRename *out, RlxBuf *why);
void rlx_project_rename_free(RlxProjectRename *all);

#endif
