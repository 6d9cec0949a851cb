/// `rlx kernel`: a session for notebooks. Requests and answers are JSON, one a line: a thread reads
/// requests, so that "interrupt" is seen while a cell runs.
///
///     {"id": 1, "method": "execute", "code": "R.ones((2,), \"float32\")"}
///     {"id": 1, "ok": true, "pieces": [{"text": "[1. 1.]\n…", "html": "<table>…", "value": true}]}
///
/// A picture is a piece with "mime" and "content": SVG as it is, PNG in base64.
/// The others: "complete" and "inspect" (`code`, `cursor` in bytes), "is_complete" (`code`),
/// "interrupt", "shutdown". One that cannot be read is answered with "error".
#include <cjson/cJSON.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/json.h"
#include "base/mem.h"
#include "cli/kernel.h"

typedef struct Requests {
  pthread_mutex_t lock;
  pthread_cond_t more;
  Vec(cJSON *) waiting; ///< NULL: a line that is no request
  uint64_t read, taken; ///< how many so far
  uint64_t interrupted; ///< those up to this one
  bool is_over;
} Requests;

static const char *text_of(const cJSON *request, const char *key) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(request, key);
  return cJSON_IsString(item) ? item->valuestring : "";
}

/// An interrupt is for what was read before it, whether that has begun or not, and for nothing else.
static void interrupt(Requests *r) {
  pthread_mutex_lock(&r->lock);
  r->interrupted = r->read;
  if (r->taken) rlx_kernel_interrupt();
  pthread_mutex_unlock(&r->lock);
}

/// The next line of standard input, however often signals interrupt its reading; false: there is none.
static bool read_line(RlxBuf *out) {
  rlx_buf_clear(out);
  for (;;) {
    const int c = getc(stdin);
    if (c == EOF && ferror(stdin) && errno == EINTR) {
      clearerr(stdin);
      continue;
    }
    if (c == EOF) return out->size > 0;
    rlx_buf_putc(out, (char)c);
    if (c == '\n') return true;
  }
}

static void *read_requests(void *data) {
  Requests *r = data;
  RlxBuf line = {0};
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  pthread_sigmask(SIG_BLOCK, &set, NULL); // the evaluating thread gets it
  while (read_line(&line)) {
    const char *text = rlx_buf_text(&line);
    if (strspn(text, " \t\r\n") == strlen(text)) continue;
    cJSON *request = cJSON_Parse(text);
    if (!strcmp(text_of(request, "method"), "interrupt")) {
      interrupt(r);
      cJSON_Delete(request);
      continue;
    }
    pthread_mutex_lock(&r->lock);
    rlx_vec_push(&r->waiting, request);
    r->read++;
    pthread_cond_signal(&r->more);
    pthread_mutex_unlock(&r->lock);
  }
  pthread_mutex_lock(&r->lock);
  r->is_over = true;
  pthread_cond_signal(&r->more);
  pthread_mutex_unlock(&r->lock);
  rlx_buf_free(&line);
  return NULL;
}

/// The next request; false: there will be none.
static bool next_request(Requests *r, cJSON **out) {
  pthread_mutex_lock(&r->lock);
  while (!r->waiting.count && !r->is_over) pthread_cond_wait(&r->more, &r->lock);
  bool ok = r->waiting.count > 0;
  if (ok) {
    *out = r->waiting.at[0];
    rlx_vec_remove_n(&r->waiting, 0, 1);
    r->taken++;
    rlx_kernel_begin(r->taken <= r->interrupted);
  }
  pthread_mutex_unlock(&r->lock);
  return ok;
}

/// The byte that "cursor" names, within the code.
static size_t cursor_of(const cJSON *request, const char *code) {
  const cJSON *item = cJSON_GetObjectItemCaseSensitive(request, "cursor");
  size_t size = strlen(code);
  if (!cJSON_IsNumber(item) || item->valuedouble > (double)size) return size;
  return item->valuedouble > 0 ? (size_t)item->valuedouble : 0;
}

static void execute(RlxKernel *kernel, const char *code, RlxJson *json) {
  RlxKernelPieces pieces = {0};
  bool ok = rlx_kernel_execute(kernel, code, &pieces);
  rlx_json_key_bool(json, "ok", ok);
  rlx_json_key(json, "pieces");
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < pieces.count; i++) {
    const RlxKernelPiece *p = &pieces.at[i];
    rlx_json_begin(json, '{');
    rlx_json_key_text(json, "text", p->text);
    if (p->html) rlx_json_key_text(json, "html", p->html);
    if (p->mime) {
      rlx_json_key_text(json, "mime", p->mime);
      rlx_json_key_text(json, "content", p->content);
    }
    rlx_json_key_bool(json, "value", p->is_value);
    rlx_json_end(json, '}');
  }
  rlx_json_end(json, ']');
  rlx_kernel_pieces_free(&pieces);
}

static void complete(RlxKernel *kernel, const char *code, size_t cursor, RlxJson *json) {
  RlxLineOffers offers = {0};
  rlx_kernel_complete(kernel, code, cursor, &offers);
  rlx_json_key_int(json, "start", (int64_t)(cursor - offers.word));
  rlx_json_key(json, "matches");
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < offers.items.count; i++) {
    const RlxLineOffer *o = &offers.items.at[i];
    rlx_json_begin(json, '{');
    rlx_json_key_text(json, "text", o->text);
    rlx_json_key_text(json, "group", o->group);
    rlx_json_key_text(json, "detail", o->detail);
    rlx_json_end(json, '}');
  }
  rlx_json_end(json, ']');
  rlx_json_key_text(json, "signature", offers.signature);
  rlx_line_offers_free(&offers);
}

/// The request's id as it was sent, so that whoever waits for it finds it: a string, or a number that a double holds.
static void put_id(const cJSON *id, RlxJson *json) {
  const double exact = 9007199254740992; // 2**53: integers up to it are what they were written as
  if (cJSON_IsString(id))
    rlx_json_text(json, id->valuestring);
  else if (!cJSON_IsNumber(id) || !isfinite(id->valuedouble))
    rlx_json_null(json);
  else if (fabs(id->valuedouble) <= exact && trunc(id->valuedouble) == id->valuedouble)
    rlx_json_int(json, (int64_t)id->valuedouble);
  else
    rlx_json_number(json, id->valuedouble);
}

bool rlx_kernel_answer(RlxKernel *kernel, const cJSON *request, RlxBuf *out) {
  RlxJson json = {.out = out};
  const char *method = text_of(request, "method"), *code = text_of(request, "code");
  const cJSON *id = cJSON_GetObjectItemCaseSensitive(request, "id");
  size_t cursor = cursor_of(request, code);
  rlx_json_begin(&json, '{');
  rlx_json_key(&json, "id");
  put_id(id, &json);
  if (!strcmp(method, "execute"))
    execute(kernel, code, &json);
  else if (!strcmp(method, "complete"))
    complete(kernel, code, cursor, &json);
  else if (!strcmp(method, "inspect")) {
    RlxBuf page = {0};
    rlx_json_key_bool(&json, "found", rlx_kernel_inspect(kernel, code, cursor, &page));
    rlx_json_key_text(&json, "text", rlx_buf_text(&page));
    rlx_buf_free(&page);
  } else if (!strcmp(method, "is_complete")) {
    rlx_json_key_bool(&json, "complete", !rlx_kernel_wants_more(code));
  } else if (strcmp(method, "shutdown") != 0) {
    rlx_json_key_text(&json, "error",
                      request ? "there is no such method: execute, complete, inspect, "
                                "is_complete, interrupt, shutdown"
                              : "the line is no JSON object");
  }
  rlx_json_end(&json, '}');
  return strcmp(method, "shutdown") != 0;
}

int rlx_kernel_serve(const RlxReplOptions *options) {
  RlxKernel *kernel = rlx_kernel_open(options);
  if (!kernel) return 2;
  // Never freed: the thread that reads may wait for a line, and take one, until the process ends.
  Requests *requests = rlx_mem_zeroed(1, sizeof *requests);
  pthread_mutex_init(&requests->lock, NULL);
  pthread_cond_init(&requests->more, NULL);
  pthread_t reader;
  cJSON *request = NULL;
  bool goes_on = !pthread_create(&reader, NULL, read_requests, requests);
  if (goes_on) pthread_detach(reader);
  while (goes_on && next_request(requests, &request)) {
    RlxBuf out = {0};
    goes_on = rlx_kernel_answer(kernel, request, &out);
    printf("%s\n", rlx_buf_text(&out));
    fflush(stdout);
    rlx_buf_free(&out);
    cJSON_Delete(request);
  }
  rlx_kernel_close(kernel);
  return 0;
}
