/// Diagnostics: every one is a row of diags.def (code, name, severity, texts, wrong and right
/// example); reporting one names the row and the place. A hole absorbs silently: one mistake gives
/// one diagnostic.
#ifndef RLX_ANALYZER_DIAG_H
#define RLX_ANALYZER_DIAG_H

#include "analyzer/syntax/problem.h"
#include "analyzer/syntax/span.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include <stdarg.h>
#include <stdbool.h>

typedef enum RlxSeverity {
  RLX_ERROR = 1,
  RLX_WARNING,
  RLX_INFORMATION,
  RLX_HINT
} RlxSeverity; // LSP's numbers

/// A row's place in the table, from 0: good for one build of the program.
///
/// A file names a row as RLX_DIAG_ID(AXIS_REPEATED). The number is filled in when the program is
/// linked, so that a new row compiles only the table again; a row that does not exist is an
/// "undefined reference" of the linker.
typedef uint32_t RlxDiagId;
#define RLX_DIAG_ID(id)                                                                            \
  (__extension__({                                                                                 \
    extern const RlxDiagId rlx_diag_id_##id;                                                       \
    rlx_diag_id_##id;                                                                              \
  }))
enum { RLX_DIAG_MAX = 256 }; ///< size of an array that has an element for each row
int rlx_diag_count(void);    ///< how many rows there are

typedef struct RlxDiagRow {
  const char *id, *code, *name;
  RlxSeverity severity;
  const char *message;       ///< "{0}", "{1}"… are arguments
  const char *explanation;   ///< what, why it matters, what to do: Markdown
  const char *wrong, *right; ///< a binding or a whole script that shows it / does not
} RlxDiagRow;
/// The row of a diagnostic; constant data.
const RlxDiagRow *rlx_diag_row(RlxDiagId id);
/// By code ("RLX0304") or name ("axis-repeated"); NULL when there is none.
const RlxDiagRow *rlx_diag_find(const char *code_or_name);

typedef struct RlxFixRow {
  RlxDiagId diag; ///< that offers the fix
  bool is_safe;
  const char *title; ///< "…" stands for what differs from case to case
} RlxFixRow;
/// The rows of fixes.def, in the order of the diagnostics; constant data.
const RlxFixRow *rlx_fix_rows(int *count);
/// The row of a fix with this title; NULL when there is none (a mistake of ours: it is not safe).
const RlxFixRow *rlx_fix_row(RlxDiagId diag, const char *title);

typedef struct RlxEdit { ///< replace `span` by `text`
  RlxSpan span;
  const char *text;
} RlxEdit;
typedef struct RlxFix {
  const char *title;
  RlxEdit *edits;
  uint32_t edit_count;
  const void *stmt; ///< RlxStmt that the edits are relative to; NULL: the diagnostic's own
  bool is_safe;     ///< as fixes.def says: what was meant is beyond doubt
} RlxFix;
typedef struct RlxRelated {
  RlxSpan span;     ///< relative to `stmt`
  const void *stmt; ///< RlxStmt it is relative to; NULL: the diagnostic's own
  const char *message;
  const void *var; ///< or the place of this RlxVar's name, wherever its binding is by now; NULL:
                   ///< `stmt` and `span` say it
} RlxRelated;

/// What would mend a contradiction: that dimension `dimension` of the variable were `value`.
typedef struct RlxWish {
  const void *var; ///< RlxVar
  int dimension;
  const void *value; ///< RlxPrim
} RlxWish;

/// RlxDiag.parameter where a call gives more than there are parameters.
enum { RLX_PARAMETER_BEYOND = UINT16_MAX };

typedef struct RlxDiag {
  RlxDiagId id;
  uint8_t severity;    ///< RlxSeverity; the row's unless a policy changed it
  uint16_t parameter;  ///< of a call: which parameter of the function it is about, from 1; 0: none
  RlxSpan span;        ///< relative to `stmt`
  const void *stmt;    ///< RlxStmt that it stands in; NULL: the one that holds the diagnostic
  const char *message; ///< finished text
  RlxRelated *related;
  RlxFix *fixes;
  RlxWish *wishes; ///< report/fix_guess.c makes fixes of them, for those who look at fixes
  uint32_t related_count, fix_count, wish_count;
  const RlxSyntaxProblem *problem; ///< of a syntax error: what is wrong; NULL: it is something else
} RlxDiag;

/// Collects the diagnostics of one statement (or header); everything lives in `arena`.
typedef struct RlxSink {
  RlxArena *arena;
  Vec(RlxDiag *) diags;
  bool is_silent; ///< that something is reported counts, not what: messages are left out
} RlxSink;

/// Adds row `id` at `span` with printf-free arguments: `count` strings for {0}…; returns it so that
/// the caller can attach related places and fixes. Never NULL.
RlxDiag *rlx_report(RlxSink *sink, RlxDiagId id, RlxSpan span, const char *const *args, int count);
/// The same with arguments formatted one by one: rlx_reportf(sink, id, span, "sdi", text,
/// (int64_t)n, i): s string, i int, d int64_t, u uint64_t.
RlxDiag *rlx_reportf(RlxSink *sink, RlxDiagId id, RlxSpan span, const char *kinds, ...);
RlxDiag *rlx_vreportf(RlxSink *sink, RlxDiagId id, RlxSpan span, const char *kinds, va_list values);
/// Adds another place with a message of its own, which is copied: `span` is relative to `stmt`, NULL: the diagnostic's own.
void rlx_diag_related(RlxSink *sink, RlxDiag *diag, const void *stmt, RlxSpan span,
                      const char *message);
/// The same for the place where the RlxVar `var` is bound.
void rlx_diag_related_var(RlxSink *sink, RlxDiag *diag, const void *var, const char *message);
/// Says which dimension would have to be what for the contradiction to go.
void rlx_diag_wish(RlxSink *sink, RlxDiag *diag, RlxWish wish);
/// The last fix of `diag` is a guess between several: unsafe, whatever its row says.
void rlx_diag_fix_is_guess(RlxDiag *diag);
/// A fix of one edit; call rlx_diag_fix_edit for more edits on the last fix. Its row in fixes.def,
/// found by its title, says whether it is safe.
void rlx_diag_fix(RlxSink *sink, RlxDiag *diag, const char *title, RlxSpan span, const char *text);
/// The fix of a misspelt dtype `text`, which is written in `span`: the usual one nearest to it, if one is near.
void rlx_diag_fix_dtype(RlxSink *sink, RlxDiag *diag, RlxSpan span, const char *text);
/// Adds another edit to the last fix.
void rlx_diag_fix_edit(RlxSink *sink, RlxDiag *diag, RlxSpan span, const char *text);
/// The same in another statement, which must stay where the diagnostic is reported anew when it
/// changes.
void rlx_diag_fix_at(RlxSink *sink, RlxDiag *diag, const char *title, const void *stmt,
                     RlxSpan span, const char *text);

#endif
