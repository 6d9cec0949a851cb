/// The read-eval-print loop.
#ifndef RLX_REPL_REPL_H
#define RLX_REPL_REPL_H

#include <stdbool.h>

#include "analyzer/analyzer.h"
#include "analyzer/schedule/schedule.h"
#include "base/buf.h"
#include "base/error.h"
#include "jit/confine.h"

typedef struct RlxReplOptions {
  int threads;
  RlxSettings settings;
  bool no_history;   ///< nothing that is typed is kept, or read from earlier sessions
  bool watch;        ///< the last file is read again when it changes
  bool keep_going;   ///< piped input: go on after an error
  char *const *with; ///< files that extern functions come from (jit/supply.h)
  int with_count;
  /// Reads the script at `path` as all commands do, whatever its encoding; NULL: rlx_file_read.
  bool (*read)(const char *path, RlxBuf *out, RlxError *err);
  /// Hands `file`, which holds what was entered, a reader of the modules that the script at `path`
  /// imports; or NULL.
  void (*attach)(void *data, RlxFile *file, const char *path);
  void *attach_data;
  /// Traces of schedules as files have them, text or JSON: reads one (false: `err`, and the line or
  /// 0), writes the steps in force as JSON.
  bool (*read_trace)(RlxStore *store, const char *text, size_t size, RlxTrace *out,
                     uint32_t *out_line, RlxError *err);
  void (*write_trace)(const RlxSchedule *schedule, RlxBuf *out);
  const char *const *externs; ///< C functions that T.call_extern may call, beside the list
  int extern_count;
  RlxConfinement confinement; ///< what a worker gives up
  double limit_seconds;       ///< of one evaluation; 0: none
} RlxReplOptions;

/// Loads the files, then reads entries from standard input until its end or :quit. The exit code:
/// 0, 1 when piped input had an error, or 2 when a file cannot be read, or one of `with` not be used.
int rlx_repl_run(char *const *files, int file_count, const RlxReplOptions *options);

/// Appends the page of what numpy is at the prompt, as Markdown: from the tables by which it is computed.
void rlx_repl_numpy_document(RlxBuf *out);

#endif
