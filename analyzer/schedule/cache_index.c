/// cache_index: what a block computes from its variables alone, mostly indices, is computed once before
/// and read from buffers.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/cache_index.cc. Differs: each block variable has its
/// own loop over its domain, the block says that it reads the new buffers, the indices of what it writes
/// stay (no later step could tell otherwise what it writes), and what may divide by zero is left where it
/// runs.
#include "analyzer/schedule/schedule_impl.h"

#include <stdio.h>

enum { ENTRIES_MAX = 64, DEPTH_MAX = 64, DEEP = 512, KEYS_MAX = 16 };

typedef struct Entry { ///< equal expressions
  RlxTirExpr *expr;
  int64_t count; ///< how often one statement has it
  int size;      ///< of the tree
  bool is_taken;
} Entry;

typedef struct CacheIndex {
  RlxScheduleCall *c;
  const RlxTirStmt *block;
  const RlxTirBlockInfo *info, *scope;
  const RlxFacts *facts; ///< the domains of its variables
  int64_t threshold;
  Entry entries[ENTRIES_MAX]; ///< of one statement
  int entry_count;
  RlxTirExpr *taken[ENTRIES_MAX]; ///< of all statements, the largest first
  RlxTirExpr *loads[ENTRIES_MAX]; ///< what stands in their place
  int taken_count;
} CacheIndex;

static bool refuse(CacheIndex *x, const char *why) {
  return rlx_schedule_refuse(x->c, RLX_DIAG_ID(SCHEDULE_CACHE), x->block, "ss",
                             rlx_schedule_block_name(x->c, x->block), why);
}

// ---- which expressions

static int size_of(const RlxTirExpr *e) {
  int size = 1;
  for (int i = 0; i < e->arg_count; i++) size += size_of(e->args[i]);
  return size;
}

static bool is_equal(const CacheIndex *x, const RlxTirExpr *a, const RlxTirExpr *b) {
  RlxStore *store = x->c->s->store;
  if (!rlx_dtype_equal(a->dtype, b->dtype)) return false;
  if (rlx_tir_expr_equal(a, b)) return true;
  const RlxPrim *p = rlx_tir_number(store, a), *q = rlx_tir_number(store, b);
  return p && q && rlx_prim_simplify(store, p) == rlx_prim_simplify(store, q);
}

static int key_of(const CacheIndex *x, const RlxTirVar *var) {
  const RlxTirBlock *b = x->block->block;
  for (int i = 0; i < b->iter_count; i++)
    if (b->iters[i].var == var) return i;
  return -1;
}

/// The divisor is shown to be positive wherever the block's variables are.
static bool is_positive(const CacheIndex *x, const RlxTirExpr *e) {
  RlxStore *store = x->c->s->store;
  const RlxPrim *p = rlx_tir_number(store, e);
  return p && rlx_prove_less(store, x->facts, rlx_prim_int_typed(store, 0, p->dtype), p) == RLX_YES;
}

/// Does `e` depend on the block's variables alone, and can it be computed for all of their values?
static bool is_own(const CacheIndex *x, const RlxTirExpr *e, int depth) {
  if (depth > DEPTH_MAX || e->dtype.lanes > 1) return false;
  switch ((RlxTirExprKind)e->kind) {
  case RLX_TIR_INT:
  case RLX_TIR_FLOAT: return true;
  case RLX_TIR_VAR: return key_of(x, e->var) >= 0;
  case RLX_TIR_FLOORDIV:
  case RLX_TIR_FLOORMOD:
  case RLX_TIR_TRUNCDIV:
  case RLX_TIR_TRUNCMOD:
  case RLX_TIR_DIV:
    if (!rlx_dtype_is_float(e->dtype) && !is_positive(x, e->args[1])) return false;
    break;
  case RLX_TIR_ADD:
  case RLX_TIR_SUB:
  case RLX_TIR_MUL:
  case RLX_TIR_MIN:
  case RLX_TIR_MAX:
  case RLX_TIR_BITAND:
  case RLX_TIR_BITOR:
  case RLX_TIR_BITXOR:
  case RLX_TIR_BITNOT:
  RLX_TIR_COMPARE_CASES:
  case RLX_TIR_AND:
  case RLX_TIR_OR:
  case RLX_TIR_NOT:
  case RLX_TIR_SELECT:
  case RLX_TIR_IF_THEN_ELSE:
  case RLX_TIR_CAST: break;
  case RLX_TIR_HOLE:
  case RLX_TIR_STRING:
  case RLX_TIR_SHL:
  case RLX_TIR_SHR:
  case RLX_TIR_REINTERPRET:
  case RLX_TIR_LOAD:
  case RLX_TIR_CALL:
  case RLX_TIR_LET:
  case RLX_TIR_RAMP:
  case RLX_TIR_BROADCAST:
  case RLX_TIR_RANGE:
  case RLX_TIR_ADDRESS_OF: return false;
  }
  for (int i = 0; i < e->arg_count; i++)
    if (!is_own(x, e->args[i], depth + 1)) return false;
  return true;
}

typedef struct Keys {
  const CacheIndex *x;
  int at[KEYS_MAX]; ///< numbers of block variables, in the order in which they come
  int count;
  bool is_full;
} Keys;

static void collect_keys(Keys *k, const RlxTirExpr *e) {
  for (int i = 0; i < e->arg_count; i++) collect_keys(k, e->args[i]);
  int key = e->kind == RLX_TIR_VAR ? key_of(k->x, e->var) : -1;
  for (int i = 0; i < k->count; i++)
    if (k->at[i] == key) return;
  if (key < 0) return;
  if (k->count == KEYS_MAX)
    k->is_full = true;
  else
    k->at[k->count++] = key;
}

static bool loads_something(const RlxTirExpr *e, void *data) {
  *(bool *)data |= e->kind == RLX_TIR_LOAD || e->kind == RLX_TIR_CALL;
  return !*(bool *)data;
}

/// The domain of a variable is known where the new loops stand, and holds no index below 0.
static bool has_plain_domain(const CacheIndex *x, int key) {
  const RlxTirAnalysis *a = rlx_schedule_analysis(x->c);
  const RlxTirIterVar *v = &x->block->block->iters[key];
  bool loads = false;
  rlx_tir_visit_expr(v->min, loads_something, &loads);
  rlx_tir_visit_expr(v->extent, loads_something, &loads);
  if (loads || !rlx_schedule_is_index(x->c, v)) return false;
  for (int l = 0; l < a->loop_count; l++) {
    const RlxTirVar *var = a->loops[l].stmt->var;
    if (rlx_schedule_uses(v->extent, var) || (v->min && rlx_schedule_uses(v->min, var)))
      return false;
  }
  return true;
}

/// More than a variable or a number, and worth a buffer. An index may be computed in more bits than its type has: what
/// leaves the type is another number where it is stored.
static bool is_candidate(const CacheIndex *x, const RlxTirExpr *e) {
  if (!e->arg_count || !is_own(x, e, 0) || rlx_tir_may_wrap(e, RLX_TIR_FOR_VALUE)) return false;
  Keys keys = {.x = x};
  collect_keys(&keys, e);
  for (int i = 0; i < keys.count; i++)
    if (!has_plain_domain(x, keys.at[i])) return false;
  return keys.count && !keys.is_full;
}

static void note(CacheIndex *x, RlxTirExpr *e, int64_t times) {
  for (int i = 0; i < x->entry_count; i++)
    if (is_equal(x, x->entries[i].expr, e)) {
      x->entries[i].count += times;
      return;
    }
  if (x->entry_count < ENTRIES_MAX)
    x->entries[x->entry_count++] = (Entry){.expr = e, .count = times, .size = size_of(e)};
}

/// The block writes the buffer, too: what it reads there stays recognisable as the element that it updates.
static bool is_written(const CacheIndex *x, const RlxTirBuffer *buffer) {
  return rlx_schedule_has_box(&x->info->deduced_writes, buffer);
}

/// Notes the largest candidates in `e`; `below`: not `e` itself.
static void note_all(CacheIndex *x, RlxTirExpr *e, bool below, int64_t times) {
  if (!below && is_candidate(x, e)) {
    note(x, e, times);
    return;
  }
  if (e->kind == RLX_TIR_LOAD && is_written(x, e->buffer)) return;
  for (int i = 0; i < e->arg_count; i++) note_all(x, e->args[i], false, times);
}

static bool take(CacheIndex *x, RlxTirExpr *e) {
  for (int i = 0; i < x->taken_count; i++)
    if (is_equal(x, x->taken[i], e)) return true;
  if (x->taken_count == ENTRIES_MAX) return false;
  x->taken[x->taken_count++] = e;
  return true;
}

/// Those that come often enough, as they are met from the leaves of `e` up.
static void take_all(CacheIndex *x, const RlxTirExpr *e) {
  for (int i = 0; i < e->arg_count; i++) take_all(x, e->args[i]);
  for (int i = 0; i < x->entry_count; i++)
    if (x->entries[i].count >= x->threshold && is_equal(x, x->entries[i].expr, e))
      take(x, x->entries[i].expr);
}

static bool look_at_store(const RlxTirStmt *s, void *data) {
  CacheIndex *x = data;
  if (s->kind == RLX_TIR_BLOCK && s != x->block) return false;
  if (s->kind != RLX_TIR_STORE) return true;
  x->entry_count = 0;
  note_all(x, s->value, false, 1);
  for (int i = 0; i < x->entry_count;
       i++) // what comes too seldom may have parts that come more often
    if (x->entries[i].count < x->threshold)
      note_all(x, x->entries[i].expr, true, x->entries[i].count);
  take_all(x, s->value);
  return true;
}

static void sort_by_size(CacheIndex *x) {
  for (int i = 1; i < x->taken_count; i++)
    for (int k = i; k > 0 && size_of(x->taken[k]) > size_of(x->taken[k - 1]); k--) {
      RlxTirExpr *e = x->taken[k];
      x->taken[k] = x->taken[k - 1];
      x->taken[k - 1] = e;
    }
}

// ---- the blocks that compute them

static RlxName numbered(CacheIndex *x, const char *base, int i) {
  char name[32];
  snprintf(name, sizeof name, "%s%d", base, i);
  return rlx_intern_text(rlx_store_names(x->c->s->store), name);
}

/// The loops, and in them the block that stores expression `i` for all values of its variables; `*out_buffer`
/// is the new buffer.
static RlxTirStmt *make_stage(CacheIndex *x, int i, RlxTirBuffer **out_buffer,
                              RlxTirStmt **out_block) {
  RlxScheduleCall *c = x->c;
  RlxPrimFunc *f = c->f;
  Keys keys = {.x = x};
  collect_keys(&keys, x->taken[i]);
  RlxTirIterVar iters[KEYS_MAX];
  RlxTirSubst put[KEYS_MAX];
  RlxTirExpr *shape[KEYS_MAX], *own[KEYS_MAX];
  RlxTirExpr **at = rlx_arena_array(f->arena, RlxTirExpr *, keys.count + 1);
  RlxTirVar *loops[KEYS_MAX];
  for (int k = 0; k < keys.count; k++) {
    const RlxTirIterVar *was = &x->block->block->iters[keys.at[k]];
    RlxDType dtype = was->var->dtype;
    loops[k] = rlx_tir_var(f, numbered(x, "ax", k), dtype);
    RlxTirVar *var = rlx_tir_var(f, numbered(x, "v", k), dtype);
    RlxTirExpr *loop = rlx_tir_var_expr(f, loops[k]);
    at[k] = rlx_tir_var_expr(f, var);
    own[k] = rlx_tir_var_expr(f, was->var);
    shape[k] = was->min ? rlx_tir_binary(f, RLX_TIR_ADD, was->min, was->extent) : was->extent;
    iters[k] =
        (RlxTirIterVar){.var = var,
                        .min = was->min,
                        .extent = was->extent,
                        .binding = was->min ? rlx_tir_binary(f, RLX_TIR_ADD, was->min, loop) : loop,
                        .type = RLX_ITER_DATA_PAR};
    put[k] = (RlxTirSubst){was->var, at[k]};
  }
  RlxTirBuffer *buffer =
      rlx_tir_buffer(f, numbered(x, "index_var_", i), x->taken[i]->dtype, shape, keys.count);
  buffer->scope = rlx_intern_text(rlx_store_names(c->s->store), rlx_schedule_text(c, 1));
  x->loads[i] = rlx_tir_load(f, buffer, own);
  RlxTirStmt *store = rlx_tir_store(f, buffer, at, rlx_tir_subst(f, x->taken[i], put, keys.count));
  RlxTirStmt *out =
      rlx_tir_block(f, rlx_schedule_name(c, "index_%d", i), iters, keys.count, NULL, store);
  out->block->read_count = 0;
  out->block->reads = rlx_arena_array(f->arena, RlxTirRegion, 1);
  out->block->write_count = 1;
  out->block->writes = rlx_arena_one(f->arena, RlxTirRegion);
  out->block->writes[0] = rlx_schedule_point(c, buffer, at);
  *out_block = out;
  *out_buffer = buffer;
  for (int k = keys.count - 1; k >= 0; k--)
    out = rlx_tir_for(f, loops[k], iters[k].extent, RLX_FOR_SERIAL, out);
  return out;
}

// ---- the block that reads them

static RlxTirExpr *replaced(CacheIndex *x, RlxTirExpr *e) {
  for (int i = 0; i < x->taken_count; i++)
    if (is_equal(x, x->taken[i], e)) return x->loads[i];
  if (e->kind == RLX_TIR_LOAD && is_written(x, e->buffer)) return e;
  RlxTirExpr *out = e;
  for (int i = 0; i < e->arg_count; i++) {
    RlxTirExpr *arg = replaced(x, e->args[i]);
    if (arg == e->args[i]) continue;
    if (out == e) {
      out = rlx_arena_one(x->c->f->arena, RlxTirExpr);
      *out = *e;
      out->args = rlx_arena_copy(x->c->f->arena, e->args, e->arg_count, sizeof *e->args);
    }
    out->args[i] = arg;
  }
  return out;
}

static bool keep_block(RlxTirRewriter *w, const RlxTirStmt *s, RlxTirStmt **out) {
  *out = (RlxTirStmt *)(uintptr_t)s;
  return s->kind == RLX_TIR_BLOCK && s != ((const CacheIndex *)w->data)->block;
}

static RlxTirStmt *put_stmt(RlxTirRewriter *w, RlxTirStmt *s, const RlxTirStmt *old) {
  (void)old;
  if (s->kind != RLX_TIR_STORE) return s;
  RlxTirExpr *value = replaced(w->data, s->value);
  if (value == s->value) return s;
  RlxTirStmt *out = rlx_tir_copy(w->f, s);
  out->value = value;
  return out;
}

static RlxTirStmt *make_reader(CacheIndex *x) {
  RlxScheduleCall *c = x->c;
  RlxTirRewriter w = {.f = c->f, .data = x, .stmt = put_stmt, .enter = keep_block};
  RlxTirStmt *out = rlx_tir_copy_block(c->f, rlx_tir_rewrite(&w, x->block));
  RlxTirBlock *b = out->block;
  if (b->read_count < 0) return out;
  RlxTirRegion *reads =
      rlx_arena_array(c->f->arena, RlxTirRegion, b->read_count + x->taken_count + 1);
  for (int i = 0; i < b->read_count; i++) reads[i] = b->reads[i];
  for (int i = 0; i < x->taken_count; i++)
    reads[b->read_count + i] = rlx_schedule_point(c, x->loads[i]->buffer, x->loads[i]->args);
  b->reads = reads;
  b->read_count += x->taken_count;
  return out;
}

/// Before the statement of the scope that has the block.
static RlxScheduleSpot spot_before(const CacheIndex *x) {
  const RlxTirStmt *path[DEEP], *scope = x->scope->stmt;
  const RlxTirStmt *body = scope ? scope->body[0] : x->c->f->body;
  int depth = rlx_schedule_path(x->c, x->block, path, DEEP);
  RlxScheduleSpot spot = {scope, 0};
  for (uint32_t i = 0; body->kind == RLX_TIR_SEQ && i < body->count; i++)
    for (int k = 0; k < depth && k < DEEP; k++)
      if (path[k] == body->body[i]) spot.position = (int)i;
  return spot;
}

static void carry_out(CacheIndex *x) {
  RlxScheduleCall *c = x->c;
  RlxScheduleSpot spot = spot_before(x);
  const RlxTirStmt *scope = x->scope->stmt, *blocks[ENTRIES_MAX];
  RlxTirStmt *stages[ENTRIES_MAX];
  RlxTirBuffer *buffers[ENTRIES_MAX];
  for (int i = 0; i < x->taken_count; i++) {
    RlxTirStmt *block = NULL;
    stages[i] = make_stage(x, i, &buffers[i], &block);
    blocks[i] = block;
  }
  rlx_schedule_replace(c, x->block, make_reader(x));
  for (int i = 0; i < x->taken_count; i++) {
    spot.at = rlx_schedule_now(c, scope);
    rlx_schedule_insert(c, spot, stages[i]);
    spot.position++;
    rlx_schedule_change_alloc(c, scope, NULL, buffers[i]);
  }
  rlx_schedule_give_list(c, blocks, x->taken_count);
}

bool rlx_primitive_cache_index(RlxScheduleCall *c) {
  RlxSchedulePlace place;
  if (!rlx_schedule_block(c, 0, &place)) return false;
  CacheIndex *x = rlx_arena_one(c->s->arena, CacheIndex);
  *x = (CacheIndex){.c = c, .block = place.stmt, .threshold = rlx_schedule_integer(c, 2, 0)};
  if (place.is_root || !place.stmt) return refuse(x, "it is the root block");
  if (x->threshold < 0)
    return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ARGUMENT), place.stmt, "ss", "cache_index",
                               "`cse_thresh` is not negative");
  if (!rlx_schedule_check_scope_name(c, rlx_schedule_text(c, 1))) return false;
  x->info = rlx_schedule_block_info(c, place.stmt);
  x->scope = &rlx_schedule_analysis(c)->blocks[x->info->scope];
  x->facts = rlx_schedule_domain_facts(c, NULL, place.stmt->block);
  rlx_tir_visit(place.stmt, look_at_store, NULL, x);
  if (!x->taken_count)
    return refuse(x, "nothing in it is computed from its variables alone as often as that");
  sort_by_size(x);
  carry_out(x);
  return true;
}
