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
  bool is_full;                 ///< that is too much: no more is read
  bool passed_call;             ///< a call of a function without steps was passed over
  uint32_t inner_count;         ///< the largest number behind a name, as in `b_7`
  Vec(TraceNested) nested;      ///< of the statement that is read
  RlxName schedule;             ///< `sch = tvm.s_tir.Schedule(mod)`; 0: the text does not say
  RlxStrMap schedules;          ///< other names that the schedule has in the trace: `tiled = sch`
  RlxMap numbers;               ///< `tile = 16`: name → value, until something else gets the name
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

// ---- trace.c
/// Reports what is wrong at `span` of the statement that is read; false.
bool rlx_trace_wrong(TraceReader *r, RlxSpan span, const char *what);
bool rlx_trace_read_value(TraceReader *r, const RlxAst *a, RlxScheduleValue *out);
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
