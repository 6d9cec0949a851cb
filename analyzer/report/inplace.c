/// Values that are read after a call in place has overwritten them: one pass over each function in
/// the order in which it runs. Always true: what a branch overwrites is overwritten behind the `if`
/// and not in the other branch; what a local function overwrites is so inside of it alone.
#include "analyzer/report/inplace.h"

#include "analyzer/ask/flow.h"
#include "analyzer/function/files.h"
#include "analyzer/ops/op_table.h"
#include "analyzer/state/state.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include <stdlib.h>
#include <string.h>

enum { CALL_DEPTH_MAX = 32, PARAMS_MAX = 64, SOME_FIELD = -2 };

typedef struct Overwrite {
  const RlxStmt *stmt;
  RlxSpan span;   ///< of the call, relative
  const char *by; ///< "`R.call_tir_inplace`", "`f`"
  bool is_told;
} Overwrite;

typedef struct Pass {
  RlxFile *file;
  RlxFileDiags *out;
  RlxMap masks; ///< function → its overwritten parameters, as bits; busy ones have none
} Pass;

typedef struct Walk {
  Pass *pass;
  const RlxFn *fn;
  RlxMap at;          ///< memory → index in `done` + 1; 0: not overwritten any more
  Vec(uint64_t) keys; ///< what was put into `at`, in order
  Vec(Overwrite) done;
  uint64_t params; ///< those of fn that are overwritten, as bits
  int depth;       ///< of calls followed
  // one statement's
  const RlxBinding *binding;
  const RlxStmt *stmt;
  RlxSpan span;
  const RlxExpr *leaf;
  uint32_t overwrite; ///< the one that is put down, index in `done` + 1
} Walk;

static uint64_t key_of(RlxMemory m) { return rlx_hash_mix(rlx_hash_ptr(m.var), (uint64_t)m.field); }

// ---- reads

/// The variable that is read, or the memory that it stands for when it has no name in the script.
static const char *name_of(const Walk *w, const RlxVar *var, RlxMemory m) {
  RlxFile *file = w->pass->file;
  if (var->is_temporary && m.var->is_temporary) return "the value";
  if (!var->is_temporary || m.field < 0)
    return rlx_arena_printf(
        file->diag_arena, "`%s`",
        rlx_store_text(file->store, var->is_temporary ? m.var->name : var->name));
  return rlx_arena_printf(file->diag_arena, "`%s[%lld]`", rlx_store_text(file->store, m.var->name),
                          (long long)m.field);
}

static void tell(Walk *w, Overwrite *o, RlxMemory m) {
  RlxFile *file = w->pass->file;
  const RlxVar *var = w->leaf->kind == RLX_EXPR_VAR ? w->leaf->var : w->leaf->tuple->var;
  const char *name = name_of(w, var, m);
  bool is_written = !var->is_temporary && w->leaf->span.end > w->leaf->span.start;
  RlxSpan span = is_written ? w->leaf->span : w->span;
  RlxDiag *diag = rlx_reportf(&file->diag_sink, RLX_DIAG_ID(OVERWRITTEN), span, "ss", name, o->by);
  rlx_diag_related(&file->diag_sink, diag, o->stmt, o->span, "overwritten here");
  o->is_told = true;
  rlx_vec_push(w->pass->out, (RlxFileDiag){.diag = diag,
                                           .stmt = w->stmt,
                                           .span = rlx_stmt_absolute(w->stmt, span),
                                           .function = w->fn->stmt->name});
}

/// A field is overwritten with the whole tuple, and the tuple, for who reads all of it, with a field.
static void read_memory(void *data, RlxMemory m) {
  Walk *w = data;
  uint64_t at = 0;
  if (!rlx_map_get(&w->at, key_of(m), &at) || !at)
    rlx_map_get(&w->at, key_of((RlxMemory){m.var, m.field < 0 ? SOME_FIELD : -1}), &at);
  if (at && !w->done.at[at - 1].is_told) tell(w, &w->done.at[at - 1], m);
}

static void read_leaf(void *data, const RlxExpr *leaf, const char *label) {
  (void)label;
  Walk *w = data;
  w->leaf = leaf;
  rlx_expr_memory(leaf, read_memory, w);
}

/// Another name, a tuple or a cast of a value reads nothing of it, nor does who asks for its shape.
static bool reads_elements(const RlxBinding *b) {
  if (!b->value || b->kind == RLX_BINDING_MATCH_CAST) return false;
  if (b->value->kind == RLX_EXPR_VAR || b->value->kind == RLX_EXPR_TUPLE ||
      b->value->kind == RLX_EXPR_TUPLE_GET)
    return false;
  const RlxOpRow *row = b->value->kind == RLX_EXPR_CALL ? b->value->call.row : NULL;
  return !row ||
         (row->id != RLX_OP_ID(shape_of) && strncmp(row->registry, "relax.inspect.", 14) != 0);
}

// ---- overwrites

static void put(Walk *w, RlxMemory m) {
  uint64_t key = key_of(m);
  rlx_map_put(&w->at, key, w->overwrite);
  rlx_vec_push(&w->keys, key);
}

static void overwrite_memory(void *data, RlxMemory m) {
  Walk *w = data;
  put(w, m);
  if (m.field >= 0) put(w, (RlxMemory){m.var, SOME_FIELD});
  for (uint32_t i = 0; i < w->fn->function.param_count && i < PARAMS_MAX && m.field < 0; i++)
    if (w->fn->function.params[i] == m.var) w->params |= UINT64_C(1) << i;
}

static uint64_t overwritten_params(Pass *pass, const RlxFn *fn, int depth);

/// Argument `i` of a call that takes a tuple of them.
static const RlxExpr *argument(const RlxValue *args, int64_t i) {
  if (args->kind == RLX_VALUE_LIST)
    return i < args->count && args->items[i].kind == RLX_VALUE_EXPR ? args->items[i].expr : NULL;
  if (args->kind != RLX_VALUE_EXPR) return NULL;
  if (args->expr->kind == RLX_EXPR_TUPLE)
    return i < args->expr->field_count ? args->expr->fields[i] : NULL;
  return i == 0 ? args->expr : NULL;
}

static void overwrite_argument(Walk *w, const RlxValue *args, const RlxValue *index) {
  const RlxExpr *arg =
      index->kind == RLX_VALUE_INT && index->integer >= 0 ? argument(args, index->integer) : NULL;
  if (arg) rlx_expr_memory(arg, overwrite_memory, w);
}

/// What the call itself, or the function that it calls, overwrites.
static void overwrite(Walk *w, const RlxBinding *b) {
  const RlxCall *call = &b->value->call;
  RlxStore *store = w->pass->file->store;
  Overwrite o = {.stmt = b->stmt, .span = call->name_span};
  uint64_t mask = 0;
  bool in_place = call->row && (call->row->id == RLX_OP_ID(call_tir_inplace) ||
                                call->row->id == RLX_OP_ID(call_inplace_packed));
  if (in_place) {
    o.by = rlx_arena_printf(w->pass->file->diag_arena, "`R.%s`", call->row->script);
  } else if (!call->row && call->callee && call->callee->kind == RLX_EXPR_GLOBAL &&
             call->callee->callee && call->callee->callee->analysis) {
    const RlxAnalysis *unit = call->callee->callee->analysis;
    mask = unit->fn ? overwritten_params(w->pass, unit->fn, w->depth + 1) : 0;
    o.by = rlx_arena_printf(w->pass->file->diag_arena, "`%s`",
                            rlx_store_text(store, call->callee->name));
  }
  if (!in_place && !mask) return;
  rlx_vec_push(&w->done, o);
  w->overwrite = w->done.count;
  for (uint32_t i = 0; mask && i < call->arg_count && i < PARAMS_MAX; i++)
    if ((mask >> i & 1) && call->args[i].kind == RLX_VALUE_EXPR)
      rlx_expr_memory(call->args[i].expr, overwrite_memory, w);
  if (!in_place) return;
  const RlxValue *indices = &call->args[rlx_op_param(call->row, "inplace_indices")];
  if (indices->kind == RLX_VALUE_INT) overwrite_argument(w, &call->args[1], indices);
  for (uint32_t i = 0; indices->kind == RLX_VALUE_LIST && i < indices->count; i++)
    overwrite_argument(w, &call->args[1], &indices->items[i]);
}

// ---- the order of things

static void walk_suite(Walk *w, const RlxSuite *suite);

/// Takes back what was put down from `from` on, or puts it down again.
static void set_since(Walk *w, uint32_t from, uint32_t to, const uint64_t *values) {
  for (uint32_t i = from; i < to; i++)
    rlx_map_put(&w->at, w->keys.at[i], values ? values[i - from] : 0);
}

static void walk_branches(Walk *w, const RlxAnalysis *unit) {
  uint32_t from = w->keys.count;
  walk_suite(w, unit->body);
  uint32_t to = w->keys.count;
  uint64_t *values = to > from ? rlx_mem_zeroed(to - from, sizeof *values) : NULL;
  for (uint32_t i = from; i < to; i++) rlx_map_get(&w->at, w->keys.at[i], &values[i - from]);
  set_since(w, from, to, NULL);
  walk_suite(w, unit->orelse);
  if (values) set_since(w, from, to, values);
  free(values);
}

static void walk_unit(Walk *w, const RlxAnalysis *unit) {
  w->stmt = unit->stmt;
  for (uint32_t k = 0; k < unit->binding_count; k++) {
    const RlxBinding *b = unit->bindings[k];
    w->span = b->span;
    if (reads_elements(b)) rlx_expr_reads(b->value, read_leaf, w);
    if (b->value && b->value->kind == RLX_EXPR_CALL && !unit->is_tainted) overwrite(w, b);
  }
  if (unit->stmt->kind == RLX_STMT_RETURN && unit->result) {
    w->span = rlx_span(0, unit->stmt->head_size);
    rlx_expr_reads(unit->result, read_leaf, w);
  }
  if (unit->fn) { // a local function
    uint32_t from = w->keys.count;
    uint64_t params = w->params;
    walk_suite(w, unit->fn->body);
    set_since(w, from, w->keys.count, NULL);
    w->params = params;
  } else if (unit->kind == RLX_UNIT_IF) {
    walk_branches(w, unit);
  } else {
    walk_suite(w, unit->body);
  }
}

static void walk_suite(Walk *w, const RlxSuite *suite) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++)
    if (suite->units.at[i] && suite->units.at[i]->stmt) walk_unit(w, suite->units.at[i]);
}

/// The parameters that a function overwrites; the first time it is asked its findings are reported.
static uint64_t overwritten_params(Pass *pass, const RlxFn *fn, int depth) {
  uint64_t mask = 0;
  if (fn->file != pass->file || fn->kind != RLX_ISLAND_RELAX || fn->outer ||
      rlx_map_get(&pass->masks, rlx_hash_ptr(fn), &mask) || depth > CALL_DEPTH_MAX)
    return mask;
  rlx_map_put(&pass->masks, rlx_hash_ptr(fn), 0);
  Walk w = {.pass = pass, .fn = fn, .depth = depth};
  walk_suite(&w, fn->body);
  rlx_map_put(&pass->masks, rlx_hash_ptr(fn), w.params);
  rlx_map_free(&w.at);
  rlx_vec_free(&w.keys);
  rlx_vec_free(&w.done);
  return w.params;
}

void rlx_inplace_diags(RlxFile *file, RlxFileDiags *out) {
  Pass pass = {.file = file, .out = out};
  for (uint32_t i = 0; i < file->fns.count; i++) overwritten_params(&pass, file->fns.at[i], 0);
  rlx_map_free(&pass.masks);
}
