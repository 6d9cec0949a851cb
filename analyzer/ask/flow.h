/// Who makes a value and who takes it: the queries of the t-anf normal form (spec 2.2) on any
/// script. Aliases, tuple literals and tuple accesses are looked through, so that producers and
/// consumers are one hop away whatever form the script has.
#ifndef RLX_ANALYZER_FLOW_H
#define RLX_ANALYZER_FLOW_H
#include "analyzer/ask/questions.h"

/// A binding, or the `return` that takes a value (binding NULL).
typedef struct RlxFlow {
  const RlxBinding *binding;
  const RlxStmt *stmt;
  const RlxExpr *value; ///< what reads: the binding's value, or what is returned
  RlxSpan span;         ///< absolute: the bound name, or the whole statement
} RlxFlow;
typedef Vec(RlxFlow) RlxFlows;

/// The bindings whose calls, branches, casts or local functions made what `var` holds; of a tuple
/// literal those of its fields. Empty for parameters. Appends to `out`, each once; valid until the
/// next edit.
void rlx_file_producers(RlxFile *file, const RlxVar *var, RlxFlows *out);
/// What takes the value of `var`, itself, under another name, or out of a tuple: calls, conditions,
/// casts, returns; and what has StructInfo that mentions it (`y: R.Tensor(s)` depends on `s`). In
/// source order. Costs a pass over the function.
void rlx_file_consumers(RlxFile *file, const RlxVar *var, RlxFlows *out);
/// The other variables of the function that hold the same value: `y = x`, `(x, z)[0]`. Costs a pass
/// over the function.
void rlx_file_aliases(RlxFile *file, const RlxVar *var, RlxVars *out);
/// Is called with a variable, or an access to a field of one, that an expression reads; `label`
/// (NULL: none) says what it is there: a parameter of the operator, "callee", "condition".
typedef void RlxReadFn(void *data, const RlxExpr *leaf, const char *label);
/// Calls `each` for what evaluating `x` itself reads, in order: not what the branches of an `if` or
/// the body of a function do.
void rlx_expr_reads(const RlxExpr *x, RlxReadFn *each, void *data);
/// Memory that a value lives in: what `var` was bound to by a call, an `if` or as a parameter, or
/// field `field` of that tuple; -1: all of it.
typedef struct RlxMemory {
  const RlxVar *var;
  int64_t field;
} RlxMemory;
typedef void RlxMemoryFn(void *data, RlxMemory memory);
/// Calls `each` for the memory that the value of `leaf` (a variable, an access, a tuple) certainly
/// lives in: other names, tuple literals, accesses and match_casts are looked through. A call's
/// result is memory of its own, whatever the call does. At most some thousand calls.
void rlx_expr_memory(const RlxExpr *leaf, RlxMemoryFn *each, void *data);
/// The variables that the value bound to `var` is computed from, as its call, cast or condition
/// names them. Appends to `out`.
void rlx_file_operands(RlxFile *file, const RlxVar *var, RlxVars *out);

#endif
