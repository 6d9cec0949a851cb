/// The REPL's :commands.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/ask/why.h"
#include "analyzer/ops/explain.h"
#include "analyzer/ops/op_table.h"
#include "analyzer/rewrite/normalize.h"
#include "base/file.h"
#include "base/nearest.h"
#include "jit/runtime/format.h"
#include "repl/sched.h"
#include "repl/session.h"

typedef bool CommandFn(RlxRepl *repl, const char *argument);

#define RLX_REPL(name, argument, help) static bool do_##name(RlxRepl *repl, const char *text);
#include "repl/commands.def"
#undef RLX_REPL

static const struct {
  const char *name, *argument, *help;
  CommandFn *run;
} commands[] = {
#define RLX_REPL(name, argument, help) {#name, argument, help, do_##name},
#include "repl/commands.def"
#undef RLX_REPL
};
enum { COMMANDS = sizeof commands / sizeof *commands };

static bool do_help(RlxRepl *repl, const char *text) {
  (void)repl;
  (void)text;
  printf("Enter functions and modules, `name = expression`, or an expression. Commands:\n");
  for (int i = 0; i < COMMANDS; i++)
    printf("  :%-8s %-17s %s\n", commands[i].name, commands[i].argument, commands[i].help);
  return true;
}

static bool do_quit(RlxRepl *repl, const char *text) {
  (void)text;
  repl->quit = true;
  return true;
}

static bool do_vars(RlxRepl *repl, const char *text) {
  (void)text;
  for (uint32_t i = 0; i < repl->vars.count; i++) {
    RlxBuf out = {0};
    rlx_object_print_sinfo(repl->vars.at[i].value, &out);
    printf("%s: %s\n", repl->vars.at[i].name, rlx_buf_text(&out));
    rlx_buf_free(&out);
  }
  return true;
}

static bool do_funcs(RlxRepl *repl, const char *text) {
  (void)text;
  return rlx_repl_funcs(repl);
}

static bool do_prove(RlxRepl *repl, const char *text) { return rlx_repl_prove(repl, text); }
static bool do_simplify(RlxRepl *repl, const char *text) { return rlx_repl_simplify(repl, text); }
static bool do_sched(RlxRepl *repl, const char *text) { return rlx_repl_sched_open(repl, text); }
static bool do_tune(RlxRepl *repl, const char *text) { return rlx_repl_sched_tune(repl, text); }
static bool do_graph(RlxRepl *repl, const char *text) { return rlx_repl_graph(repl, text); }
static bool do_trace(RlxRepl *repl, const char *text) { return rlx_repl_trace(repl, text); }
static bool do_profile(RlxRepl *repl, const char *text) { return rlx_repl_profile(repl, text); }
static bool do_set(RlxRepl *repl, const char *text) { return rlx_repl_set(repl, text); }

static bool do_undo(RlxRepl *repl, const char *text) {
  (void)text;
  return rlx_repl_undo(repl);
}

static bool do_load(RlxRepl *repl, const char *text) { return rlx_repl_load(repl, text); }

static bool do_reload(RlxRepl *repl, const char *text) {
  (void)text;
  if (!repl->script) return printf("error: no script was loaded\n"), false;
  char path[4096];
  snprintf(path, sizeof path, "%s", repl->script);
  return rlx_repl_load(repl, path);
}

static bool do_save(RlxRepl *repl, const char *text) {
  RlxBuf out = {0};
  rlx_buf_puts(&out, "from tvm.script import ir as I, relax as R, tir as T\n");
  for (uint32_t i = 0; i < repl->defs.count; i++)
    rlx_buf_printf(&out, "\n\n%s\n", repl->defs.at[i].text);
  RlxError err;
  bool ok = rlx_file_write(text, rlx_buf_text(&out), out.size, &err);
  if (!ok) printf("error: %s\n", err.text);
  rlx_buf_free(&out);
  return ok;
}

static bool do_type(RlxRepl *repl, const char *text) {
  RlxReplArgs args = {0};
  RlxName name;
  for (uint32_t i = 0; i < repl->vars.count; i++)
    if (!strcmp(repl->vars.at[i].name, text)) {
      RlxBuf out = {0};
      rlx_object_print_sinfo(repl->vars.at[i].value, &out);
      printf("%s\n", rlx_buf_text(&out));
      rlx_buf_free(&out);
      return true;
    }
  RlxProgram *program = rlx_repl_program(repl, text, &name, &args);
  RlxFunctionViews views = {0};
  if (program) rlx_file_functions(repl->file, &views);
  for (uint32_t i = 0; i < views.count; i++) {
    if (views.at[i].name != name || !views.at[i].function) continue;
    const RlxFunction *fn = views.at[i].function;
    RlxBuf out = {0};
    if (repl->entry_at == 0)
      rlx_sinfo_print(repl->store, fn->sinfo, &out);
    else if (fn->ret)
      rlx_sinfo_print(repl->store, fn->ret, &out);
    printf("%s\n", rlx_buf_text(&out));
    rlx_buf_free(&out);
  }
  rlx_vec_free(&views);
  rlx_vec_free(&args);
  bool ok = program != NULL;
  rlx_program_free(program);
  return ok;
}

/// Why an expression or function has its StructInfo; else the page of an operator or a diagnostic.
static bool do_explain(RlxRepl *repl, const char *text) {
  RlxBuf out = {0};
  bool is_own = false; // what the user defined hides the operator of that name
  for (uint32_t i = 0; i < repl->defs.count; i++) is_own |= !strcmp(repl->defs.at[i].name, text);
  for (uint32_t i = 0; i < repl->vars.count; i++) is_own |= !strcmp(repl->vars.at[i].name, text);
  bool ok = !is_own && rlx_explain_word(text, RLX_PAGE_TEXT, &out);
  RlxReplArgs args = {0};
  RlxName name = 0;
  RlxProgram *program = ok ? NULL : rlx_repl_program(repl, text, &name, &args);
  RlxArena *arena = rlx_arena_new();
  RlxWhyTargets targets = {0};
  RlxWhySteps steps = {0};
  const RlxWhyLimits limits = {.levels = 3, .steps = 64};
  if (program) rlx_file_why_targets(repl->file, rlx_store_text(repl->store, name), arena, &targets);
  for (uint32_t i = 0; i < targets.count; i++)
    if (!targets.at[i].var)
      rlx_file_why_result(repl->file, targets.at[i].def, limits, arena, &steps);
  if (repl->entry_at &&
      steps.count >
          1) { // the entry is one binding that is returned: what it is, without the wrapping
    steps.at[1].name = text;
    steps.at[1].role = NULL;
    for (uint32_t i = 0; i + 1 < steps.count; i++)
      steps.at[i] = steps.at[i + 1], steps.at[i].depth--;
    steps.count--;
  }
  for (uint32_t i = 0; i < steps.count; i++)
    steps.at[i].has_place = false; // places in a text that nobody sees
  rlx_why_print_steps(repl->file, &steps, &out);
  printf("%s", rlx_buf_text(&out));
  ok |= program != NULL;
  rlx_vec_free(&steps);
  rlx_vec_free(&targets);
  rlx_arena_free(arena);
  rlx_buf_free(&out);
  rlx_vec_free(&args);
  rlx_program_free(program);
  return ok;
}

// ---- normal form

static void print_expr(RlxRepl *repl, const RlxExpr *x, RlxBuf *out);

static void print_value(RlxRepl *repl, const RlxValue *v, RlxBuf *out) {
  switch ((RlxValueKind)v->kind) {
  case RLX_VALUE_NONE: rlx_buf_puts(out, "None"); return;
  case RLX_VALUE_BOOL: rlx_buf_puts(out, v->boolean ? "True" : "False"); return;
  case RLX_VALUE_INT: rlx_buf_printf(out, "%lld", (long long)v->integer); return;
  case RLX_VALUE_FLOAT: rlx_buf_printf(out, "%.17g", v->number); return;
  case RLX_VALUE_STR: rlx_buf_printf(out, "\"%s\"", rlx_store_text(repl->store, v->string)); return;
  case RLX_VALUE_PRIM: rlx_prim_print(repl->store, v->prim, out); return;
  case RLX_VALUE_SINFO: rlx_sinfo_print(repl->store, v->sinfo, out); return;
  case RLX_VALUE_EXPR:
  case RLX_VALUE_CALLEE: print_expr(repl, v->expr, out); return;
  case RLX_VALUE_LIST:
    rlx_buf_putc(out, v->is_tuple ? '(' : '[');
    for (uint32_t i = 0; i < v->count; i++) {
      if (i) rlx_buf_puts(out, ", ");
      print_value(repl, &v->items[i], out);
    }
    if (v->is_tuple && v->count == 1) rlx_buf_putc(out, ',');
    rlx_buf_putc(out, v->is_tuple ? ')' : ']');
    return;
  case RLX_VALUE_DICT:
  case RLX_VALUE_VDEVICE:
  case RLX_VALUE_ABSENT:
  case RLX_VALUE_UNKNOWN:
  case RLX_VALUE_OTHER: rlx_buf_puts(out, "..."); return;
  }
}

static void print_call(RlxRepl *repl, const RlxCall *call, RlxBuf *out) {
  if (call->row)
    rlx_buf_printf(out, "R.%.*s(", (int)strcspn(call->row->script, " "), call->row->script);
  else {
    print_expr(repl, call->callee, out);
    rlx_buf_putc(out, '(');
  }
  bool first = true, named = false;
  for (uint32_t i = 0; i < call->arg_count; i++) {
    if (call->args[i].is_default || call->args[i].kind == RLX_VALUE_ABSENT) {
      named = true;
      continue;
    }
    if (!first) rlx_buf_puts(out, ", ");
    first = false;
    if (call->row && (named || !call->row->params[i].is_required))
      rlx_buf_printf(out, "%s=", call->row->params[i].name);
    print_value(repl, &call->args[i], out);
  }
  rlx_buf_putc(out, ')');
}

static void print_expr(RlxRepl *repl, const RlxExpr *x, RlxBuf *out) {
  char dtype[RLX_DTYPE_TEXT_MAX];
  switch ((RlxExprKind)x->kind) {
  case RLX_EXPR_VAR: rlx_buf_puts(out, rlx_store_text(repl->store, x->var->name)); return;
  case RLX_EXPR_GLOBAL: rlx_buf_puts(out, rlx_store_text(repl->store, x->name)); return;
  case RLX_EXPR_EXTERN:
    rlx_buf_printf(out, "R.ExternFunc(\"%s\")", rlx_store_text(repl->store, x->name));
    return;
  case RLX_EXPR_STRING:
    rlx_buf_printf(out, "R.str(\"%s\")", rlx_store_text(repl->store, x->name));
    return;
  case RLX_EXPR_OP: rlx_buf_printf(out, "R.%s", x->op->script); return;
  case RLX_EXPR_CONSTANT:
    rlx_buf_puts(out, "R.const(");
    if (x->constant.value) print_value(repl, x->constant.value, out);
    rlx_buf_printf(out, ", \"%s\")", rlx_dtype_text(x->sinfo->dtype, dtype));
    return;
  case RLX_EXPR_SHAPE:
    rlx_buf_puts(out, "R.shape([");
    for (int i = 0; i < x->dim_count; i++) {
      if (i) rlx_buf_puts(out, ", ");
      rlx_prim_print(repl->store, x->dims[i], out);
    }
    rlx_buf_puts(out, "])");
    return;
  case RLX_EXPR_PRIM:
    rlx_buf_puts(out, "R.prim_value(");
    rlx_prim_print(repl->store, x->prim, out);
    rlx_buf_putc(out, ')');
    return;
  case RLX_EXPR_DTYPE:
    rlx_buf_printf(out, "R.dtype(\"%s\")", rlx_dtype_text(x->dtype, dtype));
    return;
  case RLX_EXPR_TUPLE:
    rlx_buf_putc(out, '(');
    for (uint32_t i = 0; i < x->field_count; i++) {
      if (i) rlx_buf_puts(out, ", ");
      print_expr(repl, x->fields[i], out);
    }
    rlx_buf_puts(out, x->field_count == 1 ? ",)" : ")");
    return;
  case RLX_EXPR_TUPLE_GET:
    print_expr(repl, x->tuple, out);
    rlx_buf_printf(out, "[%lld]", (long long)x->index);
    return;
  case RLX_EXPR_CALL: print_call(repl, &x->call, out); return;
  case RLX_EXPR_IF:
    rlx_buf_puts(out, "if ");
    print_expr(repl, x->condition, out);
    return;
  case RLX_EXPR_FUNCTION: rlx_buf_puts(out, "<local function>"); return;
  case RLX_EXPR_HOLE: rlx_buf_puts(out, "..."); return;
  }
}

static void print_body(RlxRepl *repl, const RlxBody *body, int indent, RlxBuf *out) {
  for (uint32_t b = 0; b < body->block_count; b++)
    for (uint32_t i = 0; i < body->blocks[b].count; i++) {
      const RlxBinding *binding = body->blocks[b].bindings[i];
      rlx_buf_printf(out, "%*s%s: ", indent, "", rlx_store_text(repl->store, binding->var->name));
      rlx_sinfo_print(repl->store, binding->var->sinfo, out);
      rlx_buf_puts(out, binding->kind == RLX_BINDING_MATCH_CAST ? " = R.match_cast(" : " = ");
      print_expr(repl, binding->value, out);
      if (binding->kind == RLX_BINDING_MATCH_CAST) {
        rlx_buf_puts(out, ", ");
        rlx_sinfo_print(repl->store, binding->cast, out);
        rlx_buf_putc(out, ')');
      }
      rlx_buf_putc(out, '\n');
      if (binding->value->kind != RLX_EXPR_IF) continue;
      print_body(repl, binding->value->then_body, indent + 4, out);
      rlx_buf_printf(out, "%*selse\n", indent, "");
      print_body(repl, binding->value->else_body, indent + 4, out);
    }
  rlx_buf_printf(out, "%*s", indent, "");
  print_expr(repl, body->result, out);
  rlx_buf_putc(out, '\n');
}

/// Takes `option` off the front of `*text`.
static bool take_option(const char **text, const char *option) {
  size_t size = strlen(option), blanks = strspn(*text, " \t");
  if (strncmp(*text + blanks, option, size) != 0 || !strchr(" \t", (*text)[blanks + size]))
    return false;
  *text += blanks + size + strspn(*text + blanks + size, " \t");
  return true;
}

static void write_norm(RlxRepl *repl, const RlxStmt *stmt, const RlxFunction *fn, RlxBuf *out,
                       void *data) {
  RlxNormalize *how = data;
  how->only = stmt;
  if (how->t_anf || how->canonical)
    rlx_function_normalize(repl->file, how, out);
  else if (fn)
    print_body(repl, &fn->body, 0, out);
}

static bool do_norm(RlxRepl *repl, const char *text) {
  RlxNormalize how = {0};
  for (bool more = true; more;) {
    bool t_anf = take_option(&text, "--t-anf"), canonical = take_option(&text, "--canonicalize");
    how.t_anf |= t_anf;
    how.canonical |= canonical;
    more = t_anf || canonical;
  }
  return rlx_repl_each_relax(repl, text, write_norm, &how);
}

static bool show_text(RlxRepl *repl, const char *text, RlxProgramText kind) {
  RlxReplArgs args = {0};
  RlxName name;
  RlxProgram *program = rlx_repl_program(repl, text, &name, &args);
  RlxRunError err = {0};
  RlxBuf out = {0};
  bool ok = program && rlx_program_text(program, name, kind, &out, &err);
  if (program && !ok) printf("error: %s\n", err.error.text);
  printf("%s", rlx_buf_text(&out));
  rlx_buf_free(&out);
  rlx_vec_free(&args);
  rlx_program_free(program);
  return ok;
}
static bool do_plan(RlxRepl *repl, const char *text) {
  return show_text(repl, text, RLX_PROGRAM_PLAN);
}
static bool do_tir(RlxRepl *repl, const char *text) {
  return show_text(repl, text, RLX_PROGRAM_TIR);
}
static bool do_llvm(RlxRepl *repl, const char *text) {
  return show_text(repl, text, RLX_PROGRAM_LLVM);
}
static bool do_asm(RlxRepl *repl, const char *text) {
  return show_text(repl, text, RLX_PROGRAM_ASM);
}

static bool do_time(RlxRepl *repl, const char *text) {
  RlxReplArgs args = {0};
  RlxName name;
  RlxRunError err = {0};
  double before = rlx_jit_compile_ms(repl->jit);
  RlxProgram *program = rlx_repl_program(repl, text, &name, &args);
  bool ok = program && rlx_program_prepare(program, name, &err);
  if (program && !ok) printf("error: %s\n", err.error.text);
  RlxWorkerResult result = {0};
  for (int repeat = 1; ok && repeat <= 1000; repeat *= 10) {
    RlxWorkerOptions options = rlx_repl_worker_options(repl, repeat);
    rlx_worker_call(repl->jit, program, name, args.at, (int)args.count, &options, &result);
    rlx_object_unref(result.value);
    ok = result.outcome == RLX_OUTCOME_DONE;
    if (!ok)
      printf("error: %s\n", result.error.error.text);
    else if (result.run_us_min * repeat > 2e5)
      break;
  }
  if (ok)
    printf("compiled in %.1f ms, runs in %.2f us (median %.2f us)\n",
           rlx_jit_compile_ms(repl->jit) - before + result.compile_ms, result.run_us_min,
           result.run_us_median);
  rlx_vec_free(&args);
  rlx_program_free(program);
  return ok;
}

bool rlx_repl_command(RlxRepl *repl, const char *line) {
  size_t size = strcspn(line + 1, " \t");
  const char *argument = line + 1 + size;
  while (isspace((unsigned char)*argument)) argument++;
  char word[64];
  snprintf(word, sizeof word, "%.*s", (int)(size < 60 ? size : 60), line + 1);
  RlxNearest nearest = rlx_nearest_start(word);
  for (int i = 0; i < COMMANDS; i++) {
    rlx_nearest_try(&nearest, commands[i].name);
    if (strcmp(commands[i].name, word)) continue;
    if (*commands[i].argument && *commands[i].argument != '[' && !*argument) {
      printf("error: :%s takes %s\n", commands[i].name, commands[i].argument);
      return false;
    }
    return commands[i].run(repl, argument);
  }
  if (nearest.best)
    printf("error: there is no command :%s; did you mean :%s?\n", word, nearest.best);
  else
    printf("error: there is no command :%s; :help lists them\n", word);
  return false;
}
