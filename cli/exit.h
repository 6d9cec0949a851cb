/// Exit codes of every command (spec 5).
#ifndef RLX_CLI_EXIT_H
#define RLX_CLI_EXIT_H

enum {
  RLX_EXIT_OK = 0,       // nothing wrong
  RLX_EXIT_FINDINGS = 1, // findings at or above --fail-on
  RLX_EXIT_USAGE = 2,    // usage or I/O error
  RLX_EXIT_INTERNAL = 3, // our own mistake, or no memory
};

#endif
