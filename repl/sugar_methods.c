/// Methods and attributes of tensors at the prompt, and Python's functions on them, as the operators of Relax that
/// they stand for: methods.def has the rows.
///
/// Always true: what is no tensor is left as it was written.
#include "repl/sugar_impl.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/ops/ops.h"
#include "analyzer/words/numpy_names.h"
#include "base/arena.h"
#include "base/nearest.h"
#include "repl/tables.h"

enum {
  CONSTANT_MAX = 4096
}; ///< elements of an array that is written as a constant where it can be made

static RlxSugarType tensor_type(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *text) {
  rlx_sugar_put(w, ast, text);
  return w->failed ? (RlxSugarType){.ndim = -1} : rlx_sugar_type(w, ast, rlx_buf_text(text));
}

/// Whether the dotted name can only be one of a namespace or a module: its root is nothing of the session.
static bool is_namespace(const RlxSugarWriter *w, const RlxAst *ast) {
  while (ast->kind == RLX_AST_ATTRIBUTE) ast = ast->children[0];
  const char *name = ast->kind == RLX_AST_NAME ? rlx_store_text(w->repl->store, ast->name) : "_";
  return *name != '_' && !rlx_sugar_variable(w, name);
}

void rlx_sugar_put_shape(const int64_t *dims, int ndim, RlxBuf *out) {
  rlx_buf_putc(out, '(');
  for (int i = 0; i < ndim; i++) rlx_buf_printf(out, "%s%lld", i ? ", " : "", (long long)dims[i]);
  rlx_buf_puts(out, ndim == 1 ? ",)" : ")");
}

int64_t rlx_sugar_count(const RlxSugarType *t) {
  int64_t count = 1;
  for (int i = 0; t->has_dims && i < t->ndim; i++)
    if (__builtin_mul_overflow(count, t->dims[i], &count)) return -1;
  return t->is_tensor && t->has_dims ? count : -1;
}

/// `w.bias` of what load() gave is `w["bias"]`; true as well after a message: it has no other attributes and no methods.
static bool write_named_field(RlxSugarWriter *w, const RlxAst *ast, const char *name, RlxBuf *out) {
  const RlxAst *base = ast->children[0];
  if (base->kind == RLX_AST_NAME)
    return rlx_sugar_field(w, rlx_store_text(w->repl->store, base->name), name, ast, out);
  if (base->kind != RLX_AST_CALL || base->children[0]->kind != RLX_AST_NAME ||
      strcmp(rlx_store_text(w->repl->store, base->children[0]->name), "load") != 0)
    return false;
  RlxBuf text = {0};
  rlx_sugar_put(w, base, &text);
  const bool is_written =
      w->failed || rlx_sugar_field(w, rlx_buf_text(&text), name, w->node == ast ? ast : NULL, out);
  rlx_buf_free(&text);
  return is_written;
}

// ---- attributes

/// The operator that the method is; NULL: there is none. Its first parameter takes a tensor.
static const RlxOpRow *operator_named(const char *name) {
  const RlxOpRow *row = rlx_op_find(name, strlen(name));
  if (!row) {
    char nn[64];
    snprintf(nn, sizeof nn, "nn.%s", name);
    row = rlx_op_find(nn, strlen(nn));
  }
  return row && row->param_count && row->params[0].kind == RLX_PARAM_TENSOR ? row : NULL;
}

/// `np.max` alone, which stands where a value does.
static bool refuse_function(RlxSugarWriter *w, const RlxAst *ast) {
  char rest[RLX_AST_DOTTED_MAX];
  const RlxAst *root = rlx_ast_dotted(w->repl->store, ast, rest);
  if (!root || !rlx_sugar_is_library(w, rlx_store_text(w->repl->store, root->name))) return false;
  const char *ours = rlx_repl_library_named(rest);
  if (!rlx_repl_has_formula(rest) && !rlx_repl_method_named(ours) && !operator_named(ours))
    return false;
  rlx_sugar_refuse(w, "`%s.%s` is a function, and stands where a value is expected",
                   rlx_store_text(w->repl->store, root->name), rest);
  return true;
}

bool rlx_sugar_attribute(RlxSugarWriter *w, const RlxAst *ast, RlxBuf *out) {
  const char *name = rlx_store_text(w->repl->store, ast->name);
  if (write_named_field(w, ast, name, out)) return true;
  const bool is_attribute = rlx_repl_attribute_named(name) != NULL,
             is_method = !is_attribute && (rlx_repl_method_named(name) || operator_named(name));
  if (!is_attribute && rlx_sugar_is_number(w, ast)) { // np.inf
    rlx_sugar_put_number(w, ast, out);
    return true;
  }
  if (refuse_function(w, ast)) return true;
  if (!is_attribute && !is_method) return false;
  if (is_namespace(w, ast->children[0])) return false;
  RlxBuf base = {0};
  const RlxSugarType t = tensor_type(w, ast->children[0], &base);
  const char *text = rlx_buf_text(&base);
  const int64_t count = rlx_sugar_count(&t);
  char dtype[RLX_DTYPE_TEXT_MAX];
  const size_t before = out->size;
  if (t.is_tensor && is_method)
    rlx_sugar_refuse(w, "`%s` is a method of tensors: `%.*s()` calls it", name,
                     (int)(ast->span.end - ast->span.start), w->text + ast->span.start);
  else if (t.is_tensor && !strcmp(name, "shape"))
    rlx_buf_printf(out, "R.shape_of(%s)", text);
  else if (t.is_tensor && !strcmp(name, "T"))
    rlx_buf_printf(out, "R.permute_dims(%s)", text);
  else if (t.ndim >= 0 && !strcmp(name, "ndim"))
    rlx_buf_printf(out, "R.prim_value(%d)", t.ndim);
  else if (t.is_tensor && !strcmp(name, "dtype") && rlx_dtype_known(t.dtype))
    rlx_buf_printf(out, "R.dtype(\"%s\")", rlx_dtype_text(t.dtype, dtype));
  else if (count >= 0 && !strcmp(name, "size"))
    rlx_buf_printf(out, "R.prim_value(%lld)", (long long)count);
  else if (count >= 0 && !strcmp(name, "nbytes"))
    rlx_buf_printf(out, "R.prim_value(%lld)", (long long)count * rlx_dtype_bytes(t.dtype));
  if (out->size == before && !w->failed) rlx_sugar_around(w, ast, &base, NULL, out);
  rlx_buf_free(&base);
  return true;
}

// ---- methods

/// The operand as the method wants it.
static RlxDType prepare(RlxReplMethodForm form, RlxDType dtype, RlxBuf *self) {
  char text[RLX_DTYPE_TEXT_MAX];
  const bool is_bool = rlx_dtype_is_bool(dtype);
  if (form == RLX_REPL_METHOD_FLOATS && rlx_dtype_known(dtype) && !rlx_dtype_is_float(dtype))
    return rlx_sugar_cast(self, RLX_FLOAT32), RLX_FLOAT32;
  const bool is_narrow = is_bool || (rlx_dtype_is_int(dtype) && dtype.bits < 64);
  if (form == RLX_REPL_METHOD_COUNTS && is_narrow) {
    const bool is_unsigned = dtype.code == RLX_DTYPE_UINT;
    const RlxDType wide = is_unsigned ? rlx_dtype(RLX_DTYPE_UINT, 64) : RLX_INT64;
    return rlx_sugar_cast(self, wide), wide;
  }
  if (form == RLX_REPL_METHOD_TRUTHS && rlx_dtype_known(dtype) && !is_bool) {
    RlxBuf outer = {0};
    rlx_buf_printf(&outer, "R.not_equal(%s, R.const(0, \"%s\"))", rlx_buf_text(self),
                   rlx_dtype_text(dtype, text));
    rlx_buf_free(self);
    *self = outer;
    return RLX_BOOL;
  }
  return dtype;
}

/// `x.reshape(2, 3)`, `x.reshape((2, 3))`
static void write_dims(RlxSugarWriter *w, const char *op, const char *self, const RlxAst *call,
                       RlxBuf *out) {
  const uint32_t count = call->child_count - 1;
  const uint8_t first = count ? call->children[1]->kind : RLX_AST_NONE;
  const bool is_list = count == 1 && (first == RLX_AST_TUPLE || first == RLX_AST_LIST ||
                                      (first != RLX_AST_INT && first != RLX_AST_UNARY &&
                                       !rlx_sugar_is_number(w, call->children[1])));
  rlx_buf_printf(out, "R.%s(%s", op, self);
  if (count) rlx_buf_puts(out, is_list || first == RLX_AST_KEYWORD ? ", " : ", (");
  for (uint32_t i = 1; i <= count; i++) {
    const RlxAst *arg = call->children[i];
    if (i > 1) rlx_buf_puts(out, ", ");
    if (rlx_sugar_is_number(w, arg))
      rlx_sugar_put_number(w, arg, out);
    else
      rlx_sugar_put(w, arg, out);
  }
  if (count && !is_list && first != RLX_AST_KEYWORD) rlx_buf_puts(out, count == 1 ? ",)" : ")");
  rlx_buf_putc(out, ')');
}

/// The dtype that an argument names: "float16", `float`, `np.int32`, `x.dtype`.
static const char *dtype_named(RlxSugarWriter *w, const RlxAst *call, char *out) {
  static const char *const python[][2] = {
      {"float", "float32"}, {"int", "int64"}, {"bool", "bool"}, {"half", "float16"}};
  RlxDType dtype;
  if (call->child_count != 2) return NULL;
  const RlxAst *arg = call->children[1];
  if (arg->kind == RLX_AST_KEYWORD) arg = arg->children[0];
  if (arg->kind == RLX_AST_ATTRIBUTE && !is_namespace(w, arg)) {
    RlxBuf base = {0};
    const RlxSugarType t = tensor_type(w, arg->children[0], &base);
    rlx_buf_free(&base);
    return t.is_tensor ? rlx_dtype_text(t.dtype, out) : NULL;
  }
  const bool is_name = arg->kind == RLX_AST_NAME || arg->kind == RLX_AST_ATTRIBUTE;
  const char *name = arg->kind == RLX_AST_STRING ? arg->text
                     : is_name                   ? rlx_store_text(w->repl->store, arg->name)
                                                 : "";
  for (size_t i = 0; i < sizeof python / sizeof *python; i++)
    if (!strcmp(name, python[i][0])) return python[i][1];
  if (!rlx_dtype_parse(name, strlen(name), &dtype) || !rlx_dtype_known(dtype)) return NULL;
  return rlx_dtype_text(dtype, out);
}

static void write_cast(RlxSugarWriter *w, const char *name, const char *self, const RlxAst *call,
                       RlxBuf *out) {
  char text[RLX_DTYPE_TEXT_MAX];
  const char *dtype = dtype_named(w, call, text), *given = NULL;
  if (call->child_count == 2 && call->children[1]->kind == RLX_AST_STRING)
    given = call->children[1]->text;
  const char *nearest = given && !dtype ? rlx_dtype_nearest(given) : NULL;
  if (dtype)
    rlx_buf_printf(out, "R.astype(%s, \"%s\")", self, dtype);
  else if (given)
    rlx_sugar_refuse(w, "there is no dtype \"%s\"%s%s%s", given, nearest ? "; \"" : "",
                     nearest ? nearest : "", nearest ? "\" is the nearest" : "");
  else
    rlx_sugar_refuse(w, "x.%s takes a dtype: `x.%s(\"float16\")`", name, name);
}

/// The axis that an argument names, from 0 on; false: it names none of a tensor with `ndim`.
static bool axis_of(RlxSugarWriter *w, const RlxAst *arg, int ndim, int *out) {
  RlxReplNumber axis;
  if (!rlx_repl_number(w->repl, arg, &axis) || axis.kind != RLX_NUMBER_INT ||
      axis.integer < -ndim || axis.integer >= ndim)
    return false;
  *out = (int)axis.integer + (axis.integer < 0 ? ndim : 0);
  return true;
}

/// Refuses axes that a tensor of so many dimensions does not have.
static void refuse_axes(RlxSugarWriter *w, const RlxSugarType *t, const RlxAst *call,
                        const char *name) {
  RlxReplNumber number;
  int axis;
  for (uint32_t i = 1; t->ndim >= 0 && call->child_count == 3 && i < 3; i++) {
    if (axis_of(w, call->children[i], t->ndim, &axis) ||
        !rlx_repl_number(w->repl, call->children[i], &number) || number.kind != RLX_NUMBER_INT)
      continue;
    rlx_sugar_refuse(w, "axis %lld is out of range for a tensor of %d dimension%s",
                     (long long)number.integer, t->ndim, t->ndim == 1 ? "" : "s");
    return;
  }
  rlx_sugar_refuse(w, "x.%s takes two axes: `x.%s(0, 1)`", name, name);
}

/// `x.swapaxes(0, 1)`
static void write_swap(RlxSugarWriter *w, const RlxSugarType *t, const char *self,
                       const RlxAst *call, RlxBuf *out) {
  int axis[2] = {0, 0};
  bool ok = call->child_count == 3 && t->ndim >= 0 && t->ndim <= RLX_SUGAR_NDIM_MAX;
  for (uint32_t i = 0; ok && i < 2; i++) ok = axis_of(w, call->children[i + 1], t->ndim, &axis[i]);
  if (!ok) {
    refuse_axes(w, t, call, "swapaxes");
    return;
  }
  rlx_buf_printf(out, "R.permute_dims(%s, [", self);
  for (int i = 0; i < t->ndim; i++)
    rlx_buf_printf(out, "%s%d", i ? ", " : "", i == axis[0] ? axis[1] : i == axis[1] ? axis[0] : i);
  rlx_buf_puts(out, "])");
}

/// `x.moveaxis(0, -1)`
static void write_move(RlxSugarWriter *w, const RlxSugarType *t, const char *self,
                       const RlxAst *call, RlxBuf *out) {
  int from = 0, to = 0;
  if (call->child_count != 3 || t->ndim < 0 || t->ndim > RLX_SUGAR_NDIM_MAX ||
      !axis_of(w, call->children[1], t->ndim, &from) ||
      !axis_of(w, call->children[2], t->ndim, &to)) {
    refuse_axes(w, t, call, "moveaxis");
    return;
  }
  rlx_buf_printf(out, "R.permute_dims(%s, [", self);
  for (int i = 0, next = 0; i < t->ndim; i++) {
    if (i != to && next == from) next++;
    rlx_buf_printf(out, "%s%d", i ? ", " : "", i == to ? from : next++);
  }
  rlx_buf_puts(out, "])");
}

/// Its only element without dimensions; what has more, or none, is refused in the name of `what`.
static void write_item(RlxSugarWriter *w, const char *what, const RlxSugarType *t, const char *self,
                       RlxBuf *out) {
  const int64_t count = rlx_sugar_count(t);
  if (count >= 0 && count != 1)
    rlx_sugar_refuse(w, "%s takes a tensor of one element, this one has %lld", what,
                     (long long)count);
  else if (t->ndim == 0)
    rlx_buf_puts(out, self);
  else
    rlx_buf_printf(out, "R.reshape(%s, ())", self);
}

/// The method on `self`, which may be changed.
static void write_method(RlxSugarWriter *w, const RlxReplMethodRow *row, const RlxSugarType *t,
                         RlxBuf *self, const RlxAst *call, RlxBuf *out) {
  switch (row->form) {
  case RLX_REPL_METHOD_CALL:
  case RLX_REPL_METHOD_FLOATS:
  case RLX_REPL_METHOD_COUNTS:
  case RLX_REPL_METHOD_TRUTHS: {
    const RlxDType dtype = prepare(row->form, t->dtype, self);
    rlx_sugar_method_call(w, rlx_op_find(row->op, strlen(row->op)), rlx_buf_text(self), dtype, call,
                          out);
    break;
  }
  case RLX_REPL_METHOD_DIMS: write_dims(w, row->op, rlx_buf_text(self), call, out); break;
  case RLX_REPL_METHOD_DTYPE: write_cast(w, row->name, rlx_buf_text(self), call, out); break;
  case RLX_REPL_METHOD_CAST:
    rlx_buf_printf(out, "R.astype(%s, \"%s\")", rlx_buf_text(self), row->op);
    break;
  case RLX_REPL_METHOD_SELF: rlx_buf_puts(out, rlx_buf_text(self)); break;
  case RLX_REPL_METHOD_ITEM: write_item(w, "x.item()", t, rlx_buf_text(self), out); break;
  case RLX_REPL_METHOD_MOVE: write_move(w, t, rlx_buf_text(self), call, out); break;
  case RLX_REPL_METHOD_SWAP: write_swap(w, t, rlx_buf_text(self), call, out); break;
  }
}

/// What tensors do not have is refused, with what to type instead or with what is called much like it.
static void refuse_method(RlxSugarWriter *w, const char *name) {
  const char *instead = rlx_repl_missing_method_named(name);
  RlxNearest nearest = rlx_nearest_start(name);
  for (size_t i = 0; i < rlx_repl_method_count; i++)
    rlx_nearest_try(&nearest, rlx_repl_methods[i].name);
  for (size_t i = 0; i < rlx_repl_attribute_count; i++)
    rlx_nearest_try(&nearest, rlx_repl_attributes[i].name);
  const char *best = nearest.best;
  if (!best) best = rlx_op_nearest(name, strlen(name), NULL);
  if (best && best != nearest.best && !operator_named(best)) best = NULL;
  if (instead)
    rlx_sugar_refuse(w, "tensors have no `%.80s`: %s", name, instead);
  else if (best)
    rlx_sugar_refuse(w, "tensors have no `%.80s`; did you mean `x.%s`?", name, best);
  else
    rlx_sugar_refuse(w,
                     "tensors have no `%.80s`; they have the operators of Relax (`x.exp()` is "
                     "`R.exp(x)`) and what Tab behind `x.` lists",
                     name);
}

/// What to type in place of the function `name` of numpy or PyTorch, `full` with the library before it.
static void put_instead(RlxSugarWriter *w, const char *full, const char *name) {
  char numpy[64];
  const bool is_numpy = !strncmp(full, "np", 2) || !strncmp(full, "numpy", 5),
             is_odd = is_numpy && !strchr(name, '.') && !rlx_numpy_has(RLX_NUMPY_MODULE, name);
  const char *last = strrchr(name, '.') ? strrchr(name, '.') + 1 : name,
             *nearest = is_odd ? rlx_numpy_nearest(RLX_NUMPY_MODULE, name, numpy) : NULL,
             *instead = rlx_repl_missing_function_named(name);
  const RlxReplDataRow *data = rlx_repl_data_named(last);
  const RlxReplMethodRow *method = rlx_repl_method_named(last);
  const char *near = rlx_op_nearest(last, strlen(last), NULL);
  RlxBuf takes = {0};
  rlx_sugar_formula_signatures(name, full, &takes);
  if (is_odd)
    rlx_sugar_refuse(w, "numpy has no `%s`%s%s%s", name, nearest ? "; did you mean `np." : "",
                     nearest ? nearest : "", nearest ? "`?" : "");
  else if (instead)
    rlx_sugar_refuse(w, "%s is not here: %s", full, instead);
  else if (takes.size)
    rlx_sugar_refuse(w, "what is here of it: %s", rlx_buf_text(&takes));
  else if (!strncmp(name, "random.", 7))
    rlx_sugar_refuse(
        w, "%s is not here: `random(2, 3, seed=1)` and `normal(2, 3, mean=0, std=1)` give tensors",
        full);
  else if (data || method)
    rlx_sugar_refuse(w, "%s is not here: `%s`", full, data ? data->signature : method->signature);
  else if (rlx_op_find(last, strlen(last)))
    rlx_sugar_refuse(w, "%s is not here: `R.%s` is Relax's", full, last);
  else if (near)
    rlx_sugar_refuse(w, "%s is not here; Relax has `R.%s`", full, near);
  else
    rlx_sugar_refuse(w, "%s is not here; Tab behind `R.` lists Relax's operators", full);
  rlx_buf_free(&takes);
}

/// The call without its first argument: what is left for a method of that.
static RlxAst *without_first(RlxArena *arena, const RlxAst *call) {
  const RlxAst *const *children = (const RlxAst *const *)call->children;
  RlxAst *rest = rlx_ast_with_children(arena, call, children + 1, call->child_count - 1);
  rest->children[0] = call->children[0];
  return rest;
}

/// A number or a list of numbers as a tensor; anything else as Relax.
static void put_operand(RlxSugarWriter *w, const RlxAst *x, RlxBuf *out) {
  const bool is_number = rlx_sugar_is_number(w, x),
             is_plain = is_number || rlx_repl_is_number_list(w->repl, x);
  const RlxDType dtype = !is_number                 ? rlx_dtype_unknown()
                         : rlx_sugar_is_float(w, x) ? RLX_FLOAT32
                                                    : RLX_INT64;
  if (!is_plain || !rlx_sugar_constant(w, x, dtype, out)) rlx_sugar_put(w, x, out);
}

/// Whether the call has another operand than its first, a number: that takes the dtype of the others.
static bool takes_dtype_of_others(const RlxSugarWriter *w, const RlxOpRow *op, const RlxAst *call) {
  return op && call->child_count > 2 && call->children[2]->kind != RLX_AST_KEYWORD &&
         op->param_count > 1 && op->params[1].kind == RLX_PARAM_TENSOR &&
         rlx_sugar_is_number(w, call->children[1]);
}

/// `np.exp(x)`, `np.sum(x, axis=0)`, `np.concatenate([x, y])`: what Relax has under that name, or nearly. False: it has not.
static bool write_library_call(RlxSugarWriter *w, const char *name, const RlxAst *call,
                               RlxBuf *out) {
  const RlxAst *first = call->child_count > 1 ? call->children[1] : NULL;
  const char *ours = rlx_repl_library_named(name);
  const RlxReplMethodRow *method = rlx_repl_method_named(ours);
  const RlxOpRow *some = rlx_op_find(ours, strlen(ours)), *op = operator_named(ours);
  const bool takes_some = some && some->param_count && some->params[0].kind == RLX_PARAM_TUPLE;
  if (!first || first->kind == RLX_AST_KEYWORD || (!method && !takes_some && !op)) return false;
  if (takes_dtype_of_others(w, op, call)) // np.maximum(0, x)
    return rlx_sugar_method_call(w, op, NULL, rlx_dtype_unknown(), call, out), true;
  RlxBuf self = {0};
  if (takes_some && (first->kind == RLX_AST_LIST || first->kind == RLX_AST_TUPLE)) {
    for (uint32_t i = 0; i < first->child_count; i++) {
      rlx_buf_puts(&self, i ? ", " : "(");
      put_operand(w, first->children[i], &self);
    }
    rlx_buf_puts(&self, first->child_count == 1 ? ",)" : ")");
  } else
    put_operand(w, first, &self);
  const RlxSugarType t =
      w->failed ? (RlxSugarType){.ndim = -1} : rlx_sugar_type_of(w, rlx_buf_text(&self));
  const bool is_one = t.is_tensor && !takes_some;
  if (!w->failed && (is_one || takes_some)) {
    RlxArena *arena = rlx_arena_new();
    const RlxAst *rest = without_first(arena, call);
    if (method && is_one)
      write_method(w, method, &t, &self, rest, out);
    else {
      const bool wants_floats = !takes_some && op->deduce == rlx_deduce_unary_float;
      const RlxDType dtype =
          prepare(wants_floats ? RLX_REPL_METHOD_FLOATS : RLX_REPL_METHOD_CALL, t.dtype, &self);
      rlx_sugar_method_call(w, takes_some ? some : op, rlx_buf_text(&self), dtype, rest, out);
    }
    rlx_arena_free(arena);
  }
  rlx_buf_free(&self);
  return w->failed || is_one || takes_some;
}

/// `np.zeros((1000, 1000))`, `np.ones`, `np.full`, `np.eye`, `np.arange`: what is too large for a constant is made, of the
/// dtype that the constant would have.
static bool write_maker(RlxSugarWriter *w, const char *name, RlxDType dtype, const RlxAst *call,
                        RlxBuf *out) {
  const bool is_full = !strcmp(name, "full"),
             is_list = !rlx_text_is_among(name, "eye identity arange");
  RlxReplNumber at[RLX_SUGAR_NDIM_MAX], fill;
  int count = 1;
  uint32_t given = 0; // by their places
  char text[RLX_DTYPE_TEXT_MAX];
  while (given + 1 < call->child_count && call->children[given + 1]->kind != RLX_AST_KEYWORD)
    given++;
  if (!rlx_text_is_among(name, RLX_SUGAR_MAKERS) || given < 1u + is_full ||
      given > 1u + is_full + is_list ||
      (is_full && !rlx_repl_number(w->repl, call->children[2], &fill)))
    return false;
  if (!rlx_repl_number(w->repl, call->children[1], &at[0]) &&
      (!is_list || !rlx_repl_shape(w->repl, call->children[1], at, RLX_SUGAR_NDIM_MAX, &count)))
    return false;
  for (int i = 0; i < count; i++)
    if (at[i].kind != RLX_NUMBER_INT) return false;
  rlx_dtype_text(dtype, text);
  rlx_buf_printf(out, "R.%s(%s",
                 !strcmp(name, "empty")      ? "zeros"
                 : !strcmp(name, "identity") ? "eye"
                                             : name,
                 is_list ? "(" : "");
  for (int i = 0; i < count; i++) {
    rlx_buf_puts(out, i ? ", " : "");
    rlx_repl_put_number(&at[i], out);
  }
  rlx_buf_puts(out, !is_list ? "" : count == 1 ? ",)" : ")");
  if (is_full) {
    rlx_buf_puts(out, ", R.const(");
    rlx_repl_put_number(&fill, out);
    rlx_buf_printf(out, ", \"%s\")", text);
  }
  rlx_buf_printf(out, ", dtype=\"%s\")", text);
  return true;
}

/// The function of numpy or PyTorch that is called, without the library: "exp" of `np.exp(x)`, "random.normal" of
/// `np.random.default_rng(0).normal()` and of `rng.normal()`; NULL: it is none. `callee` is an attribute. `*library`: whose
/// the function is.
static const char *library_function(RlxSugarWriter *w, const RlxAst *callee, RlxBuf *out,
                                    const char **library) {
  char rest[RLX_AST_DOTTED_MAX];
  const RlxAst *root = rlx_ast_dotted(w->repl->store, callee, rest);
  const char *name = root ? rlx_store_text(w->repl->store, root->name) : "";
  const bool is_source = !root && rlx_sugar_random_source(w->repl, callee->children[0]);
  *library = "np";
  if (is_source)
    rlx_buf_printf(out, "random.%s", rlx_store_text(w->repl->store, callee->name));
  else if (rlx_sugar_is_source(w, name))
    rlx_buf_printf(out, "random.%s", rest);
  else if (rlx_sugar_is_library(w, name)) {
    *library = name;
    rlx_buf_puts(out, rest);
  }
  return out->size ? rlx_buf_text(out) : NULL;
}

/// A call of numpy's or PyTorch's own function: what Relax has for it, else what to type instead.
static bool write_library(RlxSugarWriter *w, const RlxAst *call, RlxBuf *out) {
  RlxBuf own = {0}, full = {0};
  const char *library, *name = library_function(w, call->children[0], &own, &library);
  if (!name) return false;
  const char *data = rlx_text_is_among(name, "random.rand rand")     ? "random"
                     : rlx_text_is_among(name, "random.randn randn") ? "normal"
                     : rlx_text_is_among(name, "arange zeros ones")  ? name
                                                                     : NULL;
  if (!strcmp(name, "_refuse") && call->child_count == 2 &&
      call->children[1]->kind == RLX_AST_STRING)
    rlx_sugar_refuse(w, "%s", call->children[1]->text); // a formula's own
  else if (data)
    rlx_sugar_data(w, data, call, out);
  else if (!rlx_sugar_formula(w, name, NULL, call, out) &&
           (strchr(name, '.') || !write_library_call(w, name, call, out)) && !w->failed) {
    rlx_buf_printf(&full, "%s.%s", library, name);
    put_instead(w, rlx_buf_text(&full), name);
  }
  rlx_buf_free(&full);
  rlx_buf_free(&own);
  return true;
}

/// The innermost call of a module's function: `np.arange(6)` of `np.arange(6).reshape(2, 3)`. NULL: there is none.
static const RlxAst *inner_call(const RlxAst *call) {
  for (const RlxAst *x = call; x->kind == RLX_AST_CALL || x->kind == RLX_AST_ATTRIBUTE;
       x = x->children[0])
    if (x->kind == RLX_AST_CALL && x->children[0]->kind == RLX_AST_ATTRIBUTE &&
        x->children[0]->children[0]->kind == RLX_AST_NAME)
      return x;
  return NULL;
}

/// Whether an argument is a float: numpy sums steps of floats in its own way, so that their values are no constants.
static bool takes_float(const RlxSugarWriter *w, const RlxAst *call) {
  for (uint32_t i = 1; i < call->child_count; i++)
    if (rlx_sugar_is_float(w, call->children[i])) return true;
  return false;
}

/// Whether Relax computes what the function of numpy does: its values are no constants.
static bool is_computed(const char *name) {
  const char *ours = rlx_repl_library_named(name);
  const RlxOpRow *op = rlx_op_find(ours, strlen(ours));
  return strcmp(ours, "copy") != 0 &&
         (rlx_repl_has_formula(name) || rlx_repl_method_named(ours) || operator_named(ours) ||
          (op && op->params[0].kind == RLX_PARAM_TUPLE));
}

bool rlx_sugar_array(RlxSugarWriter *w, const RlxAst *call, RlxBuf *out) {
  char rest[RLX_AST_DOTTED_MAX];
  const RlxAst *root =
      call->kind == RLX_AST_CALL ? rlx_ast_dotted(w->repl->store, call->children[0], rest) : NULL;
  const RlxAst *made = inner_call(call);
  const char *name = root ? rlx_store_text(w->repl->store, root->name) : "R",
             *inner = made ? rlx_store_text(w->repl->store, made->children[0]->name) : "";
  if (made && !strcmp(inner, "arange") && takes_float(w, made)) return false;
  if (rlx_text_is_among(name, "I R T") || !strncmp(rest, "random.", 7) || is_computed(inner) ||
      rlx_repl_missing_function_named(rest) || rlx_sugar_variable(w, name) ||
      rlx_sugar_is_defined(w, name) || rlx_sugar_alias(w, name))
    return false;
  const size_t before = out->size;
  rlx_buf_puts(out, "R.const(");
  rlx_sugar_copy_with_numbers(w, call, out);
  rlx_buf_putc(out, ')');
  const RlxSugarType t = rlx_sugar_type_of(w, rlx_buf_text(out) + before);
  if (t.is_tensor && t.has_dims && rlx_sugar_count(&t) <= CONSTANT_MAX) return true;
  rlx_buf_truncate(out, before);
  if (!t.is_tensor || !t.has_dims) return false;
  if (root == call->children[0]->children[0] && write_maker(w, rest, t.dtype, call, out))
    return true;
  if (rlx_text_is_among(inner, RLX_SUGAR_MAKERS))
    return false; // and what stands behind it is a method
  rlx_buf_puts(out, "R.const(");
  rlx_sugar_copy_with_numbers(w, call, out);
  rlx_buf_putc(out, ')');
  return true;
}

bool rlx_sugar_method(RlxSugarWriter *w, const RlxAst *call, RlxBuf *out) {
  const RlxAst *callee = call->children[0], *base = callee->children[0];
  if (rlx_sugar_array(w, call, out) || write_library(w, call, out)) return true;
  if (is_namespace(w, base)) return false;
  const char *name = rlx_store_text(w->repl->store, callee->name);
  if (write_named_field(w, callee, name, out)) {
    if (!w->failed) rlx_sugar_refuse(w, "`%s` is a tensor, and no function", name);
    return true;
  }
  const RlxReplMethodRow *row = rlx_repl_method_named(name);
  const RlxOpRow *op = row ? NULL : operator_named(name);
  RlxBuf self = {0};
  const RlxSugarType t = tensor_type(w, base, &self);
  // x.round(2) is np.round(x, 2), x.var(ddof=1) np.var(x, ddof=1)
  const bool is_formula = t.is_tensor && rlx_sugar_formula(w, name, base, call, out);
  if (t.is_tensor && row && !is_formula)
    write_method(w, row, &t, &self, call, out);
  else if (t.is_tensor && op && !is_formula)
    rlx_sugar_method_call(w, op, rlx_buf_text(&self), t.dtype, call, out);
  else if (t.is_tensor && !is_formula)
    refuse_method(w, name);
  else if (!t.is_tensor && !w->failed) { // a function of a module, a field of a tuple
    RlxBuf text = {0};
    rlx_sugar_around(w, callee, &self, NULL, &text);
    rlx_sugar_around(w, call, &text, NULL, out);
    rlx_buf_free(&text);
  }
  rlx_buf_free(&self);
  return true;
}

// ---- Python's functions

/// `len(x)`: a known extent.
static bool write_length(RlxSugarWriter *w, const RlxSugarType *t, RlxBuf *out) {
  if (t->is_tensor && t->ndim == 0) rlx_sugar_refuse(w, "len() of a tensor without dimensions");
  if (t->is_shape && t->ndim >= 0) return rlx_buf_printf(out, "R.prim_value(%d)", t->ndim), true;
  if (!t->is_tensor || t->ndim < 1 || t->dims[0] < 0) return w->failed;
  rlx_buf_printf(out, "R.prim_value(%lld)", (long long)t->dims[0]);
  return true;
}

/// The function on its first argument, a tensor whose Relax is `self`.
static bool write_builtin(RlxSugarWriter *w, const RlxReplBuiltinRow *row, const RlxSugarType *t,
                          RlxBuf *self, const RlxAst *call, RlxBuf *out) {
  const RlxReplMethodRow *method = rlx_repl_method_named(row->method);
  const RlxOpRow *op = rlx_op_find(row->method, strlen(row->method));
  if (row->form == RLX_REPL_BUILTIN_LENGTH) return write_length(w, t, out);
  if (!t->is_tensor) return false;
  if (row->form == RLX_REPL_BUILTIN_FLAT && t->ndim > 1) {
    rlx_sugar_refuse(w, "%s() takes one dimension, this tensor has %d: `x.%s()`", row->name,
                     t->ndim, row->method);
    return true;
  }
  if (row->form == RLX_REPL_BUILTIN_FIRST) {
    const RlxDType dtype = prepare(method->form, t->dtype, self);
    (void)dtype;
    rlx_buf_printf(out, "R.%s(%s, axis=[0])", method->op, rlx_buf_text(self));
  } else if (row->form == RLX_REPL_BUILTIN_ONE) {
    char what[32];
    RlxBuf one = {0};
    snprintf(what, sizeof what, "%s()", row->name);
    write_item(w, what, t, rlx_buf_text(self), &one);
    rlx_buf_printf(out, "R.astype(%s, \"%s\")", rlx_buf_text(&one), method->op);
    rlx_buf_free(&one);
  } else {
    RlxArena *arena = rlx_arena_new();
    const RlxAst *rest = without_first(arena, call); // as those of a method
    if (method)
      write_method(w, method, t, self, rest, out);
    else if (!rlx_sugar_formula(w, row->method, NULL, call, out))
      rlx_sugar_method_call(w, op, rlx_buf_text(self), t->dtype, rest, out);
    rlx_arena_free(arena);
  }
  return true;
}

/// What Python has and a session has not; true.
static bool refuse_python(RlxSugarWriter *w, const char *name, const char *instead) {
  rlx_sugar_refuse(w, RLX_REPL_PYTHONS, name, instead);
  return true;
}

bool rlx_sugar_builtin(RlxSugarWriter *w, const char *name, const RlxAst *call, RlxBuf *out) {
  if (rlx_sugar_is_number(w, call)) { // len(x) of a variable, abs(-3)
    const bool is_length = !strcmp(name, "len");
    if (is_length) rlx_buf_puts(out, "R.prim_value(");
    rlx_sugar_put_number(w, call, out);
    if (is_length) rlx_buf_putc(out, ')');
    return true;
  }
  const RlxReplBuiltinRow *row = rlx_repl_builtin_named(name);
  const char *instead = row ? NULL : rlx_repl_python_named(name);
  const RlxAst *arg = call->child_count > 1 ? call->children[1] : NULL;
  if (instead && (!arg || arg->kind == RLX_AST_STRING)) return refuse_python(w, name, instead);
  if ((!row && !instead) || !arg || call->child_count > 3 || arg->kind == RLX_AST_KEYWORD)
    return false;
  RlxBuf self = {0};
  if (!rlx_repl_is_number_list(w->repl, arg) ||
      !rlx_sugar_constant(w, arg, rlx_dtype_unknown(), &self))
    rlx_sugar_put(w, arg, &self);
  const RlxSugarType t =
      w->failed ? (RlxSugarType){.ndim = -1} : rlx_sugar_type(w, arg, rlx_buf_text(&self));
  if (instead && t.is_tensor) refuse_python(w, name, instead);
  if (!w->failed && (instead || !write_builtin(w, row, &t, &self, call, out)))
    rlx_sugar_around(w, call, NULL, &self, out);
  rlx_buf_free(&self);
  return true;
}
