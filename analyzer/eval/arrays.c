/// Arrays that a script makes with numpy or TVM's runtime for R.const: their shape and dtype, and
/// small ones' data. Always true: what only Python can compute (another file's array, an unknown
/// dtype) is UNKNOWN, never a guess; data that is not computed here leaves the constant without a
/// value.
#include "analyzer/eval/eval.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_DIMS = 16, MOST_ELEMENTS = 1024 };

static RlxValue unknown(RlxEval *e, RlxSpan span) {
  e->tainted = true;
  return rlx_value_unknown(span);
}

static RlxValue of_array(RlxEval *e, const RlxPrim *const *dims, int ndim, RlxDType dtype,
                         const RlxValue *data, RlxSpan span) {
  RlxExpr *x =
      rlx_expr_new(e, RLX_EXPR_CONSTANT, span, rlx_sinfo_tensor(e->store, dims, ndim, dtype, NULL));
  x->constant.value = data;
  RlxValue v = {.kind = RLX_VALUE_ARRAY, .span = span};
  v.expr = x;
  return v;
}

/// A dtype given as a name or as numpy.float32; false: not known.
static bool dtype_of(RlxEval *e, const RlxValue *v, RlxDType *out) {
  if (v->kind == RLX_VALUE_DTYPE) {
    *out = rlx_unpack_dtype(v->integer);
    return true;
  }
  if (v->kind == RLX_VALUE_BUILTIN) { // Python's float, int, bool
    const char *text = rlx_store_text(e->store, v->string);
    if (strcmp(text, "float") == 0)
      *out = RLX_FLOAT64;
    else if (strcmp(text, "int") == 0)
      *out = RLX_INT64;
    else if (strcmp(text, "bool") == 0)
      *out = RLX_BOOL;
    else
      return false;
    return true;
  }
  if (v->kind != RLX_VALUE_STR) return false;
  const char *text = rlx_store_text(e->store, v->string);
  return rlx_dtype_parse(text, strlen(text), out) && rlx_dtype_known(*out);
}

/// The dtype argument, `*out` as it was when there is none. False: given, and not known.
static bool dtype_argument(RlxEval *e, const RlxPyArgs *args, uint32_t position, RlxDType *out) {
  const RlxValue *v = rlx_py_arg(e, args, position, "dtype");
  return !v || v->kind == RLX_VALUE_NONE || dtype_of(e, v, out);
}

/// A shape: one number or a list of numbers. -1: not known.
static int shape_of(RlxEval *e, const RlxValue *v, const RlxPrim **dims, int64_t *elements) {
  const RlxValue *items = v->kind == RLX_VALUE_LIST ? v->items : v;
  uint32_t count = v->kind == RLX_VALUE_LIST ? v->count : 1;
  if (count > MOST_DIMS) return -1;
  *elements = 1;
  for (uint32_t i = 0; i < count; i++) {
    if (items[i].kind != RLX_VALUE_INT || items[i].integer < 0) return -1;
    if (*elements <= MOST_ELEMENTS)
      *elements *= items[i].integer <= MOST_ELEMENTS ? items[i].integer : MOST_ELEMENTS + 1;
    dims[i] = rlx_prim_int(e->store, items[i].integer);
  }
  return (int)count;
}

static RlxValue *filled(RlxEval *e, const RlxPrim *const *dims, int ndim, const RlxValue *fill) {
  RlxValue *v = rlx_arena_one(e->arena, RlxValue);
  *v = *fill;
  for (int i = ndim; i-- > 0;) {
    uint32_t count = (uint32_t)dims[i]->value;
    RlxValue *list = rlx_arena_one(e->arena, RlxValue);
    *list = (RlxValue){.kind = RLX_VALUE_LIST, .span = fill->span, .count = count};
    list->items = rlx_arena_array(e->arena, RlxValue, count ? count : 1);
    for (uint32_t k = 0; k < count; k++) list->items[k] = *v;
    v = list;
  }
  return v;
}

/// numpy.zeros(shape, dtype) and its like; `fill` NULL: the data is not known.
static RlxValue call_filled(RlxEval *e, const RlxPyArgs *args, const RlxValue *fill,
                            uint32_t dtype_position, RlxDType dtype, RlxSpan span) {
  const RlxPrim *dims[MOST_DIMS];
  int64_t elements = 0;
  const RlxValue *shape = rlx_py_arg(e, args, 0, "shape");
  int ndim = shape ? shape_of(e, shape, dims, &elements) : -1;
  if (ndim < 0 || !dtype_argument(e, args, dtype_position, &dtype)) return unknown(e, span);
  return of_array(e, dims, ndim, dtype,
                  fill && elements <= MOST_ELEMENTS ? filled(e, dims, ndim, fill) : NULL, span);
}

/// numpy.array([[1, 2]], dtype), also of an array.
static RlxValue call_array(RlxEval *e, const RlxPyArgs *args, RlxSpan span) {
  const RlxValue *data = rlx_py_arg(e, args, 0, "object");
  if (!data && args->count && args->at[0].keyword)
    data = &args->at[0].value; // tvm.runtime.tensor(arr=…)
  RlxDType dtype = rlx_dtype_unknown();
  if (!data || !dtype_argument(e, args, 1, &dtype)) return unknown(e, span);
  if (data->kind == RLX_VALUE_ARRAY) {
    const RlxSInfo *s = data->expr->sinfo;
    return of_array(e, s->dims, s->ndim, rlx_dtype_known(dtype) ? dtype : s->dtype,
                    data->expr->constant.value, span);
  }
  if (data->kind != RLX_VALUE_LIST && data->kind != RLX_VALUE_INT &&
      data->kind != RLX_VALUE_FLOAT && data->kind != RLX_VALUE_BOOL)
    return unknown(e, span);
  RlxExpr *x = rlx_expr_constant(e, data, rlx_dtype_unknown(), span);
  if (!x) return unknown(e, span);
  if (!rlx_dtype_known(dtype)) {
    bool is_empty = data->kind == RLX_VALUE_LIST && !data->count;
    dtype = is_empty || rlx_dtype_is_float(x->sinfo->dtype) ? RLX_FLOAT64
            : rlx_dtype_is_bool(x->sinfo->dtype)            ? RLX_BOOL
                                                            : RLX_INT64;
  }
  return of_array(e, x->sinfo->dims, x->sinfo->ndim, dtype, x->constant.value, span);
}

static RlxValue call_full(RlxEval *e, const RlxPyArgs *args, RlxSpan span) {
  const RlxValue *fill = rlx_py_arg(e, args, 1, "fill_value");
  if (!fill || (fill->kind != RLX_VALUE_INT && fill->kind != RLX_VALUE_FLOAT &&
                fill->kind != RLX_VALUE_BOOL))
    return unknown(e, span);
  return call_filled(e, args, fill, 2,
                     fill->kind == RLX_VALUE_FLOAT  ? RLX_FLOAT64
                     : fill->kind == RLX_VALUE_BOOL ? RLX_BOOL
                                                    : RLX_INT64,
                     span);
}

static RlxValue call_like(RlxEval *e, const RlxPyArgs *args, RlxSpan span) {
  const RlxValue *like = rlx_py_arg(e, args, 0, "a");
  if (!like || like->kind != RLX_VALUE_ARRAY) return unknown(e, span);
  RlxDType dtype = like->expr->sinfo->dtype;
  if (!dtype_argument(e, args, 1, &dtype)) return unknown(e, span);
  return of_array(e, like->expr->sinfo->dims, like->expr->sinfo->ndim, dtype, NULL, span);
}

static RlxValue call_arange(RlxEval *e, const RlxPyArgs *args, RlxSpan span) {
  double at[3] = {0, 0, 1};
  uint32_t given = 0;
  bool is_float = false;
  for (uint32_t i = 0; i < args->count && !args->at[i].keyword; i++) {
    const RlxValue *v = &args->at[i].value;
    if (i > 2 || (v->kind != RLX_VALUE_INT && v->kind != RLX_VALUE_FLOAT)) return unknown(e, span);
    is_float |= v->kind == RLX_VALUE_FLOAT;
    at[given++] = v->kind == RLX_VALUE_FLOAT ? v->number : (double)v->integer;
  }
  if (given == 1) at[1] = at[0], at[0] = 0;
  RlxDType dtype = is_float ? RLX_FLOAT64 : RLX_INT64;
  if (!given || at[2] == 0 || !dtype_argument(e, args, 3, &dtype)) return unknown(e, span);
  double count = ceil((at[1] - at[0]) / at[2]);
  if (!(count < 1e9)) return unknown(e, span);
  const RlxPrim *dim = rlx_prim_int(e->store, count > 0 ? (int64_t)count : 0);
  return of_array(e, &dim, 1, dtype, NULL, span);
}

/// numpy.random.rand(2, 3), numpy.random.uniform(size=(2, 3)), …: the shape alone is known.
static RlxValue call_random(RlxEval *e, const char *name, const RlxPyArgs *args, RlxSpan span) {
  const RlxPrim *dims[MOST_DIMS];
  int64_t elements = 0;
  bool is_int = strcmp(name, "randint") == 0;
  RlxDType dtype = is_int ? RLX_INT64 : RLX_FLOAT64;
  if (strcmp(name, "rand") == 0 || strcmp(name, "randn") == 0) {
    if (args->count > MOST_DIMS) return unknown(e, span);
    for (uint32_t i = 0; i < args->count; i++) {
      int64_t one = 0;
      if (shape_of(e, &args->at[i].value, &dims[i], &one) != 1) return unknown(e, span);
    }
    return of_array(e, dims, (int)args->count, dtype, NULL, span);
  }
  if (!is_int && strcmp(name, "uniform") != 0 && strcmp(name, "normal") != 0)
    return unknown(e, span);
  const RlxValue *size = rlx_py_arg(e, args, 2, "size");
  int ndim = size ? shape_of(e, size, dims, &elements) : 0;
  if (ndim < 0 || (is_int && !dtype_argument(e, args, 3, &dtype))) return unknown(e, span);
  return of_array(e, dims, ndim, dtype, NULL, span);
}

static RlxValue call_limits(RlxEval *e, const RlxPyArgs *args, bool is_float, RlxSpan span) {
  RlxDType dtype;
  if (args->count != 1 || !dtype_of(e, &args->at[0].value, &dtype) ||
      rlx_dtype_is_float(dtype) != is_float)
    return unknown(e, span);
  RlxValue v = {.kind = RLX_VALUE_LIMITS, .span = span};
  v.integer = rlx_pack_dtype(dtype);
  return v;
}

RlxValue rlx_array_call(RlxEval *e, const char *path, const RlxPyArgs *args, RlxSpan span) {
  static const char *const runtime[] = {"tvm.nd.array", "tvm.runtime.tensor",
                                        "tvm.runtime.ndarray.array", "tvm.runtime._tensor.tensor",
                                        "tvm.runtime.array"};
  if (args->is_unknown) return unknown(e, span);
  for (size_t i = 0; i < sizeof runtime / sizeof runtime[0]; i++) {
    if (strcmp(path, runtime[i]) != 0) continue;
    RlxPyArgs first = {args->at, args->count ? 1 : 0,
                       false}; // the device says nothing about the value
    RlxValue v = call_array(e, &first, span);
    if (v.kind == RLX_VALUE_ARRAY) v.is_bare = true; // R.const takes it as it is
    return v;
  }
  if (strncmp(path, "numpy.", 6) != 0) return unknown(e, span);
  const char *name = path + 6;
  RlxValue zero = {.kind = RLX_VALUE_INT, .span = span}, one = zero;
  one.integer = 1;
  if (strcmp(name, "zeros") == 0) return call_filled(e, args, &zero, 1, RLX_FLOAT64, span);
  if (strcmp(name, "ones") == 0) return call_filled(e, args, &one, 1, RLX_FLOAT64, span);
  if (strcmp(name, "empty") == 0) return call_filled(e, args, NULL, 1, RLX_FLOAT64, span);
  if (strcmp(name, "full") == 0) return call_full(e, args, span);
  if (strcmp(name, "zeros_like") == 0 || strcmp(name, "ones_like") == 0 ||
      strcmp(name, "empty_like") == 0)
    return call_like(e, args, span);
  if (strcmp(name, "array") == 0 || strcmp(name, "asarray") == 0) return call_array(e, args, span);
  if (strcmp(name, "arange") == 0) return call_arange(e, args, span);
  if (strcmp(name, "iinfo") == 0) return call_limits(e, args, false, span);
  if (strcmp(name, "finfo") == 0) return call_limits(e, args, true, span);
  if (strncmp(name, "random.", 7) == 0) return call_random(e, name + 7, args, span);
  return unknown(e, span);
}

RlxValue rlx_array_attribute(RlxEval *e, const RlxValue *base, RlxName name, RlxSpan span) {
  const char *text = rlx_store_text(e->store, name);
  if (base->kind == RLX_VALUE_ARRAY) {
    const RlxSInfo *s = base->expr->sinfo;
    if (strcmp(text, "dtype") == 0) {
      RlxValue v = {.kind = RLX_VALUE_DTYPE, .span = span};
      v.integer = rlx_pack_dtype(s->dtype);
      return v;
    }
    if (strcmp(text, "shape") != 0) return unknown(e, span);
    RlxValue list = {
        .kind = RLX_VALUE_LIST, .is_tuple = true, .span = span, .count = (uint32_t)s->ndim};
    list.items = rlx_arena_array(e->arena, RlxValue, s->ndim ? (size_t)s->ndim : 1);
    for (int i = 0; i < s->ndim; i++) {
      list.items[i] = (RlxValue){.kind = RLX_VALUE_INT, .span = span};
      list.items[i].integer = s->dims[i]->value;
    }
    return list;
  }
  RlxDType dtype = rlx_unpack_dtype(base->integer);
  bool is_max = strcmp(text, "max") == 0;
  if (!is_max && strcmp(text, "min") != 0) return unknown(e, span);
  RlxValue v = {.kind = RLX_VALUE_INT, .span = span};
  if (rlx_dtype_is_float(dtype)) {
    if (dtype.bits != 16 && dtype.bits != 32 && dtype.bits != 64) return unknown(e, span);
    double most = dtype.bits == 16 ? 65504.0 : dtype.bits == 32 ? (double)FLT_MAX : DBL_MAX;
    v.kind = RLX_VALUE_FLOAT;
    v.number = is_max ? most : -most;
    return v;
  }
  if (dtype.bits > 64 || (dtype.bits == 64 && dtype.code == RLX_DTYPE_UINT && is_max))
    return unknown(e, span);
  if (dtype.code == RLX_DTYPE_UINT)
    v.integer = is_max ? (int64_t)(UINT64_MAX >> (64 - dtype.bits)) : 0;
  else
    v.integer = is_max ? INT64_MAX >> (64 - dtype.bits) : INT64_MIN >> (64 - dtype.bits);
  return v;
}

RlxValue rlx_array_method(RlxEval *e, const RlxMethod *method, const RlxPyArgs *args,
                          RlxSpan span) {
  const RlxSInfo *s = method->self.expr->sinfo;
  const RlxValue *data = method->self.expr->constant.value;
  RlxDType dtype = s->dtype;
  if (strcmp(rlx_store_text(e->store, method->name), "astype") == 0) {
    const RlxValue *v = rlx_py_arg(e, args, 0, "dtype");
    return v && dtype_of(e, v, &dtype) ? of_array(e, s->dims, s->ndim, dtype, data, span)
                                       : unknown(e, span);
  }
  RlxValue list = {.kind = RLX_VALUE_LIST, .count = args->count, .span = span};
  list.items = rlx_arena_array(e->arena, RlxValue, args->count ? args->count : 1);
  for (uint32_t i = 0; i < args->count; i++) list.items[i] = args->at[i].value;
  const RlxPrim *dims[MOST_DIMS];
  int64_t elements = 0;
  int ndim = shape_of(e, args->count == 1 ? &args->at[0].value : &list, dims, &elements);
  return ndim < 0 ? unknown(e, span) : of_array(e, dims, ndim, dtype, NULL, span);
}

RlxExpr *rlx_array_constant(RlxEval *e, const RlxValue *v, RlxDType dtype, RlxSpan span) {
  const RlxSInfo *s = v->expr->sinfo;
  if (v->is_bare)
    dtype = s->dtype;
  else if (!rlx_dtype_known(dtype)) // as R.const makes it of numpy's wide defaults
    dtype = rlx_dtype_equal(s->dtype, RLX_FLOAT64) ? RLX_FLOAT32
            : rlx_dtype_equal(s->dtype, RLX_INT64) ? RLX_INT32
                                                   : s->dtype;
  RlxExpr *x = rlx_expr_new(e, RLX_EXPR_CONSTANT, span,
                            rlx_sinfo_tensor(e->store, s->dims, s->ndim, dtype, NULL));
  x->constant.value = v->expr->constant.value;
  return x;
}
