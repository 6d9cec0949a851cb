/// `rlx schedule`: carries a trace of schedule primitives out on the PrimFuncs of a file, each step
/// checked; the result as TVMScript, as a diff, or as JSON.
#include "cli/schedule.h"
#include "base/text.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "analyzer/analyzer.h"
#include "analyzer/script/script.h"
#include "base/diff.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/color.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/limits.h"
#include "cli/options.h"
#include "cli/settings.h"
#include "cli/source.h"
#include "jit/jit.h"
#include "jit/rewriter.h"
#include "jit/tune.h"

enum { FORMAT_TEXT, FORMAT_JSON, COUNT_OWN = 16 };

typedef struct Command {
  RlxUsage usage;
  int format, color;
  bool each, keep_going, check, diff, list, time, no_text, jit;
  int64_t tune;        ///< seconds; 0: no search
  int64_t seed, steps; ///< steps: of the trace that are carried out, -1: all
  const char *out_path, *save_path, *sizes;
  RlxSettingOptions settings;
  RlxLimits limits;
  const char *path, *function; ///< FILE::FUNC taken apart
  RlxAnalyzer *analyzer;
  RlxFile *file;
  RlxSchedule *schedule;
  RlxDialect dialect;
  RlxTrace trace;
  RlxBuf source, trace_text, before;
  Vec(RlxWork) works; ///< of the functions, unscheduled
  int refused;
  double started, shown; ///< seconds, for progress
} Command;

// ---- what is scheduled

static RlxDialect dialect_of(const Command *c) {
  const char *text = rlx_buf_text(&c->source);
  return strstr(text, "T.block(") && !strstr(text, "T.sblock(") ? RLX_DIALECT_CLASSIC
                                                                : RLX_DIALECT_025;
}

static uint32_t line_of(const char *text, uint32_t offset) {
  uint32_t line = 1;
  for (uint32_t i = 0; i < offset && text[i]; i++) line += text[i] == '\n';
  return line;
}

/// A step about a PrimFunc that is not wholly understood may be refused for that alone.
static void say_hole(void *data, const RlxFunctionView *v, const RlxTirIssue *issue) {
  const Command *c = data;
  rlx_text_say(stderr, "%s:%u: note: not all of `%s` is understood: %s", c->path,
               line_of(rlx_buf_text(&c->source), v->stmt->start + issue->span.start),
               rlx_store_text(rlx_analyzer_store(c->analyzer), v->name), issue->message);
}

static bool read_module(Command *c) {
  RlxError err = {0};
  if (!rlx_source_read_text(c->path, &c->source, &err)) {
    rlx_usage_error(&c->usage, "%s", err.text);
    return false;
  }
  c->analyzer = rlx_analyzer_new(NULL);
  c->file = rlx_file_open(c->analyzer, rlx_buf_text(&c->source), (uint32_t)c->source.size);
  c->dialect = dialect_of(c);
  RlxStore *store = rlx_analyzer_store(c->analyzer);
  c->schedule = rlx_schedule_new(store);
  rlx_schedule_set_rewriter(c->schedule, rlx_jit_rewriter());
  rlx_schedule_set_lines(c->schedule, rlx_document_lines(rlx_file_document(c->file)));
  RlxBuf why = {0};
  const bool is_there =
      rlx_schedule_add_functions(c->schedule, c->file, store, c->function, say_hole, c, &why);
  if (!is_there) rlx_usage_error(&c->usage, "%s: %s", c->path, rlx_buf_text(&why));
  rlx_buf_free(&why);
  return is_there;
}

// ---- places

static void print_place(const Command *c, int function, RlxSpan span, RlxBuf *out) {
  if (!span.end) return;
  uint32_t start = rlx_schedule_text_start(c->schedule, function) + span.start, line = 1,
           column = 1;
  const char *text = rlx_buf_text(&c->source);
  for (uint32_t i = 0; i < start && i < c->source.size; i++) {
    column = text[i] == '\n' ? 1 : column + 1;
    line += text[i] == '\n';
  }
  rlx_buf_printf(out, "%s:%u:%u: ", c->path, line, column);
}

// ---- the trace

static bool report_trace(Command *c, const char *path, const RlxSink *sink) {
  for (uint32_t i = 0; i < sink->diags.count; i++) {
    const RlxDiag *d = sink->diags.at[i];
    rlx_text_say(stderr, "%s:%u: error[%s]: %s", path,
                 line_of(rlx_buf_text(&c->trace_text), d->span.start), rlx_diag_row(d->id)->code,
                 d->message);
  }
  return sink->diags.count == 0;
}

static bool is_json(const char *text) {
  text += strspn(text, " \t\r\n");
  return *text == '{' || *text == '[';
}

static bool read_trace(Command *c, const char *path) {
  RlxError err = {0};
  if (!rlx_source_read(path, &c->trace_text, &err)) {
    rlx_usage_error(&c->usage, "%s", err.text);
    return false;
  }
  const char *text = rlx_buf_text(&c->trace_text);
  if (is_json(text)) {
    if (rlx_schedule_read_json(rlx_analyzer_store(c->analyzer), text, c->trace_text.size, &c->trace,
                               &err))
      return true;
    rlx_usage_error(&c->usage, "%s: %s", path, err.text);
    return false;
  }
  RlxSink sink = {.arena = rlx_arena_new()};
  rlx_trace_read(rlx_analyzer_store(c->analyzer), text, (uint32_t)c->trace_text.size, &c->trace,
                 &sink);
  bool ok = report_trace(c, path, &sink);
  rlx_vec_free(&sink.diags);
  rlx_arena_free(sink.arena);
  return ok;
}

// ---- answers

static void json_position(const Command *c, int function, uint32_t at, RlxJson *json) {
  const char *text = rlx_buf_text(&c->source);
  RlxLines lines = {0};
  rlx_lines_build(&lines, text, (uint32_t)c->source.size);
  RlxLineColumn place =
      rlx_lines_locate(&lines, rlx_schedule_text_start(c->schedule, function) + at);
  rlx_lines_free(&lines);
  rlx_json_begin(json, '{');
  rlx_json_key_int(json, "line", place.line + 1);
  rlx_json_key_int(json, "column", place.column + 1);
  rlx_json_end(json, '}');
}

static void json_range(const Command *c, int function, RlxSpan span, RlxJson *json) {
  rlx_json_key(json, "range");
  if (!span.end) {
    rlx_json_null(json);
    return;
  }
  rlx_json_begin(json, '{');
  rlx_json_key(json, "start");
  json_position(c, function, span.start, json);
  rlx_json_key(json, "end");
  json_position(c, function, span.end, json);
  rlx_json_end(json, '}');
}

static void json_refusal(const Command *c, const RlxScheduleAnswer *a, RlxJson *json) {
  int function = a->function < 0 ? 0 : a->function;
  rlx_json_key(json, "error");
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "code", rlx_diag_row(a->refusal->id)->code);
  rlx_json_key_text(json, "message", a->refusal->message);
  if (a->witness) rlx_json_key_text(json, "witness", a->witness);
  json_range(c, function, a->refusal->span, json);
  rlx_json_key(json, "related");
  rlx_json_begin(json, '[');
  for (uint32_t i = 0; i < a->refusal->related_count; i++) {
    rlx_json_begin(json, '{');
    rlx_json_key_text(json, "message", a->refusal->related[i].message);
    json_range(c, function, a->refusal->related[i].span, json);
    rlx_json_end(json, '}');
  }
  rlx_json_end(json, ']');
  rlx_json_end(json, '}');
}

/// What a step gave: numbers as they are, loops and blocks by their pre-order number.
static void json_result(const Command *c, const RlxScheduleValue *v, RlxJson *json) {
  bool is_loop = false;
  int function = 0, step = 0;
  if (v->kind == RLX_SCHEDULE_LIST) {
    rlx_json_begin(json, '[');
    for (uint32_t i = 0; i < v->count; i++) json_result(c, &v->items[i], json);
    rlx_json_end(json, ']');
  } else if (v->kind == RLX_SCHEDULE_INT)
    rlx_json_int(json, v->integer);
  else if (v->kind == RLX_SCHEDULE_BOOL)
    rlx_json_bool(json, v->boolean);
  else if (v->kind == RLX_SCHEDULE_LOOP || v->kind == RLX_SCHEDULE_BLOCK) {
    int index = rlx_schedule_handle_index(c->schedule, v->ref.handle, &is_loop, &function, &step);
    rlx_json_begin(json, '{');
    rlx_json_key_text(json, "kind", v->kind == RLX_SCHEDULE_LOOP ? "loop" : "block");
    rlx_json_key_int(json, v->kind == RLX_SCHEDULE_LOOP ? "loop_index" : "block_index", index);
    rlx_json_end(json, '}');
  } else
    rlx_json_null(json);
}

static void json_answer(Command *c, RlxJson *json, const RlxScheduleStep *step,
                        const RlxScheduleAnswer *a) {
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "primitive", step->primitive->name);
  rlx_json_key_bool(json, "ok", a->ok);
  if (!a->ok)
    json_refusal(c, a, json);
  else {
    rlx_json_key(json, "returns");
    json_result(c, &a->result, json);
  }
  if (a->ok && !step->primitive->is_query && !c->no_text) {
    RlxBuf text = {0};
    rlx_schedule_print(c->schedule, c->dialect, &text);
    rlx_json_key(json, "after");
    rlx_json_textn(json, rlx_buf_text(&text), text.size);
    rlx_buf_free(&text);
  }
  rlx_json_end(json, '}');
}

static void text_answer(Command *c, int number, const RlxScheduleStep *step,
                        const RlxScheduleAnswer *a) {
  RlxBuf out = {0};
  bool color = rlx_color_is_on((RlxColor)c->color, stdout);
  const char *red = color ? "\033[1;31m" : "", *green = color ? "\033[32m" : "",
             *plain = color ? "\033[0m" : "";
  if (a->ok)
    rlx_buf_printf(&out, "%s✓%s %d: ", green, plain, number);
  else
    rlx_buf_printf(&out, "%s✗%s %d: ", red, plain, number);
  rlx_trace_print_step(c->schedule, step, &out);
  rlx_buf_putc(&out, '\n');
  if (!a->ok) {
    rlx_buf_puts(&out, "    ");
    print_place(c, a->function < 0 ? 0 : a->function, a->refusal->span, &out);
    rlx_buf_printf(&out, "%serror[%s]%s: %s\n", red, rlx_diag_row(a->refusal->id)->code, plain,
                   a->refusal->message);
    for (uint32_t i = 0; i < a->refusal->related_count; i++) {
      rlx_buf_puts(&out, "      ");
      print_place(c, a->function < 0 ? 0 : a->function, a->refusal->related[i].span, &out);
      rlx_buf_printf(&out, "%s\n", a->refusal->related[i].message);
    }
  }
  fwrite(rlx_buf_text(&out), 1, out.size, stdout);
  rlx_buf_free(&out);
}

// ---- progress, on a terminal and when it takes long

static double now_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void show_progress(Command *c, const char *what, uint32_t done, uint32_t count) {
  static const double after = 0.6, every = 0.1;
  double now = now_seconds();
  if (!isatty(STDERR_FILENO) || now - c->started < after || now - c->shown < every) return;
  c->shown = now;
  fprintf(stderr, "\r\033[Krlx schedule: %s %u of %u", what, done, count);
}

static void hide_progress(Command *c) {
  if (c->shown > 0) fputs("\r\033[K", stderr);
  c->shown = 0;
}

static void begin_json(Command *c, RlxJson *json) {
  if (c->format != FORMAT_JSON) return;
  rlx_json_begin(json, '{');
  rlx_json_key_int(json, "rlx", 1);
  rlx_json_key(json, "steps");
  rlx_json_begin(json, '[');
}

/// What the steps have made of the module, as a diff.
static void print_diff(Command *c) {
  RlxBuf after = {0}, diff = {0};
  rlx_schedule_print(c->schedule, c->dialect, &after);
  rlx_diff(c->path, &c->before, &after, &diff);
  rlx_text_write(stdout, rlx_buf_text(&diff), diff.size);
  rlx_buf_free(&diff);
  rlx_buf_free(&after);
}

static void run_steps(Command *c, RlxJson *json) {
  for (uint32_t i = 0; i < c->trace.steps.count; i++) {
    if (c->steps >= 0 && i >= c->steps) break;
    show_progress(c, "step", i + 1, c->trace.steps.count);
    RlxScheduleAnswer a = rlx_trace_apply(c->schedule, &c->trace, i);
    const RlxScheduleStep *step = &c->trace.steps.at[i];
    c->refused += !a.ok;
    if (c->format == FORMAT_JSON)
      json_answer(c, json, step, &a);
    else if (!c->check || !a.ok) {
      hide_progress(c);
      text_answer(c, (int)i + 1, step, &a);
    }
    if (c->each && a.ok && !step->primitive->is_query) {
      if (c->diff && c->format == FORMAT_TEXT) print_diff(c);
      rlx_schedule_undo(c->schedule);
    }
    if (!a.ok && !c->keep_going && !c->each) break;
  }
  hide_progress(c);
}

// ---- times

static void json_times(const char *name, const RlxTimes *times, RlxWork work, RlxJson *json) {
  const struct {
    const char *key;
    double value;
  } numbers[] = {{"before_us", times->before_us},
                 {"after_us", times->after_us},
                 {"jit_us", times->own_us},
                 {"operations", work.operations},
                 {"bytes", work.bytes}};
  rlx_json_begin(json, '{');
  rlx_json_key_text(json, "function", name);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    rlx_json_key(json, numbers[i].key);
    rlx_json_number(json, numbers[i].value);
  }
  rlx_json_key_bool(json, "same_results", times->agree);
  rlx_json_end(json, '}');
}

static RlxMeasureOptions measure_options(const Command *c, RlxConfinement *limits) {
  const RlxConfig *config = rlx_configs_of(c->settings.configs, c->path, NULL);
  RlxMeasureOptions options = {.threads = (int)rlx_config_number(config, RLX_SETTING_threads),
                               .sizes = c->sizes};
  *limits = rlx_limit_confinement(&c->limits, &options.limit_seconds);
  options.confinement = limits;
  return options;
}

/// Measures one PrimFunc before and after; false after a message.
static bool time_one(Command *c, const RlxPrimFunc *f, RlxWork work, const char *after,
                     RlxJson *json) {
  RlxConfinement limits;
  RlxMeasureOptions options = measure_options(c, &limits);
  RlxStore *store = rlx_analyzer_store(c->analyzer);
  const char *name = rlx_store_text(store, f->name);
  RlxTimes times;
  RlxError err = {0};
  if (!rlx_times(rlx_buf_text(&c->before), after, name, &options, &times, &err)) {
    rlx_text_say(stderr, "rlx schedule: %s: %s", name, err.text);
    return false;
  }
  if (c->format == FORMAT_JSON)
    json_times(name, &times, work, json);
  else {
    RlxBuf out = {0};
    rlx_times_print(&times, work, &out);
    printf("\n%s\n%s", name, rlx_buf_text(&out));
    rlx_buf_free(&out);
  }
  return times.agree;
}

static bool time_all(Command *c, RlxJson *json) {
  RlxBuf after = {0};
  bool ok = true;
  rlx_schedule_print(c->schedule, c->dialect, &after);
  if (c->format == FORMAT_JSON) {
    rlx_json_key(json, "times");
    rlx_json_begin(json, '[');
  }
  for (int i = 0; i < rlx_schedule_count(c->schedule); i++) {
    show_progress(c, "measuring", (uint32_t)i + 1, (uint32_t)rlx_schedule_count(c->schedule));
    ok &= time_one(c, rlx_schedule_function(c->schedule, i), c->works.at[i], rlx_buf_text(&after),
                   json);
  }
  hide_progress(c);
  if (c->format == FORMAT_JSON) rlx_json_end(json, ']');
  rlx_buf_free(&after);
  return ok;
}

// ---- a search

static volatile sig_atomic_t interrupted; // what a signal handler can reach

static void on_interrupt(int signal_number) {
  (void)signal_number;
  interrupted = 1;
}

static void show_search(void *data, const RlxTuneProgress *now) {
  Command *c = data;
  if (!isatty(STDERR_FILENO)) return;
  c->shown = now->seconds;
  fprintf(stderr, "\r\033[Krlx schedule: %.0f of %lld s, %d tried, best %.2f us", now->seconds,
          (long long)c->tune, now->tried, now->best_us);
}

/// Puts the steps of a search in the place of the trace; false after a message.
static bool tune(Command *c) {
  if (rlx_schedule_count(c->schedule) != 1) {
    rlx_usage_error(&c->usage, "--tune takes one PrimFunc: %s::FUNCTION", c->path);
    return false;
  }
  RlxStore *store = rlx_analyzer_store(c->analyzer);
  RlxBuf text = {0};
  RlxConfinement limits;
  RlxTuneOptions options = {.measure = measure_options(c, &limits),
                            .seconds = (double)c->tune,
                            .seed = (uint64_t)c->seed,
                            .progress = show_search,
                            .data = c};
  RlxTuned tuned;
  options.measure.cancel = &interrupted; // Ctrl-C ends the search with the best so far
  struct sigaction action = {.sa_handler = on_interrupt}, before;
  sigaction(SIGINT, &action, &before);
  rlx_schedule_print(c->schedule, c->dialect, &text);
  const char *name = rlx_store_text(store, rlx_schedule_function(c->schedule, 0)->name);
  bool ok = rlx_tune(rlx_buf_text(&text), name, &options, &tuned);
  sigaction(SIGINT, &before, NULL);
  hide_progress(c);
  if (ok) {
    rlx_text_say(stderr, "rlx schedule: %d tried, %d dropped; %.2f us before, the best %.2f us",
                 tuned.end.tried, tuned.end.dropped, tuned.end.start_us, tuned.end.best_us);
    RlxSink sink = {.arena = rlx_arena_new()};
    rlx_schedule_keep(c->schedule, &c->trace);
    rlx_trace_read(store, rlx_buf_text(&tuned.trace), (uint32_t)tuned.trace.size, &c->trace, &sink);
    rlx_vec_free(&sink.diags);
    rlx_arena_free(sink.arena);
  } else
    rlx_text_say(stderr, "rlx schedule: %s: %s", name, tuned.error.text);
  rlx_tuned_free(&tuned);
  rlx_buf_free(&text);
  return ok;
}

/// Puts the JIT's own steps in the place of the trace; false after a message.
static bool take_jit_steps(Command *c) {
  if (rlx_schedule_count(c->schedule) != 1) {
    rlx_usage_error(&c->usage, "--jit takes one PrimFunc: %s::FUNCTION", c->path);
    return false;
  }
  RlxConfinement limits;
  RlxJitOptions options = {.threads = measure_options(c, &limits).threads};
  RlxStore *store = rlx_analyzer_store(c->analyzer);
  RlxJit *jit = rlx_jit_new(store, &options);
  RlxError err = {0};
  bool ok =
      rlx_jit_schedule_steps(jit, rlx_schedule_function(c->schedule, 0), &c->trace_text, &err);
  rlx_jit_free(jit);
  if (!ok) {
    rlx_usage_error(&c->usage, "%s", err.text);
    return false;
  }
  RlxSink sink = {.arena = rlx_arena_new()};
  rlx_trace_read(store, rlx_buf_text(&c->trace_text), (uint32_t)c->trace_text.size, &c->trace,
                 &sink);
  rlx_vec_free(&sink.diags);
  rlx_arena_free(sink.arena);
  return true;
}

static void end_json(Command *c, RlxJson *json) {
  if (c->format != FORMAT_JSON) return;
  rlx_json_key_int(json, "refused", c->refused);
  if (!c->no_text) {
    RlxBuf text = {0};
    rlx_schedule_print(c->schedule, c->dialect, &text);
    rlx_json_key(json, "result");
    rlx_json_textn(json, rlx_buf_text(&text), text.size);
    rlx_buf_free(&text);
  }
  rlx_json_end(json, '}');
  rlx_buf_putc(json->out, '\n');
  fwrite(rlx_buf_text(json->out), 1, json->out->size, stdout);
}

/// The steps in force, with what was drawn: as JSON when the file is called so.
static bool save_trace(Command *c, RlxError *err) {
  RlxBuf out = {0};
  if (rlx_text_ends_in(c->save_path, ".json"))
    rlx_schedule_write_json(c->schedule, &out);
  else
    rlx_trace_print(c->schedule, &out);
  bool ok = rlx_file_write(c->save_path, rlx_buf_text(&out), out.size, err);
  rlx_buf_free(&out);
  return ok;
}

/// The scheduled module: into a file, as a diff, or after the steps.
static int write_result(Command *c) {
  RlxError err = {0};
  RlxBuf after = {0};
  rlx_schedule_print(c->schedule, c->dialect, &after);
  int code = c->refused ? RLX_EXIT_FINDINGS : RLX_EXIT_OK;
  if (c->out_path) {
    if (!rlx_file_write(c->out_path, rlx_buf_text(&after), after.size, &err))
      code = rlx_usage_error(&c->usage, "%s", err.text);
  } else if (c->diff) {
    print_diff(c);
  } else if (c->format == FORMAT_TEXT && !c->check && !c->each && !c->no_text && !c->time)
    printf("\n%s", rlx_buf_text(&after));
  rlx_buf_free(&after);
  if (c->save_path && !save_trace(c, &err)) code = rlx_usage_error(&c->usage, "%s", err.text);
  return code;
}

static int list_primitives(void) {
  RlxBuf out = {0};
  const RlxPrimitive *p;
  for (int i = 0; (p = rlx_primitive_at(i)) != NULL; i++) {
    rlx_primitive_signature(p, &out);
    rlx_buf_printf(&out, "\n    %s\n", p->doc);
  }
  fwrite(rlx_buf_text(&out), 1, out.size, stdout);
  rlx_buf_free(&out);
  return RLX_EXIT_OK;
}

/// What two traces make of the same module, as a diff of the steps and of the results.
static int compare(Command *c, const char *other) {
  RlxBuf steps = {0}, result = {0}, other_steps = {0}, other_result = {0}, out = {0};
  RlxBuf no_json = {0};
  RlxJson json = {.out = &no_json};
  c->check = true; // refused steps only
  c->format = FORMAT_TEXT;
  run_steps(c, &json);
  rlx_trace_print(c->schedule, &steps);
  rlx_schedule_print(c->schedule, c->dialect, &result);
  while (rlx_schedule_undo(c->schedule)) {
  }
  rlx_schedule_keep(c->schedule, &c->trace);
  rlx_buf_clear(&c->trace_text);
  rlx_schedule_seed(c->schedule, (uint64_t)c->seed);
  bool ok = read_trace(c, other);
  if (ok) {
    run_steps(c, &json);
    rlx_trace_print(c->schedule, &other_steps);
    rlx_schedule_print(c->schedule, c->dialect, &other_result);
    rlx_diff("steps", &steps, &other_steps, &out);
    rlx_diff(c->path, &result, &other_result, &out);
    fwrite(rlx_buf_text(&out), 1, out.size, stdout);
  }
  RlxBuf *all[] = {&steps, &result, &other_steps, &other_result, &out, &no_json};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) rlx_buf_free(all[i]);
  return !ok ? RLX_EXIT_USAGE : c->refused ? RLX_EXIT_FINDINGS : RLX_EXIT_OK;
}

static int run(Command *c, const RlxArgs *args) {
  if (c->list) return list_primitives();
  bool has_trace = args->count == 2 || (c->diff && args->count == 3);
  if (c->jit && args->count != 1)
    return rlx_usage_error(&c->usage, "--jit takes no trace: the steps are the JIT's");
  if (c->each && c->out_path)
    return rlx_usage_error(&c->usage,
                           "--out writes what all steps make of the module, and with --each "
                           "none of them stays: leave one of them out");
  if (!has_trace && !((c->tune || c->jit) && args->count == 1))
    return rlx_usage_error(&c->usage, "a script and a trace are needed: rlx schedule FILE TRACE");
  char *mark = strstr(args->at[0], "::");
  c->path = args->at[0];
  if (mark) {
    *mark = '\0';
    c->function = mark + 2;
  }
  if (!read_module(c) || (has_trace && !read_trace(c, args->at[1])) ||
      (c->jit && !take_jit_steps(c)))
    return RLX_EXIT_USAGE;
  c->started = now_seconds();
  rlx_schedule_seed(c->schedule, (uint64_t)c->seed);
  rlx_schedule_print(c->schedule, c->dialect, &c->before);
  for (int i = 0; i < rlx_schedule_count(c->schedule); i++) {
    RlxWork work = rlx_work_of(rlx_analyzer_store(c->analyzer),
                               rlx_schedule_function(c->schedule, i), c->sizes);
    rlx_vec_push(&c->works, work);
  }
  if (args->count == 3) return compare(c, args->at[2]);
  RlxBuf out = {0};
  RlxJson json = {.out = &out};
  begin_json(c, &json);
  run_steps(c, &json);
  if (c->tune && !c->refused) {
    if (!tune(c)) {
      rlx_buf_free(&out);
      return RLX_EXIT_USAGE;
    }
    c->steps = -1;
    run_steps(c, &json);
  }
  if (c->format == FORMAT_JSON) rlx_json_end(&json, ']');
  bool timed = !c->time || time_all(c, &json);
  end_json(c, &json);
  rlx_buf_free(&out);
  int code = write_result(c);
  return code == RLX_EXIT_OK && !timed ? RLX_EXIT_FINDINGS : code;
}

static void deinit(Command *c) {
  rlx_trace_free(&c->trace);
  rlx_schedule_free(c->schedule);
  if (c->file) rlx_file_close(c->file);
  if (c->analyzer) rlx_analyzer_free(c->analyzer);
  rlx_buf_free(&c->source);
  rlx_buf_free(&c->trace_text);
  rlx_buf_free(&c->before);
  rlx_vec_free(&c->works);
  rlx_setting_options_free(&c->settings);
}

int rlx_cmd_schedule(int argc, char **argv) {
  static const char *const formats[] = {"text", "json", NULL};
  Command c = {.color = RLX_COLOR_AUTO, .steps = -1};
  RlxOption options[COUNT_OWN + RLX_LIMIT_OPTIONS + RLX_SETTING_OPTIONS_MAX] = {
      rlx_option_choice("format", &c.format, "FORMAT", formats, "how to print"),
      rlx_option_flag("jit", &c.jit,
                      "carry out what the JIT does to the loops of a PrimFunc by itself"),
      rlx_option_flag("each", &c.each, "every step starts from the module as it is in FILE"),
      rlx_option_flag("keep-going", &c.keep_going,
                      "go on after a refused step, which leaves the module as it was"),
      rlx_option_flag("check", &c.check,
                      "print refused steps only; exit status 1 when there is one"),
      rlx_option_flag(
          "diff", &c.diff,
          "print what the steps change as a diff; of two traces, how they and what they make "
          "differ"),
      rlx_option_text("out", &c.out_path, "FILE", "write the scheduled module to FILE"),
      rlx_option_text(
          "save", &c.save_path, "FILE",
          "write the steps that were carried out, with what was drawn, to FILE; .json: as JSON"),
      rlx_option_int("steps", &c.steps, "N", 0, INT32_MAX, "carry out the first N steps only"),
      rlx_option_int("seed", &c.seed, "N", 0, INT64_MAX,
                     "what sample_… steps without a decision are drawn from (0)"),
      rlx_option_flag(
          "time", &c.time,
          "run every PrimFunc before and after, as written, and compare times and results"),
      rlx_option_int(
          "tune", &c.tune, "SECONDS", 1, 86400,
          "search for faster steps, after those of TRACE if there is one, and carry them out; "
          "Ctrl-C ends it early"),
      rlx_option_text("sizes", &c.sizes, "SIZES",
                      "with --time: values of symbolic dimensions, \"n=128 m=64\""),
      rlx_option_flag("no-text", &c.no_text, "leave the scheduled module out of the answer"),
      rlx_option_flag("list", &c.list, "list the primitives with their arguments"),
      rlx_option_choice("color", &c.color, "WHEN", rlx_color_names, "colour the answers"),
  };
  size_t options_count = COUNT_OWN;
  rlx_limit_options(&c.limits, options, &options_count);
  rlx_setting_options(&c.settings, RLX_SETTING_SCOPE_RUN | RLX_SETTING_SCOPE_USER, options,
                      &options_count);
  c.usage = (RlxUsage){
      "schedule", "FILE[::FUNCTION] [TRACE [OTHER]]",
      "Carries the steps of a trace out on the PrimFuncs of FILE, each one proved or refused with\n"
      "the reason. TRACE is Python as a TVM user writes it (b = sch.get_block(\"C\"); …) or JSON;\n"
      "\"-\" is standard input.",
      options, options_count};
  RlxArgs args = {0};
  int code = RLX_EXIT_OK;
  if (rlx_options_parse(&c.usage, argc, argv, &args, &code) &&
      rlx_setting_options_done(&c.settings, &c.usage, &code))
    code = run(&c, &args);
  deinit(&c);
  rlx_args_free(&args);
  return code;
}
