/// Views of what functions become: PrimFuncs after legalization, LLVM IR, assembly; and the
/// dataflow graph.
///
/// Always true: nothing of the script is run. Compilation happens in a process of its own, with
/// limits.
#include "analyzer/ask/graph.h"
#include "jit/jit.h"
#include "server/methods/commands.h"
#include "server/session/child.h"

typedef struct Compile {
  RlxServer *server;
  const RlxCommandCall *call;
  RlxProgramText kind;
} Compile;

/// One function; in the view of a whole document with its name above it, and with the error in its
/// place when it has one.
static bool compile_one(const Compile *c, RlxProgram *program, const RlxFunctionView *view,
                        RlxBuf *out, RlxError *err) {
  const RlxStore *store = rlx_analyzer_store(c->server->analyzer);
  const char *comment = c->kind == RLX_PROGRAM_LLVM ? ";" : "#";
  RlxRunError error = {0};
  bool is_whole = !c->call->function;
  if (is_whole) rlx_buf_printf(out, "%s %s\n", comment, rlx_store_text(store, view->name));
  bool ok = rlx_program_text(program, view->name, c->kind, out, &error);
  if (!ok && is_whole)
    rlx_buf_printf(out, "%s error: %s\n", comment, error.error.text);
  else if (!ok)
    return rlx_error_set(err, "%s", error.error.text);
  if (is_whole) rlx_buf_putc(out, '\n');
  return true;
}

static bool compile(void *data, RlxBuf *out, RlxError *err) {
  const Compile *c = data;
  RlxJitOptions options = {.threads = 1};
  RlxJit *jit = rlx_jit_new(rlx_analyzer_store(c->server->analyzer), &options);
  RlxProgram *program = rlx_program_new(jit, c->call->file->file);
  bool ok = true;
  if (c->call->function) ok = compile_one(c, program, c->call->function, out, err);
  for (uint32_t i = 0; !c->call->function && i < c->call->functions->count; i++) {
    const RlxFunctionView *view = &c->call->functions->at[i];
    if (view->kind == RLX_ISLAND_RELAX || view->kind == RLX_ISLAND_PRIM_FUNC)
      compile_one(c, program, view, out, err);
  }
  rlx_program_free(program);
  rlx_jit_free(jit);
  return ok;
}

static RlxRpcCode view_compiled(RlxServer *server, const RlxCommandCall *call, RlxProgramText kind,
                                RlxBuf *text) {
  Compile c = {server, call, kind};
  return rlx_server_in_child(server, compile, &c, text);
}

RlxRpcCode rlx_command_view_tir(RlxServer *server, const RlxCommandCall *call, RlxBuf *text) {
  return view_compiled(server, call, RLX_PROGRAM_TIR, text);
}

RlxRpcCode rlx_command_view_llvm(RlxServer *server, const RlxCommandCall *call, RlxBuf *text) {
  return view_compiled(server, call, RLX_PROGRAM_LLVM, text);
}

RlxRpcCode rlx_command_view_asm(RlxServer *server, const RlxCommandCall *call, RlxBuf *text) {
  return view_compiled(server, call, RLX_PROGRAM_ASM, text);
}

/// DOT: one digraph for each Relax function.
RlxRpcCode rlx_command_view_graph(RlxServer *server, const RlxCommandCall *call, RlxBuf *text) {
  const RlxStore *store = rlx_analyzer_store(server->analyzer);
  if (call->function && call->function->kind != RLX_ISLAND_RELAX) {
    server->error = "params.arguments[0].function names no Relax function of the document";
    return RLX_RPC_INVALID_PARAMS;
  }
  for (uint32_t i = 0; i < call->functions->count; i++) {
    const RlxFunctionView *view = &call->functions->at[i];
    if (view->kind != RLX_ISLAND_RELAX || (call->function && view != call->function)) continue;
    RlxArena *arena = rlx_arena_new();
    const RlxFunction *fn = rlx_file_function_ir(call->file->file, view->stmt, arena);
    if (fn) rlx_graph_dot(store, fn, text);
    rlx_arena_free(arena);
  }
  return RLX_RPC_OK;
}
