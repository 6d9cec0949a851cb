/// Rewriting the tree of a PrimFunc: nodes above a change are copied, the rest is shared, and handles
/// follow what became of their loop or block.
#include "analyzer/schedule/schedule_impl.h"

#include <stdio.h>
#include <string.h>

void rlx_schedule_moved(RlxScheduleCall *c, const RlxTirStmt *old, const RlxTirStmt *now) {
  if (old != now) rlx_vec_push(&c->moves, (RlxScheduleMove){old, now});
}

bool rlx_schedule_stands_in(const RlxTirStmt *s, const RlxTirStmt *inner) {
  if (s == inner) return true;
  for (uint32_t i = 0; i < s->count; i++)
    if (rlx_schedule_stands_in(s->body[i], inner)) return true;
  return false;
}

const RlxTirStmt *rlx_schedule_now(const RlxScheduleCall *c, const RlxTirStmt *old) {
  for (uint32_t i = 0; i < c->moves.count && old; i++)
    if (c->moves.at[i].old == old) old = c->moves.at[i].now;
  return old;
}

void rlx_schedule_note_moved(RlxTirRewriter *w, const RlxTirStmt *old, RlxTirStmt *now) {
  rlx_schedule_moved(w->data, old, now);
}

RlxTirStmt *rlx_schedule_subst(RlxScheduleCall *c, const RlxTirStmt *s, const RlxTirSubst *at,
                               int count) {
  return rlx_tir_subst_stmt(c->f, s, at, count, rlx_schedule_note_moved, c);
}

// ---- replacing

static bool is_marked(const RlxTirStmt *s) {
  return s->kind == RLX_TIR_FOR || s->kind == RLX_TIR_BLOCK;
}

typedef struct Replace {
  RlxScheduleCall *c;
  const RlxTirStmt *old;
  RlxTirStmt *now;
  bool is_done;
} Replace;

/// A statement that does nothing, or is only loops and sequences around such.
static bool is_empty(const RlxTirStmt *s) {
  if (!s || s->kind == RLX_TIR_NOP) return true;
  if (s->kind == RLX_TIR_FOR) return is_empty(s->body[0]);
  if (s->kind != RLX_TIR_SEQ) return false;
  for (uint32_t i = 0; i < s->count; i++)
    if (!is_empty(s->body[i])) return false;
  return true;
}

/// `s` with `old` replaced below, NULL when nothing is left of it; `s` itself when it is not there.
static RlxTirStmt *replace_in(Replace *r, RlxTirStmt *s) {
  if (r->is_done) return s;
  if (s == r->old) {
    r->is_done = true;
    return r->now;
  }
  RlxTirStmt *init = s->init ? replace_in(r, s->init) : NULL;
  if (r->is_done) {
    RlxTirStmt *out = rlx_tir_copy(r->c->f, s);
    out->init = init;
    rlx_schedule_moved(r->c, s, out);
    return out;
  }
  for (uint32_t i = 0; i < s->count; i++) {
    RlxTirStmt *child = replace_in(r, s->body[i]);
    if (!r->is_done) continue;
    RlxTirStmt *out = NULL;
    if (!child && s->kind == RLX_TIR_FOR) {
      rlx_schedule_moved(r->c, s, NULL);
      return NULL;
    }
    out = rlx_tir_copy(r->c->f, s);
    if (s->kind == RLX_TIR_SEQ && (!child || is_empty(child))) {
      out->count = 0;
      for (uint32_t k = 0; k < s->count; k++)
        if (k != i) out->body[out->count++] = s->body[k];
      if (out->count == 1) return out->body[0];
      return out->count ? out : NULL;
    }
    if (s->kind == RLX_TIR_SEQ && child->kind == RLX_TIR_SEQ) { // sequences stay flat
      RlxTirStmt **body = rlx_arena_array(r->c->f->arena, RlxTirStmt *, s->count + child->count);
      uint32_t n = 0;
      for (uint32_t k = 0; k < s->count; k++)
        if (k != i)
          body[n++] = s->body[k];
        else
          for (uint32_t m = 0; m < child->count; m++) body[n++] = child->body[m];
      out->body = body;
      out->count = n;
      return out;
    }
    out->body[i] = child ? child : rlx_tir_stmt(r->c->f, RLX_TIR_NOP, 0);
    if (is_marked(s)) rlx_schedule_moved(r->c, s, out);
    return out;
  }
  return s;
}

void rlx_schedule_put(RlxScheduleCall *c, const RlxTirStmt *old, RlxTirStmt *now) {
  Replace r = {c, old, now, false};
  RlxTirStmt *body = replace_in(&r, c->f->body);
  c->f->body = body ? body : rlx_tir_stmt(c->f, RLX_TIR_NOP, 0);
}

void rlx_schedule_replace(RlxScheduleCall *c, const RlxTirStmt *old, RlxTirStmt *now) {
  if (old == now) return;
  rlx_schedule_put(c, old, now);
  if (!now || (is_marked(now) && now->kind == old->kind)) rlx_schedule_moved(c, old, now);
}

RlxTirStmt *rlx_schedule_write_root(RlxScheduleCall *c) {
  RlxPrimFunc *f = c->f;
  RlxName name = rlx_intern_text(rlx_store_names(c->s->store), "root");
  RlxTirStmt *body = f->body ? f->body : rlx_tir_stmt(f, RLX_TIR_NOP, 0);
  RlxTirStmt *root = rlx_tir_block(f, name, NULL, 0, NULL, body);
  root->block->allocs = f->root_allocs;
  root->block->alloc_count = f->root_alloc_count;
  root->block->reads = root->block->writes = rlx_arena_array(f->arena, RlxTirRegion, 1);
  root->block->read_count = root->block->write_count = 0;
  f->root_allocs = NULL;
  f->root_alloc_count = 0;
  f->body = root;
  return root;
}

// ---- names

typedef struct Named {
  const char *name;
  const RlxStore *store;
  bool found;
} Named;

static bool has_name(const Named *n, RlxName name) {
  return strcmp(rlx_store_text(n->store, name), n->name) == 0;
}

static bool stmt_has_name(const RlxTirStmt *s, void *data) {
  Named *n = data;
  if (s->var && has_name(n, s->var->name)) n->found = true;
  if (s->buffer && has_name(n, s->buffer->name)) n->found = true;
  if (s->kind == RLX_TIR_BLOCK) {
    if (has_name(n, s->block->name)) n->found = true;
    for (int i = 0; i < s->block->alloc_count; i++)
      n->found |= has_name(n, s->block->allocs[i]->name);
    for (int i = 0; i < s->block->iter_count; i++)
      n->found |= has_name(n, s->block->iters[i].var->name);
  }
  return !n->found;
}

static bool is_taken(const RlxScheduleCall *c, const char *name) {
  Named n = {name, c->s->store, false};
  for (int i = 0; i < c->f->param_count; i++) {
    const RlxTirParam *p = &c->f->params[i];
    if (p->buffer && has_name(&n, p->buffer->name)) return true;
    if (p->var && has_name(&n, p->var->name)) return true;
  }
  for (int i = 0; i < c->f->root_alloc_count; i++)
    if (has_name(&n, c->f->root_allocs[i]->name)) return true;
  rlx_tir_visit(c->f->body, stmt_has_name, NULL, &n);
  return n.found;
}

RlxName rlx_schedule_name(RlxScheduleCall *c, const char *format, ...) {
  char base[512], name[560];
  va_list args;
  va_start(args, format);
  vsnprintf(base, sizeof base, format, args);
  va_end(args);
  snprintf(name, sizeof name, "%s", base);
  for (int i = 1; is_taken(c, name); i++) snprintf(name, sizeof name, "%s_%d", base, i);
  return rlx_intern_text(rlx_store_names(c->s->store), name);
}

RlxTirVar *rlx_schedule_new_var(RlxScheduleCall *c, const char *base, RlxDType dtype) {
  return rlx_tir_var(c->f, rlx_schedule_name(c, "%s", base), dtype);
}

// ---- integers

typedef struct Vars {
  RlxStore *store;
  Vec(RlxTirVar *) seen;
} Vars;

static bool collect(const RlxTirExpr *e, void *data) {
  Vars *v = data;
  if (e->kind == RLX_TIR_VAR) rlx_vec_push(&v->seen, e->var);
  return true;
}

static RlxTirVar *var_of(const RlxSymVar *symbol, void *data) {
  Vars *v = data;
  for (uint32_t i = 0; i < v->seen.count; i++)
    if (rlx_tir_symbol(v->store, v->seen.at[i]) == symbol) return v->seen.at[i];
  return NULL;
}

RlxTirExpr *rlx_schedule_simplify(RlxScheduleCall *c, RlxTirExpr *e) {
  const RlxPrim *p = rlx_tir_number(c->s->store, e);
  if (!p) return e;
  const RlxPrim *simple = rlx_prim_simplify(c->s->store, p);
  int64_t number;
  if (rlx_prim_is_const(simple, &number)) return rlx_tir_int(c->f, number, e->dtype);
  if (simple == p) return e;
  Vars vars = {.store = c->s->store};
  rlx_tir_visit_expr(e, collect, &vars);
  bool had_holes = c->f->has_holes;
  RlxTirExpr *out = rlx_tir_from_prim(c->f, simple, var_of, &vars);
  rlx_vec_free(&vars.seen);
  if (!had_holes && c->f->has_holes) { // something has no spelling in TensorIR
    c->f->has_holes = false;
    return e;
  }
  // A side of a comparison that another one is added to may leave the type where both did not.
  return rlx_tir_may_wrap(out, RLX_TIR_FOR_VALUE) ? e : out;
}

// ---- where things stand

static int find_path(const RlxTirStmt *at, const RlxTirStmt *wanted, const RlxTirStmt **out,
                     int depth, int capacity) {
  if (out && depth < capacity) out[depth] = at;
  if (at == wanted) return depth + 1;
  int n = at->init ? find_path(at->init, wanted, out, depth + 1, capacity) : 0;
  for (uint32_t i = 0; !n && i < at->count; i++)
    n = find_path(at->body[i], wanted, out, depth + 1, capacity);
  return n;
}

int rlx_schedule_path(const RlxScheduleCall *c, const RlxTirStmt *s, const RlxTirStmt **out,
                      int capacity) {
  return c->f->body ? find_path(c->f->body, s, out, 0, capacity) : 0;
}

const RlxTirStmt *rlx_schedule_scope(const RlxScheduleCall *c, const RlxTirStmt *s) {
  enum { DEEP = 512 };
  const RlxTirStmt *path[DEEP];
  int n = rlx_schedule_path(c, s, path, DEEP);
  for (int i = (n < DEEP ? n : DEEP) - 2; i >= 0; i--)
    if (path[i]->kind == RLX_TIR_BLOCK) return path[i];
  return NULL;
}

/// Refuses a buffer of which a length may come out less than 0, as `n - 1` does for `n = 0`: false.
static bool check_lengths(RlxScheduleCall *c, const RlxTirBuffer *b) {
  enum { VARS = 16 };
  RlxStore *store = c->s->store;
  for (int d = 0; d < b->ndim; d++) {
    const RlxPrim *length = rlx_tir_integer(store, b->shape[d]), *zero;
    const RlxSymVar *vars[VARS];
    int64_t values[VARS];
    int count = 0;
    if (!length || rlx_prim_is_const(length, values)) continue;
    zero = rlx_prim_int_typed(store, 0, length->dtype);
    rlx_prim_vars(length, vars, &count, VARS);
    RlxFacts facts[VARS]; // lengths of parameters, and loops that begin at 0
    for (int i = 0; i < count; i++)
      facts[i] =
          (RlxFacts){i ? &facts[i - 1] : NULL,
                     rlx_prim_binary(store, RLX_PRIM_LE, zero, rlx_prim_var(store, vars[i])), NULL};
    int found = rlx_prove_example(store, count ? &facts[count - 1] : NULL,
                                  rlx_prim_binary(store, RLX_PRIM_LE, zero, length), false, vars,
                                  values, VARS);
    if (found < 1) continue;
    const char *why = rlx_arena_printf(
        c->s->arena, "`%s` would have a length that is less than 0 for %s = %lld",
        rlx_store_text(store, b->name), rlx_store_text(store, vars[0]->name), (long long)values[0]);
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ATTRIBUTE), NULL, "ss", c->primitive->name,
                               why);
  }
  return true;
}

void rlx_schedule_change_alloc(RlxScheduleCall *c, const RlxTirStmt *scope,
                               const RlxTirBuffer *from, RlxTirBuffer *to) {
  bool has_shape = from && to && from->shape == to->shape;
  if (to && !has_shape && !c->refusal) check_lengths(c, to);
  int *count = &c->f->root_alloc_count, kept = 0;
  RlxTirBuffer ***allocs = &c->f->root_allocs;
  RlxTirStmt *out = NULL;
  scope = rlx_schedule_now(c, scope);
  if (scope) {
    out = rlx_tir_copy_block(c->f, scope);
    count = &out->block->alloc_count;
    allocs = &out->block->allocs;
  }
  RlxTirBuffer **now = rlx_arena_array(c->f->arena, RlxTirBuffer *, *count + 1);
  for (int i = 0; i < *count; i++) {
    RlxTirBuffer *here = (*allocs)[i] == from ? to : (*allocs)[i];
    if (here) now[kept++] = here;
  }
  if (!from) now[kept++] = to;
  *allocs = now;
  *count = kept;
  if (out) rlx_schedule_replace(c, scope, out);
}
