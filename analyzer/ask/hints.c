/// Hints of one statement: checks left to run time from the conditions of its calls, requirements
/// from backward.h. See hints.h.
#include "analyzer/ask/hints.h"
#include "analyzer/function/files.h"
#include "analyzer/state/state.h"

enum { FACTS_MAX = 64, ARGS_MAX = 64 };

// ---- facts

typedef struct FactList {
  RlxArena *arena;
  const RlxFacts *newest;
  uint32_t count;
} FactList;

static void take(FactList *list, const RlxPrim *condition, const char *origin) {
  if (list->count == FACTS_MAX) return;
  RlxFacts *fact = rlx_arena_one(list->arena, RlxFacts);
  *fact = (RlxFacts){list->newest, condition, origin};
  list->newest = fact;
  list->count++;
}

static void take_unit(FactList *list, const RlxAnalysis *unit) {
  for (uint32_t i = 0; i < unit->fact_count; i++)
    take(list, unit->facts[i].condition, unit->facts[i].origin);
}

/// Facts of the statements before `end`, those of dataflow blocks among them included, nearest
/// first.
static void take_block(FactList *list, const RlxBlock *block, uint32_t end, int depth) {
  for (uint32_t i = end; i-- > 0 && list->count < FACTS_MAX;) {
    const RlxStmt *stmt = block->stmts[i];
    const RlxAnalysis *unit = stmt->analysis;
    if (!unit || unit->fn) continue;
    if (unit->kind == RLX_UNIT_WITH && stmt->body && depth < 8)
      take_block(list, stmt->body, stmt->body->count, depth + 1);
    take_unit(list, unit);
  }
}

const RlxFacts *rlx_file_facts_at(RlxFile *file, const RlxStmt *stmt, RlxArena *arena) {
  rlx_file_analyze(file, NULL);
  FactList list = {.arena = arena};
  for (; stmt && stmt->block; stmt = stmt->block->parent) {
    const RlxAnalysis *unit = stmt->analysis;
    if (unit && unit->fn && !unit->owner) break;
    take_block(&list, stmt->block, stmt->index, 0);
    const RlxStmt *around = stmt->block->parent;
    const RlxAnalysis *outer = around ? around->analysis : NULL;
    if (!outer || outer->kind != RLX_UNIT_IF || !outer->branch) continue;
    bool holds = stmt->block == around->body;
    take(&list, holds ? outer->branch : rlx_prim_unary(file->store, RLX_PRIM_NOT, outer->branch),
         "condition of the branch");
  }
  return list.newest;
}

// ---- calls

static void check_call(RlxFile *file, const RlxBinding *b, RlxArena *arena, RlxHints *out) {
  const RlxCall *call = b->value->call;
  const RlxSInfo *func = call->callee ? call->callee->sinfo : NULL, *args[ARGS_MAX];
  if (!func || func->kind != RLX_SINFO_FUNC || !func->params ||
      (int32_t)call->arg_count != func->count || call->arg_count > ARGS_MAX)
    return;
  for (uint32_t i = 0; i < call->arg_count; i++) args[i] = call->args[i].expr->sinfo;
  RlxCallProblem problem;
  rlx_sinfo_derive_call(file->store, NULL, func, args, (int)call->arg_count, &problem, NULL);
  if (problem.check != RLX_CHECK_VALUE_MISMATCH) return;
  const RlxFacts *facts = rlx_file_facts_at(file, b->stmt, arena);
  for (uint32_t i = 0; i < call->arg_count; i++) {
    RlxBuf text = {0};
    rlx_sinfo_call_checks(file->store, facts, func, args, (int)call->arg_count, (int)i, &text);
    if (text.size) {
      RlxHint hint = {rlx_stmt_absolute(b->stmt, call->args[i].span).end,
                      rlx_arena_printf(arena, "checked at run time: %s", rlx_buf_text(&text))};
      rlx_vec_push(out, hint);
    }
    rlx_buf_free(&text);
  }
}

void rlx_file_runtime_checks(RlxFile *file, const RlxStmt *stmt, RlxArena *arena, RlxHints *out) {
  RlxBinding *const *bindings;
  uint32_t count = 0;
  rlx_file_stmt_bindings(file, stmt, &bindings, &count);
  for (uint32_t i = 0; i < count; i++) {
    const RlxExpr *x = bindings[i]->value;
    if (x && x->kind == RLX_EXPR_CALL && !x->call->row && !bindings[i]->var->is_tainted)
      check_call(file, bindings[i], arena, out);
  }
}
