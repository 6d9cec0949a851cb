/// Calls of operators: conversion to what each parameter takes, deduction.
/// Always true: a rule is never called with a hole; when the call reads something that was reported
/// before, the rule's own reports are dropped.

#include <string.h>

#include "analyzer/eval/calls_impl.h"
#include "analyzer/eval/eval_words.h"
#include "analyzer/eval/refuse.h"

// ---- conversion

static RlxValue hole(RlxEval *e, RlxSpan span) { return rlx_value_expr(rlx_expr_hole(e, span)); }

/// The expression that a Python list or number stands for; `v` when it stands for none.
static RlxValue of_python(RlxEval *e, const RlxValue *v) {
  RlxExpr *x = rlx_expr_of(e, v);
  if (!x) return *v;
  RlxValue out = rlx_value_expr(x); // n > 1 is taken for an expression by those that ask for it
  out.is_python = v->kind != RLX_VALUE_PRIM || !rlx_dtype_is_bool(v->prim->dtype);
  return out;
}

static RlxValue convert_tuple(RlxEval *e, RlxValue v) {
  if (v.kind == RLX_VALUE_UNKNOWN) return hole(e, v.span);
  if (v.kind != RLX_VALUE_LIST) return v;
  return of_python(e, &v);
}

static RlxValue convert_callee(RlxEval *e, RlxValue v) {
  if (v.kind == RLX_VALUE_UNKNOWN) return hole(e, v.span);
  if (v.kind == RLX_VALUE_FUNCTION) {
    union {
      const void *in;
      RlxFn *out;
    } fn = {.in = v.thing};
    if (fn.out->kind != RLX_ISLAND_RELAX && fn.out->kind != RLX_ISLAND_PRIM_FUNC)
      return hole(e, v.span);
    if (fn.out->kind == RLX_ISLAND_PRIM_FUNC && !fn.out->module &&
        !e->analyzer->settings.is_prompt && rlx_refuse_may_tell(e))
      rlx_eval_report(e, RLX_DIAG_ID(VALUE_CALLEE), v.span, "s",
                      rlx_arena_printf(e->arena, "the PrimFunc `%s`, which belongs to no module,",
                                       rlx_store_text(e->store, fn.out->stmt->name)));
    RlxValue out = {.kind = RLX_VALUE_CALLEE, .span = v.span};
    out.expr = rlx_expr_function(e, fn.out, v.span);
    return out;
  }
  if (v.kind == RLX_VALUE_STR) {
    RlxExpr *x =
        rlx_expr_new(e, RLX_EXPR_EXTERN, v.span,
                     rlx_sinfo_func(e->store, NULL, 0, rlx_sinfo_object(e->store), RLX_IMPURE, 0));
    x->name = v.string;
    RlxValue out = {.kind = RLX_VALUE_CALLEE, .span = v.span};
    out.expr = x;
    return out;
  }
  if (v.kind == RLX_VALUE_EXPR) v.kind = RLX_VALUE_CALLEE;
  return v;
}

static RlxValue convert_sinfo(RlxEval *e, RlxValue v) {
  if (v.kind == RLX_VALUE_LIST) {
    RlxValue out = v;
    out.items = rlx_arena_array(e->arena, RlxValue, v.count ? v.count : 1);
    for (uint32_t i = 0; i < v.count; i++) out.items[i] = convert_sinfo(e, v.items[i]);
    return out;
  }
  if (v.kind == RLX_VALUE_DTYPE && rlx_refuse_may_tell(e)) { // a type as a whole annotation only
    char dtype[RLX_DTYPE_TEXT_MAX];
    rlx_dtype_text(rlx_unpack_dtype(v.integer), dtype);
    v.kind = RLX_VALUE_OTHER;
    v.text =
        rlx_arena_printf(e->arena, "the dtype T.%s: here write `R.Prim(\"%s\")`", dtype, dtype);
    return v;
  }
  const RlxSInfo *sinfo = v.kind == RLX_VALUE_NONE ? NULL : rlx_value_sinfo(e, &v);
  if (!sinfo) return v;
  RlxValue out = {.kind = RLX_VALUE_SINFO, .span = v.span, .is_bare = v.kind == RLX_VALUE_WORD};
  out.sinfo = sinfo;
  return out;
}

/// A constant of TensorIR as Python's number, where TVM's function takes both.
static RlxValue plain_number(const RlxOpParam *param, RlxValue v) {
  int64_t x;
  bool is_constant = v.kind == RLX_VALUE_PRIM && rlx_prim_is_const(v.prim, &x);
  return param->takes_imm && param->kind == RLX_PARAM_INT && is_constant
             ? rlx_value_of_int(x, v.span)
             : v;
}

/// What of a list, or of a list in it, is surely no expression of Relax, though it is no plain value of Python's either; NULL: nothing.
static const RlxValue *no_expression(const RlxValue *list) {
  for (uint32_t i = 0; i < list->count; i++) {
    const RlxValue *item = &list->items[i];
    if (item->kind == RLX_VALUE_LIST && !item->is_range) {
      const RlxValue *found = no_expression(item);
      if (found) return found;
    }
    if (item->kind == RLX_VALUE_WORD || item->kind == RLX_VALUE_SINFO ||
        item->kind == RLX_VALUE_LAMBDA)
      return item;
  }
  return NULL;
}

static RlxValue convert(RlxEval *e, RlxParamKind kind, RlxValue v) {
  if (v.kind == RLX_VALUE_ABSENT) return v;
  if (v.kind == RLX_VALUE_LIST && v.is_range && kind != RLX_PARAM_INTS) // a list to Python alone
    return (RlxValue){.kind = RLX_VALUE_OTHER, .span = v.span, .text = "a range"};
  if (v.kind == RLX_VALUE_CAST) {
    const RlxCastPair *pair = v.thing; // a match_cast inside a call: its pattern's StructInfo
    RlxExpr *x = rlx_expr_new(e, pair->value->kind, v.span, pair->sinfo);
    *x = *pair->value;
    x->sinfo = pair->sinfo;
    return rlx_value_expr(x);
  }
  switch (kind) {
  case RLX_PARAM_TENSOR:
    if (v.kind == RLX_VALUE_CALLEE) return rlx_value_expr(v.expr);
    return convert_tuple(e, v);
  case RLX_PARAM_EXPR: {
    const RlxValue *other =
        v.kind == RLX_VALUE_LIST && rlx_refuse_may_tell(e) ? no_expression(&v) : NULL;
    if (other) return *other;
    if (v.kind == RLX_VALUE_LIST || v.kind == RLX_VALUE_PRIM) return of_python(e, &v);
    RlxExpr *x =
        v.kind == RLX_VALUE_EXPR || v.kind == RLX_VALUE_CALLEE || v.kind == RLX_VALUE_UNKNOWN
            ? rlx_expr_of(e, &v)
            : NULL;
    return x ? rlx_value_expr(x) : v;
  }
  case RLX_PARAM_SHAPE: {
    if (v.kind == RLX_VALUE_UNKNOWN) return hole(e, v.span);
    RlxExpr *x = v.kind == RLX_VALUE_LIST ? rlx_expr_shape(e, &v, v.span) : NULL;
    if (!x && v.kind == RLX_VALUE_LIST) rlx_shape_report(e, &v);
    if (!x) return v;
    RlxValue out = rlx_value_expr(x);
    out.is_tuple = true;
    return out;
  }
  case RLX_PARAM_TUPLE: return convert_tuple(e, v);
  case RLX_PARAM_CALLEE: return convert_callee(e, v);
  case RLX_PARAM_SINFO: return convert_sinfo(e, v);
  case RLX_PARAM_DTYPE:
    if (v.kind == RLX_VALUE_DTYPE) {
      char text[RLX_DTYPE_TEXT_MAX];
      rlx_dtype_text(rlx_unpack_dtype(v.integer), text);
      RlxValue out = {.kind = RLX_VALUE_STR, .span = v.span};
      out.string = rlx_store_intern(e->store, text, strlen(text));
      return out;
    }
    return v;
  case RLX_PARAM_PRIM:
  case RLX_PARAM_INT:
  case RLX_PARAM_FLOAT:
  case RLX_PARAM_BOOL:
  case RLX_PARAM_STR:
  case RLX_PARAM_INTS:
  case RLX_PARAM_ANY: break;
  }
  return v;
}

/// What the evaluator's own kinds are to an operator.
static void externalize(RlxEval *e, RlxValue *v) {
  if (v->kind < RLX_VALUE_NAMESPACE) return;
  RlxSpan span = v->span;
  bool may_be_any = v->kind == RLX_VALUE_NAMESPACE || v->kind == RLX_VALUE_TFUNC;
  if (may_be_any && rlx_python_type(e, v) == RLX_PYTHON_UNKNOWN) {
    *v = rlx_value_unknown(span);
    return;
  }
  const char *text = rlx_value_text(e, v);
  memset(v, 0, sizeof *v);
  v->kind = RLX_VALUE_OTHER;
  v->span = span;
  v->text = text;
}

static bool has_hole(const RlxValue *v) {
  if (v->kind == RLX_VALUE_EXPR || v->kind == RLX_VALUE_CALLEE) {
    const RlxExpr *x = v->expr;
    if (rlx_expr_is_unknown(x)) return true;
    if (x->kind == RLX_EXPR_TUPLE)
      for (uint32_t i = 0; i < x->field_count; i++)
        if (rlx_expr_is_unknown(x->fields[i])) return true;
    return false;
  }
  if (v->kind == RLX_VALUE_LIST)
    for (uint32_t i = 0; i < v->count; i++)
      if (has_hole(&v->items[i])) return true;
  return false;
}

// ---- deduction

/// A match_cast is bound to a variable: it is no operand. Nor is an annotation a tuple of them.
static void refuse_cast(RlxEval *e, const RlxOpRow *row, int i, const RlxValue *v) {
  for (uint32_t k = 0; row->params[i].is_variadic && k < v->count; k++)
    if (v->items[k].kind == RLX_VALUE_CAST) v = &v->items[k];
  const bool is_type = v->kind == RLX_VALUE_SINFO && row->params[i].kind == RLX_PARAM_TUPLE;
  if ((v->kind == RLX_VALUE_CAST || is_type) && !e->tainted && !rlx_eval_is_tlc(e))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_KIND), v->span, "ssss", rlx_op_spelling(e->arena, row),
                    rlx_op_param_of(e, &row->params[i]), "an expression", rlx_value_text(e, v));
}

/// Up to 0.25 an expression of TensorIR is no operand of an operator on tensors, whatever it is.
static void refuse_script_value(RlxEval *e, const RlxOpRow *row, int i, const RlxValue *v) {
  const RlxParamKind kind = row->params[i].kind;
  const bool is_of_relax = kind == RLX_PARAM_TENSOR || kind == RLX_PARAM_TUPLE;
  if (!is_of_relax || !rlx_is_script_value(v) || (e->tainted & RLX_FAILED) || !e->fn ||
      e->fn->dialect != RLX_DIALECT_025 || rlx_fn_may_be(e->fn, RLX_DIALECT_027))
    return;
  e->tainted = 0;
  rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_KIND), v->span, "ssss", rlx_op_spelling(e->arena, row),
                  rlx_op_param_of(e, &row->params[i]), "a Relax value", "a value of TensorIR");
}

/// What holds behind a call that succeeded.
static void learn(RlxEval *e, const RlxExpr *x) {
  const RlxOpRow *row = x->call->row;
  if (row->id == RLX_OP_ID(reshape) && !e->tainted)
    rlx_learn_reshape(e, rlx_arg_sinfo(x->call, 0), x->sinfo);
  const RlxSInfo *asserted = row->id == RLX_OP_ID(assert_op) ? rlx_arg_sinfo(x->call, 0) : NULL;
  if (asserted && asserted->kind == RLX_SINFO_PRIM && asserted->value)
    rlx_learn_condition(e, asserted->value, "assert_op");
}

/// A number of Python, or of T, as the scalar that TVM 0.27 makes of it: an integer is an int32 beside
/// another operand (R.add), an int64 where it is an index (R.take).
static RlxValue scalar_operand(RlxEval *e, const RlxOpRow *row, RlxValue v) {
  const RlxDType integer = row->params[0].takes_scalar ? RLX_INT32 : RLX_INT64;
  RlxValue number = {.kind = RLX_VALUE_PRIM, .span = v.span};
  if (v.kind == RLX_VALUE_FLOAT)
    number.prim = rlx_prim_float(e->store, v.number, RLX_FLOAT32);
  else if (v.kind == RLX_VALUE_INT)
    number.prim = rlx_prim_int_typed(e->store, v.integer, integer);
  else if (v.kind == RLX_VALUE_BOOL)
    number.prim = rlx_prim_int_typed(e->store, v.boolean, RLX_BOOL);
  else if (v.kind == RLX_VALUE_PRIM)
    number.prim = v.prim;
  else
    return v;
  return rlx_value_expr(rlx_expr_of(e, &number));
}

/// A number of Python among the arguments of a packed function: TVM makes it an R.prim_value, of int64 or float64.
static RlxValue packed_argument(RlxEval *e, RlxValue v) {
  RlxValue number = {.kind = RLX_VALUE_PRIM, .span = v.span};
  if (v.kind == RLX_VALUE_FLOAT)
    number.prim = rlx_prim_float(e->store, v.number, rlx_dtype(RLX_DTYPE_FLOAT, 64));
  else if (v.kind == RLX_VALUE_INT || v.kind == RLX_VALUE_BOOL)
    number.prim =
        rlx_prim_int_typed(e->store, v.kind == RLX_VALUE_INT ? v.integer : v.boolean, RLX_INT64);
  else
    return v;
  return rlx_value_expr(rlx_expr_of(e, &number));
}

/// What R.print prints are Relax values as they stand: TVM makes none of Python's tuples, nor of symbolic variables up to 0.25.
static void refuse_printed(RlxEval *e, const RlxOpRow *row, int i, const RlxValue *list) {
  for (uint32_t k = 0; k < list->count && rlx_refuse_may_tell(e); k++) {
    const RlxValue *v = &list->items[k];
    if (v->kind == RLX_VALUE_LIST || (v->kind == RLX_VALUE_PRIM && !rlx_eval_is_027(e)))
      rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_KIND), v->span, "ssss",
                      rlx_op_spelling(e->arena, row), rlx_op_param_of(e, &row->params[i]),
                      "a Relax value", rlx_value_text(e, v));
  }
}

/// The arguments of R.vm.call_tir_dyn: up to 0.25 TVM makes a tuple of them as they stand, and of Relax values alone.
static void refuse_numbers(RlxEval *e, const RlxOpRow *row, int i, const RlxValue *list) {
  for (uint32_t k = 0; list->kind == RLX_VALUE_LIST && k < list->count; k++) {
    const RlxValue *v = &list->items[k];
    const bool is_number = v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_FLOAT ||
                           v->kind == RLX_VALUE_BOOL || v->kind == RLX_VALUE_PRIM;
    if (is_number && !rlx_eval_is_027(e) && rlx_refuse_may_tell(e))
      rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_KIND), v->span, "ssss",
                      rlx_op_spelling(e->arena, row), rlx_op_param_of(e, &row->params[i]),
                      "Relax values", rlx_value_text(e, v));
  }
}

/// A truth value among the dimensions of R.reshape, which wants integers there; other operators take 0 and 1 for it.
static void refuse_truth(RlxEval *e, const RlxValue *shape) {
  for (uint32_t i = 0; shape->kind == RLX_VALUE_LIST && i < shape->count; i++) {
    const RlxValue *item = &shape->items[i];
    if (item->kind != RLX_VALUE_BOOL || !rlx_refuse_may_tell(e)) continue;
    rlx_eval_report(e, RLX_DIAG_ID(DIM_INVALID), item->span, "s", rlx_value_text(e, item));
    return;
  }
}

/// Numbers of Python that TVM makes a float32 of: up to 0.25 of what a symbolic number may be, in 0.27 of operands and of what two operators take.
/// Other numbers are a float64, as both bounds of R.clip are in 0.25.
static void refuse_wide_float(RlxEval *e, const RlxOpRow *row, int i, const RlxValue *v) {
  const RlxOpParam *param = &row->params[i];
  const bool is_made = rlx_eval_is_027(e)
                           ? param->takes_scalar || row->id == RLX_OP_ID(arange) ||
                                 row->id == RLX_OP_ID(layout_transform)
                           : param->kind == RLX_PARAM_PRIM && row->id != RLX_OP_ID(clip);
  if (is_made)
    (void)rlx_word_beyond_float32(e, rlx_op_spelling(e->arena, row), rlx_op_param_of(e, param), v);
}

static RlxValue finish_op(RlxEval *e, const RlxOpRow *row, RlxValue *values, RlxSpan span,
                          RlxSpan name_span) {
  bool holes = false;
  for (int i = 0; i < row->param_count; i++) {
    if (values[i].is_default) continue;
    RlxSpan arg_span = values[i].span;
    refuse_cast(e, row, i, &values[i]);
    refuse_script_value(e, row, i, &values[i]);
    refuse_wide_float(e, row, i, &values[i]);
    if (row->id == RLX_OP_ID(reshape)) refuse_truth(e, &values[i]);
    if (row->id == RLX_OP_ID(vm_call_tir_dyn)) refuse_numbers(e, row, i, &values[i]);
    if (row->params[i].is_variadic && row->id == RLX_OP_ID(print))
      refuse_printed(e, row, i, &values[i]);
    if (row->params[i].kind == RLX_PARAM_DTYPE)
      rlx_dtype_maker_report(e, rlx_op_spelling(e->arena, row), row->params[i].name, &values[i]);
    if (row->params[i].is_variadic) {
      const bool is_packed = row->params[i].kind == RLX_PARAM_EXPR && row->id != RLX_OP_ID(print);
      for (uint32_t k = 0; k < values[i].count; k++) {
        const RlxValue item =
            is_packed ? packed_argument(e, values[i].items[k]) : values[i].items[k];
        values[i].items[k] = convert(e, row->params[i].kind, item);
        externalize(e, &values[i].items[k]);
      }
      if (row->params[i].kind == RLX_PARAM_TUPLE)
        values[i] = convert(e, RLX_PARAM_TUPLE, values[i]);
    } else if (row->params[i].takes_scalar && rlx_eval_is_027(e))
      values[i] = convert(e, row->params[i].kind, scalar_operand(e, row, values[i]));
    else
      values[i] = plain_number(&row->params[i], convert(e, row->params[i].kind, values[i]));
    if (values[i].kind == RLX_VALUE_LAMBDA && row->params[i].kind == RLX_PARAM_ANY)
      values[i] = rlx_lambda_value(e, values[i].thing);
    if (rlx_is_named_lambda(&values[i]) && row->params[i].kind == RLX_PARAM_ANY) {
      e->tainted |= RLX_FAILED;
      values[i] = rlx_value_unknown(arg_span);
    }
    values[i].span = arg_span;
    externalize(e, &values[i]);
    if (row->params[i].kind == RLX_PARAM_TUPLE && values[i].kind == RLX_VALUE_LIST)
      for (uint32_t k = 0; k < values[i].count; k++) externalize(e, &values[i].items[k]);
    holes |= has_hole(&values[i]);
  }
  RlxExpr *x = rlx_expr_new(e, RLX_EXPR_CALL, span, rlx_sinfo_object(e->store));
  x->call->row = row;
  x->call->is_027 = rlx_eval_is_027(e);
  x->call->args = values;
  x->call->arg_count = (uint32_t)row->param_count;
  x->call->span = span;
  x->call->name_span = name_span;
  if (row->purity != RLX_OP_PURE)
    rlx_check_purity(e, rlx_arena_printf(e->arena, "`%s`", rlx_op_spelling(e->arena, row)),
                     name_span, row, NULL);
  if (holes) {
    e->tainted |= RLX_FAILED;
    return rlx_value_expr(x);
  }
  if (row->id == RLX_OP_ID(call_dps_packed) && rlx_eval_is_tlc(e) &&
      values[2].kind == RLX_VALUE_SINFO && !values[2].sinfo->dims) { // its shape is a value
    x->sinfo = values[2].sinfo;
    return rlx_value_expr(x);
  }
  e->file->has_inplace |=
      row->id == RLX_OP_ID(call_tir_inplace) || row->id == RLX_OP_ID(call_inplace_packed);
  RlxValue v = rlx_deduce_call(e, x);
  learn(e, x);
  uint32_t reported = e->sink->diags.count;
  rlx_check_call_tir(e, x);
  rlx_blame_call(e, name_span, reported);
  return v;
}

/// The StructInfo that a shape (or a list of shapes) and a dtype stand for in the older forms of
/// R.call_tir.
static RlxValue output_of(RlxEval *e, const RlxValue *shape, const RlxValue *dtype,
                          uint32_t depth) {
  bool is_list = depth < 2 && shape->kind == RLX_VALUE_LIST && shape->count &&
                 shape->items[0].kind == RLX_VALUE_LIST;
  if (is_list) {
    RlxValue list = *shape;
    list.items = rlx_arena_array(e->arena, RlxValue, shape->count);
    for (uint32_t i = 0; i < shape->count; i++)
      list.items[i] = output_of(e, &shape->items[i],
                                dtype && dtype->kind == RLX_VALUE_LIST
                                    ? (i < dtype->count ? &dtype->items[i] : NULL)
                                    : dtype,
                                depth + 1);
    list.is_tuple = false;
    return list;
  }
  RlxPyArg parts[2] = {{0, *shape, shape->span, shape->span},
                       {0, dtype ? *dtype : rlx_value_none(), shape->span, shape->span}};
  return rlx_eval_sinfo_call(e, RLX_WORD_TENSOR, &(RlxPyArgs){parts, 2, false}, shape->span);
}

static bool is_shape(const RlxValue *v) {
  return v->kind == RLX_VALUE_LIST ||
         (v->kind == RLX_VALUE_EXPR && v->expr->sinfo->kind == RLX_SINFO_SHAPE);
}

/// R.call_tir(f, (x,), (n, m), dtype="float32") and R.call_tir((n, m), f, [x]) of older dialects,
/// meant as R.call_tir(f, (x,), R.Tensor((n, m), "float32")); of a named function as
/// R.call_dps_packed.
static void retell_call_tir(RlxEval *e, const RlxOpRow **row, RlxPyArgs *args) {
  int at[3] = {-1, -1, -1}, count = 0, dtype_at = -1;
  for (uint32_t i = 0; i < args->count; i++) {
    const char *keyword =
        args->at[i].keyword ? rlx_store_text(e->store, args->at[i].keyword) : NULL;
    if (!keyword && count < 3) at[count++] = (int)i;
    if (keyword && strcmp(keyword, "dtype") == 0) dtype_at = (int)i;
  }
  if (count < 3 || args->is_unknown) return;
  const RlxValue *first = &args->at[at[0]].value, *second = &args->at[at[1]].value;
  bool shape_first =
      is_shape(first) && (second->kind == RLX_VALUE_STR || second->kind == RLX_VALUE_CALLEE ||
                          second->kind == RLX_VALUE_FUNCTION);
  if (!shape_first && dtype_at < 0) return;
  RlxPyArg f = args->at[at[shape_first ? 1 : 0]], list = args->at[at[shape_first ? 2 : 1]],
           shape = args->at[at[shape_first ? 0 : 2]];
  RlxValue dtype = dtype_at >= 0 ? args->at[dtype_at].value : rlx_value_none();
  const RlxValue *input =
      list.value.kind == RLX_VALUE_LIST && list.value.count ? &list.value.items[0] : &list.value;
  // What a PrimFunc gives is most likely what it takes; of a packed function nothing is known.
  if (dtype_at < 0 && f.value.kind != RLX_VALUE_STR && input->kind == RLX_VALUE_EXPR &&
      input->expr->sinfo->kind == RLX_SINFO_TENSOR && rlx_dtype_known(input->expr->sinfo->dtype)) {
    dtype.kind = RLX_VALUE_DTYPE; // of the first input
    dtype.integer = rlx_pack_dtype(input->expr->sinfo->dtype);
  }
  shape.value = output_of(e, &shape.value, &dtype, 0);
  RlxPyArg *told = rlx_arena_array(e->arena, RlxPyArg, args->count);
  uint32_t told_count = 3;
  told[0] = f, told[1] = list, told[2] = shape;
  for (uint32_t i = 0; i < args->count; i++)
    if ((int)i != at[0] && (int)i != at[1] && (int)i != at[2] && (int)i != dtype_at)
      told[told_count++] = args->at[i];
  args->at = told;
  args->count = told_count;
  if (f.value.kind == RLX_VALUE_STR) *row = rlx_op_row(RLX_OP_ID(call_dps_packed));
}

bool rlx_op_texts_check(RlxEval *e, const RlxOpRow *row, const RlxPyArgs *args) {
  static const char *const expected[] = {[RLX_PARAM_TENSOR] = "a tensor",
                                         [RLX_PARAM_SHAPE] = "a shape",
                                         [RLX_PARAM_TUPLE] = "a tuple of expressions",
                                         [RLX_PARAM_INT] = "an int",
                                         [RLX_PARAM_FLOAT] = "a number",
                                         [RLX_PARAM_BOOL] = "True or False",
                                         [RLX_PARAM_INTS] = "an int or a list of ints"};
  for (uint32_t i = 0; i < args->count && rlx_refuse_may_tell(e); i++) {
    const RlxPyArg *arg = &args->at[i];
    const int place =
        arg->keyword ? rlx_op_param(row, rlx_store_text(e->store, arg->keyword)) : (int)i;
    if (!rlx_is_unknown_string(&arg->value) || place < 0 || place >= row->param_count ||
        row->params[place].is_variadic)
      continue;
    const RlxParamKind kind = row->params[place].kind;
    const char *what = kind < sizeof expected / sizeof *expected ? expected[kind] : NULL;
    if (!what) continue;
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_KIND), arg->value.span, "ssss",
                    rlx_op_spelling(e->arena, row), rlx_op_param_of(e, &row->params[place]), what,
                    rlx_value_text(e, &arg->value));
    return false;
  }
  return true;
}

RlxValue rlx_call_op(RlxEval *e, const RlxOpRow *row, RlxPyArgs *args, RlxSpan span,
                     RlxSpan name_span) {
  if (row->id == RLX_OP_ID(call_tir)) {
    retell_call_tir(e, &row, args);
    if (rlx_eval_is_tlc(e) && args->count && !args->at[0].keyword &&
        args->at[0].value.kind == RLX_VALUE_STR)
      row = rlx_op_row(RLX_OP_ID(call_dps_packed));
  }
  if (row->id == RLX_OP_ID(builtin_alloc_tensor) && rlx_eval_is_tlc(e) && args->count &&
      args->at[0].value.kind == RLX_VALUE_LIST) {
    RlxExpr *shape = rlx_expr_shape(e, &args->at[0].value, args->at[0].span);
    if (shape) args->at[0].value = rlx_value_expr(shape);
  }
  RlxValue *values = rlx_arena_array(e->arena, RlxValue, row->param_count ? row->param_count : 1);
  uint32_t reported = e->sink->diags.count;
  bool fine = rlx_call_bind(e, row, args, values, span, name_span);
  rlx_blame_call(e, name_span, reported);
  if (!fine) return rlx_eval_failed(e, span);
  return finish_op(e, row, values, span, name_span);
}

RlxValue rlx_call_op_values(RlxEval *e, const RlxOpRow *row, RlxValue *given, uint32_t count,
                            RlxSpan span, RlxSpan name_span) {
  if (!row) return rlx_eval_failed(e, span);
  RlxValue *values = rlx_arena_array(e->arena, RlxValue, row->param_count ? row->param_count : 1);
  const RlxValue *defaults_of = rlx_op_defaults(e->analyzer, row);
  for (int i = 0; i < row->param_count; i++) {
    if ((uint32_t)i < count)
      values[i] = given[i], values[i].is_default = false;
    else
      values[i] = defaults_of[i];
  }
  return finish_op(e, row, values, span, name_span);
}
