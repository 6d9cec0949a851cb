/// Plain statements: a variable is all that they give to those behind them. Most statements are plain,
/// and most edits leave what one of them gives. Always true: a sweep that skips a plain statement leaves
/// out nothing but its definition.
#include "analyzer/state/state.h"

void rlx_note_plain(RlxAnalysis *unit) {
  const bool teaches = unit->fact_count || unit->mark_count || unit->asks || unit->asks_marks;
  const bool is_variable =
      unit->has_own && (uint8_t)unit->own.flags == RLX_VALUE_EXPR && unit->own.thing;
  unit->is_plain = unit->kind == RLX_UNIT_SIMPLE && is_variable && !teaches && !unit->diag_count &&
                   !unit->has_error && !unit->may_leave && !unit->is_output && !unit->is_volatile;
}

enum { BITS = 64 };

void rlx_suite_note_calm(RlxSuite *suite, uint32_t i) {
  const RlxAnalysis *unit = suite->units.at[i];
  while (suite->calm.count * BITS < suite->units.count) rlx_vec_push(&suite->calm, 0);
  const uint64_t bit = UINT64_C(1) << i % BITS;
  if (unit->is_plain && !unit->is_dirty)
    suite->calm.at[i / BITS] |= bit;
  else
    suite->calm.at[i / BITS] &= ~bit;
}

uint32_t rlx_suite_next_restless(const RlxSuite *suite, uint32_t i) {
  while (i / BITS < suite->calm.count) {
    const uint64_t restless = ~suite->calm.at[i / BITS] >> i % BITS;
    if (restless) return i + (uint32_t)__builtin_ctzll(restless);
    i = (i / BITS + 1) * BITS;
  }
  return i;
}

/// Counts the statements to be evaluated, two at most; two, too, where others are evaluated in each
/// sweep or have functions inside.
static uint32_t to_evaluate(RlxSuite *suite) {
  enum { AHEAD = 12 };
  uint32_t count = suite->was_shifted ? 2 : 0;
  suite->was_shifted = false;
  for (uint32_t i = rlx_suite_next_restless(suite, 0); i < suite->units.count;
       i = rlx_suite_next_restless(suite, i + 1)) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (i + AHEAD < suite->units.count) __builtin_prefetch(suite->units.at[i + AHEAD]);
    if (unit->is_plain && !unit->is_dirty) continue;
    const bool is_hard = unit->kind != RLX_UNIT_SIMPLE && unit->kind != RLX_UNIT_WITH;
    count += is_hard ? 2 : unit->is_dirty || unit->is_volatile;
    if (unit->body) count += to_evaluate(unit->body);
    if (unit->orelse) count += to_evaluate(unit->orelse); // all of them: what was shifted is noted
  }
  return count < 2 ? count : 2;
}

bool rlx_has_one_to_evaluate(RlxFn *fn) {
  const bool is_one = to_evaluate(fn->body) == 1 && fn->lost <= 1;
  if (!is_one) fn->lost = 2;
  return is_one && !fn->all_dirty && !fn->head_is_new && !fn->outer &&
         !rlx_map_count(&fn->file->changed_outer);
}

bool rlx_gave_the_same(const RlxFn *fn, const RlxAnalysis *unit) {
  const RlxRead *now = &unit->own, *old = &fn->lost_own;
  return fn->lost == 1 && unit->is_plain && now->name == old->name && now->thing == old->thing &&
         now->sinfo == old->sinfo && now->flags == old->flags;
}
