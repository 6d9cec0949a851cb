/// Execute command: finds the row, the document and the function that are meant.
#include <string.h>

#include "server/methods/commands.h"

typedef struct CommandRow {
  const char *name;
  RlxCommandFn *run;
} CommandRow;

static const CommandRow rows[] = {
#define RLX_COMMAND(id, name) {name, rlx_command_##id},
#include "server/methods/commands.def"
#undef RLX_COMMAND
};

void rlx_write_commands(RlxJson *json) {
  rlx_json_begin(json, '{');
  rlx_json_key_bool(json, "workDoneProgress", true);
  rlx_json_key(json, "commands");
  rlx_json_begin(json, '[');
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) rlx_json_text(json, rows[i].name);
  rlx_json_end(json, ']');
  rlx_json_end(json, '}');
}

static RlxRpcCode wrong(RlxServer *server, const char *what) {
  server->error = what;
  return RLX_RPC_INVALID_PARAMS;
}

static RlxRpcCode call(RlxServer *server, const CommandRow *row, RlxOpenFile *file,
                       const cJSON *argument, RlxBuf *text) {
  const RlxStore *store = rlx_analyzer_store(server->analyzer);
  const char *name = rlx_json_string(argument, "function");
  RlxFunctionViews views = {0};
  rlx_file_functions(file->file, &views);
  RlxCommandCall call = {.file = file, .functions = &views, .argument = argument};
  if (name) call.function = rlx_function_view(store, &views, name);
  RlxRpcCode code =
      name && !call.function
          ? wrong(server, "params.arguments[0].function names no function of the document")
          : row->run(server, &call, text);
  rlx_vec_free(&views);
  return code;
}

RlxRpcCode rlx_lsp_execute_command(RlxServer *server, const cJSON *params, RlxJson *result) {
  const char *command = rlx_json_string(params, "command");
  const cJSON *argument = cJSON_GetArrayItem(rlx_json_get(params, "arguments"), 0);
  const CommandRow *row = NULL;
  for (size_t i = 0; command && i < sizeof rows / sizeof *rows; i++) {
    if (!strcmp(rows[i].name, command)) row = &rows[i];
  }
  if (!row) return wrong(server, "params.command is no command of this server");
  RlxOpenFile *file = rlx_server_find(server, rlx_json_string(argument, "uri"));
  if (!file) return wrong(server, "params.arguments[0].uri names no open document");
  if (!rlx_file_analyze(file->file, rlx_transport_stale(server->transport)))
    return RLX_RPC_CONTENT_MODIFIED;
  RlxBuf text = {0};
  RlxRpcCode code = call(server, row, file, argument, &text);
  if (code == RLX_RPC_OK) rlx_write_text_answer(&text, result);
  rlx_buf_free(&text);
  return code;
}
