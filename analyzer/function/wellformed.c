/// What must hold of a function as a whole: dataflow blocks end with the outputs that somebody
/// uses, names of functions are unique, private functions have no name for the linker.
/// Always true: at most one report is made about a name; from there on the name counts as defined,
/// so that its uses are not reported as well.
/// Source of the rules: TVM v0.25 src/relax/analysis/well_formed.cc,
/// src/script/ir_builder/relax/frame.cc.
#include <stdlib.h>
#include <string.h>

#include "analyzer/function/function.h"
#include "analyzer/state/state.h"
#include "analyzer/syntax/stmt_text.h"

// ---- dataflow blocks

typedef struct Output {
  RlxName name;
  const RlxStmt *stmt;
  const RlxAst *arg;
  uint32_t index, count; ///< of the argument, of all
  bool is_used;
} Output;

typedef struct Walk {
  RlxFn *fn;
  RlxSink *sink;
  RlxMap open; ///< name → index in outputs + 1 of those that nothing defined anew
  Vec(Output) outputs;
} Walk;

static RlxSpan in_fn(const Walk *w, const RlxStmt *stmt, RlxSpan span) {
  uint32_t at = stmt->start - w->fn->stmt->start;
  return rlx_span(at + span.start, at + span.end);
}

static void mark_reads(Walk *w, const RlxAnalysis *unit) {
  for (uint32_t i = 0; i < unit->read_count; i++) {
    uint64_t at = 0;
    if (rlx_map_get(&w->open, unit->reads[i].name, &at) && at) w->outputs.at[at - 1].is_used = true;
    const RlxSInfo *sinfo = unit->reads[i].sinfo;
    if (!sinfo || !sinfo->has_symbols) continue;
    const RlxSymVar *vars[16]; // what its StructInfo mentions is used, too
    int count = 0;
    rlx_sinfo_vars(sinfo, vars, &count, 16);
    for (int k = 0; k < count; k++)
      if (vars[k]->is_relax && rlx_map_get(&w->open, vars[k]->name, &at) && at)
        w->outputs.at[at - 1].is_used = true;
  }
}

/// Whether a statement behind `R.output` may stand there: it gives the block no binding.
static bool is_silent(const RlxAnalysis *unit) {
  const uint8_t kind = unit->stmt->kind;
  const bool is_plain = kind == RLX_STMT_ASSIGN || kind == RLX_STMT_EXPR;
  return kind == RLX_STMT_PASS || kind == RLX_STMT_RETURN ||
         (is_plain && !unit->binding_count && !unit->is_tainted);
}

/// Does a unit behind the first `from` bytes of the function's text report `id`?
static bool reports(const RlxSuite *suite, uint32_t from, RlxDiagId id) {
  for (uint32_t i = 0; suite && i < suite->reported.count; i++) {
    const RlxAnalysis *unit = suite->reported.at[i];
    for (uint32_t k = 0; k < unit->diag_count && unit->stmt->start >= from; k++)
      if (unit->diags[k]->id == id) return true;
    if (reports(unit->body, from, id) || reports(unit->orelse, from, id)) return true;
  }
  return false;
}

static void check_outputs(Walk *w, const RlxSuite *around, const RlxAnalysis *with) {
  const RlxSuite *body = with->body;
  const RlxAnalysis *output = NULL;
  bool returns = false;
  if (!body || body->is_broken) return;
  for (uint32_t i = 0; i < body->leaving.count; i++) {
    const RlxAnalysis *unit = body->leaving.at[i];
    returns |= unit->stmt->kind == RLX_STMT_RETURN;
    if (!unit->is_output) continue;
    if (output) {
      RlxDiag *diag =
          rlx_reportf(w->sink, RLX_DIAG_ID(OUTPUT_PLACE),
                      in_fn(w, unit->stmt, rlx_span(0, unit->stmt->head_size)), "s",
                      "a dataflow block has one `R.output`, which lists all its outputs");
      rlx_diag_related(w->sink, diag, output->stmt, rlx_span(0, output->stmt->head_size),
                       "the first one");
      return;
    }
    output = unit;
    for (uint32_t k = unit->stmt->index + 1; k < body->units.count; k++) {
      const RlxAnalysis *behind = body->units.at[k];
      if (behind->is_output) break;
      if (is_silent(behind)) continue;
      RlxDiag *diag = rlx_reportf(w->sink, RLX_DIAG_ID(OUTPUT_PLACE),
                                  in_fn(w, output->stmt, rlx_span(0, output->stmt->head_size)), "s",
                                  "`R.output` must be the last statement of its dataflow block");
      rlx_diag_related(w->sink, diag, behind->stmt, rlx_span(0, behind->stmt->head_size),
                       "this binding stands after it");
      return;
    }
  }
  if (returns) return;
  const RlxAst *call = output ? output->stmt->value : NULL;
  if (output && !rlx_is_output_call(w->fn->file->store, call)) return; // part of an expression
  if (!output || call->child_count < 2) {
    if (reports(around, with->stmt->start + with->stmt->size, RLX_DIAG_ID(DATAFLOW_LEAK)))
      return; // the missing output is named there
    if (!output && (with->stmt->has_error || !body->units.count))
      return; // still being written: a syntax error says so
    RlxSpan span = output ? in_fn(w, output->stmt, rlx_span(0, output->stmt->head_size))
                          : in_fn(w, with->stmt, rlx_span(0, with->stmt->head_size));
    rlx_reportf(w->sink, RLX_DIAG_ID(DATAFLOW_NO_OUTPUT), span, "");
    return;
  }
  for (uint32_t i = 1; i < call->child_count; i++) {
    const RlxAst *arg = call->children[i];
    if (arg->kind != RLX_AST_NAME) continue;
    rlx_map_put(&w->open, arg->name, w->outputs.count + 1);
    Output out = {.name = arg->name,
                  .stmt = output->stmt,
                  .arg = arg,
                  .index = i,
                  .count = call->child_count - 1};
    rlx_vec_push(&w->outputs, out);
  }
}

/// The last binding of a branch is the value of its `if`.
static void close_branch(Walk *w, const RlxSuite *suite) {
  for (uint32_t i = suite ? suite->units.count : 0; i-- > 0;) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (unit->kind != RLX_UNIT_WITH) return;
    for (uint32_t k = 0; k < w->outputs.count; k++)
      if (unit->body && w->outputs.at[k].stmt->block == unit->body->block)
        w->outputs.at[k].is_used = true;
    return;
  }
}

static void walk_suite(Walk *w, const RlxSuite *suite);

static void walk_compound(Walk *w, const RlxSuite *suite, const RlxAnalysis *unit) {
  walk_suite(w, unit->body);
  walk_suite(w, unit->orelse);
  if (unit->kind == RLX_UNIT_IF) close_branch(w, unit->body), close_branch(w, unit->orelse);
  if (unit->kind == RLX_UNIT_WITH && unit->is_dataflow_block) check_outputs(w, suite, unit);
}

/// Until there are outputs only blocks matter.
static void walk_suite(Walk *w, const RlxSuite *suite) {
  uint32_t next = 0;
  for (uint32_t i = 0; suite && i < suite->compound.count && !w->outputs.count; i++) {
    walk_compound(w, suite, suite->compound.at[i]);
    next = suite->compound.at[i]->stmt->index + 1;
  }
  for (uint32_t i = next; suite && w->outputs.count && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    if (!unit->is_output) mark_reads(w, unit);
    if (unit->kind == RLX_UNIT_IF || unit->kind == RLX_UNIT_WITH) walk_compound(w, suite, unit);
    if (unit->is_output || (unit->kind == RLX_UNIT_WITH && unit->is_dataflow_block)) continue;
    for (uint32_t k = 0; k < unit->def_count; k++)
      if (rlx_map_get(&w->open, unit->defs[k].name, NULL))
        rlx_map_put(&w->open, unit->defs[k].name, 0);
  }
}

/// `is_last`: nothing of the block is used, and this is the output that stays when the others go.
static void report_unused(Walk *w, const Output *out, bool is_last) {
  const RlxAst *call = out->stmt->value;
  RlxDiag *diag =
      rlx_reportf(w->sink, RLX_DIAG_ID(OUTPUT_UNUSED), in_fn(w, out->stmt, out->arg->span), "s",
                  rlx_store_text(w->fn->file->store, out->name));
  if (is_last) return; // without it the block has no output
  RlxSpan cut = out->index == 1
                    ? rlx_span(out->arg->span.start, call->children[2]->span.start)
                    : rlx_span(call->children[out->index - 1]->span.end, out->arg->span.end);
  rlx_diag_fix(w->sink, diag, "keep it inside the block", in_fn(w, out->stmt, cut), "");
}

/// Reports what is not used of the outputs from `*next` to the end of their statement.
static void report_outputs(Walk *w, uint32_t *next) {
  const uint32_t first = *next;
  bool has_use = false;
  for (; *next < w->outputs.count && w->outputs.at[*next].stmt == w->outputs.at[first].stmt;
       ++*next)
    has_use |= w->outputs.at[*next].is_used;
  for (uint32_t i = first; i < *next; i++)
    if (!w->outputs.at[i].is_used) report_unused(w, &w->outputs.at[i], !has_use && i + 1 == *next);
}

static bool has_dataflow(const RlxSuite *suite) {
  for (uint32_t i = 0; suite && i < suite->compound.count; i++) {
    const RlxAnalysis *unit = suite->compound.at[i];
    if (unit->is_dataflow_block || has_dataflow(unit->body) || has_dataflow(unit->orelse))
      return true;
  }
  return false;
}

/// Whether a match_cast of the suite, or of a `with` in it, gives the variable a value.
static bool casts_to(const RlxSuite *suite, const RlxSymVar *var) {
  enum { MOST = 64 };
  const RlxSymVar *bare[MOST];
  for (uint32_t i = 0; suite && i < suite->units.count; i++) {
    const RlxAnalysis *unit = suite->units.at[i];
    int count = 0;
    for (uint32_t k = 0; k < unit->binding_count; k++)
      if (unit->bindings[k]->kind == RLX_BINDING_MATCH_CAST && unit->bindings[k]->cast)
        rlx_sinfo_bare_vars(unit->bindings[k]->cast, bare, &count, MOST);
    for (int k = 0; k < count; k++)
      if (bare[k] == var) return true;
    if (unit->has_error || (unit->kind == RLX_UNIT_WITH && casts_to(unit->body, var))) return true;
  }
  return false;
}

/// A TypeVar that the result alone names, and that nothing gives a value.
static void check_result_symbol(RlxFn *fn) {
  const RlxSymVar *var = fn->ret_symbol ? rlx_prim_as_var(fn->ret_symbol) : NULL;
  if (var && fn->stmt->annotation && !casts_to(fn->body, var))
    rlx_reportf(&fn->end, RLX_DIAG_ID(SYMBOL_UNDEFINED), fn->stmt->annotation->span, "s",
                rlx_store_text(fn->file->store, var->name));
}

void rlx_wellformed_function(RlxFn *fn) {
  check_result_symbol(fn);
  if (!has_dataflow(fn->body)) return;
  Walk w = {.fn = fn, .sink = &fn->end};
  walk_suite(&w, fn->body);
  bool broken = rlx_stmt_is_garbled(fn->stmt) ||
                reports(fn->body, 0, RLX_DIAG_ID(NAME_UNDEFINED)) ||
                reports(fn->body, 0, RLX_DIAG_ID(DATAFLOW_LEAK)); // a misspelt use is one
  for (uint32_t next = 0; next < w.outputs.count && !broken;) report_outputs(&w, &next);
  rlx_map_free(&w.open);
  rlx_vec_free(&w.outputs);
}
