/// Dialects of TVMScript: which one an island is written in, the spellings that differ between
/// them, rewriting one into another. Always true: recognition looks at the text alone, statement by
/// statement, and remembers what it saw in the statement; a spelling of another dialect is analysed
/// as meant, and reported once (dialect-spelling, dialect-absent).
#ifndef RLX_ANALYZER_DIALECT_H
#define RLX_ANALYZER_DIALECT_H

#include "analyzer/struct_info/sinfo.h"
#include "analyzer/symbolic/store.h"
#include "analyzer/syntax/ast.h"
#include "analyzer/syntax/span.h"
#include "base/buf.h"
#include <stdbool.h>
#include <stdint.h>

typedef struct RlxStmt RlxStmt;

typedef enum RlxDialect {
  RLX_DIALECT_CLASSIC, ///< 0.12 to 0.23: `T.block`, `from tvm.script import tir as T`
  RLX_DIALECT_025,     ///< 0.24, 0.25: `T.sblock`, tirx
  RLX_DIALECT_027,     ///< 0.26 on: `out_ty`, `R.Any`, TypeVar
  RLX_DIALECT_TLC,     ///< tlc-pack's Relax of 2021 to early 2023 and its design documents:
                       ///< `R.Tensor[(n, m), "f32"]`, `R.match_shape`, bare siblings
  RLX_DIALECT_COUNT,
} RlxDialect;

typedef enum RlxSpellingId {
#define RLX_DIALECT_ROW(id, kind, weight, tlc, classic, v025, v027, meaning) RLX_SPELLING_##id,
#include "analyzer/words/dialects.def"
#undef RLX_DIALECT_ROW
  RLX_SPELLING_COUNT
} RlxSpellingId;

/// What a statement says of the year that it was written in, beside its votes.
enum RlxSpellingMarks {
  RLX_SPELLING_OLD = 1,    ///< `R.match_shape`, outputs by shape and dtype, `type_args=`
  RLX_SPELLING_EARLY = 2,  ///< what early 2023 still had: `R.call_tir("f", …)`, `R.call_tir(f, …)`
                           ///< of a sibling, `T.var("int64")`
  RLX_SPELLING_CALL = 8,   ///< a call of a bare name: a sibling's in early 2023
  RLX_SPELLING_LATER = 4,  ///< what came with purity: `cls.f`, `pure=`, `R.call_dps_packed`
  RLX_SPELLING_NAMED = 16, ///< `from tvm.script.relax import Tensor`: a bare word is no sign of age
};

/// Whether the dtype is spelled as until 0.19: "e4m3_float8", "e5m2_float8x4".
bool rlx_spelling_is_old_float8(const char *text);

typedef enum RlxSpellingKind {
  RLX_SPELLING_PATH,    ///< an attribute chain with root R, T or I; its last name differs
  RLX_SPELLING_KEYWORD, ///< the keyword of an argument of an R call
  RLX_SPELLING_FORM,    ///< a form that code recognises; the cells are for readers
} RlxSpellingKind;

typedef struct RlxSpellingRow {
  const char *id;
  RlxSpellingKind kind;
  uint8_t weight;                       ///< as evidence when only one dialect has it
  const char *cells[RLX_DIALECT_COUNT]; ///< spellings, blank separated (FORM: one); the first is
                                        ///< preferred; "": not there
  const char *meaning;
} RlxSpellingRow;

/// The row of dialects.def; constant data.
const RlxSpellingRow *rlx_spelling_row(RlxSpellingId id);
/// How an annotation is written that TVM is to read in a script of `dialect`: from 0.26 on R.Prim has
/// no value. In a call (`ty_args=`) it is an argument, too: set `is_argument`.
RlxSInfoStyle rlx_dialect_sinfo_style(RlxDialect dialect);
const char *rlx_dialect_name(RlxDialect dialect); ///< "classic", "0.25", "0.27", "tlc-pack"
/// By name, or a release ("0.19", "0.26"); NULL and "auto" are no dialect.
bool rlx_dialect_parse(const char *text, RlxDialect *out);
/// The dialects, as bits 1 << RlxDialect, that have the word `path` ("T.sblock"); 0 when no row
/// speaks of it.
unsigned rlx_spelling_dialects(const char *path);

/// The attribute chain `ast` as a path from the root that its first name stands for by custom
/// ("R.nn.matmul" of `relax.nn.matmul`), at most `capacity` bytes. False when that name stands for
/// none, or the chain is too long. `out_head`, unless NULL, is set to the first name.
bool rlx_spelling_path(const RlxStore *store, const RlxAst *ast, char *out, size_t capacity,
                       const char **out_head);

/// The page about dialects, Markdown, from the rows.
void rlx_dialect_document(RlxBuf *out);

#endif
