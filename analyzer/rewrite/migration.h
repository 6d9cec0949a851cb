/// From one dialect of TVMScript to another.
#ifndef RLX_ANALYZER_MIGRATE_H
#define RLX_ANALYZER_MIGRATE_H

#include "analyzer/diag/file_diag.h"
#include "analyzer/state/file.h"
#include "analyzer/words/dialect.h"

typedef struct RlxMigration {
  uint32_t changed; ///< spellings rewritten
  uint32_t left;    ///< spellings that `to` has nothing for
} RlxMigration;

/// Appends the file's text with its islands in dialect `to` (not TLC), and the rest byte for byte.
/// `only` limits it to the outermost island around that offset (UINT32_MAX: all). What is written
/// already as `to` wants it stays.
RlxMigration rlx_file_migrate(RlxFile *file, RlxDialect to, uint32_t only, RlxBuf *out);
/// Whether that would rewrite anything.
bool rlx_file_migrates(RlxFile *file, RlxDialect to, uint32_t only);
/// Reports the spellings that the dialects of their islands do not have, in the file's sink.
void rlx_file_dialect_diags(RlxFile *file, RlxFileDiags *out);

#endif
