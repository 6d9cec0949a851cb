/// Index maps as arguments give them: "lambda i, j: (i // 16, j, i % 16)", read and applied.
#include "analyzer/schedule/index_map.h"

#include "analyzer/syntax/document.h"

#include <string.h>

typedef struct Reader {
  RlxScheduleCall *c;
  const RlxAst *lambda;
  RlxTirExpr *const *inputs;
} Reader;

static RlxTirExpr *read_expr(Reader *r, const RlxAst *a, RlxDType wanted);

/// Says why the map is not taken, the first time; NULL.
static RlxTirExpr *fail(Reader *r, const char *why) {
  if (!r->c->map_problem) r->c->map_problem = why;
  return NULL;
}

/// A divisor below 1 gives no indices of a box. One of 0 elements has none, so that a dimension of a
/// buffer, which is not negative, is enough.
static bool check_divisor(Reader *r, const RlxTirExpr *e) {
  RlxStore *store = r->c->s->store;
  RlxArena *arena = r->c->s->arena;
  const RlxPrim *p = rlx_tir_integer(store, e);
  int64_t value = 0;
  if (!p) return false;
  if (rlx_prim_is_const(p, &value)) {
    if (value > 0) return true;
    fail(r, rlx_arena_printf(arena, "the map divides by %lld", (long long)value));
    return false;
  }
  const RlxPrim *zero = rlx_prim_int_typed(store, 0, p->dtype);
  if (rlx_prove_less_equal(store, NULL, zero, p) == RLX_YES) return true;
  RlxBuf text = {0};
  rlx_prim_tell(store, p, &text);
  fail(r, rlx_arena_printf(arena, "the map divides by `%s`, which may be 0 or less",
                           rlx_buf_text(&text)));
  r->c->map_witness = rlx_arena_printf(arena, "%s = 0", rlx_buf_text(&text));
  rlx_buf_free(&text);
  return false;
}

static RlxTirExpr *read_binary(Reader *r, const RlxAst *a, RlxDType wanted) {
  static const struct {
    uint8_t op, kind;
  } known[] = {{RLX_OP_ADD, RLX_TIR_ADD},
               {RLX_OP_SUB, RLX_TIR_SUB},
               {RLX_OP_MUL, RLX_TIR_MUL},
               {RLX_OP_FLOORDIV, RLX_TIR_FLOORDIV},
               {RLX_OP_MOD, RLX_TIR_FLOORMOD}};
  // A number is as wide as what stands beside it.
  bool number_first = a->children[0]->kind == RLX_AST_INT;
  RlxTirExpr *x = read_expr(r, a->children[number_first], wanted);
  RlxTirExpr *y = x ? read_expr(r, a->children[!number_first], x->dtype) : NULL;
  if (!y) return NULL;
  if (x->dtype.bits < y->dtype.bits) x = rlx_tir_cast(r->c->f, y->dtype, x);
  if (y->dtype.bits < x->dtype.bits) y = rlx_tir_cast(r->c->f, x->dtype, y);
  if (number_first) {
    RlxTirExpr *number = y;
    y = x;
    x = number;
  }
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (known[i].op != a->op) continue;
    bool divides = known[i].kind == RLX_TIR_FLOORDIV || known[i].kind == RLX_TIR_FLOORMOD;
    return divides && !check_divisor(r, y) ? NULL : rlx_tir_binary(r->c->f, known[i].kind, x, y);
  }
  return NULL;
}

/// T.int64(1), T.Cast("int64", i)
static RlxTirExpr *read_call(Reader *r, const RlxAst *a, RlxDType wanted) {
  const RlxAst *callee = a->children[0];
  if (callee->kind != RLX_AST_ATTRIBUTE) return NULL;
  const char *name = rlx_store_text(r->c->s->store, callee->name);
  RlxDType dtype;
  if (a->child_count == 2 && rlx_dtype_parse(name, strlen(name), &dtype)) {
    RlxTirExpr *e = read_expr(r, a->children[1], dtype);
    return e ? rlx_tir_cast(r->c->f, dtype, e) : NULL;
  }
  if (a->child_count != 3) return NULL;
  if (strcmp(name, "Cast") == 0) {
    const RlxAst *type = a->children[1];
    if (type->kind != RLX_AST_STRING || !rlx_dtype_parse(type->text, type->text_size, &dtype))
      return NULL;
    RlxTirExpr *e = read_expr(r, a->children[2], wanted);
    return e ? rlx_tir_cast(r->c->f, dtype, e) : NULL;
  }
  bool is_div = strcmp(name, "floordiv") == 0, is_mod = strcmp(name, "floormod") == 0;
  RlxTirExpr *x = is_div || is_mod ? read_expr(r, a->children[1], wanted) : NULL;
  RlxTirExpr *y = x ? read_expr(r, a->children[2], x->dtype) : NULL;
  return y && check_divisor(r, y)
             ? rlx_tir_binary(r->c->f, is_div ? RLX_TIR_FLOORDIV : RLX_TIR_FLOORMOD, x, y)
             : NULL;
}

// ---- names

typedef struct Search {
  RlxStore *store;
  const char *name;
  RlxTirVar *found;
  bool is_twice;
} Search;

static void take_named(Search *s, RlxTirVar *var) {
  if (strcmp(rlx_store_text(s->store, var->name), s->name) != 0 || var == s->found) return;
  s->is_twice |= s->found != NULL;
  s->found = var;
}

static bool is_named(const RlxTirExpr *e, void *data) {
  if (e->kind == RLX_TIR_VAR) take_named(data, e->var);
  return true;
}

/// A scalar parameter, or a variable that the shape of a parameter names; NULL: there is none, or more
/// than one.
static RlxTirVar *parameter_named(RlxScheduleCall *c, const char *name) {
  Search s = {.store = c->s->store, .name = name};
  for (int i = 0; i < c->f->param_count; i++) {
    const RlxTirParam *p = &c->f->params[i];
    if (!p->buffer) take_named(&s, p->var);
    for (int d = 0; p->buffer && d < p->buffer->ndim; d++)
      rlx_tir_visit_expr(p->buffer->shape[d], is_named, &s);
  }
  return s.is_twice ? NULL : s.found;
}

/// An input of the map, else a number that an earlier step gave (a sample), else what the PrimFunc
/// calls so.
static RlxTirExpr *read_name(Reader *r, const RlxAst *a, RlxDType wanted) {
  RlxScheduleCall *c = r->c;
  for (uint32_t i = 0; i < r->lambda->param_count; i++)
    if (r->lambda->params[i].name == a->name) return r->inputs[i];
  const char *name = rlx_store_text(c->s->store, a->name);
  const RlxScheduleValue *v = rlx_schedule_named(c->s, name);
  if (v && v->kind == RLX_SCHEDULE_INT) return rlx_tir_int(c->f, v->integer, wanted);
  if (v) return fail(r, rlx_arena_printf(r->c->s->arena, "`%s` in the map is no number", name));
  RlxTirVar *var = parameter_named(c, name);
  if (var && rlx_dtype_is_int(var->dtype)) return rlx_tir_var_expr(c->f, var);
  return fail(
      r, rlx_arena_printf(r->c->s->arena,
                          "no step gives `%s`, which the map uses, and no parameter is called so",
                          name));
}

/// `t[1]` of a list that an earlier step gave.
static RlxTirExpr *read_item(Reader *r, const RlxAst *a, RlxDType wanted) {
  const RlxAst *list = a->children[0];
  const RlxAst *at = a->child_count == 2 ? a->children[1] : NULL;
  bool is_negative = at && at->kind == RLX_AST_UNARY && at->op == RLX_OP_NEG;
  if (is_negative) at = at->children[0];
  if (!at || list->kind != RLX_AST_NAME || at->kind != RLX_AST_INT || at->is_big) return NULL;
  int64_t index = is_negative ? -at->integer : at->integer;
  const char *name = rlx_store_text(r->c->s->store, list->name);
  const RlxScheduleValue *v = rlx_schedule_named(r->c->s, name);
  if (!v || v->kind != RLX_SCHEDULE_LIST)
    return fail(
        r, rlx_arena_printf(r->c->s->arena, "no step gives a list `%s`, which the map uses", name));
  if (index < 0) index += v->count;
  if (index < 0 || index >= v->count || v->items[index].kind != RLX_SCHEDULE_INT)
    return fail(
        r, rlx_arena_printf(r->c->s->arena, "`%s` in the map has no number at that place", name));
  return rlx_tir_int(r->c->f, v->items[index].integer, wanted);
}

static RlxTirExpr *read_expr(Reader *r, const RlxAst *a, RlxDType wanted) {
  if (a->kind == RLX_AST_INT) return a->is_big ? NULL : rlx_tir_int(r->c->f, a->integer, wanted);
  if (a->kind == RLX_AST_BINARY) return read_binary(r, a, wanted);
  if (a->kind == RLX_AST_CALL) return read_call(r, a, wanted);
  if (a->kind == RLX_AST_NAME) return read_name(r, a, wanted);
  return a->kind == RLX_AST_SUBSCRIPT ? read_item(r, a, wanted) : NULL;
}

static const RlxAst *lambda_of(const RlxBlock *root) {
  if (root->count != 1) return NULL;
  const RlxStmt *s = root->stmts[0];
  return s->kind == RLX_STMT_EXPR && !s->has_error && s->value && s->value->kind == RLX_AST_LAMBDA
             ? s->value
             : NULL;
}

RlxTirExpr **rlx_schedule_map_indices(RlxScheduleCall *c, const char *text,
                                      RlxTirExpr *const *inputs, int count, int *out_count) {
  RlxDocument *doc = rlx_document_new(c->s->store, NULL, NULL);
  rlx_document_set_text(doc, text, (uint32_t)strlen(text));
  const RlxAst *lambda = lambda_of(rlx_document_root(doc));
  RlxTirExpr **out = NULL;
  if (lambda && lambda->param_count == (uint32_t)count) {
    const RlxAst *body = lambda->children[0];
    bool is_list = body->kind == RLX_AST_TUPLE || body->kind == RLX_AST_LIST;
    int n = is_list ? (int)body->child_count : 1;
    RlxDType int32 = {RLX_DTYPE_INT, 32, 1};
    Reader r = {c, lambda, inputs};
    out = rlx_arena_array(c->f->arena, RlxTirExpr *, n + 1);
    *out_count = n;
    for (int i = 0; i < n && out; i++) {
      out[i] = read_expr(&r, is_list ? body->children[i] : body, count ? inputs[0]->dtype : int32);
      if (!out[i]) out = NULL;
    }
  }
  rlx_document_free(doc);
  return out;
}

bool rlx_schedule_map_ranges(RlxScheduleCall *c, const char *text, RlxTirExpr *const *inputs,
                             int count, RlxTirExpr **begin, RlxTirExpr **end, int capacity) {
  RlxDocument *doc = rlx_document_new(c->s->store, NULL, NULL);
  rlx_document_set_text(doc, text, (uint32_t)strlen(text));
  const RlxAst *lambda = lambda_of(rlx_document_root(doc));
  const RlxAst *body = lambda ? lambda->children[0] : NULL;
  bool ok = lambda && lambda->param_count == (uint32_t)count &&
            (body->kind == RLX_AST_TUPLE || body->kind == RLX_AST_LIST) &&
            (int)body->child_count == capacity;
  RlxDType int32 = {RLX_DTYPE_INT, 32, 1};
  RlxDType wanted = count ? inputs[0]->dtype : int32;
  Reader r = {c, lambda, inputs};
  for (int d = 0; ok && d < capacity; d++) {
    const RlxAst *item = body->children[d];
    bool is_pair = item->kind == RLX_AST_TUPLE || item->kind == RLX_AST_LIST;
    ok = !is_pair || item->child_count == 2;
    if (!ok) break;
    begin[d] = read_expr(&r, is_pair ? item->children[0] : item, wanted);
    end[d] = is_pair    ? read_expr(&r, item->children[1], wanted)
             : begin[d] ? rlx_tir_binary(c->f, RLX_TIR_ADD, begin[d],
                                         rlx_tir_int(c->f, 1, begin[d]->dtype))
                        : NULL;
    ok = begin[d] && end[d];
  }
  rlx_document_free(doc);
  return ok;
}

/// The map over a box, with variables of its own for the inputs.
typedef struct Over {
  RlxLoopRange *ranges;
  const RlxPrim *size; ///< of the box; NULL: a number
  RlxIterMap map;
  int count, range_count;
} Over;

typedef struct UnitVars {
  const Over *over;
  RlxStore *store;
  bool has_other, has_unit, found;
} UnitVars;

static bool note_unit(const RlxTirExpr *e, void *data) {
  UnitVars *u = data;
  if (e->kind != RLX_TIR_VAR) return true;
  int64_t extent = 0;
  for (int i = 0; i < u->over->range_count; i++) {
    if (u->over->ranges[i].var != rlx_tir_symbol(u->store, e->var)) continue;
    bool is_unit = rlx_prim_is_const(u->over->ranges[i].extent, &extent) && extent == 1;
    u->has_unit |= is_unit;
    u->has_other |= !is_unit;
  }
  return true;
}

static bool look_for_unit_quotient(const RlxTirExpr *e, void *data) {
  UnitVars *u = data;
  if (e->kind != RLX_TIR_FLOORDIV && e->kind != RLX_TIR_FLOORMOD) return true;
  UnitVars inside = {.over = u->over, .store = u->store};
  rlx_tir_visit_expr(e->args[0], note_unit, &inside);
  u->found |= inside.has_unit && !inside.has_other;
  return !u->found;
}

/// Does the map take a dimension of one element apart (`j // 4, j % 4`)? It asks for tiles of 4 there as it does for
/// any other length, and not for what is left of them over one element.
static bool divides_unit(RlxStore *store, const Over *over, RlxTirExpr *const *outs) {
  UnitVars u = {.over = over, .store = store};
  for (int d = 0; d < over->count; d++) rlx_tir_visit_expr(outs[d], look_for_unit_quotient, &u);
  return u.found;
}

static bool detect(RlxScheduleCall *c, const char *text, RlxTirExpr *const *dims, int count,
                   Over *out) {
  RlxStore *store = c->s->store;
  RlxArena *arena = c->s->arena;
  RlxTirExpr **vars = rlx_arena_array(c->f->arena, RlxTirExpr *, count + 1);
  *out = (Over){.ranges = rlx_arena_array(arena, RlxLoopRange, count + 1), .range_count = count};
  for (int i = 0; i < count; i++) {
    RlxTirVar *v = rlx_tir_var(c->f, rlx_intern_text(rlx_store_names(store), "i"), dims[i]->dtype);
    vars[i] = rlx_tir_var_expr(c->f, v);
    const RlxPrim *size = rlx_tir_integer(store, dims[i]);
    out->ranges[i] =
        (RlxLoopRange){rlx_tir_symbol(store, v), rlx_prim_int_typed(store, 0, v->dtype), size};
    if (!size) return false;
    out->size = out->size ? rlx_prim_mul(store, out->size, size) : size;
  }
  RlxTirExpr **outs = rlx_schedule_map_indices(c, text, vars, count, &out->count);
  if (!outs) return false;
  const RlxPrim **indices = rlx_arena_array(arena, const RlxPrim *, out->count + 1);
  for (int d = 0; d < out->count; d++)
    if (!(indices[d] = rlx_tir_integer(store, outs[d]))) return false;
  RlxIterQuery query = {.indices = indices,
                        .index_count = out->count,
                        .loops = out->ranges,
                        .loop_count = count,
                        .level = RLX_ITER_BIJECTIVE,
                        .keeps_unit_loops = true};
  out->map = rlx_iter_map_detect(store, arena, &query);
  if (!out->map.sums &&
      !divides_unit(store, out, outs)) { // where a dimension of one element stands between others
    query.keeps_unit_loops = false;
    out->map = rlx_iter_map_detect(store, arena, &query);
  }
  return out->map.sums && !out->map.is_padded;
}

/// The number of elements of a box; 0: not a number, or too many to count.
static int64_t element_count(RlxTirExpr *const *shape, int count) {
  int64_t all = 1;
  for (int d = 0; d < count; d++) {
    int64_t size = shape[d]->kind == RLX_TIR_INT ? shape[d]->integer : 0;
    if (size <= 0 || all > INT64_MAX / size) return 0;
    all *= size;
  }
  return all;
}

bool rlx_schedule_map_is_onto(RlxScheduleCall *c, const char *text, RlxTirExpr *const *dims,
                              int count, RlxTirExpr ***out_shape, int *out_count) {
  RlxStore *store = c->s->store;
  Over over;
  if (!detect(c, text, dims, count, &over)) return false;
  RlxScheduleVars known = {.c = c};
  rlx_schedule_vars_params(&known);
  for (int i = 0; i < count; i++) rlx_schedule_vars_of(&known, dims[i]);
  const RlxPrim *made = NULL;
  bool ok = true;
  *out_count = over.count;
  *out_shape = rlx_arena_array(c->f->arena, RlxTirExpr *, over.count + 1);
  for (int d = 0; ok && d < over.count; d++) {
    const RlxIterSum *sum = &over.map.sums[d];
    const RlxPrim *end = rlx_prim_addi(store, sum->base, 1);
    for (int k = 0; k < sum->split_count; k++)
      end = rlx_prim_add(store, end,
                         rlx_prim_mul(store, rlx_prim_addi(store, sum->splits[k].extent, -1),
                                      sum->splits[k].scale));
    end = rlx_prim_simplify(store, end);
    made = made ? rlx_prim_mul(store, made, end) : end;
    RlxTirExpr *size = rlx_schedule_expr(&known, end);
    if (size && size->kind == RLX_TIR_INT)
      size = rlx_tir_int(c->f, size->integer, count ? dims[0]->dtype : size->dtype);
    (*out_shape)[d] = size;
    ok = size != NULL;
  }
  rlx_schedule_vars_free(&known);
  int64_t elements = element_count(dims, count); // a size may not fit its type
  if (ok && elements && elements != element_count(*out_shape, *out_count)) return false;
  return ok && (!over.size || !made || rlx_prove_equal(store, NULL, over.size, made) == RLX_YES);
}

bool rlx_schedule_map_inverse(RlxScheduleCall *c, const char *text, RlxTirExpr *const *dims,
                              int count, RlxTirExpr *const *values, RlxTirExpr **out) {
  RlxStore *store = c->s->store;
  RlxArena *arena = c->s->arena;
  Over over;
  if (!detect(c, text, dims, count, &over)) return false;
  RlxScheduleVars known = {.c = c};
  const RlxPrim **at = rlx_arena_array(arena, const RlxPrim *, over.count + 1);
  const RlxPrim **inputs = rlx_arena_array(arena, const RlxPrim *, count + 1);
  rlx_schedule_vars_params(&known);
  for (int i = 0; i < count; i++) rlx_schedule_vars_of(&known, dims[i]);
  bool ok = true;
  for (int d = 0; d < over.count; d++) {
    rlx_schedule_vars_of(&known, values[d]);
    ok &= (at[d] = rlx_tir_integer(store, values[d])) != NULL;
  }
  ok = ok &&
       rlx_iter_map_inverse(store, arena, &over.map, over.count, at, over.ranges, count, inputs);
  int64_t one;
  for (int i = 0; ok && i < count; i++) {
    if (!inputs[i] && rlx_prim_is_const(over.ranges[i].extent, &one) && one == 1)
      inputs[i] = over.ranges[i].min;
    out[i] = inputs[i] ? rlx_schedule_expr(&known, rlx_prim_simplify(store, inputs[i])) : NULL;
    ok = out[i] != NULL;
  }
  rlx_schedule_vars_free(&known);
  return ok;
}
