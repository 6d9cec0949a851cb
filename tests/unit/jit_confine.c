/// What a confined process may do and what it may not (docs/security.md): each call that is ruled out
/// fails with EPERM, and what computing needs works.
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "jit/confine.h"
#include "tests/test.h"

#ifdef __linux__
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static char path[] = "/tmp/rlx-confine-XXXXXX", other[64];
static int readable;

static long call(long number, long a, long b, long c, long d) {
  return syscall(number, a, b, c, d, 0, 0);
}
#define AT ((long)(intptr_t)path)
#define TO ((long)(intptr_t)other)

/// Number of the first call that did not fail with EPERM (1: `execve`, and so on); 0: none.
static int first_allowed(void) {
  const long parent = getppid();
  struct rlimit limit = {1, 1};
  siginfo_t info = {.si_code = SI_QUEUE};
  struct f_owner_ex owner = {F_OWNER_PID, (pid_t)parent};
  int pair[2];
  long flags = 0, cores = 1;
  const struct {
    long number, a, b, c, d;
  } calls[] = {
      {SYS_execve, AT, 0, 0, 0},
      {SYS_socket, AF_INET, SOCK_STREAM, 0, 0},
      {SYS_kill, parent, SIGUSR1, 0, 0},
      {SYS_tkill, parent, SIGUSR1, 0, 0},
      {SYS_tgkill, parent, parent, SIGUSR1, 0},
      {SYS_rt_sigqueueinfo, parent, SIGUSR1, (long)(intptr_t)&info, 0},
      {SYS_rt_tgsigqueueinfo, parent, parent, SIGUSR1, (long)(intptr_t)&info},
      {SYS_prlimit64, parent, RLIMIT_CPU, (long)(intptr_t)&limit, 0},
      {SYS_ptrace, 16, parent, 0, 0},
      {SYS_setpgid, 0, parent, 0, 0},
      {SYS_setsid, 0, 0, 0, 0},
      {SYS_setpriority, PRIO_PROCESS, parent, 19, 0},
      {SYS_openat, AT_FDCWD, AT, O_WRONLY, 0},
      {SYS_openat, AT_FDCWD, AT, O_RDWR, 0},
      {SYS_openat, AT_FDCWD, AT, O_RDONLY | O_TRUNC, 0},
      {SYS_openat, AT_FDCWD, TO, O_RDONLY | O_CREAT, 0600},
      {SYS_unlinkat, AT_FDCWD, AT, 0, 0},
      {SYS_renameat2, AT_FDCWD, AT, AT_FDCWD, TO},
      {SYS_linkat, AT_FDCWD, AT, AT_FDCWD, TO},
      {SYS_symlinkat, AT, AT_FDCWD, TO, 0},
      {SYS_mkdirat, AT_FDCWD, TO, 0700, 0},
      {SYS_mknodat, AT_FDCWD, TO, S_IFIFO | 0600, 0},
      {SYS_truncate, AT, 0, 0, 0},
      {SYS_fchmod, readable, 0777, 0, 0},
      {SYS_fchmodat, AT_FDCWD, AT, 0777, 0},
      {SYS_fchown, readable, 1, 1, 0},
      {SYS_utimensat, AT_FDCWD, AT, 0, 0},
      {SYS_fsetxattr, readable, AT, AT, 1},
      {SYS_unshare, 0, 0, 0, 0},
      {SYS_mount, AT, AT, AT, 0},
      {SYS_io_uring_setup, 1, 0, 0, 0},
      // signals by way of a file: its owner gets the one that is set for it, SIGKILL if that is asked for
      {SYS_fcntl, readable, F_SETOWN, parent, 0},
      {SYS_fcntl, readable, F_SETSIG, SIGUSR1, 0},
      {SYS_fcntl, readable, F_SETOWN_EX, (long)(intptr_t)&owner, 0},
      {SYS_fcntl, readable, F_SETLEASE, F_RDLCK, 0}, // who opens it to write waits
      {SYS_ioctl, readable, FIOSETOWN, (long)(intptr_t)&owner.pid, 0},
      {SYS_ioctl, readable, FS_IOC_SETFLAGS, (long)(intptr_t)&flags, 0},
      {SYS_ioctl, readable, TIOCSTI, AT, 0}, // as if it were typed
      {SYS_clone, SIGCHLD, 0, 0, 0},
      {SYS_socketpair, AF_UNIX, SOCK_STREAM, 0, (long)(intptr_t)pair},
      {SYS_shmat, 0, 0, 0, 0},
      {SYS_shmctl, 0, IPC_RMID, 0, 0},
      {SYS_semget, 4711, 1, 0, 0},
      {SYS_semctl, 0, 0, IPC_RMID, 0},
      {SYS_msgget, 4711, 0, 0, 0},
      {SYS_msgctl, 0, IPC_RMID, 0, 0},
      {SYS_sched_setparam, parent, 0, 0, 0},
      {SYS_sched_setattr, parent, 0, 0, 0},
      {SYS_sched_setaffinity, parent, sizeof cores, (long)(intptr_t)&cores, 0},
      {SYS_ioprio_set, 1, parent, 0, 0},
      {SYS_migrate_pages, parent, 0, 0, 0},
      {SYS_move_pages, parent, 0, 0, 0},
      {SYS_fanotify_init, 0, 0, 0, 0},
      {SYS_syslog, 5, 0, 0, 0},
      // it would live on when its parent has ended: asked for, and by being somebody else
      {SYS_prctl, PR_SET_PDEATHSIG, 0, 0, 0},
      {SYS_setuid, getuid(), 0, 0, 0},
      {SYS_setresuid, -1, getuid(), -1, 0},
      {SYS_setfsgid, getgid(), 0, 0, 0},
      {SYS_setgroups, 0, 0, 0, 0},
      {SYS_capset, 0, 0, 0, 0},
      {452, AT_FDCWD, AT, 0777, 0}, // fchmodat2, also where the headers are older than it
      {442, -1, AT, 0, 0},          // mount_setattr
#ifdef __x86_64__
      {SYS_open, AT, O_WRONLY, 0, 0},
      {SYS_creat, TO, 0600, 0, 0},
      {SYS_fork, 0, 0, 0, 0},
      {SYS_vfork, 0, 0, 0, 0},
      {SYS_unlink, AT, 0, 0, 0},
      {SYS_rename, AT, TO, 0, 0},
      {SYS_chmod, AT, 0777, 0, 0},
      {SYS_utimes, AT, 0, 0, 0},
#endif
  };
  for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
    if (call(calls[i].number, calls[i].a, calls[i].b, calls[i].c, calls[i].d) != -1 ||
        errno != EPERM)
      return (int)i + 1;
  // What is newer than the list is as if the kernel did not have it.
  for (long number = 463; number < 600; number++)
    if (call(number, -1, AT, 0, 0) != -1 || errno != ENOSYS) return 250;
  return 0;
}

static void *nothing(void *data) { return data; }
static volatile sig_atomic_t raised;
static void note(int number) { raised = number; }

/// Number of the first thing that computing needs and cannot have; 0: none.
static int first_missing(void) {
  pthread_t thread;
  struct rlimit limit;
  int at = open(path, O_RDONLY), memory = memfd_create("rlx-test", 0);
  if (at < 0) return 1;
  if (memory < 0 || ftruncate(memory, 4096) || write(memory, "a", 1) != 1) return 2;
  if (mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0) == MAP_FAILED) return 3;
  if (pthread_create(&thread, 0, nothing, 0) || pthread_join(thread, 0)) return 4;
  signal(SIGUSR1, note);
  if (raise(SIGUSR1) || raised != SIGUSR1) return 5;
  if (getrlimit(RLIMIT_CPU, &limit) || setrlimit(RLIMIT_CPU, &limit)) return 6;
  if (prctl(PR_SET_NAME, "rlx-test", 0, 0, 0)) return 9;
  if (isatty(at) || errno != ENOTTY || fcntl(at, F_GETFL) < 0 || fcntl(at, F_SETFD, FD_CLOEXEC))
    return 8;
  if (mmap(0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
      MAP_FAILED)
    return 7; // machine code is made
  return 0;
}

/// Number of the first limit that the process can lift; 0: none.
static int first_lifted(void) {
  struct rlimit cpu, memory, now;
  if (getrlimit(RLIMIT_CPU, &cpu) || getrlimit(RLIMIT_AS, &memory)) return 1;
  if (cpu.rlim_cur != 100 || cpu.rlim_max > 200 || memory.rlim_max > memory.rlim_cur) return 2;
  const struct rlimit more = {RLIM_INFINITY, RLIM_INFINITY};
  if (!setrlimit(RLIMIT_CPU, &more) || !setrlimit(RLIMIT_AS, &more)) return 3;
  now = memory;
  now.rlim_cur++;
  return setrlimit(RLIMIT_AS, &now) ? 0 : 4;
}

/// What a program says that tries to lift the limit of CPU time of whoever started it: 0: it cannot.
static int lifted_by_a_program(void) {
  execl("/bin/sh", "sh", "-c", "! ulimit -t unlimited 2>/dev/null", (char *)NULL);
  return 5;
}

/// 0: of what root may do beyond other users only reading is left.
static int first_privilege(void) {
  char text[4096], *at;
  const int fd = open("/proc/self/status", O_RDONLY);
  const ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
  text[n > 0 ? n : 0] = 0;
  static const char *const sets[] = {"CapInh:", "CapPrm:", "CapEff:"};
  for (int i = 0; i < 3; i++) {
    if (!(at = strstr(text, sets[i]))) return i + 1;
    const unsigned long long has = strtoull(at + strlen(sets[i]), NULL, 16);
    if (has & ~(1ULL << CAP_DAC_OVERRIDE | 1ULL << CAP_DAC_READ_SEARCH)) return 10 + i;
  }
  return 0;
}

/// What `look` says in a child confined so; -1: it died.
static int in_limits(int (*look)(void), const RlxConfinement *limits) {
  RlxCallFilter *filter = rlx_call_filter_new();
  const pid_t parent = getpid(), child = fork();
  if (child == 0) {
    rlx_confine(limits, filter, parent);
    _exit(look());
  }
  rlx_call_filter_free(filter);
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static int in_child(int (*look)(void), bool no_system) {
  return in_limits(look, &(RlxConfinement){.no_system = no_system});
}

static void limits_stay(void **state) {
  (void)state;
  if (getenv("RLX_SANITIZED")) skip();
  RlxConfinement limits = {.cpu_seconds = 100, .memory_bytes = (int64_t)1 << 30};
  assert_int_equal(in_limits(first_lifted, &limits), 0);
  assert_int_equal(in_limits(lifted_by_a_program, &limits), 0); // as --allow-extern=system does
  limits.no_system = true;
  assert_int_equal(in_limits(first_lifted, &limits), 0);
  assert_int_equal(in_limits(first_privilege, &limits), 0);
}

static void confined_processes_cannot_change_the_system(void **state) {
  (void)state;
  if (getenv("RLX_SANITIZED")) skip();
  // A kernel that has filters finds fault with the address, any other with the question.
  if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL) == -1 && errno == EINVAL) skip();
  int at = mkstemp(path);
  assert_true(at >= 0);
  close(at);
  readable = open(path, O_RDONLY);
  snprintf(other, sizeof other, "%s-other", path);
  assert_int_equal(in_child(first_allowed, true), 0);
  assert_int_equal(access(other, F_OK), -1);
  assert_int_equal(in_child(first_missing, true), 0);
  assert_true(in_child(first_allowed, false) != 0); // the test sees what is allowed
  close(readable);
  unlink(path);
  unlink(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(confined_processes_cannot_change_the_system),
                                     cmocka_unit_test(limits_stay)};
  return cmocka_run_group_tests(tests, 0, 0);
}
#else
int main(void) { return 0; }
#endif
