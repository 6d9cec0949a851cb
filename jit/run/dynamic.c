/// Operators whose results' shapes follow from values, and a shape as a tensor: what R's operators and the functions of TVM's
/// library that lowered modules call in their place do.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "jit/run/run.h"

RlxObject *rlx_shape_to_tensor(RlxHeap *heap, const RlxObject *shape, RlxError *err) {
  int64_t count = shape->count;
  RlxObject *t = rlx_tensor_new(heap, RLX_INT64, &count, 1, err);
  if (t && count) memcpy(t->data, shape->dims, (size_t)count * sizeof *shape->dims);
  return t;
}

RlxObject *rlx_nonzero(RlxHeap *heap, const RlxObject *x, RlxError *err) {
  int64_t count = rlx_tensor_count(x), found = 0;
  for (int64_t i = 0; i < count; i++) found += rlx_element_number(x->data, x->dtype, i) != 0.0;
  int rank = x->count ? x->count : 1;
  RlxObject *out = rlx_tensor_new(heap, RLX_INT64, (int64_t[]){rank, found}, 2, err);
  if (!out) return NULL;
  int64_t at = 0, *to = out->data;
  for (int64_t i = 0; i < count; i++) {
    if (rlx_element_number(x->data, x->dtype, i) == 0.0) continue;
    int64_t rest = i;
    for (int d = rank; d-- > 0;) {
      int64_t extent = x->count ? x->dims[d] : 1;
      to[(int64_t)d * found + at] = rest % extent;
      rest /= extent;
    }
    at++;
  }
  return out;
}

// ---- unique

typedef struct Sorted { ///< slices along the axis, for qsort_r
  const RlxObject *x;
  int64_t outer, extent, inner; ///< of the axis
} Sorted;

static int compare_elements(const RlxObject *x, int64_t i, int64_t k) {
  if (!rlx_dtype_is_float(x->dtype)) {
    int64_t p = rlx_element_integer(x->data, x->dtype, i),
            q = rlx_element_integer(x->data, x->dtype, k);
    if (x->dtype.code == RLX_DTYPE_UINT) return (uint64_t)p < (uint64_t)q ? -1 : p != q;
    return p < q ? -1 : p > q;
  }
  double p = rlx_element_number(x->data, x->dtype, i), q = rlx_element_number(x->data, x->dtype, k);
  if (isnan(p) || isnan(q)) return isnan(p) - isnan(q);
  return p < q ? -1 : p > q;
}
static int compare_values(const void *p, const void *q, void *data) {
  const Sorted *s = data;
  int64_t i = *(const int64_t *)p, k = *(const int64_t *)q;
  for (int64_t o = 0; o < s->outer; o++)
    for (int64_t n = 0; n < s->inner; n++) {
      int c = compare_elements(s->x, (o * s->extent + i) * s->inner + n,
                               (o * s->extent + k) * s->inner + n);
      if (c) return c;
    }
  return 0;
}
static int compare_slices(const void *p, const void *q, void *data) {
  int c = compare_values(p, q, data);
  int64_t i = *(const int64_t *)p, k = *(const int64_t *)q;
  return c ? c : i < k ? -1 : 1;
}

/// Equal slices as groups.
typedef struct Groups {
  int64_t *first, *size; ///< by group: its first slice, how many it has
  int64_t *of;           ///< by slice: its group
  int64_t count;
} Groups;

static int by_place(const void *p, const void *q, void *data) {
  const int64_t *first = data, i = first[*(const int64_t *)p], k = first[*(const int64_t *)q];
  return i < k ? -1 : i > k;
}

/// Puts the groups into the order in which they begin.
static void order_by_place(Groups *g, int64_t slices) {
  const size_t n = (size_t)g->count;
  int64_t *order = rlx_mem_zeroed(n + 1, sizeof *order), *now = rlx_mem_zeroed(n + 1, sizeof *now),
          *first = rlx_mem_zeroed(n + 1, sizeof *first),
          *size = rlx_mem_zeroed(n + 1, sizeof *size);
  for (int64_t i = 0; i < g->count; i++) order[i] = i;
  qsort_r(order, n, sizeof *order, by_place, g->first);
  for (int64_t i = 0; i < g->count; i++) {
    now[order[i]] = i;
    first[i] = g->first[order[i]];
    size[i] = g->size[order[i]];
  }
  memcpy(g->first, first, n * sizeof *first);
  memcpy(g->size, size, n * sizeof *size);
  for (int64_t i = 0; i < slices; i++) g->of[i] = now[g->of[i]];
  free(order);
  free(now);
  free(first);
  free(size);
}

static Groups group(Sorted *s) {
  const size_t n = (size_t)s->extent;
  Groups g = {rlx_mem_zeroed(n + 1, sizeof *g.first), rlx_mem_zeroed(n + 1, sizeof *g.size),
              rlx_mem_zeroed(n + 1, sizeof *g.of), 0};
  int64_t *order = rlx_mem_zeroed(n + 1, sizeof *order);
  for (int64_t i = 0; i < s->extent; i++) order[i] = i;
  qsort_r(order, n, sizeof *order, compare_slices, s);
  for (int64_t i = 0; i < s->extent; i++) {
    if (!i || compare_values(&order[i - 1], &order[i], s)) g.first[g.count++] = order[i];
    g.of[order[i]] = g.count - 1;
    g.size[g.count - 1]++;
  }
  free(order);
  return g;
}

/// One slice of each group.
static RlxObject *pick(RlxHeap *heap, const Sorted *s, int axis, const Groups *g, RlxError *err) {
  const RlxObject *x = s->x;
  int64_t dims[RLX_TENSOR_NDIM_MAX];
  const int ndim = axis < 0 ? 1 : x->count;
  for (int d = 0; d < ndim; d++) dims[d] = axis < 0 || d == axis ? g->count : x->dims[d];
  RlxObject *out = rlx_tensor_new(heap, x->dtype, dims, ndim, err);
  const size_t run = rlx_dtype_bytes(x->dtype) * (size_t)s->inner;
  for (int64_t o = 0; out && o < s->outer; o++)
    for (int64_t i = 0; i < g->count; i++)
      memcpy((char *)out->data + (size_t)(o * g->count + i) * run,
             (const char *)x->data + (size_t)(o * s->extent + g->first[i]) * run, run);
  return out;
}

RlxObject *rlx_unique(RlxHeap *heap, const RlxObject *x, const RlxUnique *how, RlxError *err) {
  const int axis = how->axis;
  if (axis >= x->count) return rlx_error_set(err, "the axis is out of range"), NULL;
  Sorted s = {
      .x = x, .outer = 1, .extent = axis < 0 ? rlx_tensor_count(x) : x->dims[axis], .inner = 1};
  for (int d = 0; d < axis; d++) s.outer *= x->dims[d];
  for (int d = axis + 1; axis >= 0 && d < x->count; d++) s.inner *= x->dims[d];
  Groups g = group(&s);
  if (!how->is_sorted) order_by_place(&g, s.extent);
  RlxObject *fields[4] = {pick(heap, &s, axis, &g, err)};
  int count = 1;
  const struct {
    bool is_wanted;
    const int64_t *from;
    int64_t length;
  } extra[] = {{how->gives_index, g.first, g.count},
               {how->gives_inverse, g.of, s.extent},
               {how->gives_counts, g.size, g.count}};
  for (size_t k = 0; k < sizeof extra / sizeof *extra && fields[0]; k++) {
    if (!extra[k].is_wanted) continue;
    RlxObject *t = rlx_tensor_new(heap, RLX_INT64, &extra[k].length, 1, err);
    if (!t) break;
    memcpy(t->data, extra[k].from, (size_t)extra[k].length * sizeof *extra[k].from);
    fields[count++] = t;
  }
  RlxObject *result = !fields[0]   ? NULL
                      : count == 1 ? rlx_object_ref(fields[0])
                                   : rlx_tuple_new(heap, fields, count);
  for (int i = 0; i < count; i++) rlx_object_unref(fields[i]);
  free(g.first);
  free(g.size);
  free(g.of);
  return result;
}
