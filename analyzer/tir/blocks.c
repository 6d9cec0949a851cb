/// Collecting the blocks and loops of a PrimFunc, then all that is said of them. Indices are
/// pre-order numbers, so a block's scope and a loop's parent have smaller ones.
#include "analyzer/tir/blocks.h"

#include "analyzer/tir/blocks_impl.h"
#include "analyzer/tir/rewrite.h"
#include "analyzer/tir/wraps.h"
#include "base/map.h"
#include "base/mem.h"
#include <stdlib.h>

// ------------------------------------------------------------------ collecting

typedef Vec(RlxTirBlockInfo) Blocks;
typedef Vec(RlxTirLoopInfo) Loops;
typedef Vec(int) Ints;

typedef struct Collector {
  RlxTirAnalysis *a;
  Blocks blocks;
  Loops loops;
  int scope, loop;  ///< innermost block and loop around, -1: none
  bool in_init;     ///< of a block around
  bool in_own_init; ///< of the innermost block
} Collector;

static void collect(Collector *c, RlxTirStmt *s);

static RlxTirIterInfo iter_info(const RlxTirAnalysis *a, const RlxTirIterVar *iter) {
  RlxTirIterInfo info = {.iter = iter,
                         .symbol = rlx_tir_symbol(a->store, iter->var),
                         .extent = rlx_tir_integer(a->store, iter->extent),
                         .binding = rlx_tir_integer(a->store, iter->binding),
                         .inferred = iter->type};
  info.min = iter->min ? rlx_tir_integer(a->store, iter->min)
                       : rlx_prim_int_typed(a->store, 0, iter->var->dtype);
  return info;
}

static int add_block(Collector *c, RlxTirStmt *s) {
  const RlxTirAnalysis *a = c->a;
  RlxTirBlockInfo info = {.stmt = s,
                          .index = (int)c->blocks.count,
                          .scope = c->scope,
                          .is_in_init = c->in_init,
                          .is_child = c->scope >= 0 && !c->in_own_init,
                          .allocs = a->f->root_allocs,
                          .alloc_count = c->blocks.count ? 0 : a->f->root_alloc_count};
  if (s) {
    const RlxTirBlock *block = s->block;
    info.block = block;
    info.name = block->name;
    info.iter_count = block->iter_count;
    info.iters = rlx_arena_array(a->arena, RlxTirIterInfo, block->iter_count + 1);
    for (int i = 0; i < block->iter_count; i++) info.iters[i] = iter_info(a, &block->iters[i]);
    info.allocs = block->allocs;
    info.alloc_count = block->alloc_count;
    info.has_init = s->init != NULL;
    info.has_declared_reads = block->read_count >= 0;
    info.has_declared_writes = block->write_count >= 0;
    if (block->predicate) info.predicate = rlx_tir_number(a->store, block->predicate);
  }
  int depth = 0;
  for (int l = c->loop; l >= 0; l = c->loops.at[l].parent) depth++;
  info.loops = rlx_arena_array(a->arena, int, depth + 1);
  info.loop_count = depth;
  for (int l = c->loop; l >= 0; l = c->loops.at[l].parent) info.loops[--depth] = l;
  rlx_vec_push(&c->blocks, info);
  return (int)c->blocks.count - 1;
}

static void collect_block(Collector *c, RlxTirStmt *s) {
  int scope = c->scope, loop = c->loop;
  bool in_init = c->in_init, in_own_init = c->in_own_init;
  c->scope = add_block(c, s);
  c->loop = -1;
  if (s->init) {
    c->in_init = c->in_own_init = true;
    collect(c, s->init);
  }
  c->in_init = in_init;
  c->in_own_init = false;
  for (uint32_t i = 0; i < s->count; i++) collect(c, s->body[i]);
  c->scope = scope;
  c->loop = loop;
  c->in_own_init = in_own_init;
}

static void collect_loop(Collector *c, RlxTirStmt *s) {
  const RlxTirAnalysis *a = c->a;
  int parent = c->loop;
  RlxTirLoopInfo info = {.stmt = s,
                         .index = (int)c->loops.count,
                         .scope = c->scope,
                         .is_in_init = c->in_init,
                         .parent = parent,
                         .depth = parent < 0 ? 0 : c->loops.at[parent].depth + 1,
                         .symbol = rlx_tir_symbol(a->store, s->var),
                         .extent = rlx_tir_integer(a->store, s->extent)};
  info.min =
      s->min ? rlx_tir_integer(a->store, s->min) : rlx_prim_int_typed(a->store, 0, s->var->dtype);
  rlx_vec_push(&c->loops, info);
  c->loop = info.index;
  for (uint32_t i = 0; i < s->count; i++) collect(c, s->body[i]);
  c->loop = parent;
}

static void collect(Collector *c, RlxTirStmt *s) {
  if (!s) return;
  if (s->kind == RLX_TIR_BLOCK)
    collect_block(c, s);
  else if (s->kind == RLX_TIR_FOR)
    collect_loop(c, s);
  else
    for (uint32_t i = 0; i < s->count; i++) collect(c, s->body[i]);
}

/// Appends `value` to an array in the arena; capacity grows by doubling from the count.
static void append(RlxArena *arena, int **list, int *count, int value) {
  if (!(*count & (*count - 1))) {
    int *grown = rlx_arena_array(arena, int, *count ? *count * 2 : 1);
    for (int i = 0; i < *count; i++) grown[i] = (*list)[i];
    *list = grown;
  }
  (*list)[(*count)++] = value;
}

static void link_blocks(RlxTirAnalysis *a) {
  for (int b = 1; b < a->block_count; b++) {
    RlxTirBlockInfo *block = &a->blocks[b], *scope = &a->blocks[block->scope];
    if (block->is_child) append(a->arena, &scope->children, &scope->child_count, b);
    for (int i = 0; i < block->loop_count; i++) {
      RlxTirLoopInfo *loop = &a->loops[block->loops[i]];
      append(a->arena, &loop->blocks, &loop->block_count, b);
    }
  }
}

/// The loops around a block in its scope, and which types of block variables each loop is found to
/// bind.
typedef struct Bound {
  RlxMap loops;   ///< by their variables
  uint8_t *types; ///< of each loop, bits by RlxTirLoopType
  uint8_t is;     ///< the bit of the variable that is bound
} Bound;

static bool note_loop(const RlxTirExpr *e, void *data) {
  const Bound *b = data;
  uint64_t place;
  if (e->kind == RLX_TIR_VAR && rlx_map_get(&b->loops, (uintptr_t)e->var, &place))
    b->types[place] |= b->is;
  return true;
}

static void note_block(const RlxTirAnalysis *a, const RlxTirBlockInfo *block, Bound *bound) {
  rlx_map_clear(&bound->loops);
  for (int i = 0; i < block->loop_count; i++)
    rlx_map_put(&bound->loops, (uintptr_t)a->loops[block->loops[i]].stmt->var,
                (uint64_t)block->loops[i]);
  for (int k = 0; k < block->iter_count; k++) {
    const RlxTirIterVar *iter = block->iters[k].iter;
    RlxTirLoopType type = iter->type == RLX_ITER_DATA_PAR ? RLX_LOOP_SPATIAL
                          : iter->type == RLX_ITER_REDUCE ? RLX_LOOP_REDUCE
                                                          : RLX_LOOP_OTHER;
    bound->is = (uint8_t)(1 << type);
    rlx_tir_visit_expr(iter->binding, note_loop, bound);
  }
}

/// TVM's GetLoopIterType: by the types of the block variables that the loop binds.
static void loop_types(RlxTirAnalysis *a) {
  Bound bound = {.types = rlx_mem_zeroed((size_t)a->loop_count + 1, 1)};
  for (int b = 0; b < a->block_count; b++) note_block(a, &a->blocks[b], &bound);
  for (int i = 0; i < a->loop_count; i++) {
    const uint8_t types = bound.types[i];
    a->loops[i].type = types == 1 << RLX_LOOP_REDUCE                          ? RLX_LOOP_REDUCE
                       : types & (1 << RLX_LOOP_OTHER | 1 << RLX_LOOP_REDUCE) ? RLX_LOOP_OTHER
                                                                              : RLX_LOOP_SPATIAL;
  }
  rlx_map_free(&bound.loops);
  free(bound.types);
}

/// The block that is the whole function is its root; else the root is not written.
static RlxTirStmt *own_root(const RlxPrimFunc *f) {
  RlxTirStmt *body = f->body;
  bool is_root =
      body && body->kind == RLX_TIR_BLOCK && !body->block->iter_count && !f->root_alloc_count;
  return is_root ? body : NULL;
}

typedef struct Keyed {
  uintptr_t stmt;
  int index;
} Keyed;

static int by_address(const void *x, const void *y) {
  const Keyed *a = x, *b = y;
  return a->stmt < b->stmt ? -1 : a->stmt > b->stmt;
}

/// The indices in the order of their statements' addresses.
static int *sorted(RlxArena *arena, Keyed *keyed, int count) {
  int *list = rlx_arena_array(arena, int, count + 1);
  qsort(keyed, (size_t)count, sizeof *keyed, by_address);
  for (int i = 0; i < count; i++) list[i] = keyed[i].index;
  return list;
}

static void sort_statements(RlxTirAnalysis *a) {
  Keyed *keyed = rlx_mem_zeroed((size_t)(a->block_count + a->loop_count + 1), sizeof *keyed);
  for (int i = 0; i < a->block_count; i++) keyed[i] = (Keyed){(uintptr_t)a->blocks[i].stmt, i};
  a->blocks_by_stmt = sorted(a->arena, keyed, a->block_count);
  for (int i = 0; i < a->loop_count; i++) keyed[i] = (Keyed){(uintptr_t)a->loops[i].stmt, i};
  a->loops_by_stmt = sorted(a->arena, keyed, a->loop_count);
  free(keyed);
}

/// Fills reads, writes (declared and deduced) of all blocks: inner ones first.
static void collect_regions(RlxTirAnalysis *a) {
  for (int b = a->block_count - 1; b >= 0; b--) {
    RlxTirBlockInfo *block = &a->blocks[b];
    if (b && !rlx_tir_reuse_regions(a, block)) rlx_tir_deduce_regions(a, block);
    block->reads = block->deduced_reads;
    block->writes = block->deduced_writes;
    if (block->has_declared_reads)
      block->reads = rlx_tir_declared_boxes(a, block->block->reads, block->block->read_count);
    if (block->has_declared_writes)
      block->writes = rlx_tir_declared_boxes(a, block->block->writes, block->block->write_count);
  }
}

/// Names of loops; those of one name are numbered.
static void name_loops(RlxTirAnalysis *a) {
  RlxMap counts = {0}, numbers = {0};
  for (int i = 0; i < a->loop_count; i++) {
    uint64_t count = 0;
    rlx_map_get(&counts, a->loops[i].stmt->var->name, &count);
    rlx_map_put(&counts, a->loops[i].stmt->var->name, count + 1);
  }
  for (int i = 0; i < a->loop_count; i++) {
    RlxName name = a->loops[i].stmt->var->name;
    uint64_t count = 0, number = 0;
    rlx_map_get(&counts, name, &count);
    rlx_map_get(&numbers, name, &number);
    rlx_map_put(&numbers, name, number + 1);
    a->loops[i].name = rlx_store_text(a->store, name);
    if (count > 1)
      a->loops[i].name = rlx_arena_printf(a->arena, "%s#%d", a->loops[i].name, (int)number + 1);
  }
  rlx_map_free(&counts);
  rlx_map_free(&numbers);
}

/// Lengths of parameters' buffers are not negative. Said before anything asks for their symbols.
static void mark_dimensions(RlxStore *store, const RlxTirBuffer *buffer) {
  for (int d = 0; buffer && d < buffer->ndim; d++) {
    const RlxTirExpr *length = buffer->shape[d];
    if (!length || length->kind != RLX_TIR_VAR) continue;
    if (length->var->symbol)
      rlx_prim_mark_dimension(store, rlx_prim_var(store, length->var->symbol));
    else
      length->var->is_dimension = true;
  }
}

RlxTirAnalysis *rlx_tir_analyze(RlxStore *store, const RlxPrimFunc *f, RlxArena *arena,
                                const RlxTirText *text) {
  return rlx_tir_analyze_after(store, f, arena, text, NULL);
}

RlxTirAnalysis *rlx_tir_analyze_after(RlxStore *store, const RlxPrimFunc *f, RlxArena *arena,
                                      const RlxTirText *text, const RlxTirAnalysis *before) {
  RlxTirAnalysis *a = rlx_arena_one(arena, RlxTirAnalysis);
  *a = (RlxTirAnalysis){.store = store, .f = f, .arena = arena};
  if (text) a->text = *text;
  a->work = rlx_arena_one(arena, RlxSetWork);
  a->work->left = RLX_SET_WORK;
  for (int i = 0; i < f->param_count; i++) mark_dimensions(store, f->params[i].buffer);
  rlx_tir_note_reach(f);
  Collector c = {.a = a, .scope = -1, .loop = -1};
  RlxTirStmt *root = own_root(f);
  if (root) {
    collect_block(&c, root);
  } else {
    c.scope = add_block(&c, NULL);
    collect(&c, f->body);
  }
  a->block_count = (int)c.blocks.count;
  a->blocks = rlx_arena_copy(arena, c.blocks.at, c.blocks.count, sizeof *c.blocks.at);
  a->loop_count = (int)c.loops.count;
  a->loops = rlx_arena_copy(arena, c.loops.at, c.loops.count, sizeof *c.loops.at);
  rlx_vec_free(&c.blocks);
  rlx_vec_free(&c.loops);
  link_blocks(a);
  name_loops(a);
  sort_statements(a);
  loop_types(a);
  rlx_tir_find_unchanged(a, before);
  collect_regions(a);
  rlx_tir_collect_uses(a);
  rlx_tir_judge(a, before);
  a->was = NULL;
  return a;
}
