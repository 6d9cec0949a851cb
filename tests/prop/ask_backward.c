/// Backward deduction is sound: random functions are deduced with all shapes known, then again with
/// parameters and bindings whose shapes are hidden; what the uses then require must be true of the
/// shapes that were hidden. The seed is printed.
#include "analyzer/analyzer.h"
#include "tests/test.h"

#include <string.h>

#include "analyzer/ask/backward.h"

enum { VALUES = 10, RANK = 4, ROUNDS = 1200 };

typedef struct Value {
  int ndim;
  int dims[RANK];
} Value;

typedef struct Program {
  RlxTestRandom *random;
  Value values[VALUES];
  int count, params;
  char body[VALUES][160]; // right-hand sides of the values that are no parameters
} Program;

static int rnd(Program *p, int below) { return (int)rlx_test_below(p->random, (uint32_t)below); }

static void put_dims(RlxBuf *out, const Value *v) {
  rlx_buf_putc(out, '(');
  for (int i = 0; i < v->ndim; i++) rlx_buf_printf(out, "%d, ", v->dims[i]);
  rlx_buf_putc(out, ')');
}

static bool broadcast(const Value *a, const Value *b, Value *out) {
  out->ndim = a->ndim > b->ndim ? a->ndim : b->ndim;
  for (int back = 1; back <= out->ndim; back++) {
    int x = back <= a->ndim ? a->dims[a->ndim - back] : 1,
        y = back <= b->ndim ? b->dims[b->ndim - back] : 1;
    if (x != y && x != 1 && y != 1) return false;
    out->dims[out->ndim - back] = x == 1 ? y : x;
  }
  return true;
}

/// One more value out of those there are; false: the operands that were drawn do not fit.
static bool step(Program *p) {
  char *text = p->body[p->count];
  Value *out = &p->values[p->count];
  int i = rnd(p, p->count), k = rnd(p, p->count);
  const Value *a = &p->values[i], *b = &p->values[k];
  size_t room = sizeof p->body[0];
  *out = *a;
  switch (rnd(p, 16)) {
  case 0: return snprintf(text, room, "R.exp(v%d)", i) > 0;
  case 1:
  case 2: return broadcast(a, b, out) && snprintf(text, room, "R.add(v%d, v%d)", i, k) > 0;
  case 3:
    if (a->ndim < 2) return false;
    out->dims[0] = a->dims[1];
    out->dims[1] = a->dims[0];
    return snprintf(text, room, "R.permute_dims(v%d, axes=[1, 0%s])", i,
                    a->ndim == 3   ? ", 2"
                    : a->ndim == 4 ? ", 2, 3"
                                   : "") > 0;
  case 4:
    if (a->ndim != 2 || b->ndim != 2 || a->dims[1] != b->dims[0]) return false;
    out->dims[1] = b->dims[1];
    return snprintf(text, room, "R.matmul(v%d, v%d)", i, k) > 0;
  case 5:
    if (!a->ndim || a->ndim != b->ndim ||
        (a->ndim > 1 &&
         memcmp(a->dims + 1, b->dims + 1, (size_t)(a->ndim - 1) * sizeof *a->dims) != 0))
      return false;
    out->dims[0] += b->dims[0];
    return snprintf(text, room, "R.concat((v%d, v%d), axis=0)", i, k) > 0;
  case 6: {
    if (!a->ndim) return false;
    int axis = rnd(p, a->ndim);
    memmove(out->dims + axis, out->dims + axis + 1,
            (size_t)(a->ndim - axis - 1) * sizeof *out->dims);
    out->ndim--;
    return snprintf(text, room, "R.sum(v%d, axis=[%d])", i, axis) > 0;
  }
  case 7: {
    if (a->ndim == RANK) return false;
    int axis = rnd(p, a->ndim + 1);
    memmove(out->dims + axis + 1, out->dims + axis, (size_t)(a->ndim - axis) * sizeof *out->dims);
    out->dims[axis] = 1;
    out->ndim++;
    return snprintf(text, room, "R.expand_dims(v%d, axis=[%d])", i, axis) > 0;
  }
  case 8: { // the third operand of all that have one is the first
    if (!broadcast(a, b, out)) return false;
    return snprintf(text, room, "R.where(R.greater(v%d, v%d), v%d, v%d)", i, i, k, i) > 0;
  }
  case 9:
  case 10: {
    int stride = 1 + rnd(p, 2), pad = rnd(p, 2);
    if (a->ndim != 4 || b->ndim != 4 || a->dims[1] != b->dims[1]) return false;
    out->dims[1] = b->dims[0];
    for (int axis = 2; axis < 4; axis++) {
      if (b->dims[axis] > a->dims[axis] + 2 * pad) return false;
      out->dims[axis] = (a->dims[axis] + 2 * pad - b->dims[axis]) / stride + 1;
    }
    return snprintf(text, room, "R.nn.conv2d(v%d, v%d, strides=%d, padding=%d)", i, k, stride,
                    pad) > 0;
  }
  case 11: {
    int stride = 1 + rnd(p, 2);
    if (a->ndim != 4 || b->ndim != 4 || a->dims[1] != b->dims[0]) return false;
    out->dims[1] = b->dims[1];
    for (int axis = 2; axis < 4; axis++)
      out->dims[axis] = (a->dims[axis] - 1) * stride + b->dims[axis];
    return snprintf(text, room, "R.nn.conv2d_transpose(v%d, v%d, strides=%d)", i, k, stride) > 0;
  }
  case 12: {
    int stride = 1 + rnd(p, 2);
    if (a->ndim != 4) return false;
    for (int axis = 2; axis < 4; axis++) out->dims[axis] = a->dims[axis] / stride + 1;
    return snprintf(text, room, "R.nn.max_pool2d(v%d, pool_size=2, strides=%d, padding=1)", i,
                    stride) > 0;
  }
  case 13: {
    if (!a->ndim || a->ndim == RANK) return false;
    int axis = rnd(p, a->ndim), wide = rnd(p, 2);
    out->dims[axis] = 2;
    if (wide) {
      memmove(out->dims + axis + 1, a->dims + axis, (size_t)(a->ndim - axis) * sizeof *out->dims);
      out->dims[axis] = 1;
      out->dims[axis + 1] = 2;
      out->ndim++;
    }
    return snprintf(text, room, "R.take(v%d, R.const(%s, \"int64\"), axis=%d)", i,
                    wide ? "[[0, 0]]" : "[0, 0]", axis) > 0;
  }
  case 14:
    if (a->ndim < 2 || b->ndim != 1 || b->dims[0] != a->dims[a->ndim - 1]) return false;
    return snprintf(text, room, "R.nn.layer_norm(v%d, v%d, v%d, axes=[-1])", i, k, k) > 0;
  default:
    if (a->ndim == RANK || a->ndim != b->ndim ||
        memcmp(a->dims, b->dims, (size_t)a->ndim * sizeof *a->dims) != 0)
      return false;
    memmove(out->dims + 1, out->dims, (size_t)a->ndim * sizeof *out->dims);
    out->dims[0] = 2;
    out->ndim++;
    return snprintf(text, room, "R.stack((v%d, v%d), axis=0)", i, k) > 0;
  }
}

static void make(Program *p) {
  p->params = 2 + rnd(p, 2);
  for (p->count = 0; p->count < p->params; p->count++) {
    p->values[p->count].ndim = rnd(p, RANK + 1);
    for (int i = 0; i < RANK; i++) p->values[p->count].dims[i] = 1 + rnd(p, 3);
  }
  for (int tries = 0; p->count < VALUES && tries < 200; tries++) p->count += step(p);
}

static void write_binding(Program *p, int i, int indent, RlxBuf *out) {
  rlx_buf_printf(out, "%*sv%d", indent, "", i);
  if (rnd(p, 3) == 0) {
    rlx_buf_puts(out, ": R.Tensor(");
    put_dims(out, &p->values[i]);
    rlx_buf_puts(out, ", \"float32\")");
  }
  rlx_buf_printf(out, " = %s\n", p->body[i]);
}

/// The script with some shapes hidden; some values are annotated with what they are.
static void write_script(Program *p, RlxBuf *out) {
  rlx_buf_puts(out, "from tvm.script import relax as R\n\n\n@R.function\ndef main(");
  for (int i = 0; i < p->params; i++) {
    rlx_buf_printf(out, "v%d: R.Tensor", i);
    switch (rnd(p, 4)) {
    case 0: break;
    case 1: rlx_buf_printf(out, "(ndim=%d)", p->values[i].ndim); break;
    case 2: rlx_buf_puts(out, "(dtype=\"float32\")"); break;
    default:
      rlx_buf_putc(out, '(');
      put_dims(out, &p->values[i]);
      rlx_buf_puts(out, ", \"float32\")");
    }
    rlx_buf_puts(out, ", ");
  }
  rlx_buf_puts(out, "flag: R.Tensor((), \"bool\")):\n");
  for (int i = p->params; i < p->count; i++) {
    int form = rnd(p, 8);
    if (form == 0) { // what only one branch requires is false here
      rlx_buf_puts(out, "    if flag:\n");
      rlx_buf_printf(out, "        w%d: R.Tensor((7, 7, 7), \"float16\") = R.exp(v%d)\n", i,
                     rnd(p, i));
      write_binding(p, i, 8, out);
      rlx_buf_puts(out, "    else:\n");
    }
    if (form == 1) {
      rlx_buf_printf(out, "    @R.function\n    def f%d(t: R.Tensor):\n", i);
      write_binding(p, i, 8, out);
      rlx_buf_printf(out, "        return v%d\n", i);
      if (rnd(p, 3)) {
        rlx_buf_printf(out, "    v%d = f%d(v%d)\n", i, i, rnd(p, i));
      } else { // not called: what its body requires is false here
        rlx_buf_printf(out,
                       "    @R.function\n    def g%d(t: R.Tensor):\n"
                       "        u%d: R.Tensor((7, 7, 7), \"float16\") = R.exp(v%d)\n"
                       "        return u%d\n",
                       i, i, rnd(p, i), i);
        write_binding(p, i, 4, out);
      }
      continue;
    }
    write_binding(p, i, form == 0 ? 8 : 4, out);
  }
  rlx_buf_printf(out, "    return v%d\n", p->count - 1);
}

static const RlxSInfo *truth(RlxStore *store, const Value *v) {
  const RlxPrim *dims[RANK];
  for (int i = 0; i < v->ndim; i++) dims[i] = rlx_prim_int(store, v->dims[i]);
  return rlx_sinfo_tensor(store, dims, v->ndim, RLX_FLOAT32, NULL);
}

static int check_program(Program *p, int *learned) {
  RlxBuf text = {0};
  write_script(p, &text);
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxStore *store = rlx_analyzer_store(analyzer);
  RlxFile *file = rlx_file_open(analyzer, rlx_buf_text(&text), (uint32_t)text.size);
  RlxFunctionViews views = {0};
  RlxBackwards all = {0};
  RlxArena *arena = rlx_arena_new();
  int bad = 0;
  rlx_file_functions(file, &views);
  rlx_file_backward(file, views.at[0].stmt, &all);
  for (uint32_t i = 0; i < all.count; i++) {
    const RlxBackward *one = &all.at[i];
    const char *name = rlx_store_text(store, one->var->name);
    if (name[0] != 'v' || !one->must) continue;
    const RlxSInfo *actual = truth(store, &p->values[atoi(name + 1)]);
    ++*learned;
    if (rlx_sinfo_base_check(store, NULL, one->must, actual, NULL, NULL) == RLX_CHECK_PASS)
      continue;
    bad++;
    RlxBuf out = {0};
    rlx_sinfo_print(store, one->must, &out);
    rlx_buf_puts(&out, " is required, but it is ");
    rlx_sinfo_print(store, actual, &out);
    printf("%s: %s in\n%s\n", name, rlx_buf_text(&out), rlx_buf_text(&text));
    rlx_buf_free(&out);
  }
  rlx_vec_free(&all);
  rlx_vec_free(&views);
  rlx_arena_free(arena);
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  rlx_buf_free(&text);
  return bad;
}

static void requirements_hold(void **state) {
  (void)state;
  RlxTestRandom random = rlx_test_random(11);
  int bad = 0, learned = 0;
  for (int i = 0; i < ROUNDS && !bad; i++) {
    Program p = {.random = &random};
    make(&p);
    bad += check_program(&p, &learned);
  }
  printf("%d requirements\n", learned);
  assert_int_equal(bad, 0);
  assert_true(learned > ROUNDS); // it does say something
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(requirements_hold)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
