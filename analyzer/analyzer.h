/// The facade: a session of documents with their analysis; open, edit, close, and ask. No I/O, one
/// thread. It gathers what other folders need first of the rooms below; no room includes it.
#ifndef RLX_ANALYZER_ANALYZER_H
#define RLX_ANALYZER_ANALYZER_H

#include "analyzer/ask/assemble.h"    // IWYU pragma: export
#include "analyzer/ask/questions.h"   // IWYU pragma: export
#include "analyzer/diag/diag.h"       // IWYU pragma: export
#include "analyzer/diag/file_diag.h"  // IWYU pragma: export
#include "analyzer/function/files.h"  // IWYU pragma: export
#include "analyzer/report/report.h"   // IWYU pragma: export
#include "analyzer/state/file.h"      // IWYU pragma: export
#include "analyzer/struct_info/ir.h"  // IWYU pragma: export
#include "analyzer/syntax/document.h" // IWYU pragma: export
#include "analyzer/words/islands.h"   // IWYU pragma: export

#endif
