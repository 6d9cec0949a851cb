/// What questions and simplifications may cost: less in a large file, so that all of it takes in
/// proportion to its length.
#include "analyzer/symbolic/prove.h"
#include "analyzer/symbolic/store_inside.h"

enum {
  SHARE_BYTES = 8 << 10, // files up to this size: each question may take as long as any
  SHARE_QUESTIONS =
      4, // of a statement; of those behind them, twice as many at half the cost, and so on
  SHARE_LEAST = 500,       // nearly all questions of real programs
  SHARE_LARGE = 256 << 10, // no real file is as large: from here on less than that
  SHARE_SIMPLIFICATION = 4 * RLX_WORK_OF_ANY_SIMPLIFICATION, // of files up to SHARE_LARGE
  SHARE_MANY = 8192, // no real statement asks so many: from here on less than that
};

uint32_t rlx_questions_size(uint32_t bytes) {
  uint32_t size = SHARE_BYTES;
  while (size < bytes && size < 1u << 31) size *= 2;
  return size;
}

void rlx_questions_of_file(RlxStore *store, uint32_t bytes) {
  const uint32_t size = rlx_questions_size(bytes);
  store->share.work = bytes ? RLX_WORK_PER_QUESTION / (size / SHARE_BYTES) : 0;
  store->share.simplification = SHARE_SIMPLIFICATION;
  for (uint32_t at = SHARE_LARGE; at < size; at *= 2) {
    store->share.work = (store->share.work + 1) / 2;
    if (store->share.simplification > RLX_WORK_OF_ANY_SIMPLIFICATION)
      store->share.simplification /= 2;
  }
  store->answers.misses = 0;
  rlx_questions_of_statements(store, 1);
}

void rlx_questions_of_statements(RlxStore *store, uint32_t count) {
  store->share.asked_at = store->questions;
  store->share.whole = count * SHARE_QUESTIONS;
}

uint32_t rlx_work_of_question(const RlxStore *store) {
  if (!store->share.work) return RLX_WORK_PER_QUESTION;
  uint32_t work = store->share.work;
  for (uint64_t asked = store->questions - store->share.asked_at;
       asked >= store->share.whole && work > SHARE_LEAST; asked /= 2)
    work /= 2;
  const uint32_t least = store->share.work < SHARE_LEAST ? store->share.work : SHARE_LEAST;
  if (work < least) work = least;
  for (uint64_t many = (store->questions - store->share.asked_at) / SHARE_MANY; many; many /= 2)
    work /= 2;
  return work;
}

uint32_t rlx_work_of_simplification(const RlxStore *store) {
  const uint32_t work = store->share.work, least = store->share.simplification;
  if (!work) return RLX_WORK_PER_QUESTION;
  return work > least ? work : least;
}
