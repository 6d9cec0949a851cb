/// The state of one evaluation: its beginning and end, its reports, and the notes of what the
/// statement reads, defines and leaves open.
#include <stdarg.h>
#include <string.h>

#include "analyzer/eval/evaluate_impl.h"

void rlx_eval_init(RlxEval *e, RlxFile *file, RlxFn *fn, const RlxStmt *stmt, RlxArena *arena,
                   RlxSink *sink) {
  memset(e, 0, sizeof *e);
  e->file = file;
  e->analyzer = file->analyzer;
  e->store = file->store;
  e->fn = fn;
  e->stmt = stmt;
  e->arena = arena;
  e->sink = sink;
}

uint32_t rlx_eval_most(const RlxEval *e, uint32_t most) {
  enum { LEAST = 64, LARGE = 256 << 10 }; // of half the text: no real file is as large
  const uint32_t size = e->file->items_size, small = rlx_questions_size(0);
  if (size > small) most /= size / small;
  if (size > LARGE) most /= size / LARGE;
  return most > LEAST ? most : LEAST;
}

RlxValue rlx_letters(RlxEval *e, const RlxValue *v) {
  const char *text = rlx_store_text(e->store, v->string);
  const size_t size = strlen(text);
  RlxValue out = {.kind = RLX_VALUE_LIST, .span = v->span};
  if (size > rlx_eval_most(e, RLX_MAX_ITEMS) || !rlx_text_is_ascii(text, size))
    return rlx_value_unknown(v->span);
  out.items = rlx_arena_array(e->arena, RlxValue, size ? size : 1);
  for (; out.count < size; out.count++)
    out.items[out.count] = (RlxValue){.kind = RLX_VALUE_STR,
                                      .span = v->span,
                                      .string = rlx_store_intern(e->store, text + out.count, 1)};
  return out;
}

bool rlx_is_wide(const RlxEval *e, uint64_t items) {
  return items > rlx_eval_most(e, RLX_MAX_NAMED);
}

void rlx_eval_deinit(RlxEval *e) {
  rlx_vec_free(&e->reads);
  rlx_vec_free(&e->outer_reads);
  rlx_listed_free(&e->is_read);
  rlx_listed_free(&e->is_outer_read);
  rlx_vec_free(&e->bindings);
  rlx_vec_free(&e->defs);
  rlx_vec_free(&e->vars);
  rlx_locals_free(&e->locals);
  rlx_vec_free(&e->unbound_uses);
  rlx_vec_free(&e->patterns);
  rlx_vec_free(&e->learned);
  rlx_vec_free(&e->forcing);
  rlx_map_free(&e->kept);
}

RlxDiag *rlx_eval_report(RlxEval *e, RlxDiagId id, RlxSpan span, const char *kinds, ...) {
  va_list values;
  va_start(values, kinds);
  RlxDiag *diag = rlx_vreportf(e->sink, id, span, kinds, values);
  va_end(values);
  if (diag->severity == RLX_ERROR) e->tainted |= RLX_FAILED;
  return diag;
}

// ---- what the statement reads and defines

void rlx_note_read(RlxEval *e, RlxName name, bool outer) {
  if (outer) {
    if (!rlx_listed_has(&e->is_outer_read, e->outer_reads.at, e->outer_reads.count, name))
      rlx_vec_push(&e->outer_reads, name);
  } else if (!rlx_listed_has(&e->is_read, e->reads.at, e->reads.count, name))
    rlx_vec_push(&e->reads, name);
}

/// The symbolic variables in the StructInfo of a variable of the function around: the local
/// function has a value for those only that its own parameters bind.
static void note_captured_symbols(RlxEval *e, const RlxSInfo *sinfo, RlxSpan span) {
  enum { MOST = 8 };
  const RlxSymVar *vars[MOST];
  int count = 0;
  if (sinfo->kind == RLX_SINFO_FUNC || !sinfo->has_symbols || rlx_eval_is_027(e)) return;
  rlx_sinfo_vars(sinfo, vars, &count, MOST);
  for (int i = 0; i < count; i++) {
    if (vars[i]->is_relax || vars[i]->scope == e->fn->function.scope) continue;
    rlx_note_read(e, vars[i]->name, false);
    const RlxDef *known = rlx_env_get(e->env, vars[i]->name);
    if (known && known->value.kind == RLX_VALUE_PRIM &&
        rlx_prim_as_var(known->value.prim) == vars[i])
      continue;
    RlxDef *captured = rlx_arena_one(e->arena, RlxDef);
    captured->name = vars[i]->name;
    captured->value = rlx_value_of_prim(rlx_prim_var(e->store, vars[i]), span);
    captured->is_unbound = true;
    rlx_vec_push(&e->unbound_uses, ((RlxSymbolUse){captured, span}));
  }
}

void rlx_note_captured(RlxEval *e, const RlxDef *def, RlxSpan span) {
  if (e->env && e->fn && def->value.kind == RLX_VALUE_EXPR &&
      def->value.expr->kind == RLX_EXPR_VAR && !def->value.expr->var->is_tainted)
    note_captured_symbols(e, def->value.expr->sinfo, span);
  if (!e->env || def->value.kind != RLX_VALUE_PRIM || !rlx_prim_as_var(def->value.prim)) return;
  if (rlx_eval_is_027(e) && !def->is_unbound) return; // from 0.26 on captured like any variable
  RlxDef *captured = rlx_arena_copy(e->arena, def, 1, sizeof *def);
  captured->is_unbound = true;
  rlx_vec_push(&e->unbound_uses, ((RlxSymbolUse){captured, span}));
}

RlxName rlx_attr_mark(RlxEval *e, const char *key) {
  RlxBuf text = {0};
  rlx_buf_printf(&text, "attribute %s", key);
  RlxName name = rlx_store_intern(e->store, rlx_buf_text(&text), text.size);
  rlx_buf_free(&text);
  return name;
}

void rlx_define(RlxEval *e, RlxName name, RlxValue value, RlxSpan span) {
  RlxDef def = {.name = name, .value = value, .stmt = e->stmt, .span = span};
  rlx_vec_push(&e->defs, def);
}

RlxMap rlx_eval_bound_vars(const RlxEval *e) {
  RlxMap bound = {0};
  for (uint32_t k = 0; k < e->patterns.count; k++) rlx_sinfo_bare_map(e->patterns.at[k], &bound);
  for (uint32_t k = 0; e->fn && k < e->fn->function.param_count; k++)
    rlx_sinfo_bare_map(e->fn->function.params[k]->sinfo, &bound);
  return bound;
}

bool rlx_eval_has_unbound(const RlxEval *e) {
  if (!e->unbound_uses.count) return false;
  RlxMap bound = rlx_eval_bound_vars(e);
  bool has = false;
  for (uint32_t i = 0; i < e->unbound_uses.count && !has; i++)
    has = !rlx_map_get_ptr(&bound, rlx_prim_as_var(e->unbound_uses.at[i].def->value.prim));
  rlx_map_free(&bound);
  return has;
}

// ---- functions

const RlxSInfo *rlx_fn_sinfo(const RlxEval *e, RlxFn *fn) {
  const RlxFn *caller = e->fn;
  if (!caller || e->is_signature) return rlx_sinfo_object(e->store);
  while (caller->outer) caller = caller->outer;
  e->analyzer->hooks->sign(fn);
  return fn->stmt->start < caller->stmt->start ? fn->function.sinfo : fn->declared;
}
