/// A scheduled PrimFunc, written back into the text that it was read from.
///
/// Always true: what comes out reads back as the scheduled PrimFunc (it is read again before it is
/// given); lines of statements that stay as they were stay as they are written, and so does all
/// around the function.
#ifndef RLX_ANALYZER_SCHEDULE_TEXT_H
#define RLX_ANALYZER_SCHEDULE_TEXT_H

#include "analyzer/function/files.h"
#include "analyzer/tir/tir.h"
#include "base/diff.h"

/// What is written: `before` is the PrimFunc of `def`, a statement of `file`, and `after` what a
/// schedule made of it (rlx_schedule_function before and after the steps).
typedef struct RlxScheduleText {
  RlxAnalyzer *analyzer;
  RlxFile *file;
  const RlxStmt *def;
  const RlxPrimFunc *before, *after;
} RlxScheduleText;

/// Appends the whole text of the file with the function as `after` has it: in the file's dialect, with
/// its indentation and its name for the module T, comments where their statements are now. Comments of
/// statements that are gone go with them; those of a loop that became others stand at the first of
/// these. False: it cannot be written so that it reads back the same; `out` is untouched.
bool rlx_scheduled_text(const RlxScheduleText *what, RlxBuf *out);

#endif
