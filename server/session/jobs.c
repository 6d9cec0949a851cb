/// Work in forked processes beside the loop. A thread for each reads what the process writes and
/// watches the clock; what it finds goes into the loop's queue, so that one thread alone answers.
///
/// Always true: a child writes records (a letter, a length, bytes): reports of progress, and one last
/// record with its result or its error; less than that means that it died. It never returns into the
/// server's loop and never touches the client's pipes. Of the server's threads only the one that forks
/// is in the child. A request is answered once: by whoever takes its job off the list.
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/asan.h"
#include "base/mem.h"
#include "server/session/jobs.h"
#include "server/session/notebooks.h"
#include "server/session/priority.h"

enum {
  LIMIT_SECONDS = 60,       ///< of processor time
  LIMIT_WALL_SECONDS = 120, ///< a machine may be busy
  SHOW_AFTER_MS = 500,      ///< progress that the client did not ask for
  JOBS_MAX = 2,             ///< at a time; further requests wait
  HEAD_BYTES = 5,           ///< of a record
};
static const rlim_t limit_bytes = (rlim_t)8 << 30;

typedef enum EventKind { EVENT_SLOW, EVENT_REPORT, EVENT_DONE } EventKind;

/// What the job's thread found.
typedef struct Event {
  struct RlxJob *job;
  EventKind kind;
  uint32_t percent;
  char message[]; ///< of a report
} Event;

struct RlxJob {
  struct RlxJob *next;
  RlxJobKind kind;
  void *kept;
  RlxBatch *batch;                ///< that the request came in; or NULL
  char *id, *uri, *title, *token; ///< id and token: JSON text; token NULL: none (yet)
  char *parts;                    ///< the token of partial results, JSON text; or NULL
  char *waiting;                  ///< the request, when it waits for others; then it has no process
  bool has_begun;                 ///< progress is shown
  bool is_ended;                  ///< answered; the thread is still to be heard of
  RlxTransport *transport;
  pthread_t thread;
  pid_t pid;
  int fd;
  RlxBuf last;       ///< the thread's: the last record; the loop's after EVENT_DONE
  bool is_timed_out; ///< the same
};

// ------------------------------------------------------------------ the child

static void write_whole(int fd, const char *bytes, size_t size) {
  while (size) {
    ssize_t n = write(fd, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    bytes += n;
    size -= (size_t)n;
  }
}

static void write_record(int fd, char letter, const char *bytes, size_t size) {
  uint32_t length = (uint32_t)size;
  char head[HEAD_BYTES] = {letter};
  memcpy(head + 1, &length, sizeof length);
  write_whole(fd, head, sizeof head);
  write_whole(fd, bytes, length);
}

void rlx_job_report(const RlxJobReport *report, uint32_t percent, const char *message) {
  RlxBuf out = {0};
  rlx_buf_putc(&out, (char)(percent > 100 ? 100 : percent));
  rlx_buf_puts(&out, message);
  write_record(report->fd, 'p', rlx_buf_text(&out), out.size);
  rlx_buf_free(&out);
}

static _Noreturn void child(RlxJobFn *work, void *data, int fd, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  dup2(STDERR_FILENO, STDOUT_FILENO); // a stray line would break the protocol
  rlx_priority_beside();
  struct rlimit seconds = {LIMIT_SECONDS, LIMIT_SECONDS + 1}, bytes = {limit_bytes, limit_bytes};
  setrlimit(RLIMIT_CPU, &seconds);
  if (!RLX_HAS_SHADOW_MEMORY) setrlimit(RLIMIT_AS, &bytes);
  RlxBuf text = {0};
  RlxError err = {0};
  RlxJobReport report = {fd};
  bool ok = work(data, &report, &text, &err);
  if (ok && text.size < UINT32_MAX)
    write_record(fd, 'r', rlx_buf_text(&text), text.size);
  else
    write_record(fd, 'e', ok ? "the answer is too long" : err.text,
                 ok ? strlen("the answer is too long") : strlen(err.text));
  _exit(0);
}

// ------------------------------------------------------------------ the job's thread

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void post(RlxJob *job, EventKind kind, uint32_t percent, const char *message, size_t size) {
  Event *event = rlx_mem_alloc(1, sizeof *event + size + 1);
  event->job = job;
  event->kind = kind;
  event->percent = percent;
  memcpy(event->message, message, size);
  event->message[size] = 0;
  rlx_transport_post(job->transport, event);
}

/// Takes whole records off the front of `in`; the last one that is no report stays in job->last.
static void take_records(RlxJob *job, RlxBuf *in) {
  size_t at = 0;
  while (in->size - at >= HEAD_BYTES) {
    uint32_t length;
    memcpy(&length, in->at + at + 1, sizeof length);
    if (in->size - at - HEAD_BYTES < length) break;
    const char *body = in->at + at + HEAD_BYTES;
    if (in->at[at] == 'p' && length) {
      post(job, EVENT_REPORT, (unsigned char)body[0], body + 1, length - 1);
    } else {
      rlx_buf_clear(&job->last);
      rlx_buf_putc(&job->last, in->at[at]);
      rlx_buf_putn(&job->last, body, length);
    }
    at += HEAD_BYTES + length;
  }
  if (!at) return;
  memmove(in->at, in->at + at, in->size - at);
  in->size -= at;
}

static void *watch(void *data) {
  RlxJob *job = data;
  double begin = now();
  bool said_slow = false;
  RlxBuf in = {0};
  char block[16384];
  for (;;) {
    double gone = now() - begin,
           until = said_slow ? (double)LIMIT_WALL_SECONDS : (double)SHOW_AFTER_MS / 1e3;
    if (gone >= until && said_slow) {
      job->is_timed_out = true;
      break;
    }
    if (gone >= until) {
      said_slow = true;
      post(job, EVENT_SLOW, 0, "", 0);
      continue;
    }
    struct pollfd p = {.fd = job->fd, .events = POLLIN};
    if (poll(&p, 1, (int)((until - gone) * 1e3) + 1) <= 0) continue;
    ssize_t n = read(job->fd, block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    rlx_buf_putn(&in, block, (size_t)n);
    take_records(job, &in);
  }
  rlx_buf_free(&in);
  post(job, EVENT_DONE, 0, "", 0);
  return NULL;
}

// ------------------------------------------------------------------ progress

static void progress(RlxServer *server, const RlxJob *job, const char *kind, const Event *report) {
  RlxBuf params = {0};
  RlxJson json = {.out = &params};
  rlx_json_begin(&json, '{');
  rlx_json_key(&json, "token");
  rlx_json_raw(&json, job->token, strlen(job->token));
  rlx_json_key(&json, "value");
  rlx_json_begin(&json, '{');
  rlx_json_key_text(&json, "kind", kind);
  bool is_begin = !strcmp(kind, "begin");
  if (is_begin) rlx_json_key_text(&json, "title", job->title);
  if (strcmp(kind, "end") != 0) {
    rlx_json_key_bool(&json, "cancellable", true);
    rlx_json_key_int(&json, "percentage", report ? report->percent : 0);
  }
  if (report && *report->message) rlx_json_key_text(&json, "message", report->message);
  rlx_json_end(&json, '}');
  rlx_json_end(&json, '}');
  rlx_server_notify(server, "$/progress", &params);
  rlx_buf_free(&params);
}

static void begin_progress(RlxServer *server, RlxJob *job) {
  job->has_begun = true;
  progress(server, job, "begin", NULL);
}

/// A client that can show progress gets a token of ours for a job that takes long.
static void begin_unasked(RlxServer *server, RlxJob *job) {
  if (job->token || !server->can_progress) return;
  RlxBuf token = {0}, params = {0};
  RlxJson json = {.out = &params};
  rlx_buf_printf(&token, "\"rlx/%u\"", ++server->progress_tokens);
  job->token = rlx_mem_strdup(rlx_buf_text(&token));
  rlx_json_begin(&json, '{');
  rlx_json_key(&json, "token");
  rlx_json_raw(&json, job->token, strlen(job->token));
  rlx_json_end(&json, '}');
  rlx_server_ask(server, "window/workDoneProgress/create", &params);
  rlx_buf_free(&params);
  rlx_buf_free(&token);
  begin_progress(server, job);
}

// ------------------------------------------------------------------ the loop's side

static void end_process(RlxJob *job, int *status) {
  kill(job->pid, SIGKILL); // one that has ended is not reaped yet: the id is still its own
  while (waitpid(job->pid, status, 0) < 0 && errno == EINTR) {
  }
}

/// Answers the job's request; from now on nobody else does.
static void answer(RlxServer *server, RlxJob *job, RlxRpcCode code, const char *error,
                   const RlxBuf *result) {
  if (job->is_ended) return;
  job->is_ended = true;
  if (job->has_begun) progress(server, job, "end", NULL);
  RlxBatch *batch = server->batch;
  const char *error_before = server->error;
  server->error = error;
  server->batch = job->batch;
  if (*job->id) rlx_server_answer(server, job->id, code, result);
  server->batch = batch;
  server->error = error_before;
}

static void drop(RlxServer *server, RlxJob *job) {
  RlxJob **link = &server->jobs;
  while (*link != job) link = &(*link)->next;
  *link = job->next;
  if (job->batch) rlx_server_batch_less(server, job->batch);
  if (job->kind.free && job->kept) job->kind.free(job->kept);
  free(job->id);
  free(job->uri);
  free(job->title);
  free(job->token);
  free(job->parts);
  free(job->waiting);
  rlx_buf_free(&job->last);
  free(job);
}

/// Ends it before it is done: its thread sees the end of the pipe and says so.
static void stop(RlxServer *server, RlxJob *job, RlxRpcCode code) {
  answer(server, job, code, NULL, NULL);
  if (job->waiting)
    drop(server, job);
  else
    kill(job->pid, SIGKILL);
}

static void finish(RlxServer *server, RlxJob *job) {
  int status = 0;
  pthread_join(job->thread, NULL);
  bool is_whole = job->last.size > 0;
  if (is_whole) { // it is about to end by itself
    while (waitpid(job->pid, &status, 0) < 0 && errno == EINTR) {
    }
  } else if (job->is_timed_out) {
    end_process(job, &status);
  } else {
    while (waitpid(job->pid, &status, 0) < 0 && errno == EINTR) {
    }
  }
  close(job->fd);
  RlxError problem = {0};
  if (job->is_ended) {
  } else if (is_whole && job->last.at[0] == 'r') {
    RlxBuf from = {0}, result = {0};
    RlxJson json = {.out = &result};
    rlx_buf_putn(&from, job->last.at + 1, job->last.size - 1);
    job->kind.done(server, job->kept, &from, &json);
    rlx_cells_leave(server, NULL, NULL, &result);
    rlx_server_send_parts(server, job->parts, &result);
    answer(server, job, RLX_RPC_OK, NULL, &result);
    rlx_buf_free(&from);
    rlx_buf_free(&result);
  } else {
    if (is_whole)
      rlx_error_set(&problem, "%.*s", (int)job->last.size - 1, job->last.at + 1);
    else if (job->is_timed_out || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
      rlx_error_set(&problem, "stopped after %d seconds",
                    job->is_timed_out ? LIMIT_WALL_SECONDS : LIMIT_SECONDS);
    else if (WIFSIGNALED(status))
      rlx_error_set(&problem, "the process that compiles died of signal %d (%s)", WTERMSIG(status),
                    strsignal(WTERMSIG(status)));
    else
      rlx_error_set(&problem, "the process that compiles ended with exit code %d",
                    WEXITSTATUS(status));
    answer(server, job, RLX_RPC_REQUEST_FAILED, problem.text, NULL);
  }
  drop(server, job);
}

static uint32_t running(const RlxServer *server) {
  uint32_t count = 0;
  for (const RlxJob *job = server->jobs; job; job = job->next) count += !job->waiting;
  return count;
}

/// Hands the request that has waited longest to the loop again, when there is room.
static void start_waiting(RlxServer *server) {
  RlxJob *oldest = NULL; // the list begins with the latest
  for (RlxJob *job = server->jobs; job; job = job->next)
    if (job->waiting) oldest = job;
  if (!oldest || running(server) >= JOBS_MAX) return;
  char *request = oldest->waiting;
  oldest->waiting = NULL;
  RlxBatch *batch = oldest->batch;
  oldest->batch = NULL;
  drop(server, oldest);
  server->batch = batch;
  server->again(server, request);
  server->batch = NULL;
  if (batch) rlx_server_batch_less(server, batch);
  free(request);
}

static RlxRpcCode fail(RlxServer *server, RlxJob *job, int error) {
  rlx_error_set(&server->problem, "no process can be started: %s", strerror(error));
  server->error = server->problem.text;
  drop(server, job);
  return RLX_RPC_REQUEST_FAILED;
}

RlxRpcCode rlx_server_beside(RlxServer *server, const RlxOpenFile *file, const char *title,
                             const RlxJobKind *kind, void *data, void *kept) {
  bool has_room = running(server) < JOBS_MAX;
  RlxJob *job = rlx_mem_zeroed(1, sizeof *job);
  *job = (RlxJob){.next = server->jobs,
                  .kind = *kind,
                  .kept = kept,
                  .batch = server->batch,
                  .id = rlx_mem_strdup(server->request),
                  .uri = rlx_mem_strdup(file ? file->uri : ""),
                  .title = rlx_mem_strdup(title),
                  .transport = server->transport,
                  .fd = -1};
  server->jobs = job;
  if (job->batch) job->batch->open++;
  if (!has_room && !*job->id) return fail(server, job, EAGAIN);
  if (!has_room) {
    char *request = cJSON_PrintUnformatted(server->message);
    if (!request) return fail(server, job, ENOMEM);
    job->waiting = rlx_mem_strdup(request);
    cJSON_free(request);
    return RLX_RPC_LATER;
  }
  const cJSON *params = rlx_json_get(server->message, "params");
  job->token = rlx_json_token(params, "workDoneToken");
  job->parts = rlx_json_token(params, "partialResultToken");
  int ends[2];
  if (pipe(ends)) return fail(server, job, errno);
  fflush(stderr);
  pid_t parent = getpid();
  job->pid = fork();
  if (job->pid == 0) {
    close(ends[0]);
    child(kind->work, data, ends[1], parent);
  }
  int error = errno;
  close(ends[1]);
  job->fd = ends[0];
  if (job->pid > 0 && (error = pthread_create(&job->thread, NULL, watch, job))) {
    int status;
    end_process(job, &status);
    job->pid = -1;
  }
  if (job->pid < 0) {
    close(ends[0]);
    return fail(server, job, error);
  }
  if (job->token) begin_progress(server, job);
  return RLX_RPC_LATER;
}

// ---- requests that are handled as they are, in the child

typedef struct Handled {
  RlxServer *server;
  RlxMethodFn *handle;
  const cJSON *params;
} Handled;

static bool handle_apart(void *data, const RlxJobReport *report, RlxBuf *out, RlxError *err) {
  (void)report;
  Handled *h = data;
  RlxJson json = {.out = out};
  h->server->is_beside = true;
  RlxRpcCode code = h->handle(h->server, h->params, &json);
  if (code == RLX_RPC_OK && !out->size) rlx_json_null(&json);
  if (code != RLX_RPC_OK)
    rlx_error_set(err, "%s", h->server->error ? h->server->error : "the request failed");
  return code == RLX_RPC_OK;
}

static void was_handled(RlxServer *server, void *data, const RlxBuf *from, RlxJson *result) {
  (void)server, (void)data;
  rlx_json_raw(result, from->at, from->size);
}

RlxRpcCode rlx_server_handle_beside(RlxServer *server, const RlxOpenFile *file, const char *title,
                                    RlxMethodFn *handle, const cJSON *params) {
  static const RlxJobKind kind = {handle_apart, was_handled, NULL};
  Handled h = {server, handle, params};
  return rlx_server_beside(server, file, title, &kind, &h, NULL);
}

void rlx_server_job_event(RlxServer *server, void *data) {
  Event *event = data;
  RlxJob *job = event->job;
  if (event->kind == EVENT_DONE) {
    finish(server, job);
    start_waiting(server);
  } else if (event->kind == EVENT_SLOW && !job->is_ended) {
    begin_unasked(server, job);
  } else if (event->kind == EVENT_REPORT && !job->is_ended && job->has_begun) {
    progress(server, job, "report", event);
  }
  free(event);
}

void rlx_server_cancel_job(RlxServer *server, const char *id) {
  RlxJob *job = server->jobs;
  while (job && (job->is_ended || strcmp(job->id, id) != 0)) job = job->next;
  if (job) stop(server, job, RLX_RPC_CANCELLED);
}

void rlx_server_cancel_job_of_token(RlxServer *server, const char *token) {
  RlxJob *job = server->jobs;
  while (job && (job->is_ended || !job->token || strcmp(job->token, token) != 0)) job = job->next;
  if (job) stop(server, job, RLX_RPC_CANCELLED);
}

void rlx_server_stale_jobs(RlxServer *server, const char *uri) {
  for (RlxJob *job = server->jobs, *next; job; job = next) {
    next = job->next;
    if (job->is_ended || (uri && strcmp(job->uri, uri) != 0)) continue;
    stop(server, job, uri ? RLX_RPC_CONTENT_MODIFIED : RLX_RPC_SERVER_CANCELLED);
  }
}

void rlx_server_drop_jobs(RlxServer *server) {
  for (RlxJob *job = server->jobs, *next; job; job = next) {
    next = job->next;
    int status;
    if (!job->waiting) {
      end_process(job, &status);
      pthread_join(job->thread, NULL);
      close(job->fd);
    }
    drop(server, job);
  }
}
