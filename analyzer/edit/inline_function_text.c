/// What a call becomes: declarations of symbolic variables, arguments under names of their own
/// where they need one, the function's statements with other names, the result under the call's
/// name.
/// Always true: a name that is written means in its place what it meant in the function; what would
/// break that is refused.
#include <string.h>

#include "analyzer/ask/assemble.h"
#include "analyzer/edit/inline_function_impl.h"
#include "analyzer/state/state.h"
#include "analyzer/syntax/stmt_text.h"
#include "base/text.h"

enum { NAMES_MOST = 512, SYMBOLS_MOST = 32 };

/// What a name of the function becomes.
typedef struct Renamed {
  RlxName name;
  const char *text;
  bool is_atom; ///< holds together in an expression
  bool is_gone; ///< its declaration is left out: a symbol with a value, another name of the module
} Renamed;

typedef struct Inliner {
  RlxFile *file;
  RlxStore *store;
  RlxArena *arena;
  const char *text;
  uint32_t size;
  const RlxInlineSite *site;
  bool
      in_dataflow; ///< the call stands in a dataflow block, so that the function's own are taken off
  Renamed names[NAMES_MOST];
  uint32_t name_count;
  const char *indent; ///< of the call's lines
  const char *newline;
  Vec(RlxName) symbols; ///< of the caller, that values mention and it has not declared
  RlxBuf out;
  const char *why;
} Inliner;

static bool refuse(Inliner *n, const char *why) {
  if (!n->why) n->why = why;
  return false;
}

// ---- what is refused

bool rlx_inline_is_whole(const RlxInlineSite *site) {
  const RlxStmt *stmt = site->stmt;
  if (site->binding->var->is_temporary && stmt->kind != RLX_STMT_EXPR) return false;
  if (!stmt->value || stmt->value->kind != RLX_AST_CALL ||
      stmt->value->span.start != site->call->span.start ||
      stmt->value->span.end != site->call->span.end)
    return false;
  if (stmt->kind == RLX_STMT_EXPR) return true;
  return (stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED) &&
         stmt->target_count == 1 && stmt->targets[0]->kind == RLX_AST_NAME;
}

static bool calls_itself(RlxFile *file, const RlxStmt *def, const RlxAst *ast) {
  if (!ast) return false;
  if ((ast->kind == RLX_AST_ATTRIBUTE || ast->kind == RLX_AST_NAME) && ast->name == def->name)
    return true;
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (calls_itself(file, def, ast->children[i])) return true;
  return false;
}

static bool is_simple(const RlxAst *ast) {
  if (!ast) return true;
  if (ast->kind == RLX_AST_LAMBDA || ast->kind == RLX_AST_COMPREHENSION ||
      ast->kind == RLX_AST_FSTRING || ast->kind == RLX_AST_NAMED || ast->kind == RLX_AST_HOLE)
    return false;
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (!is_simple(ast->children[i])) return false;
  return true;
}

/// `R.func_attr(…)` and its like.
static bool is_about_function(const RlxFile *file, const RlxStmt *stmt) {
  const RlxAst *call = stmt->kind == RLX_STMT_EXPR ? stmt->value : NULL;
  const RlxAst *head = call && call->kind == RLX_AST_CALL ? call->children[0] : NULL;
  return head && head->kind == RLX_AST_ATTRIBUTE &&
         strncmp(rlx_store_text(file->store, head->name), "func_", 5) == 0;
}

static const char *refused_stmt(RlxFile *file, const RlxStmt *def, const RlxStmt *stmt,
                                bool in_dataflow, bool is_last) {
  uint32_t size;
  const char *text = rlx_document_text(file->document, &size) + stmt->start;
  const RlxAst *const parts[] = {stmt->value, stmt->annotation, stmt->message};
  if (stmt->has_error) return "there is a syntax error in it";
  if (is_about_function(file, stmt)) return "it has attributes, which a call keeps apart";
  for (int i = 0; i < 3; i++) {
    if (calls_itself(file, def, parts[i])) return "it is recursive";
    if (!is_simple(parts[i])) return "it has a lambda, a comprehension or an f-string";
  }
  for (uint32_t i = 0; !stmt->is_docstring && i + 3 <= stmt->head_size; i++)
    if (memcmp(text + i, "\"\"\"", 3) == 0 || memcmp(text + i, "'''", 3) == 0)
      return "it has a string over several lines";
  switch (stmt->kind) {
  case RLX_STMT_EXPR:
  case RLX_STMT_ASSIGN:
  case RLX_STMT_ANNOTATED:
  case RLX_STMT_PASS:
  case RLX_STMT_WITH: break;
  case RLX_STMT_RETURN:
    if (!is_last) return "it has a return before its end";
    break;
  case RLX_STMT_IF:
    if (in_dataflow) return "it branches, and the call stands in a dataflow block";
    break;
  case RLX_STMT_DEF: return "it has a function of its own";
  default: return "it has a statement that Relax does not know";
  }
  for (int half = 0; half < 2; half++) {
    const RlxBlock *suite = half ? stmt->orelse : stmt->body;
    for (uint32_t i = 0; suite && i < suite->count; i++) {
      const char *why = refused_stmt(file, def, suite->stmts[i], in_dataflow, false);
      if (why) return why;
    }
  }
  return NULL;
}

const char *rlx_inline_refused(RlxFile *file, const RlxInlineSite *site) {
  const RlxStmt *def = site->callee;
  const RlxAnalysis *unit = def->analysis, *caller = site->caller->analysis;
  const RlxFn *fn = unit ? unit->fn : NULL;
  if (!fn || fn->kind != RLX_ISLAND_RELAX || !fn->module) return "it is no Relax function";
  if (!caller->fn || caller->fn->module != fn->module) return "it belongs to another module";
  if (site->caller == def) return "it is recursive";
  if (!def->body || !def->body->count ||
      def->body->stmts[def->body->count - 1]->kind != RLX_STMT_RETURN ||
      !def->body->stmts[def->body->count - 1]->value)
    return "it does not end in a return";
  for (uint32_t i = 0; i < def->body->count; i++) {
    const char *why = refused_stmt(file, def, def->body->stmts[i], site->binding->var->in_dataflow,
                                   i + 1 == def->body->count);
    if (why) return why;
  }
  for (uint32_t i = 0; i < def->param_count; i++)
    if (def->params[i].star || def->params[i].default_value)
      return "it has parameters with defaults";
  return NULL;
}

// ---- names

static Renamed *renamed(Inliner *n, RlxName name) {
  for (uint32_t i = 0; i < n->name_count; i++)
    if (n->names[i].name == name) return &n->names[i];
  return NULL;
}

static bool occurs(const char *text, uint32_t size, const char *name) {
  size_t length = strlen(name);
  for (uint32_t i = 0; i + length <= size; i++)
    if (memcmp(text + i, name, length) == 0 && (!i || !rlx_text_in_name(text[i - 1])) &&
        (i + length == size || !rlx_text_in_name(text[i + length])))
      return true;
  return false;
}

/// A name that neither the caller nor what was given out before mentions: `name`, or with a number.
static const char *fresh(Inliner *n, const char *name) {
  const RlxStmt *caller = n->site->caller;
  for (int number = 0; number < 10000; number++) {
    const char *text = number ? rlx_arena_printf(n->arena, "%s_%d", name, number) : name;
    bool taken = occurs(n->text + caller->start, caller->size, text);
    if (number) // `name` itself is one of the function's own
      taken |= occurs(n->text + n->site->callee->start, n->site->callee->size, text);
    for (uint32_t i = 0; i < n->name_count && !taken; i++)
      taken =
          n->names[i].text && occurs(n->names[i].text, (uint32_t)strlen(n->names[i].text), text);
    if (!taken) return text;
  }
  return name;
}

static bool add_name(Inliner *n, RlxName name, const char *text, bool is_atom, bool is_gone) {
  if (n->name_count == NAMES_MOST) return refuse(n, "it has too many names");
  n->names[n->name_count++] = (Renamed){name, text, is_atom, is_gone};
  return true;
}

static bool add_target(Inliner *n, const RlxAst *target) {
  if (target->kind == RLX_AST_NAME) {
    const char *name = rlx_store_text(n->store, target->name);
    if (strcmp(name, "_") == 0 || renamed(n, target->name)) return true;
    return add_name(n, target->name, fresh(n, name), true, false);
  }
  if (target->kind != RLX_AST_TUPLE && target->kind != RLX_AST_LIST)
    return refuse(n, "it assigns to something that is no name");
  for (uint32_t i = 0; i < target->child_count; i++)
    if (!add_target(n, target->children[i])) return false;
  return true;
}

/// `cls = Module`: another name of the module, which goes.
static bool is_module_alias(const Inliner *n, const RlxStmt *stmt) {
  const RlxAnalysis *unit = n->site->callee->analysis;
  return stmt->kind == RLX_STMT_ASSIGN && stmt->target_count == 1 &&
         stmt->targets[0]->kind == RLX_AST_NAME && stmt->value->kind == RLX_AST_NAME &&
         stmt->value->name == n->site->callee->block->parent->name && unit;
}

static bool add_locals(Inliner *n, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    if (is_module_alias(n, stmt)) {
      if (!add_name(n, stmt->targets[0]->name, rlx_store_text(n->store, stmt->value->name), true,
                    true))
        return false;
      continue;
    }
    for (uint32_t k = 0; k < stmt->target_count; k++)
      if (!add_target(n, stmt->targets[k])) return false;
    for (uint32_t k = 0; k < stmt->item_count; k++)
      if (stmt->items[k].target && !add_target(n, stmt->items[k].target)) return false;
    if (!add_locals(n, stmt->body) || !add_locals(n, stmt->orelse)) return false;
  }
  return true;
}

static bool is_target(const RlxAst *target, RlxName name) {
  if (target->kind == RLX_AST_NAME) return target->name == name;
  for (uint32_t i = 0; i < target->child_count; i++)
    if (is_target(target->children[i], name)) return true;
  return false;
}

/// Whether a statement of the suite binds `name`.
static bool binds(const RlxBlock *block, RlxName name) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    if (stmt->kind == RLX_STMT_DEF && stmt->name == name) return true;
    for (uint32_t k = 0; k < stmt->target_count; k++)
      if (is_target(stmt->targets[k], name)) return true;
    if (binds(stmt->body, name) || binds(stmt->orelse, name)) return true;
  }
  return false;
}

/// Names that the function reads from outside must mean the same in the caller.
static bool check_outer(Inliner *n, const RlxAst *ast) {
  if (!ast) return true;
  if (ast->kind == RLX_AST_NAME && !renamed(n, ast->name)) {
    bool is_own = binds(n->site->caller->body, ast->name);
    for (uint32_t i = 0; i < n->site->caller->param_count; i++)
      is_own |= n->site->caller->params[i].name == ast->name;
    if (is_own && strcmp(rlx_store_text(n->store, ast->name), "_") != 0)
      return refuse(n, rlx_arena_printf(n->arena, "`%s` means something else in the caller",
                                        rlx_store_text(n->store, ast->name)));
  }
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (!check_outer(n, ast->children[i])) return false;
  return true;
}

static bool check_outer_block(Inliner *n, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    if (!check_outer(n, stmt->value) || !check_outer(n, stmt->annotation) ||
        !check_outer_block(n, stmt->body) || !check_outer_block(n, stmt->orelse))
      return false;
  }
  return true;
}

// ---- text with other names

typedef struct Change {
  RlxSpan span;
  const char *text;
} Change;
typedef Vec(Change) Changes;

/// A string that is a dimension, its names replaced, as an expression: quotes may stand in signatures
/// only. NULL: it has none of the names.
static const char *dimension(Inliner *n, const RlxAst *ast) {
  RlxBuf out = {0};
  bool any = false;
  for (uint32_t i = 0; i < ast->text_size;) {
    uint32_t from = i;
    while (i < ast->text_size && rlx_text_in_name(ast->text[i])) i++;
    const Renamed *to = NULL;
    if (i > from && !(ast->text[from] >= '0' && ast->text[from] <= '9'))
      to = renamed(n, rlx_store_intern(n->store, ast->text + from, i - from));
    if (to)
      any = true, rlx_buf_printf(&out, to->is_atom ? "%s" : "(%s)", to->text);
    else
      rlx_buf_putn(&out, ast->text + from, i - from);
    if (i == from) rlx_buf_putc(&out, ast->text[i++]);
  }
  const char *text = any ? rlx_arena_strdup(n->arena, rlx_buf_text(&out)) : NULL;
  rlx_buf_free(&out);
  return text;
}

/// Whether a call's arguments may spell dimensions as strings: R.Tensor(("n", 4)).
static bool takes_dimensions(const Inliner *n, const RlxAst *call) {
  static const char *const names[] = {"Tensor", "Shape", "Prim", "DTensor"};
  const RlxAst *head = call->children[0];
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (head->kind == RLX_AST_ATTRIBUTE &&
        strcmp(rlx_store_text(n->store, head->name), names[i]) == 0)
      return true;
  return false;
}

static void changes_of(Inliner *n, const RlxAst *ast, bool is_dimension, bool is_bare,
                       Changes *out) {
  if (!ast) return;
  if (ast->kind == RLX_AST_NAME) {
    const Renamed *to = renamed(n, ast->name);
    if (to && strcmp(to->text, rlx_store_text(n->store, ast->name)) != 0)
      rlx_vec_push(out, (Change){ast->span, to->is_atom || is_bare
                                                ? to->text
                                                : rlx_arena_printf(n->arena, "(%s)", to->text)});
    return;
  }
  if (ast->kind == RLX_AST_STRING) {
    const char *text = is_dimension ? dimension(n, ast) : NULL;
    if (text) rlx_vec_push(out, (Change){ast->span, text});
    return;
  }
  bool is_call = ast->kind == RLX_AST_CALL, takes = is_call && takes_dimensions(n, ast);
  for (uint32_t i = 0; i < ast->child_count; i++) {
    const RlxAst *child = ast->children[i];
    bool is_first = takes && i == 1 && child->kind != RLX_AST_KEYWORD;
    if (takes && child->kind == RLX_AST_KEYWORD) {
      const char *key = rlx_store_text(n->store, child->name);
      is_first =
          strcmp(key, "shape") == 0 || strcmp(key, "values") == 0 || strcmp(key, "value") == 0;
    }
    changes_of(n, child, is_call ? is_first : is_dimension && ast->kind != RLX_AST_ATTRIBUTE,
               is_call || ast->kind == RLX_AST_TUPLE || ast->kind == RLX_AST_LIST ||
                   ast->kind == RLX_AST_KEYWORD,
               out);
  }
}

/// Appends bytes of `stmt`'s text with the changes; lines behind the first get the call's
/// indentation.
static void put_changed(Inliner *n, const RlxStmt *stmt, RlxSpan span, const Changes *changes,
                        const char *inner, const char *indent, RlxBuf *out) {
  const char *text = n->text + stmt->start;
  size_t inner_size = strlen(inner);
  for (uint32_t i = span.start; i < span.end;) {
    const Change *at = NULL;
    for (uint32_t k = 0; k < changes->count; k++)
      if (changes->at[k].span.start == i) at = &changes->at[k];
    if (at) {
      rlx_buf_puts(out, at->text);
      i = at->span.end > i ? at->span.end : i + 1;
      continue;
    }
    rlx_buf_putc(out, text[i]);
    if (text[i++] != '\n') continue;
    if (i + inner_size <= span.end && memcmp(text + i, inner, inner_size) == 0)
      i += (uint32_t)inner_size;
    rlx_buf_puts(out, indent);
  }
}

static const char *indent_of(Inliner *n, const RlxStmt *stmt) {
  uint32_t line = rlx_line_start(n->text, stmt->start), end = line;
  while (n->text[end] == ' ' || n->text[end] == '\t') end++;
  return rlx_arena_strndup(n->arena, n->text + line, end - line);
}

static const char *changed(Inliner *n, const RlxStmt *stmt, const RlxAst *ast, const char *indent) {
  Changes changes = {0};
  RlxBuf out = {0};
  changes_of(n, ast, false, true, &changes);
  put_changed(n, stmt, ast->span, &changes, indent_of(n, stmt), indent, &out);
  const char *text = rlx_arena_strdup(n->arena, rlx_buf_text(&out));
  rlx_vec_free(&changes);
  rlx_buf_free(&out);
  return text;
}

// ---- statements

static void put_line(Inliner *n, const char *indent, const char *text) {
  rlx_buf_printf(&n->out, "%s%s%s", indent, text, n->newline);
}

/// A declaration that goes: `n = T.int64()` of a symbol that has a value, `cls = Module`.
static bool is_left_out(Inliner *n, const RlxStmt *stmt) {
  if (stmt->is_docstring || stmt->kind == RLX_STMT_PASS) return true;
  const Renamed *to = stmt->kind == RLX_STMT_ASSIGN && stmt->target_count == 1 &&
                              stmt->targets[0]->kind == RLX_AST_NAME
                          ? renamed(n, stmt->targets[0]->name)
                          : NULL;
  return to && to->is_gone;
}

static bool is_dataflow(const Inliner *n, const RlxStmt *stmt) {
  const RlxAst *item =
      stmt->kind == RLX_STMT_WITH && stmt->item_count == 1 ? stmt->items[0].value : NULL;
  const RlxAst *head = item && item->kind == RLX_AST_CALL ? item->children[0] : NULL;
  return head && head->kind == RLX_AST_ATTRIBUTE &&
         strcmp(rlx_store_text(n->store, head->name), "dataflow") == 0;
}

/// The comment behind a statement.
static void put_comment(Inliner *n, const RlxStmt *stmt) {
  uint32_t from = stmt->start + stmt->head_size, at = from;
  while (at < n->size && (n->text[at] == ' ' || n->text[at] == '\t')) at++;
  if (at == n->size || n->text[at] != '#') return;
  while (at < n->size && n->text[at] != '\n' && n->text[at] != '\r') at++;
  rlx_buf_putn(&n->out, n->text + from, at - from);
}

/// The comments that have lines of their own in `lines`, which begins where a line does.
static void put_comments(Inliner *n, RlxSpan lines, const char *indent) {
  for (uint32_t at = lines.start; at < lines.end; at++) {
    while (at < lines.end && (n->text[at] == ' ' || n->text[at] == '\t')) at++;
    uint32_t from = at;
    while (at < lines.end && n->text[at] != '\n') at++;
    uint32_t end = at > from && n->text[at - 1] == '\r' ? at - 1 : at;
    if (end > from && n->text[from] == '#')
      put_line(n, indent, rlx_arena_strndup(n->arena, n->text + from, end - from));
  }
}

/// Whether there is nothing but a comment, or nothing, in the line that begins at `line`.
static bool is_aside(const Inliner *n, uint32_t line) {
  while (line < n->size && strchr(" \t\r", n->text[line])) line++;
  return line == n->size || n->text[line] == '#' || n->text[line] == '\n';
}

/// The lines above the statement up to the code before it.
static void put_comments_above(Inliner *n, const RlxStmt *stmt, const char *indent) {
  const uint32_t end = rlx_line_start(n->text, stmt->start);
  uint32_t line = end;
  while (line) {
    uint32_t above = rlx_line_start(n->text, line - 1);
    if (!is_aside(n, above)) break;
    line = above;
  }
  put_comments(n, rlx_span(line, end), indent);
}

/// The lines behind the last statement of a suite that are indented as it is, or more; up to the next
/// code when `else` follows.
static void put_comments_behind(Inliner *n, const RlxBlock *block, const char *indent,
                                bool has_else) {
  const RlxStmt *last = block->stmts[block->count - 1];
  const size_t depth = has_else ? 0 : strlen(indent_of(n, last));
  uint32_t line = last->start + last->size, end;
  while (line < n->size && n->text[line] != '\n') line++;
  line += line < n->size;
  for (end = line; end < n->size && is_aside(n, end);) {
    uint32_t word = end;
    while (word < n->size && (n->text[word] == ' ' || n->text[word] == '\t')) word++;
    if (word < n->size && n->text[word] == '#' && word - end < depth) break;
    while (end < n->size && n->text[end] != '\n') end++;
    end += end < n->size;
  }
  put_comments(n, rlx_span(line, end), indent);
}

static void put_block(Inliner *n, const RlxBlock *block, const char *indent);

static void put_statement(Inliner *n, const RlxStmt *stmt, const char *indent) {
  if (!stmt->is_elif) put_comments_above(n, stmt, indent);
  if (is_left_out(n, stmt) || stmt->kind == RLX_STMT_RETURN) return;
  if (n->in_dataflow && rlx_is_output(n->store, stmt)) return;
  if (n->in_dataflow && is_dataflow(n, stmt)) {
    put_block(n, stmt->body, indent);
    return;
  }
  Changes changes = {0};
  for (uint32_t i = 0; i < stmt->target_count; i++)
    changes_of(n, stmt->targets[i], false, true, &changes);
  changes_of(n, stmt->value, false, true, &changes);
  changes_of(n, stmt->annotation, false, true, &changes);
  for (uint32_t i = 0; i < stmt->item_count; i++) {
    changes_of(n, stmt->items[i].value, false, true, &changes);
    changes_of(n, stmt->items[i].target, false, true, &changes);
  }
  rlx_buf_puts(&n->out, indent);
  put_changed(n, stmt, rlx_span(0, stmt->head_size), &changes, indent_of(n, stmt), indent, &n->out);
  put_comment(n, stmt);
  rlx_buf_puts(&n->out, n->newline);
  rlx_vec_free(&changes);
  const char *deeper = rlx_arena_printf(n->arena, "%s    ", indent);
  if (stmt->body) put_block(n, stmt->body, deeper);
  if (!stmt->orelse) return;
  put_comments_behind(n, stmt->body, deeper, true);
  bool is_elif = stmt->orelse->count == 1 && stmt->orelse->stmts[0]->is_elif;
  if (is_elif)
    put_statement(n, stmt->orelse->stmts[0], indent);
  else {
    put_line(n, indent, "else:");
    put_block(n, stmt->orelse, deeper);
  }
}

static void put_block(Inliner *n, const RlxBlock *block, const char *indent) {
  for (uint32_t i = 0; i < block->count; i++) put_statement(n, block->stmts[i], indent);
}

// ---- the call

/// Whether a statement of the suite gives the name of a symbolic variable to something else: from
/// 0.26 on `n = T.int64(4)` in a body is a scalar of the body, and the signature's `n` another one.
static bool hides_symbol(const RlxBlock *block, const RlxSymVar *var) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    const RlxAnalysis *unit = stmt->analysis;
    for (uint32_t k = 0; unit && k < unit->def_count; k++) {
      const RlxDef *def = &unit->defs[k];
      const RlxSymVar *own =
          def->value.kind == RLX_VALUE_PRIM ? rlx_prim_as_var(def->value.prim) : NULL;
      if (def->name == var->name && !def->is_value && own != var) return true;
    }
    if (hides_symbol(stmt->body, var) || hides_symbol(stmt->orelse, var)) return true;
  }
  return false;
}

static bool refuse_hidden(Inliner *n, const RlxSymVar *var, const char *where) {
  return refuse(n, rlx_arena_printf(n->arena,
                                    "`%s` is a dimension of a signature and something else in %s",
                                    rlx_store_text(n->store, var->name), where));
}

/// Notes the caller's symbols that values mention, where it has not named them itself. False: the
/// caller's name for one means something else.
static bool note_symbols(Inliner *n, const RlxPrim *value) {
  const RlxSInfo *scalar = rlx_sinfo_prim(n->store, value->dtype, value);
  const RlxSymVar *vars[SYMBOLS_MOST];
  int count = 0;
  rlx_sinfo_vars(scalar, vars, &count, SYMBOLS_MOST);
  for (int i = 0; i < count; i++) {
    bool is_known = binds(n->site->caller->body, vars[i]->name);
    if (hides_symbol(n->site->caller->body, vars[i]))
      return refuse_hidden(n, vars[i], "the caller");
    for (uint32_t k = 0; k < n->symbols.count; k++) is_known |= n->symbols.at[k] == vars[i]->name;
    if (!is_known) rlx_vec_push(&n->symbols, vars[i]->name);
  }
  return true;
}

/// Declares those of them that the new statements read.
static void declare_symbols(Inliner *n) {
  RlxBuf all = {0};
  for (uint32_t i = 0; i < n->symbols.count; i++) {
    const char *name = rlx_store_text(n->store, n->symbols.at[i]);
    if (occurs(rlx_buf_text(&n->out), (uint32_t)n->out.size, name))
      rlx_buf_printf(&all, "%s%s = T.int64()%s", n->indent, name, n->newline);
  }
  rlx_buf_putn(&all, n->out.at, n->out.size);
  rlx_buf_free(&n->out);
  n->out = all;
}

/// Gives each symbolic variable of the signature what it stands for, or a name of its own.
static bool bind_symbols(Inliner *n, const RlxSInfo *func, const RlxSInfo *const *args, int count,
                         const RlxSymVar **vars, const RlxPrim **values, int *found) {
  *found = rlx_sinfo_call_bindings(n->store, func, args, count, vars, values, SYMBOLS_MOST);
  if (*found >= SYMBOLS_MOST) return refuse(n, "its signature has too many symbolic variables");
  for (int i = 0; i < *found; i++) {
    RlxBuf text = {0};
    const char *name = rlx_store_text(n->store, vars[i]->name);
    if (renamed(n, vars[i]->name)) continue;
    if (hides_symbol(n->site->callee->body, vars[i])) return refuse_hidden(n, vars[i], "its body");
    if (values[i]) {
      rlx_prim_print(n->store, values[i], &text);
      bool is_atom = rlx_prim_as_var(values[i]) || values[i]->kind == RLX_PRIM_INT;
      if (!add_name(n, vars[i]->name, rlx_arena_strdup(n->arena, rlx_buf_text(&text)), is_atom,
                    true) ||
          !note_symbols(n, values[i])) {
        rlx_buf_free(&text);
        return false;
      }
    } else {
      const char *own = fresh(n, name);
      if (!add_name(n, vars[i]->name, own, true, true)) return false;
      put_line(n, n->indent, rlx_arena_printf(n->arena, "%s = T.int64()", own));
    }
    rlx_buf_free(&text);
  }
  return true;
}

/// Gives parameter `i` the argument's name, or one of its own where the argument is no name, is
/// bound anew in the function, or must be checked.
static bool bind_param(Inliner *n, uint32_t i, bool is_proved) {
  const RlxStmt *def = n->site->callee;
  const RlxAst *arg = n->site->stmt->value->children[i + 1];
  const char *name = rlx_store_text(n->store, def->params[i].name);
  RlxSpan span = arg->span;
  const char *text = rlx_arena_strndup(n->arena, n->text + n->site->stmt->start + span.start,
                                       span.end - span.start);
  bool is_cast = !is_proved && def->params[i].annotation;
  if (arg->kind == RLX_AST_NAME && !is_cast && !binds(def->body, def->params[i].name))
    return add_name(n, def->params[i].name, text, true, false);
  const char *own = fresh(n, name);
  if (arg->kind == RLX_AST_TUPLE && (!arg->is_parenthesized || is_cast)) {
    const char *fields = arg->is_parenthesized ? text : rlx_arena_printf(n->arena, "(%s)", text);
    if (is_cast) { // R.match_cast takes no tuple of Python
      const char *whole = fresh(n, rlx_arena_printf(n->arena, "%s_given", name));
      put_line(n, n->indent, rlx_arena_printf(n->arena, "%s = %s", whole, fields));
      text = whole;
    } else
      text = fields;
  }
  if (!add_name(n, def->params[i].name, own, true, false)) return false;
  if (is_cast) {
    const RlxAst *pattern = def->params[i].annotation;
    const char *s = changed(n, def, pattern, n->indent);
    bool is_bare = pattern->kind == RLX_AST_ATTRIBUTE;
    text = rlx_arena_printf(n->arena, "R.match_cast(%s, %s%s)", text, s, is_bare ? "()" : "");
  }
  put_line(n, n->indent, rlx_arena_printf(n->arena, "%s = %s", own, text));
  return true;
}

static bool bind_arguments(Inliner *n) {
  enum { PARAMS_MOST = 256 };
  const RlxStmt *def = n->site->callee, *stmt = n->site->stmt;
  const RlxFn *fn = ((const RlxAnalysis *)def->analysis)->fn;
  const RlxCall *call = n->site->call;
  const RlxSInfo *args[PARAMS_MOST];
  const RlxSymVar *vars[SYMBOLS_MOST];
  const RlxPrim *values[SYMBOLS_MOST];
  int found = 0;
  uint32_t count = fn->function.param_count;
  if (call->arg_count != count || count != def->param_count || count > PARAMS_MOST ||
      stmt->value->child_count != count + 1)
    return refuse(n, "its arguments are not those of the signature");
  for (uint32_t i = 0; i < count; i++) {
    const RlxAst *arg = stmt->value->children[i + 1];
    if (arg->kind == RLX_AST_KEYWORD || arg->kind == RLX_AST_STARRED ||
        arg->kind == RLX_AST_DOUBLE_STARRED || call->args[i].kind != RLX_VALUE_EXPR)
      return refuse(n, "its arguments are not written one by one");
    args[i] = call->args[i].expr->sinfo;
  }
  const RlxSInfo *func = fn->function.sinfo;
  if (!func || func->kind != RLX_SINFO_FUNC || !func->params || func->count != (int)count)
    return refuse(n, "its signature is not known");
  if (!bind_symbols(n, func, args, (int)count, vars, values, &found)) return false;
  RlxSubst subst = {.vars = vars, .values = values, .count = found, .is_lengths = true};
  for (uint32_t i = 0; i < count; i++) {
    const RlxSInfo *wanted = func->params[i];
    bool is_proved =
        rlx_sinfo_base_check_bound(n->store, NULL, wanted, args[i], &subst, NULL) == RLX_CHECK_PASS;
    const RlxSymVar *own[SYMBOLS_MOST]; // one without a value may be anything there: it needs one
    int own_count = 0;
    rlx_sinfo_vars(wanted, own, &own_count, SYMBOLS_MOST);
    for (int k = 0; k < own_count; k++)
      for (int v = 0; v < found; v++)
        if (vars[v] == own[k] && !values[v]) is_proved = false;
    if (!bind_param(n, i, is_proved)) return false;
  }
  return true;
}

static uint32_t times_bound(const RlxBlock *block, RlxName name) {
  uint32_t times = 0;
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    for (uint32_t k = 0; k < stmt->target_count; k++) times += is_target(stmt->targets[k], name);
    times += times_bound(stmt->body, name) + times_bound(stmt->orelse, name);
  }
  return times;
}

/// Whether the function's declared result says no more than its body's.
static bool is_result_kept(Inliner *n) {
  const RlxFunction *ir = rlx_file_function_ir(n->file, n->site->callee, n->arena);
  const RlxSInfo *declared = ir ? ir->ret_annotation : NULL;
  return !declared || rlx_sinfo_base_check(n->store, NULL, declared, ir->body.result->sinfo, NULL,
                                           NULL) == RLX_CHECK_PASS;
}

/// `y = f(x)` of a function that ends in `return gv`: `gv` gets the name `y` where it is bound.
static bool takes_name(Inliner *n) {
  const RlxStmt *def = n->site->callee, *stmt = n->site->stmt;
  const RlxAst *value = def->body->stmts[def->body->count - 1]->value;
  if (stmt->kind != RLX_STMT_ASSIGN || value->kind != RLX_AST_NAME || rlx_is_branch_tail(stmt) ||
      times_bound(def->body, value->name) != 1 || !is_result_kept(n))
    return false;
  Renamed *to = renamed(n, value->name);
  const char *name = rlx_store_text(n->store, stmt->targets[0]->name);
  for (uint32_t i = 0; i < def->param_count; i++)
    if (def->params[i].name == value->name) return false;
  if (!to || to->is_gone) return false;
  for (uint32_t i = 0; i < n->name_count; i++)
    if (&n->names[i] != to && occurs(n->names[i].text, (uint32_t)strlen(n->names[i].text), name))
      return false;
  if (occurs(rlx_buf_text(&n->out), (uint32_t)n->out.size, name)) return false; // an argument
  to->text = name;
  return true;
}

/// The line that gives the call's name the function's result.
static bool put_result(Inliner *n) {
  const RlxStmt *def = n->site->callee, *stmt = n->site->stmt;
  const RlxStmt *last = def->body->stmts[def->body->count - 1];
  const char *value = changed(n, last, last->value, n->indent);
  if (last->value->kind == RLX_AST_TUPLE && !last->value->is_parenthesized)
    value = rlx_arena_printf(n->arena, "(%s)", value);
  else if (n->text[last->start + last->value->span.start - 1] == '(' &&
           last->value->is_parenthesized && last->value->kind != RLX_AST_TUPLE &&
           strchr(value, '\n'))
    value = rlx_arena_printf(n->arena, "(%s)", value);
  if (!is_result_kept(n)) { // what the call was known to give, stated
    const char *whole = fresh(n, "result");
    if (!def->annotation) return refuse(n, "its result is not what it declares");
    put_line(n, n->indent, rlx_arena_printf(n->arena, "%s = %s", whole, value));
    bool is_bare = def->annotation->kind == RLX_AST_ATTRIBUTE;
    value = rlx_arena_printf(n->arena, "R.match_cast(%s, %s%s)", whole,
                             changed(n, def, def->annotation, n->indent), is_bare ? "()" : "");
  }
  if (stmt->kind == RLX_STMT_EXPR)
    rlx_buf_printf(&n->out, "%s_ = %s", n->indent, value);
  else {
    rlx_buf_puts(&n->out, n->indent);
    rlx_buf_putn(&n->out, n->text + stmt->start, stmt->value->span.start);
    rlx_buf_puts(&n->out, value);
  }
  return true;
}

static bool write(Inliner *n, RlxEdit *out) {
  const RlxInlineSite *site = n->site;
  const RlxStmt *def = site->callee, *stmt = site->stmt;
  RlxSpan lines;
  n->why = rlx_inline_refused(n->file, site);
  if (n->why) return false;
  if (!rlx_own_lines(n->text, n->size, stmt, &lines))
    return refuse(n, "other statements stand in the call's line");
  n->in_dataflow = site->binding->var->in_dataflow;
  n->indent = indent_of(n, stmt);
  n->newline = rlx_newline_at(n->text, stmt->start);
  if (!bind_arguments(n) || !add_locals(n, def->body) || !check_outer_block(n, def->body))
    return false;
  bool is_named = takes_name(n);
  put_block(n, def->body, n->indent);
  put_comments_behind(n, def->body, n->indent, false);
  if (!is_named && !put_result(n)) return false;
  if (is_named) rlx_buf_truncate(&n->out, n->out.size - strlen(n->newline)); // the call's is there
  declare_symbols(n);
  uint32_t line = rlx_line_start(n->text, stmt->start);
  *out = (RlxEdit){rlx_span(line, stmt->start + stmt->head_size),
                   rlx_arena_strdup(n->arena, rlx_buf_text(&n->out))};
  return true;
}

bool rlx_inline_write(RlxFile *file, const RlxInlineSite *site, RlxArena *arena, RlxEdit *out,
                      RlxBuf *why) {
  Inliner *n = rlx_arena_one(arena, Inliner);
  *n = (Inliner){.file = file, .store = file->store, .arena = arena, .site = site};
  n->text = rlx_document_text(file->document, &n->size);
  bool fine = write(n, out);
  if (!fine) rlx_buf_puts(why, n->why ? n->why : "it can't be");
  rlx_buf_free(&n->out);
  rlx_vec_free(&n->symbols);
  return fine;
}
