/// `rlx tir`: the blocks and loops of PrimFuncs with what the analysis says of them.
#include <stdio.h>
#include <string.h>

#include "analyzer/script/script.h"
#include "analyzer/tir/findings.h"
#include "analyzer/tir/loops.h"
#include "base/text.h"
#include "cli/color.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/files.h"
#include "cli/source.h"
#include "cli/tir.h"
#include "config/modules.h"

enum {
  QUESTION_WORK = 40000, // nobody waits for it between two keys (sets.h)
  FILE_WORK =
      800000, // for all PrimFuncs of a file: each may have its part of what those before it left
  DEPENDENCIES_MAX = 100000, // that are listed of a file
};
enum { FORMAT_TEXT, FORMAT_JSON, FORMAT_DOT };

typedef struct Tir {
  RlxAnalyzer *analyzer;
  const RlxConfig *config;
  RlxFile *file;
  int format;
  const char *function; ///< only this one, or NULL
  RlxTirTextStyle style;
  uint32_t count;        ///< functions written
  uint32_t work;         ///< what is left of FILE_WORK
  uint32_t dependencies; ///< what is left of DEPENDENCIES_MAX
  bool lists_all;        ///< of them
  RlxJson json;
} Tir;

static bool is_asked(const Tir *t, const RlxFunctionView *view) {
  const RlxStore *store = rlx_analyzer_store(t->analyzer);
  return view->kind == RLX_ISLAND_PRIM_FUNC &&
         (!t->function || strcmp(t->function, rlx_store_text(store, view->name)) == 0);
}

/// `share`: what questions about it may cost.
static void one_function(Tir *t, const RlxFunctionView *view, uint32_t share) {
  RlxStore *store = rlx_analyzer_store(t->analyzer);
  t->count++;
  RlxArena *arena = rlx_arena_new();
  RlxTirIssues issues = {0};
  RlxPrimFunc *f = rlx_file_primfunc(t->file, view->stmt, &issues);
  const RlxTirText text = {rlx_document_lines(rlx_file_document(t->file)), view->stmt->start,
                           false};
  RlxTirAnalysis *a = rlx_tir_analyze(store, f, arena, &text);
  *a->work = (RlxSetWork){.each = QUESTION_WORK, .left = share};
  RlxTirAccesses accesses = rlx_tir_accesses(a);
  RlxSink findings = {.arena = arena};
  if (f->has_holes) // nothing can be said for sure, but types are shown
    rlx_tir_infer_types(a, &accesses);
  else
    rlx_tir_findings_of(a, &accesses, view->stmt, RLX_TIR_THOROUGH, &findings);
  RlxTirScript script = {rlx_file_document(t->file), view->stmt->start, &accesses, &findings, {0}};
  if (t->style.has_moves && !f->has_holes)
    script.steps = rlx_tir_steps(a, &script, rlx_file_primfunc(t->file, view->stmt, NULL));
  if (t->format == FORMAT_JSON)
    rlx_tir_json(&t->json, a, &script, t->style);
  else if (t->format == FORMAT_DOT)
    rlx_tir_dot(t->json.out, a, t->style);
  else {
    rlx_tir_text(t->json.out, a, &script, t->style);
    for (uint32_t i = 0; i < issues.count; i++)
      rlx_buf_printf(t->json.out, "  not understood: %s\n",
                     rlx_text_shown(arena, issues.at[i].message));
  }
  t->work -= share - a->work->left;
  rlx_vec_free(&findings.diags);
  rlx_vec_free(&issues);
  rlx_primfunc_free(f);
  rlx_arena_free(arena);
}

static void one_file(Tir *t, const char *path, const RlxBuf *content) {
  t->file = rlx_file_open(t->analyzer, rlx_buf_text(content), (uint32_t)content->size);
  RlxProject project;
  rlx_project_attach(&project, t->file, path, NULL);
  if (t->format == FORMAT_JSON) {
    rlx_json_begin(&t->json, '{');
    rlx_json_key_text(&t->json, "file", path);
    rlx_json_key(&t->json, "functions");
    rlx_json_begin(&t->json, '[');
  }
  RlxFunctionViews views = {0};
  rlx_file_functions(t->file, &views);
  uint32_t left = 0;
  t->work = FILE_WORK;
  t->dependencies = t->lists_all ? UINT32_MAX : DEPENDENCIES_MAX;
  for (uint32_t i = 0; i < views.count; i++) left += is_asked(t, &views.at[i]);
  for (uint32_t i = 0; i < views.count; i++)
    if (is_asked(t, &views.at[i])) one_function(t, &views.at[i], t->work / left--);
  rlx_vec_free(&views);
  if (t->format == FORMAT_JSON) {
    rlx_json_end(&t->json, ']');
    rlx_json_end(&t->json, '}');
  }
  rlx_file_close(t->file);
  rlx_project_deinit(&project);
  if (t->json.out->size) fwrite(t->json.out->at, 1, t->json.out->size, stdout);
  rlx_buf_clear(t->json.out);
}

/// The analyzer for the next file: names of one batch are not kept for the next.
static void prepare(Tir *t, RlxFilesCommand *c, uint32_t i) {
  if (i % 256 == 0) {
    rlx_analyzer_free(t->analyzer);
    t->analyzer = rlx_analyzer_new(NULL);
  }
  const RlxConfig *config = rlx_configs_of(c->settings.configs, c->inputs.at[i].path, NULL);
  if (config == t->config && i % 256) return;
  RlxSettings chosen = rlx_config_settings(config);
  rlx_analyzer_configure(t->analyzer, &chosen);
  t->config = config;
}

int rlx_cmd_tir(int argc, char **argv) {
  static const char *const formats[] = {"text", "json", "dot", NULL};
  int format = FORMAT_TEXT, color = RLX_COLOR_AUTO;
  const char *function = NULL;
  bool verbose = false, moves = false, lists_all = false;
  RlxOption options[6 + RLX_SETTING_OPTIONS_MAX] = {
      rlx_option_choice("format", &format, "FORMAT", formats,
                        "how to print; dot: the dependencies as a graph"),
      rlx_option_text("function", &function, "NAME", "only the PrimFunc NAME"),
      rlx_option_flag("verbose", &verbose, "print regions and the verdicts that hold, too"),
      rlx_option_flag(
          "moves", &moves,
          "print which blocks may be computed at which loops, and which loops may be fused, "
          "reordered, factored, their inits decomposed, too"),
      rlx_option_flag("all-dependencies", &lists_all,
                      "list all dependencies between blocks, however many; else 100,000 of a file"),
      rlx_option_choice("color", &color, "WHEN", rlx_color_names, "colour the tree"),
  };
  RlxUsage usage = {"tir", "[PATH…]",
                    "Prints the loops and blocks of PrimFuncs, and what the analysis says of them.",
                    options, 6};
  RlxFilesCommand c;
  if (!rlx_files_begin(&c, &usage, options, RLX_SETTING_SCOPE_ANALYSIS, argc, argv)) return c.code;
  RlxError err = {0};
  RlxBuf out = {0}, content = {0};
  Tir t = {.format = format,
           .function = function,
           .style = {rlx_color_is_on((RlxColor)color, stdout), verbose, moves, stdout, NULL},
           .lists_all = lists_all,
           .json = {.out = &out}};
  t.style.dependencies_left = &t.dependencies;
  if (format == FORMAT_JSON) fputs("{\"rlx\": 1, \"files\": [", stdout);
  for (uint32_t i = 0; i < c.inputs.count; i++) {
    const RlxInput *input = &c.inputs.at[i];
    prepare(&t, &c, i);
    rlx_buf_clear(&content);
    const bool is_read = rlx_source_read_input(input->path, input->is_explicit, &content, &err);
    if (!is_read) {
      rlx_text_say(stderr, "rlx tir: %s", err.text);
      c.code = RLX_EXIT_USAGE;
    }
    if (!input->is_explicit && !rlx_inputs_may_hold_script(rlx_buf_text(&content), content.size)) {
      if (format != FORMAT_JSON) continue;
      rlx_buf_clear(&content);
    }
    if (is_read && !rlx_source_say_encoding("tir", input->path, &content)) c.code = RLX_EXIT_USAGE;
    if (format == FORMAT_TEXT && c.inputs.count > 1) rlx_text_say(stdout, "%s:", input->path);
    t.json.needs_comma = i > 0;
    one_file(&t, input->path, &content);
  }
  if (format == FORMAT_JSON) fputs("]}\n", stdout);
  if (function && !t.count && c.code == RLX_EXIT_OK)
    c.code = rlx_usage_error(&c.usage, "there is no PrimFunc '%s'", function);
  rlx_analyzer_free(t.analyzer);
  rlx_buf_free(&out);
  rlx_buf_free(&content);
  return rlx_files_end(&c);
}
