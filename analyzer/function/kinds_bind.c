/// T.bind(value, type, var=…), which gives a variable its value: the value has the variable's type.
#include <string.h>

#include "analyzer/function/kinds_args.h"

/// What `type_annotation` says: a type, a function that makes a variable, a variable, of which the type counts. In 0.27 a buffer
/// has a type, too.
typedef struct BoundType {
  bool is_buffer;
  RlxDType dtype; ///< unknown: any
} BoundType;

static BoundType type_of(Kinds *k, const RlxAst *ast, Kind kind) {
  BoundType out = {.dtype = rlx_dtype_unknown()};
  const bool is_variable = kind_is_expr(kind) && kind.is_var;
  if (kind.tag == KIND_MODULE || kind.tag == KIND_ANNOTATION ||
      (kind_is_expr(kind) && !is_variable))
    rlx_kind_refuse(k, IN_BOTH, ast, kind, "a type, or a variable of it");
  if (kind.tag == KIND_BUFFER) rlx_kind_refuse(k, IN_025, ast, kind, "a type, or a variable of it");
  out.is_buffer = kind.tag == KIND_BUFFER;
  if (is_variable || kind.tag == KIND_FUNCTION || out.is_buffer) out.dtype = kind.dtype;
  return out;
}

static bool differ(RlxDType a, RlxDType b) {
  return rlx_dtype_known(a) && rlx_dtype_known(b) && a.bits && b.bits && !rlx_dtype_equal(a, b);
}

static void check_type(Kinds *k, const RlxAst *ast, BoundType type, Kind value) {
  const RlxDType own = value.tag == KIND_BUFFER ? value.dtype : rlx_kind_own_dtype(value);
  const bool is_value = kind_is_expr(value) || kind_is_python_number(value),
             is_wrong_buffer = type.is_buffer ? is_value
                                              : value.tag == KIND_BUFFER &&
                                                    rlx_dtype_known(type.dtype) && type.dtype.bits;
  if (is_wrong_buffer)
    rlx_kind_refuse_text(k, IN_BOTH, ast->span, "a buffer's type is that of no other value");
  else if (differ(own, type.dtype))
    rlx_kind_refuse_text(k, IN_BOTH, ast->span,
                         rlx_arena_printf(k->arena, "%s is bound to a variable of another dtype",
                                          rlx_kind_text(k, value)));
}

/// Whether the value is looked at as a type here, not by the function's row.
static bool may_be_type(Kind kind) {
  return kind_is_expr(kind) || kind_is_thing(kind) || kind.tag == KIND_BUFFER;
}

/// The arguments without such a type, of which no value is taken, and with a value that gets none by being bound.
static void settle(Kinds *k, Args *a) {
  const Kind unknown = rlx_kind_of(KIND_UNKNOWN);
  if (a->count) a->kinds[0].given = NULL;
  if (a->count > 1 && may_be_type(a->kinds[1])) a->kinds[1] = unknown;
  for (int i = 0; i < a->keyword_count; i++) {
    const char *name = rlx_store_text(k->store, a->keywords[i]->name);
    Kind *kind = &a->keyword_kinds[i];
    if (strcmp(name, "value") == 0) kind->given = NULL;
    if (strcmp(name, "type_annotation") == 0 && may_be_type(*kind)) *kind = unknown;
  }
}

Kind rlx_kind_bound(Kinds *k, Args *a) {
  Kind value, type, var;
  const RlxAst *ast, *at;
  if (k->in_signature) rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "T.bind stands in the body");
  if (a->is_open || !rlx_kind_argument(k, a, 0, "value", &value, &ast))
    return rlx_kind_by_row(k, a);
  value = rlx_kind_as_value(k, ast, value);
  rlx_kind_used(k, ast, value);
  if (rlx_kind_argument(k, a, 1, "type_annotation", &type, &at) && may_be_type(type))
    check_type(k, ast, type_of(k, at, type), value);
  settle(k, a);
  if (rlx_kind_argument(k, a, -1, "var", &var, &at) && kind_is_expr(var) && var.is_var) {
    if (differ(rlx_kind_own_dtype(value), var.dtype) || var.is_param)
      rlx_kind_refuse(k, k->is_lax && var.is_param ? 0 : IN_BOTH, at, var,
                      var.is_param ? "a variable that has no value yet"
                                   : "a variable of the value's dtype");
    rlx_kind_by_row(k, a);
    return var;
  }
  rlx_kind_by_row(k, a);
  if (!kind_is_expr(value) && !kind_is_python_number(value) && value.tag != KIND_STR)
    return rlx_kind_of(KIND_UNKNOWN);
  Kind out = rlx_kind_expr(rlx_kind_own_dtype(value));
  out.is_var = true;
  out.made_in = k->block;
  out.pointee = value.pointee;
  return out;
}
