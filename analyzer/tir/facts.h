/// The facts that `rlx tir` and the editor tell of blocks, loops and accesses: a table, made from
/// the rows of facts.def.
#ifndef RLX_ANALYZER_TIR_FACTS_H
#define RLX_ANALYZER_TIR_FACTS_H

#include "analyzer/tir/access.h"

/// Answers a fact of the block, loop or access `index`. A reason lives in the analysis' arena.
typedef RlxTirVerdict RlxTirAskFn(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                  int index);

typedef enum RlxTirFactOf { ///< which blocks or loops a fact is about
  RLX_TIR_OF_ANY,
  RLX_TIR_OF_INNER,       ///< blocks that have a scope
  RLX_TIR_OF_SCOPE,       ///< blocks that are a scope: with blocks inside
  RLX_TIR_OF_OVER_BLOCKS, ///< loops with blocks below, in no init
} RlxTirFactOf;

typedef enum RlxTirFactSaid { ///< where a fact is told; JSON has all
  RLX_TIR_SAID_JSON,
  RLX_TIR_SAID_VERBOSE, ///< in text with --verbose
  RLX_TIR_SAID_FAILS,   ///< in text and in the editor when it fails
  RLX_TIR_SAID_ALWAYS,  ///< in the editor always
} RlxTirFactSaid;

typedef struct RlxTirFact {
  const char *id; ///< in JSON
  RlxTirAskFn *ask;
  uint8_t of, said;    ///< RlxTirFactOf, RlxTirFactSaid
  const char *no;      ///< before `words` when it fails
  const char *words;   ///< for people; NULL for accesses, whose reasons say all
  bool (*is_expected)( ///< of loops: may somebody count on it?
      const RlxTirLoopInfo *loop);
  const char *meaning; ///< its page; NULL for accesses
} RlxTirFact;

enum { RLX_TIR_FACTS_MAX = 32 }; ///< of blocks, of loops; facts.c checks it
typedef struct RlxTirFacts {
  const RlxTirFact *at;
  int count;
} RlxTirFacts;
/// The rows of facts.def about blocks; constant data.
RlxTirFacts rlx_tir_block_facts(void);
/// Those about loops.
RlxTirFacts rlx_tir_loop_facts(void);
/// Those about accesses.
RlxTirFacts rlx_tir_access_facts(void);

/// Appends the page of a word that `rlx tir` uses of blocks and loops ("dominant", "region cover" or
/// "region_cover", "complete"); false when it is none.
bool rlx_tir_word_page(const char *word, RlxBuf *out);

/// Whether text and the editor may tell `fact` of the block or loop.
bool rlx_tir_fact_is_of_block(const RlxTirFact *fact, const RlxTirBlockInfo *block);
bool rlx_tir_fact_is_of_loop(const RlxTirFact *fact, const RlxTirLoopInfo *loop);

#define RLX_BLOCK_FACT(id, ask, of, said, no, words, meaning)        RlxTirAskFn ask;
#define RLX_LOOP_FACT(id, ask, of, said, word, is_expected, meaning) RlxTirAskFn ask;
#define RLX_ACCESS_FACT(id, ask)                                     RlxTirAskFn ask;
#include "analyzer/tir/facts.def"

#endif
