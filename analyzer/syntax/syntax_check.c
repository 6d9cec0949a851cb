/// What the grammar cannot say about one statement: targets, arguments, parameters.
/// Source: CPython 3.11, Grammar/python.gram (invalid_* rules), Python/symtable.c,
/// Python/compile.c.
#include "analyzer/syntax/syntax_impl.h"
#include "base/map.h"

void rlx_check_target(RlxSyntax *s, const RlxAst *target, const char *text) {
  switch (target->kind) {
  case RLX_AST_HOLE:
  case RLX_AST_NAME:
  case RLX_AST_ATTRIBUTE:
  case RLX_AST_SUBSCRIPT: return;
  case RLX_AST_TUPLE:
  case RLX_AST_LIST: {
    uint32_t stars = 0;
    for (uint32_t i = 0; i < target->child_count; i++) {
      const RlxAst *child = target->children[i];
      if (child->kind == RLX_AST_STARRED) stars++;
      rlx_check_target(s, child->kind == RLX_AST_STARRED ? child->children[0] : child, text);
    }
    if (stars > 1) rlx_syntax_late_problem(s, target->span, "only one target can have a star");
    return;
  }
  default: rlx_syntax_problem(s, target->span, text); return;
  }
}

void rlx_check_call(RlxSyntax *s, const RlxAst *call) {
  bool after_keyword = false, after_double_star = false;
  Vec(RlxName) names = {0}; // of keyword arguments
  RlxListed given = {0};
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind == RLX_AST_KEYWORD) {
      after_keyword = true;
      if (rlx_listed_has(&given, names.at, names.count, arg->name))
        rlx_syntax_late_problem(s, arg->name_span, "this keyword argument is given twice");
      else
        rlx_vec_push(&names, arg->name);
    } else if (arg->kind == RLX_AST_DOUBLE_STARRED) {
      after_double_star = true;
    } else if (arg->kind != RLX_AST_STARRED) {
      if (after_double_star)
        rlx_syntax_problem(s, arg->span, "a positional argument cannot follow `**`");
      else if (after_keyword)
        rlx_syntax_problem(s, arg->span, "a positional argument cannot follow a keyword argument");
      if (arg->kind == RLX_AST_COMPREHENSION && arg->op == RLX_COMP_GENERATOR &&
          !arg->is_parenthesized && call->child_count > 2 &&
          rlx_syntax_at(s, s->origin + arg->span.start)[0] != '(')
        rlx_syntax_problem(s, arg->span, "a generator among other arguments needs parentheses");
    }
  }
  rlx_vec_free(&names);
  rlx_listed_free(&given);
}

void rlx_check_params(RlxSyntax *s, const RlxParam *params, uint32_t count) {
  bool has_default = false, has_star = false, has_slash = false, ended = false;
  Vec(RlxName) names = {0};
  RlxListed known = {0};
  for (uint32_t i = 0; i < count; i++) {
    const RlxParam *param = &params[i];
    if (ended) rlx_syntax_problem(s, param->span, "nothing can follow the `**` parameter");
    if (param->is_positional_marker) {
      if (has_slash || has_star || i == 0)
        rlx_syntax_problem(s, param->span, "`/` cannot stand here");
      has_slash = true;
      continue;
    }
    if (param->star == 1) {
      if (has_star) rlx_syntax_problem(s, param->span, "a second `*` among the parameters");
      if (!param->name && (i + 1 == count || params[i + 1].star == 2))
        rlx_syntax_problem(s, param->span, "named parameters must follow a bare `*`");
      has_star = true;
    } else if (param->star == 2) {
      ended = true;
    } else if (param->default_value) {
      has_default = true;
    } else if (has_default && !has_star) {
      rlx_syntax_problem(s, param->span, "a parameter without default follows one with");
    }
    if (param->name && rlx_listed_has(&known, names.at, names.count, param->name))
      rlx_syntax_late_problem(s, param->name_span, "two parameters have this name");
    else if (param->name)
      rlx_vec_push(&names, param->name);
  }
  rlx_vec_free(&names);
  rlx_listed_free(&known);
}

static void check_annotated(RlxSyntax *s, const RlxStmt *stmt) {
  const RlxAst *target = stmt->targets[0];
  if (target->kind == RLX_AST_NAME || target->kind == RLX_AST_ATTRIBUTE ||
      target->kind == RLX_AST_SUBSCRIPT || target->kind == RLX_AST_HOLE)
    return;
  rlx_syntax_problem(s, target->span, "only a single target can be annotated");
}

static void check_delete(RlxSyntax *s, const RlxAst *target) {
  switch (target->kind) {
  case RLX_AST_HOLE:
  case RLX_AST_NAME:
  case RLX_AST_ATTRIBUTE:
  case RLX_AST_SUBSCRIPT: return;
  case RLX_AST_TUPLE:
  case RLX_AST_LIST:
    for (uint32_t i = 0; i < target->child_count; i++) check_delete(s, target->children[i]);
    return;
  default: rlx_syntax_problem(s, target->span, "this cannot be deleted"); return;
  }
}

/// Marks the names that an assignment binds.
static void mark_bound(RlxSyntax *s, const RlxAst *target) {
  if (target->kind == RLX_AST_NAME) rlx_name_mark(s->names, target->name);
  if (target->kind != RLX_AST_TUPLE && target->kind != RLX_AST_LIST) return;
  for (uint32_t i = 0; i < target->child_count; i++) mark_bound(s, target->children[i]);
}

void rlx_check_bound(RlxSyntax *s, const RlxStmt *stmt) {
  bool is_assignment = stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED;
  for (uint32_t i = 0; i < stmt->target_count && is_assignment; i++)
    mark_bound(s, stmt->targets[i]);
  if (stmt->kind == RLX_STMT_DEF) rlx_name_mark(s->names, stmt->name);
}

void rlx_check_stmt(RlxSyntax *s, const RlxStmt *stmt) {
  rlx_check_bound(s, stmt);
  if (stmt->value && stmt->value->kind == RLX_AST_STARRED)
    rlx_syntax_late_problem(s, stmt->value->span, "a star stands in a list, a tuple or a call");
  static const char cannot[] = "this cannot be assigned to";
  switch ((RlxStmtKind)stmt->kind) {
  case RLX_STMT_ASSIGN:
    for (uint32_t i = 0; i < stmt->target_count; i++) {
      if (stmt->targets[i]->kind == RLX_AST_STARRED)
        rlx_syntax_late_problem(s, stmt->targets[i]->span,
                                "a target with a star must stand in a list or tuple");
      else
        rlx_check_target(s, stmt->targets[i], cannot);
    }
    break;
  case RLX_STMT_FOR:
    if (!stmt->target_count) break;
    if (stmt->targets[0]->kind == RLX_AST_STARRED)
      rlx_syntax_late_problem(s, stmt->targets[0]->span,
                              "a target with a star must stand in a list or tuple");
    else
      rlx_check_target(s, stmt->targets[0], cannot);
    break;
  case RLX_STMT_ANNOTATED: check_annotated(s, stmt); break;
  case RLX_STMT_AUGMENTED:
    if (stmt->targets[0]->kind == RLX_AST_TUPLE || stmt->targets[0]->kind == RLX_AST_LIST)
      rlx_syntax_problem(s, stmt->targets[0]->span, cannot);
    else
      rlx_check_target(s, stmt->targets[0], cannot);
    break;
  case RLX_STMT_DELETE:
    for (uint32_t i = 0; i < stmt->target_count; i++) check_delete(s, stmt->targets[i]);
    break;
  case RLX_STMT_WITH:
    for (uint32_t i = 0; i < stmt->item_count; i++) {
      if (stmt->items[i].target) rlx_check_target(s, stmt->items[i].target, cannot);
    }
    break;
  case RLX_STMT_HOLE:
  case RLX_STMT_EXPR:
  case RLX_STMT_RETURN:
  case RLX_STMT_ASSERT:
  case RLX_STMT_RAISE:
  case RLX_STMT_PASS:
  case RLX_STMT_BREAK:
  case RLX_STMT_CONTINUE:
  case RLX_STMT_IMPORT:
  case RLX_STMT_GLOBAL:
  case RLX_STMT_TYPE_ALIAS:
  case RLX_STMT_IF:
  case RLX_STMT_WHILE:
  case RLX_STMT_TRY:
  case RLX_STMT_MATCH:
  case RLX_STMT_DEF:
  case RLX_STMT_CLASS: break;
  }
}
