/// Elements in which a block that moves to its producers meets others: who would read it too early, and
/// which of its producers would not have ended there.
#include "analyzer/tir/blocks_impl.h"
#include "analyzer/tir/loops_impl.h"

static int position_of(const RlxTirAccess *x, const RlxTirStmt *loop) {
  for (int i = 0; i < x->loop_count; i++)
    if (x->loops[i].stmt == loop) return i;
  return -1;
}

/// How many loops are around both the access and `loop`, whose iterations all stay apart; -1: nothing that
/// touches memory stands under `loop`.
static int shared_with(const RlxTirAccesses *accesses, const RlxTirAccess *x,
                       const RlxTirStmt *loop) {
  for (int i = 0; i < accesses->count; i++) {
    int at = position_of(&accesses->at[i], loop);
    if (at < 0) continue;
    int common = rlx_tir_common_loops(x, &accesses->at[i]);
    return common < at ? common : at;
  }
  return -1;
}

static RlxProof find(const RlxTirJoint *j, RlxSetPoint *point) {
  RlxSystem system;
  return rlx_tir_joint_system(j, &system) ? rlx_sets_find(j->a->store, &system, point)
                                          : RLX_UNKNOWN;
}

static RlxTirVerdict undecided(const RlxTirAccess *x) {
  RlxTirVerdict v = rlx_tir_verdict(false, true, 0, -1, NULL);
  v.span = x->span;
  return v;
}

// ---- a reader that would come first

/// `read` takes what `write` gives it, in one iteration of the first `base` loops of both.
static RlxTirVerdict takes(const RlxTirAnalysis *a, const RlxTirAccess *write,
                           const RlxTirAccess *read, int base) {
  int common = rlx_tir_common_loops(write, read);
  if (base > common) base = common;
  RlxTirJoint j = {.a = a, .is_exact = true};
  RlxTirCopy w = rlx_tir_joint_add(&j, write, 0, base, 0);
  RlxTirCopy r = rlx_tir_joint_add(&j, read, base, base, 1);
  rlx_tir_joint_same_element(&j, &w, &r);
  if (common > base) rlx_tir_joint_before(&j, &w, &r, base);
  RlxSetPoint point;
  RlxProof found = find(&j, &point);
  if (found == RLX_NO) return rlx_tir_holds();
  RlxTirVerdict v = undecided(read);
  if (found != RLX_YES || !j.is_exact) return v;
  v.is_unknown = false;
  RlxBuf out = {0};
  rlx_tir_put_parameters(&out, &j, &point);
  rlx_tir_put_element(&out, &j, &r, &point);
  rlx_buf_puts(&out, " at ");
  rlx_tir_put_place(&out, &j, &r, &point, false);
  rlx_buf_puts(&out, ", written at ");
  rlx_tir_put_place(&out, &j, &w, &point, false);
  v.reason = v.witness = rlx_arena_strdup(a->arena, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return v;
}

RlxTirVerdict rlx_tir_takes_nothing(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                    int block, int reader, const RlxTirStmt *loop) {
  int scope = a->blocks[block].scope;
  RlxTirVerdict open = rlx_tir_verdict(!accesses->is_cut, accesses->is_cut, 0, -1, NULL);
  for (int i = 0; i < accesses->count; i++)
    for (int k = 0; k < accesses->count; k++) {
      const RlxTirAccess *w = &accesses->at[i], *r = &accesses->at[k];
      if (w->buffer != r->buffer || !(w->is_write || w->is_opaque) ||
          (r->is_write && !r->is_opaque) || rlx_tir_child_of(a, w, scope) != block ||
          rlx_tir_child_of(a, r, scope) != reader)
        continue;
      int base = shared_with(accesses, w, loop);
      RlxTirVerdict v =
          w->is_opaque || r->is_opaque || base < 0 ? undecided(r) : takes(a, w, r, base);
      if (v.is) continue;
      if (v.witness) return v;
      open = v;
    }
  return open;
}

// ---- a reduction that goes on

/// `first` and `second` update the element that `read` takes, in two iterations of loop `at` of both, and in one of
/// the loops before it from `base` on.
static RlxTirVerdict updates_twice(const RlxTirAnalysis *a, const RlxTirAccess *read,
                                   const RlxTirAccess *first, const RlxTirAccess *second, int base,
                                   int at) {
  RlxStore *store = a->store;
  RlxTirJoint j = {.a = a, .is_exact = true};
  RlxTirCopy r = rlx_tir_joint_add(&j, read, 0, base, 0);
  RlxTirCopy one = rlx_tir_joint_add(&j, first, base, base, 1);
  RlxTirCopy other = rlx_tir_joint_add(&j, second, base, base, 2);
  rlx_tir_joint_same_element(&j, &one, &r);
  rlx_tir_joint_same_element(&j, &other, &r);
  for (int i = base; i <= at; i++) {
    RlxPrimKind kind = i < at ? RLX_PRIM_EQ : RLX_PRIM_LT;
    rlx_tir_joint_require(&j, rlx_prim_binary(store, kind, rlx_prim_var(store, one.vars[i]),
                                              rlx_prim_var(store, other.vars[i])));
  }
  RlxSetPoint point;
  RlxProof found = find(&j, &point);
  if (found == RLX_NO) return rlx_tir_holds();
  RlxTirVerdict v = undecided(read);
  if (found != RLX_YES || !j.is_exact) return v;
  v.is_unknown = false;
  RlxBuf out = {0};
  rlx_tir_put_parameters(&out, &j, &point);
  rlx_tir_put_element(&out, &j, &r, &point);
  rlx_buf_puts(&out, " is written at ");
  rlx_tir_put_place(&out, &j, &one, &point, false);
  rlx_buf_puts(&out, " and again at ");
  rlx_tir_put_place(&out, &j, &other, &point, true);
  v.reason = v.witness = rlx_arena_strdup(a->arena, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return v;
}

RlxTirVerdict rlx_tir_ends_in_iteration(const RlxTirAnalysis *a, const RlxTirAccesses *accesses,
                                        int producer, int reader, int loop) {
  int scope = a->blocks[producer].scope, root = loop;
  while (a->loops[root].parent >= 0) root = a->loops[root].parent;
  RlxTirVerdict open = rlx_tir_verdict(!accesses->is_cut, accesses->is_cut, 0, -1, NULL);
  for (int r = 0; r < accesses->count; r++) {
    const RlxTirAccess *read = &accesses->at[r];
    if ((read->is_write && !read->is_opaque) || rlx_tir_child_of(a, read, scope) != reader)
      continue;
    for (int i = 0; i < accesses->count; i++)
      for (int k = 0; k < accesses->count; k++) {
        const RlxTirAccess *w[] = {&accesses->at[i], &accesses->at[k]};
        bool is_pair = true, is_opaque = read->is_opaque;
        for (int n = 0; n < 2; n++) {
          is_pair &= w[n]->buffer == read->buffer && (w[n]->is_write || w[n]->is_opaque) &&
                     rlx_tir_child_of(a, w[n], scope) == producer;
          is_opaque |= w[n]->is_opaque;
        }
        if (!is_pair) continue;
        int base = position_of(w[0], a->loops[root].stmt),
            at = position_of(w[0], a->loops[loop].stmt);
        is_opaque |= base < 0 || at < 0 || position_of(w[1], a->loops[loop].stmt) != at ||
                     rlx_tir_common_loops(read, w[0]) < base;
        RlxTirVerdict v =
            is_opaque ? undecided(read) : updates_twice(a, read, w[0], w[1], base, at);
        if (v.is) continue;
        if (v.witness) return v;
        open = v;
      }
  }
  return open;
}
