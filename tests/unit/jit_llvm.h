/// What the code generator's tests share: an engine for the whole program, short constructors,
/// compile and run. Everything is skipped with a message when the plug-in or LLVM is not there.
#ifndef RLX_TESTS_UNIT_CODEGEN_H
#define RLX_TESTS_UNIT_CODEGEN_H

#include <math.h>
#include <string.h>

#include "jit/codegen/codegen.h"
#include "jit/runtime/context.h"
#include "tests/test.h"

typedef struct Rig {
  const RlxLlvmApi *api;
  RlxEngine *engine;
  RlxKernelContext *ctx;
  RlxInterner *names;
  RlxCode *code; // of the last compile
} Rig;

static Rig rig;

static inline int rig_up(void **state) {
  (void)state;
  RlxError err = {0};
  rig.api = rlx_llvm_load(&err);
  if (!rig.api) {
    printf("no code generator: %s\n", err.text);
    return 0;
  }
  RlxEngineOptions options = {.opt_level = 2, .verify = true};
  rig.engine = rig.api->engine_new(&options, &err);
  if (!rig.engine) {
    printf("%s\n", err.text);
    return -1;
  }
  rig.ctx = rlx_context_new(2);
  rig.names = rlx_interner_new();
  return 0;
}

static inline int rig_down(void **state) {
  (void)state;
  if (!rig.api) return 0;
  rig.api->code_free(rig.code);
  rig.api->engine_free(rig.engine);
  rlx_context_free(rig.ctx);
  rlx_interner_free(rig.names);
  return 0;
}

#define NEEDS_LLVM()                                                                               \
  do {                                                                                             \
    (void)state;                                                                                   \
    if (!rig.api) skip();                                                                          \
  } while (0)

static inline RlxName name_of(const char *text) { return rlx_intern_text(rig.names, text); }

/// Compiles `f` (freed here) alone; the kernel lives until the next compile.
static inline RlxKernelFn *compiled(RlxPrimFunc *f, bool trusted) {
  RlxError err = {0};
  RlxUnitFunc func = {.func = f, .symbol = "f", .trusted = trusted};
  RlxUnit unit = {.names = rig.names, .funcs = &func, .func_count = 1};
  rig.api->code_free(rig.code);
  rig.code = rig.api->compile(rig.engine, &unit, &err);
  if (!rig.code) printf("compile: %s\n", err.text);
  rlx_primfunc_free(f);
  return rig.code ? rig.api->kernel(rig.code, "f") : NULL;
}

// ---- constructors
static inline RlxTirExpr *i64(RlxPrimFunc *f, int64_t v) { return rlx_tir_int(f, v, RLX_INT64); }
static inline RlxTirExpr *use(RlxPrimFunc *f, RlxTirVar *v) { return rlx_tir_var_expr(f, v); }
static inline RlxTirVar *index_var(RlxPrimFunc *f, const char *name) {
  return rlx_tir_var(f, name_of(name), RLX_INT64);
}
static inline RlxTirBuffer *buffer1(RlxPrimFunc *f, const char *name, RlxDType t, RlxTirExpr *n) {
  return rlx_tir_buffer(f, name_of(name), t, &n, 1);
}
static inline RlxTirBuffer *param1(RlxPrimFunc *f, const char *name, RlxDType t, RlxTirExpr *n) {
  RlxTirBuffer *b = buffer1(f, name, t, n);
  rlx_primfunc_add_buffer(f, b);
  return b;
}
static inline RlxTirBuffer *param2(RlxPrimFunc *f, const char *name, RlxDType t, RlxTirExpr *n,
                                   RlxTirExpr *m) {
  RlxTirExpr *shape[2] = {n, m};
  RlxTirBuffer *b = rlx_tir_buffer(f, name_of(name), t, shape, 2);
  rlx_primfunc_add_buffer(f, b);
  return b;
}
static inline RlxTirExpr *load1(RlxPrimFunc *f, RlxTirBuffer *b, RlxTirExpr *i) {
  return rlx_tir_load(f, b, &i);
}
static inline RlxTirExpr *load2(RlxPrimFunc *f, RlxTirBuffer *b, RlxTirExpr *i, RlxTirExpr *j) {
  RlxTirExpr *at[2] = {i, j};
  return rlx_tir_load(f, b, at);
}
static inline RlxTirStmt *store1(RlxPrimFunc *f, RlxTirBuffer *b, RlxTirExpr *i, RlxTirExpr *v) {
  return rlx_tir_store(f, b, &i, v);
}
static inline RlxTirStmt *store2(RlxPrimFunc *f, RlxTirBuffer *b, RlxTirExpr *i, RlxTirExpr *j,
                                 RlxTirExpr *v) {
  RlxTirExpr *at[2] = {i, j};
  return rlx_tir_store(f, b, at, v);
}
static inline RlxTirExpr *bin(RlxPrimFunc *f, RlxTirExprKind kind, RlxTirExpr *a, RlxTirExpr *b) {
  return rlx_tir_binary(f, kind, a, b);
}
static inline RlxTirStmt *loop(RlxPrimFunc *f, RlxTirVar *v, RlxTirExpr *n, RlxTirStmt *body) {
  return rlx_tir_for(f, v, n, RLX_FOR_SERIAL, body);
}

#endif
