/// Statements: tree-sitter's nodes to RlxStmt. A suite on the head's line goes to the unit;
/// indented suites are the document's business.
#include "analyzer/syntax/syntax_impl.h"

#include <string.h>

#include "base/mem.h"

bool rlx_symbol_is_simple(TSSymbol symbol) {
  switch (symbol) {
  case RLX_SYM_EXPRESSION_STATEMENT:
  case RLX_SYM_RETURN_STATEMENT:
  case RLX_SYM_PASS_STATEMENT:
  case RLX_SYM_BREAK_STATEMENT:
  case RLX_SYM_CONTINUE_STATEMENT:
  case RLX_SYM_ASSERT_STATEMENT:
  case RLX_SYM_DELETE_STATEMENT:
  case RLX_SYM_RAISE_STATEMENT:
  case RLX_SYM_GLOBAL_STATEMENT:
  case RLX_SYM_NONLOCAL_STATEMENT:
  case RLX_SYM_IMPORT_STATEMENT:
  case RLX_SYM_IMPORT_FROM_STATEMENT:
  case RLX_SYM_TYPE_ALIAS_STATEMENT: return true;
  default: return false;
  }
}

/// What rlx_stmt_begin changes, to be put back behind a statement inside a statement.
typedef struct Frame {
  RlxArena *arena;
  uint32_t origin, limit, unit_shift, depth;
} Frame;

static Frame frame_save(const RlxSyntax *s) {
  return (Frame){s->arena, s->origin, s->limit, s->unit_shift, s->depth};
}

static void frame_restore(RlxSyntax *s, Frame frame) {
  s->arena = frame.arena;
  s->origin = frame.origin;
  s->limit = frame.limit;
  s->unit_shift = frame.unit_shift;
  s->depth = frame.depth;
}

/// Line ends among `size` bytes.
static uint32_t count_lines(const char *text, uint32_t size) {
  uint32_t lines = 0;
  for (uint32_t i = 0; i < size; i++) {
    if (text[i] == '\n' || (text[i] == '\r' && !(i + 1 < size && text[i + 1] == '\n'))) lines++;
  }
  return lines;
}

/// Line ends of the piece before `start`: counted on from where the last statement was.
static uint32_t lines_before(RlxSyntax *s, const RlxPiece *piece, uint32_t start) {
  if (s->counted_in != piece || start < s->counted_to) {
    s->counted_in = piece;
    s->counted_to = piece->text;
    s->counted_lines = 0;
  }
  s->counted_lines += count_lines(rlx_syntax_at(s, s->counted_to), start - s->counted_to);
  s->counted_to = start;
  return s->counted_lines;
}

/// An arena whose first block holds the nodes of an ordinary statement with this text, and little
/// more: each bracket makes two nodes, any other sign one.
static RlxArena *arena_for(const char *text, uint32_t size) {
  enum { NODE_BYTES = sizeof(RlxAst) + sizeof(RlxAst *), LOOK_MAX = 512, NODES_LEAST = 1 };
  uint32_t nodes = NODES_LEAST;
  for (uint32_t i = 0; i < size && i < LOOK_MAX && text[i]; i++) {
    const char c = text[i];
    nodes += c == '(' || c == '[' || c == '{';
    nodes += c > ' ' && c < 'A' && c != '"' && c != ')' && !(c >= '0' && c <= '9');
  }
  return rlx_arena_new_sized((size_t)nodes * NODE_BYTES);
}

RlxStmt *rlx_stmt_begin_text(RlxSyntax *s, const RlxPiece *piece, RlxStmtKind kind,
                             const char *text, uint32_t start, uint32_t end) {
  RlxStmt *stmt = rlx_stmt_alloc(s);
  const RlxUnit *unit = piece->unit;
  uint32_t unit_origin = piece->text - piece->skipped;
  stmt->kind = (uint8_t)kind;
  stmt->arena = arena_for(text, end - start);
  stmt->size = stmt->head_size = end - start;
  s->arena = stmt->arena;
  s->origin = start;
  s->limit = end - start;
  s->unit_shift = start - unit_origin;
  s->depth = 0;
  stmt->start = unit->start + s->unit_shift;
  stmt->line = unit->line;
  if (s->unit_shift > piece->skipped) stmt->line += lines_before(s, piece, start);
  return stmt;
}

RlxStmt *rlx_stmt_begin(RlxSyntax *s, const RlxPiece *piece, RlxStmtKind kind, uint32_t start,
                        uint32_t end) {
  // What is hopeless is not read whole, and a clause may begin before what is.
  const bool is_there = start <= end && end <= s->buffer.size;
  return rlx_stmt_begin_text(s, piece, kind, is_there ? rlx_syntax_at(s, start) : "", start, end);
}

/// Moves the children above `from` into the statement's arena.
static RlxAst **take_kids(RlxSyntax *s, uint32_t from, uint32_t *out_count) {
  *out_count = s->kids.count - from;
  RlxAst **kids = rlx_arena_copy(s->arena, s->kids.at + from, *out_count, sizeof(RlxAst *));
  s->kids.count = from;
  return kids;
}

static RlxAst *hole(RlxSyntax *s, uint32_t at) {
  return rlx_ast_make(s, RLX_AST_HOLE, rlx_span(at, at), s->kids.count);
}

static void push_kid(RlxSyntax *s, RlxAst *node) { rlx_vec_push(&s->kids, node); }

/// Lowers all expressions among the children of the cursor's node onto s->kids.
static void lower_kids(RlxSyntax *s, TSTreeCursor *cursor) {
  if (!ts_tree_cursor_goto_first_child(cursor)) return;
  do {
    if (rlx_symbol_is_expr(ts_node_symbol(ts_tree_cursor_current_node(cursor))))
      push_kid(s, rlx_lower_expr(s, cursor));
  } while (ts_tree_cursor_goto_next_sibling(cursor));
  ts_tree_cursor_goto_parent(cursor);
}

/// One field of an assignment at the cursor: a target, an annotation, a value, or the assignment
/// that follows `=`. True when the cursor has descended to that.
static bool lower_assignment_part(RlxSyntax *s, TSTreeCursor *cursor, RlxStmt *stmt) {
  TSNode node = ts_tree_cursor_current_node(cursor);
  TSSymbol symbol = ts_node_symbol(node);
  TSFieldId field = ts_tree_cursor_current_field_id(cursor);
  if (symbol == RLX_SYM_ASSIGNMENT) return true;
  if (field == RLX_FIELD_TYPE) {
    stmt->kind = RLX_STMT_ANNOTATED;
    stmt->annotation = rlx_lower_expr(s, cursor);
  } else if (rlx_symbol_is_expr(symbol)) {
    RlxAst *expr = rlx_lower_expr(s, cursor);
    if (field == RLX_FIELD_RIGHT)
      stmt->value = expr;
    else
      push_kid(s, expr);
  }
  return false;
}

/// `a = b = value` or `a: annotation = value`.
static void lower_assignment(RlxSyntax *s, TSTreeCursor *cursor, RlxStmt *stmt) {
  uint32_t from = s->kids.count, descended = 0;
  stmt->kind = RLX_STMT_ASSIGN;
  while (ts_tree_cursor_goto_first_child(cursor)) {
    descended++;
    bool deeper = false;
    do {
      deeper = lower_assignment_part(s, cursor, stmt);
    } while (!deeper && ts_tree_cursor_goto_next_sibling(cursor));
    if (!deeper) break;
  }
  if (descended > 1 && stmt->kind == RLX_STMT_ANNOTATED)
    rlx_syntax_problem(s, rlx_span(0, s->limit), "a chained assignment has no annotation");
  for (; descended > 0; descended--) ts_tree_cursor_goto_parent(cursor);
  if (s->kids.count == from) push_kid(s, hole(s, 0));
  stmt->targets = take_kids(s, from, &stmt->target_count);
  if (!stmt->value && stmt->kind == RLX_STMT_ASSIGN) stmt->value = hole(s, s->limit);
}

static RlxAstOp augmented_op(TSSymbol symbol) {
  switch (symbol) {
  case RLX_SYM_ANON_PLUS_EQ: return RLX_OP_ADD;
  case RLX_SYM_ANON_DASH_EQ: return RLX_OP_SUB;
  case RLX_SYM_ANON_STAR_EQ: return RLX_OP_MUL;
  case RLX_SYM_ANON_SLASH_EQ: return RLX_OP_DIV;
  case RLX_SYM_ANON_SLASH_SLASH_EQ: return RLX_OP_FLOORDIV;
  case RLX_SYM_ANON_PERCENT_EQ: return RLX_OP_MOD;
  case RLX_SYM_ANON_STAR_STAR_EQ: return RLX_OP_POW;
  case RLX_SYM_ANON_AT_EQ: return RLX_OP_MATMUL;
  case RLX_SYM_ANON_LT_LT_EQ: return RLX_OP_SHL;
  case RLX_SYM_ANON_GT_GT_EQ: return RLX_OP_SHR;
  case RLX_SYM_ANON_AMP_EQ: return RLX_OP_BITAND;
  case RLX_SYM_ANON_PIPE_EQ: return RLX_OP_BITOR;
  case RLX_SYM_ANON_CARET_EQ: return RLX_OP_BITXOR;
  default: return RLX_OP_NONE;
  }
}

static void lower_augmented(RlxSyntax *s, TSTreeCursor *cursor, RlxStmt *stmt) {
  uint32_t from = s->kids.count;
  stmt->kind = RLX_STMT_AUGMENTED;
  if (ts_tree_cursor_goto_first_child(cursor)) {
    do {
      TSSymbol symbol = ts_node_symbol(ts_tree_cursor_current_node(cursor));
      if (rlx_symbol_is_expr(symbol))
        push_kid(s, rlx_lower_expr(s, cursor));
      else if (stmt->op == RLX_OP_NONE)
        stmt->op = (uint8_t)augmented_op(symbol);
    } while (ts_tree_cursor_goto_next_sibling(cursor));
    ts_tree_cursor_goto_parent(cursor);
  }
  while (s->kids.count - from < 2) push_kid(s, hole(s, s->limit));
  stmt->value = s->kids.at[from + 1];
  s->kids.count = from + 1;
  stmt->targets = take_kids(s, from, &stmt->target_count);
}

static void lower_expression_statement(RlxSyntax *s, TSTreeCursor *cursor, RlxStmt *stmt) {
  if (!ts_tree_cursor_goto_first_child(cursor)) return;
  do {
    TSSymbol symbol = ts_node_symbol(ts_tree_cursor_current_node(cursor));
    if (symbol == RLX_SYM_ASSIGNMENT)
      lower_assignment(s, cursor, stmt);
    else if (symbol == RLX_SYM_AUGMENTED_ASSIGNMENT)
      lower_augmented(s, cursor, stmt);
    else if (rlx_symbol_is_expr(symbol) && !stmt->value)
      stmt->value = rlx_lower_expr(s, cursor);
  } while (ts_tree_cursor_goto_next_sibling(cursor));
  ts_tree_cursor_goto_parent(cursor);
  if (stmt->kind == RLX_STMT_EXPR && !stmt->value) stmt->value = hole(s, 0);
}

/// A dotted name without the blanks that may stand in it; `*out_first` (may be NULL) is its first
/// part.
static RlxName dotted_name(RlxSyntax *s, TSTreeCursor *cursor, RlxName *out_first) {
  TSNode node = ts_tree_cursor_current_node(cursor);
  uint32_t start = ts_node_start_byte(node), size = ts_node_end_byte(node) - start;
  const char *text = rlx_syntax_at(s, start);
  RlxBuf *out = &s->bytes;
  rlx_buf_clear(out);
  for (uint32_t i = 0; i < size; i++) {
    if (text[i] != ' ' && text[i] != '\t' && text[i] != '\f' && text[i] != '\\' &&
        text[i] != '\n' && text[i] != '\r')
      rlx_buf_putc(out, text[i]);
  }
  const char *joined = rlx_buf_text(out);
  if (out_first) *out_first = rlx_intern(s->names, joined, strcspn(joined, "."));
  return rlx_intern(s->names, joined, out->size);
}

/// `a.b`, `a.b as c` or, with a module, `member [as c]` at the cursor.
static void lower_imported(RlxSyntax *s, TSTreeCursor *cursor, TSSymbol symbol, RlxName module) {
  RlxImport import = {.span = rlx_syntax_node_span(s, ts_tree_cursor_current_node(cursor))};
  RlxName first = 0, whole = 0, alias = 0;
  if (symbol == RLX_SYM_DOTTED_NAME) {
    whole = dotted_name(s, cursor, &first);
  } else if (ts_tree_cursor_goto_first_child(cursor)) {
    do {
      TSNode node = ts_tree_cursor_current_node(cursor);
      TSSymbol kind = ts_node_symbol(node);
      if (kind == RLX_SYM_DOTTED_NAME)
        whole = dotted_name(s, cursor, &first);
      else if (kind == RLX_SYM_IDENTIFIER)
        alias = rlx_syntax_name(s, node);
    } while (ts_tree_cursor_goto_next_sibling(cursor));
    ts_tree_cursor_goto_parent(cursor);
  }
  import.module = module ? module : whole;
  import.member = module ? whole : 0;
  import.name = alias ? alias : module ? whole : first;
  rlx_vec_push(&s->imports, import);
}

/// import, from … import, global, nonlocal.
static void lower_import(RlxSyntax *s, TSTreeCursor *cursor, RlxStmt *stmt) {
  uint32_t from = s->imports.count;
  RlxName module = 0;
  if (ts_tree_cursor_goto_first_child(cursor)) {
    do {
      TSNode node = ts_tree_cursor_current_node(cursor);
      TSSymbol symbol = ts_node_symbol(node);
      if (ts_tree_cursor_current_field_id(cursor) == RLX_FIELD_MODULE_NAME) {
        module = dotted_name(s, cursor, NULL);
        if (module == s->future) s->uses |= RLX_USES_FUTURE;
      } else if (symbol == RLX_SYM_DOTTED_NAME || symbol == RLX_SYM_ALIASED_IMPORT) {
        lower_imported(s, cursor, symbol, module);
      } else if (symbol == RLX_SYM_WILDCARD_IMPORT) {
        rlx_vec_push(&s->imports, (RlxImport){.module = module,
                                              .member = rlx_intern_text(s->names, "*"),
                                              .span = rlx_syntax_node_span(s, node)});
        s->uses |= RLX_USES_STAR;
      } else if (symbol == RLX_SYM_IDENTIFIER) {
        rlx_vec_push(&s->imports, (RlxImport){.name = rlx_syntax_name(s, node),
                                              .span = rlx_syntax_node_span(s, node)});
      }
    } while (ts_tree_cursor_goto_next_sibling(cursor));
    ts_tree_cursor_goto_parent(cursor);
  }
  stmt->import_count = s->imports.count - from;
  stmt->imports =
      rlx_arena_copy(s->arena, s->imports.at + from, stmt->import_count, sizeof(RlxImport));
  s->imports.count = from;
}

static void lower_type_params(RlxSyntax *s, TSTreeCursor *cursor, RlxStmt *stmt) {
  uint32_t from = s->type_params.count;
  if (!ts_tree_cursor_goto_first_child(cursor)) return;
  do {
    TSNode node = ts_tree_cursor_current_node(cursor);
    if (ts_node_symbol(node) != RLX_SYM_TYPE_PARAMETER) continue;
    TSNode name = ts_node_child_by_field_id(node, RLX_FIELD_NAME);
    if (!ts_node_is_null(name)) rlx_vec_push(&s->type_params, rlx_syntax_name(s, name));
  } while (ts_tree_cursor_goto_next_sibling(cursor));
  ts_tree_cursor_goto_parent(cursor);
  stmt->type_param_count = s->type_params.count - from;
  stmt->type_params =
      rlx_arena_copy(s->arena, s->type_params.at + from, stmt->type_param_count, sizeof(RlxName));
  s->type_params.count = from;
}

static void lower_type_alias(RlxSyntax *s, TSTreeCursor *cursor, RlxStmt *stmt) {
  if (!ts_tree_cursor_goto_first_child(cursor)) return;
  do {
    TSNode node = ts_tree_cursor_current_node(cursor);
    TSFieldId field = ts_tree_cursor_current_field_id(cursor);
    if (field == RLX_FIELD_NAME) {
      stmt->name = rlx_syntax_name(s, node);
      stmt->name_span = rlx_syntax_node_span(s, node);
    } else if (field == RLX_FIELD_VALUE) {
      stmt->value = rlx_lower_expr(s, cursor);
    } else if (ts_node_symbol(node) == RLX_SYM_TYPE_PARAMETERS) {
      lower_type_params(s, cursor, stmt);
    }
  } while (ts_tree_cursor_goto_next_sibling(cursor));
  ts_tree_cursor_goto_parent(cursor);
}

/// Up to two expressions: value and message.
static void lower_values(RlxSyntax *s, TSTreeCursor *cursor, RlxStmt *stmt) {
  uint32_t from = s->kids.count;
  lower_kids(s, cursor);
  uint32_t count = s->kids.count - from;
  if (count > 0) stmt->value = s->kids.at[from];
  if (count > 1) stmt->message = s->kids.at[from + 1];
  s->kids.count = from;
}

static void lower_delete(RlxSyntax *s, TSTreeCursor *cursor, RlxStmt *stmt) {
  uint32_t from = s->kids.count;
  lower_kids(s, cursor);
  if (s->kids.count == from + 1 && s->kids.at[from]->kind == RLX_AST_TUPLE &&
      !s->kids.at[from]->is_parenthesized) {
    const RlxAst *list = rlx_vec_pop(&s->kids);
    rlx_vec_push_n(&s->kids, list->children, list->child_count);
  }
  stmt->targets = take_kids(s, from, &stmt->target_count);
}

void rlx_lower_simple(RlxSyntax *s, TSTreeCursor *cursor, const RlxPiece *piece) {
  TSNode node = ts_tree_cursor_current_node(cursor);
  uint32_t start = ts_node_start_byte(node), end = ts_node_end_byte(node);
  RlxStmt *stmt = rlx_stmt_begin(s, piece, RLX_STMT_EXPR, start, end);
  switch (ts_node_symbol(node)) {
  case RLX_SYM_EXPRESSION_STATEMENT: lower_expression_statement(s, cursor, stmt); break;
  case RLX_SYM_RETURN_STATEMENT:
    stmt->kind = RLX_STMT_RETURN;
    s->uses |= RLX_USES_RETURN;
    lower_values(s, cursor, stmt);
    break;
  case RLX_SYM_PASS_STATEMENT: stmt->kind = RLX_STMT_PASS; break;
  case RLX_SYM_BREAK_STATEMENT:
    stmt->kind = RLX_STMT_BREAK;
    s->uses |= RLX_USES_BREAK;
    break;
  case RLX_SYM_CONTINUE_STATEMENT:
    stmt->kind = RLX_STMT_CONTINUE;
    s->uses |= RLX_USES_CONTINUE;
    break;
  case RLX_SYM_ASSERT_STATEMENT:
    stmt->kind = RLX_STMT_ASSERT;
    lower_values(s, cursor, stmt);
    if (!stmt->value) stmt->value = hole(s, s->limit);
    break;
  case RLX_SYM_DELETE_STATEMENT:
    stmt->kind = RLX_STMT_DELETE;
    lower_delete(s, cursor, stmt);
    break;
  case RLX_SYM_RAISE_STATEMENT:
    stmt->kind = RLX_STMT_RAISE;
    lower_values(s, cursor, stmt);
    break;
  case RLX_SYM_NONLOCAL_STATEMENT:
  case RLX_SYM_GLOBAL_STATEMENT:
    stmt->kind = RLX_STMT_GLOBAL;
    stmt->is_nonlocal = ts_node_symbol(node) == RLX_SYM_NONLOCAL_STATEMENT;
    if (stmt->is_nonlocal) s->uses |= RLX_USES_NONLOCAL;
    lower_import(s, cursor, stmt);
    break;
  case RLX_SYM_IMPORT_STATEMENT:
  case RLX_SYM_IMPORT_FROM_STATEMENT:
    stmt->kind = RLX_STMT_IMPORT;
    lower_import(s, cursor, stmt);
    break;
  case RLX_SYM_TYPE_ALIAS_STATEMENT:
    stmt->kind = RLX_STMT_TYPE_ALIAS;
    lower_type_alias(s, cursor, stmt);
    break;
  default: stmt->kind = RLX_STMT_HOLE; break;
  }
  rlx_check_stmt(s, stmt);
  rlx_vec_push(&s->made, stmt);
}

static void lower_with_item(RlxSyntax *s, TSTreeCursor *cursor) {
  RlxWithItem item = {NULL, NULL};
  if (ts_tree_cursor_goto_first_child(cursor)) {
    do {
      if (!rlx_symbol_is_expr(ts_node_symbol(ts_tree_cursor_current_node(cursor)))) continue;
      if (!item.value)
        item.value = rlx_lower_expr(s, cursor);
      else
        item.target = rlx_lower_expr(s, cursor);
    } while (ts_tree_cursor_goto_next_sibling(cursor));
    ts_tree_cursor_goto_parent(cursor);
  }
  if (!item.value) item.value = hole(s, s->limit);
  rlx_vec_push(&s->items, item);
}

static void lower_with_clause(RlxSyntax *s, TSTreeCursor *cursor, RlxStmt *stmt) {
  uint32_t from = s->items.count;
  if (ts_tree_cursor_goto_first_child(cursor)) {
    do {
      if (ts_node_symbol(ts_tree_cursor_current_node(cursor)) == RLX_SYM_WITH_ITEM)
        lower_with_item(s, cursor);
    } while (ts_tree_cursor_goto_next_sibling(cursor));
    ts_tree_cursor_goto_parent(cursor);
  }
  stmt->item_count = s->items.count - from;
  stmt->items = rlx_arena_copy(s->arena, s->items.at + from, stmt->item_count, sizeof(RlxWithItem));
  s->items.count = from;
}

static RlxStmtKind compound_kind(TSSymbol symbol) {
  switch (symbol) {
  case RLX_SYM_FUNCTION_DEFINITION: return RLX_STMT_DEF;
  case RLX_SYM_CLASS_DEFINITION: return RLX_STMT_CLASS;
  case RLX_SYM_IF_STATEMENT: return RLX_STMT_IF;
  case RLX_SYM_WHILE_STATEMENT: return RLX_STMT_WHILE;
  case RLX_SYM_FOR_STATEMENT: return RLX_STMT_FOR;
  case RLX_SYM_WITH_STATEMENT: return RLX_STMT_WITH;
  case RLX_SYM_TRY_STATEMENT: return RLX_STMT_TRY;
  case RLX_SYM_MATCH_STATEMENT: return RLX_STMT_MATCH;
  default: return RLX_STMT_HOLE;
  }
}

bool rlx_symbol_is_compound(TSSymbol symbol) {
  return symbol == RLX_SYM_DECORATED_DEFINITION || compound_kind(symbol) != RLX_STMT_HOLE;
}

void rlx_stmt_complete(RlxSyntax *s, RlxStmt *stmt) {
  s->arena = stmt->arena;
  bool wants_value = false, wants_target = false;
  switch ((RlxStmtKind)stmt->kind) {
  case RLX_STMT_EXPR:
  case RLX_STMT_ASSERT:
  case RLX_STMT_IF:
  case RLX_STMT_WHILE:
  case RLX_STMT_MATCH:
  case RLX_STMT_TYPE_ALIAS: wants_value = true; break;
  case RLX_STMT_ASSIGN:
  case RLX_STMT_AUGMENTED:
  case RLX_STMT_FOR: wants_value = wants_target = true; break;
  case RLX_STMT_ANNOTATED:
    wants_target = true;
    if (!stmt->annotation) stmt->annotation = hole(s, stmt->head_size);
    break;
  case RLX_STMT_HOLE:
  case RLX_STMT_RETURN:
  case RLX_STMT_DELETE:
  case RLX_STMT_RAISE:
  case RLX_STMT_PASS:
  case RLX_STMT_BREAK:
  case RLX_STMT_CONTINUE:
  case RLX_STMT_IMPORT:
  case RLX_STMT_GLOBAL:
  case RLX_STMT_WITH:
  case RLX_STMT_TRY:
  case RLX_STMT_DEF:
  case RLX_STMT_CLASS: break;
  }
  if (wants_value && !stmt->value) stmt->value = hole(s, stmt->head_size);
  if (wants_target && !stmt->target_count) {
    uint32_t from = s->kids.count;
    push_kid(s, hole(s, 0));
    stmt->targets = take_kids(s, from, &stmt->target_count);
  }
}

/// What in a suite on the head's line is settled by the head: the rest is asked of the
/// surroundings.
static uint8_t settle_uses(RlxSyntax *s, const RlxStmt *stmt, uint8_t uses) {
  RlxSpan span = rlx_span(0, stmt->head_size);
  switch (stmt->kind) {
  case RLX_STMT_DEF:
    if (uses & (RLX_USES_BREAK | RLX_USES_CONTINUE))
      rlx_syntax_late_problem(s, span, "`break` and `continue` belong into a loop");
    if ((uses & RLX_USES_AWAIT) && !stmt->is_async)
      rlx_syntax_late_problem(s, span, "`await` belongs into an `async def`");
    return uses & (RLX_USES_STAR | RLX_USES_FUTURE);
  case RLX_STMT_CLASS:
    if (uses & RLX_USES_RETURN)
      rlx_syntax_late_problem(s, span, "`return` belongs into a function");
    return uses & (uint8_t)~RLX_USES_RETURN;
  case RLX_STMT_WHILE:
  case RLX_STMT_FOR: return uses & (uint8_t)~(RLX_USES_BREAK | RLX_USES_CONTINUE);
  default: return uses;
  }
}

void rlx_take_inline(RlxSyntax *s, const RlxPiece *piece, uint32_t from) {
  RlxUnit *unit = piece->unit;
  if (unit->opens_suite) return;
  // Broken text may have given a suite already.
  if (!unit->suite) unit->suite = rlx_mem_zeroed(1, sizeof *unit->suite);
  RlxBlock *block = unit->suite;
  uint32_t count = s->made.count - from;
  block->stmts = rlx_mem_resize(block->stmts, (size_t)block->count + count, sizeof *block->stmts);
  if (count) memcpy(block->stmts + block->count, s->made.at + from, count * sizeof *block->stmts);
  block->count += count;
  block->capacity = block->count;
  s->made.count = from;
}

void rlx_close_inline(RlxSyntax *s, const RlxPiece *piece, const RlxStmt *owner, uint32_t from,
                      uint8_t outer_uses) {
  s->uses = outer_uses | settle_uses(s, owner, s->uses);
  rlx_take_inline(s, piece, from);
}

/// The suite on the head's line: its statements go to a block of the unit's.
void rlx_lower_inline(RlxSyntax *s, TSTreeCursor *cursor, const RlxPiece *piece,
                      const RlxStmt *owner) {
  uint32_t from = s->made.count;
  uint8_t outer_uses = s->uses;
  Frame frame = frame_save(s);
  s->uses = 0;
  if (ts_tree_cursor_goto_first_child(cursor)) {
    do {
      if (rlx_symbol_is_simple(ts_node_symbol(ts_tree_cursor_current_node(cursor))))
        rlx_lower_simple(s, cursor, piece);
    } while (ts_tree_cursor_goto_next_sibling(cursor));
    ts_tree_cursor_goto_parent(cursor);
  }
  frame_restore(s, frame);
  rlx_close_inline(s, piece, owner, from, outer_uses);
}

/// One child of a compound statement's node.
static void lower_head_part(RlxSyntax *s, TSTreeCursor *cursor, const RlxPiece *piece,
                            RlxStmt *stmt) {
  TSNode node = ts_tree_cursor_current_node(cursor);
  TSSymbol symbol = ts_node_symbol(node);
  TSFieldId field = ts_tree_cursor_current_field_id(cursor);
  switch (symbol) {
  case RLX_SYM_ANON_ASYNC:
    stmt->is_async = true;
    if (stmt->kind != RLX_STMT_DEF) s->uses |= RLX_USES_AWAIT;
    return;
  case RLX_SYM_TYPE_PARAMETERS: lower_type_params(s, cursor, stmt); return;
  case RLX_SYM_PARAMETERS: stmt->params = rlx_lower_params(s, cursor, &stmt->param_count); return;
  case RLX_SYM_WITH_CLAUSE: lower_with_clause(s, cursor, stmt); return;
  case RLX_SYM_BLOCK:
    if (!piece->unit->opens_suite && piece->unit->kind != RLX_LINE_DECORATOR)
      rlx_lower_inline(s, cursor, piece, stmt);
    return;
  case RLX_SYM_ARGUMENT_LIST: {
    uint32_t from = s->kids.count;
    lower_kids(s, cursor);
    stmt->targets = take_kids(s, from, &stmt->target_count);
    return;
  }
  default: break;
  }
  if (!rlx_symbol_is_expr(symbol)) return;
  if (field == RLX_FIELD_NAME) {
    stmt->name = rlx_syntax_name(s, node);
    stmt->name_span = rlx_syntax_node_span(s, node);
  } else if (field == RLX_FIELD_RETURN_TYPE) {
    stmt->annotation = rlx_lower_expr(s, cursor);
  } else if (field == RLX_FIELD_LEFT) {
    push_kid(s, rlx_lower_expr(s, cursor));
    stmt->targets = take_kids(s, s->kids.count - 1, &stmt->target_count);
  } else if (field == RLX_FIELD_CONDITION || field == RLX_FIELD_RIGHT ||
             field == RLX_FIELD_SUBJECT) {
    stmt->value = rlx_lower_expr(s, cursor);
  }
}

static void lower_decorators(RlxSyntax *s, TSTreeCursor *cursor, RlxStmt *stmt) {
  uint32_t from = s->kids.count;
  do {
    if (ts_node_symbol(ts_tree_cursor_current_node(cursor)) == RLX_SYM_DECORATOR)
      lower_kids(s, cursor);
  } while (ts_tree_cursor_goto_next_sibling(cursor));
  stmt->decorators = take_kids(s, from, &stmt->decorator_count);
}

RlxStmt *rlx_lower_compound(RlxSyntax *s, TSTreeCursor *cursor, const RlxPiece *piece) {
  const RlxUnit *unit = piece->unit;
  TSSymbol symbol = ts_node_symbol(ts_tree_cursor_current_node(cursor));
  uint32_t origin = piece->text - piece->skipped, size = unit->end - unit->start;
  RlxStmt *stmt = rlx_stmt_begin(s, piece, compound_kind(symbol), origin, origin + size);
  rlx_check_node(s, ts_tree_cursor_current_node(cursor));
  uint32_t up = 0;
  if (symbol == RLX_SYM_DECORATED_DEFINITION && ts_tree_cursor_goto_first_child(cursor)) {
    up = 1;
    lower_decorators(s, cursor, stmt); // ends at the last child, the definition
    stmt->kind = (uint8_t)compound_kind(ts_node_symbol(ts_tree_cursor_current_node(cursor)));
  }
  if (unit->colon) stmt->head_size = unit->colon + 1 - unit->start;
  if (ts_tree_cursor_goto_first_child(cursor)) {
    do {
      lower_head_part(s, cursor, piece, stmt);
    } while (ts_tree_cursor_goto_next_sibling(cursor));
    ts_tree_cursor_goto_parent(cursor);
  }
  if (up) ts_tree_cursor_goto_parent(cursor);
  stmt->is_elif = unit->kind == RLX_LINE_ELIF;
  rlx_check_stmt(s, stmt);
  return stmt;
}

/// A statement made by hand where tree-sitter gives none: for `try`, and for what is broken.
RlxStmt *rlx_stmt_by_hand(RlxSyntax *s, const RlxPiece *piece, RlxStmtKind kind) {
  const RlxUnit *unit = piece->unit;
  uint32_t origin = piece->text - piece->skipped;
  RlxStmt *stmt = rlx_stmt_begin(s, piece, kind, origin, origin + unit->end - unit->start);
  if (unit->colon) stmt->head_size = unit->colon + 1 - unit->start;
  return stmt;
}
