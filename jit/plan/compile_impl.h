/// What the files that make plans share (compile*.c).
#ifndef RLX_JIT_COMPILE_IMPL_H
#define RLX_JIT_COMPILE_IMPL_H

#include "jit/plan/plan.h"

typedef Vec(int) Ints;

typedef struct Region { // of a branch: steps [start, end)
  int start, end;
} Region;

/// A variable that has one of the values for which `whole` is as long as a parameter is: who says it outside of `whole` says
/// what only Python knows.
typedef struct Chosen {
  const RlxSymVar *var;
  const RlxPrim *whole;
} Chosen;

struct Compiler {
  RlxProgram *program;
  Plan *plan;
  RlxArena *arena;
  Compiler *outer;
  RlxMap regs;        // RlxVar * → register + 1
  const RlxVar *self; // the local function's own variable
  Vec(bool) bound;    // by slot: has a value here
  Vec(Chosen) chosen;
  Vec(Region) regions;
  Vec(int) defined; // by register: step that sets it; -1: on entry
  const RlxBinding *binding;
  RlxRunError *err;
};

// ---- compile_value.c

/// Reports, at the binding that is compiled; false. `format` has two %s.
bool rlx_compile_fail(Compiler *c, const char *format, const char *a, const char *b);
/// Whether every symbol of `p` has a value here; one of a function around is captured.
bool rlx_compile_is_bound(Compiler *c, const RlxPrim *p);
/// `what` is bound by the check: where its bare symbols come from.
void rlx_compile_mark_bound(Compiler *c, const Check *check, const char *what);
/// What has `slot` has a value from here on, of `origin`, if it had none.
void rlx_compile_mark_slot(Compiler *c, int slot, Origin origin);
/// Does `p` say the variable outside of the expression that it was chosen for?
bool rlx_compile_says_otherwise(const RlxPrim *p, const Chosen *x);
int rlx_plan_slot(Plan *plan, const RlxSymVar *var);
/// Reports that nothing gives `p` a value where it is used; false.
bool rlx_compile_unbound(Compiler *c, const RlxPrim *p);
int rlx_compile_reg(Compiler *c); ///< a new register, set by the next step
/// Appends a step; valid until the next one.
Step *rlx_compile_step(Compiler *c, StepKind kind, int dst);
int *rlx_compile_ints(Compiler *c, const int *at, int count); ///< a copy that the plan keeps
/// The register that has an expression's value; INT32_MIN: failed.
int rlx_compile_operand(Compiler *c, const RlxExpr *x);
int rlx_compile_field(Compiler *c, int tuple, int64_t index); ///< register of a tuple's field

// ---- solve.c

/// Gives a value to what Python alone knows where the parameters' lengths are made of it and nothing has it alone.
void rlx_compile_solve(Compiler *c, const RlxFunction *fn);
/// A check that is made in the body; NULL: it says such a variable, which is reported.
Check *rlx_compile_check(Compiler *c, const RlxSInfo *sinfo);

// ---- compile_call.c

/// Steps that put a call's result, which is as `out` says, into register `dst`.
bool rlx_compile_op(Compiler *c, const RlxCall *call, const RlxSInfo *out, int dst);
bool rlx_compile_function_call(Compiler *c, const RlxCall *call, const RlxSInfo *out, int dst);

#endif
