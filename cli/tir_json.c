/// The JSON of `rlx tir`: names and values as in TVM's analysis, reasons beside them.
#include <string.h>

#include "analyzer/tir/facts.h"
#include "analyzer/tir/loops.h"
#include "cli/tir.h"
#include "server/session/script_json.h"

typedef struct Writer {
  RlxTirAccesses accesses;
  RlxJson *json;
  const RlxTirAnalysis *a;
  const RlxDocument *document;
  uint32_t start;
  RlxBuf text;
} Writer;

static void key_text(Writer *w, const char *key, const char *text) {
  rlx_json_key_text(w->json, key, text);
}

static void key_bool(Writer *w, const char *key, bool value) {
  rlx_json_key_bool(w->json, key, value);
}

static void key_int(Writer *w, const char *key, int64_t value) {
  rlx_json_key_int(w->json, key, value);
}

static void key_expr(Writer *w, const char *key, const RlxTirExpr *e, const char *otherwise) {
  rlx_buf_clear(&w->text);
  if (e) rlx_tir_expr_print(w->a->store, e, &w->text);
  key_text(w, key, e ? rlx_buf_text(&w->text) : otherwise);
}

static void key_range(Writer *w, RlxSpan span) {
  if (!span.end) return;
  rlx_json_key(w->json, "range");
  rlx_json_range(w->json, w->document, rlx_span(w->start + span.start, w->start + span.end));
}

static void key_boxes(Writer *w, const char *key, const RlxTirBoxes *boxes) {
  rlx_json_key(w->json, key);
  rlx_json_begin(w->json, '[');
  for (int i = 0; i < boxes->count; i++) {
    rlx_buf_clear(&w->text);
    rlx_tir_box_print(w->a, &boxes->at[i], &w->text);
    rlx_json_text(w->json, rlx_buf_text(&w->text));
  }
  rlx_json_end(w->json, ']');
}

static void key_ints(Writer *w, const char *key, const int *list, int count) {
  rlx_json_key(w->json, key);
  rlx_json_begin(w->json, '[');
  for (int i = 0; i < count; i++) rlx_json_int(w->json, list[i]);
  rlx_json_end(w->json, ']');
}

static void key_buffers(Writer *w, const char *key, RlxTirBuffer *const *buffers, int count) {
  rlx_json_key(w->json, key);
  rlx_json_begin(w->json, '[');
  for (int i = 0; i < count; i++)
    rlx_json_text(w->json, rlx_store_text(w->a->store, buffers[i]->name));
  rlx_json_end(w->json, ']');
}

static void iter_vars(Writer *w, const RlxTirBlockInfo *block) {
  rlx_json_key(w->json, "iter_vars");
  rlx_json_begin(w->json, '[');
  for (int i = 0; i < block->iter_count; i++) {
    const RlxTirIterInfo *info = &block->iters[i];
    char dtype[RLX_DTYPE_TEXT_MAX];
    rlx_json_begin(w->json, '{');
    key_text(w, "name", rlx_store_text(w->a->store, info->iter->var->name));
    key_text(w, "dtype", rlx_dtype_text(info->iter->var->dtype, dtype));
    key_text(w, "type", rlx_tir_iter_type_name((RlxTirIterType)info->iter->type));
    if (info->is_inferred)
      key_text(w, "inferred", rlx_tir_iter_type_name((RlxTirIterType)info->inferred));
    key_expr(w, "min", info->iter->min, "0");
    key_expr(w, "extent", info->iter->extent, NULL);
    key_expr(w, "binding", info->iter->binding, NULL);
    rlx_json_end(w->json, '}');
  }
  rlx_json_end(w->json, ']');
}

/// Whether every instance runs once, and where not.
static void binding(Writer *w, const RlxTirBlockInfo *b) {
  static const char *const words[] = {"unknown", "yes", "no"};
  RlxBindingVerdict v = rlx_tir_binding(w->a, b);
  rlx_json_key(w->json, "bijective");
  rlx_json_begin(w->json, '{');
  key_text(w, "is", words[v.proof]);
  key_bool(w, "by_rule", v.by_rule);
  if (v.proof != RLX_YES) key_text(w, "reason", v.reason);
  if (v.witness) key_text(w, "witness", v.witness);
  rlx_json_end(w->json, '}');
}

/// Whether conditions that are numbered hold (complete, a reduction, a move): with the number of
/// the condition that does not hold.
static void kind(Writer *w, const char *name, const RlxTirVerdict *v) {
  rlx_json_key(w->json, name);
  rlx_json_begin(w->json, '{');
  key_bool(w, "is", v->is);
  key_int(w, "violates", v->violates);
  if (!v->is) key_text(w, "reason", v->reason);
  rlx_json_end(w->json, '}');
}

/// Facts by name: true, false, or null for one that is not known; the reasons of a loop or a block
/// stand in an object behind them.
static void fact_values(Writer *w, const RlxTirFact *const *facts, const RlxTirVerdict *answers,
                        int count) {
  for (int i = 0; i < count; i++) {
    rlx_json_key(w->json, facts[i]->id);
    if (answers[i].is_unknown)
      rlx_json_null(w->json);
    else
      rlx_json_bool(w->json, answers[i].is);
  }
}

static void fact_reasons(Writer *w, const RlxTirFact *const *facts, const RlxTirVerdict *answers,
                         int count) {
  rlx_json_key(w->json, "reasons");
  rlx_json_begin(w->json, '{');
  for (int i = 0; i < count; i++)
    if (!answers[i].is) key_text(w, facts[i]->id, answers[i].reason);
  rlx_json_end(w->json, '}');
}

static void block_facts(Writer *w, const RlxTirBlockInfo *b) {
  RlxTirFacts all = rlx_tir_block_facts();
  const RlxTirFact *facts[RLX_TIR_FACTS_MAX];
  RlxTirVerdict answers[RLX_TIR_FACTS_MAX];
  int count = 0;
  for (int i = 0; i < all.count; i++) {
    if (b->scope < 0 && all.at[i].of == RLX_TIR_OF_INNER) continue;
    facts[count] = &all.at[i];
    answers[count++] = all.at[i].ask(w->a, &w->accesses, b->index);
  }
  fact_values(w, facts, answers, count);
  if (b->scope >= 0) { // the root has no scope to be judged in
    kind(w, "complete", &b->complete);
    kind(w, "reduction", &b->reduction);
  }
  fact_reasons(w, facts, answers, count);
}

static void one_block(Writer *w, const RlxTirBlockInfo *b) {
  rlx_json_begin(w->json, '{');
  key_text(w, "name", rlx_tir_block_name(w->a, b->index));
  key_int(w, "block_index", b->index);
  if (b->stmt) key_range(w, b->stmt->span);
  iter_vars(w, b);
  key_expr(w, "predicate", b->block ? b->block->predicate : NULL, "T.bool(True)");
  key_boxes(w, "reads", &b->reads);
  key_boxes(w, "writes", &b->writes);
  key_boxes(w, "deduced_reads", &b->deduced_reads);
  key_boxes(w, "deduced_writes", &b->deduced_writes);
  key_buffers(w, "alloc_buffers", b->allocs, b->alloc_count);
  key_buffers(w, "match_buffers", b->block ? b->block->matches : NULL,
              b->block ? b->block->match_count : 0);
  key_bool(w, "has_init", b->has_init);
  key_bool(w, "has_opaque", b->has_opaque);
  key_text(w, "reducer", b->reducer ? rlx_tir_reducer_name((RlxTirReducer)b->reducer) : NULL);
  key_ints(w, "loops", b->loops, b->loop_count);
  rlx_json_key(w->json, "scope");
  if (b->scope < 0)
    rlx_json_null(w->json);
  else
    rlx_json_int(w->json, b->scope);
  key_bool(w, "incremental", b->incremental.is);
  if (b->scope >= 0) binding(w, b);
  block_facts(w, b);
  rlx_json_end(w->json, '}');
}

static void loop_facts(Writer *w, const RlxTirLoopInfo *l) {
  RlxTirFacts all = rlx_tir_loop_facts();
  const RlxTirFact *facts[RLX_TIR_FACTS_MAX];
  RlxTirVerdict answers[RLX_TIR_FACTS_MAX];
  int count = 0;
  for (int i = 0; i < all.count; i++) {
    facts[count] = &all.at[i];
    answers[count++] = all.at[i].ask(w->a, &w->accesses, l->index);
  }
  fact_values(w, facts, answers, count);
  fact_reasons(w, facts, answers, count);
}

static void one_loop(Writer *w, const RlxTirLoopInfo *l) {
  static const char *const types[] = {"S", "R", "O"};
  char dtype[RLX_DTYPE_TEXT_MAX];
  rlx_json_begin(w->json, '{');
  key_int(w, "loop_index", l->index);
  key_text(w, "var", rlx_store_text(w->a->store, l->stmt->var->name));
  key_text(w, "dtype", rlx_dtype_text(l->stmt->var->dtype, dtype));
  key_expr(w, "min", l->stmt->min, "0");
  key_expr(w, "extent", l->stmt->extent, NULL);
  key_text(w, "kind", rlx_tir_for_kind_name((RlxTirForKind)l->stmt->for_kind));
  if (l->stmt->name) key_text(w, "thread", rlx_store_text(w->a->store, l->stmt->name));
  key_int(w, "depth", l->depth);
  key_int(w, "scope", l->scope);
  key_text(w, "iter_type", l->block_count && !l->is_in_init ? types[l->type] : NULL);
  key_ints(w, "blocks", l->blocks, l->block_count);
  loop_facts(w, l);
  key_range(w, l->stmt->span);
  rlx_json_end(w->json, '}');
}

static void one_dependency(Writer *w, const RlxTirDependency *d) {
  rlx_json_begin(w->json, '{');
  key_int(w, "scope", d->scope);
  key_int(w, "src", d->src);
  key_int(w, "dst", d->dst);
  key_text(w, "src_name", rlx_tir_block_name(w->a, d->src));
  key_text(w, "dst_name", rlx_tir_block_name(w->a, d->dst));
  key_text(w, "kind", rlx_tir_dependency_name((RlxTirDependencyKind)d->kind));
  key_text(w, "buffer", rlx_store_text(w->a->store, d->buffer->name));
  rlx_json_end(w->json, '}');
}

static void moves(Writer *w) {
  RlxTirMoves all = rlx_tir_moves(w->a, &w->accesses);
  rlx_json_key(w->json, "moves");
  rlx_json_begin(w->json, '[');
  for (int i = 0; i < all.count; i++) {
    const RlxTirMove *m = &all.at[i];
    rlx_json_begin(w->json, '{');
    key_text(w, "primitive", m->is_reverse ? "reverse_compute_at" : "compute_at");
    key_int(w, "block_index", m->block);
    key_int(w, "loop_index", m->loop);
    key_bool(w, "is", m->verdict.verdict.is);
    kind(w, "first", &m->verdict.first);
    kind(w, "second", &m->verdict.second);
    rlx_json_end(w->json, '}');
  }
  rlx_json_end(w->json, ']');
}

static void memory(Writer *w) {
  RlxTirFacts facts = rlx_tir_access_facts();
  rlx_json_key(w->json, "memory");
  rlx_json_begin(w->json, '[');
  for (int i = 0; i < w->accesses.count; i++) {
    const RlxTirAccess *x = &w->accesses.at[i];
    for (int k = 0; k < facts.count; k++) {
      RlxTirVerdict v = facts.at[k].ask(w->a, &w->accesses, i);
      if (v.is) continue;
      rlx_json_begin(w->json, '{');
      key_text(w, "kind", facts.at[k].id);
      key_text(w, "buffer", rlx_store_text(w->a->store, x->buffer->name));
      key_bool(w, "is_unknown", v.is_unknown);
      key_text(w, "reason", v.reason);
      key_range(w, x->span);
      rlx_json_end(w->json, '}');
    }
  }
  rlx_json_end(w->json, ']');
}

static void steps(Writer *w, const RlxTirSteps *all) {
  rlx_json_key(w->json, "steps");
  rlx_json_begin(w->json, '[');
  for (int i = 0; i < all->count; i++) {
    rlx_json_begin(w->json, '{');
    key_text(w, "step", all->at[i].text);
    key_bool(w, "is_legal", all->at[i].is_legal);
    if (!all->at[i].is_legal) key_text(w, "code", all->at[i].code);
    if (!all->at[i].is_legal) key_text(w, "reason", all->at[i].reason);
    rlx_json_end(w->json, '}');
  }
  rlx_json_end(w->json, ']');
}

/// What `rlx check` says of the function, too; here without its bounds on effort.
static void findings(Writer *w, const RlxSink *sink) {
  rlx_json_key(w->json, "findings");
  rlx_json_begin(w->json, '[');
  for (uint32_t i = 0; i < sink->diags.count; i++) {
    const RlxDiag *d = sink->diags.at[i];
    const RlxDiagRow *row = rlx_diag_row(d->id);
    rlx_json_begin(w->json, '{');
    key_text(w, "code", row->code);
    key_text(w, "name", row->name);
    key_text(w, "message", d->message);
    key_range(w, d->span);
    rlx_json_end(w->json, '}');
  }
  rlx_json_end(w->json, ']');
}

static void params(Writer *w) {
  const RlxPrimFunc *f = w->a->f;
  rlx_json_key(w->json, "params");
  rlx_json_begin(w->json, '[');
  for (int i = 0; i < f->param_count; i++) {
    const RlxTirParam *param = &f->params[i];
    char dtype[RLX_DTYPE_TEXT_MAX];
    rlx_json_begin(w->json, '{');
    RlxName name = param->buffer ? param->buffer->name : param->var->name;
    key_text(w, param->buffer ? "buffer" : "scalar", rlx_store_text(w->a->store, name));
    if (param->buffer) {
      rlx_json_key(w->json, "shape");
      rlx_json_begin(w->json, '[');
      for (int d = 0; d < param->buffer->ndim; d++) {
        rlx_buf_clear(&w->text);
        rlx_tir_expr_print(w->a->store, param->buffer->shape[d], &w->text);
        rlx_json_text(w->json, rlx_buf_text(&w->text));
      }
      rlx_json_end(w->json, ']');
    }
    key_text(w, "dtype",
             rlx_dtype_text(param->buffer ? param->buffer->dtype : param->var->dtype, dtype));
    rlx_json_end(w->json, '}');
  }
  rlx_json_end(w->json, ']');
}

void rlx_tir_json(RlxJson *json, const RlxTirAnalysis *a, const RlxTirScript *script,
                  RlxTirTextStyle style) {
  Writer w = {.accesses = *script->accesses,
              .json = json,
              .a = a,
              .document = script->document,
              .start = script->start};
  rlx_json_begin(json, '{');
  key_text(&w, "name", rlx_store_text(a->store, a->f->name));
  key_bool(&w, "has_holes", a->f->has_holes);
  params(&w);
  for (int side = 0; side < 2; side++) { // those of an init run as part of their scope
    rlx_json_key(json, side ? "init_blocks" : "blocks");
    rlx_json_begin(json, '[');
    for (int i = 0; i < a->block_count; i++)
      if (a->blocks[i].is_in_init == (side == 1)) one_block(&w, &a->blocks[i]);
    rlx_json_end(json, ']');
  }
  rlx_json_key(json, "loops");
  rlx_json_begin(json, '[');
  for (int i = 0; i < a->loop_count; i++) one_loop(&w, &a->loops[i]);
  rlx_json_end(json, ']');
  rlx_json_key(json, "dependencies");
  rlx_json_begin(json, '[');
  RlxTirDependencyWalk walk = rlx_tir_dependencies(-1);
  bool is_cut = false;
  for (RlxTirDependency d; rlx_tir_next_listed(a, &walk, style, &d, &is_cut);) {
    one_dependency(&w, &d);
    rlx_tir_stream(json->out, style);
  }
  rlx_json_end(json, ']');
  if (is_cut) key_bool(&w, "more_dependencies", true);
  memory(&w);
  findings(&w, script->findings);
  if (style.has_moves) moves(&w);
  if (style.has_moves) steps(&w, &script->steps);
  rlx_json_end(json, '}');
  rlx_buf_free(&w.text);
}
