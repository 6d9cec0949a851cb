/// Signatures of functions: parameters, what is declared, what callers know.
#ifndef RLX_ANALYZER_SIGNATURE_H
#define RLX_ANALYZER_SIGNATURE_H

#include "analyzer/eval/eval.h"

/// Evaluates the head of a function of Relax: parameters, result, purity, what it is called.
void rlx_fn_signature(RlxFn *fn);
/// Brings the signature up to date.
void rlx_fn_refresh(RlxFn *fn);
/// Makes what callers know: of a global function the annotated result, of a local one what its body
/// is known to give.
void rlx_fn_state(RlxFn *fn);
/// Whether the results of a unit stay good under a new signature with the old head_key, if the names
/// that it reads mean what they did: it tells nothing of the head, and does nothing that the head
/// may forbid.
bool rlx_unit_outlives_head(const RlxAnalysis *unit);
/// The same of a PrimFunc, from its buffers; nothing is reported.
void rlx_primfunc_signature(RlxFn *fn);

#endif
