/// loop_partition: a loop as several that follow each other, each over a part of its range.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/loop_transformation.cc (LoopPartition). Differs: the
/// regions of the blocks stay exact, where TVM widens those of the copies and says that the blocks
/// around read and write nothing; what a reduction with an init reduces keeps its domain, so that the
/// init runs in the part where it ran before, and TVM's in each part.
#include "analyzer/schedule/schedule_impl.h"

#include <stdio.h>
#include <string.h>

enum { PARTS_MAX = 64 };

typedef struct Pair {
  const void *old;
  void *now;
} Pair;

typedef struct Partition {
  RlxScheduleCall *c;
  const RlxTirStmt *loop;
  int64_t from[PARTS_MAX + 1]; ///< where each part starts; behind the last: the end
  int count;
  // of the copy that is made:
  int part;
  RlxTirVar *var; ///< its loop variable
  Vec(Pair) vars, buffers;
} Partition;

static bool refuse(Partition *p, const char *why) {
  return rlx_schedule_refuse(p->c, RLX_DIAG_ID(SCHEDULE_LOOP), p->loop, "ss",
                             rlx_schedule_loop_name(p->c, p->loop), why);
}

static bool read_factors(Partition *p) {
  const RlxScheduleValue *list = &p->c->args[1];
  const RlxTirExpr *min = p->loop->min, *extent = p->loop->extent;
  int64_t sum = 0, sizes[PARTS_MAX + 1];
  int open = -1;
  if (extent->kind != RLX_TIR_INT || (min && min->kind != RLX_TIR_INT))
    return refuse(p, "its range is not made of numbers");
  if (p->loop->annotation_count || p->loop->for_kind == RLX_FOR_THREAD_BINDING)
    return refuse(p, "it has an annotation or a thread, which would be lost");
  if (!list->count || list->count > PARTS_MAX - 1)
    return refuse(p, "between 1 and 63 factors are taken");
  for (uint32_t i = 0; i < list->count; i++) {
    const RlxScheduleValue *v = &list->items[i];
    if (v->kind == RLX_SCHEDULE_NONE) {
      if (open >= 0) return refuse(p, "more than one factor is None");
      open = (int)i;
      continue;
    }
    if (v->kind != RLX_SCHEDULE_INT || v->integer <= 0 || v->integer > extent->integer)
      return refuse(p, "a factor is not positive, or larger than its extent");
    sizes[i] = v->integer;
    sum += v->integer;
  }
  p->count = (int)list->count;
  if (open >= 0)
    sizes[open] = extent->integer - sum;
  else if (sum < extent->integer)
    sizes[p->count++] = extent->integer - sum;
  if (open >= 0 ? sizes[open] <= 0 : sum > extent->integer)
    return refuse(p, "the factors add up to more than its extent");
  p->from[0] = min ? min->integer : 0;
  for (int i = 0; i < p->count; i++) p->from[i + 1] = p->from[i] + sizes[i];
  return true;
}

/// Finds the first block below.
static bool look_at(const RlxTirStmt *s, void *data) {
  const RlxTirBlock **first = data;
  if (s->kind == RLX_TIR_BLOCK && !*first) *first = s->block;
  return true;
}

// ---- copies of the body, with variables and buffers of their own

static void *other(const Pair *at, uint32_t count, const void *old) {
  for (uint32_t i = 0; i < count; i++)
    if (at[i].old == old) return at[i].now;
  return NULL;
}

static void renew_var(Partition *p, const RlxTirVar *v) {
  Pair pair = {v, rlx_tir_var(p->c->f, v->name, v->dtype)};
  rlx_vec_push(&p->vars, pair);
}

static bool renew(const RlxTirStmt *s, void *data) {
  Partition *p = data;
  if (s->kind == RLX_TIR_FOR || s->kind == RLX_TIR_LET_STMT) renew_var(p, s->var);
  if (s->kind != RLX_TIR_BLOCK) return true;
  for (int i = 0; i < s->block->iter_count; i++) renew_var(p, s->block->iters[i].var);
  for (int i = 0; i < s->block->alloc_count; i++) {
    RlxTirBuffer *b = rlx_arena_one(p->c->f->arena, RlxTirBuffer);
    *b = *s->block->allocs[i];
    b->id = p->c->f->buffer_count++;
    if (b->data) {
      renew_var(p, b->data);
      b->data = rlx_vec_last(&p->vars).now;
    }
    Pair pair = {s->block->allocs[i], b};
    rlx_vec_push(&p->buffers, pair);
  }
  return true;
}

static RlxTirExpr *copy_expr(RlxTirRewriter *w, RlxTirExpr *e) {
  const Partition *p = w->data;
  RlxTirVar *now = e->kind == RLX_TIR_VAR ? other(p->vars.at, p->vars.count, e->var) : NULL;
  return now ? rlx_tir_var_expr(w->f, now) : e;
}

static RlxTirBuffer *copy_buffer(RlxTirRewriter *w, RlxTirBuffer *b) {
  const Partition *p = w->data;
  RlxTirBuffer *now = other(p->buffers.at, p->buffers.count, b);
  return now ? now : b;
}

static RlxTirStmt *copy_stmt(RlxTirRewriter *w, RlxTirStmt *s, const RlxTirStmt *old) {
  Partition *p = w->data;
  (void)old;
  if (s->kind == RLX_TIR_FOR || s->kind == RLX_TIR_LET_STMT) {
    RlxTirStmt *out = rlx_tir_copy(w->f, s);
    out->var = other(p->vars.at, p->vars.count, s->var);
    return out;
  }
  if (s->kind != RLX_TIR_BLOCK) return s;
  RlxTirStmt *out = rlx_tir_copy_block(w->f, s);
  RlxTirBlock *b = out->block;
  RlxStore *store = p->c->s->store;
  const char *name = rlx_arena_printf(p->c->s->arena, "%s_%s", rlx_store_text(store, b->name),
                                      rlx_store_text(store, p->var->name));
  b->name = rlx_intern_text(rlx_store_names(store), name);
  b->iters = rlx_arena_array(w->f->arena, RlxTirIterVar, b->iter_count + 1);
  for (int i = 0; i < b->iter_count; i++) {
    RlxTirIterVar *v = &b->iters[i];
    *v = s->block->iters[i];
    v->var = other(p->vars.at, p->vars.count, v->var);
    if (v->binding->kind != RLX_TIR_VAR || v->binding->var != p->var) continue;
    if (s->init && v->type != RLX_ITER_DATA_PAR) continue;
    int64_t from = p->from[p->part];
    v->min = from ? rlx_tir_int(w->f, from, v->var->dtype) : NULL;
    v->extent = rlx_tir_int(w->f, p->from[p->part + 1] - from, v->var->dtype);
  }
  return out;
}

static RlxTirStmt *empty_block(Partition *p, const char *base, int part, RlxTirStmt *body) {
  char name[640];
  if (part >= 0)
    snprintf(name, sizeof name, "%s%d_partition", base, part);
  else
    snprintf(name, sizeof name, "%s_common", base);
  return rlx_tir_block(p->c->f, rlx_intern_text(rlx_store_names(p->c->s->store), name), NULL, 0,
                       NULL, body);
}

static RlxTirStmt *make_part(Partition *p, int part) {
  RlxPrimFunc *f = p->c->f;
  RlxStore *store = p->c->s->store;
  char name[640];
  snprintf(name, sizeof name, "%s%d", rlx_store_text(store, p->loop->var->name), part);
  p->part = part;
  p->var = rlx_tir_var(f, rlx_intern_text(rlx_store_names(store), name), p->loop->var->dtype);
  rlx_vec_clear(&p->vars);
  rlx_vec_clear(&p->buffers);
  Pair own = {p->loop->var, p->var};
  rlx_vec_push(&p->vars, own);
  rlx_tir_visit(p->loop->body[0], renew, NULL, p);
  RlxTirRewriter w = {
      .f = f, .data = p, .expr = copy_expr, .stmt = copy_stmt, .buffer = copy_buffer};
  RlxTirStmt *body = rlx_tir_rewrite(&w, p->loop->body[0]);
  RlxDType dtype = p->var->dtype;
  RlxTirStmt *out = rlx_tir_for(f, p->var, rlx_tir_int(f, p->from[part + 1] - p->from[part], dtype),
                                (RlxTirForKind)p->loop->for_kind, body);
  if (p->from[part]) out->min = rlx_tir_int(f, p->from[part], dtype);
  return out;
}

static bool forget(const RlxTirStmt *s, void *data) {
  if (s->kind == RLX_TIR_FOR || s->kind == RLX_TIR_BLOCK) rlx_schedule_moved(data, s, NULL);
  return true;
}

bool rlx_primitive_loop_partition(RlxScheduleCall *c) {
  Partition p = {.c = c};
  if (!rlx_schedule_loop(c, 0, &p.loop) || !read_factors(&p)) return false;
  const RlxTirBlock *first = NULL;
  rlx_tir_visit(p.loop->body[0], look_at, NULL, &first);
  if (!first) return refuse(&p, "there is no block below");
  RlxStore *store = c->s->store;
  const char *base = rlx_arena_printf(c->s->arena, "%s_%s", rlx_store_text(store, first->name),
                                      rlx_store_text(store, p.loop->var->name));
  RlxTirStmt *parts[PARTS_MAX], *loops[PARTS_MAX];
  for (int i = 0; i < p.count; i++) {
    loops[i] = make_part(&p, i);
    parts[i] = empty_block(&p, base, i, loops[i]);
  }
  rlx_vec_free(&p.vars);
  rlx_vec_free(&p.buffers);
  RlxTirStmt *common = empty_block(&p, base, -1, rlx_tir_seq(c->f, parts, p.count));
  rlx_schedule_put(c, p.loop, common);
  rlx_tir_visit(p.loop, forget, NULL, c);
  // A block without variables that is all of the body would be taken for the root.
  if (c->f->body == common) rlx_schedule_write_root(c);
  rlx_primfunc_complete(store, c->f);
  const RlxTirStmt *given[PARTS_MAX];
  for (int i = 0; i < p.count; i++) given[i] = rlx_schedule_now(c, loops[i]);
  rlx_schedule_give_list(c, given, p.count);
  return true;
}
