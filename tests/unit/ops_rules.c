// Deduction rules, called by hand: what an operator makes of StructInfos, and what it reports. The
// wide net is ../shared/conformance/ops.py; here stand the forms that a rule must tell apart
// whatever drives it.
#include "analyzer/ops/ops.h"
#include "tests/test.h"

#include <string.h>

typedef struct Bench {
  RlxStore *store;
  RlxArena *arena;
  RlxSink sink;
  RlxDeduce d;
  const RlxPrim *n;
} Bench;

static void open_bench(Bench *b) {
  memset(b, 0, sizeof *b);
  b->store = rlx_store_new();
  b->arena = rlx_arena_new();
  b->sink.arena = b->arena;
  b->d = (RlxDeduce){.store = b->store, .scratch = b->arena, .sink = &b->sink};
  b->n = rlx_prim_var(
      b->store, rlx_symvar(b->store, 1, rlx_store_intern(b->store, "n", 1), RLX_INT64, false));
}

static void close_bench(Bench *b) {
  rlx_vec_free(&b->sink.diags);
  rlx_arena_free(b->arena);
  rlx_store_free(b->store);
}

static RlxValue expr(Bench *b, const RlxSInfo *sinfo) {
  RlxExpr *x = rlx_arena_one(b->arena, RlxExpr);
  x->kind = RLX_EXPR_VAR;
  x->var = rlx_arena_one(b->arena, RlxVar);
  x->sinfo = sinfo;
  return (RlxValue){.kind = RLX_VALUE_EXPR, .expr = x};
}

/// A float32 tensor; a dimension of 0 stands for n.
static RlxValue tensor(Bench *b, int ndim, const int64_t *dims) {
  const RlxPrim **p = rlx_dims_new(&b->d, ndim);
  for (int i = 0; i < ndim; i++) p[i] = dims[i] ? rlx_dim(&b->d, dims[i]) : b->n;
  return expr(b, rlx_sinfo_tensor(b->store, p, ndim, RLX_FLOAT32, NULL));
}

static RlxValue ints(Bench *b, int count, const int64_t *values) {
  RlxValue v = {.kind = RLX_VALUE_LIST,
                .count = (uint32_t)count,
                .items = rlx_arena_array(b->arena, RlxValue, count + 1)};
  for (int i = 0; i < count; i++)
    v.items[i] = (RlxValue){.kind = RLX_VALUE_INT, .integer = values[i]};
  return v;
}

static RlxValue number(int64_t k) { return (RlxValue){.kind = RLX_VALUE_INT, .integer = k}; }
static RlxValue none(void) { return (RlxValue){.kind = RLX_VALUE_NONE}; }

/// What the operator deduces, as text; the reported codes behind it ("… RLX0303").
static const char *deduced(Bench *b, const char *op, RlxValue *args, uint32_t count) {
  const RlxOpRow *row = rlx_op_find(op, strlen(op));
  assert_non_null(row);
  RlxCall call = {.row = row,
                  .args = rlx_arena_array(b->arena, RlxValue, row->param_count + 1),
                  .arg_count = (uint32_t)row->param_count};
  for (uint32_t i = 0; i < count; i++) call.args[i] = args[i];
  rlx_vec_clear(&b->sink.diags);
  b->d.failed = false;
  const RlxSInfo *sinfo = row->deduce(&b->d, &call);
  assert_non_null(sinfo);
  assert_true(b->d.failed == (b->sink.diags.count > 0));
  RlxBuf text = {0};
  rlx_sinfo_print(b->store, sinfo, &text);
  for (uint32_t i = 0; i < b->sink.diags.count; i++)
    rlx_buf_printf(&text, " %s", rlx_diag_row(b->sink.diags.at[i]->id)->code);
  const char *kept = rlx_arena_strdup(b->arena, rlx_buf_text(&text));
  rlx_buf_free(&text);
  return kept;
}

#define CHECK(expected, op, ...)                                                                   \
  do {                                                                                             \
    RlxValue args_[] = {__VA_ARGS__};                                                              \
    assert_string_equal(deduced(b, op, args_, sizeof args_ / sizeof args_[0]), expected);          \
  } while (0)
#define T(...)                                                                                     \
  tensor(b, (int)(sizeof(int64_t[]){__VA_ARGS__} / sizeof(int64_t)), (int64_t[]){__VA_ARGS__})
#define L(...)                                                                                     \
  ints(b, (int)(sizeof(int64_t[]){__VA_ARGS__} / sizeof(int64_t)), (int64_t[]){__VA_ARGS__})

static void broadcasts(void **state) {
  (void)state;
  Bench bench, *b = &bench;
  open_bench(b);
  CHECK("R.Tensor((2, 3), dtype=\"float32\")", "add", T(2, 1), T(3));
  CHECK("R.Tensor((n, 3), dtype=\"float32\")", "add", T(0, 3), T(1, 1));
  CHECK("R.Tensor(dtype=\"float32\", ndim=2)", "add", T(0, 3), T(2, 3));
  CHECK("R.Tensor(dtype=\"float32\", ndim=2) RLX0303", "add", T(2, 3), T(2, 4));
  CHECK("R.Tensor(dtype=\"float32\", ndim=2) RLX0303", "add", T(4, 0),
        T(3, 7)); // also behind an undecided pair
  CHECK("R.Tensor((2, 3), dtype=\"bool\")", "less", T(2, 3), T(3));
  close_bench(b);
}

static void moves_axes(void **state) {
  (void)state;
  Bench bench, *b = &bench;
  open_bench(b);
  CHECK("R.Tensor((4, 3, 2), dtype=\"float32\")", "permute_dims", T(2, 3, 4), none());
  CHECK("R.Tensor((3, n), dtype=\"float32\")", "permute_dims", T(0, 3), L(-1, 0));
  CHECK("R.Tensor(dtype=\"float32\", ndim=2) RLX0304", "permute_dims", T(0, 3), L(0, 0));
  CHECK("R.Tensor(dtype=\"float32\", ndim=2) RLX0305", "permute_dims", T(0, 3), L(0, 2));
  CHECK("R.Tensor(dtype=\"float32\", ndim=2) RLX0306", "permute_dims", T(0, 3), L(0));
  CHECK("R.Tensor((2, 1, 3), dtype=\"float32\")", "expand_dims", T(2, 3), L(1));
  CHECK("R.Tensor((2, 3), dtype=\"float32\")", "squeeze", T(2, 1, 3), none());
  CHECK("R.Tensor((n * 6,), dtype=\"float32\")", "flatten", T(0, 6));
  close_bench(b);
}

static void reshapes(void **state) {
  (void)state;
  Bench bench, *b = &bench;
  open_bench(b);
  CHECK("R.Tensor((3, 2), dtype=\"float32\")", "reshape", T(2, 3), L(-1, 2));
  CHECK("R.Tensor((2, 3, 1), dtype=\"float32\")", "reshape", T(2, 3), L(0, -1, 1));
  CHECK("R.Tensor((n, 8), dtype=\"float32\")", "reshape", T(0, 2, 4), L(-1, 8));
  CHECK("R.Tensor((4, 2), dtype=\"float32\") RLX0313", "reshape", T(2, 3), L(4, 2));
  CHECK("R.Tensor(dtype=\"float32\", ndim=2) RLX0314", "reshape", T(2, 3), L(-1, -1));
  close_bench(b);
}

static void reduces_and_multiplies(void **state) {
  (void)state;
  Bench bench, *b = &bench;
  open_bench(b);
  CHECK("R.Tensor((), dtype=\"float32\")", "sum", T(2, 3));
  CHECK("R.Tensor((n, 1), dtype=\"float32\")", "sum", T(0, 3), L(-1),
        (RlxValue){.kind = RLX_VALUE_BOOL, .boolean = true});
  CHECK("R.Tensor((2,), dtype=\"int64\")", "argmax", T(2, 3), number(1));
  CHECK("R.Tensor((n, 4), dtype=\"float32\")", "matmul", T(0, 3), T(3, 4));
  CHECK("R.Tensor((4,), dtype=\"float32\")", "matmul", T(3), T(3, 4));
  CHECK("R.Tensor((2, 4), dtype=\"float32\") RLX0315", "matmul", T(2, 3), T(5, 4));
  close_bench(b);
}

static void wrong_kinds_are_reported_once(void **state) {
  (void)state;
  Bench bench, *b = &bench;
  open_bench(b);
  RlxValue object = expr(b, rlx_sinfo_object(b->store)), unknown = {.kind = RLX_VALUE_UNKNOWN};
  CHECK("R.Tensor RLX0301", "exp", object);
  CHECK("R.Tensor RLX0301", "add", object, T(2));
  CHECK("R.Tensor", "exp", unknown); // only Python knows: nothing to say
  CHECK("R.Tensor(dtype=\"float32\", ndim=2)", "permute_dims", T(2, 3), unknown);
  close_bench(b);
}

/// Every rule with arguments of every kind, in every place: it answers and does not crash.
static void nothing_crashes(void **state) {
  (void)state;
  Bench bench, *b = &bench;
  open_bench(b);
  RlxName name = rlx_store_intern(b->store, "NCHW4c->...", 11);
  RlxValue items = L(-1, 0, 7), pair[2] = {T(2, 3), T(0)};
  RlxValue tuple = {.kind = RLX_VALUE_LIST, .count = 2, .items = pair},
           empty = {.kind = RLX_VALUE_LIST};
  const RlxValue kinds[] = {
      none(),
      {.kind = RLX_VALUE_ABSENT},
      {.kind = RLX_VALUE_UNKNOWN},
      {.kind = RLX_VALUE_OTHER, .text = "a module"},
      number(0),
      number(-1),
      number(INT64_MAX),
      number(INT64_MIN),
      {.kind = RLX_VALUE_FLOAT, .number = 1e300},
      {.kind = RLX_VALUE_STR, .string = name},
      {.kind = RLX_VALUE_PRIM, .prim = b->n},
      {.kind = RLX_VALUE_SINFO, .sinfo = rlx_sinfo_object(b->store)},
      items,
      tuple,
      empty,
      T(1),
      T(2, 0, 4),
      T(0, 3, 8, 8),
      expr(b, rlx_sinfo_tensor(b->store, rlx_dims_new(&b->d, 0), 0, RLX_INT64, NULL)),
      expr(b, rlx_sinfo_tensor_ndim(b->store, -1, rlx_dtype_unknown(), NULL)),
      expr(b, rlx_sinfo_tensor_ndim(b->store, 4, RLX_FLOAT32, NULL)),
      expr(b, rlx_sinfo_shape(b->store, NULL, -1)),
      expr(b, rlx_sinfo_prim(b->store, RLX_INT64, NULL)),
      expr(b, rlx_sinfo_tuple(b->store, NULL, 0)),
      expr(b, rlx_sinfo_object(b->store)),
  };
  enum { KINDS = sizeof kinds / sizeof kinds[0] };
  RlxTestRandom random = rlx_test_random(7);
  int count;
  const RlxOpRow *rows = rlx_op_rows(&count);
  for (int i = 0; i < count; i++) {
    for (int round = 0; round < 400; round++) {
      RlxArenaMark mark = rlx_arena_mark(b->arena);
      RlxCall call = {.row = &rows[i],
                      .args = rlx_arena_array(b->arena, RlxValue, rows[i].param_count + 1),
                      .arg_count = (uint32_t)rows[i].param_count};
      uint32_t usual = 15 + rlx_test_below(&random, 6);
      for (int k = 0; k < rows[i].param_count; k++) {
        bool tensor_like = rows[i].params[k].kind == RLX_PARAM_TENSOR && rlx_test_below(&random, 4);
        call.args[k] = kinds[tensor_like ? usual : rlx_test_below(&random, KINDS)];
        if (rows[i].params[k].is_variadic) call.args[k] = tuple;
      }
      b->d.failed = false;
      if (!rows[i].deduce(&b->d, &call)) fail_msg("%s gives nothing", rows[i].registry);
      bool has_error = false;
      for (uint32_t k = 0; k < b->sink.diags.count; k++) {
        has_error |= b->sink.diags.at[k]->severity == RLX_ERROR;
        assert_null(strchr(b->sink.diags.at[k]->message, '{'));
      }
      if (b->d.failed ? !b->sink.diags.count : has_error)
        fail_msg("%s: failed without a report, or an error without failing", rows[i].registry);
      rlx_vec_clear(&b->sink.diags);
      rlx_arena_rewind(b->arena, mark);
    }
  }
  close_bench(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(broadcasts),
      cmocka_unit_test(moves_axes),
      cmocka_unit_test(reshapes),
      cmocka_unit_test(reduces_and_multiplies),
      cmocka_unit_test(wrong_kinds_are_reported_once),
      cmocka_unit_test(nothing_crashes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
