/// What all of the emitter starts from: failing, names, basic blocks, memory on the stack, checks
/// at run time.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "jit/llvm/emit.h"

void emit_fail(Emit *e, const char *format, ...) {
  if (e->failed) return; // the first reason counts
  e->failed = true;
  va_list args;
  va_start(args, format);
  rlx_error_vset(e->err, format, args);
  va_end(args);
  rlx_error_prefix(e->err, "%s", emit_name(e, e->f->name));
}

const char *emit_name(const Emit *e, RlxName name) { return rlx_name_text(e->names, name); }

LLVMBasicBlockRef emit_block(Emit *e, const char *name) {
  return LLVMAppendBasicBlockInContext(e->c, e->fn, name);
}

LLVMValueRef emit_alloca(Emit *e, LLVMTypeRef type, uint64_t count, unsigned align) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b), entry = LLVMGetEntryBasicBlock(e->fn);
  LLVMValueRef first = LLVMGetFirstInstruction(entry);
  if (first)
    LLVMPositionBuilderBefore(e->b, first);
  else
    LLVMPositionBuilderAtEnd(e->b, entry);
  LLVMValueRef memory = LLVMBuildAlloca(e->b, LLVMArrayType(type, (unsigned)count), "");
  LLVMSetAlignment(memory, align);
  LLVMPositionBuilderAtEnd(e->b, here);
  return memory;
}

void emit_bind_wide(Emit *e, const RlxTirVar *var, LLVMValueRef value) {
  Val v = {value, var->dtype, 1, false, true, 0};
  if (!rlx_dtype_is_int(v.t)) v.t = RLX_INT64;
  e->vars[var->id] = v;
}

static char *copied(const char *text) { return rlx_mem_strdup(text); }

void emit_likely(Emit *e, LLVMValueRef condition, LLVMBasicBlockRef then,
                 LLVMBasicBlockRef otherwise) {
  LLVMValueRef branch = LLVMBuildCondBr(e->b, condition, then, otherwise);
  LLVMMetadataRef weights[3] = {LLVMMDStringInContext2(e->c, "branch_weights", 14),
                                LLVMValueAsMetadata(LLVMConstInt(e->i32, 1 << 20, 0)),
                                LLVMValueAsMetadata(LLVMConstInt(e->i32, 1, 0))};
  LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(e->c, "prof", 4),
                  LLVMMetadataAsValue(e->c, LLVMMDNodeInContext2(e->c, weights, 3)));
}

void emit_check(Emit *e, LLVMValueRef ok, SiteKind kind, const char *text, int dim,
                LLVMValueRef index, LLVMValueRef extent) {
  if (e->failed || (LLVMIsAConstantInt(ok) && LLVMConstIntGetZExtValue(ok))) return;
  rlx_vec_push(e->sites, (Site){kind, dim, copied(emit_name(e, e->blamed ? e->blamed : e->f->name)),
                                copied(text), e->span});
  LLVMBasicBlockRef bad = emit_block(e, "bad"), fine = emit_block(e, "fine");
  emit_likely(e, ok, fine, bad);
  LLVMPositionBuilderAtEnd(e->b, bad);
  LLVMValueRef values[2] = {index, extent};
  unsigned offset = offsetof(RlxKernelContext, failure);
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef at = LLVMConstInt(e->i64, offset + 8 * i, 1);
    LLVMBuildStore(e->b, values[i], LLVMBuildInBoundsGEP2(e->b, e->i8, e->ctx, &at, 1, ""));
  }
  LLVMBuildRet(e->b, LLVMConstInt(e->i32, e->sites->count, 0));
  LLVMPositionBuilderAtEnd(e->b, fine);
}

void emit_types(Emit *e) {
  e->i1 = LLVMInt1TypeInContext(e->c);
  e->i8 = LLVMInt8TypeInContext(e->c);
  e->i16 = LLVMInt16TypeInContext(e->c);
  e->i32 = LLVMInt32TypeInContext(e->c);
  e->i64 = LLVMInt64TypeInContext(e->c);
  e->f16 = LLVMHalfTypeInContext(e->c);
  e->f32 = LLVMFloatTypeInContext(e->c);
  e->f64 = LLVMDoubleTypeInContext(e->c);
  e->ptr = LLVMPointerTypeInContext(e->c, 0);
  LLVMTypeRef kernel[3] = {e->ptr, e->ptr, e->ptr};
  e->kernel_type = LLVMFunctionType(e->i32, kernel, 3, 0);
  LLVMTypeRef body[4] = {e->i64, e->i64, e->ptr, e->ptr};
  e->body_type = LLVMFunctionType(e->i32, body, 4, 0);
}
