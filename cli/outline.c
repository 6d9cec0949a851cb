/// `rlx outline`: the modules and functions that any Python file holds, and how many syntax errors.
/// Always true: the JSON is one line, the last of standard output (spec 5).
#include <stdio.h>

#include "analyzer/words/islands.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/files.h"
#include "cli/source.h"
#include "server/session/script_json.h"

static const char *const kinds[] = {"relax", "prim_func", "macro", "pyfunc", "jit"};

static void name_and_range(RlxJson *json, const RlxDocument *doc, const RlxStmt *stmt) {
  rlx_json_key_text(json, "name", rlx_store_text(rlx_document_store(doc), stmt->name));
  rlx_json_key(json, "range");
  rlx_json_range(json, doc, rlx_span(stmt->start, stmt->start + stmt->size));
}

static void islands_json(RlxJson *json, const RlxDocument *doc, const RlxIslands *islands,
                         bool modules) {
  rlx_json_key(json, modules ? "modules" : "functions");
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < islands->count; i++) {
    const RlxIsland *island = &islands->at[i];
    if (island->is_module != modules) continue;
    rlx_json_begin(json, '{');
    if (!modules) {
      rlx_json_key_text(json, "kind", kinds[island->kind]);
      rlx_json_key_text(
          json, "module",
          island->module ? rlx_store_text(rlx_document_store(doc), island->module->name) : NULL);
    }
    name_and_range(json, doc, island->stmt);
    rlx_json_end(json, '}');
  }
  rlx_json_end(json, ']');
}

/// Problems that CPython's parser would find, too.
static uint32_t count_errors(const RlxDocument *doc) {
  RlxSyntaxProblems problems = {0};
  uint32_t count = 0;
  rlx_document_problems(doc, &problems);
  for (uint32_t i = 0; i < problems.count; i++) count += problems.at[i].is_late ? 0 : 1;
  rlx_vec_free(&problems);
  return count;
}

static void one_json(RlxJson *json, const char *path, const RlxDocument *doc,
                     const RlxIslands *islands) {
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "file", path);
  rlx_json_key_int(json, "syntax_errors", count_errors(doc));
  islands_json(json, doc, islands, true);
  islands_json(json, doc, islands, false);
  rlx_json_end(json, '}');
}

static void one_text(const char *path, const RlxDocument *doc, const RlxIslands *islands) {
  const RlxStore *store = rlx_document_store(doc);
  uint32_t errors = count_errors(doc);
  if (!islands->count && !errors) return;
  rlx_text_say(stdout, "%s", path);
  if (errors) printf("  %u syntax error%s\n", errors, errors == 1 ? "" : "s");
  for (uint32_t i = 0; i < islands->count; i++) {
    const RlxIsland *island = &islands->at[i];
    printf("  %s%s %s  (line %u)\n", island->module ? "  " : "",
           island->is_module ? "module" : kinds[island->kind],
           rlx_store_text(store, island->stmt->name), island->stmt->line + 1);
  }
}

/// One file, in a store of its own: names are not kept for the next.
static void one_file(const char *path, const RlxBuf *content, RlxJson *json) {
  RlxStore *store = rlx_store_new();
  RlxDocument *doc = rlx_document_new(store, NULL, NULL);
  RlxIslands islands = {0};
  rlx_document_set_text(doc, rlx_buf_text(content), (uint32_t)content->size);
  rlx_islands(doc, &islands);
  if (json)
    one_json(json, path, doc, &islands);
  else
    one_text(path, doc, &islands);
  rlx_vec_free(&islands);
  rlx_document_free(doc);
  rlx_store_free(store);
}

int rlx_cmd_outline(int argc, char **argv) {
  static const char *const formats[] = {"text", "json", NULL};
  int format = 0;
  RlxOption options[1 + RLX_SETTING_OPTIONS_MAX] = {
      rlx_option_choice("format", &format, NULL, formats, "how to print"),
  };
  RlxUsage usage = {"outline", "[PATH…]",
                    "Lists the TVMScript modules and functions of Python files.", options, 1};
  RlxFilesCommand c;
  if (!rlx_files_begin(&c, &usage, options, 0, argc, argv)) return c.code;
  RlxError err = {0};
  RlxBuf out = {0}, content = {0};
  RlxJson json = {.out = &out};
  if (format == 1) fputs("{\"rlx\": 1, \"files\": [", stdout);
  uint32_t files = 0;
  for (uint32_t i = 0; i < c.inputs.count; i++) {
    const RlxInput *input = &c.inputs.at[i];
    const bool is_read = rlx_source_read_input(input->path, input->is_explicit, &content, &err);
    if (!is_read) {
      rlx_text_say(stderr, "rlx outline: %s", err.text);
      c.code = RLX_EXIT_USAGE;
    }
    if (!input->is_explicit && !rlx_inputs_may_hold_script(rlx_buf_text(&content), content.size))
      continue;
    if (is_read && !rlx_source_say_encoding("outline", input->path, &content))
      c.code = RLX_EXIT_USAGE;
    json.needs_comma = files++ > 0;
    one_file(input->path, &content, format == 1 ? &json : NULL);
    fwrite(rlx_buf_text(&out), 1, out.size, stdout);
    rlx_buf_clear(&out);
  }
  if (format == 1) puts("]}");
  rlx_buf_free(&out);
  rlx_buf_free(&content);
  return rlx_files_end(&c);
}
