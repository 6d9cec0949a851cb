/// What may be written at a place: which sources are asked for which place.
#include "analyzer/complete/complete.h"

#include <string.h>

#include "analyzer/complete/complete_impl.h"
#include "base/hash.h"

/// Statements of Python, and where each may stand: those that TVM's parsers take, and at the other
/// places those of Python that scripts have there.
static const struct {
  const char *word;
  bool top, class, python, relax, prim;
  bool continues; ///< an `if` that stands above
} python_words[] = {
    {"return", 0, 0, 1, 1, 1, 0}, {"if", 1, 0, 1, 1, 1, 0},     {"elif", 1, 0, 1, 1, 1, 1},
    {"else", 1, 0, 1, 1, 1, 1},   {"with", 1, 0, 1, 1, 1, 0},   {"for", 1, 0, 1, 0, 1, 0},
    {"while", 1, 0, 1, 0, 1, 0},  {"assert", 1, 0, 1, 0, 1, 0}, {"def", 1, 1, 1, 1, 0, 0},
    {"class", 1, 0, 0, 0, 0, 0},  {"from", 1, 0, 1, 0, 0, 0},   {"import", 1, 0, 1, 0, 0, 0},
};

/// Whether `elif` or `else` may follow on `stmt`.
static bool is_open_if(const RlxStmt *stmt) {
  while (stmt->kind == RLX_STMT_IF && stmt->orelse && stmt->orelse->count == 1 &&
         stmt->orelse->stmts[0]->is_elif)
    stmt = stmt->orelse->stmts[0];
  return stmt->kind == RLX_STMT_IF && (!stmt->orelse || !stmt->orelse->count);
}

/// Whether an `if` ends right above the cursor: before it in its suite, or, where the line is not
/// yet moved out, around it.
static bool follows_if(const RlxComplete *c) {
  const RlxStand *stand = &c->stand;
  if (stand->block && stand->index && is_open_if(stand->block->stmts[stand->index - 1]))
    return true;
  for (const RlxStmt *around = stand->parent; around; around = around->block->parent)
    if (around->kind == RLX_STMT_IF || around->kind == RLX_STMT_DEF)
      return around->kind == RLX_STMT_IF && is_open_if(around);
  return false;
}

static void offer_python(RlxComplete *c) {
  if (!c->cursor.is_first) return;
  RlxPlace place = rlx_complete_place(c);
  bool has_if = follows_if(c);
  for (size_t i = 0; i < sizeof python_words / sizeof *python_words; i++) {
    const bool fits[] = {[RLX_PLACE_TOP] = python_words[i].top,
                         [RLX_PLACE_CLASS] = python_words[i].class,
                         [RLX_PLACE_PYTHON] = python_words[i].python,
                         [RLX_PLACE_RELAX] = python_words[i].relax,
                         [RLX_PLACE_PRIM] = python_words[i].prim};
    if (fits[place] && (has_if || !python_words[i].continues) &&
        rlx_complete_fits(c, python_words[i].word))
      rlx_complete_offer(c, RLX_OFFER_KEYWORD, python_words[i].word);
  }
  if (place == RLX_PLACE_TOP) rlx_offer_import_line(c);
}

/// What stands on the cursor's line before the word and the names in front of it, blanks at its end
/// left out.
static RlxSpan head_of(const RlxCursor *at) {
  uint32_t end = at->path.start < at->path.end ? at->path.start : at->word.start;
  while (end > at->line && strchr(" \t", at->text[end - 1])) end--;
  return rlx_span(at->line, end);
}

static bool begins_with(const RlxCursor *at, RlxSpan head, const char *word) {
  size_t size = strlen(word);
  return head.end - head.start >= size && !memcmp(at->text + head.start, word, size);
}

static bool ends_with(const RlxCursor *at, RlxSpan head, const char *word) {
  size_t size = strlen(word);
  return head.end - head.start >= size && !memcmp(at->text + head.end - size, word, size);
}

/// Words of the vocabulary come first where their statement stands, and last elsewhere: what begins
/// a block behind `with`, loops behind `for … in`; decorators never in code.
static void prefer_by_statement(const RlxComplete *c) {
  enum { NEAR = 4500, FAR = 4000 };
  const RlxCursor *at = &c->cursor;
  RlxSpan head = head_of(at);
  bool is_with = !at->depth && begins_with(at, head, "with");
  bool is_loop = !at->depth && begins_with(at, head, "for") && ends_with(at, head, " in");
  const bool ends =
      at->is_first && c->stand.parent && c->stand.parent->kind == RLX_STMT_WITH; // a dataflow block
  for (uint32_t i = 0; i < c->out->items.count; i++) {
    RlxOffer *offer = &c->out->items.at[i];
    const char *usage = offer->detail ? offer->detail : "";
    bool opens = !strncmp(usage, "with ", 5), loops = !strncmp(usage, "for ", 4);
    if (*usage == '@') offer->rank += FAR;
    if (ends && !strncmp(usage, "R.output", 8)) offer->rank -= NEAR;
    if (opens || loops) {
      if (opens ? is_with : is_loop)
        offer->rank -= NEAR;
      else if (head.end > head.start)
        offer->rank += FAR;
    }
  }
}

/// Types come first where an annotation stands, and what is no StructInfo behind them.
static void prefer_types(RlxOffers *out) {
  enum { NEAR = 4500, FAR = 3000 };
  for (uint32_t i = 0; i < out->items.count; i++) {
    RlxOffer *offer = &out->items.at[i];
    const bool is_value = offer->kind == RLX_OFFER_VARIABLE || offer->kind == RLX_OFFER_DIMENSION ||
                          offer->kind == RLX_OFFER_FUNCTION || offer->kind == RLX_OFFER_PRIM_FUNC;
    if (offer->kind == RLX_OFFER_TYPE)
      offer->rank -= NEAR;
    else if (is_value)
      offer->rank += FAR;
  }
}

/// Where nothing but a StructInfo is read.
static void keep_types(RlxOffers *out) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < out->items.count; i++)
    if (out->items.at[i].kind == RLX_OFFER_TYPE) out->items.at[kept++] = out->items.at[i];
  out->items.count = kept;
}

static bool is_annotation(const RlxCursor *at) {
  if (at->is_annotated || (!at->depth && ends_with(at, head_of(at), "->"))) return true;
  return at->depth && at->brackets[at->depth - 1].is_def && at->brackets[at->depth - 1].has_colon;
}

/// Whether the cursor is in an annotation, be it in a type that stands in another one.
static bool is_in_annotation(const RlxCursor *at) {
  for (int i = 0; i < at->depth; i++)
    if (at->brackets[i].is_def && at->brackets[i].has_colon) return true;
  return is_annotation(at);
}

/// What a statement begins with when only what opens a block, or a loop of a PrimFunc, may follow: "with " alone,
/// "for " up to `in`; NULL: something else stands there.
static const char *opener(const RlxComplete *c) {
  const RlxCursor *at = &c->cursor;
  const RlxSpan head = head_of(at);
  if (!c->fn || c->fn->kind == RLX_ISLAND_PYFUNC || at->depth) return NULL;
  if (head.end - head.start == 4 && begins_with(at, head, "with")) return "with ";
  const bool is_loop = begins_with(at, head, "for") && ends_with(at, head, " in");
  return is_loop && c->fn->kind == RLX_ISLAND_PRIM_FUNC ? "for " : NULL;
}

/// Behind `with R.`: what opens a block.
static void keep_openers(RlxOffers *out, const char *word) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < out->items.count; i++) {
    const char *usage = out->items.at[i].detail;
    if (usage && !strncmp(usage, word, strlen(word))) out->items.at[kept++] = out->items.at[i];
  }
  out->items.count = kept;
}

/// Directly behind the `if` of a Relax function.
static bool is_condition(const RlxComplete *c) {
  const RlxSpan head = head_of(&c->cursor);
  const uint32_t size = head.end - head.start;
  return c->fn && c->fn->kind == RLX_ISLAND_RELAX && !c->cursor.depth &&
         ((size == 2 && begins_with(&c->cursor, head, "if")) ||
          (size == 4 && begins_with(&c->cursor, head, "elif")));
}

/// Behind `R.output(`: the variables of the block.
static bool is_output(const RlxComplete *c) {
  const RlxCursor *at = &c->cursor;
  char path[96];
  return at->depth && at->brackets[at->depth - 1].open == '(' &&
         rlx_complete_path(c, at->brackets[at->depth - 1].callee, path, sizeof path) &&
         !strcmp(path, "R.output");
}

/// Behind `@R.`: what makes a function or a module.
static void keep_decorators(RlxOffers *out, char root) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < out->items.count; i++)
    if (rlx_island_word(root, out->items.at[i].label)) out->items.at[kept++] = out->items.at[i];
  out->items.count = kept;
}

/// Decorators under the names that the file has for their namespaces; with their `@` where none is
/// written yet.
static void offer_decorators(RlxComplete *c) {
  static const char *const usual[] = {"I.ir_module", "R.function", "T.prim_func", "I.pyfunc"};
  const RlxPlace place = rlx_complete_place(c);
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) {
    const bool is_module = !i, is_method = i == 3;
    if (place == RLX_PLACE_CLASS ? is_module : is_method && !c->cursor.is_decorator) continue;
    bool is_missing;
    const char *root = rlx_complete_root(c, *usual[i], &is_missing);
    const char *name = rlx_arena_printf(c->out->arena, "%s%s", root, usual[i] + 1);
    if (!rlx_complete_fits(c, name)) continue;
    const char *label =
        c->cursor.is_decorator ? name : rlx_arena_printf(c->out->arena, "@%s", name);
    RlxOffer *offer = rlx_complete_offer(c, RLX_OFFER_WORD, label);
    offer->filter = name;
    offer->id = usual[i];
    offer->rank += (uint32_t)i;
    if (is_missing) offer->import = rlx_complete_import(c, (char[]){*usual[i], 0});
  }
}

static void offer_code(RlxComplete *c) {
  const RlxCursor *at = &c->cursor;
  if (at->is_import) {
    rlx_offer_imports(c);
    return;
  }
  if (at->path.start < at->path.end) {
    char path[96];
    if (at->path.end - at->path.start == 1) rlx_offer_of_result(c);
    if (!rlx_complete_path(c, at->path, path, sizeof path)) return;
    bool is_space = strchr("RTI", *path) && (path[1] == 0 || path[1] == '.');
    if (is_space) {
      rlx_offer_members(c, path);
      if (at->is_decorator && !at->depth)
        keep_decorators(c->out, *path);
      else if (!strcmp(path, "R") && c->fn)
        rlx_offer_snippets(c);
      const bool is_type = is_in_annotation(at) || rlx_offer_struct_info(c);
      if (!strcmp(path, "R") && opener(c)) keep_openers(c->out, opener(c));
      if (is_type && *path == 'R')
        keep_types(c->out);
      else if (is_type)
        prefer_types(c->out);
      if (!at->is_decorator) prefer_by_statement(c);
    } else if (!strcmp(path, "tvm") || !strncmp(path, "tvm.", 4)) {
      if (!at->is_decorator) rlx_offer_python_members(c, path);
    } else {
      rlx_offer_of_value(c, path);
    }
    return;
  }
  if (at->is_decorator && !at->depth) {
    offer_decorators(c);
    rlx_offer_snippets(c);
  } else if (is_output(c)) {
    rlx_offer_outputs(c);
  } else if (opener(c)) {
    rlx_offer_openers(c, opener(c));
    if (*opener(c) == 'f' && rlx_complete_fits(c, "range"))
      rlx_complete_offer(c, RLX_OFFER_WORD, "range")->detail = "for i in range(n):";
  } else if (!rlx_offer_indices(c)) {
    const bool is_type = is_annotation(at) || rlx_offer_struct_info(c);
    c->wants_type = is_type && c->fn && c->fn->kind == RLX_ISLAND_RELAX;
    c->wants_condition = is_condition(c);
    rlx_offer_parameters(c);
    rlx_offer_axes(c);
    rlx_offer_scope(c);
    rlx_offer_qualified(c, is_type);
    offer_python(c);
    if (at->is_first && !c->fn && rlx_complete_place(c) != RLX_PLACE_PYTHON) offer_decorators(c);
    if (!c->wants_type) rlx_offer_snippets(c);
    if (is_type) prefer_types(c->out);
    prefer_by_statement(c);
  }
}

static const char *written(const RlxOffer *offer) {
  return offer->insert ? offer->insert : offer->label;
}

/// The same name once: of two offers of one label and text the better one.
static void drop_repeats(RlxOffers *out) {
  RlxMap seen = {0}; // hash of a text → its place
  uint32_t kept = 0;
  for (uint32_t i = 0; i < out->items.count; i++) {
    const RlxOffer *offer = &out->items.at[i];
    const char *text = written(offer);
    const uint64_t hash = rlx_hash_bytes(text, strlen(text), 0);
    uint64_t before;
    if (rlx_map_get(&seen, hash, &before) && !strcmp(written(&out->items.at[before]), text)) {
      if (offer->rank < out->items.at[before].rank) out->items.at[before] = *offer;
      continue;
    }
    rlx_map_put(&seen, hash, kept);
    out->items.at[kept++] = *offer;
  }
  out->items.count = kept;
  rlx_map_free(&seen);
}

void rlx_file_offers_at(RlxFile *file, uint32_t offset, bool snippets, RlxOffers *out) {
  *out = (RlxOffers){.arena = rlx_arena_new()};
  RlxComplete c;
  rlx_complete_begin(file, offset, &c);
  c.snippets = snippets;
  c.out = out;
  out->word = c.cursor.word;
  c.wants_dimension = rlx_offer_is_dimension(&c);
  c.wants_loop = rlx_offer_is_binding(&c);
  rlx_complete_prepare_trial(&c, rlx_scope_sinfo);
  if (c.cursor.where == RLX_CURSOR_STRING)
    rlx_offer_string(&c);
  else if (c.cursor.where == RLX_CURSOR_CODE)
    offer_code(&c);
  rlx_complete_rank(&c);
  drop_repeats(out);
}

bool rlx_file_awaits_argument(RlxFile *file, uint32_t offset) {
  RlxComplete c;
  rlx_complete_begin(file, offset, &c);
  const RlxCursor *at = &c.cursor;
  const RlxBracket *b = at->depth ? &at->brackets[at->depth - 1] : NULL;
  return at->where == RLX_CURSOR_CODE && b && b->keyword.end && b->keyword.end < at->offset &&
         at->text[at->offset - 1] == '=';
}

void rlx_offers_free(RlxOffers *offers) {
  rlx_arena_free(offers->arena);
  rlx_vec_free(&offers->items);
  *offers = (RlxOffers){0};
}
