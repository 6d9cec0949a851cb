/// What the meaning of a function depends on in its file's text.
#ifndef RLX_ANALYZER_REACH_H
#define RLX_ANALYZER_REACH_H

#include "analyzer/function/files.h"

/// Which functions of a file name which others; of one text of it.
typedef struct RlxReach RlxReach;

/// Reads the names; `file` must not change as long as it is used.
RlxReach *rlx_reach_new(RlxFile *file);
void rlx_reach_free(RlxReach *reach);
/// A hash of the statements of the function `def`, of all functions that it names, directly or through
/// others, and of the text of everything outside of functions: as long as it stays (and modules that
/// the file imports do), so does what the function means. A name in a comment or string counts, too.
uint64_t rlx_reach_hash(const RlxReach *reach, const RlxStmt *def, uint64_t seed);

#endif
