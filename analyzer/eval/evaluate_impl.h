/// What evaluate.c and the files of its kinds of nodes share.
#ifndef RLX_ANALYZER_EVALUATE_IMPL_H
#define RLX_ANALYZER_EVALUATE_IMPL_H
#include "analyzer/eval/eval.h"

// What a statement may make of a few words, in a file with up to 16 KiB; in a larger one, which has more statements, half
// of that for each doubling, beyond 512 KiB a quarter: rlx_eval_most.
enum { RLX_MAX_ITEMS = 8192 }; ///< of a list that a script makes, those of lists in it counted
enum {
  RLX_MAX_NAMED = 16384
}; ///< of a list, a dict or a tuple where its name is used: each use takes as long as it is
/// Steps of a comprehension, of those in it, and items of the lists that are made meanwhile.
enum { RLX_MAX_STEPS = 131072 };
enum { RLX_MAX_TEXT = 65536 }; ///< bytes of a string that a script puts together
/// One of these bounds in the file that is analysed.
uint32_t rlx_eval_most(const RlxEval *e, uint32_t most);
/// Whether what a name stands for has more items than each of its uses may take: RLX_MAX_NAMED.
bool rlx_is_wide(const RlxEval *e, uint64_t items);

// ---- eval_name.c
/// From here on the name that is not there counts as defined, so that it is reported at its first use only.
void rlx_define_missing(RlxEval *e, RlxName name, RlxSpan span);
/// Says that the value of `text`, which is bound outside of functions, is not known.
void rlx_hint_unknown(RlxEval *e, const char *text, RlxSpan span);

// ---- eval_attribute.c
RlxValue rlx_eval_attribute(RlxEval *e, const RlxAst *ast); ///< `x.name`

// ---- eval_operators.c: nodes of these kinds
RlxValue rlx_eval_unary(RlxEval *e, const RlxAst *ast);
RlxValue rlx_eval_compare(RlxEval *e, const RlxAst *ast);
RlxValue rlx_eval_bool_op(RlxEval *e, const RlxAst *ast);
RlxValue rlx_eval_conditional(RlxEval *e, const RlxAst *ast);
// ---- same.c
/// Whether Python finds two values equal: 1, 0, or -1 where that is not known. TVM's are equal to themselves alone.
int rlx_value_is_same(const RlxEval *e, const RlxValue *a, const RlxValue *b);
// ---- containers.c: nodes of these kinds
RlxValue rlx_eval_list(RlxEval *e, const RlxAst *ast); ///< a tuple, too
RlxValue rlx_eval_set(RlxEval *e, const RlxAst *ast);
/// Whether a star finds no items in the value.
bool rlx_is_single(const RlxEval *e, const RlxValue *v);
/// Whether a value of Relax of this kind has no items from 0.26 on, where it is no tensor and no tuple.
bool rlx_is_unpackable(const RlxEval *e, const RlxValue *v);
RlxValue rlx_eval_dict(RlxEval *e, const RlxAst *ast);
RlxValue rlx_eval_fstring(RlxEval *e, const RlxAst *ast);
RlxValue rlx_eval_comprehension(RlxEval *e, const RlxAst *ast);

/// eval_attribute.c: a call of an operator that looks into a tensor (inspect_…): where the script has an attribute or a subscript.
RlxValue rlx_eval_inspect(RlxEval *e, RlxOpId id, RlxValue *values, uint32_t count,
                          const RlxAst *ast);

// ---- methods.c
/// A call of a method of Python's strings, lists, tuples or dicts; UNKNOWN where its value is not known or was refused.
RlxValue rlx_python_method(RlxEval *e, const RlxMethod *method, const RlxPyArgs *args,
                           RlxSpan span);

// ---- builtins.c
/// A call of Python's function `name`; UNKNOWN where its value is not known or was refused.
RlxValue rlx_call_builtin(RlxEval *e, RlxName name, const RlxPyArgs *args, RlxSpan span);

#endif
