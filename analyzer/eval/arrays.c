/// Arrays that a script makes with numpy or TVM's runtime for R.const: their shape and dtype, and
/// small ones' data. Always true: what only Python can compute (another file's array, an unknown
/// dtype) is UNKNOWN, never a guess; data that is not computed here leaves the constant without a
/// value.
#include <float.h>
#include <math.h>
#include <string.h>

#include "analyzer/eval/arrays_impl.h"

enum { FORM_FUNCTION, FORM_METHOD, FORM_SPREAD };

typedef struct Row {
  const char *name, *params;
  RlxArrayRule rule;
  int aux, form;
} Row;

static const Row rows[] = {
#define RLX_NUMPY(name, params, rule, aux, form) {name, params, rlx_numpy_##rule, aux, FORM_##form},
#include "analyzer/eval/arrays.def"
#undef RLX_NUMPY
};

// ---- arguments

/// Index of the parameter named `name` in a row's list; -1: there is none.
static int param_of(const char *params, const char *name) {
  size_t size = strlen(name);
  for (int i = 0; *params; i++) {
    size_t n = strcspn(params, "! ");
    if (n == size && strncmp(params, name, n) == 0) return i;
    params += strcspn(params, " ");
    params += *params == ' ';
  }
  return -1;
}

static int param_count(const char *params) {
  int count = *params != 0;
  for (; *params; params++) count += *params == ' ';
  return count;
}

/// Name of the first parameter that must be given and is not; NULL: there is none.
static const char *lacking(const Row *row, const RlxArrayCall *c) {
  const char *at = row->params;
  for (int i = 0; *at; i++) {
    size_t n = strcspn(at, "! ");
    if (at[n] == '!' && !c->slots[i] && !(c->nones >> i & 1))
      return rlx_arena_printf(c->e->arena, "%.*s", (int)n, at);
    at += strcspn(at, " ");
    at += *at == ' ';
  }
  return NULL;
}

/// A keyword that no function of numpy takes; NULL: there is none.
static const char *odd_keyword(const RlxArrayCall *c) {
  for (uint32_t i = 0; i < c->args->count; i++) {
    const RlxPyArg *arg = &c->args->at[i];
    const char *name = arg->keyword ? rlx_store_text(c->e->store, arg->keyword) : "";
    if (!rlx_numpy_has(RLX_NUMPY_KEYWORD, name)) return name;
  }
  return NULL;
}

/// A keyword that names a parameter which stands before it without its name, too; NULL: there is none.
static const char *twice_given(const Row *row, const RlxArrayCall *c) {
  int plain = 0;
  if (!param_count(row->params)) return NULL;
  for (uint32_t i = 0; i < c->args->count; i++) plain += !c->args->at[i].keyword;
  for (uint32_t i = 0; i < c->args->count; i++) {
    const RlxPyArg *arg = &c->args->at[i];
    const char *name = arg->keyword ? rlx_store_text(c->e->store, arg->keyword) : "";
    const int at = arg->keyword ? param_of(row->params, name) : -1;
    if (at >= 0 && at < plain) return name;
  }
  return NULL;
}

/// Puts each argument where its parameter is. False: one has none.
static bool bind(const Row *row, RlxArrayCall *c) {
  int next = 0, most = param_count(row->params);
  for (uint32_t i = 0; i < c->args->count; i++) {
    const RlxPyArg *arg = &c->args->at[i];
    if (!most && !arg->keyword) continue; // the rule reads them
    int at =
        arg->keyword ? param_of(row->params, rlx_store_text(c->e->store, arg->keyword)) : next++;
    if (at < 0 || at >= most || c->slots[at] || (c->nones >> at & 1)) return false;
    if (arg->value.kind == RLX_VALUE_NONE)
      c->nones |= 1u << at;
    else
      c->slots[at] = &arg->value;
  }
  return true;
}

static RlxValue carried_out(const Row *row, const RlxArrayCall *c) {
  const uint32_t reported = c->e->sink->diags.count;
  const RlxValue v = row->rule(c);
  return v.kind == RLX_VALUE_UNKNOWN && c->e->sink->diags.count == reported
             ? rlx_array_partial(c, row->rule)
             : v;
}

static RlxValue call_row(RlxEval *e, const Row *row, const RlxPyArgs *args, RlxSpan span) {
  RlxArrayCall c = {.e = e, .args = args, .name = row->name, .aux = row->aux, .span = span};
  if (!bind(row, &c)) {
    const char *odd = odd_keyword(&c), *twice = twice_given(row, &c);
    if (twice) return rlx_array_refuse(&c, "the argument `%.60s` is given twice", twice);
    return odd ? rlx_array_refuse(&c, "there is no parameter `%.60s`", odd)
               : rlx_array_unknown(e, span);
  }
  const char *lost = lacking(row, &c);
  return lost ? rlx_array_refuse(&c, "the argument `%s` is missing", lost) : carried_out(row, &c);
}

static const Row *row_of(const char *name) {
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    if (strcmp(rows[i].name, name) == 0) return &rows[i];
  return NULL;
}

/// numpy's name of the function that a path means, in `buffer`; NULL: it is not numpy's.
static const char *numpy_name(const char *path, char *buffer, size_t size) {
  static const struct {
    const char *prefix, *becomes;
  } roots[] = {{"numpy.", ""}, {"<RandomState>.", "random."}, {"<Generator>.", "Generator."}};
  for (size_t i = 0; i < sizeof roots / sizeof roots[0]; i++) {
    size_t n = strlen(roots[i].prefix);
    if (strncmp(path, roots[i].prefix, n) != 0) continue;
    if (strlen(roots[i].becomes) + strlen(path + n) >= size) return NULL;
    strcpy(buffer, roots[i].becomes);
    return strcat(buffer, path + n);
  }
  return NULL;
}

RlxValue rlx_array_call(RlxEval *e, const char *path, const RlxPyArgs *args, RlxSpan span) {
  static const char *const runtime[] = {"tvm.nd.array", "tvm.runtime.tensor",
                                        "tvm.runtime.ndarray.array", "tvm.runtime._tensor.tensor",
                                        "tvm.runtime.array"};
  char buffer[64];
  if (args->is_unknown) return rlx_array_unknown(e, span);
  for (size_t i = 0; i < sizeof runtime / sizeof runtime[0]; i++) {
    if (strcmp(path, runtime[i]) != 0 || !args->count) continue;
    RlxPyArg array = args->at[0]; // the device says nothing about the value; `arr=` may name it
    array.keyword = 0;
    RlxValue v = call_row(e, row_of("array"), &(RlxPyArgs){&array, 1, false}, span);
    if (v.kind == RLX_VALUE_ARRAY) v.is_bare = true; // R.const takes it as it is
    return v;
  }
  const char *name = numpy_name(path, buffer, sizeof buffer);
  const Row *row = name ? row_of(name) : NULL;
  return row ? call_row(e, row, args, span) : rlx_array_unknown(e, span);
}

// ---- operators

/// numpy's function that an operator of Python between arrays stands for; NULL: it has no values here.
static const char *operator_name(uint8_t op) {
  switch (op) {
  case RLX_OP_ADD: return "add";
  case RLX_OP_MUL: return "multiply";
  case RLX_OP_SUB: return "subtract";
  case RLX_OP_DIV: return "divide";
  case RLX_OP_FLOORDIV: return "floor_divide";
  case RLX_OP_MOD: return "mod";
  case RLX_OP_POW: return "power";
  case RLX_OP_BITAND: return "bitwise_and";
  case RLX_OP_BITOR: return "bitwise_or";
  case RLX_OP_BITXOR: return "bitwise_xor";
  case RLX_OP_EQ: return "equal";
  case RLX_OP_NE: return "not_equal";
  case RLX_OP_LT: return "less";
  case RLX_OP_LE: return "less_equal";
  case RLX_OP_GT: return "greater";
  case RLX_OP_GE: return "greater_equal";
  case RLX_OP_NEG: return "negative";
  case RLX_OP_POS: return "positive";
  case RLX_OP_MATMUL: return "matmul";
  default: return NULL;
  }
}

RlxValue rlx_array_binary(RlxEval *e, uint8_t op, const RlxValue *a, const RlxValue *b,
                          RlxSpan span) {
  const char *name = operator_name(op);
  if (!name) return rlx_array_unknown(e, span);
  const Row *row = row_of(name);
  const RlxArrayCall c = {.e = e, .slots = {a, b}, .name = name, .aux = row->aux, .span = span};
  return carried_out(row, &c);
}

RlxValue rlx_array_unary(RlxEval *e, uint8_t op, const RlxValue *a, RlxSpan span) {
  if (op != RLX_OP_NEG && op != RLX_OP_POS && op != RLX_OP_INVERT)
    return rlx_array_unknown(e, span);
  const char *name = operator_name(op);
  const RlxArrayCall c = {.e = e,
                          .slots = {a},
                          .name = name,
                          .aux = name ? row_of(name)->aux : RLX_COMMON_BITS, // ~a
                          .span = span};
  return rlx_numpy_unary(&c);
}

// ---- attributes and methods

bool rlx_array_is_method(const char *name) {
  const Row *row = row_of(name);
  return row && row->form != FORM_FUNCTION;
}

RlxValue rlx_array_method(RlxEval *e, const RlxMethod *method, const RlxPyArgs *args,
                          RlxSpan span) {
  const Row *row = row_of(rlx_store_text(e->store, method->name));
  if (!row || args->is_unknown) return rlx_array_unknown(e, span);
  RlxPyArgs all = {.at = rlx_arena_array(e->arena, RlxPyArg, args->count + 1)};
  all.at[all.count++].value = method->self;
  uint32_t plain = 0;
  while (plain < args->count && !args->at[plain].keyword) plain++;
  bool is_spread = row->form == FORM_SPREAD && plain > 1;
  if (is_spread) { // a.reshape(2, 3) is a.reshape((2, 3))
    RlxValue list = {.kind = RLX_VALUE_LIST, .is_tuple = true, .span = span, .count = plain};
    list.items = rlx_arena_array(e->arena, RlxValue, plain);
    for (uint32_t i = 0; i < plain; i++) list.items[i] = args->at[i].value;
    all.at[all.count++].value = list;
  }
  for (uint32_t i = is_spread ? plain : 0; i < args->count; i++) all.at[all.count++] = args->at[i];
  return call_row(e, row, &all, span);
}

static RlxValue array_attribute(RlxEval *e, const RlxValue *base, const char *text, RlxSpan span) {
  RlxPyArg self = {.value = *base};
  RlxPyArgs args = {&self, 1, false};
  if (strcmp(text, "dtype") == 0 && rlx_dtype_known(base->expr->sinfo->dtype)) {
    RlxValue v = {.kind = RLX_VALUE_DTYPE, .span = span};
    v.integer = rlx_pack_dtype(base->expr->sinfo->dtype);
    return v;
  }
  if (strcmp(text, "T") == 0) return call_row(e, row_of("transpose"), &args, span);
  if (strcmp(text, "shape") == 0 || strcmp(text, "ndim") == 0 || strcmp(text, "size") == 0)
    return call_row(e, row_of(text), &args, span);
  if (base->is_bare) return rlx_array_unknown(e, span); // TVM's own array has members of its own
  return rlx_array_refuse_name(e, "numpy.ndarray", RLX_NUMPY_ARRAY, text,
                               rlx_span(span.end - (uint32_t)strlen(text), span.end));
}

RlxValue rlx_array_attribute(RlxEval *e, const RlxValue *base, RlxName name, RlxSpan span) {
  const char *text = rlx_store_text(e->store, name);
  if (rlx_array_is_partial(base)) {
    RlxPyArg self = {.value = *base};
    return strcmp(text, "T") == 0
               ? call_row(e, row_of("transpose"), &(RlxPyArgs){&self, 1, false}, span)
               : rlx_array_unknown(e, span);
  }
  if (base->kind == RLX_VALUE_ARRAY) return array_attribute(e, base, text, span);
  RlxDType dtype = rlx_unpack_dtype(base->integer);
  bool is_max = strcmp(text, "max") == 0;
  if (strcmp(text, "eps") == 0 && rlx_dtype_is_float(dtype) &&
      (dtype.bits == 16 || dtype.bits == 32 || dtype.bits == 64))
    return rlx_value_of_float(dtype.bits == 16   ? 0x1p-10
                              : dtype.bits == 32 ? (double)FLT_EPSILON
                                                 : DBL_EPSILON,
                              span);
  if (!is_max && strcmp(text, "min") != 0) return rlx_array_unknown(e, span);
  RlxValue v = {.kind = RLX_VALUE_INT, .span = span};
  if (rlx_dtype_is_float(dtype)) {
    if (dtype.bits != 16 && dtype.bits != 32 && dtype.bits != 64) return rlx_array_unknown(e, span);
    double most = dtype.bits == 16 ? 65504.0 : dtype.bits == 32 ? (double)FLT_MAX : DBL_MAX;
    v.kind = RLX_VALUE_FLOAT;
    v.number = is_max ? most : -most;
    return v;
  }
  if (dtype.bits > 64 || (dtype.bits == 64 && dtype.code == RLX_DTYPE_UINT && is_max))
    return rlx_array_unknown(e, span);
  int64_t min, max;
  rlx_dtype_limits(dtype, &min, &max);
  v.integer = is_max ? max : min;
  return v;
}

RlxExpr *rlx_array_constant(RlxEval *e, const RlxValue *v, RlxDType dtype, RlxSpan span) {
  const RlxSInfo *s = v->expr->sinfo;
  if (v->is_bare)
    dtype = s->dtype;
  else if (!rlx_dtype_known(dtype))
    dtype = rlx_array_constant_dtype(s->dtype);
  RlxExpr *x = rlx_expr_new(e, RLX_EXPR_CONSTANT, span,
                            rlx_sinfo_tensor(e->store, s->dims, s->ndim, dtype, NULL));
  x->constant.value = v->expr->constant.value;
  RlxArray a;
  if (!v->is_bare && x->constant.value && rlx_array_read(e, v, &a)) {
    rlx_array_convert(e, &a, dtype);
    x->constant.value = a.data ? rlx_arena_copy(e->arena, a.data, 1, sizeof *a.data) : NULL;
  }
  return x;
}
