/// Windows that slide over spatial axes: what convolutions and poolings share.
#ifndef RLX_ANALYZER_OPS_SPATIAL_H
#define RLX_ANALYZER_OPS_SPATIAL_H

#include "analyzer/ops/layout.h"
#include <string.h>

enum { RLX_SPATIAL_MAX = 3 };

/// One value for all of `rank` spatial axes, or one for each; false when not known or of another
/// length (reported LIST_LENGTH).
bool rlx_attr_spatial(RlxDeduce *d, const RlxCall *call, int i, int rank, int64_t *out);
/// Padding as 2 * `rank` values, all before then all after; one value for all, or one for each
/// axis, will do.
bool rlx_attr_padding(RlxDeduce *d, const RlxCall *call, int i, int rank, int64_t *out);

/// Whether each of the `count` values of argument i is an int32, as TVM computes lengths with them; reports the first that is not.
bool rlx_attr_int32(RlxDeduce *d, const RlxCall *call, int i, const int64_t *values, int count);

typedef struct RlxWindow {
  const RlxPrim *length, *kernel;
  int64_t padding; ///< before and after together
  int64_t dilation, stride;
} RlxWindow;
/// (length + padding - dilation * (kernel - 1) - 1 + extra) // stride + 1: how many places a window
/// has.
const RlxPrim *rlx_window_count(RlxDeduce *d, const RlxWindow *w, int64_t extra);

#endif
