/// What depends on what between the blocks of one scope.
///
/// There may be a dependency for each pair of blocks: kept is only, for each buffer, who writes and
/// who reads it; pairs are made when somebody walks over them.
#include "analyzer/tir/blocks.h"
#include "analyzer/tir/blocks_impl.h"
#include "base/map.h"
#include <stdlib.h>

typedef Vec(int) Ints;

typedef struct Users {
  Ints writers, readers;
} Users;

typedef struct Collector {
  RlxTirAnalysis *a;
  RlxMap index;     ///< buffer to its place in `users` + 1, in one scope
  uint32_t first;   ///< the scope's first in `users`
  Vec(Users) users; ///< of all scopes
} Collector;

static uint32_t users_of(Collector *c, const RlxTirBuffer *buffer) {
  uint64_t at = (uint64_t)(uintptr_t)buffer, place = 0;
  if (rlx_map_get(&c->index, at, &place)) return (uint32_t)place - 1;
  rlx_vec_push(&c->users, (Users){0});
  rlx_map_put(&c->index, at, c->users.count);
  return c->users.count - 1;
}

static int *add_uses(Collector *c, const RlxTirBlockInfo *block, const RlxTirBoxes *boxes,
                     bool is_write) {
  int *places = rlx_arena_array(c->a->arena, int, boxes->count + 1);
  for (int i = 0; i < boxes->count; i++) {
    uint32_t place = users_of(c, boxes->at[i].buffer);
    Ints *users = is_write ? &c->users.at[place].writers : &c->users.at[place].readers;
    if (!users->count || rlx_vec_last(users) != block->index) rlx_vec_push(users, block->index);
    places[i] = (int)place;
  }
  return places;
}

void rlx_tir_collect_uses(RlxTirAnalysis *a) {
  Collector c = {.a = a};
  for (int s = 0; s < a->block_count; s++) {
    const RlxTirBlockInfo *scope = &a->blocks[s];
    if (scope->child_count < 2) continue;
    rlx_map_clear(&c.index);
    for (int i = 0; i < scope->child_count; i++) {
      RlxTirBlockInfo *block = &a->blocks[scope->children[i]];
      block->read_uses = add_uses(&c, block, &block->reads, false);
      block->write_uses = add_uses(&c, block, &block->writes, true);
    }
  }
  a->uses_count = (int)c.users.count;
  a->uses = rlx_arena_array(a->arena, RlxTirBufferUses, c.users.count + 1);
  for (uint32_t i = 0; i < c.users.count; i++) {
    Users *u = &c.users.at[i];
    a->uses[i] = (RlxTirBufferUses){
        .writers = rlx_arena_copy(a->arena, u->writers.at, u->writers.count, sizeof(int)),
        .readers = rlx_arena_copy(a->arena, u->readers.at, u->readers.count, sizeof(int)),
        .writer_count = (int)u->writers.count,
        .reader_count = (int)u->readers.count};
    rlx_vec_free(&u->writers);
    rlx_vec_free(&u->readers);
  }
  rlx_vec_free(&c.users);
  rlx_map_free(&c.index);
}

int rlx_tir_count_below(const int *list, int count, int limit) {
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (list[middle] < limit)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

RlxTirBuffer *rlx_tir_shared_buffer(const RlxTirBoxes *from, const RlxTirBoxes *to) {
  for (int i = 0; i < to->count; i++)
    if (rlx_tir_box_of(from, to->at[i].buffer)) return to->at[i].buffer;
  return NULL;
}

// ------------------------------------------------------------------ walking

static void nearer(const int *list, int count, int above, int self, int *best) {
  int i = rlx_tir_count_below(list, count, above + 1);
  if (i < count && list[i] == self) i++;
  if (i < count && (*best < 0 || list[i] < *best)) *best = list[i];
}

/// The first block after number `above`, another than `block`, that touches a buffer with it which
/// one of them writes; -1: none.
static int next_neighbour(const RlxTirAnalysis *a, const RlxTirBlockInfo *block, int above) {
  int best = -1;
  for (int i = 0; block->read_uses && i < block->reads.count; i++) {
    const RlxTirBufferUses *uses = &a->uses[block->read_uses[i]];
    nearer(uses->writers, uses->writer_count, above, block->index, &best);
  }
  for (int i = 0; block->write_uses && i < block->writes.count; i++) {
    const RlxTirBufferUses *uses = &a->uses[block->write_uses[i]];
    nearer(uses->writers, uses->writer_count, above, block->index, &best);
    nearer(uses->readers, uses->reader_count, above, block->index, &best);
  }
  return best;
}

RlxTirDependencyWalk rlx_tir_dependencies(int block) {
  return (RlxTirDependencyWalk){
      .of = block, .place = -1, .dst = -1, .src = -1, .kind = RLX_DEPENDENCY_OPAQUE};
}

/// The next pair of blocks with a dependency among all.
static bool next_pair(const RlxTirAnalysis *a, RlxTirDependencyWalk *w) {
  while (w->scope < a->block_count) {
    const RlxTirBlockInfo *scope = &a->blocks[w->scope];
    if (w->place >= 0 && w->place < scope->child_count) {
      w->dst = scope->children[w->place];
      w->src = next_neighbour(a, &a->blocks[w->dst], w->src);
      if (w->src >= 0 && w->src < w->dst) return true;
    }
    w->src = -1;
    if (++w->place >= scope->child_count) w->scope++, w->place = -1;
  }
  return false;
}

/// The next one among those of a block.
static bool next_pair_of(const RlxTirAnalysis *a, RlxTirDependencyWalk *w) {
  int next = next_neighbour(a, &a->blocks[w->of], w->place);
  if (next < 0) return false;
  w->place = next;
  w->src = next < w->of ? next : w->of;
  w->dst = next < w->of ? w->of : next;
  return true;
}

bool rlx_tir_next_dependency(const RlxTirAnalysis *a, RlxTirDependencyWalk *w,
                             RlxTirDependency *out) {
  for (;;) {
    for (; w->kind < RLX_DEPENDENCY_OPAQUE; w->kind++) {
      const RlxTirBlockInfo *src = &a->blocks[w->src], *dst = &a->blocks[w->dst];
      RlxTirBuffer *buffer =
          rlx_tir_shared_buffer(w->kind == RLX_DEPENDENCY_WAR ? &src->reads : &src->writes,
                                w->kind == RLX_DEPENDENCY_RAW ? &dst->reads : &dst->writes);
      if (!buffer) continue;
      *out = (RlxTirDependency){dst->scope, w->src, w->dst, (uint8_t)w->kind++, buffer};
      return true;
    }
    if (!(w->of < 0 ? next_pair(a, w) : next_pair_of(a, w))) return false;
    w->kind = RLX_DEPENDENCY_RAW;
  }
}
