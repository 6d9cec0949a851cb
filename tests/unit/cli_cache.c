/// The cache of findings: what is damaged is no entry, and no bytes make the reader leave them.
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/file.h"
#include "cli/cache.h"
#include "tests/test.h"

// Findings in a function and outside of one, with notes and fixes.
static const char SCRIPT[] =
    "from tvm.script import relax as R\n"
    "@R.function\n"
    "def f(x: R.Tensor((4,), \"float32\")) -> R.Tensor((5,), \"float32\"):\n"
    "    y: R.Tensor((5,), \"float32\") = R.add(x, x)\n"
    "    z = R.ad(y, x)\n"
    "    return R.nn.relu(yy)\n"
    "@R.function\n"
    "def f(x: Tensr):\n"
    "    return x\n";
enum { SCRIPT_SIZE = sizeof SCRIPT - 1 };

static void make_report(RlxReport *out) {
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, SCRIPT, SCRIPT_SIZE);
  rlx_report_make(file, rlx_analyzer_store(analyzer), out);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  uint32_t fixes = 0, notes = 0;
  for (uint32_t i = 0; i < out->count; i++) {
    fixes += out->at[i].fix_count;
    notes += out->at[i].related_count;
  }
  assert_true(out->count > 2 && fixes && notes);
}

/// The bytes end where their memory ends, so that a sanitizer sees who reads on.
static bool reads(const char *bytes, size_t size, RlxReport *out) {
  char *own = malloc(size ? size : 1);
  memcpy(own, bytes, size);
  bool fine = rlx_report_read(own, size, SCRIPT_SIZE, out);
  free(own);
  return fine;
}

static bool is_inside(RlxSpan span) { return span.start <= span.end && span.end <= SCRIPT_SIZE; }

/// What was read is a report as any other: its places are in the text, and it can be written.
static void check_report(const RlxReport *report) {
  for (uint32_t i = 0; i < report->count; i++) {
    const RlxFinding *f = &report->at[i];
    assert_true(is_inside(f->span) && f->message && (int)f->id < rlx_diag_count());
    for (uint32_t k = 0; k < f->related_count; k++) assert_true(is_inside(f->related[k].span));
    for (uint32_t k = 0; k < f->fix_count; k++)
      for (uint32_t e = 0; e < f->fixes[k].edit_count; e++)
        assert_true(is_inside(f->fixes[k].edits[e].span));
  }
  RlxBuf again = {0};
  rlx_report_write(report, &again);
  rlx_buf_free(&again);
}

static void any_bytes_are_read_as_a_report_or_not(void **state) {
  (void)state;
  static const unsigned char masks[] = {1, 2, 4, 8, 16, 32, 64, 128, 255, 127};
  RlxReport report = {0}, read = {0};
  RlxBuf bytes = {0};
  make_report(&report);
  rlx_report_write(&report, &bytes);
  for (size_t i = 0; i < bytes.size; i++) {
    assert_false(reads(bytes.at, i, &read)); // cut off
    for (size_t k = 0; k < sizeof masks; k++) {
      bytes.at[i] = (char)(bytes.at[i] ^ masks[k]);
      if (reads(bytes.at, bytes.size, &read)) check_report(&read);
      rlx_report_free(&read);
      bytes.at[i] = (char)(bytes.at[i] ^ masks[k]);
    }
  }
  assert_true(reads(bytes.at, bytes.size, &read));
  check_report(&read);
  rlx_report_free(&read);
  rlx_report_free(&report);
  rlx_buf_free(&bytes);
}

typedef struct Place {
  char folder[64];
  RlxBuf path, entry; // the one file that the cache has, and its bytes
  RlxCacheKey key;
} Place;

static void keep_report(Place *p, const RlxReport *report) {
  strcpy(p->folder, "/tmp/rlx-cache-XXXXXX");
  assert_non_null(mkdtemp(p->folder));
  p->key = (RlxCacheKey){UINT64_C(0x0123456789abcdef), UINT64_C(0xfedcba9876543210)};
  rlx_cache_put(p->folder, p->key, report);
  rlx_buf_printf(&p->path, "%s/fe/dcba98765432100123456789abcdef", p->folder);
  RlxError err = {0};
  assert_true(rlx_file_read(p->path.at, &p->entry, &err));
}

static void remove_place(Place *p) {
  RlxBuf command = {0};
  rlx_buf_printf(&command, "rm -r %s", p->folder);
  assert_int_equal(system(command.at), 0);
  rlx_buf_free(&command);
  rlx_buf_free(&p->path);
  rlx_buf_free(&p->entry);
}

static bool gets(const Place *p, const char *bytes, size_t size) {
  int fd =
      open(p->path.at, O_WRONLY); // what is emptied first is written to the disk when it is closed
  assert_int_equal(pwrite(fd, bytes, size, 0), size);
  assert_int_equal(ftruncate(fd, (off_t)size), 0);
  close(fd);
  RlxReport read = {0};
  bool fine = rlx_cache_get(p->folder, p->key, SCRIPT_SIZE, &read);
  if (!fine) assert_true(!read.count && !read.arena);
  rlx_report_free(&read);
  return fine;
}

static void a_damaged_entry_is_none(void **state) {
  (void)state;
  RlxReport report = {0};
  Place p = {0};
  make_report(&report);
  keep_report(&p, &report);
  assert_true(gets(&p, p.entry.at, p.entry.size));
  for (size_t i = 0; i < p.entry.size; i++) {
    if (gets(&p, p.entry.at, i)) fail_msg("cut off at %zu", i);
    for (int bit = 0; bit < 8; bit++) {
      p.entry.at[i] = (char)(p.entry.at[i] ^ 1 << bit);
      if (gets(&p, p.entry.at, p.entry.size)) fail_msg("bit %d of byte %zu", bit, i);
      p.entry.at[i] = (char)(p.entry.at[i] ^ 1 << bit);
    }
  }
  rlx_buf_putn(&p.entry, "", 1);
  assert_false(gets(&p, p.entry.at, p.entry.size));
  assert_true(gets(&p, p.entry.at, p.entry.size - 1));
  p.key.low++; // the entry of another text under this one's name
  RlxReport read = {0};
  assert_false(rlx_cache_get(p.folder, p.key, SCRIPT_SIZE, &read));
  remove_place(&p);
  rlx_report_free(&report);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(any_bytes_are_read_as_a_report_or_not),
      cmocka_unit_test(a_damaged_entry_is_none),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
