/// The rows of commands.def, settings.def and data.def, for whoever lists, offers or looks them up.
#ifndef RLX_REPL_TABLES_H
#define RLX_REPL_TABLES_H

#include <stdbool.h>
#include <stddef.h>

#define RLX_REPL(name, argument, help) RLX_REPL_COMMAND_##name,
typedef enum RlxReplCommandId {
#include "repl/commands.def"
  RLX_REPL_COMMAND_COUNT
} RlxReplCommandId;
#undef RLX_REPL

typedef enum RlxReplSet {
#define RLX_REPL_SETTING(id, name, values, help) RLX_REPL_SET_##id,
#include "repl/settings.def"
#undef RLX_REPL_SETTING
  RLX_REPL_SET_COUNT
} RlxReplSet;

typedef struct RlxReplCommandRow {
  const char *name;
  const char *argument; ///< what is typed behind it: "EXPR"; in brackets, it may be left out; or ""
  const char *help;     ///< one line
} RlxReplCommandRow;

typedef struct RlxReplAliasRow { ///< an older name of a command
  const char *alias;
  RlxReplCommandId command;
} RlxReplAliasRow;

typedef struct RlxReplSettingRow {
  const char *name;
  const char *values; ///< words with one blank between them, or "MIN to MAX"
  const char *help;   ///< one line
} RlxReplSettingRow;

typedef struct RlxReplDataRow { ///< a function of the prompt that makes values
  const char *name, *signature, *help;
} RlxReplDataRow;

/// In the order of RlxReplCommandId.
extern const RlxReplCommandRow rlx_repl_commands[RLX_REPL_COMMAND_COUNT];
extern const RlxReplAliasRow rlx_repl_aliases[];
extern const size_t rlx_repl_alias_count;
extern const RlxReplDataRow rlx_repl_data[];
extern const size_t rlx_repl_data_count;
/// In the order of RlxReplSet.
extern const RlxReplSettingRow rlx_repl_settings[RLX_REPL_SET_COUNT];

/// The command whose name, or older name, is the `size` bytes at `name`; RLX_REPL_COMMAND_COUNT: none.
RlxReplCommandId rlx_repl_command_named(const char *name, size_t size);
/// The function of the prompt with that name; NULL: there is none.
const RlxReplDataRow *rlx_repl_data_named(const char *name);
/// Whether setting `set` is a number, and then its limits.
bool rlx_repl_setting_limits(RlxReplSet set, long long *min, long long *max);

#endif
