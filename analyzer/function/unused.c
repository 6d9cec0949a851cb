/// Bindings that nothing reads.
/// Always true: only a binding of a pure value to a plain name is reported. A name counts as used
/// when anything in the function reads it, annotations and local functions included, when it is
/// what a branch gives, and when it begins with `_`. A match_cast is never reported, because it is
/// a check at run time. Where something is broken or unknown nothing is reported: the use may be
/// there. An edit that changes no name looks at no other statement.
#include <string.h>

#include "analyzer/rewrite/normalize_impl.h"
#include "base/hash.h"

typedef struct Names {
  Vec(uint64_t) bits; ///< by RlxName
} Names;

static void note(Names *names, RlxName name) {
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
    for (uint32_t k = 0; k < unit->read_count; k++) note(names, unit->reads[k].name);
    if (!read_suite(names, unit->body) || !read_suite(names, unit->orelse)) return false;
    if (unit->fn && !read_suite(names, unit->fn->body)) return false;
  }
  return true;
}

/// The binding of a statement `name = pure value`, else NULL.
static const RlxBinding *plain_binding(const RlxAnalysis *unit) {
  const RlxStmt *stmt = unit->stmt;
  bool names_one = (stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED) &&
                   stmt->target_count == 1 && stmt->targets[0]->kind == RLX_AST_NAME;
  if (unit->kind != RLX_UNIT_SIMPLE || unit->is_impure || !unit->binding_count || !names_one)
    return NULL;
  const RlxBinding *b = unit->bindings[unit->binding_count - 1];
  for (uint32_t i = 0; i < unit->binding_count; i++)
    if (unit->bindings[i]->kind != RLX_BINDING_VAR ||
        unit->bindings[i]->value->kind == RLX_EXPR_HOLE)
      return NULL;
  return b->var->is_temporary || b->var->name != stmt->targets[0]->name ? NULL : b;
}

/// Forgets what was found; the next sweep looks again.
static void drop_list(RlxFn *fn) {
  for (uint32_t i = 0; i < fn->unused.count; i++) fn->unused.at[i]->is_unused = false;
  rlx_vec_clear(&fn->unused);
  fn->unused_sum = 0;
}

void rlx_unused_forget(RlxAnalysis *unit) {
  RlxFn *fn = rlx_fn_outermost(unit->owner);
  fn->use_sum -= unit->use_mark;
  unit->use_mark = 0;
  if (unit->is_unused) drop_list(fn);
}

/// What a branch gives: the name of its last binding.
static RlxName tail_name(const RlxSuite *suite) {
  for (uint32_t i = suite ? suite->units.count : 0; i-- > 0;) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (unit && unit->kind == RLX_UNIT_WITH) return tail_name(unit->body);
    if (unit && unit->binding_count) return unit->bindings[unit->binding_count - 1]->var->name;
    if (unit && unit->kind == RLX_UNIT_IF) return 0;
  }
  return 0;
}

/// Which statement a branch ends with is noted by the `if`, which is joined at every sweep.
void rlx_unused_note(RlxAnalysis *unit) {
  const RlxBinding *b = plain_binding(unit);
  uint64_t hash = rlx_hash_u64((uint64_t)(unit->has_error || unit->is_tainted) |
                               (uint64_t)(unit->binding_count > 0) << 1);
  if (unit->kind == RLX_UNIT_IF)
    hash = rlx_hash_mix(rlx_hash_mix(hash, tail_name(unit->body)), tail_name(unit->orelse));
  if (b) hash = rlx_hash_mix(hash, b->var->name);
  for (uint32_t i = 0; i < unit->read_count; i++)
    hash += rlx_hash_u64(~(uint64_t)unit->reads[i].name);
  unit->use_mark = hash;
  rlx_fn_outermost(unit->owner)->use_sum += hash;
}

static void find(const Names *names, RlxFn *fn, const RlxSuite *suite) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    RlxAnalysis *unit = suite->units.at[i];
    const RlxBinding *b = plain_binding(unit);
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
  bool is_said = fn->outer || fn->stmt->has_error;
  for (uint32_t i = 0; i < fn->end.diags.count; i++)
    is_said |=
        fn->end.diags.at[i]->id == RLX_DIAG_ID(DATAFLOW_NO_OUTPUT); // says it of the whole block
  uint64_t sum = rlx_hash_mix(fn->use_sum, is_said);
  if (sum == fn->unused_sum) return;
  drop_list(fn);
  fn->unused_sum = sum;
  Names names = {0};
  if (!is_said && read_suite(&names, fn->body)) find(&names, fn, fn->body);
  rlx_vec_free(&names.bits);
}

bool rlx_own_lines(const char *text, uint32_t size, const RlxStmt *stmt, RlxSpan *out) {
  uint32_t start = rlx_line_start(text, stmt->start), end = stmt->start + stmt->size;
  for (uint32_t i = start; i < stmt->start; i++)
    if (text[i] != ' ' && text[i] != '\t') return false;
  while (end < size && (text[end] == ' ' || text[end] == '\t')) end++;
  if (end < size && text[end] == '#')
    while (end < size && text[end] != '\n' && text[end] != '\r') end++;
  if (end < size && text[end] == '\r') end++;
  if (end < size && text[end] == '\n')
    end++;
  else if (end < size && text[end - 1] != '\r')
    return false;
  *out = rlx_span(start, end);
  return true;
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
