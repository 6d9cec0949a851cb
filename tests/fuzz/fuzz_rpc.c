/// Bytes into the language server: the input is what a client sends on its standard input, first as
/// it is, then as the bodies of well-framed messages (lines) behind `initialize`. Nothing may crash
/// or hang; every answer is a frame.
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "server/server.h"

static void serve(const char *bytes, size_t size) {
  char name[] = "/tmp/rlx-fuzz-rpc-XXXXXX";
  int in = mkstemp(name), out = open("/dev/null", O_WRONLY);
  if (in >= 0 && out >= 0) {
    unlink(name);
    if (write(in, bytes, size) == (ssize_t)size) {
      lseek(in, 0, SEEK_SET);
      rlx_server_run(&(RlxServerOptions){.in = in, .out = out});
    }
  }
  if (in >= 0) close(in);
  if (out >= 0) close(out);
}

static void framed(RlxBuf *out, const char *body, size_t size) {
  rlx_buf_printf(out, "Content-Length: %zu\r\n\r\n", size);
  rlx_buf_putn(out, body, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size > 1 << 16) return 0;
  const char *text = (const char *)data, *end = text + size;
  serve(text, size);
  static const char init[] =
      "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"capabilities\":{}}}";
  RlxBuf all = {0};
  framed(&all, init, sizeof init - 1);
  while (text < end) {
    const char *stop = memchr(text, '\n', (size_t)(end - text));
    if (!stop) stop = end;
    framed(&all, text, (size_t)(stop - text));
    text = stop + (stop < end);
  }
  serve(rlx_buf_text(&all), all.size);
  rlx_buf_free(&all);
  return 0;
}
