/// Loops over guarded values: `i < c ? a : b` for a loop variable i becomes a loop for each side,
/// so that a concatenation is some copies and a padded value has its guard at the border only.
///
/// Every element is still stored once, from the same expression; which loop stores it differs.
#include "jit/schedule/rules.h"

#include <string.h>

enum { MAX_PIECES = 12 };

/// A comparison of a loop's variable with what no loop changes: true below `at` and false from
/// there on, or the other way round.
typedef struct Guard {
  const RlxTirExpr *condition;
  int loop;
  RlxTirExpr *at;
  bool below;
} Guard;

static bool is_invariant(const RlxTirExpr *e, const Nest *nest) {
  if (e->kind == RLX_TIR_LOAD || e->kind == RLX_TIR_CALL || e->kind == RLX_TIR_FLOORDIV ||
      e->kind == RLX_TIR_FLOORMOD)
    return false;
  for (int i = 0; i < nest->count; i++)
    if (e->kind == RLX_TIR_VAR && e->var == nest->loops[i].var) return false;
  for (int i = 0; i < e->arg_count; i++)
    if (!is_invariant(e->args[i], nest)) return false;
  return true;
}

static bool read_guard(Rules *r, const RlxTirExpr *e, const Nest *nest, Guard *out) {
  if (e->kind < RLX_TIR_LT || e->kind > RLX_TIR_GE) return false;
  bool swapped = e->args[0]->kind != RLX_TIR_VAR || is_invariant(e->args[0], nest);
  const RlxTirExpr *var = e->args[swapped];
  RlxTirExpr *at = e->args[!swapped];
  if (var->kind != RLX_TIR_VAR || !is_invariant(at, nest)) return false;
  for (int i = 0; i < nest->count; i++) {
    if (nest->loops[i].var != var->var) continue;
    if (!rlx_dtype_equal(at->dtype, var->dtype) ||
        !rlx_dtype_equal(nest->loops[i].extent->dtype, var->dtype))
      return false;
    bool less = e->kind == RLX_TIR_LT || e->kind == RLX_TIR_LE; // as written
    bool strict = e->kind == RLX_TIR_LT || e->kind == RLX_TIR_GE;
    if (swapped) strict = !strict; // c < i: the first true one is c + 1;  c <= i: c
    if (!strict) at = rlx_tir_binary(r->f, RLX_TIR_ADD, at, rlx_tir_int(r->f, 1, at->dtype));
    *out = (Guard){e, i, at, less != swapped};
    int64_t extent = nest->loops[i].extent->integer;
    bool inside =
        at->kind != RLX_TIR_INT ||
        (at->integer > 0 && (nest->loops[i].extent->kind != RLX_TIR_INT || at->integer < extent));
    return inside;
  }
  return false;
}

static bool guard_of_condition(Rules *r, const RlxTirExpr *e, const Nest *nest, Guard *out) {
  if (e->kind == RLX_TIR_AND)
    return guard_of_condition(r, e->args[0], nest, out) ||
           guard_of_condition(r, e->args[1], nest, out);
  return read_guard(r, e, nest, out);
}

/// The first guard in `e`.
static bool find_guard(Rules *r, const RlxTirExpr *e, const Nest *nest, Guard *out) {
  if (e->kind == RLX_TIR_IF_THEN_ELSE && guard_of_condition(r, e->args[0], nest, out)) return true;
  for (int i = 0; i < e->arg_count; i++)
    if (find_guard(r, e->args[i], nest, out)) return true;
  return false;
}

/// `e` where `condition` is known.
static RlxTirExpr *decided(Rules *r, RlxTirExpr *e, const RlxTirExpr *condition, bool value) {
  if (rules_equal(e, condition)) return rlx_tir_int(r->f, value, e->dtype);
  if (e->arg_count == 0 || e->arg_count > 64) return e;
  RlxTirExpr *args[64];
  bool changed = false;
  for (int i = 0; i < e->arg_count; i++) {
    args[i] = decided(r, e->args[i], condition, value);
    changed = changed || args[i] != e->args[i];
  }
  if (!changed) return e;
  if (e->kind == RLX_TIR_AND)
    for (int i = 0; i < 2; i++)
      if (args[i]->kind == RLX_TIR_INT) return args[i]->integer ? args[1 - i] : args[i];
  if (e->kind == RLX_TIR_IF_THEN_ELSE && args[0]->kind == RLX_TIR_INT)
    return args[args[0]->integer ? 1 : 2];
  RlxTirExpr *copy = rlx_arena_copy(r->f->arena, e, 1, sizeof *e);
  copy->args = rlx_arena_copy(r->f->arena, args, e->arg_count, sizeof *args);
  return copy;
}

static RlxTirStmt *build(Rules *r, const Nest *nest) {
  RlxTirStmt *s = rlx_tir_store(r->f, nest->buffer, nest->indices, nest->value);
  for (int i = nest->count; i-- > 0;)
    s = c_for_kind(r, nest->loops[i].var, nest->loops[i].extent,
                   i == 0 ? rules_outer_kind(r, nest) : RLX_FOR_SERIAL, s);
  return s;
}

static RlxTirStmt *split(Rules *r, const Nest *nest, int *pieces) {
  Guard g;
  if (*pieces >= MAX_PIECES || !find_guard(r, nest->value, nest, &g)) return build(r, nest);
  ++*pieces;
  NestLoop loop = nest->loops[g.loop];
  RlxTirExpr *zero = rlx_tir_int(r->f, 0, loop.var->dtype);
  bool is_const = g.at->kind == RLX_TIR_INT && loop.extent->kind == RLX_TIR_INT;
  // At most the extent, at least nothing.
  RlxTirExpr *at = is_const ? g.at
                            : rlx_tir_binary(r->f, RLX_TIR_MAX, zero,
                                             rlx_tir_binary(r->f, RLX_TIR_MIN, g.at, loop.extent));
  RlxTirStmt *parts[2];
  for (int side = 0; side < 2; side++) {
    Nest piece = *nest;
    piece.value = decided(r, nest->value, g.condition, g.below == !side);
    RlxTirVar *var = rlx_tir_var(r->f, loop.var->name, loop.var->dtype);
    RlxTirExpr *value = c_use(r, var);
    if (side) value = rlx_tir_binary(r->f, RLX_TIR_ADD, value, at);
    Binding b = {loop.var, value};
    piece.value = rules_subst(r, piece.value, &b, 1);
    piece.indices = rlx_arena_array(r->f->arena, RlxTirExpr *, nest->buffer->ndim + 1);
    for (int d = 0; d < nest->buffer->ndim; d++)
      piece.indices[d] = rules_subst(r, nest->indices[d], &b, 1);
    piece.loops[g.loop] = (NestLoop){
        var, side ? rlx_tir_binary(r->f, RLX_TIR_SUB, loop.extent, at) : at, loop.is_reduce};
    parts[side] = split(r, &piece, pieces);
  }
  return rlx_tir_seq(r->f, parts, 2);
}

RlxTirStmt *rule_split(Rules *r, const Nest *nest) {
  Guard g;
  int pieces = 1;
  if (nest->accumulates || nest->init || !rules_is_one_to_one(nest) ||
      rules_reads(nest->value, nest->buffer) || !find_guard(r, nest->value, nest, &g))
    return NULL;
  return split(r, nest, &pieces);
}
