/// Attributes and subscripts of PrimFuncs: what a buffer has, its elements and its parts, regions.
#include "analyzer/script/script_impl.h"
#include <string.h>

#include "base/text.h"

static RlxTv buffer_attribute(RlxTirReader *r, const RlxAst *ast, RlxTirBuffer *buffer) {
  const char *attr = rlx_store_text(r->store, ast->name);
  if (!strcmp(attr, "data")) {
    if (!buffer->data)
      buffer->data = rlx_tir_var(r->f, buffer->name, rlx_dtype(RLX_DTYPE_HANDLE, 64));
    return rlx_tv_expr(rlx_tir_var_expr(r->f, buffer->data), false);
  }
  if (!strcmp(attr, "dtype")) return (RlxTv){.kind = RLX_TV_DTYPE, .dtype = buffer->dtype};
  if (!strcmp(attr, "elem_offset")) {
    if (buffer->offset_factor && !buffer->elem_offset) { // TVM gives it a variable of its own
      const char *name = rlx_store_text(r->store, buffer->name);
      RlxTirVar *own =
          rlx_tir_var(r->f,
                      rlx_intern_text(rlx_store_names(r->store),
                                      rlx_arena_printf(r->f->arena, "%s_elem_offset", name)),
                      RLX_INT32);
      buffer->elem_offset = rlx_tir_var_expr(r->f, own);
      buffer->owns_offset = true;
    }
    return rlx_tv_expr(buffer->elem_offset ? buffer->elem_offset : rlx_tir_int(r->f, 0, RLX_INT32),
                       false);
  }
  if (!strcmp(attr, "shape") || !strcmp(attr, "strides")) {
    RlxTirExpr **list = attr[1] == 'h' ? buffer->shape : buffer->strides;
    RlxTv v = {.kind = RLX_TV_TUPLE, .count = list ? (uint32_t)buffer->ndim : 0};
    v.items = rlx_arena_array(r->f->arena, RlxTv, v.count + 1);
    for (uint32_t i = 0; i < v.count; i++) v.items[i] = rlx_tv_expr(list[i], false);
    return v;
  }
  return rlx_tir_issue(r, ast, "buffer attribute `%s` is not known", attr);
}

/// `x.dtype`, or `x.ty` as 0.27 has it, of an expression.
static RlxTv expr_attribute(RlxTirReader *r, const RlxAst *ast, const char *attr,
                            const RlxTirExpr *expr) {
  bool is_dtype = !strcmp(attr, "dtype");
  bool has_type_only = expr->kind == RLX_TIR_LOAD || expr->kind == RLX_TIR_VAR;
  if (is_dtype && rlx_tir_is_027(r) && has_type_only && expr->dtype.code != RLX_DTYPE_HANDLE)
    return rlx_tir_mistake(r, ast, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), "ss", "dtype",
                           "; the type of an expression is its `ty`");
  if (is_dtype || !strcmp(attr, "ty")) return (RlxTv){.kind = RLX_TV_DTYPE, .dtype = expr->dtype};
  return rlx_tir_issue(r, ast, "attribute `%s` is not understood here", attr);
}

RlxTv rlx_tir_eval_attribute(RlxTirReader *r, const RlxAst *ast) {
  const char *path = rlx_tir_path(r, ast);
  if (path) {
    RlxDType t;
    if (rlx_dtype_parse(path, strlen(path), &t) && rlx_dtype_known(t))
      return (RlxTv){.kind = RLX_TV_DTYPE, .dtype = t};
    return rlx_tv_text(RLX_TV_PATH, path);
  }
  RlxTv base = rlx_tir_eval(r, ast->children[0]);
  if (base.kind == RLX_TV_HOLE) return base;
  const char *attr = rlx_store_text(r->store, ast->name);
  if (base.kind == RLX_TV_BUFFER) return buffer_attribute(r, ast, base.buffer);
  if (base.kind == RLX_TV_EXPR) return expr_attribute(r, ast, attr, base.expr);
  return rlx_tir_issue(r, ast, "attribute `%s` is not understood here", attr);
}

/// A slice as a RANGE; absent ends are the buffer's.
static RlxTirExpr *range_of(RlxTirReader *r, const RlxAst *slice, RlxTirExpr *extent) {
  const RlxAst *start = slice->children[0], *stop = slice->children[1], *step = slice->children[2];
  RlxTirExpr *args[3] = {start->kind == RLX_AST_NONE ? rlx_tir_int(r->f, 0, extent->dtype)
                                                     : rlx_tir_eval_expr(r, start),
                         stop->kind == RLX_AST_NONE ? extent : rlx_tir_eval_expr(r, stop), NULL};
  int count = 2;
  if (step->kind != RLX_AST_NONE) args[count++] = rlx_tir_eval_expr(r, step);
  return rlx_tir_node(r, RLX_TIR_RANGE, args[0]->dtype, args, count);
}

/// Whether the number of dimensions is sure: a shape known to Python only reads as one hole.
static bool is_ranked(const RlxTirBuffer *buffer) {
  for (int d = 0; d < buffer->ndim; d++)
    if (buffer->shape[d]->kind == RLX_TIR_HOLE) return false;
  return buffer->ndim > 0;
}

/// Whether an index stands for several, or for nobody knows how many: `*s`, a name of a list.
static bool has_list(RlxTirReader *r, RlxAst *const *at, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    if (at[i]->kind == RLX_AST_STARRED) return true;
    const bool is_slice =
        at[i]->kind == RLX_AST_SUBSCRIPT && at[i]->children[1]->kind == RLX_AST_SLICE;
    const RlxAst *list = is_slice ? at[i]->children[0] : at[i];
    if (list->kind == RLX_AST_ATTRIBUTE && // of a buffer: as many as it has dimensions
        rlx_text_is_among(rlx_store_text(r->store, list->name), " shape strides "))
      return true;
    if (at[i]->kind != RLX_AST_NAME) continue;
    RlxTv v = rlx_tir_eval(r, at[i]);
    if (v.kind == RLX_TV_TUPLE || v.kind == RLX_TV_HOLE) return true;
  }
  return false;
}

/// Whether a part of a buffer has one element for certain: `B[0:1, 0]`, `B[0]` of shape (4, 1).
static bool has_one_element(RlxTirReader *r, const RlxTirExpr *part) {
  int64_t step;
  for (int i = 0; i < part->arg_count; i++)
    if (part->args[i]->kind == RLX_TIR_RANGE && rlx_tir_range_lanes(r, part->args[i], &step) != 1)
      return false;
  return true;
}

/// An index; a part of a buffer is one only in 0.25, where it is a vector, for the last dimension, or a
/// single element.
static RlxTirExpr *index_of(RlxTirReader *r, const RlxAst *ast, bool is_last) {
  bool may_be_part = ast->kind == RLX_AST_SUBSCRIPT && rlx_tir_is_known(r);
  if (!may_be_part) return rlx_tir_eval_expr(r, ast);
  RlxTv v = rlx_tir_eval(r, ast);
  if (v.kind == RLX_TV_REGION && (rlx_tir_is_027(r) || (!is_last && !has_one_element(r, v.expr))))
    v = rlx_tir_part_mistake(r, ast, v);
  return rlx_tir_as(r, v, rlx_dtype_unknown());
}

/// `[i, vi][1]`: Python drops the other items, so that a loop which only they name is not used. `from`: how
/// many uses were noted before the list was read.
static void keep_uses_of_item(RlxTirReader *r, const RlxAst *list, uint32_t item, uint32_t from) {
  const bool is_literal = list->kind == RLX_AST_LIST || list->kind == RLX_AST_TUPLE;
  for (uint32_t i = 0; is_literal && i < list->child_count; i++)
    if (list->children[i]->kind == RLX_AST_STARRED) return;
  if (!is_literal || item >= list->child_count) return;
  const RlxSpan kept_span = list->children[item]->span;
  uint32_t kept = from;
  for (uint32_t i = from; i < r->loop_uses.count; i++) {
    const RlxSpan span = r->loop_uses.at[i].ast->span;
    if (span.start >= kept_span.start && span.end <= kept_span.end)
      r->loop_uses.at[kept++] = r->loop_uses.at[i];
  }
  r->loop_uses.count = kept;
}

/// How many indices `T.axis.remap("SS", [i, j])` gives where it is the only one; 1: it is another index.
static uint32_t count_of_remap(RlxTirReader *r, const RlxAst *index) {
  const char *path = index->kind == RLX_AST_CALL ? rlx_tir_path(r, index->children[0]) : NULL;
  const RlxAst *kinds =
      path && !strcmp(path, "axis.remap") ? rlx_tir_arg(r, index, 0, "kinds") : NULL;
  return kinds && kinds->kind == RLX_AST_STRING ? kinds->text_size : 1;
}

/// Whether a slice has a step that is not 1.
static bool is_stepped(const RlxTirExpr *index) {
  return index->kind == RLX_TIR_RANGE && index->arg_count > 2 &&
         index->args[2]->kind == RLX_TIR_INT && index->args[2]->integer != 1;
}

/// `(a, b)[1]`. `index`: the only index, or NULL; `uses`: how many uses were noted before the tuple was read.
static RlxTv tuple_item(RlxTirReader *r, const RlxAst *ast, RlxTv tuple, const RlxAst *index,
                        uint32_t uses) {
  const RlxTirExpr *value = index ? rlx_tir_eval_expr(r, index) : NULL;
  if (!value || value->kind != RLX_TIR_INT)
    return rlx_tir_issue(r, ast, "the index of a tuple has to be a constant");
  const int64_t i = value->integer < 0 ? value->integer + (int64_t)tuple.count : value->integer;
  if (i < 0 || i >= (int64_t)tuple.count)
    return rlx_tir_issue(r, ast, "index %lld is outside of a tuple of %u",
                         (long long)value->integer, tuple.count);
  keep_uses_of_item(r, ast->children[0], (uint32_t)i, uses);
  if (ast->children[0]->kind == RLX_AST_NAME && tuple.items[i].kind == RLX_TV_EXPR)
    rlx_tir_note_use(r, ast->children[0], tuple.items[i].expr);
  return tuple.items[i];
}

/// The indices between the brackets.
typedef struct Indices {
  RlxAst *const *at;
  uint32_t count;
  bool is_short; ///< fewer than the buffer has dimensions: all of the others
} Indices;

/// Whether the buffer can be indexed so; else `*out` is the answer. One buffer's mistake is told once.
static bool fits(RlxTirReader *r, const RlxAst *ast, RlxTirBuffer *buffer, Indices *x, RlxTv *out) {
  const uint32_t ndim = (uint32_t)buffer->ndim,
                 remapped = x->count == 1 ? count_of_remap(r, x->at[0]) : 1;
  const bool is_remap_wrong = remapped > 1 && remapped != ndim;
  *out = rlx_tv_hole();
  if ((x->count > ndim || is_remap_wrong) && is_ranked(buffer)) {
    for (uint32_t i = 0; i < r->misused.count; i++)
      if (r->misused.at[i] == buffer) return false;
    rlx_vec_push(&r->misused, buffer);
    *out = rlx_tir_mistake(r, ast, RLX_DIAG_ID(BUFFER_RANK), "sii",
                           rlx_store_text(r->store, buffer->name), buffer->ndim,
                           (int)(is_remap_wrong ? remapped : x->count));
    return false;
  }
  x->is_short = x->count && x->count < ndim && is_ranked(buffer);
  if (x->is_short && (remapped > 1 || has_list(r, x->at, x->count))) {
    *out = rlx_tir_issue(r, ast, "an index that is a list is not understood");
    return false;
  }
  if ((x->count == ndim || x->is_short) && ndim <= MAX_NDIM) return true;
  *out = rlx_tir_issue(r, ast, "buffer `%s` has %d dimensions, indexed with %u",
                       rlx_store_text(r->store, buffer->name), buffer->ndim, x->count);
  return false;
}

/// An element of the buffer, or a part of it.
static RlxTv element_or_part(RlxTirReader *r, const RlxAst *ast, RlxTirBuffer *buffer,
                             const Indices *x) {
  RlxTirExpr *index[MAX_NDIM];
  bool is_region = x->is_short, has_step = false;
  for (uint32_t i = x->count; i < (uint32_t)buffer->ndim; i++) { // all of the other dimensions
    RlxTirExpr *ends[2] = {rlx_tir_int(r->f, 0, buffer->shape[i]->dtype), buffer->shape[i]};
    index[i] = rlx_tir_node(r, RLX_TIR_RANGE, ends[0]->dtype, ends, 2);
  }
  for (uint32_t i = 0; i < x->count; i++) {
    if (x->at[i]->kind == RLX_AST_SLICE) {
      is_region = true;
      index[i] = range_of(r, x->at[i], buffer->shape[i]);
      has_step |= is_stepped(index[i]);
    } else {
      index[i] = index_of(r, x->at[i], i + 1 == (uint32_t)buffer->ndim);
    }
  }
  RlxTirExpr *load = rlx_tir_load(r->f, buffer, index);
  load->span = ast->span;
  if (!is_region) return rlx_tv_expr(load, false);
  const RlxTv part = {.kind = RLX_TV_REGION, .expr = load};
  r->part = ast;
  r->part_stmt = r->stmt;
  r->part_value = part;
  r->part_indices = (int)x->count;
  // In 0.25 a step makes an element or a vector of the part at once.
  return has_step && !x->is_short && rlx_tir_is_025(r) ? rlx_tir_value(r, ast, part) : part;
}

RlxTv rlx_tir_eval_subscript(RlxTirReader *r, const RlxAst *ast) {
  const uint32_t uses = r->loop_uses.count;
  RlxTv base = rlx_tir_eval(r, ast->children[0]), wrong;
  if (base.kind == RLX_TV_HOLE) return base;
  Indices x = {ast->children + 1, ast->child_count - 1, false};
  const RlxAst *only = x.count == 1 ? x.at[0] : NULL;
  const bool is_list = only && only->kind == RLX_AST_LIST && base.kind == RLX_TV_BUFFER;
  if (is_list || (only && only->kind == RLX_AST_TUPLE))
    x = (Indices){only->children, only->child_count, false};
  if (base.kind == RLX_TV_TUPLE)
    return tuple_item(r, ast, base, x.count == 1 ? x.at[0] : NULL, uses);
  if (base.kind != RLX_TV_BUFFER)
    return rlx_tir_issue(r, ast, "only buffers and tuples can be indexed");
  RlxTirBuffer *buffer = base.buffer;
  if (rlx_map_remove(&r->undeclared, (uint64_t)(uintptr_t)buffer))
    rlx_tir_mistake(r, ast->children[0], RLX_DIAG_ID(BUFFER_UNDECLARED), "s",
                    rlx_store_text(r->store, buffer->name));
  return fits(r, ast, buffer, &x, &wrong) ? element_or_part(r, ast, buffer, &x) : wrong;
}

RlxTirRegion rlx_tir_region(RlxTirReader *r, RlxTv v) {
  RlxTirRegion region = {0};
  if (v.kind == RLX_TV_BUFFER) { // the whole buffer
    region.buffer = v.buffer;
    region.begin = rlx_arena_array(r->f->arena, RlxTirExpr *, v.buffer->ndim + 1);
    region.extent = v.buffer->shape;
    for (int i = 0; i < v.buffer->ndim; i++)
      region.begin[i] = rlx_tir_int(r->f, 0, v.buffer->shape[i]->dtype);
    return region;
  }
  RlxTirExpr *load = v.kind == RLX_TV_REGION || v.kind == RLX_TV_EXPR ? v.expr : NULL;
  if (!load || load->kind != RLX_TIR_LOAD) return region;
  region.buffer = load->buffer;
  region.begin = rlx_arena_array(r->f->arena, RlxTirExpr *, load->arg_count + 1);
  region.extent = rlx_arena_array(r->f->arena, RlxTirExpr *, load->arg_count + 1);
  for (int i = 0; i < load->arg_count; i++) {
    RlxTirExpr *index = load->args[i];
    bool is_range = index->kind == RLX_TIR_RANGE;
    region.begin[i] = is_range ? index->args[0] : index;
    if (is_range) {
      RlxTv stop = rlx_tv_expr(index->args[1], index->args[1]->kind == RLX_TIR_INT);
      RlxTv start = rlx_tv_expr(index->args[0], index->args[0]->kind == RLX_TIR_INT);
      rlx_tir_match_types(r, &stop, &start);
      region.extent[i] = rlx_tir_binary(r->f, RLX_TIR_SUB, stop.expr, start.expr);
    } else {
      region.extent[i] = rlx_tir_int(r->f, 1, index->dtype);
    }
  }
  return region;
}
