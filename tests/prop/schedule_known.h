// What a schedule knows of a PrimFunc after a step, taken over from before where nothing changed, is what an analysis
// from scratch says.
#ifndef RLX_TESTS_PROP_SCHEDULE_KNOWN_H
#define RLX_TESTS_PROP_SCHEDULE_KNOWN_H

#include "analyzer/schedule/schedule_impl.h"

static void print_boxes(const RlxTirAnalysis *a, const char *what, const RlxTirBoxes *boxes,
                        RlxBuf *out) {
  rlx_buf_printf(out, " %s", what);
  for (int i = 0; i < boxes->count; i++) {
    rlx_buf_putc(out, ' ');
    rlx_tir_box_print(a, &boxes->at[i], out);
    rlx_buf_printf(out, "%d%d", boxes->at[i].is_exact, boxes->at[i].touches_ends);
  }
}

static void print_analysis(const RlxTirAnalysis *a, RlxBuf *out) {
  for (int i = 0; i < a->block_count; i++) {
    const RlxTirBlockInfo *b = &a->blocks[i];
    const RlxTirVerdict *verdicts[] = {&b->affine_binding, &b->region_cover, &b->stage_pipeline,
                                       &b->dominant,       &b->output_block, &b->trivial_binding,
                                       &b->complete,       &b->reduction,    &b->incremental};
    rlx_buf_printf(out, "%s in %d, reducer %d, opaque %d", rlx_tir_block_name(a, i), b->scope,
                   b->reducer, b->has_opaque);
    for (size_t v = 0; v < sizeof verdicts / sizeof *verdicts; v++)
      rlx_buf_printf(out, " %d %s", verdicts[v]->is, verdicts[v]->reason);
    for (int k = 0; k < b->iter_count; k++)
      rlx_buf_printf(out, " %d%d", b->iters[k].inferred, b->iters[k].is_inferred);
    print_boxes(a, "reads", &b->reads, out);
    print_boxes(a, "writes", &b->writes, out);
    print_boxes(a, "body reads", &b->deduced_reads, out);
    print_boxes(a, "body writes", &b->deduced_writes, out);
    rlx_buf_putc(out, '\n');
  }
}

static bool is_known_as_from_scratch(RlxSchedule *s) {
  RlxScheduleCall c = {.s = s, .function = 0};
  RlxArena *arena = rlx_arena_new();
  RlxBuf known = {0}, wanted = {0};
  print_analysis(rlx_schedule_analysis(&c), &known);
  const RlxTirText text = rlx_schedule_script(&c);
  print_analysis(rlx_tir_analyze(s->store, rlx_schedule_function(s, 0), arena, &text), &wanted);
  bool is_same = strcmp(rlx_buf_text(&known), rlx_buf_text(&wanted)) == 0;
  if (!is_same) printf("known:\n%swanted:\n%s", rlx_buf_text(&known), rlx_buf_text(&wanted));
  rlx_buf_free(&known);
  rlx_buf_free(&wanted);
  rlx_arena_free(arena);
  return is_same;
}

#endif
