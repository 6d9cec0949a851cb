/// Settings as options of a command: one option for each row of config/settings.def.
#include "cli/settings.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"

/// Its first sentence part, which is what fits into a help.
static const char *short_help(RlxArena *arena, const char *doc) {
  size_t size = strcspn(doc, ".;:(");
  while (doc[size] == '.' && doc[size + 1] && doc[size + 1] != ' ')
    size += 1 + strcspn(doc + size + 1, ".;:(");
  char *text = rlx_arena_strndup(arena, doc, size);
  while (size && text[size - 1] == ' ') text[--size] = '\0';
  if (text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z')
    text[0] = (char)(text[0] - 'A' + 'a');
  return text;
}

static bool make_row(RlxSettingOptions *o, RlxSettingId id, RlxOption *out) {
  const RlxSettingRow *row = rlx_setting_row(id);
  *out = (RlxOption){.name = row->key, .help = short_help(o->arena, row->doc)};
  char choice[32];
  long long low = 0, high = 0;
  switch (row->kind) {
  case RLX_SETTING_KIND_BOOL:
    out->kind = RLX_OPTION_FLAG;
    out->target = &o->flag[id];
    if (strcmp(row->value, "true") == 0) {
      out->name = rlx_arena_printf(o->arena, "no-%s", row->key);
      out->help = rlx_arena_printf(o->arena, "switch off: %s", out->help);
    }
    return true;
  case RLX_SETTING_KIND_CHOICE:
    for (int i = 0;
         i < RLX_SETTING_CHOICES_MAX && rlx_setting_choice(row, i, choice, sizeof choice); i++)
      o->choices[id][i] = rlx_arena_strdup(o->arena, choice);
    out->kind = RLX_OPTION_CHOICE;
    out->target = &o->choice[id];
    out->choices = o->choices[id];
    return true;
  case RLX_SETTING_KIND_INT:
    sscanf(row->choices, "%lld..%lld", &low, &high);
    out->kind = RLX_OPTION_INT;
    out->target = &o->number[id];
    out->min = low;
    out->max = high;
    return true;
  case RLX_SETTING_KIND_FOLDER:
    out->kind = RLX_OPTION_TEXT;
    out->target = &o->text[id];
    return true;
  case RLX_SETTING_KIND_TEXTS:
  case RLX_SETTING_KIND_CODES:
    out->kind = RLX_OPTION_LIST;
    out->target = &o->lists[id];
    out->value = row->kind == RLX_SETTING_KIND_CODES ? "CODES" : "PATTERNS";
    return true;
  case RLX_SETTING_KIND_CODES_BY_PATH:
  case RLX_SETTING_KIND_CHOICE_BY_CODE:
  case RLX_SETTING_KIND_TEXTS_BY_FILE: return false; // too much for a command line
  }
  return false;
}

void rlx_setting_options(RlxSettingOptions *o, int scopes, RlxOption *rows, size_t *count) {
  *o = (RlxSettingOptions){.scopes = scopes, .arena = rlx_arena_new()};
  for (int i = 0; i < RLX_SETTING_COUNT; i++) {
    o->choice[i] = -1;
    o->number[i] = INT64_MIN;
    if (((int)rlx_setting_row((RlxSettingId)i)->scope & scopes) &&
        make_row(o, (RlxSettingId)i, &rows[*count]))
      (*count)++;
  }
  rows[(*count)++] =
      rlx_option_text("config", &o->config_file, "FILE",
                      "read settings from this file, not from the one found upwards");
  rows[(*count)++] = rlx_option_flag("isolated", &o->is_isolated, "read no configuration file");
}

/// Sets what was given; the first wrong value goes to `err`.
static bool apply(const RlxSettingOptions *o, RlxConfig *config, const char **out_key,
                  RlxError *err) {
  bool fine = true;
  for (int i = 0; i < RLX_SETTING_COUNT && fine; i++) {
    const RlxSettingRow *row = rlx_setting_row((RlxSettingId)i);
    RlxSettingId id = (RlxSettingId)i;
    *out_key = row->key;
    if (o->choice[i] >= 0) rlx_config_set_number(config, id, o->choice[i]);
    if (o->number[i] != INT64_MIN) rlx_config_set_number(config, id, o->number[i]);
    if (o->text[i]) rlx_config_set_text(config, id, o->text[i]);
    if (o->flag[i]) rlx_config_set_number(config, id, strcmp(row->value, "true") != 0);
    if (o->lists[i].count)
      fine = rlx_config_set_list(config, id, o->lists[i].at, o->lists[i].count, err);
  }
  return fine;
}

static void after(RlxConfig *config, void *data) {
  const char *key;
  apply(data, config, &key, NULL);
}

/// The user's own configuration, where the XDG standard puts it; NULL: there is none.
static const char *users_file(RlxArena *arena) {
  const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME"), *path = NULL;
  if (xdg && *xdg == '/') // a relative one is to be ignored, says the standard
    path = rlx_arena_printf(arena, "%s/rlx/rlx.toml", xdg);
  else if (home && *home == '/')
    path = rlx_arena_printf(arena, "%s/.config/rlx/rlx.toml", home);
  return path && rlx_file_exists(path) ? path : NULL;
}

bool rlx_setting_options_done(RlxSettingOptions *o, const RlxUsage *usage, int *out_code) {
  RlxError err = {0};
  const char *key = "";
  RlxConfig *scratch = rlx_config_new();
  bool fine = apply(o, scratch, &key, &err);
  rlx_config_free(scratch);
  if (!fine) {
    *out_code = rlx_usage_error(usage, "--%s: %s", key, err.text);
    return false;
  }
  RlxConfigMaker maker = {.after = after, .data = o, .is_isolated = o->is_isolated};
  if (o->config_file) {
    char *real = realpath(o->config_file, NULL);
    if (!real) {
      *out_code = rlx_usage_error(usage, "--config: %s: no such file", o->config_file);
      return false;
    }
    maker.file = rlx_arena_strdup(o->arena, real);
    free(real);
  }
  if (!o->is_isolated && (o->scopes & RLX_SETTING_SCOPE_USER)) maker.user = users_file(o->arena);
  o->configs = rlx_configs_new(&maker);
  return true;
}

bool rlx_setting_report(RlxSettingOptions *o, uint32_t *reported) {
  const RlxConfigProblems *problems = rlx_configs_problems(o->configs);
  char here[PATH_MAX];
  size_t size = getcwd(here, sizeof here) ? strlen(here) : 0;
  uint32_t first = *reported;
  RlxBuf out = {0};
  for (; *reported < problems->count; (*reported)++) {
    RlxConfigProblem p = problems->at[*reported];
    if (p.file && size && strncmp(p.file, here, size) == 0 && p.file[size] == '/')
      p.file += size + 1; // as people would say it
    rlx_config_problem_print(&p, &out);
  }
  fputs(rlx_buf_text(&out), stderr);
  rlx_buf_free(&out);
  return *reported == first;
}

void rlx_setting_options_free(RlxSettingOptions *o) {
  for (int i = 0; i < RLX_SETTING_COUNT; i++) rlx_args_free(&o->lists[i]);
  rlx_configs_free(o->configs);
  rlx_arena_free(o->arena);
}
