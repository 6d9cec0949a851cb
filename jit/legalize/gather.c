/// Operators that read (gather) or write (scatter) at places that another tensor holds. A negative
/// index counts from the end; one outside is left to the guard of the access, which says so.
#include <stdio.h>
#include <string.h>

#include "analyzer/ops/op_ids.h"
#include "jit/legalize/compute.h"

static RlxE wrapped(RlxCompute *c, RlxE index, RlxE extent) {
  index = rlx_as(c, RLX_INT64, index);
  return rlx_pick(c, rlx_lt(c, index, rlx_i(c, 0)), rlx_add(c, index, extent), index);
}

static RlxE take_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  const RlxOperand *x = &c->operands[0], *at = &c->operands[1];
  bool flat = !rlx_value_of(c, "axis") && x->ndim != 1;
  int axis = flat ? 0 : rlx_axis(rlx_int_of(c, "axis", 0), x->ndim);
  const char *mode = rlx_str_of(c, "mode", "fast");
  RlxE extent = flat ? rlx_product(c, x->shape, x->ndim) : x->shape[axis];
  RlxE k = rlx_as(c, RLX_INT64, rlx_at(c, at, index + axis)),
       last = rlx_sub(c, extent, rlx_i(c, 1)), zero = rlx_i(c, 0), from[RLX_MAX_NDIM];
  if (!strcmp(mode, "wrap"))
    k = rlx_fmod(c, k, extent);
  else if (!strcmp(mode, "clip"))
    k = rlx_op(c, RLX_TIR_MIN, rlx_op(c, RLX_TIR_MAX, k, zero), last);
  else if (strcmp(mode, "nan") != 0) // "nan" is for negative ones, too, as in TVM
    k = wrapped(c, k, extent);
  bool gives_nan = !strcmp(mode, "nan");
  if (gives_nan && !rlx_dtype_is_float(x->dtype)) rlx_refuse(c, "mode=\"nan\" needs a float dtype");
  RlxE place = k; // "nan": any place inside of the tensor will do
  if (gives_nan) place = rlx_op(c, RLX_TIR_MIN, rlx_op(c, RLX_TIR_MAX, k, zero), last);
  if (flat) {
    RlxE rest = place;
    for (int i = x->ndim; i-- > 0;) {
      from[i] = i ? rlx_fmod(c, rest, x->shape[i]) : rest;
      rest = rlx_fdiv(c, rest, x->shape[i]);
    }
  } else {
    for (int i = 0; i < x->ndim; i++)
      from[i] = i < axis ? index[i] : i == axis ? place : index[i + at->ndim - 1];
  }
  RlxE e = rlx_at(c, x, from);
  if (!gives_nan) return e;
  RlxE inside = rlx_and(c, rlx_ge(c, k, zero), rlx_lt(c, k, extent));
  return rlx_guard(c, inside, e, rlx_num(c, __builtin_nan(""), x->dtype));
}

static RlxE gather_elements_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  const RlxOperand *x = &c->operands[0];
  int axis = rlx_axis(rlx_int_of(c, "axis", 0), x->ndim);
  RlxE from[RLX_MAX_NDIM];
  memcpy(from, index, sizeof(RlxE) * (size_t)x->ndim);
  from[axis] = wrapped(c, rlx_at(c, &c->operands[1], index), x->shape[axis]);
  return rlx_at(c, x, from);
}

static RlxE reverse_sequence_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  const RlxOperand *x = &c->operands[0];
  int along = rlx_axis(rlx_int_of(c, "seq_axis", 1), x->ndim),
      batch = rlx_axis(rlx_int_of(c, "batch_axis", 0), x->ndim);
  RlxE length = rlx_as(c, RLX_INT64, rlx_at(c, &c->operands[1], index + batch)), from[RLX_MAX_NDIM];
  memcpy(from, index, sizeof(RlxE) * (size_t)x->ndim);
  from[along] = rlx_pick(c, rlx_lt(c, index[along], length),
                         rlx_sub(c, rlx_sub(c, length, rlx_i(c, 1)), index[along]), index[along]);
  return rlx_at(c, x, from);
}

static RlxE gather_nd_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  const RlxOperand *x = &c->operands[0], *at = &c->operands[1];
  int batch = (int)rlx_int_of(c, "batch_dims", 0);
  RlxE depth = at->shape[at->ndim - 1], from[RLX_MAX_NDIM], place[RLX_MAX_NDIM];
  if (depth->kind != RLX_TIR_INT) {
    rlx_refuse(c, "R.gather_nd: the last axis of the indices is not a constant");
    return rlx_num(c, 0, x->dtype);
  }
  int m = (int)depth->integer, n = 0;
  for (int i = 0; i < batch; i++) from[n++] = index[i];
  for (int k = 0; k < m && n < x->ndim; k++) {
    memcpy(place, index, sizeof(RlxE) * (size_t)(at->ndim - 1));
    place[at->ndim - 1] = rlx_i(c, k);
    from[n] = wrapped(c, rlx_at(c, at, place), x->shape[n]);
    n++;
  }
  for (int i = at->ndim - 1; n < x->ndim; i++) from[n++] = index[i];
  return rlx_at(c, x, from);
}

static RlxE index_tensor_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  const RlxOperand *x = &c->operands[0];
  int count = c->operand_count - 1, ndim = 0;
  for (int k = 1; k <= count; k++) ndim = c->operands[k].ndim > ndim ? c->operands[k].ndim : ndim;
  RlxE from[RLX_MAX_NDIM];
  for (int i = 0; i < x->ndim; i++)
    from[i] = i < count
                  ? wrapped(c, rlx_at_broadcast(c, &c->operands[i + 1], index, ndim), x->shape[i])
                  : index[ndim + i - count];
  return rlx_at(c, x, from);
}

bool rlx_legalize_gather(RlxCompute *c) {
  if (!rlx_operand(c, 0) || c->operand_count < 2)
    return rlx_refuse(c, "R.%s: operands are not known", c->call->row->script);
  c->result->kind = RLX_KERNEL_INJECTIVE;
  switch ((int)c->call->row->id) {
  case RLX_OPID_take: rlx_compute(c, &c->outputs[0], take_value, NULL); return true;
  case RLX_OPID_gather_elements:
    rlx_compute(c, &c->outputs[0], gather_elements_value, NULL);
    return true;
  case RLX_OPID_gather_nd:
    for (int64_t i = rlx_int_of(c, "batch_dims", 0); i-- > 0;)
      if (i < c->operands[0].ndim && !rlx_fits_extent(c, 1, (int)i, c->operands[0].shape[i]))
        return false;
    rlx_compute(c, &c->outputs[0], gather_nd_value, NULL);
    return true;
  case RLX_OPID_reverse_sequence:
    if (!rlx_fits_extent(
            c, 1, 0,
            c->operands[0].shape[rlx_axis(rlx_int_of(c, "batch_axis", 0), c->operands[0].ndim)]))
      return false;
    rlx_compute(c, &c->outputs[0], reverse_sequence_value, NULL);
    return true;
  case RLX_OPID_index_tensor: rlx_compute(c, &c->outputs[0], index_tensor_value, NULL); return true;
  default: return rlx_refuse(c, "R.%s cannot be run yet", c->call->row->script);
  }
}

// ------------------------------------------------------------------ scatter

static bool is_one(RlxE e) { return e->kind == RLX_TIR_INT && e->integer == 1; }

static RlxE copy_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  return rlx_at(c, &c->operands[0], index);
}

static RlxE combined(RlxCompute *c, const char *how, RlxE old, RlxE value) {
  if (!strcmp(how, "add")) return rlx_add(c, old, value);
  if (!strcmp(how, "mul")) return rlx_mul(c, old, value);
  if (!strcmp(how, "min")) return rlx_op(c, RLX_TIR_MIN, old, value);
  if (!strcmp(how, "max")) return rlx_op(c, RLX_TIR_MAX, old, value);
  if (!strcmp(how, "mean")) // of what is there and the update, one after the other, as in TVM
    return rlx_op(c, rlx_dtype_is_float(old->dtype) ? RLX_TIR_DIV : RLX_TIR_TRUNCDIV,
                  rlx_add(c, old, value), rlx_num(c, 2, old->dtype));
  return value;
}

static void name_loops(RlxCompute *c, RlxE *vars, int count) {
  char name[16];
  for (int i = 0; i < count; i++)
    snprintf(name, sizeof name, "j%d", i), vars[i] = rlx_loop_var(c, name);
}

/// Writes `value` at `to`, combined with what is there.
static RlxTirStmt *write_at(RlxCompute *c, RlxE *to, RlxE value, const char *how) {
  const RlxOperand *out = &c->outputs[0];
  return rlx_put(c, out, to, combined(c, how, rlx_at(c, out, to), rlx_as(c, out->dtype, value)));
}

static bool scatter_elements(RlxCompute *c) {
  const RlxOperand *out = &c->outputs[0], *at = &c->operands[1], *updates = &c->operands[2];
  int axis = rlx_axis(rlx_int_of(c, "axis", 0), out->ndim);
  RlxE vars[RLX_MAX_NDIM], to[RLX_MAX_NDIM];
  name_loops(c, vars, at->ndim);
  memcpy(to, vars, sizeof to);
  to[axis] = wrapped(c, rlx_at(c, at, vars), out->shape[axis]);
  rlx_emit(c, rlx_loops(
                  c, vars, at->shape, at->ndim,
                  write_at(c, to, rlx_at(c, updates, vars), rlx_str_of(c, "reduction", "update"))));
  return true;
}

/// indices: (m, …) here with the coordinate axis first or last, as TVM's scatter_nd has it: first.
static bool scatter_nd(RlxCompute *c) {
  const RlxOperand *out = &c->outputs[0], *at = &c->operands[1], *updates = &c->operands[2];
  RlxE depth = at->shape[at->ndim - 1];
  if (depth->kind != RLX_TIR_INT)
    return rlx_refuse(c, "R.scatter_nd: the last axis of the indices is not a constant");
  int m = (int)depth->integer;
  RlxE vars[RLX_MAX_NDIM], to[RLX_MAX_NDIM], place[RLX_MAX_NDIM];
  name_loops(c, vars, updates->ndim);
  for (int k = 0; k < m && k < out->ndim; k++) {
    memcpy(place, vars, sizeof place);
    place[at->ndim - 1] = rlx_i(c, k);
    to[k] = wrapped(c, rlx_at(c, at, place), out->shape[k]);
  }
  for (int k = m; k < out->ndim; k++) to[k] = vars[at->ndim - 1 + k - m];
  rlx_emit(c, rlx_loops(
                  c, vars, updates->shape, updates->ndim,
                  write_at(c, to, rlx_at(c, updates, vars), rlx_str_of(c, "reduction", "update"))));
  return true;
}

/// Joins the shape of `x` to `shape` by numpy's broadcasting, the last axes facing each other: false
/// when two numbers contradict. Of lengths that are not known the first one counts.
static bool join_shape(RlxCompute *c, const RlxOperand *x, RlxE *shape, int ndim) {
  for (int i = 0; i < x->ndim; i++) {
    RlxE *known = &shape[ndim - x->ndim + i], here = x->shape[i];
    if (is_one(*known))
      *known = here;
    else if (!is_one(here) && (*known)->kind == RLX_TIR_INT && here->kind == RLX_TIR_INT &&
             (*known)->integer != here->integer)
      return rlx_refuse(c, "R.%s: dimension %d of an operand is %lld, where others have %lld",
                        c->call->row->script, i, (long long)here->integer,
                        (long long)(*known)->integer);
  }
  return true;
}

/// data, indices (a tuple of tensors), values.
static bool index_put(RlxCompute *c) {
  const RlxOperand *out = &c->outputs[0];
  int count = c->operand_count - 2, ndim = 0, rest = out->ndim - count;
  const RlxOperand *values = &c->operands[c->operand_count - 1];
  for (int k = 1; k <= count; k++) ndim = c->operands[k].ndim > ndim ? c->operands[k].ndim : ndim;
  if (rest < 0 || ndim + rest > RLX_MAX_NDIM || values->ndim > ndim + rest)
    return rlx_refuse(c, "R.index_put: the operands' ranks do not fit each other");
  RlxE vars[RLX_MAX_NDIM], to[RLX_MAX_NDIM], extents[RLX_MAX_NDIM], joined[RLX_MAX_NDIM];
  for (int i = 0; i < ndim; i++) extents[i] = rlx_i(c, 1);
  for (int k = 1; k <= count; k++)
    if (!join_shape(c, &c->operands[k], extents, ndim)) return false;
  for (int i = 0; i < rest; i++) extents[ndim + i] = out->shape[count + i];
  memcpy(joined, extents, sizeof joined);
  if (!join_shape(c, values, joined, ndim + rest)) return false;
  for (int i = 0; i < ndim + rest; i++)
    if (is_one(extents[i]) && joined[i]->kind == RLX_TIR_INT && joined[i]->integer != 1)
      return rlx_refuse(c, "R.index_put: there are more values than places");
  name_loops(c, vars, ndim + rest);
  for (int i = 0; i < out->ndim; i++)
    to[i] = i < count
                ? wrapped(c, rlx_at_broadcast(c, &c->operands[i + 1], vars, ndim), out->shape[i])
                : vars[ndim + i - count];
  const char *how = rlx_bool_of(c, "accumulate", false) ? "add" : "update";
  rlx_emit(c, rlx_loops(c, vars, extents, ndim + rest,
                        write_at(c, to, rlx_at_broadcast(c, values, vars, ndim + rest), how)));
  return true;
}

static bool is_number(RlxE e) { return e->kind == RLX_TIR_INT; }

static bool slice_scatter(RlxCompute *c) {
  const RlxOperand *out = &c->outputs[0], *src = &c->operands[1];
  int axis = rlx_axis(rlx_int_of(c, "axis", 0), out->ndim);
  RlxE start = rlx_prim_of(c, "start"), step = rlx_prim_of(c, "step"), vars[RLX_MAX_NDIM],
       to[RLX_MAX_NDIM];
  for (int i = 0; i < src->ndim; i++)
    if (i != axis && !rlx_fits_extent(c, 1, i, out->shape[i])) return false;
  RlxE end = rlx_prim_of(c, "end");
  if (start && end && step && is_number(start) && is_number(end) && is_number(step) &&
      is_number(out->shape[axis]) && step->integer > 0) {
    int64_t size = out->shape[axis]->integer, from = start->integer, last = end->integer;
    last = last < size ? last : size;
    int64_t length = last > from ? (last - from - 1) / step->integer + 1 : 0;
    if (!rlx_fits_extent(c, 1, axis, rlx_i(c, length))) return false;
  }
  name_loops(c, vars, src->ndim);
  memcpy(to, vars, sizeof to);
  to[axis] =
      rlx_add(c, start ? start : rlx_i(c, 0), rlx_mul(c, vars[axis], step ? step : rlx_i(c, 1)));
  // What would lie outside is left out: deduction does not know every start and end.
  RlxE inside = rlx_and(c, rlx_ge(c, to[axis], rlx_i(c, 0)), rlx_lt(c, to[axis], out->shape[axis]));
  rlx_emit(c, rlx_loops(c, vars, src->shape, src->ndim,
                        rlx_when(c, inside, write_at(c, to, rlx_at(c, src, vars), "update"))));
  return true;
}

static RlxE one_hot_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  const RlxOperand *at = &c->operands[0];
  RlxDType t = c->outputs[0].dtype;
  int axis = rlx_axis(rlx_int_of(c, "axis", -1), c->outputs[0].ndim), n = 0;
  RlxE place[RLX_MAX_NDIM];
  for (int i = 0; i < c->outputs[0].ndim; i++) {
    if (i != axis) place[n++] = index[i];
  }
  RlxE hit = rlx_eq(c, rlx_as(c, RLX_INT64, rlx_at(c, at, place)), index[axis]);
  return rlx_pick(c, hit, rlx_scalar_of(c, "on_value", t, 1), rlx_scalar_of(c, "off_value", t, 0));
}

bool rlx_legalize_scatter(RlxCompute *c) {
  if (c->call->row->id == RLX_OPID_one_hot) {
    c->result->kind = RLX_KERNEL_INJECTIVE;
    rlx_compute(c, &c->outputs[0], one_hot_value, NULL);
    return true;
  }
  if (c->operand_count < 2)
    return rlx_refuse(c, "R.%s: operands are not known", c->call->row->script);
  rlx_compute(c, &c->outputs[0], copy_value, NULL);
  switch ((int)c->call->row->id) {
  case RLX_OPID_scatter_elements: return scatter_elements(c);
  case RLX_OPID_scatter_nd: return scatter_nd(c);
  case RLX_OPID_index_put: return index_put(c);
  case RLX_OPID_slice_scatter: return slice_scatter(c);
  default: return rlx_refuse(c, "R.%s cannot be run yet", c->call->row->script);
  }
}
