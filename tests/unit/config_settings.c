/// What the analyzer takes from a configuration stays when the configuration is gone: open documents compare it with what comes then.
#include "analyzer/words/dialect.h"
#include "config/config.h"
#include "tests/test.h"

static RlxSettings settings_of(const char *text) {
  RlxConfig *config = rlx_config_new();
  RlxArena *arena = rlx_arena_new();
  RlxConfigProblems problems = {0};
  RlxToml *table = rlx_toml_read(text, strlen(text), arena, NULL, NULL);
  assert_non_null(table);
  rlx_config_take(config, table, RLX_ORIGIN_FILE, "rlx.toml", text, strlen(text), &problems);
  assert_int_equal(problems.count, 0);
  RlxSettings settings = rlx_config_settings(config);
  rlx_config_problems_free(&problems);
  rlx_arena_free(arena);
  rlx_config_free(config);
  return settings;
}

static void a_dialect_stays(void **state) {
  (void)state;
  assert_null(settings_of("").dialect);
  assert_null(settings_of("dialect = \"auto\"\n").dialect);
  for (int i = 0; i < RLX_DIALECT_COUNT; i++) {
    char text[64];
    snprintf(text, sizeof text, "dialect = \"%s\"\n", rlx_dialect_name((RlxDialect)i));
    assert_ptr_equal(settings_of(text).dialect, rlx_dialect_name((RlxDialect)i));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_dialect_stays)};
  return cmocka_run_group_tests(tests, 0, 0);
}
