/// The facade: sessions and files; what an edit means for the analysis; the passes over a file's
/// functions. Always true: after rlx_file_analyze returned true every statement's results are those
/// that a fresh analysis of the same text gives.

#include <stdlib.h>
#include <string.h>

#include "analyzer/eval/outer.h"
#include "analyzer/eval/parked.h"
#include "analyzer/eval/signature.h"
#include "analyzer/function/files.h"
#include "analyzer/function/function.h"
#include "analyzer/function/recognize.h"
#include "analyzer/words/spell.h"
#include "base/mem.h"
#include "base/nearest.h"

static const RlxEvalHooks eval_hooks = {.outer_value = rlx_outer_lookup,
                                        .sign = rlx_fn_signature,
                                        .imported = rlx_imported_value,
                                        .imported_star = rlx_imported_star,
                                        .open = rlx_file_open,
                                        .close = rlx_file_close};

RlxAnalyzer *rlx_analyzer_new(const RlxSettings *settings) {
  RlxAnalyzer *a = rlx_mem_zeroed(1, sizeof *a);
  if (settings) a->settings = a->common = *settings;
  a->store = rlx_store_new();
  a->arena = rlx_arena_new();
  a->scratch = rlx_arena_new();
  a->hooks = &eval_hooks;
  a->words.store = a->store;
  a->words.arena = a->arena;
  a->name_lv = rlx_word_name(&a->words, "lv");
  a->name_gv = rlx_word_name(&a->words, "gv");
  a->name_underscore = rlx_word_name(&a->words, "_");
  a->name_return = rlx_word_name(&a->words, "return");
  a->name_impure = rlx_word_name(&a->words, "pass"); // a keyword: no variable has this name
  return a;
}

void rlx_analyzer_free(RlxAnalyzer *a) {
  if (!a) return;
  rlx_parked_close(a);
  while (a->free_envs) {
    RlxEnv *env = a->free_envs;
    a->free_envs = env->next_free;
    free(env->at);
    rlx_vec_free(&env->undo);
    rlx_vec_free(&env->hidden);
    free(env);
  }
  rlx_words_free(&a->words);
  rlx_map_free(&a->row_defaults);
  rlx_metadata_free(a);
  rlx_arena_free(a->arena);
  rlx_arena_free(a->scratch);
  rlx_store_free(a->store);
  free(a);
}

RlxStore *rlx_analyzer_store(RlxAnalyzer *analyzer) { return analyzer->store; }

void rlx_analyzer_configure(RlxAnalyzer *analyzer, const RlxSettings *settings) {
  analyzer->settings = analyzer->common = *settings;
  analyzer->settings_serial++;
}

void rlx_settings_write(const RlxSettings *settings, RlxBuf *out) {
  struct Known { // a new setting has to be written as well
    bool implicit_match_cast;
    uint8_t normal_form;
    const char *dialect;
    bool returns_warn, printed, is_prompt, is_evaluated;
  };
  _Static_assert(sizeof(struct Known) == sizeof(RlxSettings), "write the new setting");
  rlx_buf_printf(out, "%d %u %s %d %d %d %d", settings->implicit_match_cast, settings->normal_form,
                 settings->dialect ? settings->dialect : "", settings->returns_warn,
                 settings->printed, settings->is_prompt, settings->is_evaluated);
}

void rlx_file_configure(RlxFile *file, const RlxSettings *settings) {
  RlxBuf old = {0}, now = {0};
  rlx_settings_write(file->has_settings ? &file->settings : &file->analyzer->common, &old);
  rlx_settings_write(settings, &now);
  bool same = strcmp(rlx_buf_text(&old), rlx_buf_text(&now)) == 0;
  rlx_buf_free(&old);
  rlx_buf_free(&now);
  file->settings = *settings;
  file->has_settings = true;
  file->settings_changes += !same;
  if (!same) file->is_stale = file->all_dirty = true;
}

// ---- what an edit did

/// The suite of units that belongs to `block`, with its function; NULL: the block is none of a
/// function's.
static RlxSuite *suite_of(const RlxBlock *block, RlxFn **out_fn) {
  RlxAnalysis *unit = block->parent ? block->parent->analysis : NULL;
  *out_fn = NULL;
  if (!unit) return NULL;
  if (unit->fn && unit->fn->body && unit->fn->body->block == block) {
    *out_fn = unit->fn;
    return unit->fn->body;
  }
  *out_fn = unit->fn ? unit->fn : unit->owner;
  if (unit->body && unit->body->block == block) return unit->body;
  if (unit->orelse && unit->orelse->block == block) return unit->orelse;
  return NULL;
}

/// Is `block` inside a function island, tracked or not?
static bool inside_island(const RlxBlock *block) {
  for (const RlxStmt *stmt = block->parent; stmt; stmt = stmt->block ? stmt->block->parent : NULL) {
    const RlxAnalysis *unit = stmt->analysis;
    if (unit && unit->fn) return true;
  }
  return false;
}

/// A statement outside of functions came, or it went, and then those in it are told of as well: who
/// reads a name that it binds looks again.
static void touch_outside(RlxFile *file, RlxStmt *stmt, bool has_gone) {
  file->needs_discovery = true;
  const RlxAnalysis *unit = stmt->analysis;
  const bool is_known = unit && unit->module; // a class that is a module under another name
  if (!file->all_dirty)
    file->all_dirty = is_known ? !rlx_outer_note_name(file, stmt->name)
                               : !rlx_outer_note_names(file, stmt, has_gone);
}

static void mark_dirty(RlxFn *fn) {
  for (; fn; fn = fn->outer) {
    fn->is_dirty = true;
    if (fn->outer && fn->unit) fn->unit->is_dirty = true;
  }
}

/// The function that the nearest analysed statement around `block` belongs to; NULL: none.
static RlxFn *island_of(const RlxBlock *block) {
  for (const RlxStmt *stmt = block->parent; stmt; stmt = stmt->block ? stmt->block->parent : NULL) {
    const RlxAnalysis *unit = stmt->analysis;
    RlxFn *fn = unit ? unit->fn ? unit->fn : unit->owner : NULL;
    if (fn) return fn;
  }
  return NULL;
}

/// Something in an island that is no statement of a sweep changed.
static void mark_around(RlxFile *file, const RlxBlock *block) {
  RlxFn *fn = island_of(block);
  if (!fn) return;
  mark_dirty(fn);
  rlx_fn_outermost(fn)->has_votes = false;
  if (fn->kind == RLX_ISLAND_RELAX) return;
  fn->signature_state = 0;
  rlx_outer_note_change(file, fn->stmt->name);
}

/// A Relax function whose head was written anew keeps its units and variables where its body stays: it
/// goes over to the def that has the body now. What of it is analysed again
/// the new signature decides; whether that def is a function at all is found out later (rlx_file_discover).
static void hand_over_function(RlxFn *fn, RlxStmt *heir) {
  rlx_recognize_heir(fn, heir);
  fn->stmt = heir;
  fn->function.stmt = heir;
  fn->signature_state = 0;
  fn->has_votes = false;
  fn->is_dirty = true;
}

/// A module keeps its functions in the same way when its class is called otherwise; what their
/// signatures say of it is said anew. Which they are is found out later: an edit before this one may have taken some.
static void hand_over_module(RlxModule *module, RlxStmt *heir) {
  module->stmt = heir;
  module->has_new_head = true;
}

static void hand_over(RlxStmt *from, RlxStmt *heir, void *data) {
  RlxFile *file = data;
  RlxAnalysis *unit = from->analysis;
  if (!unit || from->kind != heir->kind || heir->analysis) return;
  if (unit->kind == RLX_UNIT_WITH) {
    rlx_with_keep(file, unit, heir);
    return;
  }
  const bool is_function = unit->kind == RLX_UNIT_ISLAND && from->kind == RLX_STMT_DEF &&
                           unit->fn && unit->fn->body,
             is_module = unit->kind == RLX_UNIT_CLASS && from->kind == RLX_STMT_CLASS &&
                         unit->module && !from->type_param_count && !heir->type_param_count;
  if (!is_function && !is_module) return;
  touch_outside(file, from, true);
  from->analysis = NULL;
  heir->analysis = unit;
  unit->stmt = heir;
  unit->has_error = heir->has_error;
  if (is_function)
    hand_over_function(unit->fn, heir);
  else
    hand_over_module(unit->module, heir);
  rlx_vec_push(&file->heirs, heir);
  rlx_map_put_ptr(&file->bequeathed, from, from);
}

static void forget_heir(RlxFile *file, const RlxStmt *stmt) {
  for (uint32_t i = file->heirs.count; i-- > 0;)
    if (file->heirs.at[i] == stmt) rlx_vec_remove_n(&file->heirs, i, 1);
}

/// The statement that stands where `stmt`, which goes, stood: the edit replaced a run of statements by as many. NULL: there is none.
static RlxStmt *successor(const RlxFile *file, const RlxStmt *stmt) {
  uint32_t count = 0;
  const RlxSplice *splices = rlx_document_splices(file->document, &count);
  for (uint32_t i = 0; i < count; i++) {
    const RlxSplice *s = &splices[i];
    if (s->block != stmt->block || s->removed != s->inserted || stmt->index < s->index ||
        stmt->index - s->index >= s->removed)
      continue;
    RlxStmt *heir = s->block->stmts[stmt->index];
    return heir != stmt ? heir : NULL;
  }
  return NULL;
}

/// An import whose line was written anew and that binds what it bound: an edit of a blank, of a comment, or a slip. Nobody
/// who reads its names has to look again; what it says of the dialect and of decorators is counted at every discovery.
static bool follow_import(RlxFile *file, const RlxStmt *stmt) {
  const RlxStmt *heir = stmt->kind == RLX_STMT_IMPORT && stmt->block ? successor(file, stmt) : NULL;
  if (!heir || heir->kind != RLX_STMT_IMPORT || heir->import_count != stmt->import_count)
    return false;
  for (uint32_t i = 0; i < stmt->import_count; i++)
    if (heir->imports[i].name != stmt->imports[i].name ||
        heir->imports[i].module != stmt->imports[i].module ||
        heir->imports[i].member != stmt->imports[i].member)
      return false;
  file->needs_discovery = true;
  rlx_map_put_ptr(&file->bequeathed, heir, heir);
  return true;
}

static void drop(RlxStmt *stmt, void *data) {
  RlxFile *file = data;
  RlxAnalysis *unit = stmt->analysis;
  if (stmt->kind == RLX_STMT_DEF || stmt->kind == RLX_STMT_CLASS) forget_heir(file, stmt);
  if (stmt->kind == RLX_STMT_WITH) rlx_with_forget(file, stmt, NULL);
  if (rlx_map_remove_ptr(&file->bequeathed, stmt)) return; // it was told of
  if (!unit) {
    if (!file->is_closing && !(stmt->block && inside_island(stmt->block)) &&
        !follow_import(file, stmt))
      touch_outside(file, stmt, true);
    return;
  }
  rlx_analysis_forget_reading(unit);
  stmt->analysis = NULL;
  unit->stmt = NULL;
  if (unit->owner && !file->is_closing) mark_dirty(unit->owner);
  if (unit->kind != RLX_UNIT_ISLAND && unit->kind != RLX_UNIT_CLASS) return; // its suite lets it go
  if (unit->kind == RLX_UNIT_CLASS)
    file->needs_discovery = file->all_dirty = true;
  else if (!file->is_closing)
    touch_outside(file, stmt, true);
  rlx_analysis_free(unit);
}

/// The suite lacks units, and so do those around it at the statement that holds it.
static void note_gaps(const RlxSplice *splice, RlxSuite *suite) {
  rlx_suite_note_gap(suite, splice->index, splice->removed, splice->inserted);
  for (const RlxStmt *stmt = splice->block->parent; stmt && stmt->block;
       stmt = stmt->block->parent) {
    RlxSuite *around = suite_of(stmt->block, &(RlxFn *){NULL});
    if (!around) return;
    rlx_suite_note_gap(around, stmt->index, 1, 1);
  }
}

/// In a function whose decorator is misspelt a name that decorates others may be bound.
static void follow_names(RlxFile *file, const RlxBlock *block) {
  const RlxFn *fn = rlx_fn_outermost(island_of(block));
  if (fn && !rlx_island_hides_names(&file->island_names, fn->stmt)) file->needs_discovery = true;
}

/// An `if` or `with` around a changed suite is swept anyway; nothing to mark but the function.
static void follow_splice(RlxFile *file, const RlxSplice *splice) {
  RlxFn *fn = NULL;
  RlxSuite *suite = suite_of(splice->block, &fn);
  if (!suite) suite = rlx_with_kept(file, splice->block, &fn);
  if (suite) {
    uint32_t end = splice->index + splice->removed;
    if (end > suite->units.count) end = suite->units.count;
    for (uint32_t i = splice->index; i < end; i++)
      if (suite->units.at[i]) rlx_analysis_free(suite->units.at[i]);
    if (end > splice->index) rlx_vec_remove_n(&suite->units, splice->index, end - splice->index);
    if (splice->inserted) rlx_vec_insert_n(&suite->units, splice->index, NULL, splice->inserted);
    note_gaps(splice, suite);
    mark_dirty(fn);
    follow_names(file, splice->block);
    return;
  }
  if (inside_island(splice->block)) {
    follow_names(file, splice->block);
    mark_around(file, splice->block);
    return;
  }
  for (uint32_t i = 0; i < splice->inserted && splice->index + i < splice->block->count; i++) {
    RlxStmt *stmt = splice->block->stmts[splice->index + i];
    if (!rlx_map_remove_ptr(&file->bequeathed, stmt)) touch_outside(file, stmt, false);
  }
}

/// A statement has another clause: its function is swept, which joins branches anew; outside of
/// functions what the clause binds may be new.
static void follow_clause(RlxFile *file, RlxStmt *stmt) {
  if (inside_island(stmt->block))
    mark_around(file, stmt->block);
  else
    touch_outside(file, stmt, false);
}

static void follow_edit(RlxFile *file) {
  uint32_t count = 0;
  const RlxSplice *splices = rlx_document_splices(file->document, &count);
  if (rlx_document_was_linked(file->document)) file->needs_build = true;
  for (uint32_t i = 0; i < count; i++) follow_splice(file, &splices[i]);
  rlx_map_clear(&file->bequeathed);
  RlxStmt *const *reclaused = rlx_document_reclaused(file->document, &count);
  for (uint32_t i = 0; i < count; i++) follow_clause(file, reclaused[i]);
  rlx_prim_names_forget(&file->prim_names);
  file->is_stale = true;
  file->has_old_modules |= file->imported.count > 0;
  if (file->has_refused_module) rlx_file_forget_modules(file);
}

/// Suppression comments that touch bytes [start, end) of the text.
static uint32_t count_suppressions(const RlxFile *file, uint32_t start, uint32_t end) {
  static const char mark[] = "rlx: ignore";
  enum { LENGTH = sizeof mark - 1 };
  uint32_t size, count = 0;
  const char *text = rlx_document_text(file->document, &size);
  if (end > size) end = size;
  start = start < LENGTH ? 0 : start - LENGTH + 1;
  end = size - end < LENGTH ? size : end + LENGTH - 1;
  for (const char *at = text + start;
       start < end && (at = memmem(at, (size_t)(text + end - at), mark, LENGTH)) != NULL;
       at += LENGTH)
    count++;
  return count;
}

RlxFile *rlx_file_open(RlxAnalyzer *analyzer, const char *text, uint32_t size) {
  RlxFile *file = rlx_mem_zeroed(1, sizeof *file);
  file->analyzer = analyzer;
  file->store = analyzer->store;
  file->serial = ++analyzer->next_file;
  file->settings_serial = analyzer->settings_serial;
  file->outer_arena = rlx_arena_new_sized(1024);
  file->diag_arena = rlx_arena_new_sized(256);
  file->document = rlx_document_new(analyzer->store, drop, file);
  rlx_document_on_moved_suite(file->document, hand_over);
  rlx_document_set_text(file->document, text, size);
  file->suppression_count = count_suppressions(file, 0, UINT32_MAX);
  file->is_stale = file->needs_discovery = file->all_dirty = true;
  return file;
}

void rlx_file_close(RlxFile *file) {
  if (!file) return;
  file->is_closing = true;
  rlx_imported_clear(file);
  rlx_vec_free(&file->imported);
  free(file->path);
  rlx_document_free(file->document);
  rlx_vec_free(&file->heirs);
  rlx_vec_free(&file->kept_withs);
  rlx_vec_free(&file->modules);
  rlx_vec_free(&file->fns);
  rlx_vec_free(&file->outer);
  rlx_vec_free(&file->outer_assigns);
  rlx_vec_free(&file->outer_calls);
  rlx_vec_free(&file->outer_sink.diags);
  rlx_map_free(&file->changed_outer);
  rlx_outer_forget_spread(file);
  rlx_vec_free(&file->diag_sink.diags);
  rlx_map_free(&file->outer_index);
  rlx_map_free(&file->mutated);
  rlx_map_free(&file->scope_seeds);
  rlx_map_free(&file->bequeathed);
  rlx_map_free(&file->maybe_bound);
  rlx_map_free(&file->first_problems);
  rlx_strmap_free(&file->outside);
  for (int i = 0; i < 2; i++) rlx_vec_free(&file->defined_names[i].at);
  rlx_island_names_free(&file->island_names);
  rlx_prim_names_forget(&file->prim_names);
  rlx_arena_free(file->outer_arena);
  rlx_arena_free(file->diag_arena);
  free(file);
}

void rlx_file_set_reader(RlxFile *file, const RlxModuleReader *reader) {
  file->reader = *reader;
  rlx_file_forget_modules(file);
}

void rlx_file_name_lines(RlxFile *file, const RlxLineNames *names) { file->line_names = *names; }

RlxFile *rlx_file_open_like(const RlxFile *file, const RlxBuf *text) {
  RlxFile *like = rlx_file_open(file->analyzer, rlx_buf_text(text), (uint32_t)text->size);
  if (file->has_settings) rlx_file_configure(like, &file->settings);
  if (file->reader.read) rlx_file_set_reader(like, &file->reader);
  return like;
}

void rlx_file_forget_modules(RlxFile *file) {
  rlx_imported_clear(file);
  file->is_stale = file->needs_discovery = file->all_dirty = true;
  file->asks_modules = false;
}

bool rlx_file_asks_modules(const RlxFile *file) { return file->asks_modules; }

void rlx_file_edit(RlxFile *file, uint32_t start, uint32_t old_end, const char *text,
                   uint32_t size) {
  uint32_t old_size, new_size;
  rlx_document_text(file->document, &old_size);
  if (start > old_size) start = old_size;
  if (old_end > old_size || old_end < start) old_end = old_end < start ? start : old_size;
  uint32_t before = count_suppressions(file, start, old_end);
  rlx_document_edit(file->document, start, old_end, text, size);
  rlx_document_text(file->document, &new_size);
  file->suppression_count +=
      count_suppressions(file, start, old_end - old_size + new_size) - before;
  follow_edit(file);
}

void rlx_file_set_text(RlxFile *file, const char *text, uint32_t size) {
  rlx_document_set_text(file->document, text, size);
  file->suppression_count = count_suppressions(file, 0, UINT32_MAX);
  follow_edit(file);
}

RlxDocument *rlx_file_document(RlxFile *file) { return file->document; }

RlxFileStats rlx_file_stats(const RlxFile *file) { return file->stats; }

// ---- the passes

static void start_over(RlxFile *file) {
  for (uint32_t i = 0; i < file->fns.count; i++) {
    RlxFn *fn = file->fns.at[i];
    fn->signature_state = 0;
    fn->is_dirty = fn->all_dirty = true;
  }
  file->all_dirty = false;
}

static uint32_t bytes_of_functions(const RlxFile *file) {
  uint32_t bytes = 1;
  for (uint32_t i = 0; i < file->fns.count; i++) bytes += file->fns.at[i]->stmt->size;
  return bytes;
}

/// Notes that readers of the function's name see it differently now.
static void note_change(RlxFile *file, RlxFn *fn) {
  const bool is_open = rlx_fn_is_open(fn, true);
  if (fn->function.sinfo == fn->last_sinfo && fn->declared == fn->last_declared &&
      (fn->ret_failed | fn->header_failed) == fn->last_failed && is_open == fn->was_open)
    return;
  fn->last_failed = fn->ret_failed | fn->header_failed;
  fn->was_open = is_open;
  fn->last_sinfo = fn->function.sinfo;
  fn->last_declared = fn->declared;
  if (rlx_outer_note_change(file, fn->stmt->name)) rlx_outer_spread_changes(file, fn->stmt->name);
}

/// A comment that came or went in a PrimFunc is no statement, but messages that name lines below it are made again.
static void follow_lines(RlxFile *file) {
  for (uint32_t i = 0; i < file->fns.count; i++) {
    RlxFn *fn = file->fns.at[i];
    fn->is_dirty |= fn->layout && rlx_primfunc_layout(fn) != fn->layout;
  }
}

/// Analyses what has to be of the functions, whose islands are known. False: cancelled.
static bool analyze_functions(RlxFile *file, const atomic_bool *cancel) {
  // A function knows those before it by their bodies and those behind it by their signatures: two
  // passes do.
  for (uint32_t i = 0; i < file->fns.count; i++) {
    const RlxFn *fn = file->fns.at[i];
    const RlxSInfo *before = fn->declared;
    bool had_failed = fn->header_failed;
    rlx_questions_of_statements(file->store, 1 + fn->stmt->head_size / 64);
    rlx_fn_refresh(file->fns.at[i]);
    if (fn->declared != before || fn->header_failed != had_failed)
      note_change(file, file->fns.at[i]);
  }
  rlx_share_begin(file);
  for (uint32_t i = 0; i < file->fns.count; i++) {
    if (cancel && *cancel) return false;
    if (!rlx_fn_analyze(file->fns.at[i], NULL, cancel)) return false;
    note_change(file, file->fns.at[i]);
  }
  return rlx_share_work(file, cancel);
}

/// Who misses a name may have it, or hush, now: what is broken, and any text around it, says so. And a
/// PrimFunc says less from its first broken line on.
static void follow_damage(RlxFile *file) {
  const uint8_t places = rlx_missing_places(file);
  RlxSyntaxProblems problems = {0};
  const bool is_broken = places || file->broken_places;
  if (is_broken) rlx_document_problems(file->document, &problems);
  for (uint32_t i = 0; i < file->fns.count; i++) {
    RlxFn *fn = file->fns.at[i];
    // a name that the signature misses may be bound by a statement, which is told with it
    if (fn->header_volatile && (is_broken || fn->is_dirty)) fn->signature_state = 0;
    if (!is_broken) continue;
    fn->is_dirty |=
        fn->has_volatile || (fn->kind == RLX_ISLAND_PRIM_FUNC &&
                             rlx_primfunc_broken_from(fn, &problems) != fn->broken_from);
  }
  rlx_vec_free(&problems);
  file->broken_places = places;
}

bool rlx_file_analyze(RlxFile *file, const atomic_bool *cancel) {
  if (file->settings_serial != file->analyzer->settings_serial) {
    file->settings_serial = file->analyzer->settings_serial;
    file->is_stale = file->all_dirty = true;
  }
  if (!file->is_stale) return true;
  file->round++;
  file->analyzer->settings = file->has_settings ? file->settings : file->analyzer->common;
  if (file->needs_build) {
    file->build_serial++;
    file->needs_build = false;
  }
  uint32_t text_size;
  rlx_document_text(file->document, &text_size);
  if (rlx_questions_size(text_size / 2) != file->items_size) {
    file->items_size = rlx_questions_size(text_size / 2);
    file->needs_discovery = file->all_dirty = true; // modules have values of Python, too
    rlx_outer_evaluate_again(file);
  }
  if (file->needs_discovery) {
    if (!rlx_file_discover(file, cancel)) return false;
    rlx_outer_spread_changes(
        file, 0); // over the table as it is now: what was removed from it was noted then
    file->needs_discovery = false;
    for (uint32_t i = 0; i < file->fns.count; i++) {
      RlxFn *fn = file->fns.at[i];
      fn->is_dirty |= fn->has_volatile;
      if (fn->header_volatile) fn->signature_state = 0;
    }
  }
  if (!rlx_file_recognize(file, cancel)) return false;
  follow_damage(file);
  follow_lines(file);
  const uint32_t bytes = bytes_of_functions(file);
  if (rlx_questions_size(bytes) != file->question_size) {
    file->all_dirty = true;
    rlx_outer_evaluate_again(file);
  }
  file->question_size = rlx_questions_size(bytes);
  if (file->all_dirty) start_over(file);
  rlx_questions_of_file(file->store, bytes);
  const bool is_done = analyze_functions(file, cancel);
  rlx_questions_of_file(file->store, 0);
  if (!is_done) return false;
  rlx_map_clear(&file->changed_outer);
  rlx_outer_forget_spread(file);
  file->is_stale = false;
  if (!file->has_refused_module || !file->has_old_modules) return true;
  rlx_file_forget_modules(file); // which ones are asked is to follow from this text alone
  return rlx_file_analyze(file, cancel);
}

// ---- functions

void rlx_file_functions(RlxFile *file, RlxFunctionViews *out) {
  rlx_file_analyze(file, NULL);
  for (uint32_t i = 0; i < file->fns.count; i++) {
    RlxFn *fn = file->fns.at[i];
    RlxFunctionView view = {.kind = fn->kind,
                            .name = fn->stmt->name,
                            .module = fn->module ? fn->module->name : 0,
                            .stmt = fn->stmt,
                            .module_stmt = fn->module ? fn->module->stmt : NULL,
                            .function = fn->kind == RLX_ISLAND_RELAX ? &fn->function : NULL,
                            .declared = fn->declared};
    rlx_vec_push(out, view);
  }
}

static bool can_be_called(const RlxFunctionView *view) {
  return view->kind == RLX_ISLAND_RELAX || view->kind == RLX_ISLAND_PRIM_FUNC;
}

const RlxFunctionView *rlx_function_view_in(const RlxFunctionViews *views, RlxName module,
                                            RlxName name) {
  for (uint32_t i = 0; i < views->count; i++)
    if (views->at[i].name == name && views->at[i].module == module && can_be_called(&views->at[i]))
      return &views->at[i];
  return NULL;
}

const RlxFunctionView *rlx_function_view(const RlxStore *store, const RlxFunctionViews *views,
                                         const char *name) {
  const char *dot = strchr(name, '.'), *last = dot ? dot + 1 : name;
  const RlxFunctionView *found = NULL;
  for (uint32_t i = 0; i < views->count; i++) {
    const RlxFunctionView *view = &views->at[i];
    if (!can_be_called(view) || strcmp(rlx_store_text(store, view->name), last) != 0) continue;
    if (!dot && !view->module) return view;
    const char *module = view->module ? rlx_store_text(store, view->module) : "";
    const bool is_there = !dot || (strlen(module) == (size_t)(dot - name) &&
                                   !memcmp(module, name, (size_t)(dot - name)));
    if (is_there && !found) found = view;
  }
  return found;
}

const RlxFunctionView *rlx_function_view_prim(const RlxStore *store, const RlxFunctionViews *views,
                                              const char *name, RlxBuf *out_why,
                                              bool *out_has_hint) {
  const RlxFunctionView *found = rlx_function_view(store, views, name);
  if (out_has_hint) *out_has_hint = false;
  if (found && found->kind == RLX_ISLAND_PRIM_FUNC) return found;
  if (found) {
    rlx_buf_printf(out_why, "`%s` is a function of Relax, not a PrimFunc", name);
    return NULL;
  }
  RlxNearest nearest = rlx_nearest_start(name);
  for (uint32_t i = 0; i < views->count; i++)
    if (views->at[i].kind == RLX_ISLAND_PRIM_FUNC)
      rlx_nearest_try(&nearest, rlx_store_text(store, views->at[i].name));
  rlx_buf_printf(out_why, "there is no PrimFunc `%s`", name);
  if (nearest.best) rlx_buf_printf(out_why, "; did you mean `%s`?", nearest.best);
  if (out_has_hint) *out_has_hint = nearest.best != NULL;
  return NULL;
}

void rlx_function_views_named(const RlxFunctionViews *views, RlxMap *out) {
  for (uint32_t i = 0; i < views->count; i++) {
    const RlxFunctionView *view = &views->at[i];
    uint64_t known;
    const bool is_known = rlx_map_get(out, view->name, &known);
    if (!can_be_called(view) || (is_known && (view->module || !views->at[known].module))) continue;
    rlx_map_put(out, view->name, i);
  }
}

void rlx_function_view_name(const RlxStore *store, const RlxFunctionViews *views,
                            const RlxMap *named, uint32_t place, RlxBuf *out) {
  const RlxFunctionView *view = &views->at[place];
  const char *name = rlx_store_text(store, view->name);
  uint64_t found;
  if (view->module && (!rlx_map_get(named, view->name, &found) || found != place))
    rlx_buf_printf(out, "%s.", rlx_store_text(store, view->module));
  rlx_buf_puts(out, name);
}

void rlx_file_stmt_bindings(RlxFile *file, const RlxStmt *stmt, RlxBinding *const **out,
                            uint32_t *out_count) {
  rlx_file_analyze(file, NULL);
  const RlxAnalysis *unit = stmt->analysis;
  *out = unit ? unit->bindings : NULL;
  *out_count = unit ? unit->binding_count : 0;
}
