/// The table of facts, made from facts.def; and the answers that only look up what the analysis
/// has already, or what memory.c says of one access.
#include "analyzer/tir/facts.h"

#include <string.h>

#include "analyzer/tir/loops.h"
#include "analyzer/tir/memory.h"

static bool is_serial(const RlxTirLoopInfo *l) {
  return l->stmt->for_kind == RLX_FOR_SERIAL || l->stmt->for_kind == RLX_FOR_UNROLLED;
}

#define RLX_LOOP_FACT(id, ask, of, said, word, expected, meaning)                                  \
  static bool expected_##id(const RlxTirLoopInfo *l) {                                             \
    (void)l;                                                                                       \
    return expected;                                                                               \
  }
#include "analyzer/tir/facts.def"

static const RlxTirFact block_facts[] = {
#define RLX_BLOCK_FACT(id, ask, of, said, no, words, meaning)                                      \
  {#id, ask, RLX_TIR_OF_##of, RLX_TIR_SAID_##said, no, words, NULL, meaning},
#include "analyzer/tir/facts.def"
};
static const RlxTirFact loop_facts[] = {
#define RLX_LOOP_FACT(id, ask, of, said, word, expected, meaning)                                  \
  {#id, ask, RLX_TIR_OF_##of, RLX_TIR_SAID_##said, "not ", word, expected_##id, meaning},
#include "analyzer/tir/facts.def"
};
static const RlxTirFact access_facts[] = {
#define RLX_ACCESS_FACT(id, ask)                                                                   \
  {#id, ask, RLX_TIR_OF_ANY, RLX_TIR_SAID_FAILS, "", NULL, NULL, NULL},
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

// ------------------------------------------------------------------ the words

static bool is_word(const char *id, const char *words, const char *asked) {
  return strcmp(id, asked) == 0 || strcmp(words, asked) == 0;
}

static bool page_of(RlxTirFacts facts, const char *of, const char *word, RlxBuf *out) {
  for (int i = 0; i < facts.count; i++) {
    const RlxTirFact *f = &facts.at[i];
    if (!is_word(f->id, f->words, word)) continue;
    rlx_buf_printf(out, "%s   of %s; `%s` in JSON\n\n", f->words, of, f->id);
    rlx_buf_put_wrapped(out, f->meaning, 2, 100);
    return true;
  }
  return false;
}

bool rlx_tir_word_page(const char *word, RlxBuf *out) {
  static const struct {
    const char *id, *words, *meaning;
  } kinds[] = {
#define RLX_BLOCK_WORD(id, words, meaning) {#id, words, meaning},
#include "analyzer/tir/facts.def"
  };
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (!is_word(kinds[i].id, kinds[i].words, word)) continue;
    rlx_buf_printf(out, "%s   of blocks\n\n", kinds[i].words);
    rlx_buf_put_wrapped(out, kinds[i].meaning, 2, 100);
    return true;
  }
  return page_of(rlx_tir_block_facts(), "blocks", word, out) ||
         page_of(rlx_tir_loop_facts(), "loops", word, out);
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

RlxTirVerdict rlx_tir_is_dominant_covering(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                           int index) {
  (void)accesses;
  RlxTirVerdict v = a->blocks[index].dominant;
  RlxTirDependencyWalk walk = rlx_tir_dependencies(index);
  for (RlxTirDependency d; v.is && rlx_tir_next_dependency(a, &walk, &d);) {
    const RlxTirVerdict *cover = &a->blocks[d.dst].region_cover;
    if (d.src != index || d.kind != RLX_DEPENDENCY_RAW || cover->is) continue;
    v = *cover;
    v.other = d.dst;
    v.reason =
        rlx_arena_printf(a->arena, "block \"%s\": %s", rlx_tir_block_name(a, d.dst), v.reason);
  }
  return v;
}
