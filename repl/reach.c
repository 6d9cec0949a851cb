/// Which definitions are in the text that is analysed. A session may have thousands, and an entry is to cost what it
/// changes or calls: it is analysed with what its names reach. What entries before it reached stays in the text for a
/// while, so that it is not analysed again and again.
///
/// Always true: what a definition in the text mentions is in the text, too. Few definitions are in it all.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "repl/session.h"

enum {
  FEW = 256,   ///< so many definitions are always in the text
  RECENT = 64, ///< of more those stay in it that one of so many questions reached
};

typedef Vec(uint32_t) Places;

// ---- definitions by name

static RlxName id_of(RlxRepl *repl, RlxReplDef *def) {
  if (!def->id) def->id = rlx_store_intern(repl->store, def->name, strlen(def->name));
  return def->id;
}

static void put_place(RlxRepl *repl, uint32_t i) {
  rlx_map_put(&repl->places, id_of(repl, &repl->defs.at[i]), i);
}

static RlxReplDef *def_of(RlxRepl *repl, RlxName id) {
  uint64_t i;
  if (!rlx_map_count(&repl->places))
    for (uint32_t k = 0; k < repl->defs.count; k++) put_place(repl, k);
  return rlx_map_get(&repl->places, id, &i) ? &repl->defs.at[i] : NULL;
}

RlxReplDef *rlx_repl_find_def(RlxRepl *repl, const char *name, size_t size) {
  return def_of(repl, rlx_store_intern(repl->store, name, size));
}

RlxReplDef *rlx_repl_add_def(RlxRepl *repl, const char *name, size_t size) {
  RlxReplDef def = {.name = rlx_mem_strndup(name, size)};
  def.is_unnamed = !rlx_text_is_name(def.name, size);
  rlx_vec_push(&repl->defs, def);
  if (rlx_map_count(&repl->places) || repl->defs.count == 1) put_place(repl, repl->defs.count - 1);
  return &rlx_vec_last(&repl->defs);
}

void rlx_repl_remove_def(RlxRepl *repl, uint32_t i) {
  RlxReplDef *def = &repl->defs.at[i];
  rlx_repl_touch(repl, def);
  free(def->name);
  free(def->text);
  free(def->origin);
  free(def->kept_text);
  rlx_vec_free(&def->names);
  rlx_vec_remove_n(&repl->defs, i, 1);
  rlx_map_clear(&repl->places); // those behind it move up
}

// ---- what mentions what

static int by_number(const void *a, const void *b) {
  const RlxName *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

static const RlxReplNames *names_of(RlxRepl *repl, RlxReplDef *def) {
  if (def->has_names) return &def->names;
  RlxReplNames *names = &def->names;
  rlx_vec_clear(names);
  rlx_repl_names_in(repl, def->text, names);
  if (names->count) qsort(names->at, names->count, sizeof *names->at, by_number);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < names->count; i++)
    if (!i || names->at[i] != names->at[i - 1]) names->at[kept++] = names->at[i];
  names->count = kept;
  def->has_names = true;
  def->is_module = rlx_repl_mentions(def->text, "class");
  return names;
}

void rlx_repl_touch(RlxRepl *repl, RlxReplDef *def) {
  rlx_vec_push(&repl->touched, id_of(repl, def));
  def->has_names = false;
}

/// Puts what the names lead to into the text, with what it mentions; `asked`: a question reached it.
static void reach(RlxRepl *repl, const RlxReplNames *names, uint64_t asked) {
  Places open = {0};
  for (;;) {
    for (uint32_t i = 0; i < names->count; i++) {
      RlxReplDef *def = def_of(repl, names->at[i]);
      if (!def || (def->is_in_text && def->asked >= asked)) continue;
      def->is_in_text = true;
      if (asked > def->asked) def->asked = asked;
      rlx_vec_push(&open, (uint32_t)(def - repl->defs.at));
    }
    if (!open.count) break;
    names = names_of(repl, &repl->defs.at[rlx_vec_pop(&open)]);
  }
  rlx_vec_free(&open);
}

/// Appends the modules that have one of the names inside, where no definition has it.
static void add_modules(RlxRepl *repl, RlxReplNames *names) {
  const uint32_t count = names->count;
  for (uint32_t i = 0; i < repl->defs.count; i++) {
    RlxReplDef *def = &repl->defs.at[i];
    const RlxReplNames *own = names_of(repl, def);
    if (!def->is_module) continue;
    for (uint32_t k = 0; k < count; k++)
      if (!def_of(repl, names->at[k]) &&
          bsearch(&names->at[k], own->at, own->count, sizeof *own->at, by_number)) {
        rlx_vec_push(names, def->id);
        break;
      }
  }
}

/// Takes out of the text what was not asked for lately, when it is much.
static void drop_unused(RlxRepl *repl) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < repl->defs.count; i++) count += repl->defs.at[i].is_in_text;
  if (count <= FEW) return;
  for (uint32_t i = 0; i < repl->defs.count; i++) {
    RlxReplDef *def = &repl->defs.at[i];
    def->is_in_text = def->is_unnamed || (def->asked && repl->asked - def->asked < RECENT);
  }
  for (uint32_t i = 0; i < repl->defs.count;
       i++) // one that changed mentions others than when it was asked for
    if (repl->defs.at[i].is_in_text) reach(repl, names_of(repl, &repl->defs.at[i]), 0);
}

// ---- the text

void rlx_repl_need_all(RlxRepl *repl) {
  for (uint32_t i = 0; i < repl->defs.count; i++) repl->defs.at[i].is_in_text = true;
}

void rlx_repl_need(RlxRepl *repl, const char *text) {
  if (repl->defs.count <= FEW) {
    rlx_repl_need_all(repl);
    return;
  }
  RlxReplNames names = {0};
  rlx_repl_names_in(repl, text, &names);
  add_modules(repl, &names);
  reach(repl, &names, ++repl->asked);
  drop_unused(repl);
  rlx_vec_free(&names);
}

/// Names that are looked for in many places: a byte for each number.
typedef Vec(bool) Marks;

static void mark(Marks *marks, RlxName id) {
  while (marks->count <= id) rlx_vec_push(marks, false);
  marks->at[id] = true;
}

static bool mentions_marked(RlxRepl *repl, RlxReplDef *def, const Marks *marks) {
  const RlxReplNames *names = names_of(repl, def);
  for (uint32_t i = 0; i < names->count; i++)
    if (names->at[i] < marks->count && marks->at[names->at[i]]) return true;
  return false;
}

bool rlx_repl_staged_is_mentioned(RlxRepl *repl) {
  Marks marks = {0};
  bool found = false;
  for (uint32_t i = 0; i < repl->defs.count; i++)
    if (repl->defs.at[i].is_staged) mark(&marks, repl->defs.at[i].id);
  for (uint32_t i = 0; i < repl->defs.count && !found; i++)
    found = !repl->defs.at[i].is_plain && mentions_marked(repl, &repl->defs.at[i], &marks);
  rlx_vec_free(&marks);
  return found;
}

void rlx_repl_need_touched(RlxRepl *repl) {
  if (repl->defs.count <= FEW) {
    rlx_repl_need_all(repl);
    return;
  }
  Marks marks = {0};
  drop_unused(repl);
  for (uint32_t i = 0; i < repl->touched.count; i++) mark(&marks, repl->touched.at[i]);
  for (uint32_t i = 0; i < repl->defs.count; i++) {
    RlxReplDef *def = &repl->defs.at[i];
    def->is_touched = def->is_unnamed || (def->id < marks.count && marks.at[def->id]);
  }
  for (bool any = true; any;) { // users mostly stand behind what they use: one round finds them
    any = false;
    for (uint32_t i = 0; i < repl->defs.count; i++) {
      RlxReplDef *def = &repl->defs.at[i];
      if (def->is_touched || !mentions_marked(repl, def, &marks)) continue;
      def->is_touched = any = true;
      mark(&marks, def->id);
    }
  }
  for (uint32_t i = 0; i < repl->defs.count; i++) {
    RlxReplDef *def = &repl->defs.at[i];
    if (!def->is_touched) continue;
    def->is_in_text = true;
    reach(repl, names_of(repl, def), 0);
  }
  rlx_vec_free(&marks);
}

void rlx_repl_judged(RlxRepl *repl) { rlx_vec_clear(&repl->touched); }
