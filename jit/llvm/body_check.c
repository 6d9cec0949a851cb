/// Dimensions and checks, inlined for the case that they succeed. When a check does not hold, a
/// helper in C makes it again and says what is wrong.
#include <stddef.h>
#include <string.h>

#include "jit/llvm/body.h"

static LLVMValueRef with_overflow(BodyEmit *b, const char *name, LLVMValueRef x, LLVMValueRef y,
                                  LLVMValueRef *ok) {
  Emit *e = b->e;
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMValueRef args[2] = {x, y}, fn = LLVMGetIntrinsicDeclaration(e->m, id, &e->i64, 1);
  LLVMValueRef pair =
      LLVMBuildCall2(e->b, LLVMIntrinsicGetType(e->c, id, &e->i64, 1), fn, args, 2, "");
  *ok =
      LLVMBuildAnd(e->b, *ok, LLVMBuildNot(e->b, LLVMBuildExtractValue(e->b, pair, 1, ""), ""), "");
  return LLVMBuildExtractValue(e->b, pair, 0, "");
}

/// Python's // and %, by a positive constant.
static LLVMValueRef floor_by(BodyEmit *b, RlxPrimKind kind, LLVMValueRef x, int64_t by) {
  LLVMBuilderRef at = b->e->b;
  LLVMValueRef d = emit_i64(b->e, by), rest = LLVMBuildSRem(at, x, d, "");
  LLVMValueRef is_negative = LLVMBuildICmp(at, LLVMIntSLT, rest, emit_i64(b->e, 0), "");
  if (kind == RLX_PRIM_FLOORMOD)
    return LLVMBuildSelect(at, is_negative, LLVMBuildAdd(at, rest, d, ""), rest, "");
  return LLVMBuildSub(at, LLVMBuildSDiv(at, x, d, ""),
                      LLVMBuildZExt(at, is_negative, b->e->i64, ""), "");
}

static LLVMValueRef slot_value(BodyEmit *b, uint32_t slot) {
  return body_load(b, b->e->i64, b->slots, (int64_t)slot * 8);
}

static bool find_slot(const Plan *plan, const RlxSymVar *var, uint32_t *out) {
  for (*out = 0; *out < plan->slots.count; ++*out)
    if (plan->slots.at[*out] == var) return true;
  return false;
}

static LLVMValueRef prim_value(BodyEmit *b, const RlxPrim *p, LLVMValueRef *ok) {
  uint32_t slot;
  if (p->kind == RLX_PRIM_INT) return emit_i64(b->e, p->value);
  if (p->kind == RLX_PRIM_VAR)
    return find_slot(b->plan, p->var, &slot) && b->bound[slot] ? slot_value(b, slot) : NULL;
  if (p->arg_count != 2 || p->dtype.code != RLX_DTYPE_INT || p->dtype.bits != 64) return NULL;
  LLVMValueRef x = prim_value(b, p->args[0], ok), y = x ? prim_value(b, p->args[1], ok) : NULL;
  if (!y) return NULL;
  bool is_divisor = p->args[1]->kind == RLX_PRIM_INT && p->args[1]->value > 0;
  if (p->kind == RLX_PRIM_ADD) return with_overflow(b, "llvm.sadd.with.overflow", x, y, ok);
  if (p->kind == RLX_PRIM_SUB) return with_overflow(b, "llvm.ssub.with.overflow", x, y, ok);
  if (p->kind == RLX_PRIM_MUL) return with_overflow(b, "llvm.smul.with.overflow", x, y, ok);
  if ((p->kind == RLX_PRIM_FLOORDIV || p->kind == RLX_PRIM_FLOORMOD) && is_divisor)
    return floor_by(b, (RlxPrimKind)p->kind, x, p->args[1]->value);
  LLVMValueRef both[2] = {x, y};
  if (p->kind == RLX_PRIM_MIN) return emit_llvm_call(b->e, "llvm.smin", both, 2);
  if (p->kind == RLX_PRIM_MAX) return emit_llvm_call(b->e, "llvm.smax", both, 2);
  return NULL;
}

LLVMValueRef body_dim(BodyEmit *b, const Dim *d, LLVMValueRef *ok) {
  if (d->kind == DIM_CONST) return emit_i64(b->e, d->value);
  if (d->kind == DIM_SLOT) return b->bound[d->slot] ? slot_value(b, (uint32_t)d->slot) : NULL;
  return d->prim->depth > 20 ? NULL : prim_value(b, d->prim, ok);
}

/// Whether every symbol of an expression has a value here: others are not checked.
static bool is_bound(const BodyEmit *b, const Dim *d) {
  if (d->kind == DIM_CONST) return true;
  if (d->kind == DIM_SLOT) return b->bound[d->slot];
  return true; // an unbound one comes out as NULL, which the helper judges
}

bool body_can_check(const Check *check) {
  const RlxSInfo *a = check->sinfo;
  if (a->kind == RLX_SINFO_PRIM) return false;
  for (int i = 0; check->dims && i < a->ndim; i++)
    if (check->dims[i].kind == DIM_SOLVED) return false;
  for (int i = 0; check->fields && i < a->count; i++)
    if (!body_can_check(&check->fields[i])) return false;
  return true;
}

static LLVMValueRef is_kind(BodyEmit *b, LLVMValueRef x, RlxObjectKind kind) {
  LLVMValueRef actual = body_load(b, b->e->i8, x, offsetof(RlxObject, kind));
  return LLVMBuildICmp(b->e->b, LLVMIntEQ, actual, LLVMConstInt(b->e->i8, kind, 0), "");
}

static LLVMValueRef and_i32(BodyEmit *b, LLVMValueRef so_far, LLVMValueRef x, int64_t offset,
                            uint32_t value) {
  LLVMValueRef actual = body_load(b, b->e->i32, x, offset);
  return LLVMBuildAnd(
      b->e->b, so_far,
      LLVMBuildICmp(b->e->b, LLVMIntEQ, actual, LLVMConstInt(b->e->i32, value, 0), ""), "");
}

static void bind_dims(BodyEmit *b, const Check *check, LLVMValueRef x) {
  LLVMValueRef dims = NULL;
  for (int i = 0; i < check->sinfo->ndim; i++) {
    const Dim *d = &check->dims[i];
    if (d->kind != DIM_SLOT || b->bound[d->slot]) continue;
    if (!dims) dims = body_load(b, b->e->ptr, x, offsetof(RlxObject, dims));
    LLVMBuildStore(b->e->b, body_load(b, b->e->i64, dims, 8 * i),
                   body_at(b, b->slots, 8 * (int64_t)d->slot));
    LLVMBuildStore(b->e->b, LLVMConstInt(b->e->i8, 1, 0), body_at(b, b->is_set, d->slot));
    b->bound[d->slot] = true;
  }
}

void body_check_form(BodyEmit *b, const Check *check, LLVMValueRef x, LLVMBasicBlockRef otherwise) {
  const RlxSInfo *a = check->sinfo;
  LLVMValueRef fits;
  switch ((RlxSInfoKind)a->kind) {
  case RLX_SINFO_TENSOR:
  case RLX_SINFO_SHAPE:
    fits = is_kind(b, x, a->kind == RLX_SINFO_TENSOR ? RLX_OBJECT_TENSOR : RLX_OBJECT_SHAPE);
    if (a->kind == RLX_SINFO_TENSOR && rlx_dtype_known(a->dtype)) {
      uint32_t bits;
      memcpy(&bits, &a->dtype, sizeof bits);
      fits = and_i32(b, fits, x, offsetof(RlxObject, dtype), bits);
    }
    if (a->ndim >= 0) fits = and_i32(b, fits, x, offsetof(RlxObject, count), (uint32_t)a->ndim);
    body_require(b, fits, otherwise);
    if (a->ndim > 0 && check->dims) bind_dims(b, check, x);
    break;
  case RLX_SINFO_TUPLE:
    fits = and_i32(b, is_kind(b, x, RLX_OBJECT_TUPLE), x, offsetof(RlxObject, count),
                   (uint32_t)a->count);
    body_require(b, fits, otherwise);
    for (int i = 0; i < a->count; i++) {
      LLVMValueRef fields = body_load(b, b->e->ptr, x, offsetof(RlxObject, fields));
      body_check_form(b, &check->fields[i], body_load(b, b->e->ptr, fields, 8 * i), otherwise);
    }
    break;
  case RLX_SINFO_FUNC: body_require(b, is_kind(b, x, RLX_OBJECT_CLOSURE), otherwise); break;
  case RLX_SINFO_PRIM:
  case RLX_SINFO_OBJECT:
  case RLX_SINFO_DTENSOR:
  case RLX_SINFO_EXTENSION: break;
  }
}

void body_check_dims(BodyEmit *b, const Check *check, LLVMValueRef x, LLVMBasicBlockRef otherwise) {
  const RlxSInfo *a = check->sinfo;
  if (a->kind == RLX_SINFO_TUPLE)
    for (int i = 0; i < a->count; i++) {
      LLVMValueRef fields = body_load(b, b->e->ptr, x, offsetof(RlxObject, fields));
      body_check_dims(b, &check->fields[i], body_load(b, b->e->ptr, fields, 8 * i), otherwise);
    }
  if (!check->dims || a->ndim <= 0 || (a->kind != RLX_SINFO_TENSOR && a->kind != RLX_SINFO_SHAPE))
    return;
  LLVMValueRef dims = body_load(b, b->e->ptr, x, offsetof(RlxObject, dims)),
               all = LLVMConstInt(b->e->i1, 1, 0);
  for (int i = 0; i < a->ndim; i++) {
    const Dim *d = &check->dims[i];
    if (!is_bound(b, d)) continue;
    LLVMValueRef ok = LLVMConstInt(b->e->i1, 1, 0), expected = body_dim(b, d, &ok);
    if (!expected) { // the helper decides
      all = LLVMConstInt(b->e->i1, 0, 0);
      break;
    }
    ok = LLVMBuildAnd(
        b->e->b, ok,
        LLVMBuildICmp(b->e->b, LLVMIntEQ, body_load(b, b->e->i64, dims, 8 * i), expected, ""), "");
    all = LLVMBuildAnd(b->e->b, all, ok, "");
  }
  body_require(b, all, otherwise);
}
