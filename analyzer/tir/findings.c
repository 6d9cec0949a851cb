/// Findings of one PrimFunc. Each access and each block is reported at most once for each kind.
#include "analyzer/tir/findings.h"

#include <string.h>

#include "analyzer/tir/loops_impl.h"
#include "analyzer/tir/memory.h"
#include "analyzer/tir/rewrite.h"
#include "analyzer/tir/update_order.h"

enum {
  ACCESSES_MAX = 600,    // larger functions are not looked at: generated code
  ACCESS_EFFORT = 1500,  // of isl for one question about an access (sets.h): there are many
  BLOCK_EFFORT = 1500,   // about a block's types
  BINDING_EFFORT = 3000, // about its binding: three at most
};

typedef struct Finder {
  RlxTirAnalysis *a;
  RlxTirAccesses accesses;
  const RlxStmt *def;
  RlxSink *sink;
  RlxTirCare care;
  bool *leaves_domain; // of each block: an instance outside of its domain was reported
} Finder;

static const char *text(const Finder *f, RlxName name) { return rlx_store_text(f->a->store, name); }

/// False: what all questions may cost is used up.
static bool may_ask(const Finder *f) { return !f->a->work->is_short; }

/// A question that stayed open is said as such, unless it was given up because there were too many.
static void not_decided(Finder *f, RlxSpan span, const char *reason) {
  if (!may_ask(f)) return;
  bool is_example = strncmp(reason, "for ", 4) == 0;
  rlx_reportf(f->sink, RLX_DIAG_ID(UNDECIDED), span, "s",
              is_example ? rlx_arena_printf(f->a->arena, "it depends on lengths: %s", reason)
                         : reason);
}

static bool is_refuted(const RlxTirVerdict *v) { return !v->is && !v->is_unknown; }

// ---- accesses

/// An earlier access stands at the same place of the text.
static bool is_repeated(const Finder *f, int at) {
  const RlxTirAccess *x = &f->accesses.at[at];
  for (int i = 0; i < at; i++) {
    const RlxTirAccess *y = &f->accesses.at[i];
    if (y->span.start == x->span.start && y->span.end == x->span.end && y->buffer == x->buffer &&
        y->is_write == x->is_write)
      return true;
  }
  return false;
}

/// An access that leaves its buffer, and the report that says so.
typedef struct Leaving {
  const RlxTirAccess *access;
  const char *reason;
  RlxDiag *diag;
} Leaving;

/// The same indices of the same buffer in the same block: `B[i + 1]` of an update is read and written, one mistake.
static bool is_same_element(const RlxTirAccess *x, const RlxTirAccess *y) {
  bool is_same = y->buffer == x->buffer && y->block == x->block;
  for (int d = 0; is_same && d < x->buffer->ndim; d++) is_same = x->index[d] == y->index[d];
  return is_same;
}

/// "(i, j) = (16, 0)" of a reason: the iteration that leaves the buffer.
static const char *iteration(const char *reason, size_t *size) {
  const char *at = strstr(reason, " at "), *end = at ? strstr(at, ", outside") : NULL;
  *size = end ? (size_t)(end - at) : 0;
  return at;
}

/// Two accesses of one statement leave their buffers at the same iteration, by an index that they share in dimensions of one length:
/// `B[i] = A[i]` in a loop that runs too far.
static bool is_same_loop(const Leaving *x, const Leaving *y) {
  size_t size, other;
  const char *at = iteration(x->reason, &size), *there = iteration(y->reason, &other);
  if (x->access->store != y->access->store || !size || size != other ||
      memcmp(at, there, size) != 0)
    return false;
  const RlxTirBuffer *a = x->access->buffer, *b = y->access->buffer;
  for (int d = 0; d < a->ndim; d++)
    for (int e = 0; e < b->ndim; e++)
      if (x->access->index[d] == y->access->index[e] &&
          rlx_tir_expr_equal(a->shape[d], b->shape[e]))
        return true;
  return false;
}

/// Reports that an access leaves its buffer, or adds its place to an earlier report of the mistake.
static void report_leaving(Finder *f, Leaving *all, int *count, Leaving x) {
  for (int i = 0; i < *count && !x.diag; i++) {
    if (is_same_element(x.access, all[i].access)) return;
    if (!is_same_loop(&x, &all[i])) continue;
    x.diag = all[i].diag;
    rlx_diag_related(f->sink, x.diag, f->def, x.access->span, "here, too");
  }
  if (!x.diag)
    x.diag = rlx_reportf(f->sink, RLX_DIAG_ID(ACCESS_BOUNDS), x.access->span, "s", x.reason);
  all[(*count)++] = x;
}

static void look_at_accesses(Finder *f) {
  Leaving *leaving = rlx_arena_array(f->a->arena, Leaving, f->accesses.count + 1);
  int count = 0;
  for (int i = 0; i < f->accesses.count; i++) {
    const RlxTirAccess *x = &f->accesses.at[i];
    if (!x->is_exact || is_repeated(f, i) || !may_ask(f)) continue; // else nothing is refuted
    RlxTirVerdict v = rlx_tir_in_bounds(f->a, x);
    if (v.is_unknown) not_decided(f, x->span, v.reason);
    if (is_refuted(&v)) {
      if (x->block >= 0 && f->leaves_domain[x->block]) continue; // one mistake, which is told
      report_leaving(f, leaving, &count, (Leaving){.access = x, .reason = v.reason});
      continue;
    }
    v = rlx_tir_reads_written(f->a, &f->accesses, x);
    if (v.is_unknown) not_decided(f, x->span, v.reason);
    if (is_refuted(&v)) rlx_reportf(f->sink, RLX_DIAG_ID(READ_UNWRITTEN), x->span, "s", v.reason);
  }
}

// ---- loops

static void look_at_loops(Finder *f) {
  for (int l = 0; l < f->a->loop_count; l++) {
    const RlxTirStmt *s = f->a->loops[l].stmt;
    const char *name = rlx_tir_loop_title(f->a, &f->a->loops[l]);
    if ((s->for_kind != RLX_FOR_PARALLEL && s->for_kind != RLX_FOR_VECTORIZED) || !may_ask(f))
      continue;
    RlxTirVerdict v = s->for_kind == RLX_FOR_PARALLEL ? rlx_tir_parallel_free(f->a, &f->accesses, l)
                                                      : rlx_tir_race_free(f->a, &f->accesses, l);
    if (v.is_unknown) not_decided(f, s->span, v.reason);
    if (v.is_unknown)
      not_decided(f, s->span,
                  rlx_arena_printf(
                      f->a->arena,
                      "whether iterations of loop %s meet in an element is not decided", name));
    if (is_refuted(&v))
      rlx_reportf(f->sink, RLX_DIAG_ID(LOOP_RACE), s->span, "sss", name,
                  rlx_tir_for_kind_name((RlxTirForKind)s->for_kind), v.reason);
  }
}

// ---- the script of a block

static const RlxStmt *with_at(const RlxBlock *suite, uint32_t start) {
  for (uint32_t i = 0; suite && i < suite->count; i++) {
    const RlxStmt *s = suite->stmts[i];
    if (start < s->start || start >= s->start + s->size) continue;
    if (s->start == start && s->kind == RLX_STMT_WITH) return s;
    const RlxStmt *inside = with_at(s->body, start);
    return inside ? inside : with_at(s->orelse, start);
  }
  return NULL;
}

static const RlxStmt *script_of(const Finder *f, const RlxTirBlockInfo *b) {
  return with_at(f->def->body, f->def->start + b->stmt->span.start);
}

/// The last part of a call's name: "spatial" of `T.axis.spatial(…)`.
static const char *called(const Finder *f, const RlxAst *call) {
  if (!call || call->kind != RLX_AST_CALL || call->children[0]->kind != RLX_AST_ATTRIBUTE)
    return "";
  return text(f, call->children[0]->name);
}

/// The edit that declares `v` with another type; false when its script has another form.
static bool type_edit(const Finder *f, const RlxTirBlockInfo *b, const RlxTirIterInfo *v,
                      const RlxStmt **stmt, RlxEdit *out) {
  static const char *const words[] = {"spatial", "reduce", "scan", "opaque"};
  static const char *const letters[] = {"S", "R", NULL, "O"};
  const RlxStmt *with = script_of(f, b);
  for (uint32_t i = 0; with && with->body && i < with->body->count; i++) {
    const RlxStmt *s = with->body->stmts[i];
    if (s->kind != RLX_STMT_ASSIGN || s->target_count != 1) continue;
    const RlxAst *target = s->targets[0], *call = s->value;
    *stmt = s;
    bool is_remap = strcmp(called(f, call), "remap") == 0;
    if (target->kind == RLX_AST_NAME && target->name == v->iter->var->name && !is_remap &&
        *called(f, call)) {
      *out = (RlxEdit){call->children[0]->name_span, words[v->inferred]};
      return true;
    }
    if (!is_remap || call->child_count < 2 || call->children[1]->kind != RLX_AST_STRING) continue;
    const RlxAst *kinds = call->children[1];
    uint32_t count = target->kind == RLX_AST_TUPLE ? target->child_count : 1;
    if (kinds->span.end - kinds->span.start != kinds->text_size + 2 || !letters[v->inferred])
      continue;
    for (uint32_t k = 0; k < count && k < kinds->text_size; k++) {
      const RlxAst *name = target->kind == RLX_AST_TUPLE ? target->children[k] : target;
      if (name->kind != RLX_AST_NAME || name->name != v->iter->var->name) continue;
      uint32_t at = kinds->span.start + 1 + k;
      *out = (RlxEdit){{at, at + 1}, letters[v->inferred]};
      return true;
    }
  }
  return false;
}

// ---- blocks

/// Types are ordered: each allows less than the one before.
static bool allows_more(uint8_t declared, uint8_t inferred) {
  return declared != RLX_ITER_OPAQUE && inferred != RLX_ITER_OPAQUE && declared < inferred;
}

/// Whether threads run the block: they have buffers of their own, and do work twice on purpose.
static bool is_in_threads(const Finder *f, const RlxTirBlockInfo *b) {
  for (;; b = &f->a->blocks[b->scope]) {
    for (int i = 0; i < b->loop_count; i++)
      if (f->a->loops[b->loops[i]].stmt->for_kind == RLX_FOR_THREAD_BINDING) return true;
    if (b->scope < 0) return false;
  }
}

/// The name of a block variable; one without is `v`, as TVM prints it.
static const char *iter_text(Finder *f, const RlxTirIterInfo *v) {
  const char *name = text(f, v->iter->var->name);
  return *name ? name : "v";
}

static void look_at_types(Finder *f, const RlxTirBlockInfo *b) {
  for (int i = 0; i < b->iter_count; i++) {
    const RlxTirIterInfo *v = &b->iters[i];
    if (!v->is_inferred || !allows_more(v->iter->type, v->inferred)) continue;
    // With an init, the author says that it is a reduction: not all of them are recognised.
    if (b->has_init && v->iter->type == RLX_ITER_REDUCE) continue;
    RlxDiag *d = rlx_reportf(f->sink, RLX_DIAG_ID(ITER_TYPE), b->stmt->span, "ssss",
                             iter_text(f, v), rlx_tir_block_name(f->a, b->index),
                             rlx_tir_iter_type_name((RlxTirIterType)v->iter->type),
                             rlx_tir_iter_type_name((RlxTirIterType)v->inferred));
    const RlxStmt *stmt;
    RlxEdit edit;
    if (!type_edit(f, b, v, &stmt, &edit)) continue;
    uint32_t base = stmt->start - f->def->start;
    rlx_diag_fix(f->sink, d,
                 rlx_arena_printf(f->sink->arena, "declare it %s",
                                  rlx_tir_iter_type_name((RlxTirIterType)v->inferred)),
                 rlx_span(base + edit.span.start, base + edit.span.end), edit.text);
  }
}

static void look_at_binding(Finder *f, const RlxTirBlockInfo *b) {
  if (!b->iter_count || !may_ask(f)) return;
  RlxBindingVerdict v = rlx_tir_binding(f->a, b);
  if (v.proof == RLX_UNKNOWN)
    not_decided(f, b->stmt->span,
                rlx_arena_printf(f->a->arena,
                                 "whether the loops run each instance of block \"%s\" once is not "
                                 "decided: %s",
                                 rlx_tir_block_name(f->a, b->index), v.reason));
  // What depends on parameters or on a block around may be meant.
  if (v.proof != RLX_NO || !v.witness || strncmp(v.witness, "for ", 4) == 0) return;
  // Another block may do the other part of a reduction.
  bool is_harmful =
      v.fault == RLX_BINDING_OUTSIDE || (v.fault == RLX_BINDING_PARTIAL && b->dominant.is);
  const char *name = rlx_tir_block_name(f->a, b->index);
  f->leaves_domain[b->index] = v.fault == RLX_BINDING_OUTSIDE;
  if (is_harmful)
    rlx_reportf(f->sink, RLX_DIAG_ID(BLOCK_DOMAIN), b->stmt->span, "sss", name, v.reason,
                v.witness);
  else
    rlx_reportf(f->sink, RLX_DIAG_ID(BLOCK_BINDING), b->stmt->span, "ss", name, v.witness);
}

static void look_at_blocks(Finder *f, void (*look)(Finder *f, const RlxTirBlockInfo *b)) {
  for (int i = 0; i < f->a->block_count; i++) {
    const RlxTirBlockInfo *b = &f->a->blocks[i];
    if (!b->stmt || b->scope < 0 || b->is_in_init || is_in_threads(f, b)) continue;
    look(f, b);
  }
}

/// Updates that may not change places, in a block whose variables say that they may.
static void look_at_updates(Finder *f, const RlxTirBlockInfo *b) {
  RlxTirVerdict v = rlx_tir_update_order(f->a, b, false);
  if (is_refuted(&v))
    rlx_reportf(f->sink, RLX_DIAG_ID(REDUCTION_ORDER), v.span, "ss",
                rlx_tir_block_name(f->a, b->index), v.reason);
}

/// Says that there was more than is looked at.
static void report_cut(Finder *f, int count) {
  rlx_reportf(
      f->sink, RLX_DIAG_ID(UNDECIDED), f->def->name_span, "s",
      rlx_arena_printf(f->a->arena,
                       "not all of the %d accesses of this PrimFunc were looked at: it is too "
                       "large or too hard to decide",
                       count));
}

void rlx_tir_findings_of(RlxTirAnalysis *a, const RlxTirAccesses *accesses, const RlxStmt *def,
                         RlxTirCare care, RlxSink *sink) {
  Finder finder = {.a = a, .accesses = *accesses, .def = def, .sink = sink, .care = care};
  const bool is_thorough = care == RLX_TIR_THOROUGH;
  rlx_tir_region_findings(a, sink);
  if (accesses->is_cut || (!is_thorough && accesses->count > ACCESSES_MAX)) {
    report_cut(&finder, accesses->count);
    return;
  }
  finder.leaves_domain = rlx_arena_array(a->arena, bool, a->block_count + 1);
  const uint32_t whole = a->work->each;
  a->work->each = is_thorough ? whole : BINDING_EFFORT;
  look_at_blocks(&finder, look_at_binding);
  a->work->each = is_thorough ? whole : ACCESS_EFFORT;
  look_at_accesses(&finder);
  a->work->each = whole;
  look_at_loops(&finder);
  a->work->each = is_thorough ? whole : BLOCK_EFFORT;
  rlx_tir_infer_types(a, accesses);
  look_at_blocks(&finder, look_at_types);
  look_at_blocks(&finder, look_at_updates);
  a->work->each = whole;
  if (a->work->is_short) report_cut(&finder, accesses->count);
}

void rlx_tir_findings(RlxStore *store, RlxPrimFunc *f, const RlxStmt *def, RlxSetWork *work,
                      RlxSink *sink) {
  if (f->has_holes || !f->body) return;
  RlxArena *arena = rlx_arena_new();
  RlxTirAnalysis *a = rlx_tir_analyze(store, f, arena, &(RlxTirText){.is_moving = true});
  a->work = work;
  RlxTirAccesses accesses = rlx_tir_accesses(a);
  rlx_tir_findings_of(a, &accesses, def, RLX_TIR_BRIEF, sink);
  rlx_arena_free(arena);
}
