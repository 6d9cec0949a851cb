/// Calls of the vocabulary of T in functions of Relax: T.int64, T.max, T.Select; other functions of T stay what they are.
#include "analyzer/eval/eval_words.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/eval/evaluate_impl.h"
#include "analyzer/eval/refuse.h"
#include "analyzer/words/spell.h"

RlxValue rlx_word_declared(RlxName name, RlxDType dtype, RlxSpan span) {
  RlxValue v = {.kind = RLX_VALUE_SYMDECL, .span = span};
  v.integer = (int64_t)name | rlx_pack_dtype(dtype) << 32;
  return v;
}

/// `is_script`: it is one of T, whose numbers have to be in range, and none of numpy.
RlxValue rlx_call_dtype(RlxEval *e, RlxDType dtype, const RlxPyArgs *args, bool is_script,
                        RlxSpan span) {
  const RlxValue *value = rlx_py_arg(e, args, 0, "expr");
  if (!value || value->kind == RLX_VALUE_NONE) return rlx_word_declared(0, dtype, span);
  if (is_script && rlx_refuse_may_tell(e)) {
    char text[RLX_DTYPE_TEXT_MAX];
    rlx_dtype_text(dtype, text);
    const char *what = rlx_arena_printf(e->arena, "T.%s", text);
    const bool is_big =
        (value->kind == RLX_VALUE_OTHER && value->text == rlx_big_int_text) ||
        value->kind == RLX_VALUE_UINT64; // TVM's functions take Python's ints as int64
    if (is_big || rlx_word_out_of_range(value, dtype, true))
      return rlx_word_invalid(
          e, what, "value", value,
          rlx_arena_printf(e->arena, "a number that %s holds", is_big ? "int64" : text), span);
  }
  if (value->kind == RLX_VALUE_ARRAY) { // numpy.float32(array)
    RlxPyArg both[2] = {{.value = *value}, {.value = {.kind = RLX_VALUE_DTYPE}}};
    both[1].value.integer = rlx_pack_dtype(dtype);
    return rlx_array_call(e, "numpy.astype", &(RlxPyArgs){both, 2, false}, span);
  }
  if (value->kind == RLX_VALUE_STR && rlx_dtype_is_float(dtype))
    return rlx_value_of_prim(
        rlx_prim_float(e->store, strtod(rlx_store_text(e->store, value->string), NULL), dtype),
        span);
  double number = value->kind == RLX_VALUE_FLOAT  ? value->number
                  : value->kind == RLX_VALUE_INT  ? (double)value->integer
                  : value->kind == RLX_VALUE_BOOL ? value->boolean
                                                  : 0;
  if (rlx_dtype_is_float(dtype) && (value->kind == RLX_VALUE_FLOAT ||
                                    value->kind == RLX_VALUE_INT || value->kind == RLX_VALUE_BOOL))
    return rlx_value_of_prim(rlx_prim_float(e->store, number, dtype), span);
  if (value->kind == RLX_VALUE_FLOAT)
    return rlx_value_of_prim(
        rlx_prim_int_typed(e->store, isfinite(number) ? (int64_t)number : 0, dtype), span);
  if (value->kind == RLX_VALUE_INT || value->kind == RLX_VALUE_BOOL)
    return rlx_value_of_prim(
        rlx_prim_int_typed(e->store, value->kind == RLX_VALUE_INT ? value->integer : value->boolean,
                           dtype),
        span);
  if (value->kind == RLX_VALUE_SYMDECL && rlx_dtype_equal(rlx_symbol_dtype(value), dtype))
    return *value; // T.int64(T.int64()): the new variable
  const RlxPrim *prim = rlx_value_prim(e, value);
  return prim ? rlx_value_of_prim(rlx_prim_cast(e->store, dtype, prim), span)
              : rlx_eval_failed(e, span);
}

RlxValue rlx_word_symbol(RlxEval *e, const RlxWordCall *c) {
  bool old = c->word == RLX_WORD_VAR_OLD;
  const RlxValue *name = old ? NULL : rlx_py_arg(e, c->args, 0, "name"),
                 *dtype_value = rlx_py_arg(e, c->args, old ? 0 : 1, "dtype");
  RlxDType dtype = RLX_INT64;
  if (dtype_value && dtype_value->kind != RLX_VALUE_UNKNOWN) {
    if (!rlx_word_dtype_of(e, dtype_value, &dtype)) return rlx_eval_failed(e, c->span);
  } else if (c->word != RLX_WORD_TYPE_VAR && c->word != RLX_WORD_VAR_OLD)
    dtype = RLX_INT32;
  if (c->word == RLX_WORD_TYPE_VAR) dtype = RLX_INT64;
  RlxValue v =
      rlx_word_declared(name && name->kind == RLX_VALUE_STR ? name->string : 0, dtype, c->span);
  v.is_bare = c->word == RLX_WORD_TYPE_VAR;
  return v;
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

/// A function of T that failed: tensors are none of its operands. In 0.27 they are of some, and the rows of script_kinds.def have told it.
static RlxValue no_tensors(RlxEval *e, const RlxPyArgs *args, RlxSpan span) {
  const bool is_relax = e->fn && e->fn->kind == RLX_ISLAND_RELAX;
  for (uint32_t i = 0; i < args->count && is_relax && e->fn->dialect != RLX_DIALECT_027; i++) {
    const RlxValue *v = &args->at[i].value;
    if (v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_VAR &&
        v->expr->sinfo->kind == RLX_SINFO_TENSOR)
      return rlx_word_invalid(e, "a function of T", "argument", v, "a symbolic expression", span);
  }
  return rlx_eval_failed(e, span);
}

RlxValue rlx_word_binary(RlxEval *e, const RlxWordCall *c) {
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
      return rlx_word_invalid(e, rlx_word_path(c->word), "operand", v, "a number beside a number",
                              c->span);
  }
  return both(e, c->args, ab)
             ? rlx_value_of_prim(rlx_prim_binary(e->store, kinds[c->word], ab[0], ab[1]), c->span)
             : no_tensors(e, c->args, c->span);
}

/// T.abs, T.Not.
RlxValue rlx_word_unary(RlxEval *e, const RlxWordCall *c) {
  const RlxPrimKind kind = c->word == RLX_WORD_ABS ? RLX_PRIM_ABS : RLX_PRIM_NOT;
  const RlxPrim *p = c->args->count ? rlx_value_prim(e, &c->args->at[0].value) : NULL;
  return p ? rlx_value_of_prim(rlx_prim_unary(e->store, kind, p), c->span)
           : rlx_eval_failed(e, c->span);
}

/// R.emit(x), T.likely(x): what they are given.
RlxValue rlx_word_identity(RlxEval *e, const RlxWordCall *c) {
  return c->args->count ? c->args->at[0].value : rlx_eval_failed(e, c->span);
}

RlxValue rlx_word_ceildiv(RlxEval *e, const RlxWordCall *c) {
  const RlxPrim *ab[2];
  if (!both(e, c->args, ab)) return rlx_eval_failed(e, c->span);
  const RlxPrim *one = rlx_prim_int_typed(e->store, 1, ab[1]->dtype);
  return rlx_value_of_prim(
      rlx_prim_floordiv(e->store, rlx_prim_sub(e->store, rlx_prim_add(e->store, ab[0], ab[1]), one),
                        ab[1]),
      c->span);
}

RlxValue rlx_word_select(RlxEval *e, const RlxWordCall *c) {
  const RlxPrim *parts[3];
  const RlxValue *values[3];
  for (uint32_t i = 0; i < 3; i++) {
    const RlxValue *v = rlx_py_arg(e, c->args, i,
                                   i == 0   ? "condition"
                                   : i == 1 ? "true_value"
                                            : "false_value");
    parts[i] = v ? rlx_value_prim(e, v) : NULL;
    if (i == 0 && v && v->kind == RLX_VALUE_SYMDECL && rlx_refuse_may_tell(e) &&
        !rlx_dtype_is_bool(rlx_symbol_dtype(v)))
      return rlx_word_invalid(e, rlx_word_path(c->word), "condition", v, "a condition", c->span);
    if (!parts[i]) return rlx_eval_failed(e, c->span);
    values[i] = v;
  }
  if (!rlx_dtype_is_bool(parts[0]->dtype) && values[0]->kind != RLX_VALUE_INT &&
      rlx_refuse_may_tell(e))
    return rlx_word_invalid(e, rlx_word_path(c->word), "condition", values[0], "a condition",
                            c->span);
  for (int i = 1; i < 3; i++) { // a Python int is an int32, or what the other one is
    const RlxPrim *other = parts[3 - i];
    if (values[i]->kind != RLX_VALUE_INT) continue;
    RlxDType dtype = values[3 - i]->kind == RLX_VALUE_INT ? RLX_INT32 : other->dtype;
    if (rlx_dtype_is_int(dtype)) parts[i] = rlx_prim_int_typed(e->store, values[i]->integer, dtype);
  }
  return rlx_value_of_prim(rlx_prim_select(e->store, parts[0], parts[1], parts[2]), c->span);
}

/// The dtype that a value has as an expression of TensorIR; unknown: it is none, or not known.
static RlxDType dtype_of_value(const RlxValue *v) {
  switch (v->kind) {
  case RLX_VALUE_BOOL: return RLX_BOOL;
  case RLX_VALUE_INT: return RLX_INT32;
  case RLX_VALUE_FLOAT: return RLX_FLOAT32;
  case RLX_VALUE_STR: return rlx_dtype(RLX_DTYPE_HANDLE, 64);
  case RLX_VALUE_PRIM: return v->prim->dtype;
  case RLX_VALUE_SYMDECL: return rlx_symbol_dtype(v);
  case RLX_VALUE_EXPR:
    if (v->expr->sinfo->kind == RLX_SINFO_PRIM) return v->expr->sinfo->dtype;
    break;
  default: break;
  }
  return rlx_dtype_unknown();
}

/// The dtype, as a text, and the value that T.reinterpret or T.Cast gets by place; false: other arguments.
static bool dtype_and_value(const RlxEval *e, const RlxPyArgs *args, const char **dtype,
                            const RlxValue **value) {
  if (args->count != 2 || args->at[0].keyword || args->at[1].keyword ||
      args->at[0].value.kind != RLX_VALUE_STR)
    return false;
  *dtype = rlx_store_text(e->store, args->at[0].value.string);
  *value = &args->at[1].value;
  return true;
}

/// Whether T.reinterpret gets a value of as many bits as its dtype has, and T.Cast one of as many lanes; reported where not.
static bool fits_cast(RlxEval *e, const char *name, const RlxPyArgs *args) {
  const bool is_cast = strcmp(name, "Cast") == 0, is_looked_at = e->fn && rlx_refuse_may_tell(e);
  const RlxValue *value;
  const char *text;
  if (!is_looked_at || (!is_cast && strcmp(name, "reinterpret") != 0) ||
      !dtype_and_value(e, args, &text, &value))
    return true;
  const RlxDType from = dtype_of_value(value);
  RlxDType to;
  const bool is_void = strcmp(text, "void") == 0;
  if ((!is_void && !rlx_dtype_parse(text, strlen(text), &to)) || !rlx_dtype_known(from) ||
      (value->kind == RLX_VALUE_INT && value->integer != (int32_t)value->integer))
    return true;
  const bool is_half_byte =
      !is_void && (from.code == RLX_DTYPE_FLOAT4_E2M1FN || to.code == RLX_DTYPE_FLOAT4_E2M1FN);
  const int old = is_cast ? from.lanes : from.bits * from.lanes, new = is_void ? 0
                                                                       : is_cast
                                                                           ? to.lanes
                                                                           : to.bits *to.lanes;
  if (old == new || (is_half_byte && !is_cast)) return true;
  rlx_word_invalid(e, rlx_arena_printf(e->arena, "T.%s", name), "value", value,
                   rlx_arena_printf(e->arena, "a value of %d %s%s", new, is_cast ? "lane" : "bit",
                                    new == 1 ? "" : "s"),
                   value->span);
  return false;
}

/// Whether T.cast gets a number that it is to make a constant of a dtype that has none: void or handle; reported then.
static bool is_cast_to_nothing(RlxEval *e, const RlxValue *value, const RlxValue *dtype) {
  const bool is_constant =
      value &&
      (value->kind == RLX_VALUE_INT || value->kind == RLX_VALUE_FLOAT ||
       (value->kind == RLX_VALUE_PRIM && !value->is_bare && value->prim->kind == RLX_PRIM_INT));
  if (!is_constant || !e->fn || !rlx_refuse_may_tell(e) || !dtype || dtype->kind != RLX_VALUE_STR)
    return false;
  const char *text = rlx_store_text(e->store, dtype->string);
  if (*text && !rlx_text_is_among(text, "void handle")) return false;
  rlx_word_invalid(e, "T.cast", "dtype", dtype, "a dtype that numbers have", dtype->span);
  return true;
}

RlxValue rlx_word_cast(RlxEval *e, const RlxWordCall *c) {
  const RlxValue *dtype_value = rlx_py_arg(e, c->args, c->word == RLX_WORD_CAST ? 0 : 1, "dtype"),
                 *value = rlx_py_arg(e, c->args, c->word == RLX_WORD_CAST ? 1 : 0, "value");
  RlxDType dtype;
  const RlxPrim *prim = value ? rlx_value_prim(e, value) : NULL;
  if (c->word == RLX_WORD_CAST && !fits_cast(e, "Cast", c->args))
    return rlx_eval_failed(e, c->span);
  if (c->word != RLX_WORD_CAST && is_cast_to_nothing(e, value, dtype_value))
    return rlx_eval_failed(e, c->span);
  if (!prim || !dtype_value || !rlx_word_dtype_of(e, dtype_value, &dtype))
    return rlx_eval_failed(e, c->span);
  bool is_kept = c->word == RLX_WORD_CAST && !rlx_dtype_equal(dtype, RLX_INT64); // T.cast folds it
  if (is_kept && prim->kind == RLX_PRIM_INT) {
    RlxName cast = rlx_store_intern(e->store, "Cast", 4);
    return rlx_value_of_prim(rlx_prim_call(e->store, cast, dtype, &prim, 1), c->span);
  }
  RlxValue v = rlx_value_of_prim(rlx_prim_cast(e->store, dtype, prim), c->span);
  v.is_bare = c->word == RLX_WORD_CAST;
  return v;
}

RlxValue rlx_word_immediate(RlxEval *e, const RlxWordCall *c) {
  const RlxValue *dtype_value = rlx_py_arg(e, c->args, 0, "dtype"),
                 *value = rlx_py_arg(e, c->args, 1, "value");
  RlxDType dtype;
  if (!value || !rlx_word_dtype_of(e, dtype_value, &dtype) ||
      (dtype_value && dtype_value->kind == RLX_VALUE_UNKNOWN)) // a float or an integer
    return rlx_eval_failed(e, c->span);
  RlxPyArg arg = {0, *value, c->span, c->span};
  RlxPyArgs one = {&arg, 1, false};
  return rlx_call_dtype(e, dtype, &one, true, c->span);
}

/// tir.const(1, "int32"): an int is an int32 where no dtype is given.
RlxValue rlx_word_number(RlxEval *e, const RlxWordCall *c) {
  const RlxValue *value = rlx_py_arg(e, c->args, 0, "value"),
                 *dtype_value = rlx_py_arg(e, c->args, 1, "dtype");
  RlxDType dtype = RLX_INT32;
  const bool is_other =
      value &&
      (value->kind == RLX_VALUE_EXPR ||
       (value->kind == RLX_VALUE_PRIM && !value->is_python && rlx_prim_as_var(value->prim)));
  if (is_other && e->fn && rlx_refuse_may_tell(e))
    return rlx_word_invalid(e, "const", "value", value, "a number", c->span);
  if (!value || (value->kind == RLX_VALUE_FLOAT && !dtype_value) ||
      (dtype_value && !rlx_word_dtype_of(e, dtype_value, &dtype)))
    return rlx_eval_failed(e, c->span);
  RlxPyArg only = {0, *value, c->span, c->span};
  RlxPyArgs one = {&only, 1, false};
  return rlx_call_dtype(e, dtype, &one, true, c->span);
}

/// What a member of T.Tuple stands for: a type, what makes one when it is called, or the type of a value; `*known`
/// false where that is not known. NULL: it is nothing of these.
static const RlxSInfo *member_type(RlxEval *e, const RlxValue *v, bool *known) {
  *known = true;
  switch (v->kind) {
  case RLX_VALUE_NONE:
  case RLX_VALUE_BOOL:
  case RLX_VALUE_INT:
  case RLX_VALUE_FLOAT:
  case RLX_VALUE_STR:
  case RLX_VALUE_LIST:
  case RLX_VALUE_DICT: return NULL;
  case RLX_VALUE_PRIM: return rlx_sinfo_prim(e->store, v->prim->dtype, NULL);
  case RLX_VALUE_SYMDECL: return rlx_sinfo_prim(e->store, rlx_symbol_dtype(v), NULL);
  case RLX_VALUE_EXPR:
    *known = v->expr->kind == RLX_EXPR_VAR && !v->expr->var->is_tainted;
    return v->expr->sinfo;
  case RLX_VALUE_WORD:
    if (v->integer == RLX_WORD_T_TUPLE) return rlx_sinfo_tuple(e->store, NULL, 0);
    break;
  default: break;
  }
  const RlxSInfo *sinfo = rlx_value_sinfo(e, v);
  *known = sinfo != NULL;
  return sinfo;
}

/// T.Tuple(…): a type, not an annotation of Relax that other annotations may hold.
RlxValue rlx_word_type_tuple(RlxEval *e, const RlxWordCall *c) {
  const RlxPyArgs *args = c->args;
  const RlxSInfo **members =
      rlx_arena_array(e->arena, const RlxSInfo *, args->count ? args->count : 1);
  bool all_known = !args->is_unknown;
  for (uint32_t i = 0; i < args->count; i++) {
    bool known;
    members[i] = member_type(e, &args->at[i].value, &known);
    if (known && !members[i])
      return rlx_word_invalid(e, "T.Tuple", "fields", &args->at[i].value, "a type", c->span);
    all_known &= known;
  }
  if (!all_known) return rlx_eval_failed(e, c->span);
  RlxValue v = {.kind = RLX_VALUE_SINFO, .span = c->span, .is_python = true};
  v.sinfo = rlx_tuple_not_too_deep(e->store, members, args->count);
  if (!v.sinfo) return rlx_eval_failed(e, c->span);
  return v;
}

/// Whether the function of T takes part in a PrimFunc alone: elsewhere there is no block, or no
/// PrimFunc, that it could add to.
static bool is_for_prim_funcs(const RlxEval *e, const char *name) {
  static const char always[] = " reads writes sblock_attr func_attr decl_buffer alloc_buffer "
                               "alloc_local alloc_shared evaluate Break Continue device_entry "
                               "wg_reg_tile where bind env_thread launch_thread "
                               "thread_id thread_id_in_wg warp_id warp_id_in_wg lane_id cta_id "
                               "cta_id_in_cluster cta_id_in_pair cluster_id warpgroup_id "
                               "local_scalar shared_scalar alloc_scalar func_ret arg smem ";
  return rlx_text_is_among(name, always) || strncmp(name, "axis.", 5) == 0 ||
         (rlx_eval_is_027(e) && strcmp(name, "sblock_alloc_buffer") == 0);
}

RlxValue rlx_word_outside(RlxEval *e, const char *path, RlxSpan span) {
  rlx_eval_report(e, RLX_DIAG_ID(STATEMENT_UNSUPPORTED), span, "s",
                  rlx_arena_printf(e->arena, "`%s(…)`, which stands in PrimFuncs,", path));
  return rlx_eval_failed(e, span);
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
  if (!is_float && (is_infinity || (!is_unsigned && dtype.code != RLX_DTYPE_INT))) {
    if (!e->fn || e->fn->kind != RLX_ISLAND_RELAX || !rlx_refuse_may_tell(e)) return false;
    *out = rlx_word_invalid(e, rlx_arena_printf(e->arena, "T.%s", name), "dtype", v,
                            is_infinity ? "a float dtype" : "an int or float dtype", v->span);
    return true;
  }
  bool is_wide = dtype.bits == 64 && (is_unsigned || !is_max);
  if (is_float && is_infinity) {
    *out = rlx_value_of_prim(rlx_prim_float(e->store, HUGE_VAL, dtype), span);
    return true;
  }
  if (is_float || is_wide || dtype.bits > 64 || args->count > 1) {
    *out = rlx_eval_failed(e, span);
    return true;
  }
  int64_t min, max;
  rlx_dtype_limits(dtype, &min, &max);
  *out = rlx_value_of_prim(rlx_prim_int_typed(e->store, is_max ? max : min, dtype), span);
  return true;
}

/// The dtype that a row of script_kinds.def says of a call's result; unknown: it says none.
static RlxDType result_dtype(const RlxEval *e, const RlxScriptKinds *row, const RlxPyArgs *args) {
  RlxDType dtype = rlx_dtype_unknown();
  const char *text = strchr(row->result, ':');
  if (text && !text[1]) return RLX_VOID;
  // T.call_extern("int64", …): a function that takes a dtype first gives a value of it.
  const bool is_first = !text && row->result[0] == 'e' && strncmp(row->kinds, "dn ", 3) == 0;
  if (is_first) text = ":$0";
  if (!text) return dtype;
  if (*++text != '=' && *text != '$') {
    rlx_dtype_parse(text, strlen(text), &dtype);
    for (uint32_t i = 0; i < args->count; i++) { // the rows were made with values of these dtypes
      const RlxDType given = dtype_of_value(&args->at[i].value);
      const bool is_sample =
          rlx_dtype_equal(dtype, RLX_INT32) || rlx_dtype_equal(dtype, RLX_FLOAT32);
      if (is_sample && rlx_dtype_known(given) && given.code == dtype.code &&
          !rlx_dtype_equal(given, dtype))
        return rlx_dtype_unknown();
    }
    return dtype;
  }
  const uint32_t place = (uint32_t)(text[1] - '0');
  const RlxPyArg *arg = place < args->count ? &args->at[place] : NULL;
  if (!arg || arg->keyword) return dtype;
  if (*text == '=') return dtype_of_value(&arg->value);
  if (arg->value.kind != RLX_VALUE_STR) return dtype;
  text = rlx_store_text(e->store, arg->value.string);
  rlx_dtype_parse(text, strlen(text), &dtype);
  return dtype;
}

/// The row of T.`name` in the dialect of the function, or of what is decorated; NULL: there is none, or neither.
static const RlxScriptKinds *kinds_of(const RlxEval *e, const char *name) {
  return e->fn             ? rlx_script_kinds(name, (RlxDialect)e->fn->dialect)
         : e->is_decorator ? rlx_script_kinds(name, e->outer_dialect)
                           : NULL;
}

/// What a call of T.`name` gives where that is no expression; NULL: an expression, or not known.
static const char *other_result(const RlxEval *e, const char *name) {
  const RlxScriptKinds *row = kinds_of(e, name);
  if (!row || !rlx_refuse_may_tell(e)) return NULL;
  const char *result = row->result;
  if (strcmp(result, "FRAME") == 0 || strcmp(result, "FOR") == 0) return "a part of a PrimFunc";
  if (strcmp(result, "u") == 0) return "a buffer";
  if (strcmp(result, "?Target") == 0) return rlx_target_text;
  static const char plain[] =
      " ?CallEffectKind ?CommReducer ?ComposeLayout ?ExecScope ?Iter ?Range "
      "?ScopeIdDef ?SwizzleLayout ?SMEMPool ?AddrArg ?PredArg "
      "?_GeneratorContextManager ";
  return rlx_text_is_among(result, plain) ? rlx_script_object_text : NULL;
}

RlxValue rlx_script_result(RlxEval *e, const char *name, const RlxPyArgs *args, RlxSpan span) {
  const RlxScriptKinds *row = kinds_of(e, name);
  const RlxScriptName *name_row = e->fn ? rlx_script_name(name, (RlxDialect)e->fn->dialect) : NULL;
  if (!name_row || name_row->how == RLX_SCRIPT_OTHER) return rlx_eval_failed(e, span);
  if (!row) return rlx_script_value(e, span);
  bool truth;
  if (strcmp(name, "static_assert") == 0 && args->count &&
      rlx_value_truth(&args->at[0].value, &truth) && !truth)
    return rlx_word_invalid(e, "T.static_assert", "condition", &args->at[0].value,
                            "what holds when the script is read", span);
  if (strcmp(row->result, "n") == 0) return (RlxValue){.kind = RLX_VALUE_NONE, .span = span};
  for (uint32_t i = 0; i < args->count && row->result[0] == 'e'; i++)
    if (args->at[i].value.kind == RLX_VALUE_SYMDECL && rlx_refuse_may_tell(e)) {
      rlx_eval_report(e, RLX_DIAG_ID(SYMBOL_UNDEFINED), args->at[i].value.span, "s", "v");
      return rlx_eval_failed(e, span);
    }
  const RlxDType dtype = result_dtype(e, row, args);
  if (!rlx_dtype_known(dtype)) return rlx_script_value(e, span);
  RlxDType own;
  const bool is_cast = args->count && rlx_dtype_parse(name, strlen(name), &own); // T.int64(x)
  return row->result[0] == 'v' && !is_cast
             ? rlx_word_declared(0, dtype, span)
             : rlx_value_of_prim(rlx_prim_call(e->store, 0, dtype, NULL, 0),
                                 span); // no other is equal
}

/// `I.meta_var(x)`, `T.meta_var(x)`: an object of the parser's. From 0.26 on an assignment takes out the value, which
/// stays Python's under the name.
static RlxValue meta_var(RlxEval *e, const RlxPyArgs *args, RlxSpan span) {
  const RlxValue *value = rlx_py_arg(e, args, 0, "value");
  const RlxAst *whole = e->stmt->kind == RLX_STMT_ASSIGN ? e->stmt->value : NULL;
  const bool is_assigned = whole && whole->kind == RLX_AST_CALL &&
                           whole->span.start == span.start && whole->span.end == span.end;
  e->is_meta = value && is_assigned && rlx_eval_is_027(e);
  return e->is_meta ? *value : rlx_eval_failed(e, span);
}

RlxValue rlx_word_meta_var(RlxEval *e, const RlxWordCall *c) {
  return meta_var(e, c->args, c->span);
}

/// The integer that T.reinterpret leaves as it is, being of that dtype already; NULL: it makes another value.
static const RlxPrim *kept_by_reinterpret(RlxEval *e, const char *name, const RlxPyArgs *args) {
  RlxDType to;
  const RlxValue *value;
  const char *text;
  if (strcmp(name, "reinterpret") != 0 || !dtype_and_value(e, args, &text, &value)) return NULL;
  if (!rlx_dtype_parse(text, strlen(text), &to) || !rlx_dtype_equal(to, dtype_of_value(value)))
    return NULL;
  if (value->kind == RLX_VALUE_INT) return rlx_prim_int_typed(e->store, value->integer, to);
  return value->kind == RLX_VALUE_PRIM ? value->prim : NULL;
}

/// Whether T.index_map gets a function and integers to give it; reported where not.
static bool is_index_map(RlxEval *e, const RlxPyArgs *args) {
  const RlxValue *map = rlx_py_arg(e, args, 0, "mapping"),
                 *spelled = rlx_py_arg(e, args, UINT32_MAX, "index_dtype");
  RlxDType dtype = RLX_VOID;
  if (map && (rlx_is_plain_object(map) || rlx_is_unknown_string(map) || rlx_is_bytes(map))) {
    rlx_word_invalid(e, "T.index_map", "mapping", map, "a function", map->span);
    return false;
  }
  const char *text = spelled && spelled->kind == RLX_VALUE_STR
                         ? rlx_store_text(e->store, spelled->string)
                         : "int64";
  const bool is_dtype = !*text || rlx_dtype_parse(text, strlen(text), &dtype);
  if (!is_dtype || rlx_dtype_is_bool(dtype) || (rlx_dtype_is_int(dtype) && dtype.lanes == 1))
    return true; // what is no dtype is told elsewhere
  rlx_word_invalid(e, "T.index_map", "index_dtype", spelled, "a dtype of integers", spelled->span);
  return false;
}

/// Whether T.target gets what says a target, and a host that is one or says one; reported where not.
static bool is_target(RlxEval *e, const RlxPyArgs *args) {
  static const char *const names[] = {"target_config", "host"};
  for (uint32_t i = 0; i < 2; i++) {
    const RlxValue *v = rlx_py_arg(e, args, i, names[i]);
    const char *expected = "a string or a dict";
    const RlxValue *wrong = !v || v->kind == RLX_VALUE_NONE ? NULL
                            : i == 0 && v->kind == RLX_VALUE_OTHER
                                ? v
                                : rlx_word_target_fault(e->store, e->arena, v, &expected);
    if (!wrong) continue;
    rlx_word_invalid(e, "T.target", names[i], wrong, expected, wrong->span);
    return false;
  }
  return true;
}

/// Another function of T over symbolic integers: uninterpreted.
RlxValue rlx_call_script_function(RlxEval *e, RlxName name, const RlxPyArgs *args, RlxSpan span) {
  const RlxPrim *parts[8];
  const char *text = rlx_store_text(e->store, name);
  bool is_checked = e->fn && rlx_refuse_may_tell(e);
  if (is_checked && is_for_prim_funcs(e, text))
    return rlx_word_outside(e, rlx_arena_printf(e->arena, "T.%s", text), span);
  if (strcmp(text, "meta_var") == 0) return meta_var(e, args, span);
  if (!fits_cast(e, text, args)) return rlx_eval_failed(e, span);
  const RlxPrim *kept = is_checked ? kept_by_reinterpret(e, text, args) : NULL;
  if (kept) return rlx_value_of_prim(kept, span);
  if (is_checked && strcmp(text, "target") == 0 && !is_target(e, args))
    return rlx_eval_failed(e, span);
  const char *part = other_result(e, text);
  if (part) return (RlxValue){.kind = RLX_VALUE_OTHER, .span = span, .text = part};
  if (!args->count || args->count > 8 || strchr(text, '.')) return rlx_eval_failed(e, span);
  if (is_checked && strcmp(text, "index_map") == 0 && !is_index_map(e, args))
    return rlx_eval_failed(e, span);
  if (args->at[0].value.kind == RLX_VALUE_LAMBDA && strcmp(text, "index_map") == 0)
    return args->at[0].value;
  const RlxScriptKinds *row = kinds_of(e, text);
  if (is_checked && row && row->result[0] != 'e') return rlx_eval_failed(e, span);
  RlxValue limit;
  if (is_limit(e, text, args, span, &limit)) return limit;
  for (uint32_t i = 0; i < args->count; i++) {
    const RlxValue *v = &args->at[i].value;
    parts[i] = rlx_value_prim(e, v);
    if (!parts[i]) return no_tensors(e, args, span);
    if (v->kind == RLX_VALUE_INT && args->count == 1) // a Python int by itself is an int32
      parts[i] = rlx_prim_int_typed(e->store, v->integer, RLX_INT32);
  }
  const RlxDType said = row ? result_dtype(e, row, args) : rlx_dtype_unknown(),
                 dtype = rlx_dtype_known(said) ? said : parts[0]->dtype;
  return rlx_value_of_prim(rlx_prim_call(e->store, name, dtype, parts, (int)args->count), span);
}
