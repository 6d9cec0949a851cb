/// Data that scripts write as Python literals and the analyzer keeps as syntax (attributes,
/// devices, meshes), on one line as TVM prints it: dictionaries by key. Always true: what is no
/// such literal comes out in the script's own words.
#include <stdlib.h>
#include <string.h>

#include "analyzer/edit/print_impl.h"

typedef struct Entry {
  const RlxAst *key, *value;
} Entry;

static const char *key_text(const Entry *e) {
  return e->key->kind == RLX_AST_STRING ? e->key->text : "";
}

static int compare_entries(const void *a, const void *b) {
  const Entry *x = a, *y = b;
  int order = strcmp(key_text(x), key_text(y));
  return order                                     ? order
         : x->key->span.start < y->key->span.start ? -1
                                                   : x->key->span.start > y->key->span.start;
}

void rlx_print_entries(RlxScriptPrinter *p, const RlxAst *dict, RlxLeftOut *is_left_out,
                       const char *name) {
  Vec(Entry) entries = {0};
  for (uint32_t i = 0; i + 1 < dict->child_count; i += 2) {
    Entry entry = {dict->children[i], dict->children[i + 1]};
    if (!is_left_out || !is_left_out(p, entry.key, entry.value, name))
      rlx_vec_push(&entries, entry);
  }
  if (entries.count) qsort(entries.at, entries.count, sizeof *entries.at, compare_entries);
  for (uint32_t i = 0; i < entries.count; i++) {
    if (i) rlx_buf_puts(p->out, ", ");
    rlx_print_words(p, entries.at[i].key);
    rlx_buf_puts(p->out, ": ");
    rlx_print_words(p, entries.at[i].value);
  }
  rlx_vec_free(&entries);
}

static void print_items(RlxScriptPrinter *p, const RlxAst *ast, uint32_t from) {
  for (uint32_t i = from; i < ast->child_count; i++) {
    if (i > from) rlx_buf_puts(p->out, ", ");
    rlx_print_words(p, ast->children[i]);
  }
}

static void print_tuple(RlxScriptPrinter *p, const RlxAst *ast) {
  rlx_buf_putc(p->out, '(');
  print_items(p, ast, 0);
  rlx_buf_puts(p->out, ast->child_count == 1 ? ",)" : ")");
}

/// `R.dist.device_mesh([4], …)` is `R.device_mesh((4,), …)`.
static void print_call(RlxScriptPrinter *p, const RlxAst *call) {
  const RlxAst *callee = call->children[0];
  bool is_mesh = callee->kind == RLX_AST_ATTRIBUTE && call->child_count > 1 &&
                 strcmp(rlx_store_text(p->store, callee->name), "device_mesh") == 0;
  if (!is_mesh) {
    rlx_print_words(p, callee);
    rlx_buf_putc(p->out, '(');
    print_items(p, call, 1);
  } else {
    rlx_buf_puts(p->out, "R.device_mesh(");
    if (call->children[1]->kind == RLX_AST_LIST)
      print_tuple(p, call->children[1]);
    else
      rlx_print_words(p, call->children[1]);
    if (call->child_count > 2) rlx_buf_puts(p->out, ", ");
    print_items(p, call, 2);
  }
  rlx_buf_putc(p->out, ')');
}

void rlx_print_words(RlxScriptPrinter *p, const RlxAst *ast) {
  switch (ast->kind) {
  case RLX_AST_STRING: rlx_print_string(p->out, ast->text); return;
  case RLX_AST_DICT:
    rlx_buf_putc(p->out, '{');
    rlx_print_entries(p, ast, NULL, NULL);
    rlx_buf_putc(p->out, '}');
    return;
  case RLX_AST_LIST:
    rlx_buf_putc(p->out, '[');
    print_items(p, ast, 0);
    rlx_buf_putc(p->out, ']');
    return;
  case RLX_AST_TUPLE: print_tuple(p, ast); return;
  case RLX_AST_CALL: print_call(p, ast); return;
  case RLX_AST_ATTRIBUTE:
    rlx_print_words(p, ast->children[0]);
    rlx_buf_printf(p->out, ".%s", rlx_store_text(p->store, ast->name));
    return;
  case RLX_AST_KEYWORD:
    rlx_buf_printf(p->out, "%s=", rlx_store_text(p->store, ast->name));
    rlx_print_words(p, ast->children[0]);
    return;
  default: rlx_print_source(p, ast->span); return;
  }
}
