/// Stages of random PrimFuncs that go through windows, carry a value along, or sum under a bound: convolutions whose
/// conditions pad, scans with a buffer of one row, sums over two variables, and sums that wrap in a narrow type.
#ifndef RLX_TESTS_PROP_RANDOM_WINDOWS_H
#define RLX_TESTS_PROP_RANDOM_WINDOWS_H

#include "tests/prop/random_structures.h"

/// A sum over a window of rows, where a condition in the value, or in front of the block, keeps it inside.
static inline void stage_convolution(Maker *m, const Known *s, bool is_last) {
  const Known *x = maker_buffer(m, s->shape, 2, false, is_last);
  int rows = s->shape[0], width = 2 + (int)maker_below(m, 2), step = 1 + (int)maker_below(m, 2);
  bool is_where = maker_below(m, 3) == 0;
  static const char *const orders[] = {"i, j, k", "i, k, j", "k, i, j"};
  uint32_t order = maker_below(m, 3);
  int sizes[][3] = {
      {rows, s->shape[1], width}, {rows, width, s->shape[1]}, {width, rows, s->shape[1]}};
  MakerText at = maker_text("v0 + vk * %d - %d", step, step);
  if (is_where) { // nobody writes the elements that have no window
    Domain whole = maker_domain(s->shape, 2);
    maker_line(m, maker_block(m, 1, &whole), "%s[v0, v1] = v1", x->name);
  }
  maker_line(m, 1, "for %s in T.grid(%d, %d, %d):", orders[order], sizes[order][0], sizes[order][1],
             sizes[order][2]);
  maker_head(m, 2);
  maker_line(m, 3, "v0, v1, vk = T.axis.remap(\"SSR\", [i, j, k])");
  if (is_where)
    maker_line(m, 3, "T.where(i + k * %d >= %d and i + k * %d < %d)", step, step, step,
               rows + step);
  MakerText element = maker_read(s, maker_text("%s, v1", at.text).text, false), value = element;
  if (!is_where)
    value = maker_text("T.if_then_else(%.60s >= 0 and %.60s < %d, %.90s, %u)", at.text, at.text,
                       rows, element.text, maker_below(m, 2));
  if (!is_where) {
    maker_line(m, 3, "with T.init():");
    maker_line(m, 4, "%s[v0, v1] = 0", x->name);
  }
  maker_line(m, 3, "%s[v0, v1] = %s[v0, v1] + %s * (vk + 1)", x->name, x->name, value.text);
}

/// Each row is made of the one before, which a small buffer carries.
static inline void stage_carry(Maker *m, const Known *s, bool is_last) {
  const Known *x = maker_buffer(m, s->shape, 2, false, is_last);
  MakerText rows = maker_size(s->shape[0]), columns = maker_size(s->shape[1]);
  MakerText carry = maker_text("K%d", m->block_count);
  bool is_last_row = maker_below(m, 2);
  rlx_buf_printf(&m->allocs, "    %s = T.sblock_alloc_buffer((%s,), \"int32\")\n", carry.text,
                 columns.text);
  maker_line(m, 1, "for j in range(%s):", columns.text);
  maker_head(m, 2);
  maker_line(m, 3, "v0 = T.axis.spatial(%s, j)", columns.text);
  maker_line(m, 3, "%s[v0] = v0 + 1", carry.text);
  maker_line(m, 1, "for i in range(%s):", rows.text);
  for (int k = 0; k < 2; k++) {
    maker_line(m, 2, "for j in range(%s):", columns.text);
    maker_head(m, 3);
    maker_line(m, 4, "v0 = T.axis.%s(%s, i)", k ? "spatial" : "opaque", rows.text);
    maker_line(m, 4, "v1 = T.axis.spatial(%s, j)", columns.text);
    if (k == (int)is_last_row)
      maker_line(m, 4, "%s[v1] = %s[v1] * 3 %% 101 + %s", carry.text, carry.text,
                 maker_read(s, "v0, v1", false).text);
    else
      maker_line(m, 4, "%s[v0, v1] = %s[v1] + v0", x->name, carry.text);
  }
}

/// A sum, or the largest, over rows and columns at once; a bound cuts a split of the columns.
static inline void stage_two_axes(Maker *m, const Known *s, bool is_last) {
  int one = 1, rows = s->shape[0], columns = s->shape[1], inner = 2 + (int)maker_below(m, 3);
  bool is_max = maker_below(m, 2), is_swapped = maker_below(m, 2);
  const Known *x = maker_buffer(m, &one, 1, false, is_last);
  int outer = (columns + inner - 1) / inner;
  if (is_swapped)
    maker_line(m, 1, "for j0, i, j1 in T.grid(%d, %d, %d):", outer, rows, inner);
  else
    maker_line(m, 1, "for i, j0, j1 in T.grid(%d, %d, %d):", rows, outer, inner);
  maker_head(m, 2);
  maker_line(m, 3, "v0 = T.axis.reduce(%d, i)", rows);
  maker_line(m, 3, "v1 = T.axis.reduce(%d, j0 * %d + j1)", columns, inner);
  maker_line(m, 3, "T.where(j0 * %d + j1 < %d)", inner, columns);
  maker_line(m, 3, "with T.init():");
  maker_line(m, 4, "%s[0] = %d", x->name, is_max ? -1000 : 5);
  MakerText value = maker_read(s, "v0, v1", false);
  maker_line(m, 3, is_max ? "%s[0] = T.max(%s[0], %s)" : "%s[0] = %s[0] + %s", x->name, x->name,
             value.text);
}

/// Sums, products and bounds in int8, which wrap, and what they give in int32.
static inline void stage_narrow(Maker *m, const Known *s, bool is_last) {
  static const char *const updates[] = {"%s[v0] + %s", "%s[v0] * %s", "T.max(%s[v0], %s)",
                                        "%s[v0] - %s"};
  MakerText rows = maker_size(s->shape[0]), narrow = maker_text("Q%d", m->block_count);
  rlx_buf_printf(&m->allocs, "    %s = T.sblock_alloc_buffer((%s,), \"int8\")\n", narrow.text,
                 rows.text);
  MakerText element = maker_text("T.Cast(\"int8\", %s * 37)", maker_read(s, "v0, v1", false).text);
  char value[1024];
  const char *update = updates[maker_below(m, 4)];
  const char *place = strstr(update, "%s[v0]");
  const char *second = strstr(place + 2, "%s");
  snprintf(value, sizeof value, "%.*s%s%.*s%s%s", (int)(place - update), update, narrow.text,
           (int)(second - place - 2), place + 2, element.text, second + 2);
  maker_line(m, 1, "for i, j in T.grid(%s, %s):", rows.text, maker_size(s->shape[1]).text);
  maker_pair(m, 2, s, "SR");
  maker_line(m, 3, "with T.init():");
  maker_line(m, 4, "%s[v0] = T.int8(%d)", narrow.text, (int)maker_below(m, 3));
  maker_line(m, 3, "%s[v0] = %s", narrow.text, value);
  const Known *x = maker_buffer(m, s->shape, 1, false, is_last);
  Domain whole = maker_domain(s->shape, 1);
  maker_line(m, maker_block(m, 1, &whole), "%s[v0] = T.Cast(\"int32\", %s[v0]) * 2", x->name,
             narrow.text);
}

#endif
