/// Any bytes as a script of PrimFuncs: each that has no error and only buffers and numbers as
/// parameters is compiled and called in a worker, with zeros. The worker ends in time; it dies only
/// where the script asked for something that nobody can check: a pointer or a C function.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "jit/jit.h"
#include "jit/worker.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { ARGS_MOST = 8, MILLION = 1000000 };

/// Words of what reaches memory without a check.
static const char *const unchecked[] = {
    "access_ptr",   "address_of", "extern",      "packed", "handle",    "data",  "tvm_",
    "Ptr",          "call_",      "reinterpret", "tvm.",   "match_buf", "decl_", "intrin",
    "buffer_store", "ptx",        "Broadcast",   "stack",  "undef",     "ret("};

static bool is_checked(const char *text) {
  for (size_t i = 0; i < sizeof unchecked / sizeof *unchecked; i++)
    if (strstr(text, unchecked[i])) return false;
  return true;
}

/// A tensor of zeros, or a small number, for a parameter; NULL when its description does not say
/// which.
static RlxObject *zeros(RlxHeap *heap, const RlxSInfo *want, RlxDType dtype) {
  int64_t dims[8];
  RlxDType t = want && rlx_dtype_known(want->dtype) ? want->dtype : dtype;
  if (!rlx_dtype_known(t) || t.lanes > 1) return NULL;
  if (want && want->kind == RLX_SINFO_PRIM)
    return rlx_dtype_is_float(t) ? rlx_float_new(heap, 1, t) : rlx_int_new(heap, 3, t);
  if (want && (want->kind != RLX_SINFO_TENSOR || !want->dims || want->ndim > 8)) return NULL;
  int64_t count = 1;
  int ndim = want ? want->ndim : 0;
  for (int i = 0; i < ndim; i++) {
    if (!rlx_prim_is_const(want->dims[i], &dims[i])) dims[i] = 3;
    if (dims[i] < 0 || dims[i] > MILLION || (count *= dims[i]) > MILLION) return NULL;
  }
  RlxError err;
  RlxObject *x = rlx_tensor_new(heap, t, dims, ndim, &err);
  if (x) memset(x->data, 0, (size_t)rlx_tensor_bytes(x));
  return x;
}

static void call(RlxJit *jit, RlxProgram *program, RlxName name, bool may_die) {
  RlxRunError err = {0};
  if (!rlx_program_plan(program, name, &err)) return;
  RlxObject *args[ARGS_MOST] = {0};
  int count = rlx_program_param_count(program, name);
  bool ok = count <= ARGS_MOST;
  for (int i = 0; ok && i < count; i++) {
    const RlxSInfo *want;
    RlxDType dtype;
    rlx_program_param(program, name, i, &want, &dtype);
    args[i] = zeros(rlx_jit_heap(jit), want, dtype);
    ok = args[i] != NULL;
  }
  if (ok && rlx_program_prepare(program, name, &err)) {
    RlxConfinement limits = rlx_confinement_default();
    limits.memory_bytes = (int64_t)1 << 30;
    RlxWorkerOptions options = {.limit_seconds = 1, .confinement = &limits};
    RlxWorkerResult result;
    rlx_worker_call(jit, program, name, args, count, &options, &result);
    if (result.outcome == RLX_OUTCOME_CRASHED && !may_die) {
      fprintf(stderr, "%s\n", result.error.error.text);
      abort();
    }
    if (result.outcome == RLX_OUTCOME_DONE) rlx_object_unref(result.value);
  }
  for (int i = 0; i < ARGS_MOST; i++) rlx_object_unref(args[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
  if (size > 8192) return 0;
  char *text = calloc(size + 1, 1);
  memcpy(text, bytes, size);
  RlxAnalyzer *analyzer = rlx_analyzer_new(NULL);
  RlxFile *file = rlx_file_open(analyzer, text, (uint32_t)size);
  RlxFileDiags diags = {0};
  rlx_file_diags(file, &diags);
  bool fine = true;
  for (uint32_t i = 0; i < diags.count; i++) fine &= diags.at[i].diag->severity != RLX_ERROR;
  rlx_vec_free(&diags);
  if (fine) {
    RlxJit *jit = rlx_jit_new(rlx_analyzer_store(analyzer), NULL);
    RlxProgram *program = rlx_program_new(jit, file);
    RlxFunctionViews views = {0};
    rlx_file_functions(file, &views);
    for (uint32_t i = 0; i < views.count && i < 4; i++)
      if (rlx_program_has(program, views.at[i].name))
        call(jit, program, views.at[i].name, !is_checked(text));
    rlx_vec_free(&views);
    rlx_program_free(program);
    rlx_jit_free(jit);
  }
  rlx_file_close(file);
  rlx_analyzer_free(analyzer);
  free(text);
  return 0;
}
