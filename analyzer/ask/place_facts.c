/// What holds at a place: the statements before it are walked in the order of execution, and each
/// adds what it says or takes back what it makes untrue. place.c has the walk's parts,
/// place_access.c what buffers and their accesses say.
#include "analyzer/ask/place_facts.h"

#include <string.h>

#include "analyzer/ask/hints.h"
#include "analyzer/ask/place_impl.h"
#include "analyzer/eval/signature.h"
#include "analyzer/function/files.h"
#include "analyzer/words/prim_read.h"

enum { FACTS_MAX = 64, ACCESS_MAX = 16, DEPTH_MAX = 50, LOOKED_AT_MAX = 1000000 };

static void assume(RlxPlace *p, const RlxPrim *condition, const char *origin) {
  rlx_place_assume(p, condition, origin, false);
}

static void assume_between(RlxPlace *p, RlxName name, const RlxPrim *low, const RlxPrim *extent,
                           const char *origin) {
  const RlxPrim *var = rlx_place_name(p->store, name, p);
  const RlxSymVar *self = rlx_prim_as_var(var);
  if (low && rlx_prim_mentions(low, self)) return;
  if (low) assume(p, rlx_prim_binary(p->store, RLX_PRIM_LE, low, var), origin);
  if (low && extent && !rlx_prim_mentions(extent, self))
    assume(p, rlx_prim_binary(p->store, RLX_PRIM_LT, var, extent), origin);
}

// ---- names that get another meaning

/// `prim` without `var`: as it is, with the value that is known of it, or NULL.
static const RlxPrim *without(RlxPlace *p, const RlxPrim *prim, const RlxSymVar *var,
                              const RlxPrim *value) {
  if (!prim || !rlx_prim_mentions(prim, var)) return prim;
  if (!value) return NULL;
  const RlxPrim *out = rlx_prim_subst(p->store, prim, &(RlxSubst){&var, &value, 1, false}, NULL);
  bool says_nothing = rlx_dtype_is_bool(out->dtype) && !rlx_prim_simplify(p->store, out)->vars;
  return says_nothing || rlx_prim_mentions(out, var) ? NULL : out;
}

/// What was said of `name` is said of another variable from here on: it is put in terms of that
/// one's value, or forgotten. Where thousands of names get another meaning beside thousands that stay,
/// all is forgotten that is known so far.
static void forget(RlxPlace *p, RlxName name) {
  const RlxSymVar *var = rlx_prim_as_var(rlx_place_name(p->store, name, p));
  const RlxPrim *value = NULL;
  uint64_t found;
  if (!p->said_of_many && !rlx_map_get(&p->said, (uint64_t)(uintptr_t)var, &found)) return;
  p->looked_at += p->facts.count + p->values.count + p->buffers.count;
  if (p->looked_at > LOOKED_AT_MAX) p->facts.count = p->values.count = p->buffers.count = 0;
  for (uint32_t i = 0; i < p->values.count; i++)
    if (p->values.at[i].var == var) value = p->values.at[i].value;
  uint32_t kept = 0, count = p->facts.count;
  for (uint32_t i = 0; i < count; i++) {
    RlxPlaceFact fact = p->facts.at[i];
    fact.condition = without(p, fact.condition, var, value);
    bool is_new = fact.condition && fact.condition->vars;
    for (uint32_t k = 0; is_new && k < kept; k++)
      is_new = p->facts.at[k].condition != fact.condition;
    if (is_new) p->facts.at[kept++] = fact;
  }
  p->facts.count = kept;
  kept = 0;
  for (uint32_t i = 0; i < p->values.count; i++) {
    RlxPlaceValue other = p->values.at[i];
    other.value = without(p, other.value, var, value);
    if (other.var != var && other.value) p->values.at[kept++] = other;
  }
  p->values.count = kept;
  kept = 0;
  for (uint32_t i = 0; i < p->buffers.count; i++) {
    RlxPlaceBuffer buffer = p->buffers.at[i];
    if (buffer.name == name) continue;
    for (int k = 0; k < buffer.ndim; k++) buffer.dims[k] = without(p, buffer.dims[k], var, value);
    p->buffers.at[kept++] = buffer;
  }
  p->buffers.count = kept;
}

static void forget_target(RlxPlace *p, const RlxAst *target, int depth) {
  if (!target || depth == DEPTH_MAX) return;
  if (target->kind == RLX_AST_NAME) forget(p, target->name);
  if (target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST)
    for (uint32_t i = 0; i < target->child_count; i++)
      forget_target(p, target->children[i], depth + 1);
}

static void forget_block(RlxPlace *p, const RlxBlock *block, int depth);

/// The names that a statement binds, in its suites too.
static void forget_statement(RlxPlace *p, const RlxStmt *stmt, int depth) {
  for (uint32_t i = 0; i < stmt->target_count; i++) forget_target(p, stmt->targets[i], 0);
  for (uint32_t i = 0; i < stmt->item_count; i++) forget_target(p, stmt->items[i].target, 0);
  forget_block(p, stmt->body, depth);
  forget_block(p, stmt->orelse, depth);
  for (uint32_t i = 0; i < stmt->block_count; i++) forget_block(p, stmt->blocks[i], depth);
}

static void forget_block(RlxPlace *p, const RlxBlock *block, int depth) {
  if (!block || depth == DEPTH_MAX) return;
  for (uint32_t i = 0; i < block->count; i++) forget_statement(p, block->stmts[i], depth + 1);
}

/// `name` is `value` from here on.
static void bind(RlxPlace *p, RlxName name, const RlxPrim *value, const char *origin) {
  const RlxPrim *var = rlx_place_name(p->store, name, p);
  if (!value || rlx_dtype_is_bool(value->dtype) || rlx_prim_mentions(value, rlx_prim_as_var(var)))
    return;
  assume(p, rlx_prim_binary(p->store, RLX_PRIM_EQ, var, value), origin);
  RlxPlaceValue known = {rlx_prim_as_var(var), value};
  rlx_place_note(p, var);
  rlx_place_note(p, value);
  rlx_vec_push(&p->values, known);
}

// ---- calls

/// "axis" of T.axis.spatial.
static const char *head_before(const RlxPlace *p, const RlxAst *call) {
  const RlxAst *callee = call->children[0];
  if (callee->kind != RLX_AST_ATTRIBUTE || callee->children[0]->kind != RLX_AST_ATTRIBUTE)
    return "";
  return rlx_store_text(p->store, callee->children[0]->name);
}

static uint32_t positional(const RlxAst *call, const RlxAst **out, uint32_t capacity) {
  uint32_t n = 0;
  for (uint32_t i = 1; i < call->child_count && n < capacity; i++)
    if (call->children[i]->kind != RLX_AST_KEYWORD) out[n++] = call->children[i];
  return n;
}

// ---- statements

static bool is_list(const RlxAst *ast) {
  return ast->kind == RLX_AST_TUPLE || ast->kind == RLX_AST_LIST;
}

/// The `i`th name that `target` binds; NULL: none.
static const RlxAst *target_at(const RlxAst *target, uint32_t i) {
  const RlxAst *name = is_list(target) ? (i < target->child_count ? target->children[i] : NULL)
                       : i == 0        ? target
                                       : NULL;
  return name && name->kind == RLX_AST_NAME ? name : NULL;
}

/// `for i in range(n)`, `for i, j in T.grid(n, m)`.
static void loop(RlxPlace *p, const RlxStmt *stmt) {
  enum { ARGS_MAX = 16 };
  static const char *const ranges[] = {"range",  "serial",         "parallel", "vectorized",
                                       "unroll", "thread_binding", NULL};
  const RlxAst *args[ARGS_MAX], *target = stmt->target_count ? stmt->targets[0] : NULL,
                                *call = stmt->value;
  if (!target) return;
  uint32_t count = call && call->kind == RLX_AST_CALL ? positional(call, args, ARGS_MAX) : 0;
  const RlxPrim *zero = rlx_prim_int(p->store, 0), *extents[ARGS_MAX];
  for (uint32_t i = 0; i < count; i++) {
    extents[i] = rlx_place_read(p, args[i]);
    for (uint32_t k = 0; k < ARGS_MAX; k++) {
      const RlxAst *name = target_at(target, k);
      if (name)
        extents[i] =
            without(p, extents[i], rlx_prim_as_var(rlx_place_name(p->store, name->name, p)), NULL);
    }
  }
  forget_target(p, target, 0);
  if (strcmp(rlx_place_head(p, call), "grid") == 0)
    for (uint32_t i = 0; i < count; i++) {
      const RlxAst *name = target_at(target, i);
      if (name) assume_between(p, name->name, zero, extents[i], "bounds of the loop");
    }
  else if (target->kind == RLX_AST_NAME && count && count <= 2 &&
           rlx_place_is_one_of(rlx_place_head(p, call), ranges))
    assume_between(p, target->name, count == 2 ? extents[0] : zero, extents[count - 1],
                   "bounds of the loop");
}

static void bind_axis(RlxPlace *p, const RlxAst *target, const RlxAst *value,
                      const RlxAst *extent) {
  if (target->kind != RLX_AST_NAME) return;
  bind(p, target->name, rlx_place_read(p, value), "binding of the block axis");
  if (!extent) return;
  bool is_range = extent->kind == RLX_AST_TUPLE && extent->child_count == 2;
  assume_between(p, target->name,
                 is_range ? rlx_place_read(p, extent->children[0]) : rlx_prim_int(p->store, 0),
                 rlx_place_read(p, is_range ? extent->children[1] : extent),
                 "domain of the block axis");
}

/// `vi = T.axis.spatial(n, i)`, `vi, vj = T.axis.remap("SS", [i, j])`; false when it is neither.
static bool axes(RlxPlace *p, const RlxAst *target, const RlxAst *value) {
  static const char *const kinds[] = {"spatial", "reduce", "S", "R", "scan", "opaque", NULL};
  const RlxAst *args[8];
  if (value->kind != RLX_AST_CALL || strcmp(head_before(p, value), "axis") != 0) return false;
  uint32_t count = positional(value, args, 8);
  if (strcmp(rlx_place_head(p, value), "remap") == 0 && count == 2 && is_list(args[1])) {
    for (uint32_t i = 0; i < args[1]->child_count; i++) {
      const RlxAst *name = target_at(target, i);
      if (name) bind_axis(p, name, args[1]->children[i], NULL);
    }
  } else if (rlx_place_is_one_of(rlx_place_head(p, value), kinds) && count == 2)
    bind_axis(p, target, args[1], args[0]);
  return true;
}

/// `n = T.int32()`, `n = T.Var("n", "int32")`: the variable that dimensions are written with.
static bool declares_symbol(const RlxPlace *p, const RlxAst *value) {
  const char *head = rlx_place_head(p, value);
  RlxDType dtype;
  return strcmp(head, "Var") == 0 || strcmp(head, "var") == 0 ||
         (*head && value->child_count == 1 && rlx_dtype_parse(head, strlen(head), &dtype));
}

/// The names that an assignment binds.
static void assignment(RlxPlace *p, const RlxStmt *stmt) {
  const RlxAst *target = stmt->target_count == 1 ? stmt->targets[0] : NULL;
  if (declares_symbol(p, stmt->value)) return;
  const RlxPrim *value = rlx_place_read(p, stmt->value);
  for (uint32_t i = 0; i < stmt->target_count; i++) forget_target(p, stmt->targets[i], 0);
  if (!target || !stmt->value || axes(p, target, stmt->value) || target->kind != RLX_AST_NAME)
    return;
  if (value)
    bind(p, target->name, value, "binding");
  else
    rlx_place_declare(p, target->name, stmt->value);
}

static bool is_call_of(const RlxPlace *p, const RlxStmt *stmt, const char *name) {
  return stmt->kind == RLX_STMT_EXPR && strcmp(rlx_place_head(p, stmt->value), name) == 0;
}

static void block_before(RlxPlace *p, const RlxStmt *with, int depth);

/// What a statement says to those behind it.
static void statement(RlxPlace *p, const RlxStmt *stmt, int depth) {
  const RlxAst *arg;
  rlx_place_accesses(p, stmt);
  if (stmt->kind == RLX_STMT_ASSERT)
    assume(p, rlx_place_read(p, stmt->value), "assert");
  else if ((is_call_of(p, stmt, "where") || is_call_of(p, stmt, "assume")) &&
           positional(stmt->value, &arg, 1) == 1)
    assume(p, rlx_place_read(p, arg), rlx_place_head(p, stmt->value));
  else if (stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED)
    assignment(p, stmt);
  else if (stmt->kind == RLX_STMT_WITH)
    block_before(p, stmt, depth);
  else
    forget_statement(p, stmt, 0);
}

/// A `with` before the place. What is said inside holds behind it when its body is executed surely;
/// its own names are put in terms of what they are bound to.
static void block_before(RlxPlace *p, const RlxStmt *with, int depth) {
  static const char *const sure[] = {"sblock",        "block",       "attr",    "allocate",
                                     "launch_thread", "decl_buffer", "LetStmt", NULL};
  const RlxBlock *body = with->body;
  bool is_sure = body && depth < DEPTH_MAX;
  for (uint32_t i = 0; i < with->item_count; i++)
    is_sure &= rlx_place_is_one_of(rlx_place_head(p, with->items[i].value), sure);
  for (uint32_t i = 0; is_sure && i < body->count; i++)
    is_sure = !is_call_of(p, body->stmts[i], "where");
  for (uint32_t i = 0; i < with->item_count; i++) forget_target(p, with->items[i].target, 0);
  for (uint32_t i = 0; is_sure && i < body->count; i++) {
    RlxStmtKind kind = (RlxStmtKind)body->stmts[i]->kind;
    if (kind == RLX_STMT_RETURN || kind == RLX_STMT_BREAK || kind == RLX_STMT_CONTINUE) break;
    statement(p, body->stmts[i], depth + 1);
  }
  forget_statement(p, with, 0);
}

/// The head of a compound statement around the place; `inside` is the suite that the place is in.
static void enter(RlxPlace *p, const RlxStmt *stmt, const RlxBlock *inside) {
  bool repeats = stmt->kind == RLX_STMT_FOR || stmt->kind == RLX_STMT_WHILE;
  if (stmt->kind == RLX_STMT_FOR) rlx_place_accesses(p, stmt);
  if (repeats) forget_statement(p, stmt, 0); // an earlier round may have bound them
  if (stmt->kind == RLX_STMT_FOR && inside == stmt->body) loop(p, stmt);
  if (stmt->kind == RLX_STMT_WITH)
    for (uint32_t i = 0; i < stmt->item_count; i++) {
      const RlxAst *args[2], *value = stmt->items[i].value, *target = stmt->items[i].target;
      forget_target(p, target, 0);
      if (target && target->kind == RLX_AST_NAME &&
          strcmp(rlx_place_head(p, value), "launch_thread") == 0 && positional(value, args, 2) == 2)
        assume_between(p, target->name, rlx_prim_int(p->store, 0), rlx_place_read(p, args[1]),
                       "bounds of the thread");
    }
  if (stmt->kind != RLX_STMT_IF && stmt->kind != RLX_STMT_WHILE) return;
  rlx_place_accesses(p, stmt);
  const RlxPrim *condition = rlx_place_read(p, stmt->value);
  bool holds = inside == stmt->body;
  if (condition && rlx_dtype_is_bool(condition->dtype) && (holds || stmt->kind == RLX_STMT_IF))
    assume(p, holds ? condition : rlx_prim_unary(p->store, RLX_PRIM_NOT, condition),
           "condition around");
}

/// Names among the dimensions of buffers are at least 0, those of buffers made later too.
static void mark_buffers(RlxPlace *p, const RlxAst *ast, int depth) {
  static const char *const makers[] = {"Buffer", "match_buffer", "Tensor", NULL};
  if (!ast || depth > DEPTH_MAX) return;
  for (uint32_t i = 0; i < ast->child_count; i++) {
    const RlxAst *shape = ast->children[i];
    if (rlx_place_is_one_of(rlx_place_head(p, ast), makers) && is_list(shape))
      for (uint32_t k = 0; k < shape->child_count; k++)
        if (shape->children[k]->kind == RLX_AST_NAME)
          rlx_prim_mark_dimension(p->store, rlx_place_name(p->store, shape->children[k]->name, p));
    mark_buffers(p, shape, depth + 1);
  }
}

static void prim_func(RlxPlace *p, const RlxStmt *def, const RlxStmt *stmt) {
  const RlxStmt *path[64];
  int depth = 0;
  const RlxParams taken = rlx_taken_params(def);
  for (uint32_t i = 0; i < taken.count; i++) {
    mark_buffers(p, taken.at[i].annotation, 0);
    rlx_place_declare(p, taken.at[i].name, taken.at[i].annotation);
  }
  for (uint32_t i = 0; def->body && i < def->body->count; i++)
    mark_buffers(p, def->body->stmts[i]->value, 0);
  for (const RlxStmt *at = stmt; at && at != def && depth < 64;
       at = at->block ? at->block->parent : NULL)
    path[depth++] = at;
  while (depth-- > 0) { // from the outside in
    const RlxStmt *at = path[depth];
    for (uint32_t i = 0; i < at->index; i++) statement(p, at->block->stmts[i], 0);
    if (depth) enter(p, at, path[depth - 1]->block);
  }
}

/// The facts as a list, without accesses that say nothing new; of too many, those nearest to the
/// place.
static const RlxFacts *listed(RlxPlace *p) {
  const RlxFacts *others = NULL, *out = NULL;
  uint32_t accesses = 0, count = 0;
  for (uint32_t i = 0; i < p->facts.count; i++) {
    RlxPlaceFact *fact = &p->facts.at[i];
    if (fact->is_buffer) continue;
    RlxFacts *one = rlx_arena_one(p->arena, RlxFacts);
    *one = (RlxFacts){others, fact->condition, fact->origin};
    others = one;
  }
  for (uint32_t i = p->facts.count; i-- > 0;) {
    RlxPlaceFact *fact = &p->facts.at[i];
    if (fact->is_buffer &&
        (accesses++ >= ACCESS_MAX || rlx_prove(p->store, others, fact->condition) == RLX_YES))
      fact->condition = NULL;
  }
  for (uint32_t i = 0; i < p->facts.count; i++) {
    const RlxPlaceFact *fact = &p->facts.at[i];
    if (!fact->condition || (!fact->is_buffer && count >= FACTS_MAX)) continue;
    count += !fact->is_buffer;
    RlxFacts *one = rlx_arena_one(p->arena, RlxFacts);
    *one = (RlxFacts){out, fact->condition, fact->origin};
    out = one;
  }
  return out;
}

bool rlx_file_place_facts(RlxFile *file, uint32_t offset, RlxArena *arena, RlxPlaceFacts *out) {
  rlx_file_analyze(file, NULL);
  *out = (RlxPlaceFacts){0};
  const RlxStmt *stmt = rlx_document_stmt_at(file->document, offset);
  for (const RlxStmt *at = stmt; at; at = at->block ? at->block->parent : NULL) {
    const RlxAnalysis *unit = at->analysis;
    if (!unit || !unit->fn) continue;
    RlxFn *fn = unit->fn;
    rlx_fn_signature(fn);
    out->scope = fn->function.scope;
    if (fn->kind == RLX_ISLAND_PRIM_FUNC) {
      RlxPlace p = {.file = file,
                    .store = file->store,
                    .arena = arena,
                    .text = rlx_document_text(file->document, NULL),
                    .scope = out->scope};
      prim_func(&p, at, stmt);
      out->facts = listed(&p);
      rlx_vec_free(&p.facts);
      rlx_vec_free(&p.buffers);
      rlx_vec_free(&p.values);
      rlx_map_free(&p.said);
    } else {
      out->facts = rlx_file_facts_at(file, stmt, arena);
      out->names_are_dimensions = true;
    }
    return true;
  }
  return false;
}
