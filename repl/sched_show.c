/// What the files of an open schedule print and measure in one way: the loop tree, the PrimFunc as it
/// is now.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analyzer/words/script_module.h"
#include "repl/look.h"
#include "repl/sched_impl.h"
#include "repl/values.h"

/// Does `text` have this line?
static bool has_line(const RlxBuf *text, const char *line, size_t size) {
  for (const char *p = rlx_buf_text(text); *p;) {
    size_t n = strcspn(p, "\n");
    if (n == size && memcmp(p, line, n) == 0) return true;
    p += n + (p[n] == '\n');
  }
  return false;
}

/// A line of the tree, which goes on below itself where the terminal is too narrow for it: behind a comma, the branches
/// that go on drawn once more.
static void put_branch(const char *line, size_t size, RlxBuf *out) {
  enum { MARK = 2, ROOM = 12 };
  static const char *const bars[] = {" ", "│", "├", "└", "─"}, *const below[] = {" ", "│", "│", " ",
                                                                                 " "};
  RlxBuf rest = {0}, text = {0}, lead = {0};
  size_t at = 0;
  for (bool is_bar = true; is_bar && at < size;) {
    is_bar = false;
    for (size_t i = 0; i < sizeof bars / sizeof *bars && !is_bar; i++)
      if (!strncmp(line + at, bars[i], strlen(bars[i]))) {
        is_bar = true;
        at += strlen(bars[i]);
        rlx_buf_puts(&lead, below[i]);
      }
  }
  const int width = rlx_repl_line_width(),
            room = width - MARK - (int)rlx_text_width(line, (uint32_t)at);
  rlx_buf_putn(&text, line + at, size - at);
  rlx_repl_put_folded(rlx_buf_text(&text), 2, room < ROOM ? width : room, &rest);
  rlx_buf_putn(out, line, at);
  for (const char *p = rlx_buf_text(&rest); *p; p++) {
    rlx_buf_putc(out, *p);
    if (*p == '\n') rlx_buf_printf(out, "%*s%s", MARK, "", rlx_buf_text(&lead));
  }
  rlx_buf_free(&lead);
  rlx_buf_free(&text);
  rlx_buf_free(&rest);
}

void rlx_sched_draw(struct RlxReplSched *s) {
  RlxBuf now = {0};
  bool color = rlx_repl_is_colored();
  rlx_schedule_tree(s->schedule, 0, &now);
  for (const char *p = rlx_buf_text(&now); *p;) {
    size_t n = strcspn(p, "\n");
    bool is_new = s->tree.size && !has_line(&s->tree, p, n);
    RlxBuf line = {0};
    put_branch(p, n, &line);
    printf("%s%s %s%s\n", color && is_new ? "\033[32m" : "", is_new ? "●" : " ",
           rlx_buf_text(&line), color && is_new ? "\033[0m" : "");
    rlx_buf_free(&line);
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
                 rlx_script_module('T', repl->sched->dialect), rlx_buf_text(function));
}

const char *rlx_sched_own_name(const RlxRepl *repl) {
  return rlx_store_text(repl->store, repl->sched->original->name);
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
