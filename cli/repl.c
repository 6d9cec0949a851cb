/// `rlx repl`: the read-eval-print loop.
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/options.h"
#include "repl/repl.h"

int rlx_cmd_repl(int argc, char **argv) {
  int64_t threads = 1;
  RlxReplOptions repl = {.threads = 1};
  const RlxOption options[] = {
      {.name = "threads", .kind = RLX_OPTION_INT, .target = &threads, .value = "N", .help = "threads for parallel loops", .min = 1, .max = 1024},
      {.name = "keep-going", .kind = RLX_OPTION_FLAG, .target = &repl.keep_going, .help = "with piped input: go on behind an error"},
  };
  RlxUsage usage = {"repl", "[FILE…]", "Reads functions, bindings and expressions, evaluates them, prints values; :help lists its commands.\nPiped input is read without prompts and stops at the first error.", options, sizeof options / sizeof *options};
  RlxArgs args = {0};
  int code = RLX_EXIT_OK;
  if (rlx_options_parse(&usage, argc, argv, &args, &code)) {
    repl.threads = (int)threads;
    code = rlx_repl_run(args.at, (int)args.count, &repl);
  }
  rlx_args_free(&args);
  return code;
}
