/// Undoes what tiling by hand did: loops that were split become one again, and a loop around two
/// nests becomes two loops, so that the other rules see the whole computation.
#include <string.h>

#include "jit/schedule/rules.h"

// ---- joining split loops: a * E + b with 0 <= b < E is one index c

/// Whether `a` and `b` occur in `e` only as multiples of a * extent + b, within the indices of
/// loads.
static bool is_split(const RlxTirExpr *e, const RlxTirVar *a, const RlxTirVar *b, int64_t extent,
                     bool in_index) {
  if (in_index) {
    int64_t step_a, step_b, scaled;
    if (!rules_mentions(e, a) && !rules_mentions(e, b)) return true;
    return rules_step(e, a, &step_a) && rules_step(e, b, &step_b) &&
           !__builtin_mul_overflow(step_b, extent, &scaled) && step_a == scaled;
  }
  if (e->kind == RLX_TIR_VAR) return e->var != a && e->var != b;
  for (int i = 0; i < e->arg_count; i++)
    if (!is_split(e->args[i], a, b, extent, e->kind == RLX_TIR_LOAD)) return false;
  return true;
}

static bool nest_is_split(const Nest *nest, const NestLoop *a, const NestLoop *b) {
  int64_t extent = b->extent->integer;
  for (int d = 0; d < nest->buffer->ndim; d++)
    if (!is_split(nest->indices[d], a->var, b->var, extent, true)) return false;
  return is_split(nest->value, a->var, b->var, extent, false) &&
         (!nest->init || is_split(nest->init, a->var, b->var, extent, false));
}

void rules_join_loops(Rules *r, Nest *nest) {
  for (int i = 0; i < nest->count; i++)
    for (int j = 0; j < nest->count; j++) {
      NestLoop *a = &nest->loops[i], *b = &nest->loops[j];
      bool constant = a->extent->kind == RLX_TIR_INT && b->extent->kind == RLX_TIR_INT;
      if (i == j || !constant || a->extent->integer < 2 || b->extent->integer < 2 ||
          a->is_reduce != b->is_reduce || !nest_is_split(nest, a, b))
        continue;
      int64_t extent = a->extent->integer * b->extent->integer;
      if (extent > INT32_MAX) continue;
      RlxTirVar *joined = rlx_tir_var(r->f, b->var->name, b->var->dtype);
      Binding bindings[2] = {{a->var, rlx_tir_int(r->f, 0, a->var->dtype)},
                             {b->var, c_use(r, joined)}};
      RlxTirExpr **indices = rlx_arena_array(r->f->arena, RlxTirExpr *, nest->buffer->ndim + 1);
      for (int d = 0; d < nest->buffer->ndim; d++)
        indices[d] = rules_subst(r, nest->indices[d], bindings, 2);
      nest->indices = indices;
      nest->value = rules_subst(r, nest->value, bindings, 2);
      if (nest->init) nest->init = rules_subst(r, nest->init, bindings, 2);
      *b = (NestLoop){joined, rlx_tir_int(r->f, extent, joined->dtype), b->is_reduce};
      memmove(a, a + 1, (size_t)(nest->count - i - 1) * sizeof *a);
      nest->count--;
      i = -1; // from the start: the new loop may join others
      break;
    }
}

// ---- one loop around two nests

static bool is_bare(const RlxTirExpr *e, const Nest *nest, int *out) {
  for (int i = 0; i < nest->count; i++)
    if (e->kind == RLX_TIR_VAR && e->var == nest->loops[i].var) return *out = i, true;
  return false;
}

bool rules_is_one_to_one(const Nest *nest) {
  bool used[NEST_MAX_LOOPS] = {false};
  int spatial = 0, at;
  for (int i = 0; i < nest->count; i++) spatial += !nest->loops[i].is_reduce;
  for (int d = 0; d < nest->buffer->ndim; d++) {
    if (!is_bare(nest->indices[d], nest, &at) || used[at]) return false;
    used[at] = true;
  }
  return spatial == nest->buffer->ndim;
}

bool rules_can_distribute(const Nest *first, RlxTirExpr *const *first_indices, const Nest *second,
                          RlxTirExpr *const *second_indices, RlxTirVar *const *around,
                          int around_count) {
  if (first->buffer != second->buffer || first->accumulates || !second->accumulates ||
      second->init || first->init)
    return false;
  if (rules_reads(first->value, first->buffer) || !rules_is_one_to_one(first) ||
      !rules_is_one_to_one(second))
    return false;
  for (int d = 0; d < first->buffer->ndim; d++) {
    int a, b;
    if (!is_bare(first->indices[d], first, &a) || !is_bare(second->indices[d], second, &b))
      return false;
    if (!rules_equal(first->loops[a].extent, second->loops[b].extent)) return false;
    for (int i = 0; i < around_count;
         i++) { // the same round of the outer loops touches a place in both
      int64_t x, y;
      if (!rules_step(first_indices[d], around[i], &x) ||
          !rules_step(second_indices[d], around[i], &y) || x != y)
        return false;
    }
  }
  return true;
}
