/// Random PrimFuncs: what property tests of schedules take steps on.
///
/// A PrimFunc is a chain of stages, each of which reads buffers that are known and writes a new one or
/// changes a known one. All numbers in it are exact: integers wrap, and what becomes a float is first
/// reduced to less than 64, so that no sum rounds. Every element that is read was written or is a
/// parameter's. Where `is_symbolic`, a dimension may be `n`, which a run sets to RANDOM_PRIMFUNC_N.
#ifndef RLX_TESTS_PROP_RANDOM_PRIMFUNC_H
#define RLX_TESTS_PROP_RANDOM_PRIMFUNC_H

#include "tests/prop/random_pairs.h"
#include "tests/prop/random_windows.h"

// ---- stages

/// Element by element: plain, under an if, under a select, through a variable; with one output or two.
static inline void stage_elementwise(Maker *m, const Known *s, bool is_last) {
  bool is_float = maker_below(m, 4) == 0, has_two = maker_below(m, 5) == 0;
  const Known *x = maker_buffer(m, s->shape, s->ndim, is_float, is_last),
              *y = has_two ? maker_buffer(m, s->shape, s->ndim, false, true) : NULL;
  Domain d = maker_domain(s->shape, s->ndim);
  MakerText regions = maker_text("T.reads(%s)", s->name);
  if (maker_below(m, 8) == 0) d.regions = regions.text;
  int depth = maker_block(m, 1, &d);
  MakerText at = maker_vars(s->ndim), from = maker_indices(m, s),
            value = maker_read(s, from.text, is_float),
            one = maker_number(is_float, 1 + (int)maker_below(m, 3));
  switch (maker_below(m, 5)) {
  case 0:
    maker_line(m, depth, "if v0 < 3:");
    maker_line(m, depth + 1, "%s[%s] = %s", x->name, at.text, value.text);
    maker_line(m, depth, "else:");
    maker_line(m, depth + 1, "%s[%s] = %s", x->name, at.text, one.text);
    break;
  case 1:
    maker_line(m, depth, "%s[%s] = T.if_then_else(v0 < 2, %s, %s)", x->name, at.text, value.text,
               one.text);
    break;
  case 2:
    maker_line(m, depth, "x: T.%s = %s * %s", is_float ? "float32" : "int32", value.text, one.text);
    maker_line(m, depth, "%s[%s] = x + x", x->name, at.text);
    break;
  default: maker_line(m, depth, "%s[%s] = %s * %s", x->name, at.text, value.text, one.text);
  }
  if (y)
    maker_line(m, depth, "%s[%s] = %s - v0", y->name, at.text, maker_read(s, at.text, false).text);
}

/// Neighbours, or every other element, of the first dimension.
static inline void stage_window(Maker *m, const Known *s, bool is_last) {
  int shape[MAKER_NDIM];
  bool is_strided = maker_below(m, 2);
  memcpy(shape, s->shape, sizeof shape);
  shape[0] = is_strided ? s->shape[0] / 2 : s->shape[0] - 2;
  const Known *x = maker_buffer(m, shape, s->ndim, false, is_last);
  Domain d = maker_domain(shape, s->ndim);
  int depth = maker_block(m, 1, &d);
  MakerText at = maker_vars(s->ndim);
  const char *rest = at.text + 2; // behind v0
  MakerText a = maker_text("%s%s", is_strided ? "v0 * 2" : "v0", rest);
  MakerText b = maker_text("%s%s", is_strided ? "v0 * 2 + 1" : "v0 + 2", rest);
  maker_line(m, depth, "%s[%s] = %s - %s * 3", x->name, at.text, maker_read(s, a.text, false).text,
             maker_read(s, b.text, false).text);
}

/// Padding on both sides of the first dimension.
static inline void stage_pad(Maker *m, const Known *s, bool is_last) {
  int shape[MAKER_NDIM];
  memcpy(shape, s->shape, sizeof shape);
  shape[0] += 2;
  const Known *x = maker_buffer(m, shape, s->ndim, false, is_last);
  Domain d = maker_domain(shape, s->ndim);
  int depth = maker_block(m, 1, &d);
  MakerText at = maker_vars(s->ndim);
  MakerText a = maker_text("v0 - 1%s", at.text + 2);
  maker_line(m, depth, "%s[%s] = T.if_then_else(1 <= v0 and v0 < %d, %s, %u)", x->name, at.text,
             s->shape[0] + 1, maker_read(s, a.text, false).text, maker_below(m, 3));
}

/// A sum, largest or smallest over one axis or two, with an init, with a block that does its work, or
/// on top of what a parameter holds.
static inline void stage_reduce(Maker *m, const Known *s, bool is_last) {
  int shape[MAKER_NDIM] = {1}, ndim = 0, from = (int)maker_below(m, (uint32_t)s->ndim);
  int to = from + 1 + (from + 1 < s->ndim && maker_below(m, 2));
  Domain d = maker_domain(s->shape, s->ndim);
  d.may_repeat = false;
  MakerText at = {""};
  for (int i = 0; i < s->ndim; i++) {
    if (i >= from && i < to) {
      d.kind[i] = 'R';
      continue;
    }
    maker_append(&at, "%sv%d", at.text[0] ? ", " : "", i);
    shape[ndim++] = s->shape[i];
  }
  if (ndim == 0) at = maker_text("0");
  uint32_t beginning = maker_below(m, 5);
  bool is_float = beginning < 4 && maker_below(m, 4) == 0; // a parameter's floats would round
  const Known *x = maker_buffer(m, shape, ndim ? ndim : 1, is_float, is_last || beginning == 4);
  bool has_init = beginning < 3 || (beginning == 4 && !x->is_param);
  MakerText zero = maker_number(is_float, (int)maker_below(m, 4));
  if (beginning == 3) {
    Domain whole = maker_domain(shape, x->ndim);
    int depth = maker_block(m, 1, &whole);
    maker_line(m, depth, "%s[%s] = %s", x->name, maker_vars(x->ndim).text, zero.text);
  }
  int depth = maker_block(m, 1, &d);
  if (has_init) {
    maker_line(m, depth, "with T.init():");
    maker_line(m, depth + 1, "%s[%s] = %s", x->name, at.text, zero.text);
  }
  MakerText all = maker_vars(s->ndim), value = maker_read(s, all.text, is_float);
  static const char *const operators[] = {"T.max(", "T.min(", "", ""},
                           *const middles[] = {", ", ", ", " + ", " + 2 * "},
                           *const ends[] = {")", ")", "", ""};
  uint32_t way = maker_below(m, is_float ? 3 : 4);
  maker_line(m, depth, "%s[%s] = %s%s[%s]%s%s%s", x->name, at.text, operators[way], x->name,
             at.text, middles[way], value.text, ends[way]);
}

/// A product of matrices.
static inline void stage_product(Maker *m, const Known *s, bool is_last) {
  static const int sizes[] = {1, 3, 4, 8};
  int columns = sizes[maker_below(m, 4)];
  const Known *w = maker_buffer(m, (int[]){s->shape[1], columns}, 2, false, true);
  if (!w->is_param) return; // there were too many
  const Known *x = maker_buffer(m, (int[]){s->shape[0], columns}, 2, false, is_last);
  Domain d = maker_domain((int[]){s->shape[0], columns, s->shape[1]}, 3);
  memcpy(d.kind, "SSR", 4);
  d.may_repeat = false;
  int depth = maker_block(m, 1, &d);
  maker_line(m, depth, "with T.init():");
  maker_line(m, depth + 1, "%s[v0, v1] = 0", x->name);
  maker_line(m, depth, "%s[v0, v1] = %s[v0, v1] + %s * %s[v2, v1]", x->name, x->name,
             maker_read(s, "v0, v2", false).text, w->name);
}

/// A known buffer of integers changes where it stands: all of it, or a part.
static inline void stage_in_place(Maker *m, const Known *s, bool is_last) {
  (void)is_last;
  const Known *x = maker_any(m);
  if (x->is_float) return;
  bool is_same = x->ndim == s->ndim && memcmp(x->shape, s->shape, sizeof x->shape) == 0;
  Domain d = maker_domain(x->shape, x->ndim);
  d.may_repeat = false;
  d.may_skip = true;
  int depth = maker_block(m, 1, &d);
  MakerText at = maker_vars(x->ndim), value = maker_number(false, 5);
  if (is_same && s != x) value = maker_read(s, maker_indices(m, s).text, false);
  maker_line(m, depth, maker_below(m, 3) ? "%s[%s] = %s[%s] * 2 + %s" : "%s[%s] = %s[%s] - %s",
             x->name, at.text, x->name, at.text, value.text);
}

/// A part of a known buffer gets other elements.
static inline void stage_overwrite(Maker *m, const Known *s, bool is_last) {
  (void)is_last;
  const Known *x = maker_any(m);
  if (x->is_float || x == s || x->shape[0] == SYMBOLIC || x->ndim != s->ndim ||
      memcmp(x->shape, s->shape, sizeof x->shape) != 0)
    return;
  Domain d = maker_domain(x->shape, x->ndim);
  d.may_skip = true;
  MakerText regions = maker_text("T.where(i0 %% 2 == %u)", maker_below(m, 2));
  int depth = 1;
  if (x->ndim == 1) { // a predicate that no loop bound says
    maker_line(m, depth++, "for i0 in range(%d):", x->shape[0]);
    maker_line(m, depth++, "with T.sblock(\"b%d\"):", m->block_count++);
    maker_line(m, depth, "v0 = T.axis.spatial(%d, i0)", x->shape[0]);
    maker_line(m, depth, "%s", regions.text);
  } else
    depth = maker_block(m, depth, &d);
  MakerText at = maker_vars(x->ndim);
  maker_line(m, depth, "%s[%s] = %s", x->name, at.text,
             maker_read(s, maker_indices(m, s).text, false).text);
}

/// Blocks inside of a block, which sees a tile, through a view or not.
static inline void stage_tiled(Maker *m, const Known *s, bool is_last) {
  const Known *x = maker_buffer(m, s->shape, 2, false, is_last);
  int tile = s->shape[0] % 4 == 0 && maker_below(m, 2) ? 4 : 2, columns = s->shape[1];
  bool has_view = maker_below(m, 2), has_regions = has_view || maker_below(m, 2);
  Domain outer = maker_domain((int[]){s->shape[0] / tile}, 1);
  int depth = maker_block(m, 1, &outer);
  MakerText part = maker_text("v0 * %d:v0 * %d + %d, 0:%d", tile, tile, tile, columns);
  if (has_regions) {
    maker_line(m, depth, "T.reads(%s[%s])", s->name, part.text);
    maker_line(m, depth, "T.writes(%s[%s])", x->name, part.text);
  }
  if (has_view)
    maker_line(m, depth,
               "V = T.match_buffer(%s[%s], (%d, %d), \"int32\", strides=[%d, 1], offset_factor=1)",
               x->name, part.text, tile, columns, columns);
  maker_line(m, depth, "for ii, jj in T.grid(%d, %d):", tile, columns);
  maker_line(m, depth + 1, "with T.sblock(\"b%d\"):", m->block_count++);
  maker_line(m, depth + 2, "vi, vj = T.axis.remap(\"SS\", [ii, jj])");
  MakerText from = maker_text("v0 * %d + %s, vj", tile, maker_below(m, 2) ? "vi" : "(vi + 1) % 2");
  MakerText value = maker_read(s, from.text, false);
  if (has_view)
    maker_line(m, depth + 2, "V[vi, vj] = %s + vj", value.text);
  else
    maker_line(m, depth + 2, "%s[v0 * %d + vi, vj] = %s + vj", x->name, tile, value.text);
}

/// Two blocks under one loop: rows of a buffer, and their reader.
static inline void stage_shared_loop(Maker *m, const Known *s, bool is_last) {
  const Known *x = maker_buffer(m, s->shape, 2, false, false),
              *y = maker_buffer(m, s->shape, 2, false, is_last);
  const char *rows = maker_size(s->shape[0]).text;
  MakerText columns = maker_size(s->shape[1]);
  maker_line(m, 1, "for i in range(%s):", rows);
  for (int k = 0; k < 2; k++) {
    maker_line(m, 2, "for j in range(%s):", columns.text);
    maker_line(m, 3, "with T.sblock(\"b%d\"):", m->block_count++);
    maker_line(m, 4, "v0 = T.axis.spatial(%s, i)", maker_size(s->shape[0]).text);
    maker_line(m, 4, "v1 = T.axis.spatial(%s, j)", columns.text);
    MakerText from = maker_index(m, 1, s->shape[1]);
    MakerText at = maker_text("v0, %s", from.text);
    maker_line(m, 4, "%s[v0, v1] = %s * 2", k ? y->name : x->name,
               maker_read(k ? x : s, at.text, false).text);
  }
}

/// Each element from the one before it: an order that counts.
static inline void stage_scan(Maker *m, const Known *s, bool is_last) {
  const Known *x = maker_buffer(m, s->shape, s->ndim, false, is_last);
  Domain whole = maker_domain(s->shape, s->ndim);
  MakerText at = maker_vars(s->ndim);
  int depth = maker_block(m, 1, &whole);
  maker_line(m, depth, "%s[%s] = %s", x->name, at.text, maker_read(s, at.text, false).text);
  maker_line(m, 1, "for i in range(%d):", s->shape[0] - 1);
  depth = 2;
  for (int d = 1; d < s->ndim; d++)
    maker_line(m, depth++, "for j%d in range(%s):", d, maker_size(s->shape[d]).text);
  maker_line(m, depth++, "with T.sblock(\"b%d\"):", m->block_count++);
  maker_line(m, depth, "v0 = T.axis.%s(%d, i)", maker_below(m, 3) ? "opaque" : "spatial",
             s->shape[0] - 1);
  for (int d = 1; d < s->ndim; d++)
    maker_line(m, depth, "v%d = T.axis.spatial(%s, j%d)", d, maker_size(s->shape[d]).text, d);
  maker_line(m, depth, "%s[v0 + 1%s] = %s[v0 + 1%s] + %s[v0%s] * 3", x->name, at.text + 2, x->name,
             at.text + 2, x->name, at.text + 2);
}

/// Elements whose place another buffer says: read from there, or written there.
static inline void stage_gather(Maker *m, const Known *s, bool is_last) {
  bool is_scatter = maker_below(m, 4) == 0;
  const Known *x = maker_buffer(m, s->shape, s->ndim, false, is_scatter || is_last);
  if (is_scatter && !x->is_param) return;
  Domain d = maker_domain(s->shape, s->ndim);
  if (is_scatter) d.may_repeat = false, d.kind[0] = 'O';
  int depth = maker_block(m, 1, &d);
  MakerText at = maker_vars(s->ndim), place = maker_read(s, at.text, false);
  MakerText from = maker_text("%s %% %s%s", place.text, maker_size(s->shape[0]).text, at.text + 2);
  if (is_scatter)
    maker_line(m, depth, "%s[%s] = v0 * 7", x->name, from.text);
  else
    maker_line(m, depth, "%s[%s] = %s[%s] + 1", x->name, at.text, s->name, from.text);
}

/// Statements that stand in no block, or in one without variables.
static inline void stage_bare(Maker *m, const Known *s, bool is_last) {
  const Known *x = maker_buffer(m, s->shape, s->ndim, false, is_last);
  int depth = 1;
  if (maker_below(m, 2)) {
    maker_line(m, depth++, "with T.sblock(\"b%d\"):", m->block_count++);
    if (maker_below(m, 2)) {
      maker_line(m, depth, "T.reads(%s)", s->name);
      maker_line(m, depth, "T.writes(%s)", x->name);
    }
  }
  for (int d = 0; d < s->ndim; d++)
    maker_line(m, depth++, "for v%d in range(%s):", d, maker_size(s->shape[d]).text);
  MakerText at = maker_vars(s->ndim);
  maker_line(m, depth, "%s[%s] = %s + v0", x->name, at.text,
             maker_read(s, maker_indices(m, s).text, false).text);
}

/// A triangle: the inner loop begins, or ends, where the outer one is, and the rest is filled before or
/// behind it.
static inline void stage_triangle(Maker *m, const Known *s, bool is_last) {
  const Known *x = maker_buffer(m, s->shape, 2, false, is_last);
  int rows = s->shape[0], columns = s->shape[1];
  Domain whole = maker_domain(s->shape, 2);
  int depth = maker_block(m, 1, &whole);
  maker_line(m, depth, "%s[v0, v1] = %s", x->name, maker_read(s, "v0, v1", false).text);
  maker_line(m, 1, "for i in range(%d):", rows);
  if (maker_below(m, 2))
    maker_line(m, 2, "for j in T.serial(T.min(i, %d), %d):", columns, columns);
  else
    maker_line(m, 2, "for j in range(T.min(i, %d)):", columns);
  maker_line(m, 3, "with T.sblock(\"b%d\"):", m->block_count++);
  maker_line(m, 4, "v0 = T.axis.spatial(%d, i)", rows);
  maker_line(m, 4, "v1 = T.axis.spatial(%d, j)", columns);
  maker_line(m, 4, "%s[v0, v1] = %s * 2 + 1", x->name, maker_read(s, "v0, v1", false).text);
}

/// Blocks under one loop pair, of which the first reads what the second wrote in an earlier iteration.
static inline void stage_carried(Maker *m, const Known *s, bool is_last) {
  int rows = s->shape[0], columns = s->shape[1];
  const Known *x = maker_buffer(m, s->shape, 2, false, is_last),
              *y = maker_buffer(m, s->shape, 2, false, false);
  Domain whole = maker_domain(s->shape, 2);
  int depth = maker_block(m, 1, &whole);
  maker_line(m, depth, "%s[v0, v1] = v0 + v1", y->name);
  bool is_backward = maker_below(m, 2);
  maker_line(m, 1, "for i, j in T.grid(%d, %d):", rows, columns);
  for (int k = 0; k < 2; k++) {
    bool reads = k == !is_backward;
    maker_line(m, 2, "for u in range(1):");
    maker_line(m, 3, "with T.sblock(\"b%d\"):", m->block_count++);
    maker_line(m, 4, "v0, v1 = T.axis.remap(\"SS\", [i, j])");
    if (reads)
      maker_line(m, 4, "%s[v0, v1] = %s[T.max(v0 - 1, 0), T.min(v1 + %u, %d)] + 3", x->name,
                 y->name, maker_below(m, 2), columns - 1);
    else
      maker_line(m, 4, "%s[v0, v1] = %s", y->name, maker_read(s, "v0, v1", false).text);
  }
}

/// Two writers of one buffer, a half each, and between them one whose loop never runs.
static inline void stage_halves(Maker *m, const Known *s, bool is_last) {
  const Known *x = maker_buffer(m, s->shape, s->ndim, false, is_last);
  MakerText at = maker_vars(s->ndim);
  int half = s->shape[0] / 2;
  for (int k = 0; k < 3; k++) {
    Domain d = maker_domain(s->shape, s->ndim);
    d.size[0] = k == 1 ? 0 : k ? s->shape[0] - half : half;
    d.may_repeat = false;
    int depth = 1;
    for (int v = 0; v < s->ndim; v++) maker_line(m, depth++, "for i%d in range(%d):", v, d.size[v]);
    maker_line(m, depth++, "with T.sblock(\"b%d\"):", m->block_count++);
    for (int v = 0; v < s->ndim; v++)
      maker_line(m, depth, "v%d = T.axis.spatial(%d, i%d)", v, d.size[v], v);
    MakerText place = maker_text("v0 + %d%s", k == 2 ? half : 0, at.text + 2);
    maker_line(m, depth, "%s[%s] = %s + %d", x->name, place.text,
               maker_read(s, place.text, false).text, k);
  }
}

/// The same elements in other dimensions.
static inline void stage_reshape(Maker *m, const Known *s, bool is_last) {
  if (s->ndim == 2) {
    int size = s->shape[0] * s->shape[1];
    const Known *x = maker_buffer(m, &size, 1, false, is_last);
    Domain d = maker_domain(&size, 1);
    int depth = maker_block(m, 1, &d);
    MakerText from = maker_text("v0 // %d, v0 %% %d", s->shape[1], s->shape[1]);
    maker_line(m, depth, "%s[v0] = %s", x->name, maker_read(s, from.text, false).text);
  } else { // of one dimension: against itself
    const Known *x = maker_buffer(m, (int[]){s->shape[0], s->shape[0]}, 2, false, is_last);
    Domain d = maker_domain(x->shape, 2);
    int depth = maker_block(m, 1, &d);
    maker_line(m, depth, "%s[v0, v1] = %s - %s", x->name, maker_read(s, "v0", false).text,
               maker_read(s, "v1", false).text);
  }
}

/// A kind of stage, and what the buffer has to be that it reads.
typedef struct Stage {
  void (*write)(Maker *m, const Known *source, bool is_last);
  int ndim;          ///< 0: any
  int rows;          ///< at least, of the first dimension; 0: it may be `n`
  int multiple;      ///< of which the rows are one
  bool is_all_fixed; ///< no dimension is `n`
  bool is_integer;
} Stage;

static inline bool stage_fits(const Stage *stage, const Known *s) {
  bool is_fixed = true;
  for (int d = 0; d < s->ndim; d++) is_fixed = is_fixed && s->shape[d] != SYMBOLIC;
  return (!stage->ndim || s->ndim == stage->ndim) && s->shape[0] >= stage->rows &&
         (!stage->multiple || s->shape[0] % stage->multiple == 0) &&
         (is_fixed || !stage->is_all_fixed) && !(stage->is_integer && s->is_float);
}

static inline void maker_stage(Maker *m, bool is_last) {
  static const Stage stages[] = {
      {.write = stage_elementwise},
      {.write = stage_elementwise},
      {.write = stage_window, .rows = 4},
      {.write = stage_window, .rows = 4},
      {.write = stage_pad, .rows = 1},
      {.write = stage_reduce},
      {.write = stage_reduce},
      {.write = stage_reduce},
      {.write = stage_product, .ndim = 2},
      {.write = stage_in_place},
      {.write = stage_overwrite},
      {.write = stage_tiled,
       .ndim = 2,
       .rows = 1,
       .multiple = 2,
       .is_all_fixed = true,
       .is_integer = true},
      {.write = stage_shared_loop, .ndim = 2},
      {.write = stage_scan, .rows = 2},
      {.write = stage_gather, .rows = 1, .is_integer = true},
      {.write = stage_bare},
      {.write = stage_triangle, .ndim = 2, .rows = 1, .is_all_fixed = true},
      {.write = stage_carried, .ndim = 2, .rows = 1, .is_all_fixed = true},
      {.write = stage_halves, .rows = 2, .is_all_fixed = true},
      {.write = stage_reshape, .ndim = 2, .rows = 1, .is_all_fixed = true},
      {.write = stage_reshape, .ndim = 1, .rows = 1},
      {.write = stage_guarded, .ndim = 2},
      {.write = stage_named, .ndim = 2},
      {.write = stage_ragged, .ndim = 2, .is_all_fixed = true},
      {.write = stage_ragged_sum, .ndim = 2, .is_all_fixed = true},
      {.write = stage_local, .ndim = 2},
      {.write = stage_views, .ndim = 2, .is_all_fixed = true, .is_integer = true},
      {.write = stage_shifted, .ndim = 2, .is_all_fixed = true},
      {.write = stage_flat_alias, .ndim = 2, .rows = 1, .is_all_fixed = true},
      {.write = stage_while, .ndim = 1, .is_integer = true},
      {.write = stage_odd, .ndim = 2, .rows = 2, .is_all_fixed = true, .is_integer = true},
      {.write = stage_convolution, .ndim = 2, .rows = 2, .is_all_fixed = true},
      {.write = stage_carry, .ndim = 2},
      {.write = stage_two_axes, .ndim = 2, .is_all_fixed = true},
      {.write = stage_narrow, .ndim = 2},
      {.write = stage_best, .ndim = 2},
      {.write = stage_both, .ndim = 2},
      {.write = stage_threads, .ndim = 2, .rows = 2, .is_all_fixed = true},
      {.write = stage_pointer, .ndim = 2, .rows = 1, .is_all_fixed = true, .is_integer = true},
  };
  const Known *s = maker_any(m);
  const Stage *stage = &stages[maker_below(m, sizeof stages / sizeof *stages)];
  if (stage_fits(stage, s))
    stage->write(m, s, is_last);
  else
    stage_elementwise(m, s, is_last);
}

/// The text of a random PrimFunc `main`; the caller's to free.
static inline char *random_primfunc(RlxTestRandom *random) {
  static const int sizes[] = {1, 2, 3, 4, 4, 6, 7, 8, 8, 12};
  Maker m = {.random = random};
  m.is_symbolic = maker_below(&m, 5) == 0;
  int shape[MAKER_NDIM], ndim = 1 + (maker_below(&m, 4) > 0) + (maker_below(&m, 5) == 0);
  for (int d = 0; d < ndim; d++)
    shape[d] = m.is_symbolic && (d == 0 || maker_below(&m, 4) == 0) ? SYMBOLIC
                                                                    : sizes[maker_below(&m, 10)];
  maker_buffer(&m, shape, ndim, false, true);
  int stages = 1 + (int)maker_below(&m, 4);
  for (int k = 0; k < stages; k++) maker_stage(&m, k == stages - 1 || maker_below(&m, 6) == 0);
  if (!m.body.size) stage_elementwise(&m, &m.known[0], true);
  RlxBuf out = {0};
  rlx_buf_printf(&out, "@T.prim_func(s_tir=True)\ndef main(%s):\n%s%s%s%s", rlx_buf_text(&m.params),
                 m.is_symbolic ? "    n = T.int32()\n" : "", rlx_buf_text(&m.matches),
                 rlx_buf_text(&m.allocs), rlx_buf_text(&m.body));
  rlx_buf_free(&m.params);
  rlx_buf_free(&m.matches);
  rlx_buf_free(&m.allocs);
  rlx_buf_free(&m.body);
  return rlx_buf_steal(&out);
}

#endif
