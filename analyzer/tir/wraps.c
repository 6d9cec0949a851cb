/// Ranges of integer expressions as a machine computes them, to tell which may leave their types.
#include "analyzer/tir/wraps.h"

#include "analyzer/symbolic/poly.h"
#include "analyzer/tir/rewrite.h"

enum { DEEPEST = 200 };

/// What a range rests on; of two the larger holds for what is computed of both.
typedef enum Trust {
  TRUST_RANGE,  ///< no other value comes
  TRUST_LENGTH, ///< a length is no larger than RLX_TIR_LENGTH
  TRUST_SIZE,   ///< it fits its type
} Trust;

typedef struct Reach {
  RlxRange range;
  Trust trust;
} Reach;

typedef struct Look {
  RlxTirPurpose purpose;
  bool may_wrap;
} Look;

static RlxRange of_type(RlxDType t) {
  RlxRange r;
  rlx_dtype_limits(t, &r.min, &r.max);
  return r;
}

static bool holds(RlxRange a, RlxRange b) { return a.min <= b.min && b.max <= a.max; }

static RlxRange hull(RlxRange a, RlxRange b) {
  return (RlxRange){a.min < b.min ? a.min : b.min, a.max > b.max ? a.max : b.max};
}

/// At most as far from 0 as the ends of `r`.
static RlxRange both_signs(RlxRange r) {
  const RlxRange back = rlx_range_scale(r, -1), zero = {0, 0};
  return hull(hull(r, back), zero);
}

// ---- variables

static Reach of_var(const Look *w, const RlxTirVar *v) {
  const RlxRange type = of_type(v->dtype), length = {-RLX_TIR_LENGTH, RLX_TIR_LENGTH};
  const bool is_length = v->is_length || v->is_dimension;
  switch ((RlxTirReach)v->reach) {
  case RLX_REACH_RANGE: return (Reach){{v->low, v->high}, TRUST_RANGE};
  case RLX_REACH_LENGTH: return (Reach){{v->low, v->high}, TRUST_LENGTH};
  case RLX_REACH_SIZE: return (Reach){type, TRUST_SIZE};
  case RLX_REACH_UNSEEN:
    return is_length ? (Reach){length, TRUST_LENGTH} : (Reach){type, TRUST_SIZE};
  case RLX_REACH_ANY: break;
  }
  if (is_length) return (Reach){length, TRUST_LENGTH};
  return (Reach){type, w->purpose == RLX_TIR_FOR_VALUE ? TRUST_RANGE : TRUST_SIZE};
}

// ---- operators

static RlxRange quotient(RlxTirExprKind kind, RlxRange a, RlxRange b) {
  if (b.min == b.max && b.min == -1) return rlx_range_scale(a, -1);
  if (b.min > 0 && (kind == RLX_TIR_FLOORDIV || a.min >= 0)) return rlx_range_div(a, b);
  return b.min <= -1 && b.max >= -1 ? both_signs(a) : hull(a, both_signs(rlx_range_scale(a, 1)));
}

static RlxRange modulus(RlxRange a, RlxRange b, RlxRange type) {
  if (b.min > 0 && a.min >= 0) return rlx_range_mod(a, b);
  const RlxRange r = both_signs(b);
  return holds(type, r) ? r : type;
}

/// False: by how much is not known, or by as many bits as the number has.
static bool shift(RlxTirExprKind kind, RlxRange a, RlxRange by, int bits, RlxRange *out) {
  const RlxRange zero = {0, 0};
  if (by.min < 0 || by.max >= bits || by.max > 62) return false;
  *out = kind == RLX_TIR_SHR ? hull(a, zero)
                             : hull(rlx_range_scale(a, (int64_t)1 << by.min),
                                    rlx_range_scale(a, (int64_t)1 << by.max));
  return true;
}

static RlxRange bits_of(RlxTirExprKind kind, RlxRange a, RlxRange b, RlxRange type) {
  if (kind == RLX_TIR_BITAND && (a.min >= 0 || b.min >= 0))
    return (RlxRange){0, a.min >= 0 && (b.min < 0 || a.max < b.max) ? a.max : b.max};
  if (a.min < 0 || b.min < 0) return type;
  int64_t most = a.max > b.max ? a.max : b.max, all = 1;
  while (all <= most && all < INT64_MAX / 2) all = all * 2;
  return (RlxRange){0, all > most ? all - 1 : INT64_MAX};
}

/// What the numbers are that the operator is of, where there were no types; false: that is not known.
static bool operate(RlxTirExprKind kind, RlxRange a, RlxRange b, RlxDType t, RlxRange *out) {
  const RlxRange type = of_type(t);
  switch (kind) {
  case RLX_TIR_ADD: *out = rlx_range_add(a, b); return true;
  case RLX_TIR_SUB: *out = rlx_range_add(a, rlx_range_scale(b, -1)); return true;
  case RLX_TIR_MUL: *out = rlx_range_mul(a, b); return true;
  case RLX_TIR_FLOORDIV:
  case RLX_TIR_TRUNCDIV:
  case RLX_TIR_DIV: *out = quotient(kind, a, b); return true;
  case RLX_TIR_FLOORMOD:
  case RLX_TIR_TRUNCMOD: *out = modulus(a, b, type); return true;
  case RLX_TIR_MIN:
    *out = (RlxRange){a.min < b.min ? a.min : b.min, a.max < b.max ? a.max : b.max};
    return true;
  case RLX_TIR_MAX:
    *out = (RlxRange){a.min > b.min ? a.min : b.min, a.max > b.max ? a.max : b.max};
    return true;
  case RLX_TIR_SHL:
  case RLX_TIR_SHR: return shift(kind, a, b, t.bits, out);
  case RLX_TIR_BITAND:
  case RLX_TIR_BITOR:
  case RLX_TIR_BITXOR:
    *out = bits_of(kind, a, b, type);
    return true;
  RLX_TIR_COMPARE_CASES:
  case RLX_TIR_AND:
  case RLX_TIR_OR:
  case RLX_TIR_HOLE:
  case RLX_TIR_INT:
  case RLX_TIR_FLOAT:
  case RLX_TIR_STRING:
  case RLX_TIR_VAR:
  case RLX_TIR_BITNOT:
  case RLX_TIR_NOT:
  case RLX_TIR_SELECT:
  case RLX_TIR_IF_THEN_ELSE:
  case RLX_TIR_CAST:
  case RLX_TIR_REINTERPRET:
  case RLX_TIR_LOAD:
  case RLX_TIR_CALL:
  case RLX_TIR_LET:
  case RLX_TIR_RAMP:
  case RLX_TIR_BROADCAST:
  case RLX_TIR_RANGE:
  case RLX_TIR_ADDRESS_OF: break;
  }
  *out = type;
  return true;
}

static Reach look(Look *w, const RlxTirExpr *e, int depth);

static Trust trust_of(RlxTirExprKind kind, Reach a, Reach b) {
  if (kind == RLX_TIR_MUL && a.trust == TRUST_LENGTH && b.trust == TRUST_LENGTH) return TRUST_SIZE;
  return a.trust > b.trust ? a.trust : b.trust;
}

static Reach look_at_two(Look *w, const RlxTirExpr *e, int depth) {
  const RlxTirExprKind kind = (RlxTirExprKind)e->kind;
  const RlxRange type = of_type(e->dtype);
  const Reach a = look(w, e->args[0], depth + 1), b = look(w, e->args[1], depth + 1);
  Reach out = {type, trust_of(kind, a, b)};
  const bool is_known = operate(kind, a.range, b.range, e->dtype, &out.range);
  // An end of 64 bits that lies at the limit may stand for one beyond it.
  const bool is_sum = kind <= RLX_TIR_MUL || kind == RLX_TIR_SHL ||
                      (kind <= RLX_TIR_TRUNCDIV && kind != RLX_TIR_FLOORMOD && b.range.min <= -1);
  const bool is_open =
      is_sum && e->dtype.bits == 64 && (out.range.min == INT64_MIN || out.range.max == INT64_MAX);
  if (is_known && !is_open && holds(type, out.range)) return out;
  w->may_wrap |= out.trust != TRUST_SIZE;
  out.range = type;
  return out;
}

static Reach look_at_cast(Look *w, const RlxTirExpr *e, int depth) {
  const RlxRange type = of_type(e->dtype);
  Reach a = look(w, e->args[0], depth + 1);
  if (holds(type, a.range)) return a;
  // Casts to fewer bits, or to no sign, count as other numbers: only the wide ones count as keeping theirs.
  const bool counts_as_kept = e->dtype.bits >= 32 && e->dtype.code == RLX_DTYPE_INT;
  w->may_wrap |= counts_as_kept && a.trust != TRUST_SIZE;
  return (Reach){type, counts_as_kept ? a.trust : TRUST_RANGE};
}

static Reach look(Look *w, const RlxTirExpr *e, int depth) {
  Reach out = {of_type(e->dtype), TRUST_RANGE};
  if (e->kind == RLX_TIR_INT) return (Reach){{e->integer, e->integer}, TRUST_RANGE};
  if (e->kind == RLX_TIR_VAR) return of_var(w, e->var);
  if (depth > DEEPEST) {
    w->may_wrap = true;
    return out;
  }
  if (e->kind == RLX_TIR_CAST && rlx_dtype_is_int(e->args[0]->dtype))
    return look_at_cast(w, e, depth);
  if (e->kind == RLX_TIR_SELECT || e->kind == RLX_TIR_IF_THEN_ELSE) {
    look(w, e->args[0], depth + 1);
    const Reach a = look(w, e->args[1], depth + 1), b = look(w, e->args[2], depth + 1);
    return (Reach){hull(a.range, b.range), a.trust > b.trust ? a.trust : b.trust};
  }
  if (e->arg_count == 2 && e->kind != RLX_TIR_CALL && e->kind != RLX_TIR_LOAD &&
      e->kind != RLX_TIR_LET)
    return look_at_two(w, e, depth);
  if (e->kind == RLX_TIR_LOAD || e->kind == RLX_TIR_CALL) return out;
  for (int i = 0; i < e->arg_count; i++) look(w, e->args[i], depth + 1);
  return out;
}

bool rlx_tir_may_wrap(const RlxTirExpr *e, RlxTirPurpose purpose) {
  if (!e->arg_count) return false;
  Look w = {.purpose = purpose};
  look(&w, e, 0);
  return w.may_wrap;
}

// ---- what variables may be

static void note(RlxTirVar *v, RlxTirReach reach, RlxRange range) {
  if (v->reach > (uint8_t)reach) reach = (RlxTirReach)v->reach;
  if (v->reach == RLX_REACH_RANGE || v->reach == RLX_REACH_LENGTH)
    range = hull(range, (RlxRange){v->low, v->high});
  v->reach = (uint8_t)reach;
  v->low = range.min;
  v->high = range.max;
}

static bool mark_length(const RlxTirExpr *e, void *data) {
  (void)data;
  if (e->kind == RLX_TIR_VAR) e->var->is_length = true;
  return true;
}

static bool is_unknown(const RlxTirExpr *e, void *data) {
  *(bool *)data |= e->kind == RLX_TIR_LOAD || e->kind == RLX_TIR_CALL || e->kind == RLX_TIR_LET;
  return !*(bool *)data;
}

/// An end of a loop; what is loaded, or given by a call, is a length.
static Reach end_of(const RlxTirExpr *e) {
  bool unknown = false;
  Look w = {.purpose = RLX_TIR_FOR_PLACE};
  rlx_tir_visit_expr(e, is_unknown, &unknown);
  if (unknown) return (Reach){{-RLX_TIR_LENGTH, RLX_TIR_LENGTH}, TRUST_LENGTH};
  Reach r = look(&w, e, 0);
  if (w.may_wrap) r.trust = TRUST_SIZE;
  return r;
}

void rlx_tir_note_domain(RlxTirVar *v, const RlxTirExpr *min, const RlxTirExpr *extent) {
  rlx_tir_visit_expr(min, mark_length, NULL);
  rlx_tir_visit_expr(extent, mark_length, NULL);
  const Reach first = min ? end_of(min) : (Reach){{0, 0}, TRUST_RANGE}, count = end_of(extent);
  const Trust trust = first.trust > count.trust ? first.trust : count.trust;
  RlxRange range = rlx_range_add(first.range, count.range);
  range = (RlxRange){first.range.min,
                     range.max - 1 < first.range.min ? first.range.min : range.max - 1};
  if (trust == TRUST_SIZE || !holds(of_type(v->dtype), range))
    note(v, RLX_REACH_SIZE, of_type(v->dtype));
  else
    note(v, trust == TRUST_LENGTH ? RLX_REACH_LENGTH : RLX_REACH_RANGE, range);
}

/// The one value of a name.
static void note_value(RlxTirVar *v, const RlxTirExpr *value) {
  Look w = {.purpose = RLX_TIR_FOR_VALUE};
  const Reach r = rlx_dtype_is_int(value->dtype) ? look(&w, value, 0) : (Reach){{0, 1}, TRUST_SIZE};
  if (w.may_wrap || r.trust == TRUST_SIZE)
    note(v, RLX_REACH_ANY, of_type(v->dtype));
  else
    note(v, r.trust == TRUST_LENGTH ? RLX_REACH_LENGTH : RLX_REACH_RANGE, r.range);
}

static bool note_stmt(const RlxTirStmt *s, void *data) {
  (void)data;
  if (s->kind == RLX_TIR_FOR) rlx_tir_note_domain(s->var, s->min, s->extent);
  if (s->kind == RLX_TIR_LET_STMT && rlx_dtype_is_int(s->var->dtype)) note_value(s->var, s->value);
  for (int i = 0; s->kind == RLX_TIR_BLOCK && i < s->block->iter_count; i++) {
    const RlxTirIterVar *v = &s->block->iters[i];
    rlx_tir_note_domain(v->var, v->min, v->extent);
  }
  return true;
}

void rlx_tir_note_reach(const RlxPrimFunc *f) {
  for (int i = 0; i < f->param_count; i++) {
    const RlxTirParam *p = &f->params[i];
    for (int d = 0; p->buffer && d < p->buffer->ndim; d++)
      rlx_tir_visit_expr(p->buffer->shape[d], mark_length, NULL);
    if (!p->buffer && rlx_dtype_is_int(p->var->dtype))
      note(p->var, RLX_REACH_ANY, of_type(p->var->dtype));
  }
  rlx_tir_visit(f->body, note_stmt, NULL, NULL);
}
