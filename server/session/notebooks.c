/// The cells of notebooks, and the text that they are together. See notebooks.h.
#include "server/session/notebooks.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

RlxNotebook *rlx_notebook_find(const RlxServer *server, const char *uri) {
  for (uint32_t i = 0; uri && i < server->notebooks.count; i++)
    if (!strcmp(server->notebooks.at[i]->uri, uri)) return server->notebooks.at[i];
  return NULL;
}

RlxNotebook *rlx_notebook_of_cell(const RlxServer *server, const char *uri, RlxCell **out_cell) {
  for (uint32_t i = 0; uri && i < server->notebooks.count; i++) {
    RlxNotebook *notebook = server->notebooks.at[i];
    for (uint32_t k = 0; k < notebook->cells.count; k++)
      if (!strcmp(notebook->cells.at[k].uri, uri)) {
        *out_cell = &notebook->cells.at[k];
        return notebook;
      }
  }
  return NULL;
}

RlxCell *rlx_notebook_cell_at(const RlxNotebook *notebook, uint32_t line) {
  for (uint32_t i = 0; i < notebook->cells.count; i++) {
    RlxCell *cell = &notebook->cells.at[i];
    if (rlx_cell_is_shown(cell) && line >= cell->line && line - cell->line < cell->line_count)
      return cell;
  }
  return NULL;
}

static void free_cell(RlxCell *cell) {
  free(cell->uri);
  free(cell->text);
}

static void free_notebook(RlxNotebook *notebook) {
  for (uint32_t i = 0; i < notebook->cells.count; i++) free_cell(&notebook->cells.at[i]);
  for (uint32_t i = 0; i < notebook->aside.count; i++) free_cell(&notebook->aside.at[i]);
  for (uint32_t i = 0; i < notebook->gone.count; i++) free(notebook->gone.at[i]);
  rlx_vec_free(&notebook->cells);
  rlx_vec_free(&notebook->aside);
  rlx_vec_free(&notebook->gone);
  free(notebook->uri);
  free(notebook);
}

void rlx_notebook_remove(RlxServer *server, RlxNotebook *notebook) {
  for (uint32_t i = 0; i < server->notebooks.count; i++) {
    if (server->notebooks.at[i] != notebook) continue;
    rlx_vec_remove_n(&server->notebooks, i, 1);
    break;
  }
  free_notebook(notebook);
}

RlxNotebook *rlx_notebook_add(RlxServer *server, const char *uri) {
  RlxNotebook *old = rlx_notebook_find(server, uri);
  if (old) rlx_notebook_remove(server, old);
  RlxNotebook *notebook = rlx_mem_zeroed(1, sizeof *notebook);
  notebook->uri = rlx_mem_strdup(uri);
  rlx_vec_push(&server->notebooks, notebook);
  return notebook;
}

void rlx_notebooks_free(RlxServer *server) {
  for (uint32_t i = 0; i < server->notebooks.count; i++) free_notebook(server->notebooks.at[i]);
  rlx_vec_free(&server->notebooks);
}

void rlx_notebook_set_text(RlxCell *cell, const char *text) {
  free(cell->text);
  cell->text = text ? rlx_mem_strdup(text) : NULL;
}

void rlx_notebook_close_text(RlxNotebook *notebook, const char *uri) {
  for (uint32_t i = 0; uri && i < notebook->cells.count; i++)
    if (!strcmp(notebook->cells.at[i].uri, uri))
      rlx_notebook_set_text(&notebook->cells.at[i], NULL);
  for (uint32_t i = notebook->aside.count; uri && i-- > 0;) {
    if (strcmp(notebook->aside.at[i].uri, uri) != 0) continue;
    free_cell(&notebook->aside.at[i]);
    rlx_vec_remove_n(&notebook->aside, i, 1);
  }
}

// ---- the order of cells

typedef Vec(RlxCell) Cells;

/// The cell of a NotebookCell: one that is aside moves here, with its text; else a new one.
static RlxCell take_cell(RlxNotebook *notebook, const cJSON *item, const char *uri) {
  RlxCell cell = {.is_python = true};
  for (uint32_t i = 0; i < notebook->aside.count; i++) {
    if (strcmp(notebook->aside.at[i].uri, uri) != 0) continue;
    cell = notebook->aside.at[i];
    rlx_vec_remove_n(&notebook->aside, i, 1);
    break;
  }
  if (!cell.uri) cell.uri = rlx_mem_strdup(uri);
  const cJSON *kind = rlx_json_get(item, "kind");
  cell.is_code = !cJSON_IsNumber(kind) || kind->valuedouble != 1; // 1: Markup
  return cell;
}

void rlx_notebook_splice(RlxNotebook *notebook, uint32_t start, uint32_t remove,
                         const cJSON *array) {
  Cells cells = {0};
  if (start > notebook->cells.count) start = notebook->cells.count;
  if (remove > notebook->cells.count - start) remove = notebook->cells.count - start;
  for (uint32_t i = start; i < start + remove; i++)
    rlx_vec_push(&notebook->aside, notebook->cells.at[i]);
  for (uint32_t i = 0; i < start; i++) rlx_vec_push(&cells, notebook->cells.at[i]);
  const cJSON *item;
  cJSON_ArrayForEach(item, array) {
    const char *uri = rlx_json_string(item, "document");
    if (uri) rlx_vec_push(&cells, take_cell(notebook, item, uri));
  }
  for (uint32_t i = start + remove; i < notebook->cells.count; i++)
    rlx_vec_push(&cells, notebook->cells.at[i]);
  for (uint32_t i = 0; i < notebook->aside.count; i++) {
    RlxCell *cell = &notebook->aside.at[i];
    if (cell->shown) rlx_vec_push(&notebook->gone, rlx_mem_strdup(cell->uri));
    cell->shown = 0;
  }
  rlx_vec_free(&notebook->cells);
  notebook->cells.at = cells.at;
  notebook->cells.count = cells.count;
  notebook->cells.capacity = cells.capacity;
}

// ---- the text

/// A line for IPython, not for Python: `%time …`, `!ls`, `relu?`.
static bool is_magic(const char *line, const char *end) {
  while (line < end && (*line == ' ' || *line == '\t')) line++;
  while (end > line && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) end--;
  if (end - line < 2 || *line == '#') return false;
  bool is_command =
      *line == '!' || *line == '?' ||
      (*line == '%' && strchr("%abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_", line[1]));
  return is_command ||
         (end[-1] == '?' && !memchr(line, '#', (size_t)(end - line)) &&
          !memchr(line, '"', (size_t)(end - line)) && !memchr(line, '\'', (size_t)(end - line)));
}

/// A line of a cell: one for IPython becomes a comment of the same length behind a number, which is
/// a statement as it was.
static void put_line(const char *line, const char *end, RlxBuf *out) {
  size_t at = out->size;
  rlx_buf_putn(out, line, (size_t)(end - line));
  if (!is_magic(line, end)) return;
  while (out->at[at] == ' ' || out->at[at] == '\t') at++;
  // What follows the two must not begin in the middle of a character.
  if (((unsigned char)out->at[at] | (unsigned char)out->at[at + 1]) & 0x80) {
    out->at[at] = '#';
    return;
  }
  out->at[at] = '0';
  out->at[at + 1] = '#';
}

static const char *line_end(const char *line) { return line + strcspn(line, "\r\n"); }

static const char *next_line(const char *end) {
  return end[0] == '\r' && end[1] == '\n' ? end + 2 : *end ? end + 1 : end;
}

/// Appends a cell; the number of its lines. One in another language (`%%bash`) has empty lines.
static uint32_t put_cell(const RlxCell *cell, RlxBuf *out) {
  const char *at = cell->text + strspn(cell->text, " \t\r\n");
  bool is_foreign = at[0] == '%' && at[1] == '%' && strncmp(at, "%%time", 6) != 0 &&
                    strncmp(at, "%%capture", 9) != 0 && strncmp(at, "%%prun", 6) != 0;
  uint32_t count = 0;
  for (at = cell->text;; at = next_line(line_end(at))) {
    const char *end = line_end(at);
    if (!is_foreign) put_line(at, end, out);
    rlx_buf_putc(out, '\n');
    count++;
    if (!*end) return count;
  }
}

/// How much of `old` lies between what both texts begin and end with.
static uint32_t bytes_gone(const char *old, uint32_t size, const RlxBuf *text) {
  const char *now = rlx_buf_text(text);
  uint32_t head = 0, tail = 0, most = size < text->size ? size : (uint32_t)text->size;
  while (head < most && old[head] == now[head]) head++;
  while (tail < most - head && old[size - 1 - tail] == now[text->size - 1 - tail]) tail++;
  return size - head - tail;
}

/// RlxLineNames.put of a notebook's text; `data` is the server.
static void tell_line(void *data, const RlxFile *file, uint32_t line, RlxBuf *out) {
  const RlxServer *server = data;
  const char *uri = NULL;
  for (uint32_t i = 0; i < server->files.count && !uri; i++)
    if (server->files.at[i].file == file) uri = server->files.at[i].uri;
  rlx_put_line_name(server, uri, line, out);
}

void rlx_notebook_compose(RlxServer *server, RlxNotebook *notebook) {
  RlxBuf text = {0};
  uint32_t line = 0;
  for (uint32_t i = 0; i < notebook->cells.count; i++) {
    RlxCell *cell = &notebook->cells.at[i];
    if (!rlx_cell_is_shown(cell)) continue;
    cell->line = line;
    cell->line_count = put_cell(cell, &text);
    line += cell->line_count;
  }
  RlxOpenFile *file = rlx_server_find(server, notebook->uri);
  uint32_t size = (uint32_t)text.size, old_size = 0;
  if (!file) {
    file = rlx_server_open(server, notebook->uri, rlx_buf_text(&text), size);
    file->line_names = (RlxLineNames){tell_line, server};
    rlx_file_name_lines(file->file, &file->line_names);
  } else {
    const char *old = rlx_open_file_text(file, &old_size);
    bool same = old_size == size && !memcmp(old, rlx_buf_text(&text), size);
    server->gone_bytes += same ? 0 : bytes_gone(old, old_size, &text);
    if (!same) rlx_file_set_text(file->file, rlx_buf_text(&text), size);
  }
  rlx_open_file_changed(file);
  rlx_server_module_changed(server, file);
  rlx_buf_free(&text);
}

void rlx_put_line_name(const RlxServer *server, const char *uri, uint32_t line, RlxBuf *out) {
  const RlxNotebook *notebook = rlx_notebook_find(server, uri);
  const RlxCell *cell = notebook ? rlx_notebook_cell_at(notebook, line) : NULL;
  rlx_buf_printf(out, "line %u", line + 1 - (cell ? cell->line : 0));
  if (cell && cell != server->cell)
    rlx_buf_printf(out, " of cell %u", (uint32_t)(cell - notebook->cells.at) + 1);
}

RlxSpan rlx_cell_asked(const RlxServer *server, RlxFile *file) {
  const RlxLines *lines = rlx_document_lines(rlx_file_document(file));
  const RlxCell *cell = server->cell;
  if (!cell) return rlx_span(0, UINT32_MAX);
  const uint32_t end = cell->line + cell->line_count;
  return rlx_span(rlx_lines_start(lines, cell->line),
                  end < rlx_lines_count(lines) ? rlx_lines_start(lines, end) : UINT32_MAX);
}
