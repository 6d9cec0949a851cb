/// What a script imports from other modules of the project, at the places where it uses it.
#ifndef RLX_ANALYZER_IMPORTED_H
#define RLX_ANALYZER_IMPORTED_H

#include "analyzer/state/file.h"
#include "analyzer/syntax/ast.h"
#include "analyzer/syntax/span.h"
#include "base/buf.h"

/// Describes the imported name or attribute (`N`, `cfg.hidden`) at `offset`, Markdown: the
/// statement that assigns it, or the head of the def or class, and in which file and line. False:
/// there is none, or it is something else.
bool rlx_file_imported_at(RlxFile *file, uint32_t offset, RlxSpan *out_span, RlxBuf *out);

/// Where something is defined that comes out of an import. All of it is good until the next edit.
typedef struct RlxImportTarget {
  RlxFile *module;     ///< its own document, which no editor edits
  const char *path;    ///< of that file
  const RlxStmt *stmt; ///< what defines it; NULL: it is the module itself
  RlxSpan span;        ///< of the name there, absolute; empty: the module
} RlxImportTarget;
/// Follows the imported name, attribute (`config.hidden`, `Module.main`, `Module["main"]`) or part
/// of an import at `offset` into the modules of the project, through the imports that these have
/// themselves. `*out_word`: what stands at `offset`. False: it is nothing that is imported from a
/// module which the project has.
bool rlx_file_import_target(RlxFile *file, uint32_t offset, RlxSpan *out_word,
                            RlxImportTarget *out);

#endif
