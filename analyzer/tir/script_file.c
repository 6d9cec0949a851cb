/// The PrimFunc of a function in an open file: module-level names of the file are seen.
#include "analyzer/state/core.h"
#include "analyzer/tir/findings.h"
#include "analyzer/tir/script.h"

typedef struct Around {
  RlxFile *file;
  const RlxStmt *from;
} Around;

static bool lookup(RlxName name, RlxValue *out, void *data) {
  const Around *around = data;
  return rlx_outer_lookup(around->file, around->from, name, out);
}

RlxPrimFunc *rlx_file_primfunc(RlxFile *file, const RlxStmt *def, RlxTirIssues *issues) {
  Around around = {file, def};
  RlxTirOuter outer = {lookup, &around};
  return rlx_primfunc_lower(file->store, def, &outer, issues);
}

static const char *copied(RlxArena *arena, const char *text) {
  return text ? rlx_arena_strdup(arena, text) : NULL;
}

/// A diagnostic of the reader, which lives as long as the PrimFunc, for `sink`.
static void report(RlxSink *sink, const RlxDiag *from) {
  RlxDiag *diag = rlx_arena_one(sink->arena, RlxDiag);
  *diag = *from;
  diag->message = copied(sink->arena, from->message);
  rlx_vec_push(&sink->diags, diag);
}

/// What TVM's verifier finds counts where it is asked; until 0.23 a buffer that is only described
/// could be used.
static bool is_allowed(const RlxFn *fn, const RlxDiag *diag) {
  bool is_described = diag->id == RLX_DIAG_ID(BUFFER_UNDECLARED);
  if (!is_described && diag->id != RLX_DIAG_ID(BLOCK_LOOP_VAR)) return false;
  if (is_described && (fn->dialect == RLX_DIALECT_CLASSIC || fn->dialect == RLX_DIALECT_TLC))
    return true;
  return !fn->check_well_formed || (fn->module && !fn->module->check_well_formed);
}

/// Whether its text has a syntax error: what stands behind it may only follow from that.
static bool is_broken(const RlxFn *fn) {
  if (!fn->file->broken_places) return false;
  RlxSyntaxProblems problems = {0};
  bool found = false;
  rlx_document_problems(fn->file->document, &problems);
  uint32_t start = fn->stmt->start, end = start + fn->stmt->size;
  for (uint32_t i = 0; i < problems.count && !found; i++)
    found = problems.at[i].span.end >= start && problems.at[i].span.start <= end;
  rlx_vec_free(&problems);
  return found;
}

typedef struct Watched {
  Around around;
  RlxFn *fn;
} Watched;

/// As above, and notes that the function depends on the name.
static bool watched_lookup(RlxName name, RlxValue *out, void *data) {
  Watched *w = data;
  rlx_vec_push(&w->fn->outer_reads, name);
  return rlx_outer_lookup(w->around.file, w->around.from, name, out);
}

static void look_at_body(RlxFn *fn) {
  Watched watched = {{fn->file, fn->stmt}, fn};
  RlxTirOuter outer = {watched_lookup, &watched};
  RlxTirIssues issues = {0};
  RlxPrimFunc *f = rlx_primfunc_lower(fn->file->store, fn->stmt, &outer, &issues);
  for (uint32_t i = 0; i < issues.count; i++)
    if (issues.at[i].diag && !is_allowed(fn, issues.at[i].diag))
      report(&fn->end, issues.at[i].diag);
  rlx_vec_free(&issues);
  rlx_tir_findings(fn->file->store, f, fn->stmt, &fn->end);
  rlx_primfunc_free(f);
}

void rlx_primfunc_check(RlxFn *fn) {
  rlx_arena_free(fn->end_arena);
  fn->end_arena = rlx_arena_new_sized(256);
  fn->end.arena = fn->end_arena;
  rlx_vec_clear(&fn->end.diags);
  rlx_wellformed_prim_func(fn);
  fn->outer_reads.count = fn->header_read_count;
  if (!is_broken(fn)) look_at_body(fn);
  rlx_fn_settle(fn);
}
