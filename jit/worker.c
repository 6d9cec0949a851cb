/// The worker: fork, run, hand back.
#include "jit/worker.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"

typedef struct Answer { ///< the memory file starts with this
  const void *volatile step;
  bool is_done, is_ok;
  RlxRunError error;
  double run_us_min, run_us_median, run_cpu_us_min, run_cpu_us_median, compile_ms;
} Answer;

enum { ALIGN = 64, TIMED_US = 50, GROUP_MOST = 1000 };

// ---- values in a memory file: kind, dtype, count, then dims, fields, text or elements

typedef struct Writer {
  RlxBuf head;
  int fd;
  int64_t at;
  bool ok;
} Writer;

static void put(Writer *w, const void *bytes, int64_t size) {
  const char *from = bytes;
  while (size > 0 && w->ok) {
    ssize_t n = pwrite(w->fd, from, (size_t)size, w->at);
    if (n <= 0) {
      w->ok = n < 0 && errno == EINTR;
      continue;
    }
    from += n;
    size -= n;
    w->at += n;
  }
}

static void put_object(Writer *w, const RlxObject *x) {
  int64_t head[3] = {x->kind,
                     (int64_t)x->dtype.code << 32 | (int64_t)x->dtype.bits << 16 | x->dtype.lanes,
                     x->count};
  put(w, head, sizeof head);
  switch ((RlxObjectKind)x->kind) {
  case RLX_OBJECT_TENSOR:
    put(w, x->dims, (int64_t)x->count * 8);
    w->at = (w->at + ALIGN - 1) / ALIGN * ALIGN;
    put(w, x->data, rlx_tensor_bytes(x));
    w->at = (w->at + 7) / 8 * 8;
    break;
  case RLX_OBJECT_SHAPE: put(w, x->dims, (int64_t)x->count * 8); break;
  case RLX_OBJECT_INT: put(w, &x->integer, 8); break;
  case RLX_OBJECT_FLOAT: put(w, &x->number, 8); break;
  case RLX_OBJECT_STRING: {
    int64_t size = (int64_t)strlen(x->text);
    put(w, &size, 8);
    put(w, x->text, size);
    w->at = (w->at + 7) / 8 * 8;
    break;
  }
  case RLX_OBJECT_TUPLE:
  case RLX_OBJECT_CLOSURE: // its code stays behind
    for (int i = 0; i < x->count; i++) put_object(w, x->fields[i]);
    break;
  case RLX_OBJECT_DTYPE:
  case RLX_OBJECT_NULL:
  case RLX_OBJECT_STORAGE: break; // these do not leave the worker: no value
  }
}

typedef struct Reader {
  RlxHeap *heap;
  RlxStorage *storage;
  const char *base;
  int64_t at, size;
} Reader;

static RlxObject *get_object(Reader *r) {
  int64_t head[3];
  if (r->at + (int64_t)sizeof head > r->size) return NULL;
  memcpy(head, r->base + r->at, sizeof head);
  r->at += (int64_t)sizeof head;
  RlxDType t = {(uint8_t)(head[1] >> 32), (uint8_t)(head[1] >> 16), (uint16_t)head[1]};
  int count = (int)head[2];
  union {
    const char *in;
    void *out;
  } place = {r->base + r->at};
  switch ((RlxObjectKind)head[0]) {
  case RLX_OBJECT_TENSOR: {
    const int64_t *dims = place.out;
    r->at = (r->at + (int64_t)count * 8 + ALIGN - 1) / ALIGN * ALIGN;
    RlxObject *x = rlx_tensor_in(r->heap, r->storage, r->at, t, dims, count);
    r->at = (r->at + rlx_tensor_bytes(x) + 7) / 8 * 8;
    return x;
  }
  case RLX_OBJECT_SHAPE:
    r->at += (int64_t)count * 8;
    return rlx_shape_new(r->heap, place.out, count);
  case RLX_OBJECT_INT: r->at += 8; return rlx_int_new(r->heap, *(int64_t *)place.out, t);
  case RLX_OBJECT_FLOAT: r->at += 8; return rlx_float_new(r->heap, *(double *)place.out, t);
  case RLX_OBJECT_STRING: {
    int64_t size = *(int64_t *)place.out;
    r->at = (r->at + 8 + size + 7) / 8 * 8;
    return rlx_string_new(r->heap, (const char *)place.out + 8, (size_t)size);
  }
  case RLX_OBJECT_TUPLE:
  case RLX_OBJECT_CLOSURE: {
    RlxObject **fields = rlx_mem_zeroed((size_t)count + 1, sizeof *fields);
    for (int i = 0; i < count; i++) fields[i] = get_object(r);
    RlxObject *x = head[0] == RLX_OBJECT_TUPLE ? rlx_tuple_new(r->heap, fields, count)
                                               : rlx_closure_new(r->heap, NULL, fields, count);
    for (int i = 0; i < count; i++) rlx_object_unref(fields[i]);
    free(fields);
    return x;
  }
  case RLX_OBJECT_DTYPE: return rlx_dtype_new(r->heap, t);
  case RLX_OBJECT_NULL:
  case RLX_OBJECT_STORAGE: return rlx_null_new(r->heap);
  }
  return NULL;
}

// ---- the child

static double now_us(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void child(RlxJit *jit, RlxProgram *program, RlxName function, RlxObject *const *args,
                  int count, int repeat, int fd, Answer *answer) {
  rlx_jit_after_fork(jit);
  double before = rlx_jit_compile_ms(jit);
  rlx_program_watch(program, &answer->step);
  double *wall = rlx_mem_zeroed((size_t)repeat, sizeof *wall),
         *cpu = rlx_mem_zeroed((size_t)repeat, sizeof *cpu);
  RlxObject *first = NULL;
  RlxRunError error = {0};
  // Short calls are timed some at once, or the clocks would be most of it.
  for (int done = 0, group = 1, step; done < repeat; done += step) {
    if (group > repeat - done) group = repeat - done;
    step = group;
    double compile = rlx_jit_compile_ms(jit), cpu_start = now_us(CLOCK_PROCESS_CPUTIME_ID),
           start = now_us(CLOCK_MONOTONIC);
    RlxObject *x = NULL;
    for (int i = 0; i < group; i++) {
      rlx_object_unref(x);
      x = rlx_program_call(program, function, args, count, &error);
      if (!x) break;
    }
    double end = now_us(CLOCK_MONOTONIC), spent = (rlx_jit_compile_ms(jit) - compile) * 1e3;
    double wall_each = (end - start - spent) / group,
           cpu_each = (now_us(CLOCK_PROCESS_CPUTIME_ID) - cpu_start - spent) / group;
    for (int i = done; i < done + group; i++) wall[i] = wall_each, cpu[i] = cpu_each;
    if (!x) break;
    if (first)
      rlx_object_unref(x);
    else
      first = x;
    group = wall_each >= (double)TIMED_US ? 1
            : wall_each > 0.01            ? (int)((double)TIMED_US / wall_each) + 1
                                          : GROUP_MOST;
  }
  answer->is_ok = first != NULL && !error.error.text[0];
  answer->error = error;
  if (answer->is_ok) {
    Writer w = {.fd = fd, .at = (int64_t)((sizeof(Answer) + 4095) / 4096 * 4096), .ok = true};
    put_object(&w, first);
    if (!w.ok || ftruncate(fd, (w.at + 4095) / 4096 * 4096)) {
      answer->is_ok = false;
      rlx_error_set(&answer->error.error, "no memory for the result");
    }
    qsort(wall, (size_t)repeat, sizeof *wall, by_value);
    qsort(cpu, (size_t)repeat, sizeof *cpu, by_value);
    answer->run_us_min = wall[0];
    answer->run_us_median = wall[repeat / 2];
    answer->run_cpu_us_min = cpu[0];
    answer->run_cpu_us_median = cpu[repeat / 2];
  }
  answer->compile_ms = rlx_jit_compile_ms(jit) - before;
  answer->is_done = true;
  fflush(stdout);
  fflush(stderr);
  _exit(0);
}

// ---- the parent

/// Waits for the end of the child; DONE, TIMED_OUT or INTERRUPTED.
static RlxOutcome wait_for(int fd, const RlxWorkerOptions *options) {
  double end =
      options->limit_seconds > 0 ? now_us(CLOCK_MONOTONIC) + options->limit_seconds * 1e6 : 0;
  for (;;) {
    if (options->cancel && *options->cancel) return RLX_OUTCOME_INTERRUPTED;
    int timeout = -1;
    if (end > 0) {
      double left = (end - now_us(CLOCK_MONOTONIC)) / 1e3;
      if (left <= 0) return RLX_OUTCOME_TIMED_OUT;
      timeout = left > 1e6 ? 1000000 : (int)left + 1;
    }
    struct pollfd p = {.fd = fd, .events = POLLIN};
    int n = poll(&p, 1, timeout);
    if (n > 0) return RLX_OUTCOME_DONE;
    if (n < 0 && errno != EINTR) return RLX_OUTCOME_DONE;
  }
}

/// Ends all processes of the worker's group: the worker itself when it `is_over`, else what it left
/// behind once it ended. The worker is not reaped yet, so its number is still its own.
static void end_group(pid_t pid, bool is_over) {
  siginfo_t info;
  if (is_over) kill(pid, SIGKILL);
  while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  kill(-pid, SIGKILL);
}

static void explain_crash(RlxProgram *program, const Answer *answer, int status,
                          RlxWorkerResult *out) {
  RlxBuf where = {0};
  if (answer->step) rlx_program_position(program, answer->step, &where);
  const char *name = where.size ? rlx_buf_text(&where) : "the call";
  if (WIFSIGNALED(status))
    rlx_error_set(&out->error.error, "%s: the worker died of signal %d (%s)", name,
                  WTERMSIG(status), strsignal(WTERMSIG(status)));
  else
    rlx_error_set(&out->error.error, "%s: the worker ended with exit code %d", name,
                  WEXITSTATUS(status));
  rlx_buf_free(&where);
}

static void take_answer(RlxJit *jit, int fd, const Answer *answer, RlxWorkerResult *out) {
  out->compile_ms = answer->compile_ms;
  out->run_us_min = answer->run_us_min;
  out->run_us_median = answer->run_us_median;
  out->run_cpu_us_min = answer->run_cpu_us_min;
  out->run_cpu_us_median = answer->run_cpu_us_median;
  if (!answer->is_ok) {
    out->outcome = RLX_OUTCOME_FAILED;
    out->error = answer->error;
    return;
  }
  int64_t start = (int64_t)((sizeof(Answer) + 4095) / 4096 * 4096), size = lseek(fd, 0, SEEK_END);
  void *map = size > start ? mmap(NULL, (size_t)size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
                           : MAP_FAILED;
  if (map == MAP_FAILED) {
    out->outcome = RLX_OUTCOME_FAILED;
    rlx_error_set(&out->error.error, "the worker's result cannot be mapped");
    return;
  }
  RlxStorage *storage = rlx_storage_mapping(rlx_jit_heap(jit), map, size);
  Reader r = {rlx_jit_heap(jit), storage, map, start, size};
  out->value = get_object(&r);
  rlx_storage_unref(storage);
  out->outcome = RLX_OUTCOME_DONE;
}

void rlx_worker_call(RlxJit *jit, RlxProgram *program, RlxName function, RlxObject *const *args,
                     int count, const RlxWorkerOptions *options, RlxWorkerResult *out) {
  *out = (RlxWorkerResult){.outcome = RLX_OUTCOME_NO_WORKER};
  size_t head = (sizeof(Answer) + 4095) / 4096 * 4096;
  int fd = memfd_create("rlx-result", MFD_CLOEXEC), ends[2] = {-1, -1};
  Answer *answer = MAP_FAILED;
  if (fd >= 0 && !ftruncate(fd, (off_t)head))
    answer = mmap(NULL, head, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  fflush(stdout);
  fflush(stderr);
  RlxConfinement limits = options->confinement ? *options->confinement : rlx_confinement_default();
  if (options->uses_system) limits.no_system = false;
  pid_t parent = getpid(), pid = answer == MAP_FAILED || pipe(ends) ? -1 : fork();
  if (pid == 0) {
    rlx_confine(&limits, parent);
    close(ends[0]);
    signal(SIGINT, SIG_DFL);
    child(jit, program, function, args, count, options->repeat < 1 ? 1 : options->repeat, fd,
          answer);
  }
  if (pid < 0) {
    rlx_error_set(&out->error.error, "no worker process can be started: %s", strerror(errno));
    goto done;
  }
  setpgid(pid, pid); // whoever comes first
  close(ends[1]);
  ends[1] = -1;
  out->outcome = wait_for(ends[0], options);
  end_group(pid, out->outcome != RLX_OUTCOME_DONE);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (out->outcome == RLX_OUTCOME_DONE) {
    if (answer->is_done)
      take_answer(jit, fd, answer, out);
    else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT) {
      out->outcome = RLX_OUTCOME_INTERRUPTED;
      rlx_error_set(&out->error.error, "interrupted");
    } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) {
      out->outcome = RLX_OUTCOME_TIMED_OUT;
      rlx_error_set(&out->error.error, "stopped after %lld seconds of CPU time",
                    (long long)limits.cpu_seconds);
    } else {
      out->outcome = RLX_OUTCOME_CRASHED;
      explain_crash(program, answer, status, out);
    }
  } else {
    RlxBuf where = {0};
    if (answer->step)
      rlx_program_position(program, answer->step, &where);
    else
      rlx_buf_puts(&where, "the call");
    if (out->outcome == RLX_OUTCOME_TIMED_OUT)
      rlx_error_set(&out->error.error, "%s: stopped after %g seconds", rlx_buf_text(&where),
                    options->limit_seconds);
    else
      rlx_error_set(&out->error.error, "%s: interrupted", rlx_buf_text(&where));
    rlx_buf_free(&where);
  }
done:
  if (out->outcome != RLX_OUTCOME_DONE && !*out->error.error.code)
    rlx_error_code(&out->error.error, rlx_diag_row(RLX_DIAG_ID(EVALUATION_STOPPED))->code);
  if (answer != MAP_FAILED) munmap(answer, head);
  if (ends[0] >= 0) close(ends[0]);
  if (ends[1] >= 0) close(ends[1]);
  if (fd >= 0) close(fd);
}
