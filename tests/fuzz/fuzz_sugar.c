/// Any lines as expressions at the prompt, beside tensors, numbers and a function that are there: each is written as the Relax that it
/// stands for, without being evaluated, or refused with a message.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "repl/results.h"
#include "repl/sugar.h"
#include "tests/fuzz/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { LINES_MOST = 40, RUNS_MOST = 200 };

static volatile sig_atomic_t interrupted;
static RlxReplOptions options;

static const char setting[] = "x = R.ones((2, 3), \"float32\")\n"
                              "y = R.arange(0, 4, 1, \"int64\")\n"
                              "t = (x, y)\n"
                              "n = 3\n"
                              "@R.function\n"
                              "def f(a: R.Tensor((\"m\", 3), \"float32\")):\n"
                              "    return R.add(a, a)\n";

static RlxRepl *session(void) {
  static RlxRepl repl;
  static int runs = -1;
  if (runs >= 0 && runs++ < RUNS_MOST) return &repl;
  if (runs < 0 && !freopen("/dev/null", "w", stdout)) return NULL;
  if (runs > 0) {
    rlx_repl_sugar_free(&repl);
    rlx_repl_results_free(&repl);
    rlx_repl_close(&repl);
  }
  runs = 0;
  options = fuzz_session();
  rlx_repl_open(&repl, &options, &interrupted);
  rlx_repl_sugar_attach(&repl);
  rlx_repl_enter(&repl, setting);
  return &repl;
}

static void write_one(RlxRepl *repl, const char *line) {
  const char *relax = repl->plain(repl, line);
  if (relax && !*relax && strspn(line, " \t\r") < strlen(line) && *line != '#') {
    fprintf(stderr, "nothing stands for: %s\n", line);
    abort();
  }
  repl->plain_done(repl);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size > 4096) return 0;
  char *text = calloc(size + 1, 1);
  memcpy(text, bytes, size);
  RlxRepl *repl = fuzz_may_enter(text) ? session() : NULL;
  char *line = text;
  for (int i = 0; repl && line && i < LINES_MOST; i++) {
    char *end = strchr(line, '\n');
    if (end) *end = '\0';
    if (*line) write_one(repl, line);
    line = end ? end + 1 : NULL;
  }
  free(text);
  return 0;
}
