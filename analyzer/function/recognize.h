/// Which dialect each function of a file is read in.
#ifndef RLX_ANALYZER_RECOGNIZE_H
#define RLX_ANALYZER_RECOGNIZE_H

#include <stdatomic.h>

#include "analyzer/state/file.h"
#include "analyzer/words/dialect.h"

/// Recognises the dialects of all islands; functions whose dialect changed are analysed anew. False: `cancel` (NULL: never)
/// was set first, and the dialects are those of before.
bool rlx_file_recognize(RlxFile *file, const atomic_bool *cancel);
/// The dialect that the statements around all islands speak for.
RlxDialect rlx_file_outer_dialect(RlxFile *file);

#endif
