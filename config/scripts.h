/// The files below a folder that may hold scripts: `*.py`, `*.relax` and `*.tvmscript`, in byte order
/// of their names, leaving out what .gitignore files name, hidden folders, `node_modules`,
/// `__pycache__`, Python environments and what the configuration excludes. Who reads them asks
/// whether they do hold one (rlx_islands_possible).
#ifndef RLX_CONFIG_SCRIPTS_H
#define RLX_CONFIG_SCRIPTS_H

#include "base/error.h"
#include "base/vec.h"
#include "config/config.h"

/// The endings of files that may hold scripts; NULL behind the last.
extern const char *const rlx_script_endings[];
/// Whether a file's name has one of them.
bool rlx_scripts_is_name(const char *name);

/// Paths begin with the folder as it was given. Zeroed is empty.
typedef struct RlxScripts {
  Vec(char *) files;
  Vec(char *) folders;   ///< that were walked
  Vec(char *) notebooks; ///< `*.ipynb` on the way, which nobody reads as scripts
} RlxScripts;

/// Appends what is below folder `root`; a file that has several names there, by links, once. `configs`: may be NULL. Fails, with `out` as far as it got,
/// when the folder cannot be read.
bool rlx_scripts_collect(const char *root, RlxConfigs *configs, RlxScripts *out, RlxError *err);
void rlx_scripts_free(RlxScripts *scripts);

#endif
