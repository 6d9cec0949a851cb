/// Traces as text: Python that calls the primitives of a schedule, read and written.
/// Always true: what is printed reads back as the same steps.
#include "analyzer/schedule/trace_impl.h"

#include <stdlib.h>
#include <string.h>

bool rlx_trace_wrong(TraceReader *r, RlxSpan span, const char *what) {
  rlx_reportf(r->sink, RLX_DIAG_ID(TRACE_SYNTAX), rlx_stmt_absolute(r->stmt, span), "s", what);
  return false;
}

// ---- values

/// The largest number behind a name of the text, as in `b_7`: names with larger ones are new.
static uint32_t largest_number(const char *text) {
  uint32_t largest = 0;
  for (const char *at = text; (at = strchr(at, '_'));) {
    const char *from = ++at;
    uint64_t number = 0;
    for (; *at >= '0' && *at <= '9' && at - from < 10; at++)
      number = number * 10 + (uint64_t)(*at - '0');
    if (number > largest && number < INT32_MAX) largest = (uint32_t)number;
  }
  return largest;
}

static const char *fresh_name(TraceReader *r) { return rlx_trace_fresh_name(r, NULL); }

// ---- names of numbers

void rlx_trace_forget_target(TraceReader *r, const RlxAst *target) {
  if (target->kind == RLX_AST_NAME) rlx_map_remove(&r->numbers, target->name);
  for (uint32_t i = 0; target->kind != RLX_AST_NAME && i < target->child_count; i++)
    rlx_trace_forget_target(r, target->children[i]);
}

/// What gets a value somewhere in the suite: an iteration finds that of the one before.
void rlx_trace_forget_suite(TraceReader *r, const RlxBlock *suite) {
  for (uint32_t i = 0; suite && i < suite->count; i++) {
    const RlxStmt *s = suite->stmts[i];
    for (uint32_t t = 0; t < s->target_count; t++) rlx_trace_forget_target(r, s->targets[t]);
    rlx_trace_forget_suite(r, s->body);
    rlx_trace_forget_suite(r, s->orelse);
  }
}

// ---- steps

static int param_named(const RlxPrimitive *p, const char *name) {
  int count = rlx_primitive_param_count(p);
  for (int i = 0; i < count; i++)
    if (strcmp(p->params[i].name, name) == 0) return i;
  // TVM prints the scope of get_output_blocks under another name than it takes.
  return count && p->params[0].takes == RLX_TAKES_BLOCK && strcmp(name, "block") == 0 ? 0 : -1;
}

/// reorder(i, j, k), fuse(i, j): a row whose first parameter is loops takes what is given by
/// position as its items.
static bool takes_all(const RlxPrimitive *p, const RlxAst *call) {
  bool is_alone = call->child_count < 3 || call->children[2]->kind == RLX_AST_KEYWORD;
  return p->params[0].takes == RLX_TAKES_LOOPS && call->child_count > 1 &&
         call->children[1]->kind != RLX_AST_LIST && call->children[1]->kind != RLX_AST_TUPLE &&
         call->children[1]->kind != RLX_AST_KEYWORD &&
         !(call->children[1]->kind == RLX_AST_STARRED && is_alone);
}

/// Notes what is wrong with the arguments, for which the step is refused; the first fault is told.
static void misfit(TraceReader *r, RlxScheduleStep *step, const char *what) {
  if (!step->problem) step->problem = rlx_primitive_misfit(r->trace->arena, step->primitive, what);
}

const char *rlx_trace_made_by_python(const TraceReader *r, const RlxAst *a) {
  const bool is_made = a->kind == RLX_AST_NAME && !rlx_trace_local(r, a->name) &&
                       !rlx_trace_is_schedule(r, a->name) && rlx_map_get(&r->passed, a->name, NULL);
  if (is_made) return rlx_store_text(r->store, a->name);
  const char *found = NULL;
  for (uint32_t i = 0; !found && a->kind != RLX_AST_LAMBDA && i < a->child_count; i++)
    found = rlx_trace_made_by_python(r, a->children[i]);
  return found;
}

/// Gives parameter `at` its value; there may be no such parameter, or it may have one.
static bool give(TraceReader *r, RlxScheduleStep *step, int at, const RlxAst *value) {
  RlxArena *arena = r->trace->arena;
  RlxScheduleValue ignored;
  bool is_there = at < rlx_primitive_param_count(step->primitive);
  bool is_twice = is_there && step->args[at].kind != RLX_SCHEDULE_ABSENT;
  if (!is_there) misfit(r, step, "it takes fewer arguments");
  if (is_twice)
    misfit(r, step,
           rlx_arena_printf(arena, "`%s` is given twice", step->primitive->params[at].name));
  RlxScheduleValue *out = is_there && !is_twice ? &step->args[at] : &ignored;
  const RlxScheduleValue *pair = rlx_trace_registered(r, value);
  if (is_there && pair && step->primitive->params[at].takes == RLX_TAKES_INTRIN) {
    *out = *pair;
    return true;
  }
  const char *made = rlx_trace_made_by_python(r, value);
  if (made && !step->problem)
    step->problem =
        rlx_arena_printf(arena, "`%s` was made by Python that a trace does not follow", made);
  return rlx_trace_read_value(r, value, out);
}

static bool read_arguments(TraceReader *r, const RlxAst *call, RlxScheduleStep *step) {
  const RlxPrimitive *p = step->primitive;
  int next = 0;
  bool all = takes_all(p, call);
  if (all) {
    step->args[0].kind = RLX_SCHEDULE_LIST;
    step->args[0].items = rlx_arena_array(r->trace->arena, RlxScheduleValue, call->child_count);
    next = 1;
  }
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind == RLX_AST_KEYWORD) {
      const char *name = rlx_store_text(r->store, arg->name);
      int at = param_named(p, name);
      if (at < 0)
        misfit(r, step, rlx_arena_printf(r->trace->arena, "there is no parameter `%s`", name));
      else if (!give(r, step, at, arg->children[0]))
        return false;
      continue;
    }
    bool is_starred = arg->kind == RLX_AST_STARRED; // split(i, *factors), reorder(*loops)
    if (all) {
      if (!rlx_trace_read_value(r, arg, &step->args[0].items[step->args[0].count])) return false;
      step->args[0].count++;
      continue;
    }
    if (!give(r, step, next++, is_starred ? arg->children[0] : arg)) return false;
  }
  return true;
}

static bool is_tuple(const RlxAst *a) {
  return a->kind == RLX_AST_TUPLE || a->kind == RLX_AST_LIST;
}

/// A name among targets, for what is nested there one that read_nested takes apart. NULL: it is no name.
static const char *one_target(TraceReader *r, const RlxAst *a) {
  if (a->kind == RLX_AST_NAME) return rlx_trace_name(r, a);
  if (!is_tuple(a) || !a->child_count) return NULL;
  TraceNested n = {fresh_name(r), a};
  rlx_vec_push(&r->nested, n);
  return n.name;
}

const char *rlx_trace_targets(TraceReader *r, const RlxAst *t) {
  const char *text = is_tuple(t) ? "" : one_target(r, t);
  RlxBuf out = {0};
  for (uint32_t i = 0; is_tuple(t) && i < t->child_count && text; i++) {
    const RlxAst *one = t->children[i];
    bool is_starred = one->kind == RLX_AST_STARRED;
    text = one_target(r, is_starred ? one->children[0] : one);
    rlx_buf_printf(&out, "%s%s%s", i ? ", " : "", is_starred ? "*" : "", text ? text : "");
  }
  if (is_tuple(t)) {
    if (t->child_count == 1) rlx_buf_putc(&out, ',');
    text = text && t->child_count ? rlx_buf_text(&out) : NULL;
  }
  text = text ? rlx_arena_strdup(r->trace->arena, text) : NULL;
  rlx_buf_free(&out);
  return text;
}

/// a = …, a: LoopRV = …
static bool assigns(const RlxStmt *s) {
  return (s->kind == RLX_STMT_ASSIGN || s->kind == RLX_STMT_ANNOTATED) && s->value &&
         s->target_count;
}

/// `i = sch.get_loops(b)[2]` as the step `_, _, i, *_ = sch.get_loops(b)`; [-2]: `*_, i, _`. NULL: the index is
/// no number, or names no one loop.
static const char *item_target(TraceReader *r, const RlxStmt *s, const RlxAst *index) {
  enum { ITEMS_MAX = 100 };
  RlxScheduleValue at = {.kind = RLX_SCHEDULE_NONE};
  bool is_number = (index->kind == RLX_AST_INT || index->kind == RLX_AST_UNARY) &&
                   rlx_trace_read_value(r, index, &at) && at.kind == RLX_SCHEDULE_INT;
  bool is_name = assigns(s) && s->target_count == 1 && s->targets[0]->kind == RLX_AST_NAME;
  if (!is_number || !is_name || at.integer < -ITEMS_MAX || at.integer >= ITEMS_MAX) return NULL;
  RlxBuf out = {0};
  if (at.integer < 0) rlx_buf_puts(&out, "*_, ");
  for (int64_t i = 0; i < at.integer; i++) rlx_buf_puts(&out, "_, ");
  rlx_buf_puts(&out, rlx_trace_name(r, s->targets[0]));
  for (int64_t i = at.integer + 1; i < 0; i++) rlx_buf_puts(&out, ", _");
  if (at.integer >= 0) rlx_buf_puts(&out, ", *_");
  const char *text = rlx_arena_strdup(r->trace->arena, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return text;
}

bool rlx_trace_looks_at_module(const TraceReader *r, const RlxAst *a) {
  bool looks =
      a->kind == RLX_AST_ATTRIBUTE && strcmp(rlx_store_text(r->store, a->name), "mod") == 0;
  for (uint32_t i = 0; !looks && i < a->child_count; i++)
    looks = rlx_trace_looks_at_module(r, a->children[i]);
  return looks;
}

// ---- calls

static bool mentions_schedule(const TraceReader *r, const RlxAst *a) {
  bool found = a->kind == RLX_AST_NAME && rlx_trace_is_schedule(r, a->name);
  for (uint32_t i = 0; !found && i < a->child_count; i++)
    found = mentions_schedule(r, a->children[i]);
  return found;
}

/// What the text of a TVM user holds beside steps: it makes the schedule, prints it, marks where another
/// part of the tuner begins, looks at its module (`tvm.build(sch.mod)`), does something without the schedule
/// (`dev = tvm.cuda(0)`), or calls a function of the text that has no steps.
bool rlx_trace_is_no_step(const TraceReader *r, const RlxAst *call) {
  const RlxAst *callee = call->children[0];
  if (callee->kind != RLX_AST_NAME && callee->kind != RLX_AST_ATTRIBUTE) return false;
  static const char *const names[] = {"Schedule", "enter_postproc", "show",
                                      "print",    "register",       "seed"};
  const char *name = rlx_store_text(r->store, callee->name);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  const RlxStmt *f = callee->kind == RLX_AST_NAME ? rlx_trace_function(r, callee->name) : NULL;
  if (f) return !rlx_trace_has_steps(r, f);
  if (rlx_primitive_find(name)) return false;
  const RlxAst *base = callee;
  while (base->kind == RLX_AST_ATTRIBUTE) base = base->children[0];
  if (callee->kind == RLX_AST_ATTRIBUTE && base->kind == RLX_AST_NAME &&
      !rlx_trace_is_schedule(r, base->name) && rlx_map_get(&r->strangers, base->name, NULL))
    return true; // of a module of Python
  return rlx_trace_looks_at_module(r, call) || (r->schedule && !mentions_schedule(r, call));
}

/// write_log(sch, "tiled"): a function that is handed something.
static bool has_name(const RlxAst *call) {
  return call->child_count > 1 && call->children[1]->kind == RLX_AST_NAME;
}

/// The step that a call is; `target`: as in RlxScheduleStep.
bool rlx_trace_read_call(TraceReader *r, const RlxAst *call, const char *target, RlxSpan span) {
  const RlxAst *callee = call->children[0];
  const RlxStmt *f = callee->kind == RLX_AST_NAME ? rlx_trace_function(r, callee->name) : NULL;
  if (f) return rlx_trace_write_out(r, f, call, target);
  if (callee->kind != RLX_AST_ATTRIBUTE && callee->kind != RLX_AST_NAME)
    return rlx_trace_wrong(r, callee->span, "a step is a call: sch.split(i, factors=[None, 16])");
  const char *name = rlx_store_text(r->store, callee->name);
  RlxScheduleStep step = {.primitive = rlx_primitive_find(name), .target = target, .span = span};
  if (!step.primitive)
    step.primitive = rlx_primitive_unknown(r->trace->arena, name,
                                           callee->kind == RLX_AST_NAME && has_name(call));
  else if (!read_arguments(r, call, &step))
    return false;
  if (target) rlx_trace_note_schedule(r, target, false);
  rlx_vec_push(&r->trace->steps, step);
  return true;
}

void rlx_trace_add_let(TraceReader *r, const char *target, RlxScheduleValue value) {
  if (value.kind == RLX_SCHEDULE_LIST) target = rlx_trace_without_schedule(r, target, &value);
  const bool is_schedule = rlx_trace_gives_schedule(r, &value);
  if (*target) rlx_trace_note_schedule(r, target, is_schedule);
  if (is_schedule || !*target) return;
  RlxSpan span = rlx_stmt_absolute(r->stmt, rlx_span(0, r->stmt->head_size));
  RlxScheduleStep step = {.primitive = rlx_primitive_let(), .target = target, .span = span};
  step.args[0] = value;
  rlx_vec_push(&r->trace->steps, step);
}

static bool wrong_target(TraceReader *r) {
  return rlx_trace_wrong(r, rlx_span(0, r->stmt->head_size),
                         "a value gets a name, or names: i, j = loops");
}

/// Takes apart what stands in the place of targets in targets.
static bool read_nested(TraceReader *r) {
  for (uint32_t i = 0; i < r->nested.count; i++) {
    const TraceNested n = r->nested.at[i];
    const char *target = rlx_trace_targets(r, n.targets);
    if (!target) return wrong_target(r);
    rlx_trace_add_let(r, target, (RlxScheduleValue){.kind = RLX_SCHEDULE_NAME, .text = n.name});
  }
  return true;
}

/// From here on the targets are what `value` is.
static void note_number(TraceReader *r, const RlxStmt *s, const RlxScheduleValue *value) {
  bool is_bool = value->kind == RLX_SCHEDULE_BOOL;
  int64_t number = is_bool ? value->boolean : value->integer;
  bool is_number = value->kind == RLX_SCHEDULE_INT || is_bool ||
                   (value->kind == RLX_SCHEDULE_NAME && s->value->kind == RLX_AST_NAME &&
                    rlx_trace_read_number(r, s->value, &number));
  for (uint32_t i = 0; i < s->target_count; i++) rlx_trace_forget_target(r, s->targets[i]);
  for (uint32_t i = 0; is_number && i < s->target_count; i++)
    if (s->targets[i]->kind == RLX_AST_NAME)
      rlx_map_put(&r->numbers, s->targets[i]->name, (uint64_t)number);
}

/// The names in `target` are those of a step from here on, or no longer.
static void note_stranger(TraceReader *r, const RlxAst *target, bool is_one) {
  for (uint32_t i = 0; i < target->child_count; i++) note_stranger(r, target->children[i], is_one);
  if (target->kind != RLX_AST_NAME) return;
  RlxMap *maps[] = {&r->strangers, &r->passed};
  for (int i = 0; i < 2; i++)
    if (is_one)
      rlx_map_put(maps[i], target->name, 1);
    else
      rlx_map_remove(maps[i], target->name);
}

/// `loops = [i, j]`, `a, b = sch.get_child_blocks(c)`; `a = b = …` gives one value twice.
static bool read_assignment(TraceReader *r, const RlxStmt *s) {
  RlxSpan head = rlx_stmt_absolute(s, rlx_span(0, s->head_size));
  const char *target = s->target_count == 1 ? rlx_trace_targets(r, s->targets[0]) : fresh_name(r);
  if (!target) return wrong_target(r);
  for (uint32_t i = 0; i < s->target_count; i++) note_stranger(r, s->targets[i], false);
  RlxScheduleValue value = {.kind = RLX_SCHEDULE_NONE};
  if (!rlx_trace_is_value(r, s->value)) {
    if (!rlx_trace_read_call(r, s->value, target, head)) return false;
  } else if (rlx_trace_read_value(r, s->value, &value)) {
    rlx_trace_add_let(r, target, value);
  } else {
    return false;
  }
  note_number(r, s, &value);
  for (uint32_t i = 0; s->target_count > 1 && i < s->target_count; i++) {
    const char *one = rlx_trace_targets(r, s->targets[i]);
    if (!one) return wrong_target(r);
    rlx_trace_add_let(r, one, (RlxScheduleValue){.kind = RLX_SCHEDULE_NAME, .text = target});
  }
  return read_nested(r);
}

/// What is written around what a loop goes over.
static const struct {
  const char *name;
  uint32_t least, most; ///< arguments
  bool of_numbers;
} overs[] = {{"zip", 1, UINT32_MAX, false},
             {"enumerate", 1, 2, false},
             {"reversed", 1, 1, false},
             {"range", 1, 3, true},
             {"len", 1, 1, false}};

/// zip(a, b), enumerate(a), reversed(a), range(1, len(a)), in one another; list(a) is a. Anything else is a value.
static bool read_over(TraceReader *r, const RlxAst *a, bool is_number, RlxScheduleValue *out) {
  bool is_call = a->kind == RLX_AST_CALL && a->children[0]->kind == RLX_AST_NAME;
  const char *name = is_call ? rlx_store_text(r->store, a->children[0]->name) : "";
  if (a->child_count == 2 && (strcmp(name, "list") == 0 || strcmp(name, "tuple") == 0))
    return read_over(r, a->children[1], is_number, out);
  size_t row = 0, rows = sizeof overs / sizeof *overs;
  while (row < rows && strcmp(overs[row].name, name) != 0) row++;
  if (row == rows) return rlx_trace_read_value(r, a, out);
  uint32_t count = a->child_count - 1;
  bool fits = count >= overs[row].least && count <= overs[row].most &&
              is_number == (strcmp(name, "len") == 0);
  for (uint32_t i = 1; i <= count; i++)
    fits &= a->children[i]->kind != RLX_AST_STARRED && a->children[i]->kind != RLX_AST_KEYWORD;
  if (!fits)
    return rlx_trace_wrong(
        r, a->span, "a loop goes over lists, range(1, n), enumerate(l), reversed(l) and zip(l, m)");
  RlxScheduleValue *text = rlx_arena_array(r->trace->arena, RlxScheduleValue, 1);
  *text = (RlxScheduleValue){.kind = RLX_SCHEDULE_STRING, .text = overs[row].name};
  *out = (RlxScheduleValue){.kind = RLX_SCHEDULE_OVER, .count = count, .more = text};
  out->items = rlx_arena_array(r->trace->arena, RlxScheduleValue, count);
  for (uint32_t i = 0; i < count; i++)
    if (!read_over(r, a->children[i + 1], overs[row].of_numbers, &out->items[i])) return false;
  return true;
}

bool rlx_trace_read_iterable(TraceReader *r, const RlxAst *a, RlxScheduleValue *out) {
  return read_over(r, a, false, out);
}

/// `for l in loops:` with what stands in it.
static bool read_for(TraceReader *r, const RlxStmt *s) {
  r->stmt = s;
  r->nested.count = 0;
  RlxScheduleStep step = {.primitive = rlx_primitive_for(),
                          .span = rlx_stmt_absolute(s, rlx_span(0, s->head_size))};
  if (s->orelse || !s->value || !s->body)
    return rlx_trace_wrong(r, rlx_span(0, s->head_size),
                           "a loop of a trace is `for l in loops:`, no more");
  if (!read_over(r, s->value, false, &step.args[0])) return false;
  step.target = s->target_count ? rlx_trace_targets(r, s->targets[0]) : NULL;
  if (!step.target)
    return rlx_trace_wrong(r, rlx_span(0, s->head_size), "the loop gives its items to no name");
  const char *made = rlx_trace_made_by_python(r, s->value);
  if (made)
    step.problem = rlx_arena_printf(r->trace->arena,
                                    "`%s` was made by Python that a trace does not follow", made);
  const RlxTrace whole = rlx_trace_begin_body(r);
  read_nested(r);
  rlx_trace_forget_target(r, s->targets[0]);
  rlx_trace_forget_suite(r, s->body);
  rlx_trace_read_suite(r, s->body);
  rlx_trace_forget_suite(r, s->body);
  rlx_trace_end_body(r, whole, &step);
  rlx_vec_push(&r->trace->steps, step);
  return true;
}

/// `sch = tvm.s_tir.Schedule(mod)`
static void note_schedule(TraceReader *r, const RlxStmt *s) {
  if (!assigns(s) || s->value->kind != RLX_AST_CALL) return;
  const RlxAst *callee = s->value->children[0];
  bool is_name = callee->kind == RLX_AST_NAME || callee->kind == RLX_AST_ATTRIBUTE;
  if (!is_name || s->targets[0]->kind != RLX_AST_NAME ||
      strcmp(rlx_store_text(r->store, callee->name), "Schedule") != 0)
    return;
  r->schedule = s->targets[0]->name;
  rlx_trace_note_schedule(r, rlx_trace_name(r, s->targets[0]), true);
}

/// `if stages > 1:`, which numbers alone decide. False: they do not.
static bool read_if(TraceReader *r, const RlxStmt *s) {
  bool holds;
  if (!rlx_trace_decide(r, s->value, &holds)) return false;
  if (holds ? s->body : s->orelse) rlx_trace_read_suite(r, holds ? s->body : s->orelse);
  return true;
}

/// `"""notes"""` between steps.
static bool is_note(const RlxStmt *s) {
  return s->is_docstring ||
         (s->kind == RLX_STMT_EXPR && s->value && s->value->kind == RLX_AST_STRING);
}

/// Is something in it that a trace does not follow? Constants and functions of modules, `math.ceil`, it does.
static bool has_stranger(TraceReader *r, const RlxAst *a) {
  if (a->kind == RLX_AST_NAME && rlx_map_get(&r->strangers, a->name, NULL)) return true;
  if (rlx_trace_is_constant(r, a)) return false;
  if (a->kind == RLX_AST_CALL && rlx_trace_is_value(r, a)) {
    const RlxAst *callee = a->children[0];
    const bool is_instance = callee->kind == RLX_AST_NAME &&
                             strcmp(rlx_store_text(r->store, callee->name), "isinstance") == 0;
    if (rlx_trace_is_method(r, a) && has_stranger(r, callee)) return true;
    for (uint32_t i = 1; i < (is_instance && a->child_count > 1 ? 2 : a->child_count); i++)
      if (has_stranger(r, a->children[i])) return true;
    return false;
  }
  for (uint32_t i = 0; i < a->child_count; i++)
    if (has_stranger(r, a->children[i])) return true;
  return false;
}

static void note_passed(TraceReader *r, const RlxAst *a) {
  const RlxAst *callee = a && a->kind == RLX_AST_CALL ? a->children[0] : NULL;
  r->passed_call |= callee && callee->kind == RLX_AST_NAME && rlx_trace_function(r, callee->name);
}

/// What the statement, and those in it, give a value to is not known from here on.
static void pass_over(TraceReader *r, const RlxStmt *s) {
  const RlxAst *changed = rlx_trace_changed(r, s);
  if (changed) note_stranger(r, changed, true);
  if (changed) rlx_trace_forget_target(r, changed);
  for (uint32_t t = 0; s->kind != RLX_STMT_CLASS && t < s->target_count; t++) {
    note_stranger(r, s->targets[t], true);
    rlx_trace_forget_target(r, s->targets[t]);
  }
  const RlxBlock *suites[] = {s->body, s->orelse};
  for (int k = 0; k < 2 && s->kind != RLX_STMT_DEF && s->kind != RLX_STMT_CLASS; k++)
    for (uint32_t i = 0; suites[k] && i < suites[k]->count; i++) pass_over(r, suites[k]->stmts[i]);
}

/// `tile = 16`, `n += 1`, `if n > 8: …` without steps; false: it can't be read.
static bool read_quietly(TraceReader *r, const RlxStmt *s) {
  if (s->has_error) return false;
  const RlxAst *changed = rlx_trace_changed(r, s);
  if (changed) {
    const RlxAst *value = s->kind == RLX_STMT_AUGMENTED ? s->value : s->value->children[1];
    return !has_stranger(r, changed) && !has_stranger(r, value) && rlx_trace_read_change(r, s);
  }
  if (s->kind == RLX_STMT_IF && s->value && s->body)
    return !has_stranger(r, s->value) && rlx_trace_read_if_later(r, s);
  if (s->kind == RLX_STMT_FOR && s->value && s->body)
    return !has_stranger(r, s->value) && read_for(r, s);
  if (s->kind == RLX_STMT_WHILE && s->value && s->body)
    return !has_stranger(r, s->value) && rlx_trace_read_while(r, s);
  return assigns(s) && rlx_trace_is_value(r, s->value) && !has_stranger(r, s->value) &&
         read_assignment(r, s);
}

/// A statement of a script that makes its schedule, which has no step: what can be read of it is (`tile = 16`), the rest
/// is passed over.
static bool read_beside(TraceReader *r, const RlxStmt *s) {
  RlxSink *sink = r->sink, apart = {.arena = sink->arena};
  uint32_t steps = r->trace->steps.count;
  r->stmt = s;
  r->nested.count = 0;
  r->sink = &apart;
  bool is_read = read_quietly(r, s) && !apart.diags.count;
  r->stmt = s;
  note_passed(r, s->value);
  r->sink = sink;
  rlx_vec_free(&apart.diags);
  if (is_read) return true;
  r->trace->steps.count = steps;
  pass_over(r, s);
  return true;
}

/// `if __name__ == "__main__":`
static bool is_main(const TraceReader *r, const RlxStmt *s) {
  const RlxAst *a = s->kind == RLX_STMT_IF && s->value && s->value->kind == RLX_AST_COMPARE
                        ? s->value->children[0]
                        : NULL;
  return a && a->kind == RLX_AST_NAME && strcmp(rlx_store_text(r->store, a->name), "__name__") == 0;
}

/// `with tvm.target.Target("llvm"):` does nothing to the schedule; what stands in it may.
static bool read_with(TraceReader *r, const RlxStmt *s) {
  for (uint32_t i = 0; i < s->item_count; i++)
    if (s->items[i].target) note_stranger(r, s->items[i].target, true);
  rlx_trace_read_suite(r, s->body);
  return true;
}

/// `sch.get(l).extent` alone, which tells it.
static bool read_question(TraceReader *r, const RlxStmt *s) {
  RlxScheduleStep step = {.primitive = rlx_primitive_let(),
                          .span = rlx_stmt_absolute(s, rlx_span(0, s->head_size))};
  if (!rlx_trace_read_value(r, s->value, &step.args[0])) return false;
  rlx_vec_push(&r->trace->steps, step);
  return true;
}

/// `raise ValueError("…")`: where the trace gets there it ends.
static bool read_raise(TraceReader *r, const RlxStmt *s) {
  RlxScheduleStep step = {.primitive = rlx_primitive_unknown(r->trace->arena, "raise", false),
                          .span = rlx_stmt_absolute(s, rlx_span(0, s->head_size)),
                          .problem = "the script gives up here"};
  rlx_vec_push(&r->trace->steps, step);
  return true;
}

static bool read_step(TraceReader *r, const RlxStmt *s) {
  rlx_trace_note_intrinsic(r, s);
  if (s->kind == RLX_STMT_CLASS) { // a module of PrimFuncs
    rlx_map_put(&r->strangers, s->name, 1);
    return true;
  }
  if (!s->has_error) note_schedule(r, s);
  bool is_beside =
      r->schedule && !s->has_error && s->kind != RLX_STMT_IMPORT && !rlx_trace_has_steps(r, s);
  if (s->kind == RLX_STMT_ASSERT || s->kind == RLX_STMT_DELETE) return true;
  if (is_beside && s->kind != RLX_STMT_IF) return read_beside(r, s);
  r->stmt = s;
  r->nested.count = 0;
  if (!s->has_error && rlx_trace_changed(r, s)) return rlx_trace_read_change(r, s);
  if (s->kind == RLX_STMT_RAISE) return read_raise(r, s);
  bool has_value = (s->kind == RLX_STMT_EXPR && s->value) || assigns(s);
  bool is_call = has_value && s->value->kind == RLX_AST_CALL;
  RlxSpan head = rlx_stmt_absolute(s, rlx_span(0, s->head_size));
  if (has_value && !s->has_error && s->value->kind == RLX_AST_SUBSCRIPT &&
      s->value->child_count == 2 && s->value->children[0]->kind == RLX_AST_CALL) {
    const char *target = item_target(r, s, s->value->children[1]);
    if (target) return rlx_trace_read_call(r, s->value->children[0], target, head);
  }
  for (uint32_t i = 0; s->kind == RLX_STMT_IMPORT && i < s->import_count; i++)
    if (s->imports[i].name) rlx_map_put(&r->strangers, s->imports[i].name, 1);
  if (s->kind == RLX_STMT_PASS || s->kind == RLX_STMT_IMPORT || is_note(s)) return true;
  if (!s->has_error && s->kind == RLX_STMT_IF && s->value && read_if(r, s)) return true;
  if (is_beside) return read_beside(r, s);
  if (!s->has_error && s->kind == RLX_STMT_WITH && s->body) return read_with(r, s);
  if (!s->has_error && s->kind == RLX_STMT_IF && s->value && s->body)
    return rlx_trace_read_if_later(r, s);
  if (!s->has_error && s->kind == RLX_STMT_WHILE && s->value && s->body)
    return rlx_trace_read_while(r, s);
  if (!s->has_error &&
      (s->kind == RLX_STMT_TRY || s->kind == RLX_STMT_BREAK || s->kind == RLX_STMT_CONTINUE))
    return rlx_trace_wrong(
        r, rlx_span(0, s->head_size),
        "of Python a trace has calls, names (loops = [i, j]), `for l in loops:`, `while` and `if`");
  if (!s->has_error && assigns(s) && rlx_trace_looks_at_module(r, s->value)) {
    pass_over(r, s); // what becomes of the module is no step
    return true;
  }
  if (!s->has_error && s->kind == RLX_STMT_EXPR && s->value && s->value->kind != RLX_AST_HOLE &&
      rlx_trace_is_value(r, s->value))
    return read_question(r, s);
  if (!s->has_error && assigns(s) && rlx_trace_is_value(r, s->value)) return read_assignment(r, s);
  if (s->has_error || !is_call)
    return rlx_trace_wrong(r, rlx_span(0, s->head_size),
                           "a step is a call: sch.split(i, factors=[None, 16])");
  if (rlx_trace_is_no_step(r, s->value)) {
    note_passed(r, s->value);
    return true;
  }
  return assigns(s) ? read_assignment(r, s) : rlx_trace_read_call(r, s->value, NULL, head);
}

/// A function that nobody calls stands for its steps: `def apply_trace(sch):`, as TVM prints a trace. One that is called
/// is written out there; what is decorated is a PrimFunc.
static void read_function(TraceReader *r, const RlxStmt *s) {
  if (!rlx_trace_is_script(r, s) && !rlx_trace_is_called(r, s->name) && rlx_trace_has_steps(r, s))
    rlx_trace_read_suite(r, s->body);
  r->returned = NULL;
}

void rlx_trace_read_suite(TraceReader *r, const RlxBlock *suite) {
  for (uint32_t i = 0; i < suite->count && !r->is_full && !r->returned; i++) {
    const RlxStmt *s = suite->stmts[i];
    if (s->kind == RLX_STMT_DEF && rlx_trace_is_script(r, s))
      rlx_map_put(&r->strangers, s->name, 1);
    if (s->kind == RLX_STMT_DEF && s->body && !s->has_error)
      read_function(r, s);
    else if (is_main(r, s) && s->body)
      rlx_trace_read_suite(r, s->body);
    else if (s->kind == RLX_STMT_FOR && !s->has_error &&
             (!r->schedule || rlx_trace_has_steps(r, s)))
      read_for(r, s);
    else if (s->kind == RLX_STMT_RETURN && suite->parent)
      r->returned = s;
    else
      read_step(r, s);
  }
}

/// A text that calls its functions, of which none has a step: a misspelt one would do nothing, silently.
static void tell_no_step(TraceReader *r) {
  for (uint32_t i = 0; i < r->root->count; i++) {
    const RlxStmt *s = r->root->stmts[i];
    if (s->kind != RLX_STMT_EXPR || s->is_docstring) continue;
    r->stmt = s;
    rlx_trace_wrong(r, rlx_span(0, s->head_size), "nothing that the text calls has a step in it");
    return;
  }
}

/// Puts the steps of the text to those of `out`.
static void read_text(RlxStore *store, const char *text, uint32_t size, RlxTrace *out,
                      RlxSink *sink) {
  RlxDocument *doc = rlx_document_new(store, NULL, NULL);
  rlx_document_set_text(doc, text, size);
  TraceReader r = {
      .store = store, .trace = out, .sink = sink, .text = rlx_document_text(doc, NULL)};
  r.root = rlx_document_root(doc);
  r.inner_count = largest_number(r.text);
  rlx_trace_find_functions(&r);
  rlx_trace_read_suite(&r, r.root);
  if (r.passed_call && !out->steps.count && !sink->diags.count) tell_no_step(&r);
  rlx_trace_forget_functions(&r);
  rlx_vec_free(&r.locals);
  rlx_map_free(&r.local_at);
  rlx_map_free(&r.strangers);
  rlx_map_free(&r.passed);
  rlx_strmap_free(&r.schedules);
  rlx_map_free(&r.numbers);
  rlx_vec_free(&r.intrinsics);
  rlx_map_free(&r.intrinsics_by_name);
  rlx_strmap_free(&r.intrinsics_by_text);
  rlx_vec_free(&r.nested);
  rlx_document_free(doc);
}

void rlx_trace_read(RlxStore *store, const char *text, uint32_t size, RlxTrace *out,
                    RlxSink *sink) {
  *out = (RlxTrace){.arena = rlx_arena_new()};
  read_text(store, text, size, out, sink);
}

bool rlx_trace_read_one_value(RlxStore *store, RlxArena *arena, const char *text,
                              RlxScheduleValue *out) {
  RlxBuf line = {0};
  rlx_buf_printf(&line, "value = %s\n", text);
  RlxSink sink = {.arena = arena};
  RlxTrace trace = {.arena = arena};
  read_text(store, rlx_buf_text(&line), (uint32_t)line.size, &trace, &sink);
  const bool is_one = !sink.diags.count && trace.steps.count == 1 &&
                      trace.steps.at[0].primitive == rlx_primitive_let();
  if (is_one) *out = trace.steps.at[0].args[0];
  rlx_vec_free(&trace.steps);
  rlx_vec_free(&sink.diags);
  rlx_buf_free(&line);
  return is_one;
}

void rlx_trace_free(RlxTrace *trace) {
  if (trace->arena) rlx_arena_free(trace->arena);
  rlx_vec_free(&trace->steps);
  *trace = (RlxTrace){0};
}

// ---- writing

/// reorder(i, j), fuse(*loops): a list of loops that comes first is written without brackets, as TVM
/// takes it.
static bool print_spread(const RlxScheduleStep *step, RlxBuf *out) {
  const RlxScheduleValue *v = &step->args[0];
  bool takes_loops = step->primitive->params[0].takes == RLX_TAKES_LOOPS;
  bool is_part = v->kind == RLX_SCHEDULE_ITEM && v->count > 2;
  if (takes_loops && (v->kind == RLX_SCHEDULE_NAME || is_part)) rlx_buf_putc(out, '*');
  if (!takes_loops || v->kind != RLX_SCHEDULE_LIST || !v->count) return false;
  for (uint32_t i = 0; i < v->count; i++)
    if (v->items[i].kind < RLX_SCHEDULE_BLOCK && v->items[i].kind != RLX_SCHEDULE_STRING)
      return false;
  for (uint32_t i = 0; i < v->count; i++) {
    if (i) rlx_buf_puts(out, ", ");
    rlx_schedule_print_value(&v->items[i], out);
  }
  return true;
}

/// ("read", 0): a buffer by its place, for which TVM takes no list.
static bool print_pair(const RlxPrimitiveParam *param, const RlxScheduleValue *v, RlxBuf *out) {
  if (param->takes != RLX_TAKES_SIDED || v->kind != RLX_SCHEDULE_LIST || v->count != 2)
    return false;
  for (int i = 0; i < 2; i++) {
    rlx_buf_puts(out, i ? ", " : "(");
    rlx_schedule_print_value(&v->items[i], out);
  }
  rlx_buf_putc(out, ')');
  return true;
}

void rlx_trace_print_step(const RlxSchedule *s, const RlxScheduleStep *step, RlxBuf *out) {
  (void)s;
  if (step->primitive == rlx_primitive_for()) {
    enum { SHOWN_MAX = 8 };
    rlx_buf_printf(out, "for %s in ", step->target);
    if (step->args[0].kind == RLX_SCHEDULE_LIST && step->args[0].count > SHOWN_MAX)
      rlx_buf_printf(out, "[…%u items]", step->args[0].count);
    else
      rlx_schedule_print_value(&step->args[0], out);
    rlx_buf_putc(out, ':');
    return;
  }
  if (step->primitive == rlx_primitive_if()) {
    rlx_buf_puts(out, step->repeats ? "while " : "if ");
    rlx_schedule_print_value(&step->args[0], out);
    rlx_buf_putc(out, ':');
    return;
  }
  if (strcmp(step->primitive->name, "raise") == 0) { // no primitive is called so
    rlx_buf_puts(out, "raise");
    return;
  }
  if (step->target) rlx_buf_printf(out, "%s = ", step->target);
  if (step->primitive == rlx_primitive_let()) {
    rlx_schedule_print_value(&step->args[0], out);
    return;
  }
  rlx_buf_printf(out, "sch.%s(", step->primitive->name);
  bool any = false, gap = false;
  for (int i = 0; i < rlx_primitive_param_count(step->primitive); i++) {
    if (step->args[i].kind == RLX_SCHEDULE_ABSENT) {
      gap = true;
      continue;
    }
    const RlxPrimitiveParam *param = &step->primitive->params[i];
    if (any) rlx_buf_puts(out, ", ");
    if (gap || (param->is_optional && i)) rlx_buf_printf(out, "%s=", param->name);
    any = true;
    if (print_pair(param, &step->args[i], out)) continue;
    if (i || !print_spread(step, out)) rlx_schedule_print_value(&step->args[i], out);
  }
  rlx_buf_putc(out, ')');
}

void rlx_trace_print(const RlxSchedule *s, RlxBuf *out) {
  for (int i = 0; i < rlx_schedule_step_count(s); i++) {
    rlx_trace_print_step(s, rlx_schedule_step_at(s, i), out);
    rlx_buf_putc(out, '\n');
  }
}
