/// Interval arithmetic over symbolic integers: what an expression is at most while some variables
/// run, as TVM's interval sets (EvalSet), so that regions come out as TVM prints them. In
/// blocks_interval.c.
#ifndef RLX_ANALYZER_TIR_INTERVAL_H
#define RLX_ANALYZER_TIR_INTERVAL_H

#include "analyzer/symbolic/prim.h"
#include "base/vec.h"

/// An integer set, both ends inclusive; NULL: unbounded on that side.
typedef struct RlxTirInterval {
  const RlxPrim *min, *max;
} RlxTirInterval;

/// Variables that range over intervals; others are free parameters. A vector: rlx_vec_free.
typedef struct RlxTirDomain {
  Vec(const RlxSymVar *) vars;
  Vec(RlxTirInterval) ranges; ///< free of the domain's own variables
  /// as RlxPrim.vars: an expression without its bits is a point; one with them may be, for variables
  /// share bits
  uint64_t mask;
} RlxTirDomain;

/// Adds `var` in [min, min + extent); bounds over variables that are there already are relaxed.
void rlx_tir_domain_add(RlxStore *store, RlxTirDomain *domain, const RlxSymVar *var,
                        const RlxPrim *min, const RlxPrim *extent);
/// Takes the last variables off, so that `count` are left.
void rlx_tir_domain_cut(RlxStore *store, RlxTirDomain *domain, uint32_t count);
void rlx_tir_domain_free(RlxTirDomain *domain);
/// What `p` is at most while the domain's variables run (interval arithmetic, TVM's EvalSet).
RlxTirInterval rlx_tir_interval(RlxStore *store, const RlxTirDomain *domain, const RlxPrim *p);
RlxTirInterval rlx_tir_interval_hull(RlxStore *store, RlxTirInterval a, RlxTirInterval b);
/// True when `p` mentions a variable of the domain.
bool rlx_tir_domain_in(const RlxTirDomain *domain, const RlxPrim *p);
/// True when two of dims[0..ndim), the indices of an access (NULL: not known), mention one variable
/// of the domain: then what is accessed is no box.
bool rlx_tir_domain_drives_two(const RlxTirDomain *domain, const RlxPrim *const *dims, int ndim);

#endif
