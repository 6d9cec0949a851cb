/// The state of a schedule, and how a step is carried out: names are looked up, the primitive works
/// on a shallow copy of the PrimFunc, and what it gives becomes handles.
#include "analyzer/schedule/schedule_impl.h"
#include "analyzer/words/script_module.h"

#include <string.h>

RlxSchedule *rlx_schedule_new(RlxStore *store) {
  RlxArena *arena = rlx_arena_new();
  RlxSchedule *s = rlx_arena_one(arena, RlxSchedule);
  s->arena = arena;
  s->store = store;
  s->sink.arena = arena;
  return s;
}

static void forget(RlxScheduleKnown *known) {
  rlx_arena_free(known->arena);
  *known = (RlxScheduleKnown){0};
}

static void free_past(RlxSchedulePast *past) {
  forget(&past->known);
  rlx_vec_free(&past->former);
}

void rlx_schedule_free(RlxSchedule *s) {
  if (!s) return;
  for (uint32_t i = 0; i < s->functions.count; i++) {
    forget(&s->functions.at[i].known);
    rlx_primfunc_free(s->functions.at[i].owned);
  }
  for (uint32_t i = 0; i < s->past.count; i++) free_past(&s->past.at[i]);
  rlx_vec_free(&s->functions);
  rlx_vec_free(&s->handles);
  rlx_vec_free(&s->names);
  rlx_strmap_free(&s->newest);
  rlx_map_free(&s->rooms);
  rlx_vec_free(&s->past);
  rlx_vec_free(&s->future);
  for (uint32_t i = 0; i < s->lent.count; i++) rlx_primfunc_free(s->lent.at[i]);
  rlx_vec_free(&s->lent);
  rlx_vec_free(&s->intrinsics);
  rlx_strmap_free(&s->intrinsics_named);
  for (uint32_t i = 0; i < s->kept.count; i++) rlx_arena_free(s->kept.at[i]);
  rlx_vec_free(&s->kept);
  rlx_vec_free(&s->sink.diags);
  rlx_arena_free(s->arena);
}

void rlx_schedule_add(RlxSchedule *s, RlxPrimFunc *f, uint32_t text_start) {
  rlx_primfunc_complete(s->store, f);
  RlxScheduleFunction fn = {.owned = f, .f = f, .text_start = text_start};
  RlxScheduleUnseen unseen;
  fn.has_unseen = rlx_schedule_unseen(f, f, &unseen);
  rlx_vec_push(&s->functions, fn);
}

void rlx_schedule_lend(RlxSchedule *s, RlxPrimFunc *f) {
  rlx_primfunc_complete(s->store, f);
  rlx_vec_push(&s->lent, f);
}

int rlx_schedule_count(const RlxSchedule *s) { return (int)s->functions.count; }
const RlxPrimFunc *rlx_schedule_function(const RlxSchedule *s, int i) {
  return s->functions.at[i].f;
}
uint32_t rlx_schedule_text_start(const RlxSchedule *s, int i) {
  return s->functions.at[i].text_start;
}
void rlx_schedule_set_lines(RlxSchedule *s, const RlxLines *lines) { s->lines = lines; }
void rlx_schedule_set_looks(RlxSchedule *s, uint64_t most) { s->looks_most = most; }
void rlx_schedule_set_rewriter(RlxSchedule *s, RlxNestRewriter *rewriter) {
  s->rewriter = rewriter;
}
void rlx_schedule_seed(RlxSchedule *s, uint64_t seed) { s->seed = seed; }
int rlx_schedule_step_count(const RlxSchedule *s) { return (int)s->past.count; }
const RlxScheduleStep *rlx_schedule_step_at(const RlxSchedule *s, int i) {
  return &s->past.at[i].step;
}

// ---- steps

/// Gives handles the nodes that stand for theirs now; `past` keeps what they were.
static void follow_moves(RlxScheduleCall *c, int step, RlxSchedulePast *past) {
  for (uint32_t h = 0; h < c->s->handles.count; h++) {
    RlxScheduleHandle *handle = &c->s->handles.at[h];
    if (handle->function != c->function || handle->is_root || !handle->stmt) continue;
    const RlxScheduleHandle before = *handle;
    for (uint32_t m = 0; m < c->moves.count; m++) {
      if (c->moves.at[m].old != handle->stmt) continue;
      handle->stmt = c->moves.at[m].now;
      if (!handle->stmt) {
        handle->removed_by = step;
        break;
      }
    }
    if (handle->stmt != before.stmt && h < past->handle_count)
      rlx_vec_push(&past->former, (RlxScheduleFormer){h, before});
  }
}

/// Forgets what was known before the last step that changed something: an undo of that step asks anew.
static void forget_before_last(RlxSchedule *s) {
  for (uint32_t i = s->past.count; i-- > 0;) {
    forget(&s->past.at[i].known);
    if (!s->past.at[i].step.primitive->is_query) return;
  }
}

typedef struct Giver {
  const RlxScheduleUnseen *u;
  const RlxTirStmt *found;
} Giver;

static bool gives_unseen(const RlxTirStmt *s, void *data) {
  Giver *g = data;
  const RlxScheduleUnseen *u = g->u;
  bool is_giver = u->var
                      ? (s->kind == RLX_TIR_FOR || s->kind == RLX_TIR_LET_STMT) && s->var == u->var
                      : s->kind == RLX_TIR_ALLOC && s->buffer->name == u->name;
  for (int i = 0; s->kind == RLX_TIR_BLOCK && i < s->block->iter_count; i++)
    is_giver |= u->var && s->block->iters[i].var == u->var;
  if (is_giver && !g->found) g->found = s;
  return !g->found;
}

/// The loop, block or statement that gives the name, before the step; NULL: it has no place.
static const RlxTirStmt *giver_of(const RlxPrimFunc *f, const RlxScheduleUnseen *u) {
  Giver g = {.u = u};
  rlx_tir_visit(f->body, gives_unseen, NULL, &g);
  return g.found;
}

static bool refuse_unseen(RlxScheduleCall *c, const RlxScheduleUnseen *u) {
  RlxStore *store = c->s->store;
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const char *name = rlx_store_text(store, u->name), *why;
  const RlxTirStmt *giver = giver_of(a->f, u);
  for (int i = 0; i < a->loop_count; i++)
    if (a->loops[i].stmt->var == u->var) name = rlx_tir_loop_title(a, &a->loops[i]);
  if (!u->block) {
    why = rlx_arena_printf(c->s->arena, "what uses `%s` would leave the statements that see it",
                           name);
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ATTRIBUTE), giver, "ss", c->primitive->name,
                               why);
  }
  why = rlx_arena_printf(c->s->arena,
                         "block \"%s\" would use it inside, which sees no loop outside of it but "
                         "through its variables, and none of them stands for `%s`",
                         rlx_store_text(store, u->block->name), name);
  return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_LOOP), giver, "ss", name, why);
}

/// Checks the step of `c`, whose arguments are known, and carries it out on `c->f`; false: refused.
static bool carry_out(RlxScheduleCall *c) {
  const RlxScheduleFunction *fn = &c->s->functions.at[c->function];
  if (!rlx_schedule_check_moves(c) || !c->primitive->run(c) || c->refusal)
    return false; // of a buffer
  RlxScheduleUnseen unseen;
  const bool is_unseen =
      !c->primitive->is_query && !fn->has_unseen && rlx_schedule_unseen(c->f, fn->f, &unseen);
  return !is_unseen || refuse_unseen(c, &unseen);
}

bool rlx_schedule_would(RlxScheduleCall *c, const RlxPrimitive *primitive) {
  const uint32_t handles = c->s->handles.count;
  const RlxPrimFunc before = *c->f;
  const RlxPrimitive *asks = c->primitive;
  c->primitive = primitive;
  const bool would = carry_out(c);
  c->primitive = asks;
  *c->f = before;
  c->s->handles.count = handles;
  c->refusal = NULL;
  c->witness = NULL;
  rlx_vec_clear(&c->moves);
  c->result = (RlxScheduleValue){.kind = RLX_SCHEDULE_ABSENT};
  return would;
}

/// `is_trial`: whatever the step would give, the schedule stays as it is.
static RlxScheduleAnswer apply(RlxSchedule *s, const RlxScheduleStep *step, bool is_trial) {
  RlxScheduleAnswer answer = {.function = -1};
  RlxScheduleCall c = {.s = s, .primitive = step->primitive, .function = 0};
  RlxScheduleValue args[RLX_SCHEDULE_ARGS_MAX];
  c.args = args;
  RlxSchedulePast past = {.step = *step,
                          .function = -1,
                          .handle_count = s->handles.count,
                          .name_count = s->names.count,
                          .seed = s->seed,
                          .working_on = s->working_on};
  bool ok =
      s->functions.count > 0 || rlx_schedule_refuse(&c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), NULL, "ss",
                                                    step->primitive->name, "there is no PrimFunc");
  if (ok && step->problem) ok = rlx_schedule_refuse_value(&c, step->problem);
  for (int i = 0; ok && i < RLX_SCHEDULE_ARGS_MAX; i++) {
    ok = rlx_schedule_look_up(&c, &step->args[i], &args[i]);
    if (ok && !is_trial) past.step.args[i] = rlx_schedule_settle(&c, &step->args[i]);
  }
  ok = ok && rlx_schedule_check_arguments(&c);
  RlxScheduleFunction *fn = ok ? &s->functions.at[c.function] : NULL;
  if (ok) {
    // What was asked before takes nothing from what this step may ask; trials share it.
    if (fn->known.analysis && !is_trial)
      *fn->known.analysis->work = (RlxSetWork){.left = RLX_SET_WORK};
    past.function = answer.function = c.function;
    past.f = fn->f;
    c.f = rlx_arena_one(fn->owned->arena, RlxPrimFunc);
    *c.f = *fn->f;
    ok = carry_out(&c);
    ok = ok && rlx_schedule_check_targets(&c, step->target);
  }
  answer.ok = ok;
  answer.refusal = c.refusal;
  answer.witness = c.witness;
  if (ok && !is_trial) {
    answer.function = c.function;
    answer.result = c.result;
    if (!step->primitive->is_query) {
      // Ids handed out stay taken after undo, so that no two variables share one.
      fn->f = c.f;
      forget_before_last(s);
      past.known = fn->known;
      fn->known = (RlxScheduleKnown){0};
      follow_moves(&c, (int)s->past.count, &past);
    }
    if (c.recorded.kind != RLX_SCHEDULE_ABSENT)
      past.step.args[rlx_primitive_param_count(step->primitive) - 1] = c.recorded;
    rlx_schedule_bind_targets(s, step->target, &c.result);
    rlx_vec_push(&s->past, past);
  } else {
    s->handles.count = past.handle_count;
    s->working_on = past.working_on;
    free_past(&past);
  }
  rlx_vec_free(&c.moves);
  return answer;
}

RlxScheduleAnswer rlx_schedule_apply(RlxSchedule *s, const RlxScheduleStep *step) {
  RlxScheduleAnswer answer = apply(s, step, false);
  if (answer.ok) rlx_vec_clear(&s->future);
  return answer;
}

RlxScheduleAnswer rlx_schedule_try(RlxSchedule *s, const RlxScheduleStep *step) {
  RlxScheduleAnswer answer = apply(s, step, true);
  answer.result = (RlxScheduleValue){.kind = RLX_SCHEDULE_ABSENT}; // handles to nothing
  return answer;
}

/// Everything as it was before the last step, which is given.
static RlxScheduleStep take_back(RlxSchedule *s) {
  RlxSchedulePast past = rlx_vec_pop(&s->past);
  RlxScheduleStep step = past.step;
  if (past.function >= 0 && !step.primitive->is_query) {
    RlxScheduleFunction *fn = &s->functions.at[past.function];
    uint32_t vars = fn->f->var_count, buffers = fn->f->buffer_count;
    fn->f = past.f;
    fn->f->var_count = vars > fn->f->var_count ? vars : fn->f->var_count;
    fn->f->buffer_count = buffers > fn->f->buffer_count ? buffers : fn->f->buffer_count;
    forget(&fn->known);
    fn->known = past.known;
    past.known = (RlxScheduleKnown){0};
  }
  for (uint32_t i = 0; i < past.former.count; i++)
    s->handles.at[past.former.at[i].at] = past.former.at[i].handle;
  s->handles.count = past.handle_count;
  rlx_schedule_unbind_names(s, past.name_count);
  s->seed = past.seed;
  s->working_on = past.working_on;
  free_past(&past);
  return step;
}

bool rlx_schedule_undo(RlxSchedule *s) {
  while (s->past.count) {
    RlxScheduleStep step = take_back(s);
    rlx_vec_push(&s->future, step);
    if (!step.primitive->is_query) return true;
  }
  return false;
}

void rlx_schedule_back_to(RlxSchedule *s, int count) {
  while (rlx_schedule_step_count(s) > count) take_back(s);
}

bool rlx_schedule_redo(RlxSchedule *s) {
  bool changed = false;
  // Questions behind the step come with it: what they gave has names.
  while (s->future.count && !(changed && !rlx_vec_last(&s->future).primitive->is_query)) {
    RlxScheduleStep step = rlx_vec_pop(&s->future);
    if (!apply(s, &step, false).ok) break;
    changed |= !step.primitive->is_query;
  }
  return changed;
}

void rlx_schedule_keep(RlxSchedule *s, RlxTrace *trace) {
  rlx_vec_push(&s->kept, trace->arena);
  trace->arena = NULL;
  rlx_vec_free(&trace->steps);
}

// ---- printing

void rlx_schedule_print(const RlxSchedule *s, RlxDialect dialect, RlxBuf *out) {
  rlx_buf_printf(out, "from tvm.script import ir as I\nfrom tvm.script import %s as T\n\n",
                 rlx_script_module('T', dialect));
  rlx_buf_puts(out, "@I.ir_module\nclass Module:\n");
  bool *done = rlx_arena_array(s->arena, bool, s->functions.count);
  for (uint32_t k = 0; k < s->functions.count; k++) { // by name, as TVM prints modules
    int next = -1;
    for (uint32_t i = 0; i < s->functions.count; i++)
      if (!done[i] &&
          (next < 0 || strcmp(rlx_store_text(s->store, s->functions.at[i].f->name),
                              rlx_store_text(s->store, s->functions.at[next].f->name)) < 0))
        next = (int)i;
    done[next] = true;
    if (k) rlx_buf_putc(out, '\n');
    rlx_primfunc_print(s->store, s->functions.at[next].f, dialect, 1, out);
  }
}
