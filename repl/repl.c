/// The loop: lines to entries, entries to answers; at a terminal errors are shown and it goes on,
/// with piped input the first one ends it.
#include "repl/repl.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "repl/follow.h"
#include "repl/line.h"
#include "repl/sched.h"
#include "repl/session.h"

static volatile sig_atomic_t interrupted; // what a signal handler can reach

static void on_interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

/// Whether a line of piped input belongs to the block before it.
static bool continues_block(const RlxBuf *entry, const RlxBuf *line) {
  const char *text = rlx_buf_text(entry), *next = rlx_buf_text(line);
  if (*text == '@' && !strstr(text, "\ndef ") && !strstr(text, "\nclass ")) return true;
  if (!rlx_repl_wants_more(text, true)) return false;
  if (*text != '@' && strncmp(text, "def ", 4) && strncmp(text, "class ", 6)) return true;
  return isspace((unsigned char)*next) || !*next || rlx_repl_wants_more(text, true) == false;
}

static bool read_entry(RlxLine *lines, RlxBuf *entry, RlxBuf *ahead, bool *has_ahead) {
  bool terminal = rlx_line_is_terminal(lines);
  rlx_buf_clear(entry);
  RlxBuf line = {0};
  bool ok = true;
  for (;;) {
    if (*has_ahead) {
      rlx_buf_clear(&line);
      rlx_buf_putn(&line, rlx_buf_text(ahead), ahead->size);
      *has_ahead = false;
    } else {
      RlxLineResult got = rlx_line_read(lines, entry->size > 0, &line);
      if (got == RLX_LINE_INTERRUPTED) {
        rlx_buf_clear(entry);
        continue;
      }
      if (got == RLX_LINE_END) {
        ok = entry->size > 0;
        break;
      }
    }
    bool is_block =
        entry->size && (*rlx_buf_text(entry) == '@' || !strncmp(rlx_buf_text(entry), "def ", 4) ||
                        !strncmp(rlx_buf_text(entry), "class ", 6));
    if (!terminal && is_block && !continues_block(entry, &line)) {
      rlx_buf_clear(ahead);
      rlx_buf_putn(ahead, rlx_buf_text(&line), line.size);
      *has_ahead = true;
      break;
    }
    rlx_buf_putn(entry, rlx_buf_text(&line), line.size);
    rlx_buf_putc(entry, '\n');
    const char *text = rlx_buf_text(entry);
    while (*text == '\n') text++;
    if (!*text) {
      rlx_buf_clear(entry);
      if (terminal) continue;
      continue;
    }
    if (!rlx_repl_wants_more(text, terminal)) break;
  }
  rlx_buf_free(&line);
  return ok;
}

int rlx_repl_run(char *const *files, int file_count, const RlxReplOptions *options) {
  RlxRepl repl;
  rlx_repl_open(&repl, options, &interrupted);
  rlx_repl_take_settings(&repl, &options->settings);
  if (!rlx_repl_supply(&repl, repl.jit)) {
    rlx_repl_close(&repl);
    return 2;
  }
  struct sigaction action = {.sa_handler = on_interrupt}; // without SA_RESTART
  sigaction(SIGINT, &action, NULL);
  RlxLine *lines = rlx_line_new(rlx_repl_complete, &repl, &interrupted);
  bool terminal = rlx_line_is_terminal(lines);
  int code = 0;
  for (int i = 0; i < file_count && !code; i++)
    if (!rlx_repl_load(&repl, files[i]) && !terminal) code = 1;
  if (terminal) printf("rlx: enter TVMScript, or :help\n");
  RlxBuf entry = {0}, ahead = {0};
  bool has_ahead = false;
  while (!repl.quit && (!code || options->keep_going)) {
    rlx_line_prompt(lines, repl.walk ? "step> " : rlx_repl_sched_prompt(&repl));
    if (!read_entry(lines, &entry, &ahead, &has_ahead)) {
      if (terminal && repl.walk && !repl.sched) { // Ctrl-D leaves :step first
        rlx_repl_walk_close(&repl);
        putchar('\n');
        continue;
      }
      if (!terminal || !repl.sched) break;
      rlx_repl_sched_close(&repl); // Ctrl-D leaves the schedule first
      putchar('\n');
      continue;
    }
    if (!rlx_repl_enter(&repl, rlx_buf_text(&entry)) && !terminal) code = 1;
  }
  rlx_buf_free(&entry);
  rlx_buf_free(&ahead);
  rlx_line_free(lines);
  rlx_repl_sched_close(&repl);
  rlx_repl_walk_close(&repl);
  rlx_repl_close(&repl);
  return code;
}
