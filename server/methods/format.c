/// Formatting of documents, ranges and the line above a new one: the functions written in TVMScript,
/// nothing else.
#include <string.h>

#include "analyzer/rewrite/format.h"
#include "server/methods/methods.h"

/// Writes the edits; thousands of them are joined where they are near each other: a client takes longer for
/// each than for the text between two.
static void write_edits(RlxServer *server, RlxOpenFile *file, const RlxFormatEdits *edits,
                        RlxJson *result) {
  enum { MANY = 1000, NEAR_BYTES = 256 };
  uint32_t size;
  const char *text = rlx_document_text(rlx_file_document(file->file), &size);
  RlxBuf joined = {0};
  for (uint32_t i = 0, next; i < edits->count; i = next) {
    RlxSpan span = edits->at[i].span;
    rlx_buf_truncate(&joined, 0);
    rlx_buf_puts(&joined, edits->at[i].text);
    for (next = i + 1; edits->count > MANY && next < edits->count; next++) {
      const RlxFormatEdit *more = &edits->at[next];
      if (more->span.start < span.end || more->span.start - span.end > NEAR_BYTES) break;
      rlx_buf_putn(&joined, text + span.end, more->span.start - span.end);
      rlx_buf_puts(&joined, more->text);
      span.end = more->span.end;
    }
    rlx_write_text_edit(server, file->file, span, rlx_buf_text(&joined), joined.size, result);
  }
  rlx_buf_free(&joined);
}

static RlxRpcCode answer(RlxServer *server, RlxOpenFile *file, RlxSpan window, RlxJson *result) {
  RlxFormatEdits edits = {0};
  rlx_file_format(file->file, window, &edits);
  rlx_json_begin(result, '[');
  write_edits(server, file, &edits, result);
  rlx_json_end(result, ']');
  rlx_vec_free(&edits);
  return RLX_RPC_OK;
}

RlxRpcCode rlx_lsp_formatting(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file = rlx_server_file(server, params);
  if (!file) return RLX_RPC_INVALID_PARAMS;
  return answer(server, file, rlx_span(0, UINT32_MAX), result);
}

RlxRpcCode rlx_lsp_range_formatting(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file = rlx_server_file(server, params);
  RlxSpan window;
  if (!file || !rlx_range_offsets(server, file->file, rlx_json_get(params, "range"), &window))
    return RLX_RPC_INVALID_PARAMS;
  return answer(server, file, window, result);
}

/// Several ranges: what touches two of them is edited once.
RlxRpcCode rlx_lsp_ranges_formatting(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file = rlx_server_file(server, params);
  Vec(RlxSpan) windows = {0};
  RlxFormatEdits edits = {0};
  const cJSON *range, *ranges = rlx_json_get(params, "ranges");
  RlxSpan around = {UINT32_MAX, 0};
  bool ok = file && cJSON_IsArray(ranges);
  cJSON_ArrayForEach(range, ranges) {
    RlxSpan window;
    ok = ok && rlx_range_offsets(server, file->file, range, &window);
    if (!ok) break;
    rlx_vec_push(&windows, window);
    if (window.start < around.start) around.start = window.start;
    if (window.end > around.end) around.end = window.end;
  }
  if (ok && windows.count) rlx_file_format(file->file, around, &edits);
  if (ok) rlx_json_begin(result, '[');
  for (uint32_t i = 0; ok && i < edits.count; i++) {
    const RlxFormatEdit *edit = &edits.at[i];
    bool is_meant = false;
    for (uint32_t k = 0; k < windows.count && !is_meant; k++)
      is_meant = edit->span.start <= windows.at[k].end && edit->span.end >= windows.at[k].start;
    if (is_meant)
      rlx_write_text_edit(server, file->file, edit->span, edit->text, strlen(edit->text), result);
  }
  if (ok) rlx_json_end(result, ']');
  rlx_vec_free(&edits);
  rlx_vec_free(&windows);
  return ok ? RLX_RPC_OK : RLX_RPC_INVALID_PARAMS;
}

/// A line end was typed: the statement that ends above it is formatted. The new line and its
/// indentation are the editor's.
RlxRpcCode rlx_lsp_on_type_formatting(RlxServer *server, const cJSON *params, RlxJson *result) {
  RlxOpenFile *file = rlx_server_file(server, params);
  uint32_t offset;
  if (!file || !rlx_position_offset(server, file->file, rlx_json_get(params, "position"), &offset))
    return RLX_RPC_INVALID_PARAMS;
  const RlxDocument *doc = rlx_file_document(file->file);
  const RlxLines *lines = rlx_document_lines(doc);
  uint32_t size, line = rlx_lines_locate(lines, offset).line;
  const char *text = rlx_document_text(doc, &size);
  const char *typed = rlx_json_string(params, "ch");
  RlxFormatEdits edits = {0};
  uint32_t end = line ? rlx_lines_end(lines, text, line - 1) : 0,
           start = line ? rlx_lines_start(lines, line - 1) : 0;
  const RlxStmt *stmt = line && end ? rlx_document_stmt_at(doc, end - 1) : NULL;
  bool is_open =
      stmt && stmt->start + stmt->head_size > rlx_lines_start(lines, line); // goes on below
  if (typed && !strcmp(typed, "\n") && end > start && !is_open) {
    if (stmt && stmt->start < start && stmt->start + stmt->head_size > start) start = stmt->start;
    rlx_file_format(file->file, rlx_span(start, end), &edits);
  }
  rlx_json_begin(result, '[');
  for (uint32_t i = 0; i < edits.count; i++) {
    const RlxFormatEdit *edit = &edits.at[i];
    if (edit->span.start >= start && edit->span.end <= end)
      rlx_write_text_edit(server, file->file, edit->span, edit->text, strlen(edit->text), result);
  }
  rlx_json_end(result, ']');
  rlx_vec_free(&edits);
  return RLX_RPC_OK;
}
