/// Limits of the worker. What the kernel does not have is left out: the worker is then as free as
/// any child process.
#include "jit/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __linux__
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

RlxConfinement rlx_confinement_default(void) {
  int64_t memory = (int64_t)sysconf(_SC_PHYS_PAGES) * sysconf(_SC_PAGESIZE);
  return (RlxConfinement){3600, memory > 0 ? memory / 10 * 9 : 0, true};
}

/// Bytes of address space in use; 0: not known. Without stdio, whose memory a child would have to
/// copy first.
static int64_t address_space(void) {
  char text[64];
  int fd = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
  if (fd >= 0) close(fd);
  text[n > 0 ? n : 0] = 0;
  return (int64_t)strtol(text, NULL, 10) * sysconf(_SC_PAGESIZE);
}

static void limit(int which, int64_t value) {
  struct rlimit now;
  if (getrlimit(which, &now)) return;
  if (now.rlim_max != RLIM_INFINITY && (rlim_t)value > now.rlim_max) return;
  now.rlim_cur = (rlim_t)value;
  setrlimit(which, &now);
}

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#ifdef __x86_64__
#define THIS_MACHINE AUDIT_ARCH_X86_64
#else
#define THIS_MACHINE AUDIT_ARCH_AARCH64
#endif

/// Calls that fail: programs, sockets, other processes, names and properties of files, and what root
/// may do to the machine.
static const unsigned refused[] = {
    SYS_execve,
    SYS_execveat,
    SYS_socket,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_ptrace,
    SYS_process_vm_writev,
    SYS_unlinkat,
    SYS_renameat2,
    SYS_mkdirat,
    SYS_linkat,
    SYS_symlinkat,
    SYS_mknodat,
    SYS_fchmodat,
    SYS_fchownat,
    SYS_truncate,
    SYS_mount,
    SYS_chroot,
    SYS_kill,
    SYS_setpgid,
    SYS_setsid,
    SYS_process_vm_readv,
    SYS_keyctl,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_io_uring_setup,
    SYS_userfaultfd,
    SYS_tkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_setpriority,
    SYS_sched_setscheduler,
    SYS_fchmod,
    SYS_fchown,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    SYS_utimensat,
    SYS_open_by_handle_at,
    SYS_umount2,
    SYS_pivot_root,
    SYS_unshare,
    SYS_setns,
    SYS_add_key,
    SYS_request_key,
    SYS_mq_open,
    SYS_mq_unlink,
    SYS_shmget,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_sethostname,
    SYS_acct,
#ifdef SYS_pidfd_send_signal
    SYS_pidfd_send_signal,
#endif
#ifdef SYS_pidfd_getfd
    SYS_pidfd_getfd,
#endif
#ifdef SYS_process_madvise
    SYS_process_madvise,
#endif
#ifdef SYS_fchmodat2
    SYS_fchmodat2,
#endif
#ifdef SYS_open_tree
    SYS_open_tree,
    SYS_move_mount,
    SYS_fsopen,
    SYS_fsmount,
#endif
#ifdef SYS_renameat
    SYS_renameat,
#endif
#ifdef __x86_64__
    SYS_fork,
    SYS_vfork,
    SYS_unlink,
    SYS_rename,
    SYS_mkdir,
    SYS_rmdir,
    SYS_link,
    SYS_symlink,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
    SYS_creat,
    SYS_mknod,
#endif
};

enum { REFUSED_COUNT = sizeof refused / sizeof *refused };
_Static_assert(REFUSED_COUNT < 200, "a jump reaches 255 instructions");

static struct sock_filter load(size_t at) {
  return (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)at);
}
static struct sock_filter give(unsigned what) {
  return (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, what);
}
static struct sock_filter jump(unsigned how, unsigned value, unsigned yes, unsigned no) {
  return (struct sock_filter)BPF_JUMP(BPF_JMP | how | BPF_K, value, (unsigned char)yes,
                                      (unsigned char)no);
}

enum { TO_NO = 255, BLOCK = 12 }; ///< the first becomes the distance to the end

/// The call `which` passes with that first argument only.
static size_t only_with(struct sock_filter *code, size_t n, unsigned which, unsigned value) {
  code[n++] = jump(BPF_JEQ, which, 0, 3);
  code[n++] = load(offsetof(struct seccomp_data, args));
  code[n++] = jump(BPF_JEQ, value, 0, TO_NO);
  code[n++] = give(SECCOMP_RET_ALLOW);
  return n;
}

static int by_number(const void *a, const void *b) {
  const unsigned *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

/// All of `refused`, in blocks of which the kernel looks at one for each call: it tries the program
/// for every call that there is when a child starts.
static size_t none_of_refused(struct sock_filter *code, size_t n) {
  unsigned sorted[REFUSED_COUNT];
  size_t to_end[REFUSED_COUNT / BLOCK + 1], blocks = 0;
  memcpy(sorted, refused, sizeof sorted);
  qsort(sorted, REFUSED_COUNT, sizeof *sorted, by_number);
  for (size_t end = REFUSED_COUNT; end > 0;) {
    const size_t first = end > BLOCK ? end - BLOCK : 0;
    code[n++] = jump(BPF_JGE, sorted[first], 0, (unsigned)(end - first + 1));
    for (size_t i = first; i < end; i++) code[n++] = jump(BPF_JEQ, sorted[i], TO_NO, 0);
    to_end[blocks++] = n;
    code[n++] = jump(BPF_JA, 0, 0, 0);
    end = first;
  }
  for (size_t i = 0; i < blocks; i++) code[to_end[i]].k = (unsigned)(n - to_end[i] - 1);
  return n;
}

/// A short program, because the kernel translates it for each child: all that is refused jumps to the
/// one end, which the last instruction is.
static void filter_calls(void) {
  enum { WRITES = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, ROOM = REFUSED_COUNT * 2 + 32 };
  struct sock_filter code[ROOM];
  const unsigned yes = SECCOMP_RET_ALLOW;
  const size_t second = offsetof(struct seccomp_data, args) + 8, third = second + 8;
  size_t n = 0;
  code[n++] = load(offsetof(struct seccomp_data, arch));
  code[n++] = jump(BPF_JEQ, THIS_MACHINE, 0, TO_NO);
  code[n++] = load(offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
  code[n++] = jump(BPF_JGE, 0x40000000u, TO_NO, 0); // the numbers of x32
#endif
  n = none_of_refused(code, n);
#ifdef SYS_open
  code[n++] = jump(BPF_JEQ, SYS_open, 0, 3); // files are opened to be read
  code[n++] = load(second);
  code[n++] = jump(BPF_JSET, WRITES, TO_NO, 0);
  code[n++] = give(yes);
#endif
#ifdef SYS_openat2
  code[n++] = jump(BPF_JEQ, SYS_openat2, 0, 1); // its flags are out of sight
  code[n++] = give(SECCOMP_RET_ERRNO | ENOSYS);
#endif
  n = only_with(code, n, SYS_tgkill, (unsigned)getpid()); // abort() ends this process
  n = only_with(code, n, SYS_prlimit64, 0);               // its own limits
  code[n++] = jump(BPF_JEQ, SYS_openat, 0, 2);
  code[n++] = load(third);
  code[n++] = jump(BPF_JSET, WRITES, TO_NO, 0);
  code[n++] = give(yes);
  code[n] = give(SECCOMP_RET_ERRNO | EPERM);
  for (size_t i = 0; i < n; i++) {
    const unsigned char rest = (unsigned char)(n - i - 1);
    if (BPF_CLASS(code[i].code) != BPF_JMP) continue;
    if (code[i].jt == TO_NO) code[i].jt = rest;
    if (code[i].jf == TO_NO) code[i].jf = rest;
  }
  struct sock_fprog program = {(unsigned short)(n + 1), code};
  if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
static void filter_calls(void) {}
#endif

void rlx_confine(const RlxConfinement *limits, pid_t parent) {
  setpgid(0, 0);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (getppid() != parent) _exit(1);
  if (limits->cpu_seconds > 0) limit(RLIMIT_CPU, limits->cpu_seconds);
  int64_t used = address_space();
  if (limits->memory_bytes > 0 && used > 0) limit(RLIMIT_AS, used + limits->memory_bytes);
  if (limits->no_system) filter_calls();
}
