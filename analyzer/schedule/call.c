/// What every primitive uses: it asks the analysis, refuses with a reason, gives handles.
#include "analyzer/schedule/schedule_impl.h"

#include <string.h>

// ---- asking

RlxTirText rlx_schedule_script(const RlxScheduleCall *c) {
  return (RlxTirText){c->s->lines, c->s->functions.at[c->function].text_start, false};
}

/// What was known of the function before its last step, kept for undo; NULL: nothing.
static const RlxTirAnalysis *analysis_before(const RlxScheduleCall *c) {
  for (uint32_t i = c->s->past.count; i-- > 0;) {
    const RlxSchedulePast *past = &c->s->past.at[i];
    if (past->step.primitive->is_query) continue;
    return past->function == c->function ? past->known.analysis : NULL;
  }
  return NULL;
}

RlxScheduleValue rlx_schedule_copied(RlxSchedule *s, const RlxScheduleValue *list) {
  RlxScheduleValue out = *list;
  out.items = rlx_arena_array(s->arena, RlxScheduleValue, list->count + 1);
  for (uint32_t i = 0; i < list->count; i++) out.items[i] = list->items[i];
  return out;
}

int rlx_schedule_function_named(const RlxSchedule *s, const char *name) {
  RlxName wanted = rlx_intern_text(rlx_store_names(s->store), name);
  for (uint32_t i = 0; i < s->functions.count; i++)
    if (s->functions.at[i].f->name == wanted) return (int)i;
  return s->functions.count == 1 && strcmp(name, "main") == 0 ? 0 : -1;
}

const RlxTirAnalysis *rlx_schedule_analysis(RlxScheduleCall *c) {
  RlxScheduleFunction *fn = &c->s->functions.at[c->function];
  if (!fn->known.analysis) {
    fn->known.arena = rlx_arena_new();
    const RlxTirText text = rlx_schedule_script(c);
    fn->known.analysis =
        rlx_tir_analyze_after(c->s->store, fn->f, fn->known.arena, &text, analysis_before(c));
  }
  return fn->known.analysis;
}

const RlxTirAccesses *rlx_schedule_accesses(RlxScheduleCall *c) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  RlxScheduleKnown *known = &c->s->functions.at[c->function].known;
  if (!known->has_accesses) {
    known->accesses = rlx_tir_accesses(a);
    known->has_accesses = true;
  }
  return &known->accesses;
}

const RlxTirBlockInfo *rlx_schedule_block_info(RlxScheduleCall *c, const RlxTirStmt *block) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  return block ? rlx_tir_block_info(a, block) : &a->blocks[0];
}

const RlxTirLoopInfo *rlx_schedule_loop_info(RlxScheduleCall *c, const RlxTirStmt *loop) {
  return rlx_tir_loop_info(rlx_schedule_analysis(c), loop);
}

// ---- refusing

const char *rlx_schedule_loop_name(RlxScheduleCall *c, const RlxTirStmt *loop) {
  const RlxTirLoopInfo *info = rlx_schedule_loop_info(c, loop);
  return info ? rlx_tir_loop_title(rlx_schedule_analysis(c), info)
              : rlx_store_text(c->s->store, loop->var->name);
}

const char *rlx_schedule_block_name(RlxScheduleCall *c, const RlxTirStmt *block) {
  return block ? rlx_store_text(c->s->store, block->block->name) : "root";
}

bool rlx_schedule_refuse(RlxScheduleCall *c, RlxDiagId id, const RlxTirStmt *about,
                         const char *kinds, ...) {
  va_list values;
  va_start(values, kinds);
  RlxSpan span = about ? about->span : rlx_span(0, 0);
  c->refusal = rlx_vreportf(&c->s->sink, id, span, kinds, values);
  va_end(values);
  c->witness = NULL;
  return false;
}

void rlx_schedule_also(RlxScheduleCall *c, const RlxTirStmt *about, const char *message) {
  if (!c->refusal || !about) return;
  RlxDiag *diag = rlx_vec_last(&c->s->sink.diags); // the refusal, as its owner sees it
  rlx_diag_related(&c->s->sink, diag, NULL, about->span, message);
}

void rlx_schedule_witness(RlxScheduleCall *c, const char *witness) {
  c->witness = witness ? rlx_arena_strdup(c->s->arena, witness) : NULL;
}

bool rlx_schedule_refuse_verdict(RlxScheduleCall *c, RlxDiagId id, const RlxTirStmt *about,
                                 const RlxTirVerdict *verdict) {
  const char *reason = rlx_arena_strdup(
      c->s->arena, verdict->reason && *verdict->reason ? verdict->reason : "that is not decided");
  const char *name = about && about->kind == RLX_TIR_FOR ? rlx_schedule_loop_name(c, about)
                                                         : rlx_schedule_block_name(c, about);
  rlx_schedule_refuse(c, id, about, "ss", name, reason);
  rlx_schedule_witness(c, verdict->witness);
  if (verdict->other >= 0) {
    const RlxTirAnalysis *a = rlx_schedule_analysis(c);
    if (verdict->other < a->block_count)
      rlx_schedule_also(c, a->blocks[verdict->other].stmt, "this block");
  }
  return false;
}

// ---- results

/// The handle of a node: a new one, unless there is one that stands for it. A trace may ask for one
/// loop again and again, and each step that changes it writes down what its handles were.
static int add_handle(RlxScheduleCall *c, const RlxTirStmt *stmt) {
  for (uint32_t i = c->s->handles.count; i-- > 0;) {
    const RlxScheduleHandle *h = &c->s->handles.at[i];
    const bool is_root = h->is_root && h->removed_by < 0;
    if (h->function == c->function && (stmt ? h->stmt == stmt : is_root)) return (int)i;
  }
  RlxScheduleHandle h = {stmt, c->function, -1, stmt && stmt->kind == RLX_TIR_FOR, stmt == NULL};
  rlx_vec_push(&c->s->handles, h);
  return (int)c->s->handles.count - 1;
}

static RlxScheduleValue handle_value(RlxScheduleCall *c, const RlxTirStmt *stmt) {
  bool is_loop = stmt && stmt->kind == RLX_TIR_FOR;
  RlxScheduleValue v = {.kind = is_loop ? RLX_SCHEDULE_LOOP : RLX_SCHEDULE_BLOCK};
  v.ref = (RlxScheduleRef){.index = -1, .handle = add_handle(c, stmt)};
  return v;
}

void rlx_schedule_give(RlxScheduleCall *c, const RlxTirStmt *stmt) {
  c->result = handle_value(c, stmt);
}

void rlx_schedule_give_list(RlxScheduleCall *c, const RlxTirStmt *const *stmts, int count) {
  RlxScheduleValue list = {.kind = RLX_SCHEDULE_LIST, .count = (uint32_t)count};
  list.items = rlx_arena_array(c->s->arena, RlxScheduleValue, count);
  for (int i = 0; i < count; i++) list.items[i] = handle_value(c, stmts[i]);
  c->result = list;
}

bool rlx_schedule_refuse_value(RlxScheduleCall *c, const char *why) {
  bool is_let = strcmp(c->primitive->name, "let") == 0; // a name that nobody writes
  return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), NULL, "ss",
                             is_let ? "=" : c->primitive->name, why);
}
