/// Primitives that ask: blocks by name, loops around a block, who writes and who reads.
#include "analyzer/schedule/schedule_impl.h"

#include <string.h>

static bool find_function(RlxScheduleCall *c, const char *name) {
  c->function = rlx_schedule_function_named(c->s, name);
  if (c->function >= 0) return true;
  c->function = 0;
  return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_NOT_FOUND), NULL, "sss", "PrimFunc", name, "");
}

bool rlx_primitive_work_on(RlxScheduleCall *c) {
  if (!find_function(c, rlx_schedule_text(c, 0))) return false;
  c->s->working_on = rlx_arena_strdup(c->s->arena, rlx_schedule_text(c, 0));
  return true;
}

bool rlx_primitive_get_block(RlxScheduleCall *c) {
  RlxScheduleValue v = {.kind = RLX_SCHEDULE_BLOCK};
  v.ref = (RlxScheduleRef){.function = rlx_schedule_text(c, 1),
                           .name = rlx_schedule_text(c, 0),
                           .index = -1,
                           .handle = -1};
  if (v.ref.function && !find_function(c, v.ref.function)) return false;
  RlxSchedulePlace place;
  if (!rlx_schedule_resolve(c, &v, &place)) return false;
  rlx_schedule_give(c, place.stmt);
  return true;
}

bool rlx_primitive_get_loops(RlxScheduleCall *c) {
  RlxSchedulePlace block;
  if (!rlx_schedule_block(c, 0, &block)) return false;
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const RlxTirBlockInfo *info = rlx_schedule_block_info(c, block.stmt);
  int count = info ? info->loop_count : 0;
  const RlxTirStmt **loops = rlx_arena_array(c->s->arena, const RlxTirStmt *, count);
  for (int i = 0; i < count; i++) loops[i] = a->loops[info->loops[i]].stmt;
  rlx_schedule_give_list(c, loops, count);
  return true;
}

bool rlx_primitive_get_child_blocks(RlxScheduleCall *c) {
  RlxSchedulePlace place;
  if (!rlx_schedule_item_any(c, &c->args[0], &place)) return false;
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const RlxTirLoopInfo *loop =
      place.stmt && place.stmt->kind == RLX_TIR_FOR ? rlx_schedule_loop_info(c, place.stmt) : NULL;
  const RlxTirBlockInfo *scope = loop ? NULL : rlx_schedule_block_info(c, place.stmt);
  const RlxTirStmt **found = rlx_arena_array(c->s->arena, const RlxTirStmt *, a->block_count);
  int count = 0;
  for (int b = 1; b < a->block_count; b++) {
    const RlxTirBlockInfo *info = &a->blocks[b];
    bool is_child = loop ? info->scope == loop->scope && rlx_tir_is_under(info, loop->index)
                         : scope && info->scope == scope->index;
    if (is_child) found[count++] = info->stmt;
  }
  rlx_schedule_give_list(c, found, count);
  return true;
}

static bool give_neighbours(RlxScheduleCall *c, bool writers) {
  RlxSchedulePlace block;
  if (!rlx_schedule_block(c, 0, &block)) return false;
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const RlxTirBlockInfo *info = rlx_schedule_block_info(c, block.stmt);
  const RlxTirStmt **found = rlx_arena_array(c->s->arena, const RlxTirStmt *, a->block_count);
  bool *seen = rlx_arena_array(c->s->arena, bool, a->block_count);
  int count = 0;
  RlxTirDependencyWalk walk = rlx_tir_dependencies(info ? info->index : 0);
  for (RlxTirDependency next, *d = &next; info && rlx_tir_next_dependency(a, &walk, d);) {
    int other = writers ? d->src : d->dst, self = writers ? d->dst : d->src;
    if (self != info->index || seen[other] ||
        (d->kind != RLX_DEPENDENCY_RAW && d->kind != RLX_DEPENDENCY_WAW))
      continue;
    seen[other] = true;
    found[count++] = a->blocks[other].stmt;
  }
  rlx_schedule_give_list(c, found, count);
  return true;
}

bool rlx_primitive_get_producers(RlxScheduleCall *c) { return give_neighbours(c, true); }
bool rlx_primitive_get_consumers(RlxScheduleCall *c) { return give_neighbours(c, false); }

/// Blocks inside of blocks count, too, each by the scope that it stands in, as with TVM.
bool rlx_primitive_get_output_blocks(RlxScheduleCall *c) {
  RlxSchedulePlace scope;
  if (!rlx_schedule_block(c, 0, &scope)) return false;
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  const RlxTirBlockInfo *info = rlx_schedule_block_info(c, scope.stmt);
  const RlxTirStmt **found = rlx_arena_array(c->s->arena, const RlxTirStmt *, a->block_count);
  int count = 0;
  for (int b = 1; info && b < a->block_count; b++)
    if (b != info->index && rlx_tir_is_within(a, b, info->index) && a->blocks[b].output_block.is)
      found[count++] = a->blocks[b].stmt;
  rlx_schedule_give_list(c, found, count);
  return true;
}

static bool give_thing(RlxScheduleCall *c, const RlxSchedulePlace *place) {
  const bool is_loop = place->stmt && place->stmt->kind == RLX_TIR_FOR;
  c->result = (RlxScheduleValue){
      .kind = RLX_SCHEDULE_THING,
      .thing = {is_loop ? RLX_THING_LOOP : RLX_THING_BLOCK, c->function, place->stmt}};
  return true;
}

bool rlx_primitive_get(RlxScheduleCall *c) {
  const RlxScheduleValue *v = &c->args[0];
  RlxSchedulePlace place;
  const bool is_node = v->kind == RLX_SCHEDULE_LOOP || v->kind == RLX_SCHEDULE_BLOCK ||
                       v->kind == RLX_SCHEDULE_STRING;
  if (is_node) return rlx_schedule_item_any(c, v, &place) && give_thing(c, &place);
  c->result = *v;
  c->result.is_imm = v->kind == RLX_SCHEDULE_INT;
  return true;
}
