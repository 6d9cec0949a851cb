/// Times of a PrimFunc as it is written. A session of its own for each measurement: nothing of a
/// candidate that was dropped stays behind.
#include "jit/measure.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "jit/supply.h"
#include "jit/worker.h"

enum { RUNS_MOST = 10000 };

// ---- inputs

typedef struct Inputs {
  RlxStore *store;
  RlxHeap *heap;
  RlxProgram *program;
  RlxName function;
  const char *sizes;
  Vec(RlxObject *) values;
} Inputs;

/// The value of `name` in "n=128 m=64".
static bool size_of(const char *sizes, const char *name, int64_t *out) {
  size_t n = strlen(name);
  for (const char *p = sizes ? sizes : ""; *p;) {
    while (*p == ' ' || *p == ',') p++;
    size_t word = strcspn(p, "= ,");
    const char *value = p + word + (p[word] == '=');
    if (p[word] == '=' && word == n && memcmp(p, name, n) == 0) {
      *out = strtoll(value, NULL, 10);
      return *out > 0;
    }
    p += strcspn(p, " ,");
  }
  return false;
}

/// `dim` with the sizes put in; false: `err` says which one is missing.
static bool dimension(const Inputs *in, const RlxPrim *dim, int64_t *out, RlxError *err) {
  if (rlx_prim_is_const(dim, out)) return true;
  RlxBuf text = {0};
  rlx_prim_print(in->store, dim, &text);
  bool ok = size_of(in->sizes, rlx_buf_text(&text), out) ||
            rlx_error_set(err, "the size of `%s` is not known: give it, as in %s=128",
                          rlx_buf_text(&text), rlx_buf_text(&text));
  rlx_buf_free(&text);
  return ok;
}

/// Elements between -0.5 and 0.5, or integers from 0 to 16.
static void fill(RlxObject *x, int parameter) {
  int64_t count = rlx_tensor_count(x);
  bool is_float = rlx_dtype_is_float(x->dtype);
  for (int64_t i = 0; i < count; i++) {
    uint64_t h =
        ((uint64_t)i * 1103515245u + 12345u + (uint64_t)parameter * 7919u) & UINT64_C(65535);
    if (is_float)
      rlx_element_set_number(x->data, x->dtype, i, (double)h / 65536.0 - 0.5);
    else
      rlx_element_set_integer(x->data, x->dtype, i,
                              (int64_t)(h % (rlx_dtype_is_bool(x->dtype) ? 2 : 17)));
  }
}

static RlxObject *make_value(Inputs *in, int i, RlxError *err) {
  const RlxSInfo *sinfo;
  RlxDType dtype;
  RlxName name = rlx_program_param(in->program, in->function, i, &sinfo, &dtype);
  int64_t dims[RLX_PARAM_NDIM_MAX], value = 0;
  if (!sinfo || sinfo->kind != RLX_SINFO_TENSOR) {
    const char *text = rlx_store_text(in->store, name);
    if (!size_of(in->sizes, text, &value)) {
      rlx_error_set(err, "the value of `%s` is not known: give it, as in %s=128", text, text);
      return NULL;
    }
    return rlx_int_new(in->heap, value, dtype);
  }
  if (!sinfo->dims || sinfo->ndim > RLX_PARAM_NDIM_MAX) {
    rlx_error_set(err, "the shape of parameter %d is not known", i + 1);
    return NULL;
  }
  for (int k = 0; k < sinfo->ndim; k++)
    if (!dimension(in, sinfo->dims[k], &dims[k], err)) return NULL;
  RlxObject *x = rlx_tensor_new(in->heap, sinfo->dtype, dims, sinfo->ndim, err);
  if (x) fill(x, i);
  return x;
}

/// In the worker, whose memory ends with it.
static bool make_inputs(void *data, RlxObject *const **out, int *out_count, RlxError *err) {
  Inputs *in = data;
  int count = rlx_program_param_count(in->program, in->function);
  for (int i = 0; i < count; i++) {
    RlxObject *x = make_value(in, i, err);
    if (!x) return false;
    rlx_vec_push(&in->values, x);
  }
  *out = in->values.at;
  *out_count = count;
  return true;
}

// ---- running

static void keep_outputs(const RlxObject *x, RlxMeasured *out) {
  if (x->kind == RLX_OBJECT_TUPLE) {
    for (int i = 0; i < x->count; i++) keep_outputs(x->fields[i], out);
    return;
  }
  if (x->kind != RLX_OBJECT_TENSOR) return;
  RlxBuf bytes = {0};
  rlx_buf_putn(&bytes, x->data, (size_t)rlx_tensor_bytes(x));
  rlx_vec_push(&out->outputs, bytes);
  rlx_vec_push(&out->dtypes, x->dtype);
}

static bool call(RlxJit *jit, Inputs *in, const RlxMeasureOptions *options, int repeat,
                 RlxMeasured *out) {
  RlxWorkerOptions how = {.repeat = repeat,
                          .limit_seconds = options->limit_seconds > 0 ? options->limit_seconds : 60,
                          .confinement = options->confinement,
                          .uses_system = options->with_count || options->extern_count,
                          .make_arguments = make_inputs,
                          .data = in,
                          .cancel = options->cancel};
  RlxWorkerResult result = {0};
  rlx_worker_call(jit, in->program, in->function, NULL, 0, &how, &result);
  if (result.outcome == RLX_OUTCOME_DONE) {
    if (!out->runs) keep_outputs(result.value, out);
    if (!out->runs || result.run_us_min < out->us) out->us = result.run_us_min;
    out->runs += repeat;
  } else
    out->error = result.error.error;
  out->interrupted = result.outcome == RLX_OUTCOME_INTERRUPTED;
  rlx_object_unref(result.value);
  return result.outcome == RLX_OUTCOME_DONE;
}

/// One run first, for its outputs and to know how long it takes; then as many as fit.
static bool run(RlxJit *jit, Inputs *in, const RlxMeasureOptions *options, RlxMeasured *out) {
  RlxRunError err = {0};
  if (!rlx_program_prepare(in->program, in->function, &err)) {
    out->error = err.error;
    return false;
  }
  if (!call(jit, in, options, 1, out)) return false;
  double least = (options->least_seconds > 0 ? options->least_seconds : 0.2) * 1e6;
  const double most = RUNS_MOST, wanted = out->us > 0 ? least / out->us : most;
  int repeat = wanted < 1 ? 0 : (int)(wanted < most ? wanted : most);
  return !repeat || call(jit, in, options, repeat, out);
}

bool rlx_measure(const char *text, const char *name, const RlxMeasureOptions *options,
                 RlxMeasured *out) {
  *out = (RlxMeasured){0};
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxStore *store = rlx_analyzer_store(analyzer);
  RlxFile *file = rlx_file_open(analyzer, text, (uint32_t)strlen(text));
  RlxJitOptions how = {.threads = options->threads,
                       .externs = options->externs,
                       .extern_count = options->extern_count,
                       .keeps_loops = !options->is_free};
  RlxJit *jit = rlx_jit_new(store, &how);
  Inputs in = {.store = store,
               .heap = rlx_jit_heap(jit),
               .program = rlx_program_new(jit, file),
               .function = rlx_store_intern(store, name, strlen(name)),
               .sizes = options->sizes};
  bool supplied = true;
  for (int i = 0; supplied && i < options->with_count; i++)
    supplied = rlx_jit_supply(jit, analyzer, options->with[i], &out->error);
  if (!supplied)
    out->ok = false;
  else if (!rlx_program_has(in.program, in.function))
    rlx_error_set(&out->error, "there is no function `%s` that can be run", name);
  else
    out->ok = run(jit, &in, options, out);
  rlx_vec_free(&in.values);
  rlx_program_free(in.program);
  rlx_jit_free(jit);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  return out->ok;
}

void rlx_measured_free(RlxMeasured *m) {
  for (uint32_t i = 0; i < m->outputs.count; i++) rlx_buf_free(&m->outputs.at[i]);
  rlx_vec_free(&m->outputs);
  rlx_vec_free(&m->dtypes);
}

// ---- comparing

/// How far `a` and `b` are from each other; infinite where one of them alone is no number.
static double distance(double a, double b) {
  if (isnan(a) || isnan(b)) return isnan(a) && isnan(b) ? 0 : (double)INFINITY;
  return a == b ? 0 : fabs(a - b);
}

/// Element by element, with the largest distance of all; the bytes are as many.
static bool same_elements(const RlxBuf *a, const RlxBuf *b, RlxDType dtype, double *largest) {
  if (memcmp(rlx_buf_text(a), rlx_buf_text(b), a->size) == 0) return true;
  bool is_float = rlx_dtype_is_float(dtype), ok = is_float;
  size_t count = a->size * 8 / (dtype.bits ? dtype.bits : 8);
  double tolerance = dtype.bits <= 16 ? 3e-2 : 1e-3;
  if (!is_float) *largest = fmax(*largest, 1); // integers that differ do so by 1 or more
  for (size_t k = 0; k < count; k++) {
    double x = rlx_element_number(a->at, dtype, (int64_t)k),
           y = rlx_element_number(b->at, dtype, (int64_t)k), far = distance(x, y);
    *largest = fmax(*largest, far);
    if (far > tolerance * fmax(fabs(x), 1) || isinf(far)) ok = false;
  }
  return ok;
}

bool rlx_measured_agree(const RlxMeasured *a, const RlxMeasured *b, double *out_largest) {
  double largest = 0;
  bool ok = a->outputs.count == b->outputs.count;
  for (uint32_t i = 0; ok && i < a->outputs.count; i++)
    ok = a->outputs.at[i].size == b->outputs.at[i].size;
  if (!ok) largest = (double)INFINITY;
  bool are_alike = ok;
  for (uint32_t i = 0; are_alike && i < a->outputs.count; i++)
    ok &= same_elements(&a->outputs.at[i], &b->outputs.at[i], a->dtypes.at[i], &largest);
  if (out_largest) *out_largest = largest;
  return ok;
}

// ---- how much there is to do

typedef struct Counter {
  RlxStore *store;
  const char *sizes;
  double operations;
  bool is_known;
} Counter;

static double extent_of(Counter *c, const RlxTirExpr *e) {
  RlxError err = {0};
  Inputs in = {.store = c->store, .sizes = c->sizes};
  const RlxPrim *p = e ? rlx_tir_integer(c->store, e) : NULL;
  int64_t value = 0;
  if (p && dimension(&in, p, &value, &err)) return value > 0 ? (double)value : 0;
  c->is_known = false;
  return 0;
}

static double operations_in(const RlxTirExpr *e) {
  if (e->kind == RLX_TIR_LOAD) return 0; // indices are no work
  double n = 0;
  bool counts = (e->kind >= RLX_TIR_ADD && e->kind <= RLX_TIR_BITNOT) || e->kind == RLX_TIR_CALL;
  if (counts) n = e->dtype.lanes > 1 ? e->dtype.lanes : 1;
  for (int i = 0; i < e->arg_count; i++) n += operations_in(e->args[i]);
  return n;
}

static void count(Counter *c, const RlxTirStmt *s, double times) {
  if (s->kind == RLX_TIR_FOR) times *= extent_of(c, s->extent);
  if (s->kind == RLX_TIR_WHILE) c->is_known = false;
  if (s->kind == RLX_TIR_STORE && s->value) c->operations += times * operations_in(s->value);
  for (uint32_t i = 0; i < s->count; i++)
    if (s->body[i]) count(c, s->body[i], times);
}

RlxWork rlx_work_of(RlxStore *store, const RlxPrimFunc *f, const char *sizes) {
  Counter c = {.store = store, .sizes = sizes, .is_known = true};
  RlxWork work = {0};
  if (f->body) count(&c, f->body, 1);
  for (int i = 0; i < f->param_count; i++) {
    const RlxTirBuffer *b = f->params[i].buffer;
    double bytes = b ? (double)((b->dtype.bits + 7) / 8) : 0;
    for (int k = 0; b && k < b->ndim; k++) bytes *= extent_of(&c, b->shape[k]);
    work.bytes += bytes;
  }
  work.operations = c.operations;
  return c.is_known ? work : (RlxWork){0};
}

// ---- before and after

void rlx_rate_print(RlxWork work, double us, RlxBuf *out) {
  if (us <= 0 || work.bytes <= 0) return;
  if (work.operations >= work.bytes)
    rlx_buf_printf(out, "%.1f GFLOP/s", work.operations / us / 1e3);
  else
    rlx_buf_printf(out, "%.1f GB/s", work.bytes / us / 1e3);
}

bool rlx_times(const char *before, const char *after, const char *name,
               const RlxMeasureOptions *options, RlxTimes *out, RlxError *err) {
  RlxMeasured first = {0}, second = {0}, own = {0};
  *out = (RlxTimes){0};
  RlxMeasureOptions freely = *options;
  freely.is_free = true;
  bool ok = rlx_measure(before, name, options, &first) ||
            rlx_error_set(err, "before the schedule: %s", first.error.text);
  ok = ok && (rlx_measure(after, name, options, &second) ||
              rlx_error_set(err, "after the schedule: %s", second.error.text));
  if (ok) {
    out->before_us = first.us;
    out->after_us = second.us;
    out->agree = rlx_measured_agree(&first, &second, &out->largest_difference);
    if (rlx_measure(before, name, &freely, &own)) out->own_us = own.us;
  }
  rlx_measured_free(&first);
  rlx_measured_free(&second);
  rlx_measured_free(&own);
  return ok;
}

static void time_line(const char *what, double us, RlxWork work, RlxBuf *out) {
  rlx_buf_printf(out, "%-8s %12.2f us", what, us);
  if (work.bytes > 0) {
    RlxBuf rate = {0};
    rlx_rate_print(work, us, &rate);
    rlx_buf_printf(out, "  %14s", rlx_buf_text(&rate));
    rlx_buf_free(&rate);
  }
}

void rlx_times_print(const RlxTimes *times, RlxWork work, RlxBuf *out) {
  time_line("before", times->before_us, work, out);
  rlx_buf_putc(out, '\n');
  time_line("after", times->after_us, work, out);
  rlx_buf_printf(out, "  %.2f times as fast\n",
                 times->after_us > 0 ? times->before_us / times->after_us : 0);
  if (times->own_us > 0) {
    time_line("JIT", times->own_us, work, out);
    rlx_buf_puts(out, "  the unscheduled PrimFunc with the rules of the JIT\n");
  }
  if (!times->agree && isinf(times->largest_difference))
    rlx_buf_puts(out, "the results differ in what is a number, or in their sizes\n");
  else if (!times->agree)
    rlx_buf_printf(out, "the results differ by up to %g\n", times->largest_difference);
}
