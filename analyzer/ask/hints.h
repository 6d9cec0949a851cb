/// What an editor may show beside the code although the program does not say it: the checks that a
/// call leaves to run time, and what later statements require of a value. Computed for one
/// statement when asked; nothing here changes a StructInfo.
#ifndef RLX_ANALYZER_HINTS_H
#define RLX_ANALYZER_HINTS_H
#include "analyzer/state/file.h"
#include "analyzer/symbolic/prove.h"
#include "analyzer/syntax/ast.h"
#include "base/vec.h"

typedef struct RlxHint {
  uint32_t at;      ///< absolute: behind what it speaks about
  const char *text; ///< in the asker's arena
} RlxHint;
typedef Vec(RlxHint) RlxHints;

/// Appends, for each argument of the calls of functions in `stmt` whose values are not proved to
/// fit, what is "checked at run time: n == m".
void rlx_file_runtime_checks(RlxFile *file, const RlxStmt *stmt, RlxArena *arena, RlxHints *out);

/// What holds behind the statements before `stmt` (match_cast, assertions, reshapes) and in the
/// branches around it, as a list in `arena`: a part of what the analysis assumed there. NULL:
/// nothing.
const RlxFacts *rlx_file_facts_at(RlxFile *file, const RlxStmt *stmt, RlxArena *arena);

#endif
