/// The files that a command's PATH arguments mean (spec 5).
///
/// A file named explicitly is taken as it is; "-" is standard input; a folder is walked for `*.py`,
/// `*.relax` and `*.tvmscript`, in byte order of their names (who reads them asks whether they may
/// hold a script), leaving out what .gitignore files name, hidden folders, `node_modules`,
/// `__pycache__` and Python environments.
#ifndef RLX_CLI_INPUTS_H
#define RLX_CLI_INPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/vec.h"
#include "cli/options.h"
#include "config/config.h"

typedef struct RlxInput {
  char *path;       // owned; as given, or the folder as given joined with the names below it
  bool is_explicit; // named on the command line, not found in a folder
} RlxInput;

typedef struct RlxInputs {
  RlxInput *at; // as in Vec(RlxInput)
  uint32_t count, capacity;
  Vec(char *) folders;     // that were walked; owned
  Vec(const char *) empty; // folders, as given, in which no file is to be read; not owned
  Vec(char *) notebooks;   // in folders, with what may be scripts; owned
} RlxInputs;

/// Expands the arguments in their order; none means the current folder. Fails, with `out` as far as
/// it got, when a folder cannot be walked or a path does not exist.
/// What `configs` (may be NULL) exclude is left out of folders.
bool rlx_inputs_collect(const RlxArgs *args, RlxConfigs *configs, RlxInputs *out, RlxError *err);

/// What was asked for and not read, a sentence for each folder that had nothing to read, and for each notebook in a folder that may
/// have scripts: no failures, for a folder may have no scripts yet.
typedef struct RlxUnread {
  char **at; // as in Vec(char *); owned
  uint32_t count, capacity;
} RlxUnread;

/// Adds these sentences to `out`; rlx_unread_free frees them.
void rlx_inputs_unread(const RlxInputs *inputs, RlxUnread *out);
void rlx_unread_free(RlxUnread *unread);
/// Says them on standard error, of several notebooks the first.
void rlx_inputs_report_unread(const RlxInputs *inputs, const char *command);

/// Frees the paths.
void rlx_inputs_free(RlxInputs *inputs);

/// Whether the bytes may hold TVMScript: a quick look for the words that every island needs. May
/// say yes too often, never no too often.
bool rlx_inputs_may_hold_script(const char *bytes, size_t size);

#endif
