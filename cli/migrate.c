/// `rlx migrate`: scripts in another dialect of TVMScript (spec 5).
/// Always true: only what the wanted dialect spells differently changes; a second run changes
/// nothing; a file is only written when it still is what was read.
#include <stdio.h>
#include <string.h>

#include "analyzer/analyzer.h"
#include "analyzer/dialect.h"
#include "base/diff.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/settings.h"
#include "cli/source.h"

typedef struct Options {
  bool check, write;
  RlxDialect to;
} Options;

/// Errors of a text, read in `dialect` (NULL: as recognised).
static uint32_t errors_of(const RlxBuf *text, const char *dialect) {
  RlxSettings settings = {.dialect = dialect};
  RlxAnalyzer *analyzer = rlx_analyzer_new(&settings);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(text), (uint32_t)text->size);
  RlxFileDiags diags = {0};
  uint32_t errors = 0;
  rlx_file_diags(file, &diags);
  for (uint32_t i = 0; i < diags.count; i++) errors += diags.at[i].diag->severity == RLX_ERROR;
  rlx_vec_free(&diags);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  return errors;
}

static RlxMigration migrate(const RlxBuf *content, RlxDialect to, RlxBuf *out) {
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(content), (uint32_t)content->size);
  RlxMigration done = rlx_file_migrate(file, to, UINT32_MAX, out);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  return done;
}

static void say(const char *path, const RlxMigration *done, const RlxBuf *before,
                const RlxBuf *after, RlxDialect to) {
  const char *dialect = rlx_dialect_name(to);
  if (done->left)
    fprintf(
        stderr,
        "rlx migrate: %s: %u place%s left that %s has nothing for; see `rlx check --dialect %s`\n",
        path, done->left, done->left == 1 ? " is" : "s are", dialect, dialect);
  if (!done->changed) return;
  uint32_t was = errors_of(before, NULL), is = errors_of(after, dialect);
  if (is > was + done->left)
    fprintf(stderr, "rlx migrate: %s: %u error%s more than before; see `rlx check --dialect %s`\n",
            path, is - was, is - was == 1 ? "" : "s", dialect);
}

static int one_file(const Options *options, const RlxInput *input, RlxError *err) {
  RlxBuf content = {0}, text = {0}, diff = {0};
  const char *path = input->path;
  bool fine = rlx_source_read(path, &content, err), changed = false;
  if (fine &&
      (input->is_explicit || rlx_inputs_may_hold_script(rlx_buf_text(&content), content.size))) {
    RlxMigration done = migrate(&content, options->to, &text);
    changed = done.changed != 0;
    say(path, &done, &content, &text, options->to);
    if (options->check) {
      if (changed) printf("%s\n", path);
    } else if (options->write && strcmp(path, "-") == 0) {
      fwrite(rlx_buf_text(&text), 1, text.size, stdout);
    } else if (options->write) {
      fine = !changed || rlx_source_write(path, &content, &text, err);
    } else {
      rlx_diff(path, &content, &text, &diff);
      fwrite(rlx_buf_text(&diff), 1, diff.size, stdout);
    }
  }
  rlx_buf_free(&content);
  rlx_buf_free(&text);
  rlx_buf_free(&diff);
  if (!fine) fprintf(stderr, "rlx migrate: %s\n", err->text);
  return !fine ? RLX_EXIT_USAGE : changed && !options->write ? RLX_EXIT_FINDINGS : RLX_EXIT_OK;
}

int rlx_cmd_migrate(int argc, char **argv) {
  static const char *const dialects[] = {"classic", "0.25", "0.27", NULL}; // RlxDialect
  Options o = {0};
  int code = RLX_EXIT_OK, to = -1;
  RlxOption options[3 + RLX_SETTING_OPTIONS_MAX] = {
      {.name = "to",
       .kind = RLX_OPTION_CHOICE,
       .target = &to,
       .choices = dialects,
       .value = "DIALECT",
       .help = "TVM release to write for; classic is 0.16 to 0.23; else the configured dialect, or "
               "0.25"},
      {.name = "check",
       .kind = RLX_OPTION_FLAG,
       .target = &o.check,
       .help = "name the files that would change; exit with 1 then"},
      {.name = "write", .kind = RLX_OPTION_FLAG, .target = &o.write, .help = "rewrite the files"},
  };
  size_t options_count = 3;
  uint32_t reported = 0;
  RlxSettingOptions settings;
  rlx_setting_options(&settings, 0, options, &options_count);
  RlxUsage usage = {"migrate", "[PATH…]",
                    "Rewrites spellings of other dialects of TVMScript: `R.Tensor[(n, m), "
                    "\"f32\"]`, `R.match_shape`,\n"
                    "`T.block`, `out_ty`… The rest stays byte for byte. Prints a diff unless told "
                    "otherwise, and exits with 1\n"
                    "when there is one.",
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
    fprintf(stderr, "rlx migrate: %s\n", err.text);
    code = RLX_EXIT_USAGE;
  }
  for (uint32_t i = 0; i < inputs.count; i++) {
    RlxSettings chosen =
        rlx_config_settings(rlx_configs_of(settings.configs, inputs.at[i].path, NULL));
    if (to >= 0)
      o.to = (RlxDialect)to;
    else if (!rlx_dialect_parse(chosen.dialect, &o.to) || o.to == RLX_DIALECT_TLC)
      o.to = RLX_DIALECT_025;
    int one = one_file(&o, &inputs.at[i], &err);
    if (one > code) code = one;
  }
  if (!rlx_setting_report(&settings, &reported)) code = RLX_EXIT_USAGE;
  rlx_inputs_free(&inputs);
  rlx_setting_options_free(&settings);
  rlx_args_free(&args);
  return code;
}
