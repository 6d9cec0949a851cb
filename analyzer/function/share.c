/// What the PrimFuncs of a file may cost together. Questions about their loops are bounded each, but a file may have
/// thousands of PrimFuncs whose questions all take as long as they may.
///
/// All PrimFuncs of a file have the same bound: the largest row of `steps` for which those that need that much fit into
/// FILE_WORK. Whether one needs it follows from its own text (what questions cost does not depend on the machine), so the
/// bound follows from the text of the file, however it was typed. Editing a PrimFunc may change the bound; then those are
/// checked again whose answers depend on it.
#include "analyzer/function/function.h"
#include "analyzer/state/state.h"

/// Operations for one PrimFunc; a microsecond each, or two. The last is what hard ones of real kernels take.
static const uint32_t steps[] = {128, 512, 2048, 8192, 32768, 131072};

enum { STEPS = sizeof steps / sizeof steps[0], FILE_WORK = 600000 };

static bool is_checked(const RlxFn *fn) {
  return fn->kind == RLX_ISLAND_PRIM_FUNC && fn->stmt->body;
}

/// Whether more than `steps[step]` is of use. It was checked with at least that.
static bool needs_more(const RlxFn *fn, int step) {
  return fn->work_is_short || fn->work_cost >= steps[step];
}

uint32_t rlx_share_bound(const RlxFile *file) { return steps[file->work_step]; }

void rlx_share_begin(RlxFile *file) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < file->fns.count; i++) count += is_checked(file->fns.at[i]);
  while (file->work_step + 1 < STEPS && count * steps[file->work_step + 1] <= FILE_WORK)
    file->work_step++;
  while (file->work_step > 0 && count * steps[file->work_step] > 2 * FILE_WORK) file->work_step--;
}

/// Checks those again that need more than `steps[step]` and were given up before steps[step + 1]. False: cancelled.
static bool check_further(RlxFile *file, int step, const atomic_bool *cancel) {
  for (uint32_t i = 0; i < file->fns.count; i++) {
    RlxFn *fn = file->fns.at[i];
    if (!is_checked(fn) || !fn->work_is_short || fn->work_bound >= steps[step + 1]) continue;
    if (cancel && *cancel) return false;
    rlx_primfunc_check(fn, steps[step + 1]);
  }
  return true;
}

/// Checks those again with steps[step] whose answers took more. False: cancelled.
static bool check_less(RlxFile *file, int step, const atomic_bool *cancel) {
  for (uint32_t i = 0; i < file->fns.count; i++) {
    RlxFn *fn = file->fns.at[i];
    if (!is_checked(fn) || !needs_more(fn, step) || fn->work_bound <= steps[step]) continue;
    if (cancel && *cancel) return false;
    rlx_primfunc_check(fn, steps[step]);
  }
  return true;
}

bool rlx_share_work(RlxFile *file, const atomic_bool *cancel) {
  uint64_t spent = 0;
  int step = 0;
  for (; step + 1 < STEPS; step++) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < file->fns.count; i++)
      count += is_checked(file->fns.at[i]) && needs_more(file->fns.at[i], step);
    spent += count * steps[step + 1];
    if (!count || spent > FILE_WORK) break;
    if (!check_further(file, step, cancel)) return false;
  }
  file->work_step = (uint8_t)step;
  return check_less(file, step, cancel);
}
