/// Where lines come from: libedit on a terminal, plain standard input otherwise.
#ifndef RLX_REPL_LINE_H
#define RLX_REPL_LINE_H

#include <signal.h>
#include <stdbool.h>

#include "base/buf.h"
#include "base/vec.h"

typedef struct RlxLine RlxLine;

typedef struct RlxLineOffer {
  const char *group;   ///< what is listed together; "": no heading
  char *text, *detail; ///< text: in place of the word; detail: half a line about it, or NULL
} RlxLineOffer;

typedef struct RlxLineOffers {
  Vec(RlxLineOffer) items;         ///< all begin with the word; best first
  size_t word;                     ///< bytes before the cursor that they replace
  char *signature;                 ///< of the call that the cursor is in; NULL: none
  size_t active_start, active_end; ///< bytes of `signature`: the argument; equal: none
} RlxLineOffers;

void rlx_line_offers_free(RlxLineOffers *offers);

/// What may stand at byte `cursor` of `line`; `before` are the lines above it. rlx_line_offers_free
/// frees `out`, whatever it held before.
typedef void RlxCompleteFn(void *user, const char *before, const char *line, size_t cursor,
                           RlxLineOffers *out);

typedef enum RlxLineResult { RLX_LINE_OK, RLX_LINE_END, RLX_LINE_INTERRUPTED } RlxLineResult;

/// `interrupted` is set by the caller's SIGINT handler. `has_history`: entries of earlier sessions are
/// there, and those of this one are kept for later.
RlxLine *rlx_line_new(RlxCompleteFn *complete, void *user, volatile sig_atomic_t *interrupted,
                      bool has_history);
void rlx_line_free(RlxLine *line); ///< NULL is fine
/// What was read last is a whole entry: it goes to the history's file.
void rlx_line_entered(RlxLine *line);
/// While a key is waited for at a terminal and `*fd` (0: none) can be read, `idle` is called with the
/// caller's `user`; true: it printed something.
void rlx_line_idle(RlxLine *line, const int *fd, bool (*idle)(void *user));
/// Whether anything was pasted since this was asked last.
bool rlx_line_take_pasted(RlxLine *line);
/// Whether lines are edited at a terminal; else they are read as they come.
bool rlx_line_is_terminal(const RlxLine *line);
/// Sets the prompt of first lines; NULL: the usual one.
void rlx_line_prompt(RlxLine *line, const char *prompt);
/// The next line without its end; `is_more`: inside an entry. A paste of several lines keeps a blank one at its end,
/// which ends a block.
RlxLineResult rlx_line_read(RlxLine *line, bool is_more, RlxBuf *out);

#endif
