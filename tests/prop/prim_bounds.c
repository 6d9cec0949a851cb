// Random PrimFuncs between guard pages: loops, conditions and indices by data, of static and of
// symbolic shapes, with variables, views of rows and `while`. Evaluation gives what a plain interpreter gives, or says RLX0805 exactly where
// an access that the interpreter meets leaves its buffer.
//
//   RLX_INPUTS=5000   so many PrimFuncs
//   RLX_SEED=7        other ones
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jit/jit.h"
#include "tests/test.h"

enum { NODES = 60, LOOPS = 3, LENGTH = 6 };

typedef struct Node {
  char op; ///< c number, v loop variable, + - * / % (by a number), m min, M max, J data
  int a, b;
  int64_t value;
} Node;

typedef struct Prim {
  Node nodes[NODES];
  int count, loops;
  int64_t extent[LOOPS];
  int64_t from[2], to[2], places; ///< shapes of A and of B, length of J
  int read[2], write[2], cond;    ///< nodes; cond: -1 for none
  int64_t limit;
  bool symbolic;
  bool has_lets, has_views, has_while; ///< how the accesses and the innermost loop are written
} Prim;

static int64_t below(RlxTestRandom *random, int64_t n) {
  return (int64_t)rlx_test_below(random, (uint32_t)n);
}

static int node(Prim *p, Node n) {
  p->nodes[p->count] = n;
  return p->count++;
}

static int random_index(Prim *p, RlxTestRandom *random, int depth) {
  int64_t kind = below(random, depth > 0 ? 10 : 3);
  if (p->count > NODES - 8 || kind < 3)
    return kind == 0 ? node(p, (Node){.op = 'c', .value = below(random, 4)})
                     : node(p, (Node){.op = 'v', .a = (int)below(random, p->loops)});
  if (kind == 3) return node(p, (Node){.op = 'J', .a = random_index(p, random, depth - 1)});
  int a = random_index(p, random, depth - 1);
  // x % 1 is 0 when it is read: what x would read, it does not.
  if (kind < 7)
    return node(p,
                (Node){.op = "*/%"[kind - 4], .a = a, .value = 1 + (kind == 6) + below(random, 4)});
  int b = random_index(p, random, depth - 1);
  return node(p, (Node){.op = kind == 7   ? '+'
                              : kind == 8 ? '-'
                                          : "mM"[below(random, 2)],
                        .a = a,
                        .b = b});
}

static Prim random_prim(RlxTestRandom *random) {
  Prim p = {.loops = 1 + (int)below(random, LOOPS), .cond = -1, .symbolic = below(random, 2)};
  for (int i = 0; i < p.loops; i++) p.extent[i] = 1 + below(random, LENGTH);
  for (int i = 0; i < 2; i++) {
    p.from[i] = 1 + below(random, 2 * LENGTH);
    p.to[i] = 1 + below(random, 2 * LENGTH);
  }
  p.places = 1 + below(random, 2 * LENGTH);
  for (int i = 0; i < 2; i++) {
    p.read[i] = random_index(&p, random, 2);
    p.write[i] = random_index(&p, random, 2);
  }
  if (below(random, 3) == 0) {
    p.cond = random_index(&p, random, 1);
    p.limit = below(random, 6);
  }
  p.has_lets = below(random, 2);
  p.has_views = below(random, 3) == 0;
  p.has_while = below(random, 4) == 0;
  return p;
}

// ---- as a script

static void put_node(const Prim *p, int at, RlxBuf *out) {
  const Node *n = &p->nodes[at];
  switch (n->op) {
  case 'c': rlx_buf_printf(out, "T.int64(%lld)", (long long)n->value); return;
  case 'v': rlx_buf_printf(out, "i%d", n->a); return;
  case 'm':
  case 'M':
  case 'J': rlx_buf_puts(out, n->op == 'm' ? "T.min(" : n->op == 'M' ? "T.max(" : "J["); break;
  default: rlx_buf_putc(out, '(');
  }
  put_node(p, n->a, out);
  if (n->op == '*' || n->op == '/' || n->op == '%')
    rlx_buf_printf(out, " %s T.int64(%lld)",
                   n->op == '/'   ? "//"
                   : n->op == '*' ? "*"
                                  : "%",
                   (long long)n->value);
  if (n->op == '+' || n->op == '-' || n->op == 'm' || n->op == 'M') {
    rlx_buf_puts(out, n->op == '+' ? " + " : n->op == '-' ? " - " : ", ");
    put_node(p, n->b, out);
  }
  rlx_buf_putc(out, n->op == 'J' ? ']' : ')');
}

static int put_while(const Prim *p, int loop, int indent, RlxBuf *out) {
  rlx_buf_printf(out, "%*sat[0] = T.int64(0)\n%*swhile at[0] < T.int64(%lld):\n", indent, "",
                 indent, "", (long long)p->extent[loop]);
  indent += 4;
  rlx_buf_printf(out, "%*si%d: T.int64 = at[0]\n%*sat[0] = at[0] + T.int64(1)\n", indent, "", loop,
                 indent, "");
  return indent;
}

/// An index: the node, or the variable that has its value.
static void put_index(const Prim *p, const char *name, int at, RlxBuf *out) {
  if (p->has_lets)
    rlx_buf_puts(out, name);
  else
    put_node(p, at, out);
}

/// B[…] = A[…] + 1, through views of their rows when `has_views`.
static void put_access(const Prim *p, int indent, RlxBuf *out) {
  static const char *const names[] = {"w0", "w1", "r0", "r1"};
  const int nodes[] = {p->write[0], p->write[1], p->read[0], p->read[1]};
  for (int i = 0; p->has_lets && i < 4; i++) {
    rlx_buf_printf(out, "%*s%s: T.int64 = ", indent, "", names[i]);
    put_node(p, nodes[i], out);
    rlx_buf_putc(out, '\n');
  }
  if (p->has_views) rlx_buf_printf(out, "%*swith T.block(\"rows\"):\n", indent, "");
  indent += 4 * p->has_views;
  for (int i = 0; p->has_views && i < 4; i += 2) {
    long long width = i == 0 ? p->to[1] : p->from[1];
    rlx_buf_printf(out, "%*s%s = T.match_buffer(%s[", indent, "", i == 0 ? "V" : "U",
                   i == 0 ? "B" : "A");
    put_index(p, names[i], nodes[i], out);
    rlx_buf_printf(out,
                   ", T.int64(0):T.int64(%lld)], (T.int64(%lld),), \"float32\", "
                   "offset_factor=1)\n",
                   width, width);
  }
  for (int i = 0; i < 4; i += 2) {
    if (i == 0) rlx_buf_printf(out, "%*s", indent, "");
    rlx_buf_puts(out, p->has_views ? (i == 0 ? "V[" : "U[") : i == 0 ? "B[" : "A[");
    if (!p->has_views) {
      put_index(p, names[i], nodes[i], out);
      rlx_buf_puts(out, ", ");
    }
    put_index(p, names[i + 1], nodes[i + 1], out);
    rlx_buf_puts(out, i == 0 ? "] = " : "] + T.float32(1)\n");
  }
}

static void put_loops(const Prim *p, RlxBuf *out) {
  int indent = 8;
  if (p->has_while) rlx_buf_printf(out, "%*sat = T.alloc_buffer((1,), \"int64\")\n", indent, "");
  for (int i = 0; i < p->loops; i++) {
    if (p->has_while && i == p->loops - 1) {
      indent = put_while(p, i, indent, out);
      continue;
    }
    rlx_buf_printf(out, "%*sfor i%d in range(T.int64(%lld)):\n", indent, "", i,
                   (long long)p->extent[i]);
    indent += 4;
  }
  if (p->cond >= 0) {
    rlx_buf_printf(out, "%*sif ", indent, "");
    put_node(p, p->cond, out);
    rlx_buf_printf(out, " < T.int64(%lld):\n", (long long)p->limit);
    indent += 4;
  }
  put_access(p, indent, out);
}

static void put_script(const Prim *p, RlxBuf *out) {
  long long n = p->from[0], m = p->from[1], k = p->to[0], l = p->to[1], q = p->places;
  rlx_buf_puts(out, "from tvm.script import ir as I, relax as R, tir as T\n\n@I.ir_module\nclass "
                    "Module:\n    @T.prim_func\n");
  if (p->symbolic)
    rlx_buf_printf(
        out,
        "    def f(a: T.handle, J: T.Buffer((T.int64(%lld),), \"int64\"), B: "
        "T.Buffer((T.int64(%lld), T.int64(%lld)), \"float32\")):\n        n = T.int64()\n"
        "        A = T.match_buffer(a, (n, T.int64(%lld)), \"float32\")\n",
        q, k, l, m);
  else
    rlx_buf_printf(out,
                   "    def f(A: T.Buffer((T.int64(%lld), T.int64(%lld)), \"float32\"), J: "
                   "T.Buffer((T.int64(%lld),), \"int64\"), B: T.Buffer((T.int64(%lld), "
                   "T.int64(%lld)), \"float32\")):\n",
                   n, m, q, k, l);
  rlx_buf_printf(out,
                 "        for x, y in T.grid(T.int64(%lld), T.int64(%lld)):\n            B[x, y] = "
                 "T.float32(0)\n",
                 k, l);
  put_loops(p, out);
  rlx_buf_puts(out, "\n    @R.function\n    def main(x: R.Tensor((");
  if (p->symbolic)
    rlx_buf_puts(out, "\"n\"");
  else
    rlx_buf_printf(out, "%lld", n);
  rlx_buf_printf(out,
                 ", %lld), \"float32\"), j: R.Tensor((%lld,), \"int64\")):\n        cls = Module\n"
                 "        gv = R.call_tir(cls.f, (x, j), out_sinfo=R.Tensor((%lld, %lld), "
                 "\"float32\"))\n        return gv\n",
                 m, q, k, l);
}

// ---- interpreted

typedef struct State {
  const Prim *p;
  const int64_t *j;
  int64_t at[LOOPS];
  bool outside;
} State;

static int64_t floor_div(int64_t a, int64_t b) { return a / b - (a % b < 0); }

static int64_t value_of(State *s, int at) {
  const Node *n = &s->p->nodes[at];
  if (n->op == 'c') return n->value;
  if (n->op == 'v') return s->at[n->a];
  int64_t a = value_of(s, n->a);
  if (n->op == 'J') {
    bool ok = a >= 0 && a < s->p->places;
    s->outside |= !ok;
    return ok ? s->j[a] : 0;
  }
  if (n->op == '*') return a * n->value;
  if (n->op == '/') return floor_div(a, n->value);
  if (n->op == '%') return a - floor_div(a, n->value) * n->value;
  int64_t b = value_of(s, n->b);
  return n->op == '+' ? a + b : n->op == '-' ? a - b : (n->op == 'm') == (a < b) ? a : b;
}

static int64_t place_of(State *s, const int *nodes, const int64_t *shape) {
  int64_t a = value_of(s, nodes[0]), b = value_of(s, nodes[1]);
  bool ok = a >= 0 && b >= 0 && a < shape[0] && b < shape[1];
  s->outside |= !ok;
  return ok ? a * shape[1] + b : 0;
}

/// The result in `b`; false when an access leaves its buffer.
static bool interpret(const Prim *p, const float *a, const int64_t *j, float *b) {
  State s = {.p = p, .j = j};
  int64_t rounds = 1;
  for (int i = 0; i < p->loops; i++) rounds *= p->extent[i];
  for (int64_t k = 0; k < rounds && !s.outside; k++) {
    int64_t rest = k;
    for (int i = p->loops; i-- > 0; rest /= p->extent[i]) s.at[i] = rest % p->extent[i];
    if (p->cond >= 0 && (value_of(&s, p->cond) >= p->limit || s.outside)) continue;
    int64_t to = place_of(&s, p->write, p->to), from = place_of(&s, p->read, p->from);
    if (!s.outside) b[to] = a[from] + 1;
  }
  return !s.outside;
}

typedef struct Counts {
  int values, errors, refused, wrong;
} Counts;

static void try_one(RlxTestRandom *random, Counts *counts) {
  Prim p = random_prim(random);
  RlxBuf script = {0};
  put_script(&p, &script);
  setenv("RLX_GUARD_PAGES", below(random, 2) ? "before" : "after", 1);
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxJit *jit = rlx_jit_new(rlx_analyzer_store(analyzer), NULL);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&script), (uint32_t)script.size);
  RlxProgram *program = rlx_program_new(jit, file);
  RlxError failed;
  RlxObject *args[2] = {rlx_tensor_new(rlx_jit_heap(jit), RLX_FLOAT32, p.from, 2, &failed),
                        rlx_tensor_new(rlx_jit_heap(jit), RLX_INT64, &p.places, 1, &failed)};
  float *a = args[0]->data, b[4 * LENGTH * LENGTH] = {0};
  int64_t *j = args[1]->data;
  for (int64_t i = 0; i < p.from[0] * p.from[1]; i++) a[i] = (float)below(random, 100);
  for (int64_t i = 0; i < p.places; i++)
    j[i] = below(random, 40) ? below(random, 5) : below(random, 41) - 20;
  bool inside = interpret(&p, a, j, b);
  RlxRunError err = {0};
  RlxName name = rlx_store_intern(rlx_analyzer_store(analyzer), "main", 4);
  RlxObject *x = rlx_program_prepare(program, name, &err)
                     ? rlx_program_call(program, name, args, 2, &err)
                     : NULL;
  bool same = x && inside && !memcmp(x->data, b, (size_t)(p.to[0] * p.to[1]) * sizeof *b);
  bool is_bounds = !x && !strcmp(err.error.code, "RLX0805");
  counts->values += x != NULL;
  counts->errors += is_bounds;
  counts->refused += !x && !is_bounds;
  // What the analyzer proves to be outside is refused before it runs.
  if (inside ? !same : x != NULL) {
    counts->wrong++;
    printf("%s; %s %s\n%s\n", inside ? "all accesses are inside" : "an access is outside",
           x ? "another value" : err.error.code, x ? "" : err.error.text, rlx_buf_text(&script));
  }
  rlx_object_unref(x);
  for (int i = 0; i < 2; i++) rlx_object_unref(args[i]);
  rlx_program_free(program);
  rlx_file_close(file);
  rlx_jit_free(jit);
  rlx_analyzer_free(analyzer);
  rlx_buf_free(&script);
}

static void accesses_stay_inside_or_are_said(void **state) {
  (void)state;
  const char *inputs = getenv("RLX_INPUTS"), *seed = getenv("RLX_SEED");
  int count = inputs ? atoi(inputs) : 100;
  Counts counts = {0};
  for (int i = 0; i < count; i++) {
    RlxTestRandom random = {
        ((seed ? (uint64_t)strtoull(seed, NULL, 10) : UINT64_C(1)) * 1000003 + (uint64_t)i) *
            UINT64_C(0x9e3779b97f4a7c15) +
        1};
    rlx_test_below(&random, 2);
    try_one(&random, &counts);
  }
  printf("%d PrimFuncs: %d values, %d accesses outside are said, %d are refused before\n", count,
         counts.values, counts.errors, counts.refused);
  assert_int_equal(counts.wrong, 0);
  assert_true(counts.values > count / 10 && counts.errors + counts.refused > count / 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(accesses_stay_inside_or_are_said)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
