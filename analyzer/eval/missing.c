/// A name that nothing binds where it is used: whether a dataflow block kept it, whether what binds
/// it may be lost in a syntax error, and where else it is bound.
#include "analyzer/eval/eval.h"
#include "analyzer/eval/refuse.h"
#include <stdlib.h>
#include <string.h>

#include "analyzer/syntax/stmt_text.h"
#include "base/nearest.h"
#include "base/text.h"

// ---- names that dataflow blocks keep

/// Notes the names that a dataflow block keeps, with the block.
static void note_kept(RlxEval *e, const RlxAnalysis *block) {
  if (block->kind != RLX_UNIT_WITH || !block->is_dataflow_block || !block->body) return;
  for (uint32_t i = 0; i < block->body->units.count; i++) {
    const RlxAnalysis *unit = block->body->units.at[i];
    for (uint32_t k = 0; unit && k < unit->def_count; k++)
      if (!unit->defs[k].is_missing && !rlx_map_get(&e->kept, unit->defs[k].name, NULL))
        rlx_map_put(&e->kept, unit->defs[k].name, (uint64_t)(uintptr_t)block);
  }
}

/// Whether an R.output of the block was reported.
static bool has_wrong_output(const RlxAnalysis *block) {
  for (uint32_t i = 0; i < block->body->units.count; i++) {
    const RlxAnalysis *unit = block->body->units.at[i];
    if (unit && unit->stmt->kind == RLX_STMT_EXPR && (unit->is_tainted & RLX_FAILED)) return true;
  }
  return false;
}

static bool block_binds(const RlxAnalysis *block, RlxName name) {
  for (uint32_t i = 0; i < block->body->units.count; i++) {
    const RlxAnalysis *unit = block->body->units.at[i];
    for (uint32_t k = 0; unit && k < unit->def_count; k++)
      if (unit->defs[k].name == name && !unit->defs[k].is_missing) return true;
  }
  return false;
}

/// The dataflow block that keeps the name in a branch around the statement, before it; NULL: there is none.
static const RlxAnalysis *kept_in_branch(RlxEval *e, RlxName name) {
  enum { MOST = 64 }; // blocks are looked through for as many names
  const RlxStmt *at = e->stmt;
  if (e->branch_looks >= MOST) return NULL;
  e->branch_looks++;
  for (; at->block && at->block->parent && at->block->parent->kind == RLX_STMT_IF;
       at = at->block->parent) {
    const RlxStmt *parent = at->block->parent;
    const RlxAnalysis *around = parent->analysis;
    const RlxSuite *suite = !around                       ? NULL
                            : at->block == parent->body   ? around->body
                            : at->block == parent->orelse ? around->orelse
                                                          : NULL;
    for (uint32_t i = 0; suite && i < suite->units.count; i++) {
      const RlxAnalysis *unit = suite->units.at[i];
      if (!unit || unit->stmt->start >= at->start) break;
      if (unit->kind == RLX_UNIT_WITH && unit->is_dataflow_block && unit->body &&
          block_binds(unit, name))
        return unit;
    }
  }
  return NULL;
}

RlxMissingKept rlx_missing_kept(RlxEval *e, RlxName name) {
  const RlxSuite *suite = e->fn && e->unit ? e->fn->body : NULL; // in a sweep
  uint64_t kept = 0;
  for (; suite && e->kept_blocks < suite->compound.count; e->kept_blocks++)
    note_kept(e, suite->compound.at[e->kept_blocks]);
  if (suite && !rlx_map_get(&e->kept, name, &kept))
    kept = (uint64_t)(uintptr_t)kept_in_branch(e, name);
  if (!kept) return (RlxMissingKept){NULL, false};
  const RlxAnalysis *block = (const RlxAnalysis *)(uintptr_t)kept;
  return (RlxMissingKept){block, has_wrong_output(block)};
}

void rlx_missing_leak(RlxEval *e, RlxDiag *diag, const RlxAnalysis *block, RlxName name) {
  const RlxSuite *body = block->body;
  for (uint32_t i = 0; i < body->units.count; i++) {
    const RlxAnalysis *unit = body->units.at[i];
    if (!unit) return;
    for (uint32_t k = 0; k < unit->def_count && !diag->related_count; k++)
      if (unit->defs[k].name == name)
        rlx_diag_related(e->sink, diag, unit->stmt, unit->defs[k].span, "bound in this block");
    if (unit->stmt->kind == RLX_STMT_RETURN) return;
    if (!unit->is_output) continue;
    if (!diag->related_count) return;
    const RlxAst *call = unit->stmt->value;
    if (!rlx_is_output_call(e->store, call)) return; // part of an expression
    RlxSpan at = rlx_span(call->span.end - 1, call->span.end - 1);
    const char *text = rlx_arena_printf(e->sink->arena, "%s%s", call->child_count > 1 ? ", " : "",
                                        rlx_store_text(e->store, name));
    rlx_diag_fix_at(e->sink, diag,
                    rlx_arena_printf(e->sink->arena, "add `%s` to the outputs of its block",
                                     rlx_store_text(e->store, name)),
                    unit->stmt, at, text);
    return;
  }
}

// ---- names bound elsewhere

uint8_t rlx_missing_places(const RlxFile *file) {
  RlxSyntaxProblems problems = {0};
  uint8_t places = 0;
  rlx_document_problems(file->document, &problems);
  for (uint32_t i = 0; i < problems.count && places != 3; i++)
    if (!problems.at[i].is_late) places |= rlx_file_fn_at(file, problems.at[i].span.start) ? 1 : 3;
  rlx_vec_free(&problems);
  return places;
}

static uint32_t indentation_at(const char *text, uint32_t at) {
  uint32_t start = at, end;
  while (start && text[start - 1] != '\n') start--;
  end = start;
  while (text[end] == ' ' || text[end] == '\t') end++;
  return end - start;
}

/// Whether behind a name at `next` an `=` follows, so that the line binds it also where it is read by its place.
static bool is_assigned(const char *next, const char *end) {
  if (next < end && *next == ':') next++;
  return next < end && *next == '=' && !(next + 1 < end && next[1] == '=');
}

/// Whether from `c` on a name is only read: `c` is an `=`, or opens the brackets of a call or subscript.
static bool starts_reading(const char *line, const char *c) {
  return *c == '=' || (c > line && (*c == '(' || *c == '[') && rlx_text_in_name(c[-1]));
}

/// Notes the words of the line [line, end) that it may bind, with its indentation where that is less than
/// noted: not in a `def`'s head, not where they are only read, and not as words of a sentence.
static void note_line(RlxFile *file, const char *line, const char *end) {
  const char *at = line;
  while (at < end && (*at == ' ' || *at == '\t')) at++;
  const uint32_t indent = (uint32_t)(at - line);
  const bool is_def = strncmp(at, "def", 3) == 0;
  bool reads = false;
  for (at = line; at < end;) {
    const char *next = at;
    while (next < end && rlx_text_in_name(*next)) next++;
    if (next == at) {
      reads = reads || starts_reading(line, at);
      at++;
      continue;
    }
    const size_t size = (size_t)(next - at);
    const char *behind = next;
    while (behind < end && (*behind == ' ' || *behind == '\t')) behind++;
    uint64_t least = UINT32_MAX;
    if (!is_def && (behind == end || !rlx_text_in_name(*behind)) &&
        (!reads || is_assigned(behind, end)) &&
        (!rlx_strmap_get(&file->outside, at, size, &least) || indent < least))
      rlx_strmap_put(&file->outside, at, size, indent);
    at = next;
  }
}

/// Notes what the text may bind outside of functions.
static void note_outside(RlxFile *file) {
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size), *end = text + size;
  for (const char *line = text; line < end;) {
    const char *first = line;
    while (first < end && (*first == ' ' || *first == '\t')) first++;
    const char *next = memchr(line, '\n', (size_t)(end - line));
    if (!rlx_file_fn_at(file, (uint32_t)(first - text))) note_line(file, line, next ? next : end);
    line = next ? next + 1 : end;
  }
  file->has_outside = true;
}

/// Whether the text may bind the name outside of functions, no deeper than `depth`.
static bool may_bind(RlxFile *file, uint32_t depth, const char *name) {
  uint64_t least = 0;
  if (!file->has_outside) note_outside(file);
  return rlx_strmap_get(&file->outside, name, strlen(name), &least) && least <= depth;
}

static void note_defined(const RlxFile *file, const char *keyword, struct RlxDefinedNames *out) {
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size), *end = text + size;
  const size_t n = strlen(keyword);
  for (const char *at = text; (at = memmem(at, (size_t)(end - at), keyword, n)) != NULL; at += n) {
    const char *next = at + n;
    if (at > text && rlx_text_in_name(at[-1])) continue;
    if (next < end && rlx_text_in_name(*next)) continue;
    while (next < end && (*next == ' ' || *next == '\t')) next++;
    if (next == end || strchr("(:\n\r", *next))
      out->is_lost = true;
    else
      rlx_vec_push(&out->at, (uint32_t)(next - text));
  }
  out->is_noted = true;
}

/// Whether a `def` or `class` stands there whose name is lost or begins with `name`, as it does when the
/// bracket behind it is lost.
static bool may_define(RlxFile *file, bool is_def, const char *name) {
  struct RlxDefinedNames *defined = &file->defined_names[is_def];
  const size_t n = strlen(name);
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  if (!defined->is_noted) note_defined(file, is_def ? "def" : "class", defined);
  bool is_found = defined->is_lost;
  for (uint32_t i = 0; i < defined->at.count && !is_found; i++)
    is_found = strncmp(text + defined->at.at[i], name, n) == 0;
  return is_found;
}

/// What was found out in an analysis of the file before this one counts no more.
static void forget_round_before(RlxFile *file) {
  if (file->maybe_round == file->round) return;
  rlx_map_clear(&file->maybe_bound);
  rlx_map_clear(&file->first_problems);
  rlx_strmap_free(&file->outside);
  file->has_outside = false;
  file->has_first_problems = false;
  for (int i = 0; i < 2; i++) {
    file->defined_names[i].at.count = 0;
    file->defined_names[i].is_noted = file->defined_names[i].is_lost = false;
  }
  file->maybe_round = file->round;
}

/// Notes where the first syntax problem in each outermost function is.
static void note_first_problems(RlxFile *file) {
  RlxSyntaxProblems problems = {0};
  rlx_document_problems(file->document, &problems);
  for (uint32_t i = 0; i < problems.count; i++) {
    const uint32_t at = problems.at[i].span.start;
    const RlxFn *fn = problems.at[i].is_late ? NULL : rlx_file_fn_at(file, at);
    uint64_t first = UINT32_MAX;
    if (fn && (!rlx_map_get(&file->first_problems, fn->stmt->start, &first) || at < first))
      rlx_map_put(&file->first_problems, fn->stmt->start, at);
  }
  rlx_vec_free(&problems);
  file->has_first_problems = true;
}

/// Where the first syntax problem in the outermost function around is; UINT32_MAX: none.
static uint32_t first_problem(const RlxEval *e) {
  RlxFile *file = e->file;
  uint64_t first = UINT32_MAX;
  const RlxFn *own = rlx_fn_outermost(e->fn);
  if (!own) return UINT32_MAX;
  forget_round_before(file);
  if (!file->has_first_problems) note_first_problems(file);
  rlx_map_get(&file->first_problems, own->stmt->start, &first);
  return (uint32_t)first;
}

/// Whether the text may bind `name`: in a `def` of the module (`is_function`), or around `fn`. It is
/// searched once for each name and depth in an analysis of the file, whoever asks.
static bool may_be_bound(RlxFile *file, const RlxFn *fn, const char *name, bool is_function) {
  uint32_t size = 0;
  const char *text = rlx_document_text(file->document, &size);
  const uint32_t depth = is_function ? UINT32_MAX
                         : fn        ? indentation_at(text, fn->stmt->start)
                                     : UINT32_MAX - 1;
  forget_round_before(file);
  const uint64_t key = (uint64_t)rlx_store_intern(file->store, name, strlen(name)) << 32 | depth;
  uint64_t known = 0;
  if (rlx_map_get(&file->maybe_bound, key, &known)) return known;
  known = (!is_function && may_bind(file, fn ? depth : UINT32_MAX, name)) ||
          may_define(file, is_function, name);
  rlx_map_put(&file->maybe_bound, key, known);
  return known;
}

bool rlx_missing_is_broken(RlxEval *e, const char *name, bool is_function) {
  const uint8_t places = e->file->broken_places;
  if (!places) return false;
  if (is_function) return may_be_bound(e->file, NULL, name, true);
  if (!e->broken_from) {
    uint32_t first = first_problem(e);
    e->broken_from = first == UINT32_MAX ? first : first + 1;
  }
  if (e->broken_from <= e->stmt->start + e->stmt->head_size) return true;
  return places == 3 && may_be_bound(e->file, rlx_fn_outermost(e->fn), name, false);
}

static const RlxAst *binds(const RlxAst *target, RlxName name) {
  if (target->kind == RLX_AST_NAME) return target->name == name ? target : NULL;
  for (uint32_t i = 0;
       i < target->child_count && (target->kind == RLX_AST_TUPLE || target->kind == RLX_AST_LIST);
       i++) {
    const RlxAst *found = binds(target->children[i], name);
    if (found) return found;
  }
  return NULL;
}

/// The first statement of the block that binds `name`, local functions' bodies not counted.
static const RlxStmt *find_binding(const RlxBlock *block, RlxName name, RlxSpan *out) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i], *inner = NULL;
    for (uint32_t k = 0; k < stmt->target_count &&
                         (stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED);
         k++) {
      const RlxAst *found = binds(stmt->targets[k], name);
      if (found) return *out = found->span, stmt;
    }
    if (stmt->kind == RLX_STMT_DEF && stmt->name == name) return *out = stmt->name_span, stmt;
    if (stmt->kind == RLX_STMT_IF || stmt->kind == RLX_STMT_WITH) {
      inner = find_binding(stmt->body, name, out);
      if (!inner) inner = find_binding(stmt->orelse, name, out);
    }
    if (inner) return inner;
  }
  return NULL;
}

/// Whether a decorator of the function begins with the name: what is wrong with it is told there.
static bool is_decorator(RlxEval *e, const char *name) {
  for (uint32_t i = 0; i < e->fn->stmt->decorator_count; i++) {
    const RlxAst *at = e->fn->stmt->decorators[i];
    while (at->kind == RLX_AST_CALL || at->kind == RLX_AST_ATTRIBUTE) at = at->children[0];
    if (at->kind == RLX_AST_NAME && strcmp(rlx_store_text(e->store, at->name), name) == 0)
      return true;
  }
  return false;
}

bool rlx_missing_import(RlxEval *e, const char *name) {
  static const char *const spaces[] = {"R", "T", "I", "relax", "tir", "tirx"};
  enum { COUNT = sizeof spaces / sizeof *spaces };
  bool is_space = false, has_others = false;
  if (!e->fn || e->fn->kind != RLX_ISLAND_RELAX || rlx_eval_is_tlc(e) || e->file->has_star_import)
    return false;
  for (int i = 0; i < COUNT && !is_space; i++) is_space = strcmp(spaces[i], name) == 0;
  is_space |= rlx_refuse_may_tell(e) && !e->analyzer->settings.is_prompt &&
              (rlx_text_is_among(
                  name, " tvm rx ir Tx ")); // names that people give, and TVM's parser does not
  if (!is_space || is_decorator(e, name)) return false; // thousands of statements ask
  for (int i = 0; i < COUNT && !has_others; i++) {
    RlxValue value;
    has_others = e->analyzer->hooks->outer_value(
        e->file, e->fn->stmt, rlx_intern_text(rlx_store_names(e->store), spaces[i]), &value);
  }
  return has_others;
}

void rlx_missing_elsewhere(RlxEval *e, RlxDiag *diag, RlxName name) {
  RlxSpan span;
  if (!rlx_name_is_marked(rlx_store_names(e->store), name)) return; // no statement binds it
  const RlxStmt *stmt = find_binding(e->fn->stmt->body, name, &span);
  if (!stmt || stmt == e->stmt) return;
  rlx_diag_related(e->sink, diag, stmt, span,
                   stmt->start > e->stmt->start
                       ? "it is bound here, below its use"
                       : "it is bound here, in a branch that ends before its use");
}

static int by_start(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static int by_end(const void *a, const void *b) {
  const char *one = *(const char *const *)a, *two = *(const char *const *)b;
  size_t m = strlen(one), n = strlen(two);
  while (m && n && one[m - 1] == two[n - 1]) m--, n--;
  if (!m || !n) return (m > 0) - (n > 0);
  return (unsigned char)one[m - 1] - (unsigned char)two[n - 1];
}

/// Tries those that stand near the name in one of the orders.
static void try_around(RlxNearest *nearest, const char *const *at, uint32_t count,
                       int (*order)(const void *, const void *)) {
  enum { NEAR = 32 };
  uint32_t low = 0, high = count;
  while (low < high) {
    const uint32_t middle = low + (high - low) / 2;
    if (order(&at[middle], &nearest->word) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  const uint32_t to = count - low > NEAR ? low + NEAR : count;
  for (uint32_t i = low > NEAR ? low - NEAR : 0; i < to; i++) rlx_nearest_try(nearest, at[i]);
}

const char *rlx_missing_sibling(const RlxModule *module, const char *name) {
  enum { FEW = 256 };
  struct RlxSiblings *siblings = module->siblings;
  const RlxFile *file = module->file;
  RlxNearest nearest = rlx_nearest_start(name);
  if (module->fns.count <= FEW) {
    for (uint32_t i = 0; i < module->fns.count; i++)
      rlx_nearest_try(&nearest, rlx_store_text(file->store, module->fns.at[i]->stmt->name));
    return nearest.best;
  }
  if (siblings->round != file->round) { // of many those that begin or end as the name does
    rlx_vec_clear(&siblings->by_start);
    rlx_vec_clear(&siblings->by_end);
    for (uint32_t i = 0; i < module->fns.count; i++) {
      const char *one = rlx_store_text(file->store, module->fns.at[i]->stmt->name);
      rlx_vec_push(&siblings->by_start, one);
      rlx_vec_push(&siblings->by_end, one);
    }
    qsort(siblings->by_start.at, module->fns.count, sizeof *siblings->by_start.at, by_start);
    qsort(siblings->by_end.at, module->fns.count, sizeof *siblings->by_start.at, by_end);
    siblings->round = file->round;
  }
  try_around(&nearest, siblings->by_start.at, siblings->by_start.count, by_start);
  try_around(&nearest, siblings->by_end.at, siblings->by_end.count, by_end);
  return nearest.best;
}
