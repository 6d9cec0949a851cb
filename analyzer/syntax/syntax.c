/// Runs of units through tree-sitter. See syntax.h for what always holds.
#include "analyzer/syntax/syntax.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/syntax/stmt_text.h"
#include "analyzer/syntax/syntax_impl.h"
#include "base/bug.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"
#include "grammar/budget.h"
#include "grammar/check.h"
#include "grammar/grammar.h"

enum { WINDOW_UNITS = 128, WINDOW_BYTES = 32 * 1024 };

RlxSyntax *rlx_syntax_new(RlxStore *store) {
  RlxSyntax *s = rlx_mem_zeroed(1, sizeof *s);
  s->store = store;
  s->names = rlx_store_names(store);
  s->future = rlx_intern_text(s->names, "__future__");
  // Never NULL, so that `at + 0` is an address.
  rlx_vec_reserve(&s->kids, 1);
  rlx_vec_reserve(&s->ops, 1);
  rlx_vec_reserve(&s->made, 1);
  rlx_vec_reserve(&s->params, 1);
  rlx_vec_reserve(&s->imports, 1);
  rlx_vec_reserve(&s->items, 1);
  rlx_vec_reserve(&s->type_params, 1);
  s->parser = ts_parser_new();
  if (rlx_never(!ts_parser_set_language(s->parser, tree_sitter_tvmscript()))) return s;
  return s;
}

void rlx_syntax_free(RlxSyntax *s) {
  if (!s) return;
  ts_parser_delete(s->parser);
  rlx_buf_free(&s->buffer);
  rlx_buf_free(&s->bytes);
  rlx_buf_free(&s->key);
  rlx_vec_free(&s->pieces);
  rlx_vec_free(&s->kids);
  rlx_vec_free(&s->ops);
  rlx_vec_free(&s->made);
  rlx_vec_free(&s->params);
  rlx_vec_free(&s->imports);
  rlx_vec_free(&s->items);
  rlx_vec_free(&s->type_params);
  rlx_vec_free(&s->problems);
  for (uint32_t i = 0; i < s->slabs.count; i++) free(s->slabs.at[i]);
  rlx_vec_free(&s->slabs);
  free(s);
}

uint64_t rlx_syntax_parsed_bytes(const RlxSyntax *s) { return s->parsed_bytes; }

RlxStmt *rlx_syntax_make_hole(RlxSyntax *s, const RlxUnit *unit) {
  RlxStmt *stmt = rlx_stmt_alloc(s);
  stmt->kind = RLX_STMT_HOLE;
  stmt->arena = rlx_arena_new_sized(64);
  stmt->start = unit->start;
  stmt->line = unit->line;
  stmt->size = unit->end - unit->start;
  stmt->head_size = unit->colon ? unit->colon + 1 - unit->start : stmt->size;
  stmt->text_hash = unit->hash;
  stmt->has_error = true;
  return stmt;
}

// ---- the buffer ----

/// The head of a clause that tree-sitter would not take alone.
static bool is_bare_clause(const RlxUnit *unit) {
  return unit->kind == RLX_LINE_ELSE || unit->kind == RLX_LINE_FINALLY ||
         unit->kind == RLX_LINE_TRY;
}

/// Copies decorators and head with their indentation taken away: what stands between two logical
/// lines becomes blanks and one line end, so that offsets stay.
static void put_decorated(RlxSyntax *s, const char *text, const RlxUnit *unit) {
  uint32_t at = unit->start;
  RlxLogicalLine line;
  for (uint32_t from = unit->line_start;
       at < unit->end && rlx_logical_line_next(text, unit->end, from, &line); from = line.next) {
    if (line.start > at) {
      rlx_buf_repeat(&s->buffer, ' ', line.start - at - 1);
      rlx_buf_putc(&s->buffer, '\n');
    }
    rlx_buf_putn(&s->buffer, text + line.start, line.end - line.start);
    at = line.end;
  }
}

/// What goes behind a unit's text to make it whole.
static const char *suffix_of(const RlxUnit *unit) {
  if (unit->kind == RLX_LINE_SIMPLE || is_bare_clause(unit)) return "\n";
  if (unit->kind == RLX_LINE_DECORATOR) return "\nclass _:pass\n";
  if (unit->kind == RLX_LINE_MATCH) return "\n case _:pass\n";
  if (!unit->opens_suite) return "\n";
  return unit->colon ? "pass\n" : ":pass\n";
}

static void put_piece(RlxSyntax *s, const char *text, RlxUnit *unit) {
  RlxPiece piece = {.unit = unit, .begin = (uint32_t)s->buffer.size};
  if (unit->kind == RLX_LINE_ELIF) piece.skipped = 2;
  if (is_bare_clause(unit))
    piece.skipped = (unit->colon ? unit->colon + 1 : unit->end) - unit->start;
  if (unit->kind == RLX_LINE_EXCEPT) rlx_buf_puts(&s->buffer, "try:pass\n");
  if (unit->kind == RLX_LINE_CASE) rlx_buf_puts(&s->buffer, "match _:\n ");
  piece.text = (uint32_t)s->buffer.size;
  if (unit->is_decorated) {
    put_decorated(s, text, unit);
  } else {
    uint32_t start = unit->start + piece.skipped;
    // Blanks before a suite on the line of a bare clause would be indentation.
    while (is_bare_clause(unit) && start < unit->end &&
           (text[start] == ' ' || text[start] == '\t' || text[start] == '\f'))
      start++, piece.skipped++;
    rlx_buf_putn(&s->buffer, text + start, unit->end - start);
  }
  rlx_buf_puts(&s->buffer, suffix_of(unit));
  piece.end = (uint32_t)s->buffer.size;
  rlx_vec_push(&s->pieces, piece);
}

// ---- results ----

static void take_statements(RlxSyntax *s, RlxUnit *unit, uint32_t from) {
  uint32_t count = s->made.count - from;
  if (count > UINT16_MAX) { // of one line: the rest is left out
    rlx_vec_push(&s->problems, ((RlxSyntaxProblem){.span = rlx_span(0, 0),
                                                   .text = "too many statements on a line"}));
    while (s->made.count - from > UINT16_MAX) rlx_syntax_free_stmt(s, rlx_vec_pop(&s->made));
    count = UINT16_MAX;
  }
  unit->stmt_count = (uint16_t)count;
  if (count == 1) {
    unit->one = s->made.at[from];
  } else if (count > 1) {
    unit->many = rlx_mem_alloc(count, sizeof *unit->many);
    memcpy(unit->many, s->made.at + from, count * sizeof *unit->many);
  }
  s->made.count = from;
}

/// Problems go to the unit, and those of the first statement's own part to the statement.
static void take_problems(RlxSyntax *s, RlxUnit *unit) {
  unit->uses = s->uses;
  unit->problem_count = s->problems.count;
  if (!s->problems.count) return;
  unit->problems = rlx_mem_alloc(s->problems.count, sizeof *unit->problems);
  memcpy(unit->problems, s->problems.at, s->problems.count * sizeof *unit->problems);
  if (unit->stmt_count == 0) return;
  for (uint32_t k = 0; k < unit->stmt_count; k++) {
    RlxStmt *stmt = rlx_unit_stmts(unit)[k];
    uint32_t base = stmt->start - unit->start, count = 0;
    stmt->errors = rlx_arena_array(stmt->arena, RlxSpan, unit->problem_count);
    for (uint32_t i = 0; i < unit->problem_count; i++) {
      RlxSpan span = unit->problems[i].span;
      bool is_last = k + 1u == unit->stmt_count, is_before = span.start < base && k > 0;
      if (is_before || (span.start >= base + stmt->head_size && !is_last)) continue;
      uint32_t start = span.start < base ? 0 : span.start - base,
               end = span.end < base ? 0 : span.end - base;
      if (start > stmt->head_size) start = stmt->head_size;
      if (end > stmt->head_size) end = stmt->head_size;
      stmt->errors[count++] = rlx_span(start, end < start ? start : end);
    }
    stmt->error_count = count;
  }
}

/// The clause that a unit's piece was made for, inside the statement that we made around it.
static void lower_clause(RlxSyntax *s, TSTreeCursor *cursor, const RlxPiece *piece) {
  RlxUnit *unit = piece->unit;
  RlxStmt *owner = rlx_stmt_begin(s, piece, RLX_STMT_HOLE, piece->text - piece->skipped,
                                  piece->text - piece->skipped + unit->end - unit->start);
  if (unit->colon) owner->head_size = unit->colon + 1 - unit->start;
  // The last clause of ours: try_statement > except_clause, match_statement > block > case_clause.
  bool is_case = unit->kind == RLX_LINE_CASE;
  uint32_t up = 0;
  bool found = ts_tree_cursor_goto_first_child(cursor);
  up += found ? 1 : 0;
  while (found) {
    TSSymbol symbol = ts_node_symbol(ts_tree_cursor_current_node(cursor));
    if (is_case && up == 1 && symbol == RLX_SYM_BLOCK) {
      found = ts_tree_cursor_goto_first_child(cursor);
      up += found ? 1 : 0;
      continue;
    }
    if (symbol == RLX_SYM_EXCEPT_CLAUSE || symbol == RLX_SYM_EXCEPT_GROUP_CLAUSE ||
        symbol == RLX_SYM_CASE_CLAUSE)
      break;
    found = ts_tree_cursor_goto_next_sibling(cursor);
  }
  if (found) rlx_check_patterns(s, ts_tree_cursor_current_node(cursor));
  if (found && ts_tree_cursor_goto_first_child(cursor)) {
    do {
      TSSymbol symbol = ts_node_symbol(ts_tree_cursor_current_node(cursor));
      if (symbol == RLX_SYM_BLOCK && !unit->opens_suite)
        rlx_lower_inline(s, cursor, piece, owner);
      else if (rlx_symbol_is_expr(symbol))
        rlx_lower_expr(s, cursor); // for its problems
    } while (ts_tree_cursor_goto_next_sibling(cursor));
    ts_tree_cursor_goto_parent(cursor);
  }
  for (; up > 0; up--) ts_tree_cursor_goto_parent(cursor);
  rlx_syntax_free_stmt(s, owner);
}

/// `try`, `else`, `finally`: is there nothing but blanks before the colon?
static void check_bare_head(RlxSyntax *s, const char *text, const RlxUnit *unit) {
  uint32_t at = unit->start, end = unit->colon ? unit->colon : unit->end;
  while (at < end && text[at] >= 'a' && text[at] <= 'z') at++;
  uint32_t word_end = at;
  while (at < end && (text[at] == ' ' || text[at] == '\t' || text[at] == '\f' || text[at] == '\\' ||
                      text[at] == '\n' || text[at] == '\r'))
    at++;
  if (at < end)
    rlx_vec_push(&s->problems,
                 ((RlxSyntaxProblem){.span = rlx_span(at - unit->start, end - unit->start),
                                     .text = "a colon is expected here"}));
  else if (!unit->colon)
    rlx_vec_push(&s->problems, ((RlxSyntaxProblem){.span = rlx_span(0, word_end - unit->start),
                                                   .text = "a colon is missing",
                                                   .kind = RLX_SYNTAX_WANTED,
                                                   .wanted = ":"}));
}

static void begin_unit(RlxSyntax *s) {
  s->uses = 0;
  s->unit_shift = 0;
  s->counted_in = NULL;
  s->is_silent = false;
  rlx_vec_clear(&s->problems);
  s->kids.count = 0;
  s->ops.count = 0;
}

static void finish_bare(RlxSyntax *s, const RlxPiece *piece, uint32_t made_from) {
  const RlxUnit *unit = piece->unit;
  rlx_take_inline(s, piece, made_from);
  if (unit->kind == RLX_LINE_TRY) {
    RlxStmt *stmt = rlx_stmt_by_hand(s, piece, RLX_STMT_TRY);
    rlx_vec_push(&s->made, stmt);
  }
}

static void complete(RlxSyntax *s, const char *text, RlxStmt *stmt) {
  rlx_stmt_complete(s, stmt);
  stmt->text_hash = rlx_hash_bytes(text + stmt->start, stmt->head_size, stmt->kind);
}

/// What both ways of lowering a piece end with. The unit's statements are in s->made from `from`
/// on.
static void finish_unit(RlxSyntax *s, const char *text, const RlxPiece *piece, uint32_t from) {
  RlxUnit *unit = piece->unit;
  if (is_bare_clause(unit)) finish_bare(s, piece, from);
  if (unit->kind == RLX_LINE_DECORATOR) {
    if (s->made.count > from) s->made.at[from]->kind = RLX_STMT_HOLE;
    if (!s->problems.count)
      rlx_vec_push(&s->problems,
                   ((RlxSyntaxProblem){.span = rlx_span(0, unit->end - unit->start),
                                       .text = "a decorator stands before `def` or `class`",
                                       .kind = RLX_SYNTAX_DECORATOR}));
  }
  bool wants_colon = unit->opens_suite && !unit->colon && unit->kind != RLX_LINE_SIMPLE &&
                     unit->kind != RLX_LINE_DECORATOR;
  if (wants_colon && !s->problems.count) {
    uint32_t end = unit->end - unit->start;
    rlx_vec_push(&s->problems, ((RlxSyntaxProblem){.span = rlx_span(end - 1, end),
                                                   .text = "a `:` is missing",
                                                   .kind = RLX_SYNTAX_WANTED,
                                                   .wanted = ":"}));
    if (s->made.count > from) s->made.at[from]->has_error = s->made.at[from]->is_mended = true;
  }
  for (uint32_t i = from; i < s->made.count; i++) complete(s, text, s->made.at[i]);
  for (uint32_t i = 0; unit->suite && !unit->opens_suite && i < unit->suite->count; i++)
    complete(s, text, unit->suite->stmts[i]);
  take_statements(s, unit, from);
  take_problems(s, unit);
  unit->is_parsed = true;
}

/// Lowers one piece; the cursor stands at its first node in the root and ends behind its last.
static void lower_piece(RlxSyntax *s, const char *text, TSTreeCursor *cursor, const RlxPiece *piece,
                        bool *more) {
  const RlxUnit *unit = piece->unit;
  uint32_t from = s->made.count;
  begin_unit(s);
  if (is_bare_clause(unit)) check_bare_head(s, text, unit);
  for (; *more; *more = ts_tree_cursor_goto_next_sibling(cursor)) {
    TSNode node = ts_tree_cursor_current_node(cursor);
    TSSymbol symbol = ts_node_symbol(node);
    if (ts_node_start_byte(node) >= piece->end) break;
    if (rlx_symbol_is_simple(symbol)) {
      rlx_lower_simple(s, cursor, piece);
    } else if (unit->kind == RLX_LINE_EXCEPT || unit->kind == RLX_LINE_CASE) {
      if (symbol == RLX_SYM_TRY_STATEMENT || symbol == RLX_SYM_MATCH_STATEMENT)
        lower_clause(s, cursor, piece);
    } else if (rlx_symbol_is_compound(symbol)) {
      RlxStmt *stmt = rlx_lower_compound(s, cursor, piece);
      rlx_vec_push(&s->made, stmt);
    }
  }
  finish_unit(s, text, piece, from);
}

/// Does the node at the root fit into the piece, as the only one unless they are simple statements?
static bool fits(const RlxPiece *piece, TSNode node, uint32_t nodes_before) {
  if (ts_node_end_byte(node) > piece->end) return false;
  TSSymbol symbol = ts_node_symbol(node);
  const RlxUnit *unit = piece->unit;
  bool wants_simple = unit->kind == RLX_LINE_SIMPLE || is_bare_clause(unit);
  if (rlx_symbol_is_simple(symbol)) return wants_simple;
  if (!rlx_symbol_is_compound(symbol)) return true; // punctuation, comments
  return !wants_simple && nodes_before == 0;
}

/// Is every piece exactly what it is meant to be, without errors?
static bool window_fits(RlxSyntax *s, TSNode root) {
  if (ts_node_has_error(root)) return false;
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  bool more = ts_tree_cursor_goto_first_child(&cursor), good = true;
  for (uint32_t i = 0; good && i < s->pieces.count; i++) {
    const RlxPiece *piece = &s->pieces.at[i];
    uint32_t count = 0;
    for (; good && more; more = ts_tree_cursor_goto_next_sibling(&cursor)) {
      TSNode node = ts_tree_cursor_current_node(&cursor);
      if (ts_node_start_byte(node) >= piece->end) break;
      good = fits(piece, node, count);
      TSSymbol symbol = ts_node_symbol(node);
      count += rlx_symbol_is_simple(symbol) || rlx_symbol_is_compound(symbol) ? 1 : 0;
    }
    const RlxUnit *unit = piece->unit;
    bool may_be_empty = is_bare_clause(unit) && unit->opens_suite;
    if (unit->is_broken || (count == 0 && !may_be_empty)) good = false;
  }
  ts_tree_cursor_delete(&cursor);
  return good;
}

static void lower_window(RlxSyntax *s, const char *text, TSNode root) {
  TSTreeCursor cursor = ts_tree_cursor_new(root);
  bool more = ts_tree_cursor_goto_first_child(&cursor);
  for (uint32_t i = 0; i < s->pieces.count; i++)
    lower_piece(s, text, &cursor, &s->pieces.at[i], &more);
  ts_tree_cursor_delete(&cursor);
}

enum { HOPELESS_DEPTH = 5000, HOPELESS_RUN = 20000, HOPELESS_LEFT = 2000 };

/// Would the parser hold so much of a text open that libtree-sitter breaks? (0.20 corrupts its heap
/// when an error takes in more than 65535 open nodes, and needs quadratic time on the way there.)
/// No script nests like that: brackets, or tokens without a comma or a closing bracket between
/// them.
static bool is_hopeless(const char *text, size_t size) {
  uint32_t depth = 0, run = 0;
  for (size_t i = 0; size > HOPELESS_DEPTH && i < size;) {
    char c = text[i];
    bool is_word = rlx_text_in_name(c);
    bool was_word =
        i > 0 && is_word && ((text[i - 1] >= 'a' && text[i - 1] <= 'z') || text[i - 1] == '_');
    if (c == '#')
      while (i < size && text[i] != '\n') i++;
    else if (c == '"' || c == '\'')
      i = rlx_string_end(text, size, i), run++;
    else {
      if (c == '(' || c == '[' || c == '{') depth++;
      if ((c == ')' || c == ']' || c == '}') && depth > 0) depth--;
      if (c == ',' || c == ')' || c == ']' || c == '}' || c == '\n')
        run = 0;
      else if (c != ' ' && c != '\t' && !was_word)
        run++;
      i++;
    }
    if (depth > HOPELESS_DEPTH || run > HOPELESS_RUN) return true;
  }
  return false;
}

/// Parses the first `size` bytes of the buffer, unless that takes too many looks: then NULL. The bound counts work and no
/// time, so that a busy machine gives the same tree as an idle one; the corpora take 1.2 looks for a byte, what fuzzers made
/// of them 3 and 30 errors. `errors`: how often the parser recovered from one.
static TSTree *parse_bounded(RlxSyntax *s, size_t size, uint64_t *errors) {
  enum { LOOKS = 1000000, LOOKS_OF_A_BYTE = 8 };
  RlxParseBudget budget = {.left = LOOKS + LOOKS_OF_A_BYTE * (uint64_t)size};
  tree_sitter_tvmscript_count_in(&budget);
  ts_parser_set_cancellation_flag(s->parser, &budget.is_spent);
  TSTree *tree = ts_parser_parse_string(s->parser, NULL, s->buffer.at, (uint32_t)size);
  tree_sitter_tvmscript_count_in(NULL);
  ts_parser_set_cancellation_flag(s->parser, NULL);
  *errors = budget.errors;
  if (tree && !budget.is_spent) return tree;
  if (tree) ts_tree_delete(tree); // spent between two looks at the flag
  ts_parser_reset(s->parser);
  return NULL;
}

/// Parses as much from the start of the buffer as has errors besides that of being cut there, but not too many, and cuts it;
/// NULL: no such part was found.
static TSTree *parse_start(RlxSyntax *s) {
  enum { LEAST = 1024, ERRORS_OF_A_CUT = 4, BYTES_MAX = 512 << 10 };
  size_t low = 0, high = s->buffer.size, parsed = 0; // `low` bytes have no errors, `high` too many
  for (size_t size = LEAST; low < size && size < high && parsed < BYTES_MAX;) {
    uint64_t errors;
    TSTree *tree = parse_bounded(s, size, &errors);
    parsed += size;
    if (tree && errors > ERRORS_OF_A_CUT) {
      rlx_buf_truncate(&s->buffer, size);
      return tree;
    }
    if (tree) ts_tree_delete(tree);
    *(tree ? &low : &high) = size;
    size = high < s->buffer.size ? low + (high - low) / 2 : size * 2;
  }
  return NULL;
}

/// A line that a backslash continues may end in "\r" alone, as any other; the grammar wants "\n" there.
static void join_lines(RlxSyntax *s) {
  char *at = s->buffer.at, *end = at + s->buffer.size;
  while ((at = memchr(at, '\r', (size_t)(end - at))) != NULL) {
    if (at > s->buffer.at && at[-1] == '\\' && (at + 1 == end || at[1] != '\n')) *at = '\n';
    at++;
  }
}

/// Parses the buffer. What has too many errors is cut behind the first ones, and sets `is_cut`. What tree-sitter cannot bear
/// is blotted out: an error to it, and recovered by hand.
static TSTree *parse_buffer(RlxSyntax *s, uint32_t units, bool *is_cut) {
  uint64_t errors;
  const bool is_bounded = units > 1 || rlx_text_is_bounded(s->buffer.at, (uint32_t)s->buffer.size);
  TSTree *tree = is_bounded ? parse_bounded(s, s->buffer.size, &errors) : NULL;
  if (!tree && is_bounded) {
    tree = parse_start(s);
    *is_cut |= tree != NULL;
  }
  if (tree) return tree;
  memset(s->buffer.at, ' ', s->buffer.size);
  s->buffer.at[0] = '?';
  return ts_parser_parse_string(s->parser, NULL, s->buffer.at, (uint32_t)s->buffer.size);
}

typedef enum WindowEnd {
  WINDOW_GOOD,   ///< each of the units is what it is meant to be
  WINDOW_BROKEN, ///< the only unit has an error; what can be recognised of it was lowered
  WINDOW_FAILED, ///< one of several units is at fault: nothing was done
} WindowEnd;

/// Parses some units together.
static WindowEnd parse_window(RlxSyntax *s, const char *text, RlxUnit *const *units,
                              uint32_t count) {
  rlx_buf_clear(&s->buffer);
  rlx_buf_putc(&s->buffer, '\n'); // tree-sitter would skip a byte order mark at the very start
  rlx_vec_clear(&s->pieces);
  for (uint32_t i = 0; i < count; i++) put_piece(s, text, units[i]);
  join_lines(s);
  bool hopeless = is_hopeless(s->buffer.at, s->buffer.size);
  if (hopeless && count > 1) return WINDOW_FAILED;
  if (hopeless) rlx_buf_truncate(&s->buffer, HOPELESS_LEFT);
  s->parsed_bytes += s->buffer.size;
  bool is_cut = hopeless;
  TSTree *kept = count == 1 && !hopeless ? rlx_kept_tree(s) : NULL;
  TSTree *tree = kept ? kept : parse_buffer(s, count, &is_cut);
  if (rlx_never(!tree)) return WINDOW_BROKEN;
  TSNode root = ts_tree_root_node(tree);
  WindowEnd end = WINDOW_FAILED;
  if (!is_cut && window_fits(s, root)) {
    lower_window(s, text, root);
    end = WINDOW_GOOD;
  } else if (count == 1) {
    uint32_t from = s->made.count;
    const bool is_whole = !is_cut && s->buffer.at[0] == '\n'; // nothing of it was blotted out
    if (is_whole && !kept) rlx_keep_tree(s, tree);
    begin_unit(s);
    s->is_silent = true;
    rlx_lower_broken(s, text, root, &s->pieces.at[0]);
    s->is_silent = false;
    if (hopeless && !s->problems.count)
      rlx_syntax_problem(s, rlx_span(0, HOPELESS_LEFT),
                         "this statement is nested too deeply to be read");
    finish_unit(s, text, &s->pieces.at[0], from);
    end = WINDOW_BROKEN;
  }
  ts_tree_delete(tree);
  return end;
}

void rlx_syntax_by_tree(RlxSyntax *s) { s->is_by_tree = true; }

/// Reads a unit by hand, if it is of the usual kind; `*piece` is where it stands.
static bool parse_by_hand(RlxSyntax *s, const char *text, RlxUnit *unit, RlxPiece *piece) {
  const bool is_def = unit->kind == RLX_LINE_DEF;
  *piece = (RlxPiece){.unit = unit};
  if (unit->is_broken || (!is_def && (unit->kind != RLX_LINE_SIMPLE || unit->is_decorated)))
    return false;
  if (is_def || memchr(text + unit->start, ';', unit->end - unit->start)) {
    rlx_buf_clear(&s->buffer);
    rlx_vec_clear(&s->pieces);
    put_piece(s, text, unit);
    *piece = s->pieces.at[0];
  }
  return is_def ? rlx_syntax_fast_def(s, piece) : rlx_syntax_fast(s, text, piece);
}

/// The units that are of the usual kind are done by hand; the others stay, in their order. Gives
/// how many do.
static uint32_t parse_usual(RlxSyntax *s, const char *text, RlxUnit *const *units, uint32_t count,
                            RlxUnit **left) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++) {
    RlxPiece piece;
    uint32_t from = s->made.count;
    begin_unit(s);
    if (parse_by_hand(s, text, units[i], &piece)) {
      s->parsed_bytes += units[i]->end - units[i]->start;
      finish_unit(s, text, &piece, from);
    } else {
      left[kept++] = units[i];
    }
  }
  return kept;
}

void rlx_syntax_parse(RlxSyntax *s, const char *text, RlxUnit *const *all, uint32_t all_count) {
  RlxUnit **units = rlx_mem_alloc(all_count ? all_count : 1, sizeof *units);
  uint32_t count = s->is_by_tree ? all_count : parse_usual(s, text, all, all_count, units);
  if (s->is_by_tree && all_count) memcpy(units, all, all_count * sizeof *units);
  // Windows get half as long when they fail and grow again: many broken units in a row are parsed
  // once each.
  for (uint32_t from = 0, most = WINDOW_UNITS; from < count;) {
    uint32_t to = from, bytes = 0;
    // A broken unit goes alone: it would only make its window fail.
    bool is_broken = units[from]->is_broken;
    while (to < count && to - from < most && bytes < WINDOW_BYTES &&
           !(to > from && (is_broken || units[to]->is_broken)))
      bytes += units[to]->end - units[to]->start, to++;
    WindowEnd end = parse_window(s, text, units + from, to - from);
    if (end == WINDOW_FAILED) {
      most = (to - from) / 2;
      continue;
    }
    if (end == WINDOW_GOOD && most < WINDOW_UNITS) most *= 2;
    from = to;
  }
  rlx_kept_clear(s);
  free(units);
}
