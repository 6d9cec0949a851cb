/// Frames of the language server protocol: a thread reads them and notes edits and cancellations.
#include "server/session/transport.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/vec.h"

enum {
  MAX_MESSAGE_BYTES = 256 << 20,
  MAX_HEADER_BYTES = 4096,
  READ_BYTES = 1 << 16,
  WRITE_BYTES = 4096,    // what a pipe takes at once when it takes anything
  SMALL_BYTES = 1 << 16, // of a message that is written as one piece
  WRITE_WAIT_MS = 200,   // between looks at whether the client is still there
  GIVE_UP_MS = 2000,     // a client that is gone and reads nothing is waited for so long
};

typedef struct Waiting {
  RlxFrame frame;
  char *cancels; ///< of a cancel notification: the id, as in `cancelled`, or NULL
  bool is_edit;
} Waiting;

struct RlxTransport {
  int in, out;
  int eager; ///< the pipe `out` opened once more, so that a write takes what there is room for; or -1
  pthread_t thread;
  int stop[2]; ///< a pipe: what is written into it ends the reader; -1: there is none
  pthread_mutex_t lock;
  pthread_cond_t arrived;
  Vec(Waiting) queue; ///< oldest first, from `head`
  uint32_t head, edits;
  bool is_closed;
  /// Ids as JSON text, of cancel notifications that are still in the queue: behind one, the request
  /// that it meant was answered. How many there are of each.
  RlxStrMap cancelled;
  atomic_bool stale;
  char buffer[READ_BYTES]; ///< the reader's
  size_t at, filled;
  bool is_lost; ///< the reader's: a header was bad, the next one is being looked for
};

// ------------------------------------------------------------------ the reading thread

/// Waits for input. False: the reader has to end.
static bool has_input(const RlxTransport *t) {
  struct pollfd fds[] = {{.fd = t->in, .events = POLLIN}, {.fd = t->stop[0], .events = POLLIN}};
  int n;
  do n = poll(fds, 2, -1);
  while (n < 0 && errno == EINTR);
  return !fds[1].revents;
}

static int next_byte(RlxTransport *t) {
  if (t->at == t->filled) {
    ssize_t n;
    if (!has_input(t)) return -1;
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

/// Queues a message; `cancels` is the queue's from now on, and may be NULL.
static void push(RlxTransport *t, RlxFrame frame, char *cancels, bool is_edit) {
  pthread_mutex_lock(&t->lock);
  rlx_vec_push(&t->queue, (Waiting){frame, cancels, is_edit});
  if (cancels) {
    uint64_t count = 0;
    rlx_strmap_get(&t->cancelled, cancels, strlen(cancels), &count);
    rlx_strmap_put(&t->cancelled, cancels, strlen(cancels), count + 1);
  }
  if (is_edit) {
    t->edits++;
    atomic_store(&t->stale, true);
  }
  pthread_cond_signal(&t->arrived);
  pthread_mutex_unlock(&t->lock);
}

void rlx_transport_post(RlxTransport *t, void *event) {
  push(t, (RlxFrame){.event = event}, NULL, false);
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
  push(t, (RlxFrame){.text = body, .size = size}, cancelled_id(body, size),
       looks_like_edit(body, size));
}

/// The length in a header line, -1 when it says none. After a bad header the line may begin with the
/// rest of a body, which is followed by the next header without a line end.
static long long content_length(const RlxTransport *t, const char *line) {
  static const char name[] = "Content-Length:";
  const char *at = NULL;
  if (!strncasecmp(line, name, sizeof name - 1)) at = line;
  for (const char *p = line; t->is_lost && *p; p++)
    if (!strncasecmp(p, name, sizeof name - 1)) at = p;
  if (!at) return -1;
  char *end;
  errno = 0;
  long long length = strtoll(at + sizeof name - 1, &end, 10);
  while (*end == ' ') end++;
  return *end || errno || length < 0 ? -1 : length;
}

/// Reads one header; the length of the body, 0 with `*problem` when it is bad, -1 at the end of the
/// input. Behind a bad header, whatever is not the next one is passed over without another word.
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
      if (used == sizeof line - 1) { // its end may hold the next header
        too_long = true;
        used = sizeof line / 2;
        memmove(line, line + sizeof line - 1 - used, used);
      }
      line[used++] = (char)c;
      continue;
    }
    if (used && line[used - 1] == '\r') used--;
    line[used] = 0;
    if (!used) {
      if (length < 0) *problem = "a message needs a Content-Length header";
      if (too_long && !t->is_lost) *problem = "a header line is longer than 4 KiB";
      if (length > MAX_MESSAGE_BYTES) *problem = "the message is larger than 256 MiB";
      if (!*problem) {
        t->is_lost = false;
        return length;
      }
      bool was_lost = t->is_lost;
      t->is_lost = true;
      if (!was_lost) return 0;
      *problem = NULL;
      length = -1;
      too_long = false;
      continue;
    }
    long long said = content_length(t, line);
    if (said >= 0) length = said;
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
      push(t, (RlxFrame){.problem = problem}, NULL, false);
      continue;
    }
    char *body = malloc((size_t)size + 1);
    if (!body) {
      push(t, (RlxFrame){.problem = "there is no memory for this message"}, NULL, false);
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

/// A pipe once more, with a descriptor of its own that does not block: whoever else has the pipe sees
/// no difference. -1: `out` is no pipe, or the system does not do it.
static int open_eager(int out) {
  struct stat about;
  char path[32];
  if (fstat(out, &about) || !S_ISFIFO(about.st_mode)) return -1;
  snprintf(path, sizeof path, "/proc/self/fd/%d", out);
  return open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
}

RlxTransport *rlx_transport_new(int in, int out) {
  RlxTransport *t = rlx_mem_zeroed(1, sizeof *t);
  t->in = in;
  t->out = out;
  t->eager = open_eager(out);
  if (pipe2(t->stop, O_CLOEXEC)) t->stop[0] = t->stop[1] = -1;
  pthread_mutex_init(&t->lock, NULL);
  pthread_cond_init(&t->arrived, NULL);
  if (pthread_create(&t->thread, NULL, reader, t)) t->is_closed = true;
  return t;
}

void rlx_transport_free(RlxTransport *t) {
  if (!t) return;
  // The thread may wait for input: the process is about to end, or the input is at its end.
  pthread_mutex_lock(&t->lock);
  bool ended = t->is_closed;
  pthread_mutex_unlock(&t->lock);
  if (!ended && (t->stop[1] < 0 || write(t->stop[1], "", 1) != 1)) pthread_cancel(t->thread);
  pthread_join(t->thread, NULL);
  for (int i = 0; i < 2; i++)
    if (t->stop[i] >= 0) close(t->stop[i]);
  for (uint32_t i = t->head; i < t->queue.count; i++) {
    free(t->queue.at[i].frame.text);
    free(t->queue.at[i].frame.event);
    free(t->queue.at[i].cancels);
  }
  rlx_vec_free(&t->queue);
  rlx_strmap_free(&t->cancelled);
  if (t->eager >= 0) close(t->eager);
  pthread_cond_destroy(&t->arrived);
  pthread_mutex_destroy(&t->lock);
  free(t);
}

/// Takes an id off the list; the lock is held. True when it was there.
static bool forget_cancelled(RlxTransport *t, const char *id) {
  uint64_t count = 0;
  const size_t size = strlen(id);
  if (!rlx_strmap_get(&t->cancelled, id, size, &count)) return false;
  if (count > 1)
    rlx_strmap_put(&t->cancelled, id, size, count - 1);
  else
    rlx_strmap_remove(&t->cancelled, id, size);
  return true;
}

bool rlx_transport_next(RlxTransport *t, RlxFrame *out) {
  pthread_mutex_lock(&t->lock);
  while (t->head == t->queue.count && !t->is_closed) pthread_cond_wait(&t->arrived, &t->lock);
  bool found = t->head < t->queue.count;
  if (found) {
    Waiting waiting = t->queue.at[t->head++];
    *out = waiting.frame;
    if (waiting.cancels) forget_cancelled(t, waiting.cancels);
    free(waiting.cancels);
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
  pthread_mutex_lock(&t->lock);
  bool found = forget_cancelled(t, id_json);
  pthread_mutex_unlock(&t->lock);
  return found;
}

static bool is_closed(RlxTransport *t) {
  pthread_mutex_lock(&t->lock);
  bool closed = t->is_closed;
  pthread_mutex_unlock(&t->lock);
  return closed;
}

/// Waits until `fd` takes bytes; false when it never will, or when the client, whose input has
/// ended, has not read for a while.
static bool wait_writable(RlxTransport *t) {
  for (int waited = 0;;) {
    struct pollfd p = {t->out, POLLOUT, 0};
    int n = poll(&p, 1, WRITE_WAIT_MS);
    if (n < 0 && errno == EINTR) continue;
    if (n != 0) return n > 0 && p.revents & POLLOUT;
    waited = is_closed(t) ? waited + WRITE_WAIT_MS : 0;
    if (waited >= GIVE_UP_MS) return false;
  }
}

/// Writes as much as there is room for now.
static ssize_t write_some(RlxTransport *t, const char *bytes, size_t size) {
  if (t->eager >= 0) return write(t->eager, bytes, size);
  return write(t->out, bytes, size < WRITE_BYTES ? size : WRITE_BYTES);
}

static bool write_all(RlxTransport *t, const char *bytes, size_t size) {
  while (size) {
    if (!wait_writable(t)) return false;
    ssize_t n = write_some(t, bytes, size);
    if (n < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (n <= 0) return false;
    bytes += n;
    size -= (size_t)n;
  }
  return true;
}

bool rlx_transport_send(RlxTransport *t, const RlxBuf *head, const RlxBuf *body, const char *tail) {
  const size_t tail_size = strlen(tail), size = head->size + body->size + tail_size;
  RlxBuf first = {0}; // one write: a small answer is one packet
  rlx_buf_printf(&first, "Content-Length: %zu\r\n\r\n", size);
  rlx_buf_putn(&first, rlx_buf_text(head), head->size);
  bool sent = true;
  if (size > SMALL_BYTES) {
    sent = write_all(t, rlx_buf_text(&first), first.size) &&
           write_all(t, rlx_buf_text(body), body->size);
    rlx_buf_clear(&first);
  } else {
    rlx_buf_putn(&first, rlx_buf_text(body), body->size);
  }
  rlx_buf_putn(&first, tail, tail_size);
  sent = sent && write_all(t, rlx_buf_text(&first), first.size);
  rlx_buf_free(&first);
  return sent;
}
