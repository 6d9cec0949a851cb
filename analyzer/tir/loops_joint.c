/// Systems of conditions over several copies of accesses, and how their points are told.
#include "analyzer/tir/loops_impl.h"

#include <string.h>

#include "base/hash.h"

static RlxStore *store_of(const RlxTirJoint *j) { return j->a->store; }

void rlx_tir_joint_require(RlxTirJoint *j, const RlxPrim *condition) {
  if (!condition) {
    j->is_exact = false;
  } else if (j->condition_count == 2 * RLX_JOINT_MAX) {
    j->is_full = true;
  } else {
    j->conditions[j->condition_count++] = condition;
  }
}

const RlxPrim *rlx_tir_copy_prim(const RlxTirJoint *j, const RlxTirCopy *c, const RlxPrim *p) {
  const RlxSymVar *vars[RLX_TIR_AROUND_MAX];
  const RlxPrim *values[RLX_TIR_AROUND_MAX];
  RlxSubst subst = {vars, values, 0, false};
  if (!p) return NULL;
  for (int i = c->from; i < c->access->loop_count; i++) {
    vars[subst.count] = c->access->loops[i].range.var;
    values[subst.count++] = rlx_prim_var(store_of(j), c->vars[i]);
  }
  return rlx_prim_subst(store_of(j), p, &subst, NULL);
}

RlxTirCopy rlx_tir_joint_add(RlxTirJoint *j, const RlxTirAccess *access, int first, int from,
                             int tag) {
  RlxTirCopy c = {.access = access, .from = from, .tag = tag};
  for (int i = 0; i < access->loop_count; i++) {
    const RlxSymVar *var = access->loops[i].range.var;
    c.vars[i] = var;
    if (i < from || !tag) continue;
    uint64_t scope = rlx_hash_mix(var->scope, (uint64_t)tag) | UINT64_C(1) << 63;
    c.vars[i] = rlx_symvar(store_of(j), scope, var->name, var->dtype, false);
  }
  for (int i = first; i < access->loop_count; i++) {
    const RlxLoopRange *r = &access->loops[i].range;
    if (j->range_count == RLX_JOINT_MAX) {
      j->is_full = true;
      break;
    }
    j->ranges[j->range_count++] = (RlxLoopRange){c.vars[i], rlx_tir_copy_prim(j, &c, r->min),
                                                 rlx_tir_copy_prim(j, &c, r->extent)};
  }
  for (int i = 0; i < access->condition_count; i++)
    rlx_tir_joint_require(j, rlx_tir_copy_prim(j, &c, access->conditions[i]));
  j->is_exact = j->is_exact && access->is_exact;
  return c;
}

static const RlxPrim *both(RlxStore *store, RlxPrimKind kind, const RlxPrim *a, const RlxPrim *b) {
  return a && b ? rlx_prim_binary(store, kind, a, b) : NULL;
}

void rlx_tir_joint_same_element(RlxTirJoint *j, const RlxTirCopy *x, const RlxTirCopy *y) {
  for (int d = 0; d < x->access->buffer->ndim; d++)
    rlx_tir_joint_require(j, both(store_of(j), RLX_PRIM_EQ,
                                  rlx_tir_copy_prim(j, x, x->access->index[d]),
                                  rlx_tir_copy_prim(j, y, y->access->index[d])));
}

int rlx_tir_common_loops(const RlxTirAccess *x, const RlxTirAccess *y) {
  int n = 0;
  while (n < x->loop_count && n < y->loop_count && x->loops[n].stmt == y->loops[n].stmt) n++;
  return n;
}

void rlx_tir_joint_before(RlxTirJoint *j, const RlxTirCopy *x, const RlxTirCopy *y, int first) {
  RlxStore *store = store_of(j);
  bool same_point = x->access->order < y->access->order;
  const RlxPrim *before =
      rlx_prim_int_typed(store, same_point, rlx_dtype(RLX_DTYPE_BOOL, 8)); // all loops equal
  for (int i = rlx_tir_common_loops(x->access, y->access) - 1; i >= first; i--) {
    const RlxPrim *a = rlx_prim_var(store, x->vars[i]), *b = rlx_prim_var(store, y->vars[i]);
    const RlxPrim *equal = rlx_prim_binary(store, RLX_PRIM_EQ, a, b);
    before = rlx_prim_binary(store, RLX_PRIM_OR, rlx_prim_binary(store, RLX_PRIM_LT, a, b),
                             rlx_prim_binary(store, RLX_PRIM_AND, equal, before));
  }
  rlx_tir_joint_require(j, before);
}

bool rlx_tir_joint_system(const RlxTirJoint *j, RlxSystem *out) {
  *out = (RlxSystem){j->ranges, j->range_count, j->conditions, j->condition_count, j->a->work};
  return !j->is_full;
}

bool rlx_tir_joint_of_write(RlxTirJoint *j, const RlxTirAccess *write, const RlxTirCopy *read,
                            int from, int tag, RlxSystem *out) {
  RlxTirCopy x = rlx_tir_joint_add(j, write, from, from, tag);
  rlx_tir_joint_same_element(j, &x, read);
  rlx_tir_joint_before(j, &x, read, from);
  return rlx_tir_joint_system(j, out) && j->is_exact;
}

int rlx_tir_child_of(const RlxTirAnalysis *a, const RlxTirAccess *x, int scope) {
  for (int b = x->block; b >= 0; b = a->blocks[b].scope)
    if (a->blocks[b].scope == scope) return b;
  return -1;
}

// ---- words

RlxTirVerdict rlx_tir_verdict(bool is, bool is_unknown, int violates, int other,
                              const char *reason) {
  RlxTirVerdict v = {.is = is,
                     .is_unknown = is_unknown,
                     .violates = (uint8_t)violates,
                     .other = other,
                     .reason = reason};
  return v;
}

static const char *name_of(const RlxTirJoint *j, RlxName name) {
  return rlx_store_text(store_of(j), name);
}

static bool point_lookup(const RlxSymVar *var, int64_t *out, void *data) {
  return rlx_set_point_value(data, var, out);
}

void rlx_tir_put_element(RlxBuf *out, const RlxTirJoint *j, const RlxTirCopy *c,
                         const RlxSetPoint *point) {
  RlxSetPoint values = *point;
  const RlxTirBuffer *b = c->access->buffer;
  rlx_buf_printf(out, "%s[", name_of(j, b->name));
  if (b->ndim == 0) rlx_buf_puts(out, "()");
  for (int d = 0; d < b->ndim; d++) {
    int64_t at;
    const RlxPrim *index = rlx_tir_copy_prim(j, c, c->access->index[d]);
    if (index && rlx_prim_eval(index, point_lookup, &values, &at))
      rlx_buf_printf(out, "%s%lld", d ? ", " : "", (long long)at);
    else
      rlx_buf_puts(out, d ? ", …" : "…");
  }
  rlx_buf_putc(out, ']');
}

const char *rlx_tir_place_loop_name(const RlxTirJoint *j, const RlxTirPlaceLoop *loop) {
  const RlxTirLoopInfo *info = rlx_tir_loop_info(j->a, loop->stmt);
  return info ? rlx_tir_loop_title(j->a, info) : name_of(j, loop->range.var->name);
}

/// The title of loop `i`, its line left out where the next has the same: `(i#2, j#2 (line 11))`.
static void put_loop(RlxBuf *out, const RlxTirJoint *j, const RlxTirAccess *x, int i) {
  const RlxTirLoopInfo *loop = rlx_tir_loop_info(j->a, x->loops[i].stmt),
                       *next = i + 1 < x->loop_count ? rlx_tir_loop_info(j->a, x->loops[i + 1].stmt)
                                                     : NULL;
  bool is_said =
      loop && next && strcmp(rlx_tir_loop_line(j->a, loop), rlx_tir_loop_line(j->a, next)) == 0;
  rlx_buf_puts(out, is_said ? loop->name : rlx_tir_place_loop_name(j, &x->loops[i]));
}

void rlx_tir_put_place(RlxBuf *out, const RlxTirJoint *j, const RlxTirCopy *c,
                       const RlxSetPoint *point, bool values_only) {
  int count = c->access->loop_count;
  for (int pass = values_only; pass < 2; pass++) {
    if (count != 1) rlx_buf_putc(out, '(');
    for (int i = 0; i < count; i++) {
      int64_t at;
      if (i) rlx_buf_puts(out, ", ");
      if (pass == 0)
        put_loop(out, j, c->access, i);
      else if (rlx_set_point_value(point, c->vars[i], &at))
        rlx_buf_printf(out, "%lld", (long long)at);
    }
    if (count != 1) rlx_buf_putc(out, ')');
    if (pass == 0) rlx_buf_puts(out, " = ");
  }
}

void rlx_tir_put_parameters(RlxBuf *out, const RlxTirJoint *j, const RlxSetPoint *point) {
  bool is_first = true;
  for (int i = 0; i < point->count; i++) {
    bool is_bound = false;
    for (int k = 0; k < j->range_count; k++)
      is_bound = is_bound || j->ranges[k].var == point->vars[i];
    if (is_bound) continue;
    rlx_buf_printf(out, "%s%s = %lld", is_first ? "for " : ", ", name_of(j, point->vars[i]->name),
                   (long long)point->values[i]);
    is_first = false;
  }
  if (!is_first) rlx_buf_puts(out, ", ");
}

void rlx_tir_read_writes_begin(RlxTirReadWrites *w, const RlxTirAnalysis *a,
                               const RlxTirAccess *read, int capacity) {
  w->systems = rlx_arena_array(a->arena, RlxSystem, capacity);
  w->capacity = capacity;
  w->read = rlx_arena_one(a->arena, RlxTirJoint);
  *w->read = (RlxTirJoint){.a = a, .is_exact = true};
  w->copy = rlx_tir_joint_add(w->read, read, 0, 0, 0);
  w->count = 0;
  w->is_whole = true;
}

void rlx_tir_read_writes_add(RlxTirReadWrites *w, const RlxTirAccess *write, int depth) {
  int i = w->count;
  if (i == w->capacity || write->is_opaque) {
    w->is_whole = false;
    return;
  }
  RlxTirJoint *joint = rlx_arena_one(w->read->a->arena, RlxTirJoint);
  *joint = (RlxTirJoint){.a = w->read->a, .is_exact = true};
  if (rlx_tir_joint_of_write(joint, write, &w->copy, depth, 1 + i, &w->systems[i]))
    w->count++;
  else
    w->is_whole = false;
}
