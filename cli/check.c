/// `rlx check`: what is wrong in scripts, in any of the formats; fixes; exit codes (spec 5).
/// Always true: findings go to standard output, errors about the tool to standard error; a file is only written when its
/// content on disk is what was analysed.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diff.h"
#include "base/file.h"
#include "cli/check_impl.h"
#include "cli/color.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/settings.h"
#include "cli/source.h"

static void ignore_finding(RlxCheck *c, const RlxFileDiag *d) {
  (void)c;
  (void)d;
}

/// When a fixed text or a diff is the answer, findings only count for the exit code.
static const RlxCheckFormat silent = {.finding = ignore_finding};

const char *const rlx_severity_names[] = {"", "error", "warning", "information", "hint"};

typedef struct Options {
  int format, color;
  bool fix, diff, statistics, show_settings;
  const char *stdin_name;
  RlxSettingOptions settings;
  uint32_t reported; // problems of configurations
} Options;

RlxPlace rlx_check_place(const RlxCheck *c, uint32_t offset) {
  RlxScriptPlace at = rlx_script_place(c->document, offset);
  return (RlxPlace){at.line + 1, at.character + 1};
}

RlxSpan rlx_check_span(const RlxFileDiag *d, RlxSpan span) { return d->stmt ? rlx_stmt_absolute(d->stmt, span) : span; }

// ---- which findings

/// --fix leaves nested calls alone as long as no normal form is asked for.
static bool is_fixed(const RlxFileDiag *d, void *data) {
  const RlxCheck *c = data;
  int severity = rlx_policy_severity(&c->policy, d->diag->id, d->diag->severity);
  return severity != 0 && (d->diag->id != RLX_DIAG_NESTED_CALL || severity != RLX_HINT);
}

/// The configuration that holds for the file.
static void configure(RlxCheck *c, Options *options, const char *path) {
  RlxBuf relative = {0};
  const RlxConfig *config = rlx_configs_of(options->settings.configs, path, &relative);
  if (config != c->config) {
    RlxSettings settings = rlx_config_settings(config);
    rlx_analyzer_configure(c->analyzer, &settings);
  }
  if (config != c->config || rlx_config_has_per_file(config)) rlx_config_policy(config, rlx_buf_text(&relative), &c->policy);
  c->config = config;
  c->least = (int)rlx_config_number(config, RLX_SETTING_show) + 1;
  c->fail_on = (int)rlx_config_number(config, RLX_SETTING_fail_on) + 1;
  if (c->fail_on > RLX_HINT) c->fail_on = 0; // never
  rlx_buf_free(&relative);
}

// ---- one file

static void call(RlxCheck *c, void (*step)(RlxCheck *)) {
  if (step) step(c);
}

static void flush(RlxCheck *c) {
  fwrite(rlx_buf_text(c->json.out), 1, c->json.out->size, stdout);
  rlx_buf_clear(c->json.out);
}

static void report(RlxCheck *c, const RlxBuf *content) {
  c->file = rlx_file_open(c->analyzer, rlx_buf_text(content), (uint32_t)content->size);
  c->document = rlx_file_document(c->file);
  RlxFileDiags diags = {0};
  rlx_file_diags(c->file, &diags);
  c->files++;
  call(c, c->format->file_begin);
  for (uint32_t i = 0; i < diags.count; i++) {
    RlxFileDiag d = diags.at[i];
    RlxDiag diag = *d.diag;
    diag.severity = (uint8_t)rlx_policy_severity(&c->policy, diag.id, diag.severity);
    if (!diag.severity) continue;
    d.diag = &diag;
    c->counts[diag.severity]++;
    c->by_code[diag.id]++;
    c->failed |= diag.severity <= c->fail_on;
    c->format->finding(c, &d);
  }
  call(c, c->format->file_end);
  flush(c);
  rlx_vec_free(&diags);
  rlx_file_close(c->file);
}

/// --fix and --diff. After --fix `content` is what is left to report on.
static bool fix_file(RlxCheck *c, Options *options, const char *path, RlxBuf *content, RlxError *err) {
  RlxFixed fixed = {0};
  bool fine = true, is_stdin = strcmp(path, "-") == 0;
  RlxSettings settings = rlx_config_settings(c->config);
  rlx_check_fix(rlx_buf_text(content), (uint32_t)content->size, &settings, is_fixed, c, &fixed);
  if (options->diff) {
    rlx_diff(c->path, content, &fixed.text, c->json.out);
    flush(c);
  } else if (is_stdin) {
    fwrite(rlx_buf_text(&fixed.text), 1, fixed.text.size, stdout);
  } else if (fixed.applied) {
    fine = rlx_source_write(path, content, &fixed.text, err);
    if (fine) fprintf(stderr, "rlx check: %s: %u fixed\n", path, fixed.applied);
  }
  if (fine && !options->diff) {
    rlx_buf_free(content);
    *content = fixed.text;
  } else rlx_buf_free(&fixed.text);
  return fine;
}

static bool one_input(RlxCheck *c, Options *options, const RlxInput *input, RlxBuf *content, RlxError *err) {
  bool fine = rlx_source_read(input->path, content, err);
  if (!input->is_explicit && !rlx_inputs_may_hold_script(rlx_buf_text(content), content->size)) return fine;
  c->path = strcmp(input->path, "-") == 0 && options->stdin_name ? options->stdin_name : input->path;
  if (!fine) fprintf(stderr, "rlx check: %s\n", err->text);
  configure(c, options, c->path);
  if (fine && (options->fix || options->diff) && !fix_file(c, options, input->path, content, err)) {
    fprintf(stderr, "rlx check: %s\n", err->text);
    fine = false;
  }
  report(c, content);
  return fine;
}

// ---- the command

static const struct {
  const char *name;
  const RlxCheckFormat *format;
} formats[] = {
    {"text", &rlx_check_text},     {"concise", &rlx_check_concise}, {"json", &rlx_check_json},   {"sarif", &rlx_check_sarif},
    {"github", &rlx_check_github}, {"gitlab", &rlx_check_gitlab},   {"junit", &rlx_check_junit},
};

/// One line per code that was found, the most frequent first.
static void statistics(RlxCheck *c) {
  for (;;) {
    int best = -1;
    for (int i = 0; i < RLX_DIAG_COUNT; i++)
      if (c->by_code[i] && (best < 0 || c->by_code[i] > c->by_code[best])) best = i;
    if (best < 0) return;
    const RlxDiagRow *row = rlx_diag_row((RlxDiagId)best);
    rlx_buf_printf(c->json.out, "%6llu  %s  %s\n", (unsigned long long)c->by_code[best], row->code, row->name);
    c->by_code[best] = 0;
  }
}

static int check_inputs(RlxCheck *c, Options *options, const RlxInputs *inputs, int code) {
  RlxError err = {0};
  RlxBuf content = {0};
  call(c, c->format->begin);
  for (uint32_t i = 0; i < inputs->count; i++) {
    if (i % 256 == 0) { // names of one batch are not kept for the next
      rlx_analyzer_free(c->analyzer);
      c->analyzer = rlx_analyzer_new(NULL);
      c->config = NULL;
      c->store = rlx_analyzer_store(c->analyzer);
    }
    rlx_buf_clear(&content);
    if (!one_input(c, options, &inputs->at[i], &content, &err)) code = RLX_EXIT_USAGE;
  }
  bool is_text = c->format == &rlx_check_text || c->format == &rlx_check_concise;
  if (options->statistics && is_text) statistics(c);
  call(c, c->format->end);
  flush(c);
  if (!rlx_setting_report(&options->settings, &options->reported)) code = RLX_EXIT_USAGE;
  if (c->failed && code == RLX_EXIT_OK) code = RLX_EXIT_FINDINGS;
  rlx_buf_free(&content);
  rlx_map_free(&c->fingerprints);
  rlx_analyzer_free(c->analyzer);
  return code;
}

/// The settings that hold for each path.
static int show_settings(Options *options, const RlxArgs *args) {
  RlxBuf out = {0};
  for (uint32_t i = 0; i == 0 || i < args->count; i++) {
    RlxBuf path = {0};
    rlx_buf_puts(&path, args->count ? args->at[i] : "./");
    if (rlx_file_is_folder(path.at) && path.at[path.size - 1] != '/') rlx_buf_putc(&path, '/');
    if (i) rlx_buf_putc(&out, '\n');
    rlx_config_print(rlx_configs_of(options->settings.configs, path.at, NULL), &out);
    rlx_buf_free(&path);
  }
  fwrite(rlx_buf_text(&out), 1, out.size, stdout);
  rlx_buf_free(&out);
  return rlx_setting_report(&options->settings, &options->reported) ? RLX_EXIT_OK : RLX_EXIT_USAGE;
}

static int check(const RlxArgs *args, Options *options) {
  RlxInputs inputs = {0};
  RlxError err = {0};
  RlxBuf out = {0};
  int code = RLX_EXIT_OK;
  if (options->show_settings) return show_settings(options, args);
  if (!rlx_inputs_collect(args, options->settings.configs, &inputs, &err)) {
    fprintf(stderr, "rlx check: %s\n", err.text);
    code = RLX_EXIT_USAGE;
  }
  bool is_fixed_stdin = options->fix && inputs.count == 1 && strcmp(inputs.at[0].path, "-") == 0;
  RlxCheck c = {.format = options->diff || is_fixed_stdin ? &silent : formats[options->format].format, .json = {.out = &out}, .color = rlx_color_is_on((RlxColor)options->color, stdout)};
  code = check_inputs(&c, options, &inputs, code);
  rlx_buf_free(&out);
  rlx_inputs_free(&inputs);
  return code;
}

int rlx_cmd_check(int argc, char **argv) {
  const char *format_names[sizeof formats / sizeof formats[0] + 1] = {0};
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) format_names[i] = formats[i].name;
  Options o = {.color = RLX_COLOR_AUTO};
  int code = RLX_EXIT_OK;
  RlxOption options[7 + RLX_SETTING_OPTIONS_MAX] = {
      {.name = "format", .kind = RLX_OPTION_CHOICE, .target = &o.format, .choices = format_names, .value = "FORMAT", .help = "how to print"},
      {.name = "color", .kind = RLX_OPTION_CHOICE, .target = &o.color, .choices = rlx_color_names, .value = "WHEN", .help = "colour the text"},
      {.name = "fix", .kind = RLX_OPTION_FLAG, .target = &o.fix, .help = "apply fixes to the files; standard input is printed fixed"},
      {.name = "diff", .kind = RLX_OPTION_FLAG, .target = &o.diff, .help = "print what --fix would change, write nothing"},
      {.name = "statistics", .kind = RLX_OPTION_FLAG, .target = &o.statistics, .help = "count the findings of each code (text)"},
      {.name = "stdin-filename", .kind = RLX_OPTION_TEXT, .target = &o.stdin_name, .value = "NAME", .help = "what to call standard input"},
      {.name = "show-settings", .kind = RLX_OPTION_FLAG, .target = &o.show_settings, .help = "show every setting with its value and where it is from"},
  };
  size_t count = 7;
  rlx_setting_options(&o.settings, RLX_SETTING_SCOPE_ANALYSIS | RLX_SETTING_SCOPE_REPORT, options, &count);
  RlxUsage usage = {"check", "[PATH…]", "Reports what is wrong in scripts: files, folders, or - for standard input.\nCODES are codes, starts of codes, names or ALL, with commas between.", options, count};
  RlxArgs args = {0};
  if (rlx_options_parse(&usage, argc, argv, &args, &code) && rlx_setting_options_done(&o.settings, &usage, &code)) code = check(&args, &o);
  rlx_args_free(&args);
  rlx_setting_options_free(&o.settings);
  return code;
}
