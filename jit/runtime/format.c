/// Printing values. Source of the layout: numpy's arrayprint (precision 8, line width 75, three
/// edge items).
#include "jit/runtime/format.h"
#include "base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EDGE = 3, THRESHOLD = 1000, CELL = 64 };

static const RlxPrintStyle plain_style = {RLX_PRINT_PRECISION, RLX_PRINT_WIDTH};

/// How the floats of one array are written, so that they line up.
typedef struct Style {
  bool is_float, exponent;
  int left, right, width; // digits before and behind the point; of a whole cell
  int digits;             // of a fraction in exponent form
  int precision;          // digits behind the point at most
} Style;

typedef struct Printer {
  const RlxObject *x;
  RlxBuf *out;
  Style style;
  bool summary;
  size_t columns; // of a line
  size_t line;    // where the current line starts
} Printer;

/// The shortest digits that read back as the same value of its dtype.
static void shortest(double v, RlxDType t, char *out, size_t size) {
  int limit = t.code == RLX_DTYPE_FLOAT && t.bits == 64 ? 17 : t.bits == 32 || t.bits <= 8 ? 9 : 5;
  for (int p = 1; p <= limit; p++) {
    snprintf(out, size, "%.*e", p - 1, v);
    double back = strtod(out, NULL);
    bool same = limit == 17  ? back == v
                : limit == 9 ? (float)back == (float)v
                : t.code == RLX_DTYPE_BFLOAT
                    ? rlx_bf16_from_float((float)back) == rlx_bf16_from_float((float)v)
                    : rlx_f16_from_float((float)back) == rlx_f16_from_float((float)v);
    if (same) return;
  }
}

static int exponent_of(const char *e) { return atoi(strchr(e, 'e') + 1); }
static int digits_of(const char *e) { // behind the first
  const char *point = strchr(e, '.');
  if (!point) return 0;
  int n = (int)(strchr(e, 'e') - point) - 1;
  while (n > 0 && point[n] == '0') n--;
  return n;
}

/// Positional digits, at most `precision` behind the point, trailing zeros off ("1." for 1).
static void positional(double v, RlxDType t, int precision, char *out, size_t size) {
  char e[40];
  shortest(v, t, e, sizeof e);
  int behind = digits_of(e) - exponent_of(e);
  if (behind < 0) behind = 0;
  if (behind > precision) behind = precision;
  if (strtod(e, NULL) == v || t.bits == 64)
    snprintf(out, size, "%.*f", behind, v);
  else
    snprintf(out, size, "%.*f", behind,
             strtod(e, NULL)); // the shortest decimal, not the binary value
  if (!strchr(out, '.')) {
    size_t n = strlen(out);
    if (n + 1 < size) memcpy(out + n, ".", 2);
    return;
  }
  size_t n = strlen(out);
  while (n && out[n - 1] == '0') out[--n] = 0;
}

static void survey(Printer *p, int64_t offset, int dim, void (*visit)(Printer *, int64_t, void *),
                   void *data) {
  const RlxObject *x = p->x;
  if (dim == x->count) {
    visit(p, offset, data);
    return;
  }
  int64_t stride = 1, n = x->dims[dim];
  for (int d = dim + 1; d < x->count; d++) stride *= x->dims[d];
  for (int64_t i = 0; i < n; i++) {
    if (p->summary && n > 2 * EDGE && i == EDGE) i = n - EDGE;
    survey(p, offset + i * stride, dim + 1, visit, data);
  }
}

typedef struct Range {
  double least, most;
  bool any;
} Range;

static void range_visit(Printer *p, int64_t i, void *data) {
  Range *r = data;
  double v = fabs(rlx_element_number(p->x->data, p->x->dtype, i));
  if (!isfinite(v) || v == 0) return;
  if (!r->any || v < r->least) r->least = v;
  if (!r->any || v > r->most) r->most = v;
  r->any = true;
}

static void scientific(double v, RlxDType t, int digits, char *out, size_t size) {
  char e[40];
  shortest(v, t, e, sizeof e);
  double shown = t.bits == 64 ? v : strtod(e, NULL);
  snprintf(e, sizeof e, "%.*e", digits, shown);
  char *mark = strchr(e, 'e');
  snprintf(out, size, "%.*s%s%s", (int)(mark - e), e, digits ? "" : ".", mark);
}

static void integer_cell(const RlxObject *x, int64_t i, char *out, size_t size) {
  int64_t v = rlx_element_integer(x->data, x->dtype, i);
  if (x->dtype.code == RLX_DTYPE_BOOL)
    snprintf(out, size, "%s", v ? "True" : "False");
  else if (x->dtype.code == RLX_DTYPE_UINT)
    snprintf(out, size, "%llu", (unsigned long long)v);
  else
    snprintf(out, size, "%lld", (long long)v);
}

static void width_visit(Printer *p, int64_t i, void *data) {
  (void)data;
  Style *s = &p->style;
  char cell[400];
  if (!s->is_float) {
    integer_cell(p->x, i, cell, sizeof cell);
    if ((int)strlen(cell) > s->width) s->width = (int)strlen(cell);
    return;
  }
  double v = rlx_element_number(p->x->data, p->x->dtype, i);
  if (!isfinite(v)) {
    int n = v < 0 ? 4 : 3;
    if (n > s->width) s->width = n;
    return;
  }
  if (s->exponent) {
    shortest(v, p->x->dtype, cell, sizeof cell);
    int n = digits_of(cell);
    if (n > s->precision) n = s->precision;
    if (n > s->digits) s->digits = n;
    int left = signbit(v) ? 2 : 1;
    if (left > s->left) s->left = left;
    int tail = (int)strlen(strchr(cell, 'e'));
    if (tail > s->right) s->right = tail;
    return;
  }
  positional(v, p->x->dtype, s->precision, cell, sizeof cell);
  int left = (int)(strchr(cell, '.') - cell), right = (int)strlen(cell) - left - 1;
  if (left > s->left) s->left = left;
  if (right > s->right) s->right = right;
}

static void choose_style(Printer *p) {
  Style *s = &p->style;
  s->is_float = rlx_dtype_is_float(p->x->dtype);
  Range r = {0};
  if (s->is_float) {
    survey(p, 0, 0, range_visit, &r);
    s->exponent = r.any && (r.most >= 1e8 || r.least < 1e-4 || r.most / r.least > 1000.0);
  }
  survey(p, 0, 0, width_visit, NULL);
  const int width_of_false = 5; // numpy gives each of an array's booleans the room of "False"
  if (p->x->dtype.code == RLX_DTYPE_BOOL && p->x->count && s->width < width_of_false)
    s->width = width_of_false;
  if (!s->is_float) return;
  int width = s->exponent ? s->left + 1 + s->digits + s->right : s->left + 1 + s->right;
  if (width > s->width) s->width = width;
}

static void element(Printer *p, int64_t i, char *out, size_t size) {
  const Style *s = &p->style;
  char cell[400];
  int after = 0;
  if (!s->is_float) {
    integer_cell(p->x, i, cell, sizeof cell);
  } else {
    double v = rlx_element_number(p->x->data, p->x->dtype, i);
    if (isnan(v))
      snprintf(cell, sizeof cell, "nan");
    else if (isinf(v))
      snprintf(cell, sizeof cell, v < 0 ? "-inf" : "inf");
    else if (s->exponent)
      scientific(v, p->x->dtype, s->digits, cell, sizeof cell);
    else {
      positional(v, p->x->dtype, s->precision, cell, sizeof cell);
      after = s->right - ((int)strlen(strchr(cell, '.')) - 1);
      if (after < 0) after = 0;
    }
  }
  int before = s->width - (int)strlen(cell) - after;
  snprintf(out, size, "%*s%s%*s", before > 0 ? before : 0, "", cell, after, "");
}

static void print_dim(Printer *p, int64_t offset, int dim) {
  const RlxObject *x = p->x;
  char cell[440];
  if (dim == x->count) {
    element(p, offset, cell, sizeof cell);
    rlx_buf_puts(p->out, cell);
    return;
  }
  int64_t stride = 1, n = x->dims[dim];
  for (int d = dim + 1; d < x->count; d++) stride *= x->dims[d];
  rlx_buf_putc(p->out, '[');
  for (int64_t i = 0; i < n; i++) {
    bool gap = p->summary && n > 2 * EDGE && i == EDGE;
    if (gap) i = n - EDGE;
    if (dim + 1 < x->count) {
      for (int turn = 0; turn < (gap ? 2 : 1); turn++) {
        if (i || turn) {
          rlx_buf_repeat(p->out, '\n', (size_t)(x->count - dim - 1));
          p->line = p->out->size;
          rlx_buf_repeat(p->out, ' ', (size_t)dim + 1);
        }
        if (gap && !turn) rlx_buf_puts(p->out, "...");
      }
      print_dim(p, offset + i * stride, dim + 1);
      continue;
    }
    for (int turn = gap ? 0 : 1; turn < 2; turn++) {
      if (turn)
        element(p, offset + i * stride, cell, sizeof cell);
      else
        snprintf(cell, sizeof cell, "...");
      if (i && p->out->size - p->line + 1 + strlen(cell) + (i + 1 == n ? (size_t)(dim + 1) : 0) >
                   p->columns) {
        rlx_buf_putc(p->out, '\n');
        p->line = p->out->size;
        rlx_buf_repeat(p->out, ' ', (size_t)dim + 1);
      } else if (i)
        rlx_buf_putc(p->out, ' ');
      rlx_buf_puts(p->out, cell);
    }
  }
  rlx_buf_putc(p->out, ']');
}

static void print_list(const RlxObject *x, RlxBuf *out) {
  for (int i = 0; i < x->count; i++)
    rlx_buf_printf(out, "%s%lld", i ? ", " : "", (long long)x->dims[i]);
}

static void print_dims(const RlxObject *x, RlxBuf *out) {
  rlx_buf_putc(out, '(');
  print_list(x, out);
  rlx_buf_puts(out, x->count == 1 ? ",)" : ")");
}

/// A tensor without dimensions, as Python prints a float.
static void print_float(const RlxObject *x, int precision, RlxBuf *out) {
  double v = rlx_element_number(x->data, x->dtype, 0);
  char cell[400];
  double a = fabs(v);
  if (!isfinite(v))
    snprintf(cell, sizeof cell, isnan(v) ? "nan" : v < 0 ? "-inf" : "inf");
  else if (a != 0 && (a >= 1e16 || a < 1e-4))
    shortest(v, x->dtype, cell, sizeof cell);
  else {
    char e[40];
    shortest(v, x->dtype, e, sizeof e);
    int behind = digits_of(e) - exponent_of(e);
    if (precision < RLX_PRINT_PRECISION && behind > precision) behind = precision;
    snprintf(cell, sizeof cell, "%.*f", behind < 1 ? 1 : behind,
             x->dtype.bits == 64 ? v : strtod(e, NULL));
  }
  rlx_buf_puts(out, cell);
}

/// Whether the value is a few words: no string, no tensor with dimensions, and no tuple of many things.
static bool is_short(const RlxObject *x, int depth) {
  enum { FIELDS = 8, DEPTH = 2 };
  if (x->kind == RLX_OBJECT_TENSOR) return !x->count;
  if (x->kind != RLX_OBJECT_TUPLE) return x->kind != RLX_OBJECT_STRING;
  if (x->count > FIELDS || depth == DEPTH) return false;
  for (int i = 0; i < x->count; i++)
    if (!is_short(x->fields[i], depth + 1)) return false;
  return true;
}

static void print_tuple(const RlxObject *x, const RlxPrintStyle *style, RlxBuf *out) {
  const bool is_line = is_short(x, 0);
  rlx_buf_putc(out, '(');
  for (int i = 0; i < x->count; i++) { // a field's further lines stand one to the right
    if (i) rlx_buf_puts(out, is_line ? ", " : ",\n ");
    RlxBuf field = {0};
    rlx_object_print_styled(x->fields[i], style, &field);
    for (const char *p = rlx_buf_text(&field); *p; p++) {
      rlx_buf_putc(out, *p);
      if (*p == '\n' && p[1] != '\n') rlx_buf_putc(out, ' ');
    }
    rlx_buf_free(&field);
  }
  rlx_buf_puts(out, x->count == 1 ? ",)" : ")");
}

void rlx_object_print(const RlxObject *x, RlxBuf *out) {
  rlx_object_print_styled(x, &plain_style, out);
}

void rlx_object_print_styled(const RlxObject *x, const RlxPrintStyle *style, RlxBuf *out) {
  char dtype[RLX_DTYPE_TEXT_MAX];
  switch ((RlxObjectKind)x->kind) {
  case RLX_OBJECT_TENSOR: {
    Printer p = {.x = x, .out = out, .line = out->size, .columns = (size_t)style->width};
    p.style.precision = style->precision;
    int64_t count = rlx_tensor_count(x);
    if (!count) {
      rlx_buf_puts(out, "[]");
      return;
    }
    p.summary = count > THRESHOLD;
    if (x->count == 0 && rlx_dtype_is_float(x->dtype)) {
      print_float(x, style->precision, out);
      return;
    }
    choose_style(&p);
    print_dim(&p, 0, 0);
    return;
  }
  case RLX_OBJECT_SHAPE:
    rlx_buf_puts(out, "R.shape([");
    print_list(x, out);
    rlx_buf_puts(out, "])");
    return;
  case RLX_OBJECT_INT:
    if (x->dtype.code == RLX_DTYPE_BOOL)
      rlx_buf_puts(out, x->integer ? "True" : "False");
    else
      rlx_buf_printf(out, "%lld", (long long)x->integer);
    return;
  case RLX_OBJECT_FLOAT: rlx_buf_printf(out, "%.17g", x->number); return;
  case RLX_OBJECT_STRING: rlx_text_put_string(out, x->text, strlen(x->text)); return;
  case RLX_OBJECT_DTYPE:
    rlx_buf_printf(out, "R.dtype(\"%s\")", rlx_dtype_text(x->dtype, dtype));
    return;
  case RLX_OBJECT_TUPLE: print_tuple(x, style, out); return;
  case RLX_OBJECT_CLOSURE:
    if (x->count)
      rlx_buf_printf(out, "<function with %d captured value%s>", x->count,
                     x->count == 1 ? "" : "s");
    else
      rlx_buf_puts(out, "<function>");
    return;
  case RLX_OBJECT_NULL: rlx_buf_puts(out, "None"); return;
  case RLX_OBJECT_STORAGE: rlx_buf_puts(out, "<storage>"); return;
  }
}

void rlx_object_print_sinfo(const RlxObject *x, RlxBuf *out) {
  char dtype[RLX_DTYPE_TEXT_MAX];
  switch ((RlxObjectKind)x->kind) {
  case RLX_OBJECT_TENSOR:
    rlx_buf_puts(out, "R.Tensor(");
    print_dims(x, out);
    rlx_buf_printf(out, ", dtype=\"%s\")", rlx_dtype_text(x->dtype, dtype));
    return;
  case RLX_OBJECT_SHAPE:
    rlx_buf_puts(out, "R.Shape([");
    print_list(x, out);
    rlx_buf_puts(out, "])");
    return;
  case RLX_OBJECT_INT:
  case RLX_OBJECT_FLOAT:
    rlx_buf_printf(out, "R.Prim(\"%s\")", rlx_dtype_text(x->dtype, dtype));
    return;
  case RLX_OBJECT_TUPLE:
    rlx_buf_puts(out, x->count ? "R.Tuple(" : "R.Tuple");
    for (int i = 0; i < x->count; i++) {
      if (i) rlx_buf_puts(out, ", ");
      rlx_object_print_sinfo(x->fields[i], out);
    }
    if (x->count) rlx_buf_putc(out, ')');
    return;
  case RLX_OBJECT_CLOSURE: rlx_buf_puts(out, "R.Callable"); return;
  case RLX_OBJECT_STRING:
  case RLX_OBJECT_DTYPE:
  case RLX_OBJECT_NULL:
  case RLX_OBJECT_STORAGE: rlx_buf_puts(out, "R.Object"); return;
  }
}

void rlx_object_describe(const RlxObject *x, RlxBuf *out) {
  char dtype[RLX_DTYPE_TEXT_MAX];
  switch ((RlxObjectKind)x->kind) {
  case RLX_OBJECT_TENSOR:
    rlx_dtype_text(x->dtype, dtype);
    rlx_buf_printf(out, "%s %s tensor of shape ", *dtype == 'i' ? "an" : "a", dtype);
    print_dims(x, out);
    return;
  case RLX_OBJECT_SHAPE:
    rlx_buf_puts(out, "the shape ");
    print_dims(x, out);
    return;
  case RLX_OBJECT_INT:
  case RLX_OBJECT_FLOAT:
    rlx_buf_printf(out, "a number of dtype %s", rlx_dtype_text(x->dtype, dtype));
    return;
  case RLX_OBJECT_STRING: rlx_buf_puts(out, "a string"); return;
  case RLX_OBJECT_DTYPE: rlx_buf_puts(out, "a dtype"); return;
  case RLX_OBJECT_TUPLE: rlx_buf_printf(out, "a tuple of %d fields", x->count); return;
  case RLX_OBJECT_CLOSURE: rlx_buf_puts(out, "a function"); return;
  case RLX_OBJECT_NULL: rlx_buf_puts(out, "no value"); return;
  case RLX_OBJECT_STORAGE: rlx_buf_puts(out, "storage"); return;
  }
}

void rlx_tensor_json(const RlxObject *x, RlxJson *json) {
  rlx_json_begin(json, '[');
  int64_t count = rlx_tensor_count(x);
  for (int64_t i = 0; i < count; i++) {
    if (x->dtype.code == RLX_DTYPE_BOOL)
      rlx_json_bool(json, rlx_element_integer(x->data, x->dtype, i));
    else if (!rlx_dtype_is_float(x->dtype)) {
      int64_t v = rlx_element_integer(x->data, x->dtype, i);
      if (v < 0 && x->dtype.code == RLX_DTYPE_UINT) {
        char text[32];
        int n = snprintf(text, sizeof text, "%llu", (unsigned long long)v);
        rlx_json_raw(json, text, (size_t)n);
      } else
        rlx_json_int(json, v);
    } else if (x->dtype.bits != 64) {
      double v = rlx_element_number(x->data, x->dtype, i);
      char text[40];
      if (!isfinite(v))
        rlx_json_number(json, v);
      else {
        snprintf(text, sizeof text, "%.9g", v);
        rlx_json_raw(json, text, strlen(text));
      }
    } else
      rlx_json_number(json, rlx_element_number(x->data, x->dtype, i));
  }
  rlx_json_end(json, ']');
}
