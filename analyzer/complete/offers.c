/// What may be written at a place: which sources are asked for which place.
#include "analyzer/complete/complete.h"

#include <string.h>

#include "analyzer/complete/complete_impl.h"

static const char *const python_words[] = {"return", "if", "else", "with", "for", "def"};

static void offer_python(RlxComplete *c) {
  if (!c->cursor.is_first) return;
  for (size_t i = 0; i < sizeof python_words / sizeof *python_words; i++)
    if (rlx_complete_fits(c, python_words[i]))
      rlx_complete_offer(c, RLX_OFFER_KEYWORD, python_words[i]);
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
  for (uint32_t i = 0; i < c->out->items.count; i++) {
    RlxOffer *offer = &c->out->items.at[i];
    const char *usage = offer->detail ? offer->detail : "";
    bool opens = !strncmp(usage, "with ", 5), loops = !strncmp(usage, "for ", 4);
    if (*usage == '@') offer->rank += FAR;
    if (opens || loops) {
      if (opens ? is_with : is_loop)
        offer->rank -= NEAR;
      else if (head.end > head.start)
        offer->rank += FAR;
    }
  }
}

/// Types come first where an annotation stands.
static void prefer_types(RlxOffers *out) {
  for (uint32_t i = 0; i < out->items.count; i++)
    if (out->items.at[i].kind == RLX_OFFER_TYPE) out->items.at[i].rank -= 4500;
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

static void offer_decorators(RlxComplete *c) {
  static const char *const usual[] = {"R.function", "T.prim_func", "I.ir_module", "I.pyfunc"};
  for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
    if (rlx_complete_fits(c, usual[i])) {
      RlxOffer *offer = rlx_complete_offer(c, RLX_OFFER_WORD, usual[i]);
      offer->id = usual[i];
    }
  rlx_offer_snippets(c);
}

static void offer_code(RlxComplete *c) {
  const RlxCursor *at = &c->cursor;
  if (at->is_import) {
    rlx_offer_imports(c);
    return;
  }
  if (at->path.start < at->path.end) {
    char path[96];
    if (!rlx_complete_path(c, at->path, path, sizeof path)) return;
    bool is_space = strchr("RTI", *path) && (path[1] == 0 || path[1] == '.');
    if (is_space) {
      rlx_offer_members(c, path);
      if (at->is_decorator && !at->depth)
        keep_decorators(c->out, *path);
      else if (!strcmp(path, "R") && c->fn)
        rlx_offer_snippets(c);
      if (is_in_annotation(at) || rlx_offer_struct_info(c)) prefer_types(c->out);
      if (!at->is_decorator) prefer_by_statement(c);
    } else {
      rlx_offer_of_value(c, path);
    }
    return;
  }
  if (at->is_decorator && !at->depth) {
    offer_decorators(c);
  } else if (is_output(c)) {
    rlx_offer_outputs(c);
  } else {
    const bool is_type = is_annotation(at) || rlx_offer_struct_info(c);
    rlx_offer_parameters(c);
    rlx_offer_scope(c);
    rlx_offer_qualified(c, is_type);
    offer_python(c);
    rlx_offer_snippets(c);
    if (is_type) prefer_types(c->out);
    prefer_by_statement(c);
  }
}

/// The same name once: of two offers of one label and text the better one.
static void drop_repeats(RlxOffers *out) {
  RlxStrMap seen = {0};
  uint32_t kept = 0;
  for (uint32_t i = 0; i < out->items.count; i++) {
    const RlxOffer *offer = &out->items.at[i];
    const char *text = offer->insert ? offer->insert : offer->label;
    uint64_t before;
    if (rlx_strmap_get(&seen, text, strlen(text), &before)) {
      if (offer->rank < out->items.at[before].rank) out->items.at[before] = *offer;
      continue;
    }
    rlx_strmap_put(&seen, text, strlen(text), kept);
    out->items.at[kept++] = *offer;
  }
  out->items.count = kept;
  rlx_strmap_free(&seen);
}

void rlx_file_offers_at(RlxFile *file, uint32_t offset, bool snippets, RlxOffers *out) {
  *out = (RlxOffers){.arena = rlx_arena_new()};
  RlxComplete c;
  rlx_complete_begin(file, offset, &c);
  c.snippets = snippets;
  c.out = out;
  out->word = c.cursor.word;
  if (c.cursor.where == RLX_CURSOR_STRING)
    rlx_offer_string(&c);
  else if (c.cursor.where == RLX_CURSOR_CODE)
    offer_code(&c);
  rlx_complete_rank(&c);
  drop_repeats(out);
}

void rlx_offers_free(RlxOffers *offers) {
  rlx_arena_free(offers->arena);
  rlx_vec_free(&offers->items);
  *offers = (RlxOffers){0};
}
