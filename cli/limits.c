/// Options of limits, and what follows from them.
#include "cli/limits.h"

void rlx_limit_options(RlxLimits *limits, RlxOption *rows, size_t *count) {
  *limits = (RlxLimits){.time = -1, .memory = -1};
  rows[(*count)++] =
      rlx_option_int("time-limit", &limits->time, "S", 0, 1000000,
                     "stop after S seconds; 0: never. Not given: after an hour of CPU time");
  rows[(*count)++] =
      rlx_option_int("memory-limit", &limits->memory, "M", 0, INT32_MAX,
                     "memory that the run may take, in MiB; 0: any. Not given: nine tenths of all");
  rows[(*count)++] =
      rlx_option_flag("no-sandbox", &limits->no_sandbox,
                      "let the worker open files to write, use the network and start programs");
}

RlxConfinement rlx_limit_confinement(const RlxLimits *limits, double *out_seconds) {
  RlxConfinement c = rlx_confinement_default();
  if (limits->time >= 0) c.cpu_seconds = 0; // the time that passes counts, if anything
  if (limits->memory >= 0) c.memory_bytes = limits->memory << 20;
  if (limits->no_sandbox) c.no_system = false;
  *out_seconds = limits->time > 0 ? (double)limits->time : 0;
  return c;
}

int rlx_limit_externs(const RlxConfig *config, const char *const **out_names) {
  const RlxTexts *names = &config->values[RLX_SETTING_allow_extern].texts;
  *out_names = names->at;
  return (int)names->count;
}
