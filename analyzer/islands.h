/// Where TVMScript is in a Python file: modules and functions by their decorators, in any spelling, nested anywhere.
/// Purely syntactic: nothing is analysed.
#ifndef RLX_ANALYZER_ISLANDS_H
#define RLX_ANALYZER_ISLANDS_H

#include "analyzer/analyzer.h"
#include "analyzer/document.h"
#include "base/vec.h"

typedef struct RlxIsland {
  uint8_t kind;        ///< RlxIslandKind; of a module 0
  bool is_module;      ///< a class
  RlxStmt *stmt;       ///< the class or def
  RlxStmt *module;     ///< of a function: the module class that it stands directly in, or NULL
} RlxIsland;

typedef Vec(RlxIsland) RlxIslands;

/// Appends the islands in source order to `out`. Names in decorators are followed through the imports and simple
/// assignments of the file; a name that nothing defines counts by its custom (R, relax, T, tir, tirx, I, rx, Tx).
void rlx_islands(const RlxDocument *doc, RlxIslands *out);

#endif
