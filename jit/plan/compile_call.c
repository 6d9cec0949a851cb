/// Plans: calls of operators, of PrimFuncs and of functions.
/// Always true: an operator becomes a kernel when it can be legalized and its result can be
/// allocated here; views and built-in operators become steps of their own; any other operator is a
/// late one, which is compiled when its operands are known.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/ops/op_ids.h"
#include "base/mem.h"
#include "jit/plan/compile_impl.h"
#include "jit/schedule/fills.h"

static void walk_value(const RlxValue *v, int param, void (*visit)(const RlxExpr *, int, void *),
                       void *data) {
  if (v->kind == RLX_VALUE_EXPR)
    visit(v->expr, param, data);
  else if (v->kind == RLX_VALUE_LIST)
    for (uint32_t i = 0; i < v->count; i++) walk_value(&v->items[i], param, visit, data);
}

void rlx_call_operands(const RlxCall *call, void (*visit)(const RlxExpr *, int, void *),
                       void *data) {
  for (uint32_t i = 0; i < call->arg_count; i++)
    if (call->args[i].kind != RLX_VALUE_CALLEE) walk_value(&call->args[i], (int)i, visit, data);
}

typedef struct Collect {
  Compiler *c;
  Ints regs;
  bool ok;
} Collect;

static void collect_one(const RlxExpr *x, int param, void *data) {
  Collect *k = data;
  (void)param;
  int reg = k->ok ? rlx_compile_operand(k->c, x) : INT32_MIN;
  if (reg == INT32_MIN) k->ok = false;
  rlx_vec_push(&k->regs, reg);
}

/// A step over all expressions of the call, in order.
static bool emit_operands(Compiler *c, StepKind kind, const RlxCall *call, int dst) {
  Collect k = {.c = c, .ok = true};
  rlx_call_operands(call, collect_one, &k);
  if (k.ok) {
    Step *s = rlx_compile_step(c, kind, dst);
    s->call = call;
    s->args = rlx_compile_ints(c, k.regs.at ? k.regs.at : &dst, (int)k.regs.count);
    s->arg_count = (int)k.regs.count;
  }
  rlx_vec_free(&k.regs);
  return k.ok;
}

/// Whether a result can be allocated: tensors whose dimensions have values here.
static bool is_allocatable(Compiler *c, const RlxSInfo *a) {
  if (a->kind == RLX_SINFO_TUPLE) {
    for (int i = 0; i < a->count; i++)
      if (!is_allocatable(c, a->fields[i])) return false;
    return a->count > 0;
  }
  if (a->kind != RLX_SINFO_TENSOR || a->ndim < 0 || (a->ndim && !a->dims) ||
      !rlx_dtype_known(a->dtype))
    return false;
  for (int i = 0; i < a->ndim; i++)
    if (!rlx_compile_is_bound(c, a->dims[i])) return false;
  return true;
}

static int count_tensors(const RlxSInfo *a) {
  if (a->kind != RLX_SINFO_TUPLE) return 1;
  int n = 0;
  for (int i = 0; i < a->count; i++) n += count_tensors(a->fields[i]);
  return n;
}

static bool set_outputs(KernelCall *k, Plan *plan, const RlxSInfo *a, int *at) {
  if (a->kind != RLX_SINFO_TUPLE) return rlx_output_set(&k->outputs[(*at)++], plan, a);
  for (int i = 0; i < a->count; i++)
    if (!set_outputs(k, plan, a->fields[i], at)) return false;
  return true;
}

KernelCall *rlx_kernel_call_new(RlxProgram *program, RlxArena *arena, RlxLegalized *l,
                                const RlxSInfo *out) {
  KernelCall *k = rlx_arena_one(arena, KernelCall);
  RlxPrimFunc *f = l->func;
  k->input_count = l->input_count;
  k->output_count = l->output_count;
  k->inputs = rlx_arena_array(arena, int, k->input_count + 1);
  k->fields = rlx_arena_array(arena, int, k->input_count + 1);
  k->outputs = rlx_arena_array(arena, Output, k->output_count + 1);
  k->is_tuple = out->kind == RLX_SINFO_TUPLE;
  for (int i = 0; i < k->input_count; i++) k->fields[i] = l->inputs[i].field;
  k->kernel = rlx_kernel_intern(program->jit, f, true, false);
  return k;
}

static int scalar_params(KernelCall *k, Plan *plan, const RlxPrimFunc *f, RlxStore *store,
                         Compiler *c) {
  k->scalars = rlx_arena_array(plan->arena, Dim, f->param_count + 1);
  for (int i = 0; i < f->param_count; i++) {
    if (f->params[i].buffer) continue;
    const RlxSymVar *symbol = f->params[i].var->symbol;
    if (!symbol) return -1;
    const RlxPrim *p = rlx_prim_var(store, symbol);
    if (!rlx_compile_is_bound(c, p)) return -1;
    rlx_dim_set(&k->scalars[k->scalar_count++], plan, p);
  }
  return k->scalar_count;
}

static bool is_static(const RlxSInfo *a) {
  return !a->has_symbols && (a->kind != RLX_SINFO_TENSOR || (a->dims || !a->ndim));
}
static void find_dynamic(const RlxExpr *x, int param, void *data) {
  (void)param;
  if (x->sinfo && !is_static(x->sinfo)) *(bool *)data = true;
}

static bool emit_kernel(Compiler *c, const RlxCall *call, const RlxSInfo *out, int dst,
                        bool *done) {
  *done = false;
  if (!is_allocatable(c, out)) return true;
  RlxLegalized *l = rlx_mem_zeroed(1, sizeof *l);
  RlxError why = {0};
  bool ok = true;
  if (!rlx_legalize(c->program->store, call, out, l, &why)) goto end;
  KernelCall probe = {0};
  if (count_tensors(out) != l->output_count ||
      scalar_params(&probe, c->plan, l->func, c->program->store, c) < 0) {
    rlx_primfunc_free(l->func);
    goto end;
  }
  RlxPrimFunc *f = l->func;
  int *regs = rlx_arena_array(c->arena, int, l->input_count + 1);
  for (int i = 0; ok && i < l->input_count; i++) {
    regs[i] = rlx_compile_operand(c, l->inputs[i].expr);
    ok = regs[i] != INT32_MIN;
  }
  if (!ok) {
    rlx_primfunc_free(f);
    goto end;
  }
  KernelCall *k = rlx_kernel_call_new(c->program, c->arena, l, out);
  k->scalars = probe.scalars;
  k->scalar_count = probe.scalar_count;
  k->inputs = regs;
  int at = 0;
  ok = set_outputs(k, c->plan, out, &at);
  bool dynamic = !is_static(out);
  rlx_call_operands(call, find_dynamic, &dynamic);
  k->op = dynamic ? call : NULL;
  Step *s = rlx_compile_step(c, STEP_KERNEL, dst);
  s->call = call;
  s->kernel = k;
  if (dynamic) { // the operator's rule looks at all its operands
    c->plan->steps.count--;
    if (!emit_operands(c, STEP_KERNEL, call, dst))
      ok = false;
    else
      rlx_vec_last(&c->plan->steps).kernel = k;
  }
  *done = true;
end:
  free(l);
  return ok;
}

/// Whether C does the operator.
static bool is_builtin(RlxOpId id) {
  static const RlxOpId ids[] = {
#define RLX_BUILTIN(op, function) RLX_OPID_##op,
#include "jit/plan/builtins.def"
#undef RLX_BUILTIN
  };
  for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
    if (ids[i] == id) return true;
  return false;
}

/// Operators whose result is their operand under another shape, or the operand itself.
static bool is_view(RlxOpId id) {
  return id == RLX_OPID_reshape || id == RLX_OPID_flatten || id == RLX_OPID_expand_dims ||
         id == RLX_OPID_squeeze || id == RLX_OPID_to_vdevice || id == RLX_OPID_hint_on_device ||
         id == RLX_OPID_stop_lift_params || id == RLX_OPID_grad_no_grad ||
         id == RLX_OPID_grad_start_checkpoint || id == RLX_OPID_grad_end_checkpoint;
}

static bool tensor_reg(Compiler *c, const RlxValue *v, Ints *out) {
  if (v->kind == RLX_VALUE_LIST) {
    for (uint32_t i = 0; i < v->count; i++)
      if (!tensor_reg(c, &v->items[i], out)) return false;
    return true;
  }
  if (v->kind != RLX_VALUE_EXPR) return true;
  const RlxExpr *x = v->expr;
  if (x->kind == RLX_EXPR_TUPLE) {
    for (uint32_t i = 0; i < x->field_count; i++) {
      int reg = rlx_compile_operand(c, x->fields[i]);
      if (reg == INT32_MIN) return false;
      rlx_vec_push(out, reg);
    }
    return true;
  }
  int reg = rlx_compile_operand(c, x);
  if (reg == INT32_MIN) return false;
  if (x->sinfo && x->sinfo->kind == RLX_SINFO_TUPLE)
    for (int i = 0; i < x->sinfo->count; i++) rlx_vec_push(out, rlx_compile_field(c, reg, i));
  else
    rlx_vec_push(out, reg);
  return true;
}

/// Sets which outputs overwrite an argument (R.call_tir_inplace); whether there is one.
static bool mark_inplace(const RlxCall *call, KernelCall *k, uint32_t argument_count) {
  int indices = rlx_op_param(call->row, "inplace_indices");
  bool inplace = false;
  if (indices < 0) return false;
  const RlxValue *v = &call->args[indices];
  for (int i = 0; i < k->output_count; i++) {
    const RlxValue *one =
        v->kind == RLX_VALUE_LIST ? ((uint32_t)i < v->count ? &v->items[i] : NULL) : v;
    if (one && one->kind == RLX_VALUE_INT && one->integer >= 0 &&
        one->integer < (int64_t)argument_count)
      k->outputs[i].inplace = (int)one->integer, inplace = true;
  }
  return inplace;
}

/// The integers of `tir_vars`, which come behind the results; false: reported, or one has no value
/// here.
static bool trailing_integers(Compiler *c, const RlxCall *call, KernelCall *k) {
  int param = rlx_op_param(call->row, "tir_vars");
  if (param < 0 || call->args[param].kind != RLX_VALUE_EXPR) return true;
  const RlxExpr *v = call->args[param].expr;
  bool ok = true;
  if (v->kind != RLX_EXPR_SHAPE)
    ok = rlx_compile_fail(c, "R.%s: tir_vars is not written as a shape%s", call->row->script, "");
  k->scalars = rlx_arena_array(c->arena, Dim, v->dim_count + 1);
  for (int i = 0; ok && i < v->dim_count; i++) {
    ok = rlx_compile_is_bound(c, v->dims[i]);
    rlx_dim_set(&k->scalars[k->scalar_count++], c->plan, v->dims[i]);
  }
  return ok;
}

/// Results that the PrimFunc may leave elements of as they are begin as zeros.
static void clear_unfilled(KernelCall *k, const RlxPrimFunc *f) {
  for (int i = 0; i < f->param_count; i++) {
    int out = k->order[i] - k->input_count;
    if (out >= 0 && out < k->output_count && f->params[i].buffer)
      k->outputs[out].is_cleared = !rlx_fills(f->body, f->params[i].buffer);
  }
}

/// Which of arguments, results and integers each parameter is: those that are results in place come once.
static int *order_of(Compiler *c, const KernelCall *k, int param_count) {
  int *order = rlx_arena_array(c->arena, int, param_count + 1), next = 0;
  for (int i = 0; i < k->input_count; i++) order[next++] = i;
  for (int i = 0; i < k->output_count; i++)
    if (k->outputs[i].inplace < 0) order[next++] = k->input_count + i;
  for (int i = 0; i < k->scalar_count; i++) order[next++] = k->input_count + k->output_count + i;
  return order;
}

/// R.call_tir and R.call_tir_inplace: parameter i of the PrimFunc is the ith of arguments, outputs,
/// tir_vars.
static bool emit_call_tir(Compiler *c, const RlxCall *call, const RlxSInfo *out, int dst) {
  const RlxValue *callee = &call->args[rlx_op_param(call->row, "gvar")];
  const RlxExpr *x =
      callee->kind == RLX_VALUE_CALLEE || callee->kind == RLX_VALUE_EXPR ? callee->expr : NULL;
  Entry *entry = x && x->kind == RLX_EXPR_GLOBAL ? rlx_program_callee(c->program, x) : NULL;
  if (!entry || entry->kind != RLX_ISLAND_PRIM_FUNC)
    return rlx_compile_fail(c, "R.%s: the function is no PrimFunc of this file%s",
                            call->row->script, "");
  RlxPrimFunc *f = entry->prim;
  if (f->has_holes)
    return rlx_compile_fail(c,
                            "PrimFunc %s has parts that are not understood, so it cannot be run%s",
                            rlx_store_text(c->program->store, entry->name), "");
  if (!is_allocatable(c, out))
    return rlx_compile_fail(c, "R.%s: the shape of the result is not known where it is called%s",
                            call->row->script, "");
  Ints regs = {0};
  bool ok = tensor_reg(c, &call->args[rlx_op_param(call->row, "args")], &regs);
  KernelCall *k = rlx_arena_one(c->arena, KernelCall);
  k->output_count = count_tensors(out);
  k->outputs = rlx_arena_array(c->arena, Output, k->output_count + 1);
  k->is_tuple = out->kind == RLX_SINFO_TUPLE;
  int at = 0;
  ok = ok && set_outputs(k, c->plan, out, &at);
  bool inplace = ok && mark_inplace(call, k, regs.count);
  ok = ok && trailing_integers(c, call, k);
  k->inputs = rlx_compile_ints(c, regs.at ? regs.at : &dst, (int)regs.count);
  k->fields = rlx_arena_array(c->arena, int, regs.count + 1);
  for (uint32_t i = 0; i < regs.count; i++) k->fields[i] = -1;
  k->input_count = (int)regs.count;
  rlx_vec_free(&regs);
  int new_outputs = 0;
  for (int i = 0; i < k->output_count; i++) new_outputs += k->outputs[i].inplace < 0;
  if (ok && k->input_count + new_outputs + k->scalar_count != f->param_count) {
    char counts[80];
    snprintf(counts, sizeof counts, "%d arguments, %d results and %d integers for %d parameters",
             k->input_count, new_outputs, k->scalar_count, f->param_count);
    ok = rlx_compile_fail(c, "PrimFunc %s is called with %s",
                          rlx_store_text(c->program->store, entry->name), counts);
  }
  if (!ok) return false;
  k->order = order_of(c, k, f->param_count);
  // The program keeps its own copy: a kernel owns its PrimFunc.
  RlxPrimFunc *own = rlx_program_lower(c->program, entry->stmt);
  clear_unfilled(k, own);
  k->kernel = rlx_kernel_intern(c->program->jit, own, false, inplace);
  Step *s = rlx_compile_step(c, STEP_KERNEL, dst);
  s->call = call;
  s->kernel = k;
  s->text = rlx_store_text(c->program->store, entry->name);
  return true;
}

/// An operator by its kernel: made here when its result can be allocated, else when it is reached.
static bool emit_kernel_or_late(Compiler *c, const RlxCall *call, const RlxSInfo *out, int dst) {
  bool done;
  if (!emit_kernel(c, call, out, dst, &done)) return false;
  if (done) return true;
  if (!rlx_legalize_exists(call->row))
    return rlx_compile_fail(c, "R.%s cannot be evaluated%s", call->row->script, "");
  return emit_operands(c, STEP_LATE, call, dst);
}

/// A kernel whose first result has rows for all that there might be, then the step that cuts it to
/// the rows that there are: fewer than StructInfo says (docs/differences.md). They stay in the
/// memory of all rows, so whatever relies on the StructInfo reads zeros behind them.
static bool emit_trimmed(Compiler *c, const RlxCall *call, const RlxSInfo *out, int dst) {
  int whole = rlx_compile_reg(c);
  if (!emit_kernel_or_late(c, call, out, whole)) return false;
  Step *s = rlx_compile_step(c, STEP_BUILTIN, dst);
  s->call = call;
  s->args = rlx_compile_ints(c, &whole, 1);
  s->arg_count = 1;
  return true;
}

bool rlx_compile_op(Compiler *c, const RlxCall *call, const RlxSInfo *out, int dst) {
  RlxOpId id = call->row->id;
  if (id == RLX_OPID_vision_all_class_nms)
    return out->kind == RLX_SINFO_TUPLE && out->count == 2 ? emit_trimmed(c, call, out, dst)
                                                           : emit_kernel_or_late(c, call, out, dst);
  if (id == RLX_OPID_call_tir || id == RLX_OPID_call_tir_inplace ||
      id == RLX_OPID_call_tir_with_grad || id == RLX_OPID_dist_call_tir_local_view)
    return emit_call_tir(c, call, out->kind == RLX_SINFO_DTENSOR ? out->tensor : out, dst);
  bool reshapes = id == RLX_OPID_memory_view && call->args[2].kind != RLX_VALUE_EXPR &&
                  call->args[2].kind != RLX_VALUE_STR &&
                  (call->args[3].kind == RLX_VALUE_ABSENT || call->args[3].kind == RLX_VALUE_NONE);
  if ((is_view(id) || reshapes) && is_allocatable(c, out)) {
    Output *o = rlx_arena_one(c->arena, Output);
    rlx_output_set(o, c->plan, out);
    if (!emit_operands(c, STEP_VIEW, call, dst)) return false;
    rlx_vec_last(&c->plan->steps).output = o;
    return true;
  }
  if (is_builtin(id) && (id != RLX_OPID_add || out->kind == RLX_SINFO_EXTENSION)) {
    int callee = rlx_op_param(call->row, "func");
    Entry *entry = NULL;
    const char *text = NULL;
    if (callee >= 0 && callee < (int)call->arg_count) {
      const RlxValue *v = &call->args[callee];
      if (v->kind == RLX_VALUE_STR)
        text = rlx_store_text(c->program->store, v->string);
      else if ((v->kind == RLX_VALUE_CALLEE || v->kind == RLX_VALUE_EXPR) &&
               (v->expr->kind == RLX_EXPR_EXTERN || v->expr->kind == RLX_EXPR_STRING))
        text = rlx_store_text(c->program->store, v->expr->name);
      else if ((v->kind == RLX_VALUE_CALLEE || v->kind == RLX_VALUE_EXPR) &&
               v->expr->kind == RLX_EXPR_GLOBAL) {
        entry = rlx_program_callee(c->program, v->expr);
        if (entry && entry->kind == RLX_ISLAND_RELAX && !entry->plan && !entry->is_building &&
            !(entry->plan = rlx_plan_build(c->program, entry, c->err)))
          return false;
      }
    }
    if (!emit_operands(c, STEP_BUILTIN, call, dst)) return false;
    Step *s = &rlx_vec_last(&c->plan->steps);
    s->callee = entry;
    s->text = text;
    if (id == RLX_OPID_call_dps_packed || id == RLX_OPID_builtin_alloc_tensor) {
      if (!is_allocatable(c, out))
        return rlx_compile_fail(c,
                                "R.%s: the shape of the result is not known where it is called%s",
                                call->row->script, "");
    }
    return out->kind == RLX_SINFO_OBJECT || (s->check = rlx_compile_check(c, out)) != NULL;
  }
  return emit_kernel_or_late(c, call, out, dst);
}

bool rlx_compile_function_call(Compiler *c, const RlxCall *call, const RlxSInfo *out, int dst) {
  Entry *entry = NULL;
  int callee = INT32_MIN;
  if (call->callee->kind == RLX_EXPR_GLOBAL) {
    entry = rlx_program_callee(c->program, call->callee);
    if (!entry)
      return rlx_compile_fail(c, "`%s` is not a function of this file%s",
                              rlx_store_text(c->program->store, call->callee->name), "");
    if (entry->kind == RLX_ISLAND_RELAX && !entry->plan && !entry->is_building &&
        !(entry->plan = rlx_plan_build(c->program, entry, c->err)))
      return false;
  } else if ((callee = rlx_compile_operand(c, call->callee)) == INT32_MIN)
    return false;
  int shift = entry ? 0 : 1;
  int *args = rlx_arena_array(c->arena, int, call->arg_count + 2);
  if (!entry) args[0] = callee;
  for (uint32_t i = 0; i < call->arg_count; i++) {
    if (call->args[i].kind != RLX_VALUE_EXPR && call->args[i].kind != RLX_VALUE_CALLEE)
      return rlx_compile_fail(c, "an argument of a call is no value%s%s", "", "");
    if ((args[i + (uint32_t)shift] = rlx_compile_operand(c, call->args[i].expr)) == INT32_MIN)
      return false;
  }
  Step *s = rlx_compile_step(c, entry ? STEP_CALL : STEP_INVOKE, dst);
  s->call = call;
  s->callee = entry;
  s->args = args;
  s->arg_count = (int)call->arg_count + shift;
  // What a function value gives is only what its signature says after a look.
  return entry || out->kind == RLX_SINFO_OBJECT || (s->check = rlx_compile_check(c, out)) != NULL;
}
