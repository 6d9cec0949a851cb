/// :undo and :set. What an entry changed is noted as it was before; one :undo takes back one entry,
/// a loaded script being one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/nearest.h"
#include "repl/session.h"

static void drop_change(RlxReplChange *change) {
  free(change->name);
  free(change->old_text);
  if (change->old_value) rlx_object_unref(change->old_value);
}

/// Drops what the oldest entry changed: that entry can't be taken back any more. The entry that is
/// being noted stays whole, however much it changes: half of it taken back would be worse than a
/// long list.
static void evict(RlxRepl *repl) {
  const uint64_t oldest = repl->changes.at[0].entry;
  if (oldest == repl->entry) return;
  uint32_t n = 1;
  while (n < repl->changes.count && repl->changes.at[n].entry == oldest) n++;
  for (uint32_t i = 0; i < n; i++) drop_change(&repl->changes.at[i]);
  rlx_vec_remove_n(&repl->changes, 0, n);
}

void rlx_repl_note(RlxRepl *repl, bool is_def, const char *name, const char *old_text,
                   RlxObject *old_value) {
  if (repl->changes.count >= RLX_REPL_CHANGES_MAX) evict(repl);
  RlxReplChange change = {is_def, repl->entry, rlx_mem_strdup(name),
                          old_text ? rlx_mem_strdup(old_text) : NULL,
                          old_value ? rlx_object_ref(old_value) : NULL};
  rlx_vec_push(&repl->changes, change);
}

void rlx_repl_forget_changes(RlxRepl *repl) {
  for (uint32_t i = 0; i < repl->changes.count; i++) drop_change(&repl->changes.at[i]);
  rlx_vec_free(&repl->changes);
}

static void restore_def(RlxRepl *repl, RlxReplChange *change) {
  for (uint32_t i = 0; i < repl->defs.count; i++) {
    RlxReplDef *def = &repl->defs.at[i];
    if (strcmp(def->name, change->name) != 0) continue;
    free(def->text);
    def->text = change->old_text;
    change->old_text = NULL;
    if (def->text) return;
    free(def->name);
    rlx_vec_remove_n(&repl->defs, i, 1);
    return;
  }
}

static void restore_var(RlxRepl *repl, RlxReplChange *change) {
  for (uint32_t i = 0; i < repl->vars.count; i++) {
    RlxReplVar *var = &repl->vars.at[i];
    if (strcmp(var->name, change->name) != 0) continue;
    rlx_object_unref(var->value);
    var->value = change->old_value;
    change->old_value = NULL;
    if (var->value) return;
    free(var->name);
    rlx_vec_remove_n(&repl->vars, i, 1);
    return;
  }
}

bool rlx_repl_undo(RlxRepl *repl) {
  if (!repl->changes.count) return printf("error: there is nothing to take back\n"), false;
  uint64_t entry = rlx_vec_last(&repl->changes).entry;
  while (repl->changes.count && rlx_vec_last(&repl->changes).entry == entry) {
    RlxReplChange change = rlx_vec_pop(&repl->changes);
    bool was_there = change.is_def ? change.old_text != NULL : change.old_value != NULL;
    printf("%s is %s\n", change.name, was_there ? "what it was before" : "gone");
    if (change.is_def)
      restore_def(repl, &change);
    else
      restore_var(repl, &change);
    drop_change(&change);
  }
  return true;
}

// ---- settings

static const struct {
  const char *name, *values, *help;
} settings[] = {
#define RLX_REPL_SETTING(id, name, values, help) {name, values, help},
#include "repl/settings.def"
#undef RLX_REPL_SETTING
};
enum { SETTINGS = sizeof settings / sizeof *settings };

/// Index of `value` among blank-separated `values`, or -1.
static int index_of(const char *values, const char *value) {
  size_t size = strlen(value);
  for (int i = 0; *values; i++) {
    size_t n = strcspn(values, " ");
    if (n == size && !memcmp(values, value, n)) return i;
    values += n + (values[n] == ' ');
  }
  return -1;
}

static void show_setting(const RlxRepl *repl, int i) {
  const char *value = settings[i].values;
  for (int k = repl->set[i]; k > 0; k--) value += strcspn(value, " ") + 1;
  printf("%-20s %-6.*s %s (%s)\n", settings[i].name, (int)strcspn(value, " "), value,
         settings[i].help, settings[i].values);
}

static void apply_settings(RlxRepl *repl) {
  repl->settings.implicit_match_cast = repl->set[RLX_REPL_SET_IMPLICIT_MATCH_CAST] != 0;
  repl->settings.normal_form = (uint8_t)repl->set[RLX_REPL_SET_NORMAL_FORM];
  rlx_analyzer_configure(repl->analyzer, &repl->settings);
}

void rlx_repl_take_settings(RlxRepl *repl, const RlxSettings *given) {
  repl->settings = *given;
  repl->set[RLX_REPL_SET_SINFO] = 1;
  repl->set[RLX_REPL_SET_IMPLICIT_MATCH_CAST] = given->implicit_match_cast;
  repl->set[RLX_REPL_SET_NORMAL_FORM] = given->normal_form;
  rlx_analyzer_configure(repl->analyzer, given);
}

bool rlx_repl_set(RlxRepl *repl, const char *text) {
  size_t size = strcspn(text, " \t=");
  const char *value = text + size + strspn(text + size, " \t=");
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)(size < 60 ? size : 60), text);
  RlxNearest nearest = rlx_nearest_start(name);
  for (int i = 0; i < SETTINGS; i++) {
    rlx_nearest_try(&nearest, settings[i].name);
    if (*name && strcmp(settings[i].name, name) != 0) continue;
    if (!*name || !*value) {
      show_setting(repl, i);
      if (*name) return true;
      continue;
    }
    int index = index_of(settings[i].values, value);
    if (index < 0) return printf("error: %s is one of: %s\n", name, settings[i].values), false;
    repl->set[i] = index;
    apply_settings(repl);
    return true;
  }
  if (!*name) return true;
  if (nearest.best)
    printf("error: there is no setting %s; did you mean %s?\n", name, nearest.best);
  else
    printf("error: there is no setting %s; :set lists them\n", name);
  return false;
}
