/// Refactorings: rewrites that the user asks for, as edits of the text. Each is offered only where
/// it applies, and keeps what the script means.
#ifndef RLX_ANALYZER_REFACTOR_H
#define RLX_ANALYZER_REFACTOR_H
#include "analyzer/diag/diag.h"
#include "analyzer/state/file.h"

typedef enum RlxRefactorKind {
  RLX_REFACTOR_REWRITE,
  RLX_REFACTOR_INLINE,
  RLX_REFACTOR_EXTRACT
} RlxRefactorKind;

typedef struct RlxRefactoring {
  uint8_t kind; ///< RlxRefactorKind
  const char *title;
  const RlxEdit *edits; ///< spans are absolute; in order, not touching
  uint32_t edit_count;  ///< 0: they are made when they are asked for, or never: `disabled`
  const char *disabled; ///< why it cannot be done; NULL: it can
} RlxRefactoring;
typedef Vec(RlxRefactoring) RlxRefactorings;

/// What is asked for.
typedef struct RlxRefactorAsk {
  bool backward;    ///< also what states the answers of backward deduction
  bool is_lazy;     ///< leaves out the edits of what takes long
  bool is_disabled; ///< also what cannot be done, with the reason
  const char *only; ///< the one of this title alone; NULL: all
} RlxRefactorAsk;

/// As rlx_file_refactorings, as `ask` says.
void rlx_file_refactor(RlxFile *file, RlxSpan range, const RlxRefactorAsk *ask, RlxArena *arena,
                       RlxRefactorings *out);
/// Appends what can be done at the absolute `range` (empty: a cursor); texts live in `arena`.
/// `backward`: also what states the answers of backward deduction.
void rlx_file_refactorings(RlxFile *file, RlxSpan range, bool backward, RlxArena *arena,
                           RlxRefactorings *out);

#endif
