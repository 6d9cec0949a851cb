/// Finds the loop nests of a PrimFunc and lets the rules replace them. Statements are never changed
/// in place: what stays is shared with the original, what changes is new.
#include "jit/schedule/schedule.h"

#include <string.h>

#include "analyzer/tir/rewrite.h"
#include "jit/schedule/emit.h"
#include "jit/schedule/rules.h"

// ---- reading a nest

static bool does_nothing(const RlxTirStmt *s) {
  return s->kind == RLX_TIR_NOP || (s->kind == RLX_TIR_SEQ && s->count == 0) ||
         (s->kind == RLX_TIR_EVALUATE && (!s->value || s->value->kind == RLX_TIR_INT));
}

/// The one statement of a suite that does something; NULL: none, or several.
static RlxTirStmt *only_statement(RlxTirStmt *s) {
  while (s && s->kind == RLX_TIR_SEQ) {
    RlxTirStmt *one = NULL;
    for (uint32_t i = 0; i < s->count; i++) {
      if (does_nothing(s->body[i])) continue;
      if (one) return NULL;
      one = s->body[i];
    }
    s = one;
  }
  return s;
}

static bool is_true(const RlxTirExpr *e) { return !e || (e->kind == RLX_TIR_INT && e->integer); }

/// No calls with effects, views, lets: the expression may be evaluated in another order.
static bool is_plain(const RlxTirExpr *e) {
  if (e->kind == RLX_TIR_HOLE || e->kind == RLX_TIR_LET || e->kind == RLX_TIR_ADDRESS_OF ||
      e->kind == RLX_TIR_STRING || e->dtype.lanes > 1)
    return false;
  if (e->kind == RLX_TIR_LOAD && e->buffer->view_of) return false;
  for (int i = 0; i < e->arg_count; i++)
    if (!is_plain(e->args[i])) return false;
  return true;
}

static bool is_same_place(const RlxTirExpr *load, const RlxTirBuffer *b,
                          RlxTirExpr *const *indices) {
  if (load->kind != RLX_TIR_LOAD || load->buffer != b) return false;
  for (int i = 0; i < b->ndim; i++)
    if (!rules_equal(load->args[i], indices[i])) return false;
  return true;
}

static void find_accumulation(Nest *nest) {
  const RlxTirExpr *v = nest->value;
  bool fits = v->kind == RLX_TIR_ADD || v->kind == RLX_TIR_MUL || v->kind == RLX_TIR_MIN ||
              v->kind == RLX_TIR_MAX;
  if (!fits || v->arg_count != 2) return;
  for (int side = 0; side < 2; side++)
    if (is_same_place(v->args[side], nest->buffer, nest->indices) &&
        !rules_reads(v->args[1 - side], nest->buffer)) {
      nest->accumulates = true;
      nest->op = v->kind;
      nest->term = v->args[1 - side];
      return;
    }
}

static bool read_block(Rules *r, const RlxTirStmt *s, Nest *nest) {
  Binding bindings[NEST_MAX_LOOPS];
  int count = 0;
  const RlxTirStmt *store = s, *init = NULL;
  if (s->kind == RLX_TIR_BLOCK) {
    const RlxTirBlock *b = s->block;
    if (b->alloc_count || b->match_count || !is_true(b->predicate) ||
        b->iter_count > NEST_MAX_LOOPS)
      return false;
    for (; count < b->iter_count; count++) {
      if (!b->iters[count].binding || b->iters[count].min) {
        const RlxTirExpr *min = b->iters[count].min;
        if (!b->iters[count].binding || !(min->kind == RLX_TIR_INT && min->integer == 0))
          return false;
      }
      bindings[count] = (Binding){b->iters[count].var, b->iters[count].binding};
    }
    store = only_statement(s->body[0]);
    init = only_statement(s->init);
  }
  if (!store || store->kind != RLX_TIR_STORE ||
      (init && (init->kind != RLX_TIR_STORE || init->buffer != store->buffer)))
    return false;
  if (store->buffer->view_of || store->buffer->strides || store->is_checked) return false;
  nest->buffer = store->buffer;
  nest->indices = rlx_arena_array(r->f->arena, RlxTirExpr *, store->buffer->ndim + 1);
  for (int i = 0; i < store->buffer->ndim; i++) {
    nest->indices[i] = rules_subst(r, store->indices[i], bindings, count);
    if (!is_plain(nest->indices[i]) || rules_reads(nest->indices[i], store->buffer)) return false;
    if (init && !rules_equal(nest->indices[i], rules_subst(r, init->indices[i], bindings, count)))
      return false;
  }
  nest->value = rules_subst(r, store->value, bindings, count);
  nest->init = init ? rules_subst(r, init->value, bindings, count) : NULL;
  return is_plain(nest->value) &&
         (!nest->init || (is_plain(nest->init) && !rules_reads(nest->init, nest->buffer)));
}

static bool is_reduction_loop(const RlxTirBlock *b, const RlxTirVar *var, bool *in_both) {
  bool spatial = false, reduce = false;
  for (int i = 0; i < b->iter_count; i++) {
    if (!b->iters[i].binding || !rules_mentions(b->iters[i].binding, var)) continue;
    if (b->iters[i].type == RLX_ITER_REDUCE)
      reduce = true;
    else
      spatial = true;
  }
  *in_both = spatial && reduce;
  return reduce;
}

/// Whether all variables of `e` are among these.
static bool is_over(const RlxTirExpr *e, const RlxTirVar *const *vars, int count) {
  if (e->kind == RLX_TIR_VAR) {
    for (int i = 0; i < count; i++)
      if (vars[i] == e->var) return true;
    return false;
  }
  for (int i = 0; i < e->arg_count; i++)
    if (!is_over(e->args[i], vars, count)) return false;
  return true;
}

/// The whole reduction runs within these loops, and begins with them: no loop further out takes part, and
/// the init part, which runs where the variables that reduce are at their minimum, runs first.
static bool is_whole_reduction(const RlxTirBlock *b, const RlxTirVar *const *vars,
                               const int64_t *starts, int count) {
  for (int i = 0; i < b->iter_count; i++) {
    const RlxTirIterVar *v = &b->iters[i];
    int64_t first, min = 0;
    if (v->type != RLX_ITER_REDUCE) continue;
    if (!is_over(v->binding, vars, count) ||
        !rules_value_at(v->binding, vars, starts, count, &first) ||
        (v->min && !rules_value_at(v->min, NULL, NULL, 0, &min)) || first != min)
      return false;
  }
  return true;
}

static bool read_nest(Rules *r, const RlxTirStmt *s, Nest *nest) {
  memset(nest, 0, sizeof *nest);
  while (s->kind == RLX_TIR_FOR) {
    bool from_zero = !s->min || (s->min->kind == RLX_TIR_INT && s->min->integer == 0);
    if (!from_zero || nest->count == NEST_MAX_LOOPS || s->for_kind == RLX_FOR_THREAD_BINDING ||
        s->annotation_count)
      return false;
    for (int i = 0; i < nest->count; i++)
      if (rules_mentions(s->extent, nest->loops[i].var)) return false; // not a rectangle
    nest->loops[nest->count++] = (NestLoop){s->var, s->extent, false};
    s = only_statement(s->body[0]);
    if (!s) return false;
  }
  if (nest->count == 0 || !read_block(r, s, nest)) return false;
  const RlxTirBlock *block = s->kind == RLX_TIR_BLOCK ? s->block : NULL;
  const RlxTirVar *vars[NEST_MAX_LOOPS];
  const int64_t starts[NEST_MAX_LOOPS] = {0};
  for (int i = 0; i < nest->count; i++) vars[i] = nest->loops[i].var;
  if (nest->init && block && !is_whole_reduction(block, vars, starts, nest->count)) return false;
  for (int i = 0; i < nest->count; i++) {
    if (nest->init && block && !rules_is_of_function(r->f, nest->loops[i].extent)) return false;
    nest->loops[i].is_reduce = true;
    for (int d = 0; d < nest->buffer->ndim; d++)
      if (rules_mentions(nest->indices[d], nest->loops[i].var)) nest->loops[i].is_reduce = false;
    // The init part runs when the reduction variables are at their start: these must be the loops
    // that the place does not depend on, else it would run more often, or less.
    bool in_both;
    if (nest->init && block &&
        is_reduction_loop(block, nest->loops[i].var, &in_both) != nest->loops[i].is_reduce)
      return false;
  }
  find_accumulation(nest);
  return true;
}

// ---- proofs for hand-written functions: constant intervals, and bare variables against the extent
// they run over

typedef struct Interval {
  int64_t lo, hi;
  bool ok;
} Interval;

static Interval interval_of(const RlxTirExpr *e, const Nest *nest) {
  Interval none = {0, 0, false}, a, b;
  if (e->kind == RLX_TIR_INT) return (Interval){e->integer, e->integer, true};
  if (e->kind == RLX_TIR_VAR) {
    for (int i = 0; i < nest->count; i++)
      if (nest->loops[i].var == e->var && nest->loops[i].extent->kind == RLX_TIR_INT)
        return (Interval){0, nest->loops[i].extent->integer - 1, true};
    return none;
  }
  if (e->arg_count != 2 || rlx_dtype_is_float(e->dtype) || e->kind == RLX_TIR_LOAD ||
      e->kind == RLX_TIR_CALL)
    return none;
  a = interval_of(e->args[0], nest);
  b = interval_of(e->args[1], nest);
  const int64_t limit = INT64_C(1) << 40;
  if (!a.ok || !b.ok || a.lo < -limit || a.hi > limit || b.lo < -limit || b.hi > limit) return none;
  if (e->kind == RLX_TIR_ADD) return (Interval){a.lo + b.lo, a.hi + b.hi, true};
  if (e->kind == RLX_TIR_SUB) return (Interval){a.lo - b.hi, a.hi - b.lo, true};
  bool positive = b.lo == b.hi && b.lo > 0;
  if (e->kind == RLX_TIR_MUL && positive && b.lo < (1 << 20) && a.hi < limit >> 20 &&
      a.lo > -(limit >> 20))
    return (Interval){a.lo * b.lo, a.hi * b.lo, true};
  if ((e->kind == RLX_TIR_FLOORDIV || e->kind == RLX_TIR_TRUNCDIV) && positive && a.lo >= 0)
    return (Interval){a.lo / b.lo, a.hi / b.lo, true};
  if ((e->kind == RLX_TIR_FLOORMOD || e->kind == RLX_TIR_TRUNCMOD) && positive && a.lo >= 0)
    return (Interval){0, b.lo - 1, true};
  return none;
}

static bool index_is_safe(const RlxTirExpr *index, const RlxTirExpr *extent, const Nest *nest) {
  if (index->kind == RLX_TIR_VAR)
    for (int i = 0; i < nest->count; i++)
      if (nest->loops[i].var == index->var && rules_equal(nest->loops[i].extent, extent))
        return true;
  Interval at = interval_of(index, nest);
  return at.ok && at.lo >= 0 && extent->kind == RLX_TIR_INT && at.hi < extent->integer;
}

static bool loads_are_safe(const RlxTirExpr *e, const Nest *nest) {
  if (e->kind == RLX_TIR_LOAD)
    for (int d = 0; d < e->buffer->ndim; d++)
      if (!index_is_safe(e->args[d], e->buffer->shape[d], nest)) return false;
  for (int i = 0; i < e->arg_count; i++)
    if (!loads_are_safe(e->args[i], nest)) return false;
  return true;
}

static bool nest_is_safe(const Nest *nest) {
  for (int d = 0; d < nest->buffer->ndim; d++)
    if (!index_is_safe(nest->indices[d], nest->buffer->shape[d], nest)) return false;
  return loads_are_safe(nest->value, nest) && (!nest->init || loads_are_safe(nest->init, nest));
}

// ---- walking

static RlxTirStmt *trusted_part(Rules *r, RlxTirStmt *s) {
  if (r->trusted) return s;
  RlxTirStmt *mark = rlx_tir_stmt(r->f, RLX_TIR_SEQ, 1);
  mark->is_trusted = true;
  mark->body[0] = s;
  return mark;
}

/// An elementwise nest whose outermost loop is to run on several threads; NULL: it stays as it is.
static RlxTirStmt *in_parallel(Rules *r, const RlxTirStmt *s, const Nest *nest) {
  bool fits = s->for_kind == RLX_FOR_SERIAL && !nest->init && rules_is_one_to_one(nest) &&
              !rules_reads(nest->value, nest->buffer);
  if (!fits || rules_outer_kind(r, nest) != RLX_FOR_PARALLEL) return NULL;
  RlxTirStmt *copy = rlx_arena_copy(r->f->arena, s, 1, sizeof *s);
  copy->for_kind = RLX_FOR_PARALLEL;
  return copy;
}

/// The condition for `loop`, which reduces, to have an iteration: NULL: it always has, or an init
/// runs without one.
static RlxTirExpr *has_iteration(const Rules *r, RlxTirExpr *extent) {
  bool is_sure = extent->kind == RLX_TIR_INT && extent->integer > 0;
  return is_sure || r->f->is_of_operators ? NULL : rlx_tir_is_positive(r->f, extent);
}

/// The rules store the value of the init before any instance has run: where there may be none,
/// `out` is kept from running.
static RlxTirStmt *where_it_begins(Rules *r, const Nest *nest, RlxTirStmt *out) {
  RlxTirExpr *runs = NULL;
  for (int i = 0; out && nest->init && i < nest->count; i++)
    if (nest->loops[i].is_reduce)
      runs = rlx_tir_and(r->f, runs, has_iteration(r, nest->loops[i].extent));
  return runs ? rlx_tir_if(r->f, runs, out, NULL) : out;
}

/// What a rule of its own makes of the nest, and which one; `wanted` (NULL: any) is the only one to
/// try.
static RlxTirStmt *try_rules(Rules *r, const RlxTirStmt *s, const char *wanted, const char **rule) {
  Nest nest;
  RlxTirStmt *out = NULL;
  if (!read_nest(r, s, &nest)) return NULL;
  if (!nest.accumulates) {
    *rule = "guards";
    if (wanted && strcmp(wanted, *rule) != 0) return NULL;
    return s->for_kind == RLX_FOR_SERIAL ? rule_split(r, &nest) : NULL;
  }
  if (!r->trusted && !nest_is_safe(&nest)) return NULL;
  rules_join_loops(r, &nest);
  find_accumulation(&nest);
  *rule = "contraction";
  if (!wanted || strcmp(wanted, *rule) == 0) out = rule_contraction(r, &nest);
  if (!out) {
    *rule = "reduction";
    if (!wanted || strcmp(wanted, *rule) == 0) out = rule_reduction(r, &nest);
  }
  return out ? trusted_part(r, where_it_begins(r, &nest, out)) : NULL;
}

static RlxTirStmt *try_parallel(Rules *r, const RlxTirStmt *s) {
  Nest nest;
  return read_nest(r, s, &nest) && !nest.accumulates ? in_parallel(r, s, &nest) : NULL;
}

static RlxTirStmt *walk(Rules *r, RlxTirStmt *s);

/// From the last one to the first: a step then names a loop by its number among those that stand
/// before it, which no step has touched.
static RlxTirStmt *with_bodies(Rules *r, RlxTirStmt *s) {
  RlxTirStmt **bodies = NULL;
  for (uint32_t i = s->count; i-- > 0;) {
    rules_emit_enter(r->emit, s, i);
    RlxTirStmt *body = walk(r, s->body[i]);
    rules_emit_leave(r->emit);
    if (body == s->body[i]) continue;
    if (!bodies) {
      bodies = rlx_arena_array(r->f->arena, RlxTirStmt *, s->count);
      memcpy(bodies, s->body, s->count * sizeof *bodies);
    }
    bodies[i] = body;
  }
  if (!bodies) return s;
  RlxTirStmt *copy = rlx_arena_copy(r->f->arena, s, 1, sizeof *s);
  copy->body = bodies;
  return copy;
}

// ---- init outside of the reduction, for blocks of any shape

/// The block of the init part alone: the spatial variables, bound as before; it runs where `runs` (NULL:
/// everywhere).
static RlxTirStmt *init_block(Rules *r, const RlxTirStmt *s, RlxTirExpr *runs) {
  RlxTirIterVar iters[NEST_MAX_LOOPS];
  int count = 0;
  for (int i = 0; i < s->block->iter_count; i++)
    if (s->block->iters[i].type != RLX_ITER_REDUCE) iters[count++] = s->block->iters[i];
  RlxTirStmt *out = rlx_tir_block(r->f, s->block->name, iters, count, NULL, s->init);
  out->block->predicate = runs;
  return out;
}

static bool stmt_mentions(const RlxTirStmt *s, const RlxTirVar *var) {
  for (int i = 0; s->kind == RLX_TIR_STORE && i < s->buffer->ndim; i++)
    if (rules_mentions(s->indices[i], var)) return true;
  const RlxTirExpr *parts[] = {s->value, s->cond, s->min, s->extent};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (parts[i] && rules_mentions(parts[i], var)) return true;
  for (uint32_t i = 0; i < s->count; i++)
    if (stmt_mentions(s->body[i], var)) return true;
  return s->kind == RLX_TIR_BLOCK; // not looked into
}

typedef struct Own {
  const RlxTirBlock *block;
  bool is_used;
} Own;

static bool is_among(RlxTirBuffer *const *buffers, int count, const RlxTirBuffer *b) {
  for (int i = 0; i < count; i++)
    if (buffers[i] == b) return true;
  return false;
}

static void note_buffer(Own *own, const RlxTirBuffer *b) {
  own->is_used |= is_among(own->block->matches, own->block->match_count, b) ||
                  is_among(own->block->allocs, own->block->alloc_count, b);
}

static bool note_store(const RlxTirStmt *s, void *data) {
  if (s->kind == RLX_TIR_STORE) note_buffer(data, s->buffer);
  return true;
}

static bool note_load(const RlxTirExpr *e, void *data) {
  if (e->kind == RLX_TIR_LOAD) note_buffer(data, e->buffer);
  return true;
}

/// Does the init part use a buffer that its block makes, or looks into another one by?
static bool inits_own_buffer(const RlxTirStmt *block) {
  Own own = {.block = block->block};
  rlx_tir_visit(block->init, note_store, note_load, &own);
  return own.is_used;
}

/// for spatial…: for reduce…: block with init  →  for spatial…: { init; for reduce…: block }. NULL
/// when it does not fit. `out_reduce` gets the first loop that reduces.
static RlxTirStmt *hoist_init(Rules *r, RlxTirStmt *s, const RlxTirStmt **out_reduce) {
  RlxTirStmt *chain[NEST_MAX_LOOPS];
  int count = 0, spatial = 0;
  RlxTirStmt *at = s;
  for (; at && at->kind == RLX_TIR_FOR && count < NEST_MAX_LOOPS; count++) {
    chain[count] = at;
    at = only_statement(at->body[0]);
  }
  if (!at || at->kind != RLX_TIR_BLOCK || !at->init || at->block->iter_count > NEST_MAX_LOOPS ||
      !is_true(at->block->predicate) || inits_own_buffer(at))
    return NULL;
  for (int i = 0; i < at->block->iter_count; i++)
    if (at->block->iters[i].type == RLX_ITER_REDUCE &&
        stmt_mentions(at->init, at->block->iters[i].var))
      return NULL;
  const RlxTirVar *vars[NEST_MAX_LOOPS];
  int64_t starts[NEST_MAX_LOOPS] = {0};
  for (int i = 0; i < count; i++) {
    vars[i] = chain[i]->var;
    if (chain[i]->min && !rules_value_at(chain[i]->min, NULL, NULL, 0, &starts[i])) return NULL;
  }
  if (!is_whole_reduction(at->block, vars, starts, count)) return NULL;
  bool seen = false, in_both;
  RlxTirExpr *runs = NULL;
  for (int i = 0; i < count; i++) {
    bool reduce = is_reduction_loop(at->block, chain[i]->var, &in_both);
    if (in_both || (seen && !reduce)) return NULL;
    if (reduce && !rules_is_of_function(r->f, chain[i]->extent))
      return NULL; // it may be 0 in one place and not in the next
    if (reduce) runs = rlx_tir_and(r->f, runs, has_iteration(r, chain[i]->extent));
    seen = seen || reduce;
    spatial += !reduce;
  }
  if (!seen || chain[spatial]->for_kind == RLX_FOR_PARALLEL) return NULL;
  *out_reduce = chain[spatial];
  RlxTirStmt *block = rlx_arena_copy(r->f->arena, at, 1, sizeof *at);
  block->init = NULL;
  RlxTirStmt *out = block;
  for (int i = count - 1; i >= 0; i--) {
    RlxTirStmt *loop = rlx_arena_copy(r->f->arena, chain[i], 1, sizeof *loop);
    loop->body = rlx_arena_one(r->f->arena, RlxTirStmt *);
    loop->body[0] = out;
    loop->count = 1;
    out = i == spatial ? c_seq2(r, init_block(r, at, runs), loop) : loop;
  }
  return out;
}

// ---- loops around two nests

static RlxTirStmt *loops_around(Rules *r, RlxTirStmt *const *chain, int count, RlxTirStmt *body) {
  for (int i = count - 1; i >= 0; i--) {
    RlxTirStmt *loop = rlx_arena_copy(r->f->arena, chain[i], 1, sizeof *loop);
    loop->body = rlx_arena_one(r->f->arena, RlxTirStmt *);
    loop->body[0] = body;
    loop->count = 1;
    body = loop;
  }
  return body;
}

static int two_statements(const RlxTirStmt *s, RlxTirStmt **out) {
  int count = 0;
  for (uint32_t i = 0; s->kind == RLX_TIR_SEQ && i < s->count; i++) {
    if (does_nothing(s->body[i])) continue;
    if (count == 2) return 3;
    out[count++] = s->body[i];
  }
  return count;
}

/// for outer…: { set; accumulate }  →  for outer…: set;  for outer…: accumulate. NULL when it does
/// not fit.
static RlxTirStmt *distribute(Rules *r, RlxTirStmt *s) {
  RlxTirStmt *chain[NEST_MAX_LOOPS], *parts[2];
  RlxTirVar *around[NEST_MAX_LOOPS];
  int count = 0;
  RlxTirStmt *at = s;
  while (at && at->kind == RLX_TIR_FOR && count < NEST_MAX_LOOPS) {
    around[count] = at->var;
    chain[count++] = at;
    at = only_statement(at->body[0]) ? only_statement(at->body[0]) : at->body[0];
  }
  if (!at || two_statements(at, parts) != 2) return NULL;
  Nest nests[2];
  RlxTirExpr **before[2];
  for (int i = 0; i < 2; i++) {
    parts[i] = loops_around(r, chain, count, parts[i]);
    if (!read_nest(r, parts[i], &nests[i])) return NULL;
    before[i] = nests[i].indices;
    rules_join_loops(r, &nests[i]);
    nests[i].accumulates = false;
    find_accumulation(&nests[i]);
  }
  return rules_can_distribute(&nests[0], before[0], &nests[1], before[1], around, count)
             ? c_seq2(r, parts[0], parts[1])
             : NULL;
}

static RlxTirStmt *walk(Rules *r, RlxTirStmt *s) {
  if (!s) return s;
  if (s->kind == RLX_TIR_FOR) {
    RlxTirStmt *both = distribute(r, s);
    if (both) {
      rules_emit_rule(r->emit, s, "distribute");
      return walk(r, both);
    }
    const char *rule = NULL;
    RlxTirStmt *replaced = try_rules(r, s, NULL, &rule);
    if (replaced) return rules_emit_rule(r->emit, s, rule), replaced;
    replaced = try_parallel(r, s);
    if (replaced) return rules_emit_parallel(r->emit, s), replaced;
    const RlxTirStmt *at = NULL;
    replaced = hoist_init(r, s, &at);
    if (replaced) return rules_emit_decompose(r->emit, s, at), replaced;
  }
  if (s->kind == RLX_TIR_WHILE) return s;
  return with_bodies(r, s);
}

RlxPrimFunc *rlx_schedule(const RlxPrimFunc *f, const RlxTarget *target, bool trusted,
                          RlxInterner *names, RlxBuf *trace) {
  RlxPrimFunc *out = rlx_primfunc_new(f->name);
  RlxArena *arena = out->arena;
  *out = *f;
  out->arena = arena;
  Emit emit = {.out = trace, .names = names, .f = f, .target = target};
  Rules r = {out, *target, names, trusted, trace ? &emit : NULL};
  if (f->body && !f->has_holes) out->body = walk(&r, f->body);
  rlx_vec_free(&emit.path);
  return out;
}

RlxTirStmt *rlx_schedule_nest(RlxPrimFunc *f, RlxInterner *names, const RlxTirStmt *loop,
                              const RlxNestRule *rule) {
  RlxTarget target = {rule->vector_bytes, rule->vector_registers, rule->threads};
  Rules r = {f, target, names, true, NULL};
  RlxTirStmt *copy = rlx_arena_copy(f->arena, loop, 1, sizeof *loop);
  const char *used = NULL;
  if (strcmp(rule->name, "distribute") == 0) return distribute(&r, copy);
  return try_rules(&r, copy, rule->name, &used);
}
