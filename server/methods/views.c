/// Views of what functions become: PrimFuncs after legalization, LLVM IR, assembly; and the
/// dataflow graph.
///
/// Always true: nothing of the script is run. Compilation happens beside the loop, in a process of its
/// own, with limits, and only for functions whose text, or the text of what they call, is new.
#include <stdlib.h>
#include <string.h>

#include "analyzer/ask/graph.h"
#include "analyzer/ask/reach.h"
#include "base/hash.h"
#include "base/mem.h"
#include "jit/jit.h"
#include "server/methods/commands.h"
#include "server/session/jobs.h"

/// A function of the view.
typedef struct Piece {
  const RlxFunctionView *view; ///< only until the request has been handed on
  RlxViewKey key;
  char *text; ///< NULL: to be compiled
  size_t size;
} Piece;

typedef struct View {
  RlxProgramText kind;
  bool is_whole; ///< of the document: names above the functions, and errors in their places
  bool can_keep;
  Vec(Piece) pieces; ///< in source order
} View;

typedef struct Compile { // in the child
  RlxServer *server;
  RlxOpenFile *file;
  const View *view;
} Compile;

// ------------------------------------------------------------------ what a text depends on

/// Keys of the pieces: of the functions' text, that of all functions that they name, directly or not,
/// and that of everything outside of functions.
static void find_keys(RlxServer *server, const RlxCommandCall *call, View *view) {
  RlxReach *reach = rlx_reach_new(call->file->file);
  for (uint32_t i = 0; i < view->pieces.count; i++) {
    Piece *p = &view->pieces.at[i];
    uint64_t seed = rlx_hash_mix((uint64_t)view->kind, view->is_whole);
    seed = rlx_hash_bytes(call->file->uri, strlen(call->file->uri), seed);
    p->key = (RlxViewKey){rlx_reach_hash(reach, p->view->stmt, seed),
                          rlx_reach_hash(reach, p->view->stmt, ~seed)};
    const RlxViewText *known = view->can_keep ? rlx_server_known_view(server, p->key) : NULL;
    if (!known) continue;
    p->text = rlx_mem_strndup(known->text, known->size);
    p->size = known->size;
  }
  rlx_reach_free(reach);
}

// ------------------------------------------------------------------ in the child

/// One function; in the view of a whole document with its name above it, and with the error in its
/// place when it has one.
static bool compile_one(const Compile *c, RlxProgram *program, const RlxFunctionView *view,
                        RlxBuf *out, char *is_lasting, RlxError *err) {
  const RlxStore *store = rlx_analyzer_store(c->server->analyzer);
  const char *comment = c->view->kind == RLX_PROGRAM_LLVM ? ";" : "#";
  RlxRunError error = {0};
  bool is_whole = c->view->is_whole;
  if (is_whole) rlx_buf_printf(out, "%s %s\n", comment, rlx_store_text(store, view->name));
  RlxBuf called = {0};
  if (view->module) rlx_buf_printf(&called, "%s.", rlx_store_text(store, view->module));
  rlx_buf_puts(&called, rlx_store_text(store, view->name));
  const RlxName name =
      rlx_store_intern(rlx_analyzer_store(c->server->analyzer), rlx_buf_text(&called), called.size);
  rlx_buf_free(&called);
  bool ok = rlx_program_text(program, name, c->view->kind, out, &error);
  *is_lasting = ok;
  if (!ok && is_whole)
    rlx_buf_printf(out, "%s error: %s\n", comment, error.error.text);
  else if (!ok)
    return rlx_error_set(err, "%s", error.error.text);
  if (is_whole) rlx_buf_putc(out, '\n');
  return true;
}

/// Writes the texts that are not known, each behind its length and whether it may be kept: an error
/// may name lines of the document.
static bool compile(void *data, const RlxJobReport *report, RlxBuf *out, RlxError *err) {
  const Compile *c = data;
  const RlxStore *store = rlx_analyzer_store(c->server->analyzer);
  RlxJitOptions options = {.threads = 1};
  RlxJit *jit = rlx_jit_new(rlx_analyzer_store(c->server->analyzer), &options);
  RlxProgram *program = rlx_program_new(jit, c->file->file);
  bool ok = true;
  for (uint32_t i = 0; ok && i < c->view->pieces.count; i++) {
    const Piece *p = &c->view->pieces.at[i];
    if (p->text) continue;
    RlxBuf text = {0};
    rlx_job_report(report, i * 100 / c->view->pieces.count, rlx_store_text(store, p->view->name));
    char is_lasting = 0;
    ok = compile_one(c, program, p->view, &text, &is_lasting, err);
    rlx_buf_putn(out, (const char *)&text.size, sizeof text.size);
    rlx_buf_putc(out, is_lasting);
    rlx_buf_putn(out, rlx_buf_text(&text), text.size);
    rlx_buf_free(&text);
  }
  rlx_program_free(program);
  rlx_jit_free(jit);
  return ok;
}

// ------------------------------------------------------------------ in the server

static void assemble(const View *view, RlxBuf *text) {
  for (uint32_t i = 0; i < view->pieces.count; i++)
    rlx_buf_putn(text, view->pieces.at[i].text, view->pieces.at[i].size);
}

static void compiled(RlxServer *server, void *data, const RlxBuf *from, RlxJson *result) {
  View *view = data;
  size_t at = 0, size = 0;
  for (uint32_t i = 0; i < view->pieces.count; i++) {
    Piece *p = &view->pieces.at[i];
    if (p->text || from->size - at < sizeof size + 1) continue;
    memcpy(&size, from->at + at, sizeof size);
    at += sizeof size;
    bool is_lasting = from->at[at++];
    p->text = rlx_mem_strndup(from->at + at, size);
    p->size = size;
    at += size;
    if (view->can_keep && is_lasting) rlx_server_keep_view(server, p->key, p->text, size);
  }
  RlxBuf text = {0};
  assemble(view, &text);
  rlx_write_text_answer(&text, result);
  rlx_buf_free(&text);
}

static void free_view(void *data) {
  View *view = data;
  for (uint32_t i = 0; i < view->pieces.count; i++) free(view->pieces.at[i].text);
  rlx_vec_free(&view->pieces);
  free(view);
}

static RlxRpcCode view_compiled(RlxServer *server, const RlxCommandCall *call, RlxProgramText kind,
                                RlxBuf *text) {
  static const RlxJobKind job = {compile, compiled, free_view};
  View *view = rlx_mem_zeroed(1, sizeof *view);
  view->kind = kind;
  view->is_whole = !call->function;
  view->can_keep = !rlx_file_asks_modules(call->file->file);
  for (uint32_t i = 0; i < call->functions->count; i++) {
    const RlxFunctionView *one = &call->functions->at[i];
    bool can = one->kind == RLX_ISLAND_RELAX || one->kind == RLX_ISLAND_PRIM_FUNC;
    if (call->function ? one == call->function : can)
      rlx_vec_push(&view->pieces, (Piece){.view = one});
  }
  find_keys(server, call, view);
  bool is_known = true;
  for (uint32_t i = 0; i < view->pieces.count; i++) is_known &= view->pieces.at[i].text != NULL;
  if (is_known) {
    assemble(view, text);
    free_view(view);
    return RLX_RPC_OK;
  }
  RlxBuf title = {0};
  if (call->function)
    rlx_buf_printf(&title, "compiling %s",
                   rlx_store_text(rlx_analyzer_store(server->analyzer), call->function->name));
  else
    rlx_buf_puts(&title, "compiling");
  Compile c = {server, call->file, view};
  RlxRpcCode code = rlx_server_beside(server, call->file, rlx_buf_text(&title), &job, &c, view);
  rlx_buf_free(&title);
  return code;
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

// ------------------------------------------------------------------ views that nothing is compiled for

enum { BESIDE_BYTES = 64 << 10 }; ///< a document of so much text takes longer than a keystroke

typedef struct Writing {
  const RlxCommandCall *call;
  RlxViewWriter *write;
  const void *data;
} Writing;

static bool write_apart(void *data, const RlxJobReport *report, RlxBuf *out, RlxError *err) {
  (void)report, (void)err;
  Writing *w = data;
  w->write(w->call, w->data, out);
  return true;
}

static void written(RlxServer *server, void *data, const RlxBuf *from, RlxJson *result) {
  (void)server, (void)data;
  rlx_write_text_answer(from, result);
}

RlxRpcCode rlx_server_write_view(RlxServer *server, const RlxCommandCall *call, const char *title,
                                 RlxViewWriter *write, const void *data, RlxBuf *text) {
  static const RlxJobKind job = {write_apart, written, NULL};
  Writing w = {call, write, data};
  uint32_t size = 0;
  rlx_open_file_text(call->file, &size);
  if (size > BESIDE_BYTES) return rlx_server_beside(server, call->file, title, &job, &w, NULL);
  write(call, data, text);
  return RLX_RPC_OK;
}

/// How `rlx.view.graph` draws; the first one where none is named.
typedef struct GraphForm {
  const char *name;
  void (*write)(const RlxStore *store, const RlxFunction *fn, RlxBuf *out);
} GraphForm;

static const GraphForm graph_forms[] = {{"dot", rlx_graph_dot}, {"svg", rlx_graph_svg}};

typedef struct Graphs {
  const RlxStore *store;
  const GraphForm *form;
} Graphs;

/// One graph for each Relax function.
static void write_graphs(const RlxCommandCall *call, const void *data, RlxBuf *text) {
  const Graphs *graphs = data;
  for (uint32_t i = 0; i < call->functions->count; i++) {
    const RlxFunctionView *view = &call->functions->at[i];
    if (view->kind != RLX_ISLAND_RELAX || (call->function && view != call->function)) continue;
    RlxArena *arena = rlx_arena_new();
    const RlxFunction *fn = rlx_file_function_ir(call->file->file, view->stmt, arena);
    if (fn) graphs->form->write(graphs->store, fn, text);
    rlx_arena_free(arena);
  }
}

/// `rlx.view.graph` of {"uri", "function"?, "form"?}.
RlxRpcCode rlx_command_view_graph(RlxServer *server, const RlxCommandCall *call, RlxBuf *text) {
  if (call->function && call->function->kind != RLX_ISLAND_RELAX) {
    server->error = "params.arguments[0].function names no Relax function of the document";
    return RLX_RPC_INVALID_PARAMS;
  }
  const char *form = rlx_json_string(call->argument, "form");
  Graphs graphs = {.store = rlx_analyzer_store(server->analyzer)};
  for (size_t i = 0; i < sizeof graph_forms / sizeof *graph_forms; i++)
    if (!graphs.form && (!form || strcmp(form, graph_forms[i].name) == 0))
      graphs.form = &graph_forms[i];
  if (!graphs.form) {
    server->error = "params.arguments[0].form is neither dot nor svg";
    return RLX_RPC_INVALID_PARAMS;
  }
  return rlx_server_write_view(server, call, "graph", write_graphs, &graphs, text);
}
