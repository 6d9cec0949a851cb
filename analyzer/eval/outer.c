/// Names that Python binds around islands: imports, module-level constants, enclosing functions'
/// variables. Always true: what Python alone can know is UNKNOWN, never a guess; a value is
/// evaluated once per build of the table.
#include <string.h>

#include "analyzer/eval/eval.h"
#include "analyzer/eval/outer.h"
#include "base/hash.h"

static uint64_t key_of(const RlxBlock *block, RlxName name) {
  uint64_t key = rlx_hash_mix(rlx_hash_ptr(block), name);
  return key ? key : 1;
}

static void add(RlxFile *file, const RlxBlock *scope, RlxName name, RlxStmt *stmt,
                const RlxImport *import, bool conditional, bool opaque) {
  if (!name) return;
  RlxOuterBinding binding = {.name = name,
                             .block = scope,
                             .stmt = stmt,
                             .import = import,
                             .is_conditional = conditional,
                             .is_opaque = opaque};
  uint64_t key = key_of(scope, name), old = 0;
  rlx_map_get(&file->outer_index, key, &old);
  binding.next = (uint32_t)old;
  rlx_vec_push(&file->outer, binding);
  rlx_map_put(&file->outer_index, key, file->outer.count);
  if (stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED)
    rlx_vec_push(&file->outer_assigns, file->outer.count - 1);
}

static void add_target(RlxFile *file, const RlxBlock *scope, RlxStmt *stmt, const RlxAst *target,
                       bool conditional, bool opaque) {
  if (!target) return;
  switch ((RlxAstKind)target->kind) {
  case RLX_AST_NAME: add(file, scope, target->name, stmt, NULL, conditional, opaque); break;
  case RLX_AST_TUPLE:
  case RLX_AST_LIST:
  case RLX_AST_STARRED:
    for (uint32_t i = 0; i < target->child_count; i++)
      add_target(file, scope, stmt, target->children[i], conditional, opaque);
    break;
  case RLX_AST_HOLE:
  case RLX_AST_INT:
  case RLX_AST_FLOAT:
  case RLX_AST_IMAGINARY:
  case RLX_AST_STRING:
  case RLX_AST_BYTES:
  case RLX_AST_FSTRING:
  case RLX_AST_TRUE:
  case RLX_AST_FALSE:
  case RLX_AST_NONE:
  case RLX_AST_ELLIPSIS:
  case RLX_AST_SET:
  case RLX_AST_DICT:
  case RLX_AST_CALL:
  case RLX_AST_KEYWORD:
  case RLX_AST_ATTRIBUTE:
  case RLX_AST_SUBSCRIPT:
  case RLX_AST_SLICE:
  case RLX_AST_UNARY:
  case RLX_AST_BINARY:
  case RLX_AST_BOOL_OP:
  case RLX_AST_COMPARE:
  case RLX_AST_CONDITIONAL:
  case RLX_AST_LAMBDA:
  case RLX_AST_DOUBLE_STARRED:
  case RLX_AST_COMPREHENSION:
  case RLX_AST_COMP_FOR:
  case RLX_AST_COMP_IF:
  case RLX_AST_NAMED:
  case RLX_AST_AWAIT:
  case RLX_AST_YIELD: break;
  }
}

static void scan(RlxFile *file, const RlxBlock *block, const RlxBlock *scope, bool conditional);

static void scan_nested(RlxFile *file, RlxStmt *stmt, const RlxBlock *scope) {
  if (stmt->body) scan(file, stmt->body, scope, true);
  if (stmt->orelse) scan(file, stmt->orelse, scope, true);
  for (uint32_t i = 0; i < stmt->block_count; i++) scan(file, stmt->blocks[i], scope, true);
}

static void scan(RlxFile *file, const RlxBlock *block, const RlxBlock *scope, bool conditional) {
  for (uint32_t i = 0; i < block->count; i++) {
    RlxStmt *stmt = block->stmts[i];
    switch ((RlxStmtKind)stmt->kind) {
    case RLX_STMT_IMPORT:
    case RLX_STMT_GLOBAL:
      for (uint32_t k = 0; k < stmt->import_count; k++) {
        if (!stmt->imports[k].name)
          file->has_star_import |= stmt->kind == RLX_STMT_IMPORT;
        else
          add(file, scope, stmt->imports[k].name, stmt,
              stmt->kind == RLX_STMT_IMPORT ? &stmt->imports[k] : NULL, conditional,
              stmt->kind == RLX_STMT_GLOBAL);
      }
      break;
    case RLX_STMT_ASSIGN:
    case RLX_STMT_ANNOTATED:
      for (uint32_t k = 0; k < stmt->target_count; k++)
        add_target(file, scope, stmt, stmt->targets[k], conditional, stmt->target_count > 1);
      break;
    case RLX_STMT_AUGMENTED:
    case RLX_STMT_DELETE:
      for (uint32_t k = 0; k < stmt->target_count; k++)
        add_target(file, scope, stmt, stmt->targets[k], conditional, true);
      break;
    case RLX_STMT_FOR:
      for (uint32_t k = 0; k < stmt->target_count; k++)
        add_target(file, scope, stmt, stmt->targets[k], true, true);
      scan_nested(file, stmt, scope);
      break;
    case RLX_STMT_WITH:
      for (uint32_t k = 0; k < stmt->item_count; k++)
        add_target(file, scope, stmt, stmt->items[k].target, conditional, true);
      if (stmt->body) scan(file, stmt->body, scope, conditional);
      break;
    case RLX_STMT_IF:
    case RLX_STMT_WHILE:
    case RLX_STMT_TRY:
    case RLX_STMT_MATCH: scan_nested(file, stmt, scope); break;
    case RLX_STMT_DEF: {
      add(file, scope, stmt->name, stmt, NULL, conditional, false);
      RlxIslandKind kind;
      if (!stmt->body || rlx_island_kind(file, stmt, &kind)) break;
      for (uint32_t k = 0; k < stmt->param_count; k++)
        add(file, stmt->body, stmt->params[k].name, stmt, NULL, false, true);
      scan(file, stmt->body, stmt->body, false);
      break;
    }
    case RLX_STMT_CLASS:
      add(file, scope, stmt->name, stmt, NULL, conditional, false);
      for (uint32_t k = 0; k < stmt->type_param_count; k++)
        add(file, stmt->body, stmt->type_params[k], stmt, NULL, false, true);
      if (stmt->body) scan(file, stmt->body, stmt->body, false);
      break;
    case RLX_STMT_TYPE_ALIAS: add(file, scope, stmt->name, stmt, NULL, conditional, true); break;
    case RLX_STMT_HOLE:
    case RLX_STMT_EXPR:
    case RLX_STMT_RETURN:
    case RLX_STMT_ASSERT:
    case RLX_STMT_RAISE:
    case RLX_STMT_PASS:
    case RLX_STMT_BREAK:
    case RLX_STMT_CONTINUE: break;
    }
  }
}

void rlx_outer_clear(RlxFile *file) {
  rlx_vec_clear(&file->outer);
  rlx_vec_clear(&file->outer_assigns);
  rlx_map_clear(&file->outer_index);
  rlx_arena_free(file->outer_arena);
  file->outer_arena = rlx_arena_new();
  file->outer_sink.arena = file->outer_arena;
  rlx_vec_clear(&file->outer_sink.diags);
  file->has_star_import = false;
}

void rlx_outer_build(RlxFile *file) {
  rlx_outer_clear(file);
  const RlxBlock *root = rlx_document_root(file->document);
  scan(file, root, root, false);
}

static RlxValue import_value(RlxFile *file, const RlxImport *import) {
  const char *module = rlx_store_text(file->store, import->module);
  RlxBuf path = {0};
  if (import->member)
    rlx_buf_printf(&path, "%s.%s", module, rlx_store_text(file->store, import->member));
  else if (strncmp(module, rlx_store_text(file->store, import->name),
                   strlen(rlx_store_text(file->store, import->name))) == 0 &&
           module[strlen(rlx_store_text(file->store, import->name))] == '.')
    rlx_buf_puts(&path, rlx_store_text(file->store, import->name)); // `import a.b` binds a
  else
    rlx_buf_puts(&path, module);
  RlxValue v = rlx_names_path(&file->analyzer->words, rlx_buf_text(&path));
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

static RlxValue evaluate(RlxFile *file, RlxOuterBinding *binding) {
  RlxSpan nowhere = {0, 0};
  RlxStmt *stmt = binding->stmt;
  if (binding->import) return import_value(file, binding->import);
  if (binding->is_opaque || binding->is_conditional) return rlx_value_unknown(nowhere);
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
  RlxValue value = rlx_eval(&e, stmt->value), out = rlx_value_unknown(nowhere);
  if (value.kind == RLX_VALUE_SYMDECL && !(value.integer & 0xffffffff))
    value.integer |= (int64_t)binding->name;
  if (!destructure(&e, stmt->targets[0], value, binding->name, &out))
    out = rlx_value_unknown(nowhere);
  if (out.kind == RLX_VALUE_SYMDECL && !(out.integer & 0xffffffff))
    out.integer |= (int64_t)binding->name;
  if (out.kind == RLX_VALUE_EXPR && out.expr->kind != RLX_EXPR_CONSTANT &&
      out.expr->kind != RLX_EXPR_SHAPE && out.expr->kind != RLX_EXPR_PRIM)
    out = rlx_value_unknown(nowhere);
  if (e.tainted && out.kind == RLX_VALUE_OTHER) out = rlx_value_unknown(nowhere);
  rlx_eval_deinit(&e);
  rlx_vec_free(&silent.diags);
  return out;
}

static bool lookup_in(RlxFile *file, const RlxBlock *scope, uint32_t position, RlxName name,
                      RlxValue *out) {
  uint64_t at = 0;
  if (!rlx_map_get(&file->outer_index, key_of(scope, name), &at)) return false;
  uint32_t chosen = 0; // the last one before the use; else the first of all
  for (uint32_t i = (uint32_t)at; i; i = file->outer.at[i - 1].next) {
    chosen = i;
    if (file->outer.at[i - 1].stmt->start < position) break;
  }
  RlxOuterBinding *binding = &file->outer.at[chosen - 1];
  if (binding->state == 1) { // defined through itself
    *out = rlx_value_unknown(rlx_span(0, 0));
    return true;
  }
  if (binding->state == 0) {
    binding->state = 1;
    binding->value = evaluate(file, binding);
    binding->state = 2;
  }
  *out = binding->value;
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
    if (is_class) { // siblings are no names, what else the class binds is
      uint64_t at = 0;
      if (!rlx_map_get(&file->outer_index, key_of(block, name), &at) ||
          file->outer.at[at - 1].stmt->kind == RLX_STMT_DEF)
        continue;
    }
    if (lookup_in(file, block, position, name, out)) return true;
  }
  return false;
}

bool rlx_outer_note_change(RlxFile *file, RlxName name) {
  return name && rlx_map_put(&file->changed_outer, name, 1);
}

static bool mentions_changed(const RlxFile *file, const RlxAst *ast, int depth) {
  if (!ast || depth > 200) return ast != NULL;
  if ((ast->kind == RLX_AST_NAME || ast->kind == RLX_AST_ATTRIBUTE) &&
      rlx_map_get(&file->changed_outer, ast->name, NULL))
    return true;
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (mentions_changed(file, ast->children[i], depth + 1)) return true;
  return false;
}

void rlx_outer_spread_changes(RlxFile *file) {
  bool more = rlx_map_count(&file->changed_outer) > 0;
  while (more) {
    more = false;
    for (uint32_t i = 0; i < file->outer_assigns.count; i++) {
      const RlxOuterBinding *binding = &file->outer.at[file->outer_assigns.at[i]];
      if (rlx_map_get(&file->changed_outer, binding->name, NULL) ||
          !mentions_changed(file, binding->stmt->value, 0))
        continue;
      more |= rlx_outer_note_change(file, binding->name);
    }
  }
}

bool rlx_outer_is_shared(const RlxFile *file, RlxName name, const RlxStmt *stmt) {
  RlxValue v;
  const char *text = rlx_store_text(file->store, name);
  if (rlx_names_predefined(&file->analyzer->words, text, &v) || rlx_names_is_builtin(text))
    return true;
  for (uint32_t i = 0; i < file->outer.count; i++)
    if (file->outer.at[i].name == name && file->outer.at[i].stmt != stmt) return true;
  return false;
}

void rlx_outer_each(RlxFile *file, const RlxStmt *from, void (*each)(const char *name, void *data),
                    void *data) {
  const RlxBlock *block = from ? from->block : rlx_document_root(file->document);
  for (; block; block = block->parent ? block->parent->block : NULL)
    for (uint32_t i = 0; i < file->outer.count; i++)
      if (file->outer.at[i].block == block)
        each(rlx_store_text(file->store, file->outer.at[i].name), data);
}
