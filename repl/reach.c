/// Which definitions are in the text that is analysed. A session may have thousands, and an entry is to cost what it
/// changes or calls: it is analysed with what its names reach, and a definition with briefs (brief.c) of what it mentions.
/// What entries before it reached stays in the text for a while, so that it is not analysed again and again.
///
/// Always true: what a definition in the text mentions is in the text, too. Few definitions are in it all. What is asked
/// here costs what is answered, not what there is.
#include <stdlib.h>
#include <string.h>

#include "analyzer/syntax/syntax_operators.h"
#include "base/mem.h"
#include "base/text.h"
#include "repl/session.h"

enum {
  RECENT = 64, ///< of many definitions those stay in the text that one of so many questions reached
};

typedef Vec(uint32_t) Places;

static int by_number(const void *a, const void *b) {
  const RlxName *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

static bool has_name(const RlxReplNames *sorted, RlxName id) {
  return sorted->count && bsearch(&id, sorted->at, sorted->count, sizeof *sorted->at, by_number);
}

// ---- what leads to what

static RlxReplNames *list_of(const RlxReplIndex *index, RlxName name) {
  uint64_t place;
  return rlx_map_get(&index->places, name, &place) ? &index->lists.at[place] : NULL;
}

static void put_into(RlxReplIndex *index, RlxName name, RlxName def) {
  RlxReplNames *list = list_of(index, name);
  if (!list) {
    rlx_map_put(&index->places, name, index->lists.count);
    rlx_vec_push(&index->lists, (RlxReplNames){0});
    list = &rlx_vec_last(&index->lists);
  }
  if (!list->count || rlx_vec_last(list) != def) rlx_vec_push(list, def);
}

static void free_index(RlxReplIndex *index) {
  for (uint32_t i = 0; i < index->lists.count; i++) rlx_vec_free(&index->lists.at[i]);
  rlx_vec_free(&index->lists);
  rlx_map_free(&index->places);
}

/// Notes the functions inside of a module: names behind "def".
static void note_inner(RlxRepl *repl, const RlxReplDef *def) {
  for (const char *p = def->text; (p = strstr(p, "def")); p += 3) {
    const bool is_word =
        (p == def->text || !rlx_text_in_name(p[-1])) && (p[3] == ' ' || p[3] == '\t');
    const char *name = p + 3 + strspn(p + 3, " \t");
    size_t n = 0;
    while (rlx_text_in_name(name[n])) n++;
    if (is_word && n) put_into(&repl->inner, rlx_store_intern(repl->store, name, n), def->id);
  }
}

/// Whether it is a word of Python's own, which leads to nothing.
static bool is_reserved(const RlxRepl *repl, RlxName name) {
  const char *text = rlx_store_text(repl->store, name);
  return rlx_word_is_reserved(text, (uint32_t)strlen(text));
}

/// The names that a definition mentions, and what leads to it by them.
const RlxReplNames *rlx_repl_names_of(RlxRepl *repl, RlxReplDef *def) {
  if (def->has_names) return &def->names;
  RlxReplNames names = {0};
  rlx_repl_def_id(repl, def);
  rlx_repl_names_in(repl, def->text, &names);
  if (names.count) qsort(names.at, names.count, sizeof *names.at, by_number);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < names.count; i++)
    if ((!i || names.at[i] != names.at[i - 1]) && !is_reserved(repl, names.at[i]))
      names.at[kept++] = names.at[i];
  names.count = kept;
  for (uint32_t i = 0; i < names.count; i++) {
    if (has_name(&def->names, names.at[i])) continue; // it was noted for the text before
    put_into(&repl->users, names.at[i], def->id);
    if (def->is_unnamed) put_into(&repl->bound, names.at[i], def->id);
  }
  rlx_vec_free(&def->names);
  def->names = names;
  def->has_names = true;
  if (rlx_repl_mentions(def->text, "class")) note_inner(repl, def);
  return &def->names;
}

void rlx_repl_reread(RlxRepl *repl, RlxReplDef *def) {
  def->has_names = false;
  rlx_repl_drop_brief(def);
  rlx_vec_push(&repl->unread, rlx_repl_def_id(repl, def));
}

void rlx_repl_touch(RlxRepl *repl, RlxReplDef *def) {
  rlx_vec_push(&repl->touched, rlx_repl_def_id(repl, def));
  if (def->is_unnamed && def->text) {
    const RlxReplNames *names = rlx_repl_names_of(repl, def);
    for (uint32_t i = 0; i < names->count; i++) rlx_vec_push(&repl->touched, names->at[i]);
  }
  rlx_repl_reread(repl, def);
}

/// Looks at the texts that changed.
static void read_texts(RlxRepl *repl) {
  while (repl->unread.count) {
    RlxReplDef *def = rlx_repl_def_of(repl, rlx_vec_pop(&repl->unread));
    if (def && def->text) rlx_repl_names_of(repl, def);
  }
}

const RlxReplNames *rlx_repl_users_of(RlxRepl *repl, RlxName name) {
  static const RlxReplNames none;
  read_texts(repl);
  RlxReplNames *list = list_of(&repl->users, name);
  if (!list) return &none;
  rlx_repl_once(list);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    RlxReplDef *def = rlx_repl_def_of(repl, list->at[i]);
    if (def && def->text && has_name(rlx_repl_names_of(repl, def), name))
      list->at[kept++] = list->at[i];
  }
  list->count = kept;
  return list;
}

bool rlx_repl_is_mentioned(RlxRepl *repl, RlxReplDef *def) {
  const RlxName id = rlx_repl_def_id(repl, def);
  if (def->is_always) return true;
  const RlxReplNames *users = rlx_repl_users_of(repl, id);
  if (users->count > 1 || (users->count && users->at[0] != id)) return true;
  if (!def->is_unnamed) return false;
  for (uint32_t i = 0; i < def->names.count; i++) {
    users = rlx_repl_users_of(repl, def->names.at[i]);
    if (users->count > 1 || (users->count && users->at[0] != id)) return true;
  }
  return false;
}

// ---- what is in the text

static void put_in_text(RlxRepl *repl, RlxReplDef *def, bool is_in_brief) {
  def->is_in_brief = is_in_brief;
  repl->has_briefs |= is_in_brief;
  const uint32_t place = (uint32_t)(def - repl->defs.at);
  uint32_t low = 0, high = repl->in_text.count;
  if (def->is_in_text) return;
  def->is_in_text = true;
  if (high && repl->in_text.at[high - 1] < place) low = high;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (repl->in_text.at[middle] < place)
      low = middle + 1;
    else
      high = middle;
  }
  rlx_vec_insert_n(&repl->in_text, low, &place, 1);
}

/// Forgets the places that are empty.
static void drop_gaps(RlxRepl *repl) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < repl->in_text.count; i++)
    if (repl->defs.at[repl->in_text.at[i]].name) repl->in_text.at[kept++] = repl->in_text.at[i];
  repl->in_text.count = kept;
}

/// Places in `defs` are others: what was noted of them is noted anew.
static void moved(RlxRepl *repl) {
  rlx_vec_clear(&repl->in_text);
  rlx_vec_clear(&repl->laid);
  for (uint32_t i = 0; i < repl->defs.count; i++)
    if (repl->defs.at[i].is_in_text) rlx_vec_push(&repl->in_text, i);
}

void rlx_repl_reach_free(RlxRepl *repl) {
  free_index(&repl->users);
  free_index(&repl->inner);
  free_index(&repl->bound);
  rlx_vec_free(&repl->touched);
  rlx_vec_free(&repl->found);
  rlx_vec_free(&repl->unread);
  rlx_vec_free(&repl->in_text);
  rlx_vec_free(&repl->laid);
}

/// `asked` 0: nothing is called, so briefs will do.
static void reach_def(RlxRepl *repl, RlxName id, uint64_t asked, Places *open) {
  RlxReplDef *def = rlx_repl_def_of(repl, id);
  if (!def || !def->text) return;
  const bool in_brief = def->brief && (!asked || def->is_value),
             is_there = def->is_in_text && (in_brief || !def->is_in_brief);
  if (is_there && def->asked >= asked) return;
  put_in_text(repl, def, in_brief && (!def->is_in_text || def->is_in_brief));
  if (asked > def->asked) def->asked = asked;
  rlx_vec_push(open, (uint32_t)(def - repl->defs.at));
}

/// Puts what the names lead to into the text, with what it mentions; `asked`: a question reached it.
static void reach(RlxRepl *repl, const RlxReplNames *names, uint64_t asked) {
  Places open = {0};
  for (;;) {
    for (uint32_t i = 0; i < names->count; i++) {
      reach_def(repl, names->at[i], asked, &open);
      const RlxReplNames *bound = list_of(&repl->bound, names->at[i]);
      for (uint32_t k = 0; bound && k < bound->count; k++)
        reach_def(repl, bound->at[k], asked, &open);
    }
    if (!open.count) break;
    RlxReplDef *next = &repl->defs.at[rlx_vec_pop(&open)];
    names = next->is_in_brief ? &next->brief_names : rlx_repl_names_of(repl, next);
  }
  rlx_vec_free(&open);
}

/// Appends the modules that have a function of one of the names inside, where no definition has it.
static void add_modules(RlxRepl *repl, RlxReplNames *names) {
  const uint32_t count = names->count;
  for (uint32_t i = 0; i < count; i++) {
    const RlxReplNames *inner =
        rlx_repl_def_of(repl, names->at[i]) ? NULL : list_of(&repl->inner, names->at[i]);
    if (inner) rlx_vec_push_n(names, inner->at, inner->count);
  }
}

/// Takes out of the text what was not asked for lately, when it is much.
static void drop_unused(RlxRepl *repl) {
  drop_gaps(repl);
  if (repl->in_text.count <= RLX_REPL_FEW) return;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < repl->in_text.count; i++) {
    RlxReplDef *def = &repl->defs.at[repl->in_text.at[i]];
    def->is_in_text = def->is_always || (def->asked && repl->asked - def->asked < RECENT);
    if (def->is_in_text) repl->in_text.at[kept++] = repl->in_text.at[i];
  }
  repl->in_text.count = kept;
  Places roots = {0};
  rlx_vec_push_n(&roots, repl->in_text.at, kept);
  for (uint32_t i = 0; i < kept; i++) // one that changed mentions others than when it was asked for
    if (!repl->defs.at[roots.at[i]].is_in_brief)
      reach(repl, rlx_repl_names_of(repl, &repl->defs.at[roots.at[i]]), 0);
  rlx_vec_free(&roots);
}

void rlx_repl_need_all(RlxRepl *repl) {
  drop_gaps(repl);
  if (repl->in_text.count == rlx_repl_def_count(repl) && !repl->has_briefs) return;
  rlx_vec_clear(&repl->in_text);
  repl->has_briefs = false;
  for (uint32_t i = 0; i < repl->defs.count; i++) {
    if (!repl->defs.at[i].name) continue;
    repl->defs.at[i].is_in_text = true;
    repl->defs.at[i].is_in_brief = false;
    rlx_vec_push(&repl->in_text, i);
  }
}

void rlx_repl_need(RlxRepl *repl, const char *text) {
  if (rlx_repl_are_few(repl)) {
    rlx_repl_need_all(repl);
    return;
  }
  RlxReplNames names = {0};
  read_texts(repl);
  rlx_repl_names_in(repl, text, &names);
  rlx_repl_once(&names);
  add_modules(repl, &names);
  reach(repl, &names, ++repl->asked);
  drop_unused(repl);
  rlx_vec_free(&names);
}

/// Marks a definition as touched; one that was not is to be analysed.
static void touch_def(RlxRepl *repl, RlxName id) {
  RlxReplDef *def = rlx_repl_def_of(repl, id);
  if (!def || def->is_touched) return;
  def->is_touched = true;
  rlx_vec_push(&repl->found, id);
}

static void touch_users(RlxRepl *repl, RlxName id) {
  const RlxReplNames *users = rlx_repl_users_of(repl, id);
  RlxReplDef *def = rlx_repl_def_of(repl, id);
  if (def) def->is_spread = true;
  for (uint32_t i = 0; i < users->count; i++) touch_def(repl, users->at[i]);
}

/// Puts those that were found from the place `first` on into the text, and what they mention.
static void put_found(RlxRepl *repl, uint32_t first) {
  for (uint32_t i = first; i < repl->found.count; i++) {
    RlxReplDef *def = rlx_repl_def_of(repl, repl->found.at[i]);
    rlx_repl_drop_brief(def);
    put_in_text(repl, def, false);
  }
  for (uint32_t i = first; i < repl->found.count; i++)
    reach(repl, rlx_repl_names_of(repl, rlx_repl_def_of(repl, repl->found.at[i])), 0);
}

static void forget_found(RlxRepl *repl) {
  for (uint32_t i = 0; i < repl->found.count; i++) {
    RlxReplDef *def = rlx_repl_def_of(repl, repl->found.at[i]);
    if (def) def->is_touched = def->is_spread = false;
  }
  rlx_vec_clear(&repl->found);
}

void rlx_repl_need_touched(RlxRepl *repl) {
  if (rlx_repl_are_few(repl)) {
    rlx_repl_need_all(repl);
    for (uint32_t i = 0; i < repl->in_text.count; i++) {
      rlx_repl_drop_brief(&repl->defs.at[repl->in_text.at[i]]);
      repl->defs.at[repl->in_text.at[i]].outcome = 0;
    }
    return;
  }
  repl->asked++;
  forget_found(repl);
  drop_unused(repl);
  for (uint32_t i = 0; i < repl->touched.count; i++) {
    const RlxReplDef *def = rlx_repl_def_of(repl, repl->touched.at[i]);
    touch_def(repl, repl->touched.at[i]);
    if (!def || def->is_unnamed) touch_users(repl, repl->touched.at[i]);
  }
  put_found(repl, 0);
}

bool rlx_repl_need_users(RlxRepl *repl) {
  const uint32_t before = repl->found.count;
  if (rlx_repl_are_few(repl)) return false;
  for (uint32_t i = 0; i < before; i++) {
    const RlxReplDef *def = rlx_repl_def_of(repl, repl->found.at[i]);
    if (!def->is_spread && (!def->now || def->now != def->outcome))
      touch_users(repl, repl->found.at[i]);
  }
  // As many again at least, so that a long chain takes few rounds.
  for (uint32_t i = before; i < repl->found.count && repl->found.count < 2 * before; i++)
    touch_users(repl, repl->found.at[i]);
  put_found(repl, before);
  const bool is_more = repl->found.count > before;
  if (!is_more) forget_found(repl);
  return is_more;
}

// ---- definitions come and go

static void close_gaps(RlxRepl *repl) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < repl->defs.count; i++) {
    if (!repl->defs.at[i].name) continue;
    repl->defs.at[kept] = repl->defs.at[i];
    rlx_map_put(&repl->places, repl->defs.at[kept].id, kept);
    kept++;
  }
  repl->defs.count = kept;
  repl->gaps = 0;
  moved(repl);
}

RlxReplDef *rlx_repl_add_def(RlxRepl *repl, const char *name, size_t size) {
  RlxReplDef def = {.name = rlx_mem_strndup(name, size)};
  if (rlx_repl_has_gaps(repl->gaps, repl->defs.count)) close_gaps(repl);
  def.is_unnamed = !rlx_text_is_name(def.name, size);
  def.is_always = def.is_unnamed && strchr(def.name, '*');
  rlx_map_put(&repl->places, rlx_repl_def_id(repl, &def), repl->defs.count);
  rlx_vec_push(&repl->defs, def);
  return &rlx_vec_last(&repl->defs);
}

void rlx_repl_move_last(RlxRepl *repl, RlxReplDef *def) {
  rlx_repl_touch(repl, def);
  const bool is_in_text = def->is_in_text;
  RlxReplDef moved = *def;
  moved.is_in_text = false;
  *def = (RlxReplDef){0};
  repl->gaps++;
  rlx_map_put(&repl->places, moved.id, repl->defs.count);
  rlx_vec_push(&repl->defs, moved);
  if (is_in_text) put_in_text(repl, &rlx_vec_last(&repl->defs), false);
}

void rlx_repl_remove_def(RlxRepl *repl, RlxReplDef *def) {
  repl->needs_recheck |= rlx_repl_is_mentioned(repl, def);
  rlx_repl_touch(repl, def);
  rlx_map_remove(&repl->places, def->id);
  free(def->name);
  free(def->text);
  free(def->origin);
  free(def->kept_text);
  rlx_repl_drop_brief(def);
  rlx_vec_free(&def->names);
  *def = (RlxReplDef){0};
  repl->gaps++;
}

void rlx_repl_judged(RlxRepl *repl) { rlx_vec_clear(&repl->touched); }
