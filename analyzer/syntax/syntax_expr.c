/// Expressions: tree-sitter's nodes to RlxAst. Each function stands at a node of the cursor and
/// leaves it there. A child that is missing becomes a HOLE, so no pointer is ever NULL; what nests
/// too deeply becomes one, too.
#include "analyzer/syntax/syntax_impl.h"

#include <string.h>

#include "grammar/check.h"

/// Operators by the token that spells them.
static RlxAstOp op_of(TSSymbol symbol) {
  switch (symbol) {
  case RLX_SYM_ANON_PLUS: return RLX_OP_ADD;
  case RLX_SYM_ANON_DASH: return RLX_OP_SUB;
  case RLX_SYM_ANON_STAR: return RLX_OP_MUL;
  case RLX_SYM_ANON_SLASH: return RLX_OP_DIV;
  case RLX_SYM_ANON_SLASH_SLASH: return RLX_OP_FLOORDIV;
  case RLX_SYM_ANON_PERCENT: return RLX_OP_MOD;
  case RLX_SYM_ANON_STAR_STAR: return RLX_OP_POW;
  case RLX_SYM_ANON_AT: return RLX_OP_MATMUL;
  case RLX_SYM_ANON_LT_LT: return RLX_OP_SHL;
  case RLX_SYM_ANON_GT_GT: return RLX_OP_SHR;
  case RLX_SYM_ANON_AMP: return RLX_OP_BITAND;
  case RLX_SYM_ANON_PIPE: return RLX_OP_BITOR;
  case RLX_SYM_ANON_CARET: return RLX_OP_BITXOR;
  case RLX_SYM_ANON_TILDE: return RLX_OP_INVERT;
  case RLX_SYM_ANON_NOT: return RLX_OP_NOT;
  case RLX_SYM_ANON_AND: return RLX_OP_AND;
  case RLX_SYM_ANON_OR: return RLX_OP_OR;
  case RLX_SYM_ANON_EQ_EQ: return RLX_OP_EQ;
  case RLX_SYM_ANON_BANG_EQ: return RLX_OP_NE;
  case RLX_SYM_ANON_LT: return RLX_OP_LT;
  case RLX_SYM_ANON_LT_EQ: return RLX_OP_LE;
  case RLX_SYM_ANON_GT: return RLX_OP_GT;
  case RLX_SYM_ANON_GT_EQ: return RLX_OP_GE;
  case RLX_SYM_ANON_IN: return RLX_OP_IN;
  case RLX_SYM_ANON_NOT_IN: return RLX_OP_NOT_IN;
  case RLX_SYM_ANON_IS: return RLX_OP_IS;
  case RLX_SYM_ANON_IS_NOT: return RLX_OP_IS_NOT;
  default: return RLX_OP_NONE;
  }
}

bool rlx_symbol_is_expr(TSSymbol symbol) {
  switch (symbol) {
  case RLX_SYM_IDENTIFIER:
  case RLX_SYM_INTEGER:
  case RLX_SYM_FLOAT:
  case RLX_SYM_STRING:
  case RLX_SYM_FORMAT_STRING:
  case RLX_SYM_CONCATENATED_STRING:
  case RLX_SYM_TRUE:
  case RLX_SYM_FALSE:
  case RLX_SYM_NONE:
  case RLX_SYM_ELLIPSIS:
  case RLX_SYM_TUPLE:
  case RLX_SYM_EXPRESSION_LIST:
  case RLX_SYM_PATTERN_LIST:
  case RLX_SYM_LIST:
  case RLX_SYM_SET:
  case RLX_SYM_DICTIONARY:
  case RLX_SYM_CALL:
  case RLX_SYM_KEYWORD_ARGUMENT:
  case RLX_SYM_ATTRIBUTE:
  case RLX_SYM_SUBSCRIPT:
  case RLX_SYM_SLICE:
  case RLX_SYM_NOT_OPERATOR:
  case RLX_SYM_UNARY_OPERATOR:
  case RLX_SYM_BINARY_OPERATOR:
  case RLX_SYM_BOOLEAN_OPERATOR:
  case RLX_SYM_COMPARISON_OPERATOR:
  case RLX_SYM_CONDITIONAL_EXPRESSION:
  case RLX_SYM_LAMBDA:
  case RLX_SYM_LIST_SPLAT:
  case RLX_SYM_DICTIONARY_SPLAT:
  case RLX_SYM_LIST_COMPREHENSION:
  case RLX_SYM_SET_COMPREHENSION:
  case RLX_SYM_DICTIONARY_COMPREHENSION:
  case RLX_SYM_GENERATOR_EXPRESSION:
  case RLX_SYM_NAMED_EXPRESSION:
  case RLX_SYM_PARENTHESIZED_EXPRESSION:
  case RLX_SYM_AWAIT:
  case RLX_SYM_YIELD:
  case RLX_SYM_TYPE: return true;
  default: return false;
  }
}

RlxAst *rlx_ast_make(RlxSyntax *s, RlxAstKind kind, RlxSpan span, uint32_t kids_from) {
  uint32_t count = s->kids.count - kids_from;
  RlxAst *node = rlx_arena_alloc(s->arena, 1, sizeof *node + count * sizeof(RlxAst *));
  node->kind = (uint8_t)kind;
  node->span = span;
  node->child_count = count;
  if (count) {
    memcpy(node->children, s->kids.at + kids_from, count * sizeof(RlxAst *));
    s->kids.count = kids_from;
  }
  for (uint32_t i = 0; i < count; i++)
    if (node->children[i] && node->children[i]->height > node->height)
      node->height = node->children[i]->height;
  node->height++;
  return node;
}

static RlxAst *make_leaf(RlxSyntax *s, RlxAstKind kind, RlxSpan span) {
  return rlx_ast_make(s, kind, span, s->kids.count);
}

static void push(RlxSyntax *s, RlxAst *node) { rlx_vec_push(&s->kids, node); }

/// Pushes HOLEs until `wanted` children are there.
static void fill(RlxSyntax *s, uint32_t kids_from, uint32_t wanted, RlxSpan span) {
  while (s->kids.count - kids_from < wanted)
    push(s, make_leaf(s, RLX_AST_HOLE, rlx_span(span.end, span.end)));
}

static void lower_pair(RlxSyntax *s, TSTreeCursor *cursor);

/// Pushes the expressions among the children, arguments and pairs flattened; operators go to
/// s->ops.
static void lower_children(RlxSyntax *s, TSTreeCursor *cursor) {
  if (!ts_tree_cursor_goto_first_child(cursor)) return;
  do {
    TSNode node = ts_tree_cursor_current_node(cursor);
    TSSymbol symbol = ts_node_symbol(node);
    if (rlx_symbol_is_expr(symbol)) {
      push(s, rlx_lower_expr(s, cursor));
    } else if (symbol == RLX_SYM_ARGUMENT_LIST) {
      lower_children(s, cursor);
    } else if (symbol == RLX_SYM_PAIR) {
      lower_pair(s, cursor);
    } else if (symbol == RLX_SYM_FOR_IN_CLAUSE || symbol == RLX_SYM_IF_CLAUSE) {
      rlx_check_node(s, node);
      RlxSpan span = rlx_syntax_node_span(s, node);
      uint32_t from = s->kids.count;
      lower_children(s, cursor);
      bool is_for = symbol == RLX_SYM_FOR_IN_CLAUSE;
      fill(s, from, is_for ? 2 : 1, span);
      RlxAst *clause = rlx_ast_make(s, is_for ? RLX_AST_COMP_FOR : RLX_AST_COMP_IF, span, from);
      if (is_for) rlx_check_target(s, clause->children[0], "this cannot be assigned to");
      push(s, clause);
    } else if (symbol == RLX_SYM_ANON_ASYNC) {
      s->uses |= RLX_USES_AWAIT;
    } else {
      RlxAstOp op = op_of(symbol);
      if (op != RLX_OP_NONE) rlx_vec_push(&s->ops, (uint8_t)op);
    }
  } while (ts_tree_cursor_goto_next_sibling(cursor));
  ts_tree_cursor_goto_parent(cursor);
}

static void lower_pair(RlxSyntax *s, TSTreeCursor *cursor) {
  uint32_t from = s->kids.count;
  RlxSpan span = rlx_syntax_node_span(s, ts_tree_cursor_current_node(cursor));
  lower_children(s, cursor);
  if (s->kids.count > from + 2) s->kids.count = from + 2;
  fill(s, from, 2, span);
}

/// A node whose children are all its expressions, at least `wanted` of them.
static RlxAst *lower_plain(RlxSyntax *s, TSTreeCursor *cursor, RlxAstKind kind, RlxSpan span,
                           uint32_t wanted) {
  uint32_t from = s->kids.count, ops_from = s->ops.count;
  lower_children(s, cursor);
  fill(s, from, wanted, span);
  RlxAst *node = rlx_ast_make(s, kind, span, from);
  if (s->ops.count > ops_from && kind != RLX_AST_COMPARE) node->op = s->ops.at[ops_from];
  if (kind == RLX_AST_COMPARE) {
    while (s->ops.count - ops_from < node->child_count - 1)
      rlx_vec_push(&s->ops, (uint8_t)RLX_OP_NONE);
    node->ops = rlx_arena_copy(s->arena, s->ops.at + ops_from, node->child_count - 1, 1);
  }
  s->ops.count = ops_from;
  return node;
}

/// CALL, and the check of its arguments.
static RlxAst *lower_call(RlxSyntax *s, TSTreeCursor *cursor, RlxSpan span) {
  RlxAst *call = lower_plain(s, cursor, RLX_AST_CALL, span, 1);
  call->op = RLX_OP_NONE;
  rlx_check_call(s, call);
  return call;
}

/// The last identifier among the children is the name; expressions before it are the children.
static RlxAst *lower_attribute(RlxSyntax *s, TSTreeCursor *cursor, RlxSpan span) {
  uint32_t from = s->kids.count;
  RlxName name = 0;
  RlxSpan name_span = rlx_span(span.end, span.end);
  if (ts_tree_cursor_goto_first_child(cursor)) {
    bool after_dot = false;
    do {
      TSNode node = ts_tree_cursor_current_node(cursor);
      TSSymbol symbol = ts_node_symbol(node);
      if (symbol == RLX_SYM_ANON_DOT) {
        after_dot = true;
      } else if (after_dot && symbol == RLX_SYM_IDENTIFIER) {
        name = rlx_syntax_name(s, node);
        name_span = rlx_syntax_node_span(s, node);
      } else if (!after_dot && rlx_symbol_is_expr(symbol)) {
        push(s, rlx_lower_expr(s, cursor));
      }
    } while (ts_tree_cursor_goto_next_sibling(cursor));
    ts_tree_cursor_goto_parent(cursor);
  }
  fill(s, from, 1, rlx_span(span.start, span.start));
  RlxAst *node = rlx_ast_make(s, RLX_AST_ATTRIBUTE, span, from);
  node->name = name;
  node->name_span = name_span;
  return node;
}

/// `name = value` and `name := value`: the first identifier is the name.
static RlxAst *lower_named(RlxSyntax *s, TSTreeCursor *cursor, RlxAstKind kind, RlxSpan span) {
  uint32_t from = s->kids.count;
  RlxName name = 0;
  RlxSpan name_span = rlx_span(span.start, span.start);
  bool has_name = false;
  if (ts_tree_cursor_goto_first_child(cursor)) {
    do {
      TSNode node = ts_tree_cursor_current_node(cursor);
      TSSymbol symbol = ts_node_symbol(node);
      if (!has_name && symbol == RLX_SYM_IDENTIFIER) {
        has_name = true;
        name = rlx_syntax_name(s, node);
        name_span = rlx_syntax_node_span(s, node);
      } else if (rlx_symbol_is_expr(symbol)) {
        push(s, rlx_lower_expr(s, cursor));
      }
    } while (ts_tree_cursor_goto_next_sibling(cursor));
    ts_tree_cursor_goto_parent(cursor);
  }
  fill(s, from, 1, span);
  RlxAst *node = rlx_ast_make(s, kind, span, from);
  node->name = name;
  node->name_span = name_span;
  return node;
}

/// `start:stop:step`; an absent part is a NONE of no length.
static RlxAst *lower_slice(RlxSyntax *s, TSTreeCursor *cursor, RlxSpan span) {
  RlxAst *parts[3] = {NULL, NULL, NULL};
  uint32_t places[3] = {span.start, span.end, span.end}, part = 0;
  if (ts_tree_cursor_goto_first_child(cursor)) {
    do {
      TSNode node = ts_tree_cursor_current_node(cursor);
      TSSymbol symbol = ts_node_symbol(node);
      if (symbol == RLX_SYM_ANON_COLON && part < 2) {
        part++;
        places[part] = rlx_syntax_node_span(s, node).end;
      } else if (rlx_symbol_is_expr(symbol)) {
        parts[part] = rlx_lower_expr(s, cursor);
      }
    } while (ts_tree_cursor_goto_next_sibling(cursor));
    ts_tree_cursor_goto_parent(cursor);
  }
  uint32_t from = s->kids.count;
  for (int i = 0; i < 3; i++)
    push(s, parts[i] ? parts[i] : make_leaf(s, RLX_AST_NONE, rlx_span(places[i], places[i])));
  return rlx_ast_make(s, RLX_AST_SLICE, span, from);
}

/// A dictionary; `**x` is a HOLE key of no length and a DOUBLE_STARRED value.
static RlxAst *lower_dict(RlxSyntax *s, TSTreeCursor *cursor, RlxSpan span) {
  uint32_t from = s->kids.count;
  if (ts_tree_cursor_goto_first_child(cursor)) {
    do {
      TSNode node = ts_tree_cursor_current_node(cursor);
      TSSymbol symbol = ts_node_symbol(node);
      if (symbol == RLX_SYM_PAIR) {
        lower_pair(s, cursor);
      } else if (symbol == RLX_SYM_DICTIONARY_SPLAT) {
        uint32_t at = rlx_syntax_node_span(s, node).start;
        push(s, make_leaf(s, RLX_AST_HOLE, rlx_span(at, at)));
        push(s, rlx_lower_expr(s, cursor));
      }
    } while (ts_tree_cursor_goto_next_sibling(cursor));
    ts_tree_cursor_goto_parent(cursor);
  }
  return rlx_ast_make(s, RLX_AST_DICT, span, from);
}

static RlxAst *lower_lambda(RlxSyntax *s, TSTreeCursor *cursor, RlxSpan span) {
  uint32_t from = s->kids.count, count = 0;
  RlxParam *params = NULL;
  uint8_t uses = s->uses;
  if (ts_tree_cursor_goto_first_child(cursor)) {
    do {
      TSSymbol symbol = ts_node_symbol(ts_tree_cursor_current_node(cursor));
      if (symbol == RLX_SYM_LAMBDA_PARAMETERS) {
        params = rlx_lower_params(s, cursor, &count);
      } else if (rlx_symbol_is_expr(symbol)) {
        push(s, rlx_lower_expr(s, cursor));
      }
    } while (ts_tree_cursor_goto_next_sibling(cursor));
    ts_tree_cursor_goto_parent(cursor);
  }
  s->uses = (uint8_t)(uses | (s->uses & ~RLX_USES_YIELD)); // a lambda is a function of its own
  fill(s, from, 1, span);
  RlxAst *node = rlx_ast_make(s, RLX_AST_LAMBDA, span, from);
  node->params = params;
  node->param_count = count;
  return node;
}

static RlxAst *lower_comprehension(RlxSyntax *s, TSTreeCursor *cursor, RlxCompKind comp,
                                   RlxSpan span) {
  uint32_t from = s->kids.count, ops_from = s->ops.count;
  lower_children(s, cursor);
  s->ops.count = ops_from;
  fill(s, from, comp == RLX_COMP_DICT ? 2 : 1, span);
  RlxAst *node = rlx_ast_make(s, RLX_AST_COMPREHENSION, span, from);
  node->op = (uint8_t)comp;
  return node;
}

/// The one inner node.
static RlxAst *lower_type(RlxSyntax *s, TSTreeCursor *cursor, RlxSpan span) {
  uint32_t from = s->kids.count;
  lower_children(s, cursor);
  fill(s, from, 1, span);
  RlxAst *inner = s->kids.at[from];
  s->kids.count = from;
  return inner;
}

/// The inner node, marked.
static RlxAst *lower_parenthesized(RlxSyntax *s, TSTreeCursor *cursor, RlxSpan span) {
  RlxAst *inner = lower_type(s, cursor, span);
  inner->is_parenthesized = true;
  return inner;
}

static RlxAst *lower_node(RlxSyntax *s, TSTreeCursor *cursor, TSNode node, TSSymbol symbol) {
  RlxSpan span = rlx_syntax_node_span(s, node);
  switch (symbol) {
  case RLX_SYM_IDENTIFIER: {
    RlxAst *name = make_leaf(s, RLX_AST_NAME, span);
    name->name = rlx_syntax_name(s, node);
    name->name_span = span;
    return name;
  }
  case RLX_SYM_INTEGER:
  case RLX_SYM_FLOAT: return rlx_lower_number(s, node);
  case RLX_SYM_STRING:
  case RLX_SYM_FORMAT_STRING:
  case RLX_SYM_CONCATENATED_STRING: return rlx_lower_string(s, cursor);
  case RLX_SYM_TRUE: return make_leaf(s, RLX_AST_TRUE, span);
  case RLX_SYM_FALSE: return make_leaf(s, RLX_AST_FALSE, span);
  case RLX_SYM_NONE: return make_leaf(s, RLX_AST_NONE, span);
  case RLX_SYM_ELLIPSIS: return make_leaf(s, RLX_AST_ELLIPSIS, span);
  case RLX_SYM_TUPLE: {
    RlxAst *tuple = lower_plain(s, cursor, RLX_AST_TUPLE, span, 0);
    tuple->is_parenthesized = true;
    return tuple;
  }
  case RLX_SYM_EXPRESSION_LIST:
  case RLX_SYM_PATTERN_LIST: return lower_plain(s, cursor, RLX_AST_TUPLE, span, 0);
  case RLX_SYM_LIST: return lower_plain(s, cursor, RLX_AST_LIST, span, 0);
  case RLX_SYM_SET: return lower_plain(s, cursor, RLX_AST_SET, span, 0);
  case RLX_SYM_DICTIONARY: return lower_dict(s, cursor, span);
  case RLX_SYM_CALL: return lower_call(s, cursor, span);
  case RLX_SYM_KEYWORD_ARGUMENT: return lower_named(s, cursor, RLX_AST_KEYWORD, span);
  case RLX_SYM_NAMED_EXPRESSION: return lower_named(s, cursor, RLX_AST_NAMED, span);
  case RLX_SYM_ATTRIBUTE: return lower_attribute(s, cursor, span);
  case RLX_SYM_SUBSCRIPT: return lower_plain(s, cursor, RLX_AST_SUBSCRIPT, span, 2);
  case RLX_SYM_SLICE: return lower_slice(s, cursor, span);
  case RLX_SYM_NOT_OPERATOR:
  case RLX_SYM_UNARY_OPERATOR: {
    RlxAst *unary = lower_plain(s, cursor, RLX_AST_UNARY, span, 1);
    if (unary->op == RLX_OP_SUB) unary->op = RLX_OP_NEG;
    if (unary->op == RLX_OP_ADD) unary->op = RLX_OP_POS;
    return unary;
  }
  case RLX_SYM_BINARY_OPERATOR: return lower_plain(s, cursor, RLX_AST_BINARY, span, 2);
  case RLX_SYM_BOOLEAN_OPERATOR: return lower_plain(s, cursor, RLX_AST_BOOL_OP, span, 2);
  case RLX_SYM_COMPARISON_OPERATOR: return lower_plain(s, cursor, RLX_AST_COMPARE, span, 2);
  case RLX_SYM_CONDITIONAL_EXPRESSION: return lower_plain(s, cursor, RLX_AST_CONDITIONAL, span, 3);
  case RLX_SYM_LAMBDA: return lower_lambda(s, cursor, span);
  case RLX_SYM_LIST_SPLAT: {
    RlxAst *star = lower_plain(s, cursor, RLX_AST_STARRED, span, 1);
    star->op = RLX_OP_NONE;
    return star;
  }
  case RLX_SYM_DICTIONARY_SPLAT: {
    RlxAst *star = lower_plain(s, cursor, RLX_AST_DOUBLE_STARRED, span, 1);
    star->op = RLX_OP_NONE;
    return star;
  }
  case RLX_SYM_LIST_COMPREHENSION: return lower_comprehension(s, cursor, RLX_COMP_LIST, span);
  case RLX_SYM_SET_COMPREHENSION: return lower_comprehension(s, cursor, RLX_COMP_SET, span);
  case RLX_SYM_DICTIONARY_COMPREHENSION: return lower_comprehension(s, cursor, RLX_COMP_DICT, span);
  case RLX_SYM_GENERATOR_EXPRESSION: { // what it awaits is awaited when it is gone through
    const uint8_t awaits = s->uses & RLX_USES_AWAIT;
    RlxAst *generator = lower_comprehension(s, cursor, RLX_COMP_GENERATOR, span);
    s->uses = (uint8_t)((s->uses & ~RLX_USES_AWAIT) | awaits);
    return generator;
  }
  case RLX_SYM_PARENTHESIZED_EXPRESSION: return lower_parenthesized(s, cursor, span);
  case RLX_SYM_AWAIT:
    s->uses |= RLX_USES_AWAIT;
    return lower_plain(s, cursor, RLX_AST_AWAIT, span, 0);
  case RLX_SYM_YIELD:
    s->uses |= RLX_USES_YIELD;
    return lower_plain(s, cursor, RLX_AST_YIELD, span, 0);
  case RLX_SYM_TYPE: return lower_type(s, cursor, span);
  default: return make_leaf(s, RLX_AST_HOLE, span);
  }
}

static void note_fault(void *payload, TSNode node, const char *message) {
  RlxSyntax *s = payload;
  rlx_syntax_problem(s, rlx_syntax_node_span(s, node), message);
}

void rlx_check_patterns(RlxSyntax *s, TSNode clause) {
  TSNode pattern = ts_node_child_by_field_id(clause, RLX_FIELD_PATTERN);
  if (!ts_node_is_null(pattern)) rlx_syntax_check(pattern, s->buffer.at, note_fault, s);
}

RlxAst *rlx_lower_expr(RlxSyntax *s, TSTreeCursor *cursor) {
  TSNode node = ts_tree_cursor_current_node(cursor);
  if (ts_node_is_missing(node)) return make_leaf(s, RLX_AST_HOLE, rlx_syntax_node_span(s, node));
  if (s->depth >= RLX_SYNTAX_MAX_DEPTH) {
    RlxSpan span = rlx_syntax_node_span(s, node);
    rlx_syntax_problem(s, span, "this is nested too deeply: 1000 levels are the most");
    return make_leaf(s, RLX_AST_HOLE, span);
  }
  if (ts_node_symbol(node) != RLX_SYM_IDENTIFIER) rlx_check_node(s, node); // names: rlx_syntax_name
  s->depth++;
  RlxAst *result = lower_node(s, cursor, node, ts_node_symbol(node));
  s->depth--;
  return result;
}

/// One parameter at the cursor. A `*args` inside a typed_parameter comes through the recursion.
static void lower_param(RlxSyntax *s, TSTreeCursor *cursor, TSNode node, TSSymbol symbol,
                        RlxParam *param) {
  if (symbol == RLX_SYM_LIST_SPLAT_PATTERN || symbol == RLX_SYM_KEYWORD_SEPARATOR) param->star = 1;
  if (symbol == RLX_SYM_DICTIONARY_SPLAT_PATTERN) param->star = 2;
  if (symbol == RLX_SYM_POSITIONAL_SEPARATOR) param->is_positional_marker = true;
  if (symbol == RLX_SYM_IDENTIFIER) {
    param->name = rlx_syntax_name(s, node);
    param->name_span = rlx_syntax_node_span(s, node);
    return;
  }
  if (!ts_tree_cursor_goto_first_child(cursor)) return;
  bool has_name = false;
  do {
    TSNode child = ts_tree_cursor_current_node(cursor);
    TSSymbol kind = ts_node_symbol(child);
    if (kind == RLX_SYM_TYPE) {
      param->annotation = rlx_lower_expr(s, cursor);
    } else if (!has_name && (kind == RLX_SYM_IDENTIFIER || kind == RLX_SYM_LIST_SPLAT_PATTERN ||
                             kind == RLX_SYM_DICTIONARY_SPLAT_PATTERN)) {
      lower_param(s, cursor, child, kind, param);
      has_name = true;
    } else if (rlx_symbol_is_expr(kind)) {
      param->default_value = rlx_lower_expr(s, cursor);
    }
  } while (ts_tree_cursor_goto_next_sibling(cursor));
  ts_tree_cursor_goto_parent(cursor);
}

RlxParam *rlx_lower_params(RlxSyntax *s, TSTreeCursor *cursor, uint32_t *out_count) {
  uint32_t from = s->params.count;
  if (ts_tree_cursor_goto_first_child(cursor)) {
    do {
      TSNode node = ts_tree_cursor_current_node(cursor);
      TSSymbol symbol = ts_node_symbol(node);
      if (!ts_node_is_named(node) || symbol == RLX_SYM_COMMENT || symbol == RLX_SYM_ERROR) continue;
      RlxParam param = {.span = rlx_syntax_node_span(s, node)};
      param.name_span = rlx_span(param.span.start, param.span.start);
      lower_param(s, cursor, node, symbol, &param);
      rlx_vec_push(&s->params, param);
    } while (ts_tree_cursor_goto_next_sibling(cursor));
    ts_tree_cursor_goto_parent(cursor);
  }
  *out_count = s->params.count - from;
  RlxParam *params = rlx_arena_copy(s->arena, s->params.at + from, *out_count, sizeof(RlxParam));
  s->params.count = from;
  rlx_check_params(s, params, *out_count);
  return params;
}
