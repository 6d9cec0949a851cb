/// `rlx schedule`: carries a trace of schedule primitives out on the PrimFuncs of a file, each step
/// checked; the result as TVMScript, as a diff, or as JSON.
#include "cli/schedule.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/analyzer.h"
#include "analyzer/tir/script.h"
#include "base/diff.h"
#include "base/file.h"
#include "base/json.h"
#include "cli/color.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/options.h"
#include "cli/source.h"

enum { FORMAT_TEXT, FORMAT_JSON };

typedef struct Command {
  RlxUsage usage;
  int format, color;
  bool each, keep_going, check, diff, list;
  const char *out_path;
  const char *path, *function; ///< FILE::FUNC taken apart
  RlxAnalyzer *analyzer;
  RlxFile *file;
  RlxSchedule *schedule;
  RlxDialect dialect;
  RlxTrace trace;
  RlxBuf source, trace_text, before;
  int refused;
} Command;

// ---- what is scheduled

static RlxDialect dialect_of(const Command *c) {
  const char *text = rlx_buf_text(&c->source);
  return strstr(text, "T.block(") && !strstr(text, "T.sblock(") ? RLX_DIALECT_CLASSIC
                                                                : RLX_DIALECT_025;
}

static bool read_module(Command *c) {
  RlxError err = {0};
  if (!rlx_source_read(c->path, &c->source, &err)) {
    rlx_usage_error(&c->usage, "%s", err.text);
    return false;
  }
  c->analyzer = rlx_analyzer_new(NULL);
  c->file = rlx_file_open(c->analyzer, rlx_buf_text(&c->source), (uint32_t)c->source.size);
  c->dialect = dialect_of(c);
  RlxStore *store = rlx_analyzer_store(c->analyzer);
  c->schedule = rlx_schedule_new(store);
  RlxFunctionViews views = {0};
  rlx_file_functions(c->file, &views);
  for (uint32_t i = 0; i < views.count; i++) {
    const RlxFunctionView *v = &views.at[i];
    if (v->kind != RLX_ISLAND_PRIM_FUNC) continue;
    if (c->function && strcmp(c->function, rlx_store_text(store, v->name)) != 0) continue;
    rlx_schedule_add(c->schedule, rlx_file_primfunc(c->file, v->stmt, NULL), v->stmt->start);
  }
  rlx_vec_free(&views);
  if (rlx_schedule_count(c->schedule)) return true;
  rlx_usage_error(&c->usage, c->function ? "%s has no PrimFunc of that name" : "%s has no PrimFunc",
                  c->path);
  return false;
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

static uint32_t line_of(const char *text, uint32_t offset) {
  uint32_t line = 1;
  for (uint32_t i = 0; i < offset && text[i]; i++) line += text[i] == '\n';
  return line;
}

// ---- the trace

static bool report_trace(Command *c, const char *path, const RlxSink *sink) {
  for (uint32_t i = 0; i < sink->diags.count; i++) {
    const RlxDiag *d = sink->diags.at[i];
    fprintf(stderr, "%s:%u: error[%s]: %s\n", path,
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
    if (rlx_schedule_read_json(text, c->trace_text.size, &c->trace, &err)) return true;
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

static void json_answer(Command *c, RlxJson *json, const RlxScheduleStep *step,
                        const RlxScheduleAnswer *a) {
  rlx_json_begin(json, '{');
  rlx_json_key(json, "primitive");
  rlx_json_text(json, step->primitive->name);
  rlx_json_key(json, "ok");
  rlx_json_bool(json, a->ok);
  if (!a->ok) {
    rlx_json_key(json, "error");
    rlx_json_begin(json, '{');
    rlx_json_key(json, "code");
    rlx_json_text(json, rlx_diag_row(a->refusal->id)->code);
    rlx_json_key(json, "message");
    rlx_json_text(json, a->refusal->message);
    rlx_json_end(json, '}');
  } else if (!step->primitive->is_query) {
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
  if (!c->check || !a->ok) fwrite(rlx_buf_text(&out), 1, out.size, stdout);
  rlx_buf_free(&out);
}

static void run_steps(Command *c) {
  RlxBuf out = {0};
  RlxJson json = {.out = &out};
  if (c->format == FORMAT_JSON) {
    rlx_json_begin(&json, '{');
    rlx_json_key(&json, "rlx");
    rlx_json_int(&json, 1);
    rlx_json_key(&json, "steps");
    rlx_json_begin(&json, '[');
  }
  for (uint32_t i = 0; i < c->trace.steps.count; i++) {
    const RlxScheduleStep *step = &c->trace.steps.at[i];
    RlxScheduleAnswer a = rlx_schedule_apply(c->schedule, step);
    c->refused += !a.ok;
    if (c->format == FORMAT_JSON)
      json_answer(c, &json, step, &a);
    else
      text_answer(c, (int)i + 1, step, &a);
    if (c->each && a.ok && !step->primitive->is_query) rlx_schedule_undo(c->schedule);
    if (!a.ok && !c->keep_going && !c->each) break;
  }
  if (c->format == FORMAT_JSON) {
    rlx_json_end(&json, ']');
    rlx_json_key(&json, "refused");
    rlx_json_int(&json, c->refused);
    RlxBuf text = {0};
    rlx_schedule_print(c->schedule, c->dialect, &text);
    rlx_json_key(&json, "result");
    rlx_json_textn(&json, rlx_buf_text(&text), text.size);
    rlx_buf_free(&text);
    rlx_json_end(&json, '}');
    rlx_buf_putc(&out, '\n');
    fwrite(rlx_buf_text(&out), 1, out.size, stdout);
  }
  rlx_buf_free(&out);
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
    RlxBuf diff = {0};
    rlx_diff(c->path, &c->before, &after, &diff);
    fwrite(rlx_buf_text(&diff), 1, diff.size, stdout);
    rlx_buf_free(&diff);
  } else if (c->format == FORMAT_TEXT && !c->check && !c->each)
    printf("\n%s", rlx_buf_text(&after));
  rlx_buf_free(&after);
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

static int run(Command *c, const RlxArgs *args) {
  if (c->list) return list_primitives();
  if (args->count != 2)
    return rlx_usage_error(&c->usage, "a script and a trace are needed: rlx schedule FILE TRACE");
  char *mark = strstr(args->at[0], "::");
  c->path = args->at[0];
  if (mark) {
    *mark = '\0';
    c->function = mark + 2;
  }
  if (!read_module(c) || !read_trace(c, args->at[1])) return RLX_EXIT_USAGE;
  rlx_schedule_print(c->schedule, c->dialect, &c->before);
  run_steps(c);
  return write_result(c);
}

int rlx_cmd_schedule(int argc, char **argv) {
  static const char *const formats[] = {"text", "json", NULL};
  Command c = {.color = RLX_COLOR_AUTO};
  const RlxOption options[] = {
      {.name = "format",
       .kind = RLX_OPTION_CHOICE,
       .target = &c.format,
       .choices = formats,
       .value = "FORMAT",
       .help = "how to print"},
      {.name = "each",
       .kind = RLX_OPTION_FLAG,
       .target = &c.each,
       .help = "every step starts from the module as it is in FILE"},
      {.name = "keep-going",
       .kind = RLX_OPTION_FLAG,
       .target = &c.keep_going,
       .help = "go on after a refused step, which leaves the module as it was"},
      {.name = "check",
       .kind = RLX_OPTION_FLAG,
       .target = &c.check,
       .help = "print refused steps only; exit status 1 when there is one"},
      {.name = "diff",
       .kind = RLX_OPTION_FLAG,
       .target = &c.diff,
       .help = "print what the steps change as a diff"},
      {.name = "out",
       .kind = RLX_OPTION_TEXT,
       .target = &c.out_path,
       .value = "FILE",
       .help = "write the scheduled module to FILE"},
      {.name = "list",
       .kind = RLX_OPTION_FLAG,
       .target = &c.list,
       .help = "list the primitives with their arguments"},
      {.name = "color",
       .kind = RLX_OPTION_CHOICE,
       .target = &c.color,
       .choices = rlx_color_names,
       .value = "WHEN",
       .help = "colour the answers"},
  };
  c.usage = (RlxUsage){
      "schedule", "FILE[::FUNCTION] TRACE",
      "Carries the steps of a trace out on the PrimFuncs of FILE, each one proved or refused with\n"
      "the reason. TRACE is Python as a TVM user writes it (b = sch.get_block(\"C\"); …) or JSON;\n"
      "\"-\" is standard input.",
      options, sizeof options / sizeof options[0]};
  RlxArgs args = {0};
  int code = RLX_EXIT_OK;
  if (rlx_options_parse(&c.usage, argc, argv, &args, &code)) code = run(&c, &args);
  rlx_trace_free(&c.trace);
  rlx_schedule_free(c.schedule);
  if (c.file) rlx_file_close(c.file);
  if (c.analyzer) rlx_analyzer_free(c.analyzer);
  rlx_buf_free(&c.source);
  rlx_buf_free(&c.trace_text);
  rlx_buf_free(&c.before);
  rlx_args_free(&args);
  return code;
}
