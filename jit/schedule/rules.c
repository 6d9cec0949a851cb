/// What the scheduling rules share: substitution, comparison, strides, constructors.
#include "jit/schedule/rules.h"

#include <string.h>

RlxTirExpr *rules_subst(Rules *r, RlxTirExpr *e, const Binding *bindings, int count) {
  if (e->kind == RLX_TIR_VAR) {
    for (int i = 0; i < count; i++)
      if (bindings[i].var == e->var) return rlx_tir_cast(r->f, e->dtype, bindings[i].value);
    return e;
  }
  if (e->arg_count == 0) return e;
  RlxTirExpr *args[64];
  if (e->arg_count > 64) return e;
  bool changed = false;
  for (int i = 0; i < e->arg_count; i++) {
    args[i] = rules_subst(r, e->args[i], bindings, count);
    changed = changed || args[i] != e->args[i];
  }
  if (!changed) return e;
  if (e->kind >= RLX_TIR_ADD && e->kind <= RLX_TIR_OR && e->arg_count == 2 &&
      e->kind != RLX_TIR_BITNOT)
    return rlx_tir_binary(r->f, e->kind, args[0], args[1]);
  if (e->kind == RLX_TIR_CAST) return rlx_tir_cast(r->f, e->dtype, args[0]);
  RlxTirExpr *copy = rlx_arena_copy(r->f->arena, e, 1, sizeof *e);
  copy->args = rlx_arena_copy(r->f->arena, args, e->arg_count, sizeof *args);
  return copy;
}

bool rules_mentions(const RlxTirExpr *e, const RlxTirVar *var) {
  if (e->kind == RLX_TIR_VAR) return e->var == var;
  for (int i = 0; i < e->arg_count; i++)
    if (rules_mentions(e->args[i], var)) return true;
  return false;
}

static bool is_parameter(const RlxPrimFunc *f, const RlxTirVar *var) {
  for (int i = 0; i < f->param_count; i++) {
    const RlxTirBuffer *b = f->params[i].buffer;
    if (f->params[i].var == var) return true;
    for (int d = 0; b && d < b->ndim; d++)
      if (rules_mentions(b->shape[d], var)) return true;
  }
  return false;
}

bool rules_is_of_function(const RlxPrimFunc *f, const RlxTirExpr *e) {
  if (e->kind == RLX_TIR_LOAD || e->kind == RLX_TIR_CALL || e->kind == RLX_TIR_LET) return false;
  if (e->kind == RLX_TIR_VAR) return is_parameter(f, e->var);
  for (int i = 0; i < e->arg_count; i++)
    if (!rules_is_of_function(f, e->args[i])) return false;
  return true;
}

bool rules_value_at(const RlxTirExpr *e, const RlxTirVar *const *vars, const int64_t *values,
                    int count, int64_t *out) {
  int64_t a, b;
  if (e->kind == RLX_TIR_INT) return *out = e->integer, true;
  for (int i = 0; e->kind == RLX_TIR_VAR && i < count; i++)
    if (vars[i] == e->var) return *out = values[i], true;
  if (e->kind == RLX_TIR_CAST && rlx_dtype_is_int(e->dtype))
    return rules_value_at(e->args[0], vars, values, count, out);
  if (e->arg_count != 2 || !rlx_dtype_is_int(e->dtype) ||
      !rules_value_at(e->args[0], vars, values, count, &a) ||
      !rules_value_at(e->args[1], vars, values, count, &b))
    return false;
  switch (e->kind) {
  case RLX_TIR_ADD: return !__builtin_add_overflow(a, b, out);
  case RLX_TIR_SUB: return !__builtin_sub_overflow(a, b, out);
  case RLX_TIR_MUL: return !__builtin_mul_overflow(a, b, out);
  case RLX_TIR_FLOORDIV:
  case RLX_TIR_TRUNCDIV: *out = b ? a / b : 0; return a >= 0 && b > 0;
  case RLX_TIR_FLOORMOD:
  case RLX_TIR_TRUNCMOD: *out = b ? a % b : 0; return a >= 0 && b > 0;
  default: return false;
  }
}

RlxTirForKind rules_outer_kind(const Rules *r, const Nest *nest) {
  enum { WORTH_IT = 1 << 16 }; // steps: some 20 us, to hide 5 us of waking a thread
  int64_t steps = 1;
  for (int i = 0; i < nest->count && steps < WORTH_IT; i++)
    if (nest->loops[i].extent->kind == RLX_TIR_INT) steps *= nest->loops[i].extent->integer;
  return r->target.threads > 1 && steps >= WORTH_IT ? RLX_FOR_PARALLEL : RLX_FOR_SERIAL;
}

bool rules_reads(const RlxTirExpr *e, const RlxTirBuffer *buffer) {
  if (e->kind == RLX_TIR_LOAD && e->buffer == buffer) return true;
  for (int i = 0; i < e->arg_count; i++)
    if (rules_reads(e->args[i], buffer)) return true;
  return false;
}

bool rules_equal(const RlxTirExpr *a, const RlxTirExpr *b) {
  if (a == b) return true;
  if (a->kind != b->kind || a->arg_count != b->arg_count || !rlx_dtype_equal(a->dtype, b->dtype))
    return false;
  if (a->kind == RLX_TIR_INT && a->integer != b->integer) return false;
  if (a->kind == RLX_TIR_FLOAT && memcmp(&a->number, &b->number, sizeof a->number) != 0)
    return false;
  if (a->kind == RLX_TIR_VAR && a->var != b->var) return false;
  if (a->kind == RLX_TIR_LOAD && a->buffer != b->buffer) return false;
  if (a->kind == RLX_TIR_CALL && a->name != b->name) return false;
  if (a->kind == RLX_TIR_STRING || a->kind == RLX_TIR_HOLE || a->kind == RLX_TIR_LET) return false;
  for (int i = 0; i < a->arg_count; i++)
    if (!rules_equal(a->args[i], b->args[i])) return false;
  return true;
}

bool rules_step(const RlxTirExpr *e, const RlxTirVar *var, int64_t *out) {
  *out = 0;
  if (!rules_mentions(e, var)) return true;
  if (e->kind == RLX_TIR_VAR) return *out = 1, true;
  int64_t a, b;
  if (e->kind == RLX_TIR_ADD || e->kind == RLX_TIR_SUB) {
    if (!rules_step(e->args[0], var, &a) || !rules_step(e->args[1], var, &b)) return false;
    *out = e->kind == RLX_TIR_ADD ? a + b : a - b;
    return true;
  }
  if (e->kind == RLX_TIR_MUL) {
    int side = e->args[1]->kind == RLX_TIR_INT ? 0 : 1;
    if (e->args[1 - side]->kind != RLX_TIR_INT || !rules_step(e->args[side], var, &a)) return false;
    return !__builtin_mul_overflow(a, e->args[1 - side]->integer, out);
  }
  if (e->kind == RLX_TIR_CAST && rlx_dtype_is_int(e->dtype) && rlx_dtype_is_int(e->args[0]->dtype))
    return rules_step(e->args[0], var, out);
  return false;
}

bool rules_address_step(const RlxTirExpr *load, const RlxTirVar *var, int64_t *out) {
  const RlxTirBuffer *b = load->buffer;
  *out = 0;
  int64_t stride = 1;
  bool known = true; // the stride of dimension d
  for (int d = b->ndim - 1; d >= 0; d--) {
    int64_t step;
    if (!rules_step(load->args[d], var, &step)) return false;
    if (step && b->strides) {
      if (b->strides[d]->kind != RLX_TIR_INT) return false;
      *out += step * b->strides[d]->integer;
    } else if (step) {
      if (!known) return false;
      *out += step * stride;
    }
    known = known && b->shape[d]->kind == RLX_TIR_INT &&
            !__builtin_mul_overflow(stride, b->shape[d]->integer, &stride);
  }
  return true;
}

// ---- constructors

RlxTirExpr *c_int(Rules *r, int64_t value) { return rlx_tir_int(r->f, value, RLX_INT64); }
RlxTirExpr *c_op(Rules *r, RlxTirExprKind kind, RlxTirExpr *a, RlxTirExpr *b) {
  return rlx_tir_binary(r->f, kind, a, b);
}
RlxTirExpr *c_add(Rules *r, RlxTirExpr *a, RlxTirExpr *b) { return c_op(r, RLX_TIR_ADD, a, b); }
RlxTirExpr *c_sub(Rules *r, RlxTirExpr *a, RlxTirExpr *b) { return c_op(r, RLX_TIR_SUB, a, b); }
RlxTirExpr *c_mul(Rules *r, RlxTirExpr *a, RlxTirExpr *b) { return c_op(r, RLX_TIR_MUL, a, b); }
RlxTirExpr *c_min(Rules *r, RlxTirExpr *a, RlxTirExpr *b) { return c_op(r, RLX_TIR_MIN, a, b); }
RlxTirExpr *c_ceildiv(Rules *r, RlxTirExpr *a, int64_t b) {
  return c_op(r, RLX_TIR_FLOORDIV, c_add(r, a, c_int(r, b - 1)), c_int(r, b));
}
RlxTirExpr *c_wide(Rules *r, RlxTirExpr *e) { return rlx_tir_cast(r->f, RLX_INT64, e); }
RlxTirExpr *c_length(Rules *r, RlxTirExpr *extent) {
  RlxTirExpr *n = c_wide(r, extent);
  bool is_length =
      extent->kind == RLX_TIR_VAR && (extent->var->is_dimension || extent->var->symbol);
  if (n->kind == RLX_TIR_INT) return n->integer < 0 ? c_int(r, 0) : n;
  return is_length ? n : c_op(r, RLX_TIR_MAX, n, c_int(r, 0));
}
RlxTirExpr *c_zero(Rules *r, RlxDType t) {
  return rlx_dtype_is_float(t) ? rlx_tir_float(r->f, 0, t) : rlx_tir_int(r->f, 0, t);
}
RlxTirVar *c_var(Rules *r, const char *name) {
  return rlx_tir_var(r->f, rlx_intern_text(r->names, name), RLX_INT64);
}
RlxTirExpr *c_use(Rules *r, RlxTirVar *v) { return rlx_tir_var_expr(r->f, v); }
RlxTirExpr *c_load(Rules *r, RlxTirBuffer *b, RlxTirExpr *index) {
  return rlx_tir_load(r->f, b, &index);
}
RlxTirStmt *c_store(Rules *r, RlxTirBuffer *b, RlxTirExpr *index, RlxTirExpr *value) {
  return rlx_tir_store(r->f, b, &index, value);
}

RlxTirBuffer *c_buffer(Rules *r, const char *name, RlxDType t, RlxTirExpr *size) {
  return rlx_tir_buffer(r->f, rlx_intern_text(r->names, name), t, &size, 1);
}

RlxTirStmt *c_seq2(Rules *r, RlxTirStmt *a, RlxTirStmt *b) {
  if (!a || !b) return a ? a : b;
  RlxTirStmt *both[2] = {a, b};
  return rlx_tir_seq(r->f, both, 2);
}

RlxTirStmt *c_for_kind(Rules *r, RlxTirVar *v, RlxTirExpr *extent, RlxTirForKind kind,
                       RlxTirStmt *body) {
  return rlx_tir_for(r->f, v, extent, kind, body);
}

RlxTirStmt *c_for(Rules *r, RlxTirVar *v, RlxTirExpr *extent, RlxTirStmt *body) {
  return c_for_kind(r, v, extent, RLX_FOR_SERIAL, body);
}
RlxTirStmt *c_let(Rules *r, RlxTirVar *v, RlxTirExpr *value, RlxTirStmt *body) {
  return rlx_tir_let_stmt(r->f, v, value, body);
}

RlxDType rules_accumulator(RlxDType t) {
  return rlx_dtype_is_float(t) && t.bits == 16 ? RLX_FLOAT32 : t;
}

RlxTirExpr *rules_neutral(Rules *r, RlxTirExprKind op, RlxDType t) {
  bool is_float = rlx_dtype_is_float(t);
  if (op == RLX_TIR_ADD) return c_zero(r, t);
  if (op == RLX_TIR_MUL) return is_float ? rlx_tir_float(r->f, 1, t) : rlx_tir_int(r->f, 1, t);
  if (op != RLX_TIR_MIN && op != RLX_TIR_MAX) return NULL;
  bool wants_low = op == RLX_TIR_MAX;
  if (is_float) return rlx_tir_float(r->f, wants_low ? -__builtin_inf() : __builtin_inf(), t);
  if (t.code == RLX_DTYPE_BOOL) return rlx_tir_int(r->f, !wants_low, t);
  if (t.code == RLX_DTYPE_UINT) return rlx_tir_int(r->f, wants_low ? 0 : -1, t);
  int64_t top = (int64_t)((UINT64_C(1) << (t.bits - 1)) - 1);
  return rlx_tir_int(r->f, wants_low ? -top - 1 : top, t);
}
