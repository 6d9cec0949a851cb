/// Trees of units that do not parse, kept while a text is parsed: of thousands of broken lines many are the same but for the names in
/// them, and tree-sitter tries all symbols of the grammar at each error.
///
/// Always true: a kept tree is what parsing the text would give. The texts are the same byte for byte but for names that have a
/// digit in them, which are as long: no word of the grammar has one, so both are the same tokens.
#include <stdlib.h>
#include <string.h>

#include "analyzer/syntax/stmt_text.h"
#include "analyzer/syntax/syntax_impl.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"

enum { KEY_BYTES_MAX = 1024 };

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether the word [from, to) of the buffer may be any name of its length: not what continues a number, `1.e5`, nor the
/// letters before a quote.
static bool is_any_name(const RlxBuf *text, size_t from, size_t to) {
  bool has_digit = false;
  if (is_digit(text->at[from]) || (from > 0 && text->at[from - 1] == '.')) return false;
  for (size_t i = from; i < to; i++) {
    if (text->at[i] & 0x80) return false;
    has_digit |= is_digit(text->at[i]);
  }
  return has_digit && (to == text->size || (text->at[to] != '"' && text->at[to] != '\''));
}

/// The buffer with one name for all of a length, into s->key.
static void make_key(RlxSyntax *s) {
  const RlxBuf *text = &s->buffer;
  rlx_buf_clear(&s->key);
  rlx_buf_putn(&s->key, text->at, text->size);
  if (memchr(text->at, '\\', text->size)) return;
  for (size_t i = 0, end; i < text->size; i = end) {
    end = i + 1;
    if (text->at[i] == '"' || text->at[i] == '\'') end = rlx_string_end(text->at, text->size, i);
    if (end <= i) end = i + 1;
    if (!rlx_text_in_name(text->at[i])) continue;
    while (end < text->size && rlx_text_in_name(text->at[end])) end++;
    if (is_any_name(text, i, end)) memset(s->key.at + i, 'a', end - i);
  }
}

static RlxKeptTree *place_of(RlxSyntax *s) {
  return &s->kept[rlx_hash_bytes(s->key.at, s->key.size, 0) % RLX_KEPT_TREES];
}

static void drop(RlxKeptTree *kept) {
  if (kept->tree) ts_tree_delete(kept->tree);
  free(kept->key);
  *kept = (RlxKeptTree){0};
}

TSTree *rlx_kept_tree(RlxSyntax *s) {
  if (s->buffer.size > KEY_BYTES_MAX) return NULL;
  make_key(s);
  const RlxKeptTree *kept = place_of(s);
  const bool is_it =
      kept->tree && kept->size == s->key.size && memcmp(kept->key, s->key.at, kept->size) == 0;
  return is_it ? ts_tree_copy(kept->tree) : NULL;
}

void rlx_keep_tree(RlxSyntax *s, const TSTree *tree) {
  if (s->buffer.size > KEY_BYTES_MAX) return;
  RlxKeptTree *kept = place_of(s);
  drop(kept);
  kept->size = (uint32_t)s->key.size;
  kept->key = rlx_mem_alloc(kept->size ? kept->size : 1, 1);
  memcpy(kept->key, s->key.at, kept->size);
  kept->tree = ts_tree_copy(tree);
}

void rlx_kept_clear(RlxSyntax *s) {
  for (uint32_t i = 0; i < RLX_KEPT_TREES; i++) drop(&s->kept[i]);
}
