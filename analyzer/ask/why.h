/// Why a StructInfo is what it is: a derivation as a short list, computed when asked and never
/// kept.
///
/// Always true: the list says what the analysis used: the operator's rule, its operands with their
/// StructInfo, and where each symbolic variable is bound; it ends at parameters, constants, and the
/// limits that the asker gives.
#ifndef RLX_ANALYZER_WHY_H
#define RLX_ANALYZER_WHY_H

#include "analyzer/ops/op_table.h"
#include "analyzer/state/file.h"
#include "base/vec.h"

typedef enum RlxWhyKind {
#define RLX_WHY(id, name) RLX_WHY_##id,
#include "analyzer/ask/why.def"
#undef RLX_WHY
} RlxWhyKind;

typedef struct RlxWhyStep {
  uint8_t kind;  ///< RlxWhyKind
  uint8_t depth; ///< 0: the variable asked about
  bool has_place;
  bool is_known;    ///< VALUE: explained above, or the limit is reached: nothing follows
  const char *role; ///< VALUE: the parameter it is given as; or NULL
  /// of the variable, function, symbolic variable; or the text of the call or expression
  const char *name;
  const RlxSInfo *sinfo; ///< of the value, or NULL
  const RlxOpRow *op;    ///< OPERATOR
  const char *note;      ///< what more there is to say: the rule, "dimension 0 of x"; or NULL
  RlxSpan place;         ///< absolute
} RlxWhyStep;
typedef Vec(RlxWhyStep) RlxWhySteps;

typedef struct RlxWhyLimits {
  uint8_t levels; ///< of operators, counted from the variable
  uint32_t steps; ///< in all
} RlxWhyLimits;

/// Appends the derivation of `var`, a variable of `file`. Texts live in `arena`; StructInfos in the
/// store. Costs the steps.
void rlx_file_why(RlxFile *file, const RlxVar *var, RlxWhyLimits limits, RlxArena *arena,
                  RlxWhySteps *out);
/// Why the function that `def` defines returns what it does: its annotation, or its body's result.
void rlx_file_why_result(RlxFile *file, const RlxStmt *def, RlxWhyLimits limits, RlxArena *arena,
                         RlxWhySteps *out);

/// What a name can mean in a file: a variable or parameter of a function, or (`var` NULL) the
/// function itself.
typedef struct RlxWhyTarget {
  RlxName function;
  const RlxStmt *def; ///< of the function
  const RlxVar *var;
} RlxWhyTarget;
typedef Vec(RlxWhyTarget) RlxWhyTargets;
/// Appends all that `name` means: "lv", "main.lv" or "main", temporaries under the names `rlx
/// infer` gives them. In source order.
void rlx_file_why_targets(RlxFile *file, const char *name, RlxArena *arena, RlxWhyTargets *out);

/// "operator", "parameter"…: the kind as JSON has it.
const char *rlx_why_kind_text(RlxWhyKind kind);
/// Appends the step in words, without its place and without a line end.
void rlx_why_print(const RlxStore *store, const RlxWhyStep *step, RlxBuf *out);
/// Appends all steps, one a line, two blanks a level, each with its place: "  (12:9)", line and
/// column from 1.
void rlx_why_print_steps(RlxFile *file, const RlxWhySteps *steps, RlxBuf *out);

#endif
