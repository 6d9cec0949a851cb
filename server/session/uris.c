/// URIs and paths, and which document is open of the file at a path.
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "server/session/session.h"

bool rlx_uri_path(const char *uri, RlxBuf *out) {
  if (strncmp(uri, "file://", 7) != 0) return false;
  for (const char *at = uri + 7 + strcspn(uri + 7, "/"); *at; at++) {
    static const char hex[] = "0123456789abcdef";
    const char *high = at[0] == '%' && at[1] ? strchr(hex, at[1] | 0x20) : NULL,
               *low = high && at[2] ? strchr(hex, at[2] | 0x20) : NULL;
    if (low)
      rlx_buf_putc(out, (char)((high - hex) * 16 + (low - hex)));
    else
      rlx_buf_putc(out, *at);
    if (low) at += 2;
  }
  return out->size != 0 && !memchr(out->at, 0, out->size) && out->size < PATH_MAX;
}

char *rlx_path_uri(const char *path) {
  RlxBuf out = {0};
  rlx_buf_puts(&out, "file://");
  for (; *path; path++) {
    unsigned char c = (unsigned char)*path;
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 strchr("/.-_~", c);
    if (plain)
      rlx_buf_putc(&out, *path);
    else
      rlx_buf_printf(&out, "%%%02X", c);
  }
  return rlx_buf_steal(&out);
}

/// Whether `path`, whose links are resolved, is the file that an editor names as `own`.
static bool is_same_file(const char *own, const char *path) {
  const char *name = strrchr(own, '/');
  size_t size = strlen(path), tail = name ? strlen(name) : 0;
  if (!strcmp(own, path)) return true;
  if (!tail || tail > size || strcmp(path + size - tail, name) != 0) return false;
  char *real = rlx_file_real_path(own); // the folder may have been opened through a link
  bool is_it = real && !strcmp(real, path);
  free(real);
  return is_it;
}

const RlxOpenFile *rlx_server_open_at(const RlxServer *server, const char *path) {
  for (uint32_t i = 0; i < server->files.count; i++) {
    RlxBuf own = {0};
    bool is_it =
        rlx_uri_path(server->files.at[i].uri, &own) && is_same_file(rlx_buf_text(&own), path);
    rlx_buf_free(&own);
    if (is_it) return &server->files.at[i];
  }
  return NULL;
}

char *rlx_server_uri(const RlxServer *server, const char *path) {
  const RlxOpenFile *open = rlx_server_open_at(server, path);
  return open ? rlx_mem_strdup(open->uri) : rlx_path_uri(path);
}
