/// Values of the names that Python binds around islands: imports, module-level constants, enclosing
/// functions' variables. Always true: what Python alone can know is UNKNOWN, never a guess; a value
/// is evaluated once per build of the table.
#include <string.h>

#include "analyzer/eval/eval.h"
#include "analyzer/eval/outer.h"

static RlxValue import_value(RlxFile *file, const RlxImport *import) {
  const char *module = rlx_store_text(file->store, import->module);
  RlxBuf path = {0};
  bool is_dots = strspn(module, ".") == strlen(module);
  if (import->member)
    rlx_buf_printf(&path, "%s%s%s", module, is_dots ? "" : ".",
                   rlx_store_text(file->store, import->member));
  else if (strncmp(module, rlx_store_text(file->store, import->name),
                   strlen(rlx_store_text(file->store, import->name))) == 0 &&
           module[strlen(rlx_store_text(file->store, import->name))] == '.')
    rlx_buf_puts(&path, rlx_store_text(file->store, import->name)); // `import a.b` binds a
  else
    rlx_buf_puts(&path, module);
  RlxValue v = rlx_names_path(&file->analyzer->words, rlx_buf_text(&path)), known;
  RlxImportOrigin origin = {0};
  if (v.kind == RLX_VALUE_NAMESPACE && import->member &&
      !rlx_names_is_vocabulary(rlx_buf_text(&path)) &&
      file->analyzer->hooks->imported(file, rlx_buf_text(&path), &known, &origin))
    v = rlx_value_copy(file->outer_arena, &known);
  rlx_buf_free(&path);
  return v;
}

/// Finds `name` in a target and the value that belongs to it.
static bool destructure(RlxEval *e, const RlxAst *target, RlxValue value, RlxName name,
                        RlxValue *out) {
  if (target->kind == RLX_AST_NAME) {
    if (target->name != name) return false;
    *out = value;
    return true;
  }
  if (target->kind != RLX_AST_TUPLE && target->kind != RLX_AST_LIST) return false;
  for (uint32_t i = 0; i < target->child_count; i++) {
    RlxValue item = value.kind == RLX_VALUE_LIST && value.count == target->child_count
                        ? value.items[i]
                        : rlx_value_unknown(value.span);
    if (destructure(e, target->children[i], item, name, out)) return true;
  }
  return false;
}

/// Whether the value is the same whoever has it: nobody changes it in place.
static bool is_plain(const RlxValue *v) {
  return v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_FLOAT || v->kind == RLX_VALUE_BOOL ||
         v->kind == RLX_VALUE_STR || v->kind == RLX_VALUE_NONE || v->kind == RLX_VALUE_DTYPE;
}

/// What `stmt` gives `name`, one of its targets; `a = b = value` gives it to several.
static RlxValue of_targets(RlxEval *e, const RlxStmt *stmt, RlxValue value, RlxName name) {
  RlxValue out = rlx_value_unknown(rlx_span(0, 0));
  for (uint32_t i = 0; i < stmt->target_count; i++) // the last one is assigned last
    destructure(e, stmt->targets[i], value, name, &out);
  return stmt->target_count == 1 || is_plain(&out) ? out : rlx_value_unknown(rlx_span(0, 0));
}

/// Does the condition of an `if` outside of functions hold? 1, 0; -1: that is known to Python only.
static int holds(RlxFile *file, RlxStmt *stmt) {
  RlxEval e;
  RlxSink silent = {.arena = file->outer_arena};
  rlx_eval_init(&e, file, NULL, stmt, file->outer_arena, &silent);
  RlxValue value = rlx_eval(&e, stmt->value);
  bool truth, is_plain = value.kind == RLX_VALUE_BOOL || value.kind == RLX_VALUE_INT;
  bool is_known = is_plain && !e.tainted && !silent.diags.count && rlx_value_truth(&value, &truth);
  rlx_eval_deinit(&e);
  rlx_vec_free(&silent.diags);
  return is_known ? truth : -1;
}

enum { CONDITIONS_DEPTH_MAX = 16, CONDITIONAL_MAX = 64 }; ///< in one another; of one name

/// Is the assignment carried out, as far as `if`s around it say? 1, 0; -1: that is known to Python only.
static int is_taken(RlxFile *file, uint32_t index) {
  const RlxOuterBinding b = file->outer.at[index];
  if (!b.is_conditional) return 1;
  if (file->outer_conditions == CONDITIONS_DEPTH_MAX) file->is_outer_deep = true;
  if (file->outer_conditions == CONDITIONS_DEPTH_MAX || b.is_asked ||
      (b.stmt->kind != RLX_STMT_ASSIGN && b.stmt->kind != RLX_STMT_ANNOTATED))
    return -1;
  int taken = 1;
  file->outer.at[index].is_asked = true;
  file->outer_conditions++;
  for (const RlxStmt *s = b.stmt; s->block != b.block && taken;) {
    RlxStmt *around = s->block->parent;
    int truth = around && around->kind == RLX_STMT_IF && around->value ? holds(file, around) : -1;
    if (truth >= 0 && truth != (s->block == around->body)) taken = 0;
    if (truth < 0 && taken) taken = -1;
    if (!around) break;
    s = around;
  }
  file->outer.at[index].is_asked = false;
  file->outer_conditions--;
  return taken;
}

static RlxValue evaluate(RlxFile *file, uint32_t index) {
  RlxSpan nowhere = {0, 0};
  const RlxOuterBinding kept = file->outer.at[index], *binding = &kept;
  RlxStmt *stmt = binding->stmt;
  if (binding->import) return import_value(file, binding->import);
  if (binding->is_opaque || is_taken(file, index) != 1) return rlx_value_unknown(nowhere);
  if (stmt->kind == RLX_STMT_CLASS) {
    RlxModule *module = rlx_module_of(file, stmt);
    if (!module) return rlx_value_unknown(nowhere);
    RlxValue v = {.kind = RLX_VALUE_CLASS};
    v.thing = module;
    return v;
  }
  if (stmt->kind == RLX_STMT_DEF) {
    const RlxAnalysis *unit = stmt->analysis;
    if (!unit || !unit->fn) return rlx_value_unknown(nowhere);
    RlxValue v = {.kind = RLX_VALUE_FUNCTION};
    v.thing = unit->fn;
    return v;
  }
  if ((stmt->kind != RLX_STMT_ASSIGN && stmt->kind != RLX_STMT_ANNOTATED) || !stmt->value)
    return rlx_value_unknown(nowhere);
  RlxEval e;
  RlxSink silent = {.arena = file->outer_arena};
  rlx_eval_init(&e, file, NULL, stmt, file->outer_arena, &silent);
  e.takes_scalar = true;
  RlxValue value = rlx_eval(&e, stmt->value);
  if (value.kind == RLX_VALUE_SYMDECL && !(value.integer & 0xffffffff))
    value.integer |= (int64_t)binding->name;
  RlxValue out = of_targets(&e, stmt, value, binding->name);
  if (out.kind == RLX_VALUE_SYMDECL && !(out.integer & 0xffffffff))
    out.integer |= (int64_t)binding->name;
  if (out.kind == RLX_VALUE_EXPR && out.expr->kind != RLX_EXPR_CONSTANT &&
      out.expr->kind != RLX_EXPR_SHAPE && out.expr->kind != RLX_EXPR_PRIM)
    out = rlx_value_unknown(nowhere);
  if (e.tainted && out.kind == RLX_VALUE_OTHER) out = rlx_value_unknown(nowhere);
  rlx_eval_deinit(&e);
  rlx_vec_free(&silent.diags);
  return rlx_outer_unmutated(file, binding->name, out);
}

enum { RLX_OUTER_DEPTH_MAX = 200 }; ///< names through which a value is followed at a time

static RlxFile *root_of(RlxFile *file) { return file->importer ? file->importer : file; }

/// Whether the value is known to lead through too many modules from where it is asked for: what is known must not depend on
/// whether somebody nearer to it asked before.
static bool is_too_far(RlxFile *file, const RlxOuterBinding *binding) {
  const int depth = root_of(file)->import_depth;
  return binding->reach > RLX_CHAIN_MAX ? depth >= binding->far_depth
                                        : depth + binding->reach > RLX_CHAIN_MAX;
}

/// Gives the binding its value, for good unless it was followed too far.
static void evaluate_one(RlxFile *file, uint32_t index, bool is_final) {
  RlxFile *root = root_of(file);
  const uint8_t beside = root->import_reach;
  root->import_reach = 0;
  if (!file->outer_depth++) file->outer_round++;
  file->is_outer_deep = false;
  file->outer.at[index].state = 1;
  RlxValue value = evaluate(file, index);
  RlxOuterBinding *binding = &file->outer.at[index];
  const bool is_given_up = file->is_outer_deep && !is_final;
  binding->value = value;
  binding->reach = root->import_reach;
  binding->far_depth = root->import_depth;
  root->import_reach = beside;
  binding->state = is_given_up ? 0 : 2;
  if (is_given_up) binding->deep_round = file->outer_round;
  file->outer_depth--;
}

/// A chain of names that is too long for the stack is taken from its other end: all that stands
/// before is evaluated first, in the order of the text. What was given up in a round is not looked
/// for again in it: with two ways to each name it would be, over and over.
static void evaluate_once(RlxFile *file, uint32_t index) {
  RlxOuterBinding *binding = &file->outer.at[index];
  if (file->outer_depth == RLX_OUTER_DEPTH_MAX ||
      (file->outer_depth && binding->deep_round == file->outer_round)) {
    file->is_outer_deep = true;
    binding->deep_round = file->outer_round;
    binding->value = rlx_value_unknown(rlx_span(0, 0));
    return;
  }
  bool was_deep = file->is_outer_deep;
  evaluate_one(file, index, false);
  for (uint32_t i = 0; file->is_outer_deep && !file->outer_depth && i <= index; i++) {
    if (!file->outer.at[i].state && (i == index || !file->outer.at[i].import))
      evaluate_one(file, i, true);
    file->is_outer_deep = i < index;
  }
  file->is_outer_deep = file->outer_depth && (file->is_outer_deep || was_deep);
}

/// Whether the binding is one that is not carried out. `looked` counts those of which it was asked: of more than some it is not.
static bool is_passed_over(RlxFile *file, uint32_t index, uint32_t *looked) {
  return *looked < CONDITIONAL_MAX && file->outer.at[index].is_conditional && ++*looked &&
         !is_taken(file, index);
}

static bool lookup_in(RlxFile *file, const RlxBlock *scope, uint32_t position, RlxName name,
                      RlxValue *out) {
  uint32_t first = rlx_outer_first(file, scope, name);
  if (!first) return false;
  uint32_t looked = 0; // the last one before the use; else the first of all
  uint32_t chosen = rlx_outer_above(file, first, position);
  while (chosen && is_passed_over(file, chosen - 1, &looked))
    chosen = rlx_outer_above(file, file->outer.at[chosen - 1].next, position);
  if (!chosen) chosen = file->outer.at[first - 1].oldest;
  while (chosen && is_passed_over(file, chosen - 1, &looked))
    chosen = file->outer.at[chosen - 1].newer;
  RlxOuterBinding *binding = chosen ? &file->outer.at[chosen - 1] : NULL;
  if (!chosen || binding->state == 1) { // defined through itself
    *out = rlx_value_unknown(rlx_span(0, 0));
    return true;
  }
  RlxFile *root = root_of(file);
  const bool is_known = binding->state == 2, is_far = is_known && is_too_far(file, binding);
  if (!is_known || (binding->reach > RLX_CHAIN_MAX && !is_far)) evaluate_once(file, chosen - 1);
  binding = &file->outer.at[chosen - 1];
  *out = is_far ? rlx_value_unknown(rlx_span(0, 0)) : binding->value;
  const uint8_t reach = is_far ? RLX_CHAIN_MAX + 1 : binding->reach;
  if (reach > root->import_reach) root->import_reach = reach;
  return true;
}

bool rlx_outer_lookup(RlxFile *file, const RlxStmt *from, RlxName name, RlxValue *out) {
  const RlxBlock *block = from ? from->block : rlx_document_root(file->document);
  uint32_t position = from ? from->start : UINT32_MAX;
  for (; block; block = block->parent ? block->parent->block : NULL) {
    bool is_class = block->parent && block->parent->kind == RLX_STMT_CLASS;
    if (is_class && block->parent->name == name) { // the module inside itself
      RlxModule *module = rlx_module_of(file, block->parent);
      if (module) {
        RlxValue v = {.kind = RLX_VALUE_CLASS};
        v.thing = module;
        *out = v;
        return true;
      }
    }
    if (!rlx_outer_sees(file, from, block)) continue;
    if (is_class) { // siblings are no names, what else the class binds is
      uint32_t first = rlx_outer_first(file, block, name);
      if (!first || file->outer.at[first - 1].stmt->kind == RLX_STMT_DEF) continue;
    }
    if (lookup_in(file, block, position, name, out)) return true;
  }
  return false;
}

const RlxStmt *rlx_outer_def(const RlxFile *file, const RlxStmt *from, RlxName name) {
  for (const RlxBlock *block = from->block; block;
       block = block->parent ? block->parent->block : NULL) {
    const bool is_class = block->parent && block->parent->kind == RLX_STMT_CLASS;
    const uint32_t first = rlx_outer_first(file, block, name);
    const RlxOuterBinding *binding = first ? &file->outer.at[first - 1] : NULL;
    if (is_class && block->parent->name == name) return NULL; // the module
    if (!binding || (is_class && binding->stmt->kind == RLX_STMT_DEF)) continue;
    const bool is_sure = binding->stmt->kind == RLX_STMT_DEF && !binding->next &&
                         !binding->is_conditional && binding->stmt->start < from->start;
    return is_sure ? binding->stmt : NULL;
  }
  return NULL;
}
