/// Command lines: a table of long options, read in one call.
///
///     bool diff = false;
///     int format = 0;
///     static const char *const formats[] = {"text", "json", NULL};
///     const RlxOption options[] = {
///         rlx_option_flag("diff", &diff, "show a diff"),
///         rlx_option_choice("format", &format, "FORMAT", formats, "how to print"),
///     };
///     RlxUsage usage = {"check", "[PATH…]", "Reports …", options, 2};
///     RlxArgs args = {0};
///     int code = RLX_EXIT_OK;
///     if (!rlx_options_parse(&usage, argc, argv, &args, &code)) {
///       rlx_args_free(&args);
///       return code;
///     }
///
/// Always true: `--name=value` and `--name value` mean the same; `--` ends the options; "-" is an
/// argument; `--help` is there without a row; errors go to standard error with the nearest known
/// name. When an option that is not a list comes twice, the last one holds.
#ifndef RLX_CLI_OPTIONS_H
#define RLX_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nearest.h"
#include "base/vec.h"

typedef enum RlxOptionKind {
  RLX_OPTION_FLAG,     // target bool *: set to true
  RLX_OPTION_TEXT,     // target const char **: points into argv
  RLX_OPTION_INT,      // target int64_t *
  RLX_OPTION_FLAG_INT, // target int64_t *: `--name` alone sets 0, `--name=N` sets N
  RLX_OPTION_CHOICE,   // target int *: index into choices
  RLX_OPTION_LIST,     // target RlxArgs *: appended, points into argv
} RlxOptionKind;

typedef Vec(char *) RlxArgs; // the texts belong to argv

typedef struct RlxOption {
  const char *name; // without the dashes
  RlxOptionKind kind;
  void *target;
  const char *value;          // what the help calls the value: "FILE"
  const char *help;           // one line
  const char *const *choices; // CHOICE: ends with NULL
  int64_t min, max;           // INT: both 0 means no bounds
} RlxOption;

// A row each: the option's name, what it sets, what the help calls its value, and the help.
static inline RlxOption rlx_option_flag(const char *name, bool *target, const char *help) {
  return (RlxOption){name, RLX_OPTION_FLAG, target, NULL, help, NULL, 0, 0};
}
static inline RlxOption rlx_option_text(const char *name, const char **target, const char *value,
                                        const char *help) {
  return (RlxOption){name, RLX_OPTION_TEXT, target, value, help, NULL, 0, 0};
}
static inline RlxOption rlx_option_list(const char *name, RlxArgs *target, const char *value,
                                        const char *help) {
  return (RlxOption){name, RLX_OPTION_LIST, target, value, help, NULL, 0, 0};
}
static inline RlxOption rlx_option_int(const char *name, int64_t *target, const char *value,
                                       int64_t min, int64_t max, const char *help) {
  return (RlxOption){name, RLX_OPTION_INT, target, value, help, NULL, min, max};
}
static inline RlxOption rlx_option_flag_int(const char *name, int64_t *target, const char *value,
                                            int64_t min, int64_t max, const char *help) {
  return (RlxOption){name, RLX_OPTION_FLAG_INT, target, value, help, NULL, min, max};
}
static inline RlxOption rlx_option_choice(const char *name, int *target, const char *value,
                                          const char *const *choices, const char *help) {
  return (RlxOption){name, RLX_OPTION_CHOICE, target, value, help, choices, 0, 0};
}

typedef struct RlxUsage {
  const char *command;
  const char *arguments; // "[PATH…]"
  const char *about;     // some sentences; line ends are kept
  const RlxOption *options;
  size_t options_count;
} RlxUsage;

/// Reads argv[1…] into the options' targets and `args`. False when the command is over: --help was
/// shown or an error reported; `out_code` is then the exit code. Free `args` in either case.
bool rlx_options_parse(const RlxUsage *usage, int argc, char **argv, RlxArgs *args, int *out_code);

/// Frees what parsing the options made.
void rlx_args_free(RlxArgs *args);

/// Reports "rlx COMMAND: …" and where the help is to standard error. Always RLX_EXIT_USAGE.
int rlx_usage_error(const RlxUsage *usage, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
