/// Calls of the vocabulary of R and I that are no operators: R.const, R.shape, R.match_cast, I.vdevice; what has no value, too.
#include "analyzer/eval/eval_words.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/eval/evaluate_impl.h"
#include "analyzer/eval/refuse.h"
#include "analyzer/words/numpy_names.h"
#include "analyzer/words/spell.h"

RlxValue rlx_word_invalid(RlxEval *e, const char *what, const char *param, const RlxValue *v,
                          const char *expected, RlxSpan span) {
  if (!v)
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_MISSING), span, "ss", what, param);
  else if (v->kind != RLX_VALUE_UNKNOWN &&
           !(v->kind == RLX_VALUE_EXPR &&
             (rlx_expr_is_unknown(v->expr) || rlx_expr_is_reported(v->expr))))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), v->span, "ssss", what, param,
                    rlx_value_text(e, v), expected);
  return rlx_eval_failed(e, span);
}

bool rlx_word_dtype_of(RlxEval *e, const RlxValue *v, RlxDType *out) {
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

const RlxValue *rlx_word_out_of_range(const RlxValue *v, RlxDType dtype, bool is_scalar) {
  if (v->kind == RLX_VALUE_LIST) {
    for (uint32_t i = 0; i < v->count; i++) {
      const RlxValue *found = rlx_word_out_of_range(&v->items[i], dtype, is_scalar);
      if (found) return found;
    }
  }
  bool is_unsigned = dtype.code == RLX_DTYPE_UINT;
  double number;
  if (is_scalar && dtype.code == RLX_DTYPE_FLOAT && dtype.bits <= 32 &&
      rlx_value_as_number(v, &number)) // infinity is one of its numbers
    return isfinite(number) && fabs(number) > (dtype.bits == 16 ? 65504 : (double)FLT_MAX) ? v
                                                                                           : NULL;
  if (rlx_dtype_is_bool(dtype) && is_scalar)
    return v->kind == RLX_VALUE_INT && v->integer != 0 && v->integer != 1 ? v : NULL;
  const bool is_whole = is_unsigned || dtype.code == RLX_DTYPE_INT;
  if (v->kind == RLX_VALUE_FLOAT && is_whole) {
    if (!isfinite(v->number)) return v;
    if (fabs(v->number) >= 9e18) { // a constant is made of Python's int of it
      const double most = is_unsigned && dtype.bits == 64 ? 0x1p64 : 0x1p63;
      return !is_scalar && (v->number >= most || v->number < -0x1p63) ? v : NULL;
    }
    const RlxValue whole = rlx_value_of_int((int64_t)v->number, v->span);
    return rlx_word_out_of_range(&whole, dtype, is_scalar) ? v : NULL;
  }
  if (v->kind == RLX_VALUE_UINT64)
    return (is_unsigned || dtype.code == RLX_DTYPE_INT) && !(is_unsigned && dtype.bits == 64)
               ? v
               : NULL;
  if (v->kind != RLX_VALUE_INT || (!is_unsigned && dtype.code != RLX_DTYPE_INT) || dtype.bits < 8)
    return NULL;
  if (v->integer < 0 && is_unsigned) return v;
  int bits = dtype.bits - (is_unsigned ? 0 : 1);
  if (bits >= 63) return NULL;
  int64_t limit = INT64_C(1) << bits;
  return v->integer >= limit || v->integer < -limit ? v : NULL;
}

bool rlx_word_beyond_float32(RlxEval *e, const char *what, const char *param, const RlxValue *v) {
  if (v->kind != RLX_VALUE_FLOAT || !rlx_word_out_of_range(v, RLX_FLOAT32, true) ||
      !rlx_refuse_may_tell(e))
    return false;
  (void)rlx_word_invalid(e, what, param, v, "a number that float32 holds", v->span);
  return true;
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

/// The first integer that no tensor holds among the numbers, or NULL: numpy makes a float of it, or refuses it.
static const RlxValue *big_in(const RlxValue *v) {
  if (v->kind != RLX_VALUE_LIST)
    return v->kind == RLX_VALUE_OTHER && v->text == rlx_big_int_text ? v : NULL;
  for (uint32_t i = 0; i < v->count; i++) {
    const RlxValue *found = big_in(&v->items[i]);
    if (found) return found;
  }
  return NULL;
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

/// R.const of a number that its dtype does not hold: what is reported, and gives.
static RlxValue value_beyond(RlxEval *e, const RlxValue *value, RlxDType dtype, RlxSpan span) {
  char text[RLX_DTYPE_TEXT_MAX];
  rlx_dtype_text(dtype, text);
  return rlx_word_invalid(e, "R.const", "value", value,
                          rlx_arena_printf(e->arena, "a number that %s holds", text), span);
}

/// Whether an item of the list, which Python alone knows, may be a list as well as a number.
static bool has_unknown_list(const RlxValue *list) {
  for (uint32_t i = 0; i < list->count; i++)
    if (list->items[i].kind != RLX_VALUE_UNKNOWN) return false;
  return true;
}

/// Whether an item of the list, or of a list in it, is an object of the IR, of which numpy makes no number.
static bool has_object(const RlxValue *v) {
  for (uint32_t i = 0; v->kind == RLX_VALUE_LIST && i < v->count; i++) {
    const RlxValue *item = &v->items[i];
    if ((item->kind == RLX_VALUE_PRIM && !item->is_python) || has_object(item)) return true;
  }
  return false;
}

static bool has_unknown(const RlxValue *v) {
  for (uint32_t i = 0; v->kind == RLX_VALUE_LIST && i < v->count; i++)
    if (has_unknown(&v->items[i])) return true;
  return v->kind == RLX_VALUE_UNKNOWN;
}

/// A constant of which Python alone knows the dtype, or some of the numbers: its shape is that of the value.
static RlxValue constant_of_kind(RlxEval *e, const RlxValue *value, RlxDType dtype, RlxSpan span) {
  const RlxPrim *dims[16];
  int ndim = 0;
  for (const RlxValue *at = value; at->kind == RLX_VALUE_LIST && ndim < 16; at = &at->items[0]) {
    dims[ndim++] = rlx_prim_int(e->store, at->count);
    if (!at->count) break;
    if (has_unknown_list(at)) return constant_of_python(e, dtype, span);
  }
  return rlx_value_expr(rlx_expr_new(e, RLX_EXPR_CONSTANT, span,
                                     rlx_sinfo_tensor(e->store, dims, ndim, dtype, NULL)));
}

RlxValue rlx_word_const(RlxEval *e, const RlxWordCall *c) {
  const RlxValue *value = rlx_py_arg(e, c->args, 0, "value"),
                 *dtype_value = rlx_py_arg(e, c->args, 1, "dtype");
  RlxDType dtype;
  double number_of_python;
  if (!value) return rlx_word_invalid(e, "R.const", "value", NULL, "", c->span);
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
  if (dtype_value && rlx_dtype_maker_report(e, "R.const", "dtype", dtype_value))
    return rlx_eval_failed(e, c->span);
  if (!is_numpy_text(e, dtype_value, &dtype) && !rlx_word_dtype_of(e, dtype_value, &dtype))
    return rlx_word_invalid(e, "R.const", "dtype", dtype_value, "a dtype's name", c->span);
  if (value->kind == RLX_VALUE_LIST && (value->is_tuple || value->is_range) &&
      rlx_refuse_may_tell(e))
    return rlx_word_invalid(e, "R.const", "value", value, "a number or a list", c->span);
  if (is_no_numpy(dtype_value, dtype) && !e->tainted)
    return rlx_word_invalid(e, "R.const", "dtype", dtype_value, "a dtype of numpy", c->span);
  if (is_ragged(value))
    return rlx_word_invalid(e, "R.const", "value", value, "lists of equal lengths", c->span);
  const RlxValue *big = big_in(value);
  // Without a dtype numpy keeps such an integer as an object.
  const bool has_dtype =
      rlx_dtype_known(dtype) || (dtype_value && dtype_value->kind == RLX_VALUE_UNKNOWN);
  if (big && rlx_dtype_known(dtype) && rlx_dtype_is_int(dtype) && !rlx_dtype_is_bool(dtype))
    return value_beyond(e, big, dtype, c->span);
  if (rlx_array_is_partial(value))
    return rlx_value_expr(rlx_array_partial_constant(e, value, dtype, c->span));
  if (value->kind == RLX_VALUE_UNKNOWN || (big && has_dtype)) // np.array(…): the data is Python's
    return constant_of_python(e, dtype, c->span);
  if (value->kind == RLX_VALUE_ARRAY)
    return rlx_value_expr(rlx_array_constant(e, value, dtype, c->span));
  if (value->kind == RLX_VALUE_PRIM && !rlx_dtype_known(dtype) && value->prim->dtype.bits != 64)
    dtype = value->prim->dtype; // numpy.float16(1)
  const bool is_open =
      (dtype_value && dtype_value->kind == RLX_VALUE_UNKNOWN) || has_unknown(value);
  if (is_open && (rlx_value_as_number(value, &number_of_python) || value->kind == RLX_VALUE_LIST))
    return constant_of_kind(e, value, dtype, c->span);
  bool is_script = value->kind == RLX_VALUE_PRIM && !value->is_python && !rlx_eval_is_tlc(e);
  const bool is_list = rlx_refuse_may_tell(e) && !rlx_dtype_known(dtype) && has_object(value);
  RlxExpr *x = is_script || is_list ? NULL : rlx_expr_constant(e, value, dtype, c->span);
  if (x) {
    const RlxValue *wide =
        rlx_dtype_known(dtype) ? rlx_word_out_of_range(value, dtype, false) : NULL;
    return wide ? value_beyond(e, wide, dtype, c->span) : rlx_value_expr(x);
  }
  if (value->kind == RLX_VALUE_EXPR && e->tainted) return rlx_eval_failed(e, c->span);
  RlxDiag *diag =
      rlx_eval_report(e, RLX_DIAG_ID(CONST_INVALID), value->span, "s", rlx_value_text(e, value));
  const char *number =
      value->kind == RLX_VALUE_STR ? number_of(e, rlx_store_text(e->store, value->string)) : NULL;
  if (number) rlx_diag_fix(e->sink, diag, "convert the string to a number", value->span, number);
  const RlxSInfo *sinfo = value->kind == RLX_VALUE_LIST
                              ? rlx_sinfo_tensor_ndim(e->store, -1, dtype, NULL)
                              : rlx_sinfo_tensor(e->store, NULL, 0, dtype, NULL);
  return rlx_value_expr(rlx_expr_new(e, RLX_EXPR_CONSTANT, c->span, sinfo));
}

RlxValue rlx_word_shape(RlxEval *e, const RlxWordCall *c) {
  const RlxValue *value = rlx_py_arg(e, c->args, 0, "value");
  if (!value) value = rlx_py_arg(e, c->args, 0, "values");
  if (value && value->kind == RLX_VALUE_UNKNOWN) return rlx_eval_failed(e, c->span);
  if (!value || value->kind != RLX_VALUE_LIST || value->is_range)
    return rlx_word_invalid(e, "R.shape", "value", value, "a list of dimensions", c->span);
  RlxExpr *x = rlx_expr_shape(e, value, c->span);
  if (x) return rlx_value_expr(x);
  rlx_shape_report(e, value);
  return rlx_eval_failed(e, c->span);
}

RlxValue rlx_word_tuple(RlxEval *e, const RlxWordCall *c) {
  uint32_t count = c->args->count;
  RlxValue list = {.kind = RLX_VALUE_LIST, .is_tuple = true, .span = c->span, .count = count};
  list.items = rlx_arena_array(e->arena, RlxValue, count ? count : 1);
  for (uint32_t i = 0; i < count; i++) list.items[i] = c->args->at[i].value;
  const RlxAst *head = c->ast->children[0];
  const bool is_class = head->kind == RLX_AST_ATTRIBUTE && // relax.Tuple([…])
                        strcmp(rlx_store_text(e->store, head->name), "Tuple") == 0;
  const bool is_told = rlx_refuse_may_tell(e) && !is_class; // each field is one by itself
  for (uint32_t i = 0; i < count && is_told; i++)
    if (c->args->at[i].keyword)
      rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_UNKNOWN), c->args->at[i].keyword_span, "sss",
                      "R.tuple", rlx_store_text(e->store, c->args->at[i].keyword), "");
  if (!is_told && count == 1 && list.items[0].kind == RLX_VALUE_LIST) list = list.items[0];
  list.span = c->span;
  for (uint32_t i = 0; i < list.count && !rlx_eval_is_tlc(e); i++) { // Python's values are none
    const uint8_t kind = list.items[i].kind;
    bool is_scalar = kind == RLX_VALUE_INT || kind == RLX_VALUE_FLOAT || kind == RLX_VALUE_BOOL ||
                     kind == RLX_VALUE_STR || kind == RLX_VALUE_PRIM;
    if (is_scalar && rlx_eval_is_027(e)) continue;
    if (kind != RLX_VALUE_EXPR && kind != RLX_VALUE_CALLEE && kind != RLX_VALUE_UNKNOWN &&
        (is_told || kind != RLX_VALUE_LIST))
      return rlx_word_invalid(e, "R.tuple", "fields", &list.items[i], "a Relax expression",
                              c->span);
  }
  RlxExpr *x = rlx_expr_of(e, &list);
  if (x) return rlx_value_expr(x);
  for (uint32_t i = 0; i < list.count; i++)
    if (!rlx_expr_of(e, &list.items[i]))
      return rlx_word_invalid(e, "R.tuple", "fields", &list.items[i], "a Relax expression",
                              c->span);
  return rlx_eval_failed(e, c->span);
}

RlxValue rlx_word_prim_value(RlxEval *e, const RlxWordCall *c) {
  const RlxValue *value = rlx_py_arg(e, c->args, 0, "value");
  bool is_scalar =
      value && value->kind == RLX_VALUE_EXPR && value->expr->sinfo->kind == RLX_SINFO_PRIM;
  bool is_refused = is_scalar && rlx_refuse_may_tell(e) && !rlx_eval_is_027(e) &&
                    !rlx_eval_may_be(e, RLX_DIALECT_027);
  if (is_scalar && !is_refused) return *value;
  const RlxPrim *prim = value && value->kind != RLX_VALUE_EXPR ? rlx_value_prim(e, value) : NULL;
  const bool is_025 =
      e->fn && e->fn->dialect == RLX_DIALECT_025 && !rlx_eval_may_be(e, RLX_DIALECT_027);
  if (prim && !rlx_eval_is_027(e) && !rlx_eval_may_be(e, RLX_DIALECT_027) &&
      rlx_word_beyond_float32(e, "R.prim_value", "value", value))
    return rlx_eval_failed(e, c->span);
  if (prim && value->kind == RLX_VALUE_BOOL && is_025) // for which a bool is an int
    prim = rlx_prim_int_typed(e->store, value->boolean, RLX_INT64);
  if (prim && value->kind == RLX_VALUE_FLOAT && rlx_eval_is_027(e))
    prim = rlx_prim_float(e->store, value->number, RLX_FLOAT64);
  if (!prim && value && value->kind == RLX_VALUE_STR && !rlx_eval_is_027(e)) {
    const RlxSInfo *handle =
        rlx_sinfo_prim(e->store, rlx_dtype(RLX_DTYPE_HANDLE, 64), NULL); // a string of the IR
    return rlx_value_expr(rlx_expr_new(e, RLX_EXPR_HOLE, c->span, handle));
  }
  if (!prim) return rlx_word_invalid(e, "R.prim_value", "value", value, "a number", c->span);
  RlxValue copy = rlx_value_of_prim(prim, c->span);
  return rlx_value_expr(rlx_expr_of(e, &copy));
}

RlxValue rlx_word_str(RlxEval *e, const RlxWordCall *c) {
  const RlxValue *value = rlx_py_arg(e, c->args, 0, "value");
  if (!value || value->kind != RLX_VALUE_STR)
    return rlx_word_invalid(e, "R.str", "value", value, "a string", c->span);
  RlxValue copy = *value;
  copy.span = c->span;
  return rlx_value_expr(rlx_expr_of(e, &copy));
}

RlxValue rlx_word_dtype(RlxEval *e, const RlxWordCall *c) {
  const RlxValue *value = rlx_py_arg(e, c->args, 0, "value");
  RlxDType dtype;
  if (!value || !rlx_word_dtype_of(e, value, &dtype))
    return rlx_word_invalid(e, "R.dtype", "value", value, "a dtype's name", c->span);
  RlxExpr *x = rlx_expr_new(e, RLX_EXPR_DTYPE, c->span, rlx_sinfo_object(e->store));
  x->dtype = dtype;
  return rlx_value_expr(x);
}

RlxValue rlx_word_extern(RlxEval *e, const RlxWordCall *c) {
  const RlxValue *name = rlx_py_arg(e, c->args, 0, "global_symbol"),
                 *sinfo_value = rlx_py_arg(e, c->args, 1, "struct_info");
  if (!name || name->kind != RLX_VALUE_STR)
    return rlx_word_invalid(e, "R.ExternFunc", "global_symbol", name, "a string", c->span);
  if (!sinfo_value) sinfo_value = rlx_py_arg(e, c->args, UINT32_MAX, "ty");
  const bool is_given = sinfo_value && sinfo_value->kind != RLX_VALUE_NONE;
  const RlxSInfo *sinfo = is_given ? rlx_value_sinfo(e, sinfo_value) : NULL;
  if (sinfo && sinfo->kind != RLX_SINFO_FUNC && rlx_refuse_may_tell(e))
    return rlx_word_invalid(e, "R.ExternFunc", rlx_eval_is_027(e) ? "ty" : "struct_info",
                            sinfo_value, "the annotation of a function, `R.Callable(…)`",
                            sinfo_value->span);
  if (!sinfo) sinfo = rlx_sinfo_func(e->store, NULL, 0, rlx_sinfo_object(e->store), RLX_IMPURE, 0);
  RlxExpr *x = rlx_expr_new(e, RLX_EXPR_EXTERN, c->span, sinfo);
  x->name = name->string;
  RlxValue v = {.kind = RLX_VALUE_CALLEE, .span = c->span};
  v.expr = x;
  return v;
}

RlxValue rlx_word_match_cast(RlxEval *e, const RlxWordCall *c) {
  const RlxValue *value = rlx_py_arg(e, c->args, 0, "value"),
                 *pattern = rlx_py_arg(e, c->args, 1, "struct_info");
  if (!pattern) pattern = rlx_py_arg(e, c->args, UINT32_MAX, "ty");
  for (uint32_t i = 0; i < c->args->count && rlx_refuse_may_tell(e); i++) {
    const RlxPyArg *arg = &c->args->at[i];
    const char *keyword = arg->keyword ? rlx_store_text(e->store, arg->keyword) : "";
    bool is_new = strcmp(keyword, "ty") == 0, is_old = strcmp(keyword, "struct_info") == 0;
    if ((is_new && !rlx_eval_may_be(e, RLX_DIALECT_027)) ||
        (is_old && !rlx_eval_may_be(e, RLX_DIALECT_025)))
      rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_UNKNOWN), arg->keyword_span, "sss", "R.match_cast",
                      keyword,
                      is_new ? "; before 0.26 it is `struct_info`" : "; from 0.26 on it is `ty`");
  }
  const char *pattern_word = rlx_op_param_word("struct_info", rlx_eval_is_027(e));
  if (!value || !pattern)
    return rlx_word_invalid(e, "R.match_cast", value ? pattern_word : "value", NULL, "", c->span);
  const bool is_scalar = value->kind == RLX_VALUE_INT || value->kind == RLX_VALUE_FLOAT ||
                         value->kind == RLX_VALUE_BOOL || value->kind == RLX_VALUE_STR ||
                         value->kind == RLX_VALUE_PRIM; // 0.27 makes a value of it
  const bool is_value = value->kind == RLX_VALUE_EXPR || value->kind == RLX_VALUE_CALLEE ||
                        value->kind == RLX_VALUE_UNKNOWN || value->kind == RLX_VALUE_FUNCTION ||
                        (is_scalar && rlx_eval_is_027(e));
  RlxExpr *x = is_value || rlx_eval_is_tlc(e) ? rlx_expr_of(e, value) : NULL;
  const RlxSInfo *sinfo = rlx_value_sinfo(e, pattern);
  if (!x) return rlx_word_invalid(e, "R.match_cast", "value", value, "a Relax expression", c->span);
  if (!sinfo)
    return rlx_word_invalid(e, "R.match_cast", pattern_word, pattern, "a StructInfo", c->span);
  if (x->kind == RLX_EXPR_STRING && sinfo->kind != RLX_SINFO_OBJECT && rlx_eval_is_027(e)) {
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), value->span, "ssss", "R.match_cast", "value",
                    "a string", "a value that may be what it is cast to");
    return rlx_eval_failed(e, c->span);
  }
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
RlxValue rlx_word_match_shape(RlxEval *e, const RlxWordCall *c) {
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
    return rlx_word_invalid(e, "R.match_shape", "pattern", pattern, "a list of dimensions",
                            c->span);
  RlxValue known = with_wildcards(e, pattern, x->sinfo);
  RlxExpr *shape = rlx_expr_shape(e, &known, c->span);
  if (!shape || shape->kind != RLX_EXPR_SHAPE) return rlx_eval_failed(e, c->span);
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

RlxValue rlx_word_tuple_get(RlxEval *e, const RlxWordCall *c) {
  const RlxValue *tuple = rlx_py_arg(e, c->args, 0, "tuple_value"),
                 *index = rlx_py_arg(e, c->args, 1, "index");
  bool is_wrong = index && index->kind == RLX_VALUE_EXPR && rlx_refuse_may_tell(e);
  if (is_wrong) return rlx_word_invalid(e, "R.TupleGetItem", "index", index, "an int", c->span);
  RlxExpr *x = tuple ? rlx_expr_of(e, tuple) : NULL;
  if (!x || !index || index->kind != RLX_VALUE_INT) return rlx_eval_failed(e, c->span);
  return rlx_value_expr(rlx_expr_get(e, x, index->integer, c->span, index->span));
}

/// Reports what is no list of arguments for a call that is made as it is given.
static void refuse_emitted_args(RlxEval *e, const RlxWordCall *c, const RlxValue *list) {
  const char *path = rlx_word_path(c->word);
  if (list->kind != RLX_VALUE_LIST) {
    rlx_word_invalid(e, path, "args", list, "a list of expressions", c->span);
    return;
  }
  for (uint32_t i = 0; i < list->count; i++) {
    const RlxValueKind kind = list->items[i].kind;
    const bool is_number =
        kind == RLX_VALUE_INT || kind == RLX_VALUE_FLOAT || kind == RLX_VALUE_BOOL;
    if (kind == RLX_VALUE_NONE || (is_number && !rlx_eval_is_027(e))) {
      rlx_word_invalid(e, path, "args", &list->items[i], "a Relax expression", c->span);
      return;
    }
  }
}

/// The same of the StructInfos that the call has: a list, also of one.
static void refuse_emitted_types(RlxEval *e, const RlxWordCall *c, const RlxValue *given) {
  const char *path = rlx_word_path(c->word);
  const bool is_027 = rlx_eval_is_027(e), is_text = given->kind == RLX_VALUE_STR,
             is_number = given->kind == RLX_VALUE_INT || given->kind == RLX_VALUE_FLOAT ||
                         given->kind == RLX_VALUE_BOOL;
  if (is_text || is_number || given->kind == RLX_VALUE_EXPR || given->kind == RLX_VALUE_SINFO)
    rlx_word_invalid(e, path, is_027 ? "ty_args" : "sinfo_args", given, "a list of annotations",
                     c->span);
}

/// R.emit_with_sinfo("relax.op", (args…), (sinfo,)): a call whose StructInfo is given.
RlxValue rlx_word_emit_sinfo(RlxEval *e, const RlxWordCall *c) {
  const RlxValue *op = rlx_py_arg(e, c->args, 0, "op"), *list = rlx_py_arg(e, c->args, 1, "args"),
                 *given = rlx_py_arg(e, c->args, 2, "sinfo_args");
  if (!given) given = rlx_py_arg(e, c->args, 2, "ty_args");
  if (rlx_refuse_may_tell(e) && !c->args->is_unknown) {
    if (op && op->kind != RLX_VALUE_STR && !rlx_is_unknown_string(op))
      rlx_word_invalid(e, rlx_word_path(c->word), "op", op, "the operator's name, a string",
                       c->span);
    if (list) refuse_emitted_args(e, c, list);
    if (given) refuse_emitted_types(e, c, given);
  }
  if (!op || op->kind != RLX_VALUE_STR || !list || !given) return rlx_eval_failed(e, c->span);
  const RlxSInfo *sinfo = given->kind == RLX_VALUE_LIST && given->count
                              ? rlx_value_sinfo(e, &given->items[0])
                              : rlx_value_sinfo(e, given);
  RlxExpr *tuple = rlx_expr_of(e, list);
  if (!sinfo || !tuple) return rlx_eval_failed(e, c->span);
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
RlxValue rlx_word_op_get(RlxEval *e, const RlxWordCall *c) {
  const RlxValue *name = rlx_py_arg(e, c->args, 0, "op_name");
  if (!name || name->kind != RLX_VALUE_STR) return rlx_eval_failed(e, c->span);
  int count = 0;
  const RlxOpRow *rows = rlx_op_rows(&count);
  for (int i = 0; i < count; i++) {
    if (strcmp(rows[i].registry, rlx_store_text(e->store, name->string)) != 0) continue;
    RlxValue v = {.kind = RLX_VALUE_OP, .span = c->span};
    v.thing = &rows[i];
    return v;
  }
  return rlx_eval_failed(e, c->span);
}

/// relax.Call(op, [args…], sinfo_args=[…]): the call as the script spells it, without attributes.
RlxValue rlx_word_raw(RlxEval *e, const RlxWordCall *c) {
  const RlxValue *op = rlx_py_arg(e, c->args, 0, "op"), *list = rlx_py_arg(e, c->args, 1, "args"),
                 *attrs = rlx_py_arg(e, c->args, 2, "attrs");
  const RlxValue *sinfos = rlx_py_arg(e, c->args, 3, "sinfo_args");
  if (!sinfos) sinfos = rlx_py_arg(e, c->args, 3, "ty_args");
  if (!op || op->kind != RLX_VALUE_OP || !list || list->kind != RLX_VALUE_LIST ||
      (attrs && attrs->kind != RLX_VALUE_NONE))
    return rlx_eval_failed(e, c->span);
  const RlxOpRow *row = op->thing;
  RlxPyArgs own = {.at = rlx_arena_array(e->arena, RlxPyArg, list->count + 1)};
  for (uint32_t i = 0; i < list->count; i++)
    own.at[own.count++] = (RlxPyArg){0, list->items[i], list->items[i].span, list->items[i].span};
  if (sinfos && sinfos->kind == RLX_VALUE_LIST && sinfos->count) {
    const char *param = rlx_op_param(row, "out_sinfo") >= 0    ? "out_sinfo"
                        : rlx_op_param(row, "sinfo_args") >= 0 ? "sinfo_args"
                                                               : NULL;
    if (!param) return rlx_eval_failed(e, c->span);
    own.at[own.count++] = (RlxPyArg){rlx_store_intern(e->store, param, strlen(param)),
                                     sinfos->items[0], sinfos->span, sinfos->span};
  }
  return rlx_call_op(e, row, &own, c->span, c->name_span);
}

/// The dictionary that a part of a module is given; NULL after a report, or when it is not known.
static const RlxValue *part_of_module(RlxEval *e, const RlxWordCall *c, const char *param) {
  const char *what = rlx_word_path(c->word);
  const RlxValue *dict = rlx_py_arg(e, c->args, 0, param);
  // A call without arguments is reported with the module.
  if (e->fn || !e->is_decorator || c->args->is_unknown || !dict) return NULL;
  if (rlx_word_is_other(dict, RLX_VALUE_DICT)) {
    rlx_word_invalid(e, what, param, dict, "a dictionary", c->span);
    return NULL;
  }
  if (dict->kind != RLX_VALUE_DICT) return NULL;
  for (uint32_t i = 0; i + 1 < dict->count; i += 2)
    if (rlx_word_is_other(&dict->items[i], RLX_VALUE_STR)) {
      rlx_word_invalid(e, what, param, &dict->items[i], "keys that are strings", c->span);
      return NULL;
    }
  return dict;
}

RlxValue rlx_word_module_attrs(RlxEval *e, const RlxWordCall *c) {
  const RlxValue *overwrite =
      part_of_module(e, c, "attrs") ? rlx_py_arg(e, c->args, 1, "allow_overwrite") : NULL;
  if (overwrite && overwrite->kind != RLX_VALUE_BOOL && rlx_word_is_other(overwrite, RLX_VALUE_INT))
    return rlx_word_invalid(e, rlx_word_path(c->word), "allow_overwrite", overwrite,
                            "True or False", c->span);
  return rlx_word_none(e, c);
}

/// Whether a value is certainly no object of TVM's that a module lists, as numbers of T are and bytes.
static bool is_no_info(const RlxValue *v, RlxValueKind kind) {
  return rlx_word_is_other(v, kind) || v->kind == RLX_VALUE_PRIM || v->kind == RLX_VALUE_SYMDECL ||
         rlx_is_script_value(v) || rlx_is_bytes(v);
}

RlxValue rlx_word_module_infos(RlxEval *e, const RlxWordCall *c) {
  const RlxValue *dict = part_of_module(e, c, "global_infos");
  for (uint32_t i = 1; dict && i < dict->count; i += 2) {
    const RlxValue *list = &dict->items[i], *wrong = is_no_info(list, RLX_VALUE_LIST) ? list : NULL;
    for (uint32_t n = 0; list->kind == RLX_VALUE_LIST && n < list->count && !wrong; n++)
      if (is_no_info(&list->items[n], RLX_VALUE_VDEVICE)) wrong = &list->items[n];
    if (!wrong) continue;
    return rlx_word_invalid(e, rlx_word_path(c->word), "global_infos", wrong,
                            "lists of devices and the like", c->span);
  }
  return rlx_word_none(e, c);
}

// ---- annotations and statements

/// The arguments of R.Callable or R.Tuple with what lambdas among the parts give.
static RlxPyArgs with_parts(RlxEval *e, const RlxWordCall *c) {
  RlxPyArgs out = *c->args;
  const bool is_callable = c->word != RLX_WORD_TUPLE;
  out.at = rlx_arena_copy(e->arena, out.at, out.count, sizeof *out.at);
  for (uint32_t i = 0; i < out.count; i++) {
    RlxValue *v = &out.at[i].value;
    const char *keyword = out.at[i].keyword ? rlx_store_text(e->store, out.at[i].keyword)
                          : i < 2           ? "ret"
                                            : "";
    if (is_callable && !rlx_text_is_among(keyword, " params args ret ")) continue;
    *v = rlx_lambda_annotation(e, *v);
    if (v->kind != RLX_VALUE_LIST) continue;
    v->items = rlx_arena_copy(e->arena, v->items, v->count, sizeof *v->items);
    for (uint32_t k = 0; k < v->count; k++) v->items[k] = rlx_lambda_annotation(e, v->items[k]);
  }
  return out;
}

/// R.Tensor(…) and other annotations.
RlxValue rlx_word_sinfo(RlxEval *e, const RlxWordCall *c) {
  const bool has_parts =
      c->word == RLX_WORD_TUPLE || c->word == RLX_WORD_CALLABLE || c->word == RLX_WORD_FUNC;
  if (!has_parts || !c->args->count) return rlx_eval_sinfo_call(e, c->word, c->args, c->span);
  const RlxPyArgs args = with_parts(e, c);
  return rlx_eval_sinfo_call(e, c->word, &args, c->span);
}

RlxValue rlx_word_topi(RlxEval *e, const RlxWordCall *c) {
  return rlx_topi_emit(e, c->args, c->span, c->name_span);
}

/// What R.output(…), R.dataflow() and their like give: by which call, for `with` and for messages.
RlxValue rlx_word_statement(RlxEval *e, const RlxWordCall *c) {
  if (c->word == RLX_WORD_FUNC_NAME && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(STATEMENT_UNSUPPORTED), c->span, "s",
                    "`R.func_name(…)` (the function has its name)");
  const RlxValue *ret = c->args->count ? &c->args->at[0].value : NULL;
  if (c->word == RLX_WORD_FUNC_RET_SINFO && ret && rlx_value_sinfo(e, ret) &&
      rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), ret->span, "ssss", rlx_word_path(c->word),
                    "ret_struct_info", rlx_value_text(e, ret), "an object of the IR");
  if (c->word == RLX_WORD_FUNC_RET_VALUE && e->fn && rlx_refuse_may_tell(e)) { // as `return` does
    rlx_vec_push(&e->reads, e->analyzer->name_return);
    rlx_define(e, e->analyzer->name_return, rlx_value_expr(rlx_expr_hole(e, c->span)), c->span);
    e->tainted = 0;
  }
  RlxValue v = {.kind = RLX_VALUE_STATEMENT, .span = c->span};
  v.integer = c->word;
  return v;
}

RlxValue rlx_word_output(RlxEval *e, const RlxWordCall *c) {
  rlx_call_output(e, c->ast, c->args);
  return rlx_word_statement(e, c);
}

RlxValue rlx_word_func_attr(RlxEval *e, const RlxWordCall *c) {
  rlx_call_func_attr(e, c->ast, c->args);
  return rlx_word_statement(e, c);
}
