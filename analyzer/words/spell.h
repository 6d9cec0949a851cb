/// Spellings of a statement that differ between dialects, as they stand in the text; not an
/// interface for other folders.
#ifndef RLX_ANALYZER_SPELL_H
#define RLX_ANALYZER_SPELL_H

#include "analyzer/words/dialect.h"
#include "analyzer/words/names.h"

typedef struct RlxSpelled {
  RlxSpellingId id;
  RlxDialect form;   ///< a dialect that has it so
  unsigned dialects; ///< all that have it so, as bits
  unsigned taken_by; ///< those that have it not, and that take it all the same, as something else
  const RlxAst *ast; ///< what is spelled; NULL: the statement itself
  const RlxAst *parent; ///< around `ast`, or NULL
  RlxSpan span;         ///< in the statement, what a message points at
  const char *word;     ///< PATH, KEYWORD: as in the cells; FORM: NULL
} RlxSpelled;

/// Calls `each` for every spelling in the statement's own part (not in its suites) that some
/// dialect does not have, and for those that all have but that stand first in one dialect's cell
/// and not in another's.
void rlx_stmt_spellings(RlxWords *words, const RlxStmt *stmt,
                        void (*each)(const RlxSpelled *spelled, void *data), void *data);
/// The name that `ast` ends with (the callee of a call): "TypeVar" of `T.TypeVar("n")`; "" when it
/// is no name.
const char *rlx_ast_last_name(const RlxStore *store, const RlxAst *ast);
/// rlx_spelling_dialects from a map that is made once: for hundreds of words.
unsigned rlx_words_dialects(RlxWords *words, const char *path);
/// The root that a name stands for by its custom: "R", "T", "I", "R.nn"; NULL when it is none.
const char *rlx_spelling_root(const char *name);
/// Computes, or takes from the statement, what its spellings say.
void rlx_stmt_votes(RlxWords *words, RlxStmt *stmt);
/// The statement is an R.match_shape, or an R.match_cast when `with_cast`, and `name` stands bare
/// in its pattern.
bool rlx_stmt_matches_symbol(const RlxStore *store, const RlxStmt *stmt, RlxName name,
                             bool with_cast);
/// The statement is a def without decorators whose parameters have Relax annotations.
bool rlx_def_is_undecorated(const RlxStore *store, const RlxStmt *def);

#endif
