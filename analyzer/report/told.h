/// Where errors are told already, so that a second look at the same place keeps silent.
#ifndef RLX_REPORT_TOLD_H
#define RLX_REPORT_TOLD_H

#include "analyzer/report/report.h"
#include "base/map.h"

typedef struct RlxToldSpan {
  RlxSpan span;
  uint32_t next; ///< index + 1 of the one before in the same part of the text
} RlxToldSpan;

/// Zeroed but for `seen`, the first finding that counts, it knows none.
typedef struct RlxTold {
  uint32_t seen; ///< findings that were taken up
  RlxMap parts;  ///< of the text → index + 1 in `spans`
  Vec(RlxToldSpan) spans;
  Vec(RlxSpan) wide; ///< those over too many parts
} RlxTold;

/// Whether an error of the findings, of which more may have come since the last question, touches the span.
bool rlx_told_touches(RlxTold *told, const RlxFileDiags *diags, RlxSpan span);
void rlx_told_free(RlxTold *told);

#endif
