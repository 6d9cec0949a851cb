/// Looking at values: :stats, :plot, :image, :compare, :who, and how what was entered is printed.
#include "repl/values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/terminal.h"
#include "jit/runtime/format.h"
#include "repl/results.h"

enum { PLAIN_WIDTH = 75, BINS = 24, PLOT_ROWS = 10, LABEL = 11, WIDEST = 400, PIXELS_MAX = 4096 };

int rlx_repl_width(void) {
  int rows, columns;
  if (!rlx_terminal_size(&rows, &columns)) return PLAIN_WIDTH;
  return columns < 20 ? 20 : columns > WIDEST ? WIDEST : columns;
}

/// Through $PAGER (or less) when it is longer than the screen.
static void print_paged(const RlxRepl *repl, const char *text) {
  int rows, columns, lines = 0;
  for (const char *p = text; *p; p++) lines += *p == '\n';
  bool is_long = repl->set[RLX_REPL_SET_PAGER] && isatty(STDIN_FILENO) &&
                 rlx_terminal_size(&rows, &columns) && lines >= rows;
  const char *pager = getenv("PAGER");
  fflush(stdout);
  FILE *out = is_long ? popen(pager && *pager ? pager : "less -R", "w") : NULL;
  fputs(text, out ? out : stdout);
  if (out && pclose(out) == 127 << 8) fputs(text, stdout); // there is no such program
}

static void put_bytes(int64_t bytes, RlxBuf *out) {
  static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
  double v = (double)bytes;
  int unit = 0;
  while (v >= 1000 && unit < 4) v /= 1000, unit++;
  rlx_buf_printf(out, unit && v < 100 ? "%.1f %s" : "%.0f %s", v, units[unit]);
}

static int64_t bytes_of(const RlxObject *x) {
  int64_t all = 0;
  if (x->kind == RLX_OBJECT_TENSOR) return rlx_tensor_bytes(x);
  if (x->kind == RLX_OBJECT_SHAPE) return (int64_t)sizeof(int64_t) * x->count;
  if (x->kind == RLX_OBJECT_TUPLE)
    for (int i = 0; i < x->count; i++) all += bytes_of(x->fields[i]);
  else if (x->kind == RLX_OBJECT_INT || x->kind == RLX_OBJECT_FLOAT)
    return rlx_dtype_bytes(x->dtype);
  return all;
}

void rlx_repl_show(RlxRepl *repl, RlxObject *value) {
  RlxBuf text = {0};
  char *const *names = rlx_repl_field_names(repl, value);
  for (int i = 0; names && i < value->count; i++) {
    rlx_buf_printf(&text, "\"%s\": ", names[i]);
    rlx_object_print_sinfo(value->fields[i], &text);
    rlx_buf_putc(&text, '\n');
  }
  if (!names) {
    RlxPrintStyle style = {repl->set[RLX_REPL_SET_PRECISION], rlx_repl_width()};
    rlx_object_print_styled(value, &style, &text);
    rlx_buf_putc(&text, '\n');
    if (repl->set[RLX_REPL_SET_SINFO]) {
      rlx_buf_puts(&text, "# ");
      rlx_object_print_sinfo(value, &text);
      rlx_buf_putc(&text, '\n');
    }
  } else
    rlx_buf_printf(&text, "# %d tensor%s: w[\"name\"] is one\n", value->count,
                   value->count == 1 ? "" : "s");
  if (repl->on_value) {
    rlx_buf_truncate(&text, text.size - 1); // without its line end
    repl->on_value(repl->value_data, value, rlx_buf_text(&text));
  } else
    print_paged(repl, rlx_buf_text(&text));
  rlx_buf_free(&text);
  rlx_repl_keep_result(repl, value);
}

/// The value of the expression, which must be a tensor with elements unless `any`; NULL after a message.
static RlxObject *tensor_of(RlxRepl *repl, const char *text) {
  RlxObject *x;
  if (!rlx_repl_value(repl, text, &x) || !x) return NULL;
  if (x->kind == RLX_OBJECT_TENSOR && rlx_tensor_count(x)) return x;
  RlxBuf what = {0};
  rlx_object_describe(x, &what);
  printf("error: a tensor with elements is wanted, this is %s\n", rlx_buf_text(&what));
  rlx_buf_free(&what);
  rlx_object_unref(x);
  return NULL;
}

// ---- :stats

typedef struct Figures {
  double min, max, sum;
  int64_t count, finite, zeros, nans, infs;
} Figures;

static double number(const RlxObject *x, int64_t i) {
  return rlx_element_number(x->data, x->dtype, i);
}

static Figures figures_of(const RlxObject *x) {
  Figures f = {.min = (double)INFINITY, .max = (double)-INFINITY, .count = rlx_tensor_count(x)};
  for (int64_t i = 0; i < f.count; i++) {
    double v = number(x, i);
    f.nans += isnan(v) != 0;
    f.infs += isinf(v) != 0;
    f.zeros += v == 0;
    if (!isfinite(v)) continue;
    f.finite++;
    f.sum += v;
    if (v < f.min) f.min = v;
    if (v > f.max) f.max = v;
  }
  return f;
}

static void put_histogram(const RlxObject *x, const Figures *f, RlxBuf *out) {
  static const char *const bars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  int64_t bins[BINS] = {0}, most = 0;
  double span = f->max - f->min;
  for (int64_t i = 0; i < f->count; i++) {
    double v = number(x, i);
    if (!isfinite(v)) continue;
    int bin = span > 0 && isfinite(span) ? (int)((v - f->min) / span * BINS) : BINS / 2;
    bins[bin < BINS ? bin : BINS - 1]++;
  }
  for (int i = 0; i < BINS; i++)
    if (bins[i] > most) most = bins[i];
  rlx_buf_printf(out, "%.6g ", f->min);
  for (int i = 0; i < BINS; i++) // a bin with anything in it is seen
    rlx_buf_puts(out, bars[bins[i] ? 1 + (bins[i] * 8 - 1) / most * 7 / 7 : 0]);
  rlx_buf_printf(out, " %.6g\n", f->max);
}

static void put_stats(const RlxObject *x, RlxBuf *out) {
  if (x->kind == RLX_OBJECT_TUPLE) {
    for (int i = 0; i < x->count; i++) {
      rlx_buf_printf(out, "[%d] ", i);
      put_stats(x->fields[i], out);
    }
    return;
  }
  rlx_object_print_sinfo(x, out);
  if (x->kind != RLX_OBJECT_TENSOR) {
    rlx_buf_puts(out, ": no tensor\n");
    return;
  }
  Figures f = figures_of(x);
  rlx_buf_printf(out, ", %lld element%s, ", (long long)f.count, f.count == 1 ? "" : "s");
  put_bytes(rlx_tensor_bytes(x), out);
  rlx_buf_putc(out, '\n');
  if (f.finite) {
    double mean = f.sum / (double)f.finite, squares = 0;
    for (int64_t i = 0; i < f.count; i++) {
      double v = number(x, i);
      if (isfinite(v)) squares += (v - mean) * (v - mean);
    }
    rlx_buf_printf(out, "min %.6g, max %.6g, mean %.6g, std %.6g\n", f.min, f.max, mean,
                   sqrt(squares / (double)f.finite));
  }
  rlx_buf_printf(out, "zeros %lld, NaN %lld, inf %lld\n", (long long)f.zeros, (long long)f.nans,
                 (long long)f.infs);
  if (f.finite) put_histogram(x, &f, out);
}

bool rlx_repl_stats(RlxRepl *repl, const char *text) {
  RlxObject *x;
  if (!rlx_repl_value(repl, text, &x) || !x) return false;
  RlxBuf out = {0};
  put_stats(x, &out);
  print_paged(repl, rlx_buf_text(&out));
  rlx_buf_free(&out);
  rlx_object_unref(x);
  return true;
}

// ---- :plot

typedef struct Canvas {
  int width, rows; ///< in cells of 2 x 4 dots
  unsigned char *cells;
} Canvas;

static void dot(Canvas *c, int x, int y) {
  static const unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  if (x < 0 || y < 0 || x >= c->width * 2 || y >= c->rows * 4) return;
  int row = c->rows * 4 - 1 - y;
  c->cells[row / 4 * c->width + x / 2] |= bits[row % 4][x % 2];
}

static void column(Canvas *c, int x, int from, int to) {
  for (int y = from < to ? from : to; y <= (from < to ? to : from); y++) dot(c, x, y);
}

static int height_of(const Canvas *c, const Figures *f, double v) {
  double span = f->max - f->min;
  return span > 0 ? (int)((v - f->min) / span * (c->rows * 4 - 1) + 0.5) : c->rows * 2;
}

/// One column of dots after the other; where there are more elements than columns, from the least to
/// the largest of those in it. Elements that are not finite leave a gap.
static void draw_line(Canvas *c, const RlxObject *x, const Figures *f) {
  int columns = c->width * 2, last = -1;
  for (int k = 0; k < columns; k++) {
    double low = (double)INFINITY, high = (double)-INFINITY;
    if (f->count <= columns) {
      double place = f->count > 1 ? (double)k * (double)(f->count - 1) / (columns - 1) : 0;
      int64_t i = (int64_t)place;
      double v = number(x, i), next = number(x, i + 1 < f->count ? i + 1 : i);
      double part = place - (double)i;
      low = high = part > 0 ? v + (next - v) * part : v;
    } else
      for (int64_t i = f->count * k / columns; i < f->count * (k + 1) / columns; i++) {
        double v = number(x, i);
        if (v < low) low = v;
        if (v > high) high = v;
      }
    if (!isfinite(low) || !isfinite(high)) {
      last = -1;
      continue;
    }
    int from = height_of(c, f, low), to = height_of(c, f, high);
    column(c, k, from, to);
    if (last >= 0 && last < from) column(c, k, last + 1, from);
    if (last >= 0 && last > to) column(c, k, last - 1, to);
    last = (from + to) / 2;
  }
}

/// A bar for each element, from zero where that is in sight.
static void draw_bars(Canvas *c, const RlxObject *x, const Figures *f) {
  int columns = c->width * 2, each = columns / (int)f->count, gap = each > 2;
  int ground = height_of(c, f, f->min > 0 ? f->min : f->max < 0 ? f->max : 0);
  for (int64_t i = 0; i < f->count; i++) {
    double v = number(x, i);
    if (!isfinite(v)) continue;
    for (int k = 0; k < each - gap; k++) column(c, (int)i * each + k, ground, height_of(c, f, v));
  }
}

static void put_canvas(const Canvas *c, const Figures *f, RlxBuf *out) {
  for (int r = 0; r < c->rows; r++) {
    int end = c->width;
    while (end && !c->cells[r * c->width + end - 1]) end--;
    if (r == 0 || r == c->rows - 1)
      rlx_buf_printf(out, "%*.4g ┤", LABEL - 2, r ? f->min : f->max);
    else
      rlx_buf_printf(out, "%*s│", LABEL - 1, "");
    for (int k = 0; k < end; k++) {
      unsigned bits = c->cells[r * c->width + k], code = 0x2800 + bits;
      rlx_buf_putc(out, (char)(0xe0 | code >> 12));
      rlx_buf_putc(out, (char)(0x80 | (code >> 6 & 63)));
      rlx_buf_putc(out, (char)(0x80 | (code & 63)));
    }
    rlx_buf_putc(out, '\n');
  }
  rlx_buf_printf(out, "%*s0 … %lld\n", LABEL, "", (long long)(f->count - 1));
}

static bool take_word(const char **text, const char *word) {
  size_t n = strlen(word);
  if (strncmp(*text, word, n) != 0 || (*text)[n] != ' ') return false;
  *text += n + strspn(*text + n, " ");
  return true;
}

bool rlx_repl_plot(RlxRepl *repl, const char *text) {
  bool bars = take_word(&text, "--bars"), line = !bars && take_word(&text, "--line");
  RlxObject *x = tensor_of(repl, text);
  if (!x) return false;
  Figures f = figures_of(x);
  int width = rlx_repl_width() - LABEL;
  Canvas c = {width, PLOT_ROWS, rlx_mem_zeroed((size_t)width * PLOT_ROWS, 1)};
  bool fits = f.count <= width;
  if (!f.finite)
    printf("error: no element is a finite number\n");
  else if (bars && !fits)
    printf("error: %lld bars do not fit into %d columns: :plot --line\n", (long long)f.count,
           width);
  else {
    bool is_bars = bars || (!line && f.count <= width / 2);
    if (is_bars && f.min > 0) f.min = 0; // bars stand on zero
    if (is_bars && f.max < 0) f.max = 0;
    if (is_bars)
      draw_bars(&c, x, &f);
    else
      draw_line(&c, x, &f);
    RlxBuf out = {0};
    put_canvas(&c, &f, &out);
    fputs(rlx_buf_text(&out), stdout);
    rlx_buf_free(&out);
  }
  bool ok = f.finite && !(bars && !fits);
  free(c.cells);
  rlx_object_unref(x);
  return ok;
}

// ---- :image

static RlxPictureForm form_of(const RlxRepl *repl) {
  const char *term = getenv("TERM");
  int chosen = repl->set[RLX_REPL_SET_IMAGE]; // auto, shades, blocks, kitty, sixel
  if (chosen) return (RlxPictureForm)(chosen - 1);
  if (!isatty(STDOUT_FILENO) || !term || !strcmp(term, "dumb")) return RLX_PICTURE_SHADES;
  if (getenv("KITTY_WINDOW_ID") || strstr(term, "kitty") || strstr(term, "ghostty"))
    return RLX_PICTURE_KITTY;
  if (strstr(term, "sixel") || strstr(term, "foot") || strstr(term, "mlterm"))
    return RLX_PICTURE_SIXEL;
  return rlx_terminal_has_colors(stdout) ? RLX_PICTURE_BLOCKS : RLX_PICTURE_SHADES;
}

typedef struct Layout {
  int64_t height, width, channels, row, column, channel; ///< the last three are strides
} Layout;

/// (H, W), (H, W, C) or (C, H, W) with 1, 3 or 4 channels, ones in front of it left out.
static bool layout_of(const RlxObject *x, Layout *l) {
  const int64_t *d = x->dims;
  int n = x->count;
  while (n > 3 && d[0] == 1) d++, n--;
  if (n == 2) return *l = (Layout){d[0], d[1], 1, d[1], 1, 0}, true;
  if (n != 3) return false;
  if (d[2] == 3 || d[2] == 4 || (d[2] == 1 && d[0] != 1 && d[0] != 3))
    return *l = (Layout){d[0], d[1], d[2], d[1] * d[2], d[2], 1}, true;
  if (d[0] == 1 || d[0] == 3 || d[0] == 4)
    return *l = (Layout){d[1], d[2], d[0], d[2], 1, d[1] * d[2]}, true;
  return false;
}

bool rlx_repl_image(RlxRepl *repl, const char *text) {
  RlxObject *x = tensor_of(repl, text);
  if (!x) return false;
  Layout l;
  if (!layout_of(x, &l)) {
    printf("error: a picture is a tensor (H, W), (H, W, C) or (C, H, W) with 1, 3 or 4 channels\n");
    rlx_object_unref(x);
    return false;
  }
  RlxPictureForm form = form_of(repl);
  bool is_cells = form == RLX_PICTURE_SHADES || form == RLX_PICTURE_BLOCKS;
  int64_t most = is_cells ? rlx_repl_width() : PIXELS_MAX, width = l.width, height = l.height;
  if (is_cells && width < 20) width *= 2, height *= 2; // tiny ones are hard to see
  if (width > most) height = height * most / width, width = most;
  if (height > PIXELS_MAX) width = width * PIXELS_MAX / height, height = PIXELS_MAX;
  if (width < 1) width = 1;
  if (height < 1) height = 1;
  Figures f = figures_of(x);
  bool is_bytes = x->dtype.code == RLX_DTYPE_UINT && x->dtype.bits == 8;
  double low = is_bytes ? 0 : f.finite ? f.min : 0, high = is_bytes ? 255 : f.finite ? f.max : 1;
  unsigned char *rgb = rlx_mem_zeroed((size_t)(width * height), 3);
  for (int64_t y = 0; y < height; y++)
    for (int64_t k = 0; k < width; k++)
      for (int c = 0; c < 3; c++) {
        int64_t at = y * l.height / height * l.row + k * l.width / width * l.column +
                     (l.channels > 1 ? c : 0) * l.channel;
        double v = number(x, at), part = high > low ? (v - low) / (high - low) : 0.5;
        rgb[(y * width + k) * 3 + c] = (unsigned char)(isnan(part) || part < 0 ? 0
                                                       : part > 1              ? 255
                                                                               : part * 255 + 0.5);
      }
  RlxBuf out = {0};
  rlx_picture_write(rgb, (int)width, (int)height, form, &out);
  fputs(rlx_buf_text(&out), stdout);
  printf("# %lld x %lld, from %.4g to %.4g\n", (long long)l.height, (long long)l.width, low, high);
  rlx_buf_free(&out);
  free(rgb);
  rlx_object_unref(x);
  return true;
}

// ---- :compare

/// Where the first of two expressions ends: at a comma, or at a blank between two operands.
static size_t first_size(const char *text) {
  for (int turn = 0; turn < 2; turn++) {
    int depth = 0;
    char quote = 0;
    for (size_t i = 0; text[i]; i++) {
      char c = text[i];
      if (quote) {
        if (c == quote) quote = 0;
        continue;
      }
      if (c == '"' || c == '\'') quote = c;
      depth += strchr("([{", c) ? 1 : strchr(")]}", c) ? -1 : 0;
      if (depth || !i) continue;
      if (!turn && c == ',') return i;
      const char *next = text + i + strspn(text + i, " ");
      if (turn && c == ' ' && !strchr("+-*/%@<>=!&|^~.", text[i - 1]) && *next &&
          !strchr("+-*/%@<>=!&|^.)", *next))
        return i;
    }
  }
  return 0;
}

static void put_place(const RlxObject *x, int64_t i, RlxBuf *out) {
  rlx_buf_putc(out, '[');
  int64_t stride = rlx_tensor_count(x);
  for (int d = 0; d < x->count; d++) {
    stride /= x->dims[d];
    rlx_buf_printf(out, "%s%lld", d ? ", " : "", (long long)(i / stride));
    i %= stride;
  }
  rlx_buf_putc(out, ']');
}

static void put_largest(const char *what, double error, int64_t at, const RlxObject *x,
                        const RlxObject *y, RlxBuf *out) {
  rlx_buf_printf(out, "%s %.6g at ", what, error);
  put_place(x, at, out);
  rlx_buf_printf(out, ": %.9g, %.9g\n", number(x, at), number(y, at));
}

static bool put_comparison(const RlxObject *x, const RlxObject *y, RlxBuf *out) {
  bool same = x->kind == y->kind && x->count == y->count;
  if (same && x->kind == RLX_OBJECT_TUPLE) {
    for (int i = 0; i < x->count && same; i++) {
      rlx_buf_printf(out, "[%d] ", i);
      same = put_comparison(x->fields[i], y->fields[i], out);
    }
    return same;
  }
  same = same && x->kind == RLX_OBJECT_TENSOR;
  for (int d = 0; same && d < x->count; d++) same = x->dims[d] == y->dims[d];
  if (!same) {
    rlx_buf_puts(out, "error: ");
    rlx_object_describe(x, out);
    rlx_buf_puts(out, " is not compared with ");
    rlx_object_describe(y, out);
    rlx_buf_putc(out, '\n');
    return false;
  }
  int64_t count = rlx_tensor_count(x), differ = 0, odd = 0, abs_at = 0, rel_at = 0, odd_at = 0;
  double abs_most = -1, rel_most = -1;
  for (int64_t i = 0; i < count; i++) {
    double a = number(x, i), b = number(y, i), error = fabs(a - b);
    if (a == b || (isnan(a) && isnan(b))) continue;
    differ++;
    if (!isfinite(error)) { // NaN or infinite in one of them only
      if (!odd++) odd_at = i;
      continue;
    }
    double scale = fabs(b) > 0 ? fabs(b) : fabs(a), rel = error / scale;
    if (error > abs_most) abs_most = error, abs_at = i;
    if (rel > rel_most) rel_most = rel, rel_at = i;
  }
  if (!differ) {
    rlx_buf_printf(out, "equal: %lld element%s\n", (long long)count, count == 1 ? "" : "s");
    return true;
  }
  rlx_buf_printf(out, "%lld of %lld elements differ\n", (long long)differ, (long long)count);
  if (abs_most >= 0) put_largest("largest absolute error", abs_most, abs_at, x, y, out);
  if (rel_most >= 0) put_largest("largest relative error", rel_most, rel_at, x, y, out);
  if (odd) {
    rlx_buf_printf(out, "%lld NaN or infinite in one of them, the first at ", (long long)odd);
    put_place(x, odd_at, out);
    rlx_buf_printf(out, ": %.9g, %.9g\n", number(x, odd_at), number(y, odd_at));
  }
  return true;
}

bool rlx_repl_compare(RlxRepl *repl, const char *text) {
  size_t n = first_size(text);
  if (!n) return printf("error: :compare takes two values: :compare x y\n"), false;
  char *first = rlx_mem_strndup(text, n);
  RlxObject *x = NULL, *y = NULL;
  const char *second = text + n + strspn(text + n, ", ");
  bool ok = rlx_repl_value(repl, first, &x) && x && rlx_repl_value(repl, second, &y) && y;
  RlxBuf out = {0};
  if (ok) ok = put_comparison(x, y, &out);
  fputs(rlx_buf_text(&out), stdout);
  rlx_buf_free(&out);
  rlx_object_unref(x);
  rlx_object_unref(y);
  free(first);
  return ok;
}

// ---- :who

bool rlx_repl_who(RlxRepl *repl) {
  RlxBuf out = {0};
  int64_t all = 0;
  size_t widest = 0;
  for (uint32_t i = 0; i < repl->vars.count; i++)
    if (strlen(repl->vars.at[i].name) > widest) widest = strlen(repl->vars.at[i].name);
  if (widest > 24) widest = 24;
  for (uint32_t i = 0; i < repl->vars.count; i++) {
    const RlxReplVar *var = &repl->vars.at[i];
    int64_t bytes = bytes_of(var->value);
    RlxBuf size = {0};
    put_bytes(bytes, &size);
    rlx_buf_printf(&out, "%-*s  %9s  ", (int)widest, var->name, rlx_buf_text(&size));
    if (rlx_repl_field_names(repl, var->value))
      rlx_buf_printf(&out, "%d tensors by name", var->value->count);
    else
      rlx_object_print_sinfo(var->value, &out);
    rlx_buf_putc(&out, '\n');
    rlx_buf_free(&size);
    all += bytes;
  }
  rlx_buf_printf(&out, "# %u variable%s, ", repl->vars.count, repl->vars.count == 1 ? "" : "s");
  put_bytes(all, &out);
  rlx_buf_puts(&out, "; for :undo ");
  put_bytes(rlx_repl_undo_bytes(repl), &out);
  rlx_buf_printf(&out, " of at most %d MB\n", repl->set[RLX_REPL_SET_UNDO_MB]);
  print_paged(repl, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return true;
}
