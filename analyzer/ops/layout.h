/// Layouts ("NCHW", "NCHW4c", "OIHW"): which axis of a tensor means what, and how shapes convert
/// between two of them.
#ifndef RLX_ANALYZER_OPS_LAYOUT_H
#define RLX_ANALYZER_OPS_LAYOUT_H

#include "analyzer/ops/ops.h"

enum { RLX_LAYOUT_MAX = 16 };

/// A capital is a whole axis, a lower-case letter a tile of the axis of that letter, with its
/// length.
typedef struct RlxLayout {
  int ndim;
  char axis[RLX_LAYOUT_MAX];
  int64_t factor[RLX_LAYOUT_MAX]; ///< of a tile; 0 for a whole axis
} RlxLayout;

/// Reads the layout that string argument `i` gives (None or absent: argument `otherwise`), which
/// must rearrange and tile the axes of `target`. False when it does not (reported LAYOUT) or is not
/// known.
bool rlx_arg_layout(RlxDeduce *d, const RlxCall *call, int i, int otherwise, const char *target,
                    RlxLayout *out);
/// Reports RANK, and gives false, when argument `i`'s rank is known and differs from the layout's.
bool rlx_need_layout_ndim(RlxDeduce *d, const RlxCall *call, int i, const RlxSInfo *x,
                          const RlxLayout *layout);
/// Dimensions in the order of `target` out of those in `layout`. NULL when a constant tile has
/// another length than the layout says (reported DIM_MISMATCH at argument `i`).
RlxDims rlx_layout_forward(RlxDeduce *d, const RlxCall *call, int i, const RlxLayout *layout,
                           RlxDims dims, const char *target);
/// The reverse; a tiled axis is divided by its tiles, rounded up.
RlxDims rlx_layout_backward(RlxDeduce *d, const RlxLayout *layout, RlxDims dims,
                            const char *target);

#endif
