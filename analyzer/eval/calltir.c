/// R.call_tir and its relatives against the PrimFunc they call: number of parameters, dtype, rank
/// and dimensions of every buffer, symbolic dimensions solved from the inputs.
#include "analyzer/eval/eval.h"
#include <stdlib.h>
#include <string.h>

static const char *row_name(RlxEval *e, const RlxOpRow *row) {
  return rlx_arena_printf(e->arena, "R.%.*s", (int)strcspn(row->script, " "), row->script);
}

static bool is_family(const RlxOpRow *row) {
  return row && (strcmp(row->registry, "relax.call_tir") == 0 ||
                 strcmp(row->registry, "relax.call_tir_inplace") == 0 ||
                 strcmp(row->registry, "relax.call_tir_with_grad") == 0);
}

/// Place of tensor `arg` of the call: in `args`, or the output's StructInfo.
static RlxSpan span_of_buffer(const RlxExpr *call, int arg) {
  int sinfo_arg = rlx_op_param(call->call.row, "out_sinfo"),
      list = rlx_op_param(call->call.row, "args");
  const RlxValue *v = &call->call.args[list];
  uint32_t inputs =
      v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_TUPLE ? v->expr->field_count : 1;
  if ((uint32_t)arg >= inputs)
    return sinfo_arg >= 0 ? call->call.args[sinfo_arg].span : call->call.name_span;
  return v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_TUPLE ? v->expr->fields[arg]->span
                                                                      : v->span;
}

static RlxDiag *report_buffer(RlxEval *e, RlxDiagId id, const RlxExpr *call, const RlxStmt *fn,
                              int arg, uint32_t inputs, const RlxSInfo *given,
                              const RlxSInfo *expected, const char *why) {
  RlxBuf a = {0}, b = {0};
  rlx_sinfo_print(e->store, given, &a);
  rlx_sinfo_print(e->store, expected, &b);
  bool is_output = (uint32_t)arg >= inputs;
  int sinfo_arg = rlx_op_param(call->call.row, "out_sinfo"),
      list = rlx_op_param(call->call.row, "args");
  RlxSpan span = call->call.name_span;
  if (is_output && sinfo_arg >= 0) span = call->call.args[sinfo_arg].span;
  if (!is_output && list >= 0) {
    const RlxValue *v = &call->call.args[list];
    span = v->span;
    if (v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_TUPLE &&
        (uint32_t)arg < v->expr->field_count)
      span = v->expr->fields[arg]->span;
  }
  RlxDiag *diag = rlx_eval_report(
      e, id, span, "sissss", is_output ? "output" : "input", is_output ? arg - (int)inputs : arg,
      rlx_store_text(e->store, fn->name), rlx_buf_text(&a), rlx_buf_text(&b), why);
  diag->parameter = (uint16_t)(arg + 1);
  if ((uint32_t)arg < fn->param_count)
    rlx_diag_related(e->sink, diag, fn, fn->params[arg].name_span,
                     "this parameter of the PrimFunc");
  rlx_buf_free(&a);
  rlx_buf_free(&b);
  return diag;
}

/// Outputs that `out_sinfo` lists, appended to `out`.
static uint32_t outputs(RlxEval *e, const RlxValue *v, const RlxSInfo **out, uint32_t capacity) {
  if (v->kind == RLX_VALUE_LIST) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < v->count && n < capacity; i++) {
      const RlxSInfo *s = rlx_value_sinfo(e, &v->items[i]);
      if (s) out[n++] = s->kind == RLX_SINFO_DTENSOR ? s->tensor : s;
    }
    return n;
  }
  const RlxSInfo *s = rlx_value_sinfo(e, v);
  if (!s || !capacity) return 0;
  if (s->kind == RLX_SINFO_TUPLE) {
    uint32_t n = 0;
    for (int32_t i = 0; i < s->count && n < capacity; i++) out[n++] = s->fields[i];
    return n;
  }
  out[0] = s->kind == RLX_SINFO_DTENSOR ? s->tensor : s;
  return 1;
}

/// The first output that is not provably what the PrimFunc makes of its inputs, or -1; what it
/// makes in `*out_made`. What the buffers say of an output is all that is known of it; dimensions
/// that no input binds may be anything. Source: TVM v0.25 ValidateCallTIR.
static int wrong_output(RlxEval *e, const RlxSInfo *func, const RlxSInfo *const *sinfos,
                        uint32_t inputs, uint32_t outputs_count, uint32_t total,
                        const RlxSInfo **out_made, RlxBuf *why) {
  enum { MOST = 256 };
  const RlxSInfo *params[MOST], *args[MOST];
  uint32_t count = 0;
  if (total > MOST) return -1;
  for (uint32_t i = 0; i < total; i++) {
    if (i >= inputs && i < inputs + outputs_count) continue;
    params[count] = func->params[i];
    args[count++] = sinfos[i];
  }
  for (uint32_t k = inputs; k < inputs + outputs_count; k++) {
    RlxCallProblem problem = {.bad_arg = -1};
    const RlxSInfo *front =
        rlx_sinfo_func(e->store, params, (int)count, func->params[k], (RlxPurity)func->purity, 0);
    const RlxSInfo *made =
        rlx_sinfo_derive_call(e->store, e->facts, front, args, (int)count, &problem, NULL);
    rlx_buf_clear(why);
    if (made->dims &&
        rlx_sinfo_base_check(e->store, e->facts, made, sinfos[k], why, NULL) != RLX_CHECK_PASS) {
      *out_made = made;
      return (int)k;
    }
  }
  return -1;
}

/// From 0.26 on the scalars of a PrimFunc that stand behind its outputs are given behind its
/// inputs. Puts them there; how many there are.
static uint32_t scalars_last(const RlxSInfo *func, const RlxSInfo **sinfos, uint32_t inputs,
                             uint32_t outputs) {
  uint32_t total = inputs + outputs, scalars = 0;
  while (scalars < inputs && func->count == (int32_t)total &&
         sinfos[inputs - 1 - scalars]->kind == RLX_SINFO_PRIM &&
         func->params[total - 1 - scalars]->kind == RLX_SINFO_PRIM)
    scalars++;
  for (uint32_t k = 0; k < scalars; k++) { // rotate
    const RlxSInfo *moved = sinfos[inputs - scalars];
    memmove(sinfos + inputs - scalars, sinfos + inputs - scalars + 1,
            (total - 1 - (inputs - scalars)) * sizeof *sinfos);
    sinfos[total - 1] = moved;
  }
  return scalars;
}

void rlx_check_call_tir(RlxEval *e, RlxExpr *call) {
  const RlxOpRow *row = call->call.row;
  if (e->tainted || !is_family(row)) return;
  const RlxValue *callee = &call->call.args[0];
  int list = rlx_op_param(row, "args"), out = rlx_op_param(row, "out_sinfo"),
      vars = rlx_op_param(row, "tir_vars");
  if (list < 0 || out < 0) return;
  RlxFn *fn = NULL;
  if ((callee->kind == RLX_VALUE_CALLEE || callee->kind == RLX_VALUE_EXPR) &&
      callee->expr->kind == RLX_EXPR_GLOBAL && callee->expr->callee) {
    const RlxAnalysis *unit = callee->expr->callee->analysis;
    fn = unit ? unit->fn : NULL;
  }
  if (!fn || fn->kind != RLX_ISLAND_PRIM_FUNC) {
    bool is_extern = callee->kind == RLX_VALUE_CALLEE && callee->expr->kind == RLX_EXPR_EXTERN;
    const char *found = is_extern ? rlx_arena_printf(e->arena, "the packed function \"%s\"",
                                                     rlx_store_text(e->store, callee->expr->name))
                                  : rlx_value_text(e, callee);
    RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(CALL_TIR_CALLEE), callee->span, "ss",
                                    row_name(e, row), found);
    if (is_extern && strcmp(row->registry, "relax.call_tir") == 0)
      rlx_diag_fix(e->sink, diag, "call a packed function", call->call.name_span,
                   "call_dps_packed");
    e->tainted = false; // the outputs are stated all the same
    return;
  }
  const RlxSInfo *func = rlx_fn_sinfo(e, fn);
  const RlxValue *args = &call->call.args[list];
  if (func->kind != RLX_SINFO_FUNC || !func->params || args->kind != RLX_VALUE_EXPR ||
      fn->ret_unknown)
    return;
  enum { MOST = 256 };
  const RlxSInfo *sinfos[MOST];
  uint32_t inputs = 0, total;
  const RlxSInfo *tuple = args->expr->sinfo;
  if (tuple->kind == RLX_SINFO_DTENSOR) return; // the PrimFunc sees a shard
  if (tuple->kind == RLX_SINFO_TUPLE) {
    if (tuple->count >= MOST) return;
    for (int32_t i = 0; i < tuple->count; i++)
      sinfos[inputs++] =
          tuple->fields[i]->kind == RLX_SINFO_DTENSOR ? tuple->fields[i]->tensor : tuple->fields[i];
  } else
    sinfos[inputs++] = tuple;
  uint32_t output_count = 0;
  bool inplace = strcmp(row->registry, "relax.call_tir_inplace") == 0;
  if (!inplace)
    output_count = outputs(e, &call->call.args[out], sinfos + inputs, MOST - inputs);
  else {
    const RlxSInfo *found[MOST];
    uint32_t count = outputs(e, &call->call.args[out], found, MOST);
    int indices = rlx_op_param(row, "inplace_indices");
    const RlxValue *index = indices >= 0 ? &call->call.args[indices] : NULL;
    for (uint32_t i = 0; i < count && inputs + output_count < MOST; i++) {
      bool is_new = true;
      if (index && index->kind == RLX_VALUE_LIST && i < index->count &&
          index->items[i].kind == RLX_VALUE_INT)
        is_new = index->items[i].integer < 0;
      if (index && index->kind == RLX_VALUE_INT && i == 0) is_new = index->integer < 0;
      if (is_new) sinfos[inputs + output_count++] = found[i];
    }
  }
  total = inputs + output_count;
  uint32_t scalars = rlx_eval_is_027(e) ? scalars_last(func, sinfos, inputs, output_count) : 0;
  if (vars >= 0 && call->call.args[vars].kind == RLX_VALUE_EXPR &&
      call->call.args[vars].expr->kind == RLX_EXPR_SHAPE) {
    const RlxExpr *shape = call->call.args[vars].expr;
    for (int32_t i = 0; i < shape->dim_count && total < MOST; i++)
      sinfos[total++] = rlx_sinfo_prim(e->store, shape->dims[i]->dtype, shape->dims[i]);
  } else if (vars >= 0 && call->call.args[vars].kind == RLX_VALUE_EXPR &&
             call->call.args[vars].expr->kind == RLX_EXPR_TUPLE) { // written as a list
    const RlxExpr *shape = call->call.args[vars].expr;
    for (uint32_t i = 0; i < shape->field_count && total < MOST; i++)
      sinfos[total++] = shape->fields[i]->sinfo;
  } else if (vars >= 0 && call->call.args[vars].kind == RLX_VALUE_EXPR)
    return;
  if (tuple->kind == RLX_SINFO_TUPLE)
    for (int32_t i = 0; i < tuple->count; i++)
      if (tuple->fields[i]->kind == RLX_SINFO_DTENSOR) return; // the PrimFunc sees a shard
  RlxCallProblem problem = {.bad_arg = -1};
  RlxBuf why = {0}, why_output = {0};
  rlx_sinfo_derive_call(e->store, e->facts, func, sinfos, (int)total, &problem, &why);
  const RlxSInfo *made = NULL;
  int output = problem.bad_count || problem.bad_arg >= 0
                   ? -1
                   : wrong_output(e, func, sinfos, inputs - scalars, output_count, total, &made,
                                  &why_output);
  if (problem.bad_count) {
    RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(CALL_TIR_ARGS), args->span, "siiii",
                                    rlx_store_text(e->store, fn->stmt->name), (int)func->count,
                                    (int)total, (int)inputs, (int)output_count);
    if ((int)total > (int)func->count) diag->parameter = RLX_PARAMETER_BEYOND;
    rlx_diag_related(e->sink, diag, fn->stmt, fn->stmt->name_span, "the PrimFunc");
  } else if (problem.bad_arg >= 0) {
    RlxDiag *diag =
        report_buffer(e, RLX_DIAG_ID(CALL_TIR_BUFFER), call, fn->stmt, problem.bad_arg, inputs,
                      sinfos[problem.bad_arg], func->params[problem.bad_arg], rlx_buf_text(&why));
    rlx_blame_bindings(e, diag, func, sinfos, (int)total, problem.bad_arg, span_of_buffer, call);
  } else if (output >= 0) {
    RlxDiag *diag = report_buffer(e, RLX_DIAG_ID(CALL_TIR_BUFFER), call, fn->stmt, output, inputs,
                                  sinfos[output], made, rlx_buf_text(&why_output));
    rlx_blame_bindings(e, diag, func, sinfos, (int)total, output, span_of_buffer, call);
  } else if (problem.check == RLX_CHECK_VALUE_MISMATCH && problem.open_arg >= 0 &&
             problem.open_arg < (int)(inputs + output_count)) {
    bool tainted = e->tainted;
    RlxDiag *diag =
        report_buffer(e, RLX_DIAG_ID(CALL_TIR_UNPROVEN), call, fn->stmt, problem.open_arg, inputs,
                      sinfos[problem.open_arg], func->params[problem.open_arg], rlx_buf_text(&why));
    e->tainted = tainted;
    if (e->fn && e->fn->is_fully_annotated) diag->severity = RLX_HINT;
    rlx_blame_bindings(e, diag, func, sinfos, (int)total, problem.open_arg, span_of_buffer, call);
  }
  rlx_buf_free(&why);
  rlx_buf_free(&why_output);
}
