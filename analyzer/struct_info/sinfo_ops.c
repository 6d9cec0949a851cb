/// Making StructInfos out of others: their variables, erasure, substitution, and the result of a
/// call.
///
/// Always true: dimensions are erased as a whole list, never one by one; the rank, the dtype, the
/// device and everything else of the static type stay.
#include "analyzer/struct_info/sinfo.h"
#include "analyzer/struct_info/sinfo_memo.h"
#include "analyzer/symbolic/store_inside.h"

// ---- variables

static void add_var(const RlxSymVar *var, const RlxSymVar **out, int *count, int capacity) {
  for (int i = 0; i < *count; i++)
    if (out[i] == var) return;
  if (*count < capacity) out[(*count)++] = var;
}

static void add_vars(const RlxSInfo *a, const RlxSymVar **out, int *count, int capacity,
                     RlxSInfoMemo *memo) {
  if (!a->has_symbols || rlx_sinfo_meet_again(memo, a, NULL)) return;
  if (rlx_sinfo_holds_dims(a)) {
    for (int i = 0; a->dims && i < a->ndim; i++) rlx_prim_vars(a->dims[i], out, count, capacity);
    if (a->kind == RLX_SINFO_TENSOR && a->shape_var) add_var(a->shape_var, out, count, capacity);
    return;
  }
  if (a->kind == RLX_SINFO_EXTENSION) {
    for (int i = 0; i < a->count; i++)
      if (a->parts[i]) add_var(a->parts[i], out, count, capacity);
    return;
  }
  for (int i = 0; a->fields && i < a->count; i++)
    add_vars(a->fields[i], out, count, capacity, memo);
  if (a->kind == RLX_SINFO_PRIM && a->value) rlx_prim_vars(a->value, out, count, capacity);
  if ((a->kind == RLX_SINFO_FUNC || a->kind == RLX_SINFO_DTENSOR) && a->ret)
    add_vars(a->ret, out, count, capacity, memo);
}

void rlx_sinfo_vars(const RlxSInfo *a, const RlxSymVar **out, int *count, int capacity) {
  RlxSInfoMemo memo = {0};
  add_vars(a, out, count, capacity, &memo);
  rlx_sinfo_memo_free(&memo);
}

typedef struct BareVars {
  const RlxSymVar **out;
  int *count;
  int capacity;
  const RlxSymVar *wanted; // or NULL: all are collected
  RlxMap *all;             // or NULL; instead of `out`
  bool is_found;
  RlxSInfoMemo memo;
} BareVars;

static void add_bare(BareVars *b, const RlxPrim *p) {
  const RlxSymVar *var = p ? rlx_prim_as_var(p) : NULL;
  if (!var) return;
  if (b->wanted)
    b->is_found = b->is_found || var == b->wanted;
  else if (b->all)
    rlx_map_put_ptr(b->all, var, var);
  else
    add_var(var, b->out, b->count, b->capacity);
}

static void walk_bare(BareVars *b, const RlxSInfo *a) {
  if (!a->has_symbols || b->is_found || rlx_sinfo_meet_again(&b->memo, a, NULL)) return;
  if (a->kind == RLX_SINFO_PRIM) add_bare(b, a->value);
  if (a->kind == RLX_SINFO_DTENSOR) walk_bare(b, a->tensor);
  for (int i = 0; rlx_sinfo_holds_dims(a) && a->dims && i < a->ndim; i++) add_bare(b, a->dims[i]);
  for (int i = 0; a->kind == RLX_SINFO_TUPLE && i < a->count; i++) walk_bare(b, a->fields[i]);
}

void rlx_sinfo_bare_vars(const RlxSInfo *a, const RlxSymVar **out, int *count, int capacity) {
  BareVars b = {.out = out, .count = count, .capacity = capacity};
  walk_bare(&b, a);
  rlx_sinfo_memo_free(&b.memo);
}

void rlx_sinfo_bare_map(const RlxSInfo *a, RlxMap *all) {
  BareVars b = {.all = all};
  walk_bare(&b, a);
  rlx_sinfo_memo_free(&b.memo);
}

bool rlx_sinfo_has_bare(const RlxSInfo *a, const RlxSymVar *var) {
  BareVars b = {.wanted = var};
  walk_bare(&b, a);
  rlx_sinfo_memo_free(&b.memo);
  return b.is_found;
}

// ---- mapping

/// Rebuilds StructInfos with every symbolic expression replaced or erased.
typedef struct Mapper {
  RlxStore *store;
  /// What stands for `p`; NULL: nothing does, erase the list that holds it.
  const RlxPrim *(*map_prim)(struct Mapper *m, const RlxPrim *p);
  bool (*keep_shape_var)(struct Mapper *m, const RlxSymVar *var);
  bool erase_constants; ///< dimensions without variables go, too
  bool keep_params;     ///< parameters of functions stay as they are: they bind their own variables
  const RlxSubst *subst;
  RlxScope scope;
  RlxSInfoMemo memo;    ///< of a StructInfo in `func` the mapped one
  const RlxSInfo *func; ///< the innermost function around, whose parameters bind variables, too
} Mapper;

static const RlxSInfo *map(Mapper *m, const RlxSInfo *a);

static const RlxSInfo *with_dims(RlxStore *store, const RlxSInfo *a, const RlxPrim *const *dims) {
  if (a->kind == RLX_SINFO_SHAPE) return rlx_sinfo_shape(store, dims, a->ndim);
  return rlx_sinfo_tensor(store, dims, a->ndim, a->dtype, a->vdevice);
}

static const RlxSInfo *map_dims(Mapper *m, const RlxSInfo *a) {
  if (!a->dims) {
    bool keep = a->kind != RLX_SINFO_TENSOR || !a->shape_var || m->keep_shape_var(m, a->shape_var);
    return keep ? a : rlx_sinfo_erase_dims(m->store, a);
  }
  RlxArenaMark mark = rlx_arena_mark(m->store->scratch);
  const RlxPrim **dims = rlx_arena_array(m->store->scratch, const RlxPrim *, a->ndim + 1);
  bool erase = false, changed = false;
  for (int i = 0; i < a->ndim && !erase; i++) {
    dims[i] = m->map_prim(m, a->dims[i]);
    erase = !dims[i];
    changed |= dims[i] != a->dims[i];
  }
  const RlxSInfo *result = erase     ? rlx_sinfo_erase_dims(m->store, a)
                           : changed ? with_dims(m->store, a, dims)
                                     : a;
  rlx_arena_rewind(m->store->scratch, mark);
  return result;
}

/// The list with every member mapped, in scratch memory; the same list when nothing changed.
static const RlxSInfo *const *map_list(Mapper *m, const RlxSInfo *const *list, int count) {
  const RlxSInfo **mapped = rlx_arena_array(m->store->scratch, const RlxSInfo *, count + 1);
  bool changed = false;
  for (int i = 0; i < count; i++) {
    mapped[i] = map(m, list[i]);
    changed |= mapped[i] != list[i];
  }
  return changed ? mapped : list;
}

static const RlxSInfo *map_func(Mapper *m, const RlxSInfo *a) {
  const RlxSInfo *outer = m->func;
  const RlxSInfo *const *params =
      m->keep_params || !a->params ? a->params : map_list(m, a->params, a->count);
  m->func = a;
  const RlxSInfo *ret = map(m, a->ret);
  m->func = outer;
  if (params == a->params && ret == a->ret) return a;
  return rlx_sinfo_func(m->store, params, a->count, ret, (RlxPurity)a->purity, a->derive);
}

static const RlxSInfo *map_parts(Mapper *m, const RlxSInfo *a) {
  const RlxSymVar *parts[RLX_EXTENSION_PARTS_MAX];
  for (int i = 0; i < a->count; i++)
    parts[i] = a->parts[i] && m->keep_shape_var(m, a->parts[i]) ? a->parts[i] : NULL;
  return rlx_sinfo_extension(m->store, (RlxExtension)a->extension, parts);
}

static const RlxSInfo *map_fields(Mapper *m, const RlxSInfo *a) {
  RlxArenaMark mark = rlx_arena_mark(m->store->scratch);
  const RlxSInfo *result = a;
  if (a->kind == RLX_SINFO_FUNC)
    result = map_func(m, a);
  else {
    const RlxSInfo *const *fields = a->fields ? map_list(m, a->fields, a->count) : NULL;
    if (fields != a->fields) result = rlx_sinfo_tuple(m->store, fields, a->count);
  }
  rlx_arena_rewind(m->store->scratch, mark);
  return result;
}

static const RlxSInfo *map_new(Mapper *m, const RlxSInfo *a) {
  switch ((RlxSInfoKind)a->kind) {
  case RLX_SINFO_OBJECT: return a;
  case RLX_SINFO_TENSOR:
  case RLX_SINFO_SHAPE: return map_dims(m, a);
  case RLX_SINFO_PRIM: {
    if (!a->value) return a;
    const RlxPrim *value = m->map_prim(m, a->value);
    return value == a->value ? a : rlx_sinfo_prim(m->store, a->dtype, value);
  }
  case RLX_SINFO_DTENSOR:
    return rlx_sinfo_dtensor(m->store, map(m, a->tensor), a->mesh, a->placement);
  case RLX_SINFO_TUPLE:
  case RLX_SINFO_FUNC: return map_fields(m, a);
  case RLX_SINFO_EXTENSION: return map_parts(m, a);
  }
  return a;
}

static const RlxSInfo *map(Mapper *m, const RlxSInfo *a) {
  uint64_t known;
  if (!a->has_symbols && !m->erase_constants) return a;
  if (rlx_sinfo_met(&m->memo, a, m->func, &known)) return (const RlxSInfo *)(uintptr_t)known;
  const RlxSInfo *mapped = map_new(m, a);
  rlx_sinfo_meet(&m->memo, a, m->func, (uintptr_t)mapped);
  return mapped;
}

static const RlxSInfo *map_all(Mapper *m, const RlxSInfo *a) {
  const RlxSInfo *mapped = map(m, a);
  rlx_sinfo_memo_free(&m->memo);
  return mapped;
}

static bool keep_no_shape_var(Mapper *m, const RlxSymVar *var) {
  (void)m, (void)var;
  return false;
}
static bool keep_any_shape_var(Mapper *m, const RlxSymVar *var) {
  (void)m, (void)var;
  return true;
}

// ---- erasure

static const RlxPrim *drop_prim(Mapper *m, const RlxPrim *p) {
  (void)m, (void)p;
  return NULL;
}

const RlxSInfo *rlx_sinfo_erase_to_static(RlxStore *store, const RlxSInfo *a) {
  Mapper m = {.store = store,
              .map_prim = drop_prim,
              .keep_shape_var = keep_no_shape_var,
              .erase_constants = true};
  return map_all(&m, a);
}

enum { VARS_MAX = 256 };

/// Is `var` bound by the parameters of the function around?
static bool bound_by_params(const RlxSInfo *func, const RlxSymVar *var) {
  if (!func || !func->params) return false;
  const RlxSymVar *vars[VARS_MAX];
  int count = 0;
  for (int i = 0; i < func->count; i++) rlx_sinfo_vars(func->params[i], vars, &count, VARS_MAX);
  for (int i = 0; i < count; i++)
    if (vars[i] == var) return true;
  return false;
}

static bool in_scope(Mapper *m, const RlxSymVar *var) {
  return (m->scope.has && m->scope.has(var, m->scope.data)) || bound_by_params(m->func, var);
}

static bool accept_in_scope(const RlxSymVar *var, void *data) { return in_scope(data, var); }

/// `p` with what facts say of its variables that are not in scope (k where k == m), or NULL.
static const RlxPrim *known_in_scope(Mapper *m, const RlxPrim *p) {
  enum { MOST = 8 };
  const RlxSymVar *vars[MOST];
  const RlxPrim *values[MOST];
  int count = 0, found = 0;
  rlx_prim_vars(p, vars, &count, MOST);
  for (int i = 0; i < count; i++) {
    if (in_scope(m, vars[i])) continue;
    const RlxPrim *value = rlx_facts_value(m->store, m->scope.facts, vars[i], accept_in_scope, m);
    if (!value) return NULL;
    vars[found] = vars[i];
    values[found++] = value;
  }
  RlxSubst subst = {vars, values, found, true};
  p = rlx_prim_simplify(m->store, rlx_prim_subst(m->store, p, &subst, NULL));
  return rlx_prim_all_vars(p, accept_in_scope, m) ? p : NULL;
}

static const RlxPrim *keep_in_scope(Mapper *m, const RlxPrim *p) {
  if (p->kind == RLX_PRIM_INT) return p;
  if (rlx_prim_all_vars(p, accept_in_scope, m)) return p;
  const RlxPrim *simple = rlx_prim_simplify(m->store, p); // n - n + m is m
  if (simple != p && rlx_prim_all_vars(simple, accept_in_scope, m)) return simple;
  return m->scope.facts ? known_in_scope(m, simple) : NULL;
}

const RlxSInfo *rlx_sinfo_erase_to_well_defined(RlxStore *store, const RlxSInfo *a,
                                                RlxScope scope) {
  if (!a->has_symbols) return a;
  Mapper m = {.store = store,
              .map_prim = keep_in_scope,
              .keep_shape_var = in_scope,
              .keep_params = true,
              .scope = scope};
  return map_all(&m, a);
}

// ---- substitution

static const RlxPrim *substituted(Mapper *m, const RlxPrim *p) {
  return rlx_prim_subst(m->store, p, m->subst, NULL);
}

const RlxSInfo *rlx_sinfo_subst(RlxStore *store, const RlxSInfo *a, const RlxSubst *subst) {
  if (!a->has_symbols) return a;
  Mapper m = {.store = store,
              .map_prim = substituted,
              .keep_shape_var = keep_any_shape_var,
              .subst = subst};
  return map_all(&m, a);
}

static const RlxPrim *bound_value(Mapper *m, const RlxPrim *p) {
  bool complete = true;
  const RlxPrim *value = rlx_prim_subst(m->store, p, m->subst, &complete);
  if (!complete) return NULL;
  return value == p ? p : rlx_prim_simplify(m->store, value);
}

const RlxSInfo *rlx_sinfo_bind(RlxStore *store, const RlxSInfo *a, const RlxSubst *subst) {
  if (!a->has_symbols) return a;
  Mapper m = {
      .store = store, .map_prim = bound_value, .keep_shape_var = keep_no_shape_var, .subst = subst};
  return map_all(&m, a);
}
