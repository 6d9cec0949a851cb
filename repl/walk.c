/// :step: one walks through an evaluation, which waits meanwhile, binding by binding in the order in
/// which they get their values, and looks at any that has one. What fails is reached like a binding.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "repl/commands.h"
#include "repl/follow.h"
#include "repl/look.h"
#include "repl/values.h"

typedef struct RlxReplWalk {
  RlxFollow *follow; ///< NULL: the evaluation is over
  RlxSteppeds steps; ///< so far
  RlxError problem;  ///< why the evaluation ended early; without text: it did not
  uint32_t at;
} RlxReplWalk;

static bool do_next(RlxRepl *repl, const char *name);
static bool do_back(RlxRepl *repl, const char *name);
static bool do_print(RlxRepl *repl, const char *name);
static bool do_list(RlxRepl *repl, const char *name);
static bool do_continue(RlxRepl *repl, const char *name);
static bool do_quit(RlxRepl *repl, const char *name);
static bool do_help(RlxRepl *repl, const char *name);

static const struct {
  const char *word, *argument, *help;
  bool (*run)(RlxRepl *repl, const char *name);
} words[] = {
    {"next", "[N]", "to the next binding, N times", do_next},
    {"back", "", "to the one before", do_back},
    {"print", "[NAME]", "the value of this binding, or of the one with that name", do_print},
    {"list", "", "the bindings so far", do_list},
    {"continue", "", "on to the end", do_continue},
    {"quit", "", "leave", do_quit},
    {"help", "", "these words; their first letters do, too, but for names of bindings", do_help},
};
enum { WORDS = sizeof words / sizeof *words };

void rlx_repl_walk_close(RlxRepl *repl) {
  if (!repl->walk) return;
  rlx_follow_drop(repl->walk->follow);
  rlx_steppeds_free(&repl->walk->steps);
  free(repl->walk);
  repl->walk = NULL;
}

static void show_step(const RlxStepped *s, bool is_here) {
  printf("%s %s%s%s  %s  %s\n", is_here ? "→" : " ", s->function, *s->function ? ": " : "",
         s->label, s->sinfo, s->summary);
}

static void finish(RlxReplWalk *w) {
  if (w->follow) rlx_follow_finish(w->follow, &w->steps, &w->problem);
  w->follow = NULL;
}

/// Has the evaluation go as far as the walk; whether there is a binding.
static bool reach(RlxReplWalk *w) {
  for (;;) {
    while (w->at < w->steps.count && w->steps.at[w->at].is_param) w->at++;
    if (w->at < w->steps.count || !w->follow) break;
    if (!rlx_follow_next(w->follow, &w->steps)) finish(w);
  }
  return w->at < w->steps.count;
}

/// Shows where the walk is, having the evaluation go as far; at its end, how it ended, and leaves it.
static bool show_place(RlxRepl *repl) {
  RlxReplWalk *w = repl->walk;
  reach(w);
  if (w->at < w->steps.count) {
    show_step(&w->steps.at[w->at], true);
    return true;
  }
  bool ok = !*w->problem.text;
  if (!ok)
    rlx_repl_print_failure(&w->problem);
  else if (w->steps.count)
    printf("%s\n", w->steps.at[w->steps.count - 1].text);
  rlx_repl_walk_close(repl);
  return ok;
}

static bool do_next(RlxRepl *repl, const char *count) {
  char *end;
  long left = *count ? strtol(count, &end, 10) : 1;
  if (*count && (*end || left < 1)) return printf("error: next takes how many bindings\n"), false;
  do repl->walk->at++;
  while (--left > 0 && reach(repl->walk));
  return show_place(repl);
}

static bool do_back(RlxRepl *repl, const char *name) {
  (void)name;
  RlxReplWalk *w = repl->walk;
  uint32_t at = w->at;
  while (at && w->steps.at[--at].is_param) continue;
  if (at == w->at || w->steps.at[at].is_param)
    return printf("error: this is the first binding\n"), false;
  w->at = at;
  return show_place(repl);
}

/// Prints a variable of the session, which the evaluation may take; false: there is none of that name.
static bool print_variable(RlxRepl *repl, const char *name) {
  const RlxReplVar *var = rlx_repl_find(repl, name, strlen(name));
  RlxBuf out = {0};
  if (!var) return false;
  rlx_repl_put_value(repl, var->value, &out);
  rlx_buf_puts(&out, "\n# ");
  rlx_object_print_sinfo(var->value, &out);
  printf("%s\n", rlx_buf_text(&out));
  rlx_buf_free(&out);
  return true;
}

static bool do_print(RlxRepl *repl, const char *name) {
  const RlxReplWalk *w = repl->walk;
  const RlxStepped *found = NULL;
  for (uint32_t i = w->at + 1; i > 0 && !found; i--) // the last one of that name
    if (!*name || !strcmp(w->steps.at[i - 1].name, name)) found = &w->steps.at[i - 1];
  if (!found && print_variable(repl, name)) return true;
  if (!found)
    return rlx_text_say(stdout, "error: no binding %s has a value here; list shows those that have",
                        name),
           false;
  printf("%s\n# %s\n", *found->text ? found->text : found->summary, found->sinfo);
  return true;
}

static bool do_list(RlxRepl *repl, const char *name) {
  (void)name;
  const RlxReplWalk *w = repl->walk;
  for (uint32_t i = 0; i <= w->at; i++) show_step(&w->steps.at[i], i == w->at);
  return true;
}

static bool do_continue(RlxRepl *repl, const char *name) {
  (void)name;
  finish(repl->walk);
  repl->walk->at = repl->walk->steps.count;
  return show_place(repl);
}

static bool do_quit(RlxRepl *repl, const char *name) {
  (void)name;
  rlx_repl_walk_close(repl);
  return true;
}

static bool do_help(RlxRepl *repl, const char *name) {
  (void)repl, (void)name;
  for (int i = 0; i < WORDS; i++)
    printf("  %-8s %-6s %s\n", words[i].word, words[i].argument, words[i].help);
  return true;
}

/// An expression of the session's own values; those of bindings are known in the evaluation alone.
static bool show_expression(RlxRepl *repl, const char *text) {
  const RlxReplWalk *w = repl->walk;
  for (uint32_t i = 0; i <= w->at; i++) {
    const char *name = w->steps.at[i].name;
    if (!*name || !rlx_repl_mentions(text, name) || rlx_repl_find(repl, name, strlen(name)))
      continue;
    rlx_text_say(stdout,
                 "error: %s has its value in the evaluation alone, where `print %s` shows it; an "
                 "expression is of the session's values",
                 name, name);
    return false;
  }
  return rlx_repl_show_value(repl, text);
}

/// Whether a binding so far, or a parameter, has the name.
static bool is_binding(const RlxReplWalk *w, const char *name) {
  for (uint32_t i = 0; i <= w->at; i++)
    if (!strcmp(w->steps.at[i].name, name)) return true;
  return false;
}

bool rlx_repl_walk_enter(RlxRepl *repl, const char *text) {
  size_t size = strcspn(text, " \t");
  const char *name = text + size + strspn(text + size, " \t");
  const bool is_own = is_binding(repl->walk, text); // the name alone prints it, `h` as well
  if (!strcmp(text, "?")) return do_help(repl, "");
  for (int i = 0; i < WORDS; i++) {
    bool is_whole = strlen(words[i].word) == size && !memcmp(words[i].word, text, size);
    // `b * 2` is no `back`: behind a letter stands what the word takes, a name or a number
    bool is_short = !is_own && size == 1 && *text == *words[i].word &&
                    (!*name || (*words[i].argument && rlx_text_in_name(*name)));
    if (is_whole || is_short) return words[i].run(repl, name);
  }
  size = strlen(text);
  if (!strncmp(text, "print(", 6) && text[size - 1] == ')') {
    char *inner = rlx_mem_strndup(text + 6, size - 7);
    const bool ok =
        rlx_text_is_name(inner, size - 7) ? do_print(repl, inner) : show_expression(repl, inner);
    free(inner);
    return ok;
  }
  if (is_own) return do_print(repl, text);
  if (!*name && print_variable(repl, text)) return true;
  if (!rlx_text_is_name(text, strlen(text))) return show_expression(repl, text);
  rlx_text_say(stdout,
               "error: %s is no word, and no binding of that name has a value so far; help lists "
               "the words",
               text);
  return false;
}

void rlx_repl_walk_complete(RlxRepl *repl, const char *word, size_t size, RlxBuf *out) {
  for (int i = 0; i < WORDS; i++)
    if (!strncmp(words[i].word, word, size)) rlx_buf_printf(out, "%s\n", words[i].word);
  const RlxReplWalk *w = repl->walk;
  for (uint32_t i = 0; i <= w->at && i < w->steps.count; i++)
    if (*w->steps.at[i].name && !strncmp(w->steps.at[i].name, word, size))
      rlx_buf_printf(out, "%s\n", w->steps.at[i].name);
}

bool rlx_repl_step(RlxRepl *repl, const char *text) {
  RlxReplWalk *w = rlx_mem_zeroed(1, sizeof *w);
  rlx_repl_walk_close(repl);
  repl->walk = w;
  w->follow = rlx_follow_start(repl, text, &w->problem);
  if (!w->follow && !*w->problem.text) { // the entry's errors were printed
    rlx_repl_walk_close(repl);
    return false;
  }
  const bool ok = show_place(repl);
  if (repl->on_value && repl->walk) // a notebook has no prompt that says so
    printf("# cells step from here on: next, print NAME, an expression, continue, quit\n");
  return ok;
}
