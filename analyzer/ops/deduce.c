/// How rules read their call: arguments and attributes, with one report for what is of a wrong
/// kind.
///
/// Always true: an argument that only Python knows (RLX_VALUE_UNKNOWN) gives "unknown" without a
/// report; what is of a wrong kind is reported once, at the argument.
#include "analyzer/ops/deduce.h"

#include "analyzer/diag/traits.h"
#include "analyzer/ops/ops.h"
#include <stdarg.h>
#include <string.h>

/// Argument `i`, never NULL: a call with fewer arguments than parameters reads as absent ones.
static const RlxValue *value_at(const RlxCall *call, int i) {
  static const RlxValue absent = {.kind = RLX_VALUE_ABSENT};
  return i >= 0 && (uint32_t)i < call->arg_count ? &call->args[i] : &absent;
}

static bool is_expr(const RlxValue *v) {
  return v->kind == RLX_VALUE_EXPR || v->kind == RLX_VALUE_CALLEE;
}

static bool is_absent(const RlxValue *v) {
  return v->kind == RLX_VALUE_ABSENT || v->kind == RLX_VALUE_NONE;
}

static void blame_expr(RlxStore *store, RlxSink *sink, RlxDiag *diag, const RlxExpr *x) {
  enum { MOST = 4 };
  if (!x || diag->related_count >= MOST) return;
  if (x->kind == RLX_EXPR_TUPLE)
    for (uint32_t i = 0; i < x->field_count; i++) blame_expr(store, sink, diag, x->fields[i]);
  if (x->kind != RLX_EXPR_VAR || !x->var->stmt || !x->sinfo || x->sinfo->kind == RLX_SINFO_SHAPE)
    return;
  for (uint32_t i = 0; i < diag->related_count; i++)
    if (diag->related[i].var == x->var) return;
  RlxBuf text = {0};
  rlx_buf_printf(&text, "`%s` is ", rlx_store_text(store, x->var->name));
  rlx_sinfo_tell(store, x->sinfo, &text);
  rlx_diag_related_var(sink, diag, x->var, rlx_buf_text(&text));
  rlx_buf_free(&text);
}

void rlx_blame_operands(RlxStore *store, RlxSink *sink, RlxDiag *diag, const RlxCall *call) {
  for (uint32_t i = 0; call->row && i < call->arg_count; i++) {
    const RlxValue *v = &call->args[i];
    if (is_expr(v)) blame_expr(store, sink, diag, v->expr);
    for (uint32_t k = 0; v->kind == RLX_VALUE_LIST && k < v->count; k++)
      if (is_expr(&v->items[k])) blame_expr(store, sink, diag, v->items[k].expr);
  }
}

/// Sizes that tell apart the two expressions that the rule found unequal.
static void name_sizes(RlxDeduce *d, RlxDiag *diag) {
  const RlxPrim *a = d->unequal[0], *b = d->unequal[1];
  d->unequal[0] = d->unequal[1] = NULL;
  RlxBuf sizes = {0};
  if (a && (a->vars | b->vars) && rlx_prove_tell_apart(d->store, d->facts, a, b, &sizes))
    diag->message =
        rlx_arena_printf(d->sink->arena, "%s (%s)", diag->message, rlx_buf_text(&sizes));
  rlx_buf_free(&sizes);
}

RlxDiag *rlx_fail(RlxDeduce *d, const RlxCall *call, int i, RlxDiagId id, const char *kinds, ...) {
  enum { MAX_ARGS = 10 };
  if (d->sink->is_silent) {
    d->failed = true;
    return rlx_report(d->sink, id, rlx_arg_span(call, i), NULL, 0);
  }
  const char *args[MAX_ARGS] = {rlx_text_op(d, call)};
  int count = 1;
  va_list values;
  va_start(values, kinds);
  for (const char *k = kinds; *k && count < MAX_ARGS; k++, count++) {
    switch (*k) {
    case 's': args[count] = va_arg(values, const char *); break;
    case 'i': args[count] = rlx_arena_printf(d->scratch, "%d", va_arg(values, int)); break;
    case 'd':
      args[count] = rlx_arena_printf(d->scratch, "%lld", (long long)va_arg(values, int64_t));
      break;
    case 'u':
      args[count] =
          rlx_arena_printf(d->scratch, "%llu", (unsigned long long)va_arg(values, uint64_t));
      break;
    default: args[count] = "?"; break;
    }
  }
  va_end(values);
  d->failed = true;
  RlxDiag *diag = rlx_report(d->sink, id, rlx_arg_span(call, i), args, count);
  name_sizes(d, diag);
  if (rlx_diag_has(id, RLX_TRAIT_OPERANDS)) rlx_blame_operands(d->store, d->sink, diag, call);
  return diag;
}

bool rlx_arg_given(const RlxCall *call, int i) { return !is_absent(value_at(call, i)); }

RlxSpan rlx_arg_span(const RlxCall *call, int i) {
  const RlxValue *v = value_at(call, i);
  if (v->kind == RLX_VALUE_ABSENT || v->is_default || v->span.end <= v->span.start)
    return call->span;
  return v->span;
}

const RlxSInfo *rlx_arg_sinfo(const RlxCall *call, int i) {
  const RlxValue *v = value_at(call, i);
  return is_expr(v) && v->expr ? v->expr->sinfo : NULL;
}

static const char *text_dtype(RlxDeduce *d, RlxDType dtype) {
  char text[RLX_DTYPE_TEXT_MAX];
  const char *name = rlx_dtype_text(dtype, text);
  return rlx_arena_printf(d->scratch, "the dtype \"%s\"", *name ? name : "void");
}

const char *rlx_text_value(RlxDeduce *d, const RlxValue *v) {
  switch ((RlxValueKind)v->kind) {
  case RLX_VALUE_ABSENT: return "nothing";
  case RLX_VALUE_NONE: return "None";
  case RLX_VALUE_BOOL: return v->boolean ? "True" : "False";
  case RLX_VALUE_INT: return rlx_arena_printf(d->scratch, "the int %lld", (long long)v->integer);
  case RLX_VALUE_FLOAT: return rlx_arena_printf(d->scratch, "the float %g", v->number);
  case RLX_VALUE_STR:
    return rlx_arena_printf(d->scratch, "the string \"%s\"", rlx_store_text(d->store, v->string));
  case RLX_VALUE_PRIM:
    return rlx_arena_printf(d->scratch, "the integer expression %s", rlx_text_prim(d, v->prim));
  case RLX_VALUE_LIST: return v->is_range ? "a range" : v->is_tuple ? "a tuple" : "a list";
  case RLX_VALUE_NUMBERS: return "an array";
  case RLX_VALUE_DICT: return "a dict";
  case RLX_VALUE_EXPR:
    if (v->is_python && v->expr->kind == RLX_EXPR_TUPLE) return "a tuple or list of Python";
    if (v->expr && v->expr->kind == RLX_EXPR_DTYPE) return text_dtype(d, v->expr->dtype);
    return v->expr && v->expr->sinfo ? rlx_text_sinfo(d, v->expr->sinfo) : "an expression";
  case RLX_VALUE_CALLEE:
    return v->expr && v->expr->sinfo ? rlx_text_sinfo(d, v->expr->sinfo) : "an expression";
  case RLX_VALUE_SINFO:
    return rlx_arena_printf(d->scratch, "the StructInfo %s", rlx_text_sinfo(d, v->sinfo));
  case RLX_VALUE_UNKNOWN: return "a value that only Python knows";
  case RLX_VALUE_VDEVICE: return "a virtual device";
  case RLX_VALUE_UINT64:
    return rlx_arena_printf(d->scratch, "the int %llu", (unsigned long long)v->integer);
  case RLX_VALUE_OTHER: return v->text ? v->text : "something else";
  }
  return "something else";
}

void rlx_fail_kind(RlxDeduce *d, const RlxCall *call, int i, const char *expected) {
  const char *name = call->row && i < call->row->param_count ? rlx_param_name(call, i) : "argument";
  rlx_fail(d, call, i, RLX_DIAG_ID(ARGUMENT_KIND), "sss", name, expected,
           d->sink->is_silent ? "" : rlx_text_value(d, value_at(call, i)));
}

/// What a parameter of this kind takes, for the message; NULL: None is the rule's affair.
static const char *without_none(RlxParamKind kind) {
  switch (kind) {
  case RLX_PARAM_EXPR: return "an expression";
  case RLX_PARAM_PRIM: return "an integer";
  case RLX_PARAM_INT: return "an int";
  case RLX_PARAM_FLOAT: return "a number";
  case RLX_PARAM_BOOL: return "a bool";
  case RLX_PARAM_STR: return "a string";
  case RLX_PARAM_DTYPE: return "a dtype";
  case RLX_PARAM_INTS: return "an int or a list of ints";
  case RLX_PARAM_TENSOR: return "a tensor";
  case RLX_PARAM_SHAPE: return "a shape";
  case RLX_PARAM_SINFO: return "a StructInfo";
  case RLX_PARAM_TUPLE:
  case RLX_PARAM_CALLEE:
  case RLX_PARAM_ANY: return NULL;
  }
  return NULL;
}

void rlx_need_no_none(RlxDeduce *d, const RlxCall *call) {
  for (int i = 0; call->row && i < call->row->param_count; i++) {
    const RlxOpParam *param = &call->row->params[i];
    const RlxValue *v = value_at(call, i);
    const char *expected = without_none(param->kind);
    bool is_default = param->default_text && strcmp(param->default_text, "None") == 0;
    if (v->kind != RLX_VALUE_NONE || v->is_default || is_default || param->is_nullable || !expected)
      continue;
    rlx_fail_kind(d, call, i, expected);
    return;
  }
}

/// The first of `v`'s items that can't be a field of a tuple; NULL when there is none.
static const RlxValue *bad_item(const RlxValue *v) {
  for (uint32_t i = 0; i < v->count; i++) switch (v->items[i].kind) {
    case RLX_VALUE_NONE:
    case RLX_VALUE_DICT:
    case RLX_VALUE_SINFO:
    case RLX_VALUE_VDEVICE:
    case RLX_VALUE_UINT64:
    case RLX_VALUE_OTHER: return &v->items[i];
    default: break;
    }
  return NULL;
}

/// Reports ARGUMENT_KIND for what stands where a tuple of expressions is wanted.
static void need_tuple(RlxDeduce *d, const RlxCall *call, int i) {
  const RlxValue *v = value_at(call, i), *bad = v->kind == RLX_VALUE_LIST ? bad_item(v) : NULL;
  bool is_nothing = v->kind == RLX_VALUE_NONE || v->kind == RLX_VALUE_DICT;
  if (is_nothing && !v->is_default && call->row->params[i].is_required) {
    rlx_fail_kind(d, call, i, "a tuple");
    return;
  }
  if (bad) {
    rlx_fail(d, call, i, RLX_DIAG_ID(ARGUMENT_KIND), "sss", rlx_param_name(call, i), "expressions",
             rlx_text_value(d, bad));
    return;
  }
  bool is_scalar = v->kind == RLX_VALUE_STR || v->kind == RLX_VALUE_INT ||
                   v->kind == RLX_VALUE_FLOAT || v->kind == RLX_VALUE_BOOL ||
                   (v->kind == RLX_VALUE_PRIM && !call->is_027) || v->kind == RLX_VALUE_UINT64 ||
                   v->kind == RLX_VALUE_OTHER; // a symbolic one is an expression from 0.26 on
  if (is_scalar && !v->is_default) rlx_fail_kind(d, call, i, "a tuple");
}

/// Reports ARGUMENT_KIND for an attribute of a kind that no conversion makes right, whether or not
/// the rule looks at it.
static void need_attribute(RlxDeduce *d, const RlxCall *call, int i, RlxParamKind kind) {
  const RlxValue *v = value_at(call, i);
  bool is_list = v->kind == RLX_VALUE_LIST || v->kind == RLX_VALUE_DICT;
  bool is_text = v->kind == RLX_VALUE_STR, is_float = v->kind == RLX_VALUE_FLOAT,
       is_number = is_float || v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_BOOL;
  bool wrong = kind == RLX_PARAM_INT                               ? is_list || is_text || is_float
               : kind == RLX_PARAM_FLOAT || kind == RLX_PARAM_BOOL ? is_list || is_text
               : kind == RLX_PARAM_STR || kind == RLX_PARAM_DTYPE  ? is_list || is_number
                                                                   : false;
  if (wrong && !v->is_default) rlx_fail_kind(d, call, i, without_none(kind));
}

void rlx_need_operands(RlxDeduce *d, const RlxCall *call) {
  for (int i = 0; call->row && i < call->row->param_count && !d->failed; i++) {
    const RlxOpParam *param = &call->row->params[i];
    const RlxValue *v = value_at(call, i);
    if (!param->is_variadic) need_attribute(d, call, i, param->kind);
    bool is_list = param->kind == RLX_PARAM_EXPR && param->is_variadic;
    if (param->kind == RLX_PARAM_TUPLE || is_list) need_tuple(d, call, i);
    bool is_number = v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_FLOAT ||
                     v->kind == RLX_VALUE_BOOL; // of the IR from 0.26 on
    if (is_number && param->kind == RLX_PARAM_CALLEE && call->is_027) continue;
    if (param->kind == RLX_PARAM_CALLEE && v->kind != RLX_VALUE_CALLEE &&
        v->kind != RLX_VALUE_UNKNOWN && v->kind != RLX_VALUE_STR && v->kind != RLX_VALUE_ABSENT &&
        !is_expr(v))
      rlx_fail_kind(d, call, i, "a function");
  }
}

/// A Python int (or bool), as attributes take them; no T.int64(1), no R.prim_value(1).
static bool is_plain_int(const RlxValue *v) {
  return v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_BOOL;
}

static bool is_plain_ints(const RlxValue *v) {
  if (v->kind != RLX_VALUE_LIST) return is_plain_int(v);
  for (uint32_t i = 0; i < v->count; i++)
    if (!is_plain_int(&v->items[i]) && v->items[i].kind != RLX_VALUE_UNKNOWN) return false;
  return true;
}

/// No integer, though it may be spelt in many ways: a list, a tensor, an object of Python.
static bool is_no_prim(const RlxValue *v) {
  if (v->kind == RLX_VALUE_LIST || v->kind == RLX_VALUE_DICT || v->kind == RLX_VALUE_SINFO ||
      v->kind == RLX_VALUE_OTHER)
    return true;
  const RlxSInfo *sinfo = is_expr(v) && v->expr ? v->expr->sinfo : NULL;
  bool is_none = sinfo && sinfo->kind == RLX_SINFO_TUPLE && !sinfo->count; // None as it is printed
  return sinfo && !is_none &&
         (sinfo->kind == RLX_SINFO_TENSOR || sinfo->kind == RLX_SINFO_SHAPE ||
          sinfo->kind == RLX_SINFO_TUPLE || sinfo->kind == RLX_SINFO_FUNC);
}

/// What an attribute is not, for the message; NULL: it is what it has to be, or the rule's affair.
static const char *wrong_kind(const RlxOpParam *param, const RlxValue *v) {
  if (v->is_default || is_absent(v) || v->kind == RLX_VALUE_UNKNOWN) return NULL;
  switch (param->kind) {
  case RLX_PARAM_BOOL: return is_plain_int(v) ? NULL : "True or False";
  case RLX_PARAM_INT: return is_plain_int(v) ? NULL : "an int";
  case RLX_PARAM_FLOAT:
    return is_plain_int(v) || v->kind == RLX_VALUE_FLOAT ||
                   (param->takes_imm && v->kind == RLX_VALUE_PRIM &&
                    v->prim->kind == RLX_PRIM_FLOAT)
               ? NULL
               : "a number";
  case RLX_PARAM_INTS: return is_plain_ints(v) && !v->is_range ? NULL : "an int or a list of ints";
  case RLX_PARAM_STR:
    return v->kind == RLX_VALUE_STR ||
                   (param->takes_imm && is_expr(v) && v->expr->kind == RLX_EXPR_STRING)
               ? NULL
               : "a string";
  case RLX_PARAM_DTYPE:
    return is_expr(v) && v->expr->kind == RLX_EXPR_DTYPE && !param->takes_imm
               ? "a dtype's name without R.dtype"
               : NULL;
  case RLX_PARAM_TENSOR: return is_expr(v) && !v->is_python ? NULL : "a tensor";
  case RLX_PARAM_EXPR: return is_expr(v) && !v->is_python ? NULL : "an expression";
  case RLX_PARAM_SHAPE:
  case RLX_PARAM_TUPLE:
  case RLX_PARAM_CALLEE:
  case RLX_PARAM_SINFO:
  case RLX_PARAM_ANY: return NULL;
  case RLX_PARAM_PRIM: return is_no_prim(v) ? "an integer" : NULL;
  }
  return NULL;
}

/// What becomes an expression of the IR by itself, from 0.26 on.
static bool is_scalar(const RlxValue *v) {
  bool is_number = v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_FLOAT ||
                   v->kind == RLX_VALUE_BOOL || v->kind == RLX_VALUE_PRIM ||
                   v->kind == RLX_VALUE_STR;
  return is_number || (v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_PRIM);
}

void rlx_need_kinds(RlxDeduce *d, const RlxCall *call) {
  for (int i = 0; call->row && i < call->row->param_count; i++) {
    const RlxOpParam *param = &call->row->params[i];
    if (param->is_loose) continue;
    const char *expected = param->is_variadic ? NULL : wrong_kind(param, value_at(call, i));
    if (!expected) continue;
    bool may_be_scalar = param->kind == RLX_PARAM_EXPR || param->kind == RLX_PARAM_TENSOR;
    if (call->is_027 && may_be_scalar && is_scalar(value_at(call, i))) continue;
    rlx_fail_kind(d, call, i, expected);
    return;
  }
}

// ---- expressions

const RlxSInfo *rlx_arg_tensor(RlxDeduce *d, const RlxCall *call, int i) {
  const RlxValue *v = value_at(call, i);
  if (v->kind == RLX_VALUE_UNKNOWN) return NULL;
  const RlxSInfo *sinfo = rlx_arg_sinfo(call, i);
  if (sinfo && sinfo->kind == RLX_SINFO_TENSOR) return sinfo;
  if (sinfo && sinfo->kind == RLX_SINFO_DTENSOR && sinfo->tensor) return sinfo->tensor;
  rlx_fail_kind(d, call, i, "a tensor");
  return NULL;
}

bool rlx_arg_tensors(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *const **out,
                     int *out_count) {
  const RlxValue *v = value_at(call, i);
  *out = NULL;
  *out_count = -1;
  if (v->kind == RLX_VALUE_UNKNOWN) return true;
  if (v->kind == RLX_VALUE_LIST) {
    const RlxSInfo **fields = rlx_arena_array(d->scratch, const RlxSInfo *, v->count + 1);
    for (uint32_t k = 0; k < v->count; k++) {
      const RlxValue *item = &v->items[k];
      if (item->kind == RLX_VALUE_UNKNOWN) return true;
      fields[k] = is_expr(item) && item->expr ? item->expr->sinfo : NULL;
      if (!fields[k] || fields[k]->kind != RLX_SINFO_TENSOR) {
        rlx_fail_kind(d, call, i, "a tuple of tensors");
        return false;
      }
    }
    *out = fields;
    *out_count = (int)v->count;
    return true;
  }
  const RlxSInfo *sinfo = rlx_arg_sinfo(call, i);
  if (!sinfo || sinfo->kind != RLX_SINFO_TUPLE) {
    rlx_fail_kind(d, call, i, "a tuple of tensors");
    return false;
  }
  if (d->fields_max && sinfo->count > d->fields_max) return true; // thousands of calls may take it
  for (int k = 0; k < sinfo->count; k++) {
    if (sinfo->fields[k]->kind != RLX_SINFO_TENSOR) {
      rlx_fail_kind(d, call, i, "a tuple of tensors");
      return false;
    }
  }
  *out = sinfo->fields;
  *out_count = sinfo->count;
  return true;
}

/// The integer that a list item stands for, or NULL.
static const RlxPrim *prim_of(RlxDeduce *d, const RlxValue *v) {
  switch ((RlxValueKind)v->kind) {
  case RLX_VALUE_INT: return rlx_dim(d, v->integer);
  case RLX_VALUE_BOOL: return rlx_dim(d, v->boolean);
  case RLX_VALUE_PRIM: return v->prim;
  case RLX_VALUE_EXPR:
    if (v->expr && v->expr->kind == RLX_EXPR_PRIM) return v->expr->prim;
    return v->expr && v->expr->sinfo && v->expr->sinfo->kind == RLX_SINFO_PRIM
               ? v->expr->sinfo->value
               : NULL;
  case RLX_VALUE_ABSENT:
  case RLX_VALUE_NONE:
  case RLX_VALUE_FLOAT:
  case RLX_VALUE_STR:
  case RLX_VALUE_LIST:
  case RLX_VALUE_NUMBERS:
  case RLX_VALUE_DICT:
  case RLX_VALUE_SINFO:
  case RLX_VALUE_CALLEE:
  case RLX_VALUE_UNKNOWN:
  case RLX_VALUE_VDEVICE:
  case RLX_VALUE_UINT64:
  case RLX_VALUE_OTHER: return NULL;
  }
  return NULL;
}

bool rlx_arg_shape(RlxDeduce *d, const RlxCall *call, int i, const RlxPrim *const **dims,
                   int *ndim) {
  const RlxValue *v = value_at(call, i);
  *dims = NULL;
  *ndim = -1;
  if (v->kind == RLX_VALUE_UNKNOWN) return true;
  if (v->kind == RLX_VALUE_LIST) {
    const RlxPrim **values = rlx_dims_new(d, (int)v->count);
    *ndim = (int)v->count;
    bool known = true;
    for (uint32_t k = 0; k < v->count; k++) {
      values[k] = prim_of(d, &v->items[k]);
      if (!values[k] && v->items[k].kind != RLX_VALUE_UNKNOWN &&
          v->items[k].kind != RLX_VALUE_EXPR) {
        rlx_fail_kind(d, call, i, "a shape");
        return false;
      }
      known &= values[k] != NULL;
    }
    *dims = known ? values : NULL;
    return true;
  }
  const RlxSInfo *sinfo = rlx_arg_sinfo(call, i);
  if (!sinfo || sinfo->kind != RLX_SINFO_SHAPE) {
    rlx_fail_kind(d, call, i, "a shape");
    return false;
  }
  *dims = sinfo->dims;
  *ndim = sinfo->ndim;
  return true;
}

const RlxPrim *rlx_arg_prim(RlxDeduce *d, const RlxCall *call, int i) {
  const RlxValue *v = value_at(call, i);
  if (is_absent(v) || v->kind == RLX_VALUE_UNKNOWN) return NULL;
  const RlxPrim *p = prim_of(d, v);
  if (p) return p;
  if (v->kind == RLX_VALUE_FLOAT) return rlx_prim_float(d->store, v->number, RLX_FLOAT32);
  const RlxSInfo *sinfo = rlx_arg_sinfo(call, i);
  if (!sinfo || sinfo->kind != RLX_SINFO_PRIM)
    rlx_fail_kind(d, call, i, "an integer (R.prim_value(…), n or 3)");
  return NULL;
}

// ---- attributes

/// Absent, unknown, bad (None where a value is required, reported) or OK (to look at); shared by
/// all attribute readers.
static RlxAttrState attr_state(RlxDeduce *d, const RlxCall *call, int i, const char *expected) {
  const RlxValue *v = value_at(call, i);
  if (v->kind == RLX_VALUE_NONE && call->row && call->row->params[i].is_required) {
    rlx_fail_kind(d, call, i, expected);
    return RLX_ATTR_BAD;
  }
  if (is_absent(v)) return RLX_ATTR_ABSENT;
  return v->kind == RLX_VALUE_UNKNOWN ? RLX_ATTR_UNKNOWN : RLX_ATTR_OK;
}

/// The Python int that a value is; false when it is none.
static bool int_of(const RlxValue *v, int64_t *out) {
  if (v->kind == RLX_VALUE_INT) return *out = v->integer, true;
  if (v->kind == RLX_VALUE_BOOL) return *out = v->boolean, true;
  if (v->kind == RLX_VALUE_PRIM) return rlx_prim_is_const(v->prim, out);
  return v->kind == RLX_VALUE_EXPR && v->expr && v->expr->kind == RLX_EXPR_PRIM &&
         rlx_prim_is_const(v->expr->prim, out);
}

RlxAttrState rlx_attr_int(RlxDeduce *d, const RlxCall *call, int i, int64_t *out) {
  const RlxValue *v = value_at(call, i);
  RlxAttrState state = attr_state(d, call, i, "an int");
  *out = 0;
  if (state != RLX_ATTR_OK || int_of(v, out)) return state;
  rlx_fail_kind(d, call, i, "an int");
  return RLX_ATTR_BAD;
}

RlxAttrState rlx_attr_float(RlxDeduce *d, const RlxCall *call, int i, double *out) {
  const RlxValue *v = value_at(call, i);
  RlxAttrState state = attr_state(d, call, i, "a number");
  int64_t whole;
  *out = 0;
  if (state != RLX_ATTR_OK) return state;
  if (v->kind == RLX_VALUE_FLOAT) return *out = v->number, state;
  if (int_of(v, &whole)) return *out = (double)whole, state;
  rlx_fail_kind(d, call, i, "a number");
  return RLX_ATTR_BAD;
}

RlxAttrState rlx_attr_bool(RlxDeduce *d, const RlxCall *call, int i, bool *out) {
  const RlxValue *v = value_at(call, i);
  RlxAttrState state = attr_state(d, call, i, "True or False");
  int64_t whole;
  *out = false;
  if (state != RLX_ATTR_OK) return state;
  if (int_of(v, &whole)) return *out = whole != 0, state;
  rlx_fail_kind(d, call, i, "True or False");
  return RLX_ATTR_BAD;
}

RlxAttrState rlx_attr_str(RlxDeduce *d, const RlxCall *call, int i, const char **out) {
  const RlxValue *v = value_at(call, i);
  RlxAttrState state = attr_state(d, call, i, "a string");
  *out = "";
  if (state != RLX_ATTR_OK) return state;
  if (v->kind == RLX_VALUE_STR) return *out = rlx_store_text(d->store, v->string), state;
  if (v->kind == RLX_VALUE_EXPR && v->expr && v->expr->kind == RLX_EXPR_STRING) {
    return *out = rlx_store_text(d->store, v->expr->name), state;
  }
  rlx_fail_kind(d, call, i, "a string");
  return RLX_ATTR_BAD;
}

RlxAttrState rlx_attr_dtype(RlxDeduce *d, const RlxCall *call, int i, RlxDType *out) {
  const RlxValue *v = value_at(call, i);
  RlxAttrState state = attr_state(d, call, i, "a dtype");
  *out = rlx_dtype_unknown();
  if (state != RLX_ATTR_OK) return state;
  if (v->kind == RLX_VALUE_EXPR && v->expr && v->expr->kind == RLX_EXPR_DTYPE)
    return *out = v->expr->dtype, state;
  if (v->kind != RLX_VALUE_STR) {
    rlx_fail_kind(d, call, i, "a dtype");
    return RLX_ATTR_BAD;
  }
  const char *text = rlx_store_text(d->store, v->string);
  bool is_027 = call->is_027, is_pointer = strcmp(text, "handle") == 0 && is_027;
  if (is_027 && !v->is_default && (!*text || strcmp(text, "void") == 0))
    return *out = RLX_VOID, state; // a dtype of its own; an unknown one is None there
  if (is_pointer || !rlx_dtype_parse(text, strlen(text), out)) {
    const char *nearest = rlx_dtype_nearest(text);
    RlxDiag *diag =
        rlx_fail(d, call, i, RLX_DIAG_ID(DTYPE_UNKNOWN), "ss", text,
                 nearest ? rlx_arena_printf(d->scratch, "; did you mean `%s`?", nearest) : "");
    if (diag) rlx_diag_fix_dtype(d->sink, diag, v->span, text);
    return RLX_ATTR_BAD;
  }
  if (rlx_dtype_is_odd(*out)) {
    const char *args[] = {rlx_text_op(d, call), text};
    RlxDiag *diag = rlx_report(d->sink, RLX_DIAG_ID(DTYPE_ODD), rlx_arg_span(call, i), args, 2);
    rlx_diag_fix_dtype(d->sink, diag, v->span, text);
  }
  return rlx_dtype_known(*out) ? RLX_ATTR_OK : RLX_ATTR_ABSENT;
}

bool rlx_need_list(RlxDeduce *d, const RlxCall *call, int i) {
  if (!rlx_arg_given(call, i) || !is_plain_int(value_at(call, i))) return true;
  rlx_fail_kind(d, call, i, "a list of ints");
  return false;
}

RlxAttrState rlx_attr_ints(RlxDeduce *d, const RlxCall *call, int i, const int64_t **out,
                           int *out_count) {
  const RlxValue *v = value_at(call, i);
  RlxAttrState state = attr_state(d, call, i, "an int or a list of ints");
  *out = NULL;
  *out_count = 0;
  if (state != RLX_ATTR_OK) return state;
  int64_t one;
  if (int_of(v, &one)) {
    *out = rlx_arena_copy(d->scratch, &one, 1, sizeof one);
    *out_count = 1;
    return state;
  }
  if (v->kind != RLX_VALUE_LIST) {
    rlx_fail_kind(d, call, i, "an int or a list of ints");
    return RLX_ATTR_BAD;
  }
  int64_t *values = rlx_arena_array(d->scratch, int64_t, v->count + 1);
  for (uint32_t k = 0; k < v->count; k++) {
    if (v->items[k].kind == RLX_VALUE_UNKNOWN) return RLX_ATTR_UNKNOWN;
    if (int_of(&v->items[k], &values[k])) continue;
    rlx_fail_kind(d, call, i, "a list of ints");
    return RLX_ATTR_BAD;
  }
  *out = values;
  *out_count = (int)v->count;
  return state;
}

/// The number `number`, written in `v`: itself, or item `from` of a list or a later one. NULL: none.
static const RlxValue *item_of(const RlxValue *v, int64_t number, uint32_t from) {
  int64_t one;
  if (v->kind != RLX_VALUE_LIST)
    return !v->is_default && v->span.end > v->span.start && int_of(v, &one) && one == number ? v
                                                                                             : NULL;
  for (uint32_t k = from; !v->is_default && k < v->count; k++)
    if (v->items[k].span.end > v->items[k].span.start && int_of(&v->items[k], &one) &&
        one == number)
      return &v->items[k];
  return NULL;
}

/// Whether a list has this axis of a tensor of rank `ndim`, counted from the front or the back.
static bool has_axis(const RlxValue *list, int64_t axis, int ndim) {
  int64_t one;
  for (uint32_t k = 0; list->kind == RLX_VALUE_LIST && k < list->count; k++)
    if (int_of(&list->items[k], &one) && (one == axis || one == axis + ndim || one + ndim == axis))
      return true;
  return false;
}

/// The fixes of a list of axes whose item `at` repeats item `earlier`. One of as many axes as there
/// are dimensions gets the one that is left out, in the place that leaves the axes not as they were;
/// another one loses the repetition.
static void fix_repeated(RlxDeduce *d, const RlxCall *call, int i, RlxDiag *diag, int ndim,
                         uint32_t earlier, uint32_t at) {
  const RlxValue *v = value_at(call, i);
  if (v->kind != RLX_VALUE_LIST || v->is_default ||
      v->items[at].span.end <= v->items[at].span.start)
    return;
  if (v->count != (uint32_t)ndim) {
    rlx_diag_fix(d->sink, diag, "remove it",
                 rlx_span(v->items[at - 1].span.end, v->items[at].span.end), "");
    return;
  }
  int64_t left = 0, one;
  while (left < ndim && has_axis(v, left, ndim)) left++;
  bool stays = left == at; // in place of the later one: are all axes where they were?
  for (uint32_t k = 0; k < v->count && stays; k++)
    stays = k == at || (int_of(&v->items[k], &one) && (one < 0 ? one + ndim : one) == k);
  if (left < ndim)
    rlx_diag_fix(d->sink, diag, rlx_arena_printf(d->scratch, "change to `%lld`", (long long)left),
                 v->items[stays ? earlier : at].span,
                 rlx_arena_printf(d->scratch, "%lld", (long long)left));
}

/// Normalises one axis against `ndim`; false (reported) when it is out of range.
void rlx_fail_axis(RlxDeduce *d, const RlxCall *call, int i, int64_t axis, int ndim, int first) {
  const char *range = ndim ? rlx_arena_printf(d->scratch, "expected %d to %d", first, ndim - 1)
                           : "a scalar has no axes";
  RlxDiag *diag = rlx_fail(d, call, i, RLX_DIAG_ID(AXIS_RANGE), "dis", axis, ndim, range);
  const RlxValue *item = item_of(value_at(call, i), axis, 0);
  int64_t to = axis < first ? first : ndim - 1;
  for (int step = axis < first ? 1 : -1; has_axis(value_at(call, i), to, ndim); to += step)
    if (to + step < first || to + step >= ndim) return;
  if (ndim > 0 && item)
    rlx_diag_fix(d->sink, diag, rlx_arena_printf(d->scratch, "change to `%lld`", (long long)to),
                 item->span, rlx_arena_printf(d->scratch, "%lld", (long long)to));
}

static bool normalize_axis(RlxDeduce *d, const RlxCall *call, int i, int ndim, int64_t axis,
                           int *out) {
  if (ndim >= 0 && (axis < -ndim || axis >= ndim)) {
    rlx_fail_axis(d, call, i, axis, ndim, -ndim);
    return false;
  }
  if (axis > 1 << 20 || axis < -(1 << 20)) axis = 1 << 20; // only when the rank is unknown
  *out = (int)(ndim >= 0 && axis < 0 ? axis + ndim : axis);
  return true;
}

RlxAttrState rlx_attr_axis(RlxDeduce *d, const RlxCall *call, int i, int ndim, int *out) {
  int64_t axis;
  RlxAttrState state = rlx_attr_int(d, call, i, &axis);
  *out = 0;
  if (state != RLX_ATTR_OK) return state;
  return normalize_axis(d, call, i, ndim, axis, out) ? RLX_ATTR_OK : RLX_ATTR_BAD;
}

RlxAttrState rlx_attr_axes(RlxDeduce *d, const RlxCall *call, int i, int ndim, const int **out,
                           int *out_count) {
  const int64_t *given;
  RlxAttrState state = rlx_attr_ints(d, call, i, &given, out_count);
  int count = *out_count;
  *out = NULL;
  *out_count = 0;
  if (state != RLX_ATTR_OK) return state;
  int *axes = rlx_arena_array(d->scratch, int, count + 1);
  for (int k = 0; k < count; k++) {
    if (!normalize_axis(d, call, i, ndim, given[k], &axes[k])) return RLX_ATTR_BAD;
    for (int j = 0; ndim >= 0 && j < k; j++) {
      if (axes[j] != axes[k]) continue;
      RlxDiag *diag =
          rlx_fail(d, call, i, RLX_DIAG_ID(AXIS_REPEATED), "is", axes[k], rlx_param_name(call, i));
      fix_repeated(d, call, i, diag, ndim, (uint32_t)j, (uint32_t)k);
      return RLX_ATTR_BAD;
    }
  }
  *out = axes;
  *out_count = count;
  return RLX_ATTR_OK;
}

int64_t rlx_attr_int_or(RlxDeduce *d, const RlxCall *call, int i, int64_t otherwise) {
  int64_t value;
  return rlx_attr_int(d, call, i, &value) == RLX_ATTR_OK ? value : otherwise;
}

bool rlx_arg_is_plain(const RlxCall *call, int i) {
  const RlxValue *v = value_at(call, i);
  return v->kind == RLX_VALUE_BOOL || v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_FLOAT ||
         v->kind == RLX_VALUE_PRIM || v->kind == RLX_VALUE_LIST || v->kind == RLX_VALUE_DICT ||
         (is_expr(v) && v->expr->kind != RLX_EXPR_HOLE);
}

bool rlx_attr_bool_or(RlxDeduce *d, const RlxCall *call, int i, bool otherwise) {
  bool value;
  return rlx_attr_bool(d, call, i, &value) == RLX_ATTR_OK ? value : otherwise;
}

RlxDType rlx_attr_dtype_or(RlxDeduce *d, const RlxCall *call, int i, RlxDType otherwise) {
  RlxDType dtype;
  RlxAttrState state = rlx_attr_dtype(d, call, i, &dtype);
  return state == RLX_ATTR_ABSENT ? otherwise : dtype;
}
