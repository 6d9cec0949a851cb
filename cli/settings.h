/// Settings on the command line: an option for each row of config/settings.def that a command
/// takes, and the configurations of its files under them.
#ifndef RLX_CLI_SETTINGS_H
#define RLX_CLI_SETTINGS_H

#include "cli/options.h"
#include "config/config.h"

enum { RLX_SETTING_OPTIONS_MAX = RLX_SETTING_COUNT + 2, RLX_SETTING_CHOICES_MAX = 8 };

typedef struct RlxSettingOptions {
  int scopes; // RlxSettingScope, or-ed
  const char *config_file;
  bool is_isolated;
  int choice[RLX_SETTING_COUNT];     // CHOICE: -1 when not given
  int64_t number[RLX_SETTING_COUNT]; // INT: INT64_MIN when not given
  const char *text[RLX_SETTING_COUNT];
  RlxArgs lists[RLX_SETTING_COUNT];
  bool flag[RLX_SETTING_COUNT]; // BOOL: the other value than the default
  const char *choices[RLX_SETTING_COUNT][RLX_SETTING_CHOICES_MAX + 1];
  RlxArena *arena;
  RlxConfigs *configs;
} RlxSettingOptions;

/// Prepares `o` and appends the option rows of the scopes, `--config` and `--isolated` to `rows`,
/// which has room for RLX_SETTING_OPTIONS_MAX more.
void rlx_setting_options(RlxSettingOptions *o, int scopes, RlxOption *rows, size_t *count);
/// After the command line was read: makes `o->configs`. False when an option's value is wrong;
/// `out_code` is then set.
bool rlx_setting_options_done(RlxSettingOptions *o, const RlxUsage *usage, int *out_code);
/// Reports what is wrong with the configurations read since the last call to standard error; false
/// when something is.
bool rlx_setting_report(RlxSettingOptions *o, uint32_t *reported);
void rlx_setting_options_free(RlxSettingOptions *o);

#endif
