/// Which instances of a block have to run where it is moved to: the domain of each block variable
/// within one iteration of a loop. (domain.c)
#ifndef RLX_ANALYZER_SCHEDULE_DOMAIN_H
#define RLX_ANALYZER_SCHEDULE_DOMAIN_H

#include "analyzer/schedule/schedule_impl.h"
#include "analyzer/tir/interval.h"

/// A block variable runs over `dom` cut to `bound`, which has become a predicate where it says more
/// than `dom`; ends that are NULL are open.
typedef struct RlxScheduleDomain {
  RlxTirInterval dom, bound;
  bool has_dom, has_bound;
} RlxScheduleDomain;

typedef struct RlxScheduleNeed {
  const RlxTirBlockInfo *block; ///< that moves
  const RlxTirLoopInfo *loop;   ///< to be moved under
  const int *others;            ///< blocks whose accesses say what is needed
  int other_count;
  bool is_reverse;       ///< the block reads what the others write; else it writes what they read
  const RlxFacts *facts; ///< ranges of the loops around the target, itself included
} RlxScheduleNeed;

/// The domains of the block's variables, in `out` (one each). False: they cannot be told, `*why`
/// says why. `*is_loose`: they come from the ends of ranges that are taken apart, so that whether
/// they reach everything has to be asked afterwards.
bool rlx_schedule_domains(RlxScheduleCall *c, const RlxScheduleNeed *need, RlxScheduleDomain *out,
                          bool *is_loose, const char **why);

/// An init, or a copy of what a block accesses, that is taken out of loops, some of which do not go with it.
typedef struct RlxScheduleInit {
  RlxScheduleCall *c;
  const RlxTirBlockInfo *info; ///< of the block that has the init
  const RlxTirStmt *const *discarded;
  int discarded_count;
  const RlxTirIterVar *iters; ///< of an init: block variables with their bindings to the loops
  int iter_count;
  bool follows_all; ///< it has to run wherever one of the instances does, not the first one alone
  bool is_lost;     ///< out: where it runs is not told without the discarded loops
} RlxScheduleInit;
/// `predicate` (NULL: none) for it, without the discarded loops, and that each of these has an iteration
/// where that is not sure; NULL: it has none. (init_predicate.c)
RlxTirExpr *rlx_schedule_init_predicate(RlxScheduleInit *w, RlxTirExpr *predicate);

/// A loop of the block that reduces and may have no iteration, so that neither an init nor an update runs;
/// NULL: each has one.
const RlxTirStmt *rlx_schedule_empty_loop(RlxScheduleCall *c, const RlxTirBlockInfo *info);
/// The condition for the reduction to have an instance, as decompose_reduction writes it; NULL: it always
/// has, or that is not told.
RlxTirExpr *rlx_schedule_reduction_runs(RlxScheduleCall *c, const RlxTirBlockInfo *info);
/// Why the init of a reduction does not run in the first iteration of the loops that reduce, in the
/// schedule's arena; NULL: it does, or there is none.
const char *rlx_schedule_init_starts_late(RlxScheduleCall *c, const RlxTirBlockInfo *info);
/// The same of a block that stands in `top` or is it, with the loops of the blocks from `top` down; true
/// also where its predicate stops the init.
bool rlx_schedule_init_may_not_run(RlxScheduleCall *c, const RlxTirBlockInfo *info,
                                   const RlxTirBlockInfo *top);

/// A copy back of what `block` writes of `buffer`, under loop `outer` (-1: none), over these extents.
typedef struct RlxScheduleCopyBack {
  const RlxTirBlockInfo *block;
  const RlxTirBuffer *buffer;
  int outer;
  RlxTirExpr *const *extent;
  int ndim;
} RlxScheduleCopyBack;
/// The condition for the block to write where the copy would run: that loops which may have no iteration have
/// one, and what predicates say of parameters. `*out` NULL: it always does. False: that is not told where the copy stands. (runs_where.c)
bool rlx_schedule_writes_where(RlxScheduleCall *c, const RlxScheduleCopyBack *q, RlxTirExpr **out);

/// A loop around `block` that may have no iteration though each loop around `other` has one; NULL: there is none.
const RlxTirStmt *rlx_schedule_idle_loop(RlxScheduleCall *c, const RlxTirBlockInfo *block,
                                         const RlxTirBlockInfo *other);
/// "loop `k` has no iteration where n is 0", and the witness "n = 0" where it is one; in the schedule's arena.
const char *rlx_schedule_idle_words(RlxScheduleCall *c, const RlxTirStmt *loop,
                                    const char **out_witness);

/// The range of `loop` as two facts before `next`; `next` when it is not known.
const RlxFacts *rlx_schedule_range_facts(RlxScheduleCall *c, const RlxSymVar *var,
                                         const RlxPrim *min, const RlxPrim *extent,
                                         const RlxFacts *next);
/// The canonical form of `p`, with divisions, minima and maxima that `facts` decide done.
const RlxPrim *rlx_schedule_simplify_under(RlxStore *store, const RlxFacts *facts,
                                           const RlxPrim *p);

#endif
