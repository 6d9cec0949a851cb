/// Evaluates expressions in a worker, and binds values.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "repl/session.h"
#include "repl/sugar.h"

void rlx_repl_bind_value(RlxRepl *repl, const char *name, RlxObject *value) {
  size_t size = strlen(name);
  RlxReplVar *var = rlx_repl_find(repl, name, size);
  char *text = rlx_mem_strndup(name, size);
  rlx_repl_note(repl, false, text, NULL, var ? var->value : NULL);
  free(text);
  RlxReplDef *def = rlx_repl_find_def(repl, name, size);
  if (def) { // the newer one of that name counts
    rlx_repl_note(repl, true, def->name, def->text, NULL);
    rlx_vec_last(&repl->changes).was_symbol = def->is_symbol;
    rlx_repl_remove_def(repl, (uint32_t)(def - repl->defs.at));
    repl->needs_recheck = true;
  }
  if (var) {
    rlx_object_unref(var->value);
    var->value = value;
  } else
    rlx_vec_push(&repl->vars, (RlxReplVar){.name = rlx_mem_strndup(name, size), .value = value});
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
