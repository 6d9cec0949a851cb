/// Inside the plug-in: how one PrimFunc becomes LLVM IR.
///
/// Always true: float16, bfloat16 and smaller ones are float32 in registers, bool is i1 in registers and i8 in
/// memory; loop variables and dimensions are i64, whatever dtype the script gives them, and index
/// arithmetic is i64; a failed run-time check stores its details in the context and returns 1 + the
/// site's index. After `e->failed` emission goes on with harmless values, and the module is thrown
/// away.
#ifndef RLX_JIT_LLVM_EMIT_H
#define RLX_JIT_LLVM_EMIT_H

#include <llvm-c/Core.h>

#include "base/vec.h"
#include "jit/codegen/codegen.h"

enum { EMIT_MAX_NDIM = 16, EMIT_MAX_LANES = 1024 };

/// A value in flight. lanes > 1: a vector; or, when `is_ramp`, the scalar first lane of base, base
/// + stride, …
typedef struct Val {
  LLVMValueRef v;
  RlxDType t; // of one lane
  int lanes;
  bool is_ramp;
  bool is_wide; // i64 though `t` is another integer type: loop variables
  int64_t stride;
} Val;

typedef struct EmitBuffer {
  LLVMValueRef data;          // NULL: not defined here
  const RlxTirBuffer *buffer; // what it is of, where it is defined
  LLVMValueRef shape[EMIT_MAX_NDIM];
  LLVMValueRef strides[EMIT_MAX_NDIM]; // elements, i64
  LLVMValueRef scope, no_alias;        // metadata lists, NULL when it may alias
  bool is_local;
} EmitBuffer;

/// Where a run-time check can fail.
typedef enum SiteKind { SITE_BOUNDS, SITE_RESULT, SITE_ASSERT, SITE_MEMORY } SiteKind;
typedef struct Site {
  SiteKind kind;
  int dim;
  char *function, *text; // owned; text: the buffer's name, or the assertion's message
  RlxSpan span;
} Site;
typedef Vec(Site) Sites;

/// Linear form over variables: sum coef * var + constant.
enum { AFFINE_TERMS = 12 };
typedef struct Affine {
  int count; // -1: not affine
  struct {
    uint32_t var;
    int64_t coef;
  } terms[AFFINE_TERMS];
  int64_t constant;
} Affine;

/// What is known of a variable: lo <= v <= hi in terms of variables bound earlier. count -1:
/// unknown on that side.
typedef struct VarRange {
  bool is_bound;
  uint32_t order; // later bound variables have higher numbers
  Affine lo, hi;
  Affine value; // count >= 0: equal to this (lets, block variables)
} VarRange;

typedef struct LoopFrame {
  LLVMBasicBlockRef exit, latch;
  struct LoopFrame *outer;
  const RlxTirVar *var; // NULL: of a while loop
  bool wraps;           // see range_note_wrap
} LoopFrame;

typedef struct Emit {
  LLVMContextRef c;
  LLVMModuleRef m;
  LLVMBuilderRef b;
  const RlxInterner *names;
  const RlxPrimFunc *f;
  const char *symbol;
  bool trusted, may_alias, fast_math;
  const RlxEngineOptions *options;
  int vector_bytes;
  LLVMValueRef fn, ctx;
  Val *vars;        // by RlxTirVar.id; v NULL: unbound
  VarRange *ranges; // likewise
  uint32_t next_order;
  Vec(Affine) facts;   // >= 0 here
  EmitBuffer *buffers; // by RlxTirBuffer.id
  LoopFrame *loop;
  int outlined; // parallel bodies made so far
  bool in_parallel;
  bool has_vectors; // the loop body emitted so far has explicit vector code
  LLVMValueRef loop_scopes;
  Sites *sites;
  RlxSpan span;          // of the statement being emitted
  RlxGuardCounts counts; // of accesses that are not trusted
  RlxName blamed;        // the operator that a failing check names; 0: the function
  RlxError *err;
  bool failed;
  LLVMTypeRef i1, i8, i16, i32, i64, f16, f32, f64, ptr, kernel_type, body_type;
} Emit;

// ---- body.c: functions of Relax
/// Adds the body of a plan to the module: functions `name` and `name`.entry.
bool emit_body(Emit *e, const struct Plan *plan, const char *name);

// ---- emit_func.c: whole functions
/// Gives the function an attribute without a value, by its name in LLVM's texts.
void emit_attribute(const Emit *e, LLVMValueRef fn, const char *name);
/// What holds of all code: no exceptions, and the rules of floats that the caller chose.
void emit_attributes(const Emit *e, LLVMValueRef fn);
bool emit_primfunc(Emit *e, const RlxUnitFunc *func, const char *symbol);

// ---- emit.c
/// Whether children that are forked from now on have LLVM's own memory: then alone they can compile.
void rlx_llvm_inherit(bool is_inherited);

void emit_types(Emit *e); // the types of the context
/// Notes why no code can be made of the PrimFunc; the first reason counts. What is emitted afterwards is thrown away.
void emit_fail(Emit *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
/// The text of a name.
const char *emit_name(const Emit *e, RlxName name);
void emit_bind_wide(Emit *e, const RlxTirVar *var, LLVMValueRef value); // i64 value
/// A branch that is nearly always to `then`.
void emit_likely(Emit *e, LLVMValueRef condition, LLVMBasicBlockRef then,
                 LLVMBasicBlockRef otherwise);
/// Branches to a failing return unless `ok` (i1).
void emit_check(Emit *e, LLVMValueRef ok, SiteKind kind, const char *text, int dim,
                LLVMValueRef index, LLVMValueRef extent);
/// A basic block at the end of the current function.
LLVMBasicBlockRef emit_block(Emit *e, const char *name);
/// An alloca in the entry block of the current function.
LLVMValueRef emit_alloca(Emit *e, LLVMTypeRef type, uint64_t count, unsigned align);

// ---- types.c
LLVMTypeRef emit_type(Emit *e, RlxDType t, int lanes);        // in registers
LLVMTypeRef emit_memory_type(Emit *e, RlxDType t, int lanes); // in memory
/// Bytes of one element in memory.
unsigned emit_dtype_bytes(RlxDType t);
/// Whether there is code for the dtype.
bool emit_dtype_ok(RlxDType t);
void emit_fail_dtype(Emit *e, RlxDType t); ///< fails, as emit_dtype_ok says no
/// An i64 constant.
LLVMValueRef emit_i64(const Emit *e, int64_t value);
/// A vector with the same value in all lanes; one lane: the value.
LLVMValueRef emit_splat(Emit *e, LLVMValueRef scalar, int lanes);
/// A constant of `t`, in all lanes.
Val emit_const_int(Emit *e, int64_t value, RlxDType t, int lanes);
/// The same of a float, rounded to `t`.
Val emit_const_float(Emit *e, double value, RlxDType t, int lanes);
Val emit_vector(Emit *e, Val a, int lanes); // ramps and scalars to vectors of `lanes`
/// The value in another dtype, lane by lane.
Val emit_cast(Emit *e, Val a, RlxDType to);
// to the precision of a dtype below float32
LLVMValueRef emit_round_f16(Emit *e, LLVMValueRef value, RlxDType t, int lanes);
/// A value in registers as it lies in memory: a bool is a byte there, a small float its bits.
LLVMValueRef emit_to_memory(Emit *e, LLVMValueRef value, RlxDType t, int lanes);
/// The other way round.
LLVMValueRef emit_from_memory(Emit *e, LLVMValueRef value, RlxDType t, int lanes);
// ---- small_float.c
/// The byte of a small float for a float32, and back; float64 to the float32 whose further rounding
/// is that of the float64.
LLVMValueRef emit_small_bits(Emit *e, LLVMValueRef value, RlxDType t, int lanes);
LLVMValueRef emit_small_value(Emit *e, LLVMValueRef byte, RlxDType t, int lanes);
LLVMValueRef emit_round_to_odd(Emit *e, LLVMValueRef value, int lanes);

/// Calls the LLVM intrinsic `name` overloaded on the type of the first argument.
LLVMValueRef emit_llvm_call(Emit *e, const char *name, LLVMValueRef *args, int count);

// ---- expr.c
// in native dtype; a ramp only for RAMP and loop variables
Val emit_expr(Emit *e, const RlxTirExpr *x);
Val emit_index(Emit *e, const RlxTirExpr *x);                 // i64, may be a ramp or a vector
LLVMValueRef emit_scalar_index(Emit *e, const RlxTirExpr *x); // i64
LLVMValueRef emit_condition(Emit *e, const RlxTirExpr *x);    // scalar i1
bool emit_has_checks(const RlxTirExpr *x); // something in it is checked among what is trusted
/// What the operator gives of two values of the dtype `t`, lane by lane.
Val emit_binary(Emit *e, RlxTirExprKind kind, Val a, Val b, RlxDType t);

// ---- math.c
Val emit_call(Emit *e, const RlxTirExpr *x);

// ---- llvm_calls.c
Val emit_llvm_intrinsic(Emit *e,
                        const RlxTirExpr *x); // T.call_llvm_intrin("float32", "llvm.sqrt", …)
Val emit_vector_half(Emit *e, const RlxTirExpr *x, bool is_high); // T.vectorlow, T.vectorhigh
Val emit_vector_combine(Emit *e, const RlxTirExpr *x);            // T.vectorcombine
Val emit_shuffle(Emit *e, const RlxTirExpr *x);                   // T.Shuffle

// ---- memory.c
void emit_buffer_define(Emit *e, const RlxTirBuffer *buffer, LLVMValueRef data);
/// The element, or the vector, that a LOAD reads; checked where it may lie outside.
Val emit_load(Emit *e, const RlxTirExpr *x);
/// The address of the first element of a load.
LLVMValueRef emit_address(Emit *e, const RlxTirExpr *load);
/// A store, checked as loads are.
void emit_store(Emit *e, const RlxTirStmt *s);
void emit_bounds_assert(Emit *e, const RlxTirStmt *s); // a check of a bound by itself
/// T.tvm_access_ptr(type, data, offset, extent, mask): a pointer into a buffer, whose range is
/// checked.
Val emit_access_ptr(Emit *e, const RlxTirExpr *x);
/// The buffer whose memory pointer `var` is; NULL: none that is defined here.
const RlxTirBuffer *emit_buffer_of(const Emit *e, const RlxTirVar *var);
/// How many elements a buffer of `ndim` dimensions has.
LLVMValueRef emit_element_count(Emit *e, const EmitBuffer *b, int ndim);
// ---- packed.c
/// T.call_packed, whose value is nothing: 0.
Val emit_packed(Emit *e, const RlxTirExpr *x);
/// Scopes of aliasing, one a buffer, where buffers do not overlap; loads and stores name theirs.
void emit_scopes(Emit *e);

// ---- stmt.c
void emit_stmt(Emit *e, const RlxTirStmt *s);

// ---- bounds.c
void range_bind_loop(Emit *e, const RlxTirVar *var, const RlxTirExpr *min,
                     const RlxTirExpr *extent);
/// The variable is `value`.
void range_bind_value(Emit *e, const RlxTirVar *var, const RlxTirExpr *value);
/// The variable is any number; `is_dimension`: none below 0.
void range_bind_symbol(Emit *e, const RlxTirVar *var, bool is_dimension);
/// Nothing is known of the variable any more.
void range_unbind(Emit *e, const RlxTirVar *var);
size_t range_assume(Emit *e, const RlxTirExpr *cond); // returns the mark to go back to
/// Takes back what was assumed behind `mark`.
void range_forget(Emit *e, size_t mark);
/// Whether all lanes of an index surely lie in a buffer; the two flags say which of the bounds surely holds.
bool range_in_bounds(Emit *e, const RlxTirExpr *index, int lanes, int64_t stride,
                     const RlxTirExpr *extent, bool *above_zero, bool *below_extent);
/// Whether an index is surely not below 0.
bool range_is_nonnegative(Emit *e, const RlxTirExpr *x);
/// Marks the loops in which `x`, of which a power of two's remainder is taken or a cast to few bits,
/// goes on by more than 1, or by any number.
///
/// LLVM takes such a remainder for a number of few bits that a loop counts up. Its vectoriser then
/// assumes that the number does not wrap, and checks that; but the check comes out wrong where the
/// trip count fits those bits and its product with the step does not (LLVM 19): `A[(i * 7) % 16]`
/// became one load with stride 7, far behind the buffer. Marked loops are not vectorised.
void range_note_wrap(Emit *e, const RlxTirExpr *x, bool by_any);

// ---- exhausted.c
/// From here on a lack of memory in LLVM or the C++ library ends the process as rlx_mem_exhausted
/// does, and what LLVM cannot do as it was asked ends it with exit code 3 and LLVM's reason.
void rlx_llvm_watch_memory(void);

#endif
