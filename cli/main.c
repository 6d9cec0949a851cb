/// The program `rlx`: hands over to the command that the first argument names.
#include <signal.h>
#include <stdio.h>

#include "analyzer/syntax/memory.h"
#include "analyzer/tir/sets.h"
#include "cli/commands.h"
#include "cli/exit.h"

int main(int argc, char **argv) {
  rlx_syntax_use_memory();
  rlx_sets_use_memory();
  signal(SIGPIPE, SIG_IGN); // a closed pipe is a write error like any other
  int code = rlx_command_dispatch(argc, argv);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    if (code == RLX_EXIT_OK) code = RLX_EXIT_USAGE;
  }
  return code;
}
