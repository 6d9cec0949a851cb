/// What all files of the block analysis ask: expressions as symbolic integers, the block or loop of
/// a statement, names, an answer that says no. It calls none of the other blocks files.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "analyzer/diag/line_words.h"
#include "analyzer/tir/blocks_impl.h"
#include "analyzer/tir/wraps.h"

// Symbols of PrimFunc variables live in scopes of their own, one for each id: same name, other
// variable.
#define SYMBOL_SCOPE ((uint64_t)1 << 62)

enum { MAX_EXPR_DEPTH = 200 };

const RlxSymVar *rlx_tir_symbol(RlxStore *store, const RlxTirVar *var) {
  if (var->symbol) return var->symbol;
  // PrimFuncs share symbols, so a length is another symbol than a number that may be negative.
  uint64_t scope = SYMBOL_SCOPE | (uint64_t)var->dtype.bits << 33 | (uint64_t)var->id << 1 |
                   (uint64_t)var->is_dimension;
  const RlxSymVar *symbol = rlx_symvar(store, scope, var->name, var->dtype, false);
  if (var->is_dimension) rlx_prim_mark_dimension(store, rlx_prim_var(store, symbol));
  return symbol;
}

typedef struct KindPair {
  uint8_t tir, prim;
} KindPair;

static const KindPair kind_pairs[] = {
    {RLX_TIR_ADD, RLX_PRIM_ADD},
    {RLX_TIR_SUB, RLX_PRIM_SUB},
    {RLX_TIR_MUL, RLX_PRIM_MUL},
    {RLX_TIR_FLOORDIV, RLX_PRIM_FLOORDIV},
    {RLX_TIR_FLOORMOD, RLX_PRIM_FLOORMOD},
    {RLX_TIR_TRUNCDIV, RLX_PRIM_TRUNCDIV},
    {RLX_TIR_TRUNCMOD, RLX_PRIM_TRUNCMOD},
    {RLX_TIR_MIN, RLX_PRIM_MIN},
    {RLX_TIR_MAX, RLX_PRIM_MAX},
    {RLX_TIR_SHL, RLX_PRIM_SHL},
    {RLX_TIR_SHR, RLX_PRIM_SHR},
    {RLX_TIR_BITAND, RLX_PRIM_BITAND},
    {RLX_TIR_BITOR, RLX_PRIM_BITOR},
    {RLX_TIR_BITXOR, RLX_PRIM_BITXOR},
    {RLX_TIR_EQ, RLX_PRIM_EQ},
    {RLX_TIR_NE, RLX_PRIM_NE},
    {RLX_TIR_LT, RLX_PRIM_LT},
    {RLX_TIR_LE, RLX_PRIM_LE},
    {RLX_TIR_AND, RLX_PRIM_AND},
    {RLX_TIR_OR, RLX_PRIM_OR},
};

static bool is_integer(RlxDType t) {
  return t.lanes == 1 && (rlx_dtype_is_int(t) || rlx_dtype_is_bool(t));
}

static const RlxPrim *integer(RlxStore *store, const RlxTirExpr *e, int depth) {
  if (!e || depth > MAX_EXPR_DEPTH || !is_integer(e->dtype)) return NULL;
  if (e->kind == RLX_TIR_INT) return rlx_prim_int_typed(store, e->integer, e->dtype);
  if (e->kind == RLX_TIR_VAR) return rlx_prim_var(store, rlx_tir_symbol(store, e->var));
  if (e->kind == RLX_TIR_CALL || e->kind == RLX_TIR_LOAD || e->kind == RLX_TIR_LET ||
      e->arg_count < 1 || e->arg_count > 3)
    return NULL;
  const RlxPrim *args[3] = {NULL, NULL, NULL};
  for (int i = 0; i < e->arg_count; i++)
    if (!(args[i] = integer(store, e->args[i], depth + 1))) return NULL;
  if (e->kind == RLX_TIR_NOT) return rlx_prim_unary(store, RLX_PRIM_NOT, args[0]);
  if (e->kind == RLX_TIR_CAST && is_integer(e->args[0]->dtype))
    return rlx_prim_cast(store, e->dtype, args[0]);
  if (e->arg_count == 3)
    return e->kind == RLX_TIR_SELECT || e->kind == RLX_TIR_IF_THEN_ELSE
               ? rlx_prim_select(store, args[0], args[1], args[2])
               : NULL;
  if (e->arg_count != 2) return NULL;
  if (e->kind == RLX_TIR_GT) return rlx_prim_binary(store, RLX_PRIM_LT, args[1], args[0]);
  if (e->kind == RLX_TIR_GE) return rlx_prim_binary(store, RLX_PRIM_LE, args[1], args[0]);
  for (size_t i = 0; i < sizeof kind_pairs / sizeof *kind_pairs; i++)
    if (kind_pairs[i].tir == e->kind)
      return rlx_prim_binary(store, kind_pairs[i].prim, args[0], args[1]);
  return NULL;
}

const RlxPrim *rlx_tir_integer(RlxStore *store, const RlxTirExpr *e) {
  return e && rlx_tir_may_wrap(e, RLX_TIR_FOR_PLACE) ? NULL : integer(store, e, 0);
}

const RlxPrim *rlx_tir_number(RlxStore *store, const RlxTirExpr *e) {
  return e && rlx_tir_may_wrap(e, RLX_TIR_FOR_VALUE) ? NULL : integer(store, e, 0);
}

bool rlx_tir_uses(const RlxTirExpr *e, const RlxTirVar *var) {
  if (!e) return false;
  if (e->kind == RLX_TIR_VAR) return e->var == var;
  for (int i = 0; i < e->arg_count; i++)
    if (rlx_tir_uses(e->args[i], var)) return true;
  return false;
}

// ------------------------------------------------------------------ questions

const RlxTirBlockInfo *rlx_tir_block_info(const RlxTirAnalysis *a, const RlxTirStmt *stmt) {
  int low = 0, high = a->block_count;
  while (low < high) {
    int middle = (low + high) / 2;
    const RlxTirBlockInfo *block = &a->blocks[a->blocks_by_stmt[middle]];
    if (block->stmt == stmt) return block;
    if ((uintptr_t)block->stmt < (uintptr_t)stmt)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

bool rlx_tir_is_under(const RlxTirBlockInfo *block, int loop) {
  for (int i = 0; i < block->loop_count; i++)
    if (block->loops[i] == loop) return true;
  return false;
}

const RlxTirLoopInfo *rlx_tir_loop_info(const RlxTirAnalysis *a, const RlxTirStmt *stmt) {
  int low = 0, high = a->loop_count;
  while (low < high) {
    int middle = (low + high) / 2;
    const RlxTirLoopInfo *loop = &a->loops[a->loops_by_stmt[middle]];
    if (loop->stmt == stmt) return loop;
    if ((uintptr_t)loop->stmt < (uintptr_t)stmt)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

const char *rlx_tir_loop_line(const RlxTirAnalysis *a, const RlxTirLoopInfo *loop) {
  const RlxTirStmt *stmt = loop->stmt;
  const RlxTirText *text = &a->text;
  bool is_alone = strcmp(loop->name, rlx_store_text(a->store, stmt->var->name)) == 0;
  if (is_alone || !stmt->span.end || !(text->lines || text->is_moving)) return "";
  return text->is_moving ? rlx_line_mark(a->arena, stmt->span.start)
                         : rlx_line_words(a->arena, text->lines, text->start + stmt->span.start);
}

const char *rlx_tir_loop_title(const RlxTirAnalysis *a, const RlxTirLoopInfo *loop) {
  const char *line = rlx_tir_loop_line(a, loop);
  return line[0] ? rlx_arena_printf(a->arena, "%s%s", loop->name, line) : loop->name;
}

int rlx_tir_common_loop(const RlxTirAnalysis *a, int block, int other) {
  const RlxTirBlockInfo *x = &a->blocks[block], *y = &a->blocks[other];
  int common = -1;
  for (int i = 0; i < x->loop_count && i < y->loop_count && x->loops[i] == y->loops[i]; i++)
    common = x->loops[i];
  return common;
}

const char *rlx_tir_block_name(const RlxTirAnalysis *a, int block) {
  RlxName name = a->blocks[block].name;
  if (name) return rlx_store_text(a->store, name);
  return block ? "" : "root";
}

const char *rlx_tir_iter_type_name(RlxTirIterType type) {
  static const char *const names[] = {"data_par", "reduce", "ordered", "opaque"};
  return names[type];
}

const char *rlx_tir_dependency_name(RlxTirDependencyKind kind) {
  static const char *const names[] = {"RAW", "WAW", "WAR", "OPAQUE"};
  return names[kind];
}

const char *rlx_tir_for_kind_name(RlxTirForKind kind) {
  static const char *const names[] = {"serial", "parallel", "vectorized", "unrolled",
                                      "thread_binding"};
  return names[kind];
}

const char *rlx_tir_reducer_name(RlxTirReducer reducer) {
  static const char *const names[] = {"", "sum", "prod", "min", "max", "argmin", "argmax"};
  return names[reducer];
}

RlxTirVerdict rlx_tir_fails(const RlxTirAnalysis *a, int violates, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  RlxTirVerdict v = {
      .violates = (uint8_t)violates, .other = -1, .reason = rlx_arena_strdup(a->arena, text)};
  return v;
}
