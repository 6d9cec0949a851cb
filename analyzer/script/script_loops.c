/// Loops of PrimFuncs: range, T.serial and its like, T.grid, T.launch_thread.
#include "analyzer/script/script_impl.h"
#include <string.h>

static void bind_loop_name(RlxTirReader *r, RlxName name, RlxTirExpr *expr) {
  rlx_map_put(&r->loops, (uint64_t)(uintptr_t)expr, (uint64_t)r->block_depth);
  rlx_tir_define(r, name, rlx_tv_expr(expr, false));
}

/// Notes the range of a loop whose name stands for `value`: its variable, or of one with a step an expression of it.
static void note_range(RlxTirReader *r, RlxTirExpr *value, RlxTirExpr *min, RlxTirExpr *extent) {
  RlxTv loop = {.kind = RLX_TV_TUPLE, .count = 3};
  loop.items = rlx_arena_array(r->f->arena, RlxTv, 3);
  loop.items[0] = rlx_tv_expr(value, false);
  loop.items[1] = rlx_tv_expr(extent, false);
  bool is_zero = !min || (min->kind == RLX_TIR_INT && !min->integer);
  loop.items[2] = is_zero ? (RlxTv){.kind = RLX_TV_NONE} : rlx_tv_expr(min, false);
  rlx_tir_bind(r, RLX_NAME_NONE, loop);
  rlx_map_put(&r->ranges, rlx_tir_loop_key(value), r->env.count);
}

static void bind_loop(RlxTirReader *r, const RlxAst *target, RlxTirVar *var, RlxTirExpr *min,
                      RlxTirExpr *extent) {
  if (target->kind == RLX_AST_NAME) {
    var->name = target->name;
    bind_loop_name(r, target->name, rlx_tir_var_expr(r->f, var));
  }
  note_range(r, rlx_tir_var_expr(r->f, var), min, extent);
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
  RlxTirStmt *s = rlx_tir_new_stmt(r, RLX_TIR_FOR);
  s->for_kind = (uint8_t)kind;
  s->var = var;
  s->min = min ? min : rlx_tir_int(r->f, 0, extent->dtype);
  s->extent = extent;
  return s;
}

static RlxTirStmt *read_loop_body(RlxTirReader *r, const RlxBlock *suite, uint32_t scope) {
  r->loop_depth++;
  RlxTirStmt *body = rlx_tir_read_from(r, suite, scope);
  r->loop_depth--;
  return body;
}

/// An end or the extent of a loop, which in 0.25 may be a part of a buffer that has one element.
static RlxTirExpr *bound_of(RlxTirReader *r, const RlxAst *ast) {
  return rlx_tir_as(r, rlx_tir_eval_bound(r, ast, rlx_tir_is_025(r)), rlx_dtype_unknown());
}

/// The extents of T.grid, those of `*A.shape` among them.
static uint32_t grid_extents(RlxTirReader *r, const RlxAst *call, RlxTirExpr **out) {
  uint32_t count = 0;
  for (uint32_t i = 1; i < call->child_count && count < MAX_NDIM; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind != RLX_AST_STARRED) {
      out[count++] = bound_of(r, arg);
      continue;
    }
    RlxTv v = rlx_tir_eval(r, arg->children[0]);
    if (v.kind != RLX_TV_TUPLE) rlx_tir_issue(r, arg, "only a tuple can be taken apart");
    for (uint32_t k = 0; v.kind == RLX_TV_TUPLE && k < v.count && count < MAX_NDIM; k++)
      out[count++] = rlx_tir_as(r, v.items[k], rlx_dtype_unknown());
  }
  return count;
}

/// One variable for several loops is the tuple of theirs, which are called name_0, name_1, …
static void stem_names(RlxTirReader *r, const RlxAst *target, uint32_t count, RlxAst **names) {
  const char *stem = rlx_store_text(r->store, target->name);
  for (uint32_t i = 0; i < count; i++) {
    const char *text = rlx_arena_printf(r->f->arena, "%s_%u", stem, i);
    names[i] = rlx_arena_one(r->f->arena, RlxAst);
    *names[i] = *target;
    names[i]->name = rlx_store_intern(r->store, text, strlen(text));
  }
}

/// The names of the loops of a grid: `i, j`; `ij`; `i, *jk`, whose last stands for those that the others leave.
typedef struct GridNames {
  RlxAst *const *at;
  const RlxAst *tuple;   ///< the name of a tuple of loops; NULL: there is none
  uint32_t first, count; ///< of its loops
} GridNames;

static GridNames grid_names(RlxTirReader *r, const RlxStmt *stmt, uint32_t extents) {
  const RlxAst *targets = stmt->targets[0];
  const bool is_list = targets->kind == RLX_AST_TUPLE || targets->kind == RLX_AST_LIST;
  GridNames out = {.at = is_list ? targets->children : stmt->targets};
  uint32_t star = 0, others = 0;
  if (!is_list) {
    if (extents > 1 && targets->kind == RLX_AST_NAME) out.tuple = targets;
  } else {
    while (star < targets->child_count && targets->children[star]->kind != RLX_AST_STARRED) star++;
    if (star == targets->child_count || targets->child_count > extents + 1) return out;
    others = targets->child_count - 1;
    out.tuple = targets->children[star]->children[0];
  }
  if (!out.tuple || out.tuple->kind != RLX_AST_NAME) return (GridNames){.at = out.at};
  out.first = star;
  out.count = extents - others;
  RlxAst **names = rlx_arena_array(r->f->arena, RlxAst *, extents + 1);
  for (uint32_t i = 0; i < star; i++) names[i] = targets->children[i];
  stem_names(r, out.tuple, out.count, names + star);
  for (uint32_t i = star; i < others; i++) names[i + out.count] = targets->children[i + 1];
  out.at = names;
  return out;
}

/// The names for one loop that stand in brackets of their own, `i, (j, k)`; NULL: there are none.
static const RlxAst *nested_names(const RlxAst *targets) {
  for (uint32_t i = 0; i < targets->child_count; i++)
    if (targets->children[i]->kind == RLX_AST_TUPLE || targets->children[i]->kind == RLX_AST_LIST)
      return targets->children[i];
  return NULL;
}

/// `names`: how many stand in `target`, which is `at` where it is a loop of several.
static void refuse_names(RlxTirReader *r, const RlxAst *at, const RlxAst *target, const char *what,
                         int loops, int names) {
  const bool is_one = at != target && loops == 1 && names == 1;
  const char *name = is_one && target->child_count && target->children[0]->kind == RLX_AST_NAME
                         ? rlx_store_text(r->store, target->children[0]->name)
                         : "i";
  rlx_tir_mistake(r, at, RLX_DIAG_ID(LOOP_NAMES), "siis", what, loops, names,
                  is_one ? rlx_arena_printf(r->f->arena,
                                            ", in a tuple: one loop gives no tuple, write `for %s "
                                            "in %s(…)`",
                                            name, what)
                         : "");
}

static RlxTirStmt *read_grid(RlxTirReader *r, const RlxStmt *stmt, const RlxAst *call) {
  const RlxAst *targets = stmt->targets[0];
  bool is_list = targets->kind == RLX_AST_TUPLE || targets->kind == RLX_AST_LIST;
  uint32_t count = is_list ? targets->child_count : 1, scope = r->env.count;
  RlxTirExpr *extent[MAX_NDIM];
  uint32_t extents = grid_extents(r, call, extent);
  const GridNames names = grid_names(r, stmt, extents);
  bool is_one_in_list = is_list && extents == 1 && rlx_tir_is_known(r);
  if (!extents || (count != extents && !names.tuple) || is_one_in_list) {
    bool is_sure = true;
    for (uint32_t i = 0; is_list && i < count; i++)
      is_sure = is_sure && (targets->children[i]->kind == RLX_AST_NAME ||
                            (extents == 1 && targets->children[i]->kind == RLX_AST_STARRED));
    for (uint32_t i = 1; i < call->child_count; i++)
      is_sure = is_sure && call->children[i]->kind != RLX_AST_STARRED &&
                call->children[i]->kind != RLX_AST_KEYWORD;
    if (is_sure && extents < MAX_NDIM)
      refuse_names(r, call, targets, "T.grid", (int)extents, (int)count);
    else
      rlx_tir_issue(r, call, "T.grid has %u extents for %u variables", extents, count);
    if (is_sure) rlx_tir_bind_holes(r, targets);
    return rlx_tir_new_stmt(r, RLX_TIR_NOP);
  }
  const RlxAst *nested = is_list ? nested_names(targets) : NULL;
  if (nested) {
    refuse_names(r, nested, nested, "T.grid", 1, (int)nested->child_count);
    rlx_tir_bind_holes(r, targets);
    return rlx_tir_new_stmt(r, RLX_TIR_NOP);
  }
  RlxTv whole = {.kind = RLX_TV_TUPLE, .is_grid = true, .count = extents};
  whole.items = rlx_arena_array(r->f->arena, RlxTv, extents);
  RlxTirStmt *outer = NULL, *inner = NULL;
  for (uint32_t i = 0; i < extents; i++) {
    RlxTirVar *var = rlx_tir_var(r->f, RLX_NAME_NONE,
                                 rlx_dtype_is_int(extent[i]->dtype) ? extent[i]->dtype : RLX_INT32);
    bind_loop(r, names.at[i], var, NULL, extent[i]);
    if (names.at[i]->kind != RLX_AST_NAME || !rlx_tir_find(r, names.at[i]->name, &whole.items[i]))
      whole.items[i] = rlx_tv_expr(rlx_tir_var_expr(r->f, var), false);
    RlxTirStmt *loop = one_loop(r, var, NULL, extent[i], RLX_FOR_SERIAL);
    if (inner) rlx_tir_set_body(r, inner, loop, NULL);
    if (!outer) outer = loop;
    inner = loop;
  }
  whole.items += names.first;
  whole.count = names.count;
  whole.is_grid = !is_list;
  if (names.tuple) rlx_tir_define(r, names.tuple->name, whole);
  rlx_tir_set_body(r, inner, read_loop_body(r, stmt->body, scope), NULL);
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
    note_range(r, value, min, extent); // all of it, as TVM's T.axis.remap has it
    loop = one_loop(r, var, NULL, trips, kind);
  }
  rlx_tir_set_body(r, loop, read_loop_body(r, stmt->body, scope), NULL);
  return loop;
}

RlxTirStmt *rlx_tir_read_for(RlxTirReader *r, const RlxStmt *stmt) {
  const RlxAst *call = stmt->value;
  bool is_loop;
  const LoopForm *form = loop_form(r, call, &is_loop);
  if (!is_loop || !stmt->target_count) {
    rlx_tir_issue(r, call,
                  "a loop runs over range, T.serial, T.parallel, T.vectorized, T.unroll, "
                  "T.thread_binding or T.grid");
    return rlx_tir_new_stmt(r, RLX_TIR_NOP);
  }
  if (form && !strcmp(form->path, "grid")) return read_grid(r, stmt, call);
  const RlxAst *a = rlx_tir_arg(r, call, 0, "start"), *b = rlx_tir_arg(r, call, 1, "stop");
  const RlxAst *target = stmt->targets[0];
  if (target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST) {
    const char *what = form ? rlx_arena_printf(r->f->arena, "T.%s", form->path) : "range";
    refuse_names(r, call, target, what, 1, (int)target->child_count);
    rlx_tir_bind_holes(r, target);
    return rlx_tir_new_stmt(r, RLX_TIR_NOP);
  }
  if (!a) {
    rlx_tir_issue(r, call, "a loop needs an extent");
    return rlx_tir_new_stmt(r, RLX_TIR_NOP);
  }
  RlxTirForKind kind = form ? form->kind : RLX_FOR_SERIAL;
  bool is_thread = kind == RLX_FOR_THREAD_BINDING;
  RlxTirExpr *min = NULL, *extent = bound_of(r, a);
  if (b && b->kind != RLX_AST_NONE && !(is_thread && b->kind == RLX_AST_STRING)) {
    min = extent;
    RlxTirExpr *end = bound_of(r, b);
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

RlxTirStmt *rlx_tir_read_launch(RlxTirReader *r, const RlxAst *call, RlxName name) {
  const RlxAst *extent = rlx_tir_arg(r, call, 1, "extent"),
               *which = rlx_tir_arg(r, call, 0, "thread");
  RlxTirExpr *e =
      extent ? rlx_tir_eval_scalar_expr(r, extent) : rlx_tir_hole_expr(r, "extent expected");
  RlxTirVar *var = rlx_tir_var(r->f, name, rlx_dtype_is_int(e->dtype) ? e->dtype : RLX_INT32);
  RlxTirStmt *s = one_loop(r, var, NULL, e, RLX_FOR_THREAD_BINDING); // run one after the other
  s->is_launch = true;
  if (which && which->kind == RLX_AST_STRING)
    s->name = rlx_store_intern(r->store, which->text, which->text_size);
  RlxTirVar *known = which && which->kind == RLX_AST_NAME ? rlx_tir_find_var(r, which->name) : NULL;
  if (known) s->var = known;
  if (name) rlx_tir_bind(r, name, rlx_tv_expr(rlx_tir_var_expr(r->f, s->var), false));
  return s;
}
