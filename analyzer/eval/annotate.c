/// Annotations: from the values of R.Tensor(…), R.Shape(…), … to StructInfo.
/// Always true: what is no annotation is reported once, and the rest of it is known all the same.
#include <string.h>

#include "analyzer/eval/refuse.h"
#include "analyzer/ops/dist.h"

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
  rlx_diag_fix_dtype(e->sink, diag, span, text);
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

/// Whether the value is surely no name, and no object of TVM's.
static bool is_no_text(const RlxValue *v) {
  return v->kind == RLX_VALUE_BOOL || v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_FLOAT ||
         v->kind == RLX_VALUE_LIST || v->kind == RLX_VALUE_DICT;
}

/// Reports a value of TensorIR whose dtype is not known where R.Tensor takes something else; false: it is none.
static bool is_told_script_value(RlxEval *e, const RlxValue *v, const char *param,
                                 const char *expected) {
  if (!rlx_is_script_value(v) || (e->tainted & RLX_FAILED)) return false;
  e->tainted = 0;
  if (rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), v->span, "ssss", "R.Tensor", param,
                    "a value of TensorIR", expected);
  e->tainted |= RLX_OPEN;
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
    if (is_told_script_value(e, v, "dtype", "a dtype's name")) return false;
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
  if (is_pointer || !rlx_dtype_parse(text, strlen(text), out)) {
    rlx_dtype_report(e, v->span, text);
    return false;
  }
  if (rlx_dtype_is_odd(*out)) {
    RlxDiag *diag = rlx_eval_report(e, RLX_DIAG_ID(DTYPE_ODD), v->span, "ss", "R.Tensor", text);
    rlx_diag_fix_dtype(e->sink, diag, v->span, text);
  }
  return true;
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
  if (!device && !(module && module->view.has_open_lists))
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
  value = (int32_t)value; // TVM keeps the low 32 bits: 4294967295 is -1
  if (value < -1)
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), v->span, "ssss", what, "ndim",
                    rlx_value_text(e, v), "the number of dimensions, or -1");
  return value >= -1 && value <= 1024 ? (int)value : -1;
}

/// A rank that is given beside a shape: TVM takes one of them, even where they agree.
static void check_ndim_beside_shape(RlxEval *e, const RlxValue *given, int ndim) {
  if (ndim < 0 || rlx_eval_is_tlc(e)) return; // which took both
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
  const bool is_text = rlx_is_unknown_string(shape) && dtype_value &&
                       dtype_value->kind != RLX_VALUE_NONE; // else it may be a dtype
  if (!is_told_script_value(e, shape, "shape", "a tuple of dimensions") && is_text &&
      !(e->tainted & RLX_FAILED)) { // neither is a list
    e->tainted = 0;
    if (rlx_refuse_may_tell(e))
      rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), shape->span, "ssss", "R.Tensor", "shape",
                      "a string", "a tuple of dimensions");
    e->tainted |= RLX_OPEN;
  }
  if (shape->kind == RLX_VALUE_UNKNOWN) {
    e->tainted |= RLX_OPEN;
    return rlx_sinfo_tensor_ndim(e->store, ndim, dtype, device);
  }
  rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), shape->span, "ssss", "R.Tensor", "shape",
                  rlx_value_text(e, shape), "a tuple of dimensions");
  return rlx_sinfo_tensor_ndim(e->store, ndim, dtype, device);
}

/// Whether TVM takes what is no list for the dimensions of R.Shape: an empty text or dict, False outside of parameters, a set, bytes where `ndim` says nothing.
static bool is_taken_as_none(const RlxEval *e, const RlxValue *values, int ndim) {
  bool is_true = true;
  if (!rlx_refuse_may_tell(e)) return false;
  if (values->kind == RLX_VALUE_OTHER)
    return values->text &&
           (!strcmp(values->text, "a set") || (ndim < 0 && values->text == rlx_bytes_text));
  if (values->kind == RLX_VALUE_BOOL) return !values->boolean && !e->is_parameter;
  return (values->kind == RLX_VALUE_STR || values->kind == RLX_VALUE_DICT) &&
         rlx_value_truth(values, &is_true) && !is_true;
}

/// The keys of a dict as a list.
static RlxValue keys_of(RlxEval *e, const RlxValue *dict) {
  RlxValue out = {.kind = RLX_VALUE_LIST, .span = dict->span, .count = dict->count / 2};
  out.items = rlx_arena_array(e->arena, RlxValue, out.count ? out.count : 1);
  for (uint32_t i = 0; i < out.count; i++) out.items[i] = dict->items[2 * i];
  return out;
}

static const RlxSInfo *shape_sinfo(RlxEval *e, const RlxValue *values, const RlxValue *ndim_value) {
  int ndim = rank_of(e, "R.Shape", ndim_value);
  const RlxValue letters = values && values->kind == RLX_VALUE_STR && rlx_refuse_may_tell(e)
                               ? rlx_letters(e, values)
                               : rlx_value_none();
  if (letters.kind == RLX_VALUE_LIST && letters.count)
    values = &letters; // Python walks over a string
  const RlxValue keys = values && values->kind == RLX_VALUE_DICT && rlx_refuse_may_tell(e)
                            ? keys_of(e, values)
                            : rlx_value_none();
  if (keys.kind == RLX_VALUE_LIST && keys.count) values = &keys; // and over the keys of a dict
  if (!values || values->kind == RLX_VALUE_NONE || values->kind == RLX_VALUE_UNKNOWN)
    return rlx_sinfo_shape(e->store, NULL, ndim);
  if (values->kind == RLX_VALUE_LIST && !values->count && ndim >= 0) // TVM takes no list for none
    return rlx_sinfo_shape(e->store, NULL, ndim);
  if (values->kind != RLX_VALUE_LIST && is_taken_as_none(e, values, ndim)) {
    e->tainted |= RLX_OPEN;
    return rlx_sinfo_shape(e->store, NULL, ndim);
  }
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
    if ((value->kind == RLX_VALUE_LIST || value->kind == RLX_VALUE_DICT) && rlx_refuse_may_tell(e))
      rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), value->span, "ssss", "R.Prim", "value",
                      rlx_value_text(e, value), "a number or a symbolic expression");
    if (value->kind == RLX_VALUE_STR && e->is_signature &&
        e->fn) { // a bare name is declared here, with the dtype that the body gives it
      RlxDType declared = rlx_declared_dtype(e, value->string);
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
  if (!dtype_value || dtype_value->kind == RLX_VALUE_NONE)
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
    if (!out[i] || items[i].kind == RLX_VALUE_DTYPE || items[i].kind == RLX_VALUE_NONE ||
        items[i].kind == RLX_VALUE_TFUNC || rlx_value_is_type(&items[i]))
      refuse_inside(e, &items[i]);
    if (!out[i]) out[i] = rlx_sinfo_object(e->store);
  }
  return out;
}

/// NULL: it would be too deep.
static const RlxSInfo *func_not_too_deep(RlxStore *store, const RlxSInfo *const *params,
                                         uint32_t count, const RlxSInfo *ret, RlxPurity purity,
                                         RlxName derive) {
  const RlxSInfo *made = rlx_sinfo_func(store, params, (int)count, ret, purity, derive);
  return made->ret == ret && !made->params == !params ? made : NULL;
}

/// Whether TVM, which calls what stands for an annotation, gets None of it: Python's `print` is the builtin of which it does.
static bool gives_none(const RlxEval *e, const RlxValue *v) {
  return v->kind == RLX_VALUE_BUILTIN && strcmp(rlx_store_text(e->store, v->string), "print") == 0;
}

static const RlxSInfo *callable(RlxEval *e, const RlxPyArgs *args) {
  const RlxValue *params = rlx_py_arg(e, args, 0, "params"), *ret = rlx_py_arg(e, args, 1, "ret"),
                 *purity = rlx_py_arg(e, args, 2, "purity");
  if (!params) params = rlx_py_arg(e, args, UINT32_MAX, "args");
  const RlxValue *derive = rlx_py_arg(e, args, 3, "derive_func");
  const bool is_alone = !params || params->kind == RLX_VALUE_NONE;
  const bool has_ret = ret && ret->kind != RLX_VALUE_NONE && !(is_alone && gives_none(e, ret));
  const RlxSInfo *ret_sinfo = has_ret ? sinfos(e, ret, 1)[0] : rlx_sinfo_object(e->store);
  RlxPurity pure =
      purity ? (purity->kind == RLX_VALUE_BOOL && !purity->boolean ? RLX_IMPURE : RLX_PURE)
             : RLX_PURE;
  bool is_flag = !purity || purity->kind == RLX_VALUE_BOOL || purity->kind == RLX_VALUE_INT ||
                 purity->kind == RLX_VALUE_NONE;
  if (!is_flag && purity->kind != RLX_VALUE_UNKNOWN && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), purity->span, "ssss", "R.Callable", "purity",
                    rlx_value_text(e, purity), "True or False");
  const bool is_no_rule = derive && derive->kind != RLX_VALUE_NONE &&
                          derive->kind != RLX_VALUE_STR && derive->kind != RLX_VALUE_UNKNOWN &&
                          derive->kind != RLX_VALUE_NAMESPACE &&
                          !(derive->kind == RLX_VALUE_EXPR && derive->expr->kind == RLX_EXPR_HOLE);
  if (is_no_rule && is_alone && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), derive->span, "ssss", "R.Callable",
                    "derive_func", rlx_value_text(e, derive), "the name of a function, a string");
  RlxName rule = derive && derive->kind == RLX_VALUE_STR ? derive->string : 0;
  if (is_alone)
    return func_not_too_deep(e->store, NULL, 0, ret_sinfo, purity ? pure : RLX_IMPURE, rule);
  const bool lacks_result = (!ret || ret->kind == RLX_VALUE_NONE) && !args->is_unknown;
  if (lacks_result && !rlx_eval_is_tlc(e) && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_MISSING), params->span, "ss", "R.Callable", "ret");
  else if (rule)
    rlx_eval_report(e, RLX_DIAG_ID(FUNC_OPAQUE), params->span, "s", rlx_store_text(e->store, rule));
  if (params->kind != RLX_VALUE_LIST) {
    const RlxSInfo *one = sinfos(e, params, 1)[0];
    return func_not_too_deep(e->store, &one, 1, ret_sinfo, pure, 0);
  }
  return func_not_too_deep(e->store, sinfos(e, params->items, params->count), params->count,
                           ret_sinfo, pure, 0);
}

/// Reports a mesh that the module does not list, and a placement of another number of axes than it has.
static void check_mesh(RlxEval *e, const RlxValue *mesh, const RlxValue *placement) {
  const RlxModule *module = e->fn ? e->fn->module : NULL;
  const RlxModuleView *view = module ? &module->view : NULL;
  int ndim;
  if (!rlx_refuse_may_tell(e)) return;
  if (!rlx_module_mesh(view, rlx_store_text(e->store, mesh->string), &ndim)) {
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), mesh->span, "ssss", "R.DTensor",
                    "device_mesh", rlx_value_text(e, mesh), "a mesh that the module lists");
    return;
  }
  const int count =
      placement ? rlx_placement_count(rlx_store_text(e->store, placement->string)) : ndim;
  if (ndim >= 0 && count != ndim)
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), placement->span, "ssss", "R.DTensor",
                    "placement", rlx_value_text(e, placement),
                    rlx_arena_printf(e->arena, "%d place%s, one for each axis of the mesh", ndim,
                                     ndim == 1 ? "" : "s"));
}

static const RlxSInfo *dtensor(RlxEval *e, const RlxPyArgs *args) {
  const RlxValue *mesh = rlx_py_arg(e, args, 2, "device_mesh"),
                 *placement = rlx_py_arg(e, args, 3, "placement");
  const RlxSInfo *local =
      tensor(e, rlx_py_arg(e, args, 0, "shape"), rlx_py_arg(e, args, 1, "dtype"), NULL,
             rlx_py_arg(e, args, UINT32_MAX, "ndim"));
  const bool has_mesh = !mesh || !is_no_text(mesh),
             has_placement = !placement || !is_no_text(placement);
  const RlxValue *number = has_mesh ? placement : mesh;
  if ((!has_mesh || !has_placement) && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_INVALID), number->span, "ssss", "R.DTensor",
                    has_mesh ? "placement" : "device_mesh", rlx_value_text(e, number), "a string");
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
  // By default the mesh has no dimension and the placement no part.
  const RlxValue *alone = mesh ? mesh : placement;
  if (alone && !(mesh && placement) && alone->kind == RLX_VALUE_STR && !args->is_unknown &&
      !expected && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_MISSING), alone->span, "ss", "R.DTensor",
                    mesh ? "placement" : "device_mesh");
  if (mesh && mesh->kind == RLX_VALUE_STR && !expected)
    check_mesh(e, mesh, placement && placement->kind == RLX_VALUE_STR ? placement : NULL);
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

/// `sinfo` NULL: it would be too deep, and may be anything.
static RlxValue of_sinfo(RlxEval *e, const RlxSInfo *sinfo, RlxSpan span) {
  if (!sinfo) return rlx_eval_failed(e, span);
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
    return of_sinfo(e,
                    tensor(e, rlx_py_arg(e, args, 0, "shape"), rlx_py_arg(e, args, 1, "dtype"),
                           rlx_py_arg(e, args, 2, "vdevice"), rlx_py_arg(e, args, 3, "ndim")),
                    span);
  if (word == RLX_WORD_SHAPE)
    return of_sinfo(
        e, shape_sinfo(e, rlx_py_arg(e, args, 0, "values"), rlx_py_arg(e, args, 1, "ndim")), span);
  bool is_second = args->count > 1 && !args->at[0].keyword && !args->at[1].keyword;
  if (word == RLX_WORD_PRIM && is_second && rlx_eval_is_027(e) && rlx_refuse_may_tell(e))
    rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_COUNT), args->at[1].span, "siis", "R.Prim", 1,
                    (int)args->count, "");
  if (word == RLX_WORD_PRIM)
    return of_sinfo(
        e, prim_sinfo(e, rlx_py_arg(e, args, 0, "dtype"), rlx_py_arg(e, args, 1, "value"), span),
        span);
  if (word == RLX_WORD_CALLABLE || word == RLX_WORD_FUNC)
    return of_sinfo(e, callable(e, args), span);
  if (word == RLX_WORD_DTENSOR || word == RLX_WORD_DIST_DTENSOR)
    return of_sinfo(e, dtensor(e, args), span);
  if (word == RLX_WORD_SPARSE_CSR)
    return of_sinfo(e, extension(e, RLX_EXTENSION_SparseCSR, args), span);
  if (word == RLX_WORD_TUPLE) {
    for (uint32_t i = 0; i < args->count; i++)
      if (args->at[i].keyword && rlx_refuse_may_tell(e))
        rlx_eval_report(e, RLX_DIAG_ID(ARGUMENT_UNKNOWN), args->at[i].keyword_span, "sss",
                        "R.Tuple", rlx_store_text(e->store, args->at[i].keyword), "");
    if (args->count == 1 && args->at[0].value.kind == RLX_VALUE_LIST) {
      const RlxValue *list = &args->at[0].value;
      const bool has_values = list->count && list->items[0].kind == RLX_VALUE_EXPR;
      RlxExpr *x = has_values && rlx_eval_is_tlc(e) ? rlx_expr_of(e, list) : NULL;
      if (x) return rlx_value_expr(x); // the word was that of the value, too
      return of_sinfo(
          e, rlx_tuple_not_too_deep(e->store, sinfos(e, list->items, list->count), list->count),
          span);
    }
    RlxValue *items = rlx_arena_array(e->arena, RlxValue, args->count ? args->count : 1);
    for (uint32_t i = 0; i < args->count; i++) items[i] = args->at[i].value;
    return of_sinfo(e, rlx_tuple_not_too_deep(e->store, sinfos(e, items, args->count), args->count),
                    span);
  }
  return of_sinfo(e, rlx_sinfo_object(e->store), span);
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
    out = of_sinfo(e, tensor(e, shape, dtype, NULL, NULL), span);
  } else if (word == RLX_WORD_TUPLE) {
    out = of_sinfo(e, rlx_tuple_not_too_deep(e->store, sinfos(e, items, count), count), span);
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
  const bool is_void = v->kind == RLX_VALUE_TFUNC && rlx_eval_is_027(e) &&
                       strcmp(rlx_store_text(e->store, v->string), "void") == 0;
  if (is_void) return rlx_sinfo_prim(e->store, RLX_VOID, NULL); // from 0.26 on a type
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
