/// Values of the PrimFunc reader: what is not understood, promotion of operands to a common type, parts of buffers as
/// values, and operators on values.
#include "analyzer/script/script_impl.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

RlxTv rlx_tv_expr(RlxTirExpr *expr, bool weak) {
  RlxTv v = {.kind = RLX_TV_EXPR, .weak = weak, .expr = expr};
  return v;
}

RlxTv rlx_tv_hole(void) {
  RlxTv v = {.kind = RLX_TV_HOLE};
  return v;
}

RlxTv rlx_tv_text(RlxTvKind kind, const char *text) {
  RlxTv v = {.kind = (uint8_t)kind, .text = text};
  return v;
}

/// Where `ast` stands in its statement; NULL: all of the statement's head.
static RlxSpan place_of(const RlxTirReader *r, const RlxAst *ast) {
  if (r->text) return r->text->span;
  return ast ? ast->span : rlx_span(0, r->stmt->head_size);
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
  RlxSpan span = place_of(r, ast);
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
  RlxSpan span = place_of(r, ast);
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

RlxTirExpr *rlx_tir_converted(RlxTirReader *r, RlxTirExpr *e, RlxDType to) {
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
    return rlx_tir_broadcast(r->f, rlx_tir_converted(r, e, lane), to.lanes);
  }
  return rlx_tir_cast(r->f, to, e);
}

void rlx_tir_match_types(RlxTirReader *r, RlxTv *a, RlxTv *b) {
  RlxDType ta = a->expr->dtype, tb = b->expr->dtype, t;
  if (a->weak && !b->weak) {
    bool widens = rlx_dtype_is_float(ta) && !rlx_dtype_is_float(tb);
    t = widens ? rlx_dtype_promoted(ta, tb) : tb;
  } else if (b->weak && !a->weak) {
    bool widens = rlx_dtype_is_float(tb) && !rlx_dtype_is_float(ta);
    t = widens ? rlx_dtype_promoted(ta, tb) : ta;
  } else {
    t = rlx_dtype_promoted(ta, tb);
  }
  t.lanes = ta.lanes > tb.lanes ? ta.lanes : tb.lanes;
  if (rlx_dtype_is_bool(t) && (a->weak || b->weak) &&
      !(rlx_dtype_is_bool(ta) && rlx_dtype_is_bool(tb)))
    t = RLX_INT32;
  a->expr = rlx_tir_converted(r, a->expr, t);
  b->expr = rlx_tir_converted(r, b->expr, t);
}

int64_t rlx_tir_range_lanes(RlxTirReader *r, const RlxTirExpr *range, int64_t *step) {
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

bool rlx_tir_is_bare_part(const RlxTirReader *r, const RlxTv *v, const RlxTv *other) {
  if (!rlx_tir_is_known(r)) return false;
  if (v->kind == RLX_TV_BUFFER) return v->buffer->ndim > 0;
  if (v->kind != RLX_TV_REGION) return false;
  return rlx_tir_is_027(r) || !other || other->kind == RLX_TV_REGION ||
         (other->kind == RLX_TV_EXPR && other->weak);
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
    int64_t step, lanes = rlx_tir_range_lanes(r, index[i], &step);
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

RlxTirExpr *rlx_tir_as(RlxTirReader *r, RlxTv v, RlxDType dtype) {
  v = rlx_tir_value(r, NULL, v);
  if (v.kind != RLX_TV_EXPR) return rlx_tir_hole_expr(r, "scalar expected");
  return rlx_dtype_known(dtype) ? rlx_tir_converted(r, v.expr, dtype) : v.expr;
}

RlxTirExpr *rlx_tir_node(RlxTirReader *r, RlxTirExprKind kind, RlxDType dtype,
                         RlxTirExpr *const *args, int count) {
  RlxTirExpr *n = rlx_arena_one(r->f->arena, RlxTirExpr);
  n->kind = (uint8_t)kind;
  n->dtype = dtype;
  n->arg_count = (uint16_t)count;
  n->args = rlx_arena_copy(r->f->arena, args, (size_t)count, sizeof *args);
  return n;
}

/// Whether `/` of TVM asks which division is meant when both operands are such.
static bool is_signed_int(RlxTv v) {
  return v.weak ? !rlx_dtype_is_float(v.expr->dtype) : v.expr->dtype.code == RLX_DTYPE_INT;
}

RlxTv rlx_tir_arithmetic(RlxTirReader *r, const RlxAst *ast, RlxTirExprKind kind, RlxTv a,
                         RlxTv b) {
  if (rlx_tir_is_027(r) && (a.kind == RLX_TV_REGION || b.kind == RLX_TV_REGION))
    return rlx_tir_part_mistake(r, ast, a.kind == RLX_TV_REGION ? a : b);
  const bool is_part = a.kind == RLX_TV_REGION || b.kind == RLX_TV_REGION;
  a = rlx_tir_value(r, ast, a);
  b = rlx_tir_value(r, ast, b);
  if (a.kind == RLX_TV_HOLE || b.kind == RLX_TV_HOLE) return rlx_tv_hole();
  if (a.kind != RLX_TV_EXPR || b.kind != RLX_TV_EXPR)
    return rlx_tir_issue(r, ast, "operands of an operator have to be scalars");
  bool weak = a.weak && b.weak;
  bool is_one = (kind == RLX_TIR_MIN || kind == RLX_TIR_MAX) && a.expr->kind == RLX_TIR_VAR &&
                b.expr->kind == RLX_TIR_VAR && a.expr->var == b.expr->var;
  if (is_one) return a;
  bool is_signed = is_signed_int(a) && is_signed_int(b) && !is_part; // of a part TVM does not ask
  rlx_tir_match_types(r, &a, &b);
  if (kind == RLX_TIR_DIV && !weak && !is_signed && !rlx_dtype_is_float(a.expr->dtype))
    kind = RLX_TIR_TRUNCDIV;
  if (kind == RLX_TIR_DIV && !rlx_dtype_is_float(a.expr->dtype)) {
    if (!weak) return rlx_tir_mistake(r, ast, RLX_DIAG_ID(INTEGER_DIVISION), "");
    a.expr = rlx_tir_converted(r, a.expr, RLX_FLOAT32);
    b.expr = rlx_tir_converted(r, b.expr, RLX_FLOAT32);
  }
  return rlx_tv_expr(rlx_tir_binary(r->f, kind, a.expr, b.expr), weak);
}

/// Whether `a == b` asks in 0.25 whether both are one object of Python, since none is an expression of TensorIR.
static bool are_objects(const RlxTirReader *r, const RlxTv *a, const RlxTv *b) {
  if (!rlx_tir_is_025(r) || (!rlx_tir_is_bare_part(r, a, b) && !rlx_tir_is_bare_part(r, b, a)))
    return false;
  return (a->kind != RLX_TV_EXPR || a->weak) && (b->kind != RLX_TV_EXPR || b->weak) &&
         a->kind != RLX_TV_HOLE && b->kind != RLX_TV_HOLE;
}

RlxTv rlx_tir_infix(RlxTirReader *r, const RlxAst *ast, RlxTirExprKind kind, RlxTv a, RlxTv b) {
  if ((kind == RLX_TIR_EQ || kind == RLX_TIR_NE) && are_objects(r, &a, &b)) {
    const bool is_same = a.kind == b.kind && a.kind == RLX_TV_BUFFER && a.buffer == b.buffer;
    return rlx_tv_expr(rlx_tir_int(r->f, is_same == (kind == RLX_TIR_EQ), RLX_BOOL), true);
  }
  // A comparison never takes a part, whatever the other is.
  const bool compares = kind == RLX_TIR_EQ || kind == RLX_TIR_NE || kind == RLX_TIR_LT ||
                        kind == RLX_TIR_LE || kind == RLX_TIR_GT || kind == RLX_TIR_GE;
  if (rlx_tir_is_bare_part(r, &a, compares ? NULL : &b)) return rlx_tir_part_mistake(r, ast, a);
  if (rlx_tir_is_bare_part(r, &b, compares ? NULL : &a)) return rlx_tir_part_mistake(r, ast, b);
  return rlx_tir_arithmetic(r, ast, kind, a, b);
}

RlxTirExpr *rlx_tir_condition(RlxTirReader *r, RlxTirExpr *e) {
  if (rlx_dtype_is_bool(e->dtype) || e->kind == RLX_TIR_HOLE) return e;
  return rlx_tir_binary(r->f, RLX_TIR_NE, e,
                        rlx_tir_converted(r, rlx_tir_int(r->f, 0, RLX_INT32), e->dtype));
}

RlxTv rlx_tir_logical_not(RlxTirReader *r, RlxTirExpr *e) {
  RlxTirExpr *a = rlx_tir_condition(r, e);
  return rlx_tv_expr(rlx_tir_node(r, RLX_TIR_NOT, RLX_BOOL, &a, 1), false);
}
