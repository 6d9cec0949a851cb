/// Index maps: arguments like "lambda i, j: (i // 16, j, i % 16)".
#ifndef RLX_ANALYZER_SCHEDULE_INDEX_MAP_H
#define RLX_ANALYZER_SCHEDULE_INDEX_MAP_H

#include "analyzer/schedule/schedule_impl.h"

/// The map of `inputs`, `*out_count` expressions in the PrimFunc's arena; NULL: `text` is no lambda of
/// `count` parameters that adds, subtracts, multiplies, divides and casts integers. Names in it are its
/// parameters, numbers that earlier steps gave, or parameters and dimensions of the PrimFunc; where
/// one is none of these, or divides and may be 0, `c->map_problem` says so.
RlxTirExpr **rlx_schedule_map_indices(RlxScheduleCall *c, const char *text,
                                      RlxTirExpr *const *inputs, int count, int *out_count);
/// Is the map, over a box of these extents, one to one onto another box? Then `*out_shape` has its
/// extents. False also where that is not proved.
bool rlx_schedule_map_is_onto(RlxScheduleCall *c, const char *text, RlxTirExpr *const *dims,
                              int count, RlxTirExpr ***out_shape, int *out_count);
/// The inputs of a map that rlx_schedule_map_is_onto takes, `out` (`count` of them), where its
/// results are `values`. False: not proved.
bool rlx_schedule_map_inverse(RlxScheduleCall *c, const char *text, RlxTirExpr *const *dims,
                              int count, RlxTirExpr *const *values, RlxTirExpr **out);
/// "lambda i, j: ((i - 1, i + 1), j)" as the ranges of `capacity` dimensions, an end behind the last; one
/// expression is a point. False: it is something else.
bool rlx_schedule_map_ranges(RlxScheduleCall *c, const char *text, RlxTirExpr *const *inputs,
                             int count, RlxTirExpr **begin, RlxTirExpr **end, int capacity);

#endif
