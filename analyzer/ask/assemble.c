/// A function as one piece of IR: blocks of bindings, branches and local functions assembled from
/// the statements' units. Always true: what is assembled lives in the asker's arena; variables and
/// leaf expressions are the analyzer's own.
#include "analyzer/ask/assemble.h"
#include "analyzer/function/files.h"
#include "analyzer/state/state.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef Vec(RlxBindingBlock) Blocks;
typedef Vec(RlxBinding *) Bindings;

typedef struct Assembly {
  RlxFile *file;
  const RlxModule *module; ///< of the function, or NULL
  RlxArena *arena;
  RlxMap used; ///< names of the function's own variables
  uint32_t next_lv, next_gv;
  uint32_t depth;
} Assembly;

typedef struct Builder {
  Assembly *a;
  Blocks blocks;
  Bindings current;
  bool is_dataflow, open;
} Builder;

static void collect_names(Assembly *a, const RlxSuite *suite) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    for (uint32_t k = 0; k < unit->var_count; k++)
      if (!unit->vars[k]->is_temporary) rlx_map_put(&a->used, unit->vars[k]->name, 1);
    collect_names(a, unit->body);
    collect_names(a, unit->orelse);
  }
}

/// lv, lv1, lv2… as TVM's block builder numbers them, leaving out names of the script.
static void name_temporary(Assembly *a, RlxVar *var) {
  if (!var->is_temporary) return;
  const char *base = var->in_dataflow ? "lv" : "gv";
  uint32_t *next = var->in_dataflow ? &a->next_lv : &a->next_gv;
  for (;;) {
    char text[32];
    int size = *next ? snprintf(text, sizeof text, "%s%u", base, *next)
                     : snprintf(text, sizeof text, "%s", base);
    (*next)++;
    RlxName name = rlx_store_intern(a->file->store, text, (size_t)size);
    if (rlx_map_get(&a->used, name, NULL)) continue;
    var->name = name;
    return;
  }
}

static void flush(Builder *b) {
  if (!b->open) return;
  RlxBindingBlock block = {.is_dataflow = b->is_dataflow, .count = b->current.count};
  block.bindings = b->current.count ? rlx_arena_copy(b->a->arena, b->current.at, b->current.count,
                                                     sizeof *b->current.at)
                                    : NULL;
  if (block.count || block.is_dataflow) rlx_vec_push(&b->blocks, block);
  rlx_vec_clear(&b->current);
  b->open = false;
}

static void enter(Builder *b, bool is_dataflow) {
  if (b->open && b->is_dataflow == is_dataflow) return;
  flush(b);
  b->open = true;
  b->is_dataflow = is_dataflow;
}

static RlxBody body_of(Assembly *a, const RlxSuite *suite, RlxExpr *result,
                       const RlxStmt *result_stmt);
static void assemble_function(Assembly *outer, const RlxFn *fn, RlxFunction *out);

/// The value of a branch: the last variable bound in it.
static RlxExpr *branch_result(Assembly *a, const RlxSuite *suite, const RlxStmt **out_stmt) {
  *out_stmt = NULL;
  RlxExpr *x = rlx_arena_one(a->arena, RlxExpr);
  x->kind = RLX_EXPR_HOLE;
  x->sinfo = rlx_sinfo_object(a->file->store);
  for (uint32_t i = suite ? suite->units.count : 0; i-- > 0;) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (unit->kind == RLX_UNIT_WITH && unit->body) {
      RlxExpr *inner = branch_result(a, unit->body, out_stmt);
      if (inner->kind != RLX_EXPR_HOLE) return inner;
    }
    if (!unit->binding_count) continue;
    RlxVar *var = unit->bindings[unit->binding_count - 1]->var;
    x->kind = RLX_EXPR_VAR;
    x->var = var;
    x->sinfo = var->sinfo;
    *out_stmt = unit->stmt;
    return x;
  }
  return x;
}

static RlxBinding *copy_with_value(Assembly *a, const RlxBinding *binding, const RlxExpr *value) {
  RlxBinding *copy = rlx_arena_copy(a->arena, binding, 1, sizeof *binding);
  copy->value = rlx_arena_copy(a->arena, value, 1, sizeof *value);
  return copy;
}

/// What the call of a function of this file gives by that function's body, where the body is known
/// better than the annotation: the variable has what the annotation promises, but the value alone
/// is known as well as the whole file is. NULL: nothing else.
static const RlxSInfo *by_body(const Assembly *a, const RlxBinding *binding) {
  const RlxExpr *x = binding->value;
  if (binding->kind != RLX_BINDING_VAR || x->kind != RLX_EXPR_CALL || x->call->row ||
      !x->call->callee || x->call->callee->kind != RLX_EXPR_GLOBAL || !a->module)
    return NULL;
  const RlxFn *fn = rlx_module_fn(
      a->module, x->call->callee->name); // by name: the statement may have been edited since
  if (!fn || fn->kind != RLX_ISLAND_RELAX || !fn->function.ret_annotation || !fn->function.ret ||
      fn->function.ret == fn->function.ret_annotation)
    return NULL;
  const RlxSInfo *declared = fn->function.sinfo, *args[64];
  if (declared->kind != RLX_SINFO_FUNC || !declared->params || x->call->arg_count > 64) return NULL;
  for (uint32_t i = 0; i < x->call->arg_count; i++) {
    if (x->call->args[i].kind != RLX_VALUE_EXPR) return NULL;
    args[i] = x->call->args[i].expr->sinfo;
  }
  RlxStore *store = fn->file->store;
  RlxCallProblem problem = {.bad_arg = -1};
  const RlxSInfo *known = rlx_sinfo_func(store, declared->params, declared->count, fn->function.ret,
                                         (RlxPurity)declared->purity, declared->derive);
  const RlxSInfo *deduced =
      rlx_sinfo_derive_call(store, NULL, known, args, (int)x->call->arg_count, &problem, NULL);
  return problem.bad_count || problem.bad_arg >= 0 ? NULL : deduced;
}

static void add_unit(Builder *b, const RlxAnalysis *unit, bool is_dataflow) {
  Assembly *a = b->a;
  for (uint32_t i = 0; i < unit->binding_count; i++) {
    RlxBinding *binding = unit->bindings[i];
    enter(b, is_dataflow);
    name_temporary(a, binding->var);
    if (binding->value->kind == RLX_EXPR_IF) {
      binding = copy_with_value(a, binding, binding->value);
      RlxBody *bodies = rlx_arena_array(a->arena, RlxBody, 2);
      const RlxStmt *stmts[2];
      RlxExpr *then_result = branch_result(a, unit->body, &stmts[0]),
              *else_result = branch_result(a, unit->orelse, &stmts[1]);
      bodies[0] = body_of(a, unit->body, then_result, stmts[0]);
      bodies[1] = body_of(a, unit->orelse, else_result, stmts[1]);
      binding->value->branches = bodies;
    } else if (binding->value->kind == RLX_EXPR_FUNCTION && unit->fn) {
      binding = copy_with_value(a, binding, binding->value);
      RlxFunction *function = rlx_arena_one(a->arena, RlxFunction);
      assemble_function(a, unit->fn, function);
      binding->value->function = function;
    }
    const RlxSInfo *deduced = by_body(a, binding);
    if (deduced) {
      binding = rlx_arena_copy(a->arena, binding, 1, sizeof *binding);
      binding->deduced = deduced;
    }
    rlx_vec_push(&b->current, binding);
  }
}

static void add_suite(Builder *b, const RlxSuite *suite, bool is_dataflow) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (unit->kind == RLX_UNIT_WITH) {
      if (unit->is_dataflow_block) {
        flush(b);
        enter(b, true);
      }
      add_suite(b, unit->body, is_dataflow || unit->is_dataflow_block);
      if (unit->is_dataflow_block) flush(b);
    } else
      add_unit(b, unit, is_dataflow);
  }
}

static RlxBody body_of(Assembly *a, const RlxSuite *suite, RlxExpr *result,
                       const RlxStmt *result_stmt) {
  RlxBody body = {.result = result, .result_stmt = result_stmt};
  if (a->depth > 100) return body;
  a->depth++;
  Builder b = {.a = a};
  add_suite(&b, suite, false);
  flush(&b);
  body.block_count = b.blocks.count;
  body.blocks = b.blocks.count
                    ? rlx_arena_copy(a->arena, b.blocks.at, b.blocks.count, sizeof *b.blocks.at)
                    : NULL;
  rlx_vec_free(&b.blocks);
  rlx_vec_free(&b.current);
  a->depth--;
  return body;
}

static void assemble_function(Assembly *outer, const RlxFn *fn, RlxFunction *out) {
  Assembly a = {
      .file = outer->file, .arena = outer->arena, .depth = outer->depth, .module = fn->module};
  for (uint32_t i = 0; i < fn->function.param_count; i++)
    rlx_map_put(&a.used, fn->function.params[i]->name, 1);
  collect_names(&a, fn->body);
  *out = fn->function;
  RlxExpr *result = rlx_arena_one(a.arena, RlxExpr);
  if (fn->result)
    *result = *fn->result;
  else {
    result->kind = RLX_EXPR_HOLE;
    result->sinfo = rlx_sinfo_object(a.file->store);
  }
  out->body = body_of(&a, fn->body, result, fn->result_stmt);
  rlx_map_free(&a.used);
}

const RlxFunction *rlx_file_function_ir(RlxFile *file, const RlxStmt *def, RlxArena *arena) {
  rlx_file_analyze(file, NULL);
  const RlxAnalysis *unit = def->analysis;
  if (!unit || !unit->fn || unit->fn->kind != RLX_ISLAND_RELAX) return NULL;
  RlxFunction *out = rlx_arena_one(arena, RlxFunction);
  Assembly a = {.file = file, .arena = arena};
  assemble_function(&a, unit->fn, out);
  return out;
}
