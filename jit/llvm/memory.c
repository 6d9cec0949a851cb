/// Buffers: addresses, loads and stores, bounds checks, alias information.
#include <stdio.h>
#include <string.h>

#include "jit/llvm/emit.h"

// ---- alias scopes: one per buffer with memory of its own

static LLVMMetadataRef text_node(Emit *e, const char *text, LLVMMetadataRef more) {
  LLVMMetadataRef parts[2] = {LLVMMDStringInContext2(e->c, text, strlen(text)), more};
  return LLVMMDNodeInContext2(e->c, parts, more ? 2 : 1);
}

enum { MAX_SCOPES = 48 };

typedef struct BufferList {
  const RlxTirBuffer *at[MAX_SCOPES + 1];
  int count;
} BufferList;

static void list_add(BufferList *list, const RlxTirBuffer *buffer) {
  for (int i = 0; i < list->count; i++)
    if (list->at[i] == buffer) return;
  if (list->count <= MAX_SCOPES && !buffer->view_of) list->at[list->count++] = buffer;
}

static void collect(const RlxTirStmt *s, BufferList *list) {
  if (!s) return;
  if (s->kind == RLX_TIR_ALLOC) list_add(list, s->buffer);
  if (s->kind == RLX_TIR_BLOCK)
    for (int i = 0; i < s->block->alloc_count; i++) list_add(list, s->block->allocs[i]);
  for (uint32_t i = 0; i < s->count; i++) collect(s->body[i], list);
  collect(s->init, list);
}

/// Each buffer's accesses alias no other buffer's. Says nothing when parameters may overlap, or
/// there are very many.
void emit_scopes(Emit *e) {
  BufferList list = {.count = 0};
  for (int i = 0; i < e->f->param_count; i++)
    if (e->f->params[i].buffer) list_add(&list, e->f->params[i].buffer);
  for (int i = 0; i < e->f->root_alloc_count; i++) list_add(&list, e->f->root_allocs[i]);
  collect(e->f->body, &list);
  if (e->may_alias || list.count > MAX_SCOPES) return;
  LLVMMetadataRef domain = text_node(e, e->symbol, NULL), scopes[MAX_SCOPES];
  for (int i = 0; i < list.count; i++) {
    char name[160];
    snprintf(name, sizeof name, "%.100s.%u.%.30s", e->symbol, list.at[i]->id,
             emit_name(e, list.at[i]->name));
    scopes[i] = text_node(e, name, domain);
  }
  for (int i = 0; i < list.count; i++) {
    LLVMMetadataRef others[MAX_SCOPES];
    int count = 0;
    for (int j = 0; j < list.count; j++)
      if (j != i) others[count++] = scopes[j];
    EmitBuffer *b = &e->buffers[list.at[i]->id];
    b->scope = LLVMMetadataAsValue(e->c, LLVMMDNodeInContext2(e->c, &scopes[i], 1));
    b->no_alias =
        count ? LLVMMetadataAsValue(e->c, LLVMMDNodeInContext2(e->c, others, (size_t)count)) : NULL;
  }
}

static void mark_access(Emit *e, LLVMValueRef access, const EmitBuffer *b) {
  if (b->scope)
    LLVMSetMetadata(access, LLVMGetMDKindIDInContext(e->c, "alias.scope", 11), b->scope);
  if (b->no_alias)
    LLVMSetMetadata(access, LLVMGetMDKindIDInContext(e->c, "noalias", 7), b->no_alias);
}

// ---- definitions

static void bind_if_free(Emit *e, const RlxTirExpr *x, LLVMValueRef value) {
  if (x && x->kind == RLX_TIR_VAR && !e->vars[x->var->id].v) emit_bind_wide(e, x->var, value);
}

/// The buffer's pointer variable, for calls that take it.
static void bind_pointer(Emit *e, const RlxTirBuffer *buffer, LLVMValueRef data) {
  if (!buffer->data || e->vars[buffer->data->id].v) return;
  Val v = {data, rlx_dtype(RLX_DTYPE_HANDLE, 64), 1, false, false, 0};
  e->vars[buffer->data->id] = v;
}

static void compact_strides(Emit *e, EmitBuffer *b, int ndim) {
  LLVMValueRef stride = emit_i64(e, 1);
  for (int i = ndim - 1; i >= 0; i--) {
    b->strides[i] = stride;
    if (i) stride = LLVMBuildNSWMul(e->b, stride, b->shape[i], "stride");
  }
}

static LLVMValueRef element_pointer(Emit *e, const RlxTirBuffer *buffer, LLVMValueRef data,
                                    LLVMValueRef index) {
  return LLVMBuildInBoundsGEP2(e->b, emit_memory_type(e, buffer->dtype, 1), data, &index, 1, "");
}

/// A region of another buffer under a new name: its own shape, the other's memory and strides.
static void define_match(Emit *e, const RlxTirBuffer *buffer, EmitBuffer *b,
                         const EmitBuffer *outer) {
  const RlxTirBuffer *of = buffer->view_of;
  LLVMValueRef offset = emit_i64(e, 0);
  int skipped = of->ndim - buffer->ndim;
  if (skipped < 0) {
    emit_fail(e, "buffer `%s` has more dimensions than the region it matches",
              emit_name(e, buffer->name));
    return;
  }
  for (int i = 0; i < of->ndim; i++) {
    LLVMValueRef origin = emit_scalar_index(e, buffer->view_origin[i]);
    LLVMValueRef extent = i < skipped ? emit_i64(e, 1) : b->shape[i - skipped];
    if (!e->trusted || buffer->is_checked) {
      LLVMValueRef last = LLVMBuildAdd(e->b, origin, extent, "");
      LLVMValueRef ok =
          LLVMBuildAnd(e->b, LLVMBuildICmp(e->b, LLVMIntSGE, origin, emit_i64(e, 0), ""),
                       LLVMBuildICmp(e->b, LLVMIntSLE, last, outer->shape[i], ""), "");
      emit_check(e, ok, SITE_BOUNDS, emit_name(e, of->name), i, origin, outer->shape[i]);
    }
    offset =
        LLVMBuildNSWAdd(e->b, offset, LLVMBuildNSWMul(e->b, origin, outer->strides[i], ""), "");
  }
  for (int i = 0; i < buffer->ndim; i++) {
    b->strides[i] = outer->strides[i + skipped];
    if (buffer->strides) bind_if_free(e, buffer->strides[i], b->strides[i]);
  }
  bind_if_free(e, buffer->elem_offset, offset);
  b->data = element_pointer(e, buffer, outer->data, offset);
  bind_pointer(e, buffer, b->data);
}

LLVMValueRef emit_element_count(Emit *e, const EmitBuffer *b, int ndim) {
  LLVMValueRef count = emit_i64(e, 1);
  for (int i = 0; i < ndim; i++) count = LLVMBuildMul(e->b, count, b->shape[i], "");
  return count;
}

/// The same elements under another shape, all of it known: nothing can be outside.
static bool is_whole_view(const RlxTirBuffer *buffer) {
  int64_t mine = emit_dtype_bytes(buffer->dtype), theirs = emit_dtype_bytes(buffer->view_of->dtype);
  for (int i = 0; i < buffer->ndim; i++)
    if (buffer->shape[i]->kind != RLX_TIR_INT ||
        __builtin_mul_overflow(mine, buffer->shape[i]->integer, &mine))
      return false;
  for (int i = 0; i < buffer->view_of->ndim; i++) {
    const RlxTirExpr *x = buffer->view_of->shape[i];
    if (x->kind != RLX_TIR_INT || __builtin_mul_overflow(theirs, x->integer, &theirs)) return false;
  }
  return mine <= theirs && !buffer->view_of->strides;
}

/// Checks that a view's first and last element lie in the buffer that it is over.
static void check_view(Emit *e, const RlxTirBuffer *buffer, const EmitBuffer *b,
                       const EmitBuffer *outer, LLVMValueRef offset) {
  LLVMValueRef size = emit_i64(e, emit_dtype_bytes(buffer->dtype)), last = offset;
  LLVMValueRef ok = LLVMBuildICmp(e->b, LLVMIntSGE, offset, emit_i64(e, 0), "");
  LLVMValueRef empty = LLVMConstInt(e->i1, 0, 0), zero = emit_i64(e, 0);
  for (int i = 0; i < buffer->ndim; i++) {
    LLVMValueRef steps = LLVMBuildSub(e->b, b->shape[i], emit_i64(e, 1), "");
    last = LLVMBuildAdd(e->b, last, LLVMBuildMul(e->b, steps, b->strides[i], ""), "");
    empty = LLVMBuildOr(e->b, empty, LLVMBuildICmp(e->b, LLVMIntSLE, b->shape[i], zero, ""), "");
    ok = LLVMBuildAnd(e->b, ok, LLVMBuildICmp(e->b, LLVMIntSGE, b->strides[i], zero, ""), "");
  }
  LLVMValueRef end = LLVMBuildMul(e->b, LLVMBuildAdd(e->b, last, emit_i64(e, 1), ""), size, "");
  LLVMValueRef theirs = LLVMBuildMul(e->b, emit_element_count(e, outer, buffer->view_of->ndim),
                                     emit_i64(e, emit_dtype_bytes(buffer->view_of->dtype)), "");
  ok = LLVMBuildAnd(e->b, ok, LLVMBuildICmp(e->b, LLVMIntSLE, end, theirs, ""), "");
  LLVMValueRef extent = LLVMBuildUDiv(e->b, theirs, size, "");
  emit_check(e, LLVMBuildOr(e->b, empty, ok, ""), SITE_BOUNDS, emit_name(e, buffer->view_of->name),
             0, last, extent);
}

/// Shape and strides become values here; `data` NULL: a view of another buffer.
void emit_buffer_define(Emit *e, const RlxTirBuffer *buffer, LLVMValueRef data) {
  EmitBuffer *b = &e->buffers[buffer->id];
  if (buffer->ndim > EMIT_MAX_NDIM) {
    emit_fail(e, "buffer `%s` has more than %d dimensions", emit_name(e, buffer->name),
              EMIT_MAX_NDIM);
    return;
  }
  if (!emit_dtype_ok(buffer->dtype)) {
    emit_fail_dtype(e, buffer->dtype);
    return;
  }
  if (buffer->dtype.lanes != 1) {
    emit_fail(e, "buffer `%s` has vectors as elements, which have no code here",
              emit_name(e, buffer->name));
    return;
  }
  b->buffer = buffer;
  for (int i = 0; i < buffer->ndim; i++) b->shape[i] = emit_scalar_index(e, buffer->shape[i]);
  const EmitBuffer *outer = buffer->view_of ? &e->buffers[buffer->view_of->id] : NULL;
  if (!data && (!outer || !outer->data)) {
    emit_fail(e, "buffer `%s` has no memory here", emit_name(e, buffer->name));
    return;
  }
  if (outer) {
    b->scope = outer->scope;
    b->no_alias = outer->no_alias;
  }
  if (outer && buffer->view_origin) {
    define_match(e, buffer, b, outer);
    return;
  }
  b->data = outer ? outer->data : data;
  bind_pointer(e, buffer, b->data);
  compact_strides(e, b, buffer->ndim);
  for (int i = 0; buffer->strides && i < buffer->ndim; i++) {
    bind_if_free(e, buffer->strides[i], b->strides[i]);
    b->strides[i] = emit_scalar_index(e, buffer->strides[i]);
  }
  if (outer && !buffer->strides && !buffer->elem_offset && is_whole_view(buffer)) return;
  bind_if_free(e, buffer->elem_offset, emit_i64(e, 0));
  LLVMValueRef offset = buffer->elem_offset ? emit_scalar_index(e, buffer->elem_offset) : NULL;
  if (outer && (!e->trusted || buffer->is_checked))
    check_view(e, buffer, b, outer, offset ? offset : emit_i64(e, 0));
  if (outer && offset) b->data = element_pointer(e, buffer, b->data, offset);
}

// ---- addresses

static LLVMValueRef lane(Emit *e, Val v, int i) {
  if (v.lanes == 1) return v.v;
  if (v.is_ramp) return i ? LLVMBuildNSWAdd(e->b, v.v, emit_i64(e, v.stride * i), "") : v.v;
  return LLVMBuildExtractElement(e->b, v.v, LLVMConstInt(e->i32, (unsigned)i, 0), "");
}

/// A load or a store, and who is to be named when it leaves the buffer.
typedef struct Access {
  const RlxTirBuffer *buffer;
  RlxName operator, argument; // 0: none
  bool is_checked;
} Access;

static void fail_bounds(Emit *e, const Access *x, LLVMValueRef ok, int dim, LLVMValueRef index,
                        LLVMValueRef extent) {
  const char *what = emit_name(e, x->buffer->name);
  if (x->operator) what = x->argument ? emit_name(e, x->argument) : "the result";
  e->blamed = x->operator;
  emit_check(e, ok, x->operator&& !x->argument ? SITE_RESULT : SITE_BOUNDS, what, dim, index,
             extent);
  e->blamed = 0;
}

/// k < 0 ? k + n : k, whose reader knows k.
static bool counts_from_the_end(const RlxTirExpr *x) {
  const RlxTirExpr *cond = x->args ? x->args[0] : NULL;
  return x->kind == RLX_TIR_SELECT && cond->kind == RLX_TIR_LT && cond->args[0] == x->args[2] &&
         cond->args[1]->kind == RLX_TIR_INT && cond->args[1]->integer == 0;
}

/// True when the access is proved to be in this dimension.
static bool check_dim(Emit *e, const Access *access, int dim, const RlxTirExpr *x, Val index) {
  const RlxTirBuffer *buffer = access->buffer;
  if (e->trusted && !access->is_checked) return true;
  const EmitBuffer *b = &e->buffers[buffer->id];
  bool above, below;
  if (range_in_bounds(e, x, x->dtype.lanes, index.is_ramp ? index.stride : 1, buffer->shape[dim],
                      &above, &below))
    return true;
  Val said = index;
  if (counts_from_the_end(x)) said = emit_index(e, x->args[2]);
  if (said.lanes != index.lanes) said = index;
  int step = index.is_ramp && index.lanes > 1 ? index.lanes - 1 : 1;
  for (int i = 0; i < index.lanes; i += step) {
    LLVMValueRef at = lane(e, index, i);
    LLVMValueRef ok = LLVMBuildICmp(e->b, LLVMIntULT, at, b->shape[dim], "");
    if (above)
      ok = LLVMBuildICmp(e->b, LLVMIntSLT, at, b->shape[dim], "");
    else if (below)
      ok = LLVMBuildICmp(e->b, LLVMIntSGE, at, emit_i64(e, 0), "");
    fail_bounds(e, access, ok, dim, lane(e, said, i), b->shape[dim]);
  }
  return false;
}

void emit_bounds_assert(Emit *e, const RlxTirStmt *s) {
  const RlxTirExpr *load = s->value;
  Access access = {s->buffer, load ? load->reader : s->name, load ? load->argument : 0, true};
  LLVMValueRef at = emit_scalar_index(e, s->min), extent = emit_scalar_index(e, s->extent);
  if (e->failed) return;
  fail_bounds(e, &access, LLVMBuildICmp(e->b, LLVMIntULT, at, extent, ""), s->dim, at, extent);
}

static Val scaled(Emit *e, Val index, LLVMValueRef stride) {
  if (index.is_ramp && !LLVMIsAConstantInt(stride)) index = emit_vector(e, index, index.lanes);
  if (index.is_ramp) {
    index.stride *= LLVMConstIntGetSExtValue(stride);
    index.v = LLVMBuildNSWMul(e->b, index.v, stride, "");
  } else {
    index.v = LLVMBuildNSWMul(e->b, index.v, emit_splat(e, stride, index.lanes), "");
  }
  return index;
}

static Val sum(Emit *e, Val a, Val b) {
  if ((a.is_ramp || a.lanes == 1) && (b.is_ramp || b.lanes == 1)) {
    Val out = a.is_ramp ? a : b.is_ramp ? b : a;
    if (out.is_ramp) out.stride = (a.is_ramp ? a.stride : 0) + (b.is_ramp ? b.stride : 0);
    out.v = LLVMBuildNSWAdd(e->b, a.v, b.v, "");
    return out;
  }
  int lanes = a.lanes > b.lanes ? a.lanes : b.lanes;
  a = emit_vector(e, a, lanes);
  b = emit_vector(e, b, lanes);
  a.v = LLVMBuildNSWAdd(e->b, a.v, b.v, "");
  return a;
}

/// Offset of an element, or of each lane, in elements; checks each dimension.
static Val linear_index(Emit *e, const Access *access, RlxTirExpr *const *indices) {
  const RlxTirBuffer *buffer = access->buffer;
  const EmitBuffer *b = &e->buffers[buffer->id];
  Val at = {emit_i64(e, 0), RLX_INT64, 1, false, false, 0};
  if (!b->data) {
    emit_fail(e, "buffer `%s` is used where it is not defined", emit_name(e, buffer->name));
    return at;
  }
  bool is_proved = true;
  for (int i = 0; i < buffer->ndim && !e->failed; i++) {
    Val index = emit_index(e, indices[i]);
    is_proved &= check_dim(e, access, i, indices[i], index);
    at = sum(e, at, scaled(e, index, b->strides[i]));
  }
  ++*(is_proved ? &e->counts.proved : &e->counts.checked);
  return at;
}

LLVMValueRef emit_address(Emit *e, const RlxTirExpr *load) {
  if (load->kind != RLX_TIR_LOAD) {
    emit_fail(e, "the address of something that is not a buffer element");
    return LLVMConstNull(e->ptr);
  }
  Access access = {load->buffer, load->reader, load->argument, load->is_checked};
  Val at = linear_index(e, &access, load->args);
  if (e->failed) return LLVMConstNull(e->ptr);
  return element_pointer(e, load->buffer, e->buffers[load->buffer->id].data, lane(e, at, 0));
}

typedef struct FindBuffer {
  const Emit *e;
  const RlxTirVar *var;
  const RlxTirBuffer *found;
} FindBuffer;

static void find_in(FindBuffer *k, const RlxTirBuffer *b) {
  if (!k->found && b && b->data == k->var && !b->view_of && k->e->buffers[b->id].data) k->found = b;
}
static void find_below(FindBuffer *k, const RlxTirStmt *s) {
  if (!s || k->found) return;
  if (s->kind == RLX_TIR_ALLOC) find_in(k, s->buffer);
  for (int i = 0; s->kind == RLX_TIR_BLOCK && i < s->block->alloc_count; i++)
    find_in(k, s->block->allocs[i]);
  for (uint32_t i = 0; i < s->count; i++) find_below(k, s->body[i]);
}
const RlxTirBuffer *emit_buffer_of(const Emit *e, const RlxTirVar *var) {
  FindBuffer k = {e, var, NULL};
  for (int i = 0; i < e->f->param_count; i++) find_in(&k, e->f->params[i].buffer);
  for (int i = 0; i < e->f->root_alloc_count; i++) find_in(&k, e->f->root_allocs[i]);
  find_below(&k, e->f->body);
  return k.found;
}

Val emit_access_ptr(Emit *e, const RlxTirExpr *x) {
  Val out = {LLVMConstNull(e->ptr), rlx_dtype(RLX_DTYPE_HANDLE, 64), 1, false, false, 0};
  bool is_good = x->arg_count == 5 && x->args[0]->kind == RLX_TIR_CALL &&
                 rlx_dtype_known(x->args[0]->dtype) && x->args[1]->kind == RLX_TIR_VAR;
  const RlxTirBuffer *buffer = is_good ? emit_buffer_of(e, x->args[1]->var) : NULL;
  if (!buffer) {
    emit_fail(e, "T.tvm_access_ptr takes a type_annotation, the data of a buffer, an offset, an "
                 "extent and a mask");
    return out;
  }
  const EmitBuffer *b = &e->buffers[buffer->id];
  LLVMValueRef offset = emit_scalar_index(e, x->args[2]), count = emit_scalar_index(e, x->args[3]);
  if (e->failed) return out;
  LLVMValueRef size = emit_i64(e, emit_dtype_bytes(x->args[0]->dtype));
  LLVMValueRef end = LLVMBuildMul(e->b, LLVMBuildAdd(e->b, offset, count, ""), size, "");
  LLVMValueRef total = LLVMBuildMul(e->b, emit_element_count(e, b, buffer->ndim),
                                    emit_i64(e, emit_dtype_bytes(buffer->dtype)), "");
  LLVMValueRef ok = LLVMBuildAnd(e->b, LLVMBuildICmp(e->b, LLVMIntSGE, offset, emit_i64(e, 0), ""),
                                 LLVMBuildICmp(e->b, LLVMIntSGE, count, emit_i64(e, 0), ""), "");
  ok = LLVMBuildAnd(e->b, ok, LLVMBuildICmp(e->b, LLVMIntSLE, end, total, ""), "");
  LLVMValueRef last = LLVMBuildSub(e->b, LLVMBuildAdd(e->b, offset, count, ""), emit_i64(e, 1), "");
  emit_check(e, ok, SITE_BOUNDS, emit_name(e, buffer->name), 0, last,
             LLVMBuildUDiv(e->b, total, size, ""));
  LLVMValueRef at = LLVMBuildMul(e->b, offset, size, "");
  out.v = LLVMBuildInBoundsGEP2(e->b, e->i8, b->data, &at, 1, "");
  return out;
}

// ---- access

static LLVMValueRef load_one(Emit *e, const RlxTirBuffer *buffer, LLVMValueRef index, int lanes) {
  const EmitBuffer *b = &e->buffers[buffer->id];
  LLVMValueRef value = LLVMBuildLoad2(e->b, emit_memory_type(e, buffer->dtype, lanes),
                                      element_pointer(e, buffer, b->data, index), "");
  LLVMSetAlignment(value, emit_dtype_bytes(buffer->dtype));
  mark_access(e, value, b);
  return value;
}

static void store_one(Emit *e, const RlxTirBuffer *buffer, LLVMValueRef index, LLVMValueRef value) {
  const EmitBuffer *b = &e->buffers[buffer->id];
  LLVMValueRef store = LLVMBuildStore(e->b, value, element_pointer(e, buffer, b->data, index));
  LLVMSetAlignment(store, emit_dtype_bytes(buffer->dtype));
  mark_access(e, store, b);
}

Val emit_load(Emit *e, const RlxTirExpr *x) {
  const RlxTirBuffer *buffer = x->buffer;
  Access access = {buffer, x->reader, x->argument, x->is_checked};
  Val at = linear_index(e, &access, x->args);
  RlxDType t = buffer->dtype;
  t.lanes = 1;
  Val out = {NULL, t, at.lanes, false, false, 0};
  if (e->failed) {
    out.lanes = 1;
    out.v = LLVMConstNull(e->i32);
    return out;
  }
  if (at.lanes == 1 || (at.is_ramp && at.stride == 1)) {
    out.v = load_one(e, buffer, at.v, at.lanes);
  } else {
    out.v = LLVMGetPoison(emit_memory_type(e, t, at.lanes));
    for (int i = 0; i < at.lanes; i++)
      out.v = LLVMBuildInsertElement(e->b, out.v, load_one(e, buffer, lane(e, at, i), 1),
                                     LLVMConstInt(e->i32, (unsigned)i, 0), "");
  }
  out.v = emit_from_memory(e, out.v, t, out.lanes);
  return out;
}

void emit_store(Emit *e, const RlxTirStmt *s) {
  const RlxTirBuffer *buffer = s->buffer;
  const RlxTirExpr *x = s->value;
  Access access = {buffer, s->name, 0, s->is_checked};
  Val value = emit_expr(e, x); // before the address: TVM evaluates the value first
  if (e->failed) return;
  value = emit_cast(e, value, buffer->dtype);
  Val at = linear_index(e, &access, s->indices);
  if (e->failed) return;
  value = emit_vector(e, value, at.lanes);
  if (value.lanes != at.lanes) {
    emit_fail(e, "a vector of %d lanes is stored to %d places of `%s`", value.lanes, at.lanes,
              emit_name(e, buffer->name));
    return;
  }
  LLVMValueRef memory = emit_to_memory(e, value.v, buffer->dtype, value.lanes);
  if (at.lanes == 1 || (at.is_ramp && at.stride == 1)) {
    store_one(e, buffer, at.v, memory);
    return;
  }
  for (int i = 0; i < at.lanes; i++)
    store_one(e, buffer, lane(e, at, i),
              LLVMBuildExtractElement(e->b, memory, LLVMConstInt(e->i32, (unsigned)i, 0), ""));
}
