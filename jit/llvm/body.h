/// Inside the plug-in: how a plan becomes the body of a Relax function.
///
/// The body reads the plan at fixed offsets and has no address of its own plan inside, so equal
/// plans share one body. What an inlined check or shortcut does not cover goes to a helper in C
/// that does it all, messages included.
#ifndef RLX_JIT_LLVM_BODY_H
#define RLX_JIT_LLVM_BODY_H

#include "jit/llvm/emit.h"
#include "jit/plan/plan.h"

/// What is known of the object in a register, or of the tensor of an unboxed one.
typedef struct Fact {
  enum { FACT_NONE, FACT_TENSOR, FACT_FIELDS, FACT_RESULTS } kind;
  RlxDType dtype;
  int ndim, count;           ///< TENSOR; others: fields
  const Dim *dims;           ///< TENSOR
  const Check *fields;       ///< FIELDS of a checked tuple
  const KernelCall *results; ///< RESULTS of a kernel
} Fact;

typedef struct BodyEmit {
  Emit *e;
  const Plan *plan;
  const char *name;
  LLVMTypeRef result_type;
  LLVMTypeRef fast_type;
  LLVMValueRef fast, plan_arg, closure;
  LLVMValueRef program, context, watch, steps, consts; ///< loaded on entry
  LLVMValueRef calls_left;
  LLVMValueRef frame, regs, slots, is_set; ///< frame NULL: nothing here needs one
  LLVMValueRef *numbers;       ///< by register: where an unboxed one is kept; NULL: boxed
  LLVMValueRef *const_numbers; ///< by constant, likewise
  LLVMValueRef data_array;     ///< of kernel calls
  LLVMValueRef dims_array;
  Fact *facts;               ///< by register
  bool *bound;               ///< by slot: has a value here
  bool **bound_at;           ///< by step: at the jumps to it; NULL: none seen
  LLVMBasicBlockRef *labels; ///< by step: of jump targets
  LLVMBasicBlockRef failed, bad_kernel;
  LLVMValueRef bad_step, bad_status; ///< what comes into bad_kernel
  bool *freed, *was_boxed;           ///< by register
  LLVMValueRef *inlined;             ///< by step: the function of a kernel on numbers
} BodyEmit;

// ---- body_base.c
/// Calls a row of jit/plan/helpers.def.
LLVMValueRef body_call(BodyEmit *b, const char *helper, LLVMValueRef *args, int count);
LLVMValueRef body_at(BodyEmit *b, LLVMValueRef base, int64_t offset); ///< address, in bytes
LLVMValueRef body_load(BodyEmit *b, LLVMTypeRef type, LLVMValueRef base, int64_t offset);
/// a likely condition
void body_require(BodyEmit *b, LLVMValueRef condition, LLVMBasicBlockRef otherwise);

// ---- body_facts.c
void body_facts(BodyEmit *b);
/// Dimensions, when all are constants, and dtype of an operand; false: not known.
bool body_static(const BodyEmit *b, int reg, int field, RlxDType *dtype, int *ndim, int64_t *dims);
/// Whether the kernel can be called with pointers only: shapes are constants that are proved to be
/// those of its buffers, and it stores to new tensors only.
bool body_is_direct(const BodyEmit *b, const Step *s);
/// Operand of the kernel's tensor i: below input_count an input, else an output.
static inline int body_tensor(const KernelCall *k, int i) { return k->order ? k->order[i] : i; }

// ---- body_check.c
/// Value of a dimension as i64; NULL: not to be had here. `ok`: and-ed with whether it did not
/// overflow.
LLVMValueRef body_dim(BodyEmit *b, const Dim *d, LLVMValueRef *ok);
bool body_can_check(const Check *check);
/// Kind, dtype, rank; binds bare symbols. Goes to `otherwise` when it does not hold.
void body_check_form(BodyEmit *b, const Check *check, LLVMValueRef x, LLVMBasicBlockRef otherwise);
/// The dimensions; after the form.
void body_check_dims(BodyEmit *b, const Check *check, LLVMValueRef x, LLVMBasicBlockRef otherwise);

#endif
