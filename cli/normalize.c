/// `rlx normalize`: scripts in normal form (spec 2.2, 5).
/// Always true: a result with more findings than the file had is not used; a file is only written
/// when it still is what was read.
#include <stdio.h>
#include <string.h>

#include "analyzer/normalize.h"
#include "base/diff.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/settings.h"
#include "cli/source.h"

typedef struct Options {
  bool check, diff, write;
  RlxNormalize how;
} Options;

/// Normal form of `content`, or `content` itself. Gives the number of errors of what it looked at.
static uint32_t normalize(const Options *options, const RlxBuf *content,
                          const RlxSettings *settings, RlxBuf *out, bool *changed) {
  RlxAnalyzer *analyzer = rlx_analyzer_new(settings);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(content), (uint32_t)content->size);
  RlxFileDiags diags = {0};
  uint32_t errors = 0;
  rlx_file_diags(file, &diags);
  for (uint32_t i = 0; i < diags.count; i++) errors += diags.at[i].diag->severity == RLX_ERROR;
  *changed = rlx_file_normalize(file, &options->how, out);
  rlx_vec_free(&diags);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  return errors;
}

static int one_file(const Options *options, const char *path, bool is_explicit,
                    const RlxSettings *settings, RlxError *err) {
  RlxBuf content = {0}, text = {0}, again = {0}, diff = {0};
  bool changed = false, changes_again = false, fine = rlx_source_read(path, &content, err);
  if (fine && !is_explicit && !rlx_inputs_may_hold_script(rlx_buf_text(&content), content.size)) {
    rlx_buf_free(&content);
    return RLX_EXIT_OK;
  }
  if (fine) {
    uint32_t before = normalize(options, &content, settings, &text, &changed),
             after = changed ? normalize(options, &text, settings, &again, &changes_again) : before;
    if (after > before) {
      changed = false;
      fprintf(
          stderr,
          "rlx normalize: %s: left as it is: its normal form would not be read without errors\n",
          path);
      rlx_buf_clear(&text);
      rlx_buf_putn(&text, rlx_buf_text(&content), content.size);
    }
    if (options->diff) {
      rlx_diff(path, &content, &text, &diff);
      fwrite(rlx_buf_text(&diff), 1, diff.size, stdout);
    } else if (options->check) {
      if (changed) printf("%s\n", path);
    } else if (!options->write || strcmp(path, "-") == 0) {
      fwrite(rlx_buf_text(&text), 1, text.size, stdout);
    } else if (changed) {
      fine = rlx_source_write(path, &content, &text, err);
    }
  }
  rlx_buf_free(&content);
  rlx_buf_free(&text);
  rlx_buf_free(&again);
  rlx_buf_free(&diff);
  if (!fine) fprintf(stderr, "rlx normalize: %s\n", err->text);
  return !fine                                          ? RLX_EXIT_USAGE
         : changed && (options->check || options->diff) ? RLX_EXIT_FINDINGS
                                                        : RLX_EXIT_OK;
}

int rlx_cmd_normalize(int argc, char **argv) {
  Options o = {0};
  int code = RLX_EXIT_OK;
  RlxOption options[5 + RLX_SETTING_OPTIONS_MAX] = {
      {.name = "t-anf",
       .kind = RLX_OPTION_FLAG,
       .target = &o.how.t_anf,
       .help = "tuples, their accesses, shapes and other names for a value are inlined"},
      {.name = "canonicalize",
       .kind = RLX_OPTION_FLAG,
       .target = &o.how.canonical,
       .help = "forward aliases and match_casts that say nothing new, fold accesses of tuple "
               "literals; outputs keep their names"},
      {.name = "check",
       .kind = RLX_OPTION_FLAG,
       .target = &o.check,
       .help = "name the files that are not in normal form; exit with 1 then"},
      {.name = "diff",
       .kind = RLX_OPTION_FLAG,
       .target = &o.diff,
       .help = "show what would change; exit with 1 then"},
      {.name = "write", .kind = RLX_OPTION_FLAG, .target = &o.write, .help = "rewrite the files"},
  };
  size_t options_count = 5;
  uint32_t reported = 0;
  RlxSettingOptions settings;
  rlx_setting_options(&settings, RLX_SETTING_SCOPE_ANALYSIS, options, &options_count);
  RlxUsage usage = {"normalize", "[PATH…]",
                    "Binds nested calls to names, in evaluation order; the rest stays as it "
                    "is.\nPrints the result unless told otherwise.",
                    options, options_count};
  RlxArgs args = {0};
  RlxInputs inputs = {0};
  RlxError err = {0};
  if (!rlx_options_parse(&usage, argc, argv, &args, &code) ||
      !rlx_setting_options_done(&settings, &usage, &code)) {
    rlx_args_free(&args);
    rlx_setting_options_free(&settings);
    return code;
  }
  if (!rlx_inputs_collect(&args, settings.configs, &inputs, &err)) {
    fprintf(stderr, "rlx normalize: %s\n", err.text);
    code = RLX_EXIT_USAGE;
  }
  for (uint32_t i = 0; i < inputs.count; i++) {
    RlxSettings chosen =
        rlx_config_settings(rlx_configs_of(settings.configs, inputs.at[i].path, NULL));
    int one = one_file(&o, inputs.at[i].path, inputs.at[i].is_explicit, &chosen, &err);
    if (one > code) code = one;
  }
  if (!rlx_setting_report(&settings, &reported)) code = RLX_EXIT_USAGE;
  rlx_inputs_free(&inputs);
  rlx_setting_options_free(&settings);
  rlx_args_free(&args);
  return code;
}
