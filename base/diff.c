/// Unified diffs: equal lines at both ends are set aside, and the middle is compared line by line.
///
/// Always true: the diff turns the old text into the new one; where the middle is too large to
/// compare, it is replaced as a whole, so the diff may be longer than it must be.
#include "base/diff.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/vec.h"

enum { CONTEXT = 3, CELLS_MAX = 16 * 1024 * 1024 };

typedef struct Line {
  const char *at;
  size_t size; // line end included
} Line;
typedef Vec(Line) Lines;

/// One step from the old text to the new one: a line of `a`, of `b`, or of both.
typedef struct Step {
  char kind; // ' ', '-', '+'
  uint32_t a, b;
} Step;
typedef Vec(Step) Steps;

static void split(const RlxBuf *text, Lines *out) {
  const char *at = rlx_buf_text(text), *end = at + text->size;
  while (at < end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    size_t size = stop ? (size_t)(stop + 1 - at) : (size_t)(end - at);
    rlx_vec_push(out, (Line){at, size});
    at += size;
  }
}

static bool same(const Line *x, const Line *y) {
  return x->size == y->size && memcmp(x->at, y->at, x->size) == 0;
}

static void push(Steps *steps, char kind, uint32_t a, uint32_t b) {
  rlx_vec_push(steps, (Step){kind, a, b});
}

/// Longest common subsequence of a[a0, a1) and b[b0, b1): small middles only, larger ones are
/// replaced as a whole.
static void middle(const Lines *a, uint32_t a0, uint32_t a1, const Lines *b, uint32_t b0,
                   uint32_t b1, Steps *steps) {
  size_t rows = a1 - a0, columns = b1 - b0, width = columns + 1;
  uint32_t i = 0, k = 0;
  if (rows && columns && rows < CELLS_MAX / width) {
    uint32_t *length = rlx_mem_zeroed((rows + 1) * width, sizeof *length);
    for (size_t r = rows; r-- > 0;)
      for (size_t c = columns; c-- > 0;) {
        uint32_t down = length[(r + 1) * width + c], right = length[r * width + c + 1];
        length[r * width + c] = same(&a->at[a0 + r], &b->at[b0 + c])
                                    ? length[(r + 1) * width + c + 1] + 1
                                : down > right ? down
                                               : right;
      }
    while (i < rows && k < columns) {
      if (same(&a->at[a0 + i], &b->at[b0 + k]))
        push(steps, ' ', a0 + i, b0 + k), i++, k++;
      else if (length[(i + 1) * width + k] >= length[i * width + k + 1])
        push(steps, '-', a0 + i, b0 + k), i++;
      else
        push(steps, '+', a0 + i, b0 + k), k++;
    }
    free(length);
  }
  for (; i < rows; i++) push(steps, '-', a0 + i, b0 + k);
  for (; k < columns; k++) push(steps, '+', a1, b0 + k);
}

static void compare(const Lines *a, const Lines *b, Steps *steps) {
  uint32_t start = 0, a1 = a->count, b1 = b->count;
  while (start < a1 && start < b1 && same(&a->at[start], &b->at[start])) start++;
  while (a1 > start && b1 > start && same(&a->at[a1 - 1], &b->at[b1 - 1])) a1--, b1--;
  for (uint32_t i = 0; i < start; i++) push(steps, ' ', i, i);
  middle(a, start, a1, b, start, b1, steps);
  for (uint32_t i = a1; i < a->count; i++) push(steps, ' ', i, i - a1 + b1);
}

static void print_line(char kind, const Line *line, RlxBuf *out) {
  rlx_buf_putc(out, kind);
  rlx_buf_putn(out, line->at, line->size);
  if (line->at[line->size - 1] != '\n') rlx_buf_puts(out, "\n\\ No newline at end of file\n");
}

static void hunk(const Lines *a, const Lines *b, const Steps *steps, uint32_t from, uint32_t to,
                 RlxBuf *out) {
  uint32_t old_count = 0, new_count = 0;
  for (uint32_t i = from; i < to; i++) {
    old_count += steps->at[i].kind != '+';
    new_count += steps->at[i].kind != '-';
  }
  uint32_t old_start = steps->at[from].a + (old_count > 0),
           new_start = steps->at[from].b + (new_count > 0);
  rlx_buf_printf(out, "@@ -%u,%u +%u,%u @@\n", old_start, old_count, new_start, new_count);
  for (uint32_t i = from; i < to; i++) {
    const Step *step = &steps->at[i];
    print_line(step->kind, step->kind == '+' ? &b->at[step->b] : &a->at[step->a], out);
  }
}

static void put_name(RlxBuf *out, const char *mark, const char *path) {
  rlx_buf_puts(out, mark);
  rlx_text_put_shown(out, path, strlen(path));
  rlx_buf_putc(out, '\n');
}

void rlx_diff(const char *path, const RlxBuf *before, const RlxBuf *after, RlxBuf *out) {
  Lines a = {0}, b = {0};
  Steps steps = {0};
  split(before, &a);
  split(after, &b);
  compare(&a, &b, &steps);
  bool any = false;
  for (uint32_t i = 0; i < steps.count;) {
    if (steps.at[i].kind == ' ') {
      i++;
      continue;
    }
    uint32_t from = i > CONTEXT ? i - CONTEXT : 0, last = i;
    for (uint32_t k = i; k < steps.count && k <= last + 2 * CONTEXT + 1; k++)
      if (steps.at[k].kind != ' ') last = k;
    uint32_t to = last + 1 + CONTEXT < steps.count ? last + 1 + CONTEXT : steps.count;
    if (!any) put_name(out, "--- ", path), put_name(out, "+++ ", path);
    any = true;
    hunk(&a, &b, &steps, from, to, out);
    i = to;
  }
  rlx_vec_free(&a);
  rlx_vec_free(&b);
  rlx_vec_free(&steps);
}

void rlx_diff_runs(const RlxBuf *before, const RlxBuf *after, RlxDiffRuns *out) {
  Lines a = {0}, b = {0};
  Steps steps = {0};
  split(before, &a);
  split(after, &b);
  compare(&a, &b, &steps);
  RlxDiffRun at = {0};
  bool is_open = false;
  for (uint32_t i = 0; i < steps.count; i++) {
    const Step *step = &steps.at[i];
    if (step->kind == ' ') {
      if (is_open) rlx_vec_push(out, at);
      is_open = false;
      at.old_start = at.old_end = at.old_end + a.at[step->a].size;
      at.new_start = at.new_end = at.new_end + b.at[step->b].size;
      continue;
    }
    is_open = true;
    if (step->kind == '-')
      at.old_end += a.at[step->a].size;
    else
      at.new_end += b.at[step->b].size;
  }
  if (is_open) rlx_vec_push(out, at);
  rlx_vec_free(&a);
  rlx_vec_free(&b);
  rlx_vec_free(&steps);
}
