/// Functions of numpy that are computed on values, at the prompt: `np._compute("inv", x)`, which only formulas.def says.
#include <string.h>

#include "repl/data.h"
#include "repl/matrix.h"
#include "repl/sugar_impl.h"

enum { LARGE = 1 << 18 }; ///< multiplications from which on somebody may want to end it

typedef struct Task {
  RlxHeap *heap;
  const char *name;
  RlxObject *args[RLX_MATRIX_ARGS_MAX];
  int count;
} Task;

static RlxObject *compute(void *data, RlxError *err) {
  const Task *task = data;
  return rlx_matrix_compute(task->heap, task->name, task->args, task->count, err);
}

/// The value of an argument, a reference for the caller; NULL after a message.
static RlxObject *value_of(RlxSugarWriter *w, const RlxAst *arg) {
  RlxBuf text = {0};
  const bool is_list = rlx_repl_is_number_list(w->repl, arg);
  if (!is_list || !rlx_sugar_constant(w, arg, rlx_dtype_unknown(), &text))
    rlx_sugar_put(w, arg, &text);
  RlxObject *value = w->failed ? NULL : rlx_sugar_variable(w, rlx_buf_text(&text));
  if (value)
    rlx_object_ref(value);
  else if (!w->failed)
    value = rlx_sugar_evaluate(w, rlx_buf_text(&text));
  rlx_buf_free(&text);
  return value;
}

void rlx_sugar_compute(RlxSugarWriter *w, const RlxAst *call, RlxBuf *out) {
  Task task = {.heap = rlx_jit_heap(w->repl->jit)};
  RlxError err = {0};
  const RlxAst *name = call->child_count > 1 ? call->children[1] : NULL;
  const bool fits = name && name->kind == RLX_AST_STRING &&
                    call->child_count <= 2 + (uint32_t)RLX_MATRIX_ARGS_MAX;
  if (!fits || w->scope) {
    rlx_sugar_refuse(w, "linear algebra is computed on values, which `x = …` in a line of its own "
                        "gives");
    return;
  }
  task.name = name->text;
  for (uint32_t i = 2; i < call->child_count && !w->failed; i++)
    if ((task.args[task.count] = value_of(w, call->children[i]))) task.count++;
  RlxObject *x = NULL;
  if (!w->failed)
    x = rlx_matrix_cost(task.args, task.count) < (double)LARGE
            ? compute(&task, &err)
            : rlx_repl_made_apart(w->repl, task.name, compute, &task, false, &err);
  for (int i = 0; i < task.count; i++) rlx_object_unref(task.args[i]);
  if (x)
    rlx_sugar_put_temp(w, task.name, x, NULL, out);
  else if (!w->failed) {
    rlx_error_prefix(&err, "np.linalg.%.*s", (int)strcspn(task.name, "_"), task.name);
    rlx_sugar_fail(w, &err);
  }
}
