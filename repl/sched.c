/// :sched: a schedule of one PrimFunc. Each line is a step as a TVM user writes it, checked and
/// carried out, or refused with the reason; the loop tree is drawn after each, with what is new in it
/// marked.
#include "base/text.h"
#include "repl/commands.h"
#include "repl/look.h"
#include "repl/sched_impl.h"
#include "repl/values.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/ops/explain.h"
#include "analyzer/script/script.h"
#include "base/diff.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "jit/rewriter.h"

typedef struct RlxReplSched Sched;

// ---- errors

static void print_error(const char *code, const char *message) {
  bool color = rlx_repl_is_colored();
  printf("%serror[%s]%s: ", color ? "\033[1;31m" : "", code, color ? "\033[0m" : "");
  rlx_text_say(stdout, "%s", message);
}

// ---- opening and leaving

static bool run_jit_steps(RlxRepl *repl);
static bool do_load(RlxRepl *repl, const char *text);
static bool open_schedule(RlxRepl *repl, const char *name);

bool rlx_repl_sched(RlxRepl *repl, const char *text) {
  static const char jit[] = "--jit";
  bool takes_jit = strncmp(text, jit, strlen(jit)) == 0 && strchr(" \t", text[strlen(jit)]);
  if (takes_jit) text += strlen(jit) + strspn(text + strlen(jit), " \t");
  if (!*text) return printf("error: :sched takes [--jit] FUNC [TRACE]\n"), false;
  char *name = rlx_mem_strdup(text), *trace = name + strcspn(name, " \t");
  if (*trace) {
    *trace++ = '\0';
    trace += strspn(trace, " \t");
  }
  bool ok = open_schedule(repl, name) && (!takes_jit || run_jit_steps(repl)) &&
            (!*trace || do_load(repl, trace));
  free(name);
  return ok;
}

static bool open_schedule(RlxRepl *repl, const char *name) {
  rlx_repl_analyze(repl);
  RlxFunctionViews views = {0};
  rlx_file_functions(repl->file, &views);
  RlxBuf why = {0};
  bool has_hint;
  const RlxFunctionView *view = rlx_function_view_prim(repl->store, &views, name, &why, &has_hint);
  if (why.size)
    rlx_text_say(stdout, "error: %s%s", rlx_buf_text(&why),
                 has_hint ? "" : "; :funcs lists the functions");
  rlx_buf_free(&why);
  if (!view) {
    rlx_vec_free(&views);
    return false;
  }
  const RlxStmt *found = view->stmt;
  Sched *s = rlx_mem_zeroed(1, sizeof *s);
  uint32_t first = found->start;
  rlx_repl_def_at(repl, found->start, &first); // with its decorators, or its module
  rlx_buf_puts(&s->source, rlx_buf_text(&repl->text) + first);
  rlx_lines_build(&s->lines, rlx_buf_text(&s->source), (uint32_t)s->source.size);
  s->schedule = rlx_schedule_new(repl->store);
  rlx_schedule_set_rewriter(s->schedule, rlx_jit_rewriter());
  rlx_schedule_set_lines(s->schedule, &s->lines);
  rlx_schedule_add(s->schedule, rlx_file_primfunc(repl->file, found, NULL), found->start - first);
  for (uint32_t i = 0; i < views.count; i++)
    if (views.at[i].kind == RLX_ISLAND_PRIM_FUNC && views.at[i].stmt != found)
      rlx_schedule_lend(s->schedule, rlx_file_primfunc(repl->file, views.at[i].stmt, NULL));
  rlx_vec_free(&views);
  rlx_schedule_note_intrinsics(s->schedule, rlx_document_root(rlx_file_document(repl->file)));
  s->name = rlx_mem_strdup(name);
  RlxBuf prompt = {0};
  rlx_buf_printf(&prompt, "sched %s> ", name);
  s->prompt = rlx_buf_steal(&prompt);
  const char *text = rlx_buf_text(&repl->text);
  s->dialect = strstr(text, "T.block(") && !strstr(text, "T.sblock(") ? RLX_DIALECT_CLASSIC
                                                                      : RLX_DIALECT_025;
  const RlxPrimFunc *f = rlx_schedule_function(s->schedule, 0);
  rlx_primfunc_print(repl->store, f, s->dialect, 0, &s->before);
  s->original = f;
  rlx_repl_sched_close(repl);
  repl->sched = s;
  rlx_sched_draw(s);
  return true;
}

void rlx_repl_sched_close(RlxRepl *repl) {
  Sched *s = repl->sched;
  if (!s) return;
  rlx_schedule_free(s->schedule);
  free(s->name);
  free(s->prompt);
  rlx_buf_free(&s->before);
  rlx_buf_free(&s->source);
  rlx_lines_free(&s->lines);
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

/// The line of the definition that `span` stands in, with its number there.
static void show_place(const Sched *s, RlxSpan span, RlxBuf *out) {
  uint32_t at = rlx_schedule_text_start(s->schedule, 0) + span.start;
  if (!span.end || at >= s->source.size) return;
  const char *text = rlx_buf_text(&s->source);
  uint32_t line = rlx_lines_locate(&s->lines, at).line, start = rlx_lines_start(&s->lines, line);
  uint32_t size = (uint32_t)strcspn(text + start, "\n");
  uint32_t end = span.end - span.start + at, width = (end < start + size ? end : start + size) - at;
  rlx_buf_printf(out, "  %4u | ", line + 1);
  rlx_text_put_shown(out, text + start, size);
  rlx_buf_printf(out, "\n       | %*s", (int)(at - start), "");
  for (uint32_t i = 0; i < (width ? width : 1); i++) rlx_buf_putc(out, '^');
  rlx_buf_putc(out, '\n');
}

static void note_refusal(Sched *s, const RlxScheduleStep *step, const RlxDiag *d) {
  const RlxDiagRow *row = rlx_diag_row(d->id);
  rlx_buf_clear(&s->why);
  rlx_trace_print_step(s->schedule, step, &s->why);
  rlx_buf_printf(&s->why, "\nerror[%s]: %s\n", row->code, d->message);
  show_place(s, d->span, &s->why);
  for (uint32_t i = 0; i < d->related_count; i++) {
    rlx_buf_printf(&s->why, "  %s\n", d->related[i].message);
    show_place(s, d->related[i].span, &s->why);
  }
  rlx_buf_printf(&s->why, "rule %s (%s): %s\n", row->code, row->name, row->explanation);
}

/// What a question gave that gets no name.
static void show_answer(Sched *s, const RlxScheduleValue *v) {
  RlxBuf out = {0};
  if (v->kind != RLX_SCHEDULE_ABSENT) rlx_schedule_show_value(s->schedule, v, &out);
  if (out.size) rlx_text_say(stdout, "%s", rlx_buf_text(&out));
  rlx_buf_free(&out);
}

/// Carries out the steps of `trace`, which the schedule takes over: all of them, or none when one is refused.
static bool run_trace(Sched *s, RlxTrace *trace) {
  bool ok = true, changed = false;
  int before = rlx_schedule_step_count(s->schedule);
  for (uint32_t i = 0; ok && i < trace->steps.count; i++) {
    RlxScheduleAnswer a = rlx_trace_apply(s->schedule, trace, i);
    const RlxScheduleStep *step = &trace->steps.at[i];
    ok = a.ok;
    changed |= a.ok && !step->primitive->is_query;
    if (a.ok && step->primitive->is_query && !step->target) show_answer(s, &a.result);
    if (a.ok) continue;
    if (trace->steps.count > 1) printf("step %u: ", i + 1);
    print_error(rlx_diag_row(a.refusal->id)->code, a.refusal->message);
    note_refusal(s, step, a.refusal);
  }
  if (!ok) rlx_schedule_back_to(s->schedule, before);
  if (ok && changed) rlx_sched_draw(s);
  rlx_schedule_keep(s->schedule, trace);
  return ok;
}

static bool run_steps(Sched *s, RlxRepl *repl, const char *text) {
  RlxTrace trace;
  RlxSink sink = {.arena = rlx_arena_new()};
  rlx_trace_read(repl->store, text, (uint32_t)strlen(text), &trace, &sink);
  bool ok = sink.diags.count == 0;
  for (uint32_t i = 0; i < sink.diags.count && i < 1; i++)
    print_error(rlx_diag_row(sink.diags.at[i]->id)->code, sink.diags.at[i]->message);
  if (ok)
    ok = run_trace(s, &trace);
  else
    rlx_trace_free(&trace);
  rlx_vec_free(&sink.diags);
  rlx_arena_free(sink.arena);
  return ok;
}

/// Carries out what the JIT does to the loops by itself, which is shown as a trace first.
static bool run_jit_steps(RlxRepl *repl) {
  RlxBuf steps = {0};
  RlxError err = {0};
  bool ok = rlx_jit_schedule_steps(repl->jit, rlx_schedule_function(repl->sched->schedule, 0),
                                   &steps, &err);
  if (!ok)
    rlx_text_say(stdout, "error: %s", err.text);
  else
    fputs(steps.size ? rlx_buf_text(&steps) : "the JIT leaves these loops as they are\n", stdout);
  ok = ok && run_steps(repl->sched, repl, rlx_buf_text(&steps));
  rlx_buf_free(&steps);
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

static void put_word(int i, RlxBuf *out) {
  RlxBuf head = {0};
  rlx_buf_printf(&head, "  :%-6s %s", words[i].name, words[i].argument);
  rlx_repl_put_item(rlx_buf_text(&head), 20, words[i].help, out);
  rlx_buf_free(&head);
}

/// Appends what is known of a word, a primitive, an operator or a diagnostic; false after a message.
static bool put_help_of(const char *name, RlxBuf *out) {
  RlxNearest nearest = rlx_nearest_start(name);
  for (int i = 0; i < WORDS; i++) {
    rlx_nearest_try(&nearest, words[i].name);
    if (!strcmp(words[i].name, name + (*name == ':'))) return put_word(i, out), true;
  }
  const RlxPrimitive *p = rlx_primitive_find(strncmp(name, "sch.", 4) != 0 ? name : name + 4);
  if (p) return rlx_primitive_page(p, out), true;
  const bool ok = rlx_explain_word(name, RLX_PAGE_TEXT, out);
  for (int i = 0; (p = rlx_primitive_at(i)) != NULL; i++) rlx_nearest_try(&nearest, p->name);
  if (!ok && nearest.best)
    rlx_text_say(stdout, "error: nothing is called %s; did you mean %s?", name, nearest.best);
  else if (!ok)
    rlx_text_say(stdout, "error: nothing is called %s; :help lists the words, :list the primitives",
                 name);
  return ok;
}

static bool do_help(RlxRepl *repl, const char *text) {
  (void)repl;
  RlxBuf out = {0};
  if (!*text)
    rlx_buf_puts(
        &out,
        "Enter steps: i, j = sch.get_loops(\"C\"), sch.split(i, factors=[None, 16]). Words:\n");
  for (int i = 0; i < WORDS && !*text; i++) put_word(i, &out);
  const bool ok = !*text || put_help_of(text, &out);
  fputs(rlx_buf_text(&out), stdout);
  rlx_buf_free(&out);
  return ok;
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
  rlx_sched_draw(repl->sched);
  return true;
}

static bool do_ir(RlxRepl *repl, const char *text) {
  (void)text;
  RlxBuf out = {0};
  rlx_sched_print(repl, &out);
  fputs(rlx_buf_text(&out), stdout);
  rlx_buf_free(&out);
  return true;
}

static bool do_diff(RlxRepl *repl, const char *text) {
  (void)text;
  RlxBuf now = {0}, out = {0};
  rlx_sched_print(repl, &now);
  rlx_diff(repl->sched->name, &repl->sched->before, &now, &out);
  fputs(out.size ? rlx_buf_text(&out) : "nothing was changed\n", stdout);
  rlx_buf_free(&now);
  rlx_buf_free(&out);
  return true;
}

static bool do_trace(RlxRepl *repl, const char *text) {
  (void)text;
  RlxBuf out = {0};
  rlx_trace_print(repl->sched->schedule, &out);
  fputs(rlx_buf_text(&out), stdout);
  rlx_buf_free(&out);
  return true;
}

/// How many times :undo or :redo is to do it: 1 where nothing is said; 0: that is no number, which was said.
static long times_of(const char *word, const char *text) {
  if (!*text) return 1;
  char *end;
  const long times = strtol(text, &end, 10);
  if (!*end && times > 0) return times;
  printf("error: :%s takes a number of steps, from 1\n", word);
  return 0;
}

static bool do_undo(RlxRepl *repl, const char *text) {
  const long times = times_of("undo", text);
  if (!times) return false;
  long done = 0;
  while (done < times && rlx_schedule_undo(repl->sched->schedule)) done++;
  if (!done) return printf("error: there is no step\n"), false;
  rlx_sched_draw(repl->sched);
  return true;
}

static bool do_redo(RlxRepl *repl, const char *text) {
  const long times = times_of("redo", text);
  if (!times) return false;
  long done = 0;
  while (done < times && rlx_schedule_redo(repl->sched->schedule)) done++;
  if (!done) return printf("error: no step was taken back\n"), false;
  rlx_sched_draw(repl->sched);
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
  repl->sched->seed = seed;
  return true;
}

/// Are these sizes of dimensions, `n=128 m=64`, or none?
static bool are_sizes(const char *text) {
  for (text += strspn(text, " \t"); *text; text += strspn(text, " \t")) {
    size_t size = strcspn(text, " \t");
    if (!memchr(text, '=', size)) return false;
    text += size;
  }
  return true;
}

static bool do_time(RlxRepl *repl, const char *text) {
  if (!are_sizes(text))
    return printf("error: :time takes sizes of symbolic dimensions: n=128 m=64\n"), false;
  Sched *s = repl->sched;
  RlxBuf now = {0}, before = {0}, after = {0}, out = {0};
  rlx_sched_print(repl, &now);
  rlx_sched_script(repl, &s->before, &before);
  rlx_sched_script(repl, &now, &after);
  RlxMeasureOptions options = rlx_sched_measure_options(repl);
  options.sizes = text;
  RlxTimes times;
  RlxError err = {0};
  RlxWork work = rlx_work_of(repl->store, s->original, text);
  bool ok = rlx_times(rlx_buf_text(&before), rlx_buf_text(&after), rlx_sched_own_name(repl),
                      &options, &times, &err);
  *repl->interrupted = 0;
  if (ok)
    rlx_times_print(&times, work, &out);
  else
    rlx_buf_printf(&out, "error: %s\n", err.text);
  fputs(rlx_buf_text(&out), stdout);
  RlxBuf *all[] = {&now, &before, &after, &out};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) rlx_buf_free(all[i]);
  return ok && times.agree;
}

static bool do_tune(RlxRepl *repl, const char *text) {
  char *end = NULL;
  double seconds = strtod(text, &end);
  if (end == text) seconds = 10; // sizes alone, or nothing
  if (!strchr(" \t", *end) && end != text) seconds = 0;
  if (!(seconds > 0) || seconds > 86400 || !are_sizes(end))
    return printf("error: :tune takes seconds, a number above 0, and sizes: 30 n=128\n"), false;
  return rlx_sched_tune(repl, seconds, end);
}

static bool do_load(RlxRepl *repl, const char *text) {
  RlxBuf content = {0};
  RlxError err = {0};
  RlxTrace trace;
  uint32_t line = 0;
  bool ok = rlx_file_read(text, &content, &err);
  if (ok && repl->options->read_trace) {
    ok = repl->options->read_trace(repl->store, rlx_buf_text(&content), content.size, &trace, &line,
                                   &err);
    if (!ok) rlx_trace_free(&trace);
    if (!ok && line) rlx_error_prefix(&err, "%s:%u", text, line);
    if (!ok && !line) rlx_error_prefix(&err, "%s", text);
  }
  if (!ok)
    rlx_text_say(stdout, "error: %s", err.text);
  else if (repl->options->read_trace)
    ok = run_trace(repl->sched, &trace);
  else
    ok = run_steps(repl->sched, repl, rlx_buf_text(&content));
  rlx_buf_free(&content);
  return ok;
}

static bool do_save(RlxRepl *repl, const char *text) {
  if (!rlx_repl_may_act(repl, ":save")) return false;
  RlxBuf out = {0}, now = {0};
  RlxError err = {0};
  if (rlx_text_ends_in(text, ".py")) {
    rlx_sched_print(repl, &now);
    rlx_sched_script(repl, &now, &out);
  } else if (rlx_text_ends_in(text, ".json") && repl->options->write_trace)
    repl->options->write_trace(repl->sched->schedule, &out);
  else
    rlx_trace_print(repl->sched->schedule, &out);
  bool ok = rlx_file_write(text, rlx_buf_text(&out), out.size, &err);
  if (!ok) rlx_text_say(stdout, "error: %s", err.text);
  rlx_buf_free(&out);
  rlx_buf_free(&now);
  return ok;
}

static bool is_changed(const RlxSchedule *s) {
  for (int i = 0; i < rlx_schedule_step_count(s); i++)
    if (!rlx_schedule_step_at(s, i)->primitive->is_query) return true;
  return false;
}

static bool do_done(RlxRepl *repl, const char *text) {
  Sched *s = repl->sched;
  if (*text && !rlx_text_is_name(text, strlen(text)))
    return rlx_text_say(stdout, "error: `%s` is no name", text), false;
  s->leaves = true;
  if (!is_changed(s->schedule)) return true;
  RlxBuf name = {0};
  if (*text)
    rlx_buf_puts(&name, text);
  else
    rlx_buf_printf(&name, "%s_scheduled", rlx_sched_own_name(repl));
  RlxPrimFunc named = *rlx_schedule_function(s->schedule, 0);
  named.name = rlx_store_intern(repl->store, rlx_buf_text(&name), name.size);
  rlx_primfunc_print(repl->store, &named, s->dialect, 0, &s->define);
  printf("%s is the scheduled %s\n", rlx_buf_text(&name), s->name);
  rlx_buf_free(&name);
  return true;
}

static bool do_use(RlxRepl *repl, const char *text) {
  (void)text;
  rlx_sched_print(repl, &repl->sched->define);
  printf("%s is the scheduled one; :undo takes it back\n", repl->sched->name);
  repl->sched->leaves = true;
  return true;
}

static bool do_quit(RlxRepl *repl, const char *text) {
  (void)text;
  repl->sched->leaves = true;
  return true;
}

/// `split?`, `?split`: as `:help split` does. False: it is none.
static bool ask(RlxRepl *repl, const char *entry, bool *ok) {
  const size_t size = strlen(entry), before = strspn(entry, "? "),
               inside = strcspn(entry + before, "? (");
  const bool is_asked =
      before ? inside && before + inside == size
             : inside && strspn(entry + inside, "? ") == size - inside && inside < size;
  if (!is_asked) return false;
  char *name = rlx_mem_strndup(entry + before, inside);
  *ok = do_help(repl, name);
  free(name);
  return true;
}

/// What a script asks TVM to print, as a word that shows it: `sch.mod.show()`, `print(sch.trace)`. NULL: it is something else.
static bool (*shown_by(const char *entry))(RlxRepl *repl, const char *text) {
  static const struct {
    const char *begin;
    bool (*run)(RlxRepl *repl, const char *text);
  } asked[] = {{"sch.mod.show(", do_ir},      {"sch.show(", do_ir},
               {"print(sch.mod", do_ir},      {"sch.mod.script(", do_ir},
               {"sch.trace.show(", do_trace}, {"print(sch.trace", do_trace}};
  const size_t size = strcspn(entry, "\n");
  if (entry[size + strspn(entry + size, "\n")]) return NULL;
  for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
    if (strncmp(entry, asked[i].begin, strlen(asked[i].begin)) == 0) return asked[i].run;
  return NULL;
}

static bool word(RlxRepl *repl, const char *entry) {
  bool is_answered;
  if (ask(repl, entry, &is_answered)) return is_answered;
  bool (*show)(RlxRepl *repl, const char *text) = shown_by(entry);
  if (show) return show(repl, "");
  if (*entry != ':') return run_steps(repl->sched, repl, entry);
  size_t size = strcspn(entry + 1, " \t");
  const char *rest = entry + 1 + size;
  while (*rest == ' ' || *rest == '\t') rest++;
  char name[64];
  snprintf(name, sizeof name, "%.*s", (int)(size < 60 ? size : 60), entry + 1);
  RlxNearest nearest = rlx_nearest_start(name);
  for (int i = 0; i < WORDS; i++) {
    rlx_nearest_try(&nearest, words[i].name);
    if (strcmp(words[i].name, name) != 0) continue;
    if (*words[i].argument && *words[i].argument != '[' && !*rest) {
      rlx_text_say(stdout, "error: :%s needs %s", words[i].name, words[i].argument);
      return false;
    }
    if (!*words[i].argument && *rest) {
      rlx_text_say(stdout, "error: :%s takes no argument", words[i].name);
      return false;
    }
    return words[i].run(repl, rest);
  }
  if (nearest.best)
    rlx_text_say(stdout, "error: a schedule has no :%s; did you mean :%s?", name, nearest.best);
  else
    rlx_text_say(stdout, "error: a schedule has no :%s; :help lists its words, :done leaves", name);
  return false;
}

bool rlx_repl_sched_enter(RlxRepl *repl, const char *entry, RlxBuf *define) {
  bool ok = word(repl, entry);
  if (!repl->sched->leaves) return ok;
  rlx_buf_puts(define, rlx_buf_text(&repl->sched->define));
  rlx_repl_sched_close(repl);
  return ok;
}

bool rlx_repl_tune(RlxRepl *repl, const char *text) {
  size_t size = strcspn(text, " \t");
  const char *rest = text + size + strspn(text + size, " \t");
  char *name = rlx_mem_strndup(text, size);
  bool ok = rlx_repl_sched(repl, name) && do_tune(repl, rest);
  free(name);
  return ok;
}
