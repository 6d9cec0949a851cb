/// Layouts as tvm.topi reads them ("NCHW", "NCHW4c"): lengths in one out of lengths in another.
#ifndef RLX_ANALYZER_TOPI_LAYOUT_H
#define RLX_ANALYZER_TOPI_LAYOUT_H

#include <stdint.h>

enum { RLX_TOPI_AXES = 16 };

typedef struct RlxTopiShape {
  int ndim;
  int64_t lengths[RLX_TOPI_AXES];
} RlxTopiShape;

typedef enum RlxTopiRelayout {
  RLX_TOPI_FITS,
  RLX_TOPI_UNKNOWN,    ///< a tile has another length than the layout says
  RLX_TOPI_OTHER_AXES, ///< one is no layout, or the two are not of the same axes
  RLX_TOPI_OTHER_RANK,
} RlxTopiRelayout;

/// `shape`, of axes as `from` says, with axes as `to` says; a tile that does not divide its axis is filled up.
RlxTopiRelayout rlx_topi_relayout(const RlxTopiShape *shape, const char *from, const char *to,
                                  RlxTopiShape *out);

#endif
