/// Rebuilding TensorIR: what a schedule does to a PrimFunc. Trees are not changed in place: a
/// rewriting gives a new tree that shares what it left alone, so that an older one stays good.
#ifndef RLX_ANALYZER_TIR_REWRITE_H
#define RLX_ANALYZER_TIR_REWRITE_H

#include "analyzer/tir/tir.h"

typedef struct RlxTirRewriter RlxTirRewriter;
/// What to do at each node; an absent hook keeps. New nodes are in the arena of `f`.
struct RlxTirRewriter {
  RlxPrimFunc *f;
  void *data;
  /// Gets an expression whose arguments are rewritten; gives what stands in its place.
  RlxTirExpr *(*expr)(RlxTirRewriter *w, RlxTirExpr *e);
  /// Gets a statement whose parts are rewritten, and what it was before (the same node when nothing
  /// changed); gives what stands in its place, NULL to drop it.
  RlxTirStmt *(*stmt)(RlxTirRewriter *w, RlxTirStmt *s, const RlxTirStmt *old);
  /// Gets a statement before its parts are looked at; true: `*out` stands in its place as it is.
  bool (*enter)(RlxTirRewriter *w, const RlxTirStmt *s, RlxTirStmt **out);
  /// The buffer in place of `b`, in accesses, regions and declarations.
  RlxTirBuffer *(*buffer)(RlxTirRewriter *w, RlxTirBuffer *b);
  /// Is told of each loop and block that is another node now.
  void (*moved)(RlxTirRewriter *w, const RlxTirStmt *old, RlxTirStmt *now);
};

/// The expression or statement rewritten; the same pointer when nothing changed. NULL of NULL.
RlxTirExpr *rlx_tir_rewrite_expr(RlxTirRewriter *w, const RlxTirExpr *e);
/// A statement that is dropped gives NULL where it stands alone, and is left out of a sequence.
RlxTirStmt *rlx_tir_rewrite(RlxTirRewriter *w, const RlxTirStmt *s);

/// A variable and the expression in its place.
typedef struct RlxTirSubst {
  const RlxTirVar *var;
  RlxTirExpr *value;
} RlxTirSubst;
RlxTirExpr *rlx_tir_subst(RlxPrimFunc *f, const RlxTirExpr *e, const RlxTirSubst *at, int count);
/// Bound variables below (loops, block variables) keep theirs. `moved` may be NULL.
RlxTirStmt *rlx_tir_subst_stmt(RlxPrimFunc *f, const RlxTirStmt *s, const RlxTirSubst *at,
                               int count,
                               void (*moved)(RlxTirRewriter *, const RlxTirStmt *, RlxTirStmt *),
                               void *data);

/// A copy of one node, whose children may be set.
RlxTirStmt *rlx_tir_copy(RlxPrimFunc *f, const RlxTirStmt *s);
/// The same with a block of its own.
RlxTirStmt *rlx_tir_copy_block(RlxPrimFunc *f, const RlxTirStmt *s);

/// The same but for their arguments, of which both have as many; a HOLE is not even itself.
bool rlx_tir_node_equal(const RlxTirExpr *a, const RlxTirExpr *b);
/// Same node for node; variables and buffers are the same pointers.
bool rlx_tir_expr_equal(const RlxTirExpr *a, const RlxTirExpr *b);

/// Calls `each` for `e` and all below, parents first; false from it leaves out what is below.
void rlx_tir_visit_expr(const RlxTirExpr *e, bool (*each)(const RlxTirExpr *, void *), void *data);
/// The same for statements, and for the expressions in them (regions, bindings and domains of
/// blocks included); either may be NULL.
void rlx_tir_visit(const RlxTirStmt *s, bool (*stmt)(const RlxTirStmt *, void *),
                   bool (*expr)(const RlxTirExpr *, void *), void *data);

#endif
