/// Values from `.npz`, `.npy` and the command line, by the parameters' names or by their position.
#include "cli/run_arguments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "jit/runtime/fill.h"
#include "jit/runtime/format.h"

enum { ROOM_FOR_NAMES = 700 };

/// The value of a parameter from an array: as it is, converted where numpy has no such dtype, or as
/// shape or number.
static RlxObject *adapt(RlxRunArguments *r, RlxObject *x, const RlxSInfo *want, RlxDType dtype,
                        RlxError *err) {
  RlxHeap *heap = rlx_jit_heap(r->jit);
  if (want && want->kind == RLX_SINFO_SHAPE && x->count == 1 && !rlx_dtype_is_float(x->dtype)) {
    int64_t dims[64];
    if (x->dims[0] > 64) return rlx_error_set(err, "a shape of more than 64 dimensions"), NULL;
    for (int64_t i = 0; i < x->dims[0]; i++) dims[i] = rlx_element_integer(x->data, x->dtype, i);
    return rlx_shape_new(heap, dims, (int)x->dims[0]);
  }
  if (want && want->kind == RLX_SINFO_PRIM && rlx_tensor_count(x) == 1) {
    RlxDType t = rlx_dtype_known(want->dtype) ? want->dtype : x->dtype;
    if (rlx_dtype_is_float(t))
      return rlx_float_new(heap, rlx_element_number(x->data, x->dtype, 0), t);
    return rlx_int_new(heap, rlx_element_integer(x->data, x->dtype, 0), t);
  }
  bool no_numpy = rlx_dtype_is_float(dtype) && dtype.code != RLX_DTYPE_FLOAT;
  if (!no_numpy || rlx_dtype_equal(dtype, x->dtype) || !rlx_dtype_equal(x->dtype, RLX_FLOAT32))
    return rlx_object_ref(x);
  RlxObject *y = rlx_tensor_new(heap, dtype, x->dims, x->count, err);
  if (y) rlx_elements_convert(y->data, dtype, x->data, x->dtype, rlx_tensor_count(x));
  return y;
}

/// What an array's head is held against before its elements are read.
typedef struct Fit {
  const RlxRunArguments *r;
  const char *name;
  const RlxSInfo *want; ///< or NULL
  RlxDType dtype;
} Fit;

static bool refuse(const Fit *fit, RlxError *err) {
  rlx_error_prefix(err, "%s: parameter %s", rlx_store_text(fit->r->store, fit->r->function),
                   fit->name);
  return rlx_error_code(err, rlx_diag_row(RLX_DIAG_ID(VALUE_CHECK))->code);
}

/// Dimensions that are numbers are compared; the others follow from values, and the call looks at
/// them.
static bool fits_tensor(const Fit *fit, const RlxArrayHead *head, RlxError *err) {
  const RlxSInfo *want = fit->want;
  if (want->ndim >= 0 && want->ndim != head->ndim) {
    rlx_error_set(err, "has %d dimension%s, expected %d", head->ndim, head->ndim == 1 ? "" : "s",
                  want->ndim);
    return refuse(fit, err);
  }
  for (int i = 0; want->dims && i < head->ndim; i++) {
    int64_t length;
    if (!rlx_prim_is_const(want->dims[i], &length) || length == head->dims[i]) continue;
    rlx_error_set(err, "dimension %d is %lld, expected %lld", i, (long long)head->dims[i],
                  (long long)length);
    return refuse(fit, err);
  }
  return true;
}

static bool is_wanted(const void *data, const RlxArrayHead *head, RlxError *err) {
  const Fit *fit = data;
  if (!fit->want) return true;
  int64_t item = rlx_dtype_bytes(head->dtype);
  if (fit->want->kind == RLX_SINFO_TENSOR) return fits_tensor(fit, head, err);
  bool is_short = head->ndim == 1 && head->dims[0] <= RLX_ARRAY_NDIM_MAX;
  if (fit->want->kind == RLX_SINFO_SHAPE && !is_short) {
    rlx_error_set(err, "a shape is an array of one dimension and of at most %d lengths",
                  RLX_ARRAY_NDIM_MAX);
    return refuse(fit, err);
  }
  if (fit->want->kind == RLX_SINFO_PRIM && head->bytes != item) {
    rlx_error_set(err, "a number is an array of one element");
    return refuse(fit, err);
  }
  return true;
}

/// The array of that name; NULL: there is none, or `err`.
static RlxObject *given_by_name(RlxRunArguments *r, const char *name, const Fit *fit,
                                RlxError *err) {
  const RlxArrayFit asks = {is_wanted, fit, NULL};
  for (int i = 0; r->arrays && i < rlx_arrays_count(r->arrays); i++)
    if (!r->used[i] && !strcmp(rlx_arrays_name(r->arrays, i), name)) {
      r->used[i] = true;
      return rlx_arrays_read(r->arrays, i, rlx_jit_heap(r->jit), &asks, err);
    }
  return NULL;
}

static bool is_given(const RlxRunArguments *r, const char *name) {
  for (int i = 0; r->arrays && i < rlx_arrays_count(r->arrays); i++)
    if (!r->used[i] && !strcmp(rlx_arrays_name(r->arrays, i), name)) return true;
  return false;
}

/// Notes a parameter without a value.
static RlxObject *missing(RlxRunArguments *r, const char *name) {
  rlx_vec_push(&r->missing, rlx_mem_strdup(name));
  return NULL;
}

/// The next array by position: of a tuple parameter one for each field. NULL without an error: there
/// is none, which is noted.
static RlxObject *next_value(RlxRunArguments *r, const char *name, const RlxSInfo *want,
                             RlxDType dtype, int *position, RlxError *err) {
  const Fit fit = {r, name, want, dtype};
  RlxObject *x = given_by_name(r, name, &fit, err);
  if (!x && *err->text) return NULL;
  if (!x && want && want->kind == RLX_SINFO_TUPLE) {
    RlxObject **fields = rlx_mem_zeroed((size_t)want->count + 1, sizeof *fields), *tuple = NULL;
    uint32_t missing_before = r->missing.count;
    bool ok = true, any = false;
    for (int i = 0; i < want->count && !*err->text; i++) {
      char field[300];
      snprintf(field, sizeof field, "%.250s_%d", name, i);
      fields[i] = next_value(r, field, want->fields[i],
                             want->fields[i]->kind == RLX_SINFO_TENSOR ? want->fields[i]->dtype
                                                                       : rlx_dtype_unknown(),
                             position, err);
      ok &= fields[i] != NULL;
      any |= fields[i] != NULL;
    }
    if (!ok && !any && !*err->text) { // said as one
      while (r->missing.count > missing_before) free(r->missing.at[--r->missing.count]);
      missing(r, name);
    }
    if (ok) tuple = rlx_tuple_new(rlx_jit_heap(r->jit), fields, want->count);
    for (int i = 0; i < want->count; i++) rlx_object_unref(fields[i]);
    free(fields);
    return tuple;
  }
  if (!x) {
    char fallback[32];
    snprintf(fallback, sizeof fallback, "arr_%d", *position);
    x = given_by_name(r, fallback, &fit, err);
    if (!x && *err->text) return NULL;
  }
  ++*position;
  if (!x) return missing(r, name);
  RlxObject *value = adapt(r, x, want, dtype, err);
  rlx_object_unref(x);
  return value;
}

/// The size of the field at `text`, up to a comma or bracket of the list it stands in.
static size_t field_size(const char *text) {
  int depth = 0;
  size_t n = 0;
  for (; text[n]; n++) {
    if (!depth && strchr(",)]", text[n])) break;
    depth += strchr("([", text[n]) ? 1 : strchr(")]", text[n]) ? -1 : 0;
  }
  return n;
}

static RlxObject *written_value(RlxRunArguments *r, const char *text, const Fit *fit,
                                RlxError *err);

/// `(A, B, …)`: a value for each field.
static RlxObject *written_tuple(RlxRunArguments *r, const char *text, const Fit *fit,
                                RlxError *err) {
  const RlxSInfo *want = fit->want && fit->want->kind == RLX_SINFO_TUPLE ? fit->want : NULL;
  Vec(RlxObject *) fields = {0};
  const char *p = text + 1 + strspn(text + 1, " ");
  bool ok = true;
  while (ok && *p && *p != ')') {
    size_t n = field_size(p);
    int at = (int)fields.count;
    const RlxSInfo *field = want && at < want->count ? want->fields[at] : NULL;
    bool has_dtype = field && (field->kind == RLX_SINFO_TENSOR || field->kind == RLX_SINFO_PRIM);
    char name[300], *part = rlx_mem_strndup(p, n);
    snprintf(name, sizeof name, "%.250s[%d]", fit->name, at);
    const Fit inner = {r, name, field, has_dtype ? field->dtype : rlx_dtype_unknown()};
    RlxObject *x = written_value(r, part, &inner, err);
    free(part);
    if (x) rlx_vec_push(&fields, x);
    ok = x != NULL;
    p += n;
    if (*p == ',') p += 1 + strspn(p + 1, " ");
  }
  size_t behind = ok && *p ? strspn(p + 1, " ") + 1 : 0;
  if (ok && (*p != ')' || p[behind]))
    ok = rlx_error_set(err, "\"%.40s\" is no tuple: write (A, B)", text);
  if (ok && want && (int)fields.count != want->count)
    ok = rlx_error_set(err, "has %u field%s, expected %d", fields.count,
                       fields.count == 1 ? "" : "s", want->count);
  RlxObject *x = ok ? rlx_tuple_new(rlx_jit_heap(r->jit), fields.at, (int)fields.count) : NULL;
  for (uint32_t i = 0; i < fields.count; i++) rlx_object_unref(fields.at[i]);
  rlx_vec_free(&fields);
  return x;
}

/// `(2, 3)`, `[2, 3]` or R.shape([2, 3]).
static RlxObject *written_shape(RlxRunArguments *r, const char *text, RlxError *err) {
  int64_t dims[RLX_ARRAY_NDIM_MAX];
  int count = 0;
  const char *p = text;
  bool is_call = !strncmp(p, "R.shape(", 8);
  if (is_call) p += 8;
  char close = *p == '(' ? ')' : ']';
  p += 1 + strspn(p + 1, " ");
  while (*p && *p != close && count < RLX_ARRAY_NDIM_MAX) {
    char *end = NULL;
    errno = 0;
    dims[count++] = strtoll(p, &end, 10);
    if (end == p || errno) break;
    p = end + strspn(end, " ");
    if (*p == ',')
      p += 1 + strspn(p + 1, " ");
    else
      break;
  }
  bool ok = *p == close && (!is_call || p[1] == ')') && !p[is_call ? 2 : 1];
  for (int i = 0; ok && i < count; i++) ok = dims[i] >= 0;
  if (!ok) return rlx_error_set(err, "\"%.40s\" is no shape: write (2, 3)", text), NULL;
  return rlx_shape_new(rlx_jit_heap(r->jit), dims, count);
}

/// A value of the command line: `@file.npy`, a literal, a tuple or shape of these.
static RlxObject *written_value(RlxRunArguments *r, const char *text, const Fit *fit,
                                RlxError *err) {
  text += strspn(text, " ");
  bool is_shape = fit->want && fit->want->kind == RLX_SINFO_SHAPE;
  if (*text == '(' ? is_shape : !strncmp(text, "R.shape(", 8) || (is_shape && *text == '[')) {
    RlxObject *x = written_shape(r, text, err);
    return x ? x : (rlx_error_prefix(err, "%s", fit->name), NULL);
  }
  if (*text == '(') {
    RlxObject *x = written_tuple(r, text, fit, err);
    if (!x && !*err->code && strncmp(err->text, fit->name, strlen(fit->name)) != 0)
      rlx_error_prefix(err, "%s", fit->name);
    return x;
  }
  const RlxArrayFit asks = {is_wanted, fit, NULL};
  RlxHeap *heap = rlx_jit_heap(r->jit);
  RlxObject *raw = *text == '@' ? rlx_npy_read(heap, text + 1, &asks, err)
                                : rlx_object_parse(heap, text, fit->dtype, err);
  RlxObject *x = raw ? adapt(r, raw, fit->want, fit->dtype, err) : NULL;
  rlx_object_unref(raw);
  if (!x && !*err->code) rlx_error_prefix(err, "%s", fit->name);
  return x;
}

/// NAME=VALUE from the command line; NULL without an error when there is none.
static const char *argument_of(const RlxArgs *args, const char *name) {
  size_t n = strlen(name);
  for (uint32_t i = 1; i < args->count; i++)
    if (!strncmp(args->at[i], name, n) && args->at[i][n] == '=') return args->at[i] + n + 1;
  return NULL;
}

/// The parameter's other name: the handle behind T.match_buffer; "" when it has none.
static const char *handle_of(RlxRunArguments *r, int i) {
  RlxName name = rlx_program_param_handle(r->program, r->function, i);
  return name ? rlx_store_text(r->store, name) : "";
}

static bool is_called(const char *argument, const char *equals, const char *name) {
  size_t size = strlen(name);
  return size && size == (size_t)(equals - argument) && !strncmp(name, argument, size);
}

/// All that lack a value, as far as a message has room for them.
static bool report_missing(const RlxRunArguments *r, RlxError *err) {
  RlxBuf names = {0};
  uint32_t i = 0;
  for (; i < r->missing.count && (!i || names.size < ROOM_FOR_NAMES); i++)
    rlx_buf_printf(&names, "%s%s",
                   !i                          ? ""
                   : i + 1 == r->missing.count ? " and "
                                               : ", ",
                   r->missing.at[i]);
  if (i < r->missing.count) rlx_buf_printf(&names, " and %u more", r->missing.count - i);
  rlx_error_set(err,
                "parameter%s %s ha%s no value: give %s as %s=VALUE or with --inputs, or fill %s "
                "with --random",
                r->missing.count > 1 ? "s" : "", rlx_buf_text(&names),
                r->missing.count > 1 ? "ve" : "s", r->missing.count > 1 ? "them" : "it",
                r->missing.at[0], r->missing.count > 1 ? "them" : "it");
  rlx_buf_free(&names);
  return false;
}

/// Random values for what has none.
static bool fill(RlxRunArguments *r, RlxError *err) {
  Vec(RlxFillParam) params = {0};
  for (uint32_t i = 0; i < r->values.count; i++) {
    RlxFillParam p = {.value = r->values.at[i]};
    p.name = rlx_program_param(r->program, r->function, (int)i, &p.want, &p.dtype);
    rlx_vec_push(&params, p);
  }
  const RlxFill what = {.params = params.at, .count = params.count, .seed = r->seed};
  const bool ok = rlx_fill(rlx_jit_heap(r->jit), r->store, &what, err);
  for (uint32_t i = 0; i < params.count; i++) r->values.at[i] = params.at[i].value;
  rlx_vec_free(&params);
  return ok;
}

static bool collect(RlxRunArguments *r, const RlxArgs *args, RlxError *err) {
  if (r->inputs && !(r->arrays = rlx_arrays_open(r->inputs, err))) return false;
  size_t arrays = r->arrays ? (size_t)rlx_arrays_count(r->arrays) : 0;
  r->used = rlx_mem_zeroed(arrays + 1, sizeof *r->used);
  int count = rlx_program_param_count(r->program, r->function), position = 0;
  for (uint32_t i = 1; i < args->count; i++) {
    const char *equals = strchr(args->at[i], '=');
    bool known = false;
    for (int k = 0; k < count && equals; k++) {
      const RlxSInfo *want;
      RlxDType dtype;
      const char *name =
          rlx_store_text(r->store, rlx_program_param(r->program, r->function, k, &want, &dtype));
      known |=
          is_called(args->at[i], equals, name) || is_called(args->at[i], equals, handle_of(r, k));
    }
    if (!known)
      return rlx_error_set(err, "\"%s\" is not PARAMETER=VALUE of %s", args->at[i],
                           rlx_store_text(r->store, r->function));
  }
  for (int i = 0; i < count; i++) {
    const RlxSInfo *want;
    RlxDType dtype;
    const char *name =
        rlx_store_text(r->store, rlx_program_param(r->program, r->function, i, &want, &dtype));
    const char *text = argument_of(args, name), *handle = handle_of(r, i);
    RlxObject *x;
    if (!text && *handle) text = argument_of(args, handle);
    if (*handle && is_given(r, handle)) name = handle;
    if (text) {
      const Fit fit = {r, name, want, dtype};
      x = written_value(r, text, &fit, err);
      position++;
    } else
      x = next_value(r, name, want, dtype, &position, err);
    if (!x && *err->text) return false;
    rlx_vec_push(&r->values, x);
  }
  if (r->is_random) return fill(r, err);
  return !r->missing.count || report_missing(r, err);
}

bool rlx_run_arguments_make(void *data, RlxObject *const **out, int *out_count, RlxError *err) {
  RlxRunArguments *r = data;
  if (!collect(r, r->words, err)) return false;
  *out = r->values.at;
  *out_count = (int)r->values.count;
  return true;
}
