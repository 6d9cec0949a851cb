/// `rlx explain CODE|OP|PRIMITIVE|WORD`: the page of a diagnostic, an operator, a schedule primitive
/// or a word of the block analysis,
/// made from its row.
#include "analyzer/ops/explain.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/schedule/schedule.h"
#include "analyzer/tir/facts.h"
#include "analyzer/words/dialect.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/options.h"
#include "config/config.h"
#include "jit/plan/runs.h"
#include "repl/repl.h"

static void show(RlxBuf *page) {
  fwrite(page->at, 1, page->size, stdout);
  rlx_buf_free(page);
}

static int unknown(const RlxUsage *usage, const char *word) {
  const char *script = strncmp(word, "R.", 2) == 0 ? word + 2 : word,
             *op = rlx_op_nearest(script, strlen(script), NULL);
  RlxNearest nearest = rlx_nearest_start(word);
  for (int i = 0; i < rlx_diag_count(); i++) {
    rlx_nearest_try(&nearest, rlx_diag_row((RlxDiagId)i)->code);
    rlx_nearest_try(&nearest, rlx_diag_row((RlxDiagId)i)->name);
  }
  bool is_code = strncmp(word, "RLX", 3) == 0;
  if (nearest.best && (is_code || !op))
    return rlx_usage_error(usage, "no diagnostic or operator '%s'; did you mean '%s'?", word,
                           nearest.best);
  if (op)
    return rlx_usage_error(usage, "no diagnostic or operator '%s'; did you mean 'R.%s'?", word, op);
  return rlx_usage_error(usage, "no diagnostic or operator '%s'", word);
}

static int explain(const RlxUsage *usage, const char *word, RlxPage kind) {
  RlxBuf page = {0};
  const RlxPrimitive *primitive =
      rlx_primitive_find(strncmp(word, "sch.", 4) == 0 ? word + 4 : word);
  if (primitive) rlx_primitive_page(primitive, &page);
  RlxBuf of_row = {0};
  bool has_row = rlx_explain_word(word, kind, &of_row);
  bool has_word = !has_row && !primitive && rlx_tir_word_page(word, &page);
  if (!has_row && !primitive && !has_word) return unknown(usage, word);
  if (has_row && primitive) rlx_buf_putc(&page, '\n'); // `split` is an operator, too
  rlx_buf_putn(&page, rlx_buf_text(&of_row), of_row.size);
  rlx_buf_free(&of_row);
  const RlxOpRow *op = rlx_explain_find_op(word);
  if (op) {
    rlx_op_runs_text(op, &page);
    rlx_buf_putc(&page, '\n');
  }
  show(&page);
  return RLX_EXIT_OK;
}

int rlx_cmd_explain(int argc, char **argv) {
  static const char *const everything[] = {"none",     "diagnostics", "operators", "settings",
                                           "dialects", "numpy",       NULL};
  int all = 0, code = RLX_EXIT_OK;
  bool markdown = false;
  const RlxOption options[] = {
      rlx_option_flag("markdown", &markdown, "print Markdown"),
      rlx_option_choice("all-markdown", &all, NULL, everything, "print the documentation of all"),
  };
  RlxUsage usage = {.command = "explain",
                    .arguments = "CODE|OP|PRIMITIVE…",
                    .about =
                        "Shows the page of a diagnostic (RLX0304, axis-repeated), of an operator\n"
                        "(R.nn.conv2d), of a schedule primitive (sch.compute_at) or of a word\n"
                        "that `rlx tir` uses of blocks and loops (dominant).",
                    .options = options,
                    .options_count = sizeof options / sizeof options[0]};
  RlxArgs args = {0};
  if (!rlx_options_parse(&usage, argc, argv, &args, &code)) goto done;
  if (all) {
    RlxBuf page = {0};
    if (all == 1) {
      rlx_explain_all_diags(&page);
    } else if (all == 3) {
      rlx_config_document(&page);
    } else if (all == 4) {
      rlx_dialect_document(&page);
    } else if (all == 5) {
      rlx_repl_numpy_document(&page);
    } else {
      rlx_explain_all_ops(&page, rlx_op_runs_text);
    }
    show(&page);
  } else if (args.count == 0) {
    code = rlx_usage_error(&usage, "a diagnostic or an operator is missing");
  }
  for (uint32_t i = 0; !all && i < args.count && code == RLX_EXIT_OK; i++) {
    if (i) putchar('\n');
    code = explain(&usage, args.at[i], markdown ? RLX_PAGE_MARKDOWN : RLX_PAGE_TEXT);
  }
done:
  rlx_args_free(&args);
  return code;
}
