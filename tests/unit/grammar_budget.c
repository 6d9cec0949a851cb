/// A parse ends where its budget of looks for tokens does, at the same look each time, and not before.
#include <string.h>
#include <tree_sitter/api.h>

#include "grammar/budget.h"
#include "grammar/grammar.h"
#include "tests/test.h"

enum { LINES = 2000 };

/// What is left of `looks` after one parse of LINES assignments; *whole: the parse came to an end.
static uint64_t parse(uint64_t looks, bool *whole) {
  static char text[LINES * 8 + 1];
  for (int i = 0; i < LINES; i++) memcpy(text + i * 8, "ab = 12\n", 8);
  TSParser *parser = ts_parser_new();
  ts_parser_set_language(parser, tree_sitter_tvmscript());
  RlxParseBudget budget = {.left = looks};
  tree_sitter_tvmscript_count_in(&budget);
  ts_parser_set_cancellation_flag(parser, &budget.is_spent);
  TSTree *tree = ts_parser_parse_string(parser, NULL, text, sizeof text - 1);
  tree_sitter_tvmscript_count_in(NULL);
  *whole = tree && !budget.is_spent;
  if (tree) ts_tree_delete(tree);
  ts_parser_delete(parser);
  assert_int_equal(budget.is_spent, budget.left == 0);
  return budget.left;
}

static void ends_where_the_budget_does(void **state) {
  (void)state;
  bool whole = false;
  uint64_t needed = 1000000 - parse(1000000, &whole);
  assert_true(whole);
  assert_true(needed > LINES && needed < 40 * LINES);
  assert_int_equal(parse(needed + 1, &whole), 1);
  assert_true(whole);
  parse(needed, &whole);
  assert_false(whole);
  parse(LINES, &whole);
  assert_false(whole);
}

/// What recovering costs is counted, too: a text of errors takes more than one of as many statements.
static void errors_are_counted(void **state) {
  (void)state;
  TSParser *parser = ts_parser_new();
  ts_parser_set_language(parser, tree_sitter_tvmscript());
  static const char text[] = "a = f(,x)\nb = f(,x)\nc = f(,x)\n";
  RlxParseBudget budget = {.left = 1000000};
  tree_sitter_tvmscript_count_in(&budget);
  TSTree *tree = ts_parser_parse_string(parser, NULL, text, sizeof text - 1);
  tree_sitter_tvmscript_count_in(NULL);
  ts_tree_delete(tree);
  ts_parser_delete(parser);
  assert_true(budget.errors >= 3 && budget.errors < 30);
  assert_true(1000000 - budget.left >= budget.errors * RLX_LOOKS_OF_AN_ERROR);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(ends_where_the_budget_does),
                                     cmocka_unit_test(errors_are_counted)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
