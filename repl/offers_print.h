/// How offers are listed below the line that is typed.
#ifndef RLX_REPL_OFFERS_PRINT_H
#define RLX_REPL_OFFERS_PRINT_H

#include "repl/line.h"

/// Bytes that the texts of all offers begin with; 0: there is none.
size_t rlx_offers_common(const RlxLineOffers *offers);
/// Prints them group by group in columns, no text broken, as many as `height` lines hold (0: all); below
/// them what is known of the only one or of the one that is written out, and the signature of the call
/// around.
void rlx_offers_print(const RlxLineOffers *offers, int width, int height);
/// Lines of the terminal that standard output is; 0: not known.
int rlx_terminal_height(void);
/// Columns of the terminal that standard output is.
int rlx_terminal_width(void);

#endif
