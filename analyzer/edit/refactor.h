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
  uint32_t edit_count;
} RlxRefactoring;
typedef Vec(RlxRefactoring) RlxRefactorings;

/// Appends what can be done at the absolute `range` (empty: a cursor); texts live in `arena`.
/// `backward`: also what states the answers of backward deduction.
void rlx_file_refactorings(RlxFile *file, RlxSpan range, bool backward, RlxArena *arena,
                           RlxRefactorings *out);

#endif
