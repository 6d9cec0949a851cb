/// Random edits: a file that was edited gives what the same text gives when it is opened fresh. The
/// seed is printed, and read from RLX_SEED. And counters: what one edit in a long function analyses
/// again.
#include "analyzer/analyzer.h"
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyzer/report/dump.h"
#include "tests/prop/scripts.h"

static uint64_t state;

static uint32_t rnd(uint32_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return below ? (uint32_t)(state >> 11) % below : 0;
}

static const char *const starts[] = {
    "from tvm.script import ir as I, relax as R, tirx as T\nk = 4\n\n@I.ir_module\nclass Module:\n"
    "    @T.prim_func\n    def add1(A: T.Buffer((4,), \"float32\"), B: T.Buffer((4,), "
    "\"float32\")):\n        for i in range(4):\n            B[i] = A[i] + T.float32(1)\n\n"
    "    @R.function\n    def helper(x: R.Tensor((\"n\", 4), \"float32\")):\n        n = "
    "T.int64()\n        y = R.add(x, x)\n        return y\n\n"
    "    @R.function\n    def main(x: R.Tensor((\"n\", 4), \"float32\"), w: R.Tensor((4, 8), "
    "\"float32\"), c: R.Tensor((), \"bool\")):\n"
    "        n = T.int64()\n        cls = Module\n        with R.dataflow():\n            lv = "
    "R.matmul(x, w)\n            lv1 = R.exp(R.add(lv, lv))\n"
    "            lv2 = R.reshape(lv1, (n * 8,))\n            R.output(lv1, lv2)\n        h = "
    "cls.helper(x)\n        if c:\n            z = R.exp(h)\n            q = R.add(z, z)\n"
    "        else:\n            q = R.add(h, h)\n        t = (q, lv1)\n        a, b = t\n        m "
    "= T.int64()\n        mc = R.match_cast(a, R.Tensor((m, 4), \"float32\"))\n"
    "        ones = R.ones((k,), \"float32\")\n        p = R.call_tir(cls.add1, (ones,), "
    "R.Tensor((4,), \"float32\"))\n        return (mc, b, p)\n",
    "from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Tensor((2, 3), \"float32\")) -> "
    "R.Tensor((2, 3), \"float32\"):\n    x = R.add(x, x)\n    x = R.exp(x)\n    x = R.negative(x)\n"
    "    y: R.Tensor((2, 3), \"float32\") = R.add(x, x)\n    return "
    "y\n\n@R.function(pure=False)\ndef g(a: R.Tensor((3,), \"float32\")):\n    @R.function\n    "
    "def inner(b: R.Tensor((3,), \"float32\")) -> R.Tensor((3,), \"float32\"):\n"
    "        u = R.add(b, a)\n        return u\n    v = inner(a)\n    _ = R.print(v, "
    "format=\"{}\")\n    return v\n",
    "from tvm.script import relax as R, tirx as T\n\n@R.function(pure=False)\ndef casts(x: "
    "R.Tensor((\"n\", \"k\"), \"float32\"), y: R.Tensor((\"m\", 4), \"float32\"), "
    "z: R.Tensor((\"p\", 4), \"float32\")):\n    n = T.int64()\n    m = T.int64()\n    k = "
    "T.int64()\n    p = T.int64()\n    a = R.add(x, y)\n"
    "    x1 = R.match_cast(x, R.Tensor((m, 4), \"float32\"))\n    b = R.add(x, y)\n    _ = "
    "R.assert_op(R.prim_value(p == n))\n    d = R.add(y, z)\n"
    "    if n == m * 2:\n        e = R.add(x, y)\n        f: R.Tensor((m * 2, k), \"float32\") = "
    "R.exp(e)\n    else:\n        f = R.add(x, z)\n"
    "    g: R.Tensor((m, 4), \"float32\") = x\n    return (a, b, d, f, g)\n",
    // functions that call each other and themselves, before and behind, with and without a result
    // annotation
    "from tvm.script import ir as I, relax as R, tirx as T\n\n@I.ir_module\nclass Module:\n"
    "    @R.function\n    def f(x: R.Tensor((4,), \"float32\")):\n        y = Module.g(x)\n        "
    "z = (y, x)\n        return z\n\n"
    "    @R.function\n    def g(x: R.Tensor((4,), \"float32\")):\n        y = Module.h(x)\n        "
    "z = Module.f(x)\n        return (y, z)\n\n"
    "    @R.function\n    def h(x: R.Tensor((4,), \"float32\")) -> R.Object:\n        y = "
    "Module.h(x)\n        z = Module.g(x)\n        q = (x, y, z)\n        return q\n\n"
    "    @R.function\n    def k(x: R.Tensor((4,), \"float32\")):\n        y = Module.k(x)\n        "
    "z = R.add(x, Module.f(x)[1])\n        return (z, y)\n\n"
    "@R.function\ndef a(x: R.Tensor((4,), \"float32\")):\n    y = b(x)\n    return y\n\nalias = "
    "a\n\n"
    "@R.function\ndef b(x: R.Tensor((4,), \"float32\")):\n    y = alias(x)\n    z = a(x)\n    "
    "return (y, z)\n",
    // what the names of the script mean changes; PrimFuncs that break
    "from tvm.script import ir as I, relax as R, tirx as T\nk = R\nshape = (k, 4)\nF = "
    "R.function\n\ndef make(n):\n    T = n\n    return T\n\n@I.ir_module\nclass Module:\n"
    "    @T.prim_func\n    def add1(A: T.Buffer((4,), \"float32\"), B: T.Buffer((4,), "
    "\"float32\")):\n        n = T.int64()\n        for i in range(4):\n            B[i] = A[i]\n\n"
    "    @T.prim_func\n    def two(a: T.handle, b: T.handle):\n        n = T.int64()\n        A = "
    "T.match_buffer(a, (n, 4), \"float32\")\n        B = T.match_buffer(b, (n,), \"float32\")\n    "
    "    for i in range(n):\n            B[i] = A[i, 0]\n\n"
    "    @F\n    def main(x: R.Tensor((4,), \"float32\"), w: R.Tensor((\"n\", 4), \"float32\")):\n "
    "       p = R.call_tir(Module.add1, (x,), R.Tensor((4,), \"float32\"))\n"
    "        q = R.call_tir(Module.two, (w,), R.Tensor((8,), \"float32\"))\n        return (p, "
    "q)\n",
};

static const char *const pieces[] = {
    "_ = R.assert_op(R.prim_value(p == n))\n",
    "    x1 = R.match_cast(x, R.Tensor((m, 4), \"float32\"))\n",
    "    b = R.add(x, y)\n",
    "p",
    "m * 2",
    "n == m",
    "x",
    "y",
    "lv",
    "lv1",
    "n",
    "q",
    "4",
    "3",
    "8",
    "2",
    ", ",
    "(",
    ")",
    "\n",
    "        ",
    "    ",
    "R.exp(x)",
    "R.add(x, x)",
    "z = R.exp(x)\n",
    "        lv = R.negative(x)\n",
    "            lv2 = R.exp(lv)\n",
    "#",
    "\"float16\"",
    "\"float32\"",
    "R.output(lv)\n",
    "return x\n",
    "cls.helper(x)",
    "m",
    "k",
    ": R.Tensor((2, 3), \"float32\")",
    " = ",
    "R.matmul(x, w)",
    "k = 5\n",
    "        if c:\n",
    "    def extra(x):\n",
    "True",
    "# rlx: ignore\n",
    "R = 5\n",
    "T = R\n",
    "R = T\n",
    "k = shape\n",
    "def R(x):\n",
    "@R.function\n",
    "@F\n",
    "(()\n",
    "Module.f(x)",
    "Module.g(x)",
    "alias(x)",
    "-> R.Object",
    "alias = b\n",
    "a",
    "b",
    "f",
    "g",
    "h",
    "@R.function\ndef c(x: R.Tensor((4,), \"float32\")):\n    return (x, alias(x))\n",
    "from tvm.script import tir as R\n",
    "class R:\n",
    "import R\n",
    "del T\n",
    "global T\n",
    "-> R.Tensor((4,), \"float32\")",
    "B[i] = A[i]\n",
    "T.Buffer(",
    "T.match_buffer(a, (n,), ",
    "\"",
    "'''",
    "\\",
    "é",
};

static char *dump(RlxFile *file) {
  RlxBuf out = {0};
  rlx_file_dump(file, &out);
  return rlx_buf_steal(&out);
}

static void edit_at_random(RlxFile *file) {
  uint32_t size;
  const char *text = rlx_document_text(rlx_file_document(file), &size);
  uint32_t start = rnd(size + 1), end = start;
  RlxBuf new_text = {0};
  switch (rnd(7)) {
  case 0: end = start + rnd(4); break; // delete some bytes
  case 1: rlx_buf_puts(&new_text, pieces[rnd(sizeof pieces / sizeof *pieces)]); break; // insert
  case 2:
    rlx_buf_puts(&new_text, pieces[rnd(sizeof pieces / sizeof *pieces)]);
    end = start + rnd(6);
    break;
  case 3: // delete a line
    while (start > 0 && text[start - 1] != '\n') start--;
    end = start;
    while (end < size && text[end] != '\n') end++;
    if (end < size) end++;
    break;
  case 4: { // copy a line elsewhere
    uint32_t from = rnd(size + 1), to;
    while (from > 0 && text[from - 1] != '\n') from--;
    to = from;
    while (to < size && text[to] != '\n') to++;
    if (to < size) to++;
    while (start > 0 && text[start - 1] != '\n') start--;
    end = start;
    rlx_buf_putn(&new_text, text + from, to - from);
    break;
  }
  default: { // another digit or letter for one that is there
    while (start < size && !((text[start] >= '0' && text[start] <= '9') ||
                             (text[start] >= 'a' && text[start] <= 'z')))
      start++;
    if (start >= size) break;
    end = start + 1;
    rlx_buf_putc(&new_text, text[start] <= '9' ? (char)('1' + rnd(8)) : "nxyzmkqlv"[rnd(9)]);
    break;
  }
  }
  if (end > size) end = size;
  rlx_file_edit(file, start, end, rlx_buf_text(&new_text), (uint32_t)new_text.size);
  rlx_buf_free(&new_text);
}

static void run(uint64_t seed, int rounds, int edits) {
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  state = seed * 2654435761u + 88172645463325252u;
  for (int round = 0; round < rounds; round++) {
    const char *start = starts[rnd(sizeof starts / sizeof *starts)];
    RlxFile *file = rlx_file_open(analyzer, start, (uint32_t)strlen(start));
    char *before = strdup(start); // the text when both were last equal
    for (int i = 0; i < edits; i++) {
      if (rnd(12) == 0)
        rlx_file_set_text(file, start, (uint32_t)strlen(start)); // undo all
      else
        edit_at_random(file);
      if (rnd(3) == 0) continue; // several edits at once
      uint32_t size;
      const char *text = rlx_document_text(rlx_file_document(file), &size);
      RlxFile *fresh = rlx_file_open(analyzer, text, size);
      char *a = dump(file), *b = dump(fresh);
      if (strcmp(a, b) != 0) {
        fprintf(stderr,
                "RLX_SEED=%llu round %d edit %d\n---- before\n%s\n---- text\n%s\n---- "
                "edited\n%s\n---- fresh\n%s\n",
                (unsigned long long)seed, round, i, before, text, a, b);
        fail();
      }
      free(a);
      free(b);
      free(before);
      before = strndup(text, size);
      rlx_file_close(fresh);
    }
    free(before);
    rlx_file_close(file);
  }
  rlx_analyzer_free(analyzer);
}

static void edited_equals_fresh(void **unused) {
  (void)unused;
  const char *given = getenv("RLX_SEED");
  uint64_t seed = given ? strtoull(given, NULL, 10) : 1;
  printf("RLX_SEED=%llu\n", (unsigned long long)seed);
  run(seed, 60, 40);
}

// ---- edits that keep a program whole: its types, its layout

typedef struct Edit {
  uint32_t start, end;
  RlxBuf text;
} Edit;

static bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// A place in `text` where `word` stands alone, chosen evenly; `size` when there is none.
static uint32_t random_word(const char *text, uint32_t size, const char *word) {
  uint32_t count = 0, found = size, n = (uint32_t)strlen(word);
  for (const char *at = text; (at = strstr(at, word)); at++) {
    if (is_word(word[0]) && at > text && is_word(at[-1])) continue;
    if (is_word(word[n - 1]) && is_word(at[n])) continue;
    if (rnd(++count) == 0) found = (uint32_t)(at - text);
  }
  return found;
}

/// The end of the bracketed group that opens at `at`; 0: it does not close.
static uint32_t group_end(const char *text, uint32_t size, uint32_t at) {
  int depth = 0;
  for (uint32_t i = at; i < size; i++) {
    if (strchr("([{", text[i])) depth++;
    if (strchr(")]}", text[i]) && --depth == 0) return i + 1;
  }
  return 0;
}

static uint32_t line_start(const char *text, uint32_t at) {
  while (at > 0 && text[at - 1] != '\n') at--;
  return at;
}

static uint32_t line_end(const char *text, uint32_t size, uint32_t at) {
  while (at < size && text[at] != '\n') at++;
  return at;
}

#define PICK(of) ((of)[rnd((uint32_t)(sizeof(of) / sizeof *(of)))])

static const char *const dtypes[] = {"\"float32\"", "\"float16\"", "\"int64\"", "\"bool\"",
                                     "\"int32\"",   "\"uint8\"",   "\"floaty\""};
static const char *const dimensions[] = {"1", "2",  "3",      "4",         "8",
                                         "n", "m",  "\"n\"",  "\"m\"",     "n * 2",
                                         "0", "-1", "n // 2", "\"n + 1\"", "T.min(n, 4)"};
static const char *const annotations[] = {
    "R.Tensor((4,), \"float32\")",
    "R.Tensor((\"n\", 4), \"float32\")",
    "R.Tensor((2, 3), \"float32\")",
    "R.Tensor((n, 4), \"float16\")",
    "R.Tensor(dtype=\"float32\", ndim=2)",
    "R.Tensor(ndim=1)",
    "R.Tensor",
    "R.Object",
    "R.Shape([2, 3])",
    "R.Shape(ndim=1)",
    "R.Prim(\"int64\")",
    "R.Prim(value=\"n\")",
    "R.Tuple(R.Tensor((4,), \"float32\"), R.Object)",
    "R.Callable((R.Tensor((4,), \"float32\"),), R.Tensor((4,), \"float32\"))",
    "5",
};

/// A dtype, a dimension or a whole StructInfo becomes another.
static bool edit_type(const char *text, uint32_t size, Edit *e) {
  const char *word;
  switch (rnd(4)) {
  case 0:
    word = PICK(dtypes);
    e->start = random_word(text, size, word);
    if (e->start == size) return false;
    e->end = e->start + (uint32_t)strlen(word);
    rlx_buf_puts(&e->text, PICK(dtypes));
    return true;
  case 1:
    word = PICK(dimensions);
    e->start = random_word(text, size, word);
    if (e->start == size) return false;
    e->end = e->start + (uint32_t)strlen(word);
    rlx_buf_puts(&e->text, PICK(dimensions));
    return true;
  case 2: // a dimension more, or one less
    e->start = random_word(text, size, "R.Tensor((");
    if (e->start == size) return false;
    e->start += (uint32_t)strlen("R.Tensor((");
    e->end = e->start;
    if (rnd(2))
      rlx_buf_printf(&e->text, "%s, ", PICK(dimensions));
    else
      while (e->end < size && text[e->end] != ')' && text[e->end++] != ',') {
      }
    return true;
  default:
    e->start = random_word(text, size, rnd(2) ? "R.Tensor" : "R.Object");
    if (e->start == size) return false;
    e->end = e->start + (uint32_t)strlen("R.Tensor");
    if (text[e->end] == '(') e->end = group_end(text, size, e->end);
    if (e->end <= e->start) return false;
    rlx_buf_puts(&e->text, PICK(annotations));
    return true;
  }
}

/// A binding gains or loses its annotation.
static bool edit_annotation(const char *text, uint32_t size, Edit *e) {
  uint32_t at = random_word(text, size, " = R."), start = line_start(text, at), name = start;
  if (at == size) return false;
  while (text[name] == ' ') name++;
  while (is_word(text[name])) name++;
  e->start = name;
  e->end = at;
  if (name == at) rlx_buf_printf(&e->text, ": %s", PICK(annotations));
  return name == at || text[name] == ':';
}

/// What a function declares: its result, its parameters, whether it is pure.
static const char *const names[] = {"other", "f", "g", "main", "helper", "x", "y", "w", "n", "lv"};

/// A class is called otherwise, or decorated otherwise.
static bool edit_class(const char *text, uint32_t size, Edit *e) {
  const bool is_name = rnd(3);
  const uint32_t at = random_word(text, size, is_name ? "class " : "@I.ir_module");
  if (at == size) return false;
  e->start = is_name ? at + 6 : at;
  for (e->end = e->start; e->end < size && !strchr(is_name ? ":(\n" : "\n", text[e->end]);)
    e->end++;
  if (is_name)
    rlx_buf_puts(&e->text, rnd(3) ? "Other" : rnd(2) ? "Module" : "R");
  else
    rlx_buf_puts(&e->text, rnd(3)   ? "@I.ir_module"
                           : rnd(2) ? "@I.ir_module(check_well_formed=False)"
                                    : "@I.other");
  return true;
}

static bool edit_signature(const char *text, uint32_t size, Edit *e) {
  if (rnd(8) == 0) return edit_class(text, size, e);
  uint32_t at = random_word(text, size, "def "), open = at;
  if (at == size) return false;
  while (open < size && text[open] != '(' && text[open] != '\n') open++;
  if (open == size || text[open] != '(') return false;
  uint32_t close = group_end(text, size, open);
  if (!close) return false;
  switch (rnd(7)) {
  case 4: // another name: a new one, one that another function may have, that of a parameter
    e->start = at + 4;
    e->end = open;
    rlx_buf_puts(&e->text, PICK(names));
    return true;
  case 5: // a parameter is called otherwise, here alone
    e->start = e->end = open + 1;
    while (e->end < close && is_word(text[e->end])) e->end++;
    if (e->start == e->end) return false;
    rlx_buf_puts(&e->text, PICK(names));
    return true;
  case 6: // blanks between the parameters
    e->start = e->end = rnd(2) ? open + 1 : close - 1;
    rlx_buf_puts(&e->text, rnd(2) ? " " : "\n        ");
    return true;
  case 0: // the result
    e->start = e->end = close;
    while (e->end < size && text[e->end] != '\n') e->end++;
    if (e->end == close || text[e->end - 1] != ':') return false;
    e->end--;
    if (rnd(3)) rlx_buf_printf(&e->text, " -> %s", PICK(annotations));
    return true;
  case 1: // one parameter more
    e->start = e->end = open + 1;
    rlx_buf_printf(&e->text, "more%u: %s%s", rnd(3), PICK(annotations),
                   text[open + 1] == ')' ? "" : ", ");
    return true;
  case 2: // the first parameter goes
    e->start = e->end = open + 1;
    for (int depth = 0; e->end < close - 1; e->end++) {
      if (strchr("([{", text[e->end])) depth++;
      if (strchr(")]}", text[e->end])) depth--;
      if (depth == 0 && text[e->end] == ',') break;
    }
    if (text[e->end] == ',') e->end++;
    return true;
  default:
    e->start = random_word(text, size, "@R.function");
    if (e->start == size) return false;
    e->end = line_end(text, size, e->start);
    rlx_buf_puts(&e->text, rnd(2)   ? "@R.function"
                           : rnd(2) ? "@R.function(pure=False)"
                                    : "@R.function(private=True)");
    return true;
  }
}

/// Comments, blank lines, white space: nothing that means anything, but for suppressions.
static bool edit_layout(const char *text, uint32_t size, Edit *e) {
  static const char *const comments[] = {"# a comment",
                                         "#",
                                         "# \xc3\xa9\xe2\x82\xac wide",
                                         "# rlx: ignore",
                                         "# rlx: ignore[RLX0217]",
                                         "# rlx: ignore-file",
                                         "# @R.function",
                                         "# def f(x):"};
  uint32_t at = rnd(size + 1);
  switch (rnd(6)) {
  case 0: // a line before another
    e->start = e->end = line_start(text, at);
    if (rnd(3) == 0)
      rlx_buf_putc(&e->text, '\n');
    else {
      for (uint32_t k = 4 * rnd(4); k; k--) rlx_buf_putc(&e->text, ' ');
      rlx_buf_printf(&e->text, "%s\n", PICK(comments));
    }
    return true;
  case 1: // the end of a line
    e->start = e->end = line_end(text, size, at);
    rlx_buf_puts(&e->text, rnd(2) ? "  " : "  # behind");
    return true;
  case 2: // into a comment, or all of it
    e->start = random_word(text, size, "#");
    if (e->start == size) return false;
    e->end = rnd(2) ? line_end(text, size, e->start) : ++e->start;
    if (rnd(2)) rlx_buf_puts(&e->text, e->end == e->start ? "more " : PICK(comments));
    return true;
  case 3: // white space where it means nothing
    e->start = random_word(text, size, rnd(2) ? ", " : "(");
    if (e->start == size) return false;
    e->end = ++e->start;
    rlx_buf_puts(&e->text, rnd(2) ? " " : "\n    ");
    return true;
  case 4: // blank lines go
    e->start = random_word(text, size, "\n\n");
    e->end = e->start + 1;
    return e->start < size;
  default: // a docstring
    e->start = random_word(text, size, ":\n");
    if (e->start == size) return false;
    e->start = e->end = e->start + 2;
    rlx_buf_puts(&e->text, "    \"\"\"Words.\"\"\"\n");
    return true;
  }
}

/// Code that is no Relax: before functions, between them, and decorators that come and go.
static bool edit_undecorated(const char *text, uint32_t size, Edit *e) {
  static const char *const code[] = {
      "def plain(a, b):\n    # inside\n    c = a\n    return c\n\n",
      "k = 3\n",
      "import os\n",
      "class Other:\n    k = 4\n\n    def f(self):\n        pass\n\n",
      "if True:\n    k = 5\n",
      "n = 4\n"};
  switch (rnd(3)) {
  case 0:
    e->start = e->end = line_start(text, rnd(size + 1));
    for (uint32_t i = e->start; i < size; i = line_end(text, size, i) + 1)
      if (text[i] == '@' || text[i] == 'd') { // the next statement at the margin
        e->start = e->end = i;
        break;
      }
    if (e->start < size && e->start > 0 && text[e->start] != '@' && text[e->start] != 'd')
      return false;
    rlx_buf_puts(&e->text, PICK(code));
    return true;
  case 1:
    e->start = random_word(text, size, "@R.function");
    if (e->start == size) return false;
    e->end = line_end(text, size, e->start);
    if (rnd(2)) e->end += e->end < size;
    return true;
  default: {
    uint32_t at = random_word(text, size, "def ");
    if (at == size) return false;
    e->start = e->end = line_start(text, at);
    rlx_buf_printf(&e->text, "%*s@R.function\n", (int)(at - e->start), "");
    return true;
  }
  }
}

/// One edit, or its reverse right after it.
static bool whole_edit(const char *text, uint32_t size, Edit *e) {
  switch (rnd(10)) {
  case 0:
  case 1:
  case 2: return edit_type(text, size, e);
  case 3:
  case 4: return edit_annotation(text, size, e);
  case 5:
  case 6: return edit_signature(text, size, e);
  case 7:
  case 8: return edit_layout(text, size, e);
  default: return edit_undecorated(text, size, e);
  }
}

static void apply(RlxFile *file, const Edit *e) {
  rlx_file_edit(file, e->start, e->end, rlx_buf_text(&e->text), (uint32_t)e->text.size);
}

/// Prints the lines of `a` that `b` does not have.
static void print_lines(const char *whose, const char *a, const char *b) {
  for (const char *line = a, *end; *line; line = *end ? end + 1 : end) {
    end = line + strcspn(line, "\n");
    char *one = strndup(line, (size_t)(end - line));
    if (!strstr(b, one)) fprintf(stderr, "%s: %s\n", whose, one);
    free(one);
  }
}

/// Says what differs when the edited file is not what its text is fresh. True when equal.
static bool equals_fresh(RlxAnalyzer *analyzer, RlxFile *file, const char *before, const char *what,
                         const Edit *e) {
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

/// Edits of `start`, each compared with the fresh text; half of them are taken back at once, so
/// that the program does not wear out.
static void keep_whole(RlxAnalyzer *analyzer, const char *start, uint32_t start_size,
                       const char *what, int edits, int counts[2]) {
  RlxFile *file = rlx_file_open(analyzer, start, start_size);
  rlx_file_analyze(file, NULL);
  for (int i = 0; i < edits; i++) {
    Edit e = {0};
    uint32_t size;
    const char *text = rlx_document_text(rlx_file_document(file), &size);
    if (rnd(16) == 0) rlx_file_set_text(file, start, start_size);
    text = rlx_document_text(rlx_file_document(file), &size);
    char *before = strndup(text, size);
    if (whole_edit(before, size, &e) && e.end <= size && e.start <= e.end) {
      apply(file, &e);
      counts[0]++;
      if (!equals_fresh(analyzer, file, before, what, &e)) fail();
      if (rnd(2)) {
        Edit back = {e.start, e.start + (uint32_t)e.text.size, {0}};
        rlx_buf_putn(&back.text, before + e.start, e.end - e.start);
        apply(file, &back);
        counts[1]++;
        if (!equals_fresh(analyzer, file, before, "taken back", &back)) fail();
        rlx_buf_free(&back.text);
      }
    }
    free(before);
    rlx_buf_free(&e.text);
  }
  rlx_file_close(file);
}

static void edits_of_types_and_layout_equal_fresh(void **unused) {
  (void)unused;
  const char *given = getenv("RLX_SEED");
  uint64_t seed = given ? strtoull(given, NULL, 10) : 1;
  printf("RLX_SEED=%llu\n", (unsigned long long)seed);
  state = seed * 2654435761u + 88172645463325252u;
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  Scripts scripts = {0};
  RlxBuf text = {0};
  int counts[2] = {0, 0};
  for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
    keep_whole(analyzer, starts[i], (uint32_t)strlen(starts[i]), "start", 120, counts);
  scripts_add(&scripts, "examples", 1);
  scripts_add(&scripts, "tests/golden", 1);
  for (uint32_t i = 0; i < scripts.paths.count; i++)
    if (scripts_read(scripts.paths.at[i], &text) && text.size < 30000)
      keep_whole(analyzer, rlx_buf_text(&text), (uint32_t)text.size, scripts.paths.at[i],
                 scripts_whole() ? 1200 : 12, counts);
  printf("%d edits, %d of them taken back\n", counts[0], counts[1]);
  assert_true(counts[0] + counts[1] > (scripts_whole() ? 100000 : 800));
  scripts_free(&scripts);
  rlx_buf_free(&text);
  rlx_analyzer_free(analyzer);
}

/// An edit: `from` becomes `to` in the text; then it is taken back.
typedef struct KnownEdit {
  const char *text, *from, *to;
} KnownEdit;

#define HEAD                                                                                       \
  "from tvm.script import ir as I, relax as R, tirx as T\n\n@R.function\ndef f(x: R.Tensor((4,), " \
  "\"float32\"), c: R.Tensor((), \"bool\")):\n"

#define MARKS "    n = T.int64()\n    m = T.int64()\n    w = R.zeros((16,), \"float32\")\n"
#define SLICES                                                                                     \
  "    u = R.strided_slice(w, [0], [0], [R.prim_value(n)], assume_inbound=False)\n    t = "        \
  "R.strided_slice(w, [0], [n + m], [R.prim_value(m)], assume_inbound=False)\n    return (u, t)\n"

/// A PrimFunc, a function with one inside of it, and one that calls it.
#define MODULE                                                                                     \
  "@I.ir_module\nclass M:\n    @T.prim_func\n"                                                     \
  "    def p(A: T.Buffer((4,), \"float32\"), B: T.Buffer((4,), \"float32\")):\n"                   \
  "        for i in range(4):\n            with T.sblock(\"b\"):\n"                                \
  "                v = T.axis.spatial(4, i)\n                B[v] = A[v]\n"                        \
  "    @R.function\n    def f(x: R.Tensor((4,), \"float32\")):\n        cls = M\n"                 \
  "        @R.function\n        def g(y: R.Tensor((4,), \"float32\")):\n"                          \
  "            return R.call_tir(cls.p, (y,), R.Tensor((4,), \"float32\"))\n        return g(x)\n" \
  "    @R.function\n    def h(x: R.Tensor((4,), \"float32\")):\n        return M.f(x)\n"

static const KnownEdit known[] = {
    // Another statement's spelling is of 0.25 alone: n.ty, which only 0.27 has, is told; and the reverse.
    {"from tvm.script import relax as R, tirx as T\n@R.function\ndef f(x: R.Tensor((4,), "
     "\"float32\")):\n    n = T.int64()\n    a = n.ty\n    k = R.prim_value(n)\n    return x\n",
     "k =", "k: R.Prim(value=\"n\") ="},
    // A comment moves the lines that a message of a PrimFunc names.
    {"from tvm.script import tir as T\n@T.prim_func\ndef f(A: T.Buffer((64,), \"float32\"), C: "
     "T.Buffer((8, 8), "
     "\"float32\")):\n    B = T.alloc_buffer((64,), \"float32\")\n    for i in range(8):\n        "
     "for j in range(8):\n"
     "            with T.block(\"B\"):\n                v = T.axis.spatial(64, j * 8 + i)\n        "
     "        B[v] = A[v]\n"
     "        for j in range(8):\n            with T.block(\"C\"):\n                vi, vj = "
     "T.axis.remap(\"SS\", [i, j])\n"
     "                C[vi, vj] = B[vj]\n",
     "        for j in range(8):\n            with T.block(\"C\")",
     "        # a comment of some length\n        for j in range(8):\n            with "
     "T.block(\"C\")"},
    // a constant that a signature reads and what its function's result is bound to change at once
    {"from tvm.script import relax as R\n\nN = 4\n\n@R.function\ndef f(x: R.Tensor((N,), "
     "\"float32\")):\n"
     "    y = R.exp(x)\n    return y\n",
     "N = 4\n\n@R.function\ndef f(x: R.Tensor((N,), \"float32\")):\n    y = R.exp(x)\n    return "
     "y\n",
     "N = 8\n\n@R.function\ndef f(x: R.Tensor((N,), \"float32\")):\n    y = R.sin(x)\n    z = "
     "R.exp(y)\n    return z\n"},
    // the statement that a signature's missing name is told to be bound by goes
    {"from tvm.script import relax as R, tirx as T\n\n@R.function\ndef f(x: R.Tensor((4,), "
     "\"float32\"), y: R.Object = p):\n    a = x\n    p = R.exp(a)\n    b = R.exp(p)\n    return "
     "b\n",
     "    p = R.exp(a)\n", ""},
    // a clause is no statement: it comes and goes whole, empty, with its suite on its line
    {HEAD "    if c:\n        y = R.exp(x)\n    return y\n", "    return",
     "    else:\n        y = R.sin(x)\n    return"},
    {HEAD "    if c:\n        y = R.exp(x)\n    else:\n    return y\n", "    else:\n", ""},
    {HEAD "    if c:\n        y = R.exp(x)\n    else:\n    return y\n",
     "else:", "else: y = R.sin(x)"},
    {HEAD "    if c:\n        y = R.exp(x)\n    elif c:\n        y = R.sin(x)\n    return y\n",
     "    return", "    else:\n        y = R.cos(x)\n    return"},
    {HEAD "    if c:\n        y = R.exp(x)\n    else:\n        y = R.sin(x)\n    return y\n",
     "    else", "    if c:\n        z = x\n    else"},
    {"if True:\n    import os\n" HEAD "    y = R.add(x, k)\n    return y\n", "from tvm",
     "else:\n    k = 3\nfrom tvm"},
    {"try:\n    import os\n" HEAD "    y = R.add(x, k)\n    return y\n", "from tvm",
     "except ImportError:\n    k = 3\nfrom tvm"},
    // what is broken elsewhere changes nothing for a function with a parameter twice
    {HEAD "    return x\n\n@T.prim_func\ndef g(a: T.int32, a: T.int32, A: T.Buffer((16,  16), "
          "\"float32\"), B: T.Buffer((16,), \"float32\")):\n    for i, j in T.grid(16, 16):\n"
          "        with T.block(\"b\"):\n            vi, vj = T.axis.remap(\"SS\", [i, j])\n"
          "            B[vi] = B[vi] + A[vi, vj]\n",
     "    return x\n", "    return x\n      y = x\n"},
    // blanks and comments around a misplaced output go with it
    {HEAD "    y = R.exp(x)\n    R.output(y)\n    return y\n", "(y)\n", "(y)  # words\n"},
    {HEAD "    y = R.exp(x)\n    R.output(y)\n    return y\n", "    return", "\n    return"},
    // a name that a local function misses may be hidden by what is broken
    {HEAD "    @R.function\n    def g(y: R.Tensor((4,), \"float32\")):\n        return u\n    z = "
          "g(x)\n    return z\n",
     "    @R.function\n    def", "        a = b\n    @R.function\n    def"},
    // functions of a module whose class line changes
    {MODULE, "class M:", "class N:"},
    {MODULE, "class M:", "clas M:"},
    {MODULE, "@I.ir_module\nclass", "class"},
    {MODULE, "@I.ir_module", "@I.ir_module(s)"},
    {"@I.ir_module\nclass M:\n    @R.function\n    def a(x: R.Object):\n        @R.function\n      "
     "  def g(y: R.Object):\n"
     "            z = M.h(y)\n            return z\n        w = g(x)\n        return w\n\nk = 3\n",
     "k = 3", "def h(("},
    // statements that stand deeper than one that goes fall into the suite before it
    {"class M:\n        k = 3\n    @R.function\n    def f(x: R.Tensor((4,), \"float32\")):\n    k "
     "= 4\n        y = R.exp(x)\n"
     "        return y\n",
     "    k = 4\n", ""},
    {HEAD
     "        y = R.exp(x)\n    if c:\n            z = x\n    k = 1\n        z = y\n    return z\n",
     "    k = 1\n", ""},
    // what was a Relax function is a PrimFunc; what stands at a `with` is misspelt, or lost
    {"from tvm.script import relax as R, tirx as T\nF = R.function\n\n@F\n@T.prim_func\ndef "
     "main(a: T.handle):\n    p = q\n",
     "F = R.function\n\n", "\n"},
    {HEAD "    with ataflow():\n        y = R.exp(x)\n        R.output(y)\n    return y\n",
     "    with", "    for i in range(4):\n    with"},
    {HEAD "    with df():\n        y = R.exp(x)\n        R.output(y)\n    return y\n",
     "from tvm.script", "df = R.dataflow\nfrom tvm.script"},
    // who calls a function is known when all are read
    {"from tvm.script import ir as I, relax as R\n\n@I.ir_module\nclass M:\n    @R.function\n    "
     "def f(x: R.Object):\n"
     "        R.print(x, format=\"\")\n        return x\n\n    @R.function(pure=False)\n    def "
     "g(x: R.Object):\n        y = M.f(x)\n        return y\n",
     "M.f(x)", "x"},
    // a variable is a dimension from the statement on that says so, and while one does
    {HEAD MARKS "    a = R.match_cast(x, R.Tensor((n, 2), \"float32\"))\n" SLICES, "a = R.match",
     "# a = R.match"},
    {HEAD MARKS SLICES "    a = R.match_cast(x, R.Tensor((n, 2), \"float32\"))\n", "u = ", "v = "},
    {HEAD MARKS "    a = R.zeros((n,), \"float32\")\n    b = R.ones((n, n), \"float32\")\n" SLICES,
     "    a = R.zeros((n,), \"float32\")\n", ""},
    {HEAD MARKS "    if c:\n        a = R.zeros((n,), \"float32\")\n    else:\n        a = "
                "x\n" SLICES,
     "(n,)", "(4,)"},
    {HEAD MARKS "    @R.function\n    def g(y: R.Object):\n        z = R.zeros((n,), \"float32\")\n"
                "        return z\n" SLICES,
     "(n,)", "(4,)"},
    // names that are bound around functions come, go and change their places
    {"from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Object):\n    y: "
     "R.Prim(value=\"n\") = x\n    return y\n",
     "@R.function", "n = 4\n\n@R.function"},
    {"from tvm.script import relax as R\nW = [1]\nV = W\nn = V[0]\n\n@R.function\ndef f(x: "
     "R.Object):\n    y = R.zeros((n,), \"float32\")\n    return y\n",
     "V = W\n", "V = W\nV.append(2)\n"},
    {"from tvm.script import relax as R\nk = 2\ng = lambda m=k: m\nn = g()\n\n@R.function\ndef "
     "f(x: R.Object):\n    y = R.zeros((n,), \"float32\")\n    return y\n",
     "k = 2", "k = 3"},
    {"from tvm.script import ir as I, relax as R, tirx as T\n\n@I.ir_module\nclass M:\n    n = 3\n"
     "    @T.prim_func\n    def p(a: T.handle):\n        A = T.match_buffer(a, (n,), \"float32\")\n"
     "        T.evaluate(A[0])\n    @R.function\n    def f(x: R.Tensor((4,), \"float32\")):\n"
     "        y = R.call_tir(M.p, (), R.Tensor((4,), \"float32\"))\n        return y\n",
     "    n = 3\n", "    n = (\n"},
    {HEAD "    n = T.int64()\n    y = R.match_cast(x, R.Tensor((n,), \"float32\"))\n    z = "
          "R.match_cast(y, R.Tensor((2, 2), \"float32\"))\n    return z\n",
     "n = T.int64()", "n = T.i\\4()"},
    // what Python keeps under a name becomes another thing of the same kind
    {HEAD "    a, dims = R.exp, R.Tensor((4,), \"float32\")\n    y: dims = x\n    return y\n",
     "R.Tensor((4,), \"float32\")\n", "R.Tensor((5,), \"float32\")\n"},
    {HEAD "    op, kind = R.exp, T.float16\n    y = R.astype(x, kind)\n    return y\n", "T.float16",
     "T.float64"},
    {HEAD "    op, space = R.exp, R.nn\n    y = space.relu(x)\n    return y\n", "R.nn", "R.op"},
    // a function around comes to bind what a local function has from outside of functions, or from Python
    {HEAD "    k = 1\n    @R.function\n    def g(y: R.Object):\n        return R.exp(y)\n    "
          "return g(x)\n",
     "k = 1", "R = T"},
    {HEAD "    k = 1\n    @R.function\n    def g(y: R.Object):\n        z = len(y)\n        return "
          "z\n    return g(x)\n",
     "k = 1", "len = R.exp"},
    // a class is a module by what stands in it, no longer is, and is again
    {"@I.zr_module\nclass M:\n    @T.prim_func\n    def p(A: T.Buffer((4,), \"float32\")):\n       "
     " A[0] = 1.0\n"
     "@R.function\ndef f(x: R.Object):\n    y = M.p\n    k = M\n    return x\n",
     "T.prim_func", "T.vrim_func"},
    // in a def that is an island without a decorator, or with a misspelt one, what is imported names nothing for others
    {"    @R = .function\n    def helper(x: R.Tensor((4,), \"float32\")):\n    def main(x: "
     "R.Tensor((4,), \"float32\")):\n"
     "            R.outputfrom tvm.script import tir as R\n",
     "            R.outputfrom tvm.script import tir as R\n", ""},
    {"@R.functio\ndef main(x: R.Tensor((4,), \"float32\")):\n    from tvm.script import relax as "
     "Q\n    return x\n\n@Q.function\n"
     "def g(y):\n    return y\n",
     "relax as Q", "tir as Q"},
    // what a body gave counts no more when its function is a PrimFunc
    {"@I.ir_module\nclass M:\n    def p(x: R.Tensor((4,), \"float32\")):\n        return y\n    "
     "@R.function\n"
     "    def f(x: R.Tensor((4,), \"float32\")):\n        h = M.p(x)\n        return h\n",
     "    def p", "    @T.prim_func\n    def p"},
    // the place that a report about a key mentions is in another statement
    {HEAD "    R.func_attr({\"a\": 1})\n    R.func_attr({\"a\": 2})\n    return x\n", "1", "4"},
    // a slip that a function had taken for something outlives the function
    {"from tvm.script import relax as R\n@R.function\ndef g(x: R.Object):\n    q = \"(x, y, z)\n   "
     " "
     "return x\n",
     "@R.function\n", ""},
};

static void known_edits_equal_fresh(void **unused) {
  (void)unused;
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const char *text = known[i].text, *at = strstr(text, known[i].from);
    assert_non_null(at);
    RlxFile *file = rlx_file_open(analyzer, text, (uint32_t)strlen(text));
    rlx_file_analyze(file, NULL);
    Edit e = {(uint32_t)(at - text), (uint32_t)(at - text) + (uint32_t)strlen(known[i].from), {0}};
    rlx_buf_puts(&e.text, known[i].to);
    apply(file, &e);
    assert_true(equals_fresh(analyzer, file, text, "known", &e));
    Edit back = {e.start, e.start + (uint32_t)e.text.size, {0}};
    rlx_buf_puts(&back.text, known[i].from);
    apply(file, &back);
    assert_true(equals_fresh(analyzer, file, text, "known, taken back", &back));
    rlx_buf_free(&e.text);
    rlx_buf_free(&back.text);
    rlx_file_close(file);
  }
  rlx_analyzer_free(analyzer);
}

/// The name behind an `if` leads to the binding of its first branch, also when lines that are no
/// statements came before that.
static void a_joined_name_keeps_its_place(void **unused) {
  (void)unused;
  const char *text = HEAD "    if c:\n        k = x\n        y = R.exp(k)\n    else:\n        y = "
                          "x\n    z = R.sin(y)\n    return z\n";
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, text, (uint32_t)strlen(text));
  for (int i = 0; i < 3; i++) {
    uint32_t size;
    const char *now = rlx_document_text(rlx_file_document(file), &size);
    RlxSymbol symbol;
    assert_true(rlx_file_symbol_at(file, (uint32_t)(strstr(now, "(y)") + 1 - now), &symbol));
    assert_int_equal(symbol.def_span.start, (uint32_t)(strstr(now, "y = R.exp") - now));
    uint32_t at = (uint32_t)(strstr(now, i ? "y = R.exp" : "k = x") - now);
    rlx_file_edit(file, at, at, "# words\n        ", 16);
  }
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
}

static char *long_function(int count, const char *annotation) {
  RlxBuf text = {0};
  rlx_buf_puts(&text, "from tvm.script import relax as R\n\n@R.function\ndef main(x: R.Tensor((16, "
                      "16), \"float32\")):\n    with R.dataflow():\n        lv0 = R.add(x, x)\n");
  for (int i = 1; i < count; i++)
    rlx_buf_printf(&text, "        lv%d%s = R.reshape(lv%d, (16, 16))\n", i, annotation, i - 1);
  rlx_buf_printf(&text, "        R.output(lv%d)\n    return lv%d\n", count - 1, count - 1);
  return rlx_buf_steal(&text);
}

/// Changes the first 16 of line lv<at> to `to` and gives the number of statements analysed again.
static uint64_t change(RlxFile *file, int at, const char *from, const char *to) {
  char line[64];
  uint32_t size;
  snprintf(line, sizeof line, "        lv%d", at);
  const char *text = rlx_document_text(rlx_file_document(file), &size);
  const char *place = strstr(strstr(text, line), from);
  uint64_t before = rlx_file_stats(file).analyzed_statements;
  rlx_file_edit(file, (uint32_t)(place - text), (uint32_t)(place - text) + (uint32_t)strlen(from),
                to, (uint32_t)strlen(to));
  rlx_file_analyze(file, NULL);
  return rlx_file_stats(file).analyzed_statements - before;
}

/// Replaces the first `from`; returns how many statements are analysed again.
static uint64_t change_first(RlxFile *file, const char *from, const char *to) {
  uint32_t size;
  const char *text = rlx_document_text(rlx_file_document(file), &size), *at = strstr(text, from);
  assert_non_null(at);
  const uint32_t start = (uint32_t)(at - text);
  uint64_t before = rlx_file_stats(file).analyzed_statements;
  rlx_file_edit(file, start, start + (uint32_t)strlen(from), to, (uint32_t)strlen(to));
  rlx_file_analyze(file, NULL);
  return rlx_file_stats(file).analyzed_statements - before;
}

/// What stands around the functions of a module concerns those that read it.
static void an_edit_around_functions_leaves_the_others(void **unused) {
  (void)unused;
  enum { COUNT = 100 };
  RlxBuf text = {0};
  rlx_buf_puts(&text,
               "from tvm.script import ir as I, relax as R\nk = 2\n\n@I.ir_module\nclass M:\n");
  for (int i = 0; i < COUNT; i++)
    rlx_buf_printf(&text,
                   "    @R.function\n    def f%03d(x: R.Tensor((4, %s), \"float32\")):\n"
                   "        y = R.add(x, x)\n        z = R.add(y, y)\n        return z\n",
                   i, i == 70 ? "k" : "3");
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&text), (uint32_t)text.size);
  rlx_file_analyze(file, NULL);
  assert_int_equal(rlx_file_stats(file).analyzed_statements, 3 * COUNT);
  assert_int_equal(change_first(file, "f050(x: R.Tensor((4, 3)", "f050(x: R.Tensor((4, 5)"), 3);
  assert_int_equal(change_first(file, "k = 2", "k = 3"), 3);
  assert_int_equal(change_first(file, "k = 3\n", "k = 3\nm = 5\n"), 0);
  assert_int_equal(change_first(file, "    @R.function\n    def f050", "    def f050"), 3);
  assert_int_equal(change_first(file, "    def f060(", "    def f60("), 1); // its return
  assert_int_equal(change_first(file, "f070(x: ", "f070( x: "), 1);
  assert_int_equal(change_first(file, "class M:", "class Other:"), COUNT); // their returns
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  rlx_buf_free(&text);
}

/// A bracket or a quote that nothing closes, or that closes nothing, leaves the value of its statement
/// as it was, wherever it is typed, and so what reads it; of a call that is not closed nothing is known.
static void a_stray_bracket_stays_in_its_statement(void **unused) {
  (void)unused;
  static const char *const typed[] = {"(", "[", "{", ")", "]", "}", "\"", "'", "()", "[]"};
  static const char line[] = "        y1 = R.nn.relu(y0)\n";
  RlxBuf text = {0};
  rlx_buf_puts(&text, "from tvm.script import relax as R\n\n@R.function\ndef f(x: R.Tensor((4, 3), "
                      "\"float32\")):\n    with R.dataflow():\n        y0 = R.nn.relu(x)\n");
  for (int i = 1; i < 60; i++) rlx_buf_printf(&text, "        y%d = R.nn.relu(y%d)\n", i, i - 1);
  rlx_buf_puts(&text, "        z = R.matmul(y59, y59)\n        R.output(z)\n    return z\n");
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&text), (uint32_t)text.size);
  rlx_file_analyze(file, NULL);
  for (size_t k = 0; k < sizeof typed / sizeof *typed; k++) {
    for (size_t at = 8; at < sizeof line - 1; at++) {
      RlxBuf with = {0};
      rlx_buf_printf(&with, "%.*s%s%s", (int)at, line, typed[k], line + at);
      // A pair behind a name is a call or an index, and its own value.
      bool is_pair = typed[k][1] && at > 9;
      uint64_t count = change_first(file, line, rlx_buf_text(&with));
      if (!is_pair && count > 1) print_error("%s: %d\n", rlx_buf_text(&with), (int)count);
      assert_true(is_pair || count <= 1);
      change_first(file, rlx_buf_text(&with), line);
      rlx_buf_free(&with);
    }
  }
  // More may have been meant to stand behind what is not closed.
  assert_true(change_first(file, line, "        y1 = R.nn.relu(y0\n") > 50);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  rlx_buf_free(&text);
}

/// What the statements of a long function say of its dialect is summed up in parts: lines that come and go, here and there and in nested
/// suites, count as they do in the text.
static void spellings_of_a_long_function_are_counted_once(void **unused) {
  (void)unused;
  static const char *const lines[] = {
      "        y = R.call_dps_packed(\"f\", (x,), R.Tensor((4,), \"float32\"))\n",
      "        n: T.int64 = 4\n",
      "        z = R.call_packed(\"f\", x, sinfo_args=R.Tensor)\n",
      "        s: Shape = (4, 2)\n        R.match_shape(x, (4, 2))\n",
      "    if c:\n        w = R.match_shape(x, (m,))\n    else:\n        w = x\n",
      "        y = R.exp(x)\n"};
  RlxBuf text = {0};
  rlx_buf_puts(&text, HEAD "    with R.dataflow():\n");
  for (int i = 0; i < 900; i++) rlx_buf_printf(&text, "        y%d = R.exp(x)\n", i);
  rlx_buf_puts(&text, "        R.output(y1)\n    return y1\n");
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&text), (uint32_t)text.size);
  rlx_file_analyze(file, NULL);
  state = 88172645463325252u;
  for (int i = 0; i < 120; i++) {
    uint32_t size;
    const char *now = rlx_document_text(rlx_file_document(file), &size);
    const uint32_t first = (uint32_t)(strstr(now, "        y0 =") - now);
    Edit e = {.start = line_start(now, first + rnd(size - first))};
    e.end = e.start;
    for (uint32_t n = rnd(3) ? 0 : rnd(9) ? 1 + rnd(3) : rnd(400); n && e.end < size; n--)
      e.end = line_end(now, size, e.end) + 1;
    if (e.end > size) e.end = size;
    if (e.start <= first) e.start = e.end = first;
    for (uint32_t n = rnd(4); n; n--) rlx_buf_puts(&e.text, PICK(lines));
    apply(file, &e);
    assert_true(equals_fresh(analyzer, file, "", "spellings", &e));
    rlx_buf_free(&e.text);
  }
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  rlx_buf_free(&text);
}

static void one_edit_analyses_what_it_reaches(void **unused) {
  (void)unused;
  char *text = long_function(20000, "");
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, text, (uint32_t)strlen(text));
  rlx_file_analyze(file, NULL);
  assert_true(rlx_file_stats(file).analyzed_statements >= 20000);
  assert_int_equal(change(file, 10000, "(16, 16)", "(16, 16 )"), 1); // same meaning
  assert_int_equal(change(file, 10000, "(16, 16 )", "(4, 64)"),
                   2); // the next one reshapes to the same
  assert_int_equal(change(file, 10000, "(4, 64)", "(16, 16)"), 2);
  assert_int_equal(change(file, 19999, "(16, 16)", "(8, 32)"), 3); // R.output and return read it
  rlx_file_close(file);
  free(text);
  text = long_function(20000, ": R.Tensor((16, 16), \"float32\")");
  file = rlx_file_open(analyzer, text, (uint32_t)strlen(text));
  rlx_file_analyze(file, NULL);
  assert_int_equal(change(file, 10000, "lv9999, (16, 16)", "lv9999, (16, 17)"),
                   1); // an error: the variable is what it is annotated as
  assert_int_equal(change(file, 10000, "lv9999, (16, 17)", "lv9999, (16, 16)"), 1);
  rlx_file_close(file);
  free(text);
  rlx_analyzer_free(analyzer);
}

static double cpu_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

static int by_size(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/// The bound is some ten times what it takes, as a part of what analysing the whole file takes on the same machine: it is for passes over
/// the function that look into each statement.
static void an_edit_in_a_long_function_is_fast(void **unused) {
  (void)unused;
#if defined(__SANITIZE_ADDRESS__) || defined(RLX_STRESS)
  skip();
#endif
  enum { EDITS = 41 };
  char *text = long_function(20000, "");
  const double start = cpu_ms();
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, text, (uint32_t)strlen(text));
  RlxFileDiags diags = {0};
  double took[EDITS];
  rlx_file_diags(file, &diags);
  const double whole = cpu_ms() - start;
  for (int i = 0; i < EDITS; i++) {
    double before = cpu_ms();
    change(file, 9000 + i, "(16, 16)", i % 2 ? "(16,16)" : "(4, 64)");
    rlx_vec_clear(&diags);
    rlx_file_diags_mended(file, RLX_NO_WINDOW, &diags);
    took[i] = cpu_ms() - before;
  }
  qsort(took, EDITS, sizeof *took, by_size);
  printf("edit to diagnostics in 20,000 statements: %.2f ms of %.0f\n", took[EDITS / 2], whole);
  assert_true(took[EDITS / 2] < whole / 5);
  rlx_vec_free(&diags);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(known_edits_equal_fresh),
      cmocka_unit_test(a_joined_name_keeps_its_place),
      cmocka_unit_test(edited_equals_fresh),
      cmocka_unit_test(edits_of_types_and_layout_equal_fresh),
      cmocka_unit_test(a_stray_bracket_stays_in_its_statement),
      cmocka_unit_test(spellings_of_a_long_function_are_counted_once),
      cmocka_unit_test(one_edit_analyses_what_it_reaches),
      cmocka_unit_test(an_edit_around_functions_leaves_the_others),
      cmocka_unit_test(an_edit_in_a_long_function_is_fast),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
