/// Calls in expressions of PrimFuncs: functions of T, those of Python that scripts use while they are parsed, methods of
/// buffers and values.
#include "analyzer/script/script_impl.h"
#include "analyzer/words/script_names.h"
#include "base/text.h"
#include <string.h>

static RlxTv typed_literal(RlxTirReader *r, const RlxAst *call, RlxDType t) {
  const RlxAst *arg = rlx_tir_arg(r, call, 0, "expr");
  if (!arg)
    return rlx_tv_expr(rlx_tir_var_expr(r->f, rlx_tir_var(r->f, 0, t)),
                       false); // T.int64(): a fresh variable
  RlxTv v = rlx_tir_eval(r, arg);
  if (v.kind == RLX_TV_STRING) { // T.float32("nan")
    double special = !strcmp(v.text, "nan")    ? __builtin_nan("")
                     : !strcmp(v.text, "-inf") ? -__builtin_inf()
                                               : __builtin_inf();
    return rlx_tv_expr(rlx_tir_float(r->f, special, t), false);
  }
  if (v.kind == RLX_TV_HOLE) return v;
  return rlx_tv_expr(rlx_tir_as(r, v, t), false);
}

typedef struct BinaryCall {
  const char *path;
  RlxTirExprKind kind;
} BinaryCall;

static const BinaryCall binary_calls[] = {
    {"Add", RLX_TIR_ADD},
    {"Sub", RLX_TIR_SUB},
    {"Mul", RLX_TIR_MUL},
    {"Div", RLX_TIR_TRUNCDIV},
    {"Mod", RLX_TIR_TRUNCMOD},
    {"FloorDiv", RLX_TIR_FLOORDIV},
    {"FloorMod", RLX_TIR_FLOORMOD},
    {"Min", RLX_TIR_MIN},
    {"Max", RLX_TIR_MAX},
    {"EQ", RLX_TIR_EQ},
    {"NE", RLX_TIR_NE},
    {"LT", RLX_TIR_LT},
    {"LE", RLX_TIR_LE},
    {"GT", RLX_TIR_GT},
    {"GE", RLX_TIR_GE},
    {"And", RLX_TIR_AND},
    {"Or", RLX_TIR_OR},
    {"floordiv", RLX_TIR_FLOORDIV},
    {"floormod", RLX_TIR_FLOORMOD},
    {"truncdiv", RLX_TIR_TRUNCDIV},
    {"truncmod", RLX_TIR_TRUNCMOD},
    {"div", RLX_TIR_TRUNCDIV},
    {"indexdiv", RLX_TIR_FLOORDIV},
    {"indexmod", RLX_TIR_FLOORMOD},
    {"min", RLX_TIR_MIN},
    {"max", RLX_TIR_MAX},
    {"shift_left", RLX_TIR_SHL},
    {"shift_right", RLX_TIR_SHR},
    {"bitwise_and", RLX_TIR_BITAND},
    {"bitwise_or", RLX_TIR_BITOR},
    {"bitwise_xor", RLX_TIR_BITXOR},
};

/// min_value / max_value / infinity of a dtype.
static RlxTv limit_of(RlxTirReader *r, const RlxAst *call, const char *path) {
  RlxDType t = rlx_tir_read_dtype(r, rlx_tir_arg(r, call, 0, "dtype"), RLX_FLOAT32);
  if (!strcmp(path, "infinity")) return rlx_tv_expr(rlx_tir_float(r->f, __builtin_inf(), t), false);
  bool is_max = !strcmp(path, "max_value");
  if (rlx_dtype_is_float(t)) {
    double max = t.bits == 64                 ? 1.7976931348623157e308
                 : t.code == RLX_DTYPE_BFLOAT ? 3.3895313892515355e38
                 : t.bits == 32               ? 3.4028234663852886e38
                                              : 65504.0;
    return rlx_tv_expr(rlx_tir_float(r->f, is_max ? max : -max, t), false);
  }
  int64_t min, max;
  rlx_dtype_limits(t, &min, &max);
  return rlx_tv_expr(rlx_tir_int(r->f, is_max ? max : min, t), false);
}

static RlxTv address_of(RlxTirReader *r, const RlxAst *ast, RlxTv v) {
  if (v.kind == RLX_TV_BUFFER) {
    RlxTirExpr *zeros[MAX_NDIM];
    for (int i = 0; i < v.buffer->ndim && i < MAX_NDIM; i++)
      zeros[i] = rlx_tir_int(r->f, 0, RLX_INT32);
    v = rlx_tv_expr(rlx_tir_load(r->f, v.buffer, zeros), false);
  }
  if (v.kind != RLX_TV_EXPR || v.expr->kind != RLX_TIR_LOAD)
    return rlx_tir_issue(r, ast, "T.address_of takes a buffer element");
  return rlx_tv_expr(
      rlx_tir_node(r, RLX_TIR_ADDRESS_OF, rlx_dtype(RLX_DTYPE_HANDLE, 64), &v.expr, 1), false);
}

/// Whether the call is of a name directly in T, and not in a namespace within or beside it.
static bool is_of_t(RlxTirReader *r, const RlxAst *call, const char *path) {
  const RlxAst *callee = call->children[0];
  const char *root = callee->kind == RLX_AST_ATTRIBUTE && callee->children[0]->kind == RLX_AST_NAME
                         ? rlx_tir_namespace(r, callee->children[0]->name)
                         : NULL;
  return !strchr(path, '.') && root && !strcmp(root, "T");
}

/// Whether `path` is an intrinsic function of T (not a tile primitive, nor one of a device) in 0.27,
/// none of which takes a region.
static bool takes_no_part(RlxTirReader *r, const RlxAst *call, const char *path) {
  const RlxScriptName *row = rlx_tir_is_027(r) ? rlx_script_name(path, RLX_DIALECT_027) : NULL;
  return row && row->how == RLX_SCRIPT_DROPS && is_of_t(r, call, path);
}

/// The dtype that the first argument of `T.call_extern("float32", …)` and its like says; false: it says none.
/// Of T.call_packed a string is the function's name.
static bool leading_dtype(RlxTirReader *r, const RlxAst *call, const char *path, RlxDType *out) {
  const bool is_run = r->outer && r->outer->inlines; // what is only looked at keeps its words
  if (strncmp(path, "call_", 5) != 0 && strcmp(path, "tvm_call_packed") != 0 &&
      !(is_run && !strncmp(path, "vector", 6)))
    return false;
  const RlxAst *at = rlx_tir_arg(r, call, 0, "dtype");
  const RlxTv v = at ? rlx_tir_eval(r, at) : rlx_tv_hole();
  if (v.kind == RLX_TV_DTYPE) return *out = v.dtype, true;
  RlxDType dtype;
  if (v.kind != RLX_TV_STRING || !rlx_dtype_parse(v.text, strlen(v.text), &dtype) ||
      !strcmp(path, "call_packed"))
    return false;
  *out = dtype;
  return true;
}

/// An argument as it is; NULL: `*wrong` is what the call gives.
static RlxTirExpr *intrinsic_arg(RlxTirReader *r, const RlxAst *call, const char *path,
                                 const RlxAst *arg, RlxTv *wrong) {
  RlxTv v = rlx_tir_eval(r, arg->kind == RLX_AST_KEYWORD ? arg->children[0] : arg);
  const bool is_region = v.kind == RLX_TV_REGION;
  if (is_region && takes_no_part(r, call, path))
    return *wrong = rlx_tir_part_mistake(r, arg, v), NULL;
  if (is_region && rlx_tir_is_027(r) && strcmp(path, "Return") == 0)
    return *wrong = rlx_tir_issue(r, arg, "a part of a buffer that is returned is not understood"),
           NULL;
  // A tile primitive takes parts of buffers; which names are such is not in the table.
  if (is_region && !is_of_t(r, call, path))
    return *wrong = rlx_tir_issue(r, arg, "this argument of %s is not understood", path), NULL;
  if (strcmp(path, "reads") != 0 && strcmp(path, "writes") != 0) v = rlx_tir_value(r, arg, v);
  if (v.kind == RLX_TV_STRING) return rlx_tir_string(r->f, v.text);
  if (v.kind == RLX_TV_EXPR || (v.kind == RLX_TV_BUFFER && v.buffer->ndim == 0))
    return rlx_tir_as(r, v, rlx_dtype_unknown());
  *wrong = v.kind == RLX_TV_HOLE
               ? v
               : rlx_tir_issue(r, arg, "this argument of T.%s is not understood", path);
  return NULL;
}

/// A call of an intrinsic by name: arguments as they are; the result's dtype is the first
/// argument's unless the table of intrinsics says otherwise.
static RlxTv intrinsic(RlxTirReader *r, const RlxAst *call, const char *path) {
  RlxTirExpr *args[MAX_NDIM];
  int count = 0;
  RlxDType dtype = rlx_dtype_unknown();
  bool says_dtype = false;
  uint32_t end = call->child_count;
  if (!strcmp(path, "tvm_struct_get") && end == 5 && call->children[4]->kind != RLX_AST_KEYWORD)
    dtype = rlx_tir_read_dtype(r, call->children[--end], dtype);
  const bool is_led = leading_dtype(r, call, path, &dtype);
  const bool is_void = is_led && !rlx_dtype_known(dtype); // said to give nothing
  for (uint32_t i = is_led ? 2 : 1; i < end && count < MAX_NDIM; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind == RLX_AST_KEYWORD && !strcmp(rlx_store_text(r->store, arg->name), "dtype")) {
      dtype = rlx_tir_read_dtype(r, arg->children[0], dtype);
      says_dtype = rlx_dtype_known(dtype);
      continue;
    }
    RlxTv wrong;
    args[count] = intrinsic_arg(r, call, path, arg, &wrong);
    if (!args[count]) return wrong;
    count++;
  }
  if (!strcmp(path, "type_annotation") && count == 1 && args[0]->kind == RLX_TIR_STRING)
    rlx_dtype_parse(args[0]->text, args[0]->text_size, &dtype);
  if (!rlx_dtype_known(dtype) && !is_void) dtype = rlx_tir_intrinsic_dtype(path, args, count);
  const bool same_types = rlx_text_is_among(path, "pow atan2 fmod hypot copysign nextafter");
  if (same_types && count == 2) {
    dtype = rlx_dtype_promoted(args[0]->dtype, args[1]->dtype);
    args[0] = rlx_tir_converted(r, args[0], dtype);
    args[1] = rlx_tir_converted(r, args[1], dtype);
  }
  RlxTirExpr *e =
      rlx_tir_call(r->f, rlx_store_intern(r->store, path, strlen(path)), dtype, args, count);
  e->span = call->span;
  e->says_dtype = says_dtype;
  return rlx_tv_expr(e, false);
}

/// T.Let(body, where={var: value}).
static RlxTv eval_let(RlxTirReader *r, const RlxAst *call, const RlxAst *body) {
  const RlxAst *where = rlx_tir_arg(r, call, 9, "where");
  uint32_t depth = r->env.count;
  if (!where || where->kind != RLX_AST_DICT || where->child_count != 2 ||
      where->children[0]->kind != RLX_AST_NAME)
    return rlx_tir_issue(r, call, "T.Let is understood as T.Let(body, where={var: value})");
  RlxName name = where->children[0]->name;
  RlxTirExpr *value = rlx_tir_eval_expr(r, where->children[1]);
  RlxTirVar *var = rlx_tir_find_var(r, name);
  if (!var) var = rlx_tir_var(r->f, name, value->dtype);
  rlx_tir_bind(r, name, rlx_tv_expr(rlx_tir_var_expr(r->f, var), false));
  RlxTirExpr *inner = rlx_tir_eval_expr(r, body), *args[2] = {value, inner};
  RlxTirExpr *result = rlx_tir_node(r, RLX_TIR_LET, inner->dtype, args, 2);
  result->var = var;
  rlx_tir_leave(r, depth);
  return rlx_tv_expr(result, false);
}

/// T.Ramp(base, stride, lanes), T.Broadcast(value, lanes).
static RlxTv eval_vector(RlxTirReader *r, const RlxAst *call, bool is_ramp) {
  const RlxAst *a1 = rlx_tir_arg(r, call, 1, NULL);
  RlxTirExpr *args[2] = {rlx_tir_eval_expr(r, rlx_tir_arg(r, call, 0, NULL)),
                         is_ramp ? rlx_tir_eval_expr(r, a1) : NULL};
  const RlxAst *last = is_ramp ? rlx_tir_arg(r, call, 2, NULL) : a1;
  RlxTirExpr *lanes = last ? rlx_tir_eval_expr(r, last) : NULL;
  if (!lanes || lanes->kind != RLX_TIR_INT || lanes->integer < 1 || lanes->integer > 1024)
    return rlx_tir_issue(r, call, "the number of lanes has to be a constant");
  RlxDType t = args[0]->dtype;
  t.lanes = (uint16_t)lanes->integer;
  if (is_ramp) args[1] = rlx_tir_converted(r, args[1], args[0]->dtype);
  return rlx_tv_expr(
      rlx_tir_node(r, is_ramp ? RLX_TIR_RAMP : RLX_TIR_BROADCAST, t, args, is_ramp ? 2 : 1), false);
}

/// T.cast, T.Cast and T.reinterpret.
static RlxTv eval_cast(RlxTirReader *r, const char *path, const RlxAst *dtype,
                       const RlxAst *value) {
  bool is_refused = path[0] == 'c' ? rlx_tir_is_known(r) : rlx_tir_is_027(r);
  if (value->kind == RLX_AST_STRING && is_refused && path[0] != 'r')
    return rlx_tir_mistake(r, value, RLX_DIAG_ID(ARGUMENT_KIND), "ssss",
                           path[0] == 'c' ? "T.cast" : "T.Cast", path[0] == 'c' ? "src" : "value",
                           "an expression", "a string");
  RlxDType t = rlx_tir_read_dtype(r, dtype, RLX_INT32);
  RlxTirExpr *e = rlx_tir_eval_expr(r, value);
  if (!strcmp(path, "cast")) return rlx_tv_expr(rlx_tir_converted(r, e, t), false);
  return rlx_tv_expr(rlx_tir_node(r, path[0] == 'r' ? RLX_TIR_REINTERPRET : RLX_TIR_CAST, t, &e, 1),
                     false);
}

static RlxTv eval_path_call(RlxTirReader *r, const RlxAst *call, const char *path);

/// The value that T.meta_var keeps: one variable is used where its new name stands.
static RlxTv kept_aside(RlxTirReader *r, const RlxAst *value) {
  const uint32_t uses = r->loop_uses.count;
  const RlxTv kept = rlx_tir_eval(r, value);
  if (value->kind == RLX_AST_NAME) r->loop_uses.count = uses;
  return kept;
}

/// T.call_intrin("float32", "tirx.sqrt", x): T.sqrt(x), whose result has that dtype.
static RlxTv call_by_name(RlxTirReader *r, const RlxAst *call, const RlxAst *dtype,
                          const RlxAst *name) {
  const char *text = rlx_arena_strndup(r->f->arena, name->text, name->text_size);
  if (!strncmp(text, "tir.", 4)) text += 4;
  if (!strncmp(text, "tirx.", 5)) text += 5;
  const RlxAst *const *behind = (const RlxAst *const *)call->children + 2;
  RlxAst *shorter = rlx_ast_with_children(r->f->arena, call, behind, call->child_count - 2);
  shorter->children[0] = call->children[0];
  RlxDType t = rlx_tir_read_dtype(r, dtype, rlx_dtype_unknown());
  RlxTv v = eval_path_call(r, shorter, text);
  if (v.kind == RLX_TV_EXPR && v.expr->kind == RLX_TIR_CALL && rlx_dtype_known(t))
    v.expr->dtype = t;
  return v;
}

static RlxTv eval_path_call(RlxTirReader *r, const RlxAst *call, const char *path) {
  const RlxAst *a0 = rlx_tir_arg(r, call, 0, NULL), *a1 = rlx_tir_arg(r, call, 1, NULL),
               *a2 = rlx_tir_arg(r, call, 2, NULL);
  for (size_t i = 0; i < sizeof binary_calls / sizeof *binary_calls; i++) {
    if (a0 && a1 && !strcmp(path, binary_calls[i].path))
      return rlx_tir_arithmetic(r, call, binary_calls[i].kind, rlx_tir_eval(r, a0),
                                rlx_tir_eval(r, a1));
  }
  if (!strcmp(path, "if_then_else") && a0 && a1 && a2)
    return rlx_tir_eval_choice(r, call, a0, a1, a2, true);
  if (!strcmp(path, "Select") && a0 && a1 && a2)
    return rlx_tir_eval_choice(r, call, a0, a1, a2, false);
  if (!strcmp(path, "cast") && a0 && a1) // folds constants, T.Cast stays as it is
    return eval_cast(r, path, a1, a0);
  if ((!strcmp(path, "Cast") || !strcmp(path, "reinterpret")) && a0 && a1)
    return eval_cast(r, path, a0, a1);
  if (!strcmp(path, "const") && a0) {
    RlxDType t = a1 ? rlx_tir_read_dtype(r, a1, RLX_INT32) : rlx_dtype_unknown();
    return rlx_tv_expr(rlx_tir_as(r, rlx_tir_eval(r, a0), t), false);
  }
  if (!strcmp(path, "Not") && a0) return rlx_tir_logical_not(r, rlx_tir_eval_expr(r, a0));
  if (!strcmp(path, "bitwise_not") && a0) {
    RlxTirExpr *e = rlx_tir_eval_expr(r, a0);
    return rlx_tv_expr(rlx_tir_node(r, RLX_TIR_BITNOT, e->dtype, &e, 1), false);
  }
  if (!strcmp(path, "likely") && a0)
    return rlx_tv_expr(rlx_tir_likely(r->f, rlx_tir_eval_expr(r, a0)), false);
  if (!strcmp(path, "ceildiv") && a0 && a1) {
    RlxTv b = rlx_tir_eval(r, a1), one = rlx_tv_expr(rlx_tir_int(r->f, 1, RLX_INT32), true);
    RlxTv top =
        rlx_tir_arithmetic(r, call, RLX_TIR_SUB,
                           rlx_tir_arithmetic(r, call, RLX_TIR_ADD, rlx_tir_eval(r, a0), b), one);
    return rlx_tir_arithmetic(r, call, RLX_TIR_FLOORDIV, top, b);
  }
  if (!strcmp(path, "min_value") || !strcmp(path, "max_value") || !strcmp(path, "infinity"))
    return limit_of(r, call, path);
  if (!strcmp(path, "address_of") && a0) return address_of(r, call, rlx_tir_eval(r, a0));
  if (!strcmp(path, "meta_var") && a0) return kept_aside(r, a0);
  if (!strcmp(path, "Let")) return eval_let(r, call, a0);
  bool is_ramp = !strcmp(path, "Ramp") || !strcmp(path, "ramp");
  if ((is_ramp || !strcmp(path, "Broadcast") || !strcmp(path, "broadcast")) && a0 && a1)
    return eval_vector(r, call, is_ramp);
  if (!strcmp(path, "FloatImm") && a0 && a1)
    return rlx_tv_expr(rlx_tir_eval_as(r, a1, rlx_tir_read_dtype(r, a0, RLX_FLOAT32)), false);
  if (!strcmp(path, "IntImm") && a0 && a1)
    return rlx_tv_expr(rlx_tir_eval_as(r, a1, rlx_tir_read_dtype(r, a0, RLX_INT32)), false);
  if (!strcmp(path, "boolean")) return typed_literal(r, call, RLX_BOOL);
  if (!strcmp(path, "StringImm") && a0) return rlx_tir_eval(r, a0);
  if (!strcmp(path, "Shuffle") && a0 && a1 && r->outer && r->outer->inlines)
    return rlx_tir_eval_shuffle(r, call, a0, a1);
  if (!strcmp(path, "call_intrin") && a1 && a1->kind == RLX_AST_STRING && call->child_count >= 3)
    return call_by_name(r, call, a0, a1);
  const uint8_t uses = r->uses;
  if (!strncmp(path, "axis.", 5) &&
      uses == RLX_USES_HERE) // what it binds lies outside of the block
    r->uses = RLX_USES_OUTSIDE;
  RlxTv v = intrinsic(r, call, path);
  r->uses = uses;
  return v;
}

/// `A.access_ptr("rw", offset=…, extent=…)`: T.tvm_access_ptr as TVM makes it.
static RlxTv access_ptr(RlxTirReader *r, const RlxAst *call, RlxTirBuffer *buffer) {
  const RlxAst *mask = rlx_tir_arg(r, call, 0, "access_mask"),
               *at = rlx_tir_arg(r, call, 3, "offset"), *count = rlx_tir_arg(r, call, 4, "extent");
  RlxTv m = mask ? rlx_tir_eval(r, mask) : rlx_tv_hole();
  int64_t bits = m.kind == RLX_TV_EXPR && m.expr->kind == RLX_TIR_INT ? m.expr->integer : 0;
  for (const char *p = m.kind == RLX_TV_STRING ? m.text : ""; *p; p++)
    bits |= *p == 'r' ? 1 : *p == 'w' ? 2 : 4;
  if (bits < 1 || bits > 3) return rlx_tir_issue(r, call, "an access is \"r\", \"w\" or \"rw\"");
  if (!buffer->data)
    buffer->data = rlx_tir_var(r->f, buffer->name, rlx_dtype(RLX_DTYPE_HANDLE, 64));
  RlxTirExpr *offset = at ? rlx_tir_eval_expr(r, at) : rlx_tir_int(r->f, 0, RLX_INT32);
  RlxTv extent = rlx_tv_expr(rlx_tir_int(r->f, 1, RLX_INT32), true);
  if (count) {
    extent = rlx_tir_eval(r, count);
  } else {
    for (int i = 0; i < buffer->ndim; i++)
      extent =
          rlx_tir_arithmetic(r, call, RLX_TIR_MUL, extent, rlx_tv_expr(buffer->shape[i], false));
    extent = rlx_tir_arithmetic(r, call, RLX_TIR_SUB, extent, rlx_tv_expr(offset, at == NULL));
  }
  char dtype[RLX_DTYPE_TEXT_MAX];
  RlxTirExpr *name = rlx_tir_string(r->f, rlx_dtype_text(buffer->dtype, dtype));
  RlxTirExpr *args[5] = {rlx_tir_call(r->f, rlx_store_intern(r->store, "type_annotation", 15),
                                      buffer->dtype, &name, 1),
                         rlx_tir_var_expr(r->f, buffer->data), offset,
                         rlx_tir_as(r, extent, rlx_dtype_unknown()),
                         rlx_tir_int(r->f, bits, RLX_INT32)};
  RlxTirExpr *e = rlx_tir_call(r->f, rlx_store_intern(r->store, "tvm_access_ptr", 14),
                               rlx_dtype(RLX_DTYPE_HANDLE, 64), args, 5);
  e->span = call->span;
  return rlx_tv_expr(e, false);
}

/// float("nan"), int(x), len(…), min/max of Python: what scripts use at build time.
static RlxTv eval_python_call(RlxTirReader *r, const RlxAst *call) {
  const RlxAst *callee = call->children[0];
  const char *name = callee->kind == RLX_AST_NAME ? rlx_store_text(r->store, callee->name) : "";
  const RlxAst *a0 = rlx_tir_arg(r, call, 0, NULL);
  if (!strcmp(name, "float") && a0) {
    RlxTv v = typed_literal(r, call, RLX_FLOAT32);
    v.weak = true;
    return v;
  }
  if (!strcmp(name, "int") && a0) {
    RlxTv v = rlx_tir_eval(r, a0);
    if (v.kind == RLX_TV_EXPR && v.expr->kind == RLX_TIR_FLOAT)
      v.expr = rlx_tir_int(r->f, (int64_t)v.expr->number, RLX_INT32);
    return v;
  }
  if (!strcmp(name, "len") && a0) {
    RlxTv v = rlx_tir_eval(r, a0);
    if (v.kind == RLX_TV_TUPLE) return rlx_tv_expr(rlx_tir_int(r->f, v.count, RLX_INT32), true);
  }
  if ((!strcmp(name, "min") || !strcmp(name, "max")) && a0 && rlx_tir_arg(r, call, 1, NULL)) {
    return rlx_tir_arithmetic(r, call, name[1] == 'i' ? RLX_TIR_MIN : RLX_TIR_MAX,
                              rlx_tir_eval(r, a0), rlx_tir_eval(r, rlx_tir_arg(r, call, 1, NULL)));
  }
  if (callee->kind == RLX_AST_ATTRIBUTE) { // methods of values: x.astype("int32"), A.vload(…)
    const char *method = rlx_store_text(r->store, callee->name);
    RlxTv base = rlx_tir_eval(r, callee->children[0]);
    if (base.kind == RLX_TV_EXPR && !strcmp(method, "astype") && a0)
      return rlx_tv_expr(
          rlx_tir_converted(r, base.expr, rlx_tir_read_dtype(r, a0, base.expr->dtype)), false);
    if (base.kind == RLX_TV_HOLE) return base;
    if (base.kind == RLX_TV_BUFFER && !strcmp(method, "access_ptr"))
      return access_ptr(r, call, base.buffer);
    if (base.kind == RLX_TV_BUFFER && !strcmp(method, "vload") && a0)
      return rlx_tir_vector_load(r, call, base.buffer, a0);
  }
  return rlx_tir_issue(r, call, "this call is not understood in a PrimFunc");
}

RlxTv rlx_tir_eval_call(RlxTirReader *r, const RlxAst *call) {
  const char *path = rlx_tir_path(r, call->children[0]);
  if (path) {
    RlxDType t;
    if (rlx_dtype_parse(path, strlen(path), &t) && rlx_dtype_known(t))
      return typed_literal(r, call, t);
    return eval_path_call(r, call, path);
  }
  if (rlx_tir_is_call(r, call)) return rlx_tir_call_value(r, call);
  RlxTv callee;
  if (call->children[0]->kind == RLX_AST_NAME &&
      rlx_tir_find(r, call->children[0]->name, &callee) && callee.kind == RLX_TV_DTYPE) {
    return typed_literal(r, call, callee.dtype);
  }
  return eval_python_call(r, call);
}
