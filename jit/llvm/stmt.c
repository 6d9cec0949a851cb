/// Statements: loops, blocks, allocations, control flow.
#include <string.h>

#include <llvm-c/DebugInfo.h>

#include "base/mem.h"
#include "jit/llvm/emit.h"

enum {
  MAX_UNROLL = 64,         // iterations of an unrolled loop that are really repeated
  MAX_VECTOR_EXTENT = 128, // lanes of a vectorised loop that become one vector
  STACK_LIMIT_BYTES = 32768,
};

// ---- which loops can run as one vector

static bool mentions(const RlxTirExpr *x, const bool *tainted) {
  if (!x) return false;
  if (x->kind == RLX_TIR_VAR) return tainted[x->var->id];
  for (int i = 0; i < x->arg_count; i++)
    if (mentions(x->args[i], tainted)) return true;
  return false;
}

static bool has_effects_or_loads(const RlxTirExpr *x) {
  if (x->kind == RLX_TIR_LOAD || x->kind == RLX_TIR_CALL) return true;
  for (int i = 0; i < x->arg_count; i++)
    if (has_effects_or_loads(x->args[i])) return true;
  return false;
}

/// Every lane can be evaluated without a condition: nothing guarded by a lane's value reads memory.
static bool is_lanewise(const RlxTirExpr *x, const bool *tainted) {
  bool is_lazy = x->kind == RLX_TIR_IF_THEN_ELSE || x->kind == RLX_TIR_AND ||
                 x->kind == RLX_TIR_OR || (x->kind == RLX_TIR_SELECT && emit_has_checks(x));
  if (is_lazy && mentions(x->args[0], tainted))
    for (int i = 1; i < x->arg_count; i++)
      if (has_effects_or_loads(x->args[i])) return false;
  if (x->dtype.lanes > 1 || x->kind == RLX_TIR_LET || x->kind == RLX_TIR_ADDRESS_OF ||
      x->kind == RLX_TIR_STRING)
    return false;
  for (int i = 0; i < x->arg_count; i++)
    if (!is_lanewise(x->args[i], tainted)) return false;
  return true;
}

static bool can_vectorize(const Emit *e, const RlxTirStmt *s, bool *tainted) {
  if (s->kind == RLX_TIR_SEQ) {
    // Lane by lane and statement by statement differ when a statement reads what another wrote: one
    // store only.
    const RlxTirStmt *one = NULL;
    for (uint32_t i = 0; i < s->count; i++) {
      if (s->body[i]->kind == RLX_TIR_NOP) continue;
      if (one) return false;
      one = s->body[i];
    }
    return one && can_vectorize(e, one, tainted);
  }
  if (s->kind == RLX_TIR_STORE) {
    bool depends = false;
    for (int i = 0; i < s->buffer->ndim; i++) {
      if (!is_lanewise(s->indices[i], tainted)) return false;
      depends = depends || mentions(s->indices[i], tainted);
    }
    return depends && is_lanewise(s->value, tainted);
  }
  if (s->kind == RLX_TIR_LET_STMT) {
    if (!is_lanewise(s->value, tainted)) return false;
    tainted[s->var->id] = mentions(s->value, tainted);
    return can_vectorize(e, s->body[0], tainted);
  }
  if (s->kind == RLX_TIR_BLOCK) {
    const RlxTirBlock *b = s->block;
    if (b->alloc_count || b->match_count || (b->predicate && mentions(b->predicate, tainted)))
      return false;
    for (int i = 0; i < b->iter_count; i++) {
      const RlxTirIterVar *iter = &b->iters[i];
      if (!iter->binding) return false;
      tainted[iter->var->id] = mentions(iter->binding, tainted);
      if (iter->type != RLX_ITER_DATA_PAR && tainted[iter->var->id]) return false;
    }
    if (s->init && !can_vectorize(e, s->init, tainted)) return false;
    return can_vectorize(e, s->body[0], tainted);
  }
  return false;
}

// ---- loops

static void branch_if_open(Emit *e, LLVMBasicBlockRef to) {
  if (!LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(e->b))) LLVMBuildBr(e->b, to);
}

/// The loop is to be left as it is: around explicit vector code, unrolling it costs much compile time
/// and gains nothing; others may not be vectorised.
static void leave_loop(Emit *e, LLVMValueRef back_edge) {
  static const char *const hints[] = {"llvm.loop.unroll.disable", "llvm.loop.isvectorized"};
  LLVMMetadataRef parts[3];
  for (int i = 0; i < 2; i++) {
    LLVMMetadataRef hint[2] = {LLVMMDStringInContext2(e->c, hints[i], strlen(hints[i])),
                               LLVMValueAsMetadata(LLVMConstInt(e->i32, 1, 0))};
    parts[i + 1] = LLVMMDNodeInContext2(e->c, hint, i == 0 ? 1 : 2);
  }
  parts[0] = LLVMTemporaryMDNode(e->c, NULL, 0); // a loop's identity is a node that holds itself
  LLVMMetadataRef id = LLVMMDNodeInContext2(e->c, parts, 3);
  LLVMMetadataReplaceAllUsesWith(parts[0], id);
  LLVMSetMetadata(back_edge, LLVMGetMDKindIDInContext(e->c, "llvm.loop", 9),
                  LLVMMetadataAsValue(e->c, id));
}

/// for index in [0, extent): body(index)
static void counted_loop(Emit *e, LLVMValueRef from, LLVMValueRef to,
                         void (*body)(Emit *, LLVMValueRef, const RlxTirStmt *),
                         const RlxTirStmt *s) {
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
  LLVMBasicBlockRef head = emit_block(e, "loop"), inside = emit_block(e, "body"),
                    latch = emit_block(e, "next"), exit = emit_block(e, "done");
  LLVMBuildBr(e->b, head);
  LLVMPositionBuilderAtEnd(e->b, head);
  LLVMValueRef i = LLVMBuildPhi(e->b, e->i64, "i");
  LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntSLT, i, to, ""), inside, exit);
  LLVMPositionBuilderAtEnd(e->b, inside);
  LoopFrame frame = {exit, latch, e->loop, s->var, false};
  e->loop = &frame;
  bool had_vectors = e->has_vectors;
  e->has_vectors = false;
  body(e, i, s);
  e->loop = frame.outer;
  branch_if_open(e, latch);
  LLVMPositionBuilderAtEnd(e->b, latch);
  LLVMValueRef next = LLVMBuildNSWAdd(e->b, i, emit_i64(e, 1), "");
  LLVMValueRef back_edge = LLVMBuildBr(e->b, head);
  if (e->has_vectors || frame.wraps) leave_loop(e, back_edge);
  e->has_vectors = had_vectors || e->has_vectors;
  LLVMValueRef values[2] = {from, next};
  LLVMBasicBlockRef blocks[2] = {before, latch};
  LLVMAddIncoming(i, values, blocks, 2);
  LLVMPositionBuilderAtEnd(e->b, exit);
}

static void loop_body(Emit *e, LLVMValueRef i, const RlxTirStmt *s) {
  LLVMValueRef value = i;
  if (s->min && !(s->min->kind == RLX_TIR_INT && s->min->integer == 0))
    value = LLVMBuildNSWAdd(e->b, emit_scalar_index(e, s->min), i, "");
  emit_bind_wide(e, s->var, value);
  range_bind_loop(e, s->var, s->min, s->extent);
  emit_stmt(e, s->body[0]);
  range_unbind(e, s->var);
  e->vars[s->var->id].v = NULL;
}

static void serial_loop(Emit *e, const RlxTirStmt *s) {
  counted_loop(e, emit_i64(e, 0), emit_scalar_index(e, s->extent), loop_body, s);
}

static bool has_jump(const RlxTirStmt *s) {
  if (!s) return false;
  if (s->kind == RLX_TIR_BREAK || s->kind == RLX_TIR_CONTINUE) return true;
  for (uint32_t i = 0; i < s->count; i++)
    if (has_jump(s->body[i])) return true;
  return false;
}

/// Binds the loop's variable to one value and emits the body.
static void single_iteration(Emit *e, const RlxTirStmt *s, int64_t i) {
  LLVMValueRef value = s->min ? emit_scalar_index(e, s->min) : emit_i64(e, 0);
  if (i) value = LLVMBuildNSWAdd(e->b, value, emit_i64(e, i), "");
  emit_bind_wide(e, s->var, value);
  range_bind_loop(e, s->var, s->min, s->extent);
  emit_stmt(e, s->body[0]);
  range_unbind(e, s->var);
  e->vars[s->var->id].v = NULL;
}

static bool vector_loop(Emit *e, const RlxTirStmt *s, int64_t lanes) {
  if (lanes < 2 || lanes > MAX_VECTOR_EXTENT) return false;
  bool *tainted = rlx_mem_zeroed(e->f->var_count + 1, sizeof *tainted);
  tainted[s->var->id] = true;
  bool ok = can_vectorize(e, s->body[0], tainted);
  free(tainted);
  if (!ok) return false;
  e->has_vectors = true;
  emit_bind_wide(e, s->var, s->min ? emit_scalar_index(e, s->min) : emit_i64(e, 0));
  Val *v = &e->vars[s->var->id];
  v->lanes = (int)lanes;
  v->is_ramp = true;
  v->stride = 1;
  range_bind_loop(e, s->var, s->min, s->extent);
  emit_stmt(e, s->body[0]);
  range_unbind(e, s->var);
  e->vars[s->var->id].v = NULL;
  return true;
}

// ---- parallel loops: the body becomes a function of its own, what it uses travels in an array of
// 8-byte slots

typedef struct Capture {
  LLVMValueRef *place; // where the value is kept in `vars` or `buffers`
} Capture;
typedef Vec(Capture) Captures;

static void capture(Captures *list, LLVMValueRef *place) {
  if (*place && !LLVMIsConstant(*place)) rlx_vec_push(list, (Capture){place});
}

static void capture_all(Emit *e, Captures *list) {
  for (uint32_t i = 0; i < e->f->var_count; i++) capture(list, &e->vars[i].v);
  for (uint32_t i = 0; i < e->f->buffer_count; i++) {
    EmitBuffer *b = &e->buffers[i];
    if (!b->data) continue;
    capture(list, &b->data);
    for (int d = 0; d < EMIT_MAX_NDIM; d++) {
      capture(list, &b->shape[d]);
      capture(list, &b->strides[d]);
    }
  }
}

static LLVMValueRef slot(Emit *e, LLVMValueRef closure, uint32_t i) {
  LLVMValueRef index = emit_i64(e, (int64_t)i);
  return LLVMBuildInBoundsGEP2(e->b, e->i64, closure, &index, 1, "");
}

static void allocate(Emit *e, const RlxTirBuffer *buffer, void (*inside)(Emit *, const void *),
                     const void *arg);

typedef struct Chunk {
  const RlxTirStmt *loop;
  uint32_t from; // buffers before it have been looked at
} Chunk;

/// The iterations that a thread runs one after the other, in new memory for what each has for itself.
static void run_chunk(Emit *e, const void *arg) {
  Chunk c = *(const Chunk *)arg;
  while (c.from < e->f->buffer_count) {
    const EmitBuffer *b = &e->buffers[c.from++];
    if (!b->data || b->buffer->own_of != c.loop->var) continue;
    allocate(e, b->buffer, run_chunk, &c);
    return;
  }
  counted_loop(e, LLVMGetParam(e->fn, 0), LLVMGetParam(e->fn, 1), loop_body, c.loop);
}

static LLVMValueRef make_body(Emit *e, const RlxTirStmt *s, Captures *list) {
  LLVMValueRef outer_fn = e->fn, outer_ctx = e->ctx;
  LLVMBasicBlockRef outer_block = LLVMGetInsertBlock(e->b);
  LoopFrame *outer_loop = e->loop;
  e->loop = NULL;
  e->in_parallel = true;
  LLVMValueRef fn = LLVMAddFunction(e->m, "parallel_body", e->body_type);
  LLVMSetLinkage(fn, LLVMInternalLinkage);
  emit_attributes(e, fn);
  e->fn = fn;
  e->ctx = LLVMGetParam(fn, 3);
  LLVMPositionBuilderAtEnd(e->b, emit_block(e, "entry"));
  LLVMValueRef *saved = rlx_mem_alloc(list->count + 1u, sizeof *saved);
  for (uint32_t i = 0; i < list->count; i++) {
    saved[i] = *list->at[i].place;
    *list->at[i].place =
        LLVMBuildLoad2(e->b, LLVMTypeOf(saved[i]), slot(e, LLVMGetParam(fn, 2), i), "");
  }
  LLVMBasicBlockRef start = emit_block(e, "start");
  LLVMBuildBr(e->b, start);
  LLVMPositionBuilderAtEnd(e->b, start);
  run_chunk(e, &(Chunk){.loop = s});
  LLVMBuildRet(e->b, LLVMConstInt(e->i32, 0, 0));
  for (uint32_t i = 0; i < list->count; i++) *list->at[i].place = saved[i];
  free(saved);
  e->fn = outer_fn;
  e->ctx = outer_ctx;
  e->loop = outer_loop;
  e->in_parallel = false;
  LLVMPositionBuilderAtEnd(e->b, outer_block);
  return fn;
}

static LLVMValueRef context_field(Emit *e, unsigned offset) {
  LLVMValueRef index = emit_i64(e, (int64_t)offset);
  LLVMValueRef place = LLVMBuildInBoundsGEP2(e->b, e->i8, e->ctx, &index, 1, "");
  return LLVMBuildLoad2(e->b, e->ptr, place, "");
}

static void parallel_loop(Emit *e, const RlxTirStmt *s) {
  LLVMValueRef extent = emit_scalar_index(e, s->extent);
  Captures list = {0};
  capture_all(e, &list);
  LLVMValueRef closure = emit_alloca(e, e->i64, list.count + 1u, 8);
  for (uint32_t i = 0; i < list.count; i++)
    LLVMBuildStore(e->b, *list.at[i].place, slot(e, closure, i));
  LLVMValueRef fn = make_body(e, s, &list);
  rlx_vec_free(&list);
  LLVMTypeRef types[4] = {e->ptr, e->i64, e->ptr, e->ptr};
  LLVMTypeRef type = LLVMFunctionType(e->i32, types, 4, 0);
  LLVMValueRef args[4] = {e->ctx, extent, fn, closure};
  LLVMValueRef status = LLVMBuildCall2(
      e->b, type, context_field(e, offsetof(RlxKernelContext, parallel_for)), args, 4, "status");
  LLVMBasicBlockRef failed = emit_block(e, "failed"), fine = emit_block(e, "fine");
  LLVMBuildCondBr(e->b, LLVMBuildICmp(e->b, LLVMIntEQ, status, LLVMConstInt(e->i32, 0, 0), ""),
                  fine, failed);
  LLVMPositionBuilderAtEnd(e->b, failed);
  LLVMBuildRet(e->b, status);
  LLVMPositionBuilderAtEnd(e->b, fine);
}

static void emit_for(Emit *e, const RlxTirStmt *s) {
  bool is_const = s->extent->kind == RLX_TIR_INT;
  int64_t extent = is_const ? s->extent->integer : -1;
  if (is_const && extent <= 0) return;
  if (extent == 1 && !has_jump(s->body[0])) {
    single_iteration(e, s, 0);
    return;
  }
  switch ((RlxTirForKind)s->for_kind) {
  case RLX_FOR_PARALLEL:
    if (e->in_parallel || has_jump(s->body[0])) break;
    parallel_loop(e, s);
    return;
  case RLX_FOR_VECTORIZED:
    if (is_const && vector_loop(e, s, extent)) return;
    break;
  case RLX_FOR_UNROLLED:
    if (!is_const || extent > MAX_UNROLL || has_jump(s->body[0])) break;
    for (int64_t i = 0; i < extent; i++) single_iteration(e, s, i);
    return;
  case RLX_FOR_SERIAL:
  case RLX_FOR_THREAD_BINDING: break;
  }
  serial_loop(e, s);
}

static void emit_while(Emit *e, const RlxTirStmt *s) {
  LLVMBasicBlockRef head = emit_block(e, "while"), body = emit_block(e, "body"),
                    exit = emit_block(e, "done");
  LLVMBuildBr(e->b, head);
  LLVMPositionBuilderAtEnd(e->b, head);
  LLVMBuildCondBr(e->b, emit_condition(e, s->cond), body, exit);
  LLVMPositionBuilderAtEnd(e->b, body);
  LoopFrame frame = {exit, head, e->loop, NULL, false};
  e->loop = &frame;
  emit_stmt(e, s->body[0]);
  e->loop = frame.outer;
  branch_if_open(e, head);
  LLVMPositionBuilderAtEnd(e->b, exit);
}

// ---- choices and blocks

static void emit_if_stmt(Emit *e, LLVMValueRef cond, const RlxTirExpr *cond_x,
                         const RlxTirStmt *then_s, const RlxTirStmt *else_s) {
  LLVMBasicBlockRef yes = emit_block(e, "then"), no = emit_block(e, "else"),
                    join = emit_block(e, "join");
  LLVMBuildCondBr(e->b, cond, yes, no);
  LLVMPositionBuilderAtEnd(e->b, yes);
  size_t mark = range_assume(e, cond_x);
  if (then_s) emit_stmt(e, then_s);
  range_forget(e, mark);
  branch_if_open(e, join);
  LLVMPositionBuilderAtEnd(e->b, no);
  if (else_s) emit_stmt(e, else_s);
  branch_if_open(e, join);
  LLVMPositionBuilderAtEnd(e->b, join);
}

/// What defining a buffer binds besides it: variables of its strides and offset, its pointer.
static void forget_buffer(Emit *e, const RlxTirBuffer *buffer, const Val *vars_before) {
  e->buffers[buffer->id].data = NULL;
  if (buffer->data && !vars_before[buffer->data->id].v) e->vars[buffer->data->id].v = NULL;
  for (int d = 0; d <= buffer->ndim; d++) {
    const RlxTirExpr *x = d == buffer->ndim ? buffer->elem_offset
                          : buffer->strides ? buffer->strides[d]
                                            : NULL;
    if (x && x->kind == RLX_TIR_VAR && !vars_before[x->var->id].v) e->vars[x->var->id].v = NULL;
  }
}

static Val *copy_vars(const Emit *e) {
  Val *copy = rlx_mem_alloc(e->f->var_count + 1u, sizeof *copy);
  memcpy(copy, e->vars, e->f->var_count * sizeof *copy);
  return copy;
}

/// Calls `inside` with the buffer defined, and only then. Fresh memory is cleared where a pass asks
/// for it: what is read of it before it is written would be memory of somebody else.
static void with_buffer(Emit *e, const RlxTirBuffer *buffer, void (*inside)(Emit *, const void *),
                        const void *arg) {
  bool binds = buffer->data || buffer->strides || buffer->elem_offset;
  Val *before = binds ? copy_vars(e) : NULL;
  allocate(e, buffer, inside, arg);
  if (binds)
    forget_buffer(e, buffer, before);
  else
    e->buffers[buffer->id].data = NULL;
  free(before);
}

static void clear(Emit *e, LLVMValueRef data, LLVMValueRef bytes) {
  LLVMBuildMemSet(e->b, data, LLVMConstNull(LLVMInt8TypeInContext(e->c)), bytes, 1);
}

/// bytes * extent; more than there is memory when that is too large, so that the allocation fails.
static LLVMValueRef size_times(Emit *e, LLVMValueRef bytes, LLVMValueRef extent) {
  if (LLVMIsAConstantInt(bytes) && LLVMIsAConstantInt(extent)) {
    int64_t product;
    if (!__builtin_mul_overflow(LLVMConstIntGetSExtValue(bytes), LLVMConstIntGetSExtValue(extent),
                                &product))
      return emit_i64(e, product);
  }
  unsigned id = LLVMLookupIntrinsicID("llvm.umul.with.overflow", 23);
  LLVMValueRef args[2] = {bytes, extent}, fn = LLVMGetIntrinsicDeclaration(e->m, id, &e->i64, 1);
  LLVMValueRef pair =
      LLVMBuildCall2(e->b, LLVMIntrinsicGetType(e->c, id, &e->i64, 1), fn, args, 2, "");
  LLVMValueRef product = LLVMBuildExtractValue(e->b, pair, 0, "");
  LLVMValueRef fails =
      LLVMBuildOr(e->b, LLVMBuildExtractValue(e->b, pair, 1, ""),
                  LLVMBuildICmp(e->b, LLVMIntSLT, product, emit_i64(e, 0), ""), "");
  return LLVMBuildSelect(e->b, fails, emit_i64(e, INT64_MAX), product, "");
}

static void allocate(Emit *e, const RlxTirBuffer *buffer, void (*inside)(Emit *, const void *),
                     const void *arg) {
  if (buffer->view_of) {
    emit_buffer_define(e, buffer, NULL);
    inside(e, arg);
    return;
  }
  uint64_t count = 1;
  bool is_small = true;
  for (int i = 0; i < buffer->ndim; i++) {
    const RlxTirExpr *x = buffer->shape[i];
    is_small =
        is_small && x->kind == RLX_TIR_INT && x->integer >= 0 && x->integer <= STACK_LIMIT_BYTES;
    if (is_small) count *= (uint64_t)x->integer;
    is_small = is_small && count <= STACK_LIMIT_BYTES;
  }
  if (is_small && count * emit_dtype_bytes(buffer->dtype) <= STACK_LIMIT_BYTES &&
      emit_dtype_ok(buffer->dtype)) {
    LLVMValueRef data =
        emit_alloca(e, emit_memory_type(e, buffer->dtype, 1), count ? count : 1, 64);
    if (buffer->is_cleared)
      clear(e, data, emit_i64(e, (int64_t)(count * emit_dtype_bytes(buffer->dtype))));
    emit_buffer_define(e, buffer, data);
    inside(e, arg);
    return;
  }
  LLVMValueRef bytes = emit_i64(e, emit_dtype_bytes(buffer->dtype));
  for (int i = 0; i < buffer->ndim; i++)
    bytes = size_times(e, bytes, emit_scalar_index(e, buffer->shape[i]));
  LLVMTypeRef types[2] = {e->ptr, e->i64};
  LLVMValueRef args[2] = {e->ctx, bytes};
  LLVMValueRef data =
      LLVMBuildCall2(e->b, LLVMFunctionType(e->ptr, types, 2, 0),
                     context_field(e, offsetof(RlxKernelContext, acquire)), args, 2, "memory");
  emit_check(e, LLVMBuildIsNotNull(e->b, data, ""), SITE_MEMORY, emit_name(e, buffer->name), 0,
             bytes, bytes);
  if (buffer->is_cleared) clear(e, data, bytes);
  emit_buffer_define(e, buffer, data);
  inside(e, arg);
  if (LLVMGetBasicBlockTerminator(LLVMGetInsertBlock(e->b))) return;
  LLVMTypeRef release_types[2] = {e->ptr, e->ptr};
  LLVMValueRef release_args[2] = {e->ctx, data};
  LLVMBuildCall2(e->b, LLVMFunctionType(LLVMVoidTypeInContext(e->c), release_types, 2, 0),
                 context_field(e, offsetof(RlxKernelContext, release)), release_args, 2, "");
}

typedef struct WithBuffers {
  RlxTirBuffer *const *buffers;
  int count;
  void (*inside)(Emit *, const void *);
  const void *arg;
} WithBuffers;

static void with_buffers(Emit *e, const void *arg) {
  const WithBuffers *w = arg;
  if (w->count == 0) {
    w->inside(e, w->arg);
    return;
  }
  WithBuffers rest = {w->buffers + 1, w->count - 1, w->inside, w->arg};
  with_buffer(e, w->buffers[0], with_buffers, &rest);
}

/// All reduction variables are at their start: time for the init.
static LLVMValueRef is_first(Emit *e, const RlxTirBlock *b) {
  LLVMValueRef all = LLVMConstInt(e->i1, 1, 0);
  for (int i = 0; i < b->iter_count; i++) {
    if (b->iters[i].type != RLX_ITER_REDUCE) continue;
    LLVMValueRef start = b->iters[i].min ? emit_scalar_index(e, b->iters[i].min) : emit_i64(e, 0);
    all = LLVMBuildAnd(
        e->b, all, LLVMBuildICmp(e->b, LLVMIntEQ, e->vars[b->iters[i].var->id].v, start, ""), "");
  }
  return all;
}

static void block_inside(Emit *e, const void *arg) {
  const RlxTirStmt *s = arg;
  const RlxTirBlock *b = s->block;
  Val *before = b->match_count ? copy_vars(e) : NULL;
  for (int i = 0; i < b->match_count; i++) emit_buffer_define(e, b->matches[i], NULL);
  if (s->init) {
    LLVMValueRef first = is_first(e, b);
    if (LLVMIsAConstantInt(first)) {
      if (LLVMConstIntGetZExtValue(first)) emit_stmt(e, s->init);
    } else {
      emit_if_stmt(e, first, NULL, s->init, NULL);
    }
  }
  emit_stmt(e, s->body[0]);
  for (int i = 0; i < b->match_count; i++) forget_buffer(e, b->matches[i], before);
  free(before);
}

static void block_guarded(Emit *e, const void *arg) {
  const RlxTirStmt *s = arg;
  WithBuffers allocs = {s->block->allocs, s->block->alloc_count, block_inside, s};
  with_buffers(e, &allocs);
}

static void emit_block_stmt(Emit *e, const RlxTirStmt *s) {
  const RlxTirBlock *b = s->block;
  for (int i = 0; i < b->iter_count; i++) {
    const RlxTirIterVar *iter = &b->iters[i];
    if (!iter->binding) {
      emit_fail(e, "block variable `%s` has no binding", emit_name(e, iter->var->name));
      return;
    }
    Val value = emit_index(e, iter->binding);
    e->vars[iter->var->id] = value;
    e->vars[iter->var->id].t = iter->var->dtype;
    e->vars[iter->var->id].is_wide = true;
    range_bind_value(e, iter->var, iter->binding);
  }
  if (!b->predicate || (b->predicate->kind == RLX_TIR_INT && b->predicate->integer)) {
    block_guarded(e, s);
  } else {
    LLVMBasicBlockRef yes = emit_block(e, "where"), join = emit_block(e, "join");
    LLVMBuildCondBr(e->b, emit_condition(e, b->predicate), yes, join);
    LLVMPositionBuilderAtEnd(e->b, yes);
    size_t mark = range_assume(e, b->predicate);
    block_guarded(e, s);
    range_forget(e, mark);
    branch_if_open(e, join);
    LLVMPositionBuilderAtEnd(e->b, join);
  }
  for (int i = 0; i < b->iter_count; i++) {
    range_unbind(e, b->iters[i].var);
    e->vars[b->iters[i].var->id].v = NULL;
  }
}

static void emit_body0(Emit *e, const void *arg) {
  const RlxTirStmt *s = arg;
  if (s->count) emit_stmt(e, s->body[0]);
}

/// Whether the value is made of what indices are made of: loop variables, dimensions, small numbers. Then 64 bits hold it; elements of
/// int64 and large numbers may leave them, and wrap.
static bool is_made_of_indices(const RlxTirExpr *x, bool is_part) {
  if (x->kind == RLX_TIR_INT) return x->integer > INT32_MIN && x->integer < INT32_MAX;
  if (x->kind == RLX_TIR_LOAD || x->kind == RLX_TIR_CALL) return !is_part || x->dtype.bits <= 32;
  for (int i = 0; i < x->arg_count; i++)
    if (!is_made_of_indices(x->args[i], true)) return false;
  return true;
}

static void emit_let_stmt(Emit *e, const RlxTirStmt *s) {
  bool is_index = rlx_dtype_is_int(s->var->dtype) && s->var->dtype.code == RLX_DTYPE_INT &&
                  s->var->dtype.bits >= 32 && is_made_of_indices(s->value, false);
  if (is_index) {
    Val v = emit_index(e, s->value);
    v.t = s->var->dtype;
    v.is_wide = true;
    e->vars[s->var->id] = v;
  } else {
    e->vars[s->var->id] = emit_expr(e, s->value);
  }
  range_bind_value(e, s->var, s->value);
  if (s->count) emit_stmt(e, s->body[0]);
  range_unbind(e, s->var);
  e->vars[s->var->id].v = NULL;
}

static void emit_assert_stmt(Emit *e, const RlxTirStmt *s) {
  if (s->buffer) {
    emit_bounds_assert(e, s);
    return;
  }
  LLVMValueRef ok = emit_condition(e, s->cond);
  char text[256] = "assertion failed";
  if (s->value && s->value->kind == RLX_TIR_STRING) {
    size_t size = s->value->text_size < sizeof text - 1 ? s->value->text_size : sizeof text - 1;
    memcpy(text, s->value->text, size);
    text[size] = 0;
  }
  emit_check(e, ok, SITE_ASSERT, text, 0, emit_i64(e, 0), emit_i64(e, 0));
  range_assume(e, s->cond); // holds for what follows; the enclosing suite forgets it
  if (s->count) emit_stmt(e, s->body[0]);
}

/// T.launch_thread / thread_extent: the thread's index runs over its extent, one after the other.
static void emit_attr(Emit *e, const RlxTirStmt *s) {
  if (!s->var || !s->value || !rlx_dtype_is_int(s->value->dtype) || e->vars[s->var->id].v) {
    emit_body0(e, s);
    return;
  }
  RlxTirStmt loop = *s;
  loop.kind = RLX_TIR_FOR;
  loop.min = NULL;
  loop.extent = s->value;
  serial_loop(e, &loop);
}

static void emit_jump(Emit *e, LLVMBasicBlockRef to) {
  LLVMBuildBr(e->b, to);
  LLVMPositionBuilderAtEnd(e->b, emit_block(e, "dead"));
}

void emit_stmt(Emit *e, const RlxTirStmt *s) {
  if (e->failed) return;
  if (s->span.end) e->span = s->span;
  size_t mark = e->facts.count;
  bool was_trusted = e->trusted;
  e->trusted = was_trusted || s->is_trusted;
  switch ((RlxTirStmtKind)s->kind) {
  case RLX_TIR_SEQ:
    for (uint32_t i = 0; i < s->count; i++) emit_stmt(e, s->body[i]);
    break;
  case RLX_TIR_FOR: emit_for(e, s); break;
  case RLX_TIR_WHILE: emit_while(e, s); break;
  case RLX_TIR_IF: {
    LLVMValueRef cond = emit_condition(e, s->cond);
    emit_if_stmt(e, cond, s->cond, s->body[0], s->count > 1 ? s->body[1] : NULL);
    break;
  }
  case RLX_TIR_BLOCK: emit_block_stmt(e, s); break;
  case RLX_TIR_STORE: emit_store(e, s); break;
  case RLX_TIR_LET_STMT: emit_let_stmt(e, s); break;
  case RLX_TIR_ALLOC: with_buffer(e, s->buffer, emit_body0, s); break;
  case RLX_TIR_EVALUATE:
    if (s->value && s->value->kind != RLX_TIR_INT) emit_expr(e, s->value);
    break;
  case RLX_TIR_ASSERT: emit_assert_stmt(e, s); break;
  case RLX_TIR_ATTR: emit_attr(e, s); break;
  case RLX_TIR_BREAK:
  case RLX_TIR_CONTINUE:
    if (!e->loop)
      emit_fail(e, "break or continue outside of a loop");
    else
      emit_jump(e, s->kind == RLX_TIR_BREAK ? e->loop->exit : e->loop->latch);
    break;
  case RLX_TIR_RETURN:
    LLVMBuildRet(e->b, LLVMConstInt(e->i32, 0, 0));
    LLVMPositionBuilderAtEnd(e->b, emit_block(e, "dead"));
    break;
  case RLX_TIR_NOP: break;
  }
  e->trusted = was_trusted;
  if (s->kind != RLX_TIR_ASSERT) range_forget(e, mark); // an assertion holds until its suite ends
}
