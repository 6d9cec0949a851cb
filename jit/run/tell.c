/// What a program says of its values: printed texts, and assertions that fail. Operators and the packed functions that
/// they become are the same here.
#include "jit/run/run.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/diag/diag.h"
#include "jit/runtime/format.h"

void rlx_format_values(const char *format, RlxObject *const *values, int count, RlxBuf *out) {
  int next = 0;
  for (; !*format && next < count; next++) {
    if (next) rlx_buf_putc(out, ' ');
    rlx_object_print(values[next], out);
  }
  for (const char *p = format; *p; p++) {
    const char *end = *p == '{' ? strchr(p, '}') : NULL;
    if (!end) {
      rlx_buf_putc(out, *p);
      continue;
    }
    const int which = end == p + 1 ? next++ : atoi(p + 1);
    if (which >= 0 && which < count) rlx_object_print(values[which], out);
    p = end;
  }
}

bool rlx_assertion_holds(const RlxObject *x) {
  if (x->kind == RLX_OBJECT_INT) return x->integer != 0;
  return x->kind == RLX_OBJECT_TENSOR && rlx_tensor_count(x) == 1 &&
         rlx_element_integer(x->data, x->dtype, 0);
}

void rlx_assertion_fail(const char *text, RlxError *err) {
  rlx_error_code(err, rlx_diag_row(RLX_DIAG_ID(ASSERTION_FAILED))->code);
  rlx_error_set(err, "the assertion does not hold%s%s", *text ? ": " : "", text);
}
