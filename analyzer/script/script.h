/// From the syntax of a `@T.prim_func` to a PrimFunc: every spelling of the dialects (T.block /
/// T.sblock, match_buffer and Buffer parameters, T.axis.*, grids, lets). What is not understood
/// becomes a hole with a reason; nothing fails.
#ifndef RLX_ANALYZER_SCRIPT_H
#define RLX_ANALYZER_SCRIPT_H

#include "analyzer/diag/diag.h"
#include "analyzer/state/file.h"
#include "analyzer/struct_info/ir.h"
#include "analyzer/syntax/ast.h"
#include "analyzer/tir/tir.h"
#include "base/vec.h"

/// Names from around the function: module-level Python constants. May be NULL.
typedef struct RlxTirOuter {
  /// The value of `name`; false when nothing binds it. UNKNOWN: bound, but only Python knows.
  bool (*lookup)(RlxName name, RlxValue *out, void *data);
  void *data;
  /// RlxDialect; with the others than 0.25 and 0.27 only what all refuse is a mistake.
  uint8_t dialect;
  bool may_be_025, may_be_027; ///< a script of that dialect: what one of them accepts is no mistake
  /// The PrimFunc `name` of the module `module` around; NULL: none. May be NULL.
  const RlxStmt *(*function)(RlxName module, RlxName name, void *data);
  /// T.alloc_buffer in a loop is memory of an iteration, as from 0.25 on; else of the block around.
  bool places_allocs;
  bool keeps_allocs; ///< and a T.alloc_buffer elsewhere is told from memory of a block
  /// `x = value` stores to a buffer of shape (1,), as from 0.25 on; else it is a new name.
  bool stores_by_name;
  bool inlines; ///< calls of PrimFuncs are replaced by what they do; else they are not understood
} RlxTirOuter;

typedef struct RlxTirIssue { ///< something that was not understood, or that TVM refuses
  RlxSpan span;              ///< relative to the def statement's first byte
  const char *message;       ///< in the PrimFunc's arena
  const RlxDiag *diag; ///< what TVM refuses, in the same arena; NULL: only not understood here
} RlxTirIssue;
typedef Vec(RlxTirIssue) RlxTirIssues;

/// The PrimFunc of `def` (a RLX_STMT_DEF); never NULL, the caller frees it. Issues are appended to
/// `issues` (may be NULL).
RlxPrimFunc *rlx_primfunc_lower(RlxStore *store, const RlxStmt *def, const RlxTirOuter *outer,
                                RlxTirIssues *issues);
/// The same for a PrimFunc of an open file, whose module-level names it sees.
RlxPrimFunc *rlx_file_primfunc(RlxFile *file, const RlxStmt *def, RlxTirIssues *issues);
/// The same with allocations where the caller says: as written, or as TVM's parser places them.
RlxPrimFunc *rlx_file_primfunc_placed(RlxFile *file, const RlxStmt *def, bool places_allocs);
/// The same to be run: a call of another PrimFunc of its module is replaced by what that does. A
/// call that does not fit, or goes round in a circle, is a hole.
RlxPrimFunc *rlx_file_primfunc_inlined(RlxFile *file, const RlxStmt *def);
/// The PrimFunc `name` of the module `module` that `def` stands in ("cls" is it, too); NULL: none.
const RlxStmt *rlx_file_sibling(RlxFile *file, const RlxStmt *def, RlxName module, RlxName name);

#endif
