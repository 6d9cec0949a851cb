/// `x[0] = 5`, `x[mask] += 1`: what x becomes, for values are never changed in place. The elements' numbers are
/// indexed as x is, and the new elements scattered there.
///
/// Source: numpy's "Assigning values to indexed arrays": the right side is broadcast to what is indexed and takes
/// the dtype of x; of an element that is given twice the last one counts.
#include "repl/sugar_impl.h"

#include <stdio.h>
#include <string.h>

#include "repl/results.h"

/// Numbers of the elements that are assigned to, as Relax, with the extents that they have.
static bool put_places(RlxSugarWriter *w, const RlxAst *target, const RlxSugarType *x,
                       RlxSugarType *places, RlxBuf *out) {
  RlxBuf all = {0}, text = {0};
  RlxSugarType numbers = *x;
  numbers.dtype = RLX_INT64;
  rlx_buf_printf(&all, "R.reshape(R.arange(0, %lld, 1, \"int64\"), ",
                 (long long)rlx_sugar_count(x));
  rlx_sugar_put_shape(x->dims, x->ndim, &all);
  rlx_buf_putc(&all, ')');
  rlx_sugar_subscript_of(w, target, &numbers, rlx_buf_text(&all), &text);
  if (!w->failed) *places = rlx_sugar_type_of(w, rlx_buf_text(&text));
  if (!w->failed && rlx_sugar_count(places) < 0) // how many a mask selects
    *places = rlx_sugar_evaluated(w, "places", &text);
  rlx_buf_puts(out, rlx_buf_text(&text));
  rlx_buf_free(&all);
  rlx_buf_free(&text);
  return !w->failed;
}

/// The right side as Relax of this dtype, and what it is.
static bool put_value(RlxSugarWriter *w, const RlxAst *ast, RlxDType dtype, RlxSugarType *type,
                      RlxBuf *out) {
  char name[RLX_DTYPE_TEXT_MAX];
  RlxBuf text = {0};
  if (!rlx_sugar_constant(w, ast, dtype, &text)) {
    if (rlx_sugar_is_float(w, ast)) // into integers: cut off, as numpy does
      rlx_sugar_constant(w, ast, RLX_FLOAT64, &text);
    else
      rlx_sugar_put(w, ast, &text);
  }
  if (!w->failed) *type = rlx_sugar_type_of(w, rlx_buf_text(&text));
  if (!w->failed && type->is_tensor && rlx_sugar_count(type) < 0)
    *type = rlx_sugar_evaluated(w, "value", &text);
  if (!w->failed && rlx_sugar_count(type) < 0)
    rlx_sugar_refuse(w, "what is assigned to elements is a tensor or a number");
  if (rlx_dtype_equal(type->dtype, dtype))
    rlx_buf_puts(out, rlx_buf_text(&text));
  else
    rlx_buf_printf(out, "R.astype(%s, \"%s\")", rlx_buf_text(&text), rlx_dtype_text(dtype, name));
  rlx_buf_free(&text);
  return !w->failed;
}

/// Whether the value can be broadcast to the places, else it is refused; dimensions of extent 1 in front of it do
/// not count.
static bool is_fitting(RlxSugarWriter *w, const RlxSugarType *value, const RlxSugarType *places) {
  const int more = value->ndim - places->ndim;
  bool fits = true;
  for (int i = 0; i < value->ndim; i++) {
    const int64_t extent = value->dims[i];
    fits &= extent == 1 || (i >= more && extent == places->dims[i - more]);
  }
  if (fits) return true;
  RlxBuf given = {0}, wanted = {0};
  rlx_sugar_put_shape(value->dims, value->ndim, &given);
  rlx_sugar_put_shape(places->dims, places->ndim, &wanted);
  rlx_sugar_refuse(w, "a value of shape %s does not fit elements of shape %s", rlx_buf_text(&given),
                   rlx_buf_text(&wanted));
  rlx_buf_free(&given);
  rlx_buf_free(&wanted);
  return false;
}

/// The places and the value, flat, scattered into x.
static void put_scatter(const char *x, const RlxSugarType *type, const char *places,
                        const RlxSugarType *places_type, const RlxBuf *value,
                        const RlxSugarType *value_type, RlxBuf *out) {
  RlxBuf all = {0};
  if (value_type->ndim > places_type->ndim) {
    RlxSugarType inner = *value_type;
    inner.ndim = places_type->ndim;
    for (int i = 0; i < inner.ndim; i++)
      inner.dims[i] = value_type->dims[i + value_type->ndim - inner.ndim];
    rlx_buf_printf(&all, "R.reshape(%s, ", rlx_buf_text(value));
    rlx_sugar_put_shape(inner.dims, inner.ndim, &all);
    rlx_buf_putc(&all, ')');
  } else
    rlx_buf_puts(&all, rlx_buf_text(value));
  rlx_buf_printf(out,
                 "R.reshape(R.scatter_elements(R.reshape(%s, (-1,)), R.reshape(%s, (-1,)), "
                 "R.reshape(R.broadcast_to(%s, ",
                 x, places, rlx_buf_text(&all));
  rlx_sugar_put_shape(places_type->dims, places_type->ndim, out);
  rlx_buf_puts(out, "), (-1,))), ");
  rlx_sugar_put_shape(type->dims, type->ndim, out);
  rlx_buf_putc(out, ')');
  rlx_buf_free(&all);
}

/// Why the value of this name has no elements to assign to; false: it has.
static bool is_refused(RlxSugarWriter *w, const RlxAst *base, const RlxObject *x) {
  const char *name = base->kind == RLX_AST_NAME ? rlx_store_text(w->repl->store, base->name) : "";
  if (!*name)
    rlx_sugar_refuse(w, "elements are assigned to by name: `x[0] = 1`; bind what is before the "
                        "brackets to a name first");
  else if (!x)
    rlx_sugar_refuse(w, "`%.200s` is no variable", name);
  else if (x->kind != RLX_OBJECT_TENSOR)
    rlx_sugar_refuse(w,
                     "only elements of a tensor can be assigned to; bind `%.200s` to a new "
                     "value as a whole",
                     name);
  return w->failed;
}

void rlx_sugar_assignment(RlxSugarWriter *w, const RlxStmt *statement, RlxBuf *out) {
  const RlxAst *target = statement->targets[0], *base = target->children[0];
  const RlxObject *x = base->kind == RLX_AST_NAME
                           ? rlx_sugar_variable(w, rlx_store_text(w->repl->store, base->name))
                           : NULL;
  RlxBuf places = {0}, value = {0}, self = {0};
  if (is_refused(w, base, x)) return;
  rlx_sugar_put(w, base, &self);
  const RlxSugarType type = rlx_sugar_type(w, base, rlx_buf_text(&self));
  RlxSugarType places_type = {0}, value_type = {0};
  if (put_places(w, target, &type, &places_type, &places) &&
      put_value(w, statement->value, type.dtype, &value_type, &value) &&
      is_fitting(w, &value_type, &places_type)) {
    if (rlx_sugar_count(&places_type))
      put_scatter(rlx_buf_text(&self), &type, rlx_buf_text(&places), &places_type, &value,
                  &value_type, out);
    else
      rlx_buf_puts(out, rlx_buf_text(&self)); // nothing is selected
  }
  rlx_buf_free(&places);
  rlx_buf_free(&value);
  rlx_buf_free(&self);
}
