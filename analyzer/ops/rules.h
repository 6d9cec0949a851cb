/// Prototypes of the rules that one family's rows name. A family's file defines RLX_FAMILY as the
/// path of its rows and includes this, so that a new row compiles its own family again, and no
/// other.
///
/// A rule that another family's rows name, too, is declared in ops.h.
#define RLX_OP(id, script, registry, purity, params, deduce, lower, doc)                           \
  const RlxSInfo *rlx_deduce_##deduce(RlxDeduce *d, const RlxCall *call);
#include RLX_FAMILY
#undef RLX_OP
#undef RLX_FAMILY
