/// `rlx print`: canonical TVMScript of a file (spec 5).
/// Always true: every file that can be read is printed; a function with mistakes is printed as the
/// script has it, and the exit code is then 1. So is a PrimFunc whose canonical text Python could not
/// read, where that is no mistake.
#include <stdio.h>

#include "analyzer/analyzer.h"
#include "analyzer/ask/shape_function.h"
#include "analyzer/edit/print.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/options.h"
#include "cli/source.h"
#include "config/modules.h"

/// Prints the shape functions of the file's functions, as a file of their own.
static void print_shape_functions(RlxAnalyzer *analyzer, RlxFile *file,
                                  const RlxPrintOptions *options, RlxBuf *out) {
  RlxFunctionViews views = {0};
  RlxBuf text = {0};
  rlx_file_functions(file, &views);
  rlx_buf_puts(&text, "from tvm.script import relax as R\n");
  bool any = false;
  for (uint32_t i = 0; i < views.count; i++) {
    size_t before = text.size;
    rlx_buf_puts(&text, "\n\n");
    if (rlx_file_shape_function(file, views.at[i].stmt, &text))
      any = true;
    else
      rlx_buf_truncate(&text, before);
  }
  if (any) {
    RlxFile *printed = rlx_file_open(analyzer, rlx_buf_text(&text), (uint32_t)text.size);
    rlx_file_print(printed, options, out);
    rlx_file_close(printed);
  }
  rlx_vec_free(&views);
  rlx_buf_free(&text);
}

static int print_file(const char *path, const RlxPrintOptions *options, bool shape_functions) {
  RlxBuf content = {0}, out = {0};
  RlxError err = {0};
  if (!rlx_source_read(path, &content, &err)) {
    rlx_text_say(stderr, "rlx print: %s", err.text);
    return RLX_EXIT_USAGE;
  }
  const bool is_text = rlx_source_say_encoding("print", path, &content);
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&content), (uint32_t)content.size);
  RlxProject project;
  rlx_project_attach(&project, file, path, NULL);
  if (shape_functions)
    print_shape_functions(analyzer, file, options, &out);
  else
    rlx_file_print(file, options, &out);
  fwrite(rlx_buf_text(&out), 1, out.size, stdout);
  RlxSyntaxProblems problems = {0};
  rlx_document_problems(rlx_file_document(file), &problems);
  int code = !is_text ? RLX_EXIT_USAGE : problems.count ? RLX_EXIT_FINDINGS : RLX_EXIT_OK;
  if (problems.count)
    rlx_text_say(stderr, "rlx print: %s: %u syntax error%s; see `rlx check`", path, problems.count,
                 problems.count == 1 ? "" : "s");
  rlx_vec_free(&problems);
  rlx_file_close(file);
  rlx_project_deinit(&project);
  rlx_analyzer_free(analyzer);
  rlx_buf_free(&content);
  rlx_buf_free(&out);
  return code;
}

int rlx_cmd_print(int argc, char **argv) {
  static const char *const annotate_names[] = {"all", "missing", "none", NULL}; // RlxAnnotate
  static const char *const dialects[] = {"classic", "0.25", "0.27", NULL};      // RlxDialect
  int annotate = RLX_ANNOTATE_ALL, dialect = RLX_DIALECT_025, code = RLX_EXIT_OK;
  bool shape_functions = false;
  const RlxOption options[] = {
      rlx_option_choice(
          "annotate", &annotate, "WHICH", annotate_names,
          "bindings to annotate: all, those whose right-hand side does not say it, none"),
      rlx_option_choice("dialect", &dialect, "DIALECT", dialects,
                        "TVM release to write for; classic is 0.16 to 0.23"),
      rlx_option_flag(
          "shape-functions", &shape_functions,
          "print shape functions instead: for each function whose result's shape follows from its "
          "arguments' shapes, a function from these to that shape"),
  };
  RlxUsage usage = {"print", "FILE",
                    "Prints the modules and functions of a file as TVM does. - is standard input.",
                    options, sizeof options / sizeof options[0]};
  RlxArgs args = {0};
  if (rlx_options_parse(&usage, argc, argv, &args, &code)) {
    RlxPrintOptions how = {(RlxDialect)dialect, (RlxAnnotate)annotate, NULL};
    code = args.count == 1 ? print_file(args.at[0], &how, shape_functions)
                           : rlx_usage_error(&usage, "one FILE is needed");
  }
  rlx_args_free(&args);
  return code;
}
