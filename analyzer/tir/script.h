/// From the syntax of a `@T.prim_func` to a PrimFunc: every spelling of the dialects (T.block /
/// T.sblock, match_buffer and Buffer parameters, T.axis.*, grids, lets). What is not understood
/// becomes a hole with a reason; nothing fails.
#ifndef RLX_ANALYZER_TIR_SCRIPT_H
#define RLX_ANALYZER_TIR_SCRIPT_H

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

#endif
