/// `rlx infer`: the StructInfo of every parameter, binding and result.
/// Always true: a file has its entry even when it holds no TVMScript or cannot be read as a script;
/// bindings come in evaluation order.
#include <stdio.h>
#include <stdlib.h>

#include "analyzer/ask/backward.h"
#include "base/file.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/files.h"
#include "cli/source.h"
#include "cli/why.h"
#include "config/modules.h"
#include "server/session/script_json.h"

enum { LONG_TEXTS = 16 << 20 }; // bytes of a file's long StructInfos; those behind them are cut

typedef struct Infer {
  RlxAnalyzer *analyzer;
  RlxStore *store;
  RlxFile *file;
  RlxDocument *document;
  RlxJson json;
  RlxBuf path;
  const RlxConfig *config; // of the file
  bool text;
  bool is_branch; ///< of an `if`
  int indent;
  const char *why; ///< --why NAME, or NULL
  uint32_t why_count;
  size_t long_bytes; ///< written of StructInfos that are longer than RLX_SINFO_TOLD_MAX
  bool backward;
  RlxBackwards required; ///< of the function that is printed
} Infer;

static void list_body(Infer *in, const RlxBody *body);

static const RlxBackward *backward_of(const Infer *in, const RlxVar *var) {
  for (uint32_t i = 0; i < in->required.count; i++)
    if (in->required.at[i].var == var) return &in->required.at[i];
  return NULL;
}

/// Appends a StructInfo, the first part of it where there were many long ones before.
static void put_sinfo(Infer *in, const RlxSInfo *sinfo) {
  RlxBuf *out = in->json.out;
  size_t before = out->size;
  if (in->long_bytes < LONG_TEXTS)
    rlx_sinfo_print(in->store, sinfo, out);
  else
    rlx_sinfo_tell(in->store, sinfo, out);
  if (out->size - before > RLX_SINFO_TOLD_MAX) in->long_bytes += out->size - before;
}

/// "  # must be …; may be …"
static void put_backward(Infer *in, const RlxBackward *required) {
  RlxBuf text = {0};
  if (required->must) {
    rlx_buf_puts(&text, "must be ");
    rlx_sinfo_print(in->store, required->must, &text);
  }
  if (required->may) {
    rlx_buf_puts(&text, text.size ? "; may be " : "may be ");
    rlx_sinfo_print(in->store, required->may, &text);
  }
  rlx_buf_printf(in->json.out, "  # %s", rlx_buf_text(&text));
  rlx_buf_free(&text);
}

static void backward_json(Infer *in, const RlxVar *var) {
  const RlxBackward *required = backward_of(in, var);
  if (required && required->must) {
    rlx_json_key(&in->json, "required");
    rlx_json_sinfo_text(&in->json, in->store, required->must);
  }
  if (required && required->may) {
    rlx_json_key(&in->json, "suggested");
    rlx_json_sinfo_text(&in->json, in->store, required->may);
  }
}

static void one_text(Infer *in, const RlxBinding *binding) {
  rlx_buf_printf(in->json.out, "%*s%s: ", in->indent, "",
                 rlx_store_text(in->store, binding->var->name));
  put_sinfo(in, binding->var->sinfo);
  if (binding->deduced && binding->deduced != binding->var->sinfo &&
      binding->kind == RLX_BINDING_VAR) {
    rlx_buf_puts(in->json.out, "  # deduced: ");
    put_sinfo(in, binding->deduced);
  }
  const RlxBackward *required = backward_of(in, binding->var);
  if (required) put_backward(in, required);
  rlx_buf_putc(in->json.out, '\n');
}

/// The type of a StructInfo, which is what is left of it without values, and the variables that the
/// values depend on.
static void type_json(Infer *in, const char *type_key, const char *depends_key,
                      const RlxSInfo *sinfo) {
  RlxJson *json = &in->json;
  rlx_json_key(json, type_key);
  rlx_json_sinfo_text(json, in->store, sinfo ? rlx_sinfo_erase_to_static(in->store, sinfo) : NULL);
  rlx_json_key(json, depends_key);
  rlx_json_begin(json, '[');
  enum { VARS_MOST = 64 };
  const RlxSymVar *vars[VARS_MOST];
  int count = 0;
  if (sinfo && sinfo->kind != RLX_SINFO_FUNC) // whose variables are its own
    rlx_sinfo_vars(sinfo, vars, &count, VARS_MOST);
  for (int i = 0; i < count; i++) rlx_json_text(json, rlx_store_text(in->store, vars[i]->name));
  rlx_json_end(json, ']');
}

static void one_json(Infer *in, const RlxBinding *binding) {
  RlxJson *json = &in->json;
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "path", rlx_buf_text(&in->path));
  rlx_json_key_text(json, "name", rlx_store_text(in->store, binding->var->name));
  rlx_json_key_text(json, "kind",
                    binding->kind == RLX_BINDING_MATCH_CAST ? "MatchCast" : "VarBinding");
  rlx_json_key_bool(json, "dataflow", binding->is_dataflow);
  rlx_json_key(json, "struct_info");
  rlx_json_sinfo_text(json, in->store, binding->var->sinfo);
  rlx_json_key(json, "sinfo");
  rlx_json_sinfo(json, in->store, binding->var->sinfo);
  type_json(in, "type", "depends_on", binding->var->sinfo);
  rlx_json_key(json, "deduced");
  rlx_json_sinfo_text(json, in->store, binding->deduced);
  rlx_json_key(json, "deduced_sinfo");
  rlx_json_sinfo(json, in->store, binding->deduced);
  backward_json(in, binding->var);
  rlx_json_key(json, "range");
  rlx_json_range(json, in->document, rlx_stmt_absolute(binding->stmt, binding->span));
  rlx_json_end(json, '}');
}

static void nested(Infer *in, const RlxBody *body, const char *step) {
  size_t size = in->path.size;
  rlx_buf_puts(&in->path, step);
  in->indent += 2;
  bool before = in->is_branch;
  in->is_branch = strcmp(step, ".func.body") != 0;
  list_body(in, body);
  in->is_branch = before;
  in->indent -= 2;
  rlx_buf_truncate(&in->path, size);
}

/// Whether a branch's last binding has none in normal form: a leaf, or a tuple of leaves, is the
/// branch's value itself.
static bool is_branch_value(const RlxBinding *binding) {
  return binding->kind == RLX_BINDING_VAR && binding->value->kind != RLX_EXPR_HOLE &&
         rlx_expr_is_leaf(binding->value);
}

static void list_body(Infer *in, const RlxBody *body) {
  size_t size = in->path.size;
  for (uint32_t i = 0; i < body->block_count; i++) {
    for (uint32_t k = 0; k < body->blocks[i].count; k++) {
      const RlxBinding *binding = body->blocks[i].bindings[k];
      bool is_last = in->is_branch && i + 1 == body->block_count && k + 1 == body->blocks[i].count;
      if (!in->text && is_last && is_branch_value(binding)) continue;
      rlx_buf_printf(&in->path, ".blocks[%u].bindings[%u]", i, k);
      if (in->text)
        one_text(in, binding);
      else
        one_json(in, binding);
      if (binding->value->kind == RLX_EXPR_IF) {
        nested(in, &binding->value->branches[0], ".then");
        nested(in, &binding->value->branches[1], ".else");
      } else if (binding->value->kind == RLX_EXPR_FUNCTION)
        nested(in, &binding->value->function->body, ".func.body");
      rlx_buf_truncate(&in->path, size);
    }
  }
}

static void function_json(Infer *in, const RlxFunction *fn) {
  RlxJson *json = &in->json;
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "name", rlx_store_text(in->store, fn->name));
  rlx_json_key_text(json, "kind", "relax");
  rlx_json_key_bool(json, "private", fn->is_private);
  rlx_json_key_bool(json, "pure", fn->is_pure);
  rlx_json_key(json, "params");
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < fn->param_count; i++) {
    rlx_json_begin(json, '{');
    rlx_json_key_text(json, "name", rlx_store_text(in->store, fn->params[i]->name));
    rlx_json_key(json, "struct_info");
    rlx_json_sinfo_text(json, in->store, fn->params[i]->sinfo);
    rlx_json_key(json, "sinfo");
    rlx_json_sinfo(json, in->store, fn->params[i]->sinfo);
    type_json(in, "type", "depends_on", fn->params[i]->sinfo);
    backward_json(in, fn->params[i]);
    rlx_json_end(json, '}');
  }
  rlx_json_end(json, ']');
  rlx_json_key(json, "ret");
  rlx_json_sinfo_text(json, in->store, fn->ret);
  rlx_json_key(json, "ret_sinfo");
  rlx_json_sinfo(json, in->store, fn->ret);
  type_json(in, "ret_type", "ret_depends_on", fn->ret);
  rlx_json_key(json, "bindings");
  rlx_json_begin(json, '[');
  rlx_buf_clear(&in->path);
  rlx_buf_puts(&in->path, "body");
  list_body(in, &fn->body);
  rlx_json_end(json, ']');
  rlx_json_end(json, '}');
}

static void function_text(Infer *in, const RlxFunction *fn) {
  RlxBuf *out = in->json.out;
  rlx_buf_printf(out, "%*s%s(", in->indent, "", rlx_store_text(in->store, fn->name));
  for (uint32_t i = 0; i < fn->param_count; i++) {
    rlx_buf_printf(out, "%s%s: ", i ? ", " : "", rlx_store_text(in->store, fn->params[i]->name));
    rlx_sinfo_print(in->store, fn->params[i]->sinfo, out);
  }
  rlx_buf_puts(out, ") -> ");
  if (fn->ret) rlx_sinfo_print(in->store, fn->ret, out);
  rlx_buf_putc(out, '\n');
  in->indent += 2;
  for (uint32_t i = 0; i < fn->param_count; i++) {
    const RlxBackward *required = backward_of(in, fn->params[i]);
    if (!required) continue;
    rlx_buf_printf(out, "%*sparameter %s", in->indent, "",
                   rlx_store_text(in->store, fn->params[i]->name));
    put_backward(in, required);
    rlx_buf_putc(out, '\n');
  }
  list_body(in, &fn->body);
  in->indent -= 2;
}

static void one_function(Infer *in, const RlxFunctionView *view) {
  if (view->kind != RLX_ISLAND_RELAX) return;
  RlxArena *arena = rlx_arena_new();
  const RlxFunction *fn = rlx_file_function_ir(in->file, view->stmt, arena);
  rlx_vec_clear(&in->required);
  if (in->backward) rlx_file_backward(in->file, view->stmt, &in->required);
  if (fn && in->text)
    function_text(in, fn);
  else if (fn)
    function_json(in, fn);
  rlx_arena_free(arena);
}

/// Functions grouped by module, in source order.
static void modules(Infer *in) {
  RlxFunctionViews views = {0};
  rlx_file_functions(in->file, &views);
  for (uint32_t i = 0; i < views.count;) {
    const RlxStmt *module = views.at[i].module_stmt;
    if (in->text) {
      if (module)
        rlx_buf_printf(in->json.out, "%s\n", rlx_store_text(in->store, views.at[i].module));
      in->indent = module ? 2 : 0;
    } else {
      rlx_json_begin(&in->json, '{');
      rlx_json_key(&in->json, "name");
      if (module)
        rlx_json_text(&in->json, rlx_store_text(in->store, views.at[i].module));
      else
        rlx_json_null(&in->json);
      rlx_json_key(&in->json, "functions");
      rlx_json_begin(&in->json, '[');
    }
    for (; i < views.count && views.at[i].module_stmt == module; i++)
      one_function(in, &views.at[i]);
    if (!in->text) {
      rlx_json_end(&in->json, ']');
      rlx_json_end(&in->json, '}');
    }
  }
  rlx_vec_free(&views);
}

static void one_file(Infer *in, const char *path, const RlxBuf *content) {
  in->file = rlx_file_open(in->analyzer, rlx_buf_text(content), (uint32_t)content->size);
  RlxProject project;
  rlx_project_attach(&project, in->file, path, in->config ? in->config->folder : NULL);
  in->document = rlx_file_document(in->file);
  in->long_bytes = 0;
  if (in->text) {
    if (in->why)
      in->why_count += rlx_why_write(in->file, in->store, in->why, true, &in->json);
    else
      modules(in);
  } else {
    rlx_json_begin(&in->json, '{');
    rlx_json_key_text(&in->json, "file", path);
    rlx_json_key(&in->json, in->why ? "why" : "modules");
    rlx_json_begin(&in->json, '[');
    if (in->why)
      in->why_count += rlx_why_write(in->file, in->store, in->why, false, &in->json);
    else
      modules(in);
    rlx_json_end(&in->json, ']');
    rlx_json_end(&in->json, '}');
  }
  rlx_file_close(in->file);
  rlx_project_deinit(&project);
  if (in->json.out->size) fwrite(in->json.out->at, 1, in->json.out->size, stdout);
  rlx_buf_clear(in->json.out);
}

int rlx_cmd_infer(int argc, char **argv) {
  static const char *const formats[] = {"text", "json", NULL};
  int format = 0;
  const char *why = NULL;
  bool backward = false;
  RlxOption options[3 + RLX_SETTING_OPTIONS_MAX] = {
      rlx_option_choice("format", &format, "FORMAT", formats, "how to print"),
      rlx_option_flag("backward", &backward, "say what later uses require of values, too"),
      rlx_option_text("why", &why, "NAME", "say why NAME (lv, main.lv, main) has its StructInfo"),
  };
  RlxUsage usage = {"infer", "[PATH…]",
                    "Prints the deduced StructInfo of every parameter, binding and result.",
                    options, 3};
  RlxFilesCommand c;
  if (!rlx_files_begin(&c, &usage, options, RLX_SETTING_SCOPE_ANALYSIS, argc, argv)) return c.code;
  RlxError err = {0};
  RlxBuf out = {0}, content = {0};
  Infer in = {.json = {.out = &out}, .text = format == 0, .why = why, .backward = backward};
  if (!in.text) fputs("{\"rlx\": 1, \"files\": [", stdout);
  for (uint32_t i = 0; i < c.inputs.count; i++) {
    const RlxInput *input = &c.inputs.at[i];
    if (i % 256 == 0) { // names of one batch are not kept for the next
      rlx_analyzer_free(in.analyzer);
      in.analyzer = rlx_analyzer_new(NULL);
      in.store = rlx_analyzer_store(in.analyzer);
    }
    const RlxConfig *config = rlx_configs_of(c.settings.configs, input->path, NULL);
    if (config != in.config || i % 256 == 0) {
      RlxSettings chosen = rlx_config_settings(config);
      rlx_analyzer_configure(in.analyzer, &chosen);
      in.config = config;
    }
    rlx_buf_clear(&content);
    const bool is_read = rlx_source_read_input(input->path, input->is_explicit, &content, &err);
    if (!is_read) {
      rlx_text_say(stderr, "rlx infer: %s", err.text);
      c.code = RLX_EXIT_USAGE;
    }
    if (!input->is_explicit && !rlx_inputs_may_hold_script(rlx_buf_text(&content), content.size)) {
      if (in.text) continue;
      rlx_buf_clear(&content);
    }
    if (is_read && !rlx_source_say_encoding("infer", input->path, &content))
      c.code = RLX_EXIT_USAGE;
    if (in.text && c.inputs.count > 1) rlx_text_say(stdout, "%s:", input->path);
    in.json.needs_comma = i > 0;
    one_file(&in, input->path, &content);
  }
  if (!in.text) fputs("]}\n", stdout);
  if (why && !in.why_count && c.code == RLX_EXIT_OK)
    c.code = rlx_usage_error(&c.usage, "there is no variable or function '%s'", why);
  rlx_analyzer_free(in.analyzer);
  rlx_buf_free(&in.path);
  rlx_vec_free(&in.required);
  rlx_buf_free(&out);
  rlx_buf_free(&content);
  return rlx_files_end(&c);
}
