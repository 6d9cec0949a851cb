/// Rules of collective communication and distributed tensors.
#include "analyzer/ops/dist.h"
#include "analyzer/ops/ops.h"
#include "analyzer/struct_info/module_view.h"
#include <string.h>

#define RLX_FAMILY "analyzer/ops/ccl_dist.def"
#include "analyzer/ops/rules.h"

/// StructInfo of `R.ccl.allgather(x, num_workers, in_group=True)`: x's with axis 0 multiplied; an
/// unknown shape is kept as it is.
///
/// Reports ARGUMENT_KIND, RANK.
/// Source: TVM v0.25 InferStructInfoAllGather, src/relax/op/ccl/ccl.cc.
const RlxSInfo *rlx_deduce_allgather(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  int64_t workers;
  RlxAttrState state = rlx_attr_int(d, call, 1, &workers);
  if (!x) return rlx_out_unknown(d);
  RlxDims from = rlx_rule_dims(d, x);
  if (!from) return x;
  if (x->ndim == 0) {
    rlx_fail_rank(d, call, 0, x, "rank 1 or more");
    return x;
  }
  if (state != RLX_ATTR_OK) return rlx_out(d, x, NULL, x->ndim);
  const RlxPrim **dims = rlx_dims_new(d, x->ndim);
  for (int i = 0; i < x->ndim; i++) dims[i] = from[i];
  dims[0] = rlx_prim_muli(d->store, dims[0], workers);
  return rlx_out(d, x, dims, x->ndim);
}

/// StructInfo of `R.ccl.allreduce(x, op_type="sum", in_group=True)`: x's, distributed or not.
///
/// Reports ARGUMENT_KIND, VALUE_ALLOWED.
/// Source: TVM v0.25 InferStructInfoAllReduce, src/relax/op/ccl/ccl.cc.
const RlxSInfo *rlx_deduce_allreduce(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0), *given = rlx_arg_sinfo(call, 0);
  rlx_need_allowed(d, call, 1);
  return !x ? rlx_out_unknown(d) : given && given->kind == RLX_SINFO_DTENSOR ? given : x;
}

/// StructInfo of `R.ccl.scatter_from_worker0(x, num_workers, axis=0)` and
/// `R.dist.redistribute_replica_to_shard(input, num_workers, axis)`: x's with that axis divided by
/// the number of workers.
///
/// x  its shape must be known; its axis not provably indivisible.
/// Reports ARGUMENT_KIND, SHAPE_NEEDED, AXIS_RANGE, VALUE_RANGE, DIVISIBLE.
/// Source: TVM v0.25 InferStructInfoScatter, src/relax/op/ccl/ccl.cc; InferStructInfoRtoS,
/// src/relax/op/distributed/distributed.cc.
const RlxSInfo *rlx_deduce_scatter(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_tensor(d, call, 0);
  int64_t workers;
  int axis;
  RlxAttrState state = rlx_attr_int(d, call, 1, &workers);
  if (!x) return rlx_out_unknown(d);
  RlxDims from = rlx_rule_dims(d, x);
  if (!from) {
    rlx_fail(d, call, 0, RLX_DIAG_ID(SHAPE_NEEDED), "ss", rlx_param_name(call, 0),
             rlx_text_sinfo(d, x));
    return rlx_out(d, x, NULL, x->ndim);
  }
  if (state == RLX_ATTR_OK && workers <= 0) {
    rlx_fail(d, call, 1, RLX_DIAG_ID(VALUE_RANGE), "sds", "num_workers", workers, "at least 1");
    state = RLX_ATTR_BAD;
  }
  int64_t given;
  RlxAttrState at = rlx_attr_int(d, call, 2, &given);
  if (at == RLX_ATTR_OK && given < 0) { // TVM takes it as it stands
    rlx_fail_axis(d, call, 2, given, x->ndim, 0);
    at = RLX_ATTR_BAD;
  }
  if (at != RLX_ATTR_OK || state != RLX_ATTR_OK ||
      rlx_attr_axis(d, call, 2, x->ndim, &axis) != RLX_ATTR_OK)
    return rlx_out(d, x, NULL, x->ndim);
  const RlxPrim *parts = rlx_dim(d, workers);
  if (rlx_rule_unequal(d, rlx_prim_floormod(d->store, from[axis], parts), rlx_dim(d, 0))) {
    rlx_fail(d, call, 0, RLX_DIAG_ID(DIVISIBLE), "sss",
             rlx_arena_printf(d->scratch, "dimension %d", axis), rlx_text_prim(d, from[axis]),
             rlx_arena_printf(d->scratch, "%lld workers", (long long)workers));
  }
  const RlxSInfo *whole = rlx_arg_sinfo(call, 0);
  if (whole->kind == RLX_SINFO_DTENSOR) { // the shape of all parts together stays
    const char *placement = rlx_arena_printf(d->scratch, "S[%d]", axis);
    return rlx_sinfo_dtensor(d->store, x, whole->mesh,
                             rlx_store_intern(d->store, placement, strlen(placement)));
  }
  const RlxPrim **dims = rlx_dims_new(d, x->ndim);
  for (int i = 0; i < x->ndim; i++)
    dims[i] = i == axis ? rlx_prim_floordiv(d->store, from[i], parts) : from[i];
  return rlx_out(d, x, dims, x->ndim);
}

/// Reports ARGUMENT_KIND for a mesh or a placement, arguments 1 and 2, that is none, or a string of
/// no such form. `ndim` -1: the placement's axes are not compared.
static void need_placed(RlxDeduce *d, const RlxCall *call, int ndim) {
  const RlxValue *mesh = &call->args[1], *placement = &call->args[2];
  const char *expected = NULL;
  if (mesh->kind == RLX_VALUE_STR && !rlx_mesh_named(rlx_store_text(d->store, mesh->string)))
    rlx_fail_kind(d, call, 1, "a mesh of the module, as \"mesh[0]\"");
  int axes;
  if (mesh->kind == RLX_VALUE_STR && !d->failed &&
      !rlx_module_mesh(d->module, rlx_store_text(d->store, mesh->string), &axes))
    rlx_fail_kind(d, call, 1, "a mesh that the module lists");
  if (placement->kind == RLX_VALUE_STR)
    expected = rlx_placement_wrong(rlx_store_text(d->store, placement->string), ndim);
  if (expected && !d->failed) rlx_fail_kind(d, call, 2, expected);
  if (!d->failed && rlx_arg_is_plain(call, 1)) rlx_fail_kind(d, call, 1, "a mesh of the module");
  if (!d->failed && rlx_arg_is_plain(call, 2)) rlx_fail_kind(d, call, 2, "a placement");
}

/// StructInfo of `R.dist.annotate_sharding(input, device_mesh, placement)`: the operand's.
///
/// Reports ARGUMENT_KIND.
/// Source: TVM v0.25 InferStructInfoAnnotateSharding, src/relax/op/distributed/distributed.cc.
const RlxSInfo *rlx_deduce_annotate_sharding(RlxDeduce *d, const RlxCall *call) {
  need_placed(d, call, -1);
  return rlx_deduce_first_as_is(d, call);
}

/// StructInfo of `R.dist.redistribute(value, device_mesh, placement)`: the local tensor's,
/// distributed anew. Mesh and placement that are not strings leave those of the operand.
///
/// Reports ARGUMENT_KIND.
/// Source: TVM v0.25 InferDistStructInfoRedistribute, src/relax/op/distributed/distributed.cc.
const RlxSInfo *rlx_deduce_redistribute(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x = rlx_arg_sinfo(call, 0);
  need_placed(d, call, x && x->kind == RLX_SINFO_DTENSOR ? x->tensor->ndim : -1);
  for (int i = 1; i <= 2 && call->is_027 && !d->failed; i++)
    if (call->args[i].kind == RLX_VALUE_NONE)
      rlx_fail_kind(d, call, i, i == 1 ? "a mesh of the module" : "a placement");
  if (!x || x->kind != RLX_SINFO_DTENSOR) {
    if (call->args[0].kind != RLX_VALUE_UNKNOWN) rlx_fail_kind(d, call, 0, "an R.DTensor");
    return rlx_sinfo_object(d->store);
  }
  RlxName mesh = call->args[1].kind == RLX_VALUE_STR ? call->args[1].string : x->mesh;
  RlxName placement = call->args[2].kind == RLX_VALUE_STR ? call->args[2].string : x->placement;
  return rlx_sinfo_dtensor(d->store, x->tensor, mesh, placement);
}
