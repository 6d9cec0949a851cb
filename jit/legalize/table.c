/// From a call to its recipe: the operands become buffers, the recipe fills in loops, parameters
/// are put in order. The rows of the operator table name the recipes.
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "jit/legalize/compute.h"

typedef struct Recipe {
  const char *name;
  RlxRecipeFn *fn;
} Recipe;
static const Recipe recipes[] = {
#define X(name) {#name, rlx_legalize_##name},
    RLX_RECIPES(X)
#undef X
};

static RlxRecipeFn *recipe_of(const RlxOpRow *row) {
  for (size_t i = 0; i < sizeof recipes / sizeof *recipes; i++) {
    if (!strcmp(recipes[i].name, row->lower)) return recipes[i].fn;
  }
  return NULL;
}

bool rlx_legalize_exists(const RlxOpRow *row) { return recipe_of(row) != NULL; }

static void add_param(RlxPrimFunc *f, RlxTirVar *var, RlxTirBuffer *buffer) {
  RlxTirParam *grown = rlx_arena_array(f->arena, RlxTirParam, f->param_count + 1);
  if (f->param_count) memcpy(grown, f->params, (size_t)f->param_count * sizeof *grown);
  grown[f->param_count++] = (RlxTirParam){var, buffer};
  f->params = grown;
}

/// A buffer parameter of this StructInfo; false when rank, dtype or dimensions are not known.
static bool make_buffer(RlxCompute *c, const RlxSInfo *sinfo, const char *name, RlxOperand *out) {
  if (sinfo->kind != RLX_SINFO_TENSOR || !sinfo->dims || !rlx_dtype_known(sinfo->dtype))
    return rlx_refuse(c, "R.%s: shape or dtype is not known before it runs", c->call->row->script);
  if (sinfo->ndim > RLX_MAX_NDIM)
    return rlx_refuse(c, "R.%s: more than %d dimensions", c->call->row->script, RLX_MAX_NDIM);
  RlxE shape[RLX_MAX_NDIM];
  for (int i = 0; i < sinfo->ndim; i++) shape[i] = rlx_extent(c, sinfo->dims[i]);
  RlxName id = rlx_store_intern(c->store, name, strlen(name));
  *out = (RlxOperand){.sinfo = sinfo, .ndim = sinfo->ndim, .dtype = sinfo->dtype};
  out->buffer = rlx_tir_buffer(c->f, id, sinfo->dtype, shape, sinfo->ndim);
  out->shape = out->buffer->shape;
  add_param(c->f, rlx_tir_var(c->f, id, rlx_dtype(RLX_DTYPE_HANDLE, 64)), out->buffer);
  return true;
}

/// The value of a constant of rank 0, when the script has it.
static bool immediate(RlxCompute *c, const RlxExpr *x, RlxOperand *out) {
  if (x->kind == RLX_EXPR_PRIM) {
    RlxE e = rlx_extent(c, x->prim);
    *out = (RlxOperand){
        .immediate = rlx_as(c, x->sinfo->dtype, e), .sinfo = x->sinfo, .dtype = x->sinfo->dtype};
    if (x->prim->kind == RLX_PRIM_FLOAT)
      out->immediate = rlx_num(c, x->prim->number, x->sinfo->dtype);
    return true;
  }
  if (x->sinfo->kind == RLX_SINFO_PRIM && x->sinfo->value) { // a scalar parameter with a name
    *out = (RlxOperand){.immediate = rlx_as(c, x->sinfo->dtype, rlx_extent(c, x->sinfo->value)),
                        .sinfo = x->sinfo,
                        .dtype = x->sinfo->dtype};
    return true;
  }
  if (x->kind != RLX_EXPR_CONSTANT || !x->constant.value || x->sinfo->kind != RLX_SINFO_TENSOR ||
      x->sinfo->ndim != 0)
    return false;
  const RlxValue *v = x->constant.value;
  RlxDType t = x->sinfo->dtype;
  RlxE e;
  if (v->kind == RLX_VALUE_FLOAT)
    e = rlx_num(c, v->number, t);
  else if (v->kind == RLX_VALUE_INT)
    e = rlx_dtype_is_float(t) ? rlx_num(c, (double)v->integer, t)
                              : rlx_tir_int(c->f, v->integer, t);
  else if (v->kind == RLX_VALUE_BOOL)
    e = rlx_num(c, v->boolean, t);
  else
    return false;
  *out = (RlxOperand){.immediate = e, .sinfo = x->sinfo, .dtype = t};
  return true;
}

static bool add_operand(RlxCompute *c, const RlxExpr *x, int field) {
  if (c->operand_count >= RLX_KERNEL_MAX_INPUTS || c->result->input_count >= RLX_KERNEL_MAX_INPUTS)
    return rlx_refuse(c, "R.%s: more than %d operands", c->call->row->script,
                      RLX_KERNEL_MAX_INPUTS);
  const RlxSInfo *sinfo = x->sinfo;
  if (field >= 0) sinfo = sinfo->fields[field];
  RlxOperand *out = &c->operands[c->operand_count++];
  if (field < 0 && immediate(c, x, out)) return true;
  char name[16];
  snprintf(name, sizeof name, "a%d", c->result->input_count);
  if (!make_buffer(c, sinfo, name, out)) return false;
  c->result->inputs[c->result->input_count++] = (RlxKernelInput){x, field};
  return true;
}

static bool is_operand(const RlxExpr *x) {
  if (!x->sinfo) return false;
  return x->sinfo->kind == RLX_SINFO_TENSOR || x->sinfo->kind == RLX_SINFO_PRIM ||
         x->kind == RLX_EXPR_CONSTANT;
}

static bool add_value(RlxCompute *c, const RlxValue *v) {
  if (v->kind == RLX_VALUE_LIST) {
    for (uint32_t i = 0; i < v->count; i++) {
      if (!add_value(c, &v->items[i])) return false;
    }
    return true;
  }
  if (v->kind != RLX_VALUE_EXPR || !v->expr->sinfo) return true; // an attribute
  const RlxExpr *x = v->expr;
  if (x->kind == RLX_EXPR_TUPLE) {
    for (uint32_t i = 0; i < x->field_count; i++) {
      if (is_operand(x->fields[i]) && !add_operand(c, x->fields[i], -1)) return false;
    }
    return true;
  }
  if (x->sinfo->kind == RLX_SINFO_TUPLE) {
    for (int i = 0; i < x->sinfo->count; i++) {
      if (!add_operand(c, x, i)) return false;
    }
    return true;
  }
  return !is_operand(x) || add_operand(c, x, -1);
}

/// Which parameters of a row hold tensors, and which only look so (a PRIM given as an expression is
/// an attribute).
static bool holds_tensors(const RlxOpRow *row, RlxParamKind kind) {
  return kind == RLX_PARAM_TENSOR || kind == RLX_PARAM_EXPR || kind == RLX_PARAM_TUPLE ||
         (kind == RLX_PARAM_ANY && row->id == RLX_OP_ID(index_put));
}

static bool read_operands(RlxCompute *c) {
  const RlxOpRow *row = c->call->row;
  for (int i = 0; i < row->param_count && i < RLX_MAX_PARAMS && (uint32_t)i < c->call->arg_count;
       i++) {
    c->first[i] = c->operand_count;
    if (holds_tensors(row, row->params[i].kind) && !add_value(c, &c->call->args[i])) return false;
    c->count[i] = c->operand_count - c->first[i];
  }
  return true;
}

static bool read_outputs(RlxCompute *c, const RlxSInfo *out) {
  char name[16];
  if (out->kind == RLX_SINFO_TUPLE) {
    for (int i = 0; i < out->count; i++)
      if (!read_outputs(c, out->fields[i])) return false;
    return true;
  }
  if (c->output_count >= RLX_KERNEL_MAX_OUTPUTS)
    return rlx_refuse(c, "R.%s: more than %d results", c->call->row->script,
                      RLX_KERNEL_MAX_OUTPUTS);
  snprintf(name, sizeof name, "out%d", c->output_count);
  return make_buffer(c, out, name, &c->outputs[c->output_count++]);
}

/// Symbols that no buffer's shape has bare become scalar parameters.
static void add_scalars(RlxCompute *c) {
  uint32_t cursor = 0;
  RlxMapEntry entry;
  while (rlx_map_next(&c->symbols, &cursor, &entry)) {
    RlxTirVar *var = (RlxTirVar *)(uintptr_t)entry.value;
    bool in_shape = false;
    int buffers = c->f->param_count;
    for (int i = 0; i < buffers && !in_shape; i++) {
      RlxTirBuffer *buffer = c->f->params[i].buffer;
      for (int k = 0; buffer && k < buffer->ndim && !in_shape; k++)
        in_shape = buffer->shape[k]->kind == RLX_TIR_VAR && buffer->shape[k]->var == var;
    }
    if (!in_shape) add_param(c->f, var, NULL);
  }
}

/// Deduction lets some operators have any axis, as TVM does; loops have only those that are there.
static bool axis_is_there(RlxCompute *c) {
  int at = rlx_op_param(c->call->row, "axis"), ndim = c->outputs[0].ndim;
  if (at < 0 || c->call->row->params[at].kind != RLX_PARAM_INT ||
      c->call->args[at].kind != RLX_VALUE_INT)
    return true;
  if (c->operand_count && c->operands[0].ndim > ndim) ndim = c->operands[0].ndim;
  int64_t axis = c->call->args[at].integer;
  return (axis >= -ndim && axis < ndim) ||
         rlx_refuse(c, "R.%.*s: axis %lld is out of range for rank %d",
                    (int)strcspn(c->call->row->script, " "), c->call->row->script, (long long)axis,
                    ndim);
}

/// Is `text` one of the words of "A|B|C"?
static bool is_word(const char *words, const char *text) {
  size_t size = strlen(text);
  for (const char *word = words;; word = strchr(word, '|') + 1) {
    if (!strncmp(word, text, size) && (!word[size] || word[size] == '|')) return true;
    if (!strchr(word, '|')) return false;
  }
}

/// A recipe takes a word that its row does not know for another one: such a call has no meaning.
static bool words_are_known(RlxCompute *c) {
  const RlxOpRow *row = c->call->row;
  for (int i = 0; i < row->param_count; i++) {
    const char *name = row->params[i].name, *words = row->params[i].allowed;
    const char *text = words ? rlx_str_of(c, name, NULL) : NULL;
    if (text && !is_word(words, text))
      return rlx_refuse(c, "%s is \"%s\", not one of %s", name, text, words);
  }
  return true;
}

static bool dtype_is_taken(RlxCompute *c) {
  const RlxOpRow *row = c->call->row;
  if (!c->operand_count || rlx_legalize_takes(row, c->operands[0].dtype)) return true;
  char dtype[RLX_DTYPE_TEXT_MAX];
  return rlx_refuse(c, "R.%.*s does not run on %s: it takes %s", (int)strcspn(row->script, " "),
                    row->script, rlx_dtype_text(c->operands[0].dtype, dtype),
                    rlx_legalize_dtypes(row));
}

bool rlx_legalize(RlxStore *store, const RlxCall *call, const RlxSInfo *out, RlxLegalized *result,
                  RlxError *why) {
  memset(result, 0, sizeof *result);
  RlxRecipeFn *recipe = call->row ? recipe_of(call->row) : NULL;
  if (!recipe)
    return rlx_error_set(why, "R.%s cannot be run: it has no kernel",
                         call->row ? call->row->script : "call");
  RlxCompute *c = rlx_mem_zeroed(1, sizeof *c); // the operand tables are too large for the stack
  if (!c) return rlx_error_set(why, "no memory");
  c->store = store;
  c->call = call;
  c->result = result;
  c->why = why;
  c->f =
      rlx_primfunc_new(rlx_store_intern(store, call->row->script, strcspn(call->row->script, " ")));
  char name[80];
  int size = snprintf(name, sizeof name, "R.%.*s", (int)strcspn(call->row->script, " "),
                      call->row->script);
  c->operator= rlx_store_intern(store, name, (size_t)size);
  result->kind = RLX_KERNEL_OPAQUE;
  bool ok = read_operands(c) && dtype_is_taken(c) && read_outputs(c, out) && axis_is_there(c) &&
            words_are_known(c) && recipe(c) && !c->failed;
  if (ok) {
    result->output_count = c->output_count;
    add_scalars(c);
    c->f->body = rlx_tir_seq(c->f, c->body.at, (int)c->body.count);
    result->func = c->f;
  } else {
    rlx_primfunc_free(c->f);
  }
  rlx_vec_free(&c->body);
  rlx_map_free(&c->symbols);
  free(c);
  return ok;
}
