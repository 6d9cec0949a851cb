/// Which schedule steps the loops of a PrimFunc allow, beside the moves of blocks: each is tried on a
/// schedule of its own, and taken back.
#include <string.h>

#include "analyzer/schedule/schedule.h"
#include "cli/tir.h"

enum { STEPS_MAX = 200 }; // of one PrimFunc: a page of text

typedef struct Steps {
  const RlxTirAnalysis *a;
  RlxSchedule *schedule;
  RlxArena *arena;
  RlxTirSteps *out;
} Steps;

/// Tries one line of a trace.
static void try_step(Steps *s, const char *line) {
  RlxTrace trace = {0};
  RlxSink sink = {.arena = s->arena};
  if (s->out->count == STEPS_MAX) return;
  rlx_trace_read(s->a->store, line, (uint32_t)strlen(line), &trace, &sink);
  for (uint32_t i = 0; i < trace.steps.count; i++) {
    RlxScheduleAnswer answer = rlx_schedule_apply(s->schedule, &trace.steps.at[i]);
    const RlxDiag *no = answer.ok ? NULL : answer.refusal;
    s->out->at[s->out->count++] = (RlxTirStep){rlx_arena_strdup(s->arena, line), answer.ok,
                                               no ? rlx_diag_row(no->id)->code : "",
                                               no ? rlx_arena_strdup(s->arena, no->message) : ""};
    if (answer.ok) rlx_schedule_undo(s->schedule);
  }
  rlx_schedule_keep(s->schedule, &trace);
  rlx_vec_free(&sink.diags);
}

/// The only thing directly below the loop is another loop: its index; else -1.
static int only_loop_below(const RlxTirAnalysis *a, const RlxTirLoopInfo *l) {
  const RlxTirStmt *body = l->stmt->body[0];
  while (body && body->kind == RLX_TIR_SEQ && body->count == 1) body = body->body[0];
  const RlxTirLoopInfo *below = body ? rlx_tir_loop_info(a, body) : NULL;
  return below ? below->index : -1;
}

static void try_loops(Steps *s) {
  for (int i = 0; i < s->a->loop_count; i++) {
    const RlxTirLoopInfo *l = &s->a->loops[i];
    int below = l->is_in_init ? -1 : only_loop_below(s->a, l);
    if (below < 0) continue;
    const char *inner = s->a->loops[below].name;
    try_step(s, rlx_arena_printf(s->arena, "fuse(\"%s\", \"%s\")", l->name, inner));
    try_step(s, rlx_arena_printf(s->arena, "reorder(\"%s\", \"%s\")", inner, l->name));
  }
}

static bool uses(const RlxPrim *p, const RlxSymVar *var) {
  const RlxSymVar *vars[16];
  int count = 0;
  rlx_prim_vars(p, vars, &count, 16);
  for (int i = 0; i < count; i++)
    if (vars[i] == var) return true;
  return false;
}

/// The loop's variable occurs in the binding of a reduce variable.
static bool is_reduced(const RlxTirBlockInfo *b, const RlxTirLoopInfo *l) {
  for (int i = 0; i < b->iter_count; i++)
    if (b->iters[i].iter->type == RLX_ITER_REDUCE && b->iters[i].binding &&
        uses(b->iters[i].binding, l->symbol))
      return true;
  return false;
}

/// rfactor over each reduce loop, and the two places where the init of a reduction may go: before all
/// loops, and below the parent of the highest reduce loop.
static void try_reductions(Steps *s) {
  for (int i = 0; i < s->a->block_count; i++) {
    const RlxTirBlockInfo *b = &s->a->blocks[i];
    bool is_first = true;
    if (!b->has_init || b->is_in_init || !b->loop_count) continue;
    const char *name = rlx_tir_block_name(s->a, i);
    for (int k = 0; k < b->loop_count; k++) {
      const RlxTirLoopInfo *l = &s->a->loops[b->loops[k]];
      bool is_reduce = is_reduced(b, l);
      if (!k || (is_reduce && is_first))
        try_step(s,
                 rlx_arena_printf(s->arena, "decompose_reduction(\"%s\", \"%s\")", name, l->name));
      if (is_reduce) is_first = false;
      if (is_reduce) try_step(s, rlx_arena_printf(s->arena, "rfactor(\"%s\", 0)", l->name));
    }
  }
}

RlxTirSteps rlx_tir_steps(const RlxTirAnalysis *a, const RlxTirScript *script, RlxPrimFunc *copy) {
  RlxTirSteps out = {rlx_arena_array(a->arena, RlxTirStep, STEPS_MAX), 0};
  Steps s = {a, rlx_schedule_new(a->store), a->arena, &out};
  rlx_schedule_set_lines(s.schedule, rlx_document_lines(script->document));
  rlx_schedule_add(s.schedule, copy, script->start);
  try_loops(&s);
  try_reductions(&s);
  rlx_schedule_free(s.schedule);
  return out;
}
