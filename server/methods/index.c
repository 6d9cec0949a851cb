/// The scripts on disk: read in a process of its own, kept as plain data. See index.h.
#include "server/methods/index.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/file.h"
#include "base/mem.h"
#include "config/scripts.h"
#include "server/methods/methods.h"
#include "server/session/jobs.h"

enum {
  FILE_BYTES_MAX = 16 << 20,  ///< larger ones are left out
  FILES_MAX = 50000,          ///< of one walk
  STORE_BYTES_MAX = 64 << 20, ///< then the analysis goes on in a new store
  LOOKS_MAX = 4096,   ///< files that are looked at before an answer; more are left to the client
  RACY_NS = 50000000, ///< a file that changed so shortly ago may change again unseen
  SECONDS_MAX = 40,   ///< of processor time for one walk; the next question goes on from there
  REPORT_EVERY = 32,  ///< files
  KIND_CLASS = 5,     ///< LSP's SymbolKind
  KIND_FUNCTION = 12,
};

// ---- what is kept

void rlx_index_free_symbols(RlxIndexSymbols *symbols) {
  for (uint32_t i = 0; i < symbols->count; i++) {
    free(symbols->at[i].name);
    free(symbols->at[i].container);
  }
  rlx_vec_free(symbols);
}

static void free_file(RlxIndexFile *file) {
  free(file->path);
  free(file->uri);
  free(file->diagnostics);
  rlx_index_free_symbols(&file->symbols);
}

static void clear_files(RlxIndex *index) {
  for (uint32_t i = 0; i < index->files.count; i++) free_file(&index->files.at[i]);
  rlx_vec_free(&index->files);
}

/// The place of `path` in the order of files, where it is or would be.
static uint32_t place_of(const RlxIndex *index, const char *path, bool *found) {
  uint32_t low = 0, high = index->files.count;
  *found = false;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int order = strcmp(index->files.at[middle].path, path);
    if (!order) {
      *found = true;
      return middle;
    }
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static RlxIndexFile *find_path(const RlxIndex *index, const char *path) {
  bool found;
  uint32_t at = index ? place_of(index, path, &found) : 0;
  return index && found ? &index->files.at[at] : NULL;
}

const RlxIndexFile *rlx_index_find(const RlxServer *server, const char *uri) {
  RlxBuf path = {0};
  const RlxIndexFile *file =
      uri && rlx_uri_path(uri, &path) ? find_path(server->index, rlx_buf_text(&path)) : NULL;
  rlx_buf_free(&path);
  return file && file->uri ? file : NULL;
}

void rlx_index_each(RlxServer *server, void (*see)(void *data, const RlxIndexFile *file),
                    void *data) {
  RlxStrMap open = {0};
  RlxBuf path = {0};
  for (uint32_t i = 0; i < server->files.count; i++) {
    rlx_buf_clear(&path);
    if (rlx_uri_path(server->files.at[i].uri, &path))
      rlx_strmap_put(&open, rlx_buf_text(&path), path.size, 1);
  }
  for (uint32_t i = 0; server->index && i < server->index->files.count; i++) {
    const RlxIndexFile *file = &server->index->files.at[i];
    uint64_t is_open = 0;
    if (file->uri && !rlx_strmap_get(&open, file->path, strlen(file->path), &is_open))
      see(data, file);
  }
  rlx_strmap_free(&open);
  rlx_buf_free(&path);
}

// ---- folders

static void add_root(RlxIndex *index, const char *uri) {
  RlxBuf path = {0};
  bool is_path = uri && rlx_uri_path(uri, &path);
  while (is_path && path.size > 1 && path.at[path.size - 1] == '/') path.at[--path.size] = 0;
  bool is_known = false;
  for (uint32_t i = 0; is_path && i < index->roots.count; i++)
    is_known |= !strcmp(index->roots.at[i], rlx_buf_text(&path));
  if (is_path && !is_known && path.size > 1) // not all of a disk
    rlx_vec_push(&index->roots, rlx_mem_strdup(rlx_buf_text(&path)));
  rlx_buf_free(&path);
}

static void remove_root(RlxIndex *index, const char *uri) {
  RlxBuf path = {0};
  bool is_path = uri && rlx_uri_path(uri, &path);
  while (is_path && path.size > 1 && path.at[path.size - 1] == '/') path.at[--path.size] = 0;
  for (uint32_t i = index->roots.count; is_path && i-- > 0;) {
    if (strcmp(index->roots.at[i], rlx_buf_text(&path)) != 0) continue;
    free(index->roots.at[i]);
    rlx_vec_remove_n(&index->roots, i, 1);
  }
  rlx_buf_free(&path);
}

void rlx_index_begin(RlxServer *server, const cJSON *params) {
  const cJSON *folder, *folders = rlx_json_get(params, "workspaceFolders");
  server->index = rlx_mem_zeroed(1, sizeof *server->index);
  cJSON_ArrayForEach(folder, folders) add_root(server->index, rlx_json_string(folder, "uri"));
  if (!cJSON_IsArray(folders)) add_root(server->index, rlx_json_string(params, "rootUri"));
}

void rlx_index_change_folders(RlxServer *server, const cJSON *event) {
  const cJSON *folder;
  if (!server->index) return;
  cJSON_ArrayForEach(folder, rlx_json_get(event, "removed"))
      remove_root(server->index, rlx_json_string(folder, "uri"));
  cJSON_ArrayForEach(folder, rlx_json_get(event, "added"))
      add_root(server->index, rlx_json_string(folder, "uri"));
  rlx_index_stale(server);
}

void rlx_index_stale(RlxServer *server) {
  if (!server->index) return;
  server->index->is_fresh = false;
  server->index->changes++;
}

/// What the system says of a file or folder; false: it is gone.
static bool look_at(const char *path, bool *is_regular, int64_t *size, int64_t *time) {
  struct stat info;
  if (stat(path, &info)) return false;
  *is_regular = S_ISREG(info.st_mode);
  *size = (int64_t)info.st_size;
  *time = (int64_t)info.st_mtim.tv_sec * 1000000000 + info.st_mtim.tv_nsec;
  return true;
}

/// Not all clients say what changes on disk, and none at once: a few thousand files and folders are
/// looked at.
static bool has_changed(const RlxIndex *index) {
  for (uint32_t i = 0; i < index->files.count && index->files.count <= LOOKS_MAX; i++) {
    const RlxIndexFile *file = &index->files.at[i];
    int64_t size = 0, time = 0;
    bool is_regular;
    if (!look_at(file->path, &is_regular, &size, &time) || size != file->size || time != file->time)
      return true;
  }
  return false;
}

/// Whether the folders are to be read. When settings changed, nothing that is known counts.
static bool is_needed(RlxServer *server) {
  RlxIndex *index = server->index;
  if (!index || !index->roots.count) return false;
  if (index->config_changes != server->config_changes) {
    clear_files(index);
    index->config_changes = server->config_changes;
    index->is_fresh = false;
  }
  return !index->is_fresh || has_changed(index);
}

void rlx_index_free(RlxServer *server) {
  RlxIndex *index = server->index;
  if (!index) return;
  clear_files(index);
  for (uint32_t i = 0; i < index->roots.count; i++) free(index->roots.at[i]);
  rlx_vec_free(&index->roots);
  free(index);
  server->index = NULL;
}

// ---- symbols

void rlx_index_symbols(RlxServer *server, RlxOpenFile *file, RlxIndexSymbols *out) {
  const RlxStore *store = rlx_analyzer_store(server->analyzer);
  RlxIslands islands = {0};
  rlx_islands(rlx_file_document(file->file), &islands);
  for (uint32_t i = 0; i < islands.count; i++) {
    const RlxIsland *island = &islands.at[i];
    const char *name = rlx_store_text(store, island->stmt->name);
    if (!*name) continue;
    RlxSpan span = rlx_stmt_absolute(island->stmt, island->stmt->name_span);
    RlxPosition start = rlx_position_of(server, file->file, span.start),
                end = rlx_position_of(server, file->file, span.end);
    const char *around = island->module ? rlx_store_text(store, island->module->name) : NULL;
    RlxIndexSymbol symbol = {rlx_mem_strdup(name),
                             around ? rlx_mem_strdup(around) : NULL,
                             island->is_module ? KIND_CLASS : KIND_FUNCTION,
                             start.line,
                             start.character,
                             end.character};
    rlx_vec_push(out, symbol);
  }
  rlx_vec_free(&islands);
}

// ---- in the child

static void write_look(const char *path, int64_t size, int64_t time, RlxJson *json) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  bool is_racy = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec - time < RACY_NS;
  RlxBuf digits = {0}; // a number of JSON is a double
  rlx_buf_printf(&digits, "%lld", (long long)(is_racy ? 0 : time));
  rlx_json_key_text(json, "path", path);
  rlx_json_key_int(json, "size", size);
  rlx_json_key_text(json, "time", rlx_buf_text(&digits));
  rlx_buf_free(&digits);
}

static void write_folder(const char *path, RlxJson *json) {
  int64_t size = 0, time = 0;
  bool is_regular;
  if (!look_at(path, &is_regular, &size, &time)) return;
  rlx_json_begin(json, '{');
  write_look(path, size, time, json);
  rlx_json_end(json, '}');
}

static void write_symbols(RlxServer *server, RlxOpenFile *file, RlxJson *json) {
  RlxIndexSymbols symbols = {0};
  rlx_index_symbols(server, file, &symbols);
  rlx_json_key(json, "symbols");
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < symbols.count; i++) {
    const RlxIndexSymbol *s = &symbols.at[i];
    rlx_json_begin(json, '[');
    rlx_json_text(json, s->name);
    rlx_json_text(json, s->container);
    rlx_json_int(json, s->kind);
    rlx_json_int(json, s->line);
    rlx_json_int(json, s->from);
    rlx_json_int(json, s->to);
    rlx_json_end(json, ']');
  }
  rlx_json_end(json, ']');
  rlx_index_free_symbols(&symbols);
}

static void write_content(RlxServer *server, const char *uri, const RlxBuf *text, RlxJson *json) {
  RlxOpenFile *file = rlx_server_open(server, uri, rlx_buf_text(text), (uint32_t)text->size);
  RlxBuf diagnostics = {0};
  RlxJson inner = {.out = &diagnostics};
  rlx_file_analyze(file->file, NULL);
  write_symbols(server, file, json);
  rlx_server_write_diags(server, file, &inner);
  rlx_json_key(json, "diagnostics");
  rlx_json_textn(json, rlx_buf_text(&diagnostics), diagnostics.size);
  rlx_json_key_bool(json, "asks", rlx_file_asks_modules(file->file));
  rlx_buf_free(&diagnostics);
  server->column->line = NULL;
  rlx_server_close(server, file);
}

/// One file: what is known of it still holds, or it is read.
static void write_file(RlxServer *server, const char *path, RlxJson *json) {
  int64_t size = 0, time = 0;
  bool is_regular;
  if (!look_at(path, &is_regular, &size, &time) || !is_regular) return;
  const RlxIndexFile *known = find_path(server->index, path);
  rlx_json_begin(json, '{');
  if (known && known->size == size && known->time == time && !known->asks_modules) {
    rlx_json_key_text(json, "path", path);
    rlx_json_end(json, '}');
    return;
  }
  write_look(path, size, time, json);
  RlxBuf text = {0};
  // The file behind a link; if that is no regular file by now, it is not waited for.
  char *real = rlx_file_real_path(path);
  if (real && rlx_file_read_regular(real, FILE_BYTES_MAX, &text, NULL) &&
      !memchr(rlx_buf_text(&text), 0, text.size) &&
      rlx_islands_possible(rlx_buf_text(&text), text.size)) {
    char *uri = rlx_path_uri(path);
    write_content(server, uri, &text, json);
    free(uri);
  }
  free(real);
  rlx_buf_free(&text);
  rlx_json_end(json, '}');
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/// The server here is a copy of the one that goes on: its documents are as they were, and what is
/// opened in it is lost.
static bool read_folders(void *data, const RlxJobReport *report, RlxBuf *out, RlxError *err) {
  (void)err;
  RlxServer *server = data;
  RlxScripts scripts = {0};
  for (uint32_t i = 0; i < server->index->roots.count; i++)
    rlx_scripts_collect(server->index->roots.at[i], server->configs, &scripts, NULL);
  if (scripts.files.count)
    qsort(scripts.files.at, scripts.files.count, sizeof *scripts.files.at, by_text);
  server->analyzer = rlx_analyzer_new(NULL);
  RlxJson json = {.out = out};
  rlx_json_begin(&json, '[');
  for (uint32_t i = 0; i < scripts.folders.count; i++) write_folder(scripts.folders.at[i], &json);
  for (uint32_t i = 0; i < scripts.files.count && i < FILES_MAX; i++) {
    if (i && !strcmp(scripts.files.at[i], scripts.files.at[i - 1])) continue;
    if (clock() / CLOCKS_PER_SEC > SECONDS_MAX) { // a path that never is as it was: there is more
      rlx_json_begin(&json, '{');
      write_look("", 0, 0, &json);
      rlx_json_end(&json, '}');
      break;
    }
    if (i % REPORT_EVERY == 0) {
      RlxBuf message = {0};
      rlx_buf_printf(&message, "%u of %u files", i, scripts.files.count);
      rlx_job_report(report, (uint32_t)((uint64_t)i * 100 / scripts.files.count),
                     rlx_buf_text(&message));
      rlx_buf_free(&message);
    }
    if (rlx_store_bytes(rlx_analyzer_store(server->analyzer)) > STORE_BYTES_MAX) {
      rlx_analyzer_free(server->analyzer);
      server->analyzer = rlx_analyzer_new(NULL);
    }
    write_file(server, scripts.files.at[i], &json);
  }
  rlx_json_end(&json, ']');
  rlx_scripts_free(&scripts);
  return true;
}

// ---- what it found

typedef struct Question {
  RlxIndexAnswer *write; ///< or NULL
  cJSON *params;
  uint32_t changes, config_changes; ///< of the index when it was asked
} Question;

static void take_symbols(RlxIndexFile *file, const cJSON *symbols) {
  const cJSON *one;
  cJSON_ArrayForEach(one, symbols) {
    const cJSON *part = one->child, *parts[6] = {0};
    for (int i = 0; i < 6 && part; i++, part = part->next) parts[i] = part;
    if (!parts[5] || !cJSON_IsString(parts[0])) continue;
    RlxIndexSymbol symbol = {
        rlx_mem_strdup(parts[0]->valuestring),
        cJSON_IsString(parts[1]) ? rlx_mem_strdup(parts[1]->valuestring) : NULL,
        (int)parts[2]->valuedouble,
        (uint32_t)parts[3]->valuedouble,
        (uint32_t)parts[4]->valuedouble,
        (uint32_t)parts[5]->valuedouble,
    };
    rlx_vec_push(&file->symbols, symbol);
  }
}

/// A file as the child told it; one that stayed the same moves over from what was known.
static bool take_file(RlxIndex *old, const cJSON *told, RlxIndexFile *out) {
  const char *path = rlx_json_string(told, "path"), *time = rlx_json_string(told, "time"),
             *diagnostics = rlx_json_string(told, "diagnostics");
  const cJSON *size = rlx_json_get(told, "size");
  if (!path) return false;
  if (!time) {
    RlxIndexFile *known = find_path(old, path);
    if (!known) return false;
    *out = *known;
    out->path = rlx_mem_strdup(path);
    known->uri = known->diagnostics = NULL;
    memset(&known->symbols, 0, sizeof known->symbols);
    return true;
  }
  *out = (RlxIndexFile){.path = rlx_mem_strdup(path),
                        .size = cJSON_IsNumber(size) ? (int64_t)size->valuedouble : 0,
                        .time = strtoll(time, NULL, 10),
                        .asks_modules = cJSON_IsTrue(rlx_json_get(told, "asks"))};
  if (!diagnostics) return true;
  out->uri = rlx_path_uri(path);
  out->diagnostics = rlx_mem_strdup(diagnostics);
  take_symbols(out, rlx_json_get(told, "symbols"));
  return true;
}

static int by_path(const void *a, const void *b) {
  return strcmp(((const RlxIndexFile *)a)->path, ((const RlxIndexFile *)b)->path);
}

static void folders_are_read(RlxServer *server, void *data, const RlxBuf *from, RlxJson *result) {
  Question *question = data;
  RlxIndex *index = server->index;
  cJSON *told = cJSON_ParseWithLength(rlx_buf_text(from), from->size);
  if (told && question->config_changes == server->config_changes) {
    RlxIndex next = {0};
    const cJSON *one;
    cJSON_ArrayForEach(one, told) {
      RlxIndexFile file;
      if (take_file(index, one, &file)) rlx_vec_push(&next.files, file);
    }
    if (next.files.count) qsort(next.files.at, next.files.count, sizeof *next.files.at, by_path);
    clear_files(index);
    memcpy(&index->files, &next.files, sizeof next.files);
    bool is_watched = server->can_watch || index->files.count <= LOOKS_MAX;
    bool is_whole = !index->files.count || *index->files.at[0].path;
    index->is_fresh = index->changes == question->changes && is_watched && is_whole;
  }
  cJSON_Delete(told);
  if (question->write) question->write(server, question->params, result);
}

static void free_question(void *data) {
  Question *question = data;
  cJSON_Delete(question->params);
  free(question);
}

static RlxRpcCode start(RlxServer *server, const cJSON *params, const char *title,
                        RlxIndexAnswer *write) {
  static const RlxJobKind kind = {read_folders, folders_are_read, free_question};
  Question *question = rlx_mem_zeroed(1, sizeof *question);
  *question = (Question){write, params ? cJSON_Duplicate(params, true) : NULL,
                         server->index->changes, server->config_changes};
  return rlx_server_beside(server, NULL, title, &kind, server, question);
}

void rlx_index_refresh(RlxServer *server) {
  if (is_needed(server)) start(server, NULL, "reading the workspace's scripts", NULL);
}

RlxRpcCode rlx_index_ask(RlxServer *server, const cJSON *params, const char *title,
                         RlxIndexAnswer *write, RlxJson *result) {
  if (is_needed(server) && start(server, params, title, write) == RLX_RPC_LATER)
    return RLX_RPC_LATER;
  server->error = NULL; // without a process: what is known already
  write(server, params, result);
  return RLX_RPC_OK;
}
