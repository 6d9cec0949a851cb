/// Rules of calls of functions and closures, of shapes as values, devices and effects.
#include "analyzer/ops/numbers.h"
#include "analyzer/struct_info/module_view.h"

#include <stdlib.h>
#include <string.h>

#define RLX_FAMILY "analyzer/ops/core.def"
#include "analyzer/ops/rules.h"

/// The StructInfos that a SINFO argument gives: one, or a list; `*out_count` 0 when absent. False
/// when not known.
static bool sinfos_of(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *const **out,
                      int *out_count) {
  const RlxValue *v = &call->args[i];
  *out = NULL;
  *out_count = 0;
  if (!rlx_arg_given(call, i)) return true;
  uint32_t count = v->kind == RLX_VALUE_LIST ? v->count : 1;
  const RlxValue *items = v->kind == RLX_VALUE_LIST ? v->items : v;
  const RlxSInfo **found = rlx_arena_array(d->scratch, const RlxSInfo *, count + 1);
  for (uint32_t k = 0; k < count; k++) {
    if (items[k].kind == RLX_VALUE_UNKNOWN) return false;
    if (items[k].kind != RLX_VALUE_SINFO) {
      rlx_fail(d, call, i, RLX_DIAG_ID(ARGUMENT_KIND), "sss", rlx_param_name(call, i),
               "a StructInfo or a list of them", rlx_text_value(d, &items[k]));
      return false;
    }
    found[k] = items[k].sinfo;
  }
  *out = found;
  *out_count = (int)count;
  return true;
}

/// Reports ARGUMENT_KIND when argument `i` is a StructInfo without parentheses where TVM takes made
/// ones only.
static void need_made(RlxDeduce *d, const RlxCall *call, int i) {
  const RlxValue *v = &call->args[i];
  const bool is_list = v->kind == RLX_VALUE_LIST;
  bool is_bare = v->kind == RLX_VALUE_SINFO && v->is_bare;
  for (uint32_t k = 0; is_list && k < v->count; k++)
    is_bare |= v->items[k].kind == RLX_VALUE_SINFO && v->items[k].is_bare;
  if (is_bare) rlx_fail_kind(d, call, i, "a StructInfo with parentheses, R.Tensor()");
}

/// One StructInfo stands for itself, several for their tuple.
static const RlxSInfo *packed(RlxDeduce *d, const RlxSInfo *const *list, int count) {
  return count == 1 ? list[0] : rlx_out_tuple(d, list, count);
}

/// Reports OUT_SINFO unless every output is a tensor (or DTensor) with written-out shape.
static bool check_outputs(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *const *list,
                          int count) {
  for (int k = 0; k < count; k++) {
    const RlxSInfo *out = list[k]->kind == RLX_SINFO_DTENSOR ? list[k]->tensor : list[k];
    if (out && out->kind == RLX_SINFO_TENSOR && out->dims) continue;
    rlx_fail(d, call, i, RLX_DIAG_ID(OUT_SINFO), "ss", rlx_param_name(call, i),
             rlx_text_sinfo(d, list[k]));
    return false;
  }
  return true;
}

/// Argument `i`, which must be written as a tuple in the call, is a value of tuple kind.
static void need_inline_tuple(RlxDeduce *d, const RlxCall *call, int i) {
  const RlxValue *v = &call->args[i];
  const RlxSInfo *sinfo = rlx_arg_sinfo(call, i);
  if (v->kind != RLX_VALUE_EXPR || !sinfo || sinfo->kind != RLX_SINFO_TUPLE ||
      v->expr->kind == RLX_EXPR_TUPLE)
    return;
  RlxDiag *diag = rlx_fail(d, call, i, RLX_DIAG_ID(TUPLE_INLINE), "s", rlx_param_name(call, i));
  if (v->expr->kind != RLX_EXPR_VAR || v->expr->var->is_temporary || sinfo->count > 64) return;
  const char *name = rlx_store_text(d->store, v->expr->var->name);
  RlxBuf fields = {0};
  rlx_buf_putc(&fields, '(');
  for (int k = 0; k < sinfo->count; k++)
    rlx_buf_printf(&fields, "%s%s[%d]", k ? ", " : "", name, k);
  rlx_buf_puts(&fields, sinfo->count == 1 ? ",)" : ")");
  rlx_diag_fix(d->sink, diag, "write the fields", rlx_arg_span(call, i), rlx_buf_text(&fields));
  rlx_buf_free(&fields);
}

void rlx_need_inline_tuples(RlxDeduce *d, const RlxCall *call) {
  for (int i = 0; i < call->row->param_count; i++)
    if (call->row->params[i].tuple_form == RLX_TUPLE_INLINE) need_inline_tuple(d, call, i);
}

/// Reports a tuple of StructInfos: TVM takes one or a list.
static void need_list(RlxDeduce *d, const RlxCall *call, int i) {
  const RlxOpId ids[] = {RLX_OP_ID(call_tir), RLX_OP_ID(call_tir_inplace),
                         RLX_OP_ID(call_tir_with_grad), RLX_OP_ID(call_dps_packed)};
  const RlxValue *v = &call->args[i];
  for (size_t k = 0; k < sizeof ids / sizeof ids[0]; k++)
    if (call->row->id == ids[k] && v->kind == RLX_VALUE_LIST && v->is_tuple)
      rlx_fail_kind(d, call, i, "a StructInfo or a list of them");
}

/// Reports ARGUMENT_KIND for integer arguments of a PrimFunc that are no shape, and for arguments of
/// a gradient that are no dict.
static void need_extras(RlxDeduce *d, const RlxCall *call) {
  int vars = rlx_op_param(call->row, "tir_vars"), named = rlx_op_param(call->row, "te_grad_kwargs");
  const RlxSInfo *sizes = vars >= 0 ? rlx_arg_sinfo(call, vars) : NULL;
  const RlxValue *given = vars >= 0 ? &call->args[vars] : NULL;
  bool is_number = given && (given->kind == RLX_VALUE_PRIM || given->kind == RLX_VALUE_INT ||
                             given->kind == RLX_VALUE_STR || given->kind == RLX_VALUE_FLOAT ||
                             given->kind == RLX_VALUE_BOOL);
  bool is_wrong = sizes && sizes->kind != RLX_SINFO_SHAPE && sizes->kind != RLX_SINFO_TUPLE &&
                  sizes->kind != RLX_SINFO_OBJECT;
  if (is_wrong || (is_number && !given->is_default)) {
    rlx_fail_kind(d, call, vars, "R.shape([…])");
    return;
  }
  const RlxValue *dict = named >= 0 ? &call->args[named] : NULL;
  if (dict && rlx_arg_given(call, named) && dict->kind != RLX_VALUE_DICT &&
      dict->kind != RLX_VALUE_UNKNOWN)
    rlx_fail_kind(d, call, named, "a dict");
}

/// The result of a destination-passing call whose outputs are argument `i`.
static const RlxSInfo *outputs(RlxDeduce *d, const RlxCall *call, int i) {
  const RlxSInfo *const *list;
  int count;
  if (!sinfos_of(d, call, i, &list, &count) || !rlx_arg_given(call, i))
    return rlx_sinfo_object(d->store);
  need_list(d, call, i);
  if (!d->failed) check_outputs(d, call, i, list, count);
  if (!d->failed) need_extras(d, call);
  return packed(d, list, count);
}

/// StructInfo of `R.call_tir(gvar, args, out_sinfo, tir_vars=None)`: out_sinfo.
///
/// Whether the PrimFunc's buffers agree is checked where the module is known, not here.
/// Reports ARGUMENT_KIND, OUT_SINFO.
/// Source: TVM v0.25 InferStructInfoCallTIR, src/relax/op/op.cc.
const RlxSInfo *rlx_deduce_call_tir(RlxDeduce *d, const RlxCall *call) {
  return outputs(d, call, 2);
}

/// Reports INPLACE_INDEX for indices that are out of range, repeated, or all -1. False after a
/// report.
static bool check_indices(RlxDeduce *d, const RlxCall *call, int i, const int64_t *index, int count,
                          int arg_count) {
  bool any = false;
  for (int k = 0; k < count; k++) {
    const char *wrong = NULL;
    if (index[k] < -1 || index[k] >= arg_count) {
      wrong = rlx_arena_printf(d->scratch, "in-place index %lld is out of range for %d arguments",
                               (long long)index[k], arg_count);
    }
    for (int j = 0; !wrong && index[k] >= 0 && j < k; j++) {
      if (index[j] == index[k])
        wrong = rlx_arena_printf(d->scratch, "in-place index %lld appears more than once",
                                 (long long)index[k]);
    }
    if (wrong) {
      rlx_fail(d, call, i, RLX_DIAG_ID(INPLACE_INDEX), "s", wrong);
      return false;
    }
    any |= index[k] >= 0;
  }
  if (!any)
    rlx_fail(d, call, i, RLX_DIAG_ID(INPLACE_INDEX), "s",
             "no in-place index is an argument: nothing is overwritten");
  return any;
}

/// May a tensor `arg` be overwritten by `out`? For an external function when it is at or below it;
/// a PrimFunc needs the same known dtype and provably the same shape. What Python alone knows may make up for what is not refuted:
/// that is said in `d`.
static bool fits(RlxDeduce *d, const RlxCall *call, const RlxSInfo *out, const RlxSInfo *arg) {
  const bool exact = call->row->id == RLX_OP_ID(call_tir_inplace),
             are_known = rlx_dtype_known(out->dtype) && rlx_dtype_known(arg->dtype),
             are_equal = rlx_dtype_equal(out->dtype, arg->dtype);
  RlxSInfoApart apart = {0};
  const RlxBaseCheck check =
      rlx_sinfo_base_check(d->store, d->facts, out, arg, NULL, d->is_open ? &apart : NULL);
  if (check == RLX_CHECK_PASS && (!exact || (rlx_dtype_known(out->dtype) && are_equal)))
    return true;
  if (d->is_open)
    d->is_undecided |=
        check != RLX_CHECK_DISJOINT && !apart.refuted && (!exact || !are_known || are_equal);
  return false;
}

/// The StructInfos of what a call gives.
typedef struct Results {
  const RlxSInfo *const *at;
  int count;
} Results;

/// Reports INPLACE_INDEX unless every overwritten argument fits its output.
static void check_overwritten(RlxDeduce *d, const RlxCall *call, const int64_t *index, int count,
                              const Results *results, const RlxSInfo *const *args) {
  const int i = 2; // `inplace_indices` of all operators that have them
  const RlxSInfo *const *outs = results->at;
  const int out_count = results->count;
  if (count != out_count) {
    rlx_fail(d, call, i, RLX_DIAG_ID(INPLACE_INDEX), "s",
             rlx_arena_printf(d->scratch, "%d in-place indices for %d outputs", count, out_count));
    return;
  }
  for (int k = 0; k < count; k++) {
    const RlxSInfo *arg = index[k] >= 0 ? args[index[k]] : NULL;
    if (!arg || fits(d, call, outs[k], arg)) continue;
    rlx_fail(
        d, call, i, RLX_DIAG_ID(INPLACE_INDEX), "s",
        rlx_arena_printf(d->scratch, "argument %lld is %s, but the output that overwrites it is %s",
                         (long long)index[k], rlx_text_sinfo(d, arg), rlx_text_sinfo(d, outs[k])));
    return;
  }
}

/// StructInfos of the items of argument `i`, a list or a tuple value; NULL items are not known. -1:
/// not known at all.
static int items_of(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *const **out) {
  const RlxValue *v = &call->args[i];
  *out = NULL;
  if (v->kind == RLX_VALUE_LIST) {
    const RlxSInfo **items = rlx_arena_array(d->scratch, const RlxSInfo *, v->count + 1);
    for (uint32_t k = 0; k < v->count; k++)
      items[k] = v->items[k].kind == RLX_VALUE_EXPR ? v->items[k].expr->sinfo : NULL;
    *out = items;
    return (int)v->count;
  }
  const RlxSInfo *tuple = rlx_arg_sinfo(call, i);
  if (!tuple) return -1;
  if (tuple->kind != RLX_SINFO_TUPLE) { // a single tensor stands for the tuple of it
    *out = rlx_arena_copy(d->scratch, &tuple, 1, sizeof(const RlxSInfo *));
    return 1;
  }
  *out = tuple->fields;
  return tuple->count;
}

/// StructInfo of `R.call_tir_inplace(gvar, args, inplace_indices, out_sinfo, tir_vars=None)`:
/// out_sinfo.
///
/// Reports ARGUMENT_KIND, OUT_SINFO, INPLACE_INDEX.
/// Source: TVM v0.25 ValidateCallTIR and MakeCallTIRInplace, src/relax/op/op.cc.
const RlxSInfo *rlx_deduce_call_tir_inplace(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *const *outs, *const *args;
  const int64_t *index;
  int out_count, count, arg_count = items_of(d, call, 1, &args);
  if (!sinfos_of(d, call, 3, &outs, &out_count) || (out_count == 0 && !rlx_arg_given(call, 3)))
    return rlx_sinfo_object(d->store);
  need_list(d, call, 3);
  bool good = !d->failed && check_outputs(d, call, 3, outs, out_count);
  if (rlx_attr_ints(d, call, 2, &index, &count) == RLX_ATTR_OK && arg_count >= 0 && good &&
      check_indices(d, call, 2, index, count, arg_count)) {
    check_overwritten(d, call, index, count, &(Results){outs, out_count}, args);
  }
  if (!d->failed) need_extras(d, call);
  return packed(d, outs, out_count);
}

/// StructInfo of `R.call_dps_packed(func, args, out_sinfo)` and `R.call_py_func`: out_sinfo.
///
/// out_sinfo  one, or a list; a Python tuple is refused, but for R.call_py_func.
/// Reports ARGUMENT_KIND, OUT_SINFO.
/// Source: TVM v0.25 InferStructInfoCallDPSPacked, MakeCallDPSPacked, src/relax/op/op.cc.
const RlxSInfo *rlx_deduce_call_dps(RlxDeduce *d, const RlxCall *call) {
  return outputs(d, call, 2);
}

/// The callee of a packed call is named in the call.
static void need_name(RlxDeduce *d, const RlxCall *call) {
  const RlxValue *v = &call->args[0];
  bool is_packed = call->row->id == RLX_OP_ID(call_packed) ||
                   call->row->id == RLX_OP_ID(call_pure_packed) ||
                   call->row->id == RLX_OP_ID(call_inplace_packed);
  if (!is_packed || v->kind == RLX_VALUE_STR || v->kind == RLX_VALUE_UNKNOWN) return;
  if (v->kind == RLX_VALUE_CALLEE &&
      (v->expr->kind == RLX_EXPR_EXTERN || v->expr->kind == RLX_EXPR_HOLE))
    return;
  rlx_fail_kind(d, call, 0, "a function's name");
}

/// StructInfo of calls whose parameter `sinfo_args` says it: `R.call_packed`, `R.invoke_closure`.
/// Several give a tuple, none gives Object.
///
/// Reports ARGUMENT_KIND.
/// Source: TVM v0.25 InferStructInfoInvokeClosure, InferStructInfoCallPurePacked,
/// src/relax/op/op.cc.
const RlxSInfo *rlx_deduce_sinfo_args(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *const *list;
  int count;
  int at = rlx_op_param(call->row, "sinfo_args");
  need_name(d, call);
  if (call->row->id == RLX_OP_ID(invoke_pure_closure)) need_made(d, call, at);
  if (!sinfos_of(d, call, at, &list, &count) || count == 0) return rlx_sinfo_object(d->store);
  return packed(d, list, count);
}

/// StructInfo of `R.call_inplace_packed(func, *args, inplace_indices, sinfo_args)`: sinfo_args.
///
/// Reports ARGUMENT_KIND, INPLACE_INDEX.
/// Source: TVM v0.25 InferStructInfoCallInplacePacked, src/relax/op/op.cc.
const RlxSInfo *rlx_deduce_call_inplace_packed(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *const *outs, *const *args;
  const int64_t *index;
  int out_count, count, arg_count = items_of(d, call, 1, &args);
  need_name(d, call);
  if (!sinfos_of(d, call, 3, &outs, &out_count) || !rlx_arg_given(call, 3))
    return rlx_sinfo_object(d->store);
  bool good = rlx_attr_ints(d, call, 2, &index, &count) == RLX_ATTR_OK && arg_count >= 0 &&
              check_indices(d, call, 2, index, count, arg_count);
  if (out_count == 0) return rlx_sinfo_object(d->store);
  need_made(d, call, 3);
  if (good) {
    check_overwritten(d, call, index, count, &(Results){outs, out_count}, args);
  }
  return packed(d, outs, out_count);
}

/// StructInfo of `R.call_builtin_with_ctx(func, args, sinfo_args=None)`: sinfo_args, one at most;
/// the empty tuple without.
///
/// Reports ARGUMENT_KIND, LIST_LENGTH.
/// Source: TVM v0.25 InferStructInfoCallBuiltinWithCtx, src/relax/op/op.cc.
const RlxSInfo *rlx_deduce_call_builtin(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *const *list;
  int count;
  if (!sinfos_of(d, call, 2, &list, &count)) return rlx_sinfo_object(d->store);
  if (count > 1)
    rlx_fail(d, call, 2, RLX_DIAG_ID(LIST_LENGTH), "sis", rlx_param_name(call, 2), count, "1");
  return packed(d, list, count);
}

/// StructInfo of what gives an opaque object: `R.make_closure`, `R.null_value`,
/// `R.memory.alloc_storage`.
///
/// Source: TVM v0.25 ReturnObjectStructInfo, src/relax/op/op.cc.
const RlxSInfo *rlx_deduce_object(RlxDeduce *d, const RlxCall *call) {
  (void)call;
  return rlx_sinfo_object(d->store);
}

/// A number or a string, which is an expression of its own from 0.26 on.
static bool is_plain_value(const RlxValue *v) {
  return v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_FLOAT || v->kind == RLX_VALUE_BOOL ||
         v->kind == RLX_VALUE_STR || v->kind == RLX_VALUE_PRIM;
}

/// StructInfo of `R.print(*values, format="")`: the empty tuple.
///
/// values  expressions: a Python number or list is refused.
/// Reports ARGUMENT_KIND.
/// Source: TVM v0.25 ReturnVoidStructInfo, src/relax/op/op.cc; print, python/tvm/relax/op/base.py.
const RlxSInfo *rlx_deduce_print(RlxDeduce *d, const RlxCall *call) {
  const RlxValue *v = &call->args[0];
  if (call->is_027) return rlx_sinfo_tuple(d->store, NULL, 0);
  for (uint32_t i = 0; v->kind == RLX_VALUE_LIST && i < v->count && !d->failed; i++)
    if (is_plain_value(&v->items[i]))
      rlx_fail(d, call, 0, RLX_DIAG_ID(ARGUMENT_KIND), "sss", rlx_param_name(call, 0),
               "expressions", rlx_text_value(d, &v->items[i]));
  return rlx_sinfo_tuple(d->store, NULL, 0);
}

/// StructInfo of what gives nothing: `R.memory.kill_tensor`.
///
/// Source: TVM v0.25 ReturnVoidStructInfo, src/relax/op/op.cc.
const RlxSInfo *rlx_deduce_unit(RlxDeduce *d, const RlxCall *call) {
  (void)call;
  return rlx_out_tuple(d, NULL, 0);
}

/// StructInfo of `R.assert_op(condition, format_args=None, format="")`: the empty tuple.
///
/// condition  bool R.Prim, or bool tensor of rank 0; unknown dtype and rank pass.
/// Reports ARGUMENT_KIND.
/// Source: TVM v0.25 InferAssertStructInfo, src/relax/op/op.cc; IsBoolStructInfo,
/// src/relax/utils.cc.
const RlxSInfo *rlx_deduce_assert_op(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *c = rlx_arg_sinfo(call, 0);
  bool good = c && (c->kind == RLX_SINFO_PRIM || c->kind == RLX_SINFO_TENSOR) &&
              (rlx_dtype_is_bool(c->dtype) ||
               (c->kind == RLX_SINFO_TENSOR && !rlx_dtype_known(c->dtype))) &&
              (c->kind == RLX_SINFO_PRIM || c->ndim <= 0);
  good |= call->is_027 && call->args[0].kind == RLX_VALUE_BOOL; // of the IR there
  if (!good && call->args[0].kind != RLX_VALUE_UNKNOWN) rlx_fail_kind(d, call, 0, "a bool scalar");
  const RlxValue *format = &call->args[1];
  bool is_list = format->kind == RLX_VALUE_LIST || format->kind == RLX_VALUE_EXPR ||
                 !rlx_arg_given(call, 1) || format->kind == RLX_VALUE_UNKNOWN ||
                 (call->is_027 && format->kind == RLX_VALUE_PRIM); // an expression there
  for (uint32_t i = 0; format->kind == RLX_VALUE_LIST && i < format->count; i++)
    is_list &= format->items[i].kind == RLX_VALUE_EXPR ||
               format->items[i].kind == RLX_VALUE_UNKNOWN ||
               (call->is_027 && is_plain_value(&format->items[i]));
  if (!is_list && !d->failed) rlx_fail_kind(d, call, 1, "expressions");
  return rlx_out_tuple(d, NULL, 0);
}

/// StructInfo of `R.shape_of(expr)`: the tensor's shape; a shape variable's values are not looked
/// up, as in TVM.
///
/// Reports ARGUMENT_KIND.
/// Source: TVM v0.25 InferStructInfoShapeOf, src/relax/op/op.cc.
const RlxSInfo *rlx_deduce_shape_of(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  return x ? rlx_sinfo_shape(d->store, x->dims, x->ndim) : rlx_sinfo_shape(d->store, NULL, -1);
}

/// StructInfo of `R.size(expr)`: a scalar tensor of dtype int64.
///
/// Reports ARGUMENT_KIND.
/// Source: TVM v0.25 InferStructInfoSize, src/relax/op/op.cc.
const RlxSInfo *rlx_deduce_size(RlxDeduce *d, const RlxCall *call) {
  (void)rlx_arg_tensor(d, call, 0);
  const RlxPrim **none = rlx_dims_new(d, 0);
  return rlx_out_tensor(d, none, 0, RLX_INT64, NULL);
}

/// StructInfo of `R.tensor_to_shape(expr)`: a shape whose rank is the tensor's constant length,
/// else unknown; where its numbers are known (rlx_numbers_of), these, which TVM does not look at.
///
/// Reports ARGUMENT_KIND, RANK (also for an unknown rank).
/// Source: TVM v0.25 ReturnTensorToShapeStructInfo, src/relax/op/op.cc.
const RlxSInfo *rlx_deduce_tensor_to_shape(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  int64_t length = -1;
  if (x && rlx_need_ndim(d, call, 0, x, 1, true) && x->dims &&
      !rlx_prim_is_const(x->dims[0], &length))
    length = -1;
  if (length < 0 || length > 64) length = -1;
  const RlxValue *v = &call->args[0];
  const RlxSInfo *numbers =
      length >= 0 && v->kind == RLX_VALUE_EXPR ? rlx_numbers_of(d, v->expr) : NULL;
  bool good = numbers && numbers->ndim == (int)length;
  for (int i = 0; good && i < numbers->ndim; i++) {
    int64_t constant;
    good = !rlx_prim_is_const(numbers->dims[i], &constant) || constant >= 0;
  }
  return good ? numbers : rlx_sinfo_shape(d->store, NULL, (int)length);
}

/// StructInfo of `R.shape_to_tensor(expr)`: int64, of shape (rank,); an unknown rank gives (-1,),
/// as in TVM.
///
/// Reports ARGUMENT_KIND.
/// Source: TVM v0.25 ReturnShapeToTensorStructInfo, src/relax/op/op.cc.
const RlxSInfo *rlx_deduce_shape_to_tensor(RlxDeduce *d, const RlxCall *call) {
  RlxDims dims;
  int ndim;
  if (!rlx_arg_shape(d, call, 0, &dims, &ndim)) return rlx_out_tensor(d, NULL, 1, RLX_INT64, NULL);
  const RlxPrim *length = rlx_dim(d, ndim);
  return rlx_out_tensor(d, &length, 1, RLX_INT64, NULL);
}

/// Whether `text` names a device, alone or with its number: "cuda", "cuda:1".
/// Source: TVM v0.27, tvm_ffi.device.
static bool names_device(const char *text) {
  static const char *const names[] = {"cpu",  "cuda",    "opencl", "vulkan",  "metal", "vpi",
                                      "rocm", "ext_dev", "webgpu", "hexagon", "maia",  "trn"};
  const size_t size = strcspn(text, ":");
  const char *number = text + size + (text[size] == ':');
  if (text[size] == ':' && (!*number || number[strspn(number, "0123456789")])) return false;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == size && strncmp(names[i], text, size) == 0) return true;
  return false;
}

/// Whether the value is what R.device(…) and R.cpu(0) give.
static bool is_device_object(const RlxValue *v) {
  return v->kind == RLX_VALUE_OTHER && v->text && strcmp(v->text, "a device or range") == 0;
}

/// StructInfo of `R.hint_on_device(data, dst_vdevice, memory_scope="global")`: data's.
///
/// dst_vdevice  a device, R.cpu(0); from 0.26 on its name, too. Reports ARGUMENT_KIND.
/// Source: TVM v0.25 InferStructInfoHintOnDevice, src/relax/op/op.cc.
const RlxSInfo *rlx_deduce_hint_on_device(RlxDeduce *d, const RlxCall *call) {
  const RlxValue *device = &call->args[1];
  bool is_device = device->kind == RLX_VALUE_STR
                       ? call->is_027 && names_device(rlx_store_text(d->store, device->string))
                       : !rlx_arg_is_plain(call, 1) &&
                             (device->kind == RLX_VALUE_UNKNOWN || is_device_object(device) ||
                              device->kind == RLX_VALUE_EXPR);
  if (!is_device) rlx_fail_kind(d, call, 1, "a device, as R.cpu(0)");
  return rlx_deduce_unary_any(d, call);
}

/// StructInfo of `R.to_vdevice(data, dst_vdevice)`: data's, on the device when the call's device is
/// known.
///
/// dst_vdevice  a string "llvm:0" or a device of the module; another value, and a kind that the
/// module's list has not, leave the device unknown. Reports ARGUMENT_KIND, VDEVICE_LEFT_OUT.
/// Source: TVM v0.25 InferToVDeviceStructInfo, src/relax/op/op.cc, LookupVDevice,
/// src/script/ir_builder/ir/ir.cc.
const RlxSInfo *rlx_deduce_to_vdevice(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  if (!x) return rlx_out_unknown(d);
  const RlxValue *where = &call->args[1];
  const RlxVDevice *vdevice = rlx_vdevice_of_value(d, where);
  if (!vdevice && where->kind == RLX_VALUE_STR) {
    if (d->module && d->module->has_open_lists) return rlx_out_like(d, x, x->dtype, NULL);
    const char *text = rlx_store_text(d->store, where->string), *colon = strchr(text, ':');
    char *end = NULL;
    long index = colon ? strtol(colon + 1, &end, 10) : 0;
    bool is_index = index >= 0 && (!colon || (end > colon + 1 && (!*end || *end == ':')));
    if (is_index && index < (long)rlx_module_vdevice_count(d->module)) {
      const char *args[] = {rlx_text_op(d, call), text};
      rlx_report(d->sink, RLX_DIAG_ID(VDEVICE_LEFT_OUT), rlx_arg_span(call, 1), args, 2);
    } else
      rlx_fail_kind(d, call, 1, "a device of the module (I.module_global_infos)");
  } else if (rlx_arg_is_plain(call, 1) || is_device_object(where))
    rlx_fail_kind(d, call, 1, "a device");
  return rlx_out_like(d, x, x->dtype, vdevice);
}

/// StructInfo of `R.match_cast(value, struct_info)`: the pattern.
///
/// The driver makes a binding of its own out of a match_cast; this is what it is as a value.
/// Reports ARGUMENT_KIND.
/// Source: spec 1.3.
const RlxSInfo *rlx_deduce_match_cast(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *const *list;
  int count;
  if (!sinfos_of(d, call, 1, &list, &count) || count == 0) return rlx_sinfo_object(d->store);
  return packed(d, list, count);
}
