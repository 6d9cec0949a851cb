/// Calls that name what LLVM has: its intrinsics (llvm_intrinsics.def), and the parts of vectors.
#include <string.h>

#include "jit/llvm/emit.h"

typedef enum RowKind { ROW_FLOAT, ROW_INT, ROW_INT_FLAG, ROW_INT_EXP } RowKind;

typedef struct Row {
  const char *name;
  int operands;
  RowKind kind;
} Row;

static const Row rows[] = {
#define RLX_LLVM_INTRINSIC(name, operands, kind) {name, operands, ROW_##kind},
#include "jit/llvm/llvm_intrinsics.def"
#undef RLX_LLVM_INTRINSIC
};

static Val nothing(Emit *e) { return emit_const_int(e, 0, RLX_INT32, 1); }

static RlxDType lane_of(const RlxTirExpr *x) {
  RlxDType t = x->dtype;
  t.lanes = 1;
  return t;
}

Val emit_llvm_intrinsic(Emit *e, const RlxTirExpr *x) {
  const RlxTirExpr *named = x->arg_count ? x->args[0] : NULL;
  if (!named || named->kind != RLX_TIR_STRING || !emit_dtype_ok(lane_of(x))) {
    emit_fail(e,
              "a call of an LLVM intrinsic takes a dtype, the intrinsic's name, and its operands");
    return nothing(e);
  }
  const Row *row = NULL;
  for (size_t i = 0; i < sizeof rows / sizeof *rows && !row; i++)
    if (strlen(rows[i].name) == named->text_size &&
        !memcmp(rows[i].name, named->text, named->text_size))
      row = &rows[i];
  unsigned id = row ? LLVMLookupIntrinsicID(row->name, strlen(row->name)) : 0;
  if (!id) {
    emit_fail(e, "LLVM's intrinsic `%.*s` is not supported", (int)named->text_size, named->text);
    return nothing(e);
  }
  // Until 0.20 the number of types that the name is overloaded on came first, of type uint32.
  int skip = x->arg_count == row->operands + 2 && x->args[1]->kind == RLX_TIR_INT &&
                     x->args[1]->dtype.code == RLX_DTYPE_UINT
                 ? 2
                 : 1;
  RlxDType t = lane_of(x);
  bool wants_float = row->kind == ROW_FLOAT || row->kind == ROW_INT_EXP;
  bool is_bad_swap = !strcmp(row->name, "llvm.bswap") && t.bits < 16;
  if (x->arg_count - skip != row->operands || wants_float != rlx_dtype_is_float(t) || is_bad_swap) {
    emit_fail(e, "%s takes %d operands of %s dtype", row->name, row->operands,
              wants_float ? "a floating-point" : "an integer");
    return nothing(e);
  }
  Val args[3];
  int lanes = x->dtype.lanes > 1 ? x->dtype.lanes : 1, own = row->operands;
  if (row->kind == ROW_INT_FLAG || row->kind == ROW_INT_EXP) own--;
  for (int i = 0; i < own; i++) {
    args[i] = emit_expr(e, x->args[skip + i]);
    if (args[i].lanes > lanes) lanes = args[i].lanes;
  }
  LLVMValueRef values[3];
  for (int i = 0; i < own; i++) values[i] = emit_vector(e, emit_cast(e, args[i], t), lanes).v;
  const RlxTirExpr *last = x->args[skip + row->operands - 1];
  if (row->kind == ROW_INT_FLAG) {
    if (last->kind != RLX_TIR_INT) emit_fail(e, "the last operand of %s is a constant", row->name);
    // A result that is not defined (poison) is nothing that a script may ask for.
    values[own] = LLVMConstInt(e->i1, 0, 0);
  } else if (row->kind == ROW_INT_EXP) {
    values[own] = emit_cast(e, emit_expr(e, last), RLX_INT32).v;
  }
  Val out = {NULL, t, lanes, false, false, 0};
  if (e->failed) return nothing(e);
  LLVMTypeRef types[2] = {LLVMTypeOf(values[0]), e->i32};
  size_t type_count = row->kind == ROW_INT_EXP ? 2 : 1;
  LLVMValueRef fn = LLVMGetIntrinsicDeclaration(e->m, id, types, type_count);
  out.v = LLVMBuildCall2(e->b, LLVMIntrinsicGetType(e->c, id, types, type_count), fn, values,
                         (unsigned)row->operands, "");
  return out;
}

/// The lanes `from`, `from` + 1, … of `a` and `b` one after the other.
static LLVMValueRef lanes_of(Emit *e, LLVMValueRef a, LLVMValueRef b, int from, int count) {
  LLVMValueRef mask[EMIT_MAX_LANES];
  for (int i = 0; i < count; i++) mask[i] = LLVMConstInt(e->i32, (unsigned)(from + i), 0);
  return LLVMBuildShuffleVector(e->b, a, b, LLVMConstVector(mask, (unsigned)count), "");
}

Val emit_vector_half(Emit *e, const RlxTirExpr *x, bool is_high) {
  Val a = x->arg_count == 1 ? emit_expr(e, x->args[0]) : nothing(e);
  if (a.lanes < 2 || a.lanes % 2) {
    emit_fail(e, "half of a vector is asked of what has no halves");
    return a;
  }
  int half = a.lanes / 2;
  a = emit_vector(e, a, a.lanes);
  a.v = lanes_of(e, a.v, a.v, is_high ? half : 0, half);
  a.lanes = half;
  if (half == 1) a.v = LLVMBuildExtractElement(e->b, a.v, LLVMConstInt(e->i32, 0, 0), "");
  return a;
}

Val emit_vector_combine(Emit *e, const RlxTirExpr *x) {
  Val a = x->arg_count == 2 ? emit_expr(e, x->args[0]) : nothing(e);
  Val b = x->arg_count == 2 ? emit_expr(e, x->args[1]) : a;
  if (x->arg_count != 2 || a.lanes != b.lanes || 2 * a.lanes > EMIT_MAX_LANES ||
      !rlx_dtype_equal(a.t, b.t)) {
    emit_fail(e, "T.vectorcombine takes two vectors of one type");
    return a;
  }
  int lanes = a.lanes;
  if (lanes == 1) {
    LLVMValueRef pair = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(a.v), 2));
    pair = LLVMBuildInsertElement(e->b, pair, a.v, LLVMConstInt(e->i32, 0, 0), "");
    a.v = LLVMBuildInsertElement(e->b, pair, b.v, LLVMConstInt(e->i32, 1, 0), "");
  } else {
    a.v = lanes_of(e, emit_vector(e, a, lanes).v, emit_vector(e, b, lanes).v, 0, 2 * lanes);
  }
  a.is_ramp = false;
  a.lanes = 2 * lanes;
  return a;
}

/// The count of vectors, the vectors, and indices into all their lanes.
Val emit_shuffle(Emit *e, const RlxTirExpr *x) {
  int vectors = x->arg_count && x->args[0]->kind == RLX_TIR_INT ? (int)x->args[0]->integer : 0;
  int count = x->arg_count - 1 - vectors, total = 0;
  LLVMValueRef lanes[EMIT_MAX_LANES];
  Val out = nothing(e);
  for (int i = 0; i < vectors && !e->failed; i++) {
    Val v = emit_expr(e, x->args[1 + i]);
    if (total + v.lanes > EMIT_MAX_LANES || (i && !rlx_dtype_equal(v.t, out.t))) {
      emit_fail(e, "T.Shuffle takes vectors of one dtype");
      return out;
    }
    int width = v.lanes;
    v = emit_vector(e, v, width);
    for (int k = 0; k < width; k++)
      lanes[total++] =
          width == 1 ? v.v
                     : LLVMBuildExtractElement(e->b, v.v, LLVMConstInt(e->i32, (unsigned)k, 0), "");
    out = v;
  }
  if (e->failed || count < 1 || count > EMIT_MAX_LANES || !total) {
    emit_fail(e, "T.Shuffle takes vectors and indices");
    return out;
  }
  LLVMTypeRef scalar = LLVMTypeOf(lanes[0]);
  LLVMValueRef result = count > 1 ? LLVMGetPoison(LLVMVectorType(scalar, (unsigned)count)) : NULL;
  for (int i = 0; i < count; i++) {
    const RlxTirExpr *index = x->args[1 + vectors + i];
    if (index->kind != RLX_TIR_INT || index->integer < 0 || index->integer >= total) {
      emit_fail(e, "an index of T.Shuffle is not among the lanes");
      return out;
    }
    LLVMValueRef lane = lanes[index->integer];
    result = count == 1 ? lane
                        : LLVMBuildInsertElement(e->b, result, lane,
                                                 LLVMConstInt(e->i32, (unsigned)i, 0), "");
  }
  out.v = result;
  out.lanes = count;
  return out;
}
