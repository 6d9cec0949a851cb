/// Syntax problems that follow from one before them: what a lost bracket, a broken head or an indentation makes of the lines behind.
/// Always true: of those that are left each has a cause of its own.

#include <string.h>

#include "analyzer/report/cascade.h"
#include "analyzer/report/cascade_lines.h"
#include "analyzer/state/state.h"
#include "analyzer/syntax/stmt_text.h"

uint32_t rlx_cascade_line(const RlxFile *file, uint32_t offset) {
  return rlx_lines_locate(rlx_document_lines(file->document), offset).line;
}

static bool begins_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

/// The place itself or, in a decorator, where the decorators end.
static uint32_t behind_decorators(const char *text, uint32_t size, uint32_t at) {
  uint32_t line = rlx_line_start(text, at);
  while (line + rlx_line_indentation(text, size, line) < size &&
         text[line + rlx_line_indentation(text, size, line)] == '@') {
    const char *next = memchr(text + line, '\n', size - line);
    if (!next) break;
    line = (uint32_t)(next + 1 - text);
  }
  return line > at ? line + rlx_line_indentation(text, size, line) : at;
}

/// Whether a problem may come from how lines before it are put together.
static bool is_structural(const RlxSyntaxProblem *problem) {
  switch ((RlxSyntaxKind)problem->kind) {
  case RLX_SYNTAX_INDENTATION:
  case RLX_SYNTAX_NO_BLOCK:
  case RLX_SYNTAX_RETURN:
  case RLX_SYNTAX_DECORATOR:
  case RLX_SYNTAX_CLAUSE:
  case RLX_SYNTAX_UNOPENED: return true;
  case RLX_SYNTAX_OTHER:
  case RLX_SYNTAX_UNCLOSED:
  case RLX_SYNTAX_STRING:
  case RLX_SYNTAX_WANTED:
  case RLX_SYNTAX_SEPARATOR:
  case RLX_SYNTAX_MISPLACED: break;
  }
  return false;
}

/// The problem that was reported last, and searches from it on.
typedef struct First {
  uint32_t key;                 ///< 1 + where it begins
  uint32_t next, behind, depth; ///< the next line, the end of decorators, the indentation there
  bool is_header;
  RlxLineSearch outermost, fresh, header_inside, inside;
} First;

/// Whether the line begins a definition or is a decorator, or stands behind one.
static bool is_header(const char *text, uint32_t at) {
  uint32_t start = rlx_line_start(text, at);
  const char *line = text + start + strspn(text + start, " \t");
  if (begins_with(line, "def") || begins_with(line, "class") || *line == '@') return true;
  if (!start) return false;
  start = rlx_line_start(text, start - 1);
  return text[start + strspn(text + start, " \t")] == '@';
}

/// Whether a problem is about where a line stands.
static bool is_of_layout(const RlxSyntaxProblem *problem) {
  return is_structural(problem) && problem->kind != RLX_SYNTAX_UNOPENED &&
         problem->kind != RLX_SYNTAX_NO_BLOCK;
}

static void look_at(First *first, const char *text, uint32_t size, uint32_t start) {
  if (first->key == start + 1) return;
  const char *next = memchr(text + start, '\n', size - start);
  *first = (First){.key = start + 1,
                   .next = next ? (uint32_t)(next + 1 - text) : UINT32_MAX,
                   .behind = behind_decorators(text, size, start)};
  first->is_header = is_header(text, start);
  first->depth = rlx_line_indentation(text, size, first->behind);
}

/// Whether a syntax problem comes from the one that was reported last (`first`) or seen last
/// (`previous`): a bracket that is lost makes the lines behind it wrong, a broken header leaves its
/// body without a block.
static bool is_consequence(const RlxFile *file, First *known, const RlxSyntaxProblem *first,
                           const RlxSyntaxProblem *previous, const RlxSyntaxProblem *problem) {
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  if (problem->span.start < first->span.start || problem->span.start > size) return false;
  const uint32_t at = problem->span.start, start = first->span.start;
  look_at(known, text, size, start);
  if (is_structural(problem)) {
    // A bracket that closes nothing is wrong in its own line alone.
    if (problem->kind == RLX_SYNTAX_DECORATOR && first->kind == RLX_SYNTAX_UNOPENED &&
        known->next <= at)
      return false;
    // A header that is lost takes the members of its class along, and what stands inside.
    if (is_of_layout(problem) && known->next <= at) {
      if (is_structural(first) && is_header(text, at))
        return !rlx_has_fresh_start(&known->outermost, text, known->next, at, true);
      if (known->is_header &&
          rlx_stays_inside(&known->header_inside, text, size,
                           rlx_line_indentation(text, size, start), known->behind, at))
        return true;
    }
    return known->behind >= at ||
           !rlx_has_fresh_start(&known->fresh, text, known->behind, at, false);
  }
  if (known->behind >= at) return true;
  if (rlx_has_fresh_start(&known->fresh, text, known->behind, at, false)) return false;
  return rlx_cascade_line(file, at) <= rlx_cascade_line(file, previous->span.end) + 1 ||
         rlx_stays_inside(&known->inside, text, size, known->depth, known->behind, at);
}

void rlx_cascade_syntax(const RlxFile *file, RlxSyntaxProblems *problems) {
  uint32_t kept = 0;
  RlxSyntaxProblem previous = {0};
  First known = {0};
  for (uint32_t i = 0; i < problems->count; i++) {
    const RlxSyntaxProblem problem = problems->at[i];
    RlxSyntaxProblem *first = kept ? &problems->at[kept - 1] : NULL;
    if (first && first->kind == RLX_SYNTAX_DECORATOR && problem.kind == RLX_SYNTAX_INDENTATION &&
        rlx_cascade_line(file, problem.span.start) <= rlx_cascade_line(file, first->span.end) + 1)
      *first = problem; // the indentation is why there is no definition behind the decorator
    else if (!first || !is_consequence(file, &known, first, &previous, &problem))
      problems->at[kept++] = problem;
    previous = problem;
  }
  problems->count = kept;
}
