/// One PrimFunc to one LLVM function: parameters, checks, failure returns.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "jit/llvm/emit.h"

void emit_fail(Emit *e, const char *format, ...) {
  if (e->failed) return; // the first reason counts
  e->failed = true;
  va_list args;
  va_start(args, format);
  rlx_error_vset(e->err, format, args);
  va_end(args);
  rlx_error_prefix(e->err, "%s", emit_name(e, e->f->name));
}

const char *emit_name(const Emit *e, RlxName name) { return rlx_name_text(e->names, name); }

LLVMBasicBlockRef emit_block(Emit *e, const char *name) {
  return LLVMAppendBasicBlockInContext(e->c, e->fn, name);
}

LLVMValueRef emit_alloca(Emit *e, LLVMTypeRef type, uint64_t count, unsigned align) {
  LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b), entry = LLVMGetEntryBasicBlock(e->fn);
  LLVMValueRef first = LLVMGetFirstInstruction(entry);
  if (first)
    LLVMPositionBuilderBefore(e->b, first);
  else
    LLVMPositionBuilderAtEnd(e->b, entry);
  LLVMValueRef memory = LLVMBuildAlloca(e->b, LLVMArrayType(type, (unsigned)count), "");
  LLVMSetAlignment(memory, align);
  LLVMPositionBuilderAtEnd(e->b, here);
  return memory;
}

void emit_bind_wide(Emit *e, const RlxTirVar *var, LLVMValueRef value) {
  Val v = {value, var->dtype, 1, false, true, 0};
  if (!rlx_dtype_is_int(v.t)) v.t = RLX_INT64;
  e->vars[var->id] = v;
}

static char *copied(const char *text) { return rlx_mem_strdup(text); }

void emit_likely(Emit *e, LLVMValueRef condition, LLVMBasicBlockRef then,
                 LLVMBasicBlockRef otherwise) {
  LLVMValueRef branch = LLVMBuildCondBr(e->b, condition, then, otherwise);
  LLVMMetadataRef weights[3] = {LLVMMDStringInContext2(e->c, "branch_weights", 14),
                                LLVMValueAsMetadata(LLVMConstInt(e->i32, 1 << 20, 0)),
                                LLVMValueAsMetadata(LLVMConstInt(e->i32, 1, 0))};
  LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(e->c, "prof", 4),
                  LLVMMetadataAsValue(e->c, LLVMMDNodeInContext2(e->c, weights, 3)));
}

void emit_check(Emit *e, LLVMValueRef ok, SiteKind kind, const char *text, int dim,
                LLVMValueRef index, LLVMValueRef extent) {
  if (e->failed || (LLVMIsAConstantInt(ok) && LLVMConstIntGetZExtValue(ok))) return;
  rlx_vec_push(e->sites,
               (Site){kind, dim, copied(emit_name(e, e->f->name)), copied(text), e->span});
  LLVMBasicBlockRef bad = emit_block(e, "bad"), fine = emit_block(e, "fine");
  emit_likely(e, ok, fine, bad);
  LLVMPositionBuilderAtEnd(e->b, bad);
  LLVMValueRef values[2] = {index, extent};
  unsigned offset = offsetof(RlxKernelContext, failure);
  for (unsigned i = 0; i < 2; i++) {
    LLVMValueRef at = emit_i64(e, (int64_t)offset + 8 * (int64_t)i);
    LLVMBuildStore(e->b, values[i], LLVMBuildInBoundsGEP2(e->b, e->i8, e->ctx, &at, 1, ""));
  }
  LLVMBuildRet(e->b, LLVMConstInt(e->i32, e->sites->count, 0));
  LLVMPositionBuilderAtEnd(e->b, fine);
}

static LLVMValueRef load_slot(Emit *e, LLVMTypeRef type, LLVMValueRef array, int i) {
  LLVMValueRef index = emit_i64(e, i);
  LLVMValueRef place = LLVMBuildInBoundsGEP2(e->b, e->i64, array, &index, 1, "");
  return LLVMBuildLoad2(e->b, type, place, "");
}

static bool is_shape_var(const RlxPrimFunc *f, const RlxTirVar *var) {
  for (int i = 0; i < f->param_count; i++)
    for (int d = 0; f->params[i].buffer && d < f->params[i].buffer->ndim; d++) {
      const RlxTirExpr *x = f->params[i].buffer->shape[d];
      if (x->kind == RLX_TIR_VAR && x->var == var) return true;
    }
  return false;
}

/// The slots of `dims` become variables.
static void bind_slots(Emit *e, LLVMValueRef dims) {
  RlxTirVar *vars[RLX_KERNEL_MAX_VARS];
  int count = rlx_kernel_vars(e->f, vars);
  if (count < 0) emit_fail(e, "more than %d variables in the parameters", RLX_KERNEL_MAX_VARS);
  for (int i = 0; i < count; i++) {
    RlxDType t = vars[i]->dtype;
    if (rlx_dtype_is_float(t)) {
      Val v = {load_slot(e, e->f64, dims, i), RLX_FLOAT64, 1, false, false, 0};
      e->vars[vars[i]->id] = emit_cast(e, v, t);
    } else if (rlx_dtype_is_bool(t)) {
      Val v = {load_slot(e, e->i64, dims, i), RLX_INT64, 1, false, false, 0};
      e->vars[vars[i]->id] = emit_cast(e, v, t);
    } else if (t.code == RLX_DTYPE_HANDLE) {
      Val v = {load_slot(e, e->ptr, dims, i), t, 1, false, false, 0};
      e->vars[vars[i]->id] = v;
    } else {
      emit_bind_wide(e, vars[i], load_slot(e, e->i64, dims, i));
      range_bind_symbol(e, vars[i], is_shape_var(e->f, vars[i]));
    }
  }
}

static void define_roots(Emit *e) {
  // Root allocations live as long as the call, around everything.
  RlxTirStmt *body = e->f->body;
  RlxTirStmt chain[64], *next[64];
  int count = e->f->root_alloc_count;
  if (count > 64) {
    emit_fail(e, "more than 64 buffers are allocated at the root");
    return;
  }
  for (int i = count - 1; i >= 0; i--) {
    RlxTirStmt *holder = &chain[i];
    memset(holder, 0, sizeof *holder);
    holder->kind = RLX_TIR_ALLOC;
    holder->count = 1;
    holder->buffer = e->f->root_allocs[i];
    next[i] = i == count - 1 ? body : &chain[i + 1];
    holder->body = &next[i];
  }
  if (count)
    emit_stmt(e, &chain[0]);
  else
    emit_stmt(e, body);
}

static void add_attributes(Emit *e, LLVMValueRef fn) {
  static const char *const kinds[] = {"nounwind"};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    unsigned kind = LLVMGetEnumAttributeKindForName(kinds[i], strlen(kinds[i]));
    LLVMAddAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(e->c, kind, 0));
  }
  if (!e->fast_math) return;
  static const char *const fast[] = {"unsafe-fp-math", "no-nans-fp-math", "no-infs-fp-math",
                                     "no-signed-zeros-fp-math", "approx-func-fp-math"};
  for (size_t i = 0; i < sizeof fast / sizeof *fast; i++)
    LLVMAddAttributeAtIndex(
        fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(e->c, fast[i], (unsigned)strlen(fast[i]), "true", 4));
}

void emit_types(Emit *e) {
  e->i1 = LLVMInt1TypeInContext(e->c);
  e->i8 = LLVMInt8TypeInContext(e->c);
  e->i16 = LLVMInt16TypeInContext(e->c);
  e->i32 = LLVMInt32TypeInContext(e->c);
  e->i64 = LLVMInt64TypeInContext(e->c);
  e->f16 = LLVMHalfTypeInContext(e->c);
  e->f32 = LLVMFloatTypeInContext(e->c);
  e->f64 = LLVMDoubleTypeInContext(e->c);
  e->ptr = LLVMPointerTypeInContext(e->c, 0);
  LLVMTypeRef kernel[3] = {e->ptr, e->ptr, e->ptr};
  e->kernel_type = LLVMFunctionType(e->i32, kernel, 3, 0);
  LLVMTypeRef body[4] = {e->i64, e->i64, e->ptr, e->ptr};
  e->body_type = LLVMFunctionType(e->i32, body, 4, 0);
}

bool emit_primfunc(Emit *e, const RlxUnitFunc *func, const char *symbol) {
  const RlxPrimFunc *f = func->func;
  e->f = f;
  e->symbol = symbol;
  e->trusted = func->trusted;
  e->may_alias = func->may_alias;
  e->failed = e->in_parallel = false;
  e->next_order = 1;
  e->loop = NULL;
  e->span = rlx_span(0, 0);
  emit_types(e);
  e->vars = rlx_mem_zeroed(f->var_count + 1u, sizeof *e->vars);
  e->ranges = rlx_mem_zeroed(f->var_count + 1u, sizeof *e->ranges);
  e->buffers = rlx_mem_zeroed(f->buffer_count + 1u, sizeof *e->buffers);
  e->fn = LLVMAddFunction(e->m, symbol, e->kernel_type);
  add_attributes(e, e->fn);
  e->ctx = LLVMGetParam(e->fn, 2);
  LLVMPositionBuilderAtEnd(e->b, emit_block(e, "entry"));
  if (f->has_holes || !f->body)
    emit_fail(e, "something in it was not understood, so it cannot be compiled");
  if (!e->failed) {
    bind_slots(e, LLVMGetParam(e->fn, 1));
    emit_scopes(e);
    for (int i = 0, slot = 0; i < f->param_count && !e->failed; i++)
      if (f->params[i].buffer)
        emit_buffer_define(e, f->params[i].buffer,
                           load_slot(e, e->ptr, LLVMGetParam(e->fn, 0), slot++));
    LLVMBasicBlockRef start = emit_block(e, "start");
    LLVMBuildBr(e->b, start);
    LLVMPositionBuilderAtEnd(e->b, start);
    if (!e->failed) define_roots(e);
  }
  LLVMBuildRet(e->b, LLVMConstInt(e->i32, 0, 0));
  free(e->vars);
  free(e->ranges);
  free(e->buffers);
  rlx_vec_free(&e->facts);
  return !e->failed;
}
