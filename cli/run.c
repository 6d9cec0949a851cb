/// `rlx run`: evaluates a function of a script with arrays, and prints or writes what it gives
/// (spec 5).
/// Always true: the JSON is the last line of standard output; a failed check exits with 1, a crash
/// of the worker with 3.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/options.h"
#include "cli/settings.h"
#include "cli/source.h"
#include "config/modules.h"
#include "jit/runtime/format.h"
#include "jit/runtime/npy.h"
#include "jit/supply.h"
#include "jit/worker.h"

typedef struct Run {
  const char *path, *inputs, *out;
  RlxArgs with, externs;
  RlxSettingOptions settings;
  int64_t repeat, limit, memory; // limits: -1 when not given; seconds, MiB
  int format;
  bool trace, no_sandbox;
  RlxAnalyzer *analyzer;
  RlxStore *store;
  RlxFile *file;
  RlxJit *jit;
  RlxProgram *program;
  RlxName function;
  RlxNamedTensors given; // of --inputs
  bool *used;
  Vec(RlxObject *) values;
} Run;

static int fail(Run *r, const RlxRunError *err, int code) {
  if (err->span.end > err->span.start || err->span.start) {
    RlxLineColumn at =
        rlx_lines_locate(rlx_document_lines(rlx_file_document(r->file)), err->span.start);
    const char *page = err->error.code;
    fprintf(stderr, "%s:%u:%u: error%s%s%s: %s\n", r->path, at.line + 1, at.column + 1,
            *page ? "[" : "", page, *page ? "]" : "", err->error.text);
  } else if (*err->error.code)
    fprintf(stderr, "%s: error[%s]: %s\n", r->path, err->error.code, err->error.text);
  else
    fprintf(stderr, "rlx run: %s\n", err->error.text);
  return code;
}

/// Errors of the analysis stop before anything runs, where they are outside of functions or in one
/// that was reached so far, or `anywhere`.
static bool refuse_broken(Run *r, bool anywhere) {
  RlxFileDiags diags = {0};
  rlx_file_diags(r->file, &diags);
  bool broken = false;
  for (uint32_t i = 0; i < diags.count; i++) {
    const RlxFileDiag *d = &diags.at[i];
    if (d->diag->severity != RLX_ERROR ||
        (!anywhere && !rlx_program_concerns(r->program, d->span.start)))
      continue;
    RlxLineColumn at =
        rlx_lines_locate(rlx_document_lines(rlx_file_document(r->file)), d->span.start);
    fprintf(stderr, "%s:%u:%u: error[%s]: %s\n", r->path, at.line + 1, at.column + 1,
            rlx_diag_row(d->diag->id)->code, d->diag->message);
    broken = true;
  }
  rlx_vec_free(&diags);
  return broken;
}

/// The value of a parameter from an array: as it is, converted where numpy has no such dtype, or as
/// shape or number.
static RlxObject *adapt(Run *r, RlxObject *x, const RlxSInfo *want, RlxDType dtype, RlxError *err) {
  RlxHeap *heap = rlx_jit_heap(r->jit);
  if (want && want->kind == RLX_SINFO_SHAPE && x->count == 1 && !rlx_dtype_is_float(x->dtype)) {
    int64_t dims[64];
    if (x->dims[0] > 64) return rlx_error_set(err, "a shape of more than 64 dimensions"), NULL;
    for (int64_t i = 0; i < x->dims[0]; i++) dims[i] = rlx_element_integer(x->data, x->dtype, i);
    return rlx_shape_new(heap, dims, (int)x->dims[0]);
  }
  if (want && want->kind == RLX_SINFO_PRIM && rlx_tensor_count(x) == 1) {
    RlxDType t = rlx_dtype_known(want->dtype) ? want->dtype : x->dtype;
    if (rlx_dtype_is_float(t))
      return rlx_float_new(heap, rlx_element_number(x->data, x->dtype, 0), t);
    return rlx_int_new(heap, rlx_element_integer(x->data, x->dtype, 0), t);
  }
  bool no_numpy = rlx_dtype_is_float(dtype) && dtype.code != RLX_DTYPE_FLOAT;
  if (!no_numpy || rlx_dtype_equal(dtype, x->dtype) || !rlx_dtype_equal(x->dtype, RLX_FLOAT32))
    return rlx_object_ref(x);
  RlxObject *y = rlx_tensor_new(heap, dtype, x->dims, x->count, err);
  if (y) rlx_elements_convert(y->data, dtype, x->data, x->dtype, rlx_tensor_count(x));
  return y;
}

static RlxObject *given_by_name(Run *r, const char *name) {
  for (uint32_t i = 0; i < r->given.count; i++)
    if (!r->used[i] && !strcmp(r->given.at[i].name, name)) {
      r->used[i] = true;
      return r->given.at[i].tensor;
    }
  return NULL;
}

static bool is_given(const Run *r, const char *name) {
  for (uint32_t i = 0; i < r->given.count; i++)
    if (!r->used[i] && !strcmp(r->given.at[i].name, name)) return true;
  return false;
}

/// The next array by position: of a tuple parameter one for each field.
static RlxObject *next_value(Run *r, const char *name, const RlxSInfo *want, RlxDType dtype,
                             int *position, RlxError *err) {
  RlxObject *x = given_by_name(r, name);
  if (!x && want && want->kind == RLX_SINFO_TUPLE) {
    RlxObject **fields = rlx_mem_zeroed((size_t)want->count + 1, sizeof *fields), *tuple = NULL;
    bool ok = true;
    for (int i = 0; i < want->count && ok; i++) {
      char field[300];
      snprintf(field, sizeof field, "%.250s_%d", name, i);
      fields[i] = next_value(r, field, want->fields[i],
                             want->fields[i]->kind == RLX_SINFO_TENSOR ? want->fields[i]->dtype
                                                                       : rlx_dtype_unknown(),
                             position, err);
      ok = fields[i] != NULL;
    }
    if (ok) tuple = rlx_tuple_new(rlx_jit_heap(r->jit), fields, want->count);
    for (int i = 0; i < want->count; i++) rlx_object_unref(fields[i]);
    free(fields);
    return tuple;
  }
  if (!x) {
    char fallback[32];
    snprintf(fallback, sizeof fallback, "arr_%d", *position);
    x = given_by_name(r, fallback);
  }
  ++*position;
  if (!x) return rlx_error_set(err, "parameter %s has no value", name), NULL;
  return adapt(r, x, want, dtype, err);
}

/// NAME=VALUE from the command line; NULL without an error when there is none.
static const char *argument_of(const RlxArgs *args, const char *name) {
  size_t n = strlen(name);
  for (uint32_t i = 1; i < args->count; i++)
    if (!strncmp(args->at[i], name, n) && args->at[i][n] == '=') return args->at[i] + n + 1;
  return NULL;
}

/// The parameter's other name: the handle behind T.match_buffer; "" when it has none.
static const char *handle_of(Run *r, int i) {
  RlxName name = rlx_program_param_handle(r->program, r->function, i);
  return name ? rlx_store_text(r->store, name) : "";
}

static bool is_called(const char *argument, const char *equals, const char *name) {
  size_t size = strlen(name);
  return size && size == (size_t)(equals - argument) && !strncmp(name, argument, size);
}

static bool collect(Run *r, const RlxArgs *args, RlxError *err) {
  if (r->inputs && !rlx_arrays_read(rlx_jit_heap(r->jit), r->inputs, &r->given, err)) return false;
  r->used = rlx_mem_zeroed((size_t)r->given.count + 1, sizeof *r->used);
  int count = rlx_program_param_count(r->program, r->function), position = 0;
  for (uint32_t i = 1; i < args->count; i++) {
    const char *equals = strchr(args->at[i], '=');
    bool known = false;
    for (int k = 0; k < count && equals; k++) {
      const RlxSInfo *want;
      RlxDType dtype;
      const char *name =
          rlx_store_text(r->store, rlx_program_param(r->program, r->function, k, &want, &dtype));
      known |=
          is_called(args->at[i], equals, name) || is_called(args->at[i], equals, handle_of(r, k));
    }
    if (!known)
      return rlx_error_set(err, "\"%s\" is not PARAMETER=VALUE of %s", args->at[i],
                           rlx_store_text(r->store, r->function));
  }
  for (int i = 0; i < count; i++) {
    const RlxSInfo *want;
    RlxDType dtype;
    const char *name =
        rlx_store_text(r->store, rlx_program_param(r->program, r->function, i, &want, &dtype));
    const char *text = argument_of(args, name), *handle = handle_of(r, i);
    RlxObject *x;
    if (!text && *handle) text = argument_of(args, handle);
    if (*handle && is_given(r, handle)) name = handle;
    if (text) {
      RlxObject *raw = rlx_object_parse(rlx_jit_heap(r->jit), text, dtype, err);
      x = raw ? adapt(r, raw, want, dtype, err) : NULL;
      rlx_object_unref(raw);
      position++;
      if (!x) return rlx_error_prefix(err, "%s", name);
    } else
      x = next_value(r, name, want, dtype, &position, err);
    if (!x) return false;
    rlx_vec_push(&r->values, x);
  }
  return true;
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
  rlx_json_key(&json, "rlx");
  rlx_json_int(&json, 1);
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
      rlx_json_key(&json, "dtype");
      rlx_json_text(&json, rlx_dtype_text(x->dtype, dtype));
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
               {"run_us_min", result->run_us_min},
               {"run_us_median", result->run_us_median},
               {"run_cpu_us_min", result->run_cpu_us_min},
               {"run_cpu_us_median", result->run_cpu_us_median}};
  for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
    rlx_json_key(&json, times[i].key);
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

static int evaluate(Run *r, const RlxArgs *args) {
  RlxRunError err = {0};
  if (refuse_broken(r, false)) return RLX_EXIT_FINDINGS;
  bool is_planned = rlx_program_plan(r->program, r->function, &err);
  if (refuse_broken(r, false)) return RLX_EXIT_FINDINGS;
  if (!is_planned || !rlx_program_prepare(r->program, r->function, &err))
    return fail(r, &err, RLX_EXIT_FINDINGS);
  if (!collect(r, args, &err.error)) {
    fprintf(stderr, "rlx run: %s\n", err.error.text);
    return RLX_EXIT_USAGE;
  }
  RlxConfinement limits = rlx_confinement_default();
  if (r->limit >= 0) limits.cpu_seconds = 0; // the time that passes counts, if anything
  if (r->memory >= 0) limits.memory_bytes = r->memory << 20;
  if (r->no_sandbox) limits.no_system = false;
  RlxWorkerOptions options = {.repeat = (int)r->repeat,
                              .limit_seconds = r->limit > 0 ? (double)r->limit : 0,
                              .confinement = &limits,
                              .uses_system = r->with.count + r->externs.count > 0};
  RlxWorkerResult result;
  rlx_worker_call(r->jit, r->program, r->function, r->values.at, (int)r->values.count, &options,
                  &result);
  if (result.outcome != RLX_OUTCOME_DONE) {
    int code = result.outcome == RLX_OUTCOME_CRASHED     ? RLX_EXIT_INTERNAL
               : result.outcome == RLX_OUTCOME_NO_WORKER ? RLX_EXIT_USAGE
                                                         : RLX_EXIT_FINDINGS;
    return fail(r, &result.error, code);
  }
  Outputs outs = {0};
  int code = RLX_EXIT_OK;
  flatten(rlx_jit_heap(r->jit), result.value, &outs);
  if (r->out && !rlx_arrays_write(outs.at, (int)outs.count, r->out, &err.error)) {
    fprintf(stderr, "rlx run: %s\n", err.error.text);
    code = RLX_EXIT_USAGE;
  }
  if (r->format || r->out)
    print_json(r, &outs, &result);
  else
    print_text(result.value);
  for (uint32_t i = 0; i < outs.count; i++) rlx_object_unref(outs.at[i]);
  rlx_vec_free(&outs);
  rlx_object_unref(result.value);
  return code;
}

static int with_file(Run *r, char *spec, const RlxArgs *args) {
  RlxError err = {0};
  RlxBuf source = {0};
  char *colons = NULL;
  for (char *p = spec; (p = strstr(p, "::")); p++) colons = p;
  if (colons) *colons = 0;
  r->path = spec;
  if (!rlx_source_read(spec, &source, &err)) {
    fprintf(stderr, "rlx run: %s\n", err.text);
    rlx_buf_free(&source);
    return RLX_EXIT_USAGE;
  }
  const RlxConfig *config = rlx_configs_of(r->settings.configs, spec, NULL);
  RlxSettings settings = rlx_config_settings(config);
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
  int code;
  RlxJitOptions options = {.threads = (int)rlx_config_number(config, RLX_SETTING_threads),
                           .externs = r->externs.at,
                           .extern_count = (int)r->externs.count,
                           .trace = r->trace};
  r->jit = rlx_jit_new(r->store, &options);
  r->program = rlx_program_new(r->jit, r->file);
  bool supplied = true;
  for (uint32_t i = 0; i < r->with.count && supplied; i++)
    supplied = rlx_jit_supply(r->jit, r->analyzer, r->with.at[i], &err);
  r->function = colons ? rlx_store_intern(r->store, colons + 2, strlen(colons + 2))
                       : rlx_program_main(r->program);
  if (!supplied) {
    fprintf(stderr, "rlx run: --with %s%s%s%s\n", *err.code ? "error[" : "", err.code,
            *err.code ? "]: " : "", err.text);
    code = RLX_EXIT_USAGE;
  } else if (!r->function || !rlx_program_has(r->program, r->function)) {
    code = RLX_EXIT_USAGE;
    if (refuse_broken(r, true)) // it may be why the function is not there
      code = RLX_EXIT_FINDINGS;
    else if (colons)
      fprintf(stderr, "rlx run: %s has no function %s\n", spec, colons + 2);
    else
      fprintf(stderr, "rlx run: %s: say which function is to run, FILE::FUNC\n", spec);
  } else
    code = evaluate(r, args);
  for (uint32_t i = 0; i < r->values.count; i++) rlx_object_unref(r->values.at[i]);
  rlx_vec_free(&r->values);
  rlx_named_tensors_free(&r->given);
  free(r->used);
  rlx_program_free(r->program);
  rlx_jit_free(r->jit);
  rlx_file_close(r->file);
  rlx_project_deinit(&project);
  rlx_analyzer_free(r->analyzer);
  return code;
}

int rlx_cmd_run(int argc, char **argv) {
  Run r = {.repeat = 1, .limit = -1, .memory = -1};
  static const char *const formats[] = {"text", "json", NULL};
  RlxOption options[10 + RLX_SETTING_OPTIONS_MAX] = {
      {.name = "inputs",
       .kind = RLX_OPTION_TEXT,
       .target = &r.inputs,
       .value = "IN",
       .help = "arrays: a .npz, or a folder of 000.npy, 001.npy, …"},
      {.name = "out",
       .kind = RLX_OPTION_TEXT,
       .target = &r.out,
       .value = "OUT",
       .help = "write the results: a .npz, or a folder"},
      {.name = "with",
       .kind = RLX_OPTION_LIST,
       .target = &r.with,
       .value = "FILE",
       .help =
           "extern functions: a script or a shared library (.so) that has them; may be repeated"},
      {.name = "repeat",
       .kind = RLX_OPTION_INT,
       .target = &r.repeat,
       .value = "N",
       .help = "run N times and report times",
       .min = 1,
       .max = 10000000},
      {.name = "time-limit",
       .kind = RLX_OPTION_INT,
       .target = &r.limit,
       .value = "S",
       .help = "stop after S seconds; 0: never. Not given: after an hour of CPU time",
       .min = 0,
       .max = 1000000},
      {.name = "memory-limit",
       .kind = RLX_OPTION_INT,
       .target = &r.memory,
       .value = "M",
       .help = "memory that the run may take, in MiB; 0: any. Not given: nine tenths of all",
       .min = 0,
       .max = INT32_MAX},
      {.name = "allow-extern",
       .kind = RLX_OPTION_LIST,
       .target = &r.externs,
       .value = "NAME",
       .help = "let T.call_extern call this C function, too; may be repeated"},
      {.name = "no-sandbox",
       .kind = RLX_OPTION_FLAG,
       .target = &r.no_sandbox,
       .help = "let the worker open files to write, use the network and start programs"},
      {.name = "trace",
       .kind = RLX_OPTION_FLAG,
       .target = &r.trace,
       .help = "show each step, its result and its time"},
      {.name = "format",
       .kind = RLX_OPTION_CHOICE,
       .target = &r.format,
       .choices = formats,
       .help = "how to print"},
  };
  size_t options_count = 10;
  rlx_setting_options(&r.settings, RLX_SETTING_SCOPE_ANALYSIS | RLX_SETTING_SCOPE_RUN, options,
                      &options_count);
  RlxUsage usage = {"run", "FILE[::FUNC] [PARAM=VALUE…]",
                    "Evaluates a function (main, or the only one). A VALUE is @file.npy, "
                    "2x3:float32:random(seed)\n"
                    "(or ones, zeros, iota, a number), or a literal like [[1, 2], [3, 4]].\n"
                    "Extern functions come from --with FILE only: docs/extern-functions.md.",
                    options, options_count};
  RlxArgs args = {0};
  int code = RLX_EXIT_OK;
  if (!rlx_options_parse(&usage, argc, argv, &args, &code) ||
      !rlx_setting_options_done(&r.settings, &usage, &code)) {
    rlx_args_free(&args);
    rlx_args_free(&r.with);
    rlx_args_free(&r.externs);
    rlx_setting_options_free(&r.settings);
    return code;
  }
  if (!args.count)
    code = rlx_usage_error(&usage, "which FILE?");
  else
    code = with_file(&r, args.at[0], &args);
  rlx_args_free(&args);
  rlx_args_free(&r.with);
  rlx_args_free(&r.externs);
  rlx_setting_options_free(&r.settings);
  return code;
}
