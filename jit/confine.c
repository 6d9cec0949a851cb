/// Limits of the worker. What the kernel does not have is left out: the worker is then as free as
/// any child process.
#include "jit/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
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

/// Calls that fail: programs, sockets, other processes, names of files.
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
    SYS_creat,
    SYS_mknod,
#endif
};

enum { REFUSED_COUNT = sizeof refused / sizeof *refused };

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

/// A short program, because the kernel translates it for each child: all that is refused jumps to the
/// one end, which the last instruction is.
static void filter_calls(void) {
  enum { WRITES = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC, ROOM = REFUSED_COUNT + 16 };
  struct sock_filter code[ROOM];
  const unsigned char to_no = 255; // becomes the distance to the end
  const unsigned yes = SECCOMP_RET_ALLOW;
  size_t n = 0, second = offsetof(struct seccomp_data, args) + 2 * 8;
  code[n++] = load(offsetof(struct seccomp_data, arch));
  code[n++] = jump(BPF_JEQ, THIS_MACHINE, 0, to_no);
  code[n++] = load(offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
  code[n++] = jump(BPF_JGE, 0x40000000u, to_no, 0); // the numbers of x32
#endif
  for (int i = 0; i < REFUSED_COUNT; i++) code[n++] = jump(BPF_JEQ, refused[i], to_no, 0);
#ifdef SYS_open
  code[n++] = jump(BPF_JEQ, SYS_open, 0, 3); // files are opened to be read
  code[n++] = load(second - 8);
  code[n++] = jump(BPF_JSET, WRITES, to_no, 0);
  code[n++] = give(yes);
#endif
#ifdef SYS_openat2
  code[n++] = jump(BPF_JEQ, SYS_openat2, 0, 1); // its flags are out of sight
  code[n++] = give(SECCOMP_RET_ERRNO | ENOSYS);
#endif
  code[n++] = jump(BPF_JEQ, SYS_openat, 0, 2);
  code[n++] = load(second);
  code[n++] = jump(BPF_JSET, WRITES, to_no, 0);
  code[n++] = give(yes);
  code[n] = give(SECCOMP_RET_ERRNO | EPERM);
  for (size_t i = 0; i < n; i++) {
    const unsigned char rest = (unsigned char)(n - i - 1);
    if (BPF_CLASS(code[i].code) != BPF_JMP) continue;
    if (code[i].jt == to_no) code[i].jt = rest;
    if (code[i].jf == to_no) code[i].jf = rest;
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
