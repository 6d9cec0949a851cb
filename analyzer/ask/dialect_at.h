/// The dialect at a place.
#ifndef RLX_ANALYZER_DIALECT_AT_H
#define RLX_ANALYZER_DIALECT_AT_H

#include "analyzer/state/file.h"
#include "analyzer/words/dialect.h"

/// Dialect of the island around byte `offset`: the one that the settings fix, else the one it is
/// recognised as.
RlxDialect rlx_file_dialect_at(RlxFile *file, uint32_t offset);

#endif
