/// What TVM's lowering leaves to packed functions in PrimFuncs: the stable order of the elements along an axis. NaN is the
/// greatest number, as it is for R.sort.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "jit/codegen/packed.h"
#include "jit/run/run.h"

/// An array of the call, seen as rows along one axis.
typedef struct Rows {
  const RlxPackedArg *array;
  RlxDType dtype;
  int64_t before, length, behind; ///< extents of the axes before it, of itself, of those behind it
} Rows;

typedef struct Item {
  int64_t place, integer;
  double number;
} Item;

/// How the elements of a row are ordered, with room for one.
typedef struct Order {
  Rows x;
  bool is_ascending;
  Item *items, *spare;
} Order;

static bool rows_of(const RlxPackedArg *array, int64_t axis, Rows *out) {
  if (array->kind != RLX_PACKED_ARRAY) return false;
  const uint32_t t = (uint32_t)array->dtype;
  *out = (Rows){array, {(uint8_t)t, (uint8_t)(t >> 8), (uint16_t)(t >> 16)}, 1, 1, 1};
  if (axis < 0) axis += array->number;
  if (axis < 0 || axis >= array->number || out->dtype.lanes != 1) return false;
  for (int64_t i = 0; i < array->number; i++)
    *(i < axis ? &out->before : i > axis ? &out->behind : &out->length) *= array->shape[i];
  return true;
}

static bool fit(const Rows *a, const Rows *b) {
  return a->before == b->before && a->behind == b->behind;
}

static int64_t at(const Rows *rows, int64_t row, int64_t place) {
  return (row / rows->behind * rows->length + place) * rows->behind + row % rows->behind;
}

static bool is_before(const Order *o, const Item *a, const Item *b) {
  if (!o->is_ascending) {
    const Item *x = a;
    a = b, b = x;
  }
  if (!rlx_dtype_is_float(o->x.dtype))
    return o->x.dtype.code == RLX_DTYPE_UINT ? (uint64_t)a->integer < (uint64_t)b->integer
                                             : a->integer < b->integer;
  return isnan(b->number) ? !isnan(a->number) : a->number < b->number;
}

/// Orders the first `count` items: runs of 1, 2, 4… become runs of twice the length.
static void merge_sort(Order *o, int64_t count) {
  for (int64_t run = 1; run < count; run *= 2) {
    for (int64_t start = 0; start < count; start += 2 * run) {
      const int64_t middle = start + run < count ? start + run : count,
                    end = middle + run < count ? middle + run : count;
      for (int64_t i = start, k = middle, to = start; to < end; to++) {
        const bool is_second = i == middle || (k < end && is_before(o, &o->items[k], &o->items[i]));
        o->spare[to] = o->items[is_second ? k++ : i++];
      }
    }
    Item *sorted = o->spare;
    o->spare = o->items;
    o->items = sorted;
  }
}

static void read_row(Order *o, int64_t row, int64_t count) {
  const bool is_float = rlx_dtype_is_float(o->x.dtype);
  for (int64_t i = 0; i < count; i++) {
    const int64_t place = at(&o->x, row, i);
    o->items[i] = (Item){.place = i};
    if (is_float)
      o->items[i].number = rlx_element_number(o->x.array->data, o->x.dtype, place);
    else
      o->items[i].integer = rlx_element_integer(o->x.array->data, o->x.dtype, place);
  }
}

static void write_value(const Order *o, const Rows *out, int64_t to, const Item *item) {
  if (rlx_dtype_is_float(o->x.dtype))
    rlx_element_set_number(out->array->data, out->dtype, to, item->number);
  else
    rlx_element_set_integer(out->array->data, out->dtype, to, item->integer);
}

static void write_place(const Rows *out, int64_t to, int64_t place) {
  if (rlx_dtype_is_float(out->dtype))
    rlx_element_set_number(out->array->data, out->dtype, to, (double)place);
  else
    rlx_element_set_integer(out->array->data, out->dtype, to, place);
}

/// Orders each row and writes its first items to `values` and `places`, of which either may be NULL. `counts`: how many
/// elements of a row are ordered, the others stay where they are; NULL: all.
static void order_rows(const Rows *x, bool is_ascending, const Rows *counts, const Rows *values,
                       const Rows *places) {
  const int64_t rows = x->before * x->behind, length = x->length;
  Order o = {.x = *x, .is_ascending = is_ascending};
  o.items = rlx_mem_alloc((size_t)length, sizeof *o.items);
  o.spare = rlx_mem_alloc((size_t)length, sizeof *o.spare);
  for (int64_t row = 0; row < rows; row++) {
    int64_t count = length;
    if (counts) count = rlx_element_integer(counts->array->data, counts->dtype, row);
    count = count < 0 ? 0 : count > length ? length : count;
    read_row(&o, row, length);
    merge_sort(&o, count);
    for (int64_t i = 0; values && i < values->length; i++)
      write_value(&o, values, at(values, row, i), &o.items[i]);
    for (int64_t i = 0; places && i < places->length; i++)
      write_place(places, at(places, row, i), i < count ? o.items[i].place : i);
  }
  free(o.items);
  free(o.spare);
}

static bool are_numbers(const RlxPackedArg *args, int32_t count) {
  for (int32_t i = 0; i < count; i++)
    if (args[i].kind != RLX_PACKED_NUMBER) return false;
  return true;
}

/// (input, output, axis, is_ascend)
static bool is_one_to_one(const RlxPackedArg *args, int32_t count, Rows *x, Rows *out) {
  return count == 4 && are_numbers(args + 2, 2) && rows_of(&args[0], args[2].number, x) &&
         rows_of(&args[1], args[2].number, out) && args[0].number == args[1].number &&
         fit(x, out) && x->length == out->length;
}

static int32_t packed_sort(const RlxPackedArg *args, int32_t count) {
  Rows x, out;
  if (!is_one_to_one(args, count, &x, &out)) return 0;
  order_rows(&x, args[3].number != 0, NULL, &out, NULL);
  return 1;
}

static int32_t packed_argsort(const RlxPackedArg *args, int32_t count) {
  Rows x, out;
  if (!is_one_to_one(args, count, &x, &out)) return 0;
  order_rows(&x, args[3].number != 0, NULL, NULL, &out);
  return 1;
}

/// (input, values and indices or one of them, k, axis, ret_type, is_ascend)
static int32_t packed_topk(const RlxPackedArg *args, int32_t count) {
  Rows x, out[2];
  const int32_t arrays = count - 4;
  if (arrays < 2 || arrays > 3) return 0;
  const RlxPackedArg *k = &args[arrays], *axis = k + 1, *what = k + 2, *is_ascending = k + 3;
  if (!are_numbers(k, 2) || !are_numbers(is_ascending, 1) || what->kind != RLX_PACKED_TEXT ||
      !rows_of(&args[0], axis->number, &x))
    return 0;
  const char *word = what->data;
  const bool is_both = !strcmp(word, "both");
  if (is_both ? arrays != 3
              : arrays != 2 || (strcmp(word, "values") != 0 && strcmp(word, "indices") != 0))
    return 0;
  for (int32_t i = 1; i < arrays; i++)
    if (!rows_of(&args[i], axis->number, &out[i - 1]) || args[i].number != args[0].number ||
        !fit(&x, &out[i - 1]) || out[i - 1].length > x.length ||
        (k->number > 0 && out[i - 1].length > k->number))
      return 0;
  const Rows *values = is_both || *word == 'v' ? &out[0] : NULL, *places = is_both        ? &out[1]
                                                                           : *word == 'i' ? &out[0]
                                                                                          : NULL;
  order_rows(&x, is_ascending->number != 0, NULL, values, places);
  return 1;
}

/// (input, sort_num, output, axis, is_ascend): of each row so many elements are ordered.
static int32_t packed_argsort_nms(const RlxPackedArg *args, int32_t count) {
  Rows x, counts, out;
  if (count != 5) return 0;
  const RlxPackedArg some[] = {args[0], args[2], args[3], args[4]};
  if (!is_one_to_one(some, 4, &x, &out) || args[1].kind != RLX_PACKED_ARRAY || !args[1].number ||
      !rows_of(&args[1], 0, &counts) || counts.length * counts.behind != x.before * x.behind)
    return 0;
  order_rows(&x, args[4].number != 0, &counts, NULL, &out);
  return 1;
}

void *rlx_packed_function(const char *name) {
  static const struct {
    const char *name;
    RlxPackedFn *function;
  } rows[] = {
#define RLX_PACKED(name, function) {RLX_PACKED_PREFIX name, function},
#include "jit/run/packed.def"
#undef RLX_PACKED
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (!strcmp(rows[i].name, name)) {
      void *address;
      memcpy(&address, &rows[i].function, sizeof address);
      return address;
    }
  return NULL;
}
