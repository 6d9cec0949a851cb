/// The baseline of `rlx check`: findings that are known and not reported again.
/// Always true: a finding is known by its fingerprint, which does not depend on its line number;
/// the file is JSON with one finding a line, in order, so that it can be reviewed and merged; paths
/// in it are relative to its own folder.
#include <cjson/cJSON.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"
#include "cli/check_impl.h"

typedef struct Entry {
  char *file;    // owned
  char *code;    // owned
  char *message; // owned
  uint64_t mark;
  bool has_come;
} Entry;

struct RlxBaseline {
  char *path;   // owned
  char *folder; // owned, absolute, with a slash behind it
  Vec(Entry) entries;
  RlxMap index; // file and mark to the entry's number
  RlxMap seen;  // files that were looked at
};

static uint64_t key_of(const char *file, uint64_t mark) {
  return rlx_hash_mix(rlx_hash_bytes(file, strlen(file), 1), mark);
}

static void add(RlxBaseline *baseline, const char *file, const char *code, const char *message,
                uint64_t mark) {
  rlx_map_put(&baseline->index, key_of(file, mark), baseline->entries.count);
  rlx_vec_push(&baseline->entries, (Entry){rlx_mem_strdup(file), rlx_mem_strdup(code),
                                           rlx_mem_strdup(message), mark, false});
}

static const char *text_of(const cJSON *object, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  return cJSON_IsString(item) ? item->valuestring : NULL;
}

static bool read_entries(RlxBaseline *baseline, const RlxBuf *text, RlxError *err) {
  cJSON *root = cJSON_ParseWithLength(rlx_buf_text(text), text->size);
  const cJSON *list = cJSON_GetObjectItemCaseSensitive(root, "findings"), *item;
  bool fine =
      cJSON_IsArray(list) || rlx_error_set(err, "%s is no baseline of rlx check", baseline->path);
  if (!fine) list = NULL;
  cJSON_ArrayForEach(item, list) {
    const char *file = text_of(item, "file"), *mark = text_of(item, "fingerprint"),
               *code = text_of(item, "code"), *message = text_of(item, "message");
    if (file && mark)
      add(baseline, file, code ? code : "", message ? message : "", strtoull(mark, NULL, 16));
  }
  cJSON_Delete(root);
  return fine;
}

RlxBaseline *rlx_baseline_open(const char *path, bool is_new, RlxError *err) {
  RlxBaseline *baseline = rlx_mem_zeroed(1, sizeof *baseline);
  const char *slash = strrchr(path, '/');
  char *folder = slash ? rlx_mem_strndup(path, (size_t)(slash - path) + 1) : rlx_mem_strdup("./"),
       *real = realpath(folder, NULL);
  RlxBuf out = {0}, text = {0};
  rlx_buf_printf(&out, "%s/", real && strcmp(real, "/") != 0 ? real : "");
  baseline->path = rlx_mem_strdup(path);
  baseline->folder = rlx_buf_steal(&out);
  bool fine = is_new || (rlx_file_read(path, &text, err) && read_entries(baseline, &text, err));
  rlx_buf_free(&text);
  free(folder);
  free(real);
  if (fine) return baseline;
  rlx_baseline_free(baseline);
  return NULL;
}

void rlx_baseline_free(RlxBaseline *baseline) {
  if (!baseline) return;
  for (uint32_t i = 0; i < baseline->entries.count; i++) {
    free(baseline->entries.at[i].file);
    free(baseline->entries.at[i].code);
    free(baseline->entries.at[i].message);
  }
  rlx_vec_free(&baseline->entries);
  rlx_map_free(&baseline->index);
  rlx_map_free(&baseline->seen);
  free(baseline->path);
  free(baseline->folder);
  free(baseline);
}

/// The path as the baseline has it, and reads it again: JSON is UTF-8, so bytes of a name that are not become U+FFFD.
static char *relative(const RlxBaseline *baseline, const char *path) {
  char *real = realpath(path, NULL);
  size_t size = strlen(baseline->folder);
  bool is_below = real && strncmp(real, baseline->folder, size) == 0;
  RlxBuf out = {0};
  const char *at = is_below ? real + size : path, *end = at + strlen(at);
  for (uint32_t code; at < end;) {
    at += rlx_utf8_decode(at, (size_t)(end - at), &code);
    rlx_utf8_put(&out, code);
  }
  free(real);
  return rlx_buf_steal(&out);
}

bool rlx_baseline_knows(RlxBaseline *baseline, const char *path, uint64_t mark) {
  char *file = relative(baseline, path);
  uint64_t i = 0;
  bool known = rlx_map_get(&baseline->index, key_of(file, mark), &i);
  if (known) baseline->entries.at[i].has_come = true;
  free(file);
  return known;
}

bool rlx_baseline_has(const RlxBaseline *baseline, const char *path, uint64_t mark) {
  char *file = relative(baseline, path);
  bool known = rlx_map_get(&baseline->index, key_of(file, mark), NULL);
  free(file);
  return known;
}

void rlx_baseline_saw(RlxBaseline *baseline, const char *path) {
  char *file = relative(baseline, path);
  rlx_map_put(&baseline->seen, key_of(file, 0), 1);
  free(file);
}

void rlx_baseline_add(RlxBaseline *baseline, const char *path, uint64_t mark, const RlxFinding *d) {
  char *file = relative(baseline, path);
  // A file that a link leads to comes twice.
  if (!rlx_map_get(&baseline->index, key_of(file, mark), NULL))
    add(baseline, file, rlx_diag_row(d->id)->code, d->message, mark);
  free(file);
}

uint32_t rlx_baseline_stale(const RlxBaseline *baseline) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < baseline->entries.count; i++) {
    const Entry *entry = &baseline->entries.at[i];
    count += !entry->has_come && rlx_map_get(&baseline->seen, key_of(entry->file, 0), NULL);
  }
  return count;
}

static void put_field(RlxBuf *out, const char *key, const char *text) {
  RlxJson json = {.out = out};
  rlx_buf_printf(out, "\"%s\": ", key);
  rlx_json_text(&json, text);
}

bool rlx_baseline_write(const RlxBaseline *baseline, RlxError *err) {
  RlxBuf out = {0};
  rlx_buf_puts(&out, "{\"rlx\": 1, \"findings\": [\n");
  for (uint32_t i = 0; i < baseline->entries.count; i++) {
    const Entry *entry = &baseline->entries.at[i];
    char mark[20];
    snprintf(mark, sizeof mark, "%016llx", (unsigned long long)entry->mark);
    rlx_buf_puts(&out, "  {");
    put_field(&out, "file", entry->file);
    rlx_buf_puts(&out, ", ");
    put_field(&out, "code", entry->code);
    rlx_buf_puts(&out, ", ");
    put_field(&out, "fingerprint", mark);
    rlx_buf_puts(&out, ", ");
    put_field(&out, "message", entry->message);
    rlx_buf_printf(&out, "}%s\n", i + 1 < baseline->entries.count ? "," : "");
  }
  rlx_buf_puts(&out, "]}\n");
  bool fine = rlx_file_write(baseline->path, out.at, out.size, err);
  rlx_buf_free(&out);
  return fine;
}
