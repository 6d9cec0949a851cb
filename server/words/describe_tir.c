/// What the block analysis says of a place in a PrimFunc: the block that its line opens, the loop
/// or block variable that a name is. The analysis is made for the question and dropped again.
#include "server/words/describe_tir.h"

#include "analyzer/script/script.h"
#include "analyzer/tir/facts.h"
#include "analyzer/tir/loops.h"

typedef struct Place {
  RlxStore *store;
  RlxArena *arena;
  const RlxStmt *def;
  RlxPrimFunc *f;
  const RlxTirAnalysis *a;
  RlxBuf *out;
} Place;

/// The PrimFunc around `offset`, analysed; false: there is none.
static bool place_open(Place *p, RlxAnalyzer *analyzer, RlxFile *file, uint32_t offset,
                       RlxBuf *out) {
  RlxFunctionViews views = {0};
  *p = (Place){.store = rlx_analyzer_store(analyzer), .out = out};
  rlx_file_functions(file, &views);
  for (uint32_t i = 0; i < views.count && !p->def; i++) {
    const RlxStmt *stmt = views.at[i].stmt;
    bool is_inside = stmt->start <= offset && offset < stmt->start + stmt->size;
    if (is_inside && views.at[i].kind == RLX_ISLAND_PRIM_FUNC) p->def = stmt;
  }
  rlx_vec_free(&views);
  if (!p->def) return false;
  p->arena = rlx_arena_new();
  p->f = rlx_file_primfunc(file, p->def, NULL);
  const RlxTirText text = {rlx_document_lines(rlx_file_document(file)), p->def->start, false};
  p->a = rlx_tir_analyze(p->store, p->f, p->arena, &text);
  return true;
}

static void place_close(Place *p) {
  rlx_primfunc_free(p->f);
  rlx_arena_free(p->arena);
}

// ------------------------------------------------------------------ blocks

static void code_boxes(const Place *p, const char *word, const RlxTirBoxes *boxes) {
  rlx_buf_printf(p->out, "\n- %s", word);
  for (int i = 0; i < boxes->count; i++) {
    rlx_buf_puts(p->out, i ? ", `" : " `");
    rlx_tir_box_print(p->a, &boxes->at[i], p->out);
    rlx_buf_putc(p->out, '`');
  }
  if (!boxes->count) rlx_buf_puts(p->out, " nothing");
}

static void iter_line(const Place *p, const RlxTirIterInfo *v) {
  rlx_buf_printf(p->out, "\n- `%s", rlx_store_text(p->store, v->iter->var->name));
  if (v->iter->binding) {
    rlx_buf_puts(p->out, " = ");
    rlx_tir_expr_print(p->store, v->iter->binding, p->out);
  }
  rlx_buf_puts(p->out, "` in `[");
  if (v->iter->min)
    rlx_tir_expr_print(p->store, v->iter->min, p->out);
  else
    rlx_buf_putc(p->out, '0');
  rlx_buf_puts(p->out, ", ");
  const RlxPrim *end = v->min && v->extent ? rlx_prim_add(p->store, v->min, v->extent) : NULL;
  if (end)
    rlx_prim_tell_among(p->store, rlx_prim_simplify(p->store, end), end->dtype, p->out);
  else
    rlx_buf_puts(p->out, "?");
  rlx_buf_printf(p->out, ")`, %s", rlx_tir_iter_type_name((RlxTirIterType)v->iter->type));
  if (v->is_inferred && v->inferred != v->iter->type)
    rlx_buf_printf(p->out, " (by its body: %s)",
                   rlx_tir_iter_type_name((RlxTirIterType)v->inferred));
}

static void unless(const Place *p, const char *word, const RlxTirVerdict *v) {
  if (!v->is) rlx_buf_printf(p->out, "\n- %s: %s", word, v->reason);
}

enum { RLX_DEPENDENCIES_SHOWN = 32 };

static void dependencies(const Place *p, const RlxTirBlockInfo *b) {
  RlxTirDependencyWalk walk = rlx_tir_dependencies(b->index);
  int count = 0;
  for (RlxTirDependency next, *d = &next; rlx_tir_next_dependency(p->a, &walk, d);) {
    if (++count > RLX_DEPENDENCIES_SHOWN) continue;
    bool is_dst = d->dst == b->index;
    rlx_buf_printf(p->out, "\n- %s block \"%s\": %s `%s`", is_dst ? "after" : "before",
                   rlx_tir_block_name(p->a, is_dst ? d->src : d->dst),
                   rlx_tir_dependency_name((RlxTirDependencyKind)d->kind),
                   rlx_store_text(p->store, d->buffer->name));
  }
  if (count > RLX_DEPENDENCIES_SHOWN)
    rlx_buf_printf(p->out, "\n- … and %d more", count - RLX_DEPENDENCIES_SHOWN);
}

/// What fails of the facts about the block in its scope, or about the scope that it is.
static void block_facts(const Place *p, const RlxTirBlockInfo *b, bool is_scope) {
  RlxTirFacts facts = rlx_tir_block_facts();
  RlxTirAccesses accesses = {0};
  for (int i = 0; i < facts.count; i++) {
    const RlxTirFact *fact = &facts.at[i];
    if (fact->said != RLX_TIR_SAID_FAILS || (fact->of == RLX_TIR_OF_SCOPE) != is_scope) continue;
    if (!rlx_tir_fact_is_of_block(fact, b)) continue;
    if (!accesses.at) accesses = rlx_tir_accesses(p->a);
    RlxTirVerdict v = fact->ask(p->a, &accesses, b->index);
    if (!v.is) rlx_buf_printf(p->out, "\n- %s%s: %s", fact->no, fact->words, v.reason);
    if (fact->ask != rlx_tir_has_affine_binding) continue;
    RlxBindingVerdict once = rlx_tir_binding(p->a, b);
    if (once.witness) rlx_buf_printf(p->out, "\n- %s", once.witness);
  }
}

static void describe_block(const Place *p, const RlxTirBlockInfo *b) {
  bool is_root = b->scope < 0;
  const char *word = is_root           ? ""
                     : b->complete.is  ? ", complete"
                     : b->reduction.is ? ", a reduction"
                     : b->is_in_init   ? ", part of an init"
                                       : ", neither complete nor a reduction";
  rlx_buf_printf(p->out, "Block \"%s\"%s", rlx_tir_block_name(p->a, b->index), word);
  if (b->reducer) rlx_buf_printf(p->out, " (%s)", rlx_tir_reducer_name((RlxTirReducer)b->reducer));
  rlx_buf_puts(p->out, "\n");
  for (int i = 0; i < b->iter_count; i++) iter_line(p, &b->iters[i]);
  if (!is_root) code_boxes(p, b->has_declared_reads ? "reads" : "reads (deduced)", &b->reads);
  if (!is_root) code_boxes(p, b->has_declared_writes ? "writes" : "writes (deduced)", &b->writes);
  if (!is_root && !b->is_in_init) {
    dependencies(p, b);
    if (!b->complete.is && !b->reduction.is) {
      unless(p, "not complete", &b->complete);
      unless(p, "no reduction", &b->reduction);
    }
  }
  block_facts(p, b, false);
  block_facts(p, b, true);
}

bool rlx_describe_block_at(RlxAnalyzer *analyzer, RlxFile *file, uint32_t offset, RlxBuf *out,
                           RlxSpan *span) {
  Place p;
  bool found = false;
  const RlxStmt *stmt = rlx_document_stmt_at(rlx_file_document(file), offset);
  if (!stmt || stmt->kind != RLX_STMT_WITH) return false; // what else is analysed for nothing
  if (!place_open(&p, analyzer, file, offset, out)) return false;
  for (int i = 0; i < p.a->block_count && !found; i++) {
    const RlxTirBlockInfo *b = &p.a->blocks[i];
    if (!b->stmt || !b->stmt->span.end) continue;
    *span = rlx_span(p.def->start + b->stmt->span.start, p.def->start + b->stmt->span.end);
    found = span->start <= offset && offset < span->end;
    if (!found) continue;
    if (out->size) rlx_buf_puts(out, "\n\n");
    describe_block(&p, b);
  }
  place_close(&p);
  return found;
}

// ------------------------------------------------------------------ loops and block variables

static void describe_loop(const Place *p, const RlxTirLoopInfo *l) {
  static const char *const types[] = {"spatial", "reduce",
                                      "mixed: it binds block variables of several types"};
  rlx_buf_printf(p->out, "\n\nLoop, %s", rlx_tir_for_kind_name((RlxTirForKind)l->stmt->for_kind));
  if (l->stmt->name) rlx_buf_printf(p->out, " %s", rlx_store_text(p->store, l->stmt->name));
  if (l->block_count && !l->is_in_init) rlx_buf_printf(p->out, ", %s", types[l->type]);
  for (int i = 0; i < l->block_count; i++)
    rlx_buf_printf(p->out, "%s\"%s\"",
                   i ? ", " : "\n- blocks below: ", rlx_tir_block_name(p->a, l->blocks[i]));
  RlxTirAccesses accesses = rlx_tir_accesses(p->a);
  RlxTirFacts facts = rlx_tir_loop_facts();
  for (int i = 0; i < facts.count; i++) {
    const RlxTirFact *fact = &facts.at[i];
    bool is_always = fact->said == RLX_TIR_SAID_ALWAYS;
    if (!rlx_tir_fact_is_of_loop(fact, l) || (!is_always && !fact->is_expected(l))) continue;
    RlxTirVerdict v = fact->ask(p->a, &accesses, l->index);
    if (!is_always && (v.is || v.is_unknown)) continue;
    const char *before = v.is ? "" : v.is_unknown ? "perhaps not " : "not ";
    rlx_buf_printf(p->out, "\n- %s%s%s%s", before, fact->words, v.reason && *v.reason ? ": " : "",
                   v.reason ? v.reason : "");
  }
}

/// The block variable `name` of the block whose suite holds `stmt`.
static bool describe_iter(const Place *p, const RlxStmt *stmt, RlxName name) {
  const RlxStmt *with = stmt->block ? stmt->block->parent : NULL;
  if (!with) return false;
  for (int i = 0; i < p->a->block_count; i++) {
    const RlxTirBlockInfo *b = &p->a->blocks[i];
    if (!b->stmt || p->def->start + b->stmt->span.start != with->start) continue;
    for (int k = 0; k < b->iter_count; k++) {
      if (b->iters[k].iter->var->name != name) continue;
      rlx_buf_printf(p->out, "\n\nBlock variable of \"%s\"\n", rlx_tir_block_name(p->a, i));
      iter_line(p, &b->iters[k]);
      return true;
    }
  }
  return false;
}

// ------------------------------------------------------------------ functions

/// What a PrimFunc does with the memory that it is handed, as far as its text says.
typedef struct Use {
  const RlxTirAccess *write; ///< the first one; NULL: none
  bool reads_given;          ///< before it wrote anything
  bool reads_other;          ///< behind its first write, and elsewhere than where that was
  bool is_opaque;
} Use;

static bool is_same_place(const RlxTirAccess *a, const RlxTirAccess *b) {
  if (!a->index || !b->index || a->loop_count != b->loop_count) return false;
  for (int i = 0; i < a->loop_count; i++)
    if (a->loops[i].stmt != b->loops[i].stmt) return false;
  for (int i = 0; i < a->buffer->ndim; i++)
    if (a->index[i] != b->index[i]) return false;
  return true;
}

static Use use_of(const RlxTirAccesses *accesses, const RlxTirBuffer *buffer) {
  Use use = {0};
  for (int i = 0; i < accesses->count; i++) {
    const RlxTirAccess *access = &accesses->at[i];
    if (access->buffer != buffer) continue;
    use.is_opaque |= access->is_opaque;
    if (!access->is_write)
      (use.write ? &use.reads_other : &use.reads_given)[0] |=
          !use.write || !is_same_place(use.write, access);
    else if (!use.write)
      use.write = access;
  }
  return use;
}

static const char *word_of(Use use, bool is_cut) {
  if (is_cut || use.is_opaque) return "handed on";
  if (use.write && use.reads_given) return "in, out";
  if (use.write) return use.reads_other ? "out, read again" : "out";
  return use.reads_given ? "in" : "not used";
}

/// "`A: T.Buffer((4, n), "float32")`".
static void put_buffer(const Place *p, const RlxTirBuffer *b) {
  rlx_buf_printf(p->out, "`%s: T.Buffer((", rlx_store_text(p->store, b->name));
  for (int k = 0; k < b->ndim; k++) {
    if (k) rlx_buf_puts(p->out, ", ");
    rlx_tir_expr_print(p->store, b->shape[k], p->out);
  }
  char dtype[RLX_DTYPE_TEXT_MAX];
  rlx_buf_printf(p->out, "%s), \"%s\"", b->ndim == 1 ? "," : "", rlx_dtype_text(b->dtype, dtype));
  if (b->scope) rlx_buf_printf(p->out, ", scope=\"%s\"", rlx_store_text(p->store, b->scope));
  rlx_buf_puts(p->out, ")`");
}

void rlx_describe_tir_buffers(RlxAnalyzer *analyzer, RlxFile *file, const RlxStmt *def,
                              RlxBuf *out) {
  Place p;
  if (!place_open(&p, analyzer, file, def->start, out)) return;
  RlxTirAccesses accesses = rlx_tir_accesses(p.a);
  for (int i = 0; i < p.f->param_count; i++) {
    const RlxTirBuffer *b = p.f->params[i].buffer;
    if (!b) continue;
    rlx_buf_puts(out, out->size ? "\n- " : "- ");
    put_buffer(&p, b);
    rlx_buf_printf(out, " %s", word_of(use_of(&accesses, b), accesses.is_cut));
  }
  place_close(&p);
}

// ------------------------------------------------------------------ buffers and dimensions

/// The parameter whose buffer it is; NULL: of none.
static const RlxTirParam *param_of(const Place *p, const RlxTirBuffer *buffer) {
  for (int i = 0; i < p->f->param_count; i++)
    if (p->f->params[i].buffer == buffer) return &p->f->params[i];
  return NULL;
}

/// The buffer of that name; NULL: there is none, or several.
static const RlxTirBuffer *buffer_named(const Place *p, const RlxTirAccesses *accesses,
                                        RlxName name) {
  const RlxTirBuffer *found = NULL;
  for (int i = 0; i < p->f->param_count + accesses->count; i++) {
    const RlxTirBuffer *b =
        i < p->f->param_count ? p->f->params[i].buffer : accesses->at[i - p->f->param_count].buffer;
    if (!b || b->name != name || b == found) continue;
    if (found) return NULL;
    found = b;
  }
  return found;
}

/// "- written by "init", "update"": the blocks below the root that touch the buffer.
static void put_blocks(const Place *p, const RlxTirBuffer *buffer, bool is_write) {
  int count = 0;
  for (int i = 0; i < p->a->block_count; i++) {
    const RlxTirBlockInfo *b = &p->a->blocks[i];
    const RlxTirBoxes *boxes = is_write ? &b->writes : &b->reads;
    if (b->scope < 0 || !rlx_tir_box_of(boxes, buffer) || ++count > RLX_DEPENDENCIES_SHOWN)
      continue;
    const char *before = count > 1  ? ", "
                         : is_write ? "\n- written by block "
                                    : "\n- read by block ";
    rlx_buf_printf(p->out, "%s\"%s\"", before, rlx_tir_block_name(p->a, i));
  }
  if (count > RLX_DEPENDENCIES_SHOWN)
    rlx_buf_printf(p->out, " and %d more", count - RLX_DEPENDENCIES_SHOWN);
}

static void describe_buffer(const Place *p, RlxName name) {
  RlxTirAccesses accesses = rlx_tir_accesses(p->a);
  const RlxTirBuffer *buffer = buffer_named(p, &accesses, name);
  if (!buffer) return;
  rlx_buf_puts(p->out, "\n\n");
  put_buffer(p, buffer);
  if (param_of(p, buffer))
    rlx_buf_printf(p->out, " %s", word_of(use_of(&accesses, buffer), accesses.is_cut));
  rlx_buf_putc(p->out, '\n');
  put_blocks(p, buffer, true);
  put_blocks(p, buffer, false);
}

/// A variable that is a dimension of a parameter's buffer: which one. False: it is none.
static bool describe_dimension(const Place *p, RlxName name) {
  for (int i = 0; i < p->f->param_count; i++) {
    const RlxTirBuffer *b = p->f->params[i].buffer;
    for (int k = 0; b && k < b->ndim; k++) {
      if (b->shape[k]->kind != RLX_TIR_VAR || b->shape[k]->var->name != name) continue;
      rlx_buf_printf(p->out, "\n\nDimension %d of `%s`", k, rlx_store_text(p->store, b->name));
      return true;
    }
  }
  return false;
}

// ------------------------------------------------------------------ names

void rlx_describe_tir_name(RlxAnalyzer *analyzer, RlxFile *file, const RlxSymbol *symbol,
                           RlxBuf *out) {
  Place p;
  const RlxStmt *stmt = symbol->def_stmt;
  if (!stmt || !place_open(&p, analyzer, file, stmt->start, out)) return;
  bool found = describe_iter(&p, stmt, symbol->name);
  for (int i = 0; i < p.a->loop_count && !found; i++) {
    const RlxTirLoopInfo *l = &p.a->loops[i];
    found = l->stmt->var->name == symbol->name && p.def->start + l->stmt->span.start == stmt->start;
    if (found) describe_loop(&p, l);
  }
  if (!found && !describe_dimension(&p, symbol->name)) describe_buffer(&p, symbol->name);
  place_close(&p);
}
