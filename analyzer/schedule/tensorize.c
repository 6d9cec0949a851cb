/// tensorize: a block that does what an intrinsic's description says is carried out by the
/// intrinsic's implementation. Both are PrimFuncs with the same buffers as parameters; that they do
/// the same is what whoever writes the intrinsic says.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/blockize_tensorize.cc (Tensorize) and
/// ir_comparator.cc (TensorizeComparator). Compared beyond TVM: domains, inits and how wide integers are
/// that memory gives.
#include "analyzer/schedule/schedule_impl.h"
#include "analyzer/script/script.h"
#include "analyzer/syntax/document.h"

#include <string.h>

typedef struct Pair { ///< a buffer of the description, and the one that it is here
  const RlxTirBuffer *desc;
  RlxTirBuffer *now;
  RlxTirExpr **base; ///< of `now`: where the description's element 0 is
} Pair;

typedef struct Tensorize {
  RlxScheduleCall *c;
  RlxStore *store;
  RlxPrimFunc *desc, *impl;
  const RlxTirStmt *block; ///< in place of which the implementation comes
  Vec(Pair) pairs;
  Vec(const RlxSymVar *) vars;               ///< of the description
  Vec(const RlxPrim *) values;               ///< what they are here
  Vec(const RlxTirVar *) locals, locals_now; ///< the same as trees
  const RlxFacts *facts;                     ///< domains of the variables here
  const char *why;                           ///< the first difference
  const RlxTirStmt *where;
} Tensorize;

static bool refuse(Tensorize *t, const char *why) {
  return rlx_schedule_refuse(t->c, RLX_DIAG_ID(SCHEDULE_TENSORIZE), t->where, "s", why);
}

static bool differs(Tensorize *t, const char *why) {
  if (!t->why) t->why = why;
  return false;
}

// ---- the intrinsic

static RlxPrimFunc *read_text(Tensorize *t, const char *text) {
  RlxDocument *doc = rlx_document_new(t->store, NULL, NULL);
  rlx_document_set_text(doc, text, (uint32_t)strlen(text));
  const RlxBlock *root = rlx_document_root(doc);
  RlxPrimFunc *out = NULL;
  for (uint32_t i = 0; i < root->count && !out; i++)
    if (root->stmts[i]->kind == RLX_STMT_DEF)
      out = rlx_primfunc_lower(t->store, root->stmts[i], NULL, NULL);
  rlx_document_free(doc);
  if (out) rlx_vec_push(&t->c->s->kept, out->arena); // its trees become part of the schedule's
  return out && !out->has_holes ? out : NULL;
}

/// A PrimFunc of the module, or beside those that are scheduled, as one of its own.
static RlxPrimFunc *read_named(Tensorize *t, const char *name) {
  const RlxSchedule *s = t->c->s;
  for (uint32_t i = 0; i < s->functions.count + s->lent.count; i++) {
    const RlxPrimFunc *f =
        i < s->functions.count ? s->functions.at[i].f : s->lent.at[i - s->functions.count];
    if (strcmp(rlx_store_text(t->store, f->name), name) != 0) continue;
    RlxBuf text = {0};
    rlx_primfunc_print(t->store, f, RLX_DIALECT_025, 0, &text);
    RlxPrimFunc *out = read_text(t, rlx_buf_text(&text));
    rlx_buf_free(&text);
    return out;
  }
  return NULL;
}

/// The block that is all of an intrinsic's body; NULL: it is none.
static const RlxTirStmt *root_of(const RlxPrimFunc *f) {
  const RlxTirStmt *s = f->body;
  while (s && s->kind == RLX_TIR_SEQ && s->count == 1) s = s->body[0];
  return s && s->kind == RLX_TIR_BLOCK && s->block->iter_count == 0 ? s : NULL;
}

static bool read_intrinsic(Tensorize *t) {
  const RlxScheduleValue *v = &t->c->args[1], *texts = v->more;
  bool is_pair = v->kind == RLX_SCHEDULE_LIST && v->count == 2 &&
                 v->items[0].kind == RLX_SCHEDULE_STRING && v->items[1].kind == RLX_SCHEDULE_STRING;
  const RlxScheduleIntrinsic *known =
      v->kind == RLX_SCHEDULE_STRING ? rlx_schedule_intrinsic(t->c->s, v->text) : NULL;
  if (texts && texts->kind == RLX_SCHEDULE_LIST && texts->count == 2) {
    t->desc = read_text(t, texts->items[0].text);
    t->impl = read_text(t, texts->items[1].text);
  } else if (known) {
    t->desc = read_named(t, rlx_store_text(t->store, known->description));
    t->impl = read_named(t, rlx_store_text(t->store, known->implementation));
  } else if (is_pair) {
    t->desc = read_named(t, v->items[0].text);
    t->impl = read_named(t, v->items[1].text);
  } else
    return refuse(t, v->kind == RLX_SCHEDULE_STRING
                         ? "the script registers no intrinsic of this name; two of its PrimFuncs "
                           "are one, too: (\"description\", \"implementation\")"
                         : "an intrinsic is two PrimFuncs of the module, (\"description\", "
                           "\"implementation\")");
  if (!t->desc || !t->impl || !root_of(t->desc) || !root_of(t->impl))
    return refuse(t,
                  "the intrinsic's description and implementation are not two PrimFuncs that are "
                  "one block each");
  if (t->desc->param_count != t->impl->param_count)
    return refuse(t, "the intrinsic's description and implementation have not as many parameters");
  for (int i = 0; i < t->desc->param_count; i++)
    if (!t->desc->params[i].buffer || !t->impl->params[i].buffer)
      return refuse(t, "a parameter of the intrinsic is no buffer");
  return true;
}

// ---- comparing: ours first, the description second

static void bind(Tensorize *t, const RlxTirVar *now, const RlxTirVar *desc) {
  rlx_vec_push(&t->vars, rlx_tir_symbol(t->store, desc));
  rlx_vec_push(&t->values, rlx_prim_var(t->store, rlx_tir_symbol(t->store, now)));
  rlx_vec_push(&t->locals, desc);
  rlx_vec_push(&t->locals_now, now);
}

/// Are integer expressions `now` and base + `desc` the same? base: NULL for 0.
static bool same_integer(Tensorize *t, const RlxTirExpr *now, const RlxTirExpr *base,
                         const RlxTirExpr *desc) {
  const RlxPrim *a = rlx_tir_number(t->store, now), *b = rlx_tir_number(t->store, desc);
  const RlxPrim *at = base ? rlx_tir_number(t->store, base) : NULL;
  if (!a || !b || (base && !at)) return false;
  RlxSubst subst = {t->vars.at, t->values.at, (int)t->vars.count, false};
  b = rlx_prim_subst(t->store, b, &subst, NULL);
  if (at) b = rlx_prim_add(t->store, at, b);
  return rlx_prove_equal(t->store, t->facts, a, b) == RLX_YES;
}

static Pair *pair_of(Tensorize *t, const RlxTirBuffer *now, const RlxTirBuffer *desc) {
  for (uint32_t i = 0; i < t->pairs.count; i++)
    if (t->pairs.at[i].desc == desc || t->pairs.at[i].now == now)
      return t->pairs.at[i].desc == desc && t->pairs.at[i].now == now ? &t->pairs.at[i] : NULL;
  return NULL;
}

static bool is_global(const RlxStore *store, const RlxTirBuffer *b) {
  return !b->scope || strcmp(rlx_store_text(store, b->scope), "global") == 0;
}

/// A region of the outermost block: where the buffer's element 0 is.
static bool match_base(Tensorize *t, const RlxTirRegion *now, const RlxTirRegion *desc) {
  RlxTirBuffer *a = now->buffer, *b = desc->buffer;
  int more = a->ndim - b->ndim;
  const Pair *known = pair_of(t, a, b);
  if (known) return true; // read and written
  for (uint32_t i = 0; i < t->pairs.count; i++)
    if (t->pairs.at[i].desc == b || t->pairs.at[i].now == a)
      return differs(t, "the buffers are in another order");
  if (more < 0) return differs(t, "a buffer has fewer dimensions");
  if (!rlx_dtype_equal(a->dtype, b->dtype)) return differs(t, "a buffer has another dtype");
  if (a->scope != b->scope && !(is_global(t->store, a) && is_global(t->store, b)))
    return differs(t, "a buffer has another storage scope");
  for (int d = 0; d < a->ndim; d++) {
    const RlxTirExpr *e = now->extent[d];
    bool same = d < more ? e->kind == RLX_TIR_INT && e->integer == 1
                         : same_integer(t, e, NULL, desc->extent[d - more]);
    if (!same) return differs(t, "a region has another extent");
  }
  rlx_vec_push(&t->pairs, ((Pair){b, a, now->begin}));
  return true;
}

static bool match_indices(Tensorize *t, const RlxTirBuffer *a, RlxTirExpr *const *now,
                          const RlxTirBuffer *b, RlxTirExpr *const *desc) {
  const Pair *p = pair_of(t, a, b);
  if (!p) return differs(t, "another buffer is accessed");
  int more = a->ndim - b->ndim;
  for (int d = 0; d < a->ndim; d++) {
    bool same = d < more
                    ? same_integer(t, now[d], p->base[d], rlx_tir_int(t->c->f, 0, now[d]->dtype))
                    : same_integer(t, now[d], p->base[d], desc[d - more]);
    if (!same) return differs(t, "an element is accessed at another place");
  }
  return true;
}

static bool match_expr(Tensorize *t, const RlxTirExpr *a, const RlxTirExpr *b) {
  if (!a || !b) return a == b || differs(t, "an expression is missing");
  if (a->kind != b->kind || !rlx_dtype_equal(a->dtype, b->dtype))
    return (rlx_dtype_is_int(a->dtype) && rlx_dtype_is_int(b->dtype) &&
            same_integer(t, a, NULL, b)) ||
           differs(t, "another value is computed");
  if (a->kind == RLX_TIR_LOAD) return match_indices(t, a->buffer, a->args, b->buffer, b->args);
  if (a->arg_count != b->arg_count) return differs(t, "another value is computed");
  bool same = true;
  if (a->kind == RLX_TIR_INT) same = a->integer == b->integer;
  if (a->kind == RLX_TIR_FLOAT) same = memcmp(&a->number, &b->number, sizeof a->number) == 0;
  if (a->kind == RLX_TIR_CALL) same = a->name == b->name;
  if (a->kind == RLX_TIR_STRING || a->kind == RLX_TIR_LET || a->kind == RLX_TIR_HOLE) same = false;
  if (a->kind == RLX_TIR_VAR) {
    same = false;
    for (uint32_t i = 0; i < t->locals.count; i++)
      same |= t->locals.at[i] == b->var && t->locals_now.at[i] == a->var;
  }
  if (!same) return differs(t, "another value is computed");
  for (int i = 0; i < a->arg_count; i++)
    if (!match_expr(t, a->args[i], b->args[i])) return false;
  return true;
}

static bool match_stmt(Tensorize *t, const RlxTirStmt *a, const RlxTirStmt *b);

static bool match_regions(Tensorize *t, const RlxTirRegion *now, int count,
                          const RlxTirRegion *desc, int desc_count) {
  if (count != desc_count) return differs(t, "a block has not as many regions");
  for (int i = 0; i < count; i++) {
    const RlxTirBuffer *a = now[i].buffer, *b = desc[i].buffer;
    if (!match_indices(t, a, now[i].begin, b, desc[i].begin)) return false;
    for (int d = 0; d < b->ndim; d++)
      if (!same_integer(t, now[i].extent[a->ndim - b->ndim + d], NULL, desc[i].extent[d]))
        return differs(t, "a region has another extent");
  }
  return true;
}

static bool match_block(Tensorize *t, const RlxTirStmt *a, const RlxTirStmt *b) {
  const RlxTirBlock *x = a->block, *y = b->block;
  if (x->iter_count != y->iter_count) return differs(t, "a block has not as many variables");
  for (int i = 0; i < x->iter_count; i++) {
    const RlxTirIterVar *v = &x->iters[i], *w = &y->iters[i];
    if (v->type != w->type) return differs(t, "a variable has another type");
    if (!same_integer(t, v->extent, NULL, w->extent) || !match_expr(t, v->binding, w->binding) ||
        !match_expr(t, v->min, w->min))
      return differs(t, "a variable has another domain or value");
  }
  if (!match_expr(t, x->predicate, y->predicate)) return false;
  t->facts = rlx_schedule_domain_facts(t->c, t->facts, x);
  for (int i = 0; i < x->iter_count; i++) bind(t, x->iters[i].var, y->iters[i].var);
  if (x->alloc_count || y->alloc_count || x->match_count || y->match_count)
    return differs(t, "a block has buffers of its own");
  if (x->annotation_count != y->annotation_count)
    return differs(t, "a block has other annotations");
  if (!match_regions(t, x->writes, x->write_count, y->writes, y->write_count) ||
      !match_regions(t, x->reads, x->read_count, y->reads, y->read_count))
    return false;
  if (!a->init != !b->init) return differs(t, "a block has an init");
  return (!a->init || match_stmt(t, a->init, b->init)) && match_stmt(t, a->body[0], b->body[0]);
}

/// The statements of a sequence, those that do nothing left out; the next of them, from `*at` on.
static const RlxTirStmt *next_of(const RlxTirStmt *s, uint32_t *at) {
  if (s->kind != RLX_TIR_SEQ) return (*at)++ == 0 && s->kind != RLX_TIR_NOP ? s : NULL;
  while (*at < s->count && s->body[*at]->kind == RLX_TIR_NOP) ++*at;
  return *at < s->count ? s->body[(*at)++] : NULL;
}

static bool match_stmt(Tensorize *t, const RlxTirStmt *a, const RlxTirStmt *b) {
  if (a->kind == RLX_TIR_SEQ || b->kind == RLX_TIR_SEQ) {
    uint32_t i = 0, k = 0;
    for (;;) {
      const RlxTirStmt *x = next_of(a, &i), *y = next_of(b, &k);
      if (!x && !y) return true;
      if (!x || !y) return differs(t, "there are not as many statements");
      if (!match_stmt(t, x, y)) return false;
    }
  }
  t->where = a->span.end ? a : t->where;
  if (a->kind != b->kind) return differs(t, "another statement stands here");
  switch (a->kind) {
  case RLX_TIR_FOR:
    if (a->for_kind != b->for_kind || a->name != b->name ||
        a->annotation_count != b->annotation_count)
      return differs(t, "a loop is of another kind");
    if (!same_integer(t, a->extent, NULL, b->extent) || !match_expr(t, a->min, b->min))
      return differs(t, "a loop has another extent");
    bind(t, a->var, b->var);
    return match_stmt(t, a->body[0], b->body[0]);
  case RLX_TIR_BLOCK: return match_block(t, a, b);
  case RLX_TIR_STORE:
    return match_indices(t, a->buffer, a->indices, b->buffer, b->indices) &&
           match_expr(t, a->value, b->value);
  case RLX_TIR_EVALUATE: return match_expr(t, a->value, b->value);
  case RLX_TIR_IF:
    return match_expr(t, a->cond, b->cond) && a->count == b->count &&
           match_stmt(t, a->body[0], b->body[0]) &&
           (a->count < 2 || match_stmt(t, a->body[1], b->body[1]));
  default: return differs(t, "a statement of this kind is not compared");
  }
}

/// Of the outermost block the variables are free, and its regions say where the buffers are.
static bool match_outer(Tensorize *t) {
  const RlxTirStmt *desc = root_of(t->desc);
  const RlxTirBlock *x = t->block->block, *y = desc->block;
  if (x->read_count < 0 || x->write_count < 0 || y->read_count < 0 || y->write_count < 0)
    return differs(t, "what a block reads and writes is not known");
  if (x->write_count != y->write_count || x->read_count != y->read_count)
    return differs(t, "the block has not as many regions");
  for (int i = 0; i < x->write_count; i++)
    if (!match_base(t, &x->writes[i], &y->writes[i])) return false;
  for (int i = 0; i < x->read_count; i++)
    if (!match_base(t, &x->reads[i], &y->reads[i])) return false;
  if (x->alloc_count || x->match_count || y->alloc_count || y->match_count || desc->init)
    return differs(t, "a block has buffers of its own, or the description an init");
  return match_stmt(t, t->block->body[0], desc->body[0]);
}

// ---- the implementation comes in

typedef struct Ids { ///< variables and buffers of the implementation get ids of their own here
  RlxPrimFunc *f;
  Vec(const void *) seen;
} Ids;

static bool is_new(Ids *ids, const void *p) {
  for (uint32_t i = 0; i < ids->seen.count; i++)
    if (ids->seen.at[i] == p) return false;
  if (p) rlx_vec_push(&ids->seen, p);
  return p != NULL;
}

static void take_var(Ids *ids, RlxTirVar *v) {
  if (is_new(ids, v)) v->id = ids->f->var_count++;
}

static bool take_expr(const RlxTirExpr *e, void *data);

static void take_buffer(Ids *ids, RlxTirBuffer *b) {
  if (!is_new(ids, b)) return;
  b->id = ids->f->buffer_count++;
  take_var(ids, b->data);
  for (int d = 0; d < b->ndim; d++) {
    rlx_tir_visit_expr(b->shape[d], take_expr, ids);
    if (b->strides) rlx_tir_visit_expr(b->strides[d], take_expr, ids);
  }
  if (b->elem_offset) rlx_tir_visit_expr(b->elem_offset, take_expr, ids);
}

static bool take_expr(const RlxTirExpr *e, void *data) {
  if (e->kind == RLX_TIR_VAR || e->kind == RLX_TIR_LET) take_var(data, e->var);
  if (e->kind == RLX_TIR_LOAD) take_buffer(data, e->buffer);
  return true;
}

static bool take_stmt(const RlxTirStmt *s, void *data) {
  take_var(data, s->var);
  take_buffer(data, s->buffer);
  for (int i = 0; s->block && i < s->block->iter_count; i++) take_var(data, s->block->iters[i].var);
  for (int i = 0; s->block && i < s->block->alloc_count; i++)
    take_buffer(data, s->block->allocs[i]);
  for (int i = 0; s->block && i < s->block->match_count; i++)
    take_buffer(data, s->block->matches[i]);
  return true;
}

static bool note_gone(const RlxTirStmt *s, void *data) {
  Tensorize *t = data;
  if (s != t->block && (s->kind == RLX_TIR_FOR || s->kind == RLX_TIR_BLOCK))
    rlx_schedule_moved(t->c, s, NULL);
  return true;
}

static bool has_key(const RlxTirBlock *b, RlxName key) {
  for (int i = 0; i < b->annotation_count; i++)
    if (b->annotations[i].key == key) return true;
  return false;
}

static void carry_out(Tensorize *t) {
  RlxPrimFunc *f = t->c->f;
  const RlxTirStmt *root = root_of(t->impl);
  RlxTirStmt *out = rlx_tir_copy_block(f, t->block);
  RlxTirBlock *b = out->block;
  b->matches = rlx_arena_array(f->arena, RlxTirBuffer *, t->impl->param_count + 1);
  b->match_count = 0;
  for (int i = 0; i < t->impl->param_count; i++) {
    RlxTirBuffer *m = t->impl->params[i].buffer;
    for (uint32_t k = 0; k < t->pairs.count; k++)
      if (t->pairs.at[k].desc == t->desc->params[i].buffer) {
        m->view_of = t->pairs.at[k].now;
        m->view_origin = t->pairs.at[k].base;
      }
    b->matches[b->match_count++] = m;
  }
  b->allocs = root->block->allocs;
  b->alloc_count = root->block->alloc_count;
  RlxTirAnnotation *all = rlx_arena_array(f->arena, RlxTirAnnotation,
                                          b->annotation_count + root->block->annotation_count + 1);
  for (int i = 0; i < b->annotation_count; i++) all[i] = b->annotations[i];
  for (int i = 0; i < root->block->annotation_count; i++)
    if (!has_key(b, root->block->annotations[i].key))
      all[b->annotation_count++] = root->block->annotations[i];
  b->annotations = all;
  rlx_tir_visit(t->block, note_gone, NULL, t);
  out->body[0] = root->body[0];
  Ids ids = {.f = f};
  for (int i = 0; i < b->match_count; i++) take_buffer(&ids, b->matches[i]);
  rlx_tir_visit(root, take_stmt, take_expr, &ids);
  rlx_vec_free(&ids.seen);
  rlx_schedule_replace(t->c, t->block, out);
}

static bool check_pairs(Tensorize *t) {
  for (int i = 0; i < t->desc->param_count; i++) {
    bool is_found = false;
    for (uint32_t k = 0; k < t->pairs.count; k++)
      is_found |= t->pairs.at[k].desc == t->desc->params[i].buffer;
    if (!is_found) return differs(t, "the description does not use one of its parameters");
  }
  for (uint32_t k = 0; k < t->pairs.count; k++)
    if (rlx_schedule_is_aliased(t->block, t->pairs.at[k].now))
      return differs(t, "the block uses the memory of one of its buffers under another name, too");
  return true;
}

bool rlx_primitive_tensorize(RlxScheduleCall *c) {
  RlxSchedulePlace place;
  Tensorize t = {.c = c, .store = c->s->store};
  if (!rlx_schedule_item_any(c, &c->args[0], &place)) return false;
  t.where = place.stmt;
  if (!place.stmt) return refuse(&t, "the root block is not written");
  if (!read_intrinsic(&t)) return false;
  rlx_primfunc_complete(t.store, t.desc);
  t.block = place.stmt->kind == RLX_TIR_BLOCK
                ? place.stmt
                : rlx_schedule_blockize(c, place.stmt, rlx_schedule_flag(c, 2, true));
  if (t.block) t.facts = rlx_schedule_domain_facts(c, NULL, t.block->block);
  bool ok = t.block && match_outer(&t) && check_pairs(&t);
  if (ok)
    carry_out(&t);
  else if (t.block)
    refuse(&t, rlx_arena_printf(c->s->arena, "what the intrinsic describes is something else: %s",
                                t.why));
  rlx_vec_free(&t.pairs);
  rlx_vec_free(&t.vars);
  rlx_vec_free(&t.values);
  rlx_vec_free(&t.locals);
  rlx_vec_free(&t.locals_now);
  return ok;
}
