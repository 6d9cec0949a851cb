/// Arithmetic of arrays: shapes by numpy's broadcasting, dtypes by its promotion; values of operations on elements
/// (arrays_compute.c), of others not.
/// Always true: where numpy 1 and numpy 2 give different dtypes the dtype is unknown.
#include <string.h>

#include "analyzer/eval/arrays_impl.h"

static RlxValue none_known(const RlxArrayCall *c) { return rlx_array_unknown(c->e, c->span); }

static bool operand(const RlxArrayCall *c, int slot, RlxArray *out) {
  return c->slots[slot] && rlx_array_read(c->e, c->slots[slot], out);
}

static RlxValue result(const RlxArrayCall *c, RlxArray *a) {
  a->data = NULL;
  a->weak = NULL;
  return rlx_array_value(c->e, a, c->span);
}

/// `out`, which has its shape and dtype, with the elements of the call's function of `a` and `b`.
static RlxValue computed(const RlxArrayCall *c, RlxArray *out, RlxDType in, const RlxArray *a,
                         const RlxArray *b) {
  out->weak = NULL;
  rlx_array_compute(c->e, c->name ? c->name : "", out, in, a, b);
  return rlx_array_value(c->e, out, c->span);
}

// ---- promotion

/// bool, ints, floats: numpy's order of kinds; -1: a dtype that numpy itself has not.
static int kind_of(RlxDType t) {
  if (t.lanes > 1) return -1;
  if (rlx_dtype_is_bool(t)) return 0;
  if (rlx_dtype_is_int(t) && (t.bits == 8 || t.bits == 16 || t.bits == 32 || t.bits == 64))
    return 1;
  return t.code == RLX_DTYPE_FLOAT && (t.bits == 16 || t.bits == 32 || t.bits == 64) ? 2 : -1;
}

/// The float that holds the values of an int or bool of so many bits.
static RlxDType float_of(RlxDType t) {
  int bits = kind_of(t) == 0 || t.bits == 8 ? 16 : t.bits == 16 ? 32 : 64;
  return rlx_dtype(RLX_DTYPE_FLOAT, (uint8_t)bits);
}

/// numpy.promote_types; unknown where either is none of numpy's own.
static RlxDType common(RlxDType a, RlxDType b) {
  if (rlx_dtype_equal(a, b)) return a;
  int ka = kind_of(a), kb = kind_of(b);
  if (ka < 0 || kb < 0) return rlx_dtype_unknown();
  if (ka > kb) return common(b, a);
  if (ka == 0) return b;
  if (kb == 2) {
    RlxDType least = ka == 1 ? float_of(a) : a;
    return least.bits > b.bits ? least : b;
  }
  if (a.code == b.code) return a.bits > b.bits ? a : b;
  RlxDType is = a.code == RLX_DTYPE_INT ? a : b, us = a.code == RLX_DTYPE_INT ? b : a;
  if (is.bits > us.bits) return is;
  return us.bits == 64 ? RLX_FLOAT64 : rlx_dtype(RLX_DTYPE_INT, (uint8_t)(us.bits * 2));
}

/// Whether a number of Python is one of the ints that `t` holds; true for other kinds.
static bool holds(RlxDType t, const RlxValue *number) {
  int64_t value;
  if (kind_of(t) != 1 || number->kind != RLX_VALUE_INT) return true;
  value = number->integer;
  if (t.code == RLX_DTYPE_UINT) return value >= 0 && (t.bits == 64 || value < INT64_C(1) << t.bits);
  return t.bits == 64 ||
         (value >= -(INT64_C(1) << (t.bits - 1)) && value < INT64_C(1) << (t.bits - 1));
}

/// What numpy 2 gives: a number of Python takes the other's dtype, unless its kind is the higher
/// one.
static RlxDType promote_2(const RlxArray *a, const RlxArray *b) {
  if (!a->weak == !b->weak) return common(a->dtype, b->dtype);
  const RlxArray *weak = a->weak ? a : b, *other = a->weak ? b : a;
  if (kind_of(weak->dtype) > kind_of(other->dtype)) return weak->dtype;
  return holds(other->dtype, weak->weak) ? other->dtype : rlx_dtype_unknown();
}

/// What numpy 1 gives: a scalar beside an array counts by its value, unless its kind is the higher
/// one.
static RlxDType promote_1(const RlxArray *a, const RlxArray *b) {
  if (!a->ndim == !b->ndim) return common(a->dtype, b->dtype);
  const RlxArray *scalar = a->ndim ? b : a, *array = a->ndim ? a : b;
  if (kind_of(scalar->dtype) > kind_of(array->dtype)) return common(a->dtype, b->dtype);
  return !scalar->weak || holds(array->dtype, scalar->weak) ? array->dtype : rlx_dtype_unknown();
}

void rlx_array_promote(RlxArray *a, const RlxArray *b) {
  RlxDType known = rlx_dtype_unknown();
  if (kind_of(a->dtype) >= 0 && kind_of(b->dtype) >= 0) {
    RlxDType one = promote_1(a, b), two = promote_2(a, b);
    if (rlx_dtype_equal(one, two)) known = one;
  } else if (!a->weak && !b->weak && rlx_dtype_equal(a->dtype, b->dtype))
    known = a->dtype;
  a->dtype = known;
  if (!b->weak) a->weak = NULL;
}

bool rlx_array_has_shape(const RlxArray *a, const RlxArray *b) {
  return a->ndim == b->ndim && memcmp(a->dims, b->dims, sizeof *a->dims * (size_t)a->ndim) == 0;
}

bool rlx_array_broadcast(RlxArray *a, const RlxArray *b) {
  RlxArray out = *a;
  out.ndim = a->ndim > b->ndim ? a->ndim : b->ndim;
  for (int i = 1; i <= out.ndim; i++) {
    int64_t x = i <= a->ndim ? a->dims[a->ndim - i] : 1,
            y = i <= b->ndim ? b->dims[b->ndim - i] : 1;
    if (x != y && x != 1 && y != 1) return false;
    out.dims[out.ndim - i] = x == 1 ? y : x;
  }
  *a = out;
  return true;
}

// ---- element by element

/// What becomes of the promoted dtype; false: numpy refuses it.
static bool settle(RlxDType *t, int how) {
  int kind = kind_of(*t);
  if (how == RLX_TRUTH || how == RLX_PLACE) {
    *t = how == RLX_TRUTH ? RLX_BOOL : RLX_INT64;
    return true;
  }
  if (!rlx_dtype_known(*t)) return true;
  switch (how) {
  case RLX_FLOATING:
    if (kind < 2) *t = kind < 0 ? rlx_dtype_unknown() : float_of(*t);
    return true;
  case RLX_QUOTIENT:
  case RLX_AVERAGE:
    if (kind < 2) *t = kind < 0 ? rlx_dtype_unknown() : RLX_FLOAT64;
    return true;
  case RLX_TOTAL:
    if (kind < 0) *t = rlx_dtype_unknown();
    if (kind == 0 || kind == 1)
      *t = rlx_dtype(t->code == RLX_DTYPE_UINT ? RLX_DTYPE_UINT : RLX_DTYPE_INT, 64);
    return true;
  case RLX_WHOLE:
    if (kind != 2) *t = rlx_dtype_unknown();
    return true;
  case RLX_COMMON_INT8:
    if (kind == 0) *t = rlx_dtype(RLX_DTYPE_INT, 8);
    return true;
  case RLX_SAME_NUMBER:
  case RLX_COMMON_NUMBER: return kind != 0;
  case RLX_COMMON_BITS: return kind == 0 || kind == 1;
  default: return true;
  }
}

static RlxValue refuse_broadcast(const RlxArrayCall *c, const RlxArray *a, const RlxArray *b) {
  return rlx_array_refuse_pair(c, "the shapes %s and %s can't be broadcast together", a, b);
}

/// Where `settle` takes no such dtype.
static RlxValue refuse_dtype(const RlxArrayCall *c, RlxDType t) {
  char text[RLX_DTYPE_TEXT_MAX];
  if (kind_of(t) < 0) return none_known(c); // one of another package's
  rlx_dtype_text(t, text);
  return rlx_array_refuse(c, "arrays of %s are not taken", text);
}

RlxValue rlx_numpy_unary(const RlxArrayCall *c) {
  RlxArray a;
  if (!operand(c, 0, &a)) return none_known(c);
  RlxArray out = a;
  if (!settle(&out.dtype, c->aux)) return refuse_dtype(c, out.dtype);
  if (c->slots[1]) return result(c, &out); // numpy.round to decimals
  return computed(c, &out, c->aux == RLX_TRUTH ? a.dtype : out.dtype, &a, &a);
}

RlxValue rlx_numpy_binary(const RlxArrayCall *c) {
  RlxArray a, b;
  if (!operand(c, 0, &a) || !operand(c, 1, &b)) return none_known(c);
  RlxArray out = a;
  rlx_array_promote(&out, &b); // by the operands' own ranks
  if (!rlx_array_broadcast(&out, &b)) return refuse_broadcast(c, &a, &b);
  const RlxDType in = out.dtype;
  if (!settle(&out.dtype, c->aux)) return refuse_dtype(c, in);
  return computed(c, &out, c->aux == RLX_TRUTH ? in : out.dtype, &a, &b);
}

RlxValue rlx_numpy_where(const RlxArrayCall *c) {
  RlxArray condition, a, b;
  if (!operand(c, 0, &condition) || !operand(c, 1, &a) || !operand(c, 2, &b)) return none_known(c);
  rlx_array_promote(&a, &b);
  if (!rlx_array_broadcast(&a, &b)) return refuse_broadcast(c, &a, &b);
  if (!rlx_array_broadcast(&a, &condition)) return refuse_broadcast(c, &a, &condition);
  return result(c, &a);
}

RlxValue rlx_numpy_clip(const RlxArrayCall *c) {
  RlxArray a, bound;
  if (!operand(c, 0, &a)) return none_known(c);
  for (int i = 1; i <= 2; i++) {
    if (!c->slots[i]) continue;
    if (!operand(c, i, &bound)) return none_known(c);
    rlx_array_promote(&a, &bound);
    if (!rlx_array_broadcast(&a, &bound)) return refuse_broadcast(c, &a, &bound);
  }
  return result(c, &a);
}

// ---- products

/// numpy.matmul, and numpy.dot (`aux` 1), which pairs all matrices of one with all of the other.
RlxValue rlx_numpy_matmul(const RlxArrayCall *c) {
  RlxArray a, b;
  if (!operand(c, 0, &a) || !operand(c, 1, &b)) return none_known(c);
  bool is_row = a.ndim == 1, is_column = b.ndim == 1, is_dot = c->aux == 1;
  RlxArray out = a;
  rlx_array_promote(&out, &b);
  if (!a.ndim || !b.ndim) {
    if (!is_dot) return rlx_array_refuse(c, "a matrix is multiplied by arrays, not by a number");
    return rlx_array_broadcast(&out, &b) ? result(c, &out) : none_known(c);
  }
  if (a.dims[a.ndim - 1] != b.dims[is_column ? 0 : b.ndim - 2])
    return rlx_array_refuse_pair(c, "matrices of the shapes %s and %s can't be multiplied", &a, &b);
  RlxArray batch = {.ndim = a.ndim > 2 ? a.ndim - 2 : 0},
           other = {.ndim = b.ndim > 2 ? b.ndim - 2 : 0};
  memcpy(batch.dims, a.dims, sizeof *a.dims * (size_t)batch.ndim);
  memcpy(other.dims, b.dims, sizeof *b.dims * (size_t)other.ndim);
  if (a.ndim + b.ndim > RLX_ARRAY_DIMS_MAX) return none_known(c);
  if (!is_dot && !rlx_array_broadcast(&batch, &other)) return refuse_broadcast(c, &a, &b);
  memcpy(out.dims, batch.dims, sizeof *a.dims * (size_t)batch.ndim);
  out.ndim = batch.ndim;
  if (!is_row) out.dims[out.ndim++] = a.dims[a.ndim - 2];
  for (int i = 0; is_dot && i < other.ndim; i++) out.dims[out.ndim++] = other.dims[i];
  if (!is_column) out.dims[out.ndim++] = b.dims[b.ndim - 1];
  return result(c, &out);
}

RlxValue rlx_numpy_outer(const RlxArrayCall *c) {
  RlxArray a, b;
  if (!operand(c, 0, &a) || !operand(c, 1, &b)) return none_known(c);
  int64_t rows = rlx_array_size(&a), columns = rlx_array_size(&b);
  if (rows < 0 || columns < 0) return none_known(c);
  a.weak = b.weak = NULL;
  a.dims[0] = rows, b.dims[0] = columns;
  a.ndim = b.ndim = 1;
  rlx_array_promote(&a, &b);
  a.dims[1] = columns;
  a.ndim = 2;
  return result(c, &a);
}

// ---- reductions

static RlxValue reduce(const RlxArrayCall *c, int dtype, int out, int keepdims) {
  RlxArray a;
  int axes[RLX_ARRAY_DIMS_MAX], count = 0;
  bool keeps = false;
  if (!operand(c, 0, &a) || c->slots[out] || !rlx_array_bool_slot(c, keepdims, &keeps))
    return none_known(c);
  if (c->slots[1] && !rlx_array_axes_of(c->slots[1], a.ndim, axes, &count))
    return rlx_array_refuse_axes(c, c->slots[1], a.ndim);
  RlxArray whole = a;
  if (!settle(&a.dtype, c->aux)) return none_known(c);
  if (dtype && !rlx_array_dtype_slot(c, dtype, &a.dtype))
    return rlx_array_refuse_dtype(c, c->slots[dtype]);
  int kept = 0;
  bool goes[RLX_ARRAY_DIMS_MAX];
  for (int i = 0; i < a.ndim; i++) {
    goes[i] = !c->slots[1];
    for (int k = 0; k < count; k++) goes[i] |= axes[k] == i;
    if (!goes[i] || keeps) a.dims[kept++] = goes[i] ? 1 : a.dims[i];
  }
  a.ndim = kept;
  a.weak = a.data = NULL;
  if (!dtype || !c->slots[dtype]) rlx_array_reduce(c->e, c->name, &a, &whole, goes);
  return rlx_array_value(c->e, &a, c->span);
}

RlxValue rlx_numpy_reduce(const RlxArrayCall *c) { return reduce(c, 2, 3, 4); }
RlxValue rlx_numpy_reduce_by(const RlxArrayCall *c) { return reduce(c, 2, 3, 5); }
RlxValue rlx_numpy_reduce_plain(const RlxArrayCall *c) { return reduce(c, 0, 2, 3); }

RlxValue rlx_numpy_cumulate(const RlxArrayCall *c) {
  RlxArray a;
  int axes[RLX_ARRAY_DIMS_MAX], count = 0;
  if (!operand(c, 0, &a) || c->slots[3]) return none_known(c);
  if (c->slots[1] && !rlx_array_axes_of(c->slots[1], a.ndim, axes, &count))
    return rlx_array_refuse_axes(c, c->slots[1], a.ndim);
  if ((c->slots[1] && count != 1) || !settle(&a.dtype, c->aux) ||
      !rlx_array_dtype_slot(c, 2, &a.dtype))
    return none_known(c);
  if (!c->slots[1]) {
    a.dims[0] = rlx_array_size(&a);
    a.ndim = 1;
    if (a.dims[0] < 0) return none_known(c);
  }
  return result(c, &a);
}
