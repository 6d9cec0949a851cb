/// Helpers that only rules use, and the rules that more than one family names.
/// Shared arguments and rules of general use are in analyzer/ops/deduce.h.
#ifndef RLX_ANALYZER_OPS_OPS_H
#define RLX_ANALYZER_OPS_OPS_H

#include "analyzer/ops/deduce.h"

// ---- rules that several families name
/// The StructInfo of a tensor of any dtype, for elementwise operators.
const RlxSInfo *rlx_deduce_unary_any(RlxDeduce *d, const RlxCall *call);
/// The StructInfo of a tensor of floats, for elementwise operators; reports another dtype.
const RlxSInfo *rlx_deduce_unary_float(RlxDeduce *d, const RlxCall *call);
/// The StructInfo of the first argument as it stands.
const RlxSInfo *rlx_deduce_first_as_is(RlxDeduce *d, const RlxCall *call);
/// That of the second one.
const RlxSInfo *rlx_deduce_second_as_is(RlxDeduce *d, const RlxCall *call);
/// What the call says that it gives, its argument of kind SINFO.
const RlxSInfo *rlx_deduce_call_tir(RlxDeduce *d, const RlxCall *call);
/// The empty tuple.
const RlxSInfo *rlx_deduce_unit(RlxDeduce *d, const RlxCall *call);

typedef const RlxPrim *const *RlxDims; ///< `ndim` dimensions; NULL: not known

/// A tensor with x's dtype and device and these dimensions; `dims` NULL: only the rank (-1: not
/// even that).
const RlxSInfo *rlx_out(RlxDeduce *d, const RlxSInfo *x, RlxDims dims, int ndim);
/// The same with another dtype.
const RlxSInfo *rlx_out_as(RlxDeduce *d, const RlxSInfo *x, RlxDims dims, int ndim, RlxDType dtype);
/// A tensor out of parts; `dims` NULL: only the rank.
const RlxSInfo *rlx_out_tensor(RlxDeduce *d, RlxDims dims, int ndim, RlxDType dtype,
                               const RlxVDevice *vdevice);
/// A tensor with the shape of `like` (dimensions, variable, or rank only) and this dtype and
/// device.
const RlxSInfo *rlx_out_like(RlxDeduce *d, const RlxSInfo *like, RlxDType dtype,
                             const RlxVDevice *vdevice);
/// What is known after a failed argument: a tensor of unknown rank and dtype.
const RlxSInfo *rlx_out_unknown(RlxDeduce *d);
/// A tensor whose shape is argument `i` (a Shape): its Relax variable where it is one, else its
/// values.
const RlxSInfo *rlx_out_of_shape(RlxDeduce *d, const RlxCall *call, int i, RlxDType dtype,
                                 const RlxVDevice *vdevice);
/// A tuple of `count` fields, which are copied.
const RlxSInfo *rlx_out_tuple(RlxDeduce *d, const RlxSInfo *const *fields, int count);

/// Scratch for `count` dimensions (at least one).
const RlxPrim **rlx_dims_new(RlxDeduce *d, int count);
/// A dimension of a known size, an int64.
const RlxPrim *rlx_dim(RlxDeduce *d, int64_t value);
/// The canonical form of a dimension.
const RlxPrim *rlx_simplify(RlxDeduce *d, const RlxPrim *p);
/// Whether a dimension (NULL: not known) is this number.
bool rlx_dim_is(const RlxPrim *p, int64_t value);
/// The text "(2, n)" of dimensions, in scratch.
const char *rlx_text_dims(RlxDeduce *d, RlxDims dims, int ndim);
/// Moves a buffer's text into scratch.
const char *rlx_text_buf(RlxDeduce *d, RlxBuf *buf);
/// "R.add".
const char *rlx_text_op(RlxDeduce *d, const RlxCall *call);

/// float or bfloat of any width, or unknown: TVM's is_float || is_bfloat; the small formats do not
/// count.
bool rlx_dtype_is_ieee(RlxDType t);
/// Reports DTYPE_CLASS and gives false when argument i's tensor dtype is known and not floating
/// point.
bool rlx_need_float(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *x);
/// The same for int and uint.
bool rlx_need_int(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *x);
/// Reports RANK and gives false when the rank is known (or `strict`) and differs from `ndim`.
bool rlx_need_ndim(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *x, int ndim,
                   bool strict);
/// Adds to `diag` a fix that writes `before` and `after` around argument `i`; nothing when that is
/// not written in the call.
void rlx_fix_wrap(RlxDeduce *d, const RlxCall *call, int i, RlxDiag *diag, const char *title,
                  const char *before, const char *after);
/// Notes that `diag` would be mended if dimension `k` of the operand that has these dimensions were
/// `value`: of the last such operand where `from_back`, else of the first. Nothing when no variable
/// has them.
void rlx_wish_dim(RlxDeduce *d, const RlxCall *call, RlxDiag *diag, RlxDims dims, int k,
                  const RlxPrim *value, bool from_back);
/// Whether a constant of `dtype` holds the number of the script as it is: no fraction is lost, nothing overflows.
bool rlx_number_fits(const RlxValue *number, RlxDType dtype);
/// A fix that makes a constant of `number`, of the dtype of the tensor `other` beside it; none where that is not known or cannot
/// hold the number.
void rlx_fix_number(RlxSink *sink, RlxDiag *diag, const RlxValue *number, const RlxSInfo *other);
/// Adds the fix that casts the first operand of dtype `from` behind one that has `to`.
void rlx_fix_cast(RlxDeduce *d, const RlxCall *call, RlxDiag *diag, RlxDType from, RlxDType to);
/// Reports VALUE_ALLOWED, and gives false, when string argument `i` is not one of what its row
/// allows.
bool rlx_need_allowed(RlxDeduce *d, const RlxCall *call, int i);
/// Reports RANK: argument `i` has `found`'s rank, expected words.
void rlx_fail_rank(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *found,
                   const char *expected);
/// Reports DIM_MISMATCH: dimension `k` of argument `i` should be `expected`.
void rlx_fail_dim(RlxDeduce *d, const RlxCall *call, int i, int k, const RlxPrim *found,
                  const RlxPrim *expected);
/// Reports RANK_MISMATCH of arguments `i` and `j`, and gives false, when both ranks are known and
/// differ.
bool rlx_need_same_ndim(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *a, int j,
                        const RlxSInfo *b);
/// Reports DTYPE_MISMATCH, and gives false, when both dtypes are known and differ.
bool rlx_need_same_dtype(RlxDeduce *d, const RlxCall *call, int i, RlxDType a, RlxDType b);
/// A PRIM argument that must be written in the call: R.prim_value(…), n or 3, not a variable. NULL
/// (reported) otherwise.
const RlxPrim *rlx_arg_written_prim(RlxDeduce *d, const RlxCall *call, int i);
/// Name of parameter `i`.
const char *rlx_param_name(const RlxCall *call, int i);
/// Device of several tensors: what those that have one agree on, else none (no report).
const RlxVDevice *rlx_common_vdevice(const RlxSInfo *const *tensors, int count);
/// Reports ARGUMENT_KIND: argument `i` should be `expected`.
void rlx_fail_kind(RlxDeduce *d, const RlxCall *call, int i, const char *expected);
/// "an R.Tensor", "a Python int", … as a message says it, in scratch.
const char *rlx_text_value(RlxDeduce *d, const RlxValue *v);

/// The number that a constant integer or float is; false when it is none.
bool rlx_prim_number(const RlxPrim *p, double *out);
/// A virtual device written as a value: "llvm", "cuda:1", or what the module calls it; NULL when it
/// is not known.
const RlxVDevice *rlx_vdevice_of_value(RlxDeduce *d, const RlxValue *v);

typedef enum RlxBroadcast {
  RLX_BROADCAST_OK,
  RLX_BROADCAST_UNKNOWN,
  RLX_BROADCAST_CONFLICT
} RlxBroadcast;
/// Broadcasts two lists of dimensions: `*out` in scratch, NULL unless OK. Reports SHAPE_BROADCAST
/// on a conflict.
RlxBroadcast rlx_broadcast_dims(RlxDeduce *d, const RlxCall *call, RlxDims a, int a_ndim, RlxDims b,
                                int b_ndim, RlxDims *out);

/// int attribute with a fallback for when it is absent, not known, or of a wrong kind (reported).
int64_t rlx_attr_int_or(RlxDeduce *d, const RlxCall *call, int i, int64_t otherwise);
/// A number, a list, a dict or an expression: what is no device and no mesh.
bool rlx_arg_is_plain(const RlxCall *call, int i);
bool rlx_attr_bool_or(RlxDeduce *d, const RlxCall *call, int i, bool otherwise);
/// dtype attribute, or `otherwise` when absent; unknown when not known.
RlxDType rlx_attr_dtype_or(RlxDeduce *d, const RlxCall *call, int i, RlxDType otherwise);

#endif
