/// The REPL's :commands.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/ask/why.h"
#include "analyzer/ops/explain.h"
#include "analyzer/ops/op_table.h"
#include "analyzer/schedule/schedule.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "jit/runtime/format.h"
#include "repl/commands.h"
#include "repl/data.h"
#include "repl/look.h"
#include "repl/sched.h"
#include "repl/session.h"
#include "repl/values.h"

typedef bool CommandFn(RlxRepl *repl, const char *text);

static CommandFn *const handlers[] = {
#define RLX_REPL(name, argument, help) rlx_repl_##name,
#include "repl/commands.def"
#undef RLX_REPL
};

bool rlx_repl_quit(RlxRepl *repl, const char *text) {
  (void)text;
  if (repl->on_value) {
    printf("error: a notebook's session ends with its kernel, which the notebook shuts down\n");
    return false;
  }
  repl->quit = true;
  return true;
}

bool rlx_repl_vars(RlxRepl *repl, const char *text) {
  (void)text;
  uint32_t i = 0;
  for (const RlxReplVar *var; (var = rlx_repl_next_var(repl, &i));) {
    RlxBuf out = {0};
    rlx_object_print_sinfo(var->value, &out);
    printf("%s: %s\n", var->name, rlx_buf_text(&out));
    rlx_buf_free(&out);
  }
  return true;
}

bool rlx_repl_edit(RlxRepl *repl, const char *text) {
  RlxBuf source = {0};
  const RlxReplDef *def = rlx_repl_def_with(repl, text, strlen(text));
  char *name = rlx_mem_strdup(def ? def->name : text);
  bool ok = rlx_repl_edit_text(repl, name, &source);
  if (ok && source.size) {
    repl->tells_changes = true;
    ok = rlx_repl_enter(repl, rlx_buf_text(&source));
    repl->tells_changes = false;
    if (ok)
      rlx_repl_drop_draft(repl);
    else
      rlx_text_say(stdout, "# :edit %s goes on with what was saved", name);
  }
  free(name);
  rlx_buf_free(&source);
  return ok;
}

bool rlx_repl_save(RlxRepl *repl, const char *text) {
  bool is_saved;
  if (!rlx_repl_may_act(repl, ":save")) return false;
  if (rlx_repl_save_data(repl, text, &is_saved)) return is_saved;
  if (strpbrk(text, " \t"))
    return printf("error: a script holds the definitions; values are written into FILE.npz or, one "
                  "tensor, FILE.npy\n"),
           false;
  RlxBuf out = {0};
  rlx_buf_puts(&out, "from tvm.script import ir as I, relax as R, tir as T\n");
  uint32_t i = 0;
  for (RlxReplDef *def; (def = rlx_repl_next_def(repl, &i));)
    if (rlx_repl_is_saved(repl, def)) rlx_buf_printf(&out, "\n\n%s\n", def->text);
  RlxError err;
  bool ok = rlx_file_write(text, rlx_buf_text(&out), out.size, &err);
  if (!ok) rlx_text_say(stdout, "error: %s", err.text);
  rlx_buf_free(&out);
  return ok;
}

/// Why an expression or function has its StructInfo; else the page of an operator or a diagnostic.
bool rlx_repl_explain(RlxRepl *repl, const char *text) {
  RlxBuf out = {0};
  const size_t size = strlen(text);
  const bool is_own = // what the user defined hides the operator of that name
      rlx_repl_find_def(repl, text, size) || rlx_repl_find(repl, text, size);
  bool ok = !is_own && rlx_explain_word(text, RLX_PAGE_TEXT, &out);
  const RlxPrimitive *primitive =
      is_own || ok ? NULL : rlx_primitive_find(strncmp(text, "sch.", 4) != 0 ? text : text + 4);
  if (primitive) rlx_primitive_page(primitive, &out), ok = true;
  RlxReplArgs args = {0};
  RlxName name = 0;
  RlxProgram *program = ok ? NULL : rlx_repl_program(repl, text, &name, &args);
  RlxArena *arena = rlx_arena_new();
  RlxFunctionViews views = {0};
  RlxWhySteps steps = {0};
  const RlxWhyLimits limits = {.levels = 3, .steps = 64};
  if (program) rlx_file_functions(repl->file, &views);
  const RlxFunctionView *view =
      program ? rlx_function_view(repl->store, &views, rlx_store_text(repl->store, name)) : NULL;
  if (view && view->kind == RLX_ISLAND_RELAX)
    rlx_file_why_result(repl->file, view->stmt, limits, arena, &steps);
  if (repl->entry_at &&
      steps.count >
          1) { // the entry is one binding that is returned: what it is, without the wrapping
    steps.at[1].name = text;
    steps.at[1].role = NULL;
    for (uint32_t i = 0; i + 1 < steps.count; i++)
      steps.at[i] = steps.at[i + 1], steps.at[i].depth--;
    steps.count--;
  }
  for (uint32_t i = 0; i < steps.count; i++) {
    RlxWhyStep *step = &steps.at[i];
    step->has_place = false; // places in a text that nobody sees
    if (!repl->entry_at || step->kind != RLX_WHY_PARAMETER) continue;
    RlxBuf variable = {0}; // of the session: what an entry is called with
    const bool is_made = rlx_repl_names_made(repl, step->name, strlen(step->name));
    rlx_buf_printf(&variable, is_made ? "%s" : "variable %s", step->name);
    step->name = rlx_arena_strndup(arena, rlx_buf_text(&variable), variable.size);
    step->kind = RLX_WHY_VALUE;
    rlx_buf_free(&variable);
  }
  if (program && !steps.count) ok = rlx_repl_sinfo(repl, text); // a PrimFunc: what its head says
  rlx_why_print_steps(repl->file, &steps, &out);
  RlxBuf typed = {0};
  rlx_repl_put_typed(repl, rlx_buf_text(&out), out.size, &typed);
  printf("%s", rlx_buf_text(&typed));
  rlx_buf_free(&typed);
  ok |= program != NULL;
  rlx_vec_free(&steps);
  rlx_vec_free(&views);
  rlx_arena_free(arena);
  rlx_buf_free(&out);
  rlx_vec_free(&args);
  rlx_program_free(program);
  return ok;
}

bool rlx_repl_time(RlxRepl *repl, const char *text) {
  RlxReplArgs args = {0};
  RlxName name;
  RlxRunError err = {0};
  double before = rlx_jit_compile_ms(repl->jit), cpu_before = rlx_jit_compile_cpu_ms(repl->jit);
  RlxProgram *program = rlx_repl_program(repl, text, &name, &args);
  bool ok = program && rlx_program_prepare(program, name, &err);
  if (program && !ok) rlx_repl_print_failure(&err.error);
  RlxWorkerResult result = {0};
  for (int repeat = 1; ok && repeat <= 1000; repeat *= 10) {
    RlxWorkerOptions options = rlx_repl_worker_options(repl, repeat);
    rlx_worker_call(repl->jit, program, name, args.at, (int)args.count, &options, &result);
    rlx_object_unref(result.value);
    ok = result.outcome == RLX_OUTCOME_DONE;
    if (!ok)
      rlx_repl_print_failure(&result.error.error);
    else if (result.run_us_min * repeat > 2e5)
      break;
  }
  if (ok)
    printf("compiled in %.1f ms (CPU %.1f ms), runs in %.2f us (median %.2f us)\n",
           rlx_jit_compile_ms(repl->jit) - before + result.compile_ms,
           rlx_jit_compile_cpu_ms(repl->jit) - cpu_before + result.compile_cpu_ms,
           result.run_us_min, result.run_us_median);
  rlx_vec_free(&args);
  rlx_program_free(program);
  return ok;
}

/// The argument of a command that takes a file first, as a shell would hand it over: without the quotes around the
/// file's name, and with the folder that "~" is.
static char *with_path(const char *argument) {
  const char quote = *argument == '"' || *argument == '\'' ? *argument : 0,
             *end = quote ? strchr(argument + 1, quote) : NULL;
  RlxBuf out = {0};
  if (end) rlx_buf_putn(&out, argument + 1, (size_t)(end - argument - 1));
  rlx_buf_puts(&out, end ? end + 1 : argument);
  char *path = rlx_file_from_home(rlx_buf_text(&out));
  rlx_buf_free(&out);
  return path;
}

/// Whether `argument` begins with a word like an option that the command does not have; what stands behind it tells that no
/// expression (`--a`) is meant. Then it is said.
static bool has_odd_option(const RlxReplCommandRow *row, const char *argument) {
  size_t size = 2, n;
  if (strncmp(argument, "--", 2) != 0 || !islower((unsigned char)argument[2])) return false;
  while (rlx_text_in_name(argument[size]) || argument[size] == '-') size++;
  const char *behind = argument + size + strspn(argument + size, " \t"), *at = row->argument;
  const size_t next = strcspn(behind, " \t(");
  while (!*behind) { // an option alone?
    const char *option = rlx_repl_next_option(&at, &n);
    if (!option) return false;
    if (n != size || strncmp(option, argument, n) != 0) continue;
    rlx_text_say(stdout, "error: :%s takes %s", row->name, row->argument);
    return true;
  }
  char *word = rlx_mem_strndup(behind, next);
  const bool is_expression = behind == argument + size ||
                             (!rlx_text_in_name(*behind) && *behind != '(' && *behind != '[') ||
                             rlx_text_is_among(word, "if else in is and or not");
  free(word);
  if (is_expression) return false;
  RlxBuf options = {0};
  for (const char *option; (option = rlx_repl_next_option(&at, &n));) {
    if (n == size && !strncmp(option, argument, n)) return rlx_buf_free(&options), false;
    rlx_buf_printf(&options, "%s%.*s", options.size ? ", " : "", (int)n, option);
  }
  rlx_text_say(stdout, "error: :%s has no option %.*s%s%s", row->name, (int)size, argument,
               options.size ? "; it has " : "", rlx_buf_text(&options));
  rlx_buf_free(&options);
  return true;
}

bool rlx_repl_command(RlxRepl *repl, const char *line) {
  size_t size = strcspn(line + 1, " \t");
  const char *argument = line + 1 + size;
  while (isspace((unsigned char)*argument)) argument++;
  char word[64];
  snprintf(word, sizeof word, "%.*s", (int)(size < 60 ? size : 60), line + 1);
  const RlxReplCommandId id = rlx_repl_command_named(line + 1, size);
  if (id == RLX_REPL_COMMAND_COUNT) return rlx_repl_refuse_command(word);
  const char *takes = rlx_repl_commands[id].argument;
  if (rlx_repl_needs_argument(&rlx_repl_commands[id]) && !*argument)
    return rlx_text_say(stdout, "error: :%s takes %s", word, takes), false;
  if (!*takes && *argument)
    return rlx_text_say(stdout, "error: :%s takes no argument", word), false;
  if (has_odd_option(&rlx_repl_commands[id], argument)) return false;
  if (strncmp(takes + (*takes == '['), "FILE", 4) != 0) return handlers[id](repl, argument);
  char *own = with_path(argument);
  const bool ok = handlers[id](repl, own);
  free(own);
  return ok;
}
