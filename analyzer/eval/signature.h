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
void rlx_primfunc_signature(RlxFn *fn);

#endif
