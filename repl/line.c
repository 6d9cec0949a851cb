/// Reading lines. Source of the libedit rules: its manual, and what a terminal does with bracketed
/// paste.
#include "repl/line.h"

#include <histedit.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "repl/offers_print.h"

struct RlxLine {
  RlxCompleteFn *complete;
  void *user;
  volatile sig_atomic_t *interrupted;
  bool is_terminal, is_more, is_first;
  EditLine *edit;
  History *history;
  char *history_path;
  RlxBuf before; // the lines of the entry above this one
  char *plain;
  size_t plain_size;
  char prompt_first[128], prompt_more[32]; // libedit wants them writable
};

static char *prompt(EditLine *edit) {
  RlxLine *line = NULL;
  el_get(edit, EL_CLIENTDATA, &line);
  return line->is_more ? line->prompt_more : line->prompt_first;
}

static unsigned char do_complete(EditLine *edit, int c) {
  (void)c;
  RlxLine *line = NULL;
  el_get(edit, EL_CLIENTDATA, &line);
  const LineInfo *info = el_line(edit);
  size_t cursor = (size_t)(info->cursor - info->buffer);
  char *text = rlx_mem_strndup(info->buffer, (size_t)(info->lastchar - info->buffer));
  bool is_blank = strspn(text, " \t") >= cursor;
  unsigned char result = CC_REFRESH_BEEP;
  if (is_blank && info->cursor == info->lastchar) {
    result = el_insertstr(edit, "    ") ? CC_REFRESH_BEEP : CC_REFRESH;
  } else {
    RlxLineOffers offers = {0};
    line->complete(line->user, rlx_buf_text(&line->before), text, cursor, &offers);
    size_t common = rlx_offers_common(&offers);
    if (common > offers.word) {
      char *rest = rlx_mem_strndup(offers.items.at[0].text + offers.word, common - offers.word);
      if (!el_insertstr(edit, rest)) result = CC_REFRESH;
      free(rest);
    } else if (offers.items.count || offers.signature) {
      putchar('\n');
      rlx_offers_print(&offers, rlx_terminal_width());
      fflush(stdout);
      result = CC_REDISPLAY;
    }
    rlx_line_offers_free(&offers);
  }
  free(text);
  return result;
}

/// Bound to ESC[200~: everything up to ESC[201~ goes into the buffer as it is.
static unsigned char do_paste(EditLine *edit, int c) {
  (void)c;
  char text[1 << 16];
  size_t n = 0;
  char one;
  while (n < sizeof text - 1 && read(STDIN_FILENO, &one, 1) == 1) {
    text[n++] = one == '\r' ? '\n' : one;
    if (n >= 6 && !memcmp(text + n - 6, "\033[201~", 6)) {
      n -= 6;
      break;
    }
  }
  text[n] = 0;
  return el_insertstr(edit, text) ? CC_REFRESH_BEEP : CC_REFRESH;
}

static char *history_place(void) {
  const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
  RlxBuf path = {0};
  if (state && *state)
    rlx_buf_printf(&path, "%s", state);
  else if (home && *home)
    rlx_buf_printf(&path, "%s/.local/state", home);
  else
    return NULL;
  mkdir(rlx_buf_text(&path), 0700);
  rlx_buf_puts(&path, "/rlx-history");
  return rlx_buf_steal(&path);
}

void rlx_line_prompt(RlxLine *line, const char *prompt) {
  // "\1" marks what takes no column: colours.
  snprintf(line->prompt_first, sizeof line->prompt_first, "\1\033[1;32m\1%.80s\1\033[0m\1",
           prompt ? prompt : "rlx> ");
}

static void open_terminal(RlxLine *line) {
  setlocale(LC_ALL, "");
  if (MB_CUR_MAX == 1) setlocale(LC_CTYPE, "C.UTF-8");
  HistEvent event;
  line->history = history_init();
  history(line->history, &event, H_SETSIZE, 2000);
  history(line->history, &event, H_SETUNIQUE, 1);
  line->history_path = history_place();
  if (line->history_path) history(line->history, &event, H_LOAD, line->history_path);
  line->edit = el_init("rlx", stdin, stdout, stderr);
  el_set(line->edit, EL_CLIENTDATA, line);
  el_set(line->edit, EL_PROMPT_ESC, prompt, '\1');
  el_set(line->edit, EL_EDITOR, "emacs");
  el_set(line->edit, EL_HIST, history, line->history);
  el_set(line->edit, EL_SIGNAL, 1);
  el_set(line->edit, EL_ADDFN, "rlx-complete", "complete", do_complete);
  el_set(line->edit, EL_BIND, "^I", "rlx-complete", NULL);
  el_set(line->edit, EL_ADDFN, "rlx-paste", "bracketed paste", do_paste);
  el_set(line->edit, EL_BIND, "\033[200~", "rlx-paste", NULL);
  el_set(line->edit, EL_BIND, "^R", "em-inc-search-prev", NULL);
  el_source(line->edit, NULL);
  printf("\033[?2004h");
  fflush(stdout);
}

RlxLine *rlx_line_new(RlxCompleteFn *complete, void *user, volatile sig_atomic_t *interrupted) {
  RlxLine *line = rlx_mem_zeroed(1, sizeof *line);
  line->complete = complete;
  line->user = user;
  line->interrupted = interrupted;
  rlx_line_prompt(line, NULL);
  snprintf(line->prompt_more, sizeof line->prompt_more, "\1\033[33m\1...  \1\033[0m\1");
  line->is_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
  if (line->is_terminal) open_terminal(line);
  return line;
}

void rlx_line_free(RlxLine *line) {
  if (!line) return;
  if (line->is_terminal) {
    HistEvent event;
    if (line->history_path) history(line->history, &event, H_SAVE, line->history_path);
    printf("\033[?2004l");
    fflush(stdout);
    el_end(line->edit);
    history_end(line->history);
  }
  free(line->history_path);
  free(line->plain);
  rlx_buf_free(&line->before);
  free(line);
}

bool rlx_line_is_terminal(const RlxLine *line) { return line->is_terminal; }

RlxLineResult rlx_line_read(RlxLine *line, bool is_more, RlxBuf *out) {
  rlx_buf_clear(out);
  if (!line->is_terminal) {
    ssize_t n = getline(&line->plain, &line->plain_size, stdin);
    if (n < 0) return RLX_LINE_END;
    while (n && (line->plain[n - 1] == '\n' || line->plain[n - 1] == '\r')) n--;
    rlx_buf_putn(out, line->plain, (size_t)n);
    return RLX_LINE_OK;
  }
  line->is_more = is_more;
  if (!is_more) rlx_buf_clear(&line->before);
  int n = 0;
  const char *text = el_gets(line->edit, &n);
  if (*line->interrupted) {
    *line->interrupted = 0;
    el_reset(line->edit);
    putchar('\n');
    return RLX_LINE_INTERRUPTED;
  }
  if (!text || n <= 0) return RLX_LINE_END;
  HistEvent event;
  if (n > 1) history(line->history, &event, is_more ? H_APPEND : H_ENTER, text);
  while (n && text[n - 1] == '\n') n--;
  rlx_buf_putn(out, text, (size_t)n);
  rlx_buf_putn(&line->before, text, (size_t)n);
  rlx_buf_putc(&line->before, '\n');
  return RLX_LINE_OK;
}
