/// Inside of the loop questions: systems of conditions over several copies of accesses.
#ifndef RLX_ANALYZER_TIR_LOOPS_IMPL_H
#define RLX_ANALYZER_TIR_LOOPS_IMPL_H

#include "analyzer/tir/loops.h"

enum { RLX_JOINT_MAX = 48 };

/// A system that is being put together.
typedef struct RlxTirJoint {
  const RlxTirAnalysis *a;
  RlxLoopRange ranges[RLX_JOINT_MAX];
  const RlxPrim *conditions[2 * RLX_JOINT_MAX];
  int range_count, condition_count;
  bool is_exact; ///< nothing was left out
  bool is_full;  ///< there was too little room: no answer; rlx_tir_joint_system says so
} RlxTirJoint;

/// One access with the loops from `from` on in names of their own.
typedef struct RlxTirCopy {
  const RlxTirAccess *access;
  int from, tag;                             ///< tag 0: the names as they are
  const RlxSymVar *vars[RLX_TIR_AROUND_MAX]; ///< of all its loops, outermost first
} RlxTirCopy;

/// Adds the loops [first, …) of `access` in the names of copy `tag`, with its conditions; loops
/// before `from` keep their names.
RlxTirCopy rlx_tir_joint_add(RlxTirJoint *j, const RlxTirAccess *access, int first, int from,
                             int tag);
void rlx_tir_joint_require(RlxTirJoint *j, const RlxPrim *condition); ///< NULL: is_exact ends
const RlxPrim *rlx_tir_copy_prim(const RlxTirJoint *j, const RlxTirCopy *c, const RlxPrim *p);
/// Both touch one element.
void rlx_tir_joint_same_element(RlxTirJoint *j, const RlxTirCopy *x, const RlxTirCopy *y);
/// `x` runs before `y`, as far as loops from `first` on say.
void rlx_tir_joint_before(RlxTirJoint *j, const RlxTirCopy *x, const RlxTirCopy *y, int first);
/// What was put together, in `out`, which points into `j`. False: there was too little room, and
/// nothing may be concluded from what there is. Who does not look does not compile.
bool rlx_tir_joint_system(const RlxTirJoint *j, RlxSystem *out) __attribute__((warn_unused_result));
/// When a write touches the element of `read` before it is read: puts it, with its loops from
/// `from` on in the names of copy `tag`, into the empty joint `j` and gives that as a system.
/// False: it can't be said exactly.
bool rlx_tir_joint_of_write(RlxTirJoint *j, const RlxTirAccess *write, const RlxTirCopy *read,
                            int from, int tag, RlxSystem *out);

/// One read and the writes that may come before it.
typedef struct RlxTirReadWrites {
  RlxTirJoint *read; ///< the read, as it is
  RlxTirCopy copy;
  RlxSystem *systems; ///< of the writes
  int count, capacity;
  bool is_whole; ///< no write was left out
} RlxTirReadWrites;
/// Begins with no write and room for `capacity`, in the arena of `a`.
void rlx_tir_read_writes_begin(RlxTirReadWrites *w, const RlxTirAnalysis *a,
                               const RlxTirAccess *read, int capacity);
/// Adds a write under the first `depth` loops of both. One that can't be said exactly, or has no
/// room, is left out: `is_whole` ends.
void rlx_tir_read_writes_add(RlxTirReadWrites *w, const RlxTirAccess *write, int depth);

/// The number of loops that both have around them.
int rlx_tir_common_loops(const RlxTirAccess *x, const RlxTirAccess *y);
/// The child block of `scope` that the access is in, or -1.
int rlx_tir_child_of(const RlxTirAnalysis *a, const RlxTirAccess *x, int scope);

/// Appends "A[1, 0]".
void rlx_tir_put_element(RlxBuf *out, const RlxTirJoint *j, const RlxTirCopy *c,
                         const RlxSetPoint *point);
/// How messages name a loop, or a thread launched by an attribute.
const char *rlx_tir_place_loop_name(const RlxTirJoint *j, const RlxTirPlaceLoop *loop);
/// Appends "(i, j) = (0, 3)"; `values_only`: "(0, 3)".
void rlx_tir_put_place(RlxBuf *out, const RlxTirJoint *j, const RlxTirCopy *c,
                       const RlxSetPoint *point, bool values_only);
/// Appends "for n = 2, " for the parameters.
void rlx_tir_put_parameters(RlxBuf *out, const RlxTirJoint *j, const RlxSetPoint *point);

/// An element that `read` takes and none of `block`'s writes gives it under loop `depth` (the
/// number of loops that both are in), before it. YES: `*witness` says which. (loops_cover.c)
RlxProof rlx_tir_find_uncovered(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                const RlxTirAccess *read, int block, int depth,
                                const char **witness);

/// Does `reader` take no element that `block`, which runs before it, writes in the same iteration of the loops that
/// are around both and `loop`? Then it may come first. The reason is the element, or NULL where that is not
/// decided. (loops_meet.c)
RlxTirVerdict rlx_tir_takes_nothing(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                    int block, int reader, const RlxTirStmt *loop);
/// Does `producer` write no element that `reader` takes in two iterations of `loop` (both in one of the loops
/// around it)? The reason as above. (loops_meet.c)
RlxTirVerdict rlx_tir_ends_in_iteration(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                        int producer, int reader, int loop);

RlxTirVerdict rlx_tir_verdict(bool is, bool is_unknown, int violates, int other,
                              const char *reason);

#endif
