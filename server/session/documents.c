/// The open documents: which of them are awake, and when the server begins with a new store.
///
/// A document is awake (analysed, or about to be) or asleep: then only its text is kept, and it is
/// opened again when somebody asks for it. Awake are those that were asked for last. What is
/// hash-consed stays as long as its store, so a store in which much is dead goes, with all
/// analyses: all documents fall asleep, and those that were awake wake up in a new one. An answer
/// never depends on any of this.
#include <stdlib.h>
#include <string.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "base/mem.h"
#include "server/session/session.h"

enum {
  RLX_AWAKE_MAX = 64,               ///< documents that are awake between two messages
  RLX_AWAKE_BYTES_MAX = 8 << 20,    ///< of text in them; one may be larger
  RLX_STORE_GROWTH_BYTES = 1 << 20, ///< the store may grow by this and by half of what it was
  RLX_GONE_BYTES = 32 << 10,        ///< of text may go, and half of what is open
  RLX_DUE_MAX = 4,                  ///< messages for which a new store is put off while others wait
  RLX_TRIM_BYTES = 64 << 10,        ///< of text were closed: their memory goes back to the system
};

static uint32_t text_size(const RlxOpenFile *file) {
  uint32_t size = file->size;
  if (file->file) rlx_document_text(rlx_file_document(file->file), &size);
  return size;
}

/// The document's text is analysed from here on.
static void awake(RlxServer *server, RlxOpenFile *file) {
  server->awake++;
  server->has_woken = true;
  rlx_file_name_lines(file->file, &file->line_names);
  rlx_server_configure_file(server, file);
}

RlxOpenFile *rlx_server_open(RlxServer *server, const char *uri, const char *text, uint32_t size) {
  RlxOpenFile opened = {.uri = rlx_mem_strdup(uri),
                        .file = rlx_file_open(server->analyzer, text, size),
                        .used = ++server->uses};
  rlx_vec_push(&server->files, opened);
  rlx_strmap_put(&server->by_uri, uri, strlen(uri), server->files.count - 1);
  RlxOpenFile *file = &rlx_vec_last(&server->files);
  awake(server, file);
  return file;
}

void rlx_server_sleep(RlxServer *server, RlxOpenFile *file) {
  if (!file->file) return;
  rlx_open_file_forget_conversions(file);
  server->column->line = NULL;
  uint32_t size = 0;
  const char *text = rlx_document_text(rlx_file_document(file->file), &size);
  file->text = rlx_mem_alloc((size_t)size + 1, 1);
  memcpy(file->text, text, size);
  file->text[size] = 0;
  file->size = size;
  file->asks_modules = rlx_file_asks_modules(file->file);
  rlx_file_close(file->file);
  file->file = NULL;
  if (file->project) rlx_project_deinit(file->project);
  free(file->project);
  file->project = NULL;
  server->awake--;
  server->freed_bytes += size;
}

void rlx_server_wake(RlxServer *server, RlxOpenFile *file) {
  file->used = ++server->uses;
  if (file->file) return;
  bool is_dirty = file->is_dirty;
  file->file = rlx_file_open(server->analyzer, file->text, file->size);
  free(file->text);
  file->text = NULL;
  awake(server, file);
  file->is_dirty = is_dirty;
}

RlxOpenFile *rlx_server_find(RlxServer *server, const char *uri) {
  uint64_t place = 0;
  if (!uri || !rlx_strmap_get(&server->by_uri, uri, strlen(uri), &place)) return NULL;
  rlx_server_wake(server, &server->files.at[place]);
  return &server->files.at[place];
}

static void drop(RlxOpenFile *file) {
  rlx_open_file_forget_conversions(file);
  rlx_file_close(file->file);
  if (file->project) rlx_project_deinit(file->project);
  free(file->project);
  rlx_vec_free(&file->tokens);
  free(file->text);
  free(file->uri);
}

void rlx_server_close(RlxServer *server, RlxOpenFile *file) {
  rlx_server_forget_schedule(server);
  uint32_t place = (uint32_t)(file - server->files.at), size = text_size(file);
  server->freed_bytes += size;
  server->gone_bytes += size;
  if (file->file) server->awake--;
  rlx_strmap_remove(&server->by_uri, file->uri, strlen(file->uri));
  drop(file);
  RlxOpenFile last = rlx_vec_last(&server->files);
  rlx_vec_remove_n(&server->files, server->files.count - 1, 1);
  if (place == server->files.count) return;
  server->files.at[place] = last;
  rlx_strmap_put(&server->by_uri, last.uri, strlen(last.uri), place);
}

void rlx_server_close_all(RlxServer *server) {
  for (uint32_t i = 0; i < server->files.count; i++) drop(&server->files.at[i]);
  rlx_vec_free(&server->files);
  rlx_strmap_free(&server->by_uri);
}

// ---- between two messages

typedef Vec(RlxOpenFile *) Files;

static int newest_first(const void *a, const void *b) {
  const RlxOpenFile *x = *(RlxOpenFile *const *)a, *y = *(RlxOpenFile *const *)b;
  return x->used < y->used ? 1 : x->used > y->used ? -1 : 0;
}

static void awake_ones(RlxServer *server, Files *out) {
  for (uint32_t i = 0; i < server->files.count; i++)
    if (server->files.at[i].file) rlx_vec_push(out, &server->files.at[i]);
  if (out->count) qsort(out->at, out->count, sizeof *out->at, newest_first);
}

/// Puts the documents to sleep that were not asked for for long: half of those that may be awake
/// stay so, that it is not the same question again at once.
static void rest(RlxServer *server) {
  Files awake = {0};
  awake_ones(server, &awake);
  size_t bytes = 0;
  bool is_much = awake.count > RLX_AWAKE_MAX;
  for (uint32_t i = 0; i < awake.count; i++) {
    bytes += text_size(awake.at[i]);
    if (i && ((is_much && i >= RLX_AWAKE_MAX / 2) || bytes > RLX_AWAKE_BYTES_MAX))
      rlx_server_sleep(server, awake.at[i]);
  }
  rlx_vec_free(&awake);
}

static size_t open_bytes(const RlxServer *server) {
  size_t bytes = 0;
  for (uint32_t i = 0; i < server->files.count; i++) bytes += text_size(&server->files.at[i]);
  return bytes;
}

/// Begins with a new store. Documents that were awake are analysed in it, the last ones first, until
/// a message comes.
static void renew(RlxServer *server) {
  size_t held = rlx_store_bytes(rlx_analyzer_store(server->analyzer));
  Files awake = {0};
  awake_ones(server, &awake);
  for (uint32_t i = 0; i < awake.count; i++) rlx_server_sleep(server, awake.at[i]);
  rlx_server_forget_schedule(server);
  rlx_analyzer_free(server->analyzer);
  server->analyzer = rlx_analyzer_new(NULL);
  bool is_whole = true;
  for (uint32_t i = 0; i < awake.count && is_whole; i++) {
    is_whole = !rlx_transport_pending(server->transport);
    if (!is_whole) break;
    uint64_t used = awake.at[i]->used;
    rlx_server_wake(server, awake.at[i]);
    awake.at[i]->used = used;
    is_whole = rlx_file_analyze(awake.at[i]->file, rlx_transport_stale(server->transport));
  }
  rlx_vec_free(&awake);
  if (is_whole) held = rlx_store_bytes(rlx_analyzer_store(server->analyzer));
  server->renew_at = held + held / 2 + RLX_STORE_GROWTH_BYTES;
  server->has_woken = false;
  server->gone_bytes = 0;
  server->due = 0;
  server->freed_bytes += RLX_TRIM_BYTES;
}

void rlx_server_tidy(RlxServer *server, bool is_idle) {
  if (server->awake > RLX_AWAKE_MAX + (is_idle ? 0 : RLX_AWAKE_MAX / 2)) rest(server);
  size_t held = rlx_store_bytes(rlx_analyzer_store(server->analyzer));
  if (!server->renew_at) server->renew_at = RLX_STORE_GROWTH_BYTES;
  if (server->has_woken && held > server->held_bytes) // what a document needs is not dead
    server->renew_at += (held - server->held_bytes) / 2 * 3;
  server->has_woken = false;
  bool is_due =
      held > server->renew_at || (server->gone_bytes > RLX_GONE_BYTES &&
                                  server->gone_bytes - RLX_GONE_BYTES > open_bytes(server) / 2);
  server->due = is_due ? server->due + 1 : 0;
  if (is_due && (is_idle || server->due > RLX_DUE_MAX)) renew(server);
  server->held_bytes = rlx_store_bytes(rlx_analyzer_store(server->analyzer));
#ifdef __GLIBC__
  if (server->freed_bytes > RLX_TRIM_BYTES) malloc_trim(0);
#endif
  if (server->freed_bytes > RLX_TRIM_BYTES) server->freed_bytes = 0;
}
