/// Operators that only move elements: each output place reads one place of one operand.
#include <string.h>

#include "analyzer/ops/op_ids.h"
#include "jit/legalize/compute.h"

/// Row-major number of a place.
static RlxE flat_of(RlxCompute *c, RlxE *index, RlxE *shape, int ndim) {
  RlxE flat = rlx_i(c, 0);
  for (int i = 0; i < ndim; i++) flat = rlx_add(c, rlx_mul(c, flat, shape[i]), index[i]);
  return flat;
}

static void unflatten(RlxCompute *c, RlxE flat, RlxE *shape, int ndim, RlxE *out) {
  for (int i = ndim; i-- > 0;) {
    out[i] = i ? rlx_fmod(c, flat, shape[i]) : flat;
    if (i) flat = rlx_fdiv(c, flat, shape[i]);
  }
}

static bool is_one(RlxE e) { return e->kind == RLX_TIR_INT && e->integer == 1; }

/// Reshape: axes that stay (leading ones, and extents of 1 around them) keep their index; the rest
/// goes through the flat number.
static RlxE reshape_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  const RlxOperand *x = &c->operands[0], *out = &c->outputs[0];
  RlxE from[RLX_MAX_NDIM];
  int i = 0, o = 0;
  for (;;) { // pair the axes from the front
    while (i < x->ndim && is_one(x->shape[i]) && !(o < out->ndim && is_one(out->shape[o])))
      from[i++] = rlx_i(c, 0);
    while (o < out->ndim && is_one(out->shape[o]) && !(i < x->ndim && is_one(x->shape[i]))) o++;
    if (i == x->ndim || o == out->ndim || !rlx_same_extent(x->shape[i], out->shape[o])) break;
    from[i++] = index[o++];
  }
  if (i < x->ndim) {
    RlxE flat = flat_of(c, index + o, out->shape + o, out->ndim - o);
    unflatten(c, flat, x->shape + i, x->ndim - i, from + i);
  }
  return rlx_at(c, x, from);
}

static RlxE permute_value(RlxCompute *c, RlxE *index, void *data) {
  const int64_t *axes = data;
  const RlxOperand *x = &c->operands[0];
  RlxE from[RLX_MAX_NDIM];
  for (int i = 0; i < x->ndim; i++) from[axes[i]] = index[i];
  return rlx_at(c, x, from);
}

/// A symbolic length that is not the result's may be 1 when it runs: its index is times 0 then. As a
/// product it rises with the loop, so that what other lengths there are is checked before it.
static RlxE broadcast_to_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  const RlxOperand *x = &c->operands[0], *out = &c->outputs[0];
  int lead = out->ndim - x->ndim;
  RlxE from[RLX_MAX_NDIM];
  memcpy(from, index, sizeof(RlxE) * (size_t)out->ndim);
  for (int i = 0; i < x->ndim; i++) {
    RlxE size = x->shape[i], one = rlx_i(c, 1), zero = rlx_i(c, 0);
    if (size->kind == RLX_TIR_INT || rlx_same_extent(size, out->shape[lead + i])) continue;
    from[lead + i] = rlx_mul(c, index[lead + i], rlx_pick(c, rlx_eq(c, size, one), zero, one));
  }
  return rlx_at_broadcast(c, x, from, out->ndim);
}

static RlxE flip_value(RlxCompute *c, RlxE *index, void *data) {
  int axis = *(int *)data;
  const RlxOperand *x = &c->operands[0];
  RlxE from[RLX_MAX_NDIM];
  memcpy(from, index, sizeof(RlxE) * (size_t)x->ndim);
  from[axis] = rlx_sub(c, rlx_sub(c, x->shape[axis], rlx_i(c, 1)), index[axis]);
  return rlx_at(c, x, from);
}

static RlxE repeat_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  const RlxOperand *x = &c->operands[0];
  RlxE times = rlx_i(c, rlx_int_of(c, "repeats", 1)), from[RLX_MAX_NDIM];
  if (!rlx_value_of(c, "axis")) {
    unflatten(c, rlx_fdiv(c, index[0], times), x->shape, x->ndim, from);
  } else {
    int axis = rlx_axis(rlx_int_of(c, "axis", 0), x->ndim);
    memcpy(from, index, sizeof(RlxE) * (size_t)x->ndim);
    from[axis] = rlx_fdiv(c, index[axis], times);
  }
  return rlx_at(c, x, from);
}

static RlxE tile_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  const RlxOperand *x = &c->operands[0];
  RlxE from[RLX_MAX_NDIM];
  for (int i = 0; i < x->ndim; i++)
    from[i] = rlx_fmod(c, index[c->outputs[0].ndim - x->ndim + i], x->shape[i]);
  return rlx_at(c, x, from);
}

typedef struct Mesh {
  int operand, axis;
} Mesh;

static RlxE meshgrid_value(RlxCompute *c, RlxE *index, void *data) {
  const Mesh *m = data;
  return rlx_at(c, &c->operands[m->operand], c->operands[m->operand].ndim ? &index[m->axis] : NULL);
}

static RlxE pixel_shuffle_value(RlxCompute *c, RlxE *index, void *data) {
  (void)data;
  const RlxOperand *x = &c->operands[0];
  int n = x->ndim;
  RlxE r = rlx_i(c, rlx_int_of(c, "upscale_factor", 1)), from[RLX_MAX_NDIM];
  memcpy(from, index, sizeof(RlxE) * (size_t)n);
  RlxE h = rlx_fmod(c, index[n - 2], r), w = rlx_fmod(c, index[n - 1], r);
  from[n - 3] = rlx_add(c, rlx_mul(c, rlx_add(c, rlx_mul(c, index[n - 3], r), h), r), w);
  from[n - 2] = rlx_fdiv(c, index[n - 2], r);
  from[n - 1] = rlx_fdiv(c, index[n - 1], r);
  return rlx_at(c, x, from);
}

// ------------------------------------------------------------------ slices

typedef struct Slice {
  RlxE begin[RLX_MAX_NDIM], stride[RLX_MAX_NDIM];
} Slice;

static RlxE slice_value(RlxCompute *c, RlxE *index, void *data) {
  const Slice *s = data;
  RlxE from[RLX_MAX_NDIM];
  for (int i = 0; i < c->operands[0].ndim; i++)
    from[i] = s->begin[i] ? rlx_add(c, s->begin[i], rlx_mul(c, index[i], s->stride[i])) : index[i];
  return rlx_at(c, &c->operands[0], from);
}

/// Where a slice starts, as Python has it: negatives count from the end, what lies outside is moved
/// to the border.
static RlxE clamp_begin(RlxCompute *c, RlxE begin, RlxE extent, int64_t stride) {
  RlxE zero = rlx_i(c, 0), b = begin;
  if (b->kind != RLX_TIR_INT || b->integer < 0)
    b = rlx_pick(c, rlx_lt(c, b, zero), rlx_add(c, b, extent), b);
  if (stride > 0) return rlx_op(c, RLX_TIR_MIN, rlx_op(c, RLX_TIR_MAX, b, zero), extent);
  return rlx_op(c, RLX_TIR_MIN, rlx_op(c, RLX_TIR_MAX, b, rlx_i(c, -1)),
                rlx_sub(c, extent, rlx_i(c, 1)));
}

static bool strided_slice(RlxCompute *c) {
  const RlxOperand *x = &c->operands[0];
  int64_t axes[RLX_MAX_NDIM], strides[RLX_MAX_NDIM];
  RlxE begin[RLX_MAX_NDIM];
  int n = rlx_ints_of(c, "axes", axes, RLX_MAX_NDIM),
      m = rlx_prims_of(c, "begin", begin, RLX_MAX_NDIM),
      k = rlx_ints_of(c, "strides", strides, RLX_MAX_NDIM);
  if (n < 0 || m < n) return rlx_refuse(c, "R.strided_slice: begin is not known before it runs");
  Slice s = {{NULL}, {NULL}};
  for (int i = 0; i < n; i++) {
    int axis = rlx_axis(axes[i], x->ndim);
    int64_t stride = i < k ? strides[i] : 1;
    bool inbound = rlx_bool_of(c, "assume_inbound", false);
    s.begin[axis] = inbound ? begin[i] : clamp_begin(c, begin[i], x->shape[axis], stride);
    s.stride[axis] = rlx_i(c, stride);
  }
  rlx_compute(c, &c->outputs[0], slice_value, &s);
  return true;
}

// ------------------------------------------------------------------ padding

typedef struct Pad {
  RlxE before[RLX_MAX_NDIM];
  const char *mode;
  RlxE value;
} Pad;

static RlxE pad_value(RlxCompute *c, RlxE *index, void *data) {
  const Pad *p = data;
  const RlxOperand *x = &c->operands[0];
  RlxE from[RLX_MAX_NDIM], inside = NULL, zero = rlx_i(c, 0);
  for (int i = 0; i < x->ndim; i++) {
    RlxE at = rlx_sub(c, index[i], p->before[i]), last = rlx_sub(c, x->shape[i], rlx_i(c, 1));
    bool none = p->before[i]->kind == RLX_TIR_INT && !p->before[i]->integer &&
                rlx_same_extent(x->shape[i], c->outputs[0].shape[i]);
    if (none) {
      from[i] = index[i];
    } else if (!strcmp(p->mode,
                       "replicate")) { // "edge" is accepted, and pads with the constant, as in TVM
      from[i] = rlx_op(c, RLX_TIR_MIN, rlx_op(c, RLX_TIR_MAX, at, zero), last);
    } else if (!strcmp(p->mode, "reflect")) {
      RlxE low = rlx_pick(c, rlx_lt(c, at, zero), rlx_sub(c, zero, at), at);
      from[i] = rlx_pick(c, rlx_op(c, RLX_TIR_GT, low, last),
                         rlx_sub(c, rlx_mul(c, rlx_i(c, 2), last), low), low);
    } else if (!strcmp(p->mode, "circular")) {
      from[i] = rlx_fmod(c, at, x->shape[i]);
    } else {
      from[i] = at;
      RlxE here = rlx_and(c, rlx_ge(c, at, zero), rlx_lt(c, at, x->shape[i]));
      inside = inside ? rlx_and(c, inside, here) : here;
    }
  }
  RlxE e = rlx_at(c, x, from);
  return inside ? rlx_guard(c, inside, e, p->value) : e;
}

static bool pad(RlxCompute *c) {
  int64_t width[2 * RLX_MAX_NDIM];
  int n = rlx_ints_of(c, "pad_width", width, 2 * RLX_MAX_NDIM);
  if (n != 2 * c->operands[0].ndim)
    return rlx_refuse(c, "R.nn.pad: pad_width has %d numbers for %d axes", n, c->operands[0].ndim);
  Pad p = {.mode = rlx_str_of(c, "pad_mode", "constant"),
           .value = rlx_scalar_of(c, "pad_value", c->operands[0].dtype, 0)};
  for (int i = 0; i < c->operands[0].ndim; i++) p.before[i] = rlx_i(c, width[2 * i]);
  rlx_compute(c, &c->outputs[0], pad_value, &p);
  return true;
}

// ------------------------------------------------------------------ layout_transform

typedef struct MapVars {
  const RlxValue *params;
  RlxE *places;
} MapVars;

static RlxTirVar *map_var(const RlxSymVar *symbol, void *data) {
  const MapVars *m = data;
  for (uint32_t i = 0; i < m->params->count; i++) {
    const RlxValue *v = &m->params->items[i];
    if (v->kind == RLX_VALUE_PRIM && rlx_prim_as_var(v->prim) == symbol) return m->places[i]->var;
  }
  return NULL;
}

static RlxE constant_value(RlxCompute *c, RlxE *index, void *data) {
  (void)c, (void)index;
  return data;
}

/// Fills the result with the padding where the map leaves holes, then writes each element at the
/// place that the map gives.
static bool layout_transform(RlxCompute *c) {
  const RlxOperand *x = &c->operands[0], *out = &c->outputs[0];
  const RlxValue *map = rlx_value_of(c, "index_map");
  bool is_map = map && map->kind == RLX_VALUE_LIST && map->count == 2 &&
                map->items[0].kind == RLX_VALUE_LIST && map->items[1].kind == RLX_VALUE_LIST;
  if (!is_map || (int)map->items[0].count != x->ndim || (int)map->items[1].count != out->ndim)
    return rlx_refuse(c, "R.layout_transform: the index map is not known");
  RlxE vars[RLX_MAX_NDIM], to[RLX_MAX_NDIM];
  for (int i = 0; i < x->ndim; i++) vars[i] = rlx_loop_var(c, "j");
  MapVars vars_of = {&map->items[0], vars};
  for (int i = 0; i < out->ndim; i++) {
    const RlxValue *v = &map->items[1].items[i];
    const RlxPrim *p = v->kind == RLX_VALUE_PRIM  ? v->prim
                       : v->kind == RLX_VALUE_INT ? rlx_prim_int(c->store, v->integer)
                                                  : NULL;
    if (!p) return rlx_refuse(c, "R.layout_transform: the index map is not known");
    to[i] = rlx_as(c, RLX_INT64, rlx_tir_from_prim(c->f, p, map_var, &vars_of));
  }
  c->result->kind = RLX_KERNEL_OPAQUE;
  rlx_compute(c, out, constant_value, rlx_scalar_of(c, "pad_value", x->dtype, 0));
  rlx_emit(c, rlx_loops(c, vars, x->shape, x->ndim, rlx_put(c, out, to, rlx_at(c, x, vars))));
  return true;
}

// ------------------------------------------------------------------ concat, stack, split

typedef struct Join {
  int axis;
  bool stacks;
} Join;

static RlxE join_value(RlxCompute *c, RlxE *index, void *data) {
  const Join *j = data;
  RlxE value = NULL, start[RLX_KERNEL_MAX_INPUTS];
  RlxE at = rlx_i(c, 0);
  for (int k = 0; k < c->operand_count; k++) {
    start[k] = at;
    at = rlx_add(c, at, j->stacks ? rlx_i(c, 1) : c->operands[k].shape[j->axis]);
  }
  for (int k = c->operand_count; k-- > 0;) { // the last operand whose start is not behind the place
    RlxE from[RLX_MAX_NDIM];
    int n = 0;
    for (int i = 0; i < c->outputs[0].ndim; i++) {
      if (j->stacks && i == j->axis) continue;
      from[n++] = i == j->axis ? rlx_sub(c, index[i], start[k]) : index[i];
    }
    RlxE e = rlx_at(c, &c->operands[k], from);
    value = value ? rlx_guard(c, rlx_lt(c, index[j->axis], start[k + 1]), e, value) : e;
  }
  return value;
}

static bool join(RlxCompute *c, bool stacks) {
  if (!c->operand_count)
    return rlx_refuse(c, "R.%s: the tensors are not known", c->call->row->script);
  Join j = {rlx_axis(rlx_int_of(c, "axis", 0), c->outputs[0].ndim), stacks};
  if (c->operand_count > 16) { // a loop nest each: a chain of tests would be slow
    RlxE at = rlx_i(c, 0);
    for (int k = 0; k < c->operand_count; k++) {
      const RlxOperand *x = &c->operands[k];
      RlxE vars[RLX_MAX_NDIM], to[RLX_MAX_NDIM];
      int n = 0;
      for (int i = 0; i < x->ndim; i++) vars[i] = rlx_loop_var(c, "i");
      for (int i = 0; i < c->outputs[0].ndim; i++)
        to[i] = stacks && i == j.axis ? at : i == j.axis ? rlx_add(c, at, vars[n++]) : vars[n++];
      rlx_emit(c, rlx_loops(c, vars, x->shape, x->ndim,
                            rlx_put(c, &c->outputs[0], to, rlx_at(c, x, vars))));
      at = rlx_add(c, at, stacks ? rlx_i(c, 1) : x->shape[j.axis]);
    }
    c->result->kind = RLX_KERNEL_OPAQUE;
    return true;
  }
  rlx_compute(c, &c->outputs[0], join_value, &j);
  return true;
}

typedef struct Part {
  int axis;
  RlxE start;
} Part;

static RlxE part_value(RlxCompute *c, RlxE *index, void *data) {
  const Part *p = data;
  RlxE from[RLX_MAX_NDIM];
  memcpy(from, index, sizeof(RlxE) * (size_t)c->operands[0].ndim);
  from[p->axis] = rlx_add(c, index[p->axis], p->start);
  return rlx_at(c, &c->operands[0], from);
}

static bool split(RlxCompute *c) {
  Part p = {rlx_axis(rlx_int_of(c, "axis", 0), c->operands[0].ndim), rlx_i(c, 0)};
  const RlxValue *cuts = rlx_value_of(c, "indices_or_sections");
  bool is_list = cuts && cuts->kind == RLX_VALUE_LIST;
  int64_t at[64];
  int count = is_list ? rlx_ints_of(c, "indices_or_sections", at, 64) : 0;
  RlxE extent = c->operands[0].shape[p.axis];
  for (int k = 0; k < c->output_count; k++) {
    rlx_compute(c, &c->outputs[k], part_value, &p);
    // The next part starts at its cut, which need not be where this one ends.
    if (k < count)
      p.start = rlx_op(c, RLX_TIR_MIN, rlx_i(c, at[k] > 0 ? at[k] : 0), extent);
    else
      p.start = rlx_add(c, p.start, c->outputs[k].shape[p.axis]);
  }
  c->result->kind = c->output_count == 1 ? RLX_KERNEL_INJECTIVE : RLX_KERNEL_OPAQUE;
  return true;
}

bool rlx_legalize_index_map(RlxCompute *c) {
  RlxOpId op = c->call->row->id;
  const RlxOperand *out = &c->outputs[0];
  c->result->kind = RLX_KERNEL_INJECTIVE;
  if (op == RLX_OPID_concat || op == RLX_OPID_stack) return join(c, op == RLX_OPID_stack);
  if (op == RLX_OPID_meshgrid) {
    c->result->kind = RLX_KERNEL_OPAQUE;
    bool swaps = !strcmp(rlx_str_of(c, "indexing", "ij"), "xy");
    for (int k = 0; k < c->output_count; k++) {
      Mesh mesh = {k, swaps && k < 2 && c->output_count > 1 ? 1 - k : k};
      rlx_compute(c, &c->outputs[k], meshgrid_value, &mesh);
    }
    return true;
  }
  const RlxOperand *x = rlx_operand(c, 0);
  if (!x) return false;
  switch ((int)op) {
  case RLX_OPID_reshape:
  case RLX_OPID_flatten:
  case RLX_OPID_expand_dims:
  case RLX_OPID_squeeze:
  case RLX_OPID_nn_batch_flatten: rlx_compute(c, out, reshape_value, NULL); return true;
  case RLX_OPID_permute_dims: {
    int64_t axes[RLX_MAX_NDIM];
    int n = rlx_ints_of(c, "axes", axes, RLX_MAX_NDIM);
    for (int i = 0; i < x->ndim; i++)
      axes[i] = n < 0 ? x->ndim - 1 - i : rlx_axis(axes[i], x->ndim);
    rlx_compute(c, out, permute_value, axes);
    return true;
  }
  case RLX_OPID_broadcast_to: rlx_compute(c, out, broadcast_to_value, NULL); return true;
  case RLX_OPID_flip: {
    int axis = rlx_axis(rlx_int_of(c, "axis", 0), x->ndim);
    rlx_compute(c, out, flip_value, &axis);
    return true;
  }
  case RLX_OPID_repeat: rlx_compute(c, out, repeat_value, NULL); return true;
  case RLX_OPID_tile: rlx_compute(c, out, tile_value, NULL); return true;
  case RLX_OPID_nn_pixel_shuffle: rlx_compute(c, out, pixel_shuffle_value, NULL); return true;
  case RLX_OPID_strided_slice: return strided_slice(c);
  case RLX_OPID_split: return split(c);
  case RLX_OPID_nn_pad: return pad(c);
  case RLX_OPID_layout_transform: return layout_transform(c);
  default: return rlx_refuse(c, "R.%s cannot be run yet", c->call->row->script);
  }
}
