/// One code action of a listing, or the one that is resolved: title, data and edit.
#include <string.h>

#include "base/text.h"
#include "server/methods/methods.h"

bool rlx_actions_ask_for(const RlxActions *a, const char *kind) {
  const cJSON *one;
  if (!a->only) return true;
  cJSON_ArrayForEach(one, a->only) {
    size_t n = cJSON_IsString(one) ? strlen(one->valuestring) : SIZE_MAX;
    if (n != SIZE_MAX &&
        (!n || (!strncmp(kind, one->valuestring, n) && (!kind[n] || kind[n] == '.'))))
      return true;
  }
  return false;
}

static bool is_same(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }

static void write_data(RlxActions *a, const char *title, const char *kind, const char *from) {
  RlxJson *json = a->json;
  rlx_json_key(json, "data");
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "uri", a->file->uri);
  if (a->file->has_version) rlx_json_key_int(json, "version", a->file->version);
  rlx_json_key_int(json, "start", a->range.start);
  rlx_json_key_int(json, "end", a->range.end);
  rlx_json_key_text(json, "title", title);
  rlx_json_key_text(json, "kind", kind);
  if (from) rlx_json_key_text(json, "from", from);
  rlx_json_end(json, '}');
}

bool rlx_actions_begin(RlxActions *a, const char *title, const char *kind, const char *from) {
  if (a->wanted)
    return !a->is_found && is_same(rlx_json_string(a->wanted, "title"), title) &&
           is_same(rlx_json_string(a->wanted, "kind"), kind) &&
           (!from || is_same(rlx_json_string(a->wanted, "from"), from));
  rlx_json_begin(a->json, '{');
  rlx_json_key_text(a->json, "title", title);
  rlx_json_key_text(a->json, "kind", kind);
  if (a->server->can_resolve_edits) write_data(a, title, kind, from);
  return true;
}

bool rlx_actions_wants_edits(const RlxActions *a) {
  return a->wanted || !a->server->can_resolve_edits;
}

void rlx_actions_begin_edits(RlxActions *a) {
  rlx_json_key(a->json, "edit");
  rlx_begin_edits(a->server, a->file, a->json);
}

void rlx_actions_end_edits(RlxActions *a) {
  rlx_end_edits(a->server, a->file, a->json);
  a->is_found = true;
}

void rlx_actions_end(RlxActions *a) {
  if (!a->wanted) rlx_json_end(a->json, '}');
}

void rlx_actions_text(RlxActions *a, const RlxBuf *text) {
  uint32_t size = 0, start = 0, end = 0;
  const char *old = rlx_document_text(rlx_file_document(a->file->file), &size),
             *now = rlx_buf_text(text);
  while (start < size && start < text->size && old[start] == now[start]) start++;
  while (end < size - start && end < text->size - start &&
         old[size - 1 - end] == now[text->size - 1 - end])
    end++;
  while (start > 0 && rlx_utf8_is_continuation(old[start])) start--; // whole characters
  while (end > 0 && rlx_utf8_is_continuation(old[size - end])) end--;
  rlx_actions_begin_edits(a);
  rlx_write_text_edit(a->server, a->file->file, rlx_span(start, size - end), now + start,
                      text->size - end - start, a->json);
  rlx_actions_end_edits(a);
}
