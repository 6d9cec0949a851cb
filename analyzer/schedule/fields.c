/// Fields of what `sch.get` gives: loops, blocks, their variables, regions and buffers.
#include "analyzer/schedule/schedule_impl.h"
#include "base/nearest.h"

#include <string.h>

/// The thing that a field is asked of.
typedef struct Of {
  RlxScheduleCall *c;
  RlxScheduleThing thing;
} Of;

// ---- values

static RlxScheduleValue thing(const Of *of, RlxThing what, const void *node) {
  return (RlxScheduleValue){.kind = RLX_SCHEDULE_THING,
                            .thing = {(uint8_t)what, of->thing.function, node}};
}

static RlxScheduleValue text(const char *words) {
  return (RlxScheduleValue){.kind = RLX_SCHEDULE_STRING, .text = words};
}

static RlxScheduleValue name_of(const Of *of, RlxName name) {
  return text(rlx_store_text(of->c->s->store, name));
}

static RlxScheduleValue dtype_of(const Of *of, RlxDType dtype) {
  char buffer[RLX_DTYPE_TEXT_MAX];
  return text(rlx_arena_strdup(of->c->s->arena, rlx_dtype_text(dtype, buffer)));
}

/// A constant as a number or text; NULL: 0.
static RlxScheduleValue value_of(const Of *of, const RlxTirExpr *e) {
  RlxScheduleValue out = {.kind = RLX_SCHEDULE_INT, .is_imm = true};
  if (!e) return out;
  switch ((int)e->kind) {
  case RLX_TIR_INT: out.integer = e->integer; return out;
  case RLX_TIR_FLOAT: return (RlxScheduleValue){.kind = RLX_SCHEDULE_FLOAT, .number = e->number};
  case RLX_TIR_STRING:
    return text(rlx_arena_strndup(of->c->s->arena, e->text, (size_t)e->text_size));
  case RLX_TIR_VAR: return thing(of, RLX_THING_VAR, e->var);
  default: return thing(of, RLX_THING_EXPR, e);
  }
}

static RlxScheduleValue list_of(const Of *of, int count) {
  RlxScheduleValue out = {.kind = RLX_SCHEDULE_LIST, .count = (uint32_t)count};
  out.items = rlx_arena_array(of->c->s->arena, RlxScheduleValue, count + 1);
  return out;
}

static RlxScheduleValue annotations(const Of *of, const RlxTirAnnotation *at, int count) {
  RlxScheduleValue out = list_of(of, count * 2);
  out.kind = RLX_SCHEDULE_DICT;
  for (int i = 0; i < count; i++) {
    out.items[2 * i] = name_of(of, at[i].key);
    out.items[2 * i + 1] =
        at[i].value ? value_of(of, at[i].value) : thing(of, RLX_THING_EXPR, NULL);
  }
  return out;
}

// ---- fields, in the order of fields.def

static const RlxTirStmt *stmt_of(const Of *of) { return of->thing.node; }
static const RlxTirBlock *block_of(const Of *of) {
  return of->thing.node ? stmt_of(of)->block : NULL;
}
static const RlxTirIterVar *iter_of(const Of *of) { return of->thing.node; }

static void LOOP_loop_var(const Of *of, RlxScheduleValue *out) {
  *out = thing(of, RLX_THING_VAR, stmt_of(of)->var);
}
static void LOOP_min(const Of *of, RlxScheduleValue *out) { *out = value_of(of, stmt_of(of)->min); }
static void LOOP_extent(const Of *of, RlxScheduleValue *out) {
  *out = value_of(of, stmt_of(of)->extent);
}
static void LOOP_kind(const Of *of, RlxScheduleValue *out) {
  *out = (RlxScheduleValue){.kind = RLX_SCHEDULE_INT, .integer = stmt_of(of)->for_kind};
}
static void LOOP_thread_binding(const Of *of, RlxScheduleValue *out) {
  *out = (RlxScheduleValue){.kind = RLX_SCHEDULE_NONE};
  if (stmt_of(of)->for_kind == RLX_FOR_THREAD_BINDING)
    *out = thing(of, RLX_THING_THREAD, stmt_of(of));
}
static void LOOP_annotations(const Of *of, RlxScheduleValue *out) {
  *out = annotations(of, stmt_of(of)->annotations, stmt_of(of)->annotation_count);
}
static void LOOP_stmt(const Of *of, RlxScheduleValue *out) {
  *out = thing(of, RLX_THING_LOOP, of->thing.node);
}

static void BLOCK_name_hint(const Of *of, RlxScheduleValue *out) {
  *out = block_of(of) ? name_of(of, block_of(of)->name) : text("root");
}
static void BLOCK_iter_vars(const Of *of, RlxScheduleValue *out) {
  const RlxTirBlock *b = block_of(of);
  *out = list_of(of, b ? b->iter_count : 0);
  for (uint32_t i = 0; i < out->count; i++) out->items[i] = thing(of, RLX_THING_ITER, &b->iters[i]);
}
static RlxScheduleValue regions(const Of *of, const RlxTirRegion *at, int count) {
  RlxScheduleValue out = list_of(of, count > 0 ? count : 0);
  for (uint32_t i = 0; i < out.count; i++) out.items[i] = thing(of, RLX_THING_REGION, &at[i]);
  return out;
}
static void BLOCK_reads(const Of *of, RlxScheduleValue *out) {
  const RlxTirBlock *b = block_of(of);
  *out = regions(of, b ? b->reads : NULL, b ? b->read_count : 0);
}
static void BLOCK_writes(const Of *of, RlxScheduleValue *out) {
  const RlxTirBlock *b = block_of(of);
  *out = regions(of, b ? b->writes : NULL, b ? b->write_count : 0);
}
static void BLOCK_alloc_buffers(const Of *of, RlxScheduleValue *out) {
  const RlxTirBlock *b = block_of(of);
  const RlxPrimFunc *f = of->c->s->functions.at[of->thing.function].f;
  RlxTirBuffer *const *at = b ? b->allocs : f->root_allocs;
  *out = list_of(of, b ? b->alloc_count : f->root_alloc_count);
  for (uint32_t i = 0; i < out->count; i++) out->items[i] = thing(of, RLX_THING_BUFFER, at[i]);
}
static void BLOCK_annotations(const Of *of, RlxScheduleValue *out) {
  const RlxTirBlock *b = block_of(of);
  *out = annotations(of, b ? b->annotations : NULL, b ? b->annotation_count : 0);
}
static void BLOCK_stmt(const Of *of, RlxScheduleValue *out) {
  *out = thing(of, RLX_THING_BLOCK, of->thing.node);
}

static void ITER_var(const Of *of, RlxScheduleValue *out) {
  *out = thing(of, RLX_THING_VAR, iter_of(of)->var);
}
static void ITER_dom(const Of *of, RlxScheduleValue *out) {
  *out = thing(of, RLX_THING_ITER_RANGE, iter_of(of));
}
static void ITER_iter_type(const Of *of, RlxScheduleValue *out) {
  static const char *const names[] = {[RLX_ITER_DATA_PAR] = "IterVar.DataPar",
                                      [RLX_ITER_REDUCE] = "IterVar.CommReduce",
                                      [RLX_ITER_ORDERED] = "IterVar.Ordered",
                                      [RLX_ITER_OPAQUE] = "IterVar.Opaque"};
  *out = (RlxScheduleValue){.kind = RLX_SCHEDULE_INT};
  rlx_schedule_constant(names[iter_of(of)->type], &out->integer);
}
static void ITER_thread_tag(const Of *of, RlxScheduleValue *out) {
  (void)of;
  *out = text("");
}
static void THREAD_thread_tag(const Of *of, RlxScheduleValue *out) {
  *out = name_of(of, stmt_of(of)->name);
}
static void ITER_RANGE_min(const Of *of, RlxScheduleValue *out) {
  *out = value_of(of, iter_of(of)->min);
}
static void ITER_RANGE_extent(const Of *of, RlxScheduleValue *out) {
  *out = value_of(of, iter_of(of)->extent);
}
static void REGION_buffer(const Of *of, RlxScheduleValue *out) {
  *out = thing(of, RLX_THING_BUFFER, ((const RlxTirRegion *)of->thing.node)->buffer);
}

static const RlxTirBuffer *buffer_of(const Of *of) { return of->thing.node; }
static void BUFFER_name(const Of *of, RlxScheduleValue *out) {
  *out = name_of(of, buffer_of(of)->name);
}
static void BUFFER_dtype(const Of *of, RlxScheduleValue *out) {
  *out = dtype_of(of, buffer_of(of)->dtype);
}
static void BUFFER_shape(const Of *of, RlxScheduleValue *out) {
  *out = list_of(of, buffer_of(of)->ndim);
  for (uint32_t i = 0; i < out->count; i++) out->items[i] = value_of(of, buffer_of(of)->shape[i]);
}

static void VAR_name(const Of *of, RlxScheduleValue *out) {
  *out = name_of(of, ((const RlxTirVar *)of->thing.node)->name);
}
static void VAR_name_hint(const Of *of, RlxScheduleValue *out) { VAR_name(of, out); }
static void VAR_dtype(const Of *of, RlxScheduleValue *out) {
  *out = dtype_of(of, ((const RlxTirVar *)of->thing.node)->dtype);
}
static void EXPR_dtype(const Of *of, RlxScheduleValue *out) {
  const RlxTirExpr *e = of->thing.node;
  *out = e ? dtype_of(of, e->dtype) : (RlxScheduleValue){.kind = RLX_SCHEDULE_NONE};
}

// ---- the table

#define RLX_THING(name, words) words,
#define RLX_FIELD(thing, name)
static const char *const things[] = {
#include "analyzer/schedule/fields.def"
};
#undef RLX_FIELD
#undef RLX_THING

#define RLX_THING(name, words)
#define RLX_FIELD(thing, name) {RLX_THING_##thing, #name, thing##_##name},
static const struct {
  uint8_t what;
  const char *name;
  void (*give)(const Of *of, RlxScheduleValue *out);
} fields[] = {
#include "analyzer/schedule/fields.def"
};
#undef RLX_FIELD
#undef RLX_THING
enum { FIELDS = sizeof fields / sizeof *fields };

const char *rlx_schedule_thing_words(const RlxScheduleValue *v) { return things[v->thing.what]; }

bool rlx_schedule_field(RlxScheduleCall *c, const RlxScheduleValue *v, const char *name,
                        RlxScheduleValue *out) {
  if (v->kind == RLX_SCHEDULE_INT && v->is_imm && strcmp(name, "value") == 0) {
    *out = *v;
    out->is_imm = false;
    return true;
  }
  if (v->kind != RLX_SCHEDULE_THING)
    return rlx_schedule_refuse_value(
        c,
        rlx_arena_printf(
            c->s->arena,
            "`.%s` is asked of what has no fields: `sch.get` of a loop or block gives them", name));
  const Of of = {c, v->thing};
  RlxNearest nearest = rlx_nearest_start(name);
  for (int i = 0; i < FIELDS; i++) {
    if (fields[i].what != v->thing.what) continue;
    rlx_nearest_try(&nearest, fields[i].name);
    if (strcmp(fields[i].name, name) != 0) continue;
    fields[i].give(&of, out);
    return true;
  }
  const char *hint =
      nearest.best ? rlx_arena_printf(c->s->arena, "; did you mean `%s`?", nearest.best) : "";
  return rlx_schedule_refuse_value(c, rlx_arena_printf(c->s->arena,
                                                       "%s has no `%s` that a trace can read%s",
                                                       things[v->thing.what], name, hint));
}

bool rlx_schedule_thing_name(RlxScheduleCall *c, const RlxScheduleValue *v, RlxScheduleValue *out) {
  static const struct {
    uint8_t what;
    const char *fields[2]; ///< one after the other
  } names[] = {{RLX_THING_LOOP, {"loop_var", "name"}}, {RLX_THING_BLOCK, {"name_hint", NULL}},
               {RLX_THING_ITER, {"var", "name"}},      {RLX_THING_THREAD, {"thread_tag", NULL}},
               {RLX_THING_REGION, {"buffer", "name"}}, {RLX_THING_BUFFER, {"name", NULL}},
               {RLX_THING_VAR, {"name", NULL}}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (names[i].what != v->thing.what) continue;
    if (!rlx_schedule_field(c, v, names[i].fields[0], out)) return false;
    const RlxScheduleValue first = *out;
    return (!names[i].fields[1] || rlx_schedule_field(c, &first, names[i].fields[1], out));
  }
  return false;
}

bool rlx_schedule_constant(const char *dotted, int64_t *out) {
  static const struct {
    const char *name;
    int value;
  } constants[] = {
      {"IterVar.DataPar", 0},
      {"IterVar.ThreadIndex", 1},
      {"IterVar.CommReduce", 2},
      {"IterVar.Ordered", 3},
      {"IterVar.Opaque", 4},
      {"ForKind.SERIAL", RLX_FOR_SERIAL},
      {"ForKind.PARALLEL", RLX_FOR_PARALLEL},
      {"ForKind.VECTORIZED", RLX_FOR_VECTORIZED},
      {"ForKind.UNROLLED", RLX_FOR_UNROLLED},
      {"ForKind.THREAD_BINDING", RLX_FOR_THREAD_BINDING},
  };
  const size_t size = strlen(dotted);
  for (size_t i = 0; i < sizeof constants / sizeof *constants; i++) {
    const size_t own = strlen(constants[i].name);
    if (own > size || strcmp(dotted + size - own, constants[i].name) != 0) continue;
    if (own < size && dotted[size - own - 1] != '.') continue;
    *out = constants[i].value;
    return true;
  }
  return false;
}
