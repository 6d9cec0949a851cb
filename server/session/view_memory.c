/// Texts of views that were compiled: an open view that is asked for again after an edit compiles the
/// functions that the edit concerns. Bounded; what was asked for least recently goes first.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "server/session/session.h"

enum { KEPT_BYTES = 4 << 20 };

static void drop(RlxViewMemory *m, uint32_t at) {
  m->bytes -= m->texts.at[at].size;
  free(m->texts.at[at].text);
  rlx_vec_remove_n(&m->texts, at, 1);
}

const RlxViewText *rlx_server_known_view(RlxServer *server, RlxViewKey key) {
  RlxViewMemory *m = &server->views;
  for (uint32_t i = 0; i < m->texts.count; i++) {
    RlxViewText *text = &m->texts.at[i];
    if (text->key.low != key.low || text->key.high != key.high) continue;
    text->used = ++m->uses;
    return text;
  }
  return NULL;
}

void rlx_server_keep_view(RlxServer *server, RlxViewKey key, const char *text, size_t size) {
  RlxViewMemory *m = &server->views;
  if (size > KEPT_BYTES || rlx_server_known_view(server, key)) return;
  while (m->bytes + size > KEPT_BYTES) {
    uint32_t oldest = 0;
    for (uint32_t i = 1; i < m->texts.count; i++)
      if (m->texts.at[i].used < m->texts.at[oldest].used) oldest = i;
    drop(m, oldest);
  }
  RlxViewText kept = {key, rlx_mem_strndup(text, size), size, ++m->uses};
  rlx_vec_push(&m->texts, kept);
  m->bytes += size;
}

void rlx_server_forget_views(RlxServer *server) {
  while (server->views.texts.count) drop(&server->views, server->views.texts.count - 1);
  rlx_vec_free(&server->views.texts);
}
