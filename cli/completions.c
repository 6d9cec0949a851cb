/// `rlx completions SHELL`: a completion script for bash, zsh or fish.
///
/// Always true: command names come from the table, and options from each command's own --help at
/// the time of completion, so that the scripts cannot become stale.
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/options.h"

/// `text` inside single quotes of a shell.
static void print_quoted(const char *text) {
  for (; *text; text++) {
    if (*text == '\'') {
      printf("'\\''");
    } else {
      putchar(*text);
    }
  }
}

static void print_bash(void) {
  printf("# rlx completions bash: source it, or put it into "
         "~/.local/share/bash-completion/completions/rlx\n"
         "_rlx() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}\n"
         "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
         "    COMPREPLY=($(compgen -W '");
  for (size_t i = 0; i < rlx_commands_count; i++)
    printf("%s%s", i ? " " : "", rlx_commands[i].name);
  printf("' -- \"$cur\"))\n"
         "  elif [[ $cur == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W \"$(\"${COMP_WORDS[0]}\" \"$command\" --help 2>/dev/null |"
         " grep -oE -- '^  --[a-z-]+=?')\" -- \"$cur\"))\n"
         "    [[ ${COMPREPLY[0]} == *= ]] && compopt -o nospace\n"
         "  else\n"
         "    COMPREPLY=($(compgen -f -- \"$cur\"))\n"
         "    compopt -o filenames\n"
         "  fi\n"
         "}\n"
         "complete -F _rlx rlx\n");
}

static void print_zsh(void) {
  printf("#compdef rlx\n"
         "# rlx completions zsh: put it as _rlx into a folder of $fpath\n"
         "_rlx() {\n"
         "  local -a commands options\n"
         "  commands=(\n");
  for (size_t i = 0; i < rlx_commands_count; i++) {
    printf("    '%s:", rlx_commands[i].name);
    print_quoted(rlx_commands[i].help);
    printf("'\n");
  }
  printf("  )\n"
         "  if (( CURRENT == 2 )); then\n"
         "    _describe command commands\n"
         "  elif [[ ${words[CURRENT]} == -* ]]; then\n"
         "    options=(${(f)\"$(${words[1]} ${words[2]} --help 2>/dev/null | grep -oE -- '^  "
         "--[a-z-]+' |"
         " tr -d ' ')\"})\n"
         "    compadd -a options\n"
         "  else\n"
         "    _files\n"
         "  fi\n"
         "}\n"
         "_rlx \"$@\"\n");
}

static void print_fish(void) {
  printf("# rlx completions fish: put it into ~/.config/fish/completions/rlx.fish\n");
  for (size_t i = 0; i < rlx_commands_count; i++) {
    printf("complete -c rlx -n __fish_use_subcommand -f -a %s -d '", rlx_commands[i].name);
    print_quoted(rlx_commands[i].help);
    printf("'\n");
  }
  printf("complete -c rlx -n 'not __fish_use_subcommand' -a '(rlx (commandline -opc)[2] --help "
         "2>/dev/null |"
         " string match -rg \"^  (--[a-z-]+=?)\")'\n");
}

int rlx_cmd_completions(int argc, char **argv) {
  RlxUsage usage = {.command = "completions",
                    .arguments = "SHELL",
                    .about = "Prints a completion script for bash, zsh or fish."};
  RlxArgs args = {0};
  int code = RLX_EXIT_OK;
  if (rlx_options_parse(&usage, argc, argv, &args, &code)) {
    const char *shell = args.count == 1 ? args.at[0] : "";
    if (strcmp(shell, "bash") == 0) {
      print_bash();
    } else if (strcmp(shell, "zsh") == 0) {
      print_zsh();
    } else if (strcmp(shell, "fish") == 0) {
      print_fish();
    } else if (args.count == 1) {
      code = rlx_usage_error(&usage, "unknown shell '%s' (one of bash, zsh, fish)", shell);
    } else {
      code = rlx_usage_error(&usage, "needs the name of one shell: bash, zsh or fish");
    }
  }
  rlx_args_free(&args);
  return code;
}
