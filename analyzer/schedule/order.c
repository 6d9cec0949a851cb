/// Does a new order of loops keep a reduction's init first? `T.init` runs at the instance whose reduce
/// variables are at their minimum, and that instance has to come before all others that write the
/// same elements. Where each loop is in data-parallel or in reduce bindings only, it does in every
/// order; where a loop is in both (after `fuse`), sets of integers decide, and what they cannot
/// decide is refused.
#include "analyzer/schedule/schedule_impl.h"

enum { LOOPS_MAX = 12 };

typedef struct Order {
  RlxScheduleCall *c;
  const RlxTirBlockInfo *block;
  const RlxTirStmt *const *loops; ///< around the block, outermost first, in the new order
  int count;
  RlxLoopRange ranges[2 * LOOPS_MAX]; ///< of an instance, and of the one that initialises
  RlxSubst other;                     ///< the loops of the first to those of the second
  const RlxSymVar *vars[LOOPS_MAX];
  const RlxPrim *values[LOOPS_MAX];
} Order;

/// Is there a loop in the binding of a data-parallel variable and in that of a reduce variable?
static bool is_shared(const Order *o) {
  for (int i = 0; i < o->count; i++) {
    bool is_in[2] = {false, false};
    const RlxSymVar *var = rlx_tir_symbol(o->c->s->store, o->loops[i]->var);
    for (int v = 0; v < o->block->iter_count; v++) {
      const RlxTirIterInfo *iter = &o->block->iters[v];
      if (!iter->binding || rlx_prim_mentions(iter->binding, var))
        is_in[iter->iter->type == RLX_ITER_REDUCE] = true;
    }
    if (is_in[0] && is_in[1]) return true;
  }
  return false;
}

static bool prepare(Order *o) {
  RlxStore *store = o->c->s->store;
  if (o->count > LOOPS_MAX) return false;
  for (int i = 0; i < o->count; i++) {
    const RlxTirLoopInfo *l = rlx_schedule_loop_info(o->c, o->loops[i]);
    if (!l || !l->min || !l->extent) return false;
    o->ranges[i] = (RlxLoopRange){l->symbol, l->min, l->extent};
    // A second variable of the same name, in a scope that nothing else uses.
    const RlxSymVar *second = rlx_symvar(store, UINT64_C(0x5ec0) << 32 | l->symbol->id,
                                         l->symbol->name, l->symbol->dtype, false);
    o->vars[i] = l->symbol;
    o->values[i] = rlx_prim_var(store, second);
    o->ranges[o->count + i] = (RlxLoopRange){second, NULL, NULL};
  }
  o->other = (RlxSubst){.vars = o->vars, .values = o->values, .count = o->count};
  for (int i = 0; i < o->count; i++) {
    o->ranges[o->count + i].min = rlx_prim_subst(store, o->ranges[i].min, &o->other, NULL);
    o->ranges[o->count + i].extent = rlx_prim_subst(store, o->ranges[i].extent, &o->other, NULL);
  }
  return true;
}

/// An instance that runs before the one that initialises its element, and differs from it first in
/// loop `at` of the new order.
static RlxProof find_early(const Order *o, int at, RlxSetPoint *out) {
  RlxStore *store = o->c->s->store;
  const RlxPrim *conditions[LOOPS_MAX + 34];
  int n = 0;
  for (int i = 0; i <= at; i++) {
    const RlxPrim *first = rlx_prim_var(store, o->vars[i]);
    conditions[n++] =
        rlx_prim_binary(store, i < at ? RLX_PRIM_EQ : RLX_PRIM_LT, first, o->values[i]);
  }
  if (o->block->iter_count > 32) return RLX_UNKNOWN;
  for (int v = 0; v < o->block->iter_count; v++) {
    const RlxTirIterInfo *iter = &o->block->iters[v];
    if (!iter->binding || !iter->min) return RLX_UNKNOWN;
    const RlxPrim *second = rlx_prim_subst(store, iter->binding, &o->other, NULL);
    conditions[n++] =
        rlx_prim_binary(store, RLX_PRIM_EQ, second,
                        iter->iter->type == RLX_ITER_REDUCE ? iter->min : iter->binding);
  }
  if (o->block->predicate) {
    conditions[n++] = o->block->predicate;
    conditions[n++] = rlx_prim_subst(store, o->block->predicate, &o->other, NULL);
  }
  RlxSystem system = {o->ranges, 2 * o->count, conditions, n, 0};
  return rlx_sets_find(store, &system, out);
}

static const char *witness(const Order *o, const RlxSetPoint *point) {
  RlxBuf text = {0};
  rlx_buf_puts(&text, "in this order the instance at (");
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < o->count; i++)
      rlx_buf_printf(&text, "%s%s", i ? ", " : "",
                     rlx_store_text(o->c->s->store, o->vars[i]->name));
    rlx_buf_puts(&text, ") = (");
    for (int i = 0; i < o->count; i++) {
      int64_t value = 0;
      rlx_set_point_value(point, o->ranges[side * o->count + i].var, &value);
      rlx_buf_printf(&text, "%s%lld", i ? ", " : "", (long long)value);
    }
    if (!side) rlx_buf_puts(&text, ") runs before the init of its element at (");
  }
  rlx_buf_putc(&text, ')');
  const char *out = rlx_arena_strdup(o->c->s->arena, rlx_buf_text(&text));
  rlx_buf_free(&text);
  return out;
}

const char *rlx_schedule_init_too_late(RlxScheduleCall *c, const RlxTirBlockInfo *block,
                                       const RlxTirStmt *const *loops, int count,
                                       const char **out_witness) {
  if (out_witness) *out_witness = NULL;
  Order o = {.c = c, .block = block, .loops = loops, .count = count};
  if (!block->has_init || !is_shared(&o)) return NULL;
  if (!prepare(&o)) return "it is not decided whether its init still runs first";
  for (int at = 0; at < count; at++) {
    RlxSetPoint point;
    RlxProof found = find_early(&o, at, &point);
    if (found == RLX_YES) {
      const char *why = witness(&o, &point);
      if (out_witness) *out_witness = why;
      return why;
    }
    if (found == RLX_UNKNOWN) return "it is not decided whether its init still runs first";
  }
  return NULL;
}
