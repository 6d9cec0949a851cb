/// Random edits: a file that was edited gives what the same text gives when it is opened fresh. The
/// seed is printed, and read from RLX_SEED.
#include "tests/prop/edits.h"
#include "tests/prop/scripts.h"

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

/// A slip of the fingers in the line of a head or a decorator: something is typed, or taken out.
static bool edit_slip(const char *text, uint32_t size, Edit *e) {
  static const char *const heads[] = {"def ", "with ", "@R.function", "@I.ir_module", "class "};
  static const char *const typed[] = {"(", ")", "[", "\"", "'", "()", ":", ",", " ", "q", "@"};
  const uint32_t at = random_word(text, size, PICK(heads));
  if (at == size) return false;
  const uint32_t end = line_end(text, size, at);
  e->start = e->end = at + rnd(end - at + 1);
  if (e->start < end && rnd(3) == 0)
    e->end++;
  else
    rlx_buf_puts(&e->text, PICK(typed));
  return true;
}

/// Something comes behind the colon of a head, or goes; the head is commented out or deleted; the line below it is indented otherwise.
static bool edit_head(const char *text, uint32_t size, Edit *e) {
  static const char *const heads[] = {"def ", "with ", "class ", "if ", "for "};
  static const char *const behind[] = {" pass",         " x",   " y = x",
                                       " return x",     " ...", " pass; z = x",
                                       " R.output(gv)", " (",   " \"\"\"x"};
  const uint32_t at = random_word(text, size, PICK(heads));
  if (at == size) return false;
  const uint32_t end = line_end(text, size, at);
  switch (rnd(6)) {
  case 0:
    e->start = e->end = at;
    rlx_buf_puts(&e->text, "# ");
    return true;
  case 1:
    e->start = line_start(text, at);
    e->end = end + (end < size && rnd(2));
    return true;
  case 2: // a blank more or less in front of the next line
    if (end == size) return false;
    e->start = e->end = end + 1;
    if (rnd(2) && text[e->end] == ' ')
      e->end++;
    else
      rlx_buf_puts(&e->text, " ");
    return true;
  default:
    for (e->start = end; e->start > at && text[e->start - 1] != ':';) e->start--;
    e->end = end;
    if (e->start == at) return false;
    if (e->start == end || rnd(2)) rlx_buf_puts(&e->text, PICK(behind));
    return true;
  }
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
  switch (rnd(14)) {
  case 10:
  case 11: return edit_slip(text, size, e);
  case 12:
  case 13: return edit_head(text, size, e);
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

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(edited_equals_fresh),
      cmocka_unit_test(edits_of_types_and_layout_equal_fresh),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
