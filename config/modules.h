/// Modules of the project that a script imports: where they are, and that none is read which lies
/// outside.
#ifndef RLX_CONFIG_MODULES_H
#define RLX_CONFIG_MODULES_H

#include "analyzer/analyzer.h"
#include "base/buf.h"
#include <stdbool.h>

/// What an editor holds of the file at an absolute path, its size in `*size`; NULL: nothing.
typedef const char *RlxOpenText(void *data, const char *path, uint32_t *size);

/// Reads modules for one script. Its owner keeps it where it is as long as the file is open.
typedef struct RlxProject {
  RlxOpenText *open_text; ///< or NULL
  void *open_data;
  char *given_path, *given_root; ///< as they were told
  bool is_located;               ///< what follows was looked for, at the first question
  char *file;                    ///< absolute path of the script
  char *root;                    ///< absolute folder that nothing outside of is read
} RlxProject;

/// A project for the script at `path`. `root`: its configuration's folder, or NULL: then the
/// nearest folder above with `.git`, `pyproject.toml`, `setup.py` or `setup.cfg`, else the one that
/// holds the outermost package around the script. Nothing is looked at before the first question. A
/// script that is on no disk has modules only where an editor holds texts.
void rlx_project_init(RlxProject *project, const char *path, const char *root);
void rlx_project_deinit(RlxProject *project);
/// Begins a project for the script at `path` and hands its reader to `file`, whose text is that
/// script's.
void rlx_project_attach(RlxProject *project, RlxFile *file, const char *path, const char *root);
/// The reader to hand to rlx_file_set_reader. A module is looked for beside the script, then at the
/// root; regular files of at most 1 MiB, symbolic links only where they stay inside of the root.
RlxModuleReader rlx_project_reader(RlxProject *project);

#endif
