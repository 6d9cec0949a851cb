/// What the files that read traces share.
#ifndef RLX_ANALYZER_SCHEDULE_TRACE_IMPL_H
#define RLX_ANALYZER_SCHEDULE_TRACE_IMPL_H

#include "analyzer/schedule/schedule_impl.h"
#include "analyzer/syntax/document.h"
#include "base/map.h"

/// `(a, b)` in `i, (a, b) = …`: what stands there gets a name, and the names a step of their own.
typedef struct TraceNested {
  const char *name;
  const RlxAst *targets;
} TraceNested;

/// A function of the text.
typedef struct TraceFunction {
  const RlxStmt *stmt;
  bool has_steps; ///< in it, or in what it calls
} TraceFunction;

/// What a name of the function that is written out stands for: an argument, or a name that nobody else has.
typedef struct TraceLocal {
  RlxName name;
  RlxScheduleValue value;
  uint64_t hidden; ///< place + 1 of the local that had the name before; 0: none
} TraceLocal;

/// A function that is being written out.
typedef struct TraceFrame {
  const RlxStmt *function;
  const RlxMap
      *names; ///< as `local_at`; that of the reader, while the function is the innermost one
  struct TraceFrame *caller;
} TraceFrame;

typedef struct TraceReader {
  RlxStore *store;
  RlxTrace *trace;
  RlxSink *sink;
  const char *text;
  const RlxStmt *stmt;
  Vec(TraceFunction) functions; ///< of the whole text
  RlxMap function_at;           ///< their names → place in `functions`, of the last one of a name
  RlxMap place_of;              ///< their statements → place in `functions`
  RlxMap called;                ///< names that are called somewhere
  RlxMap parameters;            ///< names of the functions' parameters
  const RlxBlock *root;
  Vec(RlxScheduleValue) intrinsics; ///< pairs of `TensorIntrin.register("dot", dot_desc, dot_impl)`
  RlxMap intrinsics_by_name; ///< the name that stands there → place in `intrinsics`; the last one
  RlxStrMap intrinsics_by_text; ///< the same for a text
  RlxMap strangers;             ///< names of what is no step's: modules, what was passed over
  RlxMap passed;                ///< of these, names that a statement gave a value to
  Vec(TraceLocal) locals;       ///< of the functions that are written out, the innermost last
  RlxMap local_at;              ///< names of the innermost function → place in `locals`
  int depth;                    ///< functions that are written out in one another
  TraceFrame *frame;            ///< the innermost of them
  uint64_t written;             ///< bytes of the functions that were written out
  const RlxStmt
      *returned;    ///< the `return` that was come to in the function that is read; NULL: none yet
  bool is_full;     ///< that is too much: no more is read
  bool passed_call; ///< a call of a function without steps was passed over
  uint32_t inner_count;    ///< the largest number behind a name, as in `b_7`
  Vec(TraceNested) nested; ///< of the statement that is read
  RlxName schedule;        ///< `sch = tvm.s_tir.Schedule(mod)`; 0: the text does not say
  RlxStrMap schedules;     ///< other names that the schedule has in the trace: `tiled = sch`
  RlxMap numbers;          ///< `tile = 16`: name → value, until something else gets the name
} TraceReader;

// ---- trace_names.c
/// What a local name of the function that is written out stands for; NULL: it has no such name.
const RlxScheduleValue *rlx_trace_local(const TraceReader *r, RlxName name);
/// A name that the text does not have; `like`: what it begins with, or NULL.
const char *rlx_trace_fresh_name(TraceReader *r, const char *like);
/// Whether the name is one of the schedule.
bool rlx_trace_is_schedule(const TraceReader *r, RlxName name);
/// From here on the name, which the trace keeps, is one of the schedule, or is none.
void rlx_trace_note_schedule(TraceReader *r, const char *name, bool is_schedule);
/// What the trace calls a name of the text.
const char *rlx_trace_name(const TraceReader *r, const RlxAst *a);
/// Whether the value is that of a name of the schedule.
bool rlx_trace_gives_schedule(const TraceReader *r, const RlxScheduleValue *value);
/// `sch, b = [sch, b_1]` as `b, = [b_1]`: takes the schedule out of what several names get. Targets that are not one for
/// each item stay as they are.
const char *rlx_trace_without_schedule(TraceReader *r, const char *target, RlxScheduleValue *list);

// ---- trace_values.c
bool rlx_trace_read_value(TraceReader *r, const RlxAst *a, RlxScheduleValue *out);
/// A computation of `count` values.
RlxScheduleValue rlx_trace_computed(TraceReader *r, const char *name, const RlxScheduleValue *items,
                                    uint32_t count);
/// "//"; NULL: a trace does not compute it.
const char *rlx_trace_operator(RlxAstOp op);
/// Is it a constant of TVM's, `tir.IterVar.CommReduce`?
bool rlx_trace_is_constant(TraceReader *r, const RlxAst *a);
/// Does the call compute something of what stands before its dot?
bool rlx_trace_is_method(const TraceReader *r, const RlxAst *call);
/// Whether it gives a value, and is no step: not a call, or one of `len` and its like.
bool rlx_trace_is_value(const TraceReader *r, const RlxAst *a);

// ---- trace_lists.c
/// From here on steps are collected apart; what was read before is to be handed to rlx_trace_end_body.
RlxTrace rlx_trace_begin_body(TraceReader *r);
/// They become the body of `step`; the last `else_count` of them are those of what does not hold.
void rlx_trace_end_body(TraceReader *r, RlxTrace whole, RlxScheduleStep *step);
/// An `if` that numbers of the text do not decide: a step that does when it is its turn.
bool rlx_trace_read_if_later(TraceReader *r, const RlxStmt *s);
/// `while n < 8:`, which is asked when it is its turn, and after each round again.
bool rlx_trace_read_while(TraceReader *r, const RlxStmt *s);
bool rlx_trace_read_conditional(TraceReader *r, const RlxAst *a, RlxScheduleValue *out);
/// `[f(l) for l in loops if …]`: a list that a loop makes longer, under a name of its own.
bool rlx_trace_read_comprehension(TraceReader *r, const RlxAst *a, RlxScheduleValue *out);
/// The name that `n += 1` or `loops.append(l)` changes; NULL: the statement is neither.
const RlxAst *rlx_trace_changed(const TraceReader *r, const RlxStmt *s);
bool rlx_trace_read_change(TraceReader *r, const RlxStmt *s);

// ---- trace.c
/// What a loop goes over: zip(a, b), enumerate(a), reversed(a), range(1, len(a)), or a list.
bool rlx_trace_read_iterable(TraceReader *r, const RlxAst *a, RlxScheduleValue *out);
/// What `t` is as the target of a step: "b", "i, *_". NULL: a step can't give its result to that.
const char *rlx_trace_targets(TraceReader *r, const RlxAst *t);
/// The names in `target` are those of no number that is known any more.
void rlx_trace_forget_target(TraceReader *r, const RlxAst *target);
/// A name in the value that a statement gave which was passed over (`tile = pick(8)`); NULL: none.
const char *rlx_trace_made_by_python(const TraceReader *r, const RlxAst *a);
/// Does it look at the module of a schedule, `sch.mod`?
bool rlx_trace_looks_at_module(const TraceReader *r, const RlxAst *a);
/// Reports what is wrong at `span` of the statement that is read; false.
bool rlx_trace_wrong(TraceReader *r, RlxSpan span, const char *what);
/// The step that a call is; `target`: as in RlxScheduleStep.
bool rlx_trace_read_call(TraceReader *r, const RlxAst *call, const char *target, RlxSpan span);
/// `target = value` as a step. A name for the schedule is noted, and needs none.
void rlx_trace_add_let(TraceReader *r, const char *target, RlxScheduleValue value);
void rlx_trace_read_suite(TraceReader *r, const RlxBlock *suite);
void rlx_trace_forget_suite(TraceReader *r, const RlxBlock *suite);
/// What a call does besides steps: see there.
bool rlx_trace_is_no_step(const TraceReader *r, const RlxAst *call);

// ---- trace_numbers.c
/// A number, or a name that stands for one; false: it is none.
bool rlx_trace_read_number(TraceReader *r, const RlxAst *a, int64_t *out);
/// `n // 4` of such numbers.
bool rlx_trace_arithmetic(TraceReader *r, const RlxAst *a, RlxScheduleValue *out);
/// `min(n, 32)` and `max(…)` of such numbers; false, and nothing is said: the call is something else.
bool rlx_trace_least_or_most(TraceReader *r, const RlxAst *a, RlxScheduleValue *out);
/// Whether numbers of the text decide the condition, and how.
bool rlx_trace_decide(TraceReader *r, const RlxAst *a, bool *out);

// ---- trace_functions.c
/// The names in `target` are names of their own from here on, until rlx_trace_close_scope gets what this gives.
uint32_t rlx_trace_open_scope(TraceReader *r, const RlxAst *target);
void rlx_trace_close_scope(TraceReader *r, uint32_t from);
/// Finds the functions of the text, which of them have steps, and what it calls its schedule.
void rlx_trace_find_functions(TraceReader *r);
void rlx_trace_forget_functions(TraceReader *r); ///< frees what was found
/// The function called so, NULL: the text has none.
const RlxStmt *rlx_trace_function(const TraceReader *r, RlxName name);
/// Is there a step in the statement, or a call of a function with one?
bool rlx_trace_has_steps(const TraceReader *r, const RlxStmt *s);
/// Is the function one of TVMScript, no text of Python? Of its decorators one says so.
bool rlx_trace_is_script(const TraceReader *r, const RlxStmt *s);
/// Is a function of this name called somewhere?
bool rlx_trace_is_called(const TraceReader *r, RlxName name);
/// The steps of `f` with the arguments of `call`, and what it returns as `target` (NULL: nothing).
bool rlx_trace_write_out(TraceReader *r, const RlxStmt *f, const RlxAst *call, const char *target);
/// A function that only returns what it makes of its parameters, as a lambda; false: it does more.
bool rlx_trace_as_lambda(TraceReader *r, const RlxStmt *f, RlxScheduleValue *out);
/// Notes `TensorIntrin.register("dot", dot_desc, dot_impl)`: from here on the name stands for the two PrimFuncs.
void rlx_trace_note_intrinsic(TraceReader *r, const RlxStmt *s);
/// The two PrimFuncs that `a` names so; NULL: it names none.
const RlxScheduleValue *rlx_trace_registered(const TraceReader *r, const RlxAst *a);
/// The text of `a`, local names as what they stand for.
const char *rlx_trace_text(TraceReader *r, const RlxAst *a);

#endif
