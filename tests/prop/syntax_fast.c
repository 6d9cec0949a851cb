/// The usual statements read by hand are what tree-sitter's tree is lowered to: on random lines
/// made of what such statements are made of, on scripts, and on the files named in the arguments.
#include "tests/test.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/syntax/document_dump.h"
#include "base/file.h"

static void dump(const char *text, size_t size, bool by_tree, RlxBuf *out) {
  RlxStore *store = rlx_store_new();
  RlxDocument *doc = rlx_document_new(store, NULL, NULL);
  if (by_tree) rlx_document_by_tree(doc);
  rlx_document_set_text(doc, text, (uint32_t)size);
  rlx_document_dump(doc, out);
  rlx_document_free(doc);
  rlx_store_free(store);
}

/// The first line in which two dumps differ.
static void show_difference(const char *a, const char *b) {
  size_t i = 0, line = 0;
  while (a[i] && a[i] == b[i]) {
    if (a[i] == '\n') line = i + 1;
    i++;
  }
  print_error("by hand: %.*s\nby tree: %.*s\n", (int)strcspn(a + line, "\n"), a + line,
              (int)strcspn(b + line, "\n"), b + line);
}

static bool agrees(const char *text, size_t size) {
  RlxBuf a = {0}, b = {0};
  dump(text, size, false, &a);
  dump(text, size, true, &b);
  bool same = a.size == b.size && memcmp(rlx_buf_text(&a), rlx_buf_text(&b), a.size) == 0;
  if (!same) show_difference(rlx_buf_text(&a), rlx_buf_text(&b));
  rlx_buf_free(&a);
  rlx_buf_free(&b);
  return same;
}

static const char *const parts[] = {
    "x",
    "y1",
    "R.add",
    "lv",
    "f",
    "(",
    ")",
    "(x, ",
    "[",
    "]",
    "{",
    "}",
    ",",
    ", ",
    ":",
    " = ",
    "=",
    "==",
    " == ",
    " != ",
    "<",
    ">=",
    "<>",
    "+",
    " - ",
    "-",
    "*",
    "**",
    "/",
    "//",
    "%",
    "@",
    "~",
    "&",
    ".",
    "...",
    "1",
    "0",
    "00",
    "1.5",
    ".5",
    "1e3",
    "1e",
    "1_0",
    "0x1",
    "3j",
    "1.a",
    "\"s\"",
    "'t'",
    "\"\"\"u\"\"\"",
    "\"n\\n\"",
    "f\"{x}\"",
    "b'c'",
    "\"a\" \"b\"",
    "None",
    "True",
    "not ",
    " and ",
    " in ",
    " is ",
    " or ",
    "not in ",
    " is not ",
    "<<",
    " >> ",
    " | ",
    "^",
    "*(x,), ",
    "**{'a': 0}",
    "{x, *y1}",
    "[*x, ",
    "x if y1 else lv",
    "x, *y1 = lv, ",
    " if ",
    " else ",
    "lambda: ",
    "for ",
    "await ",
    "yield",
    "return ",
    "return",
    "pass",
    "type ",
    "match ",
    "print ",
    ": R.Tensor((2, \"n\"), \"float32\") = ",
    "axis=1",
    "x=x",
    "*x",
    "**k",
    ":=",
    "::",
    "1:2",
    "\n",
    "\n  ",
    " ",
    "\t",
    ";",
    "# c",
    "# c\n",
    "\\\n",
    "\f",
    "\r",
    "é",
    "+=",
    "->",
    "!",
    "$",
    "?",
    "x.y[0]",
    "a(b, c=1)",
    "[1, 2,]",
    "(1,)",
    "()",
    "{}",
    "{1: 2}",
    "del x",
    "import a",
    "global x",
    "x[1:, ::2]",
    "def f(",
    "def f(x: R.Tensor = 1) -> x",
    "@a.b(1)\n",
    "; ",
    " -> ",
};

static void random_lines_agree(void **state) {
  (void)state;
  unsigned seed = 7;
  RlxBuf text = {0};
  for (int round = 0; round < 16000; round++) {
    rlx_buf_clear(&text);
    for (int n = rand_r(&seed) % 9 + 1; n > 0; n--)
      rlx_buf_puts(&text, parts[(size_t)rand_r(&seed) % (sizeof parts / sizeof *parts)]);
    bool good = agrees(text.at, text.size);
    if (!good) print_error("text: %s\n", text.at);
    assert_true(good);
  }
  rlx_buf_free(&text);
}

/// A line that does not parse reads the same behind one that differs from it in names only (whose tree is kept) as when it is
/// parsed in an edit of its own.
static void kept_trees_agree(void **state) {
  (void)state;
  static const char *const pieces[] = {
      "y1", "z22",  " ",    "(",       ")",   ", ",   " = ",     "R.add(", "x",    "\"y1 ",
      "\"", "1.e5", "1e5y", "f\"{",    "}\"", ".",    "print1 ", "if ",    ":",    "[",
      "]",  "a b ", "def ", "lambda ", "y1'", "0x1",  "*",       "=",      "for ", " in ",
      "\\", "\\\n", "e5",   "_1",      "é1",  "# y1", "\r",      ";",      "\t"};
  unsigned seed = 5;
  RlxBuf line = {0}, twin = {0}, dumps[2] = {{0}, {0}};
  for (int round = 0; round < 6000; round++) {
    rlx_buf_clear(&line);
    for (int n = rand_r(&seed) % 7 + 2; n > 0; n--)
      rlx_buf_puts(&line, pieces[(size_t)rand_r(&seed) % (sizeof pieces / sizeof *pieces)]);
    rlx_buf_putc(&line, '\n');
    rlx_buf_clear(&twin);
    rlx_buf_putn(&twin, line.at, line.size);
    for (size_t i = 0; i + 1 < twin.size;
         i++) // other names, as long: the letter and the digit change
      if (strchr("yz_e", twin.at[i]) && twin.at[i + 1] >= '0' && twin.at[i + 1] <= '9')
        twin.at[i] = "vwey"[rand_r(&seed) % 4];
      else if (twin.at[i] >= 'a' && twin.at[i] <= 'z' && rand_r(&seed) % 8 == 0)
        twin.at[i] = "ofbr"[rand_r(&seed) % 4]; // perhaps another word: then it is another text
    RlxStore *store = rlx_store_new();
    RlxDocument *docs[2] = {rlx_document_new(store, NULL, NULL),
                            rlx_document_new(store, NULL, NULL)};
    const uint32_t size = (uint32_t)line.size;
    rlx_document_set_text(docs[0], line.at, size);
    rlx_document_edit(docs[0], size, size, twin.at, size);
    rlx_buf_putn(&line, twin.at, size);
    rlx_document_set_text(docs[1], line.at, (uint32_t)line.size);
    for (int i = 0; i < 2; i++) {
      rlx_buf_clear(&dumps[i]);
      rlx_document_dump(docs[i], &dumps[i]);
      rlx_document_free(docs[i]);
    }
    rlx_store_free(store);
    const bool same = strcmp(rlx_buf_text(&dumps[0]), rlx_buf_text(&dumps[1])) == 0;
    if (!same) print_error("text: %s\n", line.at);
    assert_true(same);
  }
  for (int i = 0; i < 2; i++) rlx_buf_free(&dumps[i]);
  rlx_buf_free(&line);
  rlx_buf_free(&twin);
}

/// Usual statements, in which one part was changed.
static void damaged_statements_agree(void **state) {
  (void)state;
  static const char *const usual[] = {
      "lv = R.add(x, y)",
      "gv: R.Tensor((2, \"n * 2\"), dtype=\"float32\") = R.nn.conv2d(x, w, strides=[1, 1], "
      "padding=(0, -1))",
      "return gv, lv1",
      "R.output(gv)",
      "A[vi, vj] = B[vi * 4 + vj % 4, 0:16:2] + T.float32(1.5e-3)",
      "x.y.z(1)(2)[3].w = a = b, c",
      "T.reads(A[v0, v1 // 2 + 1], B[:, ::3])",
      "d = {\"a\": [1, (2, 3), ()], 'b': -x ** -2 < 3 == y}",
      "pass",
      "f(\n  a, # first\n  b=1,\n)",
      "n = T.int64()",
      "x = 1; y: R.Tensor = f(';'); return x, y;",
      "a = f(x, # ;\n  y); b.c[0] = \";\" ; pass",
      "def f(x, y: R.Tensor((2, \"n\"), \"float32\") = 1, *, z=(2,)) -> R.Tuple(R.Tensor, "
      "R.Object):\n  return x",
      "def main(x: T.int64, y=-1): a = x; return a, y",
      "@R.function(pure=False, private = True)\ndef f(\n  x: \"R.Tensor\", # first\n  y: "
      "T.handle,\n):\n  pass",
      "class M:\n  @I.ir_module\n\n  # between\n  @T.prim_func(private=True) # behind\n  def g(A: "
      "T.Buffer((4, 4), "
      "\"float32\")) -> None: T.evaluate(0); A[0, 0] = 1.0\n  x = 1",
      "y = R.concat(*(x, z), *w, axis=1, *a, **{'b': 1, **c}, **d)",
      "a, *b, c = (*x, y, *(z | w)), [*x], {**d, 1: 2, **e}",
      "z = x if a < b and not c or d else y if e in f and g not in h else -w",
      "s = {x}, {1, *a, y,}, {*b}, z[*x], z[*x, 1:], {**d}",
      "v = (a is not b) == (c is d), ~a << 2 >> b & c ^ d | e @ f, not not a",
      "async def f(a: int, /, b: (int) = 2, **k) -> (a): pass; pass ;",
  };
  unsigned seed = 11;
  RlxBuf text = {0};
  for (int round = 0; round < 12000; round++) {
    const char *line = usual[(size_t)rand_r(&seed) % (sizeof usual / sizeof *usual)];
    size_t size = strlen(line), at = (size_t)rand_r(&seed) % (size + 1),
           cut = (size_t)rand_r(&seed) % 4;
    rlx_buf_clear(&text);
    rlx_buf_putn(&text, line, at);
    if (rand_r(&seed) % 8)
      rlx_buf_puts(&text, parts[(size_t)rand_r(&seed) % (sizeof parts / sizeof *parts)]);
    if (at + cut < size) rlx_buf_puts(&text, line + at + cut);
    bool good = agrees(text.at, text.size);
    if (!good) print_error("text: %s\n", text.at);
    assert_true(good);
  }
  rlx_buf_free(&text);
}

static bool file_agrees(const char *path) {
  RlxBuf text = {0};
  bool good = rlx_file_read(path, &text, NULL) && agrees(rlx_buf_text(&text), text.size);
  if (!good) print_error("%s\n", path);
  rlx_buf_free(&text);
  return good;
}

static bool take_folder(void *user, const RlxFileVisit *visit) {
  size_t size = strlen(visit->path);
  if (!visit->is_folder && size > 3 && strcmp(visit->path + size - 3, ".py") == 0) {
    uint32_t *counts = user;
    counts[0]++;
    counts[1] += !file_agrees(visit->path);
  }
  return true;
}

static void files_agree(void **state) {
  (void)state;
  uint32_t counts[2] = {0, 0};
  const char *more = getenv("RLX_PYTHON_CORPUS");
  rlx_file_walk("examples", take_folder, counts, NULL);
  rlx_file_walk("tests/golden", take_folder, counts, NULL);
  if (more) rlx_file_walk(more, take_folder, counts, NULL);
  print_message("%u files\n", counts[0]);
  assert_int_equal(counts[1], 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_lines_agree), cmocka_unit_test(kept_trees_agree),
      cmocka_unit_test(damaged_statements_agree), cmocka_unit_test(files_agree)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
