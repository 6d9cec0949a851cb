/// Configuration: settings from rlx.toml or [tool.rlx] of pyproject.toml, found upwards from a
/// file; what a client and the command line add; and what follows for each diagnostic.
///
/// Always true: every setting is a row of settings.def and has a value, whatever the file holds; a
/// mistake in a file gives a problem with its place and leaves that setting as it was. Reading
/// files is all the I/O there is.
#ifndef RLX_CONFIG_CONFIG_H
#define RLX_CONFIG_CONFIG_H

#include "analyzer/analyzer.h"
#include "base/glob.h"
#include "base/toml.h"
#include "base/vec.h"

typedef enum RlxSettingId {
#define RLX_SETTING(id, key, kind, value, choices, scope, doc) RLX_SETTING_##id,
#include "config/settings.def"
#undef RLX_SETTING
  RLX_SETTING_COUNT
} RlxSettingId;

typedef enum RlxSettingKind {
  RLX_SETTING_KIND_BOOL,
  RLX_SETTING_KIND_INT,
  RLX_SETTING_KIND_CHOICE,
  RLX_SETTING_KIND_FOLDER,
  RLX_SETTING_KIND_TEXTS,
  RLX_SETTING_KIND_CODES,
  RLX_SETTING_KIND_CODES_BY_PATH,
  RLX_SETTING_KIND_CHOICE_BY_CODE,
  RLX_SETTING_KIND_TEXTS_BY_FILE,
} RlxSettingKind;

typedef enum RlxSettingScope {
  RLX_SETTING_SCOPE_ANALYSIS = 1,
  RLX_SETTING_SCOPE_REPORT = 2,
  RLX_SETTING_SCOPE_RUN = 4,
  RLX_SETTING_SCOPE_EDITOR = 8,
  RLX_SETTING_SCOPE_USER = 16,
} RlxSettingScope;

typedef struct RlxSettingRow {
  const char *key;
  RlxSettingKind kind;
  const char *value;   // default, as TOML
  const char *choices; // see settings.def
  RlxSettingScope scope;
  const char *doc;
} RlxSettingRow;
/// The row of a setting; constant data.
const RlxSettingRow *rlx_setting_row(RlxSettingId id);
/// "a list of diagnostics" …
const char *rlx_setting_kind_text(const RlxSettingRow *row);
/// The `index`-th of the row's choices; false behind the last.
bool rlx_setting_choice(const RlxSettingRow *row, int index, char *out, size_t capacity);

typedef enum RlxOrigin {
  RLX_ORIGIN_DEFAULT,
  RLX_ORIGIN_CLIENT,
  RLX_ORIGIN_FILE,
  RLX_ORIGIN_USER,
  RLX_ORIGIN_OPTION
} RlxOrigin;

typedef Vec(const char *) RlxTexts; // the texts belong to the configuration
typedef struct RlxConfigEntry {     // a line of a table
  const char *key;
  RlxTexts texts; // CODES_BY_PATH, TEXTS_BY_FILE
  int64_t number; // CHOICE_BY_CODE
} RlxConfigEntry;
typedef struct RlxConfigValue {
  RlxOrigin origin;
  int64_t number;   // BOOL, INT, CHOICE
  const char *text; // FOLDER
  RlxTexts texts;   // TEXTS, CODES
  Vec(RlxConfigEntry) entries;
} RlxConfigValue;

/// What a configuration says about each diagnostic in one file.
typedef struct RlxPolicy {
  uint8_t severity[RLX_DIAG_MAX]; // 0: not reported; RLX_POLICY_KEEP: as it is; else an RlxSeverity
} RlxPolicy;
enum { RLX_POLICY_KEEP = 255 };

/// Entries of `per-file-ignores` that are used: each is held against each file.
enum { RLX_CONFIG_PATTERNS_MAX = 4096 };

/// A set of diagnostics.
typedef struct RlxIgnoredRows {
  bool has[RLX_DIAG_MAX];
} RlxIgnoredRows;

typedef struct RlxConfig {
  RlxArena *arena;
  const char *file;   // where it was read from; NULL: from nowhere
  const char *folder; // of that file, absolute; NULL without file
  RlxConfigValue values[RLX_SETTING_COUNT];
  RlxIgnore exclude;                 // of `exclude`
  Vec(RlxIgnore) per_file;           // of the entries of `per-file-ignores`
  Vec(RlxIgnoredRows) per_file_rows; // and what each leaves out
  RlxPolicy policy;                  // of a file that none of them names
} RlxConfig;

/// What is wrong with a configuration.
typedef struct RlxConfigProblem {
  RlxDiagId id;
  uint32_t line, column; // from 1, in bytes; 0: not from a file
  uint32_t start, end;   // bytes of the file
  char *file;            // owned; NULL: not from a file
  char *message;         // owned
  char *source;          // the line of the file
  bool shares_source;    // with the problem before it: a line may be all of a file
} RlxConfigProblem;
typedef Vec(RlxConfigProblem) RlxConfigProblems;
void rlx_config_problems_free(RlxConfigProblems *problems);
/// "rlx.toml:3:1: error[RLX0912]: …" with the line and carets below it.
void rlx_config_problem_print(const RlxConfigProblem *problem, RlxBuf *out);

// ---- one configuration

/// All defaults. Free it unless an RlxConfigs owns it.
RlxConfig *rlx_config_new(void);
void rlx_config_free(RlxConfig *config);
/// Takes the settings of a table. `file` (may be NULL) and its text are for the problems' places.
void rlx_config_take(RlxConfig *config, const RlxToml *table, RlxOrigin origin, const char *file,
                     const char *text, size_t size, RlxConfigProblems *problems);
/// Reads a configuration file: all of it, or [tool.rlx] of one called pyproject.toml. False: there
/// is nothing for rlx in it.
/// `real`: when the file was found, not named: where it really lies, links resolved. It is read there
/// only when it is a regular file still.
bool rlx_config_read(RlxConfig *config, const char *path, const char *real,
                     RlxConfigProblems *problems);
/// Reads the user's own file, from which the settings of scope USER are taken.
void rlx_config_read_user(RlxConfig *config, const char *path, RlxConfigProblems *problems);
/// Sets a value from the command line.
void rlx_config_set_number(RlxConfig *config, RlxSettingId id, int64_t number);
/// Sets a setting of a text; copied.
void rlx_config_set_text(RlxConfig *config, RlxSettingId id, const char *text);
/// CODES and TEXTS: each text is a list with commas between; those of scope USER are added to what
/// is there. False when one is no diagnostic: `err`
/// names it.
bool rlx_config_set_list(RlxConfig *config, RlxSettingId id, char *const *lists, uint32_t count,
                         RlxError *err);

static inline int64_t rlx_config_number(const RlxConfig *config, RlxSettingId id) {
  return config->values[id].number;
}
/// What the analyzer takes from it. Nothing of it belongs to the configuration.
RlxSettings rlx_config_settings(const RlxConfig *config);
/// Every setting with its value and where it is from, as TOML.
void rlx_config_print(const RlxConfig *config, RlxBuf *out);
/// docs/configuration.md.
void rlx_config_document(RlxBuf *out);

/// `relative`: the file's path below the configuration's folder, or NULL.
void rlx_config_policy(const RlxConfig *config, const char *relative, RlxPolicy *out);
/// Whether the policy depends on the file.
static inline bool rlx_config_has_per_file(const RlxConfig *config) {
  return config->per_file.count != 0;
}
/// The severity that a diagnostic has under `policy`; 0: not reported.
int rlx_policy_severity(const RlxPolicy *policy, RlxDiagId id, int severity);
/// Whether `selector` (a code, the start of one, a name, ALL) means the row; then its length counts
/// as its weight, from 1.
uint32_t rlx_selector_weight(const char *selector, const RlxDiagRow *row);

// ---- the configurations of many files

typedef struct RlxConfigs RlxConfigs;
/// How to make a configuration: `before` sets what a file may override, `after` what overrides it.
/// Both may be NULL.
typedef struct RlxConfigMaker {
  void (*before)(RlxConfig *config, void *data);
  void (*after)(RlxConfig *config, void *data);
  void *data;
  const char *file; // this file for all, not the one found upwards; or NULL
  const char *user; // the user's own file, or NULL
  bool is_isolated; // read no file
} RlxConfigMaker;
/// Finds and keeps the configurations of files; the caller's to free.
RlxConfigs *rlx_configs_new(const RlxConfigMaker *maker);
void rlx_configs_free(RlxConfigs *configs);
/// The configuration of a file (or, with a slash at its end, a folder) that need not exist; lives
/// as long as `configs`. `out_relative` (may be NULL) becomes its path below the configuration's
/// folder, "" when it is elsewhere.
const RlxConfig *rlx_configs_of(RlxConfigs *configs, const char *path, RlxBuf *out_relative);
/// Whether a walk leaves the path out.
bool rlx_configs_excludes(RlxConfigs *configs, const char *path, bool is_folder);
/// What was wrong so far.
const RlxConfigProblems *rlx_configs_problems(const RlxConfigs *configs);
/// Forgets what was read: files may have changed. Configurations given out are gone.
void rlx_configs_forget(RlxConfigs *configs);

#endif
