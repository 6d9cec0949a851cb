/// From a Relax function to its plan.
///
/// Always true: every Relax variable has one register, set before it is used; a symbol's slot is
/// used at compile time only after the parameter or match_cast that binds it, so an operator over
/// unbound symbols becomes a late one.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "jit/plan/compile_impl.h"

static bool compile_body(Compiler *c, const RlxBody *body, int *out);

static bool compile_if(Compiler *c, const RlxExpr *x, int dst) {
  int cond = rlx_compile_operand(c, x->condition);
  if (cond == INT32_MIN) return false;
  const RlxBinding *binding = c->binding;
  uint32_t unless = c->plan->steps.count;
  Step *s = rlx_compile_step(c, STEP_UNLESS, -1);
  s->args = rlx_compile_ints(c, &cond, 1);
  s->arg_count = 1;
  uint32_t jump = 0;
  for (int side = 0; side < 2; side++) {
    int result;
    uint32_t bound = c->bound.count;
    bool *kept = bound ? rlx_arena_copy(c->arena, c->bound.at, bound, sizeof *c->bound.at) : NULL;
    if (!compile_body(c, &x->branches[side], &result)) return false;
    for (uint32_t i = 0; i < c->bound.count; i++) c->bound.at[i] = i < bound && kept[i];
    c->binding = binding;
    Step *move = rlx_compile_step(c, STEP_MOVE, dst);
    move->args = rlx_compile_ints(c, &result, 1);
    move->arg_count = 1;
    if (!side) {
      jump = c->plan->steps.count;
      rlx_compile_step(c, STEP_JUMP, -1);
      c->plan->steps.at[unless].index = (int)c->plan->steps.count;
    }
  }
  c->plan->steps.at[jump].index = (int)c->plan->steps.count;
  rlx_vec_push(&c->regions, (Region){(int)unless, (int)c->plan->steps.count});
  rlx_compile_step(c, STEP_NOP, -1);
  return true;
}

/// `a` without what it says of dimensions.
static const RlxSInfo *without_dims(RlxStore *store, RlxArena *arena, const RlxSInfo *a) {
  if (a->kind == RLX_SINFO_TENSOR)
    return rlx_sinfo_tensor(store, NULL, a->ndim, a->dtype, a->vdevice);
  if (a->kind != RLX_SINFO_TUPLE) return a;
  const RlxSInfo **fields = rlx_arena_array(arena, const RlxSInfo *, a->count + 1);
  for (int i = 0; i < a->count; i++) fields[i] = without_dims(store, arena, a->fields[i]);
  return rlx_sinfo_tuple(store, fields, a->count);
}

/// Whether a result may have fewer rows than is deduced.
static bool gives_fewer_rows(const Plan *plan) {
  for (uint32_t i = 0; i < plan->steps.count; i++) {
    const Step *s = &plan->steps.at[i];
    if (s->kind == STEP_BUILTIN && s->call->row->id == RLX_OP_ID(vision_all_class_nms)) return true;
    if (s->kind == STEP_CALL && s->callee && s->callee->plan && s->callee->plan->gives_fewer_rows)
      return true;
  }
  return false;
}

static Plan *build(RlxProgram *program, const RlxFunction *fn, RlxArena *arena, Compiler *outer,
                   const RlxVar *self, RlxRunError *err);

static bool compile_local(Compiler *c, const RlxExpr *x, int dst) {
  Plan *local = build(c->program, x->function, c->arena, c, c->binding->var, c->err);
  if (!local) return false;
  Step *s = rlx_compile_step(c, STEP_CLOSURE, dst);
  s->local = local;
  s->args = rlx_arena_array(c->arena, int, local->captures.count + 1);
  s->arg_count = (int)local->captures.count;
  for (uint32_t i = 0; i < local->captures.count; i++) s->args[i] = local->captures.at[i].outer;
  return true;
}

static bool compile_binding(Compiler *c, const RlxBinding *b) {
  c->binding = b;
  const RlxExpr *x = b->value;
  int dst = rlx_compile_reg(c);
  bool ok = true;
  if (x->kind == RLX_EXPR_CALL)
    ok = x->call->row ? rlx_compile_op(c, x->call, x->sinfo, dst)
                      : rlx_compile_function_call(c, x->call, x->sinfo, dst);
  else if (x->kind == RLX_EXPR_IF)
    ok = compile_if(c, x, dst);
  else if (x->kind == RLX_EXPR_FUNCTION)
    ok = compile_local(c, x, dst);
  else {
    int from = rlx_compile_operand(c, x);
    ok = from != INT32_MIN;
    if (ok) {
      Step *s = rlx_compile_step(c, STEP_MOVE, dst);
      s->args = rlx_compile_ints(c, &from, 1);
      s->arg_count = 1;
    }
  }
  if (!ok) return false;
  c->binding = b;
  const RlxSInfo *cast = b->kind == RLX_BINDING_MATCH_CAST ? b->cast : b->annotated;
  if (cast && b->kind != RLX_BINDING_MATCH_CAST && b->deduced &&
      rlx_sinfo_base_check(c->program->store, NULL, cast, b->deduced, NULL, NULL) == RLX_CHECK_PASS)
    cast = NULL;
  if (cast) {
    Step *s = rlx_compile_step(c, STEP_MATCH, -1);
    if (!(s->check = rlx_compile_check(c, cast))) return false;
    s->args = rlx_compile_ints(c, &dst, 1);
    s->arg_count = 1;
    rlx_compile_mark_bound(c, s->check, rlx_store_text(c->program->store, b->var->name));
  }
  rlx_map_put(&c->regs, (uint64_t)(uintptr_t)b->var, (uint64_t)dst + 1);
  return true;
}

static bool compile_body(Compiler *c, const RlxBody *body, int *out) {
  for (uint32_t i = 0; i < body->block_count; i++)
    for (uint32_t k = 0; k < body->blocks[i].count; k++)
      if (!compile_binding(c, body->blocks[i].bindings[k])) return false;
  *out = rlx_compile_operand(c, body->result);
  return *out != INT32_MIN;
}

/// Gives each register to the step after which nobody needs it; what a branch may skip waits for
/// the branches' end.
static void plan_frees(Compiler *c) {
  Plan *plan = c->plan;
  int count = plan->reg_count, steps = (int)plan->steps.count;
  int *last = rlx_arena_array(c->arena, int, count + 1);
  for (int r = 0; r < count; r++)
    last[r] = -1; // what fusion left without a step is never set, so never dropped
  for (int i = 0; i < steps; i++) {
    const Step *s = &plan->steps.at[i];
    for (int k = 0; k < s->arg_count; k++)
      if (s->args[k] >= 0) last[s->args[k]] = i;
    for (int k = 0; s->kernel && k < s->kernel->input_count; k++)
      if (s->kernel->inputs[k] >= 0) last[s->kernel->inputs[k]] = i;
    if (s->dst >= 0 && last[s->dst] < i) last[s->dst] = i;
  }
  Ints *at = rlx_mem_zeroed((size_t)steps + 1, sizeof *at);
  for (int r = 0; r < count; r++) {
    int when = last[r], from = c->defined.at[r];
    if (when < 0) continue;
    for (uint32_t k = 0; k < c->regions.count; k++) {
      Region g = c->regions.at[k];
      if (from <= g.start && when >= g.start && when < g.end) when = g.end;
    }
    if (when < steps) rlx_vec_push(&at[when], r);
  }
  for (int i = 0; i < steps; i++) {
    Step *s = &plan->steps.at[i];
    s->free_count = (int)at[i].count;
    if (at[i].count) s->frees = rlx_compile_ints(c, at[i].at, (int)at[i].count);
    rlx_vec_free(&at[i]);
  }
  free(at);
}

static Plan *build(RlxProgram *program, const RlxFunction *fn, RlxArena *arena, Compiler *outer,
                   const RlxVar *self, RlxRunError *err) {
  Plan *plan = rlx_mem_zeroed(1, sizeof *plan);
  plan->program = program;
  plan->arena = arena;
  plan->function = fn;
  plan->name = rlx_store_text(program->store, fn->name);
  if (!*plan->name && self) plan->name = rlx_store_text(program->store, self->name);
  plan->entry = (Entry){.name = fn->name, .kind = ENTRY_LOCAL, .plan = plan, .program = program};
  rlx_vec_push(&program->plans, plan);
  Compiler c = {
      .program = program, .plan = plan, .arena = arena, .outer = outer, .self = self, .err = err};
  plan->params = rlx_arena_array(arena, Check, fn->param_count + 1);
  for (uint32_t i = 0; i < fn->param_count; i++) {
    int reg = plan->reg_count++;
    rlx_vec_push(&c.defined, -1);
    rlx_map_put(&c.regs, (uint64_t)(uintptr_t)fn->params[i], (uint64_t)reg + 1);
    plan->params[i] = *rlx_check_new(plan, fn->params[i]->sinfo);
    rlx_compile_mark_bound(&c, &plan->params[i],
                           rlx_store_text(program->store, fn->params[i]->name));
  }
  rlx_compile_solve(&c, fn);
  int result;
  bool ok = compile_body(&c, &fn->body, &result);
  if (ok) {
    c.binding = NULL;
    Step *s = rlx_compile_step(&c, STEP_RETURN, -1);
    s->args = rlx_compile_ints(&c, &result, 1);
    s->arg_count = 1;
    if (fn->ret) {
      plan->gives_fewer_rows = gives_fewer_rows(plan);
      // What a printer writes there is what was deduced, and no more is meant by it.
      const bool says_more =
          fn->ret_annotation &&
          rlx_sinfo_base_check(program->store, NULL, fn->ret, fn->body.result->sinfo, NULL, NULL) !=
              RLX_CHECK_PASS;
      bool is_sure = says_more || !plan->gives_fewer_rows || fn->ret->nodes > RLX_CHECK_NODES_MAX;
      plan->ret =
          rlx_check_new(plan, is_sure ? fn->ret : without_dims(program->store, arena, fn->ret));
      rlx_compile_mark_bound(&c, plan->ret, "the result");
    }
    if (!program->jit->options.keeps_bindings) rlx_plan_fuse(plan);
    rlx_plan_alias(plan);
    plan_frees(&c);
    plan->is_complete = true;
  }
  if (ok && plan->is_too_wide)
    ok = rlx_compile_fail(&c,
                          "a tuple is too large to be checked: written out it has more than "
                          "16384 parts%s%s",
                          "", "");
  rlx_map_free(&c.regs);
  rlx_vec_free(&c.bound);
  rlx_vec_free(&c.chosen);
  rlx_vec_free(&c.regions);
  rlx_vec_free(&c.defined);
  return ok ? plan : NULL;
}

Plan *rlx_plan_build(RlxProgram *program, Entry *entry, RlxRunError *err) {
  entry->is_building = true;
  const RlxFunction *fn = rlx_file_function_ir(program->file, entry->stmt, program->arena);
  Plan *plan = NULL;
  if (!fn)
    rlx_error_set(&err->error, "%s cannot be read as a function",
                  rlx_store_text(program->store, entry->name));
  else
    plan = build(program, fn, program->arena, NULL, NULL, err);
  if (!plan && fn && strncmp(err->error.text, "in ", 3))
    rlx_error_prefix(&err->error, "in %s", rlx_store_text(program->store, entry->name));
  entry->is_building = false;
  entry->plan = plan;
  return plan;
}

void rlx_plan_free(Plan *plan) {
  for (uint32_t i = 0; i < plan->steps.count; i++) {
    Step *s = &plan->steps.at[i];
    if (s->kernel) free(s->kernel->last_shape);
    for (uint32_t k = 0; k < s->late.count; k++) {
      free(s->late.at[k].call->last_shape);
      rlx_arena_free(s->late.at[k].arena);
    }
    rlx_vec_free(&s->late);
  }
  for (uint32_t i = 0; i < plan->consts.count; i++) rlx_object_unref(plan->consts.at[i]);
  rlx_vec_free(&plan->steps);
  rlx_vec_free(&plan->consts);
  if (plan->body) plan->body->uses--;
  rlx_vec_free(&plan->origins);
  rlx_vec_free(&plan->slots);
  rlx_map_free(&plan->slot_of);
  rlx_vec_free(&plan->captures);
  rlx_vec_free(&plan->sym_captures);
  free(plan);
}
