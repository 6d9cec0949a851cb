/// The text about an operator that hover, completion and signature help share.
#include "analyzer/ops/describe.h"

#include <string.h>

void rlx_describe_spelling(const RlxOpRow *row, RlxBuf *out) {
  size_t size = strcspn(row->script, " ");
  if (size == 0) {
    rlx_buf_puts(out, row->registry);
  } else {
    rlx_buf_puts(out, "R.");
    rlx_buf_putn(out, row->script, size);
  }
}

void rlx_describe_signature(const RlxOpRow *row, RlxBuf *out) {
  rlx_describe_spelling(row, out);
  rlx_buf_putc(out, '(');
  bool starred = false;
  for (int i = 0; i < row->param_count; i++) {
    const RlxOpParam *p = &row->params[i];
    if (i) rlx_buf_puts(out, ", ");
    if (p->is_keyword_only && !starred) rlx_buf_puts(out, "*, ");
    if (p->is_variadic) rlx_buf_putc(out, '*');
    starred |= p->is_keyword_only || p->is_variadic;
    rlx_buf_puts(out, p->name);
    if (p->default_text) rlx_buf_printf(out, "=%s", p->default_text);
  }
  rlx_buf_putc(out, ')');
}

void rlx_describe_op(const RlxOpRow *row, RlxBuf *out) {
  rlx_buf_puts(out, "```python\n");
  rlx_describe_signature(row, out);
  rlx_buf_puts(out, "\n```\n");
  rlx_buf_puts(out, row->doc);
  rlx_buf_putc(out, '\n');
  for (int i = 0; i < row->param_count; i++) {
    const RlxOpParam *p = &row->params[i];
    if (!p->meaning || !*p->meaning) continue;
    rlx_buf_printf(out, "\n- `%s`: %s", p->name, p->meaning);
    if (p->allowed) rlx_buf_printf(out, " (one of `%s`)", p->allowed);
  }
  if (row->purity == RLX_OP_IMPURE)
    rlx_buf_puts(out,
                 "\n\nImpure: only in functions with `pure=False`, never in a dataflow block.");
}
