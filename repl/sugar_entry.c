/// An entry as Relax: the session asks here for each of its expressions, and for assignments to elements.
#include "repl/sugar_impl.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/syntax/document.h"
#include "base/mem.h"
#include "base/text.h"

/// The expression, or the assignment to elements, that `text` is; NULL: it is neither.
static const RlxStmt *parse(RlxReplSugar *s, const char *text) {
  rlx_document_set_text(s->doc, text, (uint32_t)strlen(text));
  const RlxBlock *root = rlx_document_root(s->doc);
  if (root->count != 1 || rlx_document_syntax_errors(s->doc, NULL, 0)) return NULL;
  const RlxStmt *stmt = root->stmts[0];
  if (stmt->has_error || stmt->start) return NULL;
  const bool assigns = stmt->kind == RLX_STMT_ASSIGN && stmt->target_count == 1 && stmt->value &&
                       stmt->targets[0]->kind == RLX_AST_SUBSCRIPT;
  return stmt->kind == RLX_STMT_EXPR || assigns ? stmt : NULL;
}

/// numpy is there at the prompt, imported or not: its arrays are constants of scripts that import it.
static void import_numpy(RlxRepl *repl, const RlxAst *ast) {
  static const char *const imports[][2] = {{"np", "import numpy as np"}, {"numpy", "import numpy"}};
  for (size_t i = 0; i < sizeof imports / sizeof *imports; i++) {
    const char *name = imports[i][0], *text = imports[i][1];
    const size_t size = strlen(text);
    if (!rlx_ast_names(ast, rlx_store_intern(repl->store, name, strlen(name))) ||
        rlx_repl_find(repl, name, strlen(name)) || rlx_repl_find_def(repl, name, strlen(name)) ||
        rlx_repl_find_def(repl, text, size))
      continue;
    rlx_repl_stage_own(repl, text);
    rlx_repl_settle(repl);
  }
}

static bool prepare(RlxRepl *repl, const char *text) {
  RlxReplSugar *s = rlx_repl_sugar(repl);
  if (s->is_prepared && !strcmp(rlx_buf_text(&s->source), text)) return true;
  rlx_sugar_drop_temps(repl);
  s->is_prepared = false;
  rlx_buf_clear(&s->source);
  rlx_buf_puts(&s->source, text);
  rlx_buf_clear(&s->plain);
  const RlxStmt *stmt = repl->nesting ? NULL : parse(s, text); // a file keeps TVM's rules
  const RlxAst *ast = stmt ? stmt->value : NULL;
  if (ast) import_numpy(repl, ast);
  RlxSugarWriter w = {.repl = repl, .sugar = s, .text = text};
  repl->number_of_call = rlx_sugar_number_of_call;
  repl->number_data = &w;
  if (!ast)
    rlx_buf_puts(&s->plain, text);
  else if (stmt->kind == RLX_STMT_ASSIGN)
    rlx_sugar_assignment(&w, stmt, &s->plain);
  else if (!rlx_repl_is_number_list(repl, ast) ||
           !rlx_sugar_constant(&w, ast, rlx_dtype_unknown(), &s->plain)) {
    rlx_sugar_copy(&w, 0, ast->span.start, &s->plain);
    rlx_sugar_put(&w, ast, &s->plain);
    rlx_buf_puts(&s->plain, text + ast->span.end);
  }
  repl->number_of_call = NULL;
  rlx_vec_free(&w.calls);
  s->is_prepared = !w.failed;
  return !w.failed;
}

/// Hands out what was written; the values that it needs are variables from now on.
static const char *hand_out(RlxRepl *repl) {
  RlxReplSugar *s = repl->sugar;
  s->is_prepared = false;
  for (uint32_t i = 0; i < repl->temps.count; i++) rlx_repl_add_var(repl, repl->temps.at[i]);
  s->pushed = repl->temps.count;
  return rlx_buf_text(&s->plain);
}

/// RlxRepl.plain
static const char *plain(RlxRepl *repl, const char *text) {
  return prepare(repl, text) ? hand_out(repl) : NULL;
}

const char *rlx_repl_plain_statement(RlxRepl *repl, const RlxStmt *stmt, const char *text) {
  RlxReplSugar *s = rlx_repl_sugar(repl);
  RlxSugarWriter w = {.repl = repl, .sugar = s, .text = text};
  rlx_sugar_drop_temps(repl);
  s->is_prepared = false;
  rlx_buf_clear(&s->plain);
  return rlx_sugar_statement(&w, stmt, &s->plain) ? hand_out(repl) : NULL;
}

/// RlxRepl.plain_done
static void plain_done(RlxRepl *repl) {
  rlx_repl_forget_temps(repl, repl->sugar->pushed);
  repl->sugar->pushed = 0;
}

bool rlx_repl_immediate(RlxRepl *repl, const char *text, RlxObject **out) {
  *out = NULL;
  if (!prepare(repl, text)) return true;
  RlxReplSugar *s = repl->sugar;
  RlxSugarWriter w = {.repl = repl, .sugar = s};
  *out = rlx_object_ref(rlx_sugar_variable(&w, rlx_buf_text(&s->plain)));
  if (*out) s->is_prepared = false;
  return *out != NULL;
}

/// Whether `text` is `M.f`, of a module of the session that has this function.
static bool is_member(RlxSugarWriter *w, const char *text) {
  const char *dot = strchr(text, '.');
  char *module = dot ? rlx_mem_strndup(text, (size_t)(dot - text)) : NULL;
  bool is_it = module && !rlx_sugar_variable(w, module) && rlx_repl_is_module(w->repl, module);
  RlxFunctionViews views = {0};
  if (is_it) rlx_sugar_functions(w, module, &views);
  is_it = is_it && rlx_function_view(w->repl->store, &views, text);
  rlx_vec_free(&views);
  free(module);
  return is_it;
}

/// The function or source of random numbers that `text` names; NULL: it names none.
static const char *target_of(RlxSugarWriter *w, const char *text) {
  const RlxStmt *stmt = strchr(text, '(') ? parse(w->sugar, text) : NULL;
  if (stmt) return rlx_sugar_random_source(w->repl, stmt->value) ? RLX_SUGAR_RANDOM : NULL;
  for (const char *p = text; *p; p++)
    if (!rlx_text_in_name(*p) && *p != '.') return NULL;
  const char *known = rlx_sugar_alias(w, text), *function = known ? known : text;
  const bool is_operator =
      !strncmp(function, "R.", 2) && rlx_op_find(function + 2, strlen(function + 2));
  if (rlx_sugar_variable(w, text)) return NULL;
  const bool is_it = is_operator || !strcmp(function, RLX_SUGAR_RANDOM) ||
                     rlx_sugar_is_defined(w, function) || is_member(w, function);
  return is_it ? function : NULL;
}

bool rlx_repl_alias(RlxRepl *repl, const char *name, size_t size, const char *text) {
  RlxReplSugar *s = rlx_repl_sugar(repl);
  RlxSugarWriter w = {.repl = repl, .sugar = s};
  const char *function = target_of(&w, text);
  if (!function) return false;
  char *own = rlx_mem_strndup(name, size), *target = rlx_mem_strdup(function);
  uint64_t place;
  if (rlx_strmap_get(&s->alias_places, own, size, &place)) {
    free(s->aliases.at[place].function);
    s->aliases.at[place].function = target;
    free(own);
    return true;
  }
  rlx_strmap_put(&s->alias_places, own, size, s->aliases.count);
  rlx_vec_push(&s->aliases, (RlxSugarAlias){own, target});
  return true;
}

void rlx_repl_sugar_attach(RlxRepl *repl) {
  repl->plain = plain;
  repl->plain_done = plain_done;
}
