/// What both files that emit bodies start from: fields of structs in memory, likely conditions,
/// calls of helpers in C.
#include <string.h>

#include "jit/llvm/body.h"

LLVMValueRef body_at(BodyEmit *b, LLVMValueRef base, int64_t offset) {
  if (offset == 0) return base;
  LLVMValueRef at = emit_i64(b->e, offset);
  return LLVMBuildInBoundsGEP2(b->e->b, b->e->i8, base, &at, 1, "");
}

LLVMValueRef body_load(BodyEmit *b, LLVMTypeRef type, LLVMValueRef base, int64_t offset) {
  return LLVMBuildLoad2(b->e->b, type, body_at(b, base, offset), "");
}

void body_require(BodyEmit *b, LLVMValueRef condition, LLVMBasicBlockRef otherwise) {
  if (LLVMIsAConstantInt(condition) && LLVMConstIntGetZExtValue(condition)) return;
  Emit *e = b->e;
  LLVMBasicBlockRef fine = emit_block(e, "");
  emit_likely(e, condition, fine, otherwise);
  LLVMPositionBuilderAtEnd(e->b, fine);
}

static LLVMTypeRef type_of(const BodyEmit *b, char c) {
  const Emit *e = b->e;
  return c == 'p' ? e->ptr : c == 'l' ? e->i64 : c == 'i' ? e->i32 : LLVMVoidTypeInContext(e->c);
}

static const char *signature_of(const char *helper) {
  static const struct {
    const char *name, *signature;
  } table[] = {
#define RLX_HELPER(name, result, params, signature, doc) {"rlx_" #name, signature},
#include "jit/plan/helpers.def"
#undef RLX_HELPER
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i].name, helper)) return table[i].signature;
  return "v";
}

LLVMValueRef body_call(BodyEmit *b, const char *helper, LLVMValueRef *args, int count) {
  LLVMTypeRef params[8];
  const char *signature = signature_of(helper);
  for (int i = 0; i < count; i++) params[i] = type_of(b, signature[i + 1]);
  LLVMTypeRef type = LLVMFunctionType(type_of(b, signature[0]), params, (unsigned)count, 0);
  LLVMValueRef fn = LLVMGetNamedFunction(b->e->m, helper);
  if (!fn) {
    fn = LLVMAddFunction(b->e->m, helper, type);
    unsigned nounwind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMAddAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(b->e->c, nounwind, 0));
  }
  return LLVMBuildCall2(b->e->b, type, fn, args, (unsigned)count, "");
}
