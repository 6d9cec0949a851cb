/// What the stages of random PrimFuncs are written with: buffers, loops, blocks, indices.
#ifndef RLX_TESTS_PROP_RANDOM_MAKER_H
#define RLX_TESTS_PROP_RANDOM_MAKER_H

#include <stdarg.h>
#include <string.h>

#include "base/buf.h"
#include "tests/test.h"

enum { RANDOM_PRIMFUNC_N = 7, MAKER_KNOWN = 12, MAKER_NDIM = 3, MAKER_PARAMS = 6, SYMBOLIC = 0 };

/// A buffer whose elements may be read. A size of SYMBOLIC stands for `n`.
typedef struct Known {
  char name[2];
  int shape[MAKER_NDIM], ndim;
  bool is_float, is_param;
} Known;

typedef struct Maker {
  RlxTestRandom *random;
  RlxBuf params, matches, allocs, body;
  Known known[MAKER_KNOWN];
  int known_count, param_count, block_count;
  bool is_symbolic;
} Maker;

typedef struct MakerText {
  char text[160];
} MakerText;

/// How the variables of a block are written and bound.
typedef struct Domain {
  int size[MAKER_NDIM + 1], count;
  char kind[MAKER_NDIM + 2]; ///< per variable: S, R, or O (opaque)
  bool may_repeat;           ///< an instance may run twice
  bool may_skip;             ///< an instance may be left out
  const char *regions;       ///< T.reads and T.writes, or NULL
} Domain;

static inline uint32_t maker_below(Maker *m, uint32_t bound) {
  return rlx_test_below(m->random, bound);
}

__attribute__((format(printf, 3, 4))) static inline void maker_line(Maker *m, int depth,
                                                                    const char *format, ...) {
  char text[320];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  for (int i = 0; i < depth; i++) rlx_buf_puts(&m->body, "    ");
  rlx_buf_puts(&m->body, text);
  rlx_buf_putc(&m->body, '\n');
}

__attribute__((format(printf, 1, 2))) static inline MakerText maker_text(const char *format, ...) {
  MakerText t;
  va_list args;
  va_start(args, format);
  vsnprintf(t.text, sizeof t.text, format, args);
  va_end(args);
  return t;
}

__attribute__((format(printf, 2, 3))) static inline void maker_append(MakerText *t,
                                                                      const char *format, ...) {
  size_t size = strlen(t->text);
  va_list args;
  va_start(args, format);
  vsnprintf(t->text + size, sizeof t->text - size, format, args);
  va_end(args);
}

static inline MakerText maker_size(int size) {
  MakerText t = {"n"};
  if (size != SYMBOLIC) t = maker_text("%d", size);
  return t;
}

static inline MakerText maker_shape(const Known *b) {
  MakerText t = {"("};
  for (int d = 0; d < b->ndim; d++) maker_append(&t, "%s, ", maker_size(b->shape[d]).text);
  strcat(t.text, ")");
  return t;
}

/// A new buffer: a parameter, or one that the PrimFunc allocates. Its elements count as known from here on.
static inline Known *maker_buffer(Maker *m, const int *shape, int ndim, bool is_float,
                                  bool is_param) {
  if (m->param_count == MAKER_PARAMS) is_param = false;
  Known *b = &m->known[m->known_count];
  *b = (Known){.ndim = ndim, .is_float = is_float, .is_param = is_param};
  b->name[0] = (char)('A' + m->known_count++);
  memcpy(b->shape, shape, (size_t)ndim * sizeof *shape);
  const char *dtype = is_float ? "float32" : "int32";
  MakerText sizes = maker_shape(b);
  if (!is_param)
    rlx_buf_printf(&m->allocs, "    %s = T.sblock_alloc_buffer(%s, \"%s\")\n", b->name, sizes.text,
                   dtype);
  else if (m->is_symbolic) {
    rlx_buf_printf(&m->params, "%sp_%s: T.handle", m->param_count++ ? ", " : "", b->name);
    rlx_buf_printf(&m->matches, "    %s = T.match_buffer(p_%s, %s, \"%s\")\n", b->name, b->name,
                   sizes.text, dtype);
  } else
    rlx_buf_printf(&m->params, "%s%s: T.Buffer(%s, \"%s\")", m->param_count++ ? ", " : "", b->name,
                   sizes.text, dtype);
  return b;
}

static inline Known *maker_any(Maker *m) {
  uint32_t newest = (uint32_t)m->known_count - 1;
  return &m->known[maker_below(m, 3) ? newest : maker_below(m, newest + 1)];
}

/// `b[at]` as a number of the type that `is_float` names.
static inline MakerText maker_read(const Known *b, const char *at, bool is_float) {
  MakerText t = maker_text("%s[%.100s]", b->name, at);
  if (b->is_float) t = maker_text("T.Cast(\"int32\", %.120s)", t.text);
  return is_float ? maker_text("T.Cast(\"float32\", %.120s %% 64)", t.text) : t;
}

static inline MakerText maker_number(bool is_float, int value) {
  return maker_text(is_float ? "T.float32(%d)" : "%d", value);
}

/// `v0, v1, …`: `count` of them.
static inline MakerText maker_vars(int count) {
  MakerText t = {""};
  for (int d = 0; d < count; d++) maker_append(&t, "%sv%d", d ? ", " : "", d);
  return t;
}

// ---- loops and the block under them

typedef struct Nest {
  MakerText loops[2 * MAKER_NDIM + 3], bindings[MAKER_NDIM + 1], where;
  int loop_count;
} Nest;

__attribute__((format(printf, 3, 4))) static inline void nest_loop(Nest *n, const char *name,
                                                                   const char *range, ...) {
  MakerText sizes;
  va_list args;
  va_start(args, range);
  vsnprintf(sizes.text, sizeof sizes.text, range, args);
  va_end(args);
  n->loops[n->loop_count++] = maker_text("for %s in %.120s:", name, sizes.text);
}

/// The loops of variable `axis`, in one of the ways in which they are written.
static inline void nest_axis(Maker *m, const Domain *d, int axis, Nest *n) {
  int size = d->size[axis], way = (int)maker_below(m, 16);
  bool is_fixed = size != SYMBOLIC, may_repeat = d->may_repeat && d->kind[axis] == 'S';
  MakerText name = maker_text("i%d", axis), sizes = maker_size(size), *binding = &n->bindings[axis];
  *binding = name;
  if (is_fixed && way < 3 &&
      size > 1) { // taken apart, with a predicate where it does not come out even
    int factor = 2 + (int)maker_below(m, 3), outer = (size + factor - 1) / factor;
    *binding = maker_text("i%do * %d + i%di", axis, factor, axis);
    nest_loop(n, maker_text("i%do", axis).text, "range(%d)", outer);
    nest_loop(n, maker_text("i%di", axis).text, "range(%d)", factor);
    if (outer * factor != size)
      maker_append(&n->where, "%s%s < %d", n->where.text[0] ? " and " : "", binding->text, size);
  } else if (is_fixed && way == 3) { // backwards
    *binding = maker_text("%d - i%d", size - 1, axis);
    nest_loop(n, name.text, "range(%d)", size);
  } else if (is_fixed && way == 4) { // begins elsewhere
    *binding = maker_text("i%d - 2", axis);
    nest_loop(n, name.text, "T.serial(2, %d)", size + 2);
  } else if (is_fixed && way == 5 && may_repeat && size > 2) { // some run twice
    *binding = maker_text("i%do + i%di", axis, axis);
    nest_loop(n, maker_text("i%do", axis).text, "range(%d)", size - 1);
    nest_loop(n, maker_text("i%di", axis).text, "range(2)");
  } else if (is_fixed && way == 6 && d->may_skip && size > 1) // some do not run
    nest_loop(n, name.text, "range(%d)", size - 1);
  else if (way == 7 && d->may_repeat && axis == 0) { // all run twice
    nest_loop(n, name.text, "range(%s)", sizes.text);
    nest_loop(n, "again", "range(2)");
  } else if (way == 8 && may_repeat)
    nest_loop(n, name.text, "T.%s(%s)", is_fixed && maker_below(m, 2) ? "vectorized" : "parallel",
              sizes.text);
  else
    nest_loop(n, name.text, "range(%s)", sizes.text);
}

/// Two variables on one loop; true when it was written so.
static inline bool nest_fused(Maker *m, const Domain *d, Nest *n) {
  if (d->count < 2 || maker_below(m, 8) || d->size[0] == SYMBOLIC || d->size[1] == SYMBOLIC)
    return false;
  nest_loop(n, "i01", "range(%d)", d->size[0] * d->size[1]);
  n->bindings[0] = maker_text("i01 // %d", d->size[1]);
  n->bindings[1] = maker_text("i01 %% %d", d->size[1]);
  return true;
}

/// Writes loops, the block and its variables; how deep its body stands.
static inline int maker_block(Maker *m, int depth, const Domain *d) {
  Nest n = {0};
  for (int i = nest_fused(m, d, &n) ? 2 : 0; i < d->count; i++) nest_axis(m, d, i, &n);
  if (n.loop_count > 1 && !maker_below(m, 5)) { // loops in another order
    int a = (int)maker_below(m, (uint32_t)n.loop_count - 1);
    MakerText t = n.loops[a];
    n.loops[a] = n.loops[a + 1];
    n.loops[a + 1] = t;
  }
  for (int i = 0; i < n.loop_count; i++) maker_line(m, depth++, "%s", n.loops[i].text);
  maker_line(m, depth++, "with T.sblock(\"b%d\"):", m->block_count++);
  for (int i = 0; i < d->count; i++)
    maker_line(m, depth, "v%d = T.axis.%s(%s, %s)", i,
               d->kind[i] == 'S'   ? "spatial"
               : d->kind[i] == 'R' ? "reduce"
                                   : "opaque",
               maker_size(d->size[i]).text, n.bindings[i].text);
  if (n.where.text[0]) maker_line(m, depth, "T.where(%s)", n.where.text);
  if (d->regions) maker_line(m, depth, "%s", d->regions);
  return depth;
}

static inline Domain maker_domain(const int *size, int count) {
  Domain d = {.count = count, .kind = "SSSS", .may_repeat = true};
  memcpy(d.size, size, (size_t)count * sizeof *size);
  return d;
}

// ---- indices

/// One index of a buffer's dimension of `size` elements, from a variable that runs over all of it.
static inline MakerText maker_index(Maker *m, int var, int size) {
  MakerText t;
  uint32_t way = maker_below(m, 8);
  t = maker_text("v%d", var);
  if (way == 0) t = maker_text("%s - 1 - v%d", maker_size(size).text, var);
  if (size == SYMBOLIC) return t;
  if (way == 1) t = maker_text("(v%d + %u) %% %d", var, 1 + maker_below(m, 5), size);
  if (way == 2) t = maker_text("v%d // 2", var);
  return t;
}

static inline MakerText maker_indices(Maker *m, const Known *b) {
  MakerText t = {""};
  for (int d = 0; d < b->ndim; d++)
    maker_append(&t, "%s%s", d ? ", " : "", maker_index(m, d, b->shape[d]).text);
  return t;
}

#endif
