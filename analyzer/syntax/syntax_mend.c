/// What a simple statement with a syntax error can mean: the texts that one slip away from it would
/// be right. A bracket or a quote that was just typed is left out; brackets that are never closed are
/// closed at the end. Which of the readings hold is decided where they are evaluated (sweep.c), for
/// that takes names and operators. Of the head of a function, which a whole body hangs on, the reading
/// counts that has the quote which a word lacks, lacks nothing but its name or `def`, leaves out what closes nothing, or is the only one.
#include <stdlib.h>
#include <string.h>

#include "analyzer/syntax/syntax_impl.h"
#include "base/mem.h"

/// A longer statement is no line that someone types in, and each reading costs a pass over it.
enum { MAX_BYTES = 1000, MAX_TRIED = 48, MAX_READINGS = 8 };

typedef struct Mend {
  RlxSyntax *s;
  RlxPiece piece;   // of the unit's own text
  const char *text; // of the unit
  uint32_t size;
  RlxStmt *first, **end; // the readings
  uint32_t tried, count;
  bool is_head; // of a function
} Mend;

static bool is_quote(char c) { return c == '"' || c == '\''; }
static bool is_open(char c) { return c == '(' || c == '[' || c == '{'; }
static bool is_close(char c) { return c == ')' || c == ']' || c == '}'; }
static char closing(char open) { return open == '(' ? ')' : open == '[' ? ']' : '}'; }

/// Does it bind a name or return? Other statements have nothing that later ones could miss, and
/// R.output is looked for before anything is evaluated.
static bool is_worth_it(const Mend *m, const RlxStmt *stmt) {
  if (stmt->kind == RLX_STMT_RETURN) return stmt->value != NULL;
  bool binds = (stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED) && stmt->value &&
               stmt->target_count == 1;
  if (!binds || stmt->value->kind != RLX_AST_CALL) return binds;
  RlxName callee = stmt->value->children[0]->name;
  return !callee || strncmp(rlx_name_text(m->s->names, callee), "output", 6) != 0;
}

/// `hole_size` bytes are left out of the unit's text at `hole`; -1: one is put in there.
static void try_text(Mend *m, const char *text, uint32_t size, uint32_t hole, int32_t hole_size) {
  if (m->tried++ == MAX_TRIED || m->count == MAX_READINGS) return;
  RlxStmt *stmt = m->is_head
                      ? rlx_syntax_fast_mended_def(m->s, text, size, hole, hole_size, &m->piece)
                      : rlx_syntax_fast_mended(m->s, text, size, hole, hole_size, &m->piece);
  rlx_vec_clear(&m->s->problems);
  if (!stmt) return;
  if (!m->is_head && !is_worth_it(m, stmt)) {
    rlx_syntax_free_stmt(m->s, stmt);
    return;
  }
  stmt->is_mended = m->is_head || hole_size != 0;
  if (m->is_head && hole_size > 0) stmt->left_out = rlx_span(hole, hole + (uint32_t)hole_size);
  *m->end = stmt;
  m->end = &stmt->reading;
  m->count++;
}

static void try_without(Mend *m, uint32_t at, uint32_t count) {
  char *text = rlx_mem_alloc(m->size, 1);
  memcpy(text, m->text, at);
  memcpy(text + at, m->text + at + count, m->size - at - count);
  try_text(m, text, m->size - count, at, (int32_t)count);
  free(text);
}

static void try_quoted(Mend *m, uint32_t at, char quote) {
  char *text = rlx_mem_alloc(m->size + 1, 1);
  memcpy(text, m->text, at);
  text[at] = quote;
  memcpy(text + at + 1, m->text + at, m->size - at);
  try_text(m, text, m->size + 1, at, -1);
  free(text);
}

static bool is_in_name(const Mend *m, uint32_t at) {
  return at < m->size && rlx_text_in_name(m->text[at]);
}

static uint32_t word_start(const Mend *m, uint32_t end) {
  while (end > 0 && is_in_name(m, end - 1)) end--;
  return end;
}

static uint32_t word_end(const Mend *m, uint32_t start) {
  while (is_in_name(m, start)) start++;
  return start;
}

/// A quote that a word lacks: the word stands directly before a string, or the string that begins with it ends directly
/// before another one, or never. Tries the text with it, at the first such place, and says that it is missing where it reads so.
static void try_missing_quote(Mend *m, RlxSyntaxProblem *slip) {
  for (uint32_t i = 0; i < m->size; i++) {
    const char quote = m->text[i];
    if (!is_quote(quote)) continue;
    uint32_t end = i + 1;
    while (end < m->size && m->text[end] != quote && m->text[end] != '\n') end++;
    const bool is_closed = end < m->size && m->text[end] == quote;
    const uint32_t before = word_start(m, i), behind = word_end(m, i + 1);
    const bool has_word_before = before < i && !(m->text[before] >= '0' && m->text[before] <= '9'),
               is_cut = !is_closed || is_in_name(m, end + 1);
    if (has_word_before || (is_cut && behind > i + 1 && behind < end)) {
      const uint32_t count = m->count;
      try_quoted(m, has_word_before ? before : behind, quote);
      if (m->count == count) return;
      *slip =
          (RlxSyntaxProblem){.span = has_word_before ? rlx_span(before, i) : rlx_span(i, behind),
                             .kind = RLX_SYNTAX_WANTED,
                             .place = has_word_before ? RLX_PLACE_BEFORE : RLX_PLACE_BEHIND,
                             .text = has_word_before ? "a quote is missing before this"
                                                     : "a quote is missing behind this",
                             .wanted = quote == '"' ? "\"" : "'"};
      return;
    }
    i = end;
  }
}

/// The brackets of the text that are open at its end are closed there, if that is all that is wrong.
static void try_closed(Mend *m) {
  char closers[RLX_MAX_OPEN_BRACKETS];
  uint32_t depth = 0;
  for (uint32_t i = 0; i < m->size; i++) {
    char c = m->text[i];
    if (is_quote(c)) {
      while (++i < m->size && m->text[i] != c) {
      }
    } else if (is_open(c)) {
      if (depth == sizeof closers) return;
      closers[depth++] = closing(c);
    } else if (is_close(c) && (!depth || closers[--depth] != c)) {
      return;
    }
  }
  if (!depth) return;
  char *text = rlx_mem_alloc(m->size + depth, 1);
  memcpy(text, m->text, m->size);
  for (uint32_t i = 0; i < depth; i++) text[m->size + i] = closers[depth - 1 - i];
  try_text(m, text, m->size + depth, m->size, 0);
  free(text);
}

/// What an editor puts in by itself when one bracket or quote is typed.
static bool is_empty_pair(const Mend *m, uint32_t at) {
  char c = m->text[at];
  if (at + 1 >= m->size || (at > 0 && m->text[at - 1] == c && is_quote(c))) return false;
  return is_open(c) ? m->text[at + 1] == closing(c) : is_quote(c) && m->text[at + 1] == c;
}

/// Tries the texts that lack one bracket or quote, or a pair of them that has nothing inside.
static void try_left_out(Mend *m) {
  const RlxUnit *unit = m->piece.unit;
  const char broken = unit->is_broken ? m->text[unit->broken.start] : 0;
  for (uint32_t i = 0; i < m->size; i++) {
    char c = m->text[i];
    bool is_twin = i > 0 && m->text[i - 1] == c; // leaving it out gives the same text again
    if (!unit->is_broken) {
      if (is_empty_pair(m, i)) try_without(m, i, 2);
    } else if (is_quote(broken) && is_quote(c) && !is_twin) {
      bool is_triple = i + 2 < m->size && m->text[i + 1] == c && m->text[i + 2] == c;
      try_without(m, i, is_triple ? 3 : 1);
    } else if (!is_quote(broken) && (is_open(c) || is_close(c)) && !is_twin) {
      try_without(m, i, 1);
    }
  }
}

static void start(Mend *m, RlxSyntax *s, const char *text, const RlxPiece *piece) {
  m->s = s;
  m->piece = (RlxPiece){.unit = piece->unit};
  m->text = text + piece->unit->start;
  m->size = piece->unit->end - piece->unit->start;
  m->end = &m->first;
}

/// What reading a text that is not the unit's must not change.
typedef struct Kept {
  bool is_silent;
  uint8_t uses;
} Kept;

static Kept hush(RlxSyntax *s) {
  const Kept kept = {s->is_silent, s->uses};
  s->is_silent = false;
  return kept;
}

static void restore(RlxSyntax *s, Kept kept) {
  s->is_silent = kept.is_silent;
  s->uses = kept.uses;
}

static bool has_open_string(const Mend *m) {
  return m->piece.unit->is_broken && is_quote(m->text[m->piece.unit->broken.start]);
}

RlxStmt *rlx_syntax_readings(RlxSyntax *s, const char *text, const RlxPiece *piece,
                             RlxSyntaxProblem *slip) {
  Mend m = {.is_head = false};
  start(&m, s, text, piece);
  if (piece->unit->is_decorated || m.size > MAX_BYTES) return NULL;
  const Kept kept = hush(s);
  if (has_open_string(&m)) try_missing_quote(&m, slip);
  try_left_out(&m);
  if (piece->unit->is_broken) try_closed(&m);
  restore(s, kept);
  return m.first;
}

/// The first of the equal bytes that stand together with the one at `at`: it is the one that is left out.
static uint32_t run_start(const Mend *m, uint32_t at) {
  if (at >= m->size) return at;
  while (at > 0 && m->text[at - 1] == m->text[at]) at--;
  return at;
}

/// The function has no name: the bracket of its parameters stands where one is expected.
static void say_nameless(const Mend *m, RlxSyntaxProblem *slip) {
  const uint32_t head = m->piece.unit->head - m->piece.unit->start;
  const char *open = memchr(m->text + head, '(', m->size - head);
  const uint32_t at = open ? (uint32_t)(open - m->text) : head;
  *slip = (RlxSyntaxProblem){.span = rlx_span(at, at + 1), .text = "a name is missing before this"};
}

/// The reading that is to be taken of those that leave something out: without the very bracket that the scanner found, or the only one.
static RlxStmt **choose_reading(const Mend *m, RlxStmt **first) {
  const RlxUnit *unit = m->piece.unit;
  const uint32_t broken = unit->is_broken ? unit->broken.start : UINT32_MAX;
  RlxStmt **named = first;
  while (*named && (*named)->left_out.start != run_start(m, broken)) named = &(*named)->reading;
  return *named || m->count != 1 ? named : first;
}

RlxStmt *rlx_syntax_head_reading(RlxSyntax *s, const char *text, const RlxPiece *piece,
                                 RlxSyntaxProblem *slip) {
  const RlxUnit *unit = piece->unit;
  Mend m = {.is_head = true};
  start(&m, s, text, piece);
  if (!unit->opens_suite || m.size > MAX_BYTES) return NULL;
  const Kept kept = hush(s);
  if (has_open_string(&m)) try_missing_quote(&m, slip);
  if (!unit->is_broken) try_text(&m, m.text, m.size, m.size, 0);
  if (m.first && !m.first->name) say_nameless(&m, slip);
  if (!m.first) {
    try_left_out(&m);
    RlxStmt **named = choose_reading(&m, &m.first), *reading = *named;
    if (reading) *named = reading->reading, reading->reading = NULL;
    rlx_syntax_free_readings(s, m.first);
    m.first = reading;
  }
  restore(s, kept);
  if (!m.first) return NULL;
  m.first->size = m.first->head_size = unit->end - unit->start;
  if (unit->colon) m.first->head_size = unit->colon + 1 - unit->start;
  return m.first;
}
