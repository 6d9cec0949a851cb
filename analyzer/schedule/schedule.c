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

// ---- names of the trace

const RlxScheduleValue *rlx_schedule_named(const RlxSchedule *s, const char *name) {
  uint64_t place;
  if (!rlx_strmap_get(&s->newest, name, strlen(name), &place)) return NULL;
  return &s->names.at[place - 1].value;
}

static void bind_name(RlxSchedule *s, const char *text, size_t length, RlxScheduleValue value) {
  uint64_t previous = 0;
  rlx_strmap_get(&s->newest, text, length, &previous);
  RlxScheduleName name = {rlx_arena_strndup(s->arena, text, length), value, (uint32_t)previous};
  rlx_vec_push(&s->names, name);
  rlx_strmap_put(&s->newest, text, length, s->names.count);
}

/// Takes names back until `count` are left.
static void unbind_names(RlxSchedule *s, uint32_t count) {
  while (s->names.count > count) {
    const RlxScheduleName name = rlx_vec_pop(&s->names);
    const size_t length = strlen(name.name);
    if (name.previous)
      rlx_strmap_put(&s->newest, name.name, length, name.previous);
    else
      rlx_strmap_remove(&s->newest, name.name, length);
  }
}

static bool look_up(RlxScheduleCall *c, const RlxScheduleValue *v, RlxScheduleValue *out);

/// How messages name the list that an item is of.
static const char *list_name(RlxScheduleCall *c, const RlxScheduleValue *v) {
  return v->kind == RLX_SCHEDULE_NAME ? rlx_arena_printf(c->s->arena, "`%s`", v->text) : "the list";
}

static bool refuse_item(RlxScheduleCall *c, const char *why) {
  bool is_let = strcmp(c->primitive->name, "let") == 0; // a name that nobody writes
  return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), NULL, "ss",
                             is_let ? "=" : c->primitive->name, why);
}

/// Whether `value`, which `v` is, is a list; false: refused.
static bool check_list(RlxScheduleCall *c, const RlxScheduleValue *v,
                       const RlxScheduleValue *value) {
  return value->kind == RLX_SCHEDULE_LIST ||
         refuse_item(
             c, rlx_arena_printf(c->s->arena, "%s is no list, and has no items", list_name(c, v)));
}

static bool look_up_list(RlxScheduleCall *c, const RlxScheduleValue *v, RlxScheduleValue *out) {
  return look_up(c, v, out) && check_list(c, v, out);
}

/// An end of `loops[1:-1]` in a list of `count` items, as Python counts.
static uint32_t end_of(const RlxScheduleValue *v, uint32_t count, uint32_t otherwise) {
  if (v->kind != RLX_SCHEDULE_INT) return otherwise;
  int64_t at = v->integer < 0 ? v->integer + count : v->integer;
  return at < 0 ? 0 : at > count ? count : (uint32_t)at;
}

/// Every `step`-th item of `list` from `ends[0]` to `ends[1]`; `step` may be negative, as Python has it.
static bool strided(RlxScheduleCall *c, const RlxScheduleValue *list, const RlxScheduleValue *ends,
                    int64_t step, RlxScheduleValue *out) {
  if (!step) return refuse_item(c, "a part of a list has no step of 0");
  int64_t count = list->count, from = step < 0 ? count - 1 : 0, to = step < 0 ? -1 : count;
  step = step < -count ? -count - 1 : step > count ? count + 1 : step;
  for (int i = 0; i < 2; i++) {
    if (ends[i].kind != RLX_SCHEDULE_INT) continue;
    int64_t at = ends[i].integer < 0 ? ends[i].integer + count : ends[i].integer;
    int64_t low = step < 0 ? -1 : 0, high = step < 0 ? count - 1 : count;
    *(i ? &to : &from) = at < low ? low : at > high ? high : at;
  }
  *out = *list;
  out->count = 0;
  out->items = rlx_arena_array(c->s->arena, RlxScheduleValue, list->count + 1);
  for (int64_t at = from; step < 0 ? at > to : at < to; at += step)
    out->items[out->count++] = list->items[at];
  return true;
}

/// Whether two values are the same key of a dict.
static bool is_key(const RlxScheduleValue *a, const RlxScheduleValue *b) {
  if (a->kind != b->kind) return false;
  return a->kind == RLX_SCHEDULE_STRING ? strcmp(a->text, b->text) == 0
                                        : a->kind == RLX_SCHEDULE_INT && a->integer == b->integer;
}

/// config["tile"], of the dict that `dict` is; false: refused.
static bool look_up_key(RlxScheduleCall *c, const RlxScheduleValue *dict, const RlxScheduleValue *v,
                        RlxScheduleValue *out) {
  RlxScheduleValue key;
  if (!look_up(c, v, &key)) return false;
  for (uint32_t i = dict->count / 2; i-- > 0;) { // the last one of a key counts
    if (!is_key(&dict->items[2 * i], &key)) continue;
    *out = dict->items[2 * i + 1];
    return true;
  }
  return refuse_item(c, "the dict does not have this key");
}

/// loops[0], loops[i], loops[1:3], loops[::-1], config["tile"]
static bool look_up_item(RlxScheduleCall *c, const RlxScheduleValue *v, RlxScheduleValue *out) {
  RlxScheduleValue list, ends[3] = {0};
  if (!look_up(c, &v->items[0], &list)) return false;
  if (list.kind == RLX_SCHEDULE_DICT && v->count == 2)
    return look_up_key(c, &list, &v->items[1], out);
  if (!check_list(c, &v->items[0], &list)) return false;
  for (uint32_t i = 1; i < v->count; i++) {
    if (!look_up(c, &v->items[i], &ends[i - 1])) return false;
    bool is_end = v->count > 2 && ends[i - 1].kind == RLX_SCHEDULE_NONE;
    if (!is_end && ends[i - 1].kind != RLX_SCHEDULE_INT)
      return refuse_item(c, "the index is no number");
  }
  if (v->count == 4 && ends[2].kind == RLX_SCHEDULE_INT && ends[2].integer != 1)
    return strided(c, &list, ends, ends[2].integer, out);
  if (v->count > 2) {
    uint32_t from = end_of(&ends[0], list.count, 0), to = end_of(&ends[1], list.count, list.count);
    *out = list;
    out->count = to > from ? to - from : 0;
    out->items = list.items + (out->count ? from : 0);
    return true;
  }
  int64_t at = ends[0].integer, i = at < 0 ? at + list.count : at;
  if (i < 0 || i >= list.count)
    return refuse_item(c, rlx_arena_printf(c->s->arena, "%s has %u items, and none of number %lld",
                                           list_name(c, &v->items[0]), list.count, (long long)at));
  *out = list.items[i];
  return true;
}

/// The items of a list or dict, those of starred ones in their place.
static bool look_up_items(RlxScheduleCall *c, const RlxScheduleValue *v, RlxScheduleValue *out) {
  RlxScheduleValue *found = rlx_arena_array(c->s->arena, RlxScheduleValue, v->count + 1);
  uint32_t count = 0, n = 0;
  for (uint32_t i = 0; i < v->count; i++) {
    bool is_star = v->items[i].kind == RLX_SCHEDULE_STAR;
    if (!(is_star ? look_up_list(c, v->items[i].items, &found[i])
                  : look_up(c, &v->items[i], &found[i])))
      return false;
    count += is_star ? found[i].count : 1;
  }
  out->items = rlx_arena_array(c->s->arena, RlxScheduleValue, count + 1);
  out->count = count;
  for (uint32_t i = 0; i < v->count; i++) {
    bool is_star = v->items[i].kind == RLX_SCHEDULE_STAR;
    if (!is_star) out->items[n++] = found[i];
    for (uint32_t k = 0; is_star && k < found[i].count; k++) out->items[n++] = found[i].items[k];
  }
  return true;
}

/// `v` with names replaced by what they stand for; false: a name is not defined.
static bool look_up(RlxScheduleCall *c, const RlxScheduleValue *v, RlxScheduleValue *out) {
  *out = *v;
  if (v->kind == RLX_SCHEDULE_NAME) {
    const RlxScheduleValue *value = rlx_schedule_named(c->s, v->text);
    if (!value)
      return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_NAME), NULL, "ss", v->text,
                                 rlx_schedule_quoted(c, v->text));
    *out = *value;
    return true;
  }
  if (v->kind == RLX_SCHEDULE_ITEM) return look_up_item(c, v, out);
  bool has_items =
      v->kind == RLX_SCHEDULE_LIST || v->kind == RLX_SCHEDULE_DICT || v->kind == RLX_SCHEDULE_OVER;
  return !has_items || look_up_items(c, v, out);
}

bool rlx_schedule_evaluate(RlxSchedule *s, const RlxScheduleValue *v, RlxScheduleValue *out) {
  static const RlxPrimitive asks = {.name = "for"};
  RlxScheduleCall c = {.s = s, .primitive = &asks};
  return look_up(&c, v, out);
}

/// What target number `k` of `targets` stands for in a list, of which a starred one takes all that the others
/// leave (`i, *_`, `*rest, k`). `star`: its number; UINT32_MAX: there is none.
static RlxScheduleValue target_value(const RlxScheduleValue *list, uint32_t k, uint32_t targets,
                                     uint32_t star) {
  uint32_t taken = targets - 1, at = k > star ? list->count + k - targets : k;
  if (k != star) {
    bool is_there = k > star ? list->count >= taken : k < list->count;
    return is_there ? list->items[at] : (RlxScheduleValue){.kind = RLX_SCHEDULE_NONE};
  }
  RlxScheduleValue rest = *list;
  rest.count = list->count > taken ? list->count - taken : 0;
  rest.items = rest.count ? list->items + k : NULL;
  return rest;
}

/// How many names the targets have; `*star`: the number of the starred one, UINT32_MAX: none is.
static uint32_t count_targets(const char *target, uint32_t *star) {
  uint32_t targets = 1;
  *star = UINT32_MAX;
  for (const char *at = target; *at; at++) {
    if (*at == '*') *star = targets - 1;
    targets += *at == ',' && at[1 + strspn(at + 1, " ")];
  }
  return targets;
}

/// Does the step give as many values as there are names for them? Python stops where it does not.
static bool check_targets(RlxScheduleCall *c, const char *target) {
  const RlxScheduleValue *v = &c->result;
  if (!target || !strchr(target, ',')) return true;
  uint32_t star, targets = count_targets(target, &star), has_star = star != UINT32_MAX;
  if (v->kind != RLX_SCHEDULE_LIST)
    return refuse_item(
        c, rlx_arena_printf(c->s->arena, "`%s` takes several values, and the step gives %s", target,
                            v->kind == RLX_SCHEDULE_ABSENT ? "none" : "one"));
  if (has_star ? v->count + 1 >= targets : v->count == targets) return true;
  return refuse_item(c,
                     rlx_arena_printf(c->s->arena, "`%s` takes %s%u value%s, and the step gives %u",
                                      target, has_star ? "at least " : "", targets - has_star,
                                      targets - has_star == 1 ? "" : "s", v->count));
}

/// Gives the targets of a step, "b", "i, j" or "i, *_", their values.
static void bind_targets(RlxSchedule *s, const char *target, const RlxScheduleValue *value) {
  if (!target || !*target) return;
  bool is_list = strchr(target, ',') != NULL;
  uint32_t k = 0, star, targets = count_targets(target, &star);
  for (const char *at = target; *at;) {
    size_t size = strcspn(at, ",");
    const char *from = at;
    size_t length = size;
    while (length && (*from == ' ' || *from == '*')) from++, length--;
    while (length && from[length - 1] == ' ') length--;
    RlxScheduleValue v = {.kind = RLX_SCHEDULE_NONE};
    if (!is_list)
      v = *value;
    else if (value->kind == RLX_SCHEDULE_LIST)
      v = target_value(value, k, targets, star);
    k++;
    if (length) bind_name(s, from, length, v);
    at += size + (at[size] == ',');
  }
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
  if (ok && step->problem)
    ok = rlx_schedule_refuse(&c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), NULL, "ss", step->primitive->name,
                             step->problem);
  for (int i = 0; ok && i < RLX_SCHEDULE_ARGS_MAX; i++) ok = look_up(&c, &step->args[i], &args[i]);
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
    ok = rlx_schedule_check_moves(&c) && step->primitive->run(&c) && !c.refusal; // of a buffer
    RlxScheduleUnseen unseen;
    if (ok && !step->primitive->is_query && !fn->has_unseen &&
        rlx_schedule_unseen(c.f, fn->f, &unseen))
      ok = refuse_unseen(&c, &unseen);
    ok = ok && check_targets(&c, step->target);
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
    bind_targets(s, step->target, &c.result);
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
  unbind_names(s, past.name_count);
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
