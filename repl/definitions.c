/// Definitions: functions, modules, constants, imports. They are staged as they come, so that a paste
/// or a file is analysed once, and then settled: what has errors of its own is refused, what no longer
/// fits a definition that it uses is stale until it fits again.
///
/// Always true: a definition that is kept was analysed, and `is_broken` says whether it has errors.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "repl/commands.h"
#include "repl/session.h"

static RlxReplDef *stage(RlxRepl *repl, const char *name, size_t size, const char *text,
                         size_t length) {
  RlxReplDef *def = rlx_repl_find_def(repl, name, size);
  if (!def) {
    def = rlx_repl_add_def(repl, name, size);
  } else if (!def->is_staged) {
    def->kept_text = def->text;
    def->was_symbol = def->is_symbol;
  } else
    free(def->text); // the last one of a paste counts
  def->text = rlx_mem_strndup(text, length);
  rlx_repl_touch(repl, def);
  def->is_staged = true;
  def->is_old = def->is_symbol = def->is_extent = def->is_plain = false;
  free(def->origin);
  def->origin = repl->loading ? rlx_mem_strdup(repl->loading) : NULL;
  return def;
}

void rlx_repl_stage(RlxRepl *repl, const char *name, size_t size, const char *text, size_t length) {
  stage(repl, name, size, text, length);
}

void rlx_repl_stage_number(RlxRepl *repl, const char *name, size_t size, const char *text) {
  stage(repl, name, size, text, strlen(text))->is_plain = true;
}

void rlx_repl_stage_symbol(RlxRepl *repl, const char *name, size_t size, const char *text) {
  stage(repl, name, size, text, strlen(text))->is_symbol = true;
}

void rlx_repl_stage_extent(RlxRepl *repl, const char *name, int64_t extent) {
  char text[160];
  snprintf(text, sizeof text, "%.100s = %lld", name, (long long)extent);
  stage(repl, name, strlen(name), text, strlen(text))->is_extent = true;
}

/// The head of the definition `name`, behind its decorators and comments; "": there is none.
static const char *head_of(RlxRepl *repl, const char *name, bool *has_decorator) {
  const RlxReplDef *def = rlx_repl_find_def(repl, name, strlen(name));
  const char *p = def ? def->text : "";
  *has_decorator = false;
  while (*p == '@' || *p == '#' || isspace((unsigned char)*p)) {
    *has_decorator |= *p == '@';
    p += isspace((unsigned char)*p) ? 1 : strcspn(p, "\n");
  }
  return p;
}

bool rlx_repl_is_module(RlxRepl *repl, const char *name) {
  bool has_decorator;
  const char *head = head_of(repl, name, &has_decorator);
  return !strncmp(head, "class", 5) && isspace((unsigned char)head[5]);
}

bool rlx_repl_is_python(RlxRepl *repl, const char *name) {
  bool has_decorator;
  const char *head = head_of(repl, name, &has_decorator);
  return !has_decorator && (!strncmp(head, "def ", 4) || !strncmp(head, "async ", 6));
}

// ---- what is wrong with which

/// Whether the finding is that something which is called, or handed to R.call_tir, is not there yet.
static bool is_forward(const RlxRepl *repl, const RlxFileDiag *d) {
  if (d->diag->id != RLX_DIAG_ID(NAME_UNDEFINED) && d->diag->id != RLX_DIAG_ID(FUNCTION_UNDEFINED))
    return false;
  const char *text = rlx_buf_text(&repl->text), *end = text + d->span.end;
  if (d->span.start && text[d->span.start - 1] == '.') return false; // a member: misspelt
  while (*end == ' ') end++;
  if (*end == '(') return true;
  const char *p = text + d->span.start;
  while (p > text && isspace((unsigned char)p[-1])) p--;
  if (p == text || p[-1] != '(') return false;
  const char *open = --p;
  while (p > text && (rlx_text_in_name(p[-1]) || p[-1] == '.')) p--;
  return !strncmp(p, "R.call_tir", 10) && p < open;
}

/// How the staged definitions came out: marks what is broken. Returns whether one is refused; its
/// errors are printed then, and it is what it was before.
static bool judge(RlxRepl *repl) {
  RlxFileDiags diags = {0};
  bool refused = false;
  rlx_repl_check_definitions(repl);
  rlx_file_diags(repl->file, &diags);
  for (uint32_t i = 0; i < repl->defs.count; i++)
    if (repl->defs.at[i].is_in_text) repl->defs.at[i].is_broken = false;
  Vec(RlxReplDef *) bad = {0};
  for (uint32_t i = 0; i < diags.count; i++) {
    const RlxFileDiag *d = &diags.at[i];
    if (d->diag->severity != RLX_ERROR) continue;
    RlxReplDef *def = rlx_repl_def_at(repl, d->span.start, NULL);
    if (!def) continue;
    def->is_broken = true;
    if (!def->is_staged || repl->nesting || is_forward(repl, d)) continue;
    rlx_repl_print_diag(repl, d);
    bool is_known = false;
    for (uint32_t k = 0; k < bad.count; k++) is_known |= bad.at[k] == def;
    if (!is_known) rlx_vec_push(&bad, def);
    refused = true;
  }
  for (uint32_t i = repl->defs.count; i-- > 0;)
    for (uint32_t k = 0; k < bad.count; k++) {
      RlxReplDef *def = &repl->defs.at[i];
      if (bad.at[k] != def) continue;
      if (!def->kept_text) {
        rlx_repl_remove_def(repl, i); // those before it stay where they are
        break;
      }
      free(def->text);
      def->text = def->kept_text;
      def->kept_text = NULL;
      rlx_repl_touch(repl, def);
      def->is_staged = false;
    }
  rlx_vec_free(&bad);
  rlx_vec_free(&diags);
  return refused;
}

/// A name is a variable or a definition, not both: the newer one counts.
static void drop_var_of(RlxRepl *repl, const char *name) {
  RlxReplVar *var = rlx_repl_find(repl, name, strlen(name));
  if (!var) return;
  rlx_repl_note(repl, false, name, NULL, var->value);
  rlx_object_unref(var->value);
  free(var->name);
  rlx_vec_remove_n(&repl->vars, (size_t)(var - repl->vars.at), 1);
}

/// Prints the findings of `def` of this severity.
static void print_findings(RlxRepl *repl, const RlxReplDef *def, const RlxFileDiags *diags,
                           RlxSeverity severity) {
  for (uint32_t i = 0; i < diags->count; i++)
    if (diags->at[i].diag->severity == severity &&
        rlx_repl_def_at(repl, diags->at[i].span.start, NULL) == def)
      rlx_repl_print_diag(repl, &diags->at[i]);
}

/// Tells whose state is another than before: stale, waiting, fitting again; and shows warnings.
static void tell(RlxRepl *repl) {
  RlxFileDiags diags = {0};
  rlx_file_diags(repl->file, &diags);
  for (uint32_t i = 0; i < repl->defs.count; i++) {
    RlxReplDef *def = &repl->defs.at[i];
    const bool is_new = def->is_staged;
    if (is_new) print_findings(repl, def, &diags, RLX_WARNING);
    if (repl->nesting && is_new && def->is_broken) {
      print_findings(repl, def, &diags, RLX_ERROR);
    } else if (def->is_broken && (is_new || !def->was_broken)) {
      printf(is_new ? "%s waits for what it calls:\n" : "%s is stale:\n", def->name);
      print_findings(repl, def, &diags, RLX_ERROR);
    } else if (!def->is_broken && def->was_broken && (!is_new || repl->tells_changes))
      printf("%s fits again\n", def->name);
    def->was_broken = def->is_broken;
  }
  rlx_vec_free(&diags);
}

/// Whether what is staged are new numbers that nothing else mentions, so that nothing can be wrong with them nor
/// with what is there: they are not worth an analysis of all definitions.
static bool are_plain(RlxRepl *repl) {
  bool any_broken = false, ok = true;
  for (uint32_t i = 0; i < repl->defs.count && ok; i++) {
    const RlxReplDef *def = &repl->defs.at[i];
    any_broken |= def->is_broken || def->was_broken;
    ok = !def->is_staged || (def->is_plain && !def->kept_text);
  }
  return ok && !any_broken && !rlx_repl_staged_is_mentioned(repl);
}

bool rlx_repl_settle(RlxRepl *repl) {
  bool any = repl->needs_recheck, ok = true;
  for (uint32_t i = 0; i < repl->defs.count; i++) any |= repl->defs.at[i].is_staged;
  if (!any) return true;
  if (repl->needs_recheck || !are_plain(repl)) {
    while (judge(repl)) ok = false; // what used a refused one may be wrong now
    tell(repl);
  }
  repl->needs_recheck = false;
  rlx_repl_judged(repl);
  for (uint32_t i = 0; i < repl->defs.count; i++) {
    RlxReplDef *def = &repl->defs.at[i];
    if (!def->is_staged) continue;
    def->is_staged = false;
    const bool is_other = !def->kept_text || strcmp(def->kept_text, def->text) != 0;
    if (is_other && repl->tells_changes && !strchr(def->name, ' '))
      printf("%s %s\n", def->name, def->kept_text ? "changed" : "is new");
    if (is_other)
      rlx_repl_note(repl, true, def->name, def->kept_text, NULL),
          rlx_vec_last(&repl->changes).was_symbol = def->was_symbol;
    free(def->kept_text);
    def->kept_text = NULL;
    drop_var_of(repl, def->name);
  }
  return ok;
}

static bool forget_name(RlxRepl *repl, const char *name) {
  const size_t size = strlen(name);
  RlxReplVar *var = rlx_repl_find(repl, name, size);
  RlxReplDef *def = rlx_repl_find_def(repl, name, size);
  if (!var && !def) return rlx_text_say(stdout, "error: there is nothing called %s", name), false;
  if (var) {
    rlx_object_unref(var->value);
    free(var->name);
    rlx_vec_remove_n(&repl->vars, (size_t)(var - repl->vars.at), 1);
  }
  if (def) rlx_repl_remove_def(repl, (uint32_t)(def - repl->defs.at));
  rlx_repl_forget(repl, name);
  repl->needs_recheck |= def != NULL;
  return true;
}

bool rlx_repl_del(RlxRepl *repl, const char *names) {
  bool ok = true;
  for (const char *p = names + strspn(names, " \t\n,"); *p;) {
    const size_t n = strcspn(p, " \t\n,");
    char *name = rlx_mem_strndup(p, n);
    ok &= forget_name(repl, name);
    free(name);
    p += n + strspn(p + n, " \t\n,");
  }
  return ok;
}
