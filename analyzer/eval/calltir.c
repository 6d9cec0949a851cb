/// R.call_tir and its relatives against the PrimFunc they call: number of parameters, dtype, rank
/// and dimensions of every buffer, symbolic dimensions solved from the inputs.
#include "analyzer/eval/eval.h"
#include <stdlib.h>
#include <string.h>

static bool is_family(const RlxOpRow *row) {
  return row && (strcmp(row->registry, "relax.call_tir") == 0 ||
                 strcmp(row->registry, "relax.call_tir_inplace") == 0 ||
                 strcmp(row->registry, "relax.call_tir_with_grad") == 0);
}

/// Place of tensor `arg` of the call: in `args`, or the output's StructInfo.
static RlxSpan span_of_buffer(const RlxExpr *call, int arg) {
  int sinfo_arg = rlx_op_param(call->call->row, "out_sinfo"),
      list = rlx_op_param(call->call->row, "args");
  const RlxValue *v = &call->call->args[list];
  const RlxSInfo *given = v->kind == RLX_VALUE_EXPR ? v->expr->sinfo : NULL;
  int inputs = given && given->kind == RLX_SINFO_TUPLE ? (int)given->count : 1;
  if (arg >= inputs)
    return sinfo_arg >= 0 ? call->call->args[sinfo_arg].span : call->call->name_span;
  return v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_TUPLE ? v->expr->fields[arg]->span
                                                                      : v->span;
}

enum { MOST_SYMBOLS = 64 };

/// A buffer of the call that the PrimFunc does not take, or may not take.
typedef struct Misfit {
  const RlxExpr *call;
  const RlxStmt *fn; ///< the PrimFunc
  int arg;           ///< place of the buffer among its parameters
  uint32_t inputs;   ///< how many of those are inputs of the call
  const RlxSInfo *given, *expected;
  const char *why;
} Misfit;

static RlxDiag *report_buffer(RlxEval *e, RlxDiagId id, const Misfit *m) {
  RlxBuf a = {0}, b = {0};
  rlx_sinfo_tell(e->store, m->given, &a);
  rlx_sinfo_tell(e->store, m->expected, &b);
  bool is_output = (uint32_t)m->arg >= m->inputs;
  RlxDiag *diag = rlx_eval_report(
      e, id, span_of_buffer(m->call, m->arg), "sissss", is_output ? "output" : "input",
      is_output ? m->arg - (int)m->inputs : m->arg, rlx_store_text(e->store, m->fn->name),
      rlx_buf_text(&a), rlx_buf_text(&b), m->why);
  diag->parameter = (uint16_t)(m->arg + 1);
  if ((uint32_t)m->arg < m->fn->param_count)
    rlx_diag_related(e->sink, diag, m->fn, m->fn->params[m->arg].name_span,
                     "this parameter of the PrimFunc");
  rlx_buf_free(&a);
  rlx_buf_free(&b);
  return diag;
}

/// `sinfo` as it is written in the body of the function. NULL: it has no shape that could be written, or one of symbolic variables that have no
/// names there.
static const char *written_output(RlxEval *e, const RlxSInfo *sinfo) {
  const RlxSymVar *vars[MOST_SYMBOLS];
  int count = 0;
  if (sinfo->kind != RLX_SINFO_TENSOR || !sinfo->dims || !e->env) return NULL;
  rlx_sinfo_vars(sinfo, vars, &count, MOST_SYMBOLS);
  for (int i = 0; i < count; i++) {
    const RlxDef *def = rlx_env_get(e->env, vars[i]->name);
    rlx_note_read(e, vars[i]->name, false);
    if (!def || def->value.kind != RLX_VALUE_PRIM || rlx_prim_as_var(def->value.prim) != vars[i])
      return NULL;
  }
  RlxSInfoStyle style = rlx_dialect_sinfo_style((RlxDialect)e->fn->dialect);
  style.is_argument = true;
  RlxBuf text = {0};
  rlx_sinfo_print_styled(e->store, sinfo, &style, &text);
  const char *kept = rlx_arena_strdup(e->sink->arena, rlx_buf_text(&text));
  rlx_buf_free(&text);
  return kept;
}

/// The fix of an output: what the PrimFunc gives, where the call states one output alone.
static void fix_output(RlxEval *e, RlxDiag *diag, const Misfit *m) {
  const int at = rlx_op_param(m->call->call->row, "out_sinfo");
  const RlxValue *stated = at >= 0 ? &m->call->call->args[at] : NULL;
  const char *text = stated && stated->kind != RLX_VALUE_LIST && m->given->kind == RLX_SINFO_TENSOR
                         ? written_output(e, m->expected)
                         : NULL;
  if (text) rlx_diag_fix(e->sink, diag, "state what the PrimFunc gives", stated->span, text);
}

/// What can be neither proved nor refuted: a warning, or a hint in a script that was printed. What
/// uses the result is analysed.
static RlxDiag *report_unproven(RlxEval *e, const Misfit *m) {
  RlxTaint tainted = e->tainted;
  RlxDiag *diag = report_buffer(e, RLX_DIAG_ID(CALL_TIR_UNPROVEN), m);
  e->tainted = tainted;
  if (e->fn && e->fn->is_printed) diag->severity = RLX_HINT;
  return diag;
}

enum {
  MOST = 256
}; ///< parameters of a PrimFunc that are looked at; a call that hands over more is not judged

/// What the call gives the PrimFunc, in the order of its parameters: inputs, outputs, symbolic
/// integers; from 0.26 on the last `scalars` of the inputs stand behind the outputs.
typedef struct Buffers {
  const RlxSInfo *at[MOST + 1];
  uint32_t inputs, outputs, scalars, total;
} Buffers;

/// Whether a dimension of the PrimFunc is no int64. TVM can't solve for such variables and checks
/// nothing; with int64 it refuses an output that it can't prove.
static bool has_narrow_lengths(const RlxSInfo *func) {
  const RlxSymVar *vars[MOST];
  int count = 0;
  rlx_sinfo_vars(func, vars, &count, MOST);
  for (int i = 0; i < count; i++)
    if (!vars[i]->is_relax && vars[i]->dtype.bits != 64) return true;
  return false;
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
static int wrong_output(RlxEval *e, const RlxSInfo *func, const Buffers *b,
                        const RlxSInfo **out_made, RlxBaseCheck *out_check, RlxBuf *why) {
  const RlxSInfo *const *sinfos = b->at;
  const uint32_t first = b->inputs - b->scalars, end = first + b->outputs;
  const RlxSInfo *params[MOST], *args[MOST];
  uint32_t count = 0;
  for (uint32_t i = 0; i < b->total; i++) {
    if (i >= first && i < end) continue;
    params[count] = func->params[i];
    args[count++] = sinfos[i];
  }
  for (uint32_t k = first; k < end; k++) {
    RlxCallProblem problem = {.bad_arg = -1};
    const RlxSInfo *front =
        rlx_sinfo_func(e->store, params, (int)count, func->params[k], (RlxPurity)func->purity, 0);
    const RlxSInfo *made =
        rlx_sinfo_derive_call(e->store, e->facts, front, args, (int)count, &problem, NULL);
    rlx_buf_clear(why);
    *out_check = rlx_sinfo_base_check(e->store, e->facts, made, sinfos[k], why, NULL);
    if (*out_check != RLX_CHECK_PASS) {
      *out_made = made;
      return (int)k;
    }
  }
  return -1;
}

/// From 0.26 on the scalars of a PrimFunc that stand behind its outputs are given behind its
/// inputs. Puts them there; how many there are.
static uint32_t scalars_last(const RlxSInfo *func, Buffers *b) {
  uint32_t total = b->inputs + b->outputs, scalars = 0;
  while (scalars < b->inputs && func->count == (int32_t)total &&
         b->at[b->inputs - 1 - scalars]->kind == RLX_SINFO_PRIM &&
         func->params[total - 1 - scalars]->kind == RLX_SINFO_PRIM)
    scalars++;
  for (uint32_t k = 0; k < scalars; k++) { // rotate
    const RlxSInfo **from = b->at + b->inputs - scalars, *moved = *from;
    memmove(from, from + 1, (total - 1 - (b->inputs - scalars)) * sizeof *from);
    b->at[total - 1] = moved;
  }
  return scalars;
}

/// The PrimFunc that the call names; NULL (reported) when it names none.
static RlxFn *primfunc_of(RlxEval *e, const RlxExpr *call) {
  const RlxOpRow *row = call->call->row;
  const RlxValue *callee = &call->call->args[0];
  if ((callee->kind == RLX_VALUE_CALLEE || callee->kind == RLX_VALUE_EXPR) &&
      callee->expr->kind == RLX_EXPR_GLOBAL && callee->expr->callee) {
    const RlxAnalysis *unit = callee->expr->callee->analysis;
    if (unit && unit->fn && unit->fn->kind == RLX_ISLAND_PRIM_FUNC) return unit->fn;
  }
  bool is_extern = callee->kind == RLX_VALUE_CALLEE && callee->expr->kind == RLX_EXPR_EXTERN;
  const char *found = is_extern ? rlx_arena_printf(e->arena, "the packed function \"%s\"",
                                                   rlx_store_text(e->store, callee->expr->name))
                                : rlx_value_text(e, callee);
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(CALL_TIR_CALLEE), callee->span, "ss",
                                  rlx_op_spelling(e->arena, row), found);
  const RlxModule *module = e->fn ? e->fn->module : NULL;
  if (is_extern && module) rlx_note_read(e, callee->expr->name, true);
  if (is_extern && module && rlx_module_fn(module, callee->expr->name))
    rlx_diag_fix(e->sink, diag, "call the function of the module", callee->span,
                 rlx_arena_printf(e->sink->arena, "%s.%s", rlx_store_text(e->store, module->name),
                                  rlx_store_text(e->store, callee->expr->name)));
  else if (is_extern && strcmp(row->registry, "relax.call_tir") == 0)
    rlx_diag_fix(e->sink, diag, "call a packed function", call->call->name_span, "call_dps_packed");
  e->tainted &= RLX_OPEN; // the outputs are stated all the same
  return NULL;
}

/// The tensors that the call hands over, the tuple `args`. False: they can't be known here.
static bool take_inputs(const RlxSInfo *args, Buffers *b) {
  if (args->kind == RLX_SINFO_DTENSOR) return false; // the PrimFunc sees a shard
  if (args->kind != RLX_SINFO_TUPLE) {
    b->at[b->inputs++] = args;
    return true;
  }
  if (args->count >= MOST) return false;
  for (int32_t i = 0; i < args->count; i++) {
    if (args->fields[i]->kind == RLX_SINFO_DTENSOR) return false; // the PrimFunc sees a shard
    b->at[b->inputs++] = args->fields[i];
  }
  return true;
}

/// The tensors that the call makes; of R.call_tir_inplace those that are none of its inputs. False: there are too many.
static bool take_outputs(RlxEval *e, const RlxExpr *call, Buffers *b) {
  const RlxOpRow *row = call->call->row;
  const RlxValue *stated = &call->call->args[rlx_op_param(row, "out_sinfo")];
  if (strcmp(row->registry, "relax.call_tir_inplace") != 0) {
    b->outputs = outputs(e, stated, b->at + b->inputs, MOST + 1 - b->inputs);
    return b->inputs + b->outputs <= MOST;
  }
  const RlxSInfo *found[MOST + 1];
  const uint32_t count = outputs(e, stated, found, MOST + 1);
  if (count > MOST) return false;
  int indices = rlx_op_param(row, "inplace_indices");
  const RlxValue *index = indices >= 0 ? &call->call->args[indices] : NULL;
  for (uint32_t i = 0; i < count && b->inputs + b->outputs <= MOST; i++) {
    bool is_new = true;
    int64_t place;
    const RlxValue *own = !index                          ? NULL
                          : index->kind != RLX_VALUE_LIST ? i == 0 ? index : NULL
                          : i < index->count              ? &index->items[i]
                                                          : NULL;
    if (own && rlx_value_as_integer(own, &place)) is_new = place < 0;
    if (is_new) b->at[b->inputs + b->outputs++] = found[i];
  }
  return b->inputs + b->outputs <= MOST;
}

/// The symbolic integers that the call hands over, `tir_vars`: a shape, or a list as it is written.
/// False: they can't be known here.
static bool take_integers(RlxEval *e, const RlxExpr *call, Buffers *b) {
  int vars = rlx_op_param(call->call->row, "tir_vars");
  if (vars < 0 || call->call->args[vars].kind != RLX_VALUE_EXPR) return true;
  const RlxExpr *list = call->call->args[vars].expr;
  const bool is_shape = list->kind == RLX_EXPR_SHAPE;
  const uint32_t count = is_shape ? (uint32_t)list->dim_count : list->field_count;
  if ((!is_shape && list->kind != RLX_EXPR_TUPLE) || count > MOST - b->total) return false;
  for (uint32_t i = 0; i < count; i++)
    b->at[b->total++] = is_shape ? rlx_sinfo_prim(e->store, list->dims[i]->dtype, list->dims[i])
                                 : list->fields[i]->sinfo;
  return true;
}

static void fill(Misfit *m, int arg, const RlxSInfo *given, const RlxSInfo *expected,
                 const char *why) {
  m->arg = arg;
  m->given = given;
  m->expected = expected;
  m->why = why;
}

/// The expression that is input `i` of the call; NULL: it is not written there.
static const RlxExpr *input_of(const RlxExpr *call, int i) {
  const RlxValue *list = &call->call->args[rlx_op_param(call->call->row, "args")];
  const RlxExpr *x = list->kind == RLX_VALUE_EXPR ? list->expr : NULL;
  if (x && x->kind == RLX_EXPR_TUPLE) return (uint32_t)i < x->field_count ? x->fields[i] : NULL;
  return i ? NULL : x;
}

/// Reports the first of what the call hands over that the PrimFunc does not take, or may not take.
static void check_buffers(RlxEval *e, const RlxExpr *call, const RlxFn *fn, const RlxSInfo *func,
                          const Buffers *b) {
  RlxCallProblem problem = {.bad_arg = -1};
  RlxBuf why = {0}, why_output = {0};
  rlx_sinfo_derive_call(e->store, e->facts, func, b->at, (int)b->total, &problem, &why);
  const RlxSInfo *made = NULL;
  int bad = problem.bad_arg;
  const int first_output = (int)(b->inputs - b->scalars);
  const bool is_output = bad >= first_output && bad < first_output + (int)b->outputs;
  RlxBaseCheck made_check = RLX_CHECK_PASS;
  int output = problem.bad_count || (bad >= 0 && !is_output)
                   ? -1
                   : wrong_output(e, func, b, &made, &made_check, &why_output);
  const RlxTaint tainted = e->tainted;
  RlxDiag *diag = NULL;
  Misfit m = {.call = call, .fn = fn->stmt, .inputs = b->inputs};
  // tlc-pack's parser compared nothing: what is refuted stops when it runs, and what is undecided may be right.
  const bool is_told = (!tainted && !fn->ret_is_open && !rlx_eval_is_tlc(e)) ||
                       problem.bad_count || // of what Python alone knows in part
                       (bad >= 0 ? problem.check : made_check) == RLX_CHECK_DISJOINT;
  if (!is_told) {
    bad = -1;
  } else if (problem.bad_count) {
    diag = rlx_eval_report(e, RLX_DIAG_ID(CALL_TIR_ARGS),
                           call->call->args[rlx_op_param(call->call->row, "args")].span, "siiii",
                           rlx_store_text(e->store, fn->stmt->name), (int)func->count,
                           (int)b->total, (int)b->inputs, (int)b->outputs);
    if ((int)b->total > (int)func->count) diag->parameter = RLX_PARAMETER_BEYOND;
    rlx_diag_related(e->sink, diag, fn->stmt, fn->stmt->name_span, "the PrimFunc");
    bad = -1;
  } else if (bad >= 0) {
    fill(&m, bad, b->at[bad], func->params[bad], rlx_buf_text(&why));
    diag = report_buffer(e, RLX_DIAG_ID(CALL_TIR_BUFFER), &m);
    if (is_output)
      fix_output(e, diag, &m);
    else
      rlx_wish_argument(e, diag, input_of(call, bad), func->params[bad]);
    if (is_output && output < 0) { // TVM forgets a shape that no input binds as a whole
      diag->severity = RLX_WARNING;
      e->tainted = tainted;
    }
  } else if (output >= 0 && made_check == RLX_CHECK_VALUE_MISMATCH && has_narrow_lengths(func)) {
    bad = output;
    fill(&m, bad, b->at[bad], made, rlx_buf_text(&why_output));
    diag = report_unproven(e, &m);
  } else if (output >= 0) {
    bad = output;
    fill(&m, bad, b->at[bad], made, rlx_buf_text(&why_output));
    diag = report_buffer(e, RLX_DIAG_ID(CALL_TIR_BUFFER), &m);
    fix_output(e, diag, &m);
  } else if (problem.check == RLX_CHECK_VALUE_MISMATCH && problem.open_arg >= 0 &&
             problem.open_arg < (int)(b->inputs + b->outputs)) {
    bad = problem.open_arg;
    fill(&m, bad, b->at[bad], func->params[bad], rlx_buf_text(&why));
    diag = report_unproven(e, &m);
  }
  if (bad >= 0) rlx_blame_bindings(e, diag, func, b->at, (int)b->total, bad, span_of_buffer, call);
  rlx_buf_free(&why);
  rlx_buf_free(&why_output);
}

/// Whether Python alone knows the value, or an item of it.
static bool is_unknown(const RlxValue *v) {
  for (uint32_t i = 0; v->kind == RLX_VALUE_LIST && i < v->count; i++)
    if (is_unknown(&v->items[i])) return true;
  return v->kind == RLX_VALUE_UNKNOWN;
}

void rlx_check_call_tir(RlxEval *e, RlxExpr *call) {
  const RlxOpRow *row = call->call->row;
  if ((e->tainted & RLX_FAILED) || !is_family(row)) return;
  int list = rlx_op_param(row, "args");
  if (list < 0 || rlx_op_param(row, "out_sinfo") < 0) return;
  RlxFn *fn = primfunc_of(e, call);
  for (uint32_t i = 0; i < call->call->arg_count; i++)
    if (is_unknown(&call->call->args[i])) return;
  if (!fn) return;
  const RlxSInfo *func = rlx_fn_sinfo(e, fn);
  const RlxValue *args = &call->call->args[list];
  Buffers b;
  b.inputs = b.outputs = b.scalars = 0;
  if (func->kind != RLX_SINFO_FUNC || !func->params || args->kind != RLX_VALUE_EXPR ||
      fn->ret_unknown || !take_inputs(args->expr->sinfo, &b) || !take_outputs(e, call, &b))
    return;
  b.total = b.inputs + b.outputs;
  if (rlx_eval_is_027(e)) b.scalars = scalars_last(func, &b);
  if (take_integers(e, call, &b)) check_buffers(e, call, fn, func, &b);
}

void rlx_call_tir_offer_output(RlxEval *e, const RlxOpRow *row, const RlxValue *values,
                               RlxDiag *diag, uint32_t at) {
  const RlxValue *callee = &values[0], *list = &values[rlx_op_param(row, "args")];
  const RlxExpr *global =
      callee->kind == RLX_VALUE_CALLEE || callee->kind == RLX_VALUE_EXPR ? callee->expr : NULL;
  const RlxAnalysis *unit =
      global && global->kind == RLX_EXPR_GLOBAL && global->callee ? global->callee->analysis : NULL;
  const RlxSInfo *func =
      unit && unit->fn && unit->fn->kind == RLX_ISLAND_PRIM_FUNC ? unit->fn->function.sinfo : NULL;
  RlxValue inputs = *list;
  const RlxExpr *x = list->kind == RLX_VALUE_ABSENT ? NULL : rlx_expr_of(e, &inputs);
  Buffers b = {0};
  if (!is_family(row) || !func || func->kind != RLX_SINFO_FUNC || !func->params || !x ||
      !x->sinfo || !take_inputs(x->sinfo, &b) || (int32_t)b.inputs + 1 != func->count)
    return;
  const RlxSInfo *front = rlx_sinfo_func(e->store, func->params, (int)b.inputs,
                                         func->params[b.inputs], (RlxPurity)func->purity, 0);
  const char *text = written_output(
      e, rlx_sinfo_derive_call(e->store, e->facts, front, b.at, (int)b.inputs, NULL, NULL));
  const char *word = rlx_op_param_word("out_sinfo", e->fn->dialect == RLX_DIALECT_027);
  if (text)
    rlx_diag_fix(e->sink, diag, "state what the PrimFunc gives", rlx_span(at, at),
                 rlx_arena_printf(e->sink->arena, ", %s=%s", word, text));
}
