/// Values of TVMScript's Python: making them, and what they are as numbers, as dimensions and in
/// messages. Always true: nothing is evaluated and nothing reported here.
#include <string.h>

#include "analyzer/eval/eval.h"

RlxValue rlx_value_none(void) {
  RlxValue v = {.kind = RLX_VALUE_NONE};
  return v;
}

RlxValue rlx_value_unknown(RlxSpan span) {
  RlxValue v = {.kind = RLX_VALUE_UNKNOWN, .span = span};
  return v;
}

RlxValue rlx_value_expr(RlxExpr *expr) {
  RlxValue v = {.kind = RLX_VALUE_EXPR, .span = expr->span};
  v.expr = expr;
  return v;
}

RlxValue rlx_eval_failed(RlxEval *e, RlxSpan span) {
  e->tainted |= RLX_OPEN; // a report has said more
  return rlx_value_unknown(span);
}

RlxValue rlx_value_of_int(int64_t value, RlxSpan span) {
  RlxValue v = {.kind = RLX_VALUE_INT, .span = span};
  v.integer = value;
  return v;
}

RlxValue rlx_value_of_float(double value, RlxSpan span) {
  RlxValue v = {.kind = RLX_VALUE_FLOAT, .span = span};
  v.number = value;
  return v;
}

RlxValue rlx_value_of_bool(bool value, RlxSpan span) {
  RlxValue v = {.kind = RLX_VALUE_BOOL, .span = span};
  v.boolean = value;
  return v;
}

RlxValue rlx_value_of_prim(const RlxPrim *prim, RlxSpan span) {
  RlxValue v = {.kind = RLX_VALUE_PRIM, .span = span};
  v.prim = prim;
  return v;
}

// ---- what a value is to Python, to Relax and to messages

bool rlx_value_as_number(const RlxValue *v, double *out) {
  if (v->kind == RLX_VALUE_FLOAT)
    *out = v->number;
  else if (v->kind == RLX_VALUE_INT)
    *out = (double)v->integer;
  else if (v->kind == RLX_VALUE_BOOL)
    *out = v->boolean;
  else
    return false;
  return true;
}

bool rlx_value_as_integer(const RlxValue *v, int64_t *out) {
  if (v->kind == RLX_VALUE_INT)
    *out = v->integer;
  else if (v->kind == RLX_VALUE_BOOL)
    *out = v->boolean;
  else
    return false;
  return true;
}

/// Python's truth of a value; false: not known.
bool rlx_value_truth(const RlxValue *v, bool *out) {
  double number;
  if (rlx_value_as_number(v, &number))
    *out = number != 0;
  else if (v->kind == RLX_VALUE_NONE)
    *out = false;
  else if (v->kind == RLX_VALUE_STR)
    *out = v->string != 0;
  else if (v->kind == RLX_VALUE_LIST || v->kind == RLX_VALUE_DICT)
    *out = v->count != 0;
  else if (v->kind == RLX_VALUE_EXPR)
    *out = true; // a Python object
  else
    return false;
  return true;
}

const RlxPrim *rlx_value_prim(RlxEval *e, const RlxValue *v) {
  switch (v->kind) {
  case RLX_VALUE_BOOL: return rlx_prim_int_typed(e->store, v->boolean, RLX_BOOL);
  case RLX_VALUE_INT: return rlx_prim_int(e->store, v->integer);
  case RLX_VALUE_FLOAT: return rlx_prim_float(e->store, v->number, RLX_FLOAT32);
  case RLX_VALUE_PRIM: return v->prim;
  case RLX_VALUE_EXPR:
    if (v->expr->kind == RLX_EXPR_PRIM) return v->expr->prim;
    if (v->expr->sinfo->kind != RLX_SINFO_PRIM) return NULL;
    if (!v->expr->sinfo->value && v->expr->kind == RLX_EXPR_VAR && rlx_eval_is_027(e))
      return rlx_prim_var(e->store, rlx_symvar(e->store, e->fn->function.scope, v->expr->var->name,
                                               v->expr->sinfo->dtype, true));
    return v->expr->sinfo->value;
  default: return NULL;
  }
}

const RlxPrim *rlx_as_dimension(RlxEval *e, const RlxPrim *dim) {
  bool is_number = dim->kind == RLX_PRIM_INT && rlx_dtype_is_int(dim->dtype);
  if (is_number && !rlx_dtype_equal(dim->dtype, RLX_INT64))
    return rlx_prim_int(e->store, dim->value);
  rlx_prim_mark_dimension(e->store, dim);
  return dim;
}

bool rlx_dim_is_narrow(const RlxEval *e, const RlxPrim *dim) {
  bool is_constant = dim->kind == RLX_PRIM_INT && dim->dtype.lanes == 1;
  return e->fn && e->fn->kind == RLX_ISLAND_RELAX && !rlx_eval_is_tlc(e) && !is_constant &&
         rlx_dtype_known(dim->dtype) && !rlx_dtype_equal(dim->dtype, RLX_INT64);
}

bool rlx_dim_is_variable(const RlxEval *e, const RlxValue *v) {
  if (v->kind != RLX_VALUE_EXPR || v->expr->kind == RLX_EXPR_HOLE || !e->fn ||
      e->fn->kind != RLX_ISLAND_RELAX || v->expr->sinfo->kind != RLX_SINFO_PRIM)
    return false;
  RlxDType dtype = v->expr->sinfo->dtype;
  bool is_local = e->in_dataflow && v->expr->kind == RLX_EXPR_VAR && v->expr->var->in_dataflow;
  if (is_local && rlx_eval_is_027(e)) return true; // a type outlives the block
  if (rlx_fn_may_be(e->fn, RLX_DIALECT_027))
    return e->fn->dialect == RLX_DIALECT_027 && rlx_dtype_known(dtype) &&
           !rlx_dtype_equal(dtype, RLX_INT64);
  return e->fn->dialect == RLX_DIALECT_025;
}

// What is known of a value is what it is; the texts mark such values.
static const char unknown_string[] = "a string", script_value[] = "a value of TensorIR";

static RlxValue known_to_be(RlxEval *e, const char *what, RlxSpan span) {
  RlxValue v = rlx_eval_failed(e, span);
  v.text = what;
  return v;
}

static bool is_known_to_be(const RlxValue *v, const char *what) {
  return v->kind == RLX_VALUE_UNKNOWN && v->text == what;
}

RlxValue rlx_unknown_string(RlxEval *e, RlxSpan span) {
  return known_to_be(e, unknown_string, span);
}

bool rlx_is_unknown_string(const RlxValue *v) { return is_known_to_be(v, unknown_string); }

RlxValue rlx_script_value(RlxEval *e, RlxSpan span) { return known_to_be(e, script_value, span); }

bool rlx_is_script_value(const RlxValue *v) { return is_known_to_be(v, script_value); }

#define SCRIPT_OBJECT "an object of TensorIR"
const char rlx_script_object_text[] = SCRIPT_OBJECT;
#define TARGET "a target"
const char rlx_target_text[] = TARGET;
const char rlx_bytes_text[] = "a bytes literal";

bool rlx_is_plain_object(const RlxValue *v) {
  static const char *const objects[] = {
      "a slice",  "a set", "a frozenset", "an iterator", "a complex number",
      "a module", "`...`", SCRIPT_OBJECT, TARGET};
  for (size_t i = 0; i < sizeof objects / sizeof *objects && v->kind == RLX_VALUE_OTHER; i++)
    if (v->text && strcmp(v->text, objects[i]) == 0) return true;
  return false;
}

bool rlx_word_is_other(const RlxValue *v, RlxValueKind kind) {
  static const uint8_t plain[] = {
      RLX_VALUE_NONE,   RLX_VALUE_BOOL, RLX_VALUE_INT,     RLX_VALUE_FLOAT, RLX_VALUE_STR,
      RLX_VALUE_LIST,   RLX_VALUE_DICT, RLX_VALUE_VDEVICE, RLX_VALUE_SINFO, RLX_VALUE_BUILTIN,
      RLX_VALUE_LAMBDA, RLX_VALUE_OP,   RLX_VALUE_TFUNC,   RLX_VALUE_DTYPE};
  if (v->kind == kind) return false;
  if (rlx_is_plain_object(v)) return true;
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    if (v->kind == plain[i]) return true;
  return false;
}

bool rlx_word_is_no(const RlxValue *v, RlxValueKind kind) {
  const bool is_wide =
      v->kind == RLX_VALUE_UINT64 || (v->kind == RLX_VALUE_OTHER && v->text == rlx_big_int_text);
  return rlx_word_is_other(v, kind) || is_wide || v->kind == RLX_VALUE_PRIM ||
         v->kind == RLX_VALUE_SYMDECL || v->kind == RLX_VALUE_CALLEE ||
         (v->kind == RLX_VALUE_EXPR && !rlx_expr_is_unknown(v->expr) &&
          !rlx_expr_is_reported(v->expr));
}

const char rlx_lambda_text[] = "a lambda";

const char rlx_mesh_text[] = "a mesh of devices";
const char rlx_big_int_text[] = "an integer of more than 64 bits";

const char *rlx_value_text(RlxEval *e, const RlxValue *v) {
  RlxBuf text = {0};
  switch (v->kind) {
  case RLX_VALUE_NONE: rlx_buf_puts(&text, "`None`"); break;
  case RLX_VALUE_BOOL: rlx_buf_printf(&text, "`%s`", v->boolean ? "True" : "False"); break;
  case RLX_VALUE_INT: rlx_buf_printf(&text, "the Python int %lld", (long long)v->integer); break;
  case RLX_VALUE_UINT64:
    rlx_buf_printf(&text, "the Python int %llu of 64 bits", (unsigned long long)v->integer);
    break;
  case RLX_VALUE_FLOAT: rlx_buf_printf(&text, "the Python float %g", v->number); break;
  case RLX_VALUE_STR:
    rlx_buf_printf(&text, "the string \"%.60s\"", rlx_store_text(e->store, v->string));
    break;
  case RLX_VALUE_PRIM:
    if (v->prim->kind == RLX_PRIM_CALL &&
        !v->prim->arg_count) { // of a call that nothing more is known of
      rlx_buf_puts(&text, script_value);
      break;
    }
    rlx_buf_puts(&text, rlx_dtype_is_float(v->prim->dtype) ? "the floating-point number `"
                                                           : "the symbolic integer `");
    rlx_prim_tell(e->store, v->prim, &text);
    rlx_buf_puts(&text, "`");
    if (rlx_dim_is_narrow(e, v->prim) && !rlx_dtype_is_float(v->prim->dtype)) {
      char dtype[RLX_DTYPE_TEXT_MAX];
      rlx_buf_printf(&text, " of dtype %s", rlx_dtype_text(v->prim->dtype, dtype));
    }
    break;
  case RLX_VALUE_LIST:
    rlx_buf_puts(&text, v->is_range   ? "a range or an iterator"
                        : v->is_tuple ? "a tuple"
                                      : "a list");
    break;
  case RLX_VALUE_DICT: rlx_buf_puts(&text, "a dict"); break;
  case RLX_VALUE_EXPR:
  case RLX_VALUE_CALLEE: rlx_sinfo_tell(e->store, v->expr->sinfo, &text); break;
  case RLX_VALUE_SINFO:
    rlx_buf_puts(&text, "the annotation "), rlx_sinfo_tell(e->store, v->sinfo, &text);
    break;
  case RLX_VALUE_OP: rlx_buf_puts(&text, "an operator that is not called"); break;
  case RLX_VALUE_NAMESPACE:
    rlx_buf_printf(&text, "`%s`", rlx_store_text(e->store, v->string));
    break;
  case RLX_VALUE_CLASS: rlx_buf_puts(&text, "a module"); break;
  case RLX_VALUE_CAST:
    rlx_buf_puts(&text, "a match_cast, which is bound to a variable first");
    break;
  case RLX_VALUE_METHOD:
    rlx_buf_printf(&text, "`.%s` by itself",
                   rlx_store_text(e->store, ((const RlxMethod *)v->thing)->name));
    break;
  case RLX_VALUE_LAMBDA: rlx_buf_puts(&text, "a lambda"); break;
  case RLX_VALUE_FUNCTION: rlx_buf_puts(&text, "a function"); break;
  case RLX_VALUE_DTYPE: {
    char dtype[RLX_DTYPE_TEXT_MAX];
    rlx_dtype_text(rlx_unpack_dtype(v->integer), dtype);
    rlx_buf_printf(&text, v->is_python ? "the dtype %s" : "`T.%s`", dtype);
    break;
  }
  case RLX_VALUE_BUILTIN:
    rlx_buf_printf(&text, "Python's `%s`", rlx_store_text(e->store, v->string));
    break;
  case RLX_VALUE_SYMDECL: rlx_buf_puts(&text, "a new symbolic variable"); break;
  case RLX_VALUE_WORD: rlx_buf_printf(&text, "`%s`", rlx_word_path((RlxWord)v->integer)); break;
  case RLX_VALUE_STATEMENT:
    rlx_buf_printf(&text, "`%s(…)`", rlx_word_path((RlxWord)v->integer));
    break;
  case RLX_VALUE_TFUNC: rlx_buf_printf(&text, "`T.%s`", rlx_store_text(e->store, v->string)); break;
  case RLX_VALUE_OTHER: rlx_buf_puts(&text, v->text ? v->text : "a Python value"); break;
  default: rlx_buf_puts(&text, rlx_is_unknown_string(v) ? unknown_string : "a Python value"); break;
  }
  const char *copy = rlx_arena_strdup(e->arena, rlx_buf_text(&text));
  rlx_buf_free(&text);
  return copy;
}

// ---- arguments

bool rlx_expr_is_unknown_constant(const RlxExpr *x) {
  if (x->kind != RLX_EXPR_CONSTANT || x->constant.value) return false;
  const RlxSInfo *s = x->sinfo;
  return s->kind != RLX_SINFO_TENSOR || !s->dims || !rlx_dtype_known(s->dtype);
}

const RlxValue *rlx_py_arg(RlxEval *e, const RlxPyArgs *args, uint32_t position,
                           const char *keyword) {
  uint32_t seen = 0;
  for (uint32_t i = 0; i < args->count; i++) {
    if (!args->at[i].keyword) {
      if (seen++ == position) return &args->at[i].value;
    } else if (strcmp(rlx_store_text(e->store, args->at[i].keyword), keyword) == 0)
      return &args->at[i].value;
  }
  return NULL;
}
