/// Names of a PrimFunc. Python's scopes are coarser than TensorIR's: here a loop's variable belongs
/// to its loop, and what a block binds to the block, as TVM reads it.
#include "analyzer/words/prim_names.h"

typedef struct Owner {
  RlxPrimNames *names;
  uint64_t number;
} Owner;

/// The number of a suite or statement. True: it is new, and what it binds is to be noted.
static bool is_new_owner(RlxPrimNames *names, const void *key, Owner *out) {
  uint64_t count = rlx_map_count(&names->numbers), number = 0;
  bool is_known = rlx_map_get(&names->numbers, (uintptr_t)key, &number);
  if (!is_known) rlx_map_put(&names->numbers, (uintptr_t)key, number = count + 1);
  *out = (Owner){names, number};
  return !is_known;
}

/// Notes what the owner binds to `name`; what comes first stays.
static void note(Owner owner, RlxName name, uint64_t value) {
  uint64_t key = owner.number << 32 | name;
  if (!rlx_map_get(&owner.names->bound, key, NULL)) rlx_map_put(&owner.names->bound, key, value);
}

static bool noted(Owner owner, RlxName name, uint64_t *out) {
  return rlx_map_get(&owner.names->bound, owner.number << 32 | name, out);
}

typedef void NameFn(Owner owner, RlxName name, RlxSpan span, const RlxStmt *stmt);

static void each_in_target(const RlxAst *target, NameFn *fn, Owner owner, const RlxStmt *stmt) {
  if (!target) return;
  if (target->kind == RLX_AST_NAME) fn(owner, target->name, target->span, stmt);
  if (target->kind != RLX_AST_TUPLE && target->kind != RLX_AST_LIST &&
      target->kind != RLX_AST_STARRED)
    return;
  for (uint32_t i = 0; i < target->child_count; i++)
    each_in_target(target->children[i], fn, owner, stmt);
}

/// Calls `fn` with the names that the statement itself binds, those of its suites left out.
static void each_name(const RlxStmt *stmt, NameFn *fn, Owner owner) {
  bool has_targets = stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED ||
                     stmt->kind == RLX_STMT_FOR;
  for (uint32_t i = 0; has_targets && i < stmt->target_count; i++)
    each_in_target(stmt->targets[i], fn, owner, stmt);
  for (uint32_t i = 0; stmt->kind == RLX_STMT_WITH && i < stmt->item_count; i++)
    each_in_target(stmt->items[i].target, fn, owner, stmt);
  const RlxParams taken = stmt->kind == RLX_STMT_DEF ? rlx_taken_params(stmt) : (RlxParams){0};
  for (uint32_t i = 0; i < taken.count; i++)
    fn(owner, taken.at[i].name, taken.at[i].name_span, stmt);
}

static void note_span(Owner owner, RlxName name, RlxSpan span, const RlxStmt *stmt) {
  (void)stmt;
  note(owner, name, (uint64_t)span.start << 32 | span.end);
}

static void note_stmt(Owner owner, RlxName name, RlxSpan span, const RlxStmt *stmt) {
  (void)span;
  note(owner, name, (uintptr_t)stmt);
}

/// Does the statement itself bind the name? Then where, relative to it.
static bool binds(RlxPrimNames *names, const RlxStmt *stmt, RlxName name, RlxSpan *out) {
  Owner owner;
  uint64_t span;
  if (is_new_owner(names, stmt, &owner)) each_name(stmt, note_span, owner);
  if (!noted(owner, name, &span)) return false;
  *out = rlx_span((uint32_t)(span >> 32), (uint32_t)span);
  return true;
}

static bool is_branch(const RlxBlock *block) {
  return block->parent && block->parent->kind == RLX_STMT_IF;
}

/// Notes what the suite binds. A loop's variable is the loop's, a function's parameters are its own; the branches of an `if`
/// belong to the suite around it, as they do in Python (what stands in them goes on behind where Python decides).
static void note_suite(Owner owner, const RlxBlock *block, int depth) {
  enum { MAX_DEPTH = 100 };
  for (uint32_t i = 0; block && depth < MAX_DEPTH && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    if (stmt->kind == RLX_STMT_IF) {
      note_suite(owner, stmt->body, depth + 1);
      note_suite(owner, stmt->orelse, depth + 1);
    } else if (stmt->kind != RLX_STMT_FOR && stmt->kind != RLX_STMT_DEF) {
      each_name(stmt, note_stmt, owner);
    }
  }
}

/// The first statement of the suite that binds the name; NULL: none.
static const RlxStmt *first_in(RlxPrimNames *names, const RlxBlock *block, RlxName name) {
  Owner owner;
  uint64_t stmt;
  if (is_new_owner(names, block, &owner)) note_suite(owner, block, 0);
  return noted(owner, name, &stmt) ? (const RlxStmt *)(uintptr_t)stmt : NULL;
}

const RlxStmt *rlx_prim_name_definition(RlxPrimNames *names, const RlxStmt *def,
                                        const RlxStmt *stmt, RlxName name, RlxSpan *out) {
  const RlxStmt *of_itself = NULL; // `x = x + 1`: one variable with the x around, if there is one
  RlxSpan span_of_itself = {0};
  for (const RlxStmt *at = stmt; at && at != def; at = at->block->parent) {
    bool is_compound = at->kind == RLX_STMT_FOR || at->kind == RLX_STMT_WITH;
    if (is_compound && binds(names, at, name, out)) return at;
    if (is_branch(at->block)) continue;
    const RlxStmt *first = first_in(names, at->block, name);
    if (!first || first->start > stmt->start || !binds(names, first, name, out)) continue;
    if (!rlx_ast_names(first->value, name)) return first;
    of_itself = first;
    span_of_itself = *out;
  }
  if (binds(names, def, name, out)) return def;
  *out = span_of_itself;
  return of_itself;
}

void rlx_prim_names_forget(RlxPrimNames *names) {
  rlx_map_free(&names->numbers);
  rlx_map_free(&names->bound);
}
