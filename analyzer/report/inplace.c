/// Values that are read after a call in place has overwritten them: one pass over each function in
/// the order in which it runs. Always true: what a branch overwrites is overwritten behind the `if`
/// and not in the other branch; what a local function overwrites is so inside of it, and behind each
/// call of it, where its body is gone through again.
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

enum {
  CALL_DEPTH_MAX = 32,
  INNER_DEPTH_MAX = 4,   // calls of local functions inside of each other
  INNER_CALLS_MAX = 200, // of a function
  PARAMS_MAX = 64,
  GIVEN_MAX = 16,  // places of memory that a result lives in
  LOOKS_MAX = 200, // at memory that values share, for one read
  SOME_FIELD = -2
};

typedef struct Overwrite {
  const RlxStmt *stmt;
  RlxSpan span;   ///< of the call, relative
  const char *by; ///< "`R.call_tir_inplace`", "`f`"
  bool is_told;
} Overwrite;

/// Field `field` of what a function gives, or all of it, lives in `memory`: of a caller's summary
/// that of a parameter.
typedef struct Given {
  int64_t field;
  RlxMemory memory;
} Given;

typedef struct GivenList {
  Given at[GIVEN_MAX];
  uint32_t count;
} GivenList;

/// What a function does to its parameters, as callers see it.
typedef struct Summary {
  uint64_t overwritten;             ///< parameters, as bits
  uint64_t read_behind[PARAMS_MAX]; ///< of each overwritten one: those that are read behind that
  GivenList given;
} Summary;

typedef struct Pass {
  RlxFile *file;
  RlxFileDiags *out;
  RlxMap summaries; ///< function → its Summary *, NULL of a busy one
  RlxArena *arena;
} Pass;

/// `of` lives in `with` since there were `since` overwrites: a call's result in an argument that it
/// was written to, an `if`'s in its branches'.
typedef struct Share {
  RlxMemory of, with;
  uint32_t since, before; ///< before: another one of the same variable, + 1
} Share;

typedef struct Key {
  uint64_t key;
  const RlxVar *var;
} Key;

typedef struct Walk {
  Pass *pass;
  const RlxFn *fn;
  Summary *summary;
  RlxMap at;     ///< memory → index in `done` + 1; 0: not overwritten any more
  Vec(Key) keys; ///< what was put into `at`, in order
  Vec(Overwrite) done;
  RlxMap share_of; ///< variable → the last of its shares + 1
  Vec(Share) shares;
  GivenList *given; ///< what the function that is gone through gives; NULL: nobody asks
  int depth;        ///< of calls followed
  int inner_depth, inner_calls, looks;
  // one statement's
  const RlxBinding *binding;
  const RlxStmt *stmt;
  RlxSpan span;
  const RlxExpr *leaf;
  const char *by;     ///< who is said to have overwritten it; NULL: the call itself
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
  RlxDiag *diag = rlx_reportf(&file->diag_sink, RLX_DIAG_ID(OVERWRITTEN), span, "ss", name,
                              w->by ? w->by : o->by);
  rlx_diag_related(&file->diag_sink, diag, o->stmt, o->span, "overwritten here");
  o->is_told = true;
  rlx_vec_push(w->pass->out, (RlxFileDiag){.diag = diag,
                                           .stmt = w->stmt,
                                           .span = rlx_stmt_absolute(w->stmt, span),
                                           .function = w->fn->stmt->name});
}

/// What `m` shares with others by `s`: a field of a tuple with the field of the other tuple.
static bool shared(const Share *s, RlxMemory m, RlxMemory *out) {
  if (s->of.field >= 0 && m.field >= 0 && s->of.field != m.field) return false;
  *out = s->with;
  if (s->of.field < 0 && m.field >= 0 && s->with.field < 0) out->field = m.field;
  return true;
}

static uint32_t last_share(const Walk *w, const RlxVar *var) {
  uint64_t at = 0;
  return rlx_map_get(&w->share_of, rlx_hash_ptr(var), &at) ? (uint32_t)at : 0;
}

static int param_of(const RlxFn *fn, const RlxVar *var) {
  for (uint32_t i = 0; i < fn->function.param_count && i < PARAMS_MAX; i++)
    if (fn->function.params[i] == var) return (int)i;
  return -1;
}

/// A field is overwritten with the whole tuple, and the tuple, for who reads all of it, with a field.
static void read_since(Walk *w, RlxMemory m, uint32_t since) {
  uint64_t at = 0;
  if (w->looks-- <= 0) return;
  if (!rlx_map_get(&w->at, key_of(m), &at) || !at)
    rlx_map_get(&w->at, key_of((RlxMemory){m.var, m.field < 0 ? SOME_FIELD : -1}), &at);
  if (at > since && !w->done.at[at - 1].is_told) tell(w, &w->done.at[at - 1], m);
  int param = m.var->is_param && w->summary->overwritten ? param_of(w->fn, m.var) : -1;
  for (int i = 0; param >= 0 && i < PARAMS_MAX; i++)
    if (i != param && w->summary->overwritten >> i & 1)
      w->summary->read_behind[i] |= UINT64_C(1) << param;
  for (uint32_t k = last_share(w, m.var); k; k = w->shares.at[k - 1].before) {
    const Share *s = &w->shares.at[k - 1];
    RlxMemory with;
    if (shared(s, m, &with)) read_since(w, with, s->since > since ? s->since : since);
  }
}

static void read_memory(void *data, RlxMemory m) { read_since(data, m, 0); }

static void read_leaf(void *data, const RlxExpr *leaf, const char *label) {
  (void)label;
  Walk *w = data;
  w->leaf = leaf;
  w->looks = LOOKS_MAX;
  rlx_expr_memory(leaf, read_memory, w);
}

/// Another name, a tuple or a cast of a value reads nothing of it, nor does who asks for its shape.
static bool reads_elements(const RlxBinding *b) {
  if (!b->value || b->kind == RLX_BINDING_MATCH_CAST) return false;
  if (b->value->kind == RLX_EXPR_VAR || b->value->kind == RLX_EXPR_TUPLE ||
      b->value->kind == RLX_EXPR_TUPLE_GET)
    return false;
  const RlxOpRow *row = b->value->kind == RLX_EXPR_CALL ? b->value->call->row : NULL;
  return !row ||
         (row->id != RLX_OP_ID(shape_of) && strncmp(row->registry, "relax.inspect.", 14) != 0);
}

// ---- memory that values share

typedef struct Sharing {
  Walk *walk;
  RlxMemory of;
} Sharing;

static void share_memory(void *data, RlxMemory with) {
  Sharing *sharing = data;
  Walk *w = sharing->walk;
  if (with.var == sharing->of.var) return;
  Share share = {sharing->of, with, w->done.count, last_share(w, sharing->of.var)};
  rlx_vec_push(&w->shares, share);
  rlx_map_put(&w->share_of, rlx_hash_ptr(share.of.var), w->shares.count);
}

static void share(Walk *w, const RlxVar *var, int64_t field, const RlxExpr *with) {
  Sharing sharing = {w, {var, field}};
  rlx_expr_memory(with, share_memory, &sharing);
}

/// Takes back what was shared from `from` on.
static void forget_shares(Walk *w, uint32_t from) {
  while (w->shares.count > from) {
    const Share *last = &w->shares.at[--w->shares.count];
    rlx_map_put(&w->share_of, rlx_hash_ptr(last->of.var), last->before);
  }
}

static bool is_inside(const RlxVar *var, const RlxFn *fn) {
  const RlxAnalysis *unit = var->stmt ? var->stmt->analysis : NULL;
  const RlxFn *of = !unit ? NULL : var->is_param ? unit->fn : unit->owner;
  while (of && of != fn) of = of->outer;
  return of != NULL;
}

typedef struct Giving {
  Walk *walk;
  const RlxFn *fn; ///< whose variables are not seen outside
  GivenList *out;
  int64_t field;
  int looks;
} Giving;

/// What the result lives in and outlives the function: its parameters, or what is outside of it.
static void give_memory(void *data, RlxMemory m) {
  Giving *g = data;
  if (g->looks-- <= 0 || g->out->count == GIVEN_MAX) return;
  bool is_outside = g->fn->outer ? !is_inside(m.var, g->fn) : param_of(g->fn, m.var) >= 0;
  if (is_outside) g->out->at[g->out->count++] = (Given){g->field, m};
  for (uint32_t k = last_share(g->walk, m.var); k && !is_outside;) {
    const Share s = g->walk->shares.at[k - 1];
    RlxMemory with;
    if (shared(&s, m, &with)) give_memory(g, with);
    k = s.before;
  }
}

static void give(Walk *w, const RlxFn *fn, RlxExpr *result) {
  const RlxSInfo *sinfo = result->sinfo;
  bool is_tuple = sinfo && sinfo->kind == RLX_SINFO_TUPLE && sinfo->count <= GIVEN_MAX;
  if (!w->given) return;
  for (int32_t i = 0; i < (is_tuple ? sinfo->count : 1); i++) {
    Giving giving = {w, fn, w->given, is_tuple ? i : -1, LOOKS_MAX};
    RlxExpr field = {.kind = RLX_EXPR_TUPLE_GET};
    field.tuple = result;
    field.index = i;
    rlx_expr_memory(is_tuple ? &field : result, give_memory, &giving);
  }
}

// ---- overwrites

static void put(Walk *w, RlxMemory m) {
  uint64_t key = key_of(m);
  rlx_map_put(&w->at, key, w->overwrite);
  rlx_vec_push(&w->keys, ((Key){key, m.var}));
}

static void overwrite_shared(Walk *w, RlxMemory m) {
  if (w->looks-- <= 0) return;
  put(w, m);
  if (m.field >= 0) put(w, (RlxMemory){m.var, SOME_FIELD});
  int param = m.field < 0 ? param_of(w->fn, m.var) : -1;
  if (param >= 0) w->summary->overwritten |= UINT64_C(1) << param;
  for (uint32_t k = last_share(w, m.var); k;) {
    const Share s = w->shares.at[k - 1];
    RlxMemory with;
    uint64_t at = 0;
    if (shared(&s, m, &with) && !(rlx_map_get(&w->at, key_of(with), &at) && at))
      overwrite_shared(w, with); // what was overwritten before was said to be
    k = s.before;
  }
}

static void overwrite_memory(void *data, RlxMemory m) {
  Walk *w = data;
  w->looks = LOOKS_MAX;
  overwrite_shared(w, m);
}

static const Summary *summary_of(Pass *pass, const RlxFn *fn, int depth);

/// Argument `i` of a call that takes a tuple of them.
static const RlxExpr *argument(const RlxValue *args, int64_t i) {
  if (args->kind == RLX_VALUE_LIST)
    return i < args->count && args->items[i].kind == RLX_VALUE_EXPR ? args->items[i].expr : NULL;
  if (args->kind != RLX_VALUE_EXPR) return NULL;
  if (args->expr->kind == RLX_EXPR_TUPLE)
    return i < args->expr->field_count ? args->expr->fields[i] : NULL;
  return i == 0 ? args->expr : NULL;
}

/// Another argument of the call that has just overwritten one is read, or written, too.
static void read_beside(Walk *w, const RlxExpr *arg) {
  const Overwrite *o = &w->done.at[w->done.count - 1];
  if (o->is_told || (arg->kind != RLX_EXPR_VAR && arg->kind != RLX_EXPR_TUPLE_GET)) return;
  w->by = rlx_arena_printf(w->pass->file->diag_arena, "the same call of %s", o->by);
  read_leaf(w, arg, NULL);
  w->by = NULL;
}

/// Argument `index` of the tuple `args` is written to, and is what the call gives, or its field. What
/// is written to twice is overwritten in the call; what is written and read is not, for a PrimFunc
/// may well go from element to element: TVM's DataflowUseInplaceCalls makes such calls.
static void overwrite_argument(Walk *w, const RlxBinding *b, const RlxValue *args,
                               const RlxValue *index, int64_t field) {
  if (index->kind != RLX_VALUE_INT || index->integer < 0) return;
  const RlxExpr *arg = argument(args, index->integer);
  if (!arg) return;
  if (field > 0) read_beside(w, arg);
  rlx_expr_memory(arg, overwrite_memory, w);
  share(w, b->var, field, arg);
}

static void overwrite_in_place(Walk *w, const RlxBinding *b) {
  const RlxCall *call = b->value->call;
  const RlxValue *indices = &call->args[rlx_op_param(call->row, "inplace_indices")];
  bool is_tuple = b->var->sinfo && b->var->sinfo->kind == RLX_SINFO_TUPLE;
  if (indices->kind == RLX_VALUE_INT)
    overwrite_argument(w, b, &call->args[1], indices, is_tuple ? 0 : -1);
  for (uint32_t i = 0; indices->kind == RLX_VALUE_LIST && i < indices->count; i++)
    overwrite_argument(w, b, &call->args[1], &indices->items[i], is_tuple ? (int64_t)i : -1);
}

static const RlxExpr *argument_expr(const RlxCall *call, uint32_t i) {
  return i < call->arg_count && call->args[i].kind == RLX_VALUE_EXPR ? call->args[i].expr : NULL;
}

/// A call of a function of the file, which overwrites some of its parameters, or gives one back.
static void apply(Walk *w, const RlxBinding *b, const Summary *summary) {
  const RlxCall *call = b->value->call;
  for (uint32_t i = 0; i < PARAMS_MAX; i++) {
    const RlxExpr *arg = summary->overwritten >> i & 1 ? argument_expr(call, i) : NULL;
    if (arg) rlx_expr_memory(arg, overwrite_memory, w);
    for (uint32_t k = 0; arg && k < PARAMS_MAX; k++) {
      const RlxExpr *other = summary->read_behind[i] >> k & 1 ? argument_expr(call, k) : NULL;
      if (other) read_beside(w, other);
    }
  }
  for (uint32_t i = 0; i < summary->given.count; i++) {
    const Given *given = &summary->given.at[i];
    const RlxExpr *arg = argument_expr(call, (uint32_t)given->memory.field);
    if (arg) share(w, b->var, given->field, arg);
  }
}

static void call_inner(Walk *w, const RlxBinding *b, const RlxFn *inner);

static void to_local(void *data, RlxMemory m) {
  const RlxAnalysis *unit = m.var->stmt && m.field < 0 ? m.var->stmt->analysis : NULL;
  if (unit && unit->fn && !m.var->is_param) *(const RlxFn **)data = unit->fn;
}

/// What the call itself, or the function that it calls, overwrites.
static void overwrite(Walk *w, const RlxBinding *b) {
  const RlxCall *call = b->value->call;
  RlxStore *store = w->pass->file->store;
  Overwrite o = {.stmt = b->stmt, .span = call->name_span};
  const Summary *summary = NULL;
  bool in_place = call->row && (call->row->id == RLX_OP_ID(call_tir_inplace) ||
                                call->row->id == RLX_OP_ID(call_inplace_packed));
  if (in_place) {
    o.by = rlx_arena_printf(w->pass->file->diag_arena, "`R.%s`", call->row->script);
  } else if (!call->row && call->callee && call->callee->kind == RLX_EXPR_GLOBAL &&
             call->callee->callee && call->callee->callee->analysis) {
    const RlxAnalysis *unit = call->callee->callee->analysis;
    summary = unit->fn ? summary_of(w->pass, unit->fn, w->depth + 1) : NULL;
    o.by = rlx_arena_printf(w->pass->file->diag_arena, "`%s`",
                            rlx_store_text(store, call->callee->name));
  } else if (!call->row && call->callee && call->callee->kind == RLX_EXPR_VAR) {
    const RlxFn *inner = NULL;
    rlx_expr_memory(call->callee, to_local, &inner);
    if (inner) call_inner(w, b, inner);
  }
  if (!in_place && !(summary && (summary->overwritten || summary->given.count))) return;
  if (in_place || summary->overwritten) rlx_vec_push(&w->done, o);
  w->overwrite = w->done.count;
  if (in_place)
    overwrite_in_place(w, b);
  else
    apply(w, b, summary);
}

// ---- the order of things

static void walk_suite(Walk *w, const RlxSuite *suite);

/// Takes back what was put down from `from` on, or puts it down again.
static void set_since(Walk *w, uint32_t from, uint32_t to, const uint64_t *values) {
  for (uint32_t i = from; i < to; i++)
    rlx_map_put(&w->at, w->keys.at[i].key, values ? values[i - from] : 0);
}

/// The variable that a branch gives: the last that it binds, or NULL.
static const RlxVar *last_of(const RlxSuite *suite) {
  for (uint32_t i = suite ? suite->units.count : 0; i-- > 0;) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (!unit || unit->fn) continue;
    const RlxVar *inside = unit->kind == RLX_UNIT_WITH ? last_of(unit->body) : NULL;
    if (inside) return inside;
    if (unit->binding_count) return unit->bindings[unit->binding_count - 1]->var;
  }
  return NULL;
}

static void share_branch(Walk *w, const RlxAnalysis *unit, const RlxSuite *branch) {
  const RlxBinding *b = unit->binding_count ? unit->bindings[unit->binding_count - 1] : NULL;
  RlxExpr last = {.kind = RLX_EXPR_VAR};
  last.var = (RlxVar *)(uintptr_t)last_of(branch);
  if (b && last.var && b->value && b->value->kind == RLX_EXPR_IF) share(w, b->var, -1, &last);
}

static void walk_branches(Walk *w, const RlxAnalysis *unit) {
  uint32_t from = w->keys.count;
  uint64_t params = w->summary->overwritten;
  walk_suite(w, unit->body);
  uint64_t then_params = w->summary->overwritten;
  uint32_t to = w->keys.count;
  uint64_t *values = to > from ? rlx_mem_zeroed(to - from, sizeof *values) : NULL;
  for (uint32_t i = from; i < to; i++) rlx_map_get(&w->at, w->keys.at[i].key, &values[i - from]);
  set_since(w, from, to, NULL);
  w->summary->overwritten = params;
  walk_suite(w, unit->orelse);
  if (values) set_since(w, from, to, values);
  w->summary->overwritten |= then_params;
  free(values);
  share_branch(w, unit, unit->body);
  share_branch(w, unit, unit->orelse);
}

/// A local function where it stands: what it overwrites is so inside of it.
static void walk_inner(Walk *w, const RlxFn *inner) {
  uint32_t from = w->keys.count, shares = w->shares.count;
  Summary before = *w->summary;
  GivenList *given = w->given;
  w->given = NULL;
  walk_suite(w, inner->body);
  set_since(w, from, w->keys.count, NULL);
  forget_shares(w, shares);
  *w->summary = before;
  w->given = given;
}

/// A local function where it is called: what it overwrites of the variables around it, and of its
/// arguments, is so behind the call.
static void call_inner(Walk *w, const RlxBinding *b, const RlxFn *inner) {
  if (w->inner_depth == INNER_DEPTH_MAX || w->inner_calls++ >= INNER_CALLS_MAX) return;
  const Walk before = *w;
  GivenList given = {.count = 0};
  for (uint32_t i = 0; i < inner->function.param_count; i++) {
    const RlxExpr *arg = argument_expr(b->value->call, i);
    if (arg) share(w, inner->function.params[i], -1, arg);
  }
  w->given = &given;
  w->inner_depth++;
  walk_suite(w, inner->body);
  for (uint32_t i = before.keys.count; i < w->keys.count; i++) // each call has variables of its own
    if (is_inside(w->keys.at[i].var, inner)) rlx_map_put(&w->at, w->keys.at[i].key, 0);
  forget_shares(w, before.shares.count);
  w->inner_depth--;
  w->given = before.given;
  w->stmt = before.stmt;
  w->span = before.span;
  for (uint32_t i = 0; i < given.count; i++) {
    Sharing sharing = {w, {b->var, given.at[i].field}};
    share_memory(&sharing, given.at[i].memory);
  }
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
  if (unit->stmt->kind == RLX_STMT_RETURN && unit->result && unit->owner)
    give(w, unit->owner, unit->result);
  if (unit->fn)
    walk_inner(w, unit->fn);
  else if (unit->kind == RLX_UNIT_IF)
    walk_branches(w, unit);
  else
    walk_suite(w, unit->body);
}

static void walk_suite(Walk *w, const RlxSuite *suite) {
  for (uint32_t i = 0; suite && i < suite->units.count; i++)
    if (suite->units.at[i] && suite->units.at[i]->stmt) walk_unit(w, suite->units.at[i]);
}

/// What is given in terms of parameters: their numbers stand in place of fields.
static void number_given(const RlxFn *fn, GivenList *given) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < given->count; i++) {
    Given g = given->at[i];
    if (g.memory.field >= 0) continue; // a field of a tuple that is a parameter
    g.memory.field = param_of(fn, g.memory.var);
    given->at[kept++] = g;
  }
  given->count = kept;
}

/// The first time it is asked of a function, its findings are reported. NULL: nothing is known.
static const Summary *summary_of(Pass *pass, const RlxFn *fn, int depth) {
  uint64_t known = 0;
  if (fn->file != pass->file || fn->kind != RLX_ISLAND_RELAX || fn->outer || depth > CALL_DEPTH_MAX)
    return NULL;
  if (rlx_map_get(&pass->summaries, rlx_hash_ptr(fn), &known))
    return (const Summary *)(uintptr_t)known;
  rlx_map_put(&pass->summaries, rlx_hash_ptr(fn), 0);
  Summary *summary = rlx_arena_one(pass->arena, Summary);
  Walk w = {.pass = pass, .fn = fn, .summary = summary, .given = &summary->given, .depth = depth};
  walk_suite(&w, fn->body);
  number_given(fn, &summary->given);
  rlx_map_put(&pass->summaries, rlx_hash_ptr(fn), (uint64_t)(uintptr_t)summary);
  rlx_map_free(&w.at);
  rlx_map_free(&w.share_of);
  rlx_vec_free(&w.keys);
  rlx_vec_free(&w.done);
  rlx_vec_free(&w.shares);
  return summary;
}

void rlx_inplace_diags(RlxFile *file, RlxFileDiags *out) {
  Pass pass = {.file = file, .out = out, .arena = rlx_arena_new()};
  for (uint32_t i = 0; i < file->fns.count; i++) summary_of(&pass, file->fns.at[i], 0);
  rlx_map_free(&pass.summaries);
  rlx_arena_free(pass.arena);
}
