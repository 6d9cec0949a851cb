/// Numbers and lists of numbers of Python, as they are typed at the prompt.
#ifndef RLX_REPL_NUMBERS_H
#define RLX_REPL_NUMBERS_H

#include "analyzer/syntax/ast.h"
#include "repl/session.h"

typedef enum RlxReplNumberKind {
  RLX_NUMBER_BOOL,
  RLX_NUMBER_INT,
  RLX_NUMBER_UNSIGNED, ///< beyond int64, in uint64
  RLX_NUMBER_FLOAT
} RlxReplNumberKind;

typedef struct RlxReplNumber {
  RlxReplNumberKind kind;
  int64_t integer; ///< 0 or 1 of a bool; 0 of a float; the bits of an unsigned one
  double value;    ///< of any kind
} RlxReplNumber;

/// Whether `x` is a number that is known without an evaluation (but for calls that give an R.Prim, where the session
/// has `number_of_call`), and which: literals, constants of the session and its R.Prim variables, `float("nan")`, `np.inf`, `abs(-3)`, `round(2.5)`, `int(2.5)`, `min(2, 3)`, `max(2, 3)`, `len(v)`, `v.shape[0]`, `v.ndim` and `v.size`
/// of a variable, what + - * / // % ** make of these, and
/// whether they are equal or less, `not`, `and`, `or`, `in (2, 3)`, `a if c else b`. What Python would refuse or does not fit into 64
/// bits is none.
bool rlx_repl_number(RlxRepl *repl, const RlxAst *x, RlxReplNumber *out);
/// The same of a constant of the session.
bool rlx_repl_number_of(RlxRepl *repl, const RlxReplDef *def, RlxReplNumber *out);
/// Appends the string that a constant of the session is: literals, other constants and sums of these. False where it is none, or
/// more than `most` bytes; `out` may hold a part of it.
bool rlx_repl_string_of(RlxRepl *repl, const RlxReplDef *def, size_t most, RlxBuf *out);
/// What the operator, or a question (`<`), gives of two numbers; false: Python would refuse it, or it does not fit into 64 bits.
bool rlx_repl_compute(uint8_t op, const RlxReplNumber *a, const RlxReplNumber *b,
                      RlxReplNumber *out);
/// Whether `x` is a shape that is known without an evaluation, and its lengths: a tuple or list of such numbers, a
/// constant or variable of the session that is one, `v.shape` of a variable, and `*s` among them. False where there
/// are more than `most`.
bool rlx_repl_shape(RlxRepl *repl, const RlxAst *x, RlxReplNumber *out, int most, int *count);
/// Whether `x` is a list of such numbers, however nested and however large; an empty list is one.
bool rlx_repl_is_number_list(RlxRepl *repl, const RlxAst *x);
/// Appends the number as Python writes it: `3`, `2.5`, `float("nan")`, `True`.
void rlx_repl_put_number(const RlxReplNumber *number, RlxBuf *out);
/// A tensor of a number or of nested lists of numbers, a reference for the caller; `dtype` unknown: int64, uint64,
/// float32 or bool, whichever holds all of them, float32 where there is none. NULL and `err`: lists of
/// different lengths, or a number that the dtype cannot have.
RlxObject *rlx_repl_literal(RlxRepl *repl, const RlxAst *list, RlxDType dtype, RlxError *err);

#endif
