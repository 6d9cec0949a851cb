/// The evaluation of one statement, as TVM's parser evaluates it.
#ifndef RLX_ANALYZER_EVAL_H
#define RLX_ANALYZER_EVAL_H

#include "analyzer/eval/locals.h"
#include "analyzer/ops/deduce.h"
#include "analyzer/state/state.h"

typedef struct RlxSymbolUse {
  const RlxDef *def;
  RlxSpan span;
} RlxSymbolUse;

/// What evaluation asks of files above it; the analyzer hands it in (RlxAnalyzer.hooks).
typedef struct RlxEvalHooks {
  /// Value of a name bound outside of islands, as rlx_outer_lookup gives it.
  bool (*outer_value)(RlxFile *file, const RlxStmt *from, RlxName name, RlxValue *out);
  /// Makes a function's signature known, as rlx_fn_signature does.
  void (*sign)(RlxFn *fn);
  /// A constant of another module, as rlx_imported_value and rlx_imported_star give it.
  bool (*imported)(RlxFile *file, const char *path, RlxValue *out, RlxImportOrigin *origin);
  bool (*imported_star)(RlxFile *file, RlxName name, RlxValue *out, RlxImportOrigin *origin);
  /// Opens and closes the document of a module that was read.
  RlxFile *(*open)(RlxAnalyzer *analyzer, const char *text, uint32_t size);
  void (*close)(RlxFile *file);
} RlxEvalHooks;

/// What the expression that comes next in a signature stands for.
typedef enum RlxRole {
  RLX_ROLE_VALUE,     ///< anything else: a dtype, a rank, a whole shape, an annotation
  RLX_ROLE_SHAPE,     ///< a shape: what a list has here are dimensions
  RLX_ROLE_DIMENSION, ///< a dimension: Python has no name of it, a string has
  RLX_ROLE_TERM,      ///< a part of a dimension
  RLX_ROLE_TENSOR     ///< a parameter of the function (R.SparseCSR)
} RlxRole;

/// The evaluation of one statement (or header, or outer value).
typedef struct RlxEval {
  RlxFile *file;
  RlxAnalyzer *analyzer;
  RlxStore *store;
  RlxFn *fn;       ///< NULL: outside
  RlxEnv *env;     ///< NULL: outside
  RlxArena *arena; ///< of results
  RlxSink *sink;
  const RlxStmt *stmt;
  RlxAnalysis *unit; ///< or NULL
  Vec(RlxName) reads;
  Vec(RlxName) outer_reads;
  RlxListed is_read, is_outer_read; ///< of these two
  Vec(RlxBinding *) bindings;
  Vec(RlxDef) defs;
  Vec(RlxVar *) vars;
  RlxLocals locals;
  uint32_t comprehensions;        ///< that are being evaluated, one in the other
  const RlxStmt *array_stmt;      ///< whose arrays are counted:
  uint32_t array_elements;        ///< how many elements were made for it (arrays_value.c)
  uint32_t steps;                 ///< of the outermost of them so far (RLX_MAX_STEPS)
  Vec(RlxSymbolUse) unbound_uses; ///< of symbolic variables that have no value yet
  Vec(const RlxSInfo *) patterns; ///< of the match_casts: what is bare in them gets its value here
  const RlxFacts *facts;          ///< what holds here
  Vec(RlxFacts) learned;          ///< what holds behind this statement as well
  bool is_signature;        ///< strings and free names in dimensions define symbolic variables
  bool is_parameter;        ///< what a parameter is annotated with
  bool is_annotation;       ///< or an annotation's word among arguments: `type_args=R.Tensor(…)`
  bool is_decorator;        ///< Python runs it, outside of all functions of TVM
  RlxDialect outer_dialect; ///< with is_decorator: what stands there is of this dialect
  RlxTaint tainted;         ///< something evaluated was already reported or is unknown
  bool annotation_is_open;  ///< something in the statement's annotation is known to Python alone
  bool in_dataflow;
  bool is_callee; ///< the name that is looked up is called
  bool
      in_lambda; ///< what a lambda or a comprehension gives is evaluated, which Python compiles as a whole
  bool takes_scalar; ///< the value that comes next may be a scalar of numpy's, which most places
                     ///< know as little of as of any other object
  bool allow_free;   ///< free names in dimensions are symbolic variables (R.Tensor[(n, m), "f32"])
  RlxRole role;      ///< of what is evaluated next; VALUE outside of signatures
  RlxSpan dimension; ///< with RLX_ROLE_TERM: the whole dimension
  bool impure, is_volatile;
  bool is_meta; ///< the value that comes is what I.meta_var holds, and is to be assigned
  const RlxAst *script_call; ///< the last call of T.name whose value is not known; NULL: none
  bool annotation_failed;    ///< the annotation of the statement contradicts its value
  uint32_t depth;
  RlxName
      common_name; ///< a name of TVMScript's that statements of `common_block` looked up in this
                   ///< sweep: `R` stands in each of them
  const RlxBlock *common_block; ///< or NULL
  RlxValue common;              ///< what the name stands for
  RlxMap kept;                  ///< name → RlxAnalysis: the dataflow block before that keeps it
  uint32_t kept_blocks;         ///< compound statements of the function that are noted there
  uint32_t branch_looks;        ///< names that were looked for in the blocks of branches
  uint32_t missing_count;       ///< names that nothing binds, of this sweep so far
  Vec(const RlxStmt *)
      forcing;        ///< statements of the function's suite that say something of relax.force_pure
  bool knows_forcing; ///< these were looked for in this sweep
  uint32_t broken_from; ///< 1 + where what does not parse begins in the function; 0: not looked up
} RlxEval;

// ---- eval.c: the state of an evaluation
/// Begins the evaluation of `stmt`; `fn` NULL: outside of islands. Results go to `arena`, reports
/// to `sink`; both stay the caller's. rlx_eval_deinit frees what the evaluation itself keeps.
void rlx_eval_init(RlxEval *e, RlxFile *file, RlxFn *fn, const RlxStmt *stmt, RlxArena *arena,
                   RlxSink *sink);
/// Frees what the evaluation itself keeps; results stay in the arena.
void rlx_eval_deinit(RlxEval *e);
/// Reports `id` at `span` of the statement; `kinds` and what follows as in rlx_reportf. An error
/// taints the evaluation.
RlxDiag *rlx_eval_report(RlxEval *e, RlxDiagId id, RlxSpan span, const char *kinds, ...);
/// The island is in tlc-pack's dialect, where names, shapes and purity follow other rules.
static inline bool rlx_eval_is_tlc(const RlxEval *e) {
  return e->fn && e->fn->dialect == RLX_DIALECT_TLC;
}
/// From 0.26 on a scalar variable is an integer among integers.
static inline bool rlx_eval_is_027(const RlxEval *e) {
  return e->fn && e->fn->dialect == RLX_DIALECT_027;
}
/// The statement reads `name`: it is analysed again when that means something else. `outer`: the
/// name stands outside of the function.
void rlx_note_read(RlxEval *e, RlxName name, bool outer);
/// A symbolic variable of the function around the one that is evaluated has no value there, unless
/// its parameters or a match_cast give it one.
void rlx_note_captured(RlxEval *e, const RlxDef *def, RlxSpan span);
/// The name under which the attribute `key` of the function is remembered: none that a script can
/// write.
RlxName rlx_attr_mark(RlxEval *e, const char *key);
/// The statement binds `name` to `value` from here on.
void rlx_define(RlxEval *e, RlxName name, RlxValue value, RlxSpan span);
/// The symbolic variables that a pattern of this statement or a parameter of the function gives a value, as
/// keys; the caller frees the map.
RlxMap rlx_eval_bound_vars(const RlxEval *e);
/// Whether the statement uses a symbolic variable that neither it nor a parameter gives a value.
bool rlx_eval_has_unbound(const RlxEval *e);
/// What the evaluated statement knows of a function: what its body gives when it stands before the
/// function around the statement, else what is declared, an absent annotation being Object. The
/// reference's rule; it also makes recursion end. Object to signatures and to what stands outside
/// of functions.
const RlxSInfo *rlx_fn_sinfo(const RlxEval *e, RlxFn *fn);

// ---- value.c: values, nothing evaluated
/// These make values and cannot fail; `span` is relative to the statement, and none means the whole
/// of it.
RlxValue rlx_value_none(void);
RlxValue rlx_value_unknown(RlxSpan span);
RlxValue rlx_value_expr(RlxExpr *expr);
RlxValue rlx_value_of_int(int64_t value, RlxSpan span);
RlxValue rlx_value_of_float(double value, RlxSpan span);
RlxValue rlx_value_of_bool(bool value, RlxSpan span);
RlxValue rlx_value_of_prim(const RlxPrim *prim, RlxSpan span);
/// UNKNOWN; what depends on it stays silent.
RlxValue rlx_eval_failed(RlxEval *e, RlxSpan span);
/// The same for a string of which nothing but its type is known (`str(x)`).
RlxValue rlx_unknown_string(RlxEval *e, RlxSpan span);
bool rlx_is_unknown_string(const RlxValue *v);
/// The letters of a string as a list; UNKNOWN: it is not plain ASCII, or is long.
RlxValue rlx_letters(RlxEval *e, const RlxValue *v);
/// The same for what a function of T gives: an expression of TensorIR, and no value of Relax up to 0.25.
RlxValue rlx_script_value(RlxEval *e, RlxSpan span);
bool rlx_is_script_value(const RlxValue *v);
/// A Python int, float or bool as a number; false: the value is none.
bool rlx_value_as_number(const RlxValue *v, double *out);
/// False: the value is no Python integer.
bool rlx_value_as_integer(const RlxValue *v, int64_t *out);
/// Python's truth of a value; false: it can't be known here.
bool rlx_value_truth(const RlxValue *v, bool *out);
/// A dimension or PrimValue out of a value; NULL when it is none.
const RlxPrim *rlx_value_prim(RlxEval *e, const RlxValue *v);
/// `dim` as it stands in a shape: a number of another dtype becomes an int64, as TVM's ShapeExpr has
/// it; its variables are marked as those of dimensions.
const RlxPrim *rlx_as_dimension(RlxEval *e, const RlxPrim *dim);
/// Whether a dimension over variables has another dtype than int64, which Relax refuses.
bool rlx_dim_is_narrow(const RlxEval *e, const RlxPrim *dim);
/// Whether the value is a scalar of Relax that can be no dimension: any in 0.25, where dimensions are
/// symbolic variables; in 0.27 one of another dtype than int64.
bool rlx_dim_is_variable(const RlxEval *e, const RlxValue *v);
/// What an OTHER is called that is an integer of more than 64 bits.
extern const char rlx_big_int_text[];
/// The text of an OTHER that R.device_mesh gives; its `count` is the number of axes and one more, or 0: not known.
extern const char rlx_mesh_text[];
/// Whether an OTHER is an object of Python's that has no items and can't be called.
bool rlx_is_plain_object(const RlxValue *v);
/// Whether a value is certainly no argument that TVM converts to `kind`.
bool rlx_word_is_other(const RlxValue *v, RlxValueKind kind);
/// The same of an argument that is handed to TVM as it stands, where no expression becomes an int or a string, nor an integer of
/// more than 64 bits an int.
bool rlx_word_is_no(const RlxValue *v, RlxValueKind kind);
/// What an OTHER is called that is an object of TensorIR, but no expression.
extern const char rlx_script_object_text[];
/// What an OTHER is called that T.target gives.
extern const char rlx_target_text[];
/// What an OTHER is called that is written as bytes.
extern const char rlx_bytes_text[];
static inline bool rlx_is_bytes(const RlxValue *v) {
  return v->kind == RLX_VALUE_OTHER && v->text == rlx_bytes_text;
}
/// What an OTHER is called that is a lambda under a name: what is in it belongs to the statement that bound it.
extern const char rlx_lambda_text[];
static inline bool rlx_is_named_lambda(const RlxValue *v) {
  return v->kind == RLX_VALUE_OTHER && v->text == rlx_lambda_text;
}
/// What a message calls a value; lives in the evaluation's arena.
const char *rlx_value_text(RlxEval *e, const RlxValue *v);
/// A constant of which nothing but Python knows the shape or dtype.
bool rlx_expr_is_unknown_constant(const RlxExpr *x);
/// Frees what was read of texts with constants (metadata.c).
void rlx_metadata_free(RlxAnalyzer *a);
typedef struct RlxPyArg {
  RlxName keyword; ///< 0: positional
  RlxValue value;
  RlxSpan span; ///< of the whole argument
  RlxSpan keyword_span;
} RlxPyArg;
typedef struct RlxPyArgs {
  RlxPyArg *at;
  uint32_t count;
  bool is_unknown; ///< a splat that only Python knows
} RlxPyArgs;
/// Argument of a vocabulary call by position or keyword; NULL when absent.
const RlxValue *rlx_py_arg(RlxEval *e, const RlxPyArgs *args, uint32_t position,
                           const char *keyword);

// ---- blame.c
/// Relates a report about argument `bad` to the arguments that say what the callee's variables are:
/// "n is 2: dimension 0 of this argument". `span_of(i)` gives the place of argument i, relative to
/// the statement.
void rlx_blame_bindings(RlxEval *e, RlxDiag *diag, const RlxSInfo *func,
                        const RlxSInfo *const *args, int count, int bad,
                        RlxSpan (*span_of)(const RlxExpr *call, int i), const RlxExpr *call);
/// Notes what would mend `diag`, a report that the argument `x` (may be NULL) is not what is expected: that the one dimension in which they
/// differ were declared as expected, where `x` is a parameter.
void rlx_wish_argument(RlxEval *e, RlxDiag *diag, const RlxExpr *x, const RlxSInfo *expected);
/// A mistake in an argument that stands on a later line is reported where the call begins, `head`,
/// which is the line that readers and suppressions mean; the argument becomes a related place.
/// Treats the reports of the sink from index `from` on.
void rlx_blame_call(RlxEval *e, RlxSpan head, uint32_t from);

// ---- open.c: what Python alone knows
/// A stand-in for item `i` of the dimensions `list`, of which Python alone knows the value: one symbolic
/// variable for all places of the function with the item's text. NULL: two such places may mean two numbers (a
/// call), the item does not stand in the list as it is written, something was reported, or there is no function.
const RlxPrim *rlx_open_dimension(RlxEval *e, const RlxValue *list, uint32_t i);
/// Asks the rule of `call`, of whose operands something is known to Python alone, and gives its result: NULL
/// where that hangs on what is not known. What it reports goes to the evaluation's sink where it holds for every
/// value; `*failed`: it reported something. `d` is what the rule is given, its sink set here.
const RlxSInfo *rlx_open_deduce(RlxEval *e, RlxDeduce *d, const RlxCall *call, bool *failed);

// ---- deduction.c
/// Asks the rule of the operator that `x` calls, its operands converted and without holes: gives
/// `x` its StructInfo. What the rule reports taints; its reports are dropped where the evaluation
/// is tainted already.
RlxValue rlx_deduce_call(RlxEval *e, RlxExpr *x);

// ---- evaluate.c
/// What an operator sees of a lambda: a LIST of its parameters (PRIM) and of what it gives for
/// them; OTHER when it has *args.
RlxValue rlx_lambda_value(RlxEval *e, const RlxAst *lambda);
/// What a lambda that is called where it stands gives: what it names, or a value of Python's. UNKNOWN: Relax makes it there, or an argument is lost.
RlxValue rlx_lambda_call(RlxEval *e, const RlxAst *lambda, const RlxPyArgs *args, RlxSpan span);
/// What a value stands for where an annotation is wanted, or a part of one: TVM calls a function without parameters, as in
/// `lambda: R.Tensor((2,))`, and makes nothing of a class that it gives. Any other value is itself.
RlxValue rlx_lambda_annotation(RlxEval *e, RlxValue v);
/// The value of an expression. Never fails: what is wrong is reported once and gives UNKNOWN.
RlxValue rlx_eval(RlxEval *e, const RlxAst *ast);
/// As rlx_eval, of what stands before a dot, a bracket or an argument list: there the path of a
/// module or of something inside of it is kept as a path.
RlxValue rlx_eval_head(RlxEval *e, const RlxAst *ast);
/// StructInfo of an annotation expression; NULL when it is none (reported).
const RlxSInfo *rlx_annotation(RlxEval *e, const RlxAst *ast);
/// Python's binary operator on two values (numbers, symbolic integers, tensors).
RlxValue rlx_eval_binary(RlxEval *e, uint8_t op, RlxValue a, RlxValue b, RlxSpan span);
/// `a op b` as it is written.
RlxValue rlx_eval_operands(RlxEval *e, const RlxAst *ast);
/// The lookup of a bare name.
RlxValue rlx_eval_name(RlxEval *e, RlxName name, RlxSpan span);
/// The value of `x[…]`, an annotation's items included; UNKNOWN after a report.
RlxValue rlx_eval_subscript(RlxEval *e, const RlxAst *ast);

// ---- eval_call.c
/// The value of a call: of an operator, a function, a word of the vocabulary, Python's own.
RlxValue rlx_eval_call(RlxEval *e, const RlxAst *ast);

// ---- arrays*.c: numpy
/// Value of a call of numpy or of TVM's runtime that makes an array; UNKNOWN (tainting) when it is
/// another call.
RlxValue rlx_array_call(RlxEval *e, const char *path, const RlxPyArgs *args, RlxSpan span);
/// Attribute of an ARRAY or LIMITS.
RlxValue rlx_array_attribute(RlxEval *e, const RlxValue *base, RlxName name, RlxSpan span);
/// Whether numpy has `name` behind the path `path`, or the path is none of numpy's two namespaces
/// that are known; false taints, and was reported at `span`.
bool rlx_array_has_attribute(RlxEval *e, const char *path, const char *name, RlxSpan span);
/// Whether arrays have a method of this name that rlx_array_method knows.
bool rlx_array_is_method(const char *name);
/// array.astype(…), array.reshape(…).
RlxValue rlx_array_method(RlxEval *e, const RlxMethod *method, const RlxPyArgs *args, RlxSpan span);
/// Python's operators where at least one operand is an ARRAY and none is a Relax expression.
RlxValue rlx_array_binary(RlxEval *e, uint8_t op, const RlxValue *a, const RlxValue *b,
                          RlxSpan span);
RlxValue rlx_array_unary(RlxEval *e, uint8_t op, const RlxValue *a, RlxSpan span);
/// One item between the brackets of `a[…]`.
typedef struct RlxArrayIndex {
  enum { RLX_INDEX_UNKNOWN, RLX_INDEX_INT, RLX_INDEX_SLICE, RLX_INDEX_NEW, RLX_INDEX_REST } kind;
  int64_t bounds[3]; ///< of an int: the first
  bool has[3];       ///< of a slice: which of its three are given
} RlxArrayIndex;
RlxValue rlx_array_subscript(RlxEval *e, const RlxValue *base, const RlxArrayIndex *at, int count,
                             RlxSpan span);
/// R.const of an ARRAY; `dtype` as given there, or unknown.
RlxExpr *rlx_array_constant(RlxEval *e, const RlxValue *v, RlxDType dtype, RlxSpan span);
/// Whether a `for` of the comprehension binds the name.
bool rlx_generator_binds(const RlxAst *generator, RlxName name);
/// An UNKNOWN array of which rank or dtype are known (`np.zeros((N, 4))` of an imported N).
static inline bool rlx_array_is_partial(const RlxValue *v) {
  return v->kind == RLX_VALUE_UNKNOWN && v->is_bare;
}
/// R.const of such a value.
RlxExpr *rlx_array_partial_constant(RlxEval *e, const RlxValue *v, RlxDType dtype, RlxSpan span);

// ---- statement_calls.c: they report what TVM refuses, and give nothing
/// R.output(a, b): these variables survive the dataflow block. `args` are the call's, evaluated.
void rlx_call_output(RlxEval *e, const RlxAst *call, const RlxPyArgs *args);
/// R.func_attr({...}): what the analyzer needs of it is defined under rlx_attr_mark.
void rlx_call_func_attr(RlxEval *e, const RlxAst *call, const RlxPyArgs *args);

// ---- topi.c
/// R.emit_te(topi.add, x, x): a hole with the StructInfo that the named function gives; UNKNOWN
/// (tainting) for any other function.
RlxValue rlx_topi_emit(RlxEval *e, const RlxPyArgs *args, RlxSpan span, RlxSpan name_span);
/// The function of topi that a path means, "exp" of "tvm.topi.math.exp", inside of the path; NULL: it means none.
const char *rlx_topi_name(const char *path);
/// Whether a keyword steers R.emit_te itself and does not reach the function.
bool rlx_topi_steers(const char *keyword);

// ---- expr.c: making expressions
/// A zeroed expression of this kind; this and those below live in the evaluation's arena.
RlxExpr *rlx_expr_new(RlxEval *e, RlxExprKind kind, RlxSpan span, const RlxSInfo *sinfo);
/// A function of the file as a value.
RlxExpr *rlx_expr_function(RlxEval *e, RlxFn *fn, RlxSpan span);
/// What can't be known here, an Object; taints.
RlxExpr *rlx_expr_hole(RlxEval *e, RlxSpan span);
/// Whether nothing is known of the expression. A hole whose StructInfo is known is the result of what Python calls
/// (`R.emit_te(topi.abs, x)`): a value like any other.
static inline bool rlx_expr_is_unknown(const RlxExpr *x) {
  return x->kind == RLX_EXPR_HOLE && x->sinfo->kind == RLX_SINFO_OBJECT;
}
/// Whether it is a variable that was reported where it is bound.
static inline bool rlx_expr_is_reported(const RlxExpr *x) {
  return x->kind == RLX_EXPR_VAR && x->var->is_tainted;
}
/// A use of `var`, with its StructInfo; taints when the variable is tainted.
RlxExpr *rlx_expr_var(RlxEval *e, RlxVar *var, RlxSpan span);
/// The Relax expression a value stands for; NULL (nothing reported) when it is none. UNKNOWN gives
/// a hole.
RlxExpr *rlx_expr_of(RlxEval *e, const RlxValue *v);
/// The tuple of `fields`; NULL where that would be too deep (RLX_SINFO_DEPTH_MAX).
const RlxSInfo *rlx_tuple_not_too_deep(RlxStore *store, const RlxSInfo *const *fields,
                                       uint32_t count);
/// A tuple of `fields`, which are not copied.
RlxExpr *rlx_expr_tuple(RlxEval *e, RlxExpr **fields, uint32_t count, RlxSpan span);
/// tuple[index]. Reports an index out of range and what is no tuple; then a hole. `span.end` 0: a
/// field of a tuple literal is given as it is.
RlxExpr *rlx_expr_get(RlxEval *e, RlxExpr *tuple, int64_t index, RlxSpan span, RlxSpan index_span);
/// A constant tensor of a number or of nested lists; `dtype` unknown: int32, float32 or bool. NULL,
/// nothing reported, when `v` is none.
RlxExpr *rlx_expr_constant(RlxEval *e, const RlxValue *v, RlxDType dtype, RlxSpan span);
/// R.shape([…]) of a list of dimensions; NULL, nothing reported, when an item is none. What only
/// Python knows makes a hole with the rank.
RlxExpr *rlx_expr_shape(RlxEval *e, const RlxValue *list, RlxSpan span);
/// Reports a packed function where a value is expected.
void rlx_value_callee(RlxEval *e, const RlxExpr *x);
/// Reports each item of a list for which rlx_expr_shape refused it; nothing when the statement is
/// tainted. The first report taints, so there is one.
void rlx_shape_report(RlxEval *e, const RlxValue *list);

// ---- annotate.c
/// `T.float32` makes values of a dtype and is none. False: it is something else; else it is reported as argument `param` of `what`,
/// with the dtype's name as fix.
bool rlx_dtype_maker_report(RlxEval *e, const char *what, const char *param, const RlxValue *v);
/// Reports that there is no dtype `text`; the fix takes the nearest.
void rlx_dtype_report(RlxEval *e, RlxSpan span, const char *text);
/// StructInfo that a value stands for; NULL when it is none, nothing reported.
const RlxSInfo *rlx_value_sinfo(RlxEval *e, const RlxValue *v);
/// Whether the StructInfo is a type of TVM already (`T.Tuple(…)` of 0.27), which neither a parameter nor another
/// annotation takes.
static inline bool rlx_value_is_type(const RlxValue *v) {
  return v->kind == RLX_VALUE_SINFO && v->is_python;
}
/// A call of R.Tensor and other annotations: a SINFO. Reports arguments that are wrong, and makes
/// of the rest what it can.
RlxValue rlx_eval_sinfo_call(RlxEval *e, RlxWord word, const RlxPyArgs *args, RlxSpan span);
/// `R.Tensor[(n, m), "f32"]` of the oldest dialects.
RlxValue rlx_eval_sinfo_subscript(RlxEval *e, RlxWord word, const RlxValue *items, uint32_t count,
                                  RlxSpan span);
// ---- dimension_text.c
/// What the body's first statements declare the variable of R.Prim(value="m") as.
RlxDType rlx_declared_dtype(const RlxEval *e, RlxName name);
/// Symbolic expression in a string dimension; NULL when it is not one.
const RlxPrim *rlx_prim_parse_text(RlxEval *e, const char *text, RlxSpan span);
/// What a term of a dimension is, `N` or `cfg.sizes[0]` as it is written, not terminated; NULL: nothing that a
/// dimension is made of.
typedef const RlxPrim *RlxTermOf(RlxEval *e, const char *text, uint32_t size);
/// The same of a dimension that is written as Python has it: sums, products and whole quotients of terms.
const RlxPrim *rlx_prim_parse_terms(RlxEval *e, const char *text, RlxTermOf *term);
/// Of the dimensions that the first statements fix (`n = T.int64(4)`): the signature depends on
/// them.
uint64_t rlx_fn_fixed_hash(const RlxFn *fn);
/// The symbolic variable `name` of the function that is evaluated; in a signature it is declared by
/// this. A local function's signature declares its own, also where a function around it has one of
/// that name.
const RlxPrim *rlx_fn_symbol(RlxEval *e, RlxName name, RlxDType dtype);

// ---- learn.c
/// Notes for the statements behind this one that `condition` holds.
void rlx_learn_condition(RlxEval *e, const RlxPrim *condition, const char *origin);
/// Notes that a reshape keeps the number of elements, so that n // 4 rows of 4 mean that 4 divides
/// n.
void rlx_learn_reshape(RlxEval *e, const RlxSInfo *before, const RlxSInfo *after);
/// Notes that a value of StructInfo `value` matched `pattern`.
void rlx_learn_cast(RlxEval *e, const RlxSInfo *pattern, const RlxSInfo *value, const char *origin);

// ---- calls.c
/// False, and reported: an argument that is a string stands where an operator takes none, whatever its letters are.
bool rlx_op_texts_check(RlxEval *e, const RlxOpRow *row, const RlxPyArgs *args);
/// A call of an operator: binds the arguments to the row's parameters, converts them, deduces.
/// UNKNOWN after a report about the arguments. `span`: the call; `name_span`: the operator's name
/// in it.
RlxValue rlx_call_op(RlxEval *e, const RlxOpRow *row, RlxPyArgs *args, RlxSpan span,
                     RlxSpan name_span);
/// Reports arguments that are strings of which no more is known, where the function takes none; false: it did.
bool rlx_function_texts_check(RlxEval *e, const RlxExpr *callee, const RlxPyArgs *args);
/// A call of a function, or of what should be one. The same spans; reports arguments that do not
/// fit, and impure calls where they may not stand.
RlxValue rlx_call_function(RlxEval *e, RlxExpr *callee, RlxPyArgs *args, RlxSpan span,
                           RlxSpan name_span);
/// A call of row with given expressions (infix operators).
RlxValue rlx_call_op_values(RlxEval *e, const RlxOpRow *row, RlxValue *values, uint32_t count,
                            RlxSpan span, RlxSpan name_span);

// ---- missing.c
/// Where syntax errors stand, as far as other functions ask: 1 anywhere, 2 outside of functions.
uint8_t rlx_missing_places(const RlxFile *file);

/// Whether `name`, which nothing binds, is a namespace of TVM that the file would have to import: Python runs a
/// file that imports others. Printed text has no imports, and all namespaces are there.
bool rlx_missing_import(RlxEval *e, const char *name);

/// Whether a syntax error may be why a name is missing: one above in this function, or one outside
/// of functions where the name occurs there. For a function of the module: any, where the file has
/// a `def` of that name.
bool rlx_missing_is_broken(RlxEval *e, const char *name, bool is_function);

/// Adds to a report of a name that `block` keeps: where it is bound, and the fix that makes it an
/// output; none where the block has a `return`, or its outputs before the name.
void rlx_missing_leak(RlxEval *e, RlxDiag *diag, const RlxAnalysis *block, RlxName name);

/// Adds to a report of a name that is not defined where else the function binds it: below, or in a
/// branch.
void rlx_missing_elsewhere(RlxEval *e, RlxDiag *diag, RlxName name);

/// The dataflow block that keeps a name to itself.
typedef struct RlxMissingKept {
  const RlxAnalysis *block; ///< NULL: no block that the sweep has passed keeps it
  bool is_reported;         ///< the block's R.output was reported, which says enough
} RlxMissingKept;
/// Which block keeps `name`; looks at blocks once a sweep.
RlxMissingKept rlx_missing_kept(RlxEval *e, RlxName name);
/// The function of the module whose name is nearest to one that it has not, or NULL; of hundreds those are looked at that
/// begin or end as it does.
const char *rlx_missing_sibling(const RlxModule *module, const char *name);

// ---- calltir.c
/// Reports when a call of R.call_tir or a relative does not fit the PrimFunc that it names; nothing
/// for other operators and after other reports.
void rlx_check_call_tir(RlxEval *e, RlxExpr *call);
/// Adds to the report `diag` that a call of `row` has no `out_sinfo` the fix that states it at `at`, behind the arguments: what the PrimFunc gives
/// for the arguments that are there. Nothing when that is not known.
void rlx_call_tir_offer_output(RlxEval *e, const RlxOpRow *row, const RlxValue *values,
                               RlxDiag *diag, uint32_t at);

// ---- lower_leaf.c, lower.c, lower_assign.c
/// Makes `x` a leaf: nested calls become temporaries of the statement.
RlxExpr *rlx_lower_leaf(RlxEval *e, RlxExpr *x);
/// Makes the operands of `x` leaves.
RlxExpr *rlx_lower_value(RlxEval *e, RlxExpr *x);
/// Evaluates a simple statement: bindings, definitions and reads go to the evaluation. Never fails.
void rlx_lower_statement(RlxEval *e, RlxAnalysis *unit);
/// Appends a binding of `value`, whose operands are leaves, to a variable of the function; `name`
/// 0: a fresh one. `annotation` NULL: the variable has the value's StructInfo.
RlxVar *rlx_bind(RlxEval *e, RlxName name, RlxSpan name_span, RlxExpr *value,
                 const RlxSInfo *annotation, RlxSpan span);
/// What the statement's match_casts give a value, and reports about symbolic variables that are
/// used without one.
void rlx_lower_symbols(RlxEval *e);

// ---- policy.c
/// Reports what `return` makes of the function's annotation.
void rlx_policy_return(RlxEval *e, const RlxExpr *value, RlxSpan span);
/// What a copy of a value has: what the value is known to have, and the annotation where it isn't.
const RlxSInfo *rlx_policy_complete(RlxStore *store, const RlxSInfo *value,
                                    const RlxSInfo *annotated);
typedef enum RlxPolicy {
  RLX_POLICY_FINE,    ///< the variable has its annotation
  RLX_POLICY_CAST,    ///< undecided, and the settings make that a match_cast
  RLX_POLICY_DROPPED, ///< contradicted, and forgotten: the variable has what its value has
} RlxPolicy;
/// What an annotation means for a binding of `value`, by spec 1.4; reports. `is_dropped`: TVM reads
/// the annotation and forgets it, so that what contradicts it is a warning.
RlxPolicy rlx_policy_annotation(RlxEval *e, const RlxSInfo *annotated, RlxExpr *value,
                                RlxSpan annotation_span, bool is_dropped);

/// `derived`, what calling a function of StructInfo `func` gives, with the arguments' shapes where the
/// result has the shape that a parameter is.
const RlxSInfo *rlx_substitute_shapes(RlxEval *e, const RlxExpr *call, const RlxSInfo *func,
                                      const RlxSInfo *derived);

/// RlxVar.content of a variable of StructInfo `sinfo` that is bound to `value`.
const RlxSInfo *rlx_content_of(RlxEval *e, const RlxSInfo *sinfo, const RlxExpr *value);

#endif
