/// Definitions: functions, modules, constants, imports. They are staged as they come, so that a paste
/// or a file is analysed once, and then settled: what has errors of its own is refused, what no longer
/// fits a definition that it uses is stale until it fits again.
///
/// Always true: a definition that is kept was analysed, and `is_broken` says whether it has errors.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
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
  if (!def->is_staged) rlx_vec_push(&repl->staged, def->id);
  def->is_staged = true;
  def->is_old = def->is_symbol = def->is_extent = def->is_plain = def->is_own = false;
  free(def->origin);
  def->origin = repl->loading ? rlx_mem_strdup(repl->loading) : NULL;
  return def;
}

void rlx_repl_stage(RlxRepl *repl, const char *name, size_t size, const char *text, size_t length) {
  stage(repl, name, size, text, length);
}

void rlx_repl_stage_own(RlxRepl *repl, const char *text) {
  stage(repl, text, strlen(text), text, strlen(text))->is_own = true;
}

bool rlx_repl_is_saved(RlxRepl *repl, RlxReplDef *def) {
  return !def->is_symbol && (!def->is_own || rlx_repl_is_mentioned(repl, def));
}

void rlx_repl_stage_plain(RlxRepl *repl, const char *name, size_t size, const char *text) {
  stage(repl, name, size, text, strlen(text))->is_plain = true;
}

void rlx_repl_stage_symbol(RlxRepl *repl, const char *name, size_t size, const char *text) {
  RlxReplDef *def = stage(repl, name, size, text, strlen(text));
  def->is_symbol = def->is_plain = true;
}

void rlx_repl_stage_extent(RlxRepl *repl, const char *name, int64_t extent) {
  char text[160];
  snprintf(text, sizeof text, "%.100s = %lld", name, (long long)extent);
  RlxReplDef *def = stage(repl, name, strlen(name), text, strlen(text));
  def->is_extent = def->is_plain = true;
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
  if (*end == '.' && isupper((unsigned char)text[d->span.start]) && d->span.end - d->span.start > 1)
    for (end++; rlx_text_in_name(*end);) end++; // a function of a module
  while (*end == ' ') end++;
  if (*end == '(') return true;
  const char *p = text + d->span.start;
  while (p > text && isspace((unsigned char)p[-1])) p--;
  if (p == text || p[-1] != '(') return false;
  const char *open = --p;
  while (p > text && (rlx_text_in_name(p[-1]) || p[-1] == '.')) p--;
  return !strncmp(p, "R.call_tir", 10) && p < open;
}

/// Takes back what was refused: its definition is what it was before.
static void take_back(RlxRepl *repl) {
  for (uint32_t i = 0; i < repl->staged.count; i++) {
    RlxReplDef *def = rlx_repl_def_of(repl, repl->staged.at[i]);
    if (!def || !def->is_refused) continue;
    def->is_refused = false;
    if (!def->kept_text) {
      rlx_repl_remove_def(repl, def);
      continue;
    }
    free(def->text);
    def->text = def->kept_text;
    def->kept_text = NULL;
    rlx_repl_touch(repl, def);
    def->is_staged = false;
  }
}

/// Constants that are made of the last, without a value that could stand for them: all of them are analysed with the last.
enum { LINKS_MAX = 256 };

/// Refuses the staged constants that stand behind too many others. Returns whether one is refused.
static bool refuse_long_chains(RlxRepl *repl) {
  bool refused = false;
  for (uint32_t i = 0; i < repl->staged.count; i++) {
    RlxReplDef *def = rlx_repl_def_of(repl, repl->staged.at[i]);
    if (!def || !def->is_staged) continue;
    def->links = 0;
    if (def->is_unnamed || def->is_symbol || *def->text == '@') continue;
    const RlxReplNames *names = rlx_repl_names_of(repl, def);
    for (uint32_t k = 0; k < names->count; k++) {
      const RlxReplDef *other = rlx_repl_def_of(repl, names->at[k]);
      if (other && other != def && !other->is_value && other->links >= def->links)
        def->links = other->links + 1;
    }
    if (def->links <= LINKS_MAX || repl->nesting) continue;
    rlx_text_say(stdout,
                 "error: `%s` would be the last of more than %d constants that are made of each "
                 "other; write its value",
                 def->name, LINKS_MAX);
    def->is_refused = refused = true;
  }
  if (refused) take_back(repl);
  return refused;
}

/// How a result is made known, where one of the errors of `def` is that it is not.
static void print_unknown(RlxRepl *repl, RlxReplDef *def, const RlxFileDiags *diags) {
  const RlxReplDef *callee = repl->is_quiet ? NULL : rlx_repl_unknown_to(repl, def);
  for (uint32_t i = 0; callee && i < diags->count; i++) {
    const RlxFileDiag *d = &diags->at[i];
    if (d->diag->severity != RLX_ERROR || !strstr(d->diag->message, "found R.Object") ||
        rlx_repl_def_at(repl, d->span.start, NULL) != def)
      continue;
    rlx_text_say(
        stdout,
        "note: functions that call themselves, or each other, know only results that are declared: "
        "`def %s(…) -> R.Tensor(…):`",
        callee->name);
    return;
  }
}

/// How the staged definitions came out: marks what is broken. Returns whether one is refused; its
/// errors are printed then, and it is what it was before.
static bool judge(RlxRepl *repl) {
  RlxFileDiags diags = {0};
  bool refused = false;
  rlx_repl_check_definitions(repl);
  rlx_file_diags(repl->file, &diags);
  for (uint32_t i = 0; i < repl->in_text.count; i++)
    repl->defs.at[repl->in_text.at[i]].is_broken = false;
  for (uint32_t i = 0; i < diags.count; i++) {
    const RlxFileDiag *d = &diags.at[i];
    if (d->diag->severity != RLX_ERROR) continue;
    RlxReplDef *def = rlx_repl_def_at(repl, d->span.start, NULL);
    if (!def) continue;
    def->is_broken = true;
    if (!def->is_staged || repl->nesting || is_forward(repl, d)) continue;
    rlx_repl_print_diag(repl, d);
    def->is_refused = refused = true;
  }
  for (uint32_t i = 0; refused && i < repl->staged.count; i++) {
    RlxReplDef *def = rlx_repl_def_of(repl, repl->staged.at[i]);
    if (def && def->is_refused) print_unknown(repl, def, &diags);
  }
  rlx_vec_free(&diags);
  if (refused) take_back(repl);
  return refused;
}

/// A name is a variable or a definition, not both: the newer one counts.
static void drop_var_of(RlxRepl *repl, const char *name) {
  RlxReplVar *var = rlx_repl_find(repl, name, strlen(name));
  if (!var) return;
  rlx_repl_note(repl, false, name, NULL, var->value);
  rlx_repl_remove_var(repl, var);
}

/// A finding, and the place of the definition that it is of.
typedef struct Finding {
  uint32_t def, number;
  const RlxFileDiag *diag;
} Finding;

typedef Vec(Finding) Findings;

static int by_place(const void *a, const void *b) {
  const Finding *x = a, *y = b;
  if (x->def != y->def) return x->def < y->def ? -1 : 1;
  return x->number < y->number ? -1 : x->number > y->number;
}

/// Prints the findings of definition `place` of this severity; those of definitions before it come before `*at`.
static void print_findings(RlxRepl *repl, const Findings *all, uint32_t at, uint32_t place,
                           RlxSeverity severity) {
  for (; at < all->count && all->at[at].def == place; at++)
    if (all->at[at].diag->diag->severity == severity) rlx_repl_print_diag(repl, all->at[at].diag);
}

/// A hash of the errors of definition `place`; its findings begin at `at`.
static uint64_t hash_errors(const Findings *all, uint32_t at, uint32_t place) {
  uint64_t sum = 0;
  for (; at < all->count && all->at[at].def == place; at++)
    if (all->at[at].diag->diag->severity == RLX_ERROR)
      sum = rlx_hash_bytes(all->at[at].diag->diag->message, strlen(all->at[at].diag->diag->message),
                           sum);
  return sum;
}

/// Tells of a definition whose findings begin at `at` what became of it.
static void tell_of(RlxRepl *repl, RlxReplDef *def, const RlxFileDiags *diags, const Findings *all,
                    uint32_t at) {
  const bool is_new = def->is_staged;
  const uint32_t place = (uint32_t)(def - repl->defs.at);
  const uint64_t told = def->is_broken ? hash_errors(all, at, place) : 0;
  if (is_new) print_findings(repl, all, at, place, RLX_WARNING);
  if (repl->nesting && is_new && def->is_broken) {
    print_findings(repl, all, at, place, RLX_ERROR);
  } else if (def->is_broken && (is_new || !def->was_broken || def->told != told)) {
    printf(is_new ? "%s waits for what it calls:\n" : "%s is stale:\n", def->name);
    print_findings(repl, all, at, place, RLX_ERROR);
    print_unknown(repl, def, diags);
  } else if (!def->is_broken && def->was_broken && (!is_new || repl->tells_changes))
    printf("%s fits again\n", def->name);
  def->was_broken = def->is_broken;
  def->told = told;
}

/// Tells whose state is another than before: stale, waiting, fitting again; and shows warnings.
static void tell(RlxRepl *repl) {
  RlxFileDiags diags = {0};
  Findings all = {0};
  rlx_file_diags(repl->file, &diags);
  for (uint32_t i = 0; i < diags.count; i++) {
    const RlxReplDef *def = rlx_repl_def_at(repl, diags.at[i].span.start, NULL);
    if (def) rlx_vec_push(&all, (Finding){(uint32_t)(def - repl->defs.at), i, &diags.at[i]});
  }
  if (all.count) qsort(all.at, all.count, sizeof *all.at, by_place);
  for (uint32_t i = 0, at = 0; i < repl->in_text.count; i++) {
    const uint32_t place = repl->in_text.at[i];
    while (at < all.count && all.at[at].def < place) at++;
    tell_of(repl, &repl->defs.at[place], &diags, &all, at);
  }
  rlx_vec_free(&all);
  rlx_vec_free(&diags);
}

/// Whether nothing can be wrong with what is staged, nor with what is there, which does not mention it: it is not worth
/// an analysis.
static bool are_plain(RlxRepl *repl) {
  for (uint32_t i = 0; i < repl->staged.count; i++) {
    RlxReplDef *def = rlx_repl_def_of(repl, repl->staged.at[i]);
    if (def && def->is_staged &&
        (!def->is_plain || def->was_broken || rlx_repl_is_mentioned(repl, def)))
      return false;
  }
  return true;
}

static bool is_another(const RlxReplDef *def) {
  return !def->kept_text || strcmp(def->kept_text, def->text) != 0;
}

/// Says which of the staged definitions are another.
static void tell_changes(RlxRepl *repl) {
  for (uint32_t i = 0; repl->tells_changes && i < repl->staged.count; i++) {
    const RlxReplDef *def = rlx_repl_def_of(repl, repl->staged.at[i]);
    if (def && def->is_staged && is_another(def) && !strchr(def->name, ' ')) // no import
      printf("%s %s\n", def->name, def->kept_text ? "changed" : "is new");
  }
}

/// A staged definition is there from now on.
static void keep(RlxRepl *repl, RlxReplDef *def) {
  def->is_staged = false;
  const bool is_other = is_another(def);
  if (is_other && !def->is_own)
    rlx_repl_note(repl, true, def->name, def->kept_text, NULL),
        rlx_vec_last(&repl->changes).was_symbol = def->was_symbol;
  free(def->kept_text);
  def->kept_text = NULL;
  drop_var_of(repl, def->name);
}

bool rlx_repl_settle(RlxRepl *repl) {
  bool ok = true;
  if (!repl->staged.count && !repl->needs_recheck) return true;
  rlx_repl_order(repl);
  if (!rlx_repl_are_few(repl)) ok = !refuse_long_chains(repl);
  const bool is_judged = repl->needs_recheck || !are_plain(repl);
  while (is_judged && judge(repl)) {
    ok = false;
    rlx_repl_order(repl); // what used a refused one may be wrong now
  }
  tell_changes(repl);
  if (is_judged) {
    tell(repl);
    rlx_repl_make_briefs(repl);
  }
  repl->needs_recheck = false;
  rlx_repl_judged(repl);
  for (uint32_t i = 0; i < repl->staged.count; i++) {
    RlxReplDef *def = rlx_repl_def_of(repl, repl->staged.at[i]);
    if (def && def->is_staged) keep(repl, def);
  }
  rlx_vec_clear(&repl->staged);
  return ok;
}

static bool forget_name(RlxRepl *repl, const char *name) {
  const size_t size = strlen(name);
  RlxReplVar *var = rlx_repl_find(repl, name, size);
  RlxReplDef *def = rlx_repl_find_def(repl, name, size);
  if (!var && !def) return rlx_text_say(stdout, "error: there is nothing called %s", name), false;
  if (var) rlx_repl_remove_var(repl, var);
  if (def) rlx_repl_remove_def(repl, def);
  rlx_repl_forget(repl, name);
  repl->deleted = repl->entry;
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
