/// Python's own functions in scripts: what they give for the values that the evaluation knows, and
/// what they stop at.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/eval/eval.h"
#include "analyzer/eval/evaluate_impl.h"
#include "analyzer/eval/refuse.h"
#include "analyzer/ops/ops.h"

/// An operand of Relax, which is no number for Python; a function or a module as well.
static bool is_operand(const RlxValue *v) {
  return (v->kind == RLX_VALUE_EXPR && !rlx_expr_is_unknown(v->expr)) ||
         v->kind == RLX_VALUE_CALLEE || v->kind == RLX_VALUE_CLASS;
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

/// The expression that a symbolic value is, as far as it is known; NULL: it is not.
static const RlxPrim *symbol_of(const RlxValue *v) {
  return v->kind == RLX_VALUE_PRIM   ? v->prim
         : v->kind == RLX_VALUE_EXPR ? v->expr->sinfo->value
                                     : NULL;
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
  // Distances of int64 fit uint64; that of two of its elements does not fit int64.
  const bool is_up = at[2] > 0, is_empty = is_up ? at[1] <= at[0] : at[1] >= at[0];
  const uint64_t first = (uint64_t)at[0], stop = (uint64_t)at[1], step = (uint64_t)at[2],
                 count = is_empty ? 0
                         : is_up  ? (stop - first - 1) / step + 1
                                  : (first - stop - 1) / -step + 1;
  if (count > (uint64_t)rlx_eval_most(e, RLX_MAX_ITEMS)) return rlx_eval_failed(e, span);
  RlxValue v = {.kind = RLX_VALUE_LIST, .span = span, .count = (uint32_t)count, .is_range = true};
  v.items = rlx_arena_array(e->arena, RlxValue, count ? count : 1);
  for (uint64_t i = 0; i < count; i++)
    v.items[i] = rlx_value_of_int((int64_t)(first + i * step), span);
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
  const char *object; ///< what it gives, whatever it is given, where that is no value that a
                      ///< script can use; NULL: it may be one
};

/// Whether Python stops at `v` where it wants that, for certain.
static bool is_wrong(const RlxEval *e, Wanted what, const RlxValue *v) {
  RlxPythonType type = rlx_python_type(e, v);
  bool is_number = type == RLX_PYTHON_BOOL || type == RLX_PYTHON_INT || type == RLX_PYTHON_FLOAT;
  bool has_items = type == RLX_PYTHON_STR || type == RLX_PYTHON_LIST || type == RLX_PYTHON_TUPLE ||
                   type == RLX_PYTHON_DICT;
  if (type == RLX_PYTHON_UNKNOWN || (type == RLX_PYTHON_DTYPE && what == ITEMS)) return false;
  return what == NUMBER           ? !is_number
         : what == NUMBER_OR_TEXT ? !is_number && type != RLX_PYTHON_STR
         : what == ITEMS          ? !has_items
                                  : false;
}

static RlxValue refuse(RlxEval *e, const BuiltinCall *c, const RlxValue *v) {
  const bool compares =
      v != c->v || (c->args->count > 1 && rlx_text_is_among(c->of->name, " min max "));
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
    if (!may_be) return refuse(e, c, v);
    const bool is_plain =
        c->args->count == 1 && strlen(digits) < 18 && !digits[strspn(digits, "0123456789+-")];
    return is_plain ? rlx_value_of_int(strtoll(digits, NULL, 10), c->span)
                    : rlx_eval_failed(e, c->span);
  }
  if (v->kind == RLX_VALUE_BOOL) return rlx_value_of_int(v->boolean, c->span);
  if (v->kind == RLX_VALUE_FLOAT && isfinite(v->number) && fabs(v->number) < 9e18)
    return rlx_value_of_int((int64_t)v->number, c->span);
  int64_t integer;
  const RlxPrim *prim = is_symbolic(e, v) ? symbol_of(v) : NULL;
  if (prim && rlx_prim_is_const(prim, &integer)) return rlx_value_of_int(integer, c->span);
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

static RlxValue text_value(RlxEval *e, const char *text, RlxSpan span) {
  return (RlxValue){.kind = RLX_VALUE_STR,
                    .span = span,
                    .string = rlx_store_intern(e->store, text, strlen(text))};
}

/// The whole number `v` in the digits of a base, as Python's bin(), oct() and hex() write it.
static RlxValue in_base(RlxEval *e, const BuiltinCall *c, unsigned base, char letter) {
  if (c->v->kind != RLX_VALUE_INT) return rlx_eval_failed(e, c->span);
  const uint64_t magnitude = c->v->integer < 0 ? -(uint64_t)c->v->integer : (uint64_t)c->v->integer;
  char digits[72];
  size_t at = sizeof digits;
  digits[--at] = 0;
  uint64_t rest = magnitude;
  do digits[--at] = "0123456789abcdef"[rest % base];
  while (rest /= base);
  digits[--at] = letter;
  digits[--at] = '0';
  if (c->v->integer < 0) digits[--at] = '-';
  return text_value(e, digits + at, c->span);
}

static RlxValue call_bin(RlxEval *e, const BuiltinCall *c) { return in_base(e, c, 2, 'b'); }

static RlxValue call_hex(RlxEval *e, const BuiltinCall *c) { return in_base(e, c, 16, 'x'); }

static RlxValue call_oct(RlxEval *e, const BuiltinCall *c) { return in_base(e, c, 8, 'o'); }

static RlxValue call_chr(RlxEval *e, const BuiltinCall *c) {
  if (c->v->kind != RLX_VALUE_INT || c->v->integer <= 0 || c->v->integer >= 128)
    return rlx_eval_failed(e, c->span);
  return text_value(e, (const char[]){(char)c->v->integer, 0}, c->span);
}

static RlxValue call_ord(RlxEval *e, const BuiltinCall *c) {
  const char *text = c->v->kind == RLX_VALUE_STR ? rlx_store_text(e->store, c->v->string) : "";
  const bool is_one = strlen(text) == 1 && rlx_text_is_ascii(text, 1);
  return is_one ? rlx_value_of_int(text[0], c->span) : rlx_eval_failed(e, c->span);
}

/// repr(), ascii() and format(): a string, that of str() for a whole number.
static RlxValue call_repr(RlxEval *e, const BuiltinCall *c) {
  if (c->args->count != 1) return rlx_eval_failed(e, c->span);
  return c->v->kind == RLX_VALUE_INT ? call_str(e, c) : rlx_unknown_string(e, c->span);
}

static RlxValue call_print(RlxEval *e, const BuiltinCall *c) {
  (void)e;
  return (RlxValue){.kind = RLX_VALUE_NONE, .span = c->span};
}

static RlxValue call_abs(RlxEval *e, const BuiltinCall *c) {
  int64_t integer;
  if (c->v->kind == RLX_VALUE_FLOAT) return rlx_value_of_float(fabs(c->v->number), c->span);
  const bool is_int = rlx_value_as_integer(c->v, &integer) && integer != INT64_MIN;
  return is_int ? rlx_value_of_int(integer < 0 ? -integer : integer, c->span)
                : rlx_eval_failed(e, c->span);
}

static RlxValue call_round(RlxEval *e, const BuiltinCall *c) {
  int64_t integer;
  if (c->args->count != 1) return rlx_eval_failed(e, c->span);
  if (rlx_value_as_integer(c->v, &integer)) return rlx_value_of_int(integer, c->span);
  const bool fits = c->v->kind == RLX_VALUE_FLOAT && fabs(c->v->number) < 9e18;
  return fits ? rlx_value_of_int((int64_t)nearbyint(c->v->number), c->span)
              : rlx_eval_failed(e, c->span);
}

/// A number, or what stands for one while the script is read.
static bool is_numeral(const RlxValue *v) {
  double number;
  return rlx_value_as_number(v, &number) || v->kind == RLX_VALUE_PRIM;
}

static RlxValue call_sum(RlxEval *e, const BuiltinCall *c) {
  const RlxValue *list = c->v;
  const bool has_start = c->args->count == 2;
  if (list->kind != RLX_VALUE_LIST || c->args->count > 2) return rlx_eval_failed(e, c->span);
  RlxValue sum = has_start ? c->args->at[1].value : rlx_value_of_int(0, c->span);
  for (uint32_t i = 0; i < list->count && is_numeral(&sum); i++) {
    const RlxValue *item = &list->items[i];
    const bool is_tensor = is_operand(item) && !is_symbolic(e, item);
    if (is_tensor && rlx_refuse_may_tell(e)) // 0 + x
      rlx_operand_report(e, RLX_OP_ADD, c->span, &sum, item, "");
    sum = is_tensor ? rlx_value_unknown(c->span)
                    : rlx_eval_binary(e, RLX_OP_ADD, sum, *item, c->span);
  }
  return is_numeral(&sum) ? sum : rlx_eval_failed(e, c->span);
}

/// pow(a, b) and divmod(a, b) of numbers.
static bool are_two_numbers(const BuiltinCall *c) {
  double number;
  return c->args->count == 2 && !c->args->at[1].keyword && rlx_value_as_number(c->v, &number) &&
         rlx_value_as_number(&c->args->at[1].value, &number);
}

static RlxValue call_pow(RlxEval *e, const BuiltinCall *c) {
  if (!are_two_numbers(c)) return rlx_eval_failed(e, c->span);
  return rlx_eval_binary(e, RLX_OP_POW, *c->v, c->args->at[1].value, c->span);
}

static RlxValue call_divmod(RlxEval *e, const BuiltinCall *c) {
  if (!are_two_numbers(c)) return rlx_eval_failed(e, c->span);
  RlxValue *pair = rlx_arena_array(e->arena, RlxValue, 2);
  pair[0] = rlx_eval_binary(e, RLX_OP_FLOORDIV, *c->v, c->args->at[1].value, c->span);
  if (pair[0].kind == RLX_VALUE_UNKNOWN) return pair[0];
  pair[1] = rlx_eval_binary(e, RLX_OP_MOD, *c->v, c->args->at[1].value, c->span);
  RlxValue out = {.kind = RLX_VALUE_LIST, .is_tuple = true, .count = 2, .span = c->span};
  out.items = pair;
  return out;
}

static RlxValue call_sorted(RlxEval *e, const BuiltinCall *c) {
  enum { MOST = 256 }; // more are sorted by insertion too slowly
  if (c->v->kind != RLX_VALUE_LIST || c->args->count != 1 || c->v->count > MOST)
    return rlx_eval_failed(e, c->span);
  RlxValue out = {.kind = RLX_VALUE_LIST, .count = c->v->count, .span = c->span};
  out.items = rlx_arena_array(e->arena, RlxValue, out.count ? out.count : 1);
  for (uint32_t i = 0; i < out.count; i++) {
    const RlxValue item = c->v->items[i];
    double number, before = 0;
    if (!rlx_value_as_number(&item, &number)) return rlx_eval_failed(e, c->span);
    uint32_t at = i;
    for (; at > 0 && rlx_value_as_number(&out.items[at - 1], &before) && before > number; at--)
      out.items[at] = out.items[at - 1];
    out.items[at] = item;
  }
  return out;
}

/// Whether Python surely finds no truth in a value: in a symbolic expression that is no constant, and from 0.26 on in any expression
/// but constants, tuples and shapes that are written out.
static bool has_no_truth(const RlxEval *e, const RlxValue *v) {
  const RlxPrim *prim = symbol_of(v);
  if (is_symbolic(e, v)) return !prim || prim->kind != RLX_PRIM_INT;
  return is_operand(v) && v->kind == RLX_VALUE_EXPR && rlx_eval_is_027(e) &&
         v->expr->kind != RLX_EXPR_CONSTANT && !has_length(v->expr);
}

/// Whether one of the list's items has the truth `wanted`: any() asks for True, all() for no False.
static RlxValue find_truth(RlxEval *e, const BuiltinCall *c, bool wanted) {
  if (c->v->kind != RLX_VALUE_LIST || c->args->count != 1) return rlx_eval_failed(e, c->span);
  for (uint32_t i = 0; i < c->v->count; i++) {
    const RlxValue *item = &c->v->items[i];
    bool truth;
    if (has_no_truth(e, item)) {
      if (rlx_refuse_may_tell(e))
        rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), item->span, "ssss",
                        rlx_arena_printf(e->arena, "Python's `%s`", c->of->name), "argument",
                        rlx_value_text(e, item), "a value that Python finds true or false");
      return rlx_eval_failed(e, c->span);
    }
    if (!rlx_value_truth(item, &truth)) return rlx_eval_failed(e, c->span);
    if (truth == wanted) return rlx_value_of_bool(wanted, c->span);
  }
  return rlx_value_of_bool(!wanted, c->span);
}

static RlxValue call_any(RlxEval *e, const BuiltinCall *c) { return find_truth(e, c, true); }

static RlxValue call_all(RlxEval *e, const BuiltinCall *c) { return find_truth(e, c, false); }

static RlxValue call_reversed(RlxEval *e, const BuiltinCall *c) {
  if (c->v->kind != RLX_VALUE_LIST) return rlx_eval_failed(e, c->span);
  RlxValue out = {.kind = RLX_VALUE_LIST, .is_range = true, .count = c->v->count, .span = c->span};
  out.items = rlx_arena_array(e->arena, RlxValue, out.count ? out.count : 1);
  for (uint32_t i = 0; i < out.count; i++) out.items[i] = c->v->items[out.count - 1 - i];
  return out;
}

static RlxValue call_bool(RlxEval *e, const BuiltinCall *c) {
  bool truth;
  if (rlx_value_truth(c->v, &truth)) return rlx_value_of_bool(truth, c->span);
  return rlx_python_is_object(rlx_python_type(e, c->v)) ? rlx_value_of_bool(true, c->span)
                                                        : rlx_eval_failed(e, c->span);
}

/// The number that a value of Python is, or a constant of the IR, which compares as one.
static bool as_number(const RlxValue *v, double *out) {
  return rlx_value_as_number(v, out) ||
         (v->kind == RLX_VALUE_PRIM && rlx_prim_number(v->prim, out));
}

/// min and max of several values, or of the items of one.
static RlxValue extreme(RlxEval *e, bool is_min, const RlxPyArgs *args, RlxSpan span) {
  const RlxValue *first = &args->at[0].value;
  const RlxValue *items = first->kind == RLX_VALUE_LIST && args->count == 1 ? first->items : NULL;
  uint32_t count = items ? first->count : args->count;
  if (!count) return rlx_eval_failed(e, span);
  RlxValue best = items ? items[0] : *first;
  if (items && count == 1) return best;
  for (uint32_t i = 1; i < count; i++) {
    const RlxValue *item = items ? &items[i] : &args->at[i].value;
    if (!items && args->at[i].keyword) return rlx_eval_failed(e, span);
    const uint8_t op = is_min ? RLX_OP_LT : RLX_OP_GT;
    double a, b;
    if (!as_number(item, &a) || !as_number(&best, &b))
      return rlx_refuse_binary(e, op, item, &best, span);
    const bool are_ints = item->kind == RLX_VALUE_INT && best.kind == RLX_VALUE_INT;
    const bool is_below = are_ints ? item->integer < best.integer : a < b,
               is_above = are_ints ? item->integer > best.integer : a > b;
    if (is_min ? is_below : is_above) best = *item;
  }
  double number;
  best.span = span;
  return as_number(&best, &number) ? best : rlx_eval_failed(e, span);
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
  RlxValue out = {.kind = RLX_VALUE_LIST, .span = c->span, .count = v->count, .is_range = true};
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

/// zip(a, b): the pairs of the lists' items.
static RlxValue call_zip(RlxEval *e, const BuiltinCall *c) {
  const uint32_t width = c->args->count;
  RlxValue out = {.kind = RLX_VALUE_LIST, .is_range = true, .count = UINT32_MAX, .span = c->span};
  for (uint32_t i = 0; i < width; i++) {
    const RlxValue *v = &c->args->at[i].value;
    if (c->args->at[i].keyword || v->kind != RLX_VALUE_LIST) return rlx_eval_failed(e, c->span);
    if (v->count < out.count) out.count = v->count;
  }
  if ((uint64_t)out.count * width > rlx_eval_most(e, RLX_MAX_ITEMS))
    return rlx_eval_failed(e, c->span);
  out.items = rlx_arena_array(e->arena, RlxValue, out.count ? out.count : 1);
  for (uint32_t k = 0; k < out.count; k++) {
    RlxValue *row = rlx_arena_array(e->arena, RlxValue, width);
    for (uint32_t i = 0; i < width; i++) row[i] = c->args->at[i].value.items[k];
    out.items[k] =
        (RlxValue){.kind = RLX_VALUE_LIST, .is_tuple = true, .count = width, .span = c->span};
    out.items[k].items = row;
  }
  return out;
}

/// dict(a=1, b=2), and dict() of a dict or of pairs.
static RlxValue call_dict(RlxEval *e, const BuiltinCall *c) {
  const RlxPyArgs *args = c->args;
  const uint32_t first = args->at[0].keyword ? 0 : 1;
  const RlxValue *from = first ? c->v : NULL;
  const bool is_dict = from && from->kind == RLX_VALUE_DICT;
  if (from && !is_dict && from->kind != RLX_VALUE_LIST) return rlx_eval_failed(e, c->span);
  const uint32_t given = !from ? 0 : is_dict ? from->count / 2 : from->count;
  RlxValue out = {.kind = RLX_VALUE_DICT, .span = c->span};
  out.items = rlx_arena_array(e->arena, RlxValue, (given + args->count) * 2);
  for (uint32_t i = 0; i < given; i++) {
    const RlxValue *pair = is_dict ? &from->items[2 * i] : from->items[i].items;
    const bool is_pair =
        is_dict || (from->items[i].kind == RLX_VALUE_LIST && from->items[i].count == 2);
    if (!is_pair) return rlx_eval_failed(e, c->span);
    out.items[out.count++] = pair[0];
    out.items[out.count++] = pair[1];
  }
  for (uint32_t i = first; i < args->count; i++) {
    if (!args->at[i].keyword) return rlx_eval_failed(e, c->span);
    out.items[out.count++] = (RlxValue){
        .kind = RLX_VALUE_STR, .span = args->at[i].keyword_span, .string = args->at[i].keyword};
    out.items[out.count++] = args->at[i].value;
  }
  return out;
}

/// type(x): a class, which a script can use where it is one of Python's own.
static RlxValue call_type(RlxEval *e, const BuiltinCall *c) {
  static const char *const classes[RLX_PYTHON_TYPES] = {
      [RLX_PYTHON_BOOL] = "bool", [RLX_PYTHON_INT] = "int",   [RLX_PYTHON_FLOAT] = "float",
      [RLX_PYTHON_STR] = "str",   [RLX_PYTHON_LIST] = "list", [RLX_PYTHON_TUPLE] = "tuple",
      [RLX_PYTHON_DICT] = "dict"};
  const char *name = classes[rlx_python_type(e, c->v)];
  if (c->args->count != 1) return rlx_eval_failed(e, c->span);
  if (!name) return (RlxValue){.kind = RLX_VALUE_OTHER, .span = c->span, .text = "a class"};
  return (RlxValue){.kind = RLX_VALUE_BUILTIN,
                    .span = c->span,
                    .string = rlx_store_intern(e->store, name, strlen(name))};
}

/// isinstance(x, R.Object): R's annotations are functions of Python, and no classes.
static RlxValue call_isinstance(RlxEval *e, const BuiltinCall *c) {
  const RlxValue *of = c->args->count == 2 ? &c->args->at[1].value : NULL;
  const RlxPythonType type = of ? rlx_python_type(e, of) : RLX_PYTHON_UNKNOWN;
  const bool is_no_class = type != RLX_PYTHON_UNKNOWN && type != RLX_PYTHON_TUPLE;
  if (of && is_no_class && !c->args->at[1].keyword && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), of->span, "ssss", "Python's `isinstance`",
                    "argument", rlx_value_text(e, of), "a class");
  return rlx_eval_failed(e, c->span);
}

/// Whether Python's function takes items when they are asked for, and none before.
static bool is_lazy(const Builtin *of) {
  return of->call == call_enumerate || of->call == call_zip ||
         (of->object && strcmp(of->object, "an iterator") == 0);
}

/// Whether Python's function stops at a symbolic expression: it has no items, no value and no truth, if it is no
/// constant. From 0.26 on it begins to have items, which what takes them one by one does not notice.
static bool stops_at_symbol(const RlxEval *e, const Builtin *of, const RlxValue *v) {
  if (!is_symbolic(e, v)) return false;
  const RlxPrim *prim = symbol_of(v);
  const bool is_int = prim && prim->kind == RLX_PRIM_INT;
  if (of->call == call_int || of->call == call_bool) return !is_int;
  if (of->call == call_float) return !prim || prim->kind != RLX_PRIM_FLOAT;
  return of->what != ANYTHING && !(is_lazy(of) && rlx_eval_is_027(e));
}

/// Whether Python's function stops at the items of a variable of 0.27: those of shapes and of what may be anything are none, and those of
/// tensors and tuples have no truth.
static bool stops_at_items(const RlxEval *e, const Builtin *of, const RlxValue *v) {
  const RlxExpr *x = v->kind == RLX_VALUE_EXPR ? v->expr : NULL;
  if (!x || x->kind != RLX_EXPR_VAR || x->var->is_tainted || !rlx_eval_is_027(e)) return false;
  const bool asks_truth =
      of->call == call_any || of->call == call_all || of->call == call_min || of->call == call_max;
  const RlxSInfoKind kind = x->sinfo->kind;
  if (kind == RLX_SINFO_SHAPE || kind == RLX_SINFO_OBJECT) return of->what == ITEMS && !is_lazy(of);
  return asks_truth &&
         (kind == RLX_SINFO_TENSOR || (kind == RLX_SINFO_TUPLE && x->sinfo->count > 1));
}

/// The first argument of `min(a, b)`, `max(a, b)` or `zip(a, b)` that they stop at, or NULL: symbolic expressions have an
/// order, but no truth for it, and operands have one with operands alone, and up to 0.25 a truth for it. The same of the
/// items of `list` (NULL: none).
static const RlxValue *wrong_of_several(const RlxEval *e, const BuiltinCall *c,
                                        const RlxValue *list) {
  const bool is_zip = c->of->call == call_zip;
  const RlxValue *symbol = NULL, *operand = NULL, *folded = NULL;
  bool has_other = false, has_object = false;
  const uint32_t count = list ? list->count : c->args->count;
  for (uint32_t i = 0; i < count; i++) {
    const RlxValue *v = list ? &list->items[i] : &c->args->at[i].value;
    const bool is_constant = v->kind == RLX_VALUE_PRIM && !v->prim->vars;
    if ((!list && c->args->at[i].keyword) || v->kind == RLX_VALUE_UNKNOWN) return NULL;
    const RlxSInfo *sinfo = v->kind == RLX_VALUE_EXPR ? v->expr->sinfo : NULL;
    const bool is_folded = rlx_eval_is_027(e) && sinfo && sinfo->kind == RLX_SINFO_PRIM &&
                           sinfo->value && !sinfo->value->vars; // R.prim_value(1)
    if (is_symbolic(e, v) && (is_zip || (!is_constant && !is_folded))) symbol = v;
    const bool is_one = is_operand(v) && !is_folded;
    double number;
    if (is_one) operand = v;
    if (is_folded) folded = v;
    has_other |= !is_one;
    has_object |=
        !is_one && !is_folded && v->kind != RLX_VALUE_PRIM && !rlx_value_as_number(v, &number);
  }
  if (is_zip) return rlx_eval_is_027(e) ? NULL : symbol;
  if (symbol) return symbol;
  if (operand && (has_other || rlx_eval_is_027(e))) return operand;
  return has_object ? folded : NULL;
}

/// Whether the call puts items of a list in order, one beside another.
static bool orders_items(const BuiltinCall *c) {
  const bool is_order = rlx_text_is_among(c->of->name, " max min sorted ");
  return is_order && c->args->count == 1 && c->v->kind == RLX_VALUE_LIST && c->v->count > 1;
}

/// The first argument that Python's function stops at, or NULL.
static const RlxValue *wrong_argument(const RlxEval *e, const BuiltinCall *c) {
  const RlxPyArgs *args = c->args;
  const Wanted what = c->of->what;
  const bool is_binary = c->of->call == call_divmod && args->count == 2;
  const bool is_sized = c->of->call == call_len && !rlx_eval_is_tlc(e);
  if (c->of->takes_several && args->count > 1) return wrong_of_several(e, c, NULL);
  if (args->at[0].keyword) return NULL;
  if (orders_items(c)) return wrong_of_several(e, c, c->v);
  if (is_wrong(e, what, c->v) || stops_at_symbol(e, c->of, c->v) || stops_at_items(e, c->of, c->v))
    return c->v;
  if (is_binary && is_wrong(e, what, &args->at[1].value)) return &args->at[1].value;
  if (!is_operand(c->v) || is_symbolic(e, c->v)) return NULL;
  const bool is_written = c->v->kind == RLX_VALUE_EXPR && has_length(c->v->expr);
  const bool is_expr = c->v->kind == RLX_VALUE_EXPR && !is_written;
  if (is_expr && (c->of->call == call_reversed || (c->of->call == call_sum && args->count == 1)))
    return c->v; // none has a length; and 0 is added to the first item
  const RlxExprKind kind = c->v->kind == RLX_VALUE_EXPR ? c->v->expr->kind : RLX_EXPR_CONSTANT;
  if (c->of->call == call_bool && rlx_eval_is_027(e) && kind != RLX_EXPR_CONSTANT && !is_written)
    return c->v; // from 0.26 on such an expression has no truth
  if (is_sized && c->v->kind != RLX_VALUE_CLASS && has_length(c->v->expr)) return NULL;
  return what == NUMBER || what == NUMBER_OR_TEXT || is_sized ? c->v : NULL;
}

static const Builtin builtins[] = {
    {"__import__", ANYTHING, false, NULL, "a module"},
    {"abs", NUMBER, false, call_abs, NULL},
    {"all", ITEMS, false, call_all, NULL},
    {"any", ITEMS, false, call_any, NULL},
    {"ascii", ANYTHING, false, call_repr, NULL},
    {"bin", NUMBER, false, call_bin, NULL},
    {"bool", ANYTHING, false, call_bool, NULL},
    {"bytearray", ANYTHING, false, NULL, "a bytearray"},
    {"bytes", ANYTHING, false, NULL, "a bytes object"},
    {"chr", NUMBER, false, call_chr, NULL},
    {"complex", ANYTHING, false, NULL, "a complex number"},
    {"dict", ITEMS, false, call_dict, NULL},
    {"divmod", NUMBER, false, call_divmod, NULL},
    {"enumerate", ITEMS, false, call_enumerate, NULL},
    {"filter", ANYTHING, false, NULL, "an iterator"},
    {"float", NUMBER_OR_TEXT, false, call_float, NULL},
    {"format", ANYTHING, false, call_repr, NULL},
    {"frozenset", ITEMS, false, NULL, "a frozenset"},
    {"hex", NUMBER, false, call_hex, NULL},
    {"int", NUMBER_OR_TEXT, false, call_int, NULL},
    {"isinstance", ANYTHING, false, call_isinstance, NULL},
    {"iter", ITEMS, false, NULL, "an iterator"},
    {"len", ITEMS, false, call_len, NULL},
    {"list", ITEMS, false, call_list, NULL},
    {"map", ANYTHING, false, NULL, "an iterator"},
    {"max", ITEMS, true, call_max, NULL},
    {"memoryview", ANYTHING, false, NULL, "a memoryview"},
    {"min", ITEMS, true, call_min, NULL},
    {"object", ANYTHING, false, NULL, "a Python object"},
    {"oct", NUMBER, false, call_oct, NULL},
    {"ord", ANYTHING, false, call_ord, NULL},
    {"pow", NUMBER, false, call_pow, NULL},
    {"print", ANYTHING, false, call_print, NULL},
    {"repr", ANYTHING, false, call_repr, NULL},
    {"reversed", ITEMS, false, call_reversed, NULL},
    {"round", NUMBER, false, call_round, NULL},
    {"set", ITEMS, false, NULL, "a set"},
    {"slice", ANYTHING, false, NULL, "a slice"},
    {"sorted", ITEMS, false, call_sorted, NULL},
    {"str", ANYTHING, false, call_str, NULL},
    {"sum", ITEMS, false, call_sum, NULL},
    {"tuple", ITEMS, false, call_tuple, NULL},
    {"type", ANYTHING, false, call_type, NULL},
    {"zip", ITEMS, true, call_zip, NULL},
};

/// What a function gives that is called without arguments.
static RlxValue without_arguments(RlxEval *e, const BuiltinCall *c) {
  if (c->of->call == call_print) return call_print(e, c);
  if (c->of->call == call_int) return rlx_value_of_int(0, c->span);
  if (c->of->call == call_float) return rlx_value_of_float(0, c->span);
  if (c->of->call == call_bool) return rlx_value_of_bool(false, c->span);
  if (c->of->call == call_str) return text_value(e, "", c->span);
  if (c->of->call == call_list || c->of->call == call_tuple)
    return (RlxValue){
        .kind = RLX_VALUE_LIST, .is_tuple = c->of->call == call_tuple, .span = c->span};
  if (c->of->call == call_dict) return (RlxValue){.kind = RLX_VALUE_DICT, .span = c->span};
  return rlx_eval_failed(e, c->span);
}

RlxValue rlx_call_builtin(RlxEval *e, RlxName name, const RlxPyArgs *args, RlxSpan span) {
  const char *text = rlx_store_text(e->store, name);
  BuiltinCall c = {NULL, args, args->count ? &args->at[0].value : NULL, span};
  if (strcmp(text, "range") == 0) return call_range(e, args, span); // each argument is an int
  for (size_t i = 0; !c.of && i < sizeof builtins / sizeof *builtins; i++)
    if (strcmp(builtins[i].name, text) == 0) c.of = &builtins[i];
  if (!c.of || args->is_unknown) return rlx_eval_failed(e, span);
  const bool is_known = c.v && c.v->kind != RLX_VALUE_UNKNOWN;
  const RlxValue *wrong = is_known ? wrong_argument(e, &c) : NULL;
  if (wrong) return refuse(e, &c, wrong);
  if (c.of->object) return (RlxValue){.kind = RLX_VALUE_OTHER, .span = span, .text = c.of->object};
  if (!c.v) return without_arguments(e, &c);
  return c.of->call && (is_known || c.of->call == call_print) ? c.of->call(e, &c)
                                                              : rlx_eval_failed(e, span);
}
