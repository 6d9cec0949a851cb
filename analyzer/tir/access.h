/// Every access of a PrimFunc's buffers with the place where it stands, in terms of loops: block
/// variables and let bindings are put in, conditions around are collected. What exact questions
/// about races, order and coverage start from.
#ifndef RLX_ANALYZER_TIR_ACCESS_H
#define RLX_ANALYZER_TIR_ACCESS_H

#include "analyzer/tir/blocks.h"
#include "analyzer/tir/sets.h"

/// At most as many loops are around an access, values in `instance` and conditions; of a place with
/// more, nothing is said (RlxTirAccesses.is_cut).
enum { RLX_TIR_AROUND_MAX = 64 };

/// A loop around an access: a FOR, or a thread launched by an attribute.
typedef struct RlxTirPlaceLoop {
  const RlxTirStmt *stmt;
  RlxLoopRange range; ///< min or extent NULL: not an integer expression
} RlxTirPlaceLoop;

typedef struct RlxTirAccess {
  RlxTirBuffer *buffer;  ///< views (match_buffer) are resolved to the buffer that they look into
  const RlxPrim **index; ///< buffer->ndim of them, over loops and parameters; NULL: not known
  bool is_write;
  bool is_opaque; ///< through a pointer, or handed to a call: may read and write anything of it
  bool is_in_init;
  bool is_exact; ///< runs exactly when the loops are in range and the conditions hold, and every
                 ///< index is known; false: the conditions may hold too often
  RlxTirPlaceLoop *loops; ///< outermost first
  int loop_count;
  const RlxPrim **conditions;
  int condition_count;
  bool is_allocated;        ///< by the function itself
  int alloc_depth;          ///< loops around the buffer's allocation; 0: parameters and the root
  const RlxTirStmt *store;  ///< the statement
  int block;                ///< innermost block around
  const RlxPrim **instance; ///< values of the variables of all blocks around; NULL: not known
  int instance_count;
  const struct RlxTirAccess
      *stated; ///< of an opaque one: what T.reads and T.writes of its block say of the
               ///< buffer, never exact; NULL: the block does not say both
  int stated_count;
  int order;    ///< in the order of the text: the reads of a statement before its write
  RlxSpan span; ///< in the PrimFunc's text
} RlxTirAccess;

typedef struct RlxTirAccesses {
  RlxTirAccess *at;
  int count;
  bool is_cut; ///< there were too many, or a statement that memory cannot be told of
} RlxTirAccesses;

/// All accesses of the function, in the order of the text; in the analysis' arena.
RlxTirAccesses rlx_tir_accesses(const RlxTirAnalysis *a);

/// Whether two indices within the shape are, or may be, one element, as strides say: `strides=[1, 1]`, or `[s, 1]` of which
/// nothing is known. The indices of such a buffer are not told (RlxTirAccess.index).
bool rlx_tir_overlaps(const RlxTirAnalysis *a, const RlxTirBuffer *b);

/// True when `e` mentions `var`; NULL mentions nothing.
bool rlx_tir_expr_mentions(const RlxTirExpr *e, const RlxTirVar *var);
/// True when `stmt` or what is below mentions `var`.
bool rlx_tir_mentions(const RlxTirStmt *stmt, const RlxTirVar *var);

#endif
