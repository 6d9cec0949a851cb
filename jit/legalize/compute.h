/// What a recipe works with: the operands as buffers, index expressions, and loop nests around
/// stores. All indices are int64.
#ifndef RLX_JIT_LEGALIZE_COMPUTE_H
#define RLX_JIT_LEGALIZE_COMPUTE_H

#include <stdlib.h>

#include "base/map.h"
#include "base/vec.h"
#include "jit/legalize/legalize.h"

enum { RLX_MAX_NDIM = 16, RLX_MAX_PARAMS = 24 };

typedef RlxTirExpr *RlxE; ///< short: recipes are made of them

/// An operand: a buffer, or a constant of rank 0.
typedef struct RlxOperand {
  RlxTirBuffer *buffer;
  RlxE immediate; ///< when there is no buffer
  const RlxSInfo *sinfo;
  int ndim;
  RlxE *shape;
  RlxDType dtype;
} RlxOperand;

typedef struct RlxCompute {
  RlxStore *store;
  RlxPrimFunc *f;
  const RlxCall *call;
  RlxLegalized *result;
  RlxError *why;
  bool failed;
  RlxMap symbols; ///< RlxSymVar * → RlxTirVar *
  int first[RLX_MAX_PARAMS],
      count[RLX_MAX_PARAMS]; ///< operands of each parameter of the row; count 0: none
  int operand_count;
  RlxOperand operands[RLX_KERNEL_MAX_INPUTS];
  int output_count;
  RlxOperand outputs[RLX_KERNEL_MAX_OUTPUTS];
  Vec(RlxTirStmt *) body;
  int fresh;        ///< number for names of temporaries
  RlxName operator; ///< "R.take": who is named when an access leaves its buffer
} RlxCompute;

/// A recipe: fills c->body; false (or rlx_refuse) when it cannot. The rows of the operator table
/// name these.
typedef bool RlxRecipeFn(RlxCompute *c);
// clang-format off
#define RLX_RECIPES(X) \
  X(broadcast) X(cast) X(conv) X(create) X(elementwise) X(gather) X(index_map) X(matmul) X(norm) X(pool) X(reduce) \
  X(scan) X(softmax) X(scatter) X(attention) X(loss) X(einsum) X(sort) X(resize) X(roi) X(backward) X(dynamic_slice) X(affine_grid) X(grid_sample) \
  X(nms) X(multibox) X(multinomial)
// clang-format on

#define X(name) RlxRecipeFn rlx_legalize_##name;
RLX_RECIPES(X)
#undef X

// ---- failing
/// Notes why the call can't be legalized; the first reason stays. Always false, so that a recipe
/// returns it.
bool rlx_refuse(RlxCompute *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

// ---- operands
/// the only operand of a parameter; refuses and gives NULL when absent
RlxOperand *rlx_operand(RlxCompute *c, int param);
/// Whether the parameter was given at least one tensor (or scalar that is read like one).
bool rlx_has_operand(const RlxCompute *c, int param);
/// Whether two extents are surely one.
bool rlx_same_extent(RlxE a, RlxE b);
/// Refuses unless axis `axis` of the parameter's only operand surely has this extent; a call that
/// can't be judged yet is legalized again when its shapes are known.
bool rlx_need_extent(RlxCompute *c, int param, int axis, RlxE extent);
/// False, with a reason, when that dimension and `extent` are numbers, and different; where one is
/// symbolic, accesses are guarded.
bool rlx_fits_extent(RlxCompute *c, int param, int axis, RlxE extent);
/// element; immediates ignore the index
RlxE rlx_at(RlxCompute *c, const RlxOperand *x, RlxE *index);
/// Element of `x` for an output place `index` of rank `ndim`, by numpy's broadcasting.
RlxE rlx_at_broadcast(RlxCompute *c, const RlxOperand *x, RlxE *index, int ndim);
/// A temporary buffer.
RlxOperand rlx_temporary(RlxCompute *c, RlxDType dtype, RlxE *shape, int ndim);

// ---- attributes, as the row's parameters name them
/// A constant integer (bools count); `otherwise` when the parameter is absent. Refuses what is no
/// constant.
int64_t rlx_int_of(RlxCompute *c, const char *name, int64_t otherwise);
/// A constant number; `otherwise` when the parameter is absent. Refuses what is no constant.
double rlx_float_of(RlxCompute *c, const char *name, double otherwise);
/// A constant truth value, as rlx_int_of.
bool rlx_bool_of(RlxCompute *c, const char *name, bool otherwise);
/// A string, which the store owns; `otherwise` when absent or none.
const char *rlx_str_of(RlxCompute *c, const char *name, const char *otherwise);
/// Number of integers in a list (one integer is a list of one); -1 when absent.
int rlx_ints_of(RlxCompute *c, const char *name, int64_t *out, int capacity);
/// Number of numbers in a list (one number is a list of one); -1 when absent or the default.
int rlx_floats_of(RlxCompute *c, const char *name, double *out, int capacity);
/// Symbolic integers of a list or shape argument; -1 when absent or not known.
int rlx_prims_of(RlxCompute *c, const char *name, RlxE *out, int capacity);
RlxE rlx_prim_of(RlxCompute *c, const char *name); ///< NULL when absent
/// int, float, bool or prim as a value of `dtype`
RlxE rlx_scalar_of(RlxCompute *c, const char *name, RlxDType dtype, double otherwise);
/// An axis that may count from the back as one that counts from the front; its range is not
/// checked.
int rlx_axis(int64_t axis, int ndim);
/// The argument itself; NULL when it is absent or None.
const RlxValue *rlx_value_of(RlxCompute *c, const char *name);

// ---- expressions
RlxE rlx_i(RlxCompute *c, int64_t value);              // int64
RlxE rlx_num(RlxCompute *c, double value, RlxDType t); // of any type
/// A dimension as an int64 expression; its symbols become variables of the PrimFunc.
RlxE rlx_extent(RlxCompute *c, const RlxPrim *p);
/// a op b in the dtype of `a`: `b` is cast. The operations below are this with one kind.
RlxE rlx_op(RlxCompute *c, RlxTirExprKind kind, RlxE a, RlxE b);
RlxE rlx_add(RlxCompute *c, RlxE a, RlxE b);
RlxE rlx_sub(RlxCompute *c, RlxE a, RlxE b);
RlxE rlx_mul(RlxCompute *c, RlxE a, RlxE b);
RlxE rlx_fdiv(RlxCompute *c, RlxE a, RlxE b); // floor
RlxE rlx_fmod(RlxCompute *c, RlxE a, RlxE b);
RlxE rlx_and(RlxCompute *c, RlxE a, RlxE b);
RlxE rlx_lt(RlxCompute *c, RlxE a, RlxE b);
RlxE rlx_ge(RlxCompute *c, RlxE a, RlxE b);
RlxE rlx_eq(RlxCompute *c, RlxE a, RlxE b);
RlxE rlx_pick(RlxCompute *c, RlxE cond, RlxE a, RlxE b); // select
// if_then_else: only one side is evaluated
RlxE rlx_guard(RlxCompute *c, RlxE cond, RlxE a, RlxE b);
/// `a` cast to `t`, or `a` itself when it is of that dtype.
RlxE rlx_as(RlxCompute *c, RlxDType t, RlxE a);
/// A math function of T by its name ("exp"), in the dtype of `a`; isnan, isinf and isfinite give
/// bool.
RlxE rlx_call1(RlxCompute *c, const char *name, RlxE a);
/// The same with two arguments; the second is cast to the dtype of the first.
RlxE rlx_call2(RlxCompute *c, const char *name, RlxE a, RlxE b);
/// The product of `count` extents; 1 of none.
RlxE rlx_product(RlxCompute *c, RlxE *dims, int count);
/// The type to compute values of `t` in: float32 for 16-bit and smaller floats, else `t`.
RlxDType rlx_wide(RlxDType t);
RlxE rlx_lowest(RlxCompute *c, RlxDType t); // -inf or the smallest integer
/// inf or the largest integer.
RlxE rlx_highest(RlxCompute *c, RlxDType t);

// ---- loops
/// A fresh int64 variable for a loop.
RlxE rlx_loop_var(RlxCompute *c, const char *name);
/// for each place of `to`: to[index] = value(c, index, data).
void rlx_compute(RlxCompute *c, const RlxOperand *to,
                 RlxE (*value)(RlxCompute *c, RlxE *index, void *data), void *data);
/// for each place of `to`, and then of `extents`: to[s] = combine(to[s], term(c, s, r, data)),
/// started with `start`.
void rlx_reduce(RlxCompute *c, const RlxOperand *to, RlxE *extents, int count,
                RlxTirExprKind combine, RlxE start,
                RlxE (*term)(RlxCompute *c, RlxE *s, RlxE *r, void *data), void *data);
/// Wraps `body` into loops over `extents` (outermost first) with these variables.
RlxTirStmt *rlx_loops(RlxCompute *c, RlxE *vars, RlxE *extents, int count, RlxTirStmt *body);
/// to[index] = value, cast to the dtype of `to`. Not yet part of the body: rlx_emit.
RlxTirStmt *rlx_put(RlxCompute *c, const RlxOperand *to, RlxE *index, RlxE value);
/// Appends a statement to the body.
void rlx_emit(RlxCompute *c, RlxTirStmt *stmt);
/// if cond: body
RlxTirStmt *rlx_when(RlxCompute *c, RlxE cond, RlxTirStmt *body);

#endif
