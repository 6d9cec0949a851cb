/// Edits. From the first unit that the edit can have changed, the text is scanned again until the
/// scan meets an old boundary after it. Units whose text is the same are kept, the others are
/// parsed, and the result is spliced in. Where the structure stays as it was (simple statements of
/// one block, or one head for another) only that block changes; otherwise all suites are put
/// together again from the units, which parses nothing.
#include <string.h>

#include "analyzer/syntax/document_impl.h"
#include "base/map.h"
#include "base/mem.h"

/// The edit being worked on. Old units [from, to) become doc->fresh; of these the first `head` and
/// the last `tail` are old ones kept.
typedef struct Edit {
  uint32_t from, to;
  uint32_t head, tail;
  int64_t bytes, lines; // by how much everything behind moves
  bool is_plain; // kept units before stayed in place, kept ones behind moved by exactly `bytes`
} Edit;

static uint32_t boundary(const RlxDocument *doc, uint32_t i) {
  return i ? doc->units.at[i - 1].next : 0;
}

/// The first unit whose scan looked at `start` or behind it.
static uint32_t first_touched(const RlxDocument *doc, uint32_t start) {
  uint32_t low = 0, high = doc->units.count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (doc->units.at[middle].next < start)
      low = middle + 1;
    else
      high = middle;
  }
  for (uint32_t i = 0; doc->far_looking && i < low; i++) {
    if (doc->units.at[i].looked >= start) return i;
  }
  return low && rlx_unit_has_suite_on_line(&doc->units.at[low - 1]) ? low - 1 : low;
}

static bool looks_far(const RlxUnit *unit) { return unit->looked > unit->next; }

/// Scans the new units and finds where the old ones go on.
static void scan(RlxDocument *doc, Edit *edit, uint32_t old_end, uint32_t new_end) {
  const char *text = rlx_buf_text(&doc->text);
  uint32_t size = (uint32_t)doc->text.size, at = boundary(doc, edit->from), old = edit->from;
  uint32_t line = rlx_lines_locate(&doc->lines, at).line;
  rlx_vec_clear(&doc->fresh);
  for (;;) {
    if (at >= new_end) {
      int64_t wanted = at - edit->bytes;
      while (old < doc->units.count && boundary(doc, old) < wanted) old++;
      // At the very start a byte order mark reads differently.
      if (boundary(doc, old) == wanted && wanted >= old_end && (at == 0) == (wanted == 0)) break;
    }
    RlxUnit unit;
    if (!rlx_unit_scan(text, size, at, &unit)) {
      old = doc->units.count;
      break;
    }
    while (line + 1 < doc->lines.starts.count && doc->lines.starts.at[line + 1] <= unit.start)
      line++;
    unit.line = line;
    rlx_vec_push(&doc->fresh, unit);
    at = unit.next;
  }
  edit->to = old;
}

static bool same_text(const RlxUnit *a, const RlxUnit *b) {
  bool same = a->hash == b->hash && a->end - a->start == b->end - b->start &&
              a->is_broken == b->is_broken && a->is_deep == b->is_deep &&
              a->opens_suite == b->opens_suite && a->is_case_line == b->is_case_line &&
              a->is_decorated == b->is_decorated && a->has_lines_below == b->has_lines_below;
  if (same && a->is_broken)
    same = a->broken.start == b->broken.start && a->broken.end == b->broken.end;
  return same && (a->colon ? a->colon - a->start : 0) == (b->colon ? b->colon - b->start : 0) &&
         a->head - a->start == b->head - b->start;
}

static bool same_place(const RlxUnit *a, const RlxUnit *b) {
  return a->wide == b->wide && a->narrow == b->narrow;
}

/// Moves what the old unit has made into the new one, which stands elsewhere.
static void keep(RlxDocument *doc, RlxUnit *fresh, RlxUnit *old) {
  RlxUnit place = *fresh;
  rlx_unit_shift(old, (int64_t)place.start - old->start, (int64_t)place.line - old->line);
  *fresh = *old;
  fresh->line_start = place.line_start;
  fresh->next = place.next;
  fresh->looked = place.looked;
  fresh->wide = place.wide;
  fresh->narrow = place.narrow;
  doc->stats.kept_statements += fresh->stmt_count;
}

/// Keeps the equal units at both ends of what was scanned.
static void keep_ends(RlxDocument *doc, Edit *edit) {
  uint32_t old_count = edit->to - edit->from, count = doc->fresh.count,
           most = old_count < count ? old_count : count;
  RlxUnit *old = doc->units.at + edit->from, *fresh = doc->fresh.at;
  edit->is_plain = true;
  while (edit->head < most && same_text(&old[edit->head], &fresh[edit->head]) &&
         same_place(&old[edit->head], &fresh[edit->head])) {
    edit->is_plain &= old[edit->head].start == fresh[edit->head].start;
    edit->head++;
  }
  while (edit->tail < most - edit->head) {
    RlxUnit *a = &old[old_count - 1 - edit->tail], *b = &fresh[count - 1 - edit->tail];
    if (!same_text(a, b) || !same_place(a, b)) break;
    edit->is_plain &= a->start + edit->bytes == b->start;
    edit->tail++;
  }
}

/// The places of texts that come once, by their hash: the index plus one; 0: it comes more than once.
static void note_single(RlxMap *places, const RlxUnit *units, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    uint64_t there = 0;
    const bool twice = rlx_map_get(places, units[i].hash, &there);
    rlx_map_put(places, units[i].hash, twice ? 0 : i + 1);
  }
}

/// Keeps the units whose text comes once on either side, the longest ascending run of them (patience).
static void match_single(const RlxUnit *old, uint32_t old_count, const RlxUnit *fresh,
                         uint32_t count, uint32_t *kept) {
  RlxMap theirs = {0}, mine = {0};
  note_single(&theirs, old, old_count);
  note_single(&mine, fresh, count);
  uint32_t *piles = rlx_mem_alloc(count + 1, sizeof *piles),
           *before = rlx_mem_alloc(count + 1, sizeof *before),
           *pair = rlx_mem_zeroed(count + 1, sizeof *pair);
  uint32_t pile_count = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t there = 0, single = 0;
    if (!rlx_map_get(&theirs, fresh[i].hash, &there) || !there ||
        !rlx_map_get(&mine, fresh[i].hash, &single) || !single)
      continue;
    if (!same_text(&old[there - 1], &fresh[i])) continue;
    pair[i] = (uint32_t)there;
    uint32_t low = 0, high = pile_count;
    while (low < high) {
      uint32_t middle = (low + high) / 2;
      if (pair[piles[middle]] < pair[i])
        low = middle + 1;
      else
        high = middle;
    }
    before[i] = low ? piles[low - 1] : UINT32_MAX;
    piles[low] = i;
    if (low == pile_count) pile_count++;
  }
  for (uint32_t i = pile_count ? piles[pile_count - 1] : UINT32_MAX; i != UINT32_MAX; i = before[i])
    kept[i] = pair[i];
  free(piles);
  free(before);
  free(pair);
  rlx_map_free(&theirs);
  rlx_map_free(&mine);
}

/// Keeps equal units between the ends: those whose text comes once on either side, in ascending
/// order, and what stands beside them. `kept[i]` becomes the old index plus one.
static void match_middle(const RlxUnit *old, uint32_t old_count, const RlxUnit *fresh,
                         uint32_t count, uint32_t *kept) {
  match_single(old, old_count, fresh, count, kept);
  // Neighbours of the kept.
  uint32_t bound = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (kept[i])
      bound = kept[i];
    else if (bound && bound < old_count && same_text(&old[bound], &fresh[i])) {
      bool is_taken = false;
      for (uint32_t k = i + 1; k < count && !is_taken; k++) {
        if (!kept[k]) continue;
        is_taken = kept[k] <= bound + 1;
        break;
      }
      if (is_taken)
        bound = 0;
      else
        kept[i] = ++bound;
    } else {
      bound = 0;
    }
  }
}

/// A head that is replaced by one of the same kind keeps its suite.
static void hand_over_suite(RlxUnit *old, RlxUnit *fresh) {
  if (old->kind != fresh->kind || !same_place(old, fresh) || !rlx_unit_opens(old) ||
      !rlx_unit_opens(fresh) || fresh->is_parsed || !old->is_parsed)
    return;
  fresh->suite = old->suite;
  fresh->wrap = old->wrap;
  old->suite = old->wrap = NULL;
}

/// What is neither kept nor paired: old units to doc->replaced, fresh ones to doc->to_parse.
static void replace_middle(RlxDocument *doc, const Edit *edit) {
  uint32_t old_count = edit->to - edit->from - edit->head - edit->tail,
           count = doc->fresh.count - edit->head - edit->tail;
  RlxUnit *old = doc->units.at + edit->from + edit->head, *fresh = doc->fresh.at + edit->head;
  if (old_count > 1 && count > 1) {
    uint32_t *kept = rlx_mem_zeroed(count, sizeof *kept);
    match_middle(old, old_count, fresh, count, kept);
    for (uint32_t i = 0; i < count; i++) {
      if (!kept[i]) continue;
      keep(doc, &fresh[i], &old[kept[i] - 1]);
      rlx_unit_empty(&old[kept[i] - 1]);
    }
    free(kept);
  }
  for (uint32_t i = 0; old_count == count && i < count; i++) hand_over_suite(&old[i], &fresh[i]);
  // `@` goes: the decorator is a statement of its own, and before the head as it was.
  if (old_count != count && old_count && count)
    hand_over_suite(&old[old_count - 1], &fresh[count - 1]);
  for (uint32_t i = 0; i < old_count; i++) {
    if (old[i].is_parsed) rlx_vec_push(&doc->replaced, old[i]);
  }
}

/// The block that a unit's first statement stands in; NULL for a clause.
static RlxBlock *home(const RlxUnit *unit) {
  return unit->stmt_count ? rlx_unit_stmts(unit)[0]->block : NULL;
}

static bool is_simple(const RlxUnit *unit) {
  return unit->kind == RLX_LINE_SIMPLE && !unit->is_case_line &&
         !(unit->flaws & (uint8_t)~RLX_FLAW_CONTEXT) && unit->stmt_count <= 1;
}

/// Where the fresh units go when only one block's list changes.
typedef struct Spot {
  RlxBlock *block;
  uint32_t index, removed;
} Spot;

/// Old simple statements [from, to) become `count` simple ones of the same indentation: finds their
/// block.
static bool find_spot(const RlxDocument *doc, const Edit *edit, const RlxUnit *fresh,
                      uint32_t count, Spot *out) {
  uint32_t from = edit->from + edit->head, to = edit->to - edit->tail;
  const RlxUnit *before = from ? &doc->units.at[from - 1] : NULL,
                *after = to < doc->units.count ? &doc->units.at[to] : NULL;
  for (uint32_t i = from; i < to; i++) {
    const RlxUnit *unit = &doc->units.at[i];
    if (!is_simple(unit) || !unit->stmt_count || !same_place(unit, &doc->units.at[from]))
      return false;
  }
  for (uint32_t i = 0; i < count; i++) {
    if (fresh[i].kind != RLX_LINE_SIMPLE || fresh[i].is_case_line ||
        !same_place(&fresh[i], &fresh[0]))
      return false;
  }
  bool after_is_plain = after && !rlx_unit_is_clause(after) && after->stmt_count &&
                        !(after->flaws & (uint8_t)~RLX_FLAW_CONTEXT);
  if (from < to) {
    const RlxUnit *first = &doc->units.at[from];
    RlxBlock *block = home(first);
    *out = (Spot){block, rlx_unit_stmts(first)[0]->index, to - from};
    if (count) return same_place(first, &fresh[0]);
    if (before && home(before) == block && is_simple(before))
      return !after || !(after->flaws & RLX_FLAW_INDENTATION);
    // Deeper than what goes, it may be in another suite now: that of the head before.
    return after_is_plain && home(after) == block && same_place(after, first);
  }
  if (!count) return false;
  if (after_is_plain && same_place(after, &fresh[0])) {
    const RlxStmt *stmt = rlx_unit_stmts(after)[0];
    *out = (Spot){stmt->block, stmt->index, 0};
    return true;
  }
  if (before && is_simple(before) && before->stmt_count && same_place(before, &fresh[0]) &&
      (!after || after->wide <= before->wide) &&
      (!after || !(after->flaws & RLX_FLAW_INDENTATION))) {
    const RlxStmt *stmt = rlx_unit_stmts(before)[0];
    *out = (Spot){stmt->block, stmt->index + 1, 0};
    return true;
  }
  return false;
}

/// Notes where the statements around the edit end: `old_tail` is the end of the last unit that is
/// replaced or before, `new_tail` what is then there.
static void note_ends(RlxDocument *doc, RlxStmt *innermost, uint32_t old_tail, uint32_t new_tail,
                      int64_t bytes) {
  rlx_vec_clear(&doc->ends);
  for (RlxStmt *stmt = innermost; stmt; stmt = stmt->block->parent) {
    uint32_t end = stmt->start + stmt->size;
    if (end < old_tail) continue; // the edit is behind it
    rlx_vec_push(&doc->ends, (RlxEnd){stmt, end > old_tail ? (uint32_t)(end + bytes) : new_tail});
  }
}

static void settle_ends(RlxDocument *doc) {
  for (uint32_t i = 0; i < doc->ends.count; i++)
    doc->ends.at[i].stmt->size = doc->ends.at[i].end - doc->ends.at[i].stmt->start;
}

/// Puts doc->fresh into the place of the old units, and moves all behind.
static void install(RlxDocument *doc, const Edit *edit) {
  uint32_t old_count = edit->to - edit->from, count = doc->fresh.count;
  for (uint32_t i = edit->from; i < edit->to; i++)
    doc->far_looking -= looks_far(&doc->units.at[i]) ? 1 : 0;
  for (uint32_t i = 0; i < count; i++) doc->far_looking += looks_far(&doc->fresh.at[i]) ? 1 : 0;
  if (old_count > count)
    rlx_vec_remove_n(&doc->units, edit->from + count, old_count - count);
  else if (old_count < count)
    rlx_vec_insert_n(&doc->units, edit->to, (RlxUnit *)NULL, count - old_count);
  if (count) memcpy(doc->units.at + edit->from, doc->fresh.at, count * sizeof *doc->fresh.at);
  if (edit->bytes == 0 && edit->lines == 0) return;
  enum {
    AHEAD = 8
  }; // statements lie anywhere in memory: those that come next are fetched meanwhile
  for (uint32_t i = edit->from + count; i < doc->units.count; i++) {
    if (i + AHEAD < doc->units.count && doc->units.at[i + AHEAD].stmt_count == 1)
      __builtin_prefetch(doc->units.at[i + AHEAD].one, 1);
    rlx_unit_shift(&doc->units.at[i], edit->bytes, edit->lines);
  }
}

static void parse_unparsed(RlxDocument *doc, uint32_t from, uint32_t count) {
  for (uint32_t i = from; i < from + count; i++) {
    RlxUnit *unit = &doc->units.at[i];
    if (!unit->is_parsed) rlx_vec_push(&doc->to_parse, unit);
  }
  rlx_document_parse(doc);
}

/// What is around the statements of a block, as rlx_document_link finds it.
static RlxSurrounding surrounding_of(const RlxBlock *block) {
  RlxSurrounding in = {0};
  bool in_class = false;
  for (; block->parent; block = block->parent->block) {
    const RlxStmt *owner = block->parent;
    if (owner->kind == RLX_STMT_DEF) {
      in.any_function = true;
      in.function = !in_class;
      in.async_function = in.function && owner->is_async;
      break;
    }
    in_class |= owner->kind == RLX_STMT_CLASS;
    in.loop |= !in_class && (owner->kind == RLX_STMT_FOR || owner->kind == RLX_STMT_WHILE) &&
               block == owner->body;
  }
  return in;
}

/// Replaces statements of one block.
static void splice(RlxDocument *doc, Spot spot, uint32_t from, uint32_t count) {
  uint32_t inserted = 0;
  for (uint32_t i = from; i < from + count; i++) inserted += doc->units.at[i].stmt_count;
  RlxBlock *block = spot.block;
  uint32_t new_count = block->count - spot.removed + inserted;
  if (new_count > block->capacity) {
    block->capacity = new_count + new_count / 4 + 4;
    block->stmts = rlx_mem_resize(block->stmts, block->capacity, sizeof *block->stmts);
  }
  RlxStmt **at = block->stmts + spot.index;
  memmove(at + inserted, at + spot.removed,
          (block->count - spot.index - spot.removed) * sizeof *at);
  block->count = new_count;
  for (uint32_t i = from; i < from + count; i++) {
    RlxUnit *unit = &doc->units.at[i];
    unit->flaws = unit->misuses = 0;
    if (unit->uses) rlx_unit_misuses(unit, surrounding_of(block));
    for (uint32_t k = 0; k < unit->stmt_count; k++) *at++ = rlx_unit_stmts(unit)[k];
  }
  uint32_t last = inserted == spot.removed ? spot.index + inserted : new_count;
  for (uint32_t i = spot.index; i < last; i++) {
    RlxStmt *stmt = block->stmts[i];
    stmt->block = block;
    stmt->index = i;
    stmt->is_docstring = false;
  }
  rlx_block_mark_docstring(block);
  if (spot.removed || inserted)
    rlx_vec_push(&doc->splices, (RlxSplice){block, spot.index, spot.removed, inserted});
}

static void free_replaced(RlxDocument *doc) {
  for (uint32_t i = doc->replaced.count; i-- > 0;) rlx_unit_free(doc, &doc->replaced.at[i]);
  rlx_vec_clear(&doc->replaced);
  // Opening needs much room once; edits need little.
  enum { ENOUGH = 1024 };
  if (doc->fresh.capacity > ENOUGH) {
    rlx_vec_free(&doc->fresh);
    rlx_vec_reserve(&doc->fresh, 1);
    rlx_vec_free(&doc->to_parse);
    rlx_vec_free(&doc->replaced);
  }
}

/// The innermost statement that holds the unit before the edit.
static RlxStmt *around(const RlxUnit *before) {
  if (!before) return NULL;
  if (before->suite)
    return before->suite->parent; // a clause may follow, also behind a suite on the head's line
  return before->stmt_count ? rlx_unit_stmts(before)[0]->block->parent : NULL;
}

/// Nothing but blanks or comments changed.
static void finish_blanks(RlxDocument *doc, const Edit *edit) {
  uint32_t from = edit->from + edit->head;
  const RlxUnit *before = from ? &doc->units.at[from - 1] : NULL;
  uint32_t tail = before ? before->end : 0;
  note_ends(doc, around(before), tail, tail, edit->bytes);
  install(doc, edit);
  settle_ends(doc);
}

/// The end of the last unit that is replaced, or that stands before. To be asked before units are kept, which moves them.
static uint32_t tail_of(const RlxDocument *doc, const Edit *edit) {
  const uint32_t to = edit->to - edit->tail;
  return to ? doc->units.at[to - 1].end : 0;
}

static void finish_spot(RlxDocument *doc, const Edit *edit, Spot spot, uint32_t old_tail) {
  uint32_t from = edit->from + edit->head, to = edit->to - edit->tail,
           count = doc->fresh.count - edit->head - edit->tail;
  uint32_t before_end = from ? doc->units.at[from - 1].end : 0;
  uint32_t new_tail = count ? doc->fresh.at[edit->head + count - 1].end : before_end;
  note_ends(doc, spot.block->parent, old_tail, new_tail, edit->bytes);
  for (uint32_t i = from; i < to; i++)
    doc->troubled -= rlx_unit_is_troubled(&doc->units.at[i]) ? 1 : 0;
  install(doc, edit);
  settle_ends(doc);
  parse_unparsed(doc, from, count);
  splice(doc, spot, from, count);
  for (uint32_t i = from; i < from + count; i++)
    doc->troubled += rlx_unit_is_troubled(&doc->units.at[i]) ? 1 : 0;
}

void rlx_document_reread(RlxDocument *doc, uint32_t start, uint32_t old_end, uint32_t new_end,
                         uint32_t old_lines) {
  Edit edit = {.bytes = (int64_t)new_end - old_end,
               .lines = (int64_t)rlx_lines_count(&doc->lines) - old_lines};
  rlx_vec_clear(&doc->splices);
  rlx_vec_clear(&doc->splice_orders);
  rlx_vec_clear(&doc->reclaused);
  doc->was_linked = false;
  edit.from = first_touched(doc, start);
  scan(doc, &edit, old_end, new_end);
  keep_ends(doc, &edit);
  uint32_t removed = edit.to - edit.from - edit.head - edit.tail,
           count = doc->fresh.count - edit.head - edit.tail;
  Spot spot = {0};
  bool is_blank = edit.is_plain && removed == 0 && count == 0;
  bool has_spot =
      edit.is_plain && !is_blank && find_spot(doc, &edit, doc->fresh.at + edit.head, count, &spot);
  const uint32_t old_tail = tail_of(doc, &edit);
  for (uint32_t i = 0; i < edit.head; i++)
    keep(doc, &doc->fresh.at[i], &doc->units.at[edit.from + i]);
  for (uint32_t i = 0; i < edit.tail; i++)
    keep(doc, &doc->fresh.at[doc->fresh.count - 1 - i], &doc->units.at[edit.to - 1 - i]);
  if (is_blank) {
    finish_blanks(doc, &edit);
    return;
  }
  replace_middle(doc, &edit);
  if (has_spot) {
    finish_spot(doc, &edit, spot, old_tail);
  } else {
    install(doc, &edit);
    rlx_document_resolve_cases(doc);
    parse_unparsed(doc, 0, doc->units.count);
    rlx_document_link(doc);
    doc->was_linked = true;
  }
  free_replaced(doc);
}
