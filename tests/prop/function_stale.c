/// The flag that says that nobody wants the answer any more: wherever an analysis is when it is set, it returns soon, and what is analysed
/// afterwards is what it would have been. Files whose functions are long, many, hard to decide, or one PrimFunc of thousands of blocks.
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/analyzer.h"
#include "analyzer/report/dump.h"
#include "tests/test.h"

enum { MOST_MS = 150 }; // of CPU, behind the flag; a hundred times what it takes on an idle machine

static const char head[] = "from tvm.script import ir as I, relax as R, tir as T\n";

static void bindings(RlxBuf *out) {
  rlx_buf_puts(out, "@R.function\ndef main(x: R.Tensor((4,), \"float32\")):\n    y0 = x\n");
  for (int i = 1; i < 30000; i++) rlx_buf_printf(out, "    y%d = R.add(y%d, x)\n", i, i - 1);
  rlx_buf_puts(out, "    return x\n");
}

static void functions(RlxBuf *out) {
  for (int i = 0; i < 8000; i++)
    rlx_buf_printf(
        out, "@R.function\ndef f%d(x: R.Tensor((4,), \"float32\")):\n    return R.add(x, z)\n", i);
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

typedef struct Alarm {
  atomic_bool flag;
  uint64_t after_ns, set_at; // of CPU
} Alarm;

/// Sets the flag when the process has used so much more CPU.
static void *ring(void *data) {
  Alarm *alarm = data;
  const uint64_t from = cpu_ns();
  for (int i = 0; i < 20000 && cpu_ns() - from < alarm->after_ns; i++) usleep(500);
  alarm->set_at = cpu_ns();
  atomic_store(&alarm->flag, true);
  return NULL;
}

static void returns_soon(void **data) {
  (void)data;
  static void (*const makes[])(RlxBuf *) = {bindings, functions, questions, prim_funcs,
                                            broken_lines};
  int cancelled = 0;
  for (size_t k = 0; k < sizeof makes / sizeof makes[0]; k++) {
    RlxBuf text = {0}, fresh = {0}, later = {0};
    rlx_buf_puts(&text, head);
    makes[k](&text);
    for (int part = 0; part < 2; part++) {
      RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
      RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&text), (uint32_t)text.size);
      Alarm alarm = {.after_ns = (uint64_t)(5 + 25 * part) * 1000000u};
      pthread_t thread;
      assert_int_equal(pthread_create(&thread, NULL, ring, &alarm), 0);
      const bool is_whole = rlx_file_analyze(file, &alarm.flag);
      const uint64_t end = cpu_ns();
      pthread_join(thread, NULL);
      cancelled += !is_whole;
#ifndef __SANITIZE_ADDRESS__
      if (!is_whole && end > alarm.set_at && end - alarm.set_at > MOST_MS * UINT64_C(1000000))
        fail_msg("text %zu: %llu ms behind the flag", k,
                 (unsigned long long)(end - alarm.set_at) / 1000000);
#endif
      rlx_file_analyze(file, NULL);
      RlxBuf *out = part ? &later : &fresh;
      rlx_buf_clear(out);
      rlx_file_dump(file, out);
      if (part) assert_string_equal(rlx_buf_text(&fresh), rlx_buf_text(&later));
      rlx_file_close(file);
      rlx_analyzer_free(analyzer);
    }
    rlx_buf_free(&text);
    rlx_buf_free(&fresh);
    rlx_buf_free(&later);
  }
  assert_true(cancelled >= 5); // else nothing was seen
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(returns_soon)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
