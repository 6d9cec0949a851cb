/// What is said of an operator's evaluation: whether it runs, on which dtypes, what is checked.
#include "jit/plan/runs.h"

#include "analyzer/ops/op_ids.h"
#include "jit/legalize/legalize.h"

bool rlx_op_runs(const RlxOpRow *row) {
  static const RlxOpId by_plan[] = {
      RLX_OPID_call_tir,
      RLX_OPID_call_tir_inplace,
      RLX_OPID_call_tir_with_grad,
#define RLX_BUILTIN(op, function) RLX_OPID_##op,
#include "jit/plan/builtins.def"
#undef RLX_BUILTIN
  };
  for (size_t i = 0; i < sizeof by_plan / sizeof *by_plan; i++)
    if (by_plan[i] == row->id) return true;
  return rlx_legalize_exists(row);
}

void rlx_op_runs_text(const RlxOpRow *row, RlxBuf *out) {
  if (!rlx_op_runs(row)) {
    rlx_buf_puts(out, "does not run");
    return;
  }
  rlx_buf_puts(out, "runs");
  if (rlx_legalize_exists(row)) rlx_buf_printf(out, " on %s", rlx_legalize_dtypes(row));
  const char *checks = rlx_legalize_checks(row);
  if (checks) rlx_buf_printf(out, "; checked when it runs: %s (RLX0805)", checks);
}
