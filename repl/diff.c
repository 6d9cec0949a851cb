/// :diff: what the last definition of a function changed: its text, its StructInfo, and its values
/// on the same input.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diff.h"
#include "base/mem.h"
#include "base/text.h"
#include "jit/runtime/format.h"
#include "repl/commands.h"
#include "repl/look.h"
#include "repl/values.h"

/// The text that the definition had before its last change; NULL: it has not changed.
static const char *old_text(const RlxRepl *repl, const char *name) {
  for (uint32_t i = repl->changes.count; i > 0; i--) {
    const RlxReplChange *c = &repl->changes.at[i - 1];
    if (c->is_def && !strcmp(c->name, name)) return c->old_text;
  }
  return NULL;
}

/// Gives the definition another text for a while; the one that it had.
static char *put_text(RlxRepl *repl, RlxReplDef *def, char *text) {
  char *kept = def->text;
  def->text = text;
  rlx_repl_reread(repl, def);
  return kept;
}

/// Does this with the definition's text put in its place, for as long as it takes.
static void sinfo_with(RlxRepl *repl, RlxReplDef *def, char *text, RlxBuf *out) {
  char *kept = put_text(repl, def, text);
  rlx_repl_analyze(repl);
  RlxFunctionViews views = {0};
  rlx_file_functions(repl->file, &views);
  for (uint32_t i = 0; i < views.count; i++) {
    const RlxFunctionView *v = &views.at[i];
    const char *name = rlx_store_text(repl->store, v->name);
    bool is_in = v->module && !strcmp(rlx_store_text(repl->store, v->module), def->name);
    if (!v->function || (!is_in && (v->module || strcmp(name, def->name) != 0))) continue;
    rlx_buf_printf(out, "%s(", name);
    for (uint32_t k = 0; k < v->function->param_count; k++) {
      rlx_buf_printf(out, "%s%s: ", k ? ", " : "",
                     rlx_store_text(repl->store, v->function->params[k]->name));
      rlx_sinfo_print(repl->store, v->function->params[k]->sinfo, out);
    }
    rlx_buf_puts(out, ") -> ");
    if (v->function->ret) rlx_sinfo_print(repl->store, v->function->ret, out);
    rlx_buf_putc(out, '\n');
  }
  rlx_vec_free(&views);
  put_text(repl, def, kept);
}

/// The value of `call` with the definition's text put in its place; NULL after a message.
static RlxObject *value_with(RlxRepl *repl, RlxReplDef *def, char *text, const char *call,
                             const char *which) {
  char *kept = put_text(repl, def, text);
  Vec(bool) broken = {0}; // what others have against this text counts only where they are called
  for (uint32_t i = 0; i < repl->defs.count; i++) {
    rlx_vec_push(&broken, repl->defs.at[i].is_broken);
    if (&repl->defs.at[i] != def && repl->defs.at[i].name) repl->defs.at[i].is_broken = true;
  }
  RlxReplArgs args = {0};
  RlxName name;
  RlxRunError err = {0};
  RlxWorkerResult result = {0};
  RlxProgram *program = rlx_repl_program(repl, call, &name, &args);
  bool ok = program && rlx_program_prepare(program, name, &err);
  if (ok) {
    RlxWorkerOptions options = rlx_repl_worker_options(repl, 1);
    rlx_worker_call(repl->jit, program, name, args.at, (int)args.count, &options, &result);
    rlx_repl_take_outcome(repl, result.outcome);
    if (result.outcome != RLX_OUTCOME_DONE) err = result.error;
  }
  if (*err.error.text) rlx_text_say(stdout, "error: the %s definition: %s", which, err.error.text);
  rlx_program_free(program);
  rlx_vec_free(&args);
  for (uint32_t i = 0; i < repl->defs.count; i++) repl->defs.at[i].is_broken = broken.at[i];
  rlx_vec_free(&broken);
  put_text(repl, def, kept);
  return result.value;
}

typedef struct Line { ///< of the comparison
  char name[64];      ///< "values[3]"
  char *said;
  const RlxObject *was, *is; ///< tensors
} Line;

typedef struct Comparison {
  RlxRepl *repl;
  Vec(Line) lines;
  RlxMap compared; ///< by what a pair of tensors hashes to: the number of its line
} Comparison;

static void say(Comparison *c, const char *name, const RlxObject *was, const RlxObject *is,
                RlxBuf *said) {
  Line line = {.said = rlx_buf_steal(said), .was = was, .is = is};
  snprintf(line.name, sizeof line.name, "%s", name);
  rlx_vec_push(&c->lines, line);
}

/// Where and by how much two tensors of one StructInfo differ. False after a Ctrl-C, which was told.
static bool compare_elements(RlxRepl *repl, const RlxObject *a, const RlxObject *b, RlxBuf *said) {
  const int64_t count = rlx_tensor_count(a);
  int64_t differ = 0, where = 0;
  double largest = 0, relative = 0;
  for (int64_t i = 0; i < count; i++) {
    if (rlx_repl_is_stopped(repl, i)) return rlx_repl_tell_interrupted(repl);
    if (rlx_repl_same_element(a, b, i)) continue;
    differ++;
    const double p = rlx_element_number(a->data, a->dtype, i),
                 q = rlx_element_number(b->data, b->dtype, i);
    const double d = rlx_repl_distance(a, b, i), r = d / fmax(fabs(p), fabs(q));
    const bool is_larger = isnan(d) ? !isnan(largest) : d > largest;
    if (is_larger) largest = d, where = i;
    relative = r > relative ? r : relative;
  }
  if (!differ) return rlx_buf_puts(said, "equal"), true;
  rlx_buf_printf(said, "%lld of %lld elements differ, by %.4g at most (relative %.4g), at [",
                 (long long)differ, (long long)count, largest, relative);
  int64_t rest = count;
  for (int32_t k = 0; k < a->count; k++) {
    rest /= a->dims[k];
    rlx_buf_printf(said, "%s%lld", k ? ", " : "", (long long)(where / rest));
    where %= rest;
  }
  rlx_buf_putc(said, ']');
  return true;
}

/// The same for tensors that a tuple may have at several places: those are looked at once.
static bool compare_tensors(Comparison *c, const RlxObject *a, const RlxObject *b,
                            const char *name) {
  const uint64_t pair = (uintptr_t)a * 31 + (uintptr_t)b;
  uint64_t before;
  RlxBuf said = {0};
  bool ok = true;
  const Line *line = rlx_map_get(&c->compared, pair, &before) ? &c->lines.at[before] : NULL;
  if (line && line->was == a && line->is == b) {
    const bool is_short = !strcmp(line->said, "equal");
    rlx_buf_printf(&said, "%s%s", is_short ? "" : "as ", is_short ? line->said : line->name);
  } else {
    ok = compare_elements(c->repl, a, b, &said);
    rlx_map_put(&c->compared, pair, c->lines.count);
  }
  say(c, name, a, b, &said);
  return ok;
}

/// Appends the lines of two values; `name` is theirs. False after a Ctrl-C, which was told.
static bool compare(Comparison *c, const RlxObject *a, const RlxObject *b, const char *name) {
  bool ok = true;
  RlxBuf x = {0}, y = {0}, said = {0};
  rlx_object_print_sinfo(a, &x);
  rlx_object_print_sinfo(b, &y);
  bool is_said = strcmp(rlx_buf_text(&x), rlx_buf_text(&y)) != 0;
  if (!is_said && a->kind == RLX_OBJECT_TUPLE)
    for (int32_t i = 0; ok && i < a->count; i++) {
      char field[64];
      snprintf(field, sizeof field, "%.40s[%d]", name, i);
      ok = compare(c, a->fields[i], b->fields[i], field);
    }
  else if (!is_said && a->kind == RLX_OBJECT_TENSOR)
    ok = compare_tensors(c, a, b, name);
  else if (!is_said) {
    rlx_buf_clear(&x);
    rlx_buf_clear(&y);
    rlx_object_print(a, &x);
    rlx_object_print(b, &y);
    is_said = strcmp(rlx_buf_text(&x), rlx_buf_text(&y)) != 0;
    rlx_buf_puts(&said, is_said ? "" : "equal");
    if (!is_said) say(c, name, a, b, &said);
  }
  if (is_said) {
    rlx_buf_printf(&said, "was %s, is %s", rlx_buf_text(&x), rlx_buf_text(&y));
    say(c, name, a, b, &said);
  }
  rlx_buf_free(&x);
  rlx_buf_free(&y);
  rlx_buf_free(&said);
  return ok;
}

/// Prints where and by how much the values differ; neighbours of which the same is said share a line.
/// False after a Ctrl-C, which was told.
static bool print_comparison(RlxRepl *repl, const RlxObject *a, const RlxObject *b,
                             const char *name) {
  Comparison c = {.repl = repl};
  const bool ok = compare(&c, a, b, name);
  for (uint32_t i = 0; ok && i < c.lines.count;) {
    const Line *first = &c.lines.at[i];
    uint32_t end = i + 1;
    while (end < c.lines.count && !strcmp(c.lines.at[end].said, first->said)) end++;
    if (end - i > 2)
      printf("%s … %s: %s\n", first->name, c.lines.at[end - 1].name, first->said);
    else
      for (uint32_t k = i; k < end; k++) printf("%s: %s\n", c.lines.at[k].name, first->said);
    i = end;
  }
  for (uint32_t i = 0; i < c.lines.count; i++) free(c.lines.at[i].said);
  rlx_vec_free(&c.lines);
  rlx_map_free(&c.compared);
  return ok;
}

/// Whether the value has a NaN.
static bool has_nan(const RlxObject *x) {
  if (x->kind == RLX_OBJECT_TENSOR && rlx_dtype_is_float(x->dtype)) {
    const int64_t count = rlx_tensor_count(x);
    for (int64_t i = 0; i < count; i++)
      if (isnan(rlx_element_number(x->data, x->dtype, i))) return true;
  }
  for (int i = 0; x->kind == RLX_OBJECT_TUPLE && i < x->count; i++)
    if (has_nan(x->fields[i])) return true;
  return false;
}

/// Arguments that fit a function, by its StructInfo: tensors of numbers that follow from a seed,
/// symbolic dimensions 5. False: a parameter is no tensor of numbers, or its shape is not known.
static bool sample_call(RlxRepl *repl, const char *name, RlxBuf *out) {
  RlxFunctionViews views = {0};
  rlx_repl_analyze(repl);
  rlx_file_functions(repl->file, &views);
  const RlxFunction *fn = NULL;
  const RlxFunctionView *view = rlx_function_view(repl->store, &views, name);
  if (view) fn = view->function;
  bool ok = fn != NULL;
  rlx_buf_printf(out, "%s(", name);
  for (uint32_t i = 0; ok && i < fn->param_count; i++) {
    const RlxSInfo *s = fn->params[i]->sinfo;
    char dtype[RLX_DTYPE_TEXT_MAX];
    ok = s->kind == RLX_SINFO_TENSOR && s->dims && s->dtype.bits >= 8;
    if (!ok) break;
    int64_t total = 1;
    RlxBuf shape = {0};
    for (int k = 0; ok && k < s->ndim; k++) {
      int64_t n;
      if (!rlx_prim_is_const(s->dims[k], &n)) n = 5;
      ok = rlx_prim_is_const(s->dims[k], &n) || rlx_prim_as_var(s->dims[k]);
      total *= n;
      rlx_buf_printf(&shape, "%lld, ", (long long)n);
    }
    ok = ok && total > 0 && total < 1 << 24;
    rlx_dtype_text(s->dtype, dtype);
    // numbers from -1 to 1 without a simple pattern, each parameter its own; of neighbours, some are negative
    const int first = 1 + 7 * (int)(i % 1000);
    rlx_buf_printf(out,
                   "%sR.astype(R.reshape(R.sin(R.multiply(R.arange(%d, %lld, 1, \"float32\"), "
                   "R.const(2.4, \"float32\"))), (%s)), \"%s\")",
                   i ? ", " : "", first, (long long)total + first, rlx_buf_text(&shape), dtype);
    rlx_buf_free(&shape);
  }
  rlx_buf_putc(out, ')');
  rlx_vec_free(&views);
  return ok;
}

bool rlx_repl_diff(RlxRepl *repl, const char *text) {
  const size_t size = strcspn(text, " \t(");
  RlxReplDef *def = rlx_repl_def_with(repl, text, size);
  char *function = rlx_mem_strndup(text, size), *name = rlx_mem_strdup(def ? def->name : function);
  const char *before = def ? old_text(repl, name) : NULL;
  bool ok = before != NULL;
  if (!def)
    rlx_text_say(stdout, "error: there is no definition %s", name);
  else if (!ok)
    rlx_text_say(stdout, "error: %s has one definition only; define it again, then compare", name);
  else {
    char *old = rlx_mem_strdup(before);
    RlxBuf a = {0}, b = {0}, out = {0}, call = {0};
    rlx_buf_printf(&a, "%s\n", old);
    rlx_buf_printf(&b, "%s\n", def->text);
    rlx_diff(name, &a, &b, &out);
    rlx_repl_print_painted(repl, out.size ? rlx_buf_text(&out) : "the text is the same\n",
                           RLX_PAINT_DIFF);
    rlx_buf_clear(&a);
    rlx_buf_clear(&b);
    sinfo_with(repl, def, old, &a);
    sinfo_with(repl, def, def->text, &b);
    bool is_same = !strcmp(rlx_buf_text(&a), rlx_buf_text(&b));
    if (is_same)
      printf("StructInfo: unchanged\n");
    else
      printf("StructInfo: was %sStructInfo: is  %s", rlx_buf_text(&a), rlx_buf_text(&b));
    const char *old_params = rlx_buf_text(&a), *arrow = strstr(old_params, ") -> ");
    const bool fits_both = // up to the bracket, behind which no parameter comes
        arrow && !strncmp(old_params, rlx_buf_text(&b), (size_t)(arrow - old_params) + 1);
    bool is_given = text[size] == '(', has_call = is_given || sample_call(repl, function, &call);
    if (is_given) rlx_buf_puts(&call, text);
    if (!is_given && !fits_both)
      printf("values: the parameters are others, so they are not compared\n");
    else if (!has_call)
      printf("values: give arguments to compare them, :diff %s%s(…)\n", function,
             rlx_repl_is_module(repl, function) ? ".FUNCTION" : "");
    else {
      RlxObject *x = value_with(repl, def, old, rlx_buf_text(&call), "old");
      RlxObject *y = x ? value_with(repl, def, def->text, rlx_buf_text(&call), "new") : NULL;
      if (x && y) ok = print_comparison(repl, x, y, is_given ? "values" : "values on sample input");
      if (x && y && ok && !is_given && has_nan(y))
        printf("# NaN hides what differs: with arguments, :diff %s(…), other values are compared\n",
               function);
      rlx_object_unref(x);
      rlx_object_unref(y);
    }
    rlx_repl_analyze(repl);
    free(old);
    rlx_buf_free(&a);
    rlx_buf_free(&b);
    rlx_buf_free(&out);
    rlx_buf_free(&call);
  }
  free(function);
  free(name);
  return ok;
}
