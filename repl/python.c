/// Python's questions, which are entries of their own: `print(x)`, `type(x)`, `help(f)`, `dir(x)`; and its statements,
/// with what to type in their place.
#include "repl/python.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "repl/about.h"
#include "repl/commands.h"
#include "repl/offer.h"
#include "repl/offers_print.h"
#include "repl/sugar.h"
#include "repl/tables.h"
#include "repl/values.h"

/// Appends a text as it may be shown, its lines as lines.
static void put_lines(const char *text, RlxBuf *out) {
  for (;;) {
    const size_t n = strcspn(text, "\n");
    rlx_text_put_shown(out, text, n);
    if (!text[n]) return;
    rlx_buf_putc(out, '\n');
    text += n + 1;
  }
}

/// Appends what `print` writes of an argument; false after a message.
static bool put_printed(RlxRepl *repl, const RlxAst *x, const char *text, RlxBuf *out) {
  if (x->kind == RLX_AST_STRING) return put_lines(x->text, out), true;
  if (x->kind == RLX_AST_FSTRING && !x->op) {
    bool parts = true;
    for (uint32_t i = 0; parts && i < x->child_count; i++)
      parts = put_printed(repl, x->children[i], text, out);
    return parts;
  }
  char *argument = rlx_mem_strndup(text + x->span.start, x->span.end - x->span.start);
  RlxObject *value = NULL;
  const bool ok = rlx_repl_value(repl, argument, &value);
  if (value && value->kind == RLX_OBJECT_STRING)
    put_lines(value->text, out);
  else if (value)
    rlx_repl_put_value(repl, value, out);
  rlx_object_unref(value);
  free(argument);
  return ok;
}

/// `print(x, "text")`: as Python, values and texts with a blank between.
static bool print_values(RlxRepl *repl, const RlxAst *call, const char *text) {
  RlxBuf out = {0};
  bool ok = true;
  for (uint32_t i = 1; ok && i < call->child_count; i++) {
    if (i > 1) rlx_buf_putc(&out, ' ');
    ok = put_printed(repl, call->children[i], text, &out);
  }
  rlx_buf_putc(&out, '\n');
  if (ok) rlx_repl_print_paged(repl, rlx_buf_text(&out));
  rlx_buf_free(&out);
  return ok;
}

/// `dir(x)`: what Tab offers behind `x.`; `dir()` the session's names.
static bool list_names(RlxRepl *repl, const char *name) {
  if (!*name) {
    const bool is_shown = rlx_repl_who(repl, "");
    return rlx_repl_funcs(repl, "") && is_shown;
  }
  RlxLineOffers offers = {0};
  RlxBuf line = {0};
  rlx_buf_printf(&line, "%s.", name);
  rlx_repl_offer(repl, "", rlx_buf_text(&line), line.size, &offers);
  const bool any = offers.items.count > 0;
  if (any)
    rlx_offers_print(&offers, rlx_repl_width(), 0);
  else
    rlx_text_say(stdout, "error: there is nothing behind `%s.`", name);
  rlx_line_offers_free(&offers);
  rlx_buf_free(&line);
  return any;
}

/// `quit` and other functions of Python's, as names alone.
static bool refuse_name(RlxRepl *repl, const RlxAst *x) {
  const char *name = rlx_store_text(repl->store, x->name), *instead = rlx_repl_python_named(name);
  const size_t size = strlen(name);
  if (!instead || rlx_repl_find(repl, name, size) || rlx_repl_find_def(repl, name, size))
    return false;
  printf("error: " RLX_REPL_PYTHONS "\n", name, instead);
  return true;
}

bool rlx_repl_python_entry(RlxRepl *repl, const RlxStmt *stmt, const char *text, bool *ok) {
  const RlxAst *call = stmt->value;
  if (!repl->nesting && call->kind == RLX_AST_NAME && refuse_name(repl, call)) {
    *ok = false;
    return true;
  }
  if (!repl->nesting && rlx_repl_seed_entry(repl, call)) return *ok = true;
  if (repl->nesting || call->kind != RLX_AST_CALL || call->children[0]->kind != RLX_AST_NAME)
    return false;
  const char *name = rlx_store_text(repl->store, call->children[0]->name);
  if (rlx_repl_find_def(repl, name, strlen(name))) return false;
  for (uint32_t i = 1; i < call->child_count; i++)
    if (call->children[i]->kind == RLX_AST_KEYWORD) return false;
  if (!strcmp(name, "print")) return *ok = print_values(repl, call, text), true;
  if (call->child_count > 2) return false;
  const RlxAst *arg = call->child_count == 2 ? call->children[1] : NULL;
  char *of = arg ? rlx_mem_strndup(text + arg->span.start, arg->span.end - arg->span.start)
                 : rlx_mem_strdup("");
  bool is_it = true;
  if (!strcmp(name, "type") && arg)
    *ok = rlx_repl_sinfo(repl, of);
  else if (!strcmp(name, "help"))
    *ok = arg ? rlx_repl_tell_about(repl, arg->kind == RLX_AST_STRING ? arg->text : of)
              : rlx_repl_help(repl, "");
  else if (!strcmp(name, "dir"))
    *ok = list_names(repl, of);
  else
    is_it = false;
  free(of);
  return is_it;
}

const char *rlx_repl_python_instead(const RlxStmt *stmt) {
  switch (stmt->kind) {
  case RLX_STMT_FOR:
  case RLX_STMT_WHILE:
    return "a loop is no entry: operators take all elements at once, and PrimFuncs have loops "
           "(`for i in T.serial(n)`)";
  case RLX_STMT_TRY:
  case RLX_STMT_MATCH:
  case RLX_STMT_RAISE:
  case RLX_STMT_GLOBAL:
    return "this is Python's, and a session evaluates Relax: an entry is a definition, "
           "`name = expression`, an expression, `if` or `with R.dataflow():`";
  case RLX_STMT_ASSERT: return "`R.assert_op(c, format=\"…\")` checks a condition";
  case RLX_STMT_EXPR:
    if (stmt->value->kind == RLX_AST_LAMBDA)
      return "a function is a definition: `@R.function` above `def f(x: R.Tensor((2,), "
             "\"float32\")):`";
    if (stmt->value->kind == RLX_AST_FSTRING) return "`print(x, y)` shows several values";
    return NULL;
  default: return NULL;
  }
}
