/// Names of a PrimFunc: buffers, loops, block axes and other variables, by the statements that bind
/// them.
#ifndef RLX_ANALYZER_PRIM_NAMES_H
#define RLX_ANALYZER_PRIM_NAMES_H

#include "analyzer/syntax/ast.h"

/// What binds `name` for its occurrence in `stmt`, a statement of the PrimFunc `def`: the header of
/// a loop around, the first binding in a block around, a parameter. NULL when nothing in the
/// PrimFunc does; else `*out` is the name's span there, relative to that statement.
const RlxStmt *rlx_prim_name_definition(const RlxStmt *def, const RlxStmt *stmt, RlxName name,
                                        RlxSpan *out);

#endif
