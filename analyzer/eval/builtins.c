/// Python's own functions in scripts: what they give for the values that the evaluation knows, and
/// what they stop at.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/eval/eval.h"
#include "analyzer/eval/evaluate_impl.h"
#include "analyzer/eval/refuse.h"

/// An operand of Relax that has neither a number nor a length for Python.
static bool is_variable(const RlxValue *v) {
  return v->kind == RLX_VALUE_EXPR && v->expr->kind != RLX_EXPR_HOLE &&
         v->expr->sinfo->kind != RLX_SINFO_OBJECT && v->expr->sinfo->kind != RLX_SINFO_TUPLE;
}

static RlxValue call_range(RlxEval *e, const RlxPyArgs *args, RlxSpan span) {
  int64_t at[3] = {0, 0, 1};
  for (uint32_t i = 0; i < args->count; i++) {
    const RlxValue *v = &args->at[i].value;
    RlxPythonType type = rlx_python_type(e, v);
    bool is_wrong = type != RLX_PYTHON_UNKNOWN && type != RLX_PYTHON_INT && type != RLX_PYTHON_BOOL;
    if ((is_wrong || is_variable(v)) && rlx_refuse_may_tell(e))
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

// ---- what they stop at

/// What a function makes of its first argument.
typedef enum Wanted {
  ANYTHING,
  NUMBER,         ///< abs(1.5)
  NUMBER_OR_TEXT, ///< int("12")
  ITEMS,          ///< len([1, 2]), list("ab")
} Wanted;

static Wanted wanted(const char *name) {
  return rlx_text_is_among(name, " abs round divmod pow ") ? NUMBER
         : rlx_text_is_among(name, " int float ")          ? NUMBER_OR_TEXT
         : rlx_text_is_among(name, " len list tuple sum sorted set any all min max enumerate zip "
                                   "reversed ")
             ? ITEMS
             : ANYTHING;
}

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

static RlxValue refuse(RlxEval *e, const char *name, Wanted what, const RlxValue *v, RlxSpan span) {
  if (rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), v->span, "ssss",
                    rlx_arena_printf(e->arena, "Python's `%s`", name), "argument",
                    rlx_value_text(e, v), what == ITEMS ? "a list" : "a number");
  return rlx_eval_failed(e, span);
}

/// The first argument that Python's function stops at, or NULL.
static const RlxValue *wrong_argument(const RlxEval *e, const char *name, Wanted what,
                                      const RlxPyArgs *args) {
  const RlxValue *v = &args->at[0].value;
  bool is_several = rlx_text_is_among(name, " min max zip ") && args->count > 1;
  bool is_binary = strcmp(name, "divmod") == 0 && args->count == 2;
  if (args->at[0].keyword || is_several) return NULL;
  if (is_wrong(e, what, v)) return v;
  if (is_binary && is_wrong(e, what, &args->at[1].value)) return &args->at[1].value;
  bool is_sized = strcmp(name, "len") == 0;
  return (what == NUMBER || what == NUMBER_OR_TEXT || is_sized) && is_variable(v) ? v : NULL;
}

// ---- what they give

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

RlxValue rlx_call_builtin(RlxEval *e, RlxName name, const RlxPyArgs *args, RlxSpan span) {
  const char *text = rlx_store_text(e->store, name);
  const RlxValue *v = args->count ? &args->at[0].value : NULL;
  const Wanted what = wanted(text);
  if (strcmp(text, "range") == 0) return call_range(e, args, span);
  if (!v || v->kind == RLX_VALUE_UNKNOWN) return rlx_eval_failed(e, span);
  const RlxValue *wrong = wrong_argument(e, text, what, args);
  if (wrong) return refuse(e, text, what, wrong, span);
  if (strcmp(text, "len") == 0) {
    if (v->kind == RLX_VALUE_LIST) return rlx_value_of_int(v->count, span);
    if (v->kind == RLX_VALUE_DICT) return rlx_value_of_int(v->count / 2, span);
    if (v->kind == RLX_VALUE_EXPR && v->expr->sinfo->kind == RLX_SINFO_TUPLE)
      return rlx_value_of_int(v->expr->sinfo->count, span);
    return rlx_eval_failed(e, span);
  }
  if (strcmp(text, "float") == 0) {
    RlxValue out = {.kind = RLX_VALUE_FLOAT, .span = span};
    if (v->kind == RLX_VALUE_STR && is_number_text(rlx_store_text(e->store, v->string)))
      out.number = strtod(rlx_store_text(e->store, v->string), NULL);
    else if (v->kind == RLX_VALUE_STR)
      return refuse(e, text, what, v, span);
    else if (v->kind == RLX_VALUE_INT)
      out.number = (double)v->integer;
    else if (v->kind == RLX_VALUE_FLOAT)
      out.number = v->number;
    else
      return rlx_eval_failed(e, span);
    return out;
  }
  if (strcmp(text, "int") == 0) {
    if (v->kind == RLX_VALUE_INT) return rlx_value_of_int(v->integer, span);
    if (v->kind == RLX_VALUE_STR) { // int("12", base) is not looked into
      const char *digits = rlx_store_text(e->store, v->string);
      bool may_be = args->count > 1 || strpbrk(digits, "0123456789");
      return may_be ? rlx_eval_failed(e, span) : refuse(e, text, what, v, span);
    }
    if (v->kind == RLX_VALUE_BOOL) return rlx_value_of_int(v->boolean, span);
    if (v->kind == RLX_VALUE_FLOAT && isfinite(v->number) && fabs(v->number) < 9e18)
      return rlx_value_of_int((int64_t)v->number, span);
    return v->kind == RLX_VALUE_PRIM ? *v : rlx_eval_failed(e, span);
  }
  if ((strcmp(text, "tuple") == 0 || strcmp(text, "list") == 0) && v->kind == RLX_VALUE_LIST) {
    RlxValue out = *v;
    out.is_tuple = text[0] == 't';
    out.is_range = false;
    return out;
  }
  if (strcmp(text, "str") == 0 && v->kind == RLX_VALUE_STR) return *v;
  if (strcmp(text, "str") == 0 && args->count == 1) return rlx_unknown_string(e, span);
  if (strcmp(text, "slice") == 0)
    return (RlxValue){.kind = RLX_VALUE_OTHER, .span = span, .text = "a slice"};
  bool truth;
  if (strcmp(text, "bool") == 0 && rlx_value_truth(v, &truth))
    return rlx_value_of_bool(truth, span);
  if (strcmp(text, "bool") == 0 && rlx_python_is_object(rlx_python_type(e, v)))
    return rlx_value_of_bool(true, span);
  bool is_min = strcmp(text, "min") == 0;
  if (is_min || strcmp(text, "max") == 0) return extreme(e, is_min, args, span);
  if (strcmp(text, "enumerate") == 0 && v->kind == RLX_VALUE_LIST) {
    RlxValue out = {.kind = RLX_VALUE_LIST, .span = span, .count = v->count};
    out.items = rlx_arena_array(e->arena, RlxValue, v->count ? v->count : 1);
    for (uint32_t i = 0; i < v->count; i++) {
      RlxValue *pair = rlx_arena_array(e->arena, RlxValue, 2);
      pair[0] = rlx_value_of_int(i, span), pair[1] = v->items[i];
      out.items[i] = (RlxValue){.kind = RLX_VALUE_LIST, .is_tuple = true, .count = 2, .span = span};
      out.items[i].items = pair;
    }
    return out;
  }
  return rlx_eval_failed(e, span);
}
