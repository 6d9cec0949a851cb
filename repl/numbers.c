/// Numbers of the prompt: what an expression of Python comes to, without asking the analyzer.
#include "repl/numbers.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/symbolic/int_math.h"
#include "analyzer/syntax/document.h"

enum { DEPTH_MAX = 64, CONSTANTS_MAX = 8, NDIM_MAX = 32 };

typedef RlxReplNumber Number;

typedef struct Reader {
  RlxRepl *repl;
  int depth, constants; ///< how deep in the expression, in constants that name constants
} Reader;

static bool read_number(Reader *r, const RlxAst *x, Number *out);
typedef bool Read(Reader *r, const RlxAst *x, void *out);

static bool integer(int64_t v, Number *out) {
  *out = (Number){RLX_NUMBER_INT, v, (double)v};
  return true;
}

static bool real(double v, Number *out) {
  *out = (Number){RLX_NUMBER_FLOAT, 0, v};
  return true;
}

// ---- arithmetic

static bool power(int64_t base, int64_t exponent, int64_t *out) {
  int64_t v = 1;
  bool fits = true;
  for (; exponent > 0 && fits; exponent >>= 1) {
    if (exponent & 1) fits = !__builtin_mul_overflow(v, base, &v);
    if (exponent > 1) fits = fits && !__builtin_mul_overflow(base, base, &base);
  }
  *out = v;
  return fits;
}

/// Rounds to minus infinity, as Python does.
static bool divide(int64_t a, int64_t b, int64_t *quotient, int64_t *rest) {
  if (!rlx_int_floordiv(a, b, quotient)) return false;
  *rest = (int64_t)((uint64_t)a -
                    (uint64_t)*quotient * (uint64_t)b); // fits, what is subtracted may not
  return true;
}

static bool compute_integers(uint8_t op, int64_t a, int64_t b, Number *out) {
  int64_t v = 0, other = 0;
  bool ok;
  switch (op) {
  case RLX_OP_ADD: ok = !__builtin_add_overflow(a, b, &v); break;
  case RLX_OP_SUB: ok = !__builtin_sub_overflow(a, b, &v); break;
  case RLX_OP_MUL: ok = !__builtin_mul_overflow(a, b, &v); break;
  case RLX_OP_FLOORDIV: ok = divide(a, b, &v, &other); break;
  case RLX_OP_MOD: ok = divide(a, b, &other, &v); break;
  case RLX_OP_POW: ok = b >= 0 && power(a, b, &v); break;
  default: ok = false;
  }
  return ok && integer(v, out);
}

static bool compute(uint8_t op, const Number *a, const Number *b, Number *out) {
  if (a->kind == RLX_NUMBER_UNSIGNED || b->kind == RLX_NUMBER_UNSIGNED) return false;
  const bool are_integers = a->kind != RLX_NUMBER_FLOAT && b->kind != RLX_NUMBER_FLOAT;
  if (are_integers && op != RLX_OP_DIV && !(op == RLX_OP_POW && b->integer < 0))
    return compute_integers(op, a->integer, b->integer, out);
  switch (op) {
  case RLX_OP_ADD: return real(a->value + b->value, out);
  case RLX_OP_SUB: return real(a->value - b->value, out);
  case RLX_OP_MUL: return real(a->value * b->value, out);
  case RLX_OP_DIV: return b->value != 0 && real(a->value / b->value, out);
  case RLX_OP_FLOORDIV: return b->value != 0 && real(floor(a->value / b->value), out);
  case RLX_OP_MOD:
    return b->value != 0 && real(a->value - floor(a->value / b->value) * b->value, out);
  case RLX_OP_POW: {
    const double v = pow(a->value, b->value);
    return (!isnan(v) || isnan(a->value) || isnan(b->value)) && !(a->value == 0 && b->value < 0) &&
           real(v, out);
  }
  default: return false;
  }
}

// ---- questions

/// Less than 0, 0, more: how `a` stands to `b`, neither of which is nan.
static int order(const Number *a, const Number *b) {
  const bool a_wide = a->kind == RLX_NUMBER_UNSIGNED, b_wide = b->kind == RLX_NUMBER_UNSIGNED;
  if (a->kind == RLX_NUMBER_FLOAT || b->kind == RLX_NUMBER_FLOAT)
    return (a->value > b->value) - (a->value < b->value);
  if (a_wide != b_wide) return a_wide - b_wide;
  if (a_wide)
    return ((uint64_t)a->integer > (uint64_t)b->integer) -
           ((uint64_t)a->integer < (uint64_t)b->integer);
  return (a->integer > b->integer) - (a->integer < b->integer);
}

/// Whether they are equal, or less, and so on, as numbers, whatever their kinds; false: `op` asks no such thing.
static bool holds_of(uint8_t op, const Number *a, const Number *b, bool *out) {
  const bool is_nan = isnan(a->value) || isnan(b->value);
  const int o = order(a, b);
  switch (op) {
  case RLX_OP_EQ: *out = !is_nan && o == 0; return true;
  case RLX_OP_NE: *out = is_nan || o != 0; return true;
  case RLX_OP_LT: *out = !is_nan && o < 0; return true;
  case RLX_OP_LE: *out = !is_nan && o <= 0; return true;
  case RLX_OP_GT: *out = !is_nan && o > 0; return true;
  case RLX_OP_GE: *out = !is_nan && o >= 0; return true;
  default: return false;
  }
}

static bool truth(bool holds, Number *out) {
  integer(holds, out);
  out->kind = RLX_NUMBER_BOOL;
  return true;
}

/// `a in (b, c)`
static bool read_in(Reader *r, const RlxAst *x, Number *out) {
  const RlxAst *all = x->children[1];
  Number a, b;
  bool found = false, holds;
  if ((all->kind != RLX_AST_TUPLE && all->kind != RLX_AST_LIST) ||
      !read_number(r, x->children[0], &a))
    return false;
  for (uint32_t i = 0; i < all->child_count; i++) {
    if (!read_number(r, all->children[i], &b)) return false;
    found |= holds_of(RLX_OP_EQ, &a, &b, &holds) && holds;
  }
  return truth(found == (x->ops[0] == RLX_OP_IN), out);
}

/// `a < b`, `a < b <= c`
static bool read_compare(Reader *r, const RlxAst *x, Number *out) {
  Number a, b;
  bool all = true, holds;
  if (x->child_count == 2 && (x->ops[0] == RLX_OP_IN || x->ops[0] == RLX_OP_NOT_IN))
    return read_in(r, x, out);
  if (!read_number(r, x->children[0], &a)) return false;
  for (uint32_t i = 1; i < x->child_count; i++) {
    if (!read_number(r, x->children[i], &b) || !holds_of(x->ops[i - 1], &a, &b, &holds))
      return false;
    all &= holds;
    a = b;
  }
  return truth(all, out);
}

/// `a and b`, `a or b`: the first that decides, else the last, as Python has it; all of them are looked at.
static bool read_both(Reader *r, const RlxAst *x, Number *out) {
  bool is_decided = false;
  for (uint32_t i = 0; i < x->child_count; i++) {
    Number next;
    if (!read_number(r, x->children[i], &next)) return false;
    if (!is_decided) *out = next;
    is_decided |= (next.value != 0) == (x->op == RLX_OP_OR);
  }
  return x->child_count > 0;
}

bool rlx_repl_compute(uint8_t op, const Number *a, const Number *b, Number *out) {
  bool holds;
  return holds_of(op, a, b, &holds) ? truth(holds, out) : compute(op, a, b, out);
}

// ---- names

/// Reads what stands behind the "=" of a constant of the session.
static bool read_constant(Reader *r, const RlxReplDef *def, Read *read, void *out) {
  if (def->is_symbol || r->constants == CONSTANTS_MAX) return false;
  RlxDocument *doc = rlx_document_new(r->repl->store, NULL, NULL);
  const char *text = def->is_value ? def->brief : def->text;
  rlx_document_set_text(doc, text, (uint32_t)strlen(text));
  const RlxBlock *root = rlx_document_root(doc);
  const RlxStmt *stmt = root->count == 1 ? root->stmts[0] : NULL;
  Reader inner = {r->repl, r->depth, r->constants + 1};
  const bool ok = stmt && !stmt->has_error &&
                  (stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED) &&
                  stmt->value && read(&inner, stmt->value, out);
  rlx_document_free(doc);
  return ok;
}

static bool read_number_into(Reader *r, const RlxAst *x, void *out) {
  return read_number(r, x, out);
}

static const RlxObject *variable(Reader *r, const RlxAst *x) {
  if (x->kind != RLX_AST_NAME) return NULL;
  const char *name = rlx_store_text(r->repl->store, x->name);
  const RlxReplVar *var = rlx_repl_find(r->repl, name, strlen(name));
  for (uint32_t i = 0; !var && i < r->repl->temps.count; i++) // what the entry made
    if (!strcmp(r->repl->temps.at[i].name, name)) var = &r->repl->temps.at[i];
  return var ? var->value : NULL;
}

static bool read_name(Reader *r, const RlxAst *x, Number *out) {
  const RlxObject *value = variable(r, x);
  if (value && value->kind == RLX_OBJECT_INT) {
    integer(value->integer, out);
    if (rlx_dtype_is_bool(value->dtype)) out->kind = RLX_NUMBER_BOOL;
    return true;
  }
  if (value && value->kind == RLX_OBJECT_FLOAT) return real(value->number, out);
  const char *name = rlx_store_text(r->repl->store, x->name);
  const RlxReplDef *def = value ? NULL : rlx_repl_find_def(r->repl, name, strlen(name));
  return def && read_constant(r, def, read_number_into, out);
}

static bool is_known(Reader *r, const char *name) {
  return rlx_repl_find(r->repl, name, strlen(name)) ||
         rlx_repl_find_def(r->repl, name, strlen(name));
}

/// `v.ndim`, `v.size`, `np.inf`.
static bool read_attribute(Reader *r, const RlxAst *x, Number *out) {
  static const struct {
    const char *name;
    double value;
  } constants[] = {{"inf", (double)INFINITY},
                   {"nan", (double)NAN},
                   {"pi", 0x1.921fb54442d18p+1},
                   {"e", 0x1.5bf0a8b145769p+1}};
  const char *name = rlx_store_text(r->repl->store, x->name);
  const RlxObject *value = variable(r, x->children[0]);
  if (value && value->kind == RLX_OBJECT_TENSOR) {
    if (!strcmp(name, "ndim")) return integer(value->count, out);
    return !strcmp(name, "size") && integer(rlx_tensor_count(value), out);
  }
  if (x->children[0]->kind != RLX_AST_NAME || value) return false;
  const char *module = rlx_store_text(r->repl->store, x->children[0]->name);
  if (strcmp(module, "np") != 0 && strcmp(module, "numpy") != 0 && strcmp(module, "math") != 0)
    return false;
  for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
    if (!strcmp(name, constants[i].name)) return real(constants[i].value, out);
  return false;
}

/// `v.shape[0]` of a tensor, `s[0]` of a shape.
static bool read_subscript(Reader *r, const RlxAst *x, Number *out) {
  const RlxAst *base = x->children[0];
  const bool of_shape = base->kind == RLX_AST_ATTRIBUTE &&
                        !strcmp(rlx_store_text(r->repl->store, base->name), "shape");
  const RlxObject *value = variable(r, of_shape ? base->children[0] : base);
  Number at;
  if (x->child_count != 2 || !value || !read_number(r, x->children[1], &at) ||
      at.kind != RLX_NUMBER_INT)
    return false;
  if (value->kind != (of_shape ? RLX_OBJECT_TENSOR : RLX_OBJECT_SHAPE)) return false;
  if (at.integer < 0) at.integer += value->count;
  return at.integer >= 0 && at.integer < value->count && integer(value->dims[at.integer], out);
}

/// `min(2, v.size)`: what Python gives is the first of the least.
static bool read_extreme(Reader *r, const char *name, const RlxAst *x, Number *out) {
  const bool is_least = !strcmp(name, "min");
  Number next;
  if (!is_least && strcmp(name, "max") != 0) return false;
  for (uint32_t i = 1; i < x->child_count; i++) {
    if (!read_number(r, x->children[i], &next) || isnan(next.value)) return false;
    const int o = i > 1 ? order(&next, out) : 0;
    if (i == 1 || (is_least ? o < 0 : o > 0)) *out = next;
  }
  return true;
}

/// `abs(-3)`, `int(2.5)`, and `round(2.5)`, which is the even one of two as near.
static bool compute_call(const char *name, const Number *x, Number *out) {
  const bool is_float = x->kind == RLX_NUMBER_FLOAT;
  if (x->kind == RLX_NUMBER_UNSIGNED) {
    *out = *x;
    return !strcmp(name, "abs") || !strcmp(name, "round") || !strcmp(name, "int");
  }
  if (!strcmp(name, "abs") && is_float) return real(fabs(x->value), out);
  if (!strcmp(name, "abs"))
    return x->integer != INT64_MIN && integer(x->integer < 0 ? -x->integer : x->integer, out);
  const bool is_cut = !strcmp(name, "int");
  if (!is_cut && strcmp(name, "round") != 0) return false;
  const double nearest = is_cut ? trunc(x->value) : nearbyint(x->value);
  if (!is_float) return integer(x->integer, out);
  return fabs(nearest) < 0x1p63 && integer((int64_t)nearest, out);
}

/// `round(2.567, 1)`, by the digits that the number has in base ten, as Python has it.
static bool read_rounded(Reader *r, const RlxAst *x, Number *out) {
  enum { DIGITS_MAX = 340 }; // behind the point; no double is changed by so many
  Number digits;
  if (!read_number(r, x->children[1], out) || !read_number(r, x->children[2], &digits) ||
      digits.kind != RLX_NUMBER_INT || digits.integer < 0)
    return false;
  if (out->kind != RLX_NUMBER_FLOAT || digits.integer > DIGITS_MAX) return true;
  char text[DIGITS_MAX + 320]; // with 309 digits in front of the point
  snprintf(text, sizeof text, "%.*f", (int)digits.integer, out->value);
  return real(strtod(text, NULL), out);
}

/// `float("nan")`, `float(3)`, `len(v)`, `abs(-3)`, `min(2, 3)`, `f(3)` of a function of the session.
static bool read_call(Reader *r, const RlxAst *x, Number *out) {
  if (r->repl->number_of_call && r->repl->number_of_call(r->repl->number_data, x, out)) return true;
  if (x->child_count < 2 || x->children[0]->kind != RLX_AST_NAME) return false;
  const char *name = rlx_store_text(r->repl->store, x->children[0]->name);
  const RlxAst *arg = x->children[1];
  if (is_known(r, name)) return false;
  if (x->child_count == 3 && !strcmp(name, "round")) return read_rounded(r, x, out);
  if (x->child_count > 2) return read_extreme(r, name, x, out);
  if (!strcmp(name, "len")) {
    const RlxObject *value = variable(r, arg);
    if (!value) return false;
    if (value->kind == RLX_OBJECT_TENSOR && value->count) return integer(value->dims[0], out);
    return (value->kind == RLX_OBJECT_TUPLE || value->kind == RLX_OBJECT_SHAPE) &&
           integer(value->count, out);
  }
  Number given;
  if (strcmp(name, "float") != 0)
    return read_number(r, arg, &given) && compute_call(name, &given, out);
  if (arg->kind != RLX_AST_STRING) return read_number(r, arg, out) && real(out->value, out);
  const char *text = arg->text;
  char *end;
  const double v = strtod(text, &end);
  while (isspace((unsigned char)*end)) end++;
  return end != text && !*end && !strpbrk(text, "xX(") &&
         real(v, out); // Python has no hexadecimal here
}

// ---- expressions

static bool read_unary(Reader *r, const RlxAst *x, Number *out) {
  if (x->op == RLX_OP_NOT)
    return read_number(r, x->children[0], out) && truth(out->value == 0, out);
  if ((x->op != RLX_OP_NEG && x->op != RLX_OP_POS) || !read_number(r, x->children[0], out))
    return false;
  if (out->kind == RLX_NUMBER_FLOAT)
    return real(x->op == RLX_OP_NEG ? -out->value : out->value, out);
  const int64_t v = out->integer;
  if (out->kind == RLX_NUMBER_UNSIGNED)
    return x->op == RLX_OP_POS || (v == INT64_MIN && integer(v, out)); // -9223372036854775808
  return v != INT64_MIN && integer(x->op == RLX_OP_NEG ? -v : v, out);
}

static bool read_unsigned(const RlxAst *x, Number *out) {
  uint64_t bits;
  if (!rlx_ast_unsigned(x, &bits)) return false;
  *out = (Number){RLX_NUMBER_UNSIGNED, (int64_t)bits, (double)bits};
  return true;
}

static bool read_node(Reader *r, const RlxAst *x, Number *out) {
  Number a, b;
  switch (x->kind) {
  case RLX_AST_INT: return x->is_big ? read_unsigned(x, out) : integer(x->integer, out);
  case RLX_AST_FLOAT: return real(x->number, out);
  case RLX_AST_TRUE:
  case RLX_AST_FALSE:
    integer(x->kind == RLX_AST_TRUE, out);
    out->kind = RLX_NUMBER_BOOL;
    return true;
  case RLX_AST_NAME: return read_name(r, x, out);
  case RLX_AST_ATTRIBUTE: return read_attribute(r, x, out);
  case RLX_AST_SUBSCRIPT: return read_subscript(r, x, out);
  case RLX_AST_CALL: return read_call(r, x, out);
  case RLX_AST_UNARY: return read_unary(r, x, out);
  case RLX_AST_COMPARE: return read_compare(r, x, out);
  case RLX_AST_BOOL_OP: return read_both(r, x, out);
  case RLX_AST_CONDITIONAL: // `a if c else b`
    return read_number(r, x->children[1], &a) &&
           read_number(r, x->children[a.value != 0 ? 0 : 2], out);
  case RLX_AST_BINARY:
    return read_number(r, x->children[0], &a) && read_number(r, x->children[1], &b) &&
           compute(x->op, &a, &b, out);
  default: return false;
  }
}

static bool read_number(Reader *r, const RlxAst *x, Number *out) {
  r->depth++;
  const bool ok = r->depth < DEPTH_MAX && read_node(r, x, out);
  r->depth--;
  return ok;
}

bool rlx_repl_number(RlxRepl *repl, const RlxAst *x, RlxReplNumber *out) {
  return read_number(&(Reader){.repl = repl}, x, out);
}

bool rlx_repl_number_of(RlxRepl *repl, const RlxReplDef *def, RlxReplNumber *out) {
  return read_constant(&(Reader){.repl = repl}, def, read_number_into, out);
}

// ---- strings

typedef struct String {
  RlxBuf *out;
  size_t most;
} String;

static bool read_string(Reader *r, const RlxAst *x, String *out);

static bool read_string_into(Reader *r, const RlxAst *x, void *out) {
  return read_string(r, x, out);
}

static bool read_string_name(Reader *r, const RlxAst *x, String *out) {
  const RlxReplDef *def = variable(r, x) ? NULL : rlx_repl_def_of(r->repl, x->name);
  return def && read_constant(r, def, read_string_into, out);
}

static bool read_string_node(Reader *r, const RlxAst *x, String *out) {
  switch (x->kind) {
  case RLX_AST_STRING:
    rlx_buf_putn(out->out, x->text, x->text_size);
    return !memchr(x->text, 0, x->text_size) && out->out->size <= out->most;
  case RLX_AST_NAME: return read_string_name(r, x, out);
  case RLX_AST_BINARY:
    return x->op == RLX_OP_ADD && read_string(r, x->children[0], out) &&
           read_string(r, x->children[1], out);
  default: return false;
  }
}

static bool read_string(Reader *r, const RlxAst *x, String *out) {
  r->depth++;
  const bool ok = r->depth < DEPTH_MAX && read_string_node(r, x, out);
  r->depth--;
  return ok;
}

bool rlx_repl_string_of(RlxRepl *repl, const RlxReplDef *def, size_t most, RlxBuf *out) {
  return read_constant(&(Reader){.repl = repl}, def, read_string_into,
                       &(String){out, out->size + most});
}

// ---- shapes

typedef struct Shape {
  Number *at;
  int most, count;
} Shape;

static bool read_shape(Reader *r, const RlxAst *x, Shape *out);

static bool add_length(Shape *s, int64_t length) {
  return s->count < s->most && integer(length, &s->at[s->count++]);
}

/// That of a value: a shape, or a tuple of integers.
static bool shape_of_value(const RlxObject *value, Shape *out) {
  bool ok = value->kind == RLX_OBJECT_SHAPE || value->kind == RLX_OBJECT_TUPLE;
  for (int32_t i = 0; ok && i < value->count; i++) {
    const RlxObject *field = value->kind == RLX_OBJECT_TUPLE ? value->fields[i] : NULL;
    ok = !field || field->kind == RLX_OBJECT_INT;
    ok = ok && add_length(out, field ? field->integer : value->dims[i]);
  }
  return ok;
}

static bool read_items(Reader *r, const RlxAst *x, Shape *out) {
  for (uint32_t i = 0; i < x->child_count; i++) {
    const RlxAst *item = x->children[i];
    if (item->kind == RLX_AST_STARRED) {
      if (!read_shape(r, item->children[0], out)) return false;
    } else if (out->count == out->most || !read_number(r, item, &out->at[out->count++]))
      return false;
  }
  return true;
}

static bool read_shape_into(Reader *r, const RlxAst *x, void *out) { return read_shape(r, x, out); }

static bool read_shape(Reader *r, const RlxAst *x, Shape *out) {
  if (x->kind == RLX_AST_TUPLE || x->kind == RLX_AST_LIST) return read_items(r, x, out);
  if (x->kind == RLX_AST_ATTRIBUTE && !strcmp(rlx_store_text(r->repl->store, x->name), "shape")) {
    const RlxObject *value = variable(r, x->children[0]);
    bool ok = value && value->kind == RLX_OBJECT_TENSOR;
    for (int32_t i = 0; ok && i < value->count; i++) ok = add_length(out, value->dims[i]);
    return ok;
  }
  if (x->kind != RLX_AST_NAME) return false;
  const RlxObject *value = variable(r, x);
  if (value) return shape_of_value(value, out);
  const char *name = rlx_store_text(r->repl->store, x->name);
  const RlxReplDef *def = rlx_repl_find_def(r->repl, name, strlen(name));
  return def && read_constant(r, def, read_shape_into, out);
}

bool rlx_repl_shape(RlxRepl *repl, const RlxAst *x, RlxReplNumber *out, int most, int *count) {
  Shape shape = {out, most, 0};
  const bool ok = read_shape(&(Reader){.repl = repl}, x, &shape);
  *count = shape.count;
  return ok;
}

void rlx_repl_put_number(const RlxReplNumber *number, RlxBuf *out) {
  const double v = number->value;
  if (number->kind == RLX_NUMBER_BOOL)
    rlx_buf_puts(out, number->integer ? "True" : "False");
  else if (number->kind == RLX_NUMBER_UNSIGNED)
    rlx_buf_printf(out, "%llu", (unsigned long long)number->integer);
  else if (number->kind == RLX_NUMBER_INT)
    rlx_buf_printf(out, "%lld", (long long)number->integer);
  else if (!isfinite(v))
    rlx_buf_printf(out, "float(\"%s\")", isnan(v) ? "nan" : v < 0 ? "-inf" : "inf");
  else {
    char text[32];
    int digits = 1;
    do snprintf(text, sizeof text, "%.*g", digits, v);
    while (strtod(text, NULL) != v && digits++ < 17);
    rlx_buf_printf(out, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
  }
}

// ---- lists

/// Whether it is an integer that does not fit into 64 bits.
static bool is_big(const RlxAst *x) {
  while (x->kind == RLX_AST_UNARY) x = x->children[0];
  return x->kind == RLX_AST_INT && x->is_big;
}

bool rlx_repl_is_number_list(RlxRepl *repl, const RlxAst *x) {
  RlxReplNumber number;
  if (x->kind != RLX_AST_LIST) return false;
  for (uint32_t i = 0; i < x->child_count; i++)
    if (!rlx_repl_number(repl, x->children[i], &number) && !is_big(x->children[i]) &&
        !rlx_repl_is_number_list(repl, x->children[i]))
      return false;
  return true;
}

typedef struct Literal {
  RlxRepl *repl;
  int64_t dims[NDIM_MAX];
  int ndim;          ///< -1: no number was met yet
  bool has_negative; ///< one is below 0
  Vec(Number) at;    ///< in order
} Literal;

/// Collects the numbers of `x`, which stands `depth` lists deep.
static bool collect(Literal *l, const RlxAst *x, int depth, RlxError *err) {
  Number number;
  const bool is_list = x->kind == RLX_AST_LIST, is_empty = is_list && !x->child_count;
  if (!is_list || is_empty) {
    const int ndim = depth + is_empty;
    if (l->ndim < 0) l->ndim = ndim;
    if (l->ndim != ndim) return rlx_error_set(err, "the lists are not nested equally deep");
  }
  if (!is_list) {
    if (!rlx_repl_number(l->repl, x, &number))
      return rlx_error_set(err, "a number in the list does not fit into 64 bits");
    l->has_negative |= number.value < 0;
    rlx_vec_push(&l->at, number);
    return true;
  }
  if (depth == NDIM_MAX) return rlx_error_set(err, "lists are nested too deeply");
  if (l->dims[depth] < 0) l->dims[depth] = x->child_count;
  if (l->dims[depth] != x->child_count)
    return rlx_error_set(err, "the lists of depth %d have different lengths, %lld and %u",
                         depth + 1, (long long)l->dims[depth], x->child_count);
  for (uint32_t i = 0; i < x->child_count; i++)
    if (!collect(l, x->children[i], depth + 1, err)) return false;
  return true;
}

/// The dtype that holds all of the numbers.
static RlxDType dtype_of(const Literal *l) {
  RlxReplNumberKind widest = l->at.count ? RLX_NUMBER_BOOL : RLX_NUMBER_FLOAT;
  for (uint32_t i = 0; i < l->at.count; i++)
    if (l->at.at[i].kind > widest) widest = l->at.at[i].kind;
  if (widest == RLX_NUMBER_FLOAT) return RLX_FLOAT32;
  if (widest == RLX_NUMBER_UNSIGNED) return rlx_dtype(RLX_DTYPE_UINT, 64);
  return widest == RLX_NUMBER_INT ? RLX_INT64 : RLX_BOOL;
}

static bool fill(const Literal *l, RlxObject *x, RlxError *err) {
  const bool wants_float = rlx_dtype_is_float(x->dtype);
  for (uint32_t i = 0; i < l->at.count; i++) {
    const Number *n = &l->at.at[i];
    if (n->kind == RLX_NUMBER_UNSIGNED && !wants_float &&
        (l->has_negative || x->dtype.code != RLX_DTYPE_UINT || x->dtype.bits < 64))
      return rlx_error_set(err, "a number in the list does not fit into 64 bits");
    if (n->kind == RLX_NUMBER_FLOAT && !wants_float)
      return rlx_error_set(err, "a float in a list that is to be of integers");
    if (n->kind == RLX_NUMBER_FLOAT || wants_float)
      rlx_element_set_number(x->data, x->dtype, i, n->value);
    else
      rlx_element_set_integer(x->data, x->dtype, i, n->integer);
  }
  return true;
}

RlxObject *rlx_repl_literal(RlxRepl *repl, const RlxAst *list, RlxDType dtype, RlxError *err) {
  Literal l = {.repl = repl, .ndim = -1};
  RlxObject *x = NULL;
  for (int i = 0; i < NDIM_MAX; i++) l.dims[i] = -1;
  if (collect(&l, list, 0, err)) {
    if (!rlx_dtype_known(dtype)) dtype = dtype_of(&l);
    x = rlx_tensor_new(rlx_jit_heap(repl->jit), dtype, l.dims, l.ndim, err);
  }
  if (x && !fill(&l, x, err)) {
    rlx_object_unref(x);
    x = NULL;
  }
  rlx_vec_free(&l.at);
  return x;
}
