/// The facade: a session of documents with their analysis; open, edit, close, and ask. No I/O, one
/// thread. Analysis is incremental: an edit re-analyses the statements whose text or inputs changed
/// and nothing else (counters prove it), and what it gives is what a fresh analysis of the same
/// text gives.
#ifndef RLX_ANALYZER_ANALYZER_H
#define RLX_ANALYZER_ANALYZER_H

#include "analyzer/diag/file_diag.h"
#include "analyzer/struct_info/ir.h"
#include "analyzer/syntax/document.h"
#include "base/vec.h"
#include <stdatomic.h>

typedef struct RlxAnalyzer RlxAnalyzer; ///< store and settings shared by files
typedef struct RlxFile RlxFile;         ///< one document and its analysis

typedef struct RlxSettings {
  bool implicit_match_cast; ///< spec 1.4 case 2 is a match_cast
  uint8_t normal_form;      ///< 0: hint on nested calls, 1: anf, 2: t-anf as errors
  const char *dialect;      ///< NULL: recognised per island
} RlxSettings;
/// Appends the settings as a text, which is equal for equal settings: part of the key of cached
/// results.
void rlx_settings_write(const RlxSettings *settings, RlxBuf *out);

/// A session without files; the caller frees it. `settings` are copied; NULL: the defaults.
RlxAnalyzer *rlx_analyzer_new(const RlxSettings *settings /* or NULL */);
/// Frees the session; its files must be closed before. NULL is fine.
void rlx_analyzer_free(RlxAnalyzer *analyzer);
/// The store of names, symbolic integers and StructInfos that all files of the session share; it
/// lives as long as the session.
RlxStore *rlx_analyzer_store(RlxAnalyzer *analyzer);
/// Takes other settings; files are analysed anew under them at the next question.
void rlx_analyzer_configure(RlxAnalyzer *analyzer, const RlxSettings *settings);

/// Gives one file settings of its own; it is analysed anew under them when they differ.
void rlx_file_configure(RlxFile *file, const RlxSettings *settings);

/// Opens a document with a copy of `text`, any bytes. The caller closes it. Nothing is analysed
/// yet.
RlxFile *rlx_file_open(RlxAnalyzer *analyzer, const char *text, uint32_t size);
/// Frees the document and everything that was learned of it. NULL is fine.
void rlx_file_close(RlxFile *file);
/// Replaces the bytes from `start` up to `old_end` by a copy of `text`. What was asked for before
/// may point to memory that is gone.
void rlx_file_edit(RlxFile *file, uint32_t start, uint32_t old_end, const char *text,
                   uint32_t size);
/// Replaces the whole text; what did not change keeps its results.
void rlx_file_set_text(RlxFile *file, const char *text, uint32_t size);
/// The text, lines and statements; owned by the file.
RlxDocument *rlx_file_document(RlxFile *file);
/// Brings the analysis up to date; every question does it when needed. Looks at `cancel` (may be
/// NULL) after every 64 statements and returns false when it was set: ask again later.
bool rlx_file_analyze(RlxFile *file, const atomic_bool *cancel);

/// Where related place `i` of a diagnostic is now, absolute.
RlxSpan rlx_file_diag_related(const RlxFileDiag *d, uint32_t i);
/// All diagnostics in source order, suppressions applied; valid until the next edit. Appends to
/// `out`.
void rlx_file_diags(RlxFile *file, RlxFileDiags *out);
/// The same; hints on nested calls have their fixes only where they touch `window`. RLX_NO_WINDOW:
/// nowhere, for those who show no fixes: these fixes cost a pass over the function.
void rlx_file_diags_mended(RlxFile *file, RlxSpan window, RlxFileDiags *out);
#define RLX_NO_WINDOW rlx_span(UINT32_MAX, 0)
uint32_t rlx_file_error_count(RlxFile *file); ///< diagnostics that are errors

typedef enum RlxIslandKind {
  RLX_ISLAND_RELAX,
  RLX_ISLAND_PRIM_FUNC,
  RLX_ISLAND_MACRO,
  RLX_ISLAND_PYFUNC,
  RLX_ISLAND_JIT
} RlxIslandKind;
/// A function island as analysed.
typedef struct RlxFunctionView {
  uint8_t kind;         ///< RlxIslandKind
  RlxName name, module; ///< module 0: outside any
  const RlxStmt *stmt, *module_stmt;
  RlxFunction *function; ///< RELAX: signature; body through rlx_file_function_body. Else NULL
} RlxFunctionView;
typedef Vec(RlxFunctionView) RlxFunctionViews;
/// Appends all function islands, in source order; valid until the next edit.
void rlx_file_functions(RlxFile *file, RlxFunctionViews *out);
/// The function with its body assembled (blocks, bindings, branches, local functions) in `arena`.
const RlxFunction *rlx_file_function_ir(RlxFile *file, const RlxStmt *def, RlxArena *arena);

/// Bindings that `stmt` made (nested calls first), for hover, inlay hints, infer.
void rlx_file_stmt_bindings(RlxFile *file, const RlxStmt *stmt, RlxBinding *const **out,
                            uint32_t *out_count);

/// What stands at a byte offset: for hover, definition, references, rename.
typedef enum RlxSymbolKind {
  RLX_SYMBOL_NONE,
  RLX_SYMBOL_VAR,
  RLX_SYMBOL_SYMVAR,
  RLX_SYMBOL_FUNCTION,
  RLX_SYMBOL_OP,
  RLX_SYMBOL_MODULE,
  RLX_SYMBOL_NAMESPACE,
  RLX_SYMBOL_LOCAL, ///< a name of a PrimFunc that is no symbolic variable: buffer, loop, block axis
} RlxSymbolKind;
typedef struct RlxSymbol {
  uint8_t kind;
  RlxSpan span; ///< absolute, of the occurrence
  RlxName name;
  const RlxVar *var;
  const RlxSymVar *symvar;
  const RlxOpRow *op;
  const RlxStmt *stmt;     ///< of the occurrence
  const RlxStmt *def_stmt; ///< where it is defined, or NULL
  RlxSpan def_span;        ///< absolute
  const RlxSInfo *sinfo;   ///< of the variable, or of the call when it is an operator's name
} RlxSymbol;
/// What stands at `offset` (absolute); false when that is nothing the analysis knows. Valid until
/// the next edit.
bool rlx_file_symbol_at(RlxFile *file, uint32_t offset, RlxSymbol *out);
typedef Vec(RlxSpan) RlxSpans;
/// All occurrences of what stands at `offset`.
void rlx_file_references(RlxFile *file, uint32_t offset, RlxSpans *out);
/// All occurrences of `symbol` (as rlx_file_symbol_at gave it, no edit since), definition included,
/// in order. A variable that both branches of an `if` bind is one with what stands behind the `if`.
void rlx_file_symbol_references(RlxFile *file, const RlxSymbol *symbol, RlxSpans *out);
/// Where the symbolic variable `var`, seen from statement `stmt`, is bound: absolute span of its
/// first occurrence in a parameter annotation, its declaration, or the match_cast that defines it.
/// False when it is not known.
bool rlx_file_symvar_definition(RlxFile *file, const RlxStmt *stmt, const RlxSymVar *var,
                                RlxSpan *out);
/// Variables in scope at `offset` whose names start with `prefix`, nearest first, `most` at most.
typedef Vec(const RlxVar *) RlxVars;
void rlx_file_scope_at(RlxFile *file, uint32_t offset, const char *prefix, size_t prefix_size,
                       uint32_t most, RlxVars *out);

typedef struct RlxFileStats {   ///< counters that tests read
  uint64_t analyzed_statements; ///< statements analysed since the file was opened
  uint64_t checked_functions;
} RlxFileStats;
RlxFileStats rlx_file_stats(const RlxFile *file);

#endif
