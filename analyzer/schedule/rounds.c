/// What a trace has of Python besides calls: `loops = [i, j]`, `for l in loops:`, also over range, enumerate, zip and reversed,
/// `while n < 8:` and `if sch.get(l).extent > 8:`.
///
/// Always true: a loop or `if` is written out before it is carried out, as steps that could have been written in its place, so a
/// schedule knows nothing of it, and what is saved has none.
#include "analyzer/schedule/schedule_impl.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 10000 }; ///< of a trace whose loops are written out
enum {
  STEPS_BYTES = 256 << 20
}; ///< what the steps of a trace may take; a tree before a step stays for undo
enum {
  WORK_MAX = 3000000
}; ///< statements of PrimFuncs that the steps of a trace look at, and operations of their proofs, all together
enum { LOOKS_OF_A_STEP = 32 }; ///< what a step takes in any case, as statements

/// Is `name` among the targets "b", "i, *_"?
static bool is_target(const char *targets, const char *name) {
  return targets && rlx_text_has_name(targets, name);
}

static bool is_rebound(const RlxScheduleStep *loop, const char *name) {
  if (is_target(loop->target, name)) return true;
  for (uint32_t i = 0; i < loop->body_count + loop->else_count; i++)
    if (is_target(loop->body[i].target, name) || is_rebound(&loop->body[i], name)) return true;
  return false;
}

static bool is_over(const RlxScheduleValue *v, const char *name) {
  return v->kind == RLX_SCHEDULE_OVER && strcmp(v->more->text, name) == 0;
}

/// May each round take its item from `v` itself? Else the list is kept under a name of its own first, as Python keeps it.
static bool stays(const RlxScheduleStep *loop, const RlxScheduleValue *v) {
  if (v->kind == RLX_SCHEDULE_NAME) return !is_rebound(loop, v->text);
  if (v->kind != RLX_SCHEDULE_LIST) return false;
  for (uint32_t i = 0; i < v->count; i++) {
    const RlxScheduleValue *item = &v->items[i];
    if (item->kind != RLX_SCHEDULE_INT && item->kind != RLX_SCHEDULE_STRING &&
        (item->kind != RLX_SCHEDULE_NAME || is_rebound(loop, item->text)))
      return false;
  }
  return true;
}

static RlxScheduleValue integer(int64_t value) {
  return (RlxScheduleValue){.kind = RLX_SCHEDULE_INT, .integer = value};
}

static RlxScheduleValue list_of(RlxArena *arena, uint8_t kind, uint32_t count) {
  RlxScheduleValue out = {.kind = kind, .count = count};
  out.items = rlx_arena_array(arena, RlxScheduleValue, count);
  return out;
}

// ---- how many rounds

typedef struct Range {
  int64_t first, end, step;
} Range;

static int64_t count_of(const RlxScheduleValue *v, const char **why);

/// Of `v`, whose names are looked up. False: it takes no numbers, or large ones.
static bool read_range(const RlxScheduleValue *v, Range *out) {
  int64_t at[3] = {0, 0, 1};
  const char *why = NULL;
  for (uint32_t i = 0; i < v->count; i++) {
    const RlxScheduleValue *one = &v->items[i];
    bool is_len = is_over(one, "len");
    at[i] = is_len ? count_of(&one->items[0], &why) : one->integer;
    if (why || (!is_len && one->kind != RLX_SCHEDULE_INT) || llabs(at[i]) > INT32_MAX) return false;
  }
  *out = v->count == 1 ? (Range){0, at[0], 1} : (Range){at[0], at[1], at[2]};
  return out->step != 0;
}

/// How many items the loop goes over, whose names are looked up; `*why`: it can't.
static int64_t count_of(const RlxScheduleValue *v, const char **why) {
  if (v->kind == RLX_SCHEDULE_LIST) return v->count;
  if (is_over(v, "range")) {
    Range r;
    if (!read_range(v, &r))
      return *why = "`range` takes one to three integers, of which the step is not 0", 0;
    int64_t length = r.step > 0 ? r.end - r.first : r.first - r.end, step = llabs(r.step);
    return length > 0 ? (length + step - 1) / step : 0;
  }
  if (is_over(v, "enumerate")) {
    if (v->count > 1 && v->items[1].kind != RLX_SCHEDULE_INT)
      *why = "`enumerate` begins at a number";
    return count_of(&v->items[0], why);
  }
  if (is_over(v, "reversed")) return count_of(&v->items[0], why);
  if (!is_over(v, "zip")) return *why = "what it goes over is no list", 0;
  int64_t least = INT64_MAX;
  for (uint32_t i = 0; i < v->count; i++) {
    int64_t count = count_of(&v->items[i], why);
    if (count < least) least = count;
  }
  return least;
}

/// What round `i` takes of `v`; `known`: the same, with its names looked up.
static RlxScheduleValue item_of(RlxArena *arena, const RlxScheduleValue *v,
                                const RlxScheduleValue *known, uint32_t i) {
  if (v->kind == RLX_SCHEDULE_LIST) return v->items[i];
  if (is_over(v, "range")) {
    Range r;
    return integer(read_range(known, &r) ? r.first + r.step * i : 0);
  }
  if (is_over(v, "reversed")) {
    const char *why = NULL;
    int64_t last = count_of(&known->items[0], &why) - 1;
    return item_of(arena, &v->items[0], &known->items[0], (uint32_t)last - i);
  }
  if (is_over(v, "enumerate")) {
    RlxScheduleValue pair = list_of(arena, RLX_SCHEDULE_LIST, 2);
    pair.items[0] = integer((int64_t)((uint64_t)(v->count > 1 ? known->items[1].integer : 0) + i));
    pair.items[1] = item_of(arena, &v->items[0], &known->items[0], i);
    return pair;
  }
  if (is_over(v, "zip")) {
    RlxScheduleValue all = list_of(arena, RLX_SCHEDULE_LIST, v->count);
    for (uint32_t k = 0; k < v->count; k++)
      all.items[k] = item_of(arena, &v->items[k], &known->items[k], i);
    return all;
  }
  RlxScheduleValue out = list_of(arena, RLX_SCHEDULE_ITEM, 2);
  out.items[0] = *v;
  out.items[1] = integer(i);
  return out;
}

static RlxScheduleStep let(const RlxScheduleStep *loop, const char *target,
                           RlxScheduleValue value) {
  RlxScheduleStep out = {.primitive = rlx_primitive_let(), .target = target, .span = loop->span};
  out.args[0] = value;
  return out;
}

typedef Vec(RlxScheduleStep) Steps;

/// `v` with each list that would not stay kept under a name first, by a step in `out`.
static RlxScheduleValue keep(RlxTrace *trace, const RlxScheduleStep *loop, uint32_t at,
                             const RlxScheduleValue *v, Steps *out) {
  if (is_over(v, "range") || (v->kind != RLX_SCHEDULE_OVER && stays(loop, v))) return *v;
  if (v->kind == RLX_SCHEDULE_OVER) {
    RlxScheduleValue all = list_of(trace->arena, RLX_SCHEDULE_OVER, v->count);
    all.more = v->more;
    bool is_zip = is_over(v, "zip");
    for (uint32_t i = 0; i < v->count; i++)
      all.items[i] = is_zip || !i ? keep(trace, loop, at, &v->items[i], out) : v->items[i];
    return all;
  }
  const char *name = out->count
                         ? rlx_arena_printf(trace->arena, "_rounds%u_%u", at + 1, out->count + 1)
                         : rlx_arena_printf(trace->arena, "_rounds%u", at + 1);
  rlx_vec_push(out, let(loop, name, *v));
  return (RlxScheduleValue){.kind = RLX_SCHEDULE_NAME, .text = name};
}

/// The steps `out` in the place of step `at`; where there are none a name gets `nothing`, for a step stands there all the same.
static void put(RlxTrace *trace, uint32_t at, const RlxScheduleStep *step, Steps *out,
                const char *name, RlxScheduleValue nothing) {
  if (!out->count)
    rlx_vec_push(out, let(step, rlx_arena_printf(trace->arena, "%s%u", name, at + 1), nothing));
  for (uint32_t i = at + 1; i < trace->steps.count; i++) rlx_vec_push(out, trace->steps.at[i]);
  trace->steps.count = at;
  for (uint32_t i = 0; i < out->count; i++) rlx_vec_push(&trace->steps, out->at[i]);
  rlx_vec_free(out);
}

/// Why another round of the `while` is not written out; NULL: it is.
static const char *has_no_end(const RlxTrace *trace, const RlxScheduleStep *loop) {
  if (!loop->body_count) return "the loop has no end: nothing in it changes what it asks";
  return trace->steps.count + loop->body_count > STEPS_MAX
             ? "written out, the trace has more than 10000 steps"
             : NULL;
}

/// The `if` at `at` as the steps of the branch that is taken; one that cannot be decided stays, and is refused. A `while`
/// that holds stands behind its steps again.
static bool write_out_if(RlxSchedule *s, RlxTrace *trace, uint32_t at) {
  const RlxScheduleStep step = trace->steps.at[at];
  bool holds;
  if (step.problem || !rlx_schedule_decide(s, &step.args[0], &holds))
    return false; // the step tells why
  if (step.repeats && holds && (trace->steps.at[at].problem = has_no_end(trace, &step)))
    return false;
  Steps out = {0};
  const uint32_t from = holds ? 0 : step.body_count;
  const uint32_t count = holds ? step.body_count : step.else_count;
  for (uint32_t i = 0; i < count; i++) rlx_vec_push(&out, step.body[from + i]);
  if (step.repeats && holds) rlx_vec_push(&out, step);
  const RlxScheduleValue value = {.kind = RLX_SCHEDULE_BOOL, .boolean = holds};
  put(trace, at, &step, &out, "_if", value);
  return true;
}

/// The loop at `at` as the steps of its rounds; false: it goes over what is no list, stays, and is refused.
static bool write_out_for(RlxSchedule *s, RlxTrace *trace, uint32_t at) {
  const RlxScheduleStep loop = trace->steps.at[at];
  RlxScheduleValue known;
  const char *why = NULL;
  if (!rlx_schedule_evaluate(s, &loop.args[0], &known))
    return false; // the step tells which name it is
  int64_t rounds = count_of(&known, &why);
  if (!why && rounds > (STEPS_MAX - (int64_t)trace->steps.count) / (int64_t)(loop.body_count + 1))
    why = "written out, the trace has more than 10000 steps";
  trace->steps.at[at].problem = why;
  if (why) return false;
  Steps out = {0};
  RlxScheduleValue from = keep(trace, &loop, at, &loop.args[0], &out);
  for (int64_t i = 0; i < rounds; i++) {
    RlxScheduleValue item = item_of(trace->arena, &from, &known, (uint32_t)i);
    rlx_vec_push(&out, let(&loop, loop.target, item));
    for (uint32_t k = 0; k < loop.body_count; k++) rlx_vec_push(&out, loop.body[k]);
  }
  put(trace, at, &loop, &out, "_rounds", list_of(trace->arena, RLX_SCHEDULE_LIST, 0));
  return true;
}

/// Does it stand among the items of `v`, or theirs? `*left`: values that may be looked at; when they are used up it may.
static bool stands_in(const RlxScheduleValue *list, const RlxScheduleValue *v, int *left) {
  if (--*left < 0) return true;
  if (v->kind != RLX_SCHEDULE_LIST && v->kind != RLX_SCHEDULE_DICT) return false;
  for (uint32_t i = 0; i < v->count; i++)
    if (rlx_schedule_is_same_list(list, &v->items[i]) || stands_in(list, &v->items[i], left))
      return true;
  return false;
}

/// Behind step `at`, which makes a list longer, each other name of the list gets the longer one, too: `b = a; b.append(l)`. A list that it is
/// an item of would have to be made anew: that is refused, and so is `b += c`, of which only lists do that.
static void share_growth(const RlxSchedule *s, RlxTrace *trace, uint32_t at) {
  RlxScheduleStep step = trace->steps.at[at];
  const bool may_grow = step.grows || step.may_grow;
  const RlxScheduleValue *list = may_grow ? rlx_schedule_named(s, step.target) : NULL;
  trace->steps.at[at].grows = false;
  if (!list || list->kind != RLX_SCHEDULE_LIST) return;
  enum { VALUES_MAX = 10000 };
  int left = VALUES_MAX;
  const RlxScheduleValue longer = {.kind = RLX_SCHEDULE_NAME, .text = step.target};
  Steps others = {0};
  for (uint32_t i = 0; i < s->names.count && !step.problem; i++) {
    const RlxScheduleValue *v = &s->names.at[i].value;
    const bool has_items = v->kind == RLX_SCHEDULE_LIST || v->kind == RLX_SCHEDULE_DICT;
    if (!has_items || !rlx_schedule_is_current(s, i)) continue;
    const char *name = s->names.at[i].name;
    const bool is_same = rlx_schedule_is_same_list(list, v);
    if (!is_same && !stands_in(list, v, &left)) continue;
    if (!is_same)
      step.problem = rlx_arena_printf(
          trace->arena,
          "the list that gets longer may stand in `%s`, where a trace does not change it", name);
    else if (strcmp(name, step.target) != 0 && step.may_grow)
      step.problem = rlx_arena_printf(
          trace->arena,
          "`%s` has the same items: is it a list, which gets longer, or a tuple? Write "
          "`.extend(…)`, or `=` with a sum",
          name);
    else if (strcmp(name, step.target) != 0)
      rlx_vec_push(&others, let(&step, name, longer));
  }
  if (trace->steps.count + others.count > STEPS_MAX && others.count)
    step.problem = "written out, the trace has more than 10000 steps";
  trace->steps.at[at].problem = step.problem;
  if (!step.problem) rlx_vec_insert_n(&trace->steps, at + 1, others.at, others.count);
  rlx_vec_free(&others);
}

/// A loop or `if` at `at` as its steps; false: there is none, or it stays and is refused.
static bool write_out(RlxSchedule *s, RlxTrace *trace, uint32_t at) {
  const RlxPrimitive *p = trace->steps.at[at].primitive;
  return p == rlx_primitive_for()  ? write_out_for(s, trace, at)
         : p == rlx_primitive_if() ? write_out_if(s, trace, at)
                                   : false;
}

// ---- what a trace may take

static bool count_statement(const RlxTirStmt *stmt, void *data) {
  (void)stmt;
  ++*(uint64_t *)data;
  return true;
}

/// What all of the schedule's steps have taken, with what was there before them.
static size_t bytes_of(const RlxSchedule *s) {
  size_t bytes =
      rlx_arena_live_bytes(s->arena) + rlx_interner_held_bytes(rlx_store_names(s->store));
  for (uint32_t i = 0; i < s->functions.count; i++)
    bytes += rlx_arena_live_bytes(s->functions.at[i].owned->arena);
  return bytes;
}

/// Why no further step is carried out: each is small, but looks at a whole PrimFunc and may copy a part
/// of it, so that long traces of large ones would take without end. NULL: it is.
static const char *limit_met(const RlxSchedule *s) {
  if (s->looks_most && s->looked_at > s->looks_most)
    return "the steps before it looked at so many statements that a check goes no further";
  if (s->looked_at + s->proof_work > WORK_MAX)
    return "the steps before it looked at 3,000,000 statements and cases of proofs, and a trace "
           "goes no further";
  return s->bytes_taken > STEPS_BYTES
             ? "the steps before it took 256 MiB of memory, and a trace goes no further"
             : NULL;
}

RlxScheduleAnswer rlx_trace_apply(RlxSchedule *s, RlxTrace *trace, uint32_t i) {
  while (write_out(s, trace, i)) {
  }
  share_growth(s, trace, i);
  const RlxScheduleStep *step = &trace->steps.at[i];
  const char *why = limit_met(s);
  if (why)
    return (RlxScheduleAnswer){.refusal =
                                   rlx_reportf(&s->sink, RLX_DIAG_ID(SCHEDULE_ATTRIBUTE),
                                               rlx_span(0, 0), "ss", step->primitive->name, why),
                               .function = -1};
  size_t before = bytes_of(s);
  uint64_t spent = rlx_store_spent(s->store);
  RlxScheduleAnswer answer = rlx_schedule_apply(s, step);
  s->bytes_taken += bytes_of(s) - before;
  s->proof_work += rlx_store_spent(s->store) - spent;
  s->looked_at += LOOKS_OF_A_STEP;
  if (answer.function >= 0)
    rlx_tir_visit(s->functions.at[answer.function].f->body, count_statement, NULL, &s->looked_at);
  return answer;
}
