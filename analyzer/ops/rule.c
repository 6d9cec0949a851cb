/// Rules that many operators share: dtypes, devices, broadcasting, and how results are put
/// together.
///
/// Always true: two dimensions count as different only when that is proved; what can't be decided
/// gives less knowledge, never a report.
#include "analyzer/ops/deduce.h"
#include "analyzer/struct_info/sinfo_memo.h"

#include "analyzer/ops/ops.h"
#include "analyzer/struct_info/module_view.h"
#include "base/buf.h"
#include <float.h>
#include <math.h>
#include <string.h>

// ---- dimensions

bool rlx_rule_equal(RlxDeduce *d, const RlxPrim *a, const RlxPrim *b) {
  return a == b || rlx_prove_equal(d->store, d->facts, a, b) == RLX_YES;
}

bool rlx_rule_unequal(RlxDeduce *d, const RlxPrim *a, const RlxPrim *b) {
  bool unequal = a != b && rlx_prove_equal(d->store, d->facts, a, b) == RLX_NO;
  if (unequal) d->unequal[0] = a, d->unequal[1] = b;
  return unequal;
}

const RlxPrim *rlx_rule_product(RlxDeduce *d, const RlxPrim *const *dims, int count) {
  const RlxPrim *product = rlx_dim(d, 1);
  for (int i = 0; i < count; i++) product = rlx_prim_mul(d->store, product, dims[i]);
  return product;
}

const RlxPrim *const *rlx_rule_dims(RlxDeduce *d, const RlxSInfo *x) {
  if (x->dims || !x->shape_var || !d->sinfo_of_var) return x->dims;
  const RlxSInfo *shape = d->sinfo_of_var(x->shape_var, d->data);
  if (!shape || shape->kind != RLX_SINFO_SHAPE || (x->ndim >= 0 && shape->ndim != x->ndim))
    return NULL;
  return shape->dims;
}

// ---- results

const RlxSInfo *rlx_out_tensor(RlxDeduce *d, RlxDims dims, int ndim, RlxDType dtype,
                               const RlxVDevice *vdevice) {
  if (dims && ndim >= 0) return rlx_sinfo_tensor(d->store, dims, ndim, dtype, vdevice);
  return rlx_sinfo_tensor_ndim(d->store, ndim, dtype, vdevice);
}

const RlxSInfo *rlx_out(RlxDeduce *d, const RlxSInfo *x, RlxDims dims, int ndim) {
  return rlx_out_tensor(d, dims, ndim, x->dtype, x->vdevice);
}

const RlxSInfo *rlx_out_as(RlxDeduce *d, const RlxSInfo *x, RlxDims dims, int ndim,
                           RlxDType dtype) {
  return rlx_out_tensor(d, dims, ndim, dtype, x->vdevice);
}

const RlxSInfo *rlx_out_like(RlxDeduce *d, const RlxSInfo *like, RlxDType dtype,
                             const RlxVDevice *vdevice) {
  if (like->shape_var)
    return rlx_sinfo_tensor_of(d->store, like->shape_var, like->ndim, dtype, vdevice);
  return rlx_out_tensor(d, like->dims, like->ndim, dtype, vdevice);
}

const RlxSInfo *rlx_out_unknown(RlxDeduce *d) {
  return rlx_sinfo_tensor_ndim(d->store, -1, rlx_dtype_unknown(), NULL);
}

const RlxSInfo *rlx_out_of_shape(RlxDeduce *d, const RlxCall *call, int i, RlxDType dtype,
                                 const RlxVDevice *vdevice) {
  RlxDims dims;
  int ndim;
  if (!rlx_arg_shape(d, call, i, &dims, &ndim)) return rlx_out_tensor(d, NULL, -1, dtype, vdevice);
  const RlxValue *v = &call->args[i];
  if (v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_VAR && !v->expr->var->is_temporary) {
    RlxVar *var = v->expr->var;
    if (!var->symbol && d->scope)
      var->symbol = rlx_symvar(d->store, d->scope, var->name, rlx_dtype_unknown(), true);
    if (var->symbol) return rlx_sinfo_tensor_of(d->store, var->symbol, ndim, dtype, vdevice);
  }
  return rlx_out_tensor(d, dims, ndim, dtype, vdevice);
}

const RlxSInfo *rlx_out_tuple(RlxDeduce *d, const RlxSInfo *const *fields, int count) {
  return rlx_sinfo_tuple(d->store, fields, count);
}

const RlxSInfo *rlx_rule_with_dtype(RlxDeduce *d, const RlxSInfo *x, RlxDType dtype) {
  if (rlx_dtype_equal(x->dtype, dtype)) return x;
  return rlx_out_like(d, x, dtype, x->vdevice);
}

// ---- checks

bool rlx_dtype_is_ieee(RlxDType t) {
  return t.code == RLX_DTYPE_FLOAT || t.code == RLX_DTYPE_BFLOAT;
}

static void fail_dtype(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *x,
                       const char *expected, const char *cast) {
  RlxDiag *diag = rlx_fail(d, call, i, RLX_DIAG_ID(DTYPE_CLASS), "sss", rlx_param_name(call, i),
                           rlx_text_dtype(d, x->dtype), expected);
  rlx_fix_wrap(d, call, i, diag, rlx_arena_printf(d->sink->arena, "cast it to %s", cast),
               "R.astype(", rlx_arena_printf(d->sink->arena, ", \"%s\")", cast));
}

bool rlx_need_float(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *x) {
  if (!rlx_dtype_known(x->dtype) || rlx_dtype_is_ieee(x->dtype)) return true;
  fail_dtype(d, call, i, x, "a floating-point dtype", "float32");
  return false;
}

bool rlx_need_int(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *x) {
  if (!rlx_dtype_known(x->dtype) || rlx_dtype_is_int(x->dtype)) return true;
  fail_dtype(d, call, i, x, "an integer dtype", "int64");
  return false;
}

void rlx_fail_rank(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *found,
                   const char *expected) {
  const char *rank =
      found->ndim < 0 ? "unknown rank" : rlx_arena_printf(d->scratch, "rank %d", found->ndim);
  rlx_fail(d, call, i, RLX_DIAG_ID(RANK), "sss", rlx_param_name(call, i), rank, expected);
}

bool rlx_need_ndim(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *x, int ndim,
                   bool strict) {
  if (x->ndim == ndim || (x->ndim < 0 && !strict)) return true;
  rlx_fail_rank(d, call, i, x, rlx_arena_printf(d->scratch, "rank %d", ndim));
  return false;
}

/// Is `text` one of the words of "A|B|C"?
static bool is_allowed(const char *allowed, const char *text) {
  size_t size = strlen(text);
  for (const char *word = allowed;; word = strchr(word, '|') + 1) {
    if (strncmp(word, text, size) == 0 && (word[size] == '|' || word[size] == '\0')) return true;
    if (!strchr(word, '|')) return false;
  }
}

/// The words of "A|B|C" as `"A", "B", "C"`.
static const char *text_allowed(RlxDeduce *d, const char *allowed) {
  RlxBuf words = {0};
  for (const char *p = allowed; *p; p++) {
    if (p == allowed) rlx_buf_putc(&words, '"');
    if (*p == '|') {
      rlx_buf_puts(&words, "\", \"");
    } else {
      rlx_buf_putc(&words, *p);
    }
  }
  rlx_buf_putc(&words, '"');
  return rlx_text_buf(d, &words);
}

bool rlx_need_allowed(RlxDeduce *d, const RlxCall *call, int i) {
  const char *allowed = call->row->params[i].allowed, *text;
  if (!allowed || rlx_attr_str(d, call, i, &text) != RLX_ATTR_OK || is_allowed(allowed, text))
    return true;
  rlx_fail(d, call, i, RLX_DIAG_ID(VALUE_ALLOWED), "sss", rlx_param_name(call, i),
           rlx_arena_printf(d->scratch, "\"%s\"", text), text_allowed(d, allowed));
  return false;
}

void rlx_note_words(RlxDeduce *d, const RlxCall *call) {
  for (int i = 0; i < call->row->param_count && (uint32_t)i < call->arg_count; i++) {
    const RlxOpParam *param = &call->row->params[i];
    const RlxValue *v = &call->args[i];
    if (!param->allowed || v->kind != RLX_VALUE_STR) continue;
    const char *text = rlx_store_text(d->store, v->string);
    if (is_allowed(param->allowed, text)) continue;
    const char *args[] = {rlx_text_op(d, call), param->name, text, text_allowed(d, param->allowed)};
    rlx_report(d->sink, RLX_DIAG_ID(WORD_UNKNOWN), rlx_arg_span(call, i), args, 4);
  }
}

/// The first dimension that is a negative number, of a tensor or in a tuple; -1 when there is none.
static int negative_within(const RlxSInfo *sinfo, int64_t *out, RlxSInfoMemo *memo) {
  for (int i = 0; sinfo && sinfo->kind == RLX_SINFO_TENSOR && sinfo->dims && i < sinfo->ndim; i++)
    if (rlx_prim_is_const(sinfo->dims[i], out) && *out < 0) return i;
  if (!sinfo || sinfo->kind != RLX_SINFO_TUPLE || rlx_sinfo_meet_again(memo, sinfo, NULL))
    return -1;
  for (int i = 0; i < sinfo->count; i++) {
    int at = negative_within(sinfo->fields[i], out, memo);
    if (at >= 0) return at;
  }
  return -1;
}

static int negative_dim(const RlxSInfo *sinfo, int64_t *out) {
  RlxSInfoMemo memo = {0};
  const int at = negative_within(sinfo, out, &memo);
  rlx_sinfo_memo_free(&memo);
  return at;
}

/// Whether a negative length is in an operand, or written as StructInfo (`sinfo_args`).
static bool has_negative(const RlxValue *v) {
  int64_t ignored;
  if (v->kind == RLX_VALUE_SINFO) return negative_dim(v->sinfo, &ignored) >= 0;
  if (v->kind == RLX_VALUE_EXPR && v->expr) return negative_dim(v->expr->sinfo, &ignored) >= 0;
  for (uint32_t i = 0; v->kind == RLX_VALUE_LIST && i < v->count; i++)
    if (has_negative(&v->items[i])) return true;
  return false;
}

void rlx_note_negative(RlxDeduce *d, const RlxCall *call, const RlxSInfo *result) {
  int64_t length;
  int at = negative_dim(result, &length);
  // Of a shape of unknown rank TVM makes a tensor of length -1, which says that it is not known.
  if (at < 0 || call->row->id == RLX_OP_ID(shape_to_tensor)) return;
  for (uint32_t i = 0; i < call->arg_count; i++)
    if (has_negative(&call->args[i])) return;
  const char *args[] = {rlx_text_op(d, call), rlx_arena_printf(d->scratch, "%d", at),
                        rlx_arena_printf(d->scratch, "%lld", (long long)length)};
  rlx_report(d->sink, RLX_DIAG_ID(DIM_NEGATIVE), call->name_span, args, 3);
}

static bool is_expr(const RlxValue *v) {
  return (v->kind == RLX_VALUE_EXPR || v->kind == RLX_VALUE_CALLEE) && v->expr;
}

/// The expressions among the arguments, those in lists and tuples included, one after the other:
/// number `*at`, which moves on. NULL: no more. `*span` is where it stands, empty when not known.
static const RlxExpr *next_operand(const RlxCall *call, uint32_t *at, RlxSpan *span) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < call->arg_count; i++) {
    const RlxValue *v = &call->args[i];
    const bool is_tuple = is_expr(v) && v->expr->kind == RLX_EXPR_TUPLE;
    const uint32_t count = v->kind == RLX_VALUE_LIST ? v->count
                           : is_tuple                ? v->expr->field_count
                                                     : is_expr(v);
    for (uint32_t k = 0; k < count; k++) {
      const RlxValue *item = v->kind == RLX_VALUE_LIST ? &v->items[k] : v;
      const RlxExpr *x = is_tuple ? v->expr->fields[k] : is_expr(item) ? item->expr : NULL;
      if (!x || n++ < *at) continue;
      *at = n;
      *span = is_tuple ? x->span : item->is_default ? rlx_span(0, 0) : item->span;
      return x;
    }
  }
  return NULL;
}

void rlx_wish_dim(RlxDeduce *d, const RlxCall *call, RlxDiag *diag, RlxDims dims, int k,
                  const RlxPrim *value, bool from_back) {
  const RlxVar *var = NULL;
  const RlxExpr *x;
  RlxSpan span;
  for (uint32_t at = 0; (x = next_operand(call, &at, &span)) != NULL;)
    if (x->kind == RLX_EXPR_VAR && x->sinfo && x->sinfo->kind == RLX_SINFO_TENSOR &&
        x->sinfo->dims == dims && (!var || from_back))
      var = x->var;
  if (var && var->is_param) rlx_diag_wish(d->sink, diag, (RlxWish){var, k, value});
}

bool rlx_number_fits(const RlxValue *number, RlxDType dtype) {
  const bool is_int = number->kind == RLX_VALUE_INT;
  if (!rlx_dtype_known(dtype) || dtype.lanes > 1) return false;
  if (number->kind == RLX_VALUE_BOOL) return rlx_dtype_is_bool(dtype);
  if ((!is_int && number->kind != RLX_VALUE_FLOAT) || rlx_dtype_is_bool(dtype)) return false;
  const int bits = dtype.bits;
  if (dtype.code == RLX_DTYPE_FLOAT) {
    const double value = is_int ? (double)number->integer : number->number, size = fabs(value);
    const double most = bits == 16   ? 65504.0
                        : bits == 32 ? (double)FLT_MAX
                        : bits == 64 ? DBL_MAX
                                     : -1;
    const double least = bits == 16 ? 0x1p-24 : bits == 32 ? 0x1p-149 : 0;
    // Integers up to this one are exact.
    const double whole = bits == 16 ? 0x1p11 : bits == 32 ? 0x1p24 : 0x1p53;
    return size <= most && (size == 0 || size >= least) && (!is_int || size <= whole);
  }
  const bool is_unsigned = dtype.code == RLX_DTYPE_UINT;
  if (!is_int || (!is_unsigned && dtype.code != RLX_DTYPE_INT) || bits < 8 || bits > 64)
    return false;
  if (is_unsigned && number->integer < 0) return false;
  const int size = bits - !is_unsigned;
  if (size >= 63) return true;
  const int64_t limit = INT64_C(1) << size;
  return number->integer < limit && number->integer >= -limit;
}

void rlx_fix_number(RlxSink *sink, RlxDiag *diag, const RlxValue *number, const RlxSInfo *other) {
  const RlxSpan span = number->span;
  if (!other || other->kind != RLX_SINFO_TENSOR || span.end <= span.start ||
      !rlx_number_fits(number, other->dtype))
    return;
  char dtype[RLX_DTYPE_TEXT_MAX];
  rlx_dtype_text(other->dtype, dtype);
  rlx_diag_fix(sink, diag, "wrap it as a constant", rlx_span(span.start, span.start), "R.const(");
  rlx_diag_fix_edit(sink, diag, rlx_span(span.end, span.end),
                    rlx_arena_printf(sink->arena, ", \"%s\")", dtype));
}

void rlx_fix_cast(RlxDeduce *d, const RlxCall *call, RlxDiag *diag, RlxDType from, RlxDType to) {
  const RlxExpr *x;
  RlxSpan span;
  bool has_other = false;
  if (to.code == RLX_DTYPE_VOID) return; // not what anybody means
  for (uint32_t at = 0, n = 0; (x = next_operand(call, &at, &span)) != NULL; n++) {
    if (!x->sinfo || x->sinfo->kind != RLX_SINFO_TENSOR) continue;
    has_other |= rlx_dtype_equal(x->sinfo->dtype, to);
    if (!has_other || !rlx_dtype_equal(x->sinfo->dtype, from)) continue;
    if (span.end <= span.start) return;
    const char *text = rlx_text_dtype(d, to);
    const bool is_right = n == 1 && call->args[0].kind == RLX_VALUE_EXPR &&
                          call->args[0].expr->kind != RLX_EXPR_TUPLE;
    rlx_diag_fix(
        d->sink, diag,
        rlx_arena_printf(d->scratch, "cast %s operand to %s", is_right ? "the right" : "an", text),
        rlx_span(span.start, span.start), "R.astype(");
    rlx_diag_fix_edit(d->sink, diag, rlx_span(span.end, span.end),
                      rlx_arena_printf(d->scratch, ", \"%s\")", text));
    return;
  }
}

void rlx_fail_dim(RlxDeduce *d, const RlxCall *call, int i, int k, const RlxPrim *found,
                  const RlxPrim *expected) {
  if (d->is_open) d->is_undecided |= !rlx_rule_unequal(d, found, expected);
  RlxDiag *diag = rlx_fail(d, call, i, RLX_DIAG_ID(DIM_MISMATCH), "siss", rlx_param_name(call, i),
                           k, rlx_text_prim(d, found), rlx_text_prim(d, expected));
  const RlxSInfo *x = rlx_arg_sinfo(call, i);
  if (x && x->kind == RLX_SINFO_TENSOR && x->dims && k < x->ndim && x->dims[k] == found)
    rlx_wish_dim(d, call, diag, x->dims, k, expected, true);
}

bool rlx_need_same_ndim(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *a, int j,
                        const RlxSInfo *b) {
  if (a->ndim < 0 || b->ndim < 0 || a->ndim == b->ndim) return true;
  rlx_fail(d, call, i, RLX_DIAG_ID(RANK_MISMATCH), "sisi", rlx_param_name(call, i), a->ndim,
           rlx_param_name(call, j), b->ndim);
  return false;
}

bool rlx_need_same_dtype(RlxDeduce *d, const RlxCall *call, int i, RlxDType a, RlxDType b) {
  if (!rlx_dtype_known(a) || !rlx_dtype_known(b) || rlx_dtype_equal(a, b)) return true;
  RlxDiag *diag = rlx_fail(d, call, i, RLX_DIAG_ID(DTYPE_MISMATCH), "ss", rlx_text_dtype(d, a),
                           rlx_text_dtype(d, b));
  rlx_fix_cast(d, call, diag, b, a);
  return false;
}

const RlxPrim *rlx_arg_written_prim(RlxDeduce *d, const RlxCall *call, int i) {
  const RlxValue *v = &call->args[i];
  if (v->kind == RLX_VALUE_EXPR && v->expr && v->expr->kind != RLX_EXPR_PRIM) {
    rlx_fail_kind(d, call, i, "an integer written in the call");
    return NULL;
  }
  return rlx_arg_prim(d, call, i);
}

const RlxVDevice *rlx_common_vdevice(const RlxSInfo *const *tensors, int count) {
  const RlxVDevice *vdevice = NULL;
  for (int i = 0; i < count; i++) {
    if (!tensors[i]->vdevice) continue;
    if (vdevice && vdevice != tensors[i]->vdevice) return NULL;
    vdevice = tensors[i]->vdevice;
  }
  return vdevice;
}

void rlx_fix_wrap(RlxDeduce *d, const RlxCall *call, int i, RlxDiag *diag, const char *title,
                  const char *before, const char *after) {
  const RlxValue *v = (uint32_t)i < call->arg_count ? &call->args[i] : NULL;
  if (!v || v->is_default || v->kind != RLX_VALUE_EXPR || v->span.end <= v->span.start) return;
  rlx_diag_fix(d->sink, diag, title, rlx_span(v->span.start, v->span.start), before);
  rlx_diag_fix_edit(d->sink, diag, rlx_span(v->span.end, v->span.end), after);
}

RlxDType rlx_rule_dtype(RlxDeduce *d, const RlxCall *call, RlxDType a, RlxDType b) {
  if (!rlx_dtype_known(a) || !rlx_dtype_known(b)) return rlx_dtype_unknown();
  if (rlx_dtype_equal(a, b) || rlx_dtype_is_bool(a) || rlx_dtype_is_bool(b)) return a;
  RlxDiag *diag = rlx_fail(d, call, -1, RLX_DIAG_ID(DTYPE_MISMATCH), "ss", rlx_text_dtype(d, a),
                           rlx_text_dtype(d, b));
  rlx_fix_cast(d, call, diag, b, a);
  return rlx_dtype_unknown();
}

const RlxVDevice *rlx_rule_vdevice(RlxDeduce *d, const RlxCall *call, const RlxVDevice *a,
                                   const RlxVDevice *b) {
  if (!a || a == b) return b;
  if (!b) return a;
  rlx_fail(d, call, -1, RLX_DIAG_ID(VDEVICE_MISMATCH), "sisi", rlx_store_text(d->store, a->target),
           a->id, rlx_store_text(d->store, b->target), b->id);
  return NULL;
}

/// Reports two dimensions that cannot be broadcast together: indices count within their own
/// operand.
static void fail_broadcast(RlxDeduce *d, const RlxCall *call, RlxDims a, int a_ndim, RlxDims b,
                           int b_ndim, int back) {
  int i = a_ndim - back, j = b_ndim - back;
  RlxDiag *diag =
      rlx_fail(d, call, -1, RLX_DIAG_ID(SHAPE_BROADCAST), "ssisis", rlx_text_dims(d, a, a_ndim),
               rlx_text_dims(d, b, b_ndim), i, rlx_text_prim(d, a[i]), j, rlx_text_prim(d, b[j]));
  rlx_wish_dim(d, call, diag, b, j, a[i], true);
  rlx_wish_dim(d, call, diag, a, i, b[j], false);
}

RlxBroadcast rlx_broadcast_dims(RlxDeduce *d, const RlxCall *call, RlxDims a, int a_ndim, RlxDims b,
                                int b_ndim, RlxDims *out) {
  int ndim = a_ndim > b_ndim ? a_ndim : b_ndim;
  const RlxPrim **dims = rlx_dims_new(d, ndim);
  *out = NULL;
  bool decided = true;
  for (int back = 1; back <= ndim; back++) {
    const RlxPrim *p = back <= a_ndim ? a[a_ndim - back] : NULL,
                  *q = back <= b_ndim ? b[b_ndim - back] : NULL;
    const RlxPrim **dim = &dims[ndim - back];
    int64_t m, n;
    if (!p || !q) {
      *dim = p ? p : q;
    } else if (rlx_dim_is(p, 1)) {
      *dim = q;
    } else if (rlx_dim_is(q, 1) || rlx_rule_equal(d, p, q)) {
      *dim = p;
    } else if (rlx_prim_is_const(p, &m) && rlx_prim_is_const(q, &n)) {
      fail_broadcast(d, call, a, a_ndim, b, b_ndim, back);
      return RLX_BROADCAST_CONFLICT;
    } else {
      decided = false; // go on: a later pair of constants may still conflict
    }
  }
  if (decided) *out = dims;
  return decided ? RLX_BROADCAST_OK : RLX_BROADCAST_UNKNOWN;
}

void rlx_rule_broadcast(RlxDeduce *d, const RlxCall *call, const RlxSInfo *a, const RlxSInfo *b,
                        const RlxPrim *const **out, int *out_ndim) {
  *out = NULL;
  *out_ndim = a->ndim < 0 || b->ndim < 0 ? -1 : a->ndim > b->ndim ? a->ndim : b->ndim;
  RlxDims p = rlx_rule_dims(d, a), q = rlx_rule_dims(d, b);
  if (*out_ndim >= 0 && p && q) (void)rlx_broadcast_dims(d, call, p, a->ndim, q, b->ndim, out);
}

// ---- values

bool rlx_prim_number(const RlxPrim *p, double *out) {
  int64_t whole;
  if (rlx_prim_is_const(p, &whole)) return *out = (double)whole, true;
  if (p->kind == RLX_PRIM_FLOAT) return *out = p->number, true;
  return false;
}

const RlxVDevice *rlx_vdevice_of_value(RlxDeduce *d, const RlxValue *v) {
  if (v->kind == RLX_VALUE_VDEVICE) return v->thing;
  return v->kind == RLX_VALUE_STR
             ? rlx_module_vdevice(d->module, rlx_store_text(d->store, v->string))
             : NULL;
}
