/// `rlx version`.
#include "base/version.h"

#include <stdio.h>

#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/options.h"

int rlx_cmd_version(int argc, char **argv) {
  RlxUsage usage = {.command = "version", .arguments = "", .about = "Shows the version."};
  RlxArgs args = {0};
  int code = RLX_EXIT_OK;
  if (rlx_options_parse(&usage, argc, argv, &args, &code)) {
    if (args.count) {
      code = rlx_usage_error(&usage, "takes no arguments");
    } else {
      printf("rlx %s\n", RLX_VERSION);
    }
  }
  rlx_args_free(&args);
  return code;
}
