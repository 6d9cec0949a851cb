/// The table of commands, made from the rows of commands.def.
#ifndef RLX_CLI_COMMANDS_H
#define RLX_CLI_COMMANDS_H

#include <stddef.h>

/// Runs one command and gives the process's exit code (cli/exit.h). argv[0] is the command's name.
typedef int RlxCommandFn(int argc, char **argv);

typedef struct RlxCommand {
  const char *name;
  RlxCommandFn *run;
  const char *help; // one line
} RlxCommand;

extern const RlxCommand rlx_commands[];
extern const size_t rlx_commands_count;

/// The command of that name, or NULL.
const RlxCommand *rlx_command_find(const char *name);

/// The whole program: finds the command that argv[1] names and runs it.
int rlx_command_dispatch(int argc, char **argv);

#define RLX_COMMAND(name, help) int rlx_cmd_##name(int argc, char **argv);
#include "cli/commands.def"
#undef RLX_COMMAND

#endif
