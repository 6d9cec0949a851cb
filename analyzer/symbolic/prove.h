/// The prover over symbolic integers: yes / no / unknown, with bounded work (a step budget), facts,
/// and a reason.
#ifndef RLX_ANALYZER_PROVE_H
#define RLX_ANALYZER_PROVE_H

#include "analyzer/symbolic/prim.h"

typedef enum RlxProof { RLX_UNKNOWN = 0, RLX_YES, RLX_NO } RlxProof;

/// What is assumed: an immutable linked list; a longer list shares its tail. NULL: no facts.
/// Dimensions are >= 0 whatever the facts say.
typedef struct RlxFacts RlxFacts;
struct RlxFacts {
  const RlxFacts *next;
  const RlxPrim *condition; ///< boolean expression that holds
  /// where it was learned, for explanations ("match_cast of lv1", "assert"), or NULL
  const char *origin;
};

/// While facts are collected, those that a question hangs on are found by variable. Between `open` and
/// `close`, which may be nested, each fact is given when it is put in front of those given before, and
/// forgotten when it goes: `newest` is what stays in front, NULL: nothing.
typedef struct RlxFactIndex RlxFactIndex;
void rlx_facts_open(RlxStore *store);
void rlx_facts_add(RlxStore *store, const RlxFacts *fact);
void rlx_facts_forget(RlxStore *store, const RlxFacts *newest);
void rlx_facts_close(RlxStore *store);

/// How many questions of this store were left to the facts, counted up for ever: who sees it grow
/// while he works depends on the facts he gave.
uint64_t rlx_store_questions(const RlxStore *store);

/// From here on questions are asked for the analysis of a file whose functions have `bytes` of text; 0:
/// for nobody in particular. The larger the file, the less each of its questions may cost, so that no
/// file takes many seconds; what a question may cost follows from the text alone.
void rlx_questions_of_file(RlxStore *store, uint32_t bytes);
/// What a file of so many bytes is treated as: files of one size have the same bounds.
uint32_t rlx_questions_size(uint32_t bytes);
/// From here on questions are asked for one statement, or for `count` of them.
void rlx_questions_of_statements(RlxStore *store, uint32_t count);

/// Equal for every assignment that satisfies `facts` (YES), for none (NO: n against n + 1), or not
/// decided.
RlxProof rlx_prove_equal(RlxStore *store, const RlxFacts *facts, const RlxPrim *a,
                         const RlxPrim *b);
/// a < b for every assignment (YES), for none (NO), else unknown.
RlxProof rlx_prove_less(RlxStore *store, const RlxFacts *facts, const RlxPrim *a, const RlxPrim *b);
RlxProof rlx_prove_less_equal(RlxStore *store, const RlxFacts *facts, const RlxPrim *a,
                              const RlxPrim *b);
/// Any boolean expression.
RlxProof rlx_prove(RlxStore *store, const RlxFacts *facts, const RlxPrim *condition);
/// Inclusive bounds of `p` under `facts`; INT64_MIN / INT64_MAX where unbounded.
void rlx_prim_bounds(RlxStore *store, const RlxFacts *facts, const RlxPrim *p, int64_t *out_min,
                     int64_t *out_max);

/// What an equality among `facts` says `var` is, in variables that `accept` takes; NULL: none does.
const RlxPrim *rlx_facts_value(RlxStore *store, const RlxFacts *facts, const RlxSymVar *var,
                               bool (*accept)(const RlxSymVar *, void *), void *data);

/// An assignment that satisfies `facts` and gives `condition` the truth `value`, looked for among
/// small numbers: the number of variables, with their values in `values`; -1 when none was found
/// (which proves nothing).
int rlx_prove_example(RlxStore *store, const RlxFacts *facts, const RlxPrim *condition, bool value,
                      const RlxSymVar **vars, int64_t *values, int capacity);

/// The same for a == b being false, in words: "2 against 3 for n = 2, m = 3". Looks at few
/// assignments only. False when it finds none.
bool rlx_prove_tell_apart(RlxStore *store, const RlxFacts *facts, const RlxPrim *a,
                          const RlxPrim *b, RlxBuf *out);

/// Does `condition` hold always? YES, NO, or unknown, with the reason as text in `out`: the chain of
/// rewrites and facts, or a counterexample ("does not hold for n = 2, m = 3: 5 against 6"), which is
/// enough for NO even where the condition holds for other numbers (rlx_prove is silent then). One
/// step a line, no line end behind the last. For `rlx prove`, `:prove`.
RlxProof rlx_prove_explain(RlxStore *store, const RlxFacts *facts, const RlxPrim *condition,
                           RlxBuf *out);

#endif
