/// What a primitive asks first that runs instances in another order, or another number of times, because dependencies
/// and regions do not tell of it: calls of functions that do more than to give a value, and memory that is used under
/// two names.
#include "analyzer/schedule/schedule_impl.h"
#include "analyzer/tir/effects.h"

bool rlx_schedule_check_calls_in(RlxScheduleCall *c, const RlxTirStmt *about,
                                 const RlxTirStmt *stmt) {
  RlxTirOutside found;
  if (!stmt || !rlx_tir_find_outside(c->s->store, stmt, &found)) return true;
  bool is_loop = about->kind == RLX_TIR_FOR;
  const char *what = rlx_arena_printf(c->s->arena, is_loop ? "loop `%s`" : "block \"%s\"",
                                      is_loop ? rlx_schedule_loop_name(c, about)
                                              : rlx_schedule_block_name(c, about));
  rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_CALLS), about, "sss", c->primitive->name, found.name,
                      what);
  rlx_schedule_also(c, found.stmt, "the call");
  return false;
}

bool rlx_schedule_check_names(RlxScheduleCall *c, const RlxTirStmt *stmt) {
  const RlxTirBlockInfo *b = rlx_schedule_block_info(c, stmt);
  if (!b || b->scope < 0) return true;
  const RlxTirStmt *scope = rlx_schedule_analysis(c)->blocks[b->scope].stmt;
  const RlxTirBoxes *boxes[] = {&b->writes, &b->reads};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < boxes[k]->count; i++) {
      const RlxTirBuffer *buffer = boxes[k]->at[i].buffer;
      if (!rlx_schedule_is_aliased(scope ? scope->body[0] : c->f->body, buffer)) continue;
      const char *why = rlx_arena_printf(
          c->s->arena, "the memory of `%s`, which block \"%s\" %s, is used under another name, too",
          rlx_store_text(c->s->store, buffer->name), rlx_schedule_block_name(c, stmt),
          k ? "reads" : "writes");
      return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ATTRIBUTE), stmt, "ss", c->primitive->name,
                                 why);
    }
  return true;
}

/// A loop that does not go round changes no order.
static bool runs_once(const RlxTirStmt *s) {
  return s->kind == RLX_TIR_FOR && s->extent->kind == RLX_TIR_INT && s->extent->integer <= 1;
}

static bool check_value(RlxScheduleCall *c, const RlxScheduleValue *v, RlxTakes takes,
                        bool is_first) {
  bool is_list = takes == RLX_TAKES_LOOPS || takes == RLX_TAKES_BLOCKS || takes == RLX_TAKES_TARGET;
  if (v->kind == RLX_SCHEDULE_LIST && is_list) {
    for (uint32_t i = 0; i < v->count; i++)
      if (!check_value(c, &v->items[i], takes == RLX_TAKES_LOOPS ? RLX_TAKES_LOOP : RLX_TAKES_NODE,
                       is_first))
        return false;
    return true;
  }
  bool is_node = takes == RLX_TAKES_LOOP || takes == RLX_TAKES_NODE || takes == RLX_TAKES_TARGET;
  if (v->kind == RLX_SCHEDULE_ABSENT || v->kind == RLX_SCHEDULE_NONE) return true;
  if (takes != RLX_TAKES_BLOCK && !(is_node && is_first)) return true;
  RlxSchedulePlace place;
  bool is_found = takes == RLX_TAKES_LOOP    ? rlx_schedule_item_loop(c, v, &place)
                  : takes == RLX_TAKES_BLOCK ? rlx_schedule_item_block(c, v, &place)
                                             : rlx_schedule_item_any(c, v, &place);
  if (!is_found) return false;
  if (!place.stmt || runs_once(place.stmt)) return true;
  if (!rlx_schedule_check_calls_in(c, place.stmt, place.stmt)) return false;
  return place.stmt->kind != RLX_TIR_BLOCK || rlx_schedule_check_names(c, place.stmt);
}

bool rlx_schedule_check_moves(RlxScheduleCall *c) {
  int count = rlx_primitive_param_count(c->primitive);
  for (int i = 0; c->primitive->moves && i < count; i++)
    if (!check_value(c, &c->args[i], (RlxTakes)c->primitive->params[i].takes, i == 0)) return false;
  return true;
}
