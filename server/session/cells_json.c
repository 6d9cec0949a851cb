/// Places of cells in messages: into places of the notebook's file before a method is called, and
/// back in what it answers. Works on any message: a place is what the protocol's names say it is.
#include <stdlib.h>
#include <string.h>

#include "analyzer/diag/line_words.h"
#include "base/arena.h"
#include "base/text.h"
#include "server/session/notebooks.h"

enum { DEPTH_MAX = 400, FAR = 1 << 30 };

static bool number(const cJSON *object, const char *key, uint32_t *out) {
  const cJSON *item = rlx_json_get(object, key);
  if (!cJSON_IsNumber(item) || !(item->valuedouble >= 0)) return false;
  *out = item->valuedouble > (double)FAR ? FAR : (uint32_t)item->valuedouble;
  return true;
}

static void set_number(cJSON *object, const char *key, uint32_t value) {
  cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
  if (item) cJSON_SetNumberValue(item, value);
}

static void set_text(cJSON *object, const char *key, const char *text) {
  cJSON_ReplaceItemInObjectCaseSensitive(object, key, cJSON_CreateString(text));
}

/// All texts in `node` that are the URI `from` become `to`; nothing else changes.
static void rename_uris(cJSON *node, const char *from, const char *to, int depth) {
  for (cJSON *item = node->child, *next; item && depth < DEPTH_MAX; item = next) {
    next = item->next;
    if (cJSON_IsString(item) && !strcmp(item->valuestring, from))
      cJSON_SetValuestring(item, to);
    else
      rename_uris(item, from, to, depth + 1);
  }
}

// ---- into the file

/// Shifts all places in `node` to the file of `cell`'s notebook, whose URI is `uri`.
static void enter(cJSON *node, const RlxCell *cell, const char *uri, int depth) {
  if (depth > DEPTH_MAX) return;
  uint32_t line, character;
  if (cJSON_IsObject(node) && number(node, "line", &line) &&
      number(node, "character", &character)) {
    bool is_behind = line >= cell->line_count;
    set_number(node, "line", cell->line + (is_behind ? cell->line_count - 1 : line));
    if (is_behind) set_number(node, "character", FAR);
    return;
  }
  for (cJSON *item = node->child, *next; item; item = next) {
    next = item->next;
    if (item->string && !strcmp(item->string, "data")) { // our own words
      rename_uris(item, cell->uri, uri, 0);
      continue;
    }
    if (cJSON_IsString(item) && !strcmp(item->valuestring, cell->uri)) {
      cJSON *replaced = cJSON_CreateString(uri);
      if (item->string) {
        set_text(node, item->string, uri);
        cJSON_Delete(replaced);
      } else {
        cJSON_ReplaceItemViaPointer(node, item, replaced);
      }
    } else {
      enter(item, cell, uri, depth + 1);
    }
  }
}

/// The first text in `node` that is the URI of a cell.
static RlxNotebook *find_cell(const RlxServer *server, const cJSON *node, RlxCell **cell,
                              int depth) {
  if (cJSON_IsString(node)) return rlx_notebook_of_cell(server, node->valuestring, cell);
  for (const cJSON *item = node->child; item && depth < DEPTH_MAX; item = item->next) {
    RlxNotebook *found = cJSON_IsString(item) || cJSON_IsObject(item) || cJSON_IsArray(item)
                             ? find_cell(server, item, cell, depth + 1)
                             : NULL;
    if (found) return found;
  }
  return NULL;
}

// ---- out of the file

typedef struct Leaving {
  const RlxServer *server;
  const RlxNotebook *notebook;
  const RlxCell *cell; ///< whose places are meant where no URI says so; NULL: of none
} Leaving;

static bool leave(const Leaving *l, cJSON *node, int depth);

/// False when the place is not in the cell; `at_end`: it may be behind it, and is its end then.
static bool leave_position(const Leaving *l, cJSON *position, bool at_end) {
  uint32_t line = 0;
  if (!l->cell || !number(position, "line", &line) || line < l->cell->line) return false;
  line -= l->cell->line;
  if (line >= l->cell->line_count) {
    if (!at_end) return false;
    line = l->cell->line_count - 1;
    const char *last = l->cell->text;
    for (uint32_t i = 0; i < line; i++) {
      last += strcspn(last, "\r\n");
      last += last[0] == '\r' && last[1] == '\n' ? 2 : 1;
    }
    uint32_t size = (uint32_t)strlen(last);
    set_number(position, "character",
               l->server->encoding == RLX_UTF8    ? size
               : l->server->encoding == RLX_UTF16 ? rlx_utf16_from_bytes(last, size, size)
                                                  : rlx_utf32_from_bytes(last, size, size));
  }
  set_number(position, "line", line);
  return true;
}

/// {"start", "end"}. The end of an edit has to be in the cell, too.
static bool leave_range(const Leaving *l, cJSON *range, bool is_edit) {
  return leave_position(l, cJSON_GetObjectItemCaseSensitive(range, "start"), false) &&
         leave_position(l, cJSON_GetObjectItemCaseSensitive(range, "end"), !is_edit);
}

/// The cell that the first range of an object with a URI stands in.
static const RlxCell *cell_of(const RlxNotebook *notebook, const cJSON *object) {
  static const char *const ranges[] = {"range", "targetRange", "selectionRange"};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
    uint32_t line;
    const cJSON *start = rlx_json_get(rlx_json_get(object, ranges[i]), "start");
    if (number(start, "line", &line)) return rlx_notebook_cell_at(notebook, line);
  }
  return NULL;
}

/// A list of TextEdits of the file: those of each cell go to `give`.
typedef void GiveEdits(cJSON *to, const RlxCell *cell, cJSON *edits);

static bool split_edits(const Leaving *l, cJSON *edits, cJSON *to, GiveEdits *give) {
  bool is_whole = true;
  for (uint32_t i = 0; i < l->notebook->cells.count; i++) {
    const RlxCell *cell = &l->notebook->cells.at[i];
    if (!rlx_cell_is_shown(cell)) continue;
    cJSON *own = cJSON_CreateArray();
    Leaving inner = {l->server, l->notebook, cell};
    for (cJSON *edit = edits->child, *next; edit; edit = next) {
      next = edit->next;
      uint32_t line;
      bool is_here = number(rlx_json_get(rlx_json_get(edit, "range"), "start"), "line", &line) &&
                     line >= cell->line && line - cell->line < cell->line_count;
      if (!is_here) continue;
      cJSON_AddItemToArray(own, cJSON_DetachItemViaPointer(edits, edit));
      is_whole =
          leave_range(&inner, cJSON_GetObjectItemCaseSensitive(edit, "range"), true) && is_whole;
    }
    if (own->child)
      give(to, cell, own);
    else
      cJSON_Delete(own);
  }
  return is_whole && !edits->child;
}

static void give_changes(cJSON *to, const RlxCell *cell, cJSON *edits) {
  cJSON_AddItemToObject(to, cell->uri, edits);
}

static void give_document(cJSON *to, const RlxCell *cell, cJSON *edits) {
  cJSON *document = cJSON_CreateObject(), *name = cJSON_AddObjectToObject(document, "textDocument");
  cJSON_AddStringToObject(name, "uri", cell->uri);
  if (cell->has_version)
    cJSON_AddNumberToObject(name, "version", (double)cell->version);
  else
    cJSON_AddNullToObject(name, "version");
  cJSON_AddItemToObject(document, "edits", edits);
  cJSON_AddItemToArray(to, document);
}

/// A WorkspaceEdit. False: one of its edits goes over the border of two cells.
static bool leave_edit(const Leaving *l, cJSON *edit) {
  cJSON *changes = cJSON_GetObjectItemCaseSensitive(edit, "changes"),
        *documents = cJSON_GetObjectItemCaseSensitive(edit, "documentChanges"),
        *own = cJSON_DetachItemFromObjectCaseSensitive(changes, l->notebook->uri);
  bool is_whole = !own || split_edits(l, own, changes, give_changes);
  cJSON_Delete(own);
  for (cJSON *one = documents ? documents->child : NULL, *next; one; one = next) {
    next = one->next;
    const char *uri = rlx_json_string(rlx_json_get(one, "textDocument"), "uri");
    if (!uri || strcmp(uri, l->notebook->uri) != 0) continue;
    cJSON_DetachItemViaPointer(documents, one);
    cJSON *edits = cJSON_GetObjectItemCaseSensitive(one, "edits");
    is_whole = edits && split_edits(l, edits, documents, give_document) && is_whole;
    cJSON_Delete(one);
  }
  return is_whole;
}

/// Ranges that are lines only, as of folding.
static bool leave_lines(const Leaving *l, cJSON *fold) {
  uint32_t first, last;
  if (!l->cell || !number(fold, "startLine", &first) || !number(fold, "endLine", &last) ||
      first < l->cell->line || first - l->cell->line >= l->cell->line_count)
    return false;
  last -= l->cell->line;
  set_number(fold, "startLine", first - l->cell->line);
  set_number(fold, "endLine", last < l->cell->line_count ? last : l->cell->line_count - 1);
  return true;
}

/// Lines in messages count from where the cell begins.
static void leave_message(const Leaving *l, cJSON *item) {
  RlxArena *arena = rlx_arena_new();
  cJSON_SetValuestring(item, rlx_line_words_from(arena, item->valuestring, l->cell->line));
  rlx_arena_free(arena);
}

static bool leave_member(const Leaving *l, cJSON *object, cJSON *item, int depth) {
  if (l->cell && cJSON_IsString(item) && !strcmp(item->string, "message")) leave_message(l, item);
  if (!strcmp(item->string, "data")) {
    if (l->cell) rename_uris(item, l->notebook->uri, l->cell->uri, 0);
    return true;
  }
  if (cJSON_IsString(item) && !strcmp(item->valuestring, l->notebook->uri)) {
    if (!l->cell) return false;
    set_text(object, item->string, l->cell->uri);
    return true;
  }
  if (leave(l, item, depth + 1)) return true;
  if (strcmp(item->string, "parent") != 0) return false;
  cJSON_Delete(cJSON_DetachItemViaPointer(object, item)); // of a selection: outside of the cell
  return true;
}

static bool leave_object(const Leaving *around, cJSON *node, int depth) {
  Leaving inner = *around, *l = &inner;
  if (rlx_json_get(node, "changes") || rlx_json_get(node, "documentChanges"))
    return leave_edit(l, node);
  if (rlx_json_get(node, "startLine")) return leave_lines(l, node);
  if (rlx_json_get(node, "line") && rlx_json_get(node, "character"))
    return leave_position(l, node, false);
  if (rlx_json_get(node, "start") && rlx_json_get(node, "end")) return leave_range(l, node, false);
  if (rlx_json_get(node, "newText") && rlx_json_get(node, "range"))
    return leave_range(l, cJSON_GetObjectItemCaseSensitive(node, "range"), true);
  const char *uri = rlx_json_string(node, "uri"), *target = rlx_json_string(node, "targetUri");
  cJSON *origin = cJSON_GetObjectItemCaseSensitive(node, "originSelectionRange");
  if (origin) leave_range(around, origin, false);
  if (uri || target) {
    if (strcmp(uri ? uri : target, l->notebook->uri) != 0) return true; // another file
    l->cell = cell_of(l->notebook, node);
  }
  for (cJSON *item = node->child, *next; item; item = next) {
    next = item->next;
    if (item != origin && !leave_member(l, node, item, depth)) return false;
  }
  return true;
}

/// Turns all places in `node` into places of cells. False: it is not about the cell that is meant.
static bool leave(const Leaving *l, cJSON *node, int depth) {
  if (depth > DEPTH_MAX) return false;
  if (cJSON_IsObject(node)) return leave_object(l, node, depth);
  if (!cJSON_IsArray(node)) return true;
  for (cJSON *item = node->child, *next; item; item = next) {
    next = item->next;
    if (cJSON_IsString(item) && !strcmp(item->valuestring, l->notebook->uri)) {
      if (l->cell) cJSON_ReplaceItemViaPointer(node, item, cJSON_CreateString(l->cell->uri));
    } else if (!leave(l, item, depth + 1)) {
      cJSON_Delete(cJSON_DetachItemViaPointer(node, item));
    }
  }
  return true;
}

/// Semantic tokens: five numbers each, lines and columns as steps from the token before.
static void leave_tokens(const RlxCell *cell, cJSON *result) {
  cJSON *data = cJSON_GetObjectItemCaseSensitive(result, "data"), *out = cJSON_CreateArray();
  uint32_t line = 0, column = 0, last_line = cell->line, last_column = 0;
  double five[5];
  int count = 0;
  for (const cJSON *item = data ? data->child : NULL; item; item = item->next) {
    five[count++] = item->valuedouble;
    if (count < 5) continue;
    count = 0;
    column = (five[0] > 0 ? 0 : column) + (uint32_t)five[1];
    line += (uint32_t)five[0];
    if (line < cell->line || line - cell->line >= cell->line_count) continue;
    five[0] = line - last_line;
    five[1] = five[0] > 0 ? column : column - last_column;
    last_line = line;
    last_column = column;
    for (int i = 0; i < 5; i++) cJSON_AddItemToArray(out, cJSON_CreateNumber(five[i]));
  }
  cJSON_ReplaceItemInObjectCaseSensitive(result, "data", out);
}

static void leave_result(const Leaving *l, RlxBuf *text) {
  cJSON *result = cJSON_ParseWithLength(rlx_buf_text(text), text->size);
  if (!result) return;
  if (l->cell) cJSON_DeleteItemFromObjectCaseSensitive(result, "resultId"); // it is the file's
  bool is_tokens = l->cell && cJSON_IsNumber(cJSON_GetArrayItem(rlx_json_get(result, "data"), 0));
  bool is_about = true;
  if (is_tokens)
    leave_tokens(l->cell, result);
  else
    is_about = leave(l, result, 0);
  char *out = is_about ? cJSON_PrintUnformatted(result) : NULL;
  rlx_buf_clear(text);
  rlx_buf_puts(text, out ? out : "null");
  cJSON_free(out);
  cJSON_Delete(result);
}

void rlx_cells_leave(RlxServer *server, const RlxNotebook *notebook, const RlxCell *cell,
                     RlxBuf *result) {
  for (uint32_t i = 0; i < server->notebooks.count; i++) {
    Leaving l = {server, server->notebooks.at[i],
                 server->notebooks.at[i] == notebook ? cell : NULL};
    if (l.cell || strstr(rlx_buf_text(result), l.notebook->uri)) leave_result(&l, result);
  }
}

/// What is answered of a cell that is no part of the file: null, but for a report of diagnostics, which cannot be.
static void say_nothing(const char *method, RlxJson *result) {
  if (strcmp(method, "textDocument/diagnostic") != 0) return;
  rlx_json_begin(result, '{');
  rlx_json_key_text(result, "kind", "full");
  rlx_json_key(result, "items");
  rlx_json_begin(result, '[');
  rlx_json_end(result, ']');
  rlx_json_end(result, '}');
}

RlxRpcCode rlx_cells_call(RlxServer *server, RlxMethodFn *handler, const char *method,
                          const cJSON *params, RlxJson *result) {
  bool is_sync = !strncmp(method, "notebookDocument/", 17);
  if (!server->notebooks.count || is_sync) return handler(server, params, result);
  RlxCell *cell = NULL;
  RlxNotebook *notebook = find_cell(server, params, &cell, 0);
  if (notebook && !rlx_cell_is_shown(cell)) {
    say_nothing(method, result);
    return RLX_RPC_OK;
  }
  cJSON *inner = notebook ? cJSON_Duplicate(params, true) : NULL;
  if (inner) {
    enter(inner, cell, notebook->uri, 0);
    cJSON_DeleteItemFromObjectCaseSensitive(inner, "previousResultId");
  }
  const RlxCell *around = server->cell;
  server->cell = notebook ? cell : NULL;
  RlxRpcCode code = handler(server, inner ? inner : params, result);
  server->cell = around;
  cJSON_Delete(inner);
  if (code != RLX_RPC_OK || !result->out->size) return code;
  rlx_cells_leave(server, notebook, cell, result->out);
  return code;
}

// ---- diagnostics

static void publish(RlxServer *server, const char *uri, const RlxCell *cell, const char *items) {
  RlxBuf out = {0};
  RlxJson json = {.out = &out};
  rlx_json_begin(&json, '{');
  rlx_json_key_text(&json, "uri", uri);
  if (cell && cell->has_version && server->can_versions)
    rlx_json_key_int(&json, "version", cell->version);
  rlx_json_key(&json, "diagnostics");
  rlx_json_raw(&json, items, strlen(items));
  rlx_json_end(&json, '}');
  rlx_server_notify(server, "textDocument/publishDiagnostics", &out);
  rlx_buf_free(&out);
}

static uint64_t hash_of(const char *text, int64_t version) {
  uint64_t hash = 14695981039346656037u ^ (uint64_t)version;
  for (; *text; text++) hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  return hash | 1;
}

void rlx_cells_publish(RlxServer *server, RlxNotebook *notebook, const RlxBuf *diagnostics) {
  for (uint32_t i = 0; i < notebook->gone.count; i++) {
    RlxCell *other;
    // One that is back without its text has nothing of its own to show.
    if (!rlx_notebook_of_cell(server, notebook->gone.at[i], &other) || !rlx_cell_is_shown(other))
      publish(server, notebook->gone.at[i], NULL, "[]");
    free(notebook->gone.at[i]);
  }
  rlx_vec_clear(&notebook->gone);
  for (uint32_t i = 0; i < notebook->cells.count; i++) {
    RlxCell *cell = &notebook->cells.at[i];
    bool is_shown = rlx_cell_is_shown(cell);
    if (!is_shown && !cell->shown) continue;
    cJSON *items =
        is_shown ? cJSON_ParseWithLength(rlx_buf_text(diagnostics), diagnostics->size) : NULL;
    if (items) leave(&(Leaving){server, notebook, cell}, items, 0);
    char *text = items ? cJSON_PrintUnformatted(items) : NULL;
    uint64_t hash = hash_of(text ? text : "[]", cell->version);
    if (hash != cell->shown) publish(server, cell->uri, cell, text ? text : "[]");
    cell->shown = hash;
    cJSON_free(text);
    cJSON_Delete(items);
  }
}
