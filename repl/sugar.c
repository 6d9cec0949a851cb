/// Entries to Relax, from the syntax tree of the expression; kinds of operands are asked of the
/// analyzer where they are not plain.
///
/// Always true: what is not understood stays as it was written, and the analyzer says what it thinks
/// of it.
#include "repl/sugar_impl.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "analyzer/ops/explain.h"
#include "analyzer/ops/op_table.h"
#include "analyzer/syntax/document.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "jit/runtime/format.h"
#include "repl/data.h"
#include "repl/results.h"

enum { DEPTH_MAX = 60 };

static RlxReplSugar *sugar_of(RlxRepl *repl) {
  if (!repl->sugar) {
    repl->sugar = rlx_mem_zeroed(1, sizeof *repl->sugar);
    repl->sugar->doc = rlx_document_new(repl->store, NULL, NULL);
  }
  return repl->sugar;
}

static void drop_temps(RlxReplSugar *s) {
  for (uint32_t i = 0; i < s->temps.count; i++) {
    free(s->temps.at[i].name);
    rlx_object_unref(s->temps.at[i].value);
  }
  rlx_vec_clear(&s->temps);
}

void rlx_repl_sugar_free(RlxRepl *repl) {
  RlxReplSugar *s = repl->sugar;
  if (!s) return;
  drop_temps(s);
  rlx_vec_free(&s->temps);
  for (uint32_t i = 0; i < s->aliases.count; i++) {
    free(s->aliases.at[i].name);
    free(s->aliases.at[i].function);
  }
  rlx_vec_free(&s->aliases);
  if (s->file) rlx_file_close(s->file);
  rlx_document_free(s->doc);
  rlx_buf_free(&s->asked);
  rlx_buf_free(&s->plain);
  rlx_buf_free(&s->source);
  free(s);
  repl->sugar = NULL;
}

// ---- names of the session

static bool is_defined(const RlxRepl *repl, const char *name) {
  for (uint32_t i = 0; i < repl->defs.count; i++)
    if (!strcmp(repl->defs.at[i].name, name)) return true;
  return false;
}

RlxObject *rlx_sugar_variable(const RlxSugarWriter *w, const char *name) {
  RlxReplVar *var = rlx_repl_find(w->repl, name, strlen(name));
  if (var) return var->value;
  for (uint32_t i = 0; i < w->sugar->temps.count; i++)
    if (!strcmp(w->sugar->temps.at[i].name, name)) return w->sugar->temps.at[i].value;
  return NULL;
}

void rlx_sugar_put_temp(RlxSugarWriter *w, const char *stem, RlxObject *value, RlxBuf *out) {
  RlxBuf name = {0};
  for (uint32_t i = 0; i < w->sugar->temps.count; i++)
    if (w->sugar->temps.at[i].value == value) { // the same once more
      rlx_buf_puts(out, w->sugar->temps.at[i].name);
      rlx_object_unref(value);
      return;
    }
  for (int i = 1;; i++) {
    rlx_buf_clear(&name);
    rlx_buf_printf(&name, "%s_%d", stem, i);
    const char *text = rlx_buf_text(&name);
    if (!rlx_sugar_variable(w, text) && !is_defined(w->repl, text)) break;
  }
  rlx_buf_puts(out, rlx_buf_text(&name));
  rlx_vec_push(&w->sugar->temps, (RlxReplVar){rlx_buf_steal(&name), value});
}

/// The function that `name` is another name of; NULL: it is none.
static const char *alias_of(const RlxSugarWriter *w, const char *name) {
  for (uint32_t i = 0; i < w->sugar->aliases.count; i++)
    if (!strcmp(w->sugar->aliases.at[i].name, name)) return w->sugar->aliases.at[i].function;
  return NULL;
}

// ---- kinds

static bool is_mentioned(const char *text, const char *name) {
  size_t n = strlen(name);
  for (const char *p = text; (p = strstr(p, name)); p++)
    if ((p == text || (!rlx_repl_is_name(p[-1]) && p[-1] != '.')) && !rlx_repl_is_name(p[n]))
      return true;
  return false;
}

static void put_definitions(RlxSugarWriter *w, RlxBuf *out) {
  rlx_buf_clear(out);
  rlx_buf_puts(out, "from tvm.script import ir as I, relax as R, tir as T\n\n");
  for (uint32_t i = 0; i < w->repl->defs.count; i++)
    rlx_buf_printf(out, "%s\n\n", w->repl->defs.at[i].text);
}

static void analyze(RlxSugarWriter *w) {
  RlxReplSugar *s = w->sugar;
  if (!s->file)
    s->file = rlx_file_open(w->repl->analyzer, rlx_buf_text(&s->asked), (uint32_t)s->asked.size);
  else
    rlx_file_set_text(s->file, rlx_buf_text(&s->asked), (uint32_t)s->asked.size);
}

static void put_parameters(const char *text, const RlxReplVar *vars, uint32_t count, bool *any,
                           RlxBuf *out) {
  for (uint32_t i = 0; i < count; i++) {
    if (!is_mentioned(text, vars[i].name)) continue;
    rlx_buf_printf(out, "%s%s: ", *any ? ", " : "", vars[i].name);
    rlx_object_print_sinfo(vars[i].value, out);
    *any = true;
  }
}

static void type_from(const RlxSInfo *x, RlxSugarType *t) {
  t->is_tensor = x->kind == RLX_SINFO_TENSOR;
  t->is_shape = x->kind == RLX_SINFO_SHAPE;
  if (!t->is_tensor && !t->is_shape) return;
  t->dtype = t->is_tensor ? x->dtype : rlx_dtype_unknown();
  t->ndim = x->ndim;
  t->has_dims = x->dims && x->ndim >= 0;
  for (int i = 0; i < x->ndim && i < RLX_SUGAR_NDIM_MAX; i++) {
    if (x->dims && rlx_prim_is_const(x->dims[i], &t->dims[i])) continue;
    t->dims[i] = -1;
    t->has_dims = false;
  }
}

static RlxSugarType type_of_text(RlxSugarWriter *w, const char *text) {
  RlxSugarType t = {.dtype = rlx_dtype_unknown(), .ndim = -1};
  RlxBuf *out = &w->sugar->asked;
  bool any = false;
  put_definitions(w, out);
  rlx_buf_puts(out, "@R.function(pure=False)\ndef __entry__(");
  put_parameters(text, w->repl->vars.at, w->repl->vars.count, &any, out);
  put_parameters(text, w->sugar->temps.at, w->sugar->temps.count, &any, out);
  rlx_buf_printf(out, "):\n    __value = %s\n    return __value\n", text);
  analyze(w);
  RlxFunctionViews views = {0};
  rlx_file_functions(w->sugar->file, &views);
  for (uint32_t i = 0; i < views.count; i++) {
    const RlxFunctionView *v = &views.at[i];
    if (!strcmp(rlx_store_text(w->repl->store, v->name), "__entry__") && v->function &&
        v->function->ret)
      type_from(v->function->ret, &t);
  }
  rlx_vec_free(&views);
  return t;
}

static RlxSugarType type_of_value(const RlxObject *x) {
  RlxSugarType t = {.dtype = x->dtype, .ndim = -1};
  t.is_tensor = x->kind == RLX_OBJECT_TENSOR;
  t.is_shape = x->kind == RLX_OBJECT_SHAPE;
  if (!t.is_tensor && !t.is_shape) return t;
  t.ndim = x->count;
  t.has_dims = x->count <= RLX_SUGAR_NDIM_MAX;
  for (int i = 0; t.has_dims && i < x->count; i++) t.dims[i] = x->dims[i];
  return t;
}

/// Whether the node is a number that is known without an evaluation.
static bool is_number(const RlxSugarWriter *w, const RlxAst *a) {
  RlxReplNumber number;
  return rlx_repl_number(w->repl, a, &number);
}

static bool is_float(const RlxSugarWriter *w, const RlxAst *a) {
  RlxReplNumber number;
  return rlx_repl_number(w->repl, a, &number) && number.kind == RLX_NUMBER_FLOAT;
}

/// Appends a number that is known without an evaluation.
static void put_number(const RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  RlxReplNumber number;
  if (rlx_repl_number(w->repl, ast, &number)) rlx_repl_put_number(&number, out);
}

static bool is_number_list(const RlxSugarWriter *w, const RlxAst *a) {
  return rlx_repl_is_number_list(w->repl, a);
}

RlxSugarType rlx_sugar_type(RlxSugarWriter *w, const RlxAst *ast, const char *text) {
  const RlxObject *x = rlx_sugar_variable(w, text);
  if (x) return type_of_value(x);
  if (is_number(w, ast)) return (RlxSugarType){.dtype = rlx_dtype_unknown(), .ndim = -1};
  switch (ast->kind) {
  case RLX_AST_NAME:
  case RLX_AST_CALL:
  case RLX_AST_ATTRIBUTE:
  case RLX_AST_SUBSCRIPT:
  case RLX_AST_UNARY:
  case RLX_AST_BINARY:
  case RLX_AST_COMPARE: return type_of_text(w, text);
  default: return (RlxSugarType){.dtype = rlx_dtype_unknown(), .ndim = -1};
  }
}

// ---- writing

static void copy_text(const RlxSugarWriter *w, uint32_t from, uint32_t to, RlxBuf *out) {
  if (to > from) rlx_buf_putn(out, w->text + from, to - from);
}

bool rlx_sugar_around(RlxSugarWriter *w, const RlxAst *ast, const RlxBuf *first,
                      const RlxBuf *second, RlxBuf *out) {
  uint32_t at = ast->span.start;
  for (uint32_t i = 0; i < ast->child_count; i++) {
    const RlxAst *child = ast->children[i];
    if (child->span.start < at || child->span.end <= child->span.start) continue;
    copy_text(w, at, child->span.start, out);
    const RlxBuf *text = i == 0 ? first : i == 1 ? second : NULL;
    if (text)
      rlx_buf_puts(out, rlx_buf_text(text));
    else
      rlx_sugar_put(w, child, out);
    at = child->span.end;
  }
  copy_text(w, at, ast->span.end, out);
  return true;
}

void rlx_sugar_fail(RlxSugarWriter *w, const RlxError *err) {
  if (!w->failed) printf("error: %s\n", err->text);
  w->failed = true;
}

bool rlx_sugar_constant(RlxSugarWriter *w, const RlxAst *ast, RlxDType dtype, RlxBuf *out) {
  char text[RLX_DTYPE_TEXT_MAX];
  RlxReplNumber number;
  if (rlx_repl_number(w->repl, ast, &number)) {
    const bool is_float = number.kind == RLX_NUMBER_FLOAT;
    if (!rlx_dtype_known(dtype) || (is_float && !rlx_dtype_is_float(dtype))) return false;
    rlx_buf_puts(out, "R.const(");
    if (ast->kind == RLX_AST_FLOAT) // as many digits as were typed
      copy_text(w, ast->span.start, ast->span.end, out);
    else
      rlx_repl_put_number(&number, out);
    rlx_buf_printf(out, ", \"%s\")", rlx_dtype_text(dtype, text));
    return true;
  }
  if (!is_number_list(w, ast)) return false;
  RlxError err = {0};
  RlxObject *x = rlx_repl_literal(w->repl, ast, dtype, &err);
  if (x)
    rlx_sugar_put_temp(w, "list", x, out);
  else
    rlx_sugar_fail(w, &err);
  return true;
}

static const char *operator_of(uint8_t op, const RlxSugarType *t) {
  bool is_bool = rlx_dtype_is_bool(t->dtype);
  switch (op) {
  case RLX_OP_MATMUL: return "R.matmul";
  case RLX_OP_BITAND: return is_bool ? "R.logical_and" : "R.bitwise_and";
  case RLX_OP_BITOR: return is_bool ? "R.logical_or" : "R.bitwise_or";
  case RLX_OP_BITXOR: return is_bool ? "R.logical_xor" : "R.bitwise_xor";
  case RLX_OP_SHL: return "R.left_shift";
  case RLX_OP_SHR: return "R.right_shift";
  case RLX_OP_MOD: return "R.mod";
  case RLX_OP_FLOORDIV: return "R.floor_divide";
  case RLX_OP_POW: return "R.power";
  case RLX_OP_EQ: return "R.equal";
  case RLX_OP_NE: return "R.not_equal";
  case RLX_OP_LT: return "R.less";
  case RLX_OP_LE: return "R.less_equal";
  case RLX_OP_GT: return "R.greater";
  case RLX_OP_GE: return "R.greater_equal";
  case RLX_OP_ADD: return "R.add";
  case RLX_OP_SUB: return "R.subtract";
  case RLX_OP_MUL: return "R.multiply";
  case RLX_OP_DIV: return "R.divide";
  default: return NULL;
  }
}

/// `a op b`: the operator's call where one of both is a tensor.
static bool write_operator(RlxSugarWriter *w, const RlxAst *ast, uint8_t op, RlxBuf *out) {
  const RlxAst *a = ast->children[0], *b = ast->children[1];
  RlxBuf left = {0}, right = {0};
  const bool a_plain = is_number(w, a) || is_number_list(w, a),
             b_plain = is_number(w, b) || is_number_list(w, b);
  bool ok = !(a_plain && b_plain);
  if (ok && !a_plain) rlx_sugar_put(w, a, &left);
  if (ok && !b_plain) rlx_sugar_put(w, b, &right);
  RlxSugarType t = {0};
  if (ok)
    t = !a_plain ? rlx_sugar_type(w, a, rlx_buf_text(&left))
                 : rlx_sugar_type(w, b, rlx_buf_text(&right));
  const char *name = ok && t.is_tensor ? operator_of(op, &t) : NULL;
  ok = name != NULL;
  if (ok && a_plain) ok = rlx_sugar_constant(w, a, t.dtype, &left);
  if (ok && b_plain) ok = rlx_sugar_constant(w, b, t.dtype, &right);
  if (ok)
    rlx_buf_printf(out, "%s(%s, %s)", name, rlx_buf_text(&left), rlx_buf_text(&right));
  else
    rlx_sugar_around(w, ast, left.size ? &left : NULL, right.size ? &right : NULL, out);
  rlx_buf_free(&left);
  rlx_buf_free(&right);
  return true;
}

// ---- attributes and calls

static bool write_attribute(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  static const char *const known[] = {"shape", "T", "ndim", "dtype", "size"};
  const char *name = rlx_store_text(w->repl->store, ast->name);
  size_t which = 0, count = sizeof known / sizeof *known;
  while (which < count && strcmp(name, known[which]) != 0) which++;
  if (which == count) { // np.inf
    put_number(w, ast, out);
    return is_number(w, ast);
  }
  RlxBuf base = {0};
  rlx_sugar_put(w, ast->children[0], &base);
  RlxSugarType t = rlx_sugar_type(w, ast->children[0], rlx_buf_text(&base));
  bool ok = t.is_tensor;
  char dtype[RLX_DTYPE_TEXT_MAX];
  int64_t size = 1;
  for (int i = 0; t.has_dims && i < t.ndim; i++) size *= t.dims[i];
  if (ok && which == 0) rlx_buf_printf(out, "R.shape_of(%s)", rlx_buf_text(&base));
  if (ok && which == 1) rlx_buf_printf(out, "R.permute_dims(%s)", rlx_buf_text(&base));
  if (which == 2 && (ok &= t.ndim >= 0)) rlx_buf_printf(out, "R.prim_value(%d)", t.ndim);
  if (which == 3 && (ok &= rlx_dtype_known(t.dtype)))
    rlx_buf_printf(out, "R.dtype(\"%s\")", rlx_dtype_text(t.dtype, dtype));
  if (which == 4 && (ok &= t.has_dims)) rlx_buf_printf(out, "R.prim_value(%lld)", (long long)size);
  if (!ok) rlx_sugar_around(w, ast, &base, NULL, out);
  rlx_buf_free(&base);
  return true;
}

/// The parameters of the user's function that is called; NULL: it is none.
static const RlxFunction *callee_of(RlxSugarWriter *w, const RlxAst *callee) {
  if (callee->kind != RLX_AST_NAME && callee->kind != RLX_AST_ATTRIBUTE) return NULL;
  const RlxFunction *found = NULL;
  const char *name = rlx_store_text(w->repl->store, callee->name), *alias = alias_of(w, name);
  if (alias && callee->kind == RLX_AST_NAME && !rlx_sugar_variable(w, name)) name = alias;
  put_definitions(w, &w->sugar->asked);
  analyze(w);
  RlxFunctionViews views = {0};
  rlx_file_functions(w->sugar->file, &views);
  for (uint32_t i = 0; i < views.count; i++)
    if (!strcmp(rlx_store_text(w->repl->store, views.at[i].name), name) &&
        views.at[i].kind == RLX_ISLAND_RELAX)
      found = views.at[i].function;
  rlx_vec_free(&views);
  return found;
}

/// An argument of the user's function as its parameter wants it; false: as it is.
static bool write_argument(RlxSugarWriter *w, const RlxAst *arg, const RlxSInfo *want,
                           RlxBuf *out) {
  char dtype[RLX_DTYPE_TEXT_MAX];
  if (want->kind == RLX_SINFO_PRIM && arg->kind != RLX_AST_NAME && is_number(w, arg)) {
    bool plain = !rlx_dtype_known(want->dtype) || rlx_dtype_equal(want->dtype, RLX_INT64);
    if (is_float(w, arg) && plain) return false;
    rlx_buf_puts(out, "R.prim_value(");
    if (!plain) rlx_buf_printf(out, "T.%s(", rlx_dtype_text(want->dtype, dtype));
    put_number(w, arg, out);
    rlx_buf_puts(out, plain ? ")" : "))");
    return true;
  }
  if (want->kind == RLX_SINFO_TENSOR && (is_number(w, arg) || is_number_list(w, arg))) {
    RlxDType t = want->dtype;
    if (!rlx_dtype_known(t)) t = is_float(w, arg) ? RLX_FLOAT32 : RLX_INT64;
    return rlx_sugar_constant(w, arg, t, out);
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

/// Arguments of the user's own functions that are no Relax values yet.
static bool write_own_call(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  const RlxAst *callee = ast->children[0];
  bool any = false;
  for (uint32_t i = 1; i < ast->child_count; i++) {
    uint8_t kind = ast->children[i]->kind;
    any |= is_number(w, ast->children[i]) || kind == RLX_AST_LIST || kind == RLX_AST_TUPLE;
  }
  const RlxFunction *f = any ? callee_of(w, callee) : NULL;
  if (!f) return false;
  // the StructInfos outlive the next question, the function does not
  Vec(const RlxSInfo *) wants = {0};
  for (uint32_t i = 0; i < f->param_count; i++) rlx_vec_push(&wants, f->params[i]->sinfo);
  rlx_sugar_put(w, callee, out);
  rlx_buf_putc(out, '(');
  for (uint32_t i = 1; i < ast->child_count; i++) {
    if (i > 1) rlx_buf_puts(out, ", ");
    const RlxAst *arg = ast->children[i];
    if (i > wants.count || !write_argument(w, arg, wants.at[i - 1], out))
      rlx_sugar_put(w, arg, out);
  }
  rlx_buf_putc(out, ')');
  rlx_vec_free(&wants);
  return true;
}

/// The parameter of the operator that takes argument `i` of the call, when it takes a tensor; else NULL.
static const RlxOpParam *operand_of(const RlxSugarWriter *w, const RlxOpRow *row,
                                    const RlxAst *call, uint32_t i) {
  const RlxAst *arg = call->children[i];
  int k = (int)i - 1;
  if (arg->kind == RLX_AST_KEYWORD) {
    const char *name = rlx_store_text(w->repl->store, arg->name);
    for (k = 0; k < row->param_count && strcmp(row->params[k].name, name) != 0;) k++;
  }
  return k < row->param_count && row->params[k].kind == RLX_PARAM_TENSOR ? &row->params[k] : NULL;
}

/// What argument `arg` of a call gives, behind its keyword.
static const RlxAst *value_of(const RlxAst *arg) {
  return arg->kind == RLX_AST_KEYWORD ? arg->children[0] : arg;
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
/// or its own.
static bool write_operand(RlxSugarWriter *w, const RlxOpParam *param, const RlxAst *value,
                          RlxDType dtype, RlxBuf *out) {
  if (!strncmp(param->name, "ind", 3)) dtype = RLX_INT64;
  if (!rlx_dtype_known(dtype) && is_number(w, value))
    dtype = is_float(w, value) ? RLX_FLOAT32 : RLX_INT64;
  return rlx_sugar_constant(w, value, dtype, out);
}

/// `R.add(v, 1)`: numbers and lists where the operator wants tensors take the dtype of its first operand
/// (of a condition only where all are: `R.where(v > 1, v, 0)`).
static bool write_operator_call(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  char name[RLX_AST_DOTTED_MAX];
  const RlxAst *root = rlx_ast_dotted(w->repl->store, ast->children[0], name);
  if (!root || strcmp(rlx_store_text(w->repl->store, root->name), "R") != 0) return false;
  const RlxOpRow *row = rlx_op_find(name, strlen(name));
  bool any = false;
  for (uint32_t i = 1; row && i < ast->child_count; i++)
    any |= operand_of(w, row, ast, i) && (is_number(w, value_of(ast->children[i])) ||
                                          is_number_list(w, value_of(ast->children[i])));
  if (!any) return false;
  RlxDType dtype = named_dtype(w, ast);
  Vec(RlxBuf) parts = {0};
  for (uint32_t i = 1; i < ast->child_count; i++) {
    const RlxAst *value = value_of(ast->children[i]);
    RlxBuf part = {0};
    if (!is_number(w, value) && !is_number_list(w, value)) {
      rlx_sugar_put(w, value, &part);
      if (operand_of(w, row, ast, i) && (!rlx_dtype_known(dtype) || rlx_dtype_is_bool(dtype)))
        dtype = rlx_sugar_type(w, value, rlx_buf_text(&part)).dtype;
    }
    rlx_vec_push(&parts, part);
  }
  rlx_sugar_put(w, ast->children[0], out);
  for (uint32_t i = 1; i < ast->child_count; i++) {
    const RlxAst *arg = ast->children[i], *value = value_of(arg);
    const RlxOpParam *param = operand_of(w, row, ast, i);
    rlx_buf_puts(out, i > 1 ? ", " : "(");
    copy_text(w, arg->span.start, value->span.start, out); // the keyword
    if (parts.at[i - 1].size)
      rlx_buf_puts(out, rlx_buf_text(&parts.at[i - 1]));
    else if (!param || !write_operand(w, param, value, dtype, out))
      rlx_sugar_put(w, value, out);
    rlx_buf_free(&parts.at[i - 1]);
  }
  rlx_buf_putc(out, ')');
  rlx_vec_free(&parts);
  return true;
}

static bool write_call(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  const RlxAst *callee = ast->children[0];
  const char *name =
      callee->kind == RLX_AST_NAME ? rlx_store_text(w->repl->store, callee->name) : "";
  if (!strcmp(name, "len") && is_number(w, ast)) {
    rlx_buf_puts(out, "R.prim_value(");
    put_number(w, ast, out);
    rlx_buf_putc(out, ')');
    return true;
  }
  if (rlx_repl_data_named(name) && !is_defined(w->repl, name) &&
      !rlx_repl_find(w->repl, name, strlen(name))) {
    RlxObject *x = rlx_repl_data_call(w->repl, name, ast);
    if (x)
      rlx_sugar_put_temp(w, !strcmp(name, "load") ? "loaded" : name, x, out);
    else
      w->failed = true;
    return true;
  }
  if (!strcmp(name, "abs") && ast->child_count == 2 && !is_defined(w->repl, name)) {
    RlxBuf arg = {0};
    rlx_sugar_put(w, ast->children[1], &arg);
    if (rlx_sugar_type(w, ast->children[1], rlx_buf_text(&arg)).is_tensor)
      rlx_buf_printf(out, "R.abs(%s)", rlx_buf_text(&arg));
    else
      rlx_sugar_around(w, ast, NULL, &arg, out);
    rlx_buf_free(&arg);
    return true;
  }
  return write_operator_call(w, ast, out) || write_own_call(w, ast, out);
}

static bool write_name(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  const char *name = rlx_store_text(w->repl->store, ast->name);
  if (rlx_sugar_variable(w, name) || is_defined(w->repl, name)) return false;
  RlxObject *result = *name == '_' ? rlx_repl_result(w->repl, name) : NULL;
  if (result) {
    rlx_sugar_put_temp(w, "result", rlx_object_ref(result), out);
    return true;
  }
  const char *function = alias_of(w, name);
  if (function) rlx_buf_puts(out, function);
  return function != NULL;
}

static bool write_unary(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  if (ast->op != RLX_OP_INVERT) return false;
  RlxBuf base = {0};
  rlx_sugar_put(w, ast->children[0], &base);
  RlxSugarType t = rlx_sugar_type(w, ast->children[0], rlx_buf_text(&base));
  if (t.is_tensor)
    rlx_buf_printf(out, "%s(%s)", rlx_dtype_is_bool(t.dtype) ? "R.logical_not" : "R.bitwise_not",
                   rlx_buf_text(&base));
  else
    rlx_sugar_around(w, ast, &base, NULL, out);
  rlx_buf_free(&base);
  return true;
}

/// Whether the operands of `op` are Relax already when both are tensors.
static bool is_relax_operator(uint8_t op) {
  return op == RLX_OP_ADD || op == RLX_OP_SUB || op == RLX_OP_MUL || op == RLX_OP_DIV;
}

/// Writes what the node stands for; false: nothing was written, and it is Relax.
static bool write_sugar(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  switch (ast->kind) {
  case RLX_AST_NAME: return write_name(w, ast, out);
  case RLX_AST_UNARY: return write_unary(w, ast, out);
  case RLX_AST_BINARY: {
    const RlxAst *a = ast->children[0], *b = ast->children[1];
    bool plain = is_number(w, a) || is_number(w, b) || is_number_list(w, a) || is_number_list(w, b);
    return (plain || !is_relax_operator(ast->op)) && write_operator(w, ast, ast->op, out);
  }
  case RLX_AST_COMPARE: return ast->child_count == 2 && write_operator(w, ast, ast->ops[0], out);
  case RLX_AST_SUBSCRIPT: return rlx_sugar_subscript(w, ast, out);
  case RLX_AST_ATTRIBUTE: return write_attribute(w, ast, out);
  case RLX_AST_CALL: return write_call(w, ast, out);
  default: return false;
  }
}

void rlx_sugar_put(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  w->depth++;
  bool is_done = w->depth < DEPTH_MAX && !w->failed && write_sugar(w, ast, out);
  if (!is_done && w->depth < DEPTH_MAX)
    rlx_sugar_around(w, ast, NULL, NULL, out);
  else if (!is_done)
    copy_text(w, ast->span.start, ast->span.end, out);
  w->depth--;
}

// ---- entries

/// The expression that `text` is, or NULL.
static const RlxAst *parse(RlxReplSugar *s, const char *text) {
  rlx_document_set_text(s->doc, text, (uint32_t)strlen(text));
  const RlxBlock *root = rlx_document_root(s->doc);
  if (root->count != 1 || rlx_document_syntax_errors(s->doc, NULL, 0)) return NULL;
  const RlxStmt *stmt = root->stmts[0];
  return stmt->kind == RLX_STMT_EXPR && !stmt->has_error && !stmt->start ? stmt->value : NULL;
}

static bool prepare(RlxRepl *repl, const char *text) {
  RlxReplSugar *s = sugar_of(repl);
  if (s->is_prepared && !strcmp(rlx_buf_text(&s->source), text)) return true;
  drop_temps(s);
  s->is_prepared = false;
  rlx_buf_clear(&s->source);
  rlx_buf_puts(&s->source, text);
  rlx_buf_clear(&s->plain);
  const RlxAst *ast = repl->nesting ? NULL : parse(s, text); // a file keeps TVM's rules
  RlxSugarWriter w = {.repl = repl, .sugar = s, .text = text};
  if (!ast)
    rlx_buf_puts(&s->plain, text);
  else if (!is_number_list(&w, ast) ||
           !rlx_sugar_constant(&w, ast, rlx_dtype_unknown(), &s->plain)) {
    copy_text(&w, 0, ast->span.start, &s->plain);
    rlx_sugar_put(&w, ast, &s->plain);
    rlx_buf_puts(&s->plain, text + ast->span.end);
  }
  s->is_prepared = !w.failed;
  return !w.failed;
}

/// RlxRepl.plain
static const char *plain(RlxRepl *repl, const char *text) {
  if (!prepare(repl, text)) return NULL;
  RlxReplSugar *s = repl->sugar;
  s->is_prepared = false;
  for (uint32_t i = 0; i < s->temps.count; i++) rlx_vec_push(&repl->vars, s->temps.at[i]);
  s->pushed = s->temps.count;
  return rlx_buf_text(&s->plain);
}

/// RlxRepl.plain_done
static void plain_done(RlxRepl *repl) {
  repl->vars.count -= repl->sugar->pushed;
  repl->sugar->pushed = 0;
}

bool rlx_repl_immediate(RlxRepl *repl, const char *text, RlxObject **out) {
  *out = NULL;
  if (!prepare(repl, text)) return true;
  RlxReplSugar *s = repl->sugar;
  RlxSugarWriter w = {.repl = repl, .sugar = s};
  *out = rlx_object_ref(rlx_sugar_variable(&w, rlx_buf_text(&s->plain)));
  if (*out) s->is_prepared = false;
  return *out != NULL;
}

bool rlx_repl_alias(RlxRepl *repl, const char *name, size_t size, const char *text) {
  RlxReplSugar *s = sugar_of(repl);
  RlxSugarWriter w = {.repl = repl, .sugar = s};
  for (const char *p = text; *p; p++)
    if (!rlx_repl_is_name(*p)) return false;
  const char *function = text;
  for (uint32_t i = 0; i < s->aliases.count; i++)
    if (!strcmp(s->aliases.at[i].name, text)) function = s->aliases.at[i].function;
  if (rlx_sugar_variable(&w, text) || !is_defined(repl, function)) return false;
  char *own = rlx_mem_strndup(name, size), *target = rlx_mem_strdup(function);
  for (uint32_t i = 0; i < s->aliases.count; i++)
    if (!strcmp(s->aliases.at[i].name, own)) {
      free(s->aliases.at[i].function);
      s->aliases.at[i].function = target;
      free(own);
      return true;
    }
  rlx_vec_push(&s->aliases, (RlxSugarAlias){own, target});
  return true;
}

// ---- x? and !command

/// The definition of `name`, its StructInfo and documentation.
static bool tell_about(RlxRepl *repl, const char *name) {
  const char *function = alias_of(&(RlxSugarWriter){.repl = repl, .sugar = sugar_of(repl)}, name);
  if (function && !rlx_repl_find(repl, name, strlen(name))) name = function;
  RlxReplVar *var = rlx_repl_find(repl, name, strlen(name));
  RlxBuf out = {0};
  if (var) {
    rlx_object_print_sinfo(var->value, &out);
    printf("%s: %s\n", name, rlx_buf_text(&out));
    rlx_buf_free(&out);
    return true;
  }
  for (uint32_t i = 0; i < repl->defs.count; i++)
    if (!strcmp(repl->defs.at[i].name, name)) {
      RlxSugarWriter w = {.repl = repl, .sugar = sugar_of(repl)};
      put_definitions(&w, &w.sugar->asked);
      analyze(&w);
      RlxFunctionViews views = {0};
      rlx_file_functions(w.sugar->file, &views);
      for (uint32_t k = 0; k < views.count; k++)
        if (views.at[k].function && views.at[k].function->sinfo &&
            !strcmp(rlx_store_text(repl->store, views.at[k].name), name))
          rlx_sinfo_print(repl->store, views.at[k].function->sinfo, &out);
      rlx_vec_free(&views);
      if (out.size) printf("%s: %s\n", name, rlx_buf_text(&out));
      printf("%s\n", repl->defs.at[i].text);
      rlx_buf_free(&out);
      return true;
    }
  const RlxReplDataRow *data = rlx_repl_data_named(name);
  if (data) rlx_buf_printf(&out, "%s\n%s\n", data->signature, data->help);
  bool ok = data || rlx_explain_word(name, RLX_PAGE_TEXT, &out);
  if (ok)
    printf("%s", rlx_buf_text(&out));
  else
    printf("error: nothing is called %s\n", name);
  rlx_buf_free(&out);
  return ok;
}

bool rlx_repl_shortcut(RlxRepl *repl, const char *text, bool may_run, bool *ok) {
  size_t n = strlen(text);
  if (*text == '!' && n > 1) {
    if (!may_run) {
      printf("error: !command is only run when it is typed at a terminal\n");
      return *ok = false, true;
    }
    fflush(stdout);
    int code = system(text + 1);
    *ok = code == 0;
    if (WIFEXITED(code) && WEXITSTATUS(code)) printf("# exit %d\n", WEXITSTATUS(code));
    return true;
  }
  if (n < 2 || text[n - 1] != '?') return false;
  for (size_t i = 0; i + 1 < n; i++)
    if (!rlx_repl_is_name(text[i]) && text[i] != '.') return false;
  char *name = rlx_mem_strndup(text, n - 1);
  *ok = tell_about(repl, name);
  free(name);
  return true;
}

void rlx_repl_sugar_attach(RlxRepl *repl) {
  repl->plain = plain;
  repl->plain_done = plain_done;
}
