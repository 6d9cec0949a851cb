/// Inside of blockize: dividing the bindings of one block into loops outside and loops inside, for one
/// block (blockize.c) and for several that become one (blockize_list.c).
#ifndef RLX_ANALYZER_SCHEDULE_BLOCKIZE_IMPL_H
#define RLX_ANALYZER_SCHEDULE_BLOCKIZE_IMPL_H

#include "analyzer/schedule/domain.h"

/// A binding as outer * (extent of inner) + inner + base; no loop is in the base.
typedef struct RlxDivision {
  const RlxPrim *outer, *outer_extent, *inner, *inner_extent, *base;
  bool is_bounded; ///< the loops reach further than the extents: a predicate holds them back
} RlxDivision;

typedef struct RlxBlockize {
  RlxScheduleCall *c;
  RlxStore *store;
  RlxArena *arena;
  const RlxTirStmt *block;
  const RlxTirStmt *loop; ///< where the new block will stand: a loop, or the block when it has none
  const RlxTirBlockInfo *info;
  int first_inner; ///< of the loops around the block: the first that stands inside of the new block
  bool preserves_units;
  RlxDivision *parts; ///< one for each block variable
  RlxTirExpr *outer_predicate, *inner_predicate;
  RlxTirIterVar *outer, *inner;
  int inner_count;
  RlxTirSubst *put; ///< variables of the block to those of both
  RlxScheduleVars vars;
} RlxBlockize;

/// Refuses with the reason; always false.
bool rlx_blockize_refuse(RlxBlockize *b, const char *why);
/// The loop `i` around the block, outermost first.
const RlxTirStmt *rlx_blockize_loop(const RlxBlockize *b, int i);
/// Fills `parts` and the predicates from block, info and first_inner; false: refused.
bool rlx_blockize_divide(RlxBlockize *b);
/// Makes outer, inner and put; `vars` has all variables of the PrimFunc. False: refused.
bool rlx_blockize_variables(RlxBlockize *b);
/// The block over its inner variables. `reads_back`: it states that it reads what it writes.
RlxTirStmt *rlx_blockize_inner(RlxBlockize *b, bool reads_back);
/// What `regions` of the block cover while the inner loops run.
RlxTirRegion *rlx_blockize_regions(RlxBlockize *b, const RlxTirRegion *regions, int count);
/// A statement of the block over the new variables; NULL of NULL.
RlxTirStmt *rlx_blockize_put(RlxBlockize *b, const RlxTirStmt *s);

#endif
