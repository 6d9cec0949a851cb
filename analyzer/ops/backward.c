/// Inverse rules: what the result of an operator, and its other operands, require of an operand.
/// Always true: what a rule requires holds whenever the operator succeeds and gives such a result;
/// what it only suggests is `may`.
#include "analyzer/ops/backward.h"

/// The deduction rule whose result has its operands' dtype, told apart from comparisons.
const RlxSInfo *rlx_deduce_binary_arith(RlxDeduce *d, const RlxCall *call);

RlxNeed rlx_need_nothing(void) {
  RlxNeed need = {.ndim = -1, .dtype = rlx_dtype_unknown()};
  return need;
}

const RlxExpr *rlx_backward_operand(const RlxCall *call, int i) {
  const RlxValue *v = &call->args[i];
  return (v->kind == RLX_VALUE_EXPR || v->kind == RLX_VALUE_CALLEE) && !v->is_default ? v->expr
                                                                                      : NULL;
}

static bool all_known(const RlxNeed *need) {
  for (int i = 0; i < need->ndim; i++)
    if (!need->dims[i]) return false;
  return need->ndim >= 0;
}

/// A shape to suggest: what is known, else what was suggested; false: none.
static bool shape_of(const RlxNeed *need, const RlxPrim *const **dims, int *ndim) {
  *dims = all_known(need) ? need->dims : need->may;
  *ndim = all_known(need) ? need->ndim : need->may_ndim;
  return all_known(need) || need->has_may;
}

// ---- one operand

/// The operand is as the result.
void rlx_backward_same(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x = rlx_backward_operand(call, 0);
  if (x) v->require(v, x, &v->result);
}

void rlx_backward_same_shape(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x = rlx_backward_operand(call, 0);
  RlxNeed need = v->result;
  need.dtype = rlx_dtype_unknown();
  if (x) v->require(v, x, &need);
}

void rlx_backward_same_dtype(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x = rlx_backward_operand(call, 0);
  RlxNeed need = rlx_need_nothing();
  need.dtype = v->result.dtype;
  if (x) v->require(v, x, &need);
}

/// x.shape[axes[i]] = out.shape[i].
void rlx_backward_permute_dims(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x = rlx_backward_operand(call, 0);
  if (!x) return;
  RlxNeed need = rlx_need_nothing(), known = v->known(v, x);
  const int64_t *axes = NULL;
  int count = 0;
  RlxAttrState state = rlx_attr_ints(&v->d, call, 1, &axes, &count);
  need.dtype = v->result.dtype;
  need.ndim = v->result.ndim >= 0 ? v->result.ndim : state == RLX_ATTR_OK ? count : known.ndim;
  bool bad = need.ndim > RLX_NEED_DIMS || (state == RLX_ATTR_OK && count != need.ndim) ||
             state == RLX_ATTR_BAD || state == RLX_ATTR_UNKNOWN;
  if (bad) return;
  need.has_may = v->result.has_may && v->result.may_ndim == need.ndim;
  need.may_ndim = need.ndim;
  for (int i = 0; i < need.ndim; i++) {
    int64_t at = state == RLX_ATTR_OK ? axes[i] : need.ndim - 1 - i;
    if (at < 0) at += need.ndim;
    if (at < 0 || at >= need.ndim) return;
    if (v->result.ndim >= 0) need.dims[at] = v->result.dims[i];
    if (need.has_may) need.may[at] = v->result.may[i];
  }
  v->require(v, x, &need);
}

/// The result without the axes that were inserted.
void rlx_backward_expand_dims(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x = rlx_backward_operand(call, 0);
  const int64_t *axes;
  int count, ndim = v->result.ndim, next = 0;
  if (!x || rlx_attr_ints(&v->d, call, 1, &axes, &count) != RLX_ATTR_OK) return;
  RlxNeed need = rlx_need_nothing();
  need.dtype = v->result.dtype;
  if (ndim >= count && ndim <= RLX_NEED_DIMS) {
    bool inserted[RLX_NEED_DIMS] = {false};
    for (int i = 0; i < count; i++) {
      int64_t at = axes[i] < 0 ? axes[i] + ndim : axes[i];
      if (at < 0 || at >= ndim || inserted[at]) return;
      inserted[at] = true;
    }
    need.ndim = ndim - count;
    for (int i = 0; i < ndim; i++)
      if (!inserted[i]) need.dims[next++] = v->result.dims[i];
  }
  v->require(v, x, &need);
}

/// Rank and dtype; with `keepdims` the axes that are not reduced, too.
void rlx_backward_reduce(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x = rlx_backward_operand(call, 0);
  const int64_t *axes = NULL;
  int count = 0, ndim = v->result.ndim, next = 0;
  bool keep = false;
  if (!x) return;
  RlxNeed need = rlx_need_nothing();
  need.dtype = v->result.dtype;
  RlxAttrState state = rlx_attr_ints(&v->d, call, 1, &axes, &count);
  if (rlx_attr_bool(&v->d, call, 2, &keep) == RLX_ATTR_UNKNOWN) state = RLX_ATTR_UNKNOWN;
  if (ndim >= 0 && state == RLX_ATTR_OK) need.ndim = keep ? ndim : ndim + count;
  if (ndim >= 0 && state == RLX_ATTR_ABSENT && keep) need.ndim = ndim;
  if (need.ndim > RLX_NEED_DIMS) need.ndim = -1;
  bool reduced[RLX_NEED_DIMS] = {false};
  for (int i = 0; i < count && need.ndim >= 0; i++) {
    int64_t at = axes[i] < 0 ? axes[i] + need.ndim : axes[i];
    if (at < 0 || at >= need.ndim || reduced[at]) return;
    reduced[at] = true;
  }
  for (int i = 0; i < need.ndim && state == RLX_ATTR_OK; i++) {
    if (!reduced[i]) need.dims[i] = v->result.dims[keep ? i : next];
    next += !reduced[i];
  }
  v->require(v, x, &need);
}

// ---- several operands

enum { BROADCAST_MAX = 3 };

/// Have all of them but the one at `own` no axis there, counted from the back, or 1?
static bool others_are_one(const RlxNeed *known, int count, int own, int back) {
  for (int i = 0; i < count; i++) {
    if (i == own || (known[i].ndim >= 0 && back > known[i].ndim)) continue;
    const RlxPrim *dim = known[i].ndim >= 0 ? known[i].dims[known[i].ndim - back] : NULL;
    if (!dim || !rlx_dim_is(dim, 1)) return false;
  }
  return true;
}

/// One operand of a broadcast. Where the others have no axis, or 1, the result's dimension is this
/// operand's; a larger rank of the result is this operand's. Else a dimension is the result's or 1:
/// the result's is suggested.
static void broadcast_operand(RlxInverse *v, const RlxExpr *x, const RlxNeed *known, int count,
                              int own, RlxDType dtype) {
  const RlxNeed *r = &v->result, *a = &known[own];
  RlxNeed need = rlx_need_nothing();
  int others = 0; // the largest rank among them
  for (int i = 0; i < count; i++) {
    if (i == own || others < 0) continue;
    if (known[i].ndim < 0 || known[i].ndim > others) others = known[i].ndim;
  }
  need.dtype = dtype;
  if (a->ndim < 0 && others >= 0 && r->ndim > others) need.ndim = r->ndim;
  int ndim = a->ndim >= 0 ? a->ndim : need.ndim;
  for (int back = 1; ndim >= 0 && others >= 0 && r->ndim >= ndim && back <= ndim; back++)
    if (others_are_one(known, count, own, back)) need.dims[ndim - back] = r->dims[r->ndim - back];
  need.ndim = ndim;
  const RlxPrim *const *dims;
  int may = 0;
  bool has = shape_of(r, &dims, &may);
  for (int i = 0; i < count && !has; i++) has = i != own && shape_of(&known[i], &dims, &may);
  if (has) {
    need.has_may = ndim <= may;
    need.may_ndim = ndim >= 0 ? ndim : may;
    for (int i = 0; need.has_may && i < need.may_ndim; i++)
      need.may[i] = dims[may - need.may_ndim + i];
  }
  v->require(v, x, &need);
}

/// The first `count` operands, which broadcast; false when one is no tensor.
static bool broadcast_operands(RlxInverse *v, const RlxCall *call, int count, const RlxExpr **x,
                               RlxNeed *known) {
  for (int i = 0; i < count; i++) {
    x[i] = rlx_backward_operand(call, i);
    if (!x[i] || x[i]->sinfo->kind != RLX_SINFO_TENSOR) return false;
    known[i] = v->known(v, x[i]);
  }
  return true;
}

void rlx_backward_broadcast(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x[2];
  RlxNeed known[2];
  if (!broadcast_operands(v, call, 2, x, known)) return;
  for (int i = 0; i < 2; i++) {
    RlxDType dtype = rlx_dtype_unknown();
    if (call->row->deduce == rlx_deduce_binary_arith)
      dtype = rlx_dtype_known(v->result.dtype) ? v->result.dtype : known[1 - i].dtype;
    broadcast_operand(v, x[i], known, 2, i, dtype);
  }
}

/// The condition is bool, the others have the result's dtype; the three broadcast.
void rlx_backward_where(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x[BROADCAST_MAX];
  RlxNeed known[BROADCAST_MAX];
  if (!broadcast_operands(v, call, 3, x, known)) return;
  for (int i = 0; i < 3; i++) {
    RlxDType dtype = RLX_BOOL;
    if (i > 0) dtype = rlx_dtype_known(v->result.dtype) ? v->result.dtype : known[3 - i].dtype;
    broadcast_operand(v, x[i], known, 3, i, dtype);
  }
}

/// All operands and the result are alike.
void rlx_backward_alike(RlxInverse *v, const RlxCall *call) {
  RlxNeed all = v->result;
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < 3; i++) {
      const RlxExpr *x = rlx_backward_operand(call, i);
      if (!x) return;
      if (pass == 1) {
        v->require(v, x, &all);
        continue;
      }
      RlxNeed known = v->known(v, x);
      if (!rlx_dtype_known(all.dtype)) all.dtype = known.dtype;
      if (all.ndim < 0) all.ndim = known.ndim;
      for (int k = 0; k < all.ndim && known.ndim == all.ndim; k++)
        if (!all.dims[k]) all.dims[k] = known.dims[k];
    }
  }
}

/// The contracted dimensions are equal; of two matrices the result gives the others.
void rlx_backward_matmul(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x[2] = {rlx_backward_operand(call, 0), rlx_backward_operand(call, 1)};
  if (!x[0] || !x[1]) return;
  RlxNeed known[2] = {v->known(v, x[0]), v->known(v, x[1])};
  RlxDType out;
  bool dtypes = rlx_attr_dtype(&v->d, call, 2, &out) == RLX_ATTR_ABSENT;
  for (int i = 0; i < 2; i++) {
    RlxNeed need = rlx_need_nothing();
    const RlxNeed *a = &known[i], *b = &known[1 - i];
    if (dtypes) need.dtype = rlx_dtype_known(v->result.dtype) ? v->result.dtype : b->dtype;
    need.ndim = a->ndim;
    int n = a->ndim, own = n < 1 ? -1 : i == 0 || n == 1 ? n - 1 : n - 2; // its contracted axis
    int other = b->ndim < 1              ? -1
                : i == 1 || b->ndim == 1 ? b->ndim - 1
                                         : b->ndim - 2; // the other's
    if (own >= 0 && other >= 0) need.dims[own] = b->dims[other];
    bool matrices = n == 2 && b->ndim == 2 && v->result.ndim == 2;
    if (matrices) need.dims[i] = v->result.dims[i];
    v->require(v, x[i], &need);
  }
}

/// The operands of a tuple literal.
static int tuple_operands(const RlxCall *call, const RlxExpr **out, int capacity) {
  const RlxExpr *x = rlx_backward_operand(call, 0);
  if (!x || x->kind != RLX_EXPR_TUPLE || x->field_count > (uint32_t)capacity) return 0;
  for (uint32_t i = 0; i < x->field_count; i++) out[i] = x->fields[i];
  return (int)x->field_count;
}

enum { TENSORS_MAX = 16 };

/// All but the joined axis are the same for all operands and the result; the joined ones add up.
void rlx_backward_concat(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x[TENSORS_MAX];
  RlxNeed known[TENSORS_MAX], all = v->result;
  int count = tuple_operands(call, x, TENSORS_MAX);
  int64_t axis = 0;
  if (!count || rlx_attr_int(&v->d, call, 1, &axis) != RLX_ATTR_OK) return;
  for (int i = 0; i < count; i++) {
    known[i] = v->known(v, x[i]);
    if (all.ndim < 0) all.ndim = known[i].ndim;
    if (!rlx_dtype_known(all.dtype)) all.dtype = known[i].dtype;
  }
  if (all.ndim >= 0 && axis < 0) axis += all.ndim;
  if (all.ndim >= 0 && (axis < 0 || axis >= all.ndim)) return;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < all.ndim && known[i].ndim == all.ndim; k++)
      if (k != axis && !all.dims[k]) all.dims[k] = known[i].dims[k];
  const RlxPrim *joined = all.ndim >= 0 && v->result.ndim == all.ndim ? v->result.dims[axis] : NULL;
  for (int i = 0; i < count; i++) {
    RlxNeed need = all;
    need.has_may = false;
    if (all.ndim >= 0) need.dims[axis] = joined;
    for (int k = 0; k < count && all.ndim >= 0 && need.dims[axis]; k++) {
      if (k == i) continue;
      const RlxPrim *part = known[k].ndim == all.ndim ? known[k].dims[axis] : NULL;
      need.dims[axis] =
          part ? rlx_simplify(&v->d, rlx_prim_sub(v->d.store, need.dims[axis], part)) : NULL;
    }
    v->require(v, x[i], &need);
  }
}

/// The length of the axis that was cut at `cuts`, or into equal parts: the sum of all parts; where the last one is not empty, that one
/// and where it begins. NULL: not known. `*may`: what it is when all parts are as long as one of them.
static const RlxPrim *uncut(RlxInverse *v, int ndim, int axis, const int64_t *cuts,
                            const RlxPrim **may) {
  RlxStore *store = v->d.store;
  const RlxPrim *sum = rlx_prim_int(store, 0), *some = NULL, *last = NULL;
  int64_t length;
  for (int i = 0; i < v->field_count; i++) {
    const RlxNeed *part = &v->fields[i];
    last = part->ndim == ndim ? part->dims[axis] : NULL;
    if (!some && part->has_may && part->may_ndim == ndim) some = part->may[axis];
    if (last) some = last;
    sum = sum && last ? rlx_prim_add(store, sum, last) : NULL;
  }
  if (!sum && cuts && last && rlx_prim_is_const(last, &length) && length > 0)
    sum = rlx_prim_add(store, rlx_prim_int(store, cuts[v->field_count - 2]), last);
  *may = sum             ? rlx_simplify(&v->d, sum)
         : some && !cuts ? rlx_simplify(&v->d, rlx_prim_muli(store, some, v->field_count))
                         : NULL;
  return sum ? *may : NULL;
}

/// Whether the cuts are in order, so that the parts are all of the axis, once.
static bool are_ordered(const int64_t *cuts, int count) {
  for (int i = 0; i < count; i++)
    if (cuts[i] < (i ? cuts[i - 1] : 0)) return false;
  return true;
}

/// All but the axis that is cut are the same for the operand and its parts, whose lengths add up.
void rlx_backward_split(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x = rlx_backward_operand(call, 0);
  RlxNeed need = rlx_need_nothing();
  const int64_t *cuts;
  int count, axis, ndim;
  const bool is_ok = rlx_attr_ints(&v->d, call, 1, &cuts, &count) == RLX_ATTR_OK;
  const bool is_list = call->args[1].kind == RLX_VALUE_LIST;
  if (!x || !is_ok || v->field_count < 2 ||
      (is_list && (count != v->field_count - 1 || !are_ordered(cuts, count))))
    return;
  for (int i = 0; i < v->field_count; i++) {
    const RlxNeed *part = &v->fields[i];
    if (!rlx_dtype_known(need.dtype)) need.dtype = part->dtype;
    if (need.ndim < 0) need.ndim = part->ndim;
    if (need.has_may || !part->has_may) continue;
    need.has_may = true;
    need.may_ndim = part->may_ndim;
    memcpy(need.may, part->may, sizeof need.may);
  }
  ndim = need.ndim >= 0 ? need.ndim : need.has_may ? need.may_ndim : -1;
  if (ndim >= 0 && rlx_attr_axis(&v->d, call, 2, ndim, &axis) != RLX_ATTR_OK) return;
  for (int i = 0; i < v->field_count; i++)
    for (int k = 0; k < need.ndim && v->fields[i].ndim == need.ndim; k++)
      if (k != axis && !need.dims[k]) need.dims[k] = v->fields[i].dims[k];
  if (ndim >= 0) {
    const RlxPrim *may, *length = uncut(v, ndim, axis, is_list ? cuts : NULL, &may);
    const bool is_suggested = need.has_may && need.may_ndim == ndim;
    if (need.ndim >= 0) need.dims[axis] = length;
    need.has_may = true;
    for (int k = 0; k < ndim; k++) {
      const RlxPrim *must = need.ndim >= 0 ? need.dims[k] : NULL;
      need.may[k] = k == axis ? may : must ? must : is_suggested ? need.may[k] : NULL;
      need.has_may &= need.may[k] != NULL;
    }
    need.may_ndim = ndim;
  }
  v->require(v, x, &need);
}

/// Each operand is the result without the new axis, and all are alike.
void rlx_backward_stack(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x[TENSORS_MAX];
  int count = tuple_operands(call, x, TENSORS_MAX), ndim = v->result.ndim, next = 0;
  int64_t axis = 0;
  if (!count || rlx_attr_int(&v->d, call, 1, &axis) != RLX_ATTR_OK) return;
  RlxNeed need = rlx_need_nothing();
  need.dtype = v->result.dtype;
  if (ndim > 0 && axis < 0) axis += ndim;
  if (ndim > 0 && axis >= 0 && axis < ndim) {
    need.ndim = ndim - 1;
    for (int i = 0; i < ndim; i++)
      if (i != axis) need.dims[next++] = v->result.dims[i];
  }
  for (int i = 0; i < count; i++) {
    RlxNeed one = v->known(v, x[i]);
    if (need.ndim < 0) need.ndim = one.ndim;
    if (!rlx_dtype_known(need.dtype)) need.dtype = one.dtype;
    for (int k = 0; k < need.ndim && one.ndim == need.ndim; k++)
      if (!need.dims[k]) need.dims[k] = one.dims[k];
  }
  for (int i = 0; i < count; i++) v->require(v, x[i], &need);
}

// ---- einsum

enum { LABELS_MAX = 128 };

typedef struct Labels { // of `text` without blanks: "ij,jk->ik"
  char text[LABELS_MAX];
  const char *inputs[TENSORS_MAX]; ///< each ends at the next comma or at "->"
  int sizes[TENSORS_MAX];
  const char *output;
} Labels;

/// What stands behind "->" where nothing is written: the labels that stand once, in the order of their codes.
static void put_output(char *text, size_t size) {
  char *end = text + size;
  const char *inputs = text;
  *end++ = '-';
  *end++ = '>';
  for (int label = 'A'; label <= 'z'; label++) {
    const char *first = memchr(inputs, label, size);
    const size_t behind = first ? size - (size_t)(first + 1 - inputs) : 0;
    if (first && !memchr(first + 1, label, behind)) *end++ = (char)label;
  }
  *end = 0;
}

/// False: it has "...", or is none for as many operands.
static bool read_labels(const char *text, int count, Labels *out) {
  size_t size = 0;
  for (; *text; text++) {
    if (*text == '.' || 2 * size + 4 >= sizeof out->text) return false;
    if (*text != ' ') out->text[size++] = *text;
  }
  out->text[size] = 0;
  if (!strstr(out->text, "->")) put_output(out->text, size);
  const char *at = out->text, *arrow = strstr(at, "->");
  int found = 0;
  for (; arrow && found < TENSORS_MAX; at += strcspn(at, ",-") + 1) {
    out->inputs[found] = at;
    out->sizes[found++] = (int)strcspn(at, ",-");
    if (at[strcspn(at, ",-")] != ',') break;
  }
  out->output = arrow ? arrow + 2 : NULL;
  return arrow && found == count;
}

/// How often the label stands in the operands.
static int times_of(const Labels *l, int count, char label) {
  int times = 0;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < l->sizes[i]; k++) times += l->inputs[i][k] == label;
  return times;
}

/// The dimension that a label has in the result, else in an operand whose shape is known; NULL: in none.
static const RlxPrim *label_dim(RlxInverse *v, const Labels *l, const RlxNeed *known, int count,
                                char label) {
  const char *at = strchr(l->output, label);
  if (at && v->result.ndim == (int)strlen(l->output)) return v->result.dims[at - l->output];
  for (int i = 0; i < count; i++)
    for (int k = 0; k < l->sizes[i] && known[i].ndim == l->sizes[i]; k++)
      if (l->inputs[i][k] == label && known[i].dims[k]) return known[i].dims[k];
  return NULL;
}

/// A label that stands once is the result's dimension; one of several operands may be 1 in some of them.
void rlx_backward_einsum(RlxInverse *v, const RlxCall *call) {
  const RlxExpr *x[TENSORS_MAX];
  RlxNeed known[TENSORS_MAX];
  Labels l;
  const char *text;
  const int count = tuple_operands(call, x, TENSORS_MAX);
  RlxDType dtype = v->result.dtype;
  if (!count || rlx_attr_str(&v->d, call, 1, &text) != RLX_ATTR_OK || !read_labels(text, count, &l))
    return;
  for (int i = 0; i < count; i++) {
    known[i] = v->known(v, x[i]);
    if (!rlx_dtype_known(dtype)) dtype = known[i].dtype;
  }
  for (int i = 0; i < count; i++) {
    RlxNeed need = rlx_need_nothing();
    need.dtype = dtype;
    if (l.sizes[i] > RLX_NEED_DIMS) continue;
    need.ndim = need.may_ndim = l.sizes[i];
    need.has_may = true;
    for (int k = 0; k < need.ndim; k++) {
      const char label = l.inputs[i][k];
      need.may[k] = label_dim(v, &l, known, count, label);
      need.has_may &= need.may[k] != NULL;
      if (times_of(&l, count, label) == 1 && strchr(l.output, label)) need.dims[k] = need.may[k];
    }
    v->require(v, x[i], &need);
  }
}
