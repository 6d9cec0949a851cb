/// annotate_buffer_access, unsafe_hide_buffer_access: what a block says that it reads and writes.
///
/// Source: TVM v0.25 src/s_tir/schedule/primitive/annotate_buffer_access.cc, hide_buffer_access.cc.
/// Differs: a region that is stated covers what was stated before, and of what is written it is the
/// same; TVM takes any.
#include "analyzer/schedule/index_map.h"

#include <stdlib.h>
#include <string.h>

static bool refuse(RlxScheduleCall *c, const RlxTirStmt *about, const char *why) {
  return rlx_schedule_refuse(c, RLX_DIAG_ID(SCHEDULE_ATTRIBUTE), about, "ss", c->primitive->name,
                             why);
}

/// "read" or "write"; false: refused.
static bool read_side(RlxScheduleCall *c, int i, const RlxTirStmt *block, bool *is_write) {
  const char *text = rlx_schedule_text(c, i);
  *is_write = text && strcmp(text, "write") == 0;
  return *is_write || (text && strcmp(text, "read") == 0) ||
         refuse(c, block,
                rlx_arena_printf(c->s->arena, "`%s` is \"read\" or \"write\"",
                                 c->primitive->params[i].name));
}

// ---- annotate_buffer_access

/// Does [begin, end) cover what was stated, and is it the same where it is written?
static bool check_cover(RlxScheduleCall *c, const RlxTirStmt *block, const RlxTirRegion *was,
                        const RlxTirRegion *now, bool is_write) {
  RlxStore *store = c->s->store;
  const RlxFacts *facts = rlx_schedule_domain_facts(c, NULL, block->block);
  for (int d = 0; d < was->buffer->ndim; d++) {
    const RlxPrim *a = rlx_tir_integer(store, was->begin[d]),
                  *n = rlx_tir_integer(store, was->extent[d]),
                  *b = rlx_tir_integer(store, now->begin[d]),
                  *m = rlx_tir_integer(store, now->extent[d]);
    if (!a || !n || !b || !m) return refuse(c, block, "a region is no integer expression");
    const RlxPrim *old_end = rlx_prim_add(store, a, n), *end = rlx_prim_add(store, b, m);
    bool covers = rlx_prove_less_equal(store, facts, b, a) == RLX_YES &&
                  rlx_prove_less_equal(store, facts, old_end, end) == RLX_YES;
    bool same = rlx_prove_equal(store, facts, a, b) == RLX_YES &&
                rlx_prove_equal(store, facts, old_end, end) == RLX_YES;
    if (is_write && !same)
      return refuse(c, block,
                    "a block that is said to write more or less than it does would be "
                    "trusted by the steps that follow");
    if (!covers) return refuse(c, block, "the region does not cover what the block reads");
  }
  return true;
}

static bool is_number(const char *text, int position) {
  for (const char *t = text; *t;) {
    char *end;
    long n = strtol(t, &end, 10);
    if (end == t)
      t++;
    else if (n == position)
      return true;
    else
      t = end;
  }
  return false;
}

/// "explicit_read_region": [0, 2]: which regions are stated.
static void note_explicit(RlxScheduleCall *c, RlxTirBlock *b, bool is_write, int position) {
  RlxName key = rlx_intern_text(rlx_store_names(c->s->store),
                                is_write ? "explicit_write_region" : "explicit_read_region");
  int at = 0;
  while (at < b->annotation_count && b->annotations[at].key != key) at++;
  RlxTirAnnotation *now = rlx_arena_array(c->f->arena, RlxTirAnnotation, b->annotation_count + 1);
  for (int i = 0; i < b->annotation_count; i++) now[i] = b->annotations[i];
  const char *was = at < b->annotation_count ? now[at].words : NULL;
  if (was && is_number(was, position)) return;
  const char *words = was && strlen(was) > 2 ? rlx_arena_printf(c->f->arena, "%.*s, %d]",
                                                                (int)strlen(was) - 1, was, position)
                                             : rlx_arena_printf(c->f->arena, "[%d]", position);
  now[at] = (RlxTirAnnotation){.key = key, .words = words};
  b->annotations = now;
  if (at == b->annotation_count) b->annotation_count++;
}

bool rlx_primitive_annotate_buffer_access(RlxScheduleCall *c) {
  RlxSchedulePlace place;
  RlxTirBuffer *buffer;
  bool is_write = false;
  int position = 0;
  if (!rlx_schedule_block(c, 0, &place)) return false;
  if (!place.stmt) return refuse(c, NULL, "the root block is not written");
  if (!read_side(c, 2, place.stmt, &is_write) ||
      !rlx_schedule_buffer(c, 1, place.stmt, is_write, &buffer, &position))
    return false;
  RlxPrimFunc *f = c->f;
  const RlxTirBlock *b = place.stmt->block;
  int ndim = buffer->ndim;
  RlxTirExpr **vars = rlx_arena_array(f->arena, RlxTirExpr *, b->iter_count + 1);
  for (int i = 0; i < b->iter_count; i++) vars[i] = rlx_tir_var_expr(f, b->iters[i].var);
  RlxTirRegion now = {.buffer = buffer};
  RlxTirExpr **end = rlx_arena_array(f->arena, RlxTirExpr *, ndim + 1);
  now.begin = rlx_arena_array(f->arena, RlxTirExpr *, ndim + 1);
  now.extent = rlx_arena_array(f->arena, RlxTirExpr *, ndim + 1);
  if (!rlx_schedule_map_ranges(c, rlx_schedule_text(c, 3), vars, b->iter_count, now.begin, end,
                               ndim))
    return refuse(c, place.stmt,
                  "the ranges are no lambda of the block's variables with a pair "
                  "(begin, end) for each dimension");
  for (int d = 0; d < ndim; d++)
    now.extent[d] = rlx_schedule_simplify(c, rlx_tir_binary(f, RLX_TIR_SUB, end[d], now.begin[d]));
  RlxTirStmt *out = rlx_tir_copy_block(f, place.stmt);
  int count = is_write ? b->write_count : b->read_count;
  RlxTirRegion *was = is_write ? b->writes : b->reads;
  if (!check_cover(c, place.stmt, &was[position], &now, is_write)) return false;
  RlxTirRegion *all = rlx_arena_array(f->arena, RlxTirRegion, count + 1);
  for (int i = 0; i < count; i++) all[i] = i == position ? now : was[i];
  if (is_write)
    out->block->writes = all;
  else
    out->block->reads = all;
  note_explicit(c, out->block, is_write, position);
  rlx_schedule_replace(c, place.stmt, out);
  return true;
}

// ---- unsafe_hide_buffer_access

bool rlx_primitive_unsafe_hide_buffer_access(RlxScheduleCall *c) {
  RlxSchedulePlace place;
  bool is_write = false;
  if (!rlx_schedule_block(c, 0, &place)) return false;
  if (!place.stmt) return refuse(c, NULL, "the root block is not written");
  if (!read_side(c, 1, place.stmt, &is_write)) return false;
  const RlxTirBlock *b = place.stmt->block;
  const RlxScheduleValue *list = &c->args[2];
  int count = is_write ? b->write_count : b->read_count, kept = 0;
  RlxTirRegion *was = is_write ? b->writes : b->reads;
  RlxTirRegion *now = rlx_arena_array(c->f->arena, RlxTirRegion, count + 1);
  for (uint32_t k = 0; k < list->count; k++)
    if (list->items[k].kind != RLX_SCHEDULE_INT || list->items[k].integer < 0 ||
        list->items[k].integer >= count)
      return rlx_schedule_no_buffer(c, place.stmt, is_write);
  for (int i = 0; i < count; i++) {
    bool is_hidden = false;
    for (uint32_t k = 0; k < list->count; k++) is_hidden |= list->items[k].integer == i;
    if (!is_hidden) now[kept++] = was[i];
  }
  RlxTirStmt *out = rlx_tir_copy_block(c->f, place.stmt);
  *(is_write ? &out->block->writes : &out->block->reads) = now;
  *(is_write ? &out->block->write_count : &out->block->read_count) = kept;
  rlx_schedule_replace(c, place.stmt, out);
  return true;
}
