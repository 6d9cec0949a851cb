/// What Python and TVM's parser refuse of values whose kind is known: operators, attributes and
/// calls of Python's own objects, and calls of the namespace T.
///
/// Something is said in Relax functions of dialects 0.25 and 0.27 only, and not of a statement of
/// which something is unknown or was said.
#ifndef RLX_ANALYZER_REFUSE_H
#define RLX_ANALYZER_REFUSE_H

#include "analyzer/eval/eval.h"
#include "analyzer/words/script_bind.h"
#include "analyzer/words/script_names.h"

typedef enum RlxPythonType {
  RLX_PYTHON_UNKNOWN,
  RLX_PYTHON_NONE,
  RLX_PYTHON_BOOL,
  RLX_PYTHON_INT,
  RLX_PYTHON_FLOAT,
  RLX_PYTHON_STR,
  RLX_PYTHON_LIST,
  RLX_PYTHON_TUPLE,
  RLX_PYTHON_DICT,
  RLX_PYTHON_FUNCTION, ///< of R, I or T, an operator, a lambda
  RLX_PYTHON_MODULE,   ///< R, T, I, R.nn
  RLX_PYTHON_DTYPE,    ///< T.float32
  RLX_PYTHON_PROXY,    ///< R.Tensor(…) and other annotations
  RLX_PYTHON_FRAME,    ///< R.dataflow(), R.If(c)
  RLX_PYTHON_OBJECT,   ///< `...`, a slice, a module, T.Iter(…): nothing has operators or items
  RLX_PYTHON_TYPES,
} RlxPythonType;

/// UNKNOWN also for values that are none of Python's own.
RlxPythonType rlx_python_type(const RlxEval *e, const RlxValue *v);
/// Whether Python takes any value of this type for true: it has no length and is no number.
static inline bool rlx_python_is_object(RlxPythonType type) { return type >= RLX_PYTHON_FUNCTION; }

/// Whether something may be said: see above.
bool rlx_refuse_may_tell(const RlxEval *e);
/// Whether the statement may be written in `dialect`, too; outside of functions in any, or in the one that is set.
bool rlx_eval_may_be(const RlxEval *e, RlxDialect dialect);
/// Whether a dialect takes what `data` says; `at` counts the dialects from 0.
typedef bool RlxTakes(void *data, RlxDialect dialect, int at);
enum { RLX_HELD_DIALECTS = 2 }; ///< 0.25 and 0.27: script_names.def and its like speak of them
/// Holds something against the dialects of the tables that it may be written in, `own` among them: that one of them takes it (-1),
/// or whose refusal counts, `own`'s, else the first.
int rlx_eval_hold(const RlxEval *e, RlxDialect own, RlxTakes *takes, void *data);
/// Whether a value of Relax has the member in a dialect that the function may be written in; of those whose value is known elsewhere
/// (`x.shape`) it says nothing.
bool rlx_refuse_has_member(const RlxEval *e, const RlxExpr *x, const char *name);
/// Whether the member of a variable of 0.27 is a method of buffers, which stops for any other variable when it is called.
bool rlx_refuse_is_of_buffers(const char *name);
/// Whether a symbolic expression has the member in a dialect that the function may be written in; `prim` NULL: a new variable.
bool rlx_refuse_symbol_has(const RlxEval *e, const RlxPrim *prim, const char *name);
/// Whether Python has `a op b` for values of these types, which are known.
bool rlx_python_has_operator(const RlxEval *e, uint8_t op, const RlxValue *a, const RlxValue *b);
/// An operator as Python writes it; `op` is an RlxAstOp, here and below.
const char *rlx_op_text(uint8_t op);
/// Reports that `op` can't be applied to `a` and `b`, which is NULL for unary operators.
RlxDiag *rlx_operand_report(RlxEval *e, uint8_t op, RlxSpan span, const RlxValue *a,
                            const RlxValue *b, const char *hint);

/// Each of these gives UNKNOWN and taints, after a report where Python stops for certain.
RlxValue rlx_refuse_binary(RlxEval *e, uint8_t op, const RlxValue *a, const RlxValue *b,
                           RlxSpan span);
RlxValue rlx_refuse_unary(RlxEval *e, uint8_t op, const RlxValue *a, RlxSpan span);
/// Of `base.name`, where nothing is known of that attribute.
RlxValue rlx_refuse_attribute(RlxEval *e, const RlxAst *ast, const RlxValue *base);
/// Of a call of `callee`, of which nothing is known; `span` is the call's.
RlxValue rlx_refuse_call(RlxEval *e, const RlxValue *callee, RlxSpan head, RlxSpan span);
/// Reports what the binding of the arguments of `what` refuses: at the argument, or at `span`. It taints.
void rlx_refuse_binding(RlxEval *e, const RlxScriptBinding *binding, const RlxPyArgs *args,
                        const char *what, RlxSpan span);
/// Whether Python binds the arguments of `T.name(…)`, and TVM takes their kinds; false: reported.
bool rlx_script_call_check(RlxEval *e, const char *name, const RlxPyArgs *args, RlxSpan span);
// ---- script_members.c
/// The value of `T.space.name`, where `base` is `T.space`; reported is what no dialect has.
RlxValue rlx_script_member(RlxEval *e, const RlxAst *ast, const RlxValue *base);
/// Whether an instruction `T.ptx.…` of 0.27 has a form that takes the arguments; false: reported.
/// Others than instructions: true.
bool rlx_script_instruction_check(RlxEval *e, const char *name, const RlxPyArgs *args,
                                  RlxSpan span);

// ---- refuse.c
/// Whether a value of Python has an attribute `name`, as far as that is known; `type` UNKNOWN: true.
bool rlx_python_has_member(RlxPythonType type, const char *name);

/// Whether the namespace I, or a package of TVM's, has `name` in a dialect that the script may be written in; true of others.
bool rlx_namespace_has(const RlxEval *e, const char *space, const char *name);
/// Whether `T.name` may be something where `e` evaluates: a dialect that it may be written in has it.
bool rlx_refuse_may_have_script_name(const RlxEval *e, const char *name);
/// Whether the namespace T has `name` in a dialect that the function may be written in, or this is
/// not known.
bool rlx_fn_may_have_name(const RlxFn *fn, const char *name);
/// Reports that T has no `name` in `dialect`; the fix takes the nearest.
void rlx_script_name_report(RlxSink *sink, RlxSpan span, const char *name, RlxDialect dialect);
/// Of a function in a dialect whose names are not listed: the name of T that `name` is a slip of, NULL: it may be right. No dialect has
/// `name`, and one letter makes it a name that some dialect has.
const char *rlx_script_name_slip(const RlxFn *fn, const char *name, RlxArena *arena);
/// Reports that T has no `name`; the fix takes `nearest` (NULL: there is none), a guess when it `is_tied`.
void rlx_script_slip_report(RlxSink *sink, RlxSpan span, const char *name, const char *nearest,
                            bool is_tied);

#endif
