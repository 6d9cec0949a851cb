/// What a change of dialect means for a function as a whole: dimensions of its signature,
/// declarations of symbolic variables, purity, siblings, blocks of a PrimFunc. Always true: what
/// the function already has in the wanted way is not added again.
#include <string.h>

#include "analyzer/eval/outer.h"
#include "analyzer/function/files.h"
#include "analyzer/rewrite/convert.h"
#include "analyzer/state/state.h"

typedef struct Names {
  RlxName at[64];
  uint32_t count;
} Names;

static bool has(const Names *names, RlxName name) {
  for (uint32_t i = 0; i < names->count; i++)
    if (names->at[i] == name) return true;
  return false;
}

static void add(Names *names, RlxName name) {
  if (names->count < 64 && !has(names, name)) names->at[names->count++] = name;
}

/// Symbolic variables that the signature of `fn` binds.
static void own_symbols(const RlxFn *fn, Names *out) {
  for (uint32_t i = 0; i < fn->params.count; i++)
    if (fn->params.at[i].value.kind == RLX_VALUE_PRIM &&
        rlx_prim_as_var(fn->params.at[i].value.prim))
      add(out, fn->params.at[i].name);
}

static bool mentions(const RlxAst *ast, const Names *names) {
  if (ast->kind == RLX_AST_NAME) return has(names, ast->name);
  if (ast->kind == RLX_AST_STRING) return false;
  for (uint32_t i = ast->kind == RLX_AST_ATTRIBUTE ? ast->child_count : 0; i < ast->child_count;
       i++)
    if (mentions(ast->children[i], names)) return true;
  return false;
}

/// Is `ast` a dimension (not a container of them)?
static bool is_scalar(const RlxConvert *c, const RlxAst *ast) {
  if (ast->kind == RLX_AST_NAME || ast->kind == RLX_AST_BINARY || ast->kind == RLX_AST_UNARY)
    return true;
  if (ast->kind != RLX_AST_CALL) return false;
  const RlxAst *head = ast->children[0];
  while (head->kind == RLX_AST_ATTRIBUTE) head = head->children[0];
  const char *root =
      head->kind == RLX_AST_NAME ? rlx_spelling_root(rlx_store_text(c->store, head->name)) : NULL;
  return root && *root == 'T';
}

/// Dimensions over the function's own variables become strings.
static void quote(RlxConvert *c, const RlxAst *ast, const Names *own) {
  if (!ast || !mentions(ast, own)) return;
  if (is_scalar(c, ast)) {
    rlx_change_begin(c, RLX_SPELLING_DIMENSION, ast->span, rlx_convert_text(c, ast->span),
                     rlx_arena_printf(c->arena, "\"%s\"", rlx_convert_text(c, ast->span)));
    rlx_change_edit(c, ast->span.start, ast->span.start, "\"");
    rlx_change_edit(c, ast->span.end, ast->span.end, "\"");
    return;
  }
  for (uint32_t i = ast->kind == RLX_AST_CALL ? 1 : 0; i < ast->child_count; i++)
    quote(c, ast->children[i], own);
}

// ---- declarations

static void collect(const RlxConvert *c, const RlxAst *ast, const Names *own, Names *used) {
  if (!ast) return;
  if (ast->kind == RLX_AST_NAME) {
    if (has(own, ast->name)) add(used, ast->name);
    return;
  }
  for (uint32_t i = 0; i < ast->child_count; i++) collect(c, ast->children[i], own, used);
}

static bool is_declaration(const RlxConvert *c, const RlxStmt *stmt) {
  const RlxAst *call = stmt->kind == RLX_STMT_ASSIGN ? stmt->value : NULL;
  if (call && call->kind == RLX_AST_TUPLE && call->child_count) call = call->children[0];
  if (!call || call->kind != RLX_AST_CALL || call->children[0]->kind != RLX_AST_ATTRIBUTE ||
      call->children[0]->children[0]->kind != RLX_AST_NAME)
    return false;
  const char *root =
      rlx_spelling_root(rlx_store_text(c->store, call->children[0]->children[0]->name));
  return root && *root == 'T';
}

/// Symbolic variables that a body uses, or binds by R.match_shape, and those it declares itself.
static void survey(const RlxConvert *c, const RlxBlock *block, const Names *own, Names *used,
                   Names *declared) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    if (is_declaration(c, stmt)) {
      const RlxAst *target = stmt->targets[0];
      if (target->kind == RLX_AST_NAME) add(declared, target->name);
      for (uint32_t k = 0; target->kind == RLX_AST_TUPLE && k < target->child_count; k++)
        if (target->children[k]->kind == RLX_AST_NAME) add(declared, target->children[k]->name);
      continue;
    }
    collect(c, stmt->annotation, own, used);
    collect(c, stmt->value, own, used);
    for (uint32_t k = 0; k < stmt->param_count; k++)
      collect(c, stmt->params[k].annotation, own, used);
    const RlxAnalysis *unit = stmt->analysis;
    for (uint32_t k = 0; unit && stmt->value && k < unit->def_count; k++)
      if (unit->defs[k].value.kind == RLX_VALUE_PRIM &&
          rlx_stmt_matches_symbol(c->store, stmt, unit->defs[k].name, true))
        add(used, unit->defs[k].name);
    survey(c, stmt->body, own, used, declared);
    survey(c, stmt->orelse, own, used, declared);
  }
}

static void declare(RlxConvert *c, const RlxFn *fn, const Names *own) {
  Names used = {.count = 0}, declared = {.count = 0};
  const RlxBlock *body = fn->stmt->body;
  survey(c, body, own, &used, &declared);
  if (!body || !body->count) return;
  const RlxStmt *first = body->stmts[0], *def = c->stmt;
  const char *indent = rlx_convert_indent(c, first);
  if (!indent) return;
  c->stmt = first;
  for (uint32_t i = 0; i < used.count; i++) {
    RlxValue v;
    if (has(&declared, used.at[i]) || (c->to != c->from && c->from == RLX_DIALECT_TLC &&
                                       rlx_outer_lookup(c->file, def, used.at[i], &v)))
      continue;
    const char *name = rlx_store_text(c->store, used.at[i]);
    rlx_change_begin(c, RLX_SPELLING_DIMENSION, rlx_span(0, 0), name,
                     rlx_arena_printf(c->arena, "%s = T.int64()", name));
    rlx_change_edit(c, 0, 0, rlx_arena_printf(c->arena, "%s = T.int64()\n%s", name, indent));
  }
  c->stmt = def;
}

// ---- purity, decorators

static const RlxAst *last_part(const RlxAst *decorator) {
  return decorator->kind == RLX_AST_CALL ? decorator->children[0] : decorator;
}

static bool has_keyword(const RlxConvert *c, const RlxAst *call, const char *name) {
  for (uint32_t i = 1; call->kind == RLX_AST_CALL && i < call->child_count; i++)
    if (call->children[i]->kind == RLX_AST_KEYWORD &&
        strcmp(rlx_store_text(c->store, call->children[i]->name), name) == 0)
      return true;
  return false;
}

static void add_keyword(RlxConvert *c, RlxSpellingId id, const RlxAst *decorator,
                        const char *text) {
  rlx_change_begin(c, id, decorator->span, rlx_convert_text(c, decorator->span), text);
  if (decorator->kind != RLX_AST_CALL)
    rlx_change_edit(c, decorator->span.end, decorator->span.end,
                    rlx_arena_printf(c->arena, "(%s)", text));
  else
    rlx_change_edit(
        c, decorator->span.end - 1, decorator->span.end - 1,
        rlx_arena_printf(c->arena, "%s%s", decorator->child_count > 1 ? ", " : "", text));
}

static bool suite_needs_pure_false(const RlxSuite *suite) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (!unit || unit->is_dataflow_block) continue; // calls there become R.call_pure_packed
    if (unit->is_impure || suite_needs_pure_false(unit->body) ||
        suite_needs_pure_false(unit->orelse))
      return true;
  }
  return false;
}

static void convert_decorator(RlxConvert *c, const RlxFn *fn) {
  const RlxStmt *def = c->stmt;
  bool is_impure = c->from == RLX_DIALECT_TLC && suite_needs_pure_false(fn->body);
  if (rlx_def_is_undecorated(c->store, def)) {
    const char *indent = rlx_convert_indent(c, def);
    if (!indent) return;
    const char *decorator = is_impure ? "@R.function(pure=False)" : "@R.function";
    rlx_change_begin(c, RLX_SPELLING_UNDECORATED, def->name_span, "def", decorator);
    rlx_change_edit(c, 0, 0, rlx_arena_printf(c->arena, "%s\n%s", decorator, indent));
    return;
  }
  for (uint32_t i = 0; is_impure && i < def->decorator_count; i++) {
    const char *name = last_part(def->decorators[i])->kind == RLX_AST_ATTRIBUTE
                           ? rlx_store_text(c->store, last_part(def->decorators[i])->name)
                           : "";
    bool is_function =
        strcmp(name, "function") == 0 || strcmp(name, "script") == 0 || strcmp(name, "func") == 0;
    if (is_function && !has_keyword(c, def->decorators[i], "pure"))
      add_keyword(c, RLX_SPELLING_IMPURE, def->decorators[i], "pure=False");
  }
}

// ---- siblings and calls in the body

static void find_siblings(RlxConvert *c, const RlxAst *ast) {
  if (!ast) return;
  if (ast->kind == RLX_AST_NAME) {
    const RlxFn *sibling = rlx_module_fn(c->module, ast->name);
    RlxValue v;
    if (!sibling || rlx_outer_lookup(c->file, c->stmt, ast->name, &v)) return;
    const char *name = rlx_store_text(c->store, ast->name),
               *now = rlx_arena_printf(c->arena, "%s.%s", rlx_store_text(c->store, c->module->name),
                                       name);
    rlx_change_begin(c, RLX_SPELLING_SIBLING, ast->span, name, now);
    rlx_change_edit(c, ast->span.start, ast->span.end, now);
    return;
  }
  for (uint32_t i = 0; i < ast->child_count; i++) find_siblings(c, ast->children[i]);
}

/// `R.call_packed` in a dataflow block, where effects can't be: the pure form, which states its
/// result.
static void purify(RlxConvert *c, const RlxStmt *stmt) {
  const RlxAst *call = stmt->value;
  if (!call || call->kind != RLX_AST_CALL || call->children[0]->kind != RLX_AST_ATTRIBUTE ||
      strcmp(rlx_store_text(c->store, call->children[0]->name), "call_packed") != 0)
    return;
  RlxBinding *const *list = NULL;
  uint32_t count = 0;
  rlx_file_stmt_bindings(c->file, stmt, &list, &count);
  rlx_change_begin(c, RLX_SPELLING_IMPURE, call->children[0]->name_span, "R.call_packed",
                   "R.call_pure_packed");
  rlx_change_edit(c, call->children[0]->name_span.start, call->children[0]->name_span.end,
                  "call_pure_packed");
  if (!count || has_keyword(c, call, "type_args") || has_keyword(c, call, "sinfo_args") ||
      has_keyword(c, call, "ty_args"))
    return;
  RlxBuf text = {0};
  RlxSInfoStyle style = rlx_dialect_sinfo_style(c->to);
  style.is_argument = true;
  rlx_sinfo_print_styled(c->store, list[count - 1]->var->sinfo, &style, &text);
  rlx_change_edit(
      c, call->span.end - 1, call->span.end - 1,
      rlx_arena_printf(c->arena, ", %s=%s", c->to == RLX_DIALECT_027 ? "ty_args" : "sinfo_args",
                       strcmp(rlx_buf_text(&text), "R.Shape(ndim=-1)") == 0 ? "R.Shape"
                                                                            : rlx_buf_text(&text)));
  rlx_buf_free(&text);
}

static void convert_body(RlxConvert *c, const RlxBlock *block, bool in_dataflow) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i], *before = c->stmt;
    const RlxAnalysis *unit = stmt->analysis;
    if (stmt->kind == RLX_STMT_DEF) continue;
    c->stmt = stmt;
    if (c->module) find_siblings(c, stmt->value);
    if (in_dataflow) purify(c, stmt);
    c->stmt = before;
    convert_body(c, stmt->body, in_dataflow || (unit && unit->is_dataflow_block));
    convert_body(c, stmt->orelse, in_dataflow);
  }
}

static bool is_block(const RlxConvert *c, const RlxStmt *stmt) {
  if (stmt->kind != RLX_STMT_WITH || !stmt->item_count ||
      stmt->items[0].value->kind != RLX_AST_CALL)
    return false;
  const RlxAst *callee = stmt->items[0].value->children[0];
  if (callee->kind != RLX_AST_ATTRIBUTE) return false;
  const char *name = rlx_store_text(c->store, callee->name);
  return strcmp(name, "block") == 0 || strcmp(name, "sblock") == 0;
}

static bool has_block(const RlxConvert *c, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++)
    if (is_block(c, block->stmts[i]) || has_block(c, block->stmts[i]->body) ||
        has_block(c, block->stmts[i]->orelse))
      return true;
  return false;
}

static bool uses_alloc_buffer(const RlxConvert *c, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxAst *call = block->stmts[i]->value;
    if (call && call->kind == RLX_AST_CALL && call->children[0]->kind == RLX_AST_ATTRIBUTE &&
        strcmp(rlx_store_text(c->store, call->children[0]->name), "alloc_buffer") == 0)
      return true;
    if (uses_alloc_buffer(c, block->stmts[i]->body) ||
        uses_alloc_buffer(c, block->stmts[i]->orelse))
      return true;
  }
  return false;
}

static void convert_primfunc(RlxConvert *c) {
  const RlxStmt *def = c->stmt;
  bool was_old = c->from == RLX_DIALECT_CLASSIC || c->from == RLX_DIALECT_TLC,
       is_new = c->to == RLX_DIALECT_025 || c->to == RLX_DIALECT_027;
  if (!was_old || !is_new ||
      (!has_block(c, def->body) && (c->is_again || !uses_alloc_buffer(c, def->body))))
    return;
  for (uint32_t i = 0; i < def->decorator_count; i++) {
    const RlxAst *name = last_part(def->decorators[i]);
    if (name->kind == RLX_AST_ATTRIBUTE &&
        strcmp(rlx_store_text(c->store, name->name), "prim_func") == 0 &&
        !has_keyword(c, def->decorators[i], "s_tir"))
      add_keyword(c, RLX_SPELLING_S_TIR, def->decorators[i], "s_tir=True");
  }
}

/// What the first months of classic had otherwise, and is an error since: functions of the module
/// by their bare names, packed functions in R.call_tir, effects in functions that do not say so.
static bool fix_suite(RlxConvert *c, const RlxSuite *suite) {
  bool is_impure = false;
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    const RlxStmt *before = c->stmt;
    if (!unit || !unit->stmt) continue;
    c->stmt = unit->stmt;
    for (uint32_t k = 0; k < unit->diag_count; k++) {
      const RlxDiag *diag = unit->diags[k];
      is_impure |= diag->id == RLX_DIAG_ID(IMPURE_CALL);
      if (diag->id == RLX_DIAG_ID(IMPURE_DATAFLOW)) purify(c, unit->stmt);
      if ((diag->id != RLX_DIAG_ID(SIBLING_BARE) && diag->id != RLX_DIAG_ID(CALL_TIR_CALLEE)) ||
          !diag->fix_count)
        continue;
      rlx_change_begin(c, RLX_SPELLING_SIBLING, diag->span, rlx_convert_text(c, diag->span),
                       diag->fixes[0].title);
      for (uint32_t n = 0; n < diag->fixes[0].edit_count; n++)
        rlx_change_edit(c, diag->fixes[0].edits[n].span.start, diag->fixes[0].edits[n].span.end,
                        diag->fixes[0].edits[n].text);
    }
    c->stmt = before;
    is_impure |= fix_suite(c, unit->body);
    is_impure |= fix_suite(c, unit->orelse);
  }
  return is_impure;
}

static void convert_early(RlxConvert *c, const RlxFn *fn) {
  if (!fix_suite(c, fn->body)) return;
  for (uint32_t i = 0; i < c->stmt->decorator_count; i++) {
    const RlxAst *name = last_part(c->stmt->decorators[i]);
    if (name->kind == RLX_AST_ATTRIBUTE &&
        strcmp(rlx_store_text(c->store, name->name), "function") == 0 &&
        !has_keyword(c, c->stmt->decorators[i], "pure"))
      add_keyword(c, RLX_SPELLING_IMPURE, c->stmt->decorators[i], "pure=False");
  }
}

void rlx_convert_function(RlxConvert *c, const RlxFn *fn) {
  if (c->to == RLX_DIALECT_TLC) return;
  if (c->is_migration && c->from != RLX_DIALECT_TLC && fn->kind == RLX_ISLAND_RELAX && !fn->outer)
    convert_early(c, fn);
  if (fn->kind == RLX_ISLAND_PRIM_FUNC) {
    convert_primfunc(c);
    return;
  }
  bool quotes =
      c->from == RLX_DIALECT_TLC || (c->from == RLX_DIALECT_027 && c->to != RLX_DIALECT_027);
  if (fn->kind != RLX_ISLAND_RELAX || !quotes) return;
  Names own = {.count = 0};
  own_symbols(fn, &own);
  for (uint32_t i = 0; i < c->stmt->param_count; i++) quote(c, c->stmt->params[i].annotation, &own);
  quote(c, c->stmt->annotation, &own);
  declare(c, fn, &own);
  if (c->from != RLX_DIALECT_TLC) return;
  convert_decorator(c, fn);
  if (!fn->outer) convert_body(c, c->stmt->body, false);
}
