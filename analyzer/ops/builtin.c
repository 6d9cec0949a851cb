/// Rules of the virtual machine's builtins: memory, objects, and parts of tensors.
#include "analyzer/ops/ops.h"

#define RLX_FAMILY "analyzer/ops/builtin.def"
#include "analyzer/ops/rules.h"

/// A Python int or a written R.prim_value is wanted; from 0.26 on any number. What is neither is
/// reported.
static void need_number(RlxDeduce *d, const RlxCall *call, int i) {
  const RlxValue *v = &call->args[i];
  const RlxSInfo *s = rlx_arg_sinfo(call, i);
  bool is_scalar = v->kind == RLX_VALUE_FLOAT || v->kind == RLX_VALUE_PRIM;
  bool good = s ? (s->kind == RLX_SINFO_PRIM && (call->is_027 || v->expr->kind == RLX_EXPR_PRIM)) ||
                      v->expr->kind == RLX_EXPR_HOLE
                : v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_BOOL ||
                      v->kind == RLX_VALUE_ABSENT || v->kind == RLX_VALUE_UNKNOWN ||
                      (call->is_027 && is_scalar);
  if (!good) rlx_fail_kind(d, call, i, "a number");
}

/// StructInfo of `R.memory.alloc_storage(size, virtual_device_index, storage_scope, dtype)` and of
/// `R.vm.alloc_storage(shape, runtime_device_index, dtype, storage_scope="global")`: an object.
///
/// Reports ARGUMENT_KIND, DTYPE_UNKNOWN.
/// Source: TVM v0.25 InferStructInfoVMAllocStorage, src/relax/op/op.cc.
const RlxSInfo *rlx_deduce_alloc_storage(RlxDeduce *d, const RlxCall *call) {
  bool is_vm = call->row->id == RLX_OP_ID(vm_alloc_storage);
  const char *scope;
  const RlxSInfo *size = rlx_arg_sinfo(call, 0);
  const RlxValueKind kind = (RlxValueKind)call->args[0].kind;
  if ((size && (size->kind == RLX_SINFO_TENSOR || size->kind == RLX_SINFO_FUNC)) ||
      kind == RLX_VALUE_DICT || kind == RLX_VALUE_UINT64 || kind == RLX_VALUE_OTHER)
    rlx_fail_kind(d, call, 0, "a shape");
  if (!d->failed) need_number(d, call, 1);
  if (!d->failed) rlx_attr_str(d, call, is_vm ? 3 : 2, &scope);
  if (!d->failed) rlx_attr_dtype_or(d, call, is_vm ? 2 : 3, rlx_dtype_unknown());
  return rlx_sinfo_object(d->store);
}

/// StructInfo of `R.builtin.alloc_tensor(shape, dtype, runtime_device_index,
/// storage_scope="global")`.
///
/// shape  written in the call: a variable is refused.
/// Reports ARGUMENT_KIND, DTYPE_UNKNOWN.
/// Source: TVM v0.25 InferStructInfoAllocateTensor, src/relax/op/op.cc.
const RlxSInfo *rlx_deduce_builtin_alloc_tensor(RlxDeduce *d, const RlxCall *call) {
  const RlxValue *shape = &call->args[0];
  bool is_shape = shape->kind == RLX_VALUE_EXPR && shape->expr->kind == RLX_EXPR_SHAPE;
  if (!is_shape && shape->kind != RLX_VALUE_UNKNOWN) rlx_fail_kind(d, call, 0, "R.shape([…])");
  need_number(d, call, 2);
  const char *scope;
  rlx_attr_str(d, call, 3, &scope);
  RlxDType dtype = rlx_attr_dtype_or(d, call, 1, rlx_dtype_unknown());
  return d->failed ? rlx_out_tensor(d, NULL, -1, dtype, NULL)
                   : rlx_out_of_shape(d, call, 0, dtype, NULL);
}

/// Reports a device that is no number of the IR; it may be left out, and TVM takes no None for it.
static void need_device(RlxDeduce *d, const RlxCall *call, int i) {
  const RlxValue *v = &call->args[i];
  const RlxSInfo *sinfo = rlx_arg_sinfo(call, i);
  // 0.25 makes no number of a variable.
  const bool is_var = v->kind == RLX_VALUE_EXPR && v->expr->kind == RLX_EXPR_VAR && !call->is_027;
  const bool is_other = is_var || v->kind == RLX_VALUE_NONE || v->kind == RLX_VALUE_STR ||
                        (sinfo && sinfo->kind != RLX_SINFO_PRIM && sinfo->kind != RLX_SINFO_OBJECT);
  if (is_other && !v->is_default && !d->failed) rlx_fail_kind(d, call, i, "a number");
}

/// StructInfo of `R.memory.alloc_tensor(storage, offset, shape, dtype, …)`: the shape, also as a
/// variable, and the dtype. TVM takes no list of Python for the shape.
///
/// Reports ARGUMENT_KIND, DTYPE_UNKNOWN.
/// Source: TVM v0.25 InferStructInfoMemAllocTensor, src/relax/op/op.cc.
const RlxSInfo *rlx_deduce_memory_alloc_tensor(RlxDeduce *d, const RlxCall *call) {
  need_number(d, call, 1);
  need_device(d, call, 4);
  const RlxValue *shape = &call->args[2];
  if (shape->kind == RLX_VALUE_EXPR && shape->is_tuple) rlx_fail_kind(d, call, 2, "R.shape([…])");
  return rlx_out_of_shape(d, call, 2, rlx_attr_dtype_or(d, call, 3, rlx_dtype_unknown()), NULL);
}

/// StructInfo of `R.vm.alloc_tensor(storage, offset, shape, dtype, …)`: the shape's known values,
/// else its rank, and the dtype. The shape may be an R.Object.
///
/// Reports ARGUMENT_KIND, DTYPE_UNKNOWN.
/// Source: TVM v0.25 InferStructInfoVMAllocTensor, src/relax/op/op.cc.
const RlxSInfo *rlx_deduce_vm_alloc_tensor(RlxDeduce *d, const RlxCall *call) {
  RlxDims dims;
  int ndim;
  need_number(d, call, 1);
  need_device(d, call, 4);
  const RlxValue *device = &call->args[4]; // TVM makes no number of a variable
  if (device->kind == RLX_VALUE_EXPR && device->expr->kind == RLX_EXPR_VAR && !d->failed)
    rlx_fail_kind(d, call, 4, "a number");
  RlxDType dtype = rlx_attr_dtype_or(d, call, 3, rlx_dtype_unknown());
  const RlxSInfo *shape = rlx_arg_sinfo(call, 2);
  if (shape && shape->kind == RLX_SINFO_OBJECT) return rlx_out_tensor(d, NULL, -1, dtype, NULL);
  if (!rlx_arg_shape(d, call, 2, &dims, &ndim)) return rlx_out_tensor(d, NULL, -1, dtype, NULL);
  return rlx_out_tensor(d, dims, ndim, dtype, NULL);
}

// ---- views

/// Bytes of one element, all lanes together; 0 when the dtype is not known.
static int64_t element_bytes(RlxDType t) {
  return rlx_dtype_known(t) ? ((int64_t)t.bits * t.lanes + 7) / 8 : 0;
}

/// What a view asks for.
typedef struct View {
  const RlxSInfo *data;
  RlxDims from, to; ///< dimensions before and after; NULL: not known
  int from_ndim, to_ndim;
  bool has_shape, has_dtype, is_opaque; ///< opaque: the dtype is a value that says nothing
  RlxDType dtype;
  const RlxPrim *offset; ///< NULL: not known
} View;

/// Number of bytes, or of elements when `bytes` is 1; NULL when not known.
static const RlxPrim *extent(RlxDeduce *d, RlxDims dims, int ndim, int64_t bytes) {
  if (!dims || bytes == 0) return NULL;
  return rlx_simplify(d, rlx_prim_muli(d->store, rlx_rule_product(d, dims, ndim), bytes));
}

static bool is_more(RlxDeduce *d, const RlxPrim *a, const RlxPrim *b) {
  return rlx_prove_less(d->store, d->facts, b, a) == RLX_YES;
}

/// Reports VIEW_SIZE when the view provably reaches beyond the tensor.
static void check_view(RlxDeduce *d, const RlxCall *call, const View *v) {
  int64_t before = element_bytes(v->data->dtype), after = element_bytes(v->dtype);
  const RlxPrim *have = extent(d, v->from, v->from_ndim, before),
                *want = extent(d, v->to, v->to_ndim, after);
  const char *wrong = NULL;
  // Up to 0.25 the last question is asked only where none of those above it is.
  bool is_whole = call->is_027 && !v->has_shape && (!v->has_dtype || v->is_opaque);
  if (have && want) {
    const RlxPrim *end = v->offset ? rlx_prim_add(d->store, want, v->offset) : want;
    if (is_more(d, end, have)) {
      wrong = rlx_arena_printf(d->scratch, "the view ends at byte %s, the tensor has %s bytes",
                               rlx_text_prim(d, rlx_simplify(d, end)), rlx_text_prim(d, have));
    }
  } else if (before && after && !v->has_shape) {
    if (after > before)
      wrong =
          rlx_arena_printf(d->scratch, "an element grows from %d to %d bytes without a new shape",
                           (int)before, (int)after);
  } else if (v->from && v->to && !v->has_dtype) {
    have = extent(d, v->from, v->from_ndim, 1);
    want = extent(d, v->to, v->to_ndim, 1);
    if (is_more(d, want, have))
      wrong = rlx_arena_printf(d->scratch, "the view has %s elements, the tensor %s",
                               rlx_text_prim(d, want), rlx_text_prim(d, have));
  } else {
    is_whole |= !v->has_shape && !v->has_dtype;
  }
  if (!wrong && is_whole && v->offset && is_more(d, v->offset, rlx_dim(d, 0)))
    wrong = "an offset without a smaller shape reaches beyond the tensor";
  if (wrong) rlx_fail(d, call, -1, RLX_DIAG_ID(VIEW_SIZE), "s", wrong);
}

/// Is the argument left out, None, or the empty tuple?
static bool is_void(const RlxCall *call, int i) {
  const RlxSInfo *sinfo = rlx_arg_sinfo(call, i);
  return !rlx_arg_given(call, i) || (sinfo && sinfo->kind == RLX_SINFO_TUPLE && sinfo->count == 0);
}

/// StructInfo of `R.memory.view(data, shape=None, dtype=None, relative_byte_offset=None)`: what is
/// given, else data's.
///
/// dtype                 0.27 refuses "void", which 0.25 takes for an unknown one.
/// relative_byte_offset  int64; a negative one is not refused, as in TVM.
/// Reports ARGUMENT_KIND, DTYPE_UNKNOWN, VIEW_SIZE.
/// Source: TVM v0.25 InferStructInfoView, src/relax/op/memory/view.cc.
const RlxSInfo *rlx_deduce_view(RlxDeduce *d, const RlxCall *call) {
  View v = {.data = rlx_arg_tensor(d, call, 0),
            .has_shape = !is_void(call, 1),
            .has_dtype = !is_void(call, 2)};
  RlxDims dims = NULL;
  int ndim = -1;
  if (v.has_shape && !rlx_arg_shape(d, call, 1, &dims, &ndim)) return rlx_out_unknown(d);
  if (!v.data) return rlx_out_unknown(d);
  const RlxSInfo *dtype = rlx_arg_sinfo(call, 2);
  v.is_opaque =
      dtype && dtype->kind == RLX_SINFO_OBJECT && call->args[2].expr->kind != RLX_EXPR_DTYPE;
  v.dtype = v.is_opaque   ? rlx_dtype_unknown()
            : v.has_dtype ? rlx_attr_dtype_or(d, call, 2, rlx_dtype_unknown())
                          : v.data->dtype;
  if (call->is_027 && v.has_dtype && !v.is_opaque && !d->failed && !d->is_open &&
      (v.dtype.code == RLX_DTYPE_VOID || !rlx_dtype_known(v.dtype))) {
    rlx_fail_kind(d, call, 2, "a dtype other than void");
  }
  if (is_void(call, 3)) {
    v.offset = rlx_dim(d, 0);
  } else {
    v.offset = rlx_arg_prim(d, call, 3);
    const RlxSInfo *offset = rlx_arg_sinfo(call, 3);
    RlxDType kind = v.offset ? v.offset->dtype : offset ? offset->dtype : RLX_INT64;
    if (!d->failed && !rlx_dtype_equal(kind, RLX_INT64))
      rlx_fail_kind(d, call, 3, "an int64 integer");
  }
  v.from = rlx_rule_dims(d, v.data);
  v.from_ndim = v.data->ndim;
  v.to = v.has_shape ? dims : v.from;
  v.to_ndim = v.has_shape ? ndim : v.from_ndim;
  if (!d->failed) check_view(d, call, &v);
  return rlx_out_as(d, v.data, v.to, v.to_ndim, v.dtype);
}

// ---- inspection

/// An R.Prim, with its value when that is known. INSPECT_KNOWN is reported where the call becomes
/// part of the program.
static const RlxSInfo *number(RlxDeduce *d, RlxDType dtype, bool known, int64_t value) {
  return rlx_sinfo_prim(d->store, dtype, known ? rlx_prim_int_typed(d->store, value, dtype) : NULL);
}

/// StructInfo of a tensor's rank, `x.ndim`: R.Prim of dtype int32. Reports ARGUMENT_KIND.
/// Source: TVM v0.25 InferStructInfoTensorNDim, src/relax/op/tensor/inspect.cc.
const RlxSInfo *rlx_deduce_inspect_tensor_ndim(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  return number(d, RLX_INT32, x && x->ndim >= 0, x ? x->ndim : 0);
}

/// StructInfo of `x.dtype.type_code`: R.Prim of dtype uint8. Reports ARGUMENT_KIND.
/// Source: TVM v0.25 InferStructInfoTensorDtypeCode, src/relax/op/tensor/inspect.cc.
const RlxSInfo *rlx_deduce_inspect_tensor_dtype_code(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  return number(d, rlx_dtype(RLX_DTYPE_UINT, 8), x && rlx_dtype_known(x->dtype),
                x ? rlx_dtype_dlpack_code(x->dtype) : 0);
}

/// StructInfo of `x.dtype.bits`: R.Prim of dtype uint8. Reports ARGUMENT_KIND.
/// Source: TVM v0.25 InferStructInfoTensorDtypeBits, src/relax/op/tensor/inspect.cc.
const RlxSInfo *rlx_deduce_inspect_tensor_dtype_bits(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  return number(d, rlx_dtype(RLX_DTYPE_UINT, 8), x && rlx_dtype_known(x->dtype),
                x ? x->dtype.bits : 0);
}

/// StructInfo of `x.dtype.lanes`: R.Prim of dtype uint16. Reports ARGUMENT_KIND.
/// Source: TVM v0.25 InferStructInfoTensorDtypeLanes, src/relax/op/tensor/inspect.cc.
const RlxSInfo *rlx_deduce_inspect_tensor_dtype_lanes(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  return number(d, rlx_dtype(RLX_DTYPE_UINT, 16), x && rlx_dtype_known(x->dtype),
                x ? x->dtype.lanes : 0);
}

/// Offset of a tensor: 0 where its shape is known, since tensors are compact.
static const RlxSInfo *offset(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  return number(d, rlx_dtype(RLX_DTYPE_UINT, 64), x && rlx_rule_dims(d, x), 0);
}

/// StructInfo of `x.byte_offset`: R.Prim of dtype uint64. Reports ARGUMENT_KIND.
/// Source: TVM v0.25 InferStructInfoTensorByteOffset, src/relax/op/tensor/inspect.cc.
const RlxSInfo *rlx_deduce_inspect_tensor_byte_offset(RlxDeduce *d, const RlxCall *call) {
  return offset(d, call);
}

/// StructInfo of `x.elem_offset`: R.Prim of dtype uint64. Reports ARGUMENT_KIND.
/// Source: TVM v0.25 InferStructInfoTensorElemOffset, src/relax/op/tensor/inspect.cc.
const RlxSInfo *rlx_deduce_inspect_tensor_elem_offset(RlxDeduce *d, const RlxCall *call) {
  return offset(d, call);
}

/// Operand and constant axis of an inspection; the axis is -1 when not known, -2 after a report.
static const RlxSInfo *inspected(RlxDeduce *d, const RlxCall *call, int *axis) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  const RlxPrim *p = rlx_arg_prim(d, call, 1);
  int64_t k;
  *axis = -1;
  if (!x || !p || !rlx_prim_is_const(p, &k)) return x;
  if (k < 0 || (x->ndim >= 0 && k >= x->ndim)) {
    rlx_fail_axis(d, call, 1, k, x->ndim, 0);
    *axis = -2;
  } else if (k < INT32_MAX) {
    *axis = (int)k;
  }
  return x;
}

/// StructInfo of `x.shape[i]`: R.Prim of dtype int64, with the dimension where it is known.
///
/// Reports ARGUMENT_KIND, AXIS_RANGE.
/// Source: TVM v0.25 InferStructInfoTensorShape, src/relax/op/tensor/inspect.cc.
const RlxSInfo *rlx_deduce_inspect_tensor_shape_i(RlxDeduce *d, const RlxCall *call) {
  int axis;
  const RlxSInfo *x = inspected(d, call, &axis);
  RlxDims dims = x && axis >= 0 ? rlx_rule_dims(d, x) : NULL;
  return rlx_sinfo_prim(d->store, RLX_INT64, dims ? dims[axis] : NULL);
}

/// StructInfo of `x.strides[i]`: R.Prim of dtype int64, the product of the later dimensions.
///
/// Reports ARGUMENT_KIND, AXIS_RANGE.
/// Source: TVM v0.25 InferStructInfoTensorStride, src/relax/op/tensor/inspect.cc.
const RlxSInfo *rlx_deduce_inspect_tensor_stride_i(RlxDeduce *d, const RlxCall *call) {
  int axis;
  const RlxSInfo *x = inspected(d, call, &axis);
  RlxDims dims = x && axis >= 0 ? rlx_rule_dims(d, x) : NULL;
  return rlx_sinfo_prim(d->store, RLX_INT64,
                        dims ? rlx_rule_product(d, dims + axis + 1, x->ndim - axis - 1) : NULL);
}
