/// What has no value in a session because only Python has one for it: which part of an entry that is, and what to
/// type in its place.
#include "repl/unknown.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/syntax/document.h"
#include "base/text.h"
#include "repl/numbers.h"
#include "repl/tables.h"

/// Whether it is a text, typed or by name.
static bool is_text(RlxRepl *repl, const RlxAst *x) {
  if (x->kind != RLX_AST_NAME) return x->kind == RLX_AST_STRING;
  const char *name = rlx_store_text(repl->store, x->name);
  const RlxReplVar *var = rlx_repl_find(repl, name, strlen(name));
  const RlxReplDef *def = rlx_repl_find_def(repl, name, strlen(name));
  const char *value = def ? strchr(def->text, '=') : NULL; // `t = "abc"`
  if (value) value += 1 + strspn(value + 1, " \t");
  return var ? var->value->kind == RLX_OBJECT_STRING : value && (*value == '"' || *value == '\'');
}

/// What is said of `x` itself, which has no value here; false: nothing is known of it.
static bool put_reason(RlxRepl *repl, const RlxAst *x, const char *text, RlxBuf *out) {
  const int size = (int)(x->span.end - x->span.start);
  const char *typed = text + x->span.start;
  const RlxAst *first = x->child_count ? x->children[0] : NULL;
  RlxReplNumber a, b;
  if (x->kind == RLX_AST_FSTRING) {
    rlx_buf_puts(out, x->op ? "an f-string with formats is Python's: `print(x)` shows x, and "
                              "`:set precision 3` says with how many digits"
                            : "an f-string is Python's: `print(x, \"text\", y)` shows values and "
                              "texts");
    return true;
  }
  if (x->kind == RLX_AST_CALL && first->kind == RLX_AST_NAME) {
    const char *name = rlx_store_text(repl->store, first->name);
    const bool is_builtin = rlx_repl_builtin_named(name) != NULL;
    if (is_builtin)
      rlx_buf_printf(out, "`%s` takes a tensor here; a list of numbers, `[1, 2]`, is one", name);
    return is_builtin;
  }
  char rest[RLX_AST_DOTTED_MAX];
  const RlxAst *root =
      x->kind == RLX_AST_SUBSCRIPT ? rlx_ast_dotted(repl->store, first, rest) : NULL;
  const char *library = root ? rlx_store_text(repl->store, root->name) : "",
             *function = rlx_text_is_among(library, "np numpy")
                             ? rlx_repl_missing_function_named(rest)
                             : NULL;
  if (function) { // `np.r_[x, y]`
    rlx_buf_printf(out, "%s.%s is not here: %s", library, rest, function);
    return true;
  }
  const bool is_binary = x->kind == RLX_AST_BINARY,
             is_method = x->kind == RLX_AST_CALL && first->kind == RLX_AST_ATTRIBUTE &&
                         is_text(repl, first->children[0]),
             is_operator =
                 (is_binary || x->kind == RLX_AST_COMPARE || x->kind == RLX_AST_SUBSCRIPT) &&
                 (is_text(repl, first) || is_text(repl, x->children[1]));
  if (is_method || is_operator)
    rlx_buf_printf(out,
                   "`%.*s` is Python's: a session computes with tensors and numbers, and texts "
                   "stay as they are typed",
                   size, typed);
  else if (is_binary && rlx_repl_number(repl, first, &a) &&
           rlx_repl_number(repl, x->children[1], &b))
    rlx_buf_printf(out, "`%.*s` does not fit into 64 bits", size, typed);
  return out->size > 0;
}

/// What is said of the first part of an expression that has no value here; false: there is none.
static bool put_cause(RlxRepl *repl, const RlxAst *x, const char *text, RlxBuf *out) {
  const bool by_name = x->kind == RLX_AST_CALL && x->children[0]->kind == RLX_AST_NAME;
  const char *name = by_name ? rlx_store_text(repl->store, x->children[0]->name) : "";
  const char *instead = rlx_repl_python_named(name);
  if (by_name && rlx_repl_find_def(repl, name, strlen(name))) return false; // of its own, inside
  if (instead) return rlx_buf_printf(out, RLX_REPL_PYTHONS, name, instead), true;
  for (uint32_t i = by_name; i < x->child_count; i++)
    if (put_cause(repl, x->children[i], text, out)) return true;
  return put_reason(repl, x, text, out);
}

bool rlx_repl_tell_unknown(RlxRepl *repl, const char *text) {
  RlxDocument *doc = rlx_document_new(repl->store, NULL, NULL);
  rlx_document_set_text(doc, text, (uint32_t)strlen(text));
  const RlxBlock *root = rlx_document_root(doc);
  const RlxStmt *stmt = root->count ? root->stmts[0] : NULL;
  RlxBuf cause = {0};
  const bool is_told = stmt && stmt->value && put_cause(repl, stmt->value, text, &cause);
  if (is_told) rlx_text_say(stdout, "error: %s", rlx_buf_text(&cause));
  rlx_buf_free(&cause);
  rlx_document_free(doc);
  return is_told;
}
