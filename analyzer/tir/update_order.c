/// Does the result of a reduction depend on the order of its updates? Two updates are carried out
/// on made-up contents of the buffers, one way round and the other: that refutes, with an example
/// that anybody can check; it never proves.
#include "analyzer/tir/update_order.h"

#include <math.h>
#include <string.h>

#include "analyzer/words/script_effects.h"
#include "base/hash.h"

enum { DEPTH_MAX = 60, TRIES = 24 };

typedef struct Update {
  const RlxTirAnalysis *a;
  const RlxTirBlockInfo *block;
  const RlxTirStmt *store;
  int later;      ///< of the two instances of the reduce variables: 0 the first, 1 the second
  uint32_t seed;  ///< of the contents
  double current; ///< of the element that is updated
  RlxBuf *said;   ///< "A[0, 1] = 3" of what the instance reads, or NULL
} Update;

static bool is_equal(const RlxTirExpr *x, const RlxTirExpr *y, int depth) {
  if (x == y) return true;
  if (depth > DEPTH_MAX || x->kind != y->kind || x->arg_count != y->arg_count) return false;
  switch (x->kind) {
  case RLX_TIR_INT:
    if (x->integer != y->integer) return false;
    break;
  case RLX_TIR_VAR: return x->var == y->var;
  case RLX_TIR_LOAD:
    if (x->buffer != y->buffer) return false;
    break;
  case RLX_TIR_ADD:
  case RLX_TIR_SUB:
  case RLX_TIR_MUL:
  case RLX_TIR_FLOORDIV:
  case RLX_TIR_FLOORMOD:
  case RLX_TIR_CAST: break;
  default: return false;
  }
  for (int i = 0; i < x->arg_count; i++)
    if (!is_equal(x->args[i], y->args[i], depth + 1)) return false;
  return true;
}

static bool is_own(const Update *u, const RlxTirExpr *e) {
  for (int d = 0; d < e->buffer->ndim; d++)
    if (!is_equal(e->args[d], u->store->indices[d], 0)) return false;
  return true;
}

/// A block variable: the first value of its domain; of a reduce variable the second in the second
/// instance. Other variables are not known.
static bool variable(const Update *u, const RlxTirVar *var, double *out) {
  for (int i = 0; i < u->block->iter_count; i++) {
    const RlxTirIterInfo *v = &u->block->iters[i];
    int64_t min, extent;
    if (v->iter->var != var) continue;
    if (!v->min || !rlx_prim_is_const(v->min, &min)) return false;
    bool moves = u->later && v->iter->type == RLX_ITER_REDUCE;
    if (moves && v->extent && rlx_prim_is_const(v->extent, &extent) && extent < 2) moves = false;
    *out = (double)(min + moves);
    return true;
  }
  return false;
}

static bool evaluate(Update *u, const RlxTirExpr *e, int depth, double *out);

/// What stands at an element of another buffer: small, and the same each time.
static bool content(Update *u, const RlxTirExpr *e, int depth, double *out) {
  const char *name = rlx_store_text(u->a->store, e->buffer->name);
  uint64_t at = rlx_hash_mix(rlx_hash_u64(u->seed + 1), e->buffer->id); // by any name the same
  double index;
  RlxBuf text = {0};
  rlx_buf_printf(&text, "%s[", name);
  for (int d = 0; d < e->buffer->ndim; d++) {
    RlxBuf *said = u->said;
    u->said = NULL;
    bool is_known = evaluate(u, e->args[d], depth + 1, &index);
    u->said = said;
    if (!is_known) {
      rlx_buf_free(&text);
      return false;
    }
    at = rlx_hash_mix(at, (uint64_t)(int64_t)index);
    rlx_buf_printf(&text, "%s%.0f", d ? ", " : "", index);
  }
  *out = rlx_dtype_is_bool(e->dtype) ? (double)(at % 2) : (double)(1 + at % 4);
  rlx_buf_printf(&text, "] = %.0f", *out);
  if (u->said && !strstr(rlx_buf_text(u->said), rlx_buf_text(&text)))
    rlx_buf_printf(u->said, "%s%s", u->said->size ? ", " : "", rlx_buf_text(&text));
  rlx_buf_free(&text);
  return true;
}

static bool binary(uint8_t kind, bool is_int, double x, double y, double *out) {
  switch (kind) {
  case RLX_TIR_ADD: *out = x + y; break;
  case RLX_TIR_SUB: *out = x - y; break;
  case RLX_TIR_MUL: *out = x * y; break;
  case RLX_TIR_DIV: *out = is_int ? trunc(x / y) : x / y; break;
  case RLX_TIR_FLOORDIV: *out = floor(x / y); break;
  case RLX_TIR_FLOORMOD: *out = x - y * floor(x / y); break;
  case RLX_TIR_MIN: *out = fmin(x, y); break;
  case RLX_TIR_MAX: *out = fmax(x, y); break;
  case RLX_TIR_EQ: *out = x == y; break;
  case RLX_TIR_NE: *out = x != y; break;
  case RLX_TIR_LT: *out = x < y; break;
  case RLX_TIR_LE: *out = x <= y; break;
  case RLX_TIR_GT: *out = x > y; break;
  case RLX_TIR_GE: *out = x >= y; break;
  case RLX_TIR_AND: *out = x != 0 && y != 0; break;
  case RLX_TIR_OR: *out = x != 0 || y != 0; break;
  default: return false;
  }
  return isfinite(*out) && fabs(*out) < 1e6; // far from where any dtype rounds or overflows
}

/// The value under the made-up contents; false: something in it is not known.
static bool evaluate(Update *u, const RlxTirExpr *e, int depth, double *out) {
  double x, y;
  if (depth > DEPTH_MAX || e->dtype.lanes != 1) return false;
  switch (e->kind) {
  case RLX_TIR_INT: *out = (double)e->integer; return true;
  case RLX_TIR_FLOAT: *out = e->number; return isfinite(e->number);
  case RLX_TIR_VAR: return variable(u, e->var, out);
  case RLX_TIR_LOAD:
    if (e->buffer != u->store->buffer) return content(u, e, depth, out);
    *out = u->current;
    return is_own(u, e);
  case RLX_TIR_CAST:
    if (!evaluate(u, e->args[0], depth + 1, out)) return false;
    if (rlx_dtype_is_int(e->dtype)) *out = trunc(*out);
    return true;
  case RLX_TIR_NOT:
    if (!evaluate(u, e->args[0], depth + 1, &x)) return false;
    *out = x == 0;
    return true;
  case RLX_TIR_SELECT:
  case RLX_TIR_IF_THEN_ELSE:
    return evaluate(u, e->args[0], depth + 1, &x) &&
           evaluate(u, e->args[x != 0 ? 1 : 2], depth + 1, out);
  default:
    return e->arg_count == 2 && e->kind != RLX_TIR_CALL && e->kind != RLX_TIR_LET &&
           evaluate(u, e->args[0], depth + 1, &x) && evaluate(u, e->args[1], depth + 1, &y) &&
           binary(e->kind, rlx_dtype_is_int(e->args[0]->dtype), x, y, out);
  }
}

/// Both updates, the second first when `is_swapped`.
static bool both(Update *u, bool is_swapped, double start, double *out) {
  u->current = start;
  for (int i = 0; i < 2; i++) {
    u->later = is_swapped ? 1 - i : i;
    if (!evaluate(u, u->store->value, 0, out)) return false;
    u->current = *out;
  }
  return true;
}

/// The body's only statement that does something, a store; NULL: it is something else.
static const RlxTirStmt *only_store(const RlxTirStmt *s) {
  while (s && s->kind == RLX_TIR_SEQ) {
    const RlxTirStmt *only = NULL;
    for (uint32_t i = 0; i < s->count; i++) {
      if (s->body[i]->kind == RLX_TIR_NOP) continue;
      if (only) return NULL;
      only = s->body[i];
    }
    s = only;
  }
  return s && s->kind == RLX_TIR_STORE ? s : NULL;
}

/// A reduce variable that runs over more than one value; NULL: none.
static const RlxTirIterInfo *moving(const RlxTirBlockInfo *b) {
  int64_t extent;
  for (int i = 0; i < b->iter_count; i++)
    if (b->iters[i].iter->type == RLX_ITER_REDUCE && b->iters[i].extent &&
        (!rlx_prim_is_const(b->iters[i].extent, &extent) || extent > 1))
      return &b->iters[i];
  return NULL;
}

/// Does the body do no more than to call instructions of a device? What those do is what the block's variables say.
static bool is_instruction(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  const RlxTirStmt *s = block->stmt && block->stmt->count == 1 ? block->stmt->body[0] : NULL;
  const RlxTirExpr *e = s && s->kind == RLX_TIR_EVALUATE ? s->value : NULL;
  return e && e->kind == RLX_TIR_CALL &&
         rlx_script_effect(rlx_store_text(a->store, e->name)) == RLX_EFFECT_MEMORY;
}

RlxTirVerdict rlx_tir_update_order(const RlxTirAnalysis *a, const RlxTirBlockInfo *block) {
  const RlxTirStmt *store = block->stmt && block->stmt->count == 1 && block->has_init
                                ? only_store(block->stmt->body[0])
                                : NULL;
  const RlxTirIterInfo *over = moving(block);
  RlxTirVerdict v = {.is = true, .other = -1, .reason = ""};
  if (!block->has_init || block->reducer || !over || is_instruction(a, block)) return v;
  for (int d = 0; store && d < store->buffer->ndim; d++)
    for (int i = 0; i < block->iter_count; i++)
      if (block->iters[i].iter->type == RLX_ITER_REDUCE &&
          rlx_tir_uses(store->indices[d], block->iters[i].iter->var))
        return v; // another fault
  v.is = false;
  v.is_unknown = true;
  v.reason = "whether its updates may change places is not decided";
  if (!store || block->has_opaque) return v;
  v.span = store->span;
  for (uint32_t seed = 0; seed < TRIES; seed++) {
    Update u = {.a = a, .block = block, .store = store, .seed = seed};
    double start = 1 + seed % 3, one, other;
    RlxBuf said = {0};
    u.said = &said;
    bool is_known = both(&u, false, start, &one);
    u.said = NULL;
    is_known = is_known && both(&u, true, start, &other);
    if (is_known && fabs(one - other) > 1e-6 * (fabs(one) + fabs(other))) {
      v.is_unknown = false;
      v.violates = 1;
      v.reason = rlx_arena_printf(
          a->arena, "from %s = %g%s%s, two updates give %g in the order of %s and %g in the other",
          rlx_store_text(a->store, store->buffer->name), start, said.size ? " with " : "",
          said.size ? rlx_buf_text(&said) : "", one,
          rlx_store_text(a->store, over->iter->var->name), other);
    }
    rlx_buf_free(&said);
    if (!is_known || !v.is_unknown) return v;
  }
  return v;
}
