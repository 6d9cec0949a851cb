/// Where the other files of a project use a name that one of its modules defines: imports of it,
/// what these bind, `module.NAME`, `Module.NAME`.
#ifndef RLX_SERVER_PROJECT_USES_H
#define RLX_SERVER_PROJECT_USES_H

#include "server/session/session.h"

typedef struct RlxUse {
  RlxPosition start, end;
  uint32_t def; ///< the function around, as a place in `defs` + 1; 0: none
} RlxUse;
/// A function that uses the name.
typedef struct RlxUser {
  char *name;             ///< owned
  RlxPosition start, end; ///< all of it
  RlxPosition name_start, name_end;
} RlxUser;
/// The places in one file.
typedef struct RlxFileUses {
  char *uri; ///< owned
  bool has_version;
  int64_t version; ///< of the open document
  Vec(RlxUse) at;
  Vec(RlxUser) defs;
} RlxFileUses;
typedef Vec(RlxFileUses) RlxProjectUses;

/// A name that a module defines.
typedef struct RlxProjectName {
  RlxProject *project; ///< of a script that is open
  const char *path;    ///< of the module that defines it
  RlxSpan span;        ///< of the name there
  const char *name;
} RlxProjectName;

/// The name for which other files may look: `symbol` as a module's own name, or a member of a class
/// of it. False: it is none, or its file is on no disk.
bool rlx_project_name(RlxServer *server, RlxOpenFile *file, const RlxSymbol *symbol,
                      RlxProjectName *out);
/// Appends the places where files of the project use it, open or on disk, but for those in the
/// module itself, file by file, and, where nothing is to be renamed, those of other names that imports
/// give it (`from module import NAME as other`). Files that the project's root does not hold, hidden folders, and
/// what is larger than a module may be are left out.
/// `new_name` (NULL: nothing is to be renamed): false when it is taken in one of them; `why` says
/// where, for a person.
bool rlx_project_uses(RlxServer *server, const RlxProjectName *name, const char *new_name,
                      RlxProjectUses *out, RlxBuf *why);
void rlx_project_uses_free(RlxProjectUses *all);

#endif
