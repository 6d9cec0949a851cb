/// Traces as TVM itself writes them in JSON (`sch.trace.as_json()`, lines of a tuning database).
#ifndef RLX_CLI_TVM_TRACE_H
#define RLX_CLI_TVM_TRACE_H

#include <cjson/cJSON.h>

#include "base/buf.h"
#include "base/error.h"

/// `root`, or the part of a tuning record that is one: [[instructions], [decisions]]; NULL: it is none.
const cJSON *rlx_tvm_trace_in(const cJSON *root);
/// The trace as the text in Python that TVM prints of it, with the decisions; an instruction that TVM has and no primitive is
/// written by its own name. False: `err` names the instruction that cannot be read.
bool rlx_tvm_trace_text(const cJSON *trace, RlxBuf *out, RlxError *err);

#endif
