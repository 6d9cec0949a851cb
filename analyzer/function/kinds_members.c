/// What stands behind a dot in a PrimFunc's script: attributes of buffers, variables and other values.
#include <string.h>

#include "analyzer/function/kinds_members.h"
#include "analyzer/words/names.h"

static const struct {
  KindOwner of;
  RlxDialect since, until;
  KindGives gives;
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

KindOwner rlx_kind_owner(Kind base) {
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
  case KIND_SLICE: return OF_SLICE;
  case KIND_OTHER: return base.is_range ? OF_RANGE : NO_OWNER;
  case KIND_FUNCTION:
  case KIND_UNKNOWN:
  case KIND_MODULE: break;
  case KIND_OBJECT: return base.object == BYTES_OBJECT ? OF_BYTES : NO_OWNER;
  }
  return NO_OWNER;
}

/// The owner of what stands behind the value that `ast` spells.
static KindOwner owner_at(const Kinds *k, const RlxAst *ast, Kind base) {
  const bool is_builtin = ast->kind == RLX_AST_NAME && base.tag == KIND_FUNCTION &&
                          rlx_names_is_builtin(rlx_store_text(k->store, ast->name));
  if (is_builtin) return OF_FUNCTION;
  switch ((int)ast->kind) {
  case RLX_AST_LAMBDA: return OF_FUNCTION;
  case RLX_AST_SET: return OF_SET;
  case RLX_AST_IMAGINARY: return OF_COMPLEX;
  default: return rlx_kind_owner(base);
  }
}

/// In which dialects the value has the attribute, and what it gives there: in the newest of them.
static int find_member(KindOwner of, const char *name, KindGives *gives) {
  int where = 0;
  for (size_t i = 0; i < MEMBERS; i++) {
    const bool is_of = members[i].of == of || (of == OF_FUNCTION && members[i].of >= OF_INT);
    if (!is_of || !rlx_text_is_among(name, members[i].names)) continue;
    if (members[i].since == RLX_DIALECT_025) where |= IN_025;
    if (members[i].until == RLX_DIALECT_027) where |= IN_027;
    *gives = members[i].gives;
  }
  return where;
}

Kind rlx_kind_given(Kinds *k, const RlxAst *ast, Kind base, KindGives gives) {
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
    out.pointee = base.dtype;
    if (base.memory && (k->dialects == IN_027 || !base.memory->has_pointer))
      out.given = base.memory;
    break;
  case GIVES_BOOL: return rlx_kind_of(KIND_BOOL);
  case GIVES_LIST: return list_of_many(KIND_LIST);
  case GIVES_TUPLE: return list_of_many(KIND_TUPLE);
  case GIVES_DICT: return rlx_kind_of(KIND_DICT);
  case GIVES_OTHER: return rlx_kind_of(KIND_OTHER);
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
  const KindOwner of = owner_at(k, ast->children[0], base);
  KindGives gives = GIVES_ANY;
  const bool is_listed = of != NO_OWNER && name[0] != '_';
  int lacking = is_listed ? IN_BOTH & ~find_member(of, name, &gives) : 0;
  if (base.is_decorator) lacking = IN_BOTH;
  if (lacking)
    rlx_kind_refuse_text(
        k, lacking, ast->name_span,
        rlx_arena_printf(k->arena, "%s has no `%s`", rlx_kind_text(k, base), name));
  if (lacking & k->dialects) return unknown();
  if (strcmp(name, "layout") == 0 && base.is_flat) return rlx_kind_of(KIND_NONE);
  Kind out = rlx_kind_given(k, ast, base, gives);
  if (base.tag == KIND_BUFFER && base.is_compact && strcmp(name, "strides") == 0) out.count = 0;
  if (out.tag == KIND_STR && strcmp(name, "dtype") == 0) out.object = DTYPE_STRING;
  return rlx_text_is_among(name, "indices args") && gives == GIVES_ANY ? list_of_many(KIND_TUPLE)
                                                                       : out;
}
