/// Logical lines of Python: where a statement's line begins and ends, how far it is indented, and
/// by which word it starts. A hand-written scanner, since it runs over all text on opening and over
/// the neighbourhood of every edit.
///
/// Always true: scanning depends on nothing before the place where it begins, so two scans that
/// stand at the same place with the same text after it agree from there on. Lines follow each other
/// without gaps (`next`). Damage stays local: an open bracket or quote does not swallow what
/// follows.
#ifndef RLX_ANALYZER_LOGICAL_LINES_H
#define RLX_ANALYZER_LOGICAL_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "analyzer/syntax/span.h"

/// What a line is by its first word.
typedef enum RlxLineKind {
  RLX_LINE_SIMPLE, // also everything unrecognised
  RLX_LINE_DECORATOR,
  RLX_LINE_DEF,
  RLX_LINE_CLASS,
  RLX_LINE_IF,
  RLX_LINE_WHILE,
  RLX_LINE_FOR,
  RLX_LINE_WITH,
  RLX_LINE_TRY,
  RLX_LINE_MATCH,
  RLX_LINE_ELIF, // clauses from here on
  RLX_LINE_ELSE,
  RLX_LINE_EXCEPT,
  RLX_LINE_FINALLY,
  RLX_LINE_CASE, // a clause only directly below `match`; anywhere else a simple line
} RlxLineKind;

static inline bool rlx_line_kind_is_clause(RlxLineKind kind) { return kind >= RLX_LINE_ELIF; }

/// A statement may have this many brackets open, and a file this many levels of indentation, as in
/// CPython.
enum { RLX_MAX_OPEN_BRACKETS = 200, RLX_MAX_INDENTATION_LEVELS = 100 };

typedef struct RlxLogicalLine {
  uint32_t line_start; ///< first byte of its first physical line
  uint32_t start;      ///< first byte behind the indentation
  uint32_t end;        ///< behind the last token; comments and line ends are outside
  uint32_t next;       ///< where the scan goes on: the start of a physical line, or the text's size
  uint32_t looked;     ///< bytes before this one decided all of the above; at least `next`
  uint32_t colon;      ///< of a compound statement's head; 0 without one
  bool ends_with_colon; ///< whatever it is
  uint16_t wide,
      narrow; ///< indentation with tabs to the next multiple of 8 and of 1; both stop at UINT16_MAX
  uint8_t kind;     ///< RlxLineKind
  bool opens_suite; ///< the head ends the line: the statements of the suite follow, indented
  bool is_broken;   ///< brackets or quotes do not match; `error` is the place
  bool is_deep;     ///< is_broken, and there more than RLX_MAX_OPEN_BRACKETS would be open
  bool
      is_unfinished; ///< is_broken, and a bracket that is open at the text's end may be closed behind it
  RlxSpan error;
} RlxLogicalLine;

/// The first logical line at or behind `at`, which is the start of a physical line. False when only
/// blanks and comments are left. `size` is below UINT32_MAX.
bool rlx_logical_line_next(const char *text, uint32_t size, uint32_t at, RlxLogicalLine *out);

/// How far the first logical line at or behind `at`, the start of a physical line, is indented, as `wide` counts it; -1: there is none.
int32_t rlx_logical_line_indentation(const char *text, uint32_t size, uint32_t at);

/// The line stands below a decorator, where a definition has to be. A simple line that ends with a colon is one then, with a slip in its first word
/// (`de f(x):`, `f(x):`, `clas M:`); true: it is such a line.
bool rlx_logical_line_is_decorated(const char *text, RlxLogicalLine *line);

/// A line whose brackets are open at the end of a text that grows by whole physical lines, each of which is scanned once.
typedef struct RlxOpenLine RlxOpenLine;

/// The line that starts at `at`, as of a text of `size` bytes; NULL: its brackets are not open there. The caller frees
/// it with rlx_open_line_free.
RlxOpenLine *rlx_open_line_new(const char *text, uint32_t size, uint32_t at);
void rlx_open_line_free(RlxOpenLine *line); ///< NULL is fine
/// Whether its brackets are still open at the end of `text`, of which it knows the first bytes. False: what the line is
/// says rlx_logical_line_next; it is not asked again.
bool rlx_open_line_goes_on(RlxOpenLine *line, const char *text, uint32_t size);

#endif
