/// Names of the session: variables and definitions by name.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "repl/session.h"

bool rlx_repl_is_name_start(char c) { return isalpha((unsigned char)c) || c == '_' || (c & 0x80); }
bool rlx_repl_is_name(char c) { return rlx_repl_is_name_start(c) || isdigit((unsigned char)c); }

RlxReplVar *rlx_repl_find(RlxRepl *repl, const char *name, size_t size) {
  for (uint32_t i = 0; i < repl->vars.count; i++)
    if (strlen(repl->vars.at[i].name) == size && !memcmp(repl->vars.at[i].name, name, size))
      return &repl->vars.at[i];
  return NULL;
}

RlxReplDef *rlx_repl_find_def(RlxRepl *repl, const char *name, size_t size) {
  for (uint32_t i = 0; i < repl->defs.count; i++)
    if (strlen(repl->defs.at[i].name) == size && !memcmp(repl->defs.at[i].name, name, size))
      return &repl->defs.at[i];
  return NULL;
}

static void drop_def(RlxReplDef *def) {
  free(def->name);
  free(def->text);
  free(def->origin);
  free(def->kept_text);
}

void rlx_repl_remove_def(RlxRepl *repl, uint32_t i) {
  drop_def(&repl->defs.at[i]);
  rlx_vec_remove_n(&repl->defs, i, 1);
}
