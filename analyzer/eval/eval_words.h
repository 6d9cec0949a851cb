/// Calls of the script's vocabulary (words.def): one function for each entry of its last column, and what they share.
#ifndef RLX_ANALYZER_EVAL_WORDS_H
#define RLX_ANALYZER_EVAL_WORDS_H

#include "analyzer/eval/eval.h"

/// A call of a word of the vocabulary.
typedef struct RlxWordCall {
  RlxWord word;
  RlxPyArgs *args;
  RlxSpan span, name_span; ///< of the whole call, of the word
  const RlxAst *ast;
} RlxWordCall;

// What a call of a word gives: rlx_word_const of R.const, rlx_word_none of what has no value.
#define RLX_WORD(id, path, params, call) RlxValue rlx_word_##call(RlxEval *e, const RlxWordCall *c);
#include "analyzer/words/words.def"
#undef RLX_WORD

// ---- words_relax.c
/// Reports that the argument for `param` of `what` is not what is `expected`, or is missing (`v` NULL; RLX0423, RLX0446);
/// the value of the call then.
RlxValue rlx_word_invalid(RlxEval *e, const char *what, const char *param, const RlxValue *v,
                          const char *expected, RlxSpan span);
/// The dtype that an argument says, unknown where none is given; false: it is no dtype.
bool rlx_word_dtype_of(RlxEval *e, const RlxValue *v, RlxDType *out);
/// The first integer of a constant that its dtype can't hold, or NULL. `is_scalar`: of a number of the IR, where a bool is
/// 0 or 1; numpy makes a bool of any.
const RlxValue *rlx_word_out_of_range(const RlxValue *v, RlxDType dtype, bool is_scalar);
/// Reports a finite number of Python that float32 has not, where TVM makes an expression of it: one of float32, whatever becomes of it. False: it is none.
bool rlx_word_beyond_float32(RlxEval *e, const char *what, const char *param, const RlxValue *v);

// ---- word_arguments.c
/// Whether a word of R or I with this name has a row in word_kinds.def.
bool rlx_word_has_arguments(const char *name);
/// False, and reported: a string of which no more is known stands where R.const and R.tuple take none.
bool rlx_word_texts_check(RlxEval *e, RlxWord word, const RlxPyArgs *args);
/// False, and reported: what the row of `path` says of the arguments refuses one.
bool rlx_word_arguments_check(RlxEval *e, const char *path, const RlxPyArgs *args,
                              RlxSpan name_span);

// ---- words_targets.c
/// What of `v`, which is to say a target, TVM surely refuses, and what is expected there (in `arena`); NULL: nothing that is known.
const RlxValue *rlx_word_target_fault(const RlxStore *store, RlxArena *arena, const RlxValue *v,
                                      const char **expected);

// ---- words_script.c
/// T.int32, `int64` or a class of numpy as a function: a symbolic variable without arguments, else a number. `is_script`: of T.
RlxValue rlx_call_dtype(RlxEval *e, RlxDType dtype, const RlxPyArgs *args, bool is_script,
                        RlxSpan span);
/// Another function of T over symbolic integers: uninterpreted.
RlxValue rlx_call_script_function(RlxEval *e, RlxName name, const RlxPyArgs *args, RlxSpan span);
/// What a call of T.`name` gives of which nothing is wrong and no value is known: what script_kinds.def says of it.
RlxValue rlx_script_result(RlxEval *e, const char *name, const RlxPyArgs *args, RlxSpan span);
/// A symbolic variable that is named by what it is assigned to (`name` 0), or by a string.
RlxValue rlx_word_declared(RlxName name, RlxDType dtype, RlxSpan span);
/// Reports `path`, which stands in PrimFuncs alone (RLX0444).
RlxValue rlx_word_outside(RlxEval *e, const char *path, RlxSpan span);

#endif
