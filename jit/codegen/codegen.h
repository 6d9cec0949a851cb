/// PrimFuncs to native code: the interface of librlx-llvm.so, the only thing linked to LLVM, and
/// how to load it.
///
/// A *unit* is what is compiled together and dropped together: some PrimFuncs. An *engine* is one
/// LLJIT for the host's CPU. The plug-in reads the PrimFuncs it is given and keeps nothing of them.
/// Engines have one thread at a time; code runs on any.
#ifndef RLX_JIT_CODEGEN_H
#define RLX_JIT_CODEGEN_H

#include "analyzer/tir/tir.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/intern.h"
#include "jit/codegen/kernel.h"

enum { RLX_LLVM_API_VERSION = 5 };

/// Why a kernel stopped. The caller knows the diagnostics of these: the plug-in has no table of
/// them.
typedef enum RlxFault { RLX_FAULT_OTHER, RLX_FAULT_ASSERTION, RLX_FAULT_INDEX } RlxFault;

typedef struct RlxEngine RlxEngine; ///< LLJIT and target machine
typedef struct RlxCode RlxCode;     ///< the native code of one unit

typedef struct RlxEngineOptions {
  int opt_level;  ///< 0..3; -1: the default, 2
  bool fast_math; ///< allow reassociation and approximations everywhere; off: contraction only
  bool verify;    ///< run LLVM's verifier on each module (tests do); a failure is an error
  /// Names that T.call_extern may call, beside those of analyzer/words/externs.def and what `resolve` knows.
  const char *const *externs;
  int extern_count;
  /// Address of an extern function called by T.call_extern or the like; NULL: not known. May be
  /// NULL: functions of the process only.
  void *(*resolve)(const char *name, void *user);
  void *user;
  /// Address of a function that bodies call (jit/plan/helpers.def), or kernels by T.call_packed (jit/codegen/packed.h).
  void *(*helper)(const char *name);
} RlxEngineOptions;

/// What schedule rules need to know of the machine.
typedef struct RlxTarget {
  int vector_bytes;     ///< of the widest useful vector register: 64, 32 or 16
  int vector_registers; ///< 32 or 16
  int threads;          ///< a hint for what to run in parallel; 1: nothing
} RlxTarget;

/// Loads and stores of a kernel.
typedef struct RlxGuardCounts {
  int proved;  ///< in bounds
  int hoisted; ///< guarded by checks before the loops
  int checked; ///< guarded where they stand
} RlxGuardCounts;

typedef struct RlxUnitFunc {
  const RlxPrimFunc *func; ///< holes are an error
  const char *symbol;      ///< unique within its engine while its code lives
  bool trusted;   ///< accesses are in bounds by construction (legalizer, schedules): no run-time
                  ///< checks
  bool may_alias; ///< parameters may overlap (call_tir_inplace)
  RlxGuardCounts *counts; ///< gets the accesses of one that is not trusted; may be NULL
} RlxUnitFunc;

typedef struct RlxUnit {
  const RlxInterner *names; ///< of the names in the PrimFuncs
  const RlxUnitFunc *funcs;
  int func_count;
  bool is_quick; ///< compiled with least effort: its code runs too short to be worth more
} RlxUnit;

typedef enum RlxUnitText {
  RLX_TEXT_LLVM_RAW, ///< LLVM IR as generated
  RLX_TEXT_LLVM,     ///< after optimisation
  RLX_TEXT_ASM,      ///< assembly of the host
} RlxUnitText;

/// A plan's body as LLVM IR, before it is compiled. `hash` is that of the IR: equal bodies have
/// equal hashes.
typedef struct RlxBodyDraft RlxBodyDraft;
struct Plan;
typedef struct RlxBodyCode {
  RlxCode *code;
  void *entry, *fast; ///< see plan.h
} RlxBodyCode;

typedef struct RlxLlvmApi {
  uint32_t version; ///< RLX_LLVM_API_VERSION
  uint32_t size;    ///< of this struct
  const char *llvm_version;

  /// NULL and `err` on failure. `options` may be NULL. The engine outlives its code.
  RlxEngine *(*engine_new)(const RlxEngineOptions *options, RlxError *err);
  void (*engine_free)(RlxEngine *engine); ///< NULL is fine; all code must be gone

  RlxTarget (*target)(const RlxEngine *engine);

  /// Native code for `unit`; NULL and `err` when something in it cannot be compiled (says what).
  RlxCode *(*compile)(RlxEngine *engine, const RlxUnit *unit, RlxError *err);
  void (*code_free)(RlxCode *code); ///< gives the memory back; NULL is fine

  /// The kernel of that symbol; NULL when the unit has none.
  RlxKernelFn *(*kernel)(const RlxCode *code, const char *symbol);

  /// The pages that all of the code lies in, when it is quick: they do not change, and a process that was forked
  /// after the first such code was made has these addresses free. NULL: it lies elsewhere.
  void *(*code_pages)(const RlxCode *code, size_t *out_size);

  /// Appends why a kernel of `code` returned `status`: "matmul: index 12 is out of bounds for
  /// dimension 0 of `A`, extent 10". `function` may be NULL. `out_span` (may be NULL) gets where in
  /// the PrimFunc's script, {0, 0} when unknown. Returns what kind of failure it is.
  RlxFault (*describe)(const RlxCode *code, int32_t status, const RlxKernelContext *ctx,
                       RlxBuf *out, RlxSpan *out_span);

  /// Appends the text of `unit` (compiles it, runs nothing).
  bool (*text)(RlxEngine *engine, const RlxUnit *unit, RlxUnitText kind, RlxBuf *out,
               RlxError *err);

  /// The body of a plan that rlx_plan_unbox has seen and whose kernels are compiled; NULL and
  /// `err`.
  RlxBodyDraft *(*body_draft)(RlxEngine *engine, const struct Plan *plan, const RlxInterner *names,
                              uint64_t *out_hash, RlxError *err);
  bool (*body_compile)(RlxBodyDraft *draft, RlxBodyCode *out, RlxError *err);
  bool (*body_text)(RlxBodyDraft *draft, RlxUnitText kind, RlxBuf *out, RlxError *err);
  void (*body_drop)(RlxBodyDraft *draft); ///< NULL is fine

  /// Whether children that are forked from now on have LLVM's own memory, as they do at first. One
  /// without it is forked faster, may run what is compiled, and must not compile.
  void (*inherit)(bool is_inherited);
} RlxLlvmApi;

/// The plug-in's only export.
typedef const RlxLlvmApi *RlxLlvmApiFn(void);

/// Loads librlx-llvm.so (beside the executable, in ../lib/rlx, or in $RLX_LLVM) on the first call;
/// later calls are cheap. NULL and `err` when there is none or it does not fit. Never unloaded.
/// Source of the search order: docs/ARCHITECTURE.md.
const RlxLlvmApi *rlx_llvm_load(RlxError *err);
/// The same where it is loaded already; else NULL.
const RlxLlvmApi *rlx_llvm_loaded(void);

// ---- what a PrimFunc wants from its caller (kernel.c)

enum { RLX_KERNEL_MAX_VARS = 256 };

/// The variables of the `dims` slots in order; at most RLX_KERNEL_MAX_VARS. Returns how many; -1:
/// too many.
int rlx_kernel_vars(const RlxPrimFunc *f, RlxTirVar **out);

/// One tensor as the binder sees it.
typedef struct RlxKernelTensor {
  RlxDType dtype;
  int ndim;
  const int64_t *shape;
} RlxKernelTensor;

/// Fills `dims` from the shapes of the tensors (one per buffer parameter, in order) and checks them
/// against the buffers' shapes and dtypes. `scalars`: the slots of the scalar parameters. False and
/// `err` on a mismatch, naming the buffer and the dimension.
bool rlx_kernel_bind(const RlxInterner *names, const RlxPrimFunc *f, const RlxKernelTensor *tensors,
                     const int64_t *scalars, int64_t *dims, RlxError *err);

/// The value of an integer expression under slots; false on an unbound variable, division by zero,
/// overflow.
bool rlx_kernel_eval(const RlxTirExpr *e, RlxTirVar *const *vars, const int64_t *dims, int count,
                     int64_t *out);

#endif
