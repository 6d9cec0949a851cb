/// How plans run: from a call with values to kernels, and what bodies ask C to do.
///
/// Whoever fails has put the reason into `err`; what it was given still belongs to its caller.
#ifndef RLX_JIT_RUN_H
#define RLX_JIT_RUN_H

#include "jit/plan/plan.h"

/// The value of register `reg` (negative: a constant).
static inline RlxObject *rlx_reg(const Frame *f, int reg) {
  return reg >= 0 ? f->regs[reg] : f->plan->consts.at[~reg];
}

// ---- check.c
/// The value of an expression, of a dimension; false when it mentions a symbol that has none yet.
bool rlx_frame_eval(const Frame *f, const RlxPrim *prim, int64_t *out);
bool rlx_dim_value(const Frame *f, const Dim *dim, int64_t *out);
/// Bare symbols of `check` that have no value take the one that `x` has there.
void rlx_check_bind(Frame *f, const Check *check, const RlxObject *x);
/// False and `err`: "parameter y: dimension 0 is 3, expected n + 1 = 5 (n = 4, from x, dimension
/// 0)". `kind` and `what` say whose value `x` is.
bool rlx_check_value(Frame *f, const Check *check, const RlxObject *x, const char *kind,
                     const char *what, RlxError *err);
/// Binds and checks the parameters that registers hold, from the first. False, and why and where in
/// the program's error.
bool rlx_frame_enter(Frame *f);

// ---- late.c
/// The kernel of a LATE step for the values that are there, made when they are new; NULL and `err`.
KernelCall *rlx_late_kernel(Frame *f, Step *step, RlxError *err);
/// The operator's rule on the actual values: false and its message when it reports a mistake.
bool rlx_late_check(Frame *f, Step *step, RlxError *err);

// ---- execute.c
/// A new tensor for a result of a kernel, cleared where the code may not write all of it; NULL and
/// `err` without memory. The caller owns it.
RlxObject *rlx_output_new(RlxHeap *heap, const Output *o, const int64_t *dims, RlxError *err);
/// Runs a kernel on tensors: one for each buffer parameter, in order. False and `err`.
bool rlx_kernel_call(RlxProgram *program, KernelCall *call, RlxObject *const *tensors,
                     const int64_t *scalars, RlxError *err);
/// Puts why a kernel returned `status` into `err`; false.
bool rlx_kernel_explain(RlxJit *jit, const Kernel *kernel, int32_t status, RlxError *err);
/// The result of a KERNEL step. `dims`: of its outputs, then its scalars; NULL: they are evaluated
/// here.
RlxObject *rlx_kernel_run(Frame *f, Step *s, const int64_t *dims, RlxError *err);
/// The result of a LATE step.
RlxObject *rlx_late_run(Frame *f, Step *step, RlxError *err);

// ---- call.c
/// Calls a function with values: a plan's body, a PrimFunc, an extern function. The result is the
/// caller's reference; NULL and `err`.
RlxObject *rlx_entry_call(Entry *entry, RlxObject *const *args, int count, RlxObject *closure,
                          RlxRunError *err);

/// Calls a function of the file from outside of it: as rlx_entry_call, but a PrimFunc gives the
/// tuple of the buffers that it writes to.
RlxObject *rlx_entry_evaluate(Entry *entry, RlxObject *const *args, int count, RlxRunError *err);

/// Calls what R.call_packed and R.ExternFunc name: a function of ours, a PrimFunc of the file, or
/// what the user gave for it.
RlxObject *rlx_extern_call(RlxProgram *program, const char *name, RlxObject *const *args, int count,
                           RlxError *err);

/// The function of that name in a file that the user gave (jit/supply.h), ready to be called from
/// `program`; NULL: there is none.
Entry *rlx_extern_entry(RlxProgram *program, const char *name);

// ---- interpret.c
/// Carries a plan out step by step; takes and gives what its body would.
BodyResult rlx_plan_interpret(Plan *plan, RlxObject *closure, const int64_t *bits);

// ---- ffi.c
/// The function of that name in a library that the user gave; NULL: there is none.
void *rlx_ffi_find(const RlxJit *jit, const char *name);
/// Calls it as jit/supply.h says. The result is the caller's reference; NULL and `err`.
RlxObject *rlx_ffi_call(RlxHeap *heap, void *function, RlxObject *const *args, int count,
                        RlxError *err);

// ---- dynamic.c
typedef struct RlxUnique {
  int axis;       ///< -1: elements
  bool is_sorted; ///< else in the order in which they come first
  bool gives_index, gives_inverse, gives_counts;
} RlxUnique;
/// What numpy.unique gives of a tensor, its inverse without dimensions but one. The result is the caller's reference, as are those
/// below; NULL and `err`.
RlxObject *rlx_unique(RlxHeap *heap, const RlxObject *x, const RlxUnique *how, RlxError *err);
/// A row for each dimension of a tensor: the indices of what is not 0.
RlxObject *rlx_nonzero(RlxHeap *heap, const RlxObject *x, RlxError *err);
RlxObject *rlx_shape_to_tensor(RlxHeap *heap, const RlxObject *shape, RlxError *err);

// ---- tell.c
/// Appends the values as Python's str.format does, with {} and {0} only; an empty format: all of them, a blank between.
void rlx_format_values(const char *format, RlxObject *const *values, int count, RlxBuf *out);
/// Whether what R.assert_op is given is true: a number, or a tensor of one element.
bool rlx_assertion_holds(const RlxObject *x);
/// Sets `err` to what an assertion says that does not hold; `text` may be empty.
void rlx_assertion_fail(const char *text, RlxError *err);

// ---- builtins.c
/// The result of a BUILTIN step: a row of builtins.def.
RlxObject *rlx_builtin_run(Frame *f, Step *step, RlxError *err);

// ---- helpers.c: what bodies call, a row of helpers.def each
#define RLX_HELPER(name, result, params, signature, doc) result rlx_##name params;
#include "jit/plan/helpers.def"
#undef RLX_HELPER
/// The address of a function of helpers.def; NULL: there is none of that name.
void *rlx_body_helper(const char *name);
// ---- packed.c
/// The packed function of this symbol (jit/codegen/packed.h); NULL: there is none.
void *rlx_packed_function(const char *name);

#endif
