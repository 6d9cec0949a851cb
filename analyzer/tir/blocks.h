/// What can be said of the blocks and loops of one PrimFunc: iteration types, regions, dependencies
/// within each scope, and the verdicts that schedules ask for, each with its reason. The rules are
/// TVM's (schedule state and analysis) and the design document's; where they differ the field says
/// which one it holds. Made when asked, for one PrimFunc; it only reads the PrimFunc, and points
/// into it: who rewrites the PrimFunc makes a new one. Analysis never fails; what holes hide is
/// unknown (`is` false, `is_unknown` true).
#ifndef RLX_ANALYZER_TIR_BLOCKS_H
#define RLX_ANALYZER_TIR_BLOCKS_H

#include "analyzer/diag/diag.h"
#include "analyzer/symbolic/prove.h"
#include "analyzer/tir/iter_map.h"
#include "analyzer/tir/tir.h"
#include "base/text.h"

/// An answer with its reason.
typedef struct RlxTirVerdict {
  bool is;
  bool is_unknown;    ///< it could not be decided; `is` is false then
  uint8_t violates;   ///< number of the first violated condition, 0: none (see RlxTirBlockInfo)
  int32_t other;      ///< index of another block that the reason is about, or -1
  const char *reason; ///< a sentence when not `is`, in the analysis' arena; "" otherwise
  const char
      *witness; ///< the instances that refute it, a part of `reason` or all of it; NULL: none
  RlxSpan span; ///< what it is about in the PrimFunc's text; {0, 0}: the block itself
} RlxTirVerdict;

/// A region in symbolic integers, each dimension [begin, begin + extent). NULL where it is no
/// integer expression (data-dependent): the whole dimension is meant then, and `is_exact` is false.
typedef struct RlxTirBox {
  RlxTirBuffer *buffer;
  const RlxPrim **begin, **extent; ///< ndim each
  bool is_exact; ///< every element in it is touched; false: the box is an upper bound
  bool
      touches_ends; ///< of boxes deduced from a body: the first and last index of each dimension is
                    ///< surely touched; holds of exact ones, and of hulls of exact ones
  RlxSpan span;     ///< of the statement with the first access; {0, 0}: declared, or made by a pass
  const RlxTirRegion *declared; ///< T.reads or T.writes that says it, or NULL
} RlxTirBox;

typedef struct RlxTirBoxes {
  RlxTirBox *at;
  int count;
} RlxTirBoxes;

typedef struct RlxTirIterInfo {
  const RlxTirIterVar *iter;   ///< declared: variable, domain, binding, type
  const RlxSymVar *symbol;     ///< the block variable in boxes
  const RlxPrim *min, *extent; ///< domain; NULL: no integer expression
  const RlxPrim *binding;      ///< over the loops' symbols; NULL: none or not an integer one
  uint8_t inferred;            ///< RlxTirIterType that the body allows; see is_inferred
  bool is_inferred;            ///< `inferred` was decided
} RlxTirIterInfo;

/// Recognised update of a reduction: `buffer[i] = combine(buffer[i], value)` for each written
/// buffer at once (argmin and argmax write two).
typedef enum RlxTirReducer {
  RLX_REDUCER_NONE,
  RLX_REDUCER_SUM,
  RLX_REDUCER_PROD,
  RLX_REDUCER_MIN,
  RLX_REDUCER_MAX,
  RLX_REDUCER_ARGMIN,
  RLX_REDUCER_ARGMAX,
} RlxTirReducer;

/// A block. Conditions of `complete`: 1 all block variables data-parallel; 2 dominant; 3 does not
/// read a buffer it writes. Of `reduction`: 1 has init; 2 affine binding; 3 block variables
/// data-parallel or reduce only; 4 dominant; 5 reduce variables do not index the outputs.
typedef struct RlxTirBlockInfo {
  RlxTirStmt *stmt;         ///< NULL: the root that is not written
  const RlxTirBlock *block; ///< NULL with it
  RlxName name;             ///< of the root that is not written: RLX_NAME_NONE, print "root"
  int index;                ///< pre-order number, root 0; blocks of an init before those of a body
  int scope;                ///< index of the block around, -1 for the root
  bool is_in_init;          ///< stands in an init, of its scope or further out
  bool is_child;            ///< stands in the body of its scope, not in the init
  int *loops;               ///< indices of the loops between it and its scope, outermost first
  int loop_count;
  int *children; ///< blocks whose scope it is, those of its init left out
  int child_count;
  int iter_count;
  RlxTirIterInfo *iters;
  /// As TVM sees them: declared where declared, else deduced. Over the block's variables.
  RlxTirBoxes reads, writes;
  /// From the body and init, whether declared or not. Reads leave out what the block's own
  /// reduction update reads back (as TVM's completion does) when it has an init.
  RlxTirBoxes deduced_reads, deduced_writes;
  int *read_uses, *write_uses; ///< for each of reads and writes the place in `uses`; NULL where no
                               ///< dependencies are looked for
  bool has_declared_reads, has_declared_writes;
  bool has_opaque; ///< accesses memory in a way that regions cannot tell (pointers, calls)
  RlxTirBuffer *const *allocs;
  int alloc_count;
  bool has_init;
  uint8_t reducer;               ///< RlxTirReducer of its update
  const RlxPrim *predicate;      ///< NULL: true, or no integer expression (see `block->predicate`)
  RlxTirVerdict affine_binding;  ///< loops to block variables: affine and onto (TVM)
  RlxTirVerdict region_cover;    ///< producers write, below their common loop, all that it reads
  RlxTirVerdict stage_pipeline;  ///< of the scope it opens: no WAR, every child region-covered
  RlxTirVerdict dominant;        ///< only writer of its outputs in its scope (TVM; S4 asks
                                 ///< region cover of its consumers too)
  RlxTirVerdict output_block;    ///< writes a buffer that its scope did not allocate
  RlxTirVerdict trivial_binding; ///< loops and block variables one to one, in order
  RlxTirVerdict complete, reduction;
  RlxTirVerdict incremental; ///< normal form of a reduction without init: every store is
                             ///< `B[i] = combine(B[i], …)` with a known reducer
} RlxTirBlockInfo;

typedef enum RlxTirLoopType { ///< TVM's GetLoopIterType
  RLX_LOOP_SPATIAL,
  RLX_LOOP_REDUCE,
  RLX_LOOP_OTHER,
} RlxTirLoopType;

typedef struct RlxTirLoopInfo {
  RlxTirStmt *stmt; ///< a RLX_TIR_FOR
  const char *
      name; ///< as schedules name it: "i", or "i#2" for the second of several; in messages: rlx_tir_loop_title
  int index;       ///< pre-order number over all loops
  int scope;       ///< block around
  bool is_in_init; ///< stands in an init
  int parent;      ///< loop around in the same scope, or -1
  int depth;       ///< loops above it in its scope
  uint8_t type;    ///< RlxTirLoopType
  const RlxSymVar *symbol;
  const RlxPrim *min, *extent; ///< NULL: no integer expression
  int *blocks;                 ///< blocks below in its scope (not inside other blocks)
  int block_count;
} RlxTirLoopInfo;

typedef enum RlxTirDependencyKind {
  RLX_DEPENDENCY_RAW,
  RLX_DEPENDENCY_WAW,
  RLX_DEPENDENCY_WAR,
  RLX_DEPENDENCY_OPAQUE,
} RlxTirDependencyKind;

/// `dst` comes after `src` in the text of their scope and touches `buffer` of it: the first that
/// makes a dependency of this kind.
typedef struct RlxTirDependency {
  int scope, src, dst;
  uint8_t kind; ///< RlxTirDependencyKind
  RlxTirBuffer *buffer;
} RlxTirDependency;

/// The blocks of one scope that touch a buffer, by number, each once in a list.
typedef struct RlxTirBufferUses {
  int *writers, *readers;
  int writer_count, reader_count;
} RlxTirBufferUses;

/// The text that a PrimFunc was read from, for messages that name loops with their lines.
typedef struct RlxTirText {
  const RlxLines *lines; ///< of its file, borrowed; NULL: messages name no lines
  uint32_t start;        ///< where the PrimFunc begins in the file
  bool is_moving; ///< messages are kept while lines come and go: they get marks (line_words.h)
} RlxTirText;

typedef struct RlxTirAnalysis {
  RlxStore *store;
  const RlxPrimFunc *f;
  RlxTirText text;
  RlxArena *arena; ///< given by the caller; everything below
  RlxTirBlockInfo *blocks;
  int block_count;
  RlxTirLoopInfo *loops;
  int loop_count;
  int *blocks_by_stmt, *loops_by_stmt; ///< indices, by the address of their statement
  RlxTirBufferUses *uses; ///< of each buffer in each scope; what depends on what follows from them
  int uses_count;
  const RlxTirBlockInfo *
      *was;         ///< while it is made: the block in the analysis before; NULL: changed
  RlxSetWork *work; ///< what questions about sets may cost (sets.h); never NULL
} RlxTirAnalysis;

/// The analysis of `f` in `arena`; `store` is the one its names are from; `text` may be NULL. Never NULL. Work grows
/// with the size of the PrimFunc; dependencies, of which there may be one for each pair of blocks, are
/// made when asked for.
RlxTirAnalysis *rlx_tir_analyze(RlxStore *store, const RlxPrimFunc *f, RlxArena *arena,
                                const RlxTirText *text);
/// The same after `before`, an analysis of what the PrimFunc was made of (NULL: none), in time that grows less where most of it is
/// unchanged. Nothing of `before` is kept.
RlxTirAnalysis *rlx_tir_analyze_after(RlxStore *store, const RlxPrimFunc *f, RlxArena *arena,
                                      const RlxTirText *text, const RlxTirAnalysis *before);

/// The symbolic integer of a variable of any PrimFunc: unlike those of rlx_tir_to_prim, variables
/// of one name stay apart. A Relax symbol stays that symbol.
const RlxSymVar *rlx_tir_symbol(RlxStore *store, const RlxTirVar *var);
/// An integer expression over rlx_tir_symbol; NULL when it is none (loads, calls, floats), or may leave its type
/// (wraps.h): for a place in memory, or a bound.
const RlxPrim *rlx_tir_integer(RlxStore *store, const RlxTirExpr *e);
/// The same for a value or a condition, in which a number that nothing is known of may be any of its type.
const RlxPrim *rlx_tir_number(RlxStore *store, const RlxTirExpr *e);
/// The block or loop of a statement, or NULL.
const RlxTirBlockInfo *rlx_tir_block_info(const RlxTirAnalysis *a, const RlxTirStmt *stmt);
const RlxTirLoopInfo *rlx_tir_loop_info(const RlxTirAnalysis *a, const RlxTirStmt *stmt);
/// Whether the block stands under the loop of that index.
bool rlx_tir_is_under(const RlxTirBlockInfo *block, int loop);
/// " (line 14)" where other loops have the same name, else "". In the analysis' arena.
const char *rlx_tir_loop_line(const RlxTirAnalysis *a, const RlxTirLoopInfo *loop);
/// A loop's name for a message: where others have the same name with its line, "i#2 (line 14)". In the
/// analysis' arena.
const char *rlx_tir_loop_title(const RlxTirAnalysis *a, const RlxTirLoopInfo *loop);
/// Steps through dependencies; see rlx_tir_dependencies.
typedef struct RlxTirDependencyWalk {
  int of, scope, place, dst, src, kind;
} RlxTirDependencyWalk;
/// The start of a walk over the dependencies that start or end at `block` (-1: over all), by scope,
/// then dst, then src, then kind.
RlxTirDependencyWalk rlx_tir_dependencies(int block);
/// The next one; false at the end. Costs a search in the uses of the block's buffers.
bool rlx_tir_next_dependency(const RlxTirAnalysis *a, RlxTirDependencyWalk *walk,
                             RlxTirDependency *out);
/// The innermost loop around both blocks within their scope, or -1. Both have the same scope.
int rlx_tir_common_loop(const RlxTirAnalysis *a, int block, int other);
/// Whether the block is `scope`, or stands inside of it.
bool rlx_tir_is_within(const RlxTirAnalysis *a, int block, int scope);
/// The box that `boxes` have of `buffer`, or NULL.
const RlxTirBox *rlx_tir_box_of(const RlxTirBoxes *boxes, const RlxTirBuffer *buffer);
/// Whether the block itself allocates the buffer, not one around it.
static inline bool rlx_tir_allocates(const RlxTirBlockInfo *block, const RlxTirBuffer *buffer) {
  for (int i = 0; i < block->alloc_count; i++)
    if (block->allocs[i] == buffer) return true;
  return false;
}
/// A box over a block's variables, over the loops instead: bindings put in.
RlxTirBox rlx_tir_box_unbind(const RlxTirAnalysis *a, const RlxTirBlockInfo *block,
                             const RlxTirBox *box);
/// The hull of an (unbound) box while the loops of `block` inside `outer` (-1: all of them) run;
/// `is_exact` stays only when every element of the hull is touched. `predicate` is taken into
/// account when it bounds.
RlxTirBox rlx_tir_box_relax(const RlxTirAnalysis *a, const RlxTirBlockInfo *block,
                            const RlxTirBox *box, int outer);
/// YES when `inner` lies in `outer`, both cut to the buffer's shape, whatever the loops around
/// `block` and the variables of the blocks around it are; else unknown.
RlxProof rlx_tir_box_covers(const RlxTirAnalysis *a, const RlxTirBlockInfo *block,
                            const RlxTirBox *outer, const RlxTirBox *inner);
/// As rlx_primfunc_complete, after `before`, an analysis of what the PrimFunc was made of (NULL: none). (complete.c)
void rlx_primfunc_complete_after(RlxStore *store, RlxPrimFunc *f, const RlxTirAnalysis *before);
/// Appends `A[vi, 0:16]`, as TVM prints a region. False: a dimension was too long, and stands there in part.
bool rlx_tir_box_print(const RlxTirAnalysis *a, const RlxTirBox *box, RlxBuf *out);
/// "root" for the root that is not written.
const char *rlx_tir_block_name(const RlxTirAnalysis *a, int block);
const char *rlx_tir_iter_type_name(RlxTirIterType type);        ///< "data_par", "reduce"…
const char *rlx_tir_dependency_name(RlxTirDependencyKind kind); ///< "RAW"…
const char *rlx_tir_for_kind_name(RlxTirForKind kind);          ///< "serial", "thread_binding"…
const char *rlx_tir_reducer_name(RlxTirReducer reducer);        ///< "sum"…; "" for none

/// The conditions of complete and of reduction but for the dominant one: what TVM asks of the blocks
/// below a loop when only that loop's iterations are concerned ("local complete block").
RlxTirVerdict rlx_tir_locally_complete(const RlxTirAnalysis *a, int block);
RlxTirVerdict rlx_tir_locally_reduction(const RlxTirAnalysis *a, int block);

/// Does T.reads (or T.writes) of `block` cover what it accesses? 1 a buffer is left out; 2 an
/// element is accessed that is not covered: the reason has a witness. Holds where neither is sure,
/// where nothing is declared, and for reads of what blocks inside have written before.
RlxTirVerdict rlx_tir_declared_regions(const RlxTirAnalysis *a, const RlxTirBlockInfo *block,
                                       bool is_read);
/// Reports declared regions that are too small to `sink`, with the fix: spans are those of the
/// PrimFunc's text.
void rlx_tir_region_findings(const RlxTirAnalysis *a, RlxSink *sink);

/// Is the binding of `block` affine and onto? TVM's rule; in blocks_binding.c.
RlxTirVerdict rlx_tir_affine_binding(const RlxTirAnalysis *a, const RlxTirBlockInfo *block);
/// The same with the loops above `loop` held fixed, where it does not hold for all (TVM's partial
/// affine binding).
RlxTirVerdict rlx_tir_affine_below(const RlxTirAnalysis *a, const RlxTirBlockInfo *block, int loop);
/// Does every instance of `block` run exactly once? With a witness when not; asked apart, since it
/// may need sets of integers.
RlxBindingVerdict rlx_tir_binding(const RlxTirAnalysis *a, const RlxTirBlockInfo *block);
/// The same for "at least once".
RlxBindingVerdict rlx_tir_binding_covers(const RlxTirAnalysis *a, const RlxTirBlockInfo *block);

#endif
