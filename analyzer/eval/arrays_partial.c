/// Arrays of numpy's with a length that Python alone knows (`np.zeros((N, 4), "int8")` of an imported N): their rank and
/// dtype. Such a value is UNKNOWN to all but R.const and numpy's own functions.
/// Always true: nothing is reported here.
#include "analyzer/eval/arrays_impl.h"

typedef struct Partial {
  int ndim; ///< -1: not known
  RlxDType dtype;
} Partial;

static const RlxDType DTYPE_NONE = {0};

static RlxValue made(const RlxArrayCall *c, Partial p) {
  RlxValue v = rlx_array_unknown(c->e, c->span);
  if (p.ndim < 0 && !rlx_dtype_known(p.dtype)) return v;
  v.is_bare = true;
  v.integer = (int64_t)(p.ndim + 1) | rlx_pack_dtype(p.dtype) << 8;
  return v;
}

static Partial unpacked(const RlxValue *v) {
  return (Partial){(int)(v->integer & 0xff) - 1, rlx_unpack_dtype(v->integer >> 8)};
}

/// What is known of slot `i`: of an array, a number or such a value.
static Partial of_slot(const RlxArrayCall *c, int i) {
  const RlxValue *v = c->slots[i];
  RlxArray a;
  if (v && rlx_array_is_partial(v)) return unpacked(v);
  if (v && v->kind != RLX_VALUE_UNKNOWN && rlx_array_read(c->e, v, &a))
    return (Partial){a.ndim, a.dtype};
  return (Partial){-1, DTYPE_NONE};
}

/// The rank that a shape of unknown numbers says.
static int rank_of(const RlxValue *shape) {
  if (!shape || shape->kind != RLX_VALUE_LIST) return -1;
  for (uint32_t i = 0; i < shape->count; i++)
    if (shape->items[i].kind != RLX_VALUE_INT && shape->items[i].kind != RLX_VALUE_UNKNOWN)
      return -1;
  return shape->count <= RLX_ARRAY_DIMS_MAX ? (int)shape->count : -1;
}

static RlxDType dtype_of(const RlxArrayCall *c, int slot, RlxDType otherwise) {
  return rlx_array_dtype_slot(c, slot, &otherwise) ? otherwise : DTYPE_NONE;
}

static bool is_number(const RlxValue *v) {
  return v && (v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_FLOAT);
}

/// Of numpy.concatenate and stack: parts of one dtype, of which the first says the rank.
static Partial of_parts(const RlxArrayCall *c, int more) {
  const RlxValue *list = c->slots[0];
  Partial out = {-1, DTYPE_NONE};
  if (!list || list->kind != RLX_VALUE_LIST) return out;
  for (uint32_t i = 0; i < list->count; i++) {
    const RlxArrayCall one = {.e = c->e, .slots = {&list->items[i]}};
    const Partial part = of_slot(&one, 0);
    if (!i) out = (Partial){part.ndim < 0 ? -1 : part.ndim + more, part.dtype};
    if (!rlx_dtype_equal(out.dtype, part.dtype)) out.dtype = DTYPE_NONE;
  }
  return out;
}

/// Of an operator between two of them: the higher rank, and the dtype that both have.
static Partial of_pair(const RlxArrayCall *c) {
  const Partial a = of_slot(c, 0), b = of_slot(c, 1);
  Partial out = {a.ndim < 0 || b.ndim < 0 ? -1 : a.ndim > b.ndim ? a.ndim : b.ndim, DTYPE_NONE};
  const bool is_weak = is_number(c->slots[1]);
  if (c->aux == RLX_TRUTH)
    out.dtype = RLX_BOOL;
  else if (rlx_dtype_is_float(a.dtype) && (is_weak || rlx_dtype_equal(a.dtype, b.dtype)))
    out.dtype = a.dtype;
  else if (c->aux != RLX_QUOTIENT && rlx_dtype_is_int(a.dtype) && !rlx_dtype_is_bool(a.dtype) &&
           rlx_dtype_equal(a.dtype, b.dtype))
    out.dtype = a.dtype;
  return out;
}

static Partial partial_of(const RlxArrayCall *c, RlxArrayRule rule) {
  const RlxDType none = DTYPE_NONE;
  Partial x = c->slots[0] ? of_slot(c, 0) : (Partial){-1, none};
  if (rule == rlx_numpy_filled) return (Partial){rank_of(c->slots[0]), dtype_of(c, 1, RLX_FLOAT64)};
  if (rule == rlx_numpy_full)
    return (Partial){rank_of(c->slots[0]), dtype_of(c, 2, of_slot(c, 1).dtype)};
  if (rule == rlx_numpy_arange) return (Partial){1, dtype_of(c, 3, none)};
  if (rule == rlx_numpy_spaced && is_number(c->slots[0]) && is_number(c->slots[1]))
    return (Partial){1, dtype_of(c, c->aux, RLX_FLOAT64)};
  if (rule == rlx_numpy_eye) return (Partial){2, dtype_of(c, 3, RLX_FLOAT64)};
  if (rule == rlx_numpy_identity) return (Partial){2, dtype_of(c, 1, RLX_FLOAT64)};
  if (rule == rlx_numpy_random_floats)
    return (Partial){rank_of(c->slots[c->aux]), dtype_of(c, c->aux + 1, RLX_FLOAT64)};
  if (rule == rlx_numpy_random_ints)
    return (Partial){rank_of(c->slots[c->aux]), dtype_of(c, c->aux + 1, RLX_INT64)};
  if (rule == rlx_numpy_random_dims && c->args && !c->args->is_unknown &&
      c->args->count <= RLX_ARRAY_DIMS_MAX)
    return (Partial){(int)c->args->count, RLX_FLOAT64};
  if (rule == rlx_numpy_reshape) return (Partial){rank_of(c->slots[1]), x.dtype};
  if (rule == rlx_numpy_flat) return (Partial){1, x.dtype};
  if (rule == rlx_numpy_concatenate) return of_parts(c, 0);
  if (rule == rlx_numpy_stack) return of_parts(c, 1);
  if (rule == rlx_numpy_binary && c->slots[0] && c->slots[1]) return of_pair(c);
  const bool is_array = rule == rlx_numpy_array && !(c->aux > 0 && c->slots[c->aux]),
             is_like = rule == rlx_numpy_like;
  if (is_array || is_like) x.dtype = c->aux < 0 && is_array ? x.dtype : dtype_of(c, 1, x.dtype);
  const bool is_same =
      is_array || is_like || rule == rlx_numpy_transpose || rule == rlx_numpy_swapaxes;
  return is_same ? x : (Partial){-1, none};
}

RlxValue rlx_array_partial(const RlxArrayCall *c, RlxArrayRule rule) {
  return made(c, partial_of(c, rule));
}

RlxDType rlx_array_constant_dtype(RlxDType dtype) {
  return rlx_dtype_equal(dtype, RLX_FLOAT64) ? RLX_FLOAT32
         : rlx_dtype_equal(dtype, RLX_INT64) ? RLX_INT32
                                             : dtype;
}

RlxExpr *rlx_array_partial_constant(RlxEval *e, const RlxValue *v, RlxDType dtype, RlxSpan span) {
  const Partial p = unpacked(v);
  if (!rlx_dtype_known(dtype)) dtype = rlx_array_constant_dtype(p.dtype);
  return rlx_expr_new(e, RLX_EXPR_CONSTANT, span,
                      rlx_sinfo_tensor_ndim(e->store, p.ndim, dtype, NULL));
}
