/// transform_layout, set_axis_separator: a buffer's elements in another order, or its dimensions in
/// other groups.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/layout_transformation.cc. Where a map pads (the new
/// buffer has elements that the old one did not), a block of its own stores the padding's value after
/// the last writer; TVM puts it into the writer's loops where it can.
#include "analyzer/schedule/index_map.h"

#include <stdio.h>
#include <string.h>

typedef struct Layout {
  RlxScheduleCall *c;
  const RlxTirStmt *block;
  RlxTirBuffer *buffer, *now;
  const char *map;
  RlxTirExpr **larger; ///< extents of the old buffer that the map takes one to one onto a box
  bool is_padded;
} Layout;

static bool refuse(Layout *l, const char *why) {
  const char *name = l->buffer ? rlx_store_text(l->c->s->store, l->buffer->name) : "";
  return rlx_schedule_refuse(l->c, RLX_DIAG_ID(SCHEDULE_LAYOUT), l->block, "ss", name, why);
}

static bool start(RlxScheduleCall *c, Layout *l) {
  RlxSchedulePlace place;
  bool is_write = false;
  *l = (Layout){.c = c};
  if (!rlx_schedule_block(c, 0, &place)) return false;
  l->block = place.stmt;
  if (!place.stmt) return refuse(l, "the root block is not written");
  if (!rlx_schedule_any_buffer(c, 1, place.stmt, &is_write, &l->buffer, NULL)) return false;
  if (l->buffer->view_of) return refuse(l, "it is a view of another buffer");
  l->now = rlx_arena_one(c->f->arena, RlxTirBuffer);
  *l->now = *l->buffer;
  l->now->id = c->f->buffer_count++;
  return true;
}

static RlxTirBuffer **swapped(Layout *l, RlxTirBuffer **at, int count) {
  for (int i = 0; i < count; i++) {
    if (at[i] != l->buffer) continue;
    RlxTirBuffer **out = rlx_arena_array(l->c->f->arena, RlxTirBuffer *, count);
    memcpy(out, at, (size_t)count * sizeof *out);
    out[i] = l->now;
    return out;
  }
  return at;
}

static RlxTirStmt *swap_allocs(RlxTirRewriter *w, RlxTirStmt *s, const RlxTirStmt *old) {
  Layout *l = w->data;
  (void)old;
  if (s->kind != RLX_TIR_BLOCK) return s;
  RlxTirBuffer **allocs = swapped(l, s->block->allocs, s->block->alloc_count);
  if (allocs == s->block->allocs) return s;
  RlxTirStmt *out = rlx_tir_copy_block(w->f, s);
  out->block->allocs = allocs;
  rlx_schedule_moved(l->c, s, out);
  return out;
}

/// A region of more than one element has another form in the new layout: it is deduced anew.
static RlxTirStmt *forget_wide(RlxTirRewriter *w, RlxTirStmt *s, const RlxTirStmt *old) {
  Layout *l = w->data;
  (void)old;
  bool is_wide = false;
  for (int k = 0; s->kind == RLX_TIR_BLOCK && k < 2; k++)
    for (int i = 0; i < (k ? s->block->write_count : s->block->read_count); i++) {
      const RlxTirRegion *r = k ? &s->block->writes[i] : &s->block->reads[i];
      for (int d = 0; r->buffer == l->buffer && d < r->buffer->ndim; d++)
        is_wide |= r->extent[d]->kind != RLX_TIR_INT || r->extent[d]->integer != 1;
    }
  return is_wide ? rlx_schedule_forget_regions(l->c, s) : s;
}

static void note_moved(RlxTirRewriter *w, const RlxTirStmt *old, RlxTirStmt *now) {
  rlx_schedule_moved(((Layout *)w->data)->c, old, now);
}

/// `now` for the buffer everywhere: accesses, regions, allocation or parameter.
static void finish(Layout *l, RlxTirExpr **(*indices)(RlxScheduleSwap *, RlxTirExpr **)) {
  RlxPrimFunc *f = l->c->f;
  if (indices) {
    RlxTirRewriter w = {.f = f, .data = l, .stmt = forget_wide, .moved = note_moved};
    f->body = rlx_tir_rewrite(&w, f->body);
  }
  RlxScheduleSwap swap = {
      .c = l->c, .from = l->buffer, .to = l->now, .indices = indices, .data = l};
  RlxTirRewriter w = {.f = f, .data = l, .stmt = swap_allocs, .moved = note_moved};
  f->body = rlx_tir_rewrite(&w, rlx_schedule_swap(&swap, f->body));
  f->root_allocs = swapped(l, f->root_allocs, f->root_alloc_count);
  for (int i = 0; i < f->param_count; i++) {
    if (f->params[i].buffer != l->buffer) continue;
    RlxTirParam *params = rlx_arena_array(f->arena, RlxTirParam, f->param_count);
    memcpy(params, f->params, (size_t)f->param_count * sizeof *params);
    params[i].buffer = l->now;
    f->params = params;
  }
  if (indices) rlx_primfunc_complete(l->c->s->store, f);
}

static RlxTirExpr **mapped(RlxScheduleSwap *swap, RlxTirExpr **at) {
  Layout *l = swap->data;
  int count = 0;
  RlxTirExpr **out = rlx_schedule_map_indices(l->c, l->map, at, l->buffer->ndim, &count);
  for (int i = 0; i < count; i++) out[i] = rlx_schedule_simplify(l->c, out[i]);
  return out;
}

// ---- maps that pad

enum { MULTIPLES_MAX = 8, TRIES_MAX = 4096 };

typedef struct Numbers {
  int64_t *at;
  int count;
} Numbers;

static bool note_number(const RlxTirExpr *e, void *data) {
  Numbers *n = data;
  bool is_new = e->kind == RLX_TIR_INT && e->integer > 1 && e->integer <= 65536;
  for (int i = 0; i < n->count; i++) is_new &= n->at[i] != e->integer;
  if (is_new && n->count < MULTIPLES_MAX) n->at[n->count++] = e->integer;
  return true;
}

/// The numbers in a map, 1 and then each once: what extents may have to be multiples of.
static int numbers_in(Layout *l, int64_t *out) {
  RlxPrimFunc *f = l->c->f;
  int ndim = l->buffer->ndim, count = 0;
  RlxTirExpr **vars = rlx_arena_array(f->arena, RlxTirExpr *, ndim + 1);
  for (int d = 0; d < ndim; d++)
    vars[d] = rlx_tir_var_expr(f, rlx_tir_var(f, l->buffer->name, l->buffer->shape[d]->dtype));
  RlxTirExpr **made = rlx_schedule_map_indices(l->c, l->map, vars, ndim, &count);
  Numbers n = {out, 1};
  out[0] = 1;
  for (int d = 0; made && d < count; d++) rlx_tir_visit_expr(made[d], note_number, &n);
  return n.count;
}

/// Rounds extents up to multiples of the map's numbers until it is onto a box; the smallest such box.
static bool find_larger(Layout *l, RlxTirExpr ***shape, int *count) {
  int64_t numbers[MULTIPLES_MAX], best = INT64_MAX;
  int n = numbers_in(l, numbers), ndim = l->buffer->ndim, tries = 1;
  RlxArena *arena = l->c->f->arena;
  RlxTirExpr **at = rlx_arena_array(arena, RlxTirExpr *, ndim + 1);
  for (int d = 0; d < ndim; d++) {
    if (l->buffer->shape[d]->kind != RLX_TIR_INT || tries > TRIES_MAX / n) return false;
    tries *= n;
  }
  for (int t = 1; t < tries; t++) {
    int64_t total = 1;
    int left = t;
    for (int d = 0; d < ndim; d++, left /= n) {
      int64_t by = numbers[left % n], size = l->buffer->shape[d]->integer;
      size = (size + by - 1) / by * by;
      at[d] = rlx_tir_int(l->c->f, size, l->buffer->shape[d]->dtype);
      total = size > 0 && total < best / size + 1 ? total * size : INT64_MAX;
    }
    RlxTirExpr **found;
    int found_count;
    if (total >= best || !rlx_schedule_map_is_onto(l->c, l->map, at, ndim, &found, &found_count))
      continue;
    best = total;
    *shape = found;
    *count = found_count;
    l->larger = rlx_arena_array(arena, RlxTirExpr *, ndim + 1);
    for (int d = 0; d < ndim; d++) l->larger[d] = at[d];
  }
  return l->larger != NULL;
}

/// The value of the padding at these indices; NULL: it is not given as a number or a map to one.
static RlxTirExpr *padding_value(Layout *l, RlxTirExpr *const *at, int count) {
  const RlxScheduleValue *v = &l->c->args[3];
  RlxPrimFunc *f = l->c->f;
  RlxDType dtype = l->buffer->dtype;
  if (v->kind == RLX_SCHEDULE_INT) return rlx_tir_int(f, v->integer, dtype);
  if (v->kind == RLX_SCHEDULE_FLOAT) return rlx_tir_float(f, v->number, dtype);
  const char *text = rlx_schedule_text(l->c, 3);
  int n = 0;
  RlxTirExpr **value = text ? rlx_schedule_map_indices(l->c, text, at, count, &n) : NULL;
  return value && n == 1 && rlx_dtype_equal(value[0]->dtype, dtype) ? value[0] : NULL;
}

/// A number as `pad_value` has to be one that Python writes for the buffer's dtype, whether or not the map pads.
static bool check_padding_dtype(Layout *l) {
  RlxScheduleKind kind = (RlxScheduleKind)l->c->args[3].kind;
  RlxDType dtype = l->buffer->dtype;
  char text[RLX_DTYPE_TEXT_MAX];
  bool fits = kind == RLX_SCHEDULE_INT     ? rlx_dtype_is_int(dtype)
              : kind == RLX_SCHEDULE_FLOAT ? rlx_dtype_is_float(dtype)
                                           : true;
  if (fits) return true;
  const char *why =
      rlx_arena_printf(l->c->s->arena, "`pad_value` is %s, and the elements of the buffer are %s",
                       kind == RLX_SCHEDULE_INT ? "an int32 (a float is written 0.0)" : "a float32",
                       rlx_dtype_text(dtype, text));
  return refuse(l, why);
}

static RlxName numbered(Layout *l, const char *base, int i) {
  char name[32];
  snprintf(name, sizeof name, "%s%d", base, i);
  return rlx_intern_text(rlx_store_names(l->c->s->store), name);
}

/// Stores the value at all indices that no old element is found at; NULL: refused.
static RlxTirStmt *make_padding(Layout *l) {
  RlxScheduleCall *c = l->c;
  RlxPrimFunc *f = c->f;
  int n = l->now->ndim, ndim = l->buffer->ndim;
  RlxTirExpr **vars = rlx_arena_array(f->arena, RlxTirExpr *, n + 1);
  RlxTirExpr **loops = rlx_arena_array(f->arena, RlxTirExpr *, n + 1);
  RlxTirExpr **old = rlx_arena_array(f->arena, RlxTirExpr *, ndim + 1);
  RlxTirIterVar *iters = rlx_arena_array(f->arena, RlxTirIterVar, n + 1);
  for (int d = 0; d < n; d++) {
    RlxDType dtype = l->now->shape[d]->dtype;
    loops[d] = rlx_tir_var_expr(f, rlx_tir_var(f, numbered(l, "axis", d), dtype));
    vars[d] = rlx_tir_var_expr(f, rlx_tir_var(f, numbered(l, "v_axis", d), dtype));
    iters[d] = (RlxTirIterVar){.var = vars[d]->var,
                               .extent = l->now->shape[d],
                               .binding = loops[d],
                               .type = RLX_ITER_DATA_PAR};
  }
  RlxTirExpr *value = padding_value(l, vars, n), *outside = NULL;
  if (!value) {
    refuse(l, "the map adds elements, and `pad_value` is no number of its dtype, nor a map to one");
    return NULL;
  }
  if (!rlx_schedule_map_inverse(c, l->map, l->larger, ndim, loops, old)) {
    refuse(l, "which elements the map adds is not told by its inverse");
    return NULL;
  }
  for (int d = 0; d < ndim; d++) {
    if (l->larger[d]->integer == l->buffer->shape[d]->integer) continue;
    RlxTirExpr *beyond = rlx_tir_binary(
        f, RLX_TIR_GE, old[d], rlx_tir_int(f, l->buffer->shape[d]->integer, old[d]->dtype));
    outside = outside ? rlx_tir_binary(f, RLX_TIR_OR, outside, beyond) : beyond;
  }
  char name[600];
  snprintf(name, sizeof name, "buffer_%s_padding", rlx_store_text(c->s->store, l->buffer->name));
  RlxTirStmt *out = rlx_tir_block(f, rlx_intern_text(rlx_store_names(c->s->store), name), iters, n,
                                  NULL, rlx_tir_store(f, l->now, vars, value));
  out->block->predicate = outside;
  out->block->reads = rlx_arena_array(f->arena, RlxTirRegion, 1);
  out->block->read_count = 0;
  out->block->writes = rlx_arena_one(f->arena, RlxTirRegion);
  out->block->writes[0] = rlx_schedule_point(c, l->now, vars);
  out->block->write_count = 1;
  for (int d = n - 1; d >= 0; d--)
    out = rlx_tir_for(f, loops[d]->var, l->now->shape[d], RLX_FOR_SERIAL, out);
  return out;
}

typedef struct Find {
  const RlxTirBuffer *buffer;
  bool found;
} Find;

static bool stores_to(const RlxTirStmt *s, void *data) {
  Find *find = data;
  find->found |= s->kind == RLX_TIR_STORE && s->buffer == find->buffer;
  return !find->found;
}

static bool allocates(const RlxTirStmt *s, const RlxTirBuffer *buffer) {
  for (int i = 0; s->kind == RLX_TIR_BLOCK && i < s->block->alloc_count; i++)
    if (s->block->allocs[i] == buffer) return true;
  return false;
}

typedef struct Allocating {
  const RlxTirBuffer *buffer;
  const RlxTirStmt *found;
} Allocating;

static bool look_for_alloc(const RlxTirStmt *s, void *data) {
  Allocating *a = data;
  if (allocates(s, a->buffer)) a->found = s;
  return !a->found;
}

/// After the last statement of the scope that writes the buffer; nobody writes: nothing is added.
static void add_padding(Layout *l, RlxTirStmt *padding) {
  RlxScheduleCall *c = l->c;
  Allocating at = {.buffer = l->now};
  rlx_tir_visit(c->f->body, look_for_alloc, NULL, &at);
  const RlxTirStmt *root =
      c->f->body->kind == RLX_TIR_BLOCK && !c->f->body->block->iter_count ? c->f->body : NULL;
  RlxScheduleSpot spot = {at.found ? at.found : root, -1};
  const RlxTirStmt *body = spot.at ? spot.at->body[0] : c->f->body;
  int count = body->kind == RLX_TIR_SEQ ? (int)body->count : 1;
  for (int i = 0; i < count; i++) {
    Find find = {.buffer = l->now};
    rlx_tir_visit(body->kind == RLX_TIR_SEQ ? body->body[i] : body, stores_to, NULL, &find);
    if (find.found) spot.position = i + 1;
  }
  if (spot.position >= 0) rlx_schedule_insert(c, spot, padding);
}

/// What is wrong with a map that is not one to one onto a box.
static const char *why_not_onto(Layout *l) {
  RlxArena *arena = l->c->f->arena;
  int ndim = l->buffer->ndim, count = 0;
  RlxTirExpr **shape, **zeros = rlx_arena_array(arena, RlxTirExpr *, ndim + 1);
  for (int d = 0; d < ndim; d++) zeros[d] = rlx_tir_int(l->c->f, 0, l->buffer->shape[d]->dtype);
  if (!rlx_schedule_map_indices(l->c, l->map, zeros, ndim, &count))
    return rlx_arena_printf(l->c->s->arena, "the map is no lambda of its %d indices", ndim);
  bool may_pad = rlx_schedule_is_given(l->c, 3) || rlx_schedule_flag(l->c, 4, false);
  if (!may_pad && find_larger(l, &shape, &count))
    return "new elements would come in, as an extent is no multiple of what the map divides by; "
           "`pad_value` says what they hold";
  return "the map is not shown to be one to one onto a box: elements would be lost, or meet";
}

bool rlx_primitive_transform_layout(RlxScheduleCall *c) {
  Layout l;
  int count = 0;
  RlxTirExpr **shape = NULL;
  if (!start(c, &l) || !check_padding_dtype(&l)) return false;
  l.map = rlx_schedule_text(c, 2);
  if (!rlx_schedule_map_is_onto(c, l.map, l.buffer->shape, l.buffer->ndim, &shape, &count)) {
    l.is_padded = (rlx_schedule_is_given(c, 3) || rlx_schedule_flag(c, 4, false)) &&
                  find_larger(&l, &shape, &count);
    if (!l.is_padded) {
      refuse(&l, c->map_problem ? c->map_problem : why_not_onto(&l));
      rlx_schedule_witness(c, c->map_witness);
      return false;
    }
  }
  if (rlx_schedule_is_opaque(c->f->body, l.buffer))
    return refuse(&l, "it is used by its pointer, or looked into by another buffer");
  if (l.buffer->strides || l.buffer->elem_offset)
    return refuse(&l, "its strides or its offset are stated");
  l.now->ndim = count;
  l.now->shape = shape;
  l.now->separator_count = 0;
  const RlxScheduleValue *separators = c->args[2].more;
  if (separators && separators->kind == RLX_SCHEDULE_LIST && separators->count) {
    l.now->separators = rlx_arena_array(c->f->arena, int64_t, separators->count);
    for (uint32_t i = 0; i < separators->count; i++)
      l.now->separators[l.now->separator_count++] = separators->items[i].integer;
  }
  bool adds = l.is_padded && rlx_schedule_is_given(c, 3);
  RlxTirStmt *padding = adds ? make_padding(&l) : NULL;
  if (adds && !padding) return false;
  finish(&l, mapped);
  if (padding) add_padding(&l, padding);
  return true;
}

bool rlx_primitive_set_axis_separator(RlxScheduleCall *c) {
  Layout l;
  if (!start(c, &l)) return false;
  if (rlx_schedule_is_aliased(c->f->body, l.buffer))
    return refuse(&l, "its memory is used under another name, too");
  const RlxScheduleValue *list = &c->args[2];
  l.now->separators = rlx_arena_array(c->f->arena, int64_t, list->count + 1);
  l.now->separator_count = 0;
  int64_t last = 0;
  for (uint32_t i = 0; i < list->count; i++) {
    int64_t at = list->items[i].kind == RLX_SCHEDULE_INT ? list->items[i].integer : -1;
    if (at < last || at > l.buffer->ndim)
      return refuse(&l, "the separators are numbers of its dimensions, in order");
    l.now->separators[l.now->separator_count++] = last = at;
  }
  finish(&l, NULL);
  return true;
}
