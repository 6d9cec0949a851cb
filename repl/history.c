/// :undo. What an entry changed is noted as it was before; one :undo takes back one entry,
/// a loaded script being one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "repl/commands.h"
#include "repl/session.h"

static void drop_change(RlxRepl *repl, RlxReplChange *change) {
  repl->undo_most -= change->bytes;
  free(change->name);
  free(change->old_text);
  if (change->old_value) rlx_object_unref(change->old_value);
}

/// What only the history holds: the memory that is free when it lets go of it.
typedef struct Held {
  RlxMap references; ///< of objects and storages that have several: how many the history has
  int64_t bytes;
} Held;

/// One more reference of the history; true: with it the history has all `refs` of them.
static bool holds_all(Held *held, const void *what, int32_t refs) {
  uint64_t count = 0;
  if (refs == 1) return true;
  rlx_map_get(&held->references, (uintptr_t)what, &count);
  rlx_map_put(&held->references, (uintptr_t)what, ++count);
  return count == (uint64_t)refs;
}

/// Tensors that are in several values, or that share one memory, count once, and only when nobody else holds them.
static void hold(Held *held, const RlxObject *x) {
  if (!x || !holds_all(held, x, x->refs)) return;
  if (x->kind == RLX_OBJECT_TENSOR && x->storage && holds_all(held, x->storage, x->storage->refs))
    held->bytes += x->storage->bytes;
  if (x->kind == RLX_OBJECT_TUPLE || x->kind == RLX_OBJECT_CLOSURE)
    for (int32_t i = 0; i < x->count; i++) hold(held, x->fields[i]);
}

int64_t rlx_repl_undo_bytes(const RlxRepl *repl) {
  Held held = {0};
  for (uint32_t i = 0; i < repl->changes.count; i++) hold(&held, repl->changes.at[i].old_value);
  rlx_map_free(&held.references);
  return held.bytes;
}

/// Drops what the oldest entries changed, until so many changes are left, at least one entry: they can't be taken back any
/// more. The entry that is being noted stays whole, however much it changes: half of it taken back would be worse than a
/// long list.
static bool evict(RlxRepl *repl, uint32_t left) {
  uint32_t n = 0;
  while (n < repl->changes.count && repl->changes.at[n].entry != repl->entry &&
         (!n || repl->changes.count - n > left ||
          repl->changes.at[n].entry == repl->changes.at[n - 1].entry))
    drop_change(repl, &repl->changes.at[n++]);
  rlx_vec_remove_n(&repl->changes, 0, n);
  return n > 0;
}

/// The bytes of a value's tensors.
static int64_t bytes_of(const RlxObject *x) {
  int64_t bytes = 0;
  if (x && x->kind == RLX_OBJECT_TENSOR && x->storage) bytes = x->storage->bytes;
  if (x && (x->kind == RLX_OBJECT_TUPLE || x->kind == RLX_OBJECT_CLOSURE))
    for (int32_t i = 0; i < x->count; i++) bytes += bytes_of(x->fields[i]);
  return bytes;
}

void rlx_repl_trim_undo(RlxRepl *repl) {
  const int64_t limit = (int64_t)repl->set[RLX_REPL_SET_UNDO_MB] * 1000000; // as :who counts
  if (repl->undo_most <= limit || rlx_repl_undo_bytes(repl) <= limit) return;
  while (repl->changes.count && rlx_repl_undo_bytes(repl) > limit && evict(repl, UINT32_MAX)) {
  }
  if (rlx_repl_undo_bytes(repl) > limit) {
    rlx_repl_forget_changes(repl);
    printf(
        "note: this entry cannot be taken back: the old values are beyond :set undo-megabytes\n");
  }
  rlx_heap_trim(rlx_jit_heap(repl->jit));
}

void rlx_repl_note(RlxRepl *repl, bool is_def, const char *name, const char *old_text,
                   RlxObject *old_value) {
  if (repl->changes.count >= RLX_REPL_CHANGES_MAX) evict(repl, RLX_REPL_CHANGES_KEPT);
  RlxReplChange change = {.is_def = is_def,
                          .entry = repl->entry,
                          .name = rlx_mem_strdup(name),
                          .old_text = old_text ? rlx_mem_strdup(old_text) : NULL,
                          .old_value = old_value ? rlx_object_ref(old_value) : NULL,
                          .bytes = bytes_of(old_value)};
  repl->undo_most += change.bytes;
  rlx_vec_push(&repl->changes, change);
}

void rlx_repl_forget(RlxRepl *repl, const char *name) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < repl->changes.count; i++)
    if (!strcmp(repl->changes.at[i].name, name))
      drop_change(repl, &repl->changes.at[i]);
    else
      repl->changes.at[kept++] = repl->changes.at[i];
  repl->changes.count = kept;
}

void rlx_repl_forget_changes(RlxRepl *repl) {
  for (uint32_t i = 0; i < repl->changes.count; i++) drop_change(repl, &repl->changes.at[i]);
  rlx_vec_free(&repl->changes);
}

static void restore_def(RlxRepl *repl, RlxReplChange *change) {
  RlxReplDef *def = rlx_repl_find_def(repl, change->name, strlen(change->name));
  if (!change->old_text) {
    if (def) rlx_repl_remove_def(repl, def);
    return;
  }
  if (!def) def = rlx_repl_add_def(repl, change->name, strlen(change->name));
  free(def->text);
  def->text = change->old_text;
  rlx_repl_touch(repl, def);
  def->is_symbol = change->was_symbol;
  def->is_plain = false;
  change->old_text = NULL;
}

static void restore_var(RlxRepl *repl, RlxReplChange *change) {
  RlxReplVar *var = rlx_repl_find(repl, change->name, strlen(change->name));
  if (var) {
    rlx_object_unref(var->value);
    var->value = change->old_value;
    change->old_value = NULL;
    if (!var->value) rlx_repl_remove_var(repl, var);
  } else if (change->old_value) {
    rlx_repl_add_var(
        repl, (RlxReplVar){.name = rlx_mem_strdup(change->name), .value = change->old_value});
    change->old_value = NULL;
  }
}

/// Says what became of a name that an entry changed: a value that hides a definition was two changes.
static void tell_undone(RlxRepl *repl, const char *name) {
  const size_t size = strlen(name);
  const bool is_there =
      rlx_repl_find(repl, name, size) != NULL || rlx_repl_find_def(repl, name, size) != NULL;
  printf("%s is %s\n", name, is_there ? "what it was before" : "gone");
}

bool rlx_repl_undo(RlxRepl *repl, const char *text) {
  (void)text;
  if (!repl->changes.count) return printf("error: there is nothing to take back\n"), false;
  const uint64_t entry = rlx_vec_last(&repl->changes).entry;
  const bool is_deleted = repl->deleted > entry;
  repl->deleted = 0;
  if (is_deleted)
    return printf("error: what was deleted last cannot be taken back; :undo once more takes back "
                  "the change "
                  "before it\n"),
           false;
  RlxReplNames names = {0}; // of the entry, the last first
  RlxMap seen = {0};
  bool has_defs = false;
  while (repl->changes.count && rlx_vec_last(&repl->changes).entry == entry) {
    RlxReplChange change = rlx_vec_pop(&repl->changes);
    const RlxName name = rlx_store_intern(repl->store, change.name, strlen(change.name));
    if (rlx_map_put(&seen, name, 1)) rlx_vec_push(&names, name);
    has_defs |= change.is_def;
    if (change.is_def)
      restore_def(repl, &change);
    else
      restore_var(repl, &change);
    drop_change(repl, &change);
  }
  for (uint32_t i = 0; i < names.count; i++)
    tell_undone(repl, rlx_store_text(repl->store, names.at[i]));
  rlx_vec_free(&names);
  rlx_map_free(&seen);
  repl->needs_recheck |= has_defs;
  return true;
}
