/// May what an integer expression computes leave its type? The machine then goes on with another number, while
/// symbolic integers know no end: what is proved of them, or made simpler by their rules, does not hold.
///
/// Decided by ranges. A variable of a loop or block has that of its loop or domain. Lengths that are not known count
/// as at most RLX_TIR_LENGTH, and products of them as sizes of memory, which no type is left by.
#ifndef RLX_ANALYZER_TIR_WRAPS_H
#define RLX_ANALYZER_TIR_WRAPS_H

#include "analyzer/tir/tir.h"

enum { RLX_TIR_LENGTH = 1 << 16 };

/// Who asks: places in memory and bounds of loops, where a number that nothing is known of leaves no type (that
/// would be a mistake of the script); or values and conditions, where it is any number of its type.
typedef enum RlxTirPurpose { RLX_TIR_FOR_PLACE, RLX_TIR_FOR_VALUE } RlxTirPurpose;

/// Does something in `e` leave its type for values that its variables may have, or may it? Variables that
/// rlx_tir_note_reach did not see leave none.
bool rlx_tir_may_wrap(const RlxTirExpr *e, RlxTirPurpose purpose);
/// Notes what the variables of `f` may be (RlxTirVar.reach). What a variable was noted to be before, in another state
/// of the PrimFunc, it may still be.
void rlx_tir_note_reach(const RlxPrimFunc *f);
/// Notes of one variable that it runs over [min, min + extent); `min` may be NULL.
void rlx_tir_note_domain(RlxTirVar *v, const RlxTirExpr *min, const RlxTirExpr *extent);

#endif
