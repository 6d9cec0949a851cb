/// Whether text is coloured: as asked for, as the terminal can.
#include "cli/color.h"

#include "base/terminal.h"

const char *const rlx_color_names[] = {"auto", "always", "never", NULL};

bool rlx_color_is_on(RlxColor color, FILE *out) {
  switch (color) {
  case RLX_COLOR_ALWAYS: return true;
  case RLX_COLOR_NEVER: return false;
  case RLX_COLOR_AUTO: break;
  }
  return rlx_terminal_has_colors(out);
}
