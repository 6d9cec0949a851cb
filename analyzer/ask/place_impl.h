/// What place.c, place_facts.c and place_access.c share: the state of a walk through a PrimFunc
/// from its head to a place, in the order of execution.
#ifndef RLX_ANALYZER_PLACE_IMPL_H
#define RLX_ANALYZER_PLACE_IMPL_H

#include "analyzer/symbolic/prim.h"
#include "analyzer/syntax/ast.h"
#include "base/arena.h"
#include "base/map.h"
#include "base/vec.h"

typedef struct RlxPlaceFact {
  const RlxPrim *condition;
  const char *origin;
  bool is_buffer; ///< from a buffer or its accesses: left out when the other facts say it
} RlxPlaceFact;

typedef struct RlxPlaceBuffer {
  RlxName name;
  int ndim;
  const RlxPrim **dims; ///< NULL: a dimension that is not understood
} RlxPlaceBuffer;

typedef struct RlxPlaceValue { ///< name == value, for names that go out of scope
  const RlxSymVar *var;
  const RlxPrim *value;
} RlxPlaceValue;

typedef struct RlxPlace {
  const struct RlxFile *file;
  RlxStore *store;
  RlxArena *arena;  ///< of the asker
  const char *text; ///< of the document
  uint64_t scope;
  Vec(RlxPlaceFact) facts;
  Vec(RlxPlaceBuffer) buffers;
  Vec(RlxPlaceValue) values;
  RlxMap said;        ///< of the variables that something was said of, by address
  bool said_of_many;  ///< too many in one place to keep count: of any
  uint64_t looked_at; ///< what was known, summed over the names that got another meaning
} RlxPlace;

/// Notes that something is said of the variables of `prim` (NULL: of none).
void rlx_place_note(RlxPlace *p, const RlxPrim *prim);

// ---- place.c

/// The symbolic integer that `name` is in the function; an RlxPrimLookup over an RlxPlace.
const RlxPrim *rlx_place_name(RlxStore *store, RlxName name, void *place);
/// The symbolic integer that `ast` is, or NULL.
const RlxPrim *rlx_place_read(RlxPlace *p, const RlxAst *ast);
/// Adds a fact, unless it is known already or says nothing; of too many the later ones are left
/// out.
void rlx_place_assume(RlxPlace *p, const RlxPrim *condition, const char *origin, bool is_buffer);

/// The last part of a callee's name: "grid" of T.grid; "" when `call` is no call.
const char *rlx_place_head(const RlxPlace *p, const RlxAst *call);
/// Whether `word` is one of `words`, which end with NULL.
bool rlx_place_is_one_of(const char *word, const char *const *words);

// ---- place_access.c

/// `name` is a buffer from here on, when `maker` (T.Buffer(…), T.match_buffer(…),
/// T.alloc_buffer(…)) makes one; its dimensions are at least 0.
void rlx_place_declare(RlxPlace *p, RlxName name, const RlxAst *maker);
/// What the accesses say that the statement's own part surely executes: indices are within the
/// buffer.
void rlx_place_accesses(RlxPlace *p, const RlxStmt *stmt);

#endif
