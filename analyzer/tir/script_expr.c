/// Expressions of PrimFuncs: Python syntax to typed TensorIR expressions, with TVM's promotion of
/// operand types.
#include "analyzer/tir/script_impl.h"
#include "analyzer/words/names.h"

#include "analyzer/words/script_names.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_DEPTH = 400 };

RlxTv rlx_tv_expr(RlxTirExpr *expr, bool weak) {
  RlxTv v = {.kind = RLX_TV_EXPR, .weak = weak, .expr = expr};
  return v;
}

RlxTv rlx_tv_hole(void) {
  RlxTv v = {.kind = RLX_TV_HOLE};
  return v;
}

static RlxTv tv_text(RlxTvKind kind, const char *text) {
  RlxTv v = {.kind = (uint8_t)kind, .text = text};
  return v;
}

RlxTv rlx_tir_issue(RlxTirReader *r, const RlxAst *ast, const char *format, ...) {
  r->f->has_holes = true;
  bool is_listed = r->issues && r->issues->count < 100;
  if (!is_listed && r->f->why) return rlx_tv_hole();
  char text[256];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (!r->f->why) r->f->why = rlx_arena_strdup(r->f->arena, text);
  if (!is_listed) return rlx_tv_hole();
  uint32_t base = r->stmt->start - r->origin;
  RlxSpan span = ast ? ast->span : rlx_span(0, r->stmt->head_size);
  RlxTirIssue issue = {rlx_span(base + span.start, base + span.end),
                       rlx_arena_strdup(r->f->arena, text), NULL};
  rlx_vec_push(r->issues, issue);
  return rlx_tv_hole();
}

RlxTv rlx_tir_mistake(RlxTirReader *r, const RlxAst *ast, RlxDiagId id, const char *kinds, ...) {
  r->f->has_holes = true;
  bool is_listed = r->issues && r->issues->count < 100;
  if (!is_listed && r->f->why) return rlx_tv_hole();
  uint32_t base = r->stmt->start - r->origin;
  RlxSpan span = ast ? ast->span : rlx_span(0, r->stmt->head_size);
  RlxSink sink = {.arena = r->f->arena};
  RlxTirIssue issue = {.span = rlx_span(base + span.start, base + span.end)};
  va_list values;
  va_start(values, kinds);
  issue.diag = rlx_vreportf(&sink, id, issue.span, kinds, values);
  va_end(values);
  issue.message = issue.diag->message;
  rlx_vec_free(&sink.diags);
  if (!r->f->why) r->f->why = issue.message;
  if (is_listed) rlx_vec_push(r->issues, issue);
  return rlx_tv_hole();
}

RlxTirExpr *rlx_tir_hole_expr(RlxTirReader *r, const char *why) {
  RlxTirExpr *e = rlx_arena_one(r->f->arena, RlxTirExpr);
  e->kind = RLX_TIR_HOLE;
  e->dtype = RLX_INT32;
  e->name = rlx_store_intern(r->store, why, strlen(why));
  r->f->has_holes = true;
  return e;
}

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

// ------------------------------------------------------------------ promotion

/// TVM's BinaryOpMatchTypes: weak literals take the other side's dtype, floats win, wider wins,
/// unsigned wins at equal width.
static RlxDType promoted(RlxDType a, RlxDType b) {
  if (rlx_dtype_equal(a, b)) return a;
  RlxDType t = a;
  if (rlx_dtype_is_float(a) != rlx_dtype_is_float(b)) {
    t = rlx_dtype_is_float(a) ? a : b;
  } else if (rlx_dtype_is_bool(a) || rlx_dtype_is_bool(b)) {
    t = rlx_dtype_is_bool(a) ? b : a;
  } else if (a.bits != b.bits) {
    t = a.bits > b.bits ? a : b;
  } else if (b.code == RLX_DTYPE_UINT) {
    t = b;
  }
  t.lanes = a.lanes > b.lanes ? a.lanes : b.lanes;
  return t;
}

static RlxTirExpr *converted(RlxTirReader *r, RlxTirExpr *e, RlxDType to) {
  if (rlx_dtype_equal(e->dtype, to) || e->kind == RLX_TIR_HOLE || e->dtype.code == RLX_DTYPE_HANDLE)
    return e;
  if (e->kind == RLX_TIR_INT && to.lanes == 1) {
    if (rlx_dtype_is_float(to)) return rlx_tir_float(r->f, (double)e->integer, to);
    if (rlx_dtype_is_int(to)) return rlx_tir_int(r->f, e->integer, to);
    if (rlx_dtype_is_bool(to)) return rlx_tir_int(r->f, e->integer != 0, to);
  }
  if (e->kind == RLX_TIR_FLOAT && rlx_dtype_is_float(to) && to.lanes == 1)
    return rlx_tir_float(r->f, e->number, to);
  if (to.lanes > 1 && e->dtype.lanes == 1) { // one value in all lanes
    RlxDType lane = to;
    lane.lanes = 1;
    return rlx_tir_broadcast(r->f, converted(r, e, lane), to.lanes);
  }
  return rlx_tir_cast(r->f, to, e);
}

/// Both operands in their common type; two weak literals stay weak.
static void match_types(RlxTirReader *r, RlxTv *a, RlxTv *b) {
  RlxDType ta = a->expr->dtype, tb = b->expr->dtype, t;
  if (a->weak && !b->weak) {
    bool widens = rlx_dtype_is_float(ta) && !rlx_dtype_is_float(tb);
    t = widens ? promoted(ta, tb) : tb;
  } else if (b->weak && !a->weak) {
    bool widens = rlx_dtype_is_float(tb) && !rlx_dtype_is_float(ta);
    t = widens ? promoted(ta, tb) : ta;
  } else {
    t = promoted(ta, tb);
  }
  t.lanes = ta.lanes > tb.lanes ? ta.lanes : tb.lanes;
  if (rlx_dtype_is_bool(t) && (a->weak || b->weak) &&
      !(rlx_dtype_is_bool(ta) && rlx_dtype_is_bool(tb)))
    t = RLX_INT32;
  a->expr = converted(r, a->expr, t);
  b->expr = converted(r, b->expr, t);
}

/// The number of values in begin:end:step; -1 when it is not known, 0 when it certainly is no number
/// that a vector may have: the extent is symbolic, or not positive.
static int64_t range_lanes(RlxTirReader *r, const RlxTirExpr *range, int64_t *step) {
  const RlxPrim *begin = rlx_tir_to_prim(r->store, range->args[0], 0),
                *end = rlx_tir_to_prim(r->store, range->args[1], 0);
  *step = 1;
  if (range->arg_count > 2) {
    if (range->args[2]->kind != RLX_TIR_INT) return -1;
    *step = range->args[2]->integer;
  }
  if (!begin || !end || *step <= 0) return -1;
  const RlxPrim *extent = rlx_prim_simplify(r->store, rlx_prim_sub(r->store, end, begin));
  int64_t number;
  if (!rlx_prim_is_const(extent, &number)) return 0;
  return number < 1 ? 0 : (number + *step - 1) / *step;
}

RlxTv rlx_tir_part_mistake(RlxTirReader *r, const RlxAst *ast, RlxTv v) {
  bool is_seen = r->part && r->part_stmt == r->stmt;
  RlxTirBuffer *buffer = v.kind == RLX_TV_BUFFER ? v.buffer : v.expr->buffer;
  int given = v.kind == RLX_TV_BUFFER ? 0 : is_seen ? r->part_indices : buffer->ndim;
  const char *name = rlx_store_text(r->store, buffer->name);
  if (v.kind == RLX_TV_REGION && is_seen) ast = r->part;
  if (given < buffer->ndim)
    return rlx_tir_mistake(r, ast, RLX_DIAG_ID(BUFFER_RANK), "sii", name, buffer->ndim, given);
  return rlx_tir_mistake(r, ast, RLX_DIAG_ID(REGION_VALUE), "s", name);
}

/// Whether `v` is a buffer or a part of one, which is no operand of an operator: in 0.27 of none, in
/// 0.25 unless the other is an expression of TensorIR, which takes it for a vector.
static bool is_bare_part(const RlxTirReader *r, const RlxTv *v, const RlxTv *other) {
  if (!rlx_tir_is_known(r)) return false;
  if (v->kind == RLX_TV_BUFFER) return v->buffer->ndim > 0;
  if (v->kind != RLX_TV_REGION) return false;
  return rlx_tir_is_027(r) || !other || other->kind == RLX_TV_REGION ||
         (other->kind == RLX_TV_EXPR && other->weak);
}

/// Whether `a == b` asks in 0.25 whether both are one object of Python, since none is an expression of TensorIR.
static bool are_objects(const RlxTirReader *r, const RlxTv *a, const RlxTv *b) {
  if (!rlx_tir_is_025(r) || (!is_bare_part(r, a, b) && !is_bare_part(r, b, a))) return false;
  return (a->kind != RLX_TV_EXPR || a->weak) && (b->kind != RLX_TV_EXPR || b->weak) &&
         a->kind != RLX_TV_HOLE && b->kind != RLX_TV_HOLE;
}

RlxTv rlx_tir_value(RlxTirReader *r, const RlxAst *ast, RlxTv v) {
  if (v.kind == RLX_TV_BUFFER && v.buffer->ndim == 0)
    return rlx_tv_expr(rlx_tir_load(r->f, v.buffer, NULL), false);
  if (v.kind != RLX_TV_REGION) return v;
  RlxTirExpr *index[MAX_NDIM];
  int ndim = v.expr->arg_count;
  for (int i = 0; i < ndim; i++) {
    index[i] = v.expr->args[i];
    if (index[i]->kind != RLX_TIR_RANGE) continue;
    int64_t step, lanes = range_lanes(r, index[i], &step);
    bool fits = lanes == 1 || (lanes > 1 && lanes <= 1024 && i == ndim - 1);
    bool is_refused = rlx_tir_is_known(r) && (!lanes || (lanes > 1 && i < ndim - 1));
    if (is_refused) return rlx_tir_part_mistake(r, ast, v);
    if (!fits)
      return rlx_tir_issue(r, ast,
                           "a slice is a value only in the last dimension, from 1 to 1024 "
                           "elements whose number is a constant");
    index[i] =
        lanes == 1 ? index[i]->args[0] : rlx_tir_ramp(r->f, index[i]->args[0], step, (int)lanes);
  }
  RlxTirExpr *load = rlx_tir_load(r->f, v.expr->buffer, index);
  load->span = v.expr->span;
  return rlx_tv_expr(load, false);
}

/// Whether `/` of TVM asks which division is meant when both operands are such.
static bool is_signed_int(RlxTv v) {
  return v.weak ? !rlx_dtype_is_float(v.expr->dtype) : v.expr->dtype.code == RLX_DTYPE_INT;
}

static RlxTv binary(RlxTirReader *r, const RlxAst *ast, RlxTirExprKind kind, RlxTv a, RlxTv b) {
  if (rlx_tir_is_027(r) && (a.kind == RLX_TV_REGION || b.kind == RLX_TV_REGION))
    return rlx_tir_part_mistake(r, ast, a.kind == RLX_TV_REGION ? a : b);
  a = rlx_tir_value(r, ast, a);
  b = rlx_tir_value(r, ast, b);
  if (a.kind == RLX_TV_HOLE || b.kind == RLX_TV_HOLE) return rlx_tv_hole();
  if (a.kind != RLX_TV_EXPR || b.kind != RLX_TV_EXPR)
    return rlx_tir_issue(r, ast, "operands of an operator have to be scalars");
  bool weak = a.weak && b.weak;
  bool is_one = (kind == RLX_TIR_MIN || kind == RLX_TIR_MAX) && a.expr->kind == RLX_TIR_VAR &&
                b.expr->kind == RLX_TIR_VAR && a.expr->var == b.expr->var;
  if (is_one) return a;
  bool is_signed = is_signed_int(a) && is_signed_int(b);
  match_types(r, &a, &b);
  if (kind == RLX_TIR_DIV && !weak && !is_signed && !rlx_dtype_is_float(a.expr->dtype))
    kind = RLX_TIR_TRUNCDIV;
  if (kind == RLX_TIR_DIV && !rlx_dtype_is_float(a.expr->dtype)) {
    if (!weak) return rlx_tir_mistake(r, ast, RLX_DIAG_ID(INTEGER_DIVISION), "");
    a.expr = converted(r, a.expr, RLX_FLOAT32);
    b.expr = converted(r, b.expr, RLX_FLOAT32);
  }
  return rlx_tv_expr(rlx_tir_binary(r->f, kind, a.expr, b.expr), weak);
}

/// The same for an operator that Python applies, which does not take everything.
static RlxTv infix(RlxTirReader *r, const RlxAst *ast, RlxTirExprKind kind, RlxTv a, RlxTv b) {
  if ((kind == RLX_TIR_EQ || kind == RLX_TIR_NE) && are_objects(r, &a, &b)) {
    const bool is_same = a.kind == b.kind && a.kind == RLX_TV_BUFFER && a.buffer == b.buffer;
    return rlx_tv_expr(rlx_tir_int(r->f, is_same == (kind == RLX_TIR_EQ), RLX_BOOL), true);
  }
  // A comparison never takes a part, whatever the other is.
  const bool compares = kind == RLX_TIR_EQ || kind == RLX_TIR_NE || kind == RLX_TIR_LT ||
                        kind == RLX_TIR_LE || kind == RLX_TIR_GT || kind == RLX_TIR_GE;
  if (is_bare_part(r, &a, compares ? NULL : &b)) return rlx_tir_part_mistake(r, ast, a);
  if (is_bare_part(r, &b, compares ? NULL : &a)) return rlx_tir_part_mistake(r, ast, b);
  return binary(r, ast, kind, a, b);
}

static RlxTirExpr *condition(RlxTirReader *r, RlxTirExpr *e) {
  if (rlx_dtype_is_bool(e->dtype) || e->kind == RLX_TIR_HOLE) return e;
  return rlx_tir_binary(r->f, RLX_TIR_NE, e,
                        converted(r, rlx_tir_int(r->f, 0, RLX_INT32), e->dtype));
}

static RlxTirExpr *node(RlxTirReader *r, RlxTirExprKind kind, RlxDType dtype,
                        RlxTirExpr *const *args, int count) {
  RlxTirExpr *n = rlx_arena_one(r->f->arena, RlxTirExpr);
  n->kind = (uint8_t)kind;
  n->dtype = dtype;
  n->arg_count = (uint16_t)count;
  n->args = rlx_arena_copy(r->f->arena, args, (size_t)count, sizeof *args);
  return n;
}

static RlxTv logical_not(RlxTirReader *r, RlxTirExpr *e) {
  RlxTirExpr *a = condition(r, e);
  return rlx_tv_expr(node(r, RLX_TIR_NOT, RLX_BOOL, &a, 1), false);
}

// ------------------------------------------------------------------ conversions of values

RlxTirExpr *rlx_tir_as(RlxTirReader *r, RlxTv v, RlxDType dtype) {
  v = rlx_tir_value(r, NULL, v);
  if (v.kind != RLX_TV_EXPR) return rlx_tir_hole_expr(r, "scalar expected");
  return rlx_dtype_known(dtype) ? converted(r, v.expr, dtype) : v.expr;
}

RlxTirExpr *rlx_tir_eval_expr(RlxTirReader *r, const RlxAst *ast) {
  RlxTv v = rlx_tir_eval(r, ast);
  if (v.kind == RLX_TV_TUPLE && v.is_grid && ast->kind == RLX_AST_NAME)
    v = rlx_tir_mistake(r, ast, RLX_DIAG_ID(LOOP_NAMES), "sii", "T.grid", (int)v.count, 1);
  return rlx_tir_as(r, v, rlx_dtype_unknown());
}

RlxTv rlx_tir_eval_bound(RlxTirReader *r, const RlxAst *ast, bool may_be_part) {
  RlxTv v = rlx_tir_eval(r, ast);
  if (may_be_part && v.kind == RLX_TV_REGION) return rlx_tir_value(r, ast, v);
  return is_bare_part(r, &v, NULL) ? rlx_tir_part_mistake(r, ast, v) : v;
}

RlxTv rlx_tir_eval_scalar(RlxTirReader *r, const RlxAst *ast) {
  return rlx_tir_eval_bound(r, ast, false);
}

RlxTirExpr *rlx_tir_eval_scalar_expr(RlxTirReader *r, const RlxAst *ast) {
  RlxTv v = rlx_tir_eval_scalar(r, ast);
  if (v.kind == RLX_TV_TUPLE && v.is_grid && ast->kind == RLX_AST_NAME)
    v = rlx_tir_mistake(r, ast, RLX_DIAG_ID(LOOP_NAMES), "sii", "T.grid", (int)v.count, 1);
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

/// A value from outside the function: a module-level Python constant.
static RlxTv from_outer(RlxTirReader *r, const RlxAst *ast, const RlxValue *value) {
  switch ((RlxValueKind)value->kind) {
  case RLX_VALUE_NONE: return (RlxTv){.kind = RLX_TV_NONE};
  case RLX_VALUE_BOOL: return rlx_tv_expr(rlx_tir_int(r->f, value->boolean, RLX_BOOL), true);
  case RLX_VALUE_INT: {
    bool wide = value->integer > INT32_MAX || value->integer < INT32_MIN;
    return rlx_tv_expr(rlx_tir_int(r->f, value->integer, wide ? RLX_INT64 : RLX_INT32), true);
  }
  case RLX_VALUE_FLOAT: return rlx_tv_expr(rlx_tir_float(r->f, value->number, RLX_FLOAT32), true);
  case RLX_VALUE_STR: return tv_text(RLX_TV_STRING, rlx_store_text(r->store, value->string));
  case RLX_VALUE_LIST: {
    RlxTv v = {.kind = RLX_TV_TUPLE};
    v.items = rlx_arena_array(r->f->arena, RlxTv, value->count + 1);
    for (uint32_t i = 0; i < value->count; i++)
      v.items[v.count++] = from_outer(r, ast, &value->items[i]);
    return v;
  }
  case RLX_VALUE_ABSENT:
  case RLX_VALUE_PRIM:
  case RLX_VALUE_DICT:
  case RLX_VALUE_EXPR:
  case RLX_VALUE_SINFO:
  case RLX_VALUE_CALLEE:
  case RLX_VALUE_UNKNOWN:
  case RLX_VALUE_VDEVICE:
  case RLX_VALUE_OTHER: break;
  }
  return rlx_tir_issue(r, ast, "the value of `%s` is known to Python only",
                       rlx_store_text(r->store, ast->name));
}

/// Notes the use of a loop that lies outside of a block around.
static void note_use(RlxTirReader *r, const RlxAst *ast, const RlxTirExpr *expr) {
  int depth = r->block_depth - (r->uses == RLX_USES_OUTSIDE);
  if (r->uses == RLX_USES_NOWHERE || depth <= 0) return;
  for (uint32_t i = r->loops.count; i-- > 0;) {
    if (r->loops.at[i].expr != expr) continue;
    RlxTirLoopUse use = {expr, r->stmt, ast, r->loops.at[i].depth, depth};
    if (use.loop_depth < depth) rlx_vec_push(&r->loop_uses, use);
    return;
  }
}

static RlxTv eval_name(RlxTirReader *r, const RlxAst *ast) {
  RlxTv v;
  if (rlx_tir_find(r, ast->name, &v)) {
    if (v.kind == RLX_TV_EXPR) note_use(r, ast, v.expr);
    return v;
  }
  RlxValue outer;
  if (r->outer && r->outer->lookup && r->outer->lookup(ast->name, &outer, r->outer->data))
    return from_outer(r, ast, &outer);
  const char *text = rlx_store_text(r->store, ast->name);
  if (rlx_tir_is_namespace(text)) return tv_text(RLX_TV_PATH, "");
  if (!r->outer || !r->outer->lookup)
    return rlx_tir_issue(r, ast, "name `%s` is not defined", text);
  for (uint32_t i = 0; i < r->missing.count; i++)
    if (r->missing.at[i] == ast->name) return rlx_tv_hole();
  rlx_vec_push(&r->missing, ast->name);
  if (r->missing_stmt == r->stmt) return rlx_tv_hole(); // one for each statement
  r->missing_stmt = r->stmt;
  return rlx_tir_mistake(r, ast, RLX_DIAG_ID(NAME_UNDEFINED), "ss", text, "");
}

// ------------------------------------------------------------------ attributes and subscripts

static RlxTv buffer_attribute(RlxTirReader *r, const RlxAst *ast, RlxTirBuffer *buffer) {
  const char *attr = rlx_store_text(r->store, ast->name);
  if (!strcmp(attr, "data")) {
    if (!buffer->data)
      buffer->data = rlx_tir_var(r->f, buffer->name, rlx_dtype(RLX_DTYPE_HANDLE, 64));
    return rlx_tv_expr(rlx_tir_var_expr(r->f, buffer->data), false);
  }
  if (!strcmp(attr, "dtype")) return (RlxTv){.kind = RLX_TV_DTYPE, .dtype = buffer->dtype};
  if (!strcmp(attr, "elem_offset")) {
    if (buffer->offset_factor && !buffer->elem_offset) { // TVM gives it a variable of its own
      const char *name = rlx_store_text(r->store, buffer->name);
      RlxTirVar *own =
          rlx_tir_var(r->f,
                      rlx_intern_text(rlx_store_names(r->store),
                                      rlx_arena_printf(r->f->arena, "%s_elem_offset", name)),
                      RLX_INT32);
      buffer->elem_offset = rlx_tir_var_expr(r->f, own);
      buffer->owns_offset = true;
    }
    return rlx_tv_expr(buffer->elem_offset ? buffer->elem_offset : rlx_tir_int(r->f, 0, RLX_INT32),
                       false);
  }
  if (!strcmp(attr, "shape") || !strcmp(attr, "strides")) {
    RlxTirExpr **list = attr[1] == 'h' ? buffer->shape : buffer->strides;
    RlxTv v = {.kind = RLX_TV_TUPLE, .count = list ? (uint32_t)buffer->ndim : 0};
    v.items = rlx_arena_array(r->f->arena, RlxTv, v.count + 1);
    for (uint32_t i = 0; i < v.count; i++) v.items[i] = rlx_tv_expr(list[i], false);
    return v;
  }
  return rlx_tir_issue(r, ast, "buffer attribute `%s` is not known", attr);
}

/// `x.dtype`, or `x.ty` as 0.27 has it, of an expression.
static RlxTv expr_attribute(RlxTirReader *r, const RlxAst *ast, const char *attr,
                            const RlxTirExpr *expr) {
  bool is_dtype = !strcmp(attr, "dtype");
  bool has_type_only = expr->kind == RLX_TIR_LOAD || expr->kind == RLX_TIR_VAR;
  if (is_dtype && rlx_tir_is_027(r) && has_type_only && expr->dtype.code != RLX_DTYPE_HANDLE)
    return rlx_tir_mistake(r, ast, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), "ss", "dtype",
                           "; the type of an expression is its `ty`");
  if (is_dtype || !strcmp(attr, "ty")) return (RlxTv){.kind = RLX_TV_DTYPE, .dtype = expr->dtype};
  return rlx_tir_issue(r, ast, "attribute `%s` is not understood here", attr);
}

static RlxTv eval_attribute(RlxTirReader *r, const RlxAst *ast) {
  const char *path = rlx_tir_path(r, ast);
  if (path) {
    RlxDType t;
    if (rlx_dtype_parse(path, strlen(path), &t) && rlx_dtype_known(t))
      return (RlxTv){.kind = RLX_TV_DTYPE, .dtype = t};
    return tv_text(RLX_TV_PATH, path);
  }
  RlxTv base = rlx_tir_eval(r, ast->children[0]);
  if (base.kind == RLX_TV_HOLE) return base;
  const char *attr = rlx_store_text(r->store, ast->name);
  if (base.kind == RLX_TV_BUFFER) return buffer_attribute(r, ast, base.buffer);
  if (base.kind == RLX_TV_EXPR) return expr_attribute(r, ast, attr, base.expr);
  return rlx_tir_issue(r, ast, "attribute `%s` is not understood here", attr);
}

/// A slice as a RANGE; absent ends are the buffer's.
static RlxTirExpr *range_of(RlxTirReader *r, const RlxAst *slice, RlxTirExpr *extent) {
  const RlxAst *start = slice->children[0], *stop = slice->children[1], *step = slice->children[2];
  RlxTirExpr *args[3] = {start->kind == RLX_AST_NONE ? rlx_tir_int(r->f, 0, extent->dtype)
                                                     : rlx_tir_eval_expr(r, start),
                         stop->kind == RLX_AST_NONE ? extent : rlx_tir_eval_expr(r, stop), NULL};
  int count = 2;
  if (step->kind != RLX_AST_NONE) args[count++] = rlx_tir_eval_expr(r, step);
  return node(r, RLX_TIR_RANGE, args[0]->dtype, args, count);
}

/// Whether the number of dimensions is sure: a shape known to Python only reads as one hole.
static bool is_ranked(const RlxTirBuffer *buffer) {
  for (int d = 0; d < buffer->ndim; d++)
    if (buffer->shape[d]->kind == RLX_TIR_HOLE) return false;
  return buffer->ndim > 0;
}

/// Whether an index stands for several, or for nobody knows how many: `*s`, a name of a list.
static bool has_list(RlxTirReader *r, RlxAst *const *at, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (at[i]->kind == RLX_AST_STARRED) return true;
    if (at[i]->kind != RLX_AST_NAME) continue;
    RlxTv v = rlx_tir_eval(r, at[i]);
    if (v.kind == RLX_TV_TUPLE || v.kind == RLX_TV_HOLE) return true;
  }
  return false;
}

/// Whether a part of a buffer has one element for certain: `B[0:1, 0]`, `B[0]` of shape (4, 1).
static bool has_one_element(RlxTirReader *r, const RlxTirExpr *part) {
  int64_t step;
  for (int i = 0; i < part->arg_count; i++)
    if (part->args[i]->kind == RLX_TIR_RANGE && range_lanes(r, part->args[i], &step) != 1)
      return false;
  return true;
}

/// An index; a part of a buffer is one only in 0.25, where it is a vector, for the last dimension, or a
/// single element.
static RlxTirExpr *index_of(RlxTirReader *r, const RlxAst *ast, bool is_last) {
  bool may_be_part = ast->kind == RLX_AST_SUBSCRIPT && rlx_tir_is_known(r);
  if (!may_be_part) return rlx_tir_eval_expr(r, ast);
  RlxTv v = rlx_tir_eval(r, ast);
  if (v.kind == RLX_TV_REGION && (rlx_tir_is_027(r) || (!is_last && !has_one_element(r, v.expr))))
    v = rlx_tir_part_mistake(r, ast, v);
  return rlx_tir_as(r, v, rlx_dtype_unknown());
}

static RlxTv eval_subscript(RlxTirReader *r, const RlxAst *ast) {
  RlxTv base = rlx_tir_eval(r, ast->children[0]);
  if (base.kind == RLX_TV_HOLE) return base;
  uint32_t count = ast->child_count - 1;
  RlxAst *const *at = ast->children + 1;
  bool is_list = count == 1 && at[0]->kind == RLX_AST_LIST && base.kind == RLX_TV_BUFFER;
  if (is_list || (count == 1 && at[0]->kind == RLX_AST_TUPLE)) {
    count = at[0]->child_count;
    at = at[0]->children;
  }
  if (base.kind == RLX_TV_TUPLE) {
    RlxTirExpr *index = count == 1 ? rlx_tir_eval_expr(r, at[0]) : NULL;
    if (!index || index->kind != RLX_TIR_INT)
      return rlx_tir_issue(r, ast, "the index of a tuple has to be a constant");
    int64_t i = index->integer < 0 ? index->integer + (int64_t)base.count : index->integer;
    if (i < 0 || i >= (int64_t)base.count)
      return rlx_tir_issue(r, ast, "index %lld is outside of a tuple of %u",
                           (long long)index->integer, base.count);
    return base.items[i];
  }
  if (base.kind != RLX_TV_BUFFER)
    return rlx_tir_issue(r, ast, "only buffers and tuples can be indexed");
  RlxTirBuffer *buffer = base.buffer;
  for (uint32_t i = 0; i < r->undeclared.count; i++) {
    if (r->undeclared.at[i] != buffer) continue;
    rlx_tir_mistake(r, ast->children[0], RLX_DIAG_ID(BUFFER_UNDECLARED), "s",
                    rlx_store_text(r->store, buffer->name));
    rlx_vec_remove_n(&r->undeclared, i, 1);
    break;
  }
  if (count > (uint32_t)buffer->ndim && is_ranked(buffer)) {
    for (uint32_t i = 0; i < r->misused.count; i++)
      if (r->misused.at[i] == buffer) return rlx_tv_hole();
    rlx_vec_push(&r->misused, buffer);
    return rlx_tir_mistake(r, ast, RLX_DIAG_ID(BUFFER_RANK), "sii",
                           rlx_store_text(r->store, buffer->name), buffer->ndim, (int)count);
  }
  bool is_short = count && count < (uint32_t)buffer->ndim && is_ranked(buffer);
  if (is_short && has_list(r, at, count))
    return rlx_tir_issue(r, ast, "an index that is a list is not understood");
  if ((count != (uint32_t)buffer->ndim && !is_short) || buffer->ndim > MAX_NDIM) {
    return rlx_tir_issue(r, ast, "buffer `%s` has %d dimensions, indexed with %u",
                         rlx_store_text(r->store, buffer->name), buffer->ndim, count);
  }
  RlxTirExpr *index[MAX_NDIM];
  bool is_region = is_short;
  for (uint32_t i = count; i < (uint32_t)buffer->ndim; i++) { // all of the other dimensions
    RlxTirExpr *ends[2] = {rlx_tir_int(r->f, 0, buffer->shape[i]->dtype), buffer->shape[i]};
    index[i] = node(r, RLX_TIR_RANGE, ends[0]->dtype, ends, 2);
  }
  for (uint32_t i = 0; i < count; i++) {
    if (at[i]->kind == RLX_AST_SLICE) {
      is_region = true;
      index[i] = range_of(r, at[i], buffer->shape[i]);
    } else {
      index[i] = index_of(r, at[i], i + 1 == (uint32_t)buffer->ndim);
    }
  }
  RlxTirExpr *load = rlx_tir_load(r->f, buffer, index);
  load->span = ast->span;
  if (is_region) {
    r->part = ast;
    r->part_stmt = r->stmt;
    r->part_value = (RlxTv){.kind = RLX_TV_REGION, .expr = load};
    r->part_indices = (int)count;
    return (RlxTv){.kind = RLX_TV_REGION, .expr = load};
  }
  return rlx_tv_expr(load, false);
}

RlxTirRegion rlx_tir_region(RlxTirReader *r, RlxTv v) {
  RlxTirRegion region = {0};
  if (v.kind == RLX_TV_BUFFER) { // the whole buffer
    region.buffer = v.buffer;
    region.begin = rlx_arena_array(r->f->arena, RlxTirExpr *, v.buffer->ndim + 1);
    region.extent = v.buffer->shape;
    for (int i = 0; i < v.buffer->ndim; i++)
      region.begin[i] = rlx_tir_int(r->f, 0, v.buffer->shape[i]->dtype);
    return region;
  }
  RlxTirExpr *load = v.kind == RLX_TV_REGION || v.kind == RLX_TV_EXPR ? v.expr : NULL;
  if (!load || load->kind != RLX_TIR_LOAD) return region;
  region.buffer = load->buffer;
  region.begin = rlx_arena_array(r->f->arena, RlxTirExpr *, load->arg_count + 1);
  region.extent = rlx_arena_array(r->f->arena, RlxTirExpr *, load->arg_count + 1);
  for (int i = 0; i < load->arg_count; i++) {
    RlxTirExpr *index = load->args[i];
    bool is_range = index->kind == RLX_TIR_RANGE;
    region.begin[i] = is_range ? index->args[0] : index;
    if (is_range) {
      RlxTv stop = rlx_tv_expr(index->args[1], index->args[1]->kind == RLX_TIR_INT);
      RlxTv start = rlx_tv_expr(index->args[0], index->args[0]->kind == RLX_TIR_INT);
      match_types(r, &stop, &start);
      region.extent[i] = rlx_tir_binary(r->f, RLX_TIR_SUB, stop.expr, start.expr);
    } else {
      region.extent[i] = rlx_tir_int(r->f, 1, index->dtype);
    }
  }
  return region;
}

// ------------------------------------------------------------------ operators

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
    RlxTv one = infix(r, ast, kind, rlx_tir_eval(r, ast->children[i]),
                      rlx_tir_eval(r, ast->children[i + 1]));
    if (one.kind != RLX_TV_EXPR) return one;
    is_python = is_python && rlx_tv_is_decided(one);
    one.weak = false;
    all = i ? binary(r, ast, RLX_TIR_AND, all, one) : one;
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
    return tv_text(RLX_TV_STRING, rlx_arena_printf(r->f->arena, "%s%s", a.text, b.text));
  }
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    if (table[i].op != ast->op) continue;
    bool logical = a.kind == RLX_TV_EXPR && b.kind == RLX_TV_EXPR &&
                   rlx_dtype_is_bool(a.expr->dtype) && rlx_dtype_is_bool(b.expr->dtype);
    if (logical && ast->op == RLX_OP_BITAND) return binary(r, ast, RLX_TIR_AND, a, b);
    if (logical && ast->op == RLX_OP_BITOR) return binary(r, ast, RLX_TIR_OR, a, b);
    return infix(r, ast, (RlxTirExprKind)table[i].kind, a, b);
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
    match_types(r, &a, &b);
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
  if (ast->op != RLX_OP_NOT && is_bare_part(r, &a, NULL)) return rlx_tir_part_mistake(r, ast, a);
  a = rlx_tir_value(r, ast, a);
  if (a.kind == RLX_TV_HOLE) return a;
  if (a.kind != RLX_TV_EXPR) return rlx_tir_issue(r, ast, "a scalar is expected here");
  if (ast->op == RLX_OP_POS) return a;
  if (ast->op == RLX_OP_NOT && rlx_tv_is_decided(a))
    return rlx_tv_expr(rlx_tir_int(r->f, !a.expr->integer, RLX_BOOL), true);
  if (ast->op == RLX_OP_NOT) return logical_not(r, a.expr);
  if (ast->op == RLX_OP_INVERT) {
    if (rlx_dtype_is_bool(a.expr->dtype)) return logical_not(r, a.expr);
    return rlx_tv_expr(node(r, RLX_TIR_BITNOT, a.expr->dtype, &a.expr, 1), a.weak);
  }
  if (a.expr->kind == RLX_TIR_FLOAT)
    return rlx_tv_expr(rlx_tir_float(r->f, -a.expr->number, a.expr->dtype), a.weak);
  RlxTv zero = rlx_tv_expr(rlx_tir_int(r->f, 0, RLX_INT32), true);
  RlxTv v = binary(r, ast, RLX_TIR_SUB, zero, a);
  v.weak = a.weak;
  return v;
}

/// `a and b`, `a or b`.
static RlxTv eval_bool_op(RlxTirReader *r, const RlxAst *ast) {
  const bool is_and = ast->op == RLX_OP_AND;
  RlxTv a = rlx_tir_eval(r, ast->children[0]);
  const bool is_python = rlx_tv_is_decided(a), is_first = is_python && !a.expr->integer == is_and;
  if (is_first && rlx_dtype_is_bool(a.expr->dtype) && rlx_tir_may_be_027(r)) return a;
  RlxTv b = rlx_tir_eval(r, ast->children[1]);
  if (a.kind != RLX_TV_EXPR || b.kind != RLX_TV_EXPR) return rlx_tv_hole();
  if (is_python && rlx_tv_is_decided(b)) return is_first ? a : b;
  RlxTirExpr *x = condition(r, a.expr), *y = condition(r, b.expr);
  return rlx_tv_expr(rlx_tir_binary(r->f, is_and ? RLX_TIR_AND : RLX_TIR_OR, x, y), false);
}

/// `c ? a : b`, evaluating only the chosen side (if_then_else) or maybe both (Select).
static RlxTv choose(RlxTirReader *r, const RlxAst *ast, RlxTv vc, RlxTv va, RlxTv vb, bool lazy) {
  if (rlx_tv_is_decided(vc)) return vc.expr->integer ? va : vb;
  if (va.kind == RLX_TV_HOLE || vb.kind == RLX_TV_HOLE || vc.kind != RLX_TV_EXPR)
    return rlx_tv_hole();
  if (va.kind != RLX_TV_EXPR || vb.kind != RLX_TV_EXPR)
    return rlx_tir_issue(r, ast, "both sides of a choice have to be scalars");
  match_types(r, &va, &vb);
  RlxTirExpr *cond = condition(r, vc.expr);
  if (!lazy && cond->kind == RLX_TIR_INT) { // stays as it is written
    RlxTirExpr *parts[] = {cond, va.expr, vb.expr};
    return rlx_tv_expr(node(r, RLX_TIR_SELECT, va.expr->dtype, parts, 3), false);
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
  if (rlx_tv_is_decided(cond) && rlx_tir_may_be_027(r))
    return rlx_tir_eval(r, cond.expr->integer ? a : b);
  RlxTv va = value_of(r, a), vb = value_of(r, b);
  return choose(r, ast, cond, va, vb, true);
}

/// T.if_then_else and, not `lazy`, T.Select
static RlxTv eval_choice(RlxTirReader *r, const RlxAst *call, const RlxAst *c, const RlxAst *a,
                         const RlxAst *b, bool lazy) {
  RlxTv va = value_of(r, a), vb = value_of(r, b),
        vc = rlx_tir_value(r, c, lazy ? rlx_tir_eval_scalar(r, c) : rlx_tir_eval(r, c));
  return choose(r, call, vc, va, vb, lazy);
}

// ------------------------------------------------------------------ calls

static RlxTv typed_literal(RlxTirReader *r, const RlxAst *call, RlxDType t) {
  const RlxAst *arg = rlx_tir_arg(r, call, 0, "expr");
  if (!arg)
    return rlx_tv_expr(rlx_tir_var_expr(r->f, rlx_tir_var(r->f, 0, t)),
                       false); // T.int64(): a fresh variable
  RlxTv v = rlx_tir_eval(r, arg);
  if (v.kind == RLX_TV_STRING) { // T.float32("nan")
    double special = !strcmp(v.text, "nan")    ? __builtin_nan("")
                     : !strcmp(v.text, "-inf") ? -__builtin_inf()
                                               : __builtin_inf();
    return rlx_tv_expr(rlx_tir_float(r->f, special, t), false);
  }
  if (v.kind == RLX_TV_HOLE) return v;
  return rlx_tv_expr(rlx_tir_as(r, v, t), false);
}

typedef struct BinaryCall {
  const char *path;
  RlxTirExprKind kind;
} BinaryCall;

static const BinaryCall binary_calls[] = {
    {"Add", RLX_TIR_ADD},
    {"Sub", RLX_TIR_SUB},
    {"Mul", RLX_TIR_MUL},
    {"Div", RLX_TIR_TRUNCDIV},
    {"Mod", RLX_TIR_TRUNCMOD},
    {"FloorDiv", RLX_TIR_FLOORDIV},
    {"FloorMod", RLX_TIR_FLOORMOD},
    {"Min", RLX_TIR_MIN},
    {"Max", RLX_TIR_MAX},
    {"EQ", RLX_TIR_EQ},
    {"NE", RLX_TIR_NE},
    {"LT", RLX_TIR_LT},
    {"LE", RLX_TIR_LE},
    {"GT", RLX_TIR_GT},
    {"GE", RLX_TIR_GE},
    {"And", RLX_TIR_AND},
    {"Or", RLX_TIR_OR},
    {"floordiv", RLX_TIR_FLOORDIV},
    {"floormod", RLX_TIR_FLOORMOD},
    {"truncdiv", RLX_TIR_TRUNCDIV},
    {"truncmod", RLX_TIR_TRUNCMOD},
    {"div", RLX_TIR_TRUNCDIV},
    {"indexdiv", RLX_TIR_FLOORDIV},
    {"indexmod", RLX_TIR_FLOORMOD},
    {"min", RLX_TIR_MIN},
    {"max", RLX_TIR_MAX},
    {"shift_left", RLX_TIR_SHL},
    {"shift_right", RLX_TIR_SHR},
    {"bitwise_and", RLX_TIR_BITAND},
    {"bitwise_or", RLX_TIR_BITOR},
    {"bitwise_xor", RLX_TIR_BITXOR},
};

/// min_value / max_value / infinity of a dtype.
static RlxTv limit_of(RlxTirReader *r, const RlxAst *call, const char *path) {
  RlxDType t = rlx_tir_read_dtype(r, rlx_tir_arg(r, call, 0, "dtype"), RLX_FLOAT32);
  if (!strcmp(path, "infinity")) return rlx_tv_expr(rlx_tir_float(r->f, __builtin_inf(), t), false);
  bool is_max = !strcmp(path, "max_value");
  if (rlx_dtype_is_float(t)) {
    double max = t.bits == 64                 ? 1.7976931348623157e308
                 : t.code == RLX_DTYPE_BFLOAT ? 3.3895313892515355e38
                 : t.bits == 32               ? 3.4028234663852886e38
                                              : 65504.0;
    return rlx_tv_expr(rlx_tir_float(r->f, is_max ? max : -max, t), false);
  }
  int64_t max = rlx_dtype_is_bool(t)       ? 1
                : t.code == RLX_DTYPE_UINT ? (t.bits >= 63 ? INT64_MAX : (INT64_C(1) << t.bits) - 1)
                                           : (int64_t)((UINT64_C(1) << (t.bits - 1)) - 1);
  int64_t min = t.code == RLX_DTYPE_INT ? -max - 1 : 0;
  return rlx_tv_expr(rlx_tir_int(r->f, is_max ? max : min, t), false);
}

static RlxTv address_of(RlxTirReader *r, const RlxAst *ast, RlxTv v) {
  if (v.kind == RLX_TV_BUFFER) {
    RlxTirExpr *zeros[MAX_NDIM];
    for (int i = 0; i < v.buffer->ndim && i < MAX_NDIM; i++)
      zeros[i] = rlx_tir_int(r->f, 0, RLX_INT32);
    v = rlx_tv_expr(rlx_tir_load(r->f, v.buffer, zeros), false);
  }
  if (v.kind != RLX_TV_EXPR || v.expr->kind != RLX_TIR_LOAD)
    return rlx_tir_issue(r, ast, "T.address_of takes a buffer element");
  return rlx_tv_expr(node(r, RLX_TIR_ADDRESS_OF, rlx_dtype(RLX_DTYPE_HANDLE, 64), &v.expr, 1),
                     false);
}

/// Whether the call is of a name directly in T, and not in a namespace within or beside it.
static bool is_of_t(RlxTirReader *r, const RlxAst *call, const char *path) {
  const RlxAst *callee = call->children[0];
  const char *root = callee->kind == RLX_AST_ATTRIBUTE && callee->children[0]->kind == RLX_AST_NAME
                         ? rlx_tir_namespace(r, callee->children[0]->name)
                         : NULL;
  return !strchr(path, '.') && root && !strcmp(root, "T");
}

/// Whether `path` is an intrinsic function of T (not a tile primitive, nor one of a device) in 0.27,
/// none of which takes a region.
static bool takes_no_part(RlxTirReader *r, const RlxAst *call, const char *path) {
  const RlxScriptName *row = rlx_tir_is_027(r) ? rlx_script_name(path, RLX_DIALECT_027) : NULL;
  return row && row->how == RLX_SCRIPT_DROPS && is_of_t(r, call, path);
}

/// A call of an intrinsic by name: arguments as they are; the result's dtype is the first
/// argument's unless the table of intrinsics says otherwise.
static RlxTv intrinsic(RlxTirReader *r, const RlxAst *call, const char *path) {
  RlxTirExpr *args[MAX_NDIM];
  int count = 0;
  RlxDType dtype = rlx_dtype_unknown();
  uint32_t first = 1, end = call->child_count;
  bool is_void = false; // said to give nothing
  if (!strcmp(path, "tvm_struct_get") && end == 5 && call->children[4]->kind != RLX_AST_KEYWORD)
    dtype = rlx_tir_read_dtype(r, call->children[--end], dtype);
  bool is_run = r->outer && r->outer->inlines; // what is only looked at keeps its words
  bool takes_dtype = !strncmp(path, "call_", 5) || !strcmp(path, "tvm_call_packed") ||
                     (is_run && !strncmp(path, "vector", 6));
  if (takes_dtype) {
    const RlxAst *d = rlx_tir_arg(r, call, 0, "dtype");
    RlxTv v = d ? rlx_tir_eval(r, d) : rlx_tv_hole();
    RlxDType t;
    if (v.kind == RLX_TV_DTYPE) {
      dtype = v.dtype;
      first = 2;
    } else if (v.kind == RLX_TV_STRING && rlx_dtype_parse(v.text, strlen(v.text), &t) &&
               strcmp(path, "call_packed") != 0) {
      dtype = t;
      first = 2;
      is_void = !rlx_dtype_known(t);
    }
  }
  for (uint32_t i = first; i < end && count < MAX_NDIM; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind == RLX_AST_KEYWORD && !strcmp(rlx_store_text(r->store, arg->name), "dtype")) {
      dtype = rlx_tir_read_dtype(r, arg->children[0], dtype);
      continue;
    }
    RlxTv v = rlx_tir_eval(r, arg->kind == RLX_AST_KEYWORD ? arg->children[0] : arg);
    if (v.kind == RLX_TV_REGION && takes_no_part(r, call, path))
      return rlx_tir_part_mistake(r, arg, v);
    // A tile primitive takes parts of buffers; which names are such is not in the table.
    if (v.kind == RLX_TV_REGION && !is_of_t(r, call, path))
      return rlx_tir_issue(r, arg, "this argument of %s is not understood", path);
    if (strcmp(path, "reads") != 0 && strcmp(path, "writes") != 0) v = rlx_tir_value(r, arg, v);
    if (v.kind == RLX_TV_STRING) {
      args[count++] = rlx_tir_string(r->f, v.text);
    } else if (v.kind == RLX_TV_EXPR || (v.kind == RLX_TV_BUFFER && v.buffer->ndim == 0)) {
      args[count++] = rlx_tir_as(r, v, rlx_dtype_unknown());
    } else if (v.kind == RLX_TV_HOLE) {
      return v;
    } else {
      return rlx_tir_issue(r, arg, "this argument of T.%s is not understood", path);
    }
  }
  if (!strcmp(path, "type_annotation") && count == 1 && args[0]->kind == RLX_TIR_STRING)
    rlx_dtype_parse(args[0]->text, args[0]->text_size, &dtype);
  if (!rlx_dtype_known(dtype) && !is_void) dtype = rlx_tir_intrinsic_dtype(path, args, count);
  bool same_types = !strcmp(path, "pow") || !strcmp(path, "atan2") || !strcmp(path, "fmod") ||
                    !strcmp(path, "hypot") || !strcmp(path, "copysign") ||
                    !strcmp(path, "nextafter");
  if (same_types && count == 2) {
    dtype = promoted(args[0]->dtype, args[1]->dtype);
    args[0] = converted(r, args[0], dtype);
    args[1] = converted(r, args[1], dtype);
  }
  RlxTirExpr *e =
      rlx_tir_call(r->f, rlx_store_intern(r->store, path, strlen(path)), dtype, args, count);
  e->span = call->span;
  return rlx_tv_expr(e, false);
}

/// T.Let(body, where={var: value}).
static RlxTv eval_let(RlxTirReader *r, const RlxAst *call, const RlxAst *body) {
  const RlxAst *where = rlx_tir_arg(r, call, 9, "where");
  uint32_t depth = r->env.count;
  if (!where || where->kind != RLX_AST_DICT || where->child_count != 2 ||
      where->children[0]->kind != RLX_AST_NAME)
    return rlx_tir_issue(r, call, "T.Let is understood as T.Let(body, where={var: value})");
  RlxName name = where->children[0]->name;
  RlxTirExpr *value = rlx_tir_eval_expr(r, where->children[1]);
  RlxTv known;
  RlxTirVar *var =
      rlx_tir_find(r, name, &known) && known.kind == RLX_TV_EXPR && known.expr->kind == RLX_TIR_VAR
          ? known.expr->var
          : rlx_tir_var(r->f, name, value->dtype);
  rlx_tir_bind(r, name, rlx_tv_expr(rlx_tir_var_expr(r->f, var), false));
  RlxTirExpr *inner = rlx_tir_eval_expr(r, body), *args[2] = {value, inner};
  RlxTirExpr *result = node(r, RLX_TIR_LET, inner->dtype, args, 2);
  result->var = var;
  rlx_tir_leave(r, depth);
  return rlx_tv_expr(result, false);
}

/// T.Ramp(base, stride, lanes), T.Broadcast(value, lanes).
static RlxTv eval_vector(RlxTirReader *r, const RlxAst *call, bool is_ramp) {
  const RlxAst *a1 = rlx_tir_arg(r, call, 1, NULL);
  RlxTirExpr *args[2] = {rlx_tir_eval_expr(r, rlx_tir_arg(r, call, 0, NULL)),
                         is_ramp ? rlx_tir_eval_expr(r, a1) : NULL};
  const RlxAst *last = is_ramp ? rlx_tir_arg(r, call, 2, NULL) : a1;
  RlxTirExpr *lanes = last ? rlx_tir_eval_expr(r, last) : NULL;
  if (!lanes || lanes->kind != RLX_TIR_INT || lanes->integer < 1 || lanes->integer > 1024)
    return rlx_tir_issue(r, call, "the number of lanes has to be a constant");
  RlxDType t = args[0]->dtype;
  t.lanes = (uint16_t)lanes->integer;
  if (is_ramp) args[1] = converted(r, args[1], args[0]->dtype);
  return rlx_tv_expr(node(r, is_ramp ? RLX_TIR_RAMP : RLX_TIR_BROADCAST, t, args, is_ramp ? 2 : 1),
                     false);
}

/// T.cast, T.Cast and T.reinterpret.
static RlxTv eval_cast(RlxTirReader *r, const char *path, const RlxAst *dtype,
                       const RlxAst *value) {
  bool is_refused = path[0] == 'c' ? rlx_tir_is_known(r) : rlx_tir_is_027(r);
  if (value->kind == RLX_AST_STRING && is_refused && path[0] != 'r')
    return rlx_tir_mistake(r, value, RLX_DIAG_ID(ARGUMENT_KIND), "ssss",
                           path[0] == 'c' ? "T.cast" : "T.Cast", path[0] == 'c' ? "src" : "value",
                           "an expression", "a string");
  RlxDType t = rlx_tir_read_dtype(r, dtype, RLX_INT32);
  RlxTirExpr *e = rlx_tir_eval_expr(r, value);
  if (!strcmp(path, "cast")) return rlx_tv_expr(converted(r, e, t), false);
  return rlx_tv_expr(node(r, path[0] == 'r' ? RLX_TIR_REINTERPRET : RLX_TIR_CAST, t, &e, 1), false);
}

static RlxTv eval_path_call(RlxTirReader *r, const RlxAst *call, const char *path);

/// T.call_intrin("float32", "tirx.sqrt", x): T.sqrt(x), whose result has that dtype.
static RlxTv call_by_name(RlxTirReader *r, const RlxAst *call, const RlxAst *dtype,
                          const RlxAst *name) {
  const char *text = rlx_arena_strndup(r->f->arena, name->text, name->text_size);
  if (!strncmp(text, "tir.", 4)) text += 4;
  if (!strncmp(text, "tirx.", 5)) text += 5;
  RlxAst shorter = *call;
  shorter.child_count = call->child_count - 2;
  shorter.children = rlx_arena_array(r->f->arena, RlxAst *, shorter.child_count);
  shorter.children[0] = call->children[0];
  for (uint32_t i = 3; i < call->child_count; i++) shorter.children[i - 2] = call->children[i];
  RlxDType t = rlx_tir_read_dtype(r, dtype, rlx_dtype_unknown());
  RlxTv v = eval_path_call(r, &shorter, text);
  if (v.kind == RLX_TV_EXPR && v.expr->kind == RLX_TIR_CALL && rlx_dtype_known(t))
    v.expr->dtype = t;
  return v;
}

static RlxTv eval_path_call(RlxTirReader *r, const RlxAst *call, const char *path) {
  const RlxAst *a0 = rlx_tir_arg(r, call, 0, NULL), *a1 = rlx_tir_arg(r, call, 1, NULL),
               *a2 = rlx_tir_arg(r, call, 2, NULL);
  for (size_t i = 0; i < sizeof binary_calls / sizeof *binary_calls; i++) {
    if (a0 && a1 && !strcmp(path, binary_calls[i].path))
      return binary(r, call, binary_calls[i].kind, rlx_tir_eval(r, a0), rlx_tir_eval(r, a1));
  }
  if (!strcmp(path, "if_then_else") && a0 && a1 && a2)
    return eval_choice(r, call, a0, a1, a2, true);
  if (!strcmp(path, "Select") && a0 && a1 && a2) return eval_choice(r, call, a0, a1, a2, false);
  if (!strcmp(path, "cast") && a0 && a1) // folds constants, T.Cast stays as it is
    return eval_cast(r, path, a1, a0);
  if ((!strcmp(path, "Cast") || !strcmp(path, "reinterpret")) && a0 && a1)
    return eval_cast(r, path, a0, a1);
  if (!strcmp(path, "const") && a0) {
    RlxDType t = a1 ? rlx_tir_read_dtype(r, a1, RLX_INT32) : rlx_dtype_unknown();
    return rlx_tv_expr(rlx_tir_as(r, rlx_tir_eval(r, a0), t), false);
  }
  if (!strcmp(path, "Not") && a0) return logical_not(r, rlx_tir_eval_expr(r, a0));
  if (!strcmp(path, "bitwise_not") && a0) {
    RlxTirExpr *e = rlx_tir_eval_expr(r, a0);
    return rlx_tv_expr(node(r, RLX_TIR_BITNOT, e->dtype, &e, 1), false);
  }
  if (!strcmp(path, "likely") && a0)
    return rlx_tv_expr(rlx_tir_likely(r->f, rlx_tir_eval_expr(r, a0)), false);
  if (!strcmp(path, "ceildiv") && a0 && a1) {
    RlxTv b = rlx_tir_eval(r, a1), one = rlx_tv_expr(rlx_tir_int(r->f, 1, RLX_INT32), true);
    RlxTv top =
        binary(r, call, RLX_TIR_SUB, binary(r, call, RLX_TIR_ADD, rlx_tir_eval(r, a0), b), one);
    return binary(r, call, RLX_TIR_FLOORDIV, top, b);
  }
  if (!strcmp(path, "min_value") || !strcmp(path, "max_value") || !strcmp(path, "infinity"))
    return limit_of(r, call, path);
  if (!strcmp(path, "address_of") && a0) return address_of(r, call, rlx_tir_eval(r, a0));
  if (!strcmp(path, "meta_var") && a0) return rlx_tir_eval(r, a0);
  if (!strcmp(path, "Let")) return eval_let(r, call, a0);
  bool is_ramp = !strcmp(path, "Ramp") || !strcmp(path, "ramp");
  if ((is_ramp || !strcmp(path, "Broadcast") || !strcmp(path, "broadcast")) && a0 && a1)
    return eval_vector(r, call, is_ramp);
  if (!strcmp(path, "FloatImm") && a0 && a1)
    return rlx_tv_expr(rlx_tir_eval_as(r, a1, rlx_tir_read_dtype(r, a0, RLX_FLOAT32)), false);
  if (!strcmp(path, "IntImm") && a0 && a1)
    return rlx_tv_expr(rlx_tir_eval_as(r, a1, rlx_tir_read_dtype(r, a0, RLX_INT32)), false);
  if (!strcmp(path, "boolean")) return typed_literal(r, call, RLX_BOOL);
  if (!strcmp(path, "StringImm") && a0) return rlx_tir_eval(r, a0);
  if (!strcmp(path, "Shuffle") && a0 && a1 && r->outer && r->outer->inlines)
    return rlx_tir_eval_shuffle(r, call, a0, a1);
  if (!strcmp(path, "call_intrin") && a1 && a1->kind == RLX_AST_STRING && call->child_count >= 3)
    return call_by_name(r, call, a0, a1);
  return intrinsic(r, call, path);
}

/// `A.access_ptr("rw", offset=…, extent=…)`: T.tvm_access_ptr as TVM makes it.
static RlxTv access_ptr(RlxTirReader *r, const RlxAst *call, RlxTirBuffer *buffer) {
  const RlxAst *mask = rlx_tir_arg(r, call, 0, "access_mask"),
               *at = rlx_tir_arg(r, call, 3, "offset"), *count = rlx_tir_arg(r, call, 4, "extent");
  RlxTv m = mask ? rlx_tir_eval(r, mask) : rlx_tv_hole();
  int64_t bits = m.kind == RLX_TV_EXPR && m.expr->kind == RLX_TIR_INT ? m.expr->integer : 0;
  for (const char *p = m.kind == RLX_TV_STRING ? m.text : ""; *p; p++)
    bits |= *p == 'r' ? 1 : *p == 'w' ? 2 : 4;
  if (bits < 1 || bits > 3) return rlx_tir_issue(r, call, "an access is \"r\", \"w\" or \"rw\"");
  if (!buffer->data)
    buffer->data = rlx_tir_var(r->f, buffer->name, rlx_dtype(RLX_DTYPE_HANDLE, 64));
  RlxTirExpr *offset = at ? rlx_tir_eval_expr(r, at) : rlx_tir_int(r->f, 0, RLX_INT32);
  RlxTv extent = rlx_tv_expr(rlx_tir_int(r->f, 1, RLX_INT32), true);
  if (count) {
    extent = rlx_tir_eval(r, count);
  } else {
    for (int i = 0; i < buffer->ndim; i++)
      extent = binary(r, call, RLX_TIR_MUL, extent, rlx_tv_expr(buffer->shape[i], false));
    extent = binary(r, call, RLX_TIR_SUB, extent, rlx_tv_expr(offset, at == NULL));
  }
  char dtype[RLX_DTYPE_TEXT_MAX];
  RlxTirExpr *name = rlx_tir_string(r->f, rlx_dtype_text(buffer->dtype, dtype));
  RlxTirExpr *args[5] = {rlx_tir_call(r->f, rlx_store_intern(r->store, "type_annotation", 15),
                                      buffer->dtype, &name, 1),
                         rlx_tir_var_expr(r->f, buffer->data), offset,
                         rlx_tir_as(r, extent, rlx_dtype_unknown()),
                         rlx_tir_int(r->f, bits, RLX_INT32)};
  RlxTirExpr *e = rlx_tir_call(r->f, rlx_store_intern(r->store, "tvm_access_ptr", 14),
                               rlx_dtype(RLX_DTYPE_HANDLE, 64), args, 5);
  e->span = call->span;
  return rlx_tv_expr(e, false);
}

/// float("nan"), int(x), len(…), min/max of Python: what scripts use at build time.
static RlxTv eval_python_call(RlxTirReader *r, const RlxAst *call) {
  const RlxAst *callee = call->children[0];
  const char *name = callee->kind == RLX_AST_NAME ? rlx_store_text(r->store, callee->name) : "";
  const RlxAst *a0 = rlx_tir_arg(r, call, 0, NULL);
  if (!strcmp(name, "float") && a0) {
    RlxTv v = typed_literal(r, call, RLX_FLOAT32);
    v.weak = true;
    return v;
  }
  if (!strcmp(name, "int") && a0) {
    RlxTv v = rlx_tir_eval(r, a0);
    if (v.kind == RLX_TV_EXPR && v.expr->kind == RLX_TIR_FLOAT)
      v.expr = rlx_tir_int(r->f, (int64_t)v.expr->number, RLX_INT32);
    return v;
  }
  if (!strcmp(name, "len") && a0) {
    RlxTv v = rlx_tir_eval(r, a0);
    if (v.kind == RLX_TV_TUPLE) return rlx_tv_expr(rlx_tir_int(r->f, v.count, RLX_INT32), true);
  }
  if ((!strcmp(name, "min") || !strcmp(name, "max")) && a0 && rlx_tir_arg(r, call, 1, NULL)) {
    return binary(r, call, name[1] == 'i' ? RLX_TIR_MIN : RLX_TIR_MAX, rlx_tir_eval(r, a0),
                  rlx_tir_eval(r, rlx_tir_arg(r, call, 1, NULL)));
  }
  if (callee->kind == RLX_AST_ATTRIBUTE) { // methods of values: x.astype("int32"), A.vload(…)
    const char *method = rlx_store_text(r->store, callee->name);
    RlxTv base = rlx_tir_eval(r, callee->children[0]);
    if (base.kind == RLX_TV_EXPR && !strcmp(method, "astype") && a0)
      return rlx_tv_expr(converted(r, base.expr, rlx_tir_read_dtype(r, a0, base.expr->dtype)),
                         false);
    if (base.kind == RLX_TV_HOLE) return base;
    if (base.kind == RLX_TV_BUFFER && !strcmp(method, "access_ptr"))
      return access_ptr(r, call, base.buffer);
    if (base.kind == RLX_TV_BUFFER && !strcmp(method, "vload") && a0)
      return rlx_tir_vector_load(r, call, base.buffer, a0);
  }
  return rlx_tir_issue(r, call, "this call is not understood in a PrimFunc");
}

static RlxTv eval_call(RlxTirReader *r, const RlxAst *call) {
  const char *path = rlx_tir_path(r, call->children[0]);
  if (path) {
    RlxDType t;
    if (rlx_dtype_parse(path, strlen(path), &t) && rlx_dtype_known(t))
      return typed_literal(r, call, t);
    return eval_path_call(r, call, path);
  }
  if (rlx_tir_is_call(r, call)) return rlx_tir_call_value(r, call);
  RlxTv callee;
  if (call->children[0]->kind == RLX_AST_NAME &&
      rlx_tir_find(r, call->children[0]->name, &callee) && callee.kind == RLX_TV_DTYPE) {
    return typed_literal(r, call, callee.dtype);
  }
  return eval_python_call(r, call);
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
    return tv_text(RLX_TV_STRING, rlx_arena_strndup(r->f->arena, ast->text, ast->text_size));
  case RLX_AST_TRUE: return rlx_tv_expr(rlx_tir_int(r->f, 1, RLX_BOOL), true);
  case RLX_AST_FALSE: return rlx_tv_expr(rlx_tir_int(r->f, 0, RLX_BOOL), true);
  case RLX_AST_NONE: return (RlxTv){.kind = RLX_TV_NONE};
  case RLX_AST_TUPLE:
  case RLX_AST_LIST: return tuple_of(r, ast->children, ast->child_count);
  case RLX_AST_CALL: return eval_call(r, ast);
  case RLX_AST_ATTRIBUTE: return eval_attribute(r, ast);
  case RLX_AST_SUBSCRIPT: return eval_subscript(r, ast);
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
