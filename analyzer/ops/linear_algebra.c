/// Rules of products of matrices and tensors.
#include "analyzer/ops/dist.h"
#include <ctype.h>
#include <string.h>

#define RLX_FAMILY "analyzer/ops/linear_algebra.def"
#include "analyzer/ops/rules.h"

/// Product of two tensors whose ranks are known and at least 1.
static const RlxSInfo *product(RlxDeduce *d, const RlxCall *call, const RlxSInfo *a,
                               const RlxSInfo *b, RlxDType dtype, const RlxVDevice *vdevice) {
  bool is_row = a->ndim == 1, is_column = b->ndim == 1;
  int a_ndim = is_row ? 2 : a->ndim, b_ndim = is_column ? 2 : b->ndim;
  int ndim = (a_ndim > b_ndim ? a_ndim : b_ndim) - is_row - is_column;
  if (!a->dims || !b->dims) return rlx_out_tensor(d, NULL, ndim, dtype, vdevice);
  RlxDims lead;
  RlxBroadcast state = rlx_broadcast_dims(d, call, a->dims, a_ndim - 2, b->dims, b_ndim - 2, &lead);
  if (state == RLX_BROADCAST_CONFLICT) return rlx_out_tensor(d, NULL, ndim, dtype, vdevice);
  const RlxPrim *p = a->dims[a->ndim - 1], *q = b->dims[is_column ? 0 : b->ndim - 2];
  if (rlx_rule_unequal(d, p, q)) {
    RlxDiag *diag =
        rlx_fail(d, call, -1, RLX_DIAG_ID(CONTRACTION), "ssss", rlx_text_dims(d, a->dims, a->ndim),
                 rlx_text_prim(d, p), rlx_text_dims(d, b->dims, b->ndim), rlx_text_prim(d, q));
    bool transposes = b->ndim == 2 && rlx_rule_equal(d, p, b->dims[1]);
    if (transposes)
      rlx_fix_wrap(d, call, 1, diag, "transpose the right operand", "R.permute_dims(", ")");
    rlx_wish_dim(d, call, diag, b->dims, is_column ? 0 : b->ndim - 2, p, true);
    rlx_wish_dim(d, call, diag, a->dims, a->ndim - 1, q, false);
  }
  if (state != RLX_BROADCAST_OK) return rlx_out_tensor(d, NULL, ndim, dtype, vdevice);
  const RlxPrim **dims = rlx_dims_new(d, ndim);
  int lead_ndim = (a_ndim > b_ndim ? a_ndim : b_ndim) - 2, at = 0;
  for (; at < lead_ndim; at++) dims[at] = lead[at];
  if (!is_row) dims[at++] = a->dims[a->ndim - 2];
  if (!is_column) dims[at] = b->dims[b->ndim - 1];
  return rlx_out_tensor(d, dims, ndim, dtype, vdevice);
}

/// Where an operand's axis is in the product; -1 when it is summed over. For distributed tensors.
static int product_axis(int arg, int axis, const void *data) {
  const int *ndims = data;
  int left = ndims[0] < 2 ? 2 : ndims[0], right = ndims[1] < 2 ? 2 : ndims[1],
      ndim = left > right ? left : right;
  int own = ndims[arg], place = axis + ndim - (own < 2 ? 2 : own) +
                                (own == 1 && arg == 0); // as a matrix, aligned at the end
  if (place == (arg == 0 ? ndim - 1 : ndim - 2)) return -1;
  return place - (ndims[0] == 1 && place > ndim - 2);
}

/// StructInfo of `R.matmul(x1, x2, out_dtype=None)`.
///
/// x1, x2  tensors of rank 1 or more; leading axes broadcast. A vector's own axis is dropped from
/// the result. The contracted dimensions must not provably differ. dtype: out_dtype, or that of
/// both. Devices that differ are dropped. Reports ARGUMENT_KIND, DTYPE_MISMATCH, RANK,
/// SHAPE_BROADCAST, CONTRACTION.
/// Source: TVM v0.25 InferStructInfoMatmul, src/relax/op/tensor/linear_algebra.cc.
const RlxSInfo *rlx_deduce_matmul(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *x[2] = {rlx_arg_tensor(d, call, 0), rlx_arg_tensor(d, call, 1)};
  if (!x[0] || !x[1]) return rlx_out_unknown(d);
  const RlxVDevice *vdevice = rlx_common_vdevice(x, 2);
  RlxDType dtype;
  if (rlx_attr_dtype(d, call, 2, &dtype) == RLX_ATTR_ABSENT)
    dtype = rlx_rule_dtype(d, call, x[0]->dtype, x[1]->dtype);
  if (x[0]->ndim < 0 || x[1]->ndim < 0) return rlx_out_tensor(d, NULL, -1, dtype, vdevice);
  for (int i = 0; i < 2; i++) {
    if (x[i]->ndim > 0) continue;
    rlx_fail_rank(d, call, i, x[i], "rank 1 or more");
    return rlx_out_tensor(d, NULL, -1, dtype, vdevice);
  }
  const int ndims[2] = {x[0]->ndim, x[1]->ndim};
  return rlx_out_dist(d, call, product(d, call, x[0], x[1], dtype, vdevice), 2, product_axis,
                      ndims);
}

/// The matrix with its axes reversed.
static const RlxSInfo *transposed(RlxDeduce *d, const RlxSInfo *x) {
  if (x->ndim < 0 || !x->dims) return rlx_out(d, x, NULL, x->ndim);
  const RlxPrim **dims = rlx_dims_new(d, x->ndim);
  for (int i = 0; i < x->ndim; i++) dims[i] = x->dims[x->ndim - 1 - i];
  return rlx_out(d, x, dims, x->ndim);
}

/// StructInfo of `R.linear(data, weight, bias=None, out_dtype=None)`: matmul(data,
/// permute_dims(weight)) + bias.
///
/// Reports ARGUMENT_KIND, DTYPE_MISMATCH, RANK, SHAPE_BROADCAST, CONTRACTION, VDEVICE_MISMATCH.
/// Source: TVM v0.25 linear, python/tvm/relax/op/linear_algebra.py.
const RlxSInfo *rlx_deduce_linear(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *data = rlx_arg_tensor(d, call, 0), *weight = rlx_arg_tensor(d, call, 1);
  const RlxSInfo *bias = rlx_arg_given(call, 2) ? rlx_arg_tensor(d, call, 2) : NULL;
  if (!data || !weight) return rlx_out_unknown(d);
  weight = transposed(d, weight);
  const RlxSInfo *both[2] = {data, weight};
  const RlxVDevice *vdevice = rlx_common_vdevice(both, 2);
  RlxDType dtype;
  if (rlx_attr_dtype(d, call, 3, &dtype) == RLX_ATTR_ABSENT)
    dtype = rlx_rule_dtype(d, call, data->dtype, weight->dtype);
  for (int i = 0; i < 2; i++) {
    if (both[i]->ndim != 0) continue;
    rlx_fail_rank(d, call, i, both[i], "rank 1 or more");
    return rlx_out_tensor(d, NULL, -1, dtype, vdevice);
  }
  const RlxSInfo *out = data->ndim < 0 || weight->ndim < 0
                            ? rlx_out_tensor(d, NULL, -1, dtype, vdevice)
                            : product(d, call, data, weight, dtype, vdevice);
  if (!bias || d->failed) return out;
  dtype = rlx_rule_dtype(d, call, out->dtype, bias->dtype);
  vdevice = rlx_rule_vdevice(d, call, out->vdevice, bias->vdevice);
  RlxDims dims;
  int ndim;
  rlx_rule_broadcast(d, call, out, bias, &dims, &ndim);
  return rlx_out_tensor(d, dims, ndim, dtype, vdevice);
}

/// StructInfo of `R.outer(x1, x2)`: (n, m), x1's dtype, no device.
///
/// x1, x2  vectors; an unknown rank is refused.
/// Reports ARGUMENT_KIND, RANK.
/// Source: TVM v0.25 InferStructInfoOuter, src/relax/op/tensor/linear_algebra.cc.
const RlxSInfo *rlx_deduce_outer(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *a = rlx_arg_tensor(d, call, 0), *b = rlx_arg_tensor(d, call, 1);
  if (!a || !b) return rlx_out_unknown(d);
  bool good = rlx_need_ndim(d, call, 0, a, 1, true) && rlx_need_ndim(d, call, 1, b, 1, true);
  if (!good || !a->dims || !b->dims) return rlx_out_tensor(d, NULL, 2, a->dtype, NULL);
  const RlxPrim *dims[2] = {a->dims[0], b->dims[0]};
  return rlx_out_tensor(d, dims, 2, a->dtype, NULL);
}

// ---- einsum

enum { MAX_TERMS = 64, MAX_LABELS = 64, ELLIPSIS = 1 };

/// Subscripts, read: labels of each operand and of the result; ELLIPSIS for "...".
typedef struct Equation {
  char inputs[MAX_TERMS][MAX_LABELS + 1];
  char output[MAX_LABELS + 1];
  int input_count;
} Equation;

/// Labels of the result of an equation without "->": those that occur once, sorted, "..." first.
static void implicit_output(Equation *e) {
  int counts[256] = {0}, at = 0;
  for (int i = 0; i < e->input_count; i++) {
    for (const char *p = e->inputs[i]; *p; p++) counts[(unsigned char)*p]++;
  }
  if (counts[ELLIPSIS]) e->output[at++] = ELLIPSIS;
  for (int c = 'A'; c <= 'z' && at < MAX_LABELS; c++) {
    if (counts[c] == 1) e->output[at++] = (char)c;
  }
  e->output[at] = '\0';
}

/// Reads `text`; gives what is wrong with it, or NULL.
static const char *parse_equation(const char *text, Equation *e) {
  char term[MAX_LABELS + 1];
  int size = 0;
  bool arrow = false, dots = false;
  memset(e, 0, sizeof *e);
  for (const char *p = text;; p++) {
    if (*p == ' ') continue;
    if (*p == ',' || *p == '\0' || *p == '-') {
      if (*p == '-' && (p[1] != '>' || arrow))
        return arrow ? "more than one arrow" : "an arrow is written ->";
      if (*p == ',' && arrow) return "one term at most behind the arrow";
      term[size] = '\0';
      if (*p == '\0' && arrow) {
        strcpy(e->output, term);
        return NULL;
      }
      if (e->input_count == MAX_TERMS) return "too many terms";
      strcpy(e->inputs[e->input_count++], term);
      if (*p == '\0') break;
      arrow |= *p == '-';
      p += *p == '-';
      size = 0;
      dots = false;
      continue;
    }
    if (size == MAX_LABELS) return "a term is too long";
    if (*p == '.') {
      if (dots || p[1] != '.' || p[2] != '.')
        return dots ? "more than one ... in a term" : "an ellipsis is written ...";
      dots = true;
      p += 2;
      term[size++] = ELLIPSIS;
    } else if (isalpha((unsigned char)*p)) {
      term[size++] = *p;
    } else {
      return "only letters, commas, ... and -> are allowed";
    }
  }
  implicit_output(e);
  return NULL;
}

/// What two extents of one letter give; NULL when they contradict.
static const RlxPrim *joined(RlxDeduce *d, const RlxPrim *a, const RlxPrim *b) {
  int64_t m, n;
  bool has_m = rlx_prim_is_const(a, &m), has_n = rlx_prim_is_const(b, &n);
  if (has_m && has_n) return m == n || n == 1 ? a : m == 1 ? b : NULL;
  if (has_m) return b;
  if (has_n || a == b) return a;
  return rlx_prim_binary(d->store, RLX_PRIM_MAX, a, b);
}

/// What two extents below an ellipsis give: they broadcast, so that a number above 1 is the result's.
static const RlxPrim *broadcast(RlxDeduce *d, const RlxPrim *a, const RlxPrim *b) {
  int64_t m, n;
  bool has_m = rlx_prim_is_const(a, &m), has_n = rlx_prim_is_const(b, &n);
  if (has_m != has_n && (has_m ? m : n) > 1) return has_m ? a : b;
  return joined(d, a, b);
}

/// Extents of the letters and of the ellipsis.
typedef struct Extents {
  const RlxPrim *of[256];
  const RlxPrim **dots;
  int dots_ndim;
} Extents;

/// Adds the dimensions that "..." stands for in one operand, broadcasting; false when they
/// contradict.
static bool add_dots(RlxDeduce *d, Extents *x, RlxDims dims, int ndim) {
  int wide = ndim > x->dots_ndim ? ndim : x->dots_ndim;
  const RlxPrim **all = rlx_dims_new(d, wide);
  for (int back = 1; back <= wide; back++) {
    const RlxPrim *a = back <= x->dots_ndim ? x->dots[x->dots_ndim - back] : NULL,
                  *b = back <= ndim ? dims[ndim - back] : NULL;
    all[wide - back] = !a ? b : !b ? a : broadcast(d, a, b);
    if (!all[wide - back]) return false;
  }
  x->dots = all;
  x->dots_ndim = wide;
  return true;
}

/// Extents of one operand's letters; gives what is wrong, or NULL.
static const char *add_operand(RlxDeduce *d, Extents *x, const char *labels,
                               const RlxSInfo *operand) {
  int count = (int)strlen(labels), dots = strchr(labels, ELLIPSIS) ? operand->ndim - count + 1 : 0,
      at = 0;
  if (dots < 0 || (!strchr(labels, ELLIPSIS) && count != operand->ndim)) {
    return rlx_arena_printf(d->scratch, "a term of %d letters for an operand of rank %d", count,
                            operand->ndim);
  }
  for (const char *p = labels; *p; p++) {
    if (*p == ELLIPSIS) {
      if (!add_dots(d, x, operand->dims + at, dots)) return "the axes of ... can't be broadcast";
      at += dots;
      continue;
    }
    const RlxPrim *dim = operand->dims[at++], **known = &x->of[(unsigned char)*p];
    const RlxPrim *both = *known ? joined(d, *known, dim) : dim;
    if (!both)
      return rlx_arena_printf(d->scratch, "%c is %s and %s", *p, rlx_text_prim(d, *known),
                              rlx_text_prim(d, dim));
    *known = both;
  }
  return NULL;
}

/// The rank of a result when the shape of `operand` is not known: as many as the result has letters,
/// where no "..." stands among them. Else TVM's answer, the operand's rank, which is then a guess.
static int rank_without_shapes(RlxDeduce *d, const char *text, const RlxSInfo *operand) {
  Equation *e = rlx_arena_one(d->scratch, Equation);
  if (operand->ndim < 0 || !text || parse_equation(text, e) || strchr(e->output, ELLIPSIS))
    return operand->ndim;
  return (int)strlen(e->output);
}

/// StructInfo of `R.einsum(operands, subscripts)`.
///
/// operands    non-empty tuple of tensors of exactly one dtype. If a shape is not known, only
///             the rank of the result is.
/// subscripts  letters for axes, "..." for leading ones, "->" before the result's; one symbolic and
///             one constant extent of a letter give the symbolic one (below "..." the constant, unless
///             it is 1), two symbolic ones their maximum.
/// Reports ARGUMENT_KIND, TUPLE_EMPTY, DTYPE_MISMATCH, SUBSCRIPTS.
/// Source: TVM v0.25 InferStructInfoEinsum, src/relax/op/tensor/linear_algebra.cc; InferShape,
/// src/topi/einsum.cc. Differs: without a shape TVM gives the rank of the operand.
const RlxSInfo *rlx_deduce_einsum(RlxDeduce *d, const RlxCall *call) {
  const RlxSInfo *const *x;
  const char *text;
  int count;
  if (!rlx_arg_tensors(d, call, 0, &x, &count) || count < 0) return rlx_out_unknown(d);
  RlxAttrState state = rlx_attr_str(d, call, 1, &text);
  if (count == 0) {
    rlx_fail(d, call, 0, RLX_DIAG_ID(TUPLE_EMPTY), "s", "operands");
    return rlx_out_unknown(d);
  }
  const RlxVDevice *vdevice = rlx_common_vdevice(x, count);
  for (int i = 0; i < count; i++) {
    if (!rlx_dtype_equal(x[i]->dtype, x[0]->dtype)) {
      RlxDiag *diag = rlx_fail(d, call, 0, RLX_DIAG_ID(DTYPE_MISMATCH), "ss",
                               rlx_text_dtype(d, x[0]->dtype), rlx_text_dtype(d, x[i]->dtype));
      rlx_fix_cast(d, call, diag, x[i]->dtype, x[0]->dtype);
      return rlx_out_tensor(d, NULL, -1, rlx_dtype_unknown(), vdevice);
    }
    if (!x[i]->dims)
      return rlx_out_tensor(d, NULL,
                            rank_without_shapes(d, state == RLX_ATTR_OK ? text : NULL, x[i]),
                            x[0]->dtype, vdevice);
  }
  if (state != RLX_ATTR_OK) return rlx_out_tensor(d, NULL, -1, x[0]->dtype, vdevice);
  Equation *e = rlx_arena_one(d->scratch, Equation);
  Extents extents = {0};
  const char *wrong = parse_equation(text, e);
  if (!wrong && e->input_count != count)
    wrong = rlx_arena_printf(d->scratch, "%d terms for %d operands", e->input_count, count);
  for (int i = 0; !wrong && i < count; i++) wrong = add_operand(d, &extents, e->inputs[i], x[i]);
  const RlxPrim **dims = rlx_dims_new(d, MAX_LABELS + extents.dots_ndim);
  int ndim = 0;
  for (const char *p = e->output; !wrong && *p; p++) {
    for (int k = 0; *p == ELLIPSIS && k < extents.dots_ndim; k++) dims[ndim++] = extents.dots[k];
    if (*p == ELLIPSIS) continue;
    dims[ndim++] = extents.of[(unsigned char)*p];
    if (!dims[ndim - 1]) wrong = rlx_arena_printf(d->scratch, "%c stands in the result only", *p);
  }
  if (wrong) {
    rlx_fail(d, call, 1, RLX_DIAG_ID(SUBSCRIPTS), "ss", text, wrong);
    return rlx_out_tensor(d, NULL, -1, x[0]->dtype, vdevice);
  }
  return rlx_out_tensor(d, dims, ndim, x[0]->dtype, vdevice);
}
