/// :sched: a schedule of one PrimFunc. Each line is a step as a TVM user writes it, checked and
/// carried out, or refused with the reason; the loop tree is drawn after each, with what is new in it
/// marked.
#include "repl/sched.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/schedule/schedule.h"
#include "analyzer/tir/script.h"
#include "base/diff.h"
#include "base/file.h"
#include "base/mem.h"

struct RlxReplSched {
  RlxSchedule *schedule;
  char *name, *prompt;
  RlxBuf before; ///< the PrimFunc's text when the schedule was opened
  RlxBuf tree;   ///< as last drawn
  RlxBuf why;    ///< of the last refusal
  RlxBuf define; ///< what :use wants entered
  RlxDialect dialect;
};
typedef struct RlxReplSched Sched;

// ---- drawing

/// Does `text` have this line?
static bool has_line(const RlxBuf *text, const char *line, size_t size) {
  for (const char *p = rlx_buf_text(text); *p;) {
    size_t n = strcspn(p, "\n");
    if (n == size && memcmp(p, line, n) == 0) return true;
    p += n + (p[n] == '\n');
  }
  return false;
}

static void draw(Sched *s) {
  RlxBuf now = {0};
  rlx_schedule_tree(s->schedule, 0, &now);
  for (const char *p = rlx_buf_text(&now); *p;) {
    size_t n = strcspn(p, "\n");
    bool is_new = s->tree.size && !has_line(&s->tree, p, n);
    printf("%s %.*s\n", is_new ? "●" : " ", (int)n, p);
    p += n + (p[n] == '\n');
  }
  rlx_buf_free(&s->tree);
  s->tree = now;
}

// ---- opening and leaving

bool rlx_repl_sched_open(RlxRepl *repl, const char *name) {
  rlx_repl_analyze(repl);
  RlxFunctionViews views = {0};
  rlx_file_functions(repl->file, &views);
  const RlxStmt *found = NULL;
  for (uint32_t i = 0; i < views.count; i++)
    if (views.at[i].kind == RLX_ISLAND_PRIM_FUNC &&
        strcmp(rlx_store_text(repl->store, views.at[i].name), name) == 0)
      found = views.at[i].stmt;
  rlx_vec_free(&views);
  if (!found) {
    printf("error: there is no PrimFunc `%s`; :funcs lists the functions\n", name);
    return false;
  }
  Sched *s = rlx_mem_zeroed(1, sizeof *s);
  s->schedule = rlx_schedule_new(repl->store);
  rlx_schedule_add(s->schedule, rlx_file_primfunc(repl->file, found, NULL), found->start);
  s->name = rlx_mem_strdup(name);
  RlxBuf prompt = {0};
  rlx_buf_printf(&prompt, "sched %s> ", name);
  s->prompt = rlx_buf_steal(&prompt);
  const char *text = rlx_buf_text(&repl->text);
  s->dialect = strstr(text, "T.block(") && !strstr(text, "T.sblock(") ? RLX_DIALECT_CLASSIC
                                                                      : RLX_DIALECT_025;
  rlx_primfunc_print(repl->store, rlx_schedule_function(s->schedule, 0), s->dialect, 0, &s->before);
  rlx_repl_sched_close(repl);
  repl->sched = s;
  draw(s);
  return true;
}

void rlx_repl_sched_close(RlxRepl *repl) {
  Sched *s = repl->sched;
  if (!s) return;
  rlx_schedule_free(s->schedule);
  free(s->name);
  free(s->prompt);
  rlx_buf_free(&s->before);
  rlx_buf_free(&s->tree);
  rlx_buf_free(&s->why);
  rlx_buf_free(&s->define);
  free(s);
  repl->sched = NULL;
}

const char *rlx_repl_sched_prompt(const RlxRepl *repl) {
  return repl->sched ? repl->sched->prompt : NULL;
}

// ---- steps

static void note_refusal(Sched *s, const RlxScheduleStep *step, const RlxDiag *d) {
  rlx_buf_clear(&s->why);
  rlx_trace_print_step(s->schedule, step, &s->why);
  rlx_buf_printf(&s->why, "\nerror[%s]: %s\n", rlx_diag_row(d->id)->code, d->message);
  for (uint32_t i = 0; i < d->related_count; i++)
    rlx_buf_printf(&s->why, "  %s\n", d->related[i].message);
  rlx_buf_printf(&s->why, "%s\n", rlx_diag_row(d->id)->explanation);
}

static bool run_steps(Sched *s, RlxRepl *repl, const char *text, bool is_drawn) {
  RlxTrace trace;
  RlxSink sink = {.arena = rlx_arena_new()};
  rlx_trace_read(repl->store, text, (uint32_t)strlen(text), &trace, &sink);
  bool ok = sink.diags.count == 0, changed = false;
  for (uint32_t i = 0; i < sink.diags.count; i++)
    printf("error[%s]: %s\n", rlx_diag_row(sink.diags.at[i]->id)->code, sink.diags.at[i]->message);
  for (uint32_t i = 0; ok && i < trace.steps.count; i++) {
    const RlxScheduleStep *step = &trace.steps.at[i];
    RlxScheduleAnswer a = rlx_schedule_apply(s->schedule, step);
    ok = a.ok;
    changed |= a.ok && !step->primitive->is_query;
    if (a.ok) continue;
    printf("error[%s]: %s\n", rlx_diag_row(a.refusal->id)->code, a.refusal->message);
    note_refusal(s, step, a.refusal);
  }
  if (changed && is_drawn) draw(s);
  // Steps in force keep pointing into the trace's memory until the schedule is left.
  rlx_schedule_keep(s->schedule, &trace);
  rlx_vec_free(&sink.diags);
  rlx_arena_free(sink.arena);
  return ok;
}

// ---- words

typedef bool WordFn(RlxRepl *repl, const char *text);
#define RLX_SCHED(name, argument, help) static bool do_##name(RlxRepl *repl, const char *text);
#include "repl/sched_words.def"
#undef RLX_SCHED

static const struct {
  const char *name, *argument, *help;
  WordFn *run;
} words[] = {
#define RLX_SCHED(name, argument, help) {#name, argument, help, do_##name},
#include "repl/sched_words.def"
#undef RLX_SCHED
};
enum { WORDS = sizeof words / sizeof *words };

static bool do_help(RlxRepl *repl, const char *text) {
  (void)repl;
  (void)text;
  printf("Enter steps: i, j = sch.get_loops(\"C\"), sch.split(i, factors=[None, 16]). Words:\n");
  for (int i = 0; i < WORDS; i++)
    printf("  :%-6s %-7s %s\n", words[i].name, words[i].argument, words[i].help);
  return true;
}

static bool do_list(RlxRepl *repl, const char *text) {
  (void)repl;
  (void)text;
  const RlxPrimitive *p;
  for (int i = 0; (p = rlx_primitive_at(i)) != NULL; i++) {
    RlxBuf line = {0};
    rlx_primitive_signature(p, &line);
    printf("  %s\n", rlx_buf_text(&line));
    rlx_buf_free(&line);
  }
  return true;
}

static bool do_tree(RlxRepl *repl, const char *text) {
  (void)text;
  rlx_buf_clear(&repl->sched->tree);
  draw(repl->sched);
  return true;
}

static void print_now(const RlxRepl *repl, RlxBuf *out) {
  const Sched *s = repl->sched;
  rlx_primfunc_print(repl->store, rlx_schedule_function(s->schedule, 0), s->dialect, 0, out);
}

static bool do_ir(RlxRepl *repl, const char *text) {
  (void)text;
  RlxBuf out = {0};
  print_now(repl, &out);
  fputs(rlx_buf_text(&out), stdout);
  rlx_buf_free(&out);
  return true;
}

static bool do_diff(RlxRepl *repl, const char *text) {
  (void)text;
  RlxBuf now = {0}, out = {0};
  print_now(repl, &now);
  rlx_diff(repl->sched->name, &repl->sched->before, &now, &out);
  fputs(out.size ? rlx_buf_text(&out) : "nothing was changed\n", stdout);
  rlx_buf_free(&now);
  rlx_buf_free(&out);
  return true;
}

static void print_trace(const Sched *s, RlxBuf *out) {
  for (int i = 0; i < rlx_schedule_step_count(s->schedule); i++) {
    rlx_trace_print_step(s->schedule, rlx_schedule_step_at(s->schedule, i), out);
    rlx_buf_putc(out, '\n');
  }
}

static bool do_trace(RlxRepl *repl, const char *text) {
  (void)text;
  RlxBuf out = {0};
  print_trace(repl->sched, &out);
  fputs(rlx_buf_text(&out), stdout);
  rlx_buf_free(&out);
  return true;
}

static bool do_undo(RlxRepl *repl, const char *text) {
  (void)text;
  if (!rlx_schedule_undo(repl->sched->schedule)) return printf("error: there is no step\n"), false;
  draw(repl->sched);
  return true;
}

static bool do_redo(RlxRepl *repl, const char *text) {
  (void)text;
  if (!rlx_schedule_redo(repl->sched->schedule))
    return printf("error: no step was taken back\n"), false;
  draw(repl->sched);
  return true;
}

static bool do_why(RlxRepl *repl, const char *text) {
  (void)text;
  fputs(repl->sched->why.size ? rlx_buf_text(&repl->sched->why) : "no step was refused\n", stdout);
  return true;
}

static bool do_seed(RlxRepl *repl, const char *text) {
  char *end;
  unsigned long long seed = strtoull(text, &end, 10);
  if (!*text || *end) return printf("error: a seed is a number from 0\n"), false;
  rlx_schedule_seed(repl->sched->schedule, seed);
  return true;
}

static bool do_load(RlxRepl *repl, const char *text) {
  RlxBuf content = {0};
  RlxError err = {0};
  bool ok = rlx_file_read(text, &content, &err);
  if (ok)
    ok = run_steps(repl->sched, repl, rlx_buf_text(&content), true);
  else
    printf("error: %s\n", err.text);
  rlx_buf_free(&content);
  return ok;
}

static bool do_save(RlxRepl *repl, const char *text) {
  RlxBuf out = {0};
  RlxError err = {0};
  print_trace(repl->sched, &out);
  bool ok = rlx_file_write(text, rlx_buf_text(&out), out.size, &err);
  if (!ok) printf("error: %s\n", err.text);
  rlx_buf_free(&out);
  return ok;
}

static bool do_done(RlxRepl *repl, const char *text) {
  (void)text;
  rlx_repl_sched_close(repl);
  return true;
}

static bool do_use(RlxRepl *repl, const char *text) {
  (void)text;
  print_now(repl, &repl->sched->define);
  return true;
}

static bool word(RlxRepl *repl, const char *entry) {
  if (*entry != ':') return run_steps(repl->sched, repl, entry, true);
  size_t size = strcspn(entry + 1, " \t");
  const char *rest = entry + 1 + size;
  while (*rest == ' ' || *rest == '\t') rest++;
  for (int i = 0; i < WORDS; i++) {
    if (strlen(words[i].name) != size || memcmp(words[i].name, entry + 1, size) != 0) continue;
    if (*words[i].argument && !*rest) {
      printf("error: :%s needs %s\n", words[i].name, words[i].argument);
      return false;
    }
    return words[i].run(repl, rest);
  }
  printf("error: a schedule has no :%.*s; :help lists its words, :done leaves\n", (int)size,
         entry + 1);
  return false;
}

bool rlx_repl_sched_enter(RlxRepl *repl, const char *entry, RlxBuf *define) {
  bool ok = word(repl, entry);
  if (!repl->sched || !repl->sched->define.size) return ok;
  rlx_buf_puts(define, rlx_buf_text(&repl->sched->define));
  rlx_repl_sched_close(repl);
  return ok;
}

// ---- completion

typedef struct Offer {
  const char *word;
  size_t size;
  RlxBuf *out;
} Offer;

static void offer(const char *name, void *data) {
  const Offer *o = data;
  if (strlen(name) <= o->size || memcmp(name, o->word, o->size) != 0) return;
  rlx_buf_printf(o->out, "%s\n", name);
}

void rlx_repl_sched_complete(const RlxRepl *repl, const char *word, size_t size, RlxBuf *out) {
  Offer o = {word, size, out};
  char name[160];
  for (int i = 0; i < WORDS; i++) {
    snprintf(name, sizeof name, ":%s", words[i].name);
    offer(name, &o);
  }
  const RlxPrimitive *p;
  for (int i = 0; (p = rlx_primitive_at(i)) != NULL; i++) {
    snprintf(name, sizeof name, "sch.%s", p->name);
    offer(name, &o);
  }
  if (size && *word == '"') o.word++, o.size--;
  rlx_schedule_each_name(repl->sched->schedule, offer, &o);
}
