/// Changes that bring islands into another dialect; not an interface for other folders.
#ifndef RLX_ANALYZER_CONVERT_H
#define RLX_ANALYZER_CONVERT_H

#include "analyzer/diag/diag.h"
#include "analyzer/state/file.h"
#include "analyzer/syntax/ast.h"
#include "analyzer/words/dialect.h"
#include "analyzer/words/spell.h"
#include "base/map.h"
#include "base/vec.h"

typedef struct RlxChangeEdit {
  RlxSpan span; ///< absolute
  char *text;   ///< owned
} RlxChangeEdit;

/// One spelling that the wanted dialect does not have.
typedef struct RlxChange {
  RlxSpellingId id;
  const RlxStmt *stmt;
  RlxSpan span;    ///< absolute, what a message points at
  const char *was; ///< in `arena`: the spelling as it stands, and what takes its place
  const char *now; ///< NULL: nothing does
  bool is_taken;   ///< TVM takes the spelling, as something else, or never reads it: a warning
  uint32_t first, count; ///< its edits
  bool is_finished;      ///< its edits are complete
} RlxChange;

typedef struct RlxConvert {
  RlxFile *file;
  RlxStore *store;
  const char *text;
  uint32_t size; ///< of `text`
  RlxArena *arena;
  RlxDialect from, to;
  const RlxFn *fn;         ///< Relax function or PrimFunc around the statement, or NULL
  const RlxModule *module; ///< or NULL
  const RlxStmt *stmt;
  bool is_migration; ///< what is wrong without them is changed, too: purity, bare names of siblings
  bool is_again; ///< a later round: words that mean something else in the new dialect are its own
                 ///< by now
  const RlxFn *uses_of;      ///< whose names `name_uses` has; NULL: none
  RlxMap name_uses;          ///< name → the first place that reads it
  RlxMap read_names;         ///< what functions read, and macros that they call
  bool has_read_names;       ///< it is filled
  bool in_dataflow, uses[3]; ///< roots that new text uses: R, T, I
  Vec(RlxChange) changes;
  Vec(RlxChangeEdit) edits;
} RlxConvert;

/// Collects the changes of one island (a module class, or a function that stands alone); `to` and
/// `from` are set.
void rlx_convert_island(RlxConvert *c, const RlxModule *module, const RlxFn *fn);
/// Collects the changes of a statement outside of islands: an import, a TypeVar.
void rlx_convert_outside(RlxConvert *c, const RlxStmt *stmt);

/// What imports the namespace `root` ("R", "T" or "I") of this dialect below the other imports; its text is in `arena`.
/// False: the file imports nothing of TVM, or `root` is none.
bool rlx_import_edit(RlxFile *file, const char *root, RlxDialect to, RlxArena *arena, RlxEdit *out);

// ---- convert_change.c
void rlx_convert_free(RlxConvert *c);
/// Forgets the changes collected so far.
void rlx_convert_clear(RlxConvert *c);
/// Starts a change; edits that follow belong to it.
RlxChange *rlx_change_begin(RlxConvert *c, RlxSpellingId id, RlxSpan span, const char *was,
                            const char *now);
/// Replaces bytes `start` to `end` of the statement by `text`.
void rlx_change_edit(RlxConvert *c, uint32_t start, uint32_t end, const char *text);
/// After the last edit of a change: comments in what it replaces go above the statement. The next change does it, too.
void rlx_change_finish(RlxConvert *c);
/// Source text of a node, in the arena.
const char *rlx_convert_text(RlxConvert *c, RlxSpan span);

/// Indentation of a statement's line, in the arena; NULL when something else stands before it
/// there.
const char *rlx_convert_indent(RlxConvert *c, const RlxStmt *stmt);

// ---- convert_forms.c
/// Makes the change for a form; false: it stays as it is.
bool rlx_convert_form(RlxConvert *c, const RlxSpelled *s);
/// `R.Tensor((_, 4), _)` in an annotation, what late 2022 wrote for what is not known.
void rlx_convert_blanks(RlxConvert *c, const RlxAst *annotation);
/// `a = T.allocate(…)` becomes a buffer, and uses of the variable its data; false, and no change,
/// when it stands otherwise.
bool rlx_convert_allocate(RlxConvert *c, const RlxSpelled *s);

// ---- convert_macros.c
/// Whether the function at hand is a macro that nothing calls: TVM reads a macro where it is called.
bool rlx_convert_is_unread(RlxConvert *c);

// ---- convert_function.c
/// What belongs to a function as a whole: dimensions, declarations, purity, blocks.
void rlx_convert_function(RlxConvert *c, const RlxFn *fn);

#endif
