// What :undo takes back: one entry at a time, the newest first, and whole; what is evicted when
// many changes are kept.
#include "tests/test.h"

#include <string.h>

#include "base/mem.h"
#include "repl/commands.h"

/// One REPL with no analyzer behind it: notes and :undo need none, but the names that they look up.
static RlxRepl *repl_new(RlxHeap **out_heap) {
  RlxRepl *repl = rlx_mem_zeroed(1, sizeof *repl);
  *out_heap = rlx_heap_new();
  repl->store = rlx_store_new();
  return repl;
}

static void repl_free(RlxRepl *repl, RlxHeap *heap) {
  rlx_repl_forget_changes(repl);
  for (uint32_t i = 0; i < repl->vars.count; i++) {
    free(repl->vars.at[i].name);
    rlx_object_unref(repl->vars.at[i].value);
  }
  for (uint32_t i = 0; i < repl->defs.count; i++) {
    free(repl->defs.at[i].name);
    free(repl->defs.at[i].text);
  }
  rlx_vec_free(&repl->vars);
  rlx_vec_free(&repl->defs);
  rlx_map_free(&repl->var_places);
  rlx_map_free(&repl->places);
  rlx_repl_reach_free(repl);
  rlx_heap_free(heap);
  rlx_store_free(repl->store);
  free(repl);
}

static RlxReplVar *var_of(RlxRepl *repl, const char *name) {
  return rlx_repl_find(repl, name, strlen(name));
}

static RlxReplDef *def_of(RlxRepl *repl, const char *name) {
  return rlx_repl_find_def(repl, name, strlen(name));
}

/// What the session does for `name = value`.
static void assign(RlxRepl *repl, RlxHeap *heap, const char *name, int64_t value) {
  RlxDType int64;
  assert_true(rlx_dtype_parse("int64", 5, &int64));
  RlxReplVar *var = var_of(repl, name);
  rlx_repl_note(repl, false, name, NULL, var ? var->value : NULL);
  RlxObject *x = rlx_int_new(heap, value, int64);
  if (var) {
    rlx_object_unref(var->value);
    var->value = x;
  } else
    rlx_repl_add_var(repl, (RlxReplVar){.name = rlx_mem_strdup(name), .value = x});
}

/// What the session does for a definition.
static void define(RlxRepl *repl, const char *name, const char *text) {
  RlxReplDef *def = def_of(repl, name);
  rlx_repl_note(repl, true, name, def ? def->text : NULL, NULL);
  if (def) {
    free(def->text);
    def->text = rlx_mem_strdup(text);
  } else
    rlx_repl_add_def(repl, name, strlen(name))->text = rlx_mem_strdup(text);
}

static void undo_takes_back_one_entry(void **state) {
  (void)state;
  RlxHeap *heap;
  RlxRepl *repl = repl_new(&heap);
  repl->entry = 1;
  assign(repl, heap, "x", 1);
  repl->entry = 2; // a script that is loaded: one entry with several changes, of one name twice
  define(repl, "f", "first");
  assign(repl, heap, "x", 2);
  assign(repl, heap, "y", 3);
  define(repl, "f", "second");
  assign(repl, heap, "x", 4);
  repl->entry = 5; // those between changed nothing
  define(repl, "f", "third");

  assert_true(rlx_repl_undo(repl, ""));
  assert_string_equal(def_of(repl, "f")->text, "second");
  assert_int_equal(var_of(repl, "x")->value->integer, 4);
  assert_true(rlx_repl_undo(repl, ""));
  assert_null(def_of(repl, "f"));
  assert_null(var_of(repl, "y"));
  assert_int_equal(var_of(repl, "x")->value->integer, 1);
  assert_true(rlx_repl_undo(repl, ""));
  assert_int_equal(rlx_repl_var_count(repl), 0);
  assert_int_equal(rlx_repl_def_count(repl), 0);
  assert_false(rlx_repl_undo(repl, "")); // nothing is left
  repl_free(repl, heap);
}

/// A variable and a definition of the same name are two things.
static void undo_knows_variables_from_definitions(void **state) {
  (void)state;
  RlxHeap *heap;
  RlxRepl *repl = repl_new(&heap);
  repl->entry = 1;
  define(repl, "f", "a");
  repl->entry = 2;
  assign(repl, heap, "f", 7);
  assert_true(rlx_repl_undo(repl, ""));
  assert_null(var_of(repl, "f"));
  assert_string_equal(def_of(repl, "f")->text, "a");
  repl_free(repl, heap);
}

static void the_oldest_entries_are_evicted_whole(void **state) {
  (void)state;
  RlxHeap *heap;
  RlxRepl *repl = repl_new(&heap);
  repl->entry = 1;
  for (int i = 0; i < 3; i++) assign(repl, heap, "x", i);
  for (int i = 3; i < RLX_REPL_CHANGES_MAX; i++) {
    repl->entry = 2 + (uint64_t)(i / 2); // entries of two changes
    assign(repl, heap, "x", i);
  }
  assert_int_equal(repl->changes.count, RLX_REPL_CHANGES_MAX);
  repl->entry++;
  assign(repl, heap, "x", -1);
  // Entries of two changes behind the first one of three: whole ones went.
  assert_int_equal(repl->changes.count, RLX_REPL_CHANGES_KEPT + 1);
  assert_true(repl->changes.at[0].entry == repl->changes.at[1].entry);
  const int64_t kept = repl->changes.at[0].old_value->integer;
  uint32_t entries = 0;
  while (repl->changes.count) {
    assert_true(rlx_repl_undo(repl, ""));
    entries++;
  }
  assert_int_equal(entries, RLX_REPL_CHANGES_KEPT / 2 + 1);
  assert_int_equal(var_of(repl, "x")->value->integer, kept); // what the last one that went left
  assert_false(rlx_repl_undo(repl, ""));
  repl_free(repl, heap);
}

/// An entry that changes more than is kept is still taken back whole.
static void a_long_entry_stays_whole(void **state) {
  (void)state;
  RlxHeap *heap;
  RlxRepl *repl = repl_new(&heap);
  repl->entry = 1;
  assign(repl, heap, "x", 11);
  repl->entry = 2;
  for (int i = 0; i < RLX_REPL_CHANGES_MAX + 100; i++) assign(repl, heap, "x", 100 + i);
  assert_true(rlx_repl_undo(repl, ""));
  assert_int_equal(var_of(repl, "x")->value->integer, 11);
  assert_false(rlx_repl_undo(repl, "")); // entry 1 made place
  repl_free(repl, heap);
}

static RlxObject *tensor(RlxHeap *heap, int64_t count) {
  RlxError err;
  return rlx_tensor_new(heap, RLX_FLOAT32, &count, 1, &err);
}

/// Notes an old value, which nobody but the history holds from now on.
static void note(RlxRepl *repl, RlxObject *value) {
  rlx_repl_note(repl, false, "x", NULL, value);
  rlx_object_unref(value);
}

/// What is told is the memory that would be free without the history.
static void shared_memory_counts_once(void **state) {
  (void)state;
  RlxHeap *heap;
  RlxRepl *repl = repl_new(&heap);
  RlxObject *a = tensor(heap, 1000), *b = tensor(heap, 64), *alive = tensor(heap, 5000);
  const int64_t of_a = a->storage->bytes, of_b = b->storage->bytes;
  note(repl, rlx_tuple_new(heap, (RlxObject *[]){a, b, a}, 3));
  assert_int_equal(rlx_repl_undo_bytes(repl), 0); // somebody has both
  rlx_object_unref(b);
  assert_int_equal(rlx_repl_undo_bytes(repl), of_b);
  note(repl, rlx_tuple_new(heap, (RlxObject *[]){alive, a}, 2));
  assert_int_equal(rlx_repl_undo_bytes(repl), of_b);
  RlxError err;
  RlxObject *view = rlx_tensor_view(heap, a, a->dtype, (int64_t[]){500}, 1, 2000, &err);
  note(repl, a); // the last one that was somebody's, but for a view
  assert_int_equal(rlx_repl_undo_bytes(repl), of_b);
  note(repl, view);
  assert_int_equal(rlx_repl_undo_bytes(repl), of_a + of_b);
  RlxObject *t = rlx_tuple_new(heap, (RlxObject *[]){tensor(heap, 1000)}, 1);
  rlx_object_unref(t->fields[0]);
  note(repl, rlx_object_ref(t)); // a tuple that a variable holds
  assert_int_equal(rlx_repl_undo_bytes(repl), of_a + of_b);
  note(repl, rlx_tuple_new(heap, (RlxObject *[]){t, t}, 2));
  assert_int_equal(rlx_repl_undo_bytes(repl), of_a + of_b);
  rlx_object_unref(t);
  assert_int_equal(rlx_repl_undo_bytes(repl), 2 * of_a + of_b);
  const int64_t used = rlx_heap_used_bytes(heap);
  rlx_repl_forget_changes(repl);
  assert_int_equal(used - rlx_heap_used_bytes(heap), 2 * of_a + of_b); // what it said
  rlx_object_unref(alive);
  repl_free(repl, heap);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(undo_takes_back_one_entry),
      cmocka_unit_test(undo_knows_variables_from_definitions),
      cmocka_unit_test(the_oldest_entries_are_evicted_whole),
      cmocka_unit_test(a_long_entry_stays_whole),
      cmocka_unit_test(shared_memory_counts_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
