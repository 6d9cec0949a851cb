/// What the tests of evaluation share: a script, its program, calls with literals.
#ifndef RLX_TESTS_JIT_RIG_H
#define RLX_TESTS_JIT_RIG_H

#include <stdlib.h>
#include <string.h>

#include "jit/jit.h"
#include "jit/runtime/format.h"
#include "tests/test.h"

typedef struct Rig {
  RlxAnalyzer *analyzer;
  RlxFile *file;
  RlxJit *jit;
  RlxProgram *program;
} Rig;

static inline bool has_llvm(void) {
  RlxError err;
  return rlx_llvm_load(&err) != NULL;
}

static inline Rig rig_open_with(const char *source, const RlxJitOptions *options) {
  Rig r = {.analyzer = rlx_analyzer_new(NULL)};
  r.file = rlx_file_open(r.analyzer, source, (uint32_t)strlen(source));
  r.jit = rlx_jit_new(rlx_analyzer_store(r.analyzer), options);
  r.program = rlx_program_new(r.jit, r.file);
  return r;
}

static inline Rig rig_open(const char *source) { return rig_open_with(source, NULL); }

static inline void rig_close(Rig *r) {
  rlx_program_free(r->program);
  assert_int_equal(rlx_heap_used_bytes(rlx_jit_heap(r->jit)), 0); // every value is gone
  rlx_jit_free(r->jit);
  rlx_file_close(r->file);
  rlx_analyzer_free(r->analyzer);
}

/// The result of `function`, which gives one.
static inline RlxObject *call(Rig *r, const char *function, RlxObject **args, int count) {
  RlxName name = rlx_store_intern(rlx_analyzer_store(r->analyzer), function, strlen(function));
  RlxRunError err = {0};
  assert_true(rlx_program_prepare(r->program, name, &err));
  RlxObject *x = rlx_program_call(r->program, name, args, count, &err);
  assert_non_null(x);
  return x;
}

/// The printed result of `function`, or "error: …"; `once`: of its plan, carried out step by step.
static inline char *run_as(Rig *r, const char *function, const char *const *literals, int count,
                           bool once) {
  RlxName name = rlx_store_intern(rlx_analyzer_store(r->analyzer), function, strlen(function));
  RlxRunError err = {0};
  RlxObject *args[8];
  RlxBuf out = {0};
  for (int i = 0; i < count; i++) {
    args[i] = rlx_object_parse(rlx_jit_heap(r->jit), literals[i], rlx_dtype_unknown(), &err.error);
    assert_non_null(args[i]);
  }
  bool ok = once ? rlx_program_prepare_once(r->program, name, &err)
                 : rlx_program_prepare(r->program, name, &err);
  RlxObject *x = ok ? rlx_program_call(r->program, name, args, count, &err) : NULL;
  if (x)
    rlx_object_print(x, &out);
  else
    rlx_buf_printf(&out, "error: %s", err.error.text);
  rlx_object_unref(x);
  for (int i = 0; i < count; i++) rlx_object_unref(args[i]);
  return rlx_buf_steal(&out);
}

static inline char *run(Rig *r, const char *function, const char *const *literals, int count) {
  return run_as(r, function, literals, count, false);
}

/// Both ways to run give `want`.
static inline void gives(Rig *r, const char *function, const char *const *literals, int count,
                         const char *want) {
  for (int once = 1; once >= 0; once--) {
    char *got = run_as(r, function, literals, count, once);
    assert_string_equal(got, want);
    free(got);
  }
}
#define GIVES(r, function, want, ...)                                                              \
  gives(r, function, (const char *const[]){__VA_ARGS__},                                           \
        (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)), want)

#define HEADER "from tvm.script import ir as I, relax as R, tir as T\n"
#define NEEDS_LLVM()                                                                               \
  do {                                                                                             \
    (void)state;                                                                                   \
    if (!has_llvm()) skip();                                                                       \
  } while (0)

#endif
