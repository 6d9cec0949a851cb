/// Arrays of the elements of others: reshaped, permuted, joined, cut.
#include <string.h>

#include "analyzer/eval/arrays_impl.h"

static RlxValue none_known(const RlxArrayCall *c) { return rlx_array_unknown(c->e, c->span); }

static bool operand(const RlxArrayCall *c, int slot, RlxArray *out) {
  return c->slots[slot] && rlx_array_read(c->e, c->slots[slot], out);
}

static RlxValue result(const RlxArrayCall *c, const RlxArray *a) {
  return rlx_array_value(c->e, a, c->span);
}

/// `a` without its values, which the function moves.
static RlxValue without_data(const RlxArrayCall *c, RlxArray *a) {
  a->data = NULL;
  return result(c, a);
}

static void insert_dim(RlxArray *a, int at, int64_t dim) {
  memmove(a->dims + at + 1, a->dims + at, sizeof *a->dims * (size_t)(a->ndim - at));
  a->dims[at] = dim;
  a->ndim++;
}

static void remove_dim(RlxArray *a, int at) {
  a->ndim--;
  memmove(a->dims + at, a->dims + at + 1, sizeof *a->dims * (size_t)(a->ndim - at));
}

/// numpy.shape, numpy.ndim, numpy.size.
RlxValue rlx_numpy_shape(const RlxArrayCall *c) {
  RlxArray a;
  if (!operand(c, 0, &a)) return none_known(c);
  if (c->aux == 1) return rlx_value_of_int(a.ndim, c->span);
  if (c->aux == 2) {
    int64_t size = rlx_array_size(&a);
    return size < 0 ? none_known(c) : rlx_value_of_int(size, c->span);
  }
  RlxValue list = {
      .kind = RLX_VALUE_LIST, .is_tuple = true, .span = c->span, .count = (uint32_t)a.ndim};
  list.items = rlx_arena_array(c->e->arena, RlxValue, a.ndim ? (size_t)a.ndim : 1);
  for (int i = 0; i < a.ndim; i++) list.items[i] = rlx_value_of_int(a.dims[i], c->span);
  return list;
}

/// Whether an order other than C's is asked for, which changes where values go.
static bool is_other_order(const RlxArrayCall *c, int slot) {
  return c->slots[slot] && (c->slots[slot]->kind != RLX_VALUE_STR ||
                            strcmp(rlx_store_text(c->e->store, c->slots[slot]->string), "C") != 0);
}

RlxValue rlx_numpy_reshape(const RlxArrayCall *c) {
  RlxArray a, shape = {0};
  if (!operand(c, 0, &a) || !c->slots[1]) return none_known(c);
  const RlxValue *v = c->slots[1], *items = v->kind == RLX_VALUE_LIST ? v->items : v;
  uint32_t count = v->kind == RLX_VALUE_LIST ? v->count : 1;
  int64_t size = rlx_array_size(&a), known = 1;
  int open = -1;
  if (count > RLX_ARRAY_DIMS_MAX || size < 0) return none_known(c);
  for (uint32_t i = 0; i < count; i++) {
    if (items[i].kind != RLX_VALUE_INT || items[i].integer < -1) return none_known(c);
    if (items[i].integer == -1 && open >= 0)
      return rlx_array_refuse(c, "only one dimension of a shape may be -1");
    shape.dims[shape.ndim++] = items[i].integer;
    if (items[i].integer == -1)
      open = (int)i;
    else if (__builtin_mul_overflow(known, items[i].integer, &known))
      return none_known(c);
  }
  if (open >= 0 ? known == 0 || size % known : known != size)
    return rlx_array_refuse(c, "%lld elements of %s do not fit the shape %s", (long long)size,
                            rlx_array_shape_text(c->e, &a), rlx_array_shape_text(c->e, &shape));
  if (open >= 0) shape.dims[open] = size / known;
  const RlxNumbers *elements = is_other_order(c, 2) ? NULL : rlx_array_numbers(c->e, &a);
  shape.dtype = a.dtype;
  rlx_array_fill(c->e, &shape, elements);
  return result(c, &shape);
}

RlxValue rlx_numpy_flat(const RlxArrayCall *c) {
  RlxArray a;
  int64_t size = operand(c, 0, &a) ? rlx_array_size(&a) : -1;
  if (size < 0) return none_known(c);
  const RlxNumbers *elements = is_other_order(c, 1) ? NULL : rlx_array_numbers(c->e, &a);
  a.dims[0] = size;
  a.ndim = 1;
  rlx_array_fill(c->e, &a, elements);
  return result(c, &a);
}

// ---- permutations

/// How far apart neighbours along each axis lie; 0 where no element is known.
static void strides_of(const RlxEval *e, const RlxArray *a, int64_t *strides) {
  const int64_t size = rlx_array_size(a);
  int64_t stride = size > 0 && size <= rlx_array_most(e);
  for (int i = a->ndim; i-- > 0; stride *= stride ? a->dims[i] : 0) strides[i] = stride;
}

/// Axis i of the result is axis `axes[i]` of `a`.
static RlxValue permuted(const RlxArrayCall *c, const RlxArray *a, const int *axes) {
  RlxArray out = *a;
  int64_t strides[RLX_ARRAY_DIMS_MAX], ways[RLX_ARRAY_DIMS_MAX];
  strides_of(c->e, a, strides);
  for (int i = 0; i < a->ndim; i++) out.dims[i] = a->dims[axes[i]];
  for (int i = 0; i < a->ndim; i++) ways[i] = strides[axes[i]];
  rlx_array_gather(c->e, &out, rlx_array_numbers(c->e, a), 0, ways);
  return result(c, &out);
}

RlxValue rlx_numpy_transpose(const RlxArrayCall *c) {
  RlxArray a;
  int axes[RLX_ARRAY_DIMS_MAX], count = 0;
  if (!operand(c, 0, &a)) return none_known(c);
  if (!c->slots[1])
    for (; count < a.ndim; count++) axes[count] = a.ndim - 1 - count;
  else if (!rlx_array_axes_of(c->slots[1], a.ndim, axes, &count))
    return rlx_array_refuse_axes(c, c->slots[1], a.ndim);
  else if (count != a.ndim)
    return rlx_array_refuse(c, "%d axes are given for an array of rank %d", count, a.ndim);
  return permuted(c, &a, axes);
}

RlxValue rlx_numpy_swapaxes(const RlxArrayCall *c) {
  RlxArray a;
  int axes[RLX_ARRAY_DIMS_MAX], one[RLX_ARRAY_DIMS_MAX], two[RLX_ARRAY_DIMS_MAX], count;
  if (!operand(c, 0, &a) || !c->slots[1] || !c->slots[2]) return none_known(c);
  if (!rlx_array_axes_of(c->slots[1], a.ndim, one, &count) || count != 1)
    return rlx_array_refuse_axes(c, c->slots[1], a.ndim);
  if (!rlx_array_axes_of(c->slots[2], a.ndim, two, &count) || count != 1)
    return rlx_array_refuse_axes(c, c->slots[2], a.ndim);
  for (int i = 0; i < a.ndim; i++) axes[i] = i == *one ? *two : i == *two ? *one : i;
  return permuted(c, &a, axes);
}

RlxValue rlx_numpy_moveaxis(const RlxArrayCall *c) {
  RlxArray a;
  int from[RLX_ARRAY_DIMS_MAX], to[RLX_ARRAY_DIMS_MAX], axes[RLX_ARRAY_DIMS_MAX], count, places;
  bool is_moved[RLX_ARRAY_DIMS_MAX] = {0};
  if (!operand(c, 0, &a) || !c->slots[1] || !c->slots[2]) return none_known(c);
  if (!rlx_array_axes_of(c->slots[1], a.ndim, from, &count))
    return rlx_array_refuse_axes(c, c->slots[1], a.ndim);
  if (!rlx_array_axes_of(c->slots[2], a.ndim, to, &places))
    return rlx_array_refuse_axes(c, c->slots[2], a.ndim);
  if (count != places) return rlx_array_refuse(c, "%d axes are moved to %d places", count, places);
  for (int i = 0; i < a.ndim; i++) axes[i] = -1;
  for (int i = 0; i < count; i++) axes[to[i]] = from[i], is_moved[from[i]] = true;
  for (int i = 0, next = 0; i < a.ndim; i++) {
    if (axes[i] >= 0) continue;
    while (is_moved[next]) next++;
    axes[i] = next++;
  }
  return permuted(c, &a, axes);
}

// ---- axes of one element

RlxValue rlx_numpy_expand_dims(const RlxArrayCall *c) {
  RlxArray a;
  int axes[RLX_ARRAY_DIMS_MAX], count = 0;
  if (!operand(c, 0, &a) || !c->slots[1]) return none_known(c);
  int more = c->slots[1]->kind == RLX_VALUE_LIST ? (int)c->slots[1]->count : 1;
  if (more > RLX_ARRAY_DIMS_MAX - a.ndim) return none_known(c);
  if (!rlx_array_axes_of(c->slots[1], a.ndim + more, axes, &count))
    return rlx_array_refuse_axes(c, c->slots[1], a.ndim + more);
  const RlxNumbers *elements = rlx_array_numbers(c->e, &a);
  for (int at = 0; at < a.ndim + count; at++)
    for (int i = 0; i < count; i++)
      if (axes[i] == at && at <= a.ndim) {
        insert_dim(&a, at, 1);
        axes[i] = -1;
        i = count;
        more--;
      }
  if (more) return none_known(c);
  rlx_array_fill(c->e, &a, elements);
  return result(c, &a);
}

RlxValue rlx_numpy_squeeze(const RlxArrayCall *c) {
  RlxArray a;
  int axes[RLX_ARRAY_DIMS_MAX], count = 0;
  if (!operand(c, 0, &a)) return none_known(c);
  if (c->slots[1] && !rlx_array_axes_of(c->slots[1], a.ndim, axes, &count))
    return rlx_array_refuse_axes(c, c->slots[1], a.ndim);
  const RlxNumbers *elements = rlx_array_numbers(c->e, &a);
  for (int at = a.ndim; at-- > 0;) {
    bool goes = !c->slots[1] && a.dims[at] == 1;
    for (int i = 0; i < count; i++) goes |= axes[i] == at;
    if (goes && a.dims[at] != 1)
      return rlx_array_refuse(c, "axis %d of %s has not one element alone", at,
                              rlx_array_shape_text(c->e, &a));
    if (goes) remove_dim(&a, at);
  }
  rlx_array_fill(c->e, &a, elements);
  return result(c, &a);
}

RlxValue rlx_numpy_broadcast_to(const RlxArrayCall *c) {
  RlxArray a, shape = {0}, both;
  if (!operand(c, 0, &a)) return none_known(c);
  if (!rlx_array_shape_of(c->slots[1], &shape)) return rlx_array_refuse_shape(c, c->slots[1]);
  both = shape;
  if (!rlx_array_broadcast(&both, &a) || both.ndim != shape.ndim ||
      memcmp(both.dims, shape.dims, sizeof *both.dims * (size_t)both.ndim) != 0)
    return rlx_array_refuse_pair(c, "%s does not broadcast to %s", &a, &shape);
  both.dtype = a.dtype;
  int64_t ways[RLX_ARRAY_DIMS_MAX] = {0}, strides[RLX_ARRAY_DIMS_MAX];
  strides_of(c->e, &a, strides);
  for (int i = 0; i < a.ndim; i++)
    if (a.dims[i] != 1) ways[both.ndim - a.ndim + i] = strides[i];
  rlx_array_gather(c->e, &both, rlx_array_numbers(c->e, &a), 0, ways);
  return result(c, &both);
}

// ---- joined

/// Joins `more` to `a` along `axis`; dtypes promote. False: their other dimensions differ.
static bool join(RlxArray *a, const RlxArray *more, int axis) {
  if (a->ndim != more->ndim || axis >= a->ndim) return false;
  for (int i = 0; i < a->ndim; i++)
    if (i != axis && a->dims[i] != more->dims[i]) return false;
  if (__builtin_add_overflow(a->dims[axis], more->dims[axis], &a->dims[axis])) return false;
  rlx_array_promote(a, more);
  a->data = NULL;
  return true;
}

/// What numpy says of two arrays that `join` did not take.
static RlxValue refuse_join(const RlxArrayCall *c, const RlxArray *a, const RlxArray *more,
                            int axis) {
  bool is_odd = a->ndim != more->ndim;
  for (int i = 0; i < a->ndim && !is_odd; i++) is_odd = i != axis && a->dims[i] != more->dims[i];
  if (!is_odd) return none_known(c);
  return rlx_array_refuse_pair(c, "arrays of the shapes %s and %s can't be joined", a, more);
}

/// Axis that slot `slot` names, 0 without one.
static bool axis_slot(const RlxArrayCall *c, int slot, int ndim, int *out) {
  int axes[RLX_ARRAY_DIMS_MAX], count = 0;
  *out = 0;
  if (!c->slots[slot]) return ndim > 0;
  if (c->slots[slot]->kind != RLX_VALUE_INT ||
      !rlx_array_axes_of(c->slots[slot], ndim, axes, &count))
    return false;
  *out = axes[0];
  return true;
}

/// A number of Python in a list of arrays is an array of its own.
static bool item_of(const RlxArrayCall *c, uint32_t i, RlxArray *out) {
  const RlxValue *list = c->slots[0];
  if (!list || list->kind != RLX_VALUE_LIST || i >= list->count ||
      !rlx_array_read(c->e, &list->items[i], out))
    return false;
  out->weak = NULL;
  return true;
}

/// Where `item_of` finds no first array.
static RlxValue refuse_list(const RlxArrayCall *c) {
  const RlxValue *list = c->slots[0];
  if (list && list->kind == RLX_VALUE_LIST && !list->count)
    return rlx_array_refuse(c, "there is no array to join");
  return none_known(c);
}

/// Where `axis_slot` finds none; an array without axes has none either.
static RlxValue refuse_axis(const RlxArrayCall *c, int slot, int ndim) {
  if (c->slots[slot]) return rlx_array_refuse_axes(c, c->slots[slot], ndim);
  return ndim ? none_known(c) : rlx_array_refuse(c, "an array without dimensions has no axis");
}

/// What a function that joins makes of array `i` of its list before it does; false: there is none.
typedef bool Piece(const RlxArrayCall *c, uint32_t i, int how, RlxArray *out);

/// `a`, which has its shape: pieces behind one another along `axis`.
static RlxValue joined(const RlxArrayCall *c, RlxArray *a, int dtype, int axis, Piece *piece,
                       int how) {
  if (dtype && !rlx_array_dtype_slot(c, dtype, &a->dtype)) return none_known(c);
  const bool is_float = rlx_dtype_is_float(a->dtype), is_bool = rlx_dtype_is_bool(a->dtype);
  int64_t strides[RLX_ARRAY_DIMS_MAX], from = 0;
  RlxArray one;
  RlxNumbers *room = NULL;
  if (rlx_dtype_known(a->dtype) && !(dtype && c->slots[dtype]))
    room = rlx_array_room(c->e, a,
                          is_float  ? RLX_VALUE_FLOAT
                          : is_bool ? RLX_VALUE_BOOL
                                    : RLX_VALUE_INT);
  strides_of(c->e, a, strides);
  for (uint32_t i = 0; room && piece(c, i, how, &one); i++) {
    if (!rlx_array_put(c->e, room, a, &one, from)) room = NULL;
    from += one.dims[axis] * strides[axis];
  }
  rlx_array_fill(c->e, a, room);
  return result(c, a);
}

static bool plain_piece(const RlxArrayCall *c, uint32_t i, int how, RlxArray *out) {
  (void)how;
  return item_of(c, i, out);
}

RlxValue rlx_numpy_concatenate(const RlxArrayCall *c) {
  RlxArray a, more;
  int axis;
  if (c->nones & 2 || c->slots[2]) return none_known(c); // an axis None flattens
  if (!item_of(c, 0, &a)) return refuse_list(c);
  if (!axis_slot(c, 1, a.ndim, &axis)) return refuse_axis(c, 1, a.ndim);
  for (uint32_t i = 1; i < c->slots[0]->count; i++) {
    if (!item_of(c, i, &more)) return none_known(c);
    if (!join(&a, &more, axis)) return refuse_join(c, &a, &more, axis);
  }
  return joined(c, &a, 3, axis, plain_piece, 0);
}

static bool flatten(RlxArray *a) {
  a->dims[0] = rlx_array_size(a);
  a->ndim = 1;
  a->weak = NULL;
  a->data = NULL;
  return a->dims[0] >= 0;
}

RlxValue rlx_numpy_append(const RlxArrayCall *c) {
  RlxArray a, more;
  int axis = 0;
  if (!operand(c, 0, &a) || !operand(c, 1, &more)) return none_known(c);
  if (c->slots[2] && !axis_slot(c, 2, a.ndim, &axis)) return refuse_axis(c, 2, a.ndim);
  if (!c->slots[2] && (!flatten(&a) || !flatten(&more))) return none_known(c);
  return join(&a, &more, axis) ? without_data(c, &a) : refuse_join(c, &a, &more, axis);
}

/// An array with one axis more, at `how`.
static bool stacked_piece(const RlxArrayCall *c, uint32_t i, int how, RlxArray *out) {
  const RlxNumbers *numbers = item_of(c, i, out) ? rlx_array_numbers(c->e, out) : NULL;
  if (!numbers) return out->data = NULL, i < c->slots[0]->count;
  insert_dim(out, how, 1);
  rlx_array_fill(c->e, out, numbers);
  return true;
}

RlxValue rlx_numpy_stack(const RlxArrayCall *c) {
  RlxArray a, more;
  int axis;
  if (c->slots[2]) return none_known(c);
  if (!item_of(c, 0, &a)) return refuse_list(c);
  if (a.ndim >= RLX_ARRAY_DIMS_MAX) return none_known(c);
  if (!axis_slot(c, 1, a.ndim + 1, &axis)) return refuse_axis(c, 1, a.ndim + 1);
  const RlxArray first = a;
  insert_dim(&a, axis, 1);
  for (uint32_t i = 1; i < c->slots[0]->count; i++) {
    if (!item_of(c, i, &more)) return none_known(c);
    if (!rlx_array_has_shape(&first, &more))
      return rlx_array_refuse_pair(c, "arrays of the shapes %s and %s can't be stacked", &first,
                                   &more);
    insert_dim(&more, axis, 1);
    if (!join(&a, &more, axis)) return none_known(c);
  }
  return joined(c, &a, 3, axis, stacked_piece, axis);
}

/// What numpy.vstack (0), hstack (1) and dstack (2) make of an array before they join it.
static void at_least(RlxArray *a, int how) {
  while (a->ndim < (how == 1 ? 1 : 2)) insert_dim(a, 0, 1);
  if (how == 2 && a->ndim < 3) insert_dim(a, 2, 1);
}

static bool along_piece(const RlxArrayCall *c, uint32_t i, int how, RlxArray *out) {
  const RlxNumbers *numbers = item_of(c, i, out) ? rlx_array_numbers(c->e, out) : NULL;
  if (!numbers) return out->data = NULL, i < c->slots[0]->count;
  at_least(out, how);
  rlx_array_fill(c->e, out, numbers);
  return true;
}

RlxValue rlx_numpy_stack_along(const RlxArrayCall *c) {
  RlxArray a, more;
  if (!item_of(c, 0, &a)) return refuse_list(c);
  at_least(&a, c->aux);
  int axis = c->aux == 1 && a.ndim == 1 ? 0 : c->aux;
  for (uint32_t i = 1; i < c->slots[0]->count; i++) {
    if (!item_of(c, i, &more)) return none_known(c);
    at_least(&more, c->aux);
    if (!join(&a, &more, axis)) return refuse_join(c, &a, &more, axis);
  }
  return joined(c, &a, c->aux == 2 ? 0 : 1, axis, along_piece, c->aux);
}

/// numpy.split into equal parts, or before the given indices.
RlxValue rlx_numpy_split(const RlxArrayCall *c) {
  RlxArray a;
  int axis;
  const RlxValue *at = c->slots[1];
  if (!operand(c, 0, &a) || !at) return none_known(c);
  if (!axis_slot(c, 2, a.ndim, &axis)) return refuse_axis(c, 2, a.ndim);
  bool is_equal = at->kind == RLX_VALUE_INT;
  if (is_equal && at->integer > 0 && a.dims[axis] % at->integer)
    return rlx_array_refuse(c, "%lld elements can't be split into %lld equal parts",
                            (long long)a.dims[axis], (long long)at->integer);
  if (is_equal ? at->integer <= 0 || at->integer > RLX_ARRAY_DATA_MAX || a.dims[axis] % at->integer
               : at->kind != RLX_VALUE_LIST)
    return none_known(c);
  uint32_t count = is_equal ? (uint32_t)at->integer : at->count + 1;
  RlxValue list = {.kind = RLX_VALUE_LIST, .span = c->span, .count = count};
  list.items = rlx_arena_array(c->e->arena, RlxValue, count);
  int64_t from = 0, whole = a.dims[axis], strides[RLX_ARRAY_DIMS_MAX];
  const RlxNumbers *numbers = rlx_array_numbers(c->e, &a);
  strides_of(c->e, &a, strides);
  for (uint32_t i = 0; i < count; i++) {
    int64_t to = whole;
    if (is_equal)
      to = from + whole / at->integer;
    else if (i + 1 < count) {
      if (at->items[i].kind != RLX_VALUE_INT || at->items[i].integer < from) return none_known(c);
      to = at->items[i].integer < whole ? at->items[i].integer : whole;
    }
    a.dims[axis] = to > from ? to - from : 0;
    rlx_array_gather(c->e, &a, numbers, from * strides[axis], strides);
    list.items[i] = result(c, &a);
    from = to;
  }
  return list;
}

// ---- repeated, padded, chosen

RlxValue rlx_numpy_tile(const RlxArrayCall *c) {
  RlxArray a, times = {0};
  if (!operand(c, 0, &a)) return none_known(c);
  if (!rlx_array_shape_of(c->slots[1], &times)) return rlx_array_refuse_shape(c, c->slots[1]);
  while (a.ndim < times.ndim) insert_dim(&a, 0, 1);
  for (int i = 0; i < times.ndim; i++) {
    int64_t *dim = &a.dims[a.ndim - times.ndim + i];
    if (__builtin_mul_overflow(*dim, times.dims[i], dim)) return none_known(c);
  }
  return without_data(c, &a);
}

RlxValue rlx_numpy_repeat(const RlxArrayCall *c) {
  RlxArray a;
  int axis = 0;
  int64_t times = -1;
  if (!operand(c, 0, &a) || !rlx_array_int_slot(c, 1, &times)) return none_known(c);
  if (times < 0) return rlx_array_refuse(c, "nothing is repeated %lld times", (long long)times);
  if (c->slots[2] && !axis_slot(c, 2, a.ndim, &axis)) return refuse_axis(c, 2, a.ndim);
  if (!c->slots[2] && !flatten(&a)) return none_known(c);
  if (__builtin_mul_overflow(a.dims[axis], times, &a.dims[axis])) return none_known(c);
  a.weak = NULL;
  return without_data(c, &a);
}

/// Two numbers, or one for both; false: neither.
static bool pair_of(const RlxValue *v, int64_t *sum) {
  if (v->kind == RLX_VALUE_INT) {
    *sum = 2 * v->integer;
    return v->integer >= 0 && v->integer < INT32_MAX;
  }
  if (v->kind != RLX_VALUE_LIST || v->count < 1 || v->count > 2) return false;
  *sum = 0;
  for (int i = 0; i < 2; i++) {
    const RlxValue *one = &v->items[v->count == 1 ? 0 : i];
    if (one->kind != RLX_VALUE_INT || one->integer < 0 || one->integer > INT32_MAX) return false;
    *sum += one->integer;
  }
  return true;
}

RlxValue rlx_numpy_pad(const RlxArrayCall *c) {
  RlxArray a;
  const RlxValue *width = c->slots[1];
  if (!operand(c, 0, &a) || !width) return none_known(c);
  bool is_nested =
      width->kind == RLX_VALUE_LIST && width->count && width->items[0].kind == RLX_VALUE_LIST;
  if (is_nested && width->count != 1 && (int)width->count != a.ndim)
    return rlx_array_refuse(c, "%u pairs of widths are given for an array of rank %d", width->count,
                            a.ndim);
  for (int i = 0; i < a.ndim; i++) {
    int64_t more;
    const RlxValue *one = is_nested ? &width->items[width->count == 1 ? 0 : i] : width;
    if (one->kind == RLX_VALUE_INT && one->integer < 0)
      return rlx_array_refuse(c, "nothing is padded by %lld", (long long)one->integer);
    if (!pair_of(one, &more) || __builtin_add_overflow(a.dims[i], more, &a.dims[i]))
      return none_known(c);
  }
  return without_data(c, &a);
}

/// Whether all numbers in the list lie in -dim..dim-1, as far as they are known to be integers. (numpy.take
/// has modes that take others, but its row has no parameter `mode`.)
static bool in_range(const RlxValue *v, int64_t dim) {
  if (v->kind == RLX_VALUE_INT) return v->integer >= -dim && v->integer < dim;
  for (uint32_t i = 0; v->kind == RLX_VALUE_LIST && i < v->count; i++)
    if (!in_range(&v->items[i], dim)) return false;
  return true;
}

RlxValue rlx_numpy_take(const RlxArrayCall *c) {
  RlxArray a, at;
  int axis = 0;
  if (!operand(c, 0, &a) || !operand(c, 1, &at) || at.ndim + a.ndim > RLX_ARRAY_DIMS_MAX)
    return none_known(c);
  if (c->slots[2] && !axis_slot(c, 2, a.ndim, &axis)) return refuse_axis(c, 2, a.ndim);
  if (!c->slots[2] && !flatten(&a)) return none_known(c);
  if (!in_range(c->slots[1], a.dims[axis]))
    return rlx_array_refuse(c, "an index lies outside of axis %d, which has %lld elements", axis,
                            (long long)a.dims[axis]);
  remove_dim(&a, axis);
  for (int i = 0; i < at.ndim; i++) insert_dim(&a, axis + i, at.dims[i]);
  return without_data(c, &a);
}

/// Functions that give the elements in another order; `aux`: the slot of an axis that None flattens
/// (numpy.sort), 0: none.
RlxValue rlx_numpy_shuffled(const RlxArrayCall *c) {
  RlxArray a;
  int axes[RLX_ARRAY_DIMS_MAX], count;
  if (!operand(c, 0, &a) || !a.ndim || (c->nones >> c->aux & 1)) return none_known(c);
  if (c->aux && c->slots[c->aux] && !rlx_array_axes_of(c->slots[c->aux], a.ndim, axes, &count))
    return rlx_array_refuse_axes(c, c->slots[c->aux], a.ndim);
  return without_data(c, &a);
}

// ---- a[…]

/// Elements that from:to:step takes of `dim`, as Python counts them; `*first` is where they begin.
static int64_t slice_length(int64_t dim, const RlxArrayIndex *at, int64_t *first) {
  int64_t step = at->has[2] ? at->bounds[2] : 1, bounds[2];
  for (int i = 0; i < 2; i++) {
    int64_t least = step < 0 ? -1 : 0, most = step < 0 ? dim - 1 : dim;
    bool is_low = (i == 0) == (step > 0);
    int64_t b = at->has[i] ? at->bounds[i] : 0;
    if (at->has[i] && b < 0) b = b < -dim ? least : b + dim;
    bounds[i] = !at->has[i] ? (is_low ? least : most) : b < least ? least : b > most ? most : b;
  }
  int64_t way = step > 0 ? bounds[1] - bounds[0] : bounds[0] - bounds[1],
          stride = step > 0 ? step : -step;
  *first = bounds[0];
  return way > 0 ? (way - 1) / stride + 1 : 0;
}

RlxValue rlx_array_subscript(RlxEval *e, const RlxValue *base, const RlxArrayIndex *at, int count,
                             RlxSpan span) {
  RlxArray a, out = {0};
  int taken = 0, next = 0;
  for (int i = 0; i < count; i++)
    taken += at[i].kind == RLX_INDEX_INT || at[i].kind == RLX_INDEX_SLICE;
  const RlxArrayCall c = {.e = e, .span = span};
  if (!rlx_array_read(e, base, &a)) return none_known(&c);
  if (taken > a.ndim)
    return rlx_array_refuse(&c, "%d indices are given for an array of rank %d", taken, a.ndim);
  int64_t strides[RLX_ARRAY_DIMS_MAX], ways[RLX_ARRAY_DIMS_MAX] = {0}, from = 0;
  strides_of(c.e, &a, strides);
  bool has_rest = false;
  for (int i = 0; i <= count; i++) {
    if (i == count ? !has_rest : at[i].kind == RLX_INDEX_REST) {
      for (int rest = a.ndim - taken; rest > 0; rest--, next++) {
        ways[out.ndim] = strides[next];
        out.dims[out.ndim++] = a.dims[next];
      }
      if (has_rest) return none_known(&c);
      has_rest = true;
    }
    if (i == count || at[i].kind == RLX_INDEX_REST) continue;
    if (out.ndim + a.ndim - next >= RLX_ARRAY_DIMS_MAX || at[i].kind == RLX_INDEX_UNKNOWN)
      return none_known(&c);
    if (at[i].kind == RLX_INDEX_NEW)
      out.dims[out.ndim++] = 1;
    else if (at[i].kind == RLX_INDEX_SLICE) {
      int64_t first, step = at[i].has[2] ? at[i].bounds[2] : 1;
      if (step == 0 || step == INT64_MIN) return none_known(&c);
      out.dims[out.ndim] = slice_length(a.dims[next], &at[i], &first);
      ways[out.ndim] = out.dims[out.ndim] > 1 ? step * strides[next] : 0;
      from += out.dims[out.ndim++] ? first * strides[next] : 0;
      next++;
    } else {
      const int64_t index = at[i].bounds[0];
      if (index >= a.dims[next] || index < -a.dims[next])
        return rlx_array_refuse(&c, "index %lld lies outside of axis %d, which has %lld elements",
                                (long long)index, next, (long long)a.dims[next]);
      from += (index < 0 ? index + a.dims[next] : index) * strides[next];
      next++;
    }
  }
  out.dtype = a.dtype;
  rlx_array_gather(e, &out, rlx_array_numbers(e, &a), from, ways);
  return rlx_array_value(e, &out, span);
}
