/// What a walk over StructInfos has met already. They are hash-consed: `t1 = (t0, t0)`,
/// `t2 = (t1, t1)`… is a few nodes that written out are 2^n, so a walk that may meet one twice asks
/// here first, and its work is that of the nodes, or of the pairs of nodes, that there are.
///
/// Small StructInfos are not noted: to walk them again costs less.
#ifndef RLX_ANALYZER_SINFO_MEMO_H
#define RLX_ANALYZER_SINFO_MEMO_H

#include "analyzer/struct_info/sinfo.h"
#include "base/map.h"

/// Written out, a smaller one has fewer nodes.
enum { RLX_SINFO_NOTED_NODES = 8 };

/// Zeroed: nothing was met. Who makes one frees it.
typedef struct RlxSInfoMemo {
  RlxMap met;
} RlxSInfoMemo;

/// What was noted of the pair (`b` may be NULL). False: nothing.
static inline bool rlx_sinfo_met(const RlxSInfoMemo *memo, const RlxSInfo *a, const RlxSInfo *b,
                                 uint64_t *out) {
  if (a->nodes < RLX_SINFO_NOTED_NODES || !memo->met.count) return false;
  return rlx_map_get(&memo->met, (uint64_t)a->number << 32 | (b ? b->number : 0), out);
}

/// Notes `value` of the pair (`b` may be NULL).
static inline void rlx_sinfo_meet(RlxSInfoMemo *memo, const RlxSInfo *a, const RlxSInfo *b,
                                  uint64_t value) {
  if (a->nodes >= RLX_SINFO_NOTED_NODES)
    rlx_map_put(&memo->met, (uint64_t)a->number << 32 | (b ? b->number : 0), value);
}

/// True when the pair was met before; else it is noted as met.
static inline bool rlx_sinfo_meet_again(RlxSInfoMemo *memo, const RlxSInfo *a, const RlxSInfo *b) {
  uint64_t unused;
  if (rlx_sinfo_met(memo, a, b, &unused)) return true;
  rlx_sinfo_meet(memo, a, b, 1);
  return false;
}

static inline void rlx_sinfo_memo_free(RlxSInfoMemo *memo) { rlx_map_free(&memo->met); }

#endif
