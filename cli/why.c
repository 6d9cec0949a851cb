/// Derivations of StructInfos as text and as JSON (`rlx infer --why NAME`).
#include "cli/why.h"
#include "analyzer/analyzer.h"

#include "server/session/script_json.h"

static void one_json(RlxFile *file, const RlxStore *store, const RlxWhyTarget *target,
                     const RlxWhySteps *steps, RlxJson *json) {
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "function", rlx_store_text(store, target->function));
  rlx_json_key_text(json, "name", target->var ? rlx_store_text(store, target->var->name) : NULL);
  rlx_json_key(json, "struct_info");
  rlx_json_sinfo_text(json, store, steps->count ? steps->at[0].sinfo : NULL);
  rlx_json_key(json, "steps");
  rlx_json_why(json, store, rlx_file_document(file), steps);
  rlx_json_end(json, '}');
}

uint32_t rlx_why_write(RlxFile *file, RlxStore *store, const char *name, bool as_text,
                       RlxJson *json) {
  const RlxWhyLimits limits = {.levels = 3, .steps = 64};
  RlxArena *arena = rlx_arena_new();
  RlxWhyTargets targets = {0};
  rlx_file_why_targets(file, name, arena, &targets);
  for (uint32_t i = 0; i < targets.count; i++) {
    RlxWhySteps steps = {0};
    if (targets.at[i].var)
      rlx_file_why(file, targets.at[i].var, limits, arena, &steps);
    else
      rlx_file_why_result(file, targets.at[i].def, limits, arena, &steps);
    if (as_text) {
      rlx_buf_printf(json->out, "%s:\n", rlx_store_text(store, targets.at[i].function));
      rlx_why_print_steps(file, &steps, json->out);
    } else
      one_json(file, store, &targets.at[i], &steps, json);
    rlx_vec_free(&steps);
  }
  uint32_t count = targets.count;
  rlx_vec_free(&targets);
  rlx_arena_free(arena);
  return count;
}
