/// Names of the session: variables by name, names in a text.
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "repl/session.h"

/// `*id`, the number of the name; found when it is first asked for.
static RlxName id_of(RlxRepl *repl, const char *name, RlxName *id) {
  if (!*id) *id = rlx_store_intern(repl->store, name, strlen(name));
  return *id;
}

RlxReplVar *rlx_repl_find(RlxRepl *repl, const char *name, size_t size) {
  const RlxName id = rlx_store_intern(repl->store, name, size);
  for (uint32_t i = 0; i < repl->vars.count; i++)
    if (id_of(repl, repl->vars.at[i].name, &repl->vars.at[i].id) == id) return &repl->vars.at[i];
  return NULL;
}

bool rlx_repl_mentions(const char *text, const char *name) {
  size_t n = strlen(name);
  for (const char *p = text; (p = strstr(p, name)); p++)
    if ((p == text || (!rlx_text_in_name(p[-1]) && p[-1] != '.')) && !rlx_text_in_name(p[n]))
      return true;
  return false;
}

void rlx_repl_names_in(RlxRepl *repl, const char *text, RlxReplNames *out) {
  for (const char *p = text; *p;) {
    size_t n = 0;
    while (rlx_text_in_name(p[n])) n++;
    if (n && rlx_text_starts_name(*p) && (p == text || p[-1] != '.')) {
      const RlxName id = rlx_store_intern(repl->store, p, n);
      rlx_vec_push(out, id);
    }
    p += n ? n : 1;
  }
}

static bool has(const RlxReplNames *names, RlxName id) {
  for (uint32_t i = 0; i < names->count; i++)
    if (names->at[i] == id) return true;
  return false;
}

bool rlx_repl_has_var(RlxRepl *repl, const RlxReplNames *names, RlxReplVar *var) {
  return has(names, id_of(repl, var->name, &var->id));
}

bool rlx_repl_has_def(RlxRepl *repl, const RlxReplNames *names, RlxReplDef *def) {
  return has(names, id_of(repl, def->name, &def->id));
}
