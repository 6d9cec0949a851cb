/// Calls of the script's vocabulary: R.const, R.shape, R.match_cast, T.int64, T.max; the rest goes
/// to calls.c, and Python's own functions to builtins.c. Always true: arguments are evaluated once, in source order,
/// before anything is decided about the call.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/eval/eval.h"
#include "analyzer/eval/evaluate_impl.h"
#include "analyzer/eval/refuse.h"
#include "analyzer/words/spell.h"

static RlxValue failed(RlxEval *e, RlxSpan span) {
  e->tainted = true;
  return rlx_value_unknown(span);
}

static RlxValue of_prim(const RlxPrim *prim, RlxSpan span) {
  RlxValue v = {.kind = RLX_VALUE_PRIM, .span = span};
  v.prim = prim;
  return v;
}

static void push(RlxEval *e, RlxPyArgs *args, uint32_t *capacity, RlxPyArg arg) {
  if (args->count == *capacity) {
    uint32_t wanted = *capacity * 2 + 4;
    RlxPyArg *grown = rlx_arena_array(e->analyzer->scratch, RlxPyArg, wanted);
    if (args->count) memcpy(grown, args->at, args->count * sizeof *grown);
    args->at = grown;
    *capacity = wanted;
  }
  args->at[args->count++] = arg;
}

static void splat(RlxEval *e, RlxPyArgs *args, uint32_t *capacity, const RlxAst *ast) {
  RlxValue v = rlx_eval(e, ast->children[0]);
  if (v.kind == RLX_VALUE_LIST) {
    for (uint32_t i = 0; i < v.count; i++)
      push(e, args, capacity, (RlxPyArg){0, v.items[i], ast->span, ast->span});
  } else if (v.kind == RLX_VALUE_EXPR && v.expr->sinfo->kind == RLX_SINFO_TUPLE) {
    for (int32_t i = 0; i < v.expr->sinfo->count; i++)
      push(e, args, capacity,
           (RlxPyArg){0, rlx_value_expr(rlx_expr_get(e, v.expr, i, ast->span, ast->span)),
                      ast->span, ast->span});
  } else
    args->is_unknown = true;
}

static void splat_keywords(RlxEval *e, RlxPyArgs *args, uint32_t *capacity, const RlxAst *ast) {
  RlxValue v = rlx_eval(e, ast->children[0]);
  if (v.kind != RLX_VALUE_DICT) {
    args->is_unknown = true;
    return;
  }
  for (uint32_t i = 0; i + 1 < v.count; i += 2) {
    if (v.items[i].kind == RLX_VALUE_STR)
      push(e, args, capacity, (RlxPyArg){v.items[i].string, v.items[i + 1], ast->span, ast->span});
    else
      args->is_unknown = true;
  }
}

/// `takes_scalars`: what is called knows numpy's scalars. They are scratch: gone behind the call.
static RlxPyArgs arguments(RlxEval *e, const RlxAst *ast, bool takes_scalars) {
  RlxPyArgs args = {0};
  uint32_t capacity = ast->child_count > 1 ? ast->child_count - 1 : 1;
  args.at = rlx_arena_array(e->analyzer->scratch, RlxPyArg, capacity);
  for (uint32_t i = 1; i < ast->child_count; i++) {
    const RlxAst *arg = ast->children[i];
    e->takes_scalar =
        takes_scalars && arg->kind != RLX_AST_STARRED && arg->kind != RLX_AST_DOUBLE_STARRED;
    if (arg->kind == RLX_AST_STARRED)
      splat(e, &args, &capacity, arg);
    else if (arg->kind == RLX_AST_DOUBLE_STARRED)
      splat_keywords(e, &args, &capacity, arg);
    else if (arg->kind == RLX_AST_KEYWORD)
      push(e, &args, &capacity,
           (RlxPyArg){arg->name, rlx_eval(e, arg->children[0]), arg->span, arg->name_span});
    else
      push(e, &args, &capacity, (RlxPyArg){0, rlx_eval(e, arg), arg->span, arg->span});
  }
  if (args.is_unknown) e->tainted = true;
  return args;
}

// ---- R.…

/// A call of a word of the vocabulary.
typedef struct Call {
  RlxWord word;
  RlxPyArgs *args;
  RlxSpan span, name_span; ///< of the whole call, of the word
  const RlxAst *ast;
} Call;

static RlxValue invalid(RlxEval *e, const char *what, const char *param, const RlxValue *v,
                        const char *expected, RlxSpan span) {
  if (!v)
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_MISSING), span, "ss", what, param);
  else if (v->kind != RLX_VALUE_UNKNOWN &&
           !(v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_HOLE))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), v->span, "ssss", what, param,
                    rlx_value_text(e, v), expected);
  return failed(e, span);
}

static bool dtype_argument(RlxEval *e, const RlxValue *v, RlxDType *out) {
  *out = rlx_dtype_unknown();
  if (!v || v->kind == RLX_VALUE_NONE || v->kind == RLX_VALUE_UNKNOWN) return true;
  if (v->kind == RLX_VALUE_DTYPE) {
    *out = rlx_unpack_dtype(v->integer);
    return true;
  }
  if (v->kind != RLX_VALUE_STR) return false;
  const char *text = rlx_store_text(e->store, v->string);
  if (rlx_dtype_parse(text, strlen(text), out)) return true;
  rlx_dtype_report(e, v->span, text);
  return true;
}

/// A string that numpy, which makes constants, has as a dtype.
static bool is_numpy_text(RlxEval *e, const RlxValue *v, RlxDType *out) {
  return v && v->kind == RLX_VALUE_STR &&
         rlx_dtype_of_numpy(rlx_store_text(e->store, v->string), out);
}

/// Whether numpy reads a tuple as a dtype: one and its shape (`("float32", (2,))`, where a number is
/// a shape of one dimension), or another one of the same size over it.
static bool is_dtype_pair(RlxEval *e, const RlxValue *v) {
  if (v->kind != RLX_VALUE_LIST || !v->is_tuple || v->count != 2) return false;
  const RlxValue *second = &v->items[1];
  RlxDType first, over;
  if (!is_numpy_text(e, &v->items[0], &first)) return false;
  if (second->kind == RLX_VALUE_STR)
    return is_numpy_text(e, second, &over) && over.bits == first.bits;
  if (second->kind == RLX_VALUE_INT) return second->integer >= 0;
  if (second->kind != RLX_VALUE_LIST || !second->is_tuple) return false;
  for (uint32_t i = 0; i < second->count; i++)
    if (second->items[i].kind != RLX_VALUE_INT || second->items[i].integer < 0) return false;
  return true;
}

/// The first integer of a constant that its dtype can't hold, or NULL.
/// `is_scalar`: of a number of the IR, where a bool is 0 or 1; numpy makes a bool of any.
static const RlxValue *out_of_range(const RlxValue *v, RlxDType dtype, bool is_scalar) {
  if (v->kind == RLX_VALUE_LIST) {
    for (uint32_t i = 0; i < v->count; i++) {
      const RlxValue *found = out_of_range(&v->items[i], dtype, is_scalar);
      if (found) return found;
    }
  }
  bool is_unsigned = dtype.code == RLX_DTYPE_UINT;
  if (rlx_dtype_is_bool(dtype) && is_scalar)
    return v->kind == RLX_VALUE_INT && v->integer != 0 && v->integer != 1 ? v : NULL;
  if (v->kind != RLX_VALUE_INT || (!is_unsigned && dtype.code != RLX_DTYPE_INT) || dtype.bits < 8)
    return NULL;
  if (v->integer < 0 && is_unsigned) return v;
  int bits = dtype.bits - (is_unsigned ? 0 : 1);
  if (bits >= 63) return NULL;
  int64_t limit = INT64_C(1) << bits;
  return v->integer >= limit || v->integer < -limit ? v : NULL;
}

/// Lists of different lengths beside each other: no array.
static bool is_ragged(const RlxValue *v) {
  if (v->kind != RLX_VALUE_LIST) return false;
  for (uint32_t i = 0; i < v->count; i++) {
    const RlxValue *first = &v->items[0], *item = &v->items[i];
    if (item->kind == RLX_VALUE_UNKNOWN || first->kind == RLX_VALUE_UNKNOWN) continue;
    if ((item->kind == RLX_VALUE_LIST) != (first->kind == RLX_VALUE_LIST) || is_ragged(item) ||
        (item->kind == RLX_VALUE_LIST && item->count != first->count))
      return true;
  }
  return false;
}

/// Whether numpy, which makes the constant, has no such dtype; ml_dtypes adds the narrow ones.
static bool is_no_numpy(const RlxValue *v, RlxDType dtype) {
  if (!v || v->kind != RLX_VALUE_STR) return false;
  int bits = dtype.bits;
  if (!rlx_dtype_known(dtype) || dtype.code == RLX_DTYPE_HANDLE || dtype.lanes > 1) return true;
  if (rlx_dtype_is_int(dtype)) return bits > 64 || (bits & (bits - 1)) != 0;
  return dtype.code == RLX_DTYPE_FLOAT && bits != 16 && bits != 32 && bits != 64 && bits != 128;
}

/// The string of a constant as the number that it is meant to be: `1.5`, `float("inf")`. NULL when
/// Python would not read it as one.
static const char *number_of(RlxEval *e, const char *text) {
  size_t size = strspn(text, "0123456789"), point = text[size] == '.';
  size_t digits = size + strspn(text + size + point, "0123456789");
  if (digits && !text[digits + point] && (size == 1 || *text != '0'))
    return rlx_arena_strdup(e->sink->arena, text);
  char *end = NULL;
  strtod(text, &end);
  if (end == text || *end || !*text || strpbrk(text, "xXpP( \t\n\"\\")) return NULL;
  return rlx_arena_printf(e->sink->arena, "float(\"%s\")", text);
}

/// A constant whose numbers and shape are what Python makes of them.
static RlxValue constant_of_python(RlxEval *e, RlxDType dtype, RlxSpan span) {
  return rlx_value_expr(
      rlx_expr_new(e, RLX_EXPR_CONSTANT, span, rlx_sinfo_tensor_ndim(e->store, -1, dtype, NULL)));
}

static RlxValue call_const(RlxEval *e, const Call *c) {
  const RlxValue *value = rlx_py_arg(e, c->args, 0, "value"),
                 *dtype_value = rlx_py_arg(e, c->args, 1, "dtype");
  RlxDType dtype;
  if (!value) return invalid(e, "R.const", "value", NULL, "", c->span);
  const RlxValue *type =
      rlx_py_arg(e, c->args, UINT32_MAX, "ty"); // of R.dist.const: struct_info up to 0.25
  if (!type) type = rlx_py_arg(e, c->args, UINT32_MAX, "struct_info");
  if (!dtype_value && type && type->kind == RLX_VALUE_SINFO) dtype_value = type;
  const RlxSInfo *given =
      dtype_value && dtype_value->kind == RLX_VALUE_SINFO ? dtype_value->sinfo : NULL;
  if (given && given->kind == RLX_SINFO_DTENSOR) { // R.dist.const(value, R.DTensor(…))
    RlxExpr *x = rlx_expr_constant(e, value, given->tensor->dtype, c->span);
    if (!x) x = rlx_expr_new(e, RLX_EXPR_CONSTANT, c->span, given);
    x->sinfo = given;
    return rlx_value_expr(x);
  }
  if (dtype_value && is_dtype_pair(e, dtype_value))
    return constant_of_python(e, rlx_dtype_unknown(), c->span);
  bool is_constructor = dtype_value && dtype_value->kind == RLX_VALUE_DTYPE &&
                        !dtype_value->is_python && rlx_refuse_may_tell(e);
  if (is_constructor ||
      !(is_numpy_text(e, dtype_value, &dtype) || dtype_argument(e, dtype_value, &dtype)))
    return invalid(e, "R.const", "dtype", dtype_value, "a dtype's name", c->span);
  if (value->kind == RLX_VALUE_LIST && value->is_tuple && rlx_refuse_may_tell(e))
    return invalid(e, "R.const", "value", value, "a number or a list", c->span);
  if (is_no_numpy(dtype_value, dtype) && !e->tainted)
    return invalid(e, "R.const", "dtype", dtype_value, "a dtype of numpy", c->span);
  if (is_ragged(value))
    return invalid(e, "R.const", "value", value, "lists of equal lengths", c->span);
  bool is_big = value->kind == RLX_VALUE_OTHER && value->text == rlx_big_int_text;
  if (value->kind == RLX_VALUE_UNKNOWN || is_big) // np.array(…): the data is Python's
    return constant_of_python(e, dtype, c->span);
  if (value->kind == RLX_VALUE_ARRAY)
    return rlx_value_expr(rlx_array_constant(e, value, dtype, c->span));
  if (value->kind == RLX_VALUE_PRIM && !rlx_dtype_known(dtype) && value->prim->dtype.bits != 64)
    dtype = value->prim->dtype; // numpy.float16(1)
  bool is_script = value->kind == RLX_VALUE_PRIM && !value->is_python && !rlx_eval_is_tlc(e);
  RlxExpr *x = is_script ? NULL : rlx_expr_constant(e, value, dtype, c->span);
  if (x) {
    const RlxValue *wide = rlx_dtype_known(dtype) ? out_of_range(value, dtype, false) : NULL;
    char text[RLX_DTYPE_TEXT_MAX];
    rlx_dtype_text(dtype, text);
    if (wide)
      return invalid(e, "R.const", "value", wide,
                     rlx_arena_printf(e->arena, "a number that %s holds", text), c->span);
    return rlx_value_expr(x);
  }
  if (value->kind == RLX_VALUE_EXPR && e->tainted) return failed(e, c->span);
  RlxDiag *diag =
      rlx_eval_report(e, RLX_DIAG_ID(CONST_INVALID), value->span, "s", rlx_value_text(e, value));
  const char *number =
      value->kind == RLX_VALUE_STR ? number_of(e, rlx_store_text(e->store, value->string)) : NULL;
  if (number) rlx_diag_fix(e->sink, diag, "convert the string to a number", value->span, number);
  x = rlx_expr_new(e, RLX_EXPR_CONSTANT, c->span, rlx_sinfo_tensor(e->store, NULL, 0, dtype, NULL));
  return rlx_value_expr(x);
}

static RlxValue call_shape(RlxEval *e, const Call *c) {
  const RlxValue *value = rlx_py_arg(e, c->args, 0, "value");
  if (!value) value = rlx_py_arg(e, c->args, 0, "values");
  if (value && value->kind == RLX_VALUE_UNKNOWN) return failed(e, c->span);
  if (!value || value->kind != RLX_VALUE_LIST)
    return invalid(e, "R.shape", "value", value, "a list of dimensions", c->span);
  RlxExpr *x = rlx_expr_shape(e, value, c->span);
  if (x) return rlx_value_expr(x);
  rlx_shape_report(e, value);
  return failed(e, c->span);
}

static RlxValue call_tuple(RlxEval *e, const Call *c) {
  uint32_t count = c->args->count;
  RlxValue list = {.kind = RLX_VALUE_LIST, .is_tuple = true, .span = c->span, .count = count};
  list.items = rlx_arena_array(e->arena, RlxValue, count ? count : 1);
  for (uint32_t i = 0; i < count; i++) list.items[i] = c->args->at[i].value;
  if (count == 1 && list.items[0].kind == RLX_VALUE_LIST) list = list.items[0];
  list.span = c->span;
  for (uint32_t i = 0; i < list.count && !rlx_eval_is_tlc(e); i++) { // Python's values are none
    bool is_scalar = list.items[i].kind == RLX_VALUE_INT || list.items[i].kind == RLX_VALUE_FLOAT ||
                     list.items[i].kind == RLX_VALUE_BOOL || list.items[i].kind == RLX_VALUE_STR;
    if (is_scalar && rlx_eval_is_027(e)) continue;
    if (list.items[i].kind != RLX_VALUE_EXPR && list.items[i].kind != RLX_VALUE_CALLEE &&
        list.items[i].kind != RLX_VALUE_UNKNOWN && list.items[i].kind != RLX_VALUE_LIST)
      return invalid(e, "R.tuple", "fields", &list.items[i], "a Relax expression", c->span);
  }
  RlxExpr *x = rlx_expr_of(e, &list);
  if (x) return rlx_value_expr(x);
  for (uint32_t i = 0; i < list.count; i++)
    if (!rlx_expr_of(e, &list.items[i]))
      return invalid(e, "R.tuple", "fields", &list.items[i], "a Relax expression", c->span);
  return failed(e, c->span);
}

static RlxValue call_prim_value(RlxEval *e, const Call *c) {
  const RlxValue *value = rlx_py_arg(e, c->args, 0, "value");
  bool is_scalar =
      value && value->kind == RLX_VALUE_EXPR && value->expr->sinfo->kind == RLX_SINFO_PRIM;
  bool is_refused = is_scalar && rlx_refuse_may_tell(e) && !rlx_eval_is_027(e) &&
                    !rlx_fn_may_be(e->fn, RLX_DIALECT_027);
  if (is_scalar && !is_refused) return *value;
  const RlxPrim *prim = value && value->kind != RLX_VALUE_EXPR ? rlx_value_prim(e, value) : NULL;
  if (prim && value->kind == RLX_VALUE_FLOAT && rlx_eval_is_027(e))
    prim = rlx_prim_float(e->store, value->number, RLX_FLOAT64);
  if (!prim && value && value->kind == RLX_VALUE_STR && !rlx_eval_is_027(e)) {
    const RlxSInfo *handle =
        rlx_sinfo_prim(e->store, rlx_dtype(RLX_DTYPE_HANDLE, 64), NULL); // a string of the IR
    return rlx_value_expr(rlx_expr_new(e, RLX_EXPR_HOLE, c->span, handle));
  }
  if (!prim) return invalid(e, "R.prim_value", "value", value, "a number", c->span);
  RlxValue copy = of_prim(prim, c->span);
  return rlx_value_expr(rlx_expr_of(e, &copy));
}

static RlxValue call_str(RlxEval *e, const Call *c) {
  const RlxValue *value = rlx_py_arg(e, c->args, 0, "value");
  if (!value || value->kind != RLX_VALUE_STR)
    return invalid(e, "R.str", "value", value, "a string", c->span);
  RlxValue copy = *value;
  copy.span = c->span;
  return rlx_value_expr(rlx_expr_of(e, &copy));
}

static RlxValue call_dtype(RlxEval *e, const Call *c) {
  const RlxValue *value = rlx_py_arg(e, c->args, 0, "value");
  RlxDType dtype;
  if (!value || !dtype_argument(e, value, &dtype))
    return invalid(e, "R.dtype", "value", value, "a dtype's name", c->span);
  RlxExpr *x = rlx_expr_new(e, RLX_EXPR_DTYPE, c->span, rlx_sinfo_object(e->store));
  x->dtype = dtype;
  return rlx_value_expr(x);
}

static RlxValue call_extern(RlxEval *e, const Call *c) {
  const RlxValue *name = rlx_py_arg(e, c->args, 0, "global_symbol"),
                 *sinfo_value = rlx_py_arg(e, c->args, 1, "struct_info");
  if (!name || name->kind != RLX_VALUE_STR)
    return invalid(e, "R.ExternFunc", "global_symbol", name, "a string", c->span);
  const RlxSInfo *sinfo = sinfo_value ? rlx_value_sinfo(e, sinfo_value) : NULL;
  if (!sinfo) sinfo = rlx_sinfo_func(e->store, NULL, 0, rlx_sinfo_object(e->store), RLX_IMPURE, 0);
  RlxExpr *x = rlx_expr_new(e, RLX_EXPR_EXTERN, c->span, sinfo);
  x->name = name->string;
  RlxValue v = {.kind = RLX_VALUE_CALLEE, .span = c->span};
  v.expr = x;
  return v;
}

static RlxValue call_match_cast(RlxEval *e, const Call *c) {
  const RlxValue *value = rlx_py_arg(e, c->args, 0, "value"),
                 *pattern = rlx_py_arg(e, c->args, 1, "struct_info");
  if (!pattern) pattern = rlx_py_arg(e, c->args, UINT32_MAX, "ty");
  for (uint32_t i = 0; i < c->args->count && rlx_refuse_may_tell(e); i++) {
    const RlxPyArg *arg = &c->args->at[i];
    const char *keyword = arg->keyword ? rlx_store_text(e->store, arg->keyword) : "";
    bool is_new = strcmp(keyword, "ty") == 0, is_old = strcmp(keyword, "struct_info") == 0;
    if ((is_new && !rlx_fn_may_be(e->fn, RLX_DIALECT_027)) ||
        (is_old && !rlx_fn_may_be(e->fn, RLX_DIALECT_025)))
      rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_UNKNOWN), arg->keyword_span, "sss", "R.match_cast",
                      keyword,
                      is_new ? "; before 0.26 it is `struct_info`" : "; from 0.26 on it is `ty`");
  }
  if (!value || !pattern)
    return invalid(e, "R.match_cast", value ? "struct_info" : "value", NULL, "", c->span);
  RlxExpr *x = rlx_expr_of(e, value);
  const RlxSInfo *sinfo = rlx_value_sinfo(e, pattern);
  bool is_python = value->kind != RLX_VALUE_EXPR && value->kind != RLX_VALUE_CALLEE &&
                   value->kind != RLX_VALUE_UNKNOWN && value->kind != RLX_VALUE_FUNCTION;
  if (!x || (is_python && !rlx_eval_is_tlc(e)))
    return invalid(e, "R.match_cast", "value", value, "a Relax expression", c->span);
  if (!sinfo) return invalid(e, "R.match_cast", "struct_info", pattern, "a StructInfo", c->span);
  RlxCastPair *pair = rlx_arena_one(e->arena, RlxCastPair);
  pair->value = x;
  pair->sinfo = sinfo;
  pair->sinfo_span = pattern->span;
  rlx_vec_push(&e->patterns, sinfo);
  RlxValue v = {.kind = RLX_VALUE_CAST, .span = c->span};
  v.thing = pair;
  return v;
}

/// A pattern where each dimension that is not looked at (`_`) is what is known of the value, or a
/// variable of its own.
static RlxValue with_wildcards(RlxEval *e, const RlxValue *pattern, const RlxSInfo *value) {
  RlxValue out = *pattern;
  out.items = rlx_arena_copy(e->arena, pattern->items, pattern->count, sizeof *pattern->items);
  bool is_known = rlx_sinfo_holds_dims(value) && value->dims && value->ndim == (int)pattern->count;
  for (uint32_t i = 0; i < pattern->count && rlx_eval_is_tlc(e) && e->fn; i++) {
    if (out.items[i].kind != RLX_VALUE_UNKNOWN) continue;
    const char *name = rlx_arena_printf(e->arena, "_%u", i);
    const RlxPrim *dim =
        is_known ? value->dims[i]
                 : rlx_fn_symbol(e, rlx_store_intern(e->store, name, strlen(name)), RLX_INT64);
    out.items[i] = rlx_value_of_prim(dim, out.items[i].span);
  }
  return out;
}

/// R.match_shape(x, (n, m)): a match_cast to that shape with x's dtype.
static RlxValue call_match_shape(RlxEval *e, const Call *c) {
  const RlxValue *value = rlx_py_arg(e, c->args, 0, "value"),
                 *pattern = rlx_py_arg(e, c->args, 1, "pattern");
  if (value && pattern && value->kind == RLX_VALUE_LIST &&
      pattern->kind != RLX_VALUE_LIST) { // the pattern first, until September 2021
    const RlxValue *first = value;
    value = pattern;
    pattern = first;
  }
  RlxExpr *x = value ? rlx_expr_of(e, value) : NULL;
  if (!x || !pattern || pattern->kind != RLX_VALUE_LIST)
    return invalid(e, "R.match_shape", "pattern", pattern, "a list of dimensions", c->span);
  RlxValue known = with_wildcards(e, pattern, x->sinfo);
  RlxExpr *shape = rlx_expr_shape(e, &known, c->span);
  if (!shape || shape->kind != RLX_EXPR_SHAPE) return failed(e, c->span);
  RlxCastPair *pair = rlx_arena_one(e->arena, RlxCastPair);
  pair->value = x;
  pair->sinfo_span = pattern->span;
  pair->is_shape = true;
  pair->sinfo = x->sinfo->kind == RLX_SINFO_TENSOR
                    ? rlx_sinfo_tensor(e->store, shape->dims, shape->dim_count, x->sinfo->dtype,
                                       x->sinfo->vdevice)
                    : shape->sinfo;
  rlx_vec_push(&e->patterns, pair->sinfo);
  RlxValue v = {.kind = RLX_VALUE_CAST, .span = c->span};
  v.thing = pair;
  return v;
}

static RlxValue call_tuple_get(RlxEval *e, const Call *c) {
  const RlxValue *tuple = rlx_py_arg(e, c->args, 0, "tuple_value"),
                 *index = rlx_py_arg(e, c->args, 1, "index");
  bool is_wrong = index && index->kind == RLX_VALUE_EXPR && rlx_refuse_may_tell(e);
  if (is_wrong) return invalid(e, "R.TupleGetItem", "index", index, "an int", c->span);
  RlxExpr *x = tuple ? rlx_expr_of(e, tuple) : NULL;
  if (!x || !index || index->kind != RLX_VALUE_INT) return failed(e, c->span);
  return rlx_value_expr(rlx_expr_get(e, x, index->integer, c->span, index->span));
}

/// R.emit_with_sinfo("relax.op", (args…), (sinfo,)): a call whose StructInfo is given.
static RlxValue call_emit_sinfo(RlxEval *e, const Call *c) {
  const RlxValue *op = rlx_py_arg(e, c->args, 0, "op"), *list = rlx_py_arg(e, c->args, 1, "args"),
                 *given = rlx_py_arg(e, c->args, 2, "sinfo_args");
  if (!given) given = rlx_py_arg(e, c->args, 2, "ty_args");
  if (!op || op->kind != RLX_VALUE_STR || !list || !given) return failed(e, c->span);
  const RlxSInfo *sinfo = given->kind == RLX_VALUE_LIST && given->count
                              ? rlx_value_sinfo(e, &given->items[0])
                              : rlx_value_sinfo(e, given);
  RlxExpr *tuple = rlx_expr_of(e, list);
  if (!sinfo || !tuple) return failed(e, c->span);
  RlxExpr *callee =
      rlx_expr_new(e, RLX_EXPR_EXTERN, op->span,
                   rlx_sinfo_func(e->store, NULL, 0, rlx_sinfo_object(e->store), RLX_PURE, 0));
  callee->name = op->string;
  RlxExpr *x = rlx_expr_new(e, RLX_EXPR_CALL, c->span, sinfo);
  x->call->callee = callee;
  x->call->span = c->span;
  x->call->name_span = c->name_span;
  x->call->arg_count = tuple->kind == RLX_EXPR_TUPLE ? tuple->field_count : 1;
  x->call->args = rlx_arena_array(e->arena, RlxValue, x->call->arg_count ? x->call->arg_count : 1);
  for (uint32_t i = 0; i < x->call->arg_count; i++)
    x->call->args[i] = rlx_value_expr(tuple->kind == RLX_EXPR_TUPLE ? tuple->fields[i] : tuple);
  const RlxSInfo **copy = rlx_arena_array(e->arena, const RlxSInfo *, 1);
  copy[0] = sinfo;
  x->call->sinfo_args = copy;
  x->call->sinfo_arg_count = 1;
  return rlx_value_expr(x);
}

/// tvm.ir.Op.get("relax.add"): an operator by its registered name.
static RlxValue call_op_get(RlxEval *e, const Call *c) {
  const RlxValue *name = rlx_py_arg(e, c->args, 0, "op_name");
  if (!name || name->kind != RLX_VALUE_STR) return failed(e, c->span);
  int count = 0;
  const RlxOpRow *rows = rlx_op_rows(&count);
  for (int i = 0; i < count; i++) {
    if (strcmp(rows[i].registry, rlx_store_text(e->store, name->string)) != 0) continue;
    RlxValue v = {.kind = RLX_VALUE_OP, .span = c->span};
    v.thing = &rows[i];
    return v;
  }
  return failed(e, c->span);
}

/// relax.Call(op, [args…], sinfo_args=[…]): the call as the script spells it, without attributes.
static RlxValue call_raw(RlxEval *e, const Call *c) {
  const RlxValue *op = rlx_py_arg(e, c->args, 0, "op"), *list = rlx_py_arg(e, c->args, 1, "args"),
                 *attrs = rlx_py_arg(e, c->args, 2, "attrs");
  const RlxValue *sinfos = rlx_py_arg(e, c->args, 3, "sinfo_args");
  if (!sinfos) sinfos = rlx_py_arg(e, c->args, 3, "ty_args");
  if (!op || op->kind != RLX_VALUE_OP || !list || list->kind != RLX_VALUE_LIST ||
      (attrs && attrs->kind != RLX_VALUE_NONE))
    return failed(e, c->span);
  const RlxOpRow *row = op->thing;
  RlxPyArgs own = {.at = rlx_arena_array(e->arena, RlxPyArg, list->count + 1)};
  for (uint32_t i = 0; i < list->count; i++)
    own.at[own.count++] = (RlxPyArg){0, list->items[i], list->items[i].span, list->items[i].span};
  if (sinfos && sinfos->kind == RLX_VALUE_LIST && sinfos->count) {
    const char *param = rlx_op_param(row, "out_sinfo") >= 0    ? "out_sinfo"
                        : rlx_op_param(row, "sinfo_args") >= 0 ? "sinfo_args"
                                                               : NULL;
    if (!param) return failed(e, c->span);
    own.at[own.count++] = (RlxPyArg){rlx_store_intern(e->store, param, strlen(param)),
                                     sinfos->items[0], sinfos->span, sinfos->span};
  }
  return rlx_call_op(e, row, &own, c->span, c->name_span);
}

static RlxValue call_vdevice(RlxEval *e, const Call *c) {
  const RlxValue *target = rlx_py_arg(e, c->args, 0, "target"),
                 *index = rlx_py_arg(e, c->args, 1, "vdevice_id"),
                 *scope = rlx_py_arg(e, c->args, 2, "memory_scope");
  RlxName name = 0;
  if (target && target->kind == RLX_VALUE_STR) name = target->string;
  if (target && target->kind == RLX_VALUE_DICT) { // {"kind": "llvm", …}
    for (uint32_t i = 0; i + 1 < target->count; i += 2)
      if (target->items[i].kind == RLX_VALUE_STR && target->items[i + 1].kind == RLX_VALUE_STR &&
          strcmp(rlx_store_text(e->store, target->items[i].string), "kind") == 0)
        name = target->items[i + 1].string;
  }
  RlxName global = rlx_word_name(&e->analyzer->words, "global");
  RlxValue v = {.kind = RLX_VALUE_VDEVICE, .span = c->span};
  int id = index && index->kind == RLX_VALUE_INT ? (int)index->integer : 0;
  const RlxVDevice *device = rlx_vdevice(
      e->store, name, id, scope && scope->kind == RLX_VALUE_STR ? scope->string : global, 0);
  const RlxModule *module = e->fn ? e->fn->module : NULL;
  v.thing = device;
  for (uint32_t i = 0; module && i < module->vdevices.count; i++) { // the module's own
    const RlxVDevice *own = module->vdevices.at[i];
    if (own->target == device->target && own->id == device->id && own->scope == device->scope) {
      v.thing = own;
      break;
    }
  }
  return v;
}

// ---- T.…

static RlxValue symbol_declaration(RlxName name, RlxDType dtype, RlxSpan span) {
  RlxValue v = {.kind = RLX_VALUE_SYMDECL, .span = span};
  v.integer = (int64_t)name | rlx_pack_dtype(dtype) << 32;
  return v;
}

/// `is_script`: it is one of T, whose numbers have to be in range, and none of numpy.
static RlxValue call_dtype_constructor(RlxEval *e, RlxDType dtype, const RlxPyArgs *args,
                                       bool is_script, RlxSpan span) {
  const RlxValue *value = rlx_py_arg(e, args, 0, "expr");
  if (!value || value->kind == RLX_VALUE_NONE) return symbol_declaration(0, dtype, span);
  if (is_script && rlx_refuse_may_tell(e) && out_of_range(value, dtype, true)) {
    char text[RLX_DTYPE_TEXT_MAX];
    rlx_dtype_text(dtype, text);
    return invalid(e, rlx_arena_printf(e->arena, "T.%s", text), "value", value,
                   rlx_arena_printf(e->arena, "a number that %s holds", text), span);
  }
  if (value->kind == RLX_VALUE_ARRAY) { // numpy.float32(array)
    RlxPyArg both[2] = {{.value = *value}, {.value = {.kind = RLX_VALUE_DTYPE}}};
    both[1].value.integer = rlx_pack_dtype(dtype);
    return rlx_array_call(e, "numpy.astype", &(RlxPyArgs){both, 2, false}, span);
  }
  if (value->kind == RLX_VALUE_STR && rlx_dtype_is_float(dtype))
    return of_prim(
        rlx_prim_float(e->store, strtod(rlx_store_text(e->store, value->string), NULL), dtype),
        span);
  double number = value->kind == RLX_VALUE_FLOAT  ? value->number
                  : value->kind == RLX_VALUE_INT  ? (double)value->integer
                  : value->kind == RLX_VALUE_BOOL ? value->boolean
                                                  : 0;
  if (rlx_dtype_is_float(dtype) && (value->kind == RLX_VALUE_FLOAT ||
                                    value->kind == RLX_VALUE_INT || value->kind == RLX_VALUE_BOOL))
    return of_prim(rlx_prim_float(e->store, number, dtype), span);
  if (value->kind == RLX_VALUE_FLOAT)
    return of_prim(rlx_prim_int_typed(e->store, isfinite(number) ? (int64_t)number : 0, dtype),
                   span);
  if (value->kind == RLX_VALUE_INT || value->kind == RLX_VALUE_BOOL)
    return of_prim(
        rlx_prim_int_typed(e->store, value->kind == RLX_VALUE_INT ? value->integer : value->boolean,
                           dtype),
        span);
  const RlxPrim *prim = rlx_value_prim(e, value);
  return prim ? of_prim(rlx_prim_cast(e->store, dtype, prim), span) : failed(e, span);
}

static RlxValue call_symbol(RlxEval *e, const Call *c) {
  bool old = c->word == RLX_WORD_VAR_OLD;
  const RlxValue *name = old ? NULL : rlx_py_arg(e, c->args, 0, "name"),
                 *dtype_value = rlx_py_arg(e, c->args, old ? 0 : 1, "dtype");
  RlxDType dtype = RLX_INT64;
  if (dtype_value && dtype_value->kind != RLX_VALUE_UNKNOWN) {
    if (!dtype_argument(e, dtype_value, &dtype)) return failed(e, c->span);
  } else if (c->word != RLX_WORD_TYPE_VAR && c->word != RLX_WORD_VAR_OLD)
    dtype = RLX_INT32;
  if (c->word == RLX_WORD_TYPE_VAR) dtype = RLX_INT64;
  return symbol_declaration(name && name->kind == RLX_VALUE_STR ? name->string : 0, dtype, c->span);
}

static bool both(RlxEval *e, const RlxPyArgs *args, const RlxPrim *out[2]) {
  const RlxValue *a = rlx_py_arg(e, args, 0, "a"), *b = rlx_py_arg(e, args, 1, "b");
  out[0] = a ? rlx_value_prim(e, a) : NULL;
  out[1] = b ? rlx_value_prim(e, b) : NULL;
  if (!out[0] || !out[1]) return false;
  if (a->kind == RLX_VALUE_INT && rlx_dtype_is_int(out[1]->dtype))
    out[0] = rlx_prim_int_typed(e->store, a->integer, out[1]->dtype);
  if (b->kind == RLX_VALUE_INT && rlx_dtype_is_int(out[0]->dtype))
    out[1] = rlx_prim_int_typed(e->store, b->integer, out[0]->dtype);
  return true;
}

/// A function of T that failed: tensors are none of its operands.
static RlxValue no_tensors(RlxEval *e, const RlxPyArgs *args, RlxSpan span) {
  for (uint32_t i = 0; i < args->count && e->fn && e->fn->kind == RLX_ISLAND_RELAX; i++) {
    const RlxValue *v = &args->at[i].value;
    if (v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_VAR &&
        v->expr->sinfo->kind == RLX_SINFO_TENSOR)
      return invalid(e, "a function of T", "argument", v, "a symbolic expression", span);
  }
  return failed(e, span);
}

static RlxValue call_binary(RlxEval *e, const Call *c) {
  static const RlxPrimKind kinds[RLX_WORD_COUNT] = {
      [RLX_WORD_MIN] = RLX_PRIM_MIN,
      [RLX_WORD_MAX] = RLX_PRIM_MAX,
      [RLX_WORD_FLOORDIV] = RLX_PRIM_FLOORDIV,
      [RLX_WORD_FLOORMOD] = RLX_PRIM_FLOORMOD,
      [RLX_WORD_TRUNCDIV] = RLX_PRIM_TRUNCDIV,
      [RLX_WORD_DIV] = RLX_PRIM_TRUNCDIV,
      [RLX_WORD_T_DIV] = RLX_PRIM_TRUNCDIV,
      [RLX_WORD_TRUNCMOD] = RLX_PRIM_TRUNCMOD,
      [RLX_WORD_SHIFT_LEFT] = RLX_PRIM_SHL,
      [RLX_WORD_SHIFT_RIGHT] = RLX_PRIM_SHR,
      [RLX_WORD_BITWISE_AND] = RLX_PRIM_BITAND,
      [RLX_WORD_BITWISE_OR] = RLX_PRIM_BITOR,
      [RLX_WORD_BITWISE_XOR] = RLX_PRIM_BITXOR,
      [RLX_WORD_LOGICAL_AND] = RLX_PRIM_AND,
      [RLX_WORD_LOGICAL_OR] = RLX_PRIM_OR,
  };
  const RlxPrim *ab[2];
  for (uint32_t i = 0; c->args->count == 2 && i < 2; i++) { // 0.25 has strings as expressions
    const RlxValue *v = &c->args->at[i].value, *other = &c->args->at[1 - i].value;
    if (v->kind == RLX_VALUE_STR && rlx_value_prim(e, other) && rlx_refuse_may_tell(e))
      return invalid(e, rlx_word_path(c->word), "operand", v, "a number beside a number", c->span);
  }
  return both(e, c->args, ab)
             ? of_prim(rlx_prim_binary(e->store, kinds[c->word], ab[0], ab[1]), c->span)
             : no_tensors(e, c->args, c->span);
}

/// T.abs, T.Not.
static RlxValue call_unary(RlxEval *e, const Call *c) {
  const RlxPrimKind kind = c->word == RLX_WORD_ABS ? RLX_PRIM_ABS : RLX_PRIM_NOT;
  const RlxPrim *p = c->args->count ? rlx_value_prim(e, &c->args->at[0].value) : NULL;
  return p ? of_prim(rlx_prim_unary(e->store, kind, p), c->span) : failed(e, c->span);
}

/// R.emit(x), T.likely(x): what they are given.
static RlxValue call_identity(RlxEval *e, const Call *c) {
  return c->args->count ? c->args->at[0].value : failed(e, c->span);
}

static RlxValue call_ceildiv(RlxEval *e, const Call *c) {
  const RlxPrim *ab[2];
  if (!both(e, c->args, ab)) return failed(e, c->span);
  const RlxPrim *one = rlx_prim_int_typed(e->store, 1, ab[1]->dtype);
  return of_prim(
      rlx_prim_floordiv(e->store, rlx_prim_sub(e->store, rlx_prim_add(e->store, ab[0], ab[1]), one),
                        ab[1]),
      c->span);
}

static RlxValue call_select(RlxEval *e, const Call *c) {
  const RlxPrim *parts[3];
  const RlxValue *values[3];
  for (uint32_t i = 0; i < 3; i++) {
    const RlxValue *v = rlx_py_arg(e, c->args, i,
                                   i == 0   ? "condition"
                                   : i == 1 ? "true_value"
                                            : "false_value");
    parts[i] = v ? rlx_value_prim(e, v) : NULL;
    if (i == 0 && v && v->kind == RLX_VALUE_SYMDECL && rlx_refuse_may_tell(e) &&
        !rlx_dtype_is_bool(rlx_unpack_dtype(v->integer >> 32)))
      return invalid(e, rlx_word_path(c->word), "condition", v, "a condition", c->span);
    if (!parts[i]) return failed(e, c->span);
    values[i] = v;
  }
  if (!rlx_dtype_is_bool(parts[0]->dtype) && values[0]->kind != RLX_VALUE_INT &&
      rlx_refuse_may_tell(e))
    return invalid(e, rlx_word_path(c->word), "condition", values[0], "a condition", c->span);
  for (int i = 1; i < 3; i++) { // a Python int is an int32, or what the other one is
    const RlxPrim *other = parts[3 - i];
    if (values[i]->kind != RLX_VALUE_INT) continue;
    RlxDType dtype = values[3 - i]->kind == RLX_VALUE_INT ? RLX_INT32 : other->dtype;
    if (rlx_dtype_is_int(dtype)) parts[i] = rlx_prim_int_typed(e->store, values[i]->integer, dtype);
  }
  return of_prim(rlx_prim_select(e->store, parts[0], parts[1], parts[2]), c->span);
}

static RlxValue call_cast(RlxEval *e, const Call *c) {
  const RlxValue *dtype_value = rlx_py_arg(e, c->args, c->word == RLX_WORD_CAST ? 0 : 1, "dtype"),
                 *value = rlx_py_arg(e, c->args, c->word == RLX_WORD_CAST ? 1 : 0, "value");
  RlxDType dtype;
  const RlxPrim *prim = value ? rlx_value_prim(e, value) : NULL;
  if (!prim || !dtype_value || !dtype_argument(e, dtype_value, &dtype)) return failed(e, c->span);
  bool is_kept = c->word == RLX_WORD_CAST && !rlx_dtype_equal(dtype, RLX_INT64); // T.cast folds it
  if (is_kept && prim->kind == RLX_PRIM_INT) {
    RlxName cast = rlx_store_intern(e->store, "Cast", 4);
    return of_prim(rlx_prim_call(e->store, cast, dtype, &prim, 1), c->span);
  }
  return of_prim(rlx_prim_cast(e->store, dtype, prim), c->span);
}

static RlxValue call_immediate(RlxEval *e, const Call *c) {
  const RlxValue *dtype_value = rlx_py_arg(e, c->args, 0, "dtype"),
                 *value = rlx_py_arg(e, c->args, 1, "value");
  RlxDType dtype;
  if (!value || !dtype_argument(e, dtype_value, &dtype)) return failed(e, c->span);
  RlxPyArg arg = {0, *value, c->span, c->span};
  RlxPyArgs one = {&arg, 1, false};
  return call_dtype_constructor(e, dtype, &one, true, c->span);
}

/// tir.const(1, "int32"): an int is an int32 where no dtype is given.
static RlxValue call_number(RlxEval *e, const Call *c) {
  const RlxValue *value = rlx_py_arg(e, c->args, 0, "value"),
                 *dtype_value = rlx_py_arg(e, c->args, 1, "dtype");
  RlxDType dtype = RLX_INT32;
  if (!value || (value->kind == RLX_VALUE_FLOAT && !dtype_value) ||
      (dtype_value && !dtype_argument(e, dtype_value, &dtype)))
    return failed(e, c->span);
  RlxPyArg only = {0, *value, c->span, c->span};
  RlxPyArgs one = {&only, 1, false};
  return call_dtype_constructor(e, dtype, &one, true, c->span);
}

/// Whether the function of T takes part in a PrimFunc alone: elsewhere there is no block, or no
/// PrimFunc, that it could add to.
static bool is_for_prim_funcs(const RlxEval *e, const char *name) {
  static const char always[] = " reads writes sblock_attr func_attr decl_buffer alloc_buffer "
                               "alloc_local alloc_shared evaluate Break Continue device_entry "
                               "wg_reg_tile where bind ";
  return rlx_text_is_among(name, always) || strncmp(name, "axis.", 5) == 0 ||
         (rlx_eval_is_027(e) && strcmp(name, "sblock_alloc_buffer") == 0);
}

static RlxValue refuse_outside(RlxEval *e, const char *path, RlxSpan span) {
  rlx_eval_report(e, RLX_DIAG_ID(STATEMENT_UNSUPPORTED), span, "s",
                  rlx_arena_printf(e->arena, "`%s(…)`, which stands in PrimFuncs,", path));
  return failed(e, span);
}

/// T.max_value("int32"), T.infinity("float32"), …: a number of that dtype, UNKNOWN where it has no
/// place in 64 bits or is no integer. False: the function is another, or the dtype has no such number.
static bool is_limit(RlxEval *e, const char *name, const RlxPyArgs *args, RlxSpan span,
                     RlxValue *out) {
  bool is_max = strcmp(name, "max_value") == 0, is_infinity = strcmp(name, "infinity") == 0;
  if (!is_max && !is_infinity && strcmp(name, "min_value") != 0) return false;
  const RlxValue *v = &args->at[0].value;
  const char *text = v->kind == RLX_VALUE_STR ? rlx_store_text(e->store, v->string) : "";
  RlxDType dtype;
  if (!rlx_dtype_parse(text, strlen(text), &dtype) || dtype.lanes != 1) return false;
  bool is_float = rlx_dtype_is_float(dtype), is_unsigned = dtype.code == RLX_DTYPE_UINT;
  if (!is_float && (is_infinity || (!is_unsigned && dtype.code != RLX_DTYPE_INT))) return false;
  bool is_wide = dtype.bits == 64 && (is_unsigned || !is_max);
  if (is_float && is_infinity) {
    *out = of_prim(rlx_prim_float(e->store, HUGE_VAL, dtype), span);
    return true;
  }
  if (is_float || is_wide || dtype.bits > 64 || args->count > 1) {
    *out = failed(e, span);
    return true;
  }
  int64_t min, max;
  rlx_dtype_limits(dtype, &min, &max);
  *out = of_prim(rlx_prim_int_typed(e->store, is_max ? max : min, dtype), span);
  return true;
}

/// What a call of T.`name` gives where that is no expression; NULL: an expression, or not known.
static const char *other_result(const RlxEval *e, const char *name) {
  const RlxScriptKinds *row = e->fn ? rlx_script_kinds(name, (RlxDialect)e->fn->dialect) : NULL;
  if (!row || !rlx_refuse_may_tell(e)) return NULL;
  if (strcmp(row->result, "FRAME") == 0 || strcmp(row->result, "FOR") == 0)
    return "a part of a PrimFunc";
  return strcmp(row->result, "u") == 0 ? "a buffer" : NULL;
}

/// Another function of T over symbolic integers: uninterpreted.
static RlxValue call_t_function(RlxEval *e, RlxName name, const RlxPyArgs *args, RlxSpan span) {
  const RlxPrim *parts[8];
  const char *text = rlx_store_text(e->store, name);
  bool is_checked = e->fn && rlx_refuse_may_tell(e);
  if (is_checked && is_for_prim_funcs(e, text))
    return refuse_outside(e, rlx_arena_printf(e->arena, "T.%s", text), span);
  const char *part = other_result(e, text);
  if (part) return (RlxValue){.kind = RLX_VALUE_OTHER, .span = span, .text = part};
  if (!args->count || args->count > 8 || strchr(text, '.')) return failed(e, span);
  if (args->at[0].value.kind == RLX_VALUE_LAMBDA &&
      strcmp(rlx_store_text(e->store, name), "index_map") == 0)
    return args->at[0].value;
  RlxValue limit;
  if (is_limit(e, text, args, span, &limit)) return limit;
  for (uint32_t i = 0; i < args->count; i++) {
    const RlxValue *v = &args->at[i].value;
    parts[i] = rlx_value_prim(e, v);
    if (v->kind == RLX_VALUE_STR && rlx_refuse_may_tell(e)) { // 0.25 makes an expression of it
      RlxValue other = {.kind = RLX_VALUE_OTHER, .span = span};
      other.text = "an expression of a string";
      return other;
    }
    if (!parts[i]) return no_tensors(e, args, span);
    if (v->kind == RLX_VALUE_INT && args->count == 1) // a Python int by itself is an int32
      parts[i] = rlx_prim_int_typed(e->store, v->integer, RLX_INT32);
  }
  return of_prim(rlx_prim_call(e->store, name, parts[0]->dtype, parts, (int)args->count), span);
}

/// The place of `name` in a list of words.def; -1: not there.
static int param_place(const char *params, const char *name) {
  int place = 0;
  for (const char *at = params; *at; at += strcspn(at, " "), at += *at == ' ', place++)
    if (strcspn(at, " ") == strlen(name) && strncmp(at, name, strlen(name)) == 0) return place;
  return -1;
}

/// Reports what a function of the vocabulary has no parameter for, and what is given twice.
static void check_params(RlxEval *e, const Call *c, const char *params) {
  const RlxPyArgs *args = c->args;
  if (!*params || !e->fn || e->fn->kind != RLX_ISLAND_RELAX || args->is_unknown) return;
  const char *what = rlx_word_path(c->word);
  int most = 0, given = 0, total = 0;
  if (*params == '-') params = "";
  for (const char *at = params; *at && *at != '|'; at++) most += at == params || at[-1] == ' ';
  for (uint32_t i = 0; i < args->count; i++) total += !args->at[i].keyword;
  for (uint32_t i = 0; i < args->count; i++) {
    if (!args->at[i].keyword) {
      if (++given == most + 1)
        rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_COUNT), args->at[i].span, "siis", what, most, total,
                        most == 1 ? "" : "s");
      continue;
    }
    const char *name = rlx_store_text(e->store, args->at[i].keyword);
    int place = param_place(params, name);
    bool is_twice = place >= 0 && place < total;
    for (uint32_t k = 0; k < i && !is_twice; k++)
      is_twice = args->at[k].keyword == args->at[i].keyword;
    if (place < 0)
      rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_UNKNOWN), args->at[i].keyword_span, "sss", what, name,
                      "");
    else if (is_twice) {
      RlxDiag *diag =
          rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_TWICE), args->at[i].span, "ss", what, name);
      if (i > 0)
        rlx_diag_fix(e->sink, diag, "remove it",
                     rlx_span(args->at[i - 1].span.end, args->at[i].span.end), "");
    }
  }
}

/// R.Range(…) and other values that nothing looks into.
static RlxValue call_opaque(RlxEval *e, const Call *c) {
  (void)e;
  RlxValue v = {.kind = RLX_VALUE_OTHER, .span = c->span};
  v.text = "a device or range";
  return v;
}

/// R.device("cpu", 0).
static RlxValue call_device(RlxEval *e, const Call *c) {
  if (!rlx_py_arg(e, c->args, 0, "device_type") && !c->args->is_unknown)
    return invalid(e, "R.device", "device_type", NULL, "", c->span);
  return call_opaque(e, c);
}

/// R.cpu(0): the index of a device is an int.
static RlxValue call_device_index(RlxEval *e, const Call *c) {
  const RlxValue *index = rlx_py_arg(e, c->args, 0, "dev_id");
  if (index && (index->kind == RLX_VALUE_FLOAT || index->kind == RLX_VALUE_LIST) && !e->tainted)
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), index->span, "ssss", "a device", "dev_id",
                    rlx_value_text(e, index), "an int");
  return call_opaque(e, c);
}

/// R.device_mesh((2, 2), [0, 1, 2, 3]): as many devices as the shape has places.
static RlxValue call_device_mesh(RlxEval *e, const Call *c) {
  const RlxValue *shape = rlx_py_arg(e, c->args, 0, "shape"),
                 *ids = rlx_py_arg(e, c->args, 1, "device_ids");
  int64_t places = 1, extent;
  bool known =
      shape && ids && shape->kind == RLX_VALUE_LIST && ids->kind == RLX_VALUE_LIST && !e->tainted;
  for (uint32_t i = 0; known && i < shape->count; i++) {
    known = rlx_value_as_integer(&shape->items[i], &extent) && extent >= 0 && extent <= 1 << 20;
    if (known) places *= extent;
    known &= places <= 1 << 20;
  }
  for (uint32_t i = 0; known && i < ids->count; i++) {
    if (rlx_value_as_integer(&ids->items[i], &extent) ||
        rlx_python_type(e, &ids->items[i]) == RLX_PYTHON_UNKNOWN)
      continue;
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), ids->items[i].span, "ssss", "R.device_mesh",
                    "device_ids", rlx_value_text(e, &ids->items[i]), "an int");
    known = false;
  }
  if (known && places != (int64_t)ids->count)
    rlx_eval_report(
        e, RLX_DIAG_ID(ARGUMENT_INVALID), ids->span, "ssss", "R.device_mesh", "device_ids",
        rlx_arena_printf(e->arena, "%u devices", ids->count),
        rlx_arena_printf(e->arena, "%lld, one for each place of the shape", (long long)places));
  return call_opaque(e, c);
}

// ---- the vocabulary

/// R.Tensor(…) and other annotations.
static RlxValue call_sinfo(RlxEval *e, const Call *c) {
  return rlx_eval_sinfo_call(e, c->word, c->args, c->span);
}

static RlxValue call_topi(RlxEval *e, const Call *c) {
  return rlx_topi_emit(e, c->args, c->span, c->name_span);
}

/// What R.output(…), R.dataflow() and their like give: by which call, for `with` and for messages.
static RlxValue call_statement(RlxEval *e, const Call *c) {
  (void)e;
  RlxValue v = {.kind = RLX_VALUE_STATEMENT, .span = c->span};
  v.integer = c->word;
  return v;
}

static RlxValue call_output(RlxEval *e, const Call *c) {
  rlx_call_output(e, c->ast, c->args);
  return call_statement(e, c);
}

static RlxValue call_func_attr(RlxEval *e, const Call *c) {
  rlx_call_func_attr(e, c->ast, c->args);
  return call_statement(e, c);
}

/// Decorators and what only TensorIR calls.
static RlxValue call_none(RlxEval *e, const Call *c) {
  bool is_given = false; // what it decorates
  for (uint32_t i = 0; i < c->args->count; i++) is_given |= !c->args->at[i].keyword;
  static const RlxWord decorators[] = {RLX_WORD_FUNCTION,  RLX_WORD_R_MACRO, RLX_WORD_REWRITER,
                                       RLX_WORD_IR_MODULE, RLX_WORD_PYFUNC,  RLX_WORD_PRIM_FUNC,
                                       RLX_WORD_T_MACRO};
  for (size_t i = 0; i < sizeof decorators / sizeof *decorators && !e->tainted; i++)
    if (decorators[i] == c->word && e->is_decorator && !is_given)
      return (RlxValue){.kind = RLX_VALUE_WORD, .span = c->span, .integer = c->word};
    else if (decorators[i] == c->word && e->fn && e->fn->kind == RLX_ISLAND_RELAX)
      rlx_eval_report(e, RLX_DIAG_ID(STATEMENT_UNSUPPORTED), c->span, "s",
                      rlx_arena_printf(e->arena, "`%s(…)`, which decorates functions and classes,",
                                       rlx_word_path(c->word)));
  bool is_relax = e->fn && rlx_refuse_may_tell(e);
  bool is_declared = c->word == RLX_WORD_BUFFER || c->word == RLX_WORD_HANDLE;
  if (is_relax && (c->word == RLX_WORD_MATCH_BUFFER || (is_declared && rlx_eval_is_027(e))))
    return refuse_outside(e, rlx_word_path(c->word), c->span);
  if (is_relax && c->word == RLX_WORD_HANDLE && !c->args->count)
    return symbol_declaration(0, rlx_dtype(RLX_DTYPE_HANDLE, 64), c->span);
  bool is_part = c->word == RLX_WORD_MODULE_ATTRS || c->word == RLX_WORD_GLOBAL_INFOS;
  if (is_part && e->fn && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(MODULE_BODY), c->name_span, "s",
                    rlx_arena_printf(e->arena, "`%s` stands in the body of a module's class",
                                     rlx_word_path(c->word)));
  return failed(e, c->span);
}

/// The columns of words.def that say what a call of the word takes and does.
static const struct {
  const char *params;
  RlxValue (*call)(RlxEval *e, const Call *c);
} vocabulary[] = {
    {"", call_none},
#define RLX_WORD(id, path, params, call) {params, call_##call},
#include "analyzer/words/words.def"
#undef RLX_WORD
};

static RlxValue call_word(RlxEval *e, const Call *c) {
  const char *params = vocabulary[c->word].params;
  if (*params) check_params(e, c, params);
  return vocabulary[c->word].call(e, c);
}

static RlxValue call_method(RlxEval *e, const RlxMethod *method, RlxPyArgs *args, RlxSpan span,
                            RlxSpan name_span) {
  if (method->self.kind == RLX_VALUE_ARRAY) return rlx_array_method(e, method, args, span);
  if (method->self.kind != RLX_VALUE_EXPR) return failed(e, span);
  const char *name = rlx_store_text(e->store, method->name);
  if (strcmp(name, "astype") != 0) {
    if (!e->tainted)
      rlx_eval_report(e, RLX_DIAG_ID(NOT_CALLABLE), name_span, "s",
                      rlx_arena_printf(e->arena, "`.%s` of a tensor", name));
    return failed(e, span);
  }
  RlxPyArg *with_self = rlx_arena_array(e->arena, RlxPyArg, args->count + 1);
  with_self[0] = (RlxPyArg){0, method->self, method->self.span, method->self.span};
  if (args->count) memcpy(with_self + 1, args->at, args->count * sizeof *with_self);
  RlxPyArgs all = {with_self, args->count + 1, args->is_unknown};
  return rlx_call_op(e, rlx_op_find("astype", 6), &all, span, name_span);
}

/// Whether what is called takes a scalar of numpy's for the number that it is.
static bool takes_scalars(const RlxValue *callee) {
  const RlxMethod *method = callee->kind == RLX_VALUE_METHOD ? callee->thing : NULL;
  return callee->kind == RLX_VALUE_NAMESPACE || callee->kind == RLX_VALUE_DTYPE ||
         (callee->kind == RLX_VALUE_WORD && callee->integer == RLX_WORD_CONST) ||
         (method && method->self.kind == RLX_VALUE_ARRAY);
}

/// The name behind T of what is called, where there is something to check; NULL: it is nothing of T.
static const char *name_in_script(RlxEval *e, const RlxValue *callee, const RlxAst *head,
                                  const RlxPyArgs *args) {
  if (e->fn ? e->fn->kind != RLX_ISLAND_RELAX : !e->is_decorator) return NULL;
  if (callee->kind == RLX_VALUE_TFUNC) return rlx_store_text(e->store, callee->string);
  bool is_number = args->count == 1 && args->at[0].value.kind == RLX_VALUE_INT;
  if (callee->kind == RLX_VALUE_DTYPE && (!args->count || (is_number && !args->at[0].keyword)))
    return NULL; // T.int64(), T.int64(4): nothing is wrong
  if (callee->kind == RLX_VALUE_DTYPE && !callee->is_python)
    return rlx_ast_last_name(e->store, head);
  const char *path = callee->kind == RLX_VALUE_WORD ? rlx_word_path((RlxWord)callee->integer) : "";
  return strncmp(path, "T.", 2) == 0 ? path + 2 : NULL;
}

static RlxValue eval_call(RlxEval *e, const RlxAst *ast) {
  const RlxAst *head = ast->children[0];
  bool was_tainted = e->tainted;
  e->is_callee = head->kind == RLX_AST_NAME;
  RlxValue callee = rlx_eval_head(e, head);
  e->is_callee = false;
  if (rlx_is_unknown_string(&callee)) {
    e->tainted = was_tainted;
    if (rlx_refuse_may_tell(e))
      rlx_eval_report(e, RLX_DIAG_ID(NOT_CALLABLE), head->span, "s", "a string");
    return failed(e, ast->span);
  }
  RlxSpan name_span = head->kind == RLX_AST_ATTRIBUTE ? head->name_span : head->span;
  e->is_part = callee.kind == RLX_VALUE_WORD && callee.integer == RLX_WORD_SPARSE_CSR;
  RlxPyArgs args = arguments(e, ast, takes_scalars(&callee));
  e->is_part = false;
  const char *script_name = name_in_script(e, &callee, head, &args);
  if (script_name && (!rlx_script_call_check(e, script_name, &args, ast->span) ||
                      !rlx_script_instruction_check(e, script_name, &args, head->span)))
    return failed(e, ast->span);
  switch (callee.kind) {
  case RLX_VALUE_OP: return rlx_call_op(e, callee.thing, &args, ast->span, name_span);
  case RLX_VALUE_WORD:
    return call_word(e, &(Call){(RlxWord)callee.integer, &args, ast->span, name_span, ast});
  case RLX_VALUE_DTYPE: {
    RlxValue v = call_dtype_constructor(e, rlx_unpack_dtype(callee.integer), &args,
                                        !callee.is_python, ast->span);
    v.is_python = callee.is_python;
    return v;
  }
  case RLX_VALUE_TFUNC: return call_t_function(e, callee.string, &args, ast->span);
  case RLX_VALUE_NAMESPACE:
    if (rlx_python_type(e, &callee) == RLX_PYTHON_MODULE)
      return rlx_refuse_call(e, &callee, head->span, ast->span);
    return rlx_array_call(e, rlx_store_text(e->store, callee.string), &args, ast->span);
  case RLX_VALUE_BUILTIN: return rlx_call_builtin(e, callee.string, &args, ast->span);
  case RLX_VALUE_METHOD: return call_method(e, callee.thing, &args, ast->span, name_span);
  case RLX_VALUE_EXPR:
  case RLX_VALUE_CALLEE: return rlx_call_function(e, callee.expr, &args, ast->span, name_span);
  case RLX_VALUE_FUNCTION: { // reported where the name stood, or outside of any module
    union {
      const void *in;
      RlxFn *out;
    } fn = {.in = callee.thing};
    if (fn.out->kind == RLX_ISLAND_MACRO || fn.out->kind == RLX_ISLAND_JIT ||
        fn.out->kind == RLX_ISLAND_PYFUNC)
      return failed(e, ast->span);
    RlxExpr *x = rlx_expr_new(e, RLX_EXPR_GLOBAL, head->span, rlx_fn_sinfo(e, fn.out));
    x->name = fn.out->stmt->name;
    x->callee = fn.out->stmt;
    return rlx_call_function(e, x, &args, ast->span, name_span);
  }
  case RLX_VALUE_BOOL:
  case RLX_VALUE_INT:
  case RLX_VALUE_FLOAT:
  case RLX_VALUE_STR:
  case RLX_VALUE_PRIM:
  case RLX_VALUE_LIST:
  case RLX_VALUE_DICT:
  case RLX_VALUE_NONE:
  case RLX_VALUE_SINFO:
  case RLX_VALUE_SYMDECL:
  case RLX_VALUE_STATEMENT:
  case RLX_VALUE_CAST:
    if ((e->fn || e->is_decorator) && !e->tainted)
      rlx_eval_report(e, RLX_DIAG_ID(NOT_CALLABLE), head->span, "s", rlx_value_text(e, &callee));
    return failed(e, ast->span);
  default: return failed(e, ast->span);
  }
}

RlxValue rlx_eval_call(RlxEval *e, const RlxAst *ast) {
  RlxArena *scratch = e->analyzer->scratch;
  RlxArenaMark mark = rlx_arena_mark(scratch);
  RlxValue value = eval_call(e, ast);
  if (e->arena != scratch) rlx_arena_rewind(scratch, mark); // else the value is in there
  return value;
}
