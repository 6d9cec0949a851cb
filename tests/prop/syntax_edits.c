/// A document edited at random equals the same text opened fresh; its splices say exactly what
/// changed; results that hang at statements are dropped once, and never while the statement goes
/// on.
#include <dirent.h>
#include <string.h>

#include "analyzer/syntax/document.h"
#include "analyzer/syntax/document_dump.h"
#include "base/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "tests/test.h"

static const char *const snippets[] = {
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "\"\"\"",
    "'''",
    "#",
    "\\",
    "\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "    ",
    "  ",
    ":",
    ";",
    "=",
    ",",
    ".",
    "@",
    "f\"{x}\"",
    "f'{",
    "f\"{a['b']!r:>{w}}\"",
    "}}",
    "{{",
    "\f",
    "\xEF\xBB\xBF",
    "\xC3",
    "\x00",
    "\xF0\x9F\x98\x80",
    "if x:\n",
    "else:\n",
    "elif y:\n",
    "try:\n",
    "except E as e:\n",
    "finally:\n",
    "for i in range(3):\n",
    "while 1:",
    "with a as b, c:\n",
    "def f(x, *, y=1) -> int:\n",
    "async def g():\n",
    "class A(B, metaclass=C):\n",
    "@R.function\n",
    "return x\n",
    "    return x\n",
    "pass\n",
    "        pass\n",
    "match x:\n",
    "    case [1, y]:\n",
    "case z: pass\n",
    "import a.b as c\n",
    "from x import (a, b)\n",
    "lambda: 3",
    "x = 1; y = 2\n",
    "if x: y = 1\n",
    "else: z\n",
    "lv = R.add(x, y)\n",
    "    lv2: R.Tensor((n, 4), \"float32\") = R.nn.relu(lv)\n",
    "0x_1",
    "1e5",
    "nonlocal q\n",
    "await x",
    "yield",
    "del a, b\n",
    "x: int\n",
    "assert x, y\n",
    "print 'x'\n",
    "global z\n",
    "type X = int\n",
    "**k",
    "*a",
    "\"abc",
    "f\"abc{",
    "# comment\n",
    "\n\n",
    "break\n",
    "continue\n",
};

enum { SNIPPETS = sizeof snippets / sizeof *snippets };

static const char *const starts[] = {
    "",
    "x",
    "if a:\n    b\nelif c:\n    d\nelse:\n    e\nf\n",
    "class A:\n    @d1\n    # c\n    @d2(\n        x)\n    def f(self): pass\n\n    x = 1\n",
    "try:\n  a\nexcept (B, C) as e:\n  d\nelse:\n  f\nfinally:\n  g\n",
    "match x:\n    case 1: a\n    case [2, *r] if r:\n        b\n    case _:\n        c\nd\n",
    "def f():\n\tx = (1,\n\t\t2)\n\t'''doc\n  text'''\n\treturn x\n",
    "if a: b\nelse: c\nfor x in y: z; w\nwhile 1:\n  break\nelse:\n  q\n",
    "class A: pass\n    x = 1\n    y\nz\nif a: b; c\n    d\nelse:\n    e\nwith a: b\n  # c\n\n    "
    "c\n"
    "def f(): return 1\n        return 2\n    x\nfor i in x: y\n    while z: q\n     w\n",
    "x = f\"{a[\"b\"]}\" f'{c}'\ny = \"\"\"\n  # no comment\n\"\"\"\nz = '\\\n'\n",
};

/// Results at statements: an analysis is a counted heap byte that knows its statement.
typedef struct Results {
  int64_t alive;
} Results;

static void drop(RlxStmt *stmt, void *data) {
  Results *results = data;
  if (!stmt->analysis) return;
  if (*(RlxStmt **)stmt->analysis != stmt)
    fail_msg("a statement was dropped with another's result");
  free(stmt->analysis);
  stmt->analysis = NULL;
  results->alive--;
}

typedef struct Snapshot {
  RlxMap blocks; // RlxBlock* to an index into `contents`
  Vec(RlxStmt **) contents;
  Vec(uint32_t) counts;
} Snapshot;

static void analyze(const RlxBlock *block, Results *results, Snapshot *snapshot, int64_t *stmts) {
  if (!block) return;
  rlx_map_put_ptr(&snapshot->blocks, block, (void *)(uintptr_t)(snapshot->contents.count + 1));
  RlxStmt **copy = rlx_mem_alloc(block->count, sizeof *copy);
  if (block->count) memcpy(copy, block->stmts, block->count * sizeof *copy);
  rlx_vec_push(&snapshot->contents, copy);
  rlx_vec_push(&snapshot->counts, block->count);
  for (uint32_t i = 0; i < block->count; i++) {
    RlxStmt *stmt = block->stmts[i];
    ++*stmts;
    if (!stmt->analysis) {
      stmt->analysis = rlx_mem_alloc(1, sizeof stmt);
      memcpy(stmt->analysis, &stmt, sizeof stmt);
      results->alive++;
    }
    analyze(stmt->body, results, snapshot, stmts);
    analyze(stmt->orelse, results, snapshot, stmts);
    for (uint32_t k = 0; k < stmt->block_count; k++)
      analyze(stmt->blocks[k], results, snapshot, stmts);
  }
}

static void snapshot_free(Snapshot *snapshot) {
  for (uint32_t i = 0; i < snapshot->contents.count; i++) free(snapshot->contents.at[i]);
  rlx_vec_free(&snapshot->contents);
  rlx_vec_free(&snapshot->counts);
  rlx_map_free(&snapshot->blocks);
}

static const RlxSplice *splice_of(const RlxDocument *doc, const RlxBlock *block) {
  uint32_t count = 0;
  const RlxSplice *splices = rlx_document_splices(doc, &count), *found = NULL;
  for (uint32_t i = 0; i < count; i++) {
    if (splices[i].block != block) continue;
    if (found) fail_msg("two splices for one block");
    found = &splices[i];
  }
  return found;
}

/// Every block that was there before has its splice, if it changed.
static void check_splices(const RlxDocument *doc, const RlxBlock *block, const Snapshot *before) {
  if (!block) return;
  uintptr_t at = (uintptr_t)rlx_map_get_ptr(&before->blocks, block);
  if (at) {
    const RlxSplice *splice = splice_of(doc, block);
    RlxStmt **old = before->contents.at[at - 1];
    uint32_t old_count = before->counts.at[at - 1];
    uint32_t index = splice ? splice->index : old_count, removed = splice ? splice->removed : 0,
             inserted = splice ? splice->inserted : 0;
    if (old_count - removed + inserted != block->count)
      fail_msg("a splice does not give the new count");
    for (uint32_t i = 0; i < index; i++)
      if (old[i] != block->stmts[i]) fail_msg("a statement before the splice changed");
    for (uint32_t i = index + removed; i < old_count; i++)
      if (old[i] != block->stmts[i - removed + inserted])
        fail_msg("a statement behind the splice changed");
  }
  for (uint32_t i = 0; i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    check_splices(doc, stmt->body, before);
    check_splices(doc, stmt->orelse, before);
    for (uint32_t k = 0; k < stmt->block_count; k++) check_splices(doc, stmt->blocks[k], before);
  }
}

static void check_fresh(RlxStore *store, const RlxDocument *doc) {
  uint32_t size = 0;
  const char *text = rlx_document_text(doc, &size);
  RlxDocument *fresh = rlx_document_new(store, NULL, NULL);
  rlx_document_set_text(fresh, text, size);
  RlxBuf a = {0}, b = {0};
  rlx_document_dump(doc, &a);
  rlx_document_dump(fresh, &b);
  if (a.size != b.size || memcmp(a.at, b.at, a.size) != 0) {
    size_t same = 0;
    while (same < a.size && same < b.size && a.at[same] == b.at[same]) same++;
    while (same > 0 && a.at[same - 1] != '\n') same--;
    FILE *out = fopen("/tmp/rlx-document-edits.py", "wb");
    if (out) {
      fwrite(text, 1, size, out);
      fclose(out);
    }
    fail_msg("edited and fresh differ; text in /tmp/rlx-document-edits.py\nedited: %.300s\nfresh:  "
             "%.300s",
             a.at + same, b.at + same);
  }
  rlx_buf_free(&a);
  rlx_buf_free(&b);
  rlx_document_free(fresh);
}

/// One random edit as a replacement of bytes.
static void random_edit(RlxTestRandom *random, RlxDocument *doc) {
  uint32_t size = 0;
  const char *text = rlx_document_text(doc, &size);
  uint32_t start = rlx_test_below(random, size + 1), end = start, kind = rlx_test_below(random, 11);
  RlxBuf insert = {0};
  if (kind < 3) { // type something
    const char *snippet = snippets[rlx_test_below(random, SNIPPETS)];
    rlx_buf_putn(&insert, snippet, snippet[0] ? strlen(snippet) : 1);
  } else if (kind < 5) { // delete some
    end = start + rlx_test_below(random, 12);
  } else if (kind < 6) { // delete much
    end = start + rlx_test_below(random, 120);
  } else if (kind < 8) { // a line's start: indentation
    while (start > 0 && text[start - 1] != '\n') start--;
    end = start;
    if (rlx_test_below(random, 2)) {
      while (end < size && text[end] == ' ' && end - start < 4) end++;
    } else {
      rlx_buf_repeat(&insert, rlx_test_below(random, 8) ? ' ' : '\t',
                     1 + rlx_test_below(random, 4));
    }
  } else if (kind < 9) { // a line twice, or none
    while (start > 0 && text[start - 1] != '\n') start--;
    end = start;
    while (end < size && text[end] != '\n') end++;
    if (end < size) end++;
    if (rlx_test_below(random, 2)) {
      rlx_buf_putn(&insert, text + start, end - start);
      end = start;
    }
  } else if (kind < 10) { // lines between others, and one of them again
    while (start > 0 && text[start - 1] != '\n') start--;
    uint32_t indent = (uint32_t)strspn(text + start, " ");
    for (end = start; end < size && end - start < 80; end++)
      if (text[end] == '\n' && end > start && rlx_test_below(random, 3) == 0) break;
    rlx_buf_putn(&insert, text + start, indent);
    rlx_buf_puts(&insert, rlx_test_below(random, 2) ? "qq = 1\n" : "(q\n");
    rlx_buf_putn(&insert, text + start, end - start);
    rlx_buf_putc(&insert, '\n');
    rlx_buf_putn(&insert, text + start, indent);
    rlx_buf_puts(&insert, "r = 2");
    if (rlx_test_below(random, 2) && start + indent <= end) start += indent;
  } else { // part of the text, elsewhere
    uint32_t from = rlx_test_below(random, size + 1), length = rlx_test_below(random, 80);
    if (length > size - from) length = size - from;
    rlx_buf_putn(&insert, text + from, length);
    end = start + rlx_test_below(random, 3);
  }
  if (end > size) end = size;
  if (rlx_test_below(random, 50) == 0) { // all at once, as a formatter would
    RlxBuf whole = {0};
    rlx_buf_putn(&whole, text, size);
    rlx_buf_splice(&whole, start, end, rlx_buf_text(&insert), insert.size);
    uint32_t again = rlx_test_below(random, (uint32_t)whole.size + 1);
    rlx_buf_splice(&whole, again, again, "\nq = 1\n", 7);
    rlx_document_set_text(doc, rlx_buf_text(&whole), (uint32_t)whole.size);
    rlx_buf_free(&whole);
  } else {
    rlx_document_edit(doc, start, end, rlx_buf_text(&insert), (uint32_t)insert.size);
  }
  rlx_buf_free(&insert);
}

static void edit_at_random(RlxTestRandom *random, const char *text, uint32_t size, int edits) {
  RlxStore *store = rlx_store_new();
  Results results = {0};
  RlxDocument *doc = rlx_document_new(store, drop, &results);
  rlx_document_set_text(doc, text, size);
  for (int i = 0; i < edits; i++) {
    Snapshot before = {0};
    int64_t stmts = 0;
    analyze(rlx_document_root(doc), &results, &before, &stmts);
    if (stmts != results.alive)
      fail_msg("%lld statements, %lld results", (long long)stmts, (long long)results.alive);
    random_edit(random, doc);
    check_splices(doc, rlx_document_root(doc), &before);
    check_fresh(store, doc);
    snapshot_free(&before);
  }
  rlx_document_free(doc);
  assert_int_equal(results.alive, 0);
  rlx_store_free(store);
}

static void small_texts(void **state) {
  (void)state;
  RlxTestRandom random = rlx_test_random(20260);
  const char *rounds = getenv("RLX_ROUNDS");
  for (int round = 0; round < (rounds ? atoi(rounds) : 40); round++) {
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
      edit_at_random(&random, starts[i], (uint32_t)strlen(starts[i]), 25);
  }
}

static void example_files(void **state) {
  (void)state;
  RlxTestRandom random = rlx_test_random(777);
  DIR *folder = opendir("examples");
  if (!folder) skip();
  for (const struct dirent *entry; (entry = readdir(folder));) {
    size_t length = strlen(entry->d_name);
    if (length < 4 || strcmp(entry->d_name + length - 3, ".py") != 0) continue;
    char path[512];
    snprintf(path, sizeof path, "examples/%s", entry->d_name);
    FILE *file = fopen(path, "rb");
    if (!file) continue;
    char *text = rlx_mem_alloc(1 << 20, 1);
    size_t size = fread(text, 1, 1 << 20, file);
    fclose(file);
    edit_at_random(&random, text, (uint32_t)size, 60);
    free(text);
  }
  closedir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(small_texts),
                                     cmocka_unit_test(example_files)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
