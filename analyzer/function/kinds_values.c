/// Values that functions of T make of vectors and of dtypes: T.Shuffle, T.infinity, T.Var.
#include <string.h>

#include "analyzer/function/kinds_args.h"

// ---- vectors

/// The dtype of an element of a vector, or of a number; unknown: of nothing that is known.
static RlxDType element_dtype(Kind kind) {
  if (kind.tag == KIND_BOOL) return RLX_BOOL;
  if (kind.tag == KIND_INT && kind.has_number && rlx_kind_holds(RLX_INT32, kind)) return RLX_INT32;
  if (kind.tag == KIND_FLOAT) return RLX_FLOAT32;
  if (!kind_is_expr(kind) || !rlx_dtype_known(kind.dtype) || !kind.dtype.bits)
    return rlx_dtype_unknown();
  kind.dtype.lanes = 1;
  return kind.dtype;
}

Kind rlx_kind_shuffle(Kinds *k, Args *a) {
  Kind list;
  const RlxAst *ast;
  const bool is_known = !a->is_open && rlx_kind_argument(k, a, 0, "vectors", &list, &ast) &&
                        kind_is_list(list) && list.count != KIND_MANY;
  RlxDType first = rlx_dtype_unknown();
  if (is_known && !list.count) rlx_kind_refuse(k, IN_BOTH, ast, list, "vectors");
  for (uint32_t i = 0; is_known && i < list.count; i++) {
    const Kind item = list.items[i];
    const RlxDType dtype = element_dtype(item);
    if (item.tag == KIND_BUFFER) rlx_kind_refuse(k, IN_BOTH, ast, item, "a vector");
    if (item.tag == KIND_STR || dtype.code == RLX_DTYPE_HANDLE)
      rlx_kind_refuse(k, IN_027, ast, item, "a vector");
    if (rlx_dtype_known(first) && rlx_dtype_known(dtype) && !rlx_dtype_equal(first, dtype))
      rlx_kind_refuse_text(k, IN_BOTH, ast->span, "T.Shuffle takes vectors of one dtype");
    if (!i) first = dtype;
  }
  if (!a->is_open && rlx_kind_argument(k, a, 1, "indices", &list, &ast) && kind_is_list(list) &&
      !list.count)
    rlx_kind_refuse(k, IN_BOTH, ast, list, "indices");
  return rlx_kind_by_row(k, a);
}

// ---- constants of dtypes

Kind rlx_kind_limit(Kinds *k, Args *a) {
  Kind of;
  const RlxAst *ast;
  RlxDType dtype;
  Kind out = rlx_kind_by_row(k, a);
  if (a->is_open || !rlx_kind_argument(k, a, 0, "dtype", &of, &ast) || of.tag != KIND_STR ||
      !of.text || !rlx_dtype_parse(of.text, strlen(of.text), &dtype))
    return out;
  const bool is_usual = dtype.bits == 16 || dtype.bits == 32 || dtype.bits == 64;
  const bool is_infinity = strcmp(a->path, "infinity") == 0;
  bool has = rlx_dtype_known(dtype) && dtype.lanes == 1 && dtype.code != RLX_DTYPE_BOOL &&
             dtype.code != RLX_DTYPE_HANDLE;
  if (is_infinity) has = has && dtype.code == RLX_DTYPE_FLOAT && is_usual;
  if (!is_infinity && dtype.code == RLX_DTYPE_FLOAT) has = has && is_usual;
  if (!is_infinity && dtype.code == RLX_DTYPE_INT) has = has && dtype.bits <= 64;
  if (!has)
    rlx_kind_refuse_text(
        k, IN_BOTH, ast->span,
        rlx_arena_printf(k->arena, "TVM knows no T.%s of \"%s\"", a->path, of.text));
  out.is_infinite = is_infinity && kind_is_expr(out);
  return out;
}

Kind rlx_kind_named_variable(Kinds *k, Args *a) {
  Kind of;
  const RlxAst *ast;
  Kind out = rlx_kind_by_row(k, a);
  RlxDType dtype;
  if (a->is_open || a->count != 2 || a->keyword_count ||
      !rlx_kind_argument(k, a, 1, "dtype", &of, &ast) || of.tag != KIND_STR || !of.text ||
      !rlx_dtype_parse(of.text, strlen(of.text), &dtype) || !rlx_dtype_known(dtype))
    return out;
  out = rlx_kind_new_pointer(k);
  out.dtype = dtype;
  return out;
}
