/// Entry, exit and match_cast checks.
///
/// Always true: binding comes before checking, so an expression may mention a symbol that a later
/// parameter binds; a message says what was expected with the values that its symbols have, and
/// where each came from.
#include <stdio.h>
#include <string.h>

#include "jit/run/run.h"
#include "jit/runtime/format.h"

static bool lookup(const RlxSymVar *var, int64_t *out, void *data) {
  const Frame *f = data;
  uint64_t slot;
  if (!rlx_map_get(&f->plan->slot_of, (uint64_t)(uintptr_t)var, &slot) || !f->is_set[slot])
    return false;
  *out = f->slots[slot];
  return true;
}

bool rlx_frame_eval(const Frame *f, const RlxPrim *prim, int64_t *out) {
  union {
    const Frame *in;
    void *out;
  } frame = {f};
  return rlx_prim_eval(prim, lookup, frame.out, out);
}

bool rlx_dim_value(const Frame *f, const Dim *dim, int64_t *out) {
  if (dim->kind == DIM_CONST) {
    *out = dim->value;
    return true;
  }
  if (dim->kind == DIM_SLOT) {
    *out = f->slots[dim->slot];
    return f->is_set[dim->slot];
  }
  return rlx_frame_eval(f, dim->prim, out);
}

static void bind_dims(Frame *f, const Dim *dims, const int64_t *values, int count) {
  for (int i = 0; i < count; i++) {
    const bool is_solved = dims[i].kind == DIM_SOLVED;
    if ((!is_solved && dims[i].kind != DIM_SLOT) || f->is_set[dims[i].slot]) continue;
    f->slots[dims[i].slot] = is_solved ? rlx_dim_solve(dims[i].prim, values[i]) : values[i];
    f->is_set[dims[i].slot] = true;
  }
}

void rlx_check_bind(Frame *f, const Check *check, const RlxObject *x) {
  const RlxSInfo *a = check->sinfo;
  if (check->dims && (a->kind == RLX_SINFO_TENSOR || a->kind == RLX_SINFO_SHAPE)) {
    bool fits =
        a->kind == RLX_SINFO_TENSOR ? x->kind == RLX_OBJECT_TENSOR : x->kind == RLX_OBJECT_SHAPE;
    if (fits && x->count == a->ndim) bind_dims(f, check->dims, x->dims, a->ndim);
  } else if (check->dims && a->kind == RLX_SINFO_PRIM && x->kind == RLX_OBJECT_INT)
    bind_dims(f, check->dims, &x->integer, 1);
  else if (check->fields && x->kind == RLX_OBJECT_TUPLE && x->count == a->count)
    for (int i = 0; i < a->count; i++) rlx_check_bind(f, &check->fields[i], x->fields[i]);
}

/// "dimension 0 is 3, expected n + 1 = 5 (n = 4, from x, dimension 0)".
static bool dim_error(Frame *f, const Dim *dim, const char *which, int64_t actual, int64_t expected,
                      RlxBuf *why) {
  RlxStore *store = f->plan->program->store;
  rlx_buf_printf(why, "%s is %lld, expected ", which, (long long)actual);
  if (dim->kind == DIM_CONST) {
    rlx_buf_printf(why, "%lld", (long long)expected);
    return false;
  }
  rlx_prim_tell(store, dim->prim, why);
  rlx_buf_printf(why, " = %lld (", (long long)expected);
  const RlxSymVar *vars[16];
  int count = 0;
  rlx_prim_vars(dim->prim, vars, &count, 16);
  for (int i = 0; i < count; i++) {
    uint64_t slot;
    if (!rlx_map_get(&f->plan->slot_of, (uint64_t)(uintptr_t)vars[i], &slot)) continue;
    const Origin *o = slot < f->plan->origins.count ? &f->plan->origins.at[slot] : NULL;
    rlx_buf_printf(why, "%s%s", i ? "; " : "", rlx_store_text(store, vars[i]->name));
    if (!o || !o->is_chosen) rlx_buf_printf(why, " = %lld", (long long)f->slots[slot]);
    if (o && o->what) rlx_buf_printf(why, ", from %s, dimension %d", o->what, o->dim);
  }
  rlx_buf_putc(why, ')');
  return false;
}

static bool check_dims(Frame *f, const Dim *dims, const int64_t *values, int count, RlxBuf *why) {
  for (int i = 0; i < count; i++) {
    int64_t expected;
    if (!rlx_dim_value(f, &dims[i], &expected)) continue; // mentions what nothing binds
    if (expected == values[i]) continue;
    char which[32];
    snprintf(which, sizeof which, "dimension %d", i);
    return dim_error(f, &dims[i], which, values[i], expected, why);
  }
  return true;
}

static bool wrong_kind(const Frame *f, const RlxSInfo *a, const RlxObject *x, RlxBuf *why) {
  rlx_buf_puts(why, "is ");
  rlx_object_describe(x, why);
  rlx_buf_puts(why, ", expected ");
  rlx_sinfo_print(f->plan->program->store, a, why);
  return false;
}

static bool check_one(Frame *f, const Check *check, const RlxObject *x, RlxBuf *why) {
  const RlxSInfo *a = check->sinfo;
  switch ((RlxSInfoKind)a->kind) {
  case RLX_SINFO_TENSOR:
    if (x->kind != RLX_OBJECT_TENSOR) return wrong_kind(f, a, x, why);
    if (rlx_dtype_known(a->dtype) && !rlx_dtype_equal(a->dtype, x->dtype)) {
      char want[RLX_DTYPE_TEXT_MAX], got[RLX_DTYPE_TEXT_MAX];
      rlx_buf_printf(why, "dtype is %s, expected %s", rlx_dtype_text(x->dtype, got),
                     rlx_dtype_text(a->dtype, want));
      return false;
    }
    if (a->ndim >= 0 && a->ndim != x->count) {
      rlx_buf_printf(why, "has %d dimension%s, expected %d", x->count, x->count == 1 ? "" : "s",
                     a->ndim);
      return false;
    }
    return !check->dims || check_dims(f, check->dims, x->dims, a->ndim, why);
  case RLX_SINFO_SHAPE:
    if (x->kind != RLX_OBJECT_SHAPE) return wrong_kind(f, a, x, why);
    if (a->ndim >= 0 && a->ndim != x->count) {
      rlx_buf_printf(why, "has %d dimension%s, expected %d", x->count, x->count == 1 ? "" : "s",
                     a->ndim);
      return false;
    }
    return !check->dims || check_dims(f, check->dims, x->dims, a->ndim, why);
  case RLX_SINFO_PRIM: {
    if (x->kind != RLX_OBJECT_INT && x->kind != RLX_OBJECT_FLOAT) return wrong_kind(f, a, x, why);
    if (rlx_dtype_known(a->dtype) && rlx_dtype_is_float(a->dtype) != (x->kind == RLX_OBJECT_FLOAT))
      return wrong_kind(f, a, x, why);
    int64_t expected;
    if (!check->dims || x->kind != RLX_OBJECT_INT || !rlx_dim_value(f, check->dims, &expected) ||
        expected == x->integer)
      return true;
    return dim_error(f, check->dims, "its value", x->integer, expected, why);
  }
  case RLX_SINFO_TUPLE:
    if (x->kind != RLX_OBJECT_TUPLE) return wrong_kind(f, a, x, why);
    if (x->count != a->count) {
      rlx_buf_printf(why, "has %d fields, expected %d", x->count, a->count);
      return false;
    }
    for (int i = 0; i < a->count; i++) {
      size_t size = why->size;
      if (check_one(f, &check->fields[i], x->fields[i], why)) continue;
      char where[32];
      int n = snprintf(where, sizeof where, "field %d: ", i);
      rlx_buf_splice(why, size, size, where, (size_t)n);
      return false;
    }
    return true;
  case RLX_SINFO_FUNC: return x->kind == RLX_OBJECT_CLOSURE || wrong_kind(f, a, x, why);
  case RLX_SINFO_OBJECT:
  case RLX_SINFO_DTENSOR:
  case RLX_SINFO_EXTENSION: return true;
  }
  return true;
}

bool rlx_check_value(Frame *f, const Check *check, const RlxObject *x, const char *kind,
                     const char *what, RlxError *err) {
  RlxBuf why = {0};
  bool ok = check_one(f, check, x, &why);
  if (!ok) {
    RlxDiagId id =
        strcmp(kind, "match_cast") ? RLX_DIAG_ID(VALUE_CHECK) : RLX_DIAG_ID(MATCH_CAST_FAILED);
    rlx_error_code(err, rlx_diag_row(id)->code);
    rlx_error_set(err, "%s: %s%s%s: %s", f->plan->name, kind, *what ? " " : "", what,
                  rlx_buf_text(&why));
  }
  rlx_buf_free(&why);
  return ok;
}

bool rlx_frame_enter(Frame *f) {
  const Plan *plan = f->plan;
  const RlxFunction *fn = plan->function;
  RlxProgram *program = plan->program;
  for (uint32_t i = 0; i < fn->param_count; i++)
    if (f->regs[i]) rlx_check_bind(f, &plan->params[i], f->regs[i]);
  for (uint32_t i = 0; i < fn->param_count; i++) {
    const RlxVar *p = fn->params[i];
    if (!f->regs[i] ||
        rlx_check_value(f, &plan->params[i], f->regs[i], "parameter",
                        rlx_store_text(program->store, p->name), &program->error->error))
      continue;
    program->error->span = rlx_stmt_absolute(p->stmt, p->span);
    return false;
  }
  return true;
}
