/// Scheduled against unscheduled: the same PrimFunc compiled as it is and after the rules, on the
/// same random data. That the unscheduled form is right is what tests/unit/jit_llvm.c is for.
#include "jit/schedule/schedule.h"
#include "tests/unit/jit_llvm.h"

enum { MAX_PARAMS = 4 };

typedef struct Problem {
  RlxPrimFunc *f;
  int param_count;           // buffers; the last one is the output
  int64_t sizes[MAX_PARAMS]; // elements
  RlxDType types[MAX_PARAMS];
  int64_t dims[8];
  double tolerance; // relative to the largest magnitude
  bool
      is_empty; // nothing is summed by an operator: unscheduled, the init part never runs; scheduled, it must
} Problem;

static RlxTestRandom numbers;

static unsigned bytes_of(RlxDType t) { return t.code == RLX_DTYPE_BOOL ? 1 : t.bits / 8u; }

static void fill(void *data, RlxDType t, int64_t count) {
  for (int64_t i = 0; i < count; i++) {
    int v = (int)rlx_test_below(&numbers, 17) - 8;
    if (t.code == RLX_DTYPE_FLOAT && t.bits == 32)
      ((float *)data)[i] = (float)v / 4;
    else if (t.code == RLX_DTYPE_FLOAT && t.bits == 64)
      ((double *)data)[i] = v / 4.0;
    else if (t.code == RLX_DTYPE_FLOAT)
      ((uint16_t *)data)[i] = (uint16_t)(0x3c00 + ((unsigned)v & 0xff)); // near 1
    else if (t.bits == 32)
      ((int32_t *)data)[i] = v * 1000003;
    else if (t.bits == 64)
      ((int64_t *)data)[i] = v * INT64_C(1000000000039);
    else
      ((int8_t *)data)[i] = (int8_t)v;
  }
}

static double value_at(const void *data, RlxDType t, int64_t i) {
  if (t.code == RLX_DTYPE_FLOAT && t.bits == 32) return (double)((const float *)data)[i];
  if (t.code == RLX_DTYPE_FLOAT && t.bits == 64) return ((const double *)data)[i];
  if (t.bits == 16) return ((const uint16_t *)data)[i];
  if (t.bits == 32) return ((const int32_t *)data)[i];
  if (t.bits == 64) return (double)((const int64_t *)data)[i];
  return ((const int8_t *)data)[i];
}

static RlxCode *compile_one(const RlxPrimFunc *f, bool trusted) {
  RlxError err = {0};
  RlxUnitFunc func = {.func = f, .symbol = "f", .trusted = trusted};
  RlxUnit unit = {.names = rig.names, .funcs = &func, .func_count = 1};
  RlxCode *code = rig.api->compile(rig.engine, &unit, &err);
  if (!code) fail_msg("%s", err.text);
  return code;
}

/// Frees the PrimFunc.
static void check(Problem *p, bool trusted, int vector_bytes, int threads, const char *what) {
  RlxTarget target = rig.api->target(rig.engine);
  if (vector_bytes)
    target.vector_bytes = vector_bytes, target.vector_registers = vector_bytes == 64 ? 32 : 16;
  target.threads = threads;
  RlxPrimFunc *fast = rlx_schedule(p->f, &target, trusted, rig.names, NULL);
  assert_true(fast->body != p->f->body); // a rule did fit
  RlxCode *plain_code = compile_one(p->f, trusted), *fast_code = compile_one(fast, trusted);
  void *data[MAX_PARAMS], *other[MAX_PARAMS];
  int last = p->param_count - 1;
  for (int i = 0; i < p->param_count; i++) {
    data[i] = calloc((size_t)p->sizes[i] + 1, bytes_of(p->types[i]));
    fill(data[i], p->types[i], p->sizes[i]);
    other[i] = data[i];
  }
  size_t out_bytes = (size_t)p->sizes[last] * bytes_of(p->types[last]);
  other[last] = malloc(out_bytes + 1);
  memcpy(other[last], data[last], out_bytes);
  if (p->is_empty) memset(data[last], 0, out_bytes);
  assert_int_equal(rig.api->kernel(plain_code, "f")(data, p->dims, rig.ctx), 0);
  assert_int_equal(rig.api->kernel(fast_code, "f")(other, p->dims, rig.ctx), 0);
  double largest = 1e-30;
  for (int64_t i = 0; i < p->sizes[last]; i++)
    largest = fmax(largest, fabs(value_at(data[last], p->types[last], i)));
  for (int64_t i = 0; i < p->sizes[last]; i++) {
    double a = value_at(data[last], p->types[last], i),
           b = value_at(other[last], p->types[last], i);
    if (!(a == b || fabs(a - b) <= p->tolerance * largest))
      fail_msg("%s: element %lld is %.9g, unscheduled %.9g", what, (long long)i, b, a);
  }
  free(other[last]);
  for (int i = 0; i < p->param_count; i++) free(data[i]);
  rig.api->code_free(plain_code);
  rig.api->code_free(fast_code);
  rlx_primfunc_free(fast);
  rlx_primfunc_free(p->f);
}

static RlxTirExpr *zero_of(RlxPrimFunc *f, RlxDType t) {
  return rlx_dtype_is_float(t) ? rlx_tir_float(f, 0, t) : rlx_tir_int(f, 0, t);
}

static RlxTirBuffer *param(RlxPrimFunc *f, const char *name, RlxDType t, RlxTirExpr *const *shape,
                           int ndim) {
  RlxTirBuffer *b = rlx_tir_buffer(f, name_of(name), t, shape, ndim);
  rlx_primfunc_add_buffer(f, b);
  return b;
}

// ---- matmul

typedef struct Matmul {
  int64_t b, n, m, k;
  bool left_t, right_t, symbolic, no_init;
  RlxDType in, out;
} Matmul;

static Problem matmul(const Matmul *x) {
  RlxPrimFunc *f = rlx_primfunc_new(name_of("matmul"));
  RlxTirVar *nv = index_var(f, "n"), *kv = index_var(f, "k_");
  RlxTirExpr *B = i64(f, x->b), *N = x->symbolic ? use(f, nv) : i64(f, x->n), *M = i64(f, x->m),
             *K = x->symbolic ? use(f, kv) : i64(f, x->k);
  RlxTirExpr *left[3] = {B, x->left_t ? K : N, x->left_t ? N : K},
             *right[2] = {x->right_t ? M : K, x->right_t ? K : M}, *out[3] = {B, N, M};
  RlxTirBuffer *a = param(f, "A", x->in, left, 3), *b = param(f, "B", x->in, right, 2),
               *c = param(f, "C", x->out, out, 3);
  const char *names[4] = {"b", "i", "j", "k"};
  RlxTirVar *loops[4], *vars[4];
  RlxTirExpr *extents[4] = {B, N, M, K};
  RlxTirIterVar iters[4];
  for (int i = 0; i < 4; i++) {
    loops[i] = index_var(f, names[i]);
    vars[i] = index_var(f, "v");
    iters[i] = (RlxTirIterVar){vars[i], extents[i], NULL, use(f, loops[i]),
                               i == 3 ? RLX_ITER_REDUCE : RLX_ITER_DATA_PAR};
  }
  RlxTirExpr *vb = use(f, vars[0]), *vi = use(f, vars[1]), *vj = use(f, vars[2]),
             *vk = use(f, vars[3]);
  RlxTirExpr *at_a[3] = {vb, x->left_t ? vk : vi, x->left_t ? vi : vk},
             *at_b[2] = {x->right_t ? vj : vk, x->right_t ? vk : vj}, *at_c[3] = {vb, vi, vj};
  RlxTirExpr *product = bin(f, RLX_TIR_MUL, rlx_tir_cast(f, x->out, rlx_tir_load(f, a, at_a)),
                            rlx_tir_cast(f, x->out, rlx_tir_load(f, b, at_b)));
  RlxTirStmt *update =
      rlx_tir_store(f, c, at_c, bin(f, RLX_TIR_ADD, rlx_tir_load(f, c, at_c), product));
  RlxTirStmt *init = x->no_init ? NULL : rlx_tir_store(f, c, at_c, zero_of(f, x->out));
  RlxTirStmt *s = rlx_tir_block(f, name_of("matmul"), iters, 4, init, update);
  for (int i = 3; i >= 0; i--) s = loop(f, loops[i], extents[i], s);
  f->body = s;
  Problem p = {.f = f,
               .param_count = 3,
               .sizes = {x->b * x->n * x->k, x->k * x->m, x->b * x->n * x->m},
               .types = {x->in, x->in, x->out},
               .tolerance = 1e-6};
  RlxTirVar *order[RLX_KERNEL_MAX_VARS];
  int count = rlx_kernel_vars(f, order);
  for (int i = 0; i < count; i++) p.dims[i] = order[i] == nv ? x->n : x->k;
  return p;
}

static void matmuls(void **state) {
  NEEDS_LLVM();
  static const int64_t sizes[] = {1, 2, 5, 12, 13, 31, 33, 64, 70};
  enum { SIZES = sizeof sizes / sizeof *sizes };
  for (int round = 0; round < 25; round++) {
    Matmul x = {.b = 1 + (int64_t)rlx_test_below(&numbers, 3),
                .n = sizes[rlx_test_below(&numbers, SIZES)],
                .m = sizes[rlx_test_below(&numbers, SIZES)],
                .k = sizes[rlx_test_below(&numbers, SIZES)],
                .left_t = rlx_test_below(&numbers, 2),
                .right_t = rlx_test_below(&numbers, 2),
                .symbolic = rlx_test_below(&numbers, 2),
                .no_init = rlx_test_below(&numbers, 4) == 0,
                .in = RLX_FLOAT32,
                .out = RLX_FLOAT32};
    if (round == 20) x.in = rlx_dtype(RLX_DTYPE_INT, 8), x.out = RLX_INT32;
    if (round == 21) x.in = x.out = RLX_FLOAT64;
    if (round == 22) x.k = 700, x.symbolic = true; // several blocks of the depth
    if (round >= 23) x.k = 0, x.symbolic = true, x.no_init = false;
    static const int widths[] = {0, 16, 32, 64};
    int width = widths[rlx_test_below(&numbers, 3)]; // 64 only where the machine has it
    char what[120];
    snprintf(what, sizeof what, "round %d: %lldx%lldx%lldx%lld%s%s%s%s, vectors of %d", round,
             (long long)x.b, (long long)x.n, (long long)x.m, (long long)x.k,
             x.left_t ? " left transposed" : "", x.right_t ? " right transposed" : "",
             x.symbolic ? " symbolic" : "", x.no_init ? " no init" : "", width);
    Problem p = matmul(&x);
    p.is_empty = p.f->is_of_operators =
        round == 23; // in round 24 it is a PrimFunc's, and stays out
    check(&p, round % 2, width, 1 + round % 2, what);
  }
}

/// More columns than a panel holds, with a rest.
static void wide_matmul(void **state) {
  NEEDS_LLVM();
  Matmul x = {.b = 1, .n = 13, .m = 2100, .k = 9, .in = RLX_FLOAT32, .out = RLX_FLOAT32};
  Problem p = matmul(&x);
  check(&p, true, 0, 1, "wide");
  x.n = 500, x.m = 40; // more rows than a block
  p = matmul(&x);
  check(&p, true, 0, 2, "tall");
}

/// Tiled by hand: for i0, j0: { for i1, j1: C = 0; for k0, i1, k1, j1: C += … }, as in a schedule's
/// result.
static void blocked_by_hand(void **state) {
  NEEDS_LLVM();
  for (int variant = 0; variant < 2; variant++) {
    RlxPrimFunc *f = rlx_primfunc_new(name_of("blocked"));
    RlxTirExpr *size = i64(f, 64);
    RlxTirBuffer *a = param2(f, "A", RLX_FLOAT32, size, size),
                 *b = param2(f, "B", RLX_FLOAT32, size, size),
                 *c = param2(f, "C", RLX_FLOAT32, size, size);
    RlxTirVar *i0 = index_var(f, "i0"), *j0 = index_var(f, "j0"), *i1 = index_var(f, "i1"),
              *j1 = index_var(f, "j1");
    RlxTirVar *k0 = index_var(f, "k0"), *k1 = index_var(f, "k1"), *i2 = index_var(f, "i2"),
              *j2 = index_var(f, "j2");
    int64_t tile = variant ? 32 : 16; // variant 1: rows of the second part overlap those of other
                                      // rounds: must not be distributed
    RlxTirExpr *row = bin(f, RLX_TIR_ADD, bin(f, RLX_TIR_MUL, use(f, i0), i64(f, 16)), use(f, i1));
    RlxTirExpr *column =
        bin(f, RLX_TIR_ADD, bin(f, RLX_TIR_MUL, use(f, j0), i64(f, 16)), use(f, j1));
    RlxTirExpr *row2 = bin(f, RLX_TIR_ADD, bin(f, RLX_TIR_MUL, use(f, i0), i64(f, 16)), use(f, i2));
    RlxTirExpr *column2 =
        bin(f, RLX_TIR_ADD, bin(f, RLX_TIR_MUL, use(f, j0), i64(f, 16)), use(f, j2));
    RlxTirExpr *depth = bin(f, RLX_TIR_ADD, bin(f, RLX_TIR_MUL, use(f, k0), i64(f, 8)), use(f, k1));
    RlxTirStmt *clear =
        loop(f, i1, i64(f, 16),
             loop(f, j1, i64(f, 16), store2(f, c, row, column, rlx_tir_float(f, 0, RLX_FLOAT32))));
    RlxTirExpr *product =
        bin(f, RLX_TIR_MUL, load2(f, a, row2, depth), load2(f, b, depth, column2));
    RlxTirStmt *add =
        store2(f, c, row2, column2, bin(f, RLX_TIR_ADD, load2(f, c, row2, column2), product));
    add = loop(f, k0, i64(f, 8),
               loop(f, i2, i64(f, tile), loop(f, k1, i64(f, 8), loop(f, j2, i64(f, 16), add))));
    RlxTirStmt *both[2] = {clear, add};
    f->body = loop(f, i0, i64(f, variant ? 3 : 4), loop(f, j0, i64(f, 4), rlx_tir_seq(f, both, 2)));
    Problem p = {.f = f,
                 .param_count = 3,
                 .sizes = {4096, 4096, 4096},
                 .types = {RLX_FLOAT32, RLX_FLOAT32, RLX_FLOAT32},
                 .tolerance = 1e-6};
    check(&p, true, 0, 1, variant ? "overlapping" : "blocked");
  }
}

// ---- convolution: padding by T.if_then_else, stride, several loops in each group

static void convolution(void **state) {
  NEEDS_LLVM();
  enum { N = 2, CI = 3, H = 9, W = 11, CO = 5, KH = 3, KW = 3 };
  for (int stride = 1; stride <= 2; stride++) {
    int64_t oh = (H - 1) / stride + 1, ow = (W - 1) / stride + 1;
    RlxPrimFunc *f = rlx_primfunc_new(name_of("conv"));
    RlxTirExpr *xs[4] = {i64(f, N), i64(f, CI), i64(f, H), i64(f, W)},
               *ws[4] = {i64(f, CO), i64(f, CI), i64(f, KH), i64(f, KW)};
    RlxTirExpr *cs[4] = {i64(f, N), i64(f, CO), i64(f, oh), i64(f, ow)};
    RlxTirBuffer *x = param(f, "X", RLX_FLOAT32, xs, 4), *w = param(f, "W", RLX_FLOAT32, ws, 4),
                 *c = param(f, "C", RLX_FLOAT32, cs, 4);
    int64_t extents[7] = {N, CO, oh, ow, CI, KH, KW};
    RlxTirVar *loops[7];
    RlxTirIterVar iters[7];
    RlxTirExpr *v[7];
    for (int i = 0; i < 7; i++) {
      loops[i] = index_var(f, "l");
      RlxTirVar *var = index_var(f, "v");
      v[i] = use(f, var);
      iters[i] = (RlxTirIterVar){var, i64(f, extents[i]), NULL, use(f, loops[i]),
                                 i < 4 ? RLX_ITER_DATA_PAR : RLX_ITER_REDUCE};
    }
    RlxTirExpr *y =
        bin(f, RLX_TIR_SUB, bin(f, RLX_TIR_ADD, bin(f, RLX_TIR_MUL, v[2], i64(f, stride)), v[5]),
            i64(f, 1));
    RlxTirExpr *z =
        bin(f, RLX_TIR_SUB, bin(f, RLX_TIR_ADD, bin(f, RLX_TIR_MUL, v[3], i64(f, stride)), v[6]),
            i64(f, 1));
    RlxTirExpr *inside = bin(
        f, RLX_TIR_AND,
        bin(f, RLX_TIR_AND, bin(f, RLX_TIR_GE, y, i64(f, 0)), bin(f, RLX_TIR_LT, y, i64(f, H))),
        bin(f, RLX_TIR_AND, bin(f, RLX_TIR_GE, z, i64(f, 0)), bin(f, RLX_TIR_LT, z, i64(f, W))));
    RlxTirExpr *at_x[4] = {v[0], v[4], y, z}, *at_w[4] = {v[1], v[4], v[5], v[6]},
               *at_c[4] = {v[0], v[1], v[2], v[3]};
    RlxTirExpr *padded =
        rlx_tir_if_then_else(f, inside, rlx_tir_load(f, x, at_x), rlx_tir_float(f, 0, RLX_FLOAT32));
    RlxTirStmt *update = rlx_tir_store(f, c, at_c,
                                       bin(f, RLX_TIR_ADD, rlx_tir_load(f, c, at_c),
                                           bin(f, RLX_TIR_MUL, padded, rlx_tir_load(f, w, at_w))));
    RlxTirStmt *s =
        rlx_tir_block(f, name_of("conv"), iters, 7,
                      rlx_tir_store(f, c, at_c, rlx_tir_float(f, 0, RLX_FLOAT32)), update);
    for (int i = 6; i >= 0; i--) s = loop(f, loops[i], i64(f, extents[i]), s);
    f->body = s;
    Problem p = {.f = f,
                 .param_count = 3,
                 .sizes = {N * CI * H * W, CO * CI * KH * KW, N * CO * oh * ow},
                 .types = {RLX_FLOAT32, RLX_FLOAT32, RLX_FLOAT32},
                 .tolerance = 1e-6};
    check(&p, true, 0, 1, "conv");
  }
}

// ---- reductions of A[n, m]: along rows, along columns, of everything

typedef struct Reduce {
  int64_t n, m;
  int axis; // 0: columns, 1: rows, 2: both
  RlxTirExprKind op;
  RlxDType t;
  bool symbolic;
} Reduce;

static Problem reduction(const Reduce *x) {
  RlxPrimFunc *f = rlx_primfunc_new(name_of("reduce"));
  RlxTirVar *nv = index_var(f, "n"), *mv = index_var(f, "m"), *i = index_var(f, "i"),
            *j = index_var(f, "j"), *vi = index_var(f, "vi"), *vj = index_var(f, "vj");
  RlxTirExpr *shape[2] = {x->symbolic ? use(f, nv) : i64(f, x->n),
                          x->symbolic ? use(f, mv) : i64(f, x->m)};
  RlxTirBuffer *a = param(f, "A", x->t, shape, 2);
  RlxTirBuffer *c = param(f, "C", x->t, x->axis == 0 ? &shape[1] : &shape[0], x->axis == 2 ? 0 : 1);
  RlxTirIterVar iters[2] = {
      {vi, shape[0], NULL, use(f, i), x->axis == 1 ? RLX_ITER_DATA_PAR : RLX_ITER_REDUCE},
      {vj, shape[1], NULL, use(f, j), x->axis == 0 ? RLX_ITER_DATA_PAR : RLX_ITER_REDUCE}};
  RlxTirExpr *at[1] = {use(f, x->axis == 0 ? vj : vi)};
  RlxTirExpr *start = rlx_dtype_is_float(x->t)
                          ? rlx_tir_float(f, x->op == RLX_TIR_ADD ? 0 : 1, x->t)
                          : rlx_tir_int(f, x->op == RLX_TIR_ADD ? 0 : 1, x->t);
  RlxTirExpr *term = load2(f, a, use(f, vi), use(f, vj));
  RlxTirStmt *update = rlx_tir_store(f, c, at, bin(f, x->op, rlx_tir_load(f, c, at), term));
  f->body =
      loop(f, i, shape[0],
           loop(f, j, shape[1],
                rlx_tir_block(f, name_of("r"), iters, 2, rlx_tir_store(f, c, at, start), update)));
  int64_t out = x->axis == 0 ? x->m : x->axis == 1 ? x->n : 1;
  return (Problem){.f = f,
                   .param_count = 2,
                   .sizes = {x->n * x->m, out},
                   .types = {x->t, x->t},
                   .dims = {x->n, x->m},
                   .tolerance = x->t.bits == 32 ? 2e-6 : 1e-14};
}

static void reductions(void **state) {
  NEEDS_LLVM();
  static const RlxTirExprKind ops[] = {RLX_TIR_ADD, RLX_TIR_MAX, RLX_TIR_MIN};
  const RlxDType types[] = {RLX_FLOAT32, RLX_FLOAT64, RLX_INT32, RLX_INT64};
  static const int64_t sizes[] = {1, 3, 16, 17, 64, 100, 131, 200};
  for (int round = 0; round < 36; round++) {
    Reduce x = {.n = sizes[rlx_test_below(&numbers, 8)],
                .m = sizes[rlx_test_below(&numbers, 8)],
                .axis = round % 3,
                .op = ops[round / 3 % 3],
                .t = types[rlx_test_below(&numbers, 4)],
                .symbolic = rlx_test_below(&numbers, 2)};
    static const int widths[] = {0, 16, 32};
    int width = widths[rlx_test_below(&numbers, 3)];
    char what[120];
    snprintf(what, sizeof what, "round %d: %lldx%lld axis %d op %d %s, vectors of %d", round,
             (long long)x.n, (long long)x.m, x.axis, (int)x.op, x.symbolic ? "symbolic" : "",
             width);
    Problem p = reduction(&x);
    check(&p, round % 2, width, 1, what);
  }
}

/// What is not proved in bounds is left alone when it is hand-written.
static void unproved_nests_stay(void **state) {
  NEEDS_LLVM();
  RlxPrimFunc *f = rlx_primfunc_new(name_of("shifted"));
  RlxTirVar *i = index_var(f, "i"), *k = index_var(f, "k");
  RlxTirBuffer *a = param2(f, "A", RLX_FLOAT32, i64(f, 8), i64(f, 40)),
               *c = param1(f, "C", RLX_FLOAT32, i64(f, 8));
  RlxTirExpr *term = load2(f, a, use(f, i), bin(f, RLX_TIR_ADD, use(f, k), i64(f, 1)));
  RlxTirExpr *old = load1(f, c, use(f, i));
  f->body = loop(f, i, i64(f, 8),
                 loop(f, k, i64(f, 40), store1(f, c, use(f, i), bin(f, RLX_TIR_ADD, old, term))));
  RlxTarget target = rig.api->target(rig.engine);
  RlxPrimFunc *fast = rlx_schedule(f, &target, false, rig.names, NULL);
  assert_ptr_equal(fast->body, f->body);
  RlxCode *code = compile_one(fast, false);
  float in[320] = {0}, out[8] = {0};
  void *data[2] = {in, out};
  int32_t status = rig.api->kernel(code, "f")(data, NULL, rig.ctx);
  assert_int_not_equal(status, 0);
  RlxBuf text = {0};
  rig.api->describe(code, status, rig.ctx, &text, NULL);
  assert_string_equal(rlx_buf_text(&text),
                      "shifted: index 40 is out of bounds for dimension 1 of `A`, extent 40");
  rlx_buf_free(&text);
  rig.api->code_free(code);
  rlx_primfunc_free(fast);
  rlx_primfunc_free(f);
}

int main(void) {
  numbers = rlx_test_random(20261121);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matmuls),         cmocka_unit_test(wide_matmul),
      cmocka_unit_test(blocked_by_hand), cmocka_unit_test(convolution),
      cmocka_unit_test(reductions),      cmocka_unit_test(unproved_nests_stay),
  };
  return cmocka_run_group_tests(tests, rig_up, rig_down);
}
