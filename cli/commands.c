/// The table of commands, and the dispatch of `rlx COMMAND …`.
#include "cli/commands.h"

#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/text.h"
#include "cli/exit.h"

const RlxCommand rlx_commands[] = {
#define RLX_COMMAND(name, help) {#name, rlx_cmd_##name, help},
#include "cli/commands.def"
#undef RLX_COMMAND
};
const size_t rlx_commands_count = sizeof rlx_commands / sizeof rlx_commands[0];

const RlxCommand *rlx_command_find(const char *name) {
  for (size_t i = 0; i < rlx_commands_count; i++) {
    if (strcmp(rlx_commands[i].name, name) == 0) return &rlx_commands[i];
  }
  return NULL;
}

static void report_unknown(const char *name) {
  RlxNearest nearest = rlx_nearest_start(name);
  for (size_t i = 0; i < rlx_commands_count; i++) rlx_nearest_try(&nearest, rlx_commands[i].name);
  const bool is_near = nearest.best != NULL;
  rlx_text_say(stderr, "rlx: unknown command '%s'%s%s%s", name, is_near ? "; did you mean '" : "",
               is_near ? nearest.best : "", is_near ? "'?" : "");
  fputs("'rlx help' lists the commands\n", stderr);
}

int rlx_command_dispatch(int argc, char **argv) {
  if (argc < 2) {
    char help[] = "help";
    char *only[] = {help, NULL};
    rlx_cmd_help(1, only);
    return RLX_EXIT_USAGE;
  }
  const char *name = argv[1];
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) name = "help";
  if (strcmp(name, "--version") == 0) name = "version";
  const RlxCommand *command = rlx_command_find(name);
  if (!command) {
    report_unknown(name);
    return RLX_EXIT_USAGE;
  }
  return command->run(argc - 1, argv + 1);
}
