/// Checks before the loops. An index that is monotone in each loop has its smallest and its
/// largest value at corners of the loops' ranges; all rounds run, so the check fails exactly when
/// an access would.
#include "jit/schedule/guard_impl.h"

/// How an index goes with a loop variable.
typedef enum Way { FALLS = -1, STAYS = 0, RISES = 1, UNKNOWN = 2 } Way;

static Way reversed(Way a) { return a == UNKNOWN ? UNKNOWN : (Way)-a; }

static Way joined(Way a, Way b) {
  if (a == STAYS) return b;
  if (b == STAYS || a == b) return a;
  return UNKNOWN;
}

static bool is_invariant(const Guard *g, const RlxTirExpr *e) {
  if (e->kind == RLX_TIR_LOAD || e->kind == RLX_TIR_CALL || e->kind == RLX_TIR_LET ||
      e->kind == RLX_TIR_HOLE)
    return false;
  for (int i = 0; i < g->loop_count; i++)
    if (e->kind == RLX_TIR_VAR && e->var == g->loops[i].stmt->var) return false;
  for (int i = 0; i < e->arg_count; i++)
    if (!is_invariant(g, e->args[i])) return false;
  return true;
}

/// 1, 0, -1: not negative, not known, not positive; for what no loop changes.
static int sign_of(Guard *g, const RlxTirExpr *e) {
  if (e->kind == RLX_TIR_INT) return e->integer >= 0 ? 1 : -1;
  const RlxPrim *p = guard_prim(g, e);
  return p && guard_is_nonnegative(g, p) ? 1 : 0;
}

static Way way_of(Guard *g, const RlxTirExpr *e, const RlxTirVar *var) {
  if (is_invariant(g, e)) return STAYS;
  if (e->kind == RLX_TIR_VAR) return e->var == var ? RISES : STAYS;
  if (e->dtype.code != RLX_DTYPE_INT || e->dtype.bits < 32) return UNKNOWN;
  if (e->kind == RLX_TIR_CAST && e->dtype.bits >= e->args[0]->dtype.bits)
    return way_of(g, e->args[0], var);
  if (e->arg_count != 2) return UNKNOWN;
  RlxTirExpr *a = e->args[0], *b = e->args[1];
  if (e->kind == RLX_TIR_ADD || e->kind == RLX_TIR_MIN || e->kind == RLX_TIR_MAX)
    return joined(way_of(g, a, var), way_of(g, b, var));
  if (e->kind == RLX_TIR_SUB) return joined(way_of(g, a, var), reversed(way_of(g, b, var)));
  if (e->kind == RLX_TIR_MUL && is_invariant(g, a)) {
    RlxTirExpr *swap = a;
    a = b;
    b = swap;
  }
  bool scales = e->kind == RLX_TIR_MUL || e->kind == RLX_TIR_FLOORDIV;
  int sign = scales && is_invariant(g, b) ? sign_of(g, b) : 0;
  if (sign == 1) return way_of(g, a, var);
  return sign == -1 && e->kind == RLX_TIR_MUL ? reversed(way_of(g, a, var)) : UNKNOWN;
}

/// `e` where the loops begin: variables of blocks around stand for what they are bound to.
static RlxTirExpr *before_blocks(Guard *g, RlxTirExpr *e) {
  return e ? rules_subst(&g->rules, e, g->iters, g->iter_count) : NULL;
}

static RlxTirExpr *last_of(Guard *g, const RlxTirStmt *loop) {
  RlxPrimFunc *f = g->rules.f;
  RlxTirExpr *extent = before_blocks(g, loop->extent), *min = before_blocks(g, loop->min),
             *last = rlx_tir_binary(f, RLX_TIR_SUB, extent, rlx_tir_int(f, 1, extent->dtype));
  return min ? rlx_tir_binary(f, RLX_TIR_ADD, min, last) : last;
}

/// The index at its smallest and at its largest; false when that is not known.
static bool corners(Guard *g, RlxTirExpr *index, RlxTirExpr **low, RlxTirExpr **high) {
  Binding at_low[GUARD_LOOPS], at_high[GUARD_LOOPS];
  for (int i = 0; i < g->loop_count; i++) {
    const RlxTirStmt *loop = g->loops[i].stmt;
    Way way = way_of(g, index, loop->var);
    if (way == UNKNOWN) return false;
    RlxDType t = loop->var->dtype; // one for all, so that nothing is cut off
    if (!rlx_dtype_equal(loop->extent->dtype, t) ||
        (loop->min && !rlx_dtype_equal(loop->min->dtype, t)))
      return false;
    RlxTirExpr *first = loop->min ? before_blocks(g, loop->min) : rlx_tir_int(g->rules.f, 0, t),
               *last = last_of(g, loop);
    at_low[i] = (Binding){loop->var, way == FALLS ? last : first};
    at_high[i] = (Binding){loop->var, way == FALLS ? first : last};
  }
  *low = rules_subst(&g->rules, index, at_low, g->loop_count);
  *high = rules_subst(&g->rules, index, at_high, g->loop_count);
  return true;
}

/// The rounds of all loops are those of a box that is known before them.
static bool is_box(Guard *g) {
  for (int i = 0; i < g->loop_count; i++) {
    const RlxTirStmt *loop = g->loops[i].stmt;
    if (loop->kind != RLX_TIR_FOR || !is_invariant(g, before_blocks(g, loop->extent)) ||
        (loop->min && !is_invariant(g, before_blocks(g, loop->min))))
      return false;
  }
  return g->loop_count > 0;
}

static bool is_known(const RlxTirStmt *s, const RlxTirStmt *check) {
  if (!s) return false;
  if (s->kind == RLX_TIR_ASSERT)
    return s->buffer == check->buffer && s->dim == check->dim && rules_equal(s->min, check->min);
  for (uint32_t i = 0; i < s->count; i++)
    if (is_known(s->body[i], check)) return true;
  return false;
}

/// if the loops have rounds: check that `index` is in the dimension
static void add_check(Guard *g, const RlxTirBuffer *buffer, int dim, RlxTirExpr *index,
                      RlxTirExpr *named, RlxName name) {
  Rules *r = &g->rules;
  RlxTirStmt *check = rlx_tir_stmt(r->f, RLX_TIR_ASSERT, 0);
  union {
    const RlxTirBuffer *in;
    RlxTirBuffer *out;
  } of = {buffer};
  check->buffer = of.out;
  check->dim = (uint8_t)dim;
  check->min = index;
  check->extent = before_blocks(g, buffer->shape[dim]);
  check->value = named;
  check->name = name;
  check->span = g->span;
  if (is_known(g->checks, check)) return;
  RlxTirStmt *out = check;
  for (int i = g->loop_count; i-- > 0;) {
    RlxTirExpr *extent = before_blocks(g, g->loops[i].stmt->extent);
    if (extent->kind == RLX_TIR_INT && extent->integer > 0) continue;
    out = rlx_tir_if(r->f,
                     rlx_tir_binary(r->f, RLX_TIR_GT, extent, rlx_tir_int(r->f, 0, extent->dtype)),
                     out, NULL);
  }
  g->checks = c_seq2(r, g->checks, out);
}

/// An access of a dimension of extent 0 is wrong whatever its index: proved otherwise, it is enough
/// to check that there is something.
static bool check_not_empty(Guard *g, const RlxTirBuffer *buffer, const RlxPrim *index, int dim,
                            RlxTirExpr *named, RlxName name) {
  const RlxFacts *facts = g->facts;
  bool is_missing[RLX_KERNEL_MAX_VARS] = {false};
  for (int d = 0; d < buffer->ndim && d < RLX_KERNEL_MAX_VARS; d++) {
    const RlxPrim *size = guard_prim(g, buffer->shape[d]), *one = rlx_prim_int(g->store, 1);
    is_missing[d] = size && rlx_prove_less_equal(g->store, facts, one, size) != RLX_YES;
    if (is_missing[d]) guard_assume(g, rlx_prim_binary(g->store, RLX_PRIM_LE, one, size));
  }
  bool ok = g->facts != facts && guard_fits(g, index, guard_prim(g, buffer->shape[dim]));
  g->facts = facts;
  for (int d = 0; ok && d < buffer->ndim; d++)
    if (is_missing[d]) add_check(g, buffer, d, c_int(&g->rules, 0), named, name);
  return ok;
}

bool guard_hoist(Guard *g, const RlxTirBuffer *buffer, RlxTirExpr *const *indices, int dim,
                 RlxTirExpr *named, RlxName name) {
  if (g->conditional || !is_box(g)) return false;
  for (int d = 0; d < buffer->ndim; d++)
    if (!is_invariant(g, before_blocks(g, buffer->shape[d]))) return false;
  const RlxPrim *value = guard_prim(g, indices[dim]);
  if (value && check_not_empty(g, buffer, value, dim, named, name)) return true;
  RlxTirExpr *index = before_blocks(g, indices[dim]), *low, *high;
  if (!corners(g, index, &low, &high)) return false;
  add_check(g, buffer, dim, low, named, name);
  if (!rules_equal(low, high)) add_check(g, buffer, dim, high, named, name);
  return true;
}
