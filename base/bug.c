/// What happens when rlx_never() finds a mistake of ours: it is logged, and a strict build or
/// process stops.
#include "base/bug.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

bool rlx_bug_report(const char *condition, const char *file, int line) {
  // The one mutable static of the program: it only bounds how much is logged.
  static atomic_uint reports;
  if (atomic_fetch_add(&reports, 1) < 10) {
    fprintf(stderr, "rlx: internal error (please report it): never(%s) at %s:%d\n", condition, file,
            line);
  }
#ifdef RLX_STRICT
  abort();
#else
  const char *strict = getenv("RLX_STRICT");
  if (strict && strict[0] == '1') abort();
  return true;
#endif
}
