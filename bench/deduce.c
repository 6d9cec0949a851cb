/// How fast bindings are deduced once their text is parsed: bench/deduce FILE prints bindings, milliseconds, bindings per second.
/// The settings change back and forth, so that everything is analysed anew from the same syntax; CPU time of the best of ten.
#include <stdio.h>
#include <time.h>

#include "analyzer/analyzer.h"
#include "base/file.h"

static double cpu_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static uint32_t count_bindings(RlxFile *file, const RlxBlock *block) {
  uint32_t count = 0;
  for (uint32_t i = 0; block && i < block->count; i++) {
    RlxBinding *const *bindings;
    uint32_t more = 0;
    rlx_file_stmt_bindings(file, block->stmts[i], &bindings, &more);
    count += more + count_bindings(file, block->stmts[i]->body) + count_bindings(file, block->stmts[i]->orelse);
  }
  return count;
}

int main(int argc, char **argv) {
  RlxBuf text = {0};
  RlxError err = {0};
  if (argc != 2 || !rlx_file_read(argv[1], &text, &err)) {
    fprintf(stderr, "usage: deduce FILE\n");
    return 2;
  }
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&text), (uint32_t)text.size);
  double best = 1e9;
  uint64_t statements = 0;
  for (int round = 0; round < 10; round++) {
    RlxSettings settings = {.implicit_match_cast = round % 2 == 1};
    rlx_file_configure(file, &settings);
    uint64_t before = rlx_file_stats(file).analyzed_statements;
    double start = cpu_ms();
    rlx_file_analyze(file, NULL);
    double spent = cpu_ms() - start;
    statements = rlx_file_stats(file).analyzed_statements - before;
    if (round && spent < best) best = spent; // the first one fills tables
  }
  uint32_t bindings = count_bindings(file, rlx_document_root(rlx_file_document(file)));
  printf("%u bindings of %llu statements, %.2f ms, %.0f per second\n", bindings, (unsigned long long)statements, best, bindings / best * 1e3);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  rlx_buf_free(&text);
  return 0;
}
