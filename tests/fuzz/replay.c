/// A plain main for a fuzz target: runs it once on each file given, or on standard input, so that a
/// finding can be repeated, and seeds are a test, with any compiler.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int main(int argc, char **argv) {
  char standard_input[] = "-";
  char *only[] = {argv[0], standard_input, NULL};
  if (argc < 2) {
    argv = only;
    argc = 2;
  }
  for (int i = 1; i < argc; i++) {
    RlxBuf text = {0};
    RlxError err = {0};
    if (!rlx_file_read(argv[i], &text, &err)) {
      fprintf(stderr, "%s\n", err.text);
      return 2;
    }
    fprintf(stderr, "%s (%zu bytes)\n", argv[i], text.size);
    rlx_buf_reserve(&text, 0); // an empty file is not NULL
    LLVMFuzzerTestOneInput((const uint8_t *)text.at, text.size);
    rlx_buf_free(&text);
  }
  return 0;
}
