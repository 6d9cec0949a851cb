/// Whether a value is one of a StructInfo, for tests that evaluate.
#ifndef RLX_TESTS_HOLDS_H
#define RLX_TESTS_HOLDS_H

#include "analyzer/symbolic/prove.h"
#include "jit/jit.h"

/// What a symbolic variable stands for; false: anything.
typedef bool HoldsValue(const RlxSymVar *var, int64_t *out, void *data);

static inline bool holds_dims(const RlxSInfo *s, const RlxObject *x, HoldsValue *value,
                              void *data) {
  if (s->ndim >= 0 && s->ndim != x->count) return false;
  for (int i = 0; s->dims && i < s->ndim; i++) {
    int64_t want;
    if (rlx_prim_eval(s->dims[i], value, data, &want) && want != x->dims[i]) return false;
  }
  return true;
}

/// Whether `x` is a value of `s`; `value` and `data` say what the symbolic variables stand for.
static inline bool holds(const RlxSInfo *s, const RlxObject *x, HoldsValue *value, void *data) {
  int64_t want;
  switch ((RlxSInfoKind)s->kind) {
  case RLX_SINFO_TENSOR:
    return x->kind == RLX_OBJECT_TENSOR &&
           (!rlx_dtype_known(s->dtype) || rlx_dtype_equal(s->dtype, x->dtype)) &&
           holds_dims(s, x, value, data);
  case RLX_SINFO_SHAPE: return x->kind == RLX_OBJECT_SHAPE && holds_dims(s, x, value, data);
  case RLX_SINFO_TUPLE:
    if (x->kind != RLX_OBJECT_TUPLE || x->count != s->count) return false;
    for (int i = 0; i < s->count; i++)
      if (!holds(s->fields[i], x->fields[i], value, data)) return false;
    return true;
  case RLX_SINFO_PRIM:
    return (x->kind == RLX_OBJECT_INT || x->kind == RLX_OBJECT_FLOAT) &&
           (x->kind != RLX_OBJECT_INT || !s->value ||
            !rlx_prim_eval(s->value, value, data, &want) || want == x->integer);
  case RLX_SINFO_OBJECT:
  case RLX_SINFO_FUNC:
  case RLX_SINFO_DTENSOR:
  case RLX_SINFO_EXTENSION: return true;
  }
  return true;
}

#endif
