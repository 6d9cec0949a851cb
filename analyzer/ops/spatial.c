/// Windows that slide over spatial axes. Source of the lengths: TVM v0.25 GetCompletePadding,
/// src/relax/op/op_common.h.
#include "analyzer/ops/spatial.h"

static bool wrong_length(RlxDeduce *d, const RlxCall *call, int i, int count,
                         const char *expected) {
  rlx_fail(d, call, i, RLX_DIAG_ID(LIST_LENGTH), "sis", rlx_param_name(call, i), count, expected);
  return false;
}

bool rlx_attr_spatial(RlxDeduce *d, const RlxCall *call, int i, int rank, int64_t *out) {
  const int64_t *given;
  int count;
  if (rlx_attr_ints(d, call, i, &given, &count) != RLX_ATTR_OK) return false;
  if (count != 1 && count != rank)
    return wrong_length(d, call, i, count, rank == 1 ? "1" : rank == 2 ? "1 or 2" : "1 or 3");
  for (int k = 0; k < rank; k++) out[k] = given[count == 1 ? 0 : k];
  return true;
}

bool rlx_attr_padding(RlxDeduce *d, const RlxCall *call, int i, int rank, int64_t *out) {
  const int64_t *given;
  int count;
  if (rlx_attr_ints(d, call, i, &given, &count) != RLX_ATTR_OK) return false;
  if (count != 1 && count != rank && count != 2 * rank) {
    return wrong_length(d, call, i, count,
                        rank == 1   ? "1 or 2"
                        : rank == 2 ? "1, 2 or 4"
                                    : "1, 3 or 6");
  }
  for (int k = 0; k < 2 * rank; k++) out[k] = given[count == 1 ? 0 : k % count];
  return true;
}

bool rlx_attr_int32(RlxDeduce *d, const RlxCall *call, int i, const int64_t *values, int count) {
  for (int k = 0; k < count; k++) {
    if (values[k] >= INT32_MIN && values[k] <= INT32_MAX) continue;
    rlx_fail(d, call, i, RLX_DIAG_ID(VALUE_RANGE), "sds", rlx_param_name(call, i), values[k],
             "a number of 32 bits");
    return false;
  }
  return true;
}

const RlxPrim *rlx_window_count(RlxDeduce *d, const RlxWindow *w, int64_t extra) {
  const RlxPrim *kernel =
      rlx_prim_muli(d->store, rlx_prim_addi(d->store, w->kernel, -1), w->dilation);
  const RlxPrim *room =
      rlx_prim_sub(d->store, rlx_prim_addi(d->store, w->length, w->padding), kernel);
  const RlxPrim *steps =
      rlx_prim_floordiv(d->store, rlx_prim_addi(d->store, room, extra - 1), rlx_dim(d, w->stride));
  return rlx_prim_addi(d->store, steps, 1);
}
