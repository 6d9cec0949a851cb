/// Loops of a PrimFunc's script: T.grid, T.serial and its like, `range`.
#include "analyzer/function/kinds_args.h"

#include <string.h>

static Kind unknown(void) { return rlx_kind_of(KIND_UNKNOWN); }

/// A float that no int32 is, which 0.27 casts the ends of loops to.
static bool is_endless(Kind kind) { return kind.is_infinite || !rlx_kind_holds(RLX_INT32, kind); }

static void check_extent(Kinds *k, const RlxAst *ast, Kind kind, int floats, bool may_be_none) {
  rlx_kind_used(k, ast, kind);
  if (kind.tag == KIND_NONE && may_be_none) return;
  bool is_flag = kind_is_code(kind, RLX_DTYPE_BOOL);
  if (kind_is_expr(kind) && kind.dtype.lanes > 1)
    rlx_kind_refuse(k, IN_BOTH, ast, kind, "an integer");
  else if (kind.tag == KIND_FLOAT || kind_is_float_expr(kind) || is_flag)
    rlx_kind_refuse(k,
                    is_endless(kind)         ? IN_BOTH
                    : is_flag && may_be_none ? IN_025
                                             : floats,
                    ast, kind, "an integer");
  else if (rlx_kind_is_no_value(kind) || kind.tag == KIND_REGION ||
           kind_is_code(kind, RLX_DTYPE_HANDLE))
    rlx_kind_refuse(k, kind_is_one_integer(kind) ? IN_027 : IN_BOTH, ast, kind, "an integer");
}

static RlxDType loop_dtype(Kind kind) {
  if (kind_is_expr(kind)) return rlx_dtype_is_int(kind.dtype) ? kind.dtype : rlx_dtype_unknown();
  return kind.tag == KIND_INT ? RLX_INT32 : rlx_dtype_unknown();
}

static Kind loops(Kinds *k, const RlxDType *dtypes, uint32_t count) {
  Kind out = rlx_kind_of(KIND_FOR);
  Kind *items = rlx_arena_array(k->arena, Kind, count + 1);
  for (uint32_t i = 0; i < count; i++) {
    items[i] = rlx_kind_expr(dtypes[i]);
    items[i].is_var = items[i].is_loop = true;
  }
  out.items = items;
  out.count = count;
  return out;
}

/// A number of Python that no int32 is.
static bool is_too_big(Kind kind) {
  return kind.tag == KIND_INT && kind.has_number && !rlx_kind_holds(RLX_INT32, kind);
}

/// A begin of a loop that is narrower than its end, or signed where the end is not; a number becomes what the end is. `where`: who keeps both as
/// they are given.
/// Source: TVM v0.25 and v0.27, tirx/ir/stmt.cc (For), script/ir_builder/tirx/ir.cc.
static void check_bounds(Kinds *k, const RlxAst *ast, Kind start, Kind stop, int where) {
  const bool is_long = is_too_big(stop);
  const RlxDType from = loop_dtype(start), to = loop_dtype(stop);
  const int bits = is_long ? 64 : to.bits;
  if (!from.bits || !bits) return;
  const bool is_unsigned = kind_is_expr(stop) && to.code == RLX_DTYPE_UINT,
             is_negative = is_unsigned && start.has_number && start.number < 0,
             is_narrow = kind_is_expr(start) && !start.has_number && from.bits < bits,
             is_signed = is_unsigned && from.code == RLX_DTYPE_INT && from.bits <= bits;
  if (is_negative)
    rlx_kind_refuse_text(k, bits < 32 ? IN_027 : IN_BOTH, ast->span,
                         "the loop begins below 0, and its end is unsigned");
  else if (is_narrow || is_signed)
    rlx_kind_refuse_text(k, where, ast->span, "the bounds of the loop have different dtypes");
}

Kind rlx_kind_grid(Kinds *k, Args *a) {
  RlxDType dtypes[MAX_ARGS];
  for (int i = 0; i < a->count; i++) {
    Kind kind = a->kinds[i];
    dtypes[i] = loop_dtype(kind);
    if (kind_is_list(kind) && kind.count == 2) { // begin, end
      check_bounds(k, a->at[i], kind.items[0], kind.items[1], IN_025);
      for (int end = 0; end < 2; end++)
        if (rlx_kind_is_no_value(kind.items[end]))
          rlx_kind_refuse(k, IN_BOTH, a->at[i], kind.items[end], "a bound of a loop");
        else if (kind.items[end].tag == KIND_FLOAT || kind_is_float_expr(kind.items[end]))
          rlx_kind_refuse(k, end ? IN_025 : IN_BOTH, a->at[i], kind.items[end], "an integer");
        else if (is_too_big(kind.items[end]))
          rlx_kind_refuse_text(k, IN_BOTH, a->at[i]->span, "a plain number is an int32 here");
      continue;
    }
    if (is_too_big(kind))
      rlx_kind_refuse_text(k, IN_BOTH, a->at[i]->span, "a plain number is an int32 here");
    check_extent(k, a->at[i], kind, IN_BOTH, false);
  }
  if (!a->count && !a->is_open)
    rlx_kind_refuse_text(k, IN_BOTH, a->call->span, "T.grid takes the extent of at least one loop");
  Kind out = loops(k, dtypes, (uint32_t)a->count);
  if (a->is_open) out.count = KIND_MANY;
  return out;
}

/// The step of a loop has its dtype, or a narrower one.
static void check_step(Kinds *k, const RlxAst *ast, Kind step, RlxDType loop) {
  const bool is_number = step.tag == KIND_UNKNOWN || step.tag == KIND_INT || kind_is_expr(step),
             is_int = !kind_is_expr(step) || !rlx_dtype_known(step.dtype) ||
                      (rlx_dtype_is_int(step.dtype) && step.dtype.lanes == 1),
             is_wide = kind_is_expr(step) && rlx_dtype_is_int(step.dtype) &&
                       rlx_dtype_is_int(loop) && loop.bits && step.dtype.bits > loop.bits;
  const bool is_value = !rlx_kind_is_no_value(step) && step.tag != KIND_REGION &&
                        !kind_is_code(step, RLX_DTYPE_HANDLE); // of any dtype for 0.27
  if (!is_number || !is_int || is_wide)
    rlx_kind_refuse(k, is_value ? IN_025 : IN_BOTH, ast, step, "an integer of the loop's dtype");
}

/// The keys of `annotations={"pragma_unroll": 1}`.
static void check_annotations(Kinds *k, const Args *a) {
  Kind dict;
  const RlxAst *ast;
  if (!rlx_kind_argument(k, a, -1, "annotations", &dict, &ast) || ast->kind != RLX_AST_DICT) return;
  for (uint32_t i = 0; i < ast->child_count; i += 2) {
    const Kind key = rlx_kind_entry(k, ast->children[i], false);
    if (key.tag != KIND_UNKNOWN && key.tag != KIND_STR)
      rlx_kind_refuse(k, IN_BOTH, ast->children[i], key, "a string as key");
  }
}

/// `dtype` of a loop or of an index of threads, which 0.27 makes a type of.
void rlx_kind_check_type(Kinds *k, const RlxAst *ast, Kind kind) {
  RlxDType dtype;
  const bool is_dtype = kind.tag == KIND_STR &&
                        (!kind.text || rlx_dtype_parse(kind.text, strlen(kind.text), &dtype)),
             may_be = kind.tag == KIND_UNKNOWN || kind.tag == KIND_NONE || kind.tag == KIND_OBJECT;
  if (!is_dtype && !may_be) rlx_kind_refuse(k, IN_027, ast, kind, "a dtype");
}

Kind rlx_kind_one_loop(Kinds *k, Args *a) {
  Kind start = unknown(), stop = unknown(), kind;
  const RlxAst *ast;
  bool binds = strcmp(a->path, "thread_binding") == 0, is_range = strcmp(a->path, "range") == 0;
  int bounds = a->count, limit = 2;
  if (binds) {
    if (rlx_kind_argument(k, a, -1, "thread", &kind, &ast)) {
      if (kind.tag != KIND_STR && kind.tag != KIND_UNKNOWN)
        rlx_kind_refuse(k, IN_BOTH, ast, kind, "the name of a thread axis");
    } else if (a->count) {
      kind = a->kinds[a->count - 1];
      if (kind.tag != KIND_STR && kind.tag != KIND_UNKNOWN && !a->is_open)
        rlx_kind_refuse(k, IN_BOTH, a->at[a->count - 1], kind, "the name of a thread axis");
      bounds--;
    }
  }
  if (bounds > 0) a->kinds[bounds - 1].is_let_again = false;
  for (int i = 0; i < bounds && i < limit; i++) {
    if ((is_range || i) && kind_is_code(a->kinds[i], RLX_DTYPE_BOOL))
      continue; // becomes an integer
    bool is_alone = bounds == 1 && !is_range && kind_is_expr(a->kinds[i]);
    if (!binds && bounds == 2 && !i && a->kinds[i].tag == KIND_BOOL)
      rlx_kind_refuse(k, IN_025, a->at[i], a->kinds[i], "an integer");
    check_extent(k, a->at[i], a->kinds[i], is_alone || binds ? IN_BOTH : IN_025,
                 i > 0 || bounds == 1);
  }
  if (rlx_kind_argument(k, a, -1, "annotations", &kind, &ast) && kind.tag != KIND_DICT &&
      kind.tag != KIND_NONE && kind.tag != KIND_UNKNOWN)
    rlx_kind_refuse(k, IN_BOTH, ast, kind, "a dictionary");
  check_annotations(k, a);
  if (bounds < 2 && rlx_kind_argument(k, a, -1, "stop", &kind, &ast) && kind.tag != KIND_NONE)
    check_extent(k, ast, kind, binds ? IN_BOTH : IN_025, true);
  if (rlx_kind_argument(k, a, -1, "dtype", &kind, &ast)) rlx_kind_check_type(k, ast, kind);
  if (bounds > 0) start = a->kinds[0];
  bool has_stop = bounds > 1 || rlx_kind_argument(k, a, -1, "stop", &stop, &ast);
  if (bounds > 1) stop = a->kinds[1];
  RlxDType from = loop_dtype(start),
           dtype = has_stop && stop.tag != KIND_NONE ? loop_dtype(stop) : from;
  Kind zero = rlx_kind_of(KIND_INT); // where range(n) begins
  zero.has_number = true;
  if (has_stop)
    check_bounds(k, a->call, start, stop, binds ? IN_BOTH : IN_025);
  else if (is_range && bounds == 1)
    check_bounds(k, a->call, zero, start, IN_025);
  // In 0.25 Python's range begins with an int32, which narrower integers become.
  if (is_range && dtype.bits && dtype.bits < 32 && (k->dialects & IN_025))
    from = dtype = rlx_dtype_unknown();
  if (has_stop && !rlx_dtype_equal(from, dtype)) dtype = from.bits > dtype.bits ? from : dtype;
  const bool has_step = rlx_kind_argument(k, a, -1, "step", &kind, &ast) && kind.tag != KIND_NONE;
  if (has_step) check_step(k, ast, kind, dtype);
  return loops(k, &dtype, 1);
}
