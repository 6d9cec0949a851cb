/// Rules of operators that make tensors out of shapes and numbers.
#include "analyzer/ops/ops.h"

#define RLX_FAMILY "analyzer/ops/create.def"
#include "analyzer/ops/rules.h"

/// Reports RANK unless argument `i` is a tensor of rank 0; an unknown rank does not do.
static void need_scalar(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *fill) {
  if (fill) (void)rlx_need_ndim(d, call, i, fill, 0, true);
}

/// StructInfo of `R.full(shape, fill_value, dtype=None)`.
///
/// shape       shape; a variable of Shape kind stays the result's shape.
/// fill_value  tensor of rank 0, whose dtype and device are the default.
/// Reports ARGUMENT_KIND, RANK, DTYPE_UNKNOWN.
/// Source: TVM v0.25 InferStructInfoFull, src/relax/op/tensor/create.cc.
const RlxSInfo *rlx_deduce_full(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *fill = rlx_arg_tensor(d, call, 1);
  need_scalar(d, call, 1, fill);
  RlxDType dtype = rlx_attr_dtype_or(d, call, 2, fill ? fill->dtype : rlx_dtype_unknown());
  return rlx_out_of_shape(d, call, 0, dtype, fill ? fill->vdevice : NULL);
}

/// StructInfo of `R.full_like(x, fill_value, dtype=None)`: x's, with another dtype when given.
///
/// Reports ARGUMENT_KIND, RANK, DTYPE_UNKNOWN.
/// Source: TVM v0.25 InferStructInfoFullLike, src/relax/op/tensor/create.cc.
const RlxSInfo *rlx_deduce_full_like(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  need_scalar(d, call, 1, rlx_arg_tensor(d, call, 1));
  if (!x) return rlx_out_unknown(d);
  return rlx_rule_with_dtype(d, x, rlx_attr_dtype_or(d, call, 2, x->dtype));
}

/// StructInfo of `R.ones(shape, dtype)` and `R.zeros`.
///
/// dtype  must be given: "void" is refused.
/// Reports ARGUMENT_KIND, DTYPE_UNKNOWN.
/// Source: TVM v0.25 InferStructInfoOnesZeros, src/relax/op/tensor/create.cc.
const RlxSInfo *rlx_deduce_fill(RlxDeduce *d, const RlxCall *call) {
  RlxDType dtype;
  if (rlx_attr_dtype(d, call, 1, &dtype) == RLX_ATTR_ABSENT) rlx_fail_kind(d, call, 1, "a dtype");
  return rlx_out_of_shape(d, call, 0, dtype, NULL);
}

/// StructInfo of `R.ones_like(x, dtype=None)` and `R.zeros_like`: x's, with another dtype when
/// given.
///
/// Reports ARGUMENT_KIND, DTYPE_UNKNOWN.
/// Source: TVM v0.25 InferStructInfoOnesLikeZerosLike, src/relax/op/tensor/create.cc.
const RlxSInfo *rlx_deduce_fill_like(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  if (!x) return rlx_out_unknown(d);
  return rlx_rule_with_dtype(d, x, rlx_attr_dtype_or(d, call, 1, x->dtype));
}

/// A number written in the call, from 0.26 on also a scalar that is computed.
static const RlxPrim *scalar(RlxDeduce *d, const RlxCall *call, int i) {
  const RlxSInfo *sinfo = call->is_027 ? rlx_arg_sinfo(call, i) : NULL;
  return sinfo && sinfo->kind == RLX_SINFO_PRIM ? rlx_arg_prim(d, call, i)
                                                : rlx_arg_written_prim(d, call, i);
}

/// A dimension written in the call; NULL (reported) when it is none.
static const RlxPrim *written_dim(RlxDeduce *d, const RlxCall *call, int i) {
  const RlxPrim *p = scalar(d, call, i);
  if (!p || rlx_dtype_is_int(p->dtype)) return p;
  rlx_fail_kind(d, call, i, "an integer");
  return NULL;
}

/// StructInfo of `R.eye(n, m=None, k=0, dtype="float32")`: (n, m).
///
/// Reports ARGUMENT_KIND, DTYPE_UNKNOWN.
/// Source: TVM v0.25 InferStructInfoEye, src/relax/op/tensor/create.cc.
const RlxSInfo *rlx_deduce_eye(RlxDeduce *d, const RlxCall *call) {
  const RlxPrim *dims[2] = {written_dim(d, call, 0), NULL};
  dims[1] = rlx_arg_given(call, 1) ? written_dim(d, call, 1) : dims[0];
  (void)scalar(d, call, 2);
  RlxDType dtype = rlx_attr_dtype_or(d, call, 3, RLX_FLOAT32);
  return rlx_out_tensor(d, dims[0] && dims[1] ? dims : NULL, 2, dtype, NULL);
}

/// StructInfo of `R.eye_like(x, k=0, dtype=None)`: x's, with another dtype when given.
///
/// x  matrix whose shape is given: TVM fails on an unknown one.
/// Reports ARGUMENT_KIND, RANK, SHAPE_NEEDED, DTYPE_UNKNOWN.
/// Source: TVM v0.25 InferStructInfoEyeLike, src/relax/op/tensor/create.cc.
const RlxSInfo *rlx_deduce_eye_like(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  (void)rlx_arg_prim(d, call, 1);
  if (!x) return rlx_out_unknown(d);
  if (rlx_need_ndim(d, call, 0, x, 2, false) && !x->dims && !x->shape_var) {
    rlx_fail(d, call, 0, RLX_DIAG_ID(SHAPE_NEEDED), "ss", "x", rlx_text_sinfo(d, x));
  }
  return rlx_rule_with_dtype(d, x, rlx_attr_dtype_or(d, call, 2, x->dtype));
}

/// Is `v` a Python number, or a written or symbolic expression, of a floating-point kind?
static bool is_float_value(const RlxValue *v, const RlxPrim *p) {
  return v->kind == RLX_VALUE_FLOAT || (p && rlx_dtype_is_float(p->dtype));
}

/// StructInfo of `R.arange(start, end=None, step=1, dtype=None)`.
///
/// One number is the end, counted from 0. Integers give the length floordiv(end - start + step - 1,
/// step), not clamped at 0, as in TVM; with a float anywhere it is ceil of the float quotient. The
/// dtype defaults to int64, or float32. Reports ARGUMENT_KIND, VALUE_RANGE (step 0), DTYPE_UNKNOWN.
/// Source: TVM v0.25 InferStructInfoArange, src/relax/op/tensor/create.cc;
/// python/tvm/relax/op/create.py.
const RlxSInfo *rlx_deduce_arange(RlxDeduce *d, const RlxCall *call) {
  const RlxPrim *start = scalar(d, call, 0), *end = scalar(d, call, 1), *step = scalar(d, call, 2);
  bool is_float = is_float_value(&call->args[0], start) || is_float_value(&call->args[1], end) ||
                  is_float_value(&call->args[2], step);
  RlxDType dtype = rlx_attr_dtype_or(d, call, 3, is_float ? RLX_FLOAT32 : RLX_INT64);
  if (!rlx_arg_given(call, 1)) {
    end = start;
    start = rlx_dim(d, 0);
  }
  if (!rlx_arg_given(call, 2)) step = rlx_dim(d, 1);
  if (!start || !end || !step) return rlx_out_tensor(d, NULL, 1, dtype, NULL);
  const RlxPrim *length;
  if (!is_float) {
    if (rlx_dim_is(step, 0)) {
      rlx_fail(d, call, 2, RLX_DIAG_ID(VALUE_RANGE), "sss", "step", "0", "another number");
      return rlx_out_tensor(d, NULL, 1, dtype, NULL);
    }
    const RlxPrim *span = rlx_prim_addi(
        d->store, rlx_prim_add(d->store, rlx_prim_sub(d->store, end, start), step), -1);
    length = rlx_simplify(d, rlx_prim_floordiv(d->store, span, step));
  } else {
    RlxName ceil_name = rlx_store_intern(d->store, "ceil", 4);
    const RlxPrim *span = rlx_prim_cast(d->store, RLX_FLOAT32, rlx_prim_sub(d->store, end, start));
    const RlxPrim *quotient = rlx_prim_binary(d->store, RLX_PRIM_DIV, span, step);
    double a, b, c;
    length = rlx_prim_cast(d->store, RLX_INT64,
                           rlx_prim_call(d->store, ceil_name, RLX_FLOAT32, &quotient, 1));
    if (rlx_prim_number(start, &a) && rlx_prim_number(end, &b) && rlx_prim_number(step, &c) &&
        c != 0) {
      double steps = (double)(float)(b - a) / c;
      if (steps > -1e15 && steps < 1e15) {
        int64_t whole = (int64_t)steps;
        length = rlx_dim(d, whole + ((double)whole < steps));
      }
    }
  }
  return rlx_out_tensor(d, &length, 1, dtype, NULL);
}

/// StructInfo of `R.hamming_window(window_size, periodic, alpha, beta, dtype)`: (window_size,).
///
/// Reports ARGUMENT_KIND, VALUE_ALLOWED (an integer dtype), VALUE_RANGE (provably not positive),
/// DTYPE_UNKNOWN.
/// Source: TVM v0.25 InferStructInfoHammingWindow, src/relax/op/tensor/create.cc.
const RlxSInfo *rlx_deduce_hamming_window(RlxDeduce *d, const RlxCall *call) {
  const RlxPrim *size = rlx_arg_written_prim(d, call, 0);
  RlxDType dtype = rlx_attr_dtype_or(d, call, 4, rlx_dtype_unknown());
  if (rlx_dtype_is_int(dtype)) {
    rlx_fail(d, call, 4, RLX_DIAG_ID(VALUE_ALLOWED), "sss", "dtype", rlx_text_dtype(d, dtype),
             "the floating-point dtypes");
  }
  if (size && !rlx_dtype_is_int(size->dtype) && !rlx_dtype_is_bool(size->dtype)) {
    rlx_fail_kind(d, call, 0, "an integer");
    size = NULL;
  }
  if (!size) return rlx_out_tensor(d, NULL, 1, dtype, NULL);
  if (rlx_prove_less(d->store, d->facts, size, rlx_dim(d, 1)) == RLX_YES) {
    rlx_fail(d, call, 0, RLX_DIAG_ID(VALUE_RANGE), "sss", "window_size", rlx_text_prim(d, size),
             "at least 1");
  }
  size = rlx_simplify(d, size);
  return rlx_out_tensor(d, &size, 1, dtype, NULL);
}

/// StructInfo of `R.tril(x, k=0)` and `R.triu`: x's; rank at least 2.
///
/// Reports ARGUMENT_KIND, RANK.
/// Source: TVM v0.25 InferStructInfoTrilTriu, src/relax/op/tensor/create.cc.
const RlxSInfo *rlx_deduce_tri(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  (void)rlx_arg_prim(d, call, 1);
  if (!x) return rlx_out_unknown(d);
  if (x->ndim >= 0 && x->ndim < 2) {
    rlx_fail(d, call, 0, RLX_DIAG_ID(RANK), "sss", "x",
             rlx_arena_printf(d->scratch, "rank %d", x->ndim), "rank 2 or more");
  }
  return x;
}
