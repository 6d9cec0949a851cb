/// Calls at the prompt: of operators and of the user's functions, whose numbers and lists become what the
/// parameters want; of functions that make values.
#include "repl/sugar_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/ops/ops.h"
#include "base/text.h"
#include "repl/data.h"

// ---- the user's functions

RlxFunctionView rlx_sugar_callee(RlxSugarWriter *w, const RlxAst *callee) {
  char rest[RLX_AST_DOTTED_MAX];
  const RlxAst *root =
      callee->kind == RLX_AST_ATTRIBUTE ? rlx_ast_dotted(w->repl->store, callee, rest) : callee;
  if (!root || root->kind != RLX_AST_NAME ||
      (root != callee && !strcmp(rlx_store_text(w->repl->store, root->name), "R")))
    return (RlxFunctionView){0};
  RlxFunctionView found = {0};
  const char *name = rlx_store_text(w->repl->store, callee->name),
             *alias = rlx_sugar_alias(w, name);
  if (alias && callee->kind == RLX_AST_NAME && !rlx_sugar_variable(w, name)) name = alias;
  RlxFunctionViews views = {0};
  RlxBuf called = {0};
  if (root != callee) rlx_buf_printf(&called, "%s.", rlx_store_text(w->repl->store, root->name));
  rlx_buf_puts(&called, name);
  rlx_sugar_functions(w, root == callee ? name : rlx_store_text(w->repl->store, root->name),
                      &views);
  const RlxFunctionView *view = rlx_function_view(w->repl->store, &views, rlx_buf_text(&called));
  if (view) found = *view;
  for (uint32_t i = 0; root == callee && found.module && i < views.count; i++) // which is meant?
    if (views.at[i].name == found.name && views.at[i].module != found.module)
      found = (RlxFunctionView){0};
  rlx_buf_free(&called);
  rlx_vec_free(&views);
  return found;
}

/// The same, but a false where it is as it is written.
static bool write_argument(RlxSugarWriter *w, const RlxAst *arg, const RlxSInfo *want,
                           RlxBuf *out) {
  char dtype[RLX_DTYPE_TEXT_MAX];
  const bool is_variable =
      arg->kind == RLX_AST_NAME && rlx_sugar_variable(w, rlx_store_text(w->repl->store, arg->name));
  if (want->kind == RLX_SINFO_PRIM && !is_variable && rlx_sugar_is_number(w, arg)) {
    bool plain = !rlx_dtype_known(want->dtype) || rlx_dtype_equal(want->dtype, RLX_INT64);
    if (rlx_sugar_is_float(w, arg) && plain) return false;
    rlx_buf_puts(out, "R.prim_value(");
    if (!plain) rlx_buf_printf(out, "T.%s(", rlx_dtype_text(want->dtype, dtype));
    rlx_sugar_put_number(w, arg, out);
    rlx_buf_puts(out, plain ? ")" : "))");
    return true;
  }
  if (want->kind == RLX_SINFO_TENSOR &&
      (rlx_sugar_is_number(w, arg) || rlx_repl_is_number_list(w->repl, arg))) {
    RlxDType t = want->dtype;
    if (!rlx_dtype_known(t)) t = rlx_sugar_is_float(w, arg) ? RLX_FLOAT32 : RLX_INT64;
    return rlx_sugar_constant(w, arg, t, out);
  }
  if (want->kind == RLX_SINFO_TUPLE && want->count == (int)arg->child_count &&
      (arg->kind == RLX_AST_TUPLE || arg->kind == RLX_AST_LIST)) {
    rlx_buf_putc(out, '(');
    for (uint32_t i = 0; i < arg->child_count; i++) {
      rlx_sugar_argument(w, arg->children[i], want->fields[i], out);
      rlx_buf_puts(out, i + 1 == arg->child_count && i ? "" : ", ");
    }
    rlx_buf_putc(out, ')');
    return true;
  }
  if (want->kind == RLX_SINFO_SHAPE && (arg->kind == RLX_AST_TUPLE || arg->kind == RLX_AST_LIST)) {
    rlx_buf_puts(out, "R.shape([");
    for (uint32_t i = 0; i < arg->child_count; i++) {
      if (i) rlx_buf_puts(out, ", ");
      rlx_sugar_put(w, arg->children[i], out);
    }
    rlx_buf_puts(out, "])");
    return true;
  }
  return false;
}

void rlx_sugar_argument(RlxSugarWriter *w, const RlxAst *arg, const RlxSInfo *want, RlxBuf *out) {
  if (!write_argument(w, arg, want, out)) rlx_sugar_put(w, arg, out);
}

void rlx_sugar_put_callee(RlxSugarWriter *w, const RlxAst *callee, const RlxFunctionView *f,
                          RlxBuf *out) {
  const bool is_member = callee->kind == RLX_AST_NAME && f->module && callee->name == f->name;
  if (is_member)
    rlx_buf_printf(out, "%s.%s", rlx_store_text(w->repl->store, f->module),
                   rlx_store_text(w->repl->store, f->name));
  else
    rlx_sugar_put(w, callee, out);
}

/// `main(x)` of a function that one module has: `Module.main(x)`.
static bool write_member_call(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  const RlxAst *callee = ast->children[0];
  const char *name =
      callee->kind == RLX_AST_NAME ? rlx_store_text(w->repl->store, callee->name) : "";
  if (!*name || rlx_sugar_variable(w, name) || rlx_sugar_is_defined(w, name) ||
      rlx_sugar_alias(w, name) || rlx_op_find(name, strlen(name)))
    return false;
  const RlxFunctionView f = rlx_sugar_callee(w, callee);
  if (!f.module) return false;
  RlxBuf text = {0};
  rlx_sugar_put_callee(w, callee, &f, &text);
  rlx_sugar_around(w, ast, &text, NULL, out);
  rlx_buf_free(&text);
  return true;
}

/// Arguments of the user's own functions that are no Relax values yet.
static bool write_own_call(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  const RlxAst *callee = ast->children[0];
  bool any = false, by_name = false;
  for (uint32_t i = 1; i < ast->child_count; i++) {
    uint8_t kind = ast->children[i]->kind;
    by_name |= kind == RLX_AST_KEYWORD || kind == RLX_AST_DOUBLE_STARRED;
    any |=
        rlx_sugar_is_number(w, ast->children[i]) || kind == RLX_AST_LIST || kind == RLX_AST_TUPLE;
  }
  const RlxFunctionView f = any || by_name ? rlx_sugar_callee(w, callee) : (RlxFunctionView){0};
  if (!f.function && (by_name || !f.declared || !f.declared->params)) return false;
  if (by_name) return rlx_sugar_named(w, &f, ast, out), true;
  Vec(const RlxSInfo *) wants = {0}; // they outlive the next question, the function does not
  for (uint32_t i = 0; f.function && i < f.function->param_count; i++)
    rlx_vec_push(&wants, f.function->params[i]->sinfo);
  for (int32_t i = 0; !f.function && i < f.declared->count; i++) // of a PrimFunc
    rlx_vec_push(&wants, f.declared->params[i]);
  rlx_sugar_put_callee(w, callee, &f, out);
  rlx_buf_putc(out, '(');
  for (uint32_t i = 1; i < ast->child_count; i++) {
    if (i > 1) rlx_buf_puts(out, ", ");
    if (i > wants.count)
      rlx_sugar_put(w, ast->children[i], out);
    else
      rlx_sugar_argument(w, ast->children[i], wants.at[i - 1], out);
  }
  rlx_buf_putc(out, ')');
  rlx_vec_free(&wants);
  return true;
}

// ---- operators

/// What stands before the arguments of a call of an operator.
typedef struct Callee {
  const RlxOpRow *row;
  const char *text; ///< `R.add`
  const char
      *self; ///< its first operand as Relax when that stands before a dot (`x.add(1)`), else NULL
  bool promotes; ///< operands that can't hold the numbers beside them are cast, as numpy does it
} Callee;

/// What argument `arg` of a call gives, behind its keyword.
static const RlxAst *value_of(const RlxAst *arg) {
  return arg->kind == RLX_AST_KEYWORD ? arg->children[0] : arg;
}

/// The operator's name of the parameter that the keyword `name` gives: numpy and PyTorch have others.
static const char *parameter_named(const RlxOpRow *row, const char *name) {
  static const char *const same[][2] = {
      {"dim", "axis"},         {"dims", "axes"},       {"axis", "axes"}, {"axes", "axis"},
      {"keepdim", "keepdims"}, {"repeats", "repeats"}, {"a_min", "min"}, {"a_max", "max"}};
  for (size_t i = 0; rlx_op_param(row, name) < 0 && i < sizeof same / sizeof *same; i++)
    if (!strcmp(name, same[i][0]) && rlx_op_param(row, same[i][1]) >= 0) return same[i][1];
  return name;
}

/// The parameter of the operator that takes argument `i` of the call; NULL: there is none.
static const RlxOpParam *parameter_of(const RlxSugarWriter *w, const Callee *callee,
                                      const RlxAst *call, uint32_t i) {
  const RlxOpRow *row = callee->row;
  const RlxAst *arg = call->children[i];
  int k = (int)i - (callee->self ? 0 : 1);
  if (arg->kind == RLX_AST_KEYWORD)
    k = rlx_op_param(row, parameter_named(row, rlx_store_text(w->repl->store, arg->name)));
  return k >= 0 && k < row->param_count ? &row->params[k] : NULL;
}

/// The same, when it takes a tensor; else NULL.
static const RlxOpParam *operand_of(const RlxSugarWriter *w, const Callee *callee,
                                    const RlxAst *call, uint32_t i) {
  const RlxOpParam *param = parameter_of(w, callee, call, i);
  return param && param->kind == RLX_PARAM_TENSOR ? param : NULL;
}

/// The numbers of lists in lists, `((1, 1), (0, 0))`, in order; false: something else is among them, or too many.
static bool flatten(const RlxSugarWriter *w, const RlxAst *x, RlxReplNumber *out, int *count) {
  if (x->kind != RLX_AST_TUPLE && x->kind != RLX_AST_LIST)
    return *count < RLX_SUGAR_NDIM_MAX && rlx_repl_number(w->repl, x, &out[(*count)++]);
  for (uint32_t i = 0; i < x->child_count; i++)
    if (!flatten(w, x->children[i], out, count)) return false;
  return true;
}

/// Whether it is a tuple or list of such, for a parameter that takes a pair for each axis: in other orders (padding of a
/// convolution) the pairs would be other numbers.
static bool is_pairs(const RlxOpParam *param, const RlxAst *x) {
  const RlxAst *first = x->child_count ? x->children[0] : x;
  return param->kind == RLX_PARAM_INTS && !strcmp(param->name, "pad_width") &&
         (x->kind == RLX_AST_TUPLE || x->kind == RLX_AST_LIST) &&
         (first->kind == RLX_AST_TUPLE || first->kind == RLX_AST_LIST) && first != x;
}

/// `(n, 2)` for a shape, `n` for an axis, `((1, 1), (0, 0))` for widths: a number of the session, or several with one among them, as numbers. False: it is
/// something else.
static bool write_extents(const RlxSugarWriter *w, const RlxOpParam *param, const RlxAst *value,
                          RlxBuf *out) {
  if (!param || (param->kind != RLX_PARAM_SHAPE && param->kind != RLX_PARAM_INT &&
                 param->kind != RLX_PARAM_INTS && param->kind != RLX_PARAM_PRIM))
    return false;
  RlxReplNumber at[RLX_SUGAR_NDIM_MAX];
  int count = 0;
  bool any = false;
  const bool is_one = value->kind != RLX_AST_TUPLE && value->kind != RLX_AST_LIST;
  for (uint32_t i = 0; !is_one && i < value->child_count; i++)
    any |= value->children[i]->kind != RLX_AST_INT && value->children[i]->kind != RLX_AST_UNARY;
  if (is_one && (param->kind == RLX_PARAM_SHAPE || value->kind == RLX_AST_INT ||
                 value->kind == RLX_AST_UNARY || !rlx_repl_number(w->repl, value, at)))
    return false;
  if (is_pairs(param, value)) {
    if (!flatten(w, value, at, &count)) return false;
  } else if (!is_one && (!any || !rlx_repl_shape(w->repl, value, at, RLX_SUGAR_NDIM_MAX, &count)))
    return false;
  for (int i = 0; i < (is_one ? 1 : count); i++)
    if (at[i].kind != RLX_NUMBER_INT) return false;
  if (is_one)
    rlx_repl_put_number(at, out);
  else {
    rlx_buf_putc(out, '(');
    for (int i = 0; i < count; i++) {
      rlx_repl_put_number(&at[i], out);
      rlx_buf_puts(out, i + 1 < count ? ", " : count == 1 ? ",)" : ")");
    }
  }
  return true;
}

/// Whether the node is a number or a list of numbers.
static bool is_plain(const RlxSugarWriter *w, const RlxAst *x) {
  return rlx_sugar_is_number(w, x) || rlx_repl_is_number_list(w->repl, x);
}

/// The dtype that `dtype="…"` in the call names; unknown: none is.
static RlxDType named_dtype(const RlxSugarWriter *w, const RlxAst *call) {
  RlxDType dtype = rlx_dtype_unknown();
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i], *value = value_of(arg);
    if (arg->kind == RLX_AST_KEYWORD && value->kind == RLX_AST_STRING &&
        !strcmp(rlx_store_text(w->repl->store, arg->name), "dtype") &&
        !rlx_dtype_parse(value->text, strlen(value->text), &dtype))
      dtype = rlx_dtype_unknown();
  }
  return dtype;
}

/// A number or list as an operand: indices are integers; else it has the dtype of the other operands,
/// or its own, which is float32 where the operator computes with floats alone (`sqrt(2)`).
static bool write_operand(RlxSugarWriter *w, const RlxOpRow *row, const RlxOpParam *param,
                          const RlxAst *value, RlxDType dtype, RlxBuf *out) {
  if (!strncmp(param->name, "ind", 3)) dtype = RLX_INT64;
  if (!rlx_dtype_known(dtype) && row->deduce == rlx_deduce_unary_float) dtype = RLX_FLOAT32;
  if (!rlx_dtype_known(dtype) && rlx_sugar_is_number(w, value))
    dtype = rlx_sugar_is_float(w, value) ? RLX_FLOAT32 : RLX_INT64;
  return rlx_sugar_constant(w, value, dtype, out);
}

/// Whether it chooses between other operands, whose dtype is not its own.
static bool is_condition(const RlxOpParam *param) { return !strcmp(param->name, "condition"); }

/// The dtype that the numbers and lists among the operands have in common where no tensor stands beside them:
/// `R.where(v > 1, 1, 0.5)`.
static RlxDType plain_dtype(const RlxSugarWriter *w, const Callee *callee, const RlxAst *call) {
  RlxDType dtype = RLX_BOOL;
  uint32_t count = 0;
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *value = value_of(call->children[i]);
    if (!operand_of(w, callee, call, i) || !is_plain(w, value)) continue;
    dtype = rlx_sugar_beside(w, dtype, value);
    count++;
  }
  return count > 1 ? dtype : rlx_dtype_unknown();
}

/// The dtype of a method's operands: that of the tensor, beside the numbers and lists of the call.
static RlxDType operands_dtype(const RlxSugarWriter *w, const Callee *callee, const RlxAst *call,
                               RlxDType dtype) {
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxOpParam *param = parameter_of(w, callee, call, i);
    const bool is_operand =
        param && (param->kind == RLX_PARAM_TENSOR || param->kind == RLX_PARAM_PRIM); // `clip`
    if (is_operand) dtype = rlx_sugar_beside(w, dtype, value_of(call->children[i]));
  }
  return dtype;
}

/// Writes the call; numbers and lists where the operator wants tensors take the dtype of its first operand that is no
/// condition, `dtype` when it is known.
static void write_arguments(RlxSugarWriter *w, const Callee *callee, const RlxAst *call,
                            RlxDType dtype, RlxBuf *out) {
  Vec(RlxBuf) parts = {0};
  if (!rlx_dtype_known(dtype)) dtype = named_dtype(w, call);
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *value = value_of(call->children[i]);
    RlxBuf part = {0};
    if (!write_extents(w, parameter_of(w, callee, call, i), value, &part) && !is_plain(w, value)) {
      rlx_sugar_put(w, value, &part);
      const RlxOpParam *param = operand_of(w, callee, call, i);
      if (param && !rlx_dtype_known(dtype) && !is_condition(param))
        dtype = rlx_sugar_type(w, value, rlx_buf_text(&part)).dtype;
    }
    rlx_vec_push(&parts, part);
  }
  if (!rlx_dtype_known(dtype)) dtype = plain_dtype(w, callee, call);
  const RlxDType common = callee->promotes ? operands_dtype(w, callee, call, dtype) : dtype;
  const bool is_cast = !rlx_dtype_equal(common, dtype);
  RlxBuf self = {0};
  if (callee->self) rlx_buf_puts(&self, callee->self);
  if (is_cast && callee->self && !is_condition(&callee->row->params[0]))
    rlx_sugar_cast(&self, common);
  rlx_buf_printf(out, "%s(%s", callee->text, rlx_buf_text(&self));
  rlx_buf_free(&self);
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i], *value = value_of(arg);
    const RlxOpParam *param = operand_of(w, callee, call, i);
    if (i > 1 || callee->self) rlx_buf_puts(out, ", ");
    if (arg->kind == RLX_AST_KEYWORD)
      rlx_buf_printf(
          out, "%s=", parameter_named(callee->row, rlx_store_text(w->repl->store, arg->name)));
    if (parts.at[i - 1].size && is_cast && param && !is_condition(param))
      rlx_sugar_cast(&parts.at[i - 1], common);
    if (parts.at[i - 1].size)
      rlx_buf_puts(out, rlx_buf_text(&parts.at[i - 1]));
    else if (!param || !write_operand(w, callee->row, param, value, common, out))
      rlx_sugar_put(w, value, out);
    rlx_buf_free(&parts.at[i - 1]);
  }
  rlx_buf_putc(out, ')');
  rlx_vec_free(&parts);
}

void rlx_sugar_method_call(RlxSugarWriter *w, const RlxOpRow *row, const char *self, RlxDType dtype,
                           const RlxAst *call, RlxBuf *out) {
  RlxBuf name = {0};
  rlx_buf_printf(&name, "R.%.*s", (int)strcspn(row->script, " "), row->script);
  const Callee callee = {row, rlx_buf_text(&name), self, true};
  write_arguments(w, &callee, call, is_condition(&row->params[0]) ? rlx_dtype_unknown() : dtype,
                  out);
  rlx_buf_free(&name);
}

/// The operator that a callee names, as it is written behind "R.": `R.add`, `add`, `relu`. False: it names none.
/// `*is_short`: Relax has it in a namespace that was left out.
static bool operator_of(const RlxSugarWriter *w, const RlxAst *callee, char *name, bool *is_short) {
  const RlxAst *root = rlx_ast_dotted(w->repl->store, callee, name);
  *is_short = false;
  if (root) return !strcmp(rlx_store_text(w->repl->store, root->name), "R");
  const char *first =
      callee->kind == RLX_AST_NAME ? rlx_store_text(w->repl->store, callee->name) : "";
  if (!*first || rlx_sugar_variable(w, first) || rlx_sugar_is_defined(w, first)) return false;
  const char *alias = rlx_sugar_alias(w, first);
  if (alias && strncmp(alias, "R.", 2) != 0) return false; // a function of the user's
  if (alias) {
    snprintf(name, RLX_AST_DOTTED_MAX, "%s", alias + 2);
    return *is_short = true; // it is written out
  }
  snprintf(name, RLX_AST_DOTTED_MAX, "%s", first);
  if (rlx_op_find(name, strlen(name))) return true;
  snprintf(name, RLX_AST_DOTTED_MAX, "nn.%s", first);
  return *is_short = rlx_op_find(name, strlen(name)) != NULL;
}

/// `R.add(v, 1)`
static bool write_operator_call(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  char name[RLX_AST_DOTTED_MAX];
  bool any;
  if (!operator_of(w, ast->children[0], name, &any)) return false;
  RlxBuf text = {0};
  rlx_buf_printf(&text, "R.%s", name);
  const Callee callee = {rlx_op_find(name, strlen(name)), rlx_buf_text(&text), NULL, false};
  for (uint32_t i = 1; callee.row && i < ast->child_count; i++) {
    const RlxAst *value = value_of(ast->children[i]);
    RlxBuf extents = {0};
    any |= (operand_of(w, &callee, ast, i) && is_plain(w, value)) ||
           write_extents(w, parameter_of(w, &callee, ast, i), value, &extents);
    rlx_buf_free(&extents);
  }
  if (any) write_arguments(w, &callee, ast, rlx_dtype_unknown(), out);
  rlx_buf_free(&text);
  return any;
}

void rlx_sugar_data(RlxSugarWriter *w, const char *name, const RlxAst *ast, RlxBuf *out) {
  if (!strcmp(name, "random") && rlx_sugar_random(w, ast, out)) return;
  RlxObject *x = rlx_repl_data_call(w->repl, name, ast);
  if (x)
    rlx_sugar_put_temp(w, !strcmp(name, "load") ? "loaded" : name, x, ast, out);
  else
    w->failed = true;
}

/// `R.const(x)` of a tensor, or of an array that is one here: the tensor, with the dtype that is asked for.
static bool write_const(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  char name[RLX_AST_DOTTED_MAX];
  bool is_short;
  if (!operator_of(w, ast->children[0], name, &is_short) || strcmp(name, "const") != 0 ||
      ast->child_count < 2 || is_plain(w, value_of(ast->children[1])))
    return false;
  const RlxAst *value = value_of(ast->children[1]);
  RlxBuf text = {0};
  const bool is_known = rlx_sugar_array(w, value, &text),
             is_array = is_known && !strncmp(rlx_buf_text(&text), "R.const(", 8);
  if (is_array)
    rlx_sugar_copy_with_numbers(w, ast, out);
  else if (!is_known)
    rlx_sugar_put(w, value, &text);
  const bool is_tensor = !is_array && rlx_sugar_type_of(w, rlx_buf_text(&text)).is_tensor;
  if (is_tensor && ast->child_count == 2)
    rlx_buf_puts(out, rlx_buf_text(&text));
  else if (is_tensor) {
    rlx_buf_printf(out, "R.astype(%s, ", rlx_buf_text(&text));
    rlx_sugar_put(w, value_of(ast->children[2]), out);
    rlx_buf_putc(out, ')');
  }
  rlx_buf_free(&text);
  return is_array || is_tensor;
}

/// `R.shape([n, 2])` of numbers that the session has.
static bool write_shape(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  static const RlxOpParam shape = {.kind = RLX_PARAM_SHAPE};
  char name[RLX_AST_DOTTED_MAX];
  bool is_short;
  RlxBuf extents = {0};
  const bool is_it = ast->child_count == 2 && operator_of(w, ast->children[0], name, &is_short) &&
                     !strcmp(name, "shape") &&
                     write_extents(w, &shape, value_of(ast->children[1]), &extents);
  if (is_it) rlx_buf_printf(out, "R.shape(%s)", rlx_buf_text(&extents));
  rlx_buf_free(&extents);
  return is_it;
}

bool rlx_sugar_call(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  const RlxAst *callee = ast->children[0];
  const bool is_name = callee->kind == RLX_AST_NAME;
  const char *name = is_name ? rlx_store_text(w->repl->store, callee->name) : "";
  if (is_name && rlx_repl_is_python(w->repl, name)) {
    rlx_sugar_refuse(w, RLX_REPL_NO_DECORATOR, name);
    return true;
  }
  if (is_name && !rlx_sugar_is_defined(w, name) && !rlx_repl_find(w->repl, name, strlen(name)) &&
      !rlx_sugar_alias(w, name)) {
    if (rlx_repl_data_named(name)) return rlx_sugar_data(w, name, ast, out), true;
    if (rlx_sugar_builtin(w, name, ast, out)) return true;
  }
  if (write_const(w, ast, out) || write_shape(w, ast, out)) return true;
  if (callee->kind == RLX_AST_ATTRIBUTE && rlx_sugar_method(w, ast, out)) return true;
  return write_operator_call(w, ast, out) || write_own_call(w, ast, out) ||
         write_member_call(w, ast, out);
}
