/// Where TVMScript is in a Python file: modules and functions by their decorators, in any spelling,
/// nested anywhere. Purely syntactic: nothing is analysed.
#ifndef RLX_ANALYZER_ISLANDS_H
#define RLX_ANALYZER_ISLANDS_H

#include "analyzer/syntax/document.h"
#include "base/map.h"
#include "base/vec.h"

typedef enum RlxIslandKind {
  RLX_ISLAND_RELAX,
  RLX_ISLAND_PRIM_FUNC,
  RLX_ISLAND_MACRO,
  RLX_ISLAND_PYFUNC,
  RLX_ISLAND_JIT
} RlxIslandKind;

typedef struct RlxIsland {
  uint8_t kind;    ///< RlxIslandKind; of a module 0
  bool is_module;  ///< a class
  bool is_plain;   ///< a def or class that is no island (rlx_islands_all only)
  bool is_local;   ///< stands inside a function island
  RlxStmt *stmt;   ///< the class or def
  RlxStmt *module; ///< of a function: the module class that it stands directly in, or NULL
} RlxIsland;

typedef Vec(RlxIsland) RlxIslands;

/// What the names in decorators stand for; zero is empty.
typedef struct RlxIslandNames {
  RlxStore *store;
  RlxMap paths;                 ///< RlxName to the RlxName of its dotted path
  struct RlxIslandBound *bound; ///< what blocks bind, while it is held; or NULL
} RlxIslandNames;

/// Reads the imports and simple assignments of the file, those in function islands left out.
void rlx_island_names_read(RlxIslandNames *names, const RlxDocument *doc);
void rlx_island_names_free(RlxIslandNames *names);
/// While many defs are asked about and no statement changes: what blocks bind is found once.
void rlx_island_names_hold(RlxIslandNames *names);
void rlx_island_names_let_go(RlxIslandNames *names);
/// Whether what the statement binds in its body counts for no decorator: a def that is an island, most likely. One whose decorator
/// is misspelt is an island that does not look like one.
bool rlx_island_hides_names(const RlxIslandNames *names, const RlxStmt *stmt);
/// Is `stmt` an island (a module when it is a class), and of which kind?
bool rlx_island_kind_of(const RlxIslandNames *names, const RlxStmt *stmt, RlxIslandKind *out);
/// What decorates, without its arguments: of `@R.function(private=True)` R.function. So it is of an expression with that value, `@(R.function or f)`,
/// as far as the text alone tells it; of another one the expression itself.
const RlxAst *rlx_decorator_function(const RlxAst *decorator);
/// Whether the decorator is what functools.partial gives of one of TVM's for functions, which TVM's parser does not know.
bool rlx_decorator_is_partial(const RlxIslandNames *names, const RlxAst *decorator);
/// Whether `@R.name` (or T., I.) makes an island; `root` is R, T or I.
bool rlx_island_word(char root, const char *name);
/// Appends every def and class in source order, islands or not.
void rlx_islands_all(RlxIslandNames *names, const RlxDocument *doc, RlxIslands *out);

/// Appends the islands in source order to `out`. Names in decorators are followed through the
/// imports and simple assignments of the file; a name that nothing defines counts by its custom (R,
/// relax, T, tir, tirx, I, rx, Tx).
void rlx_islands(const RlxDocument *doc, RlxIslands *out);

/// Whether the text may have islands: a look at its decorators, without parsing. False is certain
/// (`rlx_islands` gives nothing), true is not.
bool rlx_islands_possible(const char *text, size_t size);

#endif
