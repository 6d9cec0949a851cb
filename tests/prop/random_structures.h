/// Stages of random PrimFuncs whose structure is not a nest of loops around one block: what stands between
/// loops and block, ranges that are worked out, blocks of blocks, buffers that share memory.
#ifndef RLX_TESTS_PROP_RANDOM_STRUCTURES_H
#define RLX_TESTS_PROP_RANDOM_STRUCTURES_H

#include "tests/prop/random_maker.h"

/// A new buffer with the shape of `s` and elements from it, so that what comes next may leave some out.
static inline const Known *maker_filled(Maker *m, const Known *s, bool is_last) {
  const Known *x = maker_buffer(m, s->shape, s->ndim, false, is_last);
  Domain whole = maker_domain(s->shape, s->ndim);
  int depth = maker_block(m, 1, &whole);
  MakerText at = maker_vars(s->ndim);
  maker_line(m, depth, "%s[%s] = %s", x->name, at.text, maker_read(s, at.text, false).text);
  return x;
}

static inline void maker_head(Maker *m, int depth) {
  maker_line(m, depth, "with T.sblock(\"b%d\"):", m->block_count++);
}

/// The head of a block over two loops `i` and `j`, and its variables `v0` and `v1`.
static inline void maker_pair(Maker *m, int depth, const Known *s, const char *kinds) {
  maker_head(m, depth);
  for (int d = 0; d < 2; d++)
    maker_line(m, depth + 1, "v%d = T.axis.%s(%s, %s)", d, kinds[d] == 'R' ? "reduce" : "spatial",
               maker_size(s->shape[d]).text, d ? "j" : "i");
}

/// A block, or a sum, under a condition that stands outside of its inner loop or of the block alone.
static inline void stage_guarded(Maker *m, const Known *s, bool is_last) {
  bool is_sum = maker_below(m, 2), is_inside = maker_below(m, 2);
  const Known *x = NULL;
  if (is_sum) {
    x = maker_buffer(m, s->shape, 1, false, is_last);
    Domain whole = maker_domain(s->shape, 1);
    maker_line(m, maker_block(m, 1, &whole), "%s[v0] = v0", x->name);
  } else
    x = maker_filled(m, s, is_last);
  MakerText conditions[] = {
      maker_text("i < %u", maker_below(m, 4)), maker_text("i %% 2 == 1"),
      maker_text("%s > 0", maker_read(s, is_inside ? "i, j" : "i, 0", false).text),
      maker_text(is_inside ? "j >= %u" : "i >= %u", maker_below(m, 3)),
      maker_text(is_inside ? "i <= j" : "i != 2")};
  bool is_empty_possible = s->shape[1] == SYMBOLIC;
  const char *condition = conditions[is_empty_possible ? 0 : maker_below(m, 5)].text;
  int depth = 1;
  maker_line(m, depth++, "for i in range(%s):", maker_size(s->shape[0]).text);
  if (!is_inside) maker_line(m, depth++, "if %s:", condition);
  maker_line(m, depth++, "for j in range(%s):", maker_size(s->shape[1]).text);
  if (is_inside) maker_line(m, depth++, "if %s:", condition);
  maker_pair(m, depth++, s, is_sum ? "SR" : "SS");
  MakerText value = maker_read(s, "v0, v1", false);
  if (!is_sum) {
    maker_line(m, depth, "%s[v0, v1] = %s * 2 + 1", x->name, value.text);
    return;
  }
  if (maker_below(m, 2)) {
    maker_line(m, depth, "with T.init():");
    maker_line(m, depth + 1, "%s[v0] = 0", x->name);
  }
  maker_line(m, depth, "%s[v0] = %s[v0] + %s", x->name, x->name, value.text);
}

/// A name for a number between the loops: where a block runs, or what it adds.
static inline void stage_named(Maker *m, const Known *s, bool is_last) {
  const Known *x = maker_filled(m, s, is_last);
  MakerText rows = maker_size(s->shape[0]);
  bool is_place = maker_below(m, 2);
  maker_line(m, 1, "for i in range(%s):", rows.text);
  if (is_place)
    maker_line(m, 2, "q: T.int32 = %s - 1 - i", rows.text);
  else
    maker_line(m, 2, "q: T.int32 = %s",
               s->shape[1] == SYMBOLIC ? "i * 3" : maker_read(s, "i, 0", false).text);
  maker_line(m, 2, "for j in range(%s):", maker_size(s->shape[1]).text);
  maker_head(m, 3);
  maker_line(m, 4, "v0 = T.axis.spatial(%s, %s)", rows.text, is_place ? "q" : "i");
  maker_line(m, 4, "v1 = T.axis.spatial(%s, j)", maker_size(s->shape[1]).text);
  maker_line(m, 4, "%s[v0, v1] = %s + %s", x->name, maker_read(s, "v0, v1", false).text,
             is_place ? "v0" : "q");
}

/// How far an inner loop goes in iteration `i`: by its number, or by an element.
static inline MakerText maker_length(Maker *m, const Known *s) {
  int columns = s->shape[1];
  if (maker_below(m, 3)) return maker_text("T.min(i + %u, %d)", maker_below(m, 2), columns);
  return maker_text("%s %% %d", maker_read(s, "i, 0", false).text, columns + 1);
}

/// Rows of different lengths, where the domain of a variable says so.
static inline void stage_ragged(Maker *m, const Known *s, bool is_last) {
  const Known *x = maker_filled(m, s, is_last);
  MakerText length = maker_length(m, s);
  maker_line(m, 1, "for i in range(%d):", s->shape[0]);
  maker_line(m, 2, "for j in range(%s):", length.text);
  maker_head(m, 3);
  maker_line(m, 4, "v0 = T.axis.spatial(%d, i)", s->shape[0]);
  maker_line(m, 4, "v1 = T.axis.spatial(%s, j)", length.text);
  maker_line(m, 4, "%s[v0, v1] = %s + v1 // 2 * v0", x->name, maker_read(s, "v0, v1", false).text);
}

/// Sums of rows of different lengths.
static inline void stage_ragged_sum(Maker *m, const Known *s, bool is_last) {
  const Known *x = maker_buffer(m, s->shape, 1, false, is_last);
  MakerText length = maker_length(m, s);
  Domain whole = maker_domain(s->shape, 1);
  maker_line(m, maker_block(m, 1, &whole), "%s[v0] = v0", x->name);
  maker_line(m, 1, "for i in range(%d):", s->shape[0]);
  maker_line(m, 2, "for j in range(%s):", length.text);
  maker_head(m, 3);
  maker_line(m, 4, "v0 = T.axis.spatial(%d, i)", s->shape[0]);
  maker_line(m, 4, "v1 = T.axis.reduce(%s, j)",
             maker_below(m, 2) ? length.text : maker_size(s->shape[1]).text);
  if (maker_below(m, 2)) {
    maker_line(m, 4, "with T.init():");
    maker_line(m, 5, "%s[v0] = 0", x->name);
  }
  maker_line(m, 4, "%s[v0] = %s[v0] + %s", x->name, x->name, maker_read(s, "v0, v1", false).text);
}

/// A block with a buffer of its own, or of the root, between the blocks inside of it.
static inline void stage_local(Maker *m, const Known *s, bool is_last) {
  const Known *x = maker_buffer(m, s->shape, 2, false, is_last);
  MakerText rows = maker_size(s->shape[0]), columns = maker_size(s->shape[1]);
  bool is_root = maker_below(m, 3) == 0, has_regions = maker_below(m, 2);
  MakerText local = maker_text("L%d", m->block_count);
  if (is_root)
    rlx_buf_printf(&m->allocs, "    %s = T.sblock_alloc_buffer((%s,), \"int32\")\n", local.text,
                   columns.text);
  maker_line(m, 1, "for i in range(%s):", rows.text);
  maker_head(m, 2);
  maker_line(m, 3, "v0 = T.axis.spatial(%s, i)", rows.text);
  if (has_regions) {
    maker_line(m, 3, "T.reads(%s[v0, 0:%s])", s->name, columns.text);
    maker_line(m, 3, is_root ? "T.writes(%s[v0, 0:%s], %s[0:%s])" : "T.writes(%s[v0, 0:%s])",
               x->name, columns.text, local.text, columns.text);
  }
  if (!is_root)
    maker_line(m, 3, "%s = T.sblock_alloc_buffer((%s,), \"int32\")", local.text, columns.text);
  for (int k = 0; k < 2; k++) {
    maker_line(m, 3, "for j in range(%s):", columns.text);
    maker_head(m, 4);
    maker_line(m, 5, "v1 = T.axis.spatial(%s, j)", columns.text);
    MakerText from = maker_index(m, 1, s->shape[1]);
    if (k)
      maker_line(m, 5, "%s[v0, v1] = %s[%s] * 2 + v0", x->name, local.text, from.text);
    else
      maker_line(m, 5, "%s[v1] = %s", local.text,
                 maker_read(s, maker_text("v0, %s", from.text).text, false).text);
  }
}

/// A row of what is read and one of what is written, each seen through a view.
static inline void stage_views(Maker *m, const Known *s, bool is_last) {
  const Known *x = maker_buffer(m, s->shape, 2, false, is_last);
  int columns = s->shape[1];
  maker_line(m, 1, "for i in range(%d):", s->shape[0]);
  maker_head(m, 2);
  maker_line(m, 3, "v0 = T.axis.spatial(%d, i)", s->shape[0]);
  maker_line(m, 3, "T.reads(%s[v0, 0:%d])", s->name, columns);
  maker_line(m, 3, "T.writes(%s[v0, 0:%d])", x->name, columns);
  const char *names[] = {"V", "W"};
  for (int k = 0; k < 2; k++)
    maker_line(m, 3, "%s = T.match_buffer(%s[v0, 0:%d], (1, %d), \"int32\", offset_factor=1)",
               names[k], k ? x->name : s->name, columns, columns);
  maker_line(m, 3, "for j in range(%d):", columns);
  maker_head(m, 4);
  maker_line(m, 5, "v1 = T.axis.spatial(%d, j)", columns);
  maker_line(m, 5, "W[0, v1] = V[0, %s] + v0", maker_index(m, 1, columns).text);
}

/// Variables whose domains begin at another number, below 0, too.
static inline void stage_shifted(Maker *m, const Known *s, bool is_last) {
  bool is_sum = maker_below(m, 2);
  const Known *x = maker_buffer(m, s->shape, is_sum ? 1 : 2, false, is_last);
  int first = (int)maker_below(m, 5) - 3, rows = s->shape[0], columns = s->shape[1];
  maker_line(m, 1, "for i, j in T.grid(%d, %d):", rows, columns);
  maker_head(m, 2);
  maker_line(m, 3, "v0 = T.axis.spatial((%d, %d), i + %d)", first, first + rows, first);
  maker_line(m, 3, "v1 = T.axis.%s((1, %d), j + 1)", is_sum ? "reduce" : "spatial", columns + 1);
  MakerText from = maker_text("v0 - %d, v1 - 1", first);
  if (is_sum) {
    maker_line(m, 3, "with T.init():");
    maker_line(m, 4, "%s[v0 - %d] = 1", x->name, first);
    maker_line(m, 3, "%s[v0 - %d] = %s[v0 - %d] + %s", x->name, first, x->name, first,
               maker_read(s, from.text, false).text);
  } else
    maker_line(m, 3, "%s[%s] = %s + v0 * v1 // 3", x->name, from.text,
               maker_read(s, from.text, false).text);
}

/// A part of a buffer is written, and all of it read, under another name and as one row.
static inline void stage_flat_alias(Maker *m, const Known *s, bool is_last) {
  const Known *x = maker_filled(m, s, false);
  int size = s->shape[0] * s->shape[1];
  const Known *y = maker_buffer(m, &size, 1, false, is_last);
  MakerText flat = maker_text("%s_flat", x->name);
  maker_line(m, 1, "%s = T.decl_buffer((%d,), \"int32\", data=%s.data)", flat.text, size, x->name);
  Domain half = maker_domain((int[]){(size + 1) / 2}, 1), whole = maker_domain(&size, 1);
  half.may_repeat = false;
  if (maker_below(m, 2)) {
    int depth = maker_block(m, 1, &half);
    maker_line(m, depth, "%s[v0] = %s[v0] * 2 + 1", flat.text, flat.text);
  }
  int depth = maker_block(m, 1, &whole);
  if (maker_below(m, 2))
    maker_line(m, depth, "%s[v0] = %s[v0] + 3", y->name, flat.text);
  else
    maker_line(m, depth, "%s[v0] = %s[v0 // %d, v0 %% %d] + 3", y->name, x->name, s->shape[1],
               s->shape[1]);
}

/// A loop that a number in memory ends.
static inline void stage_while(Maker *m, const Known *s, bool is_last) {
  const Known *x = maker_filled(m, s, is_last);
  MakerText rows = maker_size(s->shape[0]), count = maker_text("N%d", m->block_count);
  maker_line(m, 1, "for i in range(%s):", rows.text);
  maker_head(m, 2);
  maker_line(m, 3, "v0 = T.axis.spatial(%s, i)", rows.text);
  maker_line(m, 3, "%s = T.sblock_alloc_buffer((1,), \"int32\")", count.text);
  maker_line(m, 3, "%s[0] = 0", count.text);
  maker_line(m, 3, "while %s[0] < 3:", count.text);
  maker_line(m, 4, "%s[v0] = %s[v0] * 2 + %s[v0]", x->name, x->name, s->name);
  maker_line(m, 4, "%s[0] = %s[0] + 1", count.text, count.text);
}

/// Rows that a C function copies.
static inline void stage_pointer(Maker *m, const Known *s, bool is_last) {
  const Known *x = maker_filled(m, s, is_last);
  int columns = s->shape[1];
  maker_line(m, 1, "for i in range(%d):", s->shape[0]);
  maker_head(m, 2);
  maker_line(m, 3, "v0 = T.axis.spatial(%d, i)", s->shape[0]);
  if (maker_below(m, 2)) {
    maker_line(m, 3, "T.reads(%s[%d - v0, 0:%d])", s->name, s->shape[0] - 1, columns);
    maker_line(m, 3, "T.writes(%s[v0, 0:%d])", x->name, columns);
  }
  maker_line(m, 3,
             "T.evaluate(T.call_extern(\"handle\", \"memcpy\", T.address_of(%s[v0, 0]), "
             "T.address_of(%s[%d - v0, 0]), T.int64(%d)))",
             x->name, s->name, s->shape[0] - 1, columns * 4);
}

/// A place among `rows`, of one among them, by arithmetic that wraps, shifts, masks or rounds towards 0.
static inline MakerText maker_odd(Maker *m, const char *v, int rows) {
  switch (maker_below(m, 9)) {
  case 0: return maker_text("T.Cast(\"int32\", T.Cast(\"int8\", %s * 50)) %% %d", v, rows);
  case 1: return maker_text("T.Cast(\"int32\", T.Cast(\"uint8\", %s - 3)) %% %d", v, rows);
  case 2: return maker_text("T.bitwise_xor(%s, 1) %% %d", v, rows);
  case 3: return maker_text("T.max(T.truncmod(%s - 5, %d), 0)", v, rows);
  case 4: return maker_text("T.truncdiv(%s - %d, 2) + %d", v, rows, rows / 2);
  case 5: return maker_text("T.if_then_else(%s > 2, %s - 2, %s)", v, v, v);
  case 6: return maker_text("T.shift_left(%s, 1) %% %d", v, rows);
  case 7: return maker_text("T.bitwise_and(%s, 6)", v);
  default: return maker_text("T.shift_right(%s, 1)", v);
  }
}

/// Odd places that are read, written, bound or left out, in loops of several types that begin at any number.
static inline void stage_odd(Maker *m, const Known *s, bool is_last) {
  const Known *x = maker_filled(m, s, is_last);
  int rows = s->shape[0], columns = s->shape[1], from = (int)maker_below(m, 5) - 3;
  static const char *const types[] = {"int32", "int32", "int64", "int8"};
  const char *type = types[maker_below(m, 4)];
  bool is_sum = maker_below(m, 3) == 0;
  MakerText i = maker_text("T.Cast(\"int32\", i) - %d", from), odd = maker_odd(m, i.text, rows);
  uint32_t form = maker_below(m, 4);
  maker_line(m, 1, "for i in T.serial(T.%s(%d), T.%s(%d)):", type, from, type, from + rows);
  maker_line(m, 2, "for j in range(%d):", columns);
  maker_head(m, 3);
  maker_line(m, 4, "v0 = T.axis.spatial(%d, %s)", rows, form == 0 ? odd.text : i.text);
  maker_line(m, 4, "v1 = T.axis.%s(%d, j)", is_sum ? "reduce" : "spatial", columns);
  if (form == 1) maker_line(m, 4, "T.where(%s < %d)", odd.text, (rows + 1) / 2);
  MakerText place = form == 2 ? maker_odd(m, "v0", rows) : maker_text("v0"),
            other = form == 3 ? maker_odd(m, "v0", rows) : maker_text("v0");
  MakerText at = maker_text("%.150s, %s", place.text, is_sum ? "0" : "v1");
  maker_line(m, 4, "%s[%s] = %s[%s] + %s[%s, v1] * 3", x->name, at.text, is_sum ? x->name : s->name,
             is_sum ? at.text : "v0, v1", s->name, other.text);
}

#endif
