/// Reading TOML 1.0 into a tree, strictly: what the specification forbids is an error with its
/// place.
///
/// Always true: any bytes are legal input; values nest no deeper than RLX_TOML_DEPTH; offsets are
/// bytes of the text that was read; everything a tree points to lives in the arena it was read
/// into. Dates and times are checked for their form and kept as text.
#ifndef RLX_BASE_TOML_H
#define RLX_BASE_TOML_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/vec.h"

enum { RLX_TOML_DEPTH = 64, RLX_TOML_FAULTS_MAX = 100 };

/// The largest text that is read.
#define RLX_TOML_LIMIT_BYTES ((size_t)4 * 1024 * 1024)

typedef enum RlxTomlKind {
  RLX_TOML_STRING,
  RLX_TOML_INT,
  RLX_TOML_FLOAT,
  RLX_TOML_BOOL,
  RLX_TOML_DATE, // a date, a time, or both
  RLX_TOML_ARRAY,
  RLX_TOML_TABLE,
} RlxTomlKind;

typedef struct RlxToml RlxToml;

/// A value with its place. Tables keep the order of the text.
struct RlxToml {
  RlxTomlKind kind;
  uint32_t start, end;         // of the value; of a table's header or first key
  const char *key;             // inside a table, else NULL; NUL-terminated
  uint32_t key_start, key_end; // the key's part as written
  const char *text;            // STRING: unescaped, NUL-terminated; DATE: as written
  size_t text_size;
  int64_t integer;
  double number; // FLOAT
  bool boolean;
  RlxToml *first, *last, *next; // ARRAY and TABLE: what is inside; the neighbour
  uint32_t count;
  uint8_t how; // private: how a table was defined
};

/// What is wrong at a place of a text.
typedef struct RlxTomlFault {
  uint32_t at;
  const char *text; // NUL-terminated
} RlxTomlFault;
typedef Vec(RlxTomlFault) RlxTomlFaults;

/// Reads what can be read of a text: a line that is not TOML is left out, with what belongs to it
/// (the rest of a value, the lines below a header). Faults are added in the text's order; nothing
/// is read behind the RLX_TOML_FAULTS_MAX-th.
RlxToml *rlx_toml_read_most(const char *text, size_t size, RlxArena *arena, RlxTomlFaults *faults);

/// Reads a whole document. NULL, with the offset in `out_offset`, when it is not TOML.
RlxToml *rlx_toml_read(const char *text, size_t size, RlxArena *arena, uint32_t *out_offset,
                       RlxError *err);

/// The value of `key` in `table` (may be NULL); NULL when there is none.
const RlxToml *rlx_toml_get(const RlxToml *table, const char *key);

/// Whether two values say the same, wherever they stand; NULL: nothing.
bool rlx_toml_same(const RlxToml *a, const RlxToml *b);

/// "a string", "an integer" …
const char *rlx_toml_kind_name(RlxTomlKind kind);

#endif
