/// compute_at, reverse_compute_at: a block moves under a loop of its readers, or of its producers.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/compute_at.cc for what is asked and what comes
/// out; the two check sets of the design document (analyzer/tir/loops.h) have to hold as well, and
/// where the instances to run are not exactly known, the result is asked whether it still runs all.
#include "analyzer/schedule/domain.h"
#include "analyzer/tir/update_order.h"

#include <stdio.h>
#include <string.h>

typedef struct Move {
  RlxScheduleCall *c;
  const RlxTirAnalysis *a;
  const RlxTirBlockInfo *block;
  const RlxTirLoopInfo *loop;
  bool is_reverse, preserves_units;
  int *writers, *readers; ///< of its scope
  int writer_count, reader_count;
  int position; ///< among the statements of the loop
  const RlxFacts *facts;
  RlxScheduleDomain *domains;
  bool is_loose;
  RlxTirStmt *now; ///< the block where it stands then
} Move;

static bool refuse(Move *m, const char *why) {
  RlxScheduleCall *c = m->c;
  rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_MOVE), m->block->stmt, "sss",
                      rlx_schedule_block_name(c, m->block->stmt),
                      rlx_schedule_loop_name(c, m->loop->stmt), why);
  rlx_schedule_also(c, m->loop->stmt, "the loop");
  return false;
}

static bool refuse_verdict(Move *m, const RlxTirVerdict *v) {
  const char *why = v->reason && *v->reason ? v->reason : "it is not shown that the values survive";
  refuse(m, rlx_arena_strdup(m->c->s->arena, why));
  rlx_schedule_witness(m->c, v->witness);
  if (v->other >= 0 && v->other < m->a->block_count)
    rlx_schedule_also(m->c, m->a->blocks[v->other].stmt, "this block");
  return false;
}

static bool is_under(const Move *m, int block) {
  return rlx_tir_is_under(&m->a->blocks[block], m->loop->index);
}

/// Equal ones come one after another.
static void add_once(int *list, int *count, int block) {
  if (!*count || list[*count - 1] != block) list[(*count)++] = block;
}

static void find_neighbours(Move *m) {
  int n = m->a->block_count;
  m->writers = rlx_arena_array(m->c->s->arena, int, n + 1);
  m->readers = rlx_arena_array(m->c->s->arena, int, n + 1);
  RlxTirDependencyWalk walk = rlx_tir_dependencies(m->block->index);
  for (RlxTirDependency next, *d = &next; rlx_tir_next_dependency(m->a, &walk, d);) {
    if (d->kind != RLX_DEPENDENCY_RAW && d->kind != RLX_DEPENDENCY_WAW) continue;
    if (d->dst == m->block->index) add_once(m->writers, &m->writer_count, d->src);
    if (d->src == m->block->index) add_once(m->readers, &m->reader_count, d->dst);
  }
}

// ---- what is asked

/// What stands in the block, apart from its bindings, may use a loop around it: that one it cannot leave.
static bool check_used_loops(Move *m) {
  const RlxTirStmt *block = m->block->stmt;
  for (int i = 0; i < m->block->loop_count; i++) {
    const RlxTirLoopInfo *left = &m->a->loops[m->block->loops[i]];
    bool is_around = false;
    for (int l = m->loop->index; l >= 0; l = m->a->loops[l].parent) is_around |= l == left->index;
    if (is_around || !(rlx_tir_mentions(block->body[0], left->stmt->var) ||
                       rlx_tir_mentions(block->init, left->stmt->var)))
      continue;
    const char *why = rlx_arena_printf(m->c->s->arena, "what stands in it uses loop `%s`",
                                       rlx_schedule_loop_name(m->c, left->stmt));
    refuse(m, why);
    rlx_schedule_also(m->c, left->stmt, "the loop that it would leave");
    return false;
  }
  return true;
}

/// It is no condition that keeps the block from running where it stands, unless it stands around the loop, too.
static bool check_condition(Move *m) {
  const RlxTirStmt *block = m->block->stmt, *above = NULL;
  for (int l = m->loop->index; l >= 0 && !above; l = m->a->loops[l].parent)
    for (int i = 0; i < m->block->loop_count; i++)
      if (m->block->loops[i] == l) above = m->a->loops[l].stmt;
  const RlxTirStmt *condition = rlx_schedule_condition(m->c, block, above);
  if (!condition) condition = rlx_schedule_condition(m->c, m->loop->stmt, above);
  if (!condition) return true;
  refuse(m, "a condition stands between their loops");
  rlx_schedule_also(m->c, condition, "the condition");
  return false;
}

static bool check_places(Move *m) {
  if (m->block->scope < 0) return refuse(m, "the root block does not move");
  if (m->loop->scope != m->block->scope) return refuse(m, "the loop stands in another block");
  if (is_under(m, m->block->index)) return refuse(m, "it stands in this loop already");
  const RlxTirVerdict *pipeline = &m->a->blocks[m->block->scope].stage_pipeline;
  if (!pipeline->is) return refuse_verdict(m, pipeline);
  const char *why = NULL;
  const RlxTirBoxes *boxes[] = {&m->block->writes, &m->block->reads};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < boxes[k]->count; i++) {
      const RlxTirBuffer *buffer = boxes[k]->at[i].buffer;
      const RlxTirBlockInfo *scope = &m->a->blocks[m->block->scope];
      const RlxTirBlockInfo *silent = rlx_schedule_silent_user(m->c, scope, buffer);
      if (!silent) continue;
      why = rlx_arena_printf(
          m->c->s->arena, "block \"%s\" uses `%s` by its pointer, and does not say what it writes",
          rlx_tir_block_name(m->a, silent->index), rlx_store_text(m->c->s->store, buffer->name));
      return refuse(m, why);
    }
  const RlxTirStmt *bare = rlx_schedule_bare_conflict(m->c, m->block, &why);
  if (bare) {
    refuse(m, why);
    rlx_schedule_also(m->c, bare, "this statement");
    return false;
  }
  if (!m->block->complete.is && !m->block->reduction.is) {
    why = rlx_arena_printf(m->c->s->arena, "it is neither complete (%s) nor a reduction (%s)",
                           m->block->complete.reason, m->block->reduction.reason);
    return refuse(m, why);
  }
  if (!m->is_reverse && m->block->output_block.is)
    return refuse(m, "it is an output block of its scope");
  return true;
}

static bool check_all_under(Move *m) {
  const int *list = m->is_reverse ? m->writers : m->readers;
  int count = m->is_reverse ? m->writer_count : m->reader_count;
  for (int i = 0; i < count; i++) {
    if (is_under(m, list[i])) continue;
    const char *why = rlx_arena_printf(
        m->c->s->arena,
        m->is_reverse ? "block \"%s\", which writes what it reads, is not under it"
                      : "block \"%s\", which reads what it writes, is not under it",
        rlx_tir_block_name(m->a, list[i]));
    refuse(m, why);
    rlx_schedule_also(m->c, m->a->blocks[list[i]].stmt, "this block");
    return false;
  }
  return true;
}

static bool has_block(const RlxTirStmt *s, const RlxTirStmt *block) {
  if (s == block) return true;
  if (s->kind == RLX_TIR_BLOCK) return false;
  for (uint32_t i = 0; i < s->count; i++)
    if (has_block(s->body[i], block)) return true;
  return false;
}

static bool has_any(const Move *m, const RlxTirStmt *s, const int *list, int count) {
  for (int i = 0; i < count; i++)
    if (has_block(s, m->a->blocks[list[i]].stmt)) return true;
  return false;
}

/// Where among the statements of the loop: after the last writer, before the first reader.
static bool find_position(Move *m, int64_t wanted) {
  RlxTirStmt *body = m->loop->stmt->body[0];
  bool is_seq = body->kind == RLX_TIR_SEQ;
  int n = is_seq ? (int)body->count : 1, last = -1, first = n;
  for (int i = 0; i < n; i++) {
    const RlxTirStmt *s = is_seq ? body->body[i] : body;
    if (has_any(m, s, m->writers, m->writer_count)) last = i;
    if (first == n && has_any(m, s, m->readers, m->reader_count)) first = i;
  }
  if (last >= first) return refuse(m, "a block that it reads from comes after one that reads it");
  if (wanted != -1 && wanted != -2 && (wanted <= last || wanted > first)) {
    const char *why = rlx_arena_printf(
        m->c->s->arena, "there it may stand from place %d to place %d only", last + 1, first);
    return refuse(m, why);
  }
  m->position = wanted == -1 ? first : wanted == -2 ? last + 1 : (int)wanted;
  return true;
}

/// The loops that the block leaves, with a neighbour of the block below: their iterations are to be
/// independent, for the block no longer runs between two of them.
static bool check_left_loops(Move *m) {
  for (int i = 0; i < m->block->loop_count; i++) {
    const RlxTirLoopInfo *left = &m->a->loops[m->block->loops[i]];
    bool is_around = false, is_shared = false;
    for (int l = m->loop->index; l >= 0; l = m->a->loops[l].parent) is_around |= l == left->index;
    for (int b = 0; b < left->block_count && !is_around; b++) {
      for (int k = 0; k < m->writer_count; k++) is_shared |= m->writers[k] == left->blocks[b];
      for (int k = 0; k < m->reader_count; k++) is_shared |= m->readers[k] == left->blocks[b];
    }
    if (!is_shared) continue;
    RlxTirVerdict v = rlx_tir_race_free(m->a, rlx_schedule_accesses(m->c), left->index);
    if (!v.is) return refuse_verdict(m, &v);
  }
  return true;
}

/// A reader goes under no loop that may have no iteration where those around it have one: it would not run.
static bool check_idle(Move *m) {
  if (!m->is_reverse) return true;
  RlxTirBlockInfo target = *m->block;
  int *loops = rlx_arena_array(m->c->s->arena, int, m->loop->depth + 2), count = 0;
  for (int l = m->loop->index; l >= 0; l = m->a->loops[l].parent) count++;
  target.loop_count = count;
  target.loops = loops;
  for (int l = m->loop->index; l >= 0; l = m->a->loops[l].parent) loops[--count] = l;
  const RlxTirStmt *idle = rlx_schedule_idle_loop(m->c, &target, m->block);
  if (!idle) return true;
  const char *witness, *words = rlx_schedule_idle_words(m->c, idle, &witness);
  refuse(m, rlx_arena_printf(m->c->s->arena, "%s, and it runs there", words));
  rlx_schedule_witness(m->c, witness);
  return false;
}

static bool check_verdict(Move *m) {
  RlxTirMoveVerdict v = m->is_reverse
                            ? rlx_tir_can_reverse_compute_at(m->a, rlx_schedule_accesses(m->c),
                                                             m->block->index, m->loop->index)
                            : rlx_tir_can_compute_at(m->a, rlx_schedule_accesses(m->c),
                                                     m->block->index, m->loop->index);
  if (!v.verdict.is) return refuse_verdict(m, &v.verdict);
  // Its new loops run over its variables, in their order.
  RlxTirVerdict order = rlx_tir_update_order(m->a, m->block, true);
  if (!order.is) return refuse_verdict(m, &order);
  if (!check_left_loops(m)) return false;
  // A producer runs where it is read, and its reader is covered; a reader runs its whole domain.
  if (!m->is_reverse && m->block->affine_binding.is) return true;
  RlxBindingVerdict covers = rlx_tir_binding_covers(m->a, m->block);
  if (covers.proof != RLX_NO) return true;
  const char *why = rlx_arena_printf(m->c->s->arena, "not all of its domain runs now: %s",
                                     covers.witness ? covers.witness : covers.reason);
  refuse(m, why);
  rlx_schedule_witness(m->c, covers.witness);
  return false;
}

// ---- the block in its new place

static const RlxFacts *facts_of_loops(Move *m) {
  const RlxFacts *facts = NULL;
  for (int l = m->loop->index; l >= 0; l = m->a->loops[l].parent) {
    const RlxTirLoopInfo *loop = &m->a->loops[l];
    facts = rlx_schedule_range_facts(m->c, loop->symbol, loop->min, loop->extent, facts);
  }
  return facts;
}

static bool solve(Move *m) {
  const char *why = NULL;
  RlxScheduleNeed need = {.block = m->block,
                          .loop = m->loop,
                          .others = m->is_reverse ? m->writers : m->readers,
                          .other_count = m->is_reverse ? m->writer_count : m->reader_count,
                          .is_reverse = m->is_reverse,
                          .facts = m->facts};
  m->domains = rlx_arena_array(m->c->s->arena, RlxScheduleDomain, m->block->iter_count + 1);
  if (rlx_schedule_domains(m->c, &need, m->domains, &m->is_loose, &why)) return true;
  return refuse(m, why);
}

typedef struct Nest {
  RlxTirVar **vars;
  RlxTirExpr **extents;
  int count;
  RlxTirExpr *predicate;
  const RlxFacts *facts;
} Nest;

/// The part of `p` that is a constant, and `*rest` without it.
static int64_t constant_of(RlxStore *store, const RlxPrim *p, const RlxPrim **rest) {
  const RlxPrim *zero = rlx_prim_int_typed(store, 0, p->dtype);
  int64_t value = 0;
  *rest = p;
  if (rlx_prim_is_const(p, &value)) {
    *rest = zero;
  } else if (p->kind == RLX_PRIM_ADD || p->kind == RLX_PRIM_SUB) {
    int64_t right = 0;
    if (!rlx_prim_is_const(p->args[1], &right)) right = 0;
    value = constant_of(store, p->args[0], rest);
    if (right == 0 && !rlx_prim_is_const(p->args[1], &right))
      *rest = rlx_prim_binary(store, (RlxPrimKind)p->kind, *rest, p->args[1]);
    else
      value += p->kind == RLX_PRIM_ADD ? right : -right;
  }
  return value;
}

/// Adds `a < b` or `a <= b` to the predicate unless it is proved; constants go to one side.
static bool add_condition(Move *m, Nest *nest, RlxPrimKind kind, const RlxPrim *a, const RlxPrim *b,
                          RlxScheduleVars *vars) {
  RlxStore *store = m->c->s->store;
  const RlxPrim *condition = rlx_prim_binary(store, kind, a, b);
  if (rlx_prove(store, nest->facts, condition) == RLX_YES) return true;
  const RlxPrim *left, *right;
  int64_t over = constant_of(store, rlx_prim_simplify(store, b), &right) -
                 constant_of(store, rlx_prim_simplify(store, a), &left);
  int64_t none;
  if (rlx_prim_is_const(left, &none))
    condition = rlx_prim_binary(store, kind, rlx_prim_int_typed(store, -over, right->dtype), right);
  else
    condition = rlx_prim_binary(store, kind, left, rlx_prim_addi(store, right, over));
  RlxTirExpr *e = rlx_schedule_expr(vars, condition);
  if (!e) return false;
  nest->predicate = rlx_tir_and(m->c->f, nest->predicate, e);
  return true;
}

static const RlxPrim *typed(RlxStore *store, const RlxPrim *p, RlxDType dtype) {
  int64_t value;
  return rlx_prim_is_const(p, &value) ? rlx_prim_int_typed(store, value, dtype) : p;
}

/// The binding of variable `i` over its domain, with a loop of its own where it has more than one
/// value.
static bool bind_variable(Move *m, int i, Nest *nest, RlxScheduleVars *vars, RlxTirIterVar *iter) {
  RlxStore *store = m->c->s->store;
  const RlxScheduleDomain *d = &m->domains[i];
  const RlxPrim *min = m->block->iters[i].min, *extent = m->block->iters[i].extent;
  if (d->dom.min && d->dom.max) {
    min = rlx_schedule_simplify_under(store, nest->facts, d->dom.min);
    extent = rlx_prim_addi(store, rlx_prim_sub(store, d->dom.max, d->dom.min), 1);
    extent = rlx_schedule_simplify_under(store, nest->facts, extent);
  }
  min = typed(store, min, iter->var->dtype);
  extent = typed(store, extent, iter->var->dtype);
  int64_t one;
  bool is_unit = rlx_prim_is_const(extent, &one) && one == 1;
  const RlxPrim *value = min;
  RlxTirExpr *own = NULL;
  if (m->preserves_units || !is_unit) {
    char name[32];
    snprintf(name, sizeof name, "ax%d", nest->count);
    RlxDType dtype = extent->dtype.bits > min->dtype.bits ? extent->dtype : min->dtype;
    RlxTirVar *var = rlx_tir_var(m->c->f, rlx_intern_text(rlx_store_names(store), name), dtype);
    rlx_schedule_vars_add(vars, var);
    nest->vars[nest->count] = var;
    if (!(nest->extents[nest->count] = rlx_schedule_expr(vars, extent))) return false;
    nest->count++;
    const RlxSymVar *symbol = rlx_tir_symbol(store, var);
    const RlxPrim *zero = rlx_prim_int_typed(store, 0, dtype);
    nest->facts = rlx_schedule_range_facts(m->c, symbol, zero, extent, nest->facts);
    if (!is_unit) value = rlx_prim_add(store, min, rlx_prim_var(store, symbol));
    own = rlx_tir_var_expr(m->c->f, var);
  }
  if (!(iter->binding = rlx_schedule_expr(vars, min))) return false;
  if (own && rlx_prim_is_const(min, &one) && !one)
    iter->binding = own;
  else if (own)
    iter->binding = rlx_tir_binary(m->c->f, RLX_TIR_ADD, iter->binding, own);
  if (d->has_bound && d->bound.min &&
      !add_condition(m, nest, RLX_PRIM_LE, d->bound.min, value, vars))
    return false;
  return !d->has_bound || !d->bound.max ||
         add_condition(m, nest, RLX_PRIM_LT, value, rlx_prim_addi(store, d->bound.max, 1), vars);
}

/// The block with new bindings, in loops of its own; NULL: an expression has no spelling.
static RlxTirStmt *make_nest(Move *m) {
  RlxPrimFunc *f = m->c->f;
  int n = m->block->iter_count;
  RlxScheduleVars vars = {.c = m->c};
  rlx_schedule_vars_all(&vars);
  Nest nest = {rlx_arena_array(f->arena, RlxTirVar *, n + 1),
               rlx_arena_array(f->arena, RlxTirExpr *, n + 1), 0, NULL, m->facts};
  m->now = rlx_tir_copy_block(f, m->block->stmt);
  RlxTirIterVar *iters = rlx_arena_array(f->arena, RlxTirIterVar, n + 1);
  bool ok = true;
  for (int i = 0; i < n && ok; i++) {
    iters[i] = m->now->block->iters[i];
    ok = bind_variable(m, i, &nest, &vars, &iters[i]);
  }
  rlx_schedule_vars_free(&vars);
  m->now->block->iters = iters;
  m->now->block->predicate = nest.predicate;
  RlxTirStmt *out = m->now;
  for (int i = nest.count - 1; i >= 0; i--)
    out = rlx_tir_for(f, nest.vars[i], nest.extents[i], RLX_FOR_SERIAL, out);
  return ok ? out : NULL;
}

static void insert(Move *m, RlxTirStmt *nest) {
  RlxScheduleCall *c = m->c;
  RlxTirStmt *body = m->loop->stmt->body[0], *loop = rlx_tir_copy(c->f, m->loop->stmt);
  bool is_seq = body->kind == RLX_TIR_SEQ;
  int n = is_seq ? (int)body->count : 1;
  RlxTirStmt **all = rlx_arena_array(c->s->arena, RlxTirStmt *, n + 1);
  for (int i = 0, k = 0; i <= n; i++) {
    if (i == m->position) all[k++] = nest;
    if (i < n) all[k++] = is_seq ? body->body[i] : body;
  }
  loop->body[0] = rlx_tir_seq(c->f, all, n + 1);
  rlx_schedule_put(c, m->block->stmt, NULL);
  rlx_schedule_replace(c, m->loop->stmt, loop);
  rlx_schedule_moved(c, m->block->stmt, m->now);
}

// ---- what came out

/// The iterations of this loop run at once, so that none of them goes on with a sum of another: threads of
/// one block alone reduce together.
static bool is_at_once(const Move *m, const RlxTirStmt *loop) {
  if (loop->for_kind == RLX_FOR_THREAD_BINDING)
    return strncmp(rlx_store_text(m->c->s->store, loop->name), "threadIdx.", 10) != 0;
  return loop->for_kind == RLX_FOR_PARALLEL || loop->for_kind == RLX_FOR_VECTORIZED;
}

/// Of the loops around its new place, one in which the block reduces (or runs in an order): NULL: none.
/// One whose iterations run at once goes before others.
static const RlxTirStmt *reducing_loop(const Move *m, const RlxTirBlockInfo *now) {
  const RlxTirStmt *found = NULL;
  for (int l = m->loop->index; l >= 0; l = m->a->loops[l].parent) {
    const RlxTirStmt *loop = m->a->loops[l].stmt;
    for (int i = 0; i < now->iter_count; i++) {
      const RlxTirIterVar *iter = now->iters[i].iter;
      if (iter->type == RLX_ITER_DATA_PAR || !rlx_schedule_uses(iter->binding, loop->var)) continue;
      if (!found || is_at_once(m, loop)) found = loop;
    }
  }
  return found;
}

/// Does the result still run every instance that counts?
static bool check_result(Move *m) {
  if (!m->is_reverse && !m->is_loose) return true;
  RlxArena *arena = rlx_arena_new();
  const RlxTirText text = rlx_schedule_script(m->c);
  const RlxTirAnalysis *a = rlx_tir_analyze(m->c->s->store, m->c->f, arena, &text);
  const RlxTirBlockInfo *now = rlx_tir_block_info(a, rlx_schedule_now(m->c, m->now));
  const char *why = NULL, *witness = NULL;
  if (m->is_reverse) {
    RlxBindingVerdict covers = rlx_tir_binding_covers(a, now);
    if (covers.proof != RLX_YES) why = (witness = covers.witness) ? witness : covers.reason;
    const RlxTirStmt *reducing = reducing_loop(m, now);
    if (!why && reducing && is_at_once(m, reducing))
      why = rlx_arena_printf(arena, "the iterations of loop `%s` run at once, and it would reduce",
                             rlx_store_text(m->c->s->store, reducing->var->name));
    if (!why && reducing) {
      RlxBindingVerdict once = rlx_tir_binding(a, now);
      if (once.proof != RLX_YES) why = (witness = once.witness) ? witness : once.reason;
    }
  }
  RlxTirDependencyWalk walk = rlx_tir_dependencies(now ? now->index : 0);
  for (RlxTirDependency next, *d = &next; now && !why && rlx_tir_next_dependency(a, &walk, d);) {
    if (d->kind == RLX_DEPENDENCY_RAW && !m->is_reverse && d->src == now->index) {
      // A hull that covers what the reader takes has to be written without gaps.
      const RlxTirBox *own = rlx_tir_box_of(&now->writes, d->buffer);
      RlxTirBox box = {0};
      if (own) box = rlx_tir_box_unbind(a, now, own);
      if (own) box = rlx_tir_box_relax(a, now, &box, rlx_tir_common_loop(a, d->src, d->dst));
      if (!box.is_exact) why = "it is not shown to compute there all that the reader takes";
    }
    if (d->kind == RLX_DEPENDENCY_RAW && !a->blocks[d->dst].region_cover.is)
      why = a->blocks[d->dst].region_cover.reason;
  }
  if (why) why = rlx_arena_printf(m->c->s->arena, "what has to run there is not shown: %s", why);
  if (witness) witness = rlx_arena_strdup(m->c->s->arena, witness);
  rlx_arena_free(arena);
  if (!why) return true;
  refuse(m, why);
  rlx_schedule_witness(m->c, witness);
  return false;
}

static bool move(RlxScheduleCall *c, bool is_reverse) {
  RlxSchedulePlace place;
  const RlxTirStmt *loop = NULL;
  RlxSampledPlace sampled = rlx_schedule_sampled_place(&c->args[1]);
  if (!rlx_schedule_block(c, 0, &place)) return false;
  if (sampled == RLX_SAMPLED_ROOT) return true;
  if (sampled == RLX_SAMPLED_INLINE)
    return is_reverse ? rlx_primitive_reverse_compute_inline(c) : rlx_primitive_compute_inline(c);
  if (!rlx_schedule_loop(c, 1, &loop)) return false;
  Move m = {.c = c,
            .a = rlx_schedule_analysis(c),
            .block = rlx_schedule_block_info(c, place.stmt),
            .loop = rlx_schedule_loop_info(c, loop),
            .is_reverse = is_reverse,
            .preserves_units = rlx_schedule_flag(c, 2, false)};
  find_neighbours(&m);
  if (!check_places(&m) || !check_condition(&m) || !check_used_loops(&m) || !check_all_under(&m) ||
      !find_position(&m, rlx_schedule_integer(c, 3, -1)) || !check_verdict(&m) || !check_idle(&m))
    return false;
  m.facts = facts_of_loops(&m);
  if (!solve(&m)) return false;
  RlxTirStmt *nest = make_nest(&m);
  if (!nest) return refuse(&m, "a bound of the new loops has no spelling in TensorIR");
  insert(&m, nest);
  return check_result(&m);
}

bool rlx_primitive_compute_at(RlxScheduleCall *c) { return move(c, false); }
bool rlx_primitive_reverse_compute_at(RlxScheduleCall *c) { return move(c, true); }
