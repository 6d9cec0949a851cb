/// The flag that says that nobody wants the answer any more: wherever an analysis is when it is set, it returns soon, and what is analysed
/// afterwards is what it would have been. Files whose functions are long, many, hard to decide, or one PrimFunc of thousands of blocks.
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

#include "analyzer/analyzer.h"
#include "analyzer/report/dump.h"
#include "tests/test.h"

// Of the CPU that the whole analysis takes, behind the flag: some ten times what it is.
enum { MOST_PERCENT = 20, ROUNDS = 20 };

static const char head[] = "from tvm.script import ir as I, relax as R, tir as T\n";

static void bindings(RlxBuf *out) {
  rlx_buf_puts(out, "@R.function\ndef main(x: R.Tensor((4,), \"float32\")):\n    y0 = x\n");
  for (int i = 1; i < 30000; i++) rlx_buf_printf(out, "    y%d = R.add(y%d, x)\n", i, i - 1);
  rlx_buf_puts(out, "    return x\n");
}

static void functions(RlxBuf *out) {
  for (int i = 0; i < 4000; i++) {
    rlx_buf_printf(out, "@R.function\ndef f%d(x: R.Tensor((4,), \"float32\")):\n", i);
    for (int k = 0; k < 6; k++) rlx_buf_printf(out, "    y%d = R.add(x, R.exp(z%d))\n", k, k);
    rlx_buf_puts(out, "    return R.add(x, z)\n");
  }
}

/// Finding where they are is much of what they take.
static void short_functions(RlxBuf *out) {
  for (int i = 0; i < 8000; i++)
    rlx_buf_printf(out, "@R.function\ndef f%d(x: R.Tensor((4,), \"float32\")):\n    return x\n", i);
}

static void questions(RlxBuf *out) {
  rlx_buf_puts(
      out,
      "@R.function\ndef main(x: R.Tensor((\"a\", \"b\", \"c\", \"d\"), \"int8\")):\n    a = "
      "T.int64()\n    b = T.int64()\n"
      "    c = T.int64()\n    d = T.int64()\n    e = T.max(a * b // c, T.min(b % (c + 1), d * a))\n"
      "    f = T.min(a * b % c, T.max(d // (b + 1), d * c))\n");
  for (int i = 0; i < 8000; i++) rlx_buf_printf(out, "    y%d = R.reshape(x, (e + %d, f))\n", i, i);
  rlx_buf_puts(out, "    return x\n");
}

static void prim_funcs(RlxBuf *out) {
  for (int i = 0; i < 2000; i++)
    rlx_buf_printf(out,
                   "@T.prim_func\ndef f%d(A: T.Buffer((4096,), \"float32\")):\n    for i in "
                   "T.parallel(37):\n        for j, k in T.grid(29, 23):\n"
                   "            A[(i * 31 + j * 3 + k * 7) %% 1024 + (i // 3) * 64] = A[(i * 17 + "
                   "j) // 5 %% 512]\n",
                   i);
}

static void broken_lines(RlxBuf *out) {
  rlx_buf_puts(out, "@R.function\ndef main(x: R.Tensor((4,), \"float32\")):\n");
  for (int i = 0; i < 8000; i++) rlx_buf_printf(out, "    y%d = R.add(x, (x)\n", i);
  rlx_buf_puts(out, "    return x\n");
}

static uint64_t cpu_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static atomic_bool flag;
static _Atomic uint64_t set_at; // of CPU

/// Sets the flag in the thread that analyses, so that no other one has to get a processor in time.
static void ring(int number) {
  (void)number;
  set_at = cpu_ns();
  flag = true;
}

/// Has `ring` called when the process has used so much more CPU.
static timer_t ring_after(uint64_t ns) {
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR1};
  struct itimerspec when = {.it_value = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)}};
  timer_t timer;
  assert_int_equal(timer_create(CLOCK_PROCESS_CPUTIME_ID, &event, &timer), 0);
  flag = false;
  assert_int_equal(timer_settime(timer, 0, &when, NULL), 0);
  return timer;
}

/// Analyses all of the text; how much CPU that took, in ns.
static uint64_t analyze(const RlxBuf *text, RlxBuf *dump) {
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(text), (uint32_t)text->size);
  const uint64_t from = cpu_ns();
  rlx_file_analyze(file, NULL);
  const uint64_t spent = cpu_ns() - from;
  rlx_file_dump(file, dump);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  return spent;
}

/// The same with the flag set after `part` percent of `whole`, and analysed again afterwards, which is to say what `dump` says. How much
/// CPU went by behind the flag, in ns; UINT64_MAX: the analysis was over first.
static uint64_t behind_the_flag(const RlxBuf *text, const RlxBuf *dump, uint64_t whole, int part) {
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(text), (uint32_t)text->size);
  timer_t timer = ring_after(whole / 100 * (uint64_t)part);
  const bool is_whole = rlx_file_analyze(file, &flag);
  const uint64_t end = cpu_ns();
  timer_delete(timer);
  rlx_file_analyze(file, NULL);
  RlxBuf later = {0};
  rlx_file_dump(file, &later);
  assert_string_equal(rlx_buf_text(dump), rlx_buf_text(&later));
  rlx_buf_free(&later);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  return is_whole ? UINT64_MAX : end - set_at;
}

static void returns_soon(void **data) {
  (void)data;
  static void (*const makes[])(RlxBuf *) = {bindings,  functions,  short_functions,
                                            questions, prim_funcs, broken_lines};
  for (size_t k = 0; k < sizeof makes / sizeof makes[0]; k++) {
    RlxBuf text = {0}, dump = {0};
    rlx_buf_puts(&text, head);
    makes[k](&text);
    uint64_t whole = analyze(&text, &dump);
    for (int i = 0; i < 2; i++) { // the first time of a process takes longer
      rlx_buf_clear(&dump);
      const uint64_t again = analyze(&text, &dump);
      if (again < whole) whole = again;
    }
    for (int part = 10; part <= 50; part += 40) {
      uint64_t behind = UINT64_MAX;
      // The clock of CPU ticks, and what a machine does beside it counts now and then.
      for (int i = 0; i < ROUNDS && behind > whole / 100 * MOST_PERCENT; i++)
        behind = behind_the_flag(&text, &dump, whole, part);
      if (behind == UINT64_MAX) fail_msg("text %zu: never returned before its end", k);
      if (behind > whole / 100 * MOST_PERCENT)
        fail_msg("text %zu: %llu of %llu us behind the flag", k, (unsigned long long)behind / 1000,
                 (unsigned long long)whole / 1000);
    }
    rlx_buf_free(&text);
    rlx_buf_free(&dump);
  }
}

int main(void) {
  signal(SIGUSR1, ring);
  const struct CMUnitTest tests[] = {cmocka_unit_test(returns_soon)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
