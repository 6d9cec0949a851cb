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
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (known[i].op == a->op)
      return rlx_tir_binary(r->c->f, known[i].kind, number_first ? y : x, number_first ? x : y);
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
  return y ? rlx_tir_binary(r->c->f, is_div ? RLX_TIR_FLOORDIV : RLX_TIR_FLOORMOD, x, y) : NULL;
}

static RlxTirExpr *read_expr(Reader *r, const RlxAst *a, RlxDType wanted) {
  if (a->kind == RLX_AST_INT) return a->is_big ? NULL : rlx_tir_int(r->c->f, a->integer, wanted);
  if (a->kind == RLX_AST_BINARY) return read_binary(r, a, wanted);
  if (a->kind == RLX_AST_CALL) return read_call(r, a, wanted);
  for (uint32_t i = 0; a->kind == RLX_AST_NAME && i < r->lambda->param_count; i++)
    if (r->lambda->params[i].name == a->name) return r->inputs[i];
  return NULL;
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
  int count;
} Over;

static bool detect(RlxScheduleCall *c, const char *text, RlxTirExpr *const *dims, int count,
                   Over *out) {
  RlxStore *store = c->s->store;
  RlxArena *arena = c->s->arena;
  RlxTirExpr **vars = rlx_arena_array(c->f->arena, RlxTirExpr *, count + 1);
  *out = (Over){.ranges = rlx_arena_array(arena, RlxLoopRange, count + 1)};
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
  if (!out->map.sums) { // where a dimension of one element stands between others
    query.keeps_unit_loops = false;
    out->map = rlx_iter_map_detect(store, arena, &query);
  }
  return out->map.sums && !out->map.is_padded;
}

bool rlx_schedule_map_is_onto(RlxScheduleCall *c, const char *text, RlxTirExpr *const *dims,
                              int count, RlxTirExpr ***out_shape, int *out_count) {
  RlxStore *store = c->s->store;
  Over over;
  if (!detect(c, text, dims, count, &over)) return false;
  RlxScheduleVars known = {.c = c};
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
  rlx_vec_free(&known.seen);
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
  rlx_vec_free(&known.seen);
  return ok;
}
