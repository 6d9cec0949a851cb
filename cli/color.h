/// Colour on a terminal: `--color=auto|always|never`, NO_COLOR (spec 5).
#ifndef RLX_CLI_COLOR_H
#define RLX_CLI_COLOR_H

#include <stdbool.h>
#include <stdio.h>

typedef enum RlxColor { RLX_COLOR_AUTO, RLX_COLOR_ALWAYS, RLX_COLOR_NEVER } RlxColor;

/// The names of RlxColor in its order, ending with NULL: choices for an option row.
extern const char *const rlx_color_names[];

/// Whether `out` gets colours: with AUTO when it is a terminal, TERM is not "dumb" and NO_COLOR is
/// not set to something.
bool rlx_color_is_on(RlxColor color, FILE *out);

#endif
