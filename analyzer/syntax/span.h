/// Byte ranges. Inside a statement every span is relative to the statement's first byte, so an edit
/// moves nothing behind it; only statements know where they stand in the file.
#ifndef RLX_ANALYZER_SPAN_H
#define RLX_ANALYZER_SPAN_H

#include <stdint.h>

#include "base/vec.h"

typedef struct RlxSpan {
  uint32_t start; ///< first byte
  uint32_t end;   ///< one past the last byte
} RlxSpan;
typedef Vec(RlxSpan) RlxSpans;

static inline RlxSpan rlx_span(uint32_t start, uint32_t end) {
  RlxSpan span = {start, end};
  return span;
}

#endif
