/// What stands behind a dot in a PrimFunc's script: attributes and methods of buffers, variables and other values.
#include <string.h>

#include "analyzer/function/kinds_args.h"

// Made from dir() of the objects in the wheels of Apache TVM. A variable of 0.27 has the names of a buffer, too,
// which all stop when it is none.
static const char buffer_words_025[] =
    "READ WRITE access_ptr allocated_addr axis_separators buffer_type byte_offset byte_offset_of "
    "data data_alignment dtype elem_offset elem_offset_of get_flattened_buffer id_ is_ is_scalar "
    "layout local name offset_factor offset_of permute ptr_to same_as scope script shape show span "
    "strides view vload vstore with_allocated_addr with_data with_dtype";
static const char buffer_words_027[] =
    "access_ptr allocated_addr byte_offset byte_offset_of chunk data data_alignment dtype "
    "elem_offset elem_offset_of expr_ty get_flattened_buffer id_ is_ is_scalar layout local name "
    "offset_factor offset_of permute ptr_to rearrange same_as scope script shape show span strides "
    "sub tile ty view vload vstore with_allocated_addr with_dtype";
static const char var_words_025[] =
    "astype dtype equal id_ is_ name same_as script show span type_annotation";
static const char var_words_027[] =
    "astype equal expr_ty id_ is_ is_scalar name same_as script show span ty";
static const char load_words_025[] =
    "astype buffer dtype equal id_ indices is_ predicate same_as script show span";
static const char load_words_027[] =
    "astype equal expr_ty id_ indices is_ same_as script show source span ty";
static const char expr_words_025[] = "a args astype attrs axis b base body buffer combiner "
                                     "condition dtype equal false_value id_ indices init is_ lanes "
                                     "op params predicate producer same_as script show source span "
                                     "stride true_value value value_index var vectors";
static const char expr_words_027[] = "a args astype attrs axis b base body combiner condition "
                                     "equal expr_ty false_value id_ indices init is_ lanes "
                                     "op params producer same_as script show source span stride "
                                     "true_value ty ty_args value value_index var vectors";
static const char frame_words[] =
    "add_callback alloc_buffers annotations attr_key buffer doms extent id_ init is_ iter_values "
    "iter_var iter_vars match_buffers name no_realize node predicate reads same_as stmts value var "
    "vars writes";
static const char region_words[] = "buffer id_ is_ region same_as script show source span ty";
static const char python_words[] = "append extend index count join format split strip lower upper "
                                   "replace startswith endswith keys values items get "
                                   "pop copy real imag numerator denominator bit_length is_integer "
                                   "conjugate insert remove reverse sort update "
                                   "encode isdigit find rfind lstrip rstrip splitlines title zfill";

const char *rlx_kind_buffer_members(void) { return buffer_words_027; }

static Kind unknown(void) { return rlx_kind_of(KIND_UNKNOWN); }

static Kind list_of_many(KindTag tag) {
  Kind out = rlx_kind_of(tag);
  out.count = KIND_MANY;
  return out;
}

// ---- attributes

/// The dimensions of a buffer: constants and variables of TensorIR, whatever they were given as.
static Kind shape_of(Kinds *k, Kind buffer) {
  Kind shape = rlx_kind_of(KIND_TUPLE);
  shape.count = (uint32_t)buffer.ndim;
  shape.is_array = true;
  Kind *items = rlx_arena_array(k->arena, Kind, shape.count + 1);
  for (uint32_t i = 0; i < shape.count; i++) {
    items[i] = unknown();
    if (buffer.count != shape.count) continue;
    Kind dim = buffer.items[i];
    if (kind_is_expr(dim)) items[i] = dim;
    if (dim.tag != KIND_INT || !rlx_kind_holds(RLX_INT32, dim)) continue;
    items[i] = rlx_kind_expr(RLX_INT32);
    items[i].has_number = dim.has_number;
    items[i].number = dim.number;
  }
  shape.items = items;
  return shape;
}

/// The names that a value has in 0.25 and in 0.27; NULL: not known.
static void words_of(Kind base, const char **old, const char **new) {
  *old = *new = NULL;
  switch ((KindTag)base.tag) {
  case KIND_EXPR:
    *old = base.is_load ? load_words_025 : base.is_var ? var_words_025 : expr_words_025;
    *new = base.is_load ? load_words_027 : base.is_var ? var_words_027 : expr_words_027;
    break;
  case KIND_BUFFER: *old = buffer_words_025, *new = buffer_words_027; break;
  case KIND_FOR:
  case KIND_FRAME: *old = *new = frame_words; break;
  case KIND_REGION: *old = *new = region_words; break;
  case KIND_ANNOTATION: *old = *new = "as_var type_spec dtype shape"; break;
  case KIND_NONE:
  case KIND_BOOL:
  case KIND_INT:
  case KIND_FLOAT:
  case KIND_STR:
  case KIND_LIST:
  case KIND_TUPLE:
  case KIND_DICT: *old = *new = python_words; break;
  case KIND_UNKNOWN:
  case KIND_SLICE:
  case KIND_FUNCTION:
  case KIND_MODULE:
  case KIND_OBJECT:
  case KIND_OTHER: break;
  }
}

/// In which dialects the value has no such attribute.
static int lacks(Kind base, const char *name) {
  if (base.is_decorator) return IN_BOTH;
  if (name[0] == '_') return 0;
  const char *old, *new;
  words_of(base, &old, &new);
  return (old && !rlx_text_is_among(name, old) ? IN_025 : 0) |
         (new && !rlx_text_is_among(name, new) ? IN_027 : 0);
}

static Kind of_buffer(Kinds *k, const RlxAst *ast, Kind base, const char *name) {
  if (strcmp(name, "shape") == 0) return base.ndim < 0 ? unknown() : shape_of(k, base);
  if (strcmp(name, "strides") == 0) {
    Kind strides = list_of_many(KIND_TUPLE);
    strides.is_array = true;
    return strides;
  }
  if (strcmp(name, "data") == 0) {
    rlx_kind_used(k, ast, base);
    Kind out = rlx_kind_expr(rlx_dtype(RLX_DTYPE_HANDLE, 64));
    out.is_var = true;
    return out;
  }
  if (strcmp(name, "axis_separators") == 0) return list_of_many(KIND_TUPLE);
  return unknown();
}

Kind rlx_kind_member(Kinds *k, const RlxAst *ast, Kind base) {
  const char *name = rlx_store_text(k->store, ast->name);
  const int lacking = lacks(base, name);
  if (lacking)
    rlx_kind_refuse_text(
        k, lacking, ast->name_span,
        rlx_arena_printf(k->arena, "%s has no `%s`", rlx_kind_text(k, base), name));
  if (lacking & k->dialects) return unknown();
  if (base.tag != KIND_BUFFER && base.tag != KIND_EXPR) return unknown();
  if (strcmp(name, "name") == 0) return rlx_kind_of(KIND_STR);
  if (strcmp(name, "dtype") == 0) return rlx_kind_of(KIND_STR);
  if (strcmp(name, "span") == 0) return rlx_kind_of(KIND_OBJECT);
  if (base.tag == KIND_BUFFER) return of_buffer(k, ast, base, name);
  if (strcmp(name, "buffer") == 0) { // of an element
    Kind out = rlx_kind_of(KIND_BUFFER);
    out.dtype = rlx_dtype_unknown();
    out.is_named = true;
    return out;
  }
  return rlx_text_is_among(name, "indices args") ? list_of_many(KIND_TUPLE) : unknown();
}

// ---- methods

/// `A.local(…)` asks the layout of the buffer for its extent, unless it is given a shape and a layout.
static void check_local(Kinds *k, Kind buffer, const Args *a) {
  Kind layout;
  const RlxAst *ast;
  if (!buffer.is_flat || a->is_open) return;
  const bool has_layout =
      rlx_kind_argument(k, a, -1, "layout", &layout, &ast) && layout.tag != KIND_NONE;
  if (!has_layout || !a->count)
    rlx_kind_refuse_text(
        k, IN_BOTH, a->call->span,
        "the buffer has no layout (`layout=None`): its `local` takes a shape and a "
        "layout");
}

/// The element that A.vload, A.offset_of and their like are asked for; `dtype` is that of the value.
static void check_element(Kinds *k, Kind buffer, const Args *a, RlxDType dtype) {
  Kind begin;
  const RlxAst *ast;
  const bool has_begin = rlx_kind_argument(k, a, 0, "begin", &begin, &ast) && !a->is_open;
  if (has_begin && kind_is_list(begin) && begin.count != KIND_MANY && buffer.ndim >= 0 &&
      begin.count != (uint32_t)buffer.ndim)
    rlx_kind_refuse_text(k, IN_BOTH, ast->span,
                         rlx_arena_printf(k->arena, "%u indices for %d dimension%s", begin.count,
                                          buffer.ndim, buffer.ndim == 1 ? "" : "s"));
  if (rlx_dtype_known(dtype) && dtype.bits && rlx_dtype_known(buffer.dtype) &&
      (dtype.code != buffer.dtype.code || dtype.bits != buffer.dtype.bits))
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "the buffer has elements of another dtype");
}

/// Whether the indices that an element is asked for are one each: T.Ramp asks for several.
static bool is_one_element(Kinds *k, const Args *a) {
  Kind begin;
  const RlxAst *ast;
  if (!rlx_kind_argument(k, a, 0, "begin", &begin, &ast) || !kind_is_list(begin) ||
      begin.count == KIND_MANY)
    return false;
  for (uint32_t i = 0; i < begin.count; i++)
    if (begin.items[i].tag != KIND_INT &&
        !(kind_is_expr(begin.items[i]) && begin.items[i].dtype.lanes == 1))
      return false;
  return true;
}

/// A.vload(begin, dtype)
static Kind vload(Kinds *k, Kind buffer, const Args *a) {
  Kind dtype;
  const RlxAst *ast;
  Kind out = rlx_kind_expr(buffer.dtype);
  out.is_load = true;
  if (rlx_kind_argument(k, a, 1, "dtype", &dtype, &ast) && dtype.tag != KIND_NONE) {
    out.dtype = rlx_dtype_unknown();
    if (dtype.tag == KIND_STR && dtype.text)
      rlx_dtype_parse(dtype.text, strlen(dtype.text), &out.dtype);
  }
  check_element(k, buffer, a, out.dtype);
  if (!is_one_element(k, a)) out.dtype = rlx_dtype_unknown();
  return out;
}

/// A.vstore(begin, value)
static void check_vstore(Kinds *k, Kind buffer, const Args *a) {
  Kind value = unknown();
  const RlxAst *ast;
  rlx_kind_argument(k, a, 1, "value", &value, &ast);
  check_element(k, buffer, a,
                kind_is_expr(value)       ? value.dtype
                : value.tag == KIND_INT   ? RLX_INT32
                : value.tag == KIND_FLOAT ? RLX_FLOAT32
                                          : rlx_dtype_unknown());
}

/// A.permute(1, 0): an axis for each dimension.
static void check_permute(Kinds *k, Kind buffer, const Args *a) {
  if (a->is_open || buffer.ndim < 0 || a->keyword_count) return;
  for (int i = 0; i < a->count; i++)
    if (a->kinds[i].tag == KIND_INT && a->kinds[i].has_number &&
        (a->kinds[i].number >= buffer.ndim || a->kinds[i].number < -buffer.ndim))
      rlx_kind_refuse_text(k, IN_BOTH, a->at[i]->span,
                           rlx_arena_printf(k->arena, "the buffer has %d dimension%s", buffer.ndim,
                                            buffer.ndim == 1 ? "" : "s"));
}

static Kind of_buffers_method(Kinds *k, const char *name, Kind buffer, const Args *a) {
  if (strcmp(name, "local") == 0) check_local(k, buffer, a);
  if (strcmp(name, "vload") == 0) return vload(k, buffer, a);
  if (strcmp(name, "vstore") == 0) check_vstore(k, buffer, a);
  if (strcmp(name, "permute") == 0) check_permute(k, buffer, a);
  if (rlx_text_is_among(name, "offset_of elem_offset_of byte_offset_of ptr_to"))
    check_element(k, buffer, a, rlx_dtype_unknown());
  if (strcmp(name, "offset_of") == 0) return list_of_many(KIND_TUPLE);
  if (rlx_text_is_among(name, "access_ptr ptr_to"))
    return rlx_kind_expr(rlx_dtype(RLX_DTYPE_HANDLE, 64));
  return strcmp(name, "scope") == 0 ? rlx_kind_of(KIND_STR) : unknown();
}

Kind rlx_kind_method(Kinds *k, const RlxAst *callee, Kind base, const Args *a) {
  const char *name = rlx_store_text(k->store, callee->name);
  if (kind_is_expr(base) && strcmp(name, "astype") == 0 && a->count == 1) {
    rlx_kind_check_dtype(k, a->at[0], a->kinds[0]);
    RlxDType dtype = rlx_dtype_unknown();
    if (a->kinds[0].tag == KIND_STR && a->kinds[0].text &&
        rlx_dtype_parse(a->kinds[0].text, strlen(a->kinds[0].text), &dtype) &&
        !rlx_dtype_known(dtype))
      rlx_kind_refuse_text(k, IN_BOTH, a->at[0]->span, "nothing is cast to void");
    if (kind_is_code(base, RLX_DTYPE_HANDLE))
      rlx_kind_refuse(k, dtype.code == RLX_DTYPE_HANDLE ? IN_027 : IN_BOTH, callee->children[0],
                      base, "a number");
    return rlx_kind_is_cast_away(base, dtype) ? base : rlx_kind_expr(dtype);
  }
  if (kind_is_expr(base) && strcmp(name, "equal") == 0) return rlx_kind_expr(RLX_BOOL);
  if ((kind_is_expr(base) || base.tag == KIND_BUFFER) && strcmp(name, "same_as") == 0)
    return rlx_kind_of(KIND_BOOL);
  return base.tag == KIND_BUFFER ? of_buffers_method(k, name, base, a) : unknown();
}
