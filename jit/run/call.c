/// Calling functions with values: plans, PrimFuncs by name, extern functions.
///
/// Always true: a body runs only after its arguments were found to be what its parameters say.
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/nearest.h"
#include "jit/run/run.h"

// ---- plans

/// The number that an argument is passed as; false when it is no tensor of that kind.
static bool unbox(const RlxObject *x, RlxDType want, int64_t *out) {
  if (!x || x->kind != RLX_OBJECT_TENSOR || x->count || !rlx_dtype_equal(x->dtype, want))
    return false;
  *out = 0;
  memcpy(out, x->data, rlx_dtype_bytes(want));
  return true;
}

/// Says which argument is wrong; false when none is.
static bool wrong_argument(Plan *plan, RlxObject *const *args, RlxObject *closure) {
  RlxObject **regs = rlx_mem_zeroed((size_t)plan->reg_count + 1, sizeof *regs);
  int64_t *slots = rlx_mem_zeroed((size_t)plan->slot_count + 1, sizeof *slots);
  bool *is_set = rlx_mem_zeroed((size_t)plan->slot_count + 1, sizeof *is_set);
  Frame f = {plan, regs, slots, is_set, closure};
  for (uint32_t i = 0; i < plan->function->param_count; i++) regs[i] = args[i];
  for (uint32_t i = 0; closure && i < plan->sym_captures.count; i++) {
    slots[plan->sym_captures.at[i].slot] = closure->fields[plan->captures.count + i]->integer;
    is_set[plan->sym_captures.at[i].slot] = true;
  }
  bool fits = rlx_frame_enter(&f);
  free(regs);
  free(slots);
  free(is_set);
  return !fits;
}

static RlxObject *run_plan(Plan *plan, RlxObject *const *args, int count, RlxObject *closure,
                           RlxRunError *err) {
  RlxProgram *program = plan->program;
  const RlxFunction *fn = plan->function;
  if (count != (int)fn->param_count)
    return rlx_error_set(&err->error, "%s: takes %u arguments, %d were given", plan->name,
                         fn->param_count, count),
           NULL;
  if (!plan->body && !plan->is_interpreted && !rlx_program_compile(program, &err->error))
    return NULL;
  RlxRunError *outer = program->error;
  program->error = err;
  int64_t inline_bits[16],
      *bits = count <= 16 ? inline_bits : rlx_mem_zeroed((size_t)count, sizeof *bits);
  BodyResult result = {0};
  bool fits = true;
  for (int i = 0; i < count; i++) {
    RlxDType t = rlx_scalar_dtype(plan->params[i].sinfo);
    if (!args[i]) {
      rlx_error_set(&err->error, "%s: parameter %s has no value", plan->name,
                    rlx_store_text(program->store, fn->params[i]->name));
      goto done;
    }
    if (rlx_dtype_known(t))
      fits &= unbox(args[i], t, &bits[i]);
    else
      bits[i] = (int64_t)(intptr_t)args[i];
  }
  if (fits || !wrong_argument(plan, args, closure))
    result = plan->body ? plan->body->entry(plan, closure, bits)
                        : program->jit->interpret(plan, closure, bits);
done:
  if (bits != inline_bits) free(bits);
  program->error = outer;
  if (!result.ok) return NULL;
  RlxDType t = plan->ret ? rlx_scalar_dtype(plan->ret->sinfo) : rlx_dtype_unknown();
  if (!rlx_dtype_known(t)) return (RlxObject *)(intptr_t)result.value;
  RlxObject *x = rlx_tensor_new(program->jit->heap, t, NULL, 0, &err->error);
  if (x) memcpy(x->data, &result.value, rlx_dtype_bytes(t));
  return x;
}

// ---- PrimFuncs

/// Puts the PrimFunc's name before the reason, which its kernel may have named already.
static void blame(RlxError *err, const char *name) {
  const size_t size = strlen(name);
  if (strncmp(err->text, name, size) != 0 || strncmp(err->text + size, ": ", 2) != 0)
    rlx_error_prefix(err, "%s", name);
}

/// What a PrimFunc gives to the script that calls it is the empty tuple, as its StructInfo says: it
/// has written to its arguments. Whoever evaluates it from outside (`gives_buffers`) gets those that
/// it writes to.
static RlxObject *call_prim(RlxProgram *program, Entry *entry, RlxObject *const *args, int count,
                            bool gives_buffers, RlxRunError *err) {
  RlxPrimFunc *f = entry->prim;
  const char *name = rlx_store_text(program->store, entry->name);
  if (!rlx_entry_intern(entry, err) || !rlx_kernels_compile(program->jit, &err->error)) return NULL;
  if (count != f->param_count)
    return rlx_error_set(&err->error, "%s takes %d arguments, %d were given", name, f->param_count,
                         count),
           NULL;
  RlxObject **tensors = rlx_mem_zeroed((size_t)count + 1, sizeof *tensors),
            **out = rlx_mem_zeroed((size_t)count + 1, sizeof *out), *result = NULL;
  int64_t *scalars = rlx_mem_zeroed((size_t)count + 1, sizeof *scalars);
  int tensor_count = 0, scalar_count = 0, out_count = 0;
  bool ok = true;
  for (int i = 0; i < count && ok; i++) {
    if (f->params[i].buffer) {
      if (args[i]->kind != RLX_OBJECT_TENSOR)
        ok = rlx_error_set(&err->error, "%s: parameter %d is no tensor", name, i);
      tensors[tensor_count++] = args[i];
      if (entry->written[i]) {
        out[out_count++] = args[i];
        if (args[i]->kind == RLX_OBJECT_TENSOR && args[i]->storage)
          args[i]->storage->is_written = true;
      }
    } else if (args[i]->kind == RLX_OBJECT_INT)
      scalars[scalar_count++] = args[i]->integer;
    else if (args[i]->kind == RLX_OBJECT_TENSOR && args[i]->count == 0) {
      if (rlx_dtype_is_float(f->params[i].var->dtype)) {
        double v = rlx_element_number(args[i]->data, args[i]->dtype, 0);
        memcpy(&scalars[scalar_count++], &v, sizeof v);
      } else
        scalars[scalar_count++] = rlx_element_integer(args[i]->data, args[i]->dtype, 0);
    } else
      ok = rlx_error_set(&err->error, "%s: parameter %d is no number", name, i);
  }
  if (ok && rlx_kernel_call(program, entry->call, tensors, scalars, &err->error))
    result = rlx_tuple_new(program->jit->heap, out, gives_buffers ? out_count : 0);
  else
    blame(&err->error, name);
  free(tensors);
  free(out);
  free(scalars);
  return result;
}

// ---- functions that a script calls by name

static RlxObject *extern_copy(RlxProgram *program, RlxObject *const *args, int count,
                              RlxError *err) {
  if (count < 1 || args[0]->kind != RLX_OBJECT_TENSOR)
    return rlx_error_set(err, "it takes a tensor"), NULL;
  RlxObject *x =
      rlx_tensor_new(program->jit->heap, args[0]->dtype, args[0]->dims, args[0]->count, err);
  if (x) memcpy(x->data, args[0]->data, (size_t)rlx_tensor_bytes(x));
  return x;
}
static RlxObject *extern_shape_of(RlxProgram *program, RlxObject *const *args, int count,
                                  RlxError *err) {
  if (count < 1 || args[0]->kind != RLX_OBJECT_TENSOR)
    return rlx_error_set(err, "it takes a tensor"), NULL;
  return rlx_shape_new(program->jit->heap, args[0]->dims, args[0]->count);
}
static RlxObject *extern_reshape(RlxProgram *program, RlxObject *const *args, int count,
                                 RlxError *err) {
  if (count < 2 || args[0]->kind != RLX_OBJECT_TENSOR || args[1]->kind != RLX_OBJECT_SHAPE)
    return rlx_error_set(err, "it takes a tensor and a shape"), NULL;
  return rlx_tensor_view(program->jit->heap, args[0], args[0]->dtype, args[1]->dims, args[1]->count,
                         0, err);
}
static RlxObject *extern_make_tuple(RlxProgram *program, RlxObject *const *args, int count,
                                    RlxError *err) {
  (void)err;
  return rlx_tuple_new(program->jit->heap, args, count);
}
static RlxObject *extern_tuple_getitem(RlxProgram *program, RlxObject *const *args, int count,
                                       RlxError *err) {
  (void)program;
  if (count < 2 || args[0]->kind != RLX_OBJECT_TUPLE || args[1]->kind != RLX_OBJECT_INT ||
      args[1]->integer < 0 || args[1]->integer >= args[0]->count)
    return rlx_error_set(err, "it takes a tuple and an index inside of it"), NULL;
  return rlx_object_ref(args[0]->fields[args[1]->integer]);
}

static RlxObject *extern_null(RlxProgram *program, RlxObject *const *args, int count,
                              RlxError *err) {
  (void)args, (void)count, (void)err;
  return rlx_null_new(program->jit->heap);
}
static RlxObject *extern_same(RlxProgram *program, RlxObject *const *args, int count,
                              RlxError *err) {
  (void)program;
  if (count < 1) return rlx_error_set(err, "it takes a value"), NULL;
  return rlx_object_ref(args[0]);
}
/// (shape of bytes, device, dtype, scope): the memory.
static RlxObject *extern_alloc_storage(RlxProgram *program, RlxObject *const *args, int count,
                                       RlxError *err) {
  int64_t bytes = 1;
  bool ok = count >= 1 && args[0]->kind == RLX_OBJECT_SHAPE && args[0]->count >= 1;
  for (int i = 0; ok && i < args[0]->count; i++)
    ok = !__builtin_mul_overflow(bytes, args[0]->dims[i], &bytes) && bytes >= 0;
  RlxStorage *s = ok ? rlx_storage_new(program->jit->heap, bytes) : NULL;
  if (!s) return rlx_error_set(err, "it takes a shape of bytes that there is memory for"), NULL;
  memset(s->data, 0, (size_t)s->bytes);
  return rlx_storage_object(program->jit->heap, s);
}
/// (storage, first byte, shape, dtype): a tensor there.
static RlxObject *extern_alloc_tensor(RlxProgram *program, RlxObject *const *args, int count,
                                      RlxError *err) {
  if (count < 4 || args[0]->kind != RLX_OBJECT_STORAGE || args[1]->kind != RLX_OBJECT_INT ||
      args[2]->kind != RLX_OBJECT_SHAPE || args[3]->kind != RLX_OBJECT_DTYPE)
    return rlx_error_set(err, "it takes a storage, an offset, a shape and a dtype"), NULL;
  int64_t bytes = rlx_dtype_bytes(args[3]->dtype), at = args[1]->integer;
  bool fits = true;
  for (int i = 0; i < args[2]->count; i++)
    fits &= args[2]->dims[i] >= 0 && !__builtin_mul_overflow(bytes, args[2]->dims[i], &bytes);
  if (!fits || at < 0 || bytes > args[0]->storage->bytes || at > args[0]->storage->bytes - bytes)
    return rlx_error_set(err, "the tensor does not fit into its storage"), NULL;
  return rlx_tensor_in(program->jit->heap, args[0]->storage, at, args[3]->dtype, args[2]->dims,
                       args[2]->count);
}

static RlxObject *extern_shape_to_tensor(RlxProgram *program, RlxObject *const *args, int count,
                                         RlxError *err) {
  if (count < 1 || args[0]->kind != RLX_OBJECT_SHAPE)
    return rlx_error_set(err, "it takes a shape"), NULL;
  return rlx_shape_to_tensor(program->jit->heap, args[0], err);
}
static RlxObject *extern_nonzero(RlxProgram *program, RlxObject *const *args, int count,
                                 RlxError *err) {
  if (count < 1 || args[0]->kind != RLX_OBJECT_TENSOR)
    return rlx_error_set(err, "it takes a tensor"), NULL;
  return rlx_nonzero(program->jit->heap, args[0], err);
}
/// (tensor, sorted, return_index, return_inverse, return_counts, axis): the axis may be left out, or null.
static RlxObject *extern_unique(RlxProgram *program, RlxObject *const *args, int count,
                                RlxError *err) {
  bool ok = count >= 5 && args[0]->kind == RLX_OBJECT_TENSOR;
  for (int i = 1; ok && i < 5; i++) ok = args[i]->kind == RLX_OBJECT_INT;
  const RlxObject *axis = ok && count > 5 && args[5]->kind == RLX_OBJECT_INT ? args[5] : NULL;
  const int64_t at = axis && axis->integer < 0 ? axis->integer + args[0]->count
                     : axis                    ? axis->integer
                                               : -1;
  if (!ok || (axis && (at < 0 || at >= args[0]->count)))
    return rlx_error_set(err, "it takes a tensor, four numbers and an axis of it"), NULL;
  const RlxUnique how = {(int)at, args[1]->integer != 0, args[2]->integer != 0,
                         args[3]->integer != 0, args[4]->integer != 0};
  return rlx_unique(program->jit->heap, args[0], &how, err);
}

/// (format, values…)
static RlxObject *extern_print(RlxProgram *program, RlxObject *const *args, int count,
                               RlxError *err) {
  if (count < 1 || args[0]->kind != RLX_OBJECT_STRING)
    return rlx_error_set(err, "it takes a format and values"), NULL;
  RlxBuf text = {0};
  rlx_format_values(args[0]->text, args + 1, count - 1, &text);
  fprintf(stderr, "%s\n", rlx_buf_text(&text));
  rlx_buf_free(&text);
  return rlx_tuple_new(program->jit->heap, NULL, 0);
}
/// (condition, format, values…)
static RlxObject *extern_assert(RlxProgram *program, RlxObject *const *args, int count,
                                RlxError *err) {
  if (count < 2 || args[1]->kind != RLX_OBJECT_STRING)
    return rlx_error_set(err, "it takes a condition, a format and values"), NULL;
  if (rlx_assertion_holds(args[0])) return rlx_tuple_new(program->jit->heap, NULL, 0);
  RlxBuf text = {0};
  if (*args[1]->text) rlx_format_values(args[1]->text, args + 2, count - 2, &text);
  rlx_assertion_fail(rlx_buf_text(&text), err);
  rlx_buf_free(&text);
  return NULL;
}

static const struct {
  const char *name;
  RlxObject *(*run)(RlxProgram *program, RlxObject *const *args, int count, RlxError *err);
} externs[] = {
    {"vm.builtin.copy", extern_copy},
    {"vm.builtin.null_value", extern_null},
    {"vm.builtin.to_device", extern_same},
    {"vm.builtin.ensure_zero_offset", extern_same},
    {"vm.builtin.alloc_storage", extern_alloc_storage},
    {"vm.builtin.alloc_tensor", extern_alloc_tensor},
    {"vm.builtin.shape_of", extern_shape_of},
    {"vm.builtin.reshape", extern_reshape},
    {"vm.builtin.make_tuple", extern_make_tuple},
    {"vm.builtin.tuple_getitem", extern_tuple_getitem},
    {"relax.run.shape_to_tensor", extern_shape_to_tensor},
    {"relax.run.nonzero", extern_nonzero},
    {"relax.run.unique", extern_unique},
    {"relax.run.print", extern_print},
    {"relax.run.assert_op", extern_assert},
};

Entry *rlx_extern_entry(RlxProgram *program, const char *name) {
  RlxName id = rlx_store_intern(program->store, name, strlen(name));
  for (uint32_t i = 0; i < program->jit->supplies.count; i++) {
    RlxProgram *other = program->jit->supplies.at[i].program;
    Entry *entry = other && other != program ? rlx_program_symbol(other, id) : NULL;
    if (!entry && other && other != program) entry = rlx_program_entry(other, id);
    if (!entry) continue;
    other->calls_left = program->calls_left;
    other->stack_end = program->stack_end;
    return entry;
  }
  return NULL;
}

RlxObject *rlx_extern_call(RlxProgram *program, const char *name, RlxObject *const *args, int count,
                           RlxError *err) {
  for (size_t i = 0; i < sizeof externs / sizeof *externs; i++) {
    if (strcmp(externs[i].name, name)) continue;
    RlxObject *x = externs[i].run(program, args, count, err);
    if (!x) rlx_error_prefix(err, "%s", name);
    return x;
  }
  RlxName id = rlx_store_intern(program->store, name, strlen(name));
  Entry *entry = rlx_program_symbol(program, id);
  if (entry) {
    RlxRunError inner = {0};
    RlxObject *x = rlx_entry_call(entry, args, count, NULL, &inner);
    if (!x) *err = inner.error;
    return x;
  }
  Entry *supplied = rlx_extern_entry(program, name);
  void *function = supplied ? NULL : rlx_ffi_find(program->jit, name);
  if (supplied || function) {
    RlxRunError inner = {0};
    RlxObject *x = supplied ? rlx_entry_call(supplied, args, count, NULL, &inner)
                            : rlx_ffi_call(program->jit->heap, function, args, count, &inner.error);
    if (!x) *err = inner.error;
    if (!x && function) rlx_error_prefix(err, "%s", name);
    return x;
  }
  RlxNearest nearest = rlx_nearest_start(name);
  for (size_t i = 0; i < sizeof externs / sizeof *externs; i++)
    rlx_nearest_try(&nearest, externs[i].name);
  for (uint32_t i = 0; i < program->views.count; i++)
    rlx_nearest_try(&nearest, rlx_store_text(program->store, program->views.at[i].name));
  for (uint32_t i = 0; i < program->entries.count; i++)
    if (program->entries.at[i]->symbol) rlx_nearest_try(&nearest, program->entries.at[i]->symbol);
  rlx_error_code(err, rlx_diag_row(RLX_DIAG_ID(EXTERN_UNKNOWN))->code);
  if (nearest.best)
    rlx_error_set(err, "there is no extern function \"%s\"; did you mean \"%s\"?", name,
                  nearest.best);
  else
    rlx_error_set(err,
                  "there is no extern function \"%s\"; `--with FILE` gives it: a script that has a "
                  "function of that name, or a shared library",
                  name);
  return NULL;
}

RlxObject *rlx_entry_call(Entry *entry, RlxObject *const *args, int count, RlxObject *closure,
                          RlxRunError *err) {
  RlxProgram *program = entry->program;
  if (entry->kind == ENTRY_EXTERN)
    return rlx_extern_call(program, entry->text, args, count, &err->error);
  if (entry->kind == RLX_ISLAND_PRIM_FUNC)
    return call_prim(program, entry, args, count, false, err);
  if (!entry->plan &&
      (!rlx_plan_build(program, entry, err) || !rlx_program_compile(program, &err->error)))
    return NULL;
  return run_plan(entry->plan, args, count, closure, err);
}

RlxObject *rlx_entry_evaluate(Entry *entry, RlxObject *const *args, int count, RlxRunError *err) {
  return entry->kind == RLX_ISLAND_PRIM_FUNC
             ? call_prim(entry->program, entry, args, count, true, err)
             : rlx_entry_call(entry, args, count, NULL, err);
}
