/// reindex: the accesses of one block to a buffer go through a buffer that its own variables index.
/// reindex_cache_read, reindex_cache_write: the same with a map that gives the indices.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/cache_read_write.cc (ReIndex, ReindexCacheRead,
/// ReindexCacheWrite). Differs where the
/// copy back would carry elements that the block did not write, or take one element for two
/// (docs/differences.md).
#include "analyzer/schedule/domain.h"
#include "analyzer/schedule/index_map.h"

#include <stdio.h>

typedef struct Reindex {
  RlxScheduleCall *c;
  const RlxTirBlockInfo *block, *scope;
  bool is_write;
  RlxTirBuffer *buffer, *now;
  RlxTirExpr *const *found; ///< the indices of all accesses
  Vec(RlxTirVar *) bound;   ///< loops and lets in the body
  bool is_found, differ, has_block;
  RlxTirExpr **indices; ///< the same, simplified
  bool *is_covered;     ///< by block variable: it is in the indices
  bool fetches;         ///< a copy before brings what the block reads, adds to or leaves as it was
  bool gives_fetch;     ///< that copy is the answer of the step
  bool is_apart;        ///< each instance copies its own element: a neighbour uses the buffer
  RlxTirExpr
      *runs; ///< the condition for the copy back to have something to copy; NULL: it always has
} Reindex;

static bool refuse(Reindex *x, const char *why) {
  const RlxTirStmt *about = x->block ? x->block->stmt : NULL;
  return rlx_schedule_refuse(x->c, RLX_DIAG_ID(SCHEDULE_CACHE), about, "ss",
                             rlx_schedule_block_name(x->c, about), why);
}

// ---- the accesses

static void note_access(Reindex *x, RlxTirExpr *const *indices) {
  for (int d = 0; x->is_found && d < x->buffer->ndim; d++)
    x->differ |= !rlx_tir_expr_equal(x->found[d], indices[d]);
  if (!x->is_found) x->found = indices;
  x->is_found = true;
}

static bool note_load(const RlxTirExpr *e, void *data) {
  Reindex *x = data;
  if (e->kind == RLX_TIR_LOAD && e->buffer == x->buffer) note_access(x, e->args);
  return true;
}

static bool note_stmt(const RlxTirStmt *s, void *data) {
  Reindex *x = data;
  x->has_block |= s->kind == RLX_TIR_BLOCK;
  if (s->kind == RLX_TIR_FOR || s->kind == RLX_TIR_LET_STMT) rlx_vec_push(&x->bound, s->var);
  if (s->kind == RLX_TIR_STORE && s->buffer == x->buffer) note_access(x, s->indices);
  return true;
}

/// Simplified, variables that have one value only put in; what is a variable or would become a number
/// stays as it is.
static RlxTirExpr *simplify_index(Reindex *x, RlxTirExpr *e) {
  const RlxTirBlock *b = x->block->block;
  RlxPrimFunc *f = x->c->f;
  if (e->kind == RLX_TIR_VAR) return e;
  RlxTirSubst *put = rlx_arena_array(x->c->s->arena, RlxTirSubst, b->iter_count + 1);
  int count = 0;
  for (int i = 0; i < b->iter_count; i++)
    if (b->iters[i].extent->kind == RLX_TIR_INT && b->iters[i].extent->integer == 1)
      put[count++] = (RlxTirSubst){b->iters[i].var,
                                   b->iters[i].min ? b->iters[i].min
                                                   : rlx_tir_int(f, 0, b->iters[i].var->dtype)};
  bool has_unit = false;
  for (int i = 0; i < count; i++) has_unit |= rlx_schedule_uses(e, put[i].var);
  if (!has_unit) return e;
  RlxTirExpr *out = rlx_schedule_simplify(x->c, rlx_tir_subst(f, e, put, count));
  return out->kind == RLX_TIR_INT ? e : out;
}

static bool collect(Reindex *x) {
  RlxScheduleCall *c = x->c;
  const RlxTirBlock *b = x->block->block;
  const RlxTirStmt *body = x->block->stmt->body[0];
  rlx_tir_visit(body, note_stmt, note_load, x);
  for (uint32_t v = 0; x->is_found && v < x->bound.count; v++) // a place for each iteration
    for (int d = 0; d < x->buffer->ndim; d++)
      x->differ |= rlx_schedule_uses(x->found[d], x->bound.at[v]);
  rlx_vec_free(&x->bound);
  if (x->has_block) return refuse(x, "there are blocks inside of it");
  if (!x->is_found) return refuse(x, "it does not access the buffer by an index");
  if (x->differ) return refuse(x, "it accesses the buffer at more than one place");
  if (rlx_schedule_is_opaque(x->block->stmt, x->buffer))
    return refuse(x, "it uses the buffer by its pointer");
  if (rlx_schedule_is_aliased(x->scope->stmt ? x->scope->stmt->body[0] : c->f->body, x->buffer))
    return refuse(x, "the buffer's memory is used under another name, too");
  x->indices = rlx_arena_array(c->f->arena, RlxTirExpr *, x->buffer->ndim + 1);
  x->is_covered = rlx_arena_array(c->s->arena, bool, b->iter_count + 1);
  for (int d = 0; d < x->buffer->ndim; d++) {
    x->indices[d] = simplify_index(x, x->found[d]);
    for (int i = 0; i < b->iter_count; i++)
      x->is_covered[i] |= rlx_schedule_uses(x->indices[d], b->iters[i].var);
  }
  for (int i = 0; i < b->iter_count; i++)
    if (x->is_covered[i] && !rlx_schedule_is_index(c, &b->iters[i]))
      return refuse(x, "a variable that indexes the buffer may be less than 0");
  return true;
}

// ---- what keeps the values

/// The copy is made at another time than the block runs: no statement that stands in no block changes
/// the buffer, or looks at what is written.
static bool check_bare(Reindex *x) {
  const RlxTirStmt *bare = rlx_schedule_bare_use(x->c, x->scope, x->buffer, !x->is_write);
  if (!bare) return true;
  refuse(x, "a statement that stands in no block uses the buffer");
  rlx_schedule_also(x->c, bare, "this statement");
  return false;
}

/// An index that is read from memory is what it is only at the time when the block runs.
static bool check_index(Reindex *x) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(x->c);
  for (int i = 0; i < x->scope->child_count; i++) {
    const RlxTirBoxes *writes = &a->blocks[x->scope->children[i]].writes;
    for (int k = 0; k < writes->count; k++)
      for (int d = 0; d < x->buffer->ndim; d++)
        if (rlx_schedule_loads(x->found[d], writes->at[k].buffer))
          return refuse(x, "an index is read from a buffer that is written beside it");
  }
  return true;
}

/// The indices are one to one over the variables in them.
static bool is_injective(Reindex *x) {
  RlxScheduleCall *c = x->c;
  RlxStore *store = c->s->store;
  const RlxTirBlock *b = x->block->block;
  RlxLoopRange *all = rlx_schedule_domain_ranges(c, b);
  if (!all) return false;
  const RlxPrim **indices = rlx_arena_array(c->s->arena, const RlxPrim *, x->buffer->ndim + 1);
  int count = 0;
  for (int i = 0; i < b->iter_count; i++)
    if (x->is_covered[i]) all[count++] = all[i];
  for (int d = 0; d < x->buffer->ndim; d++)
    if (!(indices[d] = rlx_tir_integer(store, x->indices[d]))) return false;
  RlxIterQuery query = {.indices = indices,
                        .index_count = x->buffer->ndim,
                        .loops = all,
                        .loop_count = count,
                        .level = RLX_ITER_BIJECTIVE,
                        .keeps_unit_loops = true};
  return rlx_iter_map_detect(store, c->s->arena, &query).sums != NULL;
}

static bool is_guard(const RlxTirExpr *e, void *data) {
  *(bool *)data |= e->kind == RLX_TIR_IF_THEN_ELSE;
  return true;
}

static bool is_branch(const RlxTirStmt *s, void *data) {
  *(bool *)data |= s->kind == RLX_TIR_IF || s->kind == RLX_TIR_WHILE;
  return true;
}

static bool lookup(const RlxSymVar *var, int64_t *out, void *data) {
  return rlx_set_point_value(data, var, out);
}

/// An element beyond the buffer and the instance that would copy it, in words; NULL: none is known, or it hangs on
/// parameters.
static const char *first_beyond(const Reindex *x) {
  RlxStore *store = x->c->s->store;
  const RlxTirBlock *b = x->block->block;
  const RlxPrim *beyond = NULL;
  RlxSetPoint point;
  RlxLoopRange *ranges = rlx_schedule_domain_ranges(x->c, b);
  if (!ranges) return NULL;
  for (int d = 0; d < x->buffer->ndim; d++) {
    const RlxPrim *at = rlx_tir_integer(store, x->found[d]),
                  *size = rlx_tir_integer(store, x->buffer->shape[d]);
    if (!at || !size) return NULL;
    const RlxPrim *zero = rlx_prim_int_typed(store, 0, at->dtype);
    const RlxPrim *out =
        rlx_prim_binary(store, RLX_PRIM_OR, rlx_prim_binary(store, RLX_PRIM_LT, at, zero),
                        rlx_prim_binary(store, RLX_PRIM_LE, size, at));
    beyond = beyond ? rlx_prim_binary(store, RLX_PRIM_OR, beyond, out) : out;
  }
  RlxSystem system = {
      .ranges = ranges, .range_count = b->iter_count, .conditions = &beyond, .condition_count = 1};
  if (!beyond || rlx_sets_find(store, &system, &point) != RLX_YES || point.count != b->iter_count)
    return NULL;
  RlxBuf out = {0};
  rlx_buf_printf(&out, "%s[", rlx_store_text(store, x->buffer->name));
  for (int d = 0; d < x->buffer->ndim; d++) {
    int64_t value = 0;
    rlx_prim_eval(rlx_tir_integer(store, x->found[d]), lookup, &point, &value);
    rlx_buf_printf(&out, "%s%lld", d ? ", " : "", (long long)value);
  }
  rlx_buf_puts(&out, "] at (");
  for (int i = 0; i < b->iter_count; i++)
    rlx_buf_printf(&out, "%s%s", i ? ", " : "", rlx_store_text(store, b->iters[i].var->name));
  rlx_buf_puts(&out, ") = (");
  for (int i = 0; i < b->iter_count; i++) {
    int64_t value = 0;
    rlx_set_point_value(&point, ranges[i].var, &value);
    rlx_buf_printf(&out, "%s%lld", i ? ", " : "", (long long)value);
  }
  rlx_buf_putc(&out, ')');
  const char *words = rlx_arena_strdup(x->c->s->arena, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return words;
}

static bool refuse_beyond(Reindex *x) {
  const char *witness = first_beyond(x);
  refuse(x, rlx_arena_printf(
                x->c->s->arena,
                "a condition keeps it from reading beyond the buffer, which the copy would%s%s",
                witness ? ": " : "", witness ? witness : ""));
  rlx_schedule_witness(x->c, witness);
  return false;
}

/// The copy reads all that the indices tell, whatever a condition of the block says. `is_guarded`: it is not
/// known that the block itself runs for all of them.
static bool stays_inside(Reindex *x, bool is_guarded) {
  RlxStore *store = x->c->s->store;
  const RlxTirBlockInfo *b = x->block;
  is_guarded |= b->block->predicate != NULL || rlx_schedule_condition(x->c, b->stmt, NULL) != NULL;
  rlx_tir_visit(b->stmt->body[0], is_branch, is_guard, &is_guarded);
  if (!is_guarded) return true;
  const RlxFacts *facts = rlx_schedule_domain_facts(x->c, NULL, b->block);
  for (int d = 0; d < x->buffer->ndim; d++) {
    const RlxPrim *at = rlx_tir_integer(store, x->found[d]),
                  *size = rlx_tir_integer(store, x->buffer->shape[d]);
    if (!at || !size ||
        rlx_prove_less_equal(store, facts, rlx_prim_int_typed(store, 0, at->dtype), at) !=
            RLX_YES ||
        rlx_prove_less(store, facts, at, size) != RLX_YES)
      return refuse_beyond(x);
  }
  return true;
}

/// A loop around the scope, of which the scope sees one iteration only, tells which instances run.
static bool hangs_on_outer_loop(const Reindex *x) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(x->c);
  const RlxTirBlockInfo *b = x->block;
  for (int l = 0; l < a->loop_count; l++)
    for (int i = 0; a->loops[l].scope != b->scope && i < b->iter_count; i++)
      if (rlx_schedule_uses(b->block->iters[i].binding, a->loops[l].stmt->var)) return true;
  return false;
}

/// Why the copy back of a buffer that others write or see may write more than the block does; NULL: it does not.
static const char *writes_too_much(Reindex *x) {
  const RlxTirBlockInfo *b = x->block, *writer = NULL;
  bool is_only = rlx_schedule_only_writer(x->c, x->scope, x->buffer, &writer);
  if (rlx_tir_allocates(x->scope, x->buffer) && is_only) return NULL;
  x->c->refusal = NULL;
  bool runs_once = b->affine_binding.is && !b->block->predicate && !hangs_on_outer_loop(x);
  if (!runs_once && rlx_tir_binding(rlx_schedule_analysis(x->c), b).proof != RLX_YES)
    return "not all of its instances run: the copy back would write more than it does";
  RlxScheduleCopyBack back = {.block = b, .buffer = x->buffer, .outer = -1};
  RlxTirExpr **extent = rlx_arena_array(x->c->s->arena, RlxTirExpr *, b->iter_count + 1);
  for (int i = 0; i < b->iter_count; i++)
    if (x->is_covered[i]) extent[back.ndim++] = b->block->iters[i].extent;
  back.extent = extent;
  return rlx_schedule_writes_where(x->c, &back, &x->runs)
             ? NULL
             : "whether it runs at all is not told where the copy back stands";
}

/// Why the new buffer has to have what was in the old one; NULL: it need not.
static const char *needs_old(Reindex *x) {
  const RlxTirBlockInfo *b = x->block;
  for (int i = 0; i < b->iter_count; i++)
    if (x->is_covered[i] && b->has_init && b->iters[i].iter->type != RLX_ITER_DATA_PAR)
      return "a variable that reduces indexes what it writes, and the init does not run for all of "
             "its values";
  return rlx_schedule_keeps_old(x->c, b, x->buffer, false);
}

/// What the block keeps of the old values is copied before it, where the function is its scope: blocks around
/// would have to say that they read it.
static bool check_write(Reindex *x) {
  if (!is_injective(x))
    return refuse(x, "the indices that it writes are not shown to be one to one");
  const char *old = needs_old(x);
  if (!old) old = writes_too_much(x);
  x->fetches = old != NULL;
  if (!old) return true;
  x->runs = NULL;
  return x->scope->index == 0 ? stays_inside(x, true) : refuse(x, old);
}

static bool check_read(Reindex *x) {
  if (rlx_schedule_has_box(&x->block->deduced_writes, x->buffer))
    return refuse(x, "it writes the buffer, too");
  return stays_inside(x, false);
}

/// A block that also writes what it reads does both in the new buffer.
static bool check_access(Reindex *x) {
  if (x->is_write) return check_write(x);
  if (!rlx_schedule_has_box(&x->block->deduced_writes, x->buffer)) return check_read(x);
  if (x->scope->index != 0) return refuse(x, "it writes the buffer, too");
  x->is_write = x->gives_fetch = true;
  return check_write(x);
}

// ---- the copy

static RlxTirExpr **own_indices(RlxScheduleSwap *w, RlxTirExpr **at) {
  const Reindex *x = w->data;
  const RlxTirBlock *b = x->block->block;
  RlxTirExpr **out = rlx_arena_array(w->c->f->arena, RlxTirExpr *, b->iter_count + 1);
  int n = 0;
  (void)at;
  for (int i = 0; i < b->iter_count; i++)
    if (x->is_covered[i]) out[n++] = rlx_tir_var_expr(w->c->f, b->iters[i].var);
  return out;
}

static RlxName numbered(RlxScheduleCall *c, const char *base, int i) {
  char name[32];
  snprintf(name, sizeof name, "%s%d", base, i);
  return rlx_intern_text(rlx_store_names(c->s->store), name);
}

static RlxName suffixed(RlxScheduleCall *c, RlxName name) {
  const char *text = rlx_arena_printf(c->s->arena, "%s_reindex", rlx_store_text(c->s->store, name));
  return rlx_intern_text(rlx_store_names(c->s->store), text);
}

/// The buffer that the block's variables index.
static void make_buffer(Reindex *x) {
  const RlxTirBlock *b = x->block->block;
  RlxPrimFunc *f = x->c->f;
  RlxTirExpr **shape = rlx_arena_array(f->arena, RlxTirExpr *, b->iter_count + 1);
  int n = 0;
  for (int i = 0; i < b->iter_count; i++) {
    const RlxTirIterVar *iter = &b->iters[i];
    if (!x->is_covered[i]) continue;
    shape[n++] = iter->min ? rlx_tir_binary(f, RLX_TIR_ADD, iter->min, iter->extent) : iter->extent;
  }
  x->now = rlx_schedule_buffer_like(x->c, x->buffer, suffixed(x->c, x->buffer->name), shape, n, 0);
}

/// The copy from the old buffer to the new one, or `is_back`.
static RlxTirStmt *make_copy(Reindex *x, bool is_back, RlxTirStmt **out_block) {
  RlxScheduleCall *c = x->c;
  RlxPrimFunc *f = c->f;
  const RlxTirBlock *b = x->block->block;
  int count = b->iter_count, n = 0;
  RlxScheduleStage s = {.iters = rlx_arena_array(f->arena, RlxTirIterVar, count + 1),
                        .loops = rlx_arena_array(f->arena, RlxTirVar *, count + 1),
                        .mins = rlx_arena_array(f->arena, RlxTirExpr *, count + 1),
                        .extents = rlx_arena_array(f->arena, RlxTirExpr *, count + 1)};
  RlxTirExpr **own = rlx_arena_array(f->arena, RlxTirExpr *, count + 1);
  RlxTirExpr **other = rlx_arena_array(f->arena, RlxTirExpr *, x->buffer->ndim + 1);
  RlxTirSubst *put = rlx_arena_array(f->arena, RlxTirSubst, count + 1);
  for (int i = 0; i < count; i++) {
    const RlxTirIterVar *iter = &b->iters[i];
    if (!x->is_covered[i]) continue;
    RlxTirVar *v = rlx_tir_var(f, numbered(c, "v", n), iter->var->dtype);
    s.loops[n] = rlx_tir_var(f, numbered(c, "ax", n), iter->var->dtype);
    s.mins[n] = iter->min;
    s.extents[n] = iter->extent;
    s.iters[n] =
        (RlxTirIterVar){.var = v,
                        .extent = iter->extent,
                        .min = iter->min,
                        .binding = x->is_apart ? iter->binding : rlx_tir_var_expr(f, s.loops[n]),
                        .type = RLX_ITER_DATA_PAR};
    own[n] = rlx_tir_var_expr(f, v);
    put[n] = (RlxTirSubst){iter->var, own[n]};
    n++;
  }
  for (int d = 0; d < x->buffer->ndim; d++) other[d] = rlx_tir_subst(f, x->indices[d], put, n);
  s.iter_count = n;
  s.loop_count = x->is_apart ? 0 : n;
  s.from = is_back ? x->now : x->buffer;
  s.to = is_back ? x->buffer : x->now;
  s.name = suffixed(c, s.to->name);
  s.from_indices = is_back ? own : other;
  s.to_indices = is_back ? other : own;
  s.predicate = x->is_apart ? b->predicate : x->runs;
  return rlx_schedule_stage(c, &s, out_block);
}

/// The statement of the scope's sequence that the block is in: the topmost of its loops, which stand
/// directly in one another.
static const RlxTirStmt *top_of(Reindex *x) {
  enum { DEEP = 512 };
  const RlxTirStmt *path[DEEP], *out = x->block->stmt;
  int n = rlx_schedule_path(x->c, x->block->stmt, path, DEEP);
  int i = (n < DEEP ? n : DEEP) - 2;
  if (i > 0 && path[i]->kind == RLX_TIR_SEQ && path[i - 1]->kind == RLX_TIR_FOR) i--;
  for (; i >= 0 && path[i]->kind == RLX_TIR_FOR; i--) out = path[i];
  return out;
}

/// Another block under the same loops that would see the buffer before the copy, or change it after; NULL:
/// there is none.
static const RlxTirStmt *find_neighbour(const Reindex *x, const RlxTirStmt *top) {
  if (top->kind != RLX_TIR_FOR) return NULL;
  const RlxTirAnalysis *a = rlx_schedule_analysis(x->c);
  const RlxTirLoopInfo *loop = rlx_tir_loop_info(a, top);
  for (int i = 0; i < loop->block_count; i++) {
    const RlxTirBlockInfo *b = &a->blocks[loop->blocks[i]];
    if (b == x->block || (!rlx_tir_box_of(&b->writes, x->buffer) &&
                          !(x->is_write && rlx_tir_box_of(&b->reads, x->buffer))))
      continue;
    return b->stmt;
  }
  return NULL;
}

/// Each instance copies the element that it uses, right before and behind it. A reduction finds what it has
/// written there itself, so that it, too, takes the old values.
static bool check_apart(Reindex *x, const RlxTirStmt *neighbour) {
  bool brings_old = x->is_write && (x->fetches || x->block->has_init);
  x->is_apart = true;
  x->runs = NULL;
  x->fetches |= brings_old;
  if (x->block->is_in_init || (brings_old && x->scope->index != 0)) {
    refuse(x, "another block under its loops uses the buffer");
    rlx_schedule_also(x->c, neighbour, "this block");
    return false;
  }
  return stays_inside(x, false);
}

/// The copy stands beside the loops around the block, so no domain that it takes over may hang on one of them.
static bool check_domains(Reindex *x) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(x->c);
  const RlxTirBlock *b = x->block->block;
  for (int l = 0; l < x->block->loop_count; l++) {
    const RlxTirVar *var = a->loops[x->block->loops[l]].stmt->var;
    for (int i = 0; i < b->iter_count; i++)
      if (x->is_covered[i] &&
          (rlx_schedule_uses(b->iters[i].min, var) || rlx_schedule_uses(b->iters[i].extent, var)))
        return refuse(x, "the domain of one of its variables hangs on a loop around it");
  }
  return true;
}

/// Carries the step out; `spot` is where the block's loops stand.
static void put_copies(Reindex *x, const RlxTirStmt *block, RlxScheduleSpot spot) {
  RlxScheduleCall *c = x->c;
  const RlxTirStmt *scope = spot.at;
  RlxTirStmt *given[2] = {NULL, NULL}, *all[3];
  RlxScheduleSwap swap = {
      .c = c, .from = x->buffer, .to = x->now, .indices = own_indices, .data = x};
  int n = 0;
  RlxTirStmt *fetch = x->fetches ? make_copy(x, false, &given[0]) : NULL,
             *back = x->is_write ? make_copy(x, true, &given[1]) : NULL,
             *now = rlx_schedule_swap(&swap, block);
  if (x->is_apart) {
    if (fetch) all[n++] = fetch;
    all[n++] = now;
    if (back) all[n++] = back;
    now = rlx_tir_seq(c->f, all, n);
  }
  rlx_schedule_put(c, block, now);
  for (int i = 0; i < 2 && !x->is_apart; i++) {
    RlxTirStmt *copy = i ? fetch : back; // the last one first, so that the place holds
    spot.at = rlx_schedule_now(c, scope);
    if (copy) rlx_schedule_insert(c, (RlxScheduleSpot){spot.at, spot.position + !i}, copy);
  }
  rlx_schedule_change_alloc(c, scope, NULL, x->now);
  rlx_schedule_give(c, given[x->gives_fetch ? 0 : 1]);
}

bool rlx_primitive_reindex(RlxScheduleCall *c) {
  RlxSchedulePlace place;
  Reindex x = {.c = c};
  if (!rlx_schedule_block(c, 0, &place)) return false;
  if (place.is_root || !place.stmt) return refuse(&x, "it is the root block");
  x.block = rlx_schedule_block_info(c, place.stmt);
  x.scope = &rlx_schedule_analysis(c)->blocks[x.block->scope];
  if (!rlx_schedule_any_buffer(c, 1, place.stmt, &x.is_write, &x.buffer, NULL)) return false;
  if (!x.scope->stage_pipeline.is)
    return rlx_schedule_refuse_verdict(c, RLX_DIAG_ID(SCHEDULE_CACHE), place.stmt,
                                       &x.scope->stage_pipeline);
  x.fetches = !x.is_write;
  x.gives_fetch = !x.is_write;
  if (!collect(&x) || !check_bare(&x) || !check_index(&x) || !check_domains(&x) ||
      !check_access(&x))
    return false;
  const RlxTirStmt *scope = x.scope->stmt, *top = top_of(&x);
  const RlxTirStmt *body = scope ? scope->body[0] : c->f->body;
  RlxScheduleSpot spot = {scope, body == top ? 0 : -1};
  for (uint32_t i = 0; body->kind == RLX_TIR_SEQ && i < body->count; i++)
    if (body->body[i] == top) spot.position = (int)i;
  if (spot.position < 0) return refuse(&x, "it does not stand alone in loops of its scope");
  const RlxTirStmt *neighbour = find_neighbour(&x, top);
  if (neighbour && !check_apart(&x, neighbour)) return false;
  make_buffer(&x);
  put_copies(&x, place.stmt, spot);
  return true;
}

// ---- with a map: reindex_cache_read, reindex_cache_write

typedef struct Mapped {
  Reindex x;
  RlxTirExpr **at, **shape; ///< indices of the new buffer over the block's variables, and its shape
  int ndim;
  RlxScheduleSpot spot;
} Mapped;

/// The map is one to one over the variables that it and the old indices use, which are the same ones.
static bool read_map(Mapped *m) {
  RlxScheduleCall *c = m->x.c;
  RlxStore *store = c->s->store;
  const RlxTirBlock *b = m->x.block->block;
  int n = b->iter_count, used = 0;
  RlxTirExpr **vars = rlx_arena_array(c->f->arena, RlxTirExpr *, n + 1);
  for (int i = 0; i < n; i++) vars[i] = rlx_tir_var_expr(c->f, b->iters[i].var);
  m->at = rlx_schedule_map_indices(c, rlx_schedule_text(c, 3), vars, n, &m->ndim);
  RlxLoopRange *ranges = rlx_schedule_domain_ranges(c, b);
  if (!m->at || !ranges)
    return refuse(&m->x, c->map_problem ? c->map_problem
                                        : "the map does not take as many variables as it has");
  for (int i = 0; i < n; i++) {
    bool is_in_map = false, is_in_old = false;
    for (int d = 0; d < m->ndim; d++) is_in_map |= rlx_schedule_uses(m->at[d], b->iters[i].var);
    for (int d = 0; d < m->x.buffer->ndim; d++)
      is_in_old |= rlx_schedule_uses(m->x.found[d], b->iters[i].var);
    if (is_in_map != is_in_old)
      return refuse(&m->x, is_in_old ? "a variable that indexes the buffer is not in the map"
                                     : "a variable of the map does not index the buffer");
    m->x.is_covered[i] = is_in_map;
    if (is_in_map) ranges[used++] = ranges[i];
  }
  const RlxPrim **indices = rlx_arena_array(c->s->arena, const RlxPrim *, m->ndim + 1);
  for (int d = 0; d < m->ndim; d++)
    if (!(indices[d] = rlx_tir_integer(store, m->at[d])))
      return refuse(&m->x, "the map is no integer expression");
  RlxIterQuery query = {.indices = indices,
                        .index_count = m->ndim,
                        .loops = ranges,
                        .loop_count = used,
                        .level = RLX_ITER_BIJECTIVE,
                        .keeps_unit_loops = true};
  RlxIterMap map = rlx_iter_map_detect(store, c->s->arena, &query);
  if (!map.sums || map.is_padded) return refuse(&m->x, "the map is not shown to be one to one");
  RlxScheduleVars known = {.c = c};
  rlx_schedule_vars_all(&known);
  m->shape = rlx_arena_array(c->f->arena, RlxTirExpr *, m->ndim + 1);
  bool ok = true;
  for (int d = 0; d < m->ndim; d++) {
    const RlxIterSum *sum = &map.sums[d];
    const RlxPrim *end = rlx_prim_addi(store, sum->base, 1);
    for (int k = 0; k < sum->split_count; k++)
      end = rlx_prim_add(store, end,
                         rlx_prim_mul(store, rlx_prim_addi(store, sum->splits[k].extent, -1),
                                      sum->splits[k].scale));
    m->shape[d] = rlx_schedule_expr(&known, rlx_prim_simplify(store, end));
    ok &= m->shape[d] != NULL;
    if (ok && m->shape[d]->kind == RLX_TIR_INT)
      m->shape[d] = rlx_tir_int(c->f, m->shape[d]->integer, m->at[d]->dtype);
  }
  rlx_schedule_vars_free(&known);
  return ok || refuse(&m->x, "the extents of the map have no spelling in TensorIR");
}

static bool check_mapped(Mapped *m) {
  RlxScheduleCall *c = m->x.c;
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const RlxTirBlockInfo *b = m->x.block, *writer = NULL;
  if (!rlx_schedule_only_writer(c, m->x.scope, m->x.buffer, &writer)) return false;
  if (m->x.is_write) {
    for (int i = 0; i < b->iter_count; i++)
      if (m->x.is_covered[i] && b->has_init && b->iters[i].iter->type != RLX_ITER_DATA_PAR)
        return refuse(&m->x, "a variable that reduces indexes what it writes");
    const char *old = rlx_schedule_keeps_old(c, b, m->x.buffer, false);
    if (old) return refuse(&m->x, old);
  } else if (!check_read(&m->x))
    return false;
  const RlxTirStmt **related = rlx_arena_array(c->s->arena, const RlxTirStmt *, a->block_count + 1);
  int count = 0;
  if (!m->x.is_write) related[count++] = b->stmt;
  RlxTirDependencyWalk walk = rlx_tir_dependencies(b->index);
  RlxTirDependency d;
  while (m->x.is_write && count < a->block_count && rlx_tir_next_dependency(a, &walk, &d))
    if (d.src == b->index && d.kind == RLX_DEPENDENCY_RAW) related[count++] = a->blocks[d.dst].stmt;
  m->spot = (RlxScheduleSpot){m->x.scope->stmt, 0};
  if (m->x.is_write || writer)
    m->spot = rlx_schedule_spot_between(c, m->x.scope, m->x.is_write ? b->stmt : writer->stmt,
                                        related, count);
  return m->spot.position >= 0 ||
         refuse(&m->x, "the copy would stand inside of a condition, a let or the like");
}

/// Which loops around the block, from `from` on, the copy needs: those of variables that are used, and
/// those that the range of one of these mentions.
static void find_used(const Mapped *m, bool *is_used, int from) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(m->x.c);
  const RlxTirBlockInfo *b = m->x.block;
  for (int l = b->loop_count - 1; l >= from; l--) {
    const RlxTirVar *var = a->loops[b->loops[l]].stmt->var;
    for (int i = 0; i < b->iter_count; i++)
      is_used[l] |= m->x.is_covered[i] && rlx_schedule_uses(b->block->iters[i].binding, var);
    for (int k = l + 1; k < b->loop_count; k++) {
      const RlxTirStmt *inner = a->loops[b->loops[k]].stmt;
      is_used[l] |= is_used[k] &&
                    (rlx_schedule_uses(inner->min, var) || rlx_schedule_uses(inner->extent, var));
    }
  }
}

/// Over the variables that are used, under copies of their loops below the spot; NULL: refused.
static RlxTirStmt *make_mapped(Mapped *m, RlxTirStmt **out_block) {
  RlxScheduleCall *c = m->x.c;
  RlxPrimFunc *f = c->f;
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const RlxTirBlock *b = m->x.block->block;
  int loops = m->x.block->loop_count, n = b->iter_count, from = 0, used = 0, put_count = 0;
  for (int l = 0; l < loops; l++)
    if (a->loops[m->x.block->loops[l]].stmt == m->spot.at) from = l + 1;
  RlxScheduleStage s = {.name = m->x.now->name,
                        .iters = rlx_arena_array(f->arena, RlxTirIterVar, n + 1),
                        .loops = rlx_arena_array(f->arena, RlxTirVar *, loops + 1),
                        .mins = rlx_arena_array(f->arena, RlxTirExpr *, loops + 1),
                        .extents = rlx_arena_array(f->arena, RlxTirExpr *, loops + 1)};
  RlxTirSubst *put = rlx_arena_array(f->arena, RlxTirSubst, loops + n + 1);
  const RlxTirStmt **others = rlx_arena_array(c->s->arena, const RlxTirStmt *, loops + 1);
  RlxScheduleInit rest = {.c = c, .info = m->x.block, .discarded = others, .follows_all = true};
  bool *is_used = rlx_arena_array(c->s->arena, bool, loops + 1);
  find_used(m, is_used, from);
  for (int l = from; l < loops; l++) {
    const RlxTirStmt *loop = a->loops[m->x.block->loops[l]].stmt;
    if (!is_used[l]) others[rest.discarded_count++] = loop;
    if (!is_used[l]) continue;
    RlxTirVar *v = rlx_tir_var(f, loop->var->name, loop->var->dtype);
    s.loops[s.loop_count] = v;
    s.mins[s.loop_count] = loop->min ? rlx_tir_subst(f, loop->min, put, put_count) : NULL;
    s.extents[s.loop_count++] = rlx_tir_subst(f, loop->extent, put, put_count);
    put[put_count++] = (RlxTirSubst){loop->var, rlx_tir_var_expr(f, v)};
  }
  int loop_puts = put_count;
  for (int i = 0; i < n; i++) {
    if (!m->x.is_covered[i]) continue;
    RlxTirIterVar *v = &s.iters[used++];
    *v = b->iters[i];
    v->var = rlx_tir_var(f, v->var->name, v->var->dtype);
    v->type = RLX_ITER_DATA_PAR;
    v->min = v->min ? rlx_tir_subst(f, v->min, put, loop_puts) : NULL;
    v->extent = rlx_tir_subst(f, v->extent, put, loop_puts);
    v->binding = rlx_tir_subst(f, v->binding, put, loop_puts);
    put[put_count++] = (RlxTirSubst){b->iters[i].var, rlx_tir_var_expr(f, v->var)};
  }
  s.iter_count = used;
  RlxTirExpr *predicate = rlx_schedule_init_predicate(&rest, b->predicate);
  if (rest.is_lost) {
    refuse(&m->x, "its predicate is about loops that the copy does not run in");
    return NULL;
  }
  s.predicate = predicate ? rlx_tir_subst(f, predicate, put, loop_puts) : NULL;
  RlxTirExpr **old = rlx_arena_array(f->arena, RlxTirExpr *, m->x.buffer->ndim + 1);
  RlxTirExpr **now = rlx_arena_array(f->arena, RlxTirExpr *, m->ndim + 1);
  for (int d = 0; d < m->x.buffer->ndim; d++)
    old[d] = rlx_tir_subst(f, m->x.found[d], put + loop_puts, put_count - loop_puts);
  for (int d = 0; d < m->ndim; d++)
    now[d] = rlx_tir_subst(f, m->at[d], put + loop_puts, put_count - loop_puts);
  s.from = m->x.is_write ? m->x.now : m->x.buffer;
  s.to = m->x.is_write ? m->x.buffer : m->x.now;
  s.from_indices = m->x.is_write ? now : old;
  s.to_indices = m->x.is_write ? old : now;
  return rlx_schedule_stage(c, &s, out_block);
}

static RlxTirExpr **mapped_indices(RlxScheduleSwap *w, RlxTirExpr **at) {
  (void)at;
  return ((const Mapped *)w->data)->at;
}

static bool reindex_mapped(RlxScheduleCall *c, bool is_write) {
  RlxSchedulePlace place;
  Mapped m = {.x = {.c = c, .is_write = is_write}};
  const char *storage = rlx_schedule_text(c, 2);
  if (!rlx_schedule_block(c, 0, &place)) return false;
  if (place.is_root || !place.stmt) return refuse(&m.x, "it is the root block");
  m.x.block = rlx_schedule_block_info(c, place.stmt);
  m.x.scope = &rlx_schedule_analysis(c)->blocks[m.x.block->scope];
  if (!rlx_schedule_check_scope_name(c, storage) ||
      !rlx_schedule_buffer(c, 1, place.stmt, is_write, &m.x.buffer, NULL))
    return false;
  if (!m.x.scope->stage_pipeline.is)
    return rlx_schedule_refuse_verdict(c, RLX_DIAG_ID(SCHEDULE_CACHE), place.stmt,
                                       &m.x.scope->stage_pipeline);
  if (!collect(&m.x) || !check_bare(&m.x) || !check_index(&m.x) || !read_map(&m) ||
      !check_mapped(&m))
    return false;
  const RlxTirStmt *scope = m.x.scope->stmt;
  RlxInterner *names = rlx_store_names(c->s->store);
  const char *name = rlx_arena_printf(c->s->arena, "%s_%s",
                                      rlx_store_text(c->s->store, m.x.buffer->name), storage);
  m.x.now = rlx_schedule_buffer_like(c, m.x.buffer, rlx_intern_text(names, name), m.shape, m.ndim,
                                     rlx_intern_text(names, storage));
  RlxTirStmt *block = NULL, *copy = make_mapped(&m, &block);
  if (!copy) return false;
  RlxScheduleSwap swap = {
      .c = c, .from = m.x.buffer, .to = m.x.now, .indices = mapped_indices, .data = &m};
  rlx_schedule_put(c, place.stmt, rlx_schedule_swap(&swap, place.stmt));
  m.spot.at = rlx_schedule_now(c, m.spot.at);
  rlx_schedule_insert(c, m.spot, copy);
  rlx_schedule_change_alloc(c, scope, NULL, m.x.now);
  rlx_schedule_give(c, block);
  return true;
}

bool rlx_primitive_reindex_cache_read(RlxScheduleCall *c) { return reindex_mapped(c, false); }
bool rlx_primitive_reindex_cache_write(RlxScheduleCall *c) { return reindex_mapped(c, true); }
