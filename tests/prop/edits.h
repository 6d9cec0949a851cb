/// Edits of a file, each compared with the same text opened fresh; random numbers for them.
#ifndef RLX_TESTS_EDITS_H
#define RLX_TESTS_EDITS_H

#include "analyzer/analyzer.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/report/dump.h"

/// The head of a function whose body a test writes.
#define HEAD                                                                                       \
  "from tvm.script import ir as I, relax as R, tirx as T\n\n@R.function\ndef f(x: R.Tensor((4,), " \
  "\"float32\"), c: R.Tensor((), \"bool\")):\n"

/// What the random numbers come from; a test sets it, so that a failure can be had again.
static uint64_t state;

static inline uint32_t rnd(uint32_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return below ? (uint32_t)(state >> 11) % below : 0;
}

#define PICK(of) ((of)[rnd((uint32_t)(sizeof(of) / sizeof *(of)))])

static inline char *dump(RlxFile *file) {
  RlxBuf out = {0};
  rlx_file_dump(file, &out);
  return rlx_buf_steal(&out);
}

typedef struct Edit {
  uint32_t start, end;
  RlxBuf text;
} Edit;

static inline uint32_t line_start(const char *text, uint32_t at) {
  while (at > 0 && text[at - 1] != '\n') at--;
  return at;
}

static inline uint32_t line_end(const char *text, uint32_t size, uint32_t at) {
  while (at < size && text[at] != '\n') at++;
  return at;
}

static inline void apply(RlxFile *file, const Edit *e) {
  rlx_file_edit(file, e->start, e->end, rlx_buf_text(&e->text), (uint32_t)e->text.size);
}

/// Prints the lines of `a` that `b` does not have.
static inline void print_lines(const char *whose, const char *a, const char *b) {
  for (const char *line = a, *end; *line; line = *end ? end + 1 : end) {
    end = line + strcspn(line, "\n");
    char *one = strndup(line, (size_t)(end - line));
    if (!strstr(b, one)) fprintf(stderr, "%s: %s\n", whose, one);
    free(one);
  }
}

/// Says what differs when the edited file is not what its text is fresh. True when equal.
static inline bool equals_fresh(RlxAnalyzer *analyzer, RlxFile *file, const char *before,
                                const char *what, const Edit *e) {
  uint32_t size;
  const char *text = rlx_document_text(rlx_file_document(file), &size);
  RlxFile *fresh = rlx_file_open(analyzer, text, size);
  char *a = dump(file), *b = dump(fresh);
  bool equal = strcmp(a, b) == 0;
  if (!equal) {
    fprintf(stderr, "---- before (%s)\n%s\n---- [%u, %u) became '%s'\n", what, before, e->start,
            e->end, rlx_buf_text(&e->text));
    print_lines("edited", a, b);
    print_lines("fresh", b, a);
  }
  free(a);
  free(b);
  rlx_file_close(fresh);
  return equal;
}

#endif
