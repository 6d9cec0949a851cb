/// `rlx migrate`: scripts in another dialect of TVMScript (spec 5).
/// Always true: only what the wanted dialect spells differently changes; a second run changes
/// nothing; a file is only written when it still is what was read.
#include <stdio.h>
#include <string.h>

#include "analyzer/analyzer.h"
#include "analyzer/rewrite/migration.h"
#include "analyzer/words/dialect.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/files.h"
#include "cli/source.h"
#include "config/modules.h"

typedef struct Options {
  bool check, write;
  RlxDialect to;
} Options;

/// Errors of a text, read in `dialect` (NULL: as recognised).
static uint32_t errors_of(const char *path, const RlxBuf *text, const char *dialect) {
  RlxSettings settings = {.dialect = dialect};
  RlxAnalyzer *analyzer = rlx_analyzer_new(&settings);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(text), (uint32_t)text->size);
  RlxProject project;
  rlx_project_attach(&project, file, path, NULL);
  uint32_t errors = rlx_file_error_count(file);
  rlx_file_close(file);
  rlx_project_deinit(&project);
  rlx_analyzer_free(analyzer);
  return errors;
}

static RlxMigration migrate_once(const char *path, const RlxBuf *content, RlxDialect to,
                                 RlxBuf *out) {
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(content), (uint32_t)content->size);
  RlxProject project;
  rlx_project_attach(&project, file, path, NULL);
  RlxMigration done = rlx_file_migrate(file, to, UINT32_MAX, out);
  rlx_file_close(file);
  rlx_project_deinit(&project);
  rlx_analyzer_free(analyzer);
  return done;
}

/// What stood in a place that was written anew is converted in the next round: `out` is a text that
/// another run does not change.
static RlxMigration migrate(const char *path, const RlxBuf *content, RlxDialect to, RlxBuf *out) {
  enum { ROUNDS = 4 };
  RlxMigration all = migrate_once(path, content, to, out), more = all;
  for (int i = 1; i < ROUNDS && more.changed; i++) {
    RlxBuf next = {0};
    more = migrate_once(path, out, to, &next);
    all.changed += more.changed;
    all.left = more.left;
    rlx_buf_free(out);
    *out = next;
  }
  return all;
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
  uint32_t was = errors_of(path, before, NULL), is = errors_of(path, after, dialect);
  if (is > was + done->left)
    rlx_text_say(stderr,
                 "rlx migrate: %s: %u error%s more than before; see `rlx check --dialect %s`", path,
                 is - was, is - was == 1 ? "" : "s", dialect);
}

static int one_file(const Options *options, const RlxInput *input, const char *project,
                    RlxError *err) {
  RlxBuf content = {0}, text = {0};
  const char *path = input->path;
  bool fine = rlx_source_read_input(path, input->is_explicit, &content, err), changed = false;
  const bool is_meant = fine && (input->is_explicit ||
                                 rlx_inputs_may_hold_script(rlx_buf_text(&content), content.size));
  if (is_meant) fine = rlx_source_check_encoding(path, &content, err);
  if (is_meant && fine) {
    RlxMigration done = migrate(path, &content, options->to, &text);
    changed = done.changed != 0;
    say(path, &done, &content, &text, options->to);
    RlxTextUse use = options->check   ? RLX_TEXT_NAME
                     : options->write ? RLX_TEXT_WRITE
                                      : RLX_TEXT_DIFF;
    fine = rlx_files_use_text(use, path, project, &content, &text, changed, err);
  }
  rlx_buf_free(&content);
  rlx_buf_free(&text);
  if (!fine) rlx_text_say(stderr, "rlx migrate: %s", err->text);
  return !fine ? RLX_EXIT_USAGE : changed && !options->write ? RLX_EXIT_FINDINGS : RLX_EXIT_OK;
}

int rlx_cmd_migrate(int argc, char **argv) {
  static const char *const dialects[] = {"classic", "0.25", "0.27", NULL}; // RlxDialect
  Options o = {0};
  int to = -1;
  RlxOption options[3 + RLX_SETTING_OPTIONS_MAX] = {
      rlx_option_choice(
          "to", &to, "DIALECT", dialects,
          "TVM release to write for; classic is 0.16 to 0.23; by default the configured "
          "dialect, or "
          "0.25"),
      rlx_option_flag("check", &o.check, "name the files that would change; exit with 1 then"),
      rlx_option_flag("write", &o.write, "rewrite the files"),
  };
  RlxUsage usage = {"migrate", "[PATH…]",
                    "Rewrites spellings of other dialects of TVMScript: `R.Tensor[(n, m), "
                    "\"f32\"]`, `R.match_shape`,\n"
                    "`T.block`, `out_ty`… The rest stays byte for byte. Prints a diff unless told "
                    "otherwise, and exits with 1\n"
                    "when there is one.",
                    options, 3};
  RlxError err = {0};
  RlxFilesCommand c;
  if (!rlx_files_begin(&c, &usage, options, 0, argc, argv)) return c.code;
  for (uint32_t i = 0; i < c.inputs.count; i++) {
    RlxSettings chosen = rlx_files_settings(&c, &c.inputs.at[i]);
    if (to >= 0)
      o.to = (RlxDialect)to;
    else if (!rlx_dialect_parse(chosen.dialect, &o.to) || o.to == RLX_DIALECT_TLC)
      o.to = RLX_DIALECT_025;
    int one = one_file(&o, &c.inputs.at[i], rlx_files_project(&c, &c.inputs.at[i]), &err);
    if (one > c.code) c.code = one;
  }
  return rlx_files_end(&c);
}
