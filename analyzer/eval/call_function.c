/// Calls of functions: of the file, local ones, parameters, and what is known of a packed function.
/// Always true: a problem of the call itself is told before what its arguments are.

#include <string.h>

#include "analyzer/eval/calls_impl.h"
#include "analyzer/eval/refuse.h"

static const char *callee_text(RlxEval *e, const RlxExpr *callee) {
  if (callee->kind == RLX_EXPR_GLOBAL || callee->kind == RLX_EXPR_EXTERN)
    return rlx_store_text(e->store, callee->name);
  if (callee->kind == RLX_EXPR_VAR) return rlx_store_text(e->store, callee->var->name);
  return "the function";
}

static RlxSpan span_of_argument(const RlxExpr *call, int i) { return call->call->args[i].span; }

static void report_problem(RlxEval *e, const RlxExpr *callee, const RlxExpr *call,
                           const RlxCallProblem *problem, const RlxBuf *why) {
  const RlxSInfo *func = callee->sinfo;
  if (problem->bad_count) {
    const RlxStmt *def = callee->kind == RLX_EXPR_GLOBAL ? callee->callee : NULL;
    const RlxAnalysis *unit = def ? def->analysis : NULL;
    bool is_prim = unit && unit->fn && unit->fn->kind == RLX_ISLAND_PRIM_FUNC;
    RlxDiag *diag =
        rlx_eval_report(e, RLX_DIAG_ID(CALL_ARITY), call->call->name_span, "siis",
                        callee_text(e, callee), (int)func->count, (int)call->call->arg_count,
                        is_prim ? "; `R.call_tir` allocates a PrimFunc's outputs" : "");
    if ((int)call->call->arg_count > (int)func->count) diag->parameter = RLX_PARAMETER_BEYOND;
    if (def) rlx_diag_related(e->sink, diag, def, def->name_span, "declared here");
    return;
  }
  const RlxValue *arg = &call->call->args[problem->bad_arg];
  RlxBuf given = {0}, expected = {0};
  rlx_sinfo_tell(e->store, arg->expr->sinfo, &given);
  rlx_sinfo_tell(e->store, func->params[problem->bad_arg], &expected);
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(CALL_ARGUMENT), arg->span, "issss",
                                  problem->bad_arg, callee_text(e, callee), rlx_buf_text(&given),
                                  rlx_buf_text(&expected), rlx_buf_text(why));
  diag->parameter = (uint16_t)(problem->bad_arg + 1);
  rlx_wish_argument(e, diag, arg->expr, func->params[problem->bad_arg]);
  const RlxSInfo **args = rlx_arena_array(e->arena, const RlxSInfo *, call->call->arg_count);
  for (uint32_t i = 0; i < call->call->arg_count; i++) args[i] = call->call->args[i].expr->sinfo;
  rlx_blame_bindings(e, diag, func, args, (int)call->call->arg_count, problem->bad_arg,
                     span_of_argument, call);
  if (callee->kind == RLX_EXPR_GLOBAL && callee->callee)
    rlx_diag_related(e->sink, diag, callee->callee, callee->callee->name_span, "declared here");
  rlx_buf_free(&given);
  rlx_buf_free(&expected);
}

/// What an opaque function gives: by its derive rule, whose name TVM's runtime registers, or its
/// result's StructInfo.
static const RlxSInfo *derived(RlxEval *e, const RlxSInfo *func, const RlxExpr *call) {
  const struct {
    const char *derive;
    RlxOpId op; ///< whose arguments and rule they are
  } rules[] = {{"tvm.relax.struct_info.infer_view_sinfo", RLX_OP_ID(memory_view)}};
  const RlxSInfo *ret = func->ret ? func->ret : rlx_sinfo_object(e->store);
  if (!func->derive) return ret;
  const char *name = rlx_store_text(e->store, func->derive);
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    const RlxOpRow *row = rlx_op_row(rules[i].op);
    if (strcmp(rules[i].derive, name) != 0 || call->call->arg_count > (uint32_t)row->param_count)
      continue;
    RlxValue *values = rlx_arena_array(e->arena, RlxValue, row->param_count);
    memcpy(values, call->call->args, call->call->arg_count * sizeof *values);
    RlxValue v = rlx_call_op_values(e, row, values, call->call->arg_count, call->call->span,
                                    call->call->name_span);
    return v.kind == RLX_VALUE_EXPR ? v.expr->sinfo : ret;
  }
  return ret;
}

/// A local function that calls itself states its result, and does not stand in a dataflow block.
static void check_recursion(RlxEval *e, const RlxExpr *callee, RlxSpan span) {
  if (callee->kind != RLX_EXPR_VAR) return;
  const RlxFn *fn = e->fn;
  while (fn && fn->outer && fn->stmt != callee->var->stmt) fn = fn->outer;
  if (!fn || !fn->outer) return;
  const RlxStmt *def = fn->stmt;
  RlxDiag *diag = NULL;
  RlxTaint tainted = e->tainted;
  if (callee->var->in_dataflow) {
    diag = rlx_eval_report(
        e, RLX_DIAG_ID(DATAFLOW_CONTROL), span, "s",
        rlx_arena_printf(e->arena, "`%s`, which calls itself,", callee_text(e, callee)));
  } else if (!def->annotation) {
    diag =
        rlx_eval_report(e, RLX_DIAG_ID(RECURSION_UNANNOTATED), span, "s", callee_text(e, callee));
    uint32_t size = 0, at = def->head_size - 1;
    const char *text = rlx_document_text(e->file->document, &size);
    if (def->start + at < size && text[def->start + at] == ':')
      rlx_diag_fix_at(e->sink, diag, "return `R.Object`", def, rlx_span(at, at), " -> R.Object");
  } else if (!fn->is_declared_pure)
    diag = rlx_eval_report(e, RLX_DIAG_ID(RECURSION_IMPURE), span, "s", callee_text(e, callee));
  if (diag) rlx_diag_related(e->sink, diag, def, def->name_span, "defined here");
  e->tainted = tainted; // nothing is wrong with the value
}

/// Whether TVM makes no tuple of Python's `(x, y)` or `[x, y]` where `callee` takes it: a function of the module
/// takes tuples, other functions (of a variable, a local one) neither.
static bool is_no_tuple(const RlxEval *e, const RlxExpr *callee, const RlxValue *v) {
  return v->kind == RLX_VALUE_LIST && (callee->kind != RLX_EXPR_GLOBAL || !v->is_tuple) &&
         rlx_refuse_may_tell(e);
}

/// `R.tuple(x, y)` for `(x, y)` or `[x, y]`, whose text is given; `R.tuple(*xs)` for what is anything else.
static const char *as_tuple(RlxArena *arena, const char *text, int size) {
  const bool is_simple = size > 1 && strchr("([", text[0]) && strchr(")]", text[size - 1]) &&
                         strcspn(text + 1, "()[]\"'\n") == (size_t)size - 2;
  const char *inside =
      rlx_arena_printf(arena, "%.*s", is_simple ? size - 2 : size, is_simple ? text + 1 : text);
  const bool is_list = is_simple && !strstr(inside, " for ");
  return rlx_arena_printf(arena,
                          is_list     ? "R.tuple(%s)"
                          : is_simple ? "R.tuple(*[%s])"
                                      : "R.tuple(*%s)",
                          inside);
}

/// A function takes Relax expressions: a Python number, a string or a symbolic expression is none.
/// Reported with the way to write it; the call goes on with what is meant.
static void check_argument(RlxEval *e, const RlxExpr *callee, const RlxValue *v, RlxSpan span) {
  const bool is_string = v->kind == RLX_VALUE_STR || rlx_is_unknown_string(v);
  if (is_string && callee->kind != RLX_EXPR_GLOBAL && rlx_eval_is_027(e)) return;
  const char *maker = is_string ? "R.str"
                      : v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_FLOAT ||
                              v->kind == RLX_VALUE_BOOL || v->kind == RLX_VALUE_PRIM
                          ? "R.prim_value"
                      : is_no_tuple(e, callee, v) ? "R.tuple"
                                                  : NULL;
  if (!maker || e->tainted) return;
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(VALUE_INVALID), span, "s", rlx_value_text(e, v));
  e->tainted = false;
  uint32_t size = 0;
  const char *text = rlx_document_text(e->file->document, &size);
  uint32_t start = e->stmt->start + span.start, end = e->stmt->start + span.end;
  if (end <= size && start < end)
    rlx_diag_fix(
        e->sink, diag, rlx_arena_printf(e->sink->arena, "write it as `%s(…)`", maker), span,
        v->kind == RLX_VALUE_LIST ? as_tuple(e->sink->arena, text + start, (int)(end - start))
                                  : rlx_arena_printf(e->sink->arena, "%s(%.*s)", maker,
                                                     (int)(end - start), text + start));
}

/// From 0.26 on a number is a scalar where a function's value takes one, as a function of the module does not: of the parameter's dtype, else
/// of Python's.
static void make_scalar(RlxEval *e, const RlxExpr *callee, uint32_t i, RlxValue *v) {
  bool is_number =
      v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_FLOAT || v->kind == RLX_VALUE_BOOL;
  if (!rlx_eval_is_027(e) || !is_number || callee->kind == RLX_EXPR_GLOBAL) return;
  const RlxSInfo *func = callee->sinfo;
  const RlxSInfo *param = func->kind == RLX_SINFO_FUNC && func->params && i < (uint32_t)func->count
                              ? func->params[i]
                              : NULL;
  RlxDType dtype = param && param->kind == RLX_SINFO_PRIM ? param->dtype : rlx_dtype_unknown();
  const RlxPrim *prim;
  if (v->kind == RLX_VALUE_FLOAT)
    prim = rlx_prim_float(e->store, v->number, rlx_dtype_is_float(dtype) ? dtype : RLX_FLOAT32);
  else if (v->kind == RLX_VALUE_BOOL)
    prim = rlx_prim_int_typed(e->store, v->boolean, RLX_BOOL);
  else
    prim = rlx_prim_int_typed(e->store, v->integer, rlx_dtype_is_int(dtype) ? dtype : RLX_INT32);
  *v = (RlxValue){.kind = RLX_VALUE_PRIM, .prim = prim, .span = v->span};
}

/// A function takes its arguments by place. Values of functions also take `attrs`; in tlc-pack's
/// dialect any keyword was an attribute.
static void check_keyword(RlxEval *e, const RlxExpr *callee, const RlxPyArg *arg) {
  const char *name = rlx_store_text(e->store, arg->keyword);
  bool is_attrs = callee->kind != RLX_EXPR_GLOBAL && strcmp(name, "attrs") == 0;
  if (is_attrs || rlx_eval_is_tlc(e) || e->tainted || !e->fn || e->fn->kind != RLX_ISLAND_RELAX)
    return;
  rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_UNKNOWN), arg->keyword_span, "sss",
                  callee_text(e, callee), name, "");
}

/// Whether an error in the function's signature, or in its body where it stands before this one, is
/// why its result is not known.
static bool gives_nothing_known(const RlxEval *e, const RlxExpr *callee) {
  if (callee->kind != RLX_EXPR_GLOBAL || !callee->callee || !e->fn) return false;
  const RlxAnalysis *unit = callee->callee->analysis;
  if (!unit || !unit->fn) return false;
  return unit->fn->header_failed ||
         (unit->fn->ret_failed && callee->callee->start < rlx_fn_outermost(e->fn)->stmt->start);
}

/// Whether something in what a function of the file takes or gives is known to Python alone; its body counts where it
/// stands before this one.
static bool gives_something_open(const RlxEval *e, const RlxExpr *callee) {
  const bool is_global = callee->kind == RLX_EXPR_GLOBAL && callee->callee;
  const RlxAnalysis *unit = is_global ? callee->callee->analysis : NULL;
  return unit && unit->fn && e->fn &&
         rlx_fn_is_open(unit->fn, callee->callee->start < rlx_fn_outermost(e->fn)->stmt->start);
}

/// The call's arguments as Relax expressions, their StructInfos into `sinfos`; false after a report of one
/// that is none. `*holes`: not all is known of them.
static bool take_arguments(RlxEval *e, RlxExpr *x, RlxPyArgs *args, const RlxSInfo **sinfos,
                           bool *holes) {
  *holes = args->is_unknown;
  for (uint32_t i = 0; i < args->count; i++) {
    if (args->at[i].keyword) {
      check_keyword(e, x->call->callee, &args->at[i]);
      continue;
    }
    make_scalar(e, x->call->callee, i, &args->at[i].value);
    RlxExpr *arg = rlx_expr_of(e, &args->at[i].value);
    if (!arg) {
      rlx_eval_report(e, RLX_DIAG_ID(VALUE_INVALID), args->at[i].span, "s",
                      rlx_value_text(e, &args->at[i].value));
      return false;
    }
    *holes |= rlx_expr_is_unknown(arg);
    RlxValue v = rlx_value_expr(arg);
    v.span = args->at[i].span;
    sinfos[x->call->arg_count] = arg->sinfo;
    x->call->args[x->call->arg_count++] = v;
  }
  return true;
}

/// Arguments that are no Relax values yet, but for those that the call's own problem is about: one that does not fit
/// its parameter, and those that no parameter takes. `tainted`: what they are made of failed.
static void check_arguments(RlxEval *e, const RlxExpr *callee, const RlxPyArgs *args,
                            const RlxCallProblem *problem, RlxTaint tainted) {
  const RlxTaint after = e->tainted;
  int at = 0;
  bool refuses_symbols = rlx_refuse_may_tell(e); // before 0.25, of them alone, it may be TensorIR's
  for (uint32_t i = 0; i < args->count; i++)
    refuses_symbols |= args->at[i].value.kind == RLX_VALUE_EXPR;
  refuses_symbols &= !rlx_eval_is_027(e);
  e->tainted = tainted;
  for (uint32_t i = 0; i < args->count; i++) {
    const RlxValue *v = &args->at[i].value;
    if (args->at[i].keyword) continue;
    const bool is_told =
        at == problem->bad_arg || (problem->bad_count && at >= callee->sinfo->count);
    at++;
    if (!is_told && (v->kind != RLX_VALUE_PRIM || refuses_symbols))
      check_argument(e, callee, v, args->at[i].span);
  }
  e->tainted = after;
}

bool rlx_function_texts_check(RlxEval *e, const RlxExpr *callee, const RlxPyArgs *args) {
  const uint32_t reported = e->sink->diags.count;
  for (uint32_t i = 0; i < args->count && rlx_refuse_may_tell(e); i++)
    if (!args->at[i].keyword && rlx_is_unknown_string(&args->at[i].value))
      check_argument(e, callee, &args->at[i].value, args->at[i].span);
  return reported == e->sink->diags.count;
}

/// What the call `x`, whose arguments are there, gives; what is wrong with it is reported, and in `problem`.
static RlxValue call_taken(RlxEval *e, RlxExpr *x, const RlxSInfo *const *sinfos, bool holes,
                           RlxCallProblem *problem) {
  RlxExpr *callee = x->call->callee;
  check_recursion(e, callee, x->call->name_span);
  if (callee->kind == RLX_EXPR_GLOBAL && callee->callee &&
      callee->callee->has_error) { // a broken signature
    e->tainted |= RLX_FAILED;
    return rlx_value_expr(x);
  }
  const RlxSInfo *func = callee->sinfo;
  if (func->kind != RLX_SINFO_FUNC) {
    bool is_open = func->kind == RLX_SINFO_OBJECT &&
                   (callee->kind == RLX_EXPR_HOLE || rlx_eval_is_tlc(e) ||
                    (callee->kind == RLX_EXPR_VAR && callee->var->is_tainted));
    if (!e->tainted && !is_open) {
      RlxValue v = rlx_value_expr(callee);
      rlx_eval_report(e, RLX_DIAG_ID(NOT_CALLABLE), callee->span, "s", rlx_value_text(e, &v));
      return rlx_eval_failed(e, x->call->span);
    }
    return rlx_value_expr(x);
  }
  bool counts =
      !func->params || (uint32_t)func->count == x->call->arg_count; // else that is the mistake
  if (func->purity == RLX_IMPURE && counts)
    rlx_check_purity(e, rlx_arena_printf(e->arena, "`%s`", callee_text(e, callee)),
                     x->call->name_span, NULL, callee);
  if (holes) {
    e->tainted |= RLX_FAILED;
    return rlx_value_expr(x);
  }
  RlxBuf why = {0};
  if (func->params)
    x->sinfo = rlx_sinfo_derive_call(e->store, e->facts, func, sinfos, (int)x->call->arg_count,
                                     problem, &why);
  else
    x->sinfo = derived(e, func, x);
  if (func->params && !problem->bad_count && problem->bad_arg < 0)
    x->sinfo = rlx_substitute_shapes(e, x, func, x->sinfo);
  uint32_t reported = e->sink->diags.count;
  if (gives_something_open(e, callee)) e->tainted |= RLX_OPEN;
  const bool is_sure = problem->bad_count || problem->check == RLX_CHECK_DISJOINT;
  if ((problem->bad_count || problem->bad_arg >= 0) &&
      ((!e->tainted && !rlx_eval_is_tlc(e)) || (!(e->tainted & ~RLX_OPEN) && is_sure)))
    report_problem(e, callee, x, problem, &why);
  rlx_blame_call(e, x->call->name_span, reported);
  rlx_buf_free(&why);
  if (gives_nothing_known(e, callee)) e->tainted |= RLX_FAILED;
  return rlx_value_expr(x);
}

RlxValue rlx_call_function(RlxEval *e, RlxExpr *callee, RlxPyArgs *args, RlxSpan span,
                           RlxSpan name_span) {
  if (callee->kind == RLX_EXPR_HOLE) return rlx_eval_failed(e, span);
  const uint32_t room = args->count ? args->count : 1;
  const RlxTaint tainted = e->tainted;
  RlxExpr *x = rlx_expr_new(e, RLX_EXPR_CALL, span, rlx_sinfo_object(e->store));
  x->call->callee = callee;
  x->call->span = span;
  x->call->name_span = name_span;
  x->call->args = rlx_arena_array(e->arena, RlxValue, room);
  const RlxSInfo **sinfos = rlx_arena_array(e->arena, const RlxSInfo *, room);
  RlxCallProblem problem = {.bad_arg = -1};
  bool holes;
  const RlxValue v = take_arguments(e, x, args, sinfos, &holes)
                         ? call_taken(e, x, sinfos, holes, &problem)
                         : rlx_eval_failed(e, span);
  check_arguments(e, callee, args, &problem, tainted);
  return v;
}
