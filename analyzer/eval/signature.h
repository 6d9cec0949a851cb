/// Signatures of functions: parameters, what is declared, what callers know.
#ifndef RLX_ANALYZER_SIGNATURE_H
#define RLX_ANALYZER_SIGNATURE_H

#include "analyzer/eval/eval.h"

void rlx_fn_signature(RlxFn *fn);
/// Brings the signature up to date.
void rlx_fn_refresh(RlxFn *fn);
/// Makes what callers know: of a global function the annotated result, of a local one what its body
/// is known to give.
void rlx_fn_state(RlxFn *fn);
/// What the evaluated statement knows of a function: what its body gives when it stands before the
/// function around the statement, else what is declared, an absent annotation being Object. The
/// reference's rule; it also makes recursion end. Object to signatures and to what stands outside
/// of functions.
const RlxSInfo *rlx_fn_sinfo(const RlxEval *e, RlxFn *fn);
void rlx_primfunc_signature(RlxFn *fn);

#endif
