/// Questions: :help, :sinfo, :prove, :simplify, :funcs.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/words/prim_read.h"
#include "base/mem.h"
#include "base/text.h"
#include "jit/runtime/format.h"
#include "repl/commands.h"
#include "repl/session.h"
#include "repl/values.h"

static void put_command(const RlxReplCommandRow *row, RlxBuf *out) {
  RlxBuf head = {0};
  rlx_buf_printf(&head, "  :%-8s %s", row->name, row->argument);
  rlx_repl_put_item(rlx_buf_text(&head), 31, row->help, out);
  rlx_buf_free(&head);
}

bool rlx_repl_help(RlxRepl *repl, const char *text) {
  const char *name = text + (*text == ':');
  const RlxReplCommandId id = rlx_repl_command_named(name, strlen(name));
  if (*name && id == RLX_REPL_COMMAND_COUNT) return rlx_repl_refuse_command(name);
  RlxBuf out = {0};
  if (*name)
    put_command(&rlx_repl_commands[id], &out);
  else {
    rlx_buf_puts(&out,
                 "Enter functions and modules, `name = expression`, or an expression. Commands:\n");
    for (int i = 0; i < RLX_REPL_COMMAND_COUNT; i++) put_command(&rlx_repl_commands[i], &out);
  }
  rlx_repl_print_paged(repl, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return true;
}

static void put_signature(RlxRepl *repl, const RlxFunctionView *view, RlxBuf *out) {
  const RlxSInfo *sinfo = view->function ? view->function->sinfo : view->declared;
  if (sinfo) rlx_sinfo_print(repl->store, sinfo, out);
}

/// The StructInfo of each function of a module.
static bool module_sinfo(RlxRepl *repl, const RlxStmt *module) {
  RlxFunctionViews views = {0};
  rlx_file_functions(repl->file, &views);
  for (uint32_t i = 0; i < views.count; i++) {
    if (views.at[i].module_stmt != module) continue;
    RlxBuf out = {0};
    put_signature(repl, &views.at[i], &out);
    if (out.size)
      printf("%s: %s\n", rlx_store_text(repl->store, views.at[i].name), rlx_buf_text(&out));
    rlx_buf_free(&out);
  }
  rlx_vec_free(&views);
  return true;
}

bool rlx_repl_sinfo(RlxRepl *repl, const char *text) {
  RlxReplArgs args = {0};
  const RlxStmt *module = rlx_repl_module(repl, text);
  if (module) return module_sinfo(repl, module);
  RlxName name;
  const RlxReplVar *var = rlx_repl_find(repl, text, strlen(text));
  if (var) {
    RlxBuf out = {0};
    rlx_object_print_sinfo(var->value, &out);
    printf("%s\n", rlx_buf_text(&out));
    rlx_buf_free(&out);
    return true;
  }
  RlxProgram *program = rlx_repl_program(repl, text, &name, &args);
  RlxFunctionViews views = {0};
  if (program) rlx_file_functions(repl->file, &views);
  const RlxFunctionView *view =
      program ? rlx_function_view(repl->store, &views, rlx_store_text(repl->store, name)) : NULL;
  RlxBuf out = {0};
  if (view && !repl->entry_at)
    put_signature(repl, view, &out);
  else if (view && view->function && view->function->ret)
    rlx_sinfo_print(repl->store, view->function->ret, &out);
  if (out.size) printf("%s\n", rlx_buf_text(&out));
  rlx_buf_free(&out);
  rlx_vec_free(&views);
  rlx_vec_free(&args);
  bool ok = program != NULL;
  rlx_program_free(program);
  return ok;
}

// ---- the prover

/// Names are dimensions, so at least 0.
static const RlxPrim *resolve(RlxStore *store, RlxName name, void *data) {
  (void)data;
  const RlxPrim *var = rlx_prim_var(store, rlx_symvar(store, 1, name, RLX_INT64, false));
  rlx_prim_mark_dimension(store, var);
  return var;
}

static const RlxPrim *read_prim(RlxRepl *repl, const char *text, size_t size) {
  RlxError err = {0};
  while (size && isspace((unsigned char)*text)) text++, size--;
  while (size && isspace((unsigned char)text[size - 1])) size--;
  char *copy = rlx_mem_strndup(text, size);
  const RlxPrim *p = rlx_prim_read(repl->store, copy, resolve, NULL, &err);
  if (!p) rlx_text_say(stdout, "error: cannot read '%.200s': %s", copy, err.text);
  free(copy);
  return p;
}

/// Where the word `given` or a comma ends a part of `EXPR given COND, COND`, brackets respected.
static size_t part_size(const char *text, bool is_goal) {
  int depth = 0;
  for (size_t i = 0; text[i]; i++) {
    if (strchr("([{", text[i])) depth++;
    if (strchr(")]}", text[i])) depth--;
    if (depth) continue;
    if (is_goal && !strncmp(text + i, " given ", 7)) return i;
    if (!is_goal && text[i] == ',') return i;
  }
  return strlen(text);
}

bool rlx_repl_prove(RlxRepl *repl, const char *text) {
  enum { GIVENS_MAX = 32 };
  RlxFacts facts[GIVENS_MAX];
  int count = 0;
  size_t size = part_size(text, true);
  const RlxPrim *goal = read_prim(repl, text, size);
  if (!goal) return false;
  const char *at = text + size;
  if (*at) at += 7;
  while (*at) {
    size_t n = part_size(at, false);
    const RlxPrim *given = read_prim(repl, at, n);
    if (!given) return false;
    if (!rlx_dtype_is_bool(given->dtype) || count == GIVENS_MAX)
      return rlx_text_say(stdout, "error: '%.*s' is not a condition", (int)n, at), false;
    facts[count] = (RlxFacts){count ? &facts[count - 1] : NULL, given, NULL};
    count++;
    at += n + (at[n] == ',');
  }
  if (!rlx_dtype_is_bool(goal->dtype))
    return printf("error: this is no condition; :simplify takes expressions\n"), false;
  RlxBuf reason = {0};
  RlxProof answer = rlx_prove_explain(repl->store, count ? &facts[count - 1] : NULL, goal, &reason);
  printf("%s\n", answer == RLX_YES ? "yes" : answer == RLX_NO ? "no" : "unknown");
  for (const char *line = rlx_buf_text(&reason); *line;) {
    size_t n = strcspn(line, "\n");
    printf("  %.*s\n", (int)n, line);
    line += n + (line[n] == '\n');
  }
  rlx_buf_free(&reason);
  return true;
}

bool rlx_repl_simplify(RlxRepl *repl, const char *text) {
  const RlxPrim *p = read_prim(repl, text, strlen(text));
  if (!p) return false;
  RlxBuf out = {0};
  int64_t min, max;
  rlx_prim_print(repl->store, rlx_prim_simplify(repl->store, p), &out);
  rlx_prim_bounds(repl->store, NULL, p, &min, &max);
  printf("%s\n", rlx_buf_text(&out));
  if (!rlx_dtype_is_bool(p->dtype) && min != INT64_MIN &&
      !rlx_prim_is_const(rlx_prim_simplify(repl->store, p), &max))
    printf("# at least %lld\n", (long long)min);
  rlx_buf_free(&out);
  return true;
}

// ---- functions

RlxReplDef *rlx_repl_def_with(RlxRepl *repl, const char *name, size_t size) {
  RlxReplDef *def = rlx_repl_find_def(repl, name, size);
  if (!def)
    def = rlx_repl_find_def(repl, name, strcspn(name, ".") < size ? strcspn(name, ".") : size);
  if (def) return def;
  RlxFunctionViews views = {0};
  char *function = rlx_mem_strndup(name, size);
  rlx_repl_analyze(repl);
  rlx_file_functions(repl->file, &views);
  const RlxFunctionView *view = rlx_function_view(repl->store, &views, function);
  if (view) def = rlx_repl_def_at(repl, view->stmt->start, NULL);
  rlx_vec_free(&views);
  free(function);
  return def;
}

bool rlx_repl_funcs(RlxRepl *repl, const char *text) {
  (void)text;
  RlxFunctionViews views = {0};
  rlx_repl_analyze(repl);
  rlx_file_functions(repl->file, &views);
  for (uint32_t i = 0; i < views.count; i++) {
    const RlxFunctionView *view = &views.at[i];
    RlxBuf out = {0};
    if (view->module) rlx_buf_printf(&out, "%s.", rlx_store_text(repl->store, view->module));
    rlx_buf_puts(&out, rlx_store_text(repl->store, view->name));
    const RlxFunction *fn = view->function;
    if (view->kind != RLX_ISLAND_RELAX || !fn)
      rlx_buf_puts(&out, view->kind == RLX_ISLAND_PRIM_FUNC ? "  # PrimFunc" : "");
    else {
      rlx_buf_putc(&out, '(');
      for (uint32_t k = 0; k < fn->param_count; k++) {
        rlx_buf_printf(&out, "%s%s: ", k ? ", " : "",
                       rlx_store_text(repl->store, fn->params[k]->name));
        rlx_sinfo_print(repl->store, fn->params[k]->sinfo, &out);
      }
      rlx_buf_puts(&out, ") -> ");
      if (fn->ret) rlx_sinfo_print(repl->store, fn->ret, &out);
    }
    const RlxReplDef *def = rlx_repl_def_at(repl, view->stmt->start, NULL);
    printf("%s%s\n", rlx_buf_text(&out), def && def->is_broken ? "  # stale" : "");
    rlx_buf_free(&out);
  }
  rlx_vec_free(&views);
  return true;
}

bool rlx_repl_each_relax(RlxRepl *repl, const char *text, RlxReplWrite *write, void *data,
                         RlxBuf *out) {
  RlxReplArgs args = {0};
  RlxName name;
  RlxProgram *program = rlx_repl_program(repl, text, &name, &args);
  RlxFunctionViews views = {0};
  if (program) rlx_file_functions(repl->file, &views);
  const RlxFunctionView *view =
      program ? rlx_function_view(repl->store, &views, rlx_store_text(repl->store, name)) : NULL;
  const bool any = view && view->kind == RLX_ISLAND_RELAX;
  RlxArena *arena = rlx_arena_new();
  if (any) write(repl, view->stmt, rlx_file_function_ir(repl->file, view->stmt, arena), out, data);
  rlx_arena_free(arena);
  if (program && !any)
    rlx_text_say(stdout, "error: %s is a PrimFunc and has no bindings; `:ir %s` shows its loops",
                 text, text);
  rlx_vec_free(&views);
  rlx_vec_free(&args);
  rlx_program_free(program);
  return any;
}
