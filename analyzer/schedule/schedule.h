/// Schedules of TensorIR: a module of PrimFuncs and the steps that rewrite it. A step names a
/// primitive (primitives.def) and its arguments; it is checked, then carried out, or refused with
/// the rule, the blocks and loops involved and, where there is one, the instance that would break.
///
/// Always true: a refused step leaves everything as it was; an accepted one computes the same
/// values; a handle means the same loop or block after the steps that follow, or is known to be gone
/// and since which step. Trees of a PrimFunc are never changed in place, so undoing a step is
/// taking the tree before it. No I/O; one thread.
///
/// Rules are TVM v0.25's (src/s_tir/schedule) and the design document's; where those differ the
/// stricter one holds (docs/differences.md).
#ifndef RLX_ANALYZER_SCHEDULE_H
#define RLX_ANALYZER_SCHEDULE_H

#include "analyzer/diag/diag.h"
#include "analyzer/syntax/ast.h"
#include "analyzer/tir/tir.h"
#include "base/text.h"

typedef struct RlxSchedule RlxSchedule;
typedef struct RlxPrimitive RlxPrimitive;

// ---- values: arguments of steps, and what steps give

typedef enum RlxScheduleKind {
  RLX_SCHEDULE_ABSENT, ///< not given: the primitive's default
  RLX_SCHEDULE_NONE,
  RLX_SCHEDULE_BOOL,
  RLX_SCHEDULE_INT,
  RLX_SCHEDULE_FLOAT,
  RLX_SCHEDULE_STRING,
  RLX_SCHEDULE_LIST,   ///< items
  RLX_SCHEDULE_DICT,   ///< items: key, value, …
  RLX_SCHEDULE_BLOCK,  ///< ref
  RLX_SCHEDULE_LOOP,   ///< ref
  RLX_SCHEDULE_BUFFER, ///< ref.index in the block's reads or writes (is_write), or ref.name
  RLX_SCHEDULE_LAMBDA, ///< text: an index map as Python writes it, "lambda i, j: (j, i)"
  RLX_SCHEDULE_NAME,   ///< text: a variable of the trace; looked up when the step runs
  RLX_SCHEDULE_ITEM, ///< items[0]: a list, items[1]: an INT: loops[0]; items[2] too: loops[1:3], NONE for an end; items[3]: loops[::2]
  RLX_SCHEDULE_STAR, ///< items[0]: a list, whose items stand in its place in the list that it is an item of
  RLX_SCHEDULE_OVER, ///< what only a `for` goes over; items: the arguments of zip, enumerate, reversed, range or len, the text of more[0]
  RLX_SCHEDULE_THING, ///< what `sch.get` gives: a part of a PrimFunc as it was then, `thing`
  RLX_SCHEDULE_FIELD, ///< items[0].NAME, the text of more[0]
  RLX_SCHEDULE_COMPUTED, ///< the row of compute.c that is the text of more[0], of the items: `n // 4`, `len(loops)`
} RlxScheduleKind;

/// A part of a PrimFunc (fields.def says which fields each has).
typedef struct RlxScheduleThing {
  uint8_t what;     ///< a row of fields.def
  int32_t function; ///< of the schedule
  const void *
      node; ///< owned by the PrimFunc, whose trees stay as they are; NULL: the root block that is not written
} RlxScheduleThing;

/// How a value names a loop or block: by handle, by number, or by name.
typedef struct RlxScheduleRef {
  const char *function; ///< NULL: the only one, or `main`
  const char *name;     ///< of the block; of the loop variable, "i#2": the second loop of that name
  const char *within;   ///< LOOP by name: of the block that it is around, or NULL
  int32_t index;        ///< pre-order number as in blocks.h (root 0); -1: by name
  int32_t handle;       ///< of an earlier step, or -1
} RlxScheduleRef;

typedef struct RlxScheduleValue RlxScheduleValue;
struct RlxScheduleValue {
  uint8_t kind; ///< RlxScheduleKind
  bool is_write;
  bool is_imm; ///< INT: a constant of TVM, which `isinstance` tells from an int of Python
  uint32_t count;
  union {
    bool boolean;
    int64_t integer;
    double number;
    const char *text;
    RlxScheduleValue *items;
    RlxScheduleRef ref;
    RlxScheduleThing thing;
  };
  /// What belongs to it, or NULL. LAMBDA: the LIST of its axis separators; STRING that names an
  /// intrinsic: a LIST of two STRINGs, its description and its implementation as TVMScript.
  const RlxScheduleValue *more;
};

// ---- primitives

enum { RLX_SCHEDULE_ARGS_MAX = 8 };

typedef enum RlxTakes { ///< what a parameter takes: rows of takes.def
#define RLX_TAKES(name, kinds, each, words) RLX_TAKES_##name,
#include "analyzer/schedule/takes.def"
#undef RLX_TAKES
} RlxTakes;
/// "an integer".
const char *rlx_takes_words(RlxTakes takes);
/// Whether it takes texts and nothing else.
bool rlx_takes_text(RlxTakes takes);
/// Whether it takes the value, an item of it, or a list of such values.
bool rlx_takes_part(RlxTakes takes, const RlxScheduleValue *v);

typedef struct RlxPrimitiveParam {
  const char *name;
  uint8_t takes;             ///< RlxTakes
  bool is_optional, is_none; ///< may be left out; may be None
} RlxPrimitiveParam;

typedef struct RlxScheduleCall RlxScheduleCall; ///< what a primitive sees (schedule_impl.h)

struct RlxPrimitive {
  const char *name;
  bool (*run)(RlxScheduleCall *call);
  RlxPrimitiveParam params[RLX_SCHEDULE_ARGS_MAX]; ///< those with a name
  bool is_query;                                   ///< asks, and changes nothing
  bool moves;          ///< what is named runs in another order, or another number of times
  const char *doc;     ///< one paragraph
  const char *example; ///< a line of a trace
};
/// The primitive called `name` (`get_sblock` and `get_block` are two rows); NULL: there is none.
const RlxPrimitive *rlx_primitive_find(const char *name);
/// Stands in a step for a primitive that the table does not have: such a step is refused when it is
/// its turn, those before it are carried out. `name` is copied. `is_function`: it stands without a schedule before it, and is
/// handed something.
const RlxPrimitive *rlx_primitive_unknown(RlxArena *arena, const char *name, bool is_function);
/// Row `i` of the table, NULL behind the last.
const RlxPrimitive *rlx_primitive_at(int i);
/// `loops = [i, j]` of a trace: gives its argument, and changes nothing. Not in the table.
const RlxPrimitive *rlx_primitive_let(void);
/// `for l in loops:` of a trace: rlx_trace_apply writes it out. Not in the table.
const RlxPrimitive *rlx_primitive_for(void);
/// `if sch.get(l).extent > 8:` of a trace: the same. Not in the table.
const RlxPrimitive *rlx_primitive_if(void);
/// How many parameters the row has.
static inline int rlx_primitive_param_count(const RlxPrimitive *p) {
  int n = 0;
  while (n < RLX_SCHEDULE_ARGS_MAX && p->params[n].name) n++;
  return n;
}
/// "split(loop, factors, preserve_unit_iters=…)" into `out`.
void rlx_primitive_signature(const RlxPrimitive *p, RlxBuf *out);
/// What is wrong with arguments that are not the primitive's, in `arena`: `what` and the signature.
const char *rlx_primitive_misfit(RlxArena *arena, const RlxPrimitive *p, const char *what);
/// The page of a primitive, for `rlx explain`: its signature, what it does, what it takes, an example.
void rlx_primitive_page(const RlxPrimitive *p, RlxBuf *out);

// ---- the schedule

/// A schedule without functions; the caller's to free. The store has to live as long.
RlxSchedule *rlx_schedule_new(RlxStore *store);
void rlx_schedule_free(RlxSchedule *s); ///< NULL is fine
/// Adds a PrimFunc, which the schedule owns from now on. Blocks get the regions they do not
/// declare. `text_start`: where the PrimFunc's text begins in its file, for places in messages.
void rlx_schedule_add(RlxSchedule *s, RlxPrimFunc *f, uint32_t text_start);
/// A PrimFunc beside those that are scheduled, which a step may name as an intrinsic; owned as those.
void rlx_schedule_lend(RlxSchedule *s, RlxPrimFunc *f);
/// An intrinsic that a statement registers; its PrimFuncs by their names.
typedef struct RlxRegistered {
  const RlxAst *name;
  RlxName description, implementation;
} RlxRegistered;
/// Whether a statement is `TensorIntrin.register(name, description, implementation)`, which then is in `out`.
bool rlx_schedule_registers(const RlxStore *store, const RlxStmt *s, RlxRegistered *out);
/// Notes the intrinsics that statements of a script register, as names of two of its PrimFuncs each: steps know them.
void rlx_schedule_note_intrinsics(RlxSchedule *s, const RlxBlock *root);
/// How many statements the steps of a trace may look at in all, where fewer than else.
void rlx_schedule_set_looks(RlxSchedule *s, uint64_t most);
/// The lines of the file that the PrimFuncs' texts stand in, borrowed as long as the schedule lives: a
/// message names a loop that shares its name with others with its line then, "i#2 (line 14)".
void rlx_schedule_set_lines(RlxSchedule *s, const RlxLines *lines);
/// How many functions were added.
int rlx_schedule_count(const RlxSchedule *s);
/// Function `i` as it is now; owned by the schedule, good until the next step.
const RlxPrimFunc *rlx_schedule_function(const RlxSchedule *s, int i);
/// Where the text of function `i` begins in its file.
uint32_t rlx_schedule_text_start(const RlxSchedule *s, int i);

typedef struct RlxScheduleStep RlxScheduleStep;
struct RlxScheduleStep {
  const RlxPrimitive *primitive;
  RlxScheduleValue args[RLX_SCHEDULE_ARGS_MAX]; ///< by the row's parameters
  const char *target;  ///< what the trace calls the result: "b", "i, j"; NULL: nothing
  RlxSpan span;        ///< in the trace's text
  const char *problem; ///< what is wrong with its arguments, for which it is refused; NULL: nothing
  const RlxScheduleStep
      *body; ///< of rlx_primitive_for: the steps of a round; of rlx_primitive_if: of what holds
  uint32_t body_count;
  uint32_t else_count; ///< of rlx_primitive_if: the steps behind these, of what does not
  bool repeats;        ///< of rlx_primitive_if: a `while`, asked again after its steps
  /// Of rlx_primitive_let: the list `target` gets longer, under each name that it has; it may, of `a += b`, which makes of a tuple another one.
  bool grows, may_grow;
};

typedef struct RlxScheduleAnswer {
  bool ok;
  RlxScheduleValue result; ///< handles, numbers; ABSENT: nothing
  const RlxDiag *refusal;  ///< when not ok: row of RLX07; spans are those of the PrimFunc's text
  const char *witness;     ///< when not ok: the instances that would break, in words; NULL: none
  int function;            ///< that the step worked in, -1: none
} RlxScheduleAnswer;

/// Checks the step and carries it out. The answer is good until the schedule is freed.
RlxScheduleAnswer rlx_schedule_apply(RlxSchedule *s, const RlxScheduleStep *step);
/// Whether the step would be carried out, and why not; the schedule stays as it is, and so does its
/// analysis: many steps can be tried one after another.
RlxScheduleAnswer rlx_schedule_try(RlxSchedule *s, const RlxScheduleStep *step);
/// Takes back the last step that changed something, or carries it out again; false: there is none.
bool rlx_schedule_undo(RlxSchedule *s);
/// Takes back all steps behind the first `count`, questions too; they cannot be done again.
void rlx_schedule_back_to(RlxSchedule *s, int count);
/// The last step that was taken back, again; false: there is none.
bool rlx_schedule_redo(RlxSchedule *s);
/// How many steps are in force, and the i-th of them; queries count.
int rlx_schedule_step_count(const RlxSchedule *s);
const RlxScheduleStep *rlx_schedule_step_at(const RlxSchedule *s, int i);
/// Samples of steps to come are drawn from this seed; 0 at first.
void rlx_schedule_seed(RlxSchedule *s, uint64_t seed);

/// A rule of whoever compiles PrimFuncs, and the machine it works for; step `jit_rewrite`.
typedef struct RlxNestRule {
  const char *name;
  int vector_bytes, vector_registers, threads;
} RlxNestRule;
/// What the rule makes of the nest that begins with `loop`, in the arena of `f`; `loop` and what is
/// below stays as it is. NULL: the rule does not fit.
typedef RlxTirStmt *RlxNestRewriter(RlxPrimFunc *f, RlxInterner *names, const RlxTirStmt *loop,
                                    const RlxNestRule *rule);
/// Who carries out `jit_rewrite`, which is refused without.
void rlx_schedule_set_rewriter(RlxSchedule *s, RlxNestRewriter *rewriter);

/// Where a handle points now: pre-order number of the block or loop, and its function. -1: it is
/// gone, removed by step `*out_step`.
int rlx_schedule_handle_index(RlxSchedule *s, int handle, bool *out_is_loop, int *out_function,
                              int *out_step);

/// The module as TVMScript in `dialect`.
void rlx_schedule_print(const RlxSchedule *s, RlxDialect dialect, RlxBuf *out);

/// Appends the loop tree of function `i`, a line for each loop and block, drawn with "└─".
void rlx_schedule_tree(const RlxSchedule *s, int i, RlxBuf *out);
/// Calls `each` for the names of all loops, or blocks, as a step names them now: "i", or "i#2" where
/// several have the name. A name of two functions comes again.
void rlx_schedule_each_name(const RlxSchedule *s, bool of_loops,
                            void (*each)(const char *name, void *data), void *data);
/// The same for what earlier steps gave and no later one removed ("b", "i0"), and what `takes` takes, or has a part that it does.
void rlx_schedule_each_variable(const RlxSchedule *s, RlxTakes takes,
                                void (*each)(const char *name, void *data), void *data);

// ---- traces (trace.c)

/// The steps that a text in Python spells, as a TVM user writes them: `b = sch.get_block("C")`,
/// `i, j = sch.get_loops(b)`, `sch.split(i, factors=[None, 16])`; the name before the dot is free and
/// may be left out. What cannot be read is reported to `sink` (spans in the text) and left out.
typedef struct RlxTrace {
  RlxArena *arena;
  Vec(RlxScheduleStep) steps;
} RlxTrace;
void rlx_trace_read(RlxStore *store, const char *text, uint32_t size, RlxTrace *out, RlxSink *sink);
/// The value that a text in Python spells, "loops[0]", in `arena`; false: it is none, or a step.
bool rlx_trace_read_one_value(RlxStore *store, RlxArena *arena, const char *text,
                              RlxScheduleValue *out);
/// A value as such a text.
void rlx_schedule_value_text(const RlxScheduleValue *v, RlxBuf *out);
/// What a step gave, for a person: handles by the names that their loops and blocks have now.
void rlx_schedule_show_value(RlxSchedule *s, const RlxScheduleValue *v, RlxBuf *out);
/// Frees the steps.
void rlx_trace_free(RlxTrace *trace);
/// Carries out step `i`. A loop or `if` there is written out first: its rounds, or the steps of the branch, stand in
/// `trace` then, and the first step of them is carried out.
RlxScheduleAnswer rlx_trace_apply(RlxSchedule *s, RlxTrace *trace, uint32_t i);
/// Hands the trace's memory to the schedule: steps that were applied point into it.
void rlx_schedule_keep(RlxSchedule *s, RlxTrace *trace);
/// The steps in force, a line each.
void rlx_trace_print(const RlxSchedule *s, RlxBuf *out);
/// One step as a line of such a text, without a line end.
void rlx_trace_print_step(const RlxSchedule *s, const RlxScheduleStep *step, RlxBuf *out);

#endif
