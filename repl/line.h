/// Where lines come from: libedit on a terminal, plain standard input otherwise.
#ifndef RLX_REPL_LINE_H
#define RLX_REPL_LINE_H

#include <signal.h>
#include <stdbool.h>

#include "base/buf.h"

typedef struct RlxLine RlxLine;

/// Appends the completions of `word` (what stands before the cursor), one a line; `line` begins the
/// line that it stands in.
typedef void RlxCompleteFn(void *user, const char *line, const char *word, size_t size,
                           RlxBuf *out);

typedef enum RlxLineResult { RLX_LINE_OK, RLX_LINE_END, RLX_LINE_INTERRUPTED } RlxLineResult;

/// `interrupted` is set by the caller's SIGINT handler.
RlxLine *rlx_line_new(RlxCompleteFn *complete, void *user, volatile sig_atomic_t *interrupted);
void rlx_line_free(RlxLine *line); ///< saves the history; NULL is fine
bool rlx_line_is_terminal(const RlxLine *line);
/// Sets the prompt of first lines; NULL: the usual one.
void rlx_line_prompt(RlxLine *line, const char *prompt);
/// The next line without its end; `is_more`: inside an entry.
RlxLineResult rlx_line_read(RlxLine *line, bool is_more, RlxBuf *out);

#endif
