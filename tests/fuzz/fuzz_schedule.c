/// Any bytes as what is typed while a schedule is open at the prompt (`:sched`): steps in Python's words and the schedule's own
/// commands, with completion of each line. Nothing crashes, and a schedule that is left leaves a session that goes on.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "repl/kernel.h"
#include "tests/fuzz/session.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { ENTRIES_MOST = 24 };

static const char module[] =
    "@T.prim_func\n"
    "def main(A: T.Buffer((16, 16), \"float32\"), C: T.Buffer((16,), \"float32\")):\n"
    "    B = T.alloc_buffer((16, 16), \"float32\")\n"
    "    for i, j in T.grid(16, 16):\n"
    "        with T.sblock(\"B\"):\n"
    "            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
    "            B[vi, vj] = A[vi, vj] * T.float32(2)\n"
    "    for i, k in T.grid(16, 16):\n"
    "        with T.sblock(\"C\"):\n"
    "            vi, vk = T.axis.remap(\"SR\", [i, k])\n"
    "            with T.init():\n"
    "                C[vi] = T.float32(0)\n"
    "            C[vi] = C[vi] + B[vi, vk]\n";

static bool enter(RlxKernel *kernel, const char *text) {
  RlxKernelPieces pieces = {0};
  const bool ok = rlx_kernel_execute(kernel, text, &pieces);
  rlx_kernel_pieces_free(&pieces);
  return ok;
}

static void complete(RlxKernel *kernel, const char *line) {
  RlxLineOffers offers = {0};
  rlx_kernel_complete(kernel, line, strlen(line), &offers);
  rlx_line_offers_free(&offers);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size > 4096) return 0;
  char *text = calloc(size + 1, 1);
  memcpy(text, bytes, size);
  // `:time` would compile and run, as often as it likes.
  const bool may = fuzz_may_enter(text) && !strstr(text, ":t");
  const RlxReplOptions options = fuzz_session();
  RlxKernel *kernel = may ? rlx_kernel_open(&options) : NULL;
  if (kernel && enter(kernel, module) && enter(kernel, ":sched main")) {
    char *line = text;
    for (int i = 0; line && i < ENTRIES_MOST; i++) {
      char *end = strstr(line, "\n\n"); // an entry may have lines
      if (end) *end = '\0';
      complete(kernel, line);
      enter(kernel, line);
      line = end ? end + 2 : NULL;
    }
  }
  if (kernel) rlx_kernel_close(kernel);
  free(text);
  return 0;
}
