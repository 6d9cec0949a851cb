/// What the terminal can do: colours, its size.
#ifndef RLX_BASE_TERMINAL_H
#define RLX_BASE_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/// Whether TERM says that the terminal takes no control sequences.
bool rlx_terminal_is_dumb(void);
/// Whether `out` is a terminal that is to get colours: TERM is not "dumb", and NO_COLOR is not set to
/// something (https://no-color.org).
bool rlx_terminal_has_colors(FILE *out);
/// Rows and columns of the terminal that is standard output. False, and nothing is set: it is none,
/// or does not say.
bool rlx_terminal_size(int *out_rows, int *out_columns);

#endif
