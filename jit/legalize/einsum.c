/// Products by Einstein's notation: letters name axes, "..." stands for the leading ones that are
/// not named.
#include <ctype.h>
#include <string.h>

#include "jit/legalize/compute.h"

/// Labels of axes are letters; those that "..." stands for have the numbers 1 (the last one) to
/// RLX_MAX_NDIM.
enum { MAX_TERMS = 64, MAX_LABEL = 128, MAX_SUMMED = 32, ELLIPSIS = '.' };

typedef struct Term {
  unsigned char label[RLX_MAX_NDIM + 1];
  int count;
} Term;

typedef struct Einsum {
  Term operand[MAX_TERMS], out;
  int count;
  unsigned char summed[MAX_SUMMED];
  int summed_count;
  RlxE extent[MAX_LABEL]; ///< of each label; NULL: in no operand
  RlxDType t;
} Einsum;

/// Reads labels up to `end` into `to`, "..." as the one label ELLIPSIS.
static bool read_term(const char *p, const char *end, Term *to) {
  for (; p < end; p++) {
    if (*p == ' ') continue;
    if (to->count >= RLX_MAX_NDIM) return false;
    if (*p == '.' && end - p >= 3 && p[1] == '.' && p[2] == '.') {
      p += 2;
      to->label[to->count++] = ELLIPSIS;
    } else if (isalpha((unsigned char)*p)) {
      to->label[to->count++] = (unsigned char)*p;
    } else {
      return false;
    }
  }
  return true;
}

/// Replaces ELLIPSIS by `ndim` labels, the last of them 1.
static bool expand_dots(Term *t, int ndim) {
  Term wide = {.count = 0};
  for (int i = 0; i < t->count; i++) {
    bool dots = t->label[i] == ELLIPSIS;
    if (wide.count + (dots ? ndim : 1) > RLX_MAX_NDIM) return false;
    for (int k = dots ? ndim : 1; k > 0; k--)
      wide.label[wide.count++] = dots ? (unsigned char)k : t->label[i];
  }
  *t = wide;
  return true;
}

static bool has(const Term *t, unsigned char label) {
  return memchr(t->label, label, (size_t)t->count) != NULL;
}

/// The result of an equation without "->": "..." first, then the letters that occur once, sorted.
static void implicit_output(Einsum *e) {
  int times[MAX_LABEL] = {0};
  for (int k = 0; k < e->count; k++)
    for (int i = 0; i < e->operand[k].count; i++) times[e->operand[k].label[i]]++;
  if (times[ELLIPSIS]) e->out.label[e->out.count++] = ELLIPSIS;
  for (int letter = 'A'; letter <= 'z' && e->out.count < RLX_MAX_NDIM; letter++)
    if (times[letter] == 1) e->out.label[e->out.count++] = (unsigned char)letter;
}

static bool read_equation(const char *text, Einsum *e) {
  const char *arrow = strstr(text, "->"), *end = arrow ? arrow : text + strlen(text), *comma;
  for (const char *p = text;; p = comma + 1) {
    comma = memchr(p, ',', (size_t)(end - p));
    if (e->count >= MAX_TERMS || !read_term(p, comma ? comma : end, &e->operand[e->count++]))
      return false;
    if (!comma) break;
  }
  if (arrow) return read_term(arrow + 2, arrow + strlen(arrow), &e->out);
  implicit_output(e);
  return true;
}

static bool is_one(RlxE e) { return e->kind == RLX_TIR_INT && e->integer == 1; }

/// Whether axis `i` of an operand has another length than its label has so far. A length of 1 is
/// stretched to that of another operand, not to that of another axis of its own (`ii->i`).
static bool contradicts(const RlxOperand *x, const Term *t, int i, RlxE known) {
  RlxE here = x->shape[i];
  if (here->kind != RLX_TIR_INT) return false;
  for (int k = 0; k < i; k++)
    if (t->label[k] == t->label[i] && x->shape[k]->kind == RLX_TIR_INT &&
        x->shape[k]->integer != here->integer)
      return true;
  return known && known->kind == RLX_TIR_INT && !is_one(known) && !is_one(here) &&
         known->integer != here->integer;
}

/// Labels of the axes of each operand, and the extent of each label: that of an axis which is not
/// known to be 1, the longest where symbolic ones differ.
static bool fit_operands(RlxCompute *c, Einsum *e) {
  int dots = 0;
  for (int k = 0; k < e->count; k++) {
    Term *t = &e->operand[k];
    int rest = c->operands[k].ndim - t->count + 1;
    bool open = has(t, ELLIPSIS);
    if (open && (rest < 0 || !expand_dots(t, rest))) return false;
    if (t->count != c->operands[k].ndim) return false;
    if (open && rest > dots) dots = rest;
    for (int i = 0; i < t->count; i++) {
      RlxE *known = &e->extent[t->label[i]], here = c->operands[k].shape[i];
      if (contradicts(&c->operands[k], t, i, *known)) return false;
      if (!*known || is_one(*known))
        *known = here;
      else if (!is_one(here) && !rlx_same_extent(*known, here))
        *known = rlx_op(c, RLX_TIR_MAX, *known, here);
    }
  }
  if (!expand_dots(&e->out, dots) || e->out.count != c->outputs[0].ndim) return false;
  for (int i = 0; i < e->out.count; i++)
    if (!e->extent[e->out.label[i]]) return false;
  return true;
}

/// The index of `label`: a place of the result, or of the sum.
static RlxE place_of(const Einsum *e, unsigned char label, RlxE *s, RlxE *r) {
  const unsigned char *kept = memchr(e->out.label, label, (size_t)e->out.count);
  if (kept) return s[kept - e->out.label];
  return r[(const unsigned char *)memchr(e->summed, label, (size_t)e->summed_count) - e->summed];
}

static RlxE einsum_term(RlxCompute *c, RlxE *s, RlxE *r, void *data) {
  const Einsum *e = data;
  RlxE product = NULL, zero = rlx_i(c, 0), one = rlx_i(c, 1);
  for (int k = 0; k < e->count; k++) {
    RlxE at[RLX_MAX_NDIM];
    for (int i = 0; i < e->operand[k].count; i++) {
      unsigned char label = e->operand[k].label[i];
      RlxE extent = c->operands[k].shape[i];
      at[i] = place_of(e, label, s, r);
      if (rlx_same_extent(extent, e->extent[label])) continue;
      at[i] = is_one(extent) ? zero : rlx_pick(c, rlx_eq(c, extent, one), zero, at[i]);
    }
    RlxE x = rlx_as(c, e->t, rlx_at(c, &c->operands[k], at));
    product = product ? rlx_mul(c, product, x) : x;
  }
  return product;
}

static RlxE narrowed(RlxCompute *c, RlxE *index, void *data) { return rlx_at(c, data, index); }

bool rlx_legalize_einsum(RlxCompute *c) {
  const char *text = rlx_str_of(c, "subscripts", "");
  const RlxOperand *out = &c->outputs[0];
  Einsum e = {.t = rlx_wide(out->dtype)};
  if (!read_equation(text, &e)) return rlx_refuse(c, "R.einsum: `%s` has no kernel", text);
  if (e.count != c->operand_count)
    return rlx_refuse(c, "R.einsum: %d subscripts for %d operands", e.count, c->operand_count);
  if (!fit_operands(c, &e)) return rlx_refuse(c, "R.einsum: `%s` does not fit the operands", text);
  RlxE extents[MAX_SUMMED];
  for (int k = 0; k < e.count; k++) {
    for (int i = 0; i < e.operand[k].count; i++) {
      unsigned char label = e.operand[k].label[i];
      if (has(&e.out, label) || memchr(e.summed, label, (size_t)e.summed_count)) continue;
      if (e.summed_count == MAX_SUMMED / 2)
        return rlx_refuse(c, "R.einsum: `%s` sums over too many axes", text);
      extents[e.summed_count] = e.extent[label];
      e.summed[e.summed_count++] = label;
    }
  }
  bool direct = rlx_dtype_equal(e.t, out->dtype);
  RlxOperand sum = direct ? *out : rlx_temporary(c, e.t, out->shape, out->ndim);
  rlx_reduce(c, &sum, extents, e.summed_count, RLX_TIR_ADD, rlx_num(c, 0, e.t), einsum_term, &e);
  if (!direct) rlx_compute(c, out, narrowed, &sum);
  return true;
}
