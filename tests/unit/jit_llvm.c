/// PrimFuncs built by hand, compiled, and compared with plain C.
#include "tests/unit/jit_llvm.h"

typedef RlxTirExpr *Maker(RlxPrimFunc *f, RlxTirExpr *a, RlxTirExpr *b, const void *data);

/// C[i] = make(A[i], B[i]) for i < n, n symbolic.
static RlxKernelFn *elementwise(RlxDType in, RlxDType out, Maker *make, const void *data) {
  RlxPrimFunc *f = rlx_primfunc_new(name_of("ew"));
  RlxTirVar *n = index_var(f, "n"), *i = index_var(f, "i");
  RlxTirBuffer *a = param1(f, "A", in, use(f, n)), *b = param1(f, "B", in, use(f, n)),
               *c = param1(f, "C", out, use(f, n));
  RlxTirExpr *value = make(f, load1(f, a, use(f, i)), load1(f, b, use(f, i)), data);
  f->body = loop(f, i, use(f, n), store1(f, c, use(f, i), value));
  return compiled(f, false);
}

static RlxTirExpr *make_binary(RlxPrimFunc *f, RlxTirExpr *a, RlxTirExpr *b, const void *data) {
  return rlx_tir_binary(f, *(const RlxTirExprKind *)data, a, b);
}

static RlxTirExpr *make_call(RlxPrimFunc *f, RlxTirExpr *a, RlxTirExpr *b, const void *data) {
  const char *name = data;
  RlxTirExpr *args[2] = {a, b};
  bool two = !strcmp(name, "pow") || !strcmp(name, "atan2");
  return rlx_tir_call(f, name_of(name), a->dtype, args, two ? 2 : 1);
}

static int32_t run3(RlxKernelFn *fn, const void *a, const void *b, void *c, int64_t n) {
  union {
    const void *in;
    void *out;
  } x = {a}, y = {b};
  void *data[3] = {x.out, y.out, c};
  return fn(data, &n, rig.ctx);
}

enum { COUNT = 67 }; // not a multiple of any vector

#define INT_CASE(type, dtype_value)                                                                \
  static void check_##type(void) {                                                                 \
    static const RlxTirExprKind kinds[] = {RLX_TIR_ADD,      RLX_TIR_SUB,      RLX_TIR_MUL,        \
                                           RLX_TIR_FLOORDIV, RLX_TIR_FLOORMOD, RLX_TIR_TRUNCDIV,   \
                                           RLX_TIR_TRUNCMOD, RLX_TIR_MIN,      RLX_TIR_MAX,        \
                                           RLX_TIR_BITAND,   RLX_TIR_BITXOR};                      \
    type a[COUNT], b[COUNT], c[COUNT];                                                             \
    for (int i = 0; i < COUNT; i++) {                                                              \
      a[i] = (type)(i * 37 - 800);                                                                 \
      b[i] = (type)(i % 11 - 5);                                                                   \
    }                                                                                              \
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {                                    \
      RlxKernelFn *fn = elementwise(dtype_value, dtype_value, make_binary, &kinds[k]);             \
      assert_non_null(fn);                                                                         \
      assert_int_equal(run3(fn, a, b, c, COUNT), 0);                                               \
      for (int i = 0; i < COUNT; i++) {                                                            \
        type x = a[i], y = b[i], want = 0;                                                         \
        if (kinds[k] == RLX_TIR_ADD) want = (type)((uint64_t)x + (uint64_t)y);                     \
        if (kinds[k] == RLX_TIR_SUB) want = (type)((uint64_t)x - (uint64_t)y);                     \
        if (kinds[k] == RLX_TIR_MUL) want = (type)((uint64_t)x * (uint64_t)y);                     \
        if (kinds[k] == RLX_TIR_MIN) want = x < y ? x : y;                                         \
        if (kinds[k] == RLX_TIR_MAX) want = x > y ? x : y;                                         \
        if (kinds[k] == RLX_TIR_BITAND) want = x & y;                                              \
        if (kinds[k] == RLX_TIR_BITXOR) want = x ^ y;                                              \
        if (y != 0) {                                                                              \
          type q = (type)(x / y), r = (type)(x % y);                                               \
          bool off = r != 0 && (r < 0) != (y < 0);                                                 \
          if (kinds[k] == RLX_TIR_FLOORDIV) want = (type)(off ? q - 1 : q);                        \
          if (kinds[k] == RLX_TIR_FLOORMOD) want = (type)(off ? r + y : r);                        \
          if (kinds[k] == RLX_TIR_TRUNCDIV) want = q;                                              \
          if (kinds[k] == RLX_TIR_TRUNCMOD) want = r;                                              \
        }                                                                                          \
        if (c[i] != want)                                                                          \
          fail_msg(#type " kind %d: %lld, %lld gave %lld, not %lld", (int)kinds[k], (long long)x,  \
                   (long long)y, (long long)c[i], (long long)want);                                \
      }                                                                                            \
    }                                                                                              \
  }
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wtype-limits"
INT_CASE(int8_t, rlx_dtype(RLX_DTYPE_INT, 8))
INT_CASE(int32_t, RLX_INT32)
INT_CASE(int64_t, RLX_INT64)
INT_CASE(uint8_t, rlx_dtype(RLX_DTYPE_UINT, 8))
INT_CASE(uint64_t, rlx_dtype(RLX_DTYPE_UINT, 64))
#pragma GCC diagnostic pop

static void integers(void **state) {
  NEEDS_LLVM();
  check_int8_t();
  check_int32_t();
  check_int64_t();
  check_uint8_t();
  check_uint64_t();
}

static void int_min_by_minus_one_does_not_trap(void **state) {
  NEEDS_LLVM();
  RlxTirExprKind kind = RLX_TIR_TRUNCDIV;
  RlxKernelFn *fn = elementwise(RLX_INT32, RLX_INT32, make_binary, &kind);
  int32_t a[2] = {INT32_MIN, 7}, b[2] = {-1, 0}, c[2];
  assert_int_equal(run3(fn, a, b, c, 2), 0);
  assert_int_equal(c[0], INT32_MIN);
  assert_int_equal(c[1], 0);
}

// ---- float functions, in units of the last place

typedef struct Function {
  const char *name;
  double (*exact)(double);
  double low, high, ulps;
} Function;

static double exact_sigmoid(double x) { return 1.0 / (1.0 + exp(-x)); }
static double exact_rsqrt(double x) { return 1.0 / sqrt(x); }

static const Function functions[] = {
    {"exp", exp, -104, 89, 2},      {"exp2", exp2, -149, 128, 2},
    {"log", log, 1e-42, 1e38, 2},   {"tanh", tanh, -12, 12, 2},
    {"erf", erf, -5, 5, 2},         {"sigmoid", exact_sigmoid, -80, 80, 3},
    {"sqrt", sqrt, 0, 1e30, 1},     {"rsqrt", exact_rsqrt, 1e-30, 1e30, 2},
    {"sin", sin, -100, 100, 2},     {"cos", cos, -100, 100, 2},
    {"tan", tan, -1.5, 1.5, 2},     {"log2", log2, 1e-30, 1e30, 2},
    {"log1p", log1p, -0.9, 100, 2}, {"expm1", expm1, -10, 80, 2},
    {"asin", asin, -1, 1, 2},       {"atan", atan, -50, 50, 2},
    {"sinh", sinh, -80, 80, 3},     {"cosh", cosh, -80, 80, 3},
    {"floor", floor, -1e6, 1e6, 0}, {"ceil", ceil, -1e6, 1e6, 0},
    {"trunc", trunc, -1e6, 1e6, 0}, {"round", rint, -1e6, 1e6, 0},
    {"fabs", fabs, -1e6, 1e6, 0},
};

static double ulp_of(float x) {
  float magnitude = fabsf(x);
  return (double)nextafterf(magnitude, INFINITY) - (double)magnitude;
}

static void float32_functions(void **state) {
  NEEDS_LLVM();
  enum { STEPS = 20001 };
  static float a[STEPS], c[STEPS];
  for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
    const Function *fun = &functions[k];
    RlxKernelFn *fn = elementwise(RLX_FLOAT32, RLX_FLOAT32, make_call, fun->name);
    assert_non_null(fn);
    bool logarithmic = fun->low > 0 && fun->high / fun->low > 1e10;
    for (int i = 0; i < STEPS; i++) {
      double t = (double)i / (STEPS - 1);
      a[i] = (float)(logarithmic ? fun->low * pow(fun->high / fun->low, t)
                                 : fun->low + (fun->high - fun->low) * t);
    }
    assert_int_equal(run3(fn, a, a, c, STEPS), 0);
    double worst = 0;
    float where = 0;
    for (int i = 0; i < STEPS; i++) {
      double want = fun->exact((double)a[i]);
      if (isinf((float)want) || isnan(want)) continue;
      double error = fabs((double)c[i] - want) / ulp_of((float)want);
      if (!(error <= worst)) worst = error, where = a[i];
    }
    printf("  %-8s %.2f ulp at %g\n", fun->name, worst, (double)where);
    if (!(worst <= fun->ulps)) fail_msg("%s: %.2f ulp at %.9g", fun->name, worst, (double)where);
  }
}

static void special_values(void **state) {
  NEEDS_LLVM();
  const float inf = INFINITY;
  static const char *const names[] = {"exp", "log", "tanh", "erf", "sigmoid", "sqrt", "exp2"};
  double (*const exact[])(double) = {exp, log, tanh, erf, exact_sigmoid, sqrt, exp2};
  float a[12] = {0.0f,     -0.0f,  inf,     -inf,  NAN,   1000.0f,
                 -1000.0f, 1e-45f, -1e-45f, 88.9f, -1.0f, 3e38f},
        c[12];
  for (int k = 0; k < 7; k++) {
    RlxKernelFn *fn = elementwise(RLX_FLOAT32, RLX_FLOAT32, make_call, names[k]);
    assert_int_equal(run3(fn, a, a, c, 12), 0);
    for (int i = 0; i < 12; i++) {
      float want = (float)exact[k]((double)a[i]);
      bool same =
          isnan(want) ? isnan(c[i]) : want == c[i] || fabsf(want - c[i]) <= 3e-7f * fabsf(want);
      if (!same)
        fail_msg("%s(%g) gave %g, not %g", names[k], (double)a[i], (double)c[i], (double)want);
    }
  }
}

static void float64_functions(void **state) {
  NEEDS_LLVM();
  for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
    const Function *fun = &functions[k];
    RlxKernelFn *fn = elementwise(RLX_FLOAT64, RLX_FLOAT64, make_call, fun->name);
    assert_non_null(fn);
    double a[COUNT], c[COUNT];
    for (int i = 0; i < COUNT; i++) a[i] = fun->low + (fun->high - fun->low) * i / (COUNT - 1);
    assert_int_equal(run3(fn, a, a, c, COUNT), 0);
    for (int i = 0; i < COUNT; i++) {
      double want = fun->exact(a[i]);
      if (!(c[i] == want || fabs(c[i] - want) <= 1e-14 * fabs(want)))
        fail_msg("%s(%.17g) gave %.17g, not %.17g", fun->name, a[i], c[i], want);
    }
  }
}

// ---- 16-bit floats, bool, casts

static RlxTirExpr *make_cast(RlxPrimFunc *f, RlxTirExpr *a, RlxTirExpr *b, const void *data) {
  (void)b;
  return rlx_tir_cast(f, *(const RlxDType *)data, a);
}

static void bfloat16_rounds_to_even(void **state) {
  NEEDS_LLVM();
  RlxDType bf = rlx_dtype(RLX_DTYPE_BFLOAT, 16);
  RlxKernelFn *fn = elementwise(RLX_FLOAT32, bf, make_cast, &bf);
  float a[4] = {1.0f, 1.00390625f, 1.01171875f, NAN};
  uint16_t c[4];
  assert_int_equal(run3(fn, a, a, c, 4), 0);
  assert_int_equal(c[0], 0x3f80);
  assert_int_equal(c[1], 0x3f80); // half way, to even
  assert_int_equal(c[2], 0x3f82);
  assert_true((c[3] & 0x7fff) > 0x7f80);
}

static void float16_computes_in_float32(void **state) {
  NEEDS_LLVM();
  RlxDType half = rlx_dtype(RLX_DTYPE_FLOAT, 16);
  RlxTirExprKind kind = RLX_TIR_ADD;
  RlxKernelFn *fn = elementwise(half, half, make_binary, &kind);
  uint16_t a[3] = {0x3c00, 0x4248, 0x7bff}, b[3] = {0x3c00, 0x3800, 0x7bff},
           c[3]; // 1 + 1, 3.140625 + 0.5, max + max
  assert_int_equal(run3(fn, a, b, c, 3), 0);
  assert_int_equal(c[0], 0x4000);
  assert_int_equal(c[1], 0x4348);
  assert_int_equal(c[2], 0x7c00);
}

static void casts_wrap(void **state) {
  NEEDS_LLVM();
  RlxDType u8 = rlx_dtype(RLX_DTYPE_UINT, 8), i32 = RLX_INT32;
  RlxKernelFn *fn = elementwise(RLX_FLOAT32, u8, make_cast, &u8);
  float a[4] = {-1.0f, 3.9f, 255.0f, 256.0f};
  uint8_t c[4];
  assert_int_equal(run3(fn, a, a, c, 4), 0);
  assert_int_equal(c[0], 255);
  assert_int_equal(c[1], 3);
  assert_int_equal(c[2], 255);
  assert_int_equal(c[3], 0);
  fn = elementwise(RLX_BOOL, RLX_INT32, make_cast, &i32);
  uint8_t flags[3] = {0, 1, 7};
  int32_t ints[3];
  assert_int_equal(run3(fn, flags, flags, ints, 3), 0);
  assert_int_equal(ints[2], 1);
}

static void comparisons_give_bool(void **state) {
  NEEDS_LLVM();
  RlxTirExprKind kind = RLX_TIR_LT;
  RlxKernelFn *fn = elementwise(RLX_FLOAT32, RLX_BOOL, make_binary, &kind);
  float a[3] = {1, 2, NAN}, b[3] = {2, 2, 1};
  uint8_t c[3];
  assert_int_equal(run3(fn, a, b, c, 3), 0);
  assert_int_equal(c[0], 1);
  assert_int_equal(c[1], 0);
  assert_int_equal(c[2], 0);
}

static void nothing_for_zero_elements(void **state) {
  NEEDS_LLVM();
  RlxTirExprKind kind = RLX_TIR_ADD;
  RlxKernelFn *fn = elementwise(RLX_FLOAT32, RLX_FLOAT32, make_binary, &kind);
  float c = 5;
  assert_int_equal(run3(fn, NULL, NULL, &c, 0), 0);
  assert_true(c == 5);
}

// ---- blocks, reductions, matmul as TVM writes it

static RlxPrimFunc *matmul_func(int64_t n, int64_t m, int64_t depth, RlxDType t) {
  RlxPrimFunc *f = rlx_primfunc_new(name_of("matmul"));
  RlxTirBuffer *a = param2(f, "A", t, i64(f, n), i64(f, depth)),
               *b = param2(f, "B", t, i64(f, depth), i64(f, m));
  RlxTirBuffer *c = param2(f, "C", t, i64(f, n), i64(f, m));
  RlxTirVar *i = index_var(f, "i"), *j = index_var(f, "j"), *k = index_var(f, "k");
  RlxTirVar *vi = index_var(f, "vi"), *vj = index_var(f, "vj"), *vk = index_var(f, "vk");
  RlxTirIterVar iters[3] = {{vi, i64(f, n), NULL, use(f, i), RLX_ITER_DATA_PAR},
                            {vj, i64(f, m), NULL, use(f, j), RLX_ITER_DATA_PAR},
                            {vk, i64(f, depth), NULL, use(f, k), RLX_ITER_REDUCE}};
  RlxTirExpr *zero = rlx_dtype_is_float(t) ? rlx_tir_float(f, 0, t) : rlx_tir_int(f, 0, t);
  RlxTirStmt *init = store2(f, c, use(f, vi), use(f, vj), zero);
  RlxTirExpr *product =
      bin(f, RLX_TIR_MUL, load2(f, a, use(f, vi), use(f, vk)), load2(f, b, use(f, vk), use(f, vj)));
  RlxTirStmt *body = store2(f, c, use(f, vi), use(f, vj),
                            bin(f, RLX_TIR_ADD, load2(f, c, use(f, vi), use(f, vj)), product));
  RlxTirStmt *block = rlx_tir_block(f, name_of("matmul"), iters, 3, init, body);
  f->body = loop(f, i, i64(f, n), loop(f, j, i64(f, m), loop(f, k, i64(f, depth), block)));
  return f;
}

static void matmul_block(void **state) {
  NEEDS_LLVM();
  enum { N = 9, M = 21, K = 13 };
  float a[N * K], b[K * M], c[N * M];
  for (int i = 0; i < N * K; i++) a[i] = (float)(i % 7) - 3;
  for (int i = 0; i < K * M; i++) b[i] = (float)(i % 5) - 2;
  for (int i = 0; i < N * M; i++) c[i] = 99;
  RlxKernelFn *fn = compiled(matmul_func(N, M, K, RLX_FLOAT32), false);
  assert_non_null(fn);
  void *data[3] = {a, b, c};
  assert_int_equal(fn(data, NULL, rig.ctx), 0);
  for (int i = 0; i < N; i++)
    for (int j = 0; j < M; j++) {
      float want = 0;
      for (int k = 0; k < K; k++) want += a[i * K + k] * b[k * M + j];
      assert_true(c[i * M + j] == want);
    }
}

// ---- bounds

static void out_of_bounds_is_an_error(void **state) {
  NEEDS_LLVM();
  RlxPrimFunc *f = rlx_primfunc_new(name_of("shifted"));
  RlxTirVar *n = index_var(f, "n"), *i = index_var(f, "i");
  RlxTirBuffer *a = param1(f, "A", RLX_FLOAT32, use(f, n)),
               *c = param1(f, "C", RLX_FLOAT32, use(f, n));
  RlxTirExpr *next = bin(f, RLX_TIR_ADD, use(f, i), i64(f, 1));
  f->body = loop(f, i, use(f, n), store1(f, c, use(f, i), load1(f, a, next)));
  RlxKernelFn *fn = compiled(f, false);
  float in[4] = {1, 2, 3, 4}, out[4] = {0};
  void *data[2] = {in, out};
  int64_t size = 4;
  int32_t status = fn(data, &size, rig.ctx);
  assert_int_not_equal(status, 0);
  assert_true(out[2] == 4);
  RlxBuf text = {0};
  rig.api->describe(rig.code, status, rig.ctx, &text, NULL);
  assert_string_equal(rlx_buf_text(&text),
                      "shifted: index 4 is out of bounds for dimension 0 of `A`, extent 4");
  rlx_buf_free(&text);
}

/// C[i] = A[i // 4 * 4 + i % 4] within a predicate: every access is proved, so nothing is checked.
static void proved_accesses_cost_nothing(void **state) {
  NEEDS_LLVM();
  RlxPrimFunc *f = rlx_primfunc_new(name_of("proved"));
  RlxTirVar *o = index_var(f, "o"), *i = index_var(f, "i"), *v = index_var(f, "v");
  RlxTirBuffer *a = param1(f, "A", RLX_FLOAT32, i64(f, 30)),
               *c = param1(f, "C", RLX_FLOAT32, i64(f, 30));
  RlxTirExpr *at = bin(f, RLX_TIR_ADD, bin(f, RLX_TIR_MUL, use(f, o), i64(f, 4)), use(f, i));
  RlxTirIterVar iter = {v, i64(f, 30), NULL, at, RLX_ITER_DATA_PAR};
  RlxTirStmt *block = rlx_tir_block(f, name_of("b"), &iter, 1, NULL,
                                    store1(f, c, use(f, v), load1(f, a, use(f, v))));
  block->block->predicate = bin(f, RLX_TIR_LT, at, i64(f, 30));
  f->body = loop(f, o, i64(f, 8), loop(f, i, i64(f, 4), block));
  RlxUnitFunc func = {.func = f, .symbol = "f"};
  RlxUnit unit = {.names = rig.names, .funcs = &func, .func_count = 1};
  RlxBuf text = {0};
  RlxError err;
  assert_true(rig.api->text(rig.engine, &unit, RLX_TEXT_LLVM_RAW, &text, &err));
  assert_null(strstr(rlx_buf_text(&text), "bad:"));
  rlx_buf_free(&text);
  RlxKernelFn *fn = compiled(f, false);
  float in[30], out[30];
  for (int k = 0; k < 30; k++) in[k] = (float)k;
  void *data[2] = {in, out};
  assert_int_equal(fn(data, NULL, rig.ctx), 0);
  assert_memory_equal(in, out, sizeof in);
}

// ---- loop kinds, guards, workspaces

static void parallel_vectorized_unrolled(void **state) {
  NEEDS_LLVM();
  static const RlxTirForKind kinds[] = {RLX_FOR_PARALLEL, RLX_FOR_VECTORIZED, RLX_FOR_UNROLLED,
                                        RLX_FOR_THREAD_BINDING};
  for (int k = 0; k < 4; k++) {
    RlxPrimFunc *f = rlx_primfunc_new(name_of("loops"));
    RlxTirVar *i = index_var(f, "i"), *j = rlx_tir_var(f, name_of("j"), RLX_INT32);
    RlxTirBuffer *a = param2(f, "A", RLX_FLOAT32, i64(f, 40), i64(f, 16)),
                 *c = param2(f, "C", RLX_FLOAT32, i64(f, 16), i64(f, 40));
    RlxTirExpr *wide = rlx_tir_cast(f, RLX_FLOAT32, use(f, j));
    RlxTirStmt *body = store2(f, c, use(f, j), use(f, i),
                              bin(f, RLX_TIR_ADD, load2(f, a, use(f, i), use(f, j)), wide));
    RlxTirStmt *inner =
        rlx_tir_for(f, j, rlx_tir_int(f, 16, RLX_INT32), k == 0 ? RLX_FOR_SERIAL : kinds[k], body);
    f->body = rlx_tir_for(f, i, i64(f, 40), k == 0 ? RLX_FOR_PARALLEL : RLX_FOR_SERIAL, inner);
    RlxKernelFn *fn = compiled(f, false);
    assert_non_null(fn);
    float in[640], out[640];
    for (int at = 0; at < 640; at++) in[at] = (float)at;
    void *data[2] = {in, out};
    assert_int_equal(fn(data, NULL, rig.ctx), 0);
    for (int x = 0; x < 40; x++)
      for (int y = 0; y < 16; y++) assert_true(out[y * 40 + x] == in[x * 16 + y] + (float)y);
  }
}

/// C[i] = i >= 1 ? A[i - 1] : 0, guarded by T.if_then_else.
static void guarded_loads(void **state) {
  NEEDS_LLVM();
  RlxPrimFunc *f = rlx_primfunc_new(name_of("pad"));
  RlxTirVar *n = index_var(f, "n"), *i = index_var(f, "i");
  RlxTirBuffer *a = param1(f, "A", RLX_FLOAT32, use(f, n)),
               *c = param1(f, "C", RLX_FLOAT32, use(f, n));
  RlxTirExpr *before = load1(f, a, bin(f, RLX_TIR_SUB, use(f, i), i64(f, 1)));
  RlxTirExpr *value = rlx_tir_if_then_else(f, bin(f, RLX_TIR_LE, i64(f, 1), use(f, i)), before,
                                           rlx_tir_float(f, 0, RLX_FLOAT32));
  f->body = loop(f, i, use(f, n), store1(f, c, use(f, i), value));
  RlxKernelFn *fn = compiled(f, false);
  float in[COUNT], out[COUNT];
  for (int k = 0; k < COUNT; k++) in[k] = (float)k + 1;
  void *data[2] = {in, out};
  int64_t size = COUNT;
  assert_int_equal(fn(data, &size, rig.ctx), 0);
  for (int k = 0; k < COUNT; k++) assert_true(out[k] == (float)k);
}

/// A large temporary comes from the context and goes back to it, also within parallel loops.
static void workspace_is_given_back(void **state) {
  NEEDS_LLVM();
  RlxPrimFunc *f = rlx_primfunc_new(name_of("temporary"));
  RlxTirVar *n = index_var(f, "n"), *i = index_var(f, "i"), *j = index_var(f, "j"),
            *k = index_var(f, "k");
  RlxTirBuffer *a = param2(f, "A", RLX_FLOAT32, i64(f, 6), use(f, n)),
               *c = param2(f, "C", RLX_FLOAT32, i64(f, 6), use(f, n));
  RlxTirBuffer *t = buffer1(f, "T", RLX_FLOAT32, use(f, n));
  RlxTirStmt *fill = loop(f, j, use(f, n),
                          store1(f, t, use(f, j),
                                 bin(f, RLX_TIR_MUL, load2(f, a, use(f, i), use(f, j)),
                                     rlx_tir_float(f, 2, RLX_FLOAT32))));
  RlxTirExpr *last = bin(f, RLX_TIR_SUB, bin(f, RLX_TIR_SUB, use(f, n), i64(f, 1)), use(f, k));
  RlxTirStmt *copy = loop(f, k, use(f, n), store2(f, c, use(f, i), use(f, k), load1(f, t, last)));
  RlxTirStmt *both[2] = {fill, copy};
  // The second loop must not take the first one's buffer along.
  RlxTirVar *again = index_var(f, "again");
  RlxTirStmt *nothing =
      store2(f, c, use(f, again), i64(f, 0), load2(f, c, use(f, again), i64(f, 0)));
  RlxTirStmt *loops[2] = {
      rlx_tir_for(f, i, i64(f, 6), RLX_FOR_PARALLEL, rlx_tir_alloc(f, t, rlx_tir_seq(f, both, 2))),
      rlx_tir_for(f, again, i64(f, 6), RLX_FOR_PARALLEL, nothing)};
  f->body = rlx_tir_seq(f, loops, 2);
  RlxKernelFn *fn = compiled(f, false);
  assert_non_null(fn);
  enum { SIZE = 5000 };
  float *in = calloc(6 * SIZE, sizeof *in), *out = calloc(6 * SIZE, sizeof *out);
  for (int x = 0; x < 6 * SIZE; x++) in[x] = (float)x;
  void *data[2] = {in, out};
  int64_t size = SIZE, held = 0;
  for (int round = 0; round < 20; round++) {
    assert_int_equal(fn(data, &size, rig.ctx), 0);
    if (round == 9) held = rlx_context_held_bytes(rig.ctx);
  }
  assert_true(held > 0 &&
              rlx_context_held_bytes(rig.ctx) <= held + (int64_t)(SIZE * sizeof *in) + 4096);
  assert_true(out[SIZE] == 2 * in[2 * SIZE - 1]);
  free(in);
  free(out);
}

static double extern_twice(double x) { return x + x; }

static void *resolve(const char *name, void *user) {
  (void)user;
  union {
    double (*fn)(double);
    void *raw;
  } address = {extern_twice};
  return strcmp(name, "rlx_test_twice") ? NULL : address.raw;
}

static RlxTirExpr *make_extern(RlxPrimFunc *f, RlxTirExpr *a, RlxTirExpr *b, const void *data) {
  (void)b;
  RlxTirExpr *text = rlx_arena_one(f->arena, RlxTirExpr);
  text->kind = RLX_TIR_STRING;
  text->dtype = rlx_dtype(RLX_DTYPE_HANDLE, 64);
  text->text = data;
  text->text_size = (uint32_t)strlen(data);
  RlxTirExpr *args[2] = {text, a};
  return rlx_tir_call(f, name_of("call_extern"), a->dtype, args, 2);
}

static void extern_calls(void **state) {
  NEEDS_LLVM();
  RlxKernelFn *fn = elementwise(RLX_FLOAT64, RLX_FLOAT64, make_extern, "cbrt");
  assert_non_null(fn);
  double a[1] = {27}, c[1];
  assert_int_equal(run3(fn, a, a, c, 1), 0);
  assert_true(fabs(c[0] - 3) < 1e-12);
  assert_null(elementwise(RLX_FLOAT64, RLX_FLOAT64, make_extern, "no_such_function"));
  RlxEngine *kept = rig.engine;
  RlxEngineOptions options = {.opt_level = 0, .verify = true, .resolve = resolve};
  rig.api->code_free(rig.code);
  rig.code = NULL;
  rig.engine = rig.api->engine_new(&options, NULL);
  for (int round = 0; round < 2; round++) {
    fn = elementwise(RLX_FLOAT64, RLX_FLOAT64, make_extern, "rlx_test_twice");
    assert_non_null(fn);
    assert_int_equal(run3(fn, a, a, c, 1), 0);
    assert_true(c[0] == 54);
  }
  rig.api->code_free(rig.code);
  rig.code = NULL;
  rig.api->engine_free(rig.engine);
  rig.engine = kept;
}

static void what_cannot_be_compiled_says_why(void **state) {
  NEEDS_LLVM();
  RlxPrimFunc *f = rlx_primfunc_new(name_of("strange"));
  RlxTirBuffer *c = param1(f, "C", RLX_FLOAT32, i64(f, 1));
  f->body = store1(f, c, i64(f, 0), rlx_tir_call(f, name_of("tvm_mma_sync"), RLX_FLOAT32, NULL, 0));
  RlxUnitFunc func = {.func = f, .symbol = "f"};
  RlxUnit unit = {.names = rig.names, .funcs = &func, .func_count = 1};
  RlxError err = {0};
  assert_null(rig.api->compile(rig.engine, &unit, &err));
  assert_string_equal(err.text, "strange: T.tvm_mma_sync is not supported by the code generator");
  rlx_primfunc_free(f);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(integers),
      cmocka_unit_test(int_min_by_minus_one_does_not_trap),
      cmocka_unit_test(float32_functions),
      cmocka_unit_test(special_values),
      cmocka_unit_test(float64_functions),
      cmocka_unit_test(bfloat16_rounds_to_even),
      cmocka_unit_test(float16_computes_in_float32),
      cmocka_unit_test(casts_wrap),
      cmocka_unit_test(comparisons_give_bool),
      cmocka_unit_test(nothing_for_zero_elements),
      cmocka_unit_test(matmul_block),
      cmocka_unit_test(out_of_bounds_is_an_error),
      cmocka_unit_test(proved_accesses_cost_nothing),
      cmocka_unit_test(parallel_vectorized_unrolled),
      cmocka_unit_test(guarded_loads),
      cmocka_unit_test(workspace_is_given_back),
      cmocka_unit_test(extern_calls),
      cmocka_unit_test(what_cannot_be_compiled_says_why),
  };
  return cmocka_run_group_tests(tests, rig_up, rig_down);
}
