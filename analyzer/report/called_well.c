/// Which functions of a file somebody calls rightly.
#include "analyzer/report/called_well.h"

#include "analyzer/diag/diag.h"
#include "base/hash.h"

const RlxStmt *rlx_class_around(const RlxStmt *stmt) {
  while (stmt && stmt->kind != RLX_STMT_CLASS) stmt = stmt->block ? stmt->block->parent : NULL;
  return stmt;
}

bool rlx_is_error_of_program(const RlxDiag *diag) {
  const char area = rlx_diag_row(diag->id)->code[4];
  return diag->severity == RLX_ERROR && area != '5' && area != '9';
}

static uint64_t key_of(const RlxStmt *class, RlxName name) {
  return rlx_hash_mix(rlx_hash_u64((uint64_t)(uintptr_t)class), name);
}

/// Where calls stand that are looked at.
typedef struct Look {
  RlxMap *names;
  const RlxStmt *class;
  RlxName own;  ///< of the function
  RlxName only; ///< no other name counts; 0: all do
} Look;

static void note_names(const Look *l, const RlxAst *ast) {
  if ((ast->kind == RLX_AST_NAME || ast->kind == RLX_AST_ATTRIBUTE) && ast->name != l->own &&
      (!l->only || ast->name == l->only))
    rlx_map_put(l->names, key_of(l->class, ast->name), 1);
  for (uint32_t i = 0; i < ast->child_count; i++) note_names(l, ast->children[i]);
}

/// Whether nothing is wrong with the statement but what follows from the value of one name: then that one is `*only`.
static bool is_right(const RlxStmt *stmt, RlxName *only) {
  const RlxAnalysis *unit = stmt->analysis;
  *only = 0;
  if (!unit || !unit->is_analyzed || stmt->has_error) return false;
  for (uint32_t k = 0; k < unit->diag_count; k++)
    if (rlx_is_error_of_program(unit->diags[k])) return false;
  for (uint32_t k = 0; k < unit->read_count; k++) { // its arguments are known
    const RlxRead *read = &unit->reads[k];
    const RlxVar *var = (uint8_t)read->flags == RLX_VALUE_EXPR ? read->thing : NULL;
    if (!var || !var->is_tainted || read->name == *only) continue;
    if (*only) return false;
    *only = read->name;
  }
  return true;
}

static void note_calls(Look *l, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    if (stmt->value && stmt->value->kind == RLX_AST_CALL && is_right(stmt, &l->only))
      note_names(l, stmt->value);
    note_calls(l, stmt->body);
    note_calls(l, stmt->orelse);
  }
}

bool rlx_is_called_well(RlxCalledWell *calls, const RlxFile *file, const RlxStmt *class,
                        RlxName name) {
  for (uint32_t i = 0; i < file->fns.count && !calls->is_filled; i++) {
    const RlxStmt *def = file->fns.at[i]->stmt;
    Look look = {&calls->names, rlx_class_around(def), def->name, 0};
    note_calls(&look, def->body);
  }
  calls->is_filled = true;
  return rlx_map_get(&calls->names, key_of(class, name), NULL);
}
