/// `rlx help [COMMAND]`: the list of commands, or one command's own --help.
#include <stdio.h>

#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/options.h"

static void list_commands(void) {
  printf("rlx: language server and interactive workbench for Relax and TVMScript\n\n"
         "usage: rlx COMMAND [OPTION…] [ARG…]\n\n");
  for (size_t i = 0; i < rlx_commands_count; i++) {
    printf("  %-12s %s\n", rlx_commands[i].name, rlx_commands[i].help);
  }
  printf("\n'rlx COMMAND --help' says more. Exit codes: 0 nothing wrong, 1 findings,\n"
         "2 usage or I/O error, 3 internal error.\n");
}

int rlx_cmd_help(int argc, char **argv) {
  RlxUsage usage = {.command = "help",
                    .arguments = "[COMMAND]",
                    .about = "Lists the commands, or shows the help of one."};
  RlxArgs args = {0};
  int code = RLX_EXIT_OK;
  if (!rlx_options_parse(&usage, argc, argv, &args, &code)) goto done;
  if (args.count == 0) {
    list_commands();
  } else if (args.count > 1) {
    code = rlx_usage_error(&usage, "one command at most");
  } else {
    const RlxCommand *command = rlx_command_find(args.at[0]);
    if (!command) {
      code = rlx_usage_error(&usage, "unknown command '%s'", args.at[0]);
    } else {
      char option[] = "--help";
      char *own[] = {args.at[0], option, NULL};
      code = command->run(2, own);
    }
  }
done:
  rlx_args_free(&args);
  return code;
}
