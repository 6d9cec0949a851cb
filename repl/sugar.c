/// Entries to Relax, from the syntax tree of the expression; kinds of operands are asked of the
/// analyzer where they are not plain.
///
/// Always true: what is not understood stays as it was written, and the analyzer says what it thinks
/// of it.
#include "repl/sugar.h"

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

enum { INDICES_MAX = 64, DEPTH_MAX = 60 };

typedef struct Alias {
  char *name, *function;
} Alias;

struct RlxReplSugar {
  RlxFile *file;    ///< for questions about kinds
  RlxDocument *doc; ///< the expression
  RlxBuf asked, plain, source;
  Vec(RlxReplVar) temps;
  Vec(Alias) aliases;
  uint32_t pushed;  ///< variables of the session that are temps
  bool is_prepared; ///< `plain` is what `source` stands for
};

/// What an operand is.
typedef struct Type {
  bool is_tensor, is_shape;
  RlxDType dtype;
  int ndim; ///< -1: unknown
  bool has_dims;
  int64_t dims[INDICES_MAX];
} Type;

typedef struct Writer {
  RlxRepl *repl;
  RlxReplSugar *sugar;
  const char *text; ///< of the entry
  int depth;
  bool failed;
} Writer;

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

static RlxObject *variable(const Writer *w, const char *name) {
  RlxReplVar *var = rlx_repl_find(w->repl, name, strlen(name));
  if (var) return var->value;
  for (uint32_t i = 0; i < w->sugar->temps.count; i++)
    if (!strcmp(w->sugar->temps.at[i].name, name)) return w->sugar->temps.at[i].value;
  return NULL;
}

/// Writes a name for `value`, whose reference it takes: `stem` with a number behind it.
static void put_temp(Writer *w, const char *stem, RlxObject *value, RlxBuf *out) {
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
    if (!variable(w, text) && !is_defined(w->repl, text)) break;
  }
  rlx_buf_puts(out, rlx_buf_text(&name));
  rlx_vec_push(&w->sugar->temps, (RlxReplVar){rlx_buf_steal(&name), value});
}

/// The function that `name` is another name of; NULL: it is none.
static const char *alias_of(const Writer *w, const char *name) {
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

static void put_definitions(Writer *w, RlxBuf *out) {
  rlx_buf_clear(out);
  rlx_buf_puts(out, "from tvm.script import ir as I, relax as R, tir as T\n\n");
  for (uint32_t i = 0; i < w->repl->defs.count; i++)
    rlx_buf_printf(out, "%s\n\n", w->repl->defs.at[i].text);
}

static void analyze(Writer *w) {
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

static void type_from(const RlxSInfo *x, Type *t) {
  t->is_tensor = x->kind == RLX_SINFO_TENSOR;
  t->is_shape = x->kind == RLX_SINFO_SHAPE;
  if (!t->is_tensor && !t->is_shape) return;
  t->dtype = t->is_tensor ? x->dtype : rlx_dtype_unknown();
  t->ndim = x->ndim;
  t->has_dims = x->dims && x->ndim >= 0 && x->ndim <= INDICES_MAX;
  for (int i = 0; t->has_dims && i < x->ndim; i++)
    t->has_dims = rlx_prim_is_const(x->dims[i], &t->dims[i]);
}

static Type type_of_text(Writer *w, const char *text) {
  Type t = {.dtype = rlx_dtype_unknown(), .ndim = -1};
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

static Type type_of_value(const RlxObject *x) {
  Type t = {.dtype = x->dtype, .ndim = -1};
  t.is_tensor = x->kind == RLX_OBJECT_TENSOR;
  t.is_shape = x->kind == RLX_OBJECT_SHAPE;
  if (!t.is_tensor && !t.is_shape) return t;
  t.ndim = x->count;
  t.has_dims = x->count <= INDICES_MAX;
  for (int i = 0; t.has_dims && i < x->count; i++) t.dims[i] = x->dims[i];
  return t;
}

/// What the constant `name` of the session is written as ("3"); NULL: it is none.
static const char *constant_of(const Writer *w, const RlxAst *a) {
  const char *name = a->kind == RLX_AST_NAME ? rlx_store_text(w->repl->store, a->name) : NULL;
  size_t n = name ? strlen(name) : 0;
  for (uint32_t i = 0; name && i < w->repl->defs.count; i++) {
    const RlxReplDef *def = &w->repl->defs.at[i];
    const char *text = def->text;
    if (strcmp(def->name, name) != 0 || strncmp(text, name, n) != 0) continue;
    text += n + strspn(text + n, " ");
    if (*text++ != '=') continue;
    text += strspn(text, " ");
    if (strspn(text, "0123456789.e+-_") == strlen(text) && *text) return text;
  }
  return NULL;
}

/// A number of Python: literals, constants of the session, and what is computed of these.
static bool is_number(const Writer *w, const RlxAst *a) {
  if (a->kind == RLX_AST_UNARY && (a->op == RLX_OP_NEG || a->op == RLX_OP_POS))
    return is_number(w, a->children[0]);
  if (a->kind == RLX_AST_BINARY)
    return is_number(w, a->children[0]) && is_number(w, a->children[1]);
  return a->kind == RLX_AST_INT || a->kind == RLX_AST_FLOAT || a->kind == RLX_AST_TRUE ||
         a->kind == RLX_AST_FALSE || constant_of(w, a);
}

static bool is_float(const Writer *w, const RlxAst *a) {
  if (a->kind == RLX_AST_BINARY)
    return a->op == RLX_OP_DIV || is_float(w, a->children[0]) || is_float(w, a->children[1]);
  if (a->kind == RLX_AST_UNARY) return is_float(w, a->children[0]);
  const char *text = constant_of(w, a);
  return text ? strpbrk(text, ".e") != NULL : a->kind == RLX_AST_FLOAT;
}

/// What `ast` is, whose Relax is `text`.
static Type type_of(Writer *w, const RlxAst *ast, const char *text) {
  const RlxObject *x = variable(w, text);
  if (x) return type_of_value(x);
  if (is_number(w, ast)) return (Type){.dtype = rlx_dtype_unknown(), .ndim = -1};
  switch (ast->kind) {
  case RLX_AST_NAME:
  case RLX_AST_CALL:
  case RLX_AST_ATTRIBUTE:
  case RLX_AST_SUBSCRIPT:
  case RLX_AST_UNARY:
  case RLX_AST_BINARY:
  case RLX_AST_COMPARE: return type_of_text(w, text);
  default: return (Type){.dtype = rlx_dtype_unknown(), .ndim = -1};
  }
}

static bool as_integer(const RlxAst *a, int64_t *out) {
  bool negative = a->kind == RLX_AST_UNARY && a->op == RLX_OP_NEG;
  if (negative) a = a->children[0];
  if (a->kind != RLX_AST_INT || a->is_big) return false;
  *out = negative ? -a->integer : a->integer;
  return true;
}

/// Lists of numbers, however nested; not an empty one.
static bool is_number_list(const RlxAst *a) {
  if (a->kind != RLX_AST_LIST || !a->child_count) return false;
  for (uint32_t i = 0; i < a->child_count; i++) {
    const RlxAst *c = a->children[i];
    if (c->kind == RLX_AST_UNARY && (c->op == RLX_OP_NEG || c->op == RLX_OP_POS))
      c = c->children[0];
    bool is_plain = c->kind == RLX_AST_INT || c->kind == RLX_AST_FLOAT || c->kind == RLX_AST_TRUE ||
                    c->kind == RLX_AST_FALSE;
    if (!is_plain && !is_number_list(c)) return false;
  }
  return true;
}

// ---- writing

static void put(Writer *w, const RlxAst *ast, RlxBuf *out);

static void copy_text(const Writer *w, uint32_t from, uint32_t to, RlxBuf *out) {
  if (to > from) rlx_buf_putn(out, w->text + from, to - from);
}

/// The node as it is written, its children as Relax; the first two may be there already (else NULL),
/// so that nothing is written twice.
static bool write_around(Writer *w, const RlxAst *ast, const RlxBuf *first, const RlxBuf *second,
                         RlxBuf *out) {
  uint32_t at = ast->span.start;
  for (uint32_t i = 0; i < ast->child_count; i++) {
    const RlxAst *child = ast->children[i];
    if (child->span.start < at || child->span.end <= child->span.start) continue;
    copy_text(w, at, child->span.start, out);
    const RlxBuf *text = i == 0 ? first : i == 1 ? second : NULL;
    if (text)
      rlx_buf_puts(out, rlx_buf_text(text));
    else
      put(w, child, out);
    at = child->span.end;
  }
  copy_text(w, at, ast->span.end, out);
  return true;
}

static void fail(Writer *w, const RlxError *err) {
  if (!w->failed) printf("error: %s\n", err->text);
  w->failed = true;
}

/// A number or list of numbers as a tensor of `dtype`; false: it is none, or it would be cut off.
static bool write_constant(Writer *w, const RlxAst *ast, RlxDType dtype, RlxBuf *out) {
  char text[RLX_DTYPE_TEXT_MAX];
  if (is_number(w, ast)) {
    if (!rlx_dtype_known(dtype) || (is_float(w, ast) && !rlx_dtype_is_float(dtype))) return false;
    rlx_buf_puts(out, "R.const(");
    copy_text(w, ast->span.start, ast->span.end, out);
    rlx_buf_printf(out, ", \"%s\")", rlx_dtype_text(dtype, text));
    return true;
  }
  if (!is_number_list(ast)) return false;
  RlxError err = {0};
  RlxObject *x = rlx_repl_literal(w->repl, ast, dtype, &err);
  if (x)
    put_temp(w, "list", x, out);
  else
    fail(w, &err);
  return true;
}

static const char *operator_of(uint8_t op, const Type *t) {
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
static bool write_operator(Writer *w, const RlxAst *ast, uint8_t op, RlxBuf *out) {
  const RlxAst *a = ast->children[0], *b = ast->children[1];
  RlxBuf left = {0}, right = {0};
  const bool a_plain = is_number(w, a) || is_number_list(a),
             b_plain = is_number(w, b) || is_number_list(b);
  bool ok = !(a_plain && b_plain);
  if (ok && !a_plain) put(w, a, &left);
  if (ok && !b_plain) put(w, b, &right);
  Type t = {0};
  if (ok) t = !a_plain ? type_of(w, a, rlx_buf_text(&left)) : type_of(w, b, rlx_buf_text(&right));
  const char *name = ok && t.is_tensor ? operator_of(op, &t) : NULL;
  ok = name != NULL;
  if (ok && a_plain) ok = write_constant(w, a, t.dtype, &left);
  if (ok && b_plain) ok = write_constant(w, b, t.dtype, &right);
  if (ok)
    rlx_buf_printf(out, "%s(%s, %s)", name, rlx_buf_text(&left), rlx_buf_text(&right));
  else
    write_around(w, ast, left.size ? &left : NULL, right.size ? &right : NULL, out);
  rlx_buf_free(&left);
  rlx_buf_free(&right);
  return true;
}

// ---- subscripts

typedef struct Index {
  int axis;
  int64_t begin, end, step;
} Index;

static int64_t clamp(int64_t v, int64_t low, int64_t high) {
  return v < low ? low : v > high ? high : v;
}

/// A slice as R.strided_slice has it: ends inside of [0, length], but -length - 1 for one before the
/// first element.
static bool slice_of(const RlxAst *slice, int64_t length, Index *out) {
  int64_t v[3] = {0, 0, 1};
  bool has[3];
  for (uint32_t i = 0; i < 3; i++) {
    const RlxAst *part = i < slice->child_count ? slice->children[i] : NULL;
    has[i] = part && !(part->kind == RLX_AST_NONE);
    if (has[i] && !as_integer(part, &v[i])) return false;
  }
  int64_t step = v[2], low = step < 0 ? -1 : 0, high = step < 0 ? length - 1 : length;
  if (!step) return false;
  for (int i = 0; i < 2; i++) {
    if (has[i] && v[i] < 0) v[i] += length;
    if (has[i])
      v[i] = clamp(v[i], low, high);
    else
      v[i] = (step < 0) == (i == 0) ? high : low;
  }
  out->begin = v[0];
  out->end = step < 0 && v[1] < 0 ? -length - 1 : v[1];
  out->step = step;
  return true;
}

static void put_numbers(const char *name, const int64_t *v, int count, RlxBuf *out) {
  rlx_buf_printf(out, ", %s=[", name);
  for (int i = 0; i < count; i++) rlx_buf_printf(out, "%s%lld", i ? ", " : "", (long long)v[i]);
  rlx_buf_putc(out, ']');
}

/// Whether the list is one of True and False alone, however nested.
static bool is_mask_list(const RlxAst *a) {
  if (a->kind != RLX_AST_LIST) return a->kind == RLX_AST_TRUE || a->kind == RLX_AST_FALSE;
  for (uint32_t i = 0; i < a->child_count; i++)
    if (!is_mask_list(a->children[i])) return false;
  return a->child_count > 0;
}

/// `x[mask]`: the elements of `base` where `mask` is true, of its first dimensions those that the mask
/// has. False: how many these are is not known.
static bool write_masked(Writer *w, const Type *t, const char *base, const Type *tm,
                         const char *mask, RlxBuf *out) {
  const int n = tm->ndim;
  RlxError err = {0};
  if (n < 1 || (n > 1 && n < t->ndim && !t->has_dims)) return false;
  if (n > t->ndim) rlx_error_set(&err, "a mask of %d dimensions for a tensor of %d", n, t->ndim);
  for (int i = 0; i < n && n <= t->ndim && t->has_dims && tm->has_dims; i++)
    if (t->dims[i] != tm->dims[i])
      rlx_error_set(&err, "dimension %d has extent %lld, that of the mask is %lld", i,
                    (long long)t->dims[i], (long long)tm->dims[i]);
  if (*err.text) return fail(w, &err), true;
  if (n == 1)
    rlx_buf_printf(out, "R.take(%s, R.flatten(R.nonzero(%s)), axis=0)", base, mask);
  else if (n == t->ndim)
    rlx_buf_printf(out, "R.take(R.flatten(%s), R.flatten(R.nonzero(R.flatten(%s))), axis=0)", base,
                   mask);
  else {
    rlx_buf_printf(out, "R.take(R.reshape(%s, (-1", base);
    for (int i = n; i < t->ndim; i++) rlx_buf_printf(out, ", %lld", (long long)t->dims[i]);
    rlx_buf_printf(out, ")), R.flatten(R.nonzero(R.flatten(%s))), axis=0)", mask);
  }
  return true;
}

/// `x[index]` of a tensor of integers or a mask. False: it is neither.
static bool write_index(Writer *w, const RlxAst *it, const Type *t, const char *base, RlxBuf *out) {
  RlxBuf index = {0};
  const RlxDType of_list = is_mask_list(it) ? RLX_BOOL : RLX_INT64;
  if (!(is_number_list(it) && write_constant(w, it, of_list, &index))) put(w, it, &index);
  const char *text = rlx_buf_text(&index);
  Type ti = type_of(w, it, text);
  bool ok = ti.is_tensor && !rlx_dtype_is_float(ti.dtype);
  if (ok && rlx_dtype_is_bool(ti.dtype))
    ok = write_masked(w, t, base, &ti, text, out);
  else if (ok)
    rlx_buf_printf(out, "R.take(%s, %s, axis=0)", base, text);
  rlx_buf_free(&index);
  return ok;
}

static bool write_subscript_of_tensor(Writer *w, const RlxAst *ast, const Type *t, const char *base,
                                      RlxBuf *out) {
  uint32_t items = ast->child_count - 1, used = 0, ellipsis = 0;
  const RlxAst *const *item = (const RlxAst *const *)ast->children + 1;
  if (items == 1 && item[0]->kind == RLX_AST_TUPLE) {
    items = item[0]->child_count;
    item = (const RlxAst *const *)item[0]->children;
  }
  for (uint32_t i = 0; i < items; i++) {
    used += item[i]->kind != RLX_AST_NONE && item[i]->kind != RLX_AST_ELLIPSIS;
    ellipsis += item[i]->kind == RLX_AST_ELLIPSIS;
  }
  RlxError err = {0};
  if (t->ndim < 0 || ellipsis > 1) return false;
  int64_t number;
  if (items == 1 && used && item[0]->kind != RLX_AST_SLICE && !as_integer(item[0], &number))
    return write_index(w, item[0], t, base, out);
  if ((int)used > t->ndim) {
    rlx_error_set(&err, "%u indices for a tensor of %d dimension%s", used, t->ndim,
                  t->ndim == 1 ? "" : "s");
    fail(w, &err);
    return true;
  }
  int64_t axes[INDICES_MAX], begin[INDICES_MAX], end[INDICES_MAX], step[INDICES_MAX],
      squeezed[INDICES_MAX], added[INDICES_MAX];
  int slices = 0, squeezes = 0, adds = 0, axis = 0, place = 0; // place: in the result
  for (uint32_t i = 0; i < items; i++) {
    const RlxAst *it = item[i];
    if (it->kind == RLX_AST_ELLIPSIS) {
      int skipped = t->ndim - (int)used;
      axis += skipped;
      place += skipped;
      continue;
    }
    if (it->kind == RLX_AST_NONE) {
      if (adds == INDICES_MAX) return false;
      added[adds++] = place++;
      continue;
    }
    Index x = {.axis = axis};
    int64_t k;
    if (it->kind == RLX_AST_SLICE) {
      bool is_all = true;
      for (uint32_t c = 0; c < it->child_count; c++)
        is_all &= it->children[c]->kind == RLX_AST_NONE;
      if (!is_all && (!t->has_dims || !slice_of(it, t->dims[axis], &x))) return false;
      place++;
      if (is_all) {
        axis++;
        continue;
      }
    } else if (as_integer(it, &k)) {
      if (!t->has_dims) return false;
      int64_t length = t->dims[axis];
      if (k < -length || k >= length) {
        rlx_error_set(&err, "index %lld is out of bounds for dimension %d of extent %lld",
                      (long long)k, axis, (long long)length);
        fail(w, &err);
        return true;
      }
      x.begin = k < 0 ? k + length : k;
      x.end = x.begin + 1;
      x.step = 1;
      squeezed[squeezes++] = axis;
    } else
      return false;
    axes[slices] = axis++;
    begin[slices] = x.begin;
    end[slices] = x.end;
    step[slices++] = x.step;
  }
  RlxBuf text = {0};
  rlx_buf_puts(&text, base);
  if (slices) {
    RlxBuf outer = {0};
    rlx_buf_printf(&outer, "R.strided_slice(%s", rlx_buf_text(&text));
    put_numbers("axes", axes, slices, &outer);
    put_numbers("begin", begin, slices, &outer);
    put_numbers("end", end, slices, &outer);
    put_numbers("strides", step, slices, &outer);
    rlx_buf_putc(&outer, ')');
    rlx_buf_free(&text);
    text = outer;
  }
  for (int turn = 0; turn < 2; turn++) {
    int count = turn ? adds : squeezes;
    if (!count) continue;
    RlxBuf outer = {0};
    rlx_buf_printf(&outer, "R.%s(%s", turn ? "expand_dims" : "squeeze", rlx_buf_text(&text));
    put_numbers("axis", turn ? added : squeezed, count, &outer);
    rlx_buf_putc(&outer, ')');
    rlx_buf_free(&text);
    text = outer;
  }
  rlx_buf_puts(out, rlx_buf_text(&text));
  rlx_buf_free(&text);
  return true;
}

/// `w["name"]` of what load() gave.
static bool write_field(Writer *w, const RlxAst *base, const char *key, const char *text,
                        RlxBuf *out) {
  RlxObject *tuple =
      base->kind == RLX_AST_NAME || base->kind == RLX_AST_CALL ? variable(w, text) : NULL;
  char *const *names = tuple ? rlx_repl_field_names(w->repl, tuple) : NULL;
  if (!names) return false;
  for (int i = 0; i < tuple->count; i++) {
    if (strcmp(names[i], key) != 0) continue;
    RlxBuf stem = {0};
    if (!rlx_repl_is_name_start(*key)) rlx_buf_puts(&stem, "field_");
    for (const char *p = key; *p; p++)
      rlx_buf_putc(&stem, rlx_repl_is_name(*p) && !(*p & 0x80) ? *p : '_');
    put_temp(w, rlx_buf_text(&stem), rlx_object_ref(tuple->fields[i]), out);
    rlx_buf_free(&stem);
    return true;
  }
  RlxError err = {0};
  RlxNearest nearest = rlx_nearest_start(key);
  for (int i = 0; i < tuple->count; i++) rlx_nearest_try(&nearest, names[i]);
  rlx_error_set(&err, "there is no tensor \"%.200s\"%s%s%s", key,
                nearest.best ? "; did you mean \"" : "", nearest.best ? nearest.best : "",
                nearest.best ? "\"?" : "");
  fail(w, &err);
  return true;
}

static bool write_subscript(Writer *w, const RlxAst *ast, RlxBuf *out) {
  const RlxAst *base = ast->children[0];
  RlxBuf text = {0};
  put(w, base, &text);
  bool ok = false;
  if (ast->child_count == 2 && ast->children[1]->kind == RLX_AST_STRING)
    ok = write_field(w, base, ast->children[1]->text, rlx_buf_text(&text), out);
  if (!ok) {
    Type t = type_of(w, base, rlx_buf_text(&text));
    int64_t k;
    if (t.is_tensor) ok = write_subscript_of_tensor(w, ast, &t, rlx_buf_text(&text), out);
    if (t.is_shape && t.has_dims && ast->child_count == 2 && as_integer(ast->children[1], &k) &&
        k >= -t.ndim && k < t.ndim) {
      rlx_buf_printf(out, "R.prim_value(%lld)", (long long)t.dims[k < 0 ? k + t.ndim : k]);
      ok = true;
    }
  }
  if (!ok) write_around(w, ast, &text, NULL, out);
  rlx_buf_free(&text);
  return true;
}

// ---- attributes and calls

static bool write_attribute(Writer *w, const RlxAst *ast, RlxBuf *out) {
  static const char *const known[] = {"shape", "T", "ndim", "dtype", "size"};
  const char *name = rlx_store_text(w->repl->store, ast->name);
  size_t which = 0, count = sizeof known / sizeof *known;
  while (which < count && strcmp(name, known[which]) != 0) which++;
  if (which == count) return false;
  RlxBuf base = {0};
  put(w, ast->children[0], &base);
  Type t = type_of(w, ast->children[0], rlx_buf_text(&base));
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
  if (!ok) write_around(w, ast, &base, NULL, out);
  rlx_buf_free(&base);
  return true;
}

/// The parameters of the user's function that is called; NULL: it is none.
static const RlxFunction *callee_of(Writer *w, const RlxAst *callee) {
  if (callee->kind != RLX_AST_NAME && callee->kind != RLX_AST_ATTRIBUTE) return NULL;
  const RlxFunction *found = NULL;
  const char *name = rlx_store_text(w->repl->store, callee->name), *alias = alias_of(w, name);
  if (alias && callee->kind == RLX_AST_NAME && !variable(w, name)) name = alias;
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
static bool write_argument(Writer *w, const RlxAst *arg, const RlxSInfo *want, RlxBuf *out) {
  char dtype[RLX_DTYPE_TEXT_MAX];
  if (want->kind == RLX_SINFO_PRIM && is_number(w, arg)) {
    bool plain = !rlx_dtype_known(want->dtype) || rlx_dtype_equal(want->dtype, RLX_INT64);
    if (is_float(w, arg) && plain) return false;
    rlx_buf_puts(out, "R.prim_value(");
    if (!plain) rlx_buf_printf(out, "T.%s(", rlx_dtype_text(want->dtype, dtype));
    copy_text(w, arg->span.start, arg->span.end, out);
    rlx_buf_puts(out, plain ? ")" : "))");
    return true;
  }
  if (want->kind == RLX_SINFO_TENSOR && (is_number(w, arg) || is_number_list(arg))) {
    RlxDType t = want->dtype;
    if (!rlx_dtype_known(t)) t = is_float(w, arg) ? RLX_FLOAT32 : RLX_INT64;
    return write_constant(w, arg, t, out);
  }
  if (want->kind == RLX_SINFO_SHAPE && (arg->kind == RLX_AST_TUPLE || arg->kind == RLX_AST_LIST)) {
    rlx_buf_puts(out, "R.shape([");
    for (uint32_t i = 0; i < arg->child_count; i++) {
      if (i) rlx_buf_puts(out, ", ");
      put(w, arg->children[i], out);
    }
    rlx_buf_puts(out, "])");
    return true;
  }
  return false;
}

/// Arguments of the user's own functions that are no Relax values yet.
static bool write_own_call(Writer *w, const RlxAst *ast, RlxBuf *out) {
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
  put(w, callee, out);
  rlx_buf_putc(out, '(');
  for (uint32_t i = 1; i < ast->child_count; i++) {
    if (i > 1) rlx_buf_puts(out, ", ");
    const RlxAst *arg = ast->children[i];
    if (i > wants.count || !write_argument(w, arg, wants.at[i - 1], out)) put(w, arg, out);
  }
  rlx_buf_putc(out, ')');
  rlx_vec_free(&wants);
  return true;
}

/// `R.add(v, 1)`: numbers and lists where the operator wants tensors take the dtype of its first one.
static bool write_operator_call(Writer *w, const RlxAst *ast, RlxBuf *out) {
  char name[RLX_AST_DOTTED_MAX];
  const RlxAst *root = rlx_ast_dotted(w->repl->store, ast->children[0], name);
  if (!root || strcmp(rlx_store_text(w->repl->store, root->name), "R") != 0) return false;
  const RlxOpRow *row = rlx_op_find(name, strlen(name));
  bool any = false;
  for (uint32_t i = 1; row && i < ast->child_count && (int)i <= row->param_count; i++)
    any |= row->params[i - 1].kind == RLX_PARAM_TENSOR &&
           (is_number(w, ast->children[i]) || is_number_list(ast->children[i]));
  if (!any) return false;
  RlxDType dtype = rlx_dtype_unknown();
  Vec(RlxBuf) parts = {0};
  for (uint32_t i = 1; i < ast->child_count; i++) {
    const RlxAst *arg = ast->children[i];
    RlxBuf part = {0};
    bool is_operand = (int)i <= row->param_count && row->params[i - 1].kind == RLX_PARAM_TENSOR &&
                      arg->kind != RLX_AST_KEYWORD;
    if (!is_number(w, arg) && !is_number_list(arg)) {
      put(w, arg, &part);
      if (is_operand && !rlx_dtype_known(dtype)) dtype = type_of(w, arg, rlx_buf_text(&part)).dtype;
    }
    rlx_vec_push(&parts, part);
  }
  put(w, ast->children[0], out);
  for (uint32_t i = 1; i < ast->child_count; i++) {
    const RlxAst *arg = ast->children[i];
    bool is_operand = (int)i <= row->param_count && row->params[i - 1].kind == RLX_PARAM_TENSOR;
    rlx_buf_puts(out, i > 1 ? ", " : "(");
    if (parts.at[i - 1].size)
      rlx_buf_puts(out, rlx_buf_text(&parts.at[i - 1]));
    else if (!is_operand || !write_constant(w, arg, dtype, out))
      put(w, arg, out);
    rlx_buf_free(&parts.at[i - 1]);
  }
  rlx_buf_putc(out, ')');
  rlx_vec_free(&parts);
  return true;
}

static bool write_call(Writer *w, const RlxAst *ast, RlxBuf *out) {
  const RlxAst *callee = ast->children[0];
  const char *name =
      callee->kind == RLX_AST_NAME ? rlx_store_text(w->repl->store, callee->name) : "";
  if (rlx_repl_data_named(name) && !is_defined(w->repl, name) &&
      !rlx_repl_find(w->repl, name, strlen(name))) {
    RlxObject *x = rlx_repl_data_call(w->repl, name, ast);
    if (x)
      put_temp(w, !strcmp(name, "load") ? "loaded" : name, x, out);
    else
      w->failed = true;
    return true;
  }
  if (!strcmp(name, "abs") && ast->child_count == 2 && !is_defined(w->repl, name)) {
    RlxBuf arg = {0};
    put(w, ast->children[1], &arg);
    if (type_of(w, ast->children[1], rlx_buf_text(&arg)).is_tensor)
      rlx_buf_printf(out, "R.abs(%s)", rlx_buf_text(&arg));
    else
      write_around(w, ast, NULL, &arg, out);
    rlx_buf_free(&arg);
    return true;
  }
  return write_operator_call(w, ast, out) || write_own_call(w, ast, out);
}

static bool write_name(Writer *w, const RlxAst *ast, RlxBuf *out) {
  const char *name = rlx_store_text(w->repl->store, ast->name);
  if (variable(w, name) || is_defined(w->repl, name)) return false;
  RlxObject *result = *name == '_' ? rlx_repl_result(w->repl, name) : NULL;
  if (result) {
    put_temp(w, "result", rlx_object_ref(result), out);
    return true;
  }
  const char *function = alias_of(w, name);
  if (function) rlx_buf_puts(out, function);
  return function != NULL;
}

static bool write_unary(Writer *w, const RlxAst *ast, RlxBuf *out) {
  if (ast->op != RLX_OP_INVERT) return false;
  RlxBuf base = {0};
  put(w, ast->children[0], &base);
  Type t = type_of(w, ast->children[0], rlx_buf_text(&base));
  if (t.is_tensor)
    rlx_buf_printf(out, "%s(%s)", rlx_dtype_is_bool(t.dtype) ? "R.logical_not" : "R.bitwise_not",
                   rlx_buf_text(&base));
  else
    write_around(w, ast, &base, NULL, out);
  rlx_buf_free(&base);
  return true;
}

/// Whether the operands of `op` are Relax already when both are tensors.
static bool is_relax_operator(uint8_t op) {
  return op == RLX_OP_ADD || op == RLX_OP_SUB || op == RLX_OP_MUL || op == RLX_OP_DIV;
}

/// Writes what the node stands for; false: nothing was written, and it is Relax.
static bool write_sugar(Writer *w, const RlxAst *ast, RlxBuf *out) {
  switch (ast->kind) {
  case RLX_AST_NAME: return write_name(w, ast, out);
  case RLX_AST_UNARY: return write_unary(w, ast, out);
  case RLX_AST_BINARY: {
    const RlxAst *a = ast->children[0], *b = ast->children[1];
    bool plain = is_number(w, a) || is_number(w, b) || is_number_list(a) || is_number_list(b);
    return (plain || !is_relax_operator(ast->op)) && write_operator(w, ast, ast->op, out);
  }
  case RLX_AST_COMPARE: return ast->child_count == 2 && write_operator(w, ast, ast->ops[0], out);
  case RLX_AST_SUBSCRIPT: return write_subscript(w, ast, out);
  case RLX_AST_ATTRIBUTE: return write_attribute(w, ast, out);
  case RLX_AST_CALL: return write_call(w, ast, out);
  default: return false;
  }
}

static void put(Writer *w, const RlxAst *ast, RlxBuf *out) {
  w->depth++;
  bool is_done = w->depth < DEPTH_MAX && !w->failed && write_sugar(w, ast, out);
  if (!is_done && w->depth < DEPTH_MAX)
    write_around(w, ast, NULL, NULL, out);
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
  Writer w = {.repl = repl, .sugar = s, .text = text};
  if (!ast)
    rlx_buf_puts(&s->plain, text);
  else if (!is_number_list(ast) || !write_constant(&w, ast, rlx_dtype_unknown(), &s->plain)) {
    copy_text(&w, 0, ast->span.start, &s->plain);
    put(&w, ast, &s->plain);
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
  Writer w = {.repl = repl, .sugar = s};
  *out = rlx_object_ref(variable(&w, rlx_buf_text(&s->plain)));
  if (*out) s->is_prepared = false;
  return *out != NULL;
}

bool rlx_repl_alias(RlxRepl *repl, const char *name, size_t size, const char *text) {
  RlxReplSugar *s = sugar_of(repl);
  Writer w = {.repl = repl, .sugar = s};
  for (const char *p = text; *p; p++)
    if (!rlx_repl_is_name(*p)) return false;
  const char *function = text;
  for (uint32_t i = 0; i < s->aliases.count; i++)
    if (!strcmp(s->aliases.at[i].name, text)) function = s->aliases.at[i].function;
  if (variable(&w, text) || !is_defined(repl, function)) return false;
  char *own = rlx_mem_strndup(name, size), *target = rlx_mem_strdup(function);
  for (uint32_t i = 0; i < s->aliases.count; i++)
    if (!strcmp(s->aliases.at[i].name, own)) {
      free(s->aliases.at[i].function);
      s->aliases.at[i].function = target;
      free(own);
      return true;
    }
  rlx_vec_push(&s->aliases, (Alias){own, target});
  return true;
}

// ---- x? and !command

/// The definition of `name`, its StructInfo and documentation.
static bool tell_about(RlxRepl *repl, const char *name) {
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
      Writer w = {.repl = repl, .sugar = sugar_of(repl)};
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
