/// Inlining of a function: one call a round, each on the text that the round before it wrote. This
/// file finds the calls and goes over them; inline_function_text.c writes one.
#include "analyzer/edit/inline_function.h"

#include <string.h>

#include "analyzer/edit/inline_function_impl.h"
#include "analyzer/function/files.h"
#include "analyzer/report/normal_form.h"
#include "analyzer/report/report.h"
#include "analyzer/state/state.h"
#include "analyzer/syntax/stmt_text.h"

enum { ROUNDS_MOST = 1000 };
enum { READ_MOST = 16 << 20 }; ///< bytes of text that are read again, all of it for each call

// ---- calls

const RlxStmt *rlx_inline_find_function(RlxFile *file, const char *name) {
  RlxFunctionViews views = {0};
  const RlxStmt *found = NULL;
  rlx_file_functions(file, &views);
  for (uint32_t i = 0; i < views.count && !found; i++)
    if (views.at[i].kind == RLX_ISLAND_RELAX && views.at[i].module_stmt &&
        strcmp(rlx_store_text(file->store, views.at[i].name), name) == 0)
      found = views.at[i].stmt;
  rlx_vec_free(&views);
  return found;
}

static const RlxCall *call_of(const RlxBinding *b) {
  return b->value->kind == RLX_EXPR_CALL && !b->value->call->row && b->value->call->callee &&
                 b->value->call->callee->kind == RLX_EXPR_GLOBAL
             ? b->value->call
             : NULL;
}

typedef Vec(RlxInlineSite) Sites;

/// The calls of Relax functions in a suite, in source order.
static void collect(RlxFile *file, const RlxStmt *caller, const RlxBlock *block, Sites *out) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    RlxBinding *const *bindings;
    uint32_t count = 0;
    rlx_file_stmt_bindings(file, stmt, &bindings, &count);
    for (uint32_t k = 0; k < count; k++) {
      const RlxCall *call = call_of(bindings[k]);
      if (call && call->callee->callee)
        rlx_vec_push(out, (RlxInlineSite){caller, stmt, call->callee->callee, bindings[k], call});
    }
    collect(file, caller, stmt->body, out);
    collect(file, caller, stmt->orelse, out);
  }
}

static void collect_all(RlxFile *file, Sites *out) {
  RlxFunctionViews views = {0};
  rlx_file_analyze(file, NULL);
  rlx_file_functions(file, &views);
  for (uint32_t i = 0; i < views.count; i++)
    if (views.at[i].kind == RLX_ISLAND_RELAX)
      collect(file, views.at[i].stmt, views.at[i].stmt->body, out);
  rlx_vec_free(&views);
}

static bool is_relax(const RlxStmt *def) {
  const RlxAnalysis *unit = def->analysis;
  return unit && unit->fn && unit->fn->kind == RLX_ISLAND_RELAX && unit->fn->module;
}

static RlxSpan place_of(const RlxInlineSite *site) {
  return rlx_stmt_absolute(site->stmt, site->call->span);
}

const RlxStmt *rlx_inline_called_at(RlxFile *file, uint32_t at) {
  Sites sites = {0};
  const RlxStmt *found = NULL;
  uint32_t best = UINT32_MAX;
  collect_all(file, &sites);
  for (uint32_t i = 0; i < sites.count; i++) {
    RlxSpan span = place_of(&sites.at[i]);
    if (at < span.start || at > span.end || span.end - span.start >= best ||
        !is_relax(sites.at[i].callee))
      continue;
    best = span.end - span.start; // the innermost one
    found = sites.at[i].callee;
  }
  rlx_vec_free(&sites);
  return found;
}

uint32_t rlx_inline_call_count(RlxFile *file, const RlxStmt *def) {
  Sites sites = {0};
  uint32_t count = 0;
  collect_all(file, &sites);
  for (uint32_t i = 0; i < sites.count; i++) count += sites.at[i].callee == def;
  rlx_vec_free(&sites);
  return count;
}

// ---- a private function that is left

/// Whether a statement of the suite other than `def` names it.
static bool mentions(const RlxBlock *block, const RlxStmt *def) {
  for (uint32_t i = 0; block && i < block->count; i++) {
    const RlxStmt *stmt = block->stmts[i];
    if (stmt == def) continue;
    bool any =
        rlx_ast_names(stmt->value, def->name) || rlx_ast_names(stmt->annotation, def->name) ||
        rlx_ast_names(stmt->message, def->name) || stmt->kind == RLX_STMT_HOLE || stmt->has_error;
    for (uint32_t k = 0; k < stmt->target_count; k++)
      any |= rlx_ast_names(stmt->targets[k], def->name);
    for (uint32_t k = 0; k < stmt->item_count; k++)
      any |= rlx_ast_names(stmt->items[k].value, def->name);
    for (uint32_t k = 0; k < stmt->decorator_count; k++)
      any |= rlx_ast_names(stmt->decorators[k], def->name);
    for (uint32_t k = 0; k < stmt->block_count; k++) any |= mentions(stmt->blocks[k], def);
    if (any || mentions(stmt->body, def) || mentions(stmt->orelse, def)) return true;
  }
  return false;
}

/// Where the comments right above a line begin.
static uint32_t comments_above(const char *text, uint32_t line) {
  while (line) {
    uint32_t above = rlx_line_start(text, line - 1), at = above;
    while (text[at] == ' ' || text[at] == '\t') at++;
    if (text[at] != '#') break;
    line = above;
  }
  return line;
}

/// Where the comments end that stand behind a suite's last line, deeper than `depth` columns.
static uint32_t comments_behind(const char *text, uint32_t size, uint32_t line, uint32_t depth) {
  uint32_t end = line;
  while (line < size) {
    uint32_t at = line;
    while (at < size && (text[at] == ' ' || text[at] == '\t')) at++;
    bool is_comment = at < size && text[at] == '#';
    if (is_comment ? at - line <= depth : at < size && !strchr("\r\n", text[at])) break;
    line = rlx_next_line(text, size, at);
    if (is_comment) end = line;
  }
  return end;
}

/// The lines of `def`, its comments and the blank lines around it, when it is private and nothing
/// else mentions it.
static bool left_over(RlxFile *file, const RlxStmt *def, RlxSpan *out) {
  const RlxAnalysis *unit = def->analysis;
  uint32_t size, end = def->start + def->size;
  const char *text = rlx_document_text(file->document, &size);
  if (!unit->fn->function.is_private || mentions(rlx_document_root(file->document), def))
    return false;
  *out = rlx_span(comments_above(text, rlx_line_start(text, def->start)), end);
  out->end = rlx_next_line(text, size, out->end);
  out->end = comments_behind(text, size, out->end, def->start - rlx_line_start(text, def->start));
  bool is_last = def->index + 1 == def->block->count;
  if (!is_last)
    while (out->end < size && strchr("\r\n", text[out->end])) out->end++;
  else
    while (out->start > 1 && text[out->start - 1] == '\n' && strchr("\r\n", text[out->start - 2]))
      out->start--;
  return true;
}

// ---- rounds

static void edit(RlxBuf *text, RlxSpan span, const char *with) {
  RlxBuf out = {0};
  rlx_buf_putn(&out, text->at, span.start);
  rlx_buf_puts(&out, with);
  rlx_buf_putn(&out, text->at + span.end, text->size - span.end);
  rlx_buf_free(text);
  *text = out;
}

/// What one call becomes: the binding of a nested one to a name, or the statements. False: `why`.
static bool one_call(RlxFile *now, const RlxInlineSite *site, RlxArena *arena, RlxBuf *text,
                     bool *is_bound, RlxBuf *why) {
  *is_bound = !rlx_inline_is_whole(site);
  if (!*is_bound) {
    RlxEdit with;
    if (!rlx_inline_write(now, site, arena, &with, why)) return false;
    edit(text, with.span, with.text);
    return true;
  }
  const char *refused = rlx_inline_refused(now, site);
  if (refused) {
    rlx_buf_puts(why, refused);
    return false;
  }
  const RlxFix *fix = rlx_file_bind_at(now, place_of(site).start, arena);
  if (!fix) {
    rlx_buf_puts(why, "it is part of an expression that can't be taken apart");
    return false;
  }
  for (uint32_t i = fix->edit_count; i-- > 0;) // from the back, as they stand in order
    edit(text, fix->edits[i].span, fix->edits[i].text);
  return true;
}

static uint32_t line_of(const char *text, uint32_t at) {
  uint32_t line = 1;
  for (uint32_t i = 0; i < at; i++) line += text[i] == '\n';
  return line;
}

/// The next call to inline: number `skip` of those of the function, or the one at `at`.
static bool choose(const Sites *sites, const RlxStmt *def, uint32_t at, uint32_t skip,
                   RlxInlineSite *out) {
  bool any = false;
  for (uint32_t i = 0; i < sites->count; i++) {
    if (sites->at[i].callee != def) continue;
    RlxSpan span = place_of(&sites->at[i]), best = any ? place_of(out) : span;
    if (at == UINT32_MAX ? skip-- > 0 : at < span.start || at > span.end) continue;
    if (!any || (at != UINT32_MAX && span.end - span.start < best.end - best.start))
      *out = sites->at[i];
    any = true;
    if (at == UINT32_MAX) break;
  }
  return any;
}

/// The file whose text is that of `now` with the call inlined, which then is `text`; NULL: it can't be,
/// for `reason`, and `text` stays.
static RlxFile *inlined_at(RlxFile *file, RlxFile *now, const RlxInlineSite *site, RlxBuf *text,
                           bool *is_bound, RlxBuf *reason) {
  RlxArena *arena = rlx_arena_new();
  RlxBuf before = {0};
  rlx_buf_putn(&before, text->at, text->size);
  RlxFile *next =
      one_call(now, site, arena, text, is_bound, reason) ? rlx_file_open_like(file, text) : NULL;
  if (next && rlx_file_error_count(next) > rlx_file_error_count(file)) {
    rlx_buf_puts(reason, "what it becomes would not be read without errors");
    rlx_file_close(next);
    next = NULL;
    rlx_buf_free(text);
    rlx_buf_putn(text, before.at, before.size);
  }
  rlx_buf_free(&before);
  rlx_arena_free(arena);
  return next;
}

bool rlx_inline_function(RlxFile *file, const RlxStmt *def, uint32_t at, RlxBuf *out, RlxBuf *why) {
  RlxFile *now = file;
  RlxBuf text = {0};
  uint32_t size = 0, skip = 0;
  const char *first = rlx_document_text(file->document, &size);
  const char *name = rlx_store_text(file->store, def->name);
  bool any = false, is_done = false;
  uint64_t read = 0;
  rlx_buf_putn(&text, first, size);
  Sites sites = {0}; // of `now`
  collect_all(now, &sites);
  for (int round = 0; round < ROUNDS_MOST && !is_done; round++) {
    RlxInlineSite site;
    RlxBuf reason = {0};
    bool is_bound = false;
    if (!choose(&sites, def, at, skip, &site))
      is_done = true;
    else if (read > READ_MOST) {
      is_done = true;
      if (why)
        rlx_buf_printf(why, "line %u: `%s` is not inlined: the calls before it took enough work\n",
                       line_of(rlx_buf_text(&text), place_of(&site).start), name);
    } else {
      uint32_t line = line_of(rlx_buf_text(&text), place_of(&site).start);
      RlxFile *next = inlined_at(file, now, &site, &text, &is_bound, &reason);
      read += text.size;
      if (next) {
        any = true;
        if (now != file) rlx_file_close(now);
        now = next;
        rlx_vec_free(&sites);
        collect_all(now, &sites);
        def = rlx_inline_find_function(now, name);
        if (is_bound && at != UINT32_MAX) // the call now stands in a line of its own
          at = rlx_inline_place(now, def, line);
        is_done = !def || (at != UINT32_MAX && !is_bound);
      } else {
        if (why)
          rlx_buf_printf(why, "line %u: `%s` is not inlined: %s\n", line, name,
                         rlx_buf_text(&reason));
        skip++;
        is_done = at != UINT32_MAX;
      }
    }
    rlx_buf_free(&reason);
  }
  rlx_vec_free(&sites);
  RlxSpan rest;
  if (any && def && left_over(now, def, &rest)) edit(&text, rest, "");
  if (any) rlx_buf_putn(out, text.at, text.size);
  if (now != file) rlx_file_close(now);
  rlx_buf_free(&text);
  return any;
}

uint32_t rlx_inline_place(RlxFile *file, const RlxStmt *def, uint32_t line) {
  Sites sites = {0};
  uint32_t at = 0, size;
  const char *text = rlx_document_text(file->document, &size);
  collect_all(file, &sites);
  for (uint32_t i = 0; i < sites.count && !at; i++)
    if (sites.at[i].callee == def && line_of(text, place_of(&sites.at[i]).start) == line)
      at = place_of(&sites.at[i]).start;
  rlx_vec_free(&sites);
  return at;
}
