/// Where a call's reports point: to the call itself, and to the arguments that explain them.
#include <string.h>

#include "analyzer/eval/eval.h"

/// The argument whose parameter has `var` bare, and where in it; -1: none.
static int binder_of(const RlxSInfo *func, const RlxSInfo *const *args, int count,
                     const RlxSymVar *var, int *out_dim) {
  for (int i = 0; i < count && i < func->count; i++) {
    const RlxSInfo *p = func->params[i];
    *out_dim = -1;
    if (p->kind == RLX_SINFO_PRIM && p->value && rlx_prim_as_var(p->value) == var &&
        args[i]->kind == RLX_SINFO_PRIM && args[i]->value)
      return i;
    bool dims = (p->kind == RLX_SINFO_TENSOR || p->kind == RLX_SINFO_SHAPE) && p->dims &&
                args[i]->kind == p->kind && args[i]->dims && args[i]->ndim == p->ndim;
    for (*out_dim = 0; dims && *out_dim < p->ndim; ++*out_dim)
      if (rlx_prim_as_var(p->dims[*out_dim]) == var) return i;
  }
  return -1;
}

void rlx_blame_bindings(RlxEval *e, RlxDiag *diag, const RlxSInfo *func,
                        const RlxSInfo *const *args, int count, int bad,
                        RlxSpan (*span_of)(const RlxExpr *call, int i), const RlxExpr *call) {
  enum { MOST = 16 };
  const RlxSymVar *vars[MOST], *wanted[MOST];
  const RlxPrim *values[MOST];
  int wanted_count = 0,
      known = rlx_sinfo_call_bindings(e->store, func, args, count, vars, values, MOST);
  rlx_sinfo_vars(func->params[bad], wanted, &wanted_count, MOST);
  for (int i = 0; i < known; i++) {
    bool is_wanted = false;
    for (int k = 0; k < wanted_count; k++) is_wanted |= wanted[k] == vars[i];
    int dim, arg = is_wanted && values[i] ? binder_of(func, args, count, vars[i], &dim) : -1;
    if (arg < 0) continue;
    RlxBuf text = {0};
    rlx_buf_printf(&text, "the callee's `%s` is ", rlx_store_text(e->store, vars[i]->name));
    rlx_prim_tell(e->store, values[i], &text);
    if (dim < 0)
      rlx_buf_puts(&text, ", the value of this argument");
    else
      rlx_buf_printf(&text, ", dimension %d of this argument", dim);
    rlx_diag_related(e->sink, diag, e->stmt, span_of(call, arg), rlx_buf_text(&text));
    rlx_buf_free(&text);
  }
}

void rlx_wish_argument(RlxEval *e, RlxDiag *diag, const RlxExpr *x, const RlxSInfo *expected) {
  const RlxSInfo *given = x && x->kind == RLX_EXPR_VAR && x->var->is_param ? x->sinfo : NULL;
  int wrong = -1, count = 0;
  int64_t wanted, found;
  if (!given || given->kind != RLX_SINFO_TENSOR || expected->kind != RLX_SINFO_TENSOR ||
      !given->dims || !expected->dims || given->ndim != expected->ndim ||
      !rlx_dtype_equal(given->dtype, expected->dtype))
    return;
  for (int k = 0; k < given->ndim; k++) {
    if (!rlx_prim_is_const(expected->dims[k], &wanted)) continue;
    if (rlx_prim_is_const(given->dims[k], &found) && found == wanted) continue;
    wrong = k;
    count++;
  }
  if (count == 1) rlx_diag_wish(e->sink, diag, (RlxWish){x->var, wrong, expected->dims[wrong]});
}

/// A mistake in an argument that stands on a later line is reported where the call begins, which is
/// the line that readers and suppressions mean; the argument becomes a related place.
void rlx_blame_call(RlxEval *e, RlxSpan head, uint32_t from) {
  uint32_t size = 0;
  const char *text = rlx_document_text(e->file->document, &size);
  const uint32_t start = e->stmt->start + head.end;
  if (from == e->sink->diags.count || start > size) return;
  const char *newline = memchr(text + start, '\n', size - start);
  if (!newline) return;
  const uint32_t line_end = (uint32_t)(newline - text); // of the callee
  for (uint32_t i = from; i < e->sink->diags.count; i++) {
    RlxDiag *diag = e->sink->diags.at[i];
    const uint32_t end = e->stmt->start + diag->span.start;
    if (diag->span.start < head.end || end > size || end <= line_end) continue;
    RlxSpan place = diag->span;
    diag->span = head;
    rlx_diag_related(e->sink, diag, e->stmt, place, "this argument");
  }
}
