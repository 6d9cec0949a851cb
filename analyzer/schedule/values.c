/// Values of a trace: what names, items, fields and computations stand for when a step runs.
#include "analyzer/schedule/schedule_impl.h"

#include <string.h>

// ---- names of the trace

const RlxScheduleValue *rlx_schedule_named(const RlxSchedule *s, const char *name) {
  uint64_t place;
  if (!rlx_strmap_get(&s->newest, name, strlen(name), &place)) return NULL;
  return &s->names.at[place - 1].value;
}

bool rlx_schedule_is_current(const RlxSchedule *s, uint32_t i) {
  const char *name = s->names.at[i].name;
  uint64_t place;
  return rlx_strmap_get(&s->newest, name, strlen(name), &place) && place == i + 1;
}

static void bind_name(RlxSchedule *s, const char *text, size_t length, RlxScheduleValue value) {
  uint64_t previous = 0;
  rlx_strmap_get(&s->newest, text, length, &previous);
  RlxScheduleName name = {rlx_arena_strndup(s->arena, text, length), value, (uint32_t)previous};
  rlx_vec_push(&s->names, name);
  rlx_strmap_put(&s->newest, text, length, s->names.count);
}

void rlx_schedule_unbind_names(RlxSchedule *s, uint32_t count) {
  while (s->names.count > count) {
    const RlxScheduleName name = rlx_vec_pop(&s->names);
    const size_t length = strlen(name.name);
    if (name.previous)
      rlx_strmap_put(&s->newest, name.name, length, name.previous);
    else
      rlx_strmap_remove(&s->newest, name.name, length);
  }
}

/// How messages name the list that an item is of.
static const char *list_name(RlxScheduleCall *c, const RlxScheduleValue *v) {
  return v->kind == RLX_SCHEDULE_NAME ? rlx_arena_printf(c->s->arena, "`%s`", v->text) : "the list";
}

/// Whether `value`, which `v` is, is a list; false: refused.
static bool check_list(RlxScheduleCall *c, const RlxScheduleValue *v,
                       const RlxScheduleValue *value) {
  return value->kind == RLX_SCHEDULE_LIST ||
         rlx_schedule_refuse_value(
             c, rlx_arena_printf(c->s->arena, "%s is no list, and has no items", list_name(c, v)));
}

static bool look_up_list(RlxScheduleCall *c, const RlxScheduleValue *v, RlxScheduleValue *out) {
  return rlx_schedule_look_up(c, v, out) && check_list(c, v, out);
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
  if (!step) return rlx_schedule_refuse_value(c, "a part of a list has no step of 0");
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
  if (!rlx_schedule_look_up(c, v, &key)) return false;
  for (uint32_t i = dict->count / 2; i-- > 0;) { // the last one of a key counts
    if (!is_key(&dict->items[2 * i], &key)) continue;
    *out = dict->items[2 * i + 1];
    return true;
  }
  return rlx_schedule_refuse_value(c, "the dict does not have this key");
}

/// loops[0], loops[i], loops[1:3], loops[::-1], config["tile"]
static bool look_up_item(RlxScheduleCall *c, const RlxScheduleValue *v, RlxScheduleValue *out) {
  RlxScheduleValue list, ends[3] = {0};
  if (!rlx_schedule_look_up(c, &v->items[0], &list)) return false;
  if (list.kind == RLX_SCHEDULE_DICT && v->count == 2)
    return look_up_key(c, &list, &v->items[1], out);
  if (!check_list(c, &v->items[0], &list)) return false;
  for (uint32_t i = 1; i < v->count; i++) {
    if (!rlx_schedule_look_up(c, &v->items[i], &ends[i - 1])) return false;
    bool is_end = v->count > 2 && ends[i - 1].kind == RLX_SCHEDULE_NONE;
    if (!is_end && ends[i - 1].kind != RLX_SCHEDULE_INT)
      return rlx_schedule_refuse_value(c, "the index is no number");
  }
  if (v->count == 4 && ends[2].kind == RLX_SCHEDULE_INT && ends[2].integer != 1)
    return strided(c, &list, ends, ends[2].integer, out);
  if (v->count > 2) {
    uint32_t from = end_of(&ends[0], list.count, 0), to = end_of(&ends[1], list.count, list.count);
    list.count = to > from ? to - from : 0;
    list.items += list.count ? from : 0;
    *out = rlx_schedule_copied(c->s, &list);
    return true;
  }
  int64_t at = ends[0].integer, i = at < 0 ? at + list.count : at;
  if (i < 0 || i >= list.count)
    return rlx_schedule_refuse_value(
        c, rlx_arena_printf(c->s->arena, "%s has %u items, and none of number %lld",
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
                  : rlx_schedule_look_up(c, &v->items[i], &found[i])))
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

/// Which item of `a if c else b`, `a and b`, `a or b` it is whose value counts; -1: refused.
static int chosen(RlxScheduleCall *c, const RlxScheduleValue *v) {
  const char *name = v->more->text;
  const bool is_if = strcmp(name, "if") == 0;
  RlxScheduleValue first;
  bool holds;
  if (!rlx_schedule_look_up(c, &v->items[is_if ? 1 : 0], &first) ||
      !rlx_schedule_truth(c, &first, &holds))
    return -1;
  if (is_if) return holds ? 0 : 2;
  return holds == (strcmp(name, "and") == 0) ? 1 : 0;
}

/// Of which not every operand is evaluated.
static bool is_choice(const RlxScheduleValue *v) {
  const char *name = v->more->text;
  return strcmp(name, "if") == 0 || strcmp(name, "and") == 0 || strcmp(name, "or") == 0;
}

static bool look_up_computed(RlxScheduleCall *c, const RlxScheduleValue *v, RlxScheduleValue *out) {
  if (is_choice(v)) {
    const int at = chosen(c, v);
    return at >= 0 && rlx_schedule_look_up(c, &v->items[at], out);
  }
  RlxScheduleValue operands;
  const RlxScheduleValue list = {.kind = RLX_SCHEDULE_LIST, .count = v->count, .items = v->items};
  return look_up_items(c, &list, &operands) &&
         rlx_schedule_compute(c, v->more->text, operands.items, operands.count, out);
}

bool rlx_schedule_look_up(RlxScheduleCall *c, const RlxScheduleValue *v, RlxScheduleValue *out) {
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
  if (v->kind == RLX_SCHEDULE_FIELD) {
    RlxScheduleValue of;
    return rlx_schedule_look_up(c, &v->items[0], &of) &&
           rlx_schedule_field(c, &of, v->more->text, out);
  }
  if (v->kind == RLX_SCHEDULE_COMPUTED) return look_up_computed(c, v, out);
  bool has_items =
      v->kind == RLX_SCHEDULE_LIST || v->kind == RLX_SCHEDULE_DICT || v->kind == RLX_SCHEDULE_OVER;
  return !has_items || look_up_items(c, v, out);
}

bool rlx_schedule_evaluate(RlxSchedule *s, const RlxScheduleValue *v, RlxScheduleValue *out) {
  static const RlxPrimitive asks = {.name = "for"};
  RlxScheduleCall c = {.s = s, .primitive = &asks};
  return rlx_schedule_look_up(&c, v, out);
}

bool rlx_schedule_decide(RlxSchedule *s, const RlxScheduleValue *v, bool *out) {
  static const RlxPrimitive asks = {.name = "if"};
  RlxScheduleCall c = {.s = s, .primitive = &asks};
  RlxScheduleValue value;
  return rlx_schedule_look_up(&c, v, &value) && rlx_schedule_truth(&c, &value, out);
}

enum { PLAIN_MAX = 10000 }; ///< items of lists in lists that a saved trace has for a computation

/// Numbers, texts, and lists of these, at most `*left` in all.
static bool is_plain(const RlxScheduleValue *v, int *left) {
  if (--*left < 0) return false;
  if (v->kind != RLX_SCHEDULE_LIST)
    return v->kind <= RLX_SCHEDULE_STRING && v->kind != RLX_SCHEDULE_ABSENT;
  for (uint32_t i = 0; i < v->count; i++)
    if (!is_plain(&v->items[i], left)) return false;
  return true;
}

/// All items of lists and dicts in one another, counted off `*left`.
static void count_items(const RlxScheduleValue *v, int *left) {
  --*left;
  if (v->kind != RLX_SCHEDULE_LIST && v->kind != RLX_SCHEDULE_DICT) return;
  for (uint32_t i = 0; i < v->count && *left >= 0; i++) count_items(&v->items[i], left);
}

bool rlx_schedule_is_writable(const RlxScheduleValue *v) {
  int left = PLAIN_MAX;
  count_items(v, &left);
  return left >= 0;
}

/// Is there a field or a computation in it?
static bool has_open(const RlxScheduleValue *v) {
  bool is_open = v->kind == RLX_SCHEDULE_FIELD || v->kind == RLX_SCHEDULE_COMPUTED;
  bool has_items = v->kind == RLX_SCHEDULE_LIST || v->kind == RLX_SCHEDULE_DICT ||
                   v->kind == RLX_SCHEDULE_ITEM || v->kind == RLX_SCHEDULE_STAR;
  for (uint32_t i = 0; !is_open && has_items && i < v->count; i++) is_open = has_open(&v->items[i]);
  return is_open;
}

RlxScheduleValue rlx_schedule_settle(RlxScheduleCall *c, const RlxScheduleValue *v) {
  if (!has_open(v)) return *v;
  RlxScheduleValue out = *v, value;
  if (v->kind == RLX_SCHEDULE_FIELD || v->kind == RLX_SCHEDULE_COMPUTED) {
    int left = PLAIN_MAX;
    if (rlx_schedule_look_up(c, v, &value) && is_plain(&value, &left)) return value;
    if (v->kind == RLX_SCHEDULE_FIELD || !is_choice(v)) return out;
    const int at = chosen(c, v);
    return at < 0 ? out : rlx_schedule_settle(c, &v->items[at]);
  }
  out.items = rlx_arena_array(c->s->arena, RlxScheduleValue, v->count + 1);
  for (uint32_t i = 0; i < v->count; i++) out.items[i] = rlx_schedule_settle(c, &v->items[i]);
  return out;
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

bool rlx_schedule_check_targets(RlxScheduleCall *c, const char *target) {
  const RlxScheduleValue *v = &c->result;
  if (!target || !strchr(target, ',')) return true;
  uint32_t star, targets = count_targets(target, &star), has_star = star != UINT32_MAX;
  if (v->kind != RLX_SCHEDULE_LIST)
    return rlx_schedule_refuse_value(
        c, rlx_arena_printf(c->s->arena, "`%s` takes several values, and the step gives %s", target,
                            v->kind == RLX_SCHEDULE_ABSENT ? "none" : "one"));
  if (has_star ? v->count + 1 >= targets : v->count == targets) return true;
  return rlx_schedule_refuse_value(
      c, rlx_arena_printf(c->s->arena, "`%s` takes %s%u value%s, and the step gives %u", target,
                          has_star ? "at least " : "", targets - has_star,
                          targets - has_star == 1 ? "" : "s", v->count));
}

void rlx_schedule_bind_targets(RlxSchedule *s, const char *target, const RlxScheduleValue *value) {
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
    if (is_list && k == star) v = rlx_schedule_copied(s, &v);
    k++;
    if (length) bind_name(s, from, length, v);
    at += size + (at[size] == ',');
  }
}
