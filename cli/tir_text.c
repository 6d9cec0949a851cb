/// The tree of loops and blocks for people, and the dependency graph.
#include <stdlib.h>
#include <string.h>

#include "analyzer/tir/facts.h"
#include "analyzer/tir/loops.h"
#include "base/text.h"
#include "cli/tir.h"

typedef struct Writer {
  RlxTirAccesses accesses;
  RlxBuf *out;
  const RlxTirAnalysis *a;
  RlxTirTextStyle style;
  int loop, block; ///< next to be written, in pre-order
} Writer;

static const char *bold(const Writer *w) { return w->style.color ? "\033[1m" : ""; }
static const char *dim(const Writer *w) { return w->style.color ? "\033[2m" : ""; }
static const char *good(const Writer *w) { return w->style.color ? "\033[32m" : ""; }
static const char *bad(const Writer *w) { return w->style.color ? "\033[33m" : ""; }
static const char *plain(const Writer *w) { return w->style.color ? "\033[0m" : ""; }

/// What others wrote, as it may stand in a line.
static const char *shown(const Writer *w, const char *text) {
  return rlx_text_shown(w->a->arena, text);
}

static const char *text_of(const Writer *w, RlxName name) {
  return shown(w, rlx_store_text(w->a->store, name));
}

static const char *block_name(const Writer *w, int block) {
  return shown(w, rlx_tir_block_name(w->a, block));
}

static void expr(Writer *w, const RlxTirExpr *e) {
  if (e)
    rlx_tir_expr_print(w->a->store, e, w->out);
  else
    rlx_buf_puts(w->out, "?");
}

static void boxes(Writer *w, int indent, const char *word, const RlxTirBoxes *list) {
  rlx_buf_printf(w->out, "%*s%s%s%s", indent, "", dim(w), word, plain(w));
  for (int i = 0; i < list->count; i++) {
    rlx_buf_puts(w->out, i ? ", " : " ");
    rlx_tir_box_print(w->a, &list->at[i], w->out);
  }
  rlx_buf_puts(w->out, list->count ? "\n" : " nothing\n");
}

/// A verdict that does not hold, or when all are asked for. `no`: what stands before `word` when it
/// does not hold.
static void verdict(Writer *w, int indent, const char *no, const char *word,
                    const RlxTirVerdict *v) {
  if (v->is && !w->style.is_verbose) return;
  rlx_buf_printf(w->out, "%*s%s%s%s%s", indent, "", v->is ? good(w) : bad(w), v->is ? "" : no, word,
                 plain(w));
  if (!v->is) rlx_buf_printf(w->out, ": %s", shown(w, v->reason));
  rlx_buf_putc(w->out, '\n');
}

static void iters(Writer *w, int indent, const RlxTirBlockInfo *b) {
  for (int i = 0; i < b->iter_count; i++) {
    const RlxTirIterInfo *v = &b->iters[i];
    const char *type = rlx_tir_iter_type_name((RlxTirIterType)v->iter->type);
    rlx_buf_printf(w->out, "%*s%s", indent, "", text_of(w, v->iter->var->name));
    if (v->iter->binding) {
      rlx_buf_puts(w->out, " = ");
      expr(w, v->iter->binding);
    }
    rlx_buf_puts(w->out, " in ");
    if (v->iter->min) {
      expr(w, v->iter->min);
      rlx_buf_puts(w->out, " + ");
    }
    expr(w, v->iter->extent);
    rlx_buf_printf(w->out, ", %s", type);
    if (v->is_inferred && v->inferred != v->iter->type)
      rlx_buf_printf(w->out, " (%sthe body makes it %s%s)", dim(w),
                     rlx_tir_iter_type_name((RlxTirIterType)v->inferred), plain(w));
    rlx_buf_putc(w->out, '\n');
  }
}

/// What a binding that is no affine map, or not one to one, does to instances.
static void binding(Writer *w, int indent, const RlxTirBlockInfo *b) {
  RlxBindingVerdict v = rlx_tir_binding(w->a, b);
  if (v.proof == RLX_YES && !b->affine_binding.is)
    rlx_buf_printf(w->out, "%*severy instance runs once\n", indent, "");
  else if (v.witness)
    rlx_buf_printf(w->out, "%*s%s%s%s\n", indent, "", bad(w), shown(w, v.witness), plain(w));
}

/// What the block is to schedules: complete, a reduction, or why neither.
static void kind(Writer *w, int indent, const RlxTirBlockInfo *b) {
  if (b->complete.is || b->reduction.is) return;
  rlx_buf_printf(w->out, "%*s%snot complete%s: %s\n", indent, "", bad(w), plain(w),
                 shown(w, b->complete.reason));
  rlx_buf_printf(w->out, "%*s%sno reduction%s: %s\n", indent, "", bad(w), plain(w),
                 shown(w, b->reduction.reason));
}

/// The facts of the table: those about the block in its scope, or those about the scope that it is.
static void block_facts(Writer *w, int indent, const RlxTirBlockInfo *b, bool is_scope) {
  RlxTirFacts facts = rlx_tir_block_facts();
  for (int i = 0; i < facts.count; i++) {
    const RlxTirFact *fact = &facts.at[i];
    if ((fact->of == RLX_TIR_OF_SCOPE) != is_scope || !rlx_tir_fact_is_of_block(fact, b)) continue;
    if (fact->said < (w->style.is_verbose ? RLX_TIR_SAID_VERBOSE : RLX_TIR_SAID_FAILS)) continue;
    RlxTirVerdict v = fact->ask(w->a, &w->accesses, b->index);
    verdict(w, indent, fact->no, fact->words, &v);
    if (fact->ask == rlx_tir_has_affine_binding) binding(w, indent, b);
  }
}

static void block_text(Writer *w, int indent, const RlxTirBlockInfo *b) {
  const char *word = b->scope < 0      ? ""
                     : b->complete.is  ? ", complete"
                     : b->reduction.is ? ", reduction"
                                       : "";
  rlx_buf_printf(w->out, "%*sblock %s%s%s%s", indent, "", bold(w), block_name(w, b->index),
                 plain(w), word);
  if (b->reducer) rlx_buf_printf(w->out, " (%s)", rlx_tir_reducer_name((RlxTirReducer)b->reducer));
  rlx_buf_putc(w->out, '\n');
  indent += 4;
  iters(w, indent, b);
  if (b->block && b->block->predicate) {
    rlx_buf_printf(w->out, "%*s%swhere%s ", indent, "", dim(w), plain(w));
    expr(w, b->block->predicate);
    rlx_buf_putc(w->out, '\n');
  }
  if (w->style.is_verbose && b->scope >= 0) {
    boxes(w, indent, "reads", &b->reads);
    boxes(w, indent, "writes", &b->writes);
  }
  if (b->is_in_init) return;
  if (b->scope >= 0) kind(w, indent, b);
  block_facts(w, indent, b, false);
  block_facts(w, indent, b, true);
}

/// A question about a loop: said when it is refuted and somebody may count on it, else when all is
/// asked for.
static void loop_verdict(Writer *w, int indent, const char *word, const RlxTirVerdict *v,
                         bool is_expected) {
  if (v->is_unknown && !v->reason) return;
  if (!w->style.is_verbose && (v->is || v->is_unknown || !is_expected)) return;
  const char *before = v->is ? "" : v->is_unknown ? "perhaps not " : "not ";
  rlx_buf_printf(w->out, "%*s%s%s%s%s: %s\n", indent, "", v->is ? good(w) : bad(w), before, word,
                 plain(w), shown(w, v->reason));
}

static void loop_facts(Writer *w, int indent, const RlxTirLoopInfo *l) {
  RlxTirFacts facts = rlx_tir_loop_facts();
  for (int i = 0; i < facts.count; i++) {
    const RlxTirFact *fact = &facts.at[i];
    if (!rlx_tir_fact_is_of_loop(fact, l)) continue;
    RlxTirVerdict v = fact->ask(w->a, &w->accesses, l->index);
    loop_verdict(w, indent, fact->words, &v, fact->is_expected(l));
  }
}

static void loop_text(Writer *w, int indent, const RlxTirLoopInfo *l) {
  static const char *const types[] = {"spatial", "reduce", "mixed"};
  rlx_buf_printf(w->out, "%*s%sfor%s %s in ", indent, "", dim(w), plain(w), l->name);
  int64_t min = 1;
  if (!l->min || !rlx_prim_is_const(l->min, &min) || min) {
    expr(w, l->stmt->min);
    rlx_buf_puts(w->out, " + ");
  }
  expr(w, l->stmt->extent);
  if (l->stmt->for_kind != RLX_FOR_SERIAL)
    rlx_buf_printf(w->out, ", %s", rlx_tir_for_kind_name((RlxTirForKind)l->stmt->for_kind));
  if (l->stmt->name) rlx_buf_printf(w->out, " %s", text_of(w, l->stmt->name));
  if (l->block_count && !l->is_in_init) rlx_buf_printf(w->out, ", %s", types[l->type]);
  rlx_buf_putc(w->out, '\n');
}

static void tree(Writer *w, int indent, const RlxTirStmt *s) {
  if (!s) return;
  if (s->kind == RLX_TIR_BLOCK) {
    block_text(w, indent, &w->a->blocks[w->block++]);
    if (s->init) tree(w, indent + 2, s->init);
    for (uint32_t i = 0; i < s->count; i++) tree(w, indent + 2, s->body[i]);
    return;
  }
  if (s->kind == RLX_TIR_FOR) {
    const RlxTirLoopInfo *l = &w->a->loops[w->loop++];
    loop_text(w, indent, l);
    loop_facts(w, indent + 6, l);
    indent += 2;
  }
  for (uint32_t i = 0; i < s->count; i++) tree(w, indent, s->body[i]);
}

void rlx_tir_stream(RlxBuf *out, RlxTirTextStyle style) {
  if (!style.stream || out->size < 1 << 16) return;
  fwrite(out->at, 1, out->size, style.stream);
  rlx_buf_clear(out);
}

bool rlx_tir_next_listed(const RlxTirAnalysis *a, RlxTirDependencyWalk *walk, RlxTirTextStyle style,
                         RlxTirDependency *out, bool *is_cut) {
  if (!rlx_tir_next_dependency(a, walk, out)) return false;
  *is_cut = !*style.dependencies_left;
  if (!*is_cut) --*style.dependencies_left;
  return !*is_cut;
}

static void dependencies(Writer *w, int indent) {
  RlxTirDependencyWalk walk = rlx_tir_dependencies(-1);
  int src = -1, dst = -1;
  bool is_cut = false;
  for (RlxTirDependency next, *d = &next; rlx_tir_next_listed(w->a, &walk, w->style, d, &is_cut);) {
    if (d->src != src || d->dst != dst) {
      rlx_buf_printf(w->out, src < 0 ? "%*sdependencies\n" : "\n", indent, "");
      rlx_tir_stream(w->out, w->style);
      rlx_buf_printf(w->out, "%*s%s -> %s:", indent + 2, "", block_name(w, d->src),
                     block_name(w, d->dst));
    }
    src = d->src;
    dst = d->dst;
    rlx_buf_printf(w->out, " %s %s", rlx_tir_dependency_name((RlxTirDependencyKind)d->kind),
                   text_of(w, d->buffer->name));
  }
  if (src >= 0) rlx_buf_putc(w->out, '\n');
  if (is_cut)
    rlx_buf_printf(w->out, "%*s%s are left out; --all-dependencies lists them\n", indent + 2, "",
                   src < 0 ? "dependencies" : "more");
}

static int by_place(const void *x, const void *y) {
  const RlxDiag *const *a = x, *const *b = y;
  return (*a)->span.start<(*b)->span.start ? -1 : (*a)->span.start>(*b)->span.start;
}

/// What `rlx check` says, too, in the order of the lines.
static void findings(Writer *w, int indent, const RlxTirScript *script) {
  const RlxSink *sink = script->findings;
  if (!sink->diags.count) return;
  qsort(sink->diags.at, sink->diags.count, sizeof *sink->diags.at, by_place);
  rlx_buf_printf(w->out, "%*sfindings\n", indent, "");
  for (uint32_t i = 0; i < sink->diags.count; i++) {
    const RlxDiag *d = sink->diags.at[i];
    uint32_t line =
        rlx_lines_locate(rlx_document_lines(script->document), script->start + d->span.start).line;
    bool is_open = d->id == RLX_DIAG_ID(UNDECIDED);
    rlx_buf_printf(w->out, "%*s%sline %u:%s %s%s%s %s[%s]%s\n", indent + 2, "", dim(w), line + 1,
                   plain(w), is_open ? "" : bad(w), shown(w, d->message), plain(w), dim(w),
                   rlx_diag_row(d->id)->code, plain(w));
  }
}

static void steps(Writer *w, int indent, const RlxTirSteps *all) {
  for (int i = 0; i < all->count; i++) {
    const RlxTirStep *step = &all->at[i];
    rlx_buf_printf(w->out, "%*s%s: %s%s%s", indent + 2, "", shown(w, step->text),
                   step->is_legal ? good(w) : bad(w), step->is_legal ? "yes" : "no", plain(w));
    if (!step->is_legal)
      rlx_buf_printf(w->out, ", %s %s[%s]%s", shown(w, step->reason), dim(w), step->code, plain(w));
    rlx_buf_putc(w->out, '\n');
  }
}

static void moves(Writer *w, int indent, const RlxTirSteps *tried) {
  RlxTirMoves all = rlx_tir_moves(w->a, &w->accesses);
  if (!all.count && tried->count) rlx_buf_printf(w->out, "%*smoves\n", indent, "");
  for (int i = 0; i < all.count; i++) {
    const RlxTirMove *m = &all.at[i];
    const RlxTirVerdict *v = &m->verdict.verdict;
    if (!i) rlx_buf_printf(w->out, "%*smoves\n", indent, "");
    rlx_buf_printf(w->out, "%*s%s %s under %s: ", indent + 2, "",
                   m->is_reverse ? "reverse_compute_at" : "compute_at", block_name(w, m->block),
                   rlx_tir_loop_title(w->a, &w->a->loops[m->loop]));
    if (v->is)
      rlx_buf_printf(w->out, "%syes%s\n", good(w), plain(w));
    else
      rlx_buf_printf(w->out, "%sno%s, %s\n", bad(w), plain(w), shown(w, v->reason));
  }
  steps(w, indent, tried);
}

void rlx_tir_text(RlxBuf *out, const RlxTirAnalysis *a, const RlxTirScript *script,
                  RlxTirTextStyle style) {
  Writer w = {.accesses = *script->accesses, .out = out, .a = a, .style = style};
  rlx_buf_printf(out, "%s%s%s\n", bold(&w), text_of(&w, a->f->name), plain(&w));
  if (!a->blocks[0].stmt) {
    w.block = 1;
    if (a->block_count > 1) block_text(&w, 2, &a->blocks[0]);
  }
  tree(&w, w.block ? 4 : 2, a->f->body);
  dependencies(&w, 2);
  findings(&w, 2, script);
  if (style.has_moves) moves(&w, 2, &script->steps);
}

// ------------------------------------------------------------------ DOT

static void quoted(RlxBuf *out, const char *text) {
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') rlx_buf_putc(out, '\\');
    rlx_buf_putc(out, *text);
  }
}

static void node(Writer *w, const RlxTirBlockInfo *b) {
  static const char *const shapes[] = {"box", "box, style=rounded"};
  rlx_buf_printf(w->out, "    b%d [shape=%s, label=\"", b->index, shapes[b->complete.is]);
  quoted(w->out, block_name(w, b->index));
  const char *word = b->complete.is ? "complete" : b->reduction.is ? "reduction" : "";
  rlx_buf_printf(w->out, "%s%s\"];\n", *word ? "\\n" : "", word);
}

void rlx_tir_dot(RlxBuf *out, const RlxTirAnalysis *a, RlxTirTextStyle style) {
  Writer w = {.out = out, .a = a};
  rlx_buf_puts(out, "digraph \"");
  quoted(out, text_of(&w, a->f->name));
  rlx_buf_puts(out, "\" {\n  node [fontname=\"monospace\"];\n");
  for (int s = 0; s < a->block_count; s++) {
    const RlxTirBlockInfo *scope = &a->blocks[s];
    if (!scope->child_count) continue;
    rlx_buf_printf(out, "  subgraph cluster_%d {\n    label=\"", s);
    quoted(out, block_name(&w, s));
    rlx_buf_puts(out, "\";\n");
    for (int i = 0; i < scope->child_count; i++) node(&w, &a->blocks[scope->children[i]]);
    rlx_buf_puts(out, "  }\n");
  }
  RlxTirDependencyWalk walk = rlx_tir_dependencies(-1);
  bool is_cut = false;
  for (RlxTirDependency next, *d = &next; rlx_tir_next_listed(a, &walk, style, d, &is_cut);) {
    rlx_tir_stream(out, style);
    rlx_buf_printf(out, "  b%d -> b%d [label=\"%s ", d->src, d->dst,
                   rlx_tir_dependency_name((RlxTirDependencyKind)d->kind));
    quoted(out, text_of(&w, d->buffer->name));
    rlx_buf_puts(out, "\"];\n");
  }
  if (is_cut) rlx_buf_puts(out, "  // more are left out; --all-dependencies lists them\n");
  rlx_buf_puts(out, "}\n");
}
