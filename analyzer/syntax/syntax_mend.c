/// What a simple statement with a syntax error can mean: the texts that one slip away from it would
/// be right. A bracket or a quote that was just typed is left out; brackets that are never closed are
/// closed at the end. Which of the readings hold is decided where they are evaluated (sweep.c), for
/// that takes names and operators. Of the head of a function, which a whole body hangs on, the reading
/// counts that leaves out what closes nothing, or the only one.
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

static void try_text(Mend *m, const char *text, uint32_t size, uint32_t hole, uint32_t hole_size) {
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
  stmt->is_mended = m->is_head || hole_size > 0;
  if (m->is_head) stmt->left_out = rlx_span(hole, hole + hole_size);
  *m->end = stmt;
  m->end = &stmt->reading;
  m->count++;
}

static void try_without(Mend *m, uint32_t at, uint32_t count) {
  char *text = rlx_mem_alloc(m->size, 1);
  memcpy(text, m->text, at);
  memcpy(text + at, m->text + at + count, m->size - at - count);
  try_text(m, text, m->size - count, at, count);
  free(text);
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

static RlxStmt *readings(RlxSyntax *s, const char *text, const RlxPiece *piece, Mend *m) {
  const RlxUnit *unit = piece->unit;
  m->s = s;
  m->piece = (RlxPiece){.unit = piece->unit};
  m->text = text + unit->start;
  m->size = unit->end - unit->start;
  m->end = &m->first;
  if (m->size > MAX_BYTES) return NULL;
  const bool is_silent = s->is_silent;
  const uint8_t uses = s->uses;
  s->is_silent = false;
  try_left_out(m);
  if (unit->is_broken && !m->is_head) try_closed(m);
  s->is_silent = is_silent;
  s->uses = uses;
  return m->first;
}

RlxStmt *rlx_syntax_readings(RlxSyntax *s, const char *text, const RlxPiece *piece) {
  Mend m = {.is_head = false};
  return piece->unit->is_decorated ? NULL : readings(s, text, piece, &m);
}

/// The first of the equal bytes that stand together with the one at `at`: it is the one that is left out.
static uint32_t run_start(const Mend *m, uint32_t at) {
  if (at >= m->size) return at;
  while (at > 0 && m->text[at - 1] == m->text[at]) at--;
  return at;
}

RlxStmt *rlx_syntax_head_reading(RlxSyntax *s, const char *text, const RlxPiece *piece) {
  const RlxUnit *unit = piece->unit;
  Mend m = {.is_head = true};
  RlxStmt *first = unit->opens_suite ? readings(s, text, piece, &m) : NULL;
  RlxStmt **named = &first; // without the very bracket that the scanner found
  const uint32_t broken = unit->is_broken ? unit->broken.start : UINT32_MAX;
  while (*named && (*named)->left_out.start != run_start(&m, broken)) named = &(*named)->reading;
  if (!*named && m.count == 1) named = &first;
  RlxStmt *reading = *named;
  if (reading) *named = reading->reading, reading->reading = NULL;
  rlx_syntax_free_readings(s, first);
  if (!reading) return NULL;
  reading->size = reading->head_size = unit->end - unit->start;
  if (unit->colon) reading->head_size = unit->colon + 1 - unit->start;
  return reading;
}
