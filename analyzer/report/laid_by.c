/// Mistakes in what a function keeps under a name for Python alone: lists and dictionaries (`a = [R.add(x, y)]`), and
/// annotations (`A = R.Tensor(("m",))`). TVM deduces and makes them when something uses them; while nothing does, it
/// accepts the program, and what is wrong in there is a warning.
/// Always true: where the name is read anywhere in the function, the findings are as they were.
#include "analyzer/report/laid_by.h"

#include <string.h>

#include "analyzer/diag/traits.h"
#include "base/map.h"

/// Whether `name` is that of an annotation: `R.Tensor`, `R.Tuple`.
static bool names_annotation(const char *name) {
#define RLX_WORD(id, path, params, call)                                                           \
  if (strcmp(#call, "sinfo") == 0 && strcmp(strrchr(path, '.') + 1, name) == 0) return true;
#include "analyzer/words/words.def"
#undef RLX_WORD
  return false;
}

/// The part of a list or tuple in which the span lies, or NULL.
static const RlxAst *part_around(const RlxAst *ast, RlxSpan span) {
  uint32_t low = 0, high = ast->child_count; // they stand in the order of the text
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (ast->children[middle]->span.start <= span.start)
      low = middle + 1;
    else
      high = middle;
  }
  return low && span.end <= ast->children[low - 1]->span.end ? ast->children[low - 1] : NULL;
}

/// Whether the finding, of what stands in `ast`, is told of when that is used. A value by itself is used at once.
static bool is_late(const RlxFile *file, const RlxDiag *diag, const RlxAst *ast, int depth) {
  enum { MOST = 100 };
  const bool is_list = ast->kind == RLX_AST_LIST || ast->kind == RLX_AST_DICT ||
                       (depth && ast->kind == RLX_AST_TUPLE);
  const RlxAst *part = is_list && depth < MOST ? part_around(ast, diag->span) : NULL;
  if (part) return is_late(file, diag, part, depth + 1);
  const bool is_made_late = rlx_diag_has(diag->id, RLX_TRAIT_MADE_LATE),
             is_told_late = (depth || ast->kind == RLX_AST_COMPREHENSION) &&
                            rlx_diag_has(diag->id, RLX_TRAIT_DEDUCED_LATE);
  if (is_made_late == is_told_late) return is_made_late;
  const bool is_annotation = ast->kind == RLX_AST_CALL &&
                             ast->children[0]->kind == RLX_AST_ATTRIBUTE &&
                             names_annotation(rlx_store_text(file->store, ast->children[0]->name));
  return is_annotation ? is_made_late : is_told_late;
}

/// Whether the finding is about a value that the statement lays by under a name.
static bool is_laid_by(const RlxFile *file, const RlxFileDiag *d) {
  const RlxStmt *stmt = d->stmt;
  return stmt && d->diag->severity == RLX_ERROR && stmt->kind == RLX_STMT_ASSIGN &&
         stmt->target_count == 1 && stmt->targets[0]->kind == RLX_AST_NAME && !stmt->annotation &&
         stmt->value && is_late(file, d->diag, stmt->value, 0);
}

static void note_reads(RlxMap *reads, const RlxSuite *suite) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (!unit) continue;
    for (uint32_t k = 0; k < unit->read_count; k++) rlx_map_put(reads, unit->reads[k].name, 1);
    note_reads(reads, unit->body);
    note_reads(reads, unit->orelse);
    if (unit->fn) note_reads(reads, unit->fn->body);
  }
}

void rlx_laid_by(RlxFile *file, RlxFileDiags *diags, uint32_t from) {
  RlxMap reads = {0};
  const RlxFn *read_of = NULL;
  for (uint32_t i = from; i < diags->count; i++) {
    RlxFileDiag *d = &diags->at[i];
    if (!is_laid_by(file, d)) continue;
    const RlxFn *fn = rlx_fn_outermost(rlx_fn_around(d->stmt));
    if (!fn || fn->kind != RLX_ISLAND_RELAX) continue;
    if (fn != read_of) {
      rlx_map_clear(&reads);
      note_reads(&reads, fn->body);
      read_of = fn;
    }
    const RlxAst *target = d->stmt->targets[0];
    if (rlx_map_get(&reads, target->name, NULL)) continue;
    RlxDiag *diag = rlx_arena_one(file->diag_arena, RlxDiag);
    *diag = *d->diag;
    diag->severity = RLX_WARNING;
    diag->fix_count = 0; // what mends a use may stop the parser here
    rlx_diag_related(&file->diag_sink, diag, d->stmt, target->span,
                     "TVM looks at it when something uses this name, and nothing does");
    d->diag = diag;
  }
  rlx_map_free(&reads);
}
