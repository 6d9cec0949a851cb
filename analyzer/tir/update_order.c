/// Does the result of a reduction depend on the order of its updates? Two updates are carried out
/// on made-up contents of the buffers, one way round and the other: that refutes, with an example
/// that anybody can check; it never proves.
#include "analyzer/tir/update_order.h"

#include <math.h>
#include <string.h>

#include "analyzer/words/script_effects.h"
#include "base/hash.h"

enum { DEPTH_MAX = 60, TRIES = 24, ENOUGH = 6, ELEMENTS_MAX = 4, NAMES_MAX = 16 };

typedef struct Element { ///< that is updated
  const RlxTirStmt *store;
  double start, current;
} Element;

typedef struct Named { ///< a name of the body
  const RlxTirVar *var;
  double value;
} Named;

typedef struct Update {
  const RlxTirAnalysis *a;
  const RlxTirBlockInfo *block;
  Element elements[ELEMENTS_MAX];
  Named names[NAMES_MAX];
  int element_count, name_count;
  int later; ///< of the two instances of the reduce variables: 0 the first, 1 the second
  uint32_t seed, spread; ///< of the contents: numbers from 1 to `spread`
  RlxBuf *said;          ///< "A[0, 1] = 3" of what the instance reads, or NULL
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

static bool is_at(RlxTirExpr *const *indices, const RlxTirStmt *store) {
  for (int d = 0; d < store->buffer->ndim; d++)
    if (!is_equal(indices[d], store->indices[d], 0)) return false;
  return true;
}

/// The element of this buffer; NULL: none is updated.
static Element *element_of(Update *u, const RlxTirBuffer *buffer) {
  for (int i = 0; i < u->element_count; i++)
    if (u->elements[i].store->buffer == buffer) return &u->elements[i];
  return NULL;
}

/// Notes the elements that `s` updates; false: it does something else, too, or two elements of one buffer are.
static bool collect(Update *u, const RlxTirStmt *s, int depth) {
  if (depth > DEPTH_MAX) return false;
  if (s->kind == RLX_TIR_STORE) {
    const Element *known = element_of(u, s->buffer);
    if (known) return is_at(s->indices, known->store);
    if (u->element_count == ELEMENTS_MAX) return false;
    u->elements[u->element_count++] = (Element){.store = s};
    return true;
  }
  const bool is_number = s->kind == RLX_TIR_EVALUATE &&
                         (s->value->kind == RLX_TIR_INT || s->value->kind == RLX_TIR_FLOAT);
  if (s->kind == RLX_TIR_NOP || is_number) return true;
  if (s->kind != RLX_TIR_SEQ && s->kind != RLX_TIR_IF && s->kind != RLX_TIR_LET_STMT) return false;
  for (uint32_t i = 0; i < s->count; i++)
    if (!collect(u, s->body[i], depth + 1)) return false;
  return true;
}

/// A name of the body: its value. A block variable: the first value of its domain; of a reduce variable the second
/// in the second instance. Other variables are not known.
static bool variable(const Update *u, const RlxTirVar *var, double *out) {
  for (int i = u->name_count; i-- > 0;)
    if (u->names[i].var == var) {
      *out = u->names[i].value;
      return true;
    }
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
  *out = rlx_dtype_is_bool(e->dtype) ? (double)(at % 2) : (double)(1 + at % u->spread);
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
  const Element *own;
  if (depth > DEPTH_MAX || e->dtype.lanes != 1) return false;
  switch (e->kind) {
  case RLX_TIR_INT: *out = (double)e->integer; return true;
  case RLX_TIR_FLOAT: *out = e->number; return isfinite(e->number);
  case RLX_TIR_VAR: return variable(u, e->var, out);
  case RLX_TIR_LOAD:
    if (!(own = element_of(u, e->buffer))) return content(u, e, depth, out);
    *out = own->current;
    return is_at(e->args, own->store);
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

/// Carries out `s`, of which collect was asked; false: something in it is not known.
static bool carry_out(Update *u, const RlxTirStmt *s) {
  double value;
  switch (s->kind) {
  case RLX_TIR_STORE:
    if (!evaluate(u, s->value, 0, &value)) return false;
    element_of(u, s->buffer)->current = value;
    return true;
  case RLX_TIR_IF:
    if (!evaluate(u, s->cond, 0, &value)) return false;
    if (value == 0 && s->count < 2) return true;
    return carry_out(u, s->body[value != 0 ? 0 : 1]);
  case RLX_TIR_LET_STMT:
    if (u->name_count == NAMES_MAX || !evaluate(u, s->value, 0, &value)) return false;
    u->names[u->name_count++] = (Named){s->var, value};
    break;
  default: break;
  }
  for (uint32_t i = 0; i < s->count; i++)
    if (!carry_out(u, s->body[i])) return false;
  u->name_count -= s->kind == RLX_TIR_LET_STMT;
  return true;
}

/// Both updates, the second first when `is_swapped`.
static bool both(Update *u, bool is_swapped, double *out) {
  for (int i = 0; i < u->element_count; i++) u->elements[i].current = u->elements[i].start;
  for (int i = 0; i < 2; i++) {
    u->later = is_swapped ? 1 - i : i;
    u->name_count = 0;
    if (!carry_out(u, u->block->stmt->body[0])) return false;
  }
  for (int i = 0; i < u->element_count; i++) out[i] = u->elements[i].current;
  return true;
}

/// Tries the contents `seed`: false: something is not known. `*v` is the refutation when the order counts.
static bool try_contents(Update *u, const RlxTirIterInfo *over, RlxTirVerdict *v) {
  RlxStore *store = u->a->store;
  double one[ELEMENTS_MAX], other[ELEMENTS_MAX];
  RlxBuf said = {0}, from = {0};
  for (int i = 0; i < u->element_count; i++) {
    Element *e = &u->elements[i];
    e->start = i ? (double)(1 + rlx_hash_mix(u->seed, (uint64_t)i) % 3) : 1 + u->seed % 3;
    rlx_buf_printf(&from, "%s%s = %g", i ? ", " : "", rlx_store_text(store, e->store->buffer->name),
                   e->start);
  }
  u->said = &said;
  bool is_known = both(u, false, one);
  u->said = NULL;
  is_known = is_known && both(u, true, other);
  for (int i = 0; is_known && v->is_unknown && i < u->element_count; i++) {
    if (fabs(one[i] - other[i]) <= 1e-6 * (fabs(one[i]) + fabs(other[i]))) continue;
    const char *name = rlx_store_text(store, u->elements[i].store->buffer->name);
    v->is_unknown = false;
    v->violates = 1;
    v->reason = v->witness = rlx_arena_printf(
        u->a->arena, "from %s%s%s, two updates give %s%g in the order of %s and %g in the other",
        rlx_buf_text(&from), said.size ? " with " : "", said.size ? rlx_buf_text(&said) : "",
        u->element_count > 1 ? rlx_arena_printf(u->a->arena, "%s = ", name) : "", one[i],
        rlx_store_text(store, over->iter->var->name), other[i]);
  }
  rlx_buf_free(&said);
  rlx_buf_free(&from);
  return is_known;
}

/// Is an element that is updated told by a variable that reduces?
static bool reduces_outputs(const Update *u) {
  for (int e = 0; e < u->element_count; e++)
    for (int d = 0; d < u->elements[e].store->buffer->ndim; d++)
      for (int i = 0; i < u->block->iter_count; i++)
        if (u->block->iters[i].iter->type == RLX_ITER_REDUCE &&
            rlx_tir_uses(u->elements[e].store->indices[d], u->block->iters[i].iter->var))
          return true;
  return false;
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

RlxTirVerdict rlx_tir_update_order(const RlxTirAnalysis *a, const RlxTirBlockInfo *block,
                                   bool minds_ties) {
  const RlxTirIterInfo *over = moving(block);
  RlxTirVerdict v = {.is = true, .other = -1, .reason = ""};
  if (!block->has_init || block->reducer || !over || is_instruction(a, block)) return v;
  Update u = {.a = a, .block = block};
  const bool is_told = block->stmt->count == 1 && collect(&u, block->stmt->body[0], 0);
  if (is_told && (!u.element_count || reduces_outputs(&u))) return v; // nothing, or another fault
  v.is = false;
  v.is_unknown = true;
  v.reason = "whether its updates may change places is not decided";
  if (!is_told || block->has_opaque) return v;
  v.span = u.elements[0].store->span;
  // Of equal values an argmax may keep either: contents that repeat are too few to say that the order counts.
  const bool is_of_choice = u.element_count > 1 && !minds_ties;
  RlxTirVerdict found = v;
  u.spread = is_of_choice ? 97 : 4;
  int needed = is_of_choice ? ENOUGH : 1;
  for (u.seed = 0; u.seed < TRIES && needed; u.seed++) {
    RlxTirVerdict now = v;
    if (!try_contents(&u, over, &now)) return v;
    needed -= !now.is_unknown;
    if (!now.is_unknown && found.is_unknown) found = now;
  }
  return needed ? v : found;
}
