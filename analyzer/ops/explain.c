/// Pages about operators and diagnostics.
///
/// Always true: everything said comes from the rows; nothing is written down here twice.
#include "analyzer/ops/explain.h"

#include <ctype.h>
#include <string.h>

#include "analyzer/ops/describe.h"

enum { WIDTH = 100 }; ///< columns of a text page

const char *rlx_severity_text(RlxSeverity severity) {
  switch (severity) {
  case RLX_ERROR: return "error";
  case RLX_WARNING: return "warning";
  case RLX_INFORMATION: return "information";
  case RLX_HINT: return "hint";
  }
  return "error";
}

const char *rlx_param_kind_text(RlxParamKind kind) {
  switch (kind) {
  case RLX_PARAM_TENSOR: return "tensor";
  case RLX_PARAM_EXPR: return "expression";
  case RLX_PARAM_SHAPE: return "shape";
  case RLX_PARAM_TUPLE: return "tuple";
  case RLX_PARAM_CALLEE: return "function";
  case RLX_PARAM_SINFO: return "StructInfo";
  case RLX_PARAM_PRIM: return "number, may be symbolic";
  case RLX_PARAM_INT: return "int";
  case RLX_PARAM_FLOAT: return "number";
  case RLX_PARAM_BOOL: return "bool";
  case RLX_PARAM_STR: return "string";
  case RLX_PARAM_DTYPE: return "dtype";
  case RLX_PARAM_INTS: return "int or list of ints";
  case RLX_PARAM_ANY: return "value";
  }
  return "value";
}

/// "A|B" as `"A"`, `"B"`.
static void put_allowed(RlxBuf *out, const char *allowed, const char *quote) {
  for (const char *p = allowed;;) {
    size_t size = strcspn(p, "|");
    rlx_buf_printf(out, "%s\"%.*s\"%s", quote, (int)size, p, quote);
    p += size;
    if (!*p++) return;
    rlx_buf_puts(out, ", ");
  }
}

static const char *tuple_form_text(RlxTupleForm form) {
  switch (form) {
  case RLX_TUPLE_ANY: break;
  case RLX_TUPLE_INLINE: return "; written as a tuple in the call";
  case RLX_TUPLE_EXPANDED: return "; normal form writes the fields of a tuple variable";
  }
  return "";
}

static const char *purity_text(RlxOpPurity purity) {
  switch (purity) {
  case RLX_OP_PURE: return "pure";
  case RLX_OP_IMPURE: return "impure: not in dataflow blocks and pure functions";
  case RLX_OP_BY_ARGUMENT: return "impure unless the callee is known to be pure";
  }
  return "pure";
}

static void op_text(const RlxOpRow *row, RlxBuf *out) {
  RlxBuf signature = {0};
  rlx_describe_signature(row, &signature);
  rlx_buf_put_wrapped(out, rlx_buf_text(&signature), 0, WIDTH);
  rlx_buf_free(&signature);
  rlx_buf_putc(out, '\n');
  rlx_buf_put_wrapped(out, row->doc, 2, WIDTH);
  size_t width = 0;
  for (int i = 0; i < row->param_count; i++) {
    size_t size = strlen(row->params[i].name);
    if (size > width) width = size;
  }
  if (row->param_count) rlx_buf_puts(out, "\nparameters\n");
  for (int i = 0; i < row->param_count; i++) {
    const RlxOpParam *p = &row->params[i];
    rlx_buf_printf(out, "  %-*s  %s: %s", (int)width, p->name, rlx_param_kind_text(p->kind),
                   p->meaning);
    if (p->allowed) {
      rlx_buf_puts(out, "; one of ");
      put_allowed(out, p->allowed, "");
    }
    rlx_buf_puts(out, tuple_form_text(p->tuple_form));
    rlx_buf_putc(out, '\n');
  }
  rlx_buf_printf(out, "\n%s; TVM: %s\n", purity_text(row->purity), row->registry);
  const char *more = strchr(row->script, ' ');
  if (more) rlx_buf_printf(out, "also spelled:%s\n", more);
}

static void op_markdown(const RlxOpRow *row, RlxBuf *out) {
  rlx_buf_puts(out, "## ");
  rlx_describe_spelling(row, out);
  rlx_buf_puts(out, "\n\n```python\n");
  rlx_describe_signature(row, out);
  rlx_buf_printf(out, "\n```\n\n%s\n\n", row->doc);
  if (row->param_count)
    rlx_buf_puts(out, "| parameter | kind | default | meaning |\n|---|---|---|---|\n");
  for (int i = 0; i < row->param_count; i++) {
    const RlxOpParam *p = &row->params[i];
    rlx_buf_printf(out, "| `%s` | %s | ", p->name, rlx_param_kind_text(p->kind));
    if (p->default_text) rlx_buf_printf(out, "`%s`", p->default_text);
    rlx_buf_printf(out, " | %s", p->meaning);
    if (p->allowed) {
      rlx_buf_puts(out, "; one of ");
      put_allowed(out, p->allowed, "`");
    }
    rlx_buf_puts(out, tuple_form_text(p->tuple_form));
    rlx_buf_puts(out, " |\n");
  }
  rlx_buf_printf(out, "\n%s; TVM: `%s`\n\n", purity_text(row->purity), row->registry);
}

void rlx_explain_op(const RlxOpRow *row, RlxPage page, RlxBuf *out) {
  if (page == RLX_PAGE_TEXT) {
    op_text(row, out);
  } else {
    op_markdown(row, out);
  }
}

void rlx_explain_message(const RlxDiagRow *row, RlxBuf *out) {
  for (const char *p = row->message; *p; p++) {
    if (p[0] == '{' && p[1] >= '0' && p[1] <= '9' && p[2] == '}') {
      rlx_buf_puts(out, "…");
      p += 2;
    } else {
      rlx_buf_putc(out, *p);
    }
  }
}

/// An example: a right-hand side becomes a binding; each line behind `indent` blanks.
static void put_example(RlxBuf *out, const char *example, size_t indent) {
  if (!strchr(example, '\n')) {
    rlx_buf_repeat(out, ' ', indent);
    rlx_buf_printf(out, "gv = %s\n", example);
    return;
  }
  for (const char *line = example; *line;) {
    size_t size = strcspn(line, "\n");
    if (size) rlx_buf_repeat(out, ' ', indent);
    rlx_buf_putn(out, line, size);
    rlx_buf_putc(out, '\n');
    line += size + (line[size] == '\n');
  }
}

/// Whether an example is an rlx.toml, not a script.
static bool is_settings(const char *example) {
  return strncmp(example, "# rlx.toml\n", strlen("# rlx.toml\n")) == 0;
}

/// Whether only evaluation reports it: nothing in the script silences it.
static bool is_of_run_time(const RlxDiagRow *row) { return strncmp(row->code, "RLX08", 5) == 0; }

/// The fixes that `row` offers, each with what it may be trusted with.
static void put_fixes(const RlxDiagRow *row, bool is_text, RlxBuf *out) {
  int count = 0;
  bool any = false;
  const RlxFixRow *rows = rlx_fix_rows(&count);
  for (int i = 0; i < count; i++) {
    if (rlx_diag_row(rows[i].diag) != row) continue;
    if (is_text)
      rlx_buf_printf(out, "%s  %s (%s)\n", any ? "" : "\nfixes\n", rows[i].title,
                     rows[i].is_safe ? "safe" : "unsafe");
    else
      rlx_buf_printf(out, "%s%s (%s)", any ? "; " : "Fixes: ", rows[i].title,
                     rows[i].is_safe ? "safe" : "unsafe");
    any = true;
  }
  if (any && !is_text) rlx_buf_puts(out, ".\n\n");
}

void rlx_explain_diag(const RlxDiagRow *row, RlxPage page, RlxBuf *out) {
  if (page == RLX_PAGE_TEXT) {
    rlx_buf_printf(out, "%s %s (%s)\n\n  ", row->code, row->name, rlx_severity_text(row->severity));
    rlx_explain_message(row, out);
    rlx_buf_puts(out, "\n\n");
    rlx_buf_put_wrapped(out, row->explanation, 2, WIDTH);
    rlx_buf_puts(out, "\nwrong\n");
    put_example(out, row->wrong, 4);
    rlx_buf_puts(out, "\nright\n");
    put_example(out, row->right, 4);
    put_fixes(row, true, out);
    if (!is_settings(row->wrong) && !is_of_run_time(row))
      rlx_buf_printf(out, "\n`# rlx: ignore[%s]` at the end of a line keeps it quiet there.\n",
                     row->code);
    return;
  }
  rlx_buf_printf(out, "## %s %s\n\n*%s*: ", row->code, row->name, rlx_severity_text(row->severity));
  rlx_explain_message(row, out);
  const char *language = is_settings(row->wrong) ? "toml" : "python";
  rlx_buf_printf(out, "\n\n%s\n\nWrong:\n\n```%s\n", row->explanation, language);
  put_example(out, row->wrong, 0);
  rlx_buf_printf(out, "```\n\nRight:\n\n```%s\n", language);
  put_example(out, row->right, 0);
  rlx_buf_puts(out, "```\n\n");
  put_fixes(row, false, out);
}

void rlx_explain_all_diags(RlxBuf *out) {
  rlx_buf_puts(out, "<!-- Generated by `rlx explain --all-markdown diagnostics > "
                    "docs/diagnostics.md`; do not edit. -->\n\n# Diagnostics\n\n"
                    "The first two digits of a code are its area: 01 syntax, 02 names and scope, "
                    "03 StructInfo, 04 calls, purity, control flow, "
                    "structure, 05 normal form, 06 TensorIR, 07 schedules, 08 run time, 09 "
                    "dialect, configuration, suppression.\n\n"
                    "`rlx check --fix` applies the safe fixes of what it shows; `--unsafe-fixes` "
                    "the others, too: those that may not be what was meant.\n\n");
  for (int i = 0; i < rlx_diag_count(); i++)
    rlx_explain_diag(rlx_diag_row((RlxDiagId)i), RLX_PAGE_MARKDOWN, out);
  rlx_buf_truncate(out, out->size - 1);
}

void rlx_explain_all_ops(RlxBuf *out, void (*more)(const RlxOpRow *row, RlxBuf *out)) {
  int count;
  const RlxOpRow *rows = rlx_op_rows(&count);
  rlx_buf_printf(out,
                 "<!-- Generated by `rlx explain --all-markdown operators > docs/operators.md`; do "
                 "not edit. -->\n\n# Operators\n\n"
                 "The %d operators of the table, family by family.\n\n"
                 "A call is evaluated for the StructInfo that is known before; what is not known "
                 "is compared when it runs (RLX0801).\nNo kernel touches anything but its "
                 "operands: each access is proved to stay inside, or its index is compared with "
                 "the\nextent first, and what fails names operator, argument, index and extent "
                 "(RLX0805).\n\n",
                 count);
  for (int i = 0; i < count; i++) {
    rlx_explain_op(&rows[i], RLX_PAGE_MARKDOWN, out);
    if (more) {
      more(&rows[i], out);
      rlx_buf_puts(out, "\n\n");
    }
  }
  rlx_buf_truncate(out, out->size - 1);
}

// ---- by word

/// The diagnostic that `word` names: "RLX0304", "rlx0304", "axis-repeated"; NULL when there is
/// none.
static const RlxDiagRow *find_diag(const char *word) {
  char upper[16];
  const RlxDiagRow *row = rlx_diag_find(word);
  size_t size = strlen(word);
  if (row || size >= sizeof upper) return row;
  for (size_t i = 0; i <= size; i++) upper[i] = (char)toupper((unsigned char)word[i]);
  return rlx_diag_find(upper);
}

const RlxOpRow *rlx_explain_find_op(const char *word) {
  int count;
  const RlxOpRow *rows = rlx_op_rows(&count);
  if (strncmp(word, "R.", 2) == 0) return rlx_op_find(word + 2, strlen(word + 2));
  for (int i = 0; i < count; i++) {
    if (strcmp(rows[i].registry, word) == 0) return &rows[i];
  }
  return rlx_op_find(word, strlen(word));
}

bool rlx_explain_word(const char *word, RlxPage page, RlxBuf *out) {
  const RlxDiagRow *diag = find_diag(word);
  const RlxOpRow *op = diag ? NULL : rlx_explain_find_op(word);
  if (diag)
    rlx_explain_diag(diag, page, out);
  else if (op)
    rlx_explain_op(op, page, out);
  return diag || op;
}
