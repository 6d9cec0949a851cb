/// Any bytes as the cells of a notebook, with blank lines between them, at a session: each is evaluated or refused, and so are
/// questions about its end. Nothing crashes, the worker neither: a script's own PrimFuncs (T.) may end it, what rlx makes of
/// operators may not. Schedules are opened and their steps taken. Commands that write files or run for long are left out.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "repl/kernel.h"
#include "tests/fuzz/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { CELLS_MOST = 12 };

/// The worker's death, in what a cell printed.
static void look_at(const RlxKernelPieces *pieces, bool may_die) {
  for (uint32_t i = 0; i < pieces->count && !may_die; i++) {
    const char *text = pieces->at[i].text;
    if (!strstr(text, "the worker died of") && !strstr(text, "the worker ended with")) continue;
    fprintf(stderr, "%s\n", text);
    abort();
  }
}

static void enter(RlxKernel *kernel, const char *cell, bool may_die) {
  RlxKernelPieces pieces = {0};
  RlxLineOffers offers = {0};
  RlxBuf about = {0};
  rlx_kernel_wants_more(cell);
  rlx_kernel_complete(kernel, cell, strlen(cell), &offers);
  rlx_kernel_inspect(kernel, cell, strlen(cell), &about);
  rlx_kernel_execute(kernel, cell, &pieces);
  look_at(&pieces, may_die);
  rlx_kernel_pieces_free(&pieces);
  rlx_line_offers_free(&offers);
  rlx_buf_free(&about);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size > 8192) return 0;
  char *text = calloc(size + 1, 1);
  memcpy(text, bytes, size);
  const RlxReplOptions options = fuzz_session();
  RlxKernel *kernel = fuzz_may_enter(text) ? rlx_kernel_open(&options) : NULL;
  // A script that calls what it likes may end the worker; one that holds these words is quoted in what is printed.
  const bool may_die = strstr(text, "T.") || strstr(text, "the worker ");
  char *cell = text;
  for (int i = 0; kernel && cell && i < CELLS_MOST; i++) {
    char *end = strstr(cell, "\n\n");
    if (end) *end = '\0';
    enter(kernel, cell, may_die);
    cell = end ? end + 2 : NULL;
  }
  if (kernel) rlx_kernel_close(kernel);
  free(text);
  return 0;
}
