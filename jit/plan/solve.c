/// Lengths for what Python alone knows. A parameter of length `H // 2` says nothing of `H`, and all of `H // 2`: the function
/// runs with an `H` that gives this length, as long as it says `H // 2` wherever it says `H`. One of length `H * 2` gives `H`
/// itself.
#include "jit/plan/compile_impl.h"

#define SOLVE_MAX (INT64_C(1) << 31) ///< constants beyond are in no length

/// What varies in a sum, a product or a quotient with a constant, `*k`; NULL: `p` is none.
static const RlxPrim *varying(const RlxPrim *p, int64_t *k) {
  const bool is_sum = p->kind == RLX_PRIM_ADD, is_product = p->kind == RLX_PRIM_MUL;
  if (!is_sum && !is_product && p->kind != RLX_PRIM_SUB && p->kind != RLX_PRIM_FLOORDIV)
    return NULL;
  const RlxPrim *varies = NULL;
  if (rlx_prim_is_const(p->args[1], k))
    varies = p->args[0];
  else if ((is_sum || is_product) && rlx_prim_is_const(p->args[0], k))
    varies = p->args[1];
  if (!varies || *k < -SOLVE_MAX || *k > SOLVE_MAX) return NULL;
  return !is_sum && p->kind != RLX_PRIM_SUB && *k <= 0 ? NULL : varies;
}

/// The variable that the value of `p` gives a value, all by itself (`is_exact`) or one of several; NULL: none.
static const RlxSymVar *solvable(const RlxPrim *p, bool *is_exact) {
  *is_exact = true;
  int64_t k;
  for (const RlxPrim *next; (next = varying(p, &k)); p = next) {
    if (p->kind == RLX_PRIM_FLOORDIV) *is_exact = false;
    if (p->kind == RLX_PRIM_MUL && !*is_exact) return NULL; // not each value below is a product
  }
  const RlxSymVar *var = rlx_prim_as_var(p);
  return var && var->is_stand_in ? var : NULL;
}

int64_t rlx_dim_solve(const RlxPrim *p, int64_t value) {
  int64_t k;
  for (const RlxPrim *next; (next = varying(p, &k)); p = next) {
    bool fits = true;
    if (p->kind == RLX_PRIM_ADD)
      fits = !__builtin_sub_overflow(value, k, &value);
    else if (p->kind == RLX_PRIM_SUB)
      fits = !__builtin_add_overflow(value, k, &value);
    else if (p->kind == RLX_PRIM_MUL)
      value /= k;
    else
      fits = !__builtin_mul_overflow(value, k, &value);
    if (!fits) return 0; // the check that follows says that it is none
  }
  return value < 0 ? 0 : value;
}

static bool check_says_outside(const Check *check, const Chosen *x) {
  const RlxSInfo *a = check->sinfo;
  const int count = a->kind == RLX_SINFO_PRIM ? 1 : a->ndim;
  for (int i = 0; check->dims && i < count; i++)
    if (rlx_compile_says_otherwise(check->dims[i].prim, x)) return true;
  for (int i = 0; check->fields && i < a->count; i++)
    if (check_says_outside(&check->fields[i], x)) return true;
  return false;
}

Check *rlx_compile_check(Compiler *c, const RlxSInfo *a) {
  Check *check = rlx_check_new(c->plan, a);
  for (const Compiler *o = c; o; o = o->outer)
    for (uint32_t i = 0; i < o->chosen.count; i++)
      if (check_says_outside(check, &o->chosen.at[i]))
        return rlx_compile_unbound(c, rlx_prim_var(c->program->store, o->chosen.at[i].var)), NULL;
  return check;
}

/// Whether nothing that the function checks says `x->var` otherwise.
static bool is_said_whole(const Compiler *c, const RlxFunction *fn, const Chosen *x) {
  for (uint32_t i = 0; i < fn->param_count; i++)
    if (check_says_outside(&c->plan->params[i], x)) return false;
  return !fn->ret || !check_says_outside(rlx_check_new(c->plan, fn->ret), x);
}

static void solve_check(Compiler *c, const RlxFunction *fn, Check *check, const char *what,
                        bool exactly) {
  const RlxSInfo *a = check->sinfo;
  for (int i = 0; check->fields && i < a->count; i++)
    solve_check(c, fn, &check->fields[i], what, exactly);
  if (a->kind != RLX_SINFO_TENSOR && a->kind != RLX_SINFO_SHAPE) return;
  for (int i = 0; check->dims && i < a->ndim; i++) {
    Dim *dim = &check->dims[i];
    bool is_exact;
    const RlxSymVar *var = dim->kind == DIM_EXPR ? solvable(dim->prim, &is_exact) : NULL;
    if (!var || is_exact != exactly ||
        rlx_compile_is_bound(c, rlx_prim_var(c->program->store, var)))
      continue;
    Chosen chosen = {var, dim->prim};
    if (!is_exact && !is_said_whole(c, fn, &chosen)) continue;
    dim->kind = DIM_SOLVED;
    dim->slot = rlx_plan_slot(c->plan, var);
    rlx_compile_mark_slot(c, dim->slot, (Origin){what, i, !is_exact});
    if (!is_exact) rlx_vec_push(&c->chosen, chosen);
  }
}

void rlx_compile_solve(Compiler *c, const RlxFunction *fn) {
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < fn->param_count; i++)
      solve_check(c, fn, &c->plan->params[i],
                  rlx_store_text(c->program->store, fn->params[i]->name), pass == 0);
}
