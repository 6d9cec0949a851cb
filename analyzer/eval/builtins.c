/// Python's own functions in scripts: what they give for the values that the evaluation knows, and
/// what they stop at.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/eval/eval.h"
#include "analyzer/eval/evaluate_impl.h"
#include "analyzer/eval/refuse.h"

/// An operand of Relax, which is no number for Python.
static bool is_operand(const RlxValue *v) {
  return v->kind == RLX_VALUE_EXPR && !rlx_expr_is_unknown(v->expr);
}

/// Whether an operand has a length for Python: tuples and shapes that are written out.
static bool has_length(const RlxExpr *x) {
  return x->kind == RLX_EXPR_TUPLE || x->kind == RLX_EXPR_SHAPE;
}

/// A symbolic expression, which is an object without a value for Python.
static bool is_symbolic(const RlxEval *e, const RlxValue *v) {
  return v->kind == RLX_VALUE_PRIM || v->kind == RLX_VALUE_SYMDECL ||
         (v->kind == RLX_VALUE_EXPR && v->expr->sinfo->kind == RLX_SINFO_PRIM &&
          v->expr->kind != RLX_EXPR_HOLE && rlx_eval_is_027(e));
}

static RlxValue call_range(RlxEval *e, const RlxPyArgs *args, RlxSpan span) {
  int64_t at[3] = {0, 0, 1};
  for (uint32_t i = 0; i < args->count; i++) {
    const RlxValue *v = &args->at[i].value;
    RlxPythonType type = rlx_python_type(e, v);
    bool is_wrong = type != RLX_PYTHON_UNKNOWN && type != RLX_PYTHON_INT && type != RLX_PYTHON_BOOL;
    if ((is_wrong || is_operand(v) || is_symbolic(e, v)) && rlx_refuse_may_tell(e))
      rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), v->span, "ssss", "Python's `range`",
                      "argument", rlx_value_text(e, v), "an int");
    if (i > 2 || v->kind != RLX_VALUE_INT) return rlx_eval_failed(e, span);
    at[i] = args->at[i].value.integer;
  }
  if (args->count == 1) at[1] = at[0], at[0] = 0;
  if (!args->count || at[2] == 0) return rlx_eval_failed(e, span);
  int64_t count = at[2] > 0 ? (at[1] > at[0] ? (at[1] - at[0] + at[2] - 1) / at[2] : 0)
                            : (at[0] > at[1] ? (at[0] - at[1] - at[2] - 1) / -at[2] : 0);
  if (count > rlx_eval_most(e, RLX_MAX_ITEMS) || count < 0) return rlx_eval_failed(e, span);
  RlxValue v = {.kind = RLX_VALUE_LIST, .span = span, .count = (uint32_t)count, .is_range = true};
  v.items = rlx_arena_array(e->arena, RlxValue, count ? count : 1);
  for (int64_t i = 0; i < count; i++) v.items[i] = rlx_value_of_int(at[0] + i * at[2], span);
  return v;
}

/// Whether Python's float() reads the text.
static bool is_number_text(const char *text) {
  char *end = NULL;
  strtod(text, &end);
  return strpbrk(text, "_ \t\n") || (end != text && !*end && !strpbrk(text, "xX(pP"));
}

/// Whether Python's int() reads the text: decimal digits, with single underscores between them.
static bool is_integer_text(const char *text) {
  static const char blanks[] = " \t\n\r\f\v";
  text += strspn(text, blanks);
  text += *text == '+' || *text == '-';
  while (*text >= '0' && *text <= '9') text += text[1] == '_' && text[2] != '_' ? 2 : 1;
  return !text[strspn(text, blanks)];
}

// ---- what they stop at

/// What a function makes of its first argument.
typedef enum Wanted {
  ANYTHING,
  NUMBER,         ///< abs(1.5)
  NUMBER_OR_TEXT, ///< int("12")
  ITEMS,          ///< len([1, 2]), list("ab")
} Wanted;

typedef struct Builtin Builtin;

/// A call of one.
typedef struct BuiltinCall {
  const Builtin *of;
  const RlxPyArgs *args;
  const RlxValue *v; ///< the first argument
  RlxSpan span;
} BuiltinCall;

struct Builtin {
  const char *name;
  Wanted what;
  bool takes_several;                                 ///< values in place of one list: max(1, 2)
  RlxValue (*call)(RlxEval *e, const BuiltinCall *c); ///< NULL: what it gives is not known
};

/// Whether Python stops at `v` where it wants that, for certain.
static bool is_wrong(const RlxEval *e, Wanted what, const RlxValue *v) {
  RlxPythonType type = rlx_python_type(e, v);
  bool is_number = type == RLX_PYTHON_BOOL || type == RLX_PYTHON_INT || type == RLX_PYTHON_FLOAT;
  bool has_items = type == RLX_PYTHON_STR || type == RLX_PYTHON_LIST || type == RLX_PYTHON_TUPLE ||
                   type == RLX_PYTHON_DICT;
  if (type == RLX_PYTHON_UNKNOWN || type == RLX_PYTHON_DTYPE) return false;
  return what == NUMBER           ? !is_number
         : what == NUMBER_OR_TEXT ? !is_number && type != RLX_PYTHON_STR
         : what == ITEMS          ? !has_items
                                  : false;
}

static RlxValue refuse(RlxEval *e, const BuiltinCall *c, const RlxValue *v) {
  const bool compares = c->args->count > 1 && rlx_text_is_among(c->of->name, " min max ");
  const bool wants_list = c->of->what == ITEMS && !compares;
  if (rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), v->span, "ssss",
                    rlx_arena_printf(e->arena, "Python's `%s`", c->of->name), "argument",
                    rlx_value_text(e, v), wants_list ? "a list" : "a number");
  return rlx_eval_failed(e, c->span);
}

// ---- what they give

static RlxValue call_len(RlxEval *e, const BuiltinCall *c) {
  const RlxValue *v = c->v;
  if (v->kind == RLX_VALUE_LIST) return rlx_value_of_int(v->count, c->span);
  if (v->kind == RLX_VALUE_DICT) return rlx_value_of_int(v->count / 2, c->span);
  if (v->kind == RLX_VALUE_EXPR && v->expr->sinfo->kind == RLX_SINFO_TUPLE)
    return rlx_value_of_int(v->expr->sinfo->count, c->span);
  if (v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_SHAPE)
    return rlx_value_of_int(v->expr->dim_count, c->span);
  return rlx_eval_failed(e, c->span);
}

static RlxValue call_float(RlxEval *e, const BuiltinCall *c) {
  const RlxValue *v = c->v;
  const char *text = v->kind == RLX_VALUE_STR ? rlx_store_text(e->store, v->string) : NULL;
  if (text)
    return is_number_text(text) ? rlx_value_of_float(strtod(text, NULL), c->span) : refuse(e, c, v);
  if (v->kind == RLX_VALUE_INT) return rlx_value_of_float((double)v->integer, c->span);
  if (v->kind == RLX_VALUE_FLOAT) return rlx_value_of_float(v->number, c->span);
  return rlx_eval_failed(e, c->span);
}

static RlxValue call_int(RlxEval *e, const BuiltinCall *c) {
  const RlxValue *v = c->v;
  if (v->kind == RLX_VALUE_INT) return rlx_value_of_int(v->integer, c->span);
  if (v->kind == RLX_VALUE_STR) { // int("12", base) is not looked into
    const char *digits = rlx_store_text(e->store, v->string);
    const bool may_be = c->args->count > 1 || !rlx_text_is_ascii(digits, strlen(digits)) ||
                        (strpbrk(digits, "0123456789") && is_integer_text(digits));
    return may_be ? rlx_eval_failed(e, c->span) : refuse(e, c, v);
  }
  if (v->kind == RLX_VALUE_BOOL) return rlx_value_of_int(v->boolean, c->span);
  if (v->kind == RLX_VALUE_FLOAT && isfinite(v->number) && fabs(v->number) < 9e18)
    return rlx_value_of_int((int64_t)v->number, c->span);
  return v->kind == RLX_VALUE_PRIM ? *v : rlx_eval_failed(e, c->span);
}

static RlxValue list_of(RlxEval *e, const BuiltinCall *c, bool is_tuple) {
  if (c->v->kind != RLX_VALUE_LIST) return rlx_eval_failed(e, c->span);
  RlxValue out = *c->v;
  out.is_tuple = is_tuple;
  out.is_range = false;
  return out;
}

static RlxValue call_list(RlxEval *e, const BuiltinCall *c) { return list_of(e, c, false); }

static RlxValue call_tuple(RlxEval *e, const BuiltinCall *c) { return list_of(e, c, true); }

static RlxValue call_str(RlxEval *e, const BuiltinCall *c) {
  if (c->v->kind == RLX_VALUE_STR) return *c->v;
  if (c->v->kind == RLX_VALUE_INT && c->args->count == 1) {
    const char *digits = rlx_arena_printf(e->arena, "%lld", (long long)c->v->integer);
    RlxValue out = {.kind = RLX_VALUE_STR, .span = c->span};
    out.string = rlx_store_intern(e->store, digits, strlen(digits));
    return out;
  }
  return c->args->count == 1 ? rlx_unknown_string(e, c->span) : rlx_eval_failed(e, c->span);
}

static RlxValue call_slice(RlxEval *e, const BuiltinCall *c) {
  (void)e;
  return (RlxValue){.kind = RLX_VALUE_OTHER, .span = c->span, .text = "a slice"};
}

static RlxValue call_bool(RlxEval *e, const BuiltinCall *c) {
  bool truth;
  if (rlx_value_truth(c->v, &truth)) return rlx_value_of_bool(truth, c->span);
  return rlx_python_is_object(rlx_python_type(e, c->v)) ? rlx_value_of_bool(true, c->span)
                                                        : rlx_eval_failed(e, c->span);
}

/// min and max of several values, or of the items of one.
static RlxValue extreme(RlxEval *e, bool is_min, const RlxPyArgs *args, RlxSpan span) {
  const RlxValue *first = &args->at[0].value;
  const RlxValue *items = first->kind == RLX_VALUE_LIST ? first->items : NULL;
  uint32_t count = items ? first->count : args->count;
  if (!count) return rlx_eval_failed(e, span);
  RlxValue best = items ? items[0] : *first;
  for (uint32_t i = 1; i < count; i++) {
    const RlxValue *item = items ? &items[i] : &args->at[i].value;
    if (!items && args->at[i].keyword) return rlx_eval_failed(e, span);
    const uint8_t op = is_min ? RLX_OP_LT : RLX_OP_GT;
    if (item->kind != RLX_VALUE_INT || best.kind != RLX_VALUE_INT)
      return rlx_refuse_binary(e, op, item, &best, span);
    if (is_min ? item->integer < best.integer : item->integer > best.integer) best = *item;
  }
  return best.kind == RLX_VALUE_INT ? rlx_value_of_int(best.integer, span)
                                    : rlx_eval_failed(e, span);
}

static RlxValue call_min(RlxEval *e, const BuiltinCall *c) {
  return extreme(e, true, c->args, c->span);
}

static RlxValue call_max(RlxEval *e, const BuiltinCall *c) {
  return extreme(e, false, c->args, c->span);
}

static RlxValue call_enumerate(RlxEval *e, const BuiltinCall *c) {
  const RlxValue *v = c->v;
  if (v->kind != RLX_VALUE_LIST) return rlx_eval_failed(e, c->span);
  RlxValue out = {.kind = RLX_VALUE_LIST, .span = c->span, .count = v->count};
  out.items = rlx_arena_array(e->arena, RlxValue, v->count ? v->count : 1);
  for (uint32_t i = 0; i < v->count; i++) {
    RlxValue *pair = rlx_arena_array(e->arena, RlxValue, 2);
    pair[0] = rlx_value_of_int(i, c->span), pair[1] = v->items[i];
    out.items[i] =
        (RlxValue){.kind = RLX_VALUE_LIST, .is_tuple = true, .count = 2, .span = c->span};
    out.items[i].items = pair;
  }
  return out;
}

/// Whether Python's function stops at a symbolic expression: it has no items, no value and no truth, if it is no
/// constant. From 0.26 on it begins to have items, which what takes them one by one does not notice.
static bool stops_at_symbol(const RlxEval *e, const Builtin *of, const RlxValue *v) {
  if (!is_symbolic(e, v)) return false;
  const RlxPrim *prim = v->kind == RLX_VALUE_PRIM ? v->prim : NULL;
  const bool is_int = prim && prim->kind == RLX_PRIM_INT;
  if (of->call == call_int || of->call == call_bool) return !is_int;
  if (of->call == call_float) return !prim || prim->kind != RLX_PRIM_FLOAT;
  return of->what != ANYTHING && !(of->call == call_enumerate && rlx_eval_is_027(e));
}

/// The first argument of `min(a, b)`, `max(a, b)` or `zip(a, b)` that they stop at, or NULL: symbolic expressions have an
/// order, but no truth for it, and operands have none with numbers.
static const RlxValue *wrong_of_several(const RlxEval *e, const BuiltinCall *c) {
  const bool is_zip = !c->of->call;
  const RlxValue *symbol = NULL, *operand = NULL;
  bool has_number = false;
  for (uint32_t i = 0; i < c->args->count; i++) {
    const RlxValue *v = &c->args->at[i].value;
    const bool is_constant = v->kind == RLX_VALUE_PRIM && !v->prim->vars;
    double number;
    if (c->args->at[i].keyword || v->kind == RLX_VALUE_UNKNOWN) return NULL;
    if (is_symbolic(e, v) && (is_zip || !is_constant)) symbol = v;
    if (is_operand(v)) operand = v;
    has_number |= rlx_value_as_number(v, &number);
  }
  if (is_zip) return rlx_eval_is_027(e) ? NULL : symbol;
  return symbol ? symbol : has_number ? operand : NULL;
}

/// The first argument that Python's function stops at, or NULL.
static const RlxValue *wrong_argument(const RlxEval *e, const BuiltinCall *c) {
  const RlxPyArgs *args = c->args;
  const Wanted what = c->of->what;
  const bool is_binary = strcmp(c->of->name, "divmod") == 0 && args->count == 2;
  const bool is_sized = c->of->call == call_len && !rlx_eval_is_tlc(e);
  if (c->of->takes_several && args->count > 1) return wrong_of_several(e, c);
  if (args->at[0].keyword) return NULL;
  if (is_wrong(e, what, c->v) || stops_at_symbol(e, c->of, c->v)) return c->v;
  if (is_binary && is_wrong(e, what, &args->at[1].value)) return &args->at[1].value;
  if (!is_operand(c->v) || (is_sized && has_length(c->v->expr))) return NULL;
  return what == NUMBER || what == NUMBER_OR_TEXT || is_sized ? c->v : NULL;
}

static const Builtin builtins[] = {
    {"abs", NUMBER, false, NULL},
    {"all", ITEMS, false, NULL},
    {"any", ITEMS, false, NULL},
    {"bool", ANYTHING, false, call_bool},
    {"dict", ITEMS, false, NULL},
    {"divmod", NUMBER, false, NULL},
    {"enumerate", ITEMS, false, call_enumerate},
    {"float", NUMBER_OR_TEXT, false, call_float},
    {"frozenset", ITEMS, false, NULL},
    {"int", NUMBER_OR_TEXT, false, call_int},
    {"len", ITEMS, false, call_len},
    {"list", ITEMS, false, call_list},
    {"max", ITEMS, true, call_max},
    {"min", ITEMS, true, call_min},
    {"pow", NUMBER, false, NULL},
    {"reversed", ITEMS, false, NULL},
    {"round", NUMBER, false, NULL},
    {"set", ITEMS, false, NULL},
    {"slice", ANYTHING, false, call_slice},
    {"sorted", ITEMS, false, NULL},
    {"str", ANYTHING, false, call_str},
    {"sum", ITEMS, false, NULL},
    {"tuple", ITEMS, false, call_tuple},
    {"zip", ITEMS, true, NULL},
};

RlxValue rlx_call_builtin(RlxEval *e, RlxName name, const RlxPyArgs *args, RlxSpan span) {
  const char *text = rlx_store_text(e->store, name);
  BuiltinCall c = {NULL, args, args->count ? &args->at[0].value : NULL, span};
  if (strcmp(text, "range") == 0) return call_range(e, args, span); // each argument is an int
  if (!c.v || c.v->kind == RLX_VALUE_UNKNOWN) return rlx_eval_failed(e, span);
  for (size_t i = 0; !c.of && i < sizeof builtins / sizeof *builtins; i++)
    if (strcmp(builtins[i].name, text) == 0) c.of = &builtins[i];
  if (!c.of) return rlx_eval_failed(e, span);
  const RlxValue *wrong = wrong_argument(e, &c);
  if (wrong) return refuse(e, &c, wrong);
  return c.of->call ? c.of->call(e, &c) : rlx_eval_failed(e, span);
}
