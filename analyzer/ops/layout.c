/// Layouts: reading, checking and converting shapes. Follows TVM's SLayout and SBijectiveLayout
/// (src/tirx/ir/data_layout.cc).
#include "analyzer/ops/layout.h"

#include <ctype.h>
#include <string.h>

/// Index of an axis in a layout, or -1.
static int find_axis(const RlxLayout *layout, char axis) {
  for (int k = 0; k < layout->ndim; k++) {
    if (layout->axis[k] == axis) return k;
  }
  return -1;
}

/// Reads `text`; false unless it names each axis of `target` once, and each tile once, with a
/// length.
static bool parse(const char *text, const char *target, RlxLayout *out) {
  int64_t factor = 0;
  out->ndim = 0;
  for (const char *p = text; *p; p++) {
    if (isdigit((unsigned char)*p)) {
      if (factor > INT32_MAX / 10) return false;
      factor = factor * 10 + (*p - '0');
      continue;
    }
    bool tile = islower((unsigned char)*p) != 0;
    if (!isalpha((unsigned char)*p) || tile != (factor > 0) || find_axis(out, *p) >= 0 ||
        out->ndim == RLX_LAYOUT_MAX)
      return false;
    if (!strchr(target, toupper((unsigned char)*p))) return false;
    out->axis[out->ndim] = *p;
    out->factor[out->ndim++] = factor;
    factor = 0;
  }
  for (const char *p = target; *p; p++) {
    if (find_axis(out, *p) < 0) return false;
  }
  return factor == 0;
}

bool rlx_arg_layout(RlxDeduce *d, const RlxCall *call, int i, int otherwise, const char *target,
                    RlxLayout *out) {
  const char *text;
  bool is_other = !rlx_arg_given(call, i) && i != otherwise; // read, and reported, for itself
  if (is_other) i = otherwise;
  if (rlx_attr_str(d, call, i, &text) != RLX_ATTR_OK) return false;
  if (parse(text, target, out)) return true;
  if (!is_other)
    rlx_fail(d, call, i, RLX_DIAG_ID(LAYOUT), "sss", rlx_param_name(call, i), text, target);
  return false;
}

bool rlx_need_layout_ndim(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *x,
                          const RlxLayout *layout) {
  return rlx_need_ndim(d, call, i, x, layout->ndim, false);
}

/// Product of the tiles of `axis`.
static int64_t tiles_of(const RlxLayout *layout, char axis) {
  int64_t product = 1;
  for (int k = 0; k < layout->ndim; k++) {
    if (layout->factor[k] && toupper((unsigned char)layout->axis[k]) == axis && product < INT32_MAX)
      product *= layout->factor[k];
  }
  return product;
}

RlxDims rlx_layout_forward(RlxDeduce *d, const RlxCall *call, int i, const RlxLayout *layout,
                           RlxDims dims, const char *target) {
  for (int k = 0; k < layout->ndim; k++) {
    int64_t length;
    if (!layout->factor[k] || !rlx_prim_is_const(dims[k], &length) || length == layout->factor[k])
      continue;
    rlx_fail_dim(d, call, i, k, dims[k], rlx_dim(d, layout->factor[k]));
    return NULL;
  }
  int ndim = (int)strlen(target);
  const RlxPrim **out = rlx_dims_new(d, ndim);
  for (int k = 0; k < ndim; k++) {
    int64_t tiles = tiles_of(layout, target[k]);
    const RlxPrim *dim = dims[find_axis(layout, target[k])];
    out[k] = tiles == 1 ? dim : rlx_simplify(d, rlx_prim_muli(d->store, dim, tiles));
  }
  return out;
}

RlxDims rlx_layout_backward(RlxDeduce *d, const RlxLayout *layout, RlxDims dims,
                            const char *target) {
  const RlxPrim **out = rlx_dims_new(d, layout->ndim);
  for (int k = 0; k < layout->ndim; k++) {
    if (layout->factor[k]) {
      out[k] = rlx_dim(d, layout->factor[k]);
      continue;
    }
    const RlxPrim *dim = dims[strchr(target, layout->axis[k]) - target];
    int64_t tiles = tiles_of(layout, layout->axis[k]);
    out[k] =
        tiles == 1
            ? dim
            : rlx_simplify(d, rlx_prim_floordiv(d->store, rlx_prim_addi(d->store, dim, tiles - 1),
                                                rlx_dim(d, tiles)));
  }
  return out;
}
