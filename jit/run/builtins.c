/// Operators that are C functions and not kernels: calls of functions by name or value, effects,
/// shapes as values, memory, and those whose result depends on data.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/ops/op_ids.h"
#include "base/mem.h"
#include "jit/run/run.h"
#include "jit/runtime/format.h"

typedef struct Args { ///< operands by parameter
  Frame *f;
  Step *step;
  RlxError *err;
  RlxHeap *heap;
} Args;

typedef RlxObject *BuiltinFn(Args *a);

typedef struct Find {
  int param, nth, at, found;
} Find;

static void find_one(const RlxExpr *x, int param, void *data) {
  Find *k = data;
  (void)x;
  if (param == k->param && k->nth-- == 0) k->found = k->at;
  k->at++;
}

/// The nth expression of a parameter; NULL when there is none.
static RlxObject *nth(Args *a, const char *name, int n) {
  Find k = {.param = rlx_op_param(a->step->call->row, name), .nth = n, .found = -1};
  rlx_call_operands(a->step->call, find_one, &k);
  return k.found < 0 ? NULL : rlx_reg(a->f, a->step->args[k.found]);
}
static RlxObject *arg(Args *a, const char *name) { return nth(a, name, 0); }

static const RlxValue *attr(Args *a, const char *name) {
  int i = rlx_op_param(a->step->call->row, name);
  return i < 0 || (uint32_t)i >= a->step->call->arg_count ? NULL : &a->step->call->args[i];
}
static bool attr_bool(Args *a, const char *name, bool otherwise) {
  const RlxValue *v = attr(a, name);
  if (v && v->kind == RLX_VALUE_BOOL) return v->boolean;
  if (v && v->kind == RLX_VALUE_INT) return v->integer != 0;
  RlxObject *x = arg(a, name);
  return x && x->kind == RLX_OBJECT_INT ? x->integer != 0 : otherwise;
}
static const char *attr_text(Args *a, const char *name) {
  const RlxValue *v = attr(a, name);
  return v && v->kind == RLX_VALUE_STR ? rlx_store_text(a->f->plan->program->store, v->string) : "";
}

static RlxObject *unit(Args *a) { return rlx_tuple_new(a->heap, NULL, 0); }
static RlxObject *refuse(Args *a, const char *why) {
  return rlx_error_set(a->err, "%s", why), NULL;
}

static RlxObject *tensor_arg(Args *a, const char *name) {
  RlxObject *x = arg(a, name);
  if (x && x->kind == RLX_OBJECT_TENSOR) return x;
  return refuse(a, "the operand is no tensor");
}

// ---- values

static RlxObject *do_null_value(Args *a) { return rlx_null_new(a->heap); }
static RlxObject *do_shape_of(Args *a) {
  RlxObject *x = tensor_arg(a, "expr");
  return x ? rlx_shape_new(a->heap, x->dims, x->count) : NULL;
}
static RlxObject *do_tensor_to_shape(Args *a) {
  RlxObject *x = tensor_arg(a, "expr");
  if (!x) return NULL;
  if (x->count != 1 || rlx_dtype_is_float(x->dtype) || x->dims[0] > RLX_TENSOR_NDIM_MAX)
    return refuse(a, "a shape comes from a tensor of integers with one dimension");
  int64_t dims[RLX_TENSOR_NDIM_MAX];
  for (int64_t i = 0; i < x->dims[0]; i++) {
    dims[i] = rlx_element_integer(x->data, x->dtype, i);
    if (dims[i] < 0) {
      rlx_error_code(a->err, rlx_diag_row(RLX_DIAG_ID(SHAPE_NEGATIVE))->code);
      rlx_error_set(a->err, "dimension %lld of the shape is %lld", (long long)i,
                    (long long)dims[i]);
      return NULL;
    }
  }
  return rlx_shape_new(a->heap, dims, (int)x->dims[0]);
}
static RlxObject *do_shape_to_tensor(Args *a) {
  RlxObject *x = arg(a, "expr");
  if (!x || x->kind != RLX_OBJECT_SHAPE) return refuse(a, "the operand is no shape");
  return rlx_shape_to_tensor(a->heap, x, a->err);
}
static RlxObject *do_size(Args *a) {
  RlxObject *x = tensor_arg(a, "expr");
  RlxObject *t = x ? rlx_tensor_new(a->heap, RLX_INT64, NULL, 0, a->err) : NULL;
  if (t) rlx_element_set_integer(t->data, RLX_INT64, 0, rlx_tensor_count(x));
  return t;
}

static void format_text(Args *a, const char *format, const char *param, RlxBuf *out) {
  Vec(RlxObject *) values = {0};
  for (RlxObject *x; (x = nth(a, param, (int)values.count));) rlx_vec_push(&values, x);
  rlx_format_values(format, values.at, (int)values.count, out);
  rlx_vec_free(&values);
}

static RlxObject *do_print(Args *a) {
  RlxBuf text = {0};
  format_text(a, attr_text(a, "format"), "values", &text);
  fprintf(stderr, "%s\n", rlx_buf_text(&text));
  rlx_buf_free(&text);
  return unit(a);
}
static RlxObject *do_assert_op(Args *a) {
  RlxObject *x = arg(a, "condition");
  if (x && rlx_assertion_holds(x)) return unit(a);
  RlxBuf text = {0};
  const char *format = attr_text(a, "format");
  if (*format) format_text(a, format, "format_args", &text);
  rlx_assertion_fail(rlx_buf_text(&text), a->err);
  rlx_buf_free(&text);
  return NULL;
}

// ---- calls

/// Arguments behind parameter `name`: the fields of a tuple, or all its expressions.
static RlxObject **call_args(Args *a, const char *name, int *count) {
  RlxObject *first = nth(a, name, 0);
  bool is_tuple = first && first->kind == RLX_OBJECT_TUPLE &&
                  !a->step->call->row->params[rlx_op_param(a->step->call->row, name)].is_variadic;
  *count = 0;
  if (is_tuple) {
    *count = first->count;
    RlxObject **out = rlx_mem_zeroed((size_t)first->count + 65, sizeof *out);
    for (int i = 0; i < first->count; i++) out[i] = first->fields[i];
    return out;
  }
  while (nth(a, name, *count)) ++*count;
  RlxObject **out = rlx_mem_zeroed((size_t)*count + 65, sizeof *out);
  for (int i = 0; i < *count; i++) out[i] = nth(a, name, i);
  return out;
}

static RlxObject *invoke(Args *a, RlxObject *closure, RlxObject **args, int count) {
  if (!closure || closure->kind != RLX_OBJECT_CLOSURE)
    return refuse(a, "what is called is no function");
  if (!closure->code) return refuse(a, "this function was made by an evaluation that has ended");
  union {
    const void *in;
    Entry *out;
  } code = {closure->code};
  // A closure of make_closure: captured values go first. Local functions find theirs in the closure
  // itself.
  RlxObject **all = rlx_mem_zeroed((size_t)count + (size_t)closure->count + 1, sizeof *all);
  int before = code.out->kind == ENTRY_LOCAL ? 0 : closure->count;
  for (int i = 0; i < before; i++) all[i] = closure->fields[i];
  for (int i = 0; i < count; i++) all[before + i] = args[i];
  RlxRunError err = {0};
  RlxObject *x = rlx_entry_call(code.out, all, before + count, closure, &err);
  if (!x) *a->err = err.error;
  free(all);
  return x;
}
static RlxObject *do_invoke_closure(Args *a) {
  int count;
  RlxObject **args = call_args(a, "args", &count);
  RlxObject *x = invoke(a, arg(a, "closure"), args, count);
  free(args);
  return x;
}
static RlxObject *do_make_closure(Args *a) {
  int count;
  RlxObject **args = call_args(a, "args", &count);
  RlxObject *x = a->step->callee ? rlx_closure_new(a->heap, a->step->callee, args, count)
                                 : refuse(a, "the function is not one of this file");
  free(args);
  return x;
}
/// Arguments that R.call_inplace_packed has as results are written to.
static void mark_inplace(Args *a, RlxObject *const *args, int count) {
  const RlxValue *v = attr(a, "inplace_indices");
  uint32_t indices = !v ? 0 : v->kind == RLX_VALUE_LIST ? v->count : 1;
  for (uint32_t i = 0; i < indices; i++) {
    const RlxValue *one = v->kind == RLX_VALUE_LIST ? &v->items[i] : v;
    RlxObject *x = one->kind == RLX_VALUE_INT && one->integer >= 0 && one->integer < count
                       ? args[one->integer]
                       : NULL;
    if (x && x->kind == RLX_OBJECT_TENSOR && x->storage) x->storage->is_written = true;
  }
}

static RlxObject *do_call_packed(Args *a) {
  int count;
  RlxObject **args = call_args(a, "args", &count), *x = NULL;
  mark_inplace(a, args, count);
  if (a->step->callee) {
    RlxRunError err = {0};
    x = rlx_entry_call(a->step->callee, args, count, NULL, &err);
    if (!x) *a->err = err.error;
  } else if (a->step->text)
    x = rlx_extern_call(a->f->plan->program, a->step->text, args, count, a->err);
  else
    x = invoke(a, arg(a, "func"), args, count);
  free(args);
  return x;
}

static bool make_outputs(Args *a, const Check *check, RlxObject **out, int *count) {
  const RlxSInfo *s = check->sinfo;
  if (s->kind == RLX_SINFO_TUPLE) {
    for (int i = 0; i < s->count; i++)
      if (!make_outputs(a, &check->fields[i], out, count)) return false;
    return true;
  }
  int64_t dims[RLX_TENSOR_NDIM_MAX];
  if (!rlx_ndim_fits(s->ndim, a->err)) return false;
  for (int i = 0; i < s->ndim; i++)
    if (!rlx_dim_value(a->f, &check->dims[i], &dims[i]))
      return rlx_error_set(a->err, "dimension %d of the result has no value", i);
  if (*count >= RLX_KERNEL_MAX_OUTPUTS)
    return rlx_error_set(a->err, "more than %d results", RLX_KERNEL_MAX_OUTPUTS);
  out[*count] = rlx_tensor_new(a->heap, s->dtype, dims, s->ndim, a->err);
  if (!out[*count]) return false;
  memset(out[*count]->data, 0, (size_t)rlx_tensor_bytes(out[*count]));
  ++*count;
  return true;
}
static RlxObject *do_call_dps_packed(Args *a) {
  int count, made = 0;
  RlxObject **args = call_args(a, "args", &count), *outs[RLX_KERNEL_MAX_OUTPUTS], *x = NULL;
  Entry *given = a->step->callee || !a->step->text
                     ? NULL
                     : rlx_extern_entry(a->f->plan->program, a->step->text);
  if (given && given->kind == RLX_ISLAND_RELAX) { // it gives its results instead of filling them
    RlxRunError err = {0};
    x = rlx_entry_call(given, args, count, NULL, &err);
    if (!x) *a->err = err.error;
    free(args);
    return x;
  }
  bool ok = a->step->check && make_outputs(a, a->step->check, outs, &made);
  for (int i = 0; i < made; i++) args[count + i] = outs[i];
  if (ok) {
    RlxObject *got;
    RlxRunError err = {0};
    if (a->step->callee) {
      got = rlx_entry_call(a->step->callee, args, count + made, NULL, &err);
      if (!got) *a->err = err.error;
    } else
      got = rlx_extern_call(a->f->plan->program, a->step->text ? a->step->text : "", args,
                            count + made, a->err);
    if (got)
      x = a->step->check->sinfo->kind == RLX_SINFO_TUPLE ? rlx_tuple_new(a->heap, outs, made)
                                                         : rlx_object_ref(outs[0]);
    rlx_object_unref(got);
  }
  for (int i = 0; i < made; i++) rlx_object_unref(outs[i]);
  free(args);
  return x;
}

// ---- memory

static RlxObject *do_alloc_tensor(Args *a) {
  RlxObject *shape = arg(a, "shape");
  if (!shape || shape->kind != RLX_OBJECT_SHAPE || !a->step->check)
    return refuse(a, "the shape is not known");
  RlxObject *x =
      rlx_tensor_new(a->heap, a->step->check->sinfo->dtype, shape->dims, shape->count, a->err);
  if (x) memset(x->data, 0, (size_t)rlx_tensor_bytes(x));
  return x;
}
static RlxObject *do_alloc_storage(Args *a) {
  RlxObject *size = arg(a, "size");
  if (!size) size = arg(a, "shape");
  if (!size || size->kind != RLX_OBJECT_SHAPE || size->count < 1)
    return refuse(a, "the size is not known");
  int64_t bytes = 1;
  for (int i = 0; i < size->count; i++)
    if (__builtin_mul_overflow(bytes, size->dims[i], &bytes) || bytes < 0)
      return refuse(a, "the storage is too large");
  RlxStorage *s = rlx_storage_new(a->heap, bytes);
  if (!s) return refuse(a, "no memory for the storage");
  memset(s->data, 0, (size_t)s->bytes);
  return rlx_storage_object(a->heap, s);
}
static RlxObject *do_tensor_in(Args *a) {
  RlxObject *storage = arg(a, "storage"), *shape = arg(a, "shape"), *offset = arg(a, "offset");
  if (!storage || storage->kind != RLX_OBJECT_STORAGE || !shape ||
      shape->kind != RLX_OBJECT_SHAPE || !a->step->check)
    return refuse(a, "storage or shape is not known");
  const RlxValue *v = attr(a, "offset");
  int64_t at = offset && offset->kind == RLX_OBJECT_INT ? offset->integer
               : v && v->kind == RLX_VALUE_INT          ? v->integer
                                                        : 0,
          bytes = rlx_dtype_bytes(a->step->check->sinfo->dtype);
  for (int i = 0; i < shape->count; i++)
    if (shape->dims[i] < 0 || __builtin_mul_overflow(bytes, shape->dims[i], &bytes))
      return refuse(a, "the tensor is too large");
  if (at < 0 || bytes > storage->storage->bytes || at > storage->storage->bytes - bytes)
    return refuse(a, "the tensor does not fit into its storage");
  return rlx_tensor_in(a->heap, storage->storage, at, a->step->check->sinfo->dtype, shape->dims,
                       shape->count);
}
/// R.memory.view: the shape that was computed for the result, over the same bytes.
static RlxObject *do_view(Args *a) {
  RlxObject *x = tensor_arg(a, "data"), *shape = arg(a, "shape"),
            *offset = arg(a, "relative_byte_offset");
  if (!x) return NULL;
  RlxDType t = a->step->check && a->step->check->sinfo->kind == RLX_SINFO_TENSOR &&
                       rlx_dtype_known(a->step->check->sinfo->dtype)
                   ? a->step->check->sinfo->dtype
                   : x->dtype;
  const RlxValue *v = attr(a, "relative_byte_offset");
  int64_t at = offset && offset->kind == RLX_OBJECT_INT ? offset->integer
               : v && v->kind == RLX_VALUE_INT          ? v->integer
                                                        : 0;
  if (v && v->kind == RLX_VALUE_PRIM) rlx_prim_is_const(v->prim, &at);
  if (shape && shape->kind == RLX_OBJECT_SHAPE)
    return rlx_tensor_view(a->heap, x, t, shape->dims, shape->count, at, a->err);
  return rlx_tensor_view(a->heap, x, t, x->dims, x->count, at, a->err);
}
static RlxObject *do_same(Args *a) {
  RlxObject *x = a->step->arg_count ? rlx_reg(a->f, a->step->args[0]) : NULL;
  return x ? rlx_object_ref(x) : refuse(a, "there is no operand");
}

/// R.vm.call_tir_dyn: the PrimFunc gets the integers of a shape at the end one by one.
static RlxObject *do_call_tir_dyn(Args *a) {
  int count;
  RlxObject **args = call_args(a, "args", &count), *x = NULL;
  RlxObject *shape = count && args[count - 1]->kind == RLX_OBJECT_SHAPE ? args[count - 1] : NULL;
  int integers = 0;
  for (count -= shape != NULL; shape && integers < shape->count && integers < 64; integers++)
    args[count + integers] = rlx_int_new(a->heap, shape->dims[integers], RLX_INT64);
  RlxRunError err = {0};
  if (a->step->callee)
    x = rlx_entry_call(a->step->callee, args, count + integers, NULL, &err);
  else
    rlx_error_set(&err.error, "the function is no PrimFunc of this file");
  if (!x) *a->err = err.error;
  for (int i = 0; i < integers; i++) rlx_object_unref(args[count + i]);
  free(args);
  rlx_object_unref(x);
  return x ? unit(a) : NULL;
}

// ---- several workers, of which this is the first and the others have the same tensors

static int64_t attr_int(Args *a, const char *name, int64_t otherwise) {
  const RlxValue *v = attr(a, name);
  RlxObject *x = arg(a, name);
  if (x && x->kind == RLX_OBJECT_INT) return x->integer;
  if (v && v->kind == RLX_VALUE_INT) return v->integer;
  if (v && v->kind == RLX_VALUE_PRIM) rlx_prim_is_const(v->prim, &otherwise);
  return otherwise;
}

static RlxObject *do_allgather(Args *a) {
  RlxObject *x = tensor_arg(a, "x");
  int64_t workers = attr_int(a, "num_workers", 1), dims[RLX_TENSOR_NDIM_MAX];
  if (!x) return NULL;
  if (x->count < 1 || workers < 1) return refuse(a, "it takes a tensor of rank 1 or more");
  memcpy(dims, x->dims, (size_t)x->count * sizeof *dims);
  if (__builtin_mul_overflow(dims[0], workers, &dims[0])) return refuse(a, "it is too large");
  RlxObject *out = rlx_tensor_new(a->heap, x->dtype, dims, x->count, a->err);
  size_t bytes = (size_t)rlx_tensor_bytes(x);
  for (int64_t i = 0; out && i < workers; i++)
    memcpy((char *)out->data + (size_t)i * bytes, x->data, bytes);
  return out;
}

/// The first of `num_workers` equal parts along `axis`.
static RlxObject *do_first_part(Args *a) {
  RlxObject *x = tensor_arg(a, a->step->call->row->params[0].name);
  int64_t workers = attr_int(a, "num_workers", 1), axis = attr_int(a, "axis", 0),
          dims[RLX_TENSOR_NDIM_MAX];
  if (!x) return NULL;
  if (axis < 0 || axis >= x->count || workers < 1 || x->dims[axis] % workers) {
    rlx_error_code(a->err, rlx_diag_row(RLX_DIAG_ID(VALUE_CHECK))->code);
    rlx_error_set(a->err, "dimension %lld does not fall into %lld equal parts", (long long)axis,
                  (long long)workers);
    return NULL;
  }
  memcpy(dims, x->dims, (size_t)x->count * sizeof *dims);
  dims[axis] /= workers;
  RlxObject *out = rlx_tensor_new(a->heap, x->dtype, dims, x->count, a->err);
  size_t outer = 1, run = rlx_dtype_bytes(x->dtype);
  for (int d = 0; d < axis; d++) outer *= (size_t)dims[d];
  for (int d = (int)axis; d < x->count; d++) run *= (size_t)dims[d];
  for (size_t o = 0; out && o < outer; o++)
    memcpy((char *)out->data + o * run, (const char *)x->data + o * run * (size_t)workers, run);
  return out;
}

// ---- parts of tensors

static RlxObject *do_inspect(Args *a) {
  RlxObject *x = tensor_arg(a, "tensor");
  if (!x) return NULL;
  RlxOpId id = a->step->call->row->id;
  bool has_axis = id == RLX_OPID_inspect_tensor_shape_i || id == RLX_OPID_inspect_tensor_stride_i;
  int64_t axis = has_axis ? attr_int(a, "axis", -1) : 0, stride = 1;
  if (has_axis && (axis < 0 || axis >= x->count)) {
    rlx_error_code(a->err, rlx_diag_row(RLX_DIAG_ID(INDEX_BOUNDS))->code);
    rlx_error_set(a->err, "axis %lld is out of range for rank %d", (long long)axis, x->count);
    return NULL;
  }
  for (int d = x->count; has_axis && --d > axis;) stride *= x->dims[d];
  switch (id) {
  case RLX_OPID_inspect_tensor_ndim: return rlx_int_new(a->heap, x->count, RLX_INT32);
  case RLX_OPID_inspect_tensor_shape_i: return rlx_int_new(a->heap, x->dims[axis], RLX_INT64);
  case RLX_OPID_inspect_tensor_stride_i: return rlx_int_new(a->heap, stride, RLX_INT64);
  case RLX_OPID_inspect_tensor_dtype_bits:
    return rlx_int_new(a->heap, x->dtype.bits, rlx_dtype(RLX_DTYPE_UINT, 8));
  case RLX_OPID_inspect_tensor_dtype_code:
    return rlx_int_new(a->heap, rlx_dtype_dlpack_code(x->dtype), rlx_dtype(RLX_DTYPE_UINT, 8));
  case RLX_OPID_inspect_tensor_dtype_lanes:
    return rlx_int_new(a->heap, x->dtype.lanes, rlx_dtype(RLX_DTYPE_UINT, 16));
  default: return rlx_int_new(a->heap, 0, rlx_dtype(RLX_DTYPE_UINT, 64)); // tensors are compact
  }
}

// ---- sparse matrices: the tuple (indptr, indices, data)

static RlxObject *bad_csr(Args *a, const char *why) {
  rlx_error_code(a->err, rlx_diag_row(RLX_DIAG_ID(VALUE_CHECK))->code);
  return refuse(a, why);
}

static RlxObject *do_make_csr(Args *a) {
  RlxObject *parts[3] = {tensor_arg(a, "indptr"), tensor_arg(a, "indices"), tensor_arg(a, "data")};
  for (int i = 0; i < 3; i++)
    if (!parts[i] || parts[i]->count != 1 || (i < 2 && !rlx_dtype_is_int(parts[i]->dtype)))
      return bad_csr(a, "a sparse matrix is made of three vectors, the first two of integers");
  const RlxObject *p = parts[0], *columns = parts[1];
  int64_t rows = p->dims[0] - 1, count = columns->dims[0], last = 0;
  if (rows < 0 || rlx_element_integer(p->data, p->dtype, 0) != 0)
    return bad_csr(a, "`indptr` does not start with 0");
  for (int64_t i = 1; i <= rows; i++) {
    int64_t at = rlx_element_integer(p->data, p->dtype, i);
    if (at < last) return bad_csr(a, "`indptr` decreases");
    last = at;
  }
  if (last != count || parts[2]->dims[0] != count)
    return bad_csr(a, "`indptr` ends with another number than `indices` and `data` have elements");
  for (int64_t i = 0; i < count; i++)
    if (rlx_element_integer(columns->data, columns->dtype, i) < 0)
      return bad_csr(a, "`indices` has a negative column");
  return rlx_tuple_new(a->heap, parts, 3);
}

static bool same_integers(const RlxObject *x, const RlxObject *y) {
  if (x->kind != RLX_OBJECT_TENSOR || y->kind != RLX_OBJECT_TENSOR || x->count != 1 ||
      y->count != 1 || x->dims[0] != y->dims[0])
    return false;
  for (int64_t i = 0; i < x->dims[0]; i++)
    if (rlx_element_integer(x->data, x->dtype, i) != rlx_element_integer(y->data, y->dtype, i))
      return false;
  return true;
}

/// The sum of two sparse matrices with the same structure.
static RlxObject *do_add_csr(Args *a) {
  RlxObject *x = nth(a, "x1", 0), *y = nth(a, "x2", 0);
  if (!x || !y || x->kind != RLX_OBJECT_TUPLE || y->kind != RLX_OBJECT_TUPLE || x->count != 3 ||
      y->count != 3)
    return bad_csr(a, "an operand is no sparse matrix");
  RlxObject *p = x->fields[2], *q = y->fields[2];
  if (!same_integers(x->fields[0], y->fields[0]) || !same_integers(x->fields[1], y->fields[1]))
    return bad_csr(a, "the matrices have elements at different places");
  if (!rlx_dtype_equal(p->dtype, q->dtype)) return bad_csr(a, "the matrices have different dtypes");
  RlxObject *sum = rlx_tensor_new(a->heap, p->dtype, p->dims, 1, a->err);
  if (!sum) return NULL;
  for (int64_t i = 0; i < p->dims[0]; i++)
    if (rlx_dtype_is_float(p->dtype))
      rlx_element_set_number(sum->data, p->dtype, i,
                             rlx_element_number(p->data, p->dtype, i) +
                                 rlx_element_number(q->data, p->dtype, i));
    else
      rlx_element_set_integer(sum->data, p->dtype, i,
                              (int64_t)((uint64_t)rlx_element_integer(p->data, p->dtype, i) +
                                        (uint64_t)rlx_element_integer(q->data, p->dtype, i)));
  RlxObject *parts[3] = {x->fields[0], x->fields[1], sum}, *out = rlx_tuple_new(a->heap, parts, 3);
  rlx_object_unref(sum);
  return out;
}

// ---- data-dependent

static RlxObject *do_nonzero(Args *a) {
  RlxObject *x = tensor_arg(a, "x");
  return x ? rlx_nonzero(a->heap, x, a->err) : NULL;
}

/// (rows, count): the first `count[0]` rows, in the same memory, and the count.
static RlxObject *do_trim(Args *a) {
  RlxObject *all = rlx_reg(a->f, a->step->args[0]);
  if (!all || all->kind != RLX_OBJECT_TUPLE || all->count != 2)
    return refuse(a, "there is no operand");
  RlxObject *rows = all->fields[0], *count = all->fields[1];
  int64_t dims[RLX_TENSOR_NDIM_MAX];
  for (int i = 0; i < rows->count; i++) dims[i] = rows->dims[i];
  int64_t found = rlx_element_integer(count->data, count->dtype, 0);
  dims[0] = found < 0 ? 0 : found < dims[0] ? found : dims[0];
  RlxObject *fields[2] = {rlx_tensor_view(a->heap, rows, rows->dtype, dims, rows->count, 0, a->err),
                          count};
  if (!fields[0]) return NULL;
  RlxObject *pair = rlx_tuple_new(a->heap, fields, 2);
  rlx_object_unref(fields[0]);
  return pair;
}

/// The axis of `unique`; -1: elements.
static int unique_axis(Args *a, const RlxObject *x) {
  const RlxValue *v = attr(a, "axis");
  RlxObject *p = arg(a, "axis");
  int64_t axis;
  if (p && p->kind == RLX_OBJECT_INT)
    axis = p->integer;
  else if (v && v->kind == RLX_VALUE_INT)
    axis = v->integer;
  else if (!v || v->kind != RLX_VALUE_PRIM || !rlx_prim_is_const(v->prim, &axis))
    return -1;
  return (int)(axis < 0 ? axis + x->count : axis);
}

static RlxObject *do_unique(Args *a) {
  RlxObject *x = tensor_arg(a, "x");
  if (!x) return NULL;
  const RlxUnique how = {unique_axis(a, x), attr_bool(a, "sorted", true),
                         attr_bool(a, "return_index", false), attr_bool(a, "return_inverse", false),
                         attr_bool(a, "return_counts", false)};
  return rlx_unique(a->heap, x, &how, a->err);
}

// ---- the table

typedef struct Builtin {
  RlxOpId id;
  BuiltinFn *run;
} Builtin;

static const Builtin builtins[] = {
#define RLX_BUILTIN(op, function) {RLX_OPID_##op, function},
#include "jit/plan/builtins.def"
#undef RLX_BUILTIN
};

static const Builtin *find_builtin(RlxOpId id) {
  for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++)
    if (builtins[i].id == id) return &builtins[i];
  return NULL;
}

RlxObject *rlx_builtin_run(Frame *f, Step *step, RlxError *err) {
  Args a = {f, step, err, f->plan->program->jit->heap};
  return find_builtin(step->call->row->id)->run(&a);
}
