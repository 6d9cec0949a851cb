/// Any bytes as TOML and as a configuration: read or refused at a place inside the text; what is
/// read prints as TOML again.
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/toml.h"
#include "config/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void must(int holds) {
  if (!holds) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  const char *text = (const char *)bytes;
  RlxArena *arena = rlx_arena_new();
  RlxError err = {0};
  uint32_t offset = 0;
  RlxTomlFaults faults = {0};
  bool is_toml = rlx_toml_read(text, size, arena, &offset, &err) != NULL;
  RlxToml *table = rlx_toml_read_most(text, size, arena, &faults);
  if (!is_toml) must(offset <= size && err.text[0]);
  must(is_toml == !faults.count);
  for (uint32_t i = 0; i < faults.count; i++) must(faults.at[i].at <= size);
  rlx_vec_free(&faults);
  if (table) {
    RlxConfig *config = rlx_config_new();
    RlxConfigProblems problems = {0};
    RlxBuf out = {0};
    RlxPolicy policy;
    rlx_config_take(config, table, RLX_ORIGIN_FILE, "rlx.toml", text, size, &problems);
    for (uint32_t i = 0; i < problems.count; i++) {
      rlx_config_problem_print(&problems.at[i], &out);
      must(problems.at[i].end <= size && problems.at[i].start <= problems.at[i].end);
    }
    rlx_config_policy(config, "a/b.py", &policy);
    rlx_buf_clear(&out);
    rlx_config_print(config, &out);
    must(rlx_toml_read(rlx_buf_text(&out), out.size, arena, NULL, NULL) != NULL);
    rlx_buf_free(&out);
    rlx_config_problems_free(&problems);
    rlx_config_free(config);
  }
  rlx_arena_free(arena);
  return 0;
}
