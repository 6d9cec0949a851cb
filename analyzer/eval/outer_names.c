/// The names that Python binds around islands: which statement binds them, in which block, and which
/// of them changed. Nothing is evaluated here; outer.c gives the values.
#include "analyzer/eval/outer.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/state/state.h"
#include "base/hash.h"
#include "base/mem.h"

static uint64_t key_of(const RlxBlock *block, RlxName name) {
  uint64_t key = rlx_hash_mix(rlx_hash_ptr(block), name);
  return key ? key : 1;
}

/// What becomes of the names that a scan finds.
typedef struct Scan {
  RlxFile *file;
  bool is_told;  ///< they are noted as changed; else they are entered in the table
  bool is_alone; ///< told: what stands in the statement is told of by itself
  bool is_wide;  ///< told: more hangs on a statement than those who read its names
} Scan;

/// Notes a name as changed. One that has a meaning without being bound (`R`, `len`) is read without
/// being noted.
static void tell(Scan *s, RlxName name) {
  RlxValue v;
  const char *text = rlx_store_text(s->file->store, name);
  rlx_outer_note_change(s->file, name);
  s->is_wide |=
      rlx_names_predefined(&s->file->analyzer->words, text, &v) || rlx_names_is_builtin(text);
}

static uint32_t start_of(const RlxFile *file, uint32_t at) {
  return file->outer.at[at - 1].stmt->start;
}

/// Two jumps of one length make one that is as long as both and one more: any place in the chain is few of them away.
static void link_jump(const RlxFile *file, RlxOuterBinding *binding, uint32_t last) {
  const RlxOuterBinding *before = &file->outer.at[last - 1];
  const RlxOuterBinding *far = before->jump ? &file->outer.at[before->jump - 1] : NULL;
  binding->jump = last;
  binding->jump_length = 1;
  if (!far || before->jump_length != far->jump_length) return;
  binding->jump = far->jump;
  binding->jump_length += 2 * before->jump_length;
  if (start_of(file, before->least) < binding->stmt->start) binding->least = before->least;
  if (start_of(file, far->least) < start_of(file, before->least) &&
      start_of(file, far->least) < binding->stmt->start)
    binding->least = far->least;
}

static void add(Scan *s, const RlxBlock *scope, RlxName name, RlxStmt *stmt,
                const RlxImport *import, bool conditional, bool opaque) {
  RlxFile *file = s->file;
  if (!name) return;
  if (s->is_told) {
    tell(s, name);
    return;
  }
  RlxOuterBinding binding = {.name = name,
                             .block = scope,
                             .stmt = stmt,
                             .import = import,
                             .is_conditional = conditional,
                             .is_opaque = opaque};
  uint64_t key = key_of(scope, name), old = 0;
  rlx_map_get(&file->outer_index, key, &old);
  binding.next = (uint32_t)old;
  binding.first = file->outer.count + 1;
  binding.is_global = stmt->kind == RLX_STMT_GLOBAL;
  binding.oldest = file->outer.count + 1;
  binding.least = file->outer.count + 1;
  if (old) {
    RlxOuterBinding *last = &file->outer.at[old - 1];
    last->newer = file->outer.count + 1;
    binding.is_global |= last->is_global;
    binding.oldest = last->oldest;
    if (file->outer.at[last->first - 1].stmt->start <= stmt->start) binding.first = last->first;
    link_jump(file, &binding, (uint32_t)old);
  }
  rlx_vec_push(&file->outer, binding);
  rlx_map_put(&file->outer_index, key, file->outer.count);
  if (stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED ||
      stmt->kind == RLX_STMT_FOR)
    rlx_vec_push(&file->outer_assigns, file->outer.count - 1);
}

static void add_target(Scan *s, const RlxBlock *scope, RlxStmt *stmt, const RlxAst *target,
                       bool conditional, bool opaque) {
  if (!target) return;
  switch ((RlxAstKind)target->kind) {
  case RLX_AST_NAME: add(s, scope, target->name, stmt, NULL, conditional, opaque); break;
  case RLX_AST_TUPLE:
  case RLX_AST_LIST:
  case RLX_AST_STARRED:
    for (uint32_t i = 0; i < target->child_count; i++)
      add_target(s, scope, stmt, target->children[i], conditional, opaque);
    break;
  case RLX_AST_HOLE:
  case RLX_AST_INT:
  case RLX_AST_FLOAT:
  case RLX_AST_IMAGINARY:
  case RLX_AST_STRING:
  case RLX_AST_BYTES:
  case RLX_AST_FSTRING:
  case RLX_AST_TRUE:
  case RLX_AST_FALSE:
  case RLX_AST_NONE:
  case RLX_AST_ELLIPSIS:
  case RLX_AST_SET:
  case RLX_AST_DICT:
  case RLX_AST_CALL:
  case RLX_AST_KEYWORD:
  case RLX_AST_ATTRIBUTE:
  case RLX_AST_SUBSCRIPT:
  case RLX_AST_SLICE:
  case RLX_AST_UNARY:
  case RLX_AST_BINARY:
  case RLX_AST_BOOL_OP:
  case RLX_AST_COMPARE:
  case RLX_AST_CONDITIONAL:
  case RLX_AST_LAMBDA:
  case RLX_AST_DOUBLE_STARRED:
  case RLX_AST_COMPREHENSION:
  case RLX_AST_COMP_FOR:
  case RLX_AST_COMP_IF:
  case RLX_AST_NAMED:
  case RLX_AST_AWAIT:
  case RLX_AST_YIELD: break;
  }
}

static void scan(Scan *s, const RlxBlock *block, const RlxBlock *scope, bool conditional);

static void scan_nested(Scan *s, RlxStmt *stmt, const RlxBlock *scope) {
  if (stmt->body) scan(s, stmt->body, scope, true);
  if (stmt->orelse) scan(s, stmt->orelse, scope, true);
  for (uint32_t i = 0; i < stmt->block_count; i++) scan(s, stmt->blocks[i], scope, true);
}

/// Whether a statement may mean more than its names: imports say what the vocabulary is called, a
/// class is a module, and a call in one may list its global infos.
static bool means_more(const RlxStmt *stmt) {
  bool in_class = stmt->block && stmt->block->parent && stmt->block->parent->kind == RLX_STMT_CLASS;
  return stmt->kind == RLX_STMT_IMPORT || stmt->kind == RLX_STMT_GLOBAL ||
         stmt->kind == RLX_STMT_CLASS ||
         (in_class && stmt->kind == RLX_STMT_EXPR &&
          (!stmt->value || stmt->value->kind == RLX_AST_CALL || stmt->has_error));
}

/// `from __future__ import annotations`.
static bool is_string_annotations(const RlxFile *file, const RlxImport *import) {
  return import->member && strcmp(rlx_store_text(file->store, import->module), "__future__") == 0 &&
         strcmp(rlx_store_text(file->store, import->member), "annotations") == 0;
}

static void scan_stmt(Scan *s, RlxStmt *stmt, const RlxBlock *scope, bool conditional) {
  if (s->is_told) s->is_wide |= means_more(stmt);
  switch ((RlxStmtKind)stmt->kind) {
  case RLX_STMT_IMPORT:
  case RLX_STMT_GLOBAL:
    for (uint32_t k = 0; k < stmt->import_count; k++) {
      if (stmt->kind == RLX_STMT_IMPORT && is_string_annotations(s->file, &stmt->imports[k]))
        s->file->has_string_annotations = true;
      if (!stmt->imports[k].name)
        s->file->has_star_import |= stmt->kind == RLX_STMT_IMPORT;
      else
        add(s, scope, stmt->imports[k].name, stmt,
            stmt->kind == RLX_STMT_IMPORT ? &stmt->imports[k] : NULL, conditional,
            stmt->kind == RLX_STMT_GLOBAL);
    }
    break;
  case RLX_STMT_ASSIGN:
  case RLX_STMT_ANNOTATED:
    for (uint32_t k = 0; k < stmt->target_count; k++)
      add_target(s, scope, stmt, stmt->targets[k], conditional, false);
    break;
  case RLX_STMT_AUGMENTED:
  case RLX_STMT_DELETE:
    for (uint32_t k = 0; k < stmt->target_count; k++)
      add_target(s, scope, stmt, stmt->targets[k], conditional, true);
    break;
  case RLX_STMT_FOR:
    for (uint32_t k = 0; k < stmt->target_count; k++)
      add_target(s, scope, stmt, stmt->targets[k], true, true);
    scan_nested(s, stmt, scope);
    break;
  case RLX_STMT_WITH:
    for (uint32_t k = 0; k < stmt->item_count; k++)
      add_target(s, scope, stmt, stmt->items[k].target, conditional, true);
    if (stmt->body) scan(s, stmt->body, scope, conditional);
    break;
  case RLX_STMT_IF:
  case RLX_STMT_WHILE:
  case RLX_STMT_TRY:
  case RLX_STMT_MATCH: scan_nested(s, stmt, scope); break;
  case RLX_STMT_DEF: {
    add(s, scope, stmt->name, stmt, NULL, conditional, false);
    RlxIslandKind kind;
    // While statements go, nothing is asked about those around.
    if (!s->is_alone && rlx_island_kind(s->file, stmt, &kind)) break;
    for (uint32_t k = 0; k < stmt->param_count; k++)
      add(s, stmt->body, stmt->params[k].name, stmt, NULL, false, true);
    if (stmt->body) scan(s, stmt->body, stmt->body, false);
    break;
  }
  case RLX_STMT_CLASS:
    add(s, scope, stmt->name, stmt, NULL, conditional, false);
    for (uint32_t k = 0; k < stmt->type_param_count; k++)
      add(s, stmt->body, stmt->type_params[k], stmt, NULL, false, true);
    if (stmt->body) scan(s, stmt->body, stmt->body, false);
    break;
  case RLX_STMT_TYPE_ALIAS: add(s, scope, stmt->name, stmt, NULL, conditional, true); break;
  case RLX_STMT_HOLE:
  case RLX_STMT_EXPR:
  case RLX_STMT_RETURN:
  case RLX_STMT_ASSERT:
  case RLX_STMT_RAISE:
  case RLX_STMT_PASS:
  case RLX_STMT_BREAK:
  case RLX_STMT_CONTINUE: break;
  }
}

static void scan(Scan *s, const RlxBlock *block, const RlxBlock *scope, bool conditional) {
  for (uint32_t i = 0; !s->is_alone && i < block->count; i++) {
    if (!s->is_told) rlx_outer_note_mutated(s->file, block->stmts[i]);
    scan_stmt(s, block->stmts[i], scope, conditional);
  }
}

void rlx_outer_clear(RlxFile *file) {
  rlx_vec_clear(&file->outer);
  rlx_vec_clear(&file->outer_assigns);
  rlx_outer_forget_spread(file);
  rlx_map_clear(&file->outer_index);
  rlx_arena_free(file->outer_arena);
  file->outer_arena = rlx_arena_new();
  file->outer_sink.arena = file->outer_arena;
  rlx_vec_clear(&file->outer_sink.diags);
  file->has_star_import = file->has_string_annotations = false;
}

void rlx_outer_evaluate_again(RlxFile *file) {
  for (uint32_t i = 0; i < file->outer.count; i++) file->outer.at[i].state = 0;
}

static bool imports_vocabulary(const RlxFile *file, const RlxOuterBinding *b) {
  return b->import && b->import->module &&
         strncmp(rlx_store_text(file->store, b->import->module), "tvm.script", 10) == 0;
}

/// The names that only ever stand for a part of TVMScript's vocabulary, → 1: calls such as
/// `T.reads(…)` that stand outside of a function for a while change nothing of it.
static RlxMap vocabulary(const RlxFile *file) {
  RlxMap names = {0};
  for (uint32_t i = 0; i < file->outer.count; i++)
    if (imports_vocabulary(file, &file->outer.at[i]))
      rlx_map_put(&names, file->outer.at[i].name, 1);
  for (uint32_t i = 0; i < file->outer.count; i++)
    if (!imports_vocabulary(file, &file->outer.at[i]) &&
        rlx_map_get(&names, file->outer.at[i].name, NULL))
      rlx_map_put(&names, file->outer.at[i].name, 0);
  return names;
}

/// Notes the names of `a` that `b` has not, or with another value.
static void note_differences(RlxFile *file, const RlxMap *a, const RlxMap *b,
                             const RlxMap *vocabulary) {
  RlxMapEntry entry;
  for (uint32_t cursor = 0; rlx_map_next(a, &cursor, &entry);) {
    uint64_t other = 0, is_vocabulary = 0;
    if (rlx_map_get(b, entry.key, &other) && other == entry.value) continue;
    rlx_map_get(vocabulary, entry.key, &is_vocabulary);
    if (!is_vocabulary) rlx_outer_note_change(file, (RlxName)entry.key);
  }
}

void rlx_outer_build(RlxFile *file) {
  RlxMap before = file->mutated;
  file->mutated = (RlxMap){0};
  rlx_outer_clear(file);
  const RlxBlock *root = rlx_document_root(file->document);
  rlx_island_names_hold(&file->island_names);
  scan(&(Scan){.file = file}, root, root, false);
  rlx_island_names_let_go(&file->island_names);
  rlx_outer_spread_mutated(file);
  RlxMap known = vocabulary(file);
  note_differences(file, &before, &file->mutated, &known);
  note_differences(file, &file->mutated, &before, &known);
  rlx_map_free(&known);
  rlx_map_free(&before);
}

bool rlx_outer_note_name(RlxFile *file, RlxName name) {
  Scan s = {.file = file, .is_told = true};
  tell(&s, name);
  return !s.is_wide;
}

bool rlx_outer_note_names(RlxFile *file, RlxStmt *stmt, bool is_alone) {
  Scan s = {.file = file, .is_told = true, .is_alone = is_alone};
  scan_stmt(&s, stmt, stmt->block, false);
  return !s.is_wide;
}

uint32_t rlx_outer_first(const RlxFile *file, const RlxBlock *scope, RlxName name) {
  uint64_t at = 0;
  return rlx_map_get(&file->outer_index, key_of(scope, name), &at) ? (uint32_t)at : 0;
}

uint32_t rlx_outer_above(const RlxFile *file, uint32_t at, uint32_t position) {
  while (at && start_of(file, at) >= position) {
    const RlxOuterBinding *binding = &file->outer.at[at - 1];
    at = start_of(file, binding->least) >= position ? binding->jump : binding->next;
  }
  return at;
}

bool rlx_outer_is_single(const RlxFile *file, const RlxStmt *from, RlxName name) {
  const RlxBlock *block = from->block, *root = rlx_document_root(file->document);
  for (; block && block != root; block = block->parent ? block->parent->block : NULL)
    if (rlx_outer_first(file, block, name)) return false;
  const uint32_t at = rlx_outer_first(file, root, name);
  return at && !file->outer.at[at - 1].next && !rlx_map_get(&file->mutated, name, NULL);
}

bool rlx_outer_sees(RlxFile *file, const RlxStmt *from, const RlxBlock *block) {
  const RlxStmt *around = block->parent;
  return !around || around->kind != RLX_STMT_CLASS || !from || from->block == block ||
         file->has_string_annotations || rlx_module_of(file, around);
}

void rlx_outer_each(RlxFile *file, const RlxStmt *from, void (*each)(RlxName name, void *data),
                    void *data) {
  const RlxBlock *block = from ? from->block : rlx_document_root(file->document);
  for (; block; block = block->parent ? block->parent->block : NULL) {
    const uint32_t count = rlx_outer_sees(file, from, block) ? file->outer.count : 0;
    for (uint32_t i = 0; i < count; i++)
      if (file->outer.at[i].block == block) each(file->outer.at[i].name, data);
  }
}

// ---- changes

bool rlx_outer_note_change(RlxFile *file, RlxName name) {
  return name && rlx_map_put(&file->changed_outer, name, 1);
}

/// An assignment or a loop around islands, with what it binds: `count` of file->outer_assigns from `first` on.
typedef struct Binder {
  uint32_t first, count;
  bool is_changed;
} Binder;

/// What mentions what, while changes are spread: until the table of names or the changes are others.
typedef struct RlxOuterSpread {
  Vec(Binder) binders;
  Vec(uint32_t) mentioning; ///< a binder for each name that it mentions
  Vec(uint32_t) before;     ///< of each of these 1 + the one before with the same name, 0: none
  RlxMap last;              ///< name → 1 + the last of these
  Vec(RlxName) changed;     ///< names that are to be followed
} RlxOuterSpread;

/// Notes the names that the value of `binder` mentions. False: it is too deep to tell.
static bool note_mentions(RlxOuterSpread *s, const RlxAst *ast, uint32_t binder, int depth) {
  if (!ast) return true;
  if (depth > 200) return false;
  bool is_known = true;
  if (ast->name && (ast->kind == RLX_AST_NAME || ast->kind == RLX_AST_ATTRIBUTE)) {
    uint64_t last = 0;
    rlx_map_get(&s->last, ast->name, &last);
    if (!last || s->mentioning.at[last - 1] != binder) {
      rlx_vec_push(&s->mentioning, binder);
      rlx_vec_push(&s->before, (uint32_t)last);
      rlx_map_put(&s->last, ast->name, s->mentioning.count);
    }
  }
  for (uint32_t i = 0; i < ast->child_count; i++)
    is_known &= note_mentions(s, ast->children[i], binder, depth + 1);
  for (uint32_t i = 0; ast->kind == RLX_AST_LAMBDA && i < ast->param_count; i++)
    is_known &= note_mentions(s, ast->params[i].default_value, binder, depth + 1);
  return is_known;
}

/// All that the binder binds has changed.
static void change_bound(RlxFile *file, RlxOuterSpread *s, Binder *binder) {
  for (uint32_t i = 0; !binder->is_changed && i < binder->count; i++) {
    const RlxName name = file->outer.at[file->outer_assigns.at[binder->first + i]].name;
    if (rlx_outer_note_change(file, name)) rlx_vec_push(&s->changed, name);
  }
  binder->is_changed = true;
}

/// Whether all that binders [first, end) of file->outer_assigns bind is noted as changed: what their value mentions tells nothing new.
static bool are_changed(const RlxFile *file, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; i++)
    if (!rlx_map_get(&file->changed_outer, file->outer.at[file->outer_assigns.at[i]].name, NULL))
      return false;
  return true;
}

void rlx_outer_forget_spread(RlxFile *file) {
  RlxOuterSpread *s = file->spread;
  if (!s) return;
  rlx_vec_free(&s->binders);
  rlx_vec_free(&s->mentioning);
  rlx_vec_free(&s->before);
  rlx_vec_free(&s->changed);
  rlx_map_free(&s->last);
  free(s);
  file->spread = NULL;
}

static void begin_spread(RlxFile *file) {
  RlxOuterSpread *s = file->spread = rlx_mem_zeroed(1, sizeof *s);
  RlxMapEntry entry;
  for (uint32_t cursor = 0; rlx_map_next(&file->changed_outer, &cursor, &entry);)
    rlx_vec_push(&s->changed, (RlxName)entry.key);
  for (uint32_t i = 0, end; i < file->outer_assigns.count; i = end) {
    const RlxStmt *stmt = file->outer.at[file->outer_assigns.at[i]].stmt;
    for (end = i + 1; end < file->outer_assigns.count; end++) // it may bind thousands of names
      if (file->outer.at[file->outer_assigns.at[end]].stmt != stmt) break;
    if (are_changed(file, i, end)) continue;
    rlx_vec_push(&s->binders, (Binder){.first = i, .count = end - i});
    bool is_known = note_mentions(s, stmt->value, s->binders.count - 1, 0);
    for (const RlxStmt *around = stmt->block->parent; around && around->kind == RLX_STMT_IF;
         around = around->block->parent) // whether it is carried out
      is_known &= note_mentions(s, around->value, s->binders.count - 1, 0);
    if (!is_known) change_bound(file, s, &rlx_vec_last(&s->binders));
  }
}

void rlx_outer_spread_changes(RlxFile *file, RlxName name) {
  if (!rlx_map_count(&file->changed_outer) || !file->outer_assigns.count) return;
  if (!name) rlx_outer_forget_spread(file);
  if (file->spread)
    rlx_vec_push(&file->spread->changed, name);
  else
    begin_spread(file);
  RlxOuterSpread *s = file->spread;
  while (s->changed.count) {
    uint64_t at = 0;
    rlx_map_get(&s->last, rlx_vec_pop(&s->changed), &at);
    for (; at; at = s->before.at[at - 1])
      change_bound(file, s, &s->binders.at[s->mentioning.at[at - 1]]);
  }
}

bool rlx_outer_changed(const RlxFile *file, const RlxName *names, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (names[i] && rlx_map_get(&file->changed_outer, names[i], NULL)) return true;
  return false;
}
