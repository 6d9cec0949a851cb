/// Completion and signature help as LSP has them; what is offered comes from analyzer/complete.
#include <string.h>

#include "analyzer/complete/complete.h"
#include "analyzer/syntax/stmt_text.h"
#include "base/text.h"
#include "server/methods/methods.h"
#include "server/session/notebooks.h"

/// LSP's CompletionItemKind for each kind of offer, and the characters that take the offer and are
/// typed behind it.
static const struct {
  uint8_t kind;
  const char *commit;
} kinds[] = {
    [RLX_OFFER_VARIABLE] = {6, ",)]"}, [RLX_OFFER_DIMENSION] = {25, NULL},
    [RLX_OFFER_BUFFER] = {6, "[,)"},   [RLX_OFFER_LOOP] = {6, ",])"},
    [RLX_OFFER_FUNCTION] = {3, "("},   [RLX_OFFER_PRIM_FUNC] = {3, ",("},
    [RLX_OFFER_OPERATOR] = {3, "("},   [RLX_OFFER_WORD] = {2, "("},
    [RLX_OFFER_TYPE] = {7, "("},       [RLX_OFFER_NAMESPACE] = {9, "."},
    [RLX_OFFER_MEMBER] = {5, NULL},    [RLX_OFFER_DTYPE] = {12, NULL},
    [RLX_OFFER_VALUE] = {20, NULL},    [RLX_OFFER_PARAMETER] = {10, NULL},
    [RLX_OFFER_KEYWORD] = {14, NULL},  [RLX_OFFER_SNIPPET] = {15, NULL},
};

/// A key of each of hundreds of items, quoted when the program is compiled.
#define KEY(json, key) rlx_json_literal_key((json), "\"" key "\":")

typedef struct Writer {
  RlxServer *server;
  RlxFile *file;
  const RlxOffers *offers;
  uint32_t offset;
  uint32_t import_at; ///< where a new import goes
  RlxBuf ranges;      ///< members that say what all offers replace
  RlxJson *json;
} Writer;

/// Whether an offer's import stands where the word is: then one edit writes both, for edits of one
/// offer may not touch.
static bool imports_here(const Writer *w, const RlxOffer *offer) {
  return offer->import && w->import_at == w->offers->word.start;
}

/// What an offer replaces: the word up to the cursor, or all of it.
static void write_ranges(Writer *w) {
  const RlxSpan word = w->offers->word, before = rlx_span(word.start, w->offset);
  RlxJson json = {.out = &w->ranges};
  rlx_json_key(&json, w->server->can_insert_replace ? "insert" : "range");
  rlx_write_range(w->server, w->file, before, &json);
  if (!w->server->can_insert_replace) return;
  rlx_json_key(&json, "replace");
  rlx_write_range(w->server, w->file, word, &json);
}

static void write_text(const Writer *w, const RlxOffer *offer) {
  const char *text = offer->insert ? offer->insert : offer->label;
  if (!imports_here(w, offer)) {
    rlx_json_text(w->json, text);
    return;
  }
  RlxBuf both = {0};
  rlx_buf_printf(&both, "%s\n\n\n%s", offer->import, text);
  rlx_json_text(w->json, rlx_buf_text(&both));
  rlx_buf_free(&both);
}

/// The edit that writes the offer; what it replaces stands in front of all items, where the client
/// reads it there.
static void write_edit(const Writer *w, const RlxOffer *offer) {
  RlxJson *json = w->json;
  if (w->server->can_default_range) {
    if (!offer->insert && !imports_here(w, offer)) return; // the label
    KEY(json, "textEditText");
    write_text(w, offer);
    return;
  }
  KEY(json, "textEdit");
  rlx_json_begin(json, '{');
  KEY(json, "newText");
  write_text(w, offer);
  rlx_json_raw(json, rlx_buf_text(&w->ranges), w->ranges.size);
  rlx_json_end(json, '}');
}

/// What all items replace.
static void write_defaults(const Writer *w) {
  RlxJson *json = w->json;
  rlx_json_key(json, "itemDefaults");
  rlx_json_begin(json, '{');
  rlx_json_key(json, "editRange");
  if (w->server->can_insert_replace) {
    rlx_json_begin(json, '{');
    rlx_json_raw(json, rlx_buf_text(&w->ranges), w->ranges.size);
    rlx_json_end(json, '}');
  } else
    rlx_write_range(w->server, w->file, rlx_span(w->offers->word.start, w->offset), json);
  rlx_json_end(json, '}');
}

/// Where a new import goes: behind the imports at the top, else at the first statement, which may be
/// the one at `offset`.
static uint32_t import_place(RlxFile *file, uint32_t offset) {
  const RlxBlock *root = rlx_document_root(rlx_file_document(file));
  uint32_t size, at = UINT32_MAX;
  const char *text = rlx_document_text(rlx_file_document(file), &size);
  for (uint32_t i = 0; i < root->count; i++) {
    const RlxStmt *stmt = root->stmts[i];
    if (stmt->kind != RLX_STMT_IMPORT && !stmt->is_docstring) {
      if (at == UINT32_MAX) at = stmt->start;
      break;
    }
    at = rlx_next_line(text, size, stmt->start + stmt->size);
  }
  return at <= offset ? at : rlx_line_start(text, offset);
}

/// The start of the cell of a notebook in which `offset` stands: an edit there may touch no other cell.
/// 0: the file is no notebook.
static uint32_t cell_start(const RlxServer *server, const RlxOpenFile *file, uint32_t offset) {
  const RlxNotebook *notebook = rlx_notebook_find(server, file->uri);
  const RlxLines *lines = rlx_document_lines(rlx_file_document(file->file));
  const RlxCell *cell =
      notebook ? rlx_notebook_cell_at(notebook, rlx_lines_locate(lines, offset).line) : NULL;
  return cell ? rlx_lines_start(lines, cell->line) : 0;
}

static void write_import(const Writer *w, const char *line) {
  RlxJson *json = w->json;
  const uint32_t at = w->import_at;
  RlxBuf text = {0};
  rlx_buf_printf(&text, "%s\n", line);
  rlx_json_key(json, "additionalTextEdits");
  rlx_json_begin(json, '[');
  rlx_json_begin(json, '{');
  rlx_json_key(json, "range");
  rlx_write_range(w->server, w->file, rlx_span(at, at), json);
  rlx_json_key_text(json, "newText", rlx_buf_text(&text));
  rlx_json_end(json, '}');
  rlx_json_end(json, ']');
  rlx_buf_free(&text);
}

/// The parameters of a detail that is a signature of the label's last word: "(x, axis=None)" of
/// "R.nn.softmax(x, axis=None)"; NULL: it is none.
static const char *parameters_of(const RlxOffer *offer) {
  const char *dot = strrchr(offer->label, '.'), *word = dot ? dot + 1 : offer->label;
  const char *open = offer->detail ? strchr(offer->detail, '(') : NULL;
  size_t size = strlen(word);
  bool is_it =
      open && (size_t)(open - offer->detail) >= size && strncmp(open - size, word, size) == 0;
  return is_it ? open : NULL;
}

/// What stands in each row of the list: parameters behind the name; at the end of the row the import
/// that comes with it, or else what it is.
static void write_label_details(const Writer *w, const RlxOffer *offer) {
  const char *parameters = parameters_of(offer);
  const char *description = offer->import ? offer->import : parameters ? NULL : offer->detail;
  if (!w->server->can_label_details || (!parameters && !description)) return;
  KEY(w->json, "labelDetails");
  rlx_json_begin(w->json, '{');
  if (parameters) KEY(w->json, "detail"), rlx_json_text(w->json, parameters);
  if (description) KEY(w->json, "description"), rlx_json_text(w->json, description);
  rlx_json_end(w->json, '}');
}

static void write_offer(const Writer *w, const RlxOffer *offer) {
  RlxJson *json = w->json;
  char sort[] = "000000";
  for (uint32_t i = sizeof sort - 1, rank = offer->rank; i-- > 0; rank /= 10)
    sort[i] = (char)('0' + rank % 10);
  rlx_json_begin(json, '{');
  KEY(json, "label"), rlx_json_text(json, offer->label);
  KEY(json, "kind"), rlx_json_int(json, kinds[offer->kind].kind);
  KEY(json, "sortText"), rlx_json_text(json, sort);
  if (offer->filter) KEY(json, "filterText"), rlx_json_text(json, offer->filter);
  if (offer->detail) KEY(json, "detail"), rlx_json_text(json, offer->detail);
  write_label_details(w, offer);
  if (offer->is_deprecated && w->server->can_deprecated_items) {
    KEY(json, "tags");
    rlx_json_begin(json, '[');
    rlx_json_int(json, 1);
    rlx_json_end(json, ']');
  }
  if (offer->is_snippet) KEY(json, "insertTextFormat"), rlx_json_int(json, 2);
  write_edit(w, offer);
  if (offer->import && !imports_here(w, offer)) write_import(w, offer->import);
  const char *commit = w->server->can_commit ? kinds[offer->kind].commit : NULL;
  if (commit) {
    KEY(json, "commitCharacters");
    rlx_json_begin(json, '[');
    for (; *commit; commit++) rlx_json_textn(json, commit, 1);
    rlx_json_end(json, ']');
  }
  if (offer->id) {
    KEY(json, "data");
    rlx_json_begin(json, '{');
    KEY(json, "id"), rlx_json_text(json, offer->id);
    rlx_json_end(json, '}');
  }
  rlx_json_end(json, '}');
}

RlxRpcCode rlx_lsp_completion(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file;
  uint32_t offset;
  RlxRpcCode code = rlx_server_at(server, params, &file, &offset);
  if (code != RLX_RPC_OK) return code;
  const char *typed = rlx_json_string(rlx_json_get(params, "context"), "triggerCharacter");
  if (typed && !strcmp(typed, "=") && !rlx_file_awaits_argument(file->file, offset))
    return RLX_RPC_OK; // of a binding: nobody asked
  RlxOffers offers;
  rlx_file_offers_at(file->file, offset, server->can_snippets, &offers);
  Writer w = {.server = server,
              .file = file->file,
              .offers = &offers,
              .offset = offset,
              .import_at = import_place(file->file, offset),
              .json = result};
  write_ranges(&w);
  const uint32_t cell = cell_start(server, file, offset);
  if (w.import_at < cell) w.import_at = cell;
  rlx_json_begin(result, '{');
  rlx_json_key_bool(result, "isIncomplete", offers.is_cut);
  if (server->can_default_range) write_defaults(&w);
  rlx_json_key(result, "items");
  rlx_json_begin(result, '[');
  for (uint32_t i = 0; i < offers.items.count; i++) write_offer(&w, &offers.items.at[i]);
  rlx_json_end(result, ']');
  rlx_json_end(result, '}');
  rlx_buf_free(&w.ranges);
  rlx_offers_free(&offers);
  return RLX_RPC_OK;
}

/// Markdown as the client takes it: as it is, or with its fences left out.
static void write_documentation(const RlxServer *server, const char *text, RlxJson *json) {
  if (server->can_markdown_items) {
    rlx_json_key(json, "documentation");
    rlx_json_begin(json, '{');
    rlx_json_key_text(json, "kind", "markdown");
    rlx_json_key_text(json, "value", text);
    rlx_json_end(json, '}');
    return;
  }
  RlxBuf plain = {0};
  for (const char *at = text; *at;) {
    size_t line = strcspn(at, "\n");
    if (strncmp(at, "```", 3) != 0) rlx_buf_putn(&plain, at, line + (at[line] == '\n'));
    at += line + (at[line] == '\n');
  }
  rlx_json_key_text(json, "documentation", rlx_buf_text(&plain));
  rlx_buf_free(&plain);
}

/// The page without the signature that it begins with, where that is the detail, which clients show
/// above the page; all of it where there is nothing else.
static const char *below_detail(const char *page, const char *detail) {
  static const char open[] = "```python\n", close[] = "\n```";
  size_t size = detail ? strlen(detail) : 0, before = strlen(open);
  if (!size || strncmp(page, open, before) != 0 || strncmp(page + before, detail, size) != 0 ||
      strncmp(page + before + size, close, strlen(close)) != 0)
    return page;
  const char *rest = page + before + size + strlen(close);
  rest += strspn(rest, "\n");
  return *rest ? rest : page;
}

/// The item again, with the page of what it offers.
RlxRpcCode rlx_lsp_completion_resolve(RlxServer *server, const cJSON *params, RlxJson *result) {
  if (!cJSON_IsObject(params)) return RLX_RPC_INVALID_PARAMS;
  const char *id = rlx_json_string(rlx_json_get(params, "data"), "id");
  RlxBuf page = {0};
  const bool has_page = id && rlx_offer_page(id, &page);
  const char *text = below_detail(rlx_buf_text(&page), rlx_json_string(params, "detail"));
  char *item = cJSON_PrintUnformatted(params);
  size_t size = strlen(item);
  if (has_page && size > 1) {
    rlx_buf_putn(result->out, item, size - 1); // without its closing brace
    RlxJson rest = {.out = result->out, .needs_comma = size > 2};
    write_documentation(server, text, &rest);
    rlx_json_end(&rest, '}');
  } else {
    rlx_json_raw(result, item, size);
  }
  rlx_buf_free(&page);
  cJSON_free(item);
  return RLX_RPC_OK;
}

// ------------------------------------------------------------------ signature help

/// A parameter as a part of the signature's label: its place in UTF-16 units, whatever the encoding of
/// positions, or its text for a client that knows no places.
static void write_parameter_label(const RlxServer *server, const RlxSignature *s, RlxSpan span,
                                  RlxJson *json) {
  const char *label = rlx_buf_text(&s->label);
  rlx_json_key(json, "label");
  if (!server->can_label_offsets) {
    rlx_json_textn(json, label + span.start, span.end - span.start);
    return;
  }
  rlx_json_begin(json, '[');
  rlx_json_int(json, rlx_utf16_from_bytes(label, s->label.size, span.start));
  rlx_json_int(json, rlx_utf16_from_bytes(label, s->label.size, span.end));
  rlx_json_end(json, ']');
}

static void write_parameters(const RlxServer *server, const RlxSignature *s, RlxJson *json) {
  rlx_json_key(json, "parameters");
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < s->params.count; i++) {
    rlx_json_begin(json, '{');
    write_parameter_label(server, s, s->params.at[i], json);
    if (s->meanings && s->meanings[i]) rlx_json_key_text(json, "documentation", s->meanings[i]);
    rlx_json_end(json, '}');
  }
  rlx_json_end(json, ']');
}

RlxRpcCode rlx_lsp_signature_help(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file;
  uint32_t offset;
  RlxRpcCode code = rlx_server_at(server, params, &file, &offset);
  if (code != RLX_RPC_OK) return code;
  RlxSignature s;
  if (!rlx_file_signature_at(file->file, offset, &s)) return RLX_RPC_OK;
  rlx_json_begin(result, '{');
  rlx_json_key(result, "signatures");
  rlx_json_begin(result, '[');
  rlx_json_begin(result, '{');
  rlx_json_key_text(result, "label", rlx_buf_text(&s.label));
  if (s.summary) rlx_json_key_text(result, "documentation", s.summary);
  write_parameters(server, &s, result);
  rlx_json_end(result, '}');
  rlx_json_end(result, ']');
  rlx_json_key_int(result, "activeSignature", 0);
  rlx_json_key(result, "activeParameter");
  // None of them: a number behind the last, since `null` came with 3.18.
  rlx_json_int(result, s.active >= 0 ? s.active : (int64_t)s.params.count);
  rlx_json_end(result, '}');
  rlx_signature_free(&s);
  return RLX_RPC_OK;
}
