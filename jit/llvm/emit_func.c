/// One PrimFunc to one LLVM function: parameters, buffers, the body.
#include <string.h>

#include "base/mem.h"
#include "jit/llvm/emit.h"

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

void emit_attribute(const Emit *e, LLVMValueRef fn, const char *name) {
  const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
  LLVMAddAttributeAtIndex(fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                          LLVMCreateEnumAttribute(e->c, kind, 0));
}

void emit_attributes(const Emit *e, LLVMValueRef fn) {
  emit_attribute(e, fn, "nounwind");
#ifdef __SANITIZE_THREAD__ // what the code reads and writes is watched as our own is
  emit_attribute(e, fn, "sanitize_thread");
#endif
  if (!e->fast_math) return;
  static const char *const fast[] = {"unsafe-fp-math", "no-nans-fp-math", "no-infs-fp-math",
                                     "no-signed-zeros-fp-math", "approx-func-fp-math"};
  for (size_t i = 0; i < sizeof fast / sizeof *fast; i++)
    LLVMAddAttributeAtIndex(
        fn, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(e->c, fast[i], (unsigned)strlen(fast[i]), "true", 4));
}

bool emit_primfunc(Emit *e, const RlxUnitFunc *func, const char *symbol) {
  const RlxPrimFunc *f = func->func;
  e->f = f;
  e->symbol = symbol;
  e->trusted = func->trusted;
  e->may_alias = func->may_alias;
  e->counts = (RlxGuardCounts){0};
  e->failed = e->in_parallel = false;
  e->next_order = 1;
  e->loop = NULL;
  e->span = rlx_span(0, 0);
  emit_types(e);
  e->vars = rlx_mem_zeroed(f->var_count + 1u, sizeof *e->vars);
  e->ranges = rlx_mem_zeroed(f->var_count + 1u, sizeof *e->ranges);
  e->buffers = rlx_mem_zeroed(f->buffer_count + 1u, sizeof *e->buffers);
  e->fn = LLVMAddFunction(e->m, symbol, e->kernel_type);
  emit_attributes(e, e->fn);
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
  if (func->counts && !func->trusted) *func->counts = e->counts;
  LLVMBuildRet(e->b, LLVMConstInt(e->i32, 0, 0));
  free(e->vars);
  free(e->ranges);
  free(e->buffers);
  rlx_vec_free(&e->facts);
  return !e->failed;
}
