/// Numbers in the text of a trace: computed with as it is read, and deciding what of it is read.
#include "analyzer/schedule/trace_impl.h"

#include <stdlib.h>
#include <string.h>

bool rlx_trace_read_number(TraceReader *r, const RlxAst *a, int64_t *out) {
  RlxScheduleValue v;
  const RlxScheduleValue *local = a->kind == RLX_AST_NAME ? rlx_trace_local(r, a->name) : NULL;
  if (local && (local->kind == RLX_SCHEDULE_INT || local->kind == RLX_SCHEDULE_BOOL)) {
    *out = local->kind == RLX_SCHEDULE_BOOL ? local->boolean : local->integer;
    return true;
  }
  uint64_t number;
  if (a->kind == RLX_AST_NAME && rlx_map_get(&r->numbers, a->name, &number)) {
    *out = (int64_t)number;
    return true;
  }
  if (a->kind == RLX_AST_TRUE || a->kind == RLX_AST_FALSE) {
    *out = a->kind == RLX_AST_TRUE;
    return true;
  }
  const bool may_be = a->kind == RLX_AST_INT || a->kind == RLX_AST_UNARY ||
                      a->kind == RLX_AST_BINARY || a->kind == RLX_AST_CONDITIONAL;
  const bool is_call = a->kind == RLX_AST_CALL && rlx_trace_least_or_most(r, a, &v);
  const bool is_number =
      is_call || (may_be && rlx_trace_read_value(r, a, &v) && v.kind == RLX_SCHEDULE_INT);
  if (is_number) *out = v.integer;
  return is_number;
}

/// Are both so small that nothing overflows?
static bool are_small(int64_t x, int64_t y) { return llabs(x) < INT32_MAX && llabs(y) < INT32_MAX; }

/// Whether the value, which `a` says, is a number that the text tells.
static bool is_known(TraceReader *r, const RlxAst *a, const RlxScheduleValue *v, int64_t *out) {
  *out = v->kind == RLX_SCHEDULE_BOOL ? v->boolean : v->integer;
  return v->kind == RLX_SCHEDULE_INT || v->kind == RLX_SCHEDULE_BOOL ||
         (a->kind == RLX_AST_NAME && rlx_trace_read_number(r, a, out));
}

/// 4 * 8, and n // 4 of a number that is known when the step runs.
bool rlx_trace_arithmetic(TraceReader *r, const RlxAst *a, RlxScheduleValue *out) {
  RlxScheduleValue pair[2];
  int64_t x, y;
  if (!rlx_trace_read_value(r, a->children[0], &pair[0]) ||
      !rlx_trace_read_value(r, a->children[1], &pair[1]))
    return false;
  const char *op = rlx_trace_operator((RlxAstOp)a->op);
  if (!op) return rlx_trace_wrong(r, a->span, "a step computes with + - * / // % and **");
  const bool are_known =
      is_known(r, a->children[0], &pair[0], &x) && is_known(r, a->children[1], &pair[1], &y);
  *out = rlx_trace_computed(r, op, pair, 2);
  if (!are_known || !are_small(x, y)) return true;
  const bool divides = a->op == RLX_OP_FLOORDIV || a->op == RLX_OP_MOD;
  RlxScheduleValue number = {.kind = RLX_SCHEDULE_INT};
  if (a->op == RLX_OP_ADD)
    number.integer = x + y;
  else if (a->op == RLX_OP_SUB)
    number.integer = x - y;
  else if (a->op == RLX_OP_MUL)
    number.integer = x * y;
  else if (divides && x >= 0 && y > 0)
    number.integer = a->op == RLX_OP_MOD ? x % y : x / y;
  else
    return true;
  *out = number;
  return true;
}

bool rlx_trace_least_or_most(TraceReader *r, const RlxAst *a, RlxScheduleValue *out) {
  const RlxAst *callee = a->children[0];
  const char *name = callee->kind == RLX_AST_NAME ? rlx_store_text(r->store, callee->name) : "";
  const bool is_min = strcmp(name, "min") == 0, is_max = strcmp(name, "max") == 0;
  if ((!is_min && !is_max) || a->child_count < 3 || rlx_trace_function(r, callee->name))
    return false;
  int64_t best = 0;
  const uint32_t steps = r->trace->steps.count;
  for (uint32_t i = 1; i < a->child_count; i++) {
    int64_t x;
    if (!rlx_trace_read_number(r, a->children[i], &x)) {
      r->trace->steps.count = steps; // those of calls in the arguments, which are read again
      return false;
    }
    if (i == 1 || (is_min ? x < best : x > best)) best = x;
  }
  *out = (RlxScheduleValue){.kind = RLX_SCHEDULE_INT, .integer = best};
  return true;
}

static bool compare(RlxAstOp op, int64_t x, int64_t y, bool *out) {
  switch ((int)op) {
  case RLX_OP_EQ: *out = x == y; break;
  case RLX_OP_NE: *out = x != y; break;
  case RLX_OP_LT: *out = x < y; break;
  case RLX_OP_LE: *out = x <= y; break;
  case RLX_OP_GT: *out = x > y; break;
  case RLX_OP_GE: *out = x >= y; break;
  default: return false;
  }
  return true;
}

static bool decide(TraceReader *r, const RlxAst *a, bool *out) {
  int64_t x, y;
  if (a->kind == RLX_AST_BOOL_OP) {
    const bool ends =
        a->op == RLX_OP_OR; // what the left side has to be for the right one not to count
    return decide(r, a->children[0], out) && (*out == ends || decide(r, a->children[1], out));
  }
  if (a->kind == RLX_AST_UNARY && a->op == RLX_OP_NOT) {
    if (!decide(r, a->children[0], out)) return false;
    *out = !*out;
    return true;
  }
  if (a->kind != RLX_AST_COMPARE) {
    if (!rlx_trace_read_number(r, a, &x)) return false;
    *out = x != 0;
    return true;
  }
  *out = true;
  for (uint32_t i = 0; *out && i + 1 < a->child_count; i++)
    if (!rlx_trace_read_number(r, a->children[i], &x) ||
        !rlx_trace_read_number(r, a->children[i + 1], &y) ||
        !compare((RlxAstOp)a->ops[i], x, y, out))
      return false;
  return true;
}

bool rlx_trace_decide(TraceReader *r, const RlxAst *a, bool *out) {
  RlxSink *sink = r->sink, apart = {.arena = sink->arena};
  const uint32_t steps = r->trace->steps.count;
  r->sink = &apart;
  const bool is_decided = decide(r, a, out);
  r->sink = sink;
  if (!is_decided) r->trace->steps.count = steps; // those of calls in it, which are read again
  rlx_vec_free(&apart.diags);
  return is_decided;
}
