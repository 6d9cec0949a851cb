/// Rules of scaled dot-product attention.
#include "analyzer/ops/ops.h"

#define RLX_FAMILY "analyzer/ops/attention.def"
#include "analyzer/ops/rules.h"

/// Reports DIM_MISMATCH when dimension `k` of argument `i` provably is not `expected`; one mistake
/// a call.
static void need_dim(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *x, int k,
                     const RlxPrim *expected, bool or_one) {
  if (d->failed || (or_one && rlx_dim_is(x->dims[k], 1))) return;
  if (rlx_rule_unequal(d, x->dims[k], expected)) rlx_fail_dim(d, call, i, k, x->dims[k], expected);
}

/// Reports DIVISIBLE when the query's heads provably are no multiple of argument `i`'s.
static void need_heads(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *q,
                       const RlxSInfo *x) {
  int64_t heads;
  if (d->failed || (rlx_prim_is_const(x->dims[2], &heads) && heads == 0)) return;
  const RlxPrim *rest = rlx_prim_floormod(d->store, q->dims[2], x->dims[2]);
  if (!rlx_rule_unequal(d, rest, rlx_dim(d, 0))) return;
  rlx_fail(d, call, i, RLX_DIAG_ID(DIVISIBLE), "sss", "the number of heads of the query",
           rlx_text_prim(d, q->dims[2]), rlx_text_prim(d, x->dims[2]));
}

static void check_bias(RlxDeduce *d, const RlxCall *call, const RlxSInfo *q, const RlxSInfo *k,
                       const RlxSInfo *bias) {
  if (!rlx_need_ndim(d, call, 3, bias, 4, true)) return;
  if (!bias->dims) {
    rlx_fail(d, call, 3, RLX_DIAG_ID(SHAPE_NEEDED), "ss", "bias", rlx_text_sinfo(d, bias));
    return;
  }
  need_dim(d, call, 3, bias, 0, q->dims[0], true);
  need_dim(d, call, 3, bias, 1, q->dims[2], true);
  need_dim(d, call, 3, bias, 2, q->dims[1], true);
  need_dim(d, call, 3, bias, 3, k->dims[1], false);
}

static const RlxSInfo *attend(RlxDeduce *d, const RlxCall *call, int bias_at) {
  const RlxSInfo *x[3];
  for (int i = 0; i < 3; i++) x[i] = rlx_arg_tensor(d, call, i);
  const RlxSInfo *q = x[0], *k = x[1], *v = x[2],
                 *bias = bias_at >= 0 && rlx_arg_given(call, bias_at)
                             ? rlx_arg_tensor(d, call, bias_at)
                             : NULL;
  if (!q || !k || !v) return rlx_out_unknown(d);
  for (int i = 0; i < 3; i++) {
    if (!rlx_need_ndim(d, call, i, x[i], 4, true)) return rlx_out(d, q, NULL, 4);
  }
  for (int i = 0; i < 3; i++) {
    if (!x[i]->dims) return rlx_out(d, q, NULL, 4);
  }
  need_dim(d, call, 1, k, 0, q->dims[0], false);
  need_dim(d, call, 2, v, 0, q->dims[0], false);
  need_heads(d, call, 1, q, k);
  need_heads(d, call, 2, q, v);
  need_dim(d, call, 2, v, 1, k->dims[1], false);
  need_dim(d, call, 1, k, 3, q->dims[3], false);
  if (bias && !d->failed) check_bias(d, call, q, k, bias);
  const RlxPrim *dims[4] = {q->dims[0], q->dims[1], q->dims[2], v->dims[3]};
  return rlx_out(d, q, dims, 4);
}

/// StructInfo of `R.nn.attention(query, key, value, bias=None, scale=None, causal_mask=None,
/// window_size=None)`: (batch, queries, heads, head_dim of value), query's dtype and device.
///
/// query, key, value  rank 4; an unknown rank is refused, an unknown shape leaves the result's rank
///                    (TVM crashes).
/// bias               (batch, heads, queries, keys), each but the last may be 1.
/// Reports ARGUMENT_KIND, RANK, DIM_MISMATCH, DIVISIBLE, SHAPE_NEEDED.
/// Source: TVM v0.25 InferStructInfoAttention, src/relax/op/nn/attention.cc.
const RlxSInfo *rlx_deduce_attention(RlxDeduce *d, const RlxCall *call) {
  return attend(d, call, 3);
}

/// StructInfo of `R.nn.attention_var_len(queries, keys, values, seqstart_q, max_seqlen_q, …)`: as
/// `R.nn.attention`.
/// Source: TVM v0.25 InferStructInfoAttention, src/relax/op/nn/attention.cc.
const RlxSInfo *rlx_deduce_attention_var_len(RlxDeduce *d, const RlxCall *call) {
  for (int i = 3; i < 7; i++) {
    if (rlx_arg_given(call, i)) (void)rlx_arg_tensor(d, call, i);
  }
  return attend(d, call, -1);
}
