/// The search. A candidate is a list of numbers (genes): what is drawn at each choice of the sketch
/// below. Random ones come first; then the best are varied: a gene drawn anew, or the first part of
/// one with the last part of another.
///
/// The sketch, for one block after another: producers that are cheap are inlined; the loops of a
/// reduction are tiled, put into an order, vectorised, unrolled, run in parallel, its init taken out,
/// its consumer moved under the tiles or its result cached; other blocks get parallel and vector
/// loops. Each step is asked of the schedule, and left out where it is refused.
#include "jit/tune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "analyzer/analyzer.h"
#include "analyzer/script/script.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"

enum {
  GENES = 48,
  POPULATION = 16,
  FIRST_RANDOM = 24,
  LOOPS_MAX = 8,
  TILES_MAX = 3,
  TRIED_LEAST = 4
};

typedef struct Candidate {
  uint32_t genes[GENES];
  double us;
  RlxBuf trace;
} Candidate;

typedef struct Search {
  const RlxTuneOptions *options;
  const char *text, *name;
  RlxAnalyzer *analyzer;
  RlxFile *file;
  const RlxStmt *def;
  RlxMeasured truth; ///< what the PrimFunc gives
  uint64_t state;    ///< of the random numbers
  Candidate best[POPULATION];
  int count;
  RlxMap seen; ///< hashes of scheduled texts
  RlxTuneProgress now;
  double started;
} Search;

static uint32_t draw(Search *s) { // splitmix64
  uint64_t z = s->state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)((z ^ (z >> 31)) >> 16);
}

static double now_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool is_over(const Search *s) {
  const RlxTuneOptions *o = s->options;
  if (o->measure.cancel && *o->measure.cancel) return true;
  if (o->most_tried && s->now.tried >= o->most_tried) return true;
  return s->now.tried >= TRIED_LEAST && now_seconds() - s->started >= o->seconds;
}

// ---- writing steps

typedef struct Sketch {
  RlxStore *store;
  RlxSchedule *schedule;
  const uint32_t *genes;
  int next;  ///< gene
  int names; ///< handed out, so that each is new
  int threads;
} Sketch;

static uint32_t choose(Sketch *k, uint32_t ways) {
  uint32_t gene = k->genes[k->next % GENES];
  k->next++;
  return gene % ways;
}

/// Carries out one line of a trace; false: it was refused, and nothing was done.
static bool step(Sketch *k, const char *format, ...) __attribute__((format(printf, 2, 3)));
static bool step(Sketch *k, const char *format, ...) {
  RlxBuf line = {0};
  va_list args;
  va_start(args, format);
  rlx_buf_vprintf(&line, format, args);
  va_end(args);
  RlxTrace trace;
  RlxSink sink = {.arena = rlx_arena_new()};
  rlx_trace_read(k->store, rlx_buf_text(&line), (uint32_t)line.size, &trace, &sink);
  bool ok = sink.diags.count == 0;
  for (uint32_t i = 0; ok && i < trace.steps.count; i++)
    ok = rlx_schedule_apply(k->schedule, &trace.steps.at[i]).ok;
  rlx_schedule_keep(k->schedule, &trace);
  rlx_vec_free(&sink.diags);
  rlx_arena_free(sink.arena);
  rlx_buf_free(&line);
  return ok;
}

// ---- what the PrimFunc has

typedef struct BlockFact {
  const char *name;
  bool is_reduction, is_copyable;
  int loop_count;
  bool is_reduce[LOOPS_MAX]; ///< by loop, outermost first
  int64_t extents[LOOPS_MAX];
} BlockFact;
typedef Vec(BlockFact) BlockFacts;

static bool mentions(const RlxTirExpr *e, const RlxTirVar *var) {
  if (e->kind == RLX_TIR_VAR) return e->var == var;
  for (int i = 0; i < e->arg_count; i++)
    if (mentions(e->args[i], var)) return true;
  return false;
}

static void add_block(const RlxTirStmt *s, const RlxTirStmt *const *loops, int count, Sketch *k,
                      BlockFacts *out) {
  BlockFact fact = {.name = rlx_store_text(k->store, s->block->name), .loop_count = count};
  for (uint32_t i = 0; i < out->count; i++)
    if (strcmp(out->at[i].name, fact.name) == 0) return; // steps could not name it
  fact.is_reduction = s->init != NULL;
  for (int i = 0; i < count; i++) {
    const RlxPrim *p = rlx_tir_integer(k->store, loops[i]->extent);
    if (!p || !rlx_prim_is_const(p, &fact.extents[i])) fact.extents[i] = 0;
    for (int v = 0; v < s->block->iter_count; v++)
      fact.is_reduce[i] |= s->block->iters[v].type == RLX_ITER_REDUCE &&
                           s->block->iters[v].binding &&
                           mentions(s->block->iters[v].binding, loops[i]->var);
  }
  rlx_vec_push(out, fact);
}

static void find_blocks(const RlxTirStmt *s, const RlxTirStmt **loops, int count, Sketch *k,
                        BlockFacts *out) {
  if (!s || count >= LOOPS_MAX) return;
  if (s->kind == RLX_TIR_FOR) loops[count++] = s;
  bool is_root = s->kind == RLX_TIR_BLOCK && s->block->iter_count == 0 && !count;
  if (s->kind == RLX_TIR_BLOCK && !is_root) {
    add_block(s, loops, count, k, out);
    return;
  }
  for (uint32_t i = 0; i < s->count; i++) find_blocks(s->body[i], loops, count, k, out);
}

// ---- the sketch

/// Loops of the block as they are now, by the names `L<n>_0…`; their number, 0: refused.
static int take_loops(Sketch *k, const char *block, int *out_name) {
  BlockFacts facts = {0};
  const RlxTirStmt *loops[LOOPS_MAX];
  const RlxPrimFunc *f = rlx_schedule_function(k->schedule, 0);
  find_blocks(f->body, loops, 0, k, &facts);
  int count = 0;
  for (uint32_t i = 0; i < facts.count; i++)
    if (strcmp(facts.at[i].name, block) == 0) count = facts.at[i].loop_count;
  rlx_vec_free(&facts);
  *out_name = k->names++;
  return count && step(k, "L%d = sch.get_loops(\"%s\")", *out_name, block) ? count : 0;
}

/// Elementwise blocks: all loops one, parallel outside, vectors inside.
static void sketch_elementwise(Sketch *k, const BlockFact *fact) {
  int name;
  static const int widths[] = {8, 16, 32, 64};
  int width = widths[choose(k, 4)];
  bool fuses = choose(k, 3) > 0;
  int count = take_loops(k, fact->name, &name);
  if (!count) return;
  int id = k->names++;
  if (fuses && count > 1) {
    RlxBuf list = {0};
    for (int i = 0; i < count; i++) rlx_buf_printf(&list, "%sL%d[%d]", i ? ", " : "", name, i);
    fuses = step(k, "F%d = sch.fuse(%s)", id, rlx_buf_text(&list));
    rlx_buf_free(&list);
    if (fuses && step(k, "O%d, V%d = sch.split(F%d, factors=[None, %d])", id, id, id, width)) {
      step(k, "sch.vectorize(V%d)", id);
      if (k->threads > 1) step(k, "sch.parallel(O%d)", id);
    }
    return;
  }
  if (step(k, "O%d, V%d = sch.split(L%d[%d], factors=[None, %d])", id, id, name, count - 1, width))
    step(k, "sch.vectorize(V%d)", id);
  if (k->threads > 1 && count > 1) step(k, "sch.parallel(L%d[0])", name);
}

typedef struct Tiled {
  char parts[LOOPS_MAX][TILES_MAX][24]; ///< names of the loops that each loop became
  int counts[LOOPS_MAX];
} Tiled;

/// Cuts each loop of a reduction: two or three parts of one that is parallel, one or two of one that
/// reduces, drawn from the schedule's seed.
static void tile(Sketch *k, const BlockFact *fact, int name, int levels, Tiled *t) {
  for (int i = 0; i < fact->loop_count; i++) {
    int n = fact->is_reduce[i] ? 1 + (int)choose(k, 2) : levels, id = k->names++;
    uint32_t seed = choose(k, UINT32_MAX), innermost = 1u << (2 + choose(k, 5));
    rlx_schedule_seed(k->schedule, seed);
    t->counts[i] = 1;
    snprintf(t->parts[i][0], sizeof t->parts[i][0], "L%d[%d]", name, i);
    if (n == 1 || !step(k, "t%d = sch.sample_perfect_tile(L%d[%d], %d, max_innermost_factor=%u)",
                        id, name, i, n, innermost))
      continue;
    if (!step(k, "S%d = sch.split(L%d[%d], t%d)", id, name, i, id)) continue;
    t->counts[i] = n;
    for (int p = 0; p < n; p++) snprintf(t->parts[i][p], sizeof t->parts[i][p], "S%d[%d]", id, p);
  }
}

/// Part `part` of the loops of one kind, in the order of the text.
static void list_parts(const BlockFact *fact, const Tiled *t, bool reduce, int part, RlxBuf *out) {
  for (int i = 0; i < fact->loop_count; i++)
    if (fact->is_reduce[i] == reduce && part < t->counts[i])
      rlx_buf_printf(out, "%s%s", out->size ? ", " : "", t->parts[i][part]);
}

/// Reductions. Orders, from outside in, with S the parallel loops and R those that reduce:
/// S0 S1 R0 R1 S2, S0 R0 S1 R1 S2, S0 S1 R0 S2 R1.
/// True: the consumer stands under the tiles.
static bool sketch_reduction(Sketch *k, const BlockFact *fact, const char *consumer) {
  static const char *const orders[] = {"s0s1r0r1s2", "s0r0s1r1s2", "s0s1r0s2r1"};
  int name, levels = 2 + (int)choose(k, 2), order = (int)choose(k, 3);
  bool moves = choose(k, 4) > 0, caches = choose(k, 3) == 0, decomposes = choose(k, 8) > 0;
  bool unrolls = choose(k, 3) > 0, vectorizes = choose(k, 8) > 0;
  int under = (int)choose(k, 2);
  char copy[160];
  snprintf(copy, sizeof copy, "%s_local", fact->name);
  if (caches && !consumer &&
      step(k, "c%d = sch.cache_write(\"%s\", 0, \"local\")", k->names, fact->name)) {
    snprintf(copy, sizeof copy, "c%d", k->names++);
    consumer = copy;
  }
  if (!take_loops(k, fact->name, &name)) return false;
  bool moved = false;
  Tiled t = {0};
  tile(k, fact, name, levels, &t);
  RlxBuf all = {0};
  for (const char *p = orders[order]; *p; p += 2) list_parts(fact, &t, *p == 'r', p[1] - '0', &all);
  step(k, "sch.reorder(%s)", rlx_buf_text(&all));
  rlx_buf_free(&all);
  int last = -1, outer = -1, reduce = -1; // parallel loops: innermost, outermost; the outermost R
  for (int i = 0; i < fact->loop_count; i++) {
    if (!fact->is_reduce[i] && outer < 0) outer = i;
    if (!fact->is_reduce[i]) last = i;
    if (fact->is_reduce[i] && reduce < 0) reduce = i;
  }
  if (consumer && moves && last >= 0 && t.counts[last] > 1) {
    const char *loop = t.parts[last][under && t.counts[last] > 2 ? 1 : 0];
    const char *quote = consumer == copy ? "" : "\"";
    if (step(k, "sch.reverse_compute_at(%s%s%s, %s)", quote, consumer, quote, loop)) {
      moved = true;
      int id = k->names++;
      if (step(k, "E%d = sch.get_loops(%s%s%s)", id, quote, consumer, quote))
        step(k, "sch.vectorize(E%d[-1])", id);
    }
  }
  if (vectorizes && last >= 0) step(k, "sch.vectorize(%s)", t.parts[last][t.counts[last] - 1]);
  for (int i = 0; unrolls && i < fact->loop_count; i++)
    if (i != last && !fact->is_reduce[i] && t.counts[i] > 1)
      step(k, "sch.unroll(%s)", t.parts[i][t.counts[i] - 1]);
  if (k->threads > 1 && outer >= 0) step(k, "sch.parallel(%s)", t.parts[outer][0]);
  if (decomposes && reduce >= 0)
    step(k, "i%d = sch.decompose_reduction(\"%s\", %s)", k->names++, fact->name,
         t.parts[reduce][0]);
  return moved;
}

/// A producer that is not inlined, computed where its reader, which has its loops by now, needs it.
static void sketch_producer(Sketch *k, const BlockFact *fact, const BlockFact *reader) {
  int name, at = (int)choose(k, LOOPS_MAX);
  int count = take_loops(k, reader->name, &name);
  if (!count) return;
  if (!step(k, "sch.compute_at(\"%s\", L%d[%d])", fact->name, name, at % count)) return;
  int id = k->names++;
  if (step(k, "P%d = sch.get_loops(\"%s\")", id, fact->name)) step(k, "sch.vectorize(P%d[-1])", id);
}

static void sketch(Sketch *k) {
  BlockFacts facts = {0};
  const RlxTirStmt *loops[LOOPS_MAX];
  find_blocks(rlx_schedule_function(k->schedule, 0)->body, loops, 0, k, &facts);
  bool *gone = rlx_mem_zeroed(facts.count + 1, sizeof *gone);
  bool *waits = rlx_mem_zeroed(facts.count + 1, sizeof *waits);
  for (uint32_t i = 0; i < facts.count; i++) {
    if (facts.at[i].is_reduction || i + 1 >= facts.count) continue;
    uint32_t how = choose(k, 4);
    if (how > 1) gone[i] = step(k, "sch.compute_inline(\"%s\")", facts.at[i].name);
    waits[i] = !gone[i] && how > 0;
  }
  for (uint32_t i = 0; i < facts.count; i++) {
    if (gone[i] || waits[i]) continue;
    bool has_epilogue = i + 1 < facts.count && !facts.at[i + 1].is_reduction && !gone[i + 1];
    if (facts.at[i].is_reduction) {
      if (sketch_reduction(k, &facts.at[i], has_epilogue ? facts.at[i + 1].name : NULL) &&
          has_epilogue)
        gone[i + 1] = true;
    } else
      sketch_elementwise(k, &facts.at[i]);
  }
  for (uint32_t i = facts.count; i-- > 0;)
    if (waits[i]) sketch_producer(k, &facts.at[i], &facts.at[i + 1]);
  free(waits);
  free(gone);
  rlx_vec_free(&facts);
}

// ---- candidates

static double worst(const Search *s) { return s->count ? s->best[s->count - 1].us : 0; }

static void keep(Search *s, Candidate *c) {
  int at = s->count < POPULATION ? s->count++ : POPULATION - 1;
  if (at == POPULATION - 1 && s->best[at].us > 0) {
    if (worst(s) <= c->us) {
      rlx_buf_free(&c->trace);
      return;
    }
    rlx_buf_free(&s->best[at].trace);
  }
  for (; at > 0 && s->best[at - 1].us > c->us; at--) s->best[at] = s->best[at - 1];
  s->best[at] = *c;
}

/// Measures the scheduled PrimFunc; false: it is dropped.
static bool measure(Search *s, const RlxBuf *scheduled, double *out_us) {
  RlxBuf script = {0};
  rlx_buf_printf(&script, "from tvm.script import tirx as T\n\n\n%s", rlx_buf_text(scheduled));
  RlxMeasureOptions how = s->options->measure;
  double limit = s->now.start_us * 20e-6 + 10; // for all of its runs; a machine may be busy
  if (how.limit_seconds <= 0 || how.limit_seconds > limit) how.limit_seconds = limit;
  how.least_seconds = 0.02;
  RlxMeasured m;
  bool ok = rlx_measure(rlx_buf_text(&script), s->name, &how, &m);
  ok = ok && rlx_measured_agree(&s->truth, &m, NULL);
  *out_us = m.us;
  rlx_measured_free(&m);
  rlx_buf_free(&script);
  return ok;
}

static void try_genes(Search *s, const uint32_t *genes) {
  Candidate c = {0};
  RlxBuf scheduled = {0};
  memcpy(c.genes, genes, sizeof c.genes);
  RlxStore *store = rlx_analyzer_store(s->analyzer);
  Sketch k = {.store = store,
              .schedule = rlx_schedule_new(store),
              .genes = genes,
              .threads = s->options->measure.threads};
  rlx_schedule_add(k.schedule, rlx_file_primfunc(s->file, s->def, NULL), 0);
  sketch(&k);
  rlx_primfunc_print(store, rlx_schedule_function(k.schedule, 0), RLX_DIALECT_025, 0, &scheduled);
  rlx_trace_print(k.schedule, &c.trace);
  rlx_schedule_free(k.schedule);
  uint64_t hash = rlx_hash_bytes(rlx_buf_text(&scheduled), scheduled.size, 1);
  bool is_new = !rlx_map_get(&s->seen, hash, NULL);
  if (is_new) {
    rlx_map_put(&s->seen, hash, 1);
    s->now.tried++;
    if (measure(s, &scheduled, &c.us)) {
      if (c.us < s->now.best_us) s->now.best_us = c.us;
      keep(s, &c);
    } else {
      is_new = false;
      s->now.dropped += !(s->options->measure.cancel && *s->options->measure.cancel);
    }
  }
  if (!is_new) rlx_buf_free(&c.trace);
  rlx_buf_free(&scheduled);
}

static void vary(Search *s, uint32_t *genes) {
  int pick = (int)(draw(s) % (uint32_t)s->count), other = (int)(draw(s) % (uint32_t)s->count);
  if (draw(s) % 2) pick = 0; // the best one, as often as not
  memcpy(genes, s->best[pick].genes, GENES * sizeof *genes);
  if (draw(s) % 3 == 0) {
    int cut = (int)(draw(s) % GENES);
    for (int i = cut; i < GENES; i++) genes[i] = s->best[other].genes[i];
  }
  for (uint32_t n = 1 + draw(s) % 3; n > 0; n--) genes[draw(s) % (GENES / 2)] = draw(s);
}

static void search(Search *s) {
  uint32_t genes[GENES];
  for (int round = 0, idle = 0; !is_over(s) && idle < 200; round++) {
    int tried = s->now.tried;
    bool is_random = round < FIRST_RANDOM || !s->count || draw(s) % 5 == 0;
    if (is_random)
      for (int i = 0; i < GENES; i++) genes[i] = draw(s);
    else
      vary(s, genes);
    try_genes(s, genes);
    idle = s->now.tried == tried ? idle + 1 : 0; // nothing new comes up any more
    s->now.seconds = now_seconds() - s->started;
    if (s->options->progress) s->options->progress(s->options->data, &s->now);
  }
}

static const RlxStmt *find_def(Search *s) {
  RlxFunctionViews views = {0};
  const RlxStmt *found = NULL;
  rlx_file_functions(s->file, &views);
  for (uint32_t i = 0; i < views.count; i++)
    if (views.at[i].kind == RLX_ISLAND_PRIM_FUNC &&
        strcmp(rlx_store_text(rlx_analyzer_store(s->analyzer), views.at[i].name), s->name) == 0)
      found = views.at[i].stmt;
  rlx_vec_free(&views);
  return found;
}

bool rlx_tune(const char *text, const char *name, const RlxTuneOptions *options, RlxTuned *out) {
  *out = (RlxTuned){0};
  Search s = {.options = options, .text = text, .name = name, .state = options->seed};
  s.started = now_seconds();
  s.analyzer = rlx_analyzer_new(NULL);
  s.file = rlx_file_open(s.analyzer, text, (uint32_t)strlen(text));
  s.def = find_def(&s);
  bool ok = s.def != NULL;
  if (!ok)
    rlx_error_set(&out->error, "there is no PrimFunc `%s`", name);
  else if (!rlx_measure(text, name, &options->measure, &s.truth)) {
    out->error = s.truth.error;
    ok = false;
  } else {
    s.now.start_us = s.now.best_us = s.truth.us;
    search(&s);
  }
  s.now.seconds = now_seconds() - s.started;
  out->end = s.now;
  if (s.count && s.best[0].us < s.now.start_us) {
    out->trace = s.best[0].trace;
    s.best[0].trace = (RlxBuf){0};
  }
  for (int i = 0; i < s.count; i++) rlx_buf_free(&s.best[i].trace);
  rlx_measured_free(&s.truth);
  rlx_map_free(&s.seen);
  rlx_file_close(s.file);
  rlx_analyzer_free(s.analyzer);
  return ok;
}

void rlx_tuned_free(RlxTuned *t) { rlx_buf_free(&t->trace); }
