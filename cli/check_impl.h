/// What the files of `rlx check` share: the state of a run, and the ways to write findings down.
#ifndef RLX_CLI_CHECK_IMPL_H
#define RLX_CLI_CHECK_IMPL_H

#include "base/map.h"
#include "config/config.h"
#include "server/script_json.h"

typedef struct RlxCheckFormat RlxCheckFormat;

typedef struct RlxCheck {
  RlxAnalyzer *analyzer;
  RlxStore *store;
  RlxFile *file;
  RlxDocument *document;
  const char *path;    ///< as reported
  const RlxCheckFormat *format;
  RlxJson json;        ///< its buffer is written out at the end of each file
  bool color;
  int least;           ///< severities above this number are not shown as text
  const RlxConfig *config; ///< of the file
  RlxPolicy policy;
  int fail_on;         ///< severities up to this number fail the run
  bool failed;
  uint32_t files;      ///< begun so far
  uint64_t counts[5];  ///< by severity
  uint64_t by_code[RLX_DIAG_COUNT];
  RlxMap fingerprints; ///< GitLab: how often each came
} RlxCheck;

/// A way to write findings down. Everything goes to `c->json.out`; NULL: nothing to do there.
struct RlxCheckFormat {
  void (*begin)(RlxCheck *c);
  void (*file_begin)(RlxCheck *c);
  void (*finding)(RlxCheck *c, const RlxFileDiag *d);
  void (*file_end)(RlxCheck *c);
  void (*end)(RlxCheck *c);
};

extern const RlxCheckFormat rlx_check_text, rlx_check_concise, rlx_check_json, rlx_check_sarif, rlx_check_github, rlx_check_gitlab, rlx_check_junit;

/// "", "error", "warning", "information", "hint" by RlxSeverity.
extern const char *const rlx_severity_names[];

/// A place as editors show it: line and column in the units of the JSON, both from 1.
typedef struct RlxPlace {
  uint32_t line, column;
} RlxPlace;
RlxPlace rlx_check_place(const RlxCheck *c, uint32_t offset);
/// Absolute span of a fix's edit.
RlxSpan rlx_check_span(const RlxFileDiag *d, RlxSpan span);

// ---- check_fix.c
typedef struct RlxFixed {
  RlxBuf text;      ///< with the fixes applied
  uint32_t applied; ///< how many were
} RlxFixed;
/// Applies the first fix of every diagnostic that `wants` (NULL: all), round by round, and keeps what leaves fewer
/// diagnostics and no new syntax error. `out` is empty before; free its text.
void rlx_check_fix(const char *text, uint32_t size, const RlxSettings *settings, bool (*wants)(const RlxFileDiag *d, void *data), void *data, RlxFixed *out);

#endif
