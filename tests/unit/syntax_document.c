/// document: statements and expressions of a text, and what a broken line does to its neighbours.
#include <string.h>

#include "analyzer/syntax/document.h"
#include "analyzer/syntax/document_dump.h"
#include "tests/test.h"

typedef struct Fixture {
  RlxStore *store;
  RlxDocument *doc;
} Fixture;

static Fixture open_text(const char *text) {
  Fixture f = {.store = rlx_store_new()};
  f.doc = rlx_document_new(f.store, NULL, NULL);
  rlx_document_set_text(f.doc, text, (uint32_t)strlen(text));
  return f;
}

static void close_text(Fixture f) {
  rlx_document_free(f.doc);
  rlx_store_free(f.store);
}

static void assert_value(const char *text, const char *expected) {
  Fixture f = open_text(text);
  const RlxBlock *root = rlx_document_root(f.doc);
  assert_int_equal(root->count, 1);
  assert_int_equal(rlx_document_syntax_errors(f.doc, NULL, 0), 0);
  RlxBuf out = {0};
  rlx_ast_dump(f.store, root->stmts[0]->value, false, &out);
  assert_string_equal(rlx_buf_text(&out) + 1, expected);
  rlx_buf_free(&out);
  close_text(f);
}

static void literals_are_decoded(void **state) {
  (void)state;
  assert_value("0x_ff", "(int 255)");
  assert_value("1_000", "(int 1000)");
  assert_value("0b101", "(int 5)");
  assert_value("9223372036854775808", "(int\"9223372036854775808\")");
  assert_value("1e3", "(float 1000)");
  assert_value("1_0.5j", "(imaginary 10.5)");
  assert_value("'a\\n' \"b\" r'\\n'", "(string \"a\\x0ab\\x5cn\")");
  assert_value("b'\\x00z'", "(bytes \"\\x00z\")");
  assert_value("f'a{x!r}{{b'", "(fstring op1 (string \"a\") (name x) (string \"{b\"))");
}

static void expressions_keep_their_order(void **state) {
  (void)state;
  assert_value(
      "f(a, *b, c=d, **e)",
      "(call (name f) (name a) (starred (name b)) (keyword c (name d)) (double_starred (name e)))");
  assert_value("x[1:, ::2]",
               "(subscript (name x) (slice (int 1) (none) (none)) (slice (none) (none) (int 2)))");
  assert_value("a < b <= c", "(compare op22 op23 (name a) (name b) (name c))");
  assert_value("-a.b", "(unary op16 (attribute b (name a)))");
  assert_value("{**a, 'k': 1}", "(dict (hole) (double_starred (name a)) (string \"k\") (int 1))");
  assert_value("[x for x in y if z]",
               "(comprehension (name x) (comp_for (name x) (name y)) (comp_if (name z)))");
}

static void a_broken_line_stays_alone(void **state) {
  (void)state;
  Fixture f = open_text("def f(x):\n    a = g(x,\n    b = x\n    c = \"open\n    return b\n\ndef "
                        "h(y):\n    return y\n");
  const RlxBlock *root = rlx_document_root(f.doc);
  assert_int_equal(root->count, 2);
  const RlxBlock *body = root->stmts[0]->body;
  assert_int_equal(body->count, 4);
  assert_true(body->stmts[0]->has_error);
  assert_false(body->stmts[1]->has_error);
  assert_true(body->stmts[2]->has_error);
  assert_false(body->stmts[3]->has_error);
  assert_int_equal(body->stmts[0]->kind, RLX_STMT_ASSIGN);
  assert_string_equal(rlx_store_text(f.store, body->stmts[0]->targets[0]->name), "a");
  assert_int_equal(rlx_document_syntax_errors(f.doc, NULL, 0), 2);
  close_text(f);
}

static void a_broken_head_keeps_names(void **state) {
  (void)state;
  Fixture f = open_text(
      "@R.function\ndef f(x R.Tensor, y: int):\n    return x\nfor i in range(3)\n    pass\n");
  const RlxBlock *root = rlx_document_root(f.doc);
  assert_int_equal(root->count, 2);
  const RlxStmt *def = root->stmts[0];
  assert_int_equal(def->kind, RLX_STMT_DEF);
  assert_string_equal(rlx_store_text(f.store, def->name), "f");
  assert_int_equal(def->decorator_count, 1);
  assert_int_equal(def->param_count, 2);
  assert_string_equal(rlx_store_text(f.store, def->params[0].name), "x");
  assert_int_equal(def->body->count, 1);
  assert_int_equal(root->stmts[1]->kind, RLX_STMT_FOR); // without its colon
  assert_int_equal(root->stmts[1]->body->count, 1);
  assert_int_equal(rlx_document_syntax_errors(f.doc, NULL, 0), 2);
  close_text(f);
}

static uint32_t count_problems(const char *text, uint32_t size) {
  RlxStore *store = rlx_store_new();
  RlxDocument *doc = rlx_document_new(store, NULL, NULL);
  rlx_document_set_text(doc, text, size);
  uint32_t count = rlx_document_syntax_errors(doc, NULL, 0);
  rlx_document_free(doc);
  rlx_store_free(store);
  return count;
}

static void odd_bytes(void **state) {
  (void)state;
  assert_int_equal(count_problems("", 0), 0);
  assert_int_equal(count_problems("\xEF\xBB\xBFx = 1\r\ny = 2\r", 15),
                   0); // byte order mark, line ends
  assert_int_equal(count_problems("x = 1\f\n\fy = 2", 13), 0);
  assert_int_equal(count_problems("# a\0b\nx = 1\n", 12), 1); // NUL
  assert_int_equal(count_problems("x = '\xFF'\n", 8), 0);
  assert_true(count_problems("\xFF\xFE\x00", 3) > 0);
  assert_int_equal(count_problems("if x:\n\ty\n        z\n", 19), 1); // tab and blanks
}

/// What CPython's parser takes has no problem but late ones; what it rejects has one.
static void rules_beyond_the_grammar(void **state) {
  (void)state;
  static const char *const wrong[] = {
      "f() = 1\n",        "(a, 1) = x\n",
      "del f()\n",        "def f(a=1, b): pass\n",
      "def f(*): pass\n", "f(a=1, b)\n",
      "f(**a, *b)\n",     "x = 1 = y\n",
      "if x:\ny\n",       " x\n",
      "if x:\n  y\n z\n", "else: x\n",
      "try: x\ny\n",      "with a as 1: pass\n",
      "(x): int = 3,,\n", "@x\ny\n",
      "x = (1,\n",        "def f(x)\n  pass\n",
      "a = b: int = 1\n", "for f() in x: pass\n",
      "x = 0777\n",       "f(x for x in y, 1)\n",
  };
  static const char *const right[] = {
      "a, *b = c\n",
      "[a, (b, c.d)] = e\n",
      "with (a as b, c): pass\n",
      "def f(a, /, b=1, *c, d, **e): pass\n",
      "x = yield_\n",
      "print(*a, **b, c=1)\n",
      "match = 1\nmatch.x = 2\n",
      "match x:\n  case 1: pass\n  case [a, *b]:\n    c\n",
      "type X[T] = int\n",
      "lambda *a, b=1: c\n",
      "x: int\n",
      "try: a\nexcept* B: c\n",
  };
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    if (!count_problems(wrong[i], (uint32_t)strlen(wrong[i]))) fail_msg("accepted: %s", wrong[i]);
  }
  for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
    if (count_problems(right[i], (uint32_t)strlen(right[i]))) fail_msg("rejected: %s", right[i]);
  }
}

/// A formatter's or a checkout's change: what is the same text is the same statement.
static void equal_statements_survive_a_new_text(void **state) {
  (void)state;
  RlxBuf old = {0}, new = {0};
  for (int i = 0; i < 500; i++) {
    rlx_buf_printf(&old, "x%d = f(%d)\n", i, i);
    if (i == 100) rlx_buf_puts(&new, "extra = 1\n");
    if (i != 300) rlx_buf_printf(&new, i % 100 == 50 ? "x%d = g(%d)\n" : "x%d = f(%d)\n", i, i);
  }
  Fixture f = open_text(rlx_buf_text(&old));
  const RlxStmt *kept = rlx_document_root(f.doc)->stmts[250 + 30];
  rlx_document_set_text(f.doc, rlx_buf_text(&new), (uint32_t)new.size);
  assert_ptr_equal(rlx_document_root(f.doc)->stmts[250 + 31], kept);
  assert_true(rlx_document_stats(f.doc).kept_statements >= 340);
  close_text(f);
  rlx_buf_free(&old);
  rlx_buf_free(&new);
}

static void clauses_find_their_statement(void **state) {
  (void)state;
  Fixture f =
      open_text("if a:\n  b\nelif c:\n  d\nelse:\n  e\ntry: x\nexcept E as e:\n  y\nfinally: z\n");
  const RlxBlock *root = rlx_document_root(f.doc);
  assert_int_equal(root->count, 2);
  const RlxStmt *first = root->stmts[0], *second = root->stmts[1];
  assert_int_equal(first->orelse->count, 1);
  const RlxStmt *inner = first->orelse->stmts[0];
  assert_true(inner->is_elif);
  assert_int_equal(inner->orelse->count, 1);
  assert_int_equal(first->size, strlen("if a:\n  b\nelif c:\n  d\nelse:\n  e"));
  assert_int_equal(second->body->count, 1);
  assert_int_equal(second->block_count, 2);
  assert_int_equal(rlx_document_syntax_errors(f.doc, NULL, 0), 0);
  close_text(f);
}

static void places_are_found(void **state) {
  (void)state;
  const char *text = "@R.function\ndef f(x: R.Tensor):\n    y = R.add(x, 1)\n    return y\n";
  Fixture f = open_text(text);
  uint32_t at = (uint32_t)(strstr(text, "add") - text);
  RlxStmt *stmt = rlx_document_stmt_at(f.doc, at);
  assert_non_null(stmt);
  assert_int_equal(stmt->kind, RLX_STMT_ASSIGN);
  const RlxAst *path[8];
  uint32_t count = 0;
  const RlxAst *node = rlx_document_ast_at(stmt, at, path, &count, 8);
  assert_int_equal(node->kind, RLX_AST_ATTRIBUTE);
  assert_int_equal(count, 2);
  assert_int_equal(path[0]->kind, RLX_AST_CALL);
  close_text(f);
}

static void an_edit_touches_one_statement(void **state) {
  (void)state;
  RlxBuf text = {0};
  rlx_buf_puts(&text, "def f(x):\n");
  for (int i = 0; i < 2000; i++) rlx_buf_printf(&text, "    y%d = R.add(x, %d)\n", i, i);
  Fixture f = open_text(rlx_buf_text(&text));
  const RlxStmt *def = rlx_document_root(f.doc)->stmts[0];
  const RlxStmt *before = def->body->stmts[999], *after = def->body->stmts[1001];
  uint64_t bytes = rlx_document_stats(f.doc).parsed_bytes;
  uint32_t at = def->body->stmts[1000]->start, after_start = after->start, size = def->size;
  rlx_document_edit(f.doc, at + 1, at + 1, "z", 1);
  assert_true(rlx_document_stats(f.doc).parsed_bytes - bytes < 100);
  uint32_t count = 0;
  const RlxSplice *splices = rlx_document_splices(f.doc, &count);
  assert_int_equal(count, 1);
  assert_int_equal(splices[0].index, 1000);
  assert_int_equal(splices[0].removed, 1);
  assert_int_equal(splices[0].inserted, 1);
  assert_ptr_equal(def->body->stmts[999], before);
  assert_ptr_equal(def->body->stmts[1001], after);
  assert_int_equal(after->start, after_start + 1);
  assert_int_equal(def->size, size + 1);
  close_text(f);
  rlx_buf_free(&text);
}

/// A statement with more errors than a parse may recover from has its first error where it is, and the
/// statement behind it stays what it is.
static void thousands_of_errors_in_a_statement(void **state) {
  (void)state;
  for (int good = 10; good <= 1000; good *= 10) {
    RlxBuf text = {0};
    rlx_buf_puts(&text, "a = [\n");
    for (int i = 0; i < good; i++) rlx_buf_puts(&text, "  f(x, x),\n");
    const uint32_t first = (uint32_t)text.size + 4;
    for (int i = 0; i < 10000; i++) rlx_buf_puts(&text, "  f(,x),\n");
    rlx_buf_puts(&text, "]\nb = 1\n");
    Fixture f = open_text(rlx_buf_text(&text));
    const RlxBlock *root = rlx_document_root(f.doc);
    RlxSyntaxProblems problems = {0};
    rlx_document_problems(f.doc, &problems);
    assert_int_equal(problems.count, 1);
    assert_int_equal(problems.at[0].span.start, first);
    assert_string_equal(problems.at[0].text, "a value is missing before this comma");
    assert_int_equal(root->stmts[root->count - 1]->kind, RLX_STMT_ASSIGN);
    assert_false(root->stmts[root->count - 1]->has_error);
    rlx_vec_free(&problems);
    close_text(f);
    rlx_buf_free(&text);
  }
}

/// Several lines of a suite at once, of which one comes again between others: what is around them ends with them.
static void what_is_around_new_lines_ends_with_them(void **state) {
  (void)state;
  static const char *const texts[][2] = {
      {"def f():\n    if c:\n        a = 1\n        kept = 2\n",
       "def f():\n    if c:\n        aa = 10\n        kept = 2\n        b = a\n"},
      {"class M:\n    first = 1\n    kept = 2\nlast = 3\n",
       "class M:\n    # longer than what goes\n    x = 1\n    kept = 2\n    z = 4\nlast = 3\n"},
      {"with w():\n    one = 11111\n    kept = 2\n",
       "with w():\n    o = 1\n    kept = 2\n    p = 3\n"},
  };
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    Fixture f = open_text(texts[i][0]), fresh = open_text(texts[i][1]);
    rlx_document_set_text(f.doc, texts[i][1], (uint32_t)strlen(texts[i][1]));
    RlxBuf a = {0}, b = {0};
    rlx_document_dump(f.doc, &a);
    rlx_document_dump(fresh.doc, &b);
    assert_string_equal(rlx_buf_text(&a), rlx_buf_text(&b));
    const RlxStmt *stmt = rlx_document_root(f.doc)->stmts[0];
    const char *last = strstr(texts[i][1], i == 1 ? "\nlast" : "none");
    assert_int_equal(stmt->start + stmt->size,
                     last ? (size_t)(last - texts[i][1]) : strlen(texts[i][1]) - 1);
    rlx_buf_free(&a);
    rlx_buf_free(&b);
    close_text(f);
    close_text(fresh);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(literals_are_decoded),
      cmocka_unit_test(expressions_keep_their_order),
      cmocka_unit_test(a_broken_line_stays_alone),
      cmocka_unit_test(clauses_find_their_statement),
      cmocka_unit_test(a_broken_head_keeps_names),
      cmocka_unit_test(odd_bytes),
      cmocka_unit_test(rules_beyond_the_grammar),
      cmocka_unit_test(equal_statements_survive_a_new_text),
      cmocka_unit_test(places_are_found),
      cmocka_unit_test(an_edit_touches_one_statement),
      cmocka_unit_test(what_is_around_new_lines_ends_with_them),
      cmocka_unit_test(thousands_of_errors_in_a_statement),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
