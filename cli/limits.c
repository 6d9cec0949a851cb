/// Options of limits, and what follows from them.
#include "cli/limits.h"

void rlx_limit_options(RlxLimits *limits, RlxOption *rows, size_t *count) {
  *limits = (RlxLimits){.time = -1, .memory = -1};
  rows[(*count)++] =
      (RlxOption){.name = "time-limit",
                  .kind = RLX_OPTION_INT,
                  .target = &limits->time,
                  .value = "S",
                  .help = "stop after S seconds; 0: never. Not given: after an hour of CPU time",
                  .min = 0,
                  .max = 1000000};
  rows[(*count)++] = (RlxOption){
      .name = "memory-limit",
      .kind = RLX_OPTION_INT,
      .target = &limits->memory,
      .value = "M",
      .help = "memory that the run may take, in MiB; 0: any. Not given: nine tenths of all",
      .min = 0,
      .max = INT32_MAX};
  rows[(*count)++] =
      (RlxOption){.name = "no-sandbox",
                  .kind = RLX_OPTION_FLAG,
                  .target = &limits->no_sandbox,
                  .help = "let the worker open files to write, use the network and start programs"};
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
