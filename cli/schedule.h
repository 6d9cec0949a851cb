/// `rlx schedule`: what its files share.
#ifndef RLX_CLI_SCHEDULE_H
#define RLX_CLI_SCHEDULE_H

#include "analyzer/schedule/schedule.h"
#include "base/error.h"

/// Steps from JSON: {"steps": [{"primitive": "split", "args": {"loop": …, "factors": [2, null]}}]}.
/// Blocks and loops are {"kind": "block", "name", "block_index"}, {"kind": "loop", "var",
/// "loop_index"} or, in short, ["B", name, index], ["L", name, index]. Into `out`, which is the
/// caller's to free; false: `err` says which step cannot be read, and why.
bool rlx_schedule_read_json(const char *text, size_t size, RlxTrace *out, RlxError *err);

#endif
