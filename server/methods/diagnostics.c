/// Diagnostics pushed and pulled.
#include <string.h>

#include "analyzer/diag/file_diag.h"
#include "server/methods/methods.h"

static void write_related(const RlxServer *server, const RlxOpenFile *file, const RlxFileDiag *d,
                          RlxJson *json) {
  rlx_json_key(json, "relatedInformation");
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < d->diag->related_count; i++) {
    const RlxRelated *r = &d->diag->related[i];
    rlx_json_begin(json, '{');
    rlx_json_key(json, "location");
    rlx_write_location(server, file, rlx_file_diag_related(d, i), json);
    rlx_json_key_text(json, "message", r->message);
    rlx_json_end(json, '}');
  }
  rlx_json_end(json, ']');
}

/// As the file's configuration has it; 0: not to be shown.
int rlx_server_severity(const RlxOpenFile *file, const RlxFileDiag *d) {
  return rlx_policy_severity(&file->policy, d->diag->id, d->diag->severity);
}

bool rlx_server_page(const RlxServer *server, const RlxDiagRow *row, RlxBuf *out) {
  if (server->explains_links)
    rlx_buf_printf(out, "rlx:explain/%s", row->code);
  else if (*server->pages) // the heading "RLX0304 axis-repeated"
    rlx_buf_printf(out, "%s#rlx%s-%s", server->pages, row->code + 3, row->name);
  return out->size != 0;
}

void rlx_server_write_diag(const RlxServer *server, const RlxOpenFile *file, const RlxFileDiag *d,
                           RlxJson *json) {
  const RlxDiagRow *row = rlx_diag_row(d->diag->id);
  rlx_json_begin(json, '{');
  rlx_json_key(json, "range");
  rlx_write_range(server, file->file, d->span, json);
  rlx_json_key_int(json, "severity", rlx_server_severity(file, d));
  rlx_json_key_text(json, "code", row->code);
  rlx_json_key_text(json, "source", "rlx");
  rlx_json_key_text(json, "message", d->diag->message);
  RlxBuf page = {0};
  if (server->can_code_description && rlx_server_page(server, row, &page)) {
    rlx_json_key(json, "codeDescription");
    rlx_json_begin(json, '{');
    rlx_json_key_text(json, "href", rlx_buf_text(&page));
    rlx_json_end(json, '}');
  }
  rlx_buf_free(&page);
  if (server->can_tags && strstr(row->name, "unused") && rlx_server_severity(file, d) > RLX_ERROR)
    rlx_json_raw(json, "\"tags\":[1]", 10); // LSP: Unnecessary
  if (server->can_related && d->diag->related_count) write_related(server, file, d, json);
  rlx_json_end(json, '}');
}

void rlx_server_write_diags(RlxServer *server, RlxOpenFile *file, RlxJson *json) {
  RlxFileDiags diags = {0};
  rlx_file_diags_mended(file->file, RLX_NO_WINDOW, &diags);
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < diags.count; i++)
    if (rlx_server_severity(file, &diags.at[i]))
      rlx_server_write_diag(server, file, &diags.at[i], json);
  rlx_json_end(json, ']');
  rlx_vec_free(&diags);
}
