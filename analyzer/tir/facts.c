/// The table of facts, made from facts.def; and the answers that only look up what the analysis
/// has already, or what memory.c says of one access.
#include "analyzer/tir/facts.h"

#include "analyzer/tir/loops.h"
#include "analyzer/tir/memory.h"

static bool is_serial(const RlxTirLoopInfo *l) {
  return l->stmt->for_kind == RLX_FOR_SERIAL || l->stmt->for_kind == RLX_FOR_UNROLLED;
}

#define RLX_LOOP_FACT(id, ask, of, said, word, expected)                                           \
  static bool expected_##id(const RlxTirLoopInfo *l) {                                             \
    (void)l;                                                                                       \
    return expected;                                                                               \
  }
#include "analyzer/tir/facts.def"

static const RlxTirFact block_facts[] = {
#define RLX_BLOCK_FACT(id, ask, of, said, no, words)                                               \
  {#id, ask, RLX_TIR_OF_##of, RLX_TIR_SAID_##said, no, words, NULL},
#include "analyzer/tir/facts.def"
};
static const RlxTirFact loop_facts[] = {
#define RLX_LOOP_FACT(id, ask, of, said, word, expected)                                           \
  {#id, ask, RLX_TIR_OF_##of, RLX_TIR_SAID_##said, "not ", word, expected_##id},
#include "analyzer/tir/facts.def"
};
static const RlxTirFact access_facts[] = {
#define RLX_ACCESS_FACT(id, ask) {#id, ask, RLX_TIR_OF_ANY, RLX_TIR_SAID_FAILS, "", NULL, NULL},
#include "analyzer/tir/facts.def"
};
_Static_assert(sizeof block_facts / sizeof *block_facts <= RLX_TIR_FACTS_MAX, "raise the bound");
_Static_assert(sizeof loop_facts / sizeof *loop_facts <= RLX_TIR_FACTS_MAX, "raise the bound");

RlxTirFacts rlx_tir_block_facts(void) {
  return (RlxTirFacts){block_facts, sizeof block_facts / sizeof *block_facts};
}
RlxTirFacts rlx_tir_loop_facts(void) {
  return (RlxTirFacts){loop_facts, sizeof loop_facts / sizeof *loop_facts};
}
RlxTirFacts rlx_tir_access_facts(void) {
  return (RlxTirFacts){access_facts, sizeof access_facts / sizeof *access_facts};
}

bool rlx_tir_fact_is_of_block(const RlxTirFact *fact, const RlxTirBlockInfo *block) {
  if (block->is_in_init) return false;
  return fact->of == RLX_TIR_OF_SCOPE ? block->child_count > 0 : block->scope >= 0;
}

bool rlx_tir_fact_is_of_loop(const RlxTirFact *fact, const RlxTirLoopInfo *loop) {
  return fact->of == RLX_TIR_OF_ANY || (loop->block_count && !loop->is_in_init);
}

// ------------------------------------------------------------------ what the analysis has already

#define HAS(name, field)                                                                           \
  RlxTirVerdict name(const RlxTirAnalysis *a, const RlxTirAccesses *accesses, int index) {         \
    (void)accesses;                                                                                \
    return a->blocks[index].field;                                                                 \
  }
HAS(rlx_tir_has_affine_binding, affine_binding)
HAS(rlx_tir_has_region_cover, region_cover)
HAS(rlx_tir_is_stage_pipeline, stage_pipeline)
HAS(rlx_tir_is_dominant, dominant)
HAS(rlx_tir_is_output_block, output_block)
HAS(rlx_tir_has_trivial_binding, trivial_binding)

RlxTirVerdict rlx_tir_access_in_bounds(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                       int index) {
  return rlx_tir_in_bounds(a, &accesses->at[index]);
}

RlxTirVerdict rlx_tir_access_reads_written(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                           int index) {
  return rlx_tir_reads_written(a, accesses, &accesses->at[index]);
}
