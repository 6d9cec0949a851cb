/// TVMScript of a PrimFunc: names, expressions, buffers and regions. Always true: a name is given
/// once in the scopes around; parentheses stand only where Python's binding strengths ask for them.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/tir/print_impl.h"
#include "base/mem.h"
#include "base/text.h"

// ---- names

const char *rlx_tir_print_define(RlxTirPrinter *p, const void *key, RlxName hint,
                                 const char *otherwise) {
  return rlx_print_names_define(&p->names, key, hint ? rlx_store_text(p->store, hint) : otherwise);
}

const char *rlx_tir_print_name(const RlxTirPrinter *p, const void *key) {
  return rlx_print_names_get(&p->names, key);
}

const char *rlx_tir_print_define_buffer(RlxTirPrinter *p, const RlxTirBuffer *b) {
  char text[320];
  const char *name = rlx_tir_print_define(p, b, b->name, "buffer");
  snprintf(text, sizeof text, "%.300s.data", name);
  if (b->data) rlx_print_names_put(&p->names, b->data, text);
  snprintf(text, sizeof text, "%.300s.elem_offset", name);
  if (b->owns_offset) rlx_print_names_put(&p->names, b->elem_offset->var, text);
  return rlx_tir_print_name(p, b);
}

void rlx_tir_print_leave(RlxTirPrinter *p, uint32_t mark) {
  rlx_print_names_leave(&p->names, mark, NULL, NULL);
}

const char *rlx_tir_print_var(RlxTirPrinter *p, const RlxTirVar *var) {
  const char *name = rlx_tir_print_name(p, var);
  return name ? name : rlx_tir_print_define(p, var, var->name, "v");
}

const char *rlx_tir_print_buffer(RlxTirPrinter *p, const RlxTirBuffer *b) {
  const char *name = rlx_tir_print_name(p, b);
  return name ? name : rlx_tir_print_define_buffer(p, b);
}

void rlx_tir_print_indent(RlxTirPrinter *p) {
  p->is_too_deep |= p->indent > p->deepest;
  rlx_buf_repeat(p->out, ' ', (size_t)p->indent * 4);
}

const char *rlx_tir_print_word(const RlxTirPrinter *p, const char *classic, const char *now) {
  return p->classic ? classic : now;
}

// ---- expressions

static void dims(RlxTirPrinter *p, RlxTirExpr *const *items, int count);

static void list(RlxTirPrinter *p, RlxTirExpr *const *items, int count) {
  for (int i = 0; i < count; i++) {
    if (i) rlx_buf_puts(p->out, ", ");
    rlx_tir_print_value(p, items[i], LEVEL_LOWEST);
  }
}

void rlx_tir_print_call(RlxTirPrinter *p, const char *name, RlxTirExpr *const *args, int count) {
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

static void literal(RlxTirPrinter *p, const RlxTirExpr *e) {
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

void rlx_tir_print_string(RlxTirPrinter *p, const char *text, size_t size) {
  rlx_text_put_string(p->out, text, size);
}

typedef struct Operator {
  const char *text; // infix, or the function's name when level is LEVEL_ATOM
  int level;
} Operator;

static Operator operator_of(const RlxTirPrinter *p, const RlxTirExpr *e) {
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

static void infix(RlxTirPrinter *p, const RlxTirExpr *e, Operator op, int level) {
  bool parens = op.level < level;
  if (parens) rlx_buf_putc(p->out, '(');
  // Comparisons do not chain here, so both sides bind tighter; the others group to the left.
  rlx_tir_print_value(p, e->args[0], op.level == LEVEL_COMPARE ? op.level + 1 : op.level);
  rlx_buf_printf(p->out, " %s ", op.text);
  rlx_tir_print_value(p, e->args[1], op.level + 1);
  if (parens) rlx_buf_putc(p->out, ')');
}

static void typed_call(RlxTirPrinter *p, const char *name, const RlxTirExpr *e) {
  char t[RLX_DTYPE_TEXT_MAX];
  const char *dtype = rlx_dtype_known(e->dtype) ? rlx_dtype_text(e->dtype, t) : "void";
  rlx_buf_printf(p->out, "T.%s(\"%s\", ", name, dtype);
  list(p, e->args, e->arg_count);
  rlx_buf_putc(p->out, ')');
}

static void intrinsic(RlxTirPrinter *p, const RlxTirExpr *e) {
  char t[RLX_DTYPE_TEXT_MAX];
  const char *name = rlx_store_text(p->store, e->name);
  if (!strcmp(name, "call_packed"))
    rlx_tir_print_call(p, name, e->args, e->arg_count);
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
  } else if (e->says_dtype) {
    rlx_buf_printf(p->out, "T.%s(", name);
    list(p, e->args, e->arg_count);
    rlx_buf_printf(p->out, "%sdtype=\"%s\")", e->arg_count ? ", " : "",
                   rlx_dtype_text(e->dtype, t));
  } else
    rlx_tir_print_call(p, name, e->args, e->arg_count);
}

/// A ramp as an index: `begin:end`, or `begin:end:stride`.
static void ramp_index(RlxTirPrinter *p, const RlxTirExpr *ramp) {
  int64_t stride = ramp->args[1]->integer, length = stride * ramp->dtype.lanes;
  RlxTirExpr *base = ramp->args[0];
  RlxTirExpr number = {.kind = RLX_TIR_INT, .dtype = base->dtype, .integer = length};
  RlxTirExpr *parts[2] = {base, &number};
  RlxTirExpr end = {.kind = RLX_TIR_ADD, .dtype = base->dtype, .arg_count = 2, .args = parts};
  if (base->kind == RLX_TIR_INT) {
    end = number;
    end.integer += base->integer;
  }
  rlx_tir_print_value(p, base, LEVEL_LOWEST);
  rlx_buf_putc(p->out, ':');
  rlx_tir_print_value(p, &end, LEVEL_LOWEST);
  if (stride != 1) rlx_buf_printf(p->out, ":%lld", (long long)stride);
}

void rlx_tir_print_element(RlxTirPrinter *p, const RlxTirBuffer *b, RlxTirExpr *const *indices) {
  rlx_buf_puts(p->out, rlx_tir_print_buffer(p, b));
  if (b->is_scalar && !p->classic) return;
  rlx_buf_putc(p->out, '[');
  if (b->ndim == 0) rlx_buf_puts(p->out, "()");
  for (int i = 0; i < b->ndim; i++) {
    const RlxTirExpr *x = indices[i];
    if (i) rlx_buf_puts(p->out, ", ");
    bool is_slice = x->kind == RLX_TIR_RAMP && x->args[1]->kind == RLX_TIR_INT &&
                    x->args[1]->integer > 0 && x->args[0]->dtype.lanes == 1;
    if (is_slice)
      ramp_index(p, x);
    else
      rlx_tir_print_value(p, x, LEVEL_LOWEST);
  }
  rlx_buf_putc(p->out, ']');
}

/// Of two literals: as an infix, it would be read as one number.
static bool is_literal_sum(const RlxTirExpr *e) {
  if (e->kind != RLX_TIR_ADD && e->kind != RLX_TIR_SUB && e->kind != RLX_TIR_MUL) return false;
  for (int i = 0; i < 2; i++)
    if (e->args[i]->kind != RLX_TIR_INT && e->args[i]->kind != RLX_TIR_FLOAT) return false;
  return true;
}

void rlx_tir_print_value(RlxTirPrinter *p, const RlxTirExpr *e, int level) {
  if (e->is_likely) {
    RlxTirExpr plain = *e;
    RlxTirExpr *args[] = {&plain};
    plain.is_likely = false;
    rlx_tir_print_call(p, "likely", args, 1);
    return;
  }
  Operator op = operator_of(p, e);
  if (op.text && is_literal_sum(e)) {
    const char *name = e->kind == RLX_TIR_ADD ? "Add" : e->kind == RLX_TIR_SUB ? "Sub" : "Mul";
    rlx_tir_print_call(p, name, e->args, e->arg_count);
    return;
  }
  if (op.text) {
    if (op.level == LEVEL_ATOM)
      rlx_tir_print_call(p, op.text, e->args, e->arg_count);
    else
      infix(p, e, op, level);
    return;
  }
  if (e->kind == RLX_TIR_INT || e->kind == RLX_TIR_FLOAT)
    literal(p, e);
  else if (e->kind == RLX_TIR_STRING)
    rlx_tir_print_string(p, e->text, e->text_size);
  else if (e->kind == RLX_TIR_VAR)
    rlx_buf_puts(p->out, rlx_tir_print_var(p, e->var));
  else if (e->kind == RLX_TIR_CAST)
    typed_call(p, "Cast", e);
  else if (e->kind == RLX_TIR_REINTERPRET)
    typed_call(p, "reinterpret", e);
  else if (e->kind == RLX_TIR_LOAD)
    rlx_tir_print_element(p, e->buffer, e->args);
  else if (e->kind == RLX_TIR_CALL)
    intrinsic(p, e);
  else if (e->kind == RLX_TIR_RAMP || e->kind == RLX_TIR_BROADCAST) {
    rlx_buf_puts(p->out, e->kind == RLX_TIR_RAMP ? "T.Ramp(" : "T.Broadcast(");
    list(p, e->args, e->arg_count);
    rlx_buf_printf(p->out, ", %d)", e->dtype.lanes);
  } else if (e->kind == RLX_TIR_NOT) {
    bool parens = level > LEVEL_NOT;
    rlx_buf_puts(p->out, parens ? "(not " : "not ");
    rlx_tir_print_value(p, e->args[0], LEVEL_NOT);
    if (parens) rlx_buf_putc(p->out, ')');
  } else if (e->kind == RLX_TIR_LET) {
    uint32_t mark = p->names.list.count;
    const char *name = rlx_tir_print_define(p, e->var, e->var->name, "x");
    rlx_buf_puts(p->out, "T.Let(");
    rlx_tir_print_value(p, e->args[1], LEVEL_LOWEST);
    rlx_buf_printf(p->out, ", where={%s: ", name);
    rlx_tir_print_value(p, e->args[0], LEVEL_LOWEST);
    rlx_buf_puts(p->out, "})");
    rlx_tir_print_leave(p, mark);
  } else if (e->kind == RLX_TIR_RANGE) {
    rlx_tir_print_value(p, e->args[0], LEVEL_LOWEST);
    rlx_buf_putc(p->out, ':');
    rlx_tir_print_value(p, e->args[1], LEVEL_LOWEST);
    if (e->arg_count > 2) {
      rlx_buf_putc(p->out, ':');
      rlx_tir_print_value(p, e->args[2], LEVEL_LOWEST);
    }
  } else if (e->kind == RLX_TIR_ADDRESS_OF) {
    rlx_tir_print_call(p, "address_of", e->args, 1);
  } else {
    rlx_buf_puts(p->out, "...");
  }
}

// ---- buffers and regions

static void tuple(RlxTirPrinter *p, RlxTirExpr *const *items, int count) {
  rlx_buf_putc(p->out, '(');
  if (p->in_signature)
    dims(p, items, count);
  else
    list(p, items, count);
  rlx_buf_puts(p->out, count == 1 ? ",)" : ")");
}

static bool meet(RlxTirPrinter *p, const RlxTirExpr *e);

/// Is the offset 0, of the type that it has when nobody states it: the first dimension's?
static bool is_default_offset(const RlxTirBuffer *b) {
  RlxDType dtype = b->ndim ? b->shape[0]->dtype : RLX_INT32;
  return b->elem_offset->kind == RLX_TIR_INT && b->elem_offset->integer == 0 &&
         rlx_dtype_equal(b->elem_offset->dtype, dtype);
}

void rlx_tir_print_buffer_args(RlxTirPrinter *p, const RlxTirBuffer *b, bool always) {
  char t[RLX_DTYPE_TEXT_MAX];
  tuple(p, b->shape, b->ndim);
  if (always || !rlx_dtype_equal(b->dtype, RLX_FLOAT32))
    rlx_buf_printf(p->out, ", \"%s\"", rlx_dtype_text(b->dtype, t));
  if (b->strides) {
    rlx_buf_puts(p->out, ", strides=");
    tuple(p, b->strides, b->ndim);
  }
  if (b->elem_offset && !b->owns_offset && !is_default_offset(b)) {
    rlx_buf_puts(p->out, ", elem_offset=");
    if (p->in_signature) meet(p, b->elem_offset);
    rlx_tir_print_value(p, b->elem_offset, LEVEL_LOWEST);
  }
  bool is_own = b->offset_factor && (!b->elem_offset || b->owns_offset);
  if (is_own && p->in_signature) {
    const void *key = b->owns_offset ? (const void *)b->elem_offset->var : &b->elem_offset;
    const char *name = rlx_tir_print_define(p, key, 0, "elem_offset");
    rlx_vec_push(p->type_vars, rlx_mem_strdup(name));
    rlx_buf_printf(p->out, ", elem_offset=%s", name);
  }
  const char *scope = rlx_store_text(p->store, b->scope);
  if (*scope && strcmp(scope, "global") != 0) {
    rlx_buf_puts(p->out, ", scope=");
    rlx_tir_print_string(p, scope, strlen(scope));
  }
  if (b->align && b->align != 64) rlx_buf_printf(p->out, ", align=%d", b->align);
  if (b->offset_factor > 1 || (is_own && !p->in_signature))
    rlx_buf_printf(p->out, ", offset_factor=%d", b->offset_factor);
  for (int i = 0; !p->type_vars && i < b->separator_count; i++) // 0.26 dropped them
    rlx_buf_printf(p->out, "%s%lld", i ? ", " : ", axis_separators=[", (long long)b->separators[i]);
  if (!p->type_vars && b->separator_count) rlx_buf_putc(p->out, ']');
}

bool rlx_tir_print_same_expr(const RlxTirExpr *a, const RlxTirExpr *b) {
  if (a == b) return true;
  if (a->kind != b->kind || a->arg_count != b->arg_count || !rlx_dtype_equal(a->dtype, b->dtype))
    return false;
  if (a->kind == RLX_TIR_INT && a->integer != b->integer) return false;
  if (a->kind == RLX_TIR_VAR && a->var != b->var) return false;
  if (a->kind == RLX_TIR_LOAD || a->kind == RLX_TIR_CALL || a->kind == RLX_TIR_FLOAT ||
      a->kind == RLX_TIR_STRING)
    return false;
  for (int i = 0; i < a->arg_count; i++)
    if (!rlx_tir_print_same_expr(a->args[i], b->args[i])) return false;
  return true;
}

static bool is_int_one(const RlxTirExpr *e) { return e->kind == RLX_TIR_INT && e->integer == 1; }

void rlx_tir_print_sum(RlxTirPrinter *p, const RlxTirExpr *begin, const RlxTirExpr *extent) {
  bool both = begin->kind == RLX_TIR_INT && extent->kind == RLX_TIR_INT;
  bool from_zero = begin->kind == RLX_TIR_INT && begin->integer == 0;
  if (both) {
    RlxTirExpr total = *begin;
    total.integer += extent->integer;
    literal(p, &total);
  } else if (from_zero) {
    rlx_tir_print_value(p, extent, LEVEL_LOWEST);
  } else if (extent->kind == RLX_TIR_SUB && rlx_tir_print_same_expr(extent->args[1], begin)) {
    rlx_tir_print_value(p, extent->args[0],
                        LEVEL_LOWEST); // end - begin, as the script's slice had it
  } else {
    rlx_tir_print_value(p, begin, LEVEL_SUM);
    rlx_buf_puts(p->out, " + ");
    rlx_tir_print_value(p, extent, LEVEL_SUM + 1);
  }
}

void rlx_tir_print_region(RlxTirPrinter *p, const RlxTirBuffer *b, RlxTirExpr *const *begin,
                          RlxTirExpr *const *extent) {
  rlx_buf_puts(p->out, rlx_tir_print_buffer(p, b));
  rlx_buf_putc(p->out, '[');
  if (b->ndim == 0) rlx_buf_puts(p->out, "()");
  for (int i = 0; i < b->ndim; i++) {
    if (i) rlx_buf_puts(p->out, ", ");
    rlx_tir_print_value(p, begin[i], LEVEL_LOWEST);
    if (!extent || is_int_one(extent[i])) continue;
    rlx_buf_putc(p->out, ':');
    rlx_tir_print_sum(p, begin[i], extent[i]);
  }
  rlx_buf_putc(p->out, ']');
}

typedef struct Keyed { ///< an entry of a dict
  const char *key;
  const RlxTirAnnotation *item;
} Keyed;

/// By the keys; those of one key as they are written.
static int in_order_of_keys(const void *a, const void *b) {
  const Keyed *x = a, *y = b;
  int order = strcmp(x->key, y->key);
  return order ? order : (x->item > y->item) - (x->item < y->item);
}

void rlx_tir_print_annotations(RlxTirPrinter *p, const RlxTirAnnotation *items, int count) {
  Vec(Keyed) sorted = {0};
  for (int i = 0; i < count; i++)
    rlx_vec_push(&sorted, (Keyed){rlx_store_text(p->store, items[i].key), &items[i]});
  if (count > 1) qsort(sorted.at, sorted.count, sizeof *sorted.at, in_order_of_keys);
  rlx_buf_putc(p->out, '{');
  for (uint32_t i = 0; i < sorted.count; i++) {
    if (i) rlx_buf_puts(p->out, ", ");
    const char *key = sorted.at[i].key;
    rlx_tir_print_string(p, key, strlen(key));
    rlx_buf_puts(p->out, ": ");
    const RlxTirAnnotation *item = sorted.at[i].item;
    const RlxTirExpr *v = item->value;
    if (v && v->kind == RLX_TIR_INT && rlx_dtype_is_bool(v->dtype))
      rlx_buf_puts(p->out, v->integer ? "True" : "False");
    else if (v && v->kind == RLX_TIR_INT)
      rlx_buf_printf(p->out, "%lld", (long long)v->integer);
    else if (v && v->kind == RLX_TIR_FLOAT)
      float_text(p->out, v->number);
    else if (v)
      rlx_tir_print_value(p, v, LEVEL_LOWEST);
    else
      rlx_buf_puts(p->out, item->words ? item->words : "None");
  }
  rlx_buf_putc(p->out, '}');
  rlx_vec_free(&sorted);
}

// ---- symbolic dimensions

static bool is_param(RlxTirPrinter *p, const RlxTirVar *var) {
  for (; p->params_met < p->f->param_count; p->params_met++) {
    const RlxTirVar *param = p->f->params[p->params_met].var;
    rlx_map_put_ptr(&p->params, param, param);
  }
  return rlx_map_get_ptr(&p->params, var);
}

/// A symbolic variable of the signature gets its name and its declaration. Whether the dimension it
/// is `part` of is to be a string: TypeVars are no part of an expression, others have to be known.
static bool meet_in(RlxTirPrinter *p, const RlxTirExpr *e, bool is_part) {
  bool is_quoted = false;
  if (e->kind == RLX_TIR_VAR) {
    bool is_own = is_param(p, e->var), is_new = !rlx_tir_print_name(p, e->var);
    bool is_type_var = !is_own && rlx_dtype_equal(e->var->dtype, RLX_INT64);
    const char *name = is_new ? rlx_tir_print_define(p, e->var, e->var->name, "n") : NULL;
    if (is_new && is_type_var)
      rlx_vec_push(p->type_vars, rlx_mem_strdup(name));
    else if (is_new && !is_own)
      rlx_vec_push(&p->locals, e->var);
    is_quoted = is_type_var ? is_part : is_new;
  }
  for (int i = 0; i < e->arg_count; i++) is_quoted |= meet_in(p, e->args[i], true);
  return is_quoted;
}

static bool meet(RlxTirPrinter *p, const RlxTirExpr *e) { return meet_in(p, e, false); }

/// Dimensions in a signature of 0.27: an expression, or a variable that the function declares
/// itself, is a string where it is new.
static void dims(RlxTirPrinter *p, RlxTirExpr *const *items, int count) {
  for (int i = 0; i < count; i++) {
    bool is_quoted = meet(p, items[i]);
    RlxBuf text = {0}, *out = p->out;
    p->out = &text;
    rlx_tir_print_value(p, items[i], LEVEL_LOWEST);
    p->out = out;
    if (i) rlx_buf_puts(out, ", ");
    if (is_quoted)
      rlx_tir_print_string(p, rlx_buf_text(&text), text.size);
    else
      rlx_buf_puts(out, rlx_buf_text(&text));
    rlx_buf_free(&text);
  }
}
