/// What a script that the session reads may do: which others it loads, and that it writes no files and starts no programs.
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "repl/session.h"

enum {
  LOADS_DEEP = 32,  ///< scripts that load one another, each within the one before
  LOADS_MOST = 1000 ///< scripts that one load reads in all: each of two that it loads may load two
};

bool rlx_repl_may_read(const RlxRepl *repl, const char *path) {
  int depth = 0;
  for (const RlxReplReading *r = repl->reading; r; r = r->outer, depth++)
    if (!strcmp(r->path, path))
      return rlx_text_say(stdout, "error: %s is being read already: it loads itself", path), false;
  if (depth >= LOADS_DEEP)
    return rlx_text_say(stdout, "error: %s: scripts load one another more than %d deep", path,
                        LOADS_DEEP),
           false;
  if (depth && repl->readings >= LOADS_MOST)
    return rlx_text_say(stdout, "error: %s: one script loads more than %d others", path,
                        LOADS_MOST),
           false;
  return true;
}

bool rlx_repl_may_act(const RlxRepl *repl, const char *command) {
  if (!repl->reading) return true;
  rlx_text_say(stdout,
               "error: a file that is loaded writes no files and starts no programs: `%s` is for "
               "the prompt",
               command);
  return false;
}
