/// What the files that guess fixes share; not an interface for other rooms.
#ifndef RLX_ANALYZER_FIX_GUESS_IMPL_H
#define RLX_ANALYZER_FIX_GUESS_IMPL_H

#include "analyzer/report/fix_guess.h"
#include "analyzer/state/state.h"

typedef struct RlxGuess {
  RlxFile *file;
  RlxSink *sink;
  const char *text;
  uint32_t size;
  RlxFileDiag *at;
  RlxDiag *diag;  ///< the copy that gets the fixes; NULL: none so far
  uint32_t looks; ///< statements and parts of expressions that may still be looked at: thousands of
                  ///< mistakes stand in one function, or in one call
} RlxGuess;

// ---- fix_calls.c
/// Fixes of calls and subscripts in a Relax function.
void rlx_guess_calls(RlxGuess *g);
/// The parameter of the row that takes `value`, which is an argument, or is given by name; NULL: there is none.
const struct RlxOpParam *rlx_guess_param(const RlxGuess *g, const struct RlxOpRow *row,
                                         const RlxAst *call, const RlxAst *value);
/// The tensors of the call from argument `at` on as the tuple that its operator takes.
void rlx_guess_join_tensors(RlxGuess *g, const RlxAst *call, uint32_t at);

// ---- fix_habits.c
/// Fixes of what is written in the words of other libraries, in a Relax function.
void rlx_guess_habits(RlxGuess *g);

// ---- fix_words.c
/// The copy of the diagnostic at hand that may be given fixes.
RlxDiag *rlx_guess_own(RlxGuess *g);
/// The call around the mistake, NULL when it stands in none; `*inner` gets what holds the mistake in it.
const RlxAst *rlx_guess_call(const RlxGuess *g, const RlxAst **inner);
/// The operator that `call` names; NULL: none.
const struct RlxOpRow *rlx_guess_row(const RlxGuess *g, const RlxStmt *stmt, const RlxAst *call);
/// What the statement read under the name that `ast` is; NULL: it is none.
const RlxSInfo *rlx_guess_sinfo(const RlxAnalysis *unit, const RlxAst *ast);
/// Whether `ast` is a value of Relax: a variable, or a call of R, of a variable or of a function of a module.
bool rlx_guess_is_value(const RlxGuess *g, const RlxAst *ast);
/// Fixes that follow from the words at the mistake: brackets and colons that are missing, methods that are operators, a decorator
/// that was forgotten.
void rlx_guess_words(RlxGuess *g);

#endif
