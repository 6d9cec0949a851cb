/// What is entered where a statement of a PrimFunc stands: loops, conditions, scopes and blocks, and what may stand in T.If and T.init.
#include <string.h>

#include "analyzer/function/kinds_args.h"

static KindFrame *top_of(Kinds *k) {
  return k->entered.count ? &k->entered.at[k->entered.count - 1] : NULL;
}

void rlx_kind_emit(Kinds *k) {
  KindFrame *top = top_of(k);
  if (top && top->kind == FRAME_IF) top->is_wrong = true;
}

void rlx_kind_emit_unknown(Kinds *k) {
  KindFrame *top = top_of(k);
  if (top && top->kind == FRAME_IF) top->is_unsure = true;
}

/// T.Then and T.Else stand at the top of T.If, each once, T.Then first.
/// Source: TVM v0.25 and v0.27, script/ir_builder/tir/frame.cc (ThenFrame, ElseFrame).
static void enter_branch(Kinds *k, const RlxAst *call, bool is_then) {
  KindFrame *top = top_of(k);
  if (top && top->kind == FRAME_IF) {
    top->is_wrong |= !is_then && !top->thens;
    top->thens += is_then, top->elses += !is_then;
  } else if (!top || top->kind != FRAME_UNKNOWN) {
    rlx_kind_refuse_text(k, IN_BOTH, call->span, "T.Then and T.Else stand at the top of T.If");
    for (uint32_t i = 0; i < k->entered.count; i++) k->entered.at[i].is_unsure = true; // told
  }
}

/// T.init stands in a block, and below nothing else there.
static void enter_init(Kinds *k, const RlxAst *call) {
  const KindFrame *top = top_of(k);
  if (top && (top->kind == FRAME_BLOCK || top->kind == FRAME_UNKNOWN)) return;
  for (uint32_t i = k->entered.count; i-- > 0;) {
    if (k->entered.at[i].kind == FRAME_UNKNOWN) return;
    if (k->entered.at[i].kind != FRAME_BLOCK) continue;
    rlx_kind_refuse_place(k, call, "init");
    return;
  }
  rlx_kind_refuse_text(k, IN_BOTH, call->span, "T.init stands in a block");
}

void rlx_kind_enter(Kinds *k, KindFrameKind kind, const RlxAst *call) {
  if (kind == FRAME_UNKNOWN)
    rlx_kind_emit_unknown(k);
  else if (kind != FRAME_THEN && kind != FRAME_ELSE)
    rlx_kind_emit(k);
  if (kind == FRAME_THEN || kind == FRAME_ELSE) enter_branch(k, call, kind == FRAME_THEN);
  if (kind == FRAME_INIT) enter_init(k, call);
  rlx_vec_push(
      &k->entered,
      (KindFrame){.kind = kind, .stmt = k->stmt, .span = call ? call->span : rlx_span(0, 0)});
  k->frames = kind == FRAME_BLOCK ? 0 : k->frames + (kind != FRAME_UNKNOWN);
}

/// Reports a T.If that is left, and had something else in it than its branches.
/// Source: TVM v0.25 and v0.27, script/ir_builder/tir/frame.cc (IfFrame).
static void leave_if(Kinds *k, const KindFrame *frame) {
  if (frame->is_unsure || (!frame->is_wrong && frame->thens == 1 && frame->elses <= 1)) return;
  const RlxStmt *stmt = k->stmt;
  k->stmt = frame->stmt;
  k->is_told = false;
  rlx_kind_refuse_text(k, IN_BOTH, frame->span,
                       "in T.If stand one T.Then, a T.Else behind it, and nothing else");
  k->stmt = stmt;
}

KindEntered rlx_kind_entered(const Kinds *k) { return (KindEntered){k->entered.count, k->frames}; }

void rlx_kind_leave(Kinds *k, KindEntered to, bool is_sure) {
  while (k->entered.count > to.count) {
    const KindFrame frame = k->entered.at[--k->entered.count];
    if (frame.kind == FRAME_IF && is_sure) leave_if(k, &frame);
  }
  k->frames = to.frames;
}
