/// Normal forms as edits of the text (spec 2.2). What need not change stays byte for byte:
/// comments, blank lines, names.
///
///   anf        nested calls and tuple accesses get a name and a line of their own, in the order in
///              which they are evaluated
///   t-anf      calls get names; tuples, tuple accesses, shapes and second names for a value are
///              written where they are used, so that no two variables of a function hold the same
///              value (rlx_file_aliases finds none) as long as its calls give none of their
///              arguments; a match_cast and what a branch gives are the exceptions
///   canonical  as anf; besides, second names for a value and match_casts that say nothing new are
///              replaced by what they stand for, and a field of a tuple literal by the field
///
/// What violates a normal form is a diagnostic RLX05xx with a fix; these are made here, too.
#ifndef RLX_ANALYZER_NORMALIZE_H
#define RLX_ANALYZER_NORMALIZE_H
#include "analyzer/diag/diag.h"
#include "analyzer/state/file.h"
#include "analyzer/struct_info/ir.h"

typedef struct RlxNormalize {
  bool t_anf, canonical;
  /// def of the one function, or class of the one module, to change; NULL: all
  const RlxStmt *only;
} RlxNormalize;

/// Appends the file's text in normal form to `out`; false when it already is. Stays as it is: what
/// Python computes (calls in comprehensions, one text for many calls) and statements with errors.
bool rlx_file_normalize(RlxFile *file, const RlxNormalize *how, RlxBuf *out);

/// Appends the text of the function or module `how->only` alone, in normal form, whole lines.
void rlx_function_normalize(RlxFile *file, const RlxNormalize *how, RlxBuf *out);

/// The name that normalization gives a temporary of a function's statements: lv, lv1… in dataflow
/// blocks, gv, gv1… outside, without names that the function's text mentions.
typedef struct RlxTemporaryNames RlxTemporaryNames;
/// For the island around `stmt` (its def or any statement in it); NULL outside islands. The caller
/// frees it.
RlxTemporaryNames *rlx_temporary_names(RlxFile *file, const RlxStmt *stmt, bool t_anf);
/// Whether `names` (NULL is fine) are those of the island around `stmt`.
bool rlx_temporary_names_are_of(const RlxTemporaryNames *names, const RlxStmt *stmt);
/// NULL when `var` is no temporary that normalization binds.
const char *rlx_temporary_name(const RlxTemporaryNames *names, const RlxVar *var);
void rlx_temporary_names_free(RlxTemporaryNames *names); // NULL is fine

#endif
