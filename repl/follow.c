/// Following an evaluation: the process that evaluates writes a record for each step into a memory
/// file, which is read when it has ended, however it ended; :trace and :profile print it. For :step
/// it waits behind each record until the next one is wanted.
#include "repl/follow.h"
#include "repl/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/wait.h"
#include "jit/runtime/format.h"
#include "repl/look.h"
#include "repl/values.h"

enum { VALUES_MAX = 64 << 20 }; ///< bytes of values that are kept as text

// ---- records

static void put_field(RlxBuf *out, const char *text, size_t size) {
  uint32_t n = (uint32_t)size;
  rlx_buf_putn(out, (const char *)&n, sizeof n);
  rlx_buf_putn(out, text, size);
}

static void put_text(RlxBuf *out, const RlxBuf *text) {
  put_field(out, rlx_buf_text(text), text->size);
}

/// What is worth knowing of a value in half a line.
static void put_summary(const RlxObject *x, const RlxPrintStyle *style, RlxBuf *out) {
  enum { FEW = 4 };
  if (x->kind == RLX_OBJECT_TENSOR && rlx_tensor_count(x) > FEW) {
    double min = (double)INFINITY, max = -min, sum = 0;
    int64_t count = rlx_tensor_count(x), odd = 0;
    for (int64_t i = 0; i < count; i++) {
      double v = rlx_element_number(x->data, x->dtype, i);
      odd += !isfinite(v);
      if (!isfinite(v)) continue;
      min = v < min ? v : min;
      max = v > max ? v : max;
      sum += v;
    }
    if (count > odd)
      rlx_buf_printf(out, "min %.4g, max %.4g, mean %.4g", min, max, sum / (double)(count - odd));
    if (odd) rlx_buf_printf(out, "%s%lld NaN or inf", out->size ? ", " : "", (long long)odd);
    return;
  }
  RlxBuf text = {0};
  rlx_object_print_styled(x, style, &text);
  bool blank = false;
  for (const char *p = rlx_buf_text(&text); *p && out->size < 60; p++) { // in one line
    bool is_blank = *p == ' ' || *p == '\n';
    if (!is_blank || !blank) rlx_buf_putc(out, is_blank ? ' ' : *p);
    blank = is_blank;
  }
  if (out->size >= 60) rlx_buf_puts(out, "…");
  rlx_buf_free(&text);
}

static bool is_own(const char *name) { return !strncmp(name, "__", 2); }

/// "c = R.add(a, b)"; what an entry computes has no name.
static void put_binding(RlxRepl *repl, const RlxBinding *b, RlxBuf *label) {
  enum { LABEL_MAX = 240 };
  RlxBuf whole = {0}, *out = &whole;
  const char *name = rlx_store_text(repl->store, b->var->name);
  if (!is_own(name)) rlx_buf_printf(out, "%s = ", name);
  if (b->kind == RLX_BINDING_MATCH_CAST) rlx_buf_puts(out, "R.match_cast(");
  rlx_repl_put_expr(repl, b->value, out);
  if (b->kind == RLX_BINDING_MATCH_CAST) {
    rlx_buf_puts(out, ", ");
    rlx_sinfo_print(repl->store, b->cast, out);
    rlx_buf_putc(out, ')');
  }
  RlxBuf typed = {0};
  rlx_repl_put_typed(repl, rlx_buf_text(out), out->size, &typed);
  size_t size = typed.size;
  if (size > LABEL_MAX) // a call with the weights of a model, say
    for (size = LABEL_MAX; size && rlx_utf8_is_continuation(typed.at[size]);) size--;
  rlx_buf_putn(label, rlx_buf_text(&typed), size);
  if (size < typed.size) rlx_buf_puts(label, "…");
  rlx_buf_free(&typed);
  rlx_buf_free(&whole);
}

static void put_record(RlxRepl *repl, const RlxTracedStep *step, const char *name,
                       const RlxBuf *label, const RlxObject *value, bool is_param) {
  RlxBuf record = {0}, sinfo = {0}, summary = {0}, text = {0};
  const char *function = is_own(step->function) ? "" : step->function;
  double us = is_param ? 0 : step->us;
  uint64_t kernel = is_param ? 0 : step->kernel;
  const char flags[2] = {!is_param && step->is_call, is_param};
  if (repl->follow_values) {
    rlx_object_print_sinfo(value, &sinfo);
    put_summary(value, &repl->follow_style, &summary);
    if (repl->follow_left > 0) rlx_object_print_styled(value, &repl->follow_style, &text);
    repl->follow_left -= (int64_t)text.size;
  }
  put_field(&record, function, strlen(function));
  put_text(&record, label);
  put_field(&record, name, strlen(name));
  put_text(&record, &sinfo);
  put_text(&record, &summary);
  put_text(&record, &text);
  rlx_buf_putn(&record, (const char *)&us, sizeof us);
  rlx_buf_putn(&record, (const char *)&kernel, sizeof kernel);
  rlx_buf_putn(&record, flags, sizeof flags);
  for (size_t at = 0; at < record.size;) {
    ssize_t n = write(repl->follow_fd, rlx_buf_text(&record) + at, record.size - at);
    if (n <= 0) break;
    at += (size_t)n;
  }
  rlx_buf_free(&record);
  rlx_buf_free(&sinfo);
  rlx_buf_free(&summary);
  rlx_buf_free(&text);
}

/// In the process that evaluates: goes on when its parent wants another step, or is done with waiting.
static void wait_at_gate(RlxRepl *repl) {
  char byte = 0;
  if (repl->follow_gate < 0) return;
  fflush(stdout);               // what the step printed comes before what is said of it
  for (int i = 0; i < 2; i++) { // or the end of the parent would not be seen
    if (repl->follow_others[i] >= 0) close(repl->follow_others[i]);
    repl->follow_others[i] = -1;
  }
  if (write(repl->follow_ticks, &byte, 1) < 0) return;
  while (read(repl->follow_gate, &byte, 1) < 0 && errno == EINTR) {
  }
}

static void on_step(void *data, const RlxTracedStep *step) {
  RlxRepl *repl = data;
  RlxBuf label = {0};
  const RlxBinding *b = step->binding;
  // A binding may take two steps, as to make a value and to check it. A function that is entered once
  // more has parameters to tell.
  const bool is_told = b && b == repl->follow_last && !step->param_count && repl->follow_values;
  repl->follow_last = b;
  if (is_told) return;
  for (int i = 0; i < step->param_count && repl->follow_values; i++) {
    const char *name = rlx_store_text(repl->store, step->params[i].name);
    rlx_buf_clear(&label);
    rlx_buf_puts(&label, name);
    if (!is_own(step->function)) put_record(repl, step, name, &label, step->params[i].value, true);
  }
  rlx_buf_clear(&label);
  for (int i = 0; i < step->merged_count; i++) {
    put_binding(repl, step->merged[i], &label);
    rlx_buf_puts(&label, "; ");
  }
  if (b)
    put_binding(repl, b, &label);
  else
    rlx_buf_puts(&label, step->what ? step->what : "value");
  const char *name = b ? rlx_store_text(repl->store, b->var->name) : "";
  put_record(repl, step, is_own(name) ? "" : name, &label, step->value, false);
  rlx_buf_free(&label);
  wait_at_gate(repl);
}

static char *take_text(const char **p, const char *end) {
  uint32_t n = 0;
  if (end - *p < (ptrdiff_t)sizeof n) return rlx_mem_strdup("");
  memcpy(&n, *p, sizeof n);
  *p += sizeof n;
  if ((size_t)(end - *p) < n) n = (uint32_t)(end - *p);
  char *text = rlx_mem_strndup(*p, n);
  *p += n;
  return text;
}

/// Appends the records; one that was cut off when the process died is left out.
static void read_records(const RlxBuf *all, RlxSteppeds *out) {
  const char *p = rlx_buf_text(all), *end = p + all->size;
  while (p < end) {
    RlxStepped s = {0};
    char flags[2] = {0};
    s.function = take_text(&p, end);
    s.label = take_text(&p, end);
    s.name = take_text(&p, end);
    s.sinfo = take_text(&p, end);
    s.summary = take_text(&p, end);
    s.text = take_text(&p, end);
    bool is_whole = (size_t)(end - p) >= sizeof s.us + sizeof s.kernel + sizeof flags;
    if (is_whole) {
      memcpy(&s.us, p, sizeof s.us);
      p += sizeof s.us;
      memcpy(&s.kernel, p, sizeof s.kernel);
      p += sizeof s.kernel;
      memcpy(flags, p, sizeof flags);
      p += sizeof flags;
      s.is_call = flags[0];
      s.is_param = flags[1];
    } else
      p = end;
    rlx_vec_push(out, s);
  }
}

void rlx_steppeds_free(RlxSteppeds *steps) {
  for (uint32_t i = 0; i < steps->count; i++) {
    RlxStepped *s = &steps->at[i];
    char *const texts[] = {s->function, s->label, s->name, s->sinfo, s->summary, s->text};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) free(texts[k]);
  }
  rlx_vec_free(steps);
}

// ---- evaluation

static RlxJit *follower(RlxRepl *repl, bool merges) {
  RlxJit **jit = merges ? &repl->profiler : &repl->tracer;
  if (!*jit) {
    RlxJitOptions options = rlx_repl_jit_options(repl, true);
    options.on_step = on_step;
    options.step_data = repl;
    options.keeps_bindings = !merges;
    *jit = rlx_jit_new(repl->store, &options);
    rlx_repl_supply(repl, *jit);
  }
  return *jit;
}

struct RlxFollow {
  RlxRepl *repl;
  RlxProgram *program;
  RlxReplArgs args; ///< counted
  RlxWorker *worker;
  int records, gate, ticks; ///< the memory file; how many steps it may go; a byte for each one done
  int64_t read;             ///< bytes of the records so far
  bool is_under_way;        ///< a step was asked for
};

/// Reads the records that came since.
static void read_new(RlxFollow *f, RlxSteppeds *out) {
  RlxBuf all = {0};
  char block[4096];
  for (ssize_t n; (n = pread(f->records, block, sizeof block, f->read)) > 0; f->read += n)
    rlx_buf_putn(&all, block, (size_t)n);
  read_records(&all, out);
  rlx_buf_free(&all);
}

static void drop_follow(RlxFollow *f) {
  const int fds[] = {f->records, f->gate, f->ticks};
  for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
    if (fds[i] >= 0) close(fds[i]);
  for (uint32_t i = 0; i < f->args.count; i++) rlx_object_unref(f->args.at[i]);
  rlx_vec_free(&f->args);
  rlx_program_free(f->program);
  free(f);
}

/// Starts the evaluation; NULL after a message or with `problem`.
static RlxFollow *start(RlxRepl *repl, const char *text, int repeat, bool merges, bool values,
                        bool waits, RlxError *problem) {
  RlxFollow *f = rlx_mem_zeroed(1, sizeof *f);
  RlxJit *jit = follower(repl, merges);
  RlxName name;
  RlxRunError err = {0};
  RlxWorkerResult result;
  int gate[2] = {-1, -1}, ticks[2] = {-1, -1};
  *f = (RlxFollow){.repl = repl, .records = -1, .gate = -1, .ticks = -1};
  repl->following = jit;
  f->program = rlx_repl_program(repl, text, &name, &f->args);
  for (uint32_t i = 0; i < f->args.count; i++) rlx_object_ref(f->args.at[i]);
  bool ok = f->program && rlx_program_prepare(f->program, name, &err);
  if (f->program && !ok) *problem = err.error;
  if (ok) f->records = memfd_create("rlx-steps", MFD_CLOEXEC);
  if (ok && (f->records < 0 ||
             (waits && (pipe2(gate, O_CLOEXEC) || pipe2(ticks, O_CLOEXEC | O_NONBLOCK))))) {
    rlx_error_set(problem, "no file for the steps: %s", strerror(errno));
    ok = false;
  }
  if (ok) {
    repl->follow_fd = f->records;
    repl->follow_gate = gate[0];
    repl->follow_ticks = ticks[1];
    repl->follow_others[0] = gate[1];
    repl->follow_others[1] = ticks[0];
    repl->follow_values = values;
    repl->follow_style = (RlxPrintStyle){repl->set[RLX_REPL_SET_PRECISION], rlx_repl_width()};
    repl->follow_last = NULL;
    repl->follow_left = VALUES_MAX;
    RlxWorkerOptions options = rlx_repl_worker_options(repl, repeat);
    f->worker =
        rlx_worker_start(jit, f->program, name, f->args.at, (int)f->args.count, &options, &result);
    ok = f->worker != NULL;
    if (!ok) *problem = result.error.error;
  }
  f->gate = gate[1];
  f->ticks = ticks[0];
  if (gate[0] >= 0) close(gate[0]);
  if (ticks[1] >= 0) close(ticks[1]);
  if (ok) return f;
  drop_follow(f);
  return NULL;
}

/// Waits for the end of the process, or ends it when there was an interrupt.
static bool finish(RlxFollow *f, RlxSteppeds *out, RlxError *problem) {
  RlxWorkerResult result;
  fflush(stdout);
  if (f->repl->kept != f->program) rlx_worker_forget_program(f->worker);
  rlx_worker_finish(f->worker, &result);
  const bool ok = result.outcome == RLX_OUTCOME_DONE;
  rlx_object_unref(result.value);
  read_new(f, out);
  if (!ok) *problem = result.error.error;
  if (result.outcome == RLX_OUTCOME_INTERRUPTED) *f->repl->interrupted = 0;
  drop_follow(f);
  return ok;
}

bool rlx_follow_finish(RlxFollow *f, RlxSteppeds *out, RlxError *problem) {
  if (f->gate >= 0) close(f->gate); // from here on it does not wait
  f->gate = -1;
  return finish(f, out, problem);
}

void rlx_follow_drop(RlxFollow *f) {
  RlxSteppeds steps = {0};
  RlxError problem = {0};
  if (!f) return;
  *f->repl->interrupted = 1; // as a Ctrl-C would end it; until it is ended it waits at the gate
  finish(f, &steps, &problem);
  rlx_steppeds_free(&steps);
}

RlxFollow *rlx_follow_start(RlxRepl *repl, const char *text, RlxError *problem) {
  return start(repl, text, 1, false, true, true, problem);
}

bool rlx_follow_next(RlxFollow *f, RlxSteppeds *out) {
  const uint32_t before = out->count;
  const double limit = f->repl->options->limit_seconds;
  char tick = 1;
  fflush(stdout);
  bool is_over = f->is_under_way && write(f->gate, &tick, 1) != 1;
  f->is_under_way = true; // the first step was not waited for
  while (!is_over && out->count == before) {
    struct pollfd p[2] = {{.fd = f->ticks, .events = POLLIN},
                          {.fd = rlx_worker_end_fd(f->worker), .events = POLLIN}};
    const int n = rlx_wait(p, 2, limit > 0 && limit < 1e6 ? (int)(limit * 1e3) + 1 : -1,
                           f->repl->interrupted);
    if (n < 0 && *f->repl->interrupted) is_over = true;
    is_over |= n == 0;
    if (n <= 0) continue;
    const bool has_tick = read(f->ticks, &tick, 1) == 1;
    is_over = !has_tick && (p[1].revents || p[0].revents & POLLHUP);
    read_new(f, out);
  }
  return !is_over || out->count > before;
}

bool rlx_repl_follow(RlxRepl *repl, const char *text, int repeat, bool merges, bool values,
                     RlxSteppeds *out, RlxError *problem) {
  RlxFollow *f = start(repl, text, repeat, merges, values, false, problem);
  return f && rlx_follow_finish(f, out, problem);
}

// ---- :trace

static int columns(const char *text) { return (int)rlx_text_width(text, (uint32_t)strlen(text)); }

/// "f: lv = R.add(x, x)".
static void put_label(const RlxStepped *s, RlxBuf *out) {
  rlx_buf_printf(out, "%s%s%s", s->function, *s->function ? ": " : "", s->label);
}

/// A step in three lines, for narrow terminals.
static void put_stacked(const RlxStepped *s, int width, RlxBuf *out) {
  enum { INDENT = 2 };
  RlxBuf line = {0};
  put_label(s, &line);
  rlx_buf_printf(&line, "\n  %s, %.1f us\n  %s\n", s->sinfo, s->us, s->summary);
  rlx_repl_put_folded(rlx_buf_text(&line), INDENT, width, out);
  rlx_buf_free(&line);
}

/// A step as a row of a table with columns of these widths.
static void put_row(const RlxStepped *s, const int widths[2], RlxBuf *out) {
  RlxBuf label = {0};
  put_label(s, &label);
  const int size = columns(rlx_buf_text(&label)), sinfo = columns(s->sinfo);
  rlx_buf_printf(out, "%s%*s  %s%*s  %9.1f us  %s\n", rlx_buf_text(&label),
                 size < widths[0] ? widths[0] - size : 0, "", s->sinfo,
                 sinfo < widths[1] ? widths[1] - sinfo : 0, "", s->us, s->summary);
  rlx_buf_free(&label);
}

bool rlx_repl_trace(RlxRepl *repl, const char *text) {
  enum { WIDEST = 44, TIME = 16 }; // of the time, with the blanks around
  RlxSteppeds steps = {0};
  RlxError problem = {0};
  RlxBuf out = {0};
  bool ok = rlx_repl_follow(repl, text, 1, false, true, &steps, &problem);
  int widths[2] = {0}, widest = 0;
  for (uint32_t i = 0; i < steps.count; i++) {
    const RlxStepped *s = &steps.at[i];
    if (s->is_param) continue;
    const int both[2] = {columns(s->label) + columns(s->function) + (*s->function ? 2 : 0),
                         columns(s->sinfo)},
              row = both[0] + both[1] + TIME + columns(s->summary);
    if (row > widest) widest = row;
    for (int k = 0; k < 2; k++)
      if (both[k] <= WIDEST && both[k] > widths[k]) widths[k] = both[k];
  }
  const int width = rlx_repl_line_width();
  for (uint32_t i = 0; i < steps.count; i++) {
    if (steps.at[i].is_param) continue;
    if (widest > width)
      put_stacked(&steps.at[i], width, &out);
    else
      put_row(&steps.at[i], widths, &out);
  }
  rlx_repl_print_paged(repl, rlx_buf_text(&out));
  if (*problem.text) rlx_repl_print_failure(&problem);
  rlx_buf_free(&out);
  rlx_steppeds_free(&steps);
  return ok;
}

// ---- :profile

typedef struct Spot {
  const RlxStepped *step;
  double us;
  int count;
} Spot;

static int by_time(const void *a, const void *b) {
  const Spot *x = a, *y = b;
  return x->us < y->us ? 1 : x->us > y->us ? -1 : 0;
}

static bool is_same(const RlxStepped *a, const RlxStepped *b) {
  if (a->kernel || b->kernel) return a->kernel == b->kernel;
  return !strcmp(a->function, b->function) && !strcmp(a->label, b->label);
}

/// A bar of `share` of BAR columns, in eighths of one.
static void put_bar(double share, RlxBuf *out) {
  static const char *const parts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  enum { BAR = 20 };
  int eighths = (int)lround(share * (double)BAR * 8), width = eighths / 8 + (eighths % 8 != 0);
  for (int i = 0; i < eighths / 8; i++) rlx_buf_puts(out, "█");
  rlx_buf_puts(out, parts[eighths % 8]);
  rlx_buf_printf(out, "%*s", BAR - width, "");
}

/// Whether step `i` is the last one of a run.
static bool ends_run(const RlxSteppeds *steps, uint32_t i) {
  return !*steps->at[i].function && !strcmp(steps->at[i].label, steps->at[steps->count - 1].label);
}

/// The first step behind the first of several runs, which finds no memory of its own and nothing in a
/// cache; 0 when there is one run only.
static uint32_t behind_first_run(const RlxSteppeds *steps) {
  for (uint32_t i = 0; i + 1 < steps->count; i++)
    if (ends_run(steps, i)) return i + 1;
  return 0;
}

static bool has_bars(void) {
  enum { NEEDS = 52 };
  return rlx_repl_line_width() > NEEDS;
}

/// Where the terminal is narrow the kernel stands below its figures, and the bar is left out.
static void print_spot(const Spot *s, double all, int runs) {
  const int width = rlx_repl_line_width();
  const double share = all > 0 ? s->us / all : 0;
  RlxBuf line = {0}, kernel = {0}, out = {0};
  rlx_buf_printf(&line, "%5.1f %%  ", share * 100);
  if (has_bars()) {
    put_bar(share, &line);
    rlx_buf_puts(&line, "  ");
  }
  rlx_buf_printf(&line, "%8.1f us  %5.4g  ", s->us / runs, (double)s->count / runs);
  rlx_buf_printf(&kernel, "%s%s%s", s->step->function, *s->step->function ? ": " : "",
                 s->step->label);
  const int beside = (int)(rlx_text_width(line.at, (uint32_t)line.size) +
                           rlx_text_width(rlx_buf_text(&kernel), (uint32_t)kernel.size));
  if (beside > width) rlx_buf_puts(&line, "\n  ");
  rlx_repl_put_folded(rlx_buf_text(&kernel), 4, beside > width ? width - 2 : INT_MAX, &out);
  printf("%s%s\n", rlx_buf_text(&line), rlx_buf_text(&out));
  rlx_buf_free(&out);
  rlx_buf_free(&kernel);
  rlx_buf_free(&line);
}

static void print_spot_heads(void) {
  printf("  share  %-*s    time  calls  kernel\n", has_bars() ? 22 : 0, "");
}

bool rlx_repl_profile(RlxRepl *repl, const char *text) {
  enum { RUNS = 21, SHOWN = 20 };
  RlxSteppeds steps = {0};
  RlxError problem = {0};
  Vec(Spot) spots = {0};
  double all = 0;
  int runs = 0; // the worker makes more of them when they are short
  bool ok = rlx_repl_follow(repl, text, RUNS, true, false, &steps, &problem);
  for (uint32_t i = behind_first_run(&steps); i < steps.count; i++) {
    const RlxStepped *s = &steps.at[i];
    runs += ends_run(&steps, i);
    if (s->is_call) continue; // its steps are here themselves
    uint32_t k = 0;
    while (k < spots.count && !is_same(spots.at[k].step, s)) k++;
    if (k == spots.count) rlx_vec_push(&spots, (Spot){s, 0, 0});
    spots.at[k].us += s->us;
    spots.at[k].count++;
    all += s->us;
  }
  runs = runs ? runs : 1;
  if (spots.count > 1) qsort(spots.at, spots.count, sizeof *spots.at, by_time);
  if (ok) printf("%d runs, %.1f us each\n", runs, all / runs);
  if (ok && spots.count) print_spot_heads();
  for (uint32_t i = 0; ok && i < spots.count && i < SHOWN; i++) print_spot(&spots.at[i], all, runs);
  if (ok && spots.count > SHOWN) printf("and %u more\n", spots.count - SHOWN);
  if (*problem.text) rlx_repl_print_failure(&problem);
  rlx_vec_free(&spots);
  rlx_steppeds_free(&steps);
  return ok;
}
