/// initialize … shutdown, settings.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/version.h"
#include "server/methods/commands.h"
#include "server/methods/index.h"
#include "server/methods/methods.h"
#include "server/methods/operator_page.h"
#include "server/methods/tokens.h"
#include "server/session/jobs.h"
#include "server/session/log.h"

static bool flag(const cJSON *object, const char *path) {
  char key[64];
  while (*path) {
    size_t n = strcspn(path, ".");
    if (n >= sizeof key) return false;
    memcpy(key, path, n);
    key[n] = 0;
    object = rlx_json_get(object, key);
    path += n + (path[n] == '.');
  }
  return cJSON_IsTrue(object);
}

/// Whether a list of texts has `text`.
static bool has_text(const cJSON *list, const char *text) {
  const cJSON *one;
  cJSON_ArrayForEach(one, list) {
    if (cJSON_IsString(one) && !strcmp(one->valuestring, text)) return true;
  }
  return false;
}

/// Whether the client resolves `property` of what the method with these capabilities answers.
static bool can_resolve(const cJSON *method, const char *property) {
  return has_text(rlx_json_get(rlx_json_get(method, "resolveSupport"), "properties"), property);
}

static RlxEncoding choose_encoding(const cJSON *capabilities) {
  const cJSON *list = rlx_json_get(rlx_json_get(capabilities, "general"), "positionEncodings"),
              *item;
  cJSON_ArrayForEach(item, list) { // in the client's order of preference
    if (!cJSON_IsString(item)) continue;
    if (!strcmp(item->valuestring, "utf-8")) return RLX_UTF8;
    if (!strcmp(item->valuestring, "utf-16")) return RLX_UTF16;
    if (!strcmp(item->valuestring, "utf-32")) return RLX_UTF32;
  }
  return RLX_UTF16;
}

static void write_capabilities(const RlxServer *server, RlxJson *json) {
  static const char *const encodings[] = {"utf-8", "utf-16", "utf-32"};
  static const char *const capabilities[] = {
#define RLX_METHOD(id, method, kind, capability) capability,
#include "server/methods/methods.def"
#undef RLX_METHOD
  };
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "positionEncoding", encodings[server->encoding]);
  for (size_t i = 0; i < sizeof capabilities / sizeof *capabilities; i++) {
    if (*capabilities[i]) rlx_json_raw(json, capabilities[i], strlen(capabilities[i]));
  }
  rlx_json_key(json, "semanticTokensProvider");
  rlx_write_token_legend(json);
  rlx_json_key(json, "executeCommandProvider");
  rlx_write_commands(json);
  rlx_json_end(json, '}');
}

/// The page of diagnostics that is installed with the program, or stands beside it in its source
/// tree.
static void find_pages(RlxServer *server) {
  static const char *const places[] = {"/../share/doc/rlx/docs/diagnostics.md",
                                       "/../docs/diagnostics.md"};
  char program[4096], path[4200];
  ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);
  char *slash = size > 0 ? (program[size] = 0, strrchr(program, '/')) : NULL;
  server->pages[0] = 0;
  if (!slash) return;
  *slash = 0;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    char whole[PATH_MAX];
    snprintf(path, sizeof path, "%s%s", program, places[i]);
    if (!realpath(path, whole)) continue;
    char *uri = rlx_path_uri(whole);
    snprintf(server->pages, sizeof server->pages, "%s", uri);
    free(uri);
    return;
  }
}

/// Clients that show the address of each link in a hover, up to which version: nothing that they send
/// says so.
static bool shows_links_raw(const cJSON *params) {
  static const struct {
    const char *name;
    int major, minor; // the first one that hides addresses
  } clients[] = {{"Neovim", 0, 10}};
  const cJSON *client = rlx_json_get(params, "clientInfo");
  const char *name = rlx_json_string(client, "name"), *version = rlx_json_string(client, "version");
  for (size_t i = 0; name && version && i < sizeof clients / sizeof *clients; i++) {
    char *end;
    const long major = strtol(version, &end, 10),
               minor = *end == '.' ? strtol(end + 1, NULL, 10) : 0;
    if (strcmp(name, clients[i].name) == 0)
      return major < clients[i].major || (major == clients[i].major && minor < clients[i].minor);
  }
  return false;
}

RlxRpcCode rlx_lsp_initialize(RlxServer *server, const cJSON *params, RlxJson *result) {
  const cJSON *capabilities = rlx_json_get(params, "capabilities");
  server->encoding = choose_encoding(capabilities);
  server->can_related = flag(capabilities, "textDocument.publishDiagnostics.relatedInformation");
  server->can_code_description =
      flag(capabilities, "textDocument.publishDiagnostics.codeDescriptionSupport");
  server->can_versions = flag(capabilities, "textDocument.publishDiagnostics.versionSupport");
  server->can_snippets =
      flag(capabilities, "textDocument.completion.completionItem.snippetSupport");
  const cJSON *item = rlx_json_get(
      rlx_json_get(rlx_json_get(capabilities, "textDocument"), "completion"), "completionItem");
  server->can_insert_replace = flag(item, "insertReplaceSupport");
  server->can_default_range =
      has_text(rlx_json_get(rlx_json_get(rlx_json_get(rlx_json_get(capabilities, "textDocument"),
                                                      "completion"),
                                         "completionList"),
                            "itemDefaults"),
               "editRange");
  server->can_label_details = flag(item, "labelDetailsSupport");
  server->can_commit = flag(item, "commitCharactersSupport");
  server->can_deprecated_items = rlx_json_get(item, "tagSupport") != NULL;
  server->can_tags =
      rlx_json_get(rlx_json_get(rlx_json_get(capabilities, "textDocument"), "publishDiagnostics"),
                   "tagSupport") != NULL;
  const cJSON *text = rlx_json_get(capabilities, "textDocument");
  server->can_markdown =
      has_text(rlx_json_get(rlx_json_get(text, "hover"), "contentFormat"), "markdown");
  server->shows_links_raw = shows_links_raw(params);
  server->can_markdown_items = has_text(rlx_json_get(item, "documentationFormat"), "markdown");
  // A client that pulls would show everything twice if it were pushed as well.
  server->pulls_diagnostics =
      rlx_json_get(rlx_json_get(capabilities, "textDocument"), "diagnostic") != NULL;
  server->can_refresh_diagnostics = flag(capabilities, "workspace.diagnostics.refreshSupport");
  server->can_refresh_hints = flag(capabilities, "workspace.inlayHint.refreshSupport");
  const cJSON *action = rlx_json_get(text, "codeAction");
  server->can_disabled = flag(action, "disabledSupport");
  server->can_resolve_edits = can_resolve(action, "edit");
  server->can_resolve_places = can_resolve(rlx_json_get(text, "inlayHint"), "label.location");
  server->can_resolve_commands = can_resolve(rlx_json_get(text, "inlayHint"), "label.command");
  server->can_label_offsets =
      flag(text, "signatureHelp.signatureInformation.parameterInformation.labelOffsetSupport");
  server->can_document_changes = flag(capabilities, "workspace.workspaceEdit.documentChanges");
  server->can_symbol_trees = flag(text, "documentSymbol.hierarchicalDocumentSymbolSupport");
  server->can_progress = flag(capabilities, "window.workDoneProgress");
  server->can_watch = flag(capabilities, "workspace.didChangeWatchedFiles.dynamicRegistration");
  server->can_configuration = flag(capabilities, "workspace.configuration");
  server->can_register_settings =
      flag(capabilities, "workspace.didChangeConfiguration.dynamicRegistration");
  server->explains_links = flag(params, "initializationOptions.explainLinks");
  find_pages(server);
  server->has_operator_page = rlx_operator_page_exists(server);
  rlx_server_configure(server, rlx_json_get(params, "initializationOptions"));
  rlx_index_begin(server, params);
  server->is_initialized = true;
  rlx_server_set_trace(server, rlx_json_string(params, "trace"));
  rlx_json_begin(result, '{');
  rlx_json_key(result, "capabilities");
  write_capabilities(server, result);
  rlx_json_key(result, "serverInfo");
  rlx_json_begin(result, '{');
  rlx_json_key_text(result, "name", "rlx");
  rlx_json_key_text(result, "version", RLX_VERSION);
  rlx_json_end(result, '}');
  rlx_json_end(result, '}');
  return RLX_RPC_OK;
}

RlxRpcCode rlx_lsp_initialized(RlxServer *server, const cJSON *params, RlxJson *result) {
  (void)params, (void)result;
  rlx_server_log(server, RLX_LOG_INFO, "rlx %s is ready", RLX_VERSION);
  static const char watch[] =
      "{\"registrations\":[{\"id\":\"rlx-configuration\",\"method\":\"workspace/"
      "didChangeWatchedFiles\","
      "\"registerOptions\":{\"watchers\":[{\"globPattern\":\"**/{rlx,pyproject}.toml\"},"
      "{\"globPattern\":\"**/*.{py,relax,tvmscript}\"}]}}]}";
  RlxBuf ask = {0};
  rlx_buf_puts(&ask, watch);
  if (server->can_watch) rlx_server_ask(server, "client/registerCapability", &ask);
  static const char settings[] =
      "{\"registrations\":[{\"id\":\"rlx-settings\",\"method\":\"workspace/"
      "didChangeConfiguration\",\"registerOptions\":{\"section\":\"rlx\"}}]}";
  rlx_buf_clear(&ask);
  rlx_buf_puts(&ask, settings);
  if (server->can_register_settings) rlx_server_ask(server, "client/registerCapability", &ask);
  rlx_buf_free(&ask);
  rlx_server_ask_settings(server);
  rlx_index_refresh(server);
  return RLX_RPC_OK;
}

RlxRpcCode rlx_lsp_shutdown(RlxServer *server, const cJSON *params, RlxJson *result) {
  (void)params, (void)result;
  rlx_server_stale_jobs(server, NULL);
  server->is_shut_down = true;
  return RLX_RPC_OK;
}

RlxRpcCode rlx_lsp_set_trace(RlxServer *server, const cJSON *params, RlxJson *result) {
  (void)result;
  rlx_server_set_trace(server, rlx_json_string(params, "value"));
  return RLX_RPC_OK;
}

/// The JSON text of an id or a token; NULL when it is none. The caller's, for cJSON_free.
static char *name_text(const cJSON *name) {
  return cJSON_IsString(name) || cJSON_IsNumber(name) ? cJSON_PrintUnformatted(name) : NULL;
}

/// Requests that wait in the queue are the reading thread's; here are those beside the loop.
RlxRpcCode rlx_lsp_cancel(RlxServer *server, const cJSON *params, RlxJson *result) {
  (void)result;
  char *id = name_text(rlx_json_get(params, "id"));
  if (id) rlx_server_cancel_job(server, id);
  cJSON_free(id);
  return RLX_RPC_OK;
}

RlxRpcCode rlx_lsp_cancel_progress(RlxServer *server, const cJSON *params, RlxJson *result) {
  (void)result;
  char *token = name_text(rlx_json_get(params, "token"));
  if (token) rlx_server_cancel_job_of_token(server, token);
  cJSON_free(token);
  return RLX_RPC_OK;
}

RlxRpcCode rlx_lsp_did_change_config(RlxServer *server, const cJSON *params, RlxJson *result) {
  (void)result;
  const cJSON *settings = rlx_json_get(params, "settings");
  if (cJSON_IsObject(settings) && settings->child) {
    rlx_server_configure(server, settings);
    server->has_asked_settings = false;
  } else {
    rlx_server_ask_settings(server); // it only says that they changed
  }
  return RLX_RPC_OK;
}

/// Documents that are open are the client's; only configuration files are read from the disk.
RlxRpcCode rlx_lsp_did_change_files(RlxServer *server, const cJSON *params, RlxJson *result) {
  (void)result;
  const cJSON *change;
  bool concerns = false, has_module = false;
  cJSON_ArrayForEach(change, rlx_json_get(params, "changes")) {
    const char *uri = rlx_json_string(change, "uri"), *slash = uri ? strrchr(uri, '/') : NULL;
    has_module |= slash && rlx_text_ends_in(slash, ".py");
    concerns |= slash && (!strcmp(slash, "/rlx.toml") || !strcmp(slash, "/pyproject.toml"));
  }
  if (concerns) rlx_server_reconfigure(server);
  rlx_index_stale(server);
  if (has_module) rlx_server_module_changed(server, NULL);
  return RLX_RPC_OK;
}

RlxRpcCode rlx_lsp_did_change_folders(RlxServer *server, const cJSON *params, RlxJson *result) {
  (void)result;
  rlx_index_change_folders(server, rlx_json_get(params, "event"));
  return RLX_RPC_OK;
}
