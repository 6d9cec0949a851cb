/// Whether a value fits where the cursor is: what kind it has to be of, and in a call of an operator
/// what the operator's own rule says of it beside the operands that are written already.
#include <string.h>

#include "analyzer/complete/complete_impl.h"
#include "analyzer/ops/deduce.h"
#include "analyzer/symbolic/prove.h"
#include "base/text.h"

/// A variable of that StructInfo, as a rule takes it.
static RlxValue operand(const RlxComplete *c, const RlxSInfo *sinfo) {
  RlxExpr *x = rlx_arena_one(c->out->arena, RlxExpr);
  x->kind = RLX_EXPR_VAR;
  x->sinfo = sinfo;
  x->var = rlx_arena_one(c->out->arena, RlxVar);
  x->var->sinfo = sinfo;
  return (RlxValue){.kind = RLX_VALUE_EXPR, .expr = x};
}

/// The name that argument `index` of the bracket is, by place; empty: it is something else.
static RlxSpan argument_name(const RlxComplete *c, const RlxBracket *b, uint32_t index) {
  const char *text = c->cursor.text;
  uint32_t at = b->at + 1, count = 0;
  for (int depth = 0; at < b->item && count < index; at++) {
    if (text[at] == '"' || text[at] == '\'' || text[at] == '#') return (RlxSpan){0};
    depth += strchr("([{", text[at]) != NULL;
    depth -= strchr(")]}", text[at]) != NULL;
    count += !depth && text[at] == ',';
  }
  while (at < b->item && strchr(" \t\r\n", text[at])) at++;
  uint32_t end = at;
  while (end < b->item && rlx_text_in_name(text[end])) end++;
  return text[end] == ',' ? rlx_span(at, end) : (RlxSpan){0};
}

/// The arguments of a trial call, but for the one at the cursor: operands that are names, and for the
/// rest what nothing is known of. NULL: a rule can say nothing yet.
static RlxValue *trial_args(RlxComplete *c, const RlxBracket *b, int at, RlxSInfoOfName *sinfo_of) {
  const RlxOpRow *row = c->wanted_row;
  RlxValue *args = rlx_arena_array(c->out->arena, RlxValue, (size_t)row->param_count);
  const RlxSInfo *unknown = rlx_sinfo_tensor_ndim(c->store, -1, rlx_dtype_unknown(), NULL);
  bool knows_one = false;
  for (int i = 0; i < row->param_count; i++) {
    const RlxOpParam *param = &row->params[i];
    if (param->is_variadic) return NULL;
    if (param->kind != RLX_PARAM_TENSOR) {
      if (param->is_required) return NULL;
      args[i].kind = param->kind < RLX_PARAM_INT ? RLX_VALUE_ABSENT : RLX_VALUE_UNKNOWN;
      args[i].is_default = true;
      continue;
    }
    const RlxSpan name =
        i < at && (uint32_t)i < b->placed ? argument_name(c, b, (uint32_t)i) : (RlxSpan){0};
    const RlxSInfo *known = name.end ? sinfo_of(c, name) : NULL;
    args[i] = operand(c, known ? known : unknown);
    knows_one |= known != NULL;
  }
  return knows_one ? args : NULL;
}

bool rlx_complete_wants_prim(const RlxComplete *c) {
  const RlxOpRow *row = c->wanted && c->wanted->kind == RLX_PARAM_CALLEE ? c->wanted_row : NULL;
  return row && (row->id == RLX_OP_ID(call_tir) || row->id == RLX_OP_ID(call_tir_inplace) ||
                 row->id == RLX_OP_ID(call_tir_with_grad));
}

/// The function that the argument at `b` is handed to, `*at` gets its place there; NULL: not known. A list
/// that is the second argument of `R.call_tir` holds those of the PrimFunc.
static const RlxFn *called(const RlxComplete *c, const RlxBracket *b, uint32_t *at) {
  char path[96];
  *at = b->argument;
  if (b->callee.start < b->callee.end) return rlx_complete_function(c, b->callee);
  const RlxBracket *around = c->cursor.depth > 1 ? b - 1 : NULL;
  if (!around || around->argument != 1 ||
      !rlx_complete_path(c, around->callee, path, sizeof path) || strcmp(path, "R.call_tir") != 0)
    return NULL;
  uint32_t end = around->at + 1, start = end;
  while (end < b->at && (rlx_text_in_name(c->cursor.text[end]) || c->cursor.text[end] == '.'))
    end++;
  return rlx_complete_function(c, rlx_span(start, end));
}

void rlx_complete_prepare_trial(RlxComplete *c, RlxSInfoOfName *sinfo_of) {
  const RlxBracket *b = c->cursor.depth ? &c->cursor.brackets[c->cursor.depth - 1] : NULL;
  uint32_t at = 0;
  const RlxFn *fn = b && !b->keyword.end ? called(c, b, &at) : NULL;
  const RlxSInfo *func = fn ? fn->function.sinfo : NULL;
  if (func && func->kind == RLX_SINFO_FUNC && func->params && at < (uint32_t)func->count)
    c->declared = func->params[at];
  if (!b || b->callee.start == b->callee.end || !c->wanted || c->wanted->kind != RLX_PARAM_TENSOR)
    return;
  c->trial_at = (int)(c->wanted - c->wanted_row->params);
  c->trial = trial_args(c, b, c->trial_at, sinfo_of);
}

/// Whether the rule takes the value without an error.
static bool rule_takes(const RlxComplete *c, const RlxSInfo *sinfo) {
  RlxSink silent = {.arena = c->out->arena};
  RlxCall call = {.row = c->wanted_row,
                  .args = c->trial,
                  .arg_count = (uint32_t)c->wanted_row->param_count,
                  .is_027 = c->dialect == RLX_DIALECT_027};
  RlxDeduce d = {.store = c->store,
                 .scratch = c->out->arena,
                 .sink = &silent,
                 .module = c->fn->module ? &c->fn->module->view : NULL,
                 .scope = c->fn->function.scope};
  call.args[c->trial_at] = operand(c, sinfo);
  rlx_questions_of_statements(c->store, 1);
  c->wanted_row->deduce(&d, &call);
  rlx_vec_free(&silent.diags);
  return !d.failed;
}

bool rlx_complete_wants_integers(const RlxComplete *c) {
  const RlxBracket *b = c->cursor.depth ? &c->cursor.brackets[c->cursor.depth - 1] : NULL;
  const bool is_listed = b && b->callee.start == b->callee.end;
  if (!c->wanted) return c->wants_dimension;
  switch (c->wanted->kind) {
  case RLX_PARAM_SHAPE: return is_listed;
  case RLX_PARAM_PRIM:
  case RLX_PARAM_INT:
  case RLX_PARAM_FLOAT:
  case RLX_PARAM_BOOL:
  case RLX_PARAM_STR:
  case RLX_PARAM_DTYPE:
  case RLX_PARAM_INTS: return true;
  case RLX_PARAM_TENSOR:
  case RLX_PARAM_TUPLE:
  case RLX_PARAM_CALLEE:
  case RLX_PARAM_EXPR:
  case RLX_PARAM_SINFO:
  case RLX_PARAM_ANY: break;
  }
  return false;
}

bool rlx_complete_wants_constant(const RlxComplete *c) {
  const bool is_dotted = c->cursor.path.start < c->cursor.path.end;
  const RlxParamKind kind = c->wanted && !is_dotted ? c->wanted->kind : RLX_PARAM_ANY;
  return kind == RLX_PARAM_INT || kind == RLX_PARAM_INTS || kind == RLX_PARAM_FLOAT ||
         kind == RLX_PARAM_BOOL || kind == RLX_PARAM_STR || kind == RLX_PARAM_DTYPE;
}

bool rlx_complete_may_stand(const RlxComplete *c, const RlxSInfo *sinfo) {
  const bool is_dotted = c->cursor.path.start < c->cursor.path.end; // `x.ndim` is an integer
  if (!sinfo || is_dotted || !rlx_complete_wants_integers(c)) return true;
  const RlxBracket *b = c->cursor.depth ? &c->cursor.brackets[c->cursor.depth - 1] : NULL;
  const bool is_grouped = b && b->open == '(' && !b->argument; // `(s)` is s
  if (is_grouped && sinfo->kind == RLX_SINFO_SHAPE) return true;
  return sinfo->kind == RLX_SINFO_PRIM || sinfo->kind == RLX_SINFO_OBJECT;
}

/// Whether the parameter of an operator takes it.
static bool param_takes(const RlxComplete *c, const RlxOpParam *param, const RlxSInfo *sinfo) {
  const RlxSInfoKind kind = sinfo->kind;
  switch (param->kind) {
  case RLX_PARAM_TENSOR:
    return (kind == RLX_SINFO_TENSOR || kind == RLX_SINFO_DTENSOR) &&
           (!c->trial || rule_takes(c, sinfo));
  case RLX_PARAM_SHAPE: return kind == RLX_SINFO_SHAPE;
  case RLX_PARAM_TUPLE: return kind == RLX_SINFO_TUPLE || kind == RLX_SINFO_TENSOR;
  case RLX_PARAM_CALLEE: return kind == RLX_SINFO_FUNC;
  case RLX_PARAM_PRIM: return kind == RLX_SINFO_PRIM;
  case RLX_PARAM_EXPR: return true;
  case RLX_PARAM_SINFO:
  case RLX_PARAM_INT:
  case RLX_PARAM_FLOAT:
  case RLX_PARAM_BOOL:
  case RLX_PARAM_STR:
  case RLX_PARAM_DTYPE:
  case RLX_PARAM_INTS:
  case RLX_PARAM_ANY: break;
  }
  return false;
}

/// Whether an `if` of Relax may decide by it.
static bool is_condition(const RlxSInfo *sinfo) {
  const bool is_scalar =
      sinfo->kind == RLX_SINFO_PRIM || (sinfo->kind == RLX_SINFO_TENSOR && sinfo->ndim <= 0);
  return is_scalar && (!rlx_dtype_known(sinfo->dtype) || rlx_dtype_is_bool(sinfo->dtype));
}

RlxFit rlx_complete_takes(const RlxComplete *c, const RlxSInfo *sinfo) {
  if (!sinfo) return RLX_FIT_YES;
  if (c->wants_condition) return is_condition(sinfo) ? RLX_FIT_YES : RLX_FIT_NO;
  if (c->declared) {
    const RlxBaseCheck check = rlx_sinfo_base_check(c->store, NULL, c->declared, sinfo, NULL, NULL);
    return check == RLX_CHECK_PASS       ? RLX_FIT_YES
           : check == RLX_CHECK_DISJOINT ? RLX_FIT_NO
                                         : RLX_FIT_MAYBE;
  }
  return !c->wanted || param_takes(c, c->wanted, sinfo) ? RLX_FIT_YES : RLX_FIT_NO;
}
