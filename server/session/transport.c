/// Frames of the language server protocol: a thread reads them and notes edits and cancellations.
#include "server/session/transport.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/vec.h"

enum {
  MAX_MESSAGE_BYTES = 256 << 20,
  MAX_HEADER_BYTES = 4096,
  MAX_CANCELLED = 256,
  READ_BYTES = 1 << 16
};

typedef struct Waiting {
  RlxFrame frame;
  bool is_edit;
} Waiting;

struct RlxTransport {
  int in, out;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t arrived;
  Vec(Waiting) queue; ///< oldest first, from `head`
  uint32_t head, edits;
  bool is_closed;
  Vec(char *) cancelled; ///< ids as JSON text
  atomic_bool stale;
  char buffer[READ_BYTES]; ///< the reader's
  size_t at, filled;
};

// ------------------------------------------------------------------ the reading thread

static int next_byte(RlxTransport *t) {
  if (t->at == t->filled) {
    ssize_t n;
    do n = read(t->in, t->buffer, sizeof t->buffer);
    while (n < 0 && errno == EINTR);
    if (n <= 0) return -1;
    t->at = 0;
    t->filled = (size_t)n;
  }
  return (unsigned char)t->buffer[t->at++];
}

static bool read_bytes(RlxTransport *t, char *to, size_t size) {
  while (size) {
    if (t->at == t->filled) {
      int c = next_byte(t);
      if (c < 0) return false;
      t->at--;
    }
    size_t n = t->filled - t->at < size ? t->filled - t->at : size;
    memcpy(to, t->buffer + t->at, n);
    t->at += n;
    to += n;
    size -= n;
  }
  return true;
}

static void push(RlxTransport *t, RlxFrame frame, bool is_edit) {
  pthread_mutex_lock(&t->lock);
  rlx_vec_push(&t->queue, (Waiting){frame, is_edit});
  if (is_edit) {
    t->edits++;
    atomic_store(&t->stale, true);
  }
  pthread_cond_signal(&t->arrived);
  pthread_mutex_unlock(&t->lock);
}

/// The id of a cancel notification as JSON text; NULL when `body` is none.
static char *cancelled_id(const char *body, size_t size) {
  if (size > 512 || !strstr(body, "\"$/cancelRequest\"")) return NULL;
  const char *params = strstr(body, "\"params\""), *id = params ? strstr(params, "\"id\"") : NULL;
  if (!id) return NULL;
  id += 4;
  while (*id == ' ' || *id == ':') id++;
  size_t length = *id == '"' ? 1 + strcspn(id + 1, "\"") + 1 : strcspn(id, ",} \t\r\n");
  return rlx_mem_strndup(id, length);
}

/// The method stands before the parameters or behind them: the text of an edit is not searched.
static bool looks_like_edit(const char *body, size_t size) {
  enum { LOOK = 160 };
  char head[LOOK];
  size_t shown = size < LOOK - 1 ? size : LOOK - 1;
  memcpy(head, body, shown);
  head[shown] = 0;
  const char *tail = size > LOOK ? body + size - LOOK : body;
  return strstr(head, "\"textDocument/didChange\"") || strstr(tail, "\"textDocument/didChange\"");
}

static void take(RlxTransport *t, char *body, size_t size) {
  char *id = cancelled_id(body, size);
  if (id) {
    pthread_mutex_lock(&t->lock);
    if (t->cancelled.count == MAX_CANCELLED) {
      free(t->cancelled.at[0]);
      rlx_vec_remove_n(&t->cancelled, 0, 1);
    }
    rlx_vec_push(&t->cancelled, id);
    pthread_mutex_unlock(&t->lock);
  }
  push(t, (RlxFrame){body, size, NULL}, looks_like_edit(body, size));
}

/// Reads one header; the length of the body, 0 with `*problem` when it is bad, -1 at the end of the
/// input.
static long long read_header(RlxTransport *t, const char **problem) {
  long long length = -1;
  char line[MAX_HEADER_BYTES];
  size_t used = 0;
  bool too_long = false;
  *problem = NULL;
  for (;;) {
    int c = next_byte(t);
    if (c < 0) return -1;
    if (c != '\n') {
      if (used < sizeof line - 1)
        line[used++] = (char)c;
      else
        too_long = true;
      continue;
    }
    if (used && line[used - 1] == '\r') used--;
    line[used] = 0;
    if (!used) {
      if (length < 0) *problem = "a message needs a Content-Length header";
      if (too_long) *problem = "a header line is too long";
      if (length > MAX_MESSAGE_BYTES) *problem = "the message is larger than 256 MiB";
      return *problem ? 0 : length;
    }
    if (!strncasecmp(line, "Content-Length:", 15)) {
      char *end;
      errno = 0;
      length = strtoll(line + 15, &end, 10);
      while (*end == ' ') end++;
      if (*end || errno || length < 0) length = -1;
    }
    used = 0;
  }
}

/// Skips a body that cannot be kept.
static void skip(RlxTransport *t, long long size) {
  while (size-- > 0 && next_byte(t) >= 0) {
  }
}

static void *reader(void *data) {
  RlxTransport *t = data;
  for (;;) {
    const char *problem;
    long long size = read_header(t, &problem);
    if (size < 0) break;
    if (problem) {
      push(t, (RlxFrame){NULL, 0, problem}, false);
      skip(t, size);
      continue;
    }
    char *body = malloc((size_t)size + 1);
    if (!body) {
      push(t, (RlxFrame){NULL, 0, "there is no memory for this message"}, false);
      skip(t, size);
      continue;
    }
    if (!read_bytes(t, body, (size_t)size)) {
      free(body);
      break;
    }
    body[size] = 0;
    take(t, body, (size_t)size);
  }
  pthread_mutex_lock(&t->lock);
  t->is_closed = true;
  pthread_cond_signal(&t->arrived);
  pthread_mutex_unlock(&t->lock);
  return NULL;
}

// ------------------------------------------------------------------ the other side

RlxTransport *rlx_transport_new(int in, int out) {
  RlxTransport *t = rlx_mem_zeroed(1, sizeof *t);
  t->in = in;
  t->out = out;
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->arrived, NULL);
  if (pthread_create(&t->thread, NULL, reader, t)) t->is_closed = true;
  return t;
}

void rlx_transport_free(RlxTransport *t) {
  if (!t) return;
  // The thread may sit in read(): the process is about to end, or the input is at its end.
  pthread_mutex_lock(&t->lock);
  bool ended = t->is_closed;
  pthread_mutex_unlock(&t->lock);
  if (!ended) {
    pthread_cancel(t->thread);
  }
  pthread_join(t->thread, NULL);
  for (uint32_t i = t->head; i < t->queue.count; i++) free(t->queue.at[i].frame.text);
  for (uint32_t i = 0; i < t->cancelled.count; i++) free(t->cancelled.at[i]);
  rlx_vec_free(&t->queue);
  rlx_vec_free(&t->cancelled);
  pthread_cond_destroy(&t->arrived);
  pthread_mutex_destroy(&t->lock);
  free(t);
}

bool rlx_transport_next(RlxTransport *t, RlxFrame *out) {
  pthread_mutex_lock(&t->lock);
  while (t->head == t->queue.count && !t->is_closed) pthread_cond_wait(&t->arrived, &t->lock);
  bool found = t->head < t->queue.count;
  if (found) {
    Waiting waiting = t->queue.at[t->head++];
    *out = waiting.frame;
    if (waiting.is_edit && --t->edits == 0) atomic_store(&t->stale, false);
    if (t->head == t->queue.count) {
      rlx_vec_clear(&t->queue);
      t->head = 0;
    }
  }
  pthread_mutex_unlock(&t->lock);
  return found;
}

bool rlx_transport_pending(RlxTransport *t) {
  pthread_mutex_lock(&t->lock);
  bool pending = t->head < t->queue.count;
  pthread_mutex_unlock(&t->lock);
  return pending;
}

const atomic_bool *rlx_transport_stale(RlxTransport *t) { return &t->stale; }

bool rlx_transport_cancelled(RlxTransport *t, const char *id_json) {
  bool found = false;
  pthread_mutex_lock(&t->lock);
  for (uint32_t i = 0; i < t->cancelled.count && !found; i++) {
    if (strcmp(t->cancelled.at[i], id_json) != 0) continue;
    free(t->cancelled.at[i]);
    rlx_vec_remove_n(&t->cancelled, i, 1);
    found = true;
  }
  pthread_mutex_unlock(&t->lock);
  return found;
}

static bool write_all(int fd, const char *bytes, size_t size) {
  while (size) {
    ssize_t n = write(fd, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    bytes += n;
    size -= (size_t)n;
  }
  return true;
}

bool rlx_transport_send(RlxTransport *t, const char *json, size_t size) {
  char header[48];
  int n = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", size);
  RlxBuf whole = {0}; // one write: a small answer is one packet
  rlx_buf_reserve(&whole, (size_t)n + size);
  rlx_buf_putn(&whole, header, (size_t)n);
  rlx_buf_putn(&whole, json, size);
  bool sent = write_all(t->out, rlx_buf_text(&whole), (size_t)n + size);
  rlx_buf_free(&whole);
  return sent;
}
