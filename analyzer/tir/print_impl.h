/// What the files that print PrimFuncs share.
#ifndef RLX_ANALYZER_TIR_PRINT_IMPL_H
#define RLX_ANALYZER_TIR_PRINT_IMPL_H

#include "analyzer/tir/print_names.h"
#include "analyzer/tir/tir.h"
#include "base/vec.h"

/// Python's binding strengths, weakest first.
enum {
  LEVEL_LOWEST,
  LEVEL_OR,
  LEVEL_AND,
  LEVEL_NOT,
  LEVEL_COMPARE,
  LEVEL_SHIFT,
  LEVEL_SUM,
  LEVEL_PRODUCT,
  LEVEL_UNARY,
  LEVEL_ATOM
};

typedef struct RlxTirPrinter {
  const RlxStore *store;
  const RlxPrimFunc *f;
  bool classic;
  RlxTirNames *type_vars;        // 0.27, or NULL
  Vec(const RlxTirVar *) locals; // 0.27: symbolic variables of the signature that are no TypeVar
  bool in_signature;             // 0.27
  bool is_only;                  // the statement is all that its suite has
  RlxTirMarks *marks;            // or NULL
  RlxBuf *out;
  int indent, deepest; // levels of the next line; those that a line may have
  bool is_too_deep;    // a line had more: no statement is printed behind it
  RlxPrintNames names; // of variables and buffers
  RlxMap params;       // the variables of the first `params_met` parameters
  int params_met;
  Vec(const RlxTirStmt *) loops; // around
} RlxTirPrinter;

// ---- print_expr.c

/// Gives `key` a name of its own: the hint's, or `otherwise`, with a number when it is taken.
const char *rlx_tir_print_define(RlxTirPrinter *p, const void *key, RlxName hint,
                                 const char *otherwise);
/// The name that `key` has; NULL: none yet.
const char *rlx_tir_print_name(const RlxTirPrinter *p, const void *key);
/// A buffer's name also names its pointer.
const char *rlx_tir_print_define_buffer(RlxTirPrinter *p, const RlxTirBuffer *b);
/// Ends the scopes whose names stand behind number `mark`.
void rlx_tir_print_leave(RlxTirPrinter *p, uint32_t mark);
/// The name of a variable, of a buffer; it gets one when it has none.
const char *rlx_tir_print_var(RlxTirPrinter *p, const RlxTirVar *var);
const char *rlx_tir_print_buffer(RlxTirPrinter *p, const RlxTirBuffer *b);
void rlx_tir_print_indent(RlxTirPrinter *p);
/// What this dialect calls it: up to 0.23, or since.
const char *rlx_tir_print_word(const RlxTirPrinter *p, const char *classic, const char *now);
void rlx_tir_print_call(RlxTirPrinter *p, const char *name, RlxTirExpr *const *args, int count);
void rlx_tir_print_string(RlxTirPrinter *p, const char *text, size_t size);
/// `A[i, j]`, and a region: `A[0:4, i]`.
void rlx_tir_print_element(RlxTirPrinter *p, const RlxTirBuffer *b, RlxTirExpr *const *indices);
/// An expression, in parentheses when it binds weaker than LEVEL_….
void rlx_tir_print_value(RlxTirPrinter *p, const RlxTirExpr *e, int level);
/// `(shape), "dtype"`, and what else is not as usual; `always` prints float32, too.
void rlx_tir_print_buffer_args(RlxTirPrinter *p, const RlxTirBuffer *b, bool always);
/// Equal in form.
bool rlx_tir_print_same_expr(const RlxTirExpr *a, const RlxTirExpr *b);
/// The end of a range, constants added up.
void rlx_tir_print_sum(RlxTirPrinter *p, const RlxTirExpr *begin, const RlxTirExpr *extent);
void rlx_tir_print_region(RlxTirPrinter *p, const RlxTirBuffer *b, RlxTirExpr *const *begin,
                          RlxTirExpr *const *extent);
/// A dictionary, its keys sorted.
void rlx_tir_print_annotations(RlxTirPrinter *p, const RlxTirAnnotation *items, int count);

#endif
