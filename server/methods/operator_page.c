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

/// The heading of the operator that `label` begins with; NULL: the page has none.
static const char *find_heading(const char *page, const char *label) {
  RlxBuf heading = {0};
  rlx_buf_printf(&heading, "## %.*s\n", (int)strcspn(label, "("), label);
  const char *found = find_line(page, page + strlen(page), rlx_buf_text(&heading));
  rlx_buf_free(&heading);
  return found;
}

/// The row of the parameter `name` of the label, below its operator's heading; NULL: it has none.
static const char *find_row(const char *page, const char *label, RlxSpan name) {
  const char *page_end = page + strlen(page), *heading = find_heading(page, label);
  if (!heading) return NULL;
  RlxBuf row = {0};
  rlx_buf_printf(&row, "| `%.*s` |", (int)(name.end - name.start), label + name.start);
  const char *begin = heading + 1, *end = find_line(begin, page_end, "## "),
             *found = find_line(begin, end ? end : page_end, rlx_buf_text(&row));
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

/// Writes the Location of the operator's heading, or of the row of its parameter. `name` NULL: of the operator.
static bool write_place(const RlxServer *server, const char *label, const RlxSpan *name,
                        RlxJson *json) {
  RlxBuf uri = page_uri(server), path = {0}, page = {0};
  const char *place = NULL;
  if (page_path(&uri, &path) && rlx_file_read(rlx_buf_text(&path), &page, NULL))
    place = name ? find_row(rlx_buf_text(&page), label, *name)
                 : find_heading(rlx_buf_text(&page), label);
  if (place) {
    int64_t line = 0;
    for (const char *at = rlx_buf_text(&page); at < place; at++) line += *at == '\n';
    write_line_location(rlx_buf_text(&uri), line, json);
  }
  rlx_buf_free(&uri);
  rlx_buf_free(&path);
  rlx_buf_free(&page);
  return place != NULL;
}

bool rlx_write_operator_parameter(const RlxServer *server, const char *label, RlxSpan name,
                                  RlxJson *json) {
  return write_place(server, label, &name, json);
}

bool rlx_write_operator(const RlxServer *server, const char *script, RlxJson *json) {
  RlxBuf label = {0};
  rlx_buf_printf(&label, "R.%.*s", (int)strcspn(script, " "), script);
  const bool is_there = write_place(server, rlx_buf_text(&label), NULL, json);
  rlx_buf_free(&label);
  return is_there;
}
