/// Which dialect each function of a file is read in.
#ifndef RLX_ANALYZER_RECOGNIZE_H
#define RLX_ANALYZER_RECOGNIZE_H

#include <stdatomic.h>

#include "analyzer/state/file.h"
#include "analyzer/words/dialect.h"

/// Recognises the dialects of all islands; functions whose dialect changed are analysed anew. False: `cancel` (NULL: never)
/// was set first, and the dialects are those of before.
bool rlx_file_recognize(RlxFile *file, const atomic_bool *cancel);
/// The body of a Relax function goes over to the def `heir`. Among its statements `n: T.int64 = …` spells something only
/// in what is decorated as a function: where the decorator is another, they are looked at again.
void rlx_recognize_heir(RlxFn *fn, const RlxStmt *heir);
/// The dialect that the statements around all islands speak for.
RlxDialect rlx_file_outer_dialect(RlxFile *file);

#endif
