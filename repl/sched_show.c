/// What the files of an open schedule print and measure in one way: the loop tree, the PrimFunc as it
/// is now.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "repl/look.h"
#include "repl/sched_impl.h"

/// Does `text` have this line?
static bool has_line(const RlxBuf *text, const char *line, size_t size) {
  for (const char *p = rlx_buf_text(text); *p;) {
    size_t n = strcspn(p, "\n");
    if (n == size && memcmp(p, line, n) == 0) return true;
    p += n + (p[n] == '\n');
  }
  return false;
}

void rlx_sched_draw(struct RlxReplSched *s) {
  RlxBuf now = {0};
  bool color = rlx_repl_is_colored();
  rlx_schedule_tree(s->schedule, 0, &now);
  for (const char *p = rlx_buf_text(&now); *p;) {
    size_t n = strcspn(p, "\n");
    bool is_new = s->tree.size && !has_line(&s->tree, p, n);
    printf("%s%s %.*s%s\n", color && is_new ? "\033[32m" : "", is_new ? "●" : " ", (int)n, p,
           color && is_new ? "\033[0m" : "");
    p += n + (p[n] == '\n');
  }
  rlx_buf_free(&s->tree);
  s->tree = now;
}

void rlx_sched_print(const RlxRepl *repl, RlxBuf *out) {
  const struct RlxReplSched *s = repl->sched;
  rlx_primfunc_print(repl->store, rlx_schedule_function(s->schedule, 0), s->dialect, 0, out);
}

void rlx_sched_script(const RlxRepl *repl, const RlxBuf *function, RlxBuf *out) {
  rlx_buf_printf(out, "from tvm.script import %s as T\n\n\n%s",
                 repl->sched->dialect == RLX_DIALECT_CLASSIC ? "tir" : "tirx",
                 rlx_buf_text(function));
}

RlxMeasureOptions rlx_sched_measure_options(const RlxRepl *repl) {
  return (RlxMeasureOptions){.threads = repl->options->threads,
                             .limit_seconds = repl->options->limit_seconds,
                             .confinement = &repl->options->confinement,
                             .externs = repl->options->externs,
                             .extern_count = repl->options->extern_count,
                             .with = repl->options->with,
                             .with_count = repl->options->with_count,
                             .cancel = repl->interrupted};
}
