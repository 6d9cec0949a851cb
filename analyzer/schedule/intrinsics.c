/// Intrinsics that a script registers: `TensorIntrin.register("dot", dot_desc, dot_impl)` gives two PrimFuncs a name, by which steps of
/// the script's own text, and of traces beside it, know them.
#include "analyzer/schedule/schedule_impl.h"

#include <string.h>

#include "analyzer/syntax/ast.h"

bool rlx_schedule_registers(const RlxStore *store, const RlxStmt *s, RlxRegistered *out) {
  const RlxAst *a = s->kind == RLX_STMT_EXPR && s->value ? s->value : NULL;
  bool registers = a && a->kind == RLX_AST_CALL && a->child_count >= 4 &&
                   a->children[0]->kind == RLX_AST_ATTRIBUTE &&
                   strcmp(rlx_store_text(store, a->children[0]->name), "register") == 0;
  for (uint32_t i = 2; registers && i < 4; i++) registers = a->children[i]->kind == RLX_AST_NAME;
  if (registers) *out = (RlxRegistered){a->children[1], a->children[2]->name, a->children[3]->name};
  return registers;
}

/// Notes what text a statement gives to a name, if it does: `INTRIN = "dot"`.
static void note_text(RlxMap *texts, const RlxStmt *s) {
  if (s->kind != RLX_STMT_ASSIGN || s->targets[0]->kind != RLX_AST_NAME) return;
  const bool is_text = s->value && s->value->kind == RLX_AST_STRING;
  rlx_map_put(texts, s->targets[0]->name, (uintptr_t)(is_text ? s->value : NULL));
}

void rlx_schedule_note_intrinsics(RlxSchedule *s, const RlxBlock *root) {
  RlxMap texts = {0};
  for (uint32_t i = 0; i < root->count; i++) {
    RlxRegistered r;
    note_text(&texts, root->stmts[i]);
    if (!rlx_schedule_registers(s->store, root->stmts[i], &r)) continue;
    uint64_t value = (uintptr_t)r.name;
    if (r.name->kind == RLX_AST_NAME && !rlx_map_get(&texts, r.name->name, &value)) value = 0;
    const RlxAst *name = (const RlxAst *)(uintptr_t)value;
    if (!name || name->kind != RLX_AST_STRING) continue;
    RlxScheduleIntrinsic intrinsic = {r.description, r.implementation};
    rlx_strmap_put(&s->intrinsics_named, name->text, name->text_size, s->intrinsics.count);
    rlx_vec_push(&s->intrinsics, intrinsic);
  }
  rlx_map_free(&texts);
}

const RlxScheduleIntrinsic *rlx_schedule_intrinsic(const RlxSchedule *s, const char *name) {
  uint64_t at;
  return rlx_strmap_get(&s->intrinsics_named, name, strlen(name), &at) ? &s->intrinsics.at[at]
                                                                       : NULL;
}
