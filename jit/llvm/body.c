/// A plan to LLVM IR: two functions, `name` with its arguments as they are and `name`.entry with
/// them in an array.
///
/// Always true: an unboxed register's number is in a stack slot of its own; the object of a
/// register, if there is one, is in the frame, which is empty at first; every way out drops what
/// the frame holds.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "jit/llvm/body.h"

enum { FRAME_BYTES = (sizeof(Frame) + 7) / 8 * 8, DROPS_INLINE = 6, CHECKS_INLINE = 8 };

static void store(BodyEmit *b, LLVMValueRef value, LLVMValueRef base, int64_t offset) {
  LLVMBuildStore(b->e->b, value, body_at(b, base, offset));
}

static LLVMBasicBlockRef block(BodyEmit *b, const char *name) { return emit_block(b->e, name); }
static void go_on_in(BodyEmit *b, LLVMBasicBlockRef at) { LLVMPositionBuilderAtEnd(b->e->b, at); }

static void require_object(BodyEmit *b, LLVMValueRef x) {
  body_require(b, LLVMBuildIsNotNull(b->e->b, x, ""), b->failed);
}
static void require_true(BodyEmit *b, LLVMValueRef status) {
  body_require(b, LLVMBuildICmp(b->e->b, LLVMIntNE, status, LLVMConstInt(b->e->i32, 0, 0), ""),
               b->failed);
}

// ---- registers

static bool is_number(const BodyEmit *b, int reg) {
  return reg >= 0 ? b->numbers[reg] != NULL : b->const_numbers[~reg] != NULL;
}
static LLVMValueRef number_place(const BodyEmit *b, int reg) {
  return reg >= 0 ? b->numbers[reg] : b->const_numbers[~reg];
}

static RlxDType number_dtype(const BodyEmit *b, int reg) {
  return reg >= 0 ? b->plan->unboxed[reg] : b->plan->consts.at[~reg]->dtype;
}

static LLVMTypeRef memory_int(const BodyEmit *b, RlxDType t) {
  return LLVMIntTypeInContext(b->e->c, (unsigned)emit_dtype_bytes(t) * 8);
}

/// A number's bytes as i64, and back.
static LLVMValueRef bits_of(BodyEmit *b, LLVMValueRef place, RlxDType t) {
  return LLVMBuildZExt(b->e->b, LLVMBuildLoad2(b->e->b, memory_int(b, t), place, ""), b->e->i64,
                       "");
}
static void set_bits(BodyEmit *b, LLVMValueRef bits, LLVMValueRef place, RlxDType t) {
  LLVMBuildStore(b->e->b, LLVMBuildTrunc(b->e->b, bits, memory_int(b, t), ""), place);
}

static LLVMValueRef reg_place(BodyEmit *b, int reg) {
  return body_at(b, b->regs, 8 * (int64_t)reg);
}

static LLVMValueRef box(BodyEmit *b, LLVMValueRef bits, RlxDType t) {
  uint32_t code;
  memcpy(&code, &t, sizeof code);
  LLVMValueRef args[3] = {bits, LLVMConstInt(b->e->i32, code, 0), b->plan_arg};
  LLVMValueRef x = body_call(b, "rlx_body_box", args, 3);
  require_object(b, x);
  return x;
}

/// Makes the object of an unboxed register, in the frame, unless it has one.
static void ensure_object(BodyEmit *b, int reg) {
  if (reg < 0 || !is_number(b, reg)) return;
  LLVMBasicBlockRef make = block(b, "box"), done = block(b, "boxed");
  LLVMValueRef known =
      LLVMBuildIsNotNull(b->e->b, LLVMBuildLoad2(b->e->b, b->e->ptr, reg_place(b, reg), ""), "");
  LLVMBuildCondBr(b->e->b, known, done, make);
  go_on_in(b, make);
  LLVMValueRef x =
      box(b, bits_of(b, b->numbers[reg], b->plan->unboxed[reg]), b->plan->unboxed[reg]);
  LLVMBuildStore(b->e->b, x, reg_place(b, reg));
  LLVMBuildBr(b->e->b, done);
  go_on_in(b, done);
  b->was_boxed[reg] = true;
}

/// The object in a register, borrowed.
static LLVMValueRef object_in(BodyEmit *b, int reg) {
  if (reg < 0) return body_load(b, b->e->ptr, b->consts, 8 * (int64_t)~reg);
  ensure_object(b, reg);
  return LLVMBuildLoad2(b->e->b, b->e->ptr, reg_place(b, reg), "");
}

static LLVMValueRef add_ref(BodyEmit *b, LLVMValueRef x) {
  LLVMValueRef refs = body_load(b, b->e->i32, x, offsetof(RlxObject, refs));
  store(b, LLVMBuildAdd(b->e->b, refs, LLVMConstInt(b->e->i32, 1, 0), ""), x,
        offsetof(RlxObject, refs));
  return x;
}

static LLVMValueRef step_place(BodyEmit *b, int i) {
  return body_at(b, b->steps, (int64_t)i * (int64_t)sizeof(Step));
}

static LLVMValueRef bits_in(BodyEmit *b, LLVMValueRef tensor, RlxDType t) {
  return bits_of(b, body_load(b, b->e->ptr, tensor, offsetof(RlxObject, data)), t);
}

static void set_object(BodyEmit *b, int dst, LLVMValueRef x) {
  if (!is_number(b, dst)) {
    LLVMBuildStore(b->e->b, x, reg_place(b, dst));
    return;
  }
  set_bits(b, bits_in(b, x, b->plan->unboxed[dst]), b->numbers[dst], b->plan->unboxed[dst]);
  LLVMBuildStore(b->e->b, x, reg_place(b, dst)); // its object, too
  b->was_boxed[dst] = true;
}

/// A parameter's object is the caller's as long as the call lasts.
static bool is_borrowed(const BodyEmit *b, int reg) {
  return reg < (int)b->plan->function->param_count &&
         !rlx_dtype_known(rlx_scalar_dtype(b->plan->params[reg].sinfo));
}

static void drop(BodyEmit *b, int reg) {
  LLVMValueRef place = reg_place(b, reg);
  body_call(b, "rlx_body_drop", &place, 1);
}

// ---- steps

/// Computes dimensions into memory: its address, or NULL when C has to do it.
static LLVMValueRef dims_in_memory(BodyEmit *b, const Dim *const *dims, int count) {
  Emit *e = b->e;
  if (count > 128) return LLVMConstPointerNull(e->ptr);
  LLVMValueRef ok = LLVMConstInt(e->i1, 1, 0);
  for (int i = 0; i < count; i++) {
    LLVMValueRef v = body_dim(b, dims[i], &ok);
    if (!v) return LLVMConstPointerNull(e->ptr);
    if (!b->dims_array) b->dims_array = emit_alloca(e, e->i64, 128, 8);
    store(b, v, b->dims_array, 8 * i);
  }
  LLVMValueRef place = b->dims_array ? b->dims_array : LLVMConstPointerNull(e->ptr);
  return LLVMBuildSelect(e->b, ok, place, LLVMConstPointerNull(e->ptr), "");
}

static LLVMValueRef output_dims(BodyEmit *b, const Output *o) {
  const Dim *dims[RLX_TENSOR_NDIM_MAX];
  if (o->ndim > RLX_TENSOR_NDIM_MAX) return LLVMConstPointerNull(b->e->ptr);
  for (int i = 0; i < o->ndim; i++) dims[i] = &o->dims[i];
  return dims_in_memory(b, dims, o->ndim);
}

static LLVMValueRef kernel_dims(BodyEmit *b, const KernelCall *k) {
  const Dim *dims[128];
  int count = 0;
  for (int i = 0; i < k->output_count; i++)
    for (int d = 0; d < k->outputs[i].ndim; d++) {
      if (count == 128) return LLVMConstPointerNull(b->e->ptr);
      dims[count++] = &k->outputs[i].dims[d];
    }
  for (int i = 0; i < k->scalar_count; i++) {
    if (count == 128) return LLVMConstPointerNull(b->e->ptr);
    dims[count++] = &k->scalars[i];
  }
  return dims_in_memory(b, dims, count);
}

/// A step that C does; `dims` NULL: it takes none.
static void helper_step(BodyEmit *b, int i, const char *helper, LLVMValueRef dims) {
  const Step *s = &b->plan->steps.at[i];
  for (int k = 0; k < s->arg_count; k++) ensure_object(b, s->args[k]);
  for (int k = 0; s->kernel && k < s->kernel->input_count; k++)
    ensure_object(b, s->kernel->inputs[k]);
  LLVMValueRef args[3] = {b->frame, step_place(b, i), dims};
  LLVMValueRef x = body_call(b, helper, args, dims ? 3 : 2);
  require_object(b, x);
  set_object(b, s->dst, x);
}

static LLVMValueRef data_of(BodyEmit *b, int reg, int field) {
  if (is_number(b, reg)) return number_place(b, reg);
  LLVMValueRef x = object_in(b, reg);
  if (field >= 0)
    x = body_load(b, b->e->ptr, body_load(b, b->e->ptr, x, offsetof(RlxObject, fields)),
                  8 * (int64_t)field);
  return body_load(b, b->e->ptr, x, offsetof(RlxObject, data));
}

/// Calls a kernel whose shapes are proved, with pointers.
static void direct_kernel(BodyEmit *b, int i) {
  Emit *e = b->e;
  const Step *s = &b->plan->steps.at[i];
  const KernelCall *call = s->kernel;
  LLVMValueRef outs[256], step = step_place(b, i);
  if (call->is_tuple) { // the tuple has its place before anything can fail
    LLVMValueRef args[2] = {b->frame, step}, tuple = body_call(b, "rlx_body_alloc_tuple", args, 2);
    require_object(b, tuple);
    LLVMValueRef fields = body_load(b, e->ptr, tuple, offsetof(RlxObject, fields));
    for (int o = 0; o < call->output_count; o++)
      outs[o] =
          body_load(b, e->ptr, body_load(b, e->ptr, fields, 8 * o), offsetof(RlxObject, data));
  } else if (is_number(b, s->dst))
    outs[0] = b->numbers[s->dst];
  else {
    LLVMValueRef args[2] = {b->frame, step};
    outs[0] = body_call(b, "rlx_body_alloc", args, 2);
    require_object(b, outs[0]);
  }
  if (!b->data_array) b->data_array = emit_alloca(e, e->ptr, 256, 8);
  for (int k = 0; k < call->kernel->tensor_count; k++) {
    int at = body_tensor(call, k), o = at - call->input_count;
    store(b, o < 0 ? data_of(b, call->inputs[at], call->fields[at]) : outs[o], b->data_array,
          8 * k);
  }
  LLVMValueRef args[3] = {b->data_array, LLVMConstPointerNull(e->ptr), b->context}, status;
  if (b->inlined[i]) {
    LLVMBuildCall2(e->b, e->kernel_type, b->inlined[i], args, 3, ""); // it has no checks
    return;
  }
  LLVMValueRef place = LLVMBuildStore(e->b, step, b->watch);
  LLVMSetVolatile(place, 1);
  status = LLVMBuildCall2(e->b, e->kernel_type, body_load(b, e->ptr, step, offsetof(Step, fn)),
                          args, 3, "");
  LLVMBasicBlockRef here = LLVMGetInsertBlock(e->b);
  if (!b->bad_kernel) { // one place for all that fail
    b->bad_kernel = block(b, "bad");
    go_on_in(b, b->bad_kernel);
    b->bad_step = LLVMBuildPhi(e->b, e->ptr, "");
    b->bad_status = LLVMBuildPhi(e->b, e->i32, "");
    LLVMValueRef why[3] = {b->plan_arg, b->bad_step, b->bad_status};
    body_call(b, "rlx_body_failed", why, 3);
    LLVMBuildBr(e->b, b->failed);
    go_on_in(b, here);
  }
  body_require(b, LLVMBuildICmp(e->b, LLVMIntEQ, status, LLVMConstInt(e->i32, 0, 0), ""),
               b->bad_kernel);
  LLVMAddIncoming(b->bad_step, &step, &here, 1);
  LLVMAddIncoming(b->bad_status, &status, &here, 1);
}

/// Whether a call can go from body to body: each argument has the form that the signature wants.
static bool is_native_call(const BodyEmit *b, const Step *s) {
  const Plan *callee = s->callee ? s->callee->plan : NULL;
  if (s->kind != STEP_CALL || !callee || s->callee->kind == ENTRY_EXTERN || s->check ||
      s->arg_count != (int)callee->function->param_count || s->arg_count > 200)
    return false;
  for (int i = 0; i < s->arg_count; i++) {
    RlxDType want = rlx_scalar_dtype(callee->params[i].sinfo), t;
    if (!rlx_dtype_known(want)) continue;
    int ndim;
    int64_t dims[RLX_TENSOR_NDIM_MAX];
    bool known = is_number(b, s->args[i])
                     ? (t = number_dtype(b, s->args[i]), true)
                     : body_static(b, s->args[i], -1, &t, &ndim, dims) && ndim == 0;
    if (!known || !rlx_dtype_equal(t, want)) return false;
  }
  return true;
}

static LLVMTypeRef fast_type(BodyEmit *b, const Plan *plan) {
  uint32_t count = plan->function->param_count;
  LLVMTypeRef *params = rlx_mem_zeroed(count + 2u, sizeof(LLVMTypeRef));
  params[0] = params[1] = b->e->ptr;
  for (uint32_t i = 0; i < count; i++) params[i + 2] = b->e->i64;
  LLVMTypeRef type = LLVMFunctionType(b->result_type, params, count + 2, 0);
  free(params);
  return type;
}

static void native_call(BodyEmit *b, const Step *s, int i) {
  Emit *e = b->e;
  const Plan *callee = s->callee->plan;
  LLVMValueRef args[256], fn = b->fast;
  args[0] = b->plan_arg;
  if (callee != b->plan) {
    LLVMValueRef entry = body_load(b, e->ptr, step_place(b, i), offsetof(Step, callee));
    args[0] = body_load(b, e->ptr, entry, offsetof(Entry, plan));
    fn = body_load(b, e->ptr, args[0], offsetof(Plan, fast));
  }
  args[1] = LLVMConstPointerNull(e->ptr);
  for (int k = 0; k < s->arg_count; k++) {
    RlxDType want = rlx_scalar_dtype(callee->params[k].sinfo);
    int reg = s->args[k];
    if (!rlx_dtype_known(want))
      args[k + 2] = LLVMBuildPtrToInt(e->b, object_in(b, reg), e->i64, "");
    else if (is_number(b, reg))
      args[k + 2] = bits_of(b, number_place(b, reg), want);
    else
      args[k + 2] = bits_in(b, object_in(b, reg), want);
  }
  LLVMValueRef result =
      LLVMBuildCall2(e->b, fast_type(b, callee), fn, args, (unsigned)s->arg_count + 2, "");
  LLVMValueRef ok = LLVMBuildICmp(e->b, LLVMIntNE, LLVMBuildExtractValue(e->b, result, 1, ""),
                                  emit_i64(e, 0), "");
  body_require(b, ok, b->failed);
  LLVMValueRef value = LLVMBuildExtractValue(e->b, result, 0, "");
  RlxDType t = callee->ret ? rlx_scalar_dtype(callee->ret->sinfo) : rlx_dtype_unknown();
  if (!rlx_dtype_known(t))
    set_object(b, s->dst, LLVMBuildIntToPtr(e->b, value, e->ptr, ""));
  else if (is_number(b, s->dst))
    set_bits(b, value, b->numbers[s->dst], t);
  else
    set_object(b, s->dst, box(b, value, t));
}

static void move(BodyEmit *b, const Step *s) {
  int from = s->args[0];
  if (is_number(b, s->dst)) {
    RlxDType t = b->plan->unboxed[s->dst];
    LLVMValueRef bits = is_number(b, from) ? bits_of(b, number_place(b, from), t)
                                           : bits_in(b, object_in(b, from), t);
    set_bits(b, bits, b->numbers[s->dst], t);
  } else if (from >= 0 && is_number(b, from))
    set_object(
        b, s->dst,
        box(b, bits_of(b, b->numbers[from], b->plan->unboxed[from]), b->plan->unboxed[from]));
  else
    set_object(b, s->dst, add_ref(b, object_in(b, from)));
}

static void get_field(BodyEmit *b, int i) {
  Emit *e = b->e;
  const Step *s = &b->plan->steps.at[i];
  LLVMValueRef x = object_in(b, s->args[0]);
  const Fact *f = s->args[0] >= 0 ? &b->facts[s->args[0]] : NULL;
  if (!f || f->kind < FACT_FIELDS || s->index < 0 || s->index >= f->count) {
    helper_step(b, i, "rlx_step_get", NULL);
    return;
  }
  LLVMValueRef field = body_load(b, e->ptr, body_load(b, e->ptr, x, offsetof(RlxObject, fields)),
                                 8 * (int64_t)s->index);
  set_object(b, s->dst, add_ref(b, field));
}

/// What a check binds has a value from here on.
static void bind_by_check(BodyEmit *b, const Check *check) {
  const RlxSInfo *a = check->sinfo;
  int count = a->kind == RLX_SINFO_PRIM ? 1 : a->ndim;
  for (int i = 0; check->dims && i < count; i++)
    if (check->dims[i].kind == DIM_SLOT) b->bound[check->dims[i].slot] = true;
  for (int i = 0; check->fields && i < a->count; i++) bind_by_check(b, &check->fields[i]);
}

static void match(BodyEmit *b, int i) {
  const Step *s = &b->plan->steps.at[i];
  const RlxSInfo *a = s->check->sinfo;
  bool fits =
      is_number(b, s->args[0]) && a->kind == RLX_SINFO_TENSOR && a->ndim <= 0 && !a->shape_var &&
      (!rlx_dtype_known(a->dtype) || rlx_dtype_equal(a->dtype, number_dtype(b, s->args[0])));
  if (fits) return;
  LLVMValueRef x = object_in(b, s->args[0]), args[2] = {b->frame, step_place(b, i)};
  LLVMBasicBlockRef look = block(b, "look"), done = block(b, "matched");
  if (body_can_check(s->check)) {
    body_check_form(b, s->check, x, look);
    body_check_dims(b, s->check, x, look);
    LLVMBuildBr(b->e->b, done);
  } else
    LLVMBuildBr(b->e->b, look);
  go_on_in(b, look);
  require_true(b, body_call(b, "rlx_step_match", args, 2));
  LLVMBuildBr(b->e->b, done);
  go_on_in(b, done);
  bind_by_check(b, s->check);
}

// ---- control flow

/// Notes what is bound where a jump to `target` starts.
static void note_bound(BodyEmit *b, int target) {
  uint32_t count = (uint32_t)b->plan->slot_count;
  bool *at = b->bound_at[target];
  if (!at) {
    at = b->bound_at[target] = rlx_mem_zeroed(count + 1, sizeof *at);
    memcpy(at, b->bound, count);
  }
  for (uint32_t i = 0; i < count; i++) at[i] &= b->bound[i];
}

static void unless(BodyEmit *b, int i) {
  Emit *e = b->e;
  const Step *s = &b->plan->steps.at[i];
  LLVMBasicBlockRef then = block(b, "then");
  LLVMValueRef yes;
  note_bound(b, s->index);
  if (is_number(b, s->args[0]) && !rlx_dtype_is_float(number_dtype(b, s->args[0]))) {
    LLVMTypeRef type = memory_int(b, number_dtype(b, s->args[0]));
    yes =
        LLVMBuildICmp(e->b, LLVMIntNE, LLVMBuildLoad2(e->b, type, number_place(b, s->args[0]), ""),
                      LLVMConstNull(type), "");
  } else {
    ensure_object(b, s->args[0]);
    LLVMValueRef args[2] = {b->frame, step_place(b, i)},
                 status = body_call(b, "rlx_step_truth", args, 2);
    body_require(b, LLVMBuildICmp(e->b, LLVMIntSGE, status, LLVMConstInt(e->i32, 0, 0), ""),
                 b->failed);
    yes = LLVMBuildICmp(e->b, LLVMIntNE, status, LLVMConstInt(e->i32, 0, 0), "");
  }
  LLVMBuildCondBr(e->b, yes, then, b->labels[s->index]);
  go_on_in(b, then);
}

static void leave(BodyEmit *b, LLVMValueRef value, int64_t ok) {
  Emit *e = b->e;
  store(b, b->calls_left, b->program, offsetof(RlxProgram, calls_left));
  LLVMValueRef result = LLVMBuildInsertValue(e->b, LLVMGetPoison(b->result_type), value, 0, "");
  LLVMBuildRet(e->b, LLVMBuildInsertValue(e->b, result, emit_i64(e, ok), 1, ""));
}

/// Drops what no step dropped.
static void drop_rest(BodyEmit *b) {
  int count = 0, rest[DROPS_INLINE];
  if (!b->frame) return;
  for (int r = 0; r < b->plan->reg_count; r++) {
    if (b->freed[r] || is_borrowed(b, r) || (is_number(b, r) && !b->was_boxed[r])) continue;
    if (count < DROPS_INLINE) rest[count] = r;
    count++;
  }
  if (count > DROPS_INLINE)
    body_call(b, "rlx_body_leave", &b->frame, 1);
  else
    for (int k = 0; k < count; k++) drop(b, rest[k]);
}

static void check_result(BodyEmit *b, LLVMValueRef x) {
  const Check *check = b->plan->ret;
  if (!check) return;
  LLVMBasicBlockRef look = block(b, "look"), done = block(b, "checked");
  if (body_can_check(check)) {
    body_check_form(b, check, x, look);
    body_check_dims(b, check, x, look);
    LLVMBuildBr(b->e->b, done);
  } else
    LLVMBuildBr(b->e->b, look);
  go_on_in(b, look);
  LLVMValueRef args[2] = {b->frame, x};
  require_true(b, body_call(b, "rlx_body_result", args, 2));
  LLVMBuildBr(b->e->b, done);
  go_on_in(b, done);
}

static void give_back(BodyEmit *b, const Step *s) {
  int reg = s->args[0];
  RlxDType t = b->plan->ret ? rlx_scalar_dtype(b->plan->ret->sinfo) : rlx_dtype_unknown();
  LLVMValueRef value;
  if (rlx_dtype_known(t) && is_number(b, reg) && rlx_dtype_equal(t, number_dtype(b, reg)))
    value = bits_of(b, number_place(b, reg), t);
  else {
    LLVMValueRef x = add_ref(b, object_in(b, reg));
    check_result(b, x);
    if (!rlx_dtype_known(t))
      value = LLVMBuildPtrToInt(b->e->b, x, b->e->i64, "");
    else {
      value = bits_in(b, x, t);
      LLVMValueRef refs =
          body_load(b, b->e->i32, x, offsetof(RlxObject, refs)); // the register still has it
      store(b, LLVMBuildSub(b->e->b, refs, LLVMConstInt(b->e->i32, 1, 0), ""), x,
            offsetof(RlxObject, refs));
    }
  }
  drop_rest(b);
  leave(b, value, 1);
}

static void emit_step(BodyEmit *b, int i) {
  const Step *s = &b->plan->steps.at[i];
  switch ((StepKind)s->kind) {
  case STEP_MOVE: move(b, s); break;
  case STEP_KERNEL:
    if (body_is_direct(b, s))
      direct_kernel(b, i);
    else
      helper_step(b, i, "rlx_step_kernel", kernel_dims(b, s->kernel));
    break;
  case STEP_LATE: helper_step(b, i, "rlx_step_late", NULL); break;
  case STEP_BUILTIN: helper_step(b, i, "rlx_step_builtin", NULL); break;
  case STEP_VIEW: helper_step(b, i, "rlx_step_view", output_dims(b, s->output)); break;
  case STEP_SHAPE: helper_step(b, i, "rlx_step_shape", output_dims(b, s->output)); break;
  case STEP_PRIM: helper_step(b, i, "rlx_step_prim", output_dims(b, s->output)); break;
  case STEP_TUPLE: helper_step(b, i, "rlx_step_tuple", NULL); break;
  case STEP_GET: get_field(b, i); break;
  case STEP_CALL:
  case STEP_INVOKE:
    if (is_native_call(b, s))
      native_call(b, s, i);
    else
      helper_step(b, i, "rlx_step_call", NULL);
    break;
  case STEP_CLOSURE: helper_step(b, i, "rlx_step_closure", NULL); break;
  case STEP_MATCH: match(b, i); break;
  case STEP_UNLESS: unless(b, i); break;
  case STEP_JUMP:
    note_bound(b, s->index);
    LLVMBuildBr(b->e->b, b->labels[s->index]);
    break;
  case STEP_NOP: break;
  case STEP_RETURN: give_back(b, s); break;
  }
}

/// Steps during which a program can be found dead or slow by name: not those that only call other
/// bodies.
static bool is_watched(const BodyEmit *b, const Step *s) {
  if (s->kind == STEP_KERNEL) return !body_is_direct(b, s);
  return s->kind == STEP_LATE || s->kind == STEP_BUILTIN || s->kind == STEP_INVOKE ||
         (s->kind == STEP_CALL && !is_native_call(b, s));
}

static void emit_steps(BodyEmit *b) {
  Emit *e = b->e;
  const Plan *plan = b->plan;
  bool traces = plan->program->jit->options.trace, is_open = true;
  for (uint32_t i = 0; i < plan->steps.count; i++) {
    const Step *s = &plan->steps.at[i];
    if (b->labels[i]) {
      if (is_open) {
        note_bound(b, (int)i);
        LLVMBuildBr(e->b, b->labels[i]);
      }
      memcpy(b->bound, b->bound_at[i], (size_t)plan->slot_count);
      go_on_in(b, b->labels[i]);
      is_open = true;
    }
    if (is_watched(b, s)) LLVMSetVolatile(LLVMBuildStore(e->b, step_place(b, (int)i), b->watch), 1);
    LLVMValueRef start = traces && s->dst >= 0 ? body_call(b, "rlx_body_clock", NULL, 0) : NULL;
    emit_step(b, (int)i);
    if (start) {
      LLVMValueRef args[3] = {b->frame, step_place(b, (int)i), start};
      body_call(b, "rlx_body_trace", args, 3);
    }
    is_open = s->kind != STEP_JUMP && s->kind != STEP_RETURN;
    for (int k = 0; is_open && k < s->free_count; k++) {
      int r = s->frees[k];
      b->freed[r] = true;
      if (!is_borrowed(b, r) && (!is_number(b, r) || b->was_boxed[r])) drop(b, r);
    }
  }
  if (is_open) LLVMBuildUnreachable(e->b);
}

// ---- entry

/// The kernels on numbers alone are put into the body.
static void inline_kernels(BodyEmit *b) {
  Emit *e = b->e;
  for (uint32_t i = 0; i < b->plan->steps.count; i++) {
    const Step *s = &b->plan->steps.at[i];
    if (s->kind != STEP_KERNEL || !s->kernel->kernel->trusted ||
        s->kernel->kernel->guards.hoisted || s->kernel->kernel->guards.checked ||
        s->kernel->output_count != 1 || s->kernel->outputs[0].ndim || !body_is_direct(b, s))
      continue;
    const Kernel *k = s->kernel->kernel;
    bool is_scalar = true;
    for (int n = 0; n < k->func->param_count; n++)
      is_scalar &= k->func->params[n].buffer->ndim == 0;
    if (!is_scalar) continue;
    LLVMValueRef fn = LLVMGetNamedFunction(e->m, k->symbol);
    if (!fn) {
      uint32_t sites = e->sites->count;
      RlxUnitFunc one = {.func = k->func, .symbol = k->symbol, .trusted = true};
      if (!emit_primfunc(e, &one, k->symbol)) return;
      fn = LLVMGetNamedFunction(e->m, k->symbol);
      LLVMSetLinkage(fn, LLVMInternalLinkage);
      bool can_fail = e->sites->count != sites;
      if (can_fail) {
        LLVMDeleteFunction(fn);
        continue;
      }
      emit_attribute(e, fn, "alwaysinline");
    }
    b->inlined[i] = fn;
  }
}

/// Whether anything here holds objects.
static bool needs_frame(const BodyEmit *b) {
  const Plan *plan = b->plan;
  if (plan->slot_count || plan->captures.count || plan->program->jit->options.trace) return true;
  RlxDType result = plan->ret ? rlx_scalar_dtype(plan->ret->sinfo) : rlx_dtype_unknown();
  if (!rlx_dtype_known(result)) return true;
  for (uint32_t i = 0; i < plan->function->param_count; i++)
    if (!rlx_dtype_known(plan->unboxed[i])) return true;
  for (uint32_t i = 0; i < plan->steps.count; i++) {
    const Step *s = &plan->steps.at[i];
    if (s->kind == STEP_CLOSURE) return true; // one of its values may be the closure itself
    for (int k = 0; k < s->arg_count; k++)
      if (!is_number(b, s->args[k])) return true;
    for (int k = 0; s->kernel && k < s->kernel->input_count; k++)
      if (!is_number(b, s->kernel->inputs[k])) return true;
    if (s->dst >= 0 && !is_number(b, s->dst)) return true;
    if (s->kind == STEP_JUMP || s->kind == STEP_NOP || s->kind == STEP_MOVE) continue;
    if (s->kind == STEP_KERNEL && body_is_direct(b, s)) continue;
    if (s->kind == STEP_UNLESS && !rlx_dtype_is_float(number_dtype(b, s->args[0]))) continue;
    if (s->kind == STEP_RETURN && rlx_dtype_equal(number_dtype(b, s->args[0]), result)) continue;
    if (s->kind == STEP_CALL && is_native_call(b, s)) {
      bool numbers = true;
      for (int k = 0; k < s->arg_count; k++)
        numbers &= rlx_dtype_known(rlx_scalar_dtype(s->callee->plan->params[k].sinfo));
      if (numbers) continue;
    }
    return true;
  }
  return false;
}

static void make_frame(BodyEmit *b) {
  Emit *e = b->e;
  const Plan *plan = b->plan;
  int64_t regs = FRAME_BYTES, is_set = regs + 8 * (int64_t)plan->reg_count,
          slots = (is_set + plan->slot_count + 7) / 8 * 8;
  int64_t bytes = slots + 8 * (int64_t)plan->slot_count;
  b->frame = emit_alloca(e, e->i64, (uint64_t)bytes / 8, 8);
  b->regs = body_at(b, b->frame, regs);
  b->is_set = body_at(b, b->frame, is_set);
  b->slots = body_at(b, b->frame, slots);
  LLVMBuildMemSet(e->b, b->regs, LLVMConstInt(e->i8, 0, 0), emit_i64(e, slots - regs), 8);
  store(b, b->plan_arg, b->frame, offsetof(Frame, plan));
  store(b, b->regs, b->frame, offsetof(Frame, regs));
  store(b, b->slots, b->frame, offsetof(Frame, slots));
  store(b, b->is_set, b->frame, offsetof(Frame, is_set));
  store(b, b->closure, b->frame, offsetof(Frame, closure));
}

static void check_depth(BodyEmit *b) {
  Emit *e = b->e;
  b->calls_left = body_load(b, e->i64, b->program, offsetof(RlxProgram, calls_left));
  unsigned id = LLVMLookupIntrinsicID("llvm.frameaddress", 17);
  LLVMValueRef zero = LLVMConstInt(e->i32, 0, 0),
               fn = LLVMGetIntrinsicDeclaration(e->m, id, &e->ptr, 1);
  LLVMValueRef here =
      LLVMBuildCall2(e->b, LLVMIntrinsicGetType(e->c, id, &e->ptr, 1), fn, &zero, 1, "");
  LLVMValueRef end = body_load(b, e->ptr, b->program, offsetof(RlxProgram, stack_end));
  LLVMValueRef ok =
      LLVMBuildAnd(e->b, LLVMBuildICmp(e->b, LLVMIntSGT, b->calls_left, emit_i64(e, 0), ""),
                   LLVMBuildICmp(e->b, LLVMIntUGT, here, end, ""), "");
  LLVMBasicBlockRef deep = block(b, "deep");
  body_require(b, ok, deep);
  LLVMBasicBlockRef go_on = LLVMGetInsertBlock(e->b);
  go_on_in(b, deep);
  body_call(b, "rlx_body_too_deep", &b->plan_arg, 1);
  leave(b, emit_i64(e, 0), 0);
  go_on_in(b, go_on);
  store(b, LLVMBuildNSWSub(e->b, b->calls_left, emit_i64(e, 1), ""), b->program,
        offsetof(RlxProgram, calls_left));
}

static void take_params(BodyEmit *b) {
  Emit *e = b->e;
  const Plan *plan = b->plan;
  bool inlines = plan->function->param_count <= CHECKS_INLINE, checks = false;
  for (uint32_t i = 0; i < plan->function->param_count; i++) {
    LLVMValueRef arg = LLVMGetParam(b->fast, i + 2);
    RlxDType t = rlx_scalar_dtype(plan->params[i].sinfo);
    if (is_number(b, (int)i))
      set_bits(b, arg, b->numbers[i], t);
    else if (rlx_dtype_known(t))
      LLVMBuildStore(e->b, box(b, arg, t), reg_place(b, (int)i));
    else {
      LLVMBuildStore(e->b, LLVMBuildIntToPtr(e->b, arg, e->ptr, ""), reg_place(b, (int)i));
      checks = true;
      inlines &= body_can_check(&plan->params[i]);
    }
  }
  for (uint32_t i = 0; i < plan->sym_captures.count; i++)
    b->bound[plan->sym_captures.at[i].slot] = true;
  if (plan->captures.count || plan->sym_captures.count)
    body_call(b, "rlx_body_captured", &b->frame, 1);
  if (!checks) return;
  LLVMBasicBlockRef look = block(b, "look"), done = block(b, "entered");
  if (inlines)
    for (int pass = 0; pass < 2; pass++)
      for (uint32_t i = 0; i < plan->function->param_count; i++) {
        if (rlx_dtype_known(rlx_scalar_dtype(plan->params[i].sinfo))) continue;
        LLVMValueRef x = LLVMBuildLoad2(e->b, e->ptr, reg_place(b, (int)i), "");
        if (pass == 0)
          body_check_form(b, &plan->params[i], x, look);
        else
          body_check_dims(b, &plan->params[i], x, look);
      }
  LLVMBuildBr(e->b, inlines ? done : look);
  go_on_in(b, look);
  require_true(b, body_call(b, "rlx_body_enter", &b->frame, 1));
  LLVMBuildBr(e->b, done);
  go_on_in(b, done);
}

static void make_numbers(BodyEmit *b) {
  Emit *e = b->e;
  const Plan *plan = b->plan;
  for (int r = 0; r < plan->reg_count; r++)
    if (rlx_dtype_known(plan->unboxed[r]))
      b->numbers[r] = emit_alloca(e, emit_memory_type(e, plan->unboxed[r], 1), 1, 8);
  for (uint32_t i = 0; i < plan->consts.count; i++) {
    const RlxObject *x = plan->consts.at[i];
    RlxSInfo a = {.kind = RLX_SINFO_TENSOR, .ndim = x->count, .dtype = x->dtype};
    if (x->kind != RLX_OBJECT_TENSOR || !rlx_dtype_known(rlx_scalar_dtype(&a))) continue;
    uint64_t bits = 0;
    memcpy(&bits, x->data, emit_dtype_bytes(x->dtype));
    b->const_numbers[i] = emit_alloca(e, emit_memory_type(e, x->dtype, 1), 1, 8);
    LLVMBuildStore(e->b, LLVMConstInt(memory_int(b, x->dtype), bits, 0), b->const_numbers[i]);
  }
}

/// Who is stopped in a body of numbers only is told the function at least.
static void watch_first(BodyEmit *b) {
  int first = 0;
  while (first + 1 < (int)b->plan->steps.count && b->plan->steps.at[first].dst < 0) first++;
  LLVMSetVolatile(LLVMBuildStore(b->e->b, step_place(b, first), b->watch), 1);
}

static void emit_fast(BodyEmit *b) {
  Emit *e = b->e;
  const Plan *plan = b->plan;
  e->fn = b->fast;
  LLVMPositionBuilderAtEnd(e->b, block(b, "entry"));
  make_numbers(b);
  b->program = body_load(b, e->ptr, b->plan_arg, offsetof(Plan, program));
  check_depth(b);
  if (needs_frame(b)) make_frame(b);
  b->failed = block(b, "failed");
  LLVMValueRef jit = body_load(b, e->ptr, b->program, offsetof(RlxProgram, jit));
  b->context = body_load(b, e->ptr, jit, offsetof(RlxJit, context));
  b->watch = body_load(b, e->ptr, b->program, offsetof(RlxProgram, watch));
  b->steps =
      body_load(b, e->ptr, b->plan_arg, (int64_t)(offsetof(Plan, steps) + offsetof(Steps, at)));
  b->consts =
      body_load(b, e->ptr, b->plan_arg, (int64_t)(offsetof(Plan, consts) + offsetof(Objects, at)));
  for (uint32_t i = 0; i < plan->steps.count; i++) {
    const Step *s = &plan->steps.at[i];
    if ((s->kind == STEP_UNLESS || s->kind == STEP_JUMP) && !b->labels[s->index])
      b->labels[s->index] = block(b, "step");
  }
  watch_first(b);
  take_params(b);
  for (uint32_t i = 0; i < plan->function->param_count; i++) bind_by_check(b, &plan->params[i]);
  emit_steps(b);
  go_on_in(b, b->failed);
  if (b->frame) body_call(b, "rlx_body_leave", &b->frame, 1);
  leave(b, emit_i64(e, 0), 0);
}

/// name.entry(plan, closure, args) calls the other with the arguments out of the array.
static void emit_entry(BodyEmit *b) {
  Emit *e = b->e;
  char name[264];
  LLVMTypeRef params[3] = {e->ptr, e->ptr, e->ptr};
  uint32_t count = b->plan->function->param_count;
  snprintf(name, sizeof name, "%s.entry", b->name);
  LLVMValueRef fn = LLVMAddFunction(e->m, name, LLVMFunctionType(b->result_type, params, 3, 0));
  emit_attribute(e, fn, "nounwind");
  LLVMValueRef *args = rlx_mem_zeroed(count + 2u, sizeof(LLVMValueRef));
  e->fn = fn;
  LLVMPositionBuilderAtEnd(e->b, block(b, "entry"));
  args[0] = LLVMGetParam(fn, 0);
  args[1] = LLVMGetParam(fn, 1);
  for (uint32_t i = 0; i < count; i++)
    args[i + 2] = body_load(b, e->i64, LLVMGetParam(fn, 2), 8 * (int64_t)i);
  LLVMBuildRet(e->b, LLVMBuildCall2(e->b, b->fast_type, b->fast, args, count + 2, ""));
  free(args);
}

bool emit_body(Emit *e, const Plan *plan, const char *name) {
  size_t regs = (size_t)plan->reg_count + 1, steps = plan->steps.count + 1u;
  BodyEmit b = {.e = e, .plan = plan, .name = name};
  emit_types(e);
  b.facts = rlx_mem_zeroed(regs, sizeof *b.facts);
  b.numbers = rlx_mem_zeroed(regs, sizeof *b.numbers);
  b.const_numbers = rlx_mem_zeroed(plan->consts.count + 1u, sizeof *b.const_numbers);
  b.freed = rlx_mem_zeroed(regs, sizeof *b.freed);
  b.was_boxed = rlx_mem_zeroed(regs, sizeof *b.was_boxed);
  b.bound = rlx_mem_zeroed((size_t)plan->slot_count + 1, sizeof *b.bound);
  b.bound_at = rlx_mem_zeroed(steps, sizeof *b.bound_at);
  b.labels = rlx_mem_zeroed(steps, sizeof *b.labels);
  b.inlined = rlx_mem_zeroed(steps, sizeof *b.inlined);
  body_facts(&b);
  inline_kernels(&b);
  LLVMTypeRef pair[2] = {e->i64, e->i64};
  b.result_type = LLVMStructTypeInContext(e->c, pair, 2, 0);
  b.fast_type = fast_type(&b, plan);
  b.fast = LLVMAddFunction(e->m, name, b.fast_type);
  // No frame is unwound through the code, so that it needs no tables for that, which the C library would be told of.
  emit_attribute(e, b.fast, "nounwind");
  b.plan_arg = LLVMGetParam(b.fast, 0);
  b.closure = LLVMGetParam(b.fast, 1);
  bool ok = !e->failed;
  if (ok) {
    emit_fast(&b);
    emit_entry(&b);
  }
  free(b.facts);
  free(b.numbers);
  free(b.const_numbers);
  free(b.freed);
  free(b.was_boxed);
  free(b.bound);
  for (size_t i = 0; i < steps; i++) free(b.bound_at[i]);
  free(b.bound_at);
  free(b.labels);
  free(b.inlined);
  return ok;
}
