/// Annotations: from the values of R.Tensor(…), R.Shape(…), … to StructInfo; dimensions given as
/// strings. Always true: in a signature a string dimension declares its variables; elsewhere it
/// mentions declared ones.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "analyzer/eval/refuse.h"
#include "analyzer/ops/dist.h"
#include "base/hash.h"

/// Is `stmt` of the form `name = T.int64(4)`, which fixes a dimension of the signature up to 0.25? From
/// 0.26 on it is a variable of the body, whatever the signature has of that name.
static bool fixes_dimension(const RlxStore *store, const RlxStmt *stmt) {
  if (stmt->kind != RLX_STMT_ASSIGN || stmt->target_count != 1 ||
      stmt->targets[0]->kind != RLX_AST_NAME)
    return false;
  const RlxAst *call = stmt->value;
  if (!call || call->kind != RLX_AST_CALL || call->child_count != 2 ||
      call->children[1]->kind != RLX_AST_INT || call->children[1]->is_big)
    return false;
  const RlxAst *head = call->children[0];
  return head->kind == RLX_AST_ATTRIBUTE && strcmp(rlx_store_text(store, head->name), "int64") == 0;
}

enum { FIXED_LOOK = 16 }; ///< first statements that are looked at

static bool fixed_dimension(const RlxEval *e, RlxName name, int64_t *out) {
  const RlxBlock *body = e->fn->stmt->body;
  for (uint32_t i = 0; body && i < body->count && i < FIXED_LOOK; i++) {
    const RlxStmt *stmt = body->stmts[i];
    if (!fixes_dimension(e->store, stmt) || stmt->targets[0]->name != name) continue;
    *out = stmt->value->children[1]->integer;
    return true;
  }
  return false;
}

/// The dtype of `name = T.float32()` among the first statements, `*out` unchanged when `stmt` is
/// none.
static bool declares_dtype(const RlxStore *store, const RlxStmt *stmt, RlxDType *out) {
  if (stmt->kind != RLX_STMT_ASSIGN || stmt->target_count != 1 ||
      stmt->targets[0]->kind != RLX_AST_NAME)
    return false;
  const RlxAst *call = stmt->value;
  if (!call || call->kind != RLX_AST_CALL || call->child_count != 1 ||
      call->children[0]->kind != RLX_AST_ATTRIBUTE)
    return false;
  const char *name = rlx_store_text(store, call->children[0]->name);
  RlxDType dtype;
  if (!rlx_dtype_parse(name, strlen(name), &dtype) || !rlx_dtype_known(dtype)) return false;
  *out = dtype;
  return true;
}

/// What the body's first statements declare the variable of R.Prim(value="m") as.
static RlxDType declared_dtype(const RlxEval *e, RlxName name) {
  RlxDType dtype = RLX_INT64;
  const RlxBlock *body = e->fn ? e->fn->stmt->body : NULL;
  for (uint32_t i = 0;
       body && i < body->count && i < FIXED_LOOK && body->stmts[i]->kind == RLX_STMT_ASSIGN; i++)
    if (declares_dtype(e->store, body->stmts[i], &dtype) &&
        body->stmts[i]->targets[0]->name == name)
      return dtype;
  return RLX_INT64;
}

uint64_t rlx_fn_fixed_hash(const RlxFn *fn) {
  uint64_t hash = 0;
  const RlxBlock *body = fn->stmt->body;
  RlxDType dtype;
  for (uint32_t i = 0; body && i < body->count && i < FIXED_LOOK; i++)
    if (declares_dtype(fn->file->store, body->stmts[i], &dtype) &&
        !rlx_dtype_equal(dtype, RLX_INT64))
      hash = rlx_hash_mix(rlx_hash_mix(hash, body->stmts[i]->targets[0]->name),
                          (uint64_t)rlx_pack_dtype(dtype));
    else if (fixes_dimension(fn->file->store, body->stmts[i]))
      hash = rlx_hash_mix(rlx_hash_mix(hash, body->stmts[i]->targets[0]->name),
                          (uint64_t)body->stmts[i]->value->children[1]->integer);
  return hash;
}

/// The symbolic variable `name` of the function that is evaluated; in a signature it is declared by
/// this. A local function's signature declares its own, also where a function around it has one of
/// that name.
const RlxPrim *rlx_fn_symbol(RlxEval *e, RlxName name, RlxDType dtype) {
  uint64_t scope = 0;
  for (RlxFn *fn = e->fn; fn; fn = fn->outer) {
    if (!scope) scope = fn->function.scope;
    for (uint32_t i = rlx_fn_first_param(fn, name); i < fn->params.count; i++)
      if (fn->params.at[i].name == name && fn->params.at[i].value.kind == RLX_VALUE_PRIM)
        return fn->params.at[i].value.prim;
    if (e->is_signature) break;
  }
  int64_t fixed;
  if (e->fn && e->is_signature && e->fn->kind == RLX_ISLAND_RELAX && !rlx_eval_is_027(e) &&
      fixed_dimension(e, name, &fixed))
    return rlx_prim_int(e->store, fixed);
  const RlxPrim *prim = rlx_prim_var(e->store, rlx_symvar(e->store, scope, name, dtype, false));
  if (e->fn && e->is_signature) {
    RlxDef def = {.name = name, .stmt = e->fn->stmt, .span = e->fn->stmt->name_span};
    def.value.kind = RLX_VALUE_PRIM;
    def.value.prim = prim;
    rlx_vec_push(&e->fn->params, def);
  }
  return prim;
}

// ---- string dimensions: a recursive descent over + - * // % and calls

typedef struct Text {
  RlxEval *e;
  const char *at;
  RlxSpan span;
  bool bad;
  int depth;
} Text;

static void blanks(Text *t) {
  while (*t->at == ' ' || *t->at == '\t' || *t->at == '\n') t->at++;
}

static const RlxPrim *sum(Text *t);
static const RlxPrim *comparison(Text *t);

static const RlxPrim *fail(Text *t) {
  t->bad = true;
  return rlx_prim_int(t->e->store, 0);
}

static const RlxPrim *text_symbol(Text *t, RlxName name) {
  RlxEval *e = t->e;
  if (e->env) {
    const RlxDef *def = rlx_env_get(e->env, name);
    rlx_vec_push(&e->reads, name);
    if (def && def->is_unbound) rlx_vec_push(&e->unbound_uses, ((RlxSymbolUse){def, t->span}));
    if (def && def->value.kind == RLX_VALUE_PRIM) return def->value.prim;
  }
  for (const RlxEnv *env = e->env                      ? e->env->parent
                           : e->fn && !e->is_signature ? e->fn->outer_env
                                                       : NULL;
       env; env = env->parent) {
    const RlxDef *def = rlx_env_get(env, name);
    if (!def || def->value.kind != RLX_VALUE_PRIM) continue;
    rlx_note_captured(e, def, t->span);
    return def->value.prim;
  }
  RlxValue v;
  if (!e->is_signature) rlx_note_read(e, name, true);
  if (!e->is_signature && e->analyzer->hooks->outer_value(e->file, e->stmt, name, &v) &&
      v.kind == RLX_VALUE_INT)
    return rlx_prim_int(e->store, v.integer);
  return rlx_fn_symbol(e, name, RLX_INT64);
}

static const RlxPrim *text_call(Text *t, const char *name, size_t size) {
  const RlxPrim *args[4];
  int count = 0;
  t->at++;
  blanks(t);
  while (*t->at && *t->at != ')' && count < 4 && !t->bad) {
    args[count++] = comparison(t);
    blanks(t);
    if (*t->at != ',') break;
    t->at++;
    blanks(t);
  }
  if (*t->at != ')' || !count) return fail(t);
  t->at++;
  const char *dot = memchr(name, '.', size);
  const char *last = dot ? dot + 1 : name;
  size_t length = size - (size_t)(last - name);
  static const struct {
    const char *name;
    RlxPrimKind kind;
  } binary[] = {{"min", RLX_PRIM_MIN},           {"max", RLX_PRIM_MAX},
                {"floordiv", RLX_PRIM_FLOORDIV}, {"floormod", RLX_PRIM_FLOORMOD},
                {"truncdiv", RLX_PRIM_TRUNCDIV}, {"truncmod", RLX_PRIM_TRUNCMOD}};
  for (size_t i = 0; i < sizeof binary / sizeof binary[0]; i++)
    if (count == 2 && strlen(binary[i].name) == length && memcmp(binary[i].name, last, length) == 0)
      return rlx_prim_binary(t->e->store, binary[i].kind, args[0], args[1]);
  if (count == 3 && ((length == 12 && memcmp(last, "if_then_else", 12) == 0) ||
                     (length == 6 && memcmp(last, "Select", 6) == 0)))
    return rlx_prim_select(t->e->store, args[0], args[1], args[2]);
  RlxDType dtype;
  if (count == 1 && rlx_dtype_parse(last, length, &dtype))
    return rlx_prim_cast(t->e->store, dtype, args[0]);
  return rlx_prim_call(t->e->store, rlx_store_intern(t->e->store, last, length), RLX_INT64, args,
                       count);
}

static const RlxPrim *atom(Text *t) {
  blanks(t);
  if (t->bad || ++t->depth > 100) return fail(t);
  if (*t->at == '(') {
    t->at++;
    const RlxPrim *p = comparison(t);
    blanks(t);
    if (*t->at != ')') return fail(t);
    t->at++;
    return p;
  }
  if (*t->at == '-') {
    t->at++;
    return rlx_prim_sub(t->e->store, rlx_prim_int(t->e->store, 0), atom(t));
  }
  if (isdigit((unsigned char)*t->at)) {
    char *end = NULL;
    long long value = strtoll(t->at, &end, 10);
    t->at = end;
    return rlx_prim_int(t->e->store, value);
  }
  if (isalpha((unsigned char)*t->at) || *t->at == '_' || (unsigned char)*t->at >= 128) {
    const char *start = t->at;
    while (isalnum((unsigned char)*t->at) || *t->at == '_' || *t->at == '.' ||
           (unsigned char)*t->at >= 128)
      t->at++;
    size_t size = (size_t)(t->at - start);
    if (*t->at == '(') return text_call(t, start, size);
    return text_symbol(t, rlx_store_intern(t->e->store, start, size));
  }
  return fail(t);
}

static const RlxPrim *product(Text *t) {
  const RlxPrim *p = atom(t);
  while (!t->bad) {
    blanks(t);
    if (*t->at == '*')
      t->at++, p = rlx_prim_mul(t->e->store, p, atom(t));
    else if (t->at[0] == '/' && t->at[1] == '/')
      t->at += 2, p = rlx_prim_floordiv(t->e->store, p, atom(t));
    else if (*t->at == '%')
      t->at++, p = rlx_prim_floormod(t->e->store, p, atom(t));
    else
      break;
  }
  return p;
}

static const RlxPrim *sum(Text *t) {
  const RlxPrim *p = product(t);
  while (!t->bad) {
    blanks(t);
    if (*t->at == '+')
      t->at++, p = rlx_prim_add(t->e->store, p, product(t));
    else if (*t->at == '-')
      t->at++, p = rlx_prim_sub(t->e->store, p, product(t));
    else
      break;
  }
  return p;
}

static const RlxPrim *comparison(Text *t) {
  static const struct {
    const char *text;
    RlxPrimKind kind;
    bool swapped;
  } ops[] = {{"<=", RLX_PRIM_LE, false}, {">=", RLX_PRIM_LE, true}, {"==", RLX_PRIM_EQ, false},
             {"!=", RLX_PRIM_NE, false}, {"<", RLX_PRIM_LT, false}, {">", RLX_PRIM_LT, true}};
  const RlxPrim *a = sum(t);
  blanks(t);
  for (size_t i = 0; i < sizeof ops / sizeof ops[0] && !t->bad; i++) {
    if (strncmp(t->at, ops[i].text, strlen(ops[i].text)) != 0) continue;
    t->at += strlen(ops[i].text);
    const RlxPrim *b = sum(t);
    return ops[i].swapped ? rlx_prim_binary(t->e->store, ops[i].kind, b, a)
                          : rlx_prim_binary(t->e->store, ops[i].kind, a, b);
  }
  return a;
}

const RlxPrim *rlx_prim_parse_text(RlxEval *e, const char *text, RlxSpan span) {
  Text t = {.e = e, .at = text, .span = span};
  const RlxPrim *p = comparison(&t);
  blanks(&t);
  return t.bad || *t.at ? NULL : p;
}

// ---- StructInfo out of values

/// Dimensions of `list`: `*known` false when Python alone knows one. NULL (reported) when an item
/// is no dimension.
static const RlxPrim **dimensions(RlxEval *e, const RlxValue *list, bool *known) {
  const RlxPrim **dims = rlx_arena_array(e->arena, const RlxPrim *, list->count ? list->count : 1);
  *known = true;
  for (uint32_t i = 0; i < list->count; i++) {
    const RlxValue *item = &list->items[i];
    if (item->kind == RLX_VALUE_STR && !e->is_signature && e->fn &&
        e->fn->kind == RLX_ISLAND_RELAX) {
      RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(DIM_STRING), item->span, "s",
                                      rlx_store_text(e->store, item->string));
      if (e->env) // not in a signature's T.Tuple, where Python has no such name
        rlx_diag_fix(e->sink, diag, "write it without quotes", item->span,
                     rlx_store_text(e->store, item->string));
    }
    dims[i] = item->kind == RLX_VALUE_STR
                  ? rlx_prim_parse_text(e, rlx_store_text(e->store, item->string), item->span)
                  : rlx_value_prim(e, item);
    if (dims[i] && !rlx_dtype_is_float(dims[i]->dtype) && item->kind != RLX_VALUE_BOOL &&
        !rlx_dim_is_narrow(e, dims[i]) && !rlx_dim_is_variable(e, item)) {
      dims[i] = rlx_as_dimension(e, dims[i]);
      continue;
    }
    if (item->kind == RLX_VALUE_UNKNOWN && e->tainted) { // else a wildcard of tlc-pack's
      dims[i] = rlx_open_dimension(e, list, i);
      *known &= dims[i] != NULL;
      continue;
    }
    bool is_fresh = item->kind == RLX_VALUE_SYMDECL && // a variable of no name
                    rlx_dtype_equal(rlx_symbol_dtype(item), RLX_INT64);
    if (item->kind == RLX_VALUE_UNKNOWN || is_fresh ||
        (item->kind == RLX_VALUE_EXPR && item->expr->sinfo->kind == RLX_SINFO_PRIM &&
         !rlx_dim_is_variable(e, item))) {
      *known = false;
      continue;
    }
    *known = false;
    if (item->kind == RLX_VALUE_EXPR && e->tainted) continue;
    rlx_eval_report(e, RLX_DIAG_ID(DIM_INVALID), item->span, "s", rlx_value_text(e, item));
  }
  return dims;
}

void rlx_dtype_report(RlxEval *e, RlxSpan span, const char *text) {
  const char *nearest = rlx_dtype_nearest(text);
  RlxDiag *diag =
      rlx_eval_report(e, RLX_DIAG_ID(DTYPE_INVALID), span, "ss", text,
                      nearest ? rlx_arena_printf(e->arena, "; did you mean `%s`?", nearest) : "");
  if (nearest)
    rlx_diag_fix(e->sink, diag, rlx_arena_printf(e->sink->arena, "change to `%s`", nearest), span,
                 rlx_arena_printf(e->sink->arena, "\"%s\"", nearest));
}

bool rlx_dtype_maker_report(RlxEval *e, const char *what, const char *param, const RlxValue *v) {
  if (v->kind != RLX_VALUE_DTYPE || v->is_python || !rlx_refuse_may_tell(e)) return false;
  char text[RLX_DTYPE_TEXT_MAX];
  rlx_dtype_text(rlx_unpack_dtype(v->integer), text);
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), v->span, "ssss", what, param,
                                  rlx_value_text(e, v), "a dtype's name");
  rlx_diag_fix(e->sink, diag, "write the dtype's name", v->span,
               rlx_arena_printf(e->sink->arena, "\"%s\"", text));
  return true;
}

static bool dtype_of(RlxEval *e, const RlxValue *v, RlxDType *out) {
  *out = rlx_dtype_unknown();
  if (!v || v->kind == RLX_VALUE_NONE) return true;
  if (rlx_dtype_maker_report(e, "R.Tensor", "dtype", v)) return false;
  if (v->kind == RLX_VALUE_DTYPE) {
    *out = rlx_unpack_dtype(v->integer);
    return true;
  }
  if (v->kind == RLX_VALUE_UNKNOWN) {
    e->tainted |= RLX_OPEN;
    return true;
  }
  if (v->kind != RLX_VALUE_STR) {
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), v->span, "ssss", "R.Tensor", "dtype",
                    rlx_value_text(e, v), "a dtype's name");
    return false;
  }
  static const char *const shorts[][2] = {
      {"f16", "float16"}, {"f32", "float32"}, {"f64", "float64"}, {"i8", "int8"},
      {"i16", "int16"},   {"i32", "int32"},   {"i64", "int64"},   {"u8", "uint8"}};
  const char *text = rlx_store_text(e->store, v->string);
  for (size_t i = 0; i < sizeof shorts / sizeof shorts[0]; i++)
    if (strcmp(shorts[i][0], text) == 0) text = shorts[i][1];
  bool is_pointer = strcmp(text, "handle") == 0 && rlx_eval_is_027(e); // no dtype from 0.26 on
  if (strcmp(text, "void") == 0 && rlx_eval_is_027(e)) return *out = RLX_VOID, true;
  if (!is_pointer && rlx_dtype_parse(text, strlen(text), out)) return true;
  rlx_dtype_report(e, v->span, text);
  return false;
}

static const RlxVDevice *vdevice_of(RlxEval *e, const RlxValue *v) {
  if (!v || v->kind == RLX_VALUE_NONE) return NULL;
  if (v->kind == RLX_VALUE_VDEVICE) return v->thing;
  if (v->kind != RLX_VALUE_STR) {
    if (v->kind != RLX_VALUE_UNKNOWN && v->kind != RLX_VALUE_OTHER && !e->tainted)
      rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), v->span, "ssss", "R.Tensor", "vdevice",
                      rlx_value_text(e, v), "a device of the module, as \"cuda:0\"");
    e->tainted |= RLX_FAILED;
    return NULL;
  }
  RlxModule *module = e->fn ? e->fn->module : NULL;
  const char *text = rlx_store_text(e->store, v->string);
  const RlxVDevice *device = module ? rlx_module_vdevice(&module->view, text) : NULL;
  if (!device)
    rlx_eval_report(e, RLX_DIAG_ID(VDEVICE_UNDEFINED), v->span, "ss",
                    module ? "the module does not list it"
                           : "the function stands in no module that could list it",
                    text);
  return device;
}

static const RlxSymVar *shape_symbol(RlxEval *e, RlxVar *var) {
  if (!var->symbol)
    var->symbol = rlx_symvar(e->store, e->fn ? e->fn->function.scope : 0, var->name,
                             rlx_dtype_unknown(), true);
  return var->symbol;
}

/// A rank that is given and known: reported when it is no integer.
static int rank_of(RlxEval *e, const char *what, const RlxValue *v) {
  int64_t value = -1;
  if (!v || v->kind == RLX_VALUE_UNKNOWN) return -1;
  if (v->kind == RLX_VALUE_NONE && !rlx_refuse_may_tell(e)) return -1;
  bool is_script = v->kind == RLX_VALUE_PRIM && !v->is_python && rlx_refuse_may_tell(e);
  if (v->kind == RLX_VALUE_INT)
    value = v->integer;
  else if (v->kind == RLX_VALUE_BOOL) // an int of Python's
    value = v->boolean;
  else if (v->kind != RLX_VALUE_PRIM || is_script || !rlx_prim_is_const(v->prim, &value))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), v->span, "ssss", what, "ndim",
                    rlx_value_text(e, v), "an integer");
  if (value < -1)
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), v->span, "ssss", what, "ndim",
                    rlx_value_text(e, v), "the number of dimensions, or -1");
  return value >= -1 && value <= 1024 ? (int)value : -1;
}

/// A rank that is given beside a shape: TVM takes one of them, even where they agree.
static void check_ndim_beside_shape(RlxEval *e, const RlxValue *given, int ndim) {
  if (ndim < 0) return;
  RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(NDIM_MISMATCH), given->span, "i", ndim);
  rlx_diag_fix(e->sink, diag, "leave the rank to the shape", given->span, "-1");
}

static const RlxSInfo *tensor(RlxEval *e, const RlxValue *shape, const RlxValue *dtype_value,
                              const RlxValue *device_value, const RlxValue *ndim_value) {
  const RlxValue scalar = {.kind = RLX_VALUE_LIST};
  if (shape && shape->kind == RLX_VALUE_STR && !shape->string)
    shape = &scalar; // what has no length is the shape of a scalar
  else if (shape && shape->kind == RLX_VALUE_STR &&
           (!dtype_value || dtype_value->kind == RLX_VALUE_NONE))
    dtype_value = shape, shape = NULL;
  RlxDType dtype;
  dtype_of(e, dtype_value, &dtype);
  const RlxVDevice *device = vdevice_of(e, device_value);
  int ndim = rank_of(e, "R.Tensor", ndim_value);
  if (!shape || shape->kind == RLX_VALUE_NONE)
    return rlx_sinfo_tensor_ndim(e->store, ndim, dtype, device);
  if (shape->kind == RLX_VALUE_LIST && !shape->is_range) {
    bool known;
    const RlxPrim **dims = dimensions(e, shape, &known);
    check_ndim_beside_shape(e, ndim_value, ndim);
    if (!known) return rlx_sinfo_tensor_ndim(e->store, (int)shape->count, dtype, device);
    return rlx_sinfo_tensor(e->store, dims, (int)shape->count, dtype, device);
  }
  if (shape->kind == RLX_VALUE_EXPR) {
    const RlxExpr *x = shape->expr;
    if (x->kind == RLX_EXPR_SHAPE)
      return rlx_sinfo_tensor(e->store, x->dims, x->dim_count, dtype, device);
    if (x->kind == RLX_EXPR_VAR && x->sinfo->kind == RLX_SINFO_SHAPE) {
      check_ndim_beside_shape(e, ndim_value, ndim);
      return rlx_sinfo_tensor_of(e->store, shape_symbol(e, x->var), x->sinfo->ndim, dtype, device);
    }
    if (e->tainted) return rlx_sinfo_tensor_ndim(e->store, ndim, dtype, device);
  }
  if (shape->kind == RLX_VALUE_UNKNOWN) {
    e->tainted |= RLX_OPEN;
    return rlx_sinfo_tensor_ndim(e->store, ndim, dtype, device);
  }
  rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), shape->span, "ssss", "R.Tensor", "shape",
                  rlx_value_text(e, shape), "a tuple of dimensions");
  return rlx_sinfo_tensor_ndim(e->store, ndim, dtype, device);
}

static const RlxSInfo *shape_sinfo(RlxEval *e, const RlxValue *values, const RlxValue *ndim_value) {
  int ndim = rank_of(e, "R.Shape", ndim_value);
  if (!values || values->kind == RLX_VALUE_NONE || values->kind == RLX_VALUE_UNKNOWN)
    return rlx_sinfo_shape(e->store, NULL, ndim);
  if (values->kind != RLX_VALUE_LIST) {
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), values->span, "ssss", "R.Shape", "values",
                    rlx_value_text(e, values), "a list of dimensions");
    return rlx_sinfo_shape(e->store, NULL, ndim);
  }
  bool known;
  const RlxPrim **dims = dimensions(e, values, &known);
  check_ndim_beside_shape(e, ndim_value, ndim);
  return rlx_sinfo_shape(e->store, known ? dims : NULL, (int)values->count);
}

static const RlxSInfo *prim_sinfo(RlxEval *e, const RlxValue *dtype_value, const RlxValue *value,
                                  RlxSpan span) {
  RlxDType dtype = rlx_dtype_unknown();
  if (value && value->kind != RLX_VALUE_NONE) {
    if (dtype_value) dtype_of(e, dtype_value, &dtype);
    if (value->kind == RLX_VALUE_LIST && rlx_refuse_may_tell(e))
      rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), value->span, "ssss", "R.Prim", "value",
                      rlx_value_text(e, value), "a number or a symbolic expression");
    if (value->kind == RLX_VALUE_STR && e->is_signature &&
        e->fn) { // a bare name is declared here, with the dtype that the body gives it
      RlxDType declared = declared_dtype(e, value->string);
      if (!rlx_dtype_equal(declared, RLX_INT64)) rlx_fn_symbol(e, value->string, declared);
    }
    const RlxPrim *p =
        value->kind == RLX_VALUE_STR
            ? rlx_prim_parse_text(e, rlx_store_text(e->store, value->string), value->span)
            : rlx_value_prim(e, value);
    char text[RLX_DTYPE_TEXT_MAX];
    bool has_dtype = value->kind == RLX_VALUE_STR || value->kind == RLX_VALUE_PRIM;
    if (p && has_dtype && rlx_dtype_known(dtype) && !rlx_dtype_equal(dtype, p->dtype) &&
        rlx_refuse_may_tell(e))
      rlx_eval_report(
          e, RLX_DIAG_ID(ARGUMENT_INVALID), dtype_value->span, "ssss", "R.Prim", "dtype",
          rlx_value_text(e, dtype_value),
          rlx_arena_printf(e->arena, "\"%s\", that of `value`", rlx_dtype_text(p->dtype, text)));
    if (p) return rlx_sinfo_prim(e->store, p->dtype, p);
    return rlx_sinfo_object(e->store);
  }
  if (!dtype_value)
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_MISSING), span, "ss", "R.Prim", "dtype");
  else
    dtype_of(e, dtype_value, &dtype);
  if (dtype_value && dtype_value->kind == RLX_VALUE_UNKNOWN)
    e->tainted |= RLX_FAILED; // void is a dtype of scalars, and none that stands for another
  return rlx_sinfo_prim(e->store, dtype, NULL);
}

/// Reports what is no StructInfo inside of another annotation. `T.int64` stands for one only where it is the
/// whole annotation.
static void refuse_inside(RlxEval *e, const RlxValue *v) {
  const bool is_dtype = v->kind == RLX_VALUE_DTYPE, is_type = v->kind == RLX_VALUE_SINFO;
  if (v->kind == RLX_VALUE_UNKNOWN || ((is_dtype || is_type) && !rlx_refuse_may_tell(e))) return;
  char buffer[RLX_DTYPE_TEXT_MAX];
  const char *dtype = is_dtype ? rlx_dtype_text(rlx_unpack_dtype(v->integer), buffer) : NULL;
  RlxDiag *diag =
      rlx_eval_report(e, RLX_DIAG_ID(ANNOTATION_INVALID), v->span, "s",
                      dtype     ? rlx_arena_printf(e->arena, "`T.%s` inside of another one", dtype)
                      : is_type ? "`T.Tuple` inside of another one"
                                : rlx_value_text(e, v));
  if (!dtype) return;
  const char *prim = rlx_arena_printf(e->sink->arena, "R.Prim(\"%s\")", dtype);
  rlx_diag_fix(e->sink, diag, rlx_arena_printf(e->sink->arena, "write `%s`", prim), v->span, prim);
}

/// The StructInfos of `items`; NULL (reported) when one is none.
static const RlxSInfo **sinfos(RlxEval *e, const RlxValue *items, uint32_t count) {
  const RlxSInfo **out = rlx_arena_array(e->arena, const RlxSInfo *, count ? count : 1);
  for (uint32_t i = 0; i < count; i++) {
    out[i] = rlx_value_sinfo(e, &items[i]);
    if (!out[i] || items[i].kind == RLX_VALUE_DTYPE || rlx_value_is_type(&items[i]))
      refuse_inside(e, &items[i]);
    if (!out[i]) out[i] = rlx_sinfo_object(e->store);
  }
  return out;
}

static const RlxSInfo *callable(RlxEval *e, const RlxPyArgs *args) {
  const RlxValue *params = rlx_py_arg(e, args, 0, "params"), *ret = rlx_py_arg(e, args, 1, "ret"),
                 *purity = rlx_py_arg(e, args, 2, "purity");
  if (!params) params = rlx_py_arg(e, args, UINT32_MAX, "args");
  const RlxValue *derive = rlx_py_arg(e, args, 3, "derive_func");
  const RlxSInfo *ret_sinfo =
      ret && ret->kind != RLX_VALUE_NONE ? sinfos(e, ret, 1)[0] : rlx_sinfo_object(e->store);
  RlxPurity pure =
      purity ? (purity->kind == RLX_VALUE_BOOL && !purity->boolean ? RLX_IMPURE : RLX_PURE)
             : RLX_PURE;
  bool is_flag = !purity || purity->kind == RLX_VALUE_BOOL || purity->kind == RLX_VALUE_INT ||
                 purity->kind == RLX_VALUE_NONE;
  if (!is_flag && rlx_python_type(e, purity) != RLX_PYTHON_UNKNOWN && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), purity->span, "ssss", "R.Callable", "purity",
                    rlx_value_text(e, purity), "True or False");
  RlxName rule = derive && derive->kind == RLX_VALUE_STR ? derive->string : 0;
  if (!params || params->kind == RLX_VALUE_NONE)
    return rlx_sinfo_func(e->store, NULL, 0, ret_sinfo, purity ? pure : RLX_IMPURE, rule);
  if (rule)
    rlx_eval_report(e, RLX_DIAG_ID(FUNC_OPAQUE), params->span, "s", rlx_store_text(e->store, rule));
  if (params->kind != RLX_VALUE_LIST) {
    const RlxSInfo *one = sinfos(e, params, 1)[0];
    return rlx_sinfo_func(e->store, &one, 1, ret_sinfo, pure, 0);
  }
  return rlx_sinfo_func(e->store, sinfos(e, params->items, params->count), (int)params->count,
                        ret_sinfo, pure, 0);
}

static const RlxSInfo *dtensor(RlxEval *e, const RlxPyArgs *args) {
  const RlxValue *mesh = rlx_py_arg(e, args, 2, "device_mesh"),
                 *placement = rlx_py_arg(e, args, 3, "placement");
  const RlxSInfo *local =
      tensor(e, rlx_py_arg(e, args, 0, "shape"), rlx_py_arg(e, args, 1, "dtype"), NULL,
             rlx_py_arg(e, args, UINT32_MAX, "ndim"));
  if (mesh && mesh->kind == RLX_VALUE_STR &&
      !rlx_mesh_named(rlx_store_text(e->store, mesh->string)))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), mesh->span, "ssss", "R.DTensor",
                    "device_mesh", rlx_value_text(e, mesh), "a mesh of the module, as \"mesh[0]\"");
  const char *expected =
      placement && placement->kind == RLX_VALUE_STR
          ? rlx_placement_wrong(rlx_store_text(e->store, placement->string), local->ndim)
          : NULL;
  if (expected)
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), placement->span, "ssss", "R.DTensor",
                    "placement", rlx_value_text(e, placement), expected);
  return rlx_sinfo_dtensor(e->store, local, mesh && mesh->kind == RLX_VALUE_STR ? mesh->string : 0,
                           placement && placement->kind == RLX_VALUE_STR ? placement->string : 0);
}

/// An extension of extensions.def: its parts are variables, None or absent where they are not
/// known.
static const RlxSInfo *extension(RlxEval *e, RlxExtension which, const RlxPyArgs *args) {
  const RlxSymVar *parts[RLX_EXTENSION_PARTS_MAX] = {NULL};
  const char *names = rlx_extension_row(which)->parts;
  for (int i = 0; i < rlx_extension_part_count(which); i++) {
    size_t size = strcspn(names, ",");
    const RlxValue *part =
        rlx_py_arg(e, args, (uint32_t)i, rlx_arena_strndup(e->arena, names, size));
    bool is_var = part && part->kind == RLX_VALUE_EXPR && part->expr->kind == RLX_EXPR_VAR;
    if (is_var)
      parts[i] = shape_symbol(e, part->expr->var);
    else if (part && part->kind != RLX_VALUE_NONE && part->kind != RLX_VALUE_UNKNOWN)
      rlx_eval_report(e, RLX_DIAG_ID(ANNOTATION_INVALID), part->span, "s", rlx_value_text(e, part));
    names += size + strspn(names + size, ", ");
  }
  return rlx_sinfo_extension(e->store, which, parts);
}

static RlxValue of_sinfo(const RlxSInfo *sinfo, RlxSpan span) {
  RlxValue v = {.kind = RLX_VALUE_SINFO, .span = span};
  v.sinfo = sinfo;
  return v;
}

RlxValue rlx_eval_sinfo_call(RlxEval *e, RlxWord word, const RlxPyArgs *args, RlxSpan span) {
  RlxPyArgs known = *args;
  if (rlx_eval_is_tlc(e)) { // Tensor(_, "float32"): what is `_` is not known
    known.at = rlx_arena_copy(e->arena, args->at, args->count, sizeof *args->at);
    for (uint32_t i = 0; i < known.count; i++)
      if (known.at[i].value.kind == RLX_VALUE_UNKNOWN) known.at[i].value.kind = RLX_VALUE_NONE;
    args = &known;
  }
  if (word == RLX_WORD_TENSOR)
    return of_sinfo(tensor(e, rlx_py_arg(e, args, 0, "shape"), rlx_py_arg(e, args, 1, "dtype"),
                           rlx_py_arg(e, args, 2, "vdevice"), rlx_py_arg(e, args, 3, "ndim")),
                    span);
  if (word == RLX_WORD_SHAPE)
    return of_sinfo(
        shape_sinfo(e, rlx_py_arg(e, args, 0, "values"), rlx_py_arg(e, args, 1, "ndim")), span);
  bool is_second = args->count > 1 && !args->at[0].keyword && !args->at[1].keyword;
  if (word == RLX_WORD_PRIM && is_second && rlx_eval_is_027(e) && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_COUNT), args->at[1].span, "siis", "R.Prim", 1,
                    (int)args->count, "");
  if (word == RLX_WORD_PRIM)
    return of_sinfo(
        prim_sinfo(e, rlx_py_arg(e, args, 0, "dtype"), rlx_py_arg(e, args, 1, "value"), span),
        span);
  if (word == RLX_WORD_CALLABLE || word == RLX_WORD_FUNC) return of_sinfo(callable(e, args), span);
  if (word == RLX_WORD_DTENSOR || word == RLX_WORD_DIST_DTENSOR)
    return of_sinfo(dtensor(e, args), span);
  if (word == RLX_WORD_SPARSE_CSR)
    return of_sinfo(extension(e, RLX_EXTENSION_SparseCSR, args), span);
  if (word == RLX_WORD_TUPLE) {
    for (uint32_t i = 0; i < args->count; i++)
      if (args->at[i].keyword && rlx_refuse_may_tell(e))
        rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_UNKNOWN), args->at[i].keyword_span, "sss",
                        "R.Tuple", rlx_store_text(e->store, args->at[i].keyword), "");
    if (args->count == 1 && args->at[0].value.kind == RLX_VALUE_LIST) {
      const RlxValue *list = &args->at[0].value;
      return of_sinfo(
          rlx_sinfo_tuple(e->store, sinfos(e, list->items, list->count), (int)list->count), span);
    }
    RlxValue *items = rlx_arena_array(e->arena, RlxValue, args->count ? args->count : 1);
    for (uint32_t i = 0; i < args->count; i++) items[i] = args->at[i].value;
    return of_sinfo(rlx_sinfo_tuple(e->store, sinfos(e, items, args->count), (int)args->count),
                    span);
  }
  return of_sinfo(rlx_sinfo_object(e->store), span);
}

RlxValue rlx_eval_sinfo_subscript(RlxEval *e, RlxWord word, const RlxValue *items, uint32_t count,
                                  RlxSpan span) {
  bool free_before = e->allow_free;
  e->allow_free = true;
  RlxValue out = rlx_value_unknown(span);
  if (word == RLX_WORD_TENSOR) {
    const RlxValue *shape = count ? &items[0] : NULL, *dtype = count > 1 ? &items[1] : NULL;
    if (shape && (shape->kind == RLX_VALUE_UNKNOWN || shape->kind == RLX_VALUE_OTHER)) shape = NULL;
    if (dtype && (dtype->kind == RLX_VALUE_UNKNOWN || dtype->kind == RLX_VALUE_OTHER)) dtype = NULL;
    out = of_sinfo(tensor(e, shape, dtype, NULL, NULL), span);
  } else if (word == RLX_WORD_TUPLE) {
    out = of_sinfo(rlx_sinfo_tuple(e->store, sinfos(e, items, count), (int)count), span);
  } else
    e->tainted |= RLX_FAILED;
  e->allow_free = free_before;
  return out;
}

const RlxSInfo *rlx_value_sinfo(RlxEval *e, const RlxValue *v) {
  if (v->kind == RLX_VALUE_SINFO) return v->sinfo;
  if (v->kind == RLX_VALUE_NONE) return rlx_sinfo_tuple(e->store, NULL, 0);
  if (v->kind == RLX_VALUE_DTYPE)
    return rlx_sinfo_prim(e->store, rlx_unpack_dtype(v->integer), NULL);
  if (v->kind != RLX_VALUE_WORD) return NULL;
  switch (v->integer) {
  case RLX_WORD_TENSOR: return rlx_sinfo_tensor_ndim(e->store, -1, rlx_dtype_unknown(), NULL);
  case RLX_WORD_SHAPE: return rlx_sinfo_shape(e->store, NULL, -1);
  case RLX_WORD_TUPLE: return rlx_sinfo_tuple(e->store, NULL, 0);
  case RLX_WORD_DTENSOR:
    return rlx_sinfo_dtensor(e->store,
                             rlx_sinfo_tensor_ndim(e->store, -1, rlx_dtype_unknown(), NULL), 0, 0);
  case RLX_WORD_OBJECT: return rlx_sinfo_object(e->store);
  case RLX_WORD_SPARSE_CSR: return rlx_sinfo_extension(e->store, RLX_EXTENSION_SparseCSR, NULL);
  case RLX_WORD_CALLABLE:
    return rlx_sinfo_func(e->store, NULL, 0, rlx_sinfo_object(e->store), RLX_IMPURE, 0);
  default: return NULL;
  }
}
