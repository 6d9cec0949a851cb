/// The worker: fork, run, hand back.
#include "jit/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/wait.h"
#include "jit/fork.h"
#include "jit/handover.h"
#include "jit/standing.h"

typedef struct Answer { ///< the memory file starts with this
  const void *volatile step;
  int32_t is_done, is_ok, lacks_arguments; // what a hostile kernel writes is a number, too
  RlxHandover place;
  RlxRunError error;
  double run_us_min, run_us_median, run_cpu_us_min, run_cpu_us_median, compile_ms, compile_cpu_ms;
} Answer;

enum { TIMED_US = 50, GROUP_MOST = 1000, STATUS_NO_MEMORY = 3 };
// The clock of CPU time is looked at for so long, and so often; without a change it goes by the tick.
enum { CLOCK_LOOK_US = 1000, CLOCK_LOOKS = 100, CLOCK_TICK_US = 10000, CLOCK_STEPS = 10 };

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

/// The step in which a clock of CPU time goes, in us: some go by the tick, as that of a process with
/// a limit of CPU time does in Linux. It is the least change that is seen, because other programs
/// may take most of the time of a busy machine.
static double cpu_step_us(clockid_t clock) {
  double start = now_us(CLOCK_MONOTONIC), last = now_us(clock), least = (double)CLOCK_TICK_US;
  for (int i = 0; i < CLOCK_LOOKS || now_us(CLOCK_MONOTONIC) - start < (double)CLOCK_LOOK_US; i++) {
    double now = now_us(clock);
    if (now > last && now - last < least) least = now - last;
    last = now;
  }
  return least;
}

static int64_t head_bytes(void) { return (int64_t)((sizeof(Answer) + 4095) / 4096 * 4096); }

static _Noreturn void leave(Answer *answer) {
  answer->is_done = true;
  fflush(stdout);
  fflush(stderr);
  _exit(0);
}

/// CPU time of a run, in us, by so many more runs that the clock can tell; -1: it cannot.
static double cpu_of_more(RlxProgram *program, RlxName function, RlxObject *const *args, int count,
                          clockid_t clock, double least_us) {
  double start = now_us(clock), wall = now_us(CLOCK_MONOTONIC), spent = 0;
  RlxRunError error = {0};
  int runs = 0;
  for (; spent < least_us && now_us(CLOCK_MONOTONIC) - wall < 20 * least_us; runs += 10) {
    for (int i = 0; i < 10; i++)
      rlx_object_unref(rlx_program_call(program, function, args, count, &error));
    spent = now_us(clock) - start;
  }
  return spent < least_us ? -1 : spent / runs;
}

/// Hands the result over with what was written to the arguments.
static void hand_over(RlxJit *jit, const RlxObject *x, RlxObject *const *args, int count, int fd,
                      Answer *answer) {
  answer->is_ok = rlx_handover_write(rlx_jit_heap(jit), fd, head_bytes(), x, args, count,
                                     &answer->place, &answer->error.error);
}

static void child_that_makes(RlxJit *jit, const RlxWorkerOptions *options, int fd, Answer *answer) {
  RlxError why = {0};
  const RlxObject *x = options->make_value(options->data, &why);
  answer->error.error = why;
  if (x) hand_over(jit, x, NULL, 0, fd, answer);
  leave(answer);
}

/// What a measurement of one function's runs is about, and what came out so far.
typedef struct Timing {
  RlxJit *jit;
  clockid_t clock; ///< of CPU time
  double least_us; ///< of CPU time, so that the steps of its clock do not count
  double *wall, *cpu;
  int repeat, told; ///< `told`: how many elements of `cpu` there are
  int untold;       ///< runs whose CPU time is not told yet
  double cpu_start; ///< of those
  RlxObject *first; ///< the first result
  RlxRunError error;
} Timing;

/// Notes what `group` runs took, of which the wall clock says `wall_each`.
static void note_runs(Timing *t, int done, int group, double wall_each, double compile_cpu_ms) {
  double now = now_us(t->clock);
  for (int i = done; i < done + group; i++) t->wall[i] = wall_each;
  t->cpu_start += compile_cpu_ms * 1e3;
  t->untold += group;
  if (t->repeat > 1 ? now - t->cpu_start < t->least_us : now <= t->cpu_start) return;
  for (int i = 0; i < t->untold; i++) t->cpu[t->told++] = (now - t->cpu_start) / t->untold;
  t->untold = 0;
}

/// Runs the function `repeat` times. Short calls are timed some at once, or the clocks would be most
/// of it.
static void run_timed(Timing *t, RlxProgram *program, RlxName function, RlxObject *const *args,
                      int count) {
  for (int done = 0, group = 1, step; done < t->repeat; done += step) {
    if (group > t->repeat - done) group = t->repeat - done;
    step = group;
    double compile = rlx_jit_compile_ms(t->jit), compile_cpu = rlx_jit_compile_cpu_ms(t->jit);
    double start = now_us(CLOCK_MONOTONIC);
    if (t->untold == 0) t->cpu_start = now_us(t->clock);
    RlxObject *x = NULL;
    for (int i = 0; i < group; i++) {
      rlx_object_unref(x);
      x = rlx_program_call(program, function, args, count, &t->error);
      if (!x) break;
    }
    double end = now_us(CLOCK_MONOTONIC), spent = (rlx_jit_compile_ms(t->jit) - compile) * 1e3;
    double wall_each = (end - start - spent) / group;
    note_runs(t, done, group, wall_each, rlx_jit_compile_cpu_ms(t->jit) - compile_cpu);
    if (!x) return;
    if (t->first)
      rlx_object_unref(x);
    else
      t->first = x;
    group = wall_each >= (double)TIMED_US ? 1
            : wall_each > 0.01            ? (int)((double)TIMED_US / wall_each) + 1
                                          : GROUP_MOST;
  }
}

/// The least and the median of all runs.
static void answer_times(Timing *t, RlxProgram *program, RlxName function, RlxObject *const *args,
                         int count, Answer *answer) {
  int repeat = t->repeat;
  qsort(t->wall, (size_t)repeat, sizeof *t->wall, by_value);
  qsort(t->cpu, (size_t)t->told, sizeof *t->cpu, by_value);
  bool may_run = repeat > 1 && !t->told && !rlx_program_may_write(program);
  double more = may_run ? cpu_of_more(program, function, args, count, t->clock, t->least_us) : -1;
  answer->run_us_min = t->wall[0];
  answer->run_us_median = t->wall[repeat / 2];
  answer->run_cpu_us_min = t->told ? t->cpu[0] : more;
  answer->run_cpu_us_median = t->told ? t->cpu[t->told / 2] : more;
}

static void child(RlxJit *jit, RlxProgram *program, RlxName function, RlxObject *const *args,
                  int count, const RlxWorkerOptions *options, int fd, Answer *answer) {
  int repeat = options->repeat < 1 ? 1 : options->repeat;
  rlx_heap_share(rlx_jit_heap(jit), fd, head_bytes());
  if (options->make_value) child_that_makes(jit, options, fd, answer);
  if (options->make_arguments) {
    RlxError why = {0};
    if (!options->make_arguments(options->data, &args, &count, &why)) {
      answer->error.error = why;
      answer->lacks_arguments = !*why.code;
      leave(answer);
    }
  }
  double before = rlx_jit_compile_ms(jit), cpu_before = rlx_jit_compile_cpu_ms(jit);
  rlx_program_watch(program, &answer->step);
  Timing t = {.jit = jit,
              .clock =
                  rlx_jit_threads(jit) == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_PROCESS_CPUTIME_ID,
              .wall = rlx_mem_zeroed((size_t)repeat, sizeof *t.wall),
              .cpu = rlx_mem_zeroed((size_t)repeat, sizeof *t.cpu),
              .repeat = repeat};
  t.least_us = repeat > 1 ? (double)CLOCK_STEPS * cpu_step_us(t.clock) : 0;
  run_timed(&t, program, function, args, count);
  answer->is_ok = t.first != NULL && !t.error.error.text[0];
  answer->error = t.error;
  if (answer->is_ok) {
    answer_times(&t, program, function, args, count, answer);
    // Last, because what runs behind it may take memory of the file.
    hand_over(jit, t.first, args, options->make_arguments ? 0 : count, fd, answer);
  }
  answer->compile_ms = rlx_jit_compile_ms(jit) - before;
  answer->compile_cpu_ms = rlx_jit_compile_cpu_ms(jit) - cpu_before;
  leave(answer);
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
    int n = rlx_wait(&p, 1, timeout, options->cancel);
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

static void explain_crash(const char *name, int status, RlxWorkerResult *out) {
  if (WIFSIGNALED(status))
    rlx_error_set(&out->error.error, "%s: the worker died of signal %d (%s)%s", name,
                  WTERMSIG(status), strsignal(WTERMSIG(status)),
                  WTERMSIG(status) == SIGBUS
                      ? ": a file whose tensors are in use was cut short, most likely"
                      : "");
  else if (WEXITSTATUS(status) == STATUS_NO_MEMORY) // rlx_mem_exhausted
    rlx_error_set(&out->error.error, "%s: out of memory", name);
  else
    rlx_error_set(&out->error.error, "%s: the worker ended with exit code %d", name,
                  WEXITSTATUS(status));
}

/// Takes the result out of the memory file, and what was written to the arguments: pages of its own,
/// which no process changes any more.
static void take_answer(RlxJit *jit, RlxProgram *program, RlxObject *const *args, int count, int fd,
                        const Answer *answer, RlxWorkerResult *out) {
  out->compile_ms = answer->compile_ms;
  out->compile_cpu_ms = answer->compile_cpu_ms;
  out->run_us_min = answer->run_us_min;
  out->run_us_median = answer->run_us_median;
  out->run_cpu_us_min = answer->run_cpu_us_min;
  out->run_cpu_us_median = answer->run_cpu_us_median;
  if (!answer->is_ok) {
    out->outcome = answer->lacks_arguments ? RLX_OUTCOME_NO_ARGUMENTS : RLX_OUTCOME_FAILED;
    out->error = answer->error;
    out->error.error.text[sizeof out->error.error.text - 1] = '\0';
    out->error.error.code[sizeof out->error.error.code - 1] = '\0';
    return;
  }
  if (!program || !rlx_program_may_write(program)) count = 0;
  const RlxHandover place = answer->place; // once: nobody changes it any more
  out->value = rlx_handover_read(rlx_jit_heap(jit), fd, head_bytes(), &place, args, count);
  out->outcome = out->value ? RLX_OUTCOME_DONE : RLX_OUTCOME_FAILED;
  if (!out->value) rlx_error_set(&out->error.error, "the worker's result cannot be read");
}

struct RlxWorker {
  RlxJit *jit;
  RlxProgram *program;
  RlxObject *const *args;
  int count;
  RlxWorkerOptions options;
  RlxConfinement limits;
  int fd, end; ///< of the memory file; readable when the process is over
  Answer *answer;
  pid_t pid;
};

static void drop(RlxWorker *w) {
  if (w->answer != MAP_FAILED) munmap(w->answer, (size_t)head_bytes());
  if (w->end >= 0) close(w->end);
  if (w->fd >= 0) close(w->fd);
  free(w);
}

static void put_code(RlxWorkerResult *out) {
  if (out->outcome != RLX_OUTCOME_DONE && out->outcome != RLX_OUTCOME_NO_ARGUMENTS &&
      !*out->error.error.code)
    rlx_error_code(&out->error.error, rlx_diag_row(RLX_DIAG_ID(EVALUATION_STOPPED))->code);
}

static RlxConfinement limits_of(const RlxWorkerOptions *options) {
  RlxConfinement limits = options->confinement ? *options->confinement : rlx_confinement_default();
  if (options->uses_system) limits.no_system = false;
  return limits;
}

RlxWorker *rlx_worker_start(RlxJit *jit, RlxProgram *program, RlxName function,
                            RlxObject *const *args, int count, const RlxWorkerOptions *options,
                            RlxWorkerResult *out) {
  *out = (RlxWorkerResult){.outcome = RLX_OUTCOME_NO_WORKER};
  RlxWorker *w = rlx_mem_zeroed(1, sizeof *w);
  *w = (RlxWorker){jit, program, args, count, *options, .end = -1, .answer = MAP_FAILED};
  size_t head = (size_t)head_bytes();
  int ends[2] = {-1, -1};
  w->fd = memfd_create("rlx-result", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  // It cannot shrink any more: what is mapped stays there to be read.
  if (w->fd >= 0 && !ftruncate(w->fd, (off_t)head) && !fcntl(w->fd, F_ADD_SEALS, F_SEAL_SHRINK))
    w->answer = mmap(NULL, head, PROT_READ | PROT_WRITE, MAP_SHARED, w->fd, 0);
  fflush(stdout);
  fflush(stderr);
  w->limits = limits_of(options);
  const bool compiles = options->takes_libraries || (program && rlx_program_may_compile(program));
  rlx_handover_inherit(args, count, true);
  w->pid = w->answer == MAP_FAILED || pipe2(ends, O_CLOEXEC)
               ? -1
               : rlx_fork_worker(jit, &w->limits, compiles);
  if (w->pid == 0) {
    close(ends[0]);
    child(jit, program, function, args, count, options, w->fd, w->answer);
  }
  const int error = errno;
  rlx_handover_inherit(args, count, false);
  w->end = ends[0];
  if (ends[1] >= 0) close(ends[1]);
  if (w->pid > 0) return w;
  rlx_error_set(&out->error.error, "no worker process can be started: %s", strerror(error));
  put_code(out);
  drop(w);
  return NULL;
}

int rlx_worker_end_fd(const RlxWorker *worker) { return worker->end; }

/// Where it was: a place in the script, or what the whole is called.
static void put_place(const RlxWorker *w, RlxBuf *out) {
  if (w->answer->step && w->program) rlx_program_position(w->program, w->answer->step, out);
  if (!out->size) rlx_buf_puts(out, w->options.what ? w->options.what : "the call");
}

/// What became of the process: `status` as waitpid has it, and `out->outcome` that of wait_for.
static void tell(RlxWorker *w, int status, RlxWorkerResult *out) {
  const bool is_over = out->outcome == RLX_OUTCOME_DONE;
  if (is_over && w->answer->is_done) {
    take_answer(w->jit, w->program, w->args, w->options.make_arguments ? 0 : w->count, w->fd,
                w->answer, out);
    return;
  }
  const int signal = is_over && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  RlxBuf where = {0};
  put_place(w, &where);
  const char *name = rlx_buf_text(&where);
  if (signal == SIGINT) {
    out->outcome = RLX_OUTCOME_INTERRUPTED;
    rlx_error_set(&out->error.error, "interrupted");
  } else if (signal == SIGXCPU) {
    out->outcome = RLX_OUTCOME_TIMED_OUT;
    rlx_error_set(&out->error.error, "stopped after %lld seconds of CPU time",
                  (long long)w->limits.cpu_seconds);
  } else if (is_over) {
    out->outcome = RLX_OUTCOME_CRASHED;
    explain_crash(name, status, out);
  } else if (out->outcome == RLX_OUTCOME_TIMED_OUT)
    rlx_error_set(&out->error.error, "%s: stopped after %g seconds", name,
                  w->options.limit_seconds);
  else
    rlx_error_set(&out->error.error, "%s: interrupted", name);
  rlx_buf_free(&where);
}

void rlx_worker_forget_program(RlxWorker *worker) { worker->program = NULL; }

void rlx_worker_finish(RlxWorker *w, RlxWorkerResult *out) {
  int status = 0;
  *out = (RlxWorkerResult){.outcome = wait_for(w->end, &w->options)};
  end_group(w->pid, out->outcome != RLX_OUTCOME_DONE);
  while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR) {
  }
  tell(w, status, out);
  put_code(out);
  drop(w);
}

void rlx_worker_call(RlxJit *jit, RlxProgram *program, RlxName function, RlxObject *const *args,
                     int count, const RlxWorkerOptions *options, RlxWorkerResult *out) {
  if (options->standing && options->repeat <= 1 && !options->make_arguments &&
      !options->make_value) {
    const RlxConfinement limits = limits_of(options);
    *out = (RlxWorkerResult){.outcome = RLX_OUTCOME_DONE};
    out->value = rlx_standing_call(options->standing, program, function, args, count, &limits,
                                   options->limit_seconds, options->cancel);
    if (out->value) return;
  }
  RlxWorker *w = rlx_worker_start(jit, program, function, args, count, options, out);
  if (w) rlx_worker_finish(w, out);
}
