/// sample_categorical, sample_perfect_tile, sample_partitioned_tile: numbers that a search draws. They follow from the
/// schedule's seed, and the step records them as its decision, so that a trace replays the same.
#include "analyzer/schedule/schedule_impl.h"

#include <string.h>

enum { TILES_MAX = 8, TUPLES_MAX = 1 << 20 };

/// splitmix64
uint64_t rlx_schedule_draw(RlxScheduleCall *c) {
  uint64_t z = c->s->seed += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static bool refuse(RlxScheduleCall *c, const char *why) {
  return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), NULL, "ss", c->primitive->name,
                             why);
}

static double as_number(const RlxScheduleValue *v) {
  return v->kind == RLX_SCHEDULE_INT ? (double)v->integer
                                     : (v->kind == RLX_SCHEDULE_FLOAT ? v->number : -1);
}

bool rlx_primitive_sample_categorical(RlxScheduleCall *c) {
  const RlxScheduleValue *candidates = &c->args[0], *probs = &c->args[1];
  double total = 0;
  if (!candidates->count || candidates->count != probs->count)
    return refuse(c, "`probs` has one probability for each of `candidates`");
  for (uint32_t i = 0; i < probs->count; i++) {
    if (candidates->items[i].kind != RLX_SCHEDULE_INT || as_number(&probs->items[i]) < 0)
      return refuse(c, "`candidates` are integers, and no one of `probs` is negative");
    total += as_number(&probs->items[i]);
  }
  int64_t pick = rlx_schedule_integer(c, 2, -1);
  if (!rlx_schedule_is_given(c, 2)) {
    double at = (double)(rlx_schedule_draw(c) >> 11) * 0x1p-53 * total;
    for (pick = 0; pick + 1 < (int64_t)probs->count; pick++)
      if ((at -= as_number(&probs->items[pick])) < 0) break;
  }
  if (pick < 0 || pick >= (int64_t)candidates->count)
    return refuse(c, "`decision` is the number of a candidate, from 0");
  c->result = candidates->items[pick];
  c->recorded = (RlxScheduleValue){.kind = RLX_SCHEDULE_INT, .integer = pick};
  return true;
}

typedef struct Tiles {
  int64_t factors[TILES_MAX];
  int n;
  int64_t innermost;      ///< the innermost factor is at most this
  int inner;              ///< the product of the factors from this one on
  int64_t inner_multiple; ///< is a multiple of this
  int64_t wanted, seen;   ///< wanted: number of the tuple to stop at, -1: count all
} Tiles;

static bool fits(const Tiles *t) {
  int64_t product = 1;
  for (int i = t->inner; i < t->n; i++) product *= t->factors[i];
  return t->factors[t->n - 1] <= t->innermost && product % t->inner_multiple == 0;
}

/// Goes over the factors of `rest` from position `at` on, outermost first; true: stop here.
static bool visit(Tiles *t, int at, int64_t rest) {
  if (at == t->inner && rest % t->inner_multiple != 0) return false; // of all that are left
  if (at == t->n - 1) {
    t->factors[at] = rest;
    if (!fits(t)) return false;
    return t->seen++ == t->wanted || t->seen > TUPLES_MAX;
  }
  for (int64_t k = 1; k <= rest / k; k++) {
    if (rest % k) continue;
    t->factors[at] = k;
    if (visit(t, at + 1, rest / k)) return true;
    t->factors[at] = rest / k;
    if (k != rest / k && visit(t, at + 1, k)) return true;
  }
  return false;
}

static bool take_decision(RlxScheduleCall *c, const RlxScheduleValue *d, Tiles *t, int64_t extent) {
  int64_t product = 1;
  if (d->kind != RLX_SCHEDULE_LIST || (int)d->count != t->n)
    return refuse(c, "`decision` has `n` factors");
  for (int i = 0; i < t->n; i++) {
    t->factors[i] = d->items[i].kind == RLX_SCHEDULE_INT ? d->items[i].integer : 0;
    if (t->factors[i] < 1 || __builtin_mul_overflow(product, t->factors[i], &product))
      return refuse(c, "the factors of `decision` are positive integers");
  }
  return product == extent || refuse(c, "the product of `decision` is not the loop's extent");
}

static bool draw_tiles(RlxScheduleCall *c, Tiles *t, int64_t extent) {
  if (extent % t->inner_multiple == 0) visit(t, 0, extent);
  if (!t->seen)
    return refuse(c, t->inner_multiple > 1 ? "no factors have such a product of the inner ones"
                                           : "no factors have so small an innermost one");
  if (t->seen > TUPLES_MAX) return refuse(c, "the loop has too many ways to be tiled");
  t->wanted = (int64_t)(rlx_schedule_draw(c) % (uint64_t)t->seen);
  t->seen = 0;
  visit(t, 0, extent);
  return true;
}

/// Gives the factors of argument 0, a loop: those of `decision`, the argument of that number, or else drawn ones.
static bool sample_tiles(RlxScheduleCall *c, Tiles *t, int decision) {
  const RlxTirStmt *loop = NULL;
  if (!rlx_schedule_loop(c, 0, &loop)) return false;
  if (t->n < 1 || t->n > TILES_MAX) return refuse(c, "`n` is between 1 and 8");
  const RlxPrim *p = rlx_tir_integer(c->s->store, loop->extent);
  int64_t extent = 0;
  if (!p || !rlx_prim_is_const(p, &extent) || extent < 1)
    return refuse(c, "the extent of the loop is not a positive number");
  const bool ok = rlx_schedule_is_given(c, decision)
                      ? take_decision(c, &c->args[decision], t, extent)
                      : draw_tiles(c, t, extent);
  if (!ok) return false;
  RlxScheduleValue list = {.kind = RLX_SCHEDULE_LIST, .count = (uint32_t)t->n};
  list.items = rlx_arena_array(c->s->arena, RlxScheduleValue, t->n);
  for (int i = 0; i < t->n; i++)
    list.items[i] = (RlxScheduleValue){.kind = RLX_SCHEDULE_INT, .integer = t->factors[i]};
  c->result = c->recorded = list;
  return true;
}

bool rlx_primitive_sample_perfect_tile(RlxScheduleCall *c) {
  Tiles t = {.n = (int)rlx_schedule_integer(c, 1, 0), .wanted = -1, .inner_multiple = 1};
  t.innermost = rlx_schedule_integer(c, 2, 16);
  if (t.innermost < 1 && !rlx_schedule_is_given(c, 3))
    return refuse(c, "`max_innermost_factor` is at least 1");
  return sample_tiles(c, &t, 3);
}

bool rlx_primitive_sample_partitioned_tile(RlxScheduleCall *c) {
  Tiles t = {.n = (int)rlx_schedule_integer(c, 1, 0), .wanted = -1, .innermost = INT64_MAX};
  const int64_t inner = rlx_schedule_integer(c, 2, 0);
  t.inner_multiple = rlx_schedule_integer(c, 3, 1);
  if (inner < 0 || inner > t.n) return refuse(c, "`partition_pos` is between 0 and `n`");
  if (t.inner_multiple < 1) return refuse(c, "`innerpart_factor` is at least 1");
  t.inner = (int)inner;
  if (!sample_tiles(c, &t, 4)) return false;
  return fits(&t) || refuse(c, "the inner factors of `decision` have no product that is a multiple "
                               "of `innerpart_factor`");
}

// ---- places that are no loop

static const char *const place_names[] = {
    [RLX_SAMPLED_ROOT] = "compute-root", [RLX_SAMPLED_INLINE] = "compute-inline"};

RlxSampledPlace rlx_schedule_sampled_place(const RlxScheduleValue *v) {
  if (v->kind != RLX_SCHEDULE_LOOP || v->ref.handle >= 0 || !v->ref.name) return RLX_SAMPLED_LOOP;
  for (int i = RLX_SAMPLED_ROOT; i <= RLX_SAMPLED_INLINE; i++)
    if (strcmp(v->ref.name, place_names[i]) == 0) return (RlxSampledPlace)i;
  return RLX_SAMPLED_LOOP;
}

RlxScheduleValue rlx_schedule_place_value(RlxSampledPlace place) {
  RlxScheduleValue v = {.kind = RLX_SCHEDULE_LOOP};
  v.ref = (RlxScheduleRef){.name = place_names[place], .index = -1, .handle = -1};
  return v;
}
