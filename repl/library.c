/// Names of numpy and PyTorch that a session computes, as Tab and `?` show them: they come from the tables by which they are computed.
#include "repl/library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/ops/explain.h"
#include "analyzer/words/numpy_names.h"
#include "base/mem.h"
#include "base/text.h"
#include "repl/repl.h"
#include "repl/sugar_impl.h"
#include "repl/tables.h"

/// Names that no table has: of arrays that are constants, of numbers, and of the session's random numbers.
#define MADE      "array asarray linspace concatenate full_like tri"
#define CONSTANTS "pi e inf nan newaxis"
#define OF_RANDOM "rand randn default_rng seed"

/// What the formulas' names begin with behind this dotted name: "" for `np`, "random." for `np.random` and `rng`; NULL: it is
/// no library.
static char *prefix_of(RlxRepl *repl, const char *base, size_t size) {
  const RlxSugarWriter w = {.repl = repl, .sugar = rlx_repl_sugar(repl)};
  const char *dot = memchr(base, '.', size);
  const size_t root_size = dot ? (size_t)(dot - base) : size;
  char *root = rlx_mem_strndup(base, root_size);
  const bool is_source = !dot && rlx_sugar_is_source(&w, root),
             is_library = rlx_sugar_is_library(&w, root);
  RlxBuf out = {0};
  free(root);
  if (is_source)
    rlx_buf_puts(&out, "random.");
  else if (is_library && dot)
    rlx_buf_printf(&out, "%.*s.", (int)(size - root_size - 1), dot + 1);
  else if (!is_library)
    return NULL;
  return out.size ? rlx_buf_steal(&out) : rlx_mem_strdup("");
}

/// The operator of Relax that a function of numpy's of this name is; NULL: none is, or numpy has no such function.
static const RlxOpRow *operator_of(const char *name) {
  const char *ours = rlx_repl_library_named(name);
  const RlxReplMethodRow *method = rlx_repl_method_named(ours);
  const RlxOpRow *row = method && *method->op ? rlx_op_find(method->op, strlen(method->op))
                                              : rlx_op_find(ours, strlen(ours));
  const bool takes_tensors =
      row && row->param_count &&
      (row->params[0].kind == RLX_PARAM_TENSOR || row->params[0].kind == RLX_PARAM_TUPLE);
  return takes_tensors && rlx_numpy_has(RLX_NUMPY_MODULE, name) ? row : NULL;
}

static void offer(RlxLineOffers *out, const char *name, size_t size, const char *detail,
                  const char *word, size_t word_size) {
  if (size < word_size || strncmp(name, word, word_size) != 0) return;
  for (uint32_t i = 0; i < out->items.count; i++)
    if (strlen(out->items.at[i].text) == size && !strncmp(out->items.at[i].text, name, size))
      return;
  const RlxLineOffer one = {"functions of numpy", rlx_mem_strndup(name, size),
                            detail ? rlx_mem_strdup(detail) : NULL};
  rlx_vec_push(&out->items, one);
}

/// Each word of a list.
static void offer_words(RlxLineOffers *out, const char *words, const char *detail, const char *word,
                        size_t word_size) {
  for (const char *p = words; *p; p += strspn(p, " ")) {
    const size_t size = strcspn(p, " ");
    offer(out, p, size, detail, word, word_size);
    p += size;
  }
}

/// Formulas whose names begin with `prefix`, up to the next dot: behind `np.` stands `linalg` for "linalg.norm".
static void offer_formulas(RlxLineOffers *out, const char *prefix, const char *word, size_t size) {
  const size_t skip = strlen(prefix);
  for (size_t i = 0; i < rlx_repl_formula_count; i++) {
    const RlxReplFormulaRow *row = &rlx_repl_formulas[i];
    if (strncmp(row->name, prefix, skip) != 0 || *row->name == '_') continue;
    const char *rest = row->name + skip;
    const size_t own = strcspn(rest, ".");
    char *name = rlx_mem_strndup(rest, own);
    RlxBuf signature = {0};
    rlx_sugar_formula_signature(row, name, &signature);
    if (skip || rlx_numpy_has(RLX_NUMPY_MODULE, name)) // PyTorch's alone are not offered
      offer(out, name, own, rest[own] ? NULL : rlx_buf_text(&signature), word, size);
    rlx_buf_free(&signature);
    free(name);
  }
}

/// Functions of numpy that are operators or methods of tensors here.
static void offer_operators(RlxLineOffers *out, const char *word, size_t size) {
  int count = 0;
  const RlxOpRow *rows = rlx_op_rows(&count);
  for (int i = 0; i < count; i++) {
    const size_t own = strcspn(rows[i].script, " ");
    char *name = rlx_mem_strndup(rows[i].script, own);
    if (!strchr(name, '.') && operator_of(name)) offer(out, name, own, NULL, word, size);
    free(name);
  }
  for (size_t i = 0; i < rlx_repl_method_count; i++) {
    const RlxReplMethodRow *row = &rlx_repl_methods[i];
    if (operator_of(row->name)) offer(out, row->name, strlen(row->name), row->help, word, size);
  }
}

void rlx_library_offer(RlxRepl *repl, const char *entry, size_t start, size_t size,
                       RlxLineOffers *out) {
  size_t base = start ? start - 1 : 0;
  if (!start || entry[base] != '.') return;
  while (base && (rlx_text_in_name(entry[base - 1]) || entry[base - 1] == '.')) base--;
  char *prefix = prefix_of(repl, entry + base, start - 1 - base);
  if (!prefix) return;
  const char *word = entry + start;
  offer_formulas(out, prefix, word, size);
  if (!*prefix) {
    offer_operators(out, word, size);
    offer_words(out, RLX_SUGAR_MAKERS " " MADE " " CONSTANTS " random", "", word, size);
  }
  if (!strcmp(prefix, "random.")) offer_words(out, OF_RANDOM, NULL, word, size);
  free(prefix);
}

bool rlx_library_about(RlxRepl *repl, const char *name, RlxBuf *out) {
  const char *dot = strrchr(name, '.');
  char *prefix = dot ? prefix_of(repl, name, (size_t)(dot - name)) : NULL;
  RlxBuf own = {0};
  if (!prefix) return false;
  const size_t before = out->size;
  rlx_buf_printf(&own, "%s%s", prefix, dot + 1);
  for (size_t i = 0; i < rlx_repl_formula_count; i++)
    if (!strcmp(rlx_repl_formulas[i].name, rlx_buf_text(&own))) {
      rlx_sugar_formula_signature(&rlx_repl_formulas[i], name, out);
      rlx_buf_printf(out, "\n  %s\n", rlx_repl_formulas[i].formula);
    }
  const RlxOpRow *row = out->size == before && !*prefix ? operator_of(dot + 1) : NULL;
  if (row) rlx_explain_op(row, RLX_PAGE_TEXT, out);
  rlx_buf_free(&own);
  free(prefix);
  return out->size > before;
}

// ---- the page of all

/// Appends a cell of a table as code.
static void put_code(RlxBuf *out, const char *text) {
  rlx_buf_putc(out, '`');
  for (const char *p = text; *p; p++) rlx_buf_printf(out, *p == '|' ? "\\|" : "%c", *p);
  rlx_buf_putc(out, '`');
}

static void put_formula_rows(RlxBuf *out, bool are_helpers) {
  rlx_buf_puts(out, "| call | where | what it stands for |\n|---|---|---|\n");
  for (size_t i = 0; i < rlx_repl_formula_count; i++) {
    const RlxReplFormulaRow *row = &rlx_repl_formulas[i];
    if ((*row->name == '_') != are_helpers) continue;
    RlxBuf full = {0}, signature = {0};
    rlx_buf_printf(&full, "%s.%s",
                   strchr(row->name, '.') || are_helpers ||
                           rlx_numpy_has(RLX_NUMPY_MODULE, row->name)
                       ? "np"
                       : "torch",
                   row->name);
    rlx_sugar_formula_signature(row, rlx_buf_text(&full), &signature);
    rlx_buf_puts(out, "| ");
    put_code(out, rlx_buf_text(&signature));
    rlx_buf_puts(out, " | ");
    rlx_sugar_formula_kinds(row, out);
    rlx_buf_puts(out, " | ");
    put_code(out, row->formula);
    rlx_buf_puts(out, " |\n");
    rlx_buf_free(&full);
    rlx_buf_free(&signature);
  }
}

static void put_operator(const char *name, RlxBuf *out) {
  const RlxOpRow *row = operator_of(name);
  if (!row || rlx_repl_method_named(name)) return;
  char script[64];
  snprintf(script, sizeof script, "%.*s", (int)strcspn(row->script, " "), row->script);
  rlx_buf_printf(out, strcmp(script, name) != 0 ? "`np.%s` (`R.%s`), " : "`np.%s`, ", name, script);
}

/// The functions that are one operator, in the order of the operators.
static void put_operators(RlxBuf *out) {
  int count = 0;
  const RlxOpRow *rows = rlx_op_rows(&count);
  for (int i = 0; i < count; i++) {
    char *name = rlx_mem_strndup(rows[i].script, strcspn(rows[i].script, " "));
    if (!strchr(name, '.')) put_operator(name, out);
    free(name);
  }
  for (size_t i = 0; i < rlx_repl_library_count; i++) put_operator(rlx_repl_library[i].name, out);
  rlx_buf_truncate(out, out->size - 2);
  rlx_buf_puts(out, ".\n");
}

static void put_words(const char *words, const char *before, RlxBuf *out) {
  for (const char *p = words; *p; p += strspn(p, " ")) {
    const size_t size = strcspn(p, " ");
    rlx_buf_printf(out, "`%s%.*s`, ", before, (int)size, p);
    p += size;
  }
  rlx_buf_truncate(out, out->size - 2);
  rlx_buf_puts(out, ".\n");
}

static void put_instead(const RlxReplInstead *rows, size_t count, const char *before, RlxBuf *out) {
  rlx_buf_puts(out, "| not here | what to type |\n|---|---|\n");
  for (size_t i = 0; i < count; i++) {
    RlxBuf escaped = {0};
    for (const char *p = rows[i].instead; *p; p++)
      rlx_buf_printf(&escaped, *p == '|' ? "\\|" : "%c", *p);
    rlx_buf_printf(out, "| `%s%s` | %s |\n", before, rows[i].name, rlx_buf_text(&escaped));
    rlx_buf_free(&escaped);
  }
}

void rlx_repl_numpy_document(RlxBuf *out) {
  rlx_buf_puts(
      out,
      "<!-- Generated by `rlx explain --all-markdown numpy > docs/numpy.md`; do not edit. -->\n\n"
      "# numpy at the prompt\n\n"
      "`rlx repl` and its notebooks evaluate Relax; files keep TVM's rules. At the prompt alone, "
      "names of numpy (and of PyTorch, "
      "where they are the same) stand for what Relax computes: `:ir np.median(x)` shows it, "
      "`np.median?` the formula. numpy needs no import "
      "there. A tensor is indexed as numpy has it (`x[1:, None]`, `x[x > 0]`, `x[0] = 5`).\n\n"
      "What differs: numbers and lists of floats are float32, and what numpy computes in float64 "
      "of integers is float32, too; values are never "
      "changed in place (`x[0] = 5` gives x a new value); random numbers are those of the session, "
      "not numpy's. "
      "`tests/values/test_repl_methods.py` compares with numpy.\n\n"
      "## Functions that are several operators\n\n"
      "Each row is the formula as one would type it, over its parameters; of several rows the "
      "first that takes the call counts. Arguments "
      "that are not in a row are refused, with the row; `np._refuse` is what a row refuses itself, "
      "and says why.\n\n");
  put_formula_rows(out, false);
  rlx_buf_puts(out, "\nParts of the formulas above:\n\n");
  put_formula_rows(out, true);
  rlx_buf_puts(out, "\n## Functions that are one operator\n\nWith the operator's own parameters "
                    "([operators.md](operators.md)) and numpy's words for axes: ");
  put_operators(out);
  rlx_buf_puts(out, "\n## Arrays, numbers, random numbers\n\nArrays: ");
  put_words(RLX_SUGAR_MAKERS " " MADE, "np.", out);
  rlx_buf_puts(out, "Numbers: ");
  put_words(CONSTANTS, "np.", out);
  rlx_buf_puts(out, "Random numbers, of the session's own source, beside those above: ");
  put_words(OF_RANDOM, "np.random.", out);
  rlx_buf_puts(out, "\n## Methods and attributes of tensors\n\nFunctions of numpy, too: `np.sum(x, "
                    "axis=0)`. Every "
                    "operator whose first operand is a tensor is a method: `x.exp()`.\n\n"
                    "| method | what it gives |\n|---|---|\n");
  for (size_t i = 0; i < rlx_repl_method_count; i++)
    rlx_buf_printf(out, "| `%s` | %s |\n", rlx_repl_methods[i].signature, rlx_repl_methods[i].help);
  for (size_t i = 0; i < rlx_repl_attribute_count; i++)
    rlx_buf_printf(out, "| `x.%s` | %s |\n", rlx_repl_attributes[i].name,
                   rlx_repl_attributes[i].help);
  rlx_buf_puts(out, "\n## Functions of the prompt\n\n| call | what it gives |\n|---|---|\n");
  for (size_t i = 0; i < rlx_repl_data_count; i++)
    rlx_buf_printf(out, "| `%s` | %s |\n", rlx_repl_data[i].signature, rlx_repl_data[i].help);
  rlx_buf_puts(out, "\n## What is not there\n\n");
  put_instead(rlx_repl_no_functions, rlx_repl_no_function_count, "np.", out);
  rlx_buf_putc(out, '\n');
  put_instead(rlx_repl_no_methods, rlx_repl_no_method_count, "x.", out);
}
