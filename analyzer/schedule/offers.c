/// Steps that an editor offers: rows of offers.def, made for a loop or block.
#include "analyzer/schedule/offers.h"

#include <string.h>

#include "analyzer/schedule/schedule_impl.h"

typedef enum At { LOOP, BLOCK } At;
typedef enum Each {
  ONCE,
  PARALLEL,
  VECTORIZED,
  UNROLLED,
  FACTORS,
  INNER,
  READER_LOOPS,
  WRITER_LOOPS,
  INIT_LOOPS,
  READS,
  WRITES
} Each;

typedef struct Row {
  const char *primitive;
  uint8_t at, each;
  const char *title, *arguments;
} Row;

static const Row rows[] = {
#define RLX_OFFER(primitive, at, each, title, arguments) {#primitive, at, each, title, arguments},
#include "analyzer/schedule/offers.def"
#undef RLX_OFFER
};

static const int64_t factors[] = {4, 8, 16, 32, 64};

typedef struct Offering {
  RlxSchedule *s;
  const RlxTirAnalysis *a;
  const char *function; ///< its name
  const Row *row;
  const RlxTirLoopInfo *loop, *other;
  const RlxTirBlockInfo *block;
  int64_t number;
  const RlxTirBuffer *buffer;
  int buffer_number;
  RlxArena *arena;
  RlxScheduleOffers *out;
} Offering;

static RlxScheduleValue place(const Offering *o, RlxScheduleKind kind, int index) {
  RlxScheduleValue v = {.kind = (uint8_t)kind};
  v.ref = (RlxScheduleRef){.function = o->function, .index = index, .handle = -1};
  return v;
}

static RlxScheduleValue integer(int64_t n) {
  return (RlxScheduleValue){.kind = RLX_SCHEDULE_INT, .integer = n};
}

/// The argument that begins at `*at`, which moves behind it.
static RlxScheduleValue argument(const Offering *o, const char **at) {
  switch (*(*at)++) {
  case 'L': return place(o, RLX_SCHEDULE_LOOP, o->loop->index);
  case 'O': return place(o, RLX_SCHEDULE_LOOP, o->other->index);
  case 'B': return place(o, RLX_SCHEDULE_BLOCK, o->block->index);
  case 'n': return integer(o->number);
  case 'b': return integer(o->buffer_number);
  case '0': return integer(0);
  case 'g': return (RlxScheduleValue){.kind = RLX_SCHEDULE_STRING, .text = "global"};
  case '[': {
    RlxScheduleValue list = {.kind = RLX_SCHEDULE_LIST};
    list.items = rlx_arena_array(o->arena, RlxScheduleValue, strlen(*at));
    while (**at && **at != ']') { // no list stands in a list
      const char *one = *at;
      list.items[list.count++] = argument(o, &one);
      *at = one;
    }
    *at += **at == ']';
    return list;
  }
  default: return (RlxScheduleValue){.kind = RLX_SCHEDULE_NONE};
  }
}

static const char *title(const Offering *o) {
  RlxBuf text = {0};
  for (const char *at = o->row->title; *at; at++) {
    if (*at != '%') {
      rlx_buf_putc(&text, *at);
      continue;
    }
    switch (*++at) {
    case 'L': rlx_buf_puts(&text, o->loop->name); break;
    case 'O': rlx_buf_puts(&text, o->other->name); break;
    case 'B': rlx_buf_printf(&text, "\"%s\"", rlx_tir_block_name(o->a, o->block->index)); break;
    case 'n': rlx_buf_printf(&text, "%lld", (long long)o->number); break;
    case 'b': rlx_buf_puts(&text, rlx_store_text(o->s->store, o->buffer->name)); break;
    }
  }
  const char *kept = rlx_arena_strndup(o->arena, rlx_buf_text(&text), text.size);
  rlx_buf_free(&text);
  return kept;
}

static void offer(const Offering *o) {
  RlxScheduleOffer one = {.title = title(o)};
  if (o->out->count >= RLX_OFFERS_MAX) return;
  one.step.primitive = rlx_primitive_find(o->row->primitive);
  if (!one.step.primitive) return;
  const char *at = o->row->arguments;
  for (int i = 0; *at && i < RLX_SCHEDULE_ARGS_MAX; i++) one.step.args[i] = argument(o, &at);
  rlx_vec_push(o->out, one);
}

static void offer_at(Offering *o, int loop) {
  o->other = &o->a->loops[loop];
  offer(o);
}

/// The loops around the block that a moved block would stay next to.
static void offer_loops(Offering *o, bool is_reader) {
  int other = -1;
  RlxTirDependencyWalk walk = rlx_tir_dependencies(o->block->index);
  for (RlxTirDependency d; rlx_tir_next_dependency(o->a, &walk, &d);) {
    int end = is_reader ? d.dst : d.src, self = is_reader ? d.src : d.dst;
    if (d.kind != RLX_DEPENDENCY_RAW || self != o->block->index) continue;
    if (other < 0 || (is_reader ? end < other : end > other)) other = end;
  }
  const RlxTirBlockInfo *b = other < 0 ? NULL : &o->a->blocks[other];
  for (int i = 0; b && i < b->loop_count; i++) offer_at(o, b->loops[i]);
}

static void offer_init_loops(Offering *o) {
  const RlxTirBlockInfo *b = o->block;
  if (!b->has_init || !b->loop_count) return;
  int inner = 0;
  while (inner + 1 < b->loop_count && o->a->loops[b->loops[inner]].type == RLX_LOOP_SPATIAL)
    inner++;
  offer_at(o, b->loops[inner]);
  if (inner) offer_at(o, b->loops[0]);
}

static void offer_buffers(Offering *o, bool is_write) {
  const RlxTirBoxes *boxes = is_write ? &o->block->writes : &o->block->reads;
  for (int i = 0; i < boxes->count; i++) {
    o->buffer = boxes->at[i].buffer;
    o->buffer_number = i;
    offer(o);
  }
}

static void offer_unless(const Offering *o, RlxTirForKind is) {
  if (o->loop->stmt->for_kind != is) offer(o);
}

static void offer_each(Offering *o) {
  switch ((Each)o->row->each) {
  case ONCE: offer(o); break;
  case PARALLEL: offer_unless(o, RLX_FOR_PARALLEL); break;
  case VECTORIZED: offer_unless(o, RLX_FOR_VECTORIZED); break;
  case UNROLLED: offer_unless(o, RLX_FOR_UNROLLED); break;
  case FACTORS:
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
      int64_t extent = 0;
      bool is_known = o->loop->extent && rlx_prim_is_const(o->loop->extent, &extent);
      if (is_known && extent <= factors[i]) break;
      o->number = factors[i];
      offer(o);
    }
    break;
  case INNER:
    for (int i = 0; i < o->a->loop_count; i++) {
      if (o->a->loops[i].parent != o->loop->index) continue;
      offer_at(o, i);
      break;
    }
    break;
  case READER_LOOPS: offer_loops(o, true); break;
  case WRITER_LOOPS: offer_loops(o, false); break;
  case INIT_LOOPS: offer_init_loops(o); break;
  case READS: offer_buffers(o, false); break;
  case WRITES: offer_buffers(o, true); break;
  }
}

void rlx_schedule_offers(RlxSchedule *s, int function, bool is_loop, int index, RlxArena *arena,
                         RlxScheduleOffers *out) {
  RlxScheduleFunction *fn = &s->functions.at[function];
  RlxScheduleCall c = {.s = s, .function = function, .f = fn->f};
  const RlxTirAnalysis *a = rlx_schedule_analysis(&c);
  if (index < 0 || index >= (is_loop ? a->loop_count : a->block_count)) return;
  Offering o = {.s = s, .a = a, .arena = arena, .out = out};
  o.function = rlx_store_text(s->store, fn->f->name);
  o.loop = is_loop ? &a->loops[index] : NULL;
  o.block = is_loop ? NULL : &a->blocks[index];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    o.row = &rows[i];
    if ((o.row->at == LOOP) == is_loop) offer_each(&o);
  }
}

// ---- nodes

typedef struct Walk {
  RlxScheduleNodes *out;
  int loops, blocks;
} Walk;

static void walk(Walk *w, const RlxTirStmt *s, int parent) {
  if (!s) return;
  bool is_loop = s->kind == RLX_TIR_FOR;
  if (is_loop || s->kind == RLX_TIR_BLOCK) {
    RlxScheduleNode node = {s, is_loop, is_loop ? w->loops++ : w->blocks++, parent};
    parent = (int)w->out->count;
    rlx_vec_push(w->out, node);
  }
  walk(w, s->init, parent);
  for (uint32_t i = 0; i < s->count; i++) walk(w, s->body[i], parent);
}

void rlx_schedule_nodes(const RlxSchedule *s, int function, RlxScheduleNodes *out) {
  const RlxTirStmt *body = rlx_schedule_function(s, function)->body;
  bool has_root = body && body->kind == RLX_TIR_BLOCK && !body->block->iter_count;
  Walk w = {.out = out, .blocks = has_root ? 0 : 1};
  walk(&w, body, -1);
}
