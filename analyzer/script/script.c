/// PrimFuncs from their scripts: parameters, suites and the simple statements. A suite is read in order; a
/// statement that binds for the rest of its suite (let, allocation, thread) encloses what follows
/// it. Loops, `with` and assignments are in files of their own.
#include "analyzer/script/script.h"

#include "analyzer/script/script_impl.h"
#include <string.h>

typedef Vec(RlxTirStmt *) Stmts;

RlxTirStmt *rlx_tir_new_stmt(RlxTirReader *r, RlxTirStmtKind kind) {
  RlxTirStmt *s = rlx_arena_one(r->f->arena, RlxTirStmt);
  s->kind = (uint8_t)kind;
  uint32_t base = r->stmt->start - r->origin;
  s->span = rlx_span(base, base + r->stmt->head_size);
  return s;
}

void rlx_tir_set_body(RlxTirReader *r, RlxTirStmt *s, RlxTirStmt *a, RlxTirStmt *b) {
  s->body = rlx_arena_array(r->f->arena, RlxTirStmt *, 2);
  s->body[0] = a;
  s->body[1] = b;
  s->count = b ? 2 : 1;
}

static RlxTirStmt *read_suite(RlxTirReader *r, const RlxBlock *suite);

RlxTirStmt *rlx_tir_read_from(RlxTirReader *r, const RlxBlock *suite, uint32_t frame) {
  uint32_t scope = r->env.count, outer = r->frame;
  const RlxStmt *stmt = r->stmt;
  r->frame = frame;
  RlxTirStmt *body = suite ? read_suite(r, suite) : rlx_tir_seq(r->f, NULL, 0);
  r->frame = outer;
  r->stmt = stmt;
  rlx_tir_leave(r, scope);
  return body;
}

RlxTirStmt *rlx_tir_read_scoped(RlxTirReader *r, const RlxBlock *suite) {
  return rlx_tir_read_from(r, suite, r->env.count);
}

/// Statement calls that say something about the block or function; false when it is none of them.
static bool read_note(RlxTirReader *r, const RlxAst *call, const char *path) {
  const RlxAst *a0 = rlx_tir_arg(r, call, 0, NULL),
               *predicate = rlx_tir_arg(r, call, 0, "predicate");
  if (!strcmp(path, "reads") || !strcmp(path, "writes")) {
    rlx_tir_read_regions(r, call, path[0] == 'r');
  } else if (!strcmp(path, "where") && predicate) {
    if (!rlx_tir_is_in_block(r, call, "T.where")) return true;
    r->uses = RLX_USES_OUTSIDE;
    RlxTirExpr *cond = rlx_tir_eval_expr(r, predicate);
    r->uses = RLX_USES_HERE;
    if (r->block->predicate) rlx_tir_twice(r, call, "T.where");
    r->block->predicate = rlx_tir_and(r->f, r->block->predicate, cond);
  } else if (!strcmp(path, "bind") && r->block && call->child_count == 3 && !rlx_tir_is_known(r)) {
    rlx_tir_read_bind(r, call);
  } else if ((!strcmp(path, "block_attr") || !strcmp(path, "sblock_attr")) && r->block) {
    r->uses = RLX_USES_NOWHERE;
    r->block->annotations = rlx_tir_read_annotations(r, a0, &r->block->annotation_count);
    r->uses = RLX_USES_HERE;
  } else if (!strcmp(path, "func_attr")) {
    r->f->attrs = rlx_tir_read_annotations(r, a0, &r->f->attr_count);
  } else if (strcmp(path, "device_entry") != 0) {
    return false;
  }
  return true;
}

static RlxTirStmt *read_expr_stmt(RlxTirReader *r, const RlxStmt *stmt) {
  const RlxAst *value = stmt->value;
  if (!value || value->kind == RLX_AST_STRING || value->kind == RLX_AST_ELLIPSIS) return NULL;
  if (value->kind == RLX_AST_NAME && rlx_tir_find_var(r, value->name))
    return NULL; // a variable alone is dropped
  const char *path = value->kind == RLX_AST_CALL ? rlx_tir_path(r, value->children[0]) : NULL;
  if (path && read_note(r, value, path)) return NULL;
  const RlxAst *a0 = path ? rlx_tir_arg(r, value, 0, NULL) : NULL,
               *a1 = path ? rlx_tir_arg(r, value, 1, NULL) : NULL;
  if (path && !strcmp(path, "attr")) return rlx_tir_read_attr(r, value);
  if (path && !strcmp(path, "launch_thread")) return rlx_tir_read_launch(r, value, RLX_NAME_NONE);
  if (path && !strncmp(path, "axis.", 5)) {
    rlx_tir_read_axis(r, value, path + 5, RLX_NAME_NONE);
    return NULL;
  }
  if (path && !strcmp(path, "match_buffer")) {
    rlx_tir_read_match_buffer(r, value, RLX_NAME_NONE);
    return NULL;
  }
  if (path && (!strcmp(path, "continue_loop") || !strcmp(path, "break_loop")))
    return rlx_tir_new_stmt(r, path[0] == 'c' ? RLX_TIR_CONTINUE : RLX_TIR_BREAK);
  if (path &&
      (!strcmp(path, "sblock") || !strcmp(path, "block"))) { // entered for the rest of the suite
    rlx_tir_issue(r, value, "a block without `with` is not understood");
    return NULL;
  }
  if (path && !strcmp(path, "Buffer")) {
    rlx_tir_make_buffer(r, RLX_NAME_NONE, value, true);
    return NULL;
  }
  const bool is_bind = path && !strcmp(path, "bind"); // of which the type is no value
  const RlxAst *effect = path && (!strcmp(path, "evaluate") || is_bind) && a0 ? a0 : value;
  if (effect->kind == RLX_AST_CALL && rlx_tir_is_call(r, effect))
    return rlx_tir_read_call(r, effect);
  RlxTirStmt *stored = value->kind == RLX_AST_CALL && !path ? rlx_tir_read_vstore(r, value) : NULL;
  if (stored) return stored;
  RlxTirStmt *s = rlx_tir_new_stmt(r, RLX_TIR_EVALUATE);
  const char *does = effect->kind == RLX_AST_CALL ? rlx_tir_path(r, effect->children[0]) : NULL;
  if (does && !strcmp(does, "ret")) {
    const RlxAst *result = rlx_tir_arg(r, effect, 0, NULL);
    s->kind = RLX_TIR_RETURN;
    s->value = result ? rlx_tir_eval_expr(r, result) : NULL;
  } else if (path && !strcmp(path, "buffer_store") && a0 && a1) {
    return rlx_tir_read_store(r, a0, rlx_tir_arg(r, value, 1, "value"), RLX_OP_NONE);
  } else {
    s->value = rlx_tir_eval_expr(r, effect);
    if (s->value->kind == RLX_TIR_INT) s->kind = RLX_TIR_NOP; // T.evaluate(0)
  }
  return s;
}

static RlxTirStmt *read_if(RlxTirReader *r, const RlxStmt *stmt, RlxTv cond) {
  RlxTirStmt *s = rlx_tir_new_stmt(r, RLX_TIR_IF);
  s->cond = rlx_tir_as(r, cond, rlx_dtype_unknown());
  if (!rlx_dtype_is_bool(s->cond->dtype)) s->cond = rlx_tir_cast(r->f, RLX_BOOL, s->cond);
  RlxTirStmt *then = rlx_tir_read_scoped(r, stmt->body);
  rlx_tir_set_body(r, s, then, stmt->orelse ? rlx_tir_read_scoped(r, stmt->orelse) : NULL);
  return s;
}

static RlxTirExpr *read_condition(RlxTirReader *r, const RlxAst *condition) {
  return condition ? rlx_tir_eval_scalar_expr(r, condition)
                   : rlx_tir_hole_expr(r, "condition expected");
}

static RlxTirStmt *read_while(RlxTirReader *r, const RlxStmt *stmt) {
  RlxTirStmt *s = rlx_tir_new_stmt(r, RLX_TIR_WHILE);
  s->cond = read_condition(r, stmt->value);
  rlx_tir_set_body(r, s, rlx_tir_read_scoped(r, stmt->body), NULL);
  return s;
}

/// `assert condition, "text"` or, as newer printers write it, `assert condition, ("kind",
/// ["part"])`.
static RlxTirStmt *read_assert(RlxTirReader *r, const RlxStmt *stmt) {
  const RlxAst *message = stmt->message;
  RlxTirStmt *s = rlx_tir_new_stmt(r, RLX_TIR_ASSERT);
  s->cond = read_condition(r, stmt->value);
  rlx_tir_set_body(r, s, rlx_tir_seq(r->f, NULL, 0), NULL);
  if (message && message->kind == RLX_AST_STRING) {
    s->value = rlx_arena_one(r->f->arena, RlxTirExpr);
    s->value->kind = RLX_TIR_STRING;
    s->value->text = rlx_arena_strndup(r->f->arena, message->text, message->text_size);
    s->value->text_size = message->text_size;
  } else if (message) {
    RlxBuf words = {0};
    if (rlx_tir_data_words(r, message, &words)) {
      s->annotations = rlx_arena_one(r->f->arena, RlxTirAnnotation);
      s->annotations->words = rlx_arena_strndup(r->f->arena, rlx_buf_text(&words), words.size);
      s->annotation_count = 1;
    }
    rlx_buf_free(&words);
  }
  return s;
}

static RlxTirStmt *read_return(RlxTirReader *r, const RlxStmt *stmt) {
  RlxTirStmt *s = rlx_tir_new_stmt(r, RLX_TIR_RETURN);
  bool has_value = stmt->value && stmt->value->kind != RLX_AST_NONE;
  s->value = has_value ? rlx_tir_eval_expr(r, stmt->value) : NULL;
  return s;
}

/// One statement; NULL: it makes none. `*encloses` is set when the rest of the suite is its body.
static RlxTirStmt *read_stmt(RlxTirReader *r, const RlxStmt *stmt, bool *encloses) {
  *encloses = false;
  RlxTirStmt *s;
  switch ((RlxStmtKind)stmt->kind) {
  case RLX_STMT_EXPR:
    s = read_expr_stmt(r, stmt);
    *encloses = s && (s->kind == RLX_TIR_ATTR || s->kind == RLX_TIR_FOR);
    return s;
  case RLX_STMT_ASSIGN:
  case RLX_STMT_ANNOTATED:
    if (!stmt->target_count || (!stmt->value && stmt->kind == RLX_STMT_ASSIGN)) break;
    if (stmt->value && rlx_tir_is_store(r, stmt))
      return rlx_tir_read_store(r, stmt->targets[0], stmt->value, RLX_OP_NONE);
    s = stmt->value ? rlx_tir_read_binding(r, stmt->targets[0], stmt->value, stmt->annotation)
                    : rlx_tir_read_declared(r, stmt->targets[0], stmt->annotation);
    *encloses = s && s->kind != RLX_TIR_STORE;
    return s;
  case RLX_STMT_AUGMENTED:
    if (!stmt->target_count || !stmt->value) break;
    return rlx_tir_read_store(r, stmt->targets[0], stmt->value, (RlxAstOp)stmt->op);
  case RLX_STMT_FOR: return rlx_tir_read_for(r, stmt);
  case RLX_STMT_WHILE: return read_while(r, stmt);
  case RLX_STMT_WITH: return rlx_tir_read_with(r, stmt);
  case RLX_STMT_ASSERT: return read_assert(r, stmt);
  case RLX_STMT_RETURN: return read_return(r, stmt);
  case RLX_STMT_PASS: return NULL;
  case RLX_STMT_BREAK: return rlx_tir_new_stmt(r, RLX_TIR_BREAK);
  case RLX_STMT_CONTINUE: return rlx_tir_new_stmt(r, RLX_TIR_CONTINUE);
  case RLX_STMT_IF: break; // read_into
  case RLX_STMT_HOLE:      // the syntax error is reported elsewhere
    r->f->has_holes = r->is_broken = true;
    return NULL;
  case RLX_STMT_DELETE:
  case RLX_STMT_RAISE:
  case RLX_STMT_IMPORT:
  case RLX_STMT_TYPE_ALIAS:
  case RLX_STMT_TRY:
  case RLX_STMT_MATCH:
  case RLX_STMT_DEF:
  case RLX_STMT_CLASS: break;
  case RLX_STMT_GLOBAL:
    if (stmt->is_nonlocal) return NULL; // which TVM's parser passes over
    break;
  }
  rlx_tir_issue(r, NULL, "this statement is not understood in a PrimFunc");
  return NULL;
}

/// Statements of a suite so far.
typedef struct Suite {
  Stmts stmts;
  Stmts open;          ///< those whose body is the rest, outermost first
  Vec(uint32_t) marks; ///< of each of them: how many statements there were up to it
} Suite;

static void add(RlxTirReader *r, Suite *suite, RlxTirStmt *s, bool encloses) {
  if (!s) return;
  rlx_vec_push(&suite->stmts, s);
  if (encloses) {
    while (s->count) s = s->body[0]; // chained lets of one statement
    r->enclosed++;
    rlx_vec_push(&suite->open, s);
    rlx_vec_push(&suite->marks, suite->stmts.count);
  }
  if (r->initial) rlx_vec_push(&suite->stmts, r->initial);
  r->initial = NULL;
}

/// Reads the statements of `block` behind those of `suite`. The branch that Python decides for belongs to the
/// suite around it: what it allocates or binds reaches behind it, and so do its names since 0.27.
static void read_into(RlxTirReader *r, Suite *suite, const RlxBlock *block) {
  if (r->depth >= MAX_SUITE_DEPTH) {
    rlx_tir_issue(r, NULL, "statements are nested too deeply");
    return;
  }
  r->depth++;
  for (uint32_t i = 0; i < block->count; i++) {
    const RlxStmt *stmt = r->stmt = block->stmts[i];
    if (r->enclosed >= RLX_TIR_ENCLOSED_MAX) {
      rlx_tir_issue(r, NULL, "too many statements enclose what follows them");
      break;
    }
    if (stmt->kind != RLX_STMT_IF) {
      bool encloses;
      RlxTirStmt *s = read_stmt(r, stmt, &encloses);
      add(r, suite, s, encloses);
      continue;
    }
    RlxTv cond = stmt->value ? rlx_tir_eval_scalar(r, stmt->value) : rlx_tv_hole();
    if (!rlx_tv_is_decided(cond)) {
      add(r, suite, read_if(r, stmt, cond), false);
      continue;
    }
    const RlxBlock *chosen = cond.expr->integer ? stmt->body : stmt->orelse;
    const bool has_scope = !rlx_tir_may_be_027(r);
    const uint32_t count = r->env.count, frame = r->frame;
    if (has_scope) r->frame = count;
    if (chosen) read_into(r, suite, chosen);
    if (has_scope) rlx_tir_leave(r, count);
    const bool may_differ = !has_scope && !rlx_tir_is_027(r); // 0.25 knows no names of the branch
    r->frame = may_differ ? r->env.count : frame;
  }
  r->depth--;
}

static RlxTirStmt *read_suite(RlxTirReader *r, const RlxBlock *block) {
  Suite suite = {0};
  read_into(r, &suite, block);
  Stmts *stmts = &suite.stmts;
  r->enclosed -= suite.open.count;
  while (suite.open.count) { // from the inside out
    uint32_t mark = rlx_vec_pop(&suite.marks);
    RlxTirStmt *rest = rlx_tir_seq(r->f, stmts->at + mark, (int)(stmts->count - mark));
    rlx_tir_set_body(r, rlx_vec_pop(&suite.open), rest, NULL);
    stmts->count = mark;
  }
  RlxTirStmt *seq = rlx_tir_seq(r->f, stmts->at, (int)stmts->count);
  rlx_vec_free(&suite.stmts);
  rlx_vec_free(&suite.open);
  rlx_vec_free(&suite.marks);
  return seq;
}

// ------------------------------------------------------------------ the function

/// dtype of a scalar parameter: T.int32, T.int32(), "int32", int; handles for T.handle.
static RlxDType scalar_param(RlxTirReader *r, const RlxAst *a) {
  const RlxAst *name = a->kind == RLX_AST_CALL ? a->children[0] : a;
  const char *path = rlx_tir_path(r, name);
  RlxDType t;
  if (path && rlx_dtype_parse(path, strlen(path), &t) && rlx_dtype_known(t)) return t;
  if (path && !strcmp(path, "boolean")) return RLX_BOOL;
  if (name->kind == RLX_AST_STRING && rlx_dtype_parse(name->text, name->text_size, &t)) return t;
  if (path || name->kind == RLX_AST_SUBSCRIPT)
    return rlx_dtype(RLX_DTYPE_HANDLE, 64); // T.handle, T.Ptr[…]
  if (name->kind == RLX_AST_NAME && !strcmp(rlx_store_text(r->store, name->name), "int"))
    return RLX_INT32;
  rlx_tir_issue(r, a, "this parameter annotation is not understood in a PrimFunc");
  return rlx_dtype(RLX_DTYPE_HANDLE, 64);
}

void rlx_tir_read_params(RlxTirReader *r, const RlxStmt *def) {
  const RlxParams taken = rlx_taken_params(def);
  r->f->params = rlx_arena_array(r->f->arena, RlxTirParam, taken.count + 1);
  // Scalars first: a buffer's shape may mention one that stands behind it.
  for (uint32_t pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < taken.count; i++) {
      const RlxParam *p = &taken.at[i];
      if (!p->name) continue;
      const RlxAst *a = p->annotation;
      const char *path = a && (a->kind == RLX_AST_CALL || a->kind == RLX_AST_SUBSCRIPT)
                             ? rlx_tir_path(r, a->children[0])
                             : NULL;
      bool is_buffer = rlx_tir_describes_parameter(path);
      if (is_buffer != (pass == 1)) continue;
      RlxTirParam *out = &r->f->params[i];
      if (is_buffer) {
        out->buffer = rlx_tir_annotated_buffer(r, a, p->name);
        out->var = rlx_tir_var(r->f, p->name, rlx_dtype(RLX_DTYPE_HANDLE, 64));
        rlx_tir_define(r, p->name, rlx_tir_buffer_value(out->buffer));
      } else {
        out->var =
            rlx_tir_var(r->f, p->name, a ? scalar_param(r, a) : rlx_dtype(RLX_DTYPE_HANDLE, 64));
        rlx_tir_define(r, p->name, rlx_tv_expr(rlx_tir_var_expr(r->f, out->var), false));
      }
    }
  }
  for (uint32_t i = 0; i < taken.count; i++) { // keep those that are parameters, in order
    const RlxTirParam param = r->f->params[i];
    if (!param.var) continue;
    rlx_map_put(&r->param_of, (uint64_t)(uintptr_t)param.var, (uint64_t)r->f->param_count);
    r->f->params[r->f->param_count++] = param;
    rlx_tir_give_buffer(r, param.var, param.buffer);
  }
}

static bool is_private(RlxTirReader *r, const RlxStmt *def) {
  for (uint32_t i = 0; i < def->decorator_count; i++) {
    const RlxAst *d = def->decorators[i];
    const RlxAst *value =
        d->kind == RLX_AST_CALL ? rlx_tir_arg(r, d, RLX_TIR_KEYWORD_ONLY, "private") : NULL;
    if (value && rlx_ast_flag(value) == 1) return true;
  }
  return false;
}

/// Behind a syntax error, names may be missing that it would have defined, and behind what was not
/// understood, too.
static void hush(RlxTirReader *r) {
  bool is_partial = r->is_broken;
  for (uint32_t i = 0; r->issues && i < r->issues->count; i++) {
    RlxTirIssue *issue = &r->issues->at[i];
    is_partial = is_partial || !issue->diag || issue->diag->id == RLX_DIAG_ID(AXIS);
    bool may_follow =
        r->is_broken || (issue->diag && (issue->diag->id == RLX_DIAG_ID(NAME_UNDEFINED) ||
                                         issue->diag->id == RLX_DIAG_ID(BLOCK_PART_PLACE)));
    if (is_partial && may_follow) issue->diag = NULL;
  }
}

RlxTirStmt *rlx_tir_read_body(RlxTirReader *r) {
  return r->def->body ? read_suite(r, r->def->body) : rlx_tir_seq(r->f, NULL, 0);
}

void rlx_tir_reader_close(RlxTirReader *r) {
  rlx_vec_free(&r->env);
  rlx_map_free(&r->newest);
  rlx_map_free(&r->loops);
  rlx_map_free(&r->ranges);
  rlx_map_free(&r->param_of);
  rlx_map_free(&r->dimensions);
  rlx_map_free(&r->declared);
  rlx_map_free(&r->scalars);
  rlx_map_free(&r->text_vars);
  rlx_vec_free(&r->loop_uses);
  rlx_vec_free(&r->missing);
  rlx_listed_free(&r->is_missing);
  rlx_vec_free(&r->misused);
  rlx_map_free(&r->undeclared);
  rlx_map_free(&r->assigned);
}

RlxPrimFunc *rlx_primfunc_lower(RlxStore *store, const RlxStmt *def, const RlxTirOuter *outer,
                                RlxTirIssues *issues) {
  RlxTirReader r = {.store = store,
                    .f = rlx_primfunc_new(def->name),
                    .def = def,
                    .origin = def->start,
                    .outer = outer,
                    .issues = issues,
                    .stmt = def};
  rlx_tir_read_params(&r, def);
  r.f->is_private = is_private(&r, def);
  r.f->ret = rlx_dtype_unknown();
  if (def->annotation && def->annotation->kind != RLX_AST_NONE)
    r.f->ret = rlx_tir_read_dtype(&r, def->annotation, rlx_dtype_unknown());
  r.f->body = rlx_tir_read_body(&r);
  hush(&r);
  rlx_tir_reader_close(&r);
  return r.f;
}
