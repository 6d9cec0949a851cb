/// Edits that a normal form makes, all or one alone, and what they are made of: temporaries of a
/// statement, bindings that are inlined. What normalization, reports and refactorings share.
#ifndef RLX_ANALYZER_NORMALIZE_EDITS_H
#define RLX_ANALYZER_NORMALIZE_EDITS_H

#include "analyzer/diag/file_diag.h"
#include "analyzer/rewrite/normalize.h"
#include "analyzer/syntax/stmt_text.h"

typedef Vec(RlxEdit) RlxTextEdits; ///< absolute spans; texts live in an arena

/// The temporaries of one statement that a normal form binds; their spans nest or are disjoint.
typedef struct RlxTemporaries {
  const RlxStmt *stmt;
  RlxBinding **at; ///< in evaluation order
  uint32_t count;
  uint32_t *by_start; ///< their numbers by where they start, of those that start together the
                      ///< longest first
  uint32_t effects;   ///< how many do more than give a value
  const RlxTemporaryNames *judged; ///< names under which `can_bind` was found, or NULL
  bool can_bind;
} RlxTemporaries;

/// Whether something is wrong in a list or a dictionary that a name holds: bound to variables, its calls were part of the
/// program, where nothing may read them today.
bool rlx_is_wrong_list(const RlxStmt *stmt);
/// In `arena`. `t_anf`: tuple accesses stay where they are.
RlxTemporaries rlx_temporaries(RlxFile *file, const RlxStmt *stmt, bool t_anf, RlxArena *arena);
/// The number of the temporary with this span; `count` when there is none.
uint32_t rlx_temporaries_find(const RlxTemporaries *t, RlxSpan span);

/// Edits that bind the nested calls of a suite, those of inner suites included.
void rlx_bind_edits(RlxFile *file, const RlxBlock *block, const RlxTemporaryNames *names,
                    bool t_anf, RlxArena *arena, RlxTextEdits *out);
/// Edits that bind number `index` of a statement's temporaries alone, in the order of the text.
/// False: that would change the order of effects, or can't be.
bool rlx_bind_one(RlxFile *file, RlxTemporaries *t, uint32_t index, const RlxTemporaryNames *names,
                  RlxArena *arena, RlxTextEdits *out);

/// Edits that write the fields of tuple variables where the operator's row says that normal form
/// does (op_table.h): one a variable. `inlined`: also where the row asks for a tuple in the call
/// (`args` of R.call_tir), which is an error of its own.
void rlx_expand_edits(RlxFile *file, const RlxStmt *stmt, bool inlined, RlxArena *arena,
                      RlxTextEdits *out);

/// A binding that t-anf does not have, with the edits that inline it alone.
typedef struct RlxInlined {
  const RlxBinding *binding;
  const RlxStmt *stmt;
  RlxTextEdits edits;
  bool is_alias; ///< of a variable, constant or function, not a tuple, tuple access or shape
  bool is_cast; ///< its annotation says something else than its value: `edits` make it a match_cast
  bool can_apply; ///< `edits` are whole
} RlxInlined;
typedef Vec(RlxInlined) RlxInlinedList;
/// Whether a name of the function `def` is reported as not defined, so that uses of others may be
/// unknown.
bool rlx_misses_names(const RlxStmt *def);
/// Whether a binding gives a name to something that t-anf writes where it is used.
bool rlx_inline_is_value(const RlxBinding *b);
/// All of a function's, in source order; `edits` of each are for it alone.
void rlx_inline_list(RlxFile *file, const RlxStmt *def, RlxArena *arena, RlxInlinedList *out);
void rlx_inline_list_free(RlxInlinedList *list);
/// Edits that inline all of them at once (t-anf), or what canonical bindings do without.
void rlx_inline_edits(RlxFile *file, const RlxStmt *def, const RlxNormalize *how, RlxArena *arena,
                      RlxTextEdits *out);

/// The bytes that go when a statement goes, the head alone of one with a suite: its line, or what
/// lies between it and its neighbour in the line.
RlxEdit rlx_removal(const char *text, const RlxStmt *stmt);
/// Edits that put the statements of a dataflow block where the block stands, without R.output.
/// False: they don't stand in lines of their own.
bool rlx_unwrap_edits(RlxFile *file, const RlxStmt *def, const RlxStmt *with, RlxArena *arena,
                      RlxTextEdits *out);
/// The island that `stmt` stands in, or is; NULL outside.
const RlxStmt *rlx_island_of(const RlxStmt *stmt);

/// Whether `text` is one call, subscript or name from its first to its last byte, so that it may go
/// over lines as it is.
bool rlx_is_enclosed(const char *text, size_t size);
bool rlx_has_long_string(const char *text, RlxSpan span); ///< one in three quotes starts there

#endif
