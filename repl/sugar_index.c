/// `x[…]` at the prompt, by the rules of numpy: integers, slices, None, `...`, tensors of integers and masks,
/// mixed as one likes.
///
/// Always true: nothing is evaluated for it, so that lengths may be unknown (those of another `x[mask]`);
/// what needs one that is not known is left as it was written.
/// Source: numpy's "Indexing on ndarrays", of which "Combining advanced and basic indexing" says where the
/// dimensions of several index tensors go.
#include "repl/sugar_impl.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

typedef enum ItemKind {
  ITEM_ALL,     ///< `:`
  ITEM_SLICE,   ///< first, last, step
  ITEM_INTEGER, ///< first
  ITEM_TENSOR,  ///< of integers: `text`
  ITEM_NEW,     ///< None: a dimension of extent 1
} ItemKind;

/// What one dimension of the operand becomes, or a new dimension.
typedef struct Item {
  ItemKind kind;
  int64_t first, last, step;
  char *text;    ///< the index's Relax
  int ndim;      ///< of the index
  bool has_dims; ///< those of the index are known
  bool is_mask;
  int merged; ///< dimensions of the operand that it stands for: those of a mask; else 1, or 0
} Item;

typedef struct Subscript {
  RlxSugarWriter *w;
  RlxSugarType type; ///< of the operand
  Vec(Item) items;
  int used; ///< dimensions of the operand that have an item
} Subscript;

static void wrap(RlxBuf *text, RlxBuf *outer) {
  rlx_buf_free(text);
  *text = *outer;
  *outer = (RlxBuf){0};
}

static void put_numbers(const char *name, const int64_t *v, int count, RlxBuf *out) {
  rlx_buf_printf(out, ", %s=[", name);
  for (int i = 0; i < count; i++) rlx_buf_printf(out, "%s%lld", i ? ", " : "", (long long)v[i]);
  rlx_buf_putc(out, ']');
}

// ---- reading

static bool refuse(const Subscript *s, const RlxError *err) {
  rlx_sugar_fail(s->w, err);
  return false;
}

static int64_t clamp(int64_t v, int64_t low, int64_t high) {
  return v < low ? low : v > high ? high : v;
}

/// The bounds of a slice as R.strided_slice has them. Of a known `length` they are inside of [0, length],
/// but -length - 1 for one before the first element; else they are what R.strided_slice cuts to the length.
static void bound_slice(int64_t length, const bool *has, int64_t *v) {
  const int64_t step = v[2];
  if (length < 0) {
    if (!has[0]) v[0] = step < 0 ? INT64_MAX : 0;
    if (!has[1]) v[1] = step < 0 ? -INT64_MAX : INT64_MAX;
    return;
  }
  const int64_t low = step < 0 ? -1 : 0, high = step < 0 ? length - 1 : length;
  for (int i = 0; i < 2; i++) {
    if (has[i])
      v[i] = clamp(v[i] < 0 ? v[i] + length : v[i], low, high);
    else
      v[i] = (step < 0) == (i == 0) ? high : low;
    if (v[i] < 0) v[i] = -length - 1;
  }
}

/// A bound, a step or an index that is a number, or an integer tensor of one element, which is evaluated. False: it is
/// neither, and nothing was said.
static bool read_bound(const Subscript *s, const RlxAst *ast, int64_t *out) {
  RlxReplNumber number;
  if (rlx_repl_number(s->w->repl, ast, &number)) {
    *out = number.integer;
    return number.kind == RLX_NUMBER_INT;
  }
  RlxBuf text = {0};
  rlx_sugar_put(s->w, ast, &text);
  const RlxSugarType t =
      s->w->failed ? (RlxSugarType){0} : rlx_sugar_type(s->w, ast, rlx_buf_text(&text));
  const bool may_be =
      t.is_tensor && t.ndim == 0 && !rlx_dtype_is_float(t.dtype) && !rlx_dtype_is_bool(t.dtype);
  RlxObject *value = may_be ? rlx_sugar_evaluate(s->w, rlx_buf_text(&text)) : NULL;
  if (value) *out = rlx_element_integer(value->data, value->dtype, 0);
  rlx_object_unref(value);
  rlx_buf_free(&text);
  return value != NULL;
}

static bool read_slice(const Subscript *s, const RlxAst *slice, int64_t length, Item *out) {
  RlxError err = {0};
  int64_t v[3] = {0, 0, 1};
  bool has[3] = {false, false, false};
  for (uint32_t i = 0; i < slice->child_count && i < 3; i++) {
    const RlxAst *part = slice->children[i];
    if (part->kind == RLX_AST_NONE) continue;
    if (!read_bound(s, part, &v[i]))
      return rlx_error_set(&err, "the bounds and the step of a slice are integers"),
             refuse(s, &err);
    has[i] = true;
  }
  if (!v[2]) return rlx_error_set(&err, "the step of a slice cannot be 0"), refuse(s, &err);
  const bool is_all = !has[0] && !has[1] && v[2] == 1;
  bound_slice(length, has, v);
  *out = (Item){is_all ? ITEM_ALL : ITEM_SLICE, v[0], v[1], v[2], .merged = 1};
  return true;
}

static bool read_integer(const Subscript *s, int64_t index, int64_t length, Item *out) {
  RlxError err = {0};
  if (length >= 0 && (index < -length || index >= length)) {
    rlx_error_set(&err, "index %lld is out of bounds for dimension %d of extent %lld",
                  (long long)index, s->used, (long long)length);
    return refuse(s, &err);
  }
  const int64_t first = index < 0 && length >= 0 ? index + length : index;
  *out = (Item){ITEM_INTEGER, first, first + 1, 1, .merged = 1};
  return true;
}

/// A mask selects from the dimensions that it has, which become one.
static bool read_mask(const Subscript *s, const RlxSugarType *mask, const char *text, Item *out) {
  RlxError err = {0};
  const RlxSugarType *t = &s->type;
  if (mask->ndim < 1) rlx_error_set(&err, "a mask has at least one dimension");
  if (s->used + mask->ndim > t->ndim)
    rlx_error_set(&err, "a mask of %d dimensions for %d of a tensor's", mask->ndim,
                  t->ndim - s->used);
  for (int i = 0; !*err.text && i < mask->ndim; i++) {
    const int64_t extent = t->dims[s->used + i];
    if (extent >= 0 && mask->dims[i] >= 0 && extent != mask->dims[i])
      rlx_error_set(&err, "dimension %d has extent %lld, that of the mask is %lld", s->used + i,
                    (long long)extent, (long long)mask->dims[i]);
  }
  if (*err.text) return refuse(s, &err);
  RlxBuf index = {0};
  rlx_buf_printf(
      &index, mask->ndim > 1 ? "R.flatten(R.nonzero(R.flatten(%s)))" : "R.flatten(R.nonzero(%s))",
      text);
  *out = (Item){.kind = ITEM_TENSOR,
                .text = rlx_buf_steal(&index),
                .ndim = 1,
                .is_mask = true,
                .merged = mask->ndim};
  return true;
}

/// Whether the list is one of True and False alone, however nested.
static bool is_mask_list(const RlxAst *a) {
  if (a->kind != RLX_AST_LIST) return a->kind == RLX_AST_TRUE || a->kind == RLX_AST_FALSE;
  for (uint32_t i = 0; i < a->child_count; i++)
    if (!is_mask_list(a->children[i])) return false;
  return a->child_count > 0;
}

/// An index that is a tensor: of integers, or a mask.
static bool read_tensor(const Subscript *s, const RlxAst *ast, Item *out) {
  RlxBuf text = {0};
  RlxError err = {0};
  if (!rlx_sugar_constant(s->w, ast, is_mask_list(ast) ? RLX_BOOL : RLX_INT64, &text))
    rlx_sugar_put(s->w, ast, &text);
  const RlxSugarType t =
      s->w->failed ? (RlxSugarType){0} : rlx_sugar_type(s->w, ast, rlx_buf_text(&text));
  bool ok = t.is_tensor && t.ndim >= 0 && !rlx_dtype_is_float(t.dtype);
  const char *name = ast->kind == RLX_AST_NAME ? rlx_store_text(s->w->repl->store, ast->name) : "";
  if (!ok && *name && !rlx_sugar_variable(s->w, name) &&
      !rlx_repl_find_def(s->w->repl, name, strlen(name)))
    rlx_error_set(&err, "`%.200s` is not defined", name), refuse(s, &err);
  else if (!ok) {
    rlx_error_set(&err, "an index is an integer, a slice, None, `...`, or a tensor or list of "
                        "integers or bools");
    refuse(s, &err);
  } else if (rlx_dtype_is_bool(t.dtype))
    ok = read_mask(s, &t, rlx_buf_text(&text), out);
  else
    *out = (Item){.kind = ITEM_TENSOR,
                  .text = rlx_buf_steal(&text),
                  .ndim = t.ndim,
                  .has_dims = t.has_dims,
                  .merged = 1};
  rlx_buf_free(&text);
  return ok;
}

static bool read_item(Subscript *s, const RlxAst *ast) {
  RlxError err = {0};
  Item item = {.kind = ITEM_NEW};
  RlxReplNumber number;
  const bool is_number = rlx_repl_number(s->w->repl, ast, &number);
  if (ast->kind != RLX_AST_NONE) {
    if (s->used >= s->type.ndim) {
      rlx_error_set(&err, "too many indices for a tensor of %d dimension%s", s->type.ndim,
                    s->type.ndim == 1 ? "" : "s");
      return refuse(s, &err);
    }
    const int64_t length = s->type.dims[s->used];
    const bool ok = ast->kind == RLX_AST_SLICE ? read_slice(s, ast, length, &item)
                    : is_number && number.kind == RLX_NUMBER_INT
                        ? read_integer(s, number.integer, length, &item)
                        : read_tensor(s, ast, &item);
    if (!ok) return false;
  }
  s->used += item.merged;
  rlx_vec_push(&s->items, item);
  return true;
}

/// Dimensions that an item takes, as far as that can be told before it is read: a mask of several is only
/// known by its StructInfo.
static int dimensions_of(const Subscript *s, const RlxAst *ast) {
  if (ast->kind == RLX_AST_NONE || ast->kind == RLX_AST_ELLIPSIS) return 0;
  RlxReplNumber number;
  if (ast->kind == RLX_AST_SLICE || rlx_repl_number(s->w->repl, ast, &number)) return 1;
  int depth = 0;
  if (is_mask_list(ast)) {
    for (; ast->kind == RLX_AST_LIST && ast->child_count; ast = ast->children[0]) depth++;
    return depth;
  }
  RlxBuf text = {0};
  if (ast->kind != RLX_AST_LIST) rlx_sugar_put(s->w, ast, &text);
  const RlxSugarType t = text.size && !s->w->failed ? rlx_sugar_type(s->w, ast, rlx_buf_text(&text))
                                                    : (RlxSugarType){0};
  rlx_buf_free(&text);
  return t.is_tensor && rlx_dtype_is_bool(t.dtype) && t.ndim > 0 ? t.ndim : 1;
}

static void put_all(Subscript *s, int count) {
  for (; count > 0; count--, s->used++)
    rlx_vec_push(&s->items, ((Item){.kind = ITEM_ALL, .step = 1, .merged = 1}));
}

static bool read_items(Subscript *s, const RlxAst *const *item, uint32_t count) {
  RlxError err = {0};
  bool has_ellipsis = false;
  for (uint32_t i = 0; i < count; i++) {
    if (item[i]->kind != RLX_AST_ELLIPSIS) {
      if (!read_item(s, item[i])) return false;
      continue;
    }
    if (has_ellipsis) return rlx_error_set(&err, "`...` stands in an index once"), refuse(s, &err);
    has_ellipsis = true;
    int rest = s->type.ndim - s->used;
    for (uint32_t k = i + 1; k < count; k++) rest -= dimensions_of(s, item[k]);
    put_all(s, rest);
  }
  put_all(s, s->type.ndim - s->used);
  return true;
}

// ---- writing

/// The dimensions of each mask as one. False: that needs an extent which is not known.
static bool merge_masks(const Subscript *s, RlxBuf *text) {
  RlxBuf outer = {0};
  bool any = false, inferred = false;
  int axis = 0, rest = 0;
  for (uint32_t i = 0; i < s->items.count; i++) {
    any |= s->items.at[i].merged > 1;
    rest += s->items.at[i].merged == 1;
  }
  if (!any) return true;
  if (!rest) {
    rlx_buf_printf(&outer, "R.flatten(%s)", rlx_buf_text(text));
    return wrap(text, &outer), true;
  }
  rlx_buf_printf(&outer, "R.reshape(%s, (", rlx_buf_text(text));
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.at[i];
    if (!item->merged) continue;
    int64_t extent = 1;
    for (int k = 0; k < item->merged; k++) {
      const int64_t one = s->type.dims[axis + k];
      extent = one < 0 || extent < 0 ? -1 : extent * one;
    }
    if (extent < 0 && inferred) return rlx_buf_free(&outer), false;
    inferred |= extent < 0;
    rlx_buf_printf(&outer, "%s%lld", axis ? ", " : "", (long long)extent);
    axis += item->merged;
  }
  rlx_buf_puts(&outer, "))");
  return wrap(text, &outer), true;
}

static void put_axes(const char *op, const int64_t *axes, int count, RlxBuf *text) {
  RlxBuf outer = {0};
  if (!count) return;
  rlx_buf_printf(&outer, "R.%s(%s", op, rlx_buf_text(text));
  put_numbers("axis", axes, count, &outer);
  rlx_buf_putc(&outer, ')');
  wrap(text, &outer);
}

/// Slices, and integers where all lengths are known.
static void put_slices(const Subscript *s, RlxBuf *text) {
  int64_t axes[RLX_SUGAR_NDIM_MAX], begin[RLX_SUGAR_NDIM_MAX], end[RLX_SUGAR_NDIM_MAX],
      step[RLX_SUGAR_NDIM_MAX], squeezed[RLX_SUGAR_NDIM_MAX];
  RlxBuf outer = {0};
  int slices = 0, squeezes = 0, axis = -1;
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.at[i];
    const bool is_integer = item->kind == ITEM_INTEGER && s->type.has_dims;
    axis += item->merged > 0;
    if (item->kind != ITEM_SLICE && !is_integer) continue;
    if (is_integer) squeezed[squeezes++] = axis;
    axes[slices] = axis;
    begin[slices] = item->first;
    end[slices] = item->last;
    step[slices++] = item->step;
  }
  if (!slices) return;
  rlx_buf_printf(&outer, "R.strided_slice(%s", rlx_buf_text(text));
  put_numbers("axes", axes, slices, &outer);
  put_numbers("begin", begin, slices, &outer);
  put_numbers("end", end, slices, &outer);
  put_numbers("strides", step, slices, &outer);
  rlx_buf_putc(&outer, ')');
  wrap(text, &outer);
  put_axes("squeeze", squeezed, squeezes, text);
}

/// Integers where a length is not known: whether they are below it is looked at when it runs.
static void put_taken(const Subscript *s, RlxBuf *text) {
  RlxBuf outer = {0};
  int axis = -1, gone = 0;
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.at[i];
    axis += item->merged > 0;
    if (item->kind != ITEM_INTEGER || s->type.has_dims) continue;
    rlx_buf_printf(&outer, "R.take(%s, R.const(%lld, \"int64\"), axis=%d)", rlx_buf_text(text),
                   (long long)item->first, axis - gone++);
    wrap(text, &outer);
  }
}

static void put_new(const Subscript *s, RlxBuf *text) {
  int64_t added[RLX_SUGAR_NDIM_MAX];
  int count = 0, place = 0;
  for (uint32_t i = 0; i < s->items.count; i++) {
    const ItemKind kind = s->items.at[i].kind;
    if (kind == ITEM_NEW) added[count++] = place;
    place += kind != ITEM_INTEGER;
  }
  put_axes("expand_dims", added, count, text);
}

static void put_permuted(const int64_t *axes, int count, RlxBuf *text) {
  RlxBuf outer = {0};
  bool is_same = true;
  for (int i = 0; i < count; i++) is_same &= axes[i] == i;
  if (is_same) return;
  rlx_buf_printf(&outer, "R.permute_dims(%s", rlx_buf_text(text));
  put_numbers("axes", axes, count, &outer);
  rlx_buf_putc(&outer, ')');
  wrap(text, &outer);
}

/// Where index tensors stand, in the result of the slices, whose integers are gone.
typedef struct Places {
  int axes[RLX_SUGAR_NDIM_MAX]; ///< of the tensors
  int count;
  int all;   ///< dimensions there are
  int first; ///< where the tensors' dimensions belong
  int ndim;  ///< the most that a tensor has
} Places;

/// An integer beside a tensor counts as one, too: the dimensions of the tensors belong where the first of
/// both stands when they are neighbours, else in front.
static Places places_of(const Subscript *s) {
  Places p = {.first = -1};
  int begins = 0; // of runs of neighbours
  bool is_inside = false;
  for (uint32_t i = 0; i < s->items.count; i++) {
    const Item *item = &s->items.at[i];
    const bool is_index = item->kind == ITEM_TENSOR || item->kind == ITEM_INTEGER;
    begins += is_index && !is_inside;
    is_inside = is_index;
    if (is_index && p.first < 0) p.first = p.all;
    if (item->kind == ITEM_TENSOR) {
      p.axes[p.count++] = p.all;
      if (item->ndim > p.ndim) p.ndim = item->ndim;
    }
    p.all += item->kind != ITEM_INTEGER;
  }
  if (begins > 1) p.first = 0;
  return p;
}

/// Moves the `count` dimensions at `from` of `all` to `to`.
static void put_moved(int from, int count, int to, int all, RlxBuf *text) {
  int64_t axes[2 * RLX_SUGAR_NDIM_MAX];
  int n = 0, other = 0;
  while (n < all) {
    if (n >= to && n < to + count)
      axes[n] = from + n - to;
    else {
      if (other == from) other += count;
      axes[n] = other++;
    }
    n++;
  }
  put_permuted(axes, n, text);
}

/// The extent of a dimension behind the slices; -1: unknown. `axis` is where the item stands in the
/// operand.
static int64_t extent_of(const Subscript *s, const Item *item, int axis) {
  if (item->kind == ITEM_NEW) return 1;
  const int64_t length = s->type.dims[axis];
  if (length < 0 || item->kind == ITEM_ALL) return length;
  const int64_t last = item->last < 0 ? -1 : item->last, first = item->first < 0 ? -1 : item->first;
  const int64_t count = item->step > 0 ? (last - first + item->step - 1) / item->step
                                       : (first - last - item->step - 1) / -item->step;
  return count > 0 ? count : 0;
}

/// 0, 1, … below `extent` as a tensor of the session, with `behind` dimensions of extent 1 behind.
static bool put_range(const Subscript *s, int64_t extent, int behind, RlxBuf *out) {
  int64_t dims[RLX_SUGAR_NDIM_MAX];
  RlxError err = {0};
  if (extent < 0 || behind >= RLX_SUGAR_NDIM_MAX) return false;
  dims[0] = extent;
  for (int i = 1; i <= behind; i++) dims[i] = 1;
  RlxObject *x = rlx_tensor_new(rlx_jit_heap(s->w->repl->jit), RLX_INT64, dims, behind + 1, &err);
  if (!x) return refuse(s, &err);
  for (int64_t i = 0; i < extent; i++) rlx_element_set_integer(x->data, RLX_INT64, i, i);
  rlx_sugar_put_temp(s->w, "range", x, NULL, out);
  return true;
}

/// Indices of the dimensions before the first index tensor, so that the result needs no moving: of index
/// tensors whose shapes are not known TVM does not know the result's rank.
static bool put_ranges(const Subscript *s, const Places *p, RlxBuf *out) {
  int axis = 0;
  for (uint32_t i = 0, place = 0; (int)place < p->first; i++) {
    const Item *item = &s->items.at[i];
    if (item->kind != ITEM_INTEGER) {
      if (!put_range(s, extent_of(s, item, axis), p->first - 1 - (int)place++ + p->ndim, out))
        return false;
      rlx_buf_puts(out, ", ");
    }
    axis += item->merged;
  }
  return true;
}

static void put_indices(const Subscript *s, RlxBuf *out) {
  bool any = false;
  for (uint32_t i = 0; i < s->items.count; i++) {
    if (s->items.at[i].kind != ITEM_TENSOR) continue;
    rlx_buf_printf(out, "%s%s", any ? ", " : "", s->items.at[i].text);
    any = true;
  }
}

/// Brings the dimensions that are indexed by tensors to the front.
static void put_in_front(const Places *p, RlxBuf *text) {
  int64_t axes[RLX_SUGAR_NDIM_MAX];
  int n = 0;
  for (; n < p->count; n++) axes[n] = p->axes[n];
  for (int i = 0, k = 0; i < p->all; i++)
    if (k < p->count && p->axes[k] == i)
      k++;
    else
      axes[n++] = i;
  put_permuted(axes, n, text);
}

/// One index tensor is taken where it stands; several are broadcast. False: an extent is not known.
static bool put_tensors(const Subscript *s, RlxBuf *text) {
  RlxBuf outer = {0};
  const Places p = places_of(s);
  const int all = p.all - p.count + p.ndim;
  bool are_known = true, ok = true;
  for (uint32_t i = 0; i < s->items.count; i++)
    are_known &= s->items.at[i].kind != ITEM_TENSOR || s->items.at[i].has_dims;
  if (p.count == 1) {
    rlx_buf_printf(&outer, "R.take(%s, ", rlx_buf_text(text));
    put_indices(s, &outer);
    rlx_buf_printf(&outer, ", axis=%d)", p.axes[0]);
    wrap(text, &outer);
    put_moved(p.axes[0], p.ndim, p.first, all, text);
  } else if (p.count) {
    const bool by_ranges = p.first && !are_known;
    if (!by_ranges) put_in_front(&p, text);
    rlx_buf_printf(&outer, "R.index_tensor(%s, (", rlx_buf_text(text));
    if (by_ranges) ok = put_ranges(s, &p, &outer);
    put_indices(s, &outer);
    rlx_buf_puts(&outer, "))");
    wrap(text, &outer);
    if (!by_ranges) put_moved(0, p.ndim, p.first, all, text);
  }
  return ok;
}

static bool put_subscript(const Subscript *s, RlxBuf *text) {
  if (s->items.count > RLX_SUGAR_NDIM_MAX || !merge_masks(s, text)) return false;
  put_slices(s, text);
  put_taken(s, text);
  put_new(s, text);
  return put_tensors(s, text);
}

/// Whether the result has no elements whatever the index tensors hold: nothing would look at them.
static bool is_empty(const Subscript *s) {
  for (uint32_t i = 0, axis = 0; i < s->items.count; i++) {
    const Item *item = &s->items.at[i];
    if (item->kind != ITEM_TENSOR && item->kind != ITEM_INTEGER && !extent_of(s, item, (int)axis))
      return true;
    axis += (uint32_t)item->merged;
  }
  return false;
}

/// Refuses an index tensor whose values are known when one is out of bounds; of a result without elements they are
/// evaluated for it.
static bool check_indices(const Subscript *s) {
  const bool must_know = is_empty(s);
  RlxError err = {0};
  int axis = 0;
  for (uint32_t i = 0; i < s->items.count; axis += s->items.at[i++].merged) {
    Item *item = &s->items.at[i];
    const int64_t length = item->merged ? s->type.dims[axis] : -1;
    if (item->kind != ITEM_TENSOR || item->is_mask || length < 0) continue;
    RlxBuf text = {0};
    rlx_buf_puts(&text, item->text);
    if (must_know && !rlx_sugar_variable(s->w, item->text))
      rlx_sugar_evaluated(s->w, "index", &text);
    const RlxObject *x = rlx_sugar_variable(s->w, rlx_buf_text(&text));
    rlx_buf_free(&text);
    const int64_t count = x && x->kind == RLX_OBJECT_TENSOR ? rlx_tensor_count(x) : 0;
    for (int64_t k = 0; k < count; k++) {
      const int64_t index = rlx_element_integer(x->data, x->dtype, k);
      if (index >= -length && index < length) continue;
      rlx_error_set(&err, "index %lld is out of bounds for dimension %d of extent %lld",
                    (long long)index, axis, (long long)length);
      return refuse(s, &err);
    }
  }
  return !s->w->failed;
}

static bool broadcasts(const RlxObject *x, const RlxObject *y) {
  for (int i = 1; i <= x->count && i <= y->count; i++) {
    const int64_t a = x->dims[x->count - i], b = y->dims[y->count - i];
    if (a != b && a != 1 && b != 1) return false;
  }
  return true;
}

/// Refuses two index tensors whose shapes are known and do not go together.
static bool check_shapes(const Subscript *s) {
  for (uint32_t i = 0; i < s->items.count; i++)
    for (uint32_t k = 0; k < i; k++) {
      const Item *a = &s->items.at[k], *b = &s->items.at[i];
      if (a->kind != ITEM_TENSOR || b->kind != ITEM_TENSOR || a->is_mask || b->is_mask) continue;
      const RlxObject *x = rlx_sugar_variable(s->w, a->text),
                      *y = rlx_sugar_variable(s->w, b->text);
      if (!x || !y || broadcasts(x, y)) continue;
      RlxBuf shapes = {0};
      RlxError err = {0};
      rlx_sugar_put_shape(x->dims, x->count, &shapes);
      rlx_buf_puts(&shapes, " and ");
      rlx_sugar_put_shape(y->dims, y->count, &shapes);
      rlx_error_set(&err, "indices of shapes %s do not broadcast", rlx_buf_text(&shapes));
      rlx_buf_free(&shapes);
      return refuse(s, &err);
    }
  return true;
}

bool rlx_sugar_subscript_of(RlxSugarWriter *w, const RlxAst *ast, const RlxSugarType *t,
                            const char *base, RlxBuf *out) {
  Subscript s = {.w = w, .type = *t};
  if (t->ndim < 0 || t->ndim > RLX_SUGAR_NDIM_MAX) return false;
  uint32_t count = ast->child_count - 1;
  const RlxAst *const *item = (const RlxAst *const *)ast->children + 1;
  if (count == 1 && item[0]->kind == RLX_AST_TUPLE) {
    count = item[0]->child_count;
    item = (const RlxAst *const *)item[0]->children;
  }
  RlxBuf text = {0};
  rlx_buf_puts(&text, base);
  const bool is_read = read_items(&s, item, count) && check_indices(&s) && check_shapes(&s);
  const bool ok = !is_read || put_subscript(&s, &text);
  if (is_read && ok) rlx_buf_puts(out, rlx_buf_text(&text));
  for (uint32_t i = 0; i < s.items.count; i++) free(s.items.at[i].text);
  rlx_vec_free(&s.items);
  rlx_buf_free(&text);
  return ok;
}

// ---- what may be subscripted

/// `Module["main"]`, as TVM's Python has it.
static bool refuse_function(RlxSugarWriter *w, const RlxAst *base, const char *key) {
  const char *name = base->kind == RLX_AST_NAME ? rlx_store_text(w->repl->store, base->name) : "";
  if (!rlx_repl_is_module(w->repl, name)) return false;
  rlx_sugar_refuse(w, "functions of a module stand behind a dot: `%s.%s`", name, key);
  return true;
}

bool rlx_sugar_subscript(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  const RlxAst *base = ast->children[0];
  RlxBuf text = {0};
  rlx_sugar_put(w, base, &text);
  bool ok = w->failed;
  if (!ok && ast->child_count == 2 && ast->children[1]->kind == RLX_AST_STRING)
    ok = refuse_function(w, base, ast->children[1]->text) ||
         ((base->kind == RLX_AST_NAME || base->kind == RLX_AST_CALL) &&
          rlx_sugar_field(w, rlx_buf_text(&text), ast->children[1]->text,
                          w->node == ast ? ast : NULL, out));
  if (!ok) {
    RlxSugarType t = rlx_sugar_type(w, base, rlx_buf_text(&text));
    RlxReplNumber at;
    if (t.is_tensor && !(ok = rlx_sugar_subscript_of(w, ast, &t, rlx_buf_text(&text), out))) {
      t = rlx_sugar_evaluated(w, "indexed", &text); // its shape is not known, and has to be
      ok = w->failed || rlx_sugar_subscript_of(w, ast, &t, rlx_buf_text(&text), out);
    }
    if (t.is_shape && t.has_dims && ast->child_count == 2 &&
        rlx_repl_number(w->repl, ast->children[1], &at) && at.kind == RLX_NUMBER_INT) {
      const int64_t k = at.integer < 0 ? at.integer + t.ndim : at.integer;
      ok = true;
      if (k < 0 || k >= t.ndim)
        rlx_sugar_refuse(w, "index %lld is out of range for a shape of %d extent%s",
                         (long long)at.integer, t.ndim, t.ndim == 1 ? "" : "s");
      else
        rlx_buf_printf(out, "R.prim_value(%lld)", (long long)t.dims[k]);
    }
  }
  if (!ok) rlx_sugar_around(w, ast, &text, NULL, out);
  rlx_buf_free(&text);
  return true;
}
