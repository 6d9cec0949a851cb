/// Arrays that numpy makes of nothing: filled, counted, random.
#include <float.h>
#include <math.h>
#include <string.h>

#include "analyzer/eval/arrays_impl.h"

static RlxValue none_known(const RlxArrayCall *c) { return rlx_array_unknown(c->e, c->span); }

/// Gives `a` as many elements as its shape says, all `fill`.
static void fill_with(RlxEval *e, RlxArray *a, const RlxValue *fill) {
  RlxNumbers *numbers = rlx_array_room(e, a, (RlxValueKind)fill->kind);
  for (uint32_t i = 0; numbers && i < numbers->count; i++) {
    if (fill->kind == RLX_VALUE_FLOAT)
      numbers->floats[i] = fill->number;
    else
      numbers->integers[i] = fill->kind == RLX_VALUE_BOOL ? fill->boolean : fill->integer;
  }
  rlx_array_fill(e, a, numbers);
}

static void fill_number(const RlxArrayCall *c, RlxArray *a, int64_t number) {
  RlxValue v = rlx_value_of_int(number, c->span);
  if (number == RLX_FILL_NONE)
    a->data = NULL;
  else
    fill_with(c->e, a, &v);
}

RlxValue rlx_numpy_filled(const RlxArrayCall *c) {
  RlxArray a = {.dtype = RLX_FLOAT64};
  if (!rlx_array_shape_of(c->slots[0], &a)) return rlx_array_refuse_shape(c, c->slots[0]);
  if (!rlx_array_dtype_slot(c, 1, &a.dtype)) return rlx_array_refuse_dtype(c, c->slots[1]);
  fill_number(c, &a, c->aux);
  return rlx_array_value(c->e, &a, c->span);
}

/// numpy.full: the value's own dtype where none is given; the value may be an array that broadcasts.
static RlxValue full(const RlxArrayCall *c, RlxArray *a, int value, int dtype) {
  RlxArray fill, shape = *a;
  if (!c->slots[value] || !rlx_array_read(c->e, c->slots[value], &fill)) return none_known(c);
  if (!rlx_dtype_known(a->dtype)) a->dtype = fill.dtype;
  if (!rlx_array_dtype_slot(c, dtype, &a->dtype)) return rlx_array_refuse_dtype(c, c->slots[dtype]);
  if (!rlx_array_broadcast(&shape, &fill) || !rlx_array_has_shape(&shape, a))
    return rlx_array_refuse_pair(c, "a value of the shape %s does not fill %s", &fill, a);
  a->data = NULL;
  if (fill.data && !fill.ndim) {
    const RlxDType to = a->dtype;
    a->dtype = fill.dtype;
    fill_with(c->e, a, fill.data);
    rlx_array_convert(c->e, a, to);
  }
  return rlx_array_value(c->e, a, c->span);
}

RlxValue rlx_numpy_full(const RlxArrayCall *c) {
  RlxArray a = {.dtype = rlx_dtype_unknown()};
  return rlx_array_shape_of(c->slots[0], &a) ? full(c, &a, 1, 2)
                                             : rlx_array_refuse_shape(c, c->slots[0]);
}

RlxValue rlx_numpy_full_like(const RlxArrayCall *c) {
  RlxArray a;
  if (!c->slots[0] || !rlx_array_read(c->e, c->slots[0], &a) ||
      (c->slots[5] && !rlx_array_shape_of(c->slots[5], &a)) ||
      (!rlx_dtype_known(a.dtype) && !c->slots[2]))
    return none_known(c);
  return full(c, &a, 1, 2);
}

RlxValue rlx_numpy_like(const RlxArrayCall *c) {
  RlxArray a;
  if (!c->slots[0] || !rlx_array_read(c->e, c->slots[0], &a)) return none_known(c);
  if (!rlx_array_dtype_slot(c, 1, &a.dtype)) return rlx_array_refuse_dtype(c, c->slots[1]);
  if (c->slots[4] && !rlx_array_shape_of(c->slots[4], &a))
    return rlx_array_refuse_shape(c, c->slots[4]);
  fill_number(c, &a, c->aux);
  return rlx_array_value(c->e, &a, c->span);
}

/// numpy.array, asarray, astype: the same values, perhaps of another dtype. `aux`: the slot of
/// `ndmin`, 0: none; -1: no dtype either.
RlxValue rlx_numpy_array(const RlxArrayCall *c) {
  RlxArray a;
  int64_t least = 0;
  if (!c->slots[0] || !rlx_array_read(c->e, c->slots[0], &a) ||
      (c->aux > 0 && !rlx_array_int_slot(c, c->aux, &least)) || least > RLX_ARRAY_DIMS_MAX)
    return none_known(c);
  RlxDType dtype = a.dtype;
  if (c->aux >= 0 && !rlx_array_dtype_slot(c, 1, &dtype))
    return rlx_array_refuse_dtype(c, c->slots[1]);
  rlx_array_convert(c->e, &a, dtype);
  int more = (int)least - a.ndim;
  if (more > 0) {
    const RlxNumbers *elements = rlx_array_numbers(c->e, &a);
    memmove(a.dims + more, a.dims, sizeof *a.dims * (size_t)a.ndim);
    for (int i = 0; i < more; i++) a.dims[i] = 1;
    a.ndim += more;
    rlx_array_fill(c->e, &a, elements);
  }
  return rlx_array_value(c->e, &a, c->span);
}

RlxValue rlx_numpy_contiguous(const RlxArrayCall *c) {
  RlxArray a;
  if (!c->slots[0] || !rlx_array_read(c->e, c->slots[0], &a)) return none_known(c);
  RlxDType dtype = a.dtype;
  if (!rlx_array_dtype_slot(c, 1, &dtype)) return none_known(c);
  rlx_array_convert(c->e, &a, dtype);
  if (!a.ndim) {
    const RlxNumbers *elements = rlx_array_numbers(c->e, &a);
    a.dims[a.ndim++] = 1;
    rlx_array_fill(c->e, &a, elements);
  }
  return rlx_array_value(c->e, &a, c->span);
}

/// Elements of numpy.arange over integers.
static void count_up(const RlxArrayCall *c, RlxArray *a, int64_t from, int64_t step) {
  RlxNumbers *numbers = rlx_array_room(c->e, a, RLX_VALUE_INT);
  for (uint32_t i = 0; numbers && i < numbers->count; i++) numbers->integers[i] = from + i * step;
  rlx_array_fill(c->e, a, numbers);
}

/// numpy.arange(stop) and numpy.arange(start, stop, step).
RlxValue rlx_numpy_arange(const RlxArrayCall *c) {
  double at[3] = {0, 0, 1};
  const RlxValue *from = c->slots[0], *to = c->slots[1];
  if (!to) to = from, from = NULL;
  const RlxValue *given[3] = {from, to, c->slots[2]};
  RlxArray a = {.ndim = 1, .dtype = RLX_INT64};
  bool is_whole = true;
  for (int i = 0; i < 3; i++) {
    if (!given[i]) continue;
    if (given[i]->kind != RLX_VALUE_INT && given[i]->kind != RLX_VALUE_FLOAT) return none_known(c);
    is_whole &= given[i]->kind == RLX_VALUE_INT;
    at[i] = given[i]->kind == RLX_VALUE_INT ? (double)given[i]->integer : given[i]->number;
  }
  if (!is_whole) a.dtype = RLX_FLOAT64;
  if (given[2] && !(at[2] < 0) && !(at[2] > 0) && !isnan(at[2]))
    return rlx_array_refuse(c, "a step of 0 never ends");
  double count = at[2] < 0 || at[2] > 0 ? ceil((at[1] - at[0]) / at[2]) : (double)NAN;
  if (!to || !(count < 1e9)) return none_known(c);
  if (!rlx_array_dtype_slot(c, 3, &a.dtype)) return rlx_array_refuse_dtype(c, c->slots[3]);
  a.dims[0] = count > 0 ? (int64_t)count : 0;
  if (is_whole && fabs(at[0]) < 1e9 && fabs(at[2]) < 1e9) {
    const RlxDType dtype = a.dtype;
    a.dtype = RLX_INT64;
    count_up(c, &a, (int64_t)at[0], (int64_t)at[2]);
    rlx_array_convert(c->e, &a, dtype);
  }
  return rlx_array_value(c->e, &a, c->span);
}

/// Elements of numpy.linspace, computed as numpy does; `ends`: the last one is `stop`.
static void space(const RlxArrayCall *c, RlxArray *a, const RlxArray *start, const RlxArray *stop,
                  bool ends) {
  const RlxNumbers *from = rlx_array_numbers(c->e, start), *to = rlx_array_numbers(c->e, stop);
  RlxNumbers *numbers = from && to ? rlx_array_room(c->e, a, RLX_VALUE_FLOAT) : NULL;
  if (!numbers) return;
  const double first = from->kind == RLX_VALUE_FLOAT ? from->floats[0] : (double)from->integers[0];
  const double last = to->kind == RLX_VALUE_FLOAT ? to->floats[0] : (double)to->integers[0];
  const uint32_t gaps = numbers->count - ends;
  const double step = (last - first) / (gaps ? gaps : 1);
  bool is_known = isfinite(step) && (step < 0 || step > 0);
  for (uint32_t i = 0; is_known && i < numbers->count; i++) {
    const double at = ends && i && i == gaps ? last : (double)i * step + first;
    numbers->floats[i] = rlx_dtype_is_int(a->dtype) ? floor(at) : at;
    is_known = isfinite(at);
  }
  rlx_array_fill(c->e, a, is_known ? numbers : NULL);
}

/// numpy.linspace and its like between two numbers; `aux` is the slot of the dtype, the axis behind
/// it.
RlxValue rlx_numpy_spaced(const RlxArrayCall *c) {
  RlxArray a = {.ndim = 1, .dtype = RLX_FLOAT64}, start, stop;
  int64_t count = 50;
  bool is_pair = false, ends = true, is_linear = c->aux == 5 && c->slots[4];
  if (!c->slots[0] || !c->slots[1] || !rlx_array_read(c->e, c->slots[0], &start) ||
      !rlx_array_read(c->e, c->slots[1], &stop) || start.ndim || stop.ndim || !start.weak ||
      !stop.weak || !rlx_array_int_slot(c, 2, &count))
    return none_known(c);
  if (count < 0) return rlx_array_refuse(c, "there are no %lld samples", (long long)count);
  if (!rlx_array_dtype_slot(c, c->aux, &a.dtype))
    return rlx_array_refuse_dtype(c, c->slots[c->aux]);
  if (is_linear && (c->slots[4]->kind != RLX_VALUE_BOOL || !rlx_array_bool_slot(c, 4, &is_pair)))
    return none_known(c); // `retstep`, or the base of a logspace, which may be an array
  if (is_pair) return none_known(c);
  a.dims[0] = count;
  if (strcmp(c->name, "linspace") == 0 && rlx_array_bool_slot(c, 3, &ends)) {
    const RlxDType dtype = a.dtype;
    space(c, &a, &start, &stop, ends);
    a.dtype = RLX_FLOAT64;
    rlx_array_convert(c->e, &a, dtype);
  }
  return rlx_array_value(c->e, &a, c->span);
}

/// numpy.eye (`aux` 0) and numpy.tri (1).
RlxValue rlx_numpy_eye(const RlxArrayCall *c) {
  RlxArray a = {.ndim = 2, .dtype = RLX_FLOAT64};
  int64_t rows = -1, k = 0;
  if (!rlx_array_int_slot(c, 0, &rows)) return none_known(c);
  int64_t columns = rows;
  if (!c->slots[0] || !rlx_array_int_slot(c, 1, &columns) || !rlx_array_int_slot(c, 2, &k))
    return none_known(c);
  if (!rlx_array_dtype_slot(c, 3, &a.dtype)) return rlx_array_refuse_dtype(c, c->slots[3]);
  if ((rows < 0 || columns < 0) && !c->aux) // numpy.tri gives an empty matrix
    return rlx_array_refuse(c, "negative dimensions are not allowed");
  if (rows < 0 || columns < 0) return none_known(c);
  a.dims[0] = rows;
  a.dims[1] = columns;
  int64_t size = rlx_array_size(&a);
  RlxNumbers *numbers =
      k >= -size - 1 && k <= size + 1 ? rlx_array_room(c->e, &a, RLX_VALUE_INT) : NULL;
  for (uint32_t i = 0; numbers && i < numbers->count; i++) {
    const int64_t off = i % columns - i / columns - k;
    numbers->integers[i] = c->aux ? off <= 0 : off == 0;
  }
  rlx_array_fill(c->e, &a, numbers);
  return rlx_array_value(c->e, &a, c->span);
}

RlxValue rlx_numpy_identity(const RlxArrayCall *c) {
  RlxArrayCall eye = *c;
  eye.slots[3] = c->slots[1];
  eye.slots[1] = NULL;
  return rlx_numpy_eye(&eye);
}

/// numpy.tril and numpy.triu: what is not kept is zero, shape and dtype stay.
RlxValue rlx_numpy_triangle(const RlxArrayCall *c) {
  RlxArray a;
  int64_t k = 0;
  if (!c->slots[0] || !rlx_array_read(c->e, c->slots[0], &a) || a.ndim < 2 ||
      !rlx_array_int_slot(c, 1, &k))
    return none_known(c);
  const RlxNumbers *all = rlx_array_numbers(c->e, &a);
  RlxNumbers *numbers = all ? rlx_array_room(c->e, &a, (RlxValueKind)all->kind) : NULL;
  const int64_t rows = a.dims[a.ndim - 2], columns = a.dims[a.ndim - 1];
  for (uint32_t i = 0; numbers && i < numbers->count; i++) {
    const int64_t off = i % columns - i / columns % rows, above = off > k, below = off < k;
    if (!(c->aux ? below : above))
      memcpy(&numbers->integers[i], &all->integers[i], sizeof *all->integers);
  }
  rlx_array_fill(c->e, &a, numbers);
  return rlx_array_value(c->e, &a, c->span);
}

/// numpy.diag: a matrix of a vector, the diagonal of a matrix.
RlxValue rlx_numpy_diagonal(const RlxArrayCall *c) {
  RlxArray a;
  int64_t k = 0;
  enum { FAR = 1 << 30 };
  if (!c->slots[0] || !rlx_array_read(c->e, c->slots[0], &a) || !rlx_array_int_slot(c, 1, &k) ||
      k > FAR || k < -FAR)
    return none_known(c);
  if (a.ndim < 1 || a.ndim > 2)
    return rlx_array_refuse(c, "a diagonal is of a vector or a matrix, not of rank %d", a.ndim);
  a.data = NULL;
  if (a.ndim == 1) {
    a.dims[0] += k < 0 ? -k : k;
    a.dims[1] = a.dims[0];
    a.ndim = 2;
  } else {
    int64_t rows = a.dims[0] - (k < 0 ? -k : 0), columns = a.dims[1] - (k > 0 ? k : 0);
    int64_t count = rows < columns ? rows : columns;
    a.dims[0] = count > 0 ? count : 0;
    a.ndim = 1;
  }
  return rlx_array_value(c->e, &a, c->span);
}

// ---- random numbers: the shape alone is known

RlxValue rlx_numpy_random_dims(const RlxArrayCall *c) {
  RlxArray a = {.dtype = RLX_FLOAT64};
  if (c->args->count > RLX_ARRAY_DIMS_MAX) return none_known(c);
  for (uint32_t i = 0; i < c->args->count; i++) {
    const RlxValue *v = &c->args->at[i].value;
    if (c->args->at[i].keyword) return none_known(c);
    if (v->kind != RLX_VALUE_INT || v->integer < 0) return rlx_array_refuse_dim(c, v);
    a.dims[a.ndim++] = v->integer;
  }
  return rlx_array_value(c->e, &a, c->span);
}

/// The shape that `size` says; without one that of the bounds, which stand before it.
static bool random_shape(const RlxArrayCall *c, RlxArray *a) {
  if (c->slots[c->aux]) return rlx_array_shape_of(c->slots[c->aux], a);
  for (int i = 0; i < c->aux; i++) {
    RlxArray bound;
    if (c->slots[i] &&
        (!rlx_array_read(c->e, c->slots[i], &bound) || !rlx_array_broadcast(a, &bound)))
      return false;
  }
  return true;
}

static RlxValue random_array(const RlxArrayCall *c, RlxArray *a) {
  const RlxValue *size = c->slots[c->aux], *dtype = c->slots[c->aux + 1];
  if (!random_shape(c, a)) return size ? rlx_array_refuse_shape(c, size) : none_known(c);
  if (!rlx_array_dtype_slot(c, c->aux + 1, &a->dtype)) return rlx_array_refuse_dtype(c, dtype);
  return rlx_array_value(c->e, a, c->span);
}

RlxValue rlx_numpy_random_floats(const RlxArrayCall *c) {
  RlxArray a = {.dtype = RLX_FLOAT64};
  return random_array(c, &a);
}

RlxValue rlx_numpy_random_ints(const RlxArrayCall *c) {
  RlxArray a = {.dtype = RLX_INT64};
  return random_array(c, &a);
}

RlxValue rlx_numpy_permutation(const RlxArrayCall *c) {
  RlxArray a;
  if (!c->slots[0] || !rlx_array_read(c->e, c->slots[0], &a)) return none_known(c);
  if (!a.ndim) {
    if (c->slots[0]->kind != RLX_VALUE_INT || c->slots[0]->integer < 0) return none_known(c);
    a = (RlxArray){.ndim = 1, .dims = {c->slots[0]->integer}, .dtype = RLX_INT64};
  }
  a.data = NULL;
  return rlx_array_value(c->e, &a, c->span);
}

/// numpy.random.RandomState(…) and numpy.random.default_rng(…): a path whose attributes arrays.def
/// names. In brackets, so that it is no module's.
RlxValue rlx_numpy_source(const RlxArrayCall *c) {
  static const char *const paths[] = {"<RandomState>", "<Generator>", "<bits>"};
  RlxValue v = {.kind = RLX_VALUE_NAMESPACE, .span = c->span};
  v.string = rlx_store_intern(c->e->store, paths[c->aux], strlen(paths[c->aux]));
  return v;
}

// ---- dtypes

RlxValue rlx_numpy_dtype(const RlxArrayCall *c) {
  RlxDType dtype;
  if (!c->slots[0]) return none_known(c);
  if (!rlx_array_dtype_of(c->e, c->slots[0], &dtype)) return rlx_array_refuse_dtype(c, c->slots[0]);
  RlxValue v = {.kind = RLX_VALUE_DTYPE, .span = c->span};
  v.integer = rlx_pack_dtype(dtype);
  return v;
}

/// numpy.iinfo (`aux` 0) and numpy.finfo (1).
RlxValue rlx_numpy_limits(const RlxArrayCall *c) {
  RlxDType dtype;
  if (!c->slots[0] || !rlx_array_dtype_of(c->e, c->slots[0], &dtype) ||
      rlx_dtype_is_float(dtype) != (c->aux == 1))
    return none_known(c);
  RlxValue v = {.kind = RLX_VALUE_LIMITS, .span = c->span};
  v.integer = rlx_pack_dtype(dtype);
  return v;
}
