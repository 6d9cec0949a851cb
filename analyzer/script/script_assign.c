/// Assignments of PrimFuncs: names for values, memory and axes; stores.
#include "analyzer/script/script_impl.h"
#include <string.h>

/// Reports when the scope has defined `name` before. `path`: what makes its new value, or NULL; a
/// buffer of one element may be assigned to.
static void check_fresh(RlxTirReader *r, const RlxAst *target, const char *path) {
  static const char *const makers[] = {"Buffer", "match_buffer", "buffer", "alloc", "axis."};
  bool makes = false;
  for (size_t i = 0; path && i < sizeof makers / sizeof *makers; i++)
    makes = makes || strstr(path, makers[i]) != NULL;
  const RlxTirBound *first = NULL; // of the scope
  for (uint32_t at = rlx_tir_place(r, target->name); at > r->frame; at = first->previous) {
    first = &r->env.at[at - 1];
    if (first->first > r->frame) first = &r->env.at[first->first - 1];
  }
  if (!first || !first->stmt || (first->value.kind == RLX_TV_BUFFER && !makes)) return;
  rlx_tir_mistake(r, target, RLX_DIAG_ID(NAME_BOUND_TWICE), "s",
                  rlx_store_text(r->store, target->name));
}

RlxTirStmt *rlx_tir_read_let(RlxTirReader *r, RlxName name, RlxTirExpr *value, RlxTirVar *var) {
  RlxTirStmt *s = rlx_tir_new_stmt(r, RLX_TIR_LET_STMT);
  s->var = var ? var : rlx_tir_var(r->f, name, value->dtype);
  s->value = value;
  if (name) rlx_tir_bind(r, name, rlx_tv_expr(rlx_tir_var_expr(r->f, s->var), false));
  return s;
}

RlxTirStmt *rlx_tir_read_attr(RlxTirReader *r, const RlxAst *call) {
  RlxTirStmt *s = rlx_tir_new_stmt(r, RLX_TIR_ATTR);
  const RlxAst *first = rlx_tir_arg(r, call, 0, "node"), *key = rlx_tir_arg(r, call, 1, "attr_key"),
               *value = rlx_tir_arg(r, call, 2, "value");
  bool is_plain =
      first && first->kind == RLX_AST_INT && key && key->kind == RLX_AST_STRING && value;
  const RlxAst *entry[2] = {key, value};
  if (is_plain)
    first = rlx_ast_with_children(r->f->arena, &(RlxAst){.kind = RLX_AST_DICT}, entry, 2);
  else if (value)
    rlx_tir_eval(r, value); // a loop's variable is used by it, not by the node
  s->annotations = rlx_tir_read_annotations(r, first, &s->annotation_count);
  return s;
}

void rlx_tir_link_view(RlxTirReader *r, RlxTirBuffer *buffer) {
  for (uint32_t i = 0; buffer->data && i < r->env.count; i++) {
    RlxTirBuffer *other =
        r->env.at[i].value.kind == RLX_TV_BUFFER ? r->env.at[i].value.buffer : NULL;
    if (other && other != buffer && other->data == buffer->data) {
      buffer->view_of = other->view_of && !other->view_origin ? other->view_of : other;
      return;
    }
  }
}

bool rlx_tir_is_constant(const RlxTirReader *r, const char *path) {
  return r->outer && r->outer->inlines && !strcmp(path, "allocate_const");
}

RlxTirStmt *rlx_tir_bind_constant(RlxTirReader *r, const RlxAst *call, RlxName name) {
  RlxTirStmt *s = rlx_tir_read_constant(r, call, name);
  rlx_tir_bind(r, name, s ? rlx_tir_buffer_value(s->buffer) : rlx_tv_hole());
  return s;
}

/// `x: T.let[T.int32] = …` is a variable; other scalars are memory since 0.25, to be stored to.
static bool is_let(RlxTirReader *r, const RlxAst *annotation) {
  if (!annotation || annotation->kind != RLX_AST_SUBSCRIPT) return false;
  const char *path = rlx_tir_path(r, annotation->children[0]);
  return path && !strcmp(path, "let");
}

/// `n = T.int32()` where a dimension of a parameter is called `n`, or a string in its shape names it: that one.
static bool is_of_signature(RlxTirReader *r, RlxName name, RlxDType dtype) {
  const RlxTirVar *known = rlx_tir_find_var(r, name);
  return known && rlx_dtype_equal(known->dtype, dtype) &&
         (rlx_map_get_ptr(&r->dimensions, known) || rlx_map_get_ptr(&r->text_vars, known));
}

static bool is_one_of(const char *path, const char *const *words) {
  for (; path && *words; words++)
    if (strcmp(path, *words) == 0) return true;
  return false;
}

static bool is_sequence(const RlxAst *ast) {
  return ast->kind == RLX_AST_TUPLE || ast->kind == RLX_AST_LIST;
}

RlxTirStmt *rlx_tir_read_binding(RlxTirReader *r, const RlxAst *target, const RlxAst *value,
                                 const RlxAst *annotation);

/// `n, m = T.int64(), T.int64()`: one after the other, each enclosing the next.
static RlxTirStmt *read_bindings(RlxTirReader *r, const RlxAst *targets, const RlxAst *values) {
  RlxTirStmt *outer = NULL, *inner = NULL;
  for (uint32_t i = 0; i < targets->child_count; i++) {
    RlxTirStmt *s = rlx_tir_read_binding(r, targets->children[i], values->children[i], NULL);
    if (!s) continue;
    if (inner) rlx_tir_set_body(r, inner, s, NULL);
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

RlxTirBuffer *rlx_tir_make_buffer(RlxTirReader *r, RlxName name, const RlxAst *value,
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
  RlxTirBuffer *buffer = rlx_tir_make_buffer(r, name, value, is_described);
  if (!strcmp(path, "alloc_local") || !strcmp(path, "alloc_shared"))
    buffer->scope = rlx_store_intern(r->store, path + 6, strlen(path + 6));
  const RlxAst *annotations = rlx_tir_arg(r, value, RLX_TIR_KEYWORD_ONLY, "annotations");
  if (annotations && annotations->kind == RLX_AST_DICT)
    buffer->annotations = rlx_tir_read_annotations(r, annotations, &buffer->annotation_count);
  rlx_tir_define(r, name, rlx_tir_buffer_value(buffer));
  rlx_tir_link_view(r, buffer);
  // Until 0.23 it could be used; whether it may is a question to who checks, not to who runs it.
  bool is_usable = r->outer && r->outer->inlines && buffer->view_of;
  if (is_described && !is_usable) rlx_map_put(&r->undeclared, (uint64_t)(uintptr_t)buffer, 1);
  // From 0.25 on it stands where it is written: memory of each iteration.
  bool is_of_iteration = r->loop_depth && r->outer && r->outer->places_allocs;
  if (!strcmp(path, "alloc_buffer") && !buffer->view_of && !is_of_iteration) {
    buffer->is_of_body = true;
    buffer->is_placed = r->outer && r->outer->keeps_allocs;
    rlx_tir_add_alloc(r, buffer);
    return NULL;
  }
  RlxTirStmt *s = rlx_tir_new_stmt(r, RLX_TIR_ALLOC);
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
  static const char *const allocates[] = {"decl_buffer",  "buffer_decl",  "Buffer",
                                          "allocate",     "alloc_buffer", "alloc_local",
                                          "alloc_shared", "alloc_cell",   NULL};
  static const char *const variables[] = {"var", "Var", "SizeVar", NULL};
  *out = NULL;
  if (!strncmp(path, "axis.", 5)) {
    rlx_tir_read_axis(r, value, path + 5, name);
  } else if (!strcmp(path, "match_buffer")) {
    rlx_tir_read_match_buffer(r, value, name);
  } else if (!strcmp(path, "sblock_alloc_buffer")) {
    RlxTirBuffer *buffer = rlx_tir_make_buffer(r, name, value, false);
    rlx_tir_add_alloc(r, buffer);
    rlx_tir_define(r, name, rlx_tir_buffer_value(buffer));
  } else if (is_one_of(path, allocates)) {
    *out = read_allocation(r, name, value, path);
  } else if (rlx_tir_is_constant(r, path)) {
    *out = rlx_tir_bind_constant(r, value, name);
  } else if (!strcmp(path, "launch_thread")) {
    *out = rlx_tir_read_launch(r, value, name);
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

typedef Vec(RlxName) Names;
enum { ASSIGNED = 1, CHANGES = 2 };

/// Fills `r->assigned`: names that are assigned where they have a value of an assignment already. `is_scope`: what the suite
/// names is gone behind it. `open`: the names of the suites around.
static void note_assigned(RlxTirReader *r, const RlxBlock *suite, bool is_scope, Names *open,
                          int depth) {
  const uint32_t outer = open->count;
  for (uint32_t i = 0; suite && depth < MAX_SUITE_DEPTH && i < suite->count; i++) {
    const RlxStmt *stmt = suite->stmts[i];
    const bool assigns = stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED ||
                         stmt->kind == RLX_STMT_AUGMENTED;
    for (uint32_t k = 0; assigns && k < stmt->target_count; k++) {
      const RlxName name = stmt->targets[k]->kind == RLX_AST_NAME ? stmt->targets[k]->name : 0;
      if (!name) continue;
      uint64_t state = 0;
      rlx_map_get(&r->assigned, name, &state);
      rlx_map_put(&r->assigned, name,
                  state || stmt->kind == RLX_STMT_AUGMENTED ? CHANGES : ASSIGNED);
      if (!state) rlx_vec_push(open, name);
    }
    const bool opens = stmt->kind != RLX_STMT_IF; // a branch may be Python's choice: no scope
    note_assigned(r, stmt->body, opens, open, depth + 1);
    note_assigned(r, stmt->orelse, opens, open, depth + 1);
  }
  uint64_t state;
  for (; is_scope && open->count > outer; open->count--)
    if (rlx_map_get(&r->assigned, open->at[open->count - 1], &state) && state == ASSIGNED)
      rlx_map_remove(&r->assigned, open->at[open->count - 1]);
}

/// Whether the variable of this name is given other values, too.
static bool may_change(RlxTirReader *r, RlxName name) {
  if (!r->knows_assigned) {
    Names open = {0};
    note_assigned(r, r->def->body, true, &open, 0);
    rlx_vec_free(&open);
  }
  r->knows_assigned = true;
  uint64_t state;
  return rlx_map_get(&r->assigned, name, &state) && state == CHANGES;
}

/// Whether `name = v` makes memory of one element, to which the name is assigned again: what TVM from 0.25 on keeps of every such
/// value; where nothing is assigned later it is the value.
static bool is_changing(RlxTirReader *r, RlxName name, RlxTv v) {
  return r->outer && r->outer->stores_by_name && v.kind == RLX_TV_EXPR &&
         v.expr->dtype.code != RLX_DTYPE_HANDLE && v.expr->dtype.lanes == 1 && may_change(r, name);
}

/// A variable that changes is memory of one element.
static RlxTirStmt *scalar_memory(RlxTirReader *r, RlxName name, RlxDType dtype) {
  RlxTirStmt *alloc = rlx_tir_new_stmt(r, RLX_TIR_ALLOC);
  alloc->buffer = rlx_tir_buffer(r->f, name, dtype, NULL, 0);
  alloc->buffer->is_scalar = true;
  rlx_tir_bind(r, name, rlx_tir_buffer_value(alloc->buffer));
  return alloc;
}

static RlxTirStmt *store_to(RlxTirReader *r, const RlxTirExpr *load, RlxTirExpr *value) {
  RlxTirStmt *s = rlx_tir_store(r->f, load->buffer, load->args, value);
  uint32_t base = r->stmt->start - r->origin;
  s->span = rlx_span(base, base + r->stmt->head_size);
  return s;
}

/// `x = value` where `x` is a buffer of shape (1,) stores to its element: TVM's visit_assign from 0.25 on. NULL: it is none.
static RlxTirStmt *store_to_one(RlxTirReader *r, RlxName name, RlxTv v) {
  RlxTv known;
  if (!r->outer || !r->outer->stores_by_name || v.kind != RLX_TV_EXPR ||
      !rlx_tir_find(r, name, &known) || known.kind != RLX_TV_BUFFER || known.buffer->ndim != 1 ||
      known.buffer->shape[0]->kind != RLX_TIR_INT || known.buffer->shape[0]->integer != 1)
    return NULL;
  RlxTirExpr *at[] = {rlx_tir_int(r->f, 0, RLX_INT32)};
  return store_to(r, rlx_tir_load(r->f, known.buffer, at), rlx_tir_as(r, v, known.buffer->dtype));
}

RlxTirStmt *rlx_tir_read_binding(RlxTirReader *r, const RlxAst *target, const RlxAst *value,
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
  const char *type = annotation ? rlx_tir_path(r, annotation) : NULL;
  const bool takes_parts = rlx_tir_is_027(r) && (bound != value || (type && !strcmp(type, "let")));
  RlxTv v = takes_parts ? rlx_tir_eval(r, bound ? bound : value)
            : is_value
                ? rlx_tir_eval_bound(r, bound ? bound : value, !is_typed_let && !rlx_tir_is_027(r))
                : rlx_tir_eval(r, value);
  bool is_fresh = v.kind == RLX_TV_EXPR && v.expr->kind == RLX_TIR_VAR && !v.expr->var->name;
  if (is_fresh && is_of_signature(r, name, v.expr->dtype)) return NULL;
  RlxTirStmt *stored = annotation || is_fresh ? NULL : store_to_one(r, name, v);
  if (stored) return stored;
  if (is_fresh) v.expr->var->name = name; // n = T.int64()
  const bool changes = !annotation && !is_fresh && is_changing(r, name, v);
  if (v.kind != RLX_TV_EXPR || is_fresh || (v.weak && !annotation && !changes)) {
    rlx_tir_bind(r, name, v);
    if (is_let(r, annotation) && v.kind == RLX_TV_EXPR) rlx_vec_last(&r->env).stmt = r->stmt;
    return NULL;
  }
  RlxTirExpr *expr = v.expr;
  if (annotation) {
    r->uses = RLX_USES_NOWHERE; // of a variable that stands for its type
    RlxTv t = rlx_tir_eval(r, annotation->kind == RLX_AST_SUBSCRIPT && annotation->child_count == 2
                                  ? annotation->children[1]
                                  : annotation);
    r->uses = RLX_USES_HERE;
    if (t.kind == RLX_TV_DTYPE) expr = rlx_tir_as(r, v, t.dtype);
  }
  bool is_scalar = annotation && annotation->kind != RLX_AST_SUBSCRIPT;
  if (changes || (is_scalar && may_change(r, name))) {
    RlxTirStmt *alloc = scalar_memory(r, name, expr->dtype);
    r->initial = rlx_tir_store(r->f, alloc->buffer, NULL, expr);
    r->initial->span = alloc->span;
    return alloc;
  }
  RlxTirStmt *let = rlx_tir_read_let(r, name, expr, NULL);
  const bool is_kept = r->outer && r->outer->stores_by_name && !annotation && bound == value;
  let->is_scalar = is_scalar || (is_kept && expr->dtype.code != RLX_DTYPE_HANDLE);
  let->is_memory = is_scalar || (!annotation && expr->kind != RLX_TIR_VAR);
  if (is_let(r, annotation)) rlx_vec_last(&r->env).stmt = r->stmt;
  return let;
}

RlxTirStmt *rlx_tir_read_vstore(RlxTirReader *r, const RlxAst *call) {
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

RlxTirStmt *rlx_tir_read_store(RlxTirReader *r, const RlxAst *target, const RlxAst *value,
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
    const RlxAst *operands[2] = {target, value};
    const RlxAst sum = {.kind = RLX_AST_BINARY, .op = (uint8_t)op, .span = target->span};
    e = rlx_tir_eval_as(r, rlx_ast_with_children(r->f->arena, &sum, operands, 2), load->dtype);
  } else {
    e = stored_value(r, value, load->dtype);
  }
  return e ? store_to(r, load, e) : NULL;
}

RlxTirStmt *rlx_tir_read_declared(RlxTirReader *r, const RlxAst *target, const RlxAst *annotation) {
  bool is_array =
      annotation && annotation->kind == RLX_AST_SUBSCRIPT && annotation->child_count == 2;
  const RlxAst *type = is_array ? annotation->children[0] : annotation;
  RlxDType dtype = type ? rlx_tir_read_dtype(r, type, RLX_INT32) : RLX_INT32;
  int ndim = 0;
  if (!is_array) return scalar_memory(r, target->name, dtype);
  RlxTirStmt *alloc = rlx_tir_new_stmt(r, RLX_TIR_ALLOC);
  RlxTirExpr **shape = rlx_tir_dimensions(r, annotation->children[1], &ndim);
  alloc->buffer = rlx_tir_buffer(r->f, target->name, dtype, shape, ndim);
  rlx_tir_bind(r, target->name, rlx_tir_buffer_value(alloc->buffer));
  return alloc;
}

bool rlx_tir_is_store(RlxTirReader *r, const RlxStmt *stmt) {
  const RlxAst *target = stmt->targets[0];
  RlxTv known;
  return target->kind == RLX_AST_SUBSCRIPT ||
         (target->kind == RLX_AST_NAME && stmt->kind == RLX_STMT_ASSIGN &&
          rlx_tir_find(r, target->name, &known) && known.kind == RLX_TV_BUFFER &&
          known.buffer->ndim == 0);
}
