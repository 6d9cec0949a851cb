/// Inside the scheduler: a loop nest around one store, and short constructors for the code that
/// replaces it.
#ifndef RLX_JIT_RULES_H
#define RLX_JIT_RULES_H

#include "jit/schedule/schedule.h"

enum { NEST_MAX_LOOPS = 24 };

typedef struct NestLoop {
  RlxTirVar *var;
  RlxTirExpr *extent; // from 0
  bool is_reduce;     // the stored place does not depend on it
} NestLoop;

/// for loops…: buffer[indices] = value, with block variables replaced by their bindings.
typedef struct Nest {
  int count;
  NestLoop loops[NEST_MAX_LOOPS];
  RlxTirBuffer *buffer;
  RlxTirExpr **indices;
  RlxTirExpr *value;
  RlxTirExpr *init;  // stored before the first step of the reduction; NULL: none
  bool accumulates;  // value is `op(buffer[indices], term)`
  RlxTirExprKind op; // ADD, MUL, MIN, MAX
  RlxTirExpr *term;
} Nest;

typedef struct Rules {
  RlxPrimFunc *f;
  RlxTarget target;
  RlxInterner *names;
  bool trusted;
  struct Emit *emit; ///< gets the steps, or NULL (emit.h)
} Rules;

typedef struct Binding {
  const RlxTirVar *var;
  RlxTirExpr *value;
} Binding;

/// `e` with variables replaced. Expressions are shared where nothing changes.
RlxTirExpr *rules_subst(Rules *r, RlxTirExpr *e, const Binding *bindings, int count);
/// Does `e` mention the variable?
bool rules_mentions(const RlxTirExpr *e, const RlxTirVar *var);
/// Is `e` made of numbers, and of parameters and dimensions of `f` alone, so that it is the same wherever it
/// stands? A loop of another length may run in one place and not in the next.
bool rules_is_of_function(const RlxPrimFunc *f, const RlxTirExpr *e);
/// The integer that `e` is with these values of its variables; false: not told.
bool rules_value_at(const RlxTirExpr *e, const RlxTirVar *const *vars, const int64_t *values,
                    int count, int64_t *out);
bool rules_equal(const RlxTirExpr *a, const RlxTirExpr *b);
/// How much `e` grows when `var` grows by one, when that is a constant; false: unknown, or not the
/// same everywhere.
bool rules_step(const RlxTirExpr *e, const RlxTirVar *var, int64_t *out);
/// As rules_step for the address that `load` reads, in elements; false also when a stride is
/// symbolic.
bool rules_address_step(const RlxTirExpr *load, const RlxTirVar *var, int64_t *out);

/// PARALLEL when threads are wanted and the nest is known to be worth them; else SERIAL.
RlxTirForKind rules_outer_kind(const Rules *r, const Nest *nest);
bool rules_reads(const RlxTirExpr *e, const RlxTirBuffer *buffer);

// ---- rules_loops.c
/// Each place is stored in one round of the spatial loops: the indices are distinct loop variables,
/// all of them.
bool rules_is_one_to_one(const Nest *nest);
/// Loops that only occur together as a * E + b become one.
void rules_join_loops(Rules *r, Nest *nest);
/// Whether all of `first` may run before all of `second`, instead of both in each round of the
/// loops `around`: `first` sets what `second` accumulates to, place by place. The indices are those
/// before loops were joined.
bool rules_can_distribute(const Nest *first, RlxTirExpr *const *first_indices, const Nest *second,
                          RlxTirExpr *const *second_indices, RlxTirVar *const *around,
                          int around_count);

// ---- short constructors
/// These make nodes in the arena of the function that is rewritten.
RlxTirExpr *c_int(Rules *r, int64_t value);
RlxTirExpr *c_add(Rules *r, RlxTirExpr *a, RlxTirExpr *b);
RlxTirExpr *c_sub(Rules *r, RlxTirExpr *a, RlxTirExpr *b);
RlxTirExpr *c_mul(Rules *r, RlxTirExpr *a, RlxTirExpr *b);
RlxTirExpr *c_min(Rules *r, RlxTirExpr *a, RlxTirExpr *b);
RlxTirExpr *c_op(Rules *r, RlxTirExprKind kind, RlxTirExpr *a, RlxTirExpr *b);
/// a / b, rounded up.
RlxTirExpr *c_ceildiv(Rules *r, RlxTirExpr *a, int64_t b);
RlxTirExpr *c_wide(Rules *r, RlxTirExpr *e); // as int64
RlxTirExpr *c_length(Rules *r,
                     RlxTirExpr *extent); // the same of a loop, and 0 where that is negative
RlxTirExpr *c_zero(Rules *r, RlxDType t);
/// A fresh variable of int64; `c_use` reads it.
RlxTirVar *c_var(Rules *r, const char *name);
RlxTirExpr *c_use(Rules *r, RlxTirVar *v);
RlxTirExpr *c_load(Rules *r, RlxTirBuffer *b, RlxTirExpr *index);
RlxTirStmt *c_store(Rules *r, RlxTirBuffer *b, RlxTirExpr *index, RlxTirExpr *value);
RlxTirBuffer *c_buffer(Rules *r, const char *name, RlxDType t, RlxTirExpr *size);
RlxTirStmt *c_seq2(Rules *r, RlxTirStmt *a, RlxTirStmt *b);
RlxTirStmt *c_for(Rules *r, RlxTirVar *v, RlxTirExpr *extent, RlxTirStmt *body);
/// A loop over 0 to `extent`, of this kind.
RlxTirStmt *c_for_kind(Rules *r, RlxTirVar *v, RlxTirExpr *extent, RlxTirForKind kind,
                       RlxTirStmt *body);
RlxTirStmt *c_let(Rules *r, RlxTirVar *v, RlxTirExpr *value, RlxTirStmt *body);

/// The dtype to accumulate values of `t` in.
RlxDType rules_accumulator(RlxDType t);
/// The neutral element of `op`; NULL when there is none.
RlxTirExpr *rules_neutral(Rules *r, RlxTirExprKind op, RlxDType t);

// ---- rules: a replacement, or NULL when the rule does not fit
RlxTirStmt *rule_contraction(Rules *r, const Nest *nest);
/// A nest that accumulates into fewer elements than it reads: with vectors as accumulators.
RlxTirStmt *rule_reduction(Rules *r, const Nest *nest);
/// Elementwise nests whose value is guarded by a loop variable: a nest for each side.
RlxTirStmt *rule_split(Rules *r, const Nest *nest);

#endif
