/// What stands behind a dot in a PrimFunc's script: attributes and methods of buffers, variables and other values.
#include <string.h>

#include "analyzer/function/kinds_args.h"

typedef enum MemberOwner {
  NO_OWNER,
  OF_BUFFER,
  OF_VARIABLE,
  OF_ELEMENT, ///< of a buffer
  OF_EXPRESSION,
  OF_REGION,
  OF_FRAME, ///< a loop, too
  OF_SHAPE, ///< a list that TVM made
  OF_ANNOTATION,
  OF_NONE,
  OF_INT, ///< a bool, too
  OF_FLOAT,
  OF_STRING,
  OF_LIST,
  OF_TUPLE,
  OF_DICT
} MemberOwner;

/// What a member gives: see members.def.
typedef enum Gives {
  GIVES_ANY,
  GIVES_METHOD,
  GIVES_INT,
  GIVES_FLOAT,
  GIVES_STR,
  GIVES_NONE,
  GIVES_INDEX,
  GIVES_HANDLE,
  GIVES_ARRAY,
  GIVES_SHAPE,
  GIVES_BUFFER,
  GIVES_OBJECT,
  GIVES_OBJECTS,
  GIVES_TYPE
} Gives;

static const struct {
  MemberOwner of;
  RlxDialect since, until;
  Gives gives;
  const char *names;
} members[] = {
#define RLX_KIND_MEMBERS(of, since, until, gives, names)                                           \
  {of, RLX_DIALECT_##since, RLX_DIALECT_##until, GIVES_##gives, names},
#include "analyzer/function/members.def"
#undef RLX_KIND_MEMBERS
};

enum { MEMBERS = sizeof members / sizeof *members };

const char *rlx_kind_buffer_members(uint32_t at) {
  for (size_t i = 0; i < MEMBERS; i++)
    if (members[i].of == OF_BUFFER && members[i].until == RLX_DIALECT_027 && !at--)
      return members[i].names;
  return NULL;
}

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

static MemberOwner owner_of(Kind base) {
  switch ((KindTag)base.tag) {
  case KIND_EXPR: return base.is_load ? OF_ELEMENT : base.is_var ? OF_VARIABLE : OF_EXPRESSION;
  case KIND_BUFFER: return OF_BUFFER;
  case KIND_FOR:
  case KIND_FRAME: return OF_FRAME;
  case KIND_REGION: return OF_REGION;
  case KIND_ANNOTATION: return OF_ANNOTATION;
  case KIND_NONE: return OF_NONE;
  case KIND_BOOL:
  case KIND_INT: return OF_INT;
  case KIND_FLOAT: return OF_FLOAT;
  case KIND_STR: return base.object == DTYPE_STRING ? NO_OWNER : OF_STRING;
  case KIND_LIST: return OF_LIST;
  case KIND_TUPLE: return base.is_array ? OF_SHAPE : OF_TUPLE;
  case KIND_DICT: return OF_DICT;
  case KIND_UNKNOWN:
  case KIND_SLICE:
  case KIND_FUNCTION:
  case KIND_MODULE:
  case KIND_OBJECT:
  case KIND_OTHER: break;
  }
  return NO_OWNER;
}

/// In which dialects the value has the attribute, and what it gives there: in the newest of them.
static int find_member(MemberOwner of, const char *name, Gives *gives) {
  int where = 0;
  for (size_t i = 0; i < MEMBERS; i++) {
    if (members[i].of != of || !rlx_text_is_among(name, members[i].names)) continue;
    if (members[i].since == RLX_DIALECT_025) where |= IN_025;
    if (members[i].until == RLX_DIALECT_027) where |= IN_027;
    *gives = members[i].gives;
  }
  return where;
}

/// What a member gives, where that does not depend on which one it is.
static Kind given(Kinds *k, const RlxAst *ast, Kind base, Gives gives) {
  Kind out = unknown();
  switch (gives) {
  case GIVES_ANY: break;
  case GIVES_METHOD:
    out = rlx_kind_of(KIND_FUNCTION);
    out.is_nothing = true;
    break;
  case GIVES_INT: return rlx_kind_of(KIND_INT);
  case GIVES_FLOAT: return rlx_kind_of(KIND_FLOAT);
  case GIVES_STR: return rlx_kind_of(KIND_STR);
  case GIVES_NONE: return rlx_kind_of(KIND_NONE);
  case GIVES_INDEX: return rlx_kind_expr(rlx_dtype(RLX_DTYPE_INT, 0));
  case GIVES_HANDLE:
    rlx_kind_used(k, ast, base);
    out = rlx_kind_expr(rlx_dtype(RLX_DTYPE_HANDLE, 64));
    out.is_var = true;
    break;
  case GIVES_OBJECTS:
  case GIVES_ARRAY:
    out = list_of_many(KIND_TUPLE);
    out.is_array = true;
    break;
  case GIVES_SHAPE: return base.ndim < 0 ? unknown() : shape_of(k, base);
  case GIVES_BUFFER:
    out = rlx_kind_of(KIND_BUFFER);
    out.dtype = base.dtype.lanes == 1 ? base.dtype : rlx_dtype_unknown();
    out.is_named = true;
    break;
  case GIVES_TYPE:
  case GIVES_OBJECT:
    out = rlx_kind_of(KIND_OBJECT);
    if (gives == GIVES_TYPE && kind_is_expr(base))
      out.object = kind_is_code(base, RLX_DTYPE_HANDLE) ? POINTER_OBJECT : TYPE_OBJECT;
    break;
  }
  return out;
}

Kind rlx_kind_member(Kinds *k, const RlxAst *ast, Kind base) {
  const char *name = rlx_store_text(k->store, ast->name);
  const MemberOwner of = owner_of(base);
  Gives gives = GIVES_ANY;
  const bool is_listed = of != NO_OWNER && name[0] != '_';
  int lacking = is_listed ? IN_BOTH & ~find_member(of, name, &gives) : 0;
  if (base.is_decorator) lacking = IN_BOTH;
  if (lacking)
    rlx_kind_refuse_text(
        k, lacking, ast->name_span,
        rlx_arena_printf(k->arena, "%s has no `%s`", rlx_kind_text(k, base), name));
  if (lacking & k->dialects) return unknown();
  if (strcmp(name, "layout") == 0 && base.is_flat) return rlx_kind_of(KIND_NONE);
  Kind out = given(k, ast, base, gives);
  if (base.tag == KIND_BUFFER && base.is_compact && strcmp(name, "strides") == 0) out.count = 0;
  if (out.tag == KIND_STR && strcmp(name, "dtype") == 0) out.object = DTYPE_STRING;
  return rlx_text_is_among(name, "indices args") && gives == GIVES_ANY ? list_of_many(KIND_TUPLE)
                                                                       : out;
}

// ---- methods

/// The layout of a buffer is permuted with its dimensions, and views of other dtypes unpack it.
static bool asks_layout(const char *name, const Args *a) {
  const bool is_other_dtype = strcmp(name, "view") == 0 && a->count == 1 && !a->keyword_count &&
                              a->kinds[0].tag == KIND_STR;
  return strcmp(name, "permute") == 0 || is_other_dtype;
}

/// A buffer over the memory of another one.
static Kind view_of(Kind buffer, const char *name, const Args *a) {
  Kind out = rlx_kind_of(KIND_BUFFER);
  const bool is_same = rlx_text_is_among(name, "local permute") ||
                       (strcmp(name, "view") == 0 && a->count && a->kinds[0].tag == KIND_INT);
  out.dtype = is_same ? buffer.dtype : rlx_dtype_unknown();
  out.is_named = rlx_text_is_among(name, "get_flattened_buffer with_dtype with_data");
  return out;
}

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
  if (buffer.is_flat && asks_layout(name, a))
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "the buffer has no layout (`layout=None`)");
  if (rlx_text_is_among(name, "offset_of elem_offset_of byte_offset_of ptr_to"))
    check_element(k, buffer, a, rlx_dtype_unknown());
  if (rlx_text_is_among(name, "view local permute get_flattened_buffer with_dtype with_data"))
    return view_of(buffer, name, a);
  if (strcmp(name, "vstore") == 0) return rlx_kind_of(KIND_OBJECT); // a statement
  if (rlx_text_is_among(name, "elem_offset_of byte_offset_of"))
    return rlx_kind_expr(rlx_dtype(RLX_DTYPE_INT, 0));
  if (strcmp(name, "offset_of") == 0) return given(k, a->call, buffer, GIVES_ARRAY);
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
