/// TVMScript of a PrimFunc, in the form TVM 0.25 prints it: names made unique per scope, perfect
/// nests of plain loops as T.grid, runs of plain block variables as T.axis.remap, buffers with
/// constant shapes in the signature. What comes out reads back as the same function.
#include "analyzer/tir/tir.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"

/// Python's binding strengths, weakest first.
enum {
  LEVEL_LOWEST,
  LEVEL_OR,
  LEVEL_AND,
  LEVEL_NOT,
  LEVEL_COMPARE,
  LEVEL_SHIFT,
  LEVEL_SUM,
  LEVEL_PRODUCT,
  LEVEL_UNARY,
  LEVEL_ATOM
};

typedef struct Named {
  const void *key; // variable or buffer
  char *text;      // owned
} Named;

typedef struct Printer {
  const RlxStore *store;
  const RlxPrimFunc *f;
  bool classic;
  RlxTirNames *type_vars;        // 0.27, or NULL
  Vec(const RlxTirVar *) locals; // 0.27: symbolic variables of the signature that are no TypeVar
  bool in_signature;             // 0.27
  bool is_only;                  // the statement is all that its suite has
  RlxBuf *out;
  int indent;
  Vec(Named) names;              // in scope, innermost last
  Vec(const RlxTirStmt *) loops; // around
} Printer;

// ---- names

static bool name_taken(const Printer *p, const char *text) {
  static const char *const of_tvm[] = {"I", "R", "T", "cls"};
  for (size_t i = 0; i < sizeof of_tvm / sizeof of_tvm[0]; i++)
    if (!strcmp(of_tvm[i], text)) return true;
  for (uint32_t i = 0; i < p->names.count; i++)
    if (!strcmp(p->names.at[i].text, text)) return true;
  return false;
}

static const char *define(Printer *p, const void *key, RlxName hint, const char *otherwise) {
  const char *base = hint ? rlx_store_text(p->store, hint) : otherwise;
  char text[300];
  snprintf(text, sizeof text, "%.250s", base);
  for (int i = 1; name_taken(p, text); i++) snprintf(text, sizeof text, "%.250s_%d", base, i);
  rlx_vec_push(&p->names, (Named){key, rlx_mem_strdup(text)});
  return rlx_vec_last(&p->names).text;
}

static const char *find(const Printer *p, const void *key) {
  for (uint32_t i = p->names.count; i > 0; i--)
    if (p->names.at[i - 1].key == key) return p->names.at[i - 1].text;
  return NULL;
}

/// A buffer's name also names its pointer.
static const char *define_buffer(Printer *p, const RlxTirBuffer *b) {
  char text[320];
  const char *name = define(p, b, b->name, "buffer");
  snprintf(text, sizeof text, "%.300s.data", name);
  if (b->data) rlx_vec_push(&p->names, (Named){b->data, rlx_mem_strdup(text)});
  return find(p, b);
}

static void leave_scope(Printer *p, uint32_t mark) {
  while (p->names.count > mark) free(rlx_vec_pop(&p->names).text);
}

static const char *var_name(Printer *p, const RlxTirVar *var) {
  const char *name = find(p, var);
  return name ? name : define(p, var, var->name, "v");
}

static const char *buffer_name(Printer *p, const RlxTirBuffer *b) {
  const char *name = find(p, b);
  return name ? name : define_buffer(p, b);
}

static void line(Printer *p) { rlx_buf_repeat(p->out, ' ', (size_t)p->indent * 4); }

static const char *dialect_name(const Printer *p, const char *classic, const char *now) {
  return p->classic ? classic : now;
}

// ---- expressions

static void expr(Printer *p, const RlxTirExpr *e, int level);

static void dims(Printer *p, RlxTirExpr *const *items, int count);

static void list(Printer *p, RlxTirExpr *const *items, int count) {
  for (int i = 0; i < count; i++) {
    if (i) rlx_buf_puts(p->out, ", ");
    expr(p, items[i], LEVEL_LOWEST);
  }
}

static void call(Printer *p, const char *name, RlxTirExpr *const *args, int count) {
  rlx_buf_printf(p->out, "T.%s(", name);
  list(p, args, count);
  rlx_buf_putc(p->out, ')');
}

static void float_text(RlxBuf *out, double number) {
  if (isnan(number))
    rlx_buf_puts(out, "\"nan\"");
  else if (isinf(number))
    rlx_buf_puts(out, number > 0 ? "\"inf\"" : "\"-inf\"");
  else {
    char text[400]; // 1e308 in digits
    snprintf(text, sizeof text, number == trunc(number) ? "%.0f" : "%.17g", number);
    rlx_buf_puts(out, text);
    if (!strpbrk(text, ".en")) rlx_buf_puts(out, ".0");
  }
}

static void literal(Printer *p, const RlxTirExpr *e) {
  char t[RLX_DTYPE_TEXT_MAX];
  if (e->kind == RLX_TIR_FLOAT) {
    rlx_buf_printf(p->out, "T.%s(", rlx_dtype_text(e->dtype, t));
    float_text(p->out, e->number);
    rlx_buf_putc(p->out, ')');
  } else if (rlx_dtype_is_bool(e->dtype)) {
    rlx_buf_puts(p->out, e->integer ? "T.bool(True)" : "T.bool(False)");
  } else if (rlx_dtype_equal(e->dtype, RLX_INT32) || !rlx_dtype_known(e->dtype)) {
    rlx_buf_printf(p->out, "%lld", (long long)e->integer);
  } else if (e->dtype.code == RLX_DTYPE_UINT) {
    rlx_buf_printf(p->out, "T.%s(%llu)", rlx_dtype_text(e->dtype, t),
                   (unsigned long long)e->integer);
  } else {
    rlx_buf_printf(p->out, "T.%s(%lld)", rlx_dtype_text(e->dtype, t), (long long)e->integer);
  }
}

static void string(Printer *p, const char *text, size_t size) {
  rlx_buf_putc(p->out, '"');
  for (size_t i = 0; i < size; i++) {
    if (text[i] == '"' || text[i] == '\\') rlx_buf_putc(p->out, '\\');
    if (text[i] == '\n')
      rlx_buf_puts(p->out, "\\n");
    else
      rlx_buf_putc(p->out, text[i]);
  }
  rlx_buf_putc(p->out, '"');
}

typedef struct Operator {
  const char *text; // infix, or the function's name when level is LEVEL_ATOM
  int level;
} Operator;

static Operator operator_of(const Printer *p, const RlxTirExpr *e) {
  bool is_float = e->arg_count && rlx_dtype_is_float(e->args[0]->dtype);
  switch ((RlxTirExprKind)e->kind) {
  case RLX_TIR_ADD: return (Operator){"+", LEVEL_SUM};
  case RLX_TIR_SUB: return (Operator){"-", LEVEL_SUM};
  case RLX_TIR_MUL: return (Operator){"*", LEVEL_PRODUCT};
  case RLX_TIR_DIV:
  case RLX_TIR_TRUNCDIV:
    return is_float ? (Operator){"/", LEVEL_PRODUCT} : (Operator){"Div", LEVEL_ATOM};
  case RLX_TIR_FLOORDIV: return (Operator){"//", LEVEL_PRODUCT};
  case RLX_TIR_FLOORMOD: return (Operator){"%", LEVEL_PRODUCT};
  case RLX_TIR_TRUNCMOD: return (Operator){"truncmod", LEVEL_ATOM};
  case RLX_TIR_MIN: return (Operator){"min", LEVEL_ATOM};
  case RLX_TIR_MAX: return (Operator){"max", LEVEL_ATOM};
  case RLX_TIR_SHL:
    return p->type_vars ? (Operator){"<<", LEVEL_SHIFT} : (Operator){"shift_left", LEVEL_ATOM};
  case RLX_TIR_SHR:
    return p->type_vars ? (Operator){">>", LEVEL_SHIFT} : (Operator){"shift_right", LEVEL_ATOM};
  case RLX_TIR_BITAND: return (Operator){"bitwise_and", LEVEL_ATOM};
  case RLX_TIR_BITOR: return (Operator){"bitwise_or", LEVEL_ATOM};
  case RLX_TIR_BITXOR: return (Operator){"bitwise_xor", LEVEL_ATOM};
  case RLX_TIR_BITNOT: return (Operator){"bitwise_not", LEVEL_ATOM};
  case RLX_TIR_EQ: return (Operator){"==", LEVEL_COMPARE};
  case RLX_TIR_NE: return (Operator){"!=", LEVEL_COMPARE};
  case RLX_TIR_LT: return (Operator){"<", LEVEL_COMPARE};
  case RLX_TIR_LE: return (Operator){"<=", LEVEL_COMPARE};
  case RLX_TIR_GT: return (Operator){">", LEVEL_COMPARE};
  case RLX_TIR_GE: return (Operator){">=", LEVEL_COMPARE};
  case RLX_TIR_AND: return (Operator){"and", LEVEL_AND};
  case RLX_TIR_OR: return (Operator){"or", LEVEL_OR};
  case RLX_TIR_SELECT: return (Operator){"Select", LEVEL_ATOM};
  case RLX_TIR_IF_THEN_ELSE: return (Operator){"if_then_else", LEVEL_ATOM};
  case RLX_TIR_HOLE:
  case RLX_TIR_INT:
  case RLX_TIR_FLOAT:
  case RLX_TIR_STRING:
  case RLX_TIR_VAR:
  case RLX_TIR_NOT:
  case RLX_TIR_CAST:
  case RLX_TIR_REINTERPRET:
  case RLX_TIR_LOAD:
  case RLX_TIR_CALL:
  case RLX_TIR_LET:
  case RLX_TIR_RAMP:
  case RLX_TIR_BROADCAST:
  case RLX_TIR_RANGE:
  case RLX_TIR_ADDRESS_OF: break;
  }
  return (Operator){NULL, LEVEL_ATOM};
}

static void infix(Printer *p, const RlxTirExpr *e, Operator op, int level) {
  bool parens = op.level < level;
  if (parens) rlx_buf_putc(p->out, '(');
  // Comparisons do not chain here, so both sides bind tighter; the others group to the left.
  expr(p, e->args[0], op.level == LEVEL_COMPARE ? op.level + 1 : op.level);
  rlx_buf_printf(p->out, " %s ", op.text);
  expr(p, e->args[1], op.level + 1);
  if (parens) rlx_buf_putc(p->out, ')');
}

static void typed_call(Printer *p, const char *name, const RlxTirExpr *e) {
  char t[RLX_DTYPE_TEXT_MAX];
  rlx_buf_printf(p->out, "T.%s(\"%s\", ", name, rlx_dtype_text(e->dtype, t));
  list(p, e->args, e->arg_count);
  rlx_buf_putc(p->out, ')');
}

static void intrinsic(Printer *p, const RlxTirExpr *e) {
  char t[RLX_DTYPE_TEXT_MAX];
  const char *name = rlx_store_text(p->store, e->name);
  if (!strcmp(name, "call_packed"))
    call(p, name, e->args, e->arg_count);
  else if (!strncmp(name, "call_", 5))
    typed_call(p, name, e);
  else if (!strcmp(name, "tvm_struct_get")) {
    rlx_buf_puts(p->out, "T.tvm_struct_get(");
    list(p, e->args, e->arg_count);
    rlx_buf_printf(p->out, ", \"%s\")", rlx_dtype_text(e->dtype, t));
  } else if (p->type_vars && !strcmp(name, "tvm_storage_sync") && e->arg_count == 1) {
    rlx_buf_puts(p->out, "T.tvm_storage_sync(");
    list(p, e->args, e->arg_count);
    rlx_buf_puts(p->out, ", T.bool(False), -1)"); // 0.27's reader fills them in
  } else
    call(p, name, e->args, e->arg_count);
}

static void element(Printer *p, const RlxTirBuffer *b, RlxTirExpr *const *indices) {
  rlx_buf_puts(p->out, buffer_name(p, b));
  rlx_buf_putc(p->out, '[');
  if (b->ndim == 0) rlx_buf_puts(p->out, "()");
  list(p, indices, b->ndim);
  rlx_buf_putc(p->out, ']');
}

static void expr(Printer *p, const RlxTirExpr *e, int level) {
  Operator op = operator_of(p, e);
  if (op.text) {
    if (op.level == LEVEL_ATOM)
      call(p, op.text, e->args, e->arg_count);
    else
      infix(p, e, op, level);
    return;
  }
  if (e->kind == RLX_TIR_INT || e->kind == RLX_TIR_FLOAT)
    literal(p, e);
  else if (e->kind == RLX_TIR_STRING)
    string(p, e->text, e->text_size);
  else if (e->kind == RLX_TIR_VAR)
    rlx_buf_puts(p->out, var_name(p, e->var));
  else if (e->kind == RLX_TIR_CAST)
    typed_call(p, "Cast", e);
  else if (e->kind == RLX_TIR_REINTERPRET)
    typed_call(p, "reinterpret", e);
  else if (e->kind == RLX_TIR_LOAD)
    element(p, e->buffer, e->args);
  else if (e->kind == RLX_TIR_CALL)
    intrinsic(p, e);
  else if (e->kind == RLX_TIR_RAMP || e->kind == RLX_TIR_BROADCAST) {
    rlx_buf_puts(p->out, e->kind == RLX_TIR_RAMP ? "T.Ramp(" : "T.Broadcast(");
    list(p, e->args, e->arg_count);
    rlx_buf_printf(p->out, ", %d)", e->dtype.lanes);
  } else if (e->kind == RLX_TIR_NOT) {
    bool parens = level > LEVEL_NOT;
    rlx_buf_puts(p->out, parens ? "(not " : "not ");
    expr(p, e->args[0], LEVEL_NOT);
    if (parens) rlx_buf_putc(p->out, ')');
  } else if (e->kind == RLX_TIR_LET) {
    uint32_t mark = p->names.count;
    const char *name = define(p, e->var, e->var->name, "x");
    rlx_buf_puts(p->out, "T.Let(");
    expr(p, e->args[1], LEVEL_LOWEST);
    rlx_buf_printf(p->out, ", where={%s: ", name);
    expr(p, e->args[0], LEVEL_LOWEST);
    rlx_buf_puts(p->out, "})");
    leave_scope(p, mark);
  } else if (e->kind == RLX_TIR_RANGE) {
    expr(p, e->args[0], LEVEL_LOWEST);
    rlx_buf_putc(p->out, ':');
    expr(p, e->args[1], LEVEL_LOWEST);
    if (e->arg_count > 2) {
      rlx_buf_putc(p->out, ':');
      expr(p, e->args[2], LEVEL_LOWEST);
    }
  } else if (e->kind == RLX_TIR_ADDRESS_OF) {
    call(p, "address_of", e->args, 1);
  } else {
    rlx_buf_puts(p->out, "...");
  }
}

// ---- buffers and regions

static void tuple(Printer *p, RlxTirExpr *const *items, int count) {
  rlx_buf_putc(p->out, '(');
  if (p->in_signature)
    dims(p, items, count);
  else
    list(p, items, count);
  rlx_buf_puts(p->out, count == 1 ? ",)" : ")");
}

static bool meet(Printer *p, const RlxTirExpr *e);

/// `(shape), "dtype"`, and what else is not as usual; `always` prints float32, too.
static void buffer_args(Printer *p, const RlxTirBuffer *b, bool always) {
  char t[RLX_DTYPE_TEXT_MAX];
  tuple(p, b->shape, b->ndim);
  if (always || !rlx_dtype_equal(b->dtype, RLX_FLOAT32))
    rlx_buf_printf(p->out, ", \"%s\"", rlx_dtype_text(b->dtype, t));
  if (b->strides) {
    rlx_buf_puts(p->out, ", strides=");
    tuple(p, b->strides, b->ndim);
  }
  if (b->elem_offset && !(b->elem_offset->kind == RLX_TIR_INT && b->elem_offset->integer == 0)) {
    rlx_buf_puts(p->out, ", elem_offset=");
    if (p->in_signature) meet(p, b->elem_offset);
    expr(p, b->elem_offset, LEVEL_LOWEST);
  }
  bool is_own = b->offset_factor && !b->elem_offset;
  if (is_own && p->in_signature) {
    const char *name = define(p, &b->elem_offset, 0, "elem_offset");
    rlx_vec_push(p->type_vars, rlx_mem_strdup(name));
    rlx_buf_printf(p->out, ", elem_offset=%s", name);
  }
  const char *scope = rlx_store_text(p->store, b->scope);
  if (*scope && strcmp(scope, "global") != 0) {
    rlx_buf_puts(p->out, ", scope=");
    string(p, scope, strlen(scope));
  }
  if (b->align && b->align != 64) rlx_buf_printf(p->out, ", align=%d", b->align);
  if (b->offset_factor > 1 || (is_own && !p->in_signature))
    rlx_buf_printf(p->out, ", offset_factor=%d", b->offset_factor);
  for (int i = 0; !p->type_vars && i < b->separator_count; i++) // 0.26 dropped them
    rlx_buf_printf(p->out, "%s%lld", i ? ", " : ", axis_separators=[", (long long)b->separators[i]);
  if (!p->type_vars && b->separator_count) rlx_buf_putc(p->out, ']');
}

static bool same_expr(const RlxTirExpr *a, const RlxTirExpr *b) {
  if (a == b) return true;
  if (a->kind != b->kind || a->arg_count != b->arg_count || !rlx_dtype_equal(a->dtype, b->dtype))
    return false;
  if (a->kind == RLX_TIR_INT && a->integer != b->integer) return false;
  if (a->kind == RLX_TIR_VAR && a->var != b->var) return false;
  if (a->kind == RLX_TIR_LOAD || a->kind == RLX_TIR_CALL || a->kind == RLX_TIR_FLOAT ||
      a->kind == RLX_TIR_STRING)
    return false;
  for (int i = 0; i < a->arg_count; i++)
    if (!same_expr(a->args[i], b->args[i])) return false;
  return true;
}

static bool is_int_one(const RlxTirExpr *e) { return e->kind == RLX_TIR_INT && e->integer == 1; }

static void sum(Printer *p, const RlxTirExpr *begin, const RlxTirExpr *extent) {
  bool both = begin->kind == RLX_TIR_INT && extent->kind == RLX_TIR_INT;
  bool from_zero = begin->kind == RLX_TIR_INT && begin->integer == 0;
  if (both) {
    RlxTirExpr total = *begin;
    total.integer += extent->integer;
    literal(p, &total);
  } else if (from_zero) {
    expr(p, extent, LEVEL_LOWEST);
  } else if (extent->kind == RLX_TIR_SUB && same_expr(extent->args[1], begin)) {
    expr(p, extent->args[0], LEVEL_LOWEST); // end - begin, as the script's slice had it
  } else {
    expr(p, begin, LEVEL_SUM);
    rlx_buf_puts(p->out, " + ");
    expr(p, extent, LEVEL_SUM + 1);
  }
}

static void region(Printer *p, const RlxTirBuffer *b, RlxTirExpr *const *begin,
                   RlxTirExpr *const *extent) {
  rlx_buf_puts(p->out, buffer_name(p, b));
  rlx_buf_putc(p->out, '[');
  if (b->ndim == 0) rlx_buf_puts(p->out, "()");
  for (int i = 0; i < b->ndim; i++) {
    if (i) rlx_buf_puts(p->out, ", ");
    expr(p, begin[i], LEVEL_LOWEST);
    if (!extent || is_int_one(extent[i])) continue;
    rlx_buf_putc(p->out, ':');
    sum(p, begin[i], extent[i]);
  }
  rlx_buf_putc(p->out, ']');
}

/// Index of the entry that comes next in order of the keys, behind `last` (-1: the first); -1 when
/// there is none.
static int next_key(const Printer *p, const RlxTirAnnotation *items, int count, int last) {
  int best = -1;
  for (int i = 0; i < count; i++) {
    const char *key = rlx_store_text(p->store, items[i].key);
    int after = last < 0 ? 1 : strcmp(key, rlx_store_text(p->store, items[last].key));
    if (after < 0 || (after == 0 && i <= last)) continue;
    if (best < 0 || strcmp(key, rlx_store_text(p->store, items[best].key)) < 0) best = i;
  }
  return best;
}

static void annotations(Printer *p, const RlxTirAnnotation *items, int count) {
  rlx_buf_putc(p->out, '{');
  for (int i = next_key(p, items, count, -1), n = 0; i >= 0;
       i = next_key(p, items, count, i), n++) {
    if (n) rlx_buf_puts(p->out, ", ");
    const char *key = rlx_store_text(p->store, items[i].key);
    string(p, key, strlen(key));
    rlx_buf_puts(p->out, ": ");
    const RlxTirExpr *v = items[i].value;
    if (v && v->kind == RLX_TIR_INT && rlx_dtype_is_bool(v->dtype))
      rlx_buf_puts(p->out, v->integer ? "True" : "False");
    else if (v && v->kind == RLX_TIR_INT)
      rlx_buf_printf(p->out, "%lld", (long long)v->integer);
    else if (v && v->kind == RLX_TIR_FLOAT)
      float_text(p->out, v->number);
    else if (v)
      expr(p, v, LEVEL_LOWEST);
    else
      rlx_buf_puts(p->out, items[i].words ? items[i].words : "None");
  }
  rlx_buf_putc(p->out, '}');
}

// ---- statements

static void stmt(Printer *p, const RlxTirStmt *s);

static void body(Printer *p, const RlxTirStmt *s) {
  uint32_t mark = p->names.count;
  size_t before = p->out->size;
  p->indent++;
  p->is_only = true;
  if (s) stmt(p, s);
  if (p->out->size == before) {
    line(p);
    rlx_buf_puts(p->out, "T.evaluate(0)\n");
  }
  p->indent--;
  leave_scope(p, mark);
}

static bool is_zero(const RlxTirExpr *e) {
  return !e || (e->kind == RLX_TIR_INT && e->integer == 0);
}

static bool mentions(const RlxTirExpr *e, const RlxTirVar *var) {
  if (e->kind == RLX_TIR_VAR && e->var == var) return true;
  for (int i = 0; i < e->arg_count; i++)
    if (mentions(e->args[i], var)) return true;
  return false;
}

static bool is_plain_loop(const RlxTirStmt *s) {
  return s->kind == RLX_TIR_FOR && s->for_kind == RLX_FOR_SERIAL && is_zero(s->min) &&
         s->annotation_count == 0;
}

static const RlxTirStmt *alone(const RlxTirStmt *s) {
  while (s && s->kind == RLX_TIR_SEQ && s->count == 1) s = s->body[0];
  return s;
}

/// How many plain loops are nested perfectly from `s` on, none depending on another.
static int grid_size(const RlxTirStmt *s, const RlxTirStmt **loops, int capacity) {
  int count = 0;
  while (s && count < capacity && is_plain_loop(s)) {
    for (int i = 0; i < count; i++)
      if (mentions(s->extent, loops[i]->var)) return count;
    loops[count++] = s;
    s = alone(s->body[0]);
  }
  return count;
}

static void single_loop(Printer *p, const RlxTirStmt *s) {
  static const char *const kinds[] = {"T.serial", "T.parallel", "T.vectorized", "T.unroll",
                                      "T.thread_binding"};
  bool is_range = s->for_kind == RLX_FOR_SERIAL && s->annotation_count == 0;
  RlxBuf *out = p->out;
  // The bounds are printed before the variable is in scope.
  RlxBuf bounds = {0};
  p->out = &bounds;
  if (!is_zero(s->min)) {
    expr(p, s->min, LEVEL_LOWEST);
    rlx_buf_puts(&bounds, ", ");
    sum(p, s->min, s->extent);
  } else {
    expr(p, s->extent, LEVEL_LOWEST);
  }
  p->out = out;
  rlx_buf_printf(out, "for %s in %s(%s", define(p, s->var, s->var->name, "i"),
                 is_range ? "range" : kinds[s->for_kind], rlx_buf_text(&bounds));
  rlx_buf_free(&bounds);
  if (s->for_kind == RLX_FOR_THREAD_BINDING) {
    const char *thread = rlx_store_text(p->store, s->name);
    rlx_buf_puts(out, ", thread=");
    string(p, thread, strlen(thread));
  }
  if (s->annotation_count) {
    rlx_buf_puts(out, ", annotations=");
    annotations(p, s->annotations, s->annotation_count);
  }
  rlx_buf_puts(out, "):\n");
}

static void for_stmt(Printer *p, const RlxTirStmt *s) {
  enum { MOST = 32 };
  const RlxTirStmt *loops[MOST];
  uint32_t mark = p->names.count, outer = p->loops.count;
  int count = grid_size(s, loops, MOST);
  line(p);
  if (count < 2) {
    single_loop(p, s);
    rlx_vec_push(&p->loops, s);
    body(p, s->body[0]);
  } else {
    RlxBuf extents = {0}, *out = p->out;
    p->out = &extents;
    for (int i = 0; i < count; i++) {
      if (i) rlx_buf_puts(&extents, ", ");
      expr(p, loops[i]->extent, LEVEL_LOWEST);
    }
    p->out = out;
    rlx_buf_puts(out, "for ");
    for (int i = 0; i < count; i++) {
      rlx_buf_printf(out, "%s%s", i ? ", " : "",
                     define(p, loops[i]->var, loops[i]->var->name, "i"));
      rlx_vec_push(&p->loops, loops[i]);
    }
    rlx_buf_printf(out, " in T.grid(%s):\n", rlx_buf_text(&extents));
    rlx_buf_free(&extents);
    body(p, loops[count - 1]->body[0]);
  }
  p->loops.count = outer;
  leave_scope(p, mark);
}

/// A spatial or reduction variable bound to a loop with the same domain.
static bool is_remapped(const Printer *p, const RlxTirIterVar *iter) {
  if (iter->type > RLX_ITER_REDUCE || !iter->binding || iter->binding->kind != RLX_TIR_VAR ||
      !is_zero(iter->min))
    return false;
  for (uint32_t i = 0; i < p->loops.count; i++)
    if (p->loops.at[i]->var == iter->binding->var)
      return is_zero(p->loops.at[i]->min) && same_expr(p->loops.at[i]->extent, iter->extent);
  return false;
}

static void single_axis(Printer *p, const RlxTirIterVar *iter) {
  static const char *const types[] = {"spatial", "reduce", "scan", "opaque"};
  line(p);
  RlxBuf text = {0}, *out = p->out;
  p->out = &text;
  if (is_zero(iter->min)) {
    expr(p, iter->extent, LEVEL_LOWEST);
  } else {
    rlx_buf_putc(&text, '(');
    expr(p, iter->min, LEVEL_LOWEST);
    rlx_buf_puts(&text, ", ");
    sum(p, iter->min, iter->extent);
    rlx_buf_putc(&text, ')');
  }
  rlx_buf_puts(&text, ", ");
  if (iter->binding)
    expr(p, iter->binding, LEVEL_LOWEST);
  else
    rlx_buf_puts(&text, "...");
  p->out = out;
  rlx_buf_printf(out, "%s = T.axis.%s(%s)\n", define(p, iter->var, iter->var->name, "v"),
                 types[iter->type], rlx_buf_text(&text));
  rlx_buf_free(&text);
}

static void remapped_axes(Printer *p, const RlxTirIterVar *iters, int count) {
  if (count == 1) {
    single_axis(p, iters);
    return;
  }
  line(p);
  for (int i = 0; i < count; i++)
    rlx_buf_printf(p->out, "%s%s", i ? ", " : "", define(p, iters[i].var, iters[i].var->name, "v"));
  rlx_buf_puts(p->out, " = T.axis.remap(\"");
  for (int i = 0; i < count; i++)
    rlx_buf_putc(p->out, iters[i].type == RLX_ITER_REDUCE ? 'R' : 'S');
  rlx_buf_puts(p->out, "\", [");
  for (int i = 0; i < count; i++) {
    if (i) rlx_buf_puts(p->out, ", ");
    expr(p, iters[i].binding, LEVEL_LOWEST);
  }
  rlx_buf_puts(p->out, "])\n");
}

static void regions(Printer *p, const char *name, const RlxTirRegion *items, int count) {
  if (count < 0) return; // not declared
  line(p);
  rlx_buf_printf(p->out, "T.%s(", name);
  for (int i = 0; i < count; i++) {
    if (i) rlx_buf_puts(p->out, ", ");
    region(p, items[i].buffer, items[i].begin, items[i].extent);
  }
  rlx_buf_puts(p->out, ")\n");
}

static void alloc_line(Printer *p, const RlxTirBuffer *b, const char *function) {
  line(p);
  rlx_buf_printf(p->out, "%s = T.%s(", define_buffer(p, b), function);
  buffer_args(p, b, false);
  rlx_buf_puts(p->out, ")\n");
}

static void match_line(Printer *p, const RlxTirBuffer *b) {
  line(p);
  rlx_buf_printf(p->out, "%s = T.match_buffer(", define_buffer(p, b));
  rlx_buf_puts(p->out, buffer_name(p, b->view_of));
  rlx_buf_putc(p->out, '[');
  int skipped = b->view_of->ndim - b->ndim;
  for (int i = 0; i < b->view_of->ndim; i++) {
    if (i) rlx_buf_puts(p->out, ", ");
    expr(p, b->view_origin[i], LEVEL_LOWEST);
    if (i < skipped) continue;
    rlx_buf_putc(p->out, ':');
    sum(p, b->view_origin[i], b->shape[i - skipped]);
  }
  rlx_buf_puts(p->out, "], ");
  buffer_args(p, b, false);
  rlx_buf_puts(p->out, ")\n");
}

static void block(Printer *p, const RlxTirStmt *s) {
  const RlxTirBlock *b = s->block;
  uint32_t mark = p->names.count;
  line(p);
  const char *name = rlx_store_text(p->store, b->name);
  rlx_buf_printf(p->out, "with T.%s(", dialect_name(p, "block", "sblock"));
  string(p, name, strlen(name));
  rlx_buf_puts(p->out, "):\n");
  p->indent++;
  for (int i = 0; i < b->iter_count;) {
    int run = 0;
    while (i + run < b->iter_count && is_remapped(p, &b->iters[i + run])) run++;
    if (run)
      remapped_axes(p, &b->iters[i], run);
    else
      single_axis(p, &b->iters[i]);
    i += run ? run : 1;
  }
  if (b->predicate && !(b->predicate->kind == RLX_TIR_INT && b->predicate->integer)) {
    line(p);
    call(p, "where", (RlxTirExpr *const *)&b->predicate, 1);
    rlx_buf_putc(p->out, '\n');
  }
  regions(p, "reads", b->reads, b->read_count);
  regions(p, "writes", b->writes, b->write_count);
  if (b->annotation_count) {
    line(p);
    rlx_buf_printf(p->out, "T.%s(", dialect_name(p, "block_attr", "sblock_attr"));
    annotations(p, b->annotations, b->annotation_count);
    rlx_buf_puts(p->out, ")\n");
  }
  for (int i = 0; i < b->alloc_count; i++)
    alloc_line(p, b->allocs[i], dialect_name(p, "alloc_buffer", "sblock_alloc_buffer"));
  for (int i = 0; i < b->match_count; i++) match_line(p, b->matches[i]);
  if (s->init) {
    line(p);
    rlx_buf_puts(p->out, "with T.init():\n");
    body(p, s->init);
  }
  p->indent--;
  body(p, s->body[0]);
  leave_scope(p, mark);
}

static void let_stmt(Printer *p, const RlxTirStmt *s) {
  char t[RLX_DTYPE_TEXT_MAX];
  RlxBuf text = {0}, *out = p->out;
  p->out = &text;
  expr(p, s->value, LEVEL_LOWEST);
  p->out = out;
  line(p);
  const char *name = define(p, s->var, s->var->name, "x");
  rlx_buf_printf(out, p->classic || s->is_scalar ? "%s: T.%s = %s\n" : "%s: T.let[T.%s] = %s\n",
                 name, rlx_dtype_text(s->var->dtype, t), rlx_buf_text(&text));
  rlx_buf_free(&text);
  p->is_only &= p->classic;
  if (s->count) stmt(p, s->body[0]);
}

static void alloc_stmt(Printer *p, const RlxTirStmt *s) {
  const RlxTirBuffer *b = s->buffer;
  const char *scope = rlx_store_text(p->store, b->scope);
  bool has_word = !p->classic && (!strcmp(scope, "local") || !strcmp(scope, "shared"));
  p->is_only = false;
  if (!b->view_of && has_word) {
    RlxTirBuffer plain = *b; // the word says the scope
    plain.scope = 0;
    line(p);
    rlx_buf_printf(p->out, "%s = T.alloc_%s(", define_buffer(p, b), scope);
    buffer_args(p, &plain, false);
    rlx_buf_puts(p->out, ")\n");
  } else if (!b->view_of) {
    alloc_line(p, b, "alloc_buffer");
  } else if (b->view_origin) {
    match_line(p, b);
  } else {
    line(p);
    rlx_buf_printf(p->out, "%s = T.decl_buffer(", define_buffer(p, b));
    buffer_args(p, b, false);
    rlx_buf_printf(p->out, ", data=%s.data)\n", buffer_name(p, b->view_of));
  }
  if (s->count) stmt(p, s->body[0]);
}

/// What encloses all that its suite has needs no suite of its own.
static void enclosed(Printer *p, const RlxTirStmt *s, bool is_flat) {
  const RlxTirStmt *inside = s->count ? s->body[0] : NULL;
  if (!is_flat)
    body(p, inside);
  else if (inside)
    stmt(p, inside);
}

/// `tx = T.launch_thread("threadIdx.x", 32)`, or the same with `with`.
static void launch_stmt(Printer *p, const RlxTirStmt *s) {
  bool is_flat = p->is_only;
  uint32_t mark = p->names.count;
  const char *thread = rlx_store_text(p->store, s->name);
  RlxBuf extent = {0}, *out = p->out;
  p->out = &extent;
  expr(p, s->extent, LEVEL_LOWEST);
  p->out = out;
  line(p);
  const char *name = define(p, s->var, s->var->name, "tx");
  if (is_flat)
    rlx_buf_printf(out, "%s = T.launch_thread(\"%s\", %s)\n", name, thread, rlx_buf_text(&extent));
  else
    rlx_buf_printf(out, "with T.launch_thread(\"%s\", %s) as %s:\n", thread, rlx_buf_text(&extent),
                   name);
  rlx_buf_free(&extent);
  enclosed(p, s, is_flat);
  if (!is_flat) leave_scope(p, mark);
}

static void attr_stmt(Printer *p, const RlxTirStmt *s) {
  const char *name = rlx_store_text(p->store, s->name);
  bool is_flat = p->is_only && s->annotation_count;
  line(p);
  if (s->var) {
    const char *var = define(p, s->var, s->var->name, "tx");
    rlx_buf_printf(p->out, "with T.launch_thread(\"%s\", ", name);
    if (s->value) expr(p, s->value, LEVEL_LOWEST);
    rlx_buf_printf(p->out, ") as %s:\n", var);
  } else if (s->annotation_count) {
    rlx_buf_puts(p->out, is_flat ? "T.attr(" : "with T.attr(");
    annotations(p, s->annotations, s->annotation_count);
    rlx_buf_puts(p->out, is_flat ? ")\n" : "):\n");
  } else {
    rlx_buf_printf(p->out, "with T.attr(0, \"%s\", ", name);
    if (s->value) expr(p, s->value, LEVEL_LOWEST);
    rlx_buf_puts(p->out, "):\n");
  }
  enclosed(p, s, is_flat);
}

static void condition(Printer *p, const char *word, const RlxTirExpr *cond,
                      const RlxTirStmt *inside) {
  line(p);
  rlx_buf_printf(p->out, "%s ", word);
  expr(p, cond, LEVEL_LOWEST);
  rlx_buf_puts(p->out, ":\n");
  body(p, inside);
}

static void simple(Printer *p, const char *before, const RlxTirExpr *value, const char *after) {
  line(p);
  rlx_buf_puts(p->out, before);
  if (value) expr(p, value, LEVEL_LOWEST);
  rlx_buf_printf(p->out, "%s\n", after);
}

static void stmt(Printer *p, const RlxTirStmt *s) {
  switch ((RlxTirStmtKind)s->kind) {
  case RLX_TIR_SEQ: {
    bool is_only = p->is_only && s->count == 1;
    for (uint32_t i = 0; i < s->count; i++) {
      p->is_only = is_only;
      stmt(p, s->body[i]);
    }
    break;
  }
  case RLX_TIR_FOR:
    if (s->is_launch)
      launch_stmt(p, s);
    else
      for_stmt(p, s);
    break;
  case RLX_TIR_WHILE: condition(p, "while", s->cond, s->body[0]); break;
  case RLX_TIR_IF:
    condition(p, "if", s->cond, s->body[0]);
    if (s->count > 1) {
      line(p);
      rlx_buf_puts(p->out, "else:\n");
      body(p, s->body[1]);
    }
    break;
  case RLX_TIR_BLOCK: block(p, s); break;
  case RLX_TIR_STORE:
    line(p);
    element(p, s->buffer, s->indices);
    rlx_buf_puts(p->out, " = ");
    expr(p, s->value, LEVEL_LOWEST);
    rlx_buf_putc(p->out, '\n');
    break;
  case RLX_TIR_LET_STMT: let_stmt(p, s); break;
  case RLX_TIR_ALLOC: alloc_stmt(p, s); break;
  case RLX_TIR_EVALUATE:
    if (s->value && s->value->kind == RLX_TIR_CALL)
      simple(p, "", s->value, "");
    else
      simple(p, "T.evaluate(", s->value, ")");
    break;
  case RLX_TIR_ASSERT:
    line(p);
    rlx_buf_puts(p->out, "assert ");
    expr(p, s->cond, LEVEL_LOWEST);
    if (s->annotation_count) {
      rlx_buf_printf(p->out, ", %s", s->annotations[0].words);
    } else if (s->value) {
      rlx_buf_puts(p->out, p->classic ? ", " : ", (\"RuntimeError\", [");
      expr(p, s->value, LEVEL_LOWEST);
      if (!p->classic) rlx_buf_puts(p->out, "])");
    } else if (!p->classic) {
      rlx_buf_puts(p->out, ", (\"RuntimeError\", [\"\"])"); // a message is asked for
    }
    rlx_buf_putc(p->out, '\n');
    if (s->count) stmt(p, s->body[0]);
    break;
  case RLX_TIR_ATTR: attr_stmt(p, s); break;
  case RLX_TIR_BREAK: simple(p, "break", NULL, ""); break;
  case RLX_TIR_CONTINUE: simple(p, "continue", NULL, ""); break;
  case RLX_TIR_RETURN:
    if (p->classic && s->value)
      simple(p, "T.ret(", s->value, ")");
    else
      simple(p, s->value ? "return " : "return", s->value, "");
    break;
  case RLX_TIR_NOP:
    if (p->is_only && s->value) simple(p, "T.evaluate(", s->value, ")");
    break;
  }
}

// ---- the function

static bool has_block(const RlxTirStmt *s) {
  if (!s) return false;
  if (s->kind == RLX_TIR_BLOCK) return true;
  for (uint32_t i = 0; i < s->count; i++)
    if (has_block(s->body[i])) return true;
  return false;
}

/// The buffer can stand in the signature: nothing but constants and variables that are parameters
/// before it.
static bool is_inline(const Printer *p, const RlxTirBuffer *b) {
  if (b->strides || b->scope) {
    const char *scope = rlx_store_text(p->store, b->scope);
    if (b->strides || (*scope && strcmp(scope, "global") != 0)) return false;
  }
  if ((b->elem_offset && !is_zero(b->elem_offset)) || b->align || b->offset_factor ||
      b->separator_count)
    return false;
  for (int i = 0; i < b->ndim; i++)
    if (b->shape[i]->kind != RLX_TIR_INT) return false;
  return true;
}

static bool is_param(const Printer *p, const RlxTirVar *var) {
  for (int i = 0; i < p->f->param_count; i++)
    if (p->f->params[i].var == var) return true;
  return false;
}

/// A symbolic variable of the signature gets its name and its declaration. Whether the dimension it
/// is `part` of is to be a string: TypeVars are no part of an expression, others have to be known.
static bool meet_in(Printer *p, const RlxTirExpr *e, bool is_part) {
  bool is_quoted = false;
  if (e->kind == RLX_TIR_VAR) {
    bool is_own = is_param(p, e->var), is_new = !find(p, e->var);
    bool is_type_var = !is_own && rlx_dtype_equal(e->var->dtype, RLX_INT64);
    const char *name = is_new ? define(p, e->var, e->var->name, "n") : NULL;
    if (is_new && is_type_var)
      rlx_vec_push(p->type_vars, rlx_mem_strdup(name));
    else if (is_new && !is_own)
      rlx_vec_push(&p->locals, e->var);
    is_quoted = is_type_var ? is_part : is_new;
  }
  for (int i = 0; i < e->arg_count; i++) is_quoted |= meet_in(p, e->args[i], true);
  return is_quoted;
}

static bool meet(Printer *p, const RlxTirExpr *e) { return meet_in(p, e, false); }

/// Dimensions in a signature of 0.27: an expression, or a variable that the function declares
/// itself, is a string where it is new.
static void dims(Printer *p, RlxTirExpr *const *items, int count) {
  for (int i = 0; i < count; i++) {
    bool is_quoted = meet(p, items[i]);
    RlxBuf text = {0}, *out = p->out;
    p->out = &text;
    expr(p, items[i], LEVEL_LOWEST);
    p->out = out;
    if (i) rlx_buf_puts(out, ", ");
    if (is_quoted)
      string(p, rlx_buf_text(&text), text.size);
    else
      rlx_buf_puts(out, rlx_buf_text(&text));
    rlx_buf_free(&text);
  }
}

static void signature(Printer *p) {
  char t[RLX_DTYPE_TEXT_MAX];
  p->in_signature = p->type_vars != NULL;
  for (int i = 0; i < p->f->param_count; i++) {
    const RlxTirParam *param = &p->f->params[i];
    if (i) rlx_buf_puts(p->out, ", ");
    if (!param->buffer) {
      bool is_handle = param->var->dtype.code == RLX_DTYPE_HANDLE;
      rlx_buf_printf(p->out, "%s: T.%s", var_name(p, param->var),
                     is_handle ? "handle" : rlx_dtype_text(param->var->dtype, t));
    } else if (p->type_vars || is_inline(p, param->buffer)) {
      rlx_buf_printf(p->out, "%s: T.Buffer(", define_buffer(p, param->buffer));
      buffer_args(p, param->buffer, true);
      rlx_buf_putc(p->out, ')');
    } else {
      char name[300];
      const char *own = rlx_store_text(p->store, param->var->name),
                 *of = rlx_store_text(p->store, param->buffer->name);
      bool same = !*own || !strcmp(own, of);
      snprintf(name, sizeof name, same ? "var_%.200s" : "%.200s", same ? of : own);
      while (name_taken(p, name)) strncat(name, "_", sizeof name - strlen(name) - 1);
      rlx_vec_push(&p->names, (Named){param->var, rlx_mem_strdup(name)});
      rlx_buf_printf(p->out, "%s: T.handle", name);
    }
  }
  p->in_signature = false;
}

typedef Vec(const RlxTirVar *) Vars;

static void undeclared(Printer *p, const RlxTirExpr *e, Vars *vars) {
  bool is_new = e->kind == RLX_TIR_VAR && !find(p, e->var);
  for (uint32_t i = 0; is_new && i < vars->count; i++) is_new = vars->at[i] != e->var;
  if (is_new) rlx_vec_push(vars, e->var);
  for (int i = 0; i < e->arg_count; i++) undeclared(p, e->args[i], vars);
}

/// `m, n = T.int64(), T.int64()`
static void declaration(Printer *p, const RlxTirVar *const *vars, uint32_t count) {
  char t[RLX_DTYPE_TEXT_MAX];
  if (count) line(p);
  for (uint32_t i = 0; i < count; i++) {
    const char *name = find(p, vars[i]);
    rlx_buf_printf(p->out, "%s%s", i ? ", " : "",
                   name ? name : define(p, vars[i], vars[i]->name, "n"));
  }
  for (uint32_t i = 0; i < count; i++)
    rlx_buf_printf(p->out, "%sT.%s()", i ? ", " : " = ", rlx_dtype_text(vars[i]->dtype, t));
  if (count) rlx_buf_putc(p->out, '\n');
}

/// Declares the variables that the buffer is the first to mention: those that are a dimension
/// together, those inside an expression each on its line.
static void declare_vars(Printer *p, const RlxTirBuffer *b) {
  Vars vars = {0};
  for (int d = 0; d < b->ndim; d++)
    if (b->shape[d]->kind == RLX_TIR_VAR) undeclared(p, b->shape[d], &vars);
  for (int d = 0; b->strides && d < b->ndim; d++)
    if (b->strides[d]->kind == RLX_TIR_VAR) undeclared(p, b->strides[d], &vars);
  if (b->elem_offset && b->elem_offset->kind == RLX_TIR_VAR) undeclared(p, b->elem_offset, &vars);
  declaration(p, vars.at, vars.count);
  rlx_vec_clear(&vars);
  for (int d = 0; d < b->ndim; d++) {
    undeclared(p, b->shape[d], &vars);
    if (b->strides) undeclared(p, b->strides[d], &vars);
  }
  if (b->elem_offset) undeclared(p, b->elem_offset, &vars);
  for (uint32_t i = 0; i < vars.count; i++) declaration(p, &vars.at[i], 1);
  rlx_vec_free(&vars);
}
static void match_params(Printer *p) {
  for (int i = 0; i < p->f->param_count; i++) {
    const RlxTirBuffer *b = p->f->params[i].buffer;
    if (!b || find(p, b)) continue;
    declare_vars(p, b);
    line(p);
    const char *handle = find(p, p->f->params[i].var);
    rlx_buf_printf(p->out, "%s = T.match_buffer(%s, ", define_buffer(p, b),
                   handle ? handle : "...");
    buffer_args(p, b, false);
    rlx_buf_puts(p->out, ")\n");
  }
}

/// The attributes, but for a global symbol that is the function's name.
static void func_attrs(Printer *p) {
  const RlxPrimFunc *f = p->f;
  Vec(RlxTirAnnotation) shown = {0};
  for (int i = 0; i < f->attr_count; i++) {
    const RlxTirExpr *v = f->attrs[i].value;
    bool is_name = v && v->kind == RLX_TIR_STRING &&
                   !strcmp(rlx_store_text(p->store, f->attrs[i].key), "global_symbol") &&
                   !strcmp(v->text, rlx_store_text(p->store, f->name));
    if (!is_name) rlx_vec_push(&shown, f->attrs[i]);
  }
  if (shown.count) {
    line(p);
    rlx_buf_puts(p->out, "T.func_attr(");
    annotations(p, shown.at, (int)shown.count);
    rlx_buf_puts(p->out, ")\n");
  }
  rlx_vec_free(&shown);
}

void rlx_primfunc_print(const RlxStore *store, const RlxPrimFunc *f, RlxDialect dialect, int indent,
                        RlxBuf *out) {
  rlx_primfunc_print_naming(store, f, dialect, indent, NULL, out);
}

void rlx_primfunc_print_naming(const RlxStore *store, const RlxPrimFunc *f, RlxDialect dialect,
                               int indent, RlxTirNames *type_vars, RlxBuf *out) {
  Printer p = {.store = store,
               .f = f,
               .classic = dialect == RLX_DIALECT_CLASSIC,
               .type_vars = dialect == RLX_DIALECT_027 ? type_vars : NULL,
               .out = out,
               .indent = indent};
  bool is_own_root = f->body && f->body->kind == RLX_TIR_BLOCK && !f->body->block->iter_count;
  bool blocks = f->root_alloc_count || (has_block(f->body) && !is_own_root);
  line(&p);
  rlx_buf_puts(out, "@T.prim_func");
  bool is_s_tir = !p.classic && !f->lacks_s_tir;
  if (f->is_private || is_s_tir)
    rlx_buf_printf(out, "(%s%s%s)", f->is_private ? "private=True" : "",
                   f->is_private && is_s_tir ? ", " : "", is_s_tir ? "s_tir=True" : "");
  rlx_buf_putc(out, '\n');
  line(&p);
  rlx_buf_printf(out, "def %s(", rlx_store_text(store, f->name));
  signature(&p);
  char ret[RLX_DTYPE_TEXT_MAX];
  if (rlx_dtype_known(f->ret))
    rlx_buf_printf(out, ") -> T.%s:\n", rlx_dtype_text(f->ret, ret));
  else
    rlx_buf_puts(out, "):\n");
  p.indent++;
  declaration(&p, p.locals.at, p.locals.count);
  size_t before = out->size;
  func_attrs(&p);
  match_params(&p);
  if (blocks) {
    line(&p);
    rlx_buf_printf(out, "# with T.%s(\"root\"):\n", dialect_name(&p, "block", "sblock"));
  }
  for (int i = 0; i < f->root_alloc_count; i++)
    alloc_line(&p, f->root_allocs[i], dialect_name(&p, "alloc_buffer", "sblock_alloc_buffer"));
  size_t statements = out->size;
  p.is_only = !f->root_alloc_count;
  if (f->body) stmt(&p, f->body);
  if (out->size == before || out->size == statements) {
    line(&p);
    rlx_buf_puts(out, "T.evaluate(0)\n");
  }
  leave_scope(&p, 0);
  rlx_vec_free(&p.names);
  rlx_vec_free(&p.loops);
  rlx_vec_free(&p.locals);
}

void rlx_tir_expr_print(const RlxStore *store, const RlxTirExpr *e, RlxBuf *out) {
  RlxPrimFunc none = {0};
  Printer p = {.store = store, .f = &none, .out = out};
  expr(&p, e, LEVEL_LOWEST);
  leave_scope(&p, 0);
  rlx_vec_free(&p.names);
}
