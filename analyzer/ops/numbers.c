/// See numbers.h. Always true: where all operands have the numbers that are known of them, the result
/// has the numbers that are given here; arithmetic is that of integers which do not overflow.
#include "analyzer/ops/numbers.h"

#include <string.h>

typedef struct Numbers {
  RlxDeduce *d;
  int depth;
} Numbers;

typedef struct Elements {
  const RlxPrim *at[RLX_NUMBERS_MAX];
  int count;
} Elements;

bool rlx_numbers_fit(const RlxSInfo *s) {
  int64_t length = 1;
  if (s->kind != RLX_SINFO_TENSOR || s->dtype.code != RLX_DTYPE_INT || s->dtype.lanes != 1 ||
      s->dtype.bits < 32 || !s->dims || s->ndim < 0 || s->ndim > 1)
    return false;
  return s->ndim == 0 ||
         (rlx_prim_is_const(s->dims[0], &length) && length >= 0 && length <= RLX_NUMBERS_MAX);
}

/// How many elements a tensor has that fits.
static int length_of(const RlxSInfo *s) {
  int64_t length = 1;
  if (s->ndim == 1) (void)rlx_prim_is_const(s->dims[0], &length);
  return (int)length;
}

static bool elements_of(Numbers *n, const RlxExpr *x, Elements *out);

static const RlxExpr *operand(const RlxCall *call, int i) {
  const RlxValue *v = &call->args[i];
  return v->kind == RLX_VALUE_EXPR ? v->expr : NULL;
}

static bool of_constant(Numbers *n, const RlxExpr *x, Elements *out) {
  const RlxValue *v = x->constant.value;
  if (!v) return false;
  const bool is_list = v->kind == RLX_VALUE_LIST, is_array = v->kind == RLX_VALUE_NUMBERS;
  const uint32_t count = is_list ? v->count : is_array ? v->numbers->count : 1;
  if (count > RLX_NUMBERS_MAX) return false;
  out->count = (int)count;
  for (uint32_t i = 0; i < count; i++) {
    const RlxValue one = is_list    ? v->items[i]
                         : is_array ? rlx_numbers_at(v->numbers, i, v->span)
                                    : *v;
    if (one.kind != RLX_VALUE_INT) return false;
    out->at[i] = rlx_dim(n->d, one.integer);
  }
  return true;
}

static bool of_shape(const RlxSInfo *s, Elements *out) {
  if (!rlx_sinfo_holds_dims(s) || !s->dims || s->ndim > RLX_NUMBERS_MAX) return false;
  out->count = s->ndim;
  memcpy(out->at, s->dims, (size_t)s->ndim * sizeof *out->at);
  return true;
}

// ---- operators

/// A scalar or one element goes with every element.
static bool of_binary(Numbers *n, const RlxCall *call, RlxPrimKind kind, Elements *out) {
  Elements a, b;
  const RlxExpr *x = operand(call, 0), *y = operand(call, 1);
  if (!x || !y || !elements_of(n, x, &a) || !elements_of(n, y, &b)) return false;
  if (a.count != b.count && a.count != 1 && b.count != 1) return false;
  out->count = a.count == 1 ? b.count : a.count;
  for (int i = 0; i < out->count; i++) {
    const RlxPrim *right = b.at[b.count == 1 ? 0 : i];
    int64_t divisor;
    bool divides = kind == RLX_PRIM_FLOORDIV || kind == RLX_PRIM_FLOORMOD;
    if (divides && (!rlx_prim_is_const(right, &divisor) || divisor <= 0)) return false;
    out->at[i] =
        rlx_simplify(n->d, rlx_prim_binary(n->d->store, kind, a.at[a.count == 1 ? 0 : i], right));
  }
  return true;
}

static bool of_reduction(Numbers *n, const RlxCall *call, RlxPrimKind kind, Elements *out) {
  Elements a;
  const RlxExpr *x = operand(call, 0);
  if (!x || !elements_of(n, x, &a) || a.count == 0) return false;
  out->count = 1;
  out->at[0] = a.at[0];
  for (int i = 1; i < a.count; i++)
    out->at[0] = rlx_simplify(n->d, rlx_prim_binary(n->d->store, kind, out->at[0], a.at[i]));
  return true;
}

/// Joined end to end; scalars, too.
static bool of_tuple(Numbers *n, const RlxCall *call, Elements *out) {
  const RlxExpr *tuple = operand(call, 0);
  if (!tuple || tuple->kind != RLX_EXPR_TUPLE) return false;
  out->count = 0;
  for (uint32_t i = 0; i < tuple->field_count; i++) {
    Elements part;
    if (!elements_of(n, tuple->fields[i], &part) || out->count + part.count > RLX_NUMBERS_MAX)
      return false;
    memcpy(out->at + out->count, part.at, (size_t)part.count * sizeof *out->at);
    out->count += part.count;
  }
  return true;
}

/// Elements at constant places that are in range.
static bool of_take(Numbers *n, const RlxCall *call, Elements *out) {
  Elements a, places;
  const RlxExpr *x = operand(call, 0), *indices = operand(call, 1);
  if (!x || !indices || !elements_of(n, x, &a)) return false;
  if (indices->kind == RLX_EXPR_PRIM && indices->prim) {
    places.count = 1;
    places.at[0] = indices->prim;
  } else if (!elements_of(n, indices, &places)) {
    return false;
  }
  out->count = places.count;
  for (int i = 0; i < places.count; i++) {
    int64_t at;
    if (!rlx_prim_is_const(places.at[i], &at) || at < 0 || at >= a.count) return false;
    out->at[i] = a.at[at];
  }
  return true;
}

/// The integer of an argument that is one, or a list or tuple of one.
static bool lone_int(const RlxValue *v, int64_t *out) {
  if (v->kind == RLX_VALUE_INT) return *out = v->integer, true;
  if (v->kind == RLX_VALUE_PRIM) return rlx_prim_is_const(v->prim, out);
  if (v->kind == RLX_VALUE_LIST && v->count == 1) return lone_int(&v->items[0], out);
  if (v->kind != RLX_VALUE_EXPR) return false;
  const RlxExpr *x = v->expr;
  if (x->kind == RLX_EXPR_TUPLE && x->field_count == 1) x = x->fields[0];
  return x->kind == RLX_EXPR_PRIM && x->prim && rlx_prim_is_const(x->prim, out);
}

static int64_t clamp(int64_t at, int64_t count) {
  if (at < 0) at += count;
  return at < 0 ? 0 : at > count ? count : at;
}

static bool of_slice(Numbers *n, const RlxCall *call, Elements *out) {
  Elements a;
  int64_t axis, begin, end, step = 1;
  const RlxExpr *x = operand(call, 0);
  if (!x || !elements_of(n, x, &a) || !lone_int(&call->args[1], &axis) ||
      !lone_int(&call->args[2], &begin) || !lone_int(&call->args[3], &end))
    return false;
  if (call->args[4].kind != RLX_VALUE_NONE && !lone_int(&call->args[4], &step)) return false;
  if (step < 1) return false;
  out->count = 0;
  for (int64_t i = clamp(begin, a.count); i < clamp(end, a.count); i += step)
    out->at[out->count++] = a.at[i];
  return true;
}

static bool of_call(Numbers *n, const RlxCall *call, Elements *out) {
  static const struct {
    const char *name;
    RlxPrimKind kind;
  } binary[] = {{"relax.add", RLX_PRIM_ADD},
                {"relax.subtract", RLX_PRIM_SUB},
                {"relax.multiply", RLX_PRIM_MUL},
                {"relax.floor_divide", RLX_PRIM_FLOORDIV},
                {"relax.floor_mod", RLX_PRIM_FLOORMOD},
                {"relax.maximum", RLX_PRIM_MAX},
                {"relax.minimum", RLX_PRIM_MIN}},
    reductions[] = {{"relax.sum", RLX_PRIM_ADD},
                    {"relax.prod", RLX_PRIM_MUL},
                    {"relax.max", RLX_PRIM_MAX},
                    {"relax.min", RLX_PRIM_MIN}};
  static const char *const same[] = {"relax.expand_dims", "relax.squeeze", "relax.reshape",
                                     "relax.astype", "relax.flatten"};
  if (!call->row || !call->arg_count) return false;
  const char *name = call->row->registry;
  const RlxExpr *x = operand(call, 0);
  for (size_t i = 0; i < sizeof binary / sizeof binary[0]; i++)
    if (strcmp(binary[i].name, name) == 0) return of_binary(n, call, binary[i].kind, out);
  for (size_t i = 0; i < sizeof reductions / sizeof reductions[0]; i++)
    if (strcmp(reductions[i].name, name) == 0)
      return of_reduction(n, call, reductions[i].kind, out);
  for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
    if (strcmp(same[i], name) == 0) return x && elements_of(n, x, out);
  if (strcmp(name, "relax.shape_to_tensor") == 0) return x && of_shape(x->sinfo, out);
  if (strcmp(name, "relax.concat") == 0 || strcmp(name, "relax.stack") == 0)
    return of_tuple(n, call, out);
  if (strcmp(name, "relax.take") == 0) return of_take(n, call, out);
  if (strcmp(name, "relax.strided_slice") == 0) return of_slice(n, call, out);
  if (strcmp(name, "relax.size") != 0 || !x || !of_shape(x->sinfo, out)) return false;
  const RlxPrim *all = rlx_dim(n->d, 1);
  for (int i = 0; i < out->count; i++) all = rlx_prim_mul(n->d->store, all, out->at[i]);
  out->count = 1;
  out->at[0] = rlx_simplify(n->d, all);
  return true;
}

static bool elements_of(Numbers *n, const RlxExpr *x, Elements *out) {
  bool found = false;
  if (!rlx_numbers_fit(x->sinfo) || n->depth == 0) return false;
  n->depth--;
  if (x->kind == RLX_EXPR_VAR && x->var->content)
    found = of_shape(x->var->content->fields[1], out);
  else if (x->kind == RLX_EXPR_CONSTANT)
    found = of_constant(n, x, out);
  else if (x->kind == RLX_EXPR_CALL)
    found = of_call(n, x->call, out);
  n->depth++;
  return found && out->count == length_of(x->sinfo);
}

const RlxSInfo *rlx_numbers_of(RlxDeduce *d, const RlxExpr *x) {
  Numbers n = {d, 8};
  Elements elements;
  if (!elements_of(&n, x, &elements)) return NULL;
  return rlx_sinfo_shape(d->store, elements.at, elements.count);
}
