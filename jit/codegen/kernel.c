/// What a PrimFunc wants from its caller: the variables of its `dims` slots, in order, and their
/// values from shapes. Used on both sides of the plug-in, so it needs base and plain headers only.
#include "jit/codegen/codegen.h"

typedef struct VarList {
  RlxTirVar **at;
  int count; // -1: overflow
} VarList;

static void list_add(VarList *list, RlxTirVar *var) {
  for (int i = 0; i < list->count; i++)
    if (list->at[i] == var) return;
  if (list->count < 0) return;
  if (list->count == RLX_KERNEL_MAX_VARS)
    list->count = -1;
  else
    list->at[list->count++] = var;
}

static void expr_vars(VarList *list, const RlxTirExpr *e) {
  if (e->kind == RLX_TIR_VAR) list_add(list, e->var);
  for (int i = 0; i < e->arg_count; i++) expr_vars(list, e->args[i]);
}

int rlx_kernel_vars(const RlxPrimFunc *f, RlxTirVar **out) {
  VarList list = {out, 0};
  for (int i = 0; i < f->param_count; i++)
    if (!f->params[i].buffer) list_add(&list, f->params[i].var);
  for (int i = 0; i < f->param_count; i++) {
    const RlxTirBuffer *b = f->params[i].buffer;
    if (!b) continue;
    for (int d = 0; d < b->ndim; d++) expr_vars(&list, b->shape[d]);
    for (int d = 0; b->strides && d < b->ndim; d++) expr_vars(&list, b->strides[d]);
    if (b->elem_offset) expr_vars(&list, b->elem_offset);
  }
  return list.count;
}

static int64_t floor_div(int64_t a, int64_t b) {
  int64_t q = a / b;
  return a % b != 0 && (a % b < 0) != (b < 0) ? q - 1 : q;
}

static bool eval_binary(RlxTirExprKind kind, int64_t a, int64_t b, int64_t *out) {
  bool divides = kind >= RLX_TIR_DIV && kind <= RLX_TIR_TRUNCMOD;
  if (divides && (b == 0 || (b == -1 && a == INT64_MIN))) return false;
  if (kind == RLX_TIR_ADD) return !__builtin_add_overflow(a, b, out);
  if (kind == RLX_TIR_SUB) return !__builtin_sub_overflow(a, b, out);
  if (kind == RLX_TIR_MUL) return !__builtin_mul_overflow(a, b, out);
  if (kind == RLX_TIR_FLOORDIV)
    *out = floor_div(a, b);
  else if (kind == RLX_TIR_FLOORMOD)
    *out = a - floor_div(a, b) * b;
  else if (kind == RLX_TIR_DIV || kind == RLX_TIR_TRUNCDIV)
    *out = a / b;
  else if (kind == RLX_TIR_TRUNCMOD)
    *out = a % b;
  else if (kind == RLX_TIR_MIN)
    *out = a < b ? a : b;
  else if (kind == RLX_TIR_MAX)
    *out = a > b ? a : b;
  else if (kind == RLX_TIR_SHL && b >= 0 && b < 63)
    return !__builtin_mul_overflow(a, INT64_C(1) << b, out);
  else if (kind == RLX_TIR_SHR && b >= 0 && b < 64)
    *out = a >> b;
  else if (kind == RLX_TIR_BITAND)
    *out = a & b;
  else if (kind == RLX_TIR_BITOR)
    *out = a | b;
  else if (kind == RLX_TIR_BITXOR)
    *out = a ^ b;
  else if (kind == RLX_TIR_EQ)
    *out = a == b;
  else if (kind == RLX_TIR_NE)
    *out = a != b;
  else if (kind == RLX_TIR_LT)
    *out = a < b;
  else if (kind == RLX_TIR_LE)
    *out = a <= b;
  else if (kind == RLX_TIR_GT)
    *out = a > b;
  else if (kind == RLX_TIR_GE)
    *out = a >= b;
  else if (kind == RLX_TIR_AND)
    *out = a && b;
  else if (kind == RLX_TIR_OR)
    *out = a || b;
  else
    return false;
  return true;
}

/// Slots with a value so far: is_set NULL means all.
typedef struct Slots {
  RlxTirVar *const *vars;
  const int64_t *values;
  const bool *is_set;
  int count;
} Slots;

static bool eval(const RlxTirExpr *e, const Slots *slots, int64_t *out) {
  if (e->kind == RLX_TIR_INT) return *out = e->integer, true;
  if (e->kind == RLX_TIR_VAR) {
    for (int i = 0; i < slots->count; i++)
      if (slots->vars[i] == e->var && (!slots->is_set || slots->is_set[i]))
        return *out = slots->values[i], true;
    return false;
  }
  if (e->kind == RLX_TIR_CAST)
    return rlx_dtype_is_int(e->dtype) && rlx_dtype_is_int(e->args[0]->dtype) &&
           eval(e->args[0], slots, out);
  int64_t a, b;
  if (e->kind == RLX_TIR_SELECT || e->kind == RLX_TIR_IF_THEN_ELSE)
    return eval(e->args[0], slots, &a) && eval(e->args[a ? 1 : 2], slots, out);
  if (e->kind == RLX_TIR_NOT) {
    if (!eval(e->args[0], slots, &a)) return false;
    *out = !a;
    return true;
  }
  if (e->arg_count != 2 || rlx_dtype_is_float(e->dtype) || e->kind == RLX_TIR_CALL ||
      e->kind == RLX_TIR_LOAD || e->kind == RLX_TIR_LET)
    return false;
  return eval(e->args[0], slots, &a) && eval(e->args[1], slots, &b) &&
         eval_binary(e->kind, a, b, out);
}

bool rlx_kernel_eval(const RlxTirExpr *e, RlxTirVar *const *vars, const int64_t *dims, int count,
                     int64_t *out) {
  Slots slots = {vars, dims, NULL, count};
  return eval(e, &slots, out);
}

static int find_var(RlxTirVar *const *vars, int count, const RlxTirVar *var) {
  for (int i = 0; i < count; i++)
    if (vars[i] == var) return i;
  return -1;
}

/// The variables of a PrimFunc's parameters, while they are bound.
typedef struct Binder {
  const RlxInterner *names;
  RlxTirVar *const *vars;
  int64_t *dims;
  bool *is_set;
  int count;
  RlxError *err;
} Binder;

/// Binds a bare variable, or checks the value. `buffer` and `dim` are for the message.
static bool bind_one(Binder *to, const RlxTirBuffer *buffer, int dim, const RlxTirExpr *x,
                     int64_t actual) {
  int at = x->kind == RLX_TIR_VAR ? find_var(to->vars, to->count, x->var) : -1;
  if (at >= 0 && !to->is_set[at]) {
    to->dims[at] = actual;
    to->is_set[at] = true;
    return true;
  }
  Slots slots = {to->vars, to->dims, to->is_set, to->count};
  const char *name = rlx_name_text(to->names, buffer->name);
  int64_t expected;
  if (!eval(x, &slots, &expected))
    return rlx_error_set(
        to->err, "buffer `%s`: dimension %d depends on variables that nothing binds", name, dim);
  if (expected == actual) return true;
  return rlx_error_set(to->err, "buffer `%s`: dimension %d is %lld, expected %lld", name, dim,
                       (long long)actual, (long long)expected);
}

/// Binds what is a bare variable (`only_vars`), or holds the rest against the tensor.
static bool bind_buffer(Binder *to, const RlxTirBuffer *b, const RlxKernelTensor *t,
                        bool only_vars) {
  const char *name = rlx_name_text(to->names, b->name);
  if (b->ndim != t->ndim)
    return rlx_error_set(to->err, "buffer `%s` has %d dimensions, the tensor %d", name,
                         (int)b->ndim, t->ndim);
  if (!rlx_dtype_equal(b->dtype, t->dtype))
    return rlx_error_set(to->err, "buffer `%s` has another dtype than the tensor", name);
  int64_t stride = 1;
  for (int d = b->ndim - 1; d >= 0; d--) {
    if (b->strides && (b->strides[d]->kind == RLX_TIR_VAR) == only_vars &&
        !bind_one(to, b, d, b->strides[d], stride))
      return false;
    stride *= t->shape[d];
  }
  for (int d = 0; d < b->ndim; d++)
    if ((b->shape[d]->kind == RLX_TIR_VAR) == only_vars &&
        !bind_one(to, b, d, b->shape[d], t->shape[d]))
      return false;
  if (only_vars && b->elem_offset && b->elem_offset->kind == RLX_TIR_VAR)
    return bind_one(to, b, 0, b->elem_offset, 0);
  return true;
}

bool rlx_kernel_bind(const RlxInterner *names, const RlxPrimFunc *f, const RlxKernelTensor *tensors,
                     const int64_t *scalars, int64_t *dims, RlxError *err) {
  RlxTirVar *vars[RLX_KERNEL_MAX_VARS];
  bool is_set[RLX_KERNEL_MAX_VARS] = {false};
  int count = rlx_kernel_vars(f, vars), scalar_count = 0;
  if (count < 0)
    return rlx_error_set(err, "more than %d variables in the parameters", RLX_KERNEL_MAX_VARS);
  for (int i = 0; i < f->param_count; i++)
    if (!f->params[i].buffer) {
      dims[scalar_count] = scalars[scalar_count];
      is_set[scalar_count++] = true;
    }
  Binder to = {names, vars, dims, is_set, count, err};
  for (int pass = 0; pass < 2; pass++) {
    int tensor = 0;
    for (int i = 0; i < f->param_count; i++)
      if (f->params[i].buffer &&
          !bind_buffer(&to, f->params[i].buffer, &tensors[tensor++], pass == 0))
        return false;
  }
  for (int i = 0; i < count; i++)
    if (!is_set[i])
      return rlx_error_set(err, "variable `%s` is not bound by any shape",
                           rlx_name_text(names, vars[i]->name));
  return true;
}
