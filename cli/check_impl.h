/// What the files of `rlx check` share: the state of a run, and the ways to write findings down.
#ifndef RLX_CLI_CHECK_IMPL_H
#define RLX_CLI_CHECK_IMPL_H

#include "base/error.h"
#include "base/map.h"
#include "cli/inputs.h"
#include "cli/report.h"
#include "config/config.h"
#include "server/session/script_json.h"

typedef struct RlxCheckFormat RlxCheckFormat;

/// What kept the tool from its work: a file that can't be read, a configuration that is wrong.
typedef struct RlxFault {
  char *text;   ///< owned
  bool of_file; ///< it concerns a file that is reported
} RlxFault;

typedef struct RlxCheck {
  const char *path;      ///< of the file, as reported
  const char *text;      ///< its content
  const RlxLines *lines; ///< of it
  const RlxCheckFormat *format;
  RlxJson json; ///< its buffer is written out at the end of each file
  bool color;
  int least;        ///< severities above this number are not shown as text
  RlxPolicy policy; ///< of the file
  int fail_on;      ///< severities up to this number fail the run
  bool failed;
  uint32_t files; ///< begun so far, with `unread`: those that could not be read
  uint32_t unread;
  uint64_t counts[5]; ///< by severity
  uint64_t fixable;   ///< shown, and with a safe fix
  uint64_t unsafe;    ///< shown, and with unsafe fixes only
  uint64_t by_code[RLX_DIAG_MAX];
  uint64_t known;     ///< findings that the baseline has
  uint64_t mark;      ///< the finding's fingerprint
  RlxMap marks;       ///< how often each came
  const char *hashed; ///< the line that `line_hash` is of; NULL: none
  uint64_t line_hash;
  RlxColumns *columns; ///< of the text
  bool holds;          ///< the format writes its head last: nothing is written out before the end
  bool case_failed;    ///< JUnit: the file has a failure
  uint32_t cases_failed;
  Vec(RlxFault) faults;    ///< standard error has them, too
  RlxUnread unread_inputs; ///< what was not read, and is no fault; there, too
  const char *fault;       ///< of the file, or NULL
} RlxCheck;

/// A way to write findings down. Everything goes to `c->json.out`; NULL: nothing to do there.
struct RlxCheckFormat {
  void (*begin)(RlxCheck *c);
  void (*file_begin)(RlxCheck *c);
  void (*finding)(RlxCheck *c, const RlxFinding *d);
  void (*file_end)(RlxCheck *c);
  void (*end)(RlxCheck *c);
};

extern const RlxCheckFormat rlx_check_text, rlx_check_concise, rlx_check_json, rlx_check_sarif,
    rlx_check_github, rlx_check_gitlab, rlx_check_junit;

// ---- check_finding.c: what all formats say of a finding

/// "", "error", "warning", "information", "hint" by RlxSeverity.
extern const char *const rlx_severity_names[];

/// A place as editors show it: line and column in the units of the JSON, both from 1.
typedef struct RlxPlace {
  uint32_t line, column;
} RlxPlace;
RlxPlace rlx_check_place(const RlxCheck *c, uint32_t offset);
void rlx_check_range(RlxCheck *c, RlxSpan span); ///< as JSON
/// The same for the same mistake wherever its line moves: of the code, the function, the message
/// and the line's text. Repeats in one file are numbered.
uint64_t rlx_check_mark(RlxCheck *c, const RlxFinding *d);

/// Whether a finding of this severity (of those that are reported) is one to fix: it is shown, and
/// not a nested call as long as no normal form is asked for.
bool rlx_check_is_fixed(RlxDiagId id, int severity, int least);

// ---- check_run.c: reading and analysing files on several threads

typedef struct RlxCheckJob { ///< a file: what is asked for, then what came out
  const char *path;
  const char *shown; ///< the path as reported
  const char *root;  ///< folder of the configuration, or NULL
  bool is_explicit;
  RlxSettings settings;
  const char *cache;    ///< folder, or NULL
  const RlxPolicy *fix; ///< apply the fixes of the findings that it lets through; NULL: none
  int least;            ///< and that are shown: severities up to this number
  bool takes_unsafe;    ///< unsafe fixes, too
  bool is_diff;         ///< fixes go to `after` and nowhere else
  bool is_stdin;        ///< there is no file to write
  /// The file is a trace of a schedule (check_schedule.c): of this script, and of its PrimFunc
  /// `function` or, when that is NULL, of all. NULL: it is a script itself.
  const char *script, *function;
  uint32_t
      looks; ///< of a trace: statements that its steps may look at, its part of those of all traces
  /// findings that are known, which are not to be fixed; or NULL
  const struct RlxBaseline *baseline;

  bool asks_modules; ///< what came out depends on other files, too
  bool done;
  bool failed;     ///< could not be read or written: `err`
  bool is_skipped; ///< found in a folder, and without TVMScript
  RlxError err;
  RlxBuf content;  ///< what `report` is about
  RlxBuf after;    ///< is_diff: it with the fixes
  uint32_t fixed;  ///< number of fixes
  RlxBuf left_out; ///< what RlxFixed says of those that were taken back
  RlxReport report;
} RlxCheckJob;
typedef Vec(RlxCheckJob) RlxCheckJobs;

/// Runs the jobs on `threads` threads (1: on this one) and hands each to `take`, on this thread and
/// in order; what a job came out with is freed afterwards. `has_progress`: long runs say on
/// standard error how far they are.
void rlx_check_run(RlxCheckJobs *jobs, int threads, bool has_progress,
                   void (*take)(RlxCheckJob *job, void *data), void *data);

// ---- check_schedule.c: traces that a configuration names beside scripts

/// Carries out the trace that the job is about; its report has the steps that are refused.
void rlx_check_schedule(RlxCheckJob *job);

// ---- check_baseline.c: findings that are known

typedef struct RlxBaseline RlxBaseline;
/// Reads `path`; an empty one when `is_new`. NULL: `err` says why.
RlxBaseline *rlx_baseline_open(const char *path, bool is_new, RlxError *err);
void rlx_baseline_free(RlxBaseline *baseline);
/// Whether the finding in the file is among the known ones, each of which counts once.
bool rlx_baseline_knows(RlxBaseline *baseline, const char *path, uint64_t mark);
/// The same, but they count as before; several threads may ask.
bool rlx_baseline_has(const RlxBaseline *baseline, const char *path, uint64_t mark);
void rlx_baseline_add(RlxBaseline *baseline, const char *path, uint64_t mark, const RlxFinding *d);
/// Notes that the file was looked at.
void rlx_baseline_saw(RlxBaseline *baseline, const char *path);
/// How many known ones of the files that were looked at did not come.
uint32_t rlx_baseline_stale(const RlxBaseline *baseline);
bool rlx_baseline_write(const RlxBaseline *baseline, RlxError *err);

// ---- check_watch.c

typedef struct RlxWatch RlxWatch;
/// Begins to watch for changes of files; NULL, and `err`, where the system can't.
RlxWatch *rlx_watch_new(RlxError *err);
/// Watches a folder from here on; whether it was not watched yet.
bool rlx_watch_folder(RlxWatch *watch, const char *folder);
/// Waits until a script or a configuration file changes in one of the folders, and until things are
/// quiet. False: `err`.
bool rlx_watch_wait(RlxWatch *watch, RlxError *err);
void rlx_watch_free(RlxWatch *watch);

#endif
