/// Calls of T.ptx in a PrimFunc's script: whether an instruction takes operands of these dtypes, and
/// whether those that it writes can be written to. Words and numbers of operands are looked at in
/// primfunc_calls.c.
#include "analyzer/function/kinds_args.h"
#include "analyzer/words/ptx.h"
#include "analyzer/words/script_names.h"

#include <string.h>

static const char *dtype_text(Kinds *k, RlxDType dtype) {
  if (!rlx_dtype_known(dtype) || !dtype.bits) return NULL;
  if (dtype.code == RLX_DTYPE_HANDLE) return "handle";
  char buffer[RLX_DTYPE_TEXT_MAX];
  return rlx_arena_printf(k->arena, "%s", rlx_dtype_text(dtype, buffer));
}

static RlxPtxOperand of_kind(Kinds *k, Kind kind) {
  RlxPtxOperand out = {.kind = RLX_PTX_ANY};
  if (kind.tag == KIND_BOOL) out.kind = RLX_PTX_BOOL;
  if (kind.tag == KIND_FLOAT) out.kind = RLX_PTX_FLOAT;
  if (kind.tag == KIND_INT) {
    out.kind = RLX_PTX_INT;
    out.is_negative = kind.has_number && kind.number < 0;
  }
  if (kind.tag == KIND_BUFFER || kind.tag == KIND_REGION) out.dtype = rlx_kind_text(k, kind);
  if (!kind_is_expr(kind) || kind.is_void || kind.is_stepped) return out;
  out.dtype = dtype_text(k, kind.dtype);
  if (kind.is_var && !kind.is_load) out.kind = RLX_PTX_VALUE;
  return out;
}

/// Whether `a op b` can be `a` or `b` itself: TVM leaves out `+ 0` and `* 1`.
static bool may_be_left_out(RlxAstOp op, Kind kind) {
  const bool is_sum = op == RLX_OP_ADD || op == RLX_OP_SUB;
  if (kind.tag == KIND_FLOAT)
    return !kind.has_number || kind.real == 0 || (kind.real == 1 && !is_sum);
  if (kind.tag == KIND_INT || (kind_is_expr(kind) && kind.has_number))
    return !kind.has_number || (kind.number == 0 || (kind.number == 1 && !is_sum));
  return !kind_is_expr(kind) || !(kind.is_load || kind.is_var);
}

/// Whether nothing can be written to the expression, whatever is in it.
static bool is_computed(Kinds *k, const RlxAst *ast, Kind kind) {
  if (ast->kind == RLX_AST_COMPARE) return true;
  if (ast->kind != RLX_AST_BINARY || !kind_is_expr(kind)) return false;
  for (int i = 0; i < 2; i++)
    if (may_be_left_out((RlxAstOp)ast->op, rlx_kind_eval(k, ast->children[i]))) return false;
  return true;
}

static RlxPtxOperand operand(Kinds *k, const RlxAst *ast, Kind kind) {
  char path[RLX_AST_DOTTED_MAX];
  const bool is_call = ast->kind == RLX_AST_CALL;
  const RlxAst *head = is_call ? ast->children[0] : ast;
  if (head->kind == RLX_AST_ATTRIBUTE && rlx_kind_path(k, head, path)) {
    RlxPtxOperand out = {.kind = rlx_ptx_special(path, is_call)};
    const bool has_base = is_call && ast->child_count > 1 &&
                          ast->children[1]->kind != RLX_AST_KEYWORD &&
                          ast->children[1]->kind != RLX_AST_STARRED;
    if (out.kind != RLX_PTX_ANY && has_base)
      out.dtype = of_kind(k, rlx_kind_eval(k, ast->children[1])).dtype;
    if (out.kind != RLX_PTX_ANY) return out;
  }
  RlxPtxOperand out = of_kind(k, kind);
  if (out.kind == RLX_PTX_ANY && is_computed(k, ast, kind)) out.kind = RLX_PTX_VALUE;
  return out;
}

static bool is_no_operand(Kind kind) {
  return kind_is_list(kind) || kind_is_thing(kind) || kind.tag == KIND_DICT ||
         kind.tag == KIND_NONE;
}

/// Whether a text is among the flags that may stand as the marker: `pred`, `keep`, `p0`, `s1`.
static bool may_be_flags(const char *text) { return strchr(text, ',') || strspn(text, "kps"); }

/// The call as TVM prints it has more words as texts behind its operands, and then a marker of flags.
/// NULL: what the texts say is not known; else all words, and the number of operands goes to `*count`.
static const char *with_printed_words(Kinds *k, const Args *a, const char *words, int *count) {
  while (*count > 0 && a->kinds[*count - 1].tag == KIND_STR) --*count;
  for (int i = *count; i < a->count; i++) {
    const char *text = a->kinds[i].text;
    const bool is_marker = i == a->count - 1;
    if (!text || (is_marker ? may_be_flags(text)
                            : text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789")] != 0))
      return NULL;
    if (*text && !is_marker) words = rlx_arena_printf(k->arena, "%s.%s", words, text);
  }
  return words;
}

void rlx_kind_ptx(Kinds *k, const Args *a, const char *words) {
  char why[RLX_PTX_TEXT_MAX];
  const bool has_function = // of 0.25
      (k->dialects & IN_025) &&
      rlx_script_name(rlx_arena_printf(k->arena, "ptx.%s", words), RLX_DIALECT_025);
  if (a->is_open || has_function || rlx_ptx_is_helper(words)) return;
  RlxPtxOperand operands[MAX_ARGS];
  int count = a->count;
  words = with_printed_words(k, a, words, &count);
  if (!words) return;
  const char *text = NULL;
  for (int i = 0; i < count; i++) {
    operands[i] = operand(k, a->at[i], a->kinds[i]);
    if (a->kinds[i].tag == KIND_STR) text = "a text before other operands is none";
    if (operands[i].kind == RLX_PTX_ANY && is_no_operand(a->kinds[i]))
      text = rlx_arena_printf(k->arena, "%s is no operand", rlx_kind_text(k, a->kinds[i]));
  }
  const bool fits = rlx_ptx_takes(words, operands, (uint32_t)count, why);
  if ((fits && !text) || !rlx_kind_may_tell(k, IN_BOTH)) return;
  rlx_reportf(&k->fn->end, RLX_DIAG_ID(PTX_FORM), rlx_kind_span(k, a->call->children[0]->span),
              "ss", words, fits ? text : why);
}
