/// R.emit_te with a function of tvm.topi: the StructInfo of the tensor expression, found through
/// the operator that computes the same.
/// Always true: nothing is reported, and the operator does not become part of the IR: the call
/// stays the script's own.
#include <string.h>

#include "analyzer/eval/eval.h"

typedef struct Topi {
  const char *name, *op, *order;
} Topi;

static const Topi rows[] = {
#define RLX_TOPI(name, op, order) {name, op, order},
#include "analyzer/eval/topi.def"
#undef RLX_TOPI
};

static RlxValue unknown(RlxEval *e, RlxSpan span) {
  e->tainted = true;
  return rlx_value_unknown(span);
}

static const Topi *find(const char *path) {
  static const char *const roots[] = {"tvm.topi.", "topi.", "tvm.te.topi."};
  for (size_t k = 0; k < sizeof roots / sizeof roots[0]; k++) {
    size_t size = strlen(roots[k]);
    if (strncmp(path, roots[k], size) != 0) continue;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
      if (strcmp(rows[i].name, path + size) == 0) return &rows[i];
  }
  return NULL;
}

/// The arguments behind the function, in the operator's order; those that steer emit_te itself left
/// out.
static RlxPyArgs arguments(RlxEval *e, const Topi *row, const RlxPyArgs *args) {
  RlxPyArgs out = {.at = rlx_arena_array(e->arena, RlxPyArg, args->count)};
  if (*row->order)
    for (const char *at = row->order; *at; at++) {
      uint32_t position = (uint32_t)(*at - '0') + 1;
      if (*at != ' ' && position < args->count && !args->at[position].keyword)
        out.at[out.count++] = args->at[position];
    }
  for (uint32_t i = 1; i < args->count; i++) {
    const char *keyword = args->at[i].keyword ? rlx_store_text(e->store, args->at[i].keyword) : "";
    if (strcmp(keyword, "primfunc_name_hint") == 0 || strcmp(keyword, "primfunc_attrs") == 0)
      continue;
    if (*keyword || !*row->order) out.at[out.count++] = args->at[i];
  }
  return out;
}

RlxValue rlx_topi_emit(RlxEval *e, const RlxPyArgs *args, RlxSpan span, RlxSpan name_span) {
  if (args->is_unknown || args->count < 2 || args->at[0].value.kind != RLX_VALUE_NAMESPACE)
    return unknown(e, span);
  const Topi *row = find(rlx_store_text(e->store, args->at[0].value.string));
  if (!row) return unknown(e, span);
  const RlxSInfo *sinfo = NULL;
  bool tainted = e->tainted; // by an operand that is such a hole
  e->tainted = false;
  if (!*row->op) {
    RlxExpr *first = rlx_expr_of(e, &args->at[1].value);
    sinfo = first ? first->sinfo : NULL;
  } else {
    RlxPyArgs own = arguments(e, row, args);
    RlxSink silent = {.arena = e->arena}, *before = e->sink;
    e->sink = &silent;
    RlxValue v = rlx_call_op(e, rlx_op_find(row->op, strlen(row->op)), &own, span, name_span);
    e->sink = before;
    rlx_vec_free(&silent.diags);
    sinfo = v.kind == RLX_VALUE_EXPR && !e->tainted ? v.expr->sinfo : NULL;
  }
  e->tainted |= tainted;
  if (!sinfo || sinfo->kind != RLX_SINFO_TENSOR) return unknown(e, span);
  RlxExpr *x = rlx_expr_hole(e, span);
  x->sinfo = sinfo;
  return rlx_value_expr(x);
}
