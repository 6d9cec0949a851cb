// TOML: what the specification allows is read, what it forbids is refused at its place.
#include "base/buf.h"
#include "base/toml.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

static RlxToml *read_text(RlxArena *arena, const char *text) {
  return rlx_toml_read(text, strlen(text), arena, NULL, NULL);
}

static void reads_every_kind(void **state) {
  (void)state;
  RlxArena *arena = rlx_arena_new();
  RlxToml *t = read_text(arena, "s = \"a\\u00e9\\n\"\nl = 'C:\\d'\nm = \"\"\"\none \\\n   "
                                "two\"\"\"\ni = -1_000\nh = 0xFF\nf = 1.5e3\nn = nan\n"
                                "b = true\nd = 1979-05-27 07:32:00Z\na = [1, [2], # x\n "
                                "3,]\n[t.u]\nx.y = {z = 1}\n[[v]]\n[[v]]\nw = 2\n");
  assert_non_null(t);
  assert_string_equal(rlx_toml_get(t, "s")->text, "a\xC3\xA9\n");
  assert_string_equal(rlx_toml_get(t, "l")->text, "C:\\d");
  assert_string_equal(rlx_toml_get(t, "m")->text, "one two");
  assert_int_equal(rlx_toml_get(t, "i")->integer, -1000);
  assert_int_equal(rlx_toml_get(t, "h")->integer, 255);
  assert_true(rlx_toml_get(t, "f")->number == 1500.0);
  assert_true(isnan(rlx_toml_get(t, "n")->number));
  assert_true(rlx_toml_get(t, "b")->boolean);
  assert_int_equal(rlx_toml_get(t, "d")->kind, RLX_TOML_DATE);
  assert_int_equal(rlx_toml_get(t, "a")->count, 3);
  const RlxToml *u = rlx_toml_get(rlx_toml_get(t, "t"), "u");
  assert_int_equal(rlx_toml_get(rlx_toml_get(rlx_toml_get(u, "x"), "y"), "z")->integer, 1);
  assert_int_equal(rlx_toml_get(t, "v")->count, 2);
  assert_int_equal(rlx_toml_get(rlx_toml_get(t, "v")->last, "w")->integer, 2);
  rlx_arena_free(arena);
}

static void gives_places(void **state) {
  (void)state;
  RlxArena *arena = rlx_arena_new();
  RlxToml *t = read_text(arena, "a = 1\nkey = [\"x\"]\n");
  const RlxToml *key = rlx_toml_get(t, "key");
  assert_int_equal(key->key_start, 6);
  assert_int_equal(key->key_end, 9);
  assert_int_equal(key->start, 12);
  assert_int_equal(key->end, 17);
  rlx_arena_free(arena);
}

static void refuses_what_is_wrong(void **state) {
  (void)state;
  static const struct {
    const char *text;
    uint32_t offset;
  } cases[] = {
      {"a = b", 4},
      {"a = 1\na = 2", 6},
      {"a", 1},
      {"a = \"x", 4},
      {"a = [1", 4},
      {"a = {b = 1", 10},
      {"a = {b = 1,}", 11},
      {"a = 01", 4},
      {"a = 1__2", 4},
      {"a = 0x", 4},
      {"a = 1.", 4},
      {"[a]\n[a]", 5},
      {"[a]\nb=1\n[a.b]", 11},
      {"a = {}\n[a.b]", 8},
      {"a.b = 1\n[a]", 9},
      {"a = []\n[[a]]", 9},
      {"[[a]]\n[a]", 7},
      {"a = \"\\x\"", 5},
      {"a = 1 b = 2", 6},
      {"a = 1979-13-01", 4},
      {"a = 2023-02-29", 4},
      {"a = +0xF", 4},
      {"a = \"\xFF\"", 5},
      {"a = 1 # \x01", 8},
      {"a = 9223372036854775808", 4},
      {"a = \"\\uD800\"", 5},
      {"= 1", 0},
      {"[a.b.c]\n[a]\nb.d = 1", 12},
      {"[a", 2},
      {"[[a]", 3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    RlxArena *arena = rlx_arena_new();
    RlxError err = {0};
    uint32_t offset = 0;
    RlxToml *t = rlx_toml_read(cases[i].text, strlen(cases[i].text), arena, &offset, &err);
    if (t || offset != cases[i].offset)
      print_error("%s: %s at %u\n", cases[i].text, t ? "accepted" : err.text, offset);
    assert_null(t);
    assert_true(err.text[0]);
    assert_int_equal(offset, cases[i].offset);
    rlx_arena_free(arena);
  }
}

/// The keys that were read, those of tables in brackets: "a b[c]".
static void write_table(const RlxToml *table, RlxBuf *out) {
  for (const RlxToml *at = table->first; at; at = at->next) {
    rlx_buf_printf(out, "%s%s", at == table->first ? "" : " ", at->key ? at->key : "-");
    if (at->kind != RLX_TOML_TABLE) continue;
    rlx_buf_putc(out, '[');
    write_table(at, out);
    rlx_buf_putc(out, ']');
  }
}

static void what_can_be_read_is_kept(void **state) {
  (void)state;
  static const struct {
    const char *text, *wanted; // the places of the faults, then what was read
  } cases[] = {
      {"a = b\nc = 1\nd 2\ne = 3\n", "4 14 : c e"},
      // an array without its end takes nothing with it, nor does what stands in it begin anything
      {"a = [1,\nb = 2\nc = 3\n", "8 : b c"},
      {"a = [\n  [1],\n  x = 1\n]\nb = 2\n", "15 : b"},
      {"a = [\n  [1],\n  [2]\nb = 2\n", "19 : b"},
      {"a = \"x\nb = 'y\nc = 'z' # d = 1\n", "4 11 : c"},
      // what a string holds over several lines is no entry
      {"a = \"\"\"\n\\q\nb = 1\n\"\"\"\nc = 2\n", "8 : c"},
      {"c = 2\na = '''\nb = 1\n", "10 : c"},
      // below a header that is not one nobody knows what is meant
      {"a = 1\n[b\nc = 2\n[d]\ne = 3\n", "8 : a d[e]"},
      {"[b] x\nc = 2\n", "4 : b[c]"},
      {"[b]\nc = 1\n[b]\nc = 2\n[d]\n", "11 : b[c] d[]"},
      {"b.c =\n[b]\nd = 1\n", "5 : b[d]"},
      {"a.'b c' . d = 1\na.b-c = x\n\"e\" = 2", "24 : a[b c[d]] e"},
      {"a = 1 # \x01\nb = 2\n# \x02\nc = 3\n", "8 18 : a b c"},
      {"a = \"\xFF\"\nb = 1\n", "5 : "},
      // a line that no bracket continues is one of its own, whatever it says
      {"a b\nc d\ne = 3\n", "2 6 : e"},
      {"a = x\nb c\n# [\n]\nd = 1\n", "4 8 14 : d"},
      {"a = \"[\" x # [\nb c\nd = 1\n", "8 16 : a d"},
      {"a = {\n  x = 1,\n}\nb c\nd = 2\n", "4 19 : d"},
      {"a = [x,\n  y]\nb c\nd = 2\n", "5 15 : d"},
      {"a = 1,\n    2\nb = 3\n", "5 : a b"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    RlxArena *arena = rlx_arena_new();
    RlxTomlFaults faults = {0};
    RlxBuf out = {0};
    RlxToml *t = rlx_toml_read_most(cases[i].text, strlen(cases[i].text), arena, &faults);
    for (uint32_t k = 0; k < faults.count; k++) rlx_buf_printf(&out, "%u ", faults.at[k].at);
    rlx_buf_puts(&out, ": ");
    write_table(t, &out);
    assert_string_equal(rlx_buf_text(&out), cases[i].wanted);
    rlx_buf_free(&out);
    rlx_vec_free(&faults);
    rlx_arena_free(arena);
  }
}

static void faults_are_bounded(void **state) {
  (void)state;
  RlxArena *arena = rlx_arena_new();
  RlxTomlFaults faults = {0};
  RlxBuf text = {0};
  for (int i = 0; i < 300; i++) rlx_buf_puts(&text, "a =\n");
  rlx_toml_read_most(rlx_buf_text(&text), text.size, arena, &faults);
  assert_int_equal(faults.count, RLX_TOML_FAULTS_MAX);
  rlx_buf_free(&text);
  rlx_vec_free(&faults);
  rlx_arena_free(arena);
}

static void depth_is_bounded(void **state) {
  (void)state;
  static char deep[200000];
  RlxArena *arena = rlx_arena_new();
  memset(deep, '[', sizeof deep - 1);
  deep[0] = 'a';
  deep[1] = '=';
  assert_null(read_text(arena, deep));
  for (size_t i = 0; i + 1 < sizeof deep; i++) deep[i] = i % 2 ? '.' : 'a';
  memcpy(deep + sizeof deep - 6, "a = 1", 5);
  assert_non_null(read_text(arena, deep));
  rlx_arena_free(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_every_kind),         cmocka_unit_test(gives_places),
      cmocka_unit_test(refuses_what_is_wrong),    cmocka_unit_test(depth_is_bounded),
      cmocka_unit_test(what_can_be_read_is_kept), cmocka_unit_test(faults_are_bounded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
