/// `rlx run`: evaluates a function of a script with arrays, and prints or writes what it gives
/// (spec 5).
/// Always true: the JSON is the last line of standard output; a failed check exits with 1, a crash
/// of the worker with 3.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/limits.h"
#include "cli/options.h"
#include "cli/run_arguments.h"
#include "cli/settings.h"
#include "cli/source.h"
#include "config/modules.h"
#include "jit/runtime/format.h"
#include "jit/runtime/npy.h"
#include "jit/supply.h"
#include "jit/worker.h"

typedef struct Run {
  const char *path, *inputs, *out;
  RlxArgs with;
  RlxSettingOptions settings;
  RlxLimits limits;
  int64_t repeat, random; // random: the seed, or -1
  int format;
  bool trace, trace_schedule;
  int extern_count; // that the user allows
  RlxAnalyzer *analyzer;
  RlxStore *store;
  RlxFile *file;
  RlxJit *jit;
  RlxProgram *program;
  RlxName function;
} Run;

static int fail(Run *r, const RlxRunError *err, int code) {
  if (err->span.end > err->span.start || err->span.start) {
    RlxLineColumn at =
        rlx_lines_locate(rlx_document_lines(rlx_file_document(r->file)), err->span.start);
    const char *page = err->error.code;
    rlx_text_say(stderr, "%s:%u:%u: error%s%s%s: %s", r->path, at.line + 1, at.column + 1,
                 *page ? "[" : "", page, *page ? "]" : "", err->error.text);
  } else if (*err->error.code)
    rlx_text_say(stderr, "%s: error[%s]: %s", r->path, err->error.code, err->error.text);
  else
    rlx_text_say(stderr, "rlx run: %s", err->error.text);
  return code;
}

/// Errors of the analysis stop before anything runs, where they are outside of functions or in one
/// that was reached so far, or `anywhere`.
static bool refuse_broken(Run *r, bool anywhere) {
  RlxFileDiags diags = {0};
  rlx_file_diags(r->file, &diags);
  bool broken = false;
  int fixable = 0;
  for (uint32_t i = 0; i < diags.count; i++) {
    const RlxFileDiag *d = &diags.at[i];
    if (d->diag->severity != RLX_ERROR ||
        (!anywhere && !rlx_program_concerns(r->program, d->span.start)))
      continue;
    RlxLineColumn at =
        rlx_lines_locate(rlx_document_lines(rlx_file_document(r->file)), d->span.start);
    rlx_text_say(stderr, "%s:%u:%u: error[%s]: %s", r->path, at.line + 1, at.column + 1,
                 rlx_diag_row(d->diag->id)->code, d->diag->message);
    broken = true;
    fixable += d->diag->fix_count && d->diag->fixes[0].is_safe;
  }
  if (fixable && strcmp(r->path, "-") != 0)
    rlx_text_say(stderr, "rlx run: `rlx check --fix %s` mends %d of them, `--diff` shows how",
                 r->path, fixable);
  rlx_vec_free(&diags);
  return broken;
}

typedef Vec(RlxObject *) Outputs;
static void flatten(RlxHeap *heap, RlxObject *x, Outputs *out) {
  if (x->kind == RLX_OBJECT_TUPLE) {
    for (int i = 0; i < x->count; i++) flatten(heap, x->fields[i], out);
    return;
  }
  RlxObject *y = NULL;
  if (x->kind == RLX_OBJECT_TENSOR)
    y = rlx_object_ref(x);
  else if (x->kind == RLX_OBJECT_SHAPE) {
    int64_t n = x->count;
    y = rlx_tensor_new(heap, RLX_INT64, &n, 1, NULL);
    if (y && n) memcpy(y->data, x->dims, (size_t)n * sizeof *x->dims);
  } else if (x->kind == RLX_OBJECT_INT || x->kind == RLX_OBJECT_FLOAT) {
    y = rlx_tensor_new(heap, x->dtype, NULL, 0, NULL);
    if (y && x->kind == RLX_OBJECT_INT)
      rlx_element_set_integer(y->data, y->dtype, 0, x->integer);
    else if (y)
      rlx_element_set_number(y->data, y->dtype, 0, x->number);
  }
  if (y) rlx_vec_push(out, y);
}

static void print_json(Run *r, const Outputs *outs, const RlxWorkerResult *result) {
  RlxBuf text = {0};
  RlxJson json = {.out = &text};
  rlx_json_begin(&json, '{');
  rlx_json_key_int(&json, "rlx", 1);
  if (!r->out) {
    rlx_json_key(&json, "outputs");
    rlx_json_begin(&json, '[');
    for (uint32_t i = 0; i < outs->count; i++) {
      const RlxObject *x = outs->at[i];
      char dtype[RLX_DTYPE_TEXT_MAX];
      rlx_json_begin(&json, '{');
      rlx_json_key(&json, "shape");
      rlx_json_begin(&json, '[');
      for (int d = 0; d < x->count; d++) rlx_json_int(&json, x->dims[d]);
      rlx_json_end(&json, ']');
      rlx_json_key_text(&json, "dtype", rlx_dtype_text(x->dtype, dtype));
      rlx_json_key(&json, "data");
      rlx_tensor_json(x, &json);
      rlx_json_end(&json, '}');
    }
    rlx_json_end(&json, ']');
  }
  const struct {
    const char *key;
    double value;
  } times[] = {{"compile_ms", rlx_jit_compile_ms(r->jit) + result->compile_ms},
               {"compile_cpu_ms", rlx_jit_compile_cpu_ms(r->jit) + result->compile_cpu_ms},
               {"run_us_min", result->run_us_min},
               {"run_us_median", result->run_us_median},
               {"run_cpu_us_min", result->run_cpu_us_min},
               {"run_cpu_us_median", result->run_cpu_us_median}};
  for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
    rlx_json_key(&json, times[i].key);
    if (times[i].value < 0)
      rlx_json_null(&json); // the clock of CPU time cannot tell
    else
      rlx_json_number(&json, times[i].value);
  }
  rlx_json_end(&json, '}');
  rlx_buf_putc(&text, '\n');
  fwrite(text.at, 1, text.size, stdout);
  rlx_buf_free(&text);
}

static void print_text(const RlxObject *x) {
  RlxBuf text = {0};
  rlx_object_print(x, &text);
  rlx_buf_puts(&text, "\n# ");
  rlx_object_print_sinfo(x, &text);
  rlx_buf_putc(&text, '\n');
  fwrite(text.at, 1, text.size, stdout);
  rlx_buf_free(&text);
}

/// On standard error: the figures differ from run to run.
static void print_times(const Run *r, const RlxWorkerResult *result) {
  fflush(stdout);
  fprintf(stderr, "# compiled in %.1f ms (CPU %.1f ms), ran in %.3f ms",
          rlx_jit_compile_ms(r->jit) + result->compile_ms,
          rlx_jit_compile_cpu_ms(r->jit) + result->compile_cpu_ms, result->run_us_min * 1e-3);
  if (result->run_cpu_us_min >= 0) fprintf(stderr, " (CPU %.3f ms)", result->run_cpu_us_min * 1e-3);
  fputs(r->repeat > 1 ? ", the least of the runs\n" : "\n", stderr);
}

static int evaluate(Run *r, const RlxArgs *args) {
  RlxRunError err = {0};
  if (refuse_broken(r, false)) return RLX_EXIT_FINDINGS;
  bool is_planned = rlx_program_plan(r->program, r->function, &err);
  if (refuse_broken(r, false)) return RLX_EXIT_FINDINGS;
  if (!is_planned || !rlx_program_prepare(r->program, r->function, &err))
    return fail(r, &err, RLX_EXIT_FINDINGS);
  RlxRunArguments arguments = {.jit = r->jit,
                               .program = r->program,
                               .store = r->store,
                               .function = r->function,
                               .inputs = r->inputs,
                               .words = args,
                               .is_random = r->random >= 0,
                               .seed = (uint64_t)r->random};
  double seconds;
  RlxConfinement limits = rlx_limit_confinement(&r->limits, &seconds);
  RlxWorkerOptions options = {.repeat = (int)r->repeat,
                              .limit_seconds = seconds,
                              .confinement = &limits,
                              .make_arguments = rlx_run_arguments_make,
                              .takes_libraries = r->inputs != NULL,
                              .data = &arguments,
                              .uses_system = r->with.count || r->extern_count};
  RlxWorkerResult result;
  rlx_worker_call(r->jit, r->program, r->function, NULL, 0, &options, &result);
  if (result.outcome != RLX_OUTCOME_DONE) {
    int code =
        result.outcome == RLX_OUTCOME_CRASHED ? RLX_EXIT_INTERNAL
        : result.outcome == RLX_OUTCOME_NO_WORKER || result.outcome == RLX_OUTCOME_NO_ARGUMENTS
            ? RLX_EXIT_USAGE
            : RLX_EXIT_FINDINGS;
    return fail(r, &result.error, code);
  }
  Outputs outs = {0};
  int code = RLX_EXIT_OK;
  flatten(rlx_jit_heap(r->jit), result.value, &outs);
  if (r->out && !rlx_arrays_write(outs.at, (int)outs.count, r->out, &err.error)) {
    rlx_text_say(stderr, "rlx run: %s", err.error.text);
    code = RLX_EXIT_USAGE;
  }
  if (r->format || r->out)
    print_json(r, &outs, &result);
  else {
    print_text(result.value);
    if (r->random >= 0 || r->repeat > 1) print_times(r, &result);
  }
  for (uint32_t i = 0; i < outs.count; i++) rlx_object_unref(outs.at[i]);
  rlx_vec_free(&outs);
  rlx_object_unref(result.value);
  return code;
}

/// Says why there is nothing to run: `name` is what the user asked for, or NULL.
static int refuse_missing(Run *r, const char *name) {
  if (refuse_broken(r, true)) return RLX_EXIT_FINDINGS; // it may be why the function is not there
  if (name)
    rlx_text_say(stderr, "rlx run: %s has no function %s", r->path, name);
  else
    rlx_text_say(stderr, "rlx run: %s: say which function is to run, FILE::FUNC", r->path);
  return RLX_EXIT_USAGE;
}

/// Runs the function `name` of the program, its main where that is NULL. The exit code.
static int run_function(Run *r, const char *name, const RlxArgs *args) {
  RlxError err = {0};
  for (uint32_t i = 0; i < r->with.count; i++) {
    if (rlx_jit_supply(r->jit, r->analyzer, r->with.at[i], &err)) continue;
    rlx_text_say(stderr, "rlx run: --with %s%s%s%s", *err.code ? "error[" : "", err.code,
                 *err.code ? "]: " : "", err.text);
    return RLX_EXIT_USAGE;
  }
  r->function =
      name ? rlx_store_intern(r->store, name, strlen(name)) : rlx_program_main(r->program);
  if (!r->function || !rlx_program_has(r->program, r->function)) return refuse_missing(r, name);
  RlxBuf rivals = {0};
  rlx_program_rivals(r->program, r->function, &rivals);
  int code = RLX_EXIT_USAGE;
  if (rivals.size)
    rlx_text_say(stderr, "rlx run: %s: say which `%s` is to run: %s", r->path,
                 rlx_store_text(r->store, r->function), rlx_buf_text(&rivals) + 2);
  else
    code = evaluate(r, args);
  rlx_buf_free(&rivals);
  return code;
}

static int with_file(Run *r, char *spec, const RlxArgs *args) {
  RlxError err = {0};
  RlxBuf source = {0};
  char *colons = NULL;
  for (char *p = spec; (p = strstr(p, "::")); p++) colons = p;
  if (colons) *colons = 0;
  r->path = spec;
  if (!rlx_source_read_text(spec, &source, &err)) {
    rlx_text_say(stderr, "rlx run: %s", err.text);
    rlx_buf_free(&source);
    return RLX_EXIT_USAGE;
  }
  const RlxConfig *config = rlx_configs_of(r->settings.configs, spec, NULL);
  RlxSettings settings = rlx_config_settings(config);
  settings.is_evaluated = true;
  uint32_t reported = 0;
  if (!rlx_setting_report(&r->settings, &reported)) {
    rlx_buf_free(&source);
    return RLX_EXIT_USAGE;
  }
  r->analyzer = rlx_analyzer_new(&settings);
  r->store = rlx_analyzer_store(r->analyzer);
  r->file = rlx_file_open(r->analyzer, rlx_buf_text(&source), (uint32_t)source.size);
  RlxProject project;
  rlx_project_attach(&project, r->file, spec, config->folder);
  rlx_buf_free(&source);
  RlxJitOptions options = {.threads = (int)rlx_config_number(config, RLX_SETTING_threads),
                           .trace = r->trace,
                           .traces_schedules = r->trace_schedule};
  options.extern_count = r->extern_count = rlx_limit_externs(config, &options.externs);
  r->jit = rlx_jit_new(r->store, &options);
  r->program = rlx_program_new(r->jit, r->file);
  const int code = run_function(r, colons ? colons + 2 : NULL, args);
  rlx_program_free(r->program);
  rlx_jit_free(r->jit);
  rlx_file_close(r->file);
  rlx_project_deinit(&project);
  rlx_analyzer_free(r->analyzer);
  return code;
}

int rlx_cmd_run(int argc, char **argv) {
  Run r = {.repeat = 1, .random = -1};
  static const char *const formats[] = {"text", "json", NULL};
  RlxOption options[8 + RLX_LIMIT_OPTIONS + RLX_SETTING_OPTIONS_MAX] = {
      rlx_option_text("inputs", &r.inputs, "IN",
                      "arrays: a .npz, or a folder of 000.npy, 001.npy, …"),
      rlx_option_text("out", &r.out, "OUT", "write the results: a .npz, or a folder"),
      rlx_option_list(
          "with", &r.with, "FILE",
          "extern functions: a script or a shared library (.so) that has them; may be repeated"),
      rlx_option_int(
          "repeat", &r.repeat, "N", 1, 10000000,
          "run N times and report microseconds of a run, by the wall clock and of CPU time"),
      rlx_option_flag_int(
          "random", &r.random, "SEED", 0, INT64_MAX,
          "fill the parameters that are not given with random values, the same for a seed"),
      rlx_option_flag("trace", &r.trace, "show each step, its result and its time"),
      rlx_option_flag(
          "trace-schedule", &r.trace_schedule,
          "show what the JIT does to the loops of each PrimFunc, as the steps of a schedule"),
      rlx_option_choice("format", &r.format, NULL, formats, "how to print"),
  };
  size_t options_count = 8;
  rlx_limit_options(&r.limits, options, &options_count);
  rlx_setting_options(&r.settings,
                      RLX_SETTING_SCOPE_ANALYSIS | RLX_SETTING_SCOPE_RUN | RLX_SETTING_SCOPE_USER,
                      options, &options_count);
  RlxUsage usage = {"run", "FILE[::FUNC] [PARAM=VALUE…]",
                    "Evaluates a function (main, or the only one). A VALUE is @file.npy, "
                    "2x3:float32:random(seed)\n"
                    "(or ones, zeros, iota, a number), or a literal like [[1, 2], [3, 4]],\n"
                    "for a tuple ([1, 2], [3, 4]), for a shape (2, 3).\n"
                    "Extern functions come from --with FILE only: docs/extern-functions.md.",
                    options, options_count};
  RlxArgs args = {0};
  int code = RLX_EXIT_OK;
  if (!rlx_options_parse(&usage, argc, argv, &args, &code) ||
      !rlx_setting_options_done(&r.settings, &usage, &code)) {
    rlx_args_free(&args);
    rlx_args_free(&r.with);
    rlx_setting_options_free(&r.settings);
    return code;
  }
  if (!args.count)
    code = rlx_usage_error(&usage, "which FILE?");
  else
    code = with_file(&r, args.at[0], &args);
  rlx_args_free(&args);
  rlx_args_free(&r.with);
  rlx_setting_options_free(&r.settings);
  return code;
}
