/// A statement whose operands have other StructInfos than before, and that nothing else has changed for: its operator's rule is
/// asked again, with the call and the variable that are there. When the dimensions or the dtype of a parameter change, most
/// statements of a function are such.
/// Always true: the unit is afterwards what an evaluation would have made of it, or nothing is said and it is evaluated.
#include "analyzer/eval/outer.h"
#include "analyzer/function/sweep_impl.h"
#include "analyzer/ops/numbers.h"
#include "base/hash.h"

/// Object: what a call gives that hangs on a mistake.
static bool may_be_tensor(const RlxSInfo *sinfo) {
  return sinfo->kind == RLX_SINFO_TENSOR || sinfo->kind == RLX_SINFO_OBJECT;
}

/// The name means the tensor that it was, whose StructInfo is another one, or that now hangs (or no longer hangs) on a mistake.
static bool is_same_tensor(const RlxRead *before, const RlxRead *now) {
  const uint32_t taint = (uint32_t)(RLX_FAILED | RLX_OPEN) << RLX_READ_TAINT_SHIFT;
  const RlxVar *var = now->thing;
  if (!var || before->thing != var || (uint8_t)now->flags != RLX_VALUE_EXPR ||
      ((before->flags ^ now->flags) & ~taint) != 0)
    return false;
  return before->sinfo && may_be_tensor(before->sinfo) && may_be_tensor(var->sinfo) &&
         !var->content;
}

/// Whether the name stands in the call as an argument of its own, and nowhere else.
static bool is_argument_only(const RlxAst *call, RlxName name) {
  for (uint32_t i = 0; i < call->child_count; i++) {
    const RlxAst *child = call->children[i];
    if (i && child->kind == RLX_AST_KEYWORD) child = child->children[0];
    if (i && child->kind == RLX_AST_NAME) continue;
    if (rlx_ast_names(child, name)) return false;
  }
  return true;
}

/// The call of an operator that is all of the statement; NULL: it is something else.
static RlxExpr *only_call(const RlxAnalysis *unit) {
  const RlxStmt *stmt = unit->stmt;
  if (!unit->is_plain || unit->is_dirty || (unit->is_tainted & RLX_OPEN) || unit->is_impure ||
      unit->asks_dialects || stmt->kind != RLX_STMT_ASSIGN || stmt->reading ||
      stmt->target_count != 1 || !stmt->value || stmt->value->kind != RLX_AST_CALL ||
      unit->binding_count != 1 || unit->def_count != 1)
    return NULL;
  const RlxBinding *binding = unit->bindings[0];
  RlxExpr *x = binding->value;
  if (binding->kind != RLX_BINDING_VAR || binding->annotated || binding->var->content ||
      x->kind != RLX_EXPR_CALL || !x->call->row || x->call->callee)
    return NULL;
  const RlxOpRow *row = x->call->row;
  // A reshape teaches something; calls of functions are checked against these.
  bool is_plain = row->purity == RLX_OP_PURE && row->id != RLX_OP_ID(reshape);
  for (int i = 0; i < row->param_count; i++)
    is_plain &= row->params[i].kind != RLX_PARAM_CALLEE && row->params[i].kind != RLX_PARAM_SINFO;
  return is_plain ? x : NULL;
}

/// Whether only StructInfos of arguments of the call have changed under the names that the unit reads.
static bool only_tensors_changed(const RlxSweep *s, const RlxAnalysis *unit) {
  for (uint32_t i = 0; i < unit->read_count; i++) {
    const RlxRead *before = &unit->reads[i];
    if (rlx_env_holds(s->env, before)) continue;
    const RlxRead now = rlx_env_read(s->env, before->name);
    if (!is_same_tensor(before, &now) ||
        !(unit->is_bare || is_argument_only(unit->stmt->value, before->name)))
      return false;
  }
  return !rlx_map_count(&s->file->changed_outer) ||
         !rlx_outer_changed(s->file, unit->outer_reads, unit->outer_read_count);
}

/// Whether all that is written as an argument is a variable or a constant. A mistake that the statement hangs on may else stand in
/// an argument itself (`(m.name, 3)`), and beside one less is evaluated (`sizes.get("k")`).
static bool has_plain_arguments(const RlxAst *ast, const RlxCall *call) {
  for (uint32_t i = 1; i < ast->child_count; i++) {
    const RlxAst *child = ast->children[i];
    if (child->kind == RLX_AST_KEYWORD) child = child->children[0];
    bool is_plain = false;
    for (uint32_t k = 0; k < call->arg_count && !is_plain; k++) {
      const RlxValue *v = &call->args[k];
      is_plain = v->kind == RLX_VALUE_EXPR && !v->is_default &&
                 (v->expr->kind == RLX_EXPR_VAR || v->expr->kind == RLX_EXPR_CONSTANT) &&
                 v->expr->span.start == child->span.start && v->expr->span.end == child->span.end;
    }
    if (!is_plain) return false;
  }
  return true;
}

/// Whether the unit reads what it read, which is all that a bare one hangs on.
static bool reads_the_same(const RlxSweep *s, const RlxAnalysis *unit) {
  for (uint32_t i = 0; i < unit->read_count; i++) {
    const RlxRead *read =
        &unit->reads[i]; // a shape that is a variable's value is that variable's affair
    const bool has_shape_var =
        read->sinfo && read->sinfo->kind == RLX_SINFO_TENSOR && read->sinfo->shape_var;
    if (has_shape_var || !rlx_env_holds(s->env, read)) return false;
  }
  return true;
}

/// The arguments as the sweep knows them by now, and what they hang on. False: one of them is more than a variable or a constant, or known to
/// Python alone.
static bool take_operands(RlxCall *call, RlxTaint *taint) {
  *taint = 0;
  for (uint32_t i = 0; i < call->arg_count; i++) {
    const RlxValue *v = &call->args[i];
    if (v->is_default || v->kind != RLX_VALUE_EXPR) continue;
    if (v->expr->kind == RLX_EXPR_VAR) {
      v->expr->sinfo = v->expr->var->sinfo;
      *taint |= v->expr->var->is_tainted;
    } else if (v->expr->kind != RLX_EXPR_CONSTANT && v->expr->kind != RLX_EXPR_PRIM &&
               v->expr->kind != RLX_EXPR_SHAPE)
      return false;
  }
  return !(*taint & RLX_OPEN);
}

/// A literal, or a tuple or list of some: it says the same wherever it stands.
static bool is_literal(const RlxAst *ast) {
  switch (ast->kind) {
  case RLX_AST_INT:
  case RLX_AST_FLOAT:
  case RLX_AST_STRING:
  case RLX_AST_TRUE:
  case RLX_AST_FALSE:
  case RLX_AST_NONE: return true;
  case RLX_AST_UNARY:
  case RLX_AST_TUPLE:
  case RLX_AST_LIST:
    for (uint32_t i = 0; i < ast->child_count; i++)
      if (!is_literal(ast->children[i])) return false;
    return true;
  default: return false;
  }
}

/// The first name of `R.nn.relu`; 0: it is something else.
static RlxName root_of(const RlxAst *ast) {
  while (ast->kind == RLX_AST_ATTRIBUTE) ast = ast->children[0];
  return ast->kind == RLX_AST_NAME ? ast->name : 0;
}

/// `R.const(1.5, "float32")`: a call with literals.
static bool is_call_of_literals(const RlxAst *ast, RlxName root) {
  if (ast->kind != RLX_AST_CALL || root_of(ast->children[0]) != root) return false;
  for (uint32_t i = 1; i < ast->child_count; i++) {
    const RlxAst *child = ast->children[i];
    if (!is_literal(child->kind == RLX_AST_KEYWORD ? child->children[0] : child)) return false;
  }
  return true;
}

/// What is written as an argument is a variable, a literal or a constant made of literals.
static bool is_bare_argument(const RlxAst *ast, const RlxCall *call, RlxName root) {
  if (is_literal(ast)) return true;
  for (uint32_t k = 0; k < call->arg_count; k++) {
    const RlxValue *v = &call->args[k];
    if (v->kind != RLX_VALUE_EXPR || v->is_default || v->expr->span.start != ast->span.start ||
        v->expr->span.end != ast->span.end)
      continue;
    if (v->expr->kind != RLX_EXPR_VAR)
      return v->expr->kind == RLX_EXPR_CONSTANT && is_call_of_literals(ast, root);
    const RlxSInfo *sinfo = v->expr->var->sinfo; // a variable of shapes has symbols of the function
    return ast->kind == RLX_AST_NAME && sinfo->kind == RLX_SINFO_TENSOR && !sinfo->shape_var;
  }
  return false;
}

/// Whether the operator takes tensors and plain attributes alone: shapes may have symbols of the function, other attributes devices
/// of the module.
static bool takes_tensors(const RlxCall *call) {
  const RlxOpRow *row = call->row;
  for (int i = 0; i < row->param_count; i++) {
    const RlxParamKind kind = row->params[i].kind;
    const bool is_fine = kind == RLX_PARAM_TENSOR || kind == RLX_PARAM_INT ||
                         kind == RLX_PARAM_FLOAT || kind == RLX_PARAM_BOOL ||
                         kind == RLX_PARAM_STR || kind == RLX_PARAM_DTYPE || kind == RLX_PARAM_INTS;
    if (!is_fine && rlx_arg_given(call, i)) return false;
  }
  return true;
}

/// Notes that operators are looked up in `name`. False: who binds it anew is told to those that read it, or there are too many.
static bool note_root(RlxSweep *s, RlxName name) {
  enum { MOST = 4 };
  RlxFn *fn = s->fn;
  RlxValue v;
  for (uint32_t i = 0; i < fn->roots.count; i++)
    if (fn->roots.at[i] == name) return true;
  if (!rlx_names_predefined(&s->file->analyzer->words, rlx_store_text(s->file->store, name), &v))
    return false;
  if (fn->roots.count < MOST) rlx_vec_push(&fn->roots, name);
  return fn->roots.at[fn->roots.count - 1] == name;
}

void rlx_sweep_note_bare(RlxSweep *s, RlxAnalysis *unit) {
  const RlxExpr *x = unit->is_plain ? only_call(unit) : NULL;
  unit->is_bare = unit->has_literals = unit->is_rooted = false;
  if (!x) return;
  const RlxAst *ast = unit->stmt->value;
  const RlxName root = root_of(ast->children[0]);
  unit->is_rooted = root && (note_root(s, root) || unit->outer_read_count);
  if (!unit->is_rooted || unit->outer_read_count || !takes_tensors(x->call)) return;
  for (uint32_t i = 1; i < ast->child_count; i++) {
    const RlxAst *child = ast->children[i];
    if (child->kind == RLX_AST_KEYWORD) child = child->children[0];
    if (!is_bare_argument(child, x->call, root)) return;
    unit->has_literals |= is_literal(child);
  }
  unit->is_bare = true;
}

/// Whether the name is one of TVMScript's namespaces to the statements of the function; `*hash` takes which.
static bool is_namespace(RlxSweep *s, RlxName name, uint64_t *hash) {
  RlxEval *e = &s->e;
  const char *text = rlx_store_text(e->store, name);
  RlxValue v, common;
  if (!rlx_names_predefined(&e->analyzer->words, text, &common)) return false;
  const bool is_outer =
      e->analyzer->hooks->outer_value(s->file, s->fn->stmt->body->stmts[0], name, &v);
  if (!is_outer && rlx_missing_import(e, text)) return false;
  if (!is_outer) v = common;
  *hash = rlx_hash_mix(rlx_hash_mix(*hash, name), v.string);
  return v.kind == RLX_VALUE_NAMESPACE;
}

uint64_t rlx_sweep_bare_key(RlxSweep *s) {
  const RlxFn *fn = s->fn;
  const RlxFile *file = s->file;
  if (fn->outer || !fn->stmt->body || !fn->stmt->body->count || rlx_eval_is_tlc(&s->e)) return 0;
  uint64_t hash = rlx_hash_mix(file->settings_serial, file->settings_changes);
  hash = rlx_hash_mix(hash, fn->dialect);
  const bool module_checks = !fn->module || fn->module->check_well_formed;
  hash = rlx_hash_mix(hash, (uint64_t)fn->is_printed << 2 | (uint64_t)fn->check_well_formed << 1 |
                                (uint64_t)module_checks);
  hash = rlx_hash_mix(rlx_hash_mix(hash, file->items_size), file->question_size);
  for (uint32_t i = 0; i < fn->roots.count; i++)
    if (!is_namespace(s, fn->roots.at[i], &hash)) return 0;
  return hash | 1;
}

/// Asks the operator's rule. False: it reports something, or hangs on more than its operands.
static bool deduces(RlxSweep *s, RlxAnalysis *unit, RlxExpr *x, RlxTaint taint) {
  RlxStore *store = s->file->store;
  const uint64_t questions = rlx_store_questions(store), marks = rlx_marks_reads(store),
                 dialects = s->file->analyzer->dialect_questions;
  const uint32_t log = rlx_marks_statement(store);
  RlxEval *e = &s->e;
  uint32_t made = 0;
  rlx_vec_clear(&s->sink.diags);
  rlx_questions_of_statements(store, 1);
  s->sink.arena = e->arena = unit->arena;
  e->stmt = unit->stmt;
  e->unit = unit;
  e->facts = s->facts;
  e->tainted = taint;
  rlx_deduce_call(e, x);
  (void)rlx_marks_of(store, log, unit->arena, &made);
  return !s->sink.diags.count && e->tainted == taint && !made &&
         rlx_store_questions(store) == questions && rlx_marks_reads(store) == marks &&
         s->file->analyzer->dialect_questions == dialects &&
         ((taint && x->sinfo->kind == RLX_SINFO_OBJECT) ||
          (x->sinfo->kind == RLX_SINFO_TENSOR && !rlx_numbers_fit(x->sinfo)));
}

/// The signature binds the name, too: a symbolic variable can't become another one.
static bool is_of_signature(const RlxFn *fn, RlxName name) {
  return rlx_fn_first_param(fn, name) < fn->params.count;
}

bool rlx_sweep_again(RlxSweep *s, RlxAnalysis *unit) {
  const bool is_bare = unit->is_bare && unit->is_plain && !unit->is_dirty;
  if (s->all && (!is_bare || is_of_signature(s->fn, unit->own.name))) return false;
  if (s->all && reads_the_same(s, unit)) return true;
  RlxExpr *x = is_bare ? unit->bindings[0]->value : only_call(unit);
  RlxTaint taint;
  if (!x || !only_tensors_changed(s, unit) || !take_operands(x->call, &taint) ||
      ((unit->is_tainted | taint) && (!is_bare || unit->has_literals) &&
       !has_plain_arguments(unit->stmt->value, x->call)) ||
      !deduces(s, unit, x, taint))
    return false;
  RlxBinding *binding = unit->bindings[0];
  binding->deduced = binding->var->sinfo = x->sinfo;
  binding->var->is_tainted = taint;
  unit->defs[0].value.expr->sinfo = x->sinfo;
  unit->own = rlx_env_identity(unit->own.name, unit->defs);
  for (uint32_t i = 0; i < unit->read_count; i++)
    unit->reads[i] = rlx_env_read(s->env, unit->reads[i].name);
  unit->facts_seen = s->facts_hash;
  unit->marks_seen = rlx_marks_hash(s->file->store);
  if (unit->is_tainted != taint) {
    rlx_use_mark_forget(unit);
    unit->is_tainted = taint;
    rlx_use_mark_note(unit);
  }
  s->file->stats.analyzed_statements++;
  return true;
}
