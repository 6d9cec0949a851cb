/// The findings in one file as data that needs no analysis any more: what formats print, the cache
/// keeps and threads hand over.
///
/// Always true: spans are absolute bytes of the text that was analysed; everything lives in the
/// report's arena.
#ifndef RLX_CLI_REPORT_H
#define RLX_CLI_REPORT_H

#include "analyzer/analyzer.h"

typedef struct RlxReportEdit {
  RlxSpan span;
  const char *text;
} RlxReportEdit;

typedef struct RlxReportFix {
  const char *title;
  RlxReportEdit *edits;
  uint32_t edit_count;
  bool is_safe; ///< as RlxFix has it
} RlxReportFix;

typedef struct RlxReportNote {
  RlxSpan span;
  const char *message;
} RlxReportNote;

typedef struct RlxFinding {
  RlxDiagId id;
  int severity; // RlxSeverity
  RlxSpan span;
  const char *message;
  const char *function; // that it is in, or NULL
  RlxReportNote *related;
  RlxReportFix *fixes;
  uint32_t related_count, fix_count;
} RlxFinding;

typedef struct RlxReport {
  RlxArena *arena; // NULL: no findings
  RlxFinding *at;
  uint32_t count;
} RlxReport;

/// Takes the findings out of an analysed file. `out` is empty before.
void rlx_report_make(RlxFile *file, const RlxStore *store, RlxReport *out);
void rlx_report_free(RlxReport *report);

/// Appends the report as bytes; what reads them back.
void rlx_report_write(const RlxReport *report, RlxBuf *out);
/// False, with an empty report, when the bytes are not what rlx_report_write made for a text of
/// `text_size` bytes.
bool rlx_report_read(const char *bytes, size_t size, uint32_t text_size, RlxReport *out);

#endif
