#include "analyzer/place_facts.h"

#include <string.h>

#include "analyzer/core.h"
#include "analyzer/hints.h"
#include "analyzer/prim_read.h"

enum { FACTS_MAX = 64 };

typedef struct Place {
  RlxFile *file;
  RlxStore *store;
  RlxArena *arena;
  uint64_t scope;
  const RlxFacts *newest;
  uint32_t count;
} Place;

static const RlxPrim *named(RlxStore *store, RlxName name, void *data) {
  const Place *p = data;
  return rlx_prim_var(store, rlx_symvar(store, p->scope, name, RLX_INT64, false));
}

static const RlxPrim *read_ast(Place *p, const RlxAst *ast) {
  RlxError err = {{0}};
  return ast ? rlx_prim_from_ast(p->store, ast, named, p, &err) : NULL;
}

static void assume(Place *p, const RlxPrim *condition, const char *origin) {
  if (!condition || !rlx_dtype_is_bool(condition->dtype) || !condition->vars ||
      p->count == FACTS_MAX)
    return;
  RlxFacts *fact = rlx_arena_one(p->arena, RlxFacts);
  *fact = (RlxFacts){p->newest, condition, origin};
  p->newest = fact;
  p->count++;
}

static void assume_between(Place *p, RlxName name, const RlxPrim *low, const RlxPrim *extent,
                           const char *origin) {
  const RlxPrim *var = named(p->store, name, p);
  if (low) assume(p, rlx_prim_binary(p->store, RLX_PRIM_LE, low, var), origin);
  if (low && extent) assume(p, rlx_prim_binary(p->store, RLX_PRIM_LT, var, extent), origin);
}

/// The last part of a callee's name: "grid" of T.grid.
static const char *head(const Place *p, const RlxAst *call) {
  const RlxAst *callee =
      call && call->kind == RLX_AST_CALL && call->child_count ? call->children[0] : NULL;
  if (!callee || (callee->kind != RLX_AST_NAME && callee->kind != RLX_AST_ATTRIBUTE)) return "";
  return rlx_store_text(p->store, callee->name);
}

/// "axis" of T.axis.spatial.
static const char *head_before(const Place *p, const RlxAst *call) {
  const RlxAst *callee = call->children[0];
  if (callee->kind != RLX_AST_ATTRIBUTE || callee->children[0]->kind != RLX_AST_ATTRIBUTE)
    return "";
  return rlx_store_text(p->store, callee->children[0]->name);
}

static bool is_one_of(const char *word, const char *const *words) {
  for (; *words; words++)
    if (strcmp(word, *words) == 0) return true;
  return false;
}

static uint32_t positional(const RlxAst *call, const RlxAst **out, uint32_t capacity) {
  uint32_t n = 0;
  for (uint32_t i = 1; i < call->child_count && n < capacity; i++)
    if (call->children[i]->kind != RLX_AST_KEYWORD) out[n++] = call->children[i];
  return n;
}

/// `for i in range(n)`, `for i, j in T.grid(n, m)`.
static void loop(Place *p, const RlxStmt *stmt) {
  static const char *const ranges[] = {"range",  "serial",         "parallel", "vectorized",
                                       "unroll", "thread_binding", NULL};
  const RlxAst *args[16], *target = stmt->target_count ? stmt->targets[0] : NULL,
                          *call = stmt->value;
  if (!target || !call || call->kind != RLX_AST_CALL) return;
  uint32_t count = positional(call, args, 16);
  const RlxPrim *zero = rlx_prim_int(p->store, 0);
  if (strcmp(head(p, call), "grid") == 0) {
    bool is_tuple = target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST;
    for (uint32_t i = 0; i < count; i++) {
      const RlxAst *name = is_tuple ? (i < target->child_count ? target->children[i] : NULL)
                           : i == 0 ? target
                                    : NULL;
      if (name && name->kind == RLX_AST_NAME)
        assume_between(p, name->name, zero, read_ast(p, args[i]), "bounds of the loop");
    }
    return;
  }
  if (target->kind != RLX_AST_NAME || !is_one_of(head(p, call), ranges) || !count || count > 2)
    return;
  assume_between(p, target->name, count == 2 ? read_ast(p, args[0]) : zero,
                 read_ast(p, args[count - 1]), "bounds of the loop");
}

static void bind_axis(Place *p, const RlxAst *target, const RlxAst *value, const RlxAst *extent) {
  if (target->kind != RLX_AST_NAME) return;
  const RlxPrim *bound = read_ast(p, value);
  if (bound)
    assume(p, rlx_prim_binary(p->store, RLX_PRIM_EQ, named(p->store, target->name, p), bound),
           "binding of the block axis");
  if (!extent) return;
  bool is_range = extent->kind == RLX_AST_TUPLE && extent->child_count == 2;
  assume_between(p, target->name,
                 is_range ? read_ast(p, extent->children[0]) : rlx_prim_int(p->store, 0),
                 read_ast(p, is_range ? extent->children[1] : extent), "domain of the block axis");
}

/// What a statement says to those behind it.
static void statement(Place *p, const RlxStmt *stmt) {
  static const char *const axes[] = {"spatial", "reduce", "S", "R", "scan", "opaque", NULL};
  const RlxAst *args[8], *value = stmt->value;
  if (stmt->kind == RLX_STMT_ASSERT) assume(p, read_ast(p, value), "assert");
  bool is_call = value && value->kind == RLX_AST_CALL;
  if (stmt->kind == RLX_STMT_EXPR && is_call &&
      (strcmp(head(p, value), "where") == 0 || strcmp(head(p, value), "assume") == 0) &&
      positional(value, args, 8) == 1) {
    const RlxAst *inner = args[0];
    assume(p, read_ast(p, inner), head(p, value));
  }
  if (stmt->kind != RLX_STMT_ASSIGN || stmt->target_count != 1 || !is_call ||
      strcmp(head_before(p, value), "axis") != 0)
    return;
  uint32_t count = positional(value, args, 8);
  if (strcmp(head(p, value), "remap") == 0 && count == 2 && args[1]->kind == RLX_AST_LIST) {
    const RlxAst *target = stmt->targets[0];
    bool is_tuple = target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST;
    for (uint32_t i = 0; i < args[1]->child_count; i++) {
      const RlxAst *name = is_tuple ? (i < target->child_count ? target->children[i] : NULL)
                           : i == 0 ? target
                                    : NULL;
      if (name) bind_axis(p, name, args[1]->children[i], NULL);
    }
  } else if (is_one_of(head(p, value), axes) && count == 2)
    bind_axis(p, stmt->targets[0], args[1], args[0]);
}

/// Names among the dimensions of buffers are at least 0.
static void mark_buffers(Place *p, const RlxAst *ast, int depth) {
  static const char *const makers[] = {"Buffer", "match_buffer", "Tensor", NULL};
  if (!ast || depth > 50) return;
  for (uint32_t i = 0; i < ast->child_count; i++) {
    const RlxAst *shape = ast->children[i];
    if (is_one_of(head(p, ast), makers) &&
        (shape->kind == RLX_AST_TUPLE || shape->kind == RLX_AST_LIST))
      for (uint32_t k = 0; k < shape->child_count; k++)
        if (shape->children[k]->kind == RLX_AST_NAME)
          rlx_prim_mark_dimension(p->store, named(p->store, shape->children[k]->name, p));
    mark_buffers(p, shape, depth + 1);
  }
}

static void prim_func(Place *p, const RlxStmt *def, const RlxStmt *stmt) {
  const RlxStmt *path[64];
  int depth = 0;
  for (uint32_t i = 0; i < def->param_count; i++) mark_buffers(p, def->params[i].annotation, 0);
  for (uint32_t i = 0; def->body && i < def->body->count; i++)
    mark_buffers(p, def->body->stmts[i]->value, 0);
  for (const RlxStmt *at = stmt; at && at != def && depth < 64;
       at = at->block ? at->block->parent : NULL)
    path[depth++] = at;
  while (depth-- > 0) { // from the outside in
    const RlxStmt *at = path[depth];
    for (uint32_t i = 0; i < at->index; i++) statement(p, at->block->stmts[i]);
    if (!depth) break;
    const RlxBlock *inside = path[depth - 1]->block;
    if (at->kind == RLX_STMT_FOR && inside == at->body) loop(p, at);
    if (at->kind == RLX_STMT_IF || at->kind == RLX_STMT_WHILE) {
      const RlxPrim *condition = read_ast(p, at->value);
      bool holds = inside == at->body;
      if (condition && rlx_dtype_is_bool(condition->dtype) && (holds || at->kind == RLX_STMT_IF))
        assume(p, holds ? condition : rlx_prim_unary(p->store, RLX_PRIM_NOT, condition),
               "condition around");
    }
  }
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
      Place p = {.file = file, .store = file->store, .arena = arena, .scope = out->scope};
      prim_func(&p, at, stmt);
      out->facts = p.newest;
    } else {
      out->facts = rlx_file_facts_at(file, stmt, arena);
      out->names_are_dimensions = true;
    }
    return true;
  }
  return false;
}
