/// Conditions that stand between a block and its loops, outside of any block: dependencies, bindings and
/// predicates do not tell of them. A step that runs a block, or what is made of it, where such a condition
/// does not stand asks here first.
#include "analyzer/schedule/schedule_impl.h"

static bool is_jump(const RlxTirStmt *s, void *data) {
  *(bool *)data |= s->kind == RLX_TIR_BREAK || s->kind == RLX_TIR_CONTINUE;
  *(bool *)data |= s->kind == RLX_TIR_RETURN;
  return !*(bool *)data;
}

bool rlx_schedule_jumps(const RlxTirStmt *s) {
  bool found = false;
  rlx_tir_visit(s, is_jump, NULL, &found);
  return found;
}

/// Of a sequence, a statement before `at` that may jump past it.
static const RlxTirStmt *jump_before(const RlxTirStmt *seq, const RlxTirStmt *at) {
  for (uint32_t i = 0; seq->kind == RLX_TIR_SEQ && i < seq->count && seq->body[i] != at; i++)
    if (rlx_schedule_jumps(seq->body[i])) return seq->body[i];
  return NULL;
}

const RlxTirStmt *rlx_schedule_condition(const RlxScheduleCall *c, const RlxTirStmt *block,
                                         const RlxTirStmt *above) {
  enum { DEEP = 512 };
  const RlxTirStmt *path[DEEP];
  int n = rlx_schedule_path(c, block, path, DEEP);
  if (n > DEEP) return path[0]; // not looked at
  for (int i = n - 2; i >= 0 && path[i] != above && path[i]->kind != RLX_TIR_BLOCK; i--) {
    if (path[i]->kind == RLX_TIR_IF || path[i]->kind == RLX_TIR_WHILE) return path[i];
    const RlxTirStmt *jump = jump_before(path[i], path[i + 1]);
    if (jump) return jump;
  }
  return NULL;
}

bool rlx_schedule_check_condition(RlxScheduleCall *c, RlxDiagId id, const RlxTirStmt *about,
                                  const RlxTirStmt *block, const RlxTirStmt *above) {
  const RlxTirStmt *condition = rlx_schedule_condition(c, block, above);
  if (!condition) return true;
  const char *name = about && about->kind == RLX_TIR_FOR ? rlx_schedule_loop_name(c, about)
                                                         : rlx_schedule_block_name(c, about);
  const char *why = rlx_arena_printf(
      c->s->arena, "block \"%s\" stands under a condition, which the step would leave out",
      rlx_schedule_block_name(c, block));
  rlx_schedule_refuse(c, id, about, "ss", name, why);
  rlx_schedule_also(c, condition, "the condition");
  return false;
}
