/// `rlx normalize`: scripts in normal form (spec 2.2, 5).
/// Always true: a result with more findings than the file had is not used; a file is only written
/// when it still is what was read.
#include <stdio.h>
#include <string.h>

#include "analyzer/edit/inline_function.h"
#include "analyzer/rewrite/normalize.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/files.h"
#include "cli/source.h"
#include "config/modules.h"

typedef struct Options {
  bool check, diff, write;
  const char *inlined; ///< --inline NAME, or NULL
  RlxNormalize how;
} Options;

/// The file with the calls of --inline's function inlined; `file` itself when there are none, and
/// the reasons for those that stay.
static RlxFile *with_inlined(const Options *options, RlxAnalyzer *analyzer, RlxFile *file,
                             bool *is_found, RlxBuf *why) {
  const RlxStmt *def = options->inlined ? rlx_inline_find_function(file, options->inlined) : NULL;
  RlxBuf text = {0};
  *is_found |= def != NULL;
  if (!def || !rlx_inline_function(file, def, UINT32_MAX, &text, why)) return file;
  RlxFile *now = rlx_file_open(analyzer, rlx_buf_text(&text), (uint32_t)text.size);
  rlx_buf_free(&text);
  return now;
}

/// A text in its normal form.
typedef struct Normal {
  RlxBuf text;     ///< the text itself, where it is in its normal form
  RlxBuf why;      ///< reasons for calls that stay, a line each
  uint32_t errors; ///< of the text before
  bool is_changed;
} Normal;

static void normal_free(Normal *n) {
  rlx_buf_free(&n->text);
  rlx_buf_free(&n->why);
}

/// Normal form of `content`, of file `path`. Sets `is_found` where the function of --inline is there.
static Normal normalize(const Options *options, const char *path, const RlxBuf *content,
                        const RlxSettings *settings, bool *is_found) {
  Normal out = {0};
  RlxAnalyzer *analyzer = rlx_analyzer_new(settings);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(content), (uint32_t)content->size);
  RlxProject project;
  rlx_project_attach(&project, file, path, NULL);
  out.errors = rlx_file_error_count(file);
  RlxFile *now = with_inlined(options, analyzer, file, is_found, &out.why);
  RlxProject own = {0};
  if (now != file) rlx_project_attach(&own, now, path, NULL);
  out.is_changed = rlx_file_normalize(now, &options->how, &out.text) || now != file;
  if (now != file) {
    rlx_file_close(now);
    rlx_project_deinit(&own);
  }
  rlx_file_close(file);
  rlx_project_deinit(&project);
  rlx_analyzer_free(analyzer);
  return out;
}

/// The reasons, a line each, with the file's name.
static void tell(const char *path, const RlxBuf *why) {
  for (const char *at = rlx_buf_text(why); *at; at += strcspn(at, "\n") + 1)
    rlx_text_say(stderr, "rlx normalize: %s: %.*s", path, (int)strcspn(at, "\n"), at);
}

static int one_file(const Options *options, const RlxInput *input, const char *project,
                    const RlxSettings *settings, bool *is_found, RlxError *err) {
  const char *path = input->path;
  RlxBuf content = {0};
  Normal normal = {0};
  bool fine = rlx_source_read_input(path, input->is_explicit, &content, err);
  if (fine && !input->is_explicit &&
      !rlx_inputs_may_hold_script(rlx_buf_text(&content), content.size)) {
    rlx_buf_free(&content);
    return RLX_EXIT_OK;
  }
  fine = fine && rlx_source_check_encoding(path, &content, err);
  if (fine) {
    normal = normalize(options, path, &content, settings, is_found);
    Normal again = {.errors = normal.errors};
    if (normal.is_changed) again = normalize(options, path, &normal.text, settings, is_found);
    tell(path, &normal.why);
    if (again.errors > normal.errors) {
      normal.is_changed = false;
      rlx_text_say(
          stderr,
          "rlx normalize: %s: left as it is: its normal form would not be read without errors",
          path);
      rlx_buf_clear(&normal.text);
      rlx_buf_putn(&normal.text, rlx_buf_text(&content), content.size);
    }
    normal_free(&again);
    RlxTextUse use = options->diff    ? RLX_TEXT_DIFF
                     : options->check ? RLX_TEXT_NAME
                     : options->write ? RLX_TEXT_WRITE
                                      : RLX_TEXT_PRINT;
    fine = rlx_files_use_text(use, path, project, &content, &normal.text, normal.is_changed, err);
  }
  rlx_buf_free(&content);
  const bool has_left = normal.why.size != 0, is_changed = normal.is_changed;
  normal_free(&normal);
  if (!fine) rlx_text_say(stderr, "rlx normalize: %s", err->text);
  return !fine                                                           ? RLX_EXIT_USAGE
         : has_left || (is_changed && (options->check || options->diff)) ? RLX_EXIT_FINDINGS
                                                                         : RLX_EXIT_OK;
}

int rlx_cmd_normalize(int argc, char **argv) {
  Options o = {0};
  RlxOption options[6 + RLX_SETTING_OPTIONS_MAX] = {
      rlx_option_flag("t-anf", &o.how.t_anf,
                      "tuples, their accesses, shapes and other names for a value are inlined"),
      rlx_option_flag(
          "canonicalize", &o.how.canonical,
          "forward aliases and match_casts that say nothing new, fold accesses of tuple "
          "literals; outputs keep their names"),
      rlx_option_text(
          "inline", &o.inlined, "NAME",
          "write the statements of function NAME where it is called; a private one that is "
          "not needed any more goes"),
      rlx_option_flag("check", &o.check,
                      "name the files that are not in normal form; exit with 1 then"),
      rlx_option_flag("diff", &o.diff, "show what would change; exit with 1 then"),
      rlx_option_flag("write", &o.write, "rewrite the files"),
  };
  RlxUsage usage = {"normalize", "[PATH…]",
                    "Binds nested calls to names, in evaluation order; the rest stays as it "
                    "is.\nPrints the result unless told otherwise.",
                    options, 6};
  RlxError err = {0};
  RlxFilesCommand c;
  if (!rlx_files_begin(&c, &usage, options, RLX_SETTING_SCOPE_ANALYSIS, argc, argv)) return c.code;
  bool is_found = false;
  for (uint32_t i = 0; i < c.inputs.count; i++) {
    RlxSettings chosen = rlx_files_settings(&c, &c.inputs.at[i]);
    int one = one_file(&o, &c.inputs.at[i], rlx_files_project(&c, &c.inputs.at[i]), &chosen,
                       &is_found, &err);
    if (one > c.code) c.code = one;
  }
  if (o.inlined && !is_found && c.code != RLX_EXIT_USAGE)
    c.code = rlx_usage_error(&c.usage, "there is no Relax function '%s' in a module", o.inlined);
  return rlx_files_end(&c);
}
