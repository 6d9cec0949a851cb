/// Entries to Relax, from the syntax tree of the expression; kinds of operands are asked of the
/// analyzer where they are not plain.
///
/// Always true: what is not understood stays as it was written, and the analyzer says what it thinks
/// of it.
#include "repl/sugar_impl.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "analyzer/ops/explain.h"
#include "analyzer/ops/op_table.h"
#include "analyzer/syntax/document.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/text.h"
#include "jit/runtime/format.h"
#include "repl/results.h"

enum { DEPTH_MAX = 60 };

RlxReplSugar *rlx_repl_sugar(RlxRepl *repl) {
  if (!repl->sugar) {
    repl->sugar = rlx_mem_zeroed(1, sizeof *repl->sugar);
    repl->sugar->doc = rlx_document_new(repl->store, NULL, NULL);
  }
  return repl->sugar;
}

void rlx_sugar_drop_temps(RlxRepl *repl) {
  for (uint32_t i = 0; i < repl->temps.count; i++) {
    free(repl->temps.at[i].name);
    free(repl->temps.at[i].typed);
    rlx_object_unref(repl->temps.at[i].value);
  }
  rlx_vec_clear(&repl->temps);
}

void rlx_repl_sugar_free(RlxRepl *repl) {
  RlxReplSugar *s = repl->sugar;
  if (!s) return;
  rlx_sugar_drop_temps(repl);
  rlx_vec_free(&repl->temps);
  for (uint32_t i = 0; i < s->aliases.count; i++) {
    free(s->aliases.at[i].name);
    free(s->aliases.at[i].function);
  }
  rlx_vec_free(&s->aliases);
  rlx_strmap_free(&s->alias_places);
  if (s->file) rlx_file_close(s->file);
  rlx_document_free(s->doc);
  rlx_buf_free(&s->asked);
  rlx_buf_free(&s->plain);
  rlx_buf_free(&s->source);
  free(s);
  repl->sugar = NULL;
}

// ---- names of the session

bool rlx_sugar_is_defined(const RlxSugarWriter *w, const char *name) {
  return rlx_repl_find_def(w->repl, name, strlen(name)) != NULL;
}

RlxObject *rlx_sugar_variable(const RlxSugarWriter *w, const char *name) {
  RlxReplVar *var = rlx_repl_find(w->repl, name, strlen(name));
  if (var) return var->value;
  for (uint32_t i = 0; i < w->repl->temps.count; i++)
    if (!strcmp(w->repl->temps.at[i].name, name)) return w->repl->temps.at[i].value;
  return NULL;
}

/// Whether the session has something of its own under that name.
static bool is_taken(const RlxSugarWriter *w, const char *name) {
  return rlx_sugar_variable(w, name) || rlx_sugar_is_defined(w, name);
}

/// A copy of the node's text in one line, if it is short; NULL: it is not.
static char *typed_text(const RlxSugarWriter *w, const RlxAst *node) {
  enum { TYPED_MAX = 400 };
  RlxBuf out = {0};
  if (!node || node->span.end - node->span.start > TYPED_MAX) return NULL;
  for (uint32_t i = node->span.start; i < node->span.end; i++) {
    if (w->text[i] == '#') { // a comment would hide the rest
      rlx_buf_free(&out);
      return NULL;
    }
    const bool is_end = w->text[i] == '\n';
    rlx_buf_putc(&out, is_end ? ' ' : w->text[i]);
    while (is_end && isspace((unsigned char)w->text[i + 1])) i++;
  }
  return rlx_buf_steal(&out);
}

void rlx_sugar_put_temp(RlxSugarWriter *w, const char *stem, RlxObject *value, const RlxAst *typed,
                        RlxBuf *out) {
  RlxBuf name = {0};
  for (uint32_t i = 0; i < w->repl->temps.count; i++)
    if (w->repl->temps.at[i].value == value) { // the same once more
      rlx_buf_puts(out, w->repl->temps.at[i].name);
      rlx_object_unref(value);
      return;
    }
  for (int i = 1;; i++) {
    rlx_buf_clear(&name);
    rlx_buf_printf(&name, "%s_%d", stem, i);
    const char *text = rlx_buf_text(&name);
    if (!is_taken(w, text)) break;
  }
  rlx_buf_puts(out, rlx_buf_text(&name));
  rlx_vec_push(
      &w->repl->temps,
      ((RlxReplVar){.name = rlx_buf_steal(&name), .value = value, .typed = typed_text(w, typed)}));
}

const char *rlx_sugar_alias(const RlxSugarWriter *w, const char *name) {
  uint64_t i;
  return rlx_strmap_get(&w->sugar->alias_places, name, strlen(name), &i)
             ? w->sugar->aliases.at[i].function
             : NULL;
}

bool rlx_sugar_is_library(const RlxSugarWriter *w, const char *name) {
  return rlx_text_is_among(name, RLX_SUGAR_LIBRARIES) && !rlx_sugar_alias(w, name) &&
         !is_taken(w, name);
}

bool rlx_sugar_is_source(const RlxSugarWriter *w, const char *name) {
  const char *alias = rlx_sugar_alias(w, name);
  return alias && !strcmp(alias, RLX_SUGAR_RANDOM) && !is_taken(w, name);
}

// ---- kinds

/// Those that `text` reaches.
static void put_definitions(RlxSugarWriter *w, const char *text, RlxBuf *out) {
  rlx_buf_clear(out);
  rlx_repl_need(w->repl, text);
  rlx_repl_put_definitions(w->repl, true, out);
}

static void analyze(RlxSugarWriter *w) {
  RlxReplSugar *s = w->sugar;
  if (!s->file)
    s->file = rlx_file_open(w->repl->analyzer, rlx_buf_text(&s->asked), (uint32_t)s->asked.size);
  else
    rlx_file_set_text(s->file, rlx_buf_text(&s->asked), (uint32_t)s->asked.size);
}

void rlx_sugar_functions(RlxSugarWriter *w, const char *name, RlxFunctionViews *out) {
  put_definitions(w, name, &w->sugar->asked);
  analyze(w);
  rlx_file_functions(w->sugar->file, out);
}

/// Those of the names that are variables, or what the entry made so far.
static void put_parameters(RlxSugarWriter *w, const RlxReplNames *names, RlxBuf *out) {
  bool any = false;
  for (uint32_t i = 0; i < names->count; i++) {
    const char *name = rlx_store_text(w->repl->store, names->at[i]);
    const RlxObject *value = rlx_sugar_variable(w, name);
    if (!value) continue;
    rlx_buf_printf(out, "%s%s: ", any ? ", " : "", name);
    rlx_object_print_sinfo(value, out);
    any = true;
  }
}

static void type_from(const RlxSInfo *x, RlxSugarType *t) {
  t->is_tensor = x->kind == RLX_SINFO_TENSOR;
  t->is_shape = x->kind == RLX_SINFO_SHAPE;
  t->is_prim = x->kind == RLX_SINFO_PRIM;
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

RlxSugarType rlx_sugar_type_of(RlxSugarWriter *w, const char *text) {
  RlxSugarType t = {.dtype = rlx_dtype_unknown(), .ndim = -1};
  RlxBuf *out = &w->sugar->asked;
  const char *scope = w->scope ? rlx_buf_text(w->scope) : "";
  RlxBuf all = {0};
  rlx_buf_printf(&all, "%s%s", scope, text);
  put_definitions(w, rlx_buf_text(&all), out);
  rlx_buf_puts(out, "@R.function(pure=False)\ndef __entry__(");
  RlxReplNames names = {0};
  rlx_repl_names_in(w->repl, rlx_buf_text(&all), &names);
  rlx_buf_free(&all);
  rlx_repl_once(&names);
  put_parameters(w, &names, out);
  rlx_vec_free(&names);
  rlx_buf_printf(out, "):\n%s    __value = %s\n    return __value\n", scope, text);
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
  t.is_prim = x->kind == RLX_OBJECT_INT || x->kind == RLX_OBJECT_FLOAT;
  if (!t.is_tensor && !t.is_shape) return t;
  t.ndim = x->count;
  t.has_dims = x->count <= RLX_SUGAR_NDIM_MAX;
  for (int i = 0; t.has_dims && i < x->count; i++) t.dims[i] = x->dims[i];
  return t;
}

bool rlx_sugar_is_number(const RlxSugarWriter *w, const RlxAst *a) {
  RlxReplNumber number;
  return rlx_repl_number(w->repl, a, &number);
}

bool rlx_sugar_is_float(const RlxSugarWriter *w, const RlxAst *a) {
  RlxReplNumber number;
  return rlx_repl_number(w->repl, a, &number) && number.kind == RLX_NUMBER_FLOAT;
}

void rlx_sugar_put_number(const RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  RlxReplNumber number;
  if (rlx_repl_number(w->repl, ast, &number)) rlx_repl_put_number(&number, out);
}

RlxSugarType rlx_sugar_type(RlxSugarWriter *w, const RlxAst *ast, const char *text) {
  const RlxObject *x = rlx_sugar_variable(w, text);
  if (x) return type_of_value(x);
  if (rlx_sugar_is_number(w, ast)) return (RlxSugarType){.dtype = rlx_dtype_unknown(), .ndim = -1};
  switch (ast->kind) {
  case RLX_AST_NAME:
  case RLX_AST_CALL:
  case RLX_AST_ATTRIBUTE:
  case RLX_AST_SUBSCRIPT:
  case RLX_AST_UNARY:
  case RLX_AST_BINARY:
  case RLX_AST_BOOL_OP:
  case RLX_AST_CONDITIONAL:
  case RLX_AST_COMPARE: return rlx_sugar_type_of(w, text);
  default: return (RlxSugarType){.dtype = rlx_dtype_unknown(), .ndim = -1};
  }
}

// ---- writing

void rlx_sugar_copy(const RlxSugarWriter *w, uint32_t from, uint32_t to, RlxBuf *out) {
  if (to > from) rlx_buf_putn(out, w->text + from, to - from);
}

void rlx_sugar_copy_with_numbers(const RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  const bool is_literal = ast->kind == RLX_AST_INT || ast->kind == RLX_AST_FLOAT;
  if (!is_literal && rlx_sugar_is_number(w, ast)) {
    rlx_sugar_put_number(w, ast, out);
    return;
  }
  uint32_t at = ast->span.start;
  for (uint32_t i = 0; i < ast->child_count; i++) {
    const RlxAst *child = ast->children[i];
    if (child->span.start < at || child->span.end <= child->span.start) continue;
    rlx_sugar_copy(w, at, child->span.start, out);
    rlx_sugar_copy_with_numbers(w, child, out);
    at = child->span.end;
  }
  rlx_sugar_copy(w, at, ast->span.end, out);
}

bool rlx_sugar_around(RlxSugarWriter *w, const RlxAst *ast, const RlxBuf *first,
                      const RlxBuf *second, RlxBuf *out) {
  uint32_t at = ast->span.start;
  for (uint32_t i = 0; i < ast->child_count; i++) {
    const RlxAst *child = ast->children[i];
    if (child->span.start < at || child->span.end <= child->span.start) continue;
    rlx_sugar_copy(w, at, child->span.start, out);
    const RlxBuf *text = i == 0 ? first : i == 1 ? second : NULL;
    if (text)
      rlx_buf_puts(out, rlx_buf_text(text));
    else
      rlx_sugar_put(w, child, out);
    at = child->span.end;
  }
  rlx_sugar_copy(w, at, ast->span.end, out);
  return true;
}

void rlx_sugar_fail(RlxSugarWriter *w, const RlxError *err) {
  if (!w->failed) rlx_text_say(stdout, "error: %s", err->text);
  w->failed = true;
}

void rlx_sugar_refuse(RlxSugarWriter *w, const char *format, ...) {
  RlxError err = {0};
  va_list args;
  va_start(args, format);
  rlx_error_vset(&err, format, args);
  va_end(args);
  rlx_sugar_fail(w, &err);
}

bool rlx_sugar_constant(RlxSugarWriter *w, const RlxAst *ast, RlxDType dtype, RlxBuf *out) {
  char text[RLX_DTYPE_TEXT_MAX];
  RlxReplNumber number;
  if (rlx_repl_number(w->repl, ast, &number)) {
    const bool is_float = number.kind == RLX_NUMBER_FLOAT;
    if (!rlx_dtype_known(dtype) || (is_float && !rlx_dtype_is_float(dtype))) return false;
    rlx_buf_puts(out, "R.const(");
    if (ast->kind == RLX_AST_FLOAT) // as many digits as were typed
      rlx_sugar_copy(w, ast->span.start, ast->span.end, out);
    else
      rlx_repl_put_number(&number, out);
    rlx_buf_printf(out, ", \"%s\")", rlx_dtype_text(dtype, text));
    return true;
  }
  if (!rlx_repl_is_number_list(w->repl, ast)) return false;
  RlxError err = {0};
  RlxObject *x = rlx_repl_literal(w->repl, ast, dtype, &err);
  if (x)
    rlx_sugar_put_temp(w, "list", x, ast, out);
  else
    rlx_sugar_fail(w, &err);
  return true;
}

const char *rlx_sugar_operator(uint8_t op, const RlxSugarType *t) {
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

/// The dtype that a list of numbers, or a float beside one, has by itself; unknown: it is an integer or bool, which
/// takes that of the list.
static RlxDType own_dtype(const RlxSugarWriter *w, const RlxAst *x) {
  if (rlx_sugar_is_number(w, x))
    return rlx_sugar_is_float(w, x) ? RLX_FLOAT32 : rlx_dtype_unknown();
  RlxError err = {0};
  RlxObject *list = rlx_repl_literal(w->repl, x, rlx_dtype_unknown(), &err);
  const RlxDType dtype = list ? list->dtype : rlx_dtype_unknown();
  rlx_object_unref(list);
  return dtype;
}

RlxDType rlx_sugar_beside(const RlxSugarWriter *w, RlxDType dtype, const RlxAst *x) {
  const bool is_bool = rlx_dtype_is_bool(dtype);
  if (!rlx_dtype_known(dtype) || (!is_bool && !rlx_dtype_is_int(dtype))) return dtype;
  RlxReplNumber number;
  const bool is_number = rlx_repl_number(w->repl, x, &number);
  if (is_number && is_bool && number.kind == RLX_NUMBER_INT) return RLX_INT64;
  if (!is_number && !rlx_repl_is_number_list(w->repl, x)) return dtype;
  const RlxDType own = own_dtype(w, x);
  return rlx_dtype_is_float(own) || (is_bool && rlx_dtype_known(own)) ? own : dtype;
}

void rlx_sugar_cast(RlxBuf *text, RlxDType dtype) {
  char name[RLX_DTYPE_TEXT_MAX];
  RlxBuf outer = {0};
  rlx_buf_printf(&outer, "R.astype(%s, \"%s\")", rlx_buf_text(text), rlx_dtype_text(dtype, name));
  rlx_buf_free(text);
  *text = outer;
}

/// The dtype of an operator's result on two lists of numbers, or on one and a number.
static RlxDType common_dtype(const RlxSugarWriter *w, const RlxAst *a, const RlxAst *b) {
  const RlxDType x = own_dtype(w, a), y = own_dtype(w, b);
  if (!rlx_dtype_known(x) || !rlx_dtype_known(y)) return rlx_dtype_known(x) ? x : y;
  if (rlx_dtype_is_float(x) || rlx_dtype_is_float(y)) return RLX_FLOAT32;
  return rlx_dtype_is_bool(x) ? y : x;
}

/// `f(3) + 1`, `x.max().item() == 2` of an R.Prim: what is no number yet is evaluated. False: one of both is none, or
/// the operator gives nothing of them.
static bool write_scalars(RlxSugarWriter *w, const RlxAst *ast, uint8_t op, const char *left,
                          const char *right, RlxBuf *out) {
  RlxReplNumber a, b, result;
  if (!rlx_sugar_number_of(w, ast->children[0], left, &a) ||
      !rlx_sugar_number_of(w, ast->children[1], right, &b) ||
      !rlx_repl_compute(op, &a, &b, &result))
    return w->failed;
  const bool is_integer = result.kind == RLX_NUMBER_INT;
  rlx_buf_puts(out, is_integer ? "R.prim_value(" : "");
  rlx_repl_put_number(&result, out);
  rlx_buf_puts(out, is_integer ? ")" : "");
  return true;
}

/// `a op b`: the operator's call where one of both is a tensor or a list of numbers.
static bool write_operator(RlxSugarWriter *w, const RlxAst *ast, uint8_t op, RlxBuf *out) {
  const RlxAst *a = ast->children[0], *b = ast->children[1];
  RlxBuf left = {0}, right = {0};
  const bool a_list = rlx_repl_is_number_list(w->repl, a),
             b_list = rlx_repl_is_number_list(w->repl, b),
             a_plain = a_list || rlx_sugar_is_number(w, a),
             b_plain = b_list || rlx_sugar_is_number(w, b), are_lists = a_plain && b_plain;
  bool ok = !are_lists || a_list || b_list;
  if (ok && !a_plain) rlx_sugar_put(w, a, &left);
  if (ok && !b_plain) rlx_sugar_put(w, b, &right);
  RlxSugarType t = {0};
  if (ok && are_lists)
    t = (RlxSugarType){.is_tensor = true, .dtype = common_dtype(w, a, b)};
  else if (ok)
    t = !a_plain ? rlx_sugar_type(w, a, rlx_buf_text(&left))
                 : rlx_sugar_type(w, b, rlx_buf_text(&right));
  if (ok && t.is_tensor && a_plain != b_plain) {
    const RlxDType dtype = rlx_sugar_beside(w, t.dtype, a_plain ? a : b);
    if (!rlx_dtype_equal(dtype, t.dtype)) rlx_sugar_cast(a_plain ? &right : &left, dtype);
    t.dtype = dtype;
  }
  const char *name = ok && t.is_tensor ? rlx_sugar_operator(op, &t) : NULL;
  ok = name != NULL;
  if (ok && a_plain) ok = rlx_sugar_constant(w, a, t.dtype, &left);
  if (ok && b_plain) ok = rlx_sugar_constant(w, b, t.dtype, &right);
  if (ok)
    rlx_buf_printf(out, "%s(%s, %s)", name, rlx_buf_text(&left), rlx_buf_text(&right));
  else if (!t.is_prim || !write_scalars(w, ast, op, rlx_buf_text(&left), rlx_buf_text(&right), out))
    rlx_sugar_around(w, ast, left.size ? &left : NULL, right.size ? &right : NULL, out);
  rlx_buf_free(&left);
  rlx_buf_free(&right);
  return true;
}

static const RlxReplDef *definition_of(const RlxSugarWriter *w, const RlxAst *ast) {
  const char *name = ast->kind == RLX_AST_NAME ? rlx_store_text(w->repl->store, ast->name) : NULL;
  return name ? rlx_repl_find_def(w->repl, name, strlen(name)) : NULL;
}

static bool write_name(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  const char *name = rlx_store_text(w->repl->store, ast->name);
  const RlxReplDef *def = w->depth == 1 ? definition_of(w, ast) : NULL;
  if (def && def->is_symbol) {
    rlx_sugar_refuse(w,
                     "`%s` is a symbolic dimension without a value; `y = R.match_cast(x, "
                     "R.Tensor((%s,), \"float32\"))` gives it that of a tensor",
                     name, name);
    return true;
  }
  if (is_taken(w, name)) return false;
  RlxObject *result = *name == '_' ? rlx_repl_result(w->repl, name) : NULL;
  if (result) {
    rlx_sugar_put_temp(w, "result", rlx_object_ref(result), ast, out);
    return true;
  }
  const char *function = rlx_sugar_alias(w, name);
  if (function && !strcmp(function, RLX_SUGAR_RANDOM))
    rlx_sugar_refuse(w, "`%s` is no value: `%s.normal(size=(2, 3))` gives random numbers", name,
                     name);
  else if (function)
    rlx_buf_puts(out, function);
  return function != NULL;
}

/// `~x`, `+x`
static bool write_unary(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  const bool is_plus = ast->op == RLX_OP_POS;
  if ((ast->op != RLX_OP_INVERT && !is_plus) || rlx_sugar_is_number(w, ast)) return false;
  RlxBuf base = {0};
  rlx_sugar_put(w, ast->children[0], &base);
  RlxSugarType t = rlx_sugar_type(w, ast->children[0], rlx_buf_text(&base));
  if (t.is_tensor && is_plus)
    rlx_buf_puts(out, rlx_buf_text(&base));
  else if (t.is_tensor)
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

/// Whether the expression has numbers in it that are not written out: `x.size / 2`.
static bool is_computed(const RlxAst *ast) {
  if (ast->kind == RLX_AST_ATTRIBUTE || ast->kind == RLX_AST_CALL || ast->kind == RLX_AST_SUBSCRIPT)
    return true;
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (is_computed(ast->children[i])) return true;
  return false;
}

/// Whether the expression mentions a symbolic dimension that has a value, or `with_variables` an R.Prim.
static bool has_extent(const RlxSugarWriter *w, const RlxAst *ast, bool with_variables) {
  const RlxReplDef *def = definition_of(w, ast);
  if (def && def->is_extent) return true;
  const RlxObject *value = with_variables && ast->kind == RLX_AST_NAME
                               ? rlx_sugar_variable(w, rlx_store_text(w->repl->store, ast->name))
                               : NULL;
  if (value && (value->kind == RLX_OBJECT_INT || value->kind == RLX_OBJECT_FLOAT)) return true;
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (has_extent(w, ast->children[i], with_variables)) return true;
  return false;
}

/// A number alone that int32 does not hold, which is what TVM makes of an integer without a dtype.
static bool write_wide(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  RlxReplNumber n;
  const bool is_own = ast->kind == RLX_AST_INT || ast->kind == RLX_AST_UNARY ||
                      ast->kind == RLX_AST_BINARY || definition_of(w, ast);
  if (w->depth != 1 || !is_own || !rlx_repl_number(w->repl, ast, &n)) return false;
  const bool is_wide = n.kind == RLX_NUMBER_INT && (n.integer < INT32_MIN || n.integer > INT32_MAX);
  return (is_wide && rlx_sugar_constant(w, ast, RLX_INT64, out)) ||
         (n.kind == RLX_NUMBER_UNSIGNED &&
          rlx_sugar_constant(w, ast, rlx_dtype(RLX_DTYPE_UINT, 64), out));
}

/// `x.shape[0] + 1` as a number, and `n + 1` alone; false: it is none, or TVM knows it as it is written.
static bool write_number(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  const bool has_operator = ast->kind == RLX_AST_BINARY || ast->kind == RLX_AST_UNARY,
             is_one = (has_operator && is_computed(ast)) ||
                      (w->depth == 1 && (has_operator || ast->kind == RLX_AST_NAME) &&
                       has_extent(w, ast, has_operator));
  if (!is_one || !rlx_sugar_is_number(w, ast)) return false;
  const bool is_integer = !rlx_sugar_is_float(w, ast); // as x.size alone
  if (is_integer) rlx_buf_puts(out, "R.prim_value(");
  rlx_sugar_put_number(w, ast, out);
  if (is_integer) rlx_buf_putc(out, ')');
  return true;
}

/// Whether it is a number of Python's divided by 0, which Python refuses; of tensors it gives inf and nan.
static bool divides_by_zero(const RlxSugarWriter *w, const RlxAst *ast) {
  RlxReplNumber number;
  return (ast->op == RLX_OP_DIV || ast->op == RLX_OP_FLOORDIV || ast->op == RLX_OP_MOD) &&
         rlx_repl_number(w->repl, ast->children[0], &number) &&
         rlx_repl_number(w->repl, ast->children[1], &number) && number.value == 0;
}

/// Says once, of what is typed, what TVM's `/` and `%` give of tensors of integers, where numpy's give others.
static void tell_integers(RlxSugarWriter *w, const RlxAst *ast) {
  bool *told = ast->op == RLX_OP_DIV ? &w->sugar->told_divide : &w->sugar->told_mod;
  if ((ast->op != RLX_OP_DIV && ast->op != RLX_OP_MOD) || !w->repl->is_typed || *told) return;
  for (int i = 0; i < 2; i++) {
    RlxBuf text = {0};
    rlx_sugar_put(w, ast->children[i], &text);
    const RlxSugarType t = rlx_sugar_type(w, ast->children[i], rlx_buf_text(&text));
    rlx_buf_free(&text);
    if (!t.is_tensor) continue;
    *told = rlx_dtype_is_int(rlx_sugar_beside(w, t.dtype, ast->children[1 - i]));
    break;
  }
  if (*told && ast->op == RLX_OP_DIV)
    printf("note: `/` of integers is R.divide, which drops the fraction; `x.float() / y` keeps "
           "it\n");
  else if (*told)
    printf("note: `%%` is R.mod, whose results have the sign of x; those of `R.floor_mod(x, y)` "
           "have y's, as Python's\n");
}

/// Writes what the node stands for; false: nothing was written, and it is Relax.
static bool write_sugar(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  if (rlx_sugar_truth(w, ast, out) || write_number(w, ast, out) || write_wide(w, ast, out))
    return true;
  switch (ast->kind) {
  case RLX_AST_NAME: return write_name(w, ast, out);
  case RLX_AST_COMPREHENSION: return rlx_sugar_comprehension(w, ast, out);
  case RLX_AST_UNARY: return write_unary(w, ast, out);
  case RLX_AST_BINARY: {
    const RlxAst *a = ast->children[0], *b = ast->children[1];
    if (divides_by_zero(w, ast)) return rlx_sugar_refuse(w, "division by zero"), true;
    tell_integers(w, ast);
    bool plain = rlx_sugar_is_number(w, a) || rlx_sugar_is_number(w, b) ||
                 rlx_repl_is_number_list(w->repl, a) || rlx_repl_is_number_list(w->repl, b);
    return (plain || !is_relax_operator(ast->op)) && write_operator(w, ast, ast->op, out);
  }
  case RLX_AST_COMPARE: return ast->child_count == 2 && write_operator(w, ast, ast->ops[0], out);
  case RLX_AST_SUBSCRIPT: return rlx_sugar_subscript(w, ast, out);
  case RLX_AST_ATTRIBUTE: return rlx_sugar_attribute(w, ast, out);
  case RLX_AST_CALL: return rlx_sugar_call(w, ast, out);
  default: return false;
  }
}

void rlx_sugar_put(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  const RlxAst *outer = w->node;
  w->depth++;
  w->node = ast;
  bool is_done = w->depth < DEPTH_MAX && !w->failed && write_sugar(w, ast, out);
  if (!is_done && w->depth < DEPTH_MAX)
    rlx_sugar_around(w, ast, NULL, NULL, out);
  else if (!is_done)
    rlx_sugar_copy(w, ast->span.start, ast->span.end, out);
  w->node = outer;
  w->depth--;
}
