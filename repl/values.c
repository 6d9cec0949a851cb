/// Looking at values: :stats, :compare, :who, and how what was entered is printed.
#include "repl/values.h"
#include "repl/commands.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/terminal.h"
#include "base/text.h"
#include "jit/runtime/format.h"
#include "repl/results.h"

enum { PLAIN_WIDTH = 75, BINS = 24, WIDEST = 400 };

int rlx_repl_width(void) {
  int rows, columns;
  if (!rlx_terminal_size(&rows, &columns)) return PLAIN_WIDTH;
  return columns < 20 ? 20 : columns > WIDEST ? WIDEST : columns;
}

int rlx_repl_line_width(void) {
  int rows, columns;
  return rlx_terminal_size(&rows, &columns) ? rlx_repl_width() : INT_MAX;
}

/// Bytes up to and with the next comma outside of brackets, or all of the line.
static size_t item_size(const char *text) {
  int depth = 0;
  size_t n = 0;
  for (; text[n] && text[n] != '\n'; n++) {
    depth += strchr("([", text[n]) ? 1 : strchr(")]", text[n]) ? -1 : 0;
    if (text[n] == ',' && !depth) return n + 1;
  }
  return n;
}

void rlx_repl_put_folded(const char *text, int indent, int width, RlxBuf *out) {
  int column = 0;
  while (*text) {
    const size_t n = item_size(text), blanks = strspn(text, " ");
    const int columns = (int)rlx_text_width(text, (uint32_t)n);
    if (column > indent && column + columns > width) {
      rlx_buf_printf(out, "\n%*s", indent, "");
      rlx_buf_putn(out, text + blanks, n - blanks);
      column = indent + columns - (int)blanks;
    } else {
      rlx_buf_putn(out, text, n);
      column += columns;
    }
    text += n;
    if (*text != '\n') continue;
    rlx_buf_putc(out, *text++);
    column = 0;
  }
}

void rlx_repl_put_item(const char *head, int column, const char *text, RlxBuf *out) {
  enum { ROOM = 30, BELOW = 6 };
  const int width = rlx_repl_line_width(), size = (int)rlx_text_width(head, strlen(head));
  const bool is_narrow = width - column < ROOM;
  const size_t indent = is_narrow ? BELOW : (size_t)column;
  RlxBuf lines = {0};
  rlx_buf_put_wrapped(&lines, text, indent, (size_t)width);
  rlx_buf_puts(out, head);
  if (is_narrow || size >= column) {
    rlx_buf_putc(out, '\n');
    rlx_buf_puts(out, rlx_buf_text(&lines));
  } else {
    rlx_buf_repeat(out, ' ', (size_t)(column - size));
    rlx_buf_puts(out, rlx_buf_text(&lines) + indent);
  }
  rlx_buf_free(&lines);
}

void rlx_repl_print_paged(const RlxRepl *repl, const char *text) {
  int rows, columns, lines = 0;
  for (const char *p = text; *p; p++) lines += *p == '\n';
  bool is_long = repl->set[RLX_REPL_SET_PAGER] && isatty(STDIN_FILENO) &&
                 rlx_terminal_size(&rows, &columns) && lines >= rows;
  const char *pager = getenv("PAGER");
  const bool is_plain =
      is_long && !getenv("LESS"); // as git: less shows colours then, whoever calls it
  fflush(stdout);
  if (is_plain) setenv("LESS", "FRX", 1);
  FILE *out = is_long ? popen(pager && *pager ? pager : "less -R", "w") : NULL;
  if (is_plain) unsetenv("LESS");
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

/// Bytes of what is in `x`; tensors in `seen` and those that come again count nothing.
static int64_t bytes_of(const RlxObject *x, RlxMap *seen) {
  int64_t all = 0;
  if (x->kind == RLX_OBJECT_TENSOR)
    return rlx_map_put_ptr(seen, x->data, x) ? rlx_tensor_bytes(x) : 0;
  if (x->kind == RLX_OBJECT_SHAPE) return (int64_t)sizeof(int64_t) * x->count;
  if (x->kind == RLX_OBJECT_TUPLE)
    for (int i = 0; i < x->count; i++) all += bytes_of(x->fields[i], seen);
  else if (x->kind == RLX_OBJECT_INT || x->kind == RLX_OBJECT_FLOAT)
    return rlx_dtype_bytes(x->dtype);
  return all;
}

void rlx_repl_put_value(const RlxRepl *repl, const RlxObject *value, RlxBuf *out) {
  RlxPrintStyle style = {repl->set[RLX_REPL_SET_PRECISION], rlx_repl_width()};
  rlx_object_print_styled(value, &style, out);
}

/// What a tuple by names holds: what load() gives are tensors, what random(f) gives is any value.
static const char *fields_word(const RlxObject *tuple) {
  bool are_tensors = true;
  for (int32_t i = 0; i < tuple->count; i++)
    are_tensors &= tuple->fields[i]->kind == RLX_OBJECT_TENSOR;
  return are_tensors ? "tensor" : "value";
}

/// Appends how many fields there are, and how one of them is asked for: of the variable that has them, else of the last
/// result.
static void put_fields_hint(const RlxRepl *repl, const RlxObject *value, char *const *names,
                            RlxBuf *out) {
  const char *owner = "_";
  uint32_t at = 0;
  for (const RlxReplVar *var; (var = rlx_repl_next_var(repl, &at));)
    if (var->value == value) owner = var->name;
  rlx_buf_printf(out, "# %d %s%s", value->count, fields_word(value), value->count == 1 ? "" : "s");
  if (value->count) {
    rlx_buf_printf(out, ": %s[\"", owner);
    rlx_text_put_shown(out, names[0], strlen(names[0]));
    rlx_buf_puts(out, "\"] is one");
  }
  rlx_buf_putc(out, '\n');
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
    rlx_repl_put_value(repl, value, &text);
    rlx_buf_putc(&text, '\n');
    if (repl->set[RLX_REPL_SET_SINFO]) {
      rlx_buf_puts(&text, "# ");
      rlx_object_print_sinfo(value, &text);
      rlx_buf_putc(&text, '\n');
    }
  } else
    put_fields_hint(repl, value, names, &text);
  if (repl->on_value) {
    rlx_buf_truncate(&text, text.size - 1); // without its line end
    repl->on_value(repl->value_data, value, rlx_buf_text(&text));
  } else
    rlx_repl_print_paged(repl, rlx_buf_text(&text));
  rlx_buf_free(&text);
  rlx_repl_keep_result(repl, value);
}

bool rlx_repl_show_value(RlxRepl *repl, const char *text) {
  RlxObject *value;
  const bool ok = rlx_repl_value(repl, text, &value);
  const bool is_empty = value && value->kind == RLX_OBJECT_TUPLE && !value->count;
  if (value && !is_empty && repl->is_hushed)
    rlx_repl_keep_result(repl, value);
  else if (value && !is_empty)
    rlx_repl_show(repl, value);
  rlx_object_unref(value);
  return ok;
}

/// The value of the expression; false after a message, as for a function, which has none.
static bool value_of(RlxRepl *repl, const char *text, RlxObject **out) {
  if (!rlx_repl_value(repl, text, out)) return false;
  if (!*out) printf("error: a tensor with elements is wanted, this is a function\n");
  return *out != NULL;
}

RlxObject *rlx_repl_tensor(RlxRepl *repl, const char *text) {
  RlxObject *x;
  if (!value_of(repl, text, &x)) return NULL;
  if (x->kind == RLX_OBJECT_TENSOR && rlx_tensor_count(x)) return x;
  RlxBuf what = {0};
  rlx_object_describe(x, &what);
  rlx_text_say(stdout, "error: a tensor with elements is wanted, this is %s", rlx_buf_text(&what));
  rlx_buf_free(&what);
  rlx_object_unref(x);
  return NULL;
}

// ---- :stats

static double number(const RlxObject *x, int64_t i) {
  return rlx_element_number(x->data, x->dtype, i);
}

bool rlx_repl_is_stopped(const RlxRepl *repl, int64_t i) {
  return !(i & 0xfffff) && repl->interrupted && *repl->interrupted;
}

bool rlx_repl_figures(RlxRepl *repl, const RlxObject *x, RlxReplFigures *out) {
  RlxReplFigures f = {
      .min = (double)INFINITY, .max = (double)-INFINITY, .count = rlx_tensor_count(x)};
  for (int64_t i = 0; i < f.count; i++) {
    if (rlx_repl_is_stopped(repl, i)) return rlx_repl_tell_interrupted(repl);
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
  *out = f;
  return true;
}

static void put_histogram(const RlxObject *x, const RlxReplFigures *f, RlxBuf *out) {
  static const char *const bars[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  char least[32], most[32];
  const int labels = snprintf(least, sizeof least, "%.6g ", f->min) +
                     snprintf(most, sizeof most, " %.6g\n", f->max) - 1,
            room = rlx_repl_line_width() - labels,
            bins = room >= BINS       ? BINS
                   : room >= BINS / 3 ? room
                                      : BINS / 3;
  int64_t counts[BINS] = {0}, highest = 0;
  double span = f->max - f->min;
  for (int64_t i = 0; i < f->count; i++) {
    double v = number(x, i);
    if (!isfinite(v)) continue;
    int bin = span > 0 && isfinite(span) ? (int)((v - f->min) / span * bins) : bins / 2;
    counts[bin < bins ? bin : bins - 1]++;
  }
  for (int i = 0; i < bins; i++)
    if (counts[i] > highest) highest = counts[i];
  rlx_buf_puts(out, least);
  for (int i = 0; i < bins; i++) // a bin with anything in it is seen
    rlx_buf_puts(out, bars[counts[i] ? 1 + (counts[i] * 8 - 1) / highest * 7 / 7 : 0]);
  rlx_buf_puts(out, most);
}

static bool put_stats(RlxRepl *repl, const RlxObject *x, RlxBuf *out) {
  if (x->kind == RLX_OBJECT_TUPLE) {
    for (int i = 0; i < x->count; i++) {
      rlx_buf_printf(out, "[%d] ", i);
      if (!put_stats(repl, x->fields[i], out)) return false;
    }
    return true;
  }
  rlx_object_print_sinfo(x, out);
  if (x->kind != RLX_OBJECT_TENSOR) {
    rlx_buf_puts(out, ": no tensor\n");
    return true;
  }
  RlxReplFigures f;
  if (!rlx_repl_figures(repl, x, &f)) return false;
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
  return true;
}

bool rlx_repl_stats(RlxRepl *repl, const char *text) {
  RlxObject *x;
  if (!value_of(repl, text, &x)) return false;
  RlxBuf lines = {0}, out = {0};
  const bool ok = put_stats(repl, x, &lines);
  rlx_repl_put_folded(rlx_buf_text(&lines), 0, rlx_repl_line_width(), &out);
  if (ok) rlx_repl_print_paged(repl, rlx_buf_text(&out));
  rlx_buf_free(&lines);
  rlx_buf_free(&out);
  rlx_object_unref(x);
  return ok;
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

/// Whether both tensors have integers of one dtype, which are compared as such.
static bool are_integers(const RlxObject *x, const RlxObject *y) {
  return rlx_dtype_is_int(x->dtype) && rlx_dtype_equal(x->dtype, y->dtype);
}

bool rlx_repl_same_element(const RlxObject *x, const RlxObject *y, int64_t i) {
  if (are_integers(x, y))
    return rlx_element_integer(x->data, x->dtype, i) == rlx_element_integer(y->data, y->dtype, i);
  const double a = number(x, i), b = number(y, i);
  return a == b || (isnan(a) && isnan(b));
}

double rlx_repl_distance(const RlxObject *x, const RlxObject *y, int64_t i) {
  if (!are_integers(x, y)) return fabs(number(x, i) - number(y, i));
  const int64_t a = rlx_element_integer(x->data, x->dtype, i),
                b = rlx_element_integer(y->data, y->dtype, i);
  const bool is_less = x->dtype.code == RLX_DTYPE_UINT ? (uint64_t)a < (uint64_t)b : a < b;
  return (double)(is_less ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b);
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

/// An integer with all its digits.
static void put_element(const RlxObject *x, int64_t i, RlxBuf *out) {
  const int64_t integer =
      rlx_dtype_is_int(x->dtype) ? rlx_element_integer(x->data, x->dtype, i) : 0;
  if (x->dtype.code == RLX_DTYPE_UINT)
    rlx_buf_printf(out, "%llu", (unsigned long long)integer);
  else if (rlx_dtype_is_int(x->dtype))
    rlx_buf_printf(out, "%lld", (long long)integer);
  else
    rlx_buf_printf(out, "%.9g", number(x, i));
}

static void put_largest(const char *what, double error, int64_t at, const RlxObject *x,
                        const RlxObject *y, RlxBuf *out) {
  rlx_buf_printf(out, "%s %.6g", what, error);
  if (x->count) rlx_buf_puts(out, " at ");
  if (x->count) put_place(x, at, out);
  rlx_buf_puts(out, ": ");
  put_element(x, at, out);
  rlx_buf_puts(out, ", ");
  put_element(y, at, out);
  rlx_buf_putc(out, '\n');
}

static bool put_comparison(RlxRepl *repl, const RlxObject *x, const RlxObject *y, RlxBuf *out) {
  bool same = x->kind == y->kind && x->count == y->count;
  if (same && x->kind == RLX_OBJECT_TUPLE) {
    for (int i = 0; i < x->count && same; i++) {
      rlx_buf_printf(out, "[%d] ", i);
      same = put_comparison(repl, x->fields[i], y->fields[i], out);
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
    if (rlx_repl_is_stopped(repl, i)) return rlx_repl_tell_interrupted(repl);
    if (rlx_repl_same_element(x, y, i)) continue;
    const double a = number(x, i), b = number(y, i), error = rlx_repl_distance(x, y, i);
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
  if (count == 1)
    rlx_buf_puts(out, "they differ\n");
  else
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
  if (ok) ok = put_comparison(repl, x, y, &out);
  fputs(rlx_buf_text(&out), stdout);
  rlx_buf_free(&out);
  rlx_object_unref(x);
  rlx_object_unref(y);
  free(first);
  return ok;
}

// ---- :who

/// Appends a line of the definitions, by name.
static void put_definition_names(const RlxRepl *repl, RlxBuf *out) {
  RlxBuf line = {0};
  uint32_t count = 0;
  uint32_t i = 0;
  for (const RlxReplDef *def; (def = rlx_repl_next_def(repl, &i));)
    if (!def->is_unnamed)
      rlx_buf_printf(&line, "%s%s%s", count++ ? ", " : " ", def->name,
                     def->is_broken ? " (stale)" : "");
  if (count) {
    RlxBuf whole = {0};
    rlx_buf_printf(&whole, "# %u definition%s:%s\n", count, count == 1 ? "" : "s",
                   rlx_buf_text(&line));
    rlx_repl_put_folded(rlx_buf_text(&whole), 2, rlx_repl_line_width(), out);
    rlx_buf_free(&whole);
  }
  rlx_buf_free(&line);
}

bool rlx_repl_who(RlxRepl *repl, const char *text) {
  (void)text;
  RlxBuf out = {0};
  RlxMap seen = {0}; // by all variables
  int64_t all = 0;
  uint32_t widest = 0, at = 0;
  for (const RlxReplVar *var; (var = rlx_repl_next_var(repl, &at));)
    if (rlx_text_width(var->name, strlen(var->name)) > widest)
      widest = rlx_text_width(var->name, strlen(var->name));
  if (widest > 24) widest = 24;
  at = 0;
  for (const RlxReplVar *var; (var = rlx_repl_next_var(repl, &at));) {
    RlxMap own = {0};
    RlxBuf size = {0};
    put_bytes(bytes_of(var->value, &own), &size);
    rlx_map_free(&own);
    const uint32_t width = rlx_text_width(var->name, strlen(var->name));
    rlx_buf_printf(&out, "%s%*s  %9s  ", var->name, width < widest ? (int)(widest - width) : 0, "",
                   rlx_buf_text(&size));
    if (rlx_repl_field_names(repl, var->value))
      rlx_buf_printf(&out, "%d %s%s by name", var->value->count, fields_word(var->value),
                     var->value->count == 1 ? "" : "s");
    else
      rlx_object_print_sinfo(var->value, &out);
    rlx_buf_putc(&out, '\n');
    rlx_buf_free(&size);
    all += bytes_of(var->value, &seen);
  }
  put_definition_names(repl, &out);
  const uint32_t count = rlx_repl_var_count(repl);
  rlx_buf_printf(&out, "# %u variable%s, ", count, count == 1 ? "" : "s");
  put_bytes(all, &out);
  rlx_map_free(&seen);
  rlx_buf_puts(&out, "; for :undo ");
  put_bytes(rlx_repl_undo_bytes(repl), &out);
  rlx_buf_printf(&out, " of at most %d MB\n", repl->set[RLX_REPL_SET_UNDO_MB]);
  rlx_repl_print_paged(repl, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return true;
}
