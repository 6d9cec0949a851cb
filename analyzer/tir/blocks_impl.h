/// Inside of the block analysis: what its files share. From the bottom up: blocks_base.c has small
/// questions, blocks_interval.c intervals, blocks_region.c regions, blocks_access.c deduces those
/// of a body; blocks_depend.c says what depends on what, blocks_cover.c what of it is covered;
/// blocks_reducer.c knows reductions, blocks_binding.c bindings, blocks_verdict.c gives the verdicts; blocks.c collects blocks and loops and calls them all.
#ifndef RLX_ANALYZER_TIR_BLOCKS_IMPL_H
#define RLX_ANALYZER_TIR_BLOCKS_IMPL_H

#include "analyzer/tir/blocks.h"
#include "analyzer/tir/interval.h"
#include "base/vec.h"

/// What T.reads or T.writes says, in the arena.
RlxTirBoxes rlx_tir_declared_boxes(const RlxTirAnalysis *a, const RlxTirRegion *regions, int count);
/// Fills deduced_reads, deduced_writes, has_opaque of one block; those inside it have their
/// regions.
void rlx_tir_deduce_regions(RlxTirAnalysis *a, RlxTirBlockInfo *block);
/// Fills the uses of the buffers in all scopes, from which dependencies follow.
void rlx_tir_collect_uses(RlxTirAnalysis *a);
/// The first buffer in `to` that `from` has, too, or NULL.
RlxTirBuffer *rlx_tir_shared_buffer(const RlxTirBoxes *from, const RlxTirBoxes *to);
/// How many of `list` (ascending) are less than `limit`.
int rlx_tir_count_below(const int *list, int count, int limit);
/// Fills all verdicts; regions and dependencies are there.
void rlx_tir_judge(RlxTirAnalysis *a, const RlxTirAnalysis *before);
/// Fills `region_cover` of all blocks.
void rlx_tir_judge_cover(RlxTirAnalysis *a, const RlxTirAnalysis *before);
/// Fills `reducer`, `incremental` and inferred iteration types of one block.
void rlx_tir_judge_reducer(RlxTirAnalysis *a, RlxTirBlockInfo *block);

/// Fills `was`: the blocks of `before` (NULL: none) that stand unchanged in the PrimFunc. (blocks_reuse.c)
void rlx_tir_find_unchanged(RlxTirAnalysis *a, const RlxTirAnalysis *before);
/// Takes over what was found of the block before; false: that has to be asked.
bool rlx_tir_reuse_regions(const RlxTirAnalysis *a, RlxTirBlockInfo *block);
bool rlx_tir_reuse_binding(const RlxTirAnalysis *a, RlxTirBlockInfo *block);
bool rlx_tir_reuse_reducer(const RlxTirAnalysis *a, RlxTirBlockInfo *block);
/// Did its producers cover the block before, and are they the same?
bool rlx_tir_reuse_cover(const RlxTirAnalysis *a, const RlxTirAnalysis *before,
                         const RlxTirBlockInfo *block);

/// A sum `base + coefficient * variable + …` over the domain's variables.
enum { RLX_TIR_TERMS_MAX = 16 };
typedef struct RlxTirLinear {
  const RlxPrim *base; ///< free of the domain
  int count;
  uint32_t vars[RLX_TIR_TERMS_MAX]; ///< indices in the domain, no repeats
  int64_t coefficients[RLX_TIR_TERMS_MAX];
} RlxTirLinear;
/// False when `p` is no such sum with constant coefficients.
bool rlx_tir_linear(RlxStore *store, const RlxTirDomain *domain, const RlxPrim *p,
                    RlxTirLinear *out);

/// The comparisons `at - limit <= 0` that a condition says (a conjunction; equalities are two), at
/// most `capacity`; each as at - limit. Parts of another form are left out: `*rest` says so.
int rlx_tir_bounds(RlxStore *store, const RlxPrim *condition, bool is_negated, const RlxPrim **out,
                   int capacity, bool *rest);

/// The ranges of the loops around `block`, and of the variables of the blocks around it.
const RlxFacts *rlx_tir_facts_around(const RlxTirAnalysis *a, const RlxTirBlockInfo *block);
/// Appends " at vi = 3" for an assignment under `facts` where `inner` is not all in `outer`; false
/// when none was found.
bool rlx_tir_box_leaves(const RlxTirAnalysis *a, const RlxFacts *facts, const RlxTirBox *outer,
                        const RlxTirBox *inner, RlxBuf *out);

bool rlx_tir_uses(const RlxTirExpr *e, const RlxTirVar *var); ///< NULL `e`: false
/// Condition 5 of a reduction: no store of the body is indexed by a reduce variable.
RlxTirVerdict rlx_tir_outputs_without_reduce(const RlxTirAnalysis *a, const RlxTirBlockInfo *block);

static inline RlxTirVerdict rlx_tir_holds(void) {
  RlxTirVerdict v = {.is = true, .other = -1, .reason = ""};
  return v;
}
/// A verdict of no, with its reason; `violates`: the block or loop that breaks it, -1: none.
RlxTirVerdict rlx_tir_fails(const RlxTirAnalysis *a, int violates, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
