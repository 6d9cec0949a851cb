/// Inside of schedules: what a primitive sees, and how it asks, refuses and rewrites.
///
/// A primitive is `bool rlx_primitive_NAME(RlxScheduleCall *c)`: it takes its arguments (by the row's
/// order), asks what has to hold, and either gives `rlx_schedule_refuse(…)`, or changes `c->f` (its
/// own shallow copy of the PrimFunc) by rlx_schedule_replace and its like and gives true. Nothing has
/// to be undone when it refuses.
#ifndef RLX_ANALYZER_SCHEDULE_IMPL_H
#define RLX_ANALYZER_SCHEDULE_IMPL_H

#include "analyzer/schedule/schedule.h"
#include "analyzer/tir/loops.h"
#include "analyzer/tir/rewrite.h"
#include "analyzer/tir/wraps.h"
#include "base/map.h"

/// A loop or block that an earlier step gave.
typedef struct RlxScheduleHandle {
  const RlxTirStmt *stmt; ///< NULL: the root that is not written, or gone
  int function;
  int removed_by; ///< number of the step, or -1
  bool is_loop, is_root;
} RlxScheduleHandle;
typedef Vec(RlxScheduleHandle) RlxScheduleHandles;

/// What has been asked of a PrimFunc as it is at one time.
typedef struct RlxScheduleKnown {
  RlxArena *arena;          ///< owns the rest; NULL: nothing yet
  RlxTirAnalysis *analysis; ///< or NULL
  RlxTirAccesses accesses;
  bool has_accesses;
} RlxScheduleKnown;

typedef struct RlxScheduleFunction {
  RlxPrimFunc *owned;     ///< as added: its arena owns all trees
  RlxPrimFunc *f;         ///< as it is now: shares the arena
  RlxScheduleKnown known; ///< of `f`
  uint32_t text_start;
  bool has_unseen; ///< as added: see rlx_schedule_unseen
} RlxScheduleFunction;

/// A variable of the trace.
typedef struct RlxScheduleName {
  const char *name;
  RlxScheduleValue value;
  uint32_t previous; ///< place + 1 of the one before with this name; 0: none
} RlxScheduleName;
typedef Vec(RlxScheduleName) RlxScheduleNames;

/// What was before a step, for undo.
typedef struct RlxScheduleFormer { ///< what a handle was before a step gave it another node
  uint32_t at;
  RlxScheduleHandle handle;
} RlxScheduleFormer;

typedef struct RlxSchedulePast {
  RlxScheduleStep step;
  int function;           ///< that it changed, or -1
  RlxPrimFunc *f;         ///< before
  RlxScheduleKnown known; ///< of `f`; of the last step only, so that two are kept at most
  Vec(RlxScheduleFormer) former;
  uint32_t handle_count, name_count; ///< before
  uint64_t seed;
  const char *working_on;
} RlxSchedulePast;

/// Behind an array of annotations that a step made: how much of it is taken, by whichever list is the longest.
typedef struct RlxScheduleRoom {
  int used, size;
} RlxScheduleRoom;

/// The PrimFuncs of an intrinsic that the script registers.
typedef struct RlxScheduleIntrinsic {
  RlxName description, implementation;
} RlxScheduleIntrinsic;

struct RlxSchedule {
  RlxStore *store;
  RlxArena *arena; ///< lives as long as the schedule
  Vec(RlxScheduleFunction) functions;
  Vec(RlxPrimFunc *) lent; ///< what is not scheduled
  Vec(RlxScheduleIntrinsic) intrinsics;
  RlxStrMap intrinsics_named; ///< place in `intrinsics`; the last one of a name
  RlxScheduleHandles handles;
  RlxScheduleNames names;
  RlxStrMap newest;            ///< name → place + 1 in `names`
  Vec(RlxSchedulePast) past;   ///< steps in force
  Vec(RlxScheduleStep) future; ///< undone steps, the next one last
  RlxSink sink;                ///< refusals
  Vec(RlxArena *) kept;        ///< of traces that were handed over
  uint64_t seed;
  const char *
      working_on; ///< function that names are of where a step does not say; NULL: `main`, or the first
  RlxMap rooms;              ///< annotations of a loop or block → RlxScheduleRoom
  uint64_t looked_at;        ///< statements, by the steps of traces (rounds.c)
  uint64_t proof_work;       ///< operations of the proofs that they asked for
  uint64_t looks_most;       ///< of them; 0: as many as any trace may
  size_t bytes_taken;        ///< by them
  RlxNestRewriter *rewriter; ///< or NULL
  const RlxLines *lines;     ///< of the file, for messages; or NULL
};

typedef struct RlxScheduleMove { ///< a loop or block that is another node now; NULL: gone
  const RlxTirStmt *old, *now;
} RlxScheduleMove;

struct RlxScheduleCall {
  RlxSchedule *s;
  const RlxPrimitive *primitive;
  const RlxScheduleValue *args; ///< by the row's parameters; NAMEs are looked up
  int function;                 ///< that the references name
  RlxPrimFunc *f;               ///< working copy
  const RlxDiag *refusal;
  const char *witness;                   ///< of the refusal, in the schedule's arena; NULL: none
  const char *map_problem, *map_witness; ///< why an index map was not taken (index_map.h); or NULL
  Vec(RlxScheduleMove) moves;
  RlxScheduleValue result;
  RlxScheduleValue
      recorded; ///< what the step decided (samples), written into the trace; ABSENT: nothing
};

/// A value as a trace or a script writes it; handles as what they name (print_value.c).
void rlx_schedule_print_value(const RlxScheduleValue *v, RlxBuf *out);

// ---- intrinsics (intrinsics.c)

/// The intrinsic that the script registers under this name; NULL: none.
const RlxScheduleIntrinsic *rlx_schedule_intrinsic(const RlxSchedule *s, const char *name);

// ---- arguments (arguments.c)

// ---- values (values.c, compute.c, fields.c)

typedef enum RlxThing { ///< what a THING is
#define RLX_THING(name, words) RLX_THING_##name,
#define RLX_FIELD(thing, name)
#include "analyzer/schedule/fields.def"
#undef RLX_FIELD
#undef RLX_THING
} RlxThing;

/// `v` with names, items, fields and computations as what they stand for; false: refused.
bool rlx_schedule_look_up(RlxScheduleCall *c, const RlxScheduleValue *v, RlxScheduleValue *out);
/// `v` as it goes into a saved trace: fields and computations as the numbers and texts that they come to, the rest as it
/// is written. It has been looked up.
RlxScheduleValue rlx_schedule_settle(RlxScheduleCall *c, const RlxScheduleValue *v);
/// Has it so few items, in lists in one another, that it can be written down?
bool rlx_schedule_is_writable(const RlxScheduleValue *v);
/// The same items as a list of its own, which gets longer by itself.
RlxScheduleValue rlx_schedule_copied(RlxSchedule *s, const RlxScheduleValue *list);
/// Whether two values are one list of Python's, and not two that are equal.
static inline bool rlx_schedule_is_same_list(const RlxScheduleValue *a, const RlxScheduleValue *b) {
  return a->kind == RLX_SCHEDULE_LIST && b->kind == RLX_SCHEDULE_LIST && a->items == b->items &&
         a->count == b->count;
}
/// Whether names.at[i] is what its name stands for now: it has got no other value since.
bool rlx_schedule_is_current(const RlxSchedule *s, uint32_t i);
/// Refuses a value; always false.
bool rlx_schedule_refuse_value(RlxScheduleCall *c, const char *why);
/// Does the step give as many values as there are names for them? Python stops where it does not.
bool rlx_schedule_check_targets(RlxScheduleCall *c, const char *target);
/// Gives the targets of a step, "b", "i, j" or "i, *_", their values.
void rlx_schedule_bind_targets(RlxSchedule *s, const char *target, const RlxScheduleValue *value);
/// Takes names back until `count` are left.
void rlx_schedule_unbind_names(RlxSchedule *s, uint32_t count);
/// Whether there is a computation of this name.
bool rlx_schedule_computes(const char *name);
/// How it is written: between its operands, "//"; NULL: as a call.
const char *rlx_schedule_infix(const char *name);
/// What the computation `name` comes to for these values; false: refused.
bool rlx_schedule_compute(RlxScheduleCall *c, const char *name, const RlxScheduleValue *args,
                          uint32_t count, RlxScheduleValue *out);
/// Whether Python takes the value for true; false: refused.
bool rlx_schedule_truth(RlxScheduleCall *c, const RlxScheduleValue *v, bool *out);
/// The field of a value: a thing's, or `value` of a number; false: refused, it has none of that name.
bool rlx_schedule_field(RlxScheduleCall *c, const RlxScheduleValue *of, const char *name,
                        RlxScheduleValue *out);
/// What a thing is, in words: "a loop".
const char *rlx_schedule_thing_words(const RlxScheduleValue *v);
/// How a thing is called, a text; false: it has no name.
bool rlx_schedule_thing_name(RlxScheduleCall *c, const RlxScheduleValue *v, RlxScheduleValue *out);
/// The number behind a constant of TVM's Python, "IterVar.CommReduce" at the end of `dotted`; false: there is none.
bool rlx_schedule_constant(const char *dotted, int64_t *out);

/// What an earlier step gave under this name; NULL: nothing.
const RlxScheduleValue *rlx_schedule_named(const RlxSchedule *s, const char *name);
/// `v` with names as what they stand for now; false: one stands for nothing.
bool rlx_schedule_evaluate(RlxSchedule *s, const RlxScheduleValue *v, RlxScheduleValue *out);
/// Whether `v` holds; false: it is not known.
bool rlx_schedule_decide(RlxSchedule *s, const RlxScheduleValue *v, bool *out);

/// A loop or block as an argument names it.
typedef struct RlxSchedulePlace {
  const RlxTirStmt *stmt; ///< NULL: the root that is not written
  bool is_root;
} RlxSchedulePlace;

/// The block (or loop) of argument `i`; false: refused.
bool rlx_schedule_block(RlxScheduleCall *c, int i, RlxSchedulePlace *out);
bool rlx_schedule_loop(RlxScheduleCall *c, int i, const RlxTirStmt **out);
/// The loop or block that `v` names.
bool rlx_schedule_resolve(RlxScheduleCall *c, const RlxScheduleValue *v, RlxSchedulePlace *out);
/// The same for an item of a list, which may be a name: a loop; a block; a block or loop.
bool rlx_schedule_item_loop(RlxScheduleCall *c, const RlxScheduleValue *v, RlxSchedulePlace *out);
bool rlx_schedule_item_block(RlxScheduleCall *c, const RlxScheduleValue *v, RlxSchedulePlace *out);
bool rlx_schedule_item_any(RlxScheduleCall *c, const RlxScheduleValue *v, RlxSchedulePlace *out);
bool rlx_schedule_is_given(const RlxScheduleCall *c, int i); ///< neither absent nor None
/// Argument `i` as a bool; `otherwise` when it is not given.
bool rlx_schedule_flag(const RlxScheduleCall *c, int i, bool otherwise);
/// Argument `i` as an int; `otherwise` when it is not given.
int64_t rlx_schedule_integer(const RlxScheduleCall *c, int i, int64_t otherwise);
const char *rlx_schedule_text(const RlxScheduleCall *c, int i); ///< NULL: not given
/// Refuses a buffer that is none of those that the block reads, or writes, and names these.
bool rlx_schedule_no_buffer(RlxScheduleCall *c, const RlxTirStmt *block, bool is_write);
/// Buffer `i` (BUFFER, or INT: position in the reads or writes) of `block`: its position there;
/// refused when there is none.
bool rlx_schedule_buffer(RlxScheduleCall *c, int i, const RlxTirStmt *block, bool is_write,
                         RlxTirBuffer **out, int *out_position);

/// The same for an argument that says itself whether it is read or written: a BUFFER, ["write", 0], or
/// the name of a buffer.
bool rlx_schedule_any_buffer(RlxScheduleCall *c, int i, const RlxTirStmt *block, bool *out_is_write,
                             RlxTirBuffer **out, int *out_position);

/// How a step names the loop, or else the block, that is called `name`, for a message: ": the loop of that name is "i", in
/// quotes"; "" where nothing is called so. In the schedule's arena.
const char *rlx_schedule_quoted(RlxScheduleCall *c, const char *name);

/// Checks kinds and fills in which function the step means; false: refused.
bool rlx_schedule_check_arguments(RlxScheduleCall *c);

// ---- asking
/// The place of the function of that name in the schedule, or -1. TVM's traces say "main", which is the only function of a
/// schedule that has one.
int rlx_schedule_function_named(const RlxSchedule *s, const char *name);

/// The analysis of the PrimFunc as it was before the step.
const RlxTirAnalysis *rlx_schedule_analysis(RlxScheduleCall *c);
/// All accesses of that PrimFunc; made when asked for the first time.
const RlxTirAccesses *rlx_schedule_accesses(RlxScheduleCall *c);
/// What the analysis says of a place.
const RlxTirBlockInfo *rlx_schedule_block_info(RlxScheduleCall *c, const RlxTirStmt *block);
const RlxTirLoopInfo *rlx_schedule_loop_info(RlxScheduleCall *c, const RlxTirStmt *loop);

// ---- refusing: always false, so that a primitive can return it

/// Refuses with row `id`; `about` (a loop or block, may be NULL) gives the place. Arguments as
/// rlx_reportf takes them.
bool rlx_schedule_refuse(RlxScheduleCall *c, RlxDiagId id, const RlxTirStmt *about,
                         const char *kinds, ...);
/// Adds another place to the refusal: "the reader stands here".
void rlx_schedule_also(RlxScheduleCall *c, const RlxTirStmt *about, const char *message);
/// The refusal that was just made has these instances as a witness (copied); NULL: it has none.
void rlx_schedule_witness(RlxScheduleCall *c, const char *witness);
/// Refuses because `verdict` does not hold: its reason, its witness, its place.
bool rlx_schedule_refuse_verdict(RlxScheduleCall *c, RlxDiagId id, const RlxTirStmt *about,
                                 const RlxTirVerdict *verdict);
/// Where the function's text stands, for an analysis of what a step makes of it.
RlxTirText rlx_schedule_script(const RlxScheduleCall *c);
/// How messages name a loop: "i", or "i#2 (line 14)" where several have the name and this is the second
/// one; the name of a block. Good until the next step.
const char *rlx_schedule_loop_name(RlxScheduleCall *c, const RlxTirStmt *loop);
const char *rlx_schedule_block_name(RlxScheduleCall *c, const RlxTirStmt *block);

// ---- statements that stand in no block (bare.c)

/// One under `loop` that does something; NULL: there is none.
const RlxTirStmt *rlx_schedule_bare_statement(const RlxTirStmt *loop);
/// Does something under `loop` that stands in no block (a range, a condition, the value of a name) load from
/// memory at a place that its iterations tell? Beyond the loop's range that place need not be there.
bool rlx_schedule_bare_load(const RlxTirStmt *loop);
/// One of `s` (those of blocks inside left out) that writes `buffer`, or loads it unless `only_writes`;
/// NULL: there is none.
const RlxTirStmt *rlx_schedule_bare_use_in(const RlxTirStmt *s, const RlxTirBuffer *buffer,
                                           bool only_writes);
/// One of `scope` (those of blocks inside left out) that writes `buffer`, or loads it unless
/// `only_writes`; NULL: there is none.
const RlxTirStmt *rlx_schedule_bare_use(RlxScheduleCall *c, const RlxTirBlockInfo *scope,
                                        const RlxTirBuffer *buffer, bool only_writes);
/// One in the scope of `block` whose order with it counts, and why in words; NULL: there is none.
const RlxTirStmt *rlx_schedule_bare_conflict(RlxScheduleCall *c, const RlxTirBlockInfo *block,
                                             const char **out_why);
/// Refuses when there is one, with row `id`, whose arguments are the name of `about` (a loop or block)
/// and a reason.
bool rlx_schedule_check_bare(RlxScheduleCall *c, RlxDiagId id, const RlxTirStmt *about,
                             const RlxTirBlockInfo *block);

// ---- what runs in another order, or another number of times (moves.c)

/// Refuses a primitive that lets what its arguments name do so, when a function is called there that does more than
/// to give a value, or a block that is named uses memory that has another name beside it.
bool rlx_schedule_check_moves(RlxScheduleCall *c);
/// The block touches no memory that something else in its scope uses under another name; otherwise refused.
bool rlx_schedule_check_names(RlxScheduleCall *c, const RlxTirStmt *block);
/// Refuses such calls in `stmt` (NULL: nothing), a part of the block or loop `about`.
bool rlx_schedule_check_calls_in(RlxScheduleCall *c, const RlxTirStmt *about,
                                 const RlxTirStmt *stmt);

// ---- conditions between a block and its loops (condition.c)

/// An `if`, a `while`, or a statement that may jump past `block`, between it and `above` (a loop around it;
/// NULL: the block around both); NULL: there is none.
const RlxTirStmt *rlx_schedule_condition(const RlxScheduleCall *c, const RlxTirStmt *block,
                                         const RlxTirStmt *above);
/// Refuses when there is one, with row `id`, whose arguments are the name of `about` (a loop or block)
/// and a reason.
bool rlx_schedule_check_condition(RlxScheduleCall *c, RlxDiagId id, const RlxTirStmt *about,
                                  const RlxTirStmt *block, const RlxTirStmt *above);
/// Does `break`, `continue` or `return` stand in `s`?
bool rlx_schedule_jumps(const RlxTirStmt *s);

// ---- rewriting (edit.c)

/// Puts `now` in the place of `old` (NULL: `old` is dropped, and loops that become empty with it).
/// Nodes above are copied; handles to them, and to `old` when both are loops or both blocks, follow.
void rlx_schedule_replace(RlxScheduleCall *c, const RlxTirStmt *old, RlxTirStmt *now);
/// The same where `now` is not what became of `old`: the caller says what did.
void rlx_schedule_put(RlxScheduleCall *c, const RlxTirStmt *old, RlxTirStmt *now);
/// Says that a loop or block is another node now (NULL: gone), for handles.
void rlx_schedule_moved(RlxScheduleCall *c, const RlxTirStmt *old, const RlxTirStmt *now);
/// For RlxTirRewriter.moved, with `data` the call.
void rlx_schedule_note_moved(RlxTirRewriter *w, const RlxTirStmt *old, RlxTirStmt *now);
/// `s` with variables put in; handles follow.
RlxTirStmt *rlx_schedule_subst(RlxScheduleCall *c, const RlxTirStmt *s, const RlxTirSubst *at,
                               int count);
/// An expression simplified as far as integers go (canonical form); others come back as they are.
RlxTirExpr *rlx_schedule_simplify(RlxScheduleCall *c, RlxTirExpr *e);
/// A fresh loop variable, buffer, block name: `base`, or `base_1`… when the PrimFunc has it.
RlxTirVar *rlx_schedule_new_var(RlxScheduleCall *c, const char *base, RlxDType dtype);
RlxName rlx_schedule_name(RlxScheduleCall *c, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/// Writes the root block that is not written, with all that the function allocates, and gives it.
RlxTirStmt *rlx_schedule_write_root(RlxScheduleCall *c);

/// Changes the allocations of the scope block, or of what is in its place now (`scope` NULL: of the root that is not written): `to` in place of
/// `from`. `from` NULL: adds `to`. `to` NULL: takes `from` out.
void rlx_schedule_change_alloc(RlxScheduleCall *c, const RlxTirStmt *scope,
                               const RlxTirBuffer *from, RlxTirBuffer *to);
/// The chain of statements from the body of `c->f` down to `s`, `s` last: their number, 0 when `s` is
/// not in the tree. `out` may be NULL.
int rlx_schedule_path(const RlxScheduleCall *c, const RlxTirStmt *s, const RlxTirStmt **out,
                      int capacity);
/// The block around `s` (NULL: the root that is not written), and the loops between both.
const RlxTirStmt *rlx_schedule_scope(const RlxScheduleCall *c, const RlxTirStmt *s);

/// `stmt` with the bindings of the blocks directly below simplified, as TVM does after a loop became
/// others; it will stand in the place of `above`. (loops.c)
RlxTirStmt *rlx_schedule_simplify_bindings(RlxScheduleCall *c, const RlxTirStmt *above,
                                           RlxTirStmt *stmt, bool preserve_unit_iters);

// ---- expressions and regions (exprs.c)

/// Variables that an expression made of symbolic integers may mention.
typedef struct RlxScheduleVars {
  RlxScheduleCall *c;
  Vec(RlxTirVar *) seen;
  RlxMap known; ///< the same, when they are many
} RlxScheduleVars;
void rlx_schedule_vars_free(RlxScheduleVars *vars);
/// Adds a variable, if it is not there yet.
void rlx_schedule_vars_add(RlxScheduleVars *vars, RlxTirVar *var);
void rlx_schedule_vars_of(RlxScheduleVars *vars, const RlxTirExpr *e); ///< those in `e`
/// `p` as an expression over these variables; NULL: another one is in it, or it has no spelling.
RlxTirExpr *rlx_schedule_expr(RlxScheduleVars *vars, const RlxPrim *p);
/// True when `var` occurs in `e` (NULL: false).
bool rlx_schedule_uses(const RlxTirExpr *e, const RlxTirVar *var);
/// True when `e`, or a statement in `s`, loads from `buffer`.
bool rlx_schedule_loads(const RlxTirExpr *e, const RlxTirBuffer *buffer);
bool rlx_schedule_loads_in(const RlxTirStmt *s, const RlxTirBuffer *buffer);
/// Is an index below `s` computed of what is loaded from `buffer`?
bool rlx_schedule_is_index_of(const RlxTirStmt *s, const RlxTirBuffer *buffer);
/// `facts` and that the variables of block `b` lie in their domains; in the schedule's arena.
const RlxFacts *rlx_schedule_domain_facts(RlxScheduleCall *c, const RlxFacts *facts,
                                          const RlxTirBlock *b);
/// Is a variable of this domain shown to be no less than 0, so that it may index a buffer?
bool rlx_schedule_is_index(RlxScheduleCall *c, const RlxTirIterVar *v);
/// The variables of block `b` as ranges, in the schedule's arena; NULL: a domain is no integer
/// expression.
RlxLoopRange *rlx_schedule_domain_ranges(RlxScheduleCall *c, const RlxTirBlock *b);
/// Does the block say that it reads or writes `buffer`?
bool rlx_schedule_mentions_buffer(const RlxTirBlock *b, const RlxTirBuffer *buffer);
/// Is `buffer` used below `s` other than by loads, stores and regions: by its pointer, or looked into
/// by another buffer?
bool rlx_schedule_is_opaque(const RlxTirStmt *s, const RlxTirBuffer *buffer);
/// A block of the scope that uses the buffer by its pointer and does not say what it writes; NULL: none.
const RlxTirBlockInfo *rlx_schedule_silent_user(RlxScheduleCall *c, const RlxTirBlockInfo *scope,
                                                const RlxTirBuffer *buffer);
/// Does `s` use the memory of `buffer` under another name, that no match_buffer in `s` gave it: one of a
/// decl_buffer, of a block around, or of the buffer that `buffer` looks into? What is put in place of
/// `buffer` in `s` does not reach that one.
bool rlx_schedule_is_aliased(const RlxTirStmt *s, const RlxTirBuffer *buffer);
/// Is there a load or store of `buffer` below `s`, or another use of it?
bool rlx_schedule_touches(const RlxTirStmt *s, const RlxTirBuffer *buffer);
/// The one store that the body of a block is, a T.init left aside; NULL: it is something else.
const RlxTirStmt *rlx_schedule_only_store(const RlxTirStmt *block);
/// A block of its own in place of `s` that declares no regions: rlx_primfunc_complete deduces them.
RlxTirStmt *rlx_schedule_forget_regions(RlxScheduleCall *c, RlxTirStmt *s);
/// What became of a loop or block of the tree before the step; NULL: it is gone, or `old` is NULL.
const RlxTirStmt *rlx_schedule_now(const RlxScheduleCall *c, const RlxTirStmt *old);
/// Whether `inner` is `s` or stands somewhere in it.
bool rlx_schedule_stands_in(const RlxTirStmt *s, const RlxTirStmt *inner);

/// The scalar parameters, and the variables in the shapes of the others.
void rlx_schedule_vars_params(RlxScheduleVars *vars);
/// All variables of the PrimFunc as it is now.
void rlx_schedule_vars_all(RlxScheduleVars *vars);

// ---- copies from one buffer to another (stage.c)

/// Where a statement is put in: at `position` of the sequence in the body of `at`.
typedef struct RlxScheduleSpot {
  const RlxTirStmt *at; ///< loop or block; NULL: the root that is not written
  int position;
} RlxScheduleSpot;
/// Between `block` and the first of `related` (blocks of its scope), under their innermost common
/// loop: TVM's CacheLocDetector. None related: the end of the scope. Position -1: they stand in a sequence
/// inside of a condition, a let or the like.
RlxScheduleSpot rlx_schedule_spot_between(RlxScheduleCall *c, const RlxTirBlockInfo *scope,
                                          const RlxTirStmt *block, const RlxTirStmt *const *related,
                                          int count);
/// Puts `stmt` there, in the tree as it is now.
void rlx_schedule_insert(RlxScheduleCall *c, RlxScheduleSpot spot, RlxTirStmt *stmt);

/// A block that copies one element, with the loops around.
typedef struct RlxScheduleStage {
  RlxName name;
  RlxTirBuffer *from, *to;
  RlxTirExpr **from_indices, **to_indices; ///< over the block's variables
  int iter_count, loop_count;
  RlxTirIterVar *iters; ///< bound to the loops
  RlxTirVar **loops;    ///< outermost first
  RlxTirExpr **mins;    ///< NULL, or NULL inside: 0
  RlxTirExpr **extents;
  RlxTirExpr *predicate; ///< over the loops; NULL: none
} RlxScheduleStage;
/// The loops with the block in them, and the block itself.
RlxTirStmt *rlx_schedule_stage(RlxScheduleCall *c, const RlxScheduleStage *stage,
                               RlxTirStmt **out_block);
/// A region of one element.
RlxTirRegion rlx_schedule_point(RlxScheduleCall *c, RlxTirBuffer *buffer, RlxTirExpr **indices);
/// "global", "shared.dyn", "wmma.matrix_a"…; otherwise refused.
bool rlx_schedule_check_scope_name(RlxScheduleCall *c, const char *scope);
/// A buffer like `like` of another shape, name and scope (0: that of `like`), compact.
RlxTirBuffer *rlx_schedule_buffer_like(RlxScheduleCall *c, const RlxTirBuffer *like, RlxName name,
                                       RlxTirExpr *const *shape, int ndim, RlxName scope);
/// Refuses unless all children of `scope` that read `buffer` are covered by what was written before.
bool rlx_schedule_check_cover(RlxScheduleCall *c, const RlxTirBlockInfo *scope,
                              const RlxTirBuffer *buffer);
/// The only child of `scope` that writes `buffer`, NULL: none; false: there are more.
bool rlx_schedule_only_writer(RlxScheduleCall *c, const RlxTirBlockInfo *scope,
                              const RlxTirBuffer *buffer, const RlxTirBlockInfo **out);
/// Is there a box of the buffer, or of one that it is a view of? What a body does is told of the latter.
bool rlx_schedule_has_box(const RlxTirBoxes *boxes, const RlxTirBuffer *buffer);
/// Why another buffer in the place of `buffer`, in which nothing is when `block` begins and which is
/// copied back afterwards, would not do: the block, or one inside of it, may read what was there before it
/// wrote there, or may leave it as it was. NULL: it would. Of a block that uses pointers, what it declares
/// counts; `skips_predicates`: those of the blocks inside are part of the region that is copied.
const char *rlx_schedule_keeps_old(RlxScheduleCall *c, const RlxTirBlockInfo *block,
                                   const RlxTirBuffer *buffer, bool skips_predicates);
/// Other accesses of a buffer in the place of its own: `indices` gives them in the arena of `f`.
typedef struct RlxScheduleSwap {
  RlxScheduleCall *c;
  RlxTirBuffer *from, *to;
  RlxTirExpr **(*indices)(struct RlxScheduleSwap *swap, RlxTirExpr **at); ///< NULL: the same
  bool keeps_reads, keeps_writes; ///< only the others change
  bool (*enter)(RlxTirRewriter *w, const RlxTirStmt *s,
                RlxTirStmt **out); ///< or NULL; see rewrite.h
  void *data;
} RlxScheduleSwap;
/// `s` with the loads, stores, regions and views of `from` swapped; handles follow. Regions that are
/// more than a point keep their extents.
RlxTirStmt *rlx_schedule_swap(RlxScheduleSwap *swap, const RlxTirStmt *s);
/// A copy of the list of the block's views, to be changed.
RlxTirBuffer **rlx_schedule_views(RlxScheduleCall *c, const RlxTirStmt *s);
/// A copy of the block `s` whose views are `views`, with body and init rewritten by `r`; handles follow.
RlxTirStmt *rlx_schedule_rematch(RlxScheduleCall *c, RlxTirStmt *s, RlxTirBuffer **views,
                                 RlxTirRewriter *r);
/// Why a reduction would not be initialised first with its loops in this order, outermost first; NULL:
/// it is, as far as this block is concerned. In the schedule's arena. `out_witness` (may be NULL) is what
/// is given where instances show it, else NULL. (order.c)
const char *rlx_schedule_init_too_late(RlxScheduleCall *c, const RlxTirBlockInfo *block,
                                       const RlxTirStmt *const *loops, int count,
                                       const char **out_witness);

/// The loops from `loop` down and the one block below as one block, put into the tree; NULL: refused.
/// (blockize.c)
RlxTirStmt *rlx_schedule_blockize(RlxScheduleCall *c, const RlxTirStmt *loop,
                                  bool preserve_unit_iters);

/// A name that is used where it is not seen. (visible.c)
typedef struct RlxScheduleUnseen {
  RlxName name;
  const RlxTirVar *var; ///< NULL: it is a buffer
  const RlxTirBlock
      *block; ///< that uses a loop inside, and sees its own variables only; NULL: the use is
              ///< outside of what gives the name
} RlxScheduleUnseen;
/// False: there is none. `before` (may be `f`): the PrimFunc before the step, whose names may be gone.
bool rlx_schedule_unseen(const RlxPrimFunc *f, const RlxPrimFunc *before, RlxScheduleUnseen *out);

// ---- what is drawn (sample.c)

/// The next number of the schedule's seed.
uint64_t rlx_schedule_draw(RlxScheduleCall *c);

/// What sample_compute_location gives: a loop, or one of these, which compute_at and reverse_compute_at know.
typedef enum RlxSampledPlace {
  RLX_SAMPLED_LOOP,
  RLX_SAMPLED_ROOT,   ///< the block stays where it is
  RLX_SAMPLED_INLINE, ///< the block is written into its readers
} RlxSampledPlace;
RlxSampledPlace rlx_schedule_sampled_place(const RlxScheduleValue *v);
/// Of one that is no loop.
RlxScheduleValue rlx_schedule_place_value(RlxSampledPlace place);

/// Whether `primitive`, which takes the same arguments, would be carried out in the place of the step of `c`, which stays as
/// it is. (schedule.c)
bool rlx_schedule_would(RlxScheduleCall *c, const RlxPrimitive *primitive);

// ---- results

/// What the primitive gives: one loop or block (of the tree after the step), or a list of them.
void rlx_schedule_give(RlxScheduleCall *c, const RlxTirStmt *stmt);
/// What it gives where that is several.
void rlx_schedule_give_list(RlxScheduleCall *c, const RlxTirStmt *const *stmts, int count);

// ---- the primitives
#define RLX_PRIMITIVE(name, run, kind, params, doc, example)                                       \
  bool rlx_primitive_##run(RlxScheduleCall *c);
#include "analyzer/schedule/primitives.def"
#undef RLX_PRIMITIVE

#endif
