/// Files and folders that are about to get other names: the imports that mean them follow.
///
/// Always true: an import is rewritten only when it means a path that moves, found as Python finds
/// it: from the script's folder, then from the workspace's folders. The text of an open document
/// counts, not that on disk.
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "config/scripts.h"
#include "server/methods/index.h"
#include "server/methods/methods.h"

enum { FILE_BYTES_MAX = 1 << 20, DEPTH_MAX = 100 };

typedef struct Move {
  char *from, *to; ///< absolute paths, without a slash at the end
} Move;

typedef struct Renaming {
  RlxServer *server;
  Vec(Move) moves;
  RlxJson *json;
  // of the script that is looked at
  RlxFile *file;
  const char *path;     ///< as it is called now
  char *folder, *later; ///< its folder now, and then
  bool has_edit;
  RlxBuf edits;
  RlxJson edits_json;
} Renaming;

// ---- paths

/// Where `path` is afterwards; the caller's.
static char *moved(const Renaming *r, const char *path) {
  for (uint32_t i = 0; i < r->moves.count; i++) {
    const Move *move = &r->moves.at[i];
    size_t size = strlen(move->from);
    if (strncmp(path, move->from, size) != 0 || (path[size] && path[size] != '/')) continue;
    RlxBuf out = {0};
    rlx_buf_printf(&out, "%s%s", move->to, path + size);
    return rlx_buf_steal(&out);
  }
  return rlx_mem_strdup(path);
}

static char *folder_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return rlx_mem_strndup(path, slash ? (size_t)(slash - path) : 0);
}

/// Whether a script or a package is at `stem`: `out` is its path.
static bool is_module(const char *stem, RlxBuf *out) {
  for (size_t i = 0; rlx_script_endings[i]; i++) {
    rlx_buf_clear(out);
    rlx_buf_printf(out, "%s%s", stem, rlx_script_endings[i]);
    if (rlx_file_exists(rlx_buf_text(out))) return true;
  }
  rlx_buf_clear(out);
  rlx_buf_puts(out, stem);
  return rlx_file_is_folder(stem);
}

/// The path without its ending, and without `/__init__`.
static void put_stem(const char *path, RlxBuf *out) {
  const char *dot = strrchr(path, '.'), *slash = strrchr(path, '/');
  size_t size = dot && slash && dot > slash ? (size_t)(dot - path) : strlen(path);
  if (size > 9 && !strncmp(path + size - 9, "/__init__", 9)) size -= 9;
  rlx_buf_putn(out, path, size);
}

static bool is_name(const char *text) {
  if (!*text || (*text >= '0' && *text <= '9')) return false;
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    bool is_letter = (c | 32) >= 'a' && (c | 32) <= 'z';
    if (!is_letter && !(c >= '0' && c <= '9') && c != '_' && c < 0x80) return false;
  }
  return true;
}

/// The dotted name of `path` from folder `base`; false when it is not below it, or no name.
static bool dotted(const char *base, const char *path, RlxBuf *out) {
  RlxBuf stem = {0};
  put_stem(path, &stem);
  size_t size = strlen(base);
  const char *at = rlx_buf_text(&stem);
  bool is_below = !strncmp(at, base, size) && at[size] == '/';
  for (at += is_below ? size + 1 : 0; is_below && *at;) {
    size_t length = strcspn(at, "/");
    char *part = rlx_mem_strndup(at, length);
    is_below = is_name(part);
    if (out->size && out->at[out->size - 1] != '.') rlx_buf_putc(out, '.');
    rlx_buf_puts(out, part);
    free(part);
    at += length + (at[length] == '/');
  }
  rlx_buf_free(&stem);
  return is_below;
}

/// The same relative to `folder`: `.a`, `..b.c`.
static bool dotted_relative(const char *folder, const char *path, RlxBuf *out) {
  char *base = rlx_mem_strdup(folder);
  bool found = false;
  rlx_buf_putc(out, '.');
  while (*base && !found) {
    size_t before = out->size;
    RlxBuf stem = {0};
    put_stem(path, &stem);
    found =
        !strcmp(rlx_buf_text(&stem), base) || dotted(base, path, out); // `.` is the package itself
    rlx_buf_free(&stem);
    if (found) break;
    out->size = before;
    out->at[before] = 0;
    rlx_buf_putc(out, '.');
    char *slash = strrchr(base, '/');
    if (!slash) break;
    *slash = 0;
  }
  free(base);
  return found;
}

// ---- one import

/// The path that `name` (dotted, from `base`) means; false: there is none.
static bool find_below(const char *base, const char *name, RlxBuf *out) {
  RlxBuf stem = {0};
  rlx_buf_printf(&stem, "%s/", base);
  for (; *name; name++) rlx_buf_putc(&stem, *name == '.' ? '/' : *name);
  if (stem.size && stem.at[stem.size - 1] == '/') stem.at[--stem.size] = 0;
  bool found = is_module(rlx_buf_text(&stem), out);
  rlx_buf_free(&stem);
  return found;
}

/// What a module's name means in the script: its path, and the folder that the name begins at (the
/// caller's; NULL for a relative one).
static bool resolve(const Renaming *r, const char *name, RlxBuf *path, char **base) {
  *base = NULL;
  if (*name == '.') {
    char *folder = rlx_mem_strdup(r->folder);
    for (name++; *name == '.'; name++) {
      char *slash = strrchr(folder, '/');
      if (slash) *slash = 0;
    }
    bool found = find_below(folder, name, path);
    free(folder);
    return found;
  }
  if (find_below(r->folder, name, path)) {
    *base = rlx_mem_strdup(r->folder);
    return true;
  }
  const RlxIndex *index = r->server->index;
  for (uint32_t i = 0; index && i < index->roots.count; i++) {
    if (!find_below(index->roots.at[i], name, path)) continue;
    *base = rlx_mem_strdup(index->roots.at[i]);
    return true;
  }
  return false;
}

static bool is_package(const char *folder) {
  RlxBuf path = {0};
  rlx_buf_printf(&path, "%s/__init__.py", folder);
  const bool is_there = rlx_file_exists(rlx_buf_text(&path));
  rlx_buf_free(&path);
  return is_there;
}

/// Whether the script was in a package and is in none afterwards: relative imports mean nothing there.
static bool leaves_packages(const Renaming *r) {
  char *then = moved(r, r->folder);
  const bool moves_with_it = !strcmp(then, r->later);
  free(then);
  return !moves_with_it && is_package(r->folder) && !is_package(r->later);
}

/// The name of the module at `path` for a script in a folder that is no package: from its folder or from one of the workspace's.
static bool dotted_from_anywhere(const Renaming *r, const char *path, RlxBuf *out) {
  bool found = dotted(r->later, path, out);
  const RlxIndex *index = r->server->index;
  for (uint32_t i = 0; index && i < index->roots.count && !found; i++) {
    rlx_buf_clear(out);
    found = dotted(index->roots.at[i], path, out);
  }
  return found;
}

/// The name that `name` has afterwards; false: the same, or it cannot be written.
static bool rename_module(const Renaming *r, const char *name, RlxBuf *out) {
  RlxBuf path = {0};
  char *base = NULL;
  bool ok = resolve(r, name, &path, &base);
  if (ok) {
    char *then = moved(r, rlx_buf_text(&path));
    bool is_beside = base && !strcmp(base, r->folder);
    bool moves = strcmp(then, rlx_buf_text(&path)) || (!base && strcmp(r->folder, r->later) != 0);
    if (!moves)
      ok = false;
    else if (!base)
      ok = (leaves_packages(r) && dotted_from_anywhere(r, then, out)) ||
           (rlx_buf_clear(out), dotted_relative(r->later, then, out));
    else
      ok = dotted(is_beside ? r->later : base, then, out) ||
           (is_beside && (rlx_buf_clear(out), dotted(r->folder, then, out)));
    free(then);
  }
  rlx_buf_free(&path);
  free(base);
  return ok && strcmp(rlx_buf_text(out), name) != 0;
}

static void put_edit(Renaming *r, RlxSpan span, const char *text) {
  r->has_edit = true;
  rlx_write_text_edit(r->server, r->file, span, text, strlen(text), &r->edits_json);
}

/// `import a.b as c`. Without `as`, one name keeps its meaning behind `as`.
static void see_plain(Renaming *r, const RlxStmt *stmt, const RlxImport *import, const char *name) {
  RlxBuf next = {0};
  const RlxStore *store = rlx_analyzer_store(r->server->analyzer);
  const char *bound = rlx_store_text(store, import->name);
  RlxSpan span = rlx_stmt_absolute(stmt, import->span);
  bool has_alias = span.end - span.start > strlen(name), is_dotted = strchr(name, '.') != NULL;
  if (rename_module(r, name, &next) && (has_alias || !is_dotted)) {
    if (!has_alias) rlx_buf_printf(&next, " as %s", bound);
    uint32_t end = has_alias ? span.start + (uint32_t)strlen(name) : span.end;
    put_edit(r, rlx_span(span.start, end), rlx_buf_text(&next));
  }
  rlx_buf_free(&next);
}

/// The place of the module's name in `from a.b import …`.
static bool module_place(const char *text, const RlxStmt *stmt, const char *name, RlxSpan *out) {
  uint32_t at = stmt->start + 4; // behind `from`
  while (text[at] == ' ' || text[at] == '\t') at++;
  *out = rlx_span(at, at + (uint32_t)strlen(name));
  return !strncmp(text + stmt->start, "from", 4) && !strncmp(text + at, name, strlen(name));
}

/// `from pkg import a`, where `a` is a module: both names follow; only that of the member where others
/// are imported beside it.
static void see_member(Renaming *r, const char *text, const RlxStmt *stmt, const RlxImport *import,
                       const char *module) {
  const RlxStore *store = rlx_analyzer_store(r->server->analyzer);
  const char *member = rlx_store_text(store, import->member),
             *bound = rlx_store_text(store, import->name);
  RlxBuf whole = {0}, next = {0}, package = {0};
  size_t size = strlen(module);
  rlx_buf_printf(&whole, "%s%s%s", module, size && module[size - 1] == '.' ? "" : ".", member);
  if (strcmp(member, "*") != 0 && rename_module(r, rlx_buf_text(&whole), &next)) {
    const char *dot = strrchr(rlx_buf_text(&next), '.'), *name = dot ? dot + 1 : "";
    size_t head = dot ? (size_t)(dot - rlx_buf_text(&next)) : 0;
    if (dot && (!head || dot[-1] == '.')) head++; // `.a` is `a` of `.`
    bool stays = head == size && !strncmp(rlx_buf_text(&next), module, size);
    RlxSpan span = rlx_stmt_absolute(stmt, import->span), place;
    bool has_alias = span.end - span.start > strlen(member),
         can_move = stmt->import_count == 1 && module_place(text, stmt, module, &place);
    if (!dot && stmt->import_count == 1) { // it stands in no package any more
      rlx_buf_printf(&package, "import %s", rlx_buf_text(&next));
      if (strcmp(rlx_buf_text(&next), bound) != 0) rlx_buf_printf(&package, " as %s", bound);
      put_edit(r, rlx_span(stmt->start, stmt->start + stmt->size), rlx_buf_text(&package));
    } else if (*name && (stays || can_move)) {
      rlx_buf_putn(&package, rlx_buf_text(&next), head);
      if (!stays) put_edit(r, place, rlx_buf_text(&package));
      rlx_buf_clear(&package);
      rlx_buf_puts(&package, name);
      if (!has_alias) rlx_buf_printf(&package, " as %s", member);
      if (strcmp(name, member) != 0)
        put_edit(r, rlx_span(span.start, span.start + (uint32_t)strlen(member)),
                 rlx_buf_text(&package));
    }
  }
  rlx_buf_free(&whole);
  rlx_buf_free(&next);
  rlx_buf_free(&package);
}

static void see_import(Renaming *r, const char *text, const RlxStmt *stmt) {
  const RlxStore *store = rlx_analyzer_store(r->server->analyzer);
  for (uint32_t i = 0; i < stmt->import_count; i++) {
    const RlxImport *import = &stmt->imports[i];
    const char *module = rlx_store_text(store, import->module);
    RlxBuf next = {0};
    RlxSpan place;
    if (!import->module) {
      // global, nonlocal
    } else if (!import->member) {
      see_plain(r, stmt, import, module);
    } else if (!i && module_place(text, stmt, module, &place) && rename_module(r, module, &next)) {
      put_edit(r, place, rlx_buf_text(&next));
      rlx_buf_free(&next);
      return;
    } else {
      see_member(r, text, stmt, import, module);
    }
    rlx_buf_free(&next);
  }
}

static void see_block(Renaming *r, const char *text, const RlxBlock *block, int depth) {
  for (uint32_t i = 0; block && i < block->count && depth < DEPTH_MAX; i++) {
    const RlxStmt *stmt = block->stmts[i];
    if (stmt->kind == RLX_STMT_IMPORT) see_import(r, text, stmt);
    see_block(r, text, stmt->body, depth + 1);
    see_block(r, text, stmt->orelse, depth + 1);
    for (uint32_t k = 0; k < stmt->block_count; k++) see_block(r, text, stmt->blocks[k], depth + 1);
  }
}

// ---- scripts

/// The edits of one script; `file` is open. `version` as in rlx_begin_document.
static void see_script(Renaming *r, const char *uri, const int64_t *version, RlxFile *file) {
  RlxBuf path = {0};
  if (rlx_uri_path(uri, &path)) {
    char *then = moved(r, rlx_buf_text(&path));
    uint32_t size;
    RlxDocument *doc = rlx_file_document(file);
    r->path = rlx_buf_text(&path);
    r->file = file;
    r->folder = folder_of(r->path);
    r->later = folder_of(then);
    r->has_edit = false;
    rlx_buf_clear(&r->edits);
    r->edits_json = (RlxJson){.out = &r->edits};
    r->server->column->line = NULL;
    see_block(r, rlx_document_text(doc, &size), rlx_document_root(doc), 0);
    if (r->has_edit) {
      rlx_begin_document(r->server, uri, version, r->json);
      rlx_json_raw(r->json, rlx_buf_text(&r->edits), r->edits.size);
      rlx_end_document(r->server, r->json);
    }
    free(r->folder);
    free(r->later);
    free(then);
  }
  rlx_buf_free(&path);
}

/// A script on disk that no document is open for.
static void see_on_disk(Renaming *r, const char *path) {
  char *uri = rlx_path_uri(path);
  bool is_open = false;
  for (uint32_t i = 0; i < r->server->files.count && !is_open; i++) {
    RlxBuf other = {0};
    is_open =
        rlx_uri_path(r->server->files.at[i].uri, &other) && !strcmp(rlx_buf_text(&other), path);
    rlx_buf_free(&other);
  }
  RlxBuf text = {0};
  if (!is_open && rlx_file_read_regular(path, FILE_BYTES_MAX, &text, NULL) &&
      strstr(rlx_buf_text(&text), "import") &&
      rlx_utf8_is_valid(rlx_buf_text(&text), text.size, NULL)) {
    RlxFile *file = rlx_file_open(r->server->analyzer, rlx_buf_text(&text), (uint32_t)text.size);
    see_script(r, uri, NULL, file);
    r->server->column->line = NULL;
    rlx_file_close(file);
  }
  rlx_buf_free(&text);
  free(uri);
}

static void take_moves(Renaming *r, const cJSON *files) {
  const cJSON *one;
  cJSON_ArrayForEach(one, files) {
    RlxBuf from = {0}, to = {0};
    const char *old = rlx_json_string(one, "oldUri"), *new = rlx_json_string(one, "newUri");
    if (old && new && rlx_uri_path(old, &from) && rlx_uri_path(new, &to)) {
      while (from.size > 1 && from.at[from.size - 1] == '/') from.at[--from.size] = 0;
      while (to.size > 1 && to.at[to.size - 1] == '/') to.at[--to.size] = 0;
      rlx_vec_push(&r->moves,
                   (Move){rlx_mem_strdup(rlx_buf_text(&from)), rlx_mem_strdup(rlx_buf_text(&to))});
    }
    rlx_buf_free(&from);
    rlx_buf_free(&to);
  }
}

RlxRpcCode rlx_lsp_will_rename_files(RlxServer *server, const cJSON *params, RlxJson *result) {
  Renaming r = {.server = server, .json = result};
  RlxScripts scripts = {0};
  take_moves(&r, rlx_json_get(params, "files"));
  for (uint32_t i = 0; r.moves.count && server->index && i < server->index->roots.count; i++)
    rlx_scripts_collect(server->index->roots.at[i], server->configs, &scripts, NULL);
  rlx_begin_documents(server, result);
  for (uint32_t i = 0; r.moves.count && i < server->files.count; i++) {
    RlxOpenFile *file = &server->files.at[i];
    bool was_awake = file->file != NULL;
    rlx_server_wake(server, file);
    see_script(&r, file->uri, file->has_version ? &file->version : NULL, file->file);
    if (!was_awake) rlx_server_sleep(server, file);
  }
  for (uint32_t i = 0; i < scripts.files.count; i++) see_on_disk(&r, scripts.files.at[i]);
  rlx_end_documents(server, result);
  for (uint32_t i = 0; i < r.moves.count; i++) {
    free(r.moves.at[i].from);
    free(r.moves.at[i].to);
  }
  rlx_vec_free(&r.moves);
  rlx_buf_free(&r.edits);
  rlx_scripts_free(&scripts);
  rlx_index_stale(server);
  return RLX_RPC_OK;
}
