/// What the files of the sweep over a body share.
#ifndef RLX_ANALYZER_SWEEP_IMPL_H
#define RLX_ANALYZER_SWEEP_IMPL_H

#include "analyzer/eval/eval.h"
#include "analyzer/function/function.h"

typedef struct RlxSweep {
  RlxFn *fn;
  RlxFile *file;
  RlxEnv *env;
  RlxEval e;
  RlxSink sink;
  bool all, in_dataflow;
  RlxWord frame;         ///< what the `with` around opens
  bool head_is_new;      ///< what outlives no new head is analysed again
  bool keeps_bare;       ///< with `all`: bare statements take what they took at the last sweep
  const RlxFacts *facts; ///< learned so far
  uint64_t facts_hash;   ///< of their conditions
  uint64_t questions, mark_reads; ///< of the store, when the unit began
  uint64_t dialect_questions;     ///< of the analyzer, then
  uint32_t mark_log;              ///< the same: what is marked behind that is the unit's
  const atomic_bool *cancel;
  Vec(const RlxAnalysis *)
      leaving;           ///< units of the dataflow blocks around that let names out of them
  RlxListed outer_reads; ///< those of the function
  uint32_t visited;
  bool cancelled;
  bool evaluates;    ///< the unit before was evaluated: the next one probably is, too
  bool has_one;      ///< one statement is evaluated (rlx_has_one_to_evaluate)
  bool is_as_before; ///< so far all names stand for what they did at the last sweep
  bool is_idle;      ///< and nothing will be evaluated any more
} RlxSweep;

/// Sweeps the statements of a suite, in order.
void rlx_sweep_suite(RlxSweep *s, RlxSuite *suite);
/// Begins the analysis of a statement anew: what it had before is gone.
void rlx_sweep_start(RlxSweep *s, RlxAnalysis *unit);
/// Keeps what was found of the statement, and lets it hold from here on.
void rlx_sweep_finish(RlxSweep *s, RlxAnalysis *unit);
/// From here on `fact` holds, too.
void rlx_sweep_assume(RlxSweep *s, RlxFacts *fact);

/// sweep_again.c: what the unit's operator gives for the StructInfos that its operands have by now, when that is all that has changed for it. False: it has
/// to be evaluated.
bool rlx_sweep_again(RlxSweep *s, RlxAnalysis *unit);
/// Notes whether the unit, which was just analysed, is bare.
void rlx_sweep_note_bare(RlxSweep *s, RlxAnalysis *unit);
/// RlxFn.bare_key as of now.
uint64_t rlx_sweep_bare_key(RlxSweep *s);

/// Puts back the note `name` that statements of `suite`, a scope just left, made in the environment. A note says that a report which is made
/// once per function was made (that it has an impure call) or that it returns; leaving a scope forgets its names, and must not forget notes.
void rlx_sweep_keep_note(RlxSweep *s, const RlxSuite *suite, RlxName name);

/// sweep_if.c: an `if`, its branches first.
void rlx_sweep_if(RlxSweep *s, RlxAnalysis *unit);

#endif
