/// `rlx normalize`: scripts in normal form (spec 2.2, 5).
/// Always true: a result with more findings than the file had is not used; a file is only written
/// when it still is what was read.
#include <stdio.h>
#include <string.h>

#include "analyzer/rewrite/normalize.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/files.h"
#include "cli/source.h"
#include "config/modules.h"

typedef struct Options {
  bool check, diff, write;
  RlxNormalize how;
} Options;

/// Normal form of `content`, or `content` itself. Gives the number of errors of what it looked at.
static uint32_t normalize(const Options *options, const char *path, const RlxBuf *content,
                          const RlxSettings *settings, RlxBuf *out, bool *changed) {
  RlxAnalyzer *analyzer = rlx_analyzer_new(settings);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(content), (uint32_t)content->size);
  RlxProject project;
  rlx_project_attach(&project, file, path, NULL);
  uint32_t errors = rlx_file_error_count(file);
  *changed = rlx_file_normalize(file, &options->how, out);
  rlx_file_close(file);
  rlx_project_deinit(&project);
  rlx_analyzer_free(analyzer);
  return errors;
}

static int one_file(const Options *options, const char *path, bool is_explicit,
                    const RlxSettings *settings, RlxError *err) {
  RlxBuf content = {0}, text = {0}, again = {0};
  bool changed = false, changes_again = false, fine = rlx_source_read(path, &content, err);
  if (fine && !is_explicit && !rlx_inputs_may_hold_script(rlx_buf_text(&content), content.size)) {
    rlx_buf_free(&content);
    return RLX_EXIT_OK;
  }
  if (fine) {
    uint32_t before = normalize(options, path, &content, settings, &text, &changed),
             after = changed ? normalize(options, path, &text, settings, &again, &changes_again)
                             : before;
    if (after > before) {
      changed = false;
      fprintf(
          stderr,
          "rlx normalize: %s: left as it is: its normal form would not be read without errors\n",
          path);
      rlx_buf_clear(&text);
      rlx_buf_putn(&text, rlx_buf_text(&content), content.size);
    }
    RlxTextUse use = options->diff    ? RLX_TEXT_DIFF
                     : options->check ? RLX_TEXT_NAME
                     : options->write ? RLX_TEXT_WRITE
                                      : RLX_TEXT_PRINT;
    fine = rlx_files_use_text(use, path, &content, &text, changed, err);
  }
  rlx_buf_free(&content);
  rlx_buf_free(&text);
  rlx_buf_free(&again);
  if (!fine) fprintf(stderr, "rlx normalize: %s\n", err->text);
  return !fine                                          ? RLX_EXIT_USAGE
         : changed && (options->check || options->diff) ? RLX_EXIT_FINDINGS
                                                        : RLX_EXIT_OK;
}

int rlx_cmd_normalize(int argc, char **argv) {
  Options o = {0};
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
  RlxUsage usage = {"normalize", "[PATH…]",
                    "Binds nested calls to names, in evaluation order; the rest stays as it "
                    "is.\nPrints the result unless told otherwise.",
                    options, 5};
  RlxError err = {0};
  RlxFilesCommand c;
  if (!rlx_files_begin(&c, &usage, options, RLX_SETTING_SCOPE_ANALYSIS, argc, argv)) return c.code;
  for (uint32_t i = 0; i < c.inputs.count; i++) {
    RlxSettings chosen = rlx_files_settings(&c, &c.inputs.at[i]);
    int one = one_file(&o, c.inputs.at[i].path, c.inputs.at[i].is_explicit, &chosen, &err);
    if (one > c.code) c.code = one;
  }
  return rlx_files_end(&c);
}
