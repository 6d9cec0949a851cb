/// What a deduction rule sees (ops/<family>.c): its call, the StructInfo of the arguments, and a
/// place to report. A rule returns the best StructInfo it knows, reports each mistake once, and
/// never fails. Arguments that are holes or tainted are handled before: a rule is not called with a
/// hole, and its reports are dropped when an argument is tainted.
#ifndef RLX_ANALYZER_DEDUCE_H
#define RLX_ANALYZER_DEDUCE_H

#include "analyzer/diag/diag.h"
#include "analyzer/ops/op_table.h"

struct RlxDeduce {
  RlxStore *store;
  RlxArena *scratch;     ///< rewound after the statement
  const RlxFacts *facts; ///< what is assumed here
  RlxSink *sink;
  /// functions, global infos of the module around; see module_view.h. May be NULL
  const struct RlxModuleView *module;
  bool failed;       ///< an error was reported by this rule
  bool is_open;      ///< Python alone knows something of the operands: is_undecided is wanted
  bool is_undecided; ///< it refused dimensions that are not shown to be equal, nor to be different
  /// StructInfo of the Relax variable that `var` stands for (the s of R.Tensor(s)), or NULL. May be
  /// NULL itself.
  const RlxSInfo *(*sinfo_of_var)(const RlxSymVar *var, void *data);
  void *data; ///< for sinfo_of_var
  /// the pair that rlx_rule_unequal found last: the next report names sizes for it
  const RlxPrim *unequal[2];
  int32_t fields_max; ///< tuples under a name that have more fields are not looked into; 0: all are
  uint64_t scope;     ///< of the function's Relax variables, for the symbols that stand for them in
                      ///< R.Tensor(s); 0: there are none
};

// ---- arguments. `i` is the parameter's index in the row.

/// True when the argument was given (not ABSENT, not None).
bool rlx_arg_given(const RlxCall *call, int i);
/// StructInfo of an expression argument; NULL when it has none (absent, None, not an expression).
const RlxSInfo *rlx_arg_sinfo(const RlxCall *call, int i);
/// StructInfo of a tensor argument. When it is not a tensor: reports ARGUMENT_KIND (once) and
/// returns NULL.
const RlxSInfo *rlx_arg_tensor(RlxDeduce *d, const RlxCall *call, int i);
/// Fields of a tuple-of-tensors argument; false (reported) when it is not one. `*out_count` -1: a
/// tuple value whose fields are not known.
bool rlx_arg_tensors(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *const **out,
                     int *out_count);
/// Values of a shape argument: true with `*dims` (NULL: only rank `*ndim` known, -1 unknown); false
/// (reported) when it is no shape.
bool rlx_arg_shape(RlxDeduce *d, const RlxCall *call, int i, const RlxPrim *const **dims,
                   int *ndim);
/// A symbolic integer; NULL when absent or not known (reported when of a wrong kind).
const RlxPrim *rlx_arg_prim(RlxDeduce *d, const RlxCall *call, int i);
/// the argument's, or the call's when it was not given
RlxSpan rlx_arg_span(const RlxCall *call, int i);

typedef enum RlxAttrState {
  RLX_ATTR_ABSENT,
  RLX_ATTR_OK,
  RLX_ATTR_UNKNOWN,
  RLX_ATTR_BAD
} RlxAttrState;
/// Attributes: OK with `*out`; ABSENT: None or not given and no default; UNKNOWN: depends on
/// Python; BAD: wrong kind (reported).
RlxAttrState rlx_attr_int(RlxDeduce *d, const RlxCall *call, int i, int64_t *out);
RlxAttrState rlx_attr_float(RlxDeduce *d, const RlxCall *call, int i, double *out);
RlxAttrState rlx_attr_bool(RlxDeduce *d, const RlxCall *call, int i, bool *out);
RlxAttrState rlx_attr_str(RlxDeduce *d, const RlxCall *call, int i, const char **out);
/// "void" and "" count as ABSENT. An unknown dtype name is BAD (reported DTYPE_UNKNOWN).
RlxAttrState rlx_attr_dtype(RlxDeduce *d, const RlxCall *call, int i, RlxDType *out);
/// Reports ARGUMENT_KIND for an int (or bool) where TVM's function takes a list alone; false after that.
bool rlx_need_list(RlxDeduce *d, const RlxCall *call, int i);
/// A list of ints; one int is a list of one. The array lives in d->scratch.
RlxAttrState rlx_attr_ints(RlxDeduce *d, const RlxCall *call, int i, const int64_t **out,
                           int *out_count);
/// Reports AXIS_RANGE: `axis` is not in first..ndim-1, where `first` is 0, or -ndim where axes count
/// from the back, too.
void rlx_fail_axis(RlxDeduce *d, const RlxCall *call, int i, int64_t axis, int ndim, int first);
/// One axis of a tensor of rank `ndim`, normalised to 0..ndim-1; BAD (reported AXIS_RANGE) when it is
/// out of range. With `ndim` -1, an unknown rank, it is not checked and may be negative.
RlxAttrState rlx_attr_axis(RlxDeduce *d, const RlxCall *call, int i, int ndim, int *out);
/// A list of distinct axes, normalised; reports AXIS_RANGE, AXIS_REPEATED.
RlxAttrState rlx_attr_axes(RlxDeduce *d, const RlxCall *call, int i, int ndim, const int **out,
                           int *out_count);

// ---- shared rules (rule.c)

/// Dimensions of a tensor: its own, or the known values of the Relax variable that is its shape;
/// NULL when not known.
const RlxPrim *const *rlx_rule_dims(RlxDeduce *d, const RlxSInfo *x);

/// The dtype of an arithmetic result (ARITH of ops.json): both dtypes when they are equal, unknown
/// when one of them is; reports DTYPE_MISMATCH when they differ.
RlxDType rlx_rule_dtype(RlxDeduce *d, const RlxCall *call, RlxDType a, RlxDType b);
/// The device of a result (VDEV of ops.json): that of both operands, or of the one that has one, NULL
/// when neither has; reports VDEVICE_MISMATCH when they differ.
const RlxVDevice *rlx_rule_vdevice(RlxDeduce *d, const RlxCall *call, const RlxVDevice *a,
                                   const RlxVDevice *b);
/// The broadcast shape (BROADCAST of ops.json). `*out` gets its dimensions, in d->scratch, or NULL
/// when they can't be decided; `*out_ndim` gets the rank, or -1 when it is not known. Reports
/// SHAPE_BROADCAST for two different constants of which neither is 1, and names the dimension.
void rlx_rule_broadcast(RlxDeduce *d, const RlxCall *call, const RlxSInfo *a, const RlxSInfo *b,
                        const RlxPrim *const **out, int *out_ndim);
/// Same tensor StructInfo with another dtype (shape variable kept).
const RlxSInfo *rlx_rule_with_dtype(RlxDeduce *d, const RlxSInfo *x, RlxDType dtype);
/// True when provably equal.
bool rlx_rule_equal(RlxDeduce *d, const RlxPrim *a, const RlxPrim *b);
/// True when provably different.
bool rlx_rule_unequal(RlxDeduce *d, const RlxPrim *a, const RlxPrim *b);
/// Product of `count` dims.
const RlxPrim *rlx_rule_product(RlxDeduce *d, const RlxPrim *const *dims, int count);
/// Text of a dimension, dtype or StructInfo for a message; lives in d->scratch.
const char *rlx_text_prim(RlxDeduce *d, const RlxPrim *p);
/// A StructInfo as messages say it; in scratch.
const char *rlx_text_sinfo(RlxDeduce *d, const RlxSInfo *a);
/// The same of a dtype.
const char *rlx_text_dtype(RlxDeduce *d, RlxDType t);
/// Relates `diag` to the operands of `call` that are variables: what they are, and where they are
/// bound.
void rlx_blame_operands(RlxStore *store, RlxSink *sink, RlxDiag *diag, const RlxCall *call);
/// Reports row `id` at argument `i`, or at the call when i < 0 or the argument was not given.
///
/// kinds  the arguments for {1}, {2}… as rlx_reportf takes them; {0} is the operator's spelling,
///        "R.add".
/// Returns the diagnostic, for related places and fixes; never NULL, owned by d->sink. Adds where
/// the operands come from to reports that compare them, and sizes that tell the last unequal pair
/// apart (RlxDeduce.unequal).
/// Sets d->failed: the call's result is then tainted, and what depends on it reports nothing. That
/// holds for every severity: a rule that only gives a hint, and whose result is right, uses
/// rlx_reportf(d->sink, …) instead.
RlxDiag *rlx_fail(RlxDeduce *d, const RlxCall *call, int i, RlxDiagId id, const char *kinds, ...);
/// Reports TUPLE_INLINE for each argument that must be written as a tuple in the call (op_table.h)
/// and is a value of tuple kind; the fix writes its fields.
void rlx_need_inline_tuples(RlxDeduce *d, const RlxCall *call);
/// Reports ARGUMENT_KIND for the first None given to a parameter that takes none: it is neither the
/// default nor said to be nullable.
void rlx_need_no_none(RlxDeduce *d, const RlxCall *call);
/// Reports WORD_UNKNOWN of each string that its row does not allow and its rule let pass, as TVM
/// does.
void rlx_note_words(RlxDeduce *d, const RlxCall *call);
/// Reports DIM_NEGATIVE when a dimension of `result`, what the call's rule gave, is a negative
/// number, and none of its operands has such a dimension.
void rlx_note_negative(RlxDeduce *d, const RlxCall *call, const RlxSInfo *result);
/// Reports ARGUMENT_KIND for a tensor of one device, or a scalar, beside an R.DTensor.
void rlx_need_distributed(RlxDeduce *d, const RlxCall *call);
/// Reports ARGUMENT_KIND for the first attribute that is no plain Python value of its parameter's
/// kind.
void rlx_need_kinds(RlxDeduce *d, const RlxCall *call);
/// Reports ARGUMENT_KIND for the first value that is neither a tuple nor expressions where a
/// parameter takes those, for a callee that is no function, and for attributes of a wrong kind.
void rlx_need_operands(RlxDeduce *d, const RlxCall *call);
/// Asks the rule of the operator that is called, and what is asked of all calls; gives the rule's result.
const RlxSInfo *rlx_deduce(RlxDeduce *d, const RlxCall *call);

#endif
