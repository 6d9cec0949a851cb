/// blockize, of a loop (blockize.c) or of several blocks: neighbours under one loop become the body of one
/// new block.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/blockize_tensorize.cc (BlockizeBlocks). Differs: the
/// blocks stay in the order of the text, and a block inside keeps its init, which TVM's loses.
#include "analyzer/schedule/blockize_impl.h"

enum { BLOCKS_MAX = 32, DEEP = 512 };

typedef struct List {
  RlxScheduleCall *c;
  RlxArena *arena;
  RlxBlockize blocks[BLOCKS_MAX];
  const RlxTirStmt *tops[BLOCKS_MAX]; ///< the statement among its neighbours that has the block
  int count;
} List;

static bool refuse(List *l, int i, const char *why) {
  return rlx_blockize_refuse(&l->blocks[i], why);
}

// ---- which blocks

static bool read_blocks(List *l, const RlxScheduleValue *list, bool preserves_units) {
  RlxScheduleCall *c = l->c;
  if (list->count < 2 || list->count > BLOCKS_MAX)
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), NULL, "ss", "blockize",
                               "a list has 2 to 32 blocks");
  for (uint32_t i = 0; i < list->count; i++) {
    RlxSchedulePlace place;
    if (!rlx_schedule_item_any(c, &list->items[i], &place)) return false;
    if (!place.stmt || place.stmt->kind != RLX_TIR_BLOCK)
      return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), NULL, "ss", "blockize",
                                 "a list has blocks only, and not the root");
    l->blocks[l->count++] = (RlxBlockize){.c = c,
                                          .store = c->s->store,
                                          .arena = l->arena,
                                          .block = place.stmt,
                                          .loop = place.stmt,
                                          .info = rlx_schedule_block_info(c, place.stmt),
                                          .preserves_units = preserves_units,
                                          .vars = {.c = c}};
  }
  return true;
}

/// The sequence in which the statements of all blocks follow each other, and the loops outside of it.
static bool find_places(List *l) {
  const RlxTirStmt *first[DEEP], *other[DEEP];
  int depth = rlx_schedule_path(l->c, l->blocks[0].block, first, DEEP), common = depth;
  for (int i = 1; i < l->count; i++) {
    int n = rlx_schedule_path(l->c, l->blocks[i].block, other, DEEP), k = 0;
    if (depth > DEEP || n > DEEP) return refuse(l, i, "it stands too deep");
    while (k < common && k < n && first[k] == other[k]) k++;
    common = k;
  }
  const RlxTirStmt *seq = common ? first[common - 1] : NULL;
  if (!seq || seq->kind != RLX_TIR_SEQ)
    return refuse(l, 1, "the blocks do not stand one after another under one loop or block");
  uint32_t at = 0;
  for (int i = 0; i < l->count; i++) {
    RlxBlockize *b = &l->blocks[i];
    rlx_schedule_path(l->c, b->block, other, DEEP);
    l->tops[i] = other[common];
    if (!i)
      while (seq->body[at] != l->tops[0]) at++;
    if (at + (uint32_t)i >= seq->count || seq->body[at + (uint32_t)i] != l->tops[i])
      return refuse(l, i, "the blocks do not follow each other in this order");
    const RlxTirStmt *s = l->tops[i];
    if (s->kind == RLX_TIR_FOR) b->loop = s;
    while (s->kind == RLX_TIR_FOR) s = s->body[0];
    if (s != b->block) return refuse(l, i, "something else stands in the loops of the block");
    while (b->first_inner < b->info->loop_count &&
           rlx_blockize_loop(b, b->first_inner) != l->tops[i])
      b->first_inner++;
  }
  return true;
}

// ---- one outer part for all

static bool is_equal(const List *l, const RlxTirExpr *a, const RlxTirExpr *b) {
  RlxStore *store = l->c->s->store;
  const RlxPrim *x = rlx_tir_integer(store, a), *y = rlx_tir_integer(store, b);
  return x && y && rlx_prove_equal(store, NULL, x, y) == RLX_YES;
}

static bool is_one(const RlxTirExpr *e) { return e->kind == RLX_TIR_INT && e->integer == 1; }

/// Block `i` divides with the same outer variables, bindings and predicate as the first.
static bool has_same_outer(List *l, int i, const RlxTirIterVar *own) {
  const RlxBlockize *b = &l->blocks[i], *first = &l->blocks[0];
  bool is_same = first->outer_predicate == b->outer_predicate ||
                 (first->outer_predicate && b->outer_predicate &&
                  rlx_tir_expr_equal(first->outer_predicate, b->outer_predicate));
  for (int v = 0; is_same && v < b->info->iter_count; v++)
    is_same = (own[v].type == first->outer[v].type || is_one(own[v].extent)) &&
              rlx_dtype_equal(own[v].var->dtype, first->outer[v].var->dtype) &&
              is_equal(l, own[v].extent, first->outer[v].extent) &&
              is_equal(l, own[v].binding, first->outer[v].binding);
  return is_same ||
         refuse(l, i,
                "the loops outside make another part of its variables than of the first block's");
}

static bool make_variables(List *l) {
  for (int i = 0; i < l->count; i++) {
    RlxBlockize *b = &l->blocks[i];
    const RlxTirBlock *block = b->block->block;
    if (block->read_count < 0 || block->write_count < 0)
      return refuse(l, i, "what the block reads and writes is not known");
    if (b->info->iter_count != l->blocks[0].info->iter_count)
      return refuse(l, i, "it has another number of variables than the first block");
    if (!rlx_blockize_divide(b)) return false;
    const char *late =
        rlx_schedule_init_starts_late(l->c, b->info); // in the domain that is left it might not
    if (!late && b->block->init && rlx_schedule_init_may_not_run(l->c, b->info, b->info))
      late = "a condition may keep its init from running, and would not in the domain that is left";
    if (late) return refuse(l, i, late);
    rlx_schedule_vars_all(&b->vars);
    if (!rlx_blockize_variables(b)) return false;
    if (i && !has_same_outer(l, i, b->outer)) return false;
    for (int v = 0; v < b->info->iter_count; v++)
      if (b->block->init && b->outer[v].type != RLX_ITER_DATA_PAR && !is_one(b->outer[v].extent))
        return refuse(l, i, "it has an init, and a variable of the new block would reduce");
    if (!i) continue;
    for (int v = 0; v < b->info->iter_count; v++) { // the variables of the first block for its own
      RlxTirSubst at = {b->outer[v].var, rlx_tir_var_expr(l->c->f, l->blocks[0].outer[v].var)};
      for (int k = 0; k < b->info->iter_count; k++)
        b->put[k].value = rlx_tir_subst(l->c->f, b->put[k].value, &at, 1);
      rlx_schedule_vars_add(&b->vars, l->blocks[0].outer[v].var);
    }
    b->outer = l->blocks[0].outer;
  }
  return true;
}

// ---- the new block

/// `region` joined to those in `out`: one for each buffer, the hull of what all cover.
static void join(List *l, RlxTirRegion *out, int *count, const RlxTirRegion *region) {
  RlxStore *store = l->c->s->store;
  RlxPrimFunc *f = l->c->f;
  int at = 0, ndim = region->buffer->ndim;
  while (at < *count && out[at].buffer != region->buffer) at++;
  if (at == *count) {
    out[(*count)++] = *region;
    return;
  }
  RlxTirRegion *r = &out[at];
  RlxTirExpr **begin = rlx_arena_array(f->arena, RlxTirExpr *, ndim + 1);
  RlxTirExpr **extent = rlx_arena_array(f->arena, RlxTirExpr *, ndim + 1);
  for (int d = 0; d < ndim; d++) {
    const RlxTirRegion *both[] = {r, region};
    RlxTirInterval hull[2];
    bool is_known = true;
    for (int k = 0; k < 2; k++) {
      const RlxPrim *low = rlx_tir_integer(store, both[k]->begin[d]),
                    *size = rlx_tir_integer(store, both[k]->extent[d]);
      is_known &= low && size;
      if (low && size)
        hull[k] = (RlxTirInterval){
            low,
            rlx_prim_simplify(store, rlx_prim_addi(store, rlx_prim_add(store, low, size), -1))};
    }
    RlxTirInterval all = {NULL, NULL};
    if (is_known) all = rlx_tir_interval_hull(store, hull[0], hull[1]);
    RlxScheduleVars *vars = &l->blocks[0].vars;
    begin[d] = all.min ? rlx_schedule_expr(vars, all.min) : NULL;
    if (all.min && all.max)
      extent[d] = rlx_schedule_expr(
          vars,
          rlx_prim_simplify(store, rlx_prim_addi(store, rlx_prim_sub(store, all.max, all.min), 1)));
    if (begin[d] && extent[d]) continue;
    begin[d] = rlx_tir_int(f, 0, region->buffer->shape[d]->dtype);
    extent[d] = region->buffer->shape[d];
  }
  r->begin = begin;
  r->extent = extent;
}

static void join_all(List *l, bool is_write, RlxTirRegion **out, int *out_count) {
  int capacity = 0;
  for (int i = 0; i < l->count; i++) {
    const RlxTirBlock *b = l->blocks[i].block->block;
    capacity += is_write ? b->write_count : b->read_count;
  }
  *out = rlx_arena_array(l->c->f->arena, RlxTirRegion, capacity + 1);
  *out_count = 0;
  for (int i = 0; i < l->count; i++) {
    const RlxTirBlock *b = l->blocks[i].block->block;
    int count = is_write ? b->write_count : b->read_count;
    RlxTirRegion *own = rlx_blockize_regions(&l->blocks[i], is_write ? b->writes : b->reads, count);
    for (int k = 0; k < count; k++) join(l, *out, out_count, &own[k]);
  }
}

/// The block over its inner variables, in its loops.
static RlxTirStmt *inner_nest(List *l, int i) {
  RlxBlockize *b = &l->blocks[i];
  RlxTirStmt *out = rlx_blockize_inner(b, false);
  out->init = rlx_blockize_put(b, b->block->init);
  rlx_schedule_moved(l->c, b->block, out);
  for (int k = b->info->loop_count - 1; k >= b->first_inner; k--) {
    RlxTirStmt *loop = rlx_tir_copy(l->c->f, rlx_blockize_loop(b, k));
    loop->body[0] = out;
    rlx_schedule_moved(l->c, rlx_blockize_loop(b, k), loop);
    out = loop;
  }
  return out;
}

static void build(List *l) {
  RlxScheduleCall *c = l->c;
  RlxBlockize *first = &l->blocks[0];
  RlxTirStmt *nests[BLOCKS_MAX];
  RlxBuf name = {0};
  rlx_buf_puts(&name, "outer_");
  for (int i = 0; i < l->count; i++) {
    nests[i] = inner_nest(l, i);
    rlx_buf_printf(&name, "%s_", rlx_schedule_block_name(c, l->blocks[i].block));
  }
  RlxTirStmt *out = rlx_tir_block(
      c->f, rlx_intern_text(rlx_store_names(c->s->store), rlx_buf_text(&name)), first->outer,
      first->info->iter_count, NULL, rlx_tir_seq(c->f, nests, l->count));
  rlx_buf_free(&name);
  out->block->predicate = first->outer_predicate;
  join_all(l, false, &out->block->reads, &out->block->read_count);
  join_all(l, true, &out->block->writes, &out->block->write_count);
  rlx_schedule_put(c, l->tops[0], out);
  for (int i = 1; i < l->count; i++) rlx_schedule_put(c, l->tops[i], NULL);
  rlx_schedule_give(c, out);
}

static bool blockize_all(RlxScheduleCall *c, const RlxScheduleValue *list,
                         bool preserve_unit_iters) {
  RlxArena *arena = rlx_arena_new();
  List *l = rlx_arena_one(arena, List);
  l->c = c;
  l->arena = arena;
  bool ok = read_blocks(l, list, preserve_unit_iters) && find_places(l) && make_variables(l);
  if (ok) build(l);
  for (int i = 0; i < l->count; i++) rlx_schedule_vars_free(&l->blocks[i].vars);
  rlx_arena_free(arena);
  return ok;
}

bool rlx_primitive_blockize(RlxScheduleCall *c) {
  RlxSchedulePlace place;
  if (c->args[0].kind == RLX_SCHEDULE_LIST)
    return blockize_all(c, &c->args[0], rlx_schedule_flag(c, 1, true));
  if (!rlx_schedule_item_loop(c, &c->args[0], &place)) return false;
  RlxTirStmt *block = rlx_schedule_blockize(c, place.stmt, rlx_schedule_flag(c, 1, true));
  if (!block) return false;
  rlx_schedule_give(c, block);
  return true;
}
