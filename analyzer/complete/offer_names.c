/// Offers out of the tables: operators, words of R, T and I, their namespaces.
#include <string.h>

#include "analyzer/complete/complete_impl.h"
#include "analyzer/ops/describe.h"
#include "analyzer/words/names.h"
#include "analyzer/words/script_module.h"
#include "analyzer/words/spell.h"
#include "analyzer/words/vocabulary.h"
#include "base/hash.h"

/// A word of the vocabulary; its kind follows from what a call of it is.
typedef struct Word {
  const char *path, *call;
} Word;

static const Word words[] = {
#define RLX_WORD(id, path, params, call) {path, #call},
#include "analyzer/words/words.def"
#undef RLX_WORD
};

static bool dialect_has(const RlxComplete *c, const char *path) {
  const unsigned dialects = rlx_words_dialects(&c->file->analyzer->words, path);
  return !dialects || (dialects >> c->dialect & 1);
}

/// The first part of `rest`, up to a dot or a blank, in the offers' arena; `*has_more`: a dot
/// follows.
static const char *part_of(RlxComplete *c, const char *rest, bool *has_more) {
  const size_t size = strcspn(rest, ". ");
  *has_more = rest[size] == '.';
  return rlx_arena_strndup(c->out->arena, rest, size);
}

/// Whether this namespace's `label` was offered before; it is from now on.
static bool is_offered(RlxComplete *c, const char *label) {
  const uint64_t hash = rlx_hash_bytes(label, strlen(label), 0);
  uint64_t before;
  if (rlx_map_get(&c->seen, hash, &before)) return !strcmp((const char *)(uintptr_t)before, label);
  rlx_map_put(&c->seen, hash, (uintptr_t)label);
  return false;
}

static void offer_space(RlxComplete *c, const char *label) {
  if (rlx_complete_fits(c, label) && !is_offered(c, label))
    rlx_complete_offer(c, RLX_OFFER_NAMESPACE, label);
}

static const char *signature_of(RlxComplete *c, const RlxOpRow *row) {
  RlxBuf text = {0};
  rlx_describe_signature(row, &text);
  const char *kept = rlx_arena_strdup(c->out->arena, rlx_buf_text(&text));
  rlx_buf_free(&text);
  return kept;
}

static void offer_operator(RlxComplete *c, const RlxOpRow *row, const char *label, size_t spelling,
                           bool is_first) {
  RlxOffer *offer = rlx_complete_offer(c, RLX_OFFER_OPERATOR, label);
  offer->detail = signature_of(c, row);
  offer->id = rlx_arena_printf(c->out->arena, "R.%.*s", (int)spelling, row->script);
  offer->rank += !is_first;
}

/// Operators whose spelling goes on behind `inner` ("nn.", "").
static void offer_operators(RlxComplete *c, const char *inner) {
  int count;
  const RlxOpRow *rows = rlx_op_rows(&count);
  size_t size = strlen(inner);
  for (int i = 0; i < count; i++) {
    size_t first = strcspn(rows[i].script, " ");
    for (const char *at = rows[i].script; *at;) {
      size_t length = strcspn(at, " ");
      if (length > size && !strncmp(at, inner, size)) {
        bool has_more;
        const char *label = part_of(c, at + size, &has_more);
        if (has_more)
          offer_space(c, label);
        else if (rlx_complete_fits(c, label) && !is_offered(c, label))
          offer_operator(c, &rows[i], label, first, at == rows[i].script);
      }
      at += length;
      while (*at == ' ') at++;
    }
  }
}

/// What is said of a word; the table has the words that are met most first.
static void describe(RlxOffer *offer, const char *path) {
  const RlxVocabularyRow *row = rlx_vocabulary_row(path);
  if (!row) return;
  offer->rank += rlx_vocabulary_place(row);
  offer->detail = row->usage;
  offer->id = row->path;
}

static void offer_word(RlxComplete *c, const Word *word, const char *label) {
  bool is_type = !strcmp(word->call, "sinfo") || !strcmp(label, "Buffer");
  RlxOffer *offer = rlx_complete_offer(c, is_type ? RLX_OFFER_TYPE : RLX_OFFER_WORD, label);
  describe(offer, word->path);
  if (!offer->id) offer->rank += 200; // nothing is said of it: seldom meant
}

/// Words of the vocabulary that go on behind `path` and a dot.
static void offer_words(RlxComplete *c, const char *path) {
  size_t size = strlen(path);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    const char *at = words[i].path;
    if (strncmp(at, path, size) != 0 || at[size] != '.') continue;
    bool has_more;
    const char *label = part_of(c, at + size + 1, &has_more);
    if (!rlx_complete_fits(c, label) || !dialect_has(c, at)) continue;
    if (has_more)
      offer_space(c, label);
    else if (!is_offered(c, label))
      offer_word(c, &words[i], label);
  }
}

/// Other spellings that the dialect has, from the rows of what dialects spell differently.
static void offer_spellings(RlxComplete *c, const char *path) {
  size_t size = strlen(path);
  for (int i = 0; i < RLX_SPELLING_COUNT; i++) {
    const RlxSpellingRow *row = rlx_spelling_row((RlxSpellingId)i);
    const char *cell = row->cells[c->dialect];
    bool is_first = true;
    for (size_t n = 0; row->kind == RLX_SPELLING_PATH && *cell; cell += n + (cell[n] == ' ')) {
      n = strcspn(cell, " ");
      bool fits = n > size + 1 && !strncmp(cell, path, size) && cell[size] == '.';
      bool has_more = false;
      const char *label = fits ? part_of(c, cell + size + 1, &has_more) : NULL;
      if (fits && !has_more && rlx_complete_fits(c, label) && !is_offered(c, label)) {
        RlxOffer *offer = rlx_complete_offer(c, RLX_OFFER_WORD, label);
        offer->detail = row->meaning;
        offer->is_deprecated = !is_first;
        describe(offer, rlx_arena_printf(c->out->arena, "%s.%s", path, label));
        if (!offer->id) offer->rank += 1500; // what all dialects have under one name comes first
      }
      is_first = false;
    }
  }
}

static bool script_has(const RlxScriptName *row, RlxDialect dialect) {
  if (rlx_script_names_cover(dialect)) return row->since <= dialect && dialect <= row->until;
  return row->since == RLX_DIALECT_025; // older dialects: what the oldest rows say
}

/// Names of T behind `inner` ("axis.", "").
static void offer_script_names(RlxComplete *c, const char *inner) {
  uint32_t count;
  const RlxScriptName *rows = rlx_script_names(&count);
  size_t size = strlen(inner);
  for (uint32_t i = 0; i < count; i++) {
    if (!script_has(&rows[i], c->dialect) || strncmp(rows[i].name, inner, size) != 0) continue;
    bool has_more;
    const char *label = part_of(c, rows[i].name + size, &has_more);
    if (has_more) {
      offer_space(c, label);
      continue;
    }
    if (*label == '_' || !rlx_complete_fits(c, label)) continue;
    char *path = rlx_arena_array(c->out->arena, char, strlen(rows[i].name) + 3);
    strcpy(strcpy(path, "T.") + 2, rows[i].name);
    if (!dialect_has(c, path) || is_offered(c, label)) continue;
    RlxDType dtype;
    bool is_dtype = rlx_dtype_parse(label, strlen(label), &dtype);
    bool is_type = !strcmp(label, "Buffer") || !strcmp(label, "handle") || !strcmp(label, "Ptr");
    RlxOffer *offer = rlx_complete_offer(c,
                                         is_dtype  ? RLX_OFFER_DTYPE
                                         : is_type ? RLX_OFFER_TYPE
                                                   : RLX_OFFER_WORD,
                                         label);
    const bool in_relax = c->fn && c->fn->kind == RLX_ISLAND_RELAX; // numbers: what T is for there
    if (is_dtype) offer->rank += dtype.lanes > 1 ? 6000 : in_relax ? 0 : 3500;
    describe(offer, path);
    if (!offer->id) {
      offer->rank += *label >= 'A' && *label <= 'Z' ? 400 : 200;
      bool is_asked = c->cursor.offset > c->cursor.word.start; // else hundreds: the page has it
      if (is_asked && rows[i].how != RLX_SCRIPT_OTHER)
        offer->detail = rlx_arena_printf(c->out->arena, "T.%s(%s)", rows[i].name, rows[i].params);
      offer->id = path;
    }
  }
}

void rlx_offer_members(RlxComplete *c, const char *path) {
  c->seen = (RlxMap){0};
  offer_words(c, path);
  if (*path == 'R') {
    const char *inner = path[1] ? rlx_arena_printf(c->out->arena, "%s.", path + 2) : "";
    offer_operators(c, inner);
  }
  if (*path == 'T') {
    const char *inner = path[1] ? rlx_arena_printf(c->out->arena, "%s.", path + 2) : "";
    offer_script_names(c, inner);
  }
  offer_spellings(c, path);
  rlx_map_free(&c->seen);
}

// ---- without their namespace

/// The namespaces of scripts, in the order in which a line imports them.
static const char *const spaces[][3] = {{"I", "tvm.script.ir", "tvm.script.ir"},
                                        {"R", "tvm.script.relax", "tvm.script.relax"},
                                        {"T", "tvm.script.tir", "tvm.script.tirx"}};

const char *rlx_complete_root(const RlxComplete *c, char root, bool *is_missing) {
  const RlxMap *known = &c->file->island_names.paths;
  uint32_t cursor = 0;
  RlxMapEntry entry;
  bool has_any = false;
  const char *usual = NULL;
  *is_missing = false;
  for (size_t i = 0; i < 3; i++)
    if (*spaces[i][0] == root) usual = spaces[i][0];
  while (rlx_map_next(known, &cursor, &entry)) {
    const char *text = rlx_store_text(c->store, (RlxName)entry.value);
    for (size_t i = 0; i < 3; i++) {
      bool is_it = !strcmp(text, spaces[i][1]) || !strcmp(text, spaces[i][2]);
      has_any |= is_it;
      if (is_it && *spaces[i][0] == root) return rlx_store_text(c->store, (RlxName)entry.key);
    }
  }
  // A printed script has no imports and needs none.
  *is_missing = has_any || c->file->fns.count == 0;
  return usual;
}

const char *rlx_complete_import(const RlxComplete *c, const char *roots) {
  RlxBuf line = {0};
  for (size_t i = 0; i < 3; i++) {
    bool is_missing = false;
    if (!strchr(roots, *spaces[i][0])) continue;
    rlx_complete_root(c, *spaces[i][0], &is_missing);
    if (!is_missing) continue;
    rlx_buf_puts(&line, line.size ? ", " : "from tvm.script import ");
    rlx_buf_printf(&line, "%s as %s", rlx_script_module(*spaces[i][0], c->dialect), spaces[i][0]);
  }
  const char *kept = line.size ? rlx_arena_strdup(c->out->arena, rlx_buf_text(&line)) : NULL;
  rlx_buf_free(&line);
  return kept;
}

void rlx_offer_import_line(RlxComplete *c) {
  const char *line = rlx_complete_import(c, "IRT");
  if (!line || !rlx_complete_fits(c, line)) return;
  RlxOffer *offer = rlx_complete_offer(c, RLX_OFFER_KEYWORD, line);
  offer->detail = "the namespaces of scripts";
  bool is_first = true; // of the file's TVM: what follows needs it
  for (const char *root = "IRT"; *root; root++) {
    bool is_missing;
    rlx_complete_root(c, *root, &is_missing);
    is_first &= is_missing;
  }
  if (is_first) offer->rank -= 6500;
}

/// Drops the offers from `from` on that are no types.
static void keep_types(RlxOffers *out, uint32_t from) {
  uint32_t kept = from;
  for (uint32_t i = from; i < out->items.count; i++)
    if (out->items.at[i].kind == RLX_OFFER_TYPE) out->items.at[kept++] = out->items.at[i];
  out->items.count = kept;
}

/// Operators of the namespaces below R, by the last part of their names.
static void offer_nested(RlxComplete *c) {
  int count;
  const RlxOpRow *rows = rlx_op_rows(&count);
  for (int i = 0; i < count; i++) {
    size_t size = strcspn(rows[i].script, " "), last = size;
    while (last && rows[i].script[last - 1] != '.') last--;
    const char *name = rlx_arena_strndup(c->out->arena, rows[i].script + last, size - last);
    if (!last || !rlx_complete_fits(c, name)) continue;
    const char *label = rlx_arena_strndup(c->out->arena, rows[i].script, size);
    offer_operator(c, &rows[i], label, size, true);
    rlx_vec_last(&c->out->items).filter = name;
  }
}

/// Members of the namespace `root`, and with `deep` of those in it, each with the file's name of it before.
static void offer_root(RlxComplete *c, char root, bool is_far, bool deep) {
  const uint32_t from = c->out->items.count;
  const char path[2] = {root, 0};
  rlx_offer_members(c, path);
  if (root == 'R' && deep) offer_nested(c);
  bool is_missing;
  const char *name = rlx_complete_root(c, root, &is_missing);
  const char *import = is_missing ? rlx_complete_import(c, path) : NULL;
  for (uint32_t i = from; i < c->out->items.count; i++) {
    RlxOffer *offer = &c->out->items.at[i];
    if (!offer->filter) offer->filter = offer->label;
    offer->label = rlx_arena_printf(c->out->arena, "%s.%s", name, offer->label);
    offer->import = import;
    offer->rank += 3000u + (is_far ? 1000u : 0u) + (offer->kind == RLX_OFFER_DTYPE ? 3000u : 0u);
  }
}

void rlx_offer_qualified(RlxComplete *c, bool only_types) {
  if (c->cursor.offset - c->cursor.word.start < 2 && !only_types) return;
  bool in_prim = c->fn && c->fn->kind == RLX_ISLAND_PRIM_FUNC;
  static const char roots[] = {'R', 'T', 'I'};
  for (size_t r = 0; r < sizeof roots; r++) {
    bool is_usual = !c->fn || (roots[r] == 'T') == in_prim || roots[r] == 'T';
    if (!is_usual || (in_prim && roots[r] != 'T') || (roots[r] == 'I' && c->fn)) continue;
    if (only_types && roots[r] == 'T' && c->fn && !in_prim) continue;
    const uint32_t from = c->out->items.count;
    offer_root(c, roots[r], (roots[r] == 'T') != in_prim, !only_types);
    if (only_types) keep_types(c->out, from);
  }
}

void rlx_offer_openers(RlxComplete *c, const char *word) {
  const uint32_t from = c->out->items.count;
  uint32_t kept = from;
  offer_root(c, c->fn->kind == RLX_ISLAND_PRIM_FUNC ? 'T' : 'R', false, false);
  for (uint32_t i = from; i < c->out->items.count; i++)
    if (c->out->items.at[i].detail && !strncmp(c->out->items.at[i].detail, word, strlen(word)))
      c->out->items.at[kept++] = c->out->items.at[i];
  c->out->items.count = kept;
}

/// Names with what they are, in that order.
static void offer_names(RlxComplete *c, const char *const (*names)[2], size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (!rlx_complete_fits(c, names[i][0])) continue;
    RlxOffer *offer = rlx_complete_offer(c, RLX_OFFER_NAMESPACE, names[i][0]);
    offer->detail = names[i][1];
    offer->rank += (uint32_t)i;
  }
}

// ---- modules of TVM's Python

void rlx_offer_python_members(RlxComplete *c, const char *path) {
  uint32_t place = 0;
  const RlxMembers *row;
  for (size_t i = 0; (row = rlx_members_row(i)); i++) {
    if (strcmp(row->path, path) != 0) continue;
    for (const char *at = row->names; *at; at += strspn(at, " ")) {
      const size_t size = strcspn(at, " ");
      const char *name = rlx_arena_strndup(c->out->arena, at, size);
      at += size;
      place++;
      if (!rlx_complete_fits(c, name)) continue;
      RlxOffer *offer = rlx_complete_offer(c, row->kind, name);
      offer->detail = row->text;
      offer->rank += place;
    }
  }
  const char *tir = rlx_script_module('T', c->dialect);
  if ((!strcmp(path, "tvm") || !strcmp(path, "tvm.script")) && rlx_complete_fits(c, tir))
    rlx_complete_offer(c, RLX_OFFER_NAMESPACE, tir)->detail = "TensorIR";
}

/// `from PATH import `: what the module has; `head` is the line before the cursor.
static void offer_imported(RlxComplete *c, const char *head) {
  static const char from[] = "from ", import[] = " import ";
  const char *behind = strstr(head, import);
  if (strncmp(head, from, sizeof from - 1) != 0 || !behind) return;
  char *path = rlx_arena_strndup(c->out->arena, head + sizeof from - 1,
                                 (size_t)(behind - head) - (sizeof from - 1));
  rlx_name_space(path);
  if (strchr("RTI", *path) && (!path[1] || path[1] == '.'))
    rlx_offer_members(c, path);
  else if (strcmp(path, "tvm.relax") == 0)
    rlx_offer_python_members(c, path);
}

/// Names with what they are, as a line that imports has them; those that it has already are left out.
static void offer_new_names(RlxComplete *c, const char *head, const char *const (*names)[2],
                            size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!strstr(head, names[i][0])) offer_names(c, &names[i], 1);
}

/// What may stand at the cursor of a line that imports: by what is written before it, one blank
/// between words.
void rlx_offer_imports(RlxComplete *c) {
  char head[80];
  uint32_t n = 0;
  for (uint32_t i = c->cursor.line; i < c->cursor.word.start; i++) {
    bool is_more = n && head[n - 1] == ' ' && strchr(" \t", c->cursor.text[i]);
    if (n + 1 >= sizeof head) return;
    if (!is_more) head[n++] = c->cursor.text[i] == '\t' ? ' ' : c->cursor.text[i];
  }
  head[n] = 0;
  const char *tir = rlx_script_module('T', c->dialect);
  const char *const script[][2] = {{"ir as I", "modules"},
                                   {"relax as R", "Relax"},
                                   {rlx_arena_printf(c->out->arena, "%s as T", tir), "TensorIR"}};
  const char *const modules[][2] = {
      {"script", "TVMScript"},      {"relax", "Relax in Python"},
      {tir, "TensorIR in Python"},  {"ir", "modules in Python"},
      {"te", "tensor expressions"}, {"topi", "operators as tensor expressions"}};
  const char *const parts[][2] = {{"relax", "Relax"}, {"ir", "modules"}, {tir, "TensorIR"}};
  const char *const tvm[][2] = {{"tvm", "TVM"}};
  const size_t module_count = sizeof modules / sizeof *modules;
  if (!strcmp(head, "from ") || !strcmp(head, "import ")) offer_names(c, tvm, 1);
  if (!strcmp(head, "from tvm.") || !strcmp(head, "import tvm.") ||
      !strcmp(head, "from tvm import "))
    offer_names(c, modules, module_count);
  if (!strcmp(head, "from tvm.script.") || !strcmp(head, "import tvm.script."))
    offer_names(c, parts, sizeof parts / sizeof *parts);
  if (strncmp(head, "from tvm.script import ", 23) == 0)
    offer_new_names(c, head + 23, script, sizeof script / sizeof *script);
  else
    offer_imported(c, head);
}

// ---- pages

bool rlx_offer_page(const char *id, RlxBuf *out) {
  if (id[0] == 'R' && id[1] == '.') {
    const RlxOpRow *row = rlx_op_find(id + 2, strlen(id + 2));
    if (row) {
      rlx_describe_op(row, out);
      return true;
    }
  }
  const RlxVocabularyRow *row = rlx_vocabulary_row(id);
  if (row) {
    rlx_buf_printf(out, "```python\n%s\n```\n%s", row->usage, row->text);
    return true;
  }
  if (id[0] != 'T' || id[1] != '.') return false;
  const RlxScriptName *name = rlx_script_name(id + 2, RLX_DIALECT_025);
  if (!name) name = rlx_script_name(id + 2, RLX_DIALECT_027);
  if (!name) return false;
  rlx_buf_puts(out, "```python\nT.");
  rlx_script_name_tell(name, out);
  rlx_buf_puts(out, "\n```");
  return true;
}
