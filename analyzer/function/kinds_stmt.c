/// Statements of a PrimFunc's script, in the order in which TVM's parser runs them: what they bind, and what they do not take.
#include "analyzer/function/kinds_args.h"

#include <string.h>

enum { MAX_DEPTH = 200 };

static void run_suite(Kinds *k, const RlxBlock *suite, int depth);
static void run_stmts(Kinds *k, const RlxBlock *suite, int depth);

static Kind unknown(void) { return rlx_kind_of(KIND_UNKNOWN); }

// ---- compound statements

/// Leaves a scope that there may not be, as that of a condition that Python decides: its names may be defined from then on.
static void keep_scope(Kinds *k, KindScope s) {
  k->frame = s.frame;
  for (uint32_t i = s.names; i < k->names.count; i++) k->names.at[i].kind = unknown();
}

static void run_for(Kinds *k, const RlxStmt *stmt, int depth) {
  const RlxAst *iter = stmt->value;
  Kind loop;
  bool is_range = iter->kind == RLX_AST_CALL && iter->children[0]->kind == RLX_AST_NAME &&
                  strcmp(rlx_store_text(k->store, iter->children[0]->name), "range") == 0;
  loop = is_range ? rlx_kind_range(k, iter) : rlx_kind_eval(k, iter);
  bool fits = loop.tag == KIND_FOR || loop.tag == KIND_UNKNOWN;
  if (!fits)
    rlx_kind_refuse_text(
        k, IN_BOTH, iter->span,
        "a loop runs over range, T.serial, T.grid, T.parallel, T.vectorized, T.unroll "
        "or T.thread_binding");
  KindScope s = rlx_kind_open_scope(k);
  const RlxAst *target = stmt->targets[0];
  bool is_list = target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST;
  uint32_t names = is_list ? target->child_count : 1;
  bool is_starred = false;
  for (uint32_t i = 0; is_list && i < names; i++)
    is_starred |= target->children[i]->kind == RLX_AST_STARRED;
  if (loop.tag == KIND_FOR && loop.count == names && is_list && !is_starred) {
    for (uint32_t i = 0; i < names; i++)
      rlx_kind_bind(k, target->children[i], loop.items[i], BY_LOOP);
  } else if (loop.tag == KIND_FOR && !is_list && loop.count == 1) {
    rlx_kind_bind(k, target, loop.items[0], BY_LOOP);
  } else if (loop.tag == KIND_FOR && loop.count != KIND_MANY && (is_starred || !is_list)) {
    Kind all = loop;
    all.tag = KIND_TUPLE;
    rlx_kind_bind(k, target, all, BY_LOOP);
  } else {
    if (loop.tag == KIND_FOR && loop.count != KIND_MANY && is_list)
      rlx_kind_refuse_text(k, IN_BOTH, target->span,
                           rlx_arena_printf(k->arena, "%u names for %u loops", names, loop.count));
    rlx_kind_define_all(k, target);
  }
  const KindEntered outer = rlx_kind_entered(k);
  rlx_kind_enter(k, FRAME_OTHER, NULL);
  run_suite(k, stmt->body, depth + 1);
  rlx_kind_leave(k, outer, true);
  rlx_kind_close_scope(k, s); // TVM reads no `else` of a loop
}

static void check_condition(Kinds *k, const RlxAst *ast, Kind kind, bool numbers) {
  rlx_kind_used(k, ast, kind);
  bool is_handle = kind_is_expr(kind) && kind.dtype.code == RLX_DTYPE_HANDLE;
  bool fits = kind.tag == KIND_UNKNOWN || kind.tag == KIND_BOOL || kind_is_expr(kind) ||
              kind.tag == KIND_REGION || (numbers && kind_is_python_number(kind));
  if (numbers && kind.tag == KIND_STR) { // 0.25 makes an expression of it
    rlx_kind_refuse(k, IN_027, ast, kind, "a condition");
    return;
  }
  if (numbers && kind_is_many(kind)) rlx_kind_refuse(k, IN_BOTH, ast, kind, "a condition");
  if (!fits) rlx_kind_refuse(k, IN_BOTH, ast, kind, "a condition");
  if (is_handle) rlx_kind_refuse(k, IN_027, ast, kind, "a condition");
}

/// The branch that Python decides for, which is part of the suite around it: what it enters stays entered, and since
/// 0.27 its names are those of the suite.
static void run_decided(Kinds *k, const RlxBlock *chosen, int depth) {
  if (k->dialects == IN_027) {
    run_stmts(k, chosen, depth + 1);
    return;
  }
  KindScope s = rlx_kind_open_scope(k);
  run_stmts(k, chosen, depth + 1);
  if (k->dialects == IN_025)
    rlx_kind_close_scope(k, s);
  else
    keep_scope(k, s);
}

static void run_if(Kinds *k, const RlxStmt *stmt, int depth) {
  Kind test = rlx_kind_eval(k, stmt->value);
  check_condition(k, stmt->value, test, false);
  if (test.tag == KIND_BOOL && test.has_number) {
    run_decided(k, test.number ? stmt->body : stmt->orelse, depth);
    return;
  }
  bool may_be_pythons = test.tag == KIND_UNKNOWN || test.tag == KIND_BOOL;
  const KindEntered outer = rlx_kind_entered(k);
  for (int i = 0; i < 2; i++) {
    KindScope s = rlx_kind_open_scope(k);
    if (may_be_pythons)
      rlx_kind_enter(k, FRAME_UNKNOWN, NULL);
    else if (kind_is_expr(test))
      rlx_kind_enter(k, FRAME_OTHER, NULL); // Python decides the others
    const bool was_unknown = k->in_unknown;
    run_stmts(k, i ? stmt->orelse : stmt->body, depth + 1);
    rlx_kind_leave(k, outer, !may_be_pythons && !k->is_lost);
    k->in_unknown = was_unknown;
    if (may_be_pythons)
      keep_scope(k, s);
    else
      rlx_kind_close_scope(k, s);
  }
}

/// `T.sblock("b", no_realize=True)`
static bool is_unrealized(Kinds *k, const RlxAst *call) {
  const RlxAst *flag = call->child_count > 2 && call->children[2]->kind != RLX_AST_KEYWORD
                           ? call->children[2]
                           : NULL;
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind == RLX_AST_STARRED || arg->kind == RLX_AST_DOUBLE_STARRED) return false;
    if (arg->kind == RLX_AST_KEYWORD &&
        strcmp(rlx_store_text(k->store, arg->name), "no_realize") == 0)
      flag = arg->children[0];
  }
  return flag && rlx_ast_flag(flag) == 1;
}

/// `with … as x`: the variables of loops and threads, and buffers, have names; other scopes are nothing that a name may have.
static void bind_entered(Kinds *k, const RlxAst *target, const RlxAst *call, Kind frame) {
  char path[RLX_AST_DOTTED_MAX];
  rlx_kind_define_all(k, target);
  if (call->kind != RLX_AST_CALL || !rlx_kind_path(k, call->children[0], path)) return;
  const bool is_list = target->kind != RLX_AST_NAME,
             is_grid = strcmp(path, "grid") == 0 && !is_list && frame.count > 1;
  if (is_grid || rlx_kind_is_nameless(path))
    rlx_kind_refuse_text(k, IN_BOTH, target->span,
                         is_grid ? "the loops of T.grid have a name each here"
                                 : rlx_arena_printf(k->arena, "T.%s gives nothing to name", path));
}

/// Reports that TVM cannot detect the regions of the block at `stmt`, for what is said of a buffer.
static void tell_detected(Kinds *k, const RlxStmt *stmt, RlxName buffer, const char *why) {
  const RlxAst *head = stmt->items[stmt->item_count - 1].value;
  const bool is_named = head->child_count > 1 && head->children[1]->kind == RLX_AST_STRING;
  k->stmt = stmt;
  k->is_told = false;
  if (rlx_kind_may_tell(k, IN_BOTH))
    rlx_reportf(&k->fn->end, RLX_DIAG_ID(BLOCK_DETECTED),
                rlx_kind_span(k, rlx_span(0, stmt->head_size)), "sss",
                is_named ? head->children[1]->text : "", rlx_store_text(k->store, buffer), why);
}

/// A block that declares no T.writes writes what TVM detects: memory of its own body, which is not there yet at its head.
/// The function's root has no regions.
static void close_block(Kinds *k, const RlxStmt *stmt) {
  const KindBlock *block = &k->blocks.at[k->block - 1];
  if (block->has_reads && block->has_writes) return;
  if (block->reached) tell_detected(k, stmt, block->reached, "is reached by its pointer");
  if (!block->cell) return;
  if (block->parent) k->blocks.at[block->parent - 1].cell = block->cell;
  const bool is_root = !block->parent && !block->has_axes;
  if (block->has_writes || is_root || k->is_lax) return;
  tell_detected(k, stmt, block->cell, "is declared in the block itself");
}

/// A call of something else than a function of T: a macro may stand for any statements.
static bool may_be_macro(Kinds *k, const RlxStmt *stmt) {
  char path[RLX_AST_DOTTED_MAX];
  return stmt->value->kind == RLX_AST_CALL && !rlx_kind_path(k, stmt->value->children[0], path);
}

/// `T.sblock("b")`
static bool is_block(Kinds *k, const RlxAst *ast) {
  char path[RLX_AST_DOTTED_MAX];
  return ast->kind == RLX_AST_CALL && rlx_kind_path(k, ast->children[0], path) &&
         (strcmp(path, "sblock") == 0 || strcmp(path, "block") == 0);
}

/// What a value enters that is a scope: a block, or another one of T by its name.
static KindFrameKind frame_of(Kinds *k, const RlxAst *call) {
  static const struct {
    const char *path;
    KindFrameKind kind;
  } known[] = {{"If", FRAME_IF}, {"Then", FRAME_THEN}, {"Else", FRAME_ELSE}, {"init", FRAME_INIT}};
  char path[RLX_AST_DOTTED_MAX];
  if (is_block(k, call)) return FRAME_BLOCK;
  if (call->kind != RLX_AST_CALL || !rlx_kind_path(k, call->children[0], path))
    return FRAME_UNKNOWN;
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].path, path) == 0) return known[i].kind;
  return FRAME_OTHER;
}

static void run_with(Kinds *k, const RlxStmt *stmt, int depth) {
  bool was_in_block = k->in_block, was_unrealized = k->is_unrealized, was_unknown = k->in_unknown;
  const KindEntered before = rlx_kind_entered(k);
  uint32_t outer = k->block;
  KindThread *thread = NULL; // launched for the suite
  KindScope s = rlx_kind_open_scope(k);
  for (uint32_t i = 0; i < stmt->item_count; i++) {
    Kind frame = rlx_kind_eval(k, stmt->items[i].value);
    bool fits = frame.tag == KIND_UNKNOWN || frame.tag == KIND_FRAME || frame.tag == KIND_FOR;
    if (frame.tag == KIND_FRAME && frame.is_opened) thread = frame.thread;
    if (!fits) rlx_kind_refuse(k, IN_BOTH, stmt->items[i].value, frame, "a block or scope");
    if (stmt->items[i].target) bind_entered(k, stmt->items[i].target, stmt->items[i].value, frame);
    const RlxAst *call = stmt->items[i].value;
    const KindFrameKind kind = frame_of(k, call);
    const bool is_maybe = frame.tag == KIND_UNKNOWN || kind == FRAME_UNKNOWN; // it may be a block
    k->in_unknown |= is_maybe;
    if (is_maybe || frame.tag == KIND_FRAME || frame.tag == KIND_FOR || kind == FRAME_BLOCK ||
        rlx_kind_opens_scope(k, call))
      rlx_kind_enter(k, is_maybe && kind != FRAME_BLOCK ? FRAME_UNKNOWN : kind, call);
    if (kind == FRAME_BLOCK) {
      k->in_block = true;
      rlx_vec_push(&k->blocks, (KindBlock){.parent = k->block});
      k->block = ++k->block_count;
      k->is_unrealized = is_unrealized(k, call);
    }
  }
  run_suite(k, stmt->body, depth + 1);
  rlx_kind_leave(k, before, true);
  if (thread) thread->is_open = false;
  if (k->block != outer) close_block(k, stmt);
  k->in_block = was_in_block;
  k->block = outer;
  k->is_unrealized = was_unrealized;
  k->in_unknown = was_unknown;
  rlx_kind_close_scope(k, s);
}

// ---- simple statements

/// A.vstore(…), which is a statement where it stands alone.
static bool is_store_method(const Kinds *k, const RlxAst *ast) {
  return ast->kind == RLX_AST_CALL && ast->children[0]->kind == RLX_AST_ATTRIBUTE &&
         strcmp(rlx_store_text(k->store, ast->children[0]->name), "vstore") == 0;
}

static void run_expression(Kinds *k, const RlxStmt *stmt) {
  Kind value = rlx_kind_eval(k, stmt->value);
  if (stmt->value->kind == RLX_AST_ELLIPSIS)
    rlx_kind_refuse_text(k, IN_BOTH, stmt->value->span, "`...` is no statement of TensorIR");
  const KindFrameKind kind = frame_of(k, stmt->value);
  if (value.tag == KIND_FRAME || value.tag == KIND_FOR || rlx_kind_opens_scope(k, stmt->value))
    rlx_kind_enter(k, kind, stmt->value); // for the rest of the suite
  else if (value.tag == KIND_UNKNOWN || value.tag == KIND_STR || may_be_macro(k, stmt))
    rlx_kind_emit_unknown(k);
  else
    rlx_kind_emit(k);
  if (value.tag == KIND_FRAME && kind == FRAME_BLOCK) k->in_unknown = true;
  if (!value.is_var) rlx_kind_used(k, stmt->value, value);
  bool fits = value.tag != KIND_FLOAT && value.tag != KIND_MODULE && !kind_is_list(value) &&
              value.tag != KIND_DICT && value.tag != KIND_FUNCTION && value.tag != KIND_REGION &&
              value.tag != KIND_SLICE && value.tag != KIND_ANNOTATION && value.tag != KIND_OTHER &&
              (value.tag != KIND_OBJECT || is_store_method(k, stmt->value));
  bool is_sum = value.tag == KIND_REGION && stmt->value->kind == RLX_AST_BINARY; // a vector in 0.25
  if (!fits)
    rlx_kind_refuse(k, is_sum ? IN_027 : IN_BOTH, stmt->value, value, "a statement of TensorIR");
  if (value.barrier)
    rlx_kind_refuse_text(k, IN_BOTH, stmt->value->span,
                         "a barrier is no statement of TensorIR: calls of its methods are");
}

/// `("ValueError", ["part", …])`: the kind of the error and what it says.
static void check_message_pair(Kinds *k, const RlxAst *ast, Kind message) {
  if (message.count == KIND_MANY) return;
  const char *wrong = NULL;
  if (message.count != 2)
    wrong = "a message that is a tuple has two items, the kind of the error and a list of strings";
  else if (message.items[0].tag != KIND_STR && message.items[0].tag != KIND_UNKNOWN)
    wrong = "the kind of the error is a string, as \"ValueError\"";
  else if (message.items[1].tag != KIND_STR && message.items[1].tag != KIND_UNKNOWN &&
           !kind_is_list(message.items[1]))
    wrong = "what the error says is a string or a list of them";
  if (wrong) rlx_kind_refuse_text(k, IN_BOTH, ast->span, wrong);
}

static void run_assert(Kinds *k, const RlxStmt *stmt) {
  Kind test = rlx_kind_eval(k, stmt->value);
  bool fits =
      test.tag == KIND_UNKNOWN || test.tag == KIND_BOOL ||
      (kind_is_expr(test) && (!rlx_dtype_known(test.dtype) || rlx_dtype_is_bool(test.dtype)));
  rlx_kind_used(k, stmt->value, test);
  if (!fits) rlx_kind_refuse(k, IN_BOTH, stmt->value, test, "a condition");
  if (!stmt->message) {
    rlx_kind_refuse_text(k, IN_BOTH, stmt->value->span, "an assertion of a PrimFunc has a message");
    return;
  }
  Kind message = rlx_kind_eval(k, stmt->message);
  rlx_kind_enter(k, FRAME_OTHER, NULL);
  bool says = message.tag == KIND_UNKNOWN || message.tag == KIND_STR || kind_is_list(message);
  if (!says) rlx_kind_refuse(k, IN_BOTH, stmt->message, message, "a string");
  if (message.tag == KIND_TUPLE) check_message_pair(k, stmt->message, message);
}

static void run_return(Kinds *k, const RlxStmt *stmt) {
  if (!stmt->value) {
    rlx_kind_refuse_text(k, IN_BOTH, rlx_span(0, stmt->head_size),
                         "a PrimFunc returns an expression");
    return;
  }
  Kind value = rlx_kind_eval(k, stmt->value);
  rlx_kind_used(k, stmt->value, value);
  bool no = value.tag == KIND_NONE || kind_is_list(value) || value.tag == KIND_DICT ||
            value.tag == KIND_OTHER || kind_is_thing(value);
  if (no) rlx_kind_refuse(k, IN_BOTH, stmt->value, value, "an expression");
  if (value.tag == KIND_BUFFER) rlx_kind_refuse(k, IN_025, stmt->value, value, "an expression");
}

/// `nonlocal x` names what a function around this one has, or Python does not compile the file.
static void check_nonlocal(Kinds *k, const RlxStmt *stmt) {
  const RlxStmt *def = k->fn->stmt;
  bool is_inside = false;
  for (const RlxBlock *b = def->block; b && b->parent; b = b->parent->block)
    is_inside |= b->parent->kind == RLX_STMT_DEF;
  for (uint32_t i = 0; i < stmt->import_count; i++) {
    bool is_param = false;
    for (uint32_t n = 0; n < def->param_count; n++)
      is_param |= def->params[n].name == stmt->imports[i].name;
    if (is_param || !is_inside)
      rlx_kind_refuse_text(k, IN_BOTH, stmt->imports[i].span,
                           is_param ? "a parameter is not `nonlocal`"
                                    : "no function around this one has the name");
  }
}

static void run_stmt(Kinds *k, const RlxStmt *stmt, int depth) {
  k->stmt = stmt;
  k->is_told = false;
  switch ((RlxStmtKind)stmt->kind) {
  case RLX_STMT_EXPR: run_expression(k, stmt); break;
  case RLX_STMT_ASSIGN: rlx_kind_assign(k, stmt); break;
  case RLX_STMT_ANNOTATED:
    rlx_kind_emit(k);
    rlx_kind_assign_annotated(k, stmt);
    break;
  case RLX_STMT_AUGMENTED:
    rlx_kind_emit(k);
    rlx_kind_assign_augmented(k, stmt);
    break;
  case RLX_STMT_RETURN:
    rlx_kind_emit(k);
    run_return(k, stmt);
    break;
  case RLX_STMT_ASSERT: run_assert(k, stmt); break;
  case RLX_STMT_FOR: run_for(k, stmt, depth); break;
  case RLX_STMT_IF: run_if(k, stmt, depth); break;
  case RLX_STMT_WITH: run_with(k, stmt, depth); break;
  case RLX_STMT_WHILE: {
    Kind test = rlx_kind_eval(k, stmt->value);
    check_condition(k, stmt->value, test, true);
    KindScope s = rlx_kind_open_scope(k);
    const KindEntered outer = rlx_kind_entered(k);
    rlx_kind_enter(k, FRAME_OTHER, NULL);
    run_suite(k, stmt->body, depth + 1);
    rlx_kind_leave(k, outer, true);
    rlx_kind_close_scope(k, s);
    break;
  }
  case RLX_STMT_DELETE:
  case RLX_STMT_RAISE:
  case RLX_STMT_IMPORT:
  case RLX_STMT_TRY:
  case RLX_STMT_MATCH:
  case RLX_STMT_CLASS:
  case RLX_STMT_GLOBAL:
    if (stmt->is_nonlocal) { // which TVM's parser passes over
      check_nonlocal(k, stmt);
      break;
    }
    rlx_kind_refuse_text(k, IN_BOTH, rlx_span(0, stmt->head_size),
                         "a PrimFunc has no such statement");
    k->is_lost = true;
    break;
  case RLX_STMT_DEF: {
    Kind value = unknown();
    value.def = stmt;
    rlx_kind_check_def(k, stmt);
    rlx_kind_define(k, stmt->name, value);
    break;
  }
  case RLX_STMT_HOLE:
  case RLX_STMT_TYPE_ALIAS:
    k->is_lost = true;
    rlx_kind_emit_unknown(k);
    break;
  case RLX_STMT_PASS:
  case RLX_STMT_BREAK:
  case RLX_STMT_CONTINUE: break;
  }
}

static void run_stmts(Kinds *k, const RlxBlock *suite, int depth) {
  for (uint32_t i = 0; suite && i < suite->count && depth < MAX_DEPTH; i++) {
    run_stmt(k, suite->stmts[i], depth);
  }
}

static void run_suite(Kinds *k, const RlxBlock *suite, int depth) {
  const KindEntered before = rlx_kind_entered(k);
  const bool was_unknown = k->in_unknown;
  run_stmts(k, suite, depth);
  rlx_kind_leave(k, before, !k->is_lost);
  k->in_unknown = was_unknown;
}

// ---- the function

/// `R.Tensor(…)`, `R.Object`
static bool is_relax(const Kinds *k, const RlxAst *annotation) {
  const RlxAst *head = annotation->kind == RLX_AST_CALL ? annotation->children[0] : annotation;
  return head->kind == RLX_AST_ATTRIBUTE && head->children[0]->kind == RLX_AST_NAME &&
         strcmp(rlx_store_text(k->store, head->children[0]->name), "R") == 0;
}

/// `T.Buffer` without its arguments, `R.Tensor(…)`.
static bool is_no_type(Kinds *k, const RlxAst *annotation) {
  static const char *const makers[] = {"Buffer", "Ptr", "Cast", "let"};
  char path[RLX_AST_DOTTED_MAX];
  if (is_relax(k, annotation)) return true;
  if (annotation->kind != RLX_AST_ATTRIBUTE || !rlx_kind_path(k, annotation, path)) return false;
  for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
    if (strcmp(makers[i], path) == 0) return true;
  return false;
}

/// Python evaluates the annotations before there is a parameter.
static Kind parameter(Kinds *k, const RlxParam *p) {
  Kind kind = unknown();
  k->is_told = false;
  if (p->default_value) rlx_kind_eval(k, p->default_value);
  if (!p->annotation) {
    rlx_kind_refuse_text(k, IN_BOTH, p->span, "a parameter of a PrimFunc has an annotation");
  } else {
    bool is_lambda = p->annotation->kind == RLX_AST_LAMBDA && p->annotation->child_count;
    rlx_kind_read_texts(k, p->annotation);
    kind = rlx_kind_eval(k, is_lambda ? p->annotation->children[0] : p->annotation);
    if (kind.tag == KIND_FUNCTION && !kind.is_nothing && !is_lambda) {
      RlxDType dtype = kind.dtype;
      kind = rlx_kind_expr(dtype);
      kind.is_var = true;
      kind.is_plain_handle = dtype.code == RLX_DTYPE_HANDLE;
    } else if (p->annotation->kind == RLX_AST_LAMBDA) {
      const bool is_no_type = kind.tag == KIND_FUNCTION || kind.tag == KIND_NONE ||
                              kind.tag == KIND_STR || kind_is_python_number(kind) ||
                              kind_is_list(kind) || kind.tag == KIND_DICT;
      if (is_no_type) // what TVM gets when it calls the lambda
        rlx_kind_refuse(k, IN_BOTH, p->annotation, kind, "a buffer, or the type of a variable");
      kind = unknown();
    } else if (kind.tag == KIND_FUNCTION || is_no_type(k, p->annotation)) {
      rlx_kind_refuse(k, IN_BOTH, p->annotation, rlx_kind_of(KIND_FUNCTION),
                      "a buffer, or the type of a variable");
      kind = unknown();
    }
    bool fits =
        kind.tag == KIND_UNKNOWN || kind.tag == KIND_BUFFER || (kind_is_expr(kind) && kind.is_var);
    if (!fits)
      rlx_kind_refuse(k, IN_BOTH, p->annotation, kind, "a buffer, or the type of a variable");
    if (!fits) kind = unknown();
    kind.given = NULL;
    if (kind_is_expr(kind) && kind.dtype.code == RLX_DTYPE_HANDLE) {
      kind.given = rlx_arena_one(k->arena, KindValue);
      kind.given->is_given = true;
    }
    kind.is_param = kind_is_expr(kind) || kind.tag == KIND_BUFFER;
    Kind before;
    if (k->texts.count && rlx_kind_lookup(k, p->name, &before) && before.is_of_text)
      rlx_kind_check_declared(k, p->annotation, before, kind);
  }
  return kind;
}

/// Python evaluates what stands at a parameter that TVM leaves out.
static void evaluate_unused(Kinds *k, const RlxParam *p) {
  k->is_told = false;
  if (p->default_value) rlx_kind_eval(k, p->default_value);
  if (p->annotation) rlx_kind_eval(k, p->annotation);
}

/// What stands behind `->`: a type, which a function of T makes when it is called without arguments.
static void check_result(Kinds *k, const RlxStmt *def) {
  k->is_told = false;
  if (!def->annotation) return;
  const Kind type = rlx_kind_eval(k, def->annotation);
  const bool is_plain = kind_is_python_number(type) || type.tag == KIND_STR || kind_is_list(type) ||
                        type.tag == KIND_DICT || type.tag == KIND_ANNOTATION ||
                        type.tag == KIND_MODULE || type.tag == KIND_OTHER || type.tag == KIND_FOR ||
                        type.tag == KIND_FRAME ||
                        (type.tag == KIND_OBJECT && type.object != TYPE_OBJECT &&
                         type.object != POINTER_OBJECT),
             is_value = type.tag == KIND_BUFFER || kind_is_expr(type);
  char path[RLX_AST_DOTTED_MAX];
  const RlxAst *call = def->annotation;
  if (call->kind == RLX_AST_CALL && rlx_kind_path(k, call->children[0], path) &&
      strcmp(path, "Tuple") == 0) {
    rlx_kind_refuse(k, IN_025, call, type, "a type, as T.int32");
    return;
  }
  const bool is_function = type.tag == KIND_FUNCTION && type.is_nothing,
             is_called = is_function && def->annotation->kind == RLX_AST_NAME &&
                         strcmp(rlx_store_text(k->store, def->annotation->name), "print") == 0;
  if (is_relax(k, def->annotation))
    rlx_kind_refuse_text(k, IN_025, def->annotation->span, "a type of Relax, expected one of T");
  // 0.27 calls what can be called, and of Python's functions print alone takes nothing and gives None.
  if (is_plain || is_value || is_function)
    rlx_kind_refuse(k, is_plain || (is_function && !is_called) ? IN_BOTH : IN_025, def->annotation,
                    type, "a type, as T.int32");
}

/// Whether what is used has a value where it is used: all over the function, or in the block whose buffer gives it.
static bool has_value(const Kinds *k, const KindUse *use) {
  const KindValue *given = use->given;
  if (!given->is_given || (given->from && !given->from->is_given)) return false;
  uint32_t block = use->block;
  while (given->block && block && block != given->block) block = k->blocks.at[block - 1].parent;
  return block == given->block || !given->block;
}

static const char *why_without(const KindUse *use) {
  if (use->given->is_memory)
    return "nothing declares the memory of this buffer: it is only described";
  return use->given->is_given && use->given->block
             ? "this variable has a value only in the block whose T.match_buffer names it"
             : "this variable never gets a value: no buffer's shape names it";
}

static void tell_uses(Kinds *k) {
  for (uint32_t i = 0; i < k->uses.count && !k->is_lax && !k->is_unsure; i++) {
    const KindUse *use = &k->uses.at[i];
    const int where = use->where & ~(use->given->is_in_shape ? IN_027 : 0);
    if (has_value(k, use) || (k->dialects & ~where)) continue;
    k->stmt = use->stmt;
    k->is_told = false;
    rlx_kind_refuse_text(k, where, use->span, why_without(use));
    return;
  }
}

void rlx_primfunc_check_kinds(RlxFn *fn, int dialects, bool is_lax, bool has_kernels, bool is_s_tir,
                              bool is_module_s_tir) {
  Kinds k = {.fn = fn,
             .store = fn->file->store,
             .arena = rlx_arena_new_sized(4096),
             .stmt = fn->stmt,
             .dialects = dialects,
             .before = fn->end.diags.count,
             .is_lax = is_lax,
             .has_kernels = has_kernels,
             .is_s_tir = is_s_tir,
             .is_module_s_tir = is_module_s_tir};
  const RlxStmt *def = fn->stmt;
  const RlxParams taken = rlx_taken_params(def);
  Kind *params = rlx_arena_array(k.arena, Kind, taken.count + 1);
  k.in_signature = true;
  for (uint32_t i = 0; i < taken.count; i++) params[i] = parameter(&k, &taken.at[i]);
  for (uint32_t i = 0; i < def->param_count; i++)
    if (rlx_is_left_out(taken, &def->params[i])) evaluate_unused(&k, &def->params[i]);
  k.in_signature = false;
  check_result(&k, def);
  for (uint32_t i = 0; i < taken.count; i++) rlx_kind_define(&k, taken.at[i].name, params[i]);
  run_suite(&k, def->body, 0);
  tell_uses(&k);
  rlx_kind_scopes_end(&k);
  rlx_kind_texts_end(&k);
  rlx_vec_free(&k.names);
  rlx_map_free(&k.newest);
  rlx_vec_free(&k.uses);
  rlx_vec_free(&k.blocks);
  rlx_vec_free(&k.entered);
  rlx_vec_free(&k.ranks_told);
  rlx_vec_free(&k.attributes);
  rlx_arena_free(k.arena);
}
