/// Bytes and the protocol's columns. Inside everything is byte offsets; only this file knows the
/// client's units.
#include "base/text.h"
#include "server/session/session.h"

static uint32_t from_units(RlxEncoding encoding, const char *line, uint32_t size, uint32_t units) {
  switch (encoding) {
  case RLX_UTF8: return units < size ? units : size;
  case RLX_UTF16: return rlx_bytes_from_utf16(line, size, units);
  case RLX_UTF32: return rlx_bytes_from_utf32(line, size, units);
  }
  return units;
}

enum { SHORT_LINE = 1024 }; ///< whose columns are counted where they are asked for

/// The position of `offset`, which may be in `line` or the one behind it.
static RlxPosition position_near(const RlxServer *server, RlxFile *file, uint32_t offset,
                                 uint32_t line) {
  RlxDocument *doc = rlx_file_document(file);
  uint32_t size;
  const char *text = rlx_document_text(doc, &size);
  const RlxLines *lines = rlx_document_lines(doc);
  if (line + 1 < rlx_lines_count(lines) && offset >= rlx_lines_start(lines, line + 1)) line++;
  const bool is_there = line + 1 < rlx_lines_count(lines) &&
                        offset >= rlx_lines_start(lines, line) &&
                        offset < rlx_lines_start(lines, line + 1);
  RlxLineColumn at = is_there ? (RlxLineColumn){line, offset - rlx_lines_start(lines, line)}
                              : rlx_lines_locate(lines, offset);
  uint32_t start = rlx_lines_start(lines, at.line), end = rlx_lines_end(lines, text, at.line);
  uint32_t column = at.column < end - start ? at.column : end - start;
  return (RlxPosition){at.line,
                       server->encoding == RLX_UTF8
                           ? column
                           : rlx_columns_units(server->column, server->encoding == RLX_UTF32,
                                               text + start, end - start, column)};
}

RlxPosition rlx_position_of(const RlxServer *server, RlxFile *file, uint32_t offset) {
  return position_near(server, file, offset, 0);
}

void rlx_write_position(const RlxServer *server, RlxFile *file, uint32_t offset, RlxJson *json) {
  rlx_json_place(json, rlx_position_of(server, file, offset));
}

void rlx_write_range_near(const RlxServer *server, RlxFile *file, RlxSpan span, uint32_t *line,
                          RlxJson *json) {
  RlxPosition start = position_near(server, file, span.start, *line);
  *line = start.line;
  rlx_json_places(json, start, position_near(server, file, span.end, start.line));
}

void rlx_write_symbol_ranges(const RlxServer *server, RlxFile *file, RlxSpan range,
                             RlxSpan selection, uint32_t *line, RlxJson *json) {
  const RlxDocument *doc = rlx_file_document(file);
  const RlxLines *lines = rlx_document_lines(doc);
  const RlxPosition start = position_near(server, file, range.start, *line);
  const uint32_t next =
      start.line + 1 < rlx_lines_count(lines) ? rlx_lines_start(lines, start.line + 1) : 0;
  RlxPosition at[3]; // the rest, in the order of the text
  *line = start.line;
  rlx_json_literal_key(json, "\"range\":");
  if (range.start <= selection.start && selection.end <= range.end && range.end < next &&
      next - rlx_lines_start(lines, start.line) < SHORT_LINE) { // nearly all are
    const char *text = rlx_document_text(doc, NULL);
    const uint32_t ends[3] = {selection.start, selection.end, range.end};
    for (uint32_t i = 0, from = range.start, column = start.character; i < 3; from = ends[i++]) {
      const uint32_t bytes = ends[i] - from;
      column += server->encoding == RLX_UTF8    ? bytes
                : server->encoding == RLX_UTF16 ? rlx_utf16_from_bytes(text + from, bytes, bytes)
                                                : rlx_utf32_from_bytes(text + from, bytes, bytes);
      at[i] = (RlxPosition){start.line, column};
    }
  } else {
    at[0] = position_near(server, file, selection.start, start.line);
    at[1] = position_near(server, file, selection.end, at[0].line);
    at[2] = position_near(server, file, range.end, start.line);
  }
  rlx_json_places(json, start, at[2]);
  rlx_json_literal_key(json, "\"selectionRange\":");
  rlx_json_places(json, at[0], at[1]);
}

void rlx_write_range(const RlxServer *server, RlxFile *file, RlxSpan span, RlxJson *json) {
  uint32_t line = 0;
  rlx_write_range_near(server, file, span, &line, json);
}

void rlx_write_location(const RlxServer *server, const RlxOpenFile *file, RlxSpan span,
                        RlxJson *json) {
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "uri", file->uri);
  rlx_json_key(json, "range");
  rlx_write_range(server, file->file, span, json);
  rlx_json_end(json, '}');
}

void rlx_write_text_edit(const RlxServer *server, RlxFile *file, RlxSpan span, const char *text,
                         size_t size, RlxJson *json) {
  rlx_json_begin(json, '{');
  rlx_json_key(json, "range");
  rlx_write_range(server, file, span, json);
  rlx_json_key(json, "newText");
  rlx_json_textn(json, text, size);
  rlx_json_end(json, '}');
}

void rlx_begin_changes(const RlxOpenFile *file, RlxJson *json) {
  rlx_json_begin(json, '{');
  rlx_json_key(json, "changes");
  rlx_json_begin(json, '{');
  rlx_json_key(json, file->uri);
  rlx_json_begin(json, '[');
}

void rlx_end_changes(RlxJson *json) {
  rlx_json_end(json, ']');
  rlx_json_end(json, '}');
  rlx_json_end(json, '}');
}

void rlx_begin_edits(const RlxServer *server, const RlxOpenFile *file, RlxJson *json) {
  if (!server->can_document_changes || !file->has_version) {
    rlx_begin_changes(file, json);
    return;
  }
  rlx_begin_documents(server, json);
  rlx_begin_document(server, file->uri, &file->version, json);
}

void rlx_end_edits(const RlxServer *server, const RlxOpenFile *file, RlxJson *json) {
  if (!server->can_document_changes || !file->has_version) {
    rlx_end_changes(json);
    return;
  }
  rlx_end_document(server, json);
  rlx_end_documents(server, json);
}

void rlx_begin_documents(const RlxServer *server, RlxJson *json) {
  const bool is_list = server->can_document_changes;
  rlx_json_begin(json, '{');
  rlx_json_key(json, is_list ? "documentChanges" : "changes");
  rlx_json_begin(json, is_list ? '[' : '{');
}

void rlx_end_documents(const RlxServer *server, RlxJson *json) {
  rlx_json_end(json, server->can_document_changes ? ']' : '}');
  rlx_json_end(json, '}');
}

void rlx_begin_document(const RlxServer *server, const char *uri, const int64_t *version,
                        RlxJson *json) {
  if (!server->can_document_changes) {
    rlx_json_key(json, uri);
    rlx_json_begin(json, '[');
    return;
  }
  rlx_json_begin(json, '{');
  rlx_json_key(json, "textDocument");
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "uri", uri);
  rlx_json_key(json, "version");
  if (version)
    rlx_json_int(json, *version);
  else
    rlx_json_null(json);
  rlx_json_end(json, '}');
  rlx_json_key(json, "edits");
  rlx_json_begin(json, '[');
}

void rlx_end_document(const RlxServer *server, RlxJson *json) {
  rlx_json_end(json, ']');
  if (server->can_document_changes) rlx_json_end(json, '}');
}

static bool whole(const cJSON *number, uint32_t *out) {
  if (!cJSON_IsNumber(number) || !(number->valuedouble >= 0)) return false;
  *out = number->valuedouble > 4e9 ? UINT32_MAX : (uint32_t)number->valuedouble;
  return true;
}

static bool offset_in(RlxEncoding encoding, const char *text, uint32_t size, const RlxLines *lines,
                      const cJSON *position, uint32_t *out) {
  uint32_t line, units;
  if (!whole(rlx_json_get(position, "line"), &line) ||
      !whole(rlx_json_get(position, "character"), &units))
    return false;
  if (line >= rlx_lines_count(lines)) {
    *out = size;
    return true;
  }
  uint32_t start = rlx_lines_start(lines, line), end = rlx_lines_end(lines, text, line);
  *out = start + from_units(encoding, text + start, end - start, units);
  return true;
}

bool rlx_position_offset(const RlxServer *server, RlxFile *file, const cJSON *position,
                         uint32_t *out) {
  const RlxDocument *doc = rlx_file_document(file);
  uint32_t size;
  const char *text = rlx_document_text(doc, &size);
  return offset_in(server->encoding, text, size, rlx_document_lines(doc), position, out);
}

bool rlx_text_range_offsets(const RlxServer *server, const RlxBuf *text, const cJSON *range,
                            RlxSpan *out) {
  RlxLines lines = {0};
  const char *at = rlx_buf_text(text);
  const uint32_t size = (uint32_t)text->size;
  rlx_lines_build(&lines, at, size);
  const bool is_one =
      offset_in(server->encoding, at, size, &lines, rlx_json_get(range, "start"), &out->start) &&
      offset_in(server->encoding, at, size, &lines, rlx_json_get(range, "end"), &out->end);
  rlx_lines_free(&lines);
  if (is_one && out->end < out->start) *out = rlx_span(out->end, out->start);
  return is_one;
}

bool rlx_range_offsets(const RlxServer *server, RlxFile *file, const cJSON *range, RlxSpan *out) {
  if (!rlx_position_offset(server, file, rlx_json_get(range, "start"), &out->start)) return false;
  if (!rlx_position_offset(server, file, rlx_json_get(range, "end"), &out->end)) return false;
  if (out->end < out->start) *out = rlx_span(out->end, out->start);
  return true;
}
