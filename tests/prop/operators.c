// Kernels touch nothing but their operands: the calls of tests/operators/cases.txt, with sizes from
// 0 to dozens, sizes that contradict each other, NaN, infinities and indices far outside, under
// descriptions from exact to unknown rank. Each input runs between guard pages, twice. It gives a
// value of the deduced StructInfo, all of it written, both times the same; or an error with a code.
//
//   RLX_INPUTS=200   so many inputs for each line of the file, over at most ten compiled shapes
//   RLX_DUMP=FILE    each input and its results as a line of JSON, for tests/operators/*.py
//   RLX_ONLY=take    lines whose call has this text
#include <ctype.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analyzer/ops/op_table.h"
#include "analyzer/words/dialect.h"
#include "jit/jit.h"
#include "jit/legalize/legalize.h"
#include "jit/runtime/format.h"
#include "tests/prop/holds.h"
#include "tests/test.h"

enum { OPERANDS = 6, DIMS = 5, SECONDS = 900 };

typedef struct Operand {
  char name, kind; ///< kind: F Z N A I of the file, 0: `dtype` is given
  char fill;       ///< '%', '+', '=' or 0
  char below;      ///< '%': of which size, or a digit
  int ndim;
  char dims[DIMS]; ///< letters and digits
  const char *dtype;
} Operand;

typedef struct Line {
  int number;
  char *call;
  Operand operands[OPERANDS];
  int count;
} Line;

/// What the parent learns of a child that a signal ended.
typedef struct Shared {
  int next;           ///< the input to go on with
  char running[6000]; ///< what runs
  int runs, values, errors, wrong, ordinary;
  bool quiet; ///< what is wrong is not said
} Shared;

typedef enum Class { ORDINARY, ONES, ZEROS, SPECIAL, HUGE_INDEX, MISMATCH, CLASSES } Class;
static const char *const class_names[] = {"ordinary", "ones", "zeros",
                                          "special",  "huge", "mismatch"};
typedef enum Described { STATIC, SYMBOLIC, UNKNOWN, RANK, DESCRIPTIONS } Described;
static const char *const described_names[] = {"static", "symbolic", "unknown rank", "rank"};

// ---- the file

static const char *dtype_named(const char *at, size_t size) {
  static const char *const names[][2] = {
      {"f32", "float32"}, {"i64", "int64"}, {"i32", "int32"}, {"i8", "int8"}, {"bool", "bool"}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strlen(names[i][0]) == size && strncmp(names[i][0], at, size) == 0) return names[i][1];
  return NULL;
}

static void read_operand(Operand *o, const char *at) {
  o->name = at[0];
  assert_int_equal(at[1], ':');
  at += 2;
  size_t size = strspn(at, "abcdefghijklmnopqrstuvwxyzFZNAI0123456789");
  if (size == 1)
    o->kind = at[0];
  else
    o->dtype = dtype_named(at, size);
  assert_true(o->kind || o->dtype);
  at += size;
  if (*at == '%' || *at == '+' || *at == '=') {
    o->fill = *at++;
    if (o->fill != '+') o->below = *at++;
  }
  for (; *at; at++)
    if (*at != ' ') o->dims[o->ndim++] = *at;
}

/// False: the line is no call.
static bool read_line(char *text, Line *line) {
  text[strcspn(text, "\n")] = 0;
  if (!*text || *text == '#') return false;
  char *operands = strstr(text, " | ");
  assert_non_null(operands);
  *operands = 0;
  operands += 3;
  char *answer = strstr(operands, " | ");
  assert_non_null(answer);
  *answer = 0;
  line->call = text;
  line->count = 0;
  memset(line->operands, 0, sizeof line->operands);
  for (char *save, *at = strtok_r(operands, ",", &save); at; at = strtok_r(NULL, ",", &save))
    read_operand(&line->operands[line->count++], at + strspn(at, " "));
  return true;
}

// ---- a call for certain sizes

static const char *const floats[] = {"float32", "float64", "float16", "bfloat16"};
static const char *const integers[] = {"int32", "int64", "int8", "uint8", "int16", "uint32"};
static const char *const numbers[] = {"float32", "int32",   "float64", "int64",
                                      "int8",    "float16", "uint8",   "bfloat16"};
static const char *const all[] = {"float32", "bool",    "int64", "float64",
                                  "int8",    "float16", "uint8", "int32"};
static const char *const indices[] = {"int64", "int32"};

/// Dtypes of every kind. Their numbers begin with OTHERS.
static const char *const every[] = {"float32", "int32",         "uint8",       "bool",
                                    "float16", "bfloat16",      "float64",     "int8",
                                    "int16",   "int64",         "uint16",      "uint32",
                                    "uint64",  "float8_e4m3fn", "float8_e5m2", "float4_e2m1fn"};
enum { OTHERS = 1000, EVERY = sizeof every / sizeof every[0] };

/// The dtype number `i` of a class; from OTHERS on, of all dtypes, whatever the class says.
static const char *dtype_of(const Operand *o, uint32_t i) {
  if (i >= OTHERS && o->kind && o->kind != 'I') return every[i - OTHERS];
  switch (o->kind) {
  case 'F': return floats[i % 4];
  case 'Z': return integers[i % 6];
  case 'N': return numbers[i % 8];
  case 'A': return all[i % 8];
  case 'I': return indices[i % 2];
  default: return o->dtype;
  }
}

static int64_t size_of(char dim, const int64_t *sizes) {
  return isdigit((unsigned char)dim) ? dim - '0' : sizes[dim - 'a'];
}

static void random_sizes(RlxTestRandom *random, Class class, int64_t *sizes) {
  for (int i = 0; i < 26; i++) {
    sizes[i] = class == ONES ? 1 : 2 + rlx_test_below(random, 5);
    if (class == ZEROS && rlx_test_below(random, 3) == 0) sizes[i] = 0;
    if (class == HUGE_INDEX && rlx_test_below(random, 4) == 0) sizes[i] = 1;
  }
  if (class == ZEROS) sizes[rlx_test_below(random, 3)] = 0; // of a, b, c
  if (class != ONES && class != ZEROS && rlx_test_below(random, 4) == 0)
    sizes[rlx_test_below(random, 4)] = 17 + rlx_test_below(random, 30);
}

static void script_of(const Line *line, Described described, const int64_t *sizes, uint32_t dtype,
                      RlxBuf *out) {
  rlx_buf_puts(
      out,
      "from tvm.script import ir as I, relax as R, tir as T\n\n@R.function(pure=False)\ndef main(");
  bool symbols[26] = {0};
  for (int k = 0; k < line->count; k++) {
    const Operand *o = &line->operands[k];
    rlx_buf_printf(out, "%s%c: R.Tensor(", k ? ", " : "", o->name);
    if (described == STATIC || described == SYMBOLIC) {
      rlx_buf_putc(out, '(');
      for (int i = 0; i < o->ndim; i++) {
        bool symbolic = described == SYMBOLIC && isalpha((unsigned char)o->dims[i]);
        if (symbolic) {
          symbols[o->dims[i] - 'a'] = true;
          rlx_buf_printf(out, "\"s%c\", ", o->dims[i]);
        } else
          rlx_buf_printf(out, "%lld, ", (long long)size_of(o->dims[i], sizes));
      }
      rlx_buf_puts(out, "), ");
    }
    rlx_buf_printf(out, "dtype=\"%s\"", dtype_of(o, dtype));
    if (described == RANK) rlx_buf_printf(out, ", ndim=%d", o->ndim);
    rlx_buf_putc(out, ')');
  }
  rlx_buf_puts(out, "):\n");
  for (int i = 0; i < 26; i++)
    if (symbols[i]) rlx_buf_printf(out, "    s%c = T.int64()\n", 'a' + i);
  rlx_buf_puts(out, "    gv = ");
  for (const char *s = line->call; *s; s++) {
    if (s[0] == '<' && s[1] && s[2] == '>') {
      if (symbols[s[1] - 'a'])
        rlx_buf_printf(out, "s%c", s[1]);
      else
        rlx_buf_printf(out, "%lld", (long long)size_of(s[1], sizes));
      s += 2;
    } else
      rlx_buf_putc(out, *s);
  }
  rlx_buf_puts(out, "\n    return gv\n");
}

// ---- inputs

static double random_float(RlxTestRandom *random, Class class) {
  static const double special[] = {
      (double)NAN, (double)INFINITY, (double)-INFINITY, -0.0, 0.0, 1e-40, -1e30, 65504.0};
  if (class == SPECIAL && rlx_test_below(random, 2)) return special[rlx_test_below(random, 6)];
  if (class == HUGE_INDEX && rlx_test_below(random, 2))
    return special[4 + rlx_test_below(random, 4)];
  return (double)((int)rlx_test_below(random, 1600) - 800) / 256.0;
}

static int64_t random_integer(RlxTestRandom *random, Class class, RlxDType dtype) {
  int64_t least = dtype.code == RLX_DTYPE_UINT ? 0 : (int64_t)(~UINT64_C(0) << (dtype.bits - 1));
  int64_t most = dtype.code == RLX_DTYPE_UINT ? (int64_t)(UINT64_MAX >> (64 - dtype.bits))
                                              : (int64_t)~((uint64_t)least);
  if ((class == HUGE_INDEX || class == SPECIAL) && rlx_test_below(random, 2))
    return rlx_test_below(random, 2) ? least : most;
  int64_t v = rlx_test_below(random, 9);
  return dtype.code == RLX_DTYPE_UINT ? v : v - 3;
}

static int64_t random_index(RlxTestRandom *random, Class class, int64_t bound) {
  const int64_t far[] = {-1,        -bound,    -bound - 1,       bound,     bound + 1,
                         INT32_MAX, INT32_MIN, (int64_t)1 << 62, INT64_MAX, INT64_MIN};
  if (class == HUGE_INDEX && rlx_test_below(random, 2)) return far[rlx_test_below(random, 10)];
  return bound > 0 ? rlx_test_below(random, (uint32_t)bound) : 0;
}

static void fill(RlxObject *x, const Operand *o, Class class, const int64_t *sizes,
                 RlxTestRandom *random) {
  bool is_float = rlx_dtype_is_float(x->dtype);
  double last = 0;
  for (int64_t i = 0; i < rlx_tensor_count(x); i++) {
    if (o->fill == '=')
      rlx_element_set_integer(x->data, x->dtype, i, o->below - '0');
    else if (o->fill == '%') {
      int64_t v = random_index(random, class, size_of(o->below, sizes));
      if (is_float)
        rlx_element_set_number(x->data, x->dtype, i, (double)v);
      else
        rlx_element_set_integer(x->data, x->dtype, i, v);
    } else if (o->fill == '+')
      rlx_element_set_number(x->data, x->dtype, i, last += (1 + rlx_test_below(random, 64)) / 64.0);
    else if (is_float)
      rlx_element_set_number(x->data, x->dtype, i, random_float(random, class));
    else if (x->dtype.code == RLX_DTYPE_BOOL)
      rlx_element_set_integer(x->data, x->dtype, i, rlx_test_below(random, 2));
    else
      rlx_element_set_integer(x->data, x->dtype, i, random_integer(random, class, x->dtype));
  }
}

// ---- results

/// Whether some element was never written: fresh memory is full of 0xCB. In one or two bytes that
/// is a number like others.
static bool is_unwritten(const RlxObject *x) {
  static const uint8_t fresh[8] = {0xCB, 0xCB, 0xCB, 0xCB, 0xCB, 0xCB, 0xCB, 0xCB};
  if (x->kind == RLX_OBJECT_TUPLE) {
    for (int i = 0; i < x->count; i++)
      if (is_unwritten(x->fields[i])) return true;
    return false;
  }
  if (x->kind != RLX_OBJECT_TENSOR) return false;
  size_t bytes = (size_t)rlx_dtype_bytes(x->dtype);
  bool is_bool = x->dtype.code == RLX_DTYPE_BOOL;
  for (int64_t i = 0; i < rlx_tensor_count(x); i++) {
    const uint8_t *at = (const uint8_t *)x->data + (size_t)i * bytes;
    if (is_bool ? *at > 1 : bytes > 2 && memcmp(at, fresh, bytes) == 0) return true;
  }
  return false;
}

static bool same(const RlxObject *a, const RlxObject *b) {
  if (a->kind != b->kind) return false;
  switch ((RlxObjectKind)a->kind) {
  case RLX_OBJECT_TENSOR:
    return rlx_tensor_bytes(a) == rlx_tensor_bytes(b) &&
           memcmp(a->data, b->data, (size_t)rlx_tensor_bytes(a)) == 0;
  case RLX_OBJECT_TUPLE:
    for (int i = 0; i < a->count && i < b->count; i++)
      if (!same(a->fields[i], b->fields[i])) return false;
    return a->count == b->count;
  case RLX_OBJECT_SHAPE:
    return a->count == b->count && !memcmp(a->dims, b->dims, (size_t)a->count * sizeof *a->dims);
  case RLX_OBJECT_INT: return a->integer == b->integer;
  case RLX_OBJECT_FLOAT:
  case RLX_OBJECT_STRING:
  case RLX_OBJECT_DTYPE:
  case RLX_OBJECT_CLOSURE:
  case RLX_OBJECT_NULL:
  case RLX_OBJECT_STORAGE: return true;
  }
  return true;
}

static void dump_object(const RlxObject *x, FILE *out) {
  if (x->kind == RLX_OBJECT_TUPLE || x->kind == RLX_OBJECT_SHAPE) {
    fputc('[', out);
    for (int i = 0; i < x->count; i++) {
      if (i) fputs(", ", out);
      if (x->kind == RLX_OBJECT_TUPLE)
        dump_object(x->fields[i], out);
      else
        fprintf(out, "%lld", (long long)x->dims[i]);
    }
    fputc(']', out);
  } else if (x->kind == RLX_OBJECT_TENSOR) {
    char dtype[RLX_DTYPE_TEXT_MAX];
    fprintf(out, "{\"dtype\": \"%s\", \"shape\": [", rlx_dtype_text(x->dtype, dtype));
    for (int i = 0; i < x->count; i++) fprintf(out, i ? ", %lld" : "%lld", (long long)x->dims[i]);
    fputs("], \"hex\": \"", out);
    for (int64_t i = 0; i < rlx_tensor_bytes(x); i++)
      fprintf(out, "%02x", ((const uint8_t *)x->data)[i]);
    fputs("\"}", out);
  } else if (x->kind == RLX_OBJECT_INT)
    fprintf(out, "%lld", (long long)x->integer);
  else
    fputs("null", out);
}

static void dump_text(const char *text, FILE *out) {
  fputc('"', out);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') fputc('\\', out);
    if (*text == '\n')
      fputs("\\n", out);
    else
      fputc(*text, out);
  }
  fputc('"', out);
}

// ---- one line of the file

/// A call that is compiled: for one description, some sizes (where it says them) and one dtype.
typedef struct Compiled {
  const Line *line;
  Described described;
  int64_t sizes[26];
  Class shape; ///< what the sizes are
  uint32_t dtype;
  RlxBuf script;
  RlxFile *file;
  RlxProgram *program;
  const RlxSInfo *deduced; ///< NULL: deduction refuses the call
} Compiled;

typedef struct Session {
  RlxAnalyzer *analyzer;
  RlxJit *jit;
  RlxName name;
  FILE *dump;
  Shared *shared;
} Session;

static void deduce(Session *s, Compiled *c) {
  RlxFileDiags diags = {0};
  RlxFunctionViews views = {0};
  c->file = rlx_file_open(s->analyzer, rlx_buf_text(&c->script), (uint32_t)c->script.size);
  rlx_file_diags(c->file, &diags);
  rlx_file_functions(c->file, &views);
  bool good = views.count == 1;
  for (uint32_t i = 0; i < diags.count; i++) good &= diags.at[i].diag->severity > RLX_WARNING;
  RlxBinding *const *bindings = NULL;
  uint32_t count = 0;
  const RlxBlock *body = good ? views.at[0].stmt->body : NULL;
  if (body && body->count > 1)
    rlx_file_stmt_bindings(c->file, body->stmts[body->count - 2], &bindings, &count);
  if (count) c->deduced = bindings[count - 1]->deduced;
  rlx_vec_free(&diags);
  rlx_vec_free(&views);
}

static void compile(Session *s, Compiled *c) {
  script_of(c->line, c->described, c->sizes, c->dtype, &c->script);
  deduce(s, c);
  if (c->deduced) c->program = rlx_program_new(s->jit, c->file);
}

static void forget(Compiled *c) {
  rlx_program_free(c->program);
  if (c->file) rlx_file_close(c->file);
  rlx_buf_free(&c->script);
  c->program = NULL;
  c->file = NULL;
  c->deduced = NULL;
}

typedef struct Sizes {
  const RlxStore *store;
  const int64_t *sizes;
} Sizes;

static bool value_of(const RlxSymVar *var, int64_t *out, void *data) {
  const Sizes *s = data;
  const char *name = rlx_store_text(s->store, var->name);
  if (name[0] != 's' || !islower((unsigned char)name[1]) || name[2]) return false;
  *out = s->sizes[name[1] - 'a'];
  return true;
}

static void complain(Session *s, const char *what, const char *more) {
  if (s->shared->quiet) return;
  printf("%s%s%s\n%s\n", what, *more ? ": " : "", more, s->shared->running);
  s->shared->wrong++;
}

/// What the input is, for whoever reads of it, or finds the process dead.
static void note(Session *s, const Compiled *c, Class class, RlxObject *const *args) {
  RlxBuf text = {0};
  rlx_buf_printf(&text, "tests/operators/cases.txt:%d, %s, %s\n%s", c->line->number,
                 described_names[c->described], class_names[class], rlx_buf_text(&c->script));
  for (int i = 0; i < c->line->count; i++) {
    rlx_buf_printf(&text, "%c = ", c->line->operands[i].name);
    rlx_object_print_sinfo(args[i], &text);
    rlx_buf_putc(&text, ' ');
    if (rlx_tensor_count(args[i]) <= 40) rlx_object_print(args[i], &text);
    rlx_buf_putc(&text, '\n');
  }
  snprintf(s->shared->running, sizeof s->shared->running, "%s", rlx_buf_text(&text));
  rlx_buf_free(&text);
}

static void dump(Session *s, const Compiled *c, Class class, RlxObject *const *args,
                 const RlxObject *x, const RlxRunError *err, const int64_t *sizes) {
  if (!s->dump) return;
  fprintf(s->dump,
          "{\"line\": %d, \"class\": \"%s\", \"described\": \"%s\", \"note\": ", c->line->number,
          class_names[class], described_names[c->described]);
  dump_text(s->shared->running, s->dump);
  fputs(", \"operands\": {", s->dump);
  for (int i = 0; i < c->line->count; i++) {
    fprintf(s->dump, "%s\"%c\": ", i ? ", " : "", c->line->operands[i].name);
    dump_object(args[i], s->dump);
  }
  fputs("}, \"sizes\": {", s->dump);
  for (int i = 0; i < 8; i++)
    fprintf(s->dump, "%s\"%c\": %lld", i ? ", " : "", 'a' + i, (long long)sizes[i]);
  fputs("}, ", s->dump);
  if (x) {
    fputs("\"result\": ", s->dump);
    dump_object(x, s->dump);
  } else {
    fputs("\"error\": ", s->dump);
    dump_text(err->error.text, s->dump);
  }
  fputs("}\n", s->dump);
  fflush(s->dump);
}

/// TVM deduces the most rows that there may be, and so does rlx; the value has those that there are.
static bool is_cut(const Line *line) {
  return strncmp(line->call, "R.vision.all_class_non_max_suppression(", 39) == 0;
}

/// Holds the value against what was deduced, and against that of a second run.
static void judge(Session *s, Compiled *c, Class class, const int64_t *sizes,
                  RlxObject *const *args, RlxObject *x, const RlxRunError *err) {
  s->shared->runs++;
  s->shared->values += x != NULL;
  s->shared->errors += !x;
  if (!x) {
    if (!err->error.code[0]) complain(s, "an error without a code", err->error.text);
    if (class == ORDINARY || class == SPECIAL) complain(s, "is not evaluated", err->error.text);
    return;
  }
  s->shared->ordinary += class == ORDINARY;
  Sizes known = {rlx_analyzer_store(s->analyzer), sizes};
  if (!is_cut(c->line) && !holds(c->deduced, x, value_of, &known)) {
    RlxBuf text = {0};
    rlx_sinfo_print(rlx_analyzer_store(s->analyzer), c->deduced, &text);
    rlx_buf_puts(&text, " is deduced, the value is ");
    rlx_object_print_sinfo(x, &text);
    complain(s, "the value contradicts its StructInfo", rlx_buf_text(&text));
    rlx_buf_free(&text);
  }
  if (is_unwritten(x)) complain(s, "memory that nobody wrote is in the value", "");
  RlxRunError again = {0};
  RlxObject *second = rlx_program_call(c->program, s->name, args, c->line->count, &again);
  if (!second || !same(x, second)) complain(s, "a second run gives another value", "");
  rlx_object_unref(second);
}

static void run_input(Session *s, Compiled *c, Class class, RlxTestRandom *random) {
  const Line *line = c->line;
  int64_t sizes[26];
  memcpy(sizes, c->sizes, sizeof sizes);
  if (c->described == SYMBOLIC && class != MISMATCH) random_sizes(random, class, sizes);
  RlxObject *args[OPERANDS], *x = NULL;
  bool bound[26] = {0};
  RlxError failed;
  int odd = class == MISMATCH ? (int)rlx_test_below(random, (uint32_t)line->count) : -1;
  for (int k = 0; k < line->count; k++) {
    const Operand *o = &line->operands[k];
    int64_t dims[DIMS];
    for (int i = 0; i < o->ndim; i++) dims[i] = size_of(o->dims[i], sizes);
    if (k == odd && o->ndim) {
      const int64_t other[] = {0, 1, dims[0] + 1, dims[0] - 1, dims[0] + 20};
      int64_t n = other[rlx_test_below(random, 5)];
      dims[rlx_test_below(random, (uint32_t)o->ndim)] = n < 0 ? 0 : n;
    }
    for (int i = 0; c->described == SYMBOLIC && odd >= 0 && i < o->ndim; i++)
      if (isalpha((unsigned char)o->dims[i]) && !bound[o->dims[i] - 'a']) {
        sizes[o->dims[i] - 'a'] = dims[i]; // a variable takes the first value that it meets
        bound[o->dims[i] - 'a'] = true;
      }
    RlxDType dtype = rlx_dtype_unknown();
    const char *name = dtype_of(o, c->dtype);
    rlx_dtype_parse(name, strlen(name), &dtype);
    args[k] = rlx_tensor_new(rlx_jit_heap(s->jit), dtype, dims, o->ndim, &failed);
    assert_non_null(args[k]);
    fill(args[k], o, class, sizes, random);
  }
  RlxRunError err = {0};
  note(s, c, class, args);
  alarm(SECONDS);
  if (rlx_program_prepare(c->program, s->name, &err))
    x = rlx_program_call(c->program, s->name, args, line->count, &err);
  judge(s, c, class, sizes, args, x, &err);
  alarm(0);
  dump(s, c, class, args, x, &err, sizes);
  rlx_object_unref(x);
  for (int k = 0; k < line->count; k++) rlx_object_unref(args[k]);
}

/// Runs the inputs of a line from number `from` on; a call is compiled for `each` inputs at a time.
static void run_line(const Line *line, int inputs, uint64_t seed, int from, Shared *shared,
                     const char *dump_path) {
  int compiled = inputs < 10 ? 3 : 10, each = (inputs + compiled - 1) / compiled;
  setenv("RLX_GUARD_PAGES", (line->number + from) % 2 ? "before" : "after", 1);
  Session s = {.analyzer = rlx_analyzer_new(NULL), .shared = shared};
  s.jit = rlx_jit_new(rlx_analyzer_store(s.analyzer), NULL);
  s.name = rlx_store_intern(rlx_analyzer_store(s.analyzer), "main", 4);
  if (dump_path) s.dump = fopen(dump_path, "a");
  Compiled c = {.line = line};
  for (int i = 0; i < inputs; i++) {
    RlxTestRandom random = {
        (seed + (uint64_t)line->number * 1000003 + (uint64_t)i) * UINT64_C(0x9e3779b97f4a7c15) + 1};
    rlx_test_below(&random, 2);
    if (i % each == 0) {
      forget(&c);
      int k = i / each;
      c.described = (Described)(k % DESCRIPTIONS);
      c.dtype = k == 0 ? 0 : (uint32_t)k + (uint32_t)line->number;
      static const Class shapes[] = {ORDINARY, ORDINARY, ORDINARY, ORDINARY, ZEROS,
                                     ORDINARY, ONES,     ORDINARY, ORDINARY, ORDINARY};
      c.shape = shapes[k % 10];
      random_sizes(&random, c.shape, c.sizes);
      if (i + each > from) compile(&s, &c);
    }
    if (i < from || !c.deduced) continue;
    static const Class few[] = {ORDINARY, HUGE_INDEX, ZEROS, SPECIAL, MISMATCH, ORDINARY};
    Class class = inputs < 10 ? few[i % 6] : (Class)((i % each) % CLASSES);
    if (c.described != SYMBOLIC && (class == ZEROS || class == ONES)) class = ORDINARY;
    if (c.described != SYMBOLIC && (class == ORDINARY || class == SPECIAL))
      class = c.shape == ORDINARY ? class : c.shape;
    shared->next = i + 1;
    run_input(&s, &c, class, &random);
  }
  forget(&c);
  rlx_jit_free(s.jit);
  rlx_analyzer_free(s.analyzer);
  if (s.dump) fclose(s.dump);
}

/// The same in processes of their own: one that a signal ends is reported, and the rest goes on.
static void run_apart(const Line *line, int inputs, uint64_t seed, Shared *shared,
                      const char *dump_path) {
  shared->next = 0;
  shared->ordinary = 0;
  for (int crashes = 0; shared->next < inputs && crashes < 5; crashes++) {
    fflush(stdout);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
      for (int i = 0; i < 5; i++)
        signal((const int[]){SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}[i], SIG_DFL);
      run_line(line, inputs, seed, shared->next, shared, dump_path);
      fflush(stdout);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) break;
    printf("%s %d while it ran %s\n",
           WIFSIGNALED(status) ? "ended by signal" : "ended with exit status",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), shared->running);
    shared->wrong++;
  }
  if (!shared->ordinary) {
    printf("no ordinary input is evaluated: tests/operators/cases.txt:%d: %s\n", line->number,
           line->call);
    shared->wrong++;
  }
}

// ---- dtypes

/// Whether the first operand's dtype is one of a class, so that it can be chosen.
static bool has_class(const Line *line) {
  const Operand *o = &line->operands[0];
  return line->count && o->kind && o->kind != 'I' && strncmp(line->call + 2, "where(", 6) != 0;
}

/// An ordinary input of each dtype that the operator is said to take is evaluated; of others it is
/// refused, by deduction or when it is compiled.
static void run_dtypes(const Line *line, const RlxOpRow *row, uint32_t count, Shared *shared) {
  Session s = {.analyzer = rlx_analyzer_new(NULL), .shared = shared};
  s.jit = rlx_jit_new(rlx_analyzer_store(s.analyzer), NULL);
  s.name = rlx_store_intern(rlx_analyzer_store(s.analyzer), "main", 4);
  for (uint32_t k = 0; k < count; k++) {
    Compiled c = {.line = line, .dtype = OTHERS + k};
    RlxDType dtype = rlx_dtype_unknown();
    rlx_dtype_parse(every[k], strlen(every[k]), &dtype);
    for (int i = 0; i < 26; i++) c.sizes[i] = 4;
    compile(&s, &c);
    bool taken = rlx_legalize_takes(row, dtype);
    if (c.program) {
      RlxTestRandom random = {77};
      int before = shared->values, wrong = shared->wrong;
      shared->quiet = !taken;
      run_input(&s, &c, ORDINARY, &random);
      shared->quiet = false;
      if (!taken) shared->wrong = wrong;
      if (!taken && shared->values > before)
        complain(&s, "is evaluated, though it is said not to take", every[k]);
      shared->ordinary += shared->values > before;
    } else if (taken) {
      printf("is refused, though it is said to take %s: %s\n", every[k], line->call);
      shared->wrong++;
    }
    forget(&c);
  }
  rlx_jit_free(s.jit);
  rlx_analyzer_free(s.analyzer);
}

// ---- every operator that runs is there

static bool has_line(const char *text, const char *script) {
  char start[80];
  snprintf(start, sizeof start, "R.%.*s(", (int)strcspn(script, " "), script);
  size_t size = strlen(start);
  for (const char *at = text; at; at = strchr(at, '\n'), at = at ? at + 1 : NULL)
    if (strncmp(at, start, size) == 0) return true;
  return false;
}

static int operators_without_line(const char *text) {
  int count, missing = 0;
  const RlxOpRow *rows = rlx_op_rows(&count);
  for (int i = 0; i < count; i++) {
    if (!rows[i].script[0] || !rlx_legalize_exists(&rows[i]) || has_line(text, rows[i].script))
      continue;
    char path[96]; // the scripts made here are of 0.25 and older
    snprintf(path, sizeof path, "R.%s", rows[i].script);
    unsigned dialects = rlx_spelling_dialects(path);
    if (dialects && !(dialects >> RLX_DIALECT_025 & 1)) continue;
    printf("R.%s runs, and tests/operators/cases.txt has no call of it\n", rows[i].script);
    missing++;
  }
  return missing;
}

static size_t read_cases(char *text, size_t room) {
  FILE *file = fopen("tests/operators/cases.txt", "r");
  assert_non_null(file);
  size_t size = fread(text, 1, room - 1, file);
  fclose(file);
  return size;
}

static void kernels_stay_in_their_operands(void **state) {
  (void)state;
  RlxError err;
  if (!rlx_llvm_load(&err)) skip();
  const char *many = getenv("RLX_INPUTS"), *only = getenv("RLX_ONLY"), *seed = getenv("RLX_SEED"),
             *dump_path = getenv("RLX_DUMP");
  int inputs = many ? atoi(many) : 5, lines = 0;
  static char text[1 << 17];
  size_t size = read_cases(text, sizeof text);
  assert_in_range(size, 1, sizeof text - 2);
  int missing = only ? 0 : operators_without_line(text);
  Shared *shared =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(shared != MAP_FAILED);
  uint64_t start = seed ? strtoull(seed, NULL, 0) : 11;
  printf("seed %llu (set RLX_SEED to repeat)\n", (unsigned long long)start);
  Line line = {0};
  for (char *at = text, *next; at; at = next) {
    next = strchr(at, '\n');
    if (next) *next++ = 0;
    line.number++;
    if (!read_line(at, &line) || (only && !strstr(line.call, only))) continue;
    lines++;
    run_apart(&line, inputs, start, shared, dump_path);
  }
  printf("%d calls, %d inputs, %d values, %d errors\n", lines, shared->runs, shared->values,
         shared->errors);
  assert_int_equal(shared->wrong, 0);
  assert_int_equal(missing, 0);
}

static void operators_take_the_dtypes_that_they_say(void **state) {
  (void)state;
  RlxError err;
  if (!rlx_llvm_load(&err)) skip();
  static char text[1 << 17];
  size_t size = read_cases(text, sizeof text);
  assert_in_range(size, 1, sizeof text - 2);
  Shared *shared =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(shared != MAP_FAILED);
  const char *only = getenv("RLX_ONLY");
  uint32_t count = getenv("RLX_INPUTS") ? EVERY : 4;
  Line line = {0};
  RlxOpId last = 0;
  for (char *at = text, *next; at; at = next) {
    next = strchr(at, '\n');
    if (next) *next++ = 0;
    line.number++;
    if (!read_line(at, &line) || !has_class(&line) || (only && !strstr(line.call, only))) continue;
    const RlxOpRow *row = rlx_op_find(line.call + 2, strcspn(line.call + 2, "("));
    assert_non_null(row);
    if (row->id == last || !rlx_legalize_exists(row)) continue;
    last = row->id; // the first call of each operator
    fflush(stdout);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
      run_dtypes(&line, row, count, shared);
      fflush(stdout);
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    shared->wrong += status != 0;
    if (status) printf("ended while it ran %s\n", shared->running);
  }
  printf("%d values of chosen dtypes\n", shared->ordinary);
  assert_int_equal(shared->wrong, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(kernels_stay_in_their_operands),
                                     cmocka_unit_test(operators_take_the_dtypes_that_they_say)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
