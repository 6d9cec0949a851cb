/// The page docs/operators.md, which `make install` puts beside the page of diagnostics: an operator
/// is a heading (`## R.zeros`), a parameter the row of a table below it that begins with its name.
#include "server/methods/operator_page.h"

#include <string.h>

#include "base/file.h"

/// The page's URI, made from that of diagnostics; an empty text: nothing is installed.
static RlxBuf page_uri(const RlxServer *server) {
  RlxBuf uri = {0};
  const char *slash = strrchr(server->pages, '/');
  if (slash) rlx_buf_printf(&uri, "%.*s/operators.md", (int)(slash - server->pages), server->pages);
  return uri;
}

/// The page's path on disk; false: there is none.
static bool page_path(const RlxBuf *uri, RlxBuf *out) {
  return uri->size && rlx_uri_path(rlx_buf_text(uri), out) && rlx_file_exists(rlx_buf_text(out));
}

bool rlx_operator_page_exists(const RlxServer *server) {
  RlxBuf uri = page_uri(server), path = {0};
  bool exists = page_path(&uri, &path);
  rlx_buf_free(&uri);
  rlx_buf_free(&path);
  return exists;
}

/// Where `what` stands at the start of a line in [from, end); NULL: nowhere.
static const char *find_line(const char *from, const char *end, const char *what) {
  for (const char *at = strstr(from, what); at && at < end; at = strstr(at + 1, what))
    if (at == from || at[-1] == '\n') return at;
  return NULL;
}

/// The row of the parameter in the text of the page; NULL: it has none.
static const char *find_row(const char *page, const char *label, RlxSpan name) {
  RlxBuf heading = {0}, row = {0};
  rlx_buf_printf(&heading, "## %.*s\n", (int)strcspn(label, "("), label);
  rlx_buf_printf(&row, "| `%.*s` |", (int)(name.end - name.start), label + name.start);
  const char *page_end = page + strlen(page),
             *begin = find_line(page, page_end, rlx_buf_text(&heading)),
             *end = begin ? find_line(begin + heading.size, page_end, "## ") : NULL;
  const char *found = begin ? find_line(begin, end ? end : page_end, rlx_buf_text(&row)) : NULL;
  rlx_buf_free(&heading);
  rlx_buf_free(&row);
  return found;
}

static void write_line_location(const char *uri, int64_t line, RlxJson *json) {
  static const char *const ends[] = {"start", "end"};
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "uri", uri);
  rlx_json_key(json, "range");
  rlx_json_begin(json, '{');
  for (int i = 0; i < 2; i++) {
    rlx_json_key(json, ends[i]);
    rlx_json_begin(json, '{');
    rlx_json_key_int(json, "line", line);
    rlx_json_key_int(json, "character", 0);
    rlx_json_end(json, '}');
  }
  rlx_json_end(json, '}');
  rlx_json_end(json, '}');
}

bool rlx_write_operator_parameter(const RlxServer *server, const char *label, RlxSpan name,
                                  RlxJson *json) {
  RlxBuf uri = page_uri(server), path = {0}, page = {0};
  const char *row = page_path(&uri, &path) && rlx_file_read(rlx_buf_text(&path), &page, NULL)
                        ? find_row(rlx_buf_text(&page), label, name)
                        : NULL;
  if (row) {
    int64_t line = 0;
    for (const char *at = rlx_buf_text(&page); at < row; at++) line += *at == '\n';
    write_line_location(rlx_buf_text(&uri), line, json);
  }
  rlx_buf_free(&uri);
  rlx_buf_free(&path);
  rlx_buf_free(&page);
  return row != NULL;
}
