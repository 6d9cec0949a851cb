/// What the files of numpy's arrays share (arrays*.c): an array as far as it is known, and a call
/// of one of numpy's functions with its arguments at the parameters that its row names.
#ifndef RLX_ANALYZER_ARRAYS_IMPL_H
#define RLX_ANALYZER_ARRAYS_IMPL_H

#include "analyzer/eval/eval.h"
#include "analyzer/words/numpy_names.h"

enum {
  RLX_ARRAY_DIMS_MAX = 16,
  RLX_ARRAY_DATA_MAX = 1024,
  RLX_ARRAY_EVALUATED_MAX = 1 << 24,
  RLX_ARRAY_SLOTS = 8
};

/// Shape and dtype of an array; the values of small ones.
typedef struct RlxArray {
  int64_t dims[RLX_ARRAY_DIMS_MAX];
  int ndim;
  RlxDType dtype;       ///< unknown where versions of numpy differ
  const RlxValue *data; ///< a number, nested lists or NUMBERS; NULL: not known
  const RlxValue *weak; ///< a number of Python, which takes the dtype of what it meets; or NULL
} RlxArray;

/// A call with its arguments at the parameters of the row; a slot is NULL where there is none, or
/// None.
typedef struct RlxArrayCall {
  RlxEval *e;
  const RlxValue *slots[RLX_ARRAY_SLOTS];
  uint32_t nones; ///< bit i: slot i was given as None
  const RlxPyArgs *args;
  const char *name; ///< of the row, numpy's; NULL: unknown
  int aux;          ///< of the row: what tells functions apart that one rule serves
  RlxSpan span;
} RlxArrayCall;

typedef RlxValue (*RlxArrayRule)(const RlxArrayCall *c);

/// Rows of arrays.def name these by what is behind `rlx_numpy_`. Each gives UNKNOWN where numpy
/// raises, after a report, or where the arguments say too little.
#define RLX_NUMPY(name, params, rule, aux, form) RlxValue rlx_numpy_##rule(const RlxArrayCall *c);
#include "analyzer/eval/arrays.def"
#undef RLX_NUMPY

/// Kinds of rules, the column `aux` of arrays.def.
enum {
  RLX_FILL_NONE = -1, ///< values that are not known
  RLX_FLOATING,       ///< ints give floats
  RLX_SAME,           ///< the dtype of the operand
  RLX_SAME_NUMBER,    ///< the same, and no bool
  RLX_WHOLE,          ///< floats stay; what ints give depends on numpy's version
  RLX_TRUTH,          ///< bool
  RLX_COMMON,         ///< what the operands promote to
  RLX_COMMON_NUMBER,  ///< the same, and no two bools
  RLX_COMMON_INT8,    ///< the same, where bools give int8
  RLX_COMMON_BITS,    ///< the same, ints and bools alone
  RLX_QUOTIENT,       ///< floats stay, all else gives float64
  RLX_TOTAL,          ///< sums: ints give 64 bits
  RLX_AVERAGE,        ///< ints give float64
  RLX_PLACE,          ///< int64
};

/// What the rule's call gives where it gives UNKNOWN and reports nothing: rank and dtype as far as they are known all the same.
RlxValue rlx_array_partial(const RlxArrayCall *c, RlxArrayRule rule);
/// The dtype that R.const gives an array of this one: numpy's wide defaults become narrow.
RlxDType rlx_array_constant_dtype(RlxDType dtype);

/// UNKNOWN, which taints.
RlxValue rlx_array_unknown(RlxEval *e, RlxSpan span);
/// The array that a value stands for: one of numpy's, a number, nested lists of numbers. False: it
/// is none, or its shape is not known.
bool rlx_array_read(RlxEval *e, const RlxValue *v, RlxArray *out);
RlxValue rlx_array_value(RlxEval *e, const RlxArray *a, RlxSpan span);
/// A dtype given as a name, as numpy.float32 or as Python's int; false: not known.
bool rlx_array_dtype_of(RlxEval *e, const RlxValue *v, RlxDType *out);
/// Slot `i` as a dtype, `*out` as it was when there is none. False: given, and not known.
bool rlx_array_dtype_slot(const RlxArrayCall *c, int i, RlxDType *out);
/// Slot `i` as an int, `*out` as it was when there is none. False: given, and not known.
bool rlx_array_int_slot(const RlxArrayCall *c, int i, int64_t *out);
bool rlx_array_bool_slot(const RlxArrayCall *c, int i, bool *out);
/// Reads a shape, a number or a list of numbers, into `out`; false: not known, or negative.
bool rlx_array_shape_of(const RlxValue *v, RlxArray *out);
/// Number of elements; -1: too many to count.
int64_t rlx_array_size(const RlxArray *a);
/// Axes that a number or a list names, each in 0..ndim-1 and once, their number in `*count`.
bool rlx_array_axes_of(const RlxValue *v, int ndim, int *axes, int *count);
/// Elements of an array whose values are known, at most.
int64_t rlx_array_most(const RlxEval *e);
/// The elements in order; NULL: not known, or more than rlx_array_most.
const RlxNumbers *rlx_array_numbers(RlxEval *e, const RlxArray *a);
/// Room for as many numbers of a kind (BOOL, INT, FLOAT) as `a` has elements; NULL: more than rlx_array_most, or
/// more than a statement of this length may make.
RlxNumbers *rlx_array_room(RlxEval *e, const RlxArray *a, RlxValueKind kind);
/// Makes `numbers` the data of `a`, as many as its shape says; NULL takes the data away.
void rlx_array_fill(RlxEval *e, RlxArray *a, const RlxNumbers *numbers);
/// Whether both have the same shape.
bool rlx_array_has_shape(const RlxArray *a, const RlxArray *b);
/// dims of `a` broadcast with those of `b`; false: they can't be.
bool rlx_array_broadcast(RlxArray *a, const RlxArray *b);
/// numpy's promotion of the operands' dtypes; unknown where numpy 1 and 2 differ. The result is
/// weak when both are.
void rlx_array_promote(RlxArray *a, const RlxArray *b);

/// Makes the data of `out` from elements of another array: element (i, j, …) is number `from + i * ways[0] + j * ways[1] + …`
/// of `numbers`; NULL: not known.
void rlx_array_gather(RlxEval *e, RlxArray *out, const RlxNumbers *numbers, int64_t from,
                      const int64_t *ways);

// ---- arrays_compute.c
/// Makes the data of `out`, which has its shape and dtype, of those of `a` and `b`, which broadcast to it, by numpy's function
/// `name`, done in the dtype `in`. Of one operand: it is both. Without values where they are not surely numpy's.
void rlx_array_compute(RlxEval *e, const char *name, RlxArray *out, RlxDType in, const RlxArray *a,
                       const RlxArray *b);
/// Gives `a` another dtype, as numpy.astype does.
void rlx_array_convert(RlxEval *e, RlxArray *a, RlxDType to);
/// Puts the elements of `piece` into the room of `out`, whose first axes they share, from element `from` on. False: some
/// are not known.
bool rlx_array_put(RlxEval *e, RlxNumbers *room, const RlxArray *out, const RlxArray *piece,
                   int64_t from);
/// Makes the data of `out`, which is `a` without the axes that `goes` marks (or with 1 there), by numpy's reduction `name`.
/// Integers and bools alone; the largest and least of floats, too.
void rlx_array_reduce(RlxEval *e, const char *name, RlxArray *out, const RlxArray *a,
                      const bool *goes);

// ---- arrays_refuse.c: each gives UNKNOWN, which taints, after a report of what numpy raises

/// Reports the formatted reason; nothing of a statement of which something is unknown or was said.
RlxValue rlx_array_refuse(const RlxArrayCall *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// The same of two shapes, which stand at the two `%s` of `format`.
RlxValue rlx_array_refuse_pair(const RlxArrayCall *c, const char *format, const RlxArray *a,
                               const RlxArray *b);
/// Of a value that is no length, no shape, no axes of an array of rank `ndim`, no dtype; silent
/// where it may be one that is not known.
RlxValue rlx_array_refuse_dim(const RlxArrayCall *c, const RlxValue *v);
RlxValue rlx_array_refuse_shape(const RlxArrayCall *c, const RlxValue *v);
RlxValue rlx_array_refuse_axes(const RlxArrayCall *c, const RlxValue *v, int ndim);
RlxValue rlx_array_refuse_dtype(const RlxArrayCall *c, const RlxValue *v);
/// Of `name` behind `base`, where `space` has none such; silent where it has.
RlxValue rlx_array_refuse_name(RlxEval *e, const char *base, RlxNumpySpace space, const char *name,
                               RlxSpan span);
/// A shape as Python writes it, in the evaluation's arena.
const char *rlx_array_shape_text(RlxEval *e, const RlxArray *a);

#endif
