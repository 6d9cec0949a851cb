/// TVMScript of a file's modules and functions as TVM prints them: in normal form, every binding
/// annotated, names made unique.
/// Always true: what is printed reads back as the same program; a function that could not be read
/// is printed as the script has it.
#ifndef RLX_ANALYZER_PRINT_H
#define RLX_ANALYZER_PRINT_H

#include "analyzer/state/file.h"
#include "analyzer/struct_info/ir.h"
#include "analyzer/tir/tir.h"

typedef enum RlxAnnotate {
  RLX_ANNOTATE_ALL,     ///< every binding, as TVM does
  RLX_ANNOTATE_MISSING, ///< where the right-hand side alone would not give it
  RLX_ANNOTATE_NONE,
} RlxAnnotate;

typedef struct RlxPrintOptions {
  RlxDialect dialect;
  RlxAnnotate annotate;
  /// def of the one function or class of the one module to print, without comments above, under its own
  /// name, a function at column 0; NULL: all
  const RlxStmt *only;
} RlxPrintOptions;

/// Appends header comments, then modules and functions in source order; the functions of a module
/// come PrimFuncs first, each kind by name, and a file's only module is called `Module` (TVM v0.25,
/// src/script/printer/ir and relax).
void rlx_file_print(RlxFile *file, const RlxPrintOptions *options, RlxBuf *out);

/// Appends an expression of kind RLX_EXPR_CONSTANT as TVM prints it: `R.const(1.0, "float32")`; `...`
/// for one whose value is not known.
void rlx_print_constant(RlxStore *store, const RlxExpr *constant, RlxBuf *out);

#endif
