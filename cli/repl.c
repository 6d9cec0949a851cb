/// `rlx repl`: the read-eval-print loop; `rlx kernel`: the same session for notebooks.
#include "repl/repl.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/kernel.h"
#include "cli/limits.h"
#include "cli/options.h"
#include "cli/schedule.h"
#include "cli/settings.h"
#include "cli/source.h"
#include "config/modules.h"

/// What reads the modules of the script that was loaded last.
typedef struct Modules {
  RlxProject project;
  RlxConfigs *configs;
  bool is_open;
} Modules;

static void attach(void *data, RlxFile *file, const char *path) {
  Modules *modules = data;
  if (modules->is_open) rlx_project_deinit(&modules->project);
  rlx_project_attach(&modules->project, file, path,
                     rlx_configs_of(modules->configs, path, NULL)->folder);
  modules->is_open = true;
}

/// `repl` and, with `is_kernel`, `kernel`: the same options.
static int run(int argc, char **argv, bool is_kernel) {
  RlxReplOptions repl = {.read_trace = rlx_schedule_read_trace,
                         .write_trace = rlx_schedule_write_json};
  RlxArgs with = {0};
  RlxLimits limits;
  RlxOption options[4 + RLX_LIMIT_OPTIONS + RLX_SETTING_OPTIONS_MAX] = {
      rlx_option_flag("keep-going", &repl.keep_going, "with piped input: go on after an error"),
      rlx_option_flag("watch", &repl.watch, "read the last FILE again whenever it changes"),
      rlx_option_flag("no-history", &repl.no_history,
                      "neither read nor keep the history of what was typed"),
      rlx_option_list(
          "with", &with, "FILE",
          "extern functions: a script or a shared library (.so) that has them; may be repeated"),
  };
  size_t options_count = 4;
  uint32_t reported = 0;
  RlxSettingOptions settings;
  rlx_limit_options(&limits, options, &options_count);
  rlx_setting_options(&settings,
                      RLX_SETTING_SCOPE_ANALYSIS | RLX_SETTING_SCOPE_RUN | RLX_SETTING_SCOPE_USER,
                      options, &options_count);
  RlxUsage usage = {
      is_kernel ? "kernel" : "repl", is_kernel ? "" : "[FILE…]",
      is_kernel ? "A session for notebooks: requests from standard input and answers to standard "
                  "output, JSON, one a line: execute, complete, inspect, is_complete, interrupt, "
                  "shutdown."
                : "Reads functions, bindings and expressions, evaluates them, prints values; :help "
                  "lists its "
                  "commands.\nPiped input is read without prompts and stops at the first error.",
      options, options_count};
  RlxArgs args = {0};
  int code = RLX_EXIT_OK;
  if (rlx_options_parse(&usage, argc, argv, &args, &code) &&
      rlx_setting_options_done(&settings, &usage, &code)) {
    const RlxConfig *config = rlx_configs_of(settings.configs, "./", NULL); // of the current folder
    repl.settings = rlx_config_settings(config);
    repl.threads = (int)rlx_config_number(config, RLX_SETTING_threads);
    repl.extern_count = rlx_limit_externs(config, &repl.externs);
    repl.confinement = rlx_limit_confinement(&limits, &repl.limit_seconds);
    repl.with = with.at;
    repl.with_count = (int)with.count;
    Modules modules = {.configs = settings.configs};
    repl.read = rlx_source_read_text;
    repl.attach = attach;
    repl.attach_data = &modules;
    if (rlx_setting_report(&settings, &reported))
      code = is_kernel ? rlx_kernel_serve(&repl) : rlx_repl_run(args.at, (int)args.count, &repl);
    else
      code = RLX_EXIT_USAGE;
    if (modules.is_open) rlx_project_deinit(&modules.project);
  }
  rlx_setting_options_free(&settings);
  rlx_args_free(&args);
  rlx_args_free(&with);
  return code;
}

int rlx_cmd_repl(int argc, char **argv) { return run(argc, argv, false); }

int rlx_cmd_kernel(int argc, char **argv) { return run(argc, argv, true); }
