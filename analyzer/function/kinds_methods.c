/// Calls of methods in a PrimFunc's script: A.vload(…), x.astype(…), "a".join(…).
#include <string.h>

#include "analyzer/function/kinds_members.h"

/// The layout of a buffer is permuted with its dimensions, and views of other dtypes unpack it.
static bool asks_layout(const char *name, const Args *a) {
  const bool is_other_dtype = strcmp(name, "view") == 0 && a->count == 1 && !a->keyword_count &&
                              a->kinds[0].tag == KIND_STR;
  return strcmp(name, "permute") == 0 || is_other_dtype;
}

/// A buffer over the memory of another one.
static Kind view_of(Kind buffer, const char *name, const Args *a) {
  Kind out = rlx_kind_of(KIND_BUFFER);
  const bool is_same =
      rlx_text_is_among(name, "local permute") || (strcmp(name, "view") == 0 && !a->keyword_count &&
                                                   (!a->count || a->kinds[0].tag == KIND_INT));
  out.dtype = is_same ? buffer.dtype : rlx_dtype_unknown();
  const bool is_shaped = strcmp(name, "permute") == 0 || (strcmp(name, "view") == 0 && is_same);
  if (is_shaped && !a->is_open) out.ndim = a->count;
  if (strcmp(name, "get_flattened_buffer") == 0) out.ndim = 1;
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

/// Reports indices of A.vload, A.offset_of and their like that are none, or too many or too few.
static void check_indices(Kinds *k, Kind buffer, const Args *a, const char *name) {
  Kind begin;
  const RlxAst *ast;
  if (a->is_open || !rlx_kind_argument(k, a, 0, name, &begin, &ast)) return;
  if (begin.tag == KIND_FLOAT) rlx_kind_refuse(k, IN_BOTH, ast, begin, "a list of indices");
  const bool is_alone =
                 strcmp(name, "begin") == 0 && (begin.tag == KIND_INT || kind_is_expr(begin)),
             is_list = kind_is_list(begin) && begin.count != KIND_MANY;
  const uint32_t count = is_alone ? 1 : begin.count;
  if ((is_alone || is_list) && buffer.ndim >= 0 && count != (uint32_t)buffer.ndim)
    rlx_kind_refuse_text(k, IN_BOTH, ast->span,
                         rlx_arena_printf(k->arena, "%u %s for %d dimension%s", count,
                                          count == 1 ? "index" : "indices", buffer.ndim,
                                          buffer.ndim == 1 ? "" : "s"));
  for (uint32_t i = 0; is_list && i < count; i++) {
    const Kind index = begin.items[i];
    if (index.tag == KIND_SLICE)
      rlx_kind_refuse(k, IN_BOTH, ast, index, "an index");
    else
      rlx_kind_check_index(k, ast, index, i + 1 == count);
  }
}

/// A.vload and A.vstore load and store elements of the buffer's dtype, or vectors of them.
static void check_element_dtype(Kinds *k, Kind buffer, const Args *a, RlxDType dtype) {
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
    if (dtype.tag == KIND_STR && dtype.text && dtype.text[0]) {
      rlx_kind_check_dtype(k, ast, dtype);
      rlx_dtype_parse(dtype.text, strlen(dtype.text), &out.dtype);
    }
  }
  check_indices(k, buffer, a, "begin");
  check_element_dtype(k, buffer, a, out.dtype);
  if (!is_one_element(k, a)) out.dtype = rlx_dtype_unknown();
  return out;
}

/// A.vstore(begin, value)
static void check_vstore(Kinds *k, Kind buffer, const Args *a) {
  Kind value = rlx_kind_of(KIND_UNKNOWN);
  const RlxAst *ast;
  rlx_kind_argument(k, a, 1, "value", &value, &ast);
  check_indices(k, buffer, a, "begin");
  check_element_dtype(k, buffer, a,
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

/// A.access_ptr("rw", ptr_type="float32")
static void check_access(Kinds *k, const Args *a) {
  Kind mask, type;
  const RlxAst *ast;
  if (rlx_kind_argument(k, a, 0, "access_mask", &mask, &ast) && mask.tag == KIND_STR && mask.text &&
      strspn(mask.text, "rw") != strlen(mask.text))
    rlx_kind_refuse_text(k, IN_BOTH, ast->span, "an access is spelled with `r` and `w`");
  if (rlx_kind_argument(k, a, 1, "ptr_type", &type, &ast) && type.tag == KIND_STR && type.text &&
      type.text[0])
    rlx_kind_check_dtype(k, ast, type);
}

/// What A.access_ptr(…) is in 0.25: a call of the dtype that `ptr_type` says.
static Kind pointer_of(Kinds *k, const Args *a) {
  Kind type;
  const RlxAst *ast;
  RlxDType dtype = rlx_dtype(RLX_DTYPE_HANDLE, 64);
  const bool is_given = rlx_kind_argument(k, a, 1, "ptr_type", &type, &ast);
  if (a->is_open || (is_given && (type.tag != KIND_STR || !type.text)))
    dtype = rlx_dtype_unknown();
  else if (is_given && !rlx_dtype_parse(type.text, strlen(type.text), &dtype))
    dtype = rlx_dtype_unknown();
  return rlx_kind_expr(dtype);
}

/// A.view(16, 16), A.view("int32")
static void check_view(Kinds *k, const Args *a) {
  if (a->count == 1 && !a->keyword_count && a->kinds[0].tag == KIND_STR) return;
  for (int i = 0; i < a->count; i++) {
    const Kind dim = a->kinds[i];
    const bool is_odd = kind_is_expr(dim) && rlx_dtype_known(dim.dtype) && dim.dtype.bits &&
                        (dim.dtype.code != RLX_DTYPE_INT || dim.dtype.bits < 32);
    if (is_odd || dim.tag == KIND_FLOAT || dim.tag == KIND_REGION || rlx_kind_is_no_value(dim))
      rlx_kind_refuse(k, IN_BOTH, a->at[i], dim, "an int32 or int64");
  }
}

static Kind of_buffers_method(Kinds *k, const char *name, Kind buffer, const Args *a,
                              KindGives gives) {
  if (strcmp(name, "access_ptr") == 0) check_access(k, a);
  if (strcmp(name, "view") == 0) check_view(k, a);
  if (strcmp(name, "local") == 0) check_local(k, buffer, a);
  if (rlx_text_is_among(name, "vload vstore"))
    rlx_kind_use_memory(k, a->call->children[0]->children[0], buffer);
  if (strcmp(name, "vload") == 0) return vload(k, buffer, a);
  if (strcmp(name, "vstore") == 0) check_vstore(k, buffer, a);
  if (strcmp(name, "permute") == 0) check_permute(k, buffer, a);
  if (buffer.is_flat && asks_layout(name, a))
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "the buffer has no layout (`layout=None`)");
  if (strcmp(name, "with_dtype") == 0 && a->count && a->kinds[0].tag == KIND_STR &&
      a->kinds[0].text && a->kinds[0].text[0])
    rlx_kind_check_dtype(k, a->at[0], a->kinds[0]);
  if (rlx_text_is_among(name, "offset_of elem_offset_of byte_offset_of ptr_to"))
    check_indices(k, buffer, a, "indices");
  if (rlx_text_is_among(name, "view local permute get_flattened_buffer with_dtype with_data"))
    return view_of(buffer, name, a);
  if (rlx_text_is_among(name, "elem_offset_of byte_offset_of"))
    return rlx_kind_expr(rlx_dtype(RLX_DTYPE_INT, 0));
  if (strcmp(name, "access_ptr") == 0 && k->dialects == IN_025) return pointer_of(k, a);
  if (rlx_text_is_among(name, "access_ptr ptr_to"))
    return rlx_kind_expr(rlx_dtype(RLX_DTYPE_HANDLE, 64));
  return rlx_kind_given(k, a->call, buffer, gives);
}

// ---- the table

typedef struct Method {
  KindOwner of;
  RlxDialect since, until;
  KindGives gives;
  const char *params, *kinds, *names;
} Method;

static const Method methods[] = {
#define RLX_KIND_METHODS(of, since, until, gives, params, kinds, names)                            \
  {of, RLX_DIALECT_##since, RLX_DIALECT_##until, GIVES_##gives, params, kinds, names},
#include "analyzer/function/methods.def"
#undef RLX_KIND_METHODS
};

static const Method *find_method(KindOwner of, const char *name, RlxDialect dialect) {
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++)
    if (methods[i].of == of && methods[i].since <= dialect && dialect <= methods[i].until &&
        rlx_text_is_among(name, methods[i].names))
      return &methods[i];
  return NULL;
}

/// Reports an argument that its parameter does not take in the dialects of `where`; `?` takes what is known when Python runs.
static void check_argument(Kinds *k, const Method *m, int where, int position, const char *keyword,
                           const RlxAst *ast, Kind kind) {
  size_t size;
  const char *letters = rlx_script_letters(m->params, m->kinds, position, keyword, &size);
  if (!letters) return;
  const bool is_symbolic = kind_is_expr(kind) && !kind.is_constant && !kind.has_number;
  if (letters[0] == '?') {
    if (is_symbolic) rlx_kind_refuse(k, where, ast, kind, "True or False");
  } else if (kind.tag == KIND_REGION) {
    if (memchr(letters, 'e', size)) rlx_kind_refuse(k, IN_027, ast, kind, "a value of one element");
  } else if (!rlx_kind_is_taken(letters, size, kind)) {
    rlx_kind_refuse(k, where, ast, kind, rlx_kind_expected(letters, size));
  }
}

/// Reports arguments that the method does not take in the dialects of `where`.
static void check_arguments(Kinds *k, const char *name, const Method *m, int where, const Args *a) {
  const RlxScriptName row = {.name = name, .params = m->params};
  const char *why = "";
  if (!rlx_kind_is_bound(k, &row, a, &why))
    rlx_kind_refuse_text(k, where, a->call->span,
                         rlx_arena_printf(k->arena, "`%s`: %s", name, why));
  for (int i = 0; i < a->count; i++) check_argument(k, m, where, i, NULL, a->at[i], a->kinds[i]);
  for (int i = 0; i < a->keyword_count; i++)
    check_argument(k, m, where, -1, rlx_store_text(k->store, a->keywords[i]->name),
                   a->keywords[i]->children[0], a->keyword_kinds[i]);
}

/// What the table says that the method gives; reports what it does not take.
static KindGives by_table(Kinds *k, const char *name, Kind base, const Args *a) {
  const KindOwner of = kind_is_expr(base) ? OF_EXPRESSION : rlx_kind_owner(base);
  const Method *old = k->dialects & IN_025 ? find_method(of, name, RLX_DIALECT_025) : NULL,
               *new = k->dialects &IN_027 ? find_method(of, name, RLX_DIALECT_027) : NULL;
  const Method *m = new ? new : old;
  if (!m) return GIVES_ANY;
  if (!a->is_open && (old == new || !old || !new))
    check_arguments(k, name, m, old == new ? IN_BOTH : new ? IN_027 : IN_025, a);
  return m->gives;
}

/// `"a".index("b")`, `[1].index(2)`, `[1].remove(2)`: what is looked for is there. A list under a name may have been changed.
static void check_found(Kinds *k, Kind base, const Args *a) {
  const bool is_changed =
      base.tag == KIND_LIST && a->call->children[0]->children[0]->kind != RLX_AST_LIST;
  if (a->is_open || a->count != 1 || a->keyword_count || is_changed) return;
  const Kind what = a->kinds[0];
  bool is_missing = false;
  if (base.tag == KIND_STR)
    is_missing = what.tag == KIND_STR && base.text && what.text && !strstr(base.text, what.text);
  else if (kind_is_list(base) && base.count != KIND_MANY && what.tag == KIND_INT && what.has_number)
    is_missing = true;
  for (uint32_t i = 0; is_missing && kind_is_list(base) && i < base.count; i++)
    is_missing = base.items[i].tag == KIND_INT && base.items[i].has_number &&
                 base.items[i].number != what.number;
  if (is_missing)
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span,
                         base.tag == KIND_STR ? "the string has no such part"
                                              : "the list has no such item");
}

Kind rlx_kind_method(Kinds *k, const RlxAst *callee, Kind base, const Args *a) {
  const char *name = rlx_store_text(k->store, callee->name);
  const KindGives gives = by_table(k, name, base, a);
  if (rlx_text_is_among(name, "index rindex remove")) check_found(k, base, a);
  if (kind_is_expr(base) && strcmp(name, "astype") == 0 && a->count == 1)
    return rlx_kind_astype(k, a, base);
  if (kind_is_expr(base) && strcmp(name, "equal") == 0) {
    const bool are_apart =
        a->count && kind_is_expr(a->kinds[0]) &&
        kind_is_code(base, RLX_DTYPE_HANDLE) != kind_is_code(a->kinds[0], RLX_DTYPE_HANDLE) &&
        rlx_dtype_known(base.dtype) && rlx_dtype_known(a->kinds[0].dtype);
    const bool is_pointer = kind_is_code(base, RLX_DTYPE_HANDLE);
    if (are_apart || (is_pointer && a->count && kind_is_python_number(a->kinds[0])))
      rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "a pointer and a number are not compared");
    if (is_pointer) rlx_kind_refuse(k, IN_027, callee->children[0], base, "a number");
    return rlx_kind_expr(RLX_BOOL);
  }
  return base.tag == KIND_BUFFER ? of_buffers_method(k, name, base, a, gives)
                                 : rlx_kind_given(k, a->call, base, gives);
}
