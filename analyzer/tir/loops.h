/// Questions about the loops of a PrimFunc that schedules ask before they change anything, each
/// answered with a reason that names blocks, loops and, where it is refuted exactly, a witness. The
/// rules are the design document's (S4: loop tree, complete block, one-way dataflow check,
/// compute_at); races and coverage are decided on the accesses themselves by sets of integers.
///
/// In every RlxTirVerdict `is` holds only when proved; `violates` is the number of the first
/// condition that fails.
#ifndef RLX_ANALYZER_TIR_LOOPS_H
#define RLX_ANALYZER_TIR_LOOPS_H

#include "analyzer/tir/access.h"
#include "analyzer/tir/blocks.h"

/// May the iterations of `loop` run in any order, at once? On the accesses: two iterations never
/// touch one element, one of them writing; but for a complete block that writes the same value
/// again, and reads of what the own iteration has written before. Refuted: 1, with the element and
/// the iterations. What is done through a pointer is what the block states of it. Where sets of integers do not
/// decide, indices that are one to one in the loops do, and S4's rule on what the body was found to do.
RlxTirVerdict rlx_tir_race_free(const RlxTirAnalysis *a, const RlxTirAccesses *accesses, int loop);

/// The same of a parallel loop: a buffer that nothing outside of it uses, and of which each iteration writes what it
/// reads, is in memory of its own for each thread.
RlxTirVerdict rlx_tir_parallel_free(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                    int loop);

/// The same, but a store of the value that another iteration stores there, too, is a race like any other, as it is for
/// the memory model that code is compiled under.
RlxTirVerdict rlx_tir_thread_free(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                  int loop);

/// Is `buffer` such a one, and do iterations meet in an element of it (or is that not decided)?
bool rlx_tir_needs_own(const RlxTirAnalysis *a, const RlxTirAccesses *accesses, int loop,
                       const RlxTirBuffer *buffer);

/// Is one block all that stands below `loop`, and shown by its body to run its instances in any order?
/// Then any order of loops that stand directly in each other from `loop` on gives the same, as far as
/// a reduction's updates do.
bool rlx_tir_is_free_below(const RlxTirAnalysis *a, int loop);

/// Do the `length` loops that stand directly in each other, `loop` the outermost, give the same in
/// another order? order[i]: which of them, counted from the outermost as they stand, is the i-th then.
/// On the accesses, as rlx_tir_race_free, but only of iterations that change places; what updates of
/// one reduction give in another order is not asked here (rlx_tir_update_order is).
RlxTirVerdict rlx_tir_reorderable(const RlxTirAnalysis *a, const RlxTirAccesses *accesses, int loop,
                                  const int *order, int length);

/// S4's rule for vectorize, parallel and bind: 1 every block below is complete or a reduction; 2
/// the loop binds data-parallel block variables, and only those; 3 the bindings of reductions are
/// validatable.
RlxTirVerdict rlx_tir_parallel_rule(const RlxTirAnalysis *a, int loop);

/// The exact answer where there is one, else the rule's.
RlxTirVerdict rlx_tir_parallelizable(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                     int loop);

/// S4's one-way fine-grained dataflow check of the blocks below `loop`: 1 all are complete; 2 none
/// reads a buffer that a later one writes; 3 what one reads of another's output was written before
/// under their common loop.
RlxTirVerdict rlx_tir_decomposable(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                   int loop);

/// Fills `inferred` where the body's form left it open: data_par when no two instances that differ
/// in the variable touch one element, one of them writing; reduce when they only update it; else
/// ordered.
void rlx_tir_infer_types(RlxTirAnalysis *a, const RlxTirAccesses *accesses);

/// Does every instance of `block` run exactly once (S4: validatable loop binding)? 1 an instance
/// runs twice, never or outside of its domain: the reason has the witness.
RlxTirVerdict rlx_tir_validatable(const RlxTirAnalysis *a, int block);

/// The two sets of checks of compute_at: either is enough. Conditions of the first: 1 the block is
/// complete, or a reduction with its init, and writes what its readers read; 2 neither a
/// predecessor nor a reader is in its loop tree (below the loop that is around both the block and
/// the target), or (asked where the second set does not hold) the loops around both carry nothing from one iteration to another; 3 all its readers are under the loop; 4 it is no output of its scope; 5 nothing
/// overwrites what it reads (WAR). Of the second, 2: its loop tree is decomposable.
typedef struct RlxTirMoveVerdict {
  RlxTirVerdict first, second;
  RlxTirVerdict verdict; ///< holds when one of them does; else the first that says why not
} RlxTirMoveVerdict;

RlxTirMoveVerdict rlx_tir_can_compute_at(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                         int block, int loop);

/// The same for the consumer that moves to its producers: 1 the block, and every producer, is
/// complete or a reduction, reductions end inside of the loop, and its readers as above; 2 as
/// above; 3 its producers are under the loop, and its readers still come later; 4 what an instance
/// reads is written by one iteration of the loop, before; 5 as above.
RlxTirMoveVerdict rlx_tir_can_reverse_compute_at(const RlxTirAnalysis *a,
                                                 const RlxTirAccesses *accesses, int block,
                                                 int loop);

typedef struct RlxTirMove {
  int block, loop;
  bool is_reverse;
  RlxTirMoveVerdict verdict;
} RlxTirMove;

typedef struct RlxTirMoves {
  RlxTirMove *at;
  int count;
} RlxTirMoves;

/// All moves that bring a producer under a loop of a reader, or a reader under a loop of a
/// producer, judged; by dependency, then from the outer loops in; at most some hundred.
RlxTirMoves rlx_tir_moves(const RlxTirAnalysis *a, const RlxTirAccesses *accesses);

/// Is it shown that `block` writes all of `box` in each iteration of the loops around its scope, and
/// of those in it down to `outer` (-1: none of these)? `is_exact` of the box: the instances of the
/// block fill it, as far as they write what they state, which is asked here; that each of them writes
/// at all is for the caller to ask. (loops_whole.c)
bool rlx_tir_writes_all(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                        const RlxTirBlockInfo *block, const RlxTirBox *box, int outer);

#endif
