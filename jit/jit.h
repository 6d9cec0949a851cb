/// The facade of evaluation: a session, programs (the functions of one analysed file), calls with
/// values.
///
/// A function becomes a plan, a flat program of typed steps over registers, and the plan native
/// code; its operator calls become kernels that are compiled together. Both are kept by content, so
/// a program made after an edit compiles only what changed. Not for several threads at once;
/// kernels use threads of their own.
#ifndef RLX_JIT_JIT_H
#define RLX_JIT_JIT_H

#include "analyzer/analyzer.h"
#include "jit/codegen/codegen.h"
#include "jit/confine.h"
#include "jit/plan/types.h"
#include "jit/runtime/value.h"

/// A session: compiled kernels, threads, a heap. `options` are copied; NULL: one thread, no trace.
/// The store must outlive it. Never NULL.
RlxJit *rlx_jit_new(RlxStore *store, const RlxJitOptions *options);
void rlx_jit_free(RlxJit *jit); ///< programs and values must be gone; NULL is fine
/// How deep calls of programs made from now on may be nested; below 1: 1,000.
void rlx_jit_set_max_depth(RlxJit *jit, int depth);
/// The heap that values are made in; owned by the session.
RlxHeap *rlx_jit_heap(RlxJit *jit);
/// Milliseconds spent in compilation so far, and kernels compiled.
double rlx_jit_compile_ms(const RlxJit *jit);
double rlx_jit_compile_cpu_ms(const RlxJit *jit); ///< the same as CPU time of all threads
int rlx_jit_compiled_count(const RlxJit *jit);
/// Threads that kernels may use, the caller's with them: 1 and more.
int rlx_jit_threads(const RlxJit *jit);
/// Before a fork: finds out what each child would else find out for itself. A child that is not to
/// compile (`may_compile`) is forked faster.
void rlx_jit_before_fork(RlxJit *jit, bool may_compile);
/// The filter of system calls for its workers: made when it is first asked for, and the JIT's.
const RlxCallFilter *rlx_jit_filter(RlxJit *jit);
/// After a fork, in the child: threads are not inherited, so new ones are made when needed.
void rlx_jit_in_child(RlxJit *jit);
void rlx_jit_after_fork(RlxJit *jit); ///< the same in the parent

/// The functions of `file` as they are now; good until the file is edited. Compiles nothing yet.
RlxProgram *rlx_program_new(RlxJit *jit, RlxFile *file);
void rlx_program_free(RlxProgram *program); ///< of one owner, the last one's frees; NULL is fine
/// The program with one more owner, who frees it, too.
RlxProgram *rlx_program_ref(RlxProgram *program);
/// The name of the function to run when none is given: main, or the only one. 0: there is none.
RlxName rlx_program_main(RlxProgram *program);
/// Appends ", M.f, N.f" where `function` is "f", and only these modules have it; nothing where one function is meant.
void rlx_program_rivals(const RlxProgram *program, RlxName function, RlxBuf *out);
/// Whether the file has a function of this name that can be called.
bool rlx_program_has(RlxProgram *program, RlxName function);
/// Makes plans, and no machine code, of `function` and what it calls. False and `err`.
bool rlx_program_plan(RlxProgram *program, RlxName function, RlxRunError *err);
/// Whether what stands at byte `offset` of the file matters for what was looked up or planned: it is
/// outside of all functions, or in one of these.
bool rlx_program_concerns(const RlxProgram *program, uint32_t offset);
/// Compiles `function` and what it calls. False and `err`.
bool rlx_program_prepare(RlxProgram *program, RlxName function, RlxRunError *err);
/// The same for one call that somebody waits for: functions that call no other again and again are
/// carried out step by step, which takes less than to compile them. False and `err`.
bool rlx_program_prepare_once(RlxProgram *program, RlxName function, RlxRunError *err);

enum { RLX_PARAM_NDIM_MAX = RLX_TENSOR_NDIM_MAX }; ///< of a buffer whose dimensions are told

/// Parameters: how many, their names, and their StructInfo (of a PrimFunc's buffer: that of the
/// tensors that fit it; NULL for its numbers).
int rlx_program_param_count(RlxProgram *program, RlxName function);
RlxName rlx_program_param(RlxProgram *program, RlxName function, int i, const RlxSInfo **out_sinfo,
                          RlxDType *out_dtype);

/// The name of the handle that T.match_buffer binds to parameter `i` of a PrimFunc; 0: there is none.
RlxName rlx_program_param_handle(RlxProgram *program, RlxName function, int i);

/// Calls a function; a PrimFunc is called with every buffer, and gives the tuple of those that it
/// writes. The result is the caller's reference; NULL and `err`.
RlxObject *rlx_program_call(RlxProgram *program, RlxName function, RlxObject *const *args,
                            int count, RlxRunError *err);

/// Whether a call may write to what it is given: something in what was planned is to (a result in
/// place, a PrimFunc that is called as it is), or comes from files of extern functions.
bool rlx_program_may_write(const RlxProgram *program);

/// Whether a call may have to compile something: kernels that are made for the shapes at hand,
/// functions that are values, PrimFuncs whose arguments may be one tensor twice.
bool rlx_program_may_compile(const RlxProgram *program);

/// What is being executed ("main: lv3 = R.matmul"); for whoever finds the process dead. May be read
/// from a signal handler's process, not during a call from another thread.
void rlx_program_position(const RlxProgram *program, const void *step, RlxBuf *out);
/// Address that holds the current step while a program runs; shared memory when set before.
void rlx_program_watch(RlxProgram *program, const void *volatile *place);

/// Text of what a function was compiled to.
typedef enum RlxProgramText {
  RLX_PROGRAM_PLAN,
  RLX_PROGRAM_TIR,
  RLX_PROGRAM_LLVM,
  RLX_PROGRAM_ASM
} RlxProgramText;
/// Appends the function's plan, PrimFuncs or machine code, as `kind` says. False and `err`.
bool rlx_program_text(RlxProgram *program, RlxName function, RlxProgramText kind, RlxBuf *out,
                      RlxRunError *err);

/// A kernel of a program, for rlx_program_kernels.
typedef struct RlxProgramKernel {
  const char *function;      ///< that calls it
  const RlxBinding *binding; ///< whose value it computes; NULL: a PrimFunc that is run by name
  const RlxBinding *const *merged; ///< bindings before it that it computes, too
  int merged_count;
  bool is_quick; ///< it was compiled with least effort, as it has next to nothing to do
  const char *text;
} RlxProgramKernel;
/// Hands the text of each kernel that `function` and the functions called by it run to `visit`, in
/// the order of their steps, equal ones once. `kind` is not PLAN. False and `err`.
bool rlx_program_kernels(RlxProgram *program, RlxName function, RlxProgramText kind,
                         void (*visit)(void *data, const RlxProgramKernel *kernel), void *data,
                         RlxRunError *err);

/// Appends the steps of the JIT's own schedule of `f`, for the machine and the threads of the
/// session: a trace that analyzer/schedule carries out with rlx_jit_rewriter (rewriter.h). Nothing: the loops
/// stay as they are. False and `err`: LLVM cannot be loaded.
bool rlx_jit_schedule_steps(RlxJit *jit, const RlxPrimFunc *f, RlxBuf *out, RlxError *err);

#endif
