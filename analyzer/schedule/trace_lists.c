/// What a trace has of Python that stands for several steps: `[f(l) for l in loops]`, a value of two branches, `loops.append(l)`,
/// `n += 1`, and an `if` that is decided when it is its turn.
#include "analyzer/schedule/trace_impl.h"

#include <string.h>

// ---- steps that are collected apart

/// What stands in a step that is written out when it is its turn can't end the function.
static void tell_return(TraceReader *r) {
  const RlxStmt *s = r->returned;
  if (!s) return;
  const RlxStmt *now = r->stmt;
  r->stmt = s;
  r->returned = NULL;
  rlx_trace_wrong(
      r, rlx_span(0, s->head_size),
      "a `return` stands at the end of a function, or under an `if` that numbers of the "
      "text decide");
  r->stmt = now;
}

RlxTrace rlx_trace_begin_body(TraceReader *r) {
  const RlxTrace whole = *r->trace;
  memset(&r->trace->steps, 0, sizeof r->trace->steps);
  return whole;
}

void rlx_trace_end_body(TraceReader *r, RlxTrace whole, RlxScheduleStep *step) {
  tell_return(r);
  const uint32_t count = r->trace->steps.count;
  RlxScheduleStep *body = rlx_arena_array(whole.arena, RlxScheduleStep, count + 1);
  for (uint32_t i = 0; i < count; i++) body[i] = r->trace->steps.at[i];
  step->body = body;
  step->body_count = count - step->else_count;
  rlx_vec_free(&r->trace->steps);
  *r->trace = whole;
}

static RlxSpan head_of(const TraceReader *r) {
  return rlx_stmt_absolute(r->stmt, rlx_span(0, r->stmt->head_size));
}

/// An `if` of which `c` is what decides.
static RlxScheduleStep if_step(TraceReader *r, const RlxAst *a, RlxScheduleValue c) {
  RlxScheduleStep step = {.primitive = rlx_primitive_if(), .span = head_of(r)};
  step.args[0] = c;
  const char *made = rlx_trace_made_by_python(r, a);
  if (made)
    step.problem = rlx_arena_printf(r->trace->arena,
                                    "`%s` was made by Python that a trace does not follow", made);
  return step;
}

bool rlx_trace_read_if_later(TraceReader *r, const RlxStmt *s) {
  RlxScheduleValue c;
  r->stmt = s;
  if (!rlx_trace_read_value(r, s->value, &c)) return false;
  RlxScheduleStep step = if_step(r, s->value, c);
  const uint32_t said = r->sink->diags.count;
  const RlxTrace whole = rlx_trace_begin_body(r);
  const RlxBlock *suites[] = {s->body, s->orelse};
  uint32_t then_count = 0;
  for (int k = 0; k < 2; k++) {
    // What one branch gives a value to, the other finds as it was before; what follows finds neither.
    for (int i = 0; i < 2; i++) rlx_trace_forget_suite(r, suites[i]);
    if (suites[k]) rlx_trace_read_suite(r, suites[k]);
    tell_return(r);
    if (!k) then_count = r->trace->steps.count;
  }
  for (int i = 0; i < 2; i++) rlx_trace_forget_suite(r, suites[i]);
  step.else_count = r->trace->steps.count - then_count;
  rlx_trace_end_body(r, whole, &step);
  r->stmt = s;
  if (step.body_count + step.else_count) rlx_vec_push(&r->trace->steps, step);
  return said == r->sink->diags.count;
}

bool rlx_trace_read_while(TraceReader *r, const RlxStmt *s) {
  RlxScheduleValue c;
  r->stmt = s;
  const uint32_t before = r->trace->steps.count;
  rlx_trace_forget_suite(r, s->body);
  if (s->orelse)
    return rlx_trace_wrong(r, rlx_span(0, s->head_size), "a `while` of a trace has no `else`");
  if (!rlx_trace_read_value(r, s->value, &c)) return false;
  const uint32_t asking = r->trace->steps.count - before; // steps that the question takes
  RlxScheduleStep *again = rlx_arena_array(r->trace->arena, RlxScheduleStep, asking + 1);
  for (uint32_t i = 0; i < asking; i++) again[i] = r->trace->steps.at[before + i];
  RlxScheduleStep step = if_step(r, s->value, c);
  const uint32_t said = r->sink->diags.count;
  const RlxTrace whole = rlx_trace_begin_body(r);
  rlx_trace_read_suite(r, s->body);
  tell_return(r);
  rlx_trace_forget_suite(r, s->body);
  const bool is_empty = !r->trace->steps.count;
  for (uint32_t i = 0; !is_empty && i < asking; i++) rlx_vec_push(&r->trace->steps, again[i]);
  rlx_trace_end_body(r, whole, &step);
  step.repeats = true;
  r->stmt = s;
  rlx_vec_push(&r->trace->steps, step);
  return said == r->sink->diags.count;
}

/// `a if n > 4 else b`. Where a branch has steps of its own, they are taken as it is; the value gets a name.
bool rlx_trace_read_conditional(TraceReader *r, const RlxAst *a, RlxScheduleValue *out) {
  bool holds;
  if (rlx_trace_decide(r, a->children[1], &holds))
    return rlx_trace_read_value(r, a->children[holds ? 0 : 2], out);
  RlxScheduleValue items[3];
  if (!rlx_trace_read_value(r, a->children[1], &items[1])) return false;
  RlxScheduleStep step = if_step(r, a->children[1], items[1]);
  const char *name = rlx_trace_fresh_name(r, NULL);
  const RlxTrace whole = rlx_trace_begin_body(r);
  bool ok = true, has_steps = false;
  uint32_t counts[2];
  for (int k = 0; ok && k < 2; k++) {
    const uint32_t before = r->trace->steps.count;
    ok = rlx_trace_read_value(r, a->children[2 * k], &items[2 * k]);
    has_steps |= r->trace->steps.count > before;
    if (ok) rlx_trace_add_let(r, name, items[2 * k]);
    counts[k] = r->trace->steps.count - before;
  }
  step.else_count = ok ? counts[1] : 0;
  rlx_trace_end_body(r, whole, &step);
  if (!ok) return false;
  *out = rlx_trace_computed(r, "if", items, 3);
  if (!has_steps && !step.problem) return true;
  *out = (RlxScheduleValue){.kind = RLX_SCHEDULE_NAME, .text = name};
  rlx_vec_push(&r->trace->steps, step);
  return true;
}

// ---- comprehensions

static RlxScheduleValue name_value(const char *name) {
  return (RlxScheduleValue){.kind = RLX_SCHEDULE_NAME, .text = name};
}

/// `[*list, value]`, or `[*list, *value]`
static RlxScheduleValue longer(TraceReader *r, const char *list, RlxScheduleValue value,
                               bool is_list) {
  RlxScheduleValue out = {.kind = RLX_SCHEDULE_LIST, .count = 2};
  out.items = rlx_arena_array(r->trace->arena, RlxScheduleValue, 2);
  for (int i = 0; i < 2; i++) {
    const RlxScheduleValue item = i ? value : name_value(list);
    out.items[i] = item;
    if (i && !is_list) continue;
    out.items[i] = (RlxScheduleValue){.kind = RLX_SCHEDULE_STAR, .count = 1};
    out.items[i].items = rlx_arena_one(r->trace->arena, RlxScheduleValue);
    out.items[i].items[0] = item;
  }
  return out;
}

static bool read_clause(TraceReader *r, const RlxAst *a, uint32_t at, const char *list);

static bool read_comp_for(TraceReader *r, const RlxAst *a, uint32_t at, const char *list) {
  const RlxAst *clause = a->children[at];
  RlxScheduleStep step = {.primitive = rlx_primitive_for(), .span = head_of(r)};
  if (clause->child_count < 2 || !rlx_trace_read_iterable(r, clause->children[1], &step.args[0]))
    return false;
  const uint32_t from = rlx_trace_open_scope(r, clause->children[0]);
  step.target = rlx_trace_targets(r, clause->children[0]);
  const RlxTrace whole = rlx_trace_begin_body(r);
  bool ok = step.target ? read_clause(r, a, at + 1, list)
                        : rlx_trace_wrong(r, clause->span, "the items get no name");
  rlx_trace_end_body(r, whole, &step);
  rlx_trace_close_scope(r, from);
  if (ok) rlx_vec_push(&r->trace->steps, step);
  return ok;
}

static bool read_comp_if(TraceReader *r, const RlxAst *a, uint32_t at, const char *list) {
  const RlxAst *condition = a->children[at]->children[0];
  bool holds;
  if (rlx_trace_decide(r, condition, &holds)) return !holds || read_clause(r, a, at + 1, list);
  RlxScheduleValue c;
  if (!rlx_trace_read_value(r, condition, &c)) return false;
  RlxScheduleStep step = if_step(r, condition, c);
  const RlxTrace whole = rlx_trace_begin_body(r);
  const bool ok = read_clause(r, a, at + 1, list);
  rlx_trace_end_body(r, whole, &step);
  if (ok) rlx_vec_push(&r->trace->steps, step);
  return ok;
}

/// What clause `at` and those behind it do: at the end the element is put to the list.
static bool read_clause(TraceReader *r, const RlxAst *a, uint32_t at, const char *list) {
  if (at < a->child_count)
    return a->children[at]->kind == RLX_AST_COMP_FOR ? read_comp_for(r, a, at, list)
                                                     : read_comp_if(r, a, at, list);
  RlxScheduleValue element;
  if (!rlx_trace_read_value(r, a->children[0], &element)) return false;
  rlx_trace_add_let(r, list, longer(r, list, element, false));
  return true;
}

bool rlx_trace_read_comprehension(TraceReader *r, const RlxAst *a, RlxScheduleValue *out) {
  if (a->op != RLX_COMP_LIST && a->op != RLX_COMP_GENERATOR)
    return rlx_trace_wrong(r, a->span,
                           "a trace makes lists, no sets or dicts: [f(l) for l in loops]");
  const char *list = rlx_trace_fresh_name(r, NULL);
  rlx_trace_add_let(r, list, (RlxScheduleValue){.kind = RLX_SCHEDULE_LIST});
  *out = name_value(list);
  return read_clause(r, a, 1, list);
}

// ---- statements that change a name

/// `loops.append(l)`, `loops.extend(m)`
static bool is_growth(const TraceReader *r, const RlxStmt *s, bool *is_list) {
  const RlxAst *call =
      s->kind == RLX_STMT_EXPR && s->value && s->value->kind == RLX_AST_CALL ? s->value : NULL;
  if (!call || call->child_count != 2 || call->children[0]->kind != RLX_AST_ATTRIBUTE ||
      call->children[0]->children[0]->kind != RLX_AST_NAME)
    return false;
  const char *name = rlx_store_text(r->store, call->children[0]->name);
  *is_list = strcmp(name, "extend") == 0;
  return *is_list || strcmp(name, "append") == 0;
}

const RlxAst *rlx_trace_changed(const TraceReader *r, const RlxStmt *s) {
  bool is_list;
  if (s->kind == RLX_STMT_AUGMENTED && s->target_count && s->targets[0]->kind == RLX_AST_NAME)
    return s->targets[0];
  return is_growth(r, s, &is_list) ? s->value->children[0]->children[0] : NULL;
}

/// `name` gets longer, by `value` or by all of it: the list itself, which other names may stand for, too.
static void add_growth(TraceReader *r, const char *name, RlxScheduleValue value, bool is_list) {
  const uint32_t before = r->trace->steps.count;
  rlx_trace_add_let(r, name, longer(r, name, value, is_list));
  if (r->trace->steps.count > before) rlx_vec_last(&r->trace->steps).grows = true;
}

bool rlx_trace_read_change(TraceReader *r, const RlxStmt *s) {
  const RlxAst *changed = rlx_trace_changed(r, s);
  const char *name = rlx_trace_name(r, changed);
  RlxScheduleValue value, pair[2];
  bool is_list;
  r->stmt = s;
  if (is_growth(r, s, &is_list)) {
    if (!rlx_trace_read_value(r, s->value->children[1], &value)) return false;
    add_growth(r, name, value, is_list);
    return true;
  }
  const char *op = rlx_trace_operator((RlxAstOp)s->op);
  if (!op || !s->value)
    return rlx_trace_wrong(r, rlx_span(0, s->head_size),
                           "a step computes with + - * / // % and **");
  if (!rlx_trace_read_value(r, changed, &pair[0]) || !rlx_trace_read_value(r, s->value, &pair[1]))
    return false;
  rlx_trace_forget_target(r, changed);
  // `a += [l]` is `a.extend([l])`, and not `a = a + [l]`.
  if (strcmp(op, "+") == 0 && s->value->kind == RLX_AST_LIST) {
    add_growth(r, name, pair[1], true);
    return true;
  }
  const uint32_t before = r->trace->steps.count;
  rlx_trace_add_let(r, name, rlx_trace_computed(r, op, pair, 2));
  if (r->trace->steps.count > before && strcmp(op, "+") == 0)
    rlx_vec_last(&r->trace->steps).may_grow = true;
  return true;
}
