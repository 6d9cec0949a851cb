/// Facts about symbolic integers that statements establish (spec 1.2): a match_cast that succeeded,
/// an assertion that held, a reshape, the condition of the branch around. From the next statement
/// on they help to prove conditions; they change no StructInfo.
#include "analyzer/eval/eval.h"
#include "analyzer/struct_info/sinfo_memo.h"

void rlx_learn_condition(RlxEval *e, const RlxPrim *condition, const char *origin) {
  int64_t value;
  const RlxPrim *simple = rlx_prim_simplify(e->store, condition);
  if (rlx_prim_is_const(simple, &value) || simple->vars == 0 ||
      !rlx_dtype_is_bool(condition->dtype))
    return;
  RlxFacts fact = {NULL, condition, origin};
  rlx_vec_push(&e->learned, fact);
}

static void learn_equal(RlxEval *e, const RlxPrim *a, const RlxPrim *b, const char *origin) {
  if (a == b || rlx_dtype_is_float(a->dtype) || rlx_dtype_is_float(b->dtype)) return;
  rlx_learn_condition(e, rlx_prim_binary(e->store, RLX_PRIM_EQ, a, b), origin);
}

static const RlxPrim *element_count(RlxEval *e, const RlxSInfo *x) {
  const RlxPrim *count = rlx_prim_int(e->store, 1);
  for (int32_t i = 0; i < x->ndim; i++) count = rlx_prim_mul(e->store, count, x->dims[i]);
  return count;
}

void rlx_learn_reshape(RlxEval *e, const RlxSInfo *before, const RlxSInfo *after) {
  enum { MOST = 16 };
  if (!before || !before->has_symbols || before->kind != RLX_SINFO_TENSOR ||
      after->kind != RLX_SINFO_TENSOR)
    return;
  if (!before->dims || !after->dims || before->ndim > MOST || after->ndim > MOST) return;
  // That a dimension is 0 was warned of; it explains nothing behind.
  for (uint32_t i = 0; i < e->sink->diags.count; i++)
    if (e->sink->diags.at[i]->id == RLX_DIAG_ID(SIZE_EMPTY)) return;
  learn_equal(e, element_count(e, before), element_count(e, after), "reshape");
}

static void learn_cast(RlxEval *e, const RlxSInfo *pattern, const RlxSInfo *value,
                       const char *origin, RlxSInfoMemo *memo) {
  if (pattern->kind != value->kind || pattern == value) return;
  if (rlx_sinfo_meet_again(memo, pattern, value)) return;
  if (pattern->kind == RLX_SINFO_PRIM && pattern->value && value->value)
    learn_equal(e, value->value, pattern->value, origin);
  bool dims = pattern->kind == RLX_SINFO_TENSOR || pattern->kind == RLX_SINFO_SHAPE;
  if (dims && pattern->dims && value->dims && pattern->ndim == value->ndim)
    for (int32_t i = 0; i < pattern->ndim; i++)
      learn_equal(e, value->dims[i], pattern->dims[i], origin);
  if (pattern->kind == RLX_SINFO_TUPLE && pattern->count == value->count)
    for (int32_t i = 0; i < pattern->count; i++)
      learn_cast(e, pattern->fields[i], value->fields[i], origin, memo);
}

void rlx_learn_cast(RlxEval *e, const RlxSInfo *pattern, const RlxSInfo *value,
                    const char *origin) {
  RlxSInfoMemo memo = {0};
  learn_cast(e, pattern, value, origin, &memo);
  rlx_sinfo_memo_free(&memo);
}
