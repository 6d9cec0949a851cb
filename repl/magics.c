/// IPython's lines that begin with %, which somebody from there types: each is answered with what does it
/// here. Source of the names: IPython's manual, "Built-in magic commands".
#include "repl/magics.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "repl/tables.h"

typedef struct Magic {
  const char *name;
  RlxReplCommandId command;
  const char *instead; ///< or NULL: the command
} Magic;

static const Magic magics[] = {
#define RLX_REPL_MAGIC(name, command)      {#name, RLX_REPL_COMMAND_##command, NULL},
#define RLX_REPL_MAGIC_TEXT(name, instead) {#name, RLX_REPL_COMMAND_COUNT, instead},
#include "repl/magics.def"
};

/// What stands behind a magic's own options: `-n 10 -r3 f(x)` gives `f(x)`.
static const char *behind_options(const char *text) {
  for (;;) {
    text += strspn(text, " \t");
    if (*text != '-' || !isalpha((unsigned char)text[1])) return text;
    text += strcspn(text, " \t");
    const char *number = text + strspn(text, " \t");
    const size_t digits = strspn(number, "0123456789");
    if (digits && (number[digits] == ' ' || !number[digits])) text = number + digits;
  }
}

bool rlx_repl_refuse_magic(const char *line) {
  const char *name = line + strspn(line, "%");
  const int size = (int)strcspn(name, " \t\n"), shown = (int)(name - line) + size;
  for (size_t i = 0; i < sizeof magics / sizeof *magics; i++) {
    const Magic *m = &magics[i];
    if (strlen(m->name) != (size_t)size || strncmp(m->name, name, (size_t)size) != 0) continue;
    printf("error: `%.*s` is IPython's; here it is ", shown, line);
    if (m->instead) return printf("%s\n", m->instead), false;
    const RlxReplCommandRow *row = &rlx_repl_commands[m->command];
    const char *given = *row->argument ? behind_options(name + size) : "";
    if (!*given) given = row->argument;
    printf("`:%s%s%s`: %s\n", row->name, *given ? " " : "", given, row->help);
    return false;
  }
  printf("error: `%.*s` is IPython's, and there is nothing of the kind here; :help lists the "
         "commands\n",
         shown, line);
  return false;
}
