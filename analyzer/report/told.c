/// Where errors are told already: by parts of the text, because there may be as many errors as questions.
#include "analyzer/report/told.h"

enum { PART_BYTES = 64, PARTS_MAX = 1024 };

static bool overlaps(RlxSpan a, RlxSpan b) { return a.start < b.end && b.start < a.end; }

static void take_up(RlxTold *told, RlxSpan span) {
  const uint32_t first = span.start / PART_BYTES, last = span.end / PART_BYTES;
  if (last - first >= PARTS_MAX) {
    rlx_vec_push(&told->wide, span);
    return;
  }
  for (uint32_t part = first; part <= last; part++) {
    uint64_t before = 0;
    rlx_map_get(&told->parts, part, &before);
    rlx_vec_push(&told->spans, (RlxToldSpan){span, (uint32_t)before});
    rlx_map_put(&told->parts, part, told->spans.count);
  }
}

bool rlx_told_touches(RlxTold *told, const RlxFileDiags *diags, RlxSpan span) {
  for (; told->seen < diags->count; told->seen++) {
    const RlxFileDiag *d = &diags->at[told->seen];
    if (d->diag->severity == RLX_ERROR && d->span.start <= d->span.end) take_up(told, d->span);
  }
  for (uint32_t i = 0; i < told->wide.count; i++)
    if (overlaps(told->wide.at[i], span)) return true;
  for (uint32_t part = span.start / PART_BYTES; part <= span.end / PART_BYTES; part++) {
    uint64_t at = 0;
    rlx_map_get(&told->parts, part, &at);
    for (; at; at = told->spans.at[at - 1].next)
      if (overlaps(told->spans.at[at - 1].span, span)) return true;
  }
  return false;
}

void rlx_told_free(RlxTold *told) {
  rlx_map_free(&told->parts);
  rlx_vec_free(&told->spans);
  rlx_vec_free(&told->wide);
}
