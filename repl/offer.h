/// What Tab offers: commands and their arguments, files, and from the
/// analyzer all that may stand in an expression or a definition.
#ifndef RLX_REPL_OFFER_H
#define RLX_REPL_OFFER_H

#include "repl/line.h"
#include "repl/session.h"

/// What may stand at byte `cursor` of `line`, an entry's newest line; `before` are the lines of the
/// entry above it. The caller frees `out` with rlx_line_offers_free. `repl` is an RlxRepl.
void rlx_repl_offer(void *repl, const char *before, const char *line, size_t cursor,
                    RlxLineOffers *out);

#endif
