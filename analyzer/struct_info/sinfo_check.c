/// Order of StructInfo: is one below the other, their least common ancestor, equality up to
/// arithmetic. Source: spec 1.2; TVM v0.25 StructInfoBaseCheck and StructInfoLCA
/// (src/relax/analysis/struct_info_analysis.cc).
#include "analyzer/struct_info/sinfo.h"
#include "analyzer/struct_info/sinfo_memo.h"
#include "analyzer/symbolic/store_inside.h"

typedef struct Checker {
  RlxStore *store;
  const RlxFacts *facts;
  RlxBuf *why; // NULL: nobody asks, or the first difference is told
  RlxSInfoApart apart;
  const RlxSubst *bound; // of a call: what the variables of `base` stand for; NULL: themselves
  RlxSInfoMemo pairs;    // answers so far, with `bound`
  RlxSInfoMemo unbound;  // and without it
} Checker;

static RlxBaseCheck check(Checker *c, const RlxSInfo *base, const RlxSInfo *derived);

static RlxBaseCheck worse(RlxBaseCheck a, RlxBaseCheck b) { return a < b ? a : b; }

// ---- words

/// "`what` is <actual>, expected <expected>" for two expressions.
static void tell_prims(Checker *c, const char *what, int index, const RlxPrim *expected,
                       const RlxPrim *actual) {
  if (!c->why) return;
  rlx_buf_puts(c->why, what);
  if (index >= 0) rlx_buf_printf(c->why, " %d", index);
  rlx_buf_puts(c->why, " is ");
  rlx_prim_tell(c->store, actual, c->why);
  rlx_buf_puts(c->why, ", expected ");
  rlx_prim_tell(c->store, expected, c->why);
  c->why = NULL;
}

static void tell_dtypes(Checker *c, RlxDType expected, RlxDType actual) {
  char a[RLX_DTYPE_TEXT_MAX], b[RLX_DTYPE_TEXT_MAX];
  if (!c->why) return;
  if (rlx_dtype_known(actual))
    rlx_buf_printf(c->why, "the dtype is %s, expected %s", rlx_dtype_text(actual, a),
                   rlx_dtype_text(expected, b));
  else
    rlx_buf_printf(c->why, "the dtype is not known, expected %s", rlx_dtype_text(expected, b));
  c->why = NULL;
}

static void tell_ranks(Checker *c, int expected, int actual) {
  if (!c->why) return;
  if (actual < 0)
    rlx_buf_printf(c->why, "the number of dimensions is not known, expected %d", expected);
  else
    rlx_buf_printf(c->why, "the number of dimensions is %d, expected %d", actual, expected);
  c->why = NULL;
}

static void tell(Checker *c, const char *text) {
  if (c->why) rlx_buf_puts(c->why, text);
  c->why = NULL;
}

static void tell_sinfos(Checker *c, const RlxSInfo *expected, const RlxSInfo *actual) {
  if (!c->why) return;
  rlx_sinfo_tell(c->store, actual, c->why);
  rlx_buf_puts(c->why, " is not ");
  rlx_sinfo_tell(c->store, expected, c->why);
  c->why = NULL;
}

// ---- base check

static RlxBaseCheck check_prims(Checker *c, const char *what, int index, const RlxPrim *base,
                                const RlxPrim *derived) {
  bool complete = true;
  const RlxPrim *written = base;
  if (c->bound) base = rlx_prim_subst(c->store, base, c->bound, &complete);
  // The callee's variables and the caller's may be the same ones (recursion), so what is left
  // unbound is compared with constants only.
  if (!complete && derived->vars != 0) {
    if (c->why) {
      rlx_buf_printf(c->why, "no argument determines ");
      rlx_prim_tell(c->store, written, c->why);
      rlx_buf_puts(c->why, ", which would be ");
      rlx_prim_tell(c->store, derived, c->why);
    }
    c->why = NULL;
    return RLX_CHECK_VALUE_MISMATCH;
  }
  RlxProof equal = rlx_prove_equal(c->store, complete ? c->facts : NULL, base, derived);
  if (equal == RLX_YES) return RLX_CHECK_PASS;
  RlxBuf *why = c->why;
  tell_prims(c, what, index, base, derived);
  if (why && base != written) {
    rlx_buf_puts(why, ", the callee's ");
    rlx_prim_tell(c->store, written, why);
  }
  if (!c->apart.expected || (equal == RLX_NO && !c->apart.refuted))
    c->apart = (RlxSInfoApart){equal == RLX_NO, base, derived};
  return equal == RLX_NO ? RLX_CHECK_DISJOINT : RLX_CHECK_VALUE_MISMATCH;
}

/// A parameter's own variable that nothing has bound: every value fits.
static bool takes_any(const Checker *c, const RlxPrim *p) {
  const RlxSymVar *var = c->bound ? rlx_prim_as_var(p) : NULL;
  for (int i = 0; var && i < c->bound->count; i++)
    if (c->bound->vars[i] == var) return !c->bound->values[i];
  return false;
}

/// The same for each of a list of dimensions, all different.
static bool take_any(const Checker *c, const RlxPrim *const *dims, int count) {
  if (!count) return true;
  if (!c->bound || count > c->bound->count) return false; // each is another variable
  RlxMap free = {0};
  for (int i = 0; i < c->bound->count; i++)
    if (!c->bound->values[i]) rlx_map_put_ptr(&free, c->bound->vars[i], c->bound->vars[i]);
  bool all = true;
  for (int i = 0; i < count && all; i++) {
    const RlxSymVar *var = rlx_prim_as_var(dims[i]);
    all = var && rlx_map_remove_ptr(&free, var);
  }
  rlx_map_free(&free);
  return all;
}

/// Ranks and dimensions of tensors and shapes.
static RlxBaseCheck check_dims(Checker *c, const char *what, const RlxSInfo *base,
                               const RlxSInfo *derived) {
  if (base->ndim >= 0 && base->ndim != derived->ndim) {
    tell_ranks(c, base->ndim, derived->ndim);
    return derived->ndim < 0 ? RLX_CHECK_STATIC_MISMATCH : RLX_CHECK_DISJOINT;
  }
  const RlxSymVar *base_var = base->kind == RLX_SINFO_TENSOR ? base->shape_var : NULL;
  const RlxSymVar *derived_var = derived->kind == RLX_SINFO_TENSOR ? derived->shape_var : NULL;
  if (base_var) {
    if (base_var == derived_var) return RLX_CHECK_PASS;
    tell(c, "the shape is not known to be that variable's value");
    return RLX_CHECK_VALUE_MISMATCH;
  }
  if (!base->dims) return RLX_CHECK_PASS;
  if (!derived->dims) {
    if (take_any(c, base->dims, base->ndim)) return RLX_CHECK_PASS;
    tell(c, "the dimensions are not known");
    return RLX_CHECK_VALUE_MISMATCH;
  }
  RlxBaseCheck result = RLX_CHECK_PASS;
  RlxBuf *why = c->why;
  size_t start = why ? why->size : 0;
  for (int i = 0; i < base->ndim && result != RLX_CHECK_DISJOINT; i++) {
    c->why = why && result == RLX_CHECK_PASS ? why : NULL;
    RlxBaseCheck one = check_prims(c, what, i, base->dims[i], derived->dims[i]);
    if (one == RLX_CHECK_DISJOINT && result != RLX_CHECK_PASS &&
        why) { // it says more than the undecided one before
      rlx_buf_truncate(why, start);
      c->why = why;
      tell_prims(c, what, i, base->dims[i], derived->dims[i]);
    }
    result = worse(result, one);
  }
  c->why = result == RLX_CHECK_PASS ? why : NULL;
  return result;
}

static RlxBaseCheck check_tensor(Checker *c, const RlxSInfo *base, const RlxSInfo *derived) {
  RlxBaseCheck result = RLX_CHECK_PASS;
  RlxBuf *why = c->why;
  size_t start = why ? why->size : 0;
  if (rlx_dtype_known(base->dtype) && !rlx_dtype_equal(base->dtype, derived->dtype)) {
    tell_dtypes(c, base->dtype, derived->dtype);
    if (rlx_dtype_known(derived->dtype)) return RLX_CHECK_DISJOINT;
    result = RLX_CHECK_STATIC_MISMATCH;
  }
  if (base->vdevice && base->vdevice != derived->vdevice) {
    tell(c, derived->vdevice ? "it is on another device" : "its device is not known");
    if (derived->vdevice) return RLX_CHECK_DISJOINT;
    result = RLX_CHECK_STATIC_MISMATCH;
  }
  RlxBaseCheck dims = check_dims(c, "dimension", base, derived);
  if (dims == RLX_CHECK_DISJOINT && why && !c->why && result == RLX_CHECK_STATIC_MISMATCH) {
    rlx_buf_truncate(why, start); // it says more than what is not known
    c->why = why;
    check_dims(c, "dimension", base, derived);
  }
  return worse(result, dims);
}

static RlxBaseCheck check_prim_sinfo(Checker *c, const RlxSInfo *base, const RlxSInfo *derived) {
  if (rlx_dtype_known(base->dtype) && !rlx_dtype_equal(base->dtype, derived->dtype)) {
    tell_dtypes(c, base->dtype, derived->dtype);
    return rlx_dtype_known(derived->dtype) ? RLX_CHECK_DISJOINT : RLX_CHECK_STATIC_MISMATCH;
  }
  if (!base->value) return RLX_CHECK_PASS;
  if (derived->value) return check_prims(c, "the value", -1, base->value, derived->value);
  if (takes_any(c, base->value)) return RLX_CHECK_PASS;
  tell(c, "the value is not known");
  return RLX_CHECK_VALUE_MISMATCH;
}

static RlxBaseCheck check_fields(Checker *c, const RlxSInfo *base, const RlxSInfo *derived) {
  if (base->count != derived->count) {
    if (c->why)
      rlx_buf_printf(c->why, "the number of fields is %d, expected %d", (int)derived->count,
                     (int)base->count);
    c->why = NULL;
    return RLX_CHECK_DISJOINT;
  }
  RlxBaseCheck result = RLX_CHECK_PASS;
  for (int i = 0; i < base->count && result != RLX_CHECK_DISJOINT; i++) {
    RlxBuf inner = {0}, *outer = c->why;
    if (outer) c->why = &inner;
    RlxBaseCheck one = check(c, base->fields[i], derived->fields[i]);
    c->why = outer;
    if (outer && one < result) {
      rlx_buf_printf(outer, "field %d: %s", i, rlx_buf_text(&inner));
      c->why = NULL;
    }
    rlx_buf_free(&inner);
    result = worse(result, one);
  }
  return result;
}

/// Variables are compared as such: two of them may still have one value at run time.
static RlxBaseCheck check_parts(Checker *c, const RlxSInfo *base, const RlxSInfo *derived) {
  for (int i = 0; i < base->count; i++) {
    if (!base->parts[i] || base->parts[i] == derived->parts[i]) continue;
    if (c->why) {
      const char *found =
          derived->parts[i] ? rlx_store_text(c->store, derived->parts[i]->name) : NULL;
      rlx_buf_printf(c->why, "part %d is %s, expected %s", i, found ? found : "not known",
                     rlx_store_text(c->store, base->parts[i]->name));
      c->why = NULL;
    }
    return RLX_CHECK_VALUE_MISMATCH;
  }
  return RLX_CHECK_PASS;
}

enum { RENAMED_VARS = 64 };

/// `derived` with its variables renamed to those of `base` in order of occurrence, when both have
/// as many.
static const RlxSInfo *renamed(Checker *c, const RlxSInfo *base, const RlxSInfo *derived) {
  const RlxSymVar *from[RENAMED_VARS], *to[RENAMED_VARS];
  const RlxPrim *values[RENAMED_VARS];
  int from_count = 0, to_count = 0;
  rlx_sinfo_vars(derived, from, &from_count, RENAMED_VARS);
  rlx_sinfo_vars(base, to, &to_count, RENAMED_VARS);
  if (from_count != to_count || from_count == RENAMED_VARS) return derived;
  for (int i = 0; i < from_count; i++) {
    if (from[i]->is_relax || to[i]->is_relax) return derived;
    values[i] = rlx_prim_var(c->store, to[i]);
  }
  RlxSubst subst = {from, values, from_count, false};
  return rlx_sinfo_subst(c->store, derived, &subst);
}

static RlxBaseCheck check_signature(Checker *c, const RlxSInfo *base, const RlxSInfo *derived) {
  if (base->purity == RLX_PURE && derived->purity == RLX_IMPURE) {
    tell(c, "the function is impure, a pure one is expected");
    return RLX_CHECK_DISJOINT;
  }
  if (!base->params) {
    if (base->derive && base->derive != derived->derive) return RLX_CHECK_VALUE_MISMATCH;
    return base->derive ? RLX_CHECK_PASS : check(c, base->ret, derived->ret);
  }
  if (!derived->params) {
    tell(c, "the parameters of the function are not known");
    return RLX_CHECK_VALUE_MISMATCH;
  }
  if (base->count != derived->count) {
    if (c->why)
      rlx_buf_printf(c->why, "the function has %d parameters, expected %d", (int)derived->count,
                     (int)base->count);
    c->why = NULL;
    return RLX_CHECK_DISJOINT;
  }
  derived = renamed(c, base, derived);
  RlxBaseCheck result = RLX_CHECK_PASS;
  for (int i = 0; i < base->count;
       i++) // a function that takes more can stand where one that takes less is expected
    result = worse(result, check(c, derived->params[i], base->params[i]));
  return worse(result, check(c, base->ret, derived->ret));
}

static RlxBaseCheck check_func(Checker *c, const RlxSInfo *base, const RlxSInfo *derived) {
  const RlxSubst *bound = c->bound;
  c->bound = NULL; // a function type has variables of its own
  RlxBaseCheck result = check_signature(c, base, derived);
  c->bound = bound;
  return result;
}

static RlxBaseCheck check_dtensor(Checker *c, const RlxSInfo *base, const RlxSInfo *derived) {
  if (base->mesh != derived->mesh || base->placement != derived->placement) {
    tell(c, "the device mesh or the placement differs");
    return RLX_CHECK_DISJOINT;
  }
  return check(c, base->tensor, derived->tensor);
}

static RlxBaseCheck check_new(Checker *c, const RlxSInfo *base, const RlxSInfo *derived) {
  if (base->kind == RLX_SINFO_OBJECT || (base == derived && !(c->bound && base->has_symbols)))
    return RLX_CHECK_PASS;
  if (base->kind != derived->kind) {
    tell_sinfos(c, base, derived);
    return derived->kind == RLX_SINFO_OBJECT ? RLX_CHECK_STATIC_MISMATCH : RLX_CHECK_DISJOINT;
  }
  switch ((RlxSInfoKind)base->kind) {
  case RLX_SINFO_OBJECT: return RLX_CHECK_PASS;
  case RLX_SINFO_PRIM: return check_prim_sinfo(c, base, derived);
  case RLX_SINFO_SHAPE: return check_dims(c, "value", base, derived);
  case RLX_SINFO_TENSOR: return check_tensor(c, base, derived);
  case RLX_SINFO_TUPLE: return check_fields(c, base, derived);
  case RLX_SINFO_FUNC: return check_func(c, base, derived);
  case RLX_SINFO_DTENSOR: return check_dtensor(c, base, derived);
  case RLX_SINFO_EXTENSION:
    if (base->extension == derived->extension) return check_parts(c, base, derived);
    tell_sinfos(c, base, derived);
    return RLX_CHECK_DISJOINT;
  }
  return RLX_CHECK_STATIC_MISMATCH;
}

/// A pair that was met before has the same answer, and what is to say of it was said.
static RlxBaseCheck check(Checker *c, const RlxSInfo *base, const RlxSInfo *derived) {
  RlxSInfoMemo *memo = c->bound ? &c->pairs : &c->unbound;
  uint64_t known;
  if (rlx_sinfo_met(memo, base, derived, &known)) return (RlxBaseCheck)known;
  RlxBaseCheck result = check_new(c, base, derived);
  rlx_sinfo_meet(memo, base, derived, result);
  return result;
}

static RlxBaseCheck check_all(Checker *c, const RlxSInfo *base, const RlxSInfo *derived) {
  RlxBaseCheck result = check(c, base, derived);
  rlx_sinfo_memo_free(&c->pairs);
  rlx_sinfo_memo_free(&c->unbound);
  return result;
}

/// Constants speak for themselves.
void rlx_sinfo_tell_apart(RlxStore *store, const RlxFacts *facts, const RlxSInfoApart *apart,
                          RlxBuf *why) {
  RlxBuf example = {0};
  if (apart->expected && (apart->expected->vars | apart->actual->vars) &&
      rlx_prove_tell_apart(store, facts, apart->actual, apart->expected, &example))
    rlx_buf_printf(why, " (%s)", rlx_buf_text(&example));
  rlx_buf_free(&example);
}

RlxBaseCheck rlx_sinfo_base_check(RlxStore *store, const RlxFacts *facts, const RlxSInfo *base,
                                  const RlxSInfo *derived, RlxBuf *why, RlxSInfoApart *apart) {
  Checker c = {.store = store, .facts = facts, .why = why};
  RlxBaseCheck result = check_all(&c, base, derived);
  if (c.apart.refuted && why) rlx_sinfo_tell_apart(store, facts, &c.apart, why);
  if (apart) *apart = c.apart;
  return result;
}

RlxBaseCheck rlx_sinfo_base_check_bound(RlxStore *store, const RlxFacts *facts,
                                        const RlxSInfo *base, const RlxSInfo *derived,
                                        const RlxSubst *bound, RlxBuf *why) {
  Checker c = {.store = store, .facts = facts, .why = why, .bound = bound};
  RlxBaseCheck result = check_all(&c, base, derived);
  if (c.apart.refuted && why) rlx_sinfo_tell_apart(store, facts, &c.apart, why);
  return result;
}

// ---- equality

static RlxProof both(RlxProof a, RlxProof b) {
  if (a == RLX_NO || b == RLX_NO) return RLX_NO;
  return a == RLX_YES && b == RLX_YES ? RLX_YES : RLX_UNKNOWN;
}

static RlxProof prove_equal(RlxStore *store, const RlxFacts *facts, const RlxSInfo *a,
                            const RlxSInfo *b, RlxSInfoMemo *memo);

static RlxProof prove_same_kind(RlxStore *store, const RlxFacts *facts, const RlxSInfo *a,
                                const RlxSInfo *b, RlxSInfoMemo *memo) {
  bool same = a->kind == b->kind && a->ndim == b->ndim && a->count == b->count &&
              a->vdevice == b->vdevice && a->derive == b->derive && a->mesh == b->mesh &&
              a->placement == b->placement && a->purity == b->purity &&
              rlx_dtype_equal(a->dtype, b->dtype) && (a->fields == NULL) == (b->fields == NULL) &&
              a->extension == b->extension;
  if (!same) return RLX_NO;
  if (a->kind == RLX_SINFO_EXTENSION) return RLX_UNKNOWN; // other variables
  RlxProof result = RLX_YES;
  bool prims = a->kind == RLX_SINFO_TENSOR || a->kind == RLX_SINFO_SHAPE;
  if (prims) {
    if (a->kind == RLX_SINFO_TENSOR && a->shape_var != b->shape_var) return RLX_UNKNOWN;
    for (int i = 0; a->dims && i < a->ndim && result != RLX_NO; i++)
      result = both(result, rlx_prove_equal(store, facts, a->dims[i], b->dims[i]));
    return result;
  }
  for (int i = 0; a->fields && i < a->count && result != RLX_NO; i++)
    result = both(result, prove_equal(store, facts, a->fields[i], b->fields[i], memo));
  if (a->kind == RLX_SINFO_FUNC || a->kind == RLX_SINFO_DTENSOR)
    return both(result, prove_equal(store, facts, a->ret, b->ret, memo));
  if (a->kind == RLX_SINFO_PRIM && a->value != b->value)
    return a->value && b->value ? rlx_prove_equal(store, facts, a->value, b->value) : RLX_NO;
  return result;
}

static RlxProof prove_equal(RlxStore *store, const RlxFacts *facts, const RlxSInfo *a,
                            const RlxSInfo *b, RlxSInfoMemo *memo) {
  uint64_t known;
  if (a == b) return RLX_YES;
  if (rlx_sinfo_met(memo, a, b, &known)) return (RlxProof)known;
  RlxProof proof = prove_same_kind(store, facts, a, b, memo);
  rlx_sinfo_meet(memo, a, b, proof);
  return proof;
}

RlxProof rlx_sinfo_prove_equal(RlxStore *store, const RlxFacts *facts, const RlxSInfo *a,
                               const RlxSInfo *b) {
  RlxSInfoMemo memo = {0};
  RlxProof proof = prove_equal(store, facts, a, b, &memo);
  rlx_sinfo_memo_free(&memo);
  return proof;
}

// ---- least common ancestor

/// A question for what is above two StructInfos.
typedef struct Joiner {
  RlxStore *store;
  const RlxFacts *facts;
  RlxSInfoMemo memo; // what was found of pairs
} Joiner;

static const RlxSInfo *join(Joiner *j, const RlxSInfo *a, const RlxSInfo *b);

static bool dims_equal(RlxStore *store, const RlxFacts *facts, const RlxSInfo *a,
                       const RlxSInfo *b) {
  if (!a->dims || !b->dims || a->ndim != b->ndim) return false;
  for (int i = 0; i < a->ndim; i++)
    if (rlx_prove_equal(store, facts, a->dims[i], b->dims[i]) != RLX_YES) return false;
  return true;
}

static const RlxSInfo *lca_tensor(RlxStore *store, const RlxFacts *facts, const RlxSInfo *a,
                                  const RlxSInfo *b) {
  RlxDType dtype = rlx_dtype_equal(a->dtype, b->dtype) ? a->dtype : rlx_dtype_unknown();
  const RlxVDevice *vdevice = a->vdevice == b->vdevice ? a->vdevice : NULL;
  int ndim = a->ndim == b->ndim ? a->ndim : -1;
  if (a->shape_var && a->shape_var == b->shape_var)
    return rlx_sinfo_tensor_of(store, a->shape_var, ndim, dtype, vdevice);
  if (dims_equal(store, facts, a, b)) return rlx_sinfo_tensor(store, a->dims, ndim, dtype, vdevice);
  return rlx_sinfo_tensor_ndim(store, ndim, dtype, vdevice);
}

/// Field by field, in scratch memory; NULL when `meet` finds nothing for one of them.
static const RlxSInfo **zip(Joiner *j, const RlxSInfo *a, const RlxSInfo *b,
                            const RlxSInfo *(*meet)(Joiner *, const RlxSInfo *, const RlxSInfo *)) {
  const RlxSInfo **out = rlx_arena_array(j->store->scratch, const RlxSInfo *, a->count + 1);
  for (int i = 0; i < a->count; i++) {
    out[i] = meet(j, a->fields[i], b->fields[i]);
    if (!out[i]) return NULL;
  }
  return out;
}

/// The lower one of two, or NULL when neither is below the other.
static const RlxSInfo *lower(Joiner *j, const RlxSInfo *a, const RlxSInfo *b) {
  RlxStore *store = j->store;
  const RlxFacts *facts = j->facts;
  if (rlx_sinfo_base_check(store, facts, b, a, NULL, NULL) == RLX_CHECK_PASS) return a;
  return rlx_sinfo_base_check(store, facts, a, b, NULL, NULL) == RLX_CHECK_PASS ? b : NULL;
}

static const RlxSInfo *lca_func(Joiner *j, const RlxSInfo *a, const RlxSInfo *b) {
  RlxStore *store = j->store;
  RlxPurity purity = a->purity == b->purity                               ? (RlxPurity)a->purity
                     : a->purity == RLX_IMPURE || b->purity == RLX_IMPURE ? RLX_IMPURE
                                                                          : RLX_PURITY_UNKNOWN;
  RlxName derive = a->derive == b->derive ? a->derive : RLX_NAME_NONE;
  const RlxSInfo **params = NULL;
  if (a->params && b->params && a->count == b->count) {
    Checker c = {.store = store, .facts = j->facts};
    b = renamed(&c, a, b);
    params = zip(j, a, b, lower);
  }
  const RlxSInfo *ret = join(j, a->ret, b->ret);
  if (!params) ret = rlx_sinfo_erase_to_static(store, ret); // nothing binds its variables any more
  return rlx_sinfo_func(store, params, a->count, ret, purity, derive);
}

static const RlxSInfo *lca_extension(RlxStore *store, const RlxSInfo *a, const RlxSInfo *b) {
  const RlxSymVar *parts[RLX_EXTENSION_PARTS_MAX];
  for (int i = 0; i < a->count; i++) parts[i] = a->parts[i] == b->parts[i] ? a->parts[i] : NULL;
  return rlx_sinfo_extension(store, (RlxExtension)a->extension, parts);
}

static const RlxSInfo *lca_same_kind(Joiner *j, const RlxSInfo *a, const RlxSInfo *b) {
  RlxStore *store = j->store;
  const RlxFacts *facts = j->facts;
  switch ((RlxSInfoKind)a->kind) {
  case RLX_SINFO_OBJECT: return a;
  case RLX_SINFO_PRIM: {
    if (!rlx_dtype_equal(a->dtype, b->dtype)) break;
    bool equal =
        a->value && b->value && rlx_prove_equal(store, facts, a->value, b->value) == RLX_YES;
    return rlx_sinfo_prim(store, a->dtype, equal ? a->value : NULL);
  }
  case RLX_SINFO_SHAPE:
    return dims_equal(store, facts, a, b)
               ? a
               : rlx_sinfo_shape(store, NULL, a->ndim == b->ndim ? a->ndim : -1);
  case RLX_SINFO_TENSOR: return lca_tensor(store, facts, a, b);
  case RLX_SINFO_TUPLE:
    if (a->count != b->count) break;
    return rlx_sinfo_tuple(store, zip(j, a, b, join), a->count);
  case RLX_SINFO_EXTENSION:
    if (a->extension != b->extension) break;
    return lca_extension(store, a, b);
  case RLX_SINFO_DTENSOR:
    if (a->mesh != b->mesh || a->placement != b->placement) break;
    return rlx_sinfo_dtensor(store, join(j, a->tensor, b->tensor), a->mesh, a->placement);
  case RLX_SINFO_FUNC: return lca_func(j, a, b);
  }
  return rlx_sinfo_object(store);
}

static const RlxSInfo *join(Joiner *j, const RlxSInfo *a, const RlxSInfo *b) {
  uint64_t known;
  if (a == b) return a;
  if (a->kind != b->kind) return rlx_sinfo_object(j->store);
  if (rlx_sinfo_met(&j->memo, a, b, &known)) return (const RlxSInfo *)(uintptr_t)known;
  RlxArenaMark mark = rlx_arena_mark(j->store->scratch);
  const RlxSInfo *result = lca_same_kind(j, a, b);
  rlx_arena_rewind(j->store->scratch, mark);
  rlx_sinfo_meet(&j->memo, a, b, (uintptr_t)result);
  return result;
}

const RlxSInfo *rlx_sinfo_lca(RlxStore *store, const RlxFacts *facts, const RlxSInfo *a,
                              const RlxSInfo *b) {
  Joiner j = {.store = store, .facts = facts};
  const RlxSInfo *result = join(&j, a, b);
  rlx_sinfo_memo_free(&j.memo);
  return result;
}
