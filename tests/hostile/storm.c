/// Preloaded (LD_PRELOAD), it sends a program a signal every 100 microseconds, whose handler does nothing: each call of the
/// system that can be interrupted is, again and again.
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/time.h>

static void ignore(int number) { (void)number; }

__attribute__((constructor)) static void start(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = ignore; // no SA_RESTART
  sigaction(SIGALRM, &action, 0);
  struct itimerval often = {{0, 100}, {0, 100}};
  setitimer(ITIMER_REAL, &often, 0);
}
