/// Evaluates expressions in a worker, and binds values.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "jit/runtime/format.h"
#include "repl/session.h"
#include "repl/sugar.h"

/// Whether nobody could tell the values apart.
static bool is_same(const RlxObject *a, const RlxObject *b) {
  if (a->kind != b->kind || a->count != b->count) return false;
  if (a->kind == RLX_OBJECT_TUPLE) {
    for (int32_t i = 0; i < a->count; i++)
      if (!is_same(a->fields[i], b->fields[i])) return false;
    return true;
  }
  RlxBuf x = {0}, y = {0};
  rlx_object_print_sinfo(a, &x);
  rlx_object_print_sinfo(b, &y);
  bool ok = !strcmp(rlx_buf_text(&x), rlx_buf_text(&y));
  if (ok && a->kind == RLX_OBJECT_TENSOR)
    ok = !memcmp(a->data, b->data, (size_t)rlx_tensor_bytes(a));
  else if (ok) {
    rlx_object_print(a, &x);
    rlx_object_print(b, &y);
    ok = !strcmp(rlx_buf_text(&x), rlx_buf_text(&y));
  }
  rlx_buf_free(&x);
  rlx_buf_free(&y);
  return ok;
}

void rlx_repl_bind_value(RlxRepl *repl, const char *name, RlxObject *value) {
  size_t size = strlen(name);
  RlxReplVar *var = rlx_repl_find(repl, name, size);
  const RlxName origin =
      repl->loading ? rlx_store_intern(repl->store, repl->loading, strlen(repl->loading)) : 0;
  if (origin && var && is_same(var->value, value)) { // a script that is read again
    var->origin = origin;
    var->is_old = false;
    rlx_object_unref(value);
    return;
  }
  char *text = rlx_mem_strndup(name, size);
  rlx_repl_note(repl, false, text, NULL, var ? var->value : NULL);
  free(text);
  RlxReplDef *def = rlx_repl_find_def(repl, name, size);
  if (def) { // the newer one of that name counts
    rlx_repl_note(repl, true, def->name, def->text, NULL);
    rlx_vec_last(&repl->changes).was_symbol = def->is_symbol;
    rlx_repl_remove_def(repl, def);
  }
  if (repl->tells_changes) printf("%s %s\n", name, var ? "changed" : "is new");
  if (var) {
    rlx_object_unref(var->value);
    var->value = value;
  } else {
    var = rlx_repl_add_var(repl, (RlxReplVar){.name = rlx_mem_strndup(name, size), .value = value});
  }
  var->origin = origin;
  var->is_old = false;
}

bool rlx_repl_value(RlxRepl *repl, const char *expression, RlxObject **out) {
  RlxReplArgs args = {0};
  RlxName function;
  *out = NULL;
  if (rlx_repl_immediate(repl, expression, out)) return *out != NULL;
  if (rlx_repl_is_module(repl, expression)) {
    printf("<module %s>\n", expression);
    return true;
  }
  RlxProgram *program = rlx_repl_program(repl, expression, &function, &args);
  if (program && repl->entry_at == 0) { // a function as a value
    printf("<function %s>\n", rlx_store_text(repl->store, function));
    rlx_program_free(program);
    rlx_vec_free(&args);
    return true;
  }
  bool ok = rlx_repl_call(repl, program, function, &args, out);
  rlx_program_free(program);
  rlx_vec_free(&args);
  return ok;
}
