/// Modules that were read for a file which is closed by now: kept parsed for the next one, because the scripts of a project
/// import the same few modules. Only their statements are kept; what was known of their names depends on who asked.
#ifndef RLX_EVAL_PARKED_H
#define RLX_EVAL_PARKED_H

#include "analyzer/state/state.h"

/// The module at `path` with just this text, which the caller owns from now on; NULL: it is not kept.
RlxFile *rlx_parked_take(RlxAnalyzer *analyzer, const RlxBuf *path, const RlxBuf *text);
/// Keeps `module`, whose importer has done with it, or closes it.
void rlx_parked_put(RlxFile *module);
/// Closes all that are kept.
void rlx_parked_close(RlxAnalyzer *analyzer);

#endif
