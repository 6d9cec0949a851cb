/// split, fuse, reorder, add_unit_loop: loops become others around the same blocks.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/loop_transformation.cc. A block's bindings are
/// simplified as TVM does (IterMapSimplifyBlockBinding): through the map of loops where there is one.
#include "analyzer/schedule/schedule_impl.h"
#include "analyzer/tir/update_order.h"

#include <stdio.h>

// ---- what split and fuse ask of a loop

/// A loop that TVM may cut into others: no annotation, no thread, and it starts at 0.
static bool check_plain(RlxScheduleCall *c, const RlxTirStmt *loop) {
  const char *name = rlx_schedule_loop_name(c, loop);
  if (loop->annotation_count || loop->for_kind == RLX_FOR_THREAD_BINDING)
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_LOOP), loop, "ss", name,
                               "it has an annotation or a thread, which would be lost");
  const RlxPrim *min = rlx_tir_integer(c->s->store, loop->min);
  int64_t first = 0;
  if (loop->min &&
      (!min || !rlx_prim_is_const(rlx_prim_simplify(c->s->store, min), &first) || first))
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_LOOP), loop, "ss", name,
                               "it does not start at 0");
  return true;
}

// ---- bindings, simplified

typedef struct Simplify {
  RlxScheduleCall *c;
  Vec(const RlxTirStmt *) loops; ///< around, outermost first
  bool keeps_units;
} Simplify;

typedef struct Lookup {
  RlxStore *store;
  const RlxTirStmt *const *loops;
  uint32_t count;
  RlxScheduleVars all; ///< of the PrimFunc: made when a variable is no loop
} Lookup;

static RlxTirVar *loop_of(const RlxSymVar *symbol, void *data) {
  Lookup *l = data;
  for (uint32_t i = 0; i < l->count; i++)
    if (rlx_tir_symbol(l->store, l->loops[i]->var) == symbol) return l->loops[i]->var;
  if (!l->all.seen.count) rlx_schedule_vars_all(&l->all);
  for (uint32_t i = 0; i < l->all.seen.count; i++)
    if (rlx_tir_symbol(l->store, l->all.seen.at[i]) == symbol) return l->all.seen.at[i];
  return NULL;
}

static bool loop_ranges(const Simplify *s, RlxLoopRange *ranges) {
  RlxStore *store = s->c->s->store;
  for (uint32_t i = 0; i < s->loops.count; i++) {
    const RlxTirStmt *loop = s->loops.at[i];
    ranges[i].var = rlx_tir_symbol(store, loop->var);
    ranges[i].min = loop->min ? rlx_tir_integer(store, loop->min)
                              : rlx_prim_int_typed(store, 0, loop->var->dtype);
    ranges[i].extent = rlx_tir_integer(store, loop->extent);
    if (!ranges[i].min || !ranges[i].extent) return false;
  }
  return true;
}

/// The map of the bindings of `b`, without its predicate when that hides one; no sums: there is none.
static RlxIterMap map_of(const Simplify *s, const RlxTirBlock *b, RlxArena *arena) {
  RlxStore *store = s->c->s->store;
  const RlxPrim **indices = rlx_arena_array(arena, const RlxPrim *, b->iter_count);
  RlxLoopRange *ranges = rlx_arena_array(arena, RlxLoopRange, s->loops.count);
  RlxIterMap none = {0};
  for (int i = 0; i < b->iter_count; i++)
    if (!(indices[i] = rlx_tir_integer(store, b->iters[i].binding))) return none;
  if (!loop_ranges(s, ranges)) return none;
  RlxIterQuery query = {.indices = indices,
                        .index_count = b->iter_count,
                        .loops = ranges,
                        .loop_count = (int)s->loops.count,
                        .predicate = b->predicate ? rlx_tir_number(store, b->predicate) : NULL,
                        .level = RLX_ITER_SURJECTIVE,
                        .keeps_unit_loops = s->keeps_units};
  RlxIterMap map = rlx_iter_map_detect(store, arena, &query);
  if (map.sums || !query.predicate) return map;
  query.predicate = NULL;
  return rlx_iter_map_detect(store, arena, &query);
}

static RlxTirStmt *simplify_block(Simplify *s, RlxTirStmt *stmt) {
  const RlxTirBlock *b = stmt->block;
  if (!b->iter_count) return stmt;
  RlxArena *arena = rlx_arena_new();
  RlxIterMap map = map_of(s, b, arena);
  RlxTirStmt *out = stmt;
  if (map.sums) {
    out = rlx_tir_copy_block(s->c->f, stmt);
    out->block->iters = rlx_arena_array(s->c->f->arena, RlxTirIterVar, b->iter_count);
    Lookup lookup = {s->c->s->store, s->loops.at, s->loops.count, {.c = s->c}};
    for (int i = 0; i < b->iter_count; i++) {
      out->block->iters[i] = b->iters[i];
      const RlxPrim *p = rlx_iter_sum_prim(s->c->s->store, &map.sums[i]);
      out->block->iters[i].binding = rlx_tir_from_prim(s->c->f, p, loop_of, &lookup);
    }
    rlx_schedule_vars_free(&lookup.all);
    rlx_schedule_moved(s->c, stmt, out);
  }
  rlx_arena_free(arena);
  return out;
}

/// Blocks directly below `stmt`, through loops, conditions and opaque blocks.
static RlxTirStmt *simplify_below(Simplify *s, RlxTirStmt *stmt) {
  if (stmt->kind == RLX_TIR_BLOCK && stmt->block->iter_count) return simplify_block(s, stmt);
  if (stmt->kind == RLX_TIR_FOR) rlx_vec_push(&s->loops, stmt);
  RlxTirStmt *out = NULL;
  for (uint32_t i = 0; i < stmt->count; i++) {
    RlxTirStmt *child = simplify_below(s, stmt->body[i]);
    if (child == stmt->body[i]) continue;
    if (!out) out = rlx_tir_copy(s->c->f, stmt);
    out->body[i] = child;
  }
  if (stmt->kind == RLX_TIR_FOR) (void)rlx_vec_pop(&s->loops);
  if (out && (stmt->kind == RLX_TIR_FOR || stmt->kind == RLX_TIR_BLOCK))
    rlx_schedule_moved(s->c, stmt, out);
  return out ? out : stmt;
}

RlxTirStmt *rlx_schedule_simplify_bindings(RlxScheduleCall *c, const RlxTirStmt *above,
                                           RlxTirStmt *stmt, bool preserve_unit_iters) {
  enum { DEEP = 512 };
  const RlxTirStmt *path[DEEP];
  Simplify s = {.c = c, .keeps_units = preserve_unit_iters};
  int n = rlx_schedule_path(c, above, path, DEEP), from = 0;
  if (n > DEEP) n = DEEP;
  for (int i = 0; i < n - 1; i++)
    if (path[i]->kind == RLX_TIR_BLOCK && path[i]->block->iter_count) from = i + 1;
  for (int i = from; i < n - 1; i++)
    if (path[i]->kind == RLX_TIR_FOR) rlx_vec_push(&s.loops, path[i]);
  RlxTirStmt *out = simplify_below(&s, stmt);
  rlx_vec_free(&s.loops);
  return out;
}

// ---- split

enum { FACTORS_MAX = 64 };

typedef struct Split {
  const RlxTirStmt *loop;
  int count;
  RlxTirExpr *factors[FACTORS_MAX];
  RlxDType dtype;
} Split;

static bool refuse_too_large(RlxScheduleCall *c, const RlxTirStmt *loop, const char *what,
                             RlxDType dtype) {
  char text[RLX_DTYPE_TEXT_MAX];
  const char *why = rlx_arena_printf(c->s->arena, "the product of the %s does not fit into %s",
                                     what, rlx_dtype_text(dtype, text));
  return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_LOOP), loop, "ss",
                             rlx_schedule_loop_name(c, loop), why);
}

/// The largest number of a type of integers.
static int64_t largest(RlxDType dtype) {
  int64_t min, max;
  rlx_dtype_limits(dtype, &min, &max);
  return max;
}

/// The factors with the one that is left out (None or -1) worked out: ceil(extent / the others).
static bool read_factors(RlxScheduleCall *c, const RlxScheduleValue *list, Split *s) {
  RlxPrimFunc *f = c->f;
  s->dtype = s->loop->var->dtype;
  s->count = (int)list->count;
  if (s->count < 1 || s->count > FACTORS_MAX)
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), s->loop, "ss", "split",
                               "`factors` takes between 1 and 64 of them");
  int open = -1;
  int64_t product = 1, extent = 0, most = largest(s->dtype);
  bool is_number = s->loop->extent->kind == RLX_TIR_INT;
  if (is_number) extent = s->loop->extent->integer;
  for (int i = 0; i < s->count; i++) {
    const RlxScheduleValue *v = &list->items[i];
    if (v->kind == RLX_SCHEDULE_NONE || (v->kind == RLX_SCHEDULE_INT && v->integer == -1)) {
      if (open >= 0)
        return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), s->loop, "ss", "split",
                                   "of `factors` only one may be None");
      open = i;
      continue;
    }
    if (v->integer <= 0)
      return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), s->loop, "ss", "split",
                                 "`factors` takes integers from 1, and None for one of them");
    if (v->integer > most / product) return refuse_too_large(c, s->loop, "factors", s->dtype);
    s->factors[i] = rlx_tir_int(f, v->integer, s->dtype);
    product *= v->integer;
  }
  RlxTirExpr *all = rlx_tir_int(f, product, s->dtype);
  if (open >= 0 && is_number) {
    int64_t outer = extent > 0 ? (extent - 1) / product + 1 : 0;
    if (outer > most / product) return refuse_too_large(c, s->loop, "factors", s->dtype);
    s->factors[open] = rlx_tir_int(f, outer, s->dtype);
    return true;
  }
  if (open >= 0) {
    RlxTirExpr *more = rlx_tir_int(f, product - 1, s->dtype);
    RlxTirExpr *sum = rlx_tir_binary(f, RLX_TIR_ADD, s->loop->extent, more);
    s->factors[open] = rlx_schedule_simplify(c, rlx_tir_binary(f, RLX_TIR_FLOORDIV, sum, all));
    return true;
  }
  const RlxPrim *reached = rlx_tir_integer(c->s->store, all),
                *wanted = rlx_tir_integer(c->s->store, s->loop->extent);
  if (reached && wanted && rlx_prove_less_equal(c->s->store, NULL, wanted, reached) == RLX_YES)
    return true;
  return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_LOOP), s->loop, "ss",
                             rlx_schedule_loop_name(c, s->loop),
                             "the product of the factors is not shown to reach its extent, so "
                             "that iterations would be left out");
}

/// Adds `condition` to the predicate of each block directly below.
static RlxTirStmt *guard(RlxScheduleCall *c, RlxTirStmt *stmt, RlxTirExpr *condition) {
  if (stmt->kind == RLX_TIR_BLOCK) {
    RlxTirStmt *out = rlx_tir_copy_block(c->f, stmt);
    out->block->predicate = rlx_tir_and(c->f, out->block->predicate, condition);
    rlx_schedule_moved(c, stmt, out);
    return out;
  }
  RlxTirStmt *out = stmt->count ? rlx_tir_copy(c->f, stmt) : stmt;
  for (uint32_t i = 0; i < stmt->count; i++) out->body[i] = guard(c, stmt->body[i], condition);
  if (out != stmt && stmt->kind == RLX_TIR_FOR) rlx_schedule_moved(c, stmt, out);
  return out;
}

/// A serial loop over [0, extent) around `body`, made of `old`: it stands where that stands in the
/// script.
static RlxTirStmt *new_loop(RlxScheduleCall *c, const RlxTirStmt *old, RlxTirVar *var,
                            RlxTirExpr *extent, RlxTirStmt *body) {
  RlxTirStmt *loop = rlx_tir_for(c->f, var, extent, RLX_FOR_SERIAL, body);
  loop->span = old->span;
  return loop;
}

static bool is_below(RlxScheduleCall *c, const RlxTirExpr *value, const Split *s,
                     RlxTirVar *const *vars) {
  RlxStore *store = c->s->store;
  const RlxPrim *v = rlx_tir_integer(store, value),
                *extent = rlx_tir_integer(store, s->loop->extent);
  if (!v || !extent) return false;
  RlxFacts facts[2 * FACTORS_MAX];
  const RlxFacts *known = NULL;
  for (int i = 0; i < s->count; i++) {
    const RlxPrim *var = rlx_prim_var(store, rlx_tir_symbol(store, vars[i]));
    const RlxPrim *zero = rlx_prim_int_typed(store, 0, vars[i]->dtype);
    const RlxPrim *factor = rlx_tir_integer(store, s->factors[i]);
    if (!factor) return false;
    facts[2 * i] = (RlxFacts){known, rlx_prim_binary(store, RLX_PRIM_LE, zero, var), NULL};
    facts[2 * i + 1] =
        (RlxFacts){&facts[2 * i], rlx_prim_binary(store, RLX_PRIM_LT, var, factor), NULL};
    known = &facts[2 * i + 1];
  }
  return rlx_prove_less(store, known, v, extent) == RLX_YES;
}

bool rlx_primitive_split(RlxScheduleCall *c) {
  Split s = {0};
  if (!rlx_schedule_loop(c, 0, &s.loop) || !check_plain(c, s.loop)) return false;
  if (!read_factors(c, &c->args[1], &s)) return false;
  RlxPrimFunc *f = c->f;
  RlxTirVar *vars[FACTORS_MAX];
  RlxTirExpr *value = NULL;
  for (int i = 0; i < s.count; i++) {
    char name[300];
    snprintf(name, sizeof name, "%s_%d", rlx_store_text(c->s->store, s.loop->var->name), i);
    vars[i] = rlx_tir_var(f, rlx_intern_text(rlx_store_names(c->s->store), name), s.dtype);
    RlxTirExpr *var = rlx_tir_var_expr(f, vars[i]);
    value =
        i ? rlx_tir_binary(f, RLX_TIR_ADD, rlx_tir_binary(f, RLX_TIR_MUL, value, s.factors[i]), var)
          : var;
  }
  RlxTirSubst put = {s.loop->var, value};
  RlxTirStmt *body = rlx_schedule_subst(c, s.loop->body[0], &put, 1);
  bool overruns = !is_below(c, value, &s, vars);
  if (overruns && rlx_schedule_flag(c, 3, false))
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_LOOP), s.loop, "ss",
                               rlx_schedule_loop_name(c, s.loop),
                               "the product of the factors may be larger than its extent, and "
                               "without a predicate the iterations beyond it would run");
  if (overruns && rlx_schedule_bare_statement(s.loop))
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_LOOP), s.loop, "ss",
                               rlx_schedule_loop_name(c, s.loop),
                               "the product of the factors may be larger than its extent, and what "
                               "stands below in no block can have no predicate");
  if (overruns && rlx_schedule_bare_load(s.loop))
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_LOOP), s.loop, "ss",
                               rlx_schedule_loop_name(c, s.loop),
                               "the product of the factors may be larger than its extent, and a "
                               "range or condition below loads from memory at each iteration");
  if (overruns) body = guard(c, body, rlx_tir_binary(f, RLX_TIR_LT, value, s.loop->extent));
  for (int i = s.count - 1; i >= 0; i--) body = new_loop(c, s.loop, vars[i], s.factors[i], body);
  body = rlx_schedule_simplify_bindings(c, s.loop, body, rlx_schedule_flag(c, 2, true));
  const RlxTirStmt *loops[FACTORS_MAX];
  RlxTirStmt *at = body;
  for (int i = 0; i < s.count; i++, at = at->body[0]) loops[i] = at;
  rlx_schedule_put(c, s.loop, body);
  rlx_schedule_moved(c, s.loop, NULL);
  rlx_schedule_give_list(c, loops, s.count);
  return true;
}

// ---- fuse

/// The loops of argument `i`, each once.
static bool read_loops(RlxScheduleCall *c, int i, const RlxTirStmt ***out, int *out_count) {
  const RlxScheduleValue *list = &c->args[i];
  const RlxTirStmt **loops = rlx_arena_array(c->s->arena, const RlxTirStmt *, list->count);
  for (uint32_t k = 0; k < list->count; k++) {
    RlxSchedulePlace place;
    if (!rlx_schedule_item_loop(c, &list->items[k], &place)) return false;
    loops[k] = place.stmt;
    for (uint32_t m = 0; m < k; m++)
      if (loops[m] == loops[k])
        return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_LOOP), loops[k], "ss",
                                   rlx_schedule_loop_name(c, loops[k]), "it is named twice");
  }
  *out = loops;
  *out_count = (int)list->count;
  return true;
}

typedef struct Uses {
  const RlxTirStmt *const *loops;
  int count;
  const RlxTirVar *found;
} Uses;

static bool uses_loop(const RlxTirExpr *e, void *data) {
  Uses *u = data;
  for (int i = 0; e->kind == RLX_TIR_VAR && i < u->count; i++)
    if (u->loops[i]->var == e->var) u->found = e->var;
  return !u->found;
}

/// Refuses when the domain of `loop` depends on one of `others`.
static bool check_independent(RlxScheduleCall *c, const RlxTirStmt *loop,
                              const RlxTirStmt *const *others, int count) {
  Uses u = {others, count, NULL};
  rlx_tir_visit_expr(loop->min, uses_loop, &u);
  rlx_tir_visit_expr(loop->extent, uses_loop, &u);
  if (!u.found) return true;
  const char *why = rlx_arena_printf(c->s->arena, "its domain depends on loop `%s`",
                                     rlx_store_text(c->s->store, u.found->name));
  return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_LOOP), loop, "ss",
                             rlx_schedule_loop_name(c, loop), why);
}

static bool is_around(const RlxScheduleCall *c, const RlxTirStmt *loop, const RlxTirStmt *inner) {
  enum { DEEP = 512 };
  const RlxTirStmt *path[DEEP];
  int n = rlx_schedule_path(c, inner, path, DEEP);
  for (int i = 0; i < n && i < DEEP; i++)
    if (path[i] == loop) return true;
  return false;
}

static bool check_chain(RlxScheduleCall *c, const RlxTirStmt *outer, const RlxTirStmt *inner) {
  if (outer->body[0] == inner) return true;
  const char *what = is_around(c, inner, outer)
                         ? "stands around it: loops are named outermost first"
                         : "is not all that stands directly in it";
  const char *why =
      rlx_arena_printf(c->s->arena, "loop `%s` %s", rlx_schedule_loop_name(c, inner), what);
  rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_LOOP), outer, "ss", rlx_schedule_loop_name(c, outer),
                      why);
  rlx_schedule_also(c, inner, "the inner loop");
  return false;
}

bool rlx_primitive_fuse(RlxScheduleCall *c) {
  const RlxTirStmt **loops = NULL;
  int count = 0;
  if (!read_loops(c, 0, &loops, &count)) return false;
  if (count < 1)
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), NULL, "ss", "fuse",
                               "at least one loop is needed");
  RlxDType dtype = loops[0]->var->dtype;
  RlxBuf name = {0};
  for (int i = 0; i < count; i++) {
    if (!check_plain(c, loops[i]) || (i && !check_chain(c, loops[i - 1], loops[i])) ||
        !check_independent(c, loops[i], loops, i)) {
      rlx_buf_free(&name);
      return false;
    }
    if (loops[i]->var->dtype.bits > dtype.bits) dtype = loops[i]->var->dtype;
    rlx_buf_printf(&name, "%s%s", i ? "_" : "", rlx_store_text(c->s->store, loops[i]->var->name));
  }
  rlx_buf_puts(&name, "_fused");
  RlxPrimFunc *f = c->f;
  RlxTirVar *fused =
      rlx_tir_var(f, rlx_intern_text(rlx_store_names(c->s->store), rlx_buf_text(&name)), dtype);
  rlx_buf_free(&name);
  RlxTirSubst *put = rlx_arena_array(c->s->arena, RlxTirSubst, count);
  RlxTirExpr *below = rlx_tir_int(f, 1, dtype), *at = rlx_tir_var_expr(f, fused);
  for (int i = count - 1; i >= 0; i--) {
    RlxTirExpr *extent = rlx_tir_cast(f, dtype, loops[i]->extent);
    if (extent->kind == RLX_TIR_INT && below->kind == RLX_TIR_INT && below->integer > 0 &&
        extent->integer > largest(dtype) / below->integer)
      return refuse_too_large(c, loops[0], "extents", dtype);
    RlxTirExpr *next = rlx_schedule_simplify(c, rlx_tir_binary(f, RLX_TIR_MUL, extent, below));
    bool is_unit = extent->kind == RLX_TIR_INT && extent->integer == 1;
    bool is_never = next->kind == RLX_TIR_INT && next->integer == 0; // nothing to divide by
    RlxTirExpr *rest = i && !is_never ? rlx_tir_binary(f, RLX_TIR_FLOORMOD, at, next) : at;
    RlxTirExpr *value = is_unit || is_never ? rlx_tir_int(f, 0, dtype)
                                            : rlx_tir_binary(f, RLX_TIR_FLOORDIV, rest, below);
    put[i] = (RlxTirSubst){loops[i]->var, rlx_schedule_simplify(c, value)};
    below = next;
  }
  RlxTirStmt *body = rlx_schedule_subst(c, loops[count - 1]->body[0], put, count);
  body = new_loop(c, loops[0], fused, below, body);
  body = rlx_schedule_simplify_bindings(c, loops[0], body, rlx_schedule_flag(c, 1, true));
  rlx_schedule_put(c, loops[0], body);
  for (int i = 0; i < count; i++) rlx_schedule_moved(c, loops[i], NULL);
  rlx_schedule_give(c, body);
  return true;
}

// ---- add_unit_loop

bool rlx_primitive_add_unit_loop(RlxScheduleCall *c) {
  RlxSchedulePlace place;
  if (!rlx_schedule_item_any(c, &c->args[0], &place)) return false;
  if (place.is_root)
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), place.stmt, "ss", "add_unit_loop",
                               "nothing can stand around the root block");
  RlxDType int32 = {RLX_DTYPE_INT, 32, 1};
  RlxTirVar *u = rlx_tir_var(c->f, rlx_intern_text(rlx_store_names(c->s->store), "u"), int32);
  RlxTirStmt *inner = rlx_tir_copy(c->f, place.stmt);
  RlxTirStmt *loop = new_loop(c, place.stmt, u, rlx_tir_int(c->f, 1, int32), inner);
  rlx_schedule_moved(c, place.stmt, inner);
  rlx_schedule_replace(c, place.stmt, loop);
  rlx_schedule_give(c, loop);
  return true;
}

// ---- reorder

/// The loops from the topmost to the lowest of those that are named, with those between: a chain in
/// which each loop has nothing but the next. NULL: refused.
static const RlxTirStmt **chain_of(RlxScheduleCall *c, const RlxTirStmt *const *named, int count,
                                   int *out_count) {
  enum { DEEP = 512 };
  const RlxTirStmt *path[DEEP];
  int deepest = 0, depth = 0;
  for (int i = 0; i < count; i++) {
    int n = rlx_schedule_path(c, named[i], NULL, 0);
    if (n > depth) depth = n, deepest = i;
  }
  rlx_schedule_path(c, named[deepest], path, DEEP);
  if (depth > DEEP) depth = DEEP;
  int top = depth, found = 0;
  for (int k = depth - 1; k >= 0 && path[k]->kind != RLX_TIR_BLOCK; k--)
    for (int i = 0; i < count; i++)
      if (named[i] == path[k]) top = k, found++;
  if (found < count) {
    rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_LOOP), named[deepest], "ss",
                        rlx_schedule_loop_name(c, named[deepest]),
                        "not all of the others stand around it in one block");
    return NULL;
  }
  int n = 0;
  const RlxTirStmt **chain = rlx_arena_array(c->s->arena, const RlxTirStmt *, depth);
  for (int k = top; k < depth; k++) {
    if (path[k]->kind != RLX_TIR_FOR || (n && !check_chain(c, chain[n - 1], path[k]))) {
      if (!c->refusal) check_chain(c, chain[n - 1], named[deepest]);
      return NULL;
    }
    chain[n++] = path[k];
  }
  *out_count = n;
  return chain;
}

/// TVM: block variables below are data-parallel or reduce, and bound affinely by the loops from
/// `top` on.
static bool check_blocks_below(RlxScheduleCall *c, const RlxTirStmt *top,
                               const RlxTirStmt *bottom) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const RlxTirLoopInfo *below = rlx_schedule_loop_info(c, bottom);
  for (int i = 0; i < below->block_count; i++) {
    const RlxTirBlockInfo *b = &a->blocks[below->blocks[i]];
    const char *why = NULL;
    for (int v = 0; v < b->iter_count && !why; v++)
      if (b->iters[v].iter->type != RLX_ITER_DATA_PAR && b->iters[v].iter->type != RLX_ITER_REDUCE)
        why = "a block below has a variable that is neither data_par nor reduce";
    if (!why && b->iter_count &&
        !rlx_tir_affine_below(a, b, rlx_schedule_loop_info(c, top)->index).is)
      why = "the binding of a block below is not affine in the loops";
    if (!why) continue;
    rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_LOOP), bottom, "ss",
                        rlx_schedule_loop_name(c, bottom), why);
    rlx_schedule_also(c, b->stmt, "this block");
    return false;
  }
  return true;
}

/// What stands below in no block runs in another order, too: no iteration may depend on another.
static bool check_bare(RlxScheduleCall *c, const RlxTirStmt *const *chain, int length) {
  if (!rlx_schedule_bare_statement(chain[length - 1])) return true;
  for (int i = 0; i < length; i++) {
    const RlxTirAnalysis *a = rlx_schedule_analysis(c);
    const RlxTirLoopInfo *loop = rlx_schedule_loop_info(c, chain[i]);
    RlxTirVerdict free = rlx_tir_race_free(a, rlx_schedule_accesses(c), loop->index);
    if (free.is) continue;
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_LOOP), chain[i], "ss",
                               rlx_schedule_loop_name(c, chain[i]),
                               *free.reason ? free.reason
                                            : "statements below stand in no block, and whether "
                                              "their order matters is not decided");
  }
  return true;
}

/// Do the loops that reduce in block `b` keep their order among each other?
static bool keeps_reduction(const RlxTirBlockInfo *b, const RlxTirStmt *const *chain,
                            const RlxTirStmt *const *order, int length) {
  const RlxTirStmt *const *lists[2] = {chain, order};
  int at[2] = {0, 0};
  for (;;) {
    for (int k = 0; k < 2; k++)
      for (bool reduces = false; at[k] < length; at[k]++) {
        for (int v = 0; v < b->iter_count; v++)
          reduces |= b->iters[v].iter->type != RLX_ITER_DATA_PAR &&
                     rlx_schedule_uses(b->iters[v].iter->binding, lists[k][at[k]]->var);
        if (reduces) break;
      }
    if (at[0] == length || at[1] == length) return at[0] == at[1];
    if (chain[at[0]++] != order[at[1]++]) return false;
  }
}

/// A reduction below gives the same when the loops of `chain` stand in this order: false, refused.
static bool check_update_order(RlxScheduleCall *c, const RlxTirBlockInfo *b,
                               const RlxTirStmt *const *chain, const RlxTirStmt *const *order,
                               int length) {
  if (!b->has_init || keeps_reduction(b, chain, order, length)) return true;
  RlxTirVerdict v = rlx_tir_update_order(rlx_schedule_analysis(c), b, true);
  if (v.is) return true;
  rlx_schedule_refuse_verdict(c, RLX_DIAG_ID(SCHEDULE_LOOP), chain[0], &v);
  rlx_schedule_also(c, b->stmt, "the reduction");
  return false;
}

/// Reductions below are still initialised first when the loops of `chain` stand in this order.
static bool check_inits(RlxScheduleCall *c, const RlxTirStmt *const *chain,
                        const RlxTirStmt *const *order, int length) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const RlxTirLoopInfo *below = rlx_schedule_loop_info(c, chain[length - 1]);
  for (int i = 0; i < below->block_count; i++) {
    const RlxTirBlockInfo *b = &a->blocks[below->blocks[i]];
    if (!check_update_order(c, b, chain, order, length)) return false;
    const RlxTirStmt **loops = rlx_arena_array(c->s->arena, const RlxTirStmt *, b->loop_count);
    int at = -1;
    for (int k = 0; k < b->loop_count; k++) {
      loops[k] = a->loops[b->loops[k]].stmt;
      if (loops[k] == chain[0]) at = k;
    }
    for (int k = 0; at >= 0 && k < length; k++) loops[at + k] = order[k];
    const char *witness, *why = rlx_schedule_init_too_late(c, b, loops, b->loop_count, &witness);
    if (!why) continue;
    rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_LOOP), chain[0], "ss",
                        rlx_schedule_loop_name(c, chain[0]), why);
    rlx_schedule_witness(c, witness);
    rlx_schedule_also(c, b->stmt, "the reduction");
    return false;
  }
  return true;
}

/// No block below needs what another, or another instance, gives it in the order as it is now.
static bool check_dataflow(RlxScheduleCall *c, const RlxTirStmt *const *chain,
                           const RlxTirStmt *const *order, int length) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const RlxTirLoopInfo *top = rlx_schedule_loop_info(c, chain[0]);
  if (rlx_tir_is_free_below(a, top->index)) return true;
  int *places = rlx_arena_array(c->s->arena, int, length);
  for (int i = 0; i < length; i++)
    while (chain[places[i]] != order[i]) places[i]++;
  RlxTirVerdict v = rlx_tir_reorderable(a, rlx_schedule_accesses(c), top->index, places, length);
  if (v.is) return true;
  rlx_schedule_refuse_verdict(c, RLX_DIAG_ID(SCHEDULE_LOOP), chain[0], &v);
  return false;
}

bool rlx_primitive_reorder(RlxScheduleCall *c) {
  const RlxTirStmt **loops = NULL;
  int count = 0, length = 0;
  if (!read_loops(c, 0, &loops, &count)) return false;
  if (count < 2) return true;
  const RlxTirStmt **chain = chain_of(c, loops, count, &length);
  if (!chain || !check_blocks_below(c, chain[0], chain[length - 1])) return false;
  // Outermost first: a named loop's place takes the next of the new order.
  const RlxTirStmt **order = rlx_arena_array(c->s->arena, const RlxTirStmt *, length);
  int next = 0;
  for (int i = 0; i < length; i++) {
    bool is_named = false;
    for (int k = 0; k < count; k++) is_named |= loops[k] == chain[i];
    order[i] = is_named ? loops[next++] : chain[i];
  }
  for (int i = 0; i < length; i++)
    if (!check_independent(c, order[i], order + i + 1, length - i - 1)) return false;
  if (!check_inits(c, chain, order, length) || !check_bare(c, chain, length) ||
      !check_dataflow(c, chain, order, length))
    return false;
  RlxTirStmt *body = chain[length - 1]->body[0];
  for (int i = length - 1; i >= 0; i--) {
    RlxTirStmt *loop = rlx_tir_copy(c->f, order[i]);
    loop->body[0] = body;
    rlx_schedule_moved(c, order[i], loop);
    body = loop;
  }
  const RlxTirStmt *top = chain[0];
  rlx_schedule_put(c, top, body);
  return true;
}
