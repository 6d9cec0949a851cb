/// Iteration types that the accesses allow, for block variables that the body's form leaves open:
/// two instances that differ in the variable conflict, or not; by sets of integers.
#include "analyzer/tir/loops_impl.h"

enum { PAIRS_MAX = 60, OPEN_MAX = 6 }; // pairs of one variable; variables that stay open

typedef struct Infer {
  const RlxTirAnalysis *a;
  const RlxTirAccesses *accesses;
  const RlxTirBlockInfo *block;
  int iter;
  int base; // loops outside of the block's scope
} Infer;

/// Where the block's variables begin in the access' instance, -1: it is not inside.
static int instance_offset(const Infer *t, const RlxTirAccess *x) {
  int offset = 0;
  for (int b = x->block; b >= 0; b = t->a->blocks[b].scope) {
    if (b == t->block->index) return offset;
    offset += t->a->blocks[b].iter_count;
  }
  return -1;
}

static bool is_own(const Infer *t, const RlxTirAccess *x) {
  return x->alloc_depth >= t->base + t->block->loop_count;
}

/// Instances that differ in nothing but the variable store the same: it is not mentioned.
static bool is_unused(const Infer *t) {
  const RlxTirStmt *s = t->block->stmt;
  for (uint32_t i = 0; i < s->count; i++)
    if (rlx_tir_mentions(s->body[i], t->block->iters[t->iter].iter->var)) return false;
  return true;
}

/// Another variable of the block differs as well; NULL: that cannot be said.
static const RlxPrim *others_differ(const Infer *t, RlxTirJoint *j, const RlxTirCopy *p,
                                    const RlxTirCopy *q) {
  RlxStore *store = t->a->store;
  const RlxPrim *differ = rlx_prim_int_typed(store, 0, rlx_dtype(RLX_DTYPE_BOOL, 8));
  int x = instance_offset(t, p->access), y = instance_offset(t, q->access);
  for (int i = 0; i < t->block->iter_count; i++) {
    const RlxPrim *a = rlx_tir_copy_prim(j, p, p->access->instance[x + i]);
    const RlxPrim *b = rlx_tir_copy_prim(j, q, q->access->instance[y + i]);
    if (i == t->iter) continue;
    if (!a || !b) return NULL;
    differ = rlx_prim_binary(store, RLX_PRIM_OR, differ, rlx_prim_binary(store, RLX_PRIM_NE, a, b));
  }
  return differ;
}

/// Do instances that differ in the variable meet in one element?
static RlxProof conflict(const Infer *t, const RlxTirAccess *x, const RlxTirAccess *y) {
  RlxTirJoint j = {.a = t->a, .is_exact = true};
  RlxTirCopy p = rlx_tir_joint_add(&j, x, 0, t->base, 0);
  RlxTirCopy q = rlx_tir_joint_add(&j, y, t->base, t->base, 1);
  const RlxPrim *at[2] = {rlx_tir_copy_prim(&j, &p, x->instance[instance_offset(t, x) + t->iter]),
                          rlx_tir_copy_prim(&j, &q, y->instance[instance_offset(t, y) + t->iter])};
  if (!at[0] || !at[1]) return RLX_UNKNOWN;
  rlx_tir_joint_require(&j, rlx_prim_binary(t->a->store, RLX_PRIM_NE, at[0], at[1]));
  rlx_tir_joint_same_element(&j, &p, &q);
  if (y->is_write && is_unused(t)) rlx_tir_joint_require(&j, others_differ(t, &j, &p, &q));
  RlxSystem system;
  RlxSetPoint point;
  if (!rlx_tir_joint_system(&j, &system)) return RLX_UNKNOWN;
  RlxProof found = rlx_sets_find(t->a->store, &system, &point);
  // For some parameters only: what those mean is not known.
  bool depends = found == RLX_YES && point.count > j.range_count;
  return found == RLX_YES && (!j.is_exact || depends) ? RLX_UNKNOWN : found;
}

static bool same_element(const RlxTirAccess *x, const RlxTirAccess *y) {
  for (int d = 0; d < x->buffer->ndim; d++)
    if (x->index[d] != y->index[d]) return false;
  return true;
}

/// The type of one variable; false when a pair cannot be decided.
static bool infer(const Infer *t, RlxTirIterType *out) {
  int pairs = 0;
  *out = RLX_ITER_DATA_PAR;
  for (int i = 0; i < t->accesses->count; i++) {
    const RlxTirAccess *x = &t->accesses->at[i];
    if (!x->is_write || x->is_in_init || instance_offset(t, x) < 0 || is_own(t, x)) continue;
    for (int k = 0; k < t->accesses->count; k++) {
      const RlxTirAccess *y = &t->accesses->at[k];
      if (y->buffer != x->buffer || y->is_in_init || instance_offset(t, y) < 0 ||
          (y->is_write && k < i))
        continue;
      if (x->is_opaque || y->is_opaque || ++pairs > PAIRS_MAX) return false;
      RlxProof found = conflict(t, x, y);
      if (found == RLX_UNKNOWN) return false;
      if (found == RLX_NO) continue;
      bool updates = t->a->blocks[x->block].reducer && y->block == x->block && same_element(x, y);
      *out = updates ? RLX_ITER_REDUCE : RLX_ITER_ORDERED;
      if (*out == RLX_ITER_ORDERED) return true;
    }
  }
  return true;
}

void rlx_tir_infer_types(RlxTirAnalysis *a, const RlxTirAccesses *accesses) {
  int open = 0;
  for (int b = 0; b < a->block_count && !accesses->is_cut; b++) {
    RlxTirBlockInfo *block = &a->blocks[b];
    if (!block->stmt || block->has_opaque || !block->loop_count) continue;
    Infer t = {a, accesses, block, 0, -1};
    for (int i = 0; i < accesses->count && t.base < 0; i++) {
      const RlxTirAccess *x = &accesses->at[i];
      for (int k = 0; k < x->loop_count && t.base < 0; k++)
        if (x->loops[k].stmt == a->loops[block->loops[0]].stmt) t.base = k;
    }
    for (t.iter = 0; t.base >= 0 && t.iter < block->iter_count; t.iter++) {
      RlxTirIterInfo *v = &block->iters[t.iter];
      RlxTirIterType type;
      int64_t extent;
      if (v->extent && rlx_prim_is_const(v->extent, &extent) && extent <= 1) // no two values
        v->inferred = v->iter->type;
      if (v->is_inferred || v->iter->type == RLX_ITER_OPAQUE || open >= OPEN_MAX) continue;
      if (!infer(&t, &type)) {
        open++;
        continue;
      }
      v->inferred = (uint8_t)type;
      v->is_inferred = true;
    }
  }
}
