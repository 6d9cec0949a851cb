/// A run of plain bindings of a script, evaluated in one go: each by itself would pay for an analysis, a compilation and
/// a process of its own.
///
/// Always true: what a run leaves behind is what its bindings leave one by one. One that may say something, fail or
/// have a shape that only its value tells is no part of a run; a run in which something fails is none.
#include "repl/bindings.h"

#include <stdlib.h>
#include <string.h>

#include "analyzer/ops/op_table.h"
#include "base/mem.h"

enum {
  RUN_MAX = 64, ///< bindings in one go
  RUN_BYTES_MAX =
      1 << 20, ///< of their values, which are in one piece of memory until the last of them goes
};

/// Whether the operator `script` ("nn.relu") only computes.
static bool is_pure(const char *script) {
  static const char *const makers[] = {"const", "shape", "prim_value", "str", "dtype"};
  for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
    if (!strcmp(script, makers[i])) return true;
  const RlxOpRow *row = rlx_op_find(script, strlen(script));
  return row && row->purity == RLX_OP_PURE;
}

/// Whether the expression calls nothing but operators that only compute.
static bool computes(const RlxRepl *repl, const RlxAst *x) {
  uint32_t first = 0;
  if (x->kind == RLX_AST_CALL) {
    char script[RLX_AST_DOTTED_MAX];
    const RlxAst *root = rlx_ast_dotted(repl->store, x->children[0], script);
    if (!root || strcmp(rlx_store_text(repl->store, root->name), "R") != 0 || !is_pure(script))
      return false;
    first = 1;
  }
  for (uint32_t i = first; i < x->child_count; i++)
    if (!computes(repl, x->children[i])) return false;
  return true;
}

static bool is_plain(const RlxRepl *repl, const RlxEntry *entry) {
  const RlxStmt *stmt = entry->stmt;
  return stmt && stmt->kind == RLX_STMT_ASSIGN && !stmt->has_error && !stmt->annotation &&
         stmt->target_count == 1 && stmt->targets[0]->kind == RLX_AST_NAME && stmt->value &&
         stmt->value->kind == RLX_AST_CALL && computes(repl, stmt->value);
}

static bool binds(const RlxEntry *entries, uint32_t count, RlxName name) {
  for (uint32_t i = 0; i < count; i++)
    if (entries[i].stmt->targets[0]->name == name) return true;
  return false;
}

/// How many of the entries are plain bindings, no two of one name.
static uint32_t plain_count(const RlxRepl *repl, const RlxEntry *entries, uint32_t count) {
  uint32_t n = 0;
  while (n < count && n < RUN_MAX && is_plain(repl, &entries[n]) &&
         !binds(entries, n, entries[n].stmt->targets[0]->name))
    n++;
  return n;
}

/// The program of the first `count` entries, whose value is the tuple of theirs; NULL: there is something to say of them.
static RlxProgram *program_of(RlxRepl *repl, const RlxSplit *split, const RlxEntry *entries,
                              uint32_t count, RlxName *out_name, RlxReplArgs *args) {
  RlxBuf text = {0}, result = {0};
  for (uint32_t i = 0; i < count; i++) {
    rlx_buf_printf(&text, "%s%.*s", i ? "\n" : "", (int)(entries[i].end - entries[i].start),
                   rlx_buf_text(&split->text) + entries[i].start);
    rlx_buf_printf(&result, "%s%s", i ? ", " : "(",
                   rlx_store_text(repl->store, entries[i].stmt->targets[0]->name));
  }
  rlx_buf_putc(&result, ')');
  repl->is_quiet = true;
  repl->has_withheld = false;
  RlxProgram *program =
      rlx_repl_program_of(repl, rlx_buf_text(&text), true, rlx_buf_text(&result), out_name, args);
  repl->is_quiet = false;
  if (repl->has_withheld) {
    rlx_program_free(program);
    program = NULL;
  }
  rlx_buf_free(&text);
  rlx_buf_free(&result);
  return program;
}

/// The bytes of a tensor whose shape and dtype are known; -1: they are not, or it is none.
static int64_t bytes_of(const RlxSInfo *x) {
  if (x->kind != RLX_SINFO_TENSOR || !x->dims || !rlx_dtype_known(x->dtype)) return -1;
  int64_t bytes = rlx_dtype_bytes(x->dtype), extent;
  for (int i = 0; i < x->ndim; i++)
    if (!rlx_prim_is_const(x->dims[i], &extent) || extent < 0 ||
        __builtin_mul_overflow(bytes, extent, &bytes))
      return -1;
  return bytes;
}

/// How many of the values, from the first on, are tensors of known shapes that fit into a run.
static uint32_t known_count(RlxRepl *repl, RlxName function) {
  RlxFunctionViews views = {0};
  const RlxSInfo *result = NULL;
  rlx_file_functions(repl->file, &views);
  const RlxFunctionView *view =
      rlx_function_view(repl->store, &views, rlx_store_text(repl->store, function));
  if (view && view->function) result = view->function->ret;
  rlx_vec_free(&views);
  uint32_t n = 0;
  int64_t all = 0;
  while (result && result->kind == RLX_SINFO_TUPLE && n < (uint32_t)result->count) {
    const int64_t bytes = bytes_of(result->fields[n]);
    if (bytes < 0 || bytes > RUN_BYTES_MAX - all) break;
    all += bytes;
    n++;
  }
  return n;
}

/// Evaluates the program and binds the values; what fails is said only when it is a Ctrl-C.
static RlxOutcome evaluate(RlxRepl *repl, RlxProgram *program, RlxName function,
                           const RlxReplArgs *args, const RlxEntry *entries) {
  RlxRunError err = {0};
  RlxWorkerResult result = {.outcome = RLX_OUTCOME_FAILED};
  const RlxWorkerOptions options = rlx_repl_worker_options(repl, 1);
  if (rlx_program_prepare_once(program, function, &err))
    rlx_worker_call(repl->jit, program, function, args->at, (int)args->count, &options, &result);
  if (result.outcome == RLX_OUTCOME_INTERRUPTED) rlx_repl_print_failure(&result.error.error);
  rlx_repl_take_outcome(repl, result.outcome);
  for (int32_t i = 0; result.outcome == RLX_OUTCOME_DONE && i < result.value->count; i++) {
    const char *name = rlx_store_text(repl->store, entries[i].stmt->targets[0]->name);
    rlx_repl_bind_value(repl, name, rlx_object_ref(result.value->fields[i]));
  }
  rlx_object_unref(result.value);
  return result.outcome;
}

uint32_t rlx_repl_bind_run(RlxRepl *repl, const RlxSplit *split, uint32_t first, uint32_t *alone,
                           bool *ok) {
  const RlxEntry *entries = split->entries.at + first;
  if (!repl->nesting || repl->sched || repl->walk || repl->set[RLX_REPL_SET_TIME] || first < *alone)
    return 0;
  uint32_t count = plain_count(repl, entries, split->entries.count - first);
  if (count < 2) return 0;
  if (!rlx_repl_settle(repl)) return *ok = false, 1;
  RlxReplArgs args = {0};
  RlxName function;
  RlxOutcome outcome = RLX_OUTCOME_FAILED;
  *alone = first + count;
  RlxProgram *program = program_of(repl, split, entries, count, &function, &args);
  const uint32_t known = program ? known_count(repl, function) : 0;
  if (program && known < count) *alone = first + known + 1;
  if (known > 1 && known < count) {
    count = known;
    rlx_program_free(program);
    program = program_of(repl, split, entries, count, &function, &args);
  }
  if (program && known > 1) outcome = evaluate(repl, program, function, &args, entries);
  rlx_program_free(program);
  rlx_vec_free(&args);
  if (outcome == RLX_OUTCOME_INTERRUPTED) return *ok = false, 1;
  return outcome == RLX_OUTCOME_DONE ? count : 0;
}
