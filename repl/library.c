/// Names of numpy and PyTorch that a session computes, as Tab and `?` show them: they come from the tables by which they are computed.
#include "repl/library.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/ops/explain.h"
#include "analyzer/words/numpy_names.h"
#include "base/mem.h"
#include "base/text.h"
#include "repl/sugar_impl.h"
#include "repl/tables.h"

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
    if (strncmp(row->name, prefix, skip) != 0) continue;
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
    offer_words(out,
                RLX_SUGAR_MAKERS
                " array asarray linspace concatenate full_like tri pi inf nan newaxis random",
                "", word, size);
  }
  if (!strcmp(prefix, "random.")) offer_words(out, "rand randn default_rng seed", NULL, word, size);
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
