/// Arguments of `rlx run` as written on a command line.
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/vec.h"
#include "jit/runtime/format.h"
#include "jit/runtime/npy.h"

enum { MAX_NDIM = RLX_TENSOR_NDIM_MAX };

typedef struct Literal {
  const char *at;
  Vec(double) numbers;
  Vec(int64_t) integers;
  bool is_float, is_bool;
  int64_t dims[MAX_NDIM];
  int ndim; // -1: not known before the first scalar
  RlxError *err;
} Literal;

static void blanks(Literal *l) {
  while (isspace((unsigned char)*l->at)) l->at++;
}

static bool scalar(Literal *l) {
  static const struct {
    const char *text;
    double value;
    bool is_bool;
  } words[] = {{"true", 1, true},
               {"True", 1, true},
               {"false", 0, true},
               {"False", 0, true},
               {"nan", (double)NAN, false},
               {"inf", (double)INFINITY, false},
               {"-inf", (double)-INFINITY, false}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    size_t n = strlen(words[i].text);
    if (strncmp(l->at, words[i].text, n) || isalnum((unsigned char)l->at[n])) continue;
    l->at += n;
    if (words[i].is_bool)
      l->is_bool = true;
    else
      l->is_float = true;
    rlx_vec_push(&l->numbers, words[i].value);
    rlx_vec_push(&l->integers, words[i].is_bool ? (int64_t)words[i].value : 0);
    return true;
  }
  char *end = NULL;
  if (!isdigit((unsigned char)*l->at) && !strchr("+-.", *l->at))
    return rlx_error_set(l->err, "\"%.20s\" is no number", l->at);
  double v = strtod(l->at, &end);
  if (end == l->at) return rlx_error_set(l->err, "\"%.20s\" is no number", l->at);
  errno = 0;
  char *int_end = NULL;
  long long k = strtoll(l->at, &int_end, 10);
  if (int_end != end)
    l->is_float = true;
  else if (errno)
    return rlx_error_set(l->err, "\"%.*s\" does not fit into 64 bits", (int)(end - l->at), l->at);
  rlx_vec_push(&l->numbers, v);
  rlx_vec_push(&l->integers, (int64_t)k);
  l->at = end;
  return true;
}

static bool nested(Literal *l, int depth) {
  blanks(l);
  if (*l->at != '[') {
    if (l->ndim < 0) l->ndim = depth;
    if (l->ndim != depth) return rlx_error_set(l->err, "the lists are not nested equally deep");
    return scalar(l);
  }
  if (depth == MAX_NDIM)
    return rlx_error_set(l->err, "lists are nested more than %d deep", MAX_NDIM);
  l->at++;
  int64_t count = 0;
  blanks(l);
  while (*l->at != ']') {
    if (!nested(l, depth + 1)) return false;
    count++;
    blanks(l);
    if (*l->at == ',')
      l->at++;
    else if (*l->at != ']')
      return rlx_error_set(l->err, "a list lacks its ]");
    blanks(l);
  }
  l->at++;
  if (l->dims[depth] >= 0 && l->dims[depth] != count)
    return rlx_error_set(l->err, "the lists of depth %d have different lengths", depth + 1);
  l->dims[depth] = count;
  if (!count && l->ndim < 0) l->ndim = depth + 1;
  return true;
}

static RlxObject *parse_lists(RlxHeap *heap, const char *text, RlxDType wanted, RlxError *err) {
  Literal l = {.at = text, .ndim = -1, .err = err};
  for (int i = 0; i < MAX_NDIM; i++) l.dims[i] = -1;
  RlxObject *x = NULL;
  bool ok = nested(&l, 0);
  blanks(&l);
  if (ok && *l.at) ok = rlx_error_set(err, "\"%.20s\" is left over after the value", l.at);
  if (ok) {
    RlxDType t = rlx_dtype_known(wanted) ? wanted
                 : l.is_float            ? RLX_FLOAT32
                 : l.is_bool             ? RLX_BOOL
                                         : RLX_INT64;
    x = rlx_tensor_new(heap, t, l.dims, l.ndim, err);
    for (uint32_t i = 0; x && i < l.numbers.count; i++) {
      if (l.is_float || rlx_dtype_is_float(t))
        rlx_element_set_number(x->data, t, i, l.numbers.at[i]);
      else
        rlx_element_set_integer(x->data, t, i, l.integers.at[i]);
    }
  }
  rlx_vec_free(&l.numbers);
  rlx_vec_free(&l.integers);
  return x;
}

/// Uniform in [-1, 1) for floats, 0..15 for integers, from a seed: the same on every machine.
static void fill_random(RlxObject *x, uint64_t seed) {
  int64_t count = rlx_tensor_count(x);
  for (int64_t i = 0; i < count; i++) {
    uint64_t bits = rlx_hash_mix(seed, (uint64_t)i);
    if (rlx_dtype_is_float(x->dtype))
      rlx_element_set_number(x->data, x->dtype, i, (double)(bits >> 11) * 0x1p-52 - 1.0);
    else
      rlx_element_set_integer(x->data, x->dtype, i, (int64_t)(bits >> 32 & 15));
  }
}

/// `random` or `random(SEED)`, the seed a number below 2**64.
static bool read_seed(const char *how, uint64_t *seed) {
  if (!strcmp(how, "random")) return true;
  if (strncmp(how, "random(", 7) || !isdigit((unsigned char)how[7])) return false;
  char *end = NULL;
  errno = 0;
  *seed = strtoull(how + 7, &end, 10);
  return !errno && !strcmp(end, ")");
}

/// SHAPE:DTYPE:HOW, the shape "2x3", or "scalar".
static RlxObject *parse_generated(RlxHeap *heap, const char *text, RlxError *err) {
  int64_t dims[MAX_NDIM];
  int ndim = 0;
  const char *p = text;
  if (!strncmp(p, "scalar", 6))
    p += 6;
  else
    for (;;) {
      char *end = NULL;
      errno = 0;
      long long v = strtoll(p, &end, 10);
      if (end == p || errno || v < 0 || ndim == MAX_NDIM)
        return rlx_error_set(err, "\"%s\": the shape is to be like 2x3", text), NULL;
      dims[ndim++] = v;
      p = end;
      if (*p != 'x') break;
      p++;
    }
  if (*p != ':')
    return rlx_error_set(err, "\"%s\": a dtype is to follow the shape, like 2x3:float32", text),
           NULL;
  const char *dtype_text = p + 1, *how = strchr(dtype_text, ':');
  RlxDType t;
  size_t size = how ? (size_t)(how - dtype_text) : strlen(dtype_text);
  if (!rlx_dtype_parse(dtype_text, size, &t) || !rlx_dtype_known(t))
    return rlx_error_set(err, "\"%s\": %.*s is no dtype", text, (int)size, dtype_text), NULL;
  how = how ? how + 1 : "random(0)";
  RlxObject *x = rlx_tensor_new(heap, t, dims, ndim, err);
  if (!x) return NULL;
  int64_t count = rlx_tensor_count(x);
  char *end = NULL;
  uint64_t seed = 0;
  if (read_seed(how, &seed))
    fill_random(x, seed);
  else if (!strcmp(how, "iota")) {
    for (int64_t i = 0; i < count; i++) rlx_element_set_integer(x->data, t, i, i);
  } else {
    double v = !strcmp(how, "ones") ? 1 : !strcmp(how, "zeros") ? 0 : strtod(how, &end);
    if (end && (end == how || *end)) {
      rlx_error_set(err, "\"%s\": %s is none of random(seed), ones, zeros, iota, or a number", text,
                    how);
      rlx_object_unref(x);
      return NULL;
    }
    for (int64_t i = 0; i < count; i++) rlx_element_set_number(x->data, t, i, v);
  }
  return x;
}

RlxObject *rlx_object_parse(RlxHeap *heap, const char *text, RlxDType wanted, RlxError *err) {
  while (isspace((unsigned char)*text)) text++;
  if (*text == '@') return rlx_npy_read(heap, text + 1, NULL, err);
  if (*text != '[' && strchr(text, ':')) return parse_generated(heap, text, err);
  return parse_lists(heap, text, wanted, err);
}
