/// Formatting of functions written in TVMScript: blanks between tokens, blank lines, quotes. Lines
/// are not joined or broken, indentation and comments stay.
///
/// Always true: what is formatted reads as the same statements (held against the syntax before
/// edits are given out), and formatting it again changes nothing. Python around the functions is
/// left alone, and so is a function with a syntax error.
#ifndef RLX_ANALYZER_FORMAT_H
#define RLX_ANALYZER_FORMAT_H
#include "analyzer/state/file.h"
#include "analyzer/syntax/span.h"
#include "base/vec.h"

typedef struct RlxFormatEdit {
  RlxSpan span;     ///< absolute
  const char *text; ///< static
} RlxFormatEdit;
typedef Vec(RlxFormatEdit) RlxFormatEdits;

/// Appends the edits, in order and apart from each other, that touch `window`.
void rlx_file_format(RlxFile *file, RlxSpan window, RlxFormatEdits *out);

#endif
