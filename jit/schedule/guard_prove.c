/// Proofs about indices: quick ones by constants, the others by the analyzer's prover.
///
/// Always true: a symbol stands for one value at each place; what is no integer expression is a
/// symbol of which nothing is known.
#include <stdio.h>
#include <string.h>

#include "analyzer/symbolic/poly.h"
#include "jit/schedule/guard_impl.h"

enum { SCOPE = 0x67756172 }; // of the symbols; no function of a script has it

static const RlxPrim *symbol(Guard *g, const char *prefix, uint32_t number, RlxDType t,
                             bool is_dimension) {
  char name[24];
  snprintf(name, sizeof name, "%s%u", prefix, number);
  RlxName id = rlx_store_intern(g->store, name, strlen(name));
  const RlxPrim *p = rlx_prim_var(g->store, rlx_symvar(g->store, SCOPE, id, t, false));
  if (is_dimension) rlx_prim_mark_dimension(g->store, p);
  return p;
}

const RlxPrim *guard_symbol(Guard *g, const RlxTirVar *var, bool is_dimension) {
  const RlxPrim **known = &g->vars[var->id];
  if (!*known) *known = symbol(g, is_dimension ? "d" : "v", var->id, RLX_INT64, is_dimension);
  return *known;
}

const RlxTirBuffer *guard_memory(const RlxTirBuffer *b) {
  while (b->view_of) b = b->view_of;
  return b;
}

/// Whether `e` reads what the function writes: two readings may differ.
static bool may_change(const Guard *g, const RlxTirExpr *e) {
  if (e->kind == RLX_TIR_LOAD && (g->has_pointers || g->written[guard_memory(e->buffer)->id]))
    return true;
  if (e->kind == RLX_TIR_CALL && g->has_pointers) return true;
  for (int i = 0; i < e->arg_count; i++)
    if (may_change(g, e->args[i])) return true;
  return false;
}

static const RlxPrim *opaque(Guard *g, const RlxTirExpr *e) {
  const RlxPrim *p = rlx_map_get_ptr(&g->opaque, e);
  if (p) return p;
  p = symbol(g, "o", (uint32_t)g->opaque_count++, RLX_INT64, false);
  if (!may_change(g, e)) rlx_map_put_ptr(&g->opaque, e, p);
  return p;
}

static bool is_wide_int(RlxDType t) {
  return t.code == RLX_DTYPE_INT && t.bits >= 32 && t.lanes == 1;
}

static bool prim_kind(uint8_t kind, RlxPrimKind *out) {
  static const struct {
    uint8_t tir, prim;
  } pairs[] = {{RLX_TIR_ADD, RLX_PRIM_ADD},
               {RLX_TIR_SUB, RLX_PRIM_SUB},
               {RLX_TIR_MUL, RLX_PRIM_MUL},
               {RLX_TIR_FLOORDIV, RLX_PRIM_FLOORDIV},
               {RLX_TIR_FLOORMOD, RLX_PRIM_FLOORMOD},
               {RLX_TIR_TRUNCDIV, RLX_PRIM_TRUNCDIV},
               {RLX_TIR_DIV, RLX_PRIM_TRUNCDIV},
               {RLX_TIR_TRUNCMOD, RLX_PRIM_TRUNCMOD},
               {RLX_TIR_MIN, RLX_PRIM_MIN},
               {RLX_TIR_MAX, RLX_PRIM_MAX},
               {RLX_TIR_EQ, RLX_PRIM_EQ},
               {RLX_TIR_NE, RLX_PRIM_NE},
               {RLX_TIR_LT, RLX_PRIM_LT},
               {RLX_TIR_LE, RLX_PRIM_LE},
               {RLX_TIR_AND, RLX_PRIM_AND},
               {RLX_TIR_OR, RLX_PRIM_OR}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (pairs[i].tir == kind) return *out = (RlxPrimKind)pairs[i].prim, true;
  return false;
}

static bool loop_range(const RlxPrim *atom, RlxRange *out, void *data) {
  const Guard *g = data;
  for (int i = 0; i < g->loop_count; i++)
    if (g->loops[i].is_const && g->loops[i].var == atom)
      return *out = (RlxRange){g->loops[i].min, g->loops[i].max}, true;
  return false;
}

static RlxRange range_of(Guard *g, const RlxPrim *p) {
  RlxRangeEnv env = {loop_range, g};
  return rlx_prim_range(g->store, rlx_prim_simplify(g->store, p), &env);
}

static const RlxPrim *condition(Guard *g, const RlxTirExpr *e);

/// A variable's value. It is computed in 64 bits and cut to its dtype where no index is computed:
/// another symbol then, unless nothing is lost.
static const RlxPrim *variable(Guard *g, const RlxTirExpr *e) {
  const RlxPrim *p = guard_symbol(g, e->var, false);
  bool is_its_own = p == symbol(g, "v", e->var->id, RLX_INT64, false) ||
                    p == symbol(g, "d", e->var->id, RLX_INT64, false);
  if (g->is_index || e->dtype.bits == 64 || is_its_own) return p;
  RlxRange range = range_of(g, p);
  bool is_whole = range.min >= INT32_MIN && range.max <= INT32_MAX;
  return is_whole ? p : symbol(g, "c", e->var->id, RLX_INT64, false);
}

static const RlxPrim *integer(Guard *g, const RlxTirExpr *e) {
  RlxPrimKind kind;
  if (e->kind == RLX_TIR_INT) return rlx_prim_int(g->store, e->integer);
  if (e->kind == RLX_TIR_VAR) return variable(g, e);
  // As an index is computed, a cast to 32 bits cuts nothing off.
  if (e->kind == RLX_TIR_CAST && is_wide_int(e->dtype) && is_wide_int(e->args[0]->dtype) &&
      (e->dtype.bits >= e->args[0]->dtype.bits || g->is_index))
    return integer(g, e->args[0]);
  // Indices are computed in 64 bits. Other 32-bit sums might wrap: as symbols they say nothing.
  bool is_sum = is_wide_int(e->dtype) && (e->dtype.bits == 64 || g->is_index);
  if (is_sum && (e->kind == RLX_TIR_SELECT || e->kind == RLX_TIR_IF_THEN_ELSE)) {
    const RlxPrim *c = condition(g, e->args[0]);
    if (c) return rlx_prim_select(g->store, c, integer(g, e->args[1]), integer(g, e->args[2]));
  }
  if (is_sum && e->arg_count == 2 && e->kind <= RLX_TIR_MAX && prim_kind(e->kind, &kind))
    return rlx_prim_binary(g->store, kind, integer(g, e->args[0]), integer(g, e->args[1]));
  return opaque(g, e);
}

static const RlxPrim *compared(Guard *g, const RlxTirExpr *e) {
  bool was_index = g->is_index;
  g->is_index = false;
  const RlxPrim *p = integer(g, e);
  g->is_index = was_index;
  return p;
}

static const RlxPrim *condition(Guard *g, const RlxTirExpr *e) {
  RlxPrimKind kind;
  if (e->kind == RLX_TIR_INT && rlx_dtype_is_bool(e->dtype))
    return rlx_prim_int_typed(g->store, e->integer, RLX_BOOL);
  if (e->kind == RLX_TIR_NOT) {
    const RlxPrim *a = condition(g, e->args[0]);
    return a ? rlx_prim_unary(g->store, RLX_PRIM_NOT, a) : NULL;
  }
  if (e->arg_count != 2) return NULL;
  if (e->kind == RLX_TIR_AND || e->kind == RLX_TIR_OR) {
    const RlxPrim *a = condition(g, e->args[0]), *b = condition(g, e->args[1]);
    return a && b && prim_kind(e->kind, &kind) ? rlx_prim_binary(g->store, kind, a, b) : NULL;
  }
  if (e->kind < RLX_TIR_EQ || e->kind > RLX_TIR_GE || !is_wide_int(e->args[0]->dtype) ||
      !is_wide_int(e->args[1]->dtype))
    return NULL;
  bool swaps = e->kind == RLX_TIR_GT || e->kind == RLX_TIR_GE;
  const RlxPrim *a = compared(g, e->args[swaps]), *b = compared(g, e->args[!swaps]);
  kind = RLX_PRIM_LE;
  if (e->kind == RLX_TIR_GT || e->kind == RLX_TIR_LT) kind = RLX_PRIM_LT;
  if (e->kind == RLX_TIR_EQ) kind = RLX_PRIM_EQ;
  if (e->kind == RLX_TIR_NE) kind = RLX_PRIM_NE;
  return rlx_prim_binary(g->store, kind, a, b);
}

const RlxPrim *guard_prim(Guard *g, const RlxTirExpr *e) {
  g->is_index = true;
  return is_wide_int(e->dtype) ? integer(g, e) : NULL;
}

const RlxPrim *guard_value(Guard *g, const RlxTirExpr *e) {
  return is_wide_int(e->dtype) ? compared(g, e) : NULL;
}

void guard_assume(Guard *g, const RlxPrim *p) {
  if (!p) return;
  RlxFacts *fact = rlx_arena_one(g->arena, RlxFacts);
  *fact = (RlxFacts){g->facts, p, NULL};
  g->facts = fact;
}

void guard_assume_expr(Guard *g, const RlxTirExpr *e, bool value) {
  if (e->kind == (value ? RLX_TIR_AND : RLX_TIR_OR)) {
    guard_assume_expr(g, e->args[0], value);
    guard_assume_expr(g, e->args[1], value);
    return;
  }
  const RlxPrim *p = condition(g, e);
  if (p) guard_assume(g, value ? p : rlx_prim_unary(g->store, RLX_PRIM_NOT, p));
}

// ---- proofs

static const RlxPrim *zero(Guard *g) { return rlx_prim_int(g->store, 0); }

static bool is_positive(Guard *g, const RlxPrim *p) {
  return p->kind == RLX_PRIM_INT ? p->value > 0
                                 : rlx_prove_less(g->store, g->facts, zero(g), p) == RLX_YES;
}

static bool is_nonnegative(Guard *g, const RlxPrim *p);
static bool is_below(Guard *g, const RlxPrim *p, const RlxPrim *limit);

/// Both sides of a selection, each under what its side knows.
static bool both_sides(Guard *g, const RlxPrim *p, const RlxPrim *limit) {
  const RlxFacts *facts = g->facts;
  bool ok = true;
  for (int side = 1; side <= 2 && ok; side++) {
    guard_assume(g, side == 1 ? p->args[0] : rlx_prim_unary(g->store, RLX_PRIM_NOT, p->args[0]));
    ok = limit ? is_below(g, p->args[side], limit) : is_nonnegative(g, p->args[side]);
    g->facts = facts;
  }
  return ok;
}

static bool is_nonnegative(Guard *g, const RlxPrim *p) {
  if (p->kind == RLX_PRIM_INT) return p->value >= 0;
  for (int i = 0; i < g->loop_count; i++)
    if (g->loops[i].end && g->loops[i].var == p) return true;
  if (range_of(g, p).min >= 0) return true;
  if (p->kind == RLX_PRIM_MIN)
    return is_nonnegative(g, p->args[0]) && is_nonnegative(g, p->args[1]);
  if (p->kind == RLX_PRIM_MAX && (is_nonnegative(g, p->args[0]) || is_nonnegative(g, p->args[1])))
    return true;
  if (p->kind == RLX_PRIM_SELECT) return both_sides(g, p, NULL);
  if (p->kind == RLX_PRIM_FLOORMOD) return is_positive(g, p->args[1]);
  if (p->kind == RLX_PRIM_FLOORDIV && is_nonnegative(g, p->args[0]) && is_positive(g, p->args[1]))
    return true;
  return rlx_prove_less_equal(g->store, g->facts, zero(g), p) == RLX_YES;
}

static bool is_below(Guard *g, const RlxPrim *p, const RlxPrim *limit) {
  for (int i = 0; i < g->loop_count; i++)
    if (g->loops[i].end && g->loops[i].var == p && g->loops[i].end == limit) return true;
  if (limit->kind == RLX_PRIM_INT && range_of(g, p).max < limit->value) return true;
  if (p->kind == RLX_PRIM_MIN && (is_below(g, p->args[0], limit) || is_below(g, p->args[1], limit)))
    return true;
  if (p->kind == RLX_PRIM_MAX)
    return is_below(g, p->args[0], limit) && is_below(g, p->args[1], limit);
  if (p->kind == RLX_PRIM_SELECT) return both_sides(g, p, limit);
  if (p->kind == RLX_PRIM_FLOORMOD && is_positive(g, p->args[1]) &&
      (p->args[1] == limit ||
       rlx_prove_less_equal(g->store, g->facts, p->args[1], limit) == RLX_YES))
    return true;
  return rlx_prove_less(g->store, g->facts, p, limit) == RLX_YES;
}

/// Proofs take it that nothing is divided by zero, where the code gives 0.
static bool divides_by_positive(Guard *g, const RlxPrim *p) {
  bool divides = p->kind >= RLX_PRIM_FLOORDIV && p->kind <= RLX_PRIM_TRUNCMOD;
  if (divides && !is_positive(g, p->args[1])) return false;
  for (int i = 0; i < p->arg_count; i++)
    if (!divides_by_positive(g, p->args[i])) return false;
  return true;
}

bool guard_fits(Guard *g, const RlxPrim *index, const RlxPrim *size) {
  return index && size && divides_by_positive(g, index) && is_nonnegative(g, index) &&
         is_below(g, index, size);
}

bool guard_is_nonnegative(Guard *g, const RlxPrim *p) {
  return divides_by_positive(g, p) && is_nonnegative(g, p);
}

bool guard_fits_region(Guard *g, const RlxPrim *from, const RlxPrim *extent, const RlxPrim *size) {
  const RlxPrim *end = rlx_prim_binary(g->store, RLX_PRIM_ADD, from, extent);
  if (!divides_by_positive(g, end) || !is_nonnegative(g, from)) return false;
  if (size->kind == RLX_PRIM_INT && range_of(g, end).max <= size->value) return true;
  return rlx_prove_less_equal(g->store, g->facts, end, size) == RLX_YES;
}
