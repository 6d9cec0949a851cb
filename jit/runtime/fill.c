/// What the given values say of symbolic dimensions holds for those that are made: a bare dimension
/// has the length that is there, and one in an expression is looked for.
#include "jit/runtime/fill.h"

#include <math.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"
#include "jit/runtime/npy.h"
#include "jit/runtime/random.h"

enum { SOLVED_BELOW = 4096 };

typedef RlxFillLength Length;

typedef struct Filler {
  RlxHeap *heap;
  Vec(Length) lengths;
  RlxName tried; ///< being solved for, or 0
  int64_t trial;
  bool is_open; ///< a variable without a length was asked for
  RlxName open; ///< the last of these
} Filler;

static bool known(const RlxSymVar *var, int64_t *out, void *data) {
  Filler *f = data;
  for (uint32_t i = 0; i < f->lengths.count; i++)
    if (f->lengths.at[i].name == var->name) return *out = f->lengths.at[i].value, true;
  if (f->tried == var->name && f->tried) return *out = f->trial, true;
  f->is_open = true;
  f->open = var->name;
  return false;
}

static void learn_name(Filler *f, RlxName name, int64_t value) {
  for (uint32_t i = 0; i < f->lengths.count; i++)
    if (f->lengths.at[i].name == name) return;
  rlx_vec_push(&f->lengths, (Length){name, value});
}

/// That `p` is `value`; with `solve` also what an expression of one unknown variable says.
static void learn(Filler *f, const RlxPrim *p, int64_t value, bool solve) {
  const RlxSymVar *var = rlx_prim_as_var(p);
  int64_t got;
  if (var) {
    learn_name(f, var->name, value);
    return;
  }
  f->is_open = false;
  if (!solve || rlx_prim_eval(p, known, f, &got) || !f->is_open) return;
  RlxName name = f->tried = f->open;
  for (f->trial = 0; f->trial < SOLVED_BELOW; f->trial++) {
    f->is_open = false;
    bool is_number = rlx_prim_eval(p, known, f, &got);
    if (f->is_open) break; // a second variable
    if (is_number && got == value) {
      f->tried = 0;
      learn_name(f, name, f->trial);
      return;
    }
  }
  f->tried = 0;
}

static void learn_value(Filler *f, const RlxSInfo *want, const RlxObject *x, bool solve) {
  if (!want || !x) return;
  bool has_dims = (want->kind == RLX_SINFO_TENSOR && x->kind == RLX_OBJECT_TENSOR) ||
                  (want->kind == RLX_SINFO_SHAPE && x->kind == RLX_OBJECT_SHAPE);
  if (has_dims && want->dims && want->ndim == x->count)
    for (int i = 0; i < x->count; i++) learn(f, want->dims[i], x->dims[i], solve);
  if (want->kind == RLX_SINFO_PRIM && want->value && x->kind == RLX_OBJECT_INT)
    learn(f, want->value, x->integer, solve);
  if (want->kind == RLX_SINFO_TUPLE && x->kind == RLX_OBJECT_TUPLE && want->count == x->count)
    for (int i = 0; i < x->count; i++) learn_value(f, want->fields[i], x->fields[i], solve);
}

/// The value of a dimension or number; variables that nothing is known of get the usual length.
static bool value_of(Filler *f, const RlxPrim *p, int64_t *out) {
  for (;;) {
    f->is_open = false;
    if (rlx_prim_eval(p, known, f, out)) return true;
    if (!f->is_open) return false;
    learn_name(f, f->open, RLX_FILL_LENGTH);
  }
}

static RlxObject *make(Filler *f, const RlxSInfo *want, RlxDType dtype, RlxName name, uint64_t seed,
                       RlxError *err);

/// The lengths of a tensor's or shape's dimensions into `dims`, which has room for
/// RLX_ARRAY_NDIM_MAX; false and `err`.
static bool lengths_of(Filler *f, const RlxSInfo *want, int64_t *dims, RlxError *err) {
  if (want->ndim < 0 || want->ndim > RLX_ARRAY_NDIM_MAX)
    return rlx_error_set(err, "its number of dimensions is not known");
  for (int i = 0; i < want->ndim; i++) {
    dims[i] = RLX_FILL_LENGTH;
    if (want->dims && (!value_of(f, want->dims[i], &dims[i]) || dims[i] < 0))
      return rlx_error_set(err, "its dimension %d has no length for the other values", i);
  }
  return true;
}

static RlxObject *make_tensor(Filler *f, const RlxSInfo *want, uint64_t seed, RlxError *err) {
  int64_t dims[RLX_ARRAY_NDIM_MAX], behind = 1;
  if (!lengths_of(f, want, dims, err)) return NULL;
  for (int i = 1; i < want->ndim; i++)
    if (dims[i] && behind < INT32_MAX) behind *= dims[i];
  RlxDType dtype = rlx_dtype_known(want->dtype) ? want->dtype : RLX_FLOAT32;
  RlxObject *x = rlx_tensor_new(f->heap, dtype, dims, want->ndim, err);
  double wide = 1 / sqrt((double)behind);
  if (x && rlx_dtype_is_float(dtype))
    rlx_random_uniform(x, seed, want->ndim > 1 ? -wide : 0, want->ndim > 1 ? wide : 1);
  else if (x)
    rlx_random_uniform(x, seed, 0, dtype.bits >= 32 ? 2 : dtype.bits >= 8 ? 16 : 2);
  return x;
}

static RlxObject *make_number(Filler *f, const RlxSInfo *want, RlxDType dtype, RlxName name,
                              uint64_t seed, RlxError *err) {
  RlxHeap *heap = f->heap;
  int64_t value = 1;
  if (!rlx_dtype_known(dtype)) dtype = RLX_INT64;
  if (rlx_dtype_is_float(dtype))
    return rlx_float_new(heap, (double)(rlx_hash_mix(seed, 0) >> 11) * 0x1p-53, dtype);
  if (want && want->value) {
    if (!value_of(f, want->value, &value))
      return rlx_error_set(err, "it has no value for the other values"), NULL;
  } else if (!want && !rlx_dtype_is_bool(dtype)) { // of a PrimFunc, where buffers may name it
    learn_name(f, name, RLX_FILL_LENGTH);
    for (uint32_t i = 0; i < f->lengths.count; i++)
      if (f->lengths.at[i].name == name) value = f->lengths.at[i].value;
  }
  return rlx_int_new(heap, value, dtype);
}

static RlxObject *make_shape(Filler *f, const RlxSInfo *want, RlxError *err) {
  int64_t dims[RLX_ARRAY_NDIM_MAX];
  if (!lengths_of(f, want, dims, err)) return NULL;
  return rlx_shape_new(f->heap, dims, want->ndim);
}

static RlxObject *make_tuple(Filler *f, const RlxSInfo *want, uint64_t seed, RlxError *err) {
  Vec(RlxObject *) fields = {0};
  RlxObject *x = NULL, *field = NULL;
  for (int i = 0; i < want->count; i++) {
    field = make(f, want->fields[i], want->fields[i]->dtype, 0, rlx_hash_mix(seed, (uint64_t)i + 1),
                 err);
    if (!field) break;
    rlx_vec_push(&fields, field);
  }
  if ((int)fields.count == want->count) x = rlx_tuple_new(f->heap, fields.at, want->count);
  for (uint32_t i = 0; i < fields.count; i++) rlx_object_unref(fields.at[i]);
  rlx_vec_free(&fields);
  return x;
}

static RlxObject *make(Filler *f, const RlxSInfo *want, RlxDType dtype, RlxName name, uint64_t seed,
                       RlxError *err) {
  if (!want) {
    if (rlx_dtype_is_float(dtype) || rlx_dtype_is_bool(dtype) || dtype.code == RLX_DTYPE_INT ||
        dtype.code == RLX_DTYPE_UINT)
      return make_number(f, NULL, dtype, name, seed, err);
    return rlx_error_set(err, "it is no tensor and no number"), NULL;
  }
  switch (want->kind) {
  case RLX_SINFO_TENSOR: return make_tensor(f, want, seed, err);
  case RLX_SINFO_PRIM: return make_number(f, want, want->dtype, name, seed, err);
  case RLX_SINFO_SHAPE: return make_shape(f, want, err);
  case RLX_SINFO_TUPLE: return make_tuple(f, want, seed, err);
  default: return rlx_error_set(err, "it is no tensor, tuple, shape or number"), NULL;
  }
}

bool rlx_fill(RlxHeap *heap, const RlxStore *store, const RlxFill *what, RlxError *err) {
  Filler f = {.heap = heap};
  bool ok = true;
  for (uint32_t i = 0; i < what->length_count; i++)
    learn_name(&f, what->lengths[i].name, what->lengths[i].value);
  for (int turn = 0; turn < 2; turn++)
    for (uint32_t i = 0; i < what->count; i++) {
      const RlxFillParam *p = &what->params[i];
      const RlxObject *x = p->value;
      learn_value(&f, p->want, x, turn);
      if (x && !p->want && x->kind == RLX_OBJECT_TENSOR && !x->count &&
          !rlx_dtype_is_float(x->dtype))
        learn_name(&f, p->name, rlx_element_integer(x->data, x->dtype, 0));
    }
  for (uint32_t i = 0; ok && i < what->count; i++) {
    RlxFillParam *p = &what->params[i];
    if (p->value) continue;
    p->value = make(&f, p->want, p->dtype, p->name, rlx_hash_mix(what->seed, i + 1), err);
    ok = p->value != NULL;
    if (!ok)
      rlx_error_prefix(err, "parameter %s cannot be filled with random values",
                       rlx_store_text(store, p->name));
  }
  rlx_vec_free(&f.lengths);
  return ok;
}
