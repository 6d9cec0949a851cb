/// Vectors in PrimFuncs: parts of buffers as vectors, lanes put together, constants in memory; what
/// intrinsics give.
#include <string.h>

#include "analyzer/script/script_impl.h"

RlxTv rlx_tir_vector_place(RlxTirReader *r, const RlxAst *call, RlxTirBuffer *buffer,
                           const RlxAst *begin, int lanes) {
  RlxTv at = rlx_tir_eval(r, begin);
  bool is_list = at.kind == RLX_TV_TUPLE;
  int count = is_list ? (int)at.count : 1;
  RlxTirExpr *index[MAX_NDIM];
  if (count != buffer->ndim || count > MAX_NDIM || lanes < 1 || lanes > 1024)
    return rlx_tir_issue(r, call, "vload and vstore take an index for each dimension");
  for (int i = 0; i < count; i++)
    index[i] = rlx_tir_as(r, is_list ? at.items[i] : at, rlx_dtype_unknown());
  if (count && lanes > 1 && index[count - 1]->dtype.lanes == 1)
    index[count - 1] = rlx_tir_ramp(r->f, index[count - 1], 1, lanes);
  RlxTirExpr *load = rlx_tir_load(r->f, buffer, index);
  load->span = call->span;
  return rlx_tv_expr(load, false);
}

RlxTv rlx_tir_vector_load(RlxTirReader *r, const RlxAst *call, RlxTirBuffer *buffer,
                          const RlxAst *begin) {
  RlxDType t = rlx_tir_read_dtype(r, rlx_tir_arg(r, call, 1, "dtype"), buffer->dtype);
  return rlx_tir_vector_place(r, call, buffer, begin, t.lanes);
}

RlxTv rlx_tir_eval_shuffle(RlxTirReader *r, const RlxAst *call, const RlxAst *vectors,
                           const RlxAst *indices) {
  RlxTirExpr *args[2 * MAX_NDIM + 1];
  RlxTv lists[2] = {rlx_tir_eval(r, vectors), rlx_tir_eval(r, indices)};
  int count = 1;
  for (int k = 0; k < 2; k++) {
    if (lists[k].kind != RLX_TV_TUPLE || !lists[k].count || lists[k].count > MAX_NDIM)
      return rlx_tir_issue(r, call, "T.Shuffle takes a list of vectors and a list of indices");
    for (uint32_t i = 0; i < lists[k].count; i++) {
      RlxTv v = rlx_tir_value(r, k ? indices : vectors, lists[k].items[i]);
      if (v.kind == RLX_TV_HOLE) return v;
      args[count++] = rlx_tir_as(r, v, rlx_dtype_unknown());
    }
  }
  args[0] = rlx_tir_int(r->f, lists[0].count, RLX_INT32);
  RlxDType t = args[1]->dtype;
  t.lanes = (uint16_t)lists[1].count;
  return rlx_tv_expr(rlx_tir_call(r->f, rlx_store_intern(r->store, "Shuffle", 7), t, args, count),
                     false);
}

RlxTirStmt *rlx_tir_read_constant(RlxTirReader *r, const RlxAst *call, RlxName name) {
  enum { MAX_ELEMENTS = 1 << 16 };
  const RlxAst *data = rlx_tir_arg(r, call, 0, "data"), *dtype = rlx_tir_arg(r, call, 1, "dtype"),
               *extents = rlx_tir_arg(r, call, 2, "extents");
  RlxTv v = data ? rlx_tir_eval(r, data) : rlx_tv_hole();
  if (v.kind != RLX_TV_TUPLE || !dtype || !extents || v.count > MAX_ELEMENTS) {
    rlx_tir_issue(r, call, "T.allocate_const takes a list of numbers, a dtype and extents");
    return NULL;
  }
  int ndim = 0;
  RlxTirExpr **shape = rlx_tir_dimensions(r, extents, &ndim);
  int64_t size = 1;
  for (int d = 0; d < ndim; d++)
    if (shape[d]->kind != RLX_TIR_INT || __builtin_mul_overflow(size, shape[d]->integer, &size))
      size = -1;
  if (size != (int64_t)v.count) {
    rlx_tir_issue(r, call, "T.allocate_const: its extents are not those of its %u numbers",
                  v.count);
    return NULL;
  }
  RlxTirStmt *alloc = rlx_tir_stmt(r->f, RLX_TIR_ALLOC, 0);
  alloc->buffer =
      rlx_tir_buffer(r->f, name, rlx_tir_read_dtype(r, dtype, RLX_FLOAT32), shape, ndim);
  RlxTirStmt **stores = rlx_arena_array(r->f->arena, RlxTirStmt *, v.count + 1);
  for (uint32_t i = 0; i < v.count; i++) {
    RlxTirExpr *at[MAX_NDIM];
    int64_t rest = i;
    for (int d = ndim; d-- > 0; rest /= shape[d]->integer)
      at[d] = rlx_tir_int(r->f, rest % shape[d]->integer, RLX_INT32);
    stores[i] =
        rlx_tir_store(r->f, alloc->buffer, at, rlx_tir_as(r, v.items[i], alloc->buffer->dtype));
  }
  r->initial = rlx_tir_seq(r->f, stores, (int)v.count);
  return alloc;
}

RlxDType rlx_tir_intrinsic_dtype(const char *path, RlxTirExpr *const *args, int count) {
  static const char *const booleans[] = {"isnan", "isinf", "isfinite", "isnullptr"};
  for (size_t i = 0; i < sizeof booleans / sizeof *booleans; i++)
    if (!strcmp(path, booleans[i])) return RLX_BOOL;
  static const char *const pointers[] = {"tvm_access_ptr", "handle_add_byte_offset"};
  for (size_t i = 0; i < sizeof pointers / sizeof *pointers; i++)
    if (!strcmp(path, pointers[i])) return rlx_dtype(RLX_DTYPE_HANDLE, 64);
  return count && strcmp(path, "clz") != 0 ? args[0]->dtype : RLX_INT32;
}
