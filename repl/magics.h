/// IPython's lines that begin with %.
#ifndef RLX_REPL_MAGICS_H
#define RLX_REPL_MAGICS_H

#include <stdbool.h>

/// Says which command does what the line, `%timeit f(x)`, does in IPython; false, as after any error.
bool rlx_repl_refuse_magic(const char *line);

#endif
