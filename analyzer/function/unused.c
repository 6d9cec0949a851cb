/// Bindings that nothing reads.
/// Always true: only a binding of a pure value to a plain name is reported. A name counts as used
/// when anything in the function reads it, annotations and local functions included, when it is
/// what a branch gives, and when it begins with `_`. A match_cast is never reported, because it is
/// a check at run time. Where something is broken or unknown nothing is reported: the use may be
/// there. An edit that changes no name looks at no other statement.
#include <string.h>

#include "analyzer/function/function.h"
#include "analyzer/state/state.h"
#include "analyzer/syntax/stmt_text.h"
#include "base/hash.h"

typedef struct Names {
  Vec(uint64_t) bits; ///< by RlxName
} Names;

static void note_name(Names *names, RlxName name) {
  while (names->bits.count <= name / 64) rlx_vec_push(&names->bits, 0);
  names->bits.at[name / 64] |= UINT64_C(1) << name % 64;
}

static bool has(const Names *names, RlxName name) {
  return name / 64 < names->bits.count && (names->bits.at[name / 64] >> name % 64 & 1) != 0;
}

/// Notes what a suite reads; false: something in it is not known.
static bool read_suite(Names *names, const RlxSuite *suite) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (!unit || unit->has_error || unit->is_tainted) return false;
    for (uint32_t k = 0; k < unit->read_count; k++) note_name(names, unit->reads[k].name);
    if (!read_suite(names, unit->body) || !read_suite(names, unit->orelse)) return false;
    if (unit->fn && !read_suite(names, unit->fn->body)) return false;
  }
  return true;
}

static void find(const Names *names, RlxFn *fn, const RlxSuite *suite) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    RlxAnalysis *unit = suite->units.at[i];
    const RlxBinding *b = rlx_plain_binding(unit);
    if (b && !has(names, b->var->name) && *rlx_store_text(fn->file->store, b->var->name) != '_' &&
        !rlx_is_branch_tail(unit->stmt)) {
      unit->is_unused = true;
      rlx_vec_push(&fn->unused, unit);
    }
    find(names, fn, unit->body);
    find(names, fn, unit->orelse);
    if (unit->fn) find(names, fn, unit->fn->body);
  }
}

void rlx_unused_find(RlxFn *fn) {
  bool is_said = fn->outer || rlx_stmt_is_garbled(fn->stmt);
  for (uint32_t i = 0; i < fn->end.diags.count; i++)
    is_said |=
        fn->end.diags.at[i]->id == RLX_DIAG_ID(DATAFLOW_NO_OUTPUT); // says it of the whole block
  uint64_t sum = rlx_hash_mix(fn->use_sum, is_said);
  if (sum == fn->unused_sum) return;
  rlx_use_marks_drop(fn);
  fn->unused_sum = sum;
  Names names = {0};
  if (!is_said && read_suite(&names, fn->body)) find(&names, fn, fn->body);
  rlx_vec_free(&names.bits);
}

void rlx_unused_diags(RlxFile *file, const RlxFn *fn, RlxFileDiags *out) {
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  for (uint32_t i = 0; i < fn->unused.count; i++) {
    const RlxAnalysis *unit = fn->unused.at[i];
    const RlxStmt *stmt = unit->stmt;
    const RlxVar *var = unit->bindings[unit->binding_count - 1]->var;
    const char *name = rlx_store_text(file->store, var->name);
    RlxDiag *diag =
        rlx_reportf(&file->diag_sink, RLX_DIAG_ID(UNUSED_BINDING), var->span, "s", name);
    RlxSpan lines;
    // Edits stand relative to the statement; those before it wrap around, as unsigned numbers do.
    if (stmt->block && stmt->block->count > 1 && rlx_own_lines(text, size, stmt, &lines))
      rlx_diag_fix(&file->diag_sink, diag,
                   rlx_arena_printf(file->diag_arena, "remove unused binding `%s`", name),
                   rlx_span(lines.start - stmt->start, lines.end - stmt->start), "");
    RlxFileDiag d = {.diag = diag,
                     .stmt = stmt,
                     .span = rlx_stmt_absolute(stmt, var->span),
                     .function = unit->owner->stmt->name};
    rlx_vec_push(out, d);
  }
}
