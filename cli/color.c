/// Whether text is coloured: as asked for, as the terminal can.
#include "cli/color.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const rlx_color_names[] = {"auto", "always", "never", NULL};

bool rlx_color_is_on(RlxColor color, FILE *out) {
  switch (color) {
  case RLX_COLOR_ALWAYS: return true;
  case RLX_COLOR_NEVER: return false;
  case RLX_COLOR_AUTO: break;
  }
  const char *no_color = getenv("NO_COLOR");
  const char *term = getenv("TERM");
  if (no_color && *no_color) return false;
  return isatty(fileno(out)) && (!term || strcmp(term, "dumb") != 0);
}
