/// Files of an analyzer: open, edit, close, analyse. Analysis is incremental: an edit re-analyses
/// the statements whose text or inputs changed and nothing else (counters prove it), and what it
/// gives is what a fresh analysis of the same text gives.
#ifndef RLX_ANALYZER_FILES_H
#define RLX_ANALYZER_FILES_H

#include "analyzer/state/file.h"
#include "analyzer/struct_info/ir.h"
#include "analyzer/syntax/document.h"
#include "analyzer/words/islands.h"
#include "base/buf.h"
#include "base/map.h"
#include "base/vec.h"
#include <stdatomic.h>

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
/// Hands in who reads the modules that the file imports; `reader->data` must outlive the file.
/// Constants of these modules are then known, and the file is analysed anew.
void rlx_file_set_reader(RlxFile *file, const RlxModuleReader *reader);
/// How lines of the file are told from here on.
void rlx_file_name_lines(RlxFile *file, const RlxLineNames *names);
/// Another file of the analyzer with that text, and the settings and the reader of `file`. The
/// caller's, to rlx_file_close.
RlxFile *rlx_file_open_like(const RlxFile *file, const RlxBuf *text);
/// To be called when a module may have changed, come or gone: modules are read again when the file
/// is analysed next.
void rlx_file_forget_modules(RlxFile *file);
/// Whether the last analysis looked for a value in a module of the project, found or not: only then
/// does the result depend on other files.
bool rlx_file_asks_modules(const RlxFile *file);
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

/// A function island as analysed.
typedef struct RlxFunctionView {
  uint8_t kind;         ///< RlxIslandKind
  RlxName name, module; ///< module 0: outside any
  const RlxStmt *stmt, *module_stmt;
  RlxFunction *function;    ///< RELAX: signature; body through rlx_file_function_body. Else NULL
  const RlxSInfo *declared; ///< what its signature says of it; NULL: nothing
} RlxFunctionView;
typedef Vec(RlxFunctionView) RlxFunctionViews;
/// Appends all function islands, in source order; valid until the next edit.
void rlx_file_functions(RlxFile *file, RlxFunctionViews *out);
/// The function that can be called as `name`: "f", or "M.f" for that of the module M. "f" is the one outside of
/// modules where there is one, else the first that a module has. NULL: there is none.
const RlxFunctionView *rlx_function_view(const RlxStore *store, const RlxFunctionViews *views,
                                         const char *name);
/// The PrimFunc that can be called so. NULL: there is none, and `out_why` gets a sentence that says so: what else has the
/// name, or which PrimFunc has one like it (`*out_has_hint`, which may be NULL).
const RlxFunctionView *rlx_function_view_prim(const RlxStore *store, const RlxFunctionViews *views,
                                              const char *name, RlxBuf *out_why,
                                              bool *out_has_hint);
/// Puts for each name what rlx_function_view finds by it alone: its place in `views`. `out` is empty before.
void rlx_function_views_named(const RlxFunctionViews *views, RlxMap *out);
/// Appends the name that rlx_function_view finds `views->at[place]` by: "f", or "M.f" where "f" is another one, as
/// rlx_function_views_named has put it in `named`.
void rlx_function_view_name(const RlxStore *store, const RlxFunctionViews *views,
                            const RlxMap *named, uint32_t place, RlxBuf *out);
/// The same of function `name` of `module`; 0: outside of modules.
const RlxFunctionView *rlx_function_view_in(const RlxFunctionViews *views, RlxName module,
                                            RlxName name);
/// Bindings that `stmt` made (nested calls first), for hover, inlay hints, infer.
void rlx_file_stmt_bindings(RlxFile *file, const RlxStmt *stmt, RlxBinding *const **out,
                            uint32_t *out_count);
/// What the last analysis did; for tests and measurements.
RlxFileStats rlx_file_stats(const RlxFile *file);

#endif
