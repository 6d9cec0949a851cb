/// What is shared by `rlx schedule` and the traces that `rlx check` carries out.
#ifndef RLX_CLI_SCHEDULE_H
#define RLX_CLI_SCHEDULE_H

#include "analyzer/analyzer.h"
#include "analyzer/schedule/schedule.h"
#include "analyzer/script/script.h"
#include "base/error.h"

/// A trace in either spelling: JSON when it begins with "{" or "[", else Python. `where` (may be NULL)
/// gets the line of the problem in the text; false: `err`.
bool rlx_schedule_read_trace(RlxStore *store, const char *text, size_t size, RlxTrace *out,
                             uint32_t *out_line, RlxError *err);
/// Told of a PrimFunc that is not wholly understood, and where.
typedef void (*RlxScheduleHole)(void *data, const RlxFunctionView *view, const RlxTirIssue *issue);
/// Adds the PrimFuncs of the file, or `only` that one (NULL: all); the others are lent. `hole` may be NULL. False: there
/// is none, and `why` says so.
bool rlx_schedule_add_functions(RlxSchedule *s, RlxFile *file, RlxStore *store, const char *only,
                                RlxScheduleHole hole, void *data, RlxBuf *why);
/// The steps in force as JSON that rlx_schedule_read_json reads.
void rlx_schedule_write_json(const RlxSchedule *s, RlxBuf *out);
/// Steps from JSON: {"steps": [{"primitive": "split", "args": {"loop": …, "factors": [2, null]}}]}.
/// Blocks and loops are {"kind": "block", "name", "block_index"}, {"kind": "loop", "var",
/// "loop_index"} or, in short, ["B", name, index], ["L", name, index]; what an earlier step gave is {"kind": "variable",
/// "name", "item"}, by its "target". Into `out`, which is the
/// caller's to free; false: `err` says which step cannot be read, and why. Or a trace as TVM writes it (tvm_trace.h).
bool rlx_schedule_read_json(RlxStore *store, const char *text, size_t size, RlxTrace *out,
                            RlxError *err);

#endif
