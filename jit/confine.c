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
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include "base/mem.h"

enum { GRACE_SECONDS = 5 }; // of CPU time, for whoever is told by SIGXCPU

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

/// Sets a limit that the process cannot raise again: at `value` it is told, at `value` + `grace` it ends.
static void limit(__rlimit_resource_t which, int64_t value, int64_t grace) {
  struct rlimit now;
  if (getrlimit(which, &now)) return;
  const bool is_bounded = now.rlim_max != RLIM_INFINITY;
  if (is_bounded && (rlim_t)value > now.rlim_max) return;
  now.rlim_cur = (rlim_t)value;
  if (!is_bounded || (rlim_t)(value + grace) < now.rlim_max) now.rlim_max = (rlim_t)(value + grace);
  setrlimit(which, &now);
}

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#ifdef __x86_64__
#define THIS_MACHINE AUDIT_ARCH_X86_64
#else
#define THIS_MACHINE AUDIT_ARCH_AARCH64
#endif

/// Calls that fail: programs, sockets, other processes and what is shared with them, names and properties
/// of files, and what root may do to the machine.
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
    SYS_socketpair,
    SYS_shmat,
    SYS_shmctl,
    SYS_semget,
    SYS_semop,
    SYS_semtimedop,
    SYS_semctl,
    SYS_msgget,
    SYS_msgsnd,
    SYS_msgrcv,
    SYS_msgctl,
    SYS_sched_setparam,
    SYS_sched_setattr,
    SYS_ioprio_set,
    SYS_migrate_pages,
    SYS_move_pages,
    SYS_fanotify_init,
    SYS_syslog,
    SYS_quotactl,
    SYS_kexec_load,
    SYS_setdomainname,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_vhangup,
    SYS_setuid, // who changes takes itself out of the signal at its parent's end
    SYS_setgid,
    SYS_setreuid,
    SYS_setregid,
    SYS_setresuid,
    SYS_setresgid,
    SYS_setfsuid,
    SYS_setfsgid,
    SYS_setgroups,
    SYS_capset,
    // Those from 424 on have one number on all machines, and are ruled out also where the headers are older than the kernel.
    424, // pidfd_send_signal
    428, // open_tree
    429, // move_mount
    430, // fsopen
    431, // fsconfig
    432, // fsmount
    433, // fspick
    438, // pidfd_getfd
    440, // process_madvise
    442, // mount_setattr
    443, // quotactl_fd
    452, // fchmodat2
#ifdef SYS_renameat
    SYS_renameat,
#endif
#ifdef SYS_kexec_file_load
    SYS_kexec_file_load,
#endif
#ifdef __x86_64__
    SYS_iopl,
    SYS_ioperm,
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

/// What becomes of a call.
typedef enum Verdict {
  PASSES,
  REFUSED,
  WITH_READING_FLAGS, ///< passes where its argument says that a file is opened to be read
  WITH_VALUE,         ///< passes with that argument only
  WITH_BIT,           ///< passes where it is set
  WITH_LISTED,        ///< passes with an argument of the list only
  WITHOUT_LISTED,     ///< passes with any other
  UNKNOWN,            ///< as if the kernel had no such call: its flags are out of sight
} Verdict;

typedef struct Rule {
  unsigned number; ///< of the call
  Verdict verdict;
  unsigned argument, value;
  const unsigned *listed; ///< `value` of them
} Rule;

/// What is asked of a file: whether it is a terminal and how wide, and how much can be read. The rest types into terminals,
/// changes what a file is, or names who gets signals.
static const unsigned questions[] = {
    TCGETS, 0x802c542a /* TCGETS2 */, TIOCGWINSZ, FIONREAD, FIOCLEX, FIONCLEX};
/// Who gets signals of a file, and which; and what makes others wait who open it.
static const unsigned of_others[] = {F_SETOWN, F_SETOWN_EX, F_SETSIG, F_SETLEASE, F_NOTIFY};
/// What would keep the process when its parent has ended.
static const unsigned of_the_end[] = {PR_SET_PDEATHSIG};
enum {
  QUESTIONS = sizeof questions / sizeof *questions,
  OF_OTHERS = sizeof of_others / sizeof *of_others,
  OF_THE_END = sizeof of_the_end / sizeof *of_the_end,
  NEWEST = 462, ///< calls that the list was made for; libraries do without those behind it
};

static const Rule special[] = {
#ifdef SYS_open
    {SYS_open, WITH_READING_FLAGS, 1, 0, NULL},
#endif
    {437, UNKNOWN, 0, 0, NULL}, // openat2
    {435, UNKNOWN, 0, 0, NULL}, // clone3; clone stands in for it
    {SYS_openat, WITH_READING_FLAGS, 2, 0, NULL},
    {SYS_tgkill, WITH_VALUE, 0, 0, NULL},            // abort() ends this process
    {SYS_prlimit64, WITH_VALUE, 0, 0, NULL},         // its own limits
    {SYS_sched_setaffinity, WITH_VALUE, 0, 0, NULL}, // its own cores
    {SYS_clone, WITH_BIT, 0, CLONE_THREAD,
     NULL}, // threads: the time of processes is not limited together
    {SYS_ioctl, WITH_LISTED, 1, QUESTIONS, questions},
    {SYS_fcntl, WITHOUT_LISTED, 1, OF_OTHERS, of_others},
    {SYS_prctl, WITHOUT_LISTED, 0, OF_THE_END, of_the_end},
};

enum {
  RULES = REFUSED_COUNT + sizeof special / sizeof *special,
  RANGES = 2 * RULES + 1,                                      ///< of numbers, each with one rule
  ROOM = 3 * RANGES + QUESTIONS + OF_OTHERS + OF_THE_END + 64, ///< instructions
};
_Static_assert(ROOM < BPF_MAXINSNS, "the kernel takes the program");

/// Where a comparison goes on: at an instruction, or with a verdict, which stands at the end.
enum { PASS = -1, NO = -2, NO_SUCH_CALL = -3, VERDICTS = 3, NEAR = 255 };

struct RlxCallFilter {
  struct sock_filter code[ROOM];
  int yes[ROOM], no[ROOM]; ///< of a comparison
  int count;               ///< 0: the list grew beyond what jumps reach
  int own;                 ///< the instruction that compares with the process's own number
};

static int by_number(const void *a, const void *b) {
  const Rule *x = a, *y = b;
  return x->number < y->number ? -1 : x->number > y->number;
}

/// The rules as ranges of numbers, without gaps and ascending; each begins with its `number`.
static size_t ranges_of_rules(Rule *out) {
  Rule rules[RULES];
  size_t count = 0, n = 0;
  unsigned next = 0;
  for (size_t i = 0; i < REFUSED_COUNT; i++)
    rules[count++] = (Rule){refused[i], REFUSED, 0, 0, NULL};
  for (size_t i = 0; i < sizeof special / sizeof *special; i++) rules[count++] = special[i];
  qsort(rules, count, sizeof *rules, by_number);
  for (size_t i = 0; i < count; i++) {
    if (rules[i].number > next) out[n++] = (Rule){next, PASSES, 0, 0, NULL};
    const bool is_same = n && rules[i].verdict == REFUSED && out[n - 1].verdict == REFUSED;
    if (!is_same) out[n++] = rules[i];
    next = rules[i].number + 1;
  }
  out[n++] = (Rule){next, PASSES, 0, 0, NULL};
  out[n++] = (Rule){NEWEST + 1, UNKNOWN, 0, 0, NULL};
  return n;
}

static void put_load(RlxCallFilter *f, size_t at) {
  f->code[f->count++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)at);
}

/// Puts a comparison; `yes` and `no` as RlxCallFilter has them.
static void put_test(RlxCallFilter *f, unsigned how, unsigned value, int yes, int no) {
  f->yes[f->count] = yes;
  f->no[f->count] = no;
  f->code[f->count++] = (struct sock_filter)BPF_STMT(BPF_JMP | how | BPF_K, value);
}

/// Puts what a rule asks; gives where to go on for a call that it is about.
static int put_rule(RlxCallFilter *f, const Rule *rule) {
  enum { WRITES = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC };
  const int at = f->count;
  if (rule->verdict == PASSES) return PASS;
  if (rule->verdict == REFUSED) return NO;
  if (rule->verdict == UNKNOWN) return NO_SUCH_CALL;
  put_load(f, offsetof(struct seccomp_data, args) + 8 * rule->argument);
  if (rule->verdict == WITH_READING_FLAGS) put_test(f, BPF_JSET, WRITES, NO, PASS);
  if (rule->verdict == WITH_BIT) put_test(f, BPF_JSET, rule->value, PASS, NO);
  if (rule->verdict == WITH_VALUE) {
    if (rule->number == SYS_tgkill) f->own = f->count;
    put_test(f, BPF_JEQ, rule->value, PASS, NO);
  }
  const bool listed = rule->verdict == WITH_LISTED;
  for (unsigned i = 0; rule->listed && i < rule->value; i++)
    put_test(f, BPF_JEQ, rule->listed[i], listed ? PASS : NO,
             i + 1 < rule->value ? f->count + 1
             : listed            ? NO
                                 : PASS);
  return at;
}

/// A tree of comparisons: where a child starts, the kernel tries the program for every call that there
/// is, so the way to each verdict is short. Gives where to go on for a call in one of the ranges.
static int put_ranges(RlxCallFilter *f, const Rule *ranges, size_t count) {
  if (count == 1) return put_rule(f, ranges);
  const size_t half = count / 2;
  const int at = f->count;
  put_test(f, BPF_JGE, ranges[half].number, 0, 0);
  f->no[at] = put_ranges(f, ranges, half);
  f->yes[at] = put_ranges(f, ranges + half, count - half);
  return at;
}

RlxCallFilter *rlx_call_filter_new(void) {
  static const unsigned verdicts[VERDICTS] = {SECCOMP_RET_ALLOW, SECCOMP_RET_ERRNO | EPERM,
                                              SECCOMP_RET_ERRNO | ENOSYS}; // from PASS on
  RlxCallFilter *f = rlx_mem_zeroed(1, sizeof *f);
  Rule ranges[RANGES];
  const size_t count = ranges_of_rules(ranges);
  put_load(f, offsetof(struct seccomp_data, arch));
  put_test(f, BPF_JEQ, THIS_MACHINE, f->count + 1, NO);
  put_load(f, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
  put_test(f, BPF_JGE, 0x40000000u, NO, f->count + 1); // the numbers of x32
#endif
  put_ranges(f, ranges, count);
  const int end = f->count;
  for (int i = 0; i < VERDICTS; i++)
    f->code[f->count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, verdicts[i]);
  for (int i = 0; i < end; i++) {
    if (BPF_CLASS(f->code[i].code) != BPF_JMP) continue;
    const int yes = (f->yes[i] < 0 ? end + PASS - f->yes[i] : f->yes[i]) - i - 1,
              no = (f->no[i] < 0 ? end + PASS - f->no[i] : f->no[i]) - i - 1;
    if (yes > NEAR || no > NEAR) return f->count = 0, f;
    f->code[i].jt = (unsigned char)yes;
    f->code[i].jf = (unsigned char)no;
  }
  return f;
}

static void filter_calls(const RlxCallFilter *f) {
  struct sock_filter code[ROOM];
  if (!f->count) _exit(1);
  memcpy(code, f->code, (size_t)f->count * sizeof *code);
  code[f->own].k = (unsigned)getpid();
  struct sock_fprog program = {(unsigned short)f->count, code};
  if (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
struct RlxCallFilter {
  int count;
};

RlxCallFilter *rlx_call_filter_new(void) { return rlx_mem_zeroed(1, sizeof(RlxCallFilter)); }

static void filter_calls(const RlxCallFilter *f) { (void)f; }
#endif

void rlx_call_filter_free(RlxCallFilter *filter) { free(filter); }

#ifdef __linux__
/// What root's worker may do beyond what any user's may. Where limits hold, it may not raise them, and neither may a program
/// that it starts; where it computes only, it may read what root can read, and that is all.
static void drop_capabilities(bool has_limits, bool no_system) {
  const uint64_t raising = UINT64_C(1) << CAP_SYS_RESOURCE,
                 reading = UINT64_C(1) << CAP_DAC_OVERRIDE | UINT64_C(1) << CAP_DAC_READ_SEARCH,
                 kept = (no_system ? reading : UINT64_MAX) & (has_limits ? ~raising : UINT64_MAX);
  struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
  if (kept == UINT64_MAX || syscall(SYS_capget, &head, data)) return;
  uint64_t has = 0;
  for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) has |= (uint64_t)data[i].permitted << 32 * i;
  if (!(has & ~kept)) return; // most users'
  // The bounding set first, for that takes one of them: what is not in it, no program gets.
  for (unsigned i = 0; i < 64; i++)
    if (!(kept >> i & 1) && prctl(PR_CAPBSET_DROP, i, 0, 0, 0) &&
        errno == EPERM) // EINVAL: there are not so many
      prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  for (int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
    const uint32_t mask = (uint32_t)(kept >> 32 * i);
    data[i].effective &= mask;
    data[i].permitted &= mask;
    data[i].inheritable &= mask;
  }
  if (syscall(SYS_capset, &head, data)) _exit(1); // fewer are always granted
}
#endif

void rlx_confine(const RlxConfinement *limits, const RlxCallFilter *filter, pid_t parent) {
  setpgid(0, 0);
#ifdef __linux__
  prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  if (getppid() != parent) _exit(1);
  if (limits->cpu_seconds > 0) limit(RLIMIT_CPU, limits->cpu_seconds, GRACE_SECONDS);
  int64_t used = address_space();
  if (limits->memory_bytes > 0 && used > 0) limit(RLIMIT_AS, used + limits->memory_bytes, 0);
#ifdef __linux__
  drop_capabilities(limits->cpu_seconds > 0 || limits->memory_bytes > 0, limits->no_system);
#endif
  if (limits->no_system) filter_calls(filter);
}
