/// Any bytes as a baseline, and as an entry of the cache of findings: read or refused, and what is
/// read can be asked.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/check_impl.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void must(int holds) {
  if (!holds) abort();
}

static void check_baseline(const uint8_t *bytes, size_t size) {
  char name[] = "/tmp/rlx-fuzz-baseline-XXXXXX";
  int fd = mkstemp(name);
  if (fd < 0) return;
  bool is_written = write(fd, bytes, size) == (ssize_t)size;
  close(fd);
  RlxError err = {0};
  RlxBaseline *baseline = is_written ? rlx_baseline_open(name, false, &err) : NULL;
  if (is_written) must(baseline || err.text[0]);
  if (baseline) {
    rlx_baseline_knows(baseline, "a.py", 1);
    rlx_baseline_saw(baseline, "a.py");
    rlx_baseline_stale(baseline);
    must(rlx_baseline_write(baseline, &err));
    rlx_baseline_free(baseline);
    baseline = rlx_baseline_open(name, false, &err); // what was written is read again
    must(baseline != NULL);
    rlx_baseline_free(baseline);
  }
  unlink(name);
}

static void check_report(const uint8_t *bytes, size_t size) {
  RlxReport report = {0};
  const uint32_t text_size = 1000;
  if (!rlx_report_read((const char *)bytes, size, text_size, &report)) {
    must(!report.count);
    return;
  }
  for (uint32_t i = 0; i < report.count; i++) {
    const RlxFinding *d = &report.at[i];
    must(d->span.start <= d->span.end && d->span.end <= text_size);
    must(rlx_diag_row(d->id) && d->message && strlen(d->message) <= size);
    for (uint32_t k = 0; k < d->fix_count; k++)
      for (uint32_t e = 0; e < d->fixes[k].edit_count; e++)
        must(d->fixes[k].edits[e].span.end <= text_size && d->fixes[k].edits[e].text);
  }
  rlx_report_free(&report);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size > 8192) return 0;
  check_baseline(bytes, size);
  check_report(bytes, size);
  return 0;
}
