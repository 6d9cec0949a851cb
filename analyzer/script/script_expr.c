/// Expressions of PrimFuncs: Python syntax to typed TensorIR expressions; names and operators.
#include "analyzer/script/script_impl.h"
#include "analyzer/words/names.h"
#include <string.h>

enum { MAX_DEPTH = 400 };

RlxDType rlx_tir_read_dtype(RlxTirReader *r, const RlxAst *ast, RlxDType otherwise) {
  if (!ast) return otherwise;
  RlxTv v = rlx_tir_eval(r, ast);
  RlxDType t;
  if (v.kind == RLX_TV_DTYPE) return v.dtype;
  if (v.kind == RLX_TV_STRING && rlx_dtype_parse(v.text, strlen(v.text), &t)) return t;
  if (v.kind == RLX_TV_PATH && rlx_dtype_parse(v.text, strlen(v.text), &t)) return t;
  if (v.kind != RLX_TV_HOLE) rlx_tir_issue(r, ast, "a dtype is expected here");
  return otherwise;
}

RlxTirExpr *rlx_tir_eval_expr(RlxTirReader *r, const RlxAst *ast) {
  RlxTv v = rlx_tir_eval(r, ast);
  if (v.kind == RLX_TV_TUPLE && v.is_grid && ast->kind == RLX_AST_NAME)
    v = rlx_tir_mistake(r, ast, RLX_DIAG_ID(LOOP_NAMES), "siis", "T.grid", (int)v.count, 1, "");
  return rlx_tir_as(r, v, rlx_dtype_unknown());
}

RlxTv rlx_tir_eval_bound(RlxTirReader *r, const RlxAst *ast, bool may_be_part) {
  RlxTv v = rlx_tir_eval(r, ast);
  if (may_be_part && v.kind == RLX_TV_REGION) return rlx_tir_value(r, ast, v);
  return rlx_tir_is_bare_part(r, &v, NULL) ? rlx_tir_part_mistake(r, ast, v) : v;
}

RlxTv rlx_tir_eval_scalar(RlxTirReader *r, const RlxAst *ast) {
  return rlx_tir_eval_bound(r, ast, false);
}

RlxTirExpr *rlx_tir_eval_scalar_expr(RlxTirReader *r, const RlxAst *ast) {
  RlxTv v = rlx_tir_eval_scalar(r, ast);
  if (v.kind == RLX_TV_TUPLE && v.is_grid && ast->kind == RLX_AST_NAME)
    v = rlx_tir_mistake(r, ast, RLX_DIAG_ID(LOOP_NAMES), "siis", "T.grid", (int)v.count, 1, "");
  return rlx_tir_as(r, v, rlx_dtype_unknown());
}

RlxTirExpr *rlx_tir_eval_as(RlxTirReader *r, const RlxAst *ast, RlxDType dtype) {
  return rlx_tir_as(r, rlx_tir_eval(r, ast), dtype);
}

static RlxTv tuple_of(RlxTirReader *r, RlxAst *const *items, uint32_t count) {
  RlxTv v = {.kind = RLX_TV_TUPLE};
  v.items = rlx_arena_array(r->f->arena, RlxTv, count + 1);
  for (uint32_t i = 0; i < count; i++) v.items[v.count++] = rlx_tir_eval(r, items[i]);
  return v;
}

/// A value from outside the function: a module-level Python constant, or a symbolic variable, which is one of the
/// function from then on.
static RlxTv from_outer(RlxTirReader *r, const RlxAst *ast, const RlxValue *value) {
  if (value->kind == RLX_VALUE_SYMDECL)
    return rlx_tir_new_symbol(r, ast->name, rlx_symbol_dtype(value));
  switch ((RlxValueKind)value->kind) {
  case RLX_VALUE_NONE: return (RlxTv){.kind = RLX_TV_NONE};
  case RLX_VALUE_BOOL: return rlx_tv_expr(rlx_tir_int(r->f, value->boolean, RLX_BOOL), true);
  case RLX_VALUE_INT: {
    bool wide = value->integer > INT32_MAX || value->integer < INT32_MIN;
    return rlx_tv_expr(rlx_tir_int(r->f, value->integer, wide ? RLX_INT64 : RLX_INT32), true);
  }
  case RLX_VALUE_FLOAT: return rlx_tv_expr(rlx_tir_float(r->f, value->number, RLX_FLOAT32), true);
  case RLX_VALUE_STR: return rlx_tv_text(RLX_TV_STRING, rlx_store_text(r->store, value->string));
  case RLX_VALUE_LIST: {
    RlxTv v = {.kind = RLX_TV_TUPLE};
    v.items = rlx_arena_array(r->f->arena, RlxTv, value->count + 1);
    for (uint32_t i = 0; i < value->count; i++)
      v.items[v.count++] = from_outer(r, ast, &value->items[i]);
    return v;
  }
  case RLX_VALUE_ABSENT:
  case RLX_VALUE_PRIM:
  case RLX_VALUE_NUMBERS:
  case RLX_VALUE_DICT:
  case RLX_VALUE_EXPR:
  case RLX_VALUE_SINFO:
  case RLX_VALUE_CALLEE:
  case RLX_VALUE_UNKNOWN:
  case RLX_VALUE_VDEVICE:
  case RLX_VALUE_UINT64:
  case RLX_VALUE_OTHER: break;
  }
  return rlx_tir_issue(r, ast, "the value of `%s` is known to Python only",
                       rlx_store_text(r->store, ast->name));
}

void rlx_tir_note_use(RlxTirReader *r, const RlxAst *ast, const RlxTirExpr *expr) {
  int depth = r->block_depth - (r->uses == RLX_USES_OUTSIDE);
  if (r->uses == RLX_USES_NOWHERE || depth <= 0) return;
  uint64_t around;
  if (!rlx_map_get(&r->loops, (uint64_t)(uintptr_t)expr, &around) || (int)around >= depth) return;
  RlxTirLoopUse use = {expr, r->stmt, ast, (int)around, depth};
  rlx_vec_push(&r->loop_uses, use);
}

static RlxTv eval_name(RlxTirReader *r, const RlxAst *ast) {
  RlxTv v;
  if (rlx_tir_find(r, ast->name, &v)) {
    if (v.kind == RLX_TV_EXPR) rlx_tir_note_use(r, ast, v.expr);
    return v;
  }
  RlxValue outer;
  if (r->outer && r->outer->lookup && r->outer->lookup(ast->name, &outer, r->outer->data))
    return from_outer(r, ast, &outer);
  const char *text = rlx_store_text(r->store, ast->name);
  if (rlx_tir_is_namespace(text)) return rlx_tv_text(RLX_TV_PATH, "");
  if (!r->outer || !r->outer->lookup)
    return rlx_tir_issue(r, ast, "name `%s` is not defined", text);
  if (rlx_names_is_builtin(text)) // what stands here of it, the kinds of values say
    return rlx_tir_issue(r, ast, "the value of `%s` is known to Python only", text);
  if (rlx_listed_has(&r->is_missing, r->missing.at, r->missing.count, ast->name))
    return rlx_tv_hole();
  rlx_vec_push(&r->missing, ast->name);
  if (r->missing_stmt == r->stmt) return rlx_tv_hole(); // one for each statement
  r->missing_stmt = r->stmt;
  return rlx_tir_mistake(r, ast, RLX_DIAG_ID(NAME_UNDEFINED), "ss", text, "");
}

static RlxTv eval_compare(RlxTirReader *r, const RlxAst *ast) {
  static const struct {
    uint8_t op, kind;
  } table[] = {{RLX_OP_EQ, RLX_TIR_EQ}, {RLX_OP_NE, RLX_TIR_NE}, {RLX_OP_LT, RLX_TIR_LT},
               {RLX_OP_LE, RLX_TIR_LE}, {RLX_OP_GT, RLX_TIR_GT}, {RLX_OP_GE, RLX_TIR_GE}};
  RlxTv all = rlx_tv_hole();
  bool is_python = true;
  for (uint32_t i = 0; i + 1 < ast->child_count; i++) {
    size_t at = 0;
    while (at < sizeof table / sizeof *table && table[at].op != ast->ops[i]) at++;
    if (at == sizeof table / sizeof *table)
      return rlx_tir_issue(r, ast, "this comparison is not understood in a PrimFunc");
    RlxTirExprKind kind = (RlxTirExprKind)table[at].kind;
    RlxTv one = rlx_tir_infix(r, ast, kind, rlx_tir_eval(r, ast->children[i]),
                              rlx_tir_eval(r, ast->children[i + 1]));
    if (one.kind != RLX_TV_EXPR) return one;
    is_python = is_python && rlx_tv_is_decided(one);
    one.weak = false;
    all = i ? rlx_tir_arithmetic(r, ast, RLX_TIR_AND, all, one) : one;
  }
  all.weak = is_python;
  return all;
}

static RlxTv eval_binary(RlxTirReader *r, const RlxAst *ast) {
  static const struct {
    uint8_t op, kind;
  } table[] = {{RLX_OP_ADD, RLX_TIR_ADD},           {RLX_OP_SUB, RLX_TIR_SUB},
               {RLX_OP_MUL, RLX_TIR_MUL},           {RLX_OP_DIV, RLX_TIR_DIV},
               {RLX_OP_FLOORDIV, RLX_TIR_FLOORDIV}, {RLX_OP_MOD, RLX_TIR_FLOORMOD},
               {RLX_OP_SHL, RLX_TIR_SHL},           {RLX_OP_SHR, RLX_TIR_SHR},
               {RLX_OP_BITAND, RLX_TIR_BITAND},     {RLX_OP_BITOR, RLX_TIR_BITOR},
               {RLX_OP_BITXOR, RLX_TIR_BITXOR}};
  RlxTv a = rlx_tir_eval(r, ast->children[0]), b = rlx_tir_eval(r, ast->children[1]);
  if (ast->op == RLX_OP_ADD && a.kind == RLX_TV_STRING && b.kind == RLX_TV_STRING) {
    return rlx_tv_text(RLX_TV_STRING, rlx_arena_printf(r->f->arena, "%s%s", a.text, b.text));
  }
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (table[i].op != ast->op) continue;
    bool logical = a.kind == RLX_TV_EXPR && b.kind == RLX_TV_EXPR &&
                   rlx_dtype_is_bool(a.expr->dtype) && rlx_dtype_is_bool(b.expr->dtype);
    if (logical && ast->op == RLX_OP_BITAND) return rlx_tir_arithmetic(r, ast, RLX_TIR_AND, a, b);
    if (logical && ast->op == RLX_OP_BITOR) return rlx_tir_arithmetic(r, ast, RLX_TIR_OR, a, b);
    return rlx_tir_infix(r, ast, (RlxTirExprKind)table[i].kind, a, b);
  }
  if (ast->op == RLX_OP_POW && a.kind == RLX_TV_EXPR && b.kind == RLX_TV_EXPR) {
    bool is_const = a.weak && b.weak && a.expr->kind == RLX_TIR_INT && b.expr->kind == RLX_TIR_INT;
    if (is_const && b.expr->integer >= 0 && b.expr->integer < 63) {
      int64_t value = 1;
      bool fits = true;
      for (int64_t i = 0; i < b.expr->integer; i++)
        fits = fits && !__builtin_mul_overflow(value, a.expr->integer, &value);
      if (fits)
        return rlx_tv_expr(rlx_tir_int(r->f, value, value > INT32_MAX ? RLX_INT64 : RLX_INT32),
                           true);
    }
    rlx_tir_match_types(r, &a, &b);
    RlxTirExpr *args[2] = {a.expr, b.expr};
    return rlx_tv_expr(
        rlx_tir_call(r->f, rlx_store_intern(r->store, "pow", 3), a.expr->dtype, args, 2), false);
  }
  return rlx_tir_issue(r, ast, "this operator is not understood in a PrimFunc");
}

static RlxTv eval_unary(RlxTirReader *r, const RlxAst *ast) {
  const RlxAst *of = ast->children[0];
  if (ast->op == RLX_OP_NEG && of->is_big && strcmp(of->text, "9223372036854775808") == 0)
    return rlx_tv_expr(rlx_tir_int(r->f, INT64_MIN, RLX_INT64), true); // 2**63 itself does not fit
  RlxTv a = rlx_tir_eval(r, ast->children[0]);
  if (ast->op != RLX_OP_NOT && rlx_tir_is_bare_part(r, &a, NULL))
    return rlx_tir_part_mistake(r, ast, a);
  a = rlx_tir_value(r, ast, a);
  if (a.kind == RLX_TV_HOLE) return a;
  if (a.kind != RLX_TV_EXPR) return rlx_tir_issue(r, ast, "a scalar is expected here");
  if (ast->op == RLX_OP_POS) return a;
  if (ast->op == RLX_OP_NOT && rlx_tv_is_decided(a))
    return rlx_tv_expr(rlx_tir_int(r->f, !a.expr->integer, RLX_BOOL), true);
  if (ast->op == RLX_OP_NOT) return rlx_tir_logical_not(r, a.expr);
  if (ast->op == RLX_OP_INVERT) {
    if (rlx_dtype_is_bool(a.expr->dtype)) return rlx_tir_logical_not(r, a.expr);
    return rlx_tv_expr(rlx_tir_node(r, RLX_TIR_BITNOT, a.expr->dtype, &a.expr, 1), a.weak);
  }
  if (a.expr->kind == RLX_TIR_FLOAT)
    return rlx_tv_expr(rlx_tir_float(r->f, -a.expr->number, a.expr->dtype), a.weak);
  RlxTv zero = rlx_tv_expr(rlx_tir_int(r->f, 0, RLX_INT32), true);
  RlxTv v = rlx_tir_arithmetic(r, ast, RLX_TIR_SUB, zero, a);
  v.weak = a.weak;
  return v;
}

/// Whether Python evaluates what is read, an annotation of a parameter: what it does not need it leaves alone.
static bool is_pythons(const RlxTirReader *r) { return r->stmt && r->stmt->kind == RLX_STMT_DEF; }

/// `a and b`, `a or b`.
static RlxTv eval_bool_op(RlxTirReader *r, const RlxAst *ast) {
  const bool is_and = ast->op == RLX_OP_AND;
  RlxTv a = rlx_tir_eval(r, ast->children[0]);
  const bool is_python = rlx_tv_is_decided(a), is_first = is_python && !a.expr->integer == is_and;
  const bool is_short = is_first && rlx_dtype_is_bool(a.expr->dtype) && rlx_tir_may_be_027(r);
  if (is_short || (is_first && is_pythons(r))) return a;
  RlxTv b = rlx_tir_eval(r, ast->children[1]);
  if (a.kind != RLX_TV_EXPR || b.kind != RLX_TV_EXPR) return rlx_tv_hole();
  if (is_python && rlx_tv_is_decided(b)) return is_first ? a : b;
  RlxTirExpr *x = rlx_tir_condition(r, a.expr), *y = rlx_tir_condition(r, b.expr);
  return rlx_tv_expr(rlx_tir_binary(r->f, is_and ? RLX_TIR_AND : RLX_TIR_OR, x, y), false);
}

/// `c ? a : b`, evaluating only the chosen side (if_then_else) or maybe both (Select).
static RlxTv choose(RlxTirReader *r, const RlxAst *ast, RlxTv vc, RlxTv va, RlxTv vb, bool lazy) {
  if (rlx_tv_is_decided(vc)) return vc.expr->integer ? va : vb;
  if (va.kind == RLX_TV_HOLE || vb.kind == RLX_TV_HOLE || vc.kind != RLX_TV_EXPR)
    return rlx_tv_hole();
  if (va.kind != RLX_TV_EXPR || vb.kind != RLX_TV_EXPR)
    return rlx_tir_issue(r, ast, "both sides of a choice have to be scalars");
  rlx_tir_match_types(r, &va, &vb);
  RlxTirExpr *cond = rlx_tir_condition(r, vc.expr);
  if (!lazy && cond->kind == RLX_TIR_INT) { // stays as it is written
    RlxTirExpr *parts[] = {cond, va.expr, vb.expr};
    return rlx_tv_expr(rlx_tir_node(r, RLX_TIR_SELECT, va.expr->dtype, parts, 3), false);
  }
  return rlx_tv_expr(lazy ? rlx_tir_if_then_else(r->f, cond, va.expr, vb.expr)
                          : rlx_tir_select(r->f, cond, va.expr, vb.expr),
                     false);
}

static RlxTv value_of(RlxTirReader *r, const RlxAst *ast) {
  return rlx_tir_value(r, ast, rlx_tir_eval(r, ast));
}

/// `a if c else b`
static RlxTv eval_conditional(RlxTirReader *r, const RlxAst *ast) {
  const RlxAst *a = ast->children[0], *c = ast->children[1], *b = ast->children[2];
  RlxTv cond = rlx_tir_value(r, c, rlx_tir_eval_scalar(r, c));
  if (rlx_tv_is_decided(cond) && (rlx_tir_may_be_027(r) || is_pythons(r)))
    return rlx_tir_eval(r, cond.expr->integer ? a : b);
  RlxTv va = value_of(r, a), vb = value_of(r, b);
  return choose(r, ast, cond, va, vb, true);
}

RlxTv rlx_tir_eval_choice(RlxTirReader *r, const RlxAst *call, const RlxAst *c, const RlxAst *a,
                          const RlxAst *b, bool lazy) {
  RlxTv va = value_of(r, a), vb = value_of(r, b),
        vc = rlx_tir_value(r, c, lazy ? rlx_tir_eval_scalar(r, c) : rlx_tir_eval(r, c));
  return choose(r, call, vc, va, vb, lazy);
}

static RlxTv eval_inner(RlxTirReader *r, const RlxAst *ast) {
  switch ((RlxAstKind)ast->kind) {
  case RLX_AST_HOLE: r->f->has_holes = r->is_broken = true; return rlx_tv_hole();
  case RLX_AST_NAME: return eval_name(r, ast);
  case RLX_AST_INT: {
    if (ast->is_big) return rlx_tir_issue(r, ast, "this integer does not fit 64 bits");
    bool wide = ast->integer > INT32_MAX || ast->integer < INT32_MIN;
    return rlx_tv_expr(rlx_tir_int(r->f, ast->integer, wide ? RLX_INT64 : RLX_INT32), true);
  }
  case RLX_AST_FLOAT: return rlx_tv_expr(rlx_tir_float(r->f, ast->number, RLX_FLOAT32), true);
  case RLX_AST_STRING:
    return rlx_tv_text(RLX_TV_STRING, rlx_arena_strndup(r->f->arena, ast->text, ast->text_size));
  case RLX_AST_TRUE: return rlx_tv_expr(rlx_tir_int(r->f, 1, RLX_BOOL), true);
  case RLX_AST_FALSE: return rlx_tv_expr(rlx_tir_int(r->f, 0, RLX_BOOL), true);
  case RLX_AST_NONE: return (RlxTv){.kind = RLX_TV_NONE};
  case RLX_AST_TUPLE:
  case RLX_AST_LIST: return tuple_of(r, ast->children, ast->child_count);
  case RLX_AST_CALL: return rlx_tir_eval_call(r, ast);
  case RLX_AST_ATTRIBUTE: return rlx_tir_eval_attribute(r, ast);
  case RLX_AST_SUBSCRIPT: return rlx_tir_eval_subscript(r, ast);
  case RLX_AST_UNARY: return eval_unary(r, ast);
  case RLX_AST_BINARY: return eval_binary(r, ast);
  case RLX_AST_BOOL_OP: return eval_bool_op(r, ast);
  case RLX_AST_COMPARE: return eval_compare(r, ast);
  case RLX_AST_CONDITIONAL: return eval_conditional(r, ast);
  case RLX_AST_IMAGINARY:
  case RLX_AST_BYTES:
  case RLX_AST_FSTRING:
  case RLX_AST_ELLIPSIS:
  case RLX_AST_SET:
  case RLX_AST_DICT:
  case RLX_AST_KEYWORD:
  case RLX_AST_SLICE:
  case RLX_AST_LAMBDA:
  case RLX_AST_STARRED:
  case RLX_AST_DOUBLE_STARRED:
  case RLX_AST_COMPREHENSION:
  case RLX_AST_COMP_FOR:
  case RLX_AST_COMP_IF:
  case RLX_AST_NAMED:
  case RLX_AST_AWAIT:
  case RLX_AST_YIELD: break;
  }
  return rlx_tir_issue(r, ast, "this expression is not understood in a PrimFunc");
}

RlxTv rlx_tir_eval(RlxTirReader *r, const RlxAst *ast) {
  if (r->depth >= MAX_DEPTH) return rlx_tir_issue(r, ast, "expression is nested too deeply");
  r->depth++;
  RlxTv v = eval_inner(r, ast);
  r->depth--;
  if (v.kind == RLX_TV_EXPR && !v.expr->span.end) v.expr->span = ast->span;
  return v;
}
