/// annotate, unannotate, storage_align, set_scope, unsafe_set_dtype: what is said of a loop, a block,
/// or the memory of a buffer.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/annotate.cc, block_annotate.cc.
#include "analyzer/schedule/schedule_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool refuse(RlxScheduleCall *c, const RlxTirStmt *about, const char *why) {
  return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ATTRIBUTE), about, "ss", c->primitive->name,
                             why);
}

// ---- annotations

static RlxTirAnnotation annotation_of(RlxScheduleCall *c, const char *key,
                                      const RlxScheduleValue *v) {
  RlxDType int32 = {RLX_DTYPE_INT, 32, 1};
  RlxTirAnnotation out = {.key = rlx_intern_text(rlx_store_names(c->s->store), key)};
  if (v->kind == RLX_SCHEDULE_INT && v->integer == (int32_t)v->integer) {
    out.value = rlx_tir_int(c->f, v->integer, int32);
    return out;
  }
  RlxBuf words = {0};
  rlx_schedule_print_value(v, &words);
  out.words = rlx_arena_strdup(c->f->arena, rlx_buf_text(&words));
  rlx_buf_free(&words);
  return out;
}

/// The annotations of a loop or block, which is a copy of its own.
static RlxTirAnnotation **annotations_of(RlxTirStmt *s, int **count) {
  *count = s->kind == RLX_TIR_FOR ? &s->annotation_count : &s->block->annotation_count;
  return s->kind == RLX_TIR_FOR ? &s->annotations : &s->block->annotations;
}

static int find_key(RlxScheduleCall *c, const RlxTirAnnotation *at, int count, const char *key) {
  RlxName name = rlx_intern_text(rlx_store_names(c->s->store), key);
  for (int i = 0; i < count; i++)
    if (at[i].key == name) return i;
  return -1;
}

/// `count` annotations and one more. Trees are never changed in place, but those that have no more than
/// the first `count` of an array do not see what stands behind: a list that grows step by step is copied
/// only when its room is full, or another list went on from the same beginning (after an undo or a trial).
static RlxTirAnnotation *appended(RlxScheduleCall *c, RlxTirAnnotation *at, int count,
                                  RlxTirAnnotation value) {
  RlxScheduleRoom *room = at ? rlx_map_get_ptr(&c->s->rooms, at) : NULL;
  if (!room || room->used != count || room->used == room->size) {
    RlxTirAnnotation *all = rlx_arena_array(c->f->arena, RlxTirAnnotation, count * 2 + 2);
    for (int i = 0; i < count; i++) all[i] = at[i];
    room = rlx_arena_one(c->s->arena, RlxScheduleRoom);
    room->size = count * 2 + 2;
    rlx_map_put_ptr(&c->s->rooms, all, room);
    at = all;
  }
  at[count] = value;
  room->used = count + 1;
  return at;
}

/// Gives `s` an annotation; one of that key is replaced, or kept when `keeps`.
static void set_annotation(RlxScheduleCall *c, const RlxTirStmt *s, const char *key,
                           RlxTirAnnotation value, bool keeps) {
  RlxTirStmt *now = rlx_tir_copy_block(c->f, s);
  int *count = NULL;
  RlxTirAnnotation **at = annotations_of(now, &count);
  int found = find_key(c, *at, *count, key);
  if (found >= 0 && keeps) return;
  if (found < 0) {
    *at = appended(c, *at, *count, value);
    ++*count;
  } else {
    *at = rlx_arena_copy(c->f->arena, *at, (size_t)*count, sizeof **at);
    (*at)[found] = value;
  }
  rlx_schedule_replace(c, s, now);
}

bool rlx_primitive_annotate(RlxScheduleCall *c) {
  RlxSchedulePlace place;
  const char *key = rlx_schedule_text(c, 1);
  if (!rlx_schedule_item_any(c, &c->args[0], &place)) return false;
  if (!place.stmt) place.stmt = rlx_schedule_write_root(c);
  if (!rlx_schedule_is_writable(&c->args[2]))
    return refuse(c, place.stmt, "the value has more items than can be written down");
  set_annotation(c, place.stmt, key, annotation_of(c, key, &c->args[2]), true);
  return true;
}

bool rlx_primitive_unannotate(RlxScheduleCall *c) {
  RlxSchedulePlace place;
  const char *key = rlx_schedule_text(c, 1);
  if (!rlx_schedule_item_any(c, &c->args[0], &place)) return false;
  if (!place.stmt) place.stmt = rlx_schedule_write_root(c);
  RlxTirStmt *now = rlx_tir_copy_block(c->f, place.stmt);
  int *count = NULL;
  RlxTirAnnotation **at = annotations_of(now, &count);
  int found = find_key(c, *at, *count, key);
  if (found < 0)
    return refuse(c, place.stmt,
                  rlx_arena_printf(c->s->arena, "there is no annotation \"%s\"", key));
  RlxTirAnnotation *all = rlx_arena_array(c->f->arena, RlxTirAnnotation, *count);
  int kept = 0;
  for (int i = 0; i < *count; i++)
    if (i != found) all[kept++] = (*at)[i];
  *at = all;
  *count = kept;
  rlx_schedule_replace(c, place.stmt, now);
  return true;
}

// ---- memory

/// The block of argument 0 and the buffer that it writes at argument 1.
static bool find_written(RlxScheduleCall *c, const RlxTirStmt **out_block, RlxTirBuffer **out,
                         int *out_position) {
  RlxSchedulePlace place;
  if (!rlx_schedule_block(c, 0, &place)) return false;
  if (!place.stmt) return refuse(c, NULL, "the root block is not written");
  *out_block = place.stmt;
  return rlx_schedule_buffer(c, 1, place.stmt, true, out, out_position);
}

/// Where the buffer is allocated: a block around `block` (NULL: the root that is not written).
static bool find_site(RlxScheduleCall *c, const RlxTirStmt *block, const RlxTirBuffer *buffer,
                      const RlxTirStmt **out_site) {
  if (rlx_schedule_is_aliased(c->f->body, buffer))
    return refuse(c, block,
                  rlx_arena_printf(c->s->arena,
                                   "the memory of `%s` is used under another name, too",
                                   rlx_store_text(c->s->store, buffer->name)));
  const RlxTirAnalysis *a = rlx_schedule_analysis(c);
  for (int b = rlx_schedule_block_info(c, block)->index; b >= 0; b = a->blocks[b].scope)
    if (rlx_tir_allocates(&a->blocks[b], buffer)) {
      *out_site = a->blocks[b].stmt;
      return true;
    }
  return refuse(c, block,
                rlx_arena_printf(c->s->arena,
                                 "`%s` is not allocated by a block around: it is a parameter, or a "
                                 "view of another buffer",
                                 rlx_store_text(c->s->store, buffer->name)));
}

/// `[[0, 1, 128, 127]]` with the tuple of this buffer and axis set; NULL: it is no such list.
static const char *set_tuple(RlxScheduleCall *c, const char *words, const long long tuple[4]) {
  RlxBuf out = {0};
  bool is_found = false, is_right = true;
  rlx_buf_putc(&out, '[');
  const char *t = words ? words + strspn(words, " [(") : "";
  bool first = true;
  while (*t && is_right) {
    long long n[4];
    for (int i = 0; i < 4; i++) {
      char *end = NULL;
      t += strspn(t, " ,[(");
      n[i] = strtoll(t, &end, 10);
      is_right = is_right && end != t;
      t = end;
    }
    t += strspn(t, " ,])");
    bool is_it = n[0] == tuple[0] && n[1] == tuple[1];
    is_found |= is_it;
    const long long *use = is_it ? tuple : n;
    rlx_buf_printf(&out, "%s[%lld, %lld, %lld, %lld]", first ? "" : ", ", use[0], use[1], use[2],
                   use[3]);
    first = false;
  }
  if (!is_found)
    rlx_buf_printf(&out, "%s[%lld, %lld, %lld, %lld]", first ? "" : ", ", tuple[0], tuple[1],
                   tuple[2], tuple[3]);
  rlx_buf_putc(&out, ']');
  const char *text = is_right ? rlx_arena_strdup(c->f->arena, rlx_buf_text(&out)) : NULL;
  rlx_buf_free(&out);
  return text;
}

bool rlx_primitive_storage_align(RlxScheduleCall *c) {
  const RlxTirStmt *block = NULL, *site = NULL;
  RlxTirBuffer *buffer = NULL;
  int position = 0;
  if (!find_written(c, &block, &buffer, &position) || !find_site(c, block, buffer, &site))
    return false;
  int64_t axis = rlx_schedule_integer(c, 2, 0), factor = rlx_schedule_integer(c, 3, 1);
  if (factor <= 0) return refuse(c, block, "`factor` is at least 1");
  if (axis < -buffer->ndim || axis >= buffer->ndim)
    return refuse(c, block,
                  rlx_arena_printf(c->s->arena,
                                   "the buffer has %d dimensions, the axis "
                                   "is %lld",
                                   (int)buffer->ndim, (long long)axis));
  if (axis < 0) axis += buffer->ndim;
  const long long tuple[4] = {position, axis, factor, rlx_schedule_integer(c, 4, 0)};
  const RlxTirBlock *b = block->block;
  int found = find_key(c, b->annotations, b->annotation_count, "buffer_dim_align");
  const char *was = found >= 0 ? b->annotations[found].words : NULL;
  const char *words = found >= 0 && !was ? NULL : set_tuple(c, was, tuple);
  if (!words)
    return refuse(c, block, "its annotation \"buffer_dim_align\" is no list of four numbers each");
  RlxTirAnnotation value = {
      .key = rlx_intern_text(rlx_store_names(c->s->store), "buffer_dim_align"), .words = words};
  set_annotation(c, block, "buffer_dim_align", value, false);
  return true;
}

bool rlx_primitive_set_scope(RlxScheduleCall *c) {
  const RlxTirStmt *block = NULL, *site = NULL;
  RlxTirBuffer *buffer = NULL;
  const char *scope = rlx_schedule_text(c, 2);
  if (!find_written(c, &block, &buffer, NULL)) return false;
  const char *was = buffer->scope ? rlx_store_text(c->s->store, buffer->scope) : "global";
  if (!rlx_schedule_check_scope_name(c, scope)) return false;
  if (strcmp(was, scope) == 0) return true;
  if (!find_site(c, block, buffer, &site)) return false;
  RlxInterner *names = rlx_store_names(c->s->store);
  const char *name =
      rlx_arena_printf(c->s->arena, "%s_%s", rlx_store_text(c->s->store, buffer->name), scope);
  RlxTirBuffer *now = rlx_arena_one(c->f->arena, RlxTirBuffer);
  *now = *buffer;
  now->id = c->f->buffer_count++;
  now->data = NULL;
  now->scope = rlx_intern_text(names, scope);
  now->name = rlx_intern_text(names, name);
  RlxScheduleSwap swap = {.c = c, .from = buffer, .to = now};
  c->f->body = rlx_schedule_swap(&swap, c->f->body);
  rlx_schedule_change_alloc(c, site, buffer, now);
  return true;
}

typedef struct Retype {
  RlxScheduleCall *c;
  RlxTirBuffer *buffer; ///< as it is now
  RlxTirBuffer *old;    ///< that it stands for; NULL: it has its place already
  RlxDType was;
} Retype;

static RlxTirBuffer *retyped_buffer(RlxTirRewriter *w, RlxTirBuffer *b) {
  const Retype *t = w->data;
  return t->old && b == t->old ? t->buffer : b;
}

static RlxTirExpr *retype_load(RlxTirRewriter *w, RlxTirExpr *e) {
  const Retype *t = w->data;
  if (e->kind != RLX_TIR_LOAD || e->buffer != t->buffer) return e;
  RlxTirExpr *load = rlx_tir_load(w->f, t->buffer, e->args);
  return rlx_tir_cast(w->f, t->was, load);
}

/// The views that a block has of the buffer get its dtype, too.
static RlxTirStmt *retype_views(RlxTirRewriter *w, RlxTirStmt *s) {
  const Retype *t = w->data;
  for (int i = 0; i < s->block->match_count; i++) {
    RlxTirBuffer *view = s->block->matches[i];
    if (view->view_of != t->buffer || !rlx_dtype_equal(view->dtype, t->was)) continue;
    RlxTirBuffer *now = rlx_arena_one(w->f->arena, RlxTirBuffer);
    *now = *view;
    now->id = w->f->buffer_count++;
    now->dtype = t->buffer->dtype;
    Retype inner = {.c = t->c, .buffer = now, .old = view, .was = t->was};
    RlxTirRewriter r = *w;
    r.data = &inner;
    RlxTirBuffer **views = rlx_schedule_views(t->c, s);
    views[i] = now;
    s = rlx_schedule_rematch(t->c, s, views, &r);
  }
  return s;
}

static RlxTirStmt *retype_stmt(RlxTirRewriter *w, RlxTirStmt *s, const RlxTirStmt *old) {
  const Retype *t = w->data;
  (void)old;
  if (s->kind == RLX_TIR_BLOCK) return retype_views(w, s);
  if (s->kind != RLX_TIR_STORE || s->buffer != t->buffer) return s;
  RlxTirStmt *out = rlx_tir_copy(w->f, s);
  out->value = rlx_tir_cast(w->f, t->buffer->dtype, s->value);
  return out;
}

static void retype_moved(RlxTirRewriter *w, const RlxTirStmt *old, RlxTirStmt *now) {
  rlx_schedule_moved(((const Retype *)w->data)->c, old, now);
}

typedef struct NestedView {
  const RlxTirBuffer *buffer;
  bool found;
} NestedView;

static bool note_nested_view(const RlxTirStmt *s, void *data) {
  NestedView *n = data;
  for (int i = 0; s->kind == RLX_TIR_BLOCK && i < s->block->match_count; i++) {
    const RlxTirBuffer *of = s->block->matches[i]->view_of;
    n->found |= of && of->view_of == n->buffer;
  }
  return true;
}

bool rlx_primitive_unsafe_set_dtype(RlxScheduleCall *c) {
  const RlxTirStmt *block = NULL, *site = NULL;
  RlxTirBuffer *buffer = NULL;
  RlxDType dtype;
  if (!find_written(c, &block, &buffer, NULL)) return false;
  const char *text = rlx_schedule_text(c, 2);
  if (!rlx_dtype_parse(text, strlen(text), &dtype))
    return refuse(
        c, block,
        rlx_arena_printf(c->s->arena, "`dtype` is that of elements; there is no \"%s\"", text));
  if (rlx_dtype_equal(dtype, buffer->dtype)) return true;
  if (!find_site(c, block, buffer, &site)) return false;
  NestedView nested = {.buffer = buffer};
  rlx_tir_visit(c->f->body, note_nested_view, NULL, &nested);
  if (nested.found) return refuse(c, block, "a view of the buffer has views of its own");
  RlxTirBuffer *now = rlx_arena_one(c->f->arena, RlxTirBuffer);
  *now = *buffer;
  now->id = c->f->buffer_count++;
  now->data = NULL;
  now->dtype = dtype;
  RlxScheduleSwap swap = {.c = c, .from = buffer, .to = now};
  Retype retype = {.c = c, .buffer = now, .was = buffer->dtype};
  RlxTirRewriter w = {.f = c->f,
                      .data = &retype,
                      .expr = retype_load,
                      .stmt = retype_stmt,
                      .buffer = retyped_buffer,
                      .moved = retype_moved};
  c->f->body = rlx_tir_rewrite(&w, rlx_schedule_swap(&swap, c->f->body));
  rlx_schedule_change_alloc(c, site, buffer, now);
  return true;
}
