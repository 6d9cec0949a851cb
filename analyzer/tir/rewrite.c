/// Rebuilding TensorIR. Always true: nodes that are not changed are shared with the tree before.
#include "analyzer/tir/rewrite.h"

#include <string.h>

RlxTirStmt *rlx_tir_copy(RlxPrimFunc *f, const RlxTirStmt *s) {
  RlxTirStmt *out = rlx_arena_one(f->arena, RlxTirStmt);
  *out = *s;
  out->body = rlx_arena_array(f->arena, RlxTirStmt *, s->count);
  for (uint32_t i = 0; i < s->count; i++) out->body[i] = s->body[i];
  return out;
}

RlxTirStmt *rlx_tir_copy_block(RlxPrimFunc *f, const RlxTirStmt *s) {
  RlxTirStmt *out = rlx_tir_copy(f, s);
  if (!s->block) return out;
  out->block = rlx_arena_one(f->arena, RlxTirBlock);
  *out->block = *s->block;
  return out;
}

// ---- expressions

RlxTirExpr *rlx_tir_rewrite_expr(RlxTirRewriter *w, const RlxTirExpr *e) {
  if (!e) return NULL;
  RlxTirExpr *out = NULL;
  for (int i = 0; i < e->arg_count; i++) {
    RlxTirExpr *arg = rlx_tir_rewrite_expr(w, e->args[i]);
    if (arg == e->args[i]) continue;
    if (!out) {
      out = rlx_arena_one(w->f->arena, RlxTirExpr);
      *out = *e;
      out->args = rlx_arena_array(w->f->arena, RlxTirExpr *, e->arg_count);
      for (int k = 0; k < e->arg_count; k++) out->args[k] = e->args[k];
    }
    out->args[i] = arg;
  }
  if (e->kind == RLX_TIR_LOAD && w->buffer) {
    RlxTirBuffer *b = w->buffer(w, e->buffer);
    if (b != e->buffer) {
      if (!out) {
        out = rlx_arena_one(w->f->arena, RlxTirExpr);
        *out = *e;
      }
      out->buffer = b;
    }
  }
  // A node that nothing changed is the caller's own: const only while it was looked at.
  RlxTirExpr *now = out;
  if (!now) memcpy(&now, &e, sizeof now);
  return w->expr ? w->expr(w, now) : now;
}

static bool rewrite_exprs(RlxTirRewriter *w, RlxTirExpr **const *at, RlxTirExpr ***out, int count) {
  RlxTirExpr **now = NULL;
  for (int i = 0; i < count; i++) {
    RlxTirExpr *e = rlx_tir_rewrite_expr(w, (*at)[i]);
    if (e == (*at)[i]) continue;
    if (!now) {
      now = rlx_arena_array(w->f->arena, RlxTirExpr *, count);
      for (int k = 0; k < count; k++) now[k] = (*at)[k];
    }
    now[i] = e;
  }
  *out = now ? now : *at;
  return now != NULL;
}

// ---- blocks

static bool rewrite_regions(RlxTirRewriter *w, RlxTirRegion **regions, int count) {
  RlxTirRegion *now = NULL;
  for (int i = 0; i < count; i++) {
    RlxTirRegion r = (*regions)[i];
    int ndim = r.buffer->ndim;
    bool changed = rewrite_exprs(w, &(*regions)[i].begin, &r.begin, ndim);
    changed |= rewrite_exprs(w, &(*regions)[i].extent, &r.extent, ndim);
    if (w->buffer) r.buffer = w->buffer(w, r.buffer);
    if (!changed && r.buffer == (*regions)[i].buffer) continue;
    if (!now) {
      now = rlx_arena_array(w->f->arena, RlxTirRegion, count);
      for (int k = 0; k < count; k++) now[k] = (*regions)[k];
    }
    now[i] = r;
  }
  if (now) *regions = now;
  return now != NULL;
}

static bool rewrite_buffers(RlxTirRewriter *w, RlxTirBuffer ***buffers, int count) {
  if (!w->buffer) return false;
  RlxTirBuffer **now = NULL;
  for (int i = 0; i < count; i++) {
    RlxTirBuffer *b = w->buffer(w, (*buffers)[i]);
    if (b == (*buffers)[i]) continue;
    if (!now) {
      now = rlx_arena_array(w->f->arena, RlxTirBuffer *, count);
      for (int k = 0; k < count; k++) now[k] = (*buffers)[k];
    }
    now[i] = b;
  }
  if (now) *buffers = now;
  return now != NULL;
}

/// match_buffer inside a block: the region of the buffer that is looked into.
static bool rewrite_matches(RlxTirRewriter *w, RlxTirBlock *b) {
  RlxTirBuffer **now = NULL;
  for (int i = 0; i < b->match_count; i++) {
    RlxTirBuffer m = *b->matches[i];
    if (!m.view_of) continue;
    bool changed = m.view_origin &&
                   rewrite_exprs(w, &b->matches[i]->view_origin, &m.view_origin, m.view_of->ndim);
    if (w->buffer) m.view_of = w->buffer(w, m.view_of);
    for (int k = 0; now && k < i; k++) // a view of a view beside it
      if (m.view_of == b->matches[k]) m.view_of = now[k];
    if (!changed && m.view_of == b->matches[i]->view_of) continue;
    if (!now) {
      now = rlx_arena_array(w->f->arena, RlxTirBuffer *, b->match_count);
      for (int k = 0; k < b->match_count; k++) now[k] = b->matches[k];
    }
    now[i] = rlx_arena_one(w->f->arena, RlxTirBuffer);
    *now[i] = m;
    now[i]->id = w->f->buffer_count++;
  }
  if (now) b->matches = now;
  return now != NULL;
}

static bool rewrite_block(RlxTirRewriter *w, const RlxTirBlock *old, RlxTirBlock **out) {
  RlxTirBlock b = *old;
  bool changed = false;
  RlxTirIterVar *iters = NULL;
  for (int i = 0; i < b.iter_count; i++) {
    RlxTirIterVar v = b.iters[i];
    v.min = rlx_tir_rewrite_expr(w, v.min);
    v.extent = rlx_tir_rewrite_expr(w, v.extent);
    v.binding = rlx_tir_rewrite_expr(w, v.binding);
    if (v.min == b.iters[i].min && v.extent == b.iters[i].extent && v.binding == b.iters[i].binding)
      continue;
    if (!iters) {
      iters = rlx_arena_array(w->f->arena, RlxTirIterVar, b.iter_count);
      for (int k = 0; k < b.iter_count; k++) iters[k] = b.iters[k];
    }
    iters[i] = v;
  }
  if (iters) b.iters = iters, changed = true;
  b.predicate = rlx_tir_rewrite_expr(w, old->predicate);
  changed |= b.predicate != old->predicate;
  if (b.read_count > 0) changed |= rewrite_regions(w, &b.reads, b.read_count);
  if (b.write_count > 0) changed |= rewrite_regions(w, &b.writes, b.write_count);
  changed |= rewrite_buffers(w, &b.allocs, b.alloc_count);
  changed |= rewrite_matches(w, &b);
  if (!changed) return false;
  *out = rlx_arena_one(w->f->arena, RlxTirBlock);
  **out = b;
  return true;
}

/// Buffers of a block that are others now: accesses below mean those.
typedef struct Rematch {
  RlxTirBuffer *const *old, *const *now;
  int count;
  RlxTirRewriter *outer;
} Rematch;

static RlxTirBuffer *rematched(RlxTirRewriter *w, RlxTirBuffer *b) {
  const Rematch *m = w->data;
  for (int i = 0; i < m->count; i++)
    if (b == m->old[i]) return m->now[i];
  return b;
}

static void rematch_moved(RlxTirRewriter *w, const RlxTirStmt *old, RlxTirStmt *now) {
  const Rematch *m = w->data;
  if (m->outer->moved) m->outer->moved(m->outer, old, now);
}

/// The body and init of `s`, a block of its own whose match_buffers were `old`.
static void rematch(RlxTirRewriter *outer, RlxTirStmt *s, const RlxTirBlock *old) {
  Rematch m = {old->matches, s->block->matches, old->match_count, outer};
  RlxTirRewriter w = {.f = outer->f, .data = &m, .buffer = rematched, .moved = rematch_moved};
  RlxTirStmt **body = rlx_arena_array(w.f->arena, RlxTirStmt *, s->count + 1);
  for (uint32_t i = 0; i < s->count; i++) body[i] = rlx_tir_rewrite(&w, s->body[i]);
  s->body = body;
  s->init = rlx_tir_rewrite(&w, s->init);
}

// ---- statements

/// What a loop does again and again never contains a hole in place of a statement.
static RlxTirStmt *nothing(RlxTirRewriter *w) { return rlx_tir_stmt(w->f, RLX_TIR_NOP, 0); }

static RlxTirStmt *rewrite_children(RlxTirRewriter *w, const RlxTirStmt *s) {
  RlxTirStmt *out = NULL;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    RlxTirStmt *child = rlx_tir_rewrite(w, s->body[i]);
    if (child == s->body[i] && !out) {
      kept++;
      continue;
    }
    if (!out) out = rlx_tir_copy(w->f, s);
    if (child || s->kind != RLX_TIR_SEQ) out->body[kept++] = child ? child : nothing(w);
  }
  if (out) out->count = kept;
  return out;
}

RlxTirStmt *rlx_tir_rewrite(RlxTirRewriter *w, const RlxTirStmt *s) {
  if (!s) return NULL;
  RlxTirStmt *given = NULL;
  if (w->enter && w->enter(w, s, &given)) return given;
  RlxTirStmt now = *s;
  RlxTirStmt *out = rewrite_children(w, s);
  if (out) now.body = out->body, now.count = out->count;
  bool changed = out != NULL;
  now.min = rlx_tir_rewrite_expr(w, s->min);
  now.extent = rlx_tir_rewrite_expr(w, s->extent);
  now.cond = rlx_tir_rewrite_expr(w, s->cond);
  now.value = rlx_tir_rewrite_expr(w, s->value);
  changed |=
      now.min != s->min || now.extent != s->extent || now.cond != s->cond || now.value != s->value;
  if (s->kind == RLX_TIR_STORE)
    changed |= rewrite_exprs(w, &s->indices, &now.indices, s->buffer->ndim);
  if (s->buffer && w->buffer) {
    now.buffer = w->buffer(w, s->buffer);
    changed |= now.buffer != s->buffer;
  }
  if (s->init) {
    now.init = rlx_tir_rewrite(w, s->init);
    changed |= now.init != s->init;
  }
  if (s->block && s->kind == RLX_TIR_BLOCK) changed |= rewrite_block(w, s->block, &now.block);
  RlxTirStmt *result = NULL;
  if (!changed)
    memcpy(&result, &s, sizeof result);
  else {
    result = out ? out : rlx_arena_one(w->f->arena, RlxTirStmt);
    *result = now;
    if (s->kind == RLX_TIR_BLOCK && s->block && now.block->matches != s->block->matches)
      rematch(w, result, s->block);
  }
  if (changed && w->moved && (s->kind == RLX_TIR_FOR || s->kind == RLX_TIR_BLOCK))
    w->moved(w, s, result);
  return w->stmt ? w->stmt(w, result, s) : result;
}

// ---- substitution

typedef struct Subst {
  const RlxTirSubst *at;
  int count;
  void *data; ///< of the caller
  void (*moved)(RlxTirRewriter *, const RlxTirStmt *, RlxTirStmt *);
} Subst;

static RlxTirExpr *put_in(RlxTirRewriter *w, RlxTirExpr *e) {
  const Subst *s = w->data;
  if (e->kind != RLX_TIR_VAR) return e;
  for (int i = 0; i < s->count; i++)
    if (s->at[i].var == e->var)
      return s->at[i].value->dtype.bits == e->dtype.bits || e->dtype.code != RLX_DTYPE_INT
                 ? s->at[i].value
                 : rlx_tir_cast(w->f, e->dtype, s->at[i].value);
  return e;
}

RlxTirExpr *rlx_tir_subst(RlxPrimFunc *f, const RlxTirExpr *e, const RlxTirSubst *at, int count) {
  Subst s = {at, count, NULL, NULL};
  RlxTirRewriter w = {.f = f, .data = &s, .expr = put_in};
  return rlx_tir_rewrite_expr(&w, e);
}

static void tell_moved(RlxTirRewriter *w, const RlxTirStmt *old, RlxTirStmt *now) {
  const Subst *s = w->data;
  RlxTirRewriter outer = {.f = w->f, .data = s->data};
  s->moved(&outer, old, now);
}

RlxTirStmt *rlx_tir_subst_stmt(RlxPrimFunc *f, const RlxTirStmt *stmt, const RlxTirSubst *at,
                               int count,
                               void (*moved)(RlxTirRewriter *, const RlxTirStmt *, RlxTirStmt *),
                               void *data) {
  Subst s = {at, count, data, moved};
  RlxTirRewriter w = {.f = f, .data = &s, .expr = put_in, .moved = moved ? tell_moved : NULL};
  return rlx_tir_rewrite(&w, stmt);
}

// ---- looking

bool rlx_tir_node_equal(const RlxTirExpr *a, const RlxTirExpr *b) {
  if (a->kind != b->kind || a->arg_count != b->arg_count || !rlx_dtype_equal(a->dtype, b->dtype))
    return false;
  switch ((RlxTirExprKind)a->kind) {
  case RLX_TIR_INT: return a->integer == b->integer;
  case RLX_TIR_FLOAT: return memcmp(&a->number, &b->number, sizeof a->number) == 0;
  case RLX_TIR_STRING:
    return a->text_size == b->text_size && memcmp(a->text, b->text, a->text_size) == 0;
  case RLX_TIR_VAR:
  case RLX_TIR_LET: return a->var == b->var;
  case RLX_TIR_LOAD: return a->buffer == b->buffer;
  case RLX_TIR_CALL: return a->name == b->name;
  case RLX_TIR_HOLE:
    return false;
  RLX_TIR_ARITHMETIC_CASES:
  RLX_TIR_COMPARE_CASES:
  case RLX_TIR_BITNOT:
  case RLX_TIR_AND:
  case RLX_TIR_OR:
  case RLX_TIR_NOT:
  case RLX_TIR_SELECT:
  case RLX_TIR_IF_THEN_ELSE:
  case RLX_TIR_CAST:
  case RLX_TIR_REINTERPRET:
  case RLX_TIR_RAMP:
  case RLX_TIR_BROADCAST:
  case RLX_TIR_RANGE:
  case RLX_TIR_ADDRESS_OF: return true;
  }
  return true;
}

bool rlx_tir_expr_equal(const RlxTirExpr *a, const RlxTirExpr *b) {
  if (a == b) return true;
  if (!a || !b || !rlx_tir_node_equal(a, b)) return false;
  for (int i = 0; i < a->arg_count; i++)
    if (!rlx_tir_expr_equal(a->args[i], b->args[i])) return false;
  return true;
}

void rlx_tir_visit_expr(const RlxTirExpr *e, bool (*each)(const RlxTirExpr *, void *), void *data) {
  if (!e || !each(e, data)) return;
  for (int i = 0; i < e->arg_count; i++) rlx_tir_visit_expr(e->args[i], each, data);
}

typedef bool (*EachExpr)(const RlxTirExpr *, void *);

static void visit_regions(const RlxTirRegion *at, int count, EachExpr each, void *data) {
  for (int i = 0; i < count; i++)
    for (int d = 0; d < at[i].buffer->ndim; d++) {
      rlx_tir_visit_expr(at[i].begin[d], each, data);
      rlx_tir_visit_expr(at[i].extent[d], each, data);
    }
}

static void visit_block(const RlxTirBlock *b, EachExpr each, void *data) {
  for (int i = 0; i < b->iter_count; i++) {
    rlx_tir_visit_expr(b->iters[i].min, each, data);
    rlx_tir_visit_expr(b->iters[i].extent, each, data);
    rlx_tir_visit_expr(b->iters[i].binding, each, data);
  }
  rlx_tir_visit_expr(b->predicate, each, data);
  visit_regions(b->reads, b->read_count, each, data);
  visit_regions(b->writes, b->write_count, each, data);
}

void rlx_tir_visit(const RlxTirStmt *s, bool (*stmt)(const RlxTirStmt *, void *), EachExpr expr,
                   void *data) {
  if (!s || (stmt && !stmt(s, data))) return;
  if (expr) {
    rlx_tir_visit_expr(s->min, expr, data);
    rlx_tir_visit_expr(s->extent, expr, data);
    rlx_tir_visit_expr(s->cond, expr, data);
    if (s->kind == RLX_TIR_STORE)
      for (int d = 0; d < s->buffer->ndim; d++) rlx_tir_visit_expr(s->indices[d], expr, data);
    rlx_tir_visit_expr(s->value, expr, data);
    if (s->kind == RLX_TIR_BLOCK) visit_block(s->block, expr, data);
  }
  rlx_tir_visit(s->init, stmt, expr, data);
  for (uint32_t i = 0; i < s->count; i++) rlx_tir_visit(s->body[i], stmt, expr, data);
}
