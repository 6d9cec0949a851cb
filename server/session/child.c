/// Work in a forked process: the parent reads its text from a pipe and watches the clock, edits and
/// cancellation.
///
/// Always true: the child writes one byte, 1 for success or 0 for an error, and then a text; less
/// than that means that it died. It never returns into the server's loop and never touches the
/// client's pipes. Of the server's two threads only the one that forks is in the child.
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "server/session/child.h"

#if defined(__SANITIZE_ADDRESS__)
#define HAS_SHADOW_MEMORY 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_SHADOW_MEMORY 1
#endif
#endif
#ifndef HAS_SHADOW_MEMORY
#define HAS_SHADOW_MEMORY 0
#endif

enum { LIMIT_SECONDS = 20, TICK_MS = 20 };
static const rlim_t limit_bytes = (rlim_t)8 << 30;

static void write_whole(int fd, const char *bytes, size_t size) {
  while (size) {
    ssize_t n = write(fd, bytes, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    bytes += n;
    size -= (size_t)n;
  }
}

static _Noreturn void child(RlxChildFn *work, void *data, int fd, pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  dup2(STDERR_FILENO, STDOUT_FILENO); // a stray line would break the protocol
  struct rlimit seconds = {LIMIT_SECONDS, LIMIT_SECONDS + 1}, bytes = {limit_bytes, limit_bytes};
  setrlimit(RLIMIT_CPU, &seconds);
  if (!HAS_SHADOW_MEMORY) setrlimit(RLIMIT_AS, &bytes);
  RlxBuf text = {0};
  RlxError err = {0};
  bool ok = work(data, &text, &err);
  write_whole(fd, ok ? "\1" : "\0", 1);
  if (ok)
    write_whole(fd, rlx_buf_text(&text), text.size);
  else
    write_whole(fd, err.text, strlen(err.text));
  _exit(0);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/// Reads until the child closes its end; RLX_RPC_OK, or why it is not waited for any longer.
static RlxRpcCode read_text(RlxServer *server, int fd, RlxBuf *out) {
  double end = now() + (double)LIMIT_SECONDS;
  char block[16384];
  for (;;) {
    if (atomic_load(rlx_transport_stale(server->transport))) return RLX_RPC_CONTENT_MODIFIED;
    if (rlx_transport_cancelled(server->transport, server->request)) return RLX_RPC_CANCELLED;
    if (now() > end) {
      rlx_error_set(&server->problem, "stopped after %d seconds", LIMIT_SECONDS);
      server->error = server->problem.text;
      return RLX_RPC_REQUEST_FAILED;
    }
    struct pollfd p = {.fd = fd, .events = POLLIN};
    if (poll(&p, 1, TICK_MS) <= 0) continue;
    ssize_t n = read(fd, block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return RLX_RPC_OK;
    rlx_buf_putn(out, block, (size_t)n);
  }
}

RlxRpcCode rlx_server_in_child(RlxServer *server, RlxChildFn *work, void *data, RlxBuf *text) {
  int ends[2] = {-1, -1};
  fflush(stderr);
  pid_t parent = getpid(), pid = pipe(ends) ? -1 : fork();
  if (pid == 0) {
    close(ends[0]);
    child(work, data, ends[1], parent);
  }
  RlxBuf answer = {0};
  RlxRpcCode code = RLX_RPC_REQUEST_FAILED;
  if (pid < 0) {
    rlx_error_set(&server->problem, "no process can be started: %s", strerror(errno));
    server->error = server->problem.text;
  } else {
    close(ends[1]);
    ends[1] = -1;
    code = read_text(server, ends[0], &answer);
    if (code != RLX_RPC_OK) kill(pid, SIGKILL);
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    bool is_whole = WIFEXITED(status) && WEXITSTATUS(status) == 0 && answer.size;
    if (code == RLX_RPC_OK && is_whole && answer.at[0]) {
      rlx_buf_putn(text, answer.at + 1, answer.size - 1);
    } else if (code == RLX_RPC_OK) {
      code = RLX_RPC_REQUEST_FAILED;
      if (is_whole)
        rlx_error_set(&server->problem, "%s", answer.at + 1);
      else if (WIFSIGNALED(status))
        rlx_error_set(&server->problem, "the process that compiles died of signal %d (%s)",
                      WTERMSIG(status), strsignal(WTERMSIG(status)));
      else
        rlx_error_set(&server->problem, "the process that compiles ended with exit code %d",
                      WEXITSTATUS(status));
      server->error = server->problem.text;
    }
  }
  if (ends[0] >= 0) close(ends[0]);
  if (ends[1] >= 0) close(ends[1]);
  rlx_buf_free(&answer);
  return code;
}
