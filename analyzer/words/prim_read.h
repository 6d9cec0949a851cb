/// Symbolic integers from text or syntax, outside of a function: for `rlx prove`, the REPL's
/// `:prove` and `:simplify`.
#ifndef RLX_ANALYZER_PRIM_READ_H
#define RLX_ANALYZER_PRIM_READ_H

#include "analyzer/symbolic/prim.h"
#include "analyzer/syntax/ast.h"
#include "base/error.h"

/// What a name stands for; NULL: nothing, which is an error.
typedef const RlxPrim *RlxPrimName(RlxStore *store, RlxName name, void *data);

/// The value of a Python expression over integers: + - * // % << >> & | ^, comparisons (chains,
/// too), and, or, not, `a if c else b`, and the calls min max abs floordiv floormod truncdiv
/// truncmod ceildiv if_then_else Select shift_left shift_right bitwise_and bitwise_or bitwise_xor
/// int32 int64, bare or behind a dot (`T.min`). NULL and `err` when it is anything else.
const RlxPrim *rlx_prim_from_ast(RlxStore *store, const RlxAst *ast, RlxPrimName *resolve,
                                 void *data, RlxError *err);

/// The same from text, which must be one expression.
const RlxPrim *rlx_prim_read(RlxStore *store, const char *text, RlxPrimName *resolve, void *data,
                             RlxError *err);

#endif
