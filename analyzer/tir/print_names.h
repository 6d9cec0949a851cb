/// The names that a printer gives: two things in scope have two names, and both questions, what a thing
/// is called and whether a name is taken, are answered without a walk over the names in scope.
#ifndef RLX_ANALYZER_TIR_PRINT_NAMES_H
#define RLX_ANALYZER_TIR_PRINT_NAMES_H

#include "analyzer/tir/tir.h"
#include "base/map.h"
#include "base/vec.h"

typedef struct RlxPrintName {
  const void *key; ///< what is called so
  char *text;      ///< owned
  const char
      *outer; ///< what it is called in the scope around, where it has another name there; or NULL
} RlxPrintName;

/// Zeroed: no names.
typedef struct RlxPrintNames {
  Vec(RlxPrintName) list;  ///< in scope, innermost last
  RlxStrMap taken;         ///< text → how many are called so
  RlxStrMap tried;         ///< hint → the first number that may be free
  RlxMap texts;            ///< key → text, as last defined
  const RlxTirNames *also; ///< other names that are taken while it is set, or NULL
} RlxPrintNames;

/// Whether a name in scope, or one that TVM imports, is `text`.
bool rlx_print_names_has(const RlxPrintNames *names, const char *text);
/// Gives `key` the hint as its name, with a number where it is taken. Valid until the scope is left.
const char *rlx_print_names_define(RlxPrintNames *names, const void *key, const char *hint);
/// The same with just this text, taken or not.
void rlx_print_names_put(RlxPrintNames *names, const void *key, const char *text);
/// The name that `key` has; NULL: none.
const char *rlx_print_names_get(const RlxPrintNames *names, const void *key);
/// Forgets the names from number `mark` on, but those whose key `keeps` says to keep (NULL: none),
/// which were not named in a scope around.
void rlx_print_names_leave(RlxPrintNames *names, uint32_t mark,
                           bool (*keeps)(const void *key, const void *data), const void *data);
/// Forgets all, and gives the memory back.
void rlx_print_names_free(RlxPrintNames *names);

#endif
