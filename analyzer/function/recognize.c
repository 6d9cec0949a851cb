/// Recognition of dialects: each island's spellings vote, those of the file's imports for all.
#include "analyzer/function/recognize.h"

#include <string.h>

#include "analyzer/state/state.h"
#include "analyzer/words/spell.h"

static void add_votes(RlxWords *words, RlxStmt *stmt, RlxSaid *said) {
  rlx_stmt_votes(words, stmt);
  said->fits &= stmt->spelling_fits;
  said->marks |= stmt->spelling_marks;
  said->today += stmt->spelling_today;
  said->taken += stmt->spelling_taken;
  said->reads &= stmt->spelling_reads;
  for (int d = 0; d < RLX_DIALECT_COUNT; d++) said->votes[d] += stmt->spelling_votes[d];
}

static RlxSaid nothing_said(void) {
  const uint8_t all = (1u << RLX_DIALECT_COUNT) - 1;
  return (RlxSaid){.fits = all, .reads = all};
}

static void add_said(RlxSaid *said, const RlxSaid *more) {
  said->fits &= more->fits;
  said->reads &= more->reads;
  said->marks |= more->marks;
  said->today += more->today;
  said->taken += more->taken;
  for (int d = 0; d < RLX_DIALECT_COUNT; d++) said->votes[d] += more->votes[d];
}

typedef struct Count {
  RlxFile *file;
  bool is_anew; ///< what is known of suites may be of other statements
} Count;

static void block_votes(const Count *c, const RlxBlock *block, RlxSuite *suite, RlxSaid *said);

/// Adds what the `count` statements from `first` on say, with those in them.
static void some_votes(const Count *c, const RlxBlock *block, uint32_t first, uint32_t count,
                       RlxSaid *said) {
  enum {
    AHEAD = 8
  }; // statements lie anywhere in memory: those that come next are fetched meanwhile
  for (uint32_t i = first; i < first + count; i++) {
    RlxStmt *stmt = block->stmts[i];
    if (i + AHEAD < block->count) {
      __builtin_prefetch(&block->stmts[i + AHEAD]->body);
      __builtin_prefetch(&block->stmts[i + AHEAD]->spelling_fits);
    }
    add_votes(&c->file->analyzer->words, stmt, said);
    const RlxAnalysis *unit = stmt->analysis;
    if (stmt->body) block_votes(c, stmt->body, unit ? unit->body : NULL, said);
    if (stmt->orelse) block_votes(c, stmt->orelse, unit ? unit->orelse : NULL, said);
  }
}

/// Whether the runs of the suite are of its statements as they stand now, each known or marked.
static bool has_runs(const Count *c, const RlxSuite *suite) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < suite->said.count; i++) count += suite->said.at[i].count;
  return !c->is_anew && suite->said.count && suite->said_serial == c->file->build_serial &&
         count == suite->block->count;
}

/// Adds what the statements of a block say. Where it has a suite, what was known of runs of statements in which nothing changed counts,
/// so that an edit in a long function looks at those near it only.
static void block_votes(const Count *c, const RlxBlock *block, RlxSuite *suite, RlxSaid *said) {
  enum { RUN = 128 };
  if (!suite || suite->block != block) {
    some_votes(c, block, 0, block->count, said);
    return;
  }
  if (!has_runs(c, suite)) {
    rlx_vec_clear(&suite->said);
    rlx_vec_push(&suite->said, ((RlxSaidRun){.count = block->count}));
    suite->said_serial = c->file->build_serial;
  }
  for (uint32_t i = 0, first = 0; i < suite->said.count; i++) {
    RlxSaidRun *run = &suite->said.at[i];
    if (run->count > 2 * RUN) { // the rest of it comes next
      const RlxSaidRun rest = {.count = run->count - RUN};
      run->count = RUN;
      run->is_known = false;
      rlx_vec_insert_n(&suite->said, i + 1, &rest, 1);
      run = &suite->said.at[i];
    }
    if (!run->is_known) {
      run->said = nothing_said();
      some_votes(c, block, first, run->count, &run->said);
      run->is_known = true;
    }
    add_said(said, &run->said);
    first += run->count;
  }
}

/// Whether the island says itself which dialect it is of. In a session that is all that counts: its entries are of any origin.
static bool speaks_for_itself(const RlxFile *file, const RlxSaid *own) {
  uint32_t votes = 0;
  for (int d = 0; d < RLX_DIALECT_COUNT; d++) votes += own->votes[d];
  return file->analyzer->settings.is_prompt && votes;
}

/// `outer` NULL: nothing counts but what the island says.
static RlxDialect winner(const RlxSaid *own, const RlxSaid *outer,
                         uint32_t sums[RLX_DIALECT_COUNT]) {
  static const RlxDialect order[] = {RLX_DIALECT_025, RLX_DIALECT_CLASSIC, RLX_DIALECT_027,
                                     RLX_DIALECT_TLC}; // of equals the first
  RlxDialect best = order[0];
  // Late in 2022 tlc-pack's Relax had today's annotations beside R.match_shape.
  bool is_old = (own->marks & RLX_SPELLING_OLD) && !(own->marks & RLX_SPELLING_LATER);
  uint32_t against = is_old ? 0 : own->today;
  for (int d = 0; d < RLX_DIALECT_COUNT; d++)
    sums[d] = own->votes[d] + (outer ? outer->votes[d] : 0) + (d == RLX_DIALECT_TLC ? 0 : against);
  // `from tvm.script import tirx`: no TVM without it reads more of the file than that line. What tlc-pack alone had stays its own.
  const uint32_t classic = 1u << RLX_DIALECT_CLASSIC;
  const bool is_late = outer && (outer->fits & 1u << RLX_DIALECT_025) && !(outer->fits & classic);
  const bool is_named =
      outer && (outer->marks & RLX_SPELLING_NAMED) && !(own->marks & RLX_SPELLING_OLD);
  for (int i = 1; i < RLX_DIALECT_COUNT; i++) {
    const bool is_out =
        (is_named && order[i] == RLX_DIALECT_TLC) ||
        (is_late && (order[i] == RLX_DIALECT_CLASSIC || order[i] == RLX_DIALECT_TLC) &&
         sums[order[i]] <= sums[RLX_DIALECT_CLASSIC]);
    if (sums[order[i]] > sums[best] && !is_out) best = order[i];
  }
  return best;
}

/// The winner, or the dialect that is set where it has as many votes and takes all spellings: what
/// reads the same in both is read in that one, and so is what it takes as something else. A classic island with Relax in a file of early 2023 (bare
/// siblings, packed functions in R.call_tir, and nothing that came with purity; `outer` holds the
/// marks of the whole file) is tlc-pack's, whose last months these were. `is_new`: what the file
/// says elsewhere is 0.27's rather than 0.25's, which decides where the island says neither.
static RlxDialect chosen(const RlxFile *file, const RlxSaid *own, const RlxSaid *outer,
                         bool has_relax, bool is_new) {
  uint32_t sums[RLX_DIALECT_COUNT];
  RlxDialect set, best = winner(own, speaks_for_itself(file, own) ? NULL : outer, sums);
  bool is_set = rlx_dialect_parse(file->analyzer->settings.dialect, &set);
  if (is_set && (own->reads >> set & 1) && sums[set] + own->taken >= sums[best]) return set;
  if (is_set && set == RLX_DIALECT_TLC && !(outer->marks & RLX_SPELLING_LATER) &&
      sums[set] + own->today == sums[best])
    return set; // nothing but annotations that it had in its last year is against it
  if (best == RLX_DIALECT_025 && sums[RLX_DIALECT_027] == sums[best] && is_new)
    return RLX_DIALECT_027;
  bool is_early = (outer->marks & RLX_SPELLING_EARLY) && !(outer->marks & RLX_SPELLING_LATER);
  if (best == RLX_DIALECT_CLASSIC && is_early && has_relax && !(is_set && set == best) &&
      sums[best] > sums[RLX_DIALECT_025])
    return RLX_DIALECT_TLC;
  return best;
}

/// `n = TypeVar("n")`, as 0.27's printer declares symbolic variables.
static bool declares_symbol(const RlxStore *store, const RlxStmt *stmt) {
  return stmt->kind == RLX_STMT_ASSIGN && stmt->value && stmt->value->kind == RLX_AST_CALL &&
         strcmp(rlx_ast_last_name(store, stmt->value), "TypeVar") == 0;
}

/// What the statements around all islands say: imports, TypeVars.
static void outer_votes(RlxFile *file, RlxSaid *said) {
  const RlxBlock *root = rlx_document_root(file->document);
  for (uint32_t i = 0; i < root->count; i++) {
    RlxStmt *stmt = root->stmts[i];
    if (stmt->kind == RLX_STMT_IMPORT || declares_symbol(file->store, stmt))
      add_votes(&file->analyzer->words, stmt, said);
  }
}

static void settle(RlxFn *fn, RlxDialect dialect) {
  RlxFile *file = fn->file;
  if (file->forced_dialects) {
    uint32_t index = 0;
    const RlxModule *last = NULL;
    for (uint32_t i = 0; i < file->fns.count; i++) { // the number of its island
      const RlxFn *other = file->fns.at[i];
      if (other == fn || (fn->module && other->module == fn->module)) break;
      index += !other->module || other->module != last;
      last = other->module;
    }
    if (index < file->forced_count) dialect = file->forced_dialects[index];
  }
  // rlx_fn_may_be tells of both; statements that have asked it do not outlive a head that is read again
  if (fn->dialect == dialect && fn->settled_reads == fn->said.reads) return;
  fn->all_dirty |= fn->dialect != dialect || fn->kind != RLX_ISLAND_RELAX;
  fn->dialect = dialect;
  fn->settled_reads = fn->said.reads;
  fn->signature_state = 0;
  fn->is_dirty = true;
}

/// Whether the comments above a module or function say that TVM printed it: TVM's printer writes the
/// imports that it leaves out as comments. Between such a line and the island stand nothing but
/// comments, imports and symbolic variables.
static bool says_printed(const RlxFile *file, const RlxStmt *island) {
  static const char mark[] = "# from tvm.script import ";
  uint32_t first = island->index, size;
  const char *text = rlx_document_text(file->document, &size);
  while (first > 0 && (island->block->stmts[first - 1]->kind == RLX_STMT_IMPORT ||
                       declares_symbol(file->store, island->block->stmts[first - 1])))
    first--;
  for (uint32_t i = first; i <= island->index; i++) { // what stands in front of each of them
    const RlxStmt *before = i ? island->block->stmts[i - 1] : NULL;
    const RlxStmt *around = island->block->parent;
    uint32_t at = before   ? before->start + before->size
                  : around ? around->start + around->head_size
                           : 0;
    uint32_t end = island->block->stmts[i]->start;
    while (at < end) {
      const char *line = text + at, *next = memchr(line, '\n', end - at);
      const uint32_t length = next ? (uint32_t)(next - line) : end - at;
      uint32_t indent = 0;
      while (indent < length && (line[indent] == ' ' || line[indent] == '\t')) indent++;
      // The rest of a statement's own line says something of that statement.
      bool is_whole = at == 0 || text[at - 1] == '\n';
      if (is_whole && length - indent >= sizeof mark - 1 &&
          memcmp(line + indent, mark, sizeof mark - 1) == 0)
        return true;
      at += length + 1;
    }
  }
  return false;
}

/// Notes of all functions outside of others whether they are a compiler's output.
static void note_printed(RlxFile *file) {
  const RlxStmt *last = NULL;
  bool printed = false;
  for (uint32_t i = 0; i < file->fns.count; i++) {
    RlxFn *fn = file->fns.at[i];
    const RlxStmt *island = fn->module ? fn->module->stmt : fn->stmt;
    if (island != last) printed = file->analyzer->settings.printed || says_printed(file, island);
    last = island;
    if (fn->is_printed == printed) continue;
    fn->is_printed = printed;
    fn->is_dirty = fn->all_dirty = true; // severities depend on it
  }
}

static bool calls_sibling(const RlxModule *module, const RlxAst *ast) {
  if (!ast) return false;
  if (ast->kind == RLX_AST_CALL && ast->children[0]->kind == RLX_AST_NAME &&
      rlx_module_fn(module, ast->children[0]->name))
    return true;
  for (uint32_t i = 0; i < ast->child_count; i++)
    if (calls_sibling(module, ast->children[i])) return true;
  return false;
}

static bool block_calls_sibling(const RlxModule *module, const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    const bool has_bare_call =
        !stmt->is_spelling_known || (stmt->spelling_marks & RLX_SPELLING_CALL);
    if ((has_bare_call && calls_sibling(module, stmt->value)) ||
        block_calls_sibling(module, stmt->body) || block_calls_sibling(module, stmt->orelse))
      return true;
  }
  return false;
}

/// `f(x)` of a sibling is of early 2023, too. Asked only where nothing else has said it, and some
/// function calls a bare name.
static bool has_bare_calls(const RlxFile *file) {
  for (uint32_t i = 0; i < file->fns.count; i++) {
    const RlxFn *fn = file->fns.at[i];
    if (fn->module && fn->kind == RLX_ISLAND_RELAX && (fn->said.marks & RLX_SPELLING_CALL) &&
        block_calls_sibling(fn->module, fn->stmt->body))
      return true;
  }
  return false;
}

static void forget_spellings(const RlxBlock *block) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    RlxStmt *stmt = block->stmts[i];
    if (stmt->kind == RLX_STMT_ANNOTATED) stmt->is_spelling_known = false;
    if (stmt->kind == RLX_STMT_DEF) continue; // its own decorator counts
    forget_spellings(stmt->body);
    forget_spellings(stmt->orelse);
    for (uint32_t k = 0; k < stmt->block_count; k++) forget_spellings(stmt->blocks[k]);
  }
}

static const char *first_decorator(const RlxStore *store, const RlxStmt *stmt) {
  return stmt->decorator_count ? rlx_ast_last_name(store, stmt->decorators[0]) : "";
}

void rlx_recognize_heir(RlxFn *fn, const RlxStmt *heir) {
  const RlxStore *store = fn->file->store;
  if (strcmp(first_decorator(store, fn->stmt), first_decorator(store, heir)) != 0)
    forget_spellings(fn->body->block);
}

bool rlx_file_recognize(RlxFile *file, const atomic_bool *cancel) {
  note_printed(file);
  RlxSaid outer = nothing_said();
  uint32_t all_votes[RLX_DIALECT_COUNT] = {0};
  outer_votes(file, &outer);
  for (uint32_t i = 0; i < file->fns.count; i++) {
    RlxFn *fn = file->fns.at[i];
    if (fn->is_dirty || !fn->has_votes) {
      if (cancel && *cancel) return false;
      RlxSaid said = nothing_said();
      const Count count = {.file = file, .is_anew = !fn->has_votes};
      add_votes(&file->analyzer->words, fn->stmt, &said);
      if (fn->stmt->body) block_votes(&count, fn->stmt->body, fn->body, &said);
      fn->said = said;
      fn->has_votes = true;
    }
    outer.marks |= fn->said.marks;
    for (int d = 0; d < RLX_DIALECT_COUNT; d++) all_votes[d] += fn->said.votes[d];
  }
  const bool is_new = all_votes[RLX_DIALECT_027] > all_votes[RLX_DIALECT_025];
  const unsigned year = RLX_SPELLING_EARLY | RLX_SPELLING_LATER;
  if (!(outer.marks & year) && (outer.marks & RLX_SPELLING_CALL) && has_bare_calls(file))
    outer.marks |= RLX_SPELLING_EARLY;
  for (uint32_t i = 0; i < file->modules.count; i++) {
    RlxModule *module = file->modules.at[i];
    RlxSaid said = nothing_said();
    bool has_relax = false;
    add_votes(&file->analyzer->words, module->stmt, &said);
    for (uint32_t k = 0; k < module->fns.count; k++) {
      has_relax |= module->fns.at[k]->kind == RLX_ISLAND_RELAX;
      add_said(&said, &module->fns.at[k]->said);
    }
    const RlxDialect dialect = chosen(file, &said, &outer, has_relax, is_new);
    for (uint32_t k = 0; k < module->fns.count; k++) settle(module->fns.at[k], dialect);
  }
  for (uint32_t i = 0; i < file->fns.count; i++) {
    RlxFn *fn = file->fns.at[i];
    if (!fn->module)
      settle(fn, chosen(file, &fn->said, &outer, fn->kind == RLX_ISLAND_RELAX, is_new));
  }
  return true;
}

RlxDialect rlx_file_outer_dialect(RlxFile *file) {
  if (!file->is_stale && file->outer_dialect_round == file->round) return file->outer_dialect;
  const RlxSaid none = {0};
  RlxSaid outer = {0};
  uint32_t sums[RLX_DIALECT_COUNT];
  outer_votes(file, &outer);
  file->outer_dialect = winner(&none, &outer, sums);
  file->outer_dialect_round = file->round;
  return file->outer_dialect;
}
