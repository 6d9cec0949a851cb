/// Expressions. Always true: a result has the lanes of its widest operand; a ramp (base, base +
/// stride, …) is kept as such through additions and multiplications by constants, so that addresses
/// stay scalar.
#include "jit/llvm/emit.h"

static Val scalar_val(LLVMValueRef v, RlxDType t) {
  t.lanes = 1;
  Val out = {v, t, 1, false, false, 0};
  return out;
}

static Val hole(Emit *e, RlxDType t) {
  t.lanes = 1;
  if (!emit_dtype_ok(t)) t = RLX_INT32;
  return scalar_val(LLVMConstNull(emit_type(e, t, 1)), t);
}

static int max_lanes(Val a, Val b) { return a.lanes > b.lanes ? a.lanes : b.lanes; }

static void match_lanes(Emit *e, Val *a, Val *b) {
  int lanes = max_lanes(*a, *b);
  if (lanes == 1) return;
  if (a->lanes > 1 && b->lanes > 1 && a->lanes != b->lanes) {
    emit_fail(e, "vectors of %d and %d lanes meet in one operation", a->lanes, b->lanes);
    *b = *a;
    return;
  }
  *a = emit_vector(e, *a, lanes);
  *b = emit_vector(e, *b, lanes);
}

// ---- variables

static Val emit_var(Emit *e, const RlxTirExpr *x) {
  Val v = e->vars[x->var->id];
  if (!v.v) {
    emit_fail(e, "variable `%s` has no value here", emit_name(e, x->var->name));
    return hole(e, x->dtype);
  }
  if (!v.is_wide) return v;
  v.is_wide = false;
  bool is_vector = v.lanes > 1 && !v.is_ramp;
  if (v.t.bits < 64)
    v.v = LLVMBuildTrunc(e->b, v.v, emit_type(e, v.t, is_vector ? v.lanes : 1), "");
  return v;
}

// ---- division

/// Quotient and remainder that never trap: x / 0 and x % 0 are 0, INT_MIN / -1 wraps.
static void divide(Emit *e, LLVMValueRef a, LLVMValueRef b, bool is_signed, LLVMValueRef *q,
                   LLVMValueRef *r) {
  LLVMBuilderRef bl = e->b;
  LLVMTypeRef type = LLVMTypeOf(a);
  if (LLVMIsConstant(b) && LLVMIsAConstantInt(b) && LLVMConstIntGetZExtValue(b) != 0 &&
      LLVMConstIntGetSExtValue(b) != -1) {
    *q = is_signed ? LLVMBuildSDiv(bl, a, b, "") : LLVMBuildUDiv(bl, a, b, "");
    *r = LLVMBuildSub(bl, a, LLVMBuildMul(bl, *q, b, ""), "");
    return;
  }
  LLVMValueRef zero = LLVMConstNull(type);
  LLVMValueRef is_zero = LLVMBuildICmp(bl, LLVMIntEQ, b, zero, "");
  LLVMValueRef one = LLVMGetTypeKind(type) == LLVMVectorTypeKind
                         ? emit_splat(e, LLVMConstInt(LLVMGetElementType(type), 1, 0),
                                      (int)LLVMGetVectorSize(type))
                         : LLVMConstInt(type, 1, 0);
  LLVMValueRef is_special = is_zero;
  if (is_signed)
    is_special =
        LLVMBuildOr(bl, is_zero, LLVMBuildICmp(bl, LLVMIntEQ, b, LLVMConstAllOnes(type), ""), "");
  LLVMValueRef safe = LLVMBuildSelect(bl, is_special, one, b, "");
  LLVMValueRef quotient =
      is_signed ? LLVMBuildSDiv(bl, a, safe, "") : LLVMBuildUDiv(bl, a, safe, "");
  if (is_signed) quotient = LLVMBuildSelect(bl, is_special, LLVMBuildNeg(bl, a, ""), quotient, "");
  *q = LLVMBuildSelect(bl, is_zero, zero, quotient, "");
  *r = LLVMBuildSelect(bl, is_zero, zero, LLVMBuildSub(bl, a, LLVMBuildMul(bl, *q, b, ""), ""), "");
}

/// Integer division of any of the four kinds; `nonnegative`: both operands are known not to be
/// negative.
static LLVMValueRef int_division(Emit *e, RlxTirExprKind kind, LLVMValueRef a, LLVMValueRef b,
                                 bool is_signed) {
  LLVMValueRef q, r;
  divide(e, a, b, is_signed, &q, &r);
  bool wants_floor = kind == RLX_TIR_FLOORDIV || kind == RLX_TIR_FLOORMOD;
  bool wants_mod = kind == RLX_TIR_FLOORMOD || kind == RLX_TIR_TRUNCMOD;
  if (!wants_floor || !is_signed) return wants_mod ? r : q;
  LLVMBuilderRef bl = e->b;
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(a));
  LLVMValueRef differs = LLVMBuildICmp(bl, LLVMIntSLT, LLVMBuildXor(bl, r, b, ""), zero, "");
  LLVMValueRef off = LLVMBuildAnd(bl, differs, LLVMBuildICmp(bl, LLVMIntNE, r, zero, ""), "");
  if (wants_mod) return LLVMBuildSelect(bl, off, LLVMBuildAdd(bl, r, b, ""), r, "");
  return LLVMBuildAdd(bl, q, LLVMBuildSExt(bl, off, LLVMTypeOf(a), ""), "");
}

/// Whether `x` is what LLVM takes for a number of few bits: the remainder of a power of two, a mask
/// of low bits, a cast to a small integer.
static bool is_narrowing(const RlxTirExpr *x) {
  if (x->kind == RLX_TIR_CAST)
    return rlx_dtype_is_int(x->dtype) && x->dtype.bits < 32 &&
           x->dtype.bits < x->args[0]->dtype.bits;
  if (x->arg_count != 2 || x->args[1]->kind != RLX_TIR_INT) return false;
  uint64_t by = (uint64_t)x->args[1]->integer;
  if (x->kind == RLX_TIR_BITAND) return (by & (by + 1)) == 0;
  return (x->kind == RLX_TIR_FLOORMOD || x->kind == RLX_TIR_TRUNCMOD) && (by & (by - 1)) == 0;
}

static LLVMValueRef float_division(Emit *e, RlxTirExprKind kind, LLVMValueRef a, LLVMValueRef b) {
  if (kind == RLX_TIR_TRUNCMOD) return LLVMBuildFRem(e->b, a, b, "");
  LLVMValueRef q = LLVMBuildFDiv(e->b, a, b, "");
  if (kind != RLX_TIR_FLOORDIV && kind != RLX_TIR_FLOORMOD) return q;
  LLVMValueRef whole = emit_llvm_call(e, "llvm.floor", &q, 1);
  if (kind == RLX_TIR_FLOORDIV) return whole;
  return LLVMBuildFSub(e->b, a, LLVMBuildFMul(e->b, whole, b, ""), "");
}

// ---- binary operators

static LLVMIntPredicate int_predicate(RlxTirExprKind kind, bool is_signed) {
  if (kind == RLX_TIR_EQ) return LLVMIntEQ;
  if (kind == RLX_TIR_NE) return LLVMIntNE;
  if (kind == RLX_TIR_LT) return is_signed ? LLVMIntSLT : LLVMIntULT;
  if (kind == RLX_TIR_LE) return is_signed ? LLVMIntSLE : LLVMIntULE;
  if (kind == RLX_TIR_GT) return is_signed ? LLVMIntSGT : LLVMIntUGT;
  return is_signed ? LLVMIntSGE : LLVMIntUGE;
}

static LLVMRealPredicate real_predicate(RlxTirExprKind kind) {
  if (kind == RLX_TIR_EQ) return LLVMRealOEQ;
  if (kind == RLX_TIR_NE) return LLVMRealUNE;
  if (kind == RLX_TIR_LT) return LLVMRealOLT;
  if (kind == RLX_TIR_LE) return LLVMRealOLE;
  if (kind == RLX_TIR_GT) return LLVMRealOGT;
  return LLVMRealOGE;
}

/// A constant (the same in all lanes) that is a number.
static bool is_number(LLVMValueRef v) {
  if (!LLVMIsConstant(v)) return false;
  if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind) v = LLVMGetAggregateElement(v, 0);
  LLVMBool loses;
  if (!v || !LLVMIsAConstantFP(v)) return false;
  double number = LLVMConstRealGetDouble(v, &loses);
  return number == number;
}

/// The smaller or larger one; NaN when one is NaN, as IEEE 754's minimum and maximum and numpy have
/// it. A comparison is false of NaN, so a choice gives `a` then: enough where `b` is a number. Else
/// the mask of ones that `b` is NaN is or-ed to it, which makes any value NaN: that hangs on `b`
/// alone, so an accumulator (`a`) waits for nothing more.
static LLVMValueRef float_extreme(Emit *e, RlxTirExprKind kind, LLVMValueRef a, LLVMValueRef b) {
  LLVMBuilderRef bl = e->b;
  if (is_number(a)) {
    LLVMValueRef swap = a;
    a = b;
    b = swap;
  }
  LLVMRealPredicate wins = kind == RLX_TIR_MIN ? LLVMRealOLT : LLVMRealOGT;
  LLVMValueRef one = LLVMBuildSelect(bl, LLVMBuildFCmp(bl, wins, b, a, ""), b, a, "");
  if (is_number(b)) return one;
  LLVMTypeRef type = LLVMTypeOf(a), scalar = type;
  int lanes = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? (int)LLVMGetVectorSize(type) : 1;
  if (lanes > 1) scalar = LLVMGetElementType(type);
  scalar = scalar == e->f64 ? e->i64 : e->i32;
  LLVMTypeRef bits = lanes > 1 ? LLVMVectorType(scalar, (unsigned)lanes) : scalar;
  LLVMValueRef mask = LLVMBuildSExt(bl, LLVMBuildFCmp(bl, LLVMRealUNO, b, b, ""), bits, "");
  mask = LLVMBuildOr(bl, mask, LLVMBuildBitCast(bl, one, bits, ""), "");
  return LLVMBuildBitCast(bl, mask, type, "");
}

static LLVMValueRef float_binary(Emit *e, RlxTirExprKind kind, LLVMValueRef a, LLVMValueRef b) {
  LLVMBuilderRef bl = e->b;
  if (kind == RLX_TIR_ADD) return LLVMBuildFAdd(bl, a, b, "");
  if (kind == RLX_TIR_SUB) return LLVMBuildFSub(bl, a, b, "");
  if (kind == RLX_TIR_MUL) return LLVMBuildFMul(bl, a, b, "");
  if (kind == RLX_TIR_MIN || kind == RLX_TIR_MAX) return float_extreme(e, kind, a, b);
  if (kind >= RLX_TIR_DIV && kind <= RLX_TIR_TRUNCMOD) return float_division(e, kind, a, b);
  emit_fail(e, "this operator does not take floating-point operands");
  return a;
}

/// Shifts by the width or more give 0 (or the sign), as numpy has it, instead of LLVM's poison.
static LLVMValueRef shift(Emit *e, bool left, LLVMValueRef a, LLVMValueRef b, bool is_signed,
                          int bits, int lanes) {
  LLVMBuilderRef bl = e->b;
  LLVMTypeRef scalar = LLVMIntTypeInContext(e->c, (unsigned)bits);
  LLVMValueRef width = emit_splat(e, LLVMConstInt(scalar, (unsigned)bits, 0), lanes);
  LLVMValueRef last = emit_splat(e, LLVMConstInt(scalar, (unsigned)bits - 1, 0), lanes);
  LLVMValueRef fits = LLVMBuildICmp(bl, LLVMIntULT, b, width, "");
  LLVMValueRef amount = LLVMBuildSelect(bl, fits, b, last, "");
  if (!left && is_signed) return LLVMBuildAShr(bl, a, amount, "");
  LLVMValueRef shifted = left ? LLVMBuildShl(bl, a, amount, "") : LLVMBuildLShr(bl, a, amount, "");
  return LLVMBuildSelect(bl, fits, shifted, LLVMConstNull(LLVMTypeOf(a)), "");
}

static LLVMValueRef int_binary(Emit *e, RlxTirExprKind kind, Val a, Val b) {
  LLVMBuilderRef bl = e->b;
  bool is_signed = a.t.code == RLX_DTYPE_INT;
  bool is_bool = a.t.code == RLX_DTYPE_BOOL;
  if (kind == RLX_TIR_ADD)
    return is_bool ? LLVMBuildOr(bl, a.v, b.v, "") : LLVMBuildAdd(bl, a.v, b.v, "");
  if (kind == RLX_TIR_SUB) return LLVMBuildSub(bl, a.v, b.v, "");
  if (kind == RLX_TIR_MUL)
    return is_bool ? LLVMBuildAnd(bl, a.v, b.v, "") : LLVMBuildMul(bl, a.v, b.v, "");
  if (kind >= RLX_TIR_DIV && kind <= RLX_TIR_TRUNCMOD)
    return int_division(e, kind, a.v, b.v, is_signed);
  if (kind == RLX_TIR_MIN || kind == RLX_TIR_MAX) {
    LLVMIntPredicate p = int_predicate(kind == RLX_TIR_MIN ? RLX_TIR_LT : RLX_TIR_GT, is_signed);
    return LLVMBuildSelect(bl, LLVMBuildICmp(bl, p, a.v, b.v, ""), a.v, b.v, "");
  }
  if (kind == RLX_TIR_SHL || kind == RLX_TIR_SHR) {
    int bits = is_bool ? 1 : a.t.bits;
    return shift(e, kind == RLX_TIR_SHL, a.v, b.v, is_signed, bits, a.lanes);
  }
  if (kind == RLX_TIR_BITAND || kind == RLX_TIR_AND) return LLVMBuildAnd(bl, a.v, b.v, "");
  if (kind == RLX_TIR_BITOR || kind == RLX_TIR_OR) return LLVMBuildOr(bl, a.v, b.v, "");
  if (kind == RLX_TIR_BITXOR) return LLVMBuildXor(bl, a.v, b.v, "");
  emit_fail(e, "this operator does not take integer operands");
  return a.v;
}

Val emit_binary(Emit *e, RlxTirExprKind kind, Val a, Val b, RlxDType t) {
  t.lanes = 1;
  match_lanes(e, &a, &b);
  if (!rlx_dtype_equal(a.t, b.t)) b = emit_cast(e, b, a.t);
  Val out = {NULL, t, a.lanes, false, false, 0};
  if (kind == RLX_TIR_AND || kind == RLX_TIR_OR) {
    a = emit_cast(e, a, RLX_BOOL);
    b = emit_cast(e, b, RLX_BOOL);
  }
  bool is_float = rlx_dtype_is_float(a.t);
  if (kind >= RLX_TIR_EQ && kind <= RLX_TIR_GE)
    out.v = is_float
                ? LLVMBuildFCmp(e->b, real_predicate(kind), a.v, b.v, "")
                : LLVMBuildICmp(e->b, int_predicate(kind, a.t.code == RLX_DTYPE_INT), a.v, b.v, "");
  else
    out.v = is_float ? float_binary(e, kind, a.v, b.v) : int_binary(e, kind, a, b);
  if (e->failed) return hole(e, t);
  return out;
}

/// a * b + c as one fused operation where the machine has it (contraction is allowed, spec 3).
static bool emit_fused(Emit *e, const RlxTirExpr *x, Val *out) {
  if ((x->kind != RLX_TIR_ADD && x->kind != RLX_TIR_SUB) || !rlx_dtype_is_float(x->dtype))
    return false;
  int side = x->args[0]->kind == RLX_TIR_MUL ? 0 : 1;
  if (x->kind == RLX_TIR_ADD && x->args[1]->kind == RLX_TIR_MUL) side = 1;
  const RlxTirExpr *product = x->args[side], *other = x->args[1 - side];
  if (product->kind != RLX_TIR_MUL) return false;
  Val first = side == 1 ? emit_expr(e, other) : emit_expr(e, product->args[0]);
  Val second = side == 1 ? emit_expr(e, product->args[0]) : emit_expr(e, product->args[1]);
  Val third = side == 1 ? emit_expr(e, product->args[1]) : emit_expr(e, other);
  Val a = side == 1 ? second : first, b = side == 1 ? third : second, c = side == 1 ? first : third;
  if (e->failed) return *out = hole(e, x->dtype), true;
  int lanes = max_lanes(max_lanes(a, b) == a.lanes ? a : b, c);
  a = emit_vector(e, a, lanes);
  b = emit_vector(e, b, lanes);
  c = emit_vector(e, c, lanes);
  if (x->kind == RLX_TIR_SUB && side == 0) c.v = LLVMBuildFNeg(e->b, c.v, "");
  if (x->kind == RLX_TIR_SUB && side == 1) a.v = LLVMBuildFNeg(e->b, a.v, "");
  LLVMValueRef args[3] = {a.v, b.v, c.v};
  *out = c;
  out->v = emit_llvm_call(e, "llvm.fmuladd", args, 3);
  out->t = x->dtype;
  out->t.lanes = 1;
  return true;
}

// ---- conditions and choices

/// Evaluating it has no effect and cannot fail: may be done although the value is not wanted.
static bool is_speculable(const RlxTirExpr *x) {
  if (x->kind == RLX_TIR_LOAD || x->kind == RLX_TIR_CALL || x->kind == RLX_TIR_HOLE) return false;
  for (int i = 0; i < x->arg_count; i++)
    if (!is_speculable(x->args[i])) return false;
  return true;
}

static Val select_values(Emit *e, Val c, Val a, Val b) {
  if (!rlx_dtype_equal(a.t, b.t)) b = emit_cast(e, b, a.t);
  if (a.is_ramp) a = emit_vector(e, a, a.lanes);
  if (b.is_ramp) b = emit_vector(e, b, b.lanes);
  match_lanes(e, &a, &b);
  if (c.lanes > 1) {
    a = emit_vector(e, a, c.lanes);
    b = emit_vector(e, b, c.lanes);
  }
  c = emit_cast(e, c, RLX_BOOL);
  a.v = LLVMBuildSelect(e->b, c.v, a.v, b.v, "");
  return a;
}

/// Only the chosen side is evaluated; where one is NULL, it is `other`. `cond_x` is what `cond`
/// came from.
static Val branch_values(Emit *e, LLVMValueRef cond, const RlxTirExpr *cond_x,
                         const RlxTirExpr *then_x, const RlxTirExpr *else_x, Val other) {
  LLVMBasicBlockRef then_block = emit_block(e, "then"), else_block = emit_block(e, "else"),
                    done = emit_block(e, "join");
  LLVMBuildCondBr(e->b, cond, then_block, else_block);
  LLVMPositionBuilderAtEnd(e->b, then_block);
  size_t mark = range_assume(e, cond_x);
  Val a = then_x ? emit_expr(e, then_x) : other;
  range_forget(e, mark);
  if (a.is_ramp) a = emit_vector(e, a, a.lanes);
  LLVMBasicBlockRef then_end = LLVMGetInsertBlock(e->b);
  LLVMPositionBuilderAtEnd(e->b, else_block);
  Val b = else_x ? emit_expr(e, else_x) : other;
  if (b.is_ramp) b = emit_vector(e, b, b.lanes);
  if (!rlx_dtype_equal(a.t, b.t)) b = emit_cast(e, b, a.t);
  if (a.lanes > b.lanes) b = emit_vector(e, b, a.lanes);
  LLVMBasicBlockRef else_end = LLVMGetInsertBlock(e->b);
  if (b.lanes > a.lanes) {
    LLVMPositionBuilderAtEnd(e->b, then_end);
    a = emit_vector(e, a, b.lanes);
    then_end = LLVMGetInsertBlock(e->b);
  }
  LLVMPositionBuilderAtEnd(e->b, then_end);
  LLVMBuildBr(e->b, done);
  LLVMPositionBuilderAtEnd(e->b, else_end);
  LLVMBuildBr(e->b, done);
  LLVMPositionBuilderAtEnd(e->b, done);
  LLVMValueRef phi = LLVMBuildPhi(e->b, LLVMTypeOf(a.v), "");
  LLVMValueRef values[2] = {a.v, b.v};
  LLVMBasicBlockRef from[2] = {then_end, else_end};
  LLVMAddIncoming(phi, values, from, 2);
  a.v = phi;
  return a;
}

bool emit_has_checks(const RlxTirExpr *x) {
  if (x->kind == RLX_TIR_LOAD && x->is_checked) return true;
  for (int i = 0; i < x->arg_count; i++)
    if (emit_has_checks(x->args[i])) return true;
  return false;
}

static Val emit_choice(Emit *e, const RlxTirExpr *x) {
  Val c = emit_expr(e, x->args[0]);
  bool may_select = x->kind == RLX_TIR_SELECT
                        ? (e->trusted && !emit_has_checks(x)) ||
                              (is_speculable(x->args[1]) && is_speculable(x->args[2]))
                        : is_speculable(x->args[1]) && is_speculable(x->args[2]);
  if (may_select || c.lanes > 1) {
    Val a = emit_expr(e, x->args[1]); // the condition proves nothing: both are evaluated
    return select_values(e, c, a, emit_expr(e, x->args[2]));
  }
  c = emit_cast(e, c, RLX_BOOL);
  Val none = hole(e, x->dtype);
  return branch_values(e, c.v, x->args[0], x->args[1], x->args[2], none);
}

static Val emit_logic(Emit *e, const RlxTirExpr *x) {
  Val a = emit_cast(e, emit_expr(e, x->args[0]), RLX_BOOL);
  if (a.lanes > 1 || is_speculable(x->args[1]))
    return emit_binary(e, x->kind, a, emit_expr(e, x->args[1]), RLX_BOOL);
  bool is_and = x->kind == RLX_TIR_AND;
  Val known = emit_const_int(e, !is_and, RLX_BOOL, 1);
  return branch_values(e, a.v, x->args[0], is_and ? x->args[1] : NULL, is_and ? NULL : x->args[1],
                       known);
}

LLVMValueRef emit_condition(Emit *e, const RlxTirExpr *x) {
  Val c = emit_expr(e, x);
  if (c.lanes > 1) {
    emit_fail(e, "a condition of a statement cannot be a vector");
    return LLVMConstInt(e->i1, 1, 0);
  }
  return emit_cast(e, c, RLX_BOOL).v;
}

// ---- index arithmetic: i64, ramps kept

static Val index_val(LLVMValueRef v) {
  Val out = {v, RLX_INT64, 1, false, false, 0};
  return out;
}

static Val to_index(Emit *e, Val a) {
  if (a.is_wide || LLVMTypeOf(a.v) == e->i64) {
    a.is_wide = false;
    a.t = RLX_INT64;
    return a;
  }
  if (a.is_ramp) {
    a.v = LLVMBuildIntCast2(e->b, a.v, e->i64, a.t.code == RLX_DTYPE_INT, "");
    a.t = RLX_INT64;
    return a;
  }
  return emit_cast(e, a, RLX_INT64);
}

static Val index_sum(Emit *e, Val a, Val b, bool is_sub) {
  if ((a.is_ramp || a.lanes == 1) && (b.is_ramp || b.lanes == 1)) {
    Val out = a.is_ramp ? a : b.is_ramp ? b : a;
    out.stride = (a.is_ramp ? a.stride : 0) + (is_sub ? -1 : 1) * (b.is_ramp ? b.stride : 0);
    out.v = is_sub ? LLVMBuildNSWSub(e->b, a.v, b.v, "") : LLVMBuildNSWAdd(e->b, a.v, b.v, "");
    return out;
  }
  match_lanes(e, &a, &b);
  a.v = is_sub ? LLVMBuildNSWSub(e->b, a.v, b.v, "") : LLVMBuildNSWAdd(e->b, a.v, b.v, "");
  return a;
}

static Val index_product(Emit *e, Val a, Val b) {
  if (b.is_ramp && !a.is_ramp) {
    Val swap = a;
    a = b;
    b = swap;
  }
  if (a.is_ramp && b.lanes == 1 && LLVMIsAConstantInt(b.v)) {
    a.v = LLVMBuildNSWMul(e->b, a.v, b.v, "");
    a.stride *= LLVMConstIntGetSExtValue(b.v);
    return a;
  }
  match_lanes(e, &a, &b);
  a.v = LLVMBuildNSWMul(e->b, a.v, b.v, "");
  return a;
}

static Val index_division(Emit *e, const RlxTirExpr *x) {
  if (is_narrowing(x)) range_note_wrap(e, x->args[0], false);
  Val a = emit_index(e, x->args[0]), b = emit_index(e, x->args[1]);
  match_lanes(e, &a, &b);
  bool is_positive = x->args[1]->kind == RLX_TIR_INT ? x->args[1]->integer > 0
                                                     : range_is_nonnegative(e, x->args[1]);
  if (is_positive && range_is_nonnegative(e, x->args[0])) {
    a.v = int_division(e, x->kind, a.v, b.v, false);
    return a;
  }
  a.v = int_division(e, x->kind, a.v, b.v, true);
  return a;
}

Val emit_index(Emit *e, const RlxTirExpr *x) {
  if (rlx_dtype_is_float(x->dtype)) {
    emit_fail(e, "an index is not an integer");
    return index_val(emit_i64(e, 0));
  }
  bool is_signed = x->dtype.code == RLX_DTYPE_INT;
  if (x->kind == RLX_TIR_INT) return index_val(emit_i64(e, x->integer));
  if (x->kind == RLX_TIR_VAR) {
    Val v = e->vars[x->var->id];
    if (v.v) return to_index(e, v);
  }
  if (is_signed && x->dtype.bits >= 32) {
    if (x->kind == RLX_TIR_ADD || x->kind == RLX_TIR_SUB) {
      Val a = emit_index(e, x->args[0]);
      return index_sum(e, a, emit_index(e, x->args[1]), x->kind == RLX_TIR_SUB);
    }
    if (x->kind == RLX_TIR_MUL) {
      Val a = emit_index(e, x->args[0]);
      return index_product(e, a, emit_index(e, x->args[1]));
    }
    if (x->kind >= RLX_TIR_DIV && x->kind <= RLX_TIR_TRUNCMOD) return index_division(e, x);
    if (x->kind == RLX_TIR_CAST && x->args[0]->dtype.code == RLX_DTYPE_INT &&
        x->args[0]->dtype.bits >= 32)
      return emit_index(e, x->args[0]);
    if (x->kind == RLX_TIR_RAMP && x->args[1]->kind == RLX_TIR_INT) {
      Val base = emit_index(e, x->args[0]);
      if (base.lanes == 1) {
        base.lanes = x->dtype.lanes;
        base.is_ramp = true;
        base.stride = x->args[1]->integer;
        return base;
      }
    }
    if (x->kind == RLX_TIR_MIN || x->kind == RLX_TIR_MAX) {
      Val a = emit_index(e, x->args[0]), b = emit_index(e, x->args[1]);
      return emit_binary(e, x->kind, a, b, RLX_INT64);
    }
  }
  return to_index(e, emit_expr(e, x));
}

LLVMValueRef emit_scalar_index(Emit *e, const RlxTirExpr *x) {
  Val v = emit_index(e, x);
  if (v.lanes == 1) return v.v;
  emit_fail(e, "a vector where one index is wanted");
  return emit_i64(e, 0);
}

// ---- everything else

static Val emit_ramp(Emit *e, const RlxTirExpr *x) {
  Val base = emit_expr(e, x->args[0]);
  if (base.lanes != 1 || x->args[1]->kind != RLX_TIR_INT || x->dtype.lanes > EMIT_MAX_LANES) {
    emit_fail(e, "a ramp needs a scalar base, a constant stride, and at most %d lanes",
              EMIT_MAX_LANES);
    return base;
  }
  base.lanes = x->dtype.lanes;
  base.is_ramp = base.lanes > 1;
  base.stride = x->args[1]->integer;
  return base;
}

static Val emit_reinterpret(Emit *e, const RlxTirExpr *x) {
  Val a = emit_expr(e, x->args[0]);
  if (a.is_ramp) a = emit_vector(e, a, a.lanes);
  RlxDType t = x->dtype;
  t.lanes = 1;
  if (emit_dtype_bytes(t) != emit_dtype_bytes(a.t)) {
    emit_fail(e, "reinterpret between dtypes of different sizes");
    return hole(e, t);
  }
  LLVMValueRef bits = emit_to_memory(e, a.v, a.t, a.lanes);
  bits = LLVMBuildBitCast(e->b, bits, emit_memory_type(e, t, a.lanes), "");
  a.v = emit_from_memory(e, bits, t, a.lanes);
  a.t = t;
  return a;
}

static Val emit_let(Emit *e, const RlxTirExpr *x) {
  Val saved = e->vars[x->var->id];
  e->vars[x->var->id] = emit_expr(e, x->args[0]);
  range_bind_value(e, x->var, x->args[0]);
  Val out = emit_expr(e, x->args[1]);
  range_unbind(e, x->var);
  e->vars[x->var->id] = saved;
  return out;
}

static Val emit_not(Emit *e, const RlxTirExpr *x) {
  Val a = emit_expr(e, x->args[0]);
  if (a.is_ramp) a = emit_vector(e, a, a.lanes);
  if (x->kind == RLX_TIR_NOT) a = emit_cast(e, a, RLX_BOOL);
  if (rlx_dtype_is_float(a.t)) {
    emit_fail(e, "bitwise not of a floating-point value");
    return a;
  }
  a.v = LLVMBuildNot(e->b, a.v, "");
  return a;
}

static bool computes(const RlxTirExpr *x) {
  return x->kind == RLX_TIR_CALL || (x->kind >= RLX_TIR_ADD && x->kind <= RLX_TIR_TRUNCMOD);
}

/// What is cast: arithmetic of 16-bit floats goes on in float32 until it is stored or cast, and is
/// rounded there.
static Val emit_16_bits(Emit *e, const RlxTirExpr *x) {
  Val v = emit_expr(e, x);
  if (rlx_dtype_is_float(v.t) && v.t.bits == 16 && computes(x) && !e->failed)
    v.v = emit_round_f16(e, v.v, v.t, v.lanes);
  return v;
}

static Val emit_unrounded(Emit *e, const RlxTirExpr *x) {
  Val fused;
  const bool may_fuse = (x->kind == RLX_TIR_ADD || x->kind == RLX_TIR_SUB) && x->dtype.bits >= 16;
  if (may_fuse && emit_fused(e, x, &fused)) return fused;
  switch ((RlxTirExprKind)x->kind) {
  case RLX_TIR_HOLE: break;
  case RLX_TIR_INT:
    return emit_const_int(e, x->integer, x->dtype, x->dtype.lanes ? x->dtype.lanes : 1);
  case RLX_TIR_FLOAT:
    return emit_const_float(e, x->number, x->dtype, x->dtype.lanes ? x->dtype.lanes : 1);
  case RLX_TIR_STRING:
    return scalar_val(LLVMBuildGlobalStringPtr(e->b, x->text, "text"),
                      rlx_dtype(RLX_DTYPE_HANDLE, 64));
  case RLX_TIR_VAR: return emit_var(e, x);
  case RLX_TIR_AND:
  case RLX_TIR_OR: return emit_logic(e, x);
  case RLX_TIR_NOT:
  case RLX_TIR_BITNOT: return emit_not(e, x);
  case RLX_TIR_SELECT:
  case RLX_TIR_IF_THEN_ELSE: return emit_choice(e, x);
  case RLX_TIR_CAST: // what is computed with it may wrap, too
    if (is_narrowing(x)) range_note_wrap(e, x->args[0], true);
    return emit_cast(e, emit_16_bits(e, x->args[0]), x->dtype);
  case RLX_TIR_REINTERPRET: return emit_reinterpret(e, x);
  case RLX_TIR_LOAD: return emit_load(e, x);
  case RLX_TIR_CALL: return emit_call(e, x);
  case RLX_TIR_LET: return emit_let(e, x);
  case RLX_TIR_RAMP: return emit_ramp(e, x);
  case RLX_TIR_BROADCAST: return emit_vector(e, emit_expr(e, x->args[0]), x->dtype.lanes);
  case RLX_TIR_RANGE: break;
  case RLX_TIR_ADDRESS_OF:
    return scalar_val(emit_address(e, x->args[0]), rlx_dtype(RLX_DTYPE_HANDLE, 64));
  RLX_TIR_ARITHMETIC_CASES:
  RLX_TIR_COMPARE_CASES:
    break;
  }
  if (x->kind == RLX_TIR_HOLE || x->kind == RLX_TIR_RANGE || x->arg_count != 2) {
    emit_fail(e, "an expression was not understood");
    return hole(e, x->dtype);
  }
  if (is_narrowing(x)) range_note_wrap(e, x->args[0], false);
  Val a = emit_expr(e, x->args[0]);
  return emit_binary(e, x->kind, a, emit_expr(e, x->args[1]), x->dtype);
}

/// Of the dtypes below 16 bits each operation is rounded, so that a chain in one kernel gives what
/// its parts give one after another.
Val emit_expr(Emit *e, const RlxTirExpr *x) {
  if (e->failed) return hole(e, x->dtype);
  Val v = emit_unrounded(e, x);
  bool is_small = rlx_dtype_is_float(v.t) && v.t.bits <= 8;
  if (is_small && computes(x) && !e->failed) v.v = emit_round_f16(e, v.v, v.t, v.lanes);
  return v;
}
