/// Which inverse rule belongs to an operator: the rows of backward.def.
#include "analyzer/ops/backward.h"

#define RLX_BACKWARD(rule, inverse)                                                                \
  const RlxSInfo *rlx_deduce_##rule(RlxDeduce *d, const RlxCall *call);
#include "analyzer/ops/backward.def"
#undef RLX_BACKWARD

RlxBackwardFn *rlx_backward_rule(const RlxOpRow *row) {
  static const struct {
    RlxDeduceFn deduce;
    RlxBackwardFn *inverse;
  } rules[] = {
#define RLX_BACKWARD(rule, inverse) {rlx_deduce_##rule, rlx_backward_##inverse},
#include "analyzer/ops/backward.def"
#undef RLX_BACKWARD
  };
  for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
    if (rules[i].deduce == row->deduce) return rules[i].inverse;
  return NULL;
}
