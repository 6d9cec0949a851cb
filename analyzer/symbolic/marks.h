/// Which symbolic variables are dimensions, and so at least 0.
/// A variable that a signature, a PrimFunc or a request names as a dimension is one for good. What a
/// statement of a Relax function says of a variable of that function holds from there on, and for
/// as long as the statement says so: while a function is swept over, such marks are logged in the
/// name of the statement, and the next sweep takes them back and makes them again one by one.
/// Otherwise what a statement taught would outlive it, and reach the statements before it.
#ifndef RLX_ANALYZER_MARKS_H
#define RLX_ANALYZER_MARKS_H

#include "analyzer/symbolic/prim.h"
#include "base/vec.h"

typedef Vec(const RlxSymVar *) RlxMarked;

/// What rlx_marks_leave puts back.
typedef struct RlxMarkSweep {
  uint32_t log;
  uint64_t hash;
} RlxMarkSweep;

/// Begins a sweep over the function whose variables are those of `scope`. `marked` are the marks of
/// its sweep before, which are taken back; NULL for a local function, whose statements speak in the
/// name of the `def` around. Ended by rlx_marks_leave, with the same `marked`, which then holds what
/// this sweep marked.
RlxMarkSweep rlx_marks_enter(RlxStore *store, uint64_t scope, RlxMarked *marked);
void rlx_marks_leave(RlxStore *store, RlxMarkSweep before, RlxMarked *marked);

/// Takes the marks of a sweep back: its function is gone.
void rlx_marks_forget(RlxStore *store, RlxMarked *marked);

/// Begins a statement; gives what rlx_marks_of wants.
uint32_t rlx_marks_statement(RlxStore *store);
/// The variables that were marked since then, each once, in `arena`; their number in `count`. They
/// are marked again with rlx_marks_again when the statement is passed without being analysed.
const RlxSymVar **rlx_marks_of(RlxStore *store, uint32_t since, RlxArena *arena, uint32_t *count);
void rlx_marks_again(RlxStore *store, const RlxSymVar *const *vars, uint32_t count);

/// A hash of the marks of the sweep so far.
uint64_t rlx_marks_hash(const RlxStore *store);
/// How often an answer hung on a mark that may come or go: who sees it grow asked such a question,
/// and must ask again when rlx_marks_hash is another.
uint64_t rlx_marks_reads(const RlxStore *store);

#endif
