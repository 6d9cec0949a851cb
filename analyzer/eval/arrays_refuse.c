/// What numpy refuses of a call's arguments, said at the call. The script is run by Python: what
/// numpy raises ends it, and TVM gets nothing. Always true: of a call that something unknown went
/// into, nothing is said.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/eval/arrays_impl.h"
#include "analyzer/words/numpy_names.h"

/// Outside of functions the sink decides who hears of it; PrimFuncs are read elsewhere.
static bool may_tell(const RlxEval *e) {
  return !e->tainted && (!e->fn || e->fn->kind == RLX_ISLAND_RELAX);
}

RlxValue rlx_array_refuse(const RlxArrayCall *c, const char *format, ...) {
  char text[256];
  va_list values;
  va_start(values, format);
  vsnprintf(text, sizeof text, format, values);
  va_end(values);
  if (may_tell(c->e)) rlx_eval_report(c->e, RLX_DIAG_ID(NUMPY_REFUSES), c->span, "s", text);
  return rlx_array_unknown(c->e, c->span);
}

const char *rlx_array_shape_text(RlxEval *e, const RlxArray *a) {
  RlxBuf text = {0};
  for (int i = 0; i < a->ndim; i++)
    rlx_buf_printf(&text, "%s%lld", i ? ", " : "", (long long)a->dims[i]);
  const char *shape =
      rlx_arena_printf(e->arena, "(%s%s)", rlx_buf_text(&text), a->ndim == 1 ? "," : "");
  rlx_buf_free(&text);
  return shape;
}

RlxValue rlx_array_refuse_pair(const RlxArrayCall *c, const char *format, const RlxArray *a,
                               const RlxArray *b) {
  const char *shapes[2] = {rlx_array_shape_text(c->e, a), rlx_array_shape_text(c->e, b)},
             *at = format;
  RlxBuf text = {0};
  for (int i = 0; i < 2; i++) {
    const char *place = strstr(at, "%s");
    rlx_buf_printf(&text, "%.*s%s", (int)(place - at), at, shapes[i]);
    at = place + 2;
  }
  rlx_buf_puts(&text, at);
  RlxValue v = rlx_array_refuse(c, "%s", rlx_buf_text(&text));
  rlx_buf_free(&text);
  return v;
}

// ---- arguments of one kind

/// What Python calls the type of a value that is certainly no integer; NULL: it may be one.
static const char *no_integer(const RlxValue *v) {
  switch (v->kind) {
  case RLX_VALUE_FLOAT: return "float";
  case RLX_VALUE_STR: return "str";
  case RLX_VALUE_LIST: return v->is_tuple ? "tuple" : "list";
  case RLX_VALUE_DICT: return "dict";
  default: return NULL;
  }
}

RlxValue rlx_array_refuse_dim(const RlxArrayCall *c, const RlxValue *v) {
  if (v->kind == RLX_VALUE_INT && v->integer < 0)
    return rlx_array_refuse(c, "negative dimensions are not allowed");
  const char *type = no_integer(v);
  return type ? rlx_array_refuse(c, "a dimension is an int, not a %s", type)
              : rlx_array_unknown(c->e, c->span);
}

RlxValue rlx_array_refuse_shape(const RlxArrayCall *c, const RlxValue *v) {
  bool is_list = v && v->kind == RLX_VALUE_LIST;
  for (uint32_t i = 0; is_list && i < v->count; i++) {
    const RlxValue *dim = &v->items[i];
    if ((dim->kind == RLX_VALUE_INT && dim->integer < 0) || no_integer(dim))
      return rlx_array_refuse_dim(c, dim);
  }
  return v && !is_list ? rlx_array_refuse_dim(c, v) : rlx_array_unknown(c->e, c->span);
}

RlxValue rlx_array_refuse_axes(const RlxArrayCall *c, const RlxValue *v, int ndim) {
  const RlxValue *items = v->kind == RLX_VALUE_LIST ? v->items : v;
  uint32_t count = v->kind == RLX_VALUE_LIST ? v->count : 1;
  bool is_seen[RLX_ARRAY_DIMS_MAX] = {0};
  for (uint32_t i = 0; i < count; i++) {
    int64_t axis = items[i].integer;
    if (no_integer(&items[i]))
      return rlx_array_refuse(c, "an axis is an int, not a %s", no_integer(&items[i]));
    if (items[i].kind != RLX_VALUE_INT) break;
    if (axis < -ndim || axis >= ndim)
      return rlx_array_refuse(c, "axis %lld lies outside of an array of rank %d", (long long)axis,
                              ndim);
    bool *seen = &is_seen[axis < 0 ? axis + ndim : axis];
    if (*seen) return rlx_array_refuse(c, "axis %lld is named twice", (long long)axis);
    *seen = true;
  }
  return rlx_array_unknown(c->e, c->span);
}

/// Whether the text is one word of letters with digits behind, as no record or byte order has it.
static bool is_word(const char *text) {
  enum { SHORT = 3 }; // "f4", "U10": a letter and a size
  size_t letters = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
  return letters >= SHORT && letters + strspn(text + letters, "0123456789") == strlen(text);
}

RlxValue rlx_array_refuse_dtype(const RlxArrayCall *c, const RlxValue *v) {
  char nearest[64];
  RlxDType dtype;
  if (v->kind == RLX_VALUE_INT || v->kind == RLX_VALUE_FLOAT || v->kind == RLX_VALUE_BOOL)
    return rlx_array_refuse(c, "a number is no dtype");
  const char *text = v->kind == RLX_VALUE_STR ? rlx_store_text(c->e->store, v->string) : "";
  if (!is_word(text) || rlx_numpy_has(RLX_NUMPY_DTYPE, text) ||
      rlx_dtype_parse(text, strlen(text), &dtype))
    return rlx_array_unknown(c->e, c->span);
  const char *meant = rlx_numpy_nearest(RLX_NUMPY_DTYPE, text, nearest);
  return meant
             ? rlx_array_refuse(c, "there is no dtype \"%.60s\"; did you mean \"%s\"?", text, meant)
             : rlx_array_refuse(c, "there is no dtype \"%.60s\"", text);
}

// ---- names

RlxValue rlx_array_refuse_name(RlxEval *e, const char *base, RlxNumpySpace space, const char *name,
                               RlxSpan span) {
  char nearest[64];
  if (may_tell(e) && !rlx_numpy_has(space, name)) {
    const char *meant = rlx_numpy_nearest(space, name, nearest);
    RlxDiag *diag = rlx_eval_report(
        e, RLX_DIAG_ID(ATTRIBUTE_UNKNOWN), span, "ss",
        rlx_arena_printf(e->arena, "%s.%s", base, name),
        meant ? rlx_arena_printf(e->arena, "; did you mean `%s.%s`?", base, meant) : "");
    if (meant) {
      rlx_diag_fix(e->sink, diag,
                   rlx_arena_printf(e->sink->arena, "change to `%s.%s`", base, meant), span,
                   rlx_arena_strdup(e->sink->arena, meant));
      rlx_diag_fix_is_guess(diag);
    }
  }
  return rlx_array_unknown(e, span);
}

bool rlx_array_has_attribute(RlxEval *e, const char *path, const char *name, RlxSpan span) {
  RlxNumpySpace space = strcmp(path, "numpy.random") == 0 ? RLX_NUMPY_RANDOM : RLX_NUMPY_MODULE;
  if (space == RLX_NUMPY_MODULE && strcmp(path, "numpy") != 0) return true;
  if (rlx_numpy_has(space, name)) return true;
  rlx_array_refuse_name(e, path, space, name, span);
  return false;
}
