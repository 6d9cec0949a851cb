/// Settings in the server: what the client sends, below the configuration file of each open
/// document.
///
/// Always true: every open file has the settings of its nearest configuration file over the
/// client's; a mistake in a configuration file is a diagnostic of that file, one in the client's
/// settings a message.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "server/session/session.h"

// ---- the client's settings as a TOML table, so that one reader checks both

static RlxToml *from_json(RlxArena *arena, const cJSON *json, int depth) {
  RlxToml *out = rlx_arena_one(arena, RlxToml);
  if (cJSON_IsString(json)) {
    out->kind = RLX_TOML_STRING;
    out->text = rlx_arena_strdup(arena, json->valuestring);
    out->text_size = strlen(out->text);
  } else if (cJSON_IsBool(json)) {
    out->kind = RLX_TOML_BOOL;
    out->boolean = cJSON_IsTrue(json);
  } else if (cJSON_IsNumber(json)) {
    bool whole = json->valuedouble > -9e15 && json->valuedouble < 9e15 &&
                 (double)(int64_t)json->valuedouble == json->valuedouble;
    out->kind = whole ? RLX_TOML_INT : RLX_TOML_FLOAT;
    out->number = json->valuedouble;
    out->integer = whole ? (int64_t)json->valuedouble : 0;
  } else {
    out->kind = cJSON_IsArray(json) ? RLX_TOML_ARRAY : RLX_TOML_TABLE;
    const cJSON *item, *list = depth < RLX_TOML_DEPTH ? json : NULL;
    cJSON_ArrayForEach(item, list) {
      if (cJSON_IsNull(item)) continue; // not set
      RlxToml *inner = from_json(arena, item, depth + 1);
      inner->key = item->string ? rlx_arena_strdup(arena, item->string) : NULL;
      if (out->last)
        out->last->next = inner;
      else
        out->first = inner;
      out->last = inner;
    }
  }
  return out;
}

/// "normalForm" is "normal-form".
static const char *with_dashes(RlxArena *arena, const char *key) {
  RlxBuf out = {0};
  for (; *key; key++) {
    bool is_upper = *key >= 'A' && *key <= 'Z';
    if (is_upper && out.size) rlx_buf_putc(&out, '-');
    rlx_buf_putc(&out, is_upper ? (char)(*key - 'A' + 'a') : *key);
  }
  const char *copy = rlx_arena_strdup(arena, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return copy;
}

/// `inlayHints` may be an object, as other servers have it: structInfo or enable say whether there
/// are any.
static void flatten_hints(RlxToml *table) {
  for (RlxToml *at = table->first; at; at = at->next) {
    if (strcmp(at->key, "inlay-hints") != 0 || at->kind != RLX_TOML_TABLE) continue;
    const RlxToml *inner = rlx_toml_get(at, "structInfo");
    if (!inner) inner = rlx_toml_get(at, "enable");
    at->kind = RLX_TOML_BOOL;
    at->boolean = !inner || inner->kind != RLX_TOML_BOOL || inner->boolean;
  }
}

static void before(RlxConfig *config, void *data) {
  const RlxServer *server = data;
  if (server->client)
    rlx_config_take(config, server->client, RLX_ORIGIN_CLIENT, NULL, NULL, 0, NULL);
}

static void say(RlxServer *server, const char *text) {
  RlxBuf params = {0};
  RlxJson json = {.out = &params};
  rlx_json_begin(&json, '{');
  rlx_json_key_int(&json, "type", 2); // a warning
  rlx_json_key_text(&json, "message", text);
  rlx_json_end(&json, '}');
  rlx_server_notify(server, "window/showMessage", &params);
  rlx_buf_free(&params);
}

/// The client sends settings of its own, too: only what has the wrong kind is worth a word.
static void report_client(RlxServer *server) {
  RlxConfigProblems problems = {0};
  RlxConfig *scratch = rlx_config_new();
  rlx_config_take(scratch, server->client, RLX_ORIGIN_CLIENT, NULL, NULL, 0, &problems);
  for (uint32_t i = 0; i < problems.count; i++) {
    if (problems.at[i].id != RLX_DIAG_ID(SETTING_VALUE)) continue;
    RlxBuf text = {0};
    rlx_buf_printf(&text, "rlx: setting %s", problems.at[i].message);
    say(server, rlx_buf_text(&text));
    rlx_buf_free(&text);
  }
  rlx_config_problems_free(&problems);
  rlx_config_free(scratch);
}

/// Whether two tables of settings say the same of each setting there is; clients send their own, too.
static bool same_settings(const RlxToml *a, const RlxToml *b) {
  static const char *const keys[] = {
#define RLX_SETTING(id, key, kind, value, choices, scope, doc) key,
#include "config/settings.def"
#undef RLX_SETTING
  };
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (!rlx_toml_same(rlx_toml_get(a, keys[i]), rlx_toml_get(b, keys[i]))) return false;
  return true;
}

void rlx_server_configure(RlxServer *server, const cJSON *settings) {
  const cJSON *inner = rlx_json_get(settings, "rlx");
  if (inner) settings = inner;
  RlxArena *arena = rlx_arena_new();
  RlxToml *table = cJSON_IsObject(settings) ? from_json(arena, settings, 0) : NULL;
  for (RlxToml *at = table ? table->first : NULL; at; at = at->next)
    at->key = with_dashes(arena, at->key);
  if (table) flatten_hints(table);
  if (server->configs &&
      same_settings(server->client, table)) { // clients send them again and again
    rlx_arena_free(arena);
    return;
  }
  rlx_arena_free(server->client_arena);
  server->client_arena = arena;
  server->client = table;
  if (!server->configs)
    server->configs = rlx_configs_new(&(RlxConfigMaker){.before = before, .data = server});
  if (table) report_client(server);
  rlx_server_reconfigure(server);
}

void rlx_server_ask_settings(RlxServer *server) {
  static const char items[] = "{\"items\":[{\"section\":\"rlx\"}]}";
  RlxBuf params = {0};
  if (!server->can_configuration) return;
  rlx_buf_puts(&params, items);
  rlx_server_ask(server, "workspace/configuration", &params);
  server->settings_asked = server->asked;
  rlx_buf_free(&params);
}

/// An empty answer says nothing where the client sends its settings by itself, and they stay. Where they came as an answer they are
/// taken back by it.
void rlx_server_take_answer(RlxServer *server, const cJSON *message) {
  const cJSON *id = rlx_json_get(message, "id"), *result = rlx_json_get(message, "result");
  bool is_it = server->settings_asked && cJSON_IsNumber(id) &&
               id->valuedouble == (double)server->settings_asked;
  const cJSON *settings = is_it && cJSON_IsArray(result) ? result->child : NULL;
  if (is_it) server->settings_asked = 0;
  const bool says_some = cJSON_IsObject(settings) && settings->child;
  if (says_some || (is_it && server->has_asked_settings))
    rlx_server_configure(server, says_some ? settings : NULL);
  if (is_it) server->has_asked_settings = says_some;
}

// ---- files

/// What the editor holds of the file at `path`.
static const char *open_text(void *data, const char *path, uint32_t *size) {
  const RlxOpenFile *file = rlx_server_open_at(data, path);
  return file ? rlx_open_file_text(file, size) : NULL;
}

static void attach_project(RlxServer *server, RlxOpenFile *file, const char *path,
                           const char *root) {
  bool same =
      file->project && path && strcmp(file->project->given_path, path) == 0 &&
      strcmp(file->project->given_root ? file->project->given_root : "", root ? root : "") == 0;
  if (same || !path) return;
  RlxProject *project = rlx_mem_zeroed(1, sizeof *project);
  rlx_project_attach(project, file->file, path, root);
  project->open_text = open_text;
  project->open_data = server;
  if (file->project) rlx_project_deinit(file->project);
  free(file->project);
  file->project = project;
}

void rlx_server_module_changed(RlxServer *server, const RlxOpenFile *module) {
  for (uint32_t i = 0; i < server->files.count; i++) {
    RlxOpenFile *file = &server->files.at[i];
    bool asks = file->file ? rlx_file_asks_modules(file->file) : file->asks_modules;
    if (file == module || !asks) continue;
    if (file->file) rlx_file_forget_modules(file->file);
    rlx_open_file_changed(file);
  }
}

void rlx_server_configure_file(RlxServer *server, RlxOpenFile *file) {
  RlxBuf path = {0}, relative = {0};
  // A document that is on no disk has what the current folder has.
  if (!rlx_uri_path(file->uri, &path)) {
    rlx_buf_clear(&path);
    rlx_buf_puts(&path, "./");
  }
  const RlxConfig *config = rlx_configs_of(server->configs, path.at, &relative);
  RlxSettings settings = rlx_config_settings(config);
  if (file->file) rlx_file_configure(file->file, &settings);
  file->settings = settings;
  rlx_config_policy(config, rlx_buf_text(&relative), &file->policy);
  file->hints = rlx_config_number(config, RLX_SETTING_inlay_hints) != 0;
  file->backward = rlx_config_number(config, RLX_SETTING_backward_deduction) != 0;
  file->form_hints = rlx_config_number(config, RLX_SETTING_normal_form_hints) != 0;
  file->check_hints = rlx_config_number(config, RLX_SETTING_runtime_check_hints) != 0;
  file->hint_form = (int)rlx_config_number(config, RLX_SETTING_hint_form);
  file->argument_hints = (int)rlx_config_number(config, RLX_SETTING_argument_hints);
  rlx_open_file_changed(file);
  if (file->file)
    attach_project(server, file, path.size && path.at[0] == '/' ? rlx_buf_text(&path) : NULL,
                   config->folder);
  rlx_buf_free(&path);
  rlx_buf_free(&relative);
}

static void write_place(RlxJson *json, const char *key, const RlxConfigProblem *p,
                        uint32_t column) {
  rlx_json_key(json, key);
  rlx_json_begin(json, '{');
  rlx_json_key_int(json, "line", p->line - 1);
  rlx_json_key_int(json, "character", rlx_utf16_from_bytes(p->source, strlen(p->source), column));
  rlx_json_end(json, '}');
}

static void write_problem(RlxJson *json, const RlxConfigProblem *p) {
  rlx_json_begin(json, '{');
  rlx_json_key(json, "range");
  rlx_json_begin(json, '{');
  write_place(json, "start", p, p->column - 1);
  write_place(json, "end", p, p->column - 1 + (p->end - p->start));
  rlx_json_end(json, '}');
  rlx_json_key_int(json, "severity", RLX_ERROR);
  rlx_json_key_text(json, "code", rlx_diag_row(p->id)->code);
  rlx_json_key_text(json, "source", "rlx");
  rlx_json_key_text(json, "message", p->message);
  rlx_json_end(json, '}');
}

/// Publishes the problems of one configuration file (NULL: none any more).
static void publish(RlxServer *server, const char *uri, const char *path) {
  const RlxConfigProblems *problems = rlx_configs_problems(server->configs);
  RlxBuf out = {0};
  RlxJson json = {.out = &out};
  rlx_json_begin(&json, '{');
  rlx_json_key_text(&json, "uri", uri);
  rlx_json_key(&json, "diagnostics");
  rlx_json_begin(&json, '[');
  for (uint32_t i = 0; path && i < problems->count; i++)
    if (problems->at[i].file && strcmp(problems->at[i].file, path) == 0)
      write_problem(&json, &problems->at[i]);
  rlx_json_end(&json, ']');
  rlx_json_end(&json, '}');
  rlx_server_notify(server, "textDocument/publishDiagnostics", &out);
  rlx_buf_free(&out);
}

void rlx_server_show_config_problems(RlxServer *server) {
  const RlxConfigProblems *problems = rlx_configs_problems(server->configs);
  if (problems->count == server->config_shown) return;
  server->config_shown = problems->count;
  for (uint32_t i = 0; i < problems->count; i++) {
    bool is_first = problems->at[i].file != NULL;
    for (uint32_t k = 0; k < i && is_first; k++)
      is_first = !problems->at[k].file || strcmp(problems->at[k].file, problems->at[i].file) != 0;
    if (!is_first) continue;
    char *uri = rlx_path_uri(problems->at[i].file);
    publish(server, uri, problems->at[i].file);
    rlx_vec_push(&server->config_uris, uri);
  }
}

void rlx_server_reconfigure(RlxServer *server) {
  rlx_server_forget_views(server);
  for (uint32_t i = 0; i < server->config_uris.count; i++) {
    publish(server, server->config_uris.at[i], NULL);
    free(server->config_uris.at[i]);
  }
  rlx_vec_clear(&server->config_uris);
  server->config_shown = 0;
  rlx_configs_forget(server->configs);
  server->config_changes++;
  for (uint32_t i = 0; i < server->files.count; i++)
    rlx_server_configure_file(server, &server->files.at[i]);
  if (server->is_initialized && server->pulls_diagnostics && server->can_refresh_diagnostics)
    rlx_server_ask(server, "workspace/diagnostic/refresh", NULL);
  if (server->is_initialized && server->can_refresh_hints)
    rlx_server_ask(server, "workspace/inlayHint/refresh", NULL);
}

void rlx_server_drop_configuration(RlxServer *server) {
  for (uint32_t i = 0; i < server->config_uris.count; i++) free(server->config_uris.at[i]);
  rlx_vec_free(&server->config_uris);
  rlx_configs_free(server->configs);
  rlx_arena_free(server->client_arena);
}
