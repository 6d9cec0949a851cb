/// Subscripts, evaluated as TVM's parser does: items and slices of Python's values, fields of tuples, dimensions
/// of shapes, arrays of numpy's, annotations in brackets.
#include <string.h>

#include "analyzer/eval/evaluate_impl.h"
#include "analyzer/eval/metadata.h"
#include "analyzer/eval/refuse.h"
#include "base/text.h"

static RlxValue slice_list(RlxEval *e, RlxValue base, const RlxAst *slice, RlxSpan span) {
  RlxValue bounds[3];
  int64_t at[3] = {0, base.count, 1};
  for (int i = 0; i < 3; i++) {
    bounds[i] = slice->children[i]->kind == RLX_AST_NONE ? rlx_value_none()
                                                         : rlx_eval(e, slice->children[i]);
    if (bounds[i].kind == RLX_VALUE_NONE) continue;
    if (!rlx_value_as_integer(&bounds[i], &at[i])) return rlx_eval_failed(e, span);
    if (i < 2 && at[i] < 0) at[i] += base.count;
    if (i < 2) at[i] = at[i] < 0 ? 0 : at[i] > base.count ? base.count : at[i];
  }
  if (at[2] != 1) return rlx_eval_failed(e, span);
  RlxValue v = base;
  v.span = span;
  v.items = base.items + at[0];
  v.count = at[1] > at[0] ? (uint32_t)(at[1] - at[0]) : 0;
  return v;
}

/// An item that Python does not find: the index of a list is no int, or a dict has no such key.
static RlxValue refuse_index(RlxEval *e, const RlxAst *ast, const RlxValue *base,
                             const RlxValue *index) {
  bool is_dict = base->kind == RLX_VALUE_DICT, is_known = true;
  for (uint32_t i = 0; is_dict && i < base->count; i += 2) // keys: strings and ints are looked up
    is_known =
        is_known && (base->items[i].kind == RLX_VALUE_STR || base->items[i].kind == RLX_VALUE_INT);
  RlxPythonType type = rlx_python_type(e, index);
  const bool is_object = index->kind == RLX_VALUE_PRIM ||
                         (index->kind == RLX_VALUE_EXPR && index->expr->kind != RLX_EXPR_HOLE) ||
                         (!is_dict && rlx_word_is_no(index, RLX_VALUE_INT));
  const bool is_key = type == RLX_PYTHON_STR || type == RLX_PYTHON_INT;
  is_known = is_known && (is_object || (type != RLX_PYTHON_UNKNOWN && (!is_dict || is_key)));
  if (is_known && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), index->span, "ssss",
                    is_dict ? "an item of a dict" : "an item of a list", is_dict ? "key" : "index",
                    rlx_value_text(e, index), is_dict ? "one of its keys" : "an int");
  return rlx_eval_failed(e, ast->span);
}

/// "mn"[0], a string of one character; unknown: the text is not plain ASCII, or has no such place.
static RlxValue index_string(RlxEval *e, const RlxAst *ast, const RlxValue *base,
                             const RlxValue *index) {
  const char *text = base->string ? rlx_store_text(e->store, base->string) : "";
  int64_t at, size = (int64_t)strlen(text);
  if (!rlx_text_is_ascii(text, (size_t)size) || !rlx_value_as_integer(index, &at))
    return rlx_eval_failed(e, ast->span);
  if (at < 0) at += size;
  if (at < 0 || at >= size) return rlx_eval_failed(e, ast->span);
  return (RlxValue){
      .kind = RLX_VALUE_STR, .span = ast->span, .string = rlx_store_intern(e->store, text + at, 1)};
}

static RlxValue index_list(RlxEval *e, const RlxAst *ast, const RlxValue *base,
                           const RlxValue *index) {
  int64_t at;
  if (!rlx_value_as_integer(index, &at)) return refuse_index(e, ast, base, index);
  if (at < 0) at += base->count;
  if (at >= 0 && at < base->count) return base->items[at];
  RlxDiag *diag =
      rlx_eval_report(e, RLX_DIAG_ID(TUPLE_INDEX), index->span, "di", at, (int)base->count);
  const char *nearest = rlx_arena_printf(e->sink->arena, "%d", at < 0 ? 0 : (int)base->count - 1);
  if (base->count && index->span.end > index->span.start)
    rlx_diag_fix(e->sink, diag, rlx_arena_printf(e->sink->arena, "change to `%s`", nearest),
                 index->span, nearest);
  return rlx_eval_failed(e, ast->span);
}

static RlxValue index_dict(RlxEval *e, const RlxAst *ast, const RlxValue *base,
                           const RlxValue *index) {
  for (uint32_t i = 0; i + 1 < base->count; i += 2)
    if (base->items[i].kind == index->kind &&
        ((index->kind == RLX_VALUE_STR && base->items[i].string == index->string) ||
         (index->kind == RLX_VALUE_INT && base->items[i].integer == index->integer)))
      return base->items[i + 1];
  return refuse_index(e, ast, base, index);
}

/// A field of a tuple, a dimension of a shape.
static RlxValue index_expr(RlxEval *e, const RlxAst *ast, const RlxValue *base,
                           const RlxValue *index) {
  RlxExpr *x = base->expr;
  int64_t at;
  const bool is_integer = rlx_value_as_integer(index, &at);
  if (x->kind == RLX_EXPR_SHAPE && is_integer && at >= 0 && at < x->dim_count)
    return rlx_value_of_prim(x->dims[at], ast->span);
  if (rlx_expr_is_unknown(x)) return rlx_eval_failed(e, ast->span);
  if (is_integer) return rlx_value_expr(rlx_expr_get(e, x, at, ast->span, index->span));
  const bool is_one = index->kind == RLX_VALUE_LIST && index->count == 1 && rlx_eval_is_027(e) &&
                      x->kind != RLX_EXPR_CALL; // TVM takes what is in it
  if (is_one && rlx_value_as_integer(&index->items[0], &at))
    return rlx_value_expr(rlx_expr_get(e, x, at, ast->span, index->span));
  if (e->tainted || index->kind == RLX_VALUE_UNKNOWN) return rlx_eval_failed(e, ast->span);
  if (x->sinfo->kind == RLX_SINFO_TUPLE)
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), index->span, "ssss", "a tuple's field",
                    "index", rlx_value_text(e, index), "a Python int");
  else
    rlx_eval_report(e, RLX_DIAG_ID(TUPLE_EXPECTED), ast->span, "s", rlx_value_text(e, base));
  return rlx_eval_failed(e, ast->span);
}

/// x.shape[i], x.strides[i].
static RlxValue index_proxy(RlxEval *e, const RlxAst *ast, const RlxMethod *proxy,
                            const RlxValue *index) {
  const char *name = rlx_store_text(e->store, proxy->name);
  RlxValue values[2] = {proxy->self, *index};
  if (strcmp(name, "shape") == 0)
    return rlx_eval_inspect(e, RLX_OP_ID(inspect_tensor_shape_i), values, 2, ast);
  if (strcmp(name, "strides") == 0)
    return rlx_eval_inspect(e, RLX_OP_ID(inspect_tensor_stride_i), values, 2, ast);
  return rlx_eval_failed(e, ast->span);
}

/// What Python finds no items in, by an index or by a slice.
static RlxValue refuse_base(RlxEval *e, const RlxAst *ast, const RlxValue *base) {
  const RlxPythonType type = rlx_python_type(e, base);
  const bool is_single = type == RLX_PYTHON_NONE || type == RLX_PYTHON_BOOL ||
                         type == RLX_PYTHON_INT || type == RLX_PYTHON_FLOAT ||
                         base->kind == RLX_VALUE_PRIM || base->kind == RLX_VALUE_SYMDECL ||
                         rlx_is_plain_object(base);
  const bool is_object =
      rlx_python_is_object(type) && type != RLX_PYTHON_DTYPE; // T.int64[0] is one
  if ((is_single || is_object) && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(TUPLE_EXPECTED), ast->span, "s", rlx_value_text(e, base));
  return rlx_eval_failed(e, ast->span);
}

static RlxValue index_value(RlxEval *e, const RlxAst *ast, RlxValue base, RlxValue index) {
  int64_t at;
  // A dictionary finds a constant by its number, as `hash` has it; a list wants Python's int.
  const bool is_python =
      base.kind == RLX_VALUE_LIST || (base.kind == RLX_VALUE_EXPR && !rlx_eval_is_027(e));
  if (index.kind == RLX_VALUE_PRIM && rlx_prim_is_const(index.prim, &at) &&
      !(is_python && rlx_refuse_may_tell(e)))
    index = rlx_value_of_int(at, index.span);
  switch (base.kind) {
  case RLX_VALUE_LIST: return index_list(e, ast, &base, &index);
  case RLX_VALUE_STR: return index_string(e, ast, &base, &index);
  case RLX_VALUE_DICT: return index_dict(e, ast, &base, &index);
  case RLX_VALUE_EXPR: return index_expr(e, ast, &base, &index);
  case RLX_VALUE_METHOD: return index_proxy(e, ast, base.thing, &index);
  case RLX_VALUE_PRIM:
  case RLX_VALUE_INT:
  case RLX_VALUE_FLOAT:
  case RLX_VALUE_BOOL:
  case RLX_VALUE_NONE:
  case RLX_VALUE_CLASS:
    if (base.kind == RLX_VALUE_CLASS && index.kind == RLX_VALUE_STR &&
        !(e->fn && base.thing == e->fn->module))
      return rlx_eval_failed(e, ast->span); // a function of another module
    if (!e->tainted)
      rlx_eval_report(e, RLX_DIAG_ID(TUPLE_EXPECTED), ast->span, "s", rlx_value_text(e, &base));
    return rlx_eval_failed(e, ast->span);
  default: return refuse_base(e, ast, &base);
  }
}

static RlxArrayIndex array_index(RlxEval *e, const RlxAst *ast) {
  RlxArrayIndex out = {.kind = RLX_INDEX_UNKNOWN};
  if (ast->kind == RLX_AST_ELLIPSIS) out.kind = RLX_INDEX_REST;
  if (ast->kind == RLX_AST_ELLIPSIS) return out;
  if (ast->kind == RLX_AST_SLICE && ast->child_count == 3) {
    for (int i = 0; i < 3; i++) {
      RlxValue v =
          ast->children[i]->kind == RLX_AST_NONE ? rlx_value_none() : rlx_eval(e, ast->children[i]);
      out.has[i] = v.kind != RLX_VALUE_NONE;
      if (out.has[i] && !rlx_value_as_integer(&v, &out.bounds[i])) return out;
    }
    out.kind = RLX_INDEX_SLICE;
    return out;
  }
  RlxValue v = rlx_eval(e, ast);
  if (v.kind == RLX_VALUE_NONE) out.kind = RLX_INDEX_NEW;
  if (v.kind == RLX_VALUE_INT) { // a bool is a mask
    out.kind = RLX_INDEX_INT;
    out.bounds[0] = v.integer;
  }
  return out;
}

/// a[1:, 0] of an array of numpy's.
static RlxValue array_subscript(RlxEval *e, const RlxAst *ast, const RlxValue *base) {
  enum { ITEMS_MOST = 32 };
  RlxArrayIndex at[ITEMS_MOST];
  bool is_tuple = ast->child_count == 2 && ast->children[1]->kind == RLX_AST_TUPLE;
  RlxAst *const *items = is_tuple ? ast->children[1]->children : ast->children + 1;
  uint32_t count = is_tuple ? ast->children[1]->child_count : ast->child_count - 1;
  if (count > ITEMS_MOST) return rlx_eval_failed(e, ast->span);
  for (uint32_t i = 0; i < count; i++) at[i] = array_index(e, items[i]);
  return rlx_array_subscript(e, base, at, (int)count, ast->span);
}

/// R.Tuple[…] and other annotations, whose items may be names that nothing defines yet.
static RlxValue word_subscript(RlxEval *e, const RlxAst *ast, RlxWord word) {
  uint32_t count = ast->child_count - 1;
  RlxValue *items = rlx_arena_array(e->arena, RlxValue, count ? count : 1);
  bool free_before = e->allow_free;
  e->allow_free = true;
  for (uint32_t i = 0; i < count; i++) items[i] = rlx_eval(e, ast->children[i + 1]);
  e->allow_free = free_before;
  if (count == 1 && items[0].kind == RLX_VALUE_LIST && items[0].is_tuple &&
      !ast->children[1]->is_parenthesized)
    return rlx_eval_sinfo_subscript(e, word, items[0].items, items[0].count, ast->span);
  return rlx_eval_sinfo_subscript(e, word, items, count, ast->span);
}

RlxValue rlx_eval_subscript(RlxEval *e, const RlxAst *ast) {
  RlxValue base = rlx_eval_head(e, ast->children[0]);
  if (base.kind == RLX_VALUE_ARRAY) return array_subscript(e, ast, &base);
  const bool is_metadata = base.kind == RLX_VALUE_NAMESPACE &&
                           strcmp(rlx_store_text(e->store, base.string), "metadata") == 0;
  if (is_metadata && base.count && ast->child_count == 2)
    return rlx_metadata_subscript(e, &base, rlx_eval(e, ast->children[1]), ast->span);
  if (is_metadata || (base.kind == RLX_VALUE_EXPR && base.expr->kind == RLX_EXPR_CONSTANT &&
                      rlx_expr_is_unknown_constant(base.expr)))
    return rlx_metadata_subscript(e, NULL, rlx_value_none(), ast->span);
  if (base.kind == RLX_VALUE_UNKNOWN) return rlx_eval_failed(e, ast->span);
  uint32_t count = ast->child_count - 1;
  bool is_function = base.kind == RLX_VALUE_WORD && rlx_refuse_may_tell(e) &&
                     rlx_python_type(e, &base) == RLX_PYTHON_FUNCTION && !rlx_value_sinfo(e, &base);
  if (base.kind == RLX_VALUE_WORD && !is_function)
    return word_subscript(e, ast, (RlxWord)base.integer);
  if (count == 1 && ast->children[1]->kind == RLX_AST_SLICE) {
    if (base.kind == RLX_VALUE_LIST && ast->children[1]->child_count == 3)
      return slice_list(e, base, ast->children[1], ast->span);
    if (base.kind == RLX_VALUE_EXPR && !e->tainted)
      rlx_eval_report(e, RLX_DIAG_ID(TUPLE_EXPECTED), ast->span, "s", rlx_value_text(e, &base));
    return refuse_base(e, ast, &base);
  }
  if (count != 1) {
    if (base.kind == RLX_VALUE_EXPR && !e->tainted)
      rlx_eval_report(e, RLX_DIAG_ID(TUPLE_EXPECTED), ast->span, "s", rlx_value_text(e, &base));
    return refuse_base(e, ast, &base);
  }
  return index_value(e, ast, base, rlx_eval(e, ast->children[1]));
}
