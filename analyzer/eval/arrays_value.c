/// Values of a script as numpy's arrays and back, and arguments as what the functions ask for.
#include <string.h>

#include "analyzer/eval/arrays_impl.h"

RlxValue rlx_array_unknown(RlxEval *e, RlxSpan span) {
  e->tainted |= RLX_OPEN;
  return rlx_value_unknown(span);
}

// ---- values to arrays and back

/// Shape and kind of nested lists of numbers; false: lists of different lengths, or something else.
static bool list_of(const RlxValue *v, RlxArray *out, int depth, RlxValueKind *kind) {
  if (v->kind != RLX_VALUE_LIST) {
    bool is_number =
        v->kind == RLX_VALUE_BOOL || v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_FLOAT;
    if (!is_number || depth != out->ndim) return false;
    if (v->kind == RLX_VALUE_FLOAT || (v->kind == RLX_VALUE_INT && *kind != RLX_VALUE_FLOAT) ||
        *kind == RLX_VALUE_UNKNOWN)
      *kind = (RlxValueKind)v->kind;
    return true;
  }
  if (depth >= RLX_ARRAY_DIMS_MAX || depth >= out->ndim || out->dims[depth] != v->count)
    return false;
  for (uint32_t i = 0; i < v->count; i++)
    if (!list_of(&v->items[i], out, depth + 1, kind)) return false;
  return true;
}

static RlxDType dtype_of_kind(RlxValueKind kind) {
  return kind == RLX_VALUE_INT ? RLX_INT64 : kind == RLX_VALUE_BOOL ? RLX_BOOL : RLX_FLOAT64;
}

static bool read_list(const RlxValue *v, RlxArray *out) {
  RlxValueKind kind = RLX_VALUE_UNKNOWN;
  for (const RlxValue *at = v; at->kind == RLX_VALUE_LIST && out->ndim < RLX_ARRAY_DIMS_MAX;
       at = &at->items[0]) {
    out->dims[out->ndim++] = at->count;
    if (!at->count) break;
  }
  if (!list_of(v, out, 0, &kind)) return false;
  out->dtype = dtype_of_kind(kind);
  out->data = v;
  return true;
}

bool rlx_array_read(RlxEval *e, const RlxValue *v, RlxArray *out) {
  *out = (RlxArray){.ndim = 0};
  switch (v->kind) {
  case RLX_VALUE_ARRAY: {
    const RlxSInfo *s = v->expr->sinfo;
    out->ndim = s->ndim;
    for (int i = 0; i < s->ndim; i++) out->dims[i] = s->dims[i]->value;
    out->dtype = s->dtype;
    out->data = v->expr->constant.value;
    return true;
  }
  case RLX_VALUE_LIST: return read_list(v, out);
  case RLX_VALUE_BOOL:
  case RLX_VALUE_INT:
  case RLX_VALUE_FLOAT:
    out->dtype = dtype_of_kind((RlxValueKind)v->kind);
    out->data = out->weak = v;
    return true;
  case RLX_VALUE_PRIM: { // numpy.float16(1)
    if (v->prim->kind != RLX_PRIM_FLOAT && v->prim->kind != RLX_PRIM_INT) return false;
    RlxValue *number = rlx_arena_one(e->arena, RlxValue);
    *number = v->prim->kind == RLX_PRIM_FLOAT ? rlx_value_of_float(v->prim->number, v->span)
                                              : rlx_value_of_int(v->prim->value, v->span);
    out->dtype = v->prim->dtype;
    out->data = number;
    return true;
  }
  default: return false;
  }
}

RlxValue rlx_array_value(RlxEval *e, const RlxArray *a, RlxSpan span) {
  const RlxPrim *dims[RLX_ARRAY_DIMS_MAX];
  for (int i = 0; i < a->ndim; i++) dims[i] = rlx_prim_int(e->store, a->dims[i]);
  RlxExpr *x = rlx_expr_new(e, RLX_EXPR_CONSTANT, span,
                            rlx_sinfo_tensor(e->store, dims, a->ndim, a->dtype, NULL));
  if (a->data) x->constant.value = rlx_arena_copy(e->arena, a->data, 1, sizeof *a->data);
  RlxValue v = {.kind = RLX_VALUE_ARRAY, .span = span};
  v.expr = x;
  return v;
}

int64_t rlx_array_size(const RlxArray *a) {
  int64_t size = 1;
  bool is_wide = false;
  for (int i = 0; i < a->ndim; i++) {
    if (!a->dims[i]) return 0;
    is_wide |= __builtin_mul_overflow(size, a->dims[i], &size);
  }
  return is_wide ? -1 : size;
}

/// Puts the numbers of nested lists behind one another, as integers or floats.
static void collect(const RlxValue *v, RlxNumbers *out, uint32_t *at) {
  if (v->kind == RLX_VALUE_LIST) {
    for (uint32_t i = 0; i < v->count; i++) collect(&v->items[i], out, at);
    return;
  }
  const int64_t integer = v->kind == RLX_VALUE_BOOL ? v->boolean : v->integer;
  if (out->kind != RLX_VALUE_FLOAT)
    out->integers[*at] = integer;
  else
    out->floats[*at] = v->kind == RLX_VALUE_FLOAT ? v->number : (double)integer;
  ++*at;
}

/// The widest kind among the numbers of nested lists.
static RlxValueKind widest(const RlxValue *v) {
  RlxValueKind kind = v->kind == RLX_VALUE_LIST ? RLX_VALUE_BOOL : (RlxValueKind)v->kind;
  for (uint32_t i = 0; v->kind == RLX_VALUE_LIST && i < v->count; i++) {
    const RlxValueKind one = widest(&v->items[i]);
    if (one > kind) kind = one;
  }
  return kind;
}

int64_t rlx_array_most(const RlxEval *e) {
  return e->analyzer->settings.is_evaluated ? RLX_ARRAY_EVALUATED_MAX : RLX_ARRAY_DATA_MAX;
}

RlxNumbers *rlx_array_room(RlxEval *e, const RlxArray *a, RlxValueKind kind) {
  const int64_t size = rlx_array_size(a);
  if (size < 0 || size > rlx_array_most(e)) return NULL;
  if (e->array_stmt != e->stmt) e->array_elements = 0;
  e->array_stmt = e->stmt;
  // What a statement may make grows with its text: a file's arrays take no more than a multiple of the file.
  const uint32_t most = e->analyzer->settings.is_evaluated
                            ? 2 * RLX_ARRAY_EVALUATED_MAX
                            : 256 + 24 * (e->stmt ? e->stmt->head_size : 0);
  if (e->array_elements + (uint32_t)size > most) return NULL;
  e->array_elements += (uint32_t)size;
  RlxNumbers *numbers = rlx_arena_one(e->arena, RlxNumbers);
  *numbers = (RlxNumbers){.kind = (uint8_t)kind, .count = (uint32_t)size};
  numbers->integers = rlx_arena_array(e->arena, int64_t, size ? (size_t)size : 1);
  return numbers;
}

const RlxNumbers *rlx_array_numbers(RlxEval *e, const RlxArray *a) {
  if (!a->data) return NULL;
  if (a->data->kind == RLX_VALUE_NUMBERS) return a->data->numbers;
  RlxNumbers *out = rlx_array_room(e, a, widest(a->data));
  uint32_t at = 0;
  if (out) collect(a->data, out, &at);
  return out;
}

void rlx_array_fill(RlxEval *e, RlxArray *a, const RlxNumbers *numbers) {
  a->data = NULL;
  int64_t lists = 1; // (1000000, 0) has no element and many lists
  const int64_t most = rlx_array_most(e);
  for (int i = 0; i < a->ndim; i++)
    if (a->dims[i] > most || (lists *= a->dims[i] ? a->dims[i] : 1) > most) return;
  if (!numbers) return;
  RlxValue *v = rlx_arena_one(e->arena, RlxValue);
  *v = (RlxValue){.kind = RLX_VALUE_NUMBERS};
  v->numbers = numbers;
  if (!a->ndim) *v = rlx_numbers_at(numbers, 0, (RlxSpan){0});
  a->data = v;
}

void rlx_array_gather(RlxEval *e, RlxArray *out, const RlxNumbers *numbers, int64_t from,
                      const int64_t *ways) {
  RlxNumbers *chosen = numbers ? rlx_array_room(e, out, (RlxValueKind)numbers->kind) : NULL;
  for (uint32_t i = 0; chosen && i < chosen->count; i++) {
    int64_t left = i, at = from;
    for (int k = out->ndim; k-- > 0; left /= out->dims[k]) at += left % out->dims[k] * ways[k];
    memcpy(&chosen->integers[i], &numbers->integers[at], sizeof *chosen->integers);
  }
  rlx_array_fill(e, out, chosen);
}

// ---- arguments

bool rlx_array_dtype_of(RlxEval *e, const RlxValue *v, RlxDType *out) {
  if (v->kind == RLX_VALUE_DTYPE) {
    *out = rlx_unpack_dtype(v->integer);
    return true;
  }
  if (v->kind != RLX_VALUE_STR && v->kind != RLX_VALUE_BUILTIN) return false;
  const char *text = rlx_store_text(e->store, v->string);
  const bool is_type =
      strcmp(text, "float") == 0 || strcmp(text, "int") == 0 || strcmp(text, "bool") == 0;
  return (v->kind == RLX_VALUE_STR || is_type) && rlx_dtype_of_numpy(text, out);
}

bool rlx_array_dtype_slot(const RlxArrayCall *c, int i, RlxDType *out) {
  return !c->slots[i] || rlx_array_dtype_of(c->e, c->slots[i], out);
}

bool rlx_array_int_slot(const RlxArrayCall *c, int i, int64_t *out) {
  if (c->slots[i] && c->slots[i]->kind == RLX_VALUE_INT) *out = c->slots[i]->integer;
  return !c->slots[i] || c->slots[i]->kind == RLX_VALUE_INT;
}

bool rlx_array_bool_slot(const RlxArrayCall *c, int i, bool *out) {
  if (c->slots[i] && c->slots[i]->kind == RLX_VALUE_BOOL) *out = c->slots[i]->boolean;
  return !c->slots[i] || c->slots[i]->kind == RLX_VALUE_BOOL;
}

bool rlx_array_shape_of(const RlxValue *v, RlxArray *out) {
  if (!v) return false;
  const RlxValue *items = v->kind == RLX_VALUE_LIST ? v->items : v;
  uint32_t count = v->kind == RLX_VALUE_LIST ? v->count : 1;
  if (count > RLX_ARRAY_DIMS_MAX) return false;
  for (uint32_t i = 0; i < count; i++) {
    if (items[i].kind != RLX_VALUE_INT || items[i].integer < 0) return false;
    out->dims[i] = items[i].integer;
  }
  out->ndim = (int)count;
  return true;
}

bool rlx_array_axes_of(const RlxValue *v, int ndim, int *axes, int *count) {
  const RlxValue *items = v->kind == RLX_VALUE_LIST ? v->items : v;
  *count = v->kind == RLX_VALUE_LIST ? (int)v->count : 1;
  if (*count > ndim) return false;
  for (int i = 0; i < *count; i++) {
    int64_t axis = items[i].integer;
    if (items[i].kind != RLX_VALUE_INT || axis < -ndim || axis >= ndim) return false;
    axes[i] = (int)(axis < 0 ? axis + ndim : axis);
    for (int k = 0; k < i; k++)
      if (axes[k] == axes[i]) return false;
  }
  return true;
}
