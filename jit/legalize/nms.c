/// Detection: boxes with enough score, suppression of boxes that overlap better ones, for one class
/// of boxes after another or for all classes at once.
///
/// Greedy and in order, as TVM's kernels (topi/vision/nms.py): loops over all boxes with conditions
/// inside. Boxes of one score keep their order, and NaN is the least score.
#include <stdio.h>
#include <string.h>

#include "jit/legalize/compute.h"

// ------------------------------------------------------------------ statements

/// A number in a kernel that changes while it runs: a buffer of one element.
static RlxOperand cell(RlxCompute *c, RlxDType t) {
  RlxE one = rlx_i(c, 1);
  return rlx_temporary(c, t, &one, 1);
}
static RlxE get(RlxCompute *c, const RlxOperand *x) {
  RlxE zero = rlx_i(c, 0);
  return rlx_at(c, x, &zero);
}
static RlxTirStmt *set(RlxCompute *c, const RlxOperand *x, RlxE value) {
  RlxE zero = rlx_i(c, 0);
  return rlx_put(c, x, &zero, value);
}
static RlxTirStmt *count_up(RlxCompute *c, const RlxOperand *x) {
  return set(c, x, rlx_add(c, get(c, x), rlx_i(c, 1)));
}

static RlxE at2(RlxCompute *c, const RlxOperand *x, RlxE i, RlxE j) {
  RlxE at[2] = {i, j};
  return rlx_at(c, x, at);
}
static RlxE at3(RlxCompute *c, const RlxOperand *x, RlxE i, RlxE j, RlxE k) {
  RlxE at[3] = {i, j, k};
  return rlx_at(c, x, at);
}
static RlxTirStmt *put2(RlxCompute *c, const RlxOperand *x, RlxE i, RlxE j, RlxE value) {
  RlxE at[2] = {i, j};
  return rlx_put(c, x, at, value);
}
static RlxTirStmt *put3(RlxCompute *c, const RlxOperand *x, RlxE i, RlxE j, RlxE k, RlxE value) {
  RlxE at[3] = {i, j, k};
  return rlx_put(c, x, at, value);
}

#define SEQ(c, ...)                                                                                \
  rlx_tir_seq((c)->f, (RlxTirStmt *[]){__VA_ARGS__},                                               \
              (int)(sizeof((RlxTirStmt *[]){__VA_ARGS__}) / sizeof(RlxTirStmt *)))

static RlxTirStmt *loop(RlxCompute *c, RlxE var, RlxE extent, RlxTirStmt *body) {
  return rlx_loops(c, &var, &extent, 1, body);
}

/// to[i, j, k] = value for all k.
static RlxTirStmt *fill_row(RlxCompute *c, const RlxOperand *to, RlxE i, RlxE j, double value) {
  RlxE k = rlx_loop_var(c, "k");
  return loop(c, k, to->shape[2], put3(c, to, i, j, k, rlx_num(c, value, to->dtype)));
}

static RlxTirStmt *copy_row(RlxCompute *c, const RlxOperand *to, RlxE i, RlxE j,
                            const RlxOperand *from, RlxE row) {
  RlxE k = rlx_loop_var(c, "k");
  return loop(c, k, to->shape[2], put3(c, to, i, j, k, at3(c, from, i, row, k)));
}

// ------------------------------------------------------------------ overlap

/// Intersection over union of the boxes whose four numbers are a[0..3] and b[0..3]: two opposite
/// corners each, in any order. 0 where the union is empty.
static RlxE overlap(RlxCompute *c, RlxE *a, RlxE *b) {
  RlxE size[2], area[2] = {NULL}, both = NULL, zero = rlx_num(c, 0, a[0]->dtype);
  for (int i = 0; i < 2; i++) {
    RlxE low_a = rlx_op(c, RLX_TIR_MIN, a[i], a[i + 2]),
         high_a = rlx_op(c, RLX_TIR_MAX, a[i], a[i + 2]),
         low_b = rlx_op(c, RLX_TIR_MIN, b[i], b[i + 2]),
         high_b = rlx_op(c, RLX_TIR_MAX, b[i], b[i + 2]);
    size[i] = rlx_op(
        c, RLX_TIR_MAX, zero,
        rlx_sub(c, rlx_op(c, RLX_TIR_MIN, high_a, high_b), rlx_op(c, RLX_TIR_MAX, low_a, low_b)));
    RlxE length_a = rlx_sub(c, high_a, low_a), length_b = rlx_sub(c, high_b, low_b);
    area[0] = area[0] ? rlx_mul(c, area[0], length_a) : length_a;
    area[1] = area[1] ? rlx_mul(c, area[1], length_b) : length_b;
  }
  both = rlx_mul(c, size[0], size[1]);
  RlxE all = rlx_sub(c, rlx_add(c, area[0], area[1]), both);
  return rlx_pick(c, rlx_op(c, RLX_TIR_LE, all, zero), zero, rlx_op(c, RLX_TIR_DIV, both, all));
}

// ------------------------------------------------------------------ get_valid_counts

static bool valid_counts(RlxCompute *c) {
  const RlxOperand *x = rlx_operand(c, 0), *boxes = &c->outputs[1], *places = &c->outputs[2];
  if (!x || c->output_count != 3) return false;
  int64_t id_at = rlx_int_of(c, "id_index", 0), score_at = rlx_int_of(c, "score_index", 1);
  RlxOperand found = cell(c, RLX_INT64);
  RlxE i = rlx_loop_var(c, "i"), j = rlx_loop_var(c, "j"), rest = rlx_loop_var(c, "rest");
  RlxE is_valid = rlx_op(c, RLX_TIR_GT, at3(c, x, i, j, rlx_i(c, score_at)),
                         rlx_scalar_of(c, "score_threshold", x->dtype, 0));
  if (id_at >= 0)
    is_valid =
        rlx_and(c, is_valid, rlx_ge(c, at3(c, x, i, j, rlx_i(c, id_at)), rlx_num(c, 0, x->dtype)));
  RlxTirStmt *keep = SEQ(c, copy_row(c, boxes, i, get(c, &found), x, j),
                         put2(c, places, i, get(c, &found), j), count_up(c, &found));
  RlxTirStmt *clear =
      SEQ(c, fill_row(c, boxes, i, rest, -1), put2(c, places, i, rest, rlx_i(c, -1)));
  RlxTirStmt *body =
      SEQ(c, set(c, &found, rlx_i(c, 0)), loop(c, j, x->shape[1], rlx_when(c, is_valid, keep)),
          loop(c, rest, x->shape[1], rlx_when(c, rlx_ge(c, rest, get(c, &found)), clear)),
          rlx_put(c, &c->outputs[0], &i, get(c, &found)));
  rlx_emit(c, loop(c, i, x->shape[0], body));
  return true;
}

// ------------------------------------------------------------------ order

/// Whether score `a` comes before score `b`, NaN behind all others; `first` decides between equals.
static RlxE before(RlxCompute *c, RlxE a, RlxE b, RlxE first) {
  RlxE more = rlx_op(c, RLX_TIR_GT, a, b), same = rlx_eq(c, a, b);
  if (rlx_dtype_is_float(a->dtype)) {
    RlxE no_a = rlx_call1(c, "isnan", a), no_b = rlx_call1(c, "isnan", b);
    more = rlx_op(c, RLX_TIR_OR, more, rlx_and(c, no_b, rlx_eq(c, a, a)));
    same = rlx_op(c, RLX_TIR_OR, same, rlx_and(c, no_a, no_b));
  }
  return rlx_op(c, RLX_TIR_OR, more, rlx_and(c, same, first));
}

/// order[i, r] = j: the jth of the first `count` scores of row i is the rth best.
static RlxTirStmt *sort_row(RlxCompute *c, const RlxOperand *scores, const RlxOperand *order,
                            RlxE i, RlxE count) {
  RlxOperand rank = cell(c, RLX_INT64);
  RlxE j = rlx_loop_var(c, "j"), r = rlx_loop_var(c, "r");
  RlxE ahead = before(c, at2(c, scores, i, r), at2(c, scores, i, j), rlx_lt(c, r, j));
  RlxTirStmt *look = loop(c, r, scores->shape[1],
                          rlx_when(c, rlx_and(c, rlx_lt(c, r, count), ahead), count_up(c, &rank)));
  RlxTirStmt *place = SEQ(c, set(c, &rank, rlx_i(c, 0)), look, put2(c, order, i, get(c, &rank), j));
  return loop(c, j, scores->shape[1], rlx_when(c, rlx_lt(c, j, count), place));
}

// ------------------------------------------------------------------ non_max_suppression

typedef struct Nms {
  const RlxOperand *x, *indices, *boxes, *places; ///< boxes and places: in order of score
  RlxOperand keep, found;                         ///< how many boxes are looked at, are left
  RlxE i;                                         ///< of the batch
  int64_t most, score_at, id_at, corner_at;
  bool is_forced;
  RlxE threshold, least; ///< of the overlap, of the score
} Nms;

static RlxE score_of(RlxCompute *c, const Nms *z, RlxE j) {
  return at3(c, z->boxes, z->i, j, rlx_i(c, z->score_at));
}

static RlxE overlap_of(RlxCompute *c, const Nms *z, RlxE a, RlxE b) {
  RlxE one[4], other[4];
  RlxDType t = rlx_wide(z->x->dtype);
  for (int k = 0; k < 4; k++) {
    RlxE at = rlx_i(c, z->corner_at + k);
    one[k] = rlx_as(c, t, at3(c, z->boxes, z->i, a, at));
    other[k] = rlx_as(c, t, at3(c, z->boxes, z->i, b, at));
  }
  return overlap(c, one, other);
}

/// Whether box `k` can be suppressed by box `j`: it is of j's class, or classes do not count.
static RlxE rivals(RlxCompute *c, const Nms *z, RlxE j, RlxE k) {
  if (z->is_forced || z->id_at < 0) return rlx_tir_int(c->f, 1, RLX_BOOL);
  RlxE at = rlx_i(c, z->id_at);
  return rlx_eq(c, at3(c, z->boxes, z->i, j, at), at3(c, z->boxes, z->i, k, at));
}

static RlxE room_left(RlxCompute *c, const Nms *z) {
  if (z->most <= 0) return rlx_tir_int(c->f, 1, RLX_BOOL);
  return rlx_lt(c, get(c, &z->found), rlx_i(c, z->most));
}

/// The best boxes first; what is not looked at is -1.
static RlxTirStmt *reorder(RlxCompute *c, const Nms *z, const RlxOperand *order) {
  RlxE j = rlx_loop_var(c, "j"), none = rlx_i(c, -1);
  RlxTirStmt *take = SEQ(c, copy_row(c, z->boxes, z->i, j, z->x, at2(c, order, z->i, j)),
                         put2(c, z->places, z->i, j, at2(c, order, z->i, j)));
  RlxTirStmt *clear = SEQ(c, fill_row(c, z->boxes, z->i, j, -1), put2(c, z->places, z->i, j, none));
  return loop(c, j, z->x->shape[1], rlx_tir_if(c->f, rlx_lt(c, j, get(c, &z->keep)), take, clear));
}

/// A box that overlaps a better one by the threshold or more loses its score.
static RlxTirStmt *suppress(RlxCompute *c, const Nms *z) {
  RlxE j = rlx_loop_var(c, "j"), k = rlx_loop_var(c, "rival"), none = rlx_i(c, -1);
  RlxE weak = rlx_and(c, rivals(c, z, j, k), rlx_ge(c, overlap_of(c, z, j, k), z->threshold));
  RlxTirStmt *drop =
      SEQ(c, put3(c, z->boxes, z->i, k, rlx_i(c, z->score_at), rlx_num(c, -1, z->x->dtype)),
          put2(c, z->places, z->i, k, none));
  RlxE in_play = rlx_and(c, rlx_and(c, rlx_op(c, RLX_TIR_GT, k, j), rlx_lt(c, k, get(c, &z->keep))),
                         rlx_op(c, RLX_TIR_GT, score_of(c, z, k), z->least));
  RlxTirStmt *others = loop(c, k, z->x->shape[1], rlx_when(c, in_play, rlx_when(c, weak, drop)));
  RlxTirStmt *clear = SEQ(c, fill_row(c, z->boxes, z->i, j, -1), put2(c, z->places, z->i, j, none));
  RlxE stays = rlx_and(c, rlx_op(c, RLX_TIR_GT, score_of(c, z, j), z->least), room_left(c, z));
  RlxTirStmt *judge = rlx_tir_if(c->f, stays, SEQ(c, count_up(c, &z->found), others), clear);
  return loop(c, j, z->x->shape[1], rlx_when(c, rlx_lt(c, j, get(c, &z->keep)), judge));
}

/// Swaps boxes `a` and `b`, with their places.
static RlxTirStmt *swap_boxes(RlxCompute *c, const Nms *z, RlxE a, RlxE b) {
  RlxOperand place = cell(c, z->places->dtype), number = cell(c, z->x->dtype);
  RlxE e = rlx_loop_var(c, "e");
  RlxTirStmt *numbers = loop(c, e, z->x->shape[2],
                             SEQ(c, set(c, &number, at3(c, z->boxes, z->i, a, e)),
                                 put3(c, z->boxes, z->i, a, e, at3(c, z->boxes, z->i, b, e)),
                                 put3(c, z->boxes, z->i, b, e, get(c, &number))));
  return SEQ(c, set(c, &place, at2(c, z->places, z->i, a)),
             put2(c, z->places, z->i, a, at2(c, z->places, z->i, b)),
             put2(c, z->places, z->i, b, get(c, &place)), numbers);
}

/// Soft suppression: again and again the best box that is left; the others' scores shrink by how
/// much they overlap it.
static RlxTirStmt *suppress_softly(RlxCompute *c, const Nms *z, double sigma) {
  RlxOperand best = cell(c, RLX_INT64), top = cell(c, z->x->dtype);
  RlxDType t = rlx_wide(z->x->dtype);
  RlxE turn = rlx_loop_var(c, "turn"), j = rlx_loop_var(c, "j"), k = rlx_loop_var(c, "rival"),
       none = rlx_i(c, -1);
  RlxE zero = rlx_i(c, 0), here = get(c, &z->found), score_at = rlx_i(c, z->score_at);
  RlxE better =
      rlx_and(c, rlx_and(c, rlx_ge(c, j, here), rlx_lt(c, j, get(c, &z->keep))),
              rlx_and(c, rlx_ge(c, rlx_as(c, RLX_INT64, at2(c, z->places, z->i, j)), zero),
                      rlx_op(c, RLX_TIR_GT, score_of(c, z, j), get(c, &top))));
  RlxTirStmt *find =
      loop(c, j, z->x->shape[1],
           rlx_when(c, better, SEQ(c, set(c, &best, j), set(c, &top, score_of(c, z, j)))));
  RlxE shared = overlap_of(c, z, here, k), score = rlx_as(c, t, score_of(c, z, k));
  RlxE less = rlx_mul(
      c, score,
      rlx_call1(c, "exp", rlx_mul(c, rlx_num(c, -0.5 / sigma, t), rlx_mul(c, shared, shared))));
  RlxE in_play =
      rlx_and(c, rlx_and(c, rlx_op(c, RLX_TIR_GT, k, here), rlx_lt(c, k, get(c, &z->keep))),
              rlx_and(c, rlx_ge(c, rlx_as(c, RLX_INT64, at2(c, z->places, z->i, k)), zero),
                      rlx_op(c, RLX_TIR_GT, score_of(c, z, k), z->least)));
  RlxTirStmt *gone = put2(c, z->places, z->i, k, none);
  RlxTirStmt *shrink = SEQ(c, put3(c, z->boxes, z->i, k, score_at, less),
                           rlx_when(c, rlx_op(c, RLX_TIR_LE, score_of(c, z, k), z->least), gone));
  RlxTirStmt *judge = rlx_when(
      c, rivals(c, z, here, k),
      rlx_tir_if(c->f, rlx_ge(c, shared, z->threshold), put2(c, z->places, z->i, k, none), shrink));
  RlxTirStmt *others = loop(c, k, z->x->shape[1], rlx_when(c, in_play, judge));
  RlxE moves = rlx_op(c, RLX_TIR_NE, get(c, &best), here);
  RlxTirStmt *accept = SEQ(c, rlx_when(c, moves, swap_boxes(c, z, here, get(c, &best))), others,
                           count_up(c, &z->found));
  RlxTirStmt *round = SEQ(c, set(c, &best, none), set(c, &top, z->least), find,
                          rlx_when(c, rlx_ge(c, get(c, &best), zero), accept));
  RlxE goes_on = rlx_and(c, rlx_lt(c, turn, get(c, &z->keep)), room_left(c, z));
  return loop(c, turn, z->x->shape[1], rlx_when(c, goes_on, round));
}

/// places: of the boxes that are left, from the front, as `indices` has them; then -1.
static RlxTirStmt *gather_places(RlxCompute *c, const Nms *z, const RlxOperand *count) {
  RlxE j = rlx_loop_var(c, "j"), rest = rlx_loop_var(c, "rest"), zero = rlx_i(c, 0);
  RlxOperand kept = cell(c, RLX_INT64);
  RlxE place = rlx_as(c, RLX_INT64, at2(c, z->places, z->i, j));
  RlxTirStmt *take =
      SEQ(c, put2(c, z->places, z->i, get(c, &kept), at2(c, z->indices, z->i, place)),
          count_up(c, &kept));
  return SEQ(c, set(c, &kept, zero),
             loop(c, j, z->x->shape[1], rlx_when(c, rlx_ge(c, place, zero), take)),
             put2(c, count, z->i, zero, get(c, &kept)),
             loop(c, rest, z->x->shape[1],
                  rlx_when(c, rlx_ge(c, rest, get(c, &kept)),
                           put2(c, z->places, z->i, rest, rlx_i(c, -1)))));
}

/// Of soft suppression: the first `found` boxes are those that are left.
static RlxTirStmt *clear_rest(RlxCompute *c, const Nms *z) {
  RlxE j = rlx_loop_var(c, "j");
  RlxTirStmt *clear =
      SEQ(c, fill_row(c, z->boxes, z->i, j, -1), put2(c, z->places, z->i, j, rlx_i(c, -1)));
  return loop(c, j, z->x->shape[1], rlx_when(c, rlx_ge(c, j, get(c, &z->found)), clear));
}

/// Boxes with a score of at least 0 to the front, the rest -1.
static RlxTirStmt *move_up(RlxCompute *c, const Nms *z, const RlxOperand *to) {
  RlxE j = rlx_loop_var(c, "j"), rest = rlx_loop_var(c, "rest");
  RlxTirStmt *take =
      SEQ(c, copy_row(c, to, z->i, get(c, &z->found), z->boxes, j), count_up(c, &z->found));
  RlxE has_score = rlx_ge(c, score_of(c, z, j), rlx_num(c, 0, z->x->dtype));
  return SEQ(
      c, set(c, &z->found, rlx_i(c, 0)), loop(c, j, z->x->shape[1], rlx_when(c, has_score, take)),
      loop(c, rest, z->x->shape[1],
           rlx_when(c, rlx_ge(c, rest, get(c, &z->found)), fill_row(c, to, z->i, rest, -1))));
}

static RlxE score_value(RlxCompute *c, RlxE *index, void *data) {
  const Nms *z = data;
  return at3(c, z->x, index[0], index[1], rlx_i(c, z->score_at));
}

static bool suppression(RlxCompute *c) {
  Nms z = {.x = rlx_operand(c, 0),
           .indices = rlx_operand(c, 2),
           .most = rlx_int_of(c, "max_output_size", -1),
           .score_at = rlx_int_of(c, "score_index", 1),
           .id_at = rlx_int_of(c, "id_index", 0),
           .corner_at = rlx_int_of(c, "coord_start", 2),
           .is_forced = rlx_bool_of(c, "force_suppress", false)};
  const RlxOperand *valid = rlx_operand(c, 1);
  if (!z.x || !valid || !z.indices || !rlx_need_extent(c, 1, 0, z.x->shape[0]) ||
      !rlx_need_extent(c, 2, 0, z.x->shape[0]) || !rlx_need_extent(c, 2, 1, z.x->shape[1]))
    return false;
  if (!rlx_dtype_is_float(z.x->dtype))
    return rlx_refuse(c, "R.vision.non_max_suppression takes boxes of a floating-point dtype");
  double sigma = rlx_float_of(c, "soft_nms_sigma", 0);
  bool is_soft = sigma > 0, wants_places = rlx_bool_of(c, "return_indices", true),
       moves_up = rlx_bool_of(c, "invalid_to_bottom", false) && !wants_places;
  int64_t top_k = rlx_int_of(c, "top_k", -1);
  RlxE pair[2] = {z.x->shape[0], z.x->shape[1]};
  RlxOperand scores = rlx_temporary(c, z.x->dtype, pair, 2),
             order = rlx_temporary(c, RLX_INT64, pair, 2), boxes, places;
  z.keep = cell(c, RLX_INT64);
  z.found = cell(c, RLX_INT64);
  z.threshold = rlx_scalar_of(c, "iou_threshold", rlx_wide(z.x->dtype), 0.5);
  z.least =
      is_soft ? rlx_scalar_of(c, "score_threshold", z.x->dtype, 0) : rlx_num(c, 0, z.x->dtype);
  bool gives_boxes = !wants_places || is_soft;
  if (!gives_boxes || moves_up) boxes = rlx_temporary(c, z.x->dtype, z.x->shape, 3);
  if (!wants_places) places = rlx_temporary(c, RLX_INT32, pair, 2);
  z.boxes = gives_boxes && !moves_up ? &c->outputs[0] : &boxes;
  z.places = wants_places ? &c->outputs[is_soft] : &places;
  z.i = rlx_loop_var(c, "i");
  RlxE count = rlx_as(c, RLX_INT64, rlx_at(c, valid, &z.i));
  count = rlx_op(c, RLX_TIR_MIN, rlx_op(c, RLX_TIR_MAX, count, rlx_i(c, 0)), z.x->shape[1]);
  RlxE looked_at = top_k > 0 ? rlx_op(c, RLX_TIR_MIN, count, rlx_i(c, top_k)) : count;
  rlx_compute(c, &scores, score_value, &z);
  RlxTirStmt *steps[6];
  int n = 0;
  steps[n++] = SEQ(c, set(c, &z.keep, looked_at), set(c, &z.found, rlx_i(c, 0)));
  steps[n++] = sort_row(c, &scores, &order, z.i, count);
  steps[n++] = reorder(c, &z, &order);
  steps[n++] = is_soft ? SEQ(c, suppress_softly(c, &z, sigma), clear_rest(c, &z)) : suppress(c, &z);
  if (wants_places) steps[n++] = gather_places(c, &z, &c->outputs[is_soft + 1]);
  if (moves_up) steps[n++] = move_up(c, &z, &c->outputs[0]);
  rlx_emit(c, loop(c, z.i, z.x->shape[0], rlx_tir_seq(c->f, steps, n)));
  return true;
}

// ------------------------------------------------------------------ all classes

typedef struct AllClass {
  const RlxOperand *boxes, *scores;
  const RlxOperand *order, *left; ///< of one class: places by score, and scores in that order
  RlxOperand count, found, row;   ///< boxes with enough score; chosen of this class; rows written
  RlxE b, k, most, threshold, least;
} AllClass;

/// A scalar operand, of rank 0 or with one element.
static RlxE scalar(RlxCompute *c, int param, RlxDType t) {
  RlxOperand *x = rlx_operand(c, param);
  RlxE at[RLX_MAX_NDIM];
  if (!x) return rlx_num(c, 0, t);
  for (int i = 0; i < x->ndim; i++) {
    if (!rlx_need_extent(c, param, i, rlx_i(c, 1))) return rlx_num(c, 0, t);
    at[i] = rlx_i(c, 0);
  }
  return rlx_as(c, t, rlx_at(c, x, at));
}

static RlxE class_overlap(RlxCompute *c, const AllClass *z, RlxE a, RlxE b) {
  RlxE one[4], other[4], zero = rlx_i(c, 0);
  RlxDType t = rlx_wide(z->boxes->dtype);
  for (int i = 0; i < 4; i++) {
    one[i] = rlx_as(c, t, at3(c, z->boxes, z->b, at2(c, z->order, zero, a), rlx_i(c, i)));
    other[i] = rlx_as(c, t, at3(c, z->boxes, z->b, at2(c, z->order, zero, b), rlx_i(c, i)));
  }
  return overlap(c, one, other);
}

static RlxTirStmt *order_class(RlxCompute *c, const AllClass *z) {
  RlxOperand rank = cell(c, RLX_INT64);
  RlxE j = rlx_loop_var(c, "j"), r = rlx_loop_var(c, "r"), n = z->scores->shape[2],
       zero = rlx_i(c, 0);
  RlxE mine = at3(c, z->scores, z->b, z->k, j), other = at3(c, z->scores, z->b, z->k, r);
  RlxTirStmt *look =
      loop(c, r, n, rlx_when(c, before(c, other, mine, rlx_lt(c, r, j)), count_up(c, &rank)));
  RlxE enough = rlx_op(c, RLX_TIR_GT, mine, rlx_as(c, mine->dtype, z->least));
  return SEQ(c, set(c, &z->count, zero),
             loop(c, j, n,
                  SEQ(c, set(c, &rank, zero), look, put2(c, z->order, zero, get(c, &rank), j),
                      put2(c, z->left, zero, get(c, &rank), mine),
                      rlx_when(c, enough, count_up(c, &z->count)))));
}

/// Chooses the boxes of a class: the best that is left, and not those that overlap it. `choose` is
/// what to do with the box at the `j`th rank.
static RlxTirStmt *choose_class(RlxCompute *c, const AllClass *z, RlxE j, RlxTirStmt *choose) {
  RlxE k = rlx_loop_var(c, "rival"), zero = rlx_i(c, 0), gone = rlx_num(c, -1, z->left->dtype);
  RlxE in_play =
      rlx_and(c, rlx_and(c, rlx_op(c, RLX_TIR_GT, k, j), rlx_lt(c, k, get(c, &z->count))),
              rlx_op(c, RLX_TIR_GT, at2(c, z->left, zero, k), rlx_num(c, 0, z->left->dtype)));
  RlxE close = rlx_ge(c, class_overlap(c, z, j, k), z->threshold);
  RlxTirStmt *others =
      loop(c, k, z->scores->shape[2],
           rlx_when(c, in_play, rlx_when(c, close, put2(c, z->left, zero, k, gone))));
  RlxE score = at2(c, z->left, zero, j);
  RlxE ok = rlx_and(
      c, rlx_and(c, rlx_op(c, RLX_TIR_GT, score, gone), rlx_lt(c, get(c, &z->found), z->most)),
      rlx_op(c, RLX_TIR_GT, score, rlx_as(c, score->dtype, z->least)));
  RlxTirStmt *accept = SEQ(c, choose, count_up(c, &z->found), count_up(c, &z->row), others);
  RlxE at_all = rlx_and(c, rlx_lt(c, j, get(c, &z->count)),
                        rlx_op(c, RLX_TIR_GT, z->threshold, rlx_num(c, 0, z->threshold->dtype)));
  return SEQ(c, set(c, &z->found, zero),
             loop(c, j, z->scores->shape[2], rlx_when(c, rlx_and(c, at_all, ok), accept)));
}

static RlxE zero_value(RlxCompute *c, RlxE *index, void *data) {
  (void)index;
  return rlx_num(c, 0, ((const RlxOperand *)data)->dtype);
}

static bool all_classes(RlxCompute *c) {
  AllClass z = {.boxes = rlx_operand(c, 0), .scores = rlx_operand(c, 1)};
  if (!z.boxes || !z.scores || !rlx_need_extent(c, 0, 2, rlx_i(c, 4)) ||
      !rlx_need_extent(c, 1, 0, z.boxes->shape[0]) || !rlx_need_extent(c, 1, 2, z.boxes->shape[1]))
    return false;
  if (!rlx_dtype_is_float(z.boxes->dtype) || !rlx_dtype_is_float(z.scores->dtype))
    return rlx_refuse(
        c,
        "R.vision.all_class_non_max_suppression takes boxes and scores of a floating-point dtype");
  bool is_onnx = c->output_count == 2;
  RlxE one_row[2] = {rlx_i(c, 1), z.scores->shape[2]}, zero = rlx_i(c, 0);
  RlxOperand order = rlx_temporary(c, RLX_INT64, one_row, 2),
             left = rlx_temporary(c, z.scores->dtype, one_row, 2);
  z.order = &order;
  z.left = &left;
  z.count = cell(c, RLX_INT64);
  z.found = cell(c, RLX_INT64);
  z.row = cell(c, RLX_INT64);
  z.most = scalar(c, 2, RLX_INT64);
  z.threshold = scalar(c, 3, rlx_wide(z.boxes->dtype));
  z.least = scalar(c, 4, rlx_wide(z.scores->dtype));
  if (c->failed) return false;
  z.b = rlx_loop_var(c, "b");
  z.k = rlx_loop_var(c, "class");
  RlxE j = rlx_loop_var(c, "j"), row = get(c, &z.row), place = at2(c, &order, zero, j);
  const RlxOperand *rows = &c->outputs[0];
  RlxTirStmt *choose;
  if (is_onnx)
    choose = SEQ(c, put2(c, rows, row, zero, z.b), put2(c, rows, row, rlx_i(c, 1), z.k),
                 put2(c, rows, row, rlx_i(c, 2), place));
  else
    choose = SEQ(c, put3(c, rows, z.b, row, zero, z.k), put3(c, rows, z.b, row, rlx_i(c, 1), place),
                 put2(c, &c->outputs[1], z.b, row, at2(c, &left, zero, j)));
  RlxTirStmt *classes =
      loop(c, z.k, z.scores->shape[1], SEQ(c, order_class(c, &z), choose_class(c, &z, j, choose)));
  rlx_compute(c, rows, zero_value, &c->outputs[0]);
  if (is_onnx) {
    rlx_emit(c, set(c, &z.row, zero));
    rlx_emit(c, loop(c, z.b, z.boxes->shape[0], classes));
    rlx_emit(c, rlx_put(c, &c->outputs[1], &zero, row));
    return true;
  }
  rlx_compute(c, &c->outputs[1], zero_value, &c->outputs[1]);
  rlx_emit(c, loop(c, z.b, z.boxes->shape[0],
                   SEQ(c, set(c, &z.row, zero), classes, rlx_put(c, &c->outputs[2], &z.b, row))));
  return true;
}

bool rlx_legalize_nms(RlxCompute *c) {
  RlxOpId id = c->call->row->id;
  if (id == RLX_OP_ID(vision_get_valid_counts)) return valid_counts(c);
  if (id == RLX_OP_ID(vision_nms)) return suppression(c);
  return all_classes(c);
}
