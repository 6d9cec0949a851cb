/// Names of a PrimFunc: buffers, loops, block axes and other variables, by the statements that bind
/// them.
#ifndef RLX_ANALYZER_PRIM_NAMES_H
#define RLX_ANALYZER_PRIM_NAMES_H

#include "analyzer/syntax/ast.h"
#include "base/map.h"

/// What suites and headers bind, found when somebody asks and kept until the text changes, so that
/// a question costs what the suites around are deep, however long they are. Zeroed: nothing yet.
typedef struct RlxPrimNames {
  RlxMap numbers; ///< suite or statement → its number, from 1
  RlxMap bound;   ///< (number, name) → the first RlxStmt of a suite, the RlxSpan in a header
} RlxPrimNames;

/// What binds `name` for its occurrence in `stmt`, a statement of the PrimFunc `def`: the header of
/// a loop around, the first binding in a block around, a parameter. NULL when nothing in the
/// PrimFunc does; else `*out` is the name's span there, relative to that statement. `x = x + 1` goes
/// on with the `x` around it, so that all of them are renamed together. `names` is of this text.
const RlxStmt *rlx_prim_name_definition(RlxPrimNames *names, const RlxStmt *def,
                                        const RlxStmt *stmt, RlxName name, RlxSpan *out);

void rlx_prim_names_forget(RlxPrimNames *names); ///< when the text changes, and in the end

#endif
