/// Inside the guards: what is known at a place of a function.
#ifndef RLX_JIT_GUARD_IMPL_H
#define RLX_JIT_GUARD_IMPL_H

#include "analyzer/symbolic/prove.h"
#include "base/map.h"
#include "jit/schedule/guard.h"
#include "jit/schedule/rules.h"

enum { GUARD_LOOPS = 2 * NEST_MAX_LOOPS };

typedef struct GuardLoop {
  const RlxTirStmt *stmt;
  const RlxPrim *var, *end; // the variable runs over [0, end); NULL: it starts elsewhere
  bool is_const;
  int64_t min, max; // when is_const
} GuardLoop;

typedef struct Guard {
  RlxStore *store;
  Rules rules;          // for its constructors; `rules.f` is the result
  RlxArena *arena;      // of the facts
  const RlxPrim **vars; // by RlxTirVar.id: its value; NULL: not known yet
  RlxMap opaque;        // RlxTirExpr * → RlxPrim *: what stands for a load or the like
  int opaque_count;
  bool is_index;     // what is read is computed in 64 bits, whatever its dtype
  bool *written;     // by RlxTirBuffer.id: of the buffer whose memory it is
  bool has_pointers; // memory may be written by who has its address
  bool marks;        // accesses are marked where they are, nothing is copied
  const RlxFacts *facts;
  GuardLoop loops[GUARD_LOOPS];
  int loop_count;
  Binding iters[GUARD_LOOPS]; // of the blocks around
  int iter_count;
  /// Above 0: what is here does not run in each round of the loops around.
  int conditional;
  RlxSpan span;       // of the statement
  RlxTirStmt *checks; // to run before the outermost loop, or NULL
  RlxGuardCounts counts;
} Guard;

// ---- guard_prove.c
/// The integer `e` in symbols; NULL for what is no integer and no condition of integers.
const RlxPrim *guard_prim(Guard *g, const RlxTirExpr *e);
/// A symbol of its own for `var`.
const RlxPrim *guard_symbol(Guard *g, const RlxTirVar *var, bool is_dimension);
void guard_assume(Guard *g, const RlxPrim *condition); // NULL is fine
void guard_assume_expr(Guard *g, const RlxTirExpr *condition, bool value);
bool guard_is_nonnegative(Guard *g, const RlxPrim *p);
/// Whether 0 <= index < size; either may be NULL.
bool guard_fits(Guard *g, const RlxPrim *index, const RlxPrim *size);

/// Whether from >= 0 and from + extent <= size.
bool guard_fits_region(Guard *g, const RlxPrim *from, const RlxPrim *extent, const RlxPrim *size);
/// The value that a variable is bound to, computed in its own dtype; NULL: not known.
const RlxPrim *guard_value(Guard *g, const RlxTirExpr *e);
/// The buffer whose memory `b` is.
const RlxTirBuffer *guard_memory(const RlxTirBuffer *b);

// ---- guard_hoist.c
/// Makes checks that run before the loops around and fail exactly when `index` leaves its buffer's
/// dimension in some round: true, and the checks are in g->checks. `named` is a LOAD whose operator
/// and argument the message names, or NULL; then `name` is the operator.
bool guard_hoist(Guard *g, const RlxTirBuffer *buffer, RlxTirExpr *const *indices, int dim,
                 RlxTirExpr *named, RlxName name);

#endif
