/// The forms of a program: :ir, and :plan, :tir, :llvm and :asm with the lines that each kernel comes
/// from.
#include "repl/look.h"
#include "repl/commands.h"
#include "repl/data.h"
#include "repl/values.h"

#include <stdio.h>
#include <string.h>

#include "analyzer/edit/print.h"
#include "base/text.h"

bool rlx_repl_put_definition(RlxRepl *repl, const char *name, RlxBuf *out) {
  RlxFunctionViews views = {0};
  rlx_file_functions(repl->file, &views);
  const RlxFunctionView *view = rlx_function_view(repl->store, &views, name);
  const RlxPrintOptions how = {RLX_DIALECT_025, RLX_ANNOTATE_ALL, view ? view->stmt : NULL};
  if (view) rlx_file_print(repl->file, &how, out);
  rlx_vec_free(&views);
  return view != NULL;
}

bool rlx_repl_ir(RlxRepl *repl, const char *text) {
  RlxBuf out = {0}, body = {0};
  const RlxStmt *module = rlx_repl_module(repl, text);
  const RlxPrintOptions how = {RLX_DIALECT_025, RLX_ANNOTATE_ALL, module};
  if (module) rlx_file_print(repl->file, &how, &out);
  if (!out.size) {
    RlxReplArgs args = {0};
    RlxName name;
    RlxProgram *program = rlx_repl_program(repl, text, &name, &args);
    bool is_entry = repl->entry_at != 0;
    if (program) rlx_repl_put_definition(repl, rlx_store_text(repl->store, name), &body);
    if (is_entry) {
      RlxBuf entry = {0};
      rlx_repl_put_entry(rlx_buf_text(&body), &entry);
      rlx_repl_put_typed(repl, rlx_buf_text(&entry), entry.size, &out);
      rlx_buf_free(&entry);
    } else
      rlx_buf_puts(&out, rlx_buf_text(&body));
    rlx_program_free(program);
    rlx_vec_free(&args);
  }
  rlx_repl_print_painted(repl, rlx_buf_text(&out), RLX_PAINT_SCRIPT);
  bool ok = out.size > 0;
  rlx_buf_free(&body);
  rlx_buf_free(&out);
  return ok;
}

// ---- kernels

typedef struct Code {
  RlxRepl *repl;
  RlxProgramText kind;
  uint32_t count;
  RlxBuf *out;       ///< coloured
  const char *typed; ///< what it is the code of
} Code;

/// Appends the source of a binding, without what the session put before an entry.
static void put_source(const Code *code, const RlxBinding *b, const char *comment, RlxBuf *out) {
  const RlxRepl *repl = code->repl;
  if (!b || !b->stmt) return;
  uint32_t size;
  const char *text = rlx_document_text(rlx_file_document(repl->file), &size);
  uint32_t start = b->stmt->start;
  if (start >= size) return;
  if (repl->entry_at > start && !memchr(text + start, '\n', repl->entry_at - start))
    start = repl->entry_at;
  size_t length = strcspn(text + start, "\n");
  const char *line = text + start;
  if (rlx_repl_names_made(repl, line, length)) line = code->typed, length = strcspn(line, "\n");
  rlx_buf_printf(out, "%s %.*s\n", comment, (int)length, line);
}

static RlxPaint paint_of(RlxProgramText kind) {
  return kind == RLX_PROGRAM_LLVM  ? RLX_PAINT_LLVM
         : kind == RLX_PROGRAM_ASM ? RLX_PAINT_ASM
                                   : RLX_PAINT_SCRIPT;
}

static void show_kernel(void *data, const RlxProgramKernel *kernel) {
  Code *code = data;
  const char *comment = code->kind == RLX_PROGRAM_LLVM ? ";" : "#";
  RlxBuf out = {0};
  if (code->count++) rlx_buf_putc(&out, '\n');
  const RlxStmt *last = NULL;
  for (int i = 0; i <= kernel->merged_count; i++) {
    const RlxBinding *b = i < kernel->merged_count ? kernel->merged[i] : kernel->binding;
    if (b && b->stmt == last) continue; // of one line
    put_source(code, b, comment, &out);
    last = b ? b->stmt : NULL;
  }
  if (kernel->is_quick && paint_of(code->kind) != RLX_PAINT_SCRIPT)
    rlx_buf_printf(&out, "%s as it runs: compiled with least effort, for it does next to nothing\n",
                   comment);
  size_t size = strlen(kernel->text);
  while (size && kernel->text[size - 1] == '\n') size--;
  rlx_buf_printf(&out, "%.*s\n", (int)size, kernel->text);
  rlx_repl_paint(rlx_buf_text(&out), paint_of(code->kind), code->out);
  rlx_buf_free(&out);
}

/// What show_code asks of a program.
typedef struct CodeOf {
  Code code;
  RlxProgram *program;
  RlxName function;
  bool is_whole; ///< not kernel by kernel
} CodeOf;

/// The code as a string, coloured. Called in a worker, since LLVM may need seconds.
static RlxObject *make_code(void *data, RlxError *err) {
  CodeOf *of = data;
  Code *code = &of->code;
  RlxRunError why = {0};
  RlxBuf text = {0}, plain = {0};
  bool ok = of->is_whole ? rlx_program_text(of->program, of->function, code->kind, &text, &why)
                         : rlx_program_kernels(of->program, of->function, code->kind, show_kernel,
                                               code, &why);
  if (!ok) *err = why.error;
  if (ok && code->kind == RLX_PROGRAM_PLAN)
    rlx_repl_put_plain(rlx_buf_text(&text), &plain);
  else
    rlx_buf_puts(&plain, rlx_buf_text(&text));
  if (of->is_whole)
    rlx_repl_paint(rlx_buf_text(&plain),
                   code->kind == RLX_PROGRAM_LLVM ? RLX_PAINT_LLVM : RLX_PAINT_ASM, code->out);
  rlx_buf_free(&plain);
  rlx_buf_free(&text);
  return ok ? rlx_string_new(rlx_jit_heap(code->repl->jit), rlx_buf_text(code->out),
                             code->out->size)
            : NULL;
}

/// :plan, :tir, :llvm and :asm.
static bool show_code(RlxRepl *repl, const char *text, RlxProgramText kind) {
  RlxReplArgs args = {0};
  RlxName name;
  const bool wrapper = rlx_repl_take_option(&text, "--wrapper");
  RlxProgram *program = rlx_repl_program(repl, text, &name, &args);
  RlxBuf painted = {0};
  RlxError err = {0};
  CodeOf of = {{repl, kind, 0, &painted, text}, program, name, wrapper || kind == RLX_PROGRAM_PLAN};
  RlxObject *made = program ? rlx_repl_made_apart(repl, text, make_code, &of, true, &err) : NULL;
  if (program && !made) rlx_repl_print_failure(&err);
  if (made && !*made->text && !of.is_whole)
    printf("# nothing to compute: no kernel\n");
  else if (made)
    rlx_repl_print_paged(repl, made->text);
  const bool ok = made != NULL;
  rlx_object_unref(made);
  rlx_buf_free(&painted);
  rlx_vec_free(&args);
  rlx_program_free(program);
  return ok;
}

bool rlx_repl_plan(RlxRepl *repl, const char *text) {
  return show_code(repl, text, RLX_PROGRAM_PLAN);
}

bool rlx_repl_tir(RlxRepl *repl, const char *text) {
  return show_code(repl, text, RLX_PROGRAM_TIR);
}

bool rlx_repl_llvm(RlxRepl *repl, const char *text) {
  return show_code(repl, text, RLX_PROGRAM_LLVM);
}

bool rlx_repl_asm(RlxRepl *repl, const char *text) {
  return show_code(repl, text, RLX_PROGRAM_ASM);
}
