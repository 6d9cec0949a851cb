/// Files that are mapped and cut short meanwhile. The kernel answers a look behind the new end with SIGBUS, which ends a
/// program that does not take it.
#define _DEFAULT_SOURCE
#include "jit/runtime/mapping_guard.h"

#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/// Puts a page of zeros where the file has none any more, so that the look goes on. Calls what a signal handler may.
static void on_missing_page(int number, siginfo_t *info, void *context) {
  static const char text[] = "rlx: a file whose tensors are in use was cut short: what is missing "
                             "reads as 0; load it again\n";
  (void)context;
  const uintptr_t size = (uintptr_t)sysconf(_SC_PAGESIZE);
  void *page = (void *)((uintptr_t)info->si_addr & ~(size - 1));
  if (info->si_code != BUS_ADRERR ||
      mmap(page, size, PROT_READ | PROT_WRITE, MAP_FIXED | MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) ==
          MAP_FAILED) {
    signal(number, SIG_DFL); // it happens again at once, and ends the process
    return;
  }
  if (write(STDERR_FILENO, text, sizeof text - 1) < 0) return; // there is nobody to tell
}

void rlx_mapping_guard_start(void) {
  struct sigaction action = {.sa_sigaction = on_missing_page, .sa_flags = SA_SIGINFO};
  sigaction(SIGBUS, &action, NULL);
}

void rlx_mapping_guard_stop(void) { signal(SIGBUS, SIG_DFL); }
