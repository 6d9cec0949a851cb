/// A REPL's state: definitions as text, variables with live values, and one analysed script made of both.
#ifndef RLX_REPL_SESSION_H
#define RLX_REPL_SESSION_H

#include <signal.h>

#include "jit/worker.h"

typedef struct RlxReplVar {
  char *name;
  RlxObject *value;
} RlxReplVar;

typedef struct RlxReplDef { ///< one function or module as entered
  char *name, *text;
} RlxReplDef;

typedef Vec(RlxObject *) RlxReplArgs; ///< borrowed

typedef struct RlxRepl {
  RlxAnalyzer *analyzer;
  RlxStore *store;
  RlxFile *file;
  RlxJit *jit;
  Vec(RlxReplVar) vars;
  Vec(RlxReplDef) defs;
  char *script; ///< the last file loaded
  volatile sig_atomic_t *interrupted;
  uint32_t entry_at, entry_indent; ///< where the entry stands in the analysed text
  RlxBuf text;                     ///< the analysed text
  bool quit;
} RlxRepl;

bool rlx_repl_open(RlxRepl *repl, int threads, volatile sig_atomic_t *interrupted);
void rlx_repl_close(RlxRepl *repl);

/// Handles one whole entry: a definition, `name = expression`, an expression, or a :command. False after an error, which is
/// printed to standard output.
bool rlx_repl_enter(RlxRepl *repl, const char *entry);
/// Whether `entry` lacks lines: an open bracket or a block that has not ended.
bool rlx_repl_wants_more(const char *entry, bool is_terminal);
/// Reads a script: entries one after another. False at the first error.
bool rlx_repl_load(RlxRepl *repl, const char *path);
void rlx_repl_complete(void *repl, const char *word, size_t size, RlxBuf *out);

// ---- for commands
/// The script with `expression` as the body of a function; analysed, and a program when there is no error. `out_name` is the
/// function. A bare name of a function means that function.
RlxProgram *rlx_repl_program(RlxRepl *repl, const char *expression, RlxName *out_name, RlxReplArgs *args);
bool rlx_repl_command(RlxRepl *repl, const char *line);

#endif
