/// Prototypes of the rules that rows name. A family's file defines RLX_FAMILY as the path of its
/// rows and includes this, so that a new row compiles its own family again, and no other; without
/// it: all rules.
///
/// A rule that another family's rows name, too, is declared in ops.h.
#include "analyzer/ops/deduce.h"

#ifndef RLX_FAMILY
#define RLX_FAMILY "analyzer/ops/all.def"
#endif
#define RLX_OP(id, script, registry, purity, params, deduce, lower, doc)                           \
  const RlxSInfo *rlx_deduce_##deduce(RlxDeduce *d, const RlxCall *call);
#include RLX_FAMILY
#undef RLX_OP
#undef RLX_FAMILY
