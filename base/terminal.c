/// What the terminal can do. Source: no-color.org, tty_ioctl(4).
#include "base/terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool rlx_terminal_is_dumb(void) {
  const char *term = getenv("TERM");
  return term && !strcmp(term, "dumb");
}

bool rlx_terminal_has_colors(FILE *out) {
  const char *no_color = getenv("NO_COLOR");
  if (no_color && *no_color) return false;
  return isatty(fileno(out)) && !rlx_terminal_is_dumb();
}

bool rlx_terminal_size(int *out_rows, int *out_columns) {
  struct winsize size;
  if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size)) return false;
  if (!size.ws_row || !size.ws_col) return false;
  *out_rows = size.ws_row;
  *out_columns = size.ws_col;
  return true;
}
