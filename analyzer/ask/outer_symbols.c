/// Names that the analysis of functions does not resolve: those of Python around islands (imports,
/// modules, constants), and names that are strings (blocks).
#include <string.h>

#include "analyzer/ask/symbols.h"
#include "analyzer/eval/outer.h"

const RlxBlock *rlx_symbol_scope(const RlxBlock *block) {
  while (block->parent && block->parent->kind != RLX_STMT_DEF &&
         block->parent->kind != RLX_STMT_CLASS)
    block = block->parent->block;
  return block;
}

static bool target_span(const RlxAst *target, RlxName name, RlxSpan *out) {
  if (!target) return false;
  if (target->kind == RLX_AST_NAME && target->name == name) {
    *out = target->span;
    return true;
  }
  if (target->kind != RLX_AST_TUPLE && target->kind != RLX_AST_LIST &&
      target->kind != RLX_AST_STARRED)
    return false;
  for (uint32_t i = 0; i < target->child_count; i++)
    if (target_span(target->children[i], name, out)) return true;
  return false;
}

RlxSpan rlx_import_name_span(RlxFile *file, const RlxStmt *stmt, const RlxImport *import) {
  uint32_t size;
  const char *text = rlx_document_text(file->document, &size);
  uint32_t end = stmt->start + import->span.end, start = end,
           floor = stmt->start + import->span.start;
  while (start > floor && rlx_symbol_is_word(text[start - 1])) start--;
  return rlx_span(start - stmt->start, end - stmt->start);
}

bool rlx_import_has_alias(RlxFile *file, const RlxStmt *stmt, const RlxImport *import) {
  uint32_t size;
  const char *text = rlx_document_text(file->document, &size);
  RlxSpan name = rlx_stmt_absolute(stmt, rlx_import_name_span(file, stmt, import));
  uint32_t at = name.start, floor = stmt->start + import->span.start;
  while (at > floor && strchr(" \t\\\r\n", text[at - 1])) at--;
  return at >= floor + 2 && text[at - 1] == 's' && text[at - 2] == 'a' && at < name.start;
}

/// Where the binding names what it binds, relative to its statement.
static RlxSpan binding_span(RlxFile *file, const RlxOuterBinding *b) {
  const RlxStmt *stmt = b->stmt;
  RlxSpan span = stmt->name_span;
  for (uint32_t i = 0; i < stmt->import_count; i++)
    if (stmt->imports[i].name == b->name)
      return rlx_import_name_span(file, stmt, &stmt->imports[i]);
  for (uint32_t i = 0; stmt->kind != RLX_STMT_CLASS && i < stmt->target_count; i++)
    if (target_span(stmt->targets[i], b->name, &span)) return span;
  for (uint32_t i = 0; i < stmt->item_count; i++)
    if (target_span(stmt->items[i].target, b->name, &span)) return span;
  for (uint32_t i = 0; stmt->name != b->name && i < stmt->param_count; i++)
    if (stmt->params[i].name == b->name) return stmt->params[i].name_span;
  return span;
}

/// The bindings of `name` in `scope`: the first one in the text; 0: none, or it is another scope's
/// (`global`).
static uint32_t first_binding(const RlxFile *file, const RlxBlock *scope, RlxName name) {
  const uint32_t last = rlx_outer_first(file, scope, name);
  return last && !file->outer.at[last - 1].is_global ? file->outer.at[last - 1].first : 0;
}

static void fill(RlxFile *file, const RlxOuterBinding *b, RlxSymbol *out) {
  const RlxAnalysis *unit = b->stmt->analysis;
  bool is_named = b->stmt->name == b->name && b->block == rlx_symbol_scope(b->stmt->block);
  out->kind = RLX_SYMBOL_OUTER;
  out->name = b->name;
  out->scope = b->block;
  out->def_stmt = b->stmt;
  out->def_span = rlx_stmt_absolute(b->stmt, binding_span(file, b));
  if (is_named && unit && unit->module) out->kind = RLX_SYMBOL_MODULE;
  if (!is_named || !unit || !unit->fn) return;
  out->kind = RLX_SYMBOL_FUNCTION;
  out->sinfo = unit->fn->function.sinfo;
}

bool rlx_symbol_outer(RlxFile *file, const RlxStmt *from, RlxName name, bool is_param,
                      RlxSymbol *out) {
  bool in_function = false;
  const RlxBlock *block = is_param ? from->body : from->block;
  for (; block; block = block->parent ? block->parent->block : NULL) {
    const RlxStmt *owner = block->parent;
    bool is_hidden = in_function && owner && owner->kind == RLX_STMT_CLASS;
    uint32_t at = is_hidden ? 0 : first_binding(file, block, name);
    if (at) {
      fill(file, &file->outer.at[at - 1], out);
      return true;
    }
    in_function |= owner && owner->kind == RLX_STMT_DEF;
  }
  return false;
}

bool rlx_symbol_string_inside(RlxFile *file, const RlxStmt *stmt, const RlxAst *ast, RlxSpan *out) {
  uint32_t size;
  const char *text = rlx_document_text(file->document, &size);
  RlxSpan span = rlx_stmt_absolute(stmt, ast->span);
  bool is_plain = span.end >= span.start + 2 && span.end - span.start == ast->text_size + 2 &&
                  (text[span.start] == '"' || text[span.start] == '\'') &&
                  !memcmp(text + span.start + 1, ast->text, ast->text_size);
  *out = rlx_span(span.start + 1, span.end - 1);
  return is_plain;
}

bool rlx_symbol_of_block(RlxFile *file, const RlxStmt *stmt, const RlxAst *ast, RlxSymbol *out) {
  const RlxFn *fn = rlx_fn_around(stmt);
  if (!fn || fn->kind == RLX_ISLAND_RELAX || stmt->kind != RLX_STMT_WITH) return false;
  for (uint32_t i = 0; i < stmt->item_count; i++) {
    const RlxAst *call = stmt->items[i].value;
    if (!call || call->kind != RLX_AST_CALL || call->child_count < 2) continue;
    const RlxAst *callee = call->children[0], *given = call->children[1];
    if (callee->kind != RLX_AST_ATTRIBUTE && callee->kind != RLX_AST_NAME) continue;
    const char *word = rlx_store_text(file->store, callee->name);
    if (strcmp(word, "block") != 0 && strcmp(word, "sblock") != 0) continue;
    if (given->kind == RLX_AST_KEYWORD) given = given->children[0];
    if (given->kind != RLX_AST_STRING || (ast && given != ast)) continue;
    if (!given->text_size || !rlx_symbol_string_inside(file, stmt, given, &out->span)) continue;
    out->kind = RLX_SYMBOL_BLOCK;
    out->name = rlx_store_intern(file->store, given->text, given->text_size);
    out->stmt = out->def_stmt = stmt;
    out->def_span = out->span;
    return true;
  }
  return false;
}
