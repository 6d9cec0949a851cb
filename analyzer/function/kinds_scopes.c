/// Numbers of clusters, blocks, warps and threads in a kernel: what their extents say of each other.
/// Source: ScopeIdDefVerifier in src/tirx/ir/exec_scope.cc and ScopeIdVerifier in
/// src/tirx/analysis/verify_tirx_well_formed.cc of TVM 0.25 and 0.27.
#include "analyzer/function/kinds.h"

#include <string.h>

/// From the widest to the narrowest.
typedef enum Level { KERNEL, CLUSTER, CTA, WARPGROUP, WARP, THREAD } Level;

static const char *const level_names[] = {"kernel",    "cluster", "CTA",
                                          "warpgroup", "warp",    "thread"};

static const struct {
  Level parent, level;
  const char *path; ///< behind T.
} bindings[] = {{KERNEL, CLUSTER, "cluster_id"},
                {KERNEL, CTA, "cta_id"},
                {CLUSTER, CTA, "cta_id_in_cluster"},
                {CTA, WARPGROUP, "warpgroup_id"},
                {CTA, WARP, "warp_id"},
                {WARPGROUP, WARP, "warp_id_in_wg"},
                {WARP, THREAD, "lane_id"},
                {CTA, THREAD, "thread_id"},
                {WARPGROUP, THREAD, "thread_id_in_wg"}};

enum { BINDINGS = sizeof bindings / sizeof *bindings };
_Static_assert((int)BINDINGS == (int)KIND_SCOPES, "KindScopes has an entry for each");

static int binding_of(Level parent, Level level) {
  for (int i = 0; i < BINDINGS; i++)
    if (bindings[i].parent == parent && bindings[i].level == level) return i;
  return -1;
}

static const char *binding_text(Kinds *k, int binding) {
  return rlx_arena_printf(k->arena, "%ss in a %s", level_names[bindings[binding].level],
                          level_names[bindings[binding].parent]);
}

/// Keeps that there are `extent` of the binding; the text of a contradiction, or NULL.
static const char *settle(Kinds *k, int binding, int64_t extent) {
  int64_t *old = &k->scopes.extents[binding];
  if (*old && *old != extent)
    return rlx_arena_printf(k->arena, "the number of %s is %lld, and %lld by the other extents",
                            binding_text(k, binding), (long long)*old, (long long)extent);
  *old = extent;
  k->scopes.is_used[binding] = true;
  return NULL;
}

/// What two bindings say of a third: `a` in the kernel and `b` in `a`, or both in one or of one.
static const char *conclude(Kinds *k, int a, int b) {
  int64_t of_a = k->scopes.extents[a], of_b = k->scopes.extents[b], product;
  if (!of_a || !of_b) return NULL;
  Level a_parent = bindings[a].parent, a_level = bindings[a].level;
  Level b_parent = bindings[b].parent, b_level = bindings[b].level;
  int third = a_level == b_parent ? binding_of(a_parent, b_level) : -1;
  if (third >= 0)
    return __builtin_mul_overflow(of_a, of_b, &product) ? NULL : settle(k, third, product);
  if (a_parent == b_parent && b_level < a_level) third = binding_of(b_level, a_level);
  if (a_level == b_level && a_parent < b_parent) third = binding_of(a_parent, b_parent);
  if (third < 0) return NULL;
  if (of_a % of_b == 0) return settle(k, third, of_a / of_b);
  return rlx_arena_printf(k->arena, "%lld %s are no multiple of %lld %s", (long long)of_a,
                          binding_text(k, a), (long long)of_b, binding_text(k, b));
}

/// Concludes until nothing is new.
static const char *close_over(Kinds *k) {
  KindScopes before;
  do {
    before = k->scopes;
    for (int a = 0; a < BINDINGS; a++)
      for (int b = 0; b < BINDINGS; b++) {
        const char *why = conclude(k, a, b);
        if (why) return why;
      }
  } while (memcmp(before.extents, k->scopes.extents, sizeof before.extents) != 0);
  return NULL;
}

/// The product of the extents; 0: not known.
static int64_t extent_of(Kind extents) {
  int64_t product = 1;
  if (!kind_is_list(extents) || extents.count == KIND_MANY || !extents.count) return 0;
  for (uint32_t i = 0; i < extents.count; i++) {
    Kind item = extents.items[i];
    if (item.tag != KIND_INT || !item.has_number || item.number <= 0 ||
        __builtin_mul_overflow(product, item.number, &product))
      return 0;
  }
  return product;
}

static Kind variable(RlxDType dtype) {
  Kind out = rlx_kind_expr(dtype);
  out.is_var = true;
  return out;
}

/// One variable, or a list of as many as there are extents.
static Kind variables(Kinds *k, const Kind *extents, RlxDType dtype) {
  if (!extents || extents->tag == KIND_NONE) return variable(dtype);
  if (!kind_is_list(*extents) || extents->count == KIND_MANY) return rlx_kind_of(KIND_UNKNOWN);
  if (extents->count == 1) return variable(dtype);
  Kind out = rlx_kind_of(KIND_LIST);
  Kind *items = rlx_arena_array(k->arena, Kind, extents->count + 1);
  for (uint32_t i = 0; i < extents->count; i++) items[i] = variable(dtype);
  out.items = items;
  out.count = extents->count;
  return out;
}

bool rlx_kind_is_scope_id(const char *path) {
  for (int i = 0; i < BINDINGS; i++)
    if (strcmp(bindings[i].path, path) == 0) return true;
  return false;
}

Kind rlx_kind_scope_id(Kinds *k, const RlxAst *call, const char *path, const Kind *extents,
                       RlxDType dtype) {
  for (int i = 0; i < BINDINGS; i++) {
    if (strcmp(bindings[i].path, path) != 0) continue;
    k->scopes.is_used[i] = true;
    k->scopes.stmt = k->stmt;
    k->scopes.span = call->span;
    int64_t extent = extents ? extent_of(*extents) : 0;
    const char *why = extent && !k->scopes.is_wrong ? settle(k, i, extent) : NULL;
    if (extent && !why && !k->scopes.is_wrong) why = close_over(k);
    k->scopes.is_wrong |= why != NULL;
    if (why && k->scopes.is_device) rlx_kind_refuse_text(k, IN_BOTH, call->span, why);
  }
  return variables(k, extents, dtype);
}

void rlx_kind_device_entry(Kinds *k) { k->scopes.is_device = k->has_kernels; }

void rlx_kind_scopes_end(Kinds *k) {
  enum { LANES = 32 };
  int64_t threads = k->scopes.extents[binding_of(CTA, THREAD)];
  bool has_warps = false;
  for (int i = 0; i < BINDINGS; i++)
    has_warps |=
        k->scopes.is_used[i] && (bindings[i].level == WARP || bindings[i].parent == WARP ||
                                 (bindings[i].parent == CTA && bindings[i].level == WARPGROUP));
  if (!has_warps || threads % LANES == 0 || k->scopes.is_wrong || !k->scopes.is_device) return;
  k->stmt = k->scopes.stmt;
  k->is_told = false;
  rlx_kind_refuse_text(
      k, IN_BOTH, k->scopes.span,
      rlx_arena_printf(k->arena, "%lld threads in a CTA, which has warps, are no multiple of %d",
                       (long long)threads, LANES));
}
