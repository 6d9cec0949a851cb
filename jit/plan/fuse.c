/// Substitution of element expressions for loads. Nothing of the two functions is shared with the
/// result: everything is copied, variables of one symbol become one variable.
#include "jit/plan/fuse.h"

#include <stdio.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "jit/schedule/rules.h"

enum { MAX_NODES = 600, MAX_CHEAP_LOADS = 6, MAX_LOOPS = 32 };

/// The nest that sets the producer's result.
typedef struct Tail {
  int count;                       ///< of loops: the result's rank
  RlxTirVar *vars[NEST_MAX_LOOPS]; ///< of each dimension
  const RlxTirExpr *value;
  const RlxTirBuffer *buffer;
  const RlxTirStmt *stmt;
} Tail;

typedef struct Merge {
  RlxPrimFunc *f;
  RlxStore *store;
  RlxMap vars;    ///< RlxTirVar * → RlxTirExpr *
  RlxMap symbols; ///< RlxSymVar * → RlxTirVar *
  RlxMap buffers; ///< RlxTirBuffer * → RlxTirBuffer *
  Vec(RlxTirBuffer *) allocs;
  const RlxFuseSide *consumer;
  int link;
  Tail tail;
  int nodes, fresh;
  bool failed;
} Merge;

static int buffer_param(const RlxPrimFunc *f, const RlxTirBuffer *b) {
  for (int i = 0, n = 0; i < f->param_count; i++) {
    if (!f->params[i].buffer) continue;
    if (f->params[i].buffer == b) return n;
    n++;
  }
  return -1;
}

static bool is_link(const RlxFuseSide *side, int link, const RlxTirBuffer *b) {
  int at = buffer_param(side->func, b);
  return at >= 0 && side->tensors[at] == link;
}

// ---- reading

static bool is_zero(const RlxTirExpr *e) {
  return !e || (e->kind == RLX_TIR_INT && e->integer == 0);
}
static bool is_one(const RlxTirExpr *e) { return e->kind == RLX_TIR_INT && e->integer == 1; }

static bool expr_touches(const RlxTirExpr *e, const RlxTirBuffer *b) {
  return e && rules_reads(e, b);
}

static bool touches(const RlxTirStmt *s, const RlxTirBuffer *b) {
  if (!s) return false;
  if (s->buffer == b) return true;
  for (int i = 0; s->kind == RLX_TIR_STORE && i < s->buffer->ndim; i++)
    if (expr_touches(s->indices[i], b)) return true;
  const RlxTirExpr *parts[] = {s->value, s->cond, s->min, s->extent};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (expr_touches(parts[i], b)) return true;
  for (uint32_t i = 0; i < s->count; i++)
    if (touches(s->body[i], b)) return true;
  return touches(s->init, b);
}

/// Reads the last nest of `f`: for each place of the result: result[place] = value.
static bool read_tail(const RlxPrimFunc *f, Tail *tail) {
  const RlxTirStmt *s = f->body;
  if (s && s->kind == RLX_TIR_SEQ && s->count) s = s->body[s->count - 1];
  if (!s) return false;
  tail->stmt = s;
  const RlxTirStmt *loops[NEST_MAX_LOOPS];
  int count = 0;
  for (; s->kind == RLX_TIR_FOR; s = s->body[0]) {
    if (count == NEST_MAX_LOOPS || !is_zero(s->min) || s->for_kind != RLX_FOR_SERIAL ||
        s->annotation_count)
      return false;
    loops[count++] = s;
  }
  if (s->kind != RLX_TIR_STORE || s->buffer->view_of || s->buffer->ndim != count ||
      expr_touches(s->value, s->buffer))
    return false;
  for (int d = 0; d < count; d++) {
    if (s->indices[d]->kind != RLX_TIR_VAR) return false;
    tail->vars[d] = s->indices[d]->var;
    for (int k = 0; k < d; k++)
      if (tail->vars[k] == tail->vars[d]) return false;
    int at = 0;
    while (at < count && loops[at]->var != tail->vars[d]) at++;
    if (at == count || !rules_equal(loops[at]->extent, s->buffer->shape[d])) return false;
  }
  tail->count = count;
  tail->value = s->value;
  tail->buffer = s->buffer;
  if (f->body->kind == RLX_TIR_SEQ)
    for (uint32_t i = 0; i + 1 < f->body->count; i++)
      if (touches(f->body->body[i], s->buffer)) return false;
  return true;
}

/// 2: not worth computing twice; 1: cheap; 0: must not move (guards and divided indices keep loops
/// from being vectorized).
static int cost_of(const RlxTirExpr *e) {
  if (e->kind == RLX_TIR_IF_THEN_ELSE || e->kind == RLX_TIR_LET || e->kind == RLX_TIR_HOLE)
    return 0;
  int cost = e->kind == RLX_TIR_CALL || e->kind == RLX_TIR_DIV ? 2 : 1;
  bool is_index = rlx_dtype_equal(e->dtype, RLX_INT64) &&
                  (e->kind == RLX_TIR_FLOORDIV || e->kind == RLX_TIR_FLOORMOD);
  if (is_index) return 0;
  for (int i = 0; i < e->arg_count; i++) {
    int inner = cost_of(e->args[i]);
    if (!inner) return 0;
    if (inner > cost) cost = inner;
  }
  return cost;
}

// ---- how often the consumer reads an element

typedef struct Around {
  int count;
  const RlxTirStmt *loops[MAX_LOOPS];
  int iter_count;
  const RlxTirIterVar *iters[2 * MAX_LOOPS];
} Around;

typedef struct Reading {
  const RlxFuseSide *side;
  int link, loads;
  bool repeats; ///< some loop around a load does not move it, or data say where it reads
} Reading;

static bool moves(const RlxTirExpr *e, const RlxTirVar *var, const Around *a) {
  if (rules_mentions(e, var)) return true;
  for (int i = 0; i < a->iter_count; i++)
    if (a->iters[i]->binding && rules_mentions(a->iters[i]->binding, var) &&
        rules_mentions(e, a->iters[i]->var))
      return true;
  return false;
}

static bool has_load(const RlxTirExpr *e) {
  if (e->kind == RLX_TIR_LOAD) return true;
  for (int i = 0; i < e->arg_count; i++)
    if (has_load(e->args[i])) return true;
  return false;
}

static void read_expr(Reading *r, const RlxTirExpr *e, const Around *a) {
  if (e->kind == RLX_TIR_LOAD && is_link(r->side, r->link, e->buffer)) {
    r->loads++;
    for (int d = 0; d < e->buffer->ndim; d++) // the place is checked against this very buffer
      if (has_load(e->args[d])) r->repeats = true;
    for (int i = 0; i < a->count; i++)
      if (!is_one(a->loops[i]->extent) && !moves(e, a->loops[i]->var, a)) r->repeats = true;
  }
  for (int i = 0; i < e->arg_count; i++) read_expr(r, e->args[i], a);
}

static void read_stmt(Reading *r, const RlxTirStmt *s, Around a) {
  if (!s) return;
  if (s->kind == RLX_TIR_WHILE || s->kind == RLX_TIR_LET_STMT) r->repeats = true;
  if (s->kind == RLX_TIR_STORE && is_link(r->side, r->link, s->buffer)) r->repeats = true;
  const RlxTirExpr *parts[] = {s->value, s->cond, s->min, s->extent};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (parts[i]) read_expr(r, parts[i], &a);
  for (int i = 0; s->kind == RLX_TIR_STORE && i < s->buffer->ndim; i++)
    read_expr(r, s->indices[i], &a);
  if (s->kind == RLX_TIR_FOR) {
    if (a.count == MAX_LOOPS)
      r->repeats = true;
    else
      a.loops[a.count++] = s;
  }
  for (int i = 0; s->block && i < s->block->iter_count; i++) {
    if (a.iter_count == 2 * MAX_LOOPS)
      r->repeats = true;
    else
      a.iters[a.iter_count++] = &s->block->iters[i];
  }
  for (uint32_t i = 0; i < s->count; i++) read_stmt(r, s->body[i], a);
  read_stmt(r, s->init, a);
}

// ---- copying

static RlxTirVar *symbol_of(Merge *m, const RlxTirVar *var) {
  RlxTirVar *own = rlx_map_get_ptr(&m->symbols, var->symbol);
  if (own) return own;
  own = rlx_tir_var(m->f, var->name, var->dtype);
  own->symbol = var->symbol;
  rlx_map_put_ptr(&m->symbols, var->symbol, own);
  return own;
}

static RlxTirExpr *copy_var(Merge *m, const RlxTirVar *var) {
  RlxTirExpr *known = rlx_map_get_ptr(&m->vars, var);
  if (known) return known;
  known = rlx_tir_var_expr(m->f, var->symbol ? symbol_of(m, var)
                                             : rlx_tir_var(m->f, var->name, var->dtype));
  rlx_map_put_ptr(&m->vars, var, known);
  return known;
}

static RlxTirExpr *copy_expr(Merge *m, const RlxTirExpr *e);

static RlxTirBuffer *copy_buffer(Merge *m, const RlxTirBuffer *b, const char *name) {
  RlxTirExpr *shape[NEST_MAX_LOOPS];
  if (b->ndim > NEST_MAX_LOOPS || b->strides || b->elem_offset || b->view_of || b->data) {
    m->failed = true;
    return NULL;
  }
  for (int i = 0; i < b->ndim; i++) shape[i] = copy_expr(m, b->shape[i]);
  RlxTirBuffer *own = rlx_tir_buffer(m->f, rlx_store_intern(m->store, name, strlen(name)), b->dtype,
                                     shape, b->ndim);
  own->scope = b->scope;
  rlx_map_put_ptr(&m->buffers, b, own);
  return own;
}

/// The producer's element at a place of its result.
static RlxTirExpr *element_at(Merge *m, const RlxTirExpr *load) {
  RlxTirExpr *place[NEST_MAX_LOOPS];
  for (int d = 0; d < m->tail.count; d++) {
    place[d] = copy_expr(m, load->args[d]);
    if (!rlx_dtype_equal(place[d]->dtype, m->tail.vars[d]->dtype))
      place[d] = rlx_tir_cast(m->f, m->tail.vars[d]->dtype, place[d]);
  }
  for (int d = 0; d < m->tail.count; d++) rlx_map_put_ptr(&m->vars, m->tail.vars[d], place[d]);
  return copy_expr(m, m->tail.value);
}

static RlxTirExpr *copy_expr(Merge *m, const RlxTirExpr *e) {
  if (++m->nodes > MAX_NODES) m->failed = true;
  if (e->kind == RLX_TIR_LET || e->kind == RLX_TIR_HOLE || e->kind == RLX_TIR_ADDRESS_OF)
    m->failed = true;
  if (!m->failed && e->kind == RLX_TIR_VAR) return copy_var(m, e->var);
  if (!m->failed && e->kind == RLX_TIR_LOAD && is_link(m->consumer, m->link, e->buffer))
    return element_at(m, e);
  RlxTirExpr *own = rlx_arena_copy(m->f->arena, e, 1, sizeof *e);
  own->span = (RlxSpan){0, 0};
  if (m->failed) return own;
  if (e->kind == RLX_TIR_LOAD && !(own->buffer = rlx_map_get_ptr(&m->buffers, e->buffer)))
    m->failed = true;
  own->args = rlx_arena_array(m->f->arena, RlxTirExpr *, e->arg_count + 1);
  for (int i = 0; i < e->arg_count && !m->failed; i++) own->args[i] = copy_expr(m, e->args[i]);
  return own;
}

static RlxTirStmt *copy_stmt(Merge *m, const RlxTirStmt *s);

static RlxTirStmt *copy_block(Merge *m, const RlxTirStmt *s) {
  const RlxTirBlock *b = s->block;
  RlxTirIterVar iters[2 * MAX_LOOPS];
  if (b->alloc_count || b->match_count || b->iter_count > 2 * MAX_LOOPS || b->predicate) {
    m->failed = true;
    return NULL;
  }
  for (int i = 0; i < b->iter_count; i++) {
    const RlxTirIterVar *v = &b->iters[i];
    if (!v->binding || v->min) m->failed = true;
    if (m->failed) return NULL;
    iters[i] = (RlxTirIterVar){copy_var(m, v->var)->var, copy_expr(m, v->extent), NULL,
                               copy_expr(m, v->binding), v->type};
  }
  RlxTirStmt *init = s->init ? copy_stmt(m, s->init) : NULL;
  return rlx_tir_block(m->f, b->name, iters, b->iter_count, init, copy_stmt(m, s->body[0]));
}

static RlxTirStmt *copy_stmt(Merge *m, const RlxTirStmt *s) {
  if (m->failed) return NULL;
  switch ((RlxTirStmtKind)s->kind) {
  case RLX_TIR_BLOCK: return copy_block(m, s);
  case RLX_TIR_SEQ:
  case RLX_TIR_FOR:
  case RLX_TIR_IF:
  case RLX_TIR_STORE:
  case RLX_TIR_NOP: break;
  case RLX_TIR_WHILE:
  case RLX_TIR_LET_STMT:
  case RLX_TIR_ALLOC:
  case RLX_TIR_EVALUATE:
  case RLX_TIR_ASSERT:
  case RLX_TIR_ATTR:
  case RLX_TIR_BREAK:
  case RLX_TIR_CONTINUE:
  case RLX_TIR_RETURN: m->failed = true; return NULL;
  }
  RlxTirStmt *own = rlx_arena_copy(m->f->arena, s, 1, sizeof *s);
  own->span = (RlxSpan){0, 0};
  if (s->annotation_count) m->failed = true;
  if (s->kind == RLX_TIR_FOR) {
    own->extent = copy_expr(m, s->extent);
    if (s->min) own->min = copy_expr(m, s->min);
    own->var = copy_var(m, s->var)->var;
  }
  if (s->cond) own->cond = copy_expr(m, s->cond);
  if (s->kind == RLX_TIR_STORE) {
    own->buffer = rlx_map_get_ptr(&m->buffers, s->buffer);
    if (!own->buffer) m->failed = true;
    own->indices = rlx_arena_array(m->f->arena, RlxTirExpr *, s->buffer->ndim + 1);
    for (int i = 0; i < s->buffer->ndim; i++) own->indices[i] = copy_expr(m, s->indices[i]);
    own->value = copy_expr(m, s->value);
  }
  own->body = rlx_arena_array(m->f->arena, RlxTirStmt *, s->count + 1);
  for (uint32_t i = 0; i < s->count && !m->failed; i++) own->body[i] = copy_stmt(m, s->body[i]);
  return own;
}

// ---- parameters

static bool same_shape(const RlxTirBuffer *a, RlxTirExpr *const *shape, int ndim, RlxDType t) {
  if (a->ndim != ndim || !rlx_dtype_equal(a->dtype, t)) return false;
  for (int i = 0; i < ndim; i++)
    if (!rules_equal(a->shape[i], shape[i])) return false;
  return true;
}

static bool stores_to(const RlxTirStmt *s, const RlxTirBuffer *b) {
  if (!s) return false;
  if (s->kind == RLX_TIR_STORE && s->buffer == b) return true;
  for (uint32_t i = 0; i < s->count; i++)
    if (stores_to(s->body[i], b)) return true;
  return stores_to(s->init, b);
}

/// Adds the buffer parameters of one side, but the linked ones: those that it `sets`, or the
/// others.
static void add_buffers(Merge *m, const RlxFuseSide *side, bool sets, int *tensors, int *count) {
  int n = 0;
  char name[16];
  for (int i = 0; i < side->func->param_count && !m->failed; i++) {
    const RlxTirBuffer *b = side->func->params[i].buffer;
    if (!b) continue;
    int tensor = side->tensors[n++], at = 0, slot = 0;
    bool is_set = stores_to(side->func->body, b);
    if (tensor == m->link || is_set != sets) continue;
    while (at < *count && tensors[at] != tensor) at++;
    if (at == *count) {
      if (*count == RLX_FUSE_MAX_TENSORS) {
        m->failed = true;
        return;
      }
      snprintf(name, sizeof name, "%s%d", sets ? "out" : "a", *count);
      RlxTirBuffer *own = copy_buffer(m, b, name);
      if (!own) return;
      rlx_primfunc_add_buffer(m->f, own);
      tensors[(*count)++] = tensor;
      continue;
    }
    RlxTirExpr *shape[NEST_MAX_LOOPS];
    for (int d = 0; d < b->ndim && d < NEST_MAX_LOOPS; d++) shape[d] = copy_expr(m, b->shape[d]);
    RlxTirBuffer *own = NULL;
    for (int k = 0; k < m->f->param_count; k++)
      if (m->f->params[k].buffer && slot++ == at) own = m->f->params[k].buffer;
    if (!own || !same_shape(own, shape, b->ndim, b->dtype))
      m->failed = true;
    else
      rlx_map_put_ptr(&m->buffers, b, own);
  }
}

static void add_scalars(Merge *m, const RlxPrimFunc *f) {
  for (int i = 0; i < f->param_count; i++) {
    if (f->params[i].buffer) continue;
    if (!f->params[i].var->symbol) {
      m->failed = true;
      return;
    }
    RlxTirVar *var = symbol_of(m, f->params[i].var);
    bool known = false;
    for (int k = 0; k < m->f->param_count; k++) known |= m->f->params[k].var == var;
    if (!known) rlx_primfunc_add_param(m->f, var, NULL);
  }
}

static void add_allocs(Merge *m, const RlxPrimFunc *f) {
  char name[16];
  for (int i = 0; i < f->root_alloc_count && !m->failed; i++) {
    snprintf(name, sizeof name, "t%d", m->fresh++);
    RlxTirBuffer *own = copy_buffer(m, f->root_allocs[i], name);
    if (own) rlx_vec_push(&m->allocs, own);
  }
}

/// Every symbol is a whole dimension of a parameter, or a scalar parameter: the caller can find its
/// value.
static bool symbols_are_bound(const Merge *m) {
  RlxMapEntry entry;
  for (uint32_t cursor = 0; rlx_map_next(&m->symbols, &cursor, &entry);) {
    const RlxTirVar *var = (const RlxTirVar *)(uintptr_t)entry.value;
    bool bound = false;
    for (int i = 0; i < m->f->param_count && !bound; i++) {
      const RlxTirBuffer *b = m->f->params[i].buffer;
      bound = !b && m->f->params[i].var == var;
      for (int d = 0; b && d < b->ndim && !bound; d++)
        bound = b->shape[d]->kind == RLX_TIR_VAR && b->shape[d]->var == var;
    }
    if (!bound) return false;
  }
  return true;
}

/// The linked parameters have the shape of the producer's result.
static bool link_fits(Merge *m) {
  RlxTirExpr *shape[NEST_MAX_LOOPS];
  for (int d = 0; d < m->tail.count; d++) shape[d] = copy_expr(m, m->tail.buffer->shape[d]);
  for (int i = 0; i < m->consumer->func->param_count; i++) {
    const RlxTirBuffer *b = m->consumer->func->params[i].buffer;
    if (!b || !is_link(m->consumer, m->link, b)) continue;
    if (b->ndim != m->tail.count || !rlx_dtype_equal(b->dtype, m->tail.buffer->dtype)) return false;
    for (int d = 0; d < b->ndim; d++)
      if (!rules_equal(shape[d], copy_expr(m, b->shape[d]))) return false;
  }
  return true;
}

static bool pays(const Tail *tail, const RlxFuseSide *consumer, int link) {
  Reading reading = {consumer, link, 0, false};
  read_stmt(&reading, consumer->func->body, (Around){0});
  int cost = cost_of(tail->value);
  return cost && reading.loads && !reading.repeats &&
         reading.loads <= (cost > 1 ? 1 : MAX_CHEAP_LOADS);
}

static RlxName joined_name(RlxStore *store, const RlxPrimFunc *a, const RlxPrimFunc *b) {
  char name[80];
  int size = snprintf(name, sizeof name, "%.30s_%.40s", rlx_store_text(store, a->name),
                      rlx_store_text(store, b->name));
  return rlx_store_intern(store, name, (size_t)size);
}

RlxPrimFunc *rlx_fuse(RlxStore *store, const RlxFuseSide *producer, const RlxFuseSide *consumer,
                      int link, int *out_tensors, int *out_count) {
  Merge m = {.store = store, .consumer = consumer, .link = link};
  const RlxPrimFunc *p = producer->func, *c = consumer->func;
  *out_count = 0;
  if (!p->body || !c->body || !read_tail(p, &m.tail) || !is_link(producer, link, m.tail.buffer) ||
      !pays(&m.tail, consumer, link))
    return NULL;
  m.f = rlx_primfunc_new(joined_name(store, p, c));
  add_buffers(&m, producer, false, out_tensors, out_count);
  add_buffers(&m, consumer, false, out_tensors, out_count);
  add_buffers(&m, consumer, true, out_tensors, out_count);
  add_scalars(&m, p);
  add_scalars(&m, c);
  add_allocs(&m, p);
  add_allocs(&m, c);
  Vec(RlxTirStmt *) body = {0};
  if (!m.failed && link_fits(&m)) {
    for (uint32_t i = 0; p->body->kind == RLX_TIR_SEQ && i + 1 < p->body->count; i++)
      rlx_vec_push(&body, copy_stmt(&m, p->body->body[i]));
    rlx_vec_push(&body, copy_stmt(&m, c->body));
  } else {
    m.failed = true;
  }
  if (!m.failed && symbols_are_bound(&m)) {
    m.f->body = rlx_tir_seq(m.f, body.at, (int)body.count);
    m.f->root_alloc_count = (int)m.allocs.count;
    m.f->root_allocs = rlx_arena_array(m.f->arena, RlxTirBuffer *, m.allocs.count + 1);
    if (m.allocs.count) memcpy(m.f->root_allocs, m.allocs.at, m.allocs.count * sizeof *m.allocs.at);
  } else {
    rlx_primfunc_free(m.f);
    m.f = NULL;
  }
  rlx_vec_free(&body);
  rlx_vec_free(&m.allocs);
  rlx_map_free(&m.vars);
  rlx_map_free(&m.symbols);
  rlx_map_free(&m.buffers);
  return m.f;
}

// ---- proof of what is in bounds

static bool index_fits(const RlxTirExpr *index, const RlxTirExpr *extent, const Around *a) {
  if (index->kind == RLX_TIR_INT)
    return extent->kind == RLX_TIR_INT && index->integer >= 0 && index->integer < extent->integer;
  if (index->kind != RLX_TIR_VAR) return false;
  const RlxTirVar *var = index->var;
  for (int i = 0; i < a->iter_count; i++)
    if (a->iters[i]->var == var)
      return a->iters[i]->binding && a->iters[i]->binding->kind == RLX_TIR_VAR &&
             index_fits(a->iters[i]->binding, extent, a);
  for (int i = 0; i < a->count; i++)
    if (a->loops[i]->var == var)
      return is_zero(a->loops[i]->min) && rules_equal(a->loops[i]->extent, extent);
  return false;
}

static bool expr_fits(const RlxTirExpr *e, const Around *a) {
  for (int i = 0; e->kind == RLX_TIR_LOAD && i < e->buffer->ndim; i++)
    if (!index_fits(e->args[i], e->buffer->shape[i], a)) return false;
  for (int i = 0; i < e->arg_count; i++)
    if (!expr_fits(e->args[i], a)) return false;
  return true;
}

static bool stmt_fits(const RlxTirStmt *s, Around a) {
  if (!s) return true;
  const RlxTirExpr *parts[] = {s->value, s->cond, s->min, s->extent};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (parts[i] && !expr_fits(parts[i], &a)) return false;
  for (int i = 0; s->kind == RLX_TIR_STORE && i < s->buffer->ndim; i++)
    if (!index_fits(s->indices[i], s->buffer->shape[i], &a)) return false;
  if (s->kind == RLX_TIR_FOR) {
    if (a.count == MAX_LOOPS) return false;
    a.loops[a.count++] = s;
  }
  for (int i = 0; s->block && i < s->block->iter_count; i++) {
    if (a.iter_count == 2 * MAX_LOOPS) return false;
    a.iters[a.iter_count++] = &s->block->iters[i];
  }
  for (uint32_t i = 0; i < s->count; i++)
    if (!stmt_fits(s->body[i], a)) return false;
  return stmt_fits(s->init, a);
}

bool rlx_fuse_is_proved(const RlxPrimFunc *f) { return f->body && stmt_fits(f->body, (Around){0}); }
