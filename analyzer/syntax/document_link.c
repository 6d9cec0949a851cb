/// From units to suites. A suite is every following line that is indented deeper than its head:
/// irregular indentation is noted, and changes nothing else. Clauses find their statement by
/// standing below it at the same indentation. Always true afterwards: the blocks hold exactly the
/// statements of the units, in order; a block whose statements changed has a splice, unless it is
/// new as a whole.
#include <stdlib.h>
#include <string.h>

#include "analyzer/syntax/document_impl.h"
#include "base/mem.h"

/// An elif is a statement inside the one before: this bounds how deep that goes.
enum { MAX_ELIFS = 500 };

void rlx_document_resolve_cases(RlxDocument *doc) {
  typedef struct {
    int32_t wide;
    uint8_t kind;
  } Level;
  Level levels[RLX_MAX_INDENTATION_LEVELS + 1] = {{-1, RLX_LINE_SIMPLE}};
  uint32_t depth = 0;
  for (uint32_t i = 0; i < doc->units.count; i++) {
    RlxUnit *unit = &doc->units.at[i];
    while (depth > 0 && unit->wide <= levels[depth].wide) depth--;
    if (unit->is_case_line) {
      uint8_t kind = levels[depth].kind == RLX_LINE_MATCH ? RLX_LINE_CASE : RLX_LINE_SIMPLE;
      if (kind != unit->kind) {
        if (unit->is_parsed || unit->suite) {
          RlxUnit old = *unit;
          rlx_vec_push(&doc->replaced, old);
          rlx_unit_empty(unit);
        }
        unit->kind = kind;
      }
    }
    if (rlx_unit_opens(unit) && depth < RLX_MAX_INDENTATION_LEVELS) {
      depth++;
      levels[depth].wide = unit->wide;
      levels[depth].kind = unit->kind;
    }
  }
}

void rlx_unit_misuses(RlxUnit *unit, RlxSurrounding in) {
  uint8_t bad = in.function ? RLX_USES_STAR : RLX_USES_RETURN | RLX_USES_YIELD;
  if (!in.any_function) bad |= RLX_USES_NONLOCAL;
  if (!in.async_function) bad |= RLX_USES_AWAIT;
  if (!in.loop) bad |= RLX_USES_BREAK | RLX_USES_CONTINUE;
  unit->misuses = unit->uses & bad;
  if (unit->misuses) unit->flaws |= RLX_FLAW_CONTEXT;
}

/// Whether one of the suites around is a function's.
static bool is_in_function(const RlxDocument *doc) {
  for (uint32_t i = doc->frames.count; i-- > 0;)
    if (doc->frames.at[i].in_function) return true;
  return false;
}

static RlxFrame *top(RlxDocument *doc) { return &rlx_vec_last(&doc->frames); }

void rlx_block_mark_docstring(RlxBlock *block) {
  const RlxStmt *owner = block->parent;
  bool may = !owner || ((owner->kind == RLX_STMT_DEF || owner->kind == RLX_STMT_CLASS) &&
                        owner->body == block);
  if (!block->count) return;
  RlxStmt *stmt = block->stmts[0];
  stmt->is_docstring =
      may && stmt->kind == RLX_STMT_EXPR && stmt->value && stmt->value->kind == RLX_AST_STRING;
}

static void drop_block(RlxDocument *doc, RlxBlock *block);

/// The results in and below a statement that moved to another suite no longer hold.
static void drop_results(RlxDocument *doc, RlxStmt *stmt) {
  drop_block(doc, stmt->body);
  drop_block(doc, stmt->orelse);
  for (uint32_t i = 0; i < stmt->block_count; i++) drop_block(doc, stmt->blocks[i]);
  if (doc->drop) doc->drop(stmt, doc->drop_data);
  stmt->analysis = NULL;
}

static void drop_block(RlxDocument *doc, RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) drop_results(doc, block->stmts[i]);
}

static void note_splice(RlxDocument *doc, const RlxFrame *frame, RlxSplice splice) {
  rlx_vec_push(&doc->splices, splice);
  rlx_vec_push(&doc->splice_orders, frame->order);
}

/// Gives a block its statements; what differs from before becomes a splice.
static void settle_block(RlxDocument *doc, const RlxFrame *frame, RlxStmt *const *stmts,
                         uint32_t count) {
  RlxBlock *block = frame->block;
  uint32_t same = 0, tail = 0, old_count = block->count;
  while (same < count && same < old_count && stmts[same] == block->stmts[same]) same++;
  while (tail < count - same && tail < old_count - same &&
         stmts[count - 1 - tail] == block->stmts[old_count - 1 - tail])
    tail++;
  bool changed = same + tail != count || same + tail != old_count;
  if (changed && !frame->was_fresh)
    note_splice(doc, frame, (RlxSplice){block, same, old_count - same - tail, count - same - tail});
  if (count > block->capacity) {
    block->stmts = rlx_mem_resize(block->stmts, count, sizeof *block->stmts);
    block->capacity = count;
  }
  if (count) memcpy(block->stmts, stmts, count * sizeof *stmts);
  block->count = count;
  // What did not move is not touched: it may be a whole model.
  uint32_t last = count == old_count ? count - tail : count;
  for (uint32_t i = same; i < last; i++) {
    RlxStmt *stmt = stmts[i];
    if (stmt->block && stmt->block != block) drop_results(doc, stmt);
    stmt->block = block;
    stmt->index = i;
    stmt->is_docstring = false;
  }
  rlx_block_mark_docstring(block);
}

/// A statement reaches to `end`, and so do those that it is an elif of.
static void extend(RlxStmt *stmt, uint32_t end) {
  for (;;) {
    stmt->size = end - stmt->start;
    if (!stmt->is_elif) return;
    stmt = stmt->block->parent;
  }
}

/// `stmt` has another clause than before, or lost one. A statement that is new is told of by itself.
static void note_clause(RlxDocument *doc, RlxStmt *stmt) {
  if (stmt->block) rlx_vec_push(&doc->reclaused, stmt);
}

/// The chain of the frame ends here.
static void end_chain(RlxDocument *doc, RlxFrame *frame) {
  if (frame->had_else) note_clause(doc, frame->had_else);
  frame->had_else = NULL;
}

/// Ends the innermost suite; `end` is where its last token ends.
static void pop_frame(RlxDocument *doc, uint32_t end) {
  end_chain(doc, top(doc));
  RlxFrame frame = rlx_vec_pop(&doc->frames);
  settle_block(doc, &frame, doc->linked.at + frame.linked_from,
               doc->linked.count - frame.linked_from);
  doc->linked.count = frame.linked_from;
  if (frame.owner) extend(frame.owner, end);
}

static RlxBlock *block_of(RlxBlock **slot) {
  if (!*slot) *slot = rlx_mem_zeroed(1, sizeof **slot);
  return *slot;
}

/// Begins the suite of unit `i`, or takes the one on its line as it is.
static void enter_suite(RlxDocument *doc, uint32_t i, RlxBlock *block, RlxStmt *owner) {
  RlxUnit *unit = &doc->units.at[i];
  const RlxFrame *outer = top(doc);
  bool was_fresh = block->parent == NULL && block->count == 0;
  const bool may_keep =
      unit->kind == RLX_LINE_DEF || unit->kind == RLX_LINE_CLASS || unit->kind == RLX_LINE_WITH;
  if (doc->moved && may_keep && block->parent && block->parent != owner)
    doc->moved(block->parent, owner, doc->drop_data);
  block->parent = owner;
  RlxFrame frame = {.block = block,
                    .owner = owner,
                    .linked_from = doc->linked.count,
                    .order = i + 1,
                    .header_wide = unit->wide,
                    .header_narrow = unit->narrow,
                    .header_kind = unit->kind,
                    .is_empty = true,
                    .was_fresh = was_fresh,
                    .in_function = outer->in_function,
                    .is_async = outer->is_async,
                    .in_loop = outer->in_loop};
  switch (unit->kind) {
  case RLX_LINE_DEF:
    frame.in_function = true;
    frame.is_async = owner->is_async;
    frame.in_loop = false;
    break;
  case RLX_LINE_CLASS: frame.in_function = frame.is_async = frame.in_loop = false; break;
  case RLX_LINE_FOR:
  case RLX_LINE_WHILE: frame.in_loop = true; break;
  default: break;
  }
  if (!rlx_unit_opens(unit)) {
    for (uint32_t k = 0; k < block->count; k++) {
      block->stmts[k]->block = block;
      block->stmts[k]->index = k;
    }
    rlx_block_mark_docstring(block);
    return;
  }
  if (doc->frames.count > RLX_MAX_INDENTATION_LEVELS) {
    unit->flaws |= RLX_FLAW_TOO_DEEP;
    frame.linked_from = doc->linked.count;
    settle_block(doc, &frame, NULL, 0);
    return;
  }
  rlx_vec_push(&doc->frames, frame);
}

static void add_block(RlxStmt *owner, RlxBlock *block) {
  owner->blocks = rlx_mem_resize(owner->blocks, owner->block_count + 1, sizeof *owner->blocks);
  owner->blocks[owner->block_count++] = block;
}

/// Is the indentation of the next line in this suite what CPython would accept?
static bool is_regular(RlxFrame *frame, const RlxUnit *unit) {
  bool good = true;
  if (frame->is_empty) {
    frame->wide = frame->header_wide < 0 ? 0 : unit->wide;
    frame->narrow = frame->header_wide < 0 ? 0 : unit->narrow;
    good = frame->header_wide < 0 ? unit->wide == 0 : unit->narrow > frame->header_narrow;
    frame->is_empty = false;
  } else if (unit->wide == frame->wide) {
    good = unit->narrow == frame->narrow;
  } else {
    good = unit->wide == frame->last_wide;
  }
  frame->last_wide = unit->wide;
  return good;
}

/// May `kind` follow what the statement of the frame's chain has so far?
static bool clause_fits(const RlxDocument *doc, const RlxFrame *frame, const RlxUnit *unit) {
  if (!frame->chain) return false;
  const RlxUnit *head = &doc->units.at[frame->chain - 1];
  const RlxUnit *last = &doc->units.at[frame->last_clause - 1];
  if (head->wide != unit->wide) return false;
  switch ((RlxLineKind)unit->kind) {
  case RLX_LINE_ELIF: return head->kind == RLX_LINE_IF && last->kind != RLX_LINE_ELSE;
  case RLX_LINE_ELSE:
    if (head->kind == RLX_LINE_TRY) return last->kind == RLX_LINE_EXCEPT;
    return (head->kind == RLX_LINE_IF || head->kind == RLX_LINE_FOR ||
            head->kind == RLX_LINE_WHILE) &&
           last->kind != RLX_LINE_ELSE;
  case RLX_LINE_EXCEPT:
    return head->kind == RLX_LINE_TRY &&
           (last->kind == RLX_LINE_TRY || last->kind == RLX_LINE_EXCEPT);
  case RLX_LINE_FINALLY: return head->kind == RLX_LINE_TRY && last->kind != RLX_LINE_FINALLY;
  case RLX_LINE_CASE:
  case RLX_LINE_SIMPLE:
  case RLX_LINE_DECORATOR:
  case RLX_LINE_DEF:
  case RLX_LINE_CLASS:
  case RLX_LINE_IF:
  case RLX_LINE_WHILE:
  case RLX_LINE_FOR:
  case RLX_LINE_WITH:
  case RLX_LINE_TRY:
  case RLX_LINE_MATCH: return false;
  }
  return false;
}

/// `except*`, which must not stand beside `except`.
static bool is_group(const RlxDocument *doc, const RlxUnit *unit) {
  const char *text = rlx_buf_text(&doc->text);
  uint32_t at = unit->start + 6;
  while (at < unit->end && (text[at] == ' ' || text[at] == '\t')) at++;
  return at < unit->end && text[at] == '*';
}

/// The statement that the last clause so far belongs to: for elif and else the latest elif.
static RlxStmt *chain_stmt(const RlxDocument *doc, const RlxFrame *frame) {
  const RlxUnit *head = &doc->units.at[frame->chain - 1],
                *last = &doc->units.at[frame->last_clause - 1];
  const RlxUnit *unit = last->kind == RLX_LINE_ELIF ? last : head;
  return unit->stmt_count ? rlx_unit_stmts(unit)[0] : NULL;
}

static uint32_t count_elifs(const RlxStmt *stmt) {
  uint32_t count = 0;
  for (; stmt && stmt->is_elif; stmt = stmt->block->parent) count++;
  return count;
}

/// Forgets the `else` that the newest statement of the chain had; who had one either has one again or is noted.
static void begin_chain(RlxFrame *frame, RlxStmt *stmt) {
  frame->had_else = stmt->orelse ? stmt : NULL;
  stmt->orelse = NULL;
}

/// A suite that becomes a clause of `outer` and was none of it before.
static void follow_clause(RlxDocument *doc, RlxFrame *frame, RlxStmt *outer, RlxBlock *block) {
  frame->had_else = frame->had_else == outer ? NULL : frame->had_else;
  if (block->parent == outer) return;
  note_clause(doc, outer);
  if (block->parent) drop_block(doc, block);
}

/// A clause without its statement gets one of its own.
static void link_stray(RlxDocument *doc, uint32_t i) {
  RlxUnit *unit = &doc->units.at[i];
  RlxFrame *frame = top(doc);
  unit->flaws |= RLX_FLAW_STRAY;
  RlxStmt *stmt = unit->stmt_count ? rlx_unit_stmts(unit)[0] : unit->stray;
  if (!stmt) stmt = unit->stray = rlx_syntax_make_hole(doc->syntax, unit);
  rlx_vec_push(&doc->linked, stmt);
  end_chain(doc, frame);
  frame->chain = frame->last_clause = 0;
  stmt->body = block_of(&unit->suite);
  stmt->orelse = NULL;
  stmt->is_elif = false;
  stmt->size = unit->end - unit->start;
  enter_suite(doc, i, stmt->body, stmt);
}

static void link_elif(RlxDocument *doc, uint32_t i, RlxStmt *outer) {
  RlxUnit *unit = &doc->units.at[i];
  RlxStmt *stmt = rlx_unit_stmts(unit)[0];
  RlxBlock *wrap = block_of(&unit->wrap);
  RlxFrame frame = {
      .block = wrap, .owner = outer, .order = i + 1, .was_fresh = wrap->parent == NULL};
  RlxFrame *around = top(doc);
  if (around->had_else == outer) around->had_else = NULL;
  if (wrap->parent != outer) note_clause(doc, outer);
  bool has_moved = (wrap->parent && wrap->parent != outer) || (stmt->block && stmt->block != wrap);
  if (has_moved) drop_results(doc, stmt);
  stmt->block = wrap; // while it was a stray, the wrap stood aside with its old content
  stmt->index = 0;
  stmt->is_docstring = false;
  wrap->parent = outer;
  outer->orelse = wrap;
  settle_block(doc, &frame, &stmt, 1);
  stmt->body = block_of(&unit->suite);
  begin_chain(around, stmt);
  stmt->is_elif = true;
  extend(stmt, unit->end);
  enter_suite(doc, i, stmt->body, stmt);
}

/// A clause that has found its statement needs no stand-in any more.
static void forget_stray(RlxDocument *doc, RlxUnit *unit) {
  if (unit->stray) rlx_vec_push(&doc->replaced, (RlxUnit){.stray = unit->stray, .is_parsed = true});
  unit->stray = NULL;
}

static void link_clause(RlxDocument *doc, uint32_t i) {
  RlxUnit *unit = &doc->units.at[i];
  RlxFrame *frame = top(doc);
  if (unit->kind == RLX_LINE_CASE && frame->header_kind == RLX_LINE_MATCH) {
    RlxStmt *owner = frame->owner;
    RlxBlock *block = block_of(&unit->suite);
    forget_stray(doc, unit);
    follow_clause(doc, frame, owner, block);
    add_block(owner, block);
    extend(owner, unit->end);
    enter_suite(doc, i, block, owner);
    return;
  }
  RlxStmt *outer = clause_fits(doc, frame, unit) ? chain_stmt(doc, frame) : NULL;
  if (!outer ||
      (unit->kind == RLX_LINE_ELIF && (!unit->stmt_count || count_elifs(outer) >= MAX_ELIFS))) {
    link_stray(doc, i);
    return;
  }
  const RlxUnit *last = &doc->units.at[frame->last_clause - 1];
  if (unit->kind == RLX_LINE_EXCEPT && last->kind == RLX_LINE_EXCEPT &&
      is_group(doc, unit) != is_group(doc, last))
    unit->flaws |= RLX_FLAW_MIXED;
  frame->last_clause = i + 1;
  forget_stray(doc, unit);
  if (unit->kind == RLX_LINE_ELIF) {
    link_elif(doc, i, outer);
    return;
  }
  RlxBlock *block = block_of(&unit->suite);
  follow_clause(doc, frame, outer, block);
  if (outer->kind == RLX_STMT_TRY)
    add_block(outer, block);
  else
    outer->orelse = block;
  extend(outer, unit->end);
  enter_suite(doc, i, block, outer);
}

/// A unit that is statements of its own.
static void link_statements(RlxDocument *doc, uint32_t i) {
  RlxUnit *unit = &doc->units.at[i];
  RlxFrame *frame = top(doc);
  if (frame->header_kind == RLX_LINE_MATCH && frame->owner) unit->flaws |= RLX_FLAW_STRAY;
  const uint32_t own = rlx_unit_own_count(unit);
  for (uint32_t k = 0; k < own; k++) rlx_vec_push(&doc->linked, rlx_unit_stmts(unit)[k]);
  end_chain(doc, frame);
  frame->chain = frame->last_clause = 0;
  if (unit->kind == RLX_LINE_SIMPLE || unit->kind == RLX_LINE_DECORATOR || !unit->stmt_count)
    return;
  RlxStmt *stmt = rlx_unit_stmts(unit)[0];
  frame->chain = frame->last_clause = i + 1;
  stmt->size = unit->end - unit->start;
  begin_chain(frame, stmt);
  stmt->block_count = 0;
  stmt->body = block_of(&unit->suite);
  enter_suite(doc, i, stmt->body, stmt);
  for (uint32_t k = own; k < unit->stmt_count; k++)
    rlx_vec_push(&doc->linked, rlx_unit_stmts(unit)[k]);
}

/// Flaws that show only when the next unit is known: an empty suite, a try without handler.
static void check_chain(RlxDocument *doc, const RlxFrame *frame) {
  if (!frame->chain) return;
  RlxUnit *head = &doc->units.at[frame->chain - 1];
  if (head->kind == RLX_LINE_TRY && frame->last_clause == frame->chain)
    head->flaws |= RLX_FLAW_NO_HANDLER;
}

static int compare_orders(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/// Outermost suite first.
static void sort_splices(RlxDocument *doc) {
  typedef struct {
    uint32_t order, at;
  } Key;
  uint32_t count = doc->splices.count;
  if (count < 2) return;
  Key *keys = rlx_mem_alloc(count, sizeof *keys);
  RlxSplice *copy = rlx_mem_alloc(count, sizeof *copy);
  memcpy(copy, doc->splices.at, count * sizeof *copy);
  for (uint32_t i = 0; i < count; i++) keys[i] = (Key){doc->splice_orders.at[i], i};
  qsort(keys, count, sizeof *keys, compare_orders);
  for (uint32_t i = 0; i < count; i++) doc->splices.at[i] = copy[keys[i].at];
  free(copy);
  free(keys);
}

void rlx_document_link(RlxDocument *doc) {
  rlx_vec_clear(&doc->linked);
  rlx_vec_clear(&doc->frames);
  rlx_vec_push(&doc->frames, (RlxFrame){.block = &doc->root, .header_wide = -1, .is_empty = true});
  uint32_t end = 0;
  for (uint32_t i = 0; i < doc->units.count; i++) {
    RlxUnit *unit = &doc->units.at[i];
    unit->flaws = 0;
    while (unit->wide <= top(doc)->header_wide) {
      check_chain(doc, top(doc));
      pop_frame(doc, end);
    }
    RlxFrame *frame = top(doc);
    if (i > 0 && rlx_unit_opens(&doc->units.at[i - 1]) && doc->units.at[i - 1].colon &&
        unit->wide <= doc->units.at[i - 1].wide)
      doc->units.at[i - 1].flaws |= RLX_FLAW_NO_SUITE;
    if (!is_regular(frame, unit)) unit->flaws |= RLX_FLAW_INDENTATION;
    if (i > 0 && doc->units.at[i - 1].has_lines_below) unit->flaws |= RLX_FLAW_BELOW_LINE;
    unit->misuses = 0;
    if (unit->uses)
      rlx_unit_misuses(unit, (RlxSurrounding){frame->in_function, is_in_function(doc),
                                              frame->is_async, frame->in_loop});
    bool is_clause = rlx_unit_is_clause(unit);
    if (!is_clause) check_chain(doc, frame);
    if (is_clause)
      link_clause(doc, i);
    else
      link_statements(doc, i);
    end = unit->end;
  }
  if (doc->units.count) {
    RlxUnit *last = &rlx_vec_last(&doc->units);
    if (rlx_unit_opens(last) && last->colon) last->flaws |= RLX_FLAW_NO_SUITE;
  }
  while (doc->frames.count) {
    check_chain(doc, top(doc));
    pop_frame(doc, end);
  }
  doc->troubled = 0;
  for (uint32_t i = 0; i < doc->units.count; i++)
    doc->troubled += rlx_unit_is_troubled(&doc->units.at[i]) ? 1 : 0;
  sort_splices(doc);
  rlx_vec_clear(&doc->splice_orders);
}
