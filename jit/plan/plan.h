/// Inside evaluation: plans and what becomes of them.
///
/// A plan's registers hold counted values; register ~i (negative) is constant i of the plan. Steps
/// run in order, jumps go forward only; after a step the registers of its `frees` are dropped,
/// which is where buffers become free for the next one. A plan is compiled to native code, its
/// *body* (jit/llvm/body.c), before it runs; the code reads these structs at fixed offsets. A
/// register whose value is always a tensor without dimensions is *unboxed*: the body keeps its
/// number, and makes an object of it only for who wants one.
#ifndef RLX_JIT_PLAN_H
#define RLX_JIT_PLAN_H

#include "analyzer/analyzer.h"
#include "base/map.h"
#include "jit/codegen/codegen.h"
#include "jit/legalize/legalize.h"
#include "jit/plan/types.h"
#include "jit/runtime/value.h"
#include "jit/schedule/guard.h"

typedef struct Plan Plan;
typedef struct Entry Entry;
typedef struct Step Step;

/// A dimension as a frame evaluates it.
typedef struct Dim {
  uint8_t kind; ///< DIM_*
  int32_t slot;
  int64_t value;
  const RlxPrim *prim;
} Dim;
/// SOLVED: an expression whose value gives `slot` its value on entry (solve.c).
enum { DIM_CONST, DIM_SLOT, DIM_EXPR, DIM_SOLVED };

/// A StructInfo to check a value against.
typedef struct Check {
  const RlxSInfo *sinfo;
  Dim *dims;            ///< Tensor, Shape: ndim of them, or NULL; Prim: one, or NULL
  struct Check *fields; ///< Tuple
} Check;

/// A compiled kernel, kept by content.
typedef struct Kernel {
  uint64_t hash;
  RlxPrimFunc *func; ///< as compiled
  RlxCode *code;     ///< of its unit, shared; NULL: not compiled yet
  RlxKernelFn *fn;
  char symbol[32];
  int var_count, tensor_count, scalar_count;
  bool trusted, may_alias; ///< trusted: an operator's; its accesses are proved or have guards
  bool is_quick;           ///< it was compiled with least effort
  int64_t runs;            ///< of its statements in a call, as far as they are counted; 0: not yet
  int64_t runs_left;       ///< until better code pays, when it is quick
  RlxGuardCounts guards;   ///< of its accesses, when it is compiled
  bool is_pending;
  int uses;      ///< by steps; what nobody uses is not compiled
  int number;    ///< of the kernels that were compiled, from 1
  int standing;  ///< the last process that stays (jit/standing.h) which was given its code
  bool *written; ///< by tensor parameter: the code may store into it
  struct Kernel *aliasing; ///< the same with `may_alias`, when it was needed
} Kernel;

typedef struct Output {
  RlxDType dtype;
  int ndim;
  Dim *dims;
  int inplace;     ///< index among the inputs of the argument that it overwrites, or -1
  bool copies;     ///< a copy of it: what lives on may hold it, too
  bool is_cleared; ///< the code is not seen to write all of it
} Output;

/// A call of a kernel by a step.
typedef struct KernelCall {
  Kernel *kernel;
  int input_count, output_count, scalar_count;
  int *inputs, *fields; ///< registers; field of a tuple or -1
  Output *outputs;
  Dim *scalars;
  int *order;    ///< NULL: inputs, outputs; else parameter i is the order[i]th of inputs, outputs,
                 ///< scalars
  bool is_tuple; ///< the result is a tuple
  /// an operator whose rule checks the shapes when they are not static; NULL: none
  const RlxCall *op;
  // What the last call bound: kernels of equal shapes skip it.
  int dim_total; ///< of last_shape
  int64_t *last_shape;
  int64_t *vars;
  bool is_bound;
} KernelCall;

typedef enum StepKind {
  STEP_MOVE,
  STEP_KERNEL,
  STEP_LATE,    ///< an operator whose kernel is known when its shapes are
  STEP_BUILTIN, ///< an operator that C does
  STEP_VIEW,    ///< reshape and the like
  STEP_SHAPE,   ///< a shape value from dimensions
  STEP_PRIM,
  STEP_TUPLE,
  STEP_GET,
  STEP_CALL,   ///< a function of the program
  STEP_INVOKE, ///< a function value
  STEP_CLOSURE,
  STEP_MATCH,  ///< check and bind
  STEP_UNLESS, ///< jump when false
  STEP_JUMP,
  STEP_NOP,
  STEP_RETURN,
} StepKind;

/// Whether a step of that kind only moves, makes or looks at values that are there: no kernel, operator of C's or call.
static inline bool step_is_plain(StepKind kind) {
  switch (kind) {
  case STEP_MOVE:
  case STEP_VIEW:
  case STEP_SHAPE:
  case STEP_PRIM:
  case STEP_TUPLE:
  case STEP_GET:
  case STEP_MATCH:
  case STEP_UNLESS:
  case STEP_JUMP:
  case STEP_NOP:
  case STEP_RETURN: return true;
  case STEP_KERNEL:
  case STEP_CALL:
  case STEP_LATE:
  case STEP_BUILTIN:
  case STEP_INVOKE:
  case STEP_CLOSURE: break;
  }
  return false;
}

typedef struct LateKernel {
  uint64_t key;
  KernelCall *call;
  RlxArena *arena;
} LateKernel;

struct Step {
  uint8_t kind;
  int dst, index; ///< register of the result; field, or target of a jump
  int *args, arg_count;
  int *frees, free_count;
  const RlxBinding *binding;
  const RlxBinding **merged; ///< of the steps that disappeared into this one
  int merged_count, merged_room;
  const RlxCall *call;
  KernelCall *kernel;
  RlxKernelFn *fn; ///< of the kernel, for the body
  Output *output;  ///< VIEW; SHAPE and PRIM: its dims
  Entry *callee;
  Plan *local;  ///< CLOSURE
  Check *check; ///< MATCH; CALL of an extern: its result, or NULL
  RlxDType dtype;
  double number;
  Vec(LateKernel) late;
  const char *text;
};

/// A function by name.
struct Entry {
  RlxName name;
  uint8_t kind; ///< RLX_ISLAND_RELAX, RLX_ISLAND_PRIM_FUNC; ENTRY_LOCAL, ENTRY_EXTERN
  const RlxStmt *stmt;
  Plan *plan;
  RlxPrimFunc *prim;
  KernelCall *call; ///< PRIM_FUNC run by name
  bool *written;
  bool is_building;
  RlxProgram *program;
  const char *text;   ///< EXTERN
  const char *symbol; ///< PRIM_FUNC: its `global_symbol`; NULL: its name
};
enum { ENTRY_LOCAL = 100, ENTRY_EXTERN };

typedef struct Capture {
  int reg, outer; ///< outer < 0 marks the closure itself
} Capture;
typedef struct SymCapture {
  int slot, outer;
} SymCapture;

/// Where a symbol gets its value.
typedef struct Origin {
  const char *what; ///< NULL: at several places
  int dim;
  bool is_chosen; ///< one of several values that give this dimension
} Origin;

typedef Vec(Step) Steps;
typedef Vec(RlxObject *) Objects;

/// What a body gives: a number's bytes (zero-extended) or an RlxObject *, and whether it came to
/// that.
typedef struct BodyResult {
  int64_t value, ok;
} BodyResult;
/// A body as C calls it: arguments as BodyResult has them, by the signature of the plan.
typedef BodyResult BodyEntry(Plan *plan, RlxObject *closure, const int64_t *args);

/// The native code of a plan, kept by content.
typedef struct Body {
  uint64_t hash;
  RlxCode *code;
  BodyEntry *entry;
  void *fast; ///< takes plan, closure and each argument: other bodies call it
  int uses;   ///< by plans
} Body;

struct Plan {
  RlxProgram *program;
  RlxArena *arena;
  bool is_complete;
  bool gives_fewer_rows; ///< a result may have fewer rows than its StructInfo says: an operator of
                         ///< this function or of one that it calls cuts its result (do_trim)
  Body *body;
  void *fast;            ///< of the body
  bool is_interpreted;   ///< it has no body, and is carried out step by step (jit/run/interpret.c)
  bool repeats;          ///< its calls may call it again, or such a plan calls it
  bool is_open, is_seen; ///< while that is found out
  RlxDType *unboxed;     ///< by register: dtype of the number that it holds; unknown: an object
  Vec(Origin) origins;   ///< by slot
  const RlxFunction *function;
  const char *name;
  Entry entry; ///< LOCAL: what closures point to
  Steps steps;
  Objects consts;
  int reg_count, slot_count;
  Vec(const RlxSymVar *) slots;
  RlxMap slot_of;
  Check *params, *ret;
  bool is_too_wide; ///< a StructInfo to be checked has more than RLX_CHECK_NODES_MAX nodes
  Vec(Capture) captures;
  Vec(SymCapture) sym_captures;
};

/// When it was told of a step, which is no time of the calls around it.
typedef struct Telling {
  int64_t start;  ///< rlx_body_clock
  int64_t before; ///< how long that took in all until then
} Telling;

struct RlxProgram {
  int refs;
  RlxJit *jit;
  RlxFile *file;
  RlxStore *store;
  RlxArena *arena;
  bool runs_once; ///< somebody waits for one call of it: only what repeats gets bodies
  RlxFunctionViews views;
  Vec(Entry *) entries;
  Vec(Plan *) plans;
  const void *volatile *watch;
  const void *volatile own_watch;
  int64_t calls_left;    ///< before they are nested too deep
  const char *stack_end; ///< nor may the stack go below
  RlxRunError *error;    ///< of the call that is running
  Vec(Telling) tellings; ///< of steps that were traced, in their order
};

/// What the user gave for extern functions: a script, or a shared library (jit/supply.h).
typedef struct Supply {
  RlxFile *file; ///< with `program`; NULL: a library
  RlxProgram *program;
  void *library; ///< of dlopen, never closed: its functions may have started threads
} Supply;

struct RlxJit {
  RlxStore *store;
  RlxJitOptions options;
  RlxHeap *heap;
  const RlxLlvmApi *api;
  RlxEngine *engine;
  RlxKernelContext *context;
  void *(*helper)(const char *name); ///< address of a function that bodies call, by name
  BodyEntry *interpret;              ///< stands in for the body of a plan that has none
  /// Runs kernels in another process (jit/standing.h); NULL: they run where the plan does.
  bool (*elsewhere)(void *data, const Kernel *kernel, RlxObject *const *tensors,
                    const int64_t *vars);
  void *elsewhere_data;
  struct RlxCallFilter *filter; ///< of workers; NULL: none was started
  RlxMap kernels;               ///< hash → Kernel *
  RlxMap bodies;                ///< hash → Body *
  const char *stack_end;
  bool runs_once;   ///< what is being compiled is called once (rlx_program_compile)
  bool spares_llvm; ///< while it forks, and in the child: LLVM's own memory is not there
  Vec(RlxCode *) codes;
  Vec(Kernel *) pending;
  Vec(Supply) supplies;
  double compile_ms, compile_cpu_ms; ///< so far: by the wall clock, and CPU of all threads
  int compiled;
};

/// The registers of a running body, on its stack.
typedef struct Frame {
  Plan *plan;
  RlxObject **regs; ///< NULL: not set, or unboxed
  int64_t *slots;
  bool *is_set;
  RlxObject *closure;
} Frame;

/// The dtype of a tensor that is passed as a number: no dimensions, elements of 1, 2, 4 or 8 bytes.
/// Else unknown.
static inline RlxDType rlx_scalar_dtype(const RlxSInfo *a) {
  bool is_scalar = a && a->kind == RLX_SINFO_TENSOR && a->ndim == 0 && a->dtype.lanes == 1 &&
                   a->dtype.bits >= 8 && a->dtype.code >= RLX_DTYPE_INT &&
                   a->dtype.code <= RLX_DTYPE_BFLOAT;
  return is_scalar ? a->dtype : rlx_dtype_unknown();
}

// ---- compile.c, compile_call.c, compile_value.c
typedef struct Compiler Compiler;
Plan *rlx_plan_build(RlxProgram *program, Entry *entry, RlxRunError *err);
void rlx_plan_free(Plan *plan);

/// Walks the expressions among a call's arguments in order: visits each once. The operands of a
/// step are in this order.
void rlx_call_operands(const RlxCall *call, void (*visit)(const RlxExpr *x, int param, void *data),
                       void *data);
/// Describes how a step calls a legalized operator; `reg_of` gives the register of an input.
KernelCall *rlx_kernel_call_new(RlxProgram *program, RlxArena *arena, RlxLegalized *legalized,
                                const RlxSInfo *out);
bool rlx_output_set(Output *o, Plan *plan, const RlxSInfo *sinfo);
bool rlx_dim_set(Dim *d, Plan *plan, const RlxPrim *p);
enum { RLX_CHECK_NODES_MAX = 16384 }; ///< a plan with a larger one is refused
Check *rlx_check_new(Plan *plan, const RlxSInfo *sinfo);
/// The least value, from 0 on, of the variable of `p`, a SOLVED dimension, where `p` is `value`.
int64_t rlx_dim_solve(const RlxPrim *p, int64_t value);

// ---- fuse_plan.c
/// Lets kernel steps disappear into the steps that read their results. Before registers are freed.
void rlx_plan_fuse(Plan *plan);

// ---- alias.c
/// Marks results in place that have to be copies: another register that is read later may hold the
/// same object.
void rlx_plan_alias(Plan *plan);

// ---- unbox.c
/// Decides which registers are unboxed. After the plans of all callees were built.
void rlx_plan_unbox(Plan *plan);

// ---- kernels.c
/// Milliseconds of the wall clock and of CPU, for what begins.
typedef struct CompileStart {
  double wall, cpu;
} CompileStart;
CompileStart rlx_jit_compile_start(void);
/// Adds what went by since `start` to the session's compile times.
void rlx_jit_compile_end(RlxJit *jit, CompileStart start);
double rlx_jit_now_ms(void); ///< milliseconds of a clock that only goes forward
/// Whether `s` stores to the buffer; `maybe`: or gives its address away.
bool rlx_kernel_stores_to(const RlxTirStmt *s, const RlxTirBuffer *b, bool maybe);
/// Whether `s` hands out a pointer into the buffer for writing; `access_ptr`: the interned name of
/// T.tvm_access_ptr.
bool rlx_kernel_writes_through(const RlxTirStmt *s, const RlxTirBuffer *b, RlxName access_ptr);
/// The kernel of a PrimFunc, from the cache or put on the list of what to compile; takes `func`
/// over.
Kernel *rlx_kernel_intern(RlxJit *jit, RlxPrimFunc *func, bool trusted, bool may_alias);
/// The kernel as it is for buffers that may overlap, compiled; NULL and `err`.
Kernel *rlx_kernel_aliasing(RlxJit *jit, Kernel *kernel, RlxError *err);
void rlx_kernel_release(Kernel *kernel); ///< one use less
/// Says that a step calls the kernel, in a program that is called once or often: one that was made with least effort is made
/// again when that does not pay any more.
void rlx_kernel_run_again(RlxJit *jit, Kernel *k, bool runs_once);
/// Compiles what waits and is used.
bool rlx_kernels_compile(RlxJit *jit, RlxError *err);
/// Loads the plug-in and makes the engine, once; false and `err`.
bool rlx_jit_engine(RlxJit *jit, RlxError *err);

// ---- bodies.c
/// Builds what `entry` runs as (a plan, or the kernel of a PrimFunc) and compiles it and what it
/// calls. False and `err`.
bool rlx_entry_prepare(Entry *entry, RlxRunError *err);
/// Its first half, without machine code.
bool rlx_entry_plan(Entry *entry, RlxRunError *err);
/// As rlx_entry_prepare for a PrimFunc, but nothing is compiled yet. False and `err`.
bool rlx_entry_intern(Entry *entry, RlxRunError *err);
/// Compiles the kernels that wait, then the bodies of the plans that have none; where the program
/// `runs_once`, of those that repeat.
bool rlx_program_compile(RlxProgram *program, RlxError *err);
/// Gives back bodies that no plan uses: with `all` each, else when there are many.
void rlx_bodies_trim(RlxJit *jit, bool all);

// ---- program.c
/// The function of that name, "f" or "M.f", which is read when it is asked for first; NULL: there is none.
Entry *rlx_program_entry(RlxProgram *program, RlxName name);
/// The one that an expression of kind RLX_EXPR_GLOBAL means; NULL: there is none.
Entry *rlx_program_callee(RlxProgram *program, const RlxExpr *global);
/// The PrimFunc that R.call_packed and R.ExternFunc mean: by its `global_symbol`, else by its name;
/// NULL: there is none.
Entry *rlx_program_symbol(RlxProgram *program, RlxName name);
/// The PrimFunc of a def, with the file's constants; the caller frees it.
RlxPrimFunc *rlx_program_lower(RlxProgram *program, const RlxStmt *def);
/// Appends where in the program `step` is: "main: lv = R.matmul". Nothing when it has no such step.
void rlx_program_locate(const RlxProgram *program, const void *step, RlxBuf *out);

#endif
