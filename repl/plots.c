/// :plot and :image: tensors as lines, bars and pictures, for terminals and for notebooks.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/terminal.h"
#include "base/text.h"
#include "repl/commands.h"
#include "repl/values.h"

enum {
  PLOT_ROWS = 10,
  LABEL = 11,
  PIXELS_MAX = 4096,
  FILE_PIXELS_MAX = 1024,
  FILE_PIXELS_MIN = 256
};

static double number(const RlxObject *x, int64_t i) {
  return rlx_element_number(x->data, x->dtype, i);
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

static int height_of(const Canvas *c, const RlxReplFigures *f, double v) {
  double span = f->max - f->min;
  return span > 0 ? (int)((v - f->min) / span * (c->rows * 4 - 1) + 0.5) : c->rows * 2;
}

/// The least and the largest of the elements in column `k` of `columns`; a place between two elements
/// where there are fewer of them. False: they are not finite.
static bool range_in(const RlxObject *x, int64_t count, int k, int columns, double *low,
                     double *high) {
  *low = (double)INFINITY, *high = (double)-INFINITY;
  if (count <= columns) {
    double place = count > 1 ? (double)k * (double)(count - 1) / (columns - 1) : 0;
    int64_t i = (int64_t)place;
    double v = number(x, i), next = number(x, i + 1 < count ? i + 1 : i);
    double part = place - (double)i;
    *low = *high = part > 0 ? v + (next - v) * part : v;
  } else
    for (int64_t i = count * k / columns; i < count * (k + 1) / columns; i++) {
      double v = number(x, i);
      if (v < *low) *low = v;
      if (v > *high) *high = v;
    }
  return isfinite(*low) && isfinite(*high);
}

/// One column of dots after the other; where there are more elements than columns, from the least to
/// the largest of those in it. Elements that are not finite leave a gap.
static void draw_line(Canvas *c, const RlxObject *x, const RlxReplFigures *f) {
  int columns = c->width * 2, last = -1;
  for (int k = 0; k < columns; k++) {
    double low, high;
    if (!range_in(x, f->count, k, columns, &low, &high)) {
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
static void draw_bars(Canvas *c, const RlxObject *x, const RlxReplFigures *f) {
  int columns = c->width * 2, each = columns / (int)f->count, gap = each > 2;
  int ground = height_of(c, f, f->min > 0 ? f->min : f->max < 0 ? f->max : 0);
  for (int64_t i = 0; i < f->count; i++) {
    double v = number(x, i);
    if (!isfinite(v)) continue;
    for (int k = 0; k < each - gap; k++) column(c, (int)i * each + k, ground, height_of(c, f, v));
  }
}

static void put_canvas(const Canvas *c, const RlxReplFigures *f, RlxBuf *out) {
  for (int r = 0; r < c->rows; r++) {
    int end = c->width;
    while (end && !c->cells[r * c->width + end - 1]) end--;
    if (r == 0 || r == c->rows - 1)
      rlx_buf_printf(out, "%*.4g ┤", LABEL - 2, r ? f->min : f->max);
    else
      rlx_buf_printf(out, "%*s│", LABEL - 1, "");
    for (int k = 0; k < end; k++) {
      enum { BRAILLE = 0x2800 }; // the first of Unicode's patterns of Braille, which has no dot
      rlx_utf8_put(out, (uint32_t)(BRAILLE + c->cells[r * c->width + k]));
    }
    rlx_buf_putc(out, '\n');
  }
  rlx_buf_printf(out, "%*s0 … %lld\n", LABEL, "", (long long)(f->count - 1));
}

// ---- the same as SVG

enum { SVG_WIDTH = 640, SVG_HEIGHT = 260, SVG_LEFT = 70, SVG_TOP = 10, SVG_BOTTOM = 230 };

static double svg_y(const RlxReplFigures *f, double v) {
  double span = f->max - f->min;
  return span > 0 ? (double)SVG_BOTTOM - (v - f->min) / span * (double)(SVG_BOTTOM - SVG_TOP)
                  : (SVG_TOP + SVG_BOTTOM) / 2.0;
}

/// A line through the elements; one that is not finite leaves a gap.
static void put_svg_line(const RlxObject *x, const RlxReplFigures *f, RlxBuf *out) {
  const int most = SVG_WIDTH - SVG_LEFT - 10;
  const int columns = f->count < most ? (int)f->count : most;
  const double step = columns > 1 ? (double)most / (columns - 1) : 0;
  bool is_open = false;
  rlx_buf_puts(out, "<path fill=\"none\" stroke=\"#1f77b4\" stroke-width=\"1.5\" d=\"");
  for (int k = 0; k < columns; k++) {
    double low, high;
    const bool is_there = range_in(x, f->count, k, columns, &low, &high);
    if (is_there)
      rlx_buf_printf(out, "%s%.1f %.1f", is_open ? "L" : "M", (double)SVG_LEFT + k * step,
                     svg_y(f, low));
    if (is_there && high > low)
      rlx_buf_printf(out, "L%.1f %.1f", (double)SVG_LEFT + k * step, svg_y(f, high));
    is_open = is_there;
  }
  rlx_buf_puts(out, "\"/>\n");
}

static void put_svg_bars(const RlxObject *x, const RlxReplFigures *f, RlxBuf *out) {
  const double each = (double)(SVG_WIDTH - SVG_LEFT - 10) / (double)f->count;
  const double ground = svg_y(f, f->min > 0 ? f->min : f->max < 0 ? f->max : 0);
  for (int64_t i = 0; i < f->count; i++) {
    const double v = number(x, i), y = svg_y(f, v);
    if (isfinite(v))
      rlx_buf_printf(
          out, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"#1f77b4\"/>\n",
          (double)SVG_LEFT + (double)i * each, y < ground ? y : ground, each * 0.85,
          fabs(y - ground));
  }
}

static void put_svg(const RlxObject *x, const RlxReplFigures *f, bool is_bars, RlxBuf *out) {
  rlx_buf_printf(out,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
                 "viewBox=\"0 0 %d %d\" font-family=\"monospace\" font-size=\"11\">\n",
                 SVG_WIDTH, SVG_HEIGHT, SVG_WIDTH, SVG_HEIGHT);
  rlx_buf_printf(out, "<path fill=\"none\" stroke=\"#888\" d=\"M%d %dV%dH%d\"/>\n", SVG_LEFT - 4,
                 SVG_TOP, SVG_BOTTOM + 4, SVG_WIDTH - 8);
  for (int k = 0; k < 2; k++)
    rlx_buf_printf(out, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#888\">%.4g</text>\n",
                   SVG_LEFT - 8, k ? SVG_BOTTOM : SVG_TOP + 8, k ? f->min : f->max);
  rlx_buf_printf(out,
                 "<text x=\"%d\" y=\"%d\" fill=\"#888\">0</text>\n"
                 "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"#888\">%lld</text>\n",
                 SVG_LEFT, SVG_BOTTOM + 18, SVG_WIDTH - 10, SVG_BOTTOM + 18,
                 (long long)(f->count - 1));
  if (is_bars)
    put_svg_bars(x, f, out);
  else
    put_svg_line(x, f, out);
  rlx_buf_puts(out, "</svg>\n");
}

/// Shows a picture: where the session takes pictures in place of its text.
static void show(RlxRepl *repl, const char *mime, const RlxBuf *picture, const RlxBuf *text) {
  if (picture->size)
    repl->on_picture(repl->value_data, mime, picture, rlx_buf_text(text));
  else
    fputs(rlx_buf_text(text), stdout);
}

static bool take_word(const char **text, const char *word) {
  size_t n = strlen(word);
  if (strncmp(*text, word, n) != 0 || (*text)[n] != ' ') return false;
  *text += n + strspn(*text + n, " ");
  return true;
}

bool rlx_repl_plot(RlxRepl *repl, const char *text) {
  bool bars = take_word(&text, "--bars"), line = !bars && take_word(&text, "--line");
  if (!*text) return printf("error: :plot takes EXPR\n"), false;
  RlxObject *x = rlx_repl_tensor(repl, text);
  RlxReplFigures f;
  if (!x) return false;
  if (!rlx_repl_figures(repl, x, &f)) return rlx_object_unref(x), false;
  int width = rlx_repl_width() - LABEL;
  Canvas c = {width, PLOT_ROWS, rlx_mem_zeroed((size_t)width * PLOT_ROWS, 1)};
  bool fits = f.count <= width;
  if (!f.finite)
    printf("error: no element is a finite number\n");
  else if (bars && !fits)
    rlx_text_say(stdout, "error: %lld bars do not fit into %d columns: :plot --line",
                 (long long)f.count, width);
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
    RlxBuf svg = {0};
    if (repl->on_picture) put_svg(x, &f, is_bars, &svg);
    show(repl, "image/svg+xml", &svg, &out);
    rlx_buf_free(&svg);
    rlx_buf_free(&out);
  }
  bool ok = f.finite && !(bars && !fits);
  free(c.cells);
  rlx_object_unref(x);
  return ok;
}

// ---- :image

static RlxPictureForm form_of(RlxRepl *repl) {
  const char *term = getenv("TERM");
  int chosen = repl->set[RLX_REPL_SET_IMAGE]; // auto, shades, blocks, kitty, sixel
  if (chosen) return (RlxPictureForm)(chosen - 1);
  if (!isatty(STDOUT_FILENO) || !term || !strcmp(term, "dumb")) return RLX_PICTURE_SHADES;
  // Inside of a multiplexer the variables of the terminal around it are still there; what it takes itself it says.
  const char *program = getenv("TERM_PROGRAM");
  const bool is_inner =
      getenv("TMUX") || getenv("STY") || strstr(term, "tmux") || strstr(term, "screen");
  if (!is_inner && (getenv("KITTY_WINDOW_ID") || strstr(term, "kitty") || strstr(term, "ghostty")))
    return RLX_PICTURE_KITTY;
  if (!is_inner && (strstr(term, "sixel") || strstr(term, "foot") || strstr(term, "mlterm") ||
                    (program && !strcmp(program, "WezTerm"))))
    return RLX_PICTURE_SIXEL;
  const RlxPictureForm said = repl->on_picture ? RLX_PICTURE_SHADES : rlx_repl_terminal_form(repl);
  if (said != RLX_PICTURE_SHADES) return said;
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

/// The tensor as `width` x `height` pixels of three bytes; its elements from `low` to `high` are from
/// black to white. The caller frees them.
static unsigned char *pixels_of(const RlxObject *x, const Layout *l, int64_t width, int64_t height,
                                double low, double high) {
  unsigned char *rgb = rlx_mem_zeroed((size_t)(width * height), 3);
  for (int64_t y = 0; y < height; y++)
    for (int64_t k = 0; k < width; k++)
      for (int c = 0; c < 3; c++) {
        int64_t at = y * l->height / height * l->row + k * l->width / width * l->column +
                     (l->channels > 1 ? c : 0) * l->channel;
        double v = number(x, at), part = high > low ? (v - low) / (high - low) : 0.5;
        rgb[(y * width + k) * 3 + c] = (unsigned char)(isnan(part) || part < 0 ? 0
                                                       : part > 1              ? 255
                                                                               : part * 255 + 0.5);
      }
  return rgb;
}

/// How large the picture is in that form: small ones are enlarged, large ones made to fit.
static void size_of(const Layout *l, RlxPictureForm form, int64_t *width, int64_t *height) {
  const bool is_cells = form == RLX_PICTURE_SHADES || form == RLX_PICTURE_BLOCKS;
  const int columns = form == RLX_PICTURE_PNG ? 0 : rlx_repl_pixel_width();
  const int64_t most = is_cells  ? rlx_repl_width()
                       : columns ? columns
                                 : FILE_PIXELS_MAX,
                longest = is_cells ? PIXELS_MAX : most;
  *width = l->width, *height = l->height;
  int64_t times = is_cells && *width < 20 ? 2 : 1; // tiny ones are hard to see
  while (!is_cells && *width * (times + 1) <= FILE_PIXELS_MIN &&
         *height * (times + 1) <= FILE_PIXELS_MIN)
    times++;
  *width *= times, *height *= times;
  if (*width > most) *height = *height * most / *width, *width = most;
  if (*height > longest) *width = *width * longest / *height, *height = longest;
  if (*width < 1) *width = 1;
  if (*height < 1) *height = 1;
}

static void put_picture(const RlxObject *x, const Layout *l, RlxPictureForm form, double low,
                        double high, RlxBuf *out) {
  int64_t width, height;
  size_of(l, form, &width, &height);
  unsigned char *rgb = pixels_of(x, l, width, height, low, high);
  rlx_picture_write(rgb, (int)width, (int)height, form, out);
  free(rgb);
}

bool rlx_repl_image(RlxRepl *repl, const char *text) {
  RlxObject *x = rlx_repl_tensor(repl, text);
  if (!x) return false;
  Layout l;
  RlxReplFigures f;
  const bool is_picture = layout_of(x, &l), ok = is_picture && rlx_repl_figures(repl, x, &f);
  if (ok) {
    bool is_bytes = x->dtype.code == RLX_DTYPE_UINT && x->dtype.bits == 8;
    double low = is_bytes ? 0 : f.finite ? f.min : 0, high = is_bytes ? 255 : f.finite ? f.max : 1;
    RlxBuf out = {0}, file = {0};
    put_picture(x, &l, form_of(repl), low, high, &out);
    rlx_buf_printf(&out, "# %lld x %lld, from %.4g to %.4g\n", (long long)l.height,
                   (long long)l.width, low, high);
    if (repl->on_picture) put_picture(x, &l, RLX_PICTURE_PNG, low, high, &file);
    show(repl, "image/png", &file, &out);
    rlx_buf_free(&file);
    rlx_buf_free(&out);
  } else if (!is_picture)
    printf("error: a picture is a tensor (H, W), (H, W, C) or (C, H, W) with 1, 3 or 4 channels\n");
  rlx_object_unref(x);
  return ok;
}
