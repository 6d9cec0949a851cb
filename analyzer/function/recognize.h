/// Which dialect each function of a file is read in.
#ifndef RLX_ANALYZER_RECOGNIZE_H
#define RLX_ANALYZER_RECOGNIZE_H

#include "analyzer/state/file.h"
#include "analyzer/words/dialect.h"

/// Recognises the dialects of all islands; functions whose dialect changed are analysed anew.
void rlx_file_recognize(RlxFile *file);
/// The dialect that the statements around all islands speak for.
RlxDialect rlx_file_outer_dialect(RlxFile *file);

#endif
