/// Functions in the text of a trace: written out where they are called; and what it registers.
///
/// Always true: what is written out are steps that could have been written in its place; a name that a function gives a
/// value to gets one that the text does not have, for Python keeps the two apart.
#include "analyzer/schedule/trace_impl.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum {
  DEPTH_MAX = 8,        ///< functions in one another
  WRITTEN_MAX = 1 << 20 ///< bytes of them that may be written out in all
};

// ---- what there is

const RlxStmt *rlx_trace_function(const TraceReader *r, RlxName name) {
  uint64_t at;
  return rlx_map_get(&r->function_at, name, &at) ? r->functions.at[at].stmt : NULL;
}

static bool is_named(const TraceReader *r, const RlxAst *a, const char *name) {
  return (a->kind == RLX_AST_NAME || a->kind == RLX_AST_ATTRIBUTE) &&
         strcmp(rlx_store_text(r->store, a->name), name) == 0;
}

bool rlx_trace_is_script(const TraceReader *r, const RlxStmt *s) {
  static const char *const names[] = {"prim_func", "function", "macro", "inline", "ir_module"};
  for (uint32_t d = 0; d < s->decorator_count; d++) {
    const RlxAst *a = s->decorators[d];
    if (a->kind == RLX_AST_CALL) a = a->children[0];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
      if (is_named(r, a, names[i])) return true;
  }
  return false;
}

static void add_function(TraceReader *r, const RlxStmt *s) {
  rlx_map_put(&r->function_at, s->name, r->functions.count);
  rlx_map_put(&r->place_of, (uintptr_t)s, r->functions.count);
  rlx_vec_push(&r->functions, ((TraceFunction){s, false}));
  for (uint32_t i = 0; i < s->param_count; i++)
    if (s->params[i].name) rlx_map_put(&r->parameters, s->params[i].name, 1);
}

static void find_functions(TraceReader *r, const RlxBlock *suite) {
  for (uint32_t i = 0; suite && i < suite->count; i++) {
    const RlxStmt *s = suite->stmts[i];
    bool is_function = s->kind == RLX_STMT_DEF && s->body && s->body->count && !s->has_error;
    if (is_function && !rlx_trace_is_script(r, s)) add_function(r, s);
    bool is_call = s->value && s->value->kind == RLX_AST_CALL && s->target_count;
    if (is_call && !r->schedule && s->targets[0]->kind == RLX_AST_NAME &&
        is_named(r, s->value->children[0], "Schedule"))
      r->schedule = s->targets[0]->name;
    if (s->kind != RLX_STMT_CLASS) find_functions(r, s->body);
    find_functions(r, s->orelse);
  }
}

/// A function calls another: their places.
typedef struct Calls {
  uint32_t caller, callee;
} Calls;

typedef Vec(Calls) CallList;

/// What is looked for in statements.
typedef struct Look {
  const TraceReader *r;
  RlxMap *called; ///< names that are called, are added here
  RlxStrMap *
      schedules; ///< names before the dot of a step, are added here; NULL: the text says what its schedule is
  uint32_t caller; ///< the function whose statements are looked at
  CallList *calls; ///< of functions of the text, are added here; NULL: what is known of them counts
  bool (*is)(const struct Look *, const RlxAst *call);
} Look;

static bool expr_has(const Look *l, const RlxAst *a) {
  if (!a) return false;
  if (a->kind == RLX_AST_CALL && l->is(l, a)) return true;
  for (uint32_t i = 0; i < a->child_count; i++)
    if (expr_has(l, a->children[i])) return true;
  return false;
}

static bool suite_has(const Look *l, const RlxBlock *suite);

static bool stmt_has(const Look *l, const RlxStmt *s) {
  if (s->kind == RLX_STMT_CLASS || expr_has(l, s->value)) return s->kind != RLX_STMT_CLASS;
  for (uint32_t i = 0; s->kind == RLX_STMT_WITH && i < s->item_count; i++)
    if (expr_has(l, s->items[i].value)) return true;
  if (suite_has(l, s->body) || suite_has(l, s->orelse)) return true;
  for (uint32_t i = 0; i < s->block_count; i++)
    if (suite_has(l, s->blocks[i])) return true;
  return false;
}

static bool suite_has(const Look *l, const RlxBlock *suite) {
  for (uint32_t i = 0; suite && i < suite->count; i++)
    if (stmt_has(l, suite->stmts[i])) return true;
  return false;
}

/// `sch.split(i, …)`; `fname.split(".")` is none.
static bool calls_primitive(const TraceReader *r, const RlxAst *call) {
  const RlxAst *callee = call->children[0];
  if (callee->kind != RLX_AST_ATTRIBUTE || callee->children[0]->kind != RLX_AST_NAME) return false;
  bool takes_text = call->child_count > 1 && call->children[1]->kind == RLX_AST_STRING &&
                    is_named(r, callee, "split");
  return !takes_text && rlx_primitive_find(rlx_store_text(r->store, callee->name));
}

static bool note_called(const Look *l, const RlxAst *call) {
  const RlxAst *callee = call->children[0];
  if (callee->kind == RLX_AST_NAME) rlx_map_put(l->called, callee->name, 1);
  if (l->schedules && calls_primitive(l->r, call)) {
    const char *name = rlx_store_text(l->r->store, callee->children[0]->name);
    rlx_strmap_put(l->schedules, name, strlen(name), 1);
  }
  return false;
}

bool rlx_trace_is_called(const TraceReader *r, RlxName name) {
  return rlx_map_get(&r->called, name, NULL);
}

/// A step, also of a schedule that is a parameter.
static bool is_step(const Look *l, const RlxAst *call) {
  const TraceReader *r = l->r;
  const RlxAst *callee = call->children[0];
  if (callee->kind == RLX_AST_NAME) {
    uint64_t at;
    bool is_ours = rlx_map_get(&r->function_at, callee->name, &at);
    if (is_ours && !l->calls) return r->functions.at[at].has_steps;
    if (is_ours) rlx_vec_push(l->calls, ((Calls){l->caller, (uint32_t)at}));
    return !is_ours && !r->schedule && rlx_primitive_find(rlx_store_text(r->store, callee->name));
  }
  if (callee->kind != RLX_AST_ATTRIBUTE || callee->children[0]->kind != RLX_AST_NAME) return false;
  const RlxName base = callee->children[0]->name;
  if (rlx_trace_is_schedule(r, base)) return !rlx_trace_is_no_step(r, call);
  return (!r->schedule || rlx_map_get(&r->parameters, base, NULL)) && calls_primitive(r, call);
}

/// Functions that call one with steps have some, too: those that call it stand together in `calls`, from `first` on.
static void spread_steps(TraceReader *r, const CallList *calls, const uint32_t *first) {
  Vec(uint32_t) due = {0};
  for (uint32_t i = 0; i < r->functions.count; i++)
    if (r->functions.at[i].has_steps) rlx_vec_push(&due, i);
  while (due.count) {
    const uint32_t callee = due.at[--due.count];
    for (uint32_t k = first[callee]; k < first[callee + 1]; k++) {
      TraceFunction *f = &r->functions.at[calls->at[k].caller];
      if (f->has_steps) continue;
      f->has_steps = true;
      rlx_vec_push(&due, calls->at[k].caller);
    }
  }
  rlx_vec_free(&due);
}

static int by_callee(const void *a, const void *b) {
  const uint32_t x = ((const Calls *)a)->callee, y = ((const Calls *)b)->callee;
  return (x > y) - (x < y);
}

/// Which functions have steps, each looked at once.
static void find_steps(TraceReader *r) {
  CallList calls = {0};
  for (uint32_t i = 0; i < r->functions.count; i++) {
    const Look l = {.r = r, .caller = i, .calls = &calls, .is = is_step};
    r->functions.at[i].has_steps = suite_has(&l, r->functions.at[i].stmt->body);
  }
  if (calls.count) qsort(calls.at, calls.count, sizeof *calls.at, by_callee);
  uint32_t *first = rlx_mem_zeroed(r->functions.count + 1, sizeof *first), k = 0;
  for (uint32_t i = 0; i <= r->functions.count; i++) {
    while (k < calls.count && calls.at[k].callee < i) k++;
    first[i] = k;
  }
  spread_steps(r, &calls, first);
  free(first);
  rlx_vec_free(&calls);
}

void rlx_trace_find_functions(TraceReader *r) {
  find_functions(r, r->root);
  const Look l = {.r = r,
                  .called = &r->called,
                  .schedules = r->schedule ? NULL : &r->schedules,
                  .is = note_called};
  suite_has(&l, r->root);
  find_steps(r);
}

void rlx_trace_forget_functions(TraceReader *r) {
  rlx_vec_free(&r->functions);
  rlx_map_free(&r->function_at);
  rlx_map_free(&r->place_of);
  rlx_map_free(&r->called);
  rlx_map_free(&r->parameters);
}

bool rlx_trace_has_steps(const TraceReader *r, const RlxStmt *s) {
  uint64_t at;
  if (rlx_map_get(&r->place_of, (uintptr_t)s, &at)) return r->functions.at[at].has_steps;
  const Look l = {.r = r, .is = is_step};
  return s->kind == RLX_STMT_DEF ? suite_has(&l, s->body) : stmt_has(&l, s);
}

// ---- names

static bool is_own(const RlxAst *lambda, RlxName name) {
  for (uint32_t i = 0; lambda->kind == RLX_AST_LAMBDA && i < lambda->param_count; i++)
    if (lambda->params[i].name == name) return true;
  return false;
}

/// Puts the text up to the end of `a`; `*at`: up to where it was put.
static void put_text(TraceReader *r, const RlxAst *whole, const RlxAst *a, uint32_t *at,
                     RlxBuf *out) {
  const RlxScheduleValue *local =
      a->kind == RLX_AST_NAME && !is_own(whole, a->name) ? rlx_trace_local(r, a->name) : NULL;
  for (uint32_t i = 0; i < a->child_count; i++) put_text(r, whole, a->children[i], at, out);
  RlxSpan span = rlx_stmt_absolute(r->stmt, a->span);
  if (!local && a != whole) return;
  uint32_t end = local ? span.start : span.end;
  if (end > *at) rlx_buf_putn(out, r->text + *at, end - *at);
  if (local) rlx_schedule_print_value(local, out);
  *at = span.end;
}

const char *rlx_trace_text(TraceReader *r, const RlxAst *a) {
  RlxBuf out = {0};
  uint32_t at = rlx_stmt_absolute(r->stmt, a->span).start;
  put_text(r, a, a, &at, &out);
  const char *text = rlx_arena_strdup(r->trace->arena, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return text;
}

/// The only statement of the function but notes, when it gives a value.
static const RlxStmt *only_return(const RlxStmt *f) {
  const RlxStmt *found = NULL;
  for (uint32_t i = 0; i < f->body->count; i++) {
    const RlxStmt *s = f->body->stmts[i];
    if (s->is_docstring) continue;
    if (found || s->kind != RLX_STMT_RETURN || !s->value) return NULL;
    found = s;
  }
  return found;
}

bool rlx_trace_as_lambda(TraceReader *r, const RlxStmt *f, RlxScheduleValue *out) {
  const RlxStmt *s = only_return(f);
  if (!s || rlx_trace_has_steps(r, f)) return false;
  RlxBuf text = {0};
  rlx_buf_puts(&text, "lambda");
  for (uint32_t i = 0; i < f->param_count; i++)
    rlx_buf_printf(&text, "%s %s%s", i ? "," : "", f->params[i].star == 1 ? "*" : "",
                   rlx_store_text(r->store, f->params[i].name));
  RlxSpan span = rlx_stmt_absolute(s, s->value->span);
  bool is_bare = s->value->kind == RLX_AST_TUPLE && !s->value->is_parenthesized;
  rlx_buf_puts(&text, is_bare ? ": (" : ": ");
  rlx_buf_putn(&text, r->text + span.start, span.end - span.start);
  if (is_bare) rlx_buf_putc(&text, ')');
  out->kind = RLX_SCHEDULE_LAMBDA;
  out->text = rlx_arena_strdup(r->trace->arena, rlx_buf_text(&text));
  rlx_buf_free(&text);
  return true;
}

// ---- intrinsics that the text registers

void rlx_trace_note_intrinsic(TraceReader *r, const RlxStmt *s) {
  RlxRegistered registered;
  if (!rlx_schedule_registers(r->store, s, &registered)) return;
  const RlxName names[] = {registered.description, registered.implementation};
  const RlxAst *name = registered.name;
  RlxScheduleValue pair = {.kind = RLX_SCHEDULE_LIST, .count = 2};
  pair.items = rlx_arena_array(r->trace->arena, RlxScheduleValue, 2);
  for (uint32_t i = 0; i < 2; i++)
    pair.items[i] = (RlxScheduleValue){
        .kind = RLX_SCHEDULE_STRING,
        .text = rlx_arena_strdup(r->trace->arena, rlx_store_text(r->store, names[i]))};
  if (name->kind == RLX_AST_NAME)
    rlx_map_put(&r->intrinsics_by_name, name->name, r->intrinsics.count);
  else if (name->kind == RLX_AST_STRING)
    rlx_strmap_put(&r->intrinsics_by_text, name->text, name->text_size, r->intrinsics.count);
  rlx_vec_push(&r->intrinsics, pair);
}

const RlxScheduleValue *rlx_trace_registered(const TraceReader *r, const RlxAst *a) {
  uint64_t at;
  bool is = a->kind == RLX_AST_NAME
                ? rlx_map_get(&r->intrinsics_by_name, a->name, &at)
                : a->kind == RLX_AST_STRING &&
                      rlx_strmap_get(&r->intrinsics_by_text, a->text, a->text_size, &at);
  return is ? &r->intrinsics.at[at] : NULL;
}

// ---- writing out

/// A name of the function whose names `names` finds.
static void add_local(TraceReader *r, RlxMap *names, RlxName name, RlxScheduleValue value) {
  uint64_t at;
  const uint64_t hidden = rlx_map_get(names, name, &at) ? at + 1 : 0;
  TraceLocal local = {name, value, hidden};
  rlx_map_put(names, name, r->locals.count);
  rlx_vec_push(&r->locals, local);
}

static RlxScheduleValue own_name(TraceReader *r, RlxName name) {
  const char *text = rlx_trace_fresh_name(r, rlx_store_text(r->store, name));
  return (RlxScheduleValue){.kind = RLX_SCHEDULE_NAME, .text = text};
}

static void add_targets(TraceReader *r, const RlxAst *a, uint32_t from) {
  for (uint32_t i = 0; i < a->child_count && a->kind != RLX_AST_SUBSCRIPT; i++)
    add_targets(r, a->children[i], from);
  uint64_t at;
  if (a->kind != RLX_AST_NAME || (rlx_map_get(&r->local_at, a->name, &at) && at >= from)) return;
  add_local(r, &r->local_at, a->name, own_name(r, a->name));
}

uint32_t rlx_trace_open_scope(TraceReader *r, const RlxAst *target) {
  const uint32_t from = r->locals.count;
  rlx_trace_forget_target(r, target);
  add_targets(r, target, from);
  return from;
}

void rlx_trace_close_scope(TraceReader *r, uint32_t from) {
  while (r->locals.count > from) {
    const TraceLocal local = rlx_vec_pop(&r->locals);
    if (local.hidden)
      rlx_map_put(&r->local_at, local.name, local.hidden - 1);
    else
      rlx_map_remove(&r->local_at, local.name);
  }
}

/// All that gets a value in the suite is a local name.
static void add_assigned(TraceReader *r, const RlxBlock *suite, uint32_t from) {
  for (uint32_t i = 0; suite && i < suite->count; i++) {
    const RlxStmt *s = suite->stmts[i];
    for (uint32_t t = 0; s->kind != RLX_STMT_CLASS && t < s->target_count; t++)
      add_targets(r, s->targets[t], from);
    if (s->kind == RLX_STMT_DEF || s->kind == RLX_STMT_CLASS) continue;
    add_assigned(r, s->body, from);
    add_assigned(r, s->orelse, from);
  }
}

/// What parameter `i` gets; `*owner`: the statement that it is written in. NULL: nothing.
static const RlxAst *argument(const RlxStmt *f, uint32_t i, const RlxAst *call,
                              const RlxStmt **owner) {
  uint32_t at = 0;
  for (uint32_t k = 1; k < call->child_count; k++) {
    const RlxAst *arg = call->children[k];
    bool is_keyword = arg->kind == RLX_AST_KEYWORD;
    if (is_keyword ? arg->name == f->params[i].name : at++ == i)
      return is_keyword ? arg->children[0] : arg;
  }
  *owner = f;
  return f->params[i].default_value;
}

/// Are the arguments plain ones, as many as there are parameters?
static bool fits(const RlxStmt *f, const RlxAst *call) {
  uint32_t plain = 0; // those before `*args`, which get nothing here
  while (plain < f->param_count && !f->params[plain].star) plain++;
  bool fits = call->child_count <= plain + 1;
  for (uint32_t i = 0; i < f->param_count; i++)
    fits &=
        i >= plain ? f->params[i].star && f->params[i].name : !f->params[i].is_positional_marker;
  for (uint32_t k = 1; k < call->child_count; k++)
    fits &= call->children[k]->kind != RLX_AST_STARRED;
  return fits;
}

/// Gives the parameters their values, which `names` then finds. The schedule is not among a trace's: whatever stands before a step's dot.
static bool bind(TraceReader *r, const RlxStmt *f, const RlxAst *call, RlxMap *names) {
  const RlxStmt *caller = r->stmt;
  bool ok = fits(f, call);
  for (uint32_t i = 0; ok && i < f->param_count && !f->params[i].star; i++) {
    const RlxStmt *owner = caller;
    const RlxAst *arg = argument(f, i, call, &owner);
    // The text does not say what its schedule is: a parameter that stands before a step's dot gets it.
    if (arg && arg->kind == RLX_AST_NAME && !r->schedule &&
        rlx_trace_gives_schedule(
            r, &(RlxScheduleValue){.kind = RLX_SCHEDULE_NAME,
                                   .text = rlx_store_text(r->store, f->params[i].name)}))
      rlx_trace_note_schedule(r, rlx_trace_name(r, arg), true);
    RlxScheduleValue value = {.kind = RLX_SCHEDULE_NONE};
    ok = arg != NULL;
    r->stmt = owner;
    if (ok && arg->kind == RLX_AST_NAME && rlx_trace_read_number(r, arg, &value.integer))
      value.kind = RLX_SCHEDULE_INT;
    else if (ok && !rlx_trace_read_value(r, arg, &value))
      return false;
    if (ok) add_local(r, names, f->params[i].name, value);
    r->stmt = caller;
  }
  return ok ||
         rlx_trace_wrong(r, call->span, "the arguments are not those that the function takes");
}

/// A parameter that the function gives another value begins as a name of its own. The parameters are the locals from
/// `from` on.
static void bind_assigned(TraceReader *r, const RlxStmt *f, uint32_t from) {
  uint32_t params = r->locals.count;
  add_assigned(r, f->body, params);
  uint64_t at;
  for (uint32_t i = from; i < params; i++)
    if (rlx_map_get(&r->local_at, r->locals.at[i].name, &at) && at >= params)
      rlx_trace_add_let(r, r->locals.at[at].value.text, r->locals.at[i].value);
}

/// From here on the names in `targets` are those of what a trace does not follow.
static void note_passed_names(TraceReader *r, const char *targets) {
  for (const char *at = targets; *at;) {
    at += strspn(at, " ,*");
    const size_t size = strcspn(at, " ,*");
    const char *text = rlx_arena_strndup(r->trace->arena, at, size);
    if (size) rlx_map_put(&r->strangers, rlx_intern_text(rlx_store_names(r->store), text), 1);
    if (size) rlx_map_put(&r->passed, rlx_intern_text(rlx_store_names(r->store), text), 1);
    at += size;
  }
}

static bool returns(TraceReader *r, const RlxStmt *s, const char *target) {
  if (!target || !s->value) return true;
  if (rlx_trace_looks_at_module(r, s->value)) { // what becomes of the module is no step
    note_passed_names(r, target);
    return true;
  }
  r->stmt = s;
  RlxScheduleValue value;
  RlxSpan head = rlx_stmt_absolute(s, rlx_span(0, s->head_size));
  if (!rlx_trace_is_value(r, s->value)) return rlx_trace_read_call(r, s->value, target, head);
  if (!rlx_trace_read_value(r, s->value, &value)) return false;
  rlx_trace_add_let(r, target, value);
  return true;
}

/// Numbers of the caller that the function sees: those of names that are not its own, which are the locals from `from` on.
static RlxMap seen_numbers(const TraceReader *r, uint32_t from) {
  RlxMap seen = {0};
  RlxMapEntry entry;
  uint64_t local;
  for (uint32_t at = 0; rlx_map_next(&r->numbers, &at, &entry);)
    if (!rlx_map_get(&r->local_at, entry.key, &local) || local < from)
      rlx_map_put(&seen, entry.key, entry.value);
  return seen;
}

/// Whether the function stands in the other one.
static bool stands_in(const RlxStmt *f, const RlxStmt *other) {
  for (const RlxStmt *s = f; s; s = s->block ? s->block->parent : NULL)
    if (s == other) return f != other;
  return false;
}

/// The names that a function sees of the one that it stands in, which is being written out.
static RlxMap names_around(const TraceReader *r, const RlxStmt *f) {
  RlxMap names = {0};
  RlxMapEntry entry;
  const TraceFrame *frame = r->frame;
  while (frame && !stands_in(f, frame->function)) frame = frame->caller;
  for (uint32_t at = 0; frame && rlx_map_next(frame->names, &at, &entry);)
    rlx_map_put(&names, entry.key, entry.value);
  return names;
}

/// The steps, and what they come to.
static bool write_body(TraceReader *r, const RlxStmt *f, const RlxAst *call, const char *target) {
  const RlxStmt *caller = r->stmt, *outer = r->returned;
  const uint32_t said = r->sink->diags.count;
  r->returned = NULL;
  rlx_trace_read_suite(r, f->body);
  const RlxStmt *last = r->returned;
  r->returned = outer;
  r->stmt = caller;
  if (said != r->sink->diags.count) return false;
  const bool gives = last && last->value;
  if (!gives && target)
    return rlx_trace_wrong(r, call->span, "the function gives no value at its end");
  return !gives || returns(r, last, target);
}

bool rlx_trace_write_out(TraceReader *r, const RlxStmt *f, const RlxAst *call, const char *target) {
  r->written += f->size + rlx_map_count(&r->numbers);
  if (r->depth >= DEPTH_MAX || r->written > WRITTEN_MAX) {
    r->is_full = true;
    return rlx_trace_wrong(r, call->span, "functions call each other too often");
  }
  const TraceReader caller = *r;
  RlxMap names = names_around(r, f);
  r->written += rlx_map_count(&names);
  memset(&r->nested, 0, sizeof r->nested);
  bool ok = bind(r, f, call, &names);
  r->local_at = names;
  TraceFrame frame = {f, &r->local_at, r->frame};
  if (r->frame) r->frame->names = &caller.local_at; // `r` has those of `f` until it is written
  r->frame = &frame;
  if (ok) {
    r->depth++;
    bind_assigned(r, f, caller.locals.count);
    r->numbers = seen_numbers(r, caller.locals.count);
    ok = write_body(r, f, call, target);
    rlx_map_free(&r->numbers);
    r->numbers = caller.numbers;
    r->depth--;
  }
  rlx_vec_free(&r->nested);
  rlx_map_free(&r->local_at);
  r->nested = caller.nested;
  r->local_at = caller.local_at;
  r->frame = caller.frame;
  if (r->frame) r->frame->names = &r->local_at;
  r->stmt = caller.stmt;
  r->locals.count = caller.locals.count;
  return ok;
}
