/// What the analysis of a PrimFunc finds, as diagnostics: accesses out of bounds, reads of
/// unwritten memory, iterations of parallel loops that meet, wrong iteration types and regions,
/// bindings that run instances twice. All are warnings or less: a script may be a step of a
/// schedule, and TVM accepts it.
#ifndef RLX_ANALYZER_TIR_FINDINGS_H
#define RLX_ANALYZER_TIR_FINDINGS_H

#include "analyzer/diag/diag.h"
#include "analyzer/syntax/ast.h"
#include "analyzer/tir/access.h"

/// How much a finding may cost.
typedef enum RlxTirCare {
  RLX_TIR_BRIEF,    ///< somebody types: questions have a bound each, and there is one for all
  RLX_TIR_THOROUGH, ///< the analysis' own effort for every question
} RlxTirCare;

/// Reports what is found of the PrimFunc of `a`, whose script is `def`, to `sink`. What is not decided
/// within the bounds is reported as such (UNDECIDED), so that silence means that it was looked at.
/// Iteration types are inferred on the way. Spans are relative to `def`.
void rlx_tir_findings_of(RlxTirAnalysis *a, const RlxTirAccesses *accesses, const RlxStmt *def,
                         RlxTirCare care, RlxSink *sink);

/// Reports the findings of `f`, whose script is `def`, to `sink`; nothing when not all of it was
/// understood. Spans are relative to `def`. Only what is proved is reported. `work` has what all questions
/// may cost, and takes their cost from it. Lines in messages are marks (line_words.h) that count from `def`.
void rlx_tir_findings(RlxStore *store, RlxPrimFunc *f, const RlxStmt *def, RlxSetWork *work,
                      RlxSink *sink);

/// Reports blocks whose regions TVM's parser cannot detect (detected.c). `is_verified`: TVM verifies
/// that buffers are declared before they are used.
void rlx_tir_detected_findings(const RlxStore *store, const RlxPrimFunc *f, bool is_verified,
                               RlxSink *sink);

#endif
