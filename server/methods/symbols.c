/// Symbols of the workspace: those of open documents and of the scripts on disk, found by letters of
/// their name in order, the best first.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "server/methods/index.h"
#include "server/methods/methods.h"

enum { ANSWERS_MAX = 512 };

typedef struct Match {
  RlxIndexSymbol symbol; ///< its texts belong to others
  const char *uri;
  int score;
} Match;

typedef struct Search {
  const char *query;
  Vec(Match) matches;
} Search;

static int lower(char c) { return tolower((unsigned char)c); }

static bool begins_word(const char *text, size_t at) {
  if (!at) return true;
  bool is_letter = isalnum((unsigned char)text[at - 1]) != 0;
  return !is_letter ||
         (isupper((unsigned char)text[at]) && !isupper((unsigned char)text[at - 1])) ||
         (isdigit((unsigned char)text[at]) && !isdigit((unsigned char)text[at - 1]));
}

enum { WHOLE = 100000, PREFIX = 1000, WORD = 700, PART = 500 };

/// For a name that has `query` in one piece; -1: it has not.
static int rate_piece(const char *name, size_t size, const char *query, size_t wanted) {
  int best = -1;
  for (size_t at = 0; wanted && at + wanted <= size; at++) {
    if (strncasecmp(name + at, query, wanted) != 0) continue;
    int score = (!at                     ? PREFIX
                 : begins_word(name, at) ? WORD
                                         : PART) +
                (strncmp(name + at, query, wanted) ? 0 : 10);
    if (score > best) best = score;
  }
  return best;
}

/// How well the letters of `query` fit `name`: -1 when they are not in it, in this order. A run of
/// letters, one at the start of a word and one of the same case count more; a long rest counts less.
static int rate(const char *name, const char *query) {
  size_t size = strlen(name), wanted = strlen(query);
  int score = rate_piece(name, size, query, wanted),
      shortness = 50 - (int)(size < 200 ? size : 200) / 4;
  if (score >= 0) return (wanted == size ? WHOLE : 0) + score + shortness;
  size_t from = 0;
  score = 0;
  for (size_t i = 0; i < wanted; i++) { // a start of a word is better than the first place
    size_t first = size, start = size;
    for (size_t k = from; k < size && start == size; k++) {
      if (lower(name[k]) != lower(query[i])) continue;
      if (first == size) first = k;
      if (begins_word(name, k)) start = k;
    }
    if (first == size) return -1;
    size_t at = first;
    if (first != from && start < size) { // only when the rest can still follow
      size_t rest = i + 1, k = start + 1;
      for (; rest < wanted && k < size; k++) rest += lower(name[k]) == lower(query[rest]);
      if (rest == wanted) at = start;
    }
    score += 10 + (at == from && i ? 20 : 0) + (begins_word(name, at) ? 15 : 0) +
             (name[at] == query[i] ? 1 : 0);
    from = at + 1;
  }
  return (score < PART - 60 ? score : PART - 60) + shortness;
}

/// `Module.main`: the part before the last dot is about the container.
static int rate_symbol(const RlxIndexSymbol *symbol, const char *query) {
  const char *dot = strrchr(query, '.');
  if (!dot) return rate(symbol->name, query);
  char around[128];
  size_t size = (size_t)(dot - query);
  if (size >= sizeof around || !symbol->container) return -1;
  memcpy(around, query, size);
  around[size] = 0;
  int outer = rate(symbol->container, around), inner = rate(symbol->name, dot + 1);
  return outer < 0 || inner < 0 ? -1 : outer + inner;
}

static void look(Search *search, const RlxIndexSymbols *symbols, const char *uri) {
  for (uint32_t i = 0; i < symbols->count; i++) {
    int score = rate_symbol(&symbols->at[i], search->query);
    if (score >= 0) rlx_vec_push(&search->matches, (Match){symbols->at[i], uri, score});
  }
}

static void look_in_file(void *data, const RlxIndexFile *file) {
  look(data, &file->symbols, file->uri);
}

static int best_first(const void *a, const void *b) {
  const Match *x = a, *y = b;
  if (x->score != y->score) return x->score < y->score ? 1 : -1;
  int names = strcmp(x->symbol.name, y->symbol.name), files = strcmp(x->uri, y->uri);
  if (names || files) return names ? names : files;
  return x->symbol.line < y->symbol.line ? -1 : x->symbol.line > y->symbol.line;
}

static void write_match(const Match *match, RlxJson *json) {
  const RlxIndexSymbol *symbol = &match->symbol;
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "name", symbol->name);
  rlx_json_key_int(json, "kind", symbol->kind);
  if (symbol->container) rlx_json_key_text(json, "containerName", symbol->container);
  rlx_json_key(json, "location");
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "uri", match->uri);
  rlx_json_key(json, "range");
  rlx_json_places(json, (RlxPosition){symbol->line, symbol->from},
                  (RlxPosition){symbol->line, symbol->to});
  rlx_json_end(json, '}');
  rlx_json_end(json, '}');
}

static void write_symbols(RlxServer *server, const cJSON *params, RlxJson *json) {
  const char *query = rlx_json_string(params, "query");
  Search search = {.query = query ? query : ""};
  RlxIndexSymbols *open = rlx_mem_zeroed(server->files.count + 1, sizeof *open);
  for (uint32_t i = 0; i < server->files.count; i++) {
    RlxOpenFile *file = &server->files.at[i];
    bool was_awake = file->file != NULL;
    rlx_server_wake(server, file);
    rlx_index_symbols(server, file, &open[i]);
    look(&search, &open[i], file->uri);
    if (!was_awake) rlx_server_sleep(server, file);
  }
  rlx_index_each(server, look_in_file, &search);
  if (search.matches.count)
    qsort(search.matches.at, search.matches.count, sizeof *search.matches.at, best_first);
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < search.matches.count && i < ANSWERS_MAX; i++)
    write_match(&search.matches.at[i], json);
  rlx_json_end(json, ']');
  for (uint32_t i = 0; i < server->files.count; i++) rlx_index_free_symbols(&open[i]);
  free(open);
  rlx_vec_free(&search.matches);
}

RlxRpcCode rlx_lsp_workspace_symbol(RlxServer *server, const cJSON *params, RlxJson *result) {
  return rlx_index_ask(server, params, "looking for symbols", write_symbols, result);
}
