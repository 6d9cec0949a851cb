/// A notebook and what an editor does with it: cells with a line "# %%" between them, a line "---", and bytes that choose what comes in, goes
/// out and is edited, well-formed messages all of them. What the server says of the cells in the end is what it says of a notebook that
/// is opened with them.
#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/json.h"
#include "base/text.h"
#include "base/vec.h"
#include "server/server.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { CELLS_MOST = 8, STEPS_MOST = 24, FIRST_ASKED = 1000 };

typedef struct Cell {
  int id;
  RlxBuf text;
} Cell;

typedef struct Book {
  Vec(Cell) cells;
  int ids, version, requests;
  RlxBuf out; ///< messages to the server
  RlxBuf body;
  RlxJson json;
} Book;

static void must(int holds) {
  if (!holds) abort();
}

// ---- messages

static RlxJson *begin(Book *b, const char *method, int id) {
  rlx_buf_clear(&b->body);
  b->json = (RlxJson){.out = &b->body};
  rlx_json_begin(&b->json, '{');
  rlx_json_key_text(&b->json, "jsonrpc", "2.0");
  if (id) rlx_json_key_int(&b->json, "id", id);
  rlx_json_key_text(&b->json, "method", method);
  rlx_json_key(&b->json, "params");
  rlx_json_begin(&b->json, '{');
  return &b->json;
}

static void end(Book *b) {
  rlx_json_end(&b->json, '}');
  rlx_json_end(&b->json, '}');
  rlx_buf_printf(&b->out, "Content-Length: %zu\r\n\r\n", b->body.size);
  rlx_buf_putn(&b->out, rlx_buf_text(&b->body), b->body.size);
}

static void uri(RlxJson *json, const char *key, int id) {
  char text[64];
  snprintf(text, sizeof text, "vscode-notebook-cell:/b.ipynb#%d", id);
  rlx_json_key_text(json, key, text);
}

static void book_of(Book *b, bool is_new) {
  RlxJson *json = &b->json;
  rlx_json_key(json, "notebookDocument");
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "uri", "file:///b.ipynb");
  rlx_json_key_int(json, "version", ++b->version);
  if (is_new) rlx_json_key_text(json, "notebookType", "jupyter-notebook");
  if (!is_new) rlx_json_end(json, '}');
}

static void entry(RlxJson *json, const Cell *cell) {
  rlx_json_begin(json, '{');
  rlx_json_key_int(json, "kind", 2);
  uri(json, "document", cell->id);
  rlx_json_end(json, '}');
}

static void document(RlxJson *json, const Cell *cell) {
  rlx_json_begin(json, '{');
  uri(json, "uri", cell->id);
  rlx_json_key_text(json, "languageId", "python");
  rlx_json_key_int(json, "version", 1);
  rlx_json_key(json, "text");
  rlx_json_textn(json, rlx_buf_text(&cell->text), cell->text.size);
  rlx_json_end(json, '}');
}

static void open_book(Book *b) {
  RlxJson *json = begin(b, "notebookDocument/didOpen", 0);
  book_of(b, true);
  rlx_json_key(json, "cells");
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < b->cells.count; i++) entry(json, &b->cells.at[i]);
  rlx_json_end(json, ']');
  rlx_json_end(json, '}');
  rlx_json_key(json, "cellTextDocuments");
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < b->cells.count; i++) document(json, &b->cells.at[i]);
  rlx_json_end(json, ']');
  end(b);
}

static void request(Book *b, const char *method, int id, const Cell *cell, uint32_t line,
                    uint32_t character) {
  RlxJson *json = begin(b, method, id);
  rlx_json_key(json, "textDocument");
  rlx_json_begin(json, '{');
  uri(json, "uri", cell->id);
  rlx_json_end(json, '}');
  rlx_json_key(json, "position");
  rlx_json_one_place(json, line, character);
  rlx_json_key(json, "range");
  rlx_json_two_places(json, (uint32_t[]){0, 0}, (uint32_t[]){1000, 0});
  rlx_json_key(json, "context");
  rlx_json_begin(json, '{');
  rlx_json_key(json, "diagnostics");
  rlx_json_begin(json, '[');
  rlx_json_end(json, ']');
  rlx_json_end(json, '}');
  rlx_json_key_text(json, "newName", "y");
  end(b);
}

// ---- what an editor does

/// A change of the list of cells: `gone` of them from `at` on, and `come` in their place.
static void change_cells(Book *b, uint32_t at, uint32_t gone, const Cell *come, bool ends_early) {
  RlxJson *json = begin(b, "notebookDocument/didChange", 0);
  book_of(b, false);
  rlx_json_key(json, "change");
  rlx_json_begin(json, '{');
  rlx_json_key(json, "cells");
  rlx_json_begin(json, '{');
  rlx_json_key(json, "structure");
  rlx_json_begin(json, '{');
  rlx_json_key(json, "array");
  rlx_json_begin(json, '{');
  rlx_json_key_int(json, "start", at);
  rlx_json_key_int(json, "deleteCount", gone);
  rlx_json_key(json, "cells");
  rlx_json_begin(json, '[');
  if (come) entry(json, come);
  rlx_json_end(json, ']');
  rlx_json_end(json, '}');
  rlx_json_key(json, "didOpen");
  rlx_json_begin(json, '[');
  if (come) document(json, come);
  rlx_json_end(json, ']');
  if (!ends_early) { // some editors never close what is gone
    rlx_json_key(json, "didClose");
    rlx_json_begin(json, '[');
    for (uint32_t i = 0; i < gone; i++) {
      rlx_json_begin(json, '{');
      uri(json, "uri", b->cells.at[at + i].id);
      rlx_json_end(json, '}');
    }
    rlx_json_end(json, ']');
  }
  rlx_json_end(json, '}');
  rlx_json_end(json, '}');
  rlx_json_end(json, '}');
  end(b);
  for (uint32_t i = 0; i < gone; i++) rlx_buf_free(&b->cells.at[at + i].text);
  rlx_vec_remove_n(&b->cells, at, gone);
  if (!come) return;
  rlx_vec_push(&b->cells, *come);
  for (uint32_t i = b->cells.count - 1; i > at; i--) {
    const Cell moved = b->cells.at[i];
    b->cells.at[i] = b->cells.at[i - 1];
    b->cells.at[i - 1] = moved;
  }
}

static uint32_t whole(const RlxBuf *text, uint32_t at) {
  while (at < text->size && at && rlx_utf8_is_continuation(text->at[at])) at--;
  return at;
}

/// Bytes `from` to `to` of a cell become `piece`.
static void edit(Book *b, Cell *cell, uint32_t from, uint32_t to, const char *piece, size_t size) {
  RlxLines lines = {0};
  rlx_lines_build(&lines, rlx_buf_text(&cell->text), (uint32_t)cell->text.size);
  uint32_t places[2][2];
  for (int i = 0; i < 2; i++) {
    const RlxLineColumn at = rlx_lines_locate(&lines, i ? to : from);
    const uint32_t start = rlx_lines_start(&lines, at.line),
                   stop = rlx_lines_end(&lines, cell->text.at, at.line);
    const uint32_t column = at.column > stop - start ? stop - start : at.column; // within "\r\n"
    places[i][0] = at.line;
    places[i][1] = rlx_utf16_from_bytes(cell->text.at + start, stop - start, column);
    *(i ? &to : &from) = start + column;
  }
  rlx_lines_free(&lines);
  RlxJson *json = begin(b, "notebookDocument/didChange", 0);
  book_of(b, false);
  rlx_json_key(json, "change");
  rlx_json_begin(json, '{');
  rlx_json_key(json, "cells");
  rlx_json_begin(json, '{');
  rlx_json_key(json, "textContent");
  rlx_json_begin(json, '[');
  rlx_json_begin(json, '{');
  rlx_json_key(json, "document");
  rlx_json_begin(json, '{');
  uri(json, "uri", cell->id);
  rlx_json_key_int(json, "version", b->version);
  rlx_json_end(json, '}');
  rlx_json_key(json, "changes");
  rlx_json_begin(json, '[');
  rlx_json_begin(json, '{');
  rlx_json_key(json, "range");
  rlx_json_two_places(json, places[0], places[1]);
  rlx_json_key(json, "text");
  rlx_json_textn(json, piece, size);
  rlx_json_end(json, '}');
  rlx_json_end(json, ']');
  rlx_json_end(json, '}');
  rlx_json_end(json, ']');
  rlx_json_end(json, '}');
  rlx_json_end(json, '}');
  end(b);
  rlx_buf_splice(&cell->text, from, to, piece, (uint32_t)size);
  rlx_buf_reserve(&cell->text, 0);
}

/// One step, chosen by four bytes; new text is taken out of `all`.
static void step(Book *b, const uint8_t *c, const RlxBuf *all) {
  static const char *const methods[] = {"textDocument/hover",      "textDocument/definition",
                                        "textDocument/references", "textDocument/completion",
                                        "textDocument/rename",     "textDocument/codeAction",
                                        "textDocument/codeLens",   "textDocument/foldingRange",
                                        "textDocument/inlayHint",  "textDocument/formatting"};
  const uint32_t count = b->cells.count, from = whole(all, c[2] * 8u % ((uint32_t)all->size + 1)),
                 stop = whole(all, from + c[3] % ((uint32_t)all->size + 1 - from));
  Cell *cell = count ? &b->cells.at[c[1] % count] : NULL;
  if (c[0] % 8 == 0 && count < CELLS_MOST) {
    Cell come = {.id = b->ids++};
    rlx_buf_putn(&come.text, rlx_buf_text(all) + from, stop - from);
    rlx_buf_reserve(&come.text, 0);
    change_cells(b, c[1] % (count + 1), 0, &come, false);
  } else if (c[0] % 8 == 1 && count)
    change_cells(b, c[1] % count, 1 + c[2] % (count - c[1] % count), NULL, c[3] % 2);
  else if (c[0] % 8 == 2 && cell)
    request(b, methods[c[3] % 10], ++b->requests, cell, c[2] % 32, c[2] / 8);
  else if (cell) {
    const uint32_t size = (uint32_t)cell->text.size;
    const uint32_t at = whole(&cell->text, c[2] * 4u % (size + 1)),
                   to = whole(&cell->text, at + c[0] / 8 % (size + 1 - at));
    edit(b, cell, at, to < at ? at : to, rlx_buf_text(all) + from, stop - from);
  }
}

// ---- the server

static cJSON *serve(Book *b) {
  int in = memfd_create("in", MFD_CLOEXEC), out = memfd_create("out", MFD_CLOEXEC);
  must(in >= 0 && out >= 0 && write(in, b->out.at, b->out.size) == (ssize_t)b->out.size);
  lseek(in, 0, SEEK_SET);
  rlx_server_run(&(RlxServerOptions){.in = in, .out = out});
  RlxBuf said = {0};
  char block[4096];
  lseek(out, 0, SEEK_SET);
  for (ssize_t n; (n = read(out, block, sizeof block)) > 0;) rlx_buf_putn(&said, block, (size_t)n);
  close(in);
  close(out);
  cJSON *answers = cJSON_CreateArray();
  for (const char *at = rlx_buf_text(&said); *at;) {
    must(!strncmp(at, "Content-Length: ", 16));
    const size_t size = strtoul(at + 16, NULL, 10);
    at = strstr(at, "\r\n\r\n") + 4;
    cJSON *message = cJSON_ParseWithLength(at, size);
    must(message != NULL);
    const cJSON *id = cJSON_GetObjectItem(message, "id");
    if (cJSON_IsNumber(id) && id->valuedouble >= FIRST_ASKED &&
        !cJSON_HasObjectItem(message, "method"))
      cJSON_AddItemToArray(answers, message);
    else
      cJSON_Delete(message);
    at += size;
  }
  rlx_buf_free(&said);
  return answers;
}

/// What is known of the cells in the end; the numbers that name results differ.
static void ask(Book *b) {
  static const char *const methods[] = {"textDocument/diagnostic", "textDocument/documentSymbol",
                                        "textDocument/inlayHint",
                                        "textDocument/semanticTokens/full"};
  int id = FIRST_ASKED;
  for (uint32_t i = 0; i < b->cells.count; i++)
    for (int k = 0; k < 4; k++) request(b, methods[k], id++, &b->cells.at[i], 0, 0);
}

static void forget_names(cJSON *item) {
  for (cJSON *at = item->child, *next; at; at = next) {
    next = at->next;
    if (at->string && !strcmp(at->string, "resultId"))
      cJSON_Delete(cJSON_DetachItemViaPointer(item, at));
    else
      forget_names(at);
  }
}

static char *answers_of(Book *b) {
  ask(b);
  cJSON *answers = serve(b);
  forget_names(answers);
  char *text = cJSON_PrintUnformatted(answers);
  cJSON_Delete(answers);
  return text;
}

static void initialize(Book *b) {
  begin(b, "initialize", 1);
  rlx_json_key(&b->json, "capabilities");
  rlx_json_begin(&b->json, '{');
  rlx_json_end(&b->json, '}');
  end(b);
}

static void take_cells(Book *b, const char *text) {
  while (b->cells.count < CELLS_MOST) {
    const char *mark = strstr(text, "\n# %%\n");
    Cell cell = {.id = b->ids++};
    rlx_buf_putn(&cell.text, text, mark ? (size_t)(mark - text) + 1 : strlen(text));
    rlx_buf_reserve(&cell.text, 0);
    rlx_vec_push(&b->cells, cell);
    if (!mark) return;
    text = mark + 6;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size > 8192) return 0;
  RlxBuf all = {0};
  for (size_t i = 0; i < size;) { // as JSON would bring it
    uint32_t code = 0;
    const uint32_t n = rlx_utf8_decode((const char *)bytes + i, size - i, &code);
    if (n == 1 && code != 0xFFFD && code)
      rlx_buf_putc(&all, (char)code);
    else if (n > 1)
      rlx_buf_putn(&all, (const char *)bytes + i, n);
    else
      rlx_buf_putc(&all, '?');
    i += n;
  }
  rlx_buf_reserve(&all, 0);
  const char *cut = strstr(rlx_buf_text(&all), "\n---\n");
  if (cut) rlx_buf_truncate(&all, (size_t)(cut - all.at) + 1);
  // The steps lie behind the text in the input, as bytes that any value may have.
  const uint8_t *steps = NULL;
  for (size_t i = 0; i + 5 <= size && !steps; i++)
    if (!memcmp(bytes + i, "\n---\n", 5)) steps = bytes + i + 5;
  Book book = {.requests = 1};
  take_cells(&book, rlx_buf_text(&all));
  initialize(&book);
  open_book(&book);
  const size_t count = steps ? (size_t)(bytes + size - steps) / 4 : 0;
  for (size_t i = 0; i < count && i < STEPS_MOST; i++) step(&book, steps + 4 * i, &all);
  char *edited = answers_of(&book);
  rlx_buf_clear(&book.out);
  initialize(&book);
  open_book(&book);
  char *fresh = answers_of(&book);
  if (strcmp(edited, fresh) != 0) {
    fprintf(stderr, "after the edits: %s\nopened afresh:   %s\n", edited, fresh);
    for (uint32_t i = 0; i < book.cells.count; i++)
      fprintf(stderr, "--- cell %u\n%s", i, rlx_buf_text(&book.cells.at[i].text));
    abort();
  }
  cJSON_free(edited);
  cJSON_free(fresh);
  for (uint32_t i = 0; i < book.cells.count; i++) rlx_buf_free(&book.cells.at[i].text);
  rlx_vec_free(&book.cells);
  rlx_buf_free(&book.out);
  rlx_buf_free(&book.body);
  rlx_buf_free(&all);
  return 0;
}
