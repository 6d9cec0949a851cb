/// Buffers that a PrimFunc's script makes or matches: what TVM 0.25 and 0.27 take of shapes, strides and pointers.
#include <string.h>

#include "analyzer/function/kinds_args.h"

/// How strictly TVM looks at a dimension.
typedef struct DimRole {
  bool is_first;       ///< the offset of the first element has its dtype: an integer
  bool is_param;       ///< of a parameter: Python makes strides of it
  bool is_behind_ints; ///< only ints of Python stand before it
  bool is_matched;     ///< by T.match_buffer
} DimRole;

static void check_dim(Kinds *k, const RlxAst *ast, Kind dim, DimRole role) {
  const bool is_loose =
      dim.tag == KIND_STR || dim.tag == KIND_REGION || kind_is_code(dim, RLX_DTYPE_HANDLE);
  bool is_free = is_loose && !role.is_first && !role.is_matched && !role.is_param;
  int where =
      rlx_kind_is_no_value(dim) || dim.tag == KIND_REGION || kind_is_code(dim, RLX_DTYPE_HANDLE)
          ? is_free ? IN_027 : IN_BOTH
          : 0;
  bool is_inexact =
      dim.tag == KIND_FLOAT
          ? role.is_first || role.is_param
          : kind_is_float_expr(dim) && (role.is_first || (role.is_param && role.is_behind_ints));
  bool is_vector = (role.is_first || role.is_param || role.is_matched) && kind_is_expr(dim) &&
                   dim.dtype.lanes > 1;
  if (is_inexact || is_vector) where = IN_BOTH;
  if (kind_is_expr(dim) && dim.is_void)
    where |= role.is_first || role.is_matched ? IN_BOTH : IN_027;
  if (kind_is_one_integer(dim) && !role.is_param) where = IN_027;
  if (where) rlx_kind_refuse(k, where, ast, dim, "a dimension");
  if ((kind_is_expr(dim) && !k->matched) || dim.is_big || dim.tag == KIND_FLOAT)
    rlx_kind_used(k, ast, dim);
}

/// What 0.27 goes over as over a list where it makes a new buffer; the items have to be dimensions. The rank, -1: not known.
static int check_walked(Kinds *k, const RlxAst *ast, Kind shape, bool is_taken) {
  const bool is_walked = is_taken && (shape.tag == KIND_OTHER || shape.tag == KIND_DICT ||
                                      (shape.tag == KIND_STR && shape.text && !shape.text[0]) ||
                                      (shape.tag == KIND_OBJECT && shape.object == BYTES_OBJECT));
  rlx_kind_refuse(k, is_walked ? IN_025 : IN_BOTH, ast, shape, "a shape");
  const bool is_dict = ast->kind == RLX_AST_DICT, is_written = is_dict || ast->kind == RLX_AST_SET;
  for (uint32_t i = 0; is_written && is_walked && i < ast->child_count; i += 1 + is_dict) {
    const RlxAstKind item = (RlxAstKind)ast->children[i]->kind;
    if (item == RLX_AST_TUPLE || item == RLX_AST_STRING || item == RLX_AST_NONE ||
        item == RLX_AST_FLOAT)
      rlx_kind_refuse_text(k, IN_027, ast->children[i]->span,
                           "a dimension is an integer or an expression");
  }
  if (!is_walked || (k->dialects & IN_025)) return -1;
  if (shape.tag == KIND_STR) return 0;
  return shape.tag == KIND_DICT && shape.items && shape.count < 2 ? (int)shape.count : -1;
}

/// The rank of a shape, -1 when it is not known; `defines` lets plain variables have a value. `is_new`: of a buffer that is made.
static int check_shape(Kinds *k, const RlxAst *ast, Kind shape, bool defines, bool is_matched,
                       bool is_new, bool *is_one) {
  *is_one = false;
  if (!kind_is_list(shape)) {
    if (shape.tag == KIND_UNKNOWN) return -1;
    if (shape.tag == KIND_INT || shape.tag == KIND_BOOL || kind_is_expr(shape)) {
      if (defines) rlx_kind_give(k, shape);
      check_dim(k, ast, shape, (DimRole){true, k->in_signature, true, is_matched});
      *is_one = shape.has_number && shape.tag == KIND_INT && shape.number == 1;
      return 1;
    }
    return check_walked(k, ast, shape, is_new);
  }
  if (shape.count == KIND_MANY) return -1;
  bool is_written =
      (ast->kind == RLX_AST_LIST || ast->kind == RLX_AST_TUPLE) && ast->child_count == shape.count;
  DimRole role = {.is_param = k->in_signature, .is_behind_ints = true, .is_matched = is_matched};
  for (uint32_t i = 0; i < shape.count; i++) {
    if (defines) rlx_kind_give(k, shape.items[i]);
    role.is_first = !i;
    check_dim(k, is_written ? ast->children[i] : ast, shape.items[i], role);
    role.is_behind_ints &= shape.items[i].tag == KIND_INT;
    if (defines && shape.items[i].is_load && shape.items[i].is_cell && !k->is_lax)
      rlx_kind_refuse_text(
          k, IN_BOTH, is_written ? ast->children[i]->span : ast->span,
          "a dimension of a parameter is a variable, not what was assigned to a name");
  }
  const Kind *first = shape.items;
  *is_one =
      shape.count == 1 && (first->tag == KIND_UNKNOWN ||
                           (kind_is_expr(*first) && !first->is_var && !first->has_number) ||
                           (first->has_number && first->tag != KIND_FLOAT && first->number == 1));
  return (int)shape.count;
}

static bool is_path(const Args *a, const char *path) { return strcmp(a->path, path) == 0; }

/// Whether the buffer's shape, strides and offset give variables their values.
static bool defines_variables(const Args *a) {
  return is_path(a, "match_buffer") || is_path(a, "Buffer");
}

/// A string is the name of a variable, which only matching gives a value.
static void check_strides(Kinds *k, const Args *a) {
  Kind strides;
  const RlxAst *ast;
  if (!rlx_kind_parameter(k, a, "strides", &strides, &ast)) return;
  const bool defines = defines_variables(a);
  if (strides.tag == KIND_STR && !defines && !k->is_lax)
    rlx_kind_refuse(k, IN_BOTH, ast, strides, "a list of strides");
  if (!kind_is_list(strides) && strides.tag != KIND_STR && strides.tag != KIND_UNKNOWN &&
      strides.tag != KIND_NONE && strides.tag != KIND_DICT && strides.tag != KIND_OTHER)
    rlx_kind_refuse(k, IN_BOTH, ast, strides, "a list of strides");
  if (!defines) rlx_kind_used(k, ast, strides);
  for (uint32_t i = 0; kind_is_list(strides) && strides.count != KIND_MANY && i < strides.count;
       i++)
    if (rlx_kind_is_no_value(strides.items[i]) && strides.items[i].tag != KIND_STR)
      rlx_kind_refuse(k, IN_BOTH, ast, strides.items[i], "a stride");
    else if (strides.items[i].tag == KIND_REGION ||
             kind_is_code(strides.items[i], RLX_DTYPE_HANDLE))
      rlx_kind_refuse(k, IN_027, ast, strides.items[i], "a stride");
  for (uint32_t i = 0; kind_is_list(strides) && strides.count != KIND_MANY && i < strides.count;
       i++) {
    if (defines)
      rlx_kind_give(k, strides.items[i]);
    else if (strides.items[i].tag == KIND_STR && !k->is_lax)
      rlx_kind_refuse(k, IN_BOTH, ast, strides.items[i], "a stride");
  }
}

static void check_offset(Kinds *k, const Args *a, const char *keyword) {
  Kind offset;
  const RlxAst *ast;
  if (!rlx_kind_parameter(k, a, keyword, &offset, &ast)) return;
  const bool is_none = offset.tag == KIND_NONE || offset.tag == KIND_STR;
  if (offset.tag == KIND_STR) rlx_kind_refuse(k, IN_027, ast, offset, "a number of elements");
  if (rlx_kind_is_no_value(offset) && !is_none)
    rlx_kind_refuse(k, IN_BOTH, ast, offset, "a number of elements");
  if (offset.tag == KIND_REGION || kind_is_code(offset, RLX_DTYPE_HANDLE))
    rlx_kind_refuse(k, IN_027, ast, offset, "a number of elements");
  if (strcmp(keyword, "byte_offset") == 0 && // which Python divides
      (kind_is_float_expr(offset) || offset.tag == KIND_STR || offset.tag == KIND_REGION))
    rlx_kind_refuse(k, IN_BOTH, ast, offset, "a number of bytes");
  if (defines_variables(a))
    rlx_kind_give(k, offset);
  else
    rlx_kind_used(k, ast, offset);
}

/// `buffer_type` and `axis_separators`, which 0.25 has.
static void check_old_options(Kinds *k, const Args *a, int ndim) {
  Kind option;
  const RlxAst *ast;
  if (rlx_kind_parameter(k, a, "buffer_type", &option, &ast) && option.tag != KIND_UNKNOWN &&
      (option.tag != KIND_STR ||
       (option.text && option.text[0] && !rlx_text_is_among(option.text, "auto default"))))
    rlx_kind_refuse(k, IN_025, ast, option, "\"default\" or \"auto\"");
  if (!rlx_kind_parameter(k, a, "axis_separators", &option, &ast) || option.tag == KIND_NONE ||
      option.tag == KIND_UNKNOWN)
    return;
  if (!kind_is_list(option)) rlx_kind_refuse(k, IN_025, ast, option, "a list of dimensions");
  int64_t least = 0;
  for (uint32_t i = 0; kind_is_list(option) && option.count != KIND_MANY && i < option.count; i++) {
    const Kind one = option.items[i];
    const bool is_int = one.tag == KIND_INT || one.tag == KIND_BOOL || one.tag == KIND_UNKNOWN ||
                        (kind_is_expr(one) && one.has_number && !kind_is_float_expr(one));
    if (!is_int) rlx_kind_refuse(k, IN_025, ast, one, "a dimension");
    if (!one.has_number) return;
    if (one.number < least || (ndim >= 0 && one.number > ndim))
      rlx_kind_refuse_text(k, IN_025, ast->span,
                           "separators rise, from 0 to the number of dimensions");
    least = one.number;
  }
}

/// Whether the parameter has an argument that is not None.
static bool is_given(Kinds *k, const Args *a, const char *name) {
  Kind kind;
  const RlxAst *ast;
  return rlx_kind_parameter(k, a, name, &kind, &ast) && kind.tag != KIND_NONE;
}

/// `align`, `offset_factor`, `layout`: what is no expression but a setting of the buffer.
static void check_settings(Kinds *k, const Args *a, int ndim) {
  static const char *const numbers[] = {"align", "offset_factor"};
  Kind option;
  const RlxAst *ast;
  for (int i = 0; i < 2; i++)
    if (rlx_kind_parameter(k, a, numbers[i], &option, &ast) && option.tag != KIND_INT &&
        option.tag != KIND_BOOL && option.tag != KIND_UNKNOWN)
      rlx_kind_refuse(k, IN_BOTH, ast, option, "an int");
  const bool is_made = rlx_text_is_among(a->path, "sblock_alloc_buffer alloc_buffer decl_buffer");
  if (rlx_kind_parameter(k, a, "offset_factor", &option, &ast) && option.tag == KIND_INT &&
      option.has_number && option.number && is_made && !k->is_lax && !a->is_open &&
      !is_given(k, a, "elem_offset"))
    rlx_kind_refuse_text(k, IN_BOTH, ast->span,
                         "memory that is made here has no offset for a factor to divide");
  if (rlx_kind_parameter(k, a, "layout", &option, &ast)) {
    Kind scope = {0};
    const RlxAst *scope_ast;
    // Memory of Trainium has layouts that strings name: "PF".
    const bool may_name =
        rlx_kind_parameter(k, a, "scope", &scope, &scope_ast) &&
        (scope.tag != KIND_STR || !scope.text || strncmp(scope.text, "trn.", 4) == 0);
    const bool is_named = option.tag == KIND_STR &&
                          (may_name || !option.text || strcmp(option.text, "default") == 0),
               is_other = option.tag == KIND_NONE || option.tag == KIND_UNKNOWN ||
                          option.tag == KIND_OBJECT;
    if (!is_named && !is_other) rlx_kind_refuse(k, IN_BOTH, ast, option, "a layout");
  }
  check_old_options(k, a, ndim);
}

/// Whether 0.27 takes the value for no place in memory, as 0.25 does.
static bool is_no_place(Kind kind) {
  return kind.tag == KIND_STR || kind.tag == KIND_NONE || kind_is_code(kind, RLX_DTYPE_HANDLE);
}

/// `allocated_addr`, a place or a list of them, and `buffer_name`. Memory of blocks has no such place, and what T.decl_buffer
/// declares has one only outside of global memory.
static void check_placed(Kinds *k, const Args *a) {
  Kind option, scope;
  const RlxAst *ast, *scope_ast;
  if (rlx_kind_parameter(k, a, "buffer_name", &option, &ast) && option.tag != KIND_STR &&
      option.tag != KIND_UNKNOWN)
    rlx_kind_refuse(k, IN_BOTH, ast, option, "the name of a buffer");
  if (!rlx_kind_parameter(k, a, "allocated_addr", &option, &ast) || option.tag == KIND_NONE ||
      option.tag == KIND_UNKNOWN || (kind_is_list(option) && !option.count))
    return;
  const bool is_global = !a->is_open && !rlx_kind_parameter(k, a, "scope", &scope, &scope_ast),
             is_declared = is_path(a, "decl_buffer");
  if (is_path(a, "sblock_alloc_buffer") || (is_declared && (is_global || kind_is_list(option))))
    rlx_kind_refuse(k, IN_BOTH, ast, option, "None: this memory has no place of its own");
  else if (!kind_is_list(option) && option.tag != KIND_STR && rlx_kind_is_no_value(option))
    rlx_kind_refuse(k, IN_BOTH, ast, option, "a place in memory");
  else if (is_no_place(option))
    rlx_kind_refuse(k, IN_027, ast, option, "a place in memory");
  for (uint32_t i = 0; kind_is_list(option) && option.count != KIND_MANY && i < option.count; i++)
    if (option.items[i].tag == KIND_BUFFER || is_no_place(option.items[i]))
      rlx_kind_refuse(k, option.items[i].tag == KIND_BUFFER ? IN_BOTH : IN_027, ast,
                      option.items[i], "a place in memory");
}

/// Reports a shape whose strides Python computes, for its layout, beyond what 64 bits hold.
/// Source: TVM v0.25 and v0.27, python/tvm/tirx (TileLayout of a buffer's shape).
static void check_size(Kinds *k, const RlxAst *ast, Kind buffer) {
  int64_t stride = 1;
  if (buffer.is_flat && !k->in_signature) return;
  for (uint32_t i = buffer.items ? buffer.count : 0; i-- > 1;) {
    const Kind dim = buffer.items[i];
    if (dim.tag != KIND_INT || !dim.has_number || dim.number < 0) return;
    if (__builtin_mul_overflow(stride, dim.number, &stride)) {
      rlx_kind_refuse_text(k, IN_BOTH, ast->span,
                           "a buffer of this shape has strides beyond what 64 bits hold");
      return;
    }
  }
}

static void check_layout(Kinds *k, const Args *a, int ndim) {
  check_settings(k, a, ndim);
  check_placed(k, a);
  check_strides(k, a);
  check_offset(k, a, "elem_offset");
  check_offset(k, a, "byte_offset");
}

/// The pointer to memory that is there. A typed one that nothing has given a value is the buffer's own in 0.25.
static void check_data(Kinds *k, const Args *a, int position) {
  Kind data;
  const RlxAst *ast;
  const bool is_described = is_path(a, "Buffer"), is_declared = is_path(a, "decl_buffer");
  const bool is_named = position >= a->count;
  if (!rlx_kind_argument(k, a, position, "data", &data, &ast)) return;
  const int if_placed = is_named || is_described || is_declared || is_path(a, "match_buffer")
                            ? IN_BOTH
                            : IN_025; // 0.27: a scope
  if (data.tag == KIND_NONE || data.tag == KIND_UNKNOWN) return;
  const bool is_blocks = is_path(a, "sblock_alloc_buffer"); // 0.27 leaves it unread
  if (is_blocks && kind_is_expr(data) && data.is_var) return;
  if (is_blocks && !(k->dialects & IN_025)) {
    if (kind_is_list(data) || data.tag == KIND_DICT || data.tag == KIND_OTHER ||
        kind_is_thing(data))
      rlx_kind_refuse(k, IN_027, ast, data, "a pointer");
    return;
  }
  if (data.tag == KIND_BUFFER && !is_declared) {
    if (k->dialects == IN_025) rlx_kind_refuse(k, IN_025, ast, data, "a pointer");
    return;
  }
  if (!kind_is_expr(data)) {
    rlx_kind_refuse(k, if_placed, ast, data, "a pointer");
    return;
  }
  if (!rlx_dtype_known(data.dtype)) return;
  if (data.dtype.code != RLX_DTYPE_HANDLE)
    rlx_kind_refuse(k, if_placed, ast, data, "a pointer");
  else if (data.is_plain_handle || !data.is_var)
    rlx_kind_refuse(k, IN_025, ast, data, "a variable that points at elements of a dtype");
  if (!(k->dialects & IN_025) && is_declared)
    rlx_kind_used(k, ast, data);
  else if ((k->dialects & IN_025) && !is_described)
    rlx_kind_give(k, data);
}

/// The scope that a call says or leaves at its default; NULL: not known.
static const char *scope_of(Kinds *k, const Args *a) {
  static const char known[] = " Buffer match_buffer alloc_buffer sblock_alloc_buffer ";
  Kind scope;
  const RlxAst *ast;
  if (a->is_open || !rlx_text_is_among(a->path, known)) return NULL;
  if (rlx_kind_parameter(k, a, "buffer_type", &scope, &ast) || is_given(k, a, "data")) return NULL;
  if (!rlx_kind_parameter(k, a, "scope", &scope, &ast)) return "global";
  return scope.tag == KIND_STR ? scope.text : NULL;
}

/// `buffer_type="auto"` makes the strides variables, to which a parameter gives values and nothing else does.
static void check_auto(Kinds *k, const Args *a, int ndim) {
  Kind type, strides;
  const RlxAst *ast, *other;
  if (a->is_open || !rlx_kind_parameter(k, a, "buffer_type", &type, &ast) || type.tag != KIND_STR ||
      !type.text || strcmp(type.text, "auto") != 0)
    return;
  const bool is_part = a->count && a->kinds[0].tag == KIND_REGION,
             is_given = k->in_signature || ndim <= 0 || k->is_lax ||
                        rlx_kind_parameter(k, a, "strides", &strides, &other);
  if (is_path(a, "match_buffer") ? is_part : !is_given)
    rlx_kind_refuse_text(
        k, IN_025, ast->span,
        is_part ? "what views a part of a buffer is of type \"default\""
                : "nothing gives the strides of a buffer of type \"auto\" a value here");
}

static Kind a_buffer(Kinds *k, const Args *a, int from) {
  Kind out = rlx_kind_of(KIND_BUFFER), kind;
  const RlxAst *ast;
  out.is_described = !k->in_signature && is_path(a, "Buffer");
  if (!k->in_signature && (out.is_described || is_path(a, "buffer"))) {
    out.memory = rlx_arena_one(k->arena, KindValue);
    out.memory->is_memory = true;
    out.memory->has_pointer = rlx_kind_argument(k, a, 2, "data", &kind, &ast);
  }
  if (k->in_signature && !rlx_text_is_among(a->path, "Buffer buffer buffer_decl"))
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span,
                         "a parameter is described by T.Buffer; this stands in a body");
  out.dtype = RLX_FLOAT32;
  bool is_one = false;
  if (rlx_kind_argument(k, a, from, "shape", &kind, &ast)) {
    if (is_path(a, "Buffer")) kind = rlx_kind_of_texts(k, ast, kind);
    const bool is_new = rlx_text_is_among(a->path, "Buffer decl_buffer alloc_buffer");
    out.ndim = check_shape(k, ast, kind, defines_variables(a), is_path(a, "match_buffer"), is_new,
                           &is_one);
  }
  if (out.ndim > 0 && kind_is_list(kind)) out.items = kind.items, out.count = kind.count;
  out.is_cell = is_one;
  const bool has_layout = rlx_kind_parameter(k, a, "layout", &kind, &ast);
  const bool is_default = !has_layout || (kind.tag == KIND_STR && kind.text && kind.text[0] == 'd');
  out.is_flat = (has_layout && kind.tag == KIND_NONE) || (is_default && k->is_s_tir);
  if (is_default && rlx_text_is_among(a->path, "Buffer match_buffer alloc_buffer") &&
      rlx_kind_argument(k, a, from, "shape", &kind, &ast))
    check_size(k, ast, out);
  out.is_compact = !a->is_open && !rlx_kind_parameter(k, a, "strides", &kind, &ast) &&
                   !rlx_kind_parameter(k, a, "buffer_type", &kind, &ast);
  if (rlx_kind_argument(k, a, from + 1, "dtype", &kind, &ast)) {
    rlx_kind_check_dtype(k, ast, kind);
    out.dtype = rlx_dtype_unknown();
    if (kind.tag == KIND_STR && kind.text)
      out.is_void =
          rlx_dtype_parse(kind.text, strlen(kind.text), &out.dtype) && !rlx_dtype_known(out.dtype);
    if (out.dtype.code == RLX_DTYPE_HANDLE)
      rlx_kind_refuse_text(k, IN_027, ast->span, "the elements of a buffer are no pointers");
  }
  check_layout(k, a, out.ndim);
  check_auto(k, a, out.ndim);
  check_data(k, a, from + 2);
  if (rlx_kind_parameter(k, a, "scope", &kind, &ast) && kind.tag != KIND_STR &&
      kind.tag != KIND_UNKNOWN)
    rlx_kind_refuse(k, IN_BOTH, ast, kind, "the name of a scope");
  if (!is_path(a, "decl_buffer")) out.scope = scope_of(k, a); // else that of its pointer
  return out;
}

/// The part of a buffer that is matched lies in the memory that is said of it.
static void check_scope(Kinds *k, const Args *a, const RlxAst *part, Kind of) {
  const char *wanted = scope_of(k, a);
  if (!of.scope || !wanted || strcmp(of.scope, wanted) == 0) return;
  rlx_kind_refuse_text(k, IN_BOTH, part->span,
                       rlx_arena_printf(k->arena,
                                        "a part of memory of scope \"%s\", matched as \"%s\"",
                                        of.scope, wanted));
}

/// Whether what is matched stands where it may: parameters at the top of the function, parts of buffers in blocks.
static void check_place(Kinds *k, const Args *a, const RlxAst *ast, Kind of) {
  const bool is_buffer = of.tag == KIND_BUFFER, is_param = kind_is_expr(of) && of.is_var,
             is_part = of.tag == KIND_REGION || (kind_is_expr(of) && of.is_load);
  rlx_kind_check_top(k, a);
  if (of.tag != KIND_UNKNOWN && !is_buffer && !is_param && !is_part)
    rlx_kind_refuse(k, IN_BOTH, ast, of, "a parameter or a part of a buffer");
  if (k->in_block) {
    if (is_param || is_buffer) rlx_kind_refuse(k, IN_BOTH, ast, of, "a part of a buffer");
    return;
  }
  if (k->in_unknown) return; // it may be a block
  if (k->frames > 0)
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span,
                         "T.match_buffer stands at the top of a PrimFunc or in a block");
  if (is_part || (is_param && !of.is_param)) rlx_kind_refuse(k, IN_BOTH, ast, of, "a parameter");
  if (is_buffer) rlx_kind_refuse(k, of.is_param ? IN_025 : IN_BOTH, ast, of, "a parameter");
  const bool is_wide = rlx_dtype_is_int(of.dtype) && of.dtype.bits == 64 && of.dtype.lanes == 1;
  if (is_param && rlx_dtype_known(of.dtype) && of.dtype.code != RLX_DTYPE_HANDLE && !is_wide)
    rlx_kind_refuse(k, IN_027, ast, of, "a pointer");
}

/// The dtype that the call asks for; false: it is not known.
static bool wanted_dtype(Kinds *k, const Args *a, RlxDType *out) {
  Kind dtype;
  const RlxAst *ast;
  *out = RLX_FLOAT32;
  if (!rlx_kind_argument(k, a, 2, "dtype", &dtype, &ast)) return true;
  return dtype.tag == KIND_STR && dtype.text &&
         rlx_dtype_parse(dtype.text, strlen(dtype.text), out) && rlx_dtype_known(*out);
}

Kind rlx_kind_match_buffer(Kinds *k, Args *a) {
  Kind of, shape;
  const RlxAst *ast, *at;
  if (!rlx_kind_argument(k, a, 0, "param", &of, &ast)) {
    rlx_kind_check_top(k, a);
    return a_buffer(k, a, 1);
  }
  check_place(k, a, ast, of);
  rlx_kind_check_outside(k, ast, true);
  const bool is_one = kind_is_expr(of) && (of.is_var || of.is_load),
             is_part = of.tag == KIND_REGION || (kind_is_expr(of) && of.is_load);
  const bool has_shape = rlx_kind_argument(k, a, 1, "shape", &shape, &at) && shape.tag != KIND_NONE,
             is_none = !has_shape && rlx_kind_argument(k, a, 1, "shape", &shape, &at),
             is_whole = is_part && !has_shape; // TVM then asks the part for both
  if (is_part) check_scope(k, a, ast, of);
  RlxDType wanted;
  if (is_part && !is_whole && !a->is_open && wanted_dtype(k, a, &wanted) &&
      rlx_dtype_known(of.dtype) && of.dtype.bits && !rlx_dtype_equal(wanted, of.dtype))
    rlx_kind_refuse(k, IN_BOTH, ast, of, "a part of a buffer of the same dtype");
  if (!has_shape && is_one && !a->is_open)
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span,
                         of.is_var ? "a parameter is matched with a shape"
                                   : "an element is matched with a shape");
  if (is_none || (is_whole && !a->is_open)) {
    check_layout(k, a, -1);
    Kind out = rlx_kind_of(KIND_BUFFER);
    out.dtype = is_whole ? of.dtype : rlx_dtype_unknown();
    return out;
  }
  if (!k->in_block && of.is_param && of.given) k->matched = rlx_kind_match(k, of);
  Kind out = a_buffer(k, a, 1);
  if (is_part && of.ndim > 0 && out.ndim > of.ndim)
    rlx_kind_refuse_text(
        k, IN_BOTH, at->span,
        rlx_arena_printf(k->arena, "%d dimensions for a part of %d", out.ndim, of.ndim));
  out.given = k->matched;
  out.is_view = k->in_block;
  out.made_in = k->block;
  k->matched = NULL;
  return out;
}

Kind rlx_kind_buffer(Kinds *k, Args *a) {
  Kind out = a_buffer(k, a, 0);
  const bool is_blocks = is_path(a, "sblock_alloc_buffer") || is_path(a, "Buffer");
  if (!is_blocks) out.made_in = k->block; // memory of the body, or a name for it
  return out;
}

/// The indices of T.BufferLoad and T.buffer_store, the `place`th argument, against the buffer's dimensions: one value stands for a
/// list of it in the latter.
static void check_indices(Kinds *k, const Args *a, int place) {
  Kind buffer, indices;
  const RlxAst *ast;
  if (!rlx_kind_argument(k, a, 0, "buffer", &buffer, &ast) || buffer.tag != KIND_BUFFER ||
      !rlx_kind_argument(k, a, place, "indices", &indices, &ast) || a->is_open)
    return;
  const bool is_one = place == 2 && (kind_is_expr(indices) || kind_is_python_number(indices));
  if (buffer.ndim < 0 || (!is_one && (!kind_is_list(indices) || indices.count == KIND_MANY)))
    return;
  const uint32_t count = is_one ? 1 : indices.count;
  for (uint32_t i = 0; !is_one && i + 1 < count; i++)
    if (kind_is_expr(indices.items[i]) && rlx_dtype_known(indices.items[i].dtype) &&
        indices.items[i].dtype.lanes > 1)
      rlx_kind_refuse_text(k, IN_BOTH, ast->span, "only the last index may be a vector");
  if (count != (uint32_t)buffer.ndim)
    rlx_kind_refuse_text(
        k, IN_BOTH, ast->span,
        rlx_arena_printf(k->arena, "%u indices for a buffer of %d dimensions", count, buffer.ndim));
}

Kind rlx_kind_buffer_store(Kinds *k, Args *a) {
  Kind buffer;
  const RlxAst *ast;
  const bool is_given = rlx_kind_argument(k, a, 0, "buffer", &buffer, &ast);
  if (is_given && buffer.tag != KIND_BUFFER && buffer.tag != KIND_UNKNOWN)
    rlx_kind_refuse(k, IN_BOTH, ast, buffer, "a buffer");
  if (is_given) rlx_kind_use_memory(k, ast, buffer);
  check_indices(k, a, 2);
  return rlx_kind_by_row(k, a);
}

Kind rlx_kind_buffer_load(Kinds *k, Args *a) {
  Kind buffer, out = rlx_kind_by_row(k, a);
  const RlxAst *ast;
  check_indices(k, a, 1);
  if (!a->is_open && rlx_kind_argument(k, a, 0, "buffer", &buffer, &ast) &&
      buffer.tag == KIND_BUFFER && kind_is_expr(out)) {
    rlx_kind_use_memory(k, ast, buffer);
    out.dtype = buffer.dtype;
  }
  return out;
}
