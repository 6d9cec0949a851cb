/// Reading lines. Source of the libedit rules: its manual, and what a terminal does with bracketed
/// paste.
#include "repl/line.h"

#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <wchar.h>

#include "base/mem.h"
#include "base/terminal.h"
#include "base/wait.h"
#include "repl/offers_print.h"

static volatile sig_atomic_t stopped, resized; // what a signal handler can reach

struct RlxLine {
  RlxCompleteFn *complete;
  void *user;
  volatile sig_atomic_t *interrupted;
  bool is_terminal, is_more, was_pasted;
  bool is_armed; ///< the signals of a terminal come here, for as long as this line is read
  bool has_new;  ///< an entry of the history that is not in its file
  const int *idle_fd;
  bool (*idle)(void *user);
  RlxBuf paste; ///< what was entered without being edited
  EditLine *edit;
  History *history;
  char *history_path;
  RlxBuf before;                           // the lines of the entry above this one
  RlxBuf piped;                            ///< read and not handed out yet, when it is no terminal
  size_t piped_at;                         ///< what is before it was handed out
  char prompt_first[160], prompt_more[64]; // libedit wants them writable
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
      rlx_offers_print(&offers, rlx_terminal_width(), rlx_terminal_height());
      fflush(stdout);
      result = CC_REDISPLAY;
    }
    rlx_line_offers_free(&offers);
  }
  free(text);
  return result;
}

/// Reads what is pasted, up to ESC[201~. Terminals send \r, \n or both for the end of a line.
static void read_paste(RlxBuf *out) {
  static const char end[] = "\033[201~";
  const size_t size = sizeof end - 1;
  char one, last = 0;
  while (read(STDIN_FILENO, &one, 1) == 1) {
    if (one != '\n' || last != '\r') rlx_buf_putc(out, one == '\r' ? '\n' : one);
    last = one;
    if (out->size < size || memcmp(out->at + out->size - size, end, size) != 0) continue;
    rlx_buf_truncate(out, out->size - size);
    return;
  }
}

/// Bound to ESC[200~: what is pasted goes into the line as it is. A long paste is not for editing:
/// it is entered at once, in the place of the cursor.
static unsigned char do_paste(EditLine *edit, int c) {
  (void)c;
  enum { EDITED_MAX = 1 << 13 };
  RlxLine *line = NULL;
  RlxBuf text = {0};
  el_get(edit, EL_CLIENTDATA, &line);
  line->was_pasted = true;
  read_paste(&text);
  unsigned char result = CC_REFRESH;
  if (text.size <= EDITED_MAX)
    result = el_insertstr(edit, rlx_buf_text(&text)) ? CC_REFRESH_BEEP : CC_REFRESH;
  else {
    const LineInfo *info = el_line(edit);
    rlx_buf_clear(&line->paste);
    rlx_buf_putn(&line->paste, info->buffer, (size_t)(info->cursor - info->buffer));
    rlx_buf_putn(&line->paste, text.at, text.size);
    rlx_buf_putn(&line->paste, info->cursor, (size_t)(info->lastchar - info->cursor));
    result = CC_NEWLINE;
  }
  rlx_buf_free(&text);
  return result;
}

/// Makes the folder and those above it.
static void make_folder(char *path) {
  for (char *p = strchr(path + 1, '/');; p = strchr(p + 1, '/')) {
    if (p) *p = 0;
    mkdir(path, 0700);
    if (!p) return;
    *p = '/';
  }
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
  make_folder(path.at);
  rlx_buf_puts(&path, "/rlx-history");
  return rlx_buf_steal(&path);
}

/// "\1" marks what takes no column: colours. They end before the blank, for libedit drops a mark that
/// no character follows.
static void set_prompt(char *out, size_t size, const char *color, const char *text) {
  const int n = (int)strcspn(text, " ") < 80 ? (int)strcspn(text, " ") : 80;
  if (rlx_terminal_has_colors(stdout))
    snprintf(out, size, "\1\033[%sm\1%.*s\1\033[0m\1%.20s", color, n, text, text + n);
  else
    snprintf(out, size, "%.*s%.20s", n, text, text + n);
}

void rlx_line_prompt(RlxLine *line, const char *prompt) {
  set_prompt(line->prompt_first, sizeof line->prompt_first, "1;32", prompt ? prompt : "rlx> ");
}

/// The history's file, to append to; other sessions wait until it is closed, so that none loses what another one
/// writes. -1: there is none.
static int lock_history(const RlxLine *line) {
  const int fd = line->history_path
                     ? open(line->history_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)
                     : -1;
  if (fd >= 0) flock(fd, LOCK_EX); // where the file system has no locks, it is as without
  return fd;
}

/// Old entries beyond those that are read are dropped from the file.
static void open_history(RlxLine *line) {
  HistEvent event;
  struct stat info;
  line->history_path = history_place();
  const int fd = lock_history(line);
  if (fd < 0) return;
  history(line->history, &event, H_LOAD, line->history_path);
  const bool is_long = !fstat(fd, &info) && info.st_size > (1 << 20);
  if (is_long) history(line->history, &event, H_SAVE, line->history_path);
  close(fd);
}

/// The newest entry as libedit's file has it, which is one line. H_NSAVE_FP writes one more than it is asked for, and
/// nothing where there is but one.
static void put_newest_entry(RlxLine *line, RlxBuf *out) {
  HistEvent event;
  FILE *file = tmpfile(); // it wants one that has a descriptor
  if (!file) return;
  if (history(line->history, &event, H_GETSIZE) >= 0 && event.num > 1)
    history(line->history, &event, H_NSAVE_FP, (size_t)1, file);
  else
    history(line->history, &event, H_SAVE_FP, file);
  rewind(file);
  char block[4096];
  for (size_t n; (n = fread(block, 1, sizeof block, file)) > 0;) rlx_buf_putn(out, block, n);
  fclose(file);
}

/// Where the last line begins.
static const char *last_line(const RlxBuf *text) {
  size_t at = text->size;
  while (at && text->at[at - 1] == '\n') at--;
  while (at && text->at[at - 1] != '\n') at--;
  return rlx_buf_text(text) + at;
}

void rlx_line_entered(RlxLine *line) {
  struct stat info;
  if (!line->is_terminal || !line->has_new) return;
  line->has_new = false;
  const int fd = lock_history(line);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "a");
  if (!file) return;
  RlxBuf text = {0};
  put_newest_entry(line, &text);
  const bool is_new = !fstat(fd, &info) && !info.st_size;
  if (text.size) fprintf(file, "%s%s", is_new ? "_HiStOrY_V2_\n" : "", last_line(&text));
  rlx_buf_free(&text);
  fclose(file);
}

static void set_pasting(bool is_on) {
  if (!rlx_terminal_is_dumb()) printf("\033[?2004%c", is_on ? 'h' : 'l');
  fflush(stdout);
}

static void on_signal(int number) {
  if (number == SIGWINCH)
    resized = 1;
  else
    stopped = 1;
}

/// libedit heeds each signal once in a line and no more, so those that may come again are taken from it.
/// It sets what was there before when the line is read.
static void arm(RlxLine *line) {
  const struct sigaction action = {.sa_handler = on_signal};
  if (line->is_armed) return;
  line->is_armed = true;
  sigaction(SIGTSTP, &action, NULL);
  sigaction(SIGWINCH, &action, NULL);
}

/// Ctrl-Z: the terminal is the shell's until the session goes on, with the line as it was.
static void suspend(EditLine *edit) {
  struct sigaction ours;
  sigset_t with, before;
  el_set(edit, EL_PREP_TERM, 0);
  set_pasting(false);
  sigaction(SIGTSTP, &(struct sigaction){.sa_handler = SIG_DFL}, &ours);
  raise(SIGTSTP);
  sigemptyset(&with); // where it was blocked, it comes now
  sigaddset(&with, SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &with, &before);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  sigaction(SIGTSTP, &ours, NULL);
  stopped = 0;
  resized = 1; // maybe, meanwhile
  el_set(edit, EL_PREP_TERM, 1);
  set_pasting(true);
  el_set(edit, EL_REFRESH);
}

/// A key, as libedit reads it; meanwhile the watched file may change.
static int read_key(EditLine *edit, wchar_t *out) {
  RlxLine *line = NULL;
  mbstate_t state = {0};
  el_get(edit, EL_CLIENTDATA, &line);
  arm(line);
  for (;;) {
    if (stopped) suspend(edit);
    if (resized) el_resize(edit);
    resized = 0;
    struct pollfd fds[2] = {{.fd = STDIN_FILENO, .events = POLLIN},
                            {.fd = *line->idle_fd > 0 ? *line->idle_fd : -1, .events = POLLIN}};
    if (rlx_wait(fds, 2, -1, line->interrupted) < 0) {
      if (errno == EINTR && !*line->interrupted) continue; // another signal
      return -1;
    }
    if (fds[1].revents) {
      if (line->idle(line->user)) el_set(edit, EL_REFRESH);
      continue;
    }
    char byte;
    const ssize_t n = read(STDIN_FILENO, &byte, 1);
    if (n <= 0) return (int)n;
    const size_t used = mbrtowc(out, &byte, 1, &state);
    if (used == (size_t)-2) continue; // more bytes of a character
    if (used == (size_t)-1) {
      memset(&state, 0, sizeof state);
      continue; // not of this encoding
    }
    return 1;
  }
}

void rlx_line_idle(RlxLine *line, const int *fd, bool (*idle)(void *user)) {
  line->idle_fd = fd;
  line->idle = idle;
  if (line->is_terminal) el_set(line->edit, EL_GETCFN, read_key);
}

static void open_terminal(RlxLine *line, bool has_history) {
  setlocale(LC_ALL, "");
  if (MB_CUR_MAX == 1) setlocale(LC_CTYPE, "C.UTF-8");
  HistEvent event;
  line->history = history_init();
  history(line->history, &event, H_SETSIZE, 2000);
  history(line->history, &event, H_SETUNIQUE, 1);
  if (has_history) open_history(line);
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
  set_pasting(true);
}

RlxLine *rlx_line_new(RlxCompleteFn *complete, void *user, volatile sig_atomic_t *interrupted,
                      bool has_history) {
  RlxLine *line = rlx_mem_zeroed(1, sizeof *line);
  line->complete = complete;
  line->user = user;
  line->interrupted = interrupted;
  rlx_line_prompt(line, NULL);
  set_prompt(line->prompt_more, sizeof line->prompt_more, "33", "...  ");
  line->is_terminal = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO);
  if (line->is_terminal) open_terminal(line, has_history);
  return line;
}

void rlx_line_free(RlxLine *line) {
  if (!line) return;
  if (line->is_terminal) {
    rlx_line_entered(line);
    set_pasting(false);
    el_end(line->edit);
    history_end(line->history);
  }
  free(line->history_path);
  rlx_buf_free(&line->paste);
  rlx_buf_free(&line->piped);
  rlx_buf_free(&line->before);
  free(line);
}

bool rlx_line_take_pasted(RlxLine *line) {
  bool was = line->was_pasted;
  line->was_pasted = false;
  return was;
}

bool rlx_line_is_terminal(const RlxLine *line) { return line->is_terminal; }

/// Reads more of what is piped in; meanwhile the watched file may change. False at the end.
static bool read_more(RlxLine *line) {
  char block[4096];
  for (;;) {
    struct pollfd fds[2] = {{.fd = STDIN_FILENO, .events = POLLIN},
                            {.fd = *line->idle_fd > 0 ? *line->idle_fd : -1, .events = POLLIN}};
    if (fds[1].fd >= 0 && poll(fds, 2, -1) > 0 && fds[1].revents) {
      line->idle(line->user);
      continue;
    }
    const ssize_t n = read(STDIN_FILENO, block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n > 0) rlx_buf_putn(&line->piped, block, (size_t)n);
    return n > 0;
  }
}

/// Appends the next line of what is piped in, with its end when it has one. False: there is none.
static bool read_piped(RlxLine *line, RlxBuf *out) {
  size_t looked = line->piped_at;
  for (;;) {
    const char *end = line->piped.size > looked
                          ? memchr(line->piped.at + looked, '\n', line->piped.size - looked)
                          : NULL;
    looked = line->piped.size;
    if (!end && read_more(line)) continue;
    const size_t stop = end ? (size_t)(end + 1 - line->piped.at) : line->piped.size,
                 size = stop - line->piped_at;
    if (size) rlx_buf_putn(out, line->piped.at + line->piped_at, size);
    line->piped_at = stop;
    if (stop == line->piped.size) { // all was handed out
      rlx_buf_clear(&line->piped);
      line->piped_at = 0;
    }
    return size > 0;
  }
}

RlxLineResult rlx_line_read(RlxLine *line, bool is_more, RlxBuf *out) {
  rlx_buf_clear(out);
  if (!line->is_terminal) {
    if (!read_piped(line, out)) return RLX_LINE_END;
    while (out->size && (out->at[out->size - 1] == '\n' || out->at[out->size - 1] == '\r'))
      rlx_buf_truncate(out, out->size - 1);
    return RLX_LINE_OK;
  }
  line->is_more = is_more;
  if (!is_more) rlx_buf_clear(&line->before);
  int n = 0;
  // A Ctrl-C behind the end of a line is for what the line begins: an entry that goes on is dropped.
  const bool is_dropped = is_more && *line->interrupted;
  if (!is_more) *line->interrupted = 0; // of what is over
  rlx_buf_clear(&line->paste);
  el_set(line->edit, EL_PREP_TERM, 1); // before the prompt: a key typed at once is not the tty's
  line->is_armed = false;
  const char *text = is_dropped ? NULL : el_gets(line->edit, &n);
  const bool is_whole = text && n > 0 && text[n - 1] == '\n';
  if (*line->interrupted && !is_whole) {
    *line->interrupted = 0;
    el_reset(line->edit);
    putchar('\n');
    return RLX_LINE_INTERRUPTED;
  }
  if (line->paste.size) {
    printf("\n# pasted %zu KB\n", (line->paste.size + 1023) / 1024);
    text = rlx_buf_text(&line->paste);
    n = (int)line->paste.size;
  }
  if (!text || n <= 0) return RLX_LINE_END;
  HistEvent event;
  if (n > 1) history(line->history, &event, is_more ? H_APPEND : H_ENTER, text);
  line->has_new |= n > 1;
  const bool ends_blank = n > 1 && text[n - 1] == '\n' && text[n - 2] == '\n'; // of a paste
  while (n && text[n - 1] == '\n') n--;
  rlx_buf_putn(out, text, (size_t)n);
  if (n && ends_blank) rlx_buf_putc(out, '\n');
  rlx_buf_putn(&line->before, text, (size_t)n);
  rlx_buf_putc(&line->before, '\n');
  return RLX_LINE_OK;
}
