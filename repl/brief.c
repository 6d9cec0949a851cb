/// Briefs: what stands for a definition in a text that only mentions it. Of a Relax function the head with what it gives, of
/// a constant its number. A function is analysed with briefs of those that it calls, so that it costs what stands in it and not
/// what stands behind them.
///
/// Always true: a brief comes to what all of its definition comes to; that is looked at when it is first in a text.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"
#include "repl/numbers.h"
#include "repl/session.h"

enum { BRIEF_MAX = 4096 }; // bytes; a longer one is none

static void take(RlxRepl *repl, RlxReplDef *def, const RlxBuf *text) {
  rlx_repl_drop_brief(def);
  def->brief = rlx_mem_strndup(rlx_buf_text(text), text->size);
  rlx_repl_names_in(repl, def->brief, &def->brief_names);
  rlx_repl_once(&def->brief_names);
}

void rlx_repl_number_brief(RlxRepl *repl, RlxReplDef *def, const RlxReplNumber *number) {
  RlxBuf text = {0};
  rlx_buf_printf(&text, "%s = ", def->name);
  rlx_repl_put_number(number, &text);
  take(repl, def, &text);
  def->is_value = true;
  rlx_buf_free(&text);
}

static bool string_brief(RlxRepl *repl, RlxReplDef *def) {
  RlxBuf value = {0}, text = {0};
  const bool ok = rlx_repl_string_of(repl, def, BRIEF_MAX, &value);
  if (ok) {
    rlx_buf_printf(&text, "%s = ", def->name);
    rlx_text_put_string(&text, rlx_buf_text(&value), value.size);
    take(repl, def, &text);
    def->is_value = true;
  }
  rlx_buf_free(&value);
  rlx_buf_free(&text);
  return ok;
}

/// Of a constant that mentions others. Without one it is not looked at again before it, or what it mentions, changes.
static bool brief_of_constant(RlxRepl *repl, RlxReplDef *def) {
  RlxReplNumber number;
  if (def->has_no_value || def->is_unnamed || def->is_symbol || def->names.count < 2) return false;
  if (strncmp(def->text + strlen(def->name), " =", 2) != 0) return false;
  if (rlx_repl_number_of(repl, def, &number) && isfinite(number.value)) {
    rlx_repl_number_brief(repl, def, &number);
    return true;
  }
  def->has_no_value = !string_brief(repl, def);
  return !def->has_no_value;
}

/// Whether the functions can have one.
static bool are_known(const RlxFunctionView *views, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const RlxFunction *f = views[i].function;
    if (f && (!f->sinfo || !f->ret || !views[i].stmt->body || !views[i].stmt->body->count))
      return false;
  }
  return true;
}

/// The head of a function as it is written, with its result; the body gives what may be anything. `from`: what is put
/// already, of `text`.
static uint32_t put_function(RlxRepl *repl, const RlxFunctionView *view, const char *text,
                             uint32_t from, uint32_t start, RlxBuf *out) {
  const RlxSInfoStyle style = {.is_quoted = rlx_sinfo_is_symbolic};
  uint32_t end = view->stmt->start + view->stmt->head_size - start;
  while (end > from && text[end] != ':') end--;
  rlx_buf_putn(out, text + from, end - from);
  if (!view->function->ret_annotation) {
    rlx_buf_puts(out, " -> ");
    rlx_sinfo_print_styled(repl->store, view->function->ret, &style, out);
  }
  rlx_buf_puts(out, ": return R.null_value()");
  return view->stmt->start + view->stmt->size - start;
}

/// Of a definition that is analysed, with these functions.
static void brief_of(RlxRepl *repl, RlxReplDef *def, const RlxFunctionView *views, uint32_t count,
                     uint32_t start) {
  const size_t size = strlen(def->text);
  uint32_t at = 0;
  RlxBuf text = {0};
  for (uint32_t i = 0; i < count && at < size; i++)
    if (views[i].function) at = put_function(repl, &views[i], def->text, at, start, &text);
  if (at && at <= size) {
    rlx_buf_puts(&text, def->text + at);
    if (text.size < BRIEF_MAX || text.size < size) take(repl, def, &text);
  }
  for (uint32_t i = 0; def->brief && i < count; i++)
    if (views[i].function) rlx_vec_push(&def->brief_sinfos, views[i].function->sinfo);
  rlx_buf_free(&text);
}

typedef void Each(RlxRepl *repl, RlxReplDef *def, const RlxFunctionView *views, uint32_t count,
                  uint32_t start);

/// Does this with each definition in the text that has functions, and these.
static void each_definition(RlxRepl *repl, Each *what) {
  RlxFunctionViews views = {0};
  rlx_file_functions(repl->file, &views);
  for (uint32_t i = 0, end; i < views.count; i = end) {
    uint32_t start, next;
    RlxReplDef *def = rlx_repl_def_at(repl, views.at[i].stmt->start, &start);
    for (end = i + 1; end < views.count; end++)
      if (rlx_repl_def_at(repl, views.at[end].stmt->start, &next) != def) break;
    if (def) what(repl, def, &views.at[i], end - i, start);
  }
  rlx_vec_free(&views);
}

static bool is_wanting(const RlxReplDef *def) {
  return !def->brief && !def->has_no_brief && !def->is_broken && !def->is_plain;
}

static void make(RlxRepl *repl, RlxReplDef *def, const RlxFunctionView *views, uint32_t count,
                 uint32_t start) {
  if (is_wanting(def) && *def->text == '@' && are_known(views, count))
    brief_of(repl, def, views, count, start);
}

static void note(RlxRepl *repl, RlxReplDef *def, const RlxFunctionView *views, uint32_t count,
                 uint32_t start) {
  (void)repl;
  (void)start;
  if (def->is_in_brief) return;
  uint64_t sum = rlx_hash_u64(count);
  bool are_relax = *def->text == '@' && are_known(views, count);
  for (uint32_t i = 0; i < count && are_relax; i++) {
    are_relax = views[i].function != NULL;
    if (are_relax) sum = rlx_hash_mix(sum, rlx_hash_ptr(views[i].function->sinfo));
  }
  def->now = are_relax ? sum | 1 : 0;
}

void rlx_repl_note_outcomes(RlxRepl *repl) {
  RlxFileDiags diags = {0};
  if (rlx_repl_are_few(repl)) return;
  for (uint32_t i = 0; i < repl->in_text.count; i++) repl->defs.at[repl->in_text.at[i]].now = 0;
  each_definition(repl, note);
  rlx_file_diags(repl->file, &diags);
  for (uint32_t i = 0; i < diags.count; i++) {
    RlxReplDef *def = rlx_repl_def_at(repl, diags.at[i].span.start, NULL);
    if (def && diags.at[i].diag->severity == RLX_ERROR) def->now = 0;
  }
  rlx_vec_free(&diags);
}

void rlx_repl_make_briefs(RlxRepl *repl) {
  if (rlx_repl_are_few(repl)) return;
  bool is_any = false;
  for (uint32_t i = 0; i < repl->in_text.count; i++) {
    RlxReplDef *def = &repl->defs.at[repl->in_text.at[i]];
    if (!def->is_in_brief) def->outcome = def->now;
    if (def->name && !def->is_broken && !def->brief && !brief_of_constant(repl, def))
      is_any |= is_wanting(def);
  }
  if (is_any) each_definition(repl, make);
}

static void refuse(RlxReplDef *def) {
  rlx_repl_drop_brief(def);
  def->has_no_brief = true;
}

static void try(RlxRepl *repl, RlxReplDef *def, const RlxFunctionView *views, uint32_t count,
                uint32_t start) {
  (void)repl;
  (void)start;
  if (!def->is_in_brief || !def->brief_sinfos.count) return;
  uint32_t met = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (!views[i].function) continue;
    if (met == def->brief_sinfos.count || views[i].function->sinfo != def->brief_sinfos.at[met])
      break;
    met++;
  }
  const bool is_right = met == def->brief_sinfos.count;
  rlx_vec_free(&def->brief_sinfos);
  if (!is_right) refuse(def);
}

/// Those that are in the text; `untried`: of functions that were not in a text before.
static uint32_t count_briefs(const RlxRepl *repl, bool untried) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < repl->in_text.count; i++) {
    const RlxReplDef *def = &repl->defs.at[repl->in_text.at[i]];
    count += def->is_in_brief && (!untried || def->brief_sinfos.count);
  }
  return count;
}

bool rlx_repl_try_briefs(RlxRepl *repl) {
  if (!count_briefs(repl, true)) return true;
  const uint32_t before = count_briefs(repl, false);
  each_definition(repl, try);
  RlxFileDiags diags = {0};
  rlx_file_diags(repl->file, &diags);
  for (uint32_t i = 0; i < diags.count; i++) {
    RlxReplDef *def = diags.at[i].diag->severity == RLX_ERROR
                          ? rlx_repl_def_at(repl, diags.at[i].span.start, NULL)
                          : NULL;
    if (def && def->is_in_brief) refuse(def);
  }
  rlx_vec_free(&diags);
  return count_briefs(repl, false) == before;
}
