/// Placements ("S[0], R": one entry for each axis of the mesh).
/// Source: TVM v0.25 src/relax/op/distributed, whose rules follow a graph of axes; for the
/// operators that call this the graph is a map from axes to axes.
#include "analyzer/ops/dist.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { MAX_MESH = 8 }; ///< axes of a mesh

/// Axes that a placement shards, one for each axis of the mesh; -1: replicated. How many entries
/// were read.
static int read_placement(const char *text, int *axes) {
  int count = 0;
  for (const char *p = text; *p && count < MAX_MESH; p++) {
    if (*p == 'R') axes[count++] = -1;
    if (*p == 'S' && p[1] == '[') axes[count++] = (int)strtol(p + 2, NULL, 10);
  }
  return count;
}

const char *rlx_placement_wrong(const char *text, int ndim) {
  static const char *form = "a placement, as \"S[0], R\"";
  const char *p = text;
  for (bool more = true; more;) {
    p += strspn(p, " ");
    if (*p == 'R') {
      p++;
    } else if (*p == 'S' && p[1] == '[') {
      char *end;
      long axis = strtol(p + 2, &end, 10);
      if (end == p + 2 || *end != ']') return form;
      if (ndim >= 0 && axis >= ndim) return "a placement over axes that the tensor has";
      p = end + 1;
    } else {
      return form;
    }
    p += strspn(p, " ");
    more = *p == ',';
    p += more;
  }
  return *p ? form : NULL;
}

int rlx_placement_count(const char *text) {
  int count = 0;
  for (; *text; text++) count += *text == 'R' || *text == 'S';
  return count;
}

bool rlx_mesh_named(const char *text) {
  size_t name = strcspn(text, "[");
  if (!name || text[name] != '[') return false;
  size_t digits = strspn(text + name + 1, "0123456789");
  return digits && strcmp(text + name + 1 + digits, "]") == 0;
}

static RlxName write_placement(RlxDeduce *d, const int *axes, int count) {
  RlxBuf text = {0};
  for (int k = 0; k < count; k++) {
    if (k) rlx_buf_puts(&text, ", ");
    if (axes[k] < 0) {
      rlx_buf_putc(&text, 'R');
    } else {
      rlx_buf_printf(&text, "S[%d]", axes[k]);
    }
  }
  RlxName name = rlx_store_intern(d->store, rlx_buf_text(&text), text.size);
  rlx_buf_free(&text);
  return name;
}

const RlxSInfo *rlx_out_dist(RlxDeduce *d, const RlxCall *call, const RlxSInfo *out, int count,
                             RlxAxisMap map, const void *data) {
  RlxName mesh = 0;
  int placed[MAX_MESH], entries = 0;
  bool is_dist = false;
  for (int i = 0; i < count; i++) {
    const RlxSInfo *x = rlx_arg_sinfo(call, i);
    if (!x || x->kind != RLX_SINFO_DTENSOR) continue;
    int own[MAX_MESH], n = read_placement(rlx_store_text(d->store, x->placement), own);
    for (int k = entries; k < n; k++) placed[k] = -1;
    if (n > entries) entries = n;
    for (int k = 0; k < n; k++) {
      bool is_there = own[k] >= 0 && own[k] < x->ndim; // a placement may name any axis
      int axis = is_there ? map(i, own[k], data) : -1;
      if (axis >= 0) placed[k] = axis;
    }
    if (!is_dist) mesh = x->mesh;
    is_dist = true;
  }
  if (!is_dist || out->kind != RLX_SINFO_TENSOR) return out;
  return rlx_sinfo_dtensor(d->store, out, mesh, write_placement(d, placed, entries));
}

/// Whether TVM has a rule for the operator's distributed tensors.
/// Source: TVM v0.25 src/relax/op/distributed, "dist.FInferStructInfo".
static bool has_rule(const RlxOpRow *row) {
  static const char known[] =
      " abs acos acosh asin asinh atan atanh bitwise_not ceil cos cosh erf exp floor log "
      "logical_not"
      " negative round rsqrt sigmoid sign sin sinh square sqrt tan tanh isfinite isinf isnan"
      " add divide floor_divide multiply power subtract mod floor_mod minimum maximum"
      " equal greater greater_equal less less_equal not_equal"
      " logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor left_shift "
      "right_shift"
      " max mean min prod std sum variance matmul permute_dims reshape nn.softmax nn.relu nn.gelu"
      " nn.silu nn.gelu_tanh linear builtin.stop_lift_params ccl.allreduce dist.annotate_sharding "
      "dist.redistribute call_tir"
      " dist.redistribute_replica_to_shard ";
  return row->purity == RLX_OP_BY_ARGUMENT ||
         rlx_text_is_among(row->registry + strlen("relax."), known);
}

void rlx_need_distributed(RlxDeduce *d, const RlxCall *call) {
  int plain = -1, placed = -1;
  for (int i = 0; i < call->row->param_count; i++) {
    const RlxSInfo *x = rlx_arg_sinfo(call, i);
    bool takes_tensor = call->row->params[i].kind == RLX_PARAM_TENSOR;
    if (!x) continue;
    if (x->kind == RLX_SINFO_DTENSOR) placed = i;
    bool is_plain = x->kind == RLX_SINFO_TENSOR || (takes_tensor && x->kind == RLX_SINFO_PRIM);
    if (is_plain && plain < 0) plain = i;
  }
  if (placed >= 0 && plain >= 0)
    rlx_fail_kind(d, call, plain, "an R.DTensor (another operand is one)");
  else if (placed >= 0 && !has_rule(call->row))
    rlx_fail_kind(d, call, placed, "a tensor that is not distributed");
}

int rlx_axis_aligned(int arg, int axis, const void *data) {
  const int *ndims = data;
  int last = 0;
  while (ndims[last + 1] != INT32_MIN) last++;
  return ndims[arg] < 0 || ndims[last] < 0 ? -1 : axis + ndims[last] - ndims[arg];
}

int rlx_axis_none(int arg, int axis, const void *data) {
  (void)arg;
  (void)axis;
  (void)data;
  return -1;
}

static int stays(int arg, int axis, const void *data) {
  (void)arg;
  (void)data;
  return axis;
}

const RlxSInfo *rlx_out_dist_same(RlxDeduce *d, const RlxCall *call, const RlxSInfo *out) {
  return rlx_out_dist(d, call, out, 1, stays, NULL);
}
