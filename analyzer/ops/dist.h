/// Distributed tensors: how an operator's result is placed, from how its operands are.
#ifndef RLX_ANALYZER_OPS_DIST_H
#define RLX_ANALYZER_OPS_DIST_H

#include "analyzer/ops/ops.h"

/// Axis of the result that axis `axis` of argument `arg` becomes; -1: none, so that each device
/// holds a part of a sum, or the whole (R either way).
typedef int (*RlxAxisMap)(int arg, int axis, const void *data);

/// `out` as it is unless one of the arguments 0..count-1 is an R.DTensor; then an R.DTensor of it
/// on the same mesh: along each axis of the mesh the result is sharded where an operand's sharded
/// axis goes (the last one's, as in TVM), else replicated.
const RlxSInfo *rlx_out_dist(RlxDeduce *d, const RlxCall *call, const RlxSInfo *out, int count,
                             RlxAxisMap map, const void *data);

/// The map of elementwise operators: axes stay, aligned at the last one. `data`: int[], ranks of
/// the arguments, then of the result, then INT32_MIN.
int rlx_axis_aligned(int arg, int axis, const void *data);
/// Everything is replicated.
int rlx_axis_none(int arg, int axis, const void *data);
/// What is expected instead of placement `text` of a tensor of `ndim` dimensions (-1: unknown),
/// NULL when it is right: entries `R` and `S[axis]`, with commas between them, each axis below
/// ndim.
const char *rlx_placement_wrong(const char *text, int ndim);
/// How many axes of a mesh a placement says something of.
int rlx_placement_count(const char *text);
/// Whether `text` names a mesh, as "mesh[0]".
bool rlx_mesh_named(const char *text);
/// For one operand whose axes stay.
const RlxSInfo *rlx_out_dist_same(RlxDeduce *d, const RlxCall *call, const RlxSInfo *out);

#endif
