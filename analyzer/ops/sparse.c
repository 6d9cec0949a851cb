/// Rules of sparse matrices, and what elementwise operators make of them.
#include "analyzer/ops/sparse.h"

#define RLX_FAMILY "analyzer/ops/sparse.def"
#include "analyzer/ops/rules.h"

/// The variable that argument `i` is, as StructInfos mention it; NULL when it is none with a name.
static const RlxSymVar *named_argument(RlxDeduce *d, const RlxCall *call, int i) {
  const RlxValue *v = &call->args[i];
  if (v->kind != RLX_VALUE_EXPR || v->expr->kind != RLX_EXPR_VAR || v->expr->var->is_temporary)
    return NULL;
  RlxVar *var = v->expr->var;
  if (!var->symbol && d->scope)
    var->symbol = rlx_symvar(d->store, d->scope, var->name, rlx_dtype_unknown(), true);
  return var->symbol;
}

/// StructInfo of `R.make_csr(indptr, indices, data)`.
///
/// Three vectors, the first two of integers; `data` as long as `indices`. Reports ARGUMENT_KIND,
/// RANK, DTYPE_CLASS, DIM_MISMATCH.
/// Source: spec 1.1, the example of SparseCSR in S0.
const RlxSInfo *rlx_deduce_make_csr(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x[3];
  for (int i = 0; i < 3; i++) {
    x[i] = rlx_arg_tensor(d, call, i);
    if (!x[i] || !rlx_need_ndim(d, call, i, x[i], 1, false))
      return rlx_sinfo_extension(d->store, RLX_EXTENSION_SparseCSR, NULL);
    if (i < 2 && rlx_dtype_known(x[i]->dtype)) rlx_need_int(d, call, i, x[i]);
  }
  RlxDims indices = rlx_rule_dims(d, x[1]), data = rlx_rule_dims(d, x[2]);
  if (indices && data && rlx_rule_unequal(d, indices[0], data[0]))
    rlx_fail_dim(d, call, 2, 0, data[0], indices[0]);
  const RlxSymVar *parts[] = {named_argument(d, call, 0), named_argument(d, call, 1)};
  return rlx_sinfo_extension(d->store, RLX_EXTENSION_SparseCSR, parts);
}

const RlxSInfo *rlx_sparse_add(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *a = rlx_arg_sinfo(call, 0), *b = rlx_arg_sinfo(call, 1);
  if (!a || !b || a->kind != RLX_SINFO_EXTENSION || b->kind != RLX_SINFO_EXTENSION) return NULL;
  return rlx_sinfo_lca(d->store, d->facts, a, b);
}
