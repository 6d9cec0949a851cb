/// Applying the fixes of a text's findings, as `rlx check --fix` and the editor's fix-all do.
#ifndef RLX_ANALYZER_FIX_ALL_H
#define RLX_ANALYZER_FIX_ALL_H

#include "analyzer/diag/file_diag.h"
#include "analyzer/state/file.h"

/// What a finding is to those who ask for fixes.
typedef enum RlxFixWish {
  RLX_FIX_IGNORED, ///< may come and go: it is switched off, or a mere hint
  RLX_FIX_KEPT,    ///< is not to be fixed; no fix may add one
  RLX_FIX_WANTED   ///< is to be fixed; no fix may add one
} RlxFixWish;

typedef struct RlxFixing {
  const RlxSettings *settings;
  /// NULL: RLX_FIX_WANTED for all. `text`: what the finding stands in, some fixes applied already.
  RlxFixWish (*wish)(const RlxFileDiag *d, const char *text, void *data);
  void *data;
  bool takes_unsafe;             ///< apply unsafe fixes, too
  const RlxModuleReader *reader; ///< of the modules that the text imports, or NULL
} RlxFixing;

typedef struct RlxFixed {
  RlxBuf text;      ///< with the fixes applied
  uint32_t applied; ///< how many were
  RlxBuf left_out;  ///< a line "LINE:COLUMN: CODE: fix left out, …" for each that was taken back
  uint32_t left_count;
} RlxFixed;

/// Applies the first safe fix (else, if they are taken, the first unsafe one) of every finding that
/// is wanted, round by round. What is applied leaves a text that parses as well as before, with
/// fewer findings and none that was not there; a fix that would break this is taken back and named.
/// Running it on the result changes nothing. `out` is empty before; rlx_fixed_free frees it.
void rlx_fix_all(const char *text, uint32_t size, const RlxFixing *how, RlxFixed *out);
void rlx_fixed_free(RlxFixed *fixed);

#endif
