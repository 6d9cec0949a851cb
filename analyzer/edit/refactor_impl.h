/// What the files of the refactorings share.
#ifndef RLX_ANALYZER_REFACTOR_IMPL_H
#define RLX_ANALYZER_REFACTOR_IMPL_H

#include "analyzer/edit/refactor.h"
#include "analyzer/state/file.h"
#include "analyzer/struct_info/sinfo.h"
#include "analyzer/symbolic/store.h"
#include "analyzer/syntax/ast.h"

/// A name that a statement of a function binds.
typedef struct RlxDeclared {
  RlxName name;
  uint32_t start; ///< of the statement
} RlxDeclared;

typedef struct RlxRefactor {
  RlxFile *file;
  RlxStore *store;
  RlxSpan range;
  RlxArena *arena;
  RlxRefactorings *out;
  const RlxRefactorAsk *ask;
  const char *text;
  uint32_t size;
  const RlxStmt *declared_of; ///< the function that `declared` is of; NULL: none yet
  Vec(RlxDeclared) declared;  ///< by name, then by place
} RlxRefactor;

/// Offers a rewrite; its edits are copied, the texts in them are the arena's.
void rlx_refactor_offer(RlxRefactor *r, RlxRefactorKind kind, const char *title,
                        const RlxEdit *edits, uint32_t count);
/// Whether the file is so large that edits which need it analysed are made when they are chosen.
bool rlx_refactor_is_for_later(const RlxRefactor *r);
/// Whether the text with the edits has no errors and warnings that it does not have without them.
/// Costs an analysis of the file: of a large one it is asked when the refactoring was chosen.
bool rlx_refactor_is_clean(const RlxRefactor *r, const RlxEdit *edits, uint32_t count);
/// Says that it cannot be done, to those who want to know.
void rlx_refactor_refuse(RlxRefactor *r, RlxRefactorKind kind, const char *title,
                         const char *reason);
/// How annotations are written at the place that is asked about. From 0.26 on R.Prim names no value.
RlxSInfoStyle rlx_refactor_style(const RlxRefactor *r);
/// Whether what has this title is asked for.
bool rlx_refactor_wants(const RlxRefactor *r, const char *title);
/// The lines that a statement has for itself, line end included; false when something else stands
/// on them.
bool rlx_refactor_own_lines(const RlxRefactor *r, const RlxStmt *stmt, RlxSpan *out);
/// Whether `name` occurs as a word anywhere in the file.
bool rlx_refactor_is_used(const RlxRefactor *r, const char *name);

/// refactor_extract.c: the selected statements become a function of the module.
void rlx_refactor_extract(RlxRefactor *r);

#endif
