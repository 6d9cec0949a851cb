/// Names bound by Python around islands.
#ifndef RLX_ANALYZER_OUTER_H
#define RLX_ANALYZER_OUTER_H

#include "analyzer/state/file.h"
#include "analyzer/syntax/ast.h"
#include "analyzer/words/names.h"

// ---- outer_names.c
/// Collects anew which statements of the file bind names outside of islands.
void rlx_outer_build(RlxFile *file);
/// Forgets all such names and their values.
void rlx_outer_clear(RlxFile *file);
/// What bounds the values of Python's names has changed: each is evaluated when it is asked for again.
void rlx_outer_evaluate_again(RlxFile *file);
/// Index into `file->outer`, plus 1, of the last binding of `name` in the block; 0: none. The
/// others follow by `next`.
uint32_t rlx_outer_first(const RlxFile *file, const RlxBlock *scope, RlxName name);
/// The same of the first of `at` and those behind it that stands before `position`. Few are looked at, however many there are.
uint32_t rlx_outer_above(const RlxFile *file, uint32_t at, uint32_t position);
/// Whether the name is the module's own where `from` stands, bound by one statement, and its value is not changed in place.
bool rlx_outer_is_single(const RlxFile *file, const RlxStmt *from, RlxName name);
/// Adds a name to the changed ones; true when it was not among them.
bool rlx_outer_note_change(RlxFile *file, RlxName name);
/// Adds to the changed names those whose values were made of changed ones: of all, where `name` is 0, or where
/// that was never done in this round; else of `name`, which has just become one of them.
void rlx_outer_spread_changes(RlxFile *file, RlxName name);
/// Forgets what mentions what: the names outside, or what is changed, are others now.
void rlx_outer_forget_spread(RlxFile *file);
/// Adds the names that `stmt`, which comes or goes, binds outside of islands; unless `is_alone`, with
/// those that the statements in it bind. False: more may mean something else now than who reads these
/// names.
bool rlx_outer_note_names(RlxFile *file, RlxStmt *stmt, bool is_alone);
/// The same of one name alone.
bool rlx_outer_note_name(RlxFile *file, RlxName name);
/// The def that the name certainly stands for where `from` stands; NULL: it may be something else.
const RlxStmt *rlx_outer_def(const RlxFile *file, const RlxStmt *from, RlxName name);
/// Whether the names that a suite around `from` binds may be visible there: Python's functions and classes do not see the variables of a
/// class around them, of which a module's are read by TVM's parser, and `from __future__ import annotations` has it look for more.
bool rlx_outer_sees(RlxFile *file, const RlxStmt *from, const RlxBlock *block);
/// Calls `each` for every name visible from `from`.
void rlx_outer_each(RlxFile *file, const RlxStmt *from, void (*each)(RlxName name, void *data),
                    void *data);
/// Whether one of the names means something else outside of functions than at the last analysis.
bool rlx_outer_changed(const RlxFile *file, const RlxName *names, uint32_t count);

// ---- mutated.c
/// Notes the names whose values `stmt`, which stands outside of islands, may change in place.
void rlx_outer_note_mutated(RlxFile *file, const RlxStmt *stmt);
/// Adds the names whose values are changed under another name. Comes last.
void rlx_outer_spread_mutated(RlxFile *file);
/// The value of `name` without what is not sure since it is changed in place: elements of an array,
/// all of a list.
RlxValue rlx_outer_unmutated(RlxFile *file, RlxName name, RlxValue value);

// ---- outer.c
/// Value of `name` as seen from the statement `from` (its own block, then enclosing scopes). False:
/// nothing binds it.
bool rlx_outer_lookup(RlxFile *file, const RlxStmt *from, RlxName name, RlxValue *out);

// ---- imports.c
/// The constant that `path` ("config.N", ".sizes.width", relative to the file) names in a module of
/// the project, and where it is assigned. False: it is not known without running Python. The value
/// belongs to that module: copy it.
bool rlx_imported_value(RlxFile *file, const char *path, RlxValue *out, RlxImportOrigin *origin);
/// The same of a name that `from module import *` may bind.
bool rlx_imported_star(RlxFile *file, RlxName name, RlxValue *out, RlxImportOrigin *origin);
/// The value of a name that nothing in the file binds, where a `from module import *` may: unknown, unless
/// it is a constant of the project. False: there is no such import, or the name is TVMScript's or Python's.
bool rlx_outer_starred(RlxFile *file, RlxName name, RlxValue *out);
/// The value of a name as rlx_outer_lookup finds it, or else rlx_outer_starred.
bool rlx_outer_find(RlxFile *file, const RlxStmt *from, RlxName name, RlxValue *out);
/// The module that `file` (or one that was read for it) names `name`: "config", "..sizes". Read at
/// the first question; good until the next edit of any module. NULL: the project has none.
RlxFile *rlx_imported_module(RlxFile *file, const char *name);
/// Forgets the modules that were read for the file.
void rlx_imported_clear(RlxFile *file);

#endif
