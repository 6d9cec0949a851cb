/// Statements of PrimFuncs: parameters, buffers, loops, blocks, lets. A suite is read in order; a
/// statement that binds for the rest of its suite (let, allocation, thread) encloses what follows
/// it.
#include "analyzer/tir/script.h"

#include "analyzer/tir/script_impl.h"
#include <string.h>

enum { MAX_SUITE_DEPTH = 200 };

typedef Vec(RlxTirStmt *) Stmts;

static RlxTirStmt *new_stmt(RlxTirReader *r, RlxTirStmtKind kind) {
  RlxTirStmt *s = rlx_arena_one(r->f->arena, RlxTirStmt);
  s->kind = (uint8_t)kind;
  uint32_t base = r->stmt->start - r->origin;
  s->span = rlx_span(base, base + r->stmt->head_size);
  return s;
}

static void set_body(RlxTirReader *r, RlxTirStmt *s, RlxTirStmt *a, RlxTirStmt *b) {
  s->body = rlx_arena_array(r->f->arena, RlxTirStmt *, 2);
  s->body[0] = a;
  s->body[1] = b;
  s->count = b ? 2 : 1;
}

static RlxTirStmt *read_suite(RlxTirReader *r, const RlxBlock *suite);

/// A suite in a scope of its own, which begins at `frame` of the names: the loop's, too.
static RlxTirStmt *read_from(RlxTirReader *r, const RlxBlock *suite, uint32_t frame) {
  uint32_t scope = r->env.count, outer = r->frame;
  const RlxStmt *stmt = r->stmt;
  r->frame = frame;
  RlxTirStmt *body = suite ? read_suite(r, suite) : rlx_tir_seq(r->f, NULL, 0);
  r->frame = outer;
  r->stmt = stmt;
  rlx_tir_leave(r, scope);
  return body;
}

static RlxTirStmt *read_scoped(RlxTirReader *r, const RlxBlock *suite) {
  return read_from(r, suite, r->env.count);
}

/// Reports when the scope has defined `name` before. `path`: what makes its new value, or NULL; a
/// buffer of one element may be assigned to.
static void check_fresh(RlxTirReader *r, const RlxAst *target, const char *path) {
  static const char *const makers[] = {"Buffer", "match_buffer", "buffer", "alloc", "axis."};
  bool makes = false;
  for (size_t i = 0; path && i < sizeof makers / sizeof *makers; i++)
    makes = makes || strstr(path, makers[i]) != NULL;
  const RlxTirBound *first = NULL; // of the scope
  for (uint32_t at = rlx_tir_place(r, target->name); at > r->frame; at = first->previous)
    first = &r->env.at[at - 1];
  if (!first || !first->stmt || (first->value.kind == RLX_TV_BUFFER && !makes)) return;
  rlx_tir_mistake(r, target, RLX_DIAG_ID(NAME_BOUND_TWICE), "s",
                  rlx_store_text(r->store, target->name));
}

// ------------------------------------------------------------------ loops

static RlxTirStmt *read_loop_body(RlxTirReader *r, const RlxBlock *suite, uint32_t scope) {
  r->loop_depth++;
  RlxTirStmt *body = read_from(r, suite, scope);
  r->loop_depth--;
  return body;
}

static void bind_loop_name(RlxTirReader *r, RlxName name, RlxTirExpr *expr) {
  rlx_vec_push(&r->loops, (RlxTirLoopName){expr, r->block_depth});
  rlx_tir_define(r, name, rlx_tv_expr(expr, false));
}

static void bind_loop(RlxTirReader *r, const RlxAst *target, RlxTirVar *var, RlxTirExpr *min,
                      RlxTirExpr *extent) {
  if (target->kind == RLX_AST_NAME) {
    var->name = target->name;
    bind_loop_name(r, target->name, rlx_tir_var_expr(r->f, var));
  }
  RlxTv loop = {.kind = RLX_TV_TUPLE, .count = 3};
  loop.items = rlx_arena_array(r->f->arena, RlxTv, 3);
  loop.items[0] = rlx_tv_expr(rlx_tir_var_expr(r->f, var), false);
  loop.items[1] = rlx_tv_expr(extent, false);
  bool is_zero = !min || (min->kind == RLX_TIR_INT && !min->integer);
  loop.items[2] = is_zero ? (RlxTv){.kind = RLX_TV_NONE} : rlx_tv_expr(min, false);
  rlx_tir_bind(r, RLX_NAME_NONE, loop);
}

typedef struct LoopForm {
  const char *path;
  RlxTirForKind kind;
} LoopForm;
static const LoopForm loop_forms[] = {{"serial", RLX_FOR_SERIAL},
                                      {"parallel", RLX_FOR_PARALLEL},
                                      {"vectorized", RLX_FOR_VECTORIZED},
                                      {"unroll", RLX_FOR_UNROLLED},
                                      {"thread_binding", RLX_FOR_THREAD_BINDING},
                                      {"grid", RLX_FOR_SERIAL},
                                      {"parallelized", RLX_FOR_PARALLEL}};

static RlxTirStmt *one_loop(RlxTirReader *r, RlxTirVar *var, RlxTirExpr *min, RlxTirExpr *extent,
                            RlxTirForKind kind) {
  RlxTirStmt *s = new_stmt(r, RLX_TIR_FOR);
  s->for_kind = (uint8_t)kind;
  s->var = var;
  s->min = min ? min : rlx_tir_int(r->f, 0, extent->dtype);
  s->extent = extent;
  return s;
}

/// The extents of T.grid, those of `*A.shape` among them.
static uint32_t grid_extents(RlxTirReader *r, const RlxAst *call, RlxTirExpr **out) {
  uint32_t count = 0;
  for (uint32_t i = 1; i < call->child_count && count < MAX_NDIM; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind != RLX_AST_STARRED) {
      out[count++] = rlx_tir_eval_scalar_expr(r, arg);
      continue;
    }
    RlxTv v = rlx_tir_eval(r, arg->children[0]);
    if (v.kind != RLX_TV_TUPLE) rlx_tir_issue(r, arg, "only a tuple can be taken apart");
    for (uint32_t k = 0; v.kind == RLX_TV_TUPLE && k < v.count && count < MAX_NDIM; k++)
      out[count++] = rlx_tir_as(r, v.items[k], rlx_dtype_unknown());
  }
  return count;
}

/// One variable for all loops is the tuple of theirs, which are called name_0, name_1, …
static RlxAst *const *grid_names(RlxTirReader *r, const RlxAst *target, uint32_t count) {
  RlxAst **names = rlx_arena_array(r->f->arena, RlxAst *, count + 1);
  const char *stem = rlx_store_text(r->store, target->name);
  for (uint32_t i = 0; i < count; i++) {
    const char *text = rlx_arena_printf(r->f->arena, "%s_%u", stem, i);
    names[i] = rlx_arena_one(r->f->arena, RlxAst);
    *names[i] = *target;
    names[i]->name = rlx_store_intern(r->store, text, strlen(text));
  }
  return names;
}

/// The names for one loop that stand in brackets of their own, `i, (j, k)`; NULL: there are none.
static const RlxAst *nested_names(const RlxAst *targets) {
  for (uint32_t i = 0; i < targets->child_count; i++)
    if (targets->children[i]->kind == RLX_AST_TUPLE || targets->children[i]->kind == RLX_AST_LIST)
      return targets->children[i];
  return NULL;
}

static RlxTirStmt *read_grid(RlxTirReader *r, const RlxStmt *stmt, const RlxAst *call) {
  const RlxAst *targets = stmt->targets[0];
  bool is_list = targets->kind == RLX_AST_TUPLE || targets->kind == RLX_AST_LIST;
  uint32_t count = is_list ? targets->child_count : 1, scope = r->env.count;
  RlxTirExpr *extent[MAX_NDIM];
  uint32_t extents = grid_extents(r, call, extent);
  bool is_tuple = !is_list && extents > 1 && targets->kind == RLX_AST_NAME;
  bool is_one_in_list = is_list && extents == 1 && rlx_tir_is_known(r);
  if (!extents || (count != extents && !is_tuple) || is_one_in_list) {
    bool is_sure = true;
    for (uint32_t i = 0; is_list && i < count; i++)
      is_sure = is_sure && targets->children[i]->kind == RLX_AST_NAME;
    for (uint32_t i = 1; i < call->child_count; i++)
      is_sure = is_sure && call->children[i]->kind != RLX_AST_STARRED &&
                call->children[i]->kind != RLX_AST_KEYWORD;
    if (is_sure && extents < MAX_NDIM)
      rlx_tir_mistake(r, call, RLX_DIAG_ID(LOOP_NAMES), "sii", "T.grid", (int)extents, (int)count);
    else
      rlx_tir_issue(r, call, "T.grid has %u extents for %u variables", extents, count);
    if (is_sure) rlx_tir_bind_holes(r, targets);
    return new_stmt(r, RLX_TIR_NOP);
  }
  const RlxAst *nested = is_list ? nested_names(targets) : NULL;
  if (nested) {
    rlx_tir_mistake(r, nested, RLX_DIAG_ID(LOOP_NAMES), "sii", "T.grid", 1,
                    (int)nested->child_count);
    rlx_tir_bind_holes(r, targets);
    return new_stmt(r, RLX_TIR_NOP);
  }
  RlxAst *const *names = is_list    ? targets->children
                         : is_tuple ? grid_names(r, targets, extents)
                                    : stmt->targets;
  RlxTv whole = {.kind = RLX_TV_TUPLE, .is_grid = true, .count = extents};
  whole.items = rlx_arena_array(r->f->arena, RlxTv, extents);
  RlxTirStmt *outer = NULL, *inner = NULL;
  for (uint32_t i = 0; i < extents; i++) {
    RlxTirVar *var = rlx_tir_var(r->f, RLX_NAME_NONE,
                                 rlx_dtype_is_int(extent[i]->dtype) ? extent[i]->dtype : RLX_INT32);
    bind_loop(r, names[i], var, NULL, extent[i]);
    whole.items[i] = rlx_tv_expr(rlx_tir_var_expr(r->f, var), false);
    RlxTirStmt *loop = one_loop(r, var, NULL, extent[i], RLX_FOR_SERIAL);
    if (inner) set_body(r, inner, loop, NULL);
    if (!outer) outer = loop;
    inner = loop;
  }
  if (is_tuple) rlx_tir_define(r, targets->name, whole);
  set_body(r, inner, read_loop_body(r, stmt->body, scope), NULL);
  rlx_tir_leave(r, scope);
  return outer;
}

/// The row of `T.serial`…; NULL for `range`, and with `*is_loop` false for anything else.
static const LoopForm *loop_form(RlxTirReader *r, const RlxAst *call, bool *is_loop) {
  const LoopForm *form = NULL;
  *is_loop = false;
  if (!call || call->kind != RLX_AST_CALL) return NULL;
  const char *path = rlx_tir_path(r, call->children[0]);
  for (size_t i = 0; path && i < sizeof loop_forms / sizeof *loop_forms; i++)
    if (!strcmp(path, loop_forms[i].path)) form = &loop_forms[i];
  *is_loop = form || (call->children[0]->kind == RLX_AST_NAME &&
                      !strcmp(rlx_store_text(r->store, call->children[0]->name), "range"));
  return form;
}

/// The positive constant that `step` is; 1 when there is none or it is none.
static int64_t loop_stride(RlxTirReader *r, const RlxAst *step) {
  if (!step) return 1;
  const RlxTirExpr *s = rlx_tir_eval_expr(r, step);
  if (s->kind == RLX_TIR_INT && s->integer >= 1) return s->integer;
  rlx_tir_issue(r, step, "the step of a loop has to be a positive constant");
  return 1;
}

/// The loop over [min, min + extent), without annotations. With a stride it counts iterations, and
/// the name stands for `min + stride * counter`.
static RlxTirStmt *counted_loop(RlxTirReader *r, const RlxStmt *stmt, RlxTirForKind kind,
                                RlxTirExpr *min, RlxTirExpr *extent, int64_t stride) {
  uint32_t scope = r->env.count;
  RlxTirVar *var =
      rlx_tir_var(r->f, RLX_NAME_NONE, rlx_dtype_is_int(extent->dtype) ? extent->dtype : RLX_INT32);
  RlxTirStmt *loop;
  if (stride == 1) {
    bind_loop(r, stmt->targets[0], var, min, extent);
    loop = one_loop(r, var, min, extent, kind);
  } else {
    RlxTirExpr *k = rlx_tir_int(r->f, stride, extent->dtype),
               *km = rlx_tir_int(r->f, stride - 1, extent->dtype);
    RlxTirExpr *trips =
        rlx_tir_binary(r->f, RLX_TIR_FLOORDIV, rlx_tir_binary(r->f, RLX_TIR_ADD, extent, km), k);
    RlxTirExpr *value = rlx_tir_binary(r->f, RLX_TIR_MUL, rlx_tir_var_expr(r->f, var), k);
    if (min) value = rlx_tir_binary(r->f, RLX_TIR_ADD, min, value);
    if (stmt->targets[0]->kind == RLX_AST_NAME) bind_loop_name(r, stmt->targets[0]->name, value);
    loop = one_loop(r, var, NULL, trips, kind);
  }
  set_body(r, loop, read_loop_body(r, stmt->body, scope), NULL);
  return loop;
}

static RlxTirStmt *read_for(RlxTirReader *r, const RlxStmt *stmt) {
  const RlxAst *call = stmt->value;
  bool is_loop;
  const LoopForm *form = loop_form(r, call, &is_loop);
  if (!is_loop || !stmt->target_count) {
    rlx_tir_issue(r, call,
                  "a loop runs over range, T.serial, T.parallel, T.vectorized, T.unroll, "
                  "T.thread_binding or T.grid");
    return new_stmt(r, RLX_TIR_NOP);
  }
  if (form && !strcmp(form->path, "grid")) return read_grid(r, stmt, call);
  const RlxAst *a = rlx_tir_arg(r, call, 0, "start"), *b = rlx_tir_arg(r, call, 1, "stop");
  const RlxAst *target = stmt->targets[0];
  if (target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST) {
    const char *what = form ? rlx_arena_printf(r->f->arena, "T.%s", form->path) : "range";
    rlx_tir_mistake(r, call, RLX_DIAG_ID(LOOP_NAMES), "sii", what, 1, (int)target->child_count);
    rlx_tir_bind_holes(r, target);
    return new_stmt(r, RLX_TIR_NOP);
  }
  if (!a) {
    rlx_tir_issue(r, call, "a loop needs an extent");
    return new_stmt(r, RLX_TIR_NOP);
  }
  RlxTirForKind kind = form ? form->kind : RLX_FOR_SERIAL;
  bool is_thread = kind == RLX_FOR_THREAD_BINDING;
  RlxTirExpr *min = NULL, *extent = rlx_tir_eval_scalar_expr(r, a);
  if (b && b->kind != RLX_AST_NONE && !(is_thread && b->kind == RLX_AST_STRING)) {
    min = extent;
    RlxTirExpr *end = rlx_tir_eval_scalar_expr(r, b);
    RlxDType t = min->dtype.bits > end->dtype.bits ? min->dtype : end->dtype;
    min = rlx_tir_cast(r->f, t, min);
    extent = rlx_tir_binary(r->f, RLX_TIR_SUB, rlx_tir_cast(r->f, t, end), min);
  }
  int64_t stride = loop_stride(r, rlx_tir_arg(r, call, form ? RLX_TIR_KEYWORD_ONLY : 2, "step"));
  uint32_t scope = r->env.count;
  RlxTirStmt *loop = counted_loop(r, stmt, kind, min, extent, stride);
  const RlxAst *thread =
      rlx_tir_arg(r, call, is_thread && (!b || b->kind == RLX_AST_STRING) ? 1 : 2, "thread");
  if (is_thread && thread && thread->kind == RLX_AST_STRING)
    loop->name = rlx_store_intern(r->store, thread->text, thread->text_size);
  loop->annotations = rlx_tir_read_annotations(
      r, rlx_tir_arg(r, call, RLX_TIR_KEYWORD_ONLY, "annotations"), &loop->annotation_count);
  rlx_tir_leave(r, scope);
  return loop;
}

// ------------------------------------------------------------------ with

/// At the end of a block: loops around it may be used inside it only when it has no block
/// variables. Each loop is reported once.
static void check_loop_uses(RlxTirReader *r, const RlxTirBlock *block) {
  const RlxTirExpr *reported = NULL;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < r->loop_uses.count; i++) {
    RlxTirLoopUse use = r->loop_uses.at[i];
    if (use.depth < r->block_depth) {
      r->loop_uses.at[kept++] = use;
    } else if (!block->iter_count) {
      use.depth = r->block_depth - 1;
      if (use.loop_depth < use.depth) r->loop_uses.at[kept++] = use;
    } else if (use.expr != reported) {
      const RlxStmt *stmt = r->stmt;
      r->stmt = use.stmt;
      rlx_tir_mistake(r, use.ast, RLX_DIAG_ID(BLOCK_LOOP_VAR), "ss",
                      rlx_store_text(r->store, use.ast->name),
                      rlx_store_text(r->store, block->name));
      r->stmt = stmt;
      reported = use.expr;
    }
  }
  r->loop_uses.count = kept;
}

static RlxTirStmt *read_block(RlxTirReader *r, const RlxStmt *stmt, const RlxWithItem *item) {
  const RlxAst *call = item->value;
  RlxTirStmt *s = new_stmt(r, RLX_TIR_BLOCK);
  RlxTirBlock *block = rlx_arena_one(r->f->arena, RlxTirBlock);
  block->read_count = block->write_count = -1;
  const bool has_domains = rlx_tir_has_domains(call);
  const RlxAst *name = rlx_tir_arg(r, call, has_domains, "name");
  if (name && name->kind == RLX_AST_STRING)
    block->name = rlx_store_intern(r->store, name->text, name->text_size);
  s->block = block;
  RlxTirBlock *outer = r->block;
  bool in_init = r->is_in_init;
  r->is_in_init = false;
  RlxTirStmt *outer_stmt = r->block_stmt;
  r->block = block;
  r->block_stmt = s;
  r->block_depth++;
  int outer_loops = r->loop_depth;
  r->loop_depth = 0;
  uint32_t scope = r->env.count;
  if (has_domains) rlx_tir_read_domains(r, call, item->target);
  set_body(r, s, read_scoped(r, stmt->body), NULL);
  if (has_domains) rlx_tir_bind_domains(r, call, scope);
  r->env.count = scope;
  check_loop_uses(r, block);
  r->block_depth--;
  r->loop_depth = outer_loops;
  r->is_in_init = in_init;
  r->block = outer;
  r->block_stmt = outer_stmt;
  return s;
}

static bool is_block_path(const char *path) {
  return !strcmp(path, "block") || !strcmp(path, "sblock");
}

static RlxTirStmt *let_stmt(RlxTirReader *r, RlxName name, RlxTirExpr *value, RlxTirVar *var) {
  RlxTirStmt *s = new_stmt(r, RLX_TIR_LET_STMT);
  s->var = var ? var : rlx_tir_var(r->f, name, value->dtype);
  s->value = value;
  if (name) rlx_tir_bind(r, name, rlx_tv_expr(rlx_tir_var_expr(r->f, s->var), false));
  return s;
}

static RlxTirStmt *thread_stmt(RlxTirReader *r, const RlxAst *call, RlxName name) {
  const RlxAst *extent = rlx_tir_arg(r, call, 1, "extent"),
               *which = rlx_tir_arg(r, call, 0, "thread");
  RlxTirExpr *e =
      extent ? rlx_tir_eval_scalar_expr(r, extent) : rlx_tir_hole_expr(r, "extent expected");
  RlxTirVar *var = rlx_tir_var(r->f, name, rlx_dtype_is_int(e->dtype) ? e->dtype : RLX_INT32);
  RlxTirStmt *s = one_loop(r, var, NULL, e, RLX_FOR_THREAD_BINDING); // run one after the other
  s->is_launch = true;
  if (which && which->kind == RLX_AST_STRING)
    s->name = rlx_store_intern(r->store, which->text, which->text_size);
  if (which && which->kind == RLX_AST_NAME) {
    RlxTv v;
    if (rlx_tir_find(r, which->name, &v) && v.kind == RLX_TV_EXPR && v.expr->kind == RLX_TIR_VAR)
      s->var = v.expr->var;
  }
  if (name) rlx_tir_bind(r, name, rlx_tv_expr(rlx_tir_var_expr(r->f, s->var), false));
  return s;
}

/// T.attr({"key": value}), or T.attr(0, "key", value); of another node than 0 nothing is kept.
static RlxTirStmt *attr_stmt(RlxTirReader *r, const RlxAst *call) {
  RlxTirStmt *s = new_stmt(r, RLX_TIR_ATTR);
  const RlxAst *first = rlx_tir_arg(r, call, 0, "node"), *key = rlx_tir_arg(r, call, 1, "attr_key"),
               *value = rlx_tir_arg(r, call, 2, "value");
  bool is_plain =
      first && first->kind == RLX_AST_INT && key && key->kind == RLX_AST_STRING && value;
  RlxAst *entry[2] = {rlx_arena_one(r->f->arena, RlxAst), rlx_arena_one(r->f->arena, RlxAst)};
  RlxAst dict = {.kind = RLX_AST_DICT, .child_count = 2, .children = entry};
  if (is_plain) *entry[0] = *key, *entry[1] = *value;
  s->annotations = rlx_tir_read_annotations(r, is_plain ? &dict : first, &s->annotation_count);
  return s;
}

/// One item of a with statement; gives the statement that encloses the rest, or NULL when the item
/// only binds names.
/// Of a buffer over memory that is there: of which buffer it is a view.
static void link_view(RlxTirReader *r, RlxTirBuffer *buffer) {
  for (uint32_t i = 0; buffer->data && i < r->env.count; i++) {
    RlxTirBuffer *other =
        r->env.at[i].value.kind == RLX_TV_BUFFER ? r->env.at[i].value.buffer : NULL;
    if (other && other != buffer && other->data == buffer->data) {
      buffer->view_of = other->view_of && !other->view_origin ? other->view_of : other;
      return;
    }
  }
}

/// Memory with contents; what is only looked at keeps its words.
static bool is_constant(const RlxTirReader *r, const char *path) {
  return r->outer && r->outer->inlines && !strcmp(path, "allocate_const");
}

static RlxTirStmt *read_constant(RlxTirReader *r, const RlxAst *call, RlxName name) {
  RlxTirStmt *s = rlx_tir_read_constant(r, call, name);
  rlx_tir_bind(r, name, s ? rlx_tir_buffer_value(s->buffer) : rlx_tv_hole());
  return s;
}

static RlxTirStmt *read_with_item(RlxTirReader *r, const RlxStmt *stmt, const RlxWithItem *item,
                                  bool *is_whole) {
  const RlxAst *call = item->value;
  const char *path = call->kind == RLX_AST_CALL ? rlx_tir_path(r, call->children[0]) : NULL;
  RlxName name =
      item->target && item->target->kind == RLX_AST_NAME ? item->target->name : RLX_NAME_NONE;
  if (path && is_block_path(path)) {
    *is_whole = true;
    return read_block(r, stmt, item);
  }
  if (path && !strcmp(path, "init")) {
    *is_whole = true;
    bool is_placed = rlx_tir_is_in_block(r, call, "T.init");
    if (is_placed && r->block_stmt->init)
      rlx_tir_mistake(r, call, RLX_DIAG_ID(BLOCK_PART_TWICE), "s", "T.init");
    r->is_in_init = true;
    RlxTirStmt *init = read_scoped(r, stmt->body);
    r->is_in_init = false;
    if (is_placed) r->block_stmt->init = init;
    return new_stmt(r, RLX_TIR_NOP);
  }
  const RlxAst *a0 = path ? rlx_tir_arg(r, call, 0, NULL) : NULL,
               *a1 = path ? rlx_tir_arg(r, call, 1, NULL) : NULL;
  if (path && !strcmp(path, "let") && a0 && a1 && a0->kind == RLX_AST_NAME) {
    RlxTv known;
    RlxTirVar *var = rlx_tir_find(r, a0->name, &known) && known.kind == RLX_TV_EXPR &&
                             known.expr->kind == RLX_TIR_VAR
                         ? known.expr->var
                         : NULL;
    return let_stmt(r, a0->name, rlx_tir_eval_scalar_expr(r, a1), var);
  }
  if (path && (!strcmp(path, "LetStmt") || !strcmp(path, "Bind")) && a0) {
    const RlxAst *given = rlx_tir_arg(r, call, RLX_TIR_KEYWORD_ONLY, "var");
    RlxTv known;
    RlxTirVar *var = given && given->kind == RLX_AST_NAME && rlx_tir_find(r, given->name, &known) &&
                             known.kind == RLX_TV_EXPR && known.expr->kind == RLX_TIR_VAR
                         ? known.expr->var
                         : NULL;
    return let_stmt(r, name, rlx_tir_eval_scalar_expr(r, a0), var);
  }
  if (path && !strcmp(path, "launch_thread")) return thread_stmt(r, call, name);
  if (path && (!strcmp(path, "allocate") || !strcmp(path, "decl_buffer") ||
               !strcmp(path, "alloc_buffer") || !strcmp(path, "Buffer"))) {
    RlxTirStmt *s = new_stmt(r, RLX_TIR_ALLOC);
    s->buffer = rlx_tir_read_buffer(r, call, 0, name, false);
    link_view(r, s->buffer);
    rlx_tir_bind(r, name, rlx_tir_buffer_value(s->buffer));
    return s;
  }
  if (path && !strcmp(path, "attr")) return attr_stmt(r, call);
  if (path && is_constant(r, path)) return read_constant(r, call, name);
  if (path && !strcmp(path, "Assert")) {
    RlxTirStmt *s = new_stmt(r, RLX_TIR_ASSERT);
    if (a0) s->cond = rlx_tir_eval_expr(r, a0);
    RlxTv text = a1 ? rlx_tir_eval(r, a1) : rlx_tv_hole();
    if (text.kind == RLX_TV_STRING) s->value = rlx_tir_string(r->f, text.text);
    return s;
  }
  rlx_tir_issue(r, call, "this `with` is not understood in a PrimFunc");
  return NULL;
}

static RlxTirStmt *read_with(RlxTirReader *r, const RlxStmt *stmt) {
  uint32_t scope = r->env.count;
  RlxTirStmt *outer = NULL, *inner = NULL;
  bool is_whole = false;
  for (uint32_t i = 0; i < stmt->item_count && !is_whole; i++) {
    RlxTirStmt *s = read_with_item(r, stmt, &stmt->items[i], &is_whole);
    if (!s) continue;
    if (inner) set_body(r, inner, s, NULL);
    if (!outer) outer = s;
    inner = s;
  }
  if (!is_whole) {
    RlxTirStmt *parts[2] = {r->initial, NULL};
    r->initial = NULL;
    RlxTirStmt *body = parts[1] = read_scoped(r, stmt->body);
    if (parts[0]) body = rlx_tir_seq(r->f, parts, 2);
    if (!inner)
      outer = body;
    else
      set_body(r, inner, body, NULL);
  }
  rlx_tir_leave(r, scope);
  return outer;
}

// ------------------------------------------------------------------ simple statements

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
    if (r->block->predicate)
      rlx_tir_mistake(r, call, RLX_DIAG_ID(BLOCK_PART_TWICE), "s", "T.where");
    r->block->predicate =
        r->block->predicate ? rlx_tir_binary(r->f, RLX_TIR_AND, r->block->predicate, cond) : cond;
  } else if (!strcmp(path, "bind") && r->block && call->child_count == 3) {
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

/// `x: T.let[T.int32] = …` is a variable; other scalars are memory since 0.25, to be stored to.
static bool is_let(RlxTirReader *r, const RlxAst *annotation) {
  if (!annotation || annotation->kind != RLX_AST_SUBSCRIPT) return false;
  const char *path = rlx_tir_path(r, annotation->children[0]);
  return path && !strcmp(path, "let");
}

/// `n = T.int32()` where a dimension of a parameter, written as a string, is called `n`: that one.
static bool is_of_signature(RlxTirReader *r, RlxName name, RlxDType dtype) {
  RlxTv known;
  if (!rlx_tir_find(r, name, &known) || known.kind != RLX_TV_EXPR ||
      known.expr->kind != RLX_TIR_VAR || !rlx_dtype_equal(known.expr->dtype, dtype))
    return false;
  for (int i = 0; i < r->f->param_count; i++) {
    const RlxTirBuffer *b = r->f->params[i].buffer;
    for (int d = 0; b && d < b->ndim; d++)
      if (b->shape[d]->kind == RLX_TIR_VAR && b->shape[d]->var == known.expr->var) return true;
  }
  return false;
}

static bool is_one_of(const char *path, const char *const *words) {
  for (; path && *words; words++)
    if (strcmp(path, *words) == 0) return true;
  return false;
}

static bool is_sequence(const RlxAst *ast) {
  return ast->kind == RLX_AST_TUPLE || ast->kind == RLX_AST_LIST;
}

static RlxTirStmt *read_binding(RlxTirReader *r, const RlxAst *target, const RlxAst *value,
                                const RlxAst *annotation);

/// `n, m = T.int64(), T.int64()`: one after the other, each enclosing the next.
static RlxTirStmt *read_bindings(RlxTirReader *r, const RlxAst *targets, const RlxAst *values) {
  RlxTirStmt *outer = NULL, *inner = NULL;
  for (uint32_t i = 0; i < targets->child_count; i++) {
    RlxTirStmt *s = read_binding(r, targets->children[i], values->children[i], NULL);
    if (!s) continue;
    if (inner) set_body(r, inner, s, NULL);
    if (!outer) outer = s;
    inner = s;
  }
  return outer;
}

/// `a, b = value`, where the value is a tuple when it is evaluated.
static void unpack(RlxTirReader *r, const RlxAst *target, const RlxAst *value) {
  RlxTv v = rlx_tir_eval(r, value);
  bool fits = v.kind == RLX_TV_TUPLE && is_sequence(target) && v.count == target->child_count;
  for (uint32_t i = 0; fits && i < v.count; i++)
    if (target->children[i]->kind == RLX_AST_NAME)
      rlx_tir_bind(r, target->children[i]->name, v.items[i]);
  if (fits) return;
  rlx_tir_issue(r, target, "this target is not understood in a PrimFunc");
  rlx_tir_bind_holes(r, target);
}

/// The buffer that a call describes. The variables in its shape are not used by that.
static RlxTirBuffer *make_buffer(RlxTirReader *r, RlxName name, const RlxAst *value,
                                 bool is_described) {
  r->uses = RLX_USES_NOWHERE;
  RlxTirBuffer *buffer = rlx_tir_read_buffer(r, value, 0, name, is_described);
  r->uses = RLX_USES_HERE;
  return buffer;
}

/// `A = T.alloc_buffer(…)`, `T.decl_buffer(…)`, `T.Buffer(…)` and the like: memory for the rest of
/// the suite; NULL when it is the block's, or a view of memory that is there.
static RlxTirStmt *read_allocation(RlxTirReader *r, RlxName name, const RlxAst *value,
                                   const char *path) {
  bool is_described = !strcmp(path, "Buffer");
  RlxTirBuffer *buffer = make_buffer(r, name, value, is_described);
  if (!strcmp(path, "alloc_local") || !strcmp(path, "alloc_shared"))
    buffer->scope = rlx_store_intern(r->store, path + 6, strlen(path + 6));
  rlx_tir_define(r, name, rlx_tir_buffer_value(buffer));
  link_view(r, buffer);
  // Until 0.23 it could be used; whether it may is a question to who checks, not to who runs it.
  bool is_usable = r->outer && r->outer->inlines && buffer->view_of;
  if (is_described && !is_usable) rlx_vec_push(&r->undeclared, buffer);
  // From 0.25 on it stands where it is written: memory of each iteration.
  bool is_of_iteration = r->loop_depth && r->outer && r->outer->places_allocs;
  if (!strcmp(path, "alloc_buffer") && !buffer->view_of && !is_of_iteration) {
    buffer->is_of_body = true;
    rlx_tir_add_alloc(r, buffer);
    return NULL;
  }
  RlxTirStmt *s = new_stmt(r, RLX_TIR_ALLOC);
  s->buffer = buffer;
  return s;
}

/// A fresh variable of type `dtype` under `name`.
static void bind_var(RlxTirReader *r, RlxName name, RlxDType dtype) {
  rlx_tir_bind(r, name, rlx_tv_expr(rlx_tir_var_expr(r->f, rlx_tir_var(r->f, name, dtype)), false));
}

/// The assignments whose value is a call that makes something of its own: axes, buffers, threads,
/// variables. False: it is none of them. `*out`: the statement that encloses the rest, or NULL.
static bool read_maker(RlxTirReader *r, RlxName name, const RlxAst *value, const char *path,
                       RlxTirStmt **out) {
  static const char *const allocates[] = {"decl_buffer", "buffer_decl", "Buffer", "allocate", NULL};
  static const char *const variables[] = {"var", "Var", "SizeVar", NULL};
  *out = NULL;
  if (!strncmp(path, "axis.", 5)) {
    rlx_tir_read_axis(r, value, path + 5, name);
  } else if (!strcmp(path, "match_buffer")) {
    rlx_tir_read_match_buffer(r, value, name);
  } else if (!strcmp(path, "sblock_alloc_buffer")) {
    RlxTirBuffer *buffer = make_buffer(r, name, value, false);
    rlx_tir_add_alloc(r, buffer);
    rlx_tir_define(r, name, rlx_tir_buffer_value(buffer));
  } else if (is_one_of(path, allocates) || !strncmp(path, "alloc_", 6)) {
    *out = read_allocation(r, name, value, path);
  } else if (is_constant(r, path)) {
    *out = read_constant(r, value, name);
  } else if (!strcmp(path, "launch_thread")) {
    *out = thread_stmt(r, value, name);
  } else if (!strcmp(path, "env_thread")) {
    bind_var(r, name, RLX_INT32);
  } else if (is_one_of(path, variables)) {
    const RlxAst *dtype = rlx_tir_arg(r, value, !strcmp(path, "var") ? 0 : 1, "dtype");
    bind_var(r, name, rlx_tir_read_dtype(r, dtype, RLX_INT32));
  } else {
    return false;
  }
  return true;
}

static void note_assigned(RlxTirReader *r, const RlxBlock *suite, int depth) {
  for (uint32_t i = 0; suite && depth < MAX_SUITE_DEPTH && i < suite->count; i++) {
    const RlxStmt *stmt = suite->stmts[i];
    if (stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_AUGMENTED)
      for (uint32_t k = 0; k < stmt->target_count; k++)
        if (stmt->targets[k]->kind == RLX_AST_NAME)
          rlx_map_put(&r->assigned, stmt->targets[k]->name, 1);
    note_assigned(r, stmt->body, depth + 1);
    note_assigned(r, stmt->orelse, depth + 1);
  }
}

/// Whether `name: type = …` is given other values, too.
static bool may_change(RlxTirReader *r, RlxName name) {
  if (!r->knows_assigned) note_assigned(r, r->def->body, 0);
  r->knows_assigned = true;
  return rlx_map_get(&r->assigned, name, NULL);
}

/// A variable that changes is memory of one element.
static RlxTirStmt *scalar_memory(RlxTirReader *r, RlxName name, RlxDType dtype) {
  RlxTirStmt *alloc = new_stmt(r, RLX_TIR_ALLOC);
  alloc->buffer = rlx_tir_buffer(r->f, name, dtype, NULL, 0);
  alloc->buffer->is_scalar = true;
  rlx_tir_bind(r, name, rlx_tir_buffer_value(alloc->buffer));
  return alloc;
}

/// `target = value`: gives a statement that encloses the rest of the suite, or NULL.
static RlxTirStmt *read_binding(RlxTirReader *r, const RlxAst *target, const RlxAst *value,
                                const RlxAst *annotation) {
  const char *path = value->kind == RLX_AST_CALL ? rlx_tir_path(r, value->children[0]) : NULL;
  if (path && !strcmp(path, "axis.remap")) {
    rlx_tir_read_remap(r, value, target);
    return NULL;
  }
  if (is_sequence(target) && value->kind == RLX_AST_TUPLE &&
      target->child_count == value->child_count)
    return read_bindings(r, target, value);
  if (target->kind != RLX_AST_NAME) {
    unpack(r, target, value);
    return NULL;
  }
  RlxName name = target->name;
  RlxTirStmt *made;
  check_fresh(r, target, path);
  if (path && read_maker(r, name, value, path, &made)) return made;
  const RlxAst *bound = path && !strcmp(path, "bind") ? rlx_tir_arg(r, value, 0, NULL) : value;
  // `x = A[0]` alone is a name for a part; with a type, or bound, it is a value.
  const bool is_value = annotation || bound != value;
  const bool is_typed_let = annotation && annotation->kind == RLX_AST_SUBSCRIPT;
  RlxTv v = is_value
                ? rlx_tir_eval_bound(r, bound ? bound : value, !is_typed_let && !rlx_tir_is_027(r))
                : rlx_tir_eval(r, value);
  bool is_fresh = v.kind == RLX_TV_EXPR && v.expr->kind == RLX_TIR_VAR && !v.expr->var->name;
  if (is_fresh && is_of_signature(r, name, v.expr->dtype)) return NULL;
  if (is_fresh) v.expr->var->name = name; // n = T.int64()
  if (v.kind != RLX_TV_EXPR || is_fresh || (v.weak && !annotation)) {
    rlx_tir_bind(r, name, v);
    if (is_let(r, annotation) && v.kind == RLX_TV_EXPR) rlx_vec_last(&r->env).stmt = r->stmt;
    return NULL;
  }
  RlxTirExpr *expr = v.expr;
  if (annotation) {
    RlxTv t = rlx_tir_eval(r, annotation->kind == RLX_AST_SUBSCRIPT && annotation->child_count == 2
                                  ? annotation->children[1]
                                  : annotation);
    if (t.kind == RLX_TV_DTYPE) expr = rlx_tir_as(r, v, t.dtype);
  }
  bool is_scalar = annotation && annotation->kind != RLX_AST_SUBSCRIPT;
  if (is_scalar && may_change(r, name)) {
    RlxTirStmt *alloc = scalar_memory(r, name, expr->dtype);
    r->initial = rlx_tir_store(r->f, alloc->buffer, NULL, expr);
    r->initial->span = alloc->span;
    return alloc;
  }
  RlxTirStmt *let = let_stmt(r, name, expr, NULL);
  let->is_scalar = is_scalar;
  let->is_memory = is_scalar || (!annotation && expr->kind != RLX_TIR_VAR);
  if (is_let(r, annotation)) rlx_vec_last(&r->env).stmt = r->stmt;
  return let;
}

static RlxTirStmt *store_to(RlxTirReader *r, const RlxTirExpr *load, RlxTirExpr *value) {
  RlxTirStmt *s = rlx_tir_store(r->f, load->buffer, load->args, value);
  uint32_t base = r->stmt->start - r->origin;
  s->span = rlx_span(base, base + r->stmt->head_size);
  return s;
}

/// `A.vstore([i], value)`; NULL when it is something else.
static RlxTirStmt *read_vstore(RlxTirReader *r, const RlxAst *call) {
  const RlxAst *callee = call->children[0], *begin = rlx_tir_arg(r, call, 0, "begin"),
               *given = rlx_tir_arg(r, call, 1, "value");
  if (callee->kind != RLX_AST_ATTRIBUTE || !begin || !given ||
      strcmp(rlx_store_text(r->store, callee->name), "vstore") != 0)
    return NULL;
  RlxTv base = rlx_tir_eval(r, callee->children[0]);
  if (base.kind != RLX_TV_BUFFER) return NULL;
  RlxTirExpr *value = rlx_tir_eval_expr(r, given);
  RlxTv place = rlx_tir_vector_place(r, call, base.buffer, begin, value->dtype.lanes);
  return place.kind == RLX_TV_EXPR ? store_to(r, place.expr, value) : NULL;
}

/// What is stored to an element (or vector) of `dtype`; NULL when it is surely something else, which
/// was reported.
static RlxTirExpr *stored_value(RlxTirReader *r, const RlxAst *ast, RlxDType dtype) {
  RlxTv v = rlx_tir_eval(r, ast);
  bool is_known = rlx_tir_is_known(r), is_whole = v.kind == RLX_TV_BUFFER && v.buffer->ndim > 0;
  if (is_known && (is_whole || (v.kind == RLX_TV_REGION && rlx_tir_is_027(r)))) {
    rlx_tir_part_mistake(r, ast, v);
    return NULL;
  }
  v = rlx_tir_value(r, ast, v);
  bool is_vector = v.kind == RLX_TV_EXPR && v.expr->dtype.lanes > 1;
  if (r->outer && r->outer->may_be_025 && is_vector && dtype.lanes == 1 &&
      r->part_stmt == r->stmt) {
    rlx_tir_part_mistake(r, ast, r->part_value);
    return NULL;
  }
  return rlx_tir_as(r, v, dtype);
}

static RlxTirStmt *read_store(RlxTirReader *r, const RlxAst *target, const RlxAst *value,
                              RlxAstOp op) {
  RlxTv place = rlx_tir_eval(r, target);
  bool is_part = place.kind == RLX_TV_REGION && r->part == target;
  if (is_part && r->part_indices < place.expr->buffer->ndim) {
    rlx_tir_part_mistake(r, target, place);
    return NULL;
  }
  place = rlx_tir_value(r, target, place);
  if (place.kind == RLX_TV_HOLE) return NULL;
  if (place.kind != RLX_TV_EXPR || place.expr->kind != RLX_TIR_LOAD) {
    rlx_tir_issue(r, target, "a store needs one element of a buffer");
    return NULL;
  }
  RlxTirExpr *load = place.expr, *e;
  if (op != RLX_OP_NONE) {
    RlxAst *operands[2] = {rlx_arena_one(r->f->arena, RlxAst), rlx_arena_one(r->f->arena, RlxAst)};
    *operands[0] = *target;
    *operands[1] = *value;
    RlxAst sum = {.kind = RLX_AST_BINARY,
                  .op = (uint8_t)op,
                  .span = target->span,
                  .child_count = 2,
                  .children = operands};
    e = rlx_tir_eval_as(r, &sum, load->dtype);
  } else {
    e = stored_value(r, value, load->dtype);
  }
  return e ? store_to(r, load, e) : NULL;
}

static RlxTirStmt *read_expr_stmt(RlxTirReader *r, const RlxStmt *stmt) {
  const RlxAst *value = stmt->value;
  if (!value || value->kind == RLX_AST_STRING || value->kind == RLX_AST_ELLIPSIS) return NULL;
  RlxTv named;
  if (value->kind == RLX_AST_NAME && rlx_tir_find(r, value->name, &named) &&
      named.kind == RLX_TV_EXPR && named.expr->kind == RLX_TIR_VAR)
    return NULL; // a variable alone is dropped
  const char *path = value->kind == RLX_AST_CALL ? rlx_tir_path(r, value->children[0]) : NULL;
  if (path && read_note(r, value, path)) return NULL;
  const RlxAst *a0 = path ? rlx_tir_arg(r, value, 0, NULL) : NULL,
               *a1 = path ? rlx_tir_arg(r, value, 1, NULL) : NULL;
  if (path && !strcmp(path, "attr")) return attr_stmt(r, value);
  if (path && !strcmp(path, "launch_thread")) return thread_stmt(r, value, RLX_NAME_NONE);
  if (path && !strncmp(path, "axis.", 5)) {
    rlx_tir_read_axis(r, value, path + 5, RLX_NAME_NONE);
    return NULL;
  }
  if (path && !strcmp(path, "match_buffer")) {
    rlx_tir_read_match_buffer(r, value, RLX_NAME_NONE);
    return NULL;
  }
  if (path && (!strcmp(path, "continue_loop") || !strcmp(path, "break_loop")))
    return new_stmt(r, path[0] == 'c' ? RLX_TIR_CONTINUE : RLX_TIR_BREAK);
  if (path && !strcmp(path, "Buffer")) {
    make_buffer(r, RLX_NAME_NONE, value, true);
    return NULL;
  }
  const RlxAst *effect = path && !strcmp(path, "evaluate") && a0 ? a0 : value;
  if (effect->kind == RLX_AST_CALL && rlx_tir_is_call(r, effect))
    return rlx_tir_read_call(r, effect);
  RlxTirStmt *stored = value->kind == RLX_AST_CALL && !path ? read_vstore(r, value) : NULL;
  if (stored) return stored;
  RlxTirStmt *s = new_stmt(r, RLX_TIR_EVALUATE);
  const char *does = effect->kind == RLX_AST_CALL ? rlx_tir_path(r, effect->children[0]) : NULL;
  if (does && !strcmp(does, "ret")) {
    const RlxAst *result = rlx_tir_arg(r, effect, 0, NULL);
    s->kind = RLX_TIR_RETURN;
    s->value = result ? rlx_tir_eval_expr(r, result) : NULL;
  } else if (path && !strcmp(path, "buffer_store") && a0 && a1) {
    return read_store(r, a0, rlx_tir_arg(r, value, 1, "value"), RLX_OP_NONE);
  } else {
    s->value = rlx_tir_eval_expr(r, effect);
    if (s->value->kind == RLX_TIR_INT) s->kind = RLX_TIR_NOP; // T.evaluate(0)
  }
  return s;
}

static RlxTirStmt *read_if(RlxTirReader *r, const RlxStmt *stmt, RlxTv cond) {
  RlxTirStmt *s = new_stmt(r, RLX_TIR_IF);
  s->cond = rlx_tir_as(r, cond, rlx_dtype_unknown());
  if (!rlx_dtype_is_bool(s->cond->dtype)) s->cond = rlx_tir_cast(r->f, RLX_BOOL, s->cond);
  RlxTirStmt *then = read_scoped(r, stmt->body);
  set_body(r, s, then, stmt->orelse ? read_scoped(r, stmt->orelse) : NULL);
  return s;
}

/// `x: T.int32`, `x: T.float32[8]`: memory of its own, a scalar or an array.
static RlxTirStmt *read_declared(RlxTirReader *r, const RlxAst *target, const RlxAst *annotation) {
  bool is_array =
      annotation && annotation->kind == RLX_AST_SUBSCRIPT && annotation->child_count == 2;
  const RlxAst *type = is_array ? annotation->children[0] : annotation;
  RlxDType dtype = type ? rlx_tir_read_dtype(r, type, RLX_INT32) : RLX_INT32;
  int ndim = 0;
  if (!is_array) return scalar_memory(r, target->name, dtype);
  RlxTirStmt *alloc = new_stmt(r, RLX_TIR_ALLOC);
  RlxTirExpr **shape = rlx_tir_dimensions(r, annotation->children[1], &ndim);
  alloc->buffer = rlx_tir_buffer(r->f, target->name, dtype, shape, ndim);
  rlx_tir_bind(r, target->name, rlx_tir_buffer_value(alloc->buffer));
  return alloc;
}

/// `A[i] = value`, or `x = value` where `x` is a scalar in memory.
static bool is_store(RlxTirReader *r, const RlxStmt *stmt) {
  const RlxAst *target = stmt->targets[0];
  RlxTv known;
  return target->kind == RLX_AST_SUBSCRIPT ||
         (target->kind == RLX_AST_NAME && stmt->kind == RLX_STMT_ASSIGN &&
          rlx_tir_find(r, target->name, &known) && known.kind == RLX_TV_BUFFER &&
          known.buffer->ndim == 0);
}

static RlxTirExpr *read_condition(RlxTirReader *r, const RlxAst *condition) {
  return condition ? rlx_tir_eval_scalar_expr(r, condition)
                   : rlx_tir_hole_expr(r, "condition expected");
}

static RlxTirStmt *read_while(RlxTirReader *r, const RlxStmt *stmt) {
  RlxTirStmt *s = new_stmt(r, RLX_TIR_WHILE);
  s->cond = read_condition(r, stmt->value);
  set_body(r, s, read_scoped(r, stmt->body), NULL);
  return s;
}

/// `assert condition, "text"` or, as newer printers write it, `assert condition, ("kind",
/// ["part"])`.
static RlxTirStmt *read_assert(RlxTirReader *r, const RlxStmt *stmt) {
  const RlxAst *message = stmt->message;
  RlxTirStmt *s = new_stmt(r, RLX_TIR_ASSERT);
  s->cond = read_condition(r, stmt->value);
  set_body(r, s, rlx_tir_seq(r->f, NULL, 0), NULL);
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
  RlxTirStmt *s = new_stmt(r, RLX_TIR_RETURN);
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
    if (stmt->value && is_store(r, stmt))
      return read_store(r, stmt->targets[0], stmt->value, RLX_OP_NONE);
    s = stmt->value ? read_binding(r, stmt->targets[0], stmt->value, stmt->annotation)
                    : read_declared(r, stmt->targets[0], stmt->annotation);
    *encloses = s != NULL;
    return s;
  case RLX_STMT_AUGMENTED:
    if (!stmt->target_count || !stmt->value) break;
    return read_store(r, stmt->targets[0], stmt->value, (RlxAstOp)stmt->op);
  case RLX_STMT_FOR: return read_for(r, stmt);
  case RLX_STMT_WHILE: return read_while(r, stmt);
  case RLX_STMT_WITH: return read_with(r, stmt);
  case RLX_STMT_ASSERT: return read_assert(r, stmt);
  case RLX_STMT_RETURN: return read_return(r, stmt);
  case RLX_STMT_PASS: return NULL;
  case RLX_STMT_BREAK: return new_stmt(r, RLX_TIR_BREAK);
  case RLX_STMT_CONTINUE: return new_stmt(r, RLX_TIR_CONTINUE);
  case RLX_STMT_IF: break; // read_into
  case RLX_STMT_HOLE:      // the syntax error is reported elsewhere
    r->f->has_holes = r->is_broken = true;
    return NULL;
  case RLX_STMT_DELETE:
  case RLX_STMT_RAISE:
  case RLX_STMT_IMPORT:
  case RLX_STMT_GLOBAL:
  case RLX_STMT_TYPE_ALIAS:
  case RLX_STMT_TRY:
  case RLX_STMT_MATCH:
  case RLX_STMT_DEF:
  case RLX_STMT_CLASS: break;
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
  while (suite.open.count) { // from the inside out
    uint32_t mark = rlx_vec_pop(&suite.marks);
    RlxTirStmt *rest = rlx_tir_seq(r->f, stmts->at + mark, (int)(stmts->count - mark));
    set_body(r, rlx_vec_pop(&suite.open), rest, NULL);
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
  r->f->params = rlx_arena_array(r->f->arena, RlxTirParam, def->param_count + 1);
  // Scalars first: a buffer's shape may mention one that stands behind it.
  for (uint32_t pass = 0; pass < 2; pass++) {
    for (uint32_t i = 0; i < def->param_count; i++) {
      const RlxParam *p = &def->params[i];
      if (p->star || p->is_positional_marker || !p->name) continue;
      const RlxAst *a = p->annotation;
      const char *path = a && (a->kind == RLX_AST_CALL || a->kind == RLX_AST_SUBSCRIPT)
                             ? rlx_tir_path(r, a->children[0])
                             : NULL;
      bool is_buffer = path && !strcmp(path, "Buffer");
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
  for (uint32_t i = 0; i < def->param_count; i++) { // keep those that are parameters, in order
    if (r->f->params[i].var) r->f->params[r->f->param_count++] = r->f->params[i];
  }
}

static bool is_private(RlxTirReader *r, const RlxStmt *def) {
  for (uint32_t i = 0; i < def->decorator_count; i++) {
    const RlxAst *d = def->decorators[i];
    const RlxAst *value =
        d->kind == RLX_AST_CALL ? rlx_tir_arg(r, d, RLX_TIR_KEYWORD_ONLY, "private") : NULL;
    if (value && value->kind == RLX_AST_TRUE) return true;
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
  rlx_vec_free(&r->loops);
  rlx_vec_free(&r->loop_uses);
  rlx_vec_free(&r->missing);
  rlx_vec_free(&r->misused);
  rlx_vec_free(&r->undeclared);
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

bool rlx_tir_is_025(const RlxTirReader *r) {
  return r->outer && r->outer->may_be_025 && !r->outer->may_be_027;
}

bool rlx_tir_may_be_027(const RlxTirReader *r) { return r->outer && r->outer->may_be_027; }

bool rlx_tir_is_027(const RlxTirReader *r) {
  return r->outer && r->outer->may_be_027 && !r->outer->may_be_025;
}

bool rlx_tir_is_known(const RlxTirReader *r) {
  return r->outer && (r->outer->dialect == RLX_DIALECT_025 || r->outer->dialect == RLX_DIALECT_027);
}
