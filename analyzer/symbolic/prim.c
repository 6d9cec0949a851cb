/// Symbolic integers: hash-consing, TVM's constructors, substitution, variables, evaluation.
///
/// Always true: two prims with the same kind, dtype, payload and arguments are one pointer; no tree
/// is deeper than RLX_PRIM_DEPTH_MAX. Constructors fold what TVM's operators fold
/// (src/tir/op/op.cc, const_fold.h) and nothing else, so that a printed shape stays as its author
/// wrote it.
///
/// prim.c, poly.c and simplify.c call each other, by nature: simplifying builds trees through these
/// constructors, and a constructor whose tree would get too deep simplifies its arguments.
#include "analyzer/symbolic/prim.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/symbolic/int_math.h"
#include "analyzer/symbolic/store_inside.h"
#include "base/hash.h"

// ---- nodes

static uint32_t node_hash(RlxPrimKind kind, RlxDType dtype, uint64_t payload,
                          const RlxPrim *const *args, int count) {
  uint64_t head = (uint64_t)kind | (uint64_t)dtype.code << 8 | (uint64_t)dtype.bits << 16 |
                  (uint64_t)dtype.lanes << 24;
  uint64_t h = rlx_hash_u64(payload ^ head * UINT64_C(0x9e3779b97f4a7c15));
  for (int i = 0; i < count; i++)
    h = (h ^ args[i]->hash) * UINT64_C(0xff51afd7ed558ccd) + (h >> 29);
  h = rlx_hash_u64(h);
  return (uint32_t)h;
}

static bool node_equals(const RlxPrim *p, RlxPrimKind kind, RlxDType dtype, uint64_t payload,
                        const RlxPrim *const *args, int count) {
  if (p->kind != kind || p->arg_count != count || !rlx_dtype_equal(p->dtype, dtype)) return false;
  uint64_t own;
  memcpy(&own, &p->value, sizeof own);
  if (own != payload) return false;
  for (int i = 0; i < count; i++)
    if (p->args[i] != args[i]) return false;
  return true;
}

static const RlxPrim *node_intern(RlxStore *store, RlxPrimKind kind, RlxDType dtype,
                                  uint64_t payload, const RlxPrim *const *args, int count) {
  uint32_t hash = node_hash(kind, dtype, payload, args, count);
  store->work += 2;
  rlx_cons_reserve(&store->prims);
  uint32_t bucket = hash & (store->prims.capacity - 1);
  for (RlxConsEntry *e; (e = &store->prims.at[bucket])->value;
       bucket = rlx_cons_next(&store->prims, bucket)) {
    if (e->hash == hash && node_equals(e->value, kind, dtype, payload, args, count))
      return e->value;
  }
  size_t size = sizeof(RlxPrim) + (size_t)count * sizeof(RlxPrim *);
  RlxPrim *p = rlx_arena_alloc(store->arena, 1, size);
  p->kind = (uint8_t)kind;
  p->arg_count = (uint8_t)count;
  p->dtype = dtype;
  p->hash = hash;
  p->depth = 1;
  p->size = 1;
  memcpy(&p->value, &payload, sizeof payload);
  if (kind == RLX_PRIM_VAR) p->vars = UINT64_C(1) << (p->var->id & 63);
  if (kind == RLX_PRIM_CALL && count == 0) p->vars = UINT64_C(1) << 63; // unknown: may be anything
  const RlxPrim **own = (const RlxPrim **)(void *)(p + 1);
  for (int i = 0; i < count; i++) {
    own[i] = args[i];
    p->vars |= args[i]->vars;
    if (args[i]->depth >= p->depth) p->depth = (uint16_t)(args[i]->depth + 1);
    p->size =
        p->size + args[i]->size < RLX_PRIM_SIZE_MAX ? p->size + args[i]->size : RLX_PRIM_SIZE_MAX;
  }
  p->args = own;
  rlx_cons_put(&store->prims, bucket, hash, p);
  return p;
}

const RlxPrim *rlx_prim_unknown(RlxStore *store, RlxDType dtype) {
  char text[32];
  int n = snprintf(text, sizeof text, "?%u", store->unknown_count++);
  RlxName name = rlx_intern(store->names, text, (size_t)n);
  return node_intern(store, RLX_PRIM_CALL, dtype, name, NULL, 0);
}

static int depth_above(const RlxPrim *const *args, int count) {
  int depth = 0;
  for (int i = 0; i < count; i++)
    if (args[i]->depth > depth) depth = args[i]->depth;
  return depth;
}

const RlxPrim *rlx_prim_make(RlxStore *store, RlxPrimKind kind, RlxDType dtype, uint64_t payload,
                             const RlxPrim *const *args, int count) {
  if (count <= UINT8_MAX && depth_above(args, count) < RLX_PRIM_DEPTH_MAX)
    return node_intern(store, kind, dtype, payload, args, count);
  if (count > 3) return rlx_prim_unknown(store, dtype);
  const RlxPrim *flat[3];
  for (int i = 0; i < count; i++) flat[i] = rlx_prim_simplify(store, args[i]);
  if (depth_above(flat, count) >= RLX_PRIM_DEPTH_MAX) return rlx_prim_unknown(store, dtype);
  return node_intern(store, kind, dtype, payload, flat, count);
}

// ---- leaves

const RlxSymVar *rlx_symvar(RlxStore *store, uint64_t scope, RlxName name, RlxDType dtype,
                            bool is_relax) {
  uint64_t type = (uint64_t)dtype.code | (uint64_t)dtype.bits << 8 | (uint64_t)dtype.lanes << 16;
  uint32_t hash = (uint32_t)rlx_hash_mix(rlx_hash_mix(scope, type), (uint64_t)name << 1 | is_relax);
  RlxCons *set = &store->vars;
  rlx_cons_reserve(set);
  uint32_t bucket = hash & (set->capacity - 1);
  for (; set->at[bucket].value; bucket = rlx_cons_next(set, bucket)) {
    const RlxSymVar *known = set->at[bucket].value;
    if (known->scope == scope && known->name == name && known->is_relax == is_relax &&
        rlx_dtype_equal(known->dtype, dtype))
      return known;
  }
  RlxSymVar *var = rlx_arena_one(store->arena, RlxSymVar);
  var->name = name;
  var->dtype = dtype;
  var->is_relax = is_relax;
  var->is_stand_in = *rlx_store_text(store, name) == '{';
  var->scope = scope;
  var->id = store->var_count++;
  rlx_cons_put(set, bucket, hash, var);
  return var;
}

static uint64_t int_payload(int64_t value) {
  uint64_t payload;
  memcpy(&payload, &value, sizeof payload);
  return payload;
}

const RlxPrim *rlx_prim_int_typed(RlxStore *store, int64_t value, RlxDType dtype) {
  return node_intern(store, RLX_PRIM_INT, dtype, int_payload(value), NULL, 0);
}

const RlxPrim *rlx_prim_int(RlxStore *store, int64_t value) {
  if (value < RLX_SMALL_INT_MIN || value >= RLX_SMALL_INT_MIN + RLX_SMALL_INT_COUNT)
    return rlx_prim_int_typed(store, value, RLX_INT64);
  const RlxPrim **slot = &store->small_ints[value - RLX_SMALL_INT_MIN];
  if (!*slot) *slot = rlx_prim_int_typed(store, value, RLX_INT64);
  return *slot;
}

const RlxPrim *rlx_prim_float(RlxStore *store, double number, RlxDType dtype) {
  uint64_t payload;
  memcpy(&payload, &number, sizeof payload);
  return node_intern(store, RLX_PRIM_FLOAT, dtype, payload, NULL, 0);
}

const RlxPrim *rlx_prim_var(RlxStore *store, const RlxSymVar *var) {
  RlxDType dtype = rlx_dtype_known(var->dtype) ? var->dtype : RLX_INT64;
  return node_intern(store, RLX_PRIM_VAR, dtype, (uint64_t)(uintptr_t)var, NULL, 0);
}

bool rlx_prim_is_const(const RlxPrim *p, int64_t *out) {
  if (p->kind != RLX_PRIM_INT) return false;
  *out = p->value;
  return true;
}

const RlxSymVar *rlx_prim_as_var(const RlxPrim *p) {
  return p->kind == RLX_PRIM_VAR ? p->var : NULL;
}

// ---- folding

/// Does `value` fit a signed or unsigned integer of dtype `t`? Wide and unknown types: int64.
static bool fits(int64_t value, RlxDType t) {
  if (t.code == RLX_DTYPE_BOOL) return value == 0 || value == 1;
  if (t.code == RLX_DTYPE_UINT)
    return value >= 0 && (t.bits >= 63 || value < (INT64_C(1) << t.bits));
  if (t.code != RLX_DTYPE_INT || t.bits >= 64) return true;
  int64_t half = INT64_C(1) << (t.bits - 1);
  return value >= -half && value < half;
}

static bool is_comparison(RlxPrimKind kind) {
  return kind == RLX_PRIM_EQ || kind == RLX_PRIM_NE || kind == RLX_PRIM_LT || kind == RLX_PRIM_LE;
}

static bool is_logical(RlxPrimKind kind) { return kind == RLX_PRIM_AND || kind == RLX_PRIM_OR; }

/// The integer that `kind` gives for two constants. False when it is undefined, overflows int64, or
/// `kind` is none.
static bool fold_ints(RlxPrimKind kind, int64_t a, int64_t b, int64_t *out) {
  switch (kind) {
  case RLX_PRIM_ADD: return rlx_int_add(a, b, out);
  case RLX_PRIM_SUB: return rlx_int_sub(a, b, out);
  case RLX_PRIM_MUL: return rlx_int_mul(a, b, out);
  case RLX_PRIM_FLOORDIV: return rlx_int_floordiv(a, b, out);
  case RLX_PRIM_FLOORMOD: return rlx_int_floormod(a, b, out);
  case RLX_PRIM_TRUNCDIV:
  case RLX_PRIM_TRUNCMOD:
    if (b == 0 || (a == INT64_MIN && b == -1)) return false;
    return *out = kind == RLX_PRIM_TRUNCDIV ? a / b : a % b, true;
  case RLX_PRIM_MIN: return *out = a < b ? a : b, true;
  case RLX_PRIM_MAX: return *out = a > b ? a : b, true;
  case RLX_PRIM_SHL:
    if (b < 0 || b > 62) return false;
    return rlx_int_mul(a, INT64_C(1) << b, out);
  case RLX_PRIM_SHR:
    if (b < 0 || b > 62) return false;
    return rlx_int_floordiv(a, INT64_C(1) << b, out);
  case RLX_PRIM_BITAND: return *out = a & b, true;
  case RLX_PRIM_BITOR: return *out = a | b, true;
  case RLX_PRIM_BITXOR: return *out = a ^ b, true;
  case RLX_PRIM_EQ: return *out = a == b, true;
  case RLX_PRIM_NE: return *out = a != b, true;
  case RLX_PRIM_LT: return *out = a < b, true;
  case RLX_PRIM_LE: return *out = a <= b, true;
  case RLX_PRIM_AND: return *out = a && b, true;
  case RLX_PRIM_OR: return *out = a || b, true;
  case RLX_PRIM_DIV: // of numbers, not of integers
  case RLX_PRIM_INT:
  case RLX_PRIM_FLOAT:
  case RLX_PRIM_VAR:
  case RLX_PRIM_ABS:
  case RLX_PRIM_NOT:
  case RLX_PRIM_SELECT:
  case RLX_PRIM_CAST:
  case RLX_PRIM_CALL: break;
  }
  return false;
}

/// The node that `a kind b` folds to with one constant or two equal operands, or NULL.
static const RlxPrim *fold_identity(RlxStore *store, RlxPrimKind kind, const RlxPrim *a,
                                    const RlxPrim *b) {
  int64_t x = 0, y = 0;
  bool ca = rlx_prim_is_const(a, &x), cb = rlx_prim_is_const(b, &y);
  if (kind == RLX_PRIM_ADD) return ca && x == 0 ? b : cb && y == 0 ? a : NULL;
  if (kind == RLX_PRIM_SUB) return cb && y == 0 ? a : NULL;
  if (kind == RLX_PRIM_MUL) {
    if (ca) return x == 1 ? b : x == 0 ? a : NULL;
    return cb ? (y == 1 ? a : y == 0 ? b : NULL) : NULL;
  }
  if (kind == RLX_PRIM_FLOORDIV || kind == RLX_PRIM_TRUNCDIV)
    return (cb && y == 1) || (ca && x == 0) ? a : NULL;
  if (kind == RLX_PRIM_FLOORMOD || kind == RLX_PRIM_TRUNCMOD) {
    if (ca && x == 0) return a;
    return cb && y == 1 ? rlx_prim_int_typed(store, 0, a->dtype) : NULL;
  }
  if (kind == RLX_PRIM_MIN || kind == RLX_PRIM_MAX) return a == b ? a : NULL;
  if (kind == RLX_PRIM_AND) return ca ? (x ? b : a) : cb ? (y ? a : b) : NULL;
  if (kind == RLX_PRIM_OR) return ca ? (x ? a : b) : cb ? (y ? b : a) : NULL;
  return NULL;
}

static const RlxPrim *fold_floats(RlxStore *store, RlxPrimKind kind, const RlxPrim *a,
                                  const RlxPrim *b) {
  if (a->kind != RLX_PRIM_FLOAT || b->kind != RLX_PRIM_FLOAT) return NULL;
  if (kind == RLX_PRIM_ADD) return rlx_prim_float(store, a->number + b->number, a->dtype);
  if (kind == RLX_PRIM_SUB) return rlx_prim_float(store, a->number - b->number, a->dtype);
  if (kind == RLX_PRIM_MUL) return rlx_prim_float(store, a->number * b->number, a->dtype);
  if (kind == RLX_PRIM_DIV && !(b->number >= 0.0 && b->number <= 0.0))
    return rlx_prim_float(store, a->number / b->number, a->dtype);
  return NULL;
}

static RlxDType meeting_type(RlxDType a, RlxDType b) {
  if (!rlx_dtype_known(a)) return b;
  if (!rlx_dtype_known(b)) return a;
  if (rlx_dtype_is_float(a) != rlx_dtype_is_float(b)) return rlx_dtype_is_float(a) ? a : b;
  if (a.code == RLX_DTYPE_BOOL || b.code == RLX_DTYPE_BOOL) return a.code == RLX_DTYPE_BOOL ? b : a;
  if (a.bits != b.bits) return a.bits > b.bits ? a : b;
  return a.code == RLX_DTYPE_INT ? a : b;
}

/// The type in which two operands meet: the wider integer, a float before an integer (TVM's
/// BinaryOpMatchTypes); an integer literal takes the type of what it stands beside, as in a script.
static RlxDType meeting(const RlxPrim *a, const RlxPrim *b) {
  bool integral = rlx_dtype_is_int(a->dtype) && rlx_dtype_is_int(b->dtype);
  if (integral && a->kind == RLX_PRIM_INT && b->kind != RLX_PRIM_INT && fits(a->value, b->dtype))
    return b->dtype;
  if (integral && b->kind == RLX_PRIM_INT && a->kind != RLX_PRIM_INT && fits(b->value, a->dtype))
    return a->dtype;
  return meeting_type(a->dtype, b->dtype);
}

const RlxPrim *rlx_prim_binary(RlxStore *store, RlxPrimKind kind, const RlxPrim *a,
                               const RlxPrim *b) {
  if (!is_logical(kind) && !rlx_dtype_equal(a->dtype, b->dtype)) {
    RlxDType meet = meeting(a, b);
    a = rlx_prim_cast(store, meet, a);
    b = rlx_prim_cast(store, meet, b);
  }
  RlxDType dtype = is_comparison(kind) || is_logical(kind) ? RLX_BOOL : a->dtype;
  int64_t x, y, value;
  if (rlx_prim_is_const(a, &x) && rlx_prim_is_const(b, &y) && fold_ints(kind, x, y, &value) &&
      fits(value, dtype))
    return rlx_prim_int_typed(store, value, dtype);
  const RlxPrim *folded = fold_identity(store, kind, a, b);
  if (!folded) folded = fold_floats(store, kind, a, b);
  if (folded) return folded;
  const RlxPrim *args[] = {a, b};
  return rlx_prim_make(store, kind, dtype, 0, args, 2);
}

const RlxPrim *rlx_prim_is_positive(RlxStore *store, const RlxPrim *a) {
  return rlx_prim_binary(store, RLX_PRIM_LT, rlx_prim_int_typed(store, 0, a->dtype), a);
}

const RlxPrim *rlx_prim_unary(RlxStore *store, RlxPrimKind kind, const RlxPrim *a) {
  int64_t x;
  if (kind == RLX_PRIM_NOT) {
    if (rlx_prim_is_const(a, &x)) return rlx_prim_int_typed(store, !x, RLX_BOOL);
    return rlx_prim_make(store, kind, RLX_BOOL, 0, &a, 1);
  }
  if (rlx_prim_is_const(a, &x) && x != INT64_MIN)
    return rlx_prim_int_typed(store, x < 0 ? -x : x, a->dtype);
  return rlx_prim_make(store, kind, a->dtype, 0, &a, 1);
}

const RlxPrim *rlx_prim_select(RlxStore *store, const RlxPrim *cond, const RlxPrim *a,
                               const RlxPrim *b) {
  int64_t x;
  if (rlx_prim_is_const(cond, &x)) return x ? a : b;
  if (!rlx_dtype_equal(a->dtype, b->dtype)) {
    RlxDType meet = meeting(a, b);
    a = rlx_prim_cast(store, meet, a);
    b = rlx_prim_cast(store, meet, b);
  }
  const RlxPrim *args[] = {cond, a, b};
  return rlx_prim_make(store, RLX_PRIM_SELECT, a->dtype, 0, args, 3);
}

const RlxPrim *rlx_prim_cast(RlxStore *store, RlxDType dtype, const RlxPrim *a) {
  if (rlx_dtype_equal(a->dtype, dtype) || !rlx_dtype_known(dtype)) return a;
  int64_t x;
  if (rlx_prim_is_const(a, &x)) {
    if (rlx_dtype_is_float(dtype) && dtype.lanes == 1)
      return rlx_prim_float(store, (double)x, dtype);
    bool integral = rlx_dtype_is_int(dtype) || rlx_dtype_is_bool(dtype);
    if (integral && dtype.lanes == 1 && fits(x, dtype)) return rlx_prim_int_typed(store, x, dtype);
  }
  if (a->kind == RLX_PRIM_FLOAT && rlx_dtype_is_float(dtype) && dtype.bits >= a->dtype.bits &&
      dtype.lanes == 1)
    return rlx_prim_float(store, a->number, dtype);
  return rlx_prim_make(store, RLX_PRIM_CAST, dtype, 0, &a, 1);
}

const RlxPrim *rlx_prim_call(RlxStore *store, RlxName name, RlxDType dtype,
                             const RlxPrim *const *args, int count) {
  if (count == 0)
    return rlx_prim_unknown(store, dtype); // nothing says that two calls give the same
  return rlx_prim_make(store, RLX_PRIM_CALL, dtype, name, args, count);
}

const RlxPrim *rlx_prim_add(RlxStore *store, const RlxPrim *a, const RlxPrim *b) {
  return rlx_prim_binary(store, RLX_PRIM_ADD, a, b);
}
const RlxPrim *rlx_prim_sub(RlxStore *store, const RlxPrim *a, const RlxPrim *b) {
  return rlx_prim_binary(store, RLX_PRIM_SUB, a, b);
}
const RlxPrim *rlx_prim_mul(RlxStore *store, const RlxPrim *a, const RlxPrim *b) {
  return rlx_prim_binary(store, RLX_PRIM_MUL, a, b);
}
const RlxPrim *rlx_prim_floordiv(RlxStore *store, const RlxPrim *a, const RlxPrim *b) {
  return rlx_prim_binary(store, RLX_PRIM_FLOORDIV, a, b);
}
const RlxPrim *rlx_prim_floormod(RlxStore *store, const RlxPrim *a, const RlxPrim *b) {
  return rlx_prim_binary(store, RLX_PRIM_FLOORMOD, a, b);
}
const RlxPrim *rlx_prim_addi(RlxStore *store, const RlxPrim *a, int64_t k) {
  return rlx_prim_add(store, a, rlx_prim_int_typed(store, k, a->dtype));
}
const RlxPrim *rlx_prim_muli(RlxStore *store, const RlxPrim *a, int64_t k) {
  return rlx_prim_mul(store, a, rlx_prim_int_typed(store, k, a->dtype));
}

// ---- walks

/// The node `p` over other arguments, folded as its constructor folds.
static const RlxPrim *rebuild(RlxStore *store, const RlxPrim *p, const RlxPrim *const *args) {
  RlxPrimKind kind = (RlxPrimKind)p->kind;
  if (p->arg_count == 0) return p;
  if (kind == RLX_PRIM_CALL) return rlx_prim_call(store, p->name, p->dtype, args, p->arg_count);
  if (kind == RLX_PRIM_CAST) return rlx_prim_cast(store, p->dtype, args[0]);
  if (kind == RLX_PRIM_SELECT) return rlx_prim_select(store, args[0], args[1], args[2]);
  return p->arg_count == 1 ? rlx_prim_unary(store, kind, args[0])
                           : rlx_prim_binary(store, kind, args[0], args[1]);
}

/// Steps that one walk over a tree may take: a shared sub-tree counts each time, so that trees of
/// exponential size end.
enum { WALK_STEPS = 100000 };

typedef struct SubstWalk {
  RlxStore *store;
  const RlxSubst *subst;
  bool complete;
  int steps;
} SubstWalk;

enum { SUBST_ARGS = 4 };

static const RlxPrim *subst_walk(SubstWalk *w, const RlxPrim *p);

/// A call with many arguments: apart, so that the usual frame stays small.
static const RlxPrim *subst_many(SubstWalk *w, const RlxPrim *p) {
  const RlxPrim *args[UINT8_MAX];
  for (int i = 0; i < p->arg_count; i++) args[i] = subst_walk(w, p->args[i]);
  return rebuild(w->store, p, args);
}

static const RlxPrim *subst_walk(SubstWalk *w, const RlxPrim *p) {
  w->store->work++;
  if (w->steps-- <= 0) {
    w->complete = false;
    return rlx_prim_unknown(w->store, p->dtype);
  }
  if (p->kind == RLX_PRIM_VAR) {
    for (int i = 0; i < w->subst->count; i++) {
      if (w->subst->vars[i] != p->var) continue;
      if (!w->subst->values[i]) return w->complete = false, p;
      const RlxPrim *value = w->subst->values[i];
      bool is_length = w->subst->is_lengths && rlx_dtype_is_int(p->dtype) &&
                       rlx_dtype_is_int(value->dtype) && value->dtype.bits >= p->dtype.bits;
      return is_length ? value : rlx_prim_cast(w->store, p->dtype, value);
    }
    return p;
  }
  if (rlx_prim_is_unknown(p)) return w->complete = false, p;
  if (p->vars == 0) return p;
  if (p->arg_count > SUBST_ARGS) return subst_many(w, p);
  const RlxPrim *args[SUBST_ARGS];
  bool changed = false;
  for (int i = 0; i < p->arg_count; i++) {
    args[i] = subst_walk(w, p->args[i]);
    changed |= args[i] != p->args[i];
  }
  return changed ? rebuild(w->store, p, args) : p;
}

const RlxPrim *rlx_prim_subst(RlxStore *store, const RlxPrim *p, const RlxSubst *subst,
                              bool *complete) {
  SubstWalk walk = {store, subst, true, WALK_STEPS};
  const RlxPrim *result = subst_walk(&walk, p);
  if (complete) *complete = walk.complete;
  return result;
}

static bool vars_walk(const RlxPrim *p, bool (*visit)(const RlxSymVar *, void *), void *data,
                      int *steps) {
  if (p->vars == 0) return true;
  if ((*steps)-- <= 0) return false;
  if (p->kind == RLX_PRIM_VAR) return visit(p->var, data);
  if (rlx_prim_is_unknown(p)) return false;
  for (int i = 0; i < p->arg_count; i++)
    if (!vars_walk(p->args[i], visit, data, steps)) return false;
  return true;
}

typedef struct VarList {
  const RlxSymVar **out;
  int *count;
  int capacity;
} VarList;

static bool collect_var(const RlxSymVar *var, void *data) {
  VarList *list = data;
  for (int i = 0; i < *list->count; i++)
    if (list->out[i] == var) return true;
  if (*list->count >= list->capacity) return false;
  list->out[(*list->count)++] = var;
  return true;
}

void rlx_prim_vars(const RlxPrim *p, const RlxSymVar **out, int *count, int capacity) {
  VarList list = {out, count, capacity};
  int steps = WALK_STEPS;
  vars_walk(p, collect_var, &list, &steps);
}

bool rlx_prim_all_vars(const RlxPrim *p, bool (*accept)(const RlxSymVar *, void *), void *data) {
  int steps = WALK_STEPS;
  return vars_walk(p, accept, data, &steps);
}

static bool is_another(const RlxSymVar *var, void *data) { return var != data; }

bool rlx_prim_mentions(const RlxPrim *p, const RlxSymVar *var) {
  return !rlx_prim_all_vars(p, is_another, (void *)(uintptr_t)var);
}

typedef struct EvalWalk {
  bool (*lookup)(const RlxSymVar *, int64_t *, void *);
  void *data;
  int steps;
} EvalWalk;

static bool eval_walk(EvalWalk *w, const RlxPrim *p, int64_t *out);

/// A number as the cast gives it: what an integer type does not hold wraps. False: it becomes no integer.
static bool wrap(const RlxPrim *cast, int64_t *value) {
  const RlxDType t = cast->dtype, from = cast->args[0]->dtype;
  if (rlx_dtype_is_float(t)) return false;
  if (fits(*value, t)) return true;
  if (!rlx_dtype_is_int(t) || !(rlx_dtype_is_int(from) || rlx_dtype_is_bool(from)) || t.bits > 32)
    return false;
  const int64_t size = INT64_C(1) << t.bits;
  *value &= size - 1;
  if (t.code == RLX_DTYPE_INT && *value >= size / 2) *value -= size;
  return true;
}

/// Of AND, OR and SELECT only what decides is evaluated: the other part may be undefined.
static bool eval_lazy(EvalWalk *w, const RlxPrim *p, int64_t *out) {
  int64_t first;
  if (!eval_walk(w, p->args[0], &first)) return false;
  if (p->kind == RLX_PRIM_SELECT) return eval_walk(w, p->args[first ? 1 : 2], out);
  if (p->kind == RLX_PRIM_AND ? !first : first != 0) return *out = first != 0, true;
  if (!eval_walk(w, p->args[1], out)) return false;
  *out = *out != 0;
  return true;
}

static bool eval_walk(EvalWalk *w, const RlxPrim *p, int64_t *out) {
  if (w->steps-- <= 0) return false;
  int64_t a, b;
  switch ((RlxPrimKind)p->kind) {
  case RLX_PRIM_INT: return *out = p->value, true;
  case RLX_PRIM_VAR: return w->lookup(p->var, out, w->data);
  case RLX_PRIM_AND:
  case RLX_PRIM_OR:
  case RLX_PRIM_SELECT: return eval_lazy(w, p, out);
  case RLX_PRIM_NOT: return eval_walk(w, p->args[0], &a) && (*out = !a, true);
  case RLX_PRIM_ABS:
    return eval_walk(w, p->args[0], &a) && a != INT64_MIN && (*out = a < 0 ? -a : a, true);
  case RLX_PRIM_CAST: return eval_walk(w, p->args[0], out) && wrap(p, out);
  case RLX_PRIM_FLOAT:
  case RLX_PRIM_DIV:
  case RLX_PRIM_CALL: return false;
  case RLX_PRIM_ADD:
  case RLX_PRIM_SUB:
  case RLX_PRIM_MUL:
  case RLX_PRIM_FLOORDIV:
  case RLX_PRIM_FLOORMOD:
  case RLX_PRIM_TRUNCDIV:
  case RLX_PRIM_TRUNCMOD:
  case RLX_PRIM_MIN:
  case RLX_PRIM_MAX:
  case RLX_PRIM_SHL:
  case RLX_PRIM_SHR:
  case RLX_PRIM_BITAND:
  case RLX_PRIM_BITOR:
  case RLX_PRIM_BITXOR:
  case RLX_PRIM_EQ:
  case RLX_PRIM_NE:
  case RLX_PRIM_LT:
  case RLX_PRIM_LE:
    return eval_walk(w, p->args[0], &a) && eval_walk(w, p->args[1], &b) &&
           fold_ints((RlxPrimKind)p->kind, a, b, out);
  }
  return false;
}

bool rlx_prim_eval(const RlxPrim *p, bool (*lookup)(const RlxSymVar *, int64_t *, void *),
                   void *data, int64_t *out) {
  EvalWalk walk = {lookup, data, WALK_STEPS};
  return eval_walk(&walk, p, out);
}

// ---- order

static int compare_numbers(int64_t a, int64_t b) { return a < b ? -1 : a > b; }

/// Variables of a function come in the order in which it makes them. Those of scopes that functions
/// share (RlxSymVar.scope) may have been made by another function, in another order: theirs is the
/// order of the scopes, so that an answer does not depend on what was asked before.
static int compare_vars(const RlxSymVar *a, const RlxSymVar *b) {
  bool a_shared = a->scope >> 32 != 0, b_shared = b->scope >> 32 != 0;
  if (a_shared != b_shared) return a_shared ? 1 : -1;
  if (a_shared && a->scope != b->scope) return a->scope < b->scope ? -1 : 1;
  return compare_numbers(a->id, b->id);
}

int rlx_prim_compare(const RlxPrim *a, const RlxPrim *b) {
  if (a == b) return 0;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  if (a->kind == RLX_PRIM_VAR) return compare_vars(a->var, b->var);
  if (a->size != b->size) return a->size < b->size ? -1 : 1;
  int order = 0;
  if (a->kind == RLX_PRIM_INT) order = compare_numbers(a->value, b->value);
  if (a->kind == RLX_PRIM_FLOAT) order = a->number < b->number ? -1 : a->number > b->number;
  if (a->kind == RLX_PRIM_CALL) order = compare_numbers(a->name, b->name);
  if (order == 0) order = compare_numbers(a->arg_count, b->arg_count);
  for (int i = 0; order == 0 && i < a->arg_count; i++)
    order = rlx_prim_compare(a->args[i], b->args[i]);
  if (order != 0) return order;
  uint32_t ta = (uint32_t)a->dtype.code << 24 | (uint32_t)a->dtype.bits << 16 | a->dtype.lanes;
  uint32_t tb = (uint32_t)b->dtype.code << 24 | (uint32_t)b->dtype.bits << 16 | b->dtype.lanes;
  return ta != tb ? compare_numbers(ta, tb) : compare_numbers(a->hash, b->hash);
}
