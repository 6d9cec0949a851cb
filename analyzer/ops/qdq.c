/// Rules of quantisation. Both operators take data, scale, zero_point, axis, out_dtype.
#include "analyzer/ops/ops.h"
#include "base/text.h"
#include <string.h>

#define RLX_FAMILY "analyzer/ops/qdq.def"
#include "analyzer/ops/rules.h"

/// Is the dtype one of a blank-separated list of names?
static bool is_one_of(RlxDType t, const char *names) {
  char text[RLX_DTYPE_TEXT_MAX];
  rlx_dtype_text(t, text);
  return rlx_text_is_among(text, names);
}

static bool need_one_of(RlxDeduce *d, const RlxCall *call, int i, RlxDType t, const char *names) {
  if (is_one_of(t, names)) return true;
  rlx_fail(d, call, i, RLX_DIAG_ID(DTYPE_CLASS), "sss", rlx_param_name(call, i),
           rlx_text_dtype(d, t), rlx_arena_printf(d->scratch, "one of %s", names));
  return false;
}

/// Scale or zero point: a scalar, all ones, or as long as data's axis; else DIM_MISMATCH,
/// SHAPE_NEEDED, or RANK where data is a scalar (NULL).
static void check_size(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *param,
                       const RlxSInfo *data, int axis) {
  if (param->ndim == 0) return;
  bool ones = param->dims != NULL;
  for (int k = 0; ones && k < param->ndim; k++)
    ones = rlx_rule_equal(d, param->dims[k], rlx_dim(d, 1));
  if (ones) return;
  if (!data) {
    rlx_fail(d, call, i, RLX_DIAG_ID(RANK), "sss", rlx_param_name(call, i),
             rlx_text_sinfo(d, param), "one element, as the operand is a scalar");
    return;
  }
  RlxDims own = rlx_rule_dims(d, param), dims = rlx_rule_dims(d, data);
  if (!own || !dims) {
    int unknown = own ? 0 : i;
    rlx_fail(d, call, unknown, RLX_DIAG_ID(SHAPE_NEEDED), "ss", rlx_param_name(call, unknown),
             rlx_text_sinfo(d, own ? data : param));
  } else if (!rlx_rule_equal(d, own[0], dims[axis])) {
    rlx_fail_dim(d, call, i, 0, own[0], dims[axis]);
  }
}

static const RlxSInfo *convert(RlxDeduce *d, const RlxCall *call, const char *outs,
                               const char *datas) {
  const char *const scales = "float16 float32", *const points =
                                                    "int8 uint8 int16 uint16 int32 uint32 float16";
  const RlxSInfo *data = rlx_arg_tensor(d, call, 0), *scale = rlx_arg_tensor(d, call, 1),
                 *point = rlx_arg_tensor(d, call, 2);
  RlxDType dtype;
  RlxAttrState state = rlx_attr_dtype(d, call, 4, &dtype);
  if (!data) return rlx_rule_with_dtype(d, rlx_out_unknown(d), dtype);
  if (!scale || !point || d->failed || state == RLX_ATTR_UNKNOWN)
    return rlx_rule_with_dtype(d, data, dtype);
  int axis;
  if (!need_one_of(d, call, 4, dtype, outs)) return rlx_rule_with_dtype(d, data, dtype);
  bool is_open = !rlx_dtype_known(data->dtype) || !rlx_dtype_known(scale->dtype) ||
                 !rlx_dtype_known(point->dtype);
  if (call->is_027 && is_open) return rlx_rule_with_dtype(d, data, rlx_dtype_unknown());
  if (!need_one_of(d, call, 0, data->dtype, datas) ||
      !need_one_of(d, call, 1, scale->dtype, scales) ||
      !need_one_of(d, call, 2, point->dtype, points)) {
    return rlx_rule_with_dtype(d, data, dtype);
  }
  if (call->is_027 && data->ndim == 0) { // there is no axis: one scale for the one element
    check_size(d, call, 1, scale, NULL, 0);
    if (!d->failed) check_size(d, call, 2, point, NULL, 0);
  } else if (data->ndim < 0) { // TVM counts the axis from rank -1
    rlx_fail(d, call, 0, RLX_DIAG_ID(SHAPE_NEEDED), "ss", "data", rlx_text_sinfo(d, data));
  } else if (rlx_attr_axis(d, call, 3, data->ndim, &axis) == RLX_ATTR_OK) {
    check_size(d, call, 1, scale, data, axis);
    if (!d->failed) check_size(d, call, 2, point, data, axis);
  }
  return rlx_rule_with_dtype(d, data, dtype);
}

/// StructInfo of `R.quantize(data, scale, zero_point, axis=-1, out_dtype="int8")`: data's with
/// out_dtype.
///
/// The dtypes of all four are from fixed sets; scale and zero_point are scalars, or provably as
/// long as data's axis. An unknown rank of data is refused. From 0.27 on an operand of unknown dtype
/// makes the result's dtype unknown, and data may be a scalar. Reports ARGUMENT_KIND, DTYPE_UNKNOWN,
/// DTYPE_CLASS, AXIS_RANGE, DIM_MISMATCH, SHAPE_NEEDED, RANK.
/// Source: TVM v0.25 InferStructInfoQuantize, v0.27 InferTypeQuantize, src/relax/op/tensor/qdq.cc.
const RlxSInfo *rlx_deduce_quantize(RlxDeduce *d, const RlxCall *call) {
  return convert(d, call, "int8 uint8 int16 uint16 float8_e4m3fn float8_e5m2", "float16 float32");
}

/// StructInfo of `R.dequantize(data, scale, zero_point, axis=-1, out_dtype="float32")`: data's with
/// out_dtype.
///
/// Checked and reported as `R.quantize`.
/// Source: TVM v0.25 InferStructInfoDequantize, src/relax/op/tensor/qdq.cc.
const RlxSInfo *rlx_deduce_dequantize(RlxDeduce *d, const RlxCall *call) {
  return convert(d, call, "float16 float32",
                 "int8 uint8 int16 uint16 int32 float8_e4m3fn float8_e5m2 float16 float32");
}
