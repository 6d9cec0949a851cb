/// Names of commands, settings and functions of the prompt: the only place where their rows become tables.
#include "repl/tables.h"

#include <stdio.h>
#include <string.h>

#define RLX_REPL(name, argument, help) {#name, argument, help},
const RlxReplCommandRow rlx_repl_commands[] = {
#include "repl/commands.def"
};
#undef RLX_REPL

#define RLX_REPL(name, argument, help)
#define RLX_REPL_ALIAS(alias, name) {#alias, RLX_REPL_COMMAND_##name},
const RlxReplAliasRow rlx_repl_aliases[] = {
#include "repl/commands.def"
};
#undef RLX_REPL
const size_t rlx_repl_alias_count = sizeof rlx_repl_aliases / sizeof *rlx_repl_aliases;

#define RLX_REPL_SETTING(id, name, values, help) {name, values, help},
const RlxReplSettingRow rlx_repl_settings[] = {
#include "repl/settings.def"
};
#undef RLX_REPL_SETTING

#define RLX_REPL_DATA(name, signature, help) {#name, signature, help},
const RlxReplDataRow rlx_repl_data[] = {
#include "repl/data.def"
};
#undef RLX_REPL_DATA
const size_t rlx_repl_data_count = sizeof rlx_repl_data / sizeof *rlx_repl_data;

static bool is_it(const char *text, const char *name, size_t size) {
  return strlen(text) == size && !memcmp(text, name, size);
}

RlxReplCommandId rlx_repl_command_named(const char *name, size_t size) {
  for (size_t i = 0; i < rlx_repl_alias_count; i++)
    if (is_it(rlx_repl_aliases[i].alias, name, size)) return rlx_repl_aliases[i].command;
  RlxReplCommandId id = 0;
  while (id < RLX_REPL_COMMAND_COUNT && !is_it(rlx_repl_commands[id].name, name, size)) id++;
  return id;
}

const RlxReplDataRow *rlx_repl_data_named(const char *name) {
  for (size_t i = 0; i < rlx_repl_data_count; i++)
    if (!strcmp(rlx_repl_data[i].name, name)) return &rlx_repl_data[i];
  return NULL;
}

bool rlx_repl_setting_limits(RlxReplSet set, long long *min, long long *max) {
  return sscanf(rlx_repl_settings[set].values, "%lld to %lld", min, max) == 2;
}
