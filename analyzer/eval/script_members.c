/// Names behind the namespaces of T in a Relax function: `T.cuda.cta_sync()`, `T.ptx.…(…)`.
#include <string.h>

#include "analyzer/eval/refuse.h"
#include "analyzer/words/ptx.h"
#include "analyzer/words/script_names.h"

static bool is_instruction(const char *name) { return strncmp(name, "ptx.", 4) == 0; }

/// Whether T has a namespace under the path in a dialect that the statement may be written in.
static bool is_space(const RlxEval *e, const char *path) {
  static const RlxDialect dialects[] = {RLX_DIALECT_025, RLX_DIALECT_027};
  for (int i = 0; i < 2; i++)
    if (rlx_eval_may_be(e, dialects[i]) && rlx_script_name_has_members(path, dialects[i]))
      return true;
  return false;
}

RlxValue rlx_script_member(RlxEval *e, const RlxAst *ast, const RlxValue *base) {
  const char *space = rlx_store_text(e->store, base->string),
             *name = rlx_store_text(e->store, ast->name);
  const char *path = rlx_arena_printf(e->arena, "%s.%s", space, name);
  const bool may_tell = e->fn && rlx_refuse_may_tell(e);
  // What an instruction of 0.27 is, only all of its words say.
  const bool is_form = may_tell && (is_instruction(path) || strcmp(space, "ptx") == 0) &&
                       rlx_eval_may_be(e, RLX_DIALECT_027);
  if (!may_tell || (!is_form && (name[0] == '_' || !is_space(e, space))))
    return rlx_refuse_attribute(e, ast, base);
  if (!is_form && !rlx_fn_may_have_name(e->fn, path)) {
    rlx_script_name_report(e->sink, ast->name_span, path, (RlxDialect)e->fn->dialect);
    return rlx_eval_failed(e, ast->span);
  }
  RlxValue out = {.kind = RLX_VALUE_TFUNC, .span = ast->span};
  out.string = rlx_store_intern(e->store, path, strlen(path));
  return out;
}

/// What is known of an operand of an instruction.
static RlxPtxOperand operand_of(const RlxValue *value) {
  RlxPtxOperand out = {.kind = RLX_PTX_ANY};
  if (value->kind == RLX_VALUE_INT) out.kind = RLX_PTX_INT;
  if (value->kind == RLX_VALUE_INT) out.is_negative = value->integer < 0;
  if (value->kind == RLX_VALUE_FLOAT) out.kind = RLX_PTX_FLOAT;
  if (value->kind == RLX_VALUE_BOOL) out.kind = RLX_PTX_BOOL;
  return out;
}

bool rlx_script_instruction_check(RlxEval *e, const char *name, const RlxPyArgs *args,
                                  RlxSpan span) {
  char why[RLX_PTX_TEXT_MAX];
  const bool is_known = is_instruction(name) && e->fn && rlx_refuse_may_tell(e) &&
                        !args->is_unknown && !rlx_eval_may_be(e, RLX_DIALECT_025);
  if (!is_known || rlx_ptx_is_helper(name + 4)) return true;
  RlxPtxOperand *operands = rlx_arena_array(e->arena, RlxPtxOperand, args->count + 1);
  uint32_t count = 0;
  for (uint32_t i = 0; i < args->count; i++) {
    // TVM prints the words as texts behind the operands: one before others is an operand that none takes.
    const bool is_text = args->at[i].value.kind == RLX_VALUE_STR;
    if (is_text && (i + 1 == args->count || args->at[i + 1].value.kind == RLX_VALUE_STR))
      return true;
    if (!args->at[i].keyword) operands[count++] = operand_of(&args->at[i].value);
  }
  if (rlx_ptx_takes(name + 4, operands, count, why)) return true;
  rlx_eval_report(e, RLX_DIAG_ID(PTX_FORM), span, "ss", name + 4, why);
  return false;
}
