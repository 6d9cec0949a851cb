// Deduced StructInfo is sound: random calls of every operator of the table that can be evaluated,
// with random concrete tensors. The value has the dtypes and shapes that deduction says, and so it
// has under every coarser description of the same tensors: symbolic dimensions, an unknown shape,
// an unknown rank, an unknown dtype. No operator is named here.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/ops/op_table.h"
#include "jit/jit.h"
#include "jit/runtime/format.h"
#include "tests/prop/holds.h"
#include "tests/test.h"

enum { PARAMS = 8, TRIES = 120, VARIANTS = 8 };

typedef enum Described { SHAPE, RANK, NOTHING } Described;

typedef struct Tensor {
  int ndim;
  int64_t dims[5];
  const char *dtype;
  int fill;            ///< what integers are
  Described described; ///< what the newest script says of its shape
  bool symbolic[5];    ///< SHAPE: which dimensions are variables
} Tensor;

/// A call: the text with its tensors as p0, p1…; a dimension that may be symbolic stands as `<3>`.
typedef struct Call {
  RlxBuf text;
  Tensor tensors[PARAMS];
  int count;
  Tensor base;
  RlxTestRandom *random;
} Call;

static uint32_t below(Call *c, uint32_t bound) { return rlx_test_below(c->random, bound); }

static const char *const dtypes[] = {"float32", "float32", "float32", "float32", "int64", "bool"};

static Tensor random_tensor(Call *c) {
  Tensor t = {.ndim = (int)below(c, 5), .dtype = dtypes[below(c, 6)]};
  for (int i = 0; i < t.ndim; i++) t.dims[i] = 1 + below(c, 4);
  return t;
}

/// Mostly of the first one's shape and dtype, so that operators with several operands take them.
static Tensor next_tensor(Call *c) {
  Tensor t = random_tensor(c);
  uint32_t roll = below(c, 10);
  if (c->count && roll < 7) {
    const char *other = t.dtype;
    t = c->base;
    if (roll == 6) t.dtype = other;
    if (roll == 5 && t.ndim) t.dims[below(c, (uint32_t)t.ndim)] = 1;
    if (roll == 4 && t.ndim) memmove(t.dims, t.dims + 1, (size_t)--t.ndim * sizeof t.dims[0]);
  }
  if (!c->count) c->base = t;
  return t;
}

static bool put_tensor(Call *c) {
  if (c->count == PARAMS) return false;
  c->tensors[c->count] = next_tensor(c);
  rlx_buf_printf(&c->text, "p%d", c->count++);
  return true;
}

static void put_ints(Call *c, bool dims) {
  uint32_t count = below(c, 4);
  rlx_buf_putc(&c->text, '[');
  for (uint32_t i = 0; i < count; i++) {
    int64_t v = dims && c->base.ndim ? c->base.dims[below(c, (uint32_t)c->base.ndim)]
                                     : (int64_t)below(c, 4) - (dims ? 0 : 1);
    rlx_buf_printf(&c->text, dims ? "%s<%lld>" : "%s%lld", i ? ", " : "", (long long)v);
  }
  rlx_buf_putc(&c->text, ']');
}

/// False: this kind is not made up.
static bool put_argument(Call *c, const RlxOpParam *p) {
  if (p->allowed) { // "A|B|C"
    uint32_t count = 1, pick;
    const char *at = p->allowed;
    for (const char *s = at; *s; s++) count += *s == '|';
    for (pick = below(c, count); pick; pick--) at = strchr(at, '|') + 1;
    rlx_buf_printf(&c->text, "\"%.*s\"", (int)strcspn(at, "|"), at);
    return true;
  }
  switch (p->kind) {
  case RLX_PARAM_TENSOR:
  case RLX_PARAM_EXPR: return put_tensor(c);
  case RLX_PARAM_TUPLE:
    rlx_buf_putc(&c->text, '(');
    for (uint32_t i = 0, count = 1 + below(c, 3); i < count; i++) {
      if (!put_tensor(c)) return false;
      rlx_buf_puts(&c->text, ", ");
    }
    rlx_buf_putc(&c->text, ')');
    return true;
  case RLX_PARAM_SHAPE: put_ints(c, true); return true;
  case RLX_PARAM_INTS:
    if (below(c, 2))
      put_ints(c, false);
    else
      rlx_buf_printf(&c->text, "%d", (int)below(c, 5) - 2);
    return true;
  case RLX_PARAM_PRIM:
  case RLX_PARAM_INT: rlx_buf_printf(&c->text, "%d", (int)below(c, 6) - 2); return true;
  case RLX_PARAM_FLOAT: rlx_buf_puts(&c->text, "0.5"); return true;
  case RLX_PARAM_BOOL: rlx_buf_puts(&c->text, below(c, 2) ? "True" : "False"); return true;
  case RLX_PARAM_DTYPE: rlx_buf_printf(&c->text, "\"%s\"", dtypes[below(c, 6)]); return true;
  case RLX_PARAM_CALLEE:
  case RLX_PARAM_SINFO:
  case RLX_PARAM_STR:
  case RLX_PARAM_ANY: return false;
  }
  return false;
}

static bool random_call(Call *c, const RlxOpRow *row) {
  rlx_buf_printf(&c->text, "R.%.*s(", (int)strcspn(row->script, " "), row->script);
  for (int i = 0; i < row->param_count; i++) {
    const RlxOpParam *p = &row->params[i];
    if (!p->is_required && !p->is_variadic && below(c, 3)) continue;
    size_t before = c->text.size;
    if (!p->is_required && !p->is_variadic)
      rlx_buf_printf(&c->text, "%s=", p->name);
    else if (p->is_keyword_only)
      rlx_buf_printf(&c->text, "%s=", p->name);
    if (!put_argument(c, p)) {
      if (p->is_required) return false;
      rlx_buf_truncate(&c->text, before);
      continue;
    }
    rlx_buf_puts(&c->text, ", ");
  }
  rlx_buf_putc(&c->text, ')');
  return true;
}

/// A script of the call: the tensors described exactly, or coarser. The symbolic dimension d3
/// stands for 3.
static void script_of(Call *c, bool exact, RlxBuf *out) {
  bool symbols[16] = {0};
  rlx_buf_puts(
      out,
      "from tvm.script import ir as I, relax as R, tir as T\n\n@R.function(pure=False)\ndef main(");
  for (int k = 0; k < c->count; k++) {
    Tensor *t = &c->tensors[k];
    uint32_t how = exact ? 0 : below(c, 8);
    rlx_buf_printf(out, "%sp%d: ", k ? ", " : "", k);
    bool no_dtype = how == 7, no_shape = how == 5 || how == 6;
    t->described = !no_shape ? SHAPE : how == 5 ? RANK : NOTHING;
    if (no_shape && how == 5)
      rlx_buf_printf(out, "R.Tensor(dtype=\"%s\", ndim=%d)", t->dtype, t->ndim);
    else if (no_shape)
      rlx_buf_printf(out, "R.Tensor(dtype=\"%s\")", t->dtype);
    else {
      rlx_buf_puts(out, "R.Tensor((");
      for (int i = 0; i < t->ndim; i++) {
        bool symbolic = !exact && below(c, 3) != 0;
        t->symbolic[i] = symbolic;
        symbols[t->dims[i]] |= symbolic;
        rlx_buf_printf(out, symbolic ? "\"d%lld\", " : "%lld, ", (long long)t->dims[i]);
      }
      rlx_buf_puts(out, no_dtype ? "))" : "), ");
      if (!no_dtype) rlx_buf_printf(out, "\"%s\")", t->dtype);
    }
  }
  rlx_buf_puts(out, "):\n");
  for (int v = 0; v < 16; v++)
    if (symbols[v]) rlx_buf_printf(out, "    d%d = T.int64()\n", v);
  rlx_buf_puts(out, "    gv = ");
  for (const char *s = rlx_buf_text(&c->text); *s; s++) {
    if (*s != '<')
      rlx_buf_putc(out, *s);
    else {
      long v = strtol(s + 1, (char **)(uintptr_t)&s, 10);
      rlx_buf_printf(out, v >= 0 && v < 16 && symbols[v] && below(c, 2) ? "d%ld" : "%ld", v);
    }
  }
  rlx_buf_puts(out, "\n    return gv\n");
}

// ---- where deduction follows TVM though the value is another

static bool has(const Call *c, const char *argument) {
  return strstr(rlx_buf_text(&c->text), argument) != NULL;
}

/// Flattened, so of rank 1: of an unknown shape TVM says the operand's rank.
static bool flattened_scan(const Call *c) {
  return !has(c, "axis=") && c->tensors[0].described == RANK && c->tensors[0].ndim != 1;
}

/// One tensor: of an unknown rank TVM says a tuple.
static bool median_of_all(const Call *c) {
  return !has(c, "axis=") && has(c, "keepdims=True") && c->tensors[0].described == NOTHING;
}

/// A dimension that stays, because it is not 1: one that is not known is taken as 1.
static bool squeezed_dimension(const Call *c) {
  const Tensor *t = &c->tensors[0];
  const char *at = strstr(rlx_buf_text(&c->text), "axis=");
  while (at && *at && *at != ')') {
    char *end;
    long axis = strtol(at, &end, 10);
    if (end == at) {
      at++;
      continue;
    }
    at = end;
    if (axis < 0) axis += t->ndim;
    if (axis >= 0 && axis < t->ndim && t->dims[axis] != 1 &&
        (t->described == RANK || (t->described == SHAPE && t->symbolic[axis])))
      return true;
  }
  return false;
}

/// More than there are: an axis of unknown length is taken to be long enough.
static bool short_axis(const Call *c) {
  const Tensor *t = &c->tensors[0];
  const char *k = strstr(rlx_buf_text(&c->text), " k="),
             *at = strstr(rlx_buf_text(&c->text), "axis=");
  long count = k ? strtol(k + 3, NULL, 10) : 1, axis = at ? strtol(at + 5, NULL, 10) : -1;
  if (axis < 0) axis += t->ndim;
  return axis >= 0 && axis < t->ndim && count > t->dims[axis] && t->described == SHAPE &&
         t->symbolic[axis];
}

static const struct {
  const char *script;
  bool (*differs)(const Call *c);
} follow_tvm[] = {
    {"cumsum", flattened_scan},      {"cumprod", flattened_scan}, {"median", median_of_all},
    {"squeeze", squeezed_dimension}, {"topk", short_axis},
};

/// Whether the call, as the newest script describes its tensors, is one of these.
static bool is_known(const Call *c, const RlxOpRow *row) {
  for (size_t i = 0; i < sizeof follow_tvm / sizeof follow_tvm[0]; i++)
    if (strcmp(row->script, follow_tvm[i].script) == 0 && follow_tvm[i].differs(c)) return true;
  return false;
}

// ---- deduction

typedef struct Deduced {
  RlxAnalyzer *analyzer;
  RlxFile *file;
  const RlxSInfo *sinfo; ///< NULL: refused
} Deduced;

static Deduced deduce(const RlxBuf *script) {
  Deduced d = {.analyzer = rlx_analyzer_new(NULL)};
  RlxFileDiags diags = {0};
  RlxFunctionViews views = {0};
  d.file = rlx_file_open(d.analyzer, rlx_buf_text(script), (uint32_t)script->size);
  rlx_file_diags(d.file, &diags);
  rlx_file_functions(d.file, &views);
  bool good = views.count == 1;
  for (uint32_t i = 0; i < diags.count; i++) good &= diags.at[i].diag->severity > RLX_WARNING;
  RlxBinding *const *bindings = NULL;
  uint32_t count = 0;
  const RlxBlock *body = good ? views.at[0].stmt->body : NULL;
  if (body && body->count > 1)
    rlx_file_stmt_bindings(d.file, body->stmts[body->count - 2], &bindings, &count);
  if (count) d.sinfo = bindings[count - 1]->deduced;
  rlx_vec_free(&diags);
  rlx_vec_free(&views);
  return d;
}

static void drop(Deduced *d) {
  rlx_file_close(d->file);
  rlx_analyzer_free(d->analyzer);
}

/// The value of d3 is 3.
static bool value_of(const RlxSymVar *var, int64_t *out, void *data) {
  const char *name = rlx_store_text(data, var->name);
  if (name[0] != 'd') return false;
  *out = strtoll(name + 1, NULL, 10);
  return true;
}

// ---- evaluation

static RlxObject *input(RlxHeap *heap, const Tensor *t, RlxTestRandom *random) {
  RlxError err;
  RlxDType dtype = rlx_dtype_unknown();
  rlx_dtype_parse(t->dtype, strlen(t->dtype), &dtype);
  RlxObject *x = rlx_tensor_new(heap, dtype, t->dims, t->ndim, &err);
  assert_non_null(x);
  bool is_float =
      t->dtype[0] == 'f'; // integers are indices as often as not: 0 is one of every axis
  for (int64_t i = 0; i < rlx_tensor_count(x); i++)
    rlx_element_set_number(x->data, dtype, i,
                           is_float ? (rlx_test_below(random, 400) + 1) / 200.0 : t->fill);
  return x;
}

/// Checks the call's value against every description. Gives how many descriptions were checked; -1
/// when it can't be evaluated.
static int check(Call *c, const RlxOpRow *row, int *wrong) {
  RlxBuf script = {0};
  script_of(c, true, &script);
  Deduced d = deduce(&script);
  int checked = -1;
  if (!d.sinfo) {
    drop(&d);
    rlx_buf_free(&script);
    return -1;
  }
  RlxJit *jit = rlx_jit_new(rlx_analyzer_store(d.analyzer), NULL);
  RlxProgram *program = rlx_program_new(jit, d.file);
  RlxName name = rlx_store_intern(rlx_analyzer_store(d.analyzer), "main", 4);
  RlxRunError err = {0};
  RlxObject *args[PARAMS], *x = NULL;
  for (int i = 0; i < c->count; i++) args[i] = input(rlx_jit_heap(jit), &c->tensors[i], c->random);
  if (getenv("RLX_VERBOSE")) {
    printf("%s\n", rlx_buf_text(&script));
    fflush(stdout);
  }
  if (rlx_program_prepare(program, name, &err))
    x = rlx_program_call(program, name, args, c->count, &err);
  for (int k = 0; x && k < VARIANTS; k++) {
    RlxBuf other = {0};
    script_of(c, k == 0, &other);
    Deduced coarse = deduce(&other);
    if (k == 0) checked = 0;
    if (coarse.sinfo && !is_known(c, row)) {
      checked++;
      if (!holds(coarse.sinfo, x, value_of, rlx_analyzer_store(coarse.analyzer))) {
        RlxBuf said = {0}, is = {0};
        rlx_sinfo_print(rlx_analyzer_store(coarse.analyzer), coarse.sinfo, &said);
        rlx_object_print_sinfo(x, &is);
        printf("deduced %s, the value is %s\n%s\n", rlx_buf_text(&said), rlx_buf_text(&is),
               rlx_buf_text(&other));
        (*wrong)++;
        rlx_buf_free(&said);
        rlx_buf_free(&is);
      }
    }
    drop(&coarse);
    rlx_buf_free(&other);
  }
  rlx_object_unref(x);
  for (int i = 0; i < c->count; i++) rlx_object_unref(args[i]);
  rlx_program_free(program);
  rlx_jit_free(jit);
  drop(&d);
  rlx_buf_free(&script);
  return checked;
}

// ---- operators whose arguments no chance finds

/// A call, and its tensors: "float32 2 4, int64=2 3" are p0 of shape (2, 4) and p1 of shape (3,)
/// full of 2.
static const struct {
  const char *script, *call, *tensors;
} given[] = {
    {"layout_transform", "R.layout_transform(p0, index_map=lambda i, j: (j, i))", "float32 2 4"},
    {"split", "R.split(p0, 2, axis=1)", "float32 2 4"},
    {"split", "R.split(p0, [1, 3], axis=-1)", "int64 2 4"},
    {"strided_slice", "R.strided_slice(p0, axes=[0, 1], begin=[0, 3], end=[2, 0], strides=[1, -2])",
     "float32 2 4"},
    {"strided_slice", "R.strided_slice(p0, axes=[1], begin=[1], end=[9])", "float32 2 4"},
    {"index_put", "R.index_put(p0, (p1, p2), p3)", "float32 3 4, int64=1 2, int64=2 2, float32 2"},
    {"scatter_nd", "R.scatter_nd(p0, p1, p2, reduction=\"add\")",
     "float32 3 4, int64=1 2 1, float32 2 4"},
    {"slice_scatter", "R.slice_scatter(p0, p1, 0, 3, 2, axis=1)", "float32 2 4, float32 2 2"},
    {"one_hot", "R.one_hot(p0, R.prim_value(1), R.prim_value(0), depth=3, axis=1)", "int64=1 2 4"},
    {"einsum", "R.einsum((p0, p1), subscripts=\"ij,jk->ik\")", "float32 2 3, float32 3 4"},
    {"quantize", "R.quantize(p0, p1, p2, axis=1, out_dtype=\"int8\")",
     "float32 2 4, float32 4, int8=1 4"},
    {"dequantize", "R.dequantize(p0, p1, p2, axis=0)", "int8=3 2 4, float32 2, int8=1 2"},
    {"nn.conv3d", "R.nn.conv3d(p0, p1, strides=[2, 1, 1], padding=[1, 0, 0, 1, 0, 0])",
     "float32 1 2 4 4 4, float32 3 2 3 3 3"},
    {"nn.conv3d_transpose", "R.nn.conv3d_transpose(p0, p1, strides=[2, 1, 1])",
     "float32 1 2 3 3 3, float32 2 3 2 2 2"},
    {"nn.max_pool3d", "R.nn.max_pool3d(p0, pool_size=[2, 2, 2], strides=[1, 2, 1])",
     "float32 1 2 4 4 4"},
    {"nn.avg_pool3d", "R.nn.avg_pool3d(p0, pool_size=[2, 2, 2], ceil_mode=True, strides=[3, 3, 3])",
     "float32 1 2 4 4 4"},
    {"nn.adaptive_avg_pool3d", "R.nn.adaptive_avg_pool3d(p0, output_size=[2, 1, 3])",
     "float32 1 2 4 4 4"},
    {"nn.group_norm", "R.nn.group_norm(p0, p1, p2, num_groups=2, channel_axis=1, axes=[2])",
     "float32 2 4 3, float32 4, float32 4"},
    {"nn.instance_norm", "R.nn.instance_norm(p0, p1, p2, channel_axis=1, axes=[2])",
     "float32 2 4 3, float32 4, float32 4"},
    {"nn.nll_loss", "R.nn.nll_loss(p0, p1, p2, reduction=\"none\")",
     "float32 3 4, int64=1 3, float32 4"},
    {"image.resize3d", "R.image.resize3d(p0, size=[2, 4, 5])", "float32 1 2 3 3 3"},
    {"vision.roi_align",
     "R.vision.roi_align(p0, p1, pooled_size=[2, 2], spatial_scale=1.0, sample_ratio=2)",
     "float32 3 2 4 4, float32 3 5"},
    {"vision.roi_pool", "R.vision.roi_pool(p0, p1, pooled_size=[2, 3], spatial_scale=1.0)",
     "float32 3 2 4 4, float32 3 5"},
    {"dynamic_strided_slice", "R.dynamic_strided_slice(p0, p1, p2, p3)",
     "float32 2 4, int64=0 2, int64=2 2, int64=1 2"},
    {"multinomial_from_uniform", "R.multinomial_from_uniform(p0, p1, p2)",
     "float32 2 3, float32 4 1, int64=1 4 1"},
    {"nn.conv2d_transpose", "R.nn.conv2d_transpose(p0, p1, strides=[2, 1])",
     "float32 1 2 3 3, float32 2 3 2 2"},
    {"nn.batch_norm", "R.nn.batch_norm(p0, p1, p2, p3, p4, axis=1)",
     "float32 2 3 4, float32 3, float32 3, float32 3, float32 3"},
    {"nn.attention_var_len", "R.nn.attention_var_len(p0, p1, p2, p3, p4)",
     "float32 1 4 2 3, float32 1 4 2 3, float32 1 4 2 3, int64=2 3, int64=2"},
    {"image.affine_grid", "R.image.affine_grid(p0, size=[3, 4])", "float32 2 2 3"},
    {"vision.all_class_non_max_suppression",
     "R.vision.all_class_non_max_suppression(p0, p1, p2, p3, p4, output_format=\"tensorflow\")",
     "float32 1 3 4, float32 1 2 3, int64=2, float32, float32"},
    {"vision.multibox_transform_loc", "R.vision.multibox_transform_loc(p0, p1, p2)",
     "float32 1 2 3, float32 1 12, float32 1 3 4"},
    {"vision.non_max_suppression", "R.vision.non_max_suppression(p0, p1, p2)",
     "float32 2 3 6, int32=3 2, int32=1 2 3"},
    {"shape_to_tensor", "R.shape_to_tensor(R.shape([2, 3]))", ""},
    {"grad.nll_loss_backward", "R.grad.nll_loss_backward(p0, p1, p2, p3, reduction=\"mean\")",
     "float32, float32 3 4, int64=1 3, float32 4"},
};

/// Operators that have code and are not evaluated here, with the reason. Whoever adds one says why.
static const struct {
  const char *script, *reason;
} left_out[] = {{"reverse_sequence",
                 "0.27 alone has it, and the scripts made here are older; tests/cli runs it"}};

static const char *why_left_out(const char *script) {
  for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++)
    if (left_out[i].script && strcmp(left_out[i].script, script) == 0) return left_out[i].reason;
  return NULL;
}

/// The call number `k` that is given for the operator. False: there are no more.
static bool given_call(Call *c, const RlxOpRow *row, int k) {
  for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
    if (strcmp(given[i].script, row->script) != 0 || k--) continue;
    rlx_buf_puts(&c->text, given[i].call);
    for (const char *at = given[i].tensors; *at; at += strspn(at, ", ")) {
      static const char *const known[] = {"float32", "int64", "int32", "int8"};
      Tensor *t = &c->tensors[c->count++];
      for (size_t n = 0; n < sizeof known / sizeof known[0]; n++)
        if (strncmp(at, known[n], strlen(known[n])) == 0) t->dtype = known[n];
      assert_non_null(t->dtype);
      at += strlen(t->dtype);
      if (*at == '=') t->fill = (int)strtol(at + 1, (char **)(uintptr_t)&at, 10);
      while (*at == ' ') t->dims[t->ndim++] = strtol(at, (char **)(uintptr_t)&at, 10);
    }
    return true;
  }
  return false;
}

static void values_have_the_deduced_struct_info(void **state) {
  (void)state;
  RlxError err;
  if (!rlx_llvm_load(&err)) skip();
  RlxTestRandom random = rlx_test_random(7);
  const char *many = getenv("RLX_INSTANCES");
  int instances = many ? atoi(many) : 1, count, operators = 0, values = 0, descriptions = 0,
      wrong = 0;
  const RlxOpRow *rows = rlx_op_rows(&count);
  int missing = 0, without_code = 0;
  for (int i = 0; i < count; i++) {
    if (!rows[i].script[0]) continue;
    if (strcmp(rows[i].lower, "none") == 0) { // nothing evaluates it
      printf("%s%s", without_code++ ? ", " : "without code: ", rows[i].script);
      continue;
    }
    int done = 0;
    for (int k = 0; k < TRIES * instances && done < instances && wrong < 10; k++) {
      Call c = {.random = &random};
      int checked = random_call(&c, &rows[i]) ? check(&c, &rows[i], &wrong) : -1;
      if (checked > 0) {
        done++;
        descriptions += checked;
      }
      rlx_buf_free(&c.text);
    }
    bool more = true;
    for (int k = 0; more; k++) {
      Call c = {.random = &random};
      more = given_call(&c, &rows[i], k);
      int checked = more ? check(&c, &rows[i], &wrong) : 0;
      if (checked < 0) printf("\nis not evaluated: %s\n", rlx_buf_text(&c.text));
      wrong += checked < 0;
      done += checked > 0;
      descriptions += checked;
      rlx_buf_free(&c.text);
    }
    values += done;
    operators += done > 0;
    const char *reason = why_left_out(rows[i].script);
    if (!done) printf("\nleft out: %s: %s\n", rows[i].script, reason ? reason : "nobody said why");
    missing += !done != !!reason;
  }
  printf("\n%d operators have no code\n%d operators, %d values, %d descriptions of them\n",
         without_code, operators, values, descriptions);
  assert_int_equal(wrong, 0);
  assert_int_equal(missing, 0); // every operator that runs is evaluated, or listed in left_out
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(values_have_the_deduced_struct_info)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
