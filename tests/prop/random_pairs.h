/// Stages of random PrimFuncs that write two buffers at once, or run on threads: the place of the largest, two results
/// of one block, and rows that two iterations of a parallel loop both make.
#ifndef RLX_TESTS_PROP_RANDOM_PAIRS_H
#define RLX_TESTS_PROP_RANDOM_PAIRS_H

#include "tests/prop/random_structures.h"

/// The place of the largest (or least) of each row, by lets or under an `if`; no two are equal.
static inline void stage_best(Maker *m, const Known *s, bool is_last) {
  bool is_least = maker_below(m, 2), is_if = maker_below(m, 3) == 0, has_init = maker_below(m, 4);
  const char *sign = is_least ? "<" : ">";
  MakerText rows = maker_size(s->shape[0]), columns = maker_size(s->shape[1]);
  MakerText best = maker_text("M%d", m->block_count);
  MakerText value = maker_text("%s %% 1000 * 32 + v1", maker_read(s, "v0, v1", false).text);
  rlx_buf_printf(&m->allocs, "    %s = T.sblock_alloc_buffer((%s,), \"int32\")\n", best.text,
                 rows.text);
  const Known *x = maker_buffer(m, s->shape, 1, false, is_last);
  if (!has_init) {
    Domain whole = maker_domain(s->shape, 1);
    int depth = maker_block(m, 1, &whole);
    maker_line(m, depth, "%s[v0] = -1", x->name);
    maker_line(m, depth, "%s[v0] = %s100000", best.text, is_least ? "" : "-");
  }
  maker_line(m, 1, "for %s in T.grid(%s, %s):", "i, j", rows.text, columns.text);
  maker_pair(m, 2, s, "SR");
  if (has_init) {
    maker_line(m, 3, "with T.init():");
    maker_line(m, 4, "%s[v0] = -1", x->name);
    maker_line(m, 4, "%s[v0] = %s100000", best.text, is_least ? "" : "-");
  }
  if (is_if) {
    maker_line(m, 3, "if %s %s %s[v0]:", value.text, sign, best.text);
    maker_line(m, 4, "%s[v0] = v1", x->name);
    maker_line(m, 4, "%s[v0] = %s", best.text, value.text);
    return;
  }
  for (int k = 0; k < 2; k++)
    maker_line(m, 3, "t%d: T.let[T.int32] = T.Select(%s[v0] %s= %s, %s[v0], %s)", k, best.text,
               sign, value.text, k ? best.text : x->name, k ? value.text : "v1");
  maker_line(m, 3, "%s[v0] = t0", x->name);
  maker_line(m, 3, "%s[v0] = t1", best.text);
}

/// One block gives two buffers, of which the second is made of what it has just stored, or of what it reads.
static inline void stage_both(Maker *m, const Known *s, bool is_last) {
  MakerText rows = maker_size(s->shape[0]), columns = maker_size(s->shape[1]);
  MakerText second = maker_text("D%d", m->block_count);
  rlx_buf_printf(&m->allocs, "    %s = T.sblock_alloc_buffer((%s, %s), \"int32\")\n", second.text,
                 columns.text, rows.text);
  const Known *x = maker_buffer(m, s->shape, 2, false, is_last);
  MakerText value = maker_read(s, "v0, v1", false);
  bool is_chained = maker_below(m, 2);
  const Known *y = is_last ? NULL : maker_buffer(m, s->shape, 2, false, true);
  maker_line(m, 1, "for i, j in T.grid(%s, %s):", rows.text, columns.text);
  maker_pair(m, 2, s, "SS");
  if (y) {
    maker_line(m, 3, "%s[v0, v1] = %s * 3 - v1", x->name, value.text);
    maker_line(m, 3, "%s[v0, v1] = %s + v0", y->name,
               is_chained ? maker_text("%s[v0, v1]", x->name).text : value.text);
    return;
  }
  maker_line(m, 3, "%s[v1, v0] = %s + v0", second.text, value.text);
  maker_line(m, 3, "%s[v0, v1] = %s * 3 - v1", x->name,
             is_chained ? maker_text("%s[v1, v0]", second.text).text : value.text);
}

/// Differences of rows, in a parallel loop each of whose iterations makes both rows.
static inline void stage_threads(Maker *m, const Known *s, bool is_last) {
  const Known *x = maker_filled(m, s, is_last);
  int rows = s->shape[0];
  MakerText columns = maker_size(s->shape[1]), made = maker_text("H%d", m->block_count);
  bool is_sum = maker_below(m, 2), is_wide = maker_below(m, 2);
  MakerText at = is_wide ? maker_text("v0 + 1, v1") : maker_text("1, v1");
  rlx_buf_printf(&m->allocs, "    %s = T.sblock_alloc_buffer((%d, %s), \"int32\")\n", made.text,
                 is_wide ? rows : 2, columns.text);
  maker_line(m, 1, "for i in T.parallel(%d):", rows - 1);
  maker_line(m, 2, "for k, j in T.grid(2, %s):", columns.text);
  maker_head(m, 3);
  maker_line(m, 4, "v0 = T.axis.spatial(%d, i + k)", rows);
  maker_line(m, 4, "vk = T.axis.spatial(2, k)");
  maker_line(m, 4, "v1 = T.axis.spatial(%s, j)", columns.text);
  const char *place = is_wide ? "v0, v1" : "vk, v1";
  maker_line(m, 4, "%s[%s] = %s * 5%s", made.text, place, maker_read(s, "v0, v1", false).text,
             is_sum ? " + v1" : "");
  maker_line(m, 2, "for j in range(%s):", columns.text);
  maker_head(m, 3);
  maker_line(m, 4, "v0 = T.axis.spatial(%d, i)", rows);
  maker_line(m, 4, "v1 = T.axis.spatial(%s, j)", columns.text);
  maker_line(m, 4, "%s[v0, v1] = %s[%s] - %s[%s]", x->name, made.text, at.text, made.text,
             is_wide ? "v0, v1" : "0, v1");
}

#endif
