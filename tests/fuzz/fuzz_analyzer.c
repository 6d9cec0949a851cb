/// Any bytes as a script: it is analysed without a crash, and after an edit and its undoing the
/// analysis equals a fresh one. The first four bytes choose the edit.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/analyzer.h"
#include "analyzer/report/dump.h"
#include "analyzer/words/islands.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void must(int holds) {
  if (!holds) abort();
}

/// Where two dumps part, and the text, for whoever repeats a finding.
static void show_difference(const char *text, uint32_t size, const char *edited,
                            const char *fresh) {
  size_t line = 0;
  for (size_t i = 0; edited[i] && edited[i] == fresh[i]; i++)
    if (edited[i] == '\n') line = i + 1;
  fprintf(stderr, "after the edit: %.*s\nopened afresh:  %.*s\n%.*s\n",
          (int)strcspn(edited + line, "\n"), edited + line, (int)strcspn(fresh + line, "\n"),
          fresh + line, (int)size, text);
}

static char *dump(RlxFile *file) {
  RlxBuf out = {0};
  rlx_file_dump(file, &out);
  return rlx_buf_steal(&out);
}

static void compare(RlxAnalyzer *analyzer, RlxFile *file) {
  uint32_t size = 0;
  const char *text = rlx_document_text(rlx_file_document(file), &size);
  RlxFile *fresh = rlx_file_open(analyzer, text, size);
  char *a = dump(file), *b = dump(fresh);
  if (strcmp(a, b) != 0) {
    show_difference(text, size, a, b);
    abort();
  }
  free(a);
  free(b);
  rlx_file_close(fresh);
}

/// The look without parsing misses no island.
static void check_look(RlxFile *file) {
  uint32_t size = 0;
  const char *text = rlx_document_text(rlx_file_document(file), &size);
  RlxIslands islands = {0};
  rlx_islands(rlx_file_document(file), &islands);
  must(!islands.count || rlx_islands_possible(text, size));
  rlx_vec_free(&islands);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size < 4 || size > 8192) return 0;
  const char *text = (const char *)bytes + 4;
  uint32_t count = (uint32_t)size - 4, room = count + 1;
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, text, count);
  rlx_file_analyze(file, NULL);
  uint32_t start = (bytes[0] * 16u + bytes[1] % 16u) % room,
           old_end = start + bytes[1] / 16u % (room - start);
  uint32_t from = bytes[2] * 16u % room, length = bytes[3] % (room - from);
  check_look(file);
  rlx_file_edit(file, start, old_end, text + from, length);
  check_look(file);
  compare(analyzer, file);
  rlx_file_edit(file, start, start + length, text + start, old_end - start);
  compare(analyzer, file);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  return 0;
}
