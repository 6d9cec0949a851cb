/// Constants of a file that numpy makes: each is evaluated once more, now with somebody to hear what is
/// wrong with it. Always true: what may not run (under a condition, in a loop) is not looked at.
#include "analyzer/report/constants.h"

#include <string.h>

#include "analyzer/eval/eval.h"
#include "analyzer/eval/outer.h"
#include "analyzer/words/script_names.h"
#include "base/text.h"

static bool has_numpy(const RlxFile *file) {
  for (uint32_t i = 0; i < file->outer.count; i++) {
    const RlxImport *import = file->outer.at[i].import;
    const char *module = import ? rlx_store_text(file->store, import->module) : "";
    if (strcmp(module, "numpy") == 0 || strncmp(module, "numpy.", 6) == 0) return true;
  }
  return false;
}

static bool has_function(const RlxFile *file) {
  for (uint32_t i = 0; i < file->fns.count; i++) {
    const uint8_t kind = file->fns.at[i]->kind;
    if (kind == RLX_ISLAND_RELAX || kind == RLX_ISLAND_PRIM_FUNC) return true;
  }
  return false;
}

/// Whether there is a call, an operator or a name behind a dot in the value.
static bool may_raise(const RlxAst *ast, int depth) {
  enum { DEEP = 8 };
  if (ast->kind == RLX_AST_CALL || ast->kind == RLX_AST_ATTRIBUTE || ast->kind == RLX_AST_BINARY ||
      ast->kind == RLX_AST_SUBSCRIPT)
    return true;
  for (uint32_t i = 0; i < ast->child_count && depth < DEEP; i++)
    if (ast->children[i] && may_raise(ast->children[i], depth + 1)) return true;
  return false;
}

/// Whether something was reported.
static bool look_at(RlxFile *file, const RlxStmt *stmt, RlxFileDiags *out) {
  const uint32_t before = out->count;
  RlxEval e;
  RlxSink sink = {.arena = file->diag_arena};
  rlx_eval_init(&e, file, NULL, stmt, file->diag_arena, &sink);
  e.takes_scalar = true;
  rlx_eval(&e, stmt->value);
  rlx_eval_deinit(&e);
  for (uint32_t i = 0; i < sink.diags.count; i++) {
    RlxDiag *diag = sink.diags.at[i];
    if (diag->id != RLX_DIAG_ID(NUMPY_REFUSES) && diag->id != RLX_DIAG_ID(ATTRIBUTE_UNKNOWN))
      continue;
    RlxFileDiag d = {.diag = diag, .stmt = stmt, .span = rlx_stmt_absolute(stmt, diag->span)};
    rlx_vec_push(out, d);
  }
  rlx_vec_free(&sink.diags);
  return out->count > before;
}

/// Whether the hint is about a name that one of the statements in `refused` binds.
static bool is_of_refused(const RlxFile *file, const RlxFileDiag *d, const RlxMap *refused) {
  if (d->diag->id != RLX_DIAG_ID(NAME_UNKNOWN)) return false;
  uint32_t size = 0, end = d->span.start; // of `cfg.hidden` the name that is bound: cfg
  const char *text = rlx_document_text(file->document, &size);
  while (end < size && rlx_text_in_name(text[end])) end++;
  const RlxName id = rlx_store_intern(file->store, text + d->span.start, end - d->span.start);
  uint64_t found;
  uint32_t at = rlx_outer_first(file, rlx_document_root(file->document), id);
  for (; at; at = file->outer.at[at - 1].next)
    if (rlx_map_get(refused, (uint64_t)(uintptr_t)file->outer.at[at - 1].stmt, &found)) return true;
  return false;
}

/// That such a constant is not known follows from what was reported of it.
static void drop_hints(const RlxFile *file, RlxFileDiags *out, uint32_t from,
                       const RlxMap *refused) {
  uint32_t kept = from;
  for (uint32_t i = from; i < out->count; i++)
    if (!is_of_refused(file, &out->at[i], refused)) out->at[kept++] = out->at[i];
  out->count = kept;
}

void rlx_constant_diags(RlxFile *file, RlxFileDiags *out, uint32_t from) {
  RlxMap refused = {0};
  if (!has_numpy(file) || !has_function(file)) return;
  const RlxStmt *last = NULL;
  const RlxBlock *root = rlx_document_root(file->document);
  for (uint32_t i = 0; i < file->outer.count; i++) {
    const RlxOuterBinding *binding = &file->outer.at[i];
    const RlxStmt *stmt = binding->stmt;
    bool is_assigned = stmt && (stmt->kind == RLX_STMT_ASSIGN || stmt->kind == RLX_STMT_ANNOTATED);
    if (binding->import || binding->block != root || stmt->block != root ||
        binding->is_conditional || !is_assigned || stmt->has_error || !stmt->value || stmt == last)
      continue;
    last = stmt; // a, b = …
    if (may_raise(stmt->value, 0) && look_at(file, stmt, out))
      rlx_map_put(&refused, (uint64_t)(uintptr_t)stmt, 1);
  }
  if (rlx_map_count(&refused)) drop_hints(file, out, from, &refused);
  rlx_map_free(&refused);
}

/// Whether a function of TVM's in the file is surely of a dialect without the package tir, which became tirx.
static bool has_no_tir(const RlxFile *file) {
  for (uint32_t i = 0; i < file->fns.count; i++) {
    const RlxFn *fn = file->fns.at[i];
    const bool is_tvms = fn->kind == RLX_ISLAND_RELAX || fn->kind == RLX_ISLAND_PRIM_FUNC;
    if (is_tvms && rlx_script_names_cover((RlxDialect)fn->dialect) &&
        !rlx_fn_may_be(fn, RLX_DIALECT_CLASSIC))
      return true;
  }
  return false;
}

static bool is_of_tir(const RlxStore *store, const RlxImport *import) {
  const char *module = rlx_store_text(store, import->module);
  if (strcmp(module, "tvm") == 0)
    return import->member && strcmp(rlx_store_text(store, import->member), "tir") == 0;
  return strcmp(module, "tvm.tir") == 0 || strncmp(module, "tvm.tir.", 8) == 0;
}

void rlx_import_diags(RlxFile *file, RlxFileDiags *out) {
  const RlxBlock *root = rlx_document_root(file->document);
  const bool is_looked_at = has_no_tir(file);
  for (uint32_t i = 0; i < file->outer.count && is_looked_at; i++) {
    const RlxOuterBinding *binding = &file->outer.at[i];
    if (!binding->import || binding->block != root || binding->stmt->block != root ||
        binding->is_conditional || binding->stmt->has_error ||
        binding->stmt->kind != RLX_STMT_IMPORT || !is_of_tir(file->store, binding->import))
      continue;
    RlxSink sink = {.arena = file->diag_arena};
    RlxDiag *diag = rlx_reportf(&sink, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), binding->import->span, "ss",
                                "tvm.tir", "; it became `tvm.tirx`");
    RlxFileDiag d = {
        .diag = diag, .stmt = binding->stmt, .span = rlx_stmt_absolute(binding->stmt, diag->span)};
    rlx_vec_push(out, d);
    rlx_vec_free(&sink.diags);
  }
}
