/// pad_einsum: a contraction over sizes that are multiples, through buffers that are padded with zeros.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/pad_einsum.cc. TVM does not ask whether what the
/// padding adds is zero, nor whether the block writes all that is copied back; both are asked here.
#include "analyzer/schedule/domain.h"

#include <stdio.h>

typedef struct Pad {
  RlxScheduleCall *c;
  RlxStore *store;
  const RlxTirBlockInfo *block, *scope;
  RlxTirExpr **padded; ///< by block variable: its new extent, NULL: as it is
  RlxTirVar **loops;   ///< by block variable: the loop that it is, which is padded with it; or NULL
  RlxTirBuffer **from, **to;
  RlxTirExpr *
      *runs; ///< by buffer: the condition for the copy back to have something to copy, or NULL
  int count, read_count; ///< of buffers; those that are read come first
  const RlxTirStmt *top; ///< the outermost loop
  bool is_padded;        ///< one of the variables at least
} Pad;

static bool refuse(Pad *p, const char *why) {
  const RlxTirStmt *about = p->block ? p->block->stmt : NULL;
  return rlx_schedule_refuse(p->c, RLX_DIAG_ID(SCHEDULE_PADDING), about, "ss",
                             rlx_schedule_block_name(p->c, about), why);
}

// ---- what is padded

static bool is_same(Pad *p, const RlxTirExpr *a, const RlxTirExpr *b) {
  const RlxPrim *x = rlx_tir_integer(p->store, a), *y = rlx_tir_integer(p->store, b);
  return x && y && rlx_prove_equal(p->store, NULL, x, y) == RLX_YES;
}

static bool read_padding(Pad *p) {
  RlxScheduleCall *c = p->c;
  RlxPrimFunc *f = c->f;
  const RlxScheduleValue *list = &c->args[1];
  const RlxTirBlock *b = p->block->block;
  int n = b->iter_count;
  p->padded = rlx_arena_array(c->s->arena, RlxTirExpr *, n + 1);
  p->loops = rlx_arena_array(c->s->arena, RlxTirVar *, n + 1);
  if ((int)list->count != n) return refuse(p, "`padding` has to have a number for each variable");
  for (int i = 0; i < n; i++) {
    const RlxTirIterVar *v = &b->iters[i];
    int64_t size = list->items[i].kind == RLX_SCHEDULE_INT ? list->items[i].integer : 0;
    if (size <= 0) return refuse(p, "`padding` takes positive numbers");
    RlxTirExpr *by = rlx_tir_int(f, size, v->extent->dtype);
    RlxTirExpr *up =
        rlx_tir_binary(f, RLX_TIR_ADD, v->extent, rlx_tir_int(f, size - 1, v->extent->dtype));
    RlxTirExpr *now =
        rlx_tir_binary(f, RLX_TIR_MUL, rlx_tir_binary(f, RLX_TIR_FLOORDIV, up, by), by);
    if (is_same(p, now, v->extent)) continue;
    p->padded[i] = now;
    p->is_padded = true;
    if (v->min && (v->min->kind != RLX_TIR_INT || v->min->integer))
      return refuse(p, "the domain of a variable that is padded does not start at 0");
    if (v->binding && v->binding->kind == RLX_TIR_VAR) p->loops[i] = v->binding->var;
  }
  return true;
}

/// Loops of the block alone, from 0, over all of the variable's domain.
static bool check_loops(Pad *p) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(p->c);
  const RlxTirBlock *b = p->block->block;
  p->top = p->block->loop_count ? a->loops[p->block->loops[0]].stmt : p->block->stmt;
  for (int l = 0; l < p->block->loop_count; l++) {
    const RlxTirLoopInfo *loop = &a->loops[p->block->loops[l]];
    if (loop->block_count != 1) return refuse(p, "another block stands under its loops");
    int uses = 0, padded = -1;
    for (int i = 0; i < b->iter_count; i++) {
      uses += rlx_schedule_uses(b->iters[i].binding, loop->stmt->var);
      if (p->loops[i] == loop->stmt->var) padded = i;
    }
    if (padded < 0) continue;
    int64_t first = 0;
    if (uses != 1 || (loop->min && (!rlx_prim_is_const(loop->min, &first) || first)) ||
        !is_same(p, loop->stmt->extent, b->iters[padded].extent))
      return refuse(p, "a variable that is padded is not a loop of its own over its domain");
  }
  return true;
}

/// The variable that an index is, -1: none; -2: something else than a variable or 0.
static int variable_of(const Pad *p, const RlxTirExpr *e) {
  const RlxTirBlock *b = p->block->block;
  if (e->kind == RLX_TIR_INT) return e->integer == 0 ? -1 : -2;
  for (int i = 0; e->kind == RLX_TIR_VAR && i < b->iter_count; i++)
    if (b->iters[i].var == e->var) return i;
  return -2;
}

static bool read_region(Pad *p, const RlxTirRegion *r, bool is_write) {
  RlxScheduleCall *c = p->c;
  int ndim = r->buffer->ndim;
  RlxTirExpr **shape = rlx_arena_array(c->f->arena, RlxTirExpr *, ndim + 1);
  bool is_padded = false;
  for (int d = 0; d < ndim; d++) {
    int v = variable_of(p, r->begin[d]);
    bool is_point = r->extent[d]->kind == RLX_TIR_INT && r->extent[d]->integer == 1;
    if (v == -2 || !is_point) return refuse(p, "it is not indexed by its variables alone");
    shape[d] = v >= 0 && p->padded[v] ? p->padded[v] : r->buffer->shape[d];
    is_padded |= v >= 0 && p->padded[v];
    bool is_whole =
        v < 0 ? r->buffer->shape[d]->kind == RLX_TIR_INT && r->buffer->shape[d]->integer == 1
              : is_same(p, p->block->block->iters[v].extent, r->buffer->shape[d]);
    if (!is_whole && (is_write || (v >= 0 && p->padded[v])))
      return refuse(p, is_write ? "it does not write all of a buffer, which is copied back whole"
                                : "a buffer is larger than what the block reads of it");
  }
  if (!is_padded) return true;
  for (int i = 0; i < p->count; i++)
    if (p->from[i] == r->buffer) return refuse(p, "it accesses a buffer at more than one place");
  char name[600];
  snprintf(name, sizeof name, "%s_pad", rlx_store_text(p->store, r->buffer->name));
  p->from[p->count] = r->buffer;
  p->to[p->count++] = rlx_schedule_buffer_like(
      c, r->buffer, rlx_intern_text(rlx_store_names(p->store), name), shape, ndim, 0);
  return true;
}

static bool read_regions(Pad *p) {
  const RlxTirBlock *b = p->block->block;
  int n = b->read_count + b->write_count;
  p->from = rlx_arena_array(p->c->s->arena, RlxTirBuffer *, n + 1);
  p->to = rlx_arena_array(p->c->s->arena, RlxTirBuffer *, n + 1);
  p->runs = rlx_arena_array(p->c->s->arena, RlxTirExpr *, n + 1);
  for (int i = 0; i < b->read_count; i++)
    if (!read_region(p, &b->reads[i], false)) return false;
  p->read_count = p->count;
  for (int i = 0; i < b->write_count; i++) {
    if (!read_region(p, &b->writes[i], true)) return false;
    const char *old = rlx_schedule_keeps_old(p->c, p->block, b->writes[i].buffer, false);
    if (old) return refuse(p, old);
    if (rlx_schedule_is_opaque(p->block->stmt, b->writes[i].buffer))
      return refuse(p, "it uses a buffer by its pointer");
  }
  return true;
}

// ---- what the padding adds

/// Is `e` zero where reduce variable `v` lies in the padding?
static bool is_zero(const Pad *p, const RlxTirExpr *e, int v) {
  if (e->kind == RLX_TIR_INT) return e->integer == 0;
  if (e->kind == RLX_TIR_CAST) return is_zero(p, e->args[0], v);
  if (e->kind == RLX_TIR_IF_THEN_ELSE || e->kind == RLX_TIR_SELECT)
    return is_zero(p, e->args[1], v) && is_zero(p, e->args[2], v);
  if (e->kind == RLX_TIR_ADD || e->kind == RLX_TIR_SUB)
    return is_zero(p, e->args[0], v) && is_zero(p, e->args[1], v);
  if (e->kind == RLX_TIR_MUL) { // a float times zero may be NaN
    bool one = is_zero(p, e->args[0], v), other = is_zero(p, e->args[1], v);
    return rlx_dtype_is_int(e->dtype) ? one || other : one && other;
  }
  if (e->kind != RLX_TIR_LOAD) return e->kind == RLX_TIR_FLOAT && e->number == 0;
  bool is_padded = false;
  for (int i = 0; i < p->read_count; i++) is_padded |= p->from[i] == e->buffer;
  for (int d = 0; is_padded && d < e->buffer->ndim; d++)
    if (variable_of(p, e->args[d]) == v) return true;
  return false;
}

static bool divides(const RlxTirExpr *e, void *data) {
  bool *found = data;
  *found |= rlx_dtype_is_int(e->dtype) &&
            (e->kind == RLX_TIR_DIV || e->kind == RLX_TIR_FLOORDIV || e->kind == RLX_TIR_FLOORMOD ||
             e->kind == RLX_TIR_TRUNCDIV || e->kind == RLX_TIR_TRUNCMOD);
  return !*found;
}

static bool check_body(Pad *p) {
  const RlxTirBlock *b = p->block->block;
  const RlxTirStmt *store = rlx_schedule_only_store(p->block->stmt);
  if (!store || b->write_count != 1) return refuse(p, "its body is not one store");
  bool has_division = false;
  rlx_tir_visit_expr(store->value, divides, &has_division);
  if (has_division) return refuse(p, "it divides integers, and what is padded is zero");
  for (int v = 0; v < b->iter_count; v++) {
    if (!p->padded[v] || b->iters[v].type == RLX_ITER_DATA_PAR) continue;
    bool is_sum = b->iters[v].type == RLX_ITER_REDUCE && store->value->kind == RLX_TIR_ADD &&
                  (p->block->reducer == RLX_REDUCER_SUM || p->block->has_init);
    bool adds_zero = false;
    for (int k = 0; k < 2 && is_sum; k++) {
      const RlxTirExpr *was = store->value->args[k];
      adds_zero |= was->kind == RLX_TIR_LOAD && was->buffer == store->buffer &&
                   is_zero(p, store->value->args[1 - k], v);
    }
    if (!adds_zero)
      return refuse(p, "what the padding of a reduce variable adds is not shown to be zero");
  }
  return true;
}

// ---- the copies

static RlxName numbered(Pad *p, const char *base, int i) {
  char name[32];
  snprintf(name, sizeof name, "%s%d", base, i);
  return rlx_intern_text(rlx_store_names(p->store), name);
}

/// The conditions for the copies back to have something to copy.
static bool find_conditions(Pad *p) {
  for (int k = p->read_count; k < p->count; k++) {
    const RlxScheduleCopyBack back = {p->block, p->from[k], -1, p->from[k]->shape,
                                      p->from[k]->ndim};
    if (!rlx_schedule_writes_where(p->c, &back, &p->runs[k]))
      return refuse(p, "whether it runs at all is not told where the copy back stands");
  }
  return true;
}

static RlxTirStmt *make_copy(Pad *p, int k) {
  RlxScheduleCall *c = p->c;
  RlxPrimFunc *f = c->f;
  RlxTirBuffer *from = p->from[k], *to = p->to[k];
  bool is_read = k < p->read_count;
  int ndim = from->ndim;
  RlxScheduleStage s = {.name = to->name,
                        .from = is_read ? from : to,
                        .to = is_read ? to : from,
                        .iter_count = ndim,
                        .loop_count = ndim,
                        .predicate = p->runs[k],
                        .iters = rlx_arena_array(f->arena, RlxTirIterVar, ndim + 1),
                        .loops = rlx_arena_array(f->arena, RlxTirVar *, ndim + 1)};
  s.extents = is_read ? to->shape : from->shape;
  s.from_indices = rlx_arena_array(f->arena, RlxTirExpr *, ndim + 1);
  s.to_indices = s.from_indices;
  RlxTirExpr *inside = NULL;
  for (int d = 0; d < ndim; d++) {
    RlxDType dtype = s.extents[d]->dtype;
    s.loops[d] = rlx_tir_var(f, numbered(p, "i", d), dtype);
    RlxTirVar *v = rlx_tir_var(f, numbered(p, "v", d), dtype);
    s.from_indices[d] = rlx_tir_var_expr(f, v);
    s.iters[d] = (RlxTirIterVar){.var = v,
                                 .extent = s.extents[d],
                                 .binding = rlx_tir_var_expr(f, s.loops[d]),
                                 .type = RLX_ITER_DATA_PAR};
    if (!is_read || from->shape[d] == to->shape[d]) continue;
    RlxTirExpr *below = rlx_tir_binary(f, RLX_TIR_LT, s.from_indices[d], from->shape[d]);
    inside = rlx_tir_and(f, inside, below);
  }
  RlxTirStmt *block, *out = rlx_schedule_stage(c, &s, &block);
  RlxTirExpr *value = block->body[0]->value;
  RlxTirExpr *zero = rlx_dtype_is_int(value->dtype) || value->dtype.code == RLX_DTYPE_BOOL
                         ? rlx_tir_int(f, 0, value->dtype)
                         : rlx_tir_float(f, 0, value->dtype);
  if (inside) block->body[0]->value = rlx_tir_if_then_else(f, inside, value, zero);
  return out;
}

/// The loops and the block with the padded extents.
static RlxTirStmt *widen(RlxTirRewriter *w, RlxTirStmt *s, const RlxTirStmt *old) {
  Pad *p = w->data;
  const RlxTirBlock *b = p->block->block;
  (void)old;
  RlxTirStmt *out = s;
  if (s->kind == RLX_TIR_FOR) {
    for (int i = 0; i < b->iter_count; i++)
      if (p->loops[i] == s->var) (out = rlx_tir_copy(w->f, s))->extent = p->padded[i];
  } else if (s->kind == RLX_TIR_BLOCK && s->block->iter_count == b->iter_count) {
    out = rlx_tir_copy_block(w->f, s);
    out->block->iters = rlx_arena_array(w->f->arena, RlxTirIterVar, b->iter_count + 1);
    for (int i = 0; i < b->iter_count; i++) {
      out->block->iters[i] = s->block->iters[i];
      if (p->padded[i]) out->block->iters[i].extent = p->padded[i];
    }
  }
  if (out != s) rlx_schedule_moved(p->c, s, out);
  return out;
}

static void carry_out(Pad *p) {
  RlxScheduleCall *c = p->c;
  RlxPrimFunc *f = c->f;
  const RlxTirStmt *scope = p->scope->stmt;
  RlxTirRewriter w = {.f = f, .data = p, .stmt = widen};
  RlxTirStmt *now = rlx_tir_rewrite(&w, p->top);
  for (int k = 0; k < p->count; k++) {
    RlxScheduleSwap swap = {.c = c, .from = p->from[k], .to = p->to[k]};
    now = rlx_schedule_swap(&swap, now);
  }
  RlxTirStmt **all = rlx_arena_array(f->arena, RlxTirStmt *, p->count + 1);
  int n = 0;
  for (int k = 0; k < p->read_count; k++) all[n++] = make_copy(p, k);
  all[n++] = now;
  for (int k = p->read_count; k < p->count; k++) all[n++] = make_copy(p, k);
  rlx_schedule_put(c, p->top, rlx_tir_seq(f, all, n));
  for (int k = 0; k < p->count; k++) rlx_schedule_change_alloc(c, scope, NULL, p->to[k]);
}

bool rlx_primitive_pad_einsum(RlxScheduleCall *c) {
  RlxSchedulePlace place;
  Pad p = {.c = c, .store = c->s->store};
  if (!rlx_schedule_block(c, 0, &place)) return false;
  if (place.is_root || !place.stmt) return refuse(&p, "it is the root block");
  p.block = rlx_schedule_block_info(c, place.stmt);
  p.scope = &rlx_schedule_analysis(c)->blocks[p.block->scope];
  const RlxTirBlock *b = p.block->block;
  if (!p.scope->stage_pipeline.is)
    return rlx_schedule_refuse_verdict(c, RLX_DIAG_ID(SCHEDULE_PADDING), place.stmt,
                                       &p.scope->stage_pipeline);
  if (!rlx_schedule_check_bare(c, RLX_DIAG_ID(SCHEDULE_PADDING), place.stmt, p.block)) return false;
  if (!read_padding(&p)) return false;
  if (!p.is_padded) return true; // all variables are as long as that
  if (b->alloc_count || b->match_count || b->predicate)
    return refuse(&p, "it has a predicate, or buffers of its own");
  if (!check_loops(&p) || !read_regions(&p) || !check_body(&p)) return false;
  if (rlx_tir_binding(rlx_schedule_analysis(c), p.block).proof != RLX_YES)
    return refuse(&p, "not all of its instances run once, and all that it writes is copied back");
  if (!find_conditions(&p)) return false;
  carry_out(&p);
  return true;
}
