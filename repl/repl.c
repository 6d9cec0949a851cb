/// The loop: lines to entries, entries to answers; at a terminal errors are shown and it goes on,
/// with piped input the first one ends it.
#include "repl/repl.h"
#include "jit/runtime/mapping_guard.h"
#include "repl/commands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "repl/follow.h"
#include "repl/line.h"
#include "repl/offer.h"
#include "repl/reader.h"
#include "repl/results.h"
#include "repl/sched.h"
#include "repl/session.h"
#include "repl/sugar.h"

static volatile sig_atomic_t interrupted; // what a signal handler can reach

/// What is said next is not to stand behind the ^C that a terminal shows where no line is edited.
static void on_interrupt(int signal_number) {
  (void)signal_number;
  const int saved = errno;
  struct termios mode;
  if (!tcgetattr(STDIN_FILENO, &mode) && (mode.c_lflag & ICANON) && (mode.c_lflag & ECHO))
    (void)!write(STDOUT_FILENO, "\n", 1);
  interrupted = 1;
  errno = saved;
}

/// Reads lines until they are a whole entry, or several: a paste comes as one line with others in it.
/// A line that begins the next statement is kept in `ahead`. False at the end.
static bool read_entry(RlxLine *lines, RlxEntryReader *reader, RlxBuf *entry, RlxBuf *ahead,
                       bool *has_ahead) {
  const bool terminal = rlx_line_is_terminal(lines);
  RlxBuf line = {0};
  bool ok = true, in_block = false;
  rlx_buf_clear(entry);
  rlx_entry_reader_clear(reader);
  for (;;) {
    rlx_buf_clear(&line);
    if (*has_ahead)
      rlx_buf_putn(&line, rlx_buf_text(ahead), ahead->size);
    else {
      RlxLineResult got = rlx_line_read(lines, entry->size > 0, &line);
      if (got == RLX_LINE_INTERRUPTED) {
        rlx_buf_clear(entry);
        rlx_entry_reader_clear(reader);
        continue;
      }
      if (got == RLX_LINE_END) {
        ok = entry->size > 0;
        if (ok && terminal) putchar('\n'); // behind the prompt
        break;
      }
    }
    *has_ahead = false;
    const bool is_inside = // of a pipe: it goes on, however long it is
        in_block && (!line.size || line.at[0] == ' ');
    if (!is_inside && entry->size && !rlx_entry_reader_takes(reader, rlx_buf_text(&line))) {
      rlx_buf_clear(ahead);
      rlx_buf_putn(ahead, rlx_buf_text(&line), line.size);
      *has_ahead = true;
      break;
    }
    if (!entry->size && !line.size) continue;
    rlx_buf_putc(&line, '\n');
    rlx_buf_putn(entry, rlx_buf_text(&line), line.size);
    rlx_entry_reader_put(reader, rlx_buf_text(&line), line.size);
    if (is_inside) continue;
    if (!rlx_entry_reader_wants(reader, terminal)) break;
    in_block = !terminal && rlx_entry_reader_begins_block(reader);
  }
  rlx_buf_free(&line);
  return ok;
}

/// Between keys, or while a pipe is empty: the watched file may have changed.
static bool on_idle(void *user) {
  RlxRepl *repl = user;
  if (!rlx_repl_watch_check(repl)) return false;
  if (isatty(STDOUT_FILENO)) printf("\r\033[K"); // over the prompt
  rlx_repl_reload(repl, repl->watched);
  return true;
}

int rlx_repl_run(char *const *files, int file_count, const RlxReplOptions *options) {
  RlxRepl repl;
  rlx_repl_open(&repl, options, &interrupted);
  rlx_repl_sugar_attach(&repl);
  rlx_repl_take_settings(&repl, &options->settings);
  if (!rlx_repl_supply(&repl, repl.jit)) {
    rlx_repl_sugar_free(&repl);
    rlx_repl_results_free(&repl);
    rlx_repl_close(&repl);
    return 2;
  }
  struct sigaction action = {.sa_handler = on_interrupt}; // without SA_RESTART
  sigaction(SIGINT, &action, NULL);
  rlx_mapping_guard_start();
  RlxLine *lines = rlx_line_new(rlx_repl_offer, &repl, &interrupted, !options->no_history);
  bool terminal = rlx_line_is_terminal(lines);
  int code = 0;
  rlx_line_idle(lines, &repl.watch_fd, on_idle);
  for (int i = 0; i < file_count && !code; i++)
    if (!rlx_repl_read_script(&repl, files[i]) && !terminal) code = repl.is_unread ? 2 : 1;
  if (options->watch && !code && file_count && !rlx_repl_watch(&repl, "") && !terminal) code = 1;
  if (terminal) printf("rlx: enter TVMScript, or :help\n");
  RlxBuf entry = {0}, ahead = {0};
  RlxEntryReader *reader = rlx_entry_reader_new();
  bool has_ahead = false;
  while (!repl.quit && (!code || options->keep_going)) {
    rlx_line_prompt(lines, repl.walk ? "step> " : rlx_repl_sched_prompt(&repl));
    if (!read_entry(lines, reader, &entry, &ahead, &has_ahead)) {
      if (terminal && repl.walk && !repl.sched) { // Ctrl-D leaves :step first
        rlx_repl_walk_close(&repl);
        putchar('\n');
        continue;
      }
      if (terminal && !repl.sched) putchar('\n'); // what is printed next is on a line of its own
      if (!terminal || !repl.sched) break;
      rlx_repl_sched_close(&repl); // Ctrl-D leaves the schedule first
      putchar('\n');
      continue;
    }
    rlx_line_entered(lines);
    if (rlx_repl_watch_check(&repl)) rlx_repl_reload(&repl, repl.watched);
    repl.is_typed = terminal && !rlx_line_take_pasted(lines);
    if (!rlx_repl_enter(&repl, rlx_buf_text(&entry)) && !terminal) code = 1;
    interrupted = 0; // a Ctrl-C while the entry ran was for it
  }
  rlx_buf_free(&entry);
  rlx_buf_free(&ahead);
  rlx_entry_reader_free(reader);
  rlx_line_free(lines);
  rlx_repl_sched_close(&repl);
  rlx_repl_walk_close(&repl);
  rlx_repl_unwatch(&repl);
  rlx_repl_sugar_free(&repl);
  rlx_repl_results_free(&repl);
  rlx_repl_close(&repl);
  return code;
}
