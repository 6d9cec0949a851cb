/// The loop over files that commands share: collect, read, analyse, print, report.
#include "cli/files.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#include "base/diff.h"
#include "cli/exit.h"
#include "cli/source.h"

static void free_all(RlxFilesCommand *c) {
  rlx_inputs_free(&c->inputs);
  rlx_setting_options_free(&c->settings);
  rlx_args_free(&c->args);
}

bool rlx_files_begin(RlxFilesCommand *c, const RlxUsage *usage, RlxOption *options, int scopes,
                     int argc, char **argv) {
  RlxError err = {0};
  *c = (RlxFilesCommand){.usage = *usage, .code = RLX_EXIT_OK};
  rlx_setting_options(&c->settings, scopes, options, &c->usage.options_count);
  if (!rlx_options_parse(&c->usage, argc, argv, &c->args, &c->code) ||
      !rlx_setting_options_done(&c->settings, &c->usage, &c->code)) {
    free_all(c);
    return false;
  }
  if (!rlx_inputs_collect(&c->args, c->settings.configs, &c->inputs, &err)) {
    rlx_text_say(stderr, "rlx %s: %s", c->usage.command, err.text);
    c->code = RLX_EXIT_USAGE;
  }
  rlx_inputs_report_unread(&c->inputs, c->usage.command);
  return true;
}

RlxSettings rlx_files_settings(RlxFilesCommand *c, const RlxInput *input) {
  return rlx_config_settings(rlx_configs_of(c->settings.configs, input->path, NULL));
}

const char *rlx_files_project(RlxFilesCommand *c, const RlxInput *input) {
  return rlx_configs_of(c->settings.configs, input->path, NULL)->folder;
}

int rlx_files_end(RlxFilesCommand *c) {
  uint32_t reported = 0;
  if (!rlx_setting_report(&c->settings, &reported)) c->code = RLX_EXIT_USAGE;
  free_all(c);
  return c->code;
}

bool rlx_files_use_text(RlxTextUse use, const char *path, const char *project, const RlxBuf *was,
                        const RlxBuf *text, bool changed, RlxError *err) {
  if (use == RLX_TEXT_WRITE && strcmp(path, "-") == 0) use = RLX_TEXT_PRINT;
  switch (use) {
  case RLX_TEXT_PRINT: rlx_text_write(stdout, rlx_buf_text(text), text->size); break;
  case RLX_TEXT_NAME:
    if (changed) rlx_text_say(stdout, "%s", path);
    break;
  case RLX_TEXT_DIFF: {
    RlxBuf diff = {0};
    rlx_diff(path, was, text, &diff);
    rlx_text_write(stdout, rlx_buf_text(&diff), diff.size);
    rlx_buf_free(&diff);
    break;
  }
  case RLX_TEXT_WRITE: return !changed || rlx_source_write(path, project, was, text, err);
  }
  return true;
}
