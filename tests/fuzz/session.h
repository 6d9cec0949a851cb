/// What a fuzz target may enter at a session: no commands that write or read files, start programs, or take as long as they are told.
#ifndef RLX_TESTS_FUZZ_SESSION_H
#define RLX_TESTS_FUZZ_SESSION_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "jit/confine.h"
#include "repl/repl.h"

static const char *const fuzz_commands[] = {
    "sinfo", "explain", "ir",       "normal", "plan",    "tir",   "diff",  "prove", "who",
    "vars",  "del",     "simplify", "undo",   "compare", "funcs", "stats", "help",  "sched",
    "list",  "tree",    "trace",    "redo",   "why",     "seed",  "use",   "done",  "quit"};
/// Words of what writes or reads files, or takes as long as it is told.
static const char *const fuzz_others[] = {"save",  "load", "file", "open", "write",
                                          "store", "edit", "tune", "watch"};

/// Whether each line that is a command may be one here.
static bool fuzz_may_enter(const char *text) {
  for (size_t i = 0; i < sizeof fuzz_others / sizeof *fuzz_others; i++)
    if (strstr(text, fuzz_others[i])) return false;
  if (strpbrk(text, "!%")) return false;
  for (const char *at = strchr(text, ':'); at; at = strchr(at + 1, ':')) {
    bool is_known = at > text && at[-1] != '\n' && at[-1] != ' ' && at[-1] != '\t';
    for (size_t i = 0; i < sizeof fuzz_commands / sizeof *fuzz_commands; i++)
      is_known |= strncmp(at + 1, fuzz_commands[i], strlen(fuzz_commands[i])) == 0;
    if (!is_known && at[1] >= 'a' && at[1] <= 'z') return false;
  }
  return true;
}

/// A session's options: two seconds for an evaluation, and any memory, for a sanitizer maps what it likes.
static RlxReplOptions fuzz_session(void) {
  RlxReplOptions options = {.confinement = rlx_confinement_default(), .limit_seconds = 2};
  options.confinement.memory_bytes = 0;
  return options;
}

#endif
