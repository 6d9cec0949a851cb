/// Which functions of a file name which others, read from the text alone: an identifier that is a
/// function's name stands for a use of it.
#include "analyzer/ask/reach.h"

#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/vec.h"

typedef struct Part {
  const RlxStmt *stmt;
  uint32_t next;      ///< the next function with its name plus one; 0: none
  Vec(uint32_t) uses; ///< first functions of the names in it
} Part;

struct RlxReach {
  const char *text;
  uint32_t size;
  RlxFunctionViews views;
  Vec(Part) parts;   ///< one for each of `views`
  RlxStrMap by_name; ///< first function of a name
};

static void read_names(RlxReach *r, Part *part) {
  const char *at = r->text + part->stmt->start, *end = at + part->stmt->size;
  while (at < end) {
    const char *begin = at;
    while (at < end && rlx_text_in_name(*at)) at++;
    uint64_t found;
    if (at > begin && rlx_strmap_get(&r->by_name, begin, (size_t)(at - begin), &found)) {
      bool is_new = true;
      for (uint32_t i = 0; is_new && i < part->uses.count; i++)
        is_new = part->uses.at[i] != (uint32_t)found;
      if (is_new) rlx_vec_push(&part->uses, (uint32_t)found);
    }
    at += at == begin;
  }
}

RlxReach *rlx_reach_new(RlxFile *file) {
  RlxReach *r = rlx_mem_zeroed(1, sizeof *r);
  const RlxDocument *doc = rlx_file_document(file);
  const RlxStore *store = rlx_document_store(doc);
  r->text = rlx_document_text(doc, &r->size);
  rlx_file_functions(file, &r->views);
  for (uint32_t i = 0; i < r->views.count; i++) {
    const char *name = rlx_store_text(store, r->views.at[i].name);
    uint64_t first;
    Part part = {.stmt = r->views.at[i].stmt};
    if (rlx_strmap_get(&r->by_name, name, strlen(name), &first)) {
      part.next = r->parts.at[first].next;
      r->parts.at[first].next = i + 1;
    } else {
      rlx_strmap_put(&r->by_name, name, strlen(name), i);
    }
    rlx_vec_push(&r->parts, part);
  }
  for (uint32_t i = 0; i < r->parts.count; i++) read_names(r, &r->parts.at[i]);
  return r;
}

void rlx_reach_free(RlxReach *r) {
  if (!r) return;
  for (uint32_t i = 0; i < r->parts.count; i++) rlx_vec_free(&r->parts.at[i].uses);
  rlx_vec_free(&r->parts);
  rlx_vec_free(&r->views);
  rlx_strmap_free(&r->by_name);
  free(r);
}

/// Marks the functions that those in `todo` name, and empties it.
static void follow(const RlxReach *r, bool *is_in, uint32_t first) {
  Vec(uint32_t) todo = {0};
  rlx_vec_push(&todo, first);
  is_in[first] = true;
  while (todo.count) {
    const Part *part = &r->parts.at[rlx_vec_pop(&todo)];
    for (uint32_t i = 0; i < part->uses.count; i++)
      for (uint32_t k = part->uses.at[i] + 1; k; k = r->parts.at[k - 1].next) {
        if (is_in[k - 1]) continue;
        is_in[k - 1] = true;
        rlx_vec_push(&todo, k - 1);
      }
  }
  rlx_vec_free(&todo);
}

static uint64_t hash_suite(const RlxReach *r, const RlxBlock *block, uint64_t seed);

/// Of what the statement means: comments and blank lines between statements are left out.
static uint64_t hash_stmt(const RlxReach *r, const RlxStmt *stmt, uint64_t seed) {
  seed = rlx_hash_bytes(r->text + stmt->start, stmt->head_size, rlx_hash_mix(seed, stmt->kind));
  seed = hash_suite(r, stmt->body, seed);
  seed = hash_suite(r, stmt->orelse, seed);
  for (uint32_t i = 0; i < stmt->block_count; i++) seed = hash_suite(r, stmt->blocks[i], seed);
  return seed;
}

static uint64_t hash_suite(const RlxReach *r, const RlxBlock *block, uint64_t seed) {
  for (uint32_t i = 0; block && i < block->count; i++) seed = hash_stmt(r, block->stmts[i], seed);
  return rlx_hash_mix(seed, block ? block->count : 0);
}

uint64_t rlx_reach_hash(const RlxReach *r, const RlxStmt *def, uint64_t seed) {
  bool *is_in = rlx_mem_zeroed(r->parts.count + 1, sizeof *is_in);
  for (uint32_t i = 0; i < r->parts.count; i++)
    if (r->parts.at[i].stmt == def) follow(r, is_in, i);
  uint32_t at = 0;
  for (uint32_t i = 0; i < r->parts.count; i++) {
    const RlxStmt *stmt = r->parts.at[i].stmt;
    if (stmt->start >= at) seed = rlx_hash_bytes(r->text + at, stmt->start - at, seed);
    if (is_in[i]) seed = hash_stmt(r, stmt, seed);
    at = stmt->start + stmt->size > at ? stmt->start + stmt->size : at;
  }
  free(is_in);
  return rlx_hash_bytes(r->text + at, r->size - at, seed);
}
