/// Names that an expression itself binds: parameters of lambdas, targets of comprehensions, `:=`.
#ifndef RLX_ANALYZER_LOCALS_H
#define RLX_ANALYZER_LOCALS_H

#include "analyzer/struct_info/ir.h"
#include "base/map.h"
#include "base/vec.h"

typedef struct RlxLocal {
  RlxName name;
  uint32_t before; ///< what its name meant: a place in the list plus one, or 0
  RlxValue value;
} RlxLocal;

/// In the order in which they were bound. Zeroed: none.
typedef struct RlxLocals {
  Vec(RlxLocal) all;
  RlxMap latest; ///< of a name: its place in `all` plus one
} RlxLocals;

void rlx_locals_bind(RlxLocals *locals, RlxName name, RlxValue value);
/// What `name` was bound to last; NULL: it is none of them. Valid until the next is bound.
const RlxValue *rlx_locals_get(const RlxLocals *locals, RlxName name);
/// Only the first `count` stay.
void rlx_locals_drop(RlxLocals *locals, uint32_t count);
void rlx_locals_free(RlxLocals *locals);

#endif
