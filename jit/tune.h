/// A search for a fast schedule of a PrimFunc: traces are drawn, carried out through the checked
/// primitives, measured in a worker (measure.h), and the best ones varied.
///
/// Always true: every candidate is legal, because each of its steps was accepted; its results agree
/// with those of the PrimFunc it started from, or it is dropped, as is one that crashes or takes too
/// long. The same seed gives the same candidates in the same order, as far as measured times agree.
#ifndef RLX_JIT_TUNE_H
#define RLX_JIT_TUNE_H

#include "analyzer/schedule/schedule.h"
#include "jit/measure.h"

typedef struct RlxTuneProgress {
  double seconds;           ///< since it began
  int tried, dropped;       ///< candidates; those with an error or other results
  double start_us, best_us; ///< of the PrimFunc, and of the best so far
} RlxTuneProgress;

typedef struct RlxTuneOptions {
  RlxMeasureOptions measure; ///< `cancel` ends the search, too
  double seconds;            ///< how long it goes on; four candidates are tried in any case
  int most_tried;            ///< 0: as many as fit
  uint64_t seed;
  void (*progress)(void *data, const RlxTuneProgress *now); ///< after each candidate; may be NULL
  void *data;
} RlxTuneOptions;

typedef struct RlxTuned {
  RlxBuf
      trace; ///< the steps of the best, a text that rlx_trace_read reads; empty: nothing is better
  RlxTuneProgress end;
  RlxError error; ///< when the PrimFunc itself could not be measured
} RlxTuned;

/// Searches from the PrimFunc `name` of the script `text` on. False: `out->error`. Free `out` in
/// either case.
bool rlx_tune(const char *text, const char *name, const RlxTuneOptions *options, RlxTuned *out);
void rlx_tuned_free(RlxTuned *t);

#endif
