/// Times of a PrimFunc as it is written: it runs in a worker (worker.h) with inputs of its own, some
/// times, and its outputs are kept to be compared with those of another form of it.
///
/// Always true: inputs follow from the seed, the parameters and the sizes alone, so that two forms of
/// one PrimFunc get the same; the loops run as they stand in the text unless `is_free` says otherwise.
#ifndef RLX_JIT_MEASURE_H
#define RLX_JIT_MEASURE_H

#include <signal.h>

#include "analyzer/tir/blocks.h"
#include "base/vec.h"
#include "jit/confine.h"
#include "jit/plan/types.h"
#include "jit/runtime/value.h"

typedef struct RlxMeasureOptions {
  int threads;                       ///< of parallel loops; 0: one
  double limit_seconds;              ///< of one measurement; 0: 60
  double least_seconds;              ///< runs are repeated until they took so long together; 0: 0.2
  const RlxConfinement *confinement; ///< NULL: rlx_confinement_default
  const volatile sig_atomic_t *cancel; ///< ends a measurement; NULL: nothing does
  const char *sizes;                   ///< values of symbolic dimensions, "n=128 m=64"; NULL: none
  /// As in RlxJitOptions, and files that extern functions come from (supply.h).
  const char *const *externs;
  int extern_count;
  char *const *with;
  int with_count;
  bool is_free; ///< the JIT may rewrite the loops by rules of its own
} RlxMeasureOptions;

typedef struct RlxMeasured {
  bool ok, interrupted;
  RlxError error; ///< when not ok
  double us;      ///< least time of a run, by the clock
  int runs;
  Vec(RlxBuf) outputs; ///< elements of what it writes
  Vec(RlxDType) dtypes;
} RlxMeasured;

/// Runs the PrimFunc `name` of the script `text`. Free `out` in either case; false: `out->error`.
bool rlx_measure(const char *text, const char *name, const RlxMeasureOptions *options,
                 RlxMeasured *out);
void rlx_measured_free(RlxMeasured *m);
/// Whether both gave the same: integers equal, floats but for what the order of sums changes (a
/// thousandth of the value or of 1; 3 hundredths for 16 bits). NaN equals NaN. `out_largest` (may be
/// NULL) gets the largest difference.
bool rlx_measured_agree(const RlxMeasured *a, const RlxMeasured *b, double *out_largest);

/// What a PrimFunc has to do: arithmetic on values, and bytes of its parameters. 0: not known.
typedef struct RlxWork {
  double operations, bytes;
} RlxWork;
RlxWork rlx_work_of(RlxStore *store, const RlxPrimFunc *f, const char *sizes);

/// A schedule against what it started from.
typedef struct RlxTimes {
  double before_us, after_us;
  double own_us; ///< the unscheduled one with the JIT's own rules; 0: it could not be measured
  bool agree;    ///< both gave the same
  double largest_difference;
} RlxTimes;
/// Measures both texts, which have a PrimFunc `name` each; false: `err` says which one failed and why.
bool rlx_times(const char *before, const char *after, const char *name,
               const RlxMeasureOptions *options, RlxTimes *out, RlxError *err);
/// Appends three lines: before, after with the ratio, the JIT's own; with GFLOP/s or GB/s.
void rlx_times_print(const RlxTimes *times, RlxWork work, RlxBuf *out);
/// Appends "222.1 GFLOP/s" or, where little is computed for a byte, "12.0 GB/s"; nothing when the
/// work is not known.
void rlx_rate_print(RlxWork work, double us, RlxBuf *out);

#endif
