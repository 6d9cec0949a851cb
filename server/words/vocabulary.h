/// Hover on what is no symbol of the analysis: words of the script's vocabulary and names of
/// keyword arguments.
#ifndef RLX_SERVER_VOCABULARY_H
#define RLX_SERVER_VOCABULARY_H

#include "analyzer/analyzer.h"
#include "base/buf.h"

/// Describes the word or keyword argument at byte `offset` as Markdown in `out` and gives its
/// absolute place. False when there is none. `store` is the file's.
bool rlx_vocabulary_describe(RlxFile *file, RlxStore *store, uint32_t offset, RlxBuf *out,
                             RlxSpan *span);

#endif
