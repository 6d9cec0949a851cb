/// T.call_packed: its arguments in memory, and the call of the C function that has this name.
#include "jit/codegen/packed.h"

#include <stdio.h>
#include <string.h>

#include "jit/llvm/emit.h"

/// The name of an intrinsic, without its module.
static bool is_call_of(const Emit *e, const RlxTirExpr *x, const char *word) {
  if (x->kind != RLX_TIR_CALL) return false;
  const char *name = emit_name(e, x->name), *dot = strrchr(name, '.');
  return !strcmp(dot ? dot + 1 : name, word);
}

static void put_word(Emit *e, LLVMValueRef args, int arg, int word, LLVMValueRef value) {
  LLVMValueRef at = emit_i64(e, (int64_t)arg * RLX_PACKED_WORDS + word);
  LLVMBuildStore(e->b, value, LLVMBuildInBoundsGEP2(e->b, e->i64, args, &at, 1, ""));
}

/// The buffer that `x`, T.tvm_stack_make_array(data, shape, strides, ndim, dtype, elem_offset), is of, which lies in it without
/// gaps; NULL: it is no such array.
static const RlxTirBuffer *buffer_of_array(const Emit *e, const RlxTirExpr *x) {
  if (!is_call_of(e, x, "tvm_stack_make_array") || x->arg_count != 6 ||
      x->args[0]->kind != RLX_TIR_VAR || !is_call_of(e, x->args[1], "tvm_stack_make_shape") ||
      x->args[2]->kind != RLX_TIR_INT || x->args[2]->integer || x->args[3]->kind != RLX_TIR_INT ||
      x->args[3]->integer != x->args[1]->arg_count || !rlx_dtype_known(x->args[4]->dtype))
    return NULL;
  const RlxTirBuffer *buffer = emit_buffer_of(e, x->args[0]->var);
  return buffer && x->args[4]->dtype.code == buffer->dtype.code &&
                 x->args[4]->dtype.bits == buffer->dtype.bits
             ? buffer
             : NULL;
}

/// Writes argument `i`, which is an array; its elements are those of its buffer, or some of them.
static bool put_array(Emit *e, LLVMValueRef args, int i, const RlxTirExpr *x) {
  const RlxTirBuffer *buffer = buffer_of_array(e, x);
  if (!buffer) return false;
  const EmitBuffer *b = &e->buffers[buffer->id];
  const RlxTirExpr *shape = x->args[1];
  LLVMValueRef extents = emit_alloca(e, e->i64, shape->arg_count ? shape->arg_count : 1, 8);
  LLVMValueRef count = emit_i64(e, 1), zero = emit_i64(e, 0);
  LLVMValueRef ok = LLVMConstInt(e->i1, 1, 0), total = emit_element_count(e, b, buffer->ndim);
  for (int k = 0; k < shape->arg_count; k++) {
    LLVMValueRef extent = emit_scalar_index(e, shape->args[k]), at = emit_i64(e, k);
    if (e->failed) return true;
    LLVMBuildStore(e->b, extent, LLVMBuildInBoundsGEP2(e->b, e->i64, extents, &at, 1, ""));
    // Each extent is one of the buffer's, or less than all elements: no product overflows unseen.
    ok = LLVMBuildAnd(e->b, ok, LLVMBuildICmp(e->b, LLVMIntSGE, extent, zero, ""), "");
    LLVMValueRef most = LLVMBuildICmp(e->b, LLVMIntULE, extent, emit_i64(e, INT32_MAX), "");
    ok = LLVMBuildAnd(e->b, ok, most, "");
    count = LLVMBuildMul(e->b, count, extent, "");
    ok = LLVMBuildAnd(e->b, ok, LLVMBuildICmp(e->b, LLVMIntULE, count, emit_i64(e, INT32_MAX), ""),
                      "");
  }
  LLVMValueRef offset = emit_scalar_index(e, x->args[5]);
  if (e->failed) return true;
  ok = LLVMBuildAnd(e->b, ok, LLVMBuildICmp(e->b, LLVMIntSGE, offset, zero, ""), "");
  ok = LLVMBuildAnd(e->b, ok, LLVMBuildICmp(e->b, LLVMIntSLE, offset, total, ""), "");
  LLVMValueRef end = LLVMBuildAdd(e->b, offset, count, "");
  ok = LLVMBuildAnd(e->b, ok, LLVMBuildICmp(e->b, LLVMIntSLE, end, total, ""), "");
  emit_check(e, ok, SITE_BOUNDS, emit_name(e, buffer->name), 0,
             LLVMBuildSub(e->b, end, emit_i64(e, 1), ""), total);
  LLVMValueRef bytes = LLVMBuildMul(e->b, offset, emit_i64(e, emit_dtype_bytes(buffer->dtype)), "");
  put_word(e, args, i, 0, emit_i64(e, RLX_PACKED_ARRAY));
  put_word(e, args, i, 1, emit_i64(e, shape->arg_count));
  put_word(e, args, i, 2, LLVMBuildInBoundsGEP2(e->b, e->i8, b->data, &bytes, 1, ""));
  put_word(e, args, i, 3, extents);
  put_word(e, args, i, 4, emit_i64(e, rlx_packed_dtype(buffer->dtype)));
  return true;
}

static void put_argument(Emit *e, LLVMValueRef args, int i, const RlxTirExpr *x, const char *name) {
  if (x->kind == RLX_TIR_STRING) {
    char text[64];
    snprintf(text, sizeof text, "%.*s", (int)x->text_size, x->text);
    put_word(e, args, i, 0, emit_i64(e, RLX_PACKED_TEXT));
    put_word(e, args, i, 2, LLVMBuildGlobalStringPtr(e->b, text, ""));
    return;
  }
  if (x->kind == RLX_TIR_CALL) {
    if (!put_array(e, args, i, x))
      emit_fail(e,
                "T.call_packed of `%s`: only whole buffers of this function can be handed over, "
                "by T.tvm_stack_make_array",
                name);
    return;
  }
  if (rlx_dtype_is_float(x->dtype)) {
    emit_fail(e, "T.call_packed of `%s` takes arrays, integers and texts", name);
    return;
  }
  put_word(e, args, i, 0, emit_i64(e, RLX_PACKED_NUMBER));
  put_word(e, args, i, 1, emit_scalar_index(e, x));
}

Val emit_packed(Emit *e, const RlxTirExpr *x) {
  const Val none = emit_const_int(e, 0, RLX_INT32, 1);
  const int count = x->arg_count - 1;
  char name[128], symbol[160];
  if (count < 0 || count > RLX_PACKED_ARGS_MAX || x->args[0]->kind != RLX_TIR_STRING) {
    emit_fail(e, "T.call_packed wants the function's name and at most %d arguments",
              RLX_PACKED_ARGS_MAX);
    return none;
  }
  snprintf(name, sizeof name, "%.*s", (int)x->args[0]->text_size, x->args[0]->text);
  snprintf(symbol, sizeof symbol, RLX_PACKED_PREFIX "%s", name);
  if (!e->options || !e->options->helper || !e->options->helper(symbol)) {
    emit_fail(e, "T.call_packed: there is no packed function `%s` here", name);
    return none;
  }
  LLVMValueRef args = emit_alloca(e, e->i64, (uint64_t)(count ? count : 1) * RLX_PACKED_WORDS, 8);
  for (int i = 0; i < count && !e->failed; i++) put_argument(e, args, i, x->args[i + 1], name);
  if (e->failed) return none;
  LLVMTypeRef types[] = {e->ptr, e->i32}, type = LLVMFunctionType(e->i32, types, 2, 0);
  LLVMValueRef fn = LLVMGetNamedFunction(e->m, symbol);
  if (!fn) fn = LLVMAddFunction(e->m, symbol, type);
  LLVMValueRef values[] = {args, LLVMConstInt(e->i32, (unsigned)count, 0)};
  LLVMValueRef done = LLVMBuildCall2(e->b, type, fn, values, 2, "");
  char why[192];
  snprintf(why, sizeof why, "%s: these are not the arguments that it takes", name);
  emit_check(e, LLVMBuildICmp(e->b, LLVMIntNE, done, LLVMConstNull(e->i32), ""), SITE_ASSERT, why,
             0, emit_i64(e, 0), emit_i64(e, 0));
  return none;
}
