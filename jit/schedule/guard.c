/// Walks a function with what is known at each place, and judges its accesses.
///
/// Always true: a statement or an expression is copied when something below it changes; facts and
/// values of variables are those of the place that is looked at.
#include "jit/schedule/guard.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "jit/schedule/guard_impl.h"

/// Whether an index, of a ramp its first and its last lane, is below `size`.
static bool fits(Guard *g, const RlxTirExpr *index, const RlxPrim *size) {
  if (index->kind != RLX_TIR_RAMP) return guard_fits(g, guard_prim(g, index), size);
  const RlxPrim *first = guard_prim(g, index->args[0]), *step = guard_prim(g, index->args[1]);
  if (!first || !step || step->kind != RLX_PRIM_INT) return false;
  const RlxPrim *way =
      rlx_prim_binary(g->store, RLX_PRIM_MUL, step, rlx_prim_int(g->store, index->dtype.lanes - 1));
  return guard_fits(g, first, size) &&
         guard_fits(g, rlx_prim_binary(g->store, RLX_PRIM_ADD, first, way), size);
}

/// Judges an access: true when it is to be checked where it stands.
static bool judge(Guard *g, const RlxTirBuffer *buffer, RlxTirExpr *const *indices,
                  RlxTirExpr *named, RlxName name) {
  bool hoisted = false, checked = false;
  for (int d = 0; d < buffer->ndim && !checked; d++) {
    if (fits(g, indices[d], guard_prim(g, buffer->shape[d]))) continue;
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
  if (e->kind == RLX_TIR_SELECT && i > 0) return walk_if(g, x, NULL, false);
  if (e->kind == RLX_TIR_LET && i == 1) {
    g->vars[e->var->id] = guard_value(g, e->args[0]);
    x = walk_if(g, x, NULL, false);
    g->vars[e->var->id] = NULL;
    return x;
  }
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
  if (g->marks) e->is_checked |= checked;
  if (g->marks || (!args && !checked)) return e;
  RlxTirExpr *copy = rlx_arena_copy(g->rules.f->arena, e, 1, sizeof *e);
  if (args) copy->args = args;
  copy->is_checked = checked;
  return copy;
}

/// Judges what is read for the extent of a loop, the binding of a block variable or a buffer, which
/// stays where it is: marked there.
static void mark(Guard *g, RlxTirExpr *e) {
  if (!e) return;
  g->marks = true;
  walk_expr(g, e);
  g->marks = false;
}

static void mark_buffer(Guard *g, const RlxTirBuffer *b) {
  for (int i = 0; i < b->ndim; i++) {
    mark(g, b->shape[i]);
    if (b->strides) mark(g, b->strides[i]);
  }
  for (int i = 0; b->view_of && b->view_origin && i < b->view_of->ndim; i++)
    mark(g, b->view_origin[i]);
  mark(g, b->elem_offset);
}

// ---- views

static const RlxPrim *number(Guard *g, int64_t value) { return rlx_prim_int(g->store, value); }

/// A region of another buffer lies in it.
static bool region_fits(Guard *g, const RlxTirBuffer *b) {
  const RlxTirBuffer *of = b->view_of;
  for (int i = 0; i < of->ndim; i++) {
    int d = i - (of->ndim - b->ndim);
    const RlxPrim *from = guard_prim(g, b->view_origin[i]), *size = guard_prim(g, of->shape[i]),
                  *extent = d < 0 ? number(g, 1) : guard_prim(g, b->shape[d]);
    if (!from || !size || !extent || !guard_fits_region(g, from, extent, size)) return false;
  }
  return true;
}

static const RlxPrim *element_count(Guard *g, const RlxTirBuffer *b) {
  const RlxPrim *count = number(g, 1);
  for (int i = 0; i < b->ndim && count; i++) {
    const RlxPrim *size = guard_prim(g, b->shape[i]);
    count = size ? rlx_prim_binary(g->store, RLX_PRIM_MUL, count, size) : NULL;
  }
  return count;
}

/// The elements of another buffer under another shape, from an offset on, are its own.
static bool memory_fits(Guard *g, const RlxTirBuffer *b) {
  const RlxTirBuffer *of = b->view_of;
  if (b->strides || of->strides || !rlx_dtype_equal(b->dtype, of->dtype)) return false;
  const RlxPrim *from = b->elem_offset ? guard_prim(g, b->elem_offset) : number(g, 0),
                *extent = element_count(g, b), *size = element_count(g, of);
  return from && extent && size && guard_fits_region(g, from, extent, size);
}

/// Judges a view where it begins. True when its strides or its offset are variables that it binds.
static bool judge_view(Guard *g, RlxTirBuffer *b) {
  mark_buffer(g, b);
  if (!b->view_of) return false;
  b->is_checked = !(b->view_origin ? region_fits(g, b) : memory_fits(g, b));
  g->counts.checked += b->is_checked;
  bool binds = b->elem_offset && b->elem_offset->kind == RLX_TIR_VAR;
  for (int i = 0; b->strides && i < b->ndim; i++) binds |= b->strides[i]->kind == RLX_TIR_VAR;
  return binds;
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
  mark(g, s->min);
  mark(g, s->extent);
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
  bool is_plain = b->iter_count <= GUARD_LOOPS - iters;
  for (int i = 0; i < b->iter_count; i++) {
    const RlxTirIterVar *iter = &b->iters[i];
    is_plain &= iter->binding != NULL;
    if (iter->binding) mark(g, iter->binding);
    if (!is_plain) continue;
    g->vars[iter->var->id] = guard_prim(g, iter->binding);
    g->iters[g->iter_count++] =
        (Binding){iter->var, rules_subst(&g->rules, iter->binding, g->iters, iters)};
  }
  if (b->predicate) mark(g, b->predicate);
  if (b->predicate) guard_assume_expr(g, b->predicate, true);
  for (int i = 0; i < b->alloc_count; i++) mark_buffer(g, b->allocs[i]);
  for (int i = 0; i < b->match_count; i++) is_plain &= !judge_view(g, b->matches[i]);
  bool is_conditional = !is_plain || (b->predicate && g->loop_count > 0);
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

static bool is_computed(const RlxTirExpr *e) {
  if (e->kind == RLX_TIR_LOAD || e->kind == RLX_TIR_CALL || e->kind == RLX_TIR_LET) return false;
  for (int i = 0; i < e->arg_count; i++)
    if (!is_computed(e->args[i])) return false;
  return true;
}

/// The value of a variable; true when checks before the loops may replace it by that.
static bool bind_let(Guard *g, const RlxTirStmt *s) {
  RlxDType t = s->var->dtype;
  // What is read from memory has the variable's own symbol.
  bool is_read = s->value->kind == RLX_TIR_LOAD || s->value->kind == RLX_TIR_CALL;
  g->vars[s->var->id] = is_read ? NULL : guard_prim(g, s->value);
  if (!g->vars[s->var->id] || !is_computed(s->value) || g->iter_count == GUARD_LOOPS ||
      !rlx_dtype_equal(t, s->value->dtype))
    return false;
  RlxTirExpr *value = rules_subst(&g->rules, s->value, g->iters, g->iter_count);
  g->iters[g->iter_count++] = (Binding){s->var, value};
  return true;
}

/// The index of a thread runs over its extent, in the outermost of several.
static void assume_thread(Guard *g, const RlxTirStmt *s) {
  if (!s->var || !s->value || g->vars[s->var->id]) return;
  const RlxPrim *extent = guard_prim(g, s->value), *var = guard_symbol(g, s->var, false);
  if (!extent) return;
  guard_assume(g, rlx_prim_binary(g->store, RLX_PRIM_LE, number(g, 0), var));
  guard_assume(g, rlx_prim_binary(g->store, RLX_PRIM_LT, var, extent));
}

static RlxTirStmt *walk_rest(Guard *g, RlxTirStmt *s) {
  RlxTirStmt *copy = NULL;
  RlxTirExpr *cond = s->cond ? walk_expr(g, s->cond) : NULL,
             *value = s->value ? walk_expr(g, s->value) : NULL;
  if (cond != s->cond) copied(g, s, &copy)->cond = cond;
  if (value != s->value) copied(g, s, &copy)->value = value;
  if (copy) s = copy;
  const RlxFacts *facts = g->facts;
  // What stands around the outermost loop is around the checks before it, too.
  bool is_plain = s->kind == RLX_TIR_SEQ || s->kind == RLX_TIR_ALLOC || g->loop_count == 0;
  int iters = g->iter_count;
  if (s->kind == RLX_TIR_ALLOC) is_plain &= !judge_view(g, s->buffer);
  if (s->kind == RLX_TIR_LET_STMT) is_plain |= bind_let(g, s);
  if (s->kind == RLX_TIR_WHILE) guard_assume_expr(g, s->cond, true);
  if (s->kind == RLX_TIR_ATTR) assume_thread(g, s);
  g->conditional += !is_plain;
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
  g->iter_count = iters;
  g->conditional -= !is_plain;
  g->facts = facts;
  // An assertion holds until the suite ends around it.
  if (s->kind == RLX_TIR_ASSERT && s->cond) guard_assume_expr(g, s->cond, true);
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

/// A number, a pointer: an expression that gives away the address of memory.
static bool gives_pointer(const RlxTirExpr *e) {
  if (e->kind == RLX_TIR_ADDRESS_OF ||
      (e->kind == RLX_TIR_VAR && e->dtype.code == RLX_DTYPE_HANDLE))
    return true;
  for (int i = 0; i < e->arg_count; i++)
    if (gives_pointer(e->args[i])) return true;
  return false;
}

/// Notes which memory is written; true when a statement may leave a `for` before its end.
static bool look_through(Guard *g, const RlxTirStmt *s, bool in_loop) {
  bool jumps = in_loop && (s->kind == RLX_TIR_BREAK || s->kind == RLX_TIR_CONTINUE ||
                           s->kind == RLX_TIR_RETURN || (s->kind == RLX_TIR_ASSERT && !s->buffer));
  if (s->kind == RLX_TIR_STORE) g->written[guard_memory(s->buffer)->id] = true;
  g->has_pointers |= s->value && gives_pointer(s->value);
  in_loop |= s->kind == RLX_TIR_FOR || s->kind == RLX_TIR_ATTR;
  for (uint32_t i = 0; i < s->count; i++) jumps |= look_through(g, s->body[i], in_loop);
  if (s->init) jumps |= look_through(g, s->init, in_loop);
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
    g->conditional = look_through(g, f->body, false);
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
