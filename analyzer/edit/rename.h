/// Another name for what stands at a place: everywhere, or not at all.
#ifndef RLX_ANALYZER_RENAME_H
#define RLX_ANALYZER_RENAME_H

#include "analyzer/ask/questions.h"
#include "base/buf.h"

/// Whether `symbol` has a name that the script gives it. False: `why` says what it is instead, as a
/// sentence for a person.
bool rlx_symbol_can_rename(RlxFile *file, const RlxSymbol *symbol, RlxBuf *why);

/// Whether `symbol` (as rlx_file_symbol_at gave it, no edit since) can be called `name` without
/// changing what any name in the file stands for. False: `why` says what is in the way and in which
/// line, as a sentence for a person. Refused are, beside what is no name: names that Python or
/// TVMScript give a meaning, names that are bound or read where the symbol is visible (TVM's scopes:
/// a loop, a block, a function, a module, a file), and a second block of a name in one PrimFunc.
bool rlx_symbol_may_be_called(RlxFile *file, const RlxSymbol *symbol, const char *name,
                              RlxBuf *why);

/// What is to be replaced, and with what: appends to `out`, in order. An import without `as` gets one.
typedef struct RlxRenameEdit {
  RlxSpan span;      ///< absolute
  bool keeps_before; ///< `relax` becomes `relax as NAME`
} RlxRenameEdit;
typedef Vec(RlxRenameEdit) RlxRenameEdits;
void rlx_symbol_rename_edits(RlxFile *file, const RlxSymbol *symbol, RlxRenameEdits *out);

#endif
