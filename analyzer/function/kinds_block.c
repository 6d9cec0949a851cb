/// What a block of a PrimFunc's script is made of: its axes, the parts of buffers that it reads and writes, its condition;
/// attributes around statements.
#include <string.h>

#include "analyzer/function/kinds_args.h"

static Kind unknown(void) { return rlx_kind_of(KIND_UNKNOWN); }

// ---- axes

/// A signed integer, or not known.
static bool is_axis_dtype(RlxDType dtype) {
  return !rlx_dtype_known(dtype) || (dtype.code == RLX_DTYPE_INT && dtype.lanes == 1);
}

/// `(begin, end)`: their difference is the extent.
static void check_pair_of_axis(Kinds *k, const RlxAst *ast, Kind begin, Kind end) {
  bool is_written = ast->kind == RLX_AST_TUPLE || ast->kind == RLX_AST_LIST;
  const Kind both[] = {begin, end};
  for (int i = 0; i < 2; i++)
    if (rlx_kind_is_no_value(both[i]))
      rlx_kind_refuse(k, IN_BOTH, is_written ? ast->children[i] : ast, both[i], "an integer");
  const int bits = begin.tag == KIND_INT ? 32 : kind_is_expr(begin) ? begin.dtype.bits : 0;
  const bool is_signed = begin.tag == KIND_INT || kind_is_code(begin, RLX_DTYPE_INT),
             is_unsigned = kind_is_code(end, RLX_DTYPE_UINT) &&
                           (is_signed ? bits && bits <= end.dtype.bits : end.dtype.bits >= 32);
  bool fits = end.tag != KIND_FLOAT && !kind_is_float_expr(end) &&
              (end.has_number || !kind_is_code(end, RLX_DTYPE_BOOL)) && !is_unsigned &&
              end.tag != KIND_REGION && !kind_is_code(end, RLX_DTYPE_HANDLE) &&
              !(kind_is_expr(end) && end.dtype.lanes > 1);
  if (!fits && (begin.tag == KIND_INT || kind_is_expr(begin)))
    rlx_kind_refuse(k, IN_BOTH, is_written ? ast->children[1] : ast, end, "an integer");
  if (end.tag == KIND_INT && kind_is_code(begin, RLX_DTYPE_UINT) && begin.dtype.bits >= 32)
    rlx_kind_refuse(k, IN_BOTH, is_written ? ast->children[0] : ast, begin, "a signed integer");
}

static void check_realized(Kinds *k, const Args *a) {
  if (k->block) k->blocks.at[k->block - 1].has_axes = true;
  if (k->is_unrealized)
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span,
                         "a block with `no_realize=True` has no axes that are bound");
}

/// The dtype that the extent of an axis has, given the domain: an int, an expression, `(begin, end)`. An unknown one has no bits.
static RlxDType extent_dtype(Kind dom) {
  if (dom.tag == KIND_INT) return rlx_kind_holds(RLX_INT32, dom) ? RLX_INT32 : RLX_INT64;
  if (kind_is_expr(dom)) return dom.dtype;
  if (!kind_is_list(dom) || dom.count != 2) return rlx_dtype_unknown();
  const RlxDType begin = extent_dtype(dom.items[0]), end = extent_dtype(dom.items[1]);
  if (begin.code != RLX_DTYPE_INT || end.code != RLX_DTYPE_INT || !begin.bits || !end.bits)
    return rlx_dtype_unknown();
  return begin.bits > end.bits ? begin : end;
}

Kind rlx_kind_axis(Kinds *k, Args *a) {
  Kind dom, binding, kind;
  RlxDType extent = rlx_dtype_unknown();
  const RlxAst *ast;
  RlxDType dtype = rlx_dtype(RLX_DTYPE_INT, 0);
  bool is_extent = false; // what it is is known
  rlx_kind_check_in_block(k, a);
  if (rlx_kind_argument(k, a, 0, "dom", &dom, &ast)) {
    rlx_kind_used(k, ast, dom);
    bool is_pair = kind_is_list(dom) && dom.count >= 2; // KIND_MANY, too
    bool fits = dom.tag == KIND_UNKNOWN || dom.tag == KIND_INT || dom.tag == KIND_NONE || is_pair ||
                (dom.tag == KIND_OBJECT && dom.object == RANGE_OBJECT) ||
                (kind_is_expr(dom) && is_axis_dtype(dom.dtype));
    if (!fits) rlx_kind_refuse(k, IN_BOTH, ast, dom, "the extent of the axis");
    if (is_pair && dom.count != KIND_MANY) check_pair_of_axis(k, ast, dom.items[0], dom.items[1]);
    extent = extent_dtype(dom);
    is_extent = extent.code == RLX_DTYPE_INT && extent.bits;
  }
  if (rlx_kind_argument(k, a, 1, "binding", &binding, &ast)) {
    rlx_kind_used(k, ast, binding);
    rlx_kind_check_outside(k, ast, false);
    binding = rlx_kind_as_value(k, ast, binding); // in 0.25 a vector
    bool fits = binding.tag == KIND_UNKNOWN || binding.tag == KIND_INT ||
                (kind_is_expr(binding) &&
                 (!rlx_dtype_known(binding.dtype) || binding.dtype.code == RLX_DTYPE_INT));
    if (binding.tag == KIND_REGION)
      rlx_kind_refuse(k, kind_is_many(binding) ? IN_BOTH : IN_027, ast, binding, "an integer");
    else if (!fits)
      rlx_kind_refuse(k, IN_BOTH, ast, binding, "an integer");
  } else if (!a->is_open && (k->stmt->value != a->call ||
                             (k->stmt->target_count &&
                              k->stmt->targets[0]->kind ==
                                  RLX_AST_SUBSCRIPT))) { // a statement of its own is told elsewhere
    rlx_kind_refuse_text(
        k, IN_BOTH, a->call->span,
        rlx_arena_printf(k->arena, "T.%s takes its domain and what it is bound to", a->path));
  }
  RlxDType own = RLX_INT32; // of as many bits as the extent has, at least
  if (rlx_kind_argument(k, a, 2, "dtype", &kind, &ast)) {
    rlx_kind_check_dtype(k, ast, kind);
    own = rlx_dtype_unknown();
    bool is_read =
        kind.tag == KIND_STR && kind.text && rlx_dtype_parse(kind.text, strlen(kind.text), &own);
    if (is_read && (own.code != RLX_DTYPE_INT || own.lanes != 1))
      rlx_kind_refuse(k, IN_BOTH, ast, kind, "the dtype of an axis: int32 or int64");
  }
  if (own.code == RLX_DTYPE_INT && extent.code == RLX_DTYPE_INT && extent.bits &&
      own.bits > extent.bits)
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span,
                         "the extent of the axis has fewer bits than the axis");
  check_realized(k, a);
  if (is_extent && own.code == RLX_DTYPE_INT && own.bits)
    dtype = rlx_dtype(RLX_DTYPE_INT, own.bits > extent.bits ? own.bits : extent.bits);
  Kind out = rlx_kind_expr(dtype);
  out.is_var = true;
  out.axis_of = k->block;
  return out;
}

Kind rlx_kind_remap(Kinds *k, Args *a) {
  Kind kinds, bindings;
  const RlxAst *ast, *list;
  rlx_kind_check_in_block(k, a);
  if (a->is_open || !rlx_kind_argument(k, a, 0, "kinds", &kinds, &ast) ||
      !rlx_kind_argument(k, a, 1, "bindings", &bindings, &list))
    return unknown();
  if (kinds.tag != KIND_STR && kinds.tag != KIND_UNKNOWN) {
    rlx_kind_refuse(k, IN_BOTH, ast, kinds, "a string of axis types");
    return unknown();
  }
  if (kinds.tag == KIND_STR && kinds.text && kinds.text[strspn(kinds.text, "SR")])
    rlx_kind_refuse_text(k, IN_BOTH, ast->span, "the letters of T.axis.remap are S and R");
  if (!kind_is_list(bindings) && bindings.tag != KIND_UNKNOWN) {
    rlx_kind_refuse(k, IN_BOTH, list, bindings, "a list of loop variables");
    return unknown();
  }
  Kind dtype;
  const RlxAst *at;
  if (rlx_kind_argument(k, a, 2, "dtype", &dtype, &at)) {
    if (dtype.tag != KIND_STR && dtype.tag != KIND_UNKNOWN)
      rlx_kind_refuse(k, IN_BOTH, at, dtype, "a dtype as a string");
    else
      rlx_kind_check_dtype(k, at, dtype);
  }
  if (!kind_is_list(bindings) || bindings.count == KIND_MANY) return unknown();
  if (bindings.count) check_realized(k, a);
  bool is_written = (list->kind == RLX_AST_LIST || list->kind == RLX_AST_TUPLE) &&
                    list->child_count == bindings.count;
  Kind *items = rlx_arena_array(k->arena, Kind, bindings.count + 1);
  for (uint32_t i = 0; i < bindings.count; i++) {
    Kind one = bindings.items[i];
    bool is_loop = one.is_loop && is_axis_dtype(one.dtype);
    if (one.tag != KIND_UNKNOWN && !is_loop) {
      rlx_kind_refuse(k, IN_BOTH, is_written ? list->children[i] : list, one,
                      one.is_loop ? "the variable of a loop of int32 or int64"
                                  : "the variable of a loop");
      return unknown();
    }
    items[i] = rlx_kind_expr(one.dtype);
    items[i].is_var = true;
    items[i].axis_of = k->block;
  }
  if (kinds.tag == KIND_STR && kinds.text && strlen(kinds.text) != bindings.count) {
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "as many types as loop variables");
    return unknown();
  }
  Kind out = rlx_kind_of(KIND_TUPLE);
  out.is_array = true;
  out.items = items;
  out.count = bindings.count;
  return bindings.count == 1 ? items[0] : out;
}

// ---- parts of blocks and functions

Kind rlx_kind_regions(Kinds *k, Args *a) {
  if (k->block) {
    KindBlock *block = &k->blocks.at[k->block - 1];
    bool *has_them = strcmp(a->path, "reads") == 0 ? &block->has_reads : &block->has_writes;
    if (*has_them && k->stmt->value != a->call) // a statement of its own is told elsewhere
      rlx_kind_refuse_text(k, IN_BOTH, a->call->span,
                           rlx_arena_printf(k->arena, "the block has T.%s already", a->path));
    *has_them = true;
  }
  rlx_kind_check_in_block(k, a);
  for (int i = 0; i < a->count; i++) {
    Kind one = a->kinds[i];
    rlx_kind_check_outside(k, a->at[i], true);
    bool is_list = a->count == 1 && kind_is_list(one) && !one.is_array;
    uint32_t count = is_list ? one.count == KIND_MANY ? 0 : one.count : 1;
    for (uint32_t n = 0; n < count; n++) {
      Kind part = is_list ? one.items[n] : one;
      bool fits = part.tag == KIND_UNKNOWN || part.tag == KIND_REGION ||
                  (kind_is_expr(part) && part.is_load);
      if (!fits) rlx_kind_refuse(k, IN_BOTH, a->at[i], part, "a part of a buffer");
      if (part.is_odd || part.is_stepped)
        rlx_kind_refuse_text(k, IN_BOTH, a->at[i]->span,
                             part.is_odd ? "the bounds of a part are integers"
                                         : "the part has a step or a vector as an index");
    }
  }
  return rlx_kind_of(KIND_NONE);
}

Kind rlx_kind_where(Kinds *k, Args *a) {
  Kind predicate;
  const RlxAst *ast;
  rlx_kind_check_in_block(k, a);
  if (!rlx_kind_argument(k, a, 0, "predicate", &predicate, &ast)) return rlx_kind_of(KIND_NONE);
  rlx_kind_used(k, ast, predicate);
  rlx_kind_check_outside(k, ast, false);
  bool fits = predicate.tag == KIND_UNKNOWN || predicate.tag == KIND_INT ||
              predicate.tag == KIND_BOOL || predicate.tag == KIND_NONE ||
              (kind_is_expr(predicate) &&
               (!rlx_dtype_known(predicate.dtype) || rlx_dtype_is_bool(predicate.dtype)));
  if (predicate.tag == KIND_INT && predicate.has_number) // 0 and 1 are conditions
    fits = predicate.number == 0 || predicate.number == 1;
  if (!fits) rlx_kind_refuse(k, IN_BOTH, ast, predicate, "a condition");
  return rlx_kind_of(KIND_NONE);
}

// ---- attributes

/// The key of an attribute: a string of the script, or an expression that is one.
static void check_key(Kinds *k, const RlxAst *ast, Kind key) {
  const bool is_text =
      (key.tag == KIND_STR && key.object != DTYPE_STRING) || key.tag == KIND_UNKNOWN ||
      (kind_is_expr(key) &&
       (!rlx_dtype_known(key.dtype) || (key.dtype.code == RLX_DTYPE_HANDLE && !key.is_var)));
  if (!is_text) rlx_kind_refuse(k, IN_BOTH, ast, key, "a string as the key of an attribute");
}

/// The value of an attribute, which 0.25 makes an expression.
static void check_value(Kinds *k, const RlxAst *ast, Kind value) {
  rlx_kind_used(k, ast, value);
  value = rlx_kind_as_value(k, ast, value);
  const bool is_text = value.tag == KIND_STR && value.object != DTYPE_STRING;
  if (rlx_kind_is_no_value(value) && !is_text)
    rlx_kind_refuse(k, value.tag == KIND_BUFFER ? IN_025 : IN_BOTH, ast, value, "an expression");
}

/// `T.attr({"key": 1})` alone has no other arguments; a node has a key and a value.
static void check_attributes(Kinds *k, const Args *a) {
  Kind ignored;
  const RlxAst *ast;
  if (a->is_open || !a->count || a->kinds[0].tag == KIND_UNKNOWN) return;
  const RlxAst *dict = a->at[0];
  if (a->kinds[0].tag != KIND_DICT) {
    if (!rlx_kind_argument(k, a, 1, "attr_key", &ignored, &ast) ||
        !rlx_kind_argument(k, a, 2, "value", &ignored, &ast))
      rlx_kind_refuse_text(k, IN_BOTH, a->call->span,
                           "T.attr takes a node, a key and a value, or a dictionary of attributes");
    if (a->kinds[0].tag == KIND_NONE || a->kinds[0].object == DTYPE_STRING)
      rlx_kind_refuse(k, a->kinds[0].tag == KIND_NONE ? IN_BOTH : IN_025, dict, a->kinds[0],
                      "what the attribute is of");
    return;
  }
  if (dict->kind != RLX_AST_DICT) return;
  if (!dict->child_count)
    rlx_kind_refuse_text(k, IN_BOTH, dict->span, "T.attr takes one attribute at least");
  for (uint32_t i = 0; i + 1 < dict->child_count; i += 2) {
    check_key(k, dict->children[i], a->kinds[0].items[i]);
    check_value(k, dict->children[i + 1], a->kinds[0].items[i + 1]);
  }
}

/// T.attr(node, key, value)
Kind rlx_kind_attr(Kinds *k, Args *a) {
  Kind key, value;
  const RlxAst *ast;
  check_attributes(k, a);
  if (rlx_kind_argument(k, a, 1, "attr_key", &key, &ast)) check_key(k, ast, key);
  if (rlx_kind_argument(k, a, 2, "value", &value, &ast)) check_value(k, ast, value);
  if (a->count) rlx_kind_used(k, a->at[0], a->kinds[0]);
  if (a->count) a->kinds[0].given = NULL;
  rlx_kind_by_row(k, a);
  return rlx_kind_of(KIND_FRAME);
}
