/// Recognition of dialects: each island's spellings vote, those of the file's imports for all.
#include "analyzer/function/recognize.h"

#include <string.h>

#include "analyzer/state/state.h"
#include "analyzer/words/spell.h"

/// `fits` (may be NULL): dialects that had all spellings so far.
static void add_votes(RlxWords *words, RlxStmt *stmt, uint32_t votes[RLX_DIALECT_COUNT],
                      uint8_t *fits) {
  rlx_stmt_votes(words, stmt);
  if (fits) *fits &= stmt->spelling_fits;
  for (int d = 0; d < RLX_DIALECT_COUNT; d++) votes[d] += stmt->spelling_votes[d];
}

static void block_votes(RlxWords *words, const RlxBlock *block, uint32_t votes[RLX_DIALECT_COUNT],
                        uint8_t *fits) {
  enum {
    AHEAD = 8
  }; // statements lie anywhere in memory: those that come next are fetched meanwhile
  for (uint32_t i = 0; block && i < block->count; i++) {
    RlxStmt *stmt = block->stmts[i];
    if (i + AHEAD < block->count) {
      __builtin_prefetch(&block->stmts[i + AHEAD]->body);
      __builtin_prefetch(&block->stmts[i + AHEAD]->spelling_fits);
    }
    add_votes(words, stmt, votes, fits);
    if (stmt->body) block_votes(words, stmt->body, votes, fits);
    if (stmt->orelse) block_votes(words, stmt->orelse, votes, fits);
  }
}

static RlxDialect winner(const uint32_t a[RLX_DIALECT_COUNT], const uint32_t b[RLX_DIALECT_COUNT]) {
  static const RlxDialect order[] = {RLX_DIALECT_025, RLX_DIALECT_CLASSIC, RLX_DIALECT_027,
                                     RLX_DIALECT_TLC}; // of equals the first
  RlxDialect best = order[0];
  for (int i = 1; i < RLX_DIALECT_COUNT; i++)
    if (a[order[i]] + b[order[i]] > a[best] + b[best]) best = order[i];
  return best;
}

/// The winner, or the dialect that is set where it has as many votes and all spellings (`fits`):
/// what reads the same in both is read in that one.
static RlxDialect chosen(const RlxFile *file, const uint32_t a[RLX_DIALECT_COUNT],
                         const uint32_t b[RLX_DIALECT_COUNT], uint8_t fits) {
  RlxDialect set, best = winner(a, b);
  if (rlx_dialect_parse(file->analyzer->settings.dialect, &set) && (fits >> set & 1) &&
      a[set] + b[set] == a[best] + b[best])
    return set;
  return best;
}

/// What the statements around all islands say: imports, TypeVars.
static void outer_votes(RlxFile *file, uint32_t votes[RLX_DIALECT_COUNT]) {
  const RlxBlock *root = rlx_document_root(file->document);
  for (uint32_t i = 0; i < root->count; i++) {
    RlxStmt *stmt = root->stmts[i];
    bool is_type_var = stmt->kind == RLX_STMT_ASSIGN && stmt->value &&
                       stmt->value->kind == RLX_AST_CALL &&
                       strcmp(rlx_ast_last_name(file->store, stmt->value), "TypeVar") == 0;
    if (stmt->kind == RLX_STMT_IMPORT || is_type_var)
      add_votes(&file->analyzer->words, stmt, votes, NULL);
  }
}

static void settle(RlxFn *fn, RlxDialect dialect) {
  RlxFile *file = fn->file;
  if (file->forced_dialects) {
    uint32_t index = 0;
    const RlxModule *last = NULL;
    for (uint32_t i = 0; i < file->fns.count; i++) { // the number of its island
      const RlxFn *other = file->fns.at[i];
      if (other == fn || (fn->module && other->module == fn->module)) break;
      index += !other->module || other->module != last;
      last = other->module;
    }
    if (index < file->forced_count) dialect = file->forced_dialects[index];
  }
  if (fn->dialect == dialect) return;
  fn->dialect = dialect;
  fn->signature_state = 0;
  fn->is_dirty = fn->all_dirty = true;
}

void rlx_file_recognize(RlxFile *file) {
  uint32_t outer[RLX_DIALECT_COUNT] = {0};
  outer_votes(file, outer);
  for (uint32_t i = 0; i < file->fns.count; i++) {
    RlxFn *fn = file->fns.at[i];
    if (!fn->is_dirty && fn->has_votes) continue;
    memset(fn->votes, 0, sizeof fn->votes);
    fn->fits = (1u << RLX_DIALECT_COUNT) - 1;
    add_votes(&file->analyzer->words, fn->stmt, fn->votes, &fn->fits);
    block_votes(&file->analyzer->words, fn->stmt->body, fn->votes, &fn->fits);
    fn->has_votes = true;
  }
  for (uint32_t i = 0; i < file->modules.count; i++) {
    RlxModule *module = file->modules.at[i];
    uint32_t votes[RLX_DIALECT_COUNT] = {0};
    uint8_t fits = (1u << RLX_DIALECT_COUNT) - 1;
    add_votes(&file->analyzer->words, module->stmt, votes, &fits);
    for (uint32_t k = 0; k < module->fns.count; k++) {
      fits &= module->fns.at[k]->fits;
      for (int d = 0; d < RLX_DIALECT_COUNT; d++) votes[d] += module->fns.at[k]->votes[d];
    }
    for (uint32_t k = 0; k < module->fns.count; k++)
      settle(module->fns.at[k], chosen(file, votes, outer, fits));
  }
  for (uint32_t i = 0; i < file->fns.count; i++)
    if (!file->fns.at[i]->module)
      settle(file->fns.at[i], chosen(file, file->fns.at[i]->votes, outer, file->fns.at[i]->fits));
}

RlxDialect rlx_file_outer_dialect(RlxFile *file) {
  uint32_t outer[RLX_DIALECT_COUNT] = {0}, none[RLX_DIALECT_COUNT] = {0};
  outer_votes(file, outer);
  return winner(outer, none);
}
