/// The tables of the session: variables and definitions by name, in the order in which they came; names in a text.
///
/// Always true: a name is found, comes and goes at the same cost, however many there are.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "repl/session.h"

bool rlx_repl_has_gaps(uint32_t gaps, uint32_t count) {
  enum { WORTH = 64 }; // fewer are not worth moving the others
  return gaps >= WORTH && gaps > count / 2;
}

// ---- variables

static RlxName id_of_var(RlxRepl *repl, RlxReplVar *var) {
  if (!var->id) var->id = rlx_store_intern(repl->store, var->name, strlen(var->name));
  return var->id;
}

RlxReplVar *rlx_repl_var_of(RlxRepl *repl, RlxName name) {
  uint64_t i;
  return rlx_map_get(&repl->var_places, name, &i) ? &repl->vars.at[i] : NULL;
}

RlxReplVar *rlx_repl_find(RlxRepl *repl, const char *name, size_t size) {
  return rlx_repl_var_of(repl, rlx_store_intern(repl->store, name, size));
}

RlxReplVar *rlx_repl_add_var(RlxRepl *repl, RlxReplVar var) {
  if (rlx_repl_has_gaps(repl->var_gaps, repl->vars.count)) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < repl->vars.count; i++) {
      if (!repl->vars.at[i].name) continue;
      repl->vars.at[kept] = repl->vars.at[i];
      rlx_map_put(&repl->var_places, repl->vars.at[kept].id, kept);
      kept++;
    }
    repl->vars.count = kept;
    repl->var_gaps = 0;
  }
  var.id = 0;
  rlx_map_put(&repl->var_places, id_of_var(repl, &var), repl->vars.count);
  rlx_vec_push(&repl->vars, var);
  return &rlx_vec_last(&repl->vars);
}

void rlx_repl_remove_var(RlxRepl *repl, RlxReplVar *var) {
  rlx_map_remove(&repl->var_places, var->id);
  rlx_object_unref(var->value);
  free(var->name);
  *var = (RlxReplVar){0};
  repl->var_gaps++;
  while (repl->vars.count && !rlx_vec_last(&repl->vars).name) {
    repl->vars.count--;
    repl->var_gaps--;
  }
}

RlxReplVar *rlx_repl_next_var(const RlxRepl *repl, uint32_t *at) {
  while (*at < repl->vars.count)
    if (repl->vars.at[(*at)++].name) return &repl->vars.at[*at - 1];
  return NULL;
}

uint32_t rlx_repl_var_count(const RlxRepl *repl) { return repl->vars.count - repl->var_gaps; }

void rlx_repl_forget_temps(RlxRepl *repl, uint32_t count) {
  for (; count; count--) rlx_map_remove(&repl->var_places, rlx_vec_pop(&repl->vars).id);
}

// ---- definitions

RlxName rlx_repl_def_id(RlxRepl *repl, RlxReplDef *def) {
  if (!def->id) def->id = rlx_store_intern(repl->store, def->name, strlen(def->name));
  return def->id;
}

RlxReplDef *rlx_repl_def_of(RlxRepl *repl, RlxName name) {
  uint64_t i;
  return rlx_map_get(&repl->places, name, &i) ? &repl->defs.at[i] : NULL;
}

RlxReplDef *rlx_repl_find_def(RlxRepl *repl, const char *name, size_t size) {
  return rlx_repl_def_of(repl, rlx_store_intern(repl->store, name, size));
}

RlxReplDef *rlx_repl_next_def(const RlxRepl *repl, uint32_t *at) {
  while (*at < repl->defs.count)
    if (repl->defs.at[(*at)++].name) return &repl->defs.at[*at - 1];
  return NULL;
}

uint32_t rlx_repl_def_count(const RlxRepl *repl) { return repl->defs.count - repl->gaps; }

bool rlx_repl_are_few(const RlxRepl *repl) { return rlx_repl_def_count(repl) <= RLX_REPL_FEW; }

const char *rlx_repl_text_of(const RlxReplDef *def) {
  return def->is_in_brief ? def->brief : def->text;
}

void rlx_repl_drop_brief(RlxReplDef *def) {
  free(def->brief);
  rlx_vec_free(&def->brief_names);
  def->brief = NULL;
  def->brief_names = (RlxReplNames){0};
  rlx_vec_free(&def->brief_sinfos);
  def->is_value = def->has_no_value = def->has_no_brief = def->is_in_brief = false;
}

RlxReplDef *rlx_repl_def_at(const RlxRepl *repl, uint32_t place, uint32_t *out_start) {
  uint32_t low = 0, high = repl->laid.count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (repl->laid.at[middle].start <= place)
      low = middle + 1;
    else
      high = middle;
  }
  if (!low) return NULL;
  const RlxReplLaid *laid = &repl->laid.at[low - 1];
  RlxReplDef *def = &repl->defs.at[laid->def];
  if (!def->name || place > laid->start + strlen(rlx_repl_text_of(def))) return NULL;
  if (out_start) *out_start = laid->start;
  return def;
}

// ---- names in a text

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

void rlx_repl_once(RlxReplNames *names) {
  RlxListed seen = {0};
  uint32_t kept = 0;
  for (uint32_t i = 0; i < names->count; i++) {
    if (rlx_listed_has(&seen, names->at, kept, names->at[i])) continue;
    names->at[kept++] = names->at[i];
  }
  names->count = kept;
  rlx_listed_free(&seen);
}
