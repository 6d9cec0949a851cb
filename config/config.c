/// Settings and their values: the table's rows, reading a TOML table, setting from the command
/// line.
#include "config/config.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/words/dialect.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "base/text.h"

#define RLX_SETTING(id, key, kind, value, choices, scope, doc)                                     \
  {key, RLX_SETTING_KIND_##kind, value, choices, RLX_SETTING_SCOPE_##scope, doc},
static const RlxSettingRow rows[] = {
#include "config/settings.def"
};
#undef RLX_SETTING

const RlxSettingRow *rlx_setting_row(RlxSettingId id) { return &rows[id]; }

bool rlx_setting_choice(const RlxSettingRow *row, int index, char *out, size_t capacity) {
  const char *at = row->choices;
  for (; index > 0 && *at; index--) {
    at += strcspn(at, " ");
    at += *at == ' ';
  }
  size_t size = strcspn(at, " ");
  if (!size || size >= capacity) return false;
  memcpy(out, at, size);
  out[size] = '\0';
  return true;
}

const char *rlx_setting_kind_text(const RlxSettingRow *row) {
  switch (row->kind) {
  case RLX_SETTING_KIND_BOOL: return "true or false";
  case RLX_SETTING_KIND_INT: return "an integer";
  case RLX_SETTING_KIND_CHOICE: return "one of its choices";
  case RLX_SETTING_KIND_FOLDER: return "a folder";
  case RLX_SETTING_KIND_TEXTS: return "a list of strings";
  case RLX_SETTING_KIND_CODES: return "a list of diagnostics";
  case RLX_SETTING_KIND_CODES_BY_PATH: return "a table from patterns to lists of diagnostics";
  case RLX_SETTING_KIND_CHOICE_BY_CODE: return "a table from diagnostics to severities";
  case RLX_SETTING_KIND_TEXTS_BY_FILE: return "a table from files to lists of strings";
  }
  return "";
}

// ---- problems

typedef struct Reader {
  RlxConfig *config;
  RlxOrigin origin;
  const char *file, *text;
  size_t size;
  RlxConfigProblems *problems;
} Reader;

void rlx_config_problems_free(RlxConfigProblems *problems) {
  for (uint32_t i = 0; i < problems->count; i++) {
    free(problems->at[i].file);
    free(problems->at[i].message);
    if (!problems->at[i].shares_source) free(problems->at[i].source);
  }
  rlx_vec_free(problems);
}

enum {
  PROBLEMS_MAX = 100
}; // that are told of all configurations of a run; one more says that there are others

/// What a message quotes of one thing; of a longer one it quotes the beginning.
enum { QUOTED_MAX = 4096 };

static void put_quoted(RlxBuf *out, const char *text) {
  size_t size = strnlen(text, QUOTED_MAX + 1);
  const bool is_cut = size > QUOTED_MAX;
  if (is_cut) size = QUOTED_MAX;
  while (is_cut && size && rlx_utf8_is_continuation(text[size])) size--; // whole characters
  rlx_buf_putn(out, text, size);
  if (is_cut) rlx_buf_puts(out, "…");
}

/// `{0}` and `{1}` of the row's message replaced.
static char *message_of(RlxDiagId id, const char *first, const char *second) {
  RlxBuf out = {0};
  for (const char *at = rlx_diag_row(id)->message; *at; at++) {
    if (at[0] == '{' && (at[1] == '0' || at[1] == '1') && at[2] == '}') {
      put_quoted(&out, at[1] == '0' ? first : second);
      at += 2;
    } else {
      rlx_buf_putc(&out, *at);
    }
  }
  return rlx_buf_steal(&out);
}

/// In the place of the first problem that is not told.
static char *message_of_others(void) {
  RlxBuf out = {0};
  rlx_buf_printf(&out, "this and other problems of configurations are not told: %d are",
                 PROBLEMS_MAX);
  return rlx_buf_steal(&out);
}

/// Each costs a look at the whole text, and nobody reads more.
static bool takes_problems(const Reader *r) {
  return r->problems && r->problems->count <= PROBLEMS_MAX;
}

static void problem(const Reader *r, RlxDiagId id, uint32_t start, uint32_t end, const char *first,
                    const char *second) {
  if (!takes_problems(r)) return;
  RlxConfigProblem p = {.id = id,
                        .start = start,
                        .end = end,
                        .message = r->problems->count < PROBLEMS_MAX ? message_of(id, first, second)
                                                                     : message_of_others()};
  if (r->file) {
    RlxLines lines = {0};
    rlx_lines_build(&lines, r->text, (uint32_t)r->size);
    RlxLineColumn at = rlx_lines_locate(&lines, start);
    uint32_t from = rlx_lines_start(&lines, at.line);
    p.line = at.line + 1;
    p.column = at.column + 1;
    p.file = rlx_mem_strdup(r->file);
    const RlxConfigProblem *last = r->problems->count ? &rlx_vec_last(r->problems) : NULL;
    p.shares_source = last && last->file && last->line == p.line && strcmp(last->file, p.file) == 0;
    p.source = p.shares_source ? last->source
                               : rlx_mem_strndup(r->text + from,
                                                 rlx_lines_end(&lines, r->text, at.line) - from);
    rlx_lines_free(&lines);
  }
  rlx_vec_push(r->problems, p);
}

static void bad_value(const Reader *r, const RlxToml *at, const char *key, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
static void bad_value(const Reader *r, const RlxToml *at, const char *key, const char *format,
                      ...) {
  RlxBuf why = {0};
  va_list args;
  va_start(args, format);
  rlx_buf_vprintf(&why, format, args);
  va_end(args);
  problem(r, RLX_DIAG_ID(SETTING_VALUE), at->start, at->end, key, rlx_buf_text(&why));
  rlx_buf_free(&why);
}

// ---- diagnostics by name

uint32_t rlx_selector_weight(const char *selector, const RlxDiagRow *row) {
  size_t size = strlen(selector);
  if (strcmp(selector, "ALL") == 0) return 1;
  if (strcmp(selector, row->name) == 0) return 100;
  return size >= 3 && strncmp(selector, row->code, size) == 0 ? (uint32_t)size + 1 : 0;
}

static bool is_selector(const char *selector) {
  for (int i = 0; i < rlx_diag_count(); i++)
    if (rlx_selector_weight(selector, rlx_diag_row((RlxDiagId)i))) return true;
  return false;
}

/// "no diagnostic is called `RLX9`; did you mean …".
static void selector_unknown(const char *selector, RlxBuf *out) {
  RlxNearest nearest = rlx_nearest_start(selector);
  for (int i = 0; i < rlx_diag_count(); i++) {
    rlx_nearest_try(&nearest, rlx_diag_row((RlxDiagId)i)->name);
    if (strlen(selector) == 7) rlx_nearest_try(&nearest, rlx_diag_row((RlxDiagId)i)->code);
  }
  rlx_buf_printf(out, "no diagnostic is called `%s`", selector);
  if (nearest.best) rlx_buf_printf(out, "; did you mean `%s`?", nearest.best);
}

// ---- values of a table

/// `selector` means no diagnostic, in a value that "is a list of diagnostics", which `needed` says.
static void bad_selector(const Reader *r, const RlxToml *at, const char *key, const char *needed,
                         const char *selector) {
  if (!takes_problems(r)) return; // what it may have meant takes a look at each diagnostic
  RlxBuf why = {0};
  selector_unknown(selector, &why);
  bad_value(r, at, key, "%s: %s", needed, rlx_buf_text(&why));
  rlx_buf_free(&why);
}

/// A list of strings, or one string as a list of one. With `codes` each must mean a diagnostic.
static bool read_texts(const Reader *r, const char *key, const RlxToml *value, bool codes,
                       RlxTexts *out) {
  const char *needed = codes ? "a list of diagnostics" : "a list of strings";
  if (value->kind != RLX_TOML_STRING && value->kind != RLX_TOML_ARRAY) {
    bad_value(r, value, key, "is %s, not %s", needed, rlx_toml_kind_name(value->kind));
    return false;
  }
  for (const RlxToml *at = value->kind == RLX_TOML_STRING ? value : value->first; at;
       at = value->kind == RLX_TOML_STRING ? NULL : at->next) {
    if (at->kind != RLX_TOML_STRING) {
      bad_value(r, at, key, "is %s; %s is none of its kind", needed, rlx_toml_kind_name(at->kind));
      return false;
    }
    if (codes && !is_selector(at->text)) {
      bad_selector(r, at, key, "is a list of diagnostics", at->text);
      continue; // the others hold
    }
    rlx_vec_push(out, rlx_arena_strdup(r->config->arena, at->text));
  }
  return true;
}

static bool read_choice(const Reader *r, const RlxSettingRow *row, const char *key,
                        const RlxToml *value, int64_t *out) {
  char choice[32];
  if (value->kind != RLX_TOML_STRING) {
    bad_value(r, value, key, "is a string, not %s", rlx_toml_kind_name(value->kind));
    return false;
  }
  RlxNearest nearest = rlx_nearest_start(value->text);
  char kept[8][32];
  for (int i = 0; i < 8 && rlx_setting_choice(row, i, choice, sizeof choice); i++) {
    if (strcmp(choice, value->text) == 0) {
      *out = i;
      return true;
    }
    memcpy(kept[i], choice, sizeof choice);
    rlx_nearest_try(&nearest, kept[i]);
  }
  if (nearest.best)
    bad_value(r, value, key, "cannot be `%s`; did you mean `%s`? (%s)", value->text, nearest.best,
              row->choices);
  else
    bad_value(r, value, key, "cannot be `%s`; it is one of: %s", value->text, row->choices);
  return false;
}

static bool read_entries(const Reader *r, const RlxSettingRow *row, const RlxToml *table,
                         RlxConfigValue *out) {
  bool by_code = row->kind == RLX_SETTING_KIND_CHOICE_BY_CODE,
       has_codes = row->kind == RLX_SETTING_KIND_CODES_BY_PATH;
  if (table->kind != RLX_TOML_TABLE) {
    bad_value(r, table, row->key, "is %s, not %s", rlx_setting_kind_text(row),
              rlx_toml_kind_name(table->kind));
    return false;
  }
  rlx_vec_clear(&out->entries);
  for (const RlxToml *at = table->first; at; at = at->next) {
    if (has_codes && out->entries.count == RLX_CONFIG_PATTERNS_MAX) {
      RlxToml key = {.start = at->key_start, .end = at->key_end};
      bad_value(r, &key, row->key, "has %d patterns at most: this and those behind it are not used",
                RLX_CONFIG_PATTERNS_MAX);
      break;
    }
    if (has_codes && strchr(at->key, '\n')) {
      RlxToml key = {.start = at->key_start, .end = at->key_end};
      bad_value(r, &key, row->key, "has patterns as keys, each a line of its own");
      continue;
    }
    RlxConfigEntry entry = {.key = rlx_arena_strdup(r->config->arena, at->key)};
    if (by_code && !is_selector(at->key)) {
      RlxToml key = {.start = at->key_start, .end = at->key_end};
      bad_selector(r, &key, row->key, "has diagnostics as keys", at->key);
      continue;
    }
    bool fine = by_code ? read_choice(r, row, row->key, at, &entry.number)
                        : read_texts(r, row->key, at, has_codes, &entry.texts);
    if (fine)
      rlx_vec_push(&out->entries, entry);
    else
      rlx_vec_free(&entry.texts);
  }
  return true;
}

static bool read_int(const Reader *r, const RlxSettingRow *row, const RlxToml *value,
                     int64_t *out) {
  long long low = INT64_MIN, high = INT64_MAX;
  if (value->kind != RLX_TOML_INT) {
    bad_value(r, value, row->key, "is an integer, not %s", rlx_toml_kind_name(value->kind));
    return false;
  }
  sscanf(row->choices, "%lld..%lld", &low, &high);
  if (value->integer < low || value->integer > high) {
    bad_value(r, value, row->key, "is in %lld..%lld, not %lld", low, high,
              (long long)value->integer);
    return false;
  }
  *out = value->integer;
  return true;
}

/// Whether a path stays below the folder that it is relative to, links left aside.
static bool is_inside(const char *path) {
  if (*path == '/') return false;
  for (const char *at = path; *at;) {
    size_t n = strcspn(at, "/");
    if (n == 2 && at[0] == '.' && at[1] == '.') return false;
    at += n + (at[n] == '/');
  }
  return true;
}

static bool read_value(const Reader *r, const RlxSettingRow *row, const RlxToml *value,
                       RlxConfigValue *out) {
  RlxTexts texts = {0};
  switch (row->kind) {
  case RLX_SETTING_KIND_BOOL:
    if (value->kind != RLX_TOML_BOOL) {
      bad_value(r, value, row->key, "is true or false, not %s", rlx_toml_kind_name(value->kind));
      return false;
    }
    out->number = value->boolean;
    return true;
  case RLX_SETTING_KIND_INT: return read_int(r, row, value, &out->number);
  case RLX_SETTING_KIND_CHOICE: return read_choice(r, row, row->key, value, &out->number);
  case RLX_SETTING_KIND_FOLDER:
    if (value->kind != RLX_TOML_STRING) {
      bad_value(r, value, row->key, "is a string, not %s", rlx_toml_kind_name(value->kind));
      return false;
    }
    if (r->origin == RLX_ORIGIN_FILE && !is_inside(value->text)) {
      bad_value(r, value, row->key,
                "is a folder inside the project, not `%s`: `--%s` on the command line may lead "
                "elsewhere",
                value->text, row->key);
      return false;
    }
    out->text = rlx_arena_strdup(r->config->arena, value->text);
    return true;
  case RLX_SETTING_KIND_TEXTS:
  case RLX_SETTING_KIND_CODES:
    if (!read_texts(r, row->key, value, row->kind == RLX_SETTING_KIND_CODES, &texts)) {
      rlx_vec_free(&texts);
      return false;
    }
    rlx_vec_free(&out->texts);
    out->texts = texts;
    return true;
  case RLX_SETTING_KIND_CODES_BY_PATH:
  case RLX_SETTING_KIND_CHOICE_BY_CODE:
  case RLX_SETTING_KIND_TEXTS_BY_FILE: return read_entries(r, row, value, out);
  }
  return false;
}

static uint32_t weight(const RlxTexts *selectors, const RlxDiagRow *row) {
  uint32_t best = 0;
  for (uint32_t i = 0; i < selectors->count; i++) {
    uint32_t one = rlx_selector_weight(selectors->at[i], row);
    if (one > best) best = one;
  }
  return best;
}

/// What holds in a file that `per-file-ignores` does not name.
static void make_policy(const RlxConfig *config, RlxPolicy *out) {
  const RlxConfigValue *severity = &config->values[RLX_SETTING_severity];
  for (int i = 0; i < rlx_diag_count(); i++) {
    const RlxDiagRow *row = rlx_diag_row((RlxDiagId)i);
    uint32_t chosen = weight(&config->values[RLX_SETTING_select].texts, row),
             more = weight(&config->values[RLX_SETTING_extend_select].texts, row);
    uint32_t ignored = weight(&config->values[RLX_SETTING_ignore].texts, row), best = 0;
    if (more > chosen) chosen = more;
    out->severity[i] = chosen > ignored ? RLX_POLICY_KEEP : 0;
    for (uint32_t k = 0; k < severity->entries.count && out->severity[i]; k++) {
      uint32_t one = rlx_selector_weight(severity->entries.at[k].key, row);
      if (one <= best) continue;
      best = one;
      out->severity[i] = (uint8_t)(severity->entries.at[k].number + 1);
    }
  }
}

/// Patterns are compiled, and lists of diagnostics read, once for all files.
static void compile(RlxConfig *config) {
  make_policy(config, &config->policy);
  rlx_ignore_free(&config->exclude);
  const RlxTexts *excluded = &config->values[RLX_SETTING_exclude].texts;
  for (uint32_t i = 0; i < excluded->count; i++)
    rlx_ignore_parse(&config->exclude, excluded->at[i]);
  for (uint32_t i = 0; i < config->per_file.count; i++) rlx_ignore_free(&config->per_file.at[i]);
  rlx_vec_clear(&config->per_file);
  rlx_vec_clear(&config->per_file_rows);
  const RlxConfigValue *per_file = &config->values[RLX_SETTING_per_file_ignores];
  for (uint32_t i = 0; i < per_file->entries.count; i++) {
    RlxIgnore ignore = {0};
    rlx_ignore_parse(&ignore, per_file->entries.at[i].key);
    rlx_vec_push(&config->per_file, ignore);
    RlxIgnoredRows rows_of = {0};
    for (int k = 0; k < rlx_diag_count(); k++)
      rows_of.has[k] = weight(&per_file->entries.at[i].texts, rlx_diag_row((RlxDiagId)k)) != 0;
    rlx_vec_push(&config->per_file_rows, rows_of);
  }
}

static void setting_unknown(const Reader *r, const RlxToml *at) {
  RlxNearest nearest = rlx_nearest_start(at->key);
  for (int i = 0; i < RLX_SETTING_COUNT; i++) rlx_nearest_try(&nearest, rows[i].key);
  RlxBuf hint = {0};
  if (nearest.best) rlx_buf_printf(&hint, "; did you mean `%s`?", nearest.best);
  problem(r, RLX_DIAG_ID(SETTING_UNKNOWN), at->key_start, at->key_end, at->key,
          rlx_buf_text(&hint));
  rlx_buf_free(&hint);
}

void rlx_config_take(RlxConfig *config, const RlxToml *table, RlxOrigin origin, const char *file,
                     const char *text, size_t size, RlxConfigProblems *problems) {
  Reader r = {config, origin, file, text, size, problems};
  for (const RlxToml *at = table->first; at; at = at->next) {
    int id = 0;
    while (id < RLX_SETTING_COUNT && strcmp(rows[id].key, at->key) != 0) id++;
    bool is_users = id < RLX_SETTING_COUNT && rows[id].scope == RLX_SETTING_SCOPE_USER;
    if (id == RLX_SETTING_COUNT)
      setting_unknown(&r, at);
    else if (is_users && origin != RLX_ORIGIN_USER)
      bad_value(&r, at, rows[id].key,
                "is not read from a project: it stands in your own configuration "
                "(`~/.config/rlx/rlx.toml`) or on the command line");
    else if (!is_users && origin == RLX_ORIGIN_USER)
      bad_value(&r, at, rows[id].key,
                "is not read from your own configuration, but from a project's");
    else if (read_value(&r, &rows[id], at, &config->values[id]))
      config->values[id].origin = origin;
  }
  compile(config);
}

// ---- a configuration

RlxConfig *rlx_config_new(void) {
  RlxConfig *config = rlx_mem_zeroed(1, sizeof *config);
  config->arena = rlx_arena_new_sized(1024);
  for (int i = 0; i < RLX_SETTING_COUNT; i++) {
    RlxBuf line = {0};
    RlxArena *arena = rlx_arena_new_sized(1024);
    rlx_buf_printf(&line, "%s = %s\n", rows[i].key, rows[i].value);
    RlxToml *table = rlx_toml_read(rlx_buf_text(&line), line.size, arena, NULL, NULL);
    Reader r = {.config = config};
    if (table) read_value(&r, &rows[i], table->first, &config->values[i]);
    rlx_arena_free(arena);
    rlx_buf_free(&line);
  }
  compile(config);
  return config;
}

void rlx_config_free(RlxConfig *config) {
  if (!config) return;
  for (int i = 0; i < RLX_SETTING_COUNT; i++) {
    RlxConfigValue *value = &config->values[i];
    for (uint32_t k = 0; k < value->entries.count; k++) rlx_vec_free(&value->entries.at[k].texts);
    rlx_vec_free(&value->entries);
    rlx_vec_free(&value->texts);
  }
  rlx_ignore_free(&config->exclude);
  for (uint32_t i = 0; i < config->per_file.count; i++) rlx_ignore_free(&config->per_file.at[i]);
  rlx_vec_free(&config->per_file);
  rlx_vec_free(&config->per_file_rows);
  rlx_arena_free(config->arena);
  free(config);
}

/// What an error says of the file at `path`, which stands before it where the problem is told.
static const char *without_path(const char *error, const char *path) {
  const size_t size = strlen(path);
  return !strncmp(error, path, size) && !strncmp(error + size, ": ", 2) ? error + size + 2 : error;
}

/// `real`: see rlx_config_read.
static bool read_file(RlxConfig *config, const char *path, const char *real, RlxOrigin origin,
                      RlxConfigProblems *problems) {
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  bool is_pyproject = strcmp(name, "pyproject.toml") == 0, found = true;
  RlxBuf text = {0};
  RlxError err = {0};
  RlxArena *arena = rlx_arena_new();
  Reader r = {.config = config, .file = path, .problems = problems};
  if (!(real ? rlx_file_read_regular(real, RLX_TOML_LIMIT_BYTES, &text, &err)
             : rlx_file_read_limited(path, RLX_TOML_LIMIT_BYTES, &text, &err))) {
    r.text = "";
    problem(&r, RLX_DIAG_ID(CONFIG_SYNTAX), 0, 0, "read",
            without_path(err.text, real ? real : path));
  } else if (!is_pyproject ||
             memmem(rlx_buf_text(&text), text.size, "rlx", 3)) { // most are not for us
    r.text = rlx_buf_text(&text);
    r.size = text.size;
    RlxTomlFaults faults = {0};
    const RlxToml *table = rlx_toml_read_most(r.text, r.size, arena, &faults);
    for (uint32_t i = 0; i < faults.count; i++)
      problem(&r, RLX_DIAG_ID(CONFIG_SYNTAX), faults.at[i].at,
              faults.at[i].at + (faults.at[i].at < r.size), "TOML", faults.at[i].text);
    if (is_pyproject) table = rlx_toml_get(rlx_toml_get(table, "tool"), "rlx");
    found = table && table->kind == RLX_TOML_TABLE;
    if (found) rlx_config_take(config, table, origin, path, r.text, r.size, problems);
    found |= faults.count > 0;
    rlx_vec_free(&faults);
  } else {
    found = false;
  }
  rlx_buf_free(&text);
  rlx_arena_free(arena);
  return found;
}

bool rlx_config_read(RlxConfig *config, const char *path, const char *real,
                     RlxConfigProblems *problems) {
  const char *slash = strrchr(path, '/');
  if (!read_file(config, path, real, RLX_ORIGIN_FILE, problems)) return false;
  config->file = rlx_arena_strdup(config->arena, path);
  config->folder = slash ? rlx_arena_strndup(config->arena, path, (size_t)(slash - path)) : ".";
  return true;
}

void rlx_config_read_user(RlxConfig *config, const char *path, RlxConfigProblems *problems) {
  read_file(config, path, NULL, RLX_ORIGIN_USER, problems);
}

void rlx_config_set_number(RlxConfig *config, RlxSettingId id, int64_t number) {
  config->values[id].number = number;
  config->values[id].origin = RLX_ORIGIN_OPTION;
}

void rlx_config_set_text(RlxConfig *config, RlxSettingId id, const char *text) {
  config->values[id].text = rlx_arena_strdup(config->arena, text);
  config->values[id].origin = RLX_ORIGIN_OPTION;
}

bool rlx_config_set_list(RlxConfig *config, RlxSettingId id, char *const *lists, uint32_t count,
                         RlxError *err) {
  RlxConfigValue *value = &config->values[id];
  bool fine = true;
  if (rows[id].scope != RLX_SETTING_SCOPE_USER) rlx_vec_clear(&value->texts);
  value->origin = RLX_ORIGIN_OPTION;
  for (uint32_t i = 0; i < count; i++) {
    for (const char *at = lists[i]; *at;) {
      size_t n = strcspn(at, ",");
      const char *part = rlx_arena_strndup(config->arena, at, n);
      if (n && rows[id].kind == RLX_SETTING_KIND_CODES && !is_selector(part)) {
        RlxBuf why = {0};
        selector_unknown(part, &why);
        fine = rlx_error_set(err, "%s", rlx_buf_text(&why));
        rlx_buf_free(&why);
      } else if (n) {
        rlx_vec_push(&value->texts, part);
      }
      at += n + (at[n] == ',');
    }
  }
  compile(config);
  return fine;
}

RlxSettings rlx_config_settings(const RlxConfig *config) {
  char choice[32] = "";
  const int64_t number = rlx_config_number(config, RLX_SETTING_dialect);
  RlxDialect dialect;
  rlx_setting_choice(&rows[RLX_SETTING_dialect], (int)number, choice, sizeof choice);
  return (RlxSettings){
      .implicit_match_cast = rlx_config_number(config, RLX_SETTING_implicit_match_cast) != 0,
      .normal_form = (uint8_t)rlx_config_number(config, RLX_SETTING_normal_form),
      // A text that stays: files compare what they have with what comes, and their configuration is gone then.
      .dialect = rlx_dialect_parse(choice, &dialect) ? rlx_dialect_name(dialect) : NULL,
      .returns_warn = rlx_config_number(config, RLX_SETTING_returns) != 0,
      .printed = rlx_config_number(config, RLX_SETTING_printed) != 0,
  };
}

// ---- what follows for diagnostics

void rlx_config_policy(const RlxConfig *config, const char *relative, RlxPolicy *out) {
  *out = config->policy;
  for (uint32_t k = 0; relative && *relative && k < config->per_file.count; k++) {
    if (rlx_ignore_ask(&config->per_file.at[k], relative, false) != RLX_IGNORE_YES) continue;
    for (int i = 0; i < rlx_diag_count(); i++)
      if (config->per_file_rows.at[k].has[i]) out->severity[i] = 0;
  }
}

int rlx_policy_severity(const RlxPolicy *policy, RlxDiagId id, int severity) {
  return policy->severity[id] == RLX_POLICY_KEEP ? severity : policy->severity[id];
}
