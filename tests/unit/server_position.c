// Positions of the protocol: columns in each encoding, what lies behind a line or the text, ranges
// that are written backwards, and edits with all of these.
#include "tests/test.h"

#include <string.h>

#include "server/methods/methods.h"
#include "server/session/session.h"

// é is 2 bytes and 1 unit, 𝄞 is 4 bytes, 2 UTF-16 units and 1 code point.
static const char text[] = "ab\n"                          // 0
                           "\xc3\xa9\xf0\x9d\x84\x9ez\r\n" // 3: é at 3, 𝄞 at 5, z at 9
                           "\n"                            // 12
                           "end";                          // 13 to 16

typedef struct Fixture {
  RlxServer server;
  RlxFile *file;
} Fixture;

static Fixture fixture(RlxEncoding encoding) {
  Fixture f = {.server = {.encoding = encoding, .analyzer = rlx_analyzer_new(NULL)}};
  f.file = rlx_file_open(f.server.analyzer, text, sizeof text - 1);
  return f;
}

static void drop(Fixture *f) {
  rlx_file_close(f->file);
  rlx_analyzer_free(f->server.analyzer);
}

static uint32_t offset(Fixture *f, double line, double character) {
  cJSON *position = cJSON_CreateObject();
  uint32_t out = 1000;
  cJSON_AddNumberToObject(position, "line", line);
  cJSON_AddNumberToObject(position, "character", character);
  if (!rlx_position_offset(&f->server, f->file, position, &out)) out = 2000;
  cJSON_Delete(position);
  return out;
}

static void positions_in_each_encoding(void **state) {
  (void)state;
  static const struct {
    RlxEncoding encoding;
    double columns[3]; // after é, after 𝄞, after z
  } rows[] = {{RLX_UTF8, {2, 6, 7}}, {RLX_UTF16, {1, 3, 4}}, {RLX_UTF32, {1, 2, 3}}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    Fixture f = fixture(rows[i].encoding);
    static const uint32_t want[] = {5, 9, 10};
    for (int k = 0; k < 3; k++) {
      assert_int_equal(offset(&f, 1, rows[i].columns[k]), want[k]);
      RlxPosition back = rlx_position_of(&f.server, f.file, want[k]);
      assert_int_equal(back.line, 1);
      assert_int_equal(back.character, (uint32_t)rows[i].columns[k]);
    }
    drop(&f);
  }
}

static void what_lies_behind_is_clamped(void **state) {
  (void)state;
  Fixture f = fixture(RLX_UTF16);
  assert_int_equal(offset(&f, 0, 2), 2);
  assert_int_equal(offset(&f, 0, 3), 2); // not the next line's
  assert_int_equal(offset(&f, 0, 4294967295.0), 2);
  assert_int_equal(offset(&f, 0, 1e30), 2);
  assert_int_equal(offset(&f, 1, 5), 10); // before "\r\n", not inside
  assert_int_equal(offset(&f, 1, 2), 5);  // in the middle of 𝄞: its start
  assert_int_equal(offset(&f, 2, 9), 12);
  assert_int_equal(offset(&f, 3, 9), 16);
  assert_int_equal(offset(&f, 4, 0), 16);
  assert_int_equal(offset(&f, 1e12, 1e12), 16);
  assert_int_equal(offset(&f, -1, 0), 2000); // no position
  assert_int_equal(offset(&f, 0, -1), 2000);
  RlxPosition at = rlx_position_of(&f.server, f.file, 11); // between "\r" and "\n"
  assert_int_equal(at.line, 1);
  assert_int_equal(at.character, 4);
  Fixture bytes = fixture(RLX_UTF8);
  assert_int_equal(offset(&bytes, 0, 9), 2);
  assert_int_equal(rlx_position_of(&bytes.server, bytes.file, 11).character, 7);
  drop(&bytes);
  at = rlx_position_of(&f.server, f.file, 99);
  assert_int_equal(at.line, 3);
  assert_int_equal(at.character, 3);
  drop(&f);
}

static bool range_of(Fixture *f, const char *json, RlxSpan *out) {
  cJSON *range = cJSON_Parse(json);
  assert_non_null(range);
  bool is = rlx_range_offsets(&f->server, f->file, range, out);
  cJSON_Delete(range);
  return is;
}

static void reversed_ranges_are_turned_round(void **state) {
  (void)state;
  static const struct {
    const char *range;
    uint32_t start, end;
  } rows[] = {
      {"{\"start\":{\"line\":0,\"character\":1},\"end\":{\"line\":3,\"character\":2}}", 1, 15},
      {"{\"start\":{\"line\":3,\"character\":2},\"end\":{\"line\":0,\"character\":1}}", 1, 15},
      {"{\"start\":{\"line\":1,\"character\":4},\"end\":{\"line\":1,\"character\":1}}", 5, 10},
      {"{\"start\":{\"line\":9,\"character\":9},\"end\":{\"line\":3,\"character\":0}}", 13, 16},
      {"{\"start\":{\"line\":9,\"character\":9},\"end\":{\"line\":7,\"character\":0}}", 16, 16},
      // behind the line's end, so the same place: nothing is in between
      {"{\"start\":{\"line\":0,\"character\":8},\"end\":{\"line\":0,\"character\":2}}", 2, 2},
      {"{\"start\":{\"line\":2,\"character\":0},\"end\":{\"line\":2,\"character\":0}}", 12, 12},
  };
  Fixture f = fixture(RLX_UTF16);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    RlxSpan span;
    assert_true(range_of(&f, rows[i].range, &span));
    assert_int_equal(span.start, rows[i].start);
    assert_int_equal(span.end, rows[i].end);
  }
  RlxSpan span;
  assert_false(range_of(&f, "{\"start\":{\"line\":0,\"character\":1}}", &span));
  assert_false(range_of(&f, "{\"end\":{\"line\":0,\"character\":1}}", &span));
  assert_false(range_of(&f, "[]", &span));
  drop(&f);
}

/// textDocument/didChange with `changes`; the text afterwards.
static void changed(const char *changes, const char *want) {
  Fixture f = fixture(RLX_UTF16);
  char uri[] = "file:///a.py";
  RlxOpenFile open = {.uri = uri, .file = f.file};
  rlx_vec_push(&f.server.files, open);
  rlx_strmap_put(&f.server.by_uri, uri, strlen(uri), 0);
  RlxBuf json = {0};
  rlx_buf_printf(&json, "{\"textDocument\":{\"uri\":\"%s\",\"version\":2},\"contentChanges\":%s}",
                 uri, changes);
  cJSON *params = cJSON_Parse(rlx_buf_text(&json));
  assert_non_null(params);
  assert_int_equal(rlx_lsp_did_change(&f.server, params, NULL), RLX_RPC_OK);
  uint32_t size;
  const char *now = rlx_document_text(rlx_file_document(f.file), &size);
  assert_int_equal(size, strlen(want));
  assert_memory_equal(now, want, size);
  assert_true(f.server.files.at[0].is_dirty);
  assert_int_equal(f.server.files.at[0].version, 2);
  cJSON_Delete(params);
  rlx_buf_free(&json);
  rlx_vec_free(&f.server.files);
  rlx_strmap_free(&f.server.by_uri);
  drop(&f);
}

static void edits_with_such_ranges(void **state) {
  (void)state;
  changed(
      "[{\"range\":{\"start\":{\"line\":3,\"character\":2},\"end\":{\"line\":0,\"character\":1}},"
      "\"text\":\"-\"}]",
      "a-d");
  changed(
      "[{\"range\":{\"start\":{\"line\":1,\"character\":3},\"end\":{\"line\":1,\"character\":1}},"
      "\"text\":\"\"}]",
      "ab\n\xc3\xa9z\r\n\nend");
  changed(
      "[{\"range\":{\"start\":{\"line\":8,\"character\":0},\"end\":{\"line\":9,\"character\":5}},"
      "\"text\":\"\\n\"}]",
      "ab\n\xc3\xa9\xf0\x9d\x84\x9ez\r\n\nend\n");
  // one change after another: each is of the text that the one before left
  changed(
      "[{\"text\":\"xy\"},{\"range\":{\"start\":{\"line\":0,\"character\":2},\"end\":{\"line\":"
      "0,\"character\":1}},\"text\":\"zzz\"},{\"range\":{\"start\":{\"line\":0,\"character\":3},"
      "\"end\":{\"line\":0,\"character\":99}},\"text\":\"!\"}]",
      "xzz!");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(positions_in_each_encoding),
      cmocka_unit_test(what_lies_behind_is_clamped),
      cmocka_unit_test(reversed_ranges_are_turned_round),
      cmocka_unit_test(edits_with_such_ranges),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
