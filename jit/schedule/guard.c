/// Walks a function with what is known at each place, and judges its accesses.
///
/// Always true: a statement or an expression is copied when something below it changes; facts and
/// values of variables are those of the place that is looked at.
#include "jit/schedule/guard.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "jit/schedule/guard_impl.h"

/// Judges an access: true when it is to be checked where it stands.
static bool judge(Guard *g, const RlxTirBuffer *buffer, RlxTirExpr *const *indices,
                  RlxTirExpr *named, RlxName name) {
  bool hoisted = false, checked = false;
  for (int d = 0; d < buffer->ndim && !checked; d++) {
    if (guard_fits(g, guard_prim(g, indices[d]), guard_prim(g, buffer->shape[d]))) continue;
    if (guard_hoist(g, buffer, indices, d, named, name))
      hoisted = true;
    else
      checked = true;
  }
  g->counts.checked += checked;
  g->counts.hoisted += hoisted && !checked;
  g->counts.proved += !hoisted && !checked;
  return checked;
}

// ---- expressions

static RlxTirExpr *walk_expr(Guard *g, RlxTirExpr *e);

/// Operand i of something that may not evaluate it, with what holds when it does.
static RlxTirExpr *walk_if(Guard *g, RlxTirExpr *e, const RlxTirExpr *condition, bool value) {
  const RlxFacts *facts = g->facts;
  if (condition) guard_assume_expr(g, condition, value);
  g->conditional++;
  e = walk_expr(g, e);
  g->conditional--;
  g->facts = facts;
  return e;
}

static RlxTirExpr *walk_operand(Guard *g, const RlxTirExpr *e, int i) {
  RlxTirExpr *x = e->args[i];
  bool is_lazy = e->kind == RLX_TIR_IF_THEN_ELSE || e->kind == RLX_TIR_AND || e->kind == RLX_TIR_OR;
  if (is_lazy && i > 0) return walk_if(g, x, e->args[0], e->kind == RLX_TIR_OR ? false : i == 1);
  // Both sides of a selection may be evaluated, so its condition proves nothing of their accesses.
  if ((e->kind == RLX_TIR_SELECT && i > 0) || (e->kind == RLX_TIR_LET && i == 1))
    return walk_if(g, x, NULL, false);
  return walk_expr(g, x);
}

static RlxTirExpr *walk_expr(Guard *g, RlxTirExpr *e) {
  if (e->arg_count == 0 && e->kind != RLX_TIR_LOAD) return e;
  RlxTirExpr **args = NULL;
  for (int i = 0; i < e->arg_count; i++) {
    RlxTirExpr *x = walk_operand(g, e, i);
    if (x == e->args[i]) continue;
    if (!args) args = rlx_arena_copy(g->rules.f->arena, e->args, e->arg_count, sizeof *args);
    args[i] = x;
  }
  bool checked = e->kind == RLX_TIR_LOAD && judge(g, e->buffer, e->args, e, RLX_NAME_NONE);
  if (!args && !checked) return e;
  RlxTirExpr *copy = rlx_arena_copy(g->rules.f->arena, e, 1, sizeof *e);
  if (args) copy->args = args;
  copy->is_checked = checked;
  return copy;
}

// ---- statements

static RlxTirStmt *walk(Guard *g, RlxTirStmt *s);

static RlxTirStmt *copied(Guard *g, RlxTirStmt *s, RlxTirStmt **copy) {
  if (!*copy) *copy = rlx_arena_copy(g->rules.f->arena, s, 1, sizeof *s);
  return *copy;
}

static RlxTirStmt *walk_bodies(Guard *g, RlxTirStmt *s) {
  RlxTirStmt *copy = NULL;
  for (uint32_t i = 0; i < s->count; i++) {
    RlxTirStmt *body = walk(g, s->body[i]);
    if (body == s->body[i]) continue;
    if (!copy) {
      copied(g, s, &copy);
      copy->body = rlx_arena_copy(g->rules.f->arena, s->body, s->count, sizeof *s->body);
    }
    copy->body[i] = body;
  }
  RlxTirStmt *init = s->init ? walk(g, s->init) : NULL;
  if (init != s->init) copied(g, s, &copy)->init = init;
  return copy ? copy : s;
}

static RlxTirStmt *walk_for(Guard *g, RlxTirStmt *s) {
  if (g->loop_count == GUARD_LOOPS) {
    g->conditional++; // nothing is known of its variable
    s = walk_bodies(g, s);
    g->conditional--;
    return s;
  }
  const RlxFacts *facts = g->facts;
  bool from_zero = !s->min || (s->min->kind == RLX_TIR_INT && s->min->integer == 0);
  const RlxPrim *extent = guard_prim(g, s->extent),
                *min = s->min ? guard_prim(g, s->min) : rlx_prim_int(g->store, 0);
  const RlxPrim *var = guard_symbol(g, s->var, false);
  GuardLoop *loop = &g->loops[g->loop_count++];
  *loop = (GuardLoop){.stmt = s, .var = var};
  if (extent && min) {
    const RlxPrim *end = rlx_prim_binary(g->store, RLX_PRIM_ADD, min, extent);
    if (from_zero) loop->end = end;
    loop->is_const = extent->kind == RLX_PRIM_INT && from_zero;
    loop->max = loop->is_const ? extent->value - 1 : 0;
    guard_assume(g, rlx_prim_binary(g->store, RLX_PRIM_LE, min, var));
    guard_assume(g, rlx_prim_binary(g->store, RLX_PRIM_LT, var, end));
  }
  s = walk_bodies(g, s);
  g->loop_count--;
  g->facts = facts;
  return s;
}

static RlxTirStmt *walk_block(Guard *g, RlxTirStmt *s) {
  const RlxTirBlock *b = s->block;
  const RlxFacts *facts = g->facts;
  int iters = g->iter_count;
  bool is_plain = !b->match_count && b->iter_count <= GUARD_LOOPS - iters;
  for (int i = 0; i < b->iter_count; i++) {
    const RlxTirIterVar *iter = &b->iters[i];
    is_plain &= iter->binding != NULL;
    if (!is_plain) break;
    g->vars[iter->var->id] = guard_prim(g, iter->binding);
    g->iters[g->iter_count++] =
        (Binding){iter->var, rules_subst(&g->rules, iter->binding, g->iters, iters)};
  }
  bool is_conditional = !is_plain || b->predicate;
  if (b->predicate) guard_assume_expr(g, b->predicate, true);
  g->conditional += is_conditional;
  s = walk_bodies(g, s);
  g->conditional -= is_conditional;
  for (int i = 0; i < b->iter_count; i++) g->vars[b->iters[i].var->id] = NULL;
  g->iter_count = iters;
  g->facts = facts;
  return s;
}

static RlxTirStmt *walk_store(Guard *g, RlxTirStmt *s) {
  RlxTirStmt *copy = NULL;
  RlxTirExpr *value = walk_expr(g, s->value);
  if (value != s->value) copied(g, s, &copy)->value = value;
  RlxTirExpr **indices = s->indices;
  for (int d = 0; d < s->buffer->ndim; d++) {
    RlxTirExpr *index = walk_expr(g, s->indices[d]);
    if (index == s->indices[d]) continue;
    if (indices == s->indices)
      indices =
          rlx_arena_copy(g->rules.f->arena, s->indices, (size_t)s->buffer->ndim, sizeof *indices);
    indices[d] = index;
  }
  if (indices != s->indices) copied(g, s, &copy)->indices = indices;
  if (judge(g, s->buffer, indices, NULL, s->name)) copied(g, s, &copy)->is_checked = true;
  return copy ? copy : s;
}

static RlxTirStmt *walk_rest(Guard *g, RlxTirStmt *s) {
  RlxTirStmt *copy = NULL;
  RlxTirExpr *cond = s->cond ? walk_expr(g, s->cond) : NULL,
             *value = s->value ? walk_expr(g, s->value) : NULL;
  if (cond != s->cond) copied(g, s, &copy)->cond = cond;
  if (value != s->value) copied(g, s, &copy)->value = value;
  if (copy) s = copy;
  const RlxFacts *facts = g->facts;
  bool is_plain = s->kind == RLX_TIR_SEQ || s->kind == RLX_TIR_ALLOC;
  g->conditional += !is_plain;
  if (s->kind == RLX_TIR_LET_STMT) {
    // One that may change afterwards, or is read in a loop that sets it, stands for anything.
    g->vars[s->var->id] = s->is_scalar ? NULL : guard_prim(g, s->value);
  }
  if (s->kind == RLX_TIR_IF) {
    copy = NULL;
    for (uint32_t i = 0; i < s->count; i++) {
      guard_assume_expr(g, s->cond, i == 0);
      RlxTirStmt *body = walk(g, s->body[i]);
      g->facts = facts;
      if (body == s->body[i]) continue;
      if (!copy)
        copied(g, s, &copy)->body =
            rlx_arena_copy(g->rules.f->arena, s->body, s->count, sizeof *s->body);
      copy->body[i] = body;
    }
    if (copy) s = copy;
  } else {
    s = walk_bodies(g, s);
  }
  if (s->kind == RLX_TIR_LET_STMT) g->vars[s->var->id] = NULL;
  g->conditional -= !is_plain;
  g->facts = facts;
  return s;
}

static RlxTirStmt *walk(Guard *g, RlxTirStmt *s) {
  if (s->span.end) g->span = s->span;
  if (s->kind == RLX_TIR_STORE) return walk_store(g, s);
  if (s->kind == RLX_TIR_BLOCK) return walk_block(g, s);
  if (s->kind != RLX_TIR_FOR) return walk_rest(g, s);
  bool is_outermost = g->loop_count == 0;
  s = walk_for(g, s);
  if (is_outermost && g->checks) {
    s = c_seq2(&g->rules, g->checks, s);
    g->checks = NULL;
  }
  return s;
}

/// Shapes of parameters were found to be what is written, and no dimension is negative.
static void assume_shapes(Guard *g, const RlxPrimFunc *f) {
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < f->param_count; i++) {
      const RlxTirBuffer *b = f->params[i].buffer;
      for (int d = 0; b && d < b->ndim; d++) {
        const RlxTirExpr *x = b->shape[d];
        if (pass == 0 && x->kind == RLX_TIR_VAR)
          guard_symbol(g, x->var, true);
        else if (pass == 1 && x->kind != RLX_TIR_VAR && x->kind != RLX_TIR_INT && guard_prim(g, x))
          guard_assume(g, rlx_prim_binary(g->store, RLX_PRIM_LE, rlx_prim_int(g->store, 0),
                                          guard_prim(g, x)));
      }
    }
}

static bool understands_buffer(const RlxTirBuffer *b) {
  return !b->view_of && !b->strides && !b->elem_offset;
}

static bool understands_expr(const RlxTirExpr *e) {
  if (e->kind == RLX_TIR_HOLE || e->kind == RLX_TIR_STRING || e->kind == RLX_TIR_LET ||
      e->kind == RLX_TIR_RAMP || e->kind == RLX_TIR_BROADCAST || e->kind == RLX_TIR_RANGE ||
      e->kind == RLX_TIR_ADDRESS_OF || e->dtype.lanes != 1 || e->dtype.code == RLX_DTYPE_HANDLE ||
      (e->kind == RLX_TIR_LOAD && !understands_buffer(e->buffer)))
    return false;
  for (int i = 0; i < e->arg_count; i++)
    if (!understands_expr(e->args[i])) return false;
  return true;
}

static bool understands_block(const RlxTirBlock *b) {
  for (int i = 0; i < b->alloc_count; i++)
    if (!understands_buffer(b->allocs[i])) return false;
  for (int i = 0; i < b->iter_count; i++)
    if (!b->iters[i].binding || !understands_expr(b->iters[i].binding)) return false;
  return !b->match_count && (!b->predicate || understands_expr(b->predicate));
}

static bool understands(const RlxTirStmt *s) {
  bool is_known = s->kind == RLX_TIR_SEQ || s->kind == RLX_TIR_FOR || s->kind == RLX_TIR_IF ||
                  s->kind == RLX_TIR_BLOCK || s->kind == RLX_TIR_STORE ||
                  s->kind == RLX_TIR_ALLOC || s->kind == RLX_TIR_NOP;
  if (!is_known || (s->kind == RLX_TIR_FOR && s->for_kind == RLX_FOR_THREAD_BINDING)) return false;
  if ((s->kind == RLX_TIR_STORE || s->kind == RLX_TIR_ALLOC) && !understands_buffer(s->buffer))
    return false;
  for (int d = 0; s->kind == RLX_TIR_STORE && d < s->buffer->ndim; d++)
    if (!understands_expr(s->indices[d])) return false;
  const RlxTirExpr *parts[] = {s->min, s->extent, s->cond, s->value};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    if (parts[i] && !understands_expr(parts[i])) return false;
  for (uint32_t i = 0; i < s->count; i++)
    if (!understands(s->body[i])) return false;
  return (!s->block || understands_block(s->block)) && (!s->init || understands(s->init));
}

bool rlx_guard_understands(const RlxPrimFunc *f) {
  for (int i = 0; i < f->param_count; i++)
    if (f->params[i].buffer && !understands_buffer(f->params[i].buffer)) return false;
  for (int i = 0; i < f->root_alloc_count; i++)
    if (!understands_buffer(f->root_allocs[i])) return false;
  return f->body && !f->has_holes && understands(f->body);
}

/// Notes which buffers are written; true when a statement may leave a loop before its end.
static bool look_through(Guard *g, const RlxTirStmt *s) {
  bool jumps = s->kind == RLX_TIR_BREAK || s->kind == RLX_TIR_CONTINUE ||
               s->kind == RLX_TIR_RETURN || s->kind == RLX_TIR_ASSERT;
  for (const RlxTirBuffer *b = s->kind == RLX_TIR_STORE ? s->buffer : NULL; b; b = b->view_of)
    g->written[b->id] = true;
  for (uint32_t i = 0; i < s->count; i++) jumps |= look_through(g, s->body[i]);
  if (s->init) jumps |= look_through(g, s->init);
  return jumps;
}

RlxPrimFunc *rlx_guard_accesses(RlxStore *store, const RlxPrimFunc *f, RlxGuardCounts *out_counts) {
  RlxPrimFunc *out = rlx_primfunc_new(f->name);
  RlxArena *arena = out->arena;
  *out = *f;
  out->arena = arena;
  Guard *g = rlx_mem_zeroed(1, sizeof *g);
  g->store = store;
  g->rules = (Rules){.f = out, .names = rlx_store_names(store), .trusted = true};
  g->arena = rlx_arena_new();
  g->vars = rlx_mem_zeroed(f->var_count + 1u, sizeof *g->vars);
  g->written = rlx_mem_zeroed(f->buffer_count + 1u, sizeof *g->written);
  if (f->body && !f->has_holes) {
    assume_shapes(g, f);
    g->conditional = look_through(g, f->body);
    out->body = walk(g, f->body);
  }
  if (out_counts) *out_counts = g->counts;
  free(g->vars);
  free(g->written);
  rlx_map_free(&g->opaque);
  rlx_arena_free(g->arena);
  free(g);
  return out;
}
