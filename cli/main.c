/// The program `rlx`: hands over to the command that the first argument names.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/syntax/memory.h"
#include "analyzer/tir/sets.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/exit.h"

/// Whether the output goes to a program, which may have seen enough: `rlx explain | head`.
static bool is_piped(void) {
  struct stat info;
  return fstat(STDOUT_FILENO, &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode));
}

/// A standard stream that is closed is held by a file on which it fails all the same: else the first file that is
/// opened took its number, and got what is printed, or was read as what is typed.
static void hold_streams(void) {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
    if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
      return;
}

int main(int argc, char **argv) {
  hold_streams();
  rlx_syntax_use_memory();
  rlx_sets_use_memory();
  signal(SIGPIPE, SIG_IGN); // a closed pipe is a write error like any other
  signal(SIGXFSZ, SIG_IGN); // and so is a file that may not get longer (ulimit -f)
  int code = rlx_command_dispatch(argc, argv);
  const bool is_lost = fflush(stdout) != 0;
  const char *why = is_lost ? strerror(errno) : "not all of it arrived";
  if (is_lost || ferror(stdout)) {
    if (!is_piped()) rlx_text_say(stderr, "rlx: cannot write the output: %s", why);
    if (code == RLX_EXIT_OK) code = RLX_EXIT_USAGE;
  }
  return code;
}
